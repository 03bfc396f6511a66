//--blockDim=256 --gridDim=1
// After Chong et al., "Barrier Invariants" (OOPSLA 2013): prefix sums of several operators, and what makes them sums, asked of what they leave

typedef unsigned Element;

// Up the tree and down again: each element holds the sum of those before it.
//~ race-free
__global__ void blelloch_sums_ok(const Element *in, Element *out)
{
    __shared__ Element s[1024];
    int t = threadIdx.x, n = blockDim.x;
    Element own = in[t] > 0;
    s[t] = own;
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        if ((t + 1) % (2 * d) == 0) s[t] += s[t - d];
        __syncthreads();
    }
    if (t == n - 1) s[t] = 0;
    __syncthreads();
    for (int d = n / 2; d > 0; d /= 2) {
        if ((t + 1) % (2 * d) == 0) {
            Element x = s[t - d];
            s[t - d] = s[t];
            s[t] += x;
        }
        __syncthreads();
    }
    __assert(__implies(__same_group && t < __other_int(t), s[t] + own <= s[__other_int(t)]));
    out[t] = s[t];
}

// [an assertion that can fail] The last step down is left out.
//~ assertion
__global__ void blelloch_sums_bad(const Element *in, Element *out)
{
    __shared__ Element s[1024];
    int t = threadIdx.x, n = blockDim.x;
    Element own = in[t] > 0;
    s[t] = own;
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        if ((t + 1) % (2 * d) == 0) s[t] += s[t - d];
        __syncthreads();
    }
    if (t == n - 1) s[t] = 0;
    __syncthreads();
    for (int d = n / 2; d > 1; d /= 2) {
        if ((t + 1) % (2 * d) == 0) {
            Element x = s[t - d];
            s[t - d] = s[t];
            s[t] += x;
        }
        __syncthreads();
    }
    __assert(__implies(__same_group && t < __other_int(t), s[t] + own <= s[__other_int(t)])); //~ here
    out[t] = s[t];
}

// The largest of those before it.
//~ race-free
__global__ void blelloch_largest_ok(const Element *in, Element *out)
{
    __shared__ Element s[1024];
    int t = threadIdx.x, n = blockDim.x;
    Element own = in[t];
    s[t] = own;
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        if ((t + 1) % (2 * d) == 0) s[t] = max(s[t], s[t - d]);
        __syncthreads();
    }
    if (t == n - 1) s[t] = 0;
    __syncthreads();
    for (int d = n / 2; d > 0; d /= 2) {
        if ((t + 1) % (2 * d) == 0) {
            Element x = s[t - d];
            s[t - d] = s[t];
            s[t] = max(s[t], x);
        }
        __syncthreads();
    }
    __assert(__implies(__same_group && t < __other_int(t), s[t] <= s[__other_int(t)] && own <= s[__other_int(t)]));
    out[t] = s[t];
}

// [an assertion that can fail] It is not the largest of all but itself.
//~ assertion
__global__ void blelloch_largest_bad(const Element *in, Element *out)
{
    __shared__ Element s[1024];
    int t = threadIdx.x, n = blockDim.x;
    Element own = in[t];
    s[t] = own;
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        if ((t + 1) % (2 * d) == 0) s[t] = max(s[t], s[t - d]);
        __syncthreads();
    }
    if (t == n - 1) s[t] = 0;
    __syncthreads();
    for (int d = n / 2; d > 0; d /= 2) {
        if ((t + 1) % (2 * d) == 0) {
            Element x = s[t - d];
            s[t - d] = s[t];
            s[t] = max(s[t], x);
        }
        __syncthreads();
    }
    __assert(__implies(__same_group && t < __other_int(t), s[t] <= s[__other_int(t)] && __other_int(own) <= s[__other_int(t)])); //~ here
    out[t] = s[t];
}

// All bits of those before it.
//~ race-free
__global__ void blelloch_bits_ok(const Element *in, Element *out)
{
    __shared__ Element s[1024];
    int t = threadIdx.x, n = blockDim.x;
    Element own = in[t];
    s[t] = own;
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        if ((t + 1) % (2 * d) == 0) s[t] |= s[t - d];
        __syncthreads();
    }
    if (t == n - 1) s[t] = 0;
    __syncthreads();
    for (int d = n / 2; d > 0; d /= 2) {
        if ((t + 1) % (2 * d) == 0) {
            Element x = s[t - d];
            s[t - d] = s[t];
            s[t] |= x;
        }
        __syncthreads();
    }
    __assert(__implies(__same_group && t < __other_int(t), s[t] <= s[__other_int(t)] && own <= s[__other_int(t)]));
    out[t] = s[t];
}

// Up the tree, and down to the middles: the sum of those up to the element itself.
//~ race-free
__global__ void brent_kung_sums_ok(const Element *in, Element *out)
{
    __shared__ Element s[1024];
    int t = threadIdx.x, n = blockDim.x;
    Element own = in[t] > 0;
    s[t] = own;
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        if ((t + 1) % (2 * d) == 0) s[t] += s[t - d];
        __syncthreads();
    }
    for (int d = n / 4; d > 0; d /= 2) {
        if ((t + 1) % (2 * d) == 0 && t + d < n) s[t + d] += s[t];
        __syncthreads();
    }
    __assert(__implies(__same_group && t < __other_int(t), s[t] + __other_int(own) <= s[__other_int(t)]));
    out[t] = s[t];
}

