//--blockDim=64 --gridDim=1
// Construct: complex numbers and results through pointers
#include <cuComplex.h>
#include <thrust/complex.h>

//~ race-free
__global__ void library_cu_complex_ok(cuFloatComplex *a)
{
    int t = threadIdx.x;
    a[t] = cuCmulf(a[t], make_cuFloatComplex(0.0f, cuCabsf(a[t])));
}

// [index]
//~ race
__global__ void library_cu_complex_bad(cuDoubleComplex *a)
{
    int t = threadIdx.x;
    a[t] = cuCadd(a[t], a[t ^ 1]); //~ here
}

//~ race-free
__global__ void library_thrust_complex_ok(thrust::complex<double> *a, double *out)
{
    int t = threadIdx.x;
    thrust::complex<double> z = a[t];
    out[t] = z.real() + thrust::abs(z * thrust::conj(z));
    a[t] = thrust::exp(z);
}

// [width] Sixteen bytes each.
//~ race
__global__ void library_thrust_complex_bad(thrust::complex<double> *a)
{
    int t = threadIdx.x;
    double *parts = (double *)a;
    a[t] = thrust::complex<double>(1.0, 2.0); //~ here
    parts[t + 1] = 0.5; //~ here
}

// Sine and cosine go where the pointers say.
//~ race-free
__global__ void library_sincos_ok(const float *a, float *s, float *c)
{
    int t = threadIdx.x;
    sincosf(a[t], &s[t], &c[t]);
}

// [index] Both to one array, side by side.
//~ race
__global__ void library_sincos_bad(const float *a, float *s)
{
    int t = threadIdx.x;
    __sincosf(a[t], &s[t], &s[t + 1]); //~ here
}

// Into locals.
//~ race-free
__global__ void library_frexp_ok(const float *a, float *out)
{
    int t = threadIdx.x, e;
    float m = frexpf(a[t], &e);
    out[t] = ldexpf(m, e + 1);
}

// [data-dependent index] The exponent is anything.
//~ race
__global__ void library_frexp_bad(const float *a, float *out)
{
    int t = threadIdx.x, e;
    out[0] = frexpf(a[t], &e); //~ here
}

// std::swap of two own elements.
//~ race-free
__global__ void library_swap_ok(int *a)
{
    int t = threadIdx.x;
    std::swap(a[2 * t], a[2 * t + 1]);
}

// [index] Of neighbours that others swap too.
//~ race
__global__ void library_swap_bad(int *a)
{
    int t = threadIdx.x;
    std::swap(a[t], a[t + 1]); //~ here
}

typedef float2 Number;
__device__ int slot(Number v, int t) { return t; }
__device__ int slot(double2 v, int t) { return t / 2; }

// The names of the libraries are names of the vector types.
//~ race-free
__global__ void library_same_class_ok(cufftComplex *a, int *g)
{
    g[slot(a[threadIdx.x], threadIdx.x)] = 1;
}

// [index] The function for the other class.
//~ race
__global__ void library_same_class_bad(cufftDoubleComplex *a, int *g)
{
    g[slot(a[threadIdx.x], threadIdx.x)] = threadIdx.x; //~ here
}

__device__ int half_slot(float v, int t) { return t; }
__device__ int half_slot(double v, int t) { return t / 2; }

// A half type becomes a float sooner than a double.
//~ race-free
__global__ void library_half_overload_ok(__half *a, int *g)
{
    g[half_slot(a[threadIdx.x], threadIdx.x)] = threadIdx.x;
}

// [index] The other function.
//~ race
__global__ void library_half_overload_bad(double *a, int *g)
{
    g[half_slot(a[threadIdx.x], threadIdx.x)] = threadIdx.x; //~ here
}

// Rows of a pitched allocation.
//~ race-free
__global__ void library_pitched_ok(cudaPitchedPtr p)
{
    char *row = (char *)p.ptr + threadIdx.x * 16;
    *(int *)row = threadIdx.x;
}

// [index] Two threads a row.
//~ race
__global__ void library_pitched_bad(cudaPitchedPtr p)
{
    char *row = (char *)p.ptr + threadIdx.x / 2 * 16;
    *(int *)row = threadIdx.x; //~ here
}
