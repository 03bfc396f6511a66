//--blockDim=64 --gridDim=4
// Atomics: places that a block counts among its threads and draws at once from a counter of the grid

// Each thread that has something takes a number of its block's, less than what the block draws.
//~ race-free
__global__ void block_slots_ok(const int *p, int *count, int *out)
{
    __shared__ int n, base;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, l = 0;
    if (t == 0) n = 0;
    __syncthreads();
    if (p[i] > 0) l = atomicAdd(&n, 1);
    __syncthreads();
    if (t == 0) base = atomicAdd(count, n);
    __syncthreads();
    if (p[i] > 0) out[base + l] = i;
}

// [extent] What is drawn is what the counter was set to in between.
//~ race
__global__ void block_slots_reset_bad(const int *p, int *count, int *out)
{
    __shared__ int n, base;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, l = 0;
    if (t == 0) n = 0;
    __syncthreads();
    if (p[i] > 0) l = atomicAdd(&n, 1);
    __syncthreads();
    if (t == 0) n = 0;
    __syncthreads();
    if (t == 0) base = atomicAdd(count, n);
    __syncthreads();
    if (p[i] > 0) out[base + l] = i; //~ here
}

// [missing-barrier] It is drawn while others count.
//~ race
__global__ void block_slots_early_bad(const int *p, int *count, int *out)
{
    __shared__ int n, base;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, l = 0;
    if (t == 0) n = 0;
    __syncthreads();
    if (p[i] > 0) l = atomicAdd(&n, 1); //~ here
    if (t == 0) base = atomicAdd(count, n); //~ here
    __syncthreads();
    if (p[i] > 0) out[base + l] = i; //~ here
}

// [extent] Some count behind the drawing.
//~ race
__global__ void block_slots_later_bad(const int *p, int *count, int *out)
{
    __shared__ int n, base;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, l = 0;
    if (t == 0) n = 0;
    __syncthreads();
    if (p[i] > 0) l = atomicAdd(&n, 1);
    __syncthreads();
    if (t == 0) base = atomicAdd(count, n);
    __syncthreads();
    int m = 0;
    if (p[i] < 0) m = atomicAdd(&n, 1);
    if (p[i] < 0) out[base + m] = i; //~ here
}

// Two places of a thread, counted by two atomics.
//~ race-free
__global__ void block_slots_both_ok(const int *p, int *count, int *out)
{
    __shared__ int n, base;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, l = 0;
    if (t == 0) n = 0;
    __syncthreads();
    int m = 0;
    if (p[i] > 0) l = atomicAdd(&n, 1);
    if (p[i] > 9) m = atomicAdd(&n, 1);
    __syncthreads();
    if (t == 0) base = atomicAdd(count, n);
    __syncthreads();
    if (p[i] > 0) out[base + l] = i;
    if (p[i] > 9) out[base + m] = -i;
}

// [atomic-slot] A number that is given back is given out again.
//~ race
__global__ void block_slots_given_back_bad(const int *p, int *count, int *out)
{
    __shared__ int n, base;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, l = 0;
    if (t == 0) n = 0;
    __syncthreads();
    if (p[i] > 0) l = atomicAdd(&n, 1);
    if (p[i] > 9) atomicSub(&n, 1);
    __syncthreads();
    if (t == 0) base = atomicAdd(count, n);
    __syncthreads();
    if (p[i] > 0) out[base + l] = i; //~ here
}

// [extent] Half of them are drawn.
//~ race
__global__ void block_slots_half_bad(const int *p, int *count, int *out)
{
    __shared__ int n, base;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, l = 0;
    if (t == 0) n = 0;
    __syncthreads();
    if (p[i] > 0) l = atomicAdd(&n, 1);
    __syncthreads();
    if (t == 0) base = atomicAdd(count, n / 2);
    __syncthreads();
    if (p[i] > 0) out[base + l] = i; //~ here
}

// [extent] So many that the number does not fit.
//~ race
__global__ void block_slots_narrow_bad(const int *p, int *count, int *out)
{
    __shared__ int n, base;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, l = 0;
    if (t == 0) n = 0;
    __syncthreads();
    if (p[i] > 0) l = atomicAdd(&n, 1);
    __syncthreads();
    if (t == 0) base = atomicAdd(count, (unsigned char)(n << 3));
    __syncthreads();
    if (p[i] > 0) out[base + l] = i; //~ here
}

