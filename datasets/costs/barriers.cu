//--blockDim=64 --gridDim=2
// Barriers that order something, and such that do not. Behind each stands what is found out of it.

// A value goes to another thread.
//~ race-free
__global__ void barrier_exchange_ok(float *out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads(); //: needed
    out[blockIdx.x * 64 + t] = s[63 - t];
}

// A value stays with its thread.
//~ race-free
__global__ void barrier_own_bad(float *out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads(); //: redundant
    out[blockIdx.x * 64 + t] = s[t];
}

// What was read is not written again.
//~ race-free
__global__ void barrier_after_reads_bad(float *out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads(); //: needed
    float v = s[63 - t];
    __syncthreads(); //: redundant
    out[blockIdx.x * 64 + t] = v;
}

// What was read is written again.
//~ race-free
__global__ void barrier_after_reads_ok(float *out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads(); //: needed
    float v = s[63 - t];
    __syncthreads(); //: needed
    s[t] = v + 1;
    out[blockIdx.x * 64 + t] = s[t];
}

// Two in a row: one is enough, whichever.
//~ race-free
__global__ void barrier_twice_bad(float *out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads(); //: redundant
    __syncthreads(); //: redundant
    out[blockIdx.x * 64 + t] = s[63 - t];
}

// Nothing follows.
//~ race-free
__global__ void barrier_last_bad(float *out)
{
    int t = threadIdx.x;
    out[blockIdx.x * 64 + t] = t;
    __syncthreads(); //: redundant
}

// One half writes, the other half reads elsewhere.
//~ race-free
__global__ void barrier_halves_bad(float *out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t < 32) s[t] = t;
    __syncthreads(); //: redundant
    if (t >= 32) out[blockIdx.x * 64 + t] = s[t];
}

// One half writes, the other half reads one element of it.
//~ race-free
__global__ void barrier_halves_ok(float *out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t < 32) s[t] = t;
    __syncthreads(); //: needed
    if (t >= 32) out[blockIdx.x * 64 + t] = s[t - 1];
}

// Two arrays: what is written before is not read behind.
//~ race-free
__global__ void barrier_arrays_bad(float *out)
{
    __shared__ float a[64];
    __shared__ float b[64];
    int t = threadIdx.x;
    a[t] = t;
    b[t] = 2 * t;
    __syncthreads(); //: needed
    float v = a[63 - t];
    __syncthreads(); //: redundant
    out[blockIdx.x * 64 + t] = v + b[63 - t];
}

// A tile is filled and used in each round: one barrier before it is used, one before it is filled again.
//~ race-free
__global__ void barrier_tiles_ok(float *out, const float *in)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float v = 0;
    for (int k = 0; k < 4; k++) {
        s[t] = in[k * 64 + t];
        __syncthreads(); //: needed
        v += s[63 - t];
        __syncthreads(); //: needed
    }
    out[blockIdx.x * 64 + t] = v;
}

// With two tiles in turn, one barrier a round is enough.
//~ race-free
__global__ void barrier_two_tiles_bad(float *out, const float *in)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    float v = 0;
    for (int k = 0; k < 4; k++) {
        s[k % 2][t] = in[k * 64 + t];
        __syncthreads(); //: needed
        v += s[k % 2][63 - t];
        __syncthreads(); //: redundant
    }
    out[blockIdx.x * 64 + t] = v;
}

// Two tiles in turn, one barrier a round.
//~ race-free
__global__ void barrier_two_tiles_ok(float *out, const float *in)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    float v = 0;
    for (int k = 0; k < 4; k++) {
        s[k % 2][t] = in[k * 64 + t];
        __syncthreads(); //: needed
        v += s[k % 2][63 - t];
    }
    out[blockIdx.x * 64 + t] = v;
}

// Atomic operations order themselves.
//~ race-free
__global__ void barrier_atomics_bad(int *out)
{
    int t = threadIdx.x;
    atomicAdd(&out[t % 4], 1);
    __syncthreads(); //: redundant
    atomicAdd(&out[t % 8], 1);
}

