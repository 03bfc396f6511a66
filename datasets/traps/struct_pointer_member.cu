//--blockDim=64 --gridDim=4
// Trap: writes through struct members

struct Buffers {
    int *d;
    const int *src;
};

// [struct] The member d points to a global array: every block writes the same 64 elements.
//~ race
__global__ void struct_pointer_member_bad(Buffers p)
{
    int t = threadIdx.x;
    p.d[t] = blockIdx.x; //~ here
}

// The global index is the thread's own.
//~ race-free
__global__ void struct_pointer_member_ok(Buffers p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p.d[i] = p.src[i];
}

// [struct] Read and write of neighbours through the same member.
//~ race
__global__ void struct_pointer_neighbour_bad(Buffers p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p.d[i] = p.d[i + 1]; //~ here
}