// [extent] It counts from less than 0.
//~ race
__global__ void block_slots_negative_bad(const int *p, int *count, int *out)
{
    __shared__ int n, base;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, l = 0;
    if (t == 0) n = -3;
    __syncthreads();
    if (p[i] > 0) l = atomicAdd(&n, 1);
    __syncthreads();
    if (t == 0) base = atomicAdd(count, n);
    __syncthreads();
    if (p[i] > 0) out[base + l] = i; //~ here
}

// [atomic-slot] Another thread takes from the grid's counter.
//~ race
__global__ void block_slots_taken_bad(const int *p, int *count, int *out)
{
    __shared__ int n, base;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, l = 0;
    if (t == 0) n = 0;
    __syncthreads();
    if (p[i] > 0) l = atomicAdd(&n, 1);
    __syncthreads();
    if (t == 0) base = atomicAdd(count, n);
    __syncthreads();
    if (p[i] > 0) out[base + l] = i; //~ here
    if (t == 1) atomicSub(count, 5);
}

// [atomic-slot] It adds a number that may be less than 0.
//~ race
__global__ void block_slots_taken_some_bad(const int *p, int *count, int *out, int k)
{
    __shared__ int n, base;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, l = 0;
    if (t == 0) n = 0;
    __syncthreads();
    if (p[i] > 0) l = atomicAdd(&n, 1);
    __syncthreads();
    if (t == 0) base = atomicAdd(count, n);
    __syncthreads();
    if (p[i] > 0) out[base + l] = i; //~ here
    if (t == 1) atomicAdd(count, k);
}

// [extent] The counter may hold anything at first.
//~ race
__global__ void block_slots_maybe_set_bad(const int *p, int *count, int *out, int set)
{
    __shared__ int n, base;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, l = 0;
    if (t == 0 && set) n = 0;
    __syncthreads();
    if (p[i] > 0) l = atomicAdd(&n, 1);
    __syncthreads();
    if (t == 0) base = atomicAdd(count, n);
    __syncthreads();
    if (p[i] > 0) out[base + l] = i; //~ here
}

// [extent] The second drawing is of less.
//~ race
__global__ void block_slots_drawn_twice_bad(const int *p, int *count, int *out)
{
    __shared__ int n, base;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, l = 0;
    if (t == 0) n = 0;
    __syncthreads();
    if (p[i] > 0) l = atomicAdd(&n, 1);
    __syncthreads();
    if (t == 0) base = atomicAdd(count, n);
    __syncthreads();
    int first = base;
    __syncthreads();
    if (t == 0) base = atomicAdd(count, n / 2);
    __syncthreads();
    if (p[i] > 0) out[first + l] = i; //~ here
    if (p[i] > 0) out[base + l] = i; //~ here
}

// Again in each round.
//~ race-free
__global__ void block_slots_rounds_ok(const int *p, int *count, int *out, int rounds)
{
    __shared__ int n, base;
    int t = threadIdx.x, l = 0;
    for (int r = 0; r < rounds; r++) {
        int i = (r * gridDim.x + blockIdx.x) * blockDim.x + t;
        if (t == 0) n = 0;
        __syncthreads();
        if (p[i] > 0) l = atomicAdd(&n, 1);
        __syncthreads();
        if (t == 0) base = atomicAdd(count, n);
        __syncthreads();
        if (p[i] > 0) out[base + l] = i;
        __syncthreads();
    }
}

// [index] The number is of the round before.
//~ race
__global__ void block_slots_round_before_bad(const int *p, int *count, int *out, int rounds)
{
    __shared__ int n, base;
    int t = threadIdx.x, l = 0, before = 0;
    for (int r = 0; r < rounds; r++) {
        int i = (r * gridDim.x + blockIdx.x) * blockDim.x + t;
        if (t == 0) n = 0;
        __syncthreads();
        if (p[i] > 0) l = atomicAdd(&n, 1);
        __syncthreads();
        if (t == 0) base = atomicAdd(count, n);
        __syncthreads();
        if (p[i] > 0) out[base + before] = i; //~ here
        before = l;
        __syncthreads();
    }
}