// A plain read behind them is not ordered.
//~ race-free
__global__ void barrier_atomics_ok(int *out)
{
    __shared__ int n;
    int t = threadIdx.x;
    if (t == 0) n = 0;
    __syncthreads(); //: needed
    atomicAdd(&n, 1);
    __syncthreads(); //: needed
    out[blockIdx.x * 64 + t] = n;
}

// A sum in halves.
//~ race-free
__global__ void barrier_reduce_ok(float *out, const float *in)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads(); //: needed
    for (int d = 32; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads(); //: needed
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// The neighbour in global memory.
//~ race-free
__global__ void barrier_global_ok(float *out, float *held)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    held[i] = i;
    __syncthreads(); //: needed
    out[i] = held[blockIdx.x * 64 + 63 - threadIdx.x];
}

// Where a lane reads comes from memory: any thread may have written it.
//~ race-free
__global__ void barrier_from_memory_ok(float *out, const int *index)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads(); //: needed
    out[blockIdx.x * 64 + t] = s[index[t] & 63];
}

// A kernel with a race: nothing is proved of it, with or without.
//~ race
__global__ void barrier_racy_bad(float *out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t / 2] = t; //~ here
    __syncthreads(); //: open
    out[blockIdx.x * 64 + t] = s[63 - t];
}

// One that counts is there for its value.
//~ race-free
__global__ void barrier_counts_ok(int *out, const int *in)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = __syncthreads_count(in[i]);
}

// Counters are complete before they are read by an operation that adds nothing.
//~ race-free
__global__ void barrier_counters_ok(int *out, const int *in)
{
    __shared__ int n[64];
    int t = threadIdx.x;
    atomicExch(&n[t], 0);
    __syncthreads(); //: open
    atomicAdd(&n[in[t] & 63], 1);
    __syncthreads(); //: open
    atomicAdd(&out[t], atomicAdd(&n[t], 0));
}

// A sum, then a bound: what comes first decides.
//~ race-free
__global__ void barrier_sum_and_bound_ok(int *out)
{
    int t = threadIdx.x;
    atomicAdd(&out[t % 4], 1);
    __syncthreads(); //: open
    atomicMin(&out[t % 8], 7);
}

// A lock that one thread takes for its block.
//~ race-free
__global__ void barrier_under_lock_ok(int *out, int *lock)
{
    int t = threadIdx.x;
    if (t == 0)
        while (atomicCAS(lock, 0, 1) != 0) {
        }
    __syncthreads(); //: open
    atomicAdd(&out[t], 1);
    __syncthreads(); //: open
    if (t == 0)
        atomicExch(lock, 0);
}

// All wait until somebody else has set a flag.
//~ race-free
__global__ void barrier_behind_flag_ok(int *out, volatile int *flag)
{
    int t = threadIdx.x;
    if (t == 0)
        while (*flag == 0) {
        }
    __syncthreads(); //: open
    out[blockIdx.x * 64 + t] = 1;
}

// The count says that the elements are there.
//~ race-free
__global__ void barrier_before_signal_ok(int *out, int *count)
{
    int t = threadIdx.x;
    out[blockIdx.x * 64 + t] = t;
    __threadfence();
    __syncthreads(); //: open
    if (t == 0)
        atomicAdd(count, 1);
}

// One thread waits for the grid before this one; the others must not read before that.
//~ race-free
__global__ void barrier_behind_other_grid_ok(int *out, const int *in)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (threadIdx.x == 0)
        cudaGridDependencySynchronize();
    __syncthreads(); //: open
    out[i] = in[i];
}

// The same by its instruction.
//~ race-free
__global__ void barrier_behind_grid_instruction_ok(int *out, const int *in)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (threadIdx.x == 0)
        asm volatile("griddepcontrol.wait;" ::: "memory");
    __syncthreads(); //: open
    out[i] = in[i];
}

// Counters that go round at other bounds: what comes first decides.
//~ race-free
__global__ void barrier_two_bounds_ok(unsigned *rounds)
{
    if (threadIdx.x == 0)
        atomicInc(&rounds[blockIdx.x], 3);
    __syncthreads(); //: open
    if (threadIdx.x == 1)
        atomicInc(&rounds[blockIdx.x], 5);
}

