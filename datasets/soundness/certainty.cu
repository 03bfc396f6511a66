// How sure a finding is, and of what it hangs on that the caller decides: races of every sane launch, and races of some.

// A row that is wider than the pitch runs into the next one: only some callers have it.
//~ race conditional
__global__ void pitch_below_width_bad(int *image, int stride, int used)
{
    int x = threadIdx.x;
    if (x < used)
        image[blockIdx.x * stride + x] = x + blockIdx.x; //~ here
}

// That two elements of an input differ is all that it takes.
//~ race confirmed
__global__ void last_of_all_bad(float *last, const float *samples)
{
    last[0] = samples[blockIdx.x * blockDim.x + threadIdx.x]; //~ here
}

// Every caller that has two threads loses counts.
//~ race confirmed
__global__ void hits_bad(int *hits, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        *hits += 1; //~ here
}

// Two equal keys are needed, as any histogram has them.
//~ race conditional
__global__ void bins_bad(unsigned *bins, const int *keys, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        bins[keys[i]]++; //~ here
}

// Whatever the size of the block.
//~ race confirmed
__global__ void neighbour_bad(float *out, const float *in)
{
    __shared__ float tile[512];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    tile[t] = in[i]; //~ here
    out[i] = tile[(t + 1) % blockDim.x]; //~ here
}

// The barrier of the block says that it is made for more than one warp.
//~ race confirmed
__global__ void first_of_warps_bad(int *out, const int *in)
{
    __shared__ int sums[32];
    int t = threadIdx.x;
    if (t % 32 == 0)
        sums[t / 32] = in[blockIdx.x * blockDim.x + t]; //~ here
    if (t < 32)
        out[blockIdx.x * 32 + t] = t * 32 < blockDim.x ? sums[t] : 0; //~ here
    __syncthreads();
    out[gridDim.x * 32 + blockIdx.x * blockDim.x + t] = sums[0];
}

// A step of 0 is one that no caller makes.
//~ race conditional
__global__ void stride_bad(int *out, int step)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i * step] = i; //~ here
}

// By design: the atomic operation looks again.
//~ race conditional
__global__ void test_before_or_bad(unsigned *seen, const unsigned *ids, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned word = ids[i] / 32, bit = 1u << (ids[i] % 32);
        if ((seen[word] & bit) == 0) //~ here
            atomicOr(&seen[word], bit); //~ here
    }
}

// Not by design: the store looks at nothing again.
//~ race conditional
__global__ void test_before_or_and_store_bad(unsigned *seen, const unsigned *ids, int *owner, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned word = ids[i] / 32, bit = 1u << (ids[i] % 32);
        if ((seen[word] & bit) == 0) { //~ here
            atomicOr(&seen[word], bit); //~ here
            owner[ids[i]] = i; //~ here
        }
    }
}

// By design: the flag only ever receives 1, and stops work.
//~ race conditional
__global__ void stop_when_found_bad(int *found, const int *text, int wanted, int *visits)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (*found == 0) { //~ here
        visits[i] = text[i];
        if (text[i] == wanted)
            *found = 1; //~ here
    }
}

// Not by design: what the flag announces is read behind it.
//~ race confirmed
__global__ void published_bad(int *ready, int *data, int *out)
{
    int i = threadIdx.x;
    if (blockIdx.x == 0) {
        if (i == 0) {
            data[0] = gridDim.x; //~ here
            *ready = 1; //~ here
        }
    } else if (*ready == 1) //~ here
        out[blockIdx.x * blockDim.x + i] = data[0]; //~ here
}

// By design: an old distance makes a worse offer, which loses.
//~ race conditional
__global__ void relax_bad(int *distance, const int *from, const int *to, const int *length, int edges)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < edges) {
        int offer = distance[from[e]] + length[e]; //~ here
        if (offer < distance[to[e]]) //~ here
            atomicMin(&distance[to[e]], offer); //~ here
    }
}

// Not by design: a worse offer may be stored last.
//~ race conditional
__global__ void relax_by_store_bad(int *distance, const int *from, const int *to, const int *length, int edges)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < edges) {
        int offer = distance[from[e]] + length[e]; //~ here
        if (offer < distance[to[e]]) //~ here
            distance[to[e]] = offer; //~ here
    }
}

// What the kernel asserts of its size does not order its threads.
//~ race confirmed
__global__ void asserted_bad(int *out, int n)
{
    assert(n % 4 == 0);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i / 8] = i; //~ here
}

// What the kernel asserts of its size is assumed.
//~ race-free
__global__ void asserted_ok(int2 *out, int n)
{
    assert(n % 2 == 0);
    for (int i = 2 * threadIdx.x; i < n; i += 2 * blockDim.x)
        out[(blockIdx.x * n + i) / 2] = make_int2(i, n);
}

// Sums of different elements differ.
//~ race confirmed
__global__ void sum_in_loop_bad(float *out, const float *in, int n)
{
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += in[i];
    out[blockIdx.x] = sum; //~ here
}

// The others go to the end of the kernel and meet no barrier.
//~ divergence potential
__global__ void through_the_end_bad(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ int s[1024];
    if (i < n) {
        s[threadIdx.x] = i;
        __syncthreads(); //~ here
        out[i] = s[0];
    }
}

// The others meet the next barrier.
//~ divergence conditional
__global__ void then_meets_bad(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ int s[1024];
    s[threadIdx.x] = 0;
    if (i < n)
        __syncthreads(); //~ here
    s[threadIdx.x] += i;
    __syncthreads();
    out[i] = s[threadIdx.x];
}

// Not by design: the largest is stored, whatever was stored in the meantime.
//~ race conditional
__global__ void largest_by_exchange_bad(int *largest, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > largest[0]) //~ here
        atomicExch(&largest[0], in[i]); //~ here
}

// Not by design: it may count past five.
//~ race conditional
__global__ void count_to_five_bad(int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && count[0] != 5) //~ here
        atomicAdd(&count[0], 1); //~ here
}

// Not by design: what is added is what was missing before.
//~ race conditional
__global__ void largest_by_sum_bad(int *largest, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int known = largest[0]; //~ here
        if (in[i] > known)
            atomicAdd(&largest[0], in[i] - known); //~ here
    }
}

// By design: it is compared with what was read.
//~ race potential
__global__ void largest_by_compare_bad(int *largest, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int known = largest[0]; //~ here
        while (in[i] > known) {
            int found = atomicCAS(&largest[0], known, in[i]); //~ here
            if (found == known)
                break;
            known = found;
        }
    }
}
