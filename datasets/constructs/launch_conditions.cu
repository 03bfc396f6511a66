// Construct: what host code makes sure of before it launches, by branches, loops, structures and calls

#include <cstdio>
#include <cstdlib>

// A branch admits rows that are as wide as a block.
//~ race-free
__global__ void host_branch_ok(int *o, int w)
{
    o[blockIdx.x * w + threadIdx.x] += 1;
}

// [host-guard] The branch admits rows that are one element too narrow.
//~ race
__global__ void host_branch_bad(int *o, int w)
{
    o[blockIdx.x * w + threadIdx.x] += 1; //~ here
}

// Who returns early does not launch it.
//~ race-free
__global__ void host_return_ok(int *o, int w)
{
    o[blockIdx.x * w + threadIdx.x] += 1;
}

// [host-guard] The return is for other sizes.
//~ race
__global__ void host_return_bad(int *o, int w)
{
    o[blockIdx.x * w + threadIdx.x] += 1; //~ here
}

// The branch compares two variables, by way of a third.
//~ race-free
__global__ void host_flag_ok(int *o, int w)
{
    o[blockIdx.x * w + threadIdx.x] += 1;
}

// [host-guard] The block may be larger than the row by one.
//~ race
__global__ void host_flag_bad(int *o, int w)
{
    o[blockIdx.x * w + threadIdx.x] += 1; //~ here
}

// A counter that starts at the width of a block and grows.
//~ race-free
__global__ void host_counter_ok(int *o, int w)
{
    o[blockIdx.x * w + threadIdx.x] += 1;
}

// [host-loop] The counter starts below it.
//~ race
__global__ void host_counter_bad(int *o, int w)
{
    o[blockIdx.x * w + threadIdx.x] += 1; //~ here
}

// The width is doubled in each round.
//~ race-free
__global__ void host_doubled_ok(int *o, int w)
{
    o[blockIdx.x * w + threadIdx.x] += 1;
}

// [host-loop] The width is halved in each round, at last below the size of a block.
//~ race
__global__ void host_halved_bad(int *o, int w)
{
    o[blockIdx.x * w + threadIdx.x] += 1; //~ here
}

// Launched behind the loop, with what it left.
//~ race-free
__global__ void host_behind_ok(int *o, int w)
{
    o[blockIdx.x * w + threadIdx.x] += 1;
}

// [host-loop] Behind a loop that may end below the size of a block.
//~ race
__global__ void host_behind_bad(int *o, int w)
{
    o[blockIdx.x * w + threadIdx.x] += 1; //~ here
}

// Tiles on an antidiagonal: the block counter is below the width.
//~ race-free
__global__ void host_diagonal_ok(int *d, int width, int count)
{
    int x = blockIdx.x + width - count;
    int y = width - blockIdx.x - 1;
    d[y * width + x] += 1;
}

// [host-loop] Eight elements for as many blocks as the width has.
//~ race
__global__ void host_diagonal_bad(int *d, int width, int count)
{
    int x = blockIdx.x + width - count;
    d[x & 7] += 1; //~ here
}

struct HostRange {
    int start, end;
    HostRange(int a, int b) : start(a), end(b) {}
};

// A constructor sets the members.
//~ race-free
__global__ void host_constructor_ok(float *o, int start, int end, int n)
{
    int i = start + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < end) o[blockIdx.y * n + i] += 1;
}

struct HostSwapped {
    int first, second;
    HostSwapped(int a, int b) : first(b), second(a) {}
};

// The constructor exchanges what stands in the braces.
//~ race-free
__global__ void host_swapped_ok(int *o, int first)
{
    if (first == 1) o[0] = threadIdx.x;
}

// [constructor] As it says, and not as the members stand.
//~ race
__global__ void host_swapped_bad(int *o, int first)
{
    if (first == 2) o[0] = threadIdx.x; //~ here
}

struct HostGrid {
    int halo, pitch, inner;
};

// A function returns the structure.
//~ race-free
__global__ void host_returned_ok(int *o, int w)
{
    o[blockIdx.x * w + threadIdx.x] += 1;
}

// [host-structure] The function sets the pitch too small.
//~ race
__global__ void host_returned_bad(int *o, int w)
{
    o[blockIdx.x * w + threadIdx.x] += 1; //~ here
}

template <class A, class B>
struct HostShape {
    A *out;
    const B *in;
    const int rows, heads, size, width;
};

// A structure of a template, made member by member.
//~ race-free
__global__ void host_members_ok(HostShape<int, float> p)
{
    p.out[blockIdx.x * p.width + threadIdx.y * p.size + threadIdx.x] += 1;
}

// [host-structure] Its width is that of one head too few.
//~ race
__global__ void host_members_bad(HostShape<int, float> p)
{
    p.out[blockIdx.x * p.width + threadIdx.y * p.size + threadIdx.x] += 1; //~ here
}

// The prototype gives the number of blocks.
//~ race-free
__global__ void host_default_ok(int *o)
{
    o[threadIdx.x] += 1;
}

// [default] The number of blocks that the prototype gives is two.
//~ race
__global__ void host_default_bad(int *o)
{
    o[threadIdx.x] += 1; //~ here
}

// Rows of an allocation with a pitch.
//~ race-free
__global__ void host_pitch_ok(float *o, int pitch)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    o[y * pitch + x] = x + y;
}

// [pitch] The pitch counts bytes, and is taken as one of doubles.
//~ race
__global__ void host_pitch_bad(float *o, int pitch)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    o[y * pitch + x] = x + y; //~ here
}

// A literal that names `main` calls nothing.
//~ race-free
__global__ void host_literal_ok(int *o, int w)
{
    o[blockIdx.x * w + threadIdx.x] += 1;
}

