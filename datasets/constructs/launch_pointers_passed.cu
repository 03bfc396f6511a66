// A pointer to a kernel that a function which is not seen may set to anything.

// [launch] It may be launched in any way.
//~ race
__global__ void later_passed_bad(float *out, const float *in, int w)
{
    out[blockIdx.x * w + threadIdx.x] = in[blockIdx.x * 16 + threadIdx.x]; //~ here
}

void set_somehow(void (**kernel)(float *, const float *, int));

void by_function(float *out, const float *in, bool known)
{
    void (*kernel)(float *, const float *, int);
    if (known) kernel = later_passed_bad;
    set_somehow(&kernel);
    kernel<<<64, 16>>>(out, in, 1024);
}
