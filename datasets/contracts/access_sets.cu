//--blockDim=64 --gridDim=2
// Contracts: hints about sets of accesses, which are neither needed nor used

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

// [unproved] A hint that is wrong hides nothing.
//~ race
__global__ void wrong_hint_bad(int *out)
{
    int t = threadIdx.x;
    for (int i = 0; __invariant(__write_implies(out, __write_offset_bytes(out) == 4 * t)), i < 8; i++) {
        out[i] = t; //~ here
    }
}

// [unproved] Nor does one that says that nothing is written.
//~ race
__global__ void no_write_hint_bad(int *out)
{
    int t = threadIdx.x;
    for (int i = 0; __invariant(__no_write(out)), i < 8; i++) {
        out[i] = t; //~ here
    }
    __assert(__no_write(out));
}

// Barrier invariants are read, and not used yet.
//~ race
__global__ void barrier_invariant_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __barrier_invariant_1(s[t] == t, 63 - t);
    __barrier_invariant_binary_1(s[t] != s[63 - t], t, 63 - t);
    __syncthreads();
    out[s[63 - t]] = t; //~ here
}
