// Pointers to kernels that are set in the arms of branches and in loops, behind their declaration.
#define ROWS(out, in, w) out[(blockIdx.y * 16 + threadIdx.y) * w + blockIdx.x * 16 + threadIdx.x] = in[threadIdx.x] + blockIdx.x

//~ race-free
__global__ void later_first_ok(float *out, const float *in, int w) { ROWS(out, in, w); }

//~ race-free
__global__ void later_second_ok(float *out, const float *in, int w) { ROWS(out, in, w); }

void by_switch(float *out, const float *in, int which)
{
    void (*kernel)(float *, const float *, int);
    dim3 grid(64, 64), block(16, 16);
    switch (which) {
    case 0: kernel = &later_first_ok; break;
    case 1: kernel = later_second_ok; break;
    }
    kernel<<<grid, block>>>(out, in, 1024);
}

//~ race-free
__global__ void later_round_ok(float *out, const float *in, int w) { ROWS(out, in, w); }

// [launch] Of the two that the loop launches, this one gets rows of 1024 elements and half of them as width.
//~ race
__global__ void later_round_bad(float *out, const float *in, int w)
{
    ROWS(out, in, w / 2); //~ here
}

void by_loop(float *out, const float *in)
{
    void (*kernel)(float *, const float *, int);
    for (int i = 0; i < 2; i++) {
        if (i == 0) kernel = later_round_ok;
        else kernel = later_round_bad;
        if (kernel == later_round_ok) out += 16;
        for (int j = 0; j < 10; j++) kernel<<<dim3(64, 64), dim3(16, 16)>>>(out, in, 1024);
    }
}

// [launch] It stands in the pointer from the round before, and is launched with twice as many columns.
//~ race
__global__ void later_before_bad(float *out, const float *in, int w)
{
    ROWS(out, in, w); //~ here
}

//~ race
__global__ void later_behind_bad(float *out, const float *in, int w)
{
    ROWS(out, in, w); //~ here
}

void by_round_before(float *out, const float *in)
{
    void (*kernel)(float *, const float *, int);
    kernel = later_before_bad;
    for (int i = 0; i < 2; i++) {
        kernel<<<dim3(128, 64), dim3(16, 16)>>>(out, in, 1024);
        kernel = later_behind_bad;
    }
}
