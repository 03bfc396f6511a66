// Sequences of launches in which a thread reads what another thread wrote in an earlier launch.
//= equal mirrored_ok doubled_ok,mirror_ok doubled_in_place_ok,mirror_in_place_ok doubled_few_ok,mirror_ok
//= different mirrored_ok doubled_ok,straight_ok doubled_short_ok,mirror_ok doubled_ok,mirror_off_ok
//= equal turned_ok rows_ok,columns_ok

// Twice each element, from the last to the first.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void mirrored_ok(float *out, const float *in, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = 2.0f * in[n - 1 - i];
}

// The first step: twice each element.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void doubled_ok(float *part, const float *in, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        part[i] = 2.0f * in[i];
}

// The same by a grid that goes round.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void doubled_few_ok(float *part, const float *in, int n)
{
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += 64 * gridDim.x)
        part[i] = 2.0f * in[i];
}

// The same, but for the last element.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void doubled_short_ok(float *part, const float *in, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n - 1)
        part[i] = 2.0f * in[i];
}

// The second step: from the last to the first.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void mirror_ok(float *out, const float *part, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = part[n - 1 - i];
}

// The second step without turning round.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void straight_ok(float *out, const float *part, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = part[i];
}

// The second step, one off.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void mirror_off_ok(float *out, const float *part, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = part[n - i];
}

// The first step into an array of its own name.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void doubled_in_place_ok(float *scratch, const float *in, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        scratch[i] = 2.0f * in[i];
}

// The second step from there.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void mirror_in_place_ok(float *out, const float *scratch, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[n - 1 - i] = scratch[i];
}

// Rows and columns of a matrix from the last to the first.
// warplog: launch block=16,16 grid=(w+15)/16,(h+15)/16
//~ race-free
__global__ void turned_ok(int *out, const int *in, int w, int h)
{
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    if (x < w && y < h)
        out[y * w + x] = in[(h - 1 - y) * w + w - 1 - x];
}

// The rows.
// warplog: launch block=16,16 grid=(w+15)/16,(h+15)/16
//~ race-free
__global__ void rows_ok(int *half, const int *in, int w, int h)
{
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    if (x < w && y < h)
        half[y * w + x] = in[(h - 1 - y) * w + x];
}

// The columns.
// warplog: launch block=16,16 grid=(w+15)/16,(h+15)/16
//~ race-free
__global__ void columns_ok(int *out, const int *half, int w, int h)
{
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    if (x < w && y < h)
        out[y * w + x] = half[y * w + w - 1 - x];
}