// The last exchange counts.
//~ race-free
__global__ void barrier_last_exchange_ok(int *kept)
{
    if (threadIdx.x == 0)
        atomicExch(&kept[blockIdx.x], 3);
    __syncthreads(); //: open
    if (threadIdx.x == 1)
        atomicExch(&kept[blockIdx.x], 5);
}

// One name, two operations: of numbers with a sign and without.
//~ race-free
__global__ void barrier_least_of_two_types_ok(int *least)
{
    int t = threadIdx.x;
    if (t < 32)
        atomicMin(&least[blockIdx.x], -t);
    __syncthreads(); //: open
    if (t == 33)
        atomicMin((unsigned *)&least[blockIdx.x], 5u);
}

__device__ void until_set(int *flag)
{
    while (atomicAdd(flag, 0) == 0)
        ;
}

// The flag is read by an operation that adds nothing, in a function of its own.
//~ race-free
__global__ void barrier_behind_spin_ok(int *out, int *flag)
{
    if (threadIdx.x == 0)
        until_set(flag);
    __syncthreads(); //: open
    out[blockIdx.x * 64 + threadIdx.x] = 1;
}

// Four flags are looked at in turn.
//~ race-free
__global__ void barrier_behind_four_flags_ok(int *out, const int *flag)
{
    if (threadIdx.x == 0) {
        int k = 0;
        while (flag[k] == 0)
            k = (k + 1) % 4;
    }
    __syncthreads(); //: open
    out[blockIdx.x * 64 + threadIdx.x] = 1;
}

// What is measured is the time until all have come.
//~ race-free
__global__ void barrier_in_measured_time_ok(long long *spent)
{
    long long start = clock64();
    __syncthreads(); //: open
    spent[blockIdx.x * 64 + threadIdx.x] = clock64() - start;
}

// The host reads the count, and then the elements.
//~ race-free
__global__ void barrier_before_count_of_host_ok(int *out, int *count)
{
    out[blockIdx.x * 64 + threadIdx.x] = 1;
    __syncthreads(); //: open
    if (threadIdx.x == 0)
        atomicAdd_system(count, 1);
}

// The way out of the loop is a break.
//~ race-free
__global__ void barrier_behind_broken_spin_ok(int *out, const int *flag)
{
    if (threadIdx.x == 0)
        for (;;)
            if (flag[0])
                break;
    __syncthreads(); //: open
    out[blockIdx.x * 64 + threadIdx.x] = 1;
}

// The flag is looked at a million times at most.
//~ race-free
__global__ void barrier_behind_bounded_spin_ok(int *out, int *flag)
{
    if (threadIdx.x == 0)
        for (int k = 0; k < 1000000; k++)
            if (atomicAdd(flag, 0))
                break;
    __syncthreads(); //: open
    out[blockIdx.x * 64 + threadIdx.x] = 1;
}

// The step may be nothing, so that one element is looked at again and again.
//~ race-free
__global__ void barrier_behind_open_steps_ok(int *out, const int *flag, int step)
{
    if (threadIdx.x == 0)
        for (int k = 0; flag[k * step] == 0; k++)
            ;
    __syncthreads(); //: open
    out[blockIdx.x * 64 + threadIdx.x] = 1;
}

// Behind the barrier each number is drawn after all threads have counted.
//~ race-free
__global__ void barrier_before_drawn_numbers_ok(int *count, int *drawn)
{
    atomicAdd(&count[blockIdx.x], 1);
    __syncthreads(); //: open
    drawn[blockIdx.x * 64 + threadIdx.x] = atomicAdd(&count[blockIdx.x], 1);
}

// One name, two operations, by the same threads.
//~ race-free
__global__ void barrier_most_of_two_types_ok(int *most)
{
    atomicMax(&most[blockIdx.x], (int)threadIdx.x);
    __syncthreads(); //: open
    atomicMax((unsigned *)&most[blockIdx.x], threadIdx.x - 5u);
}

// Small numbers are lost in a large one: the order of sums of floats matters.
//~ race-free
__global__ void barrier_between_float_sums_ok(float *sum)
{
    atomicAdd(&sum[blockIdx.x], 1.0f);
    __syncthreads(); //: open
    atomicAdd(&sum[blockIdx.x], 1e8f);
}
