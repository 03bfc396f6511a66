// Construct: host functions that are announced before they are defined, with other names for their parameters or none

// The announcement gives the parameters other names than the definition.
//~ race-free
__global__ void announced_names_ok(float *o, const float *a)
{
    o[blockIdx.x * 64 + threadIdx.x] = a[threadIdx.x];
}

// [launch-size] The caller asks for more threads than there is room for.
//~ race
__global__ void announced_names_bad(float *o, const float *a)
{
    o[blockIdx.x * 64 + threadIdx.x] = a[threadIdx.x]; //~ here
}

// It gives them none, and stands in a namespace.
//~ race-free
__global__ void announced_unnamed_ok(float *o, const float *a)
{
    o[blockIdx.x * 64 + threadIdx.x] = a[threadIdx.x];
}

// An array and a pointer are one parameter, and a constant number is a number.
//~ race-free
__global__ void announced_array_ok(float *o, const float *a)
{
    o[blockIdx.x * 64 + threadIdx.x] = a[threadIdx.x];
}

// [launch-size] What is announced takes constant elements: another function, which nobody sees, and this one may be called by others.
//~ race
__global__ void announced_other_bad(float *o, const float *a, int pitch)
{
    o[blockIdx.x * pitch + threadIdx.x] = a[threadIdx.x]; //~ here
}

void names(float *, const float *from, int size);
void names_bad(float *, const float *from, int size);
namespace inner {
void unnamed(float *, const float *, dim3);
}
void array(float out[], const float *from, int size);
void other(const float *out, const float *from, int size, int pitch);

int use(float *o, const float *a)
{
    names(o, a, 64);
    names_bad(o, a, 65);
    inner::unnamed(o, a, dim3(64));
    array(o, a, 64);
    other(o, a, 64, 64);
    return 0;
}

void names(float *target, const float *source, int count) { announced_names_ok<<<8, count>>>(target, source); }
void names_bad(float *target, const float *source, int count) { announced_names_bad<<<8, count>>>(target, source); }
void inner::unnamed(float *target, const float *source, dim3 count) { announced_unnamed_ok<<<8, count>>>(target, source); }
void array(float *target, const float *source, const int count) { announced_array_ok<<<8, count>>>(target, source); }
void other(float *target, const float *source, int count, int pitch) { announced_other_bad<<<8, count>>>(target, source, pitch); }
