//--blockDim=[32,8]
// Construct: counters that step in some threads only, by a flag that the loop leaves alone

// A plane is w elements wide and h high; active threads go from plane to plane.
//~ race-free
__global__ void cases_plane_ok(float *out, const float *in, int w, int h, int planes)
{
    int x = threadIdx.x + blockIdx.x * 32;
    int y = threadIdx.y + blockIdx.y * 8;
    int active = x < w && y < h;
    int at = x + y * w;
    for (int k = 0; k < planes; k++) {
        if (active) {
            out[at] = in[at] + k;
            at += w * h;
        }
        __syncthreads();
    }
}

// [stride] Planes that overlap by a row: the last row of one is the first of the next, which another thread writes.
//~ race
__global__ void cases_plane_bad(float *out, const float *in, int w, int h, int planes)
{
    int x = threadIdx.x + blockIdx.x * 32;
    int y = threadIdx.y + blockIdx.y * 8;
    int active = x < w && y < h;
    int at = x + y * w;
    for (int k = 0; k < planes; k++) {
        if (active) {
            out[at] = in[at] + x + y; //~ here
            at += w * (h - 1);
        }
    }
}

// The element of the round before, which only active threads keep.
//~ race-free
__global__ void cases_before_ok(float *out, const float *in, int w, int h, int planes)
{
    int x = threadIdx.x + blockIdx.x * 32;
    int y = threadIdx.y + blockIdx.y * 8;
    int active = x < w && y < h;
    int at = x + y * w, before;
    for (int k = 0; k < planes; k++) {
        if (active) {
            before = at;
            at += w * h;
        }
        __syncthreads();
        if (active) out[before] = in[before];
    }
}

// [stride] All threads write, and those that are not active stay where they began: in the rows of others.
//~ race
__global__ void cases_idle_bad(float *out, int w, int h, int planes)
{
    int x = threadIdx.x + blockIdx.x * 32;
    int y = threadIdx.y + blockIdx.y * 8;
    bool active = x < w && y < h;
    int at = x + y * w;
    for (int k = 0; k < planes; k++) {
        if (active) at += w * h;
        out[at] = x + y; //~ here
    }
}

// [stride] The flag changes in the loop: who stops after the first round is overtaken by none, but meets who goes on.
//~ race
__global__ void cases_changed_bad(int *out, int n)
{
    int t = threadIdx.x + 32 * threadIdx.y;
    int active = 1;
    int at = t;
    for (int k = 0; k < 4; k++) {
        if (active) at += 16;
        if (t >= n) active = 0;
        out[at + 1024 * blockIdx.x + 65536 * blockIdx.y] = t; //~ here
    }
}

// A flag of two numbers, neither of them 1: it is compared with one of them.
//~ race-free
__global__ void cases_flag_ok(int *out, int n)
{
    int t = threadIdx.x + 32 * threadIdx.y;
    int kind = t < n ? 2 : 4;
    if (kind == 2) out[t + 256 * (blockIdx.x + gridDim.x * blockIdx.y)] = t;
    if (!(kind > 2)) out[t + 256 * (blockIdx.x + gridDim.x * blockIdx.y)] += n;
}

// [guard] The numbers are not what is asked: 3 is above 2 and the flag never is 1.
//~ race
__global__ void cases_flag_bad(int *out, int n)
{
    int t = threadIdx.x + 32 * threadIdx.y;
    short kind = t < n ? 2 : 3;
    if (kind != 1) out[t / 2 + 256 * (blockIdx.x + gridDim.x * blockIdx.y)] = t; //~ here
}

// [guard] As a char, 256 is 0: the flag is never set.
//~ race
__global__ void cases_narrow_bad(int *out, int n)
{
    int t = threadIdx.x + 32 * threadIdx.y;
    unsigned char kind = (unsigned char)(t < n ? 256 : 512);
    if (!kind) out[t / 2 + 256 * (blockIdx.x + gridDim.x * blockIdx.y)] = t; //~ here
}
