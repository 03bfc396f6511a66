//--blockDim=64 --gridDim=2
// Contracts: what a thread has accessed since the last barrier: checked, and used once it is proved

// The invariants of a strided loop, as they are written for a prover that keeps sets of accesses.
//~ race-free
__global__ void strided_sums_ok(const int *in, int *out)
{
    __requires(__no_read(in) && __no_write(out));
    int t = threadIdx.x;
    int sum = 0;
    for (int i = t;
         __invariant(__implies(__read(in), __read_offset_bytes(in) % 256 == 4 * t)),
         __invariant(__no_write(out)),
         __invariant(__read_implies(in, __read_offset_bytes(in) >= 4 * t)),
         i < 1024; i += 64) {
        sum += in[i];
    }
    out[blockIdx.x * 64 + t] = sum;
}

// A claim that is wrong hides nothing.
//~ race
__global__ void wrong_hint_bad(int *out)
{
    int t = threadIdx.x;
    for (int i = 0; __invariant(__write_implies(out, __write_offset_bytes(out) == 4 * t)), i < 8; i++) {
        out[i] = t; //~ here
    }
}

// Nor does one that says that nothing is written.
//~ race
__global__ void no_write_hint_bad(int *out)
{
    int t = threadIdx.x;
    for (int i = 0; __invariant(__no_write(out)), i < 8; i++) { //~ here
        out[i] = t; //~ here
    }
    __assert(__no_write(out)); //~ here
}

// Nothing is written before the first write.
//~ race-free
__global__ void no_write_ok(int *out)
{
    int t = threadIdx.x;
    __assert(__no_write(out));
    out[blockIdx.x * 64 + t] = t;
}

// Behind it, something is.
//~ assertion
__global__ void no_write_bad(int *out)
{
    int t = threadIdx.x;
    out[blockIdx.x * 64 + t] = t;
    __assert(__no_write(out)); //~ here
}

// What is read is another array than what is written.
//~ race-free
__global__ void no_read_ok(const int *in, int *out)
{
    int t = blockIdx.x * 64 + threadIdx.x;
    out[t] = in[t];
    __assert(__no_read(out) && __no_write(in));
}

// It is read.
//~ assertion
__global__ void no_read_bad(const int *in, int *out)
{
    int t = blockIdx.x * 64 + threadIdx.x;
    out[t] = in[t];
    __assert(__no_read(in)); //~ here
}

// Each thread has written, and read.
//~ race-free
__global__ void has_accessed_ok(const int *in, int *out)
{
    int t = blockIdx.x * 64 + threadIdx.x;
    out[t] = in[t];
    __assert(__read(in) && __write(out));
}

// Half of the threads have not.
//~ assertion
__global__ void has_written_bad(int *out)
{
    int t = threadIdx.x;
    if (t < 32) out[blockIdx.x * 32 + t] = t;
    __assert(__write(out)); //~ here
}

// The others have not: that is what the branch says.
//~ race-free
__global__ void has_written_if_ok(int *out)
{
    int t = threadIdx.x;
    if (t < 32) out[blockIdx.x * 32 + t] = t;
    __assert(__write(out) == (t < 32));
}

// Only the thread with a positive number has read.
//~ assertion
__global__ void has_read_bad(const int *in, int *out, int n)
{
    int t = blockIdx.x * 64 + threadIdx.x;
    int v = n > 0 ? in[t] : 0;
    __assert(__read(in)); //~ here
    out[t] = v;
}

// All that was written has the thread's own place.
//~ race-free
__global__ void write_offset_ok(int *out)
{
    int t = blockIdx.x * 128 + threadIdx.x;
    out[t] = 1;
    out[t + 64] = 2;
    __assert(__implies(__write(out), __write_offset_bytes(out) % 256 == 4 * threadIdx.x));
}

// The second write has another place.
//~ assertion
__global__ void write_offset_bad(int *out)
{
    int t = blockIdx.x * 128 + threadIdx.x;
    out[t] = 1;
    out[t + 64] = 2;
    __assert(__implies(__write(out), __write_offset_bytes(out) == 4 * t)); //~ here
}

// The first write has another place: the claim is about all of them, not the last.
//~ assertion
__global__ void first_write_bad(int *out)
{
    int t = blockIdx.x * 128 + threadIdx.x;
    out[t] = 1;
    out[t + 64] = 2;
    __assert(__write_implies(out, __write_offset_bytes(out) == 4 * (t + 64))); //~ here
}

// What is read lies next to the thread's place.
//~ race-free
__global__ void read_offset_ok(const int *in, int *out)
{
    int t = blockIdx.x * 64 + threadIdx.x;
    out[t] = in[t] + in[t + 1];
    __assert(__read_implies(in, __read_offset_bytes(in) == 4 * t || __read_offset_bytes(in) == 4 * t + 4));
}

// One of the places is left out.
//~ assertion
__global__ void read_offset_bad(const int *in, int *out)
{
    int t = blockIdx.x * 64 + threadIdx.x;
    out[t] = in[t] + in[t + 1];
    __assert(__read_implies(in, __read_offset_bytes(in) == 4 * t)); //~ here
}

// Of what was not written anything may be said.
//~ race-free
__global__ void write_implies_ok(int *out)
{
    int t = threadIdx.x;
    __assert(__write_implies(out, t > 1000));
    out[blockIdx.x * 64 + t] = t;
    __assert(__write_implies(out, t < 64));
}

// Of what was written not.
//~ assertion
__global__ void write_implies_bad(int *out)
{
    int t = threadIdx.x;
    out[blockIdx.x * 64 + t] = t;
    __assert(__write_implies(out, t > 1000)); //~ here
}

