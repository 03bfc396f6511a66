//--blockDim=64 --gridDim=1
// Row: the definition of the quotient must not exclude w = 0

// [vacuity] For w == 0 all threads write s[0]; q*w + r == t may be assumed only where w != 0.
//~ race
__global__ void guarded_quotient_bad(int w)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[w ? t / w * w + t % w : 0] = t; //~ here
}

// Both arms are t.
//~ race-free
__global__ void guarded_quotient_ok(int w)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[w ? t / w * w + t % w : t] = t;
}