// [an assertion that can fail] The way down begins one step too late.
//~ assertion
__global__ void brent_kung_sums_bad(const Element *in, Element *out)
{
    __shared__ Element s[1024];
    int t = threadIdx.x, n = blockDim.x;
    Element own = in[t] > 0;
    s[t] = own;
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        if ((t + 1) % (2 * d) == 0) s[t] += s[t - d];
        __syncthreads();
    }
    for (int d = n / 8; d > 0; d /= 2) {
        if ((t + 1) % (2 * d) == 0 && t + d < n) s[t + d] += s[t];
        __syncthreads();
    }
    __assert(__implies(__same_group && t < __other_int(t), s[t] + __other_int(own) <= s[__other_int(t)])); //~ here
    out[t] = s[t];
}

// The largest of those up to it.
//~ race-free
__global__ void brent_kung_largest_ok(const Element *in, Element *out)
{
    __shared__ Element s[1024];
    int t = threadIdx.x, n = blockDim.x;
    Element own = in[t];
    s[t] = own;
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        if ((t + 1) % (2 * d) == 0) s[t] = s[t] < s[t - d] ? s[t - d] : s[t];
        __syncthreads();
    }
    for (int d = n / 4; d > 0; d /= 2) {
        if ((t + 1) % (2 * d) == 0 && t + d < n) s[t + d] = s[t + d] < s[t] ? s[t] : s[t + d];
        __syncthreads();
    }
    __assert(__implies(__same_group && t < __other_int(t), s[t] <= s[__other_int(t)] && __other_int(own) <= s[__other_int(t)]));
    out[t] = s[t];
}

// All bits of those up to it.
//~ race-free
__global__ void brent_kung_bits_ok(const Element *in, Element *out)
{
    __shared__ Element s[1024];
    int t = threadIdx.x, n = blockDim.x;
    Element own = in[t];
    s[t] = own;
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        if ((t + 1) % (2 * d) == 0) s[t] |= s[t - d];
        __syncthreads();
    }
    for (int d = n / 4; d > 0; d /= 2) {
        if ((t + 1) % (2 * d) == 0 && t + d < n) s[t + d] |= s[t];
        __syncthreads();
    }
    __assert(__implies(__same_group && t < __other_int(t), s[t] <= s[__other_int(t)] && __other_int(own) <= s[__other_int(t)]));
    out[t] = s[t];
}

// [an assertion that can fail] Some bits come too late.
//~ assertion
__global__ void brent_kung_bits_bad(const Element *in, Element *out)
{
    __shared__ Element s[1024];
    int t = threadIdx.x, n = blockDim.x;
    Element own = in[t];
    s[t] = own;
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        if ((t + 1) % (2 * d) == 0) s[t] |= s[t - d];
        __syncthreads();
    }
    for (int d = n / 8; d > 0; d /= 2) {
        if ((t + 1) % (2 * d) == 0 && t + d < n) s[t + d] |= s[t];
        __syncthreads();
    }
    __assert(__implies(__same_group && t < __other_int(t), s[t] <= s[__other_int(t)] && __other_int(own) <= s[__other_int(t)])); //~ here
    out[t] = s[t];
}

// The scan stands in the kernel, and nothing is said of it: kept elements have places of their own in blocks of any size.
//~ race-free
__global__ void compact_inline_ok(const Element *in, Element *out)
{
    __shared__ unsigned place[1024];
    int t = threadIdx.x, n = blockDim.x;
    unsigned keep = in[t] > 0;
    place[t] = keep;
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        unsigned below = t >= d ? place[t - d] : 0;
        __syncthreads();
        place[t] += below;
        __syncthreads();
    }
    if (keep) out[place[t] - 1] = in[t];
}

// [off by one] A thread that has an element to add does not: its place is that of another.
//~ race
__global__ void compact_inline_bad(const Element *in, Element *out)
{
    __shared__ unsigned place[1024];
    int t = threadIdx.x, n = blockDim.x;
    unsigned keep = in[t] > 0;
    place[t] = keep;
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        unsigned below = t > d ? place[t - d] : 0;
        __syncthreads();
        place[t] += below;
        __syncthreads();
    }
    if (keep) out[place[t] - 1] = in[t]; //~ here
}

// The scan leaves a sum; the specification that the compaction needs follows, and is asked.
//~ race-free
__global__ void kogge_stone_sums_ok(const Element *in, Element *out)
{
    __shared__ Element s[1024];
    int t = threadIdx.x, n = blockDim.x;
    Element own = in[t] > 0;
    s[t] = own;
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        Element below = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += below;
        __syncthreads();
    }
    __assert(__implies(__same_group && t < __other_int(t), s[t] + __other_int(own) <= s[__other_int(t)]));
    out[t] = s[t];
}
