//--blockDim=64 --gridDim=1
// Trap: writes to fields of array elements

struct Particle {
    float x, y, z;
    int cell;
};

// [struct] The field x of a[0] is written by all threads.
//~ race
__global__ void struct_array_field_bad(Particle *a)
{
    int t = threadIdx.x;
    a[t / 2].x = t; //~ here
}

// Each thread has an element of its own.
//~ race-free
__global__ void struct_array_field_ok(Particle *a)
{
    int t = threadIdx.x;
    a[t].x = t;
    a[t].cell = 0;
}

// Different fields of one element are different bytes.
//~ race-free
__global__ void struct_array_two_fields_ok(Particle *a)
{
    int t = threadIdx.x;
    if (t & 1) a[t / 2].x = t;
    else a[t / 2].y = t;
}

// [struct] A field is written, and the whole element is copied by another thread.
//~ race
__global__ void struct_array_whole_copy_bad(Particle *a, float *out)
{
    int t = threadIdx.x;
    a[t].x = t; //~ here
    float v = a[63 - t].x; //~ here
    out[t] = v;
}

// A shared array of structs with a barrier between the phases.
//~ race-free
__global__ void struct_array_shared_ok(float *out)
{
    __shared__ Particle a[64];
    int t = threadIdx.x;
    a[t].x = t;
    a[t].y = 1;
    __syncthreads();
    out[t] = a[63 - t].x;
}

// [struct] The same without the barrier.
//~ race
__global__ void struct_array_shared_bad(float *out)
{
    __shared__ Particle a[64];
    int t = threadIdx.x;
    a[t].x = t; //~ here
    a[t].y = 1;
    out[t] = a[63 - t].x; //~ here
}