// A barrier of the block begins anew.
//~ race-free
__global__ void barrier_clears_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    __assert(__no_write(s));
    out[blockIdx.x * 64 + t] = s[63 - t];
    __assert(__read_implies(s, __read_offset_bytes(s) == 4 * (63 - t)));
}

// The barrier is only behind it.
//~ assertion
__global__ void barrier_behind_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __assert(__no_write(s)); //~ here
    __syncthreads();
    out[blockIdx.x * 64 + t] = s[63 - t];
}

// A barrier of a warp does not.
//~ assertion
__global__ void warp_barrier_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncwarp();
    __assert(__no_write(s)); //~ here
    out[blockIdx.x * 64 + t] = s[t];
}

// A barrier that is not always passed clears nothing for the others.
//~ assertion
__global__ void sometimes_cleared_bad(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    if (n > 0) __syncthreads();
    __assert(__no_write(s)); //~ here
    out[blockIdx.x * 64 + t] = s[t];
}

// An atomic operation reads and writes.
//~ race-free
__global__ void atomic_accesses_ok(int *count)
{
    atomicAdd(&count[blockIdx.x], 1);
    __assert(__read(count) && __write(count) && __write_offset_bytes(count) == 4 * blockIdx.x);
}

// So it cannot be said that nothing is read.
//~ assertion
__global__ void atomic_reads_bad(int *count)
{
    atomicAdd(&count[blockIdx.x], 1);
    __assert(__no_read(count)); //~ here
}

// Which array is written hangs on a parameter, and so does what is claimed.
//~ race-free
__global__ void one_of_two_ok(int *a, int *b, int n)
{
    int t = blockIdx.x * 64 + threadIdx.x;
    int *p = n > 0 ? a : b;
    p[t] = t;
    __assert(__write(p));
    __assert(__write(a) == (n > 0) && __write(b) == (n <= 0));
}

// It may be the other.
//~ assertion
__global__ void one_of_two_bad(int *a, int *b, int n)
{
    int t = blockIdx.x * 64 + threadIdx.x;
    int *p = n > 0 ? a : b;
    p[t] = t;
    __assert(__no_write(b)); //~ here
}

// In a function the claim is about the arrays of its caller.
__device__ void store(int *p, int at)
{
    __requires(__no_write(p));
    __ensures(__write_implies(p, __write_offset_bytes(p) == 4 * at));
    p[at] = at;
}

//~ race-free
__global__ void call_writes_ok(int *out)
{
    store(out, blockIdx.x * 64 + threadIdx.x);
}

__device__ void store_first(int *p, int at)
{
    __requires(__no_write(p)); //~ here
    p[at] = at;
}

// The second call comes behind a write.
//~ assertion
__global__ void call_writes_bad(int *out)
{
    int t = blockIdx.x * 128 + threadIdx.x;
    store_first(out, t);
    store_first(out, t + 64);
}

// The invariant of a loop with a step says behind it where was written.
//~ race-free
__global__ void strided_writes_ok(int *out, int n)
{
    int t = threadIdx.x;
    int *own = out + blockIdx.x * 1024;
    for (int i = t;
         __invariant(__write_implies(out, (__write_offset_bytes(out) / 4 - t) % 64 == 0)),
         i < 1024; i += 64) {
        own[i] = t;
    }
    __assert(__write_implies(out, (__write_offset_bytes(out) / 4 - t) % 64 == 0));
}

// The step is another.
//~ assertion
__global__ void strided_writes_bad(int *out, int n)
{
    int t = threadIdx.x;
    int *own = out + blockIdx.x * 1024;
    for (int i = t;
         __invariant(__write_implies(out, (__write_offset_bytes(out) / 4 - t) % 128 == 0)), //~ here
         i < 1024; i += 64) {
        own[i] = t;
    }
}

// The loop does not write before its barrier clears.
//~ race-free
__global__ void cleared_in_loop_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0; __invariant(__no_write(s)), i < n; i++) {
        s[t] = i;
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = t;
}

// The barrier stands before the write.
//~ assertion
__global__ void cleared_too_early_bad(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0; __invariant(__no_write(s)), i < n; i++) { //~ here
        __syncthreads();
        s[t] = i;
    }
    out[blockIdx.x * 64 + t] = t;
}

// Two threads may have written one place.
//~ assertion
__global__ void distinct_places_bad(int *out)
{
    int t = threadIdx.x;
    if (t == 3) out[blockIdx.x] = t;
    else out[64 + blockIdx.x * 64 + t] = t;
    __assert(__distinct_int(__write_offset_bytes(out) % 256)); //~ here
}

// A claim about accesses that is taken on trust still hides nothing.
//~ race
__global__ void assumed_places_bad(int *out)
{
    int t = threadIdx.x;
    out[t] = blockIdx.x; //~ here
    __assume(__write_implies(out, __write_offset_bytes(out) == 4 * t));
}

// What a barrier invariant says is known from what was stored. Threads of two blocks that store to one element store the same.
//~ race-free
__global__ void barrier_invariant_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __barrier_invariant_1(s[t] == t, 63 - t);
    __barrier_invariant_binary_1(s[t] != s[63 - t], t, 63 - t);
    __syncthreads();
    out[s[63 - t]] = t;
}

// Half of the elements is stored twice, which is against the invariant: it is told, and not used.
//~ race
__global__ void barrier_invariant_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t / 2;
    __barrier_invariant_binary_1(s[t] != s[63 - t], t, 63 - t);
    __syncthreads();
    out[s[63 - t]] = t; //~ here
}