// The block's list is copied out by all its threads.
//~ race-free
__global__ void block_slots_list_ok(const int *p, int *count, int *out)
{
    __shared__ int n, base, list[64];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t == 0) n = 0;
    __syncthreads();
    if (p[i] > 0) list[atomicAdd(&n, 1)] = i;
    __syncthreads();
    if (t == 0) base = atomicAdd(count, n);
    __syncthreads();
    for (int j = t; j < n; j += blockDim.x) out[base + j] = list[j];
}

// [extent] One more than was drawn.
//~ race
__global__ void block_slots_list_bad(const int *p, int *count, int *out)
{
    __shared__ int n, base, list[65];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t == 0) n = 0;
    __syncthreads();
    if (p[i] > 0) list[atomicAdd(&n, 1)] = i;
    __syncthreads();
    if (t == 0) base = atomicAdd(count, n);
    __syncthreads();
    for (int j = t; j <= n; j += blockDim.x) out[base + j] = list[j]; //~ here
}

// The grid's counter is wider.
//~ race-free
__global__ void block_slots_wide_ok(const int *p, unsigned long long *count, int *out)
{
    __shared__ unsigned int n;
    __shared__ unsigned long long base;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    unsigned int l = 0;
    if (t == 0) n = 0;
    __syncthreads();
    if (p[i] > 0) l = atomicAdd(&n, 1u);
    __syncthreads();
    if (t == 0) base = atomicAdd(count, (unsigned long long)n);
    __syncthreads();
    if (p[i] > 0) out[base + l] = i;
}

// Counter and base are elements of one array.
//~ race-free
__global__ void block_slots_elements_ok(const int *p, int *count, int *out)
{
    __shared__ int s[4];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, l = 0;
    if (t == 0) s[0] = 0;
    __syncthreads();
    if (p[i] > 0) l = atomicAdd(&s[0], 1);
    __syncthreads();
    if (t == 0) s[2] = atomicAdd(count, s[0]);
    __syncthreads();
    if (p[i] > 0) out[s[2] + l] = i;
}

// [index] What is drawn is the other count.
//~ race
__global__ void block_slots_elements_bad(const int *p, int *count, int *out)
{
    __shared__ int s[4];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, l = 0;
    if (t < 2) s[t] = 0;
    __syncthreads();
    if (p[i] > 0) l = atomicAdd(&s[0], 1);
    else atomicAdd(&s[1], 1);
    __syncthreads();
    if (t == 0) s[2] = atomicAdd(count, s[1]);
    __syncthreads();
    if (p[i] > 0) out[s[2] + l] = i; //~ here
}

// Nothing changes the total between two reads of it, in whatever iterations.
//~ race-free
__global__ void block_total_twice_ok(const int *p, int *out)
{
    __shared__ int n;
    int t = threadIdx.x;
    if (t == 0) n = 0;
    __syncthreads();
    if (p[t] > 0) atomicAdd(&n, 1);
    __syncthreads();
    int all = n;
    for (int j = t; j < 256; j += 64)
        if (all != n) out[blockIdx.x] = t;
}

// [missing-barrier] Behind the first read it grows.
//~ race
__global__ void block_total_changed_bad(const int *p, int *out)
{
    __shared__ int n;
    int t = threadIdx.x;
    if (t == 0) n = 0;
    __syncthreads();
    if (p[t] > 0) atomicAdd(&n, 1);
    __syncthreads();
    int all = n;
    __syncthreads();
    if (p[t] < 0) atomicAdd(&n, 1);
    __syncthreads();
    if (all != n) out[blockIdx.x] = t; //~ here
}

// [shared-cell] Members of one object that are read at once are not each other.
//~ race
__global__ void block_object_members_bad(const int *p, int *out)
{
    __shared__ int2 range;
    int t = threadIdx.x;
    if (t == 0) range = make_int2(p[0], p[1]);
    __syncthreads();
    int2 mine = range;
    if (mine.x != mine.y) out[blockIdx.x] = t; //~ here
}
