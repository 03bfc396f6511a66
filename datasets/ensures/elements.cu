// What kernels leave in each element. Every comment at a kernel holds; what fails stands here.
//= fails scaled_ok for i: i < n => out[i] == 3.0f * old(in[i])
//= fails scaled_ok for i: out[i] == 2.0f * old(in[i])
//= fails saxpy_ok for i: y[i] == a * old(x[i]) + old(y[i])
//= fails saxpy_ok for i: i <= n => y[i] == a * old(x[i]) + old(y[i])
//= fails saxpy_ok for i: i < n => y[i] == a * y[i] + old(x[i])
//= fails reversed_ok for i: i < n => out[i] == old(in[n - i])
//= fails reversed_ok for i: i < n => out[i] == old(in[i])
//= fails rotated_ok for i: i < n => out[i] == old(in[(i + 2) % n])
//= fails clamped_ok for i: i < n => a[i] >= low && a[i] < high
//= fails clamped_ok for i: i < n => a[i] == old(a[i])
//= fails four_ok for i: i < n => out[i] == old(in[i]) + 1
//= fails alternate_ok for i: i < n => a[i] == old(a[i])
//= fails alternate_ok for i: 2 * i + 1 < n => a[2 * i + 1] == 0
//= fails last_of_four_ok for i: i < n => out[i] == old(in[i])
//= fails packed_ok for i: i < n => out[2 * i] == old(y[i]) && out[2 * i + 1] == old(x[i])
//= fails marked_ok for i: i < n => flag[i] == (old(in[i]) >= limit)
//= fails swapped_ok for i: i < n => a[i] == old(a[i]) && b[i] == old(b[i])
//= fails first_only_ok for i: i < n => out[i] == 7

// One thread an element.
// warplog: launch block=256 grid=(n+255)/256
// warplog: ensures for i: i < n => out[i] == 2.0f * old(in[i])
// warplog: ensures for i: i >= n => out[i] == old(out[i])
//~ race-free
__global__ void scaled_ok(float *out, const float *in, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        out[i] = 2.0f * in[i];
}

// A grid of any size that goes round.
// warplog: ensures for i: i < n => y[i] == a * old(x[i]) + old(y[i])
// warplog: ensures for i: i >= n => y[i] == old(y[i])
//~ race-free
__global__ void saxpy_ok(float *y, const float *x, float a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}

// From the last to the first.
// warplog: launch block=128 grid=(n+127)/128
// warplog: ensures for i: i < n => out[i] == old(in[n - 1 - i])
//~ race-free
__global__ void reversed_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        out[n - 1 - i] = in[i];
}

// The next element, and the first behind the last.
// warplog: launch block=128 grid=(n+127)/128
// warplog: ensures for i: i < n => out[i] == old(in[(i + 1) % n])
// warplog: ensures for i: i + 1 < n => out[i] == old(in[i + 1])
//~ race-free
__global__ void rotated_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        out[i] = in[(i + 1) % n];
}

// A condition that is no equation.
// warplog: launch block=64 grid=(n+63)/64
// warplog: ensures for i: low <= high && i < n => a[i] >= low && a[i] <= high
// warplog: ensures for i: i < n && old(a[i]) >= low && old(a[i]) <= high => a[i] == old(a[i])
//~ race-free
__global__ void clamped_ok(int *a, int low, int high, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) {
        int v = a[i];
        if (v > high)
            v = high;
        if (v < low)
            v = low;
        a[i] = v;
    }
}

// Four neighbours a thread.
// warplog: launch block=64 grid=(n+255)/256
// warplog: ensures for i: i < n => out[i] == old(in[i]) + 2
//~ race-free
__global__ void four_ok(int *out, const int *in, int n)
{
    int first = 4 * (blockIdx.x * 64 + threadIdx.x);
    for (int k = 0; k < 4; k++)
        if (first + k < n)
            out[first + k] = in[first + k] + 2;
}

// Every second element; the others stay.
// warplog: launch block=64 grid=(n+127)/128
// warplog: ensures for i: 2 * i < n => a[2 * i] == 0
// warplog: ensures for i: 2 * i + 1 < n => a[2 * i + 1] == old(a[2 * i + 1])
//~ race-free
__global__ void alternate_ok(int *a, int n)
{
    int i = 2 * (blockIdx.x * 64 + threadIdx.x);
    if (i < n)
        a[i] = 0;
}

// The last of each four neighbours.
// warplog: launch block=64 grid=(n+63)/64
// warplog: ensures for i: i < n => out[i] == old(in[4 * i + 3])
//~ race-free
__global__ void last_of_four_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = in[4 * i + 3];
}

// Two arrays into one, element by element.
// warplog: launch block=64 grid=(n+63)/64
// warplog: ensures for i: i < n => out[2 * i] == old(x[i]) && out[2 * i + 1] == old(y[i])
//~ race-free
__global__ void packed_ok(float *out, const float *x, const float *y, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) {
        out[2 * i] = x[i];
        out[2 * i + 1] = y[i];
    }
}

// A flag for each element.
// warplog: launch block=64 grid=(n+63)/64
// warplog: ensures for i: i < n => flag[i] == (old(in[i]) > limit)
// warplog: ensures for i: i < n => flag[i] == 0 || flag[i] == 1
//~ race-free
__global__ void marked_ok(int *flag, const int *in, int limit, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        flag[i] = in[i] > limit ? 1 : 0;
}

// Two arrays change places.
// warplog: launch block=64 grid=(n+63)/64
// warplog: ensures for i: i < n => a[i] == old(b[i]) && b[i] == old(a[i])
//~ race-free
__global__ void swapped_ok(float *a, float *b, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) {
        float keep = a[i];
        a[i] = b[i];
        b[i] = keep;
    }
}

// One thread writes one element.
// warplog: ensures out[0] == 7
// warplog: ensures for i: i > 0 => out[i] == old(out[i])
//~ race-free
__global__ void first_only_ok(int *out, int n)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        out[0] = 7;
}
