// Filters along columns, a thread for each: the rows are walked in loops of their own bounds.
//~ race-free
__global__ void columns_ok(const float *in, float *out, int w, int h, int r)
{
    unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
    in = &in[x];
    out = &out[x];
    float sum = in[0] * r;
    for (int y = 0; y < r + 1; y++) sum += in[y * w];
    out[0] = sum;
    for (int y = 1; y < r + 1; y++) {
        sum += in[(y + r) * w] - in[0];
        out[y * w] = sum;
    }
    for (int y = r + 1; y < h - r; y++) {
        sum += in[(y + r) * w] - in[(y - r - 1) * w];
        out[y * w] = sum;
    }
    for (int y = h - r; y < h; y++) {
        sum += in[(h - 1) * w] - in[(y - r - 1) * w];
        out[y * w] = sum;
    }
}

void columns(const float *in, float *out, int width, int height, int radius, int threads)
{
    columns_ok<<<width / threads, threads>>>(in, out, width, height, radius);
}

// [launch] The last block, of the rest of the columns, walks into the next row.
//~ race
__global__ void columns_more_bad(const float *in, float *out, int w, int h, int r)
{
    unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
    for (int y = 1; y < r + 1; y++) out[x + (size_t)y * w] = in[x]; //~ here
    for (int y = r + 1; y < h - r; y++) out[x + (size_t)y * w] = in[x]; //~ here
}

void columns_more(const float *in, float *out, int width, int height, int radius)
{
    columns_more_bad<<<width / 64 + 1, 64>>>(in, out, width, height, radius);
}

// [stride] The rows of the second loop are one shorter.
//~ race
__global__ void columns_shorter_bad(const float *in, float *out, int w, int h, int r)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= w) return;
    for (int y = 0; y < r; y++) out[x + y * w] = in[x]; //~ here
    for (int y = r; y < h; y++) out[x + y * (w - 1)] = in[x]; //~ here
}

// [neighbour] The second loop takes what the next column has stored.
//~ race
__global__ void columns_next_bad(float *out, int w, int h, int r)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= w - 1) return;
    float sum = 0.0f;
    for (int y = 0; y < r; y++) out[x + y * w] = x; //~ here
    for (int y = 0; y < h; y++) sum += out[x + 1 + y * w]; //~ here
    out[x] = sum; //~ here
}

// [guard] Columns beyond the width are those of the next row.
//~ race
__global__ void columns_guard_bad(const float *in, float *out, int w, int h, int r)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x > w) return;
    for (int y = 0; y < r; y++) out[x + y * w] = in[x]; //~ here
    for (int y = r; y < h; y++) out[x + y * w] = in[y]; //~ here
}

// Two loops that walk the rows from both ends.
//~ race-free
__global__ void columns_both_ways_ok(const float *in, float *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= w) return;
    for (int y = 0; y < h; y++) out[x + y * w] = in[y];
    for (int y = h - 1; y >= 0; y--) out[x + y * w] += in[x];
}
