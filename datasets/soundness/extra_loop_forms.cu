//--blockDim=64 --gridDim=1
// Closed forms of loop variables that only look closed.

// [carried] The load folds away in round 0, but prev is of the round before: in = {0, 0, 1} races in round 2.
//~ race
__global__ void form_edge_bad(const int *in, int n) {
    __shared__ int c, s[64];
    bool prev = false;
    for (int i = 0; i < n; i++) {
        if (threadIdx.x == 0) c = in[i];
        __syncthreads();
        bool cur = c > 0;
        if (i > 1 && !prev && cur) s[0] = threadIdx.x; //~ here
        prev = i > 0 && cur;
        __syncthreads();
    }
}

//~ race-free
__global__ void form_edge_ok(const int *in, int n) {
    __shared__ int c, s[64];
    bool prev = false;
    for (int i = 0; i < n; i++) {
        if (threadIdx.x == 0) c = in[i];
        __syncthreads();
        bool cur = c > 0;
        if (i > 1 && !prev && cur) s[threadIdx.x] = i;
        prev = i > 0 && cur;
        __syncthreads();
    }
}

// [carried] A product with the ordinal is 0 in round 0, whatever was shuffled.
//~ race
__global__ void form_shuffled_bad(const int *in, int n) {
    __shared__ int s[64];
    int x = 0;
    for (int i = 0; i < n; i++) {
        int c = __shfl_sync(0xffffffff, in[i], 0) & 1;
        if (i > 1 && x == 0 && c == 1) s[0] = threadIdx.x; //~ here
        x = i * c;
    }
}

// [carried] The condition for round 1 was evaluated with the flag as it was in round 0.
//~ race
__global__ void form_again_bad(const int *in) {
    __shared__ int s[64], f;
    int i = 0, go;
    if (threadIdx.x == 0) f = 1;
    __syncthreads();
    do {
        go = f;
        __syncthreads();
        if (threadIdx.x == 0) f = in[i];
        __syncthreads();
        if (i > 0 && !go) s[0] = threadIdx.x; //~ here
        i++;
    } while (i > 0 && go && i < 9);
}

// [wrap] An int that is added to an unsigned number may be negative.
//~ race
__global__ void form_signed_step_bad(int *g, int h, int n) {
    unsigned k = threadIdx.x + 1000;
    for (int i = 0; i < n; i++) {
        if (h < 0) g[k] = threadIdx.x; //~ here
        k += h;
    }
}

//~ race-free
__global__ void form_signed_step_ok(int *g, int h, int n) {
    unsigned k = threadIdx.x + 1000;
    for (int i = 0; i < n; i++) {
        if (h == 64) g[k] = threadIdx.x;
        k += h;
    }
}

// [wrap] An unsigned step below 0 moves an int down.
//~ race
__global__ void form_unsigned_step_bad(int *g, int n) {
    for (int i = n + threadIdx.x; i >= 0; i += -blockDim.x + 1) g[i] = threadIdx.x; //~ here
}

//~ race-free
__global__ void form_unsigned_step_ok(int *g, int n) {
    for (int i = n + threadIdx.x; i >= 0; i -= blockDim.x) g[i] = threadIdx.x;
}

// [wrap] 0x9e3779b9 turns an int negative.
//~ race
__global__ void form_hashed_bad(int n) {
    __shared__ int s[64];
    int h = 0;
    for (int i = 0; i < n; i++) {
        if (h < 0) s[0] = threadIdx.x; //~ here
        h += 0x9e3779b9u;
    }
}

// [width] The sum wraps in a byte before the remainder is taken: 0, 200, 144.
//~ race
__global__ void form_narrow_ring_bad() {
    __shared__ int s[256];
    unsigned char p = 0;
    for (int k = 0; k < 5; k++) {
        if (p == 144) s[0] = threadIdx.x; //~ here
        p += 200;
        p %= 201;
    }
}

//~ race-free
__global__ void form_narrow_ring_ok() {
    __shared__ int s[256];
    unsigned char p = 0;
    for (int k = 0; k < 5; k++) {
        if (p == 199) s[0] = threadIdx.x;
        p += 200;
        p %= 201;
    }
}

// [width] A byte with a sign does not hold what the mask leaves: round 128 has -128.
//~ race
__global__ void form_wide_mask_bad(int n) {
    __shared__ int s[256];
    signed char p = 0;
    for (int k = 0; k < n; k++) {
        if (p < 0) s[0] = threadIdx.x; //~ here
        p = (p + 1) & 255;
    }
}

//~ race-free
__global__ void form_wide_mask_ok(int n) {
    __shared__ int s[256];
    unsigned char p = 0;
    for (int k = 0; k < n; k++) {
        if (p < 0 || p > 255) s[0] = threadIdx.x;
        p = (p + 1) & 255;
    }
}

// [wrap] 5, 3, 1, then beyond 0.
//~ race
__global__ void form_jumped_bad() {
    __shared__ int s[64];
    for (unsigned i = 5; i > 0; i -= 2) {
        if (i > 100) { s[0] = threadIdx.x; break; } //~ here
    }
}

//~ race-free
__global__ void form_jumped_ok() {
    __shared__ int s[64];
    for (unsigned i = 6; i > 0; i -= 2) {
        if (i > 100) { s[0] = threadIdx.x; break; }
    }
}

// [counter] 64 draws of 2^30 come round 16 times.
//~ race
__global__ void form_drawn_round_bad() {
    __shared__ int s[4];
    __shared__ unsigned c;
    if (threadIdx.x == 0) c = 0;
    __syncthreads();
    unsigned k = atomicAdd(&c, 1u << 30);
    s[k >> 30] = threadIdx.x; //~ here
}

//~ race-free
__global__ void form_drawn_round_ok() {
    __shared__ int s[64];
    __shared__ unsigned c;
    if (threadIdx.x == 0) c = 0;
    __syncthreads();
    unsigned k = atomicAdd(&c, 1u << 26);
    s[k >> 26] = threadIdx.x;
}
