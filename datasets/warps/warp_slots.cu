//--blockDim=128 --gridDim=8
// Each warp keeps where it is in a slot of its own of shared memory; its first lane sets it, all its lanes read it

struct Stretch { int from; int to; };

// A number, set before the barrier of the warp and read behind it.
//~ race-free
__global__ void slot_number_ok(const int *sizes, int *sums)
{
    __shared__ Stretch all[4];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0) {
        all[warp].from = blockIdx.x * 4 + warp;
        all[warp].to = sizes[blockIdx.x * 4 + warp];
    }
    __syncwarp();
    int total = all[warp].from + all[warp].to;
    sums[blockIdx.x * 128 + threadIdx.x] = total;
}

// [missing-barrier] Lanes read it while the first one sets it.
//~ race
__global__ void slot_number_bad(const int *sizes, int *sums)
{
    __shared__ Stretch all[4];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0) {
        all[warp].from = blockIdx.x * 4 + warp; //~ here
        all[warp].to = sizes[blockIdx.x * 4 + warp];
    }
    int total = all[warp].from; //~ here
    sums[blockIdx.x * 128 + threadIdx.x] = total;
}

struct Reader { const int *next; const int *end; };

// A pointer that goes on in a loop of the warp, between two barriers of it.
//~ fp_race-free
__global__ void slot_reader_ok(const int *words, const int *lengths, int *ends)
{
    __shared__ Reader readers[4];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = blockIdx.x * 4 + warp;
    Reader *own = &readers[warp];
    if (lane == 0) {
        own->next = words + row * 1024;
        own->end = own->next + lengths[row];
    }
    __syncwarp();
    while (own->next < own->end) {
        __syncwarp();
        if (lane == 0) own->next += 32;
        __syncwarp();
    }
    if (lane == 0) ends[row] = 1;
}

// [missing-barrier] The first lane goes on while others still look whether the loop does.
//~ race
__global__ void slot_reader_bad(const int *words, const int *lengths, int *ends)
{
    __shared__ Reader readers[4];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = blockIdx.x * 4 + warp;
    Reader *own = &readers[warp];
    if (lane == 0) {
        own->next = words + row * 1024;
        own->end = own->next + lengths[row];
    }
    __syncwarp();
    while (own->next < own->end) { //~ here
        if (lane == 0) own->next += 32; //~ here
        __syncwarp();
    }
    if (lane == 0) ends[row] = 1;
}