// A variable of the kernel has its name.
//~ race-free
__global__ void host_named_ok(int *o, int n)
{
    float host_named_ok[2];
    host_named_ok[0] = n;
    host_named_ok[1] = 2 * n;
    o[threadIdx.x] = host_named_ok[threadIdx.x & 1];
}

__device__ void host_update(float *p, size_t n)
{
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += 1;
}

// Code for the device means the device's function of the name, not the one that launches.
//~ race-free
__global__ void host_overload_ok(float *p, size_t n, ptrdiff_t s)
{
    host_update(p + blockIdx.y * s, n);
}

// Unsigned offsets are taken not to wrap.
//~ race-free
__global__ void host_offsets_ok(float *o, unsigned width, unsigned height)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    o[y * width + x] = x + y;
}

void host_update(float *p, size_t n, ptrdiff_t s, int layers)
{
    host_overload_ok<<<dim3((n + 511) / 512, layers), 512>>>(p, n, s);
}

HostGrid host_grid(int n)
{
    HostGrid g;
    g.halo = 4;
    g.pitch = n + 2 * g.halo;
    g.inner = n;
    return g;
}

HostGrid host_narrow_grid(int n)
{
    HostGrid g = {4, n - 1, n};
    return g;
}

template <class A, class B>
void host_members(int rows, int width, int heads, int less)
{
    A *out;
    cudaMalloc(&out, rows * width * sizeof(A));
    B *in = nullptr;
    int size = width / heads;
    HostShape<A, B> p{out, in, rows, heads, size, heads * size - less};
    dim3 grid(p.rows), block(p.size, p.heads);
    if (less == 0) { host_members_ok<<<grid, block>>>(p); }
    else { host_members_bad<<<grid, block>>>(p); }
}

void host_defaults(int *o, unsigned threads, unsigned blocks = 1);
void host_more_defaults(int *o, unsigned threads, unsigned blocks = 2);

void host_conditions(int *o, int rows, int w, int b, int n)
{
    if (w >= 64) host_branch_ok<<<rows, 64>>>(o, w);
    if (w >= 63) host_branch_bad<<<rows, 64>>>(o, w);
    bool fits = b < w;
    if (fits) host_flag_ok<<<rows, b>>>(o, w);
    fits = b < w + 2;
    if (fits && w > 4 && b > 4) host_flag_bad<<<rows, b>>>(o, w);
    for (int i = 64; i < 1000; i++) host_counter_ok<<<rows, 64>>>(o, i);
    for (int i = 60; i < 1000; i++) host_counter_bad<<<rows, 64>>>(o, i);
    for (int i = 64; i < 1000; i <<= 1) host_doubled_ok<<<rows, 64>>>(o, i);
    for (int i = 1024; i > 20; i /= 2) host_halved_bad<<<rows, 64>>>(o, i);
    int i = 64;
    while (i < n) i *= 2;
    host_behind_ok<<<rows, 64>>>(o, i);
    i = 32;
    while (i < n) i *= 2;
    host_behind_bad<<<rows, 64>>>(o, i);
    for (int count = w - 1; count >= 1; count--) host_diagonal_ok<<<count, 1>>>(o, w, count);
    for (int count = w - 1; count >= 1; count--) host_diagonal_bad<<<count, 1>>>(o, w, count);
    HostSwapped s{1, 2};
    host_swapped_ok<<<1, 64>>>(o, s.first);
    host_swapped_bad<<<1, 64>>>(o, s.first);
    HostGrid g = host_grid(n), h = host_narrow_grid(n);
    host_returned_ok<<<rows, g.inner>>>(o, g.pitch);
    if (n > 8) host_returned_bad<<<rows, h.inner>>>(o, h.pitch);
    host_defaults(o, 64);
    host_more_defaults(o, 64);
    host_named_ok<<<1, 64>>>(o, n);
    if (w < 64) return;
    host_return_ok<<<rows, 64>>>(o, w);
}

void host_returns(int *o, int rows, int w)
{
    if (w < 48) exit(1);
    host_return_bad<<<rows, 64>>>(o, w);
}

void host_defaults(int *o, unsigned threads, unsigned blocks)
{
    host_default_ok<<<blocks, threads>>>(o);
}

void host_more_defaults(int *o, unsigned threads, unsigned blocks)
{
    host_default_bad<<<blocks, threads>>>(o);
}

void host_structures(float *o, int n)
{
    HostRange r(2, n - 1);
    host_constructor_ok<<<dim3((n + 63) / 64, 9), 64>>>(o, r.start, r.end, n);
    host_members<int, float>(8192, 768, 12, 0);
    host_members<int, float>(8192, 768, 12, 64);
}

void host_pitches(int w, int h)
{
    float *d;
    size_t pitch = 0;
    cudaMallocPitch((void **)&d, &pitch, w * sizeof(float), h);
    host_pitch_ok<<<dim3(w / 16, h / 16), dim3(16, 16)>>>(d, (int)(pitch / sizeof(float)));
    host_pitch_bad<<<dim3(w / 16, h / 16), dim3(16, 16)>>>(d, (int)(pitch / sizeof(double)));
}

void host_literal(int *o, int w)
{
    host_literal_ok<<<8, 32>>>(o, w);
}

void host_images(float *o, unsigned width, unsigned height)
{
    dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
    host_offsets_ok<<<grid, block>>>(o, width, height);
}

void host_layers(float *p, size_t n, int layers)
{
    host_update(p, n, n, layers);
}

int main()
{
    int *o;
    int w = 32;
    cudaMalloc(&o, 8 * 32 * 4);
    host_literal(o, w);
    printf("%s:%d in main\n", "main.cu", 1);
}
