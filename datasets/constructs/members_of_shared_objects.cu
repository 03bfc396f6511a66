//--blockDim=128 --gridDim=4
// Construct: a member of an object in shared memory that stays what it is while another one is written

struct Search {
    int done;
    int count;
    float best[2];
};

struct Slot {
    int turns;
    int sum;
};

// All threads leave the loop together: what is counted is no part of the flag.
//~ race-free
__global__ void flag_beside_counter_ok(const int *in, int *out)
{
    __shared__ Search s;
    if (threadIdx.x == 0) {
        s.done = 0;
        s.count = 0;
    }
    __syncthreads();
    for (int round = 0; !s.done; round++) {
        if (in[(round * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] > 0) atomicAdd(&s.count, 1);
        __syncthreads();
        if (threadIdx.x == 0) s.done = s.count > 100 || round == 50;
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s.count;
}

// [missing barrier] Some read the flag while thread 0 writes it.
//~ race
__global__ void flag_beside_counter_bad(const int *in, int *out)
{
    __shared__ Search s;
    if (threadIdx.x == 0) {
        s.done = 0;
        s.count = 0;
    }
    __syncthreads();
    for (int round = 0; !s.done; round++) { //~ here
        if (in[(round * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] > 0) atomicAdd(&s.count, 1);
        __syncthreads();
        if (threadIdx.x == 0) s.done = s.count > 100 || round == 50; //~ here
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s.count;
}

// The array is an element of the object, behind the flag.
//~ race-free
__global__ void flag_beside_array_ok(const float *in, float *out)
{
    __shared__ Search s;
    if (threadIdx.x == 0) s.done = in[blockIdx.x] > 0;
    __syncthreads();
    if (threadIdx.x < 2) s.best[threadIdx.x] = in[threadIdx.x];
    if (s.done) {
        __syncthreads();
        out[blockIdx.x * blockDim.x + threadIdx.x] = s.best[0];
    }
}

// [missing barrier] The flag is the array's second element: some may have read it before thread 64 writes it.
//~ race
__global__ void element_for_flag_bad(const float *in, float *out)
{
    __shared__ Search s;
    if (threadIdx.x < 2) s.best[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x == 64) s.best[1] = in[0]; //~ here
    if (s.best[1] > 0) { //~ here
        __syncthreads();
        out[blockIdx.x * blockDim.x + threadIdx.x] = s.best[1];
    }
}

// Each warp has an object of its own, and reads how many turns the block makes from the first.
//~ race-free
__global__ void turns_of_first_ok(const int *in, int *out)
{
    __shared__ Slot all[4];
    int warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0) {
        all[warp].turns = in[blockIdx.x];
        all[warp].sum = 0;
    }
    __syncthreads();
    for (int k = 0; k < all[0].turns; k++) {
        if (threadIdx.x % 32 == 0) all[warp].sum += k;
        __syncthreads();
    }
    if (threadIdx.x % 32 == 0) out[blockIdx.x * 4 + warp] = all[warp].sum;
}

// [missing barrier] The first warp's own number of turns is what its sum is kept in.
//~ race
__global__ void turns_of_first_bad(const int *in, int *out)
{
    __shared__ Slot all[4];
    int warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0) {
        all[warp].turns = in[blockIdx.x];
        all[warp].sum = 0;
    }
    __syncthreads();
    for (int k = 0; k < all[0].turns; k++) { //~ here
        if (threadIdx.x % 32 == 0) all[warp].turns -= k; //~ here
        __syncthreads();
    }
    if (threadIdx.x % 32 == 0) out[blockIdx.x * 4 + warp] = all[warp].turns;
}

// [overlap] The bytes of the flag are also those of the number that is counted.
//~ race
__global__ void flag_by_other_type_bad(const int *in, int *out)
{
    __shared__ Search s;
    if (threadIdx.x == 0) s.done = in[blockIdx.x];
    __syncthreads();
    if (threadIdx.x == 32) *(long long *)&s = 1; //~ here
    if (s.done) out[blockIdx.x * blockDim.x + threadIdx.x] = 1; //~ here
}
