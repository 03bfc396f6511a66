// After PUG_para (IPDPSW 2012): transposes and reductions that are equal in every launch, and versions of them with one defect.
//= equal pug_transpose_naive_ok pug_transpose_tile_ok pug_transpose_padded_ok pug_transpose_rows_ok
//= different pug_transpose_naive_ok pug_transpose_guard_ok pug_transpose_inner_ok pug_transpose_blocks_ok pug_transpose_pitch_ok
//= different pug_transpose_tile_ok pug_transpose_guard_ok pug_transpose_inner_ok pug_transpose_blocks_ok pug_transpose_pitch_ok
//= equal pug_reduce_modulo_ok pug_reduce_packed_ok pug_reduce_guarded_ok pug_reduce_halves_ok
//= different pug_reduce_modulo_ok pug_reduce_short_ok pug_reduce_late_ok pug_reduce_edge_ok pug_reduce_zeroth_ok
//= different pug_reduce_packed_ok pug_reduce_short_ok pug_reduce_late_ok pug_reduce_edge_ok pug_reduce_zeroth_ok
//= different pug_reduce_any_ok pug_reduce_any_halves_ok
typedef int Element;

// The plain one: an element a thread.
//~ race-free
__global__ void pug_transpose_naive_ok(Element *out, const Element *in, int width, int height)
{
    __requires(blockDim.x == blockDim.y);
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[x * height + y] = in[y * width + x];
}

// Through a tile of the size of the block.
//~ race-free
__global__ void pug_transpose_tile_ok(Element *out, const Element *in, int width, int height)
{
    __requires(blockDim.x == blockDim.y);
    extern __shared__ Element tile[];
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        tile[threadIdx.y * blockDim.x + threadIdx.x] = in[y * width + x];
    __syncthreads();
    int u = blockIdx.y * blockDim.y + threadIdx.x;
    int v = blockIdx.x * blockDim.x + threadIdx.y;
    if (u < height && v < width)
        out[v * height + u] = tile[threadIdx.x * blockDim.x + threadIdx.y];
}

// The tile has a column more than the block, so that no bank is asked twice.
//~ race-free
__global__ void pug_transpose_padded_ok(Element *out, const Element *in, int width, int height)
{
    __requires(blockDim.x == blockDim.y);
    extern __shared__ Element padded[];
    int pitch = blockDim.x + 1;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        padded[threadIdx.y * pitch + threadIdx.x] = in[y * width + x];
    __syncthreads();
    int u = blockIdx.y * blockDim.y + threadIdx.x;
    int v = blockIdx.x * blockDim.x + threadIdx.y;
    if (u < height && v < width)
        out[v * height + u] = padded[threadIdx.x * pitch + threadIdx.y];
}

// The tile is written transposed and read by rows.
//~ race-free
__global__ void pug_transpose_rows_ok(Element *out, const Element *in, int width, int height)
{
    __requires(blockDim.x == blockDim.y);
    extern __shared__ Element turned[];
    int pitch = blockDim.x + 1;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        turned[threadIdx.x * pitch + threadIdx.y] = in[y * width + x];
    __syncthreads();
    int u = blockIdx.y * blockDim.y + threadIdx.x;
    int v = blockIdx.x * blockDim.x + threadIdx.y;
    if (u < height && v < width)
        out[v * height + u] = turned[threadIdx.y * pitch + threadIdx.x];
}

// Width and height are taken for each other in the guard.
//~ race-free
__global__ void pug_transpose_guard_ok(Element *out, const Element *in, int width, int height)
{
    __requires(blockDim.x == blockDim.y);
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < height && y < height && x < width)
        out[x * height + y] = in[y * width + x];
}

// Nothing is turned within the tile.
//~ race-free
__global__ void pug_transpose_inner_ok(Element *out, const Element *in, int width, int height)
{
    __requires(blockDim.x == blockDim.y);
    extern __shared__ Element inner[];
    int pitch = blockDim.x + 1;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        inner[threadIdx.y * pitch + threadIdx.x] = in[y * width + x];
    __syncthreads();
    int u = blockIdx.y * blockDim.y + threadIdx.x;
    int v = blockIdx.x * blockDim.x + threadIdx.y;
    if (u < height && v < width)
        out[v * height + u] = inner[threadIdx.y * pitch + threadIdx.x];
}

