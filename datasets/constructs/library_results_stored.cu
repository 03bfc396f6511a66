//--blockDim=64 --gridDim=1
// Construct: functions that store results through pointers

// Each thread has a place for its results.
//~ race-free
__global__ void sincos_double_ok(double *s, double *c)
{
    sincos(0.5 * threadIdx.x, s + threadIdx.x, c + threadIdx.x);
}

// [result] All threads store one of them in one place.
//~ race
__global__ void sincos_double_bad(double *s, double *c)
{
    sincos(0.5 * threadIdx.x, s, c + threadIdx.x); //~ here
}

// Each thread has a place for its results.
//~ race-free
__global__ void sincospi_double_ok(double *s, double *c)
{
    sincospi(0.5 * threadIdx.x, c + threadIdx.x, s + threadIdx.x);
}

// [result] All threads store one of them in one place.
//~ race
__global__ void sincospi_double_bad(double *s, double *c)
{
    sincospi(0.5 * threadIdx.x, c + threadIdx.x, s); //~ here
}

// Each thread has a place for its results.
//~ race-free
__global__ void modf_double_ok(double *s, double *c)
{
    c[threadIdx.x] = modf(0.5 * threadIdx.x, s + threadIdx.x);
}

// [result] All threads store one of them in one place.
//~ race
__global__ void modf_double_bad(double *s, double *c)
{
    c[threadIdx.x] = modf(0.5 * threadIdx.x, s); //~ here
}

// Each thread has a place for its results.
//~ race-free
__global__ void modff_float_ok(float *s, float *c)
{
    c[threadIdx.x] = modff(0.5f * threadIdx.x, s + threadIdx.x);
}

// [result] All threads store one of them in one place.
//~ race
__global__ void modff_float_bad(float *s, float *c)
{
    c[threadIdx.x] = modff(0.5f * threadIdx.x, s); //~ here
}

// Four bytes each.
//~ race-free
__global__ void frexp_double_ok(int *e, double *c)
{
    c[threadIdx.x] = frexp(0.5 * threadIdx.x, e + threadIdx.x);
}

// [result] Two threads have one place.
//~ race
__global__ void frexp_double_bad(int *e, double *c)
{
    c[threadIdx.x] = frexp(0.5 * threadIdx.x, e + threadIdx.x / 2); //~ here
}

// Four bytes each.
//~ race-free
__global__ void frexpf_float_ok(int *e, float *c)
{
    c[threadIdx.x] = frexpf(0.5f * threadIdx.x, e + threadIdx.x);
}

// [result] Two threads have one place.
//~ race
__global__ void frexpf_float_bad(int *e, float *c)
{
    c[threadIdx.x] = frexpf(0.5f * threadIdx.x, e + threadIdx.x / 2); //~ here
}

// Four bytes each.
//~ race-free
__global__ void remquo_double_ok(int *e, double *c)
{
    c[threadIdx.x] = remquo(0.5 * threadIdx.x, 3.0, e + threadIdx.x);
}

// [result] Two threads have one place.
//~ race
__global__ void remquo_double_bad(int *e, double *c)
{
    c[threadIdx.x] = remquo(0.5 * threadIdx.x, 3.0, e + threadIdx.x / 2); //~ here
}

// Four bytes each.
//~ race-free
__global__ void remquof_float_ok(int *e, float *c)
{
    c[threadIdx.x] = remquof(0.5f * threadIdx.x, 3.0f, e + threadIdx.x);
}

// [result] Two threads have one place.
//~ race
__global__ void remquof_float_bad(int *e, float *c)
{
    c[threadIdx.x] = remquof(0.5f * threadIdx.x, 3.0f, e + threadIdx.x / 2); //~ here
}

// Which one is larger, for each thread.
//~ race-free
__global__ void vibmax_stored_ok(int *v, bool *p)
{
    v[threadIdx.x] = __vibmax_s32(threadIdx.x, 9, p + threadIdx.x);
}

// [result] For all of them in one place.
//~ race
__global__ void vibmax_stored_bad(int *v, bool *p)
{
    v[threadIdx.x] = __vibmax_s32(threadIdx.x, 9, p); //~ here
}
