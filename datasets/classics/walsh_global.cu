//--blockDim=128 --gridDim=4
// One stage of the fast Walsh transform in global memory, radix 4, stride a power of two.

// pos inserts two zero bits into the thread's number; the four elements of a thread are its own.
//~ race-free
__global__ void walsh_stage_ok(float *data)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    int lo = i & 63;
    int pos = ((i - lo) << 2) + lo;
    float a = data[pos];
    float b = data[pos + 64];
    float c = data[pos + 128];
    float d = data[pos + 192];
    data[pos] = a + b + c + d;
    data[pos + 64] = a - b + c - d;
    data[pos + 128] = a + b - c - d;
    data[pos + 192] = a - b - c + d;
}

// Only one zero bit is inserted: pos + 128 of one thread is pos of another, in the same block and in
// the next.
//~ race
__global__ void walsh_stage_bad(float *data)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    int lo = i & 63;
    int pos = ((i - lo) << 1) + lo;
    float a = data[pos]; //~ here
    float b = data[pos + 64]; //~ here
    float c = data[pos + 128]; //~ here
    float d = data[pos + 192]; //~ here
    data[pos] = a + b + c + d; //~ here
    data[pos + 64] = a - b + c - d; //~ here
    data[pos + 128] = a + b - c - d; //~ here
    data[pos + 192] = a - b - c + d; //~ here
}
