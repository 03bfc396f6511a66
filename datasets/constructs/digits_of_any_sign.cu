// Construct: indices taken apart by sizes of which nothing says that they are positive, and put together in another order

//~ race-free
__global__ void transposed_ok(float *out, int rows, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int row = i / columns, column = i % columns;
    if (i < rows * columns) out[column * rows + row] = i;
}

// [index] The row is as long as it was.
//~ race
__global__ void transposed_bad(float *out, int rows, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int row = i / columns, column = i % columns;
    if (i < rows * columns) out[column * columns + row] = i; //~ here
}

// [guard] The rows go on behind the last one.
//~ race
__global__ void transposed_unguarded_bad(float *out, int rows, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int row = i / columns, column = i % columns;
    out[column * rows + row] = i; //~ here
}

//~ race-free
__global__ void heads_apart_ok(float *q, const float *in, int batch, int time, int heads, int size)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < batch * heads * time * size) {
        int b = i / (heads * time * size);
        int rest = i % (heads * time * size);
        int h = rest / (time * size);
        rest = rest % (time * size);
        int t = rest / size, k = rest % size;
        q[i] = in[b * time * heads * size + t * heads * size + h * size + k];
    }
}

// Three rows for each moment: one of each kind.
//~ race-free
__global__ void three_kinds_ok(float *out, const float *in, int batch, int time, int heads, int size)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < batch * heads * time * size) {
        int b = i / (heads * time * size);
        int rest = i % (heads * time * size);
        int h = rest / (time * size);
        rest = rest % (time * size);
        int t = rest / size, k = rest % size;
        int at = b * time * 3 * heads * size + t * 3 * heads * size + h * size + k;
        out[at] = in[i];
        out[at + heads * size] = 2 * in[i];
        out[at + 2 * (heads * size)] = 3 * in[i];
    }
}

// [index] There is room for two kinds.
//~ race
__global__ void three_kinds_bad(float *out, const float *in, int batch, int time, int heads, int size)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < batch * heads * time * size) {
        int b = i / (heads * time * size);
        int rest = i % (heads * time * size);
        int h = rest / (time * size);
        rest = rest % (time * size);
        int t = rest / size, k = rest % size;
        int at = b * time * 2 * heads * size + t * 2 * heads * size + h * size + k;
        out[at] = in[i]; //~ here
        out[at + 2 * heads * size] = 3 * in[i]; //~ here
    }
}

// What is left is divided again each time.
//~ race-free
__global__ void by_steps_ok(float *out, int planes, int rows, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * rows * columns) return;
    int column = i % columns, rest = i / columns;
    int row = rest % rows, plane = rest / rows;
    out[(row * planes + plane) * columns + column] = i;
}

// [index] A line is as long as the row it was taken from is high.
//~ race
__global__ void by_steps_bad(float *out, int planes, int rows, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * rows * columns) return;
    int column = i % columns, rest = i / columns;
    int row = rest % rows, plane = rest / rows;
    out[(row * planes + plane) * rows + column] = i; //~ here
}

// [sign] Numbers below 0 have remainders below 0: 1 and -1 are no further apart than 1 and 0 are in what is left.
//~ race
__global__ void from_below_zero_bad(float *out, int columns)
{
    int i = (int)threadIdx.x - 8;
    out[8 * columns + i / columns * columns + (i % columns) * (i % columns)] = i; //~ here
}

// [sign] The digit has either sign here, so the next row begins before this one ends.
//~ race
__global__ void around_zero_bad(float *out, int columns)
{
    int i = (int)threadIdx.x - 8;
    out[16 * columns + i % columns + columns * (threadIdx.x / columns)] = i; //~ here
}

// [index] The rows are one longer than their stride, in absolute value: for columns = -4, a row is 4 long and the stride is -3.
//~ race
__global__ void stride_of_sum_bad(float *out, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i / columns * (columns + 1) + i % columns] = i; //~ here
}

// The parts of one allocation: what rounds down in the size of a head is no more than the whole.
//~ race-free
__global__ void parts_ok(float *q, float *k, float *v, int batch, int time, int heads, int size)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < batch * heads * time * size) {
        q[i] = 1;
        k[i] = 2;
        v[i] = 3;
    }
}

// [alias] The last part begins one element too early.
//~ race
__global__ void parts_bad(float *q, float *k, float *v, int batch, int time, int heads, int size)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < batch * heads * time * size) {
        q[i] = 1;
        k[i] = 2; //~ here
        v[i] = 3; //~ here
    }
}

void split(float *all, int batch, int time, int channels, int heads)
{
    int size = channels / heads;
    float *k = all + batch * time * channels;
    float *v = all + 2 * batch * time * channels;
    int total = batch * heads * time * size;
    parts_ok<<<(total + 255) / 256, 256>>>(all, k, v, batch, time, heads, size);
    parts_bad<<<(total + 255) / 256, 256>>>(all, k, v - 1, batch, time, heads, size);
}