// The block is written where it was read.
//~ race-free
__global__ void pug_transpose_blocks_ok(Element *out, const Element *in, int width, int height)
{
    __requires(blockDim.x == blockDim.y);
    extern __shared__ Element kept[];
    int pitch = blockDim.x + 1;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        kept[threadIdx.y * pitch + threadIdx.x] = in[y * width + x];
    __syncthreads();
    int u = blockIdx.x * blockDim.x + threadIdx.x;
    int v = blockIdx.y * blockDim.y + threadIdx.y;
    if (u < height && v < width)
        out[v * height + u] = kept[threadIdx.x * pitch + threadIdx.y];
}

// The rows of the result are taken for as long as those of the input.
//~ race-free
__global__ void pug_transpose_pitch_ok(Element *out, const Element *in, int width, int height)
{
    __requires(blockDim.x == blockDim.y);
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height && y < width)
        out[x * width + y] = in[y * width + x];
}

// Neighbours first: thread 2 * k * i adds the element k further.
//~ race-free
__global__ void pug_reduce_modulo_ok(Element *out, const Element *in)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ Element modulo[];
    unsigned t = threadIdx.x;
    modulo[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned k = 1; k < blockDim.x; k *= 2) {
        if (t % (2 * k) == 0)
            modulo[t] += modulo[t + k];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = modulo[0];
}

// The same tree with the working threads packed together.
//~ race-free
__global__ void pug_reduce_packed_ok(Element *out, const Element *in)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ Element packed[];
    unsigned t = threadIdx.x;
    packed[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned k = 1; k < blockDim.x; k *= 2) {
        unsigned i = 2 * k * t;
        if (i < blockDim.x)
            packed[i] += packed[i + k];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = packed[0];
}

// The same with the sum in a variable, and a shift.
//~ race-free
__global__ void pug_reduce_guarded_ok(Element *out, const Element *in)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ Element guarded[];
    unsigned t = threadIdx.x;
    Element own = in[blockIdx.x * blockDim.x + t];
    guarded[t] = own;
    __syncthreads();
    for (unsigned k = 1; k < blockDim.x; k <<= 1) {
        if (t % (2 * k) == 0) {
            own = guarded[t] + guarded[t + k];
            guarded[t] = own;
        }
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = guarded[0];
}

// The far half first.
//~ race-free
__global__ void pug_reduce_halves_ok(Element *out, const Element *in)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ Element halves[];
    unsigned t = threadIdx.x;
    halves[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned k = blockDim.x / 2; k > 0; k /= 2) {
        if (t < k)
            halves[t] += halves[t + k];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = halves[0];
}

// The last step is left out.
//~ race-free
__global__ void pug_reduce_short_ok(Element *out, const Element *in)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ Element shorter[];
    unsigned t = threadIdx.x;
    shorter[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned k = blockDim.x / 2; k > 1; k /= 2) {
        if (t < k)
            shorter[t] += shorter[t + k];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = shorter[0];
}

// The first step is left out.
//~ race-free
__global__ void pug_reduce_late_ok(Element *out, const Element *in)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ Element late[];
    unsigned t = threadIdx.x;
    late[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned k = 2; k < blockDim.x; k *= 2) {
        if (t % (2 * k) == 0)
            late[t] += late[t + k];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = late[0];
}

// The last thread of each step does nothing.
//~ race-free
__global__ void pug_reduce_edge_ok(Element *out, const Element *in)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ Element edge[];
    unsigned t = threadIdx.x;
    edge[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned k = blockDim.x / 2; k > 0; k /= 2) {
        if (t + 1 < k || k == 1 && t == 0)
            edge[t] += edge[t + k];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = edge[0];
}

// Each block starts at the first element.
//~ race-free
__global__ void pug_reduce_zeroth_ok(Element *out, const Element *in)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ Element zeroth[];
    unsigned t = threadIdx.x;
    zeroth[t] = in[t];
    __syncthreads();
    for (unsigned k = blockDim.x / 2; k > 0; k /= 2) {
        if (t < k)
            zeroth[t] += zeroth[t + k];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = zeroth[0];
}

// One thread adds all of its block, of any size.
//~ race-free
__global__ void pug_reduce_any_ok(Element *out, const Element *in)
{
    if (threadIdx.x == 0) {
        Element sum = 0;
        for (unsigned k = 0; k < blockDim.x; k++)
            sum += in[blockIdx.x * blockDim.x + k];
        out[blockIdx.x] = sum;
    }
}

// Halves of a block whose size nobody said to be a power of two.
//~ race-free
__global__ void pug_reduce_any_halves_ok(Element *out, const Element *in)
{
    extern __shared__ Element any[];
    unsigned t = threadIdx.x;
    any[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned k = blockDim.x / 2; k > 0; k /= 2) {
        if (t < k)
            any[t] += any[t + k];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = any[0];
}
