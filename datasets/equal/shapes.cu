// Launches of different shapes: blocks and grids of other sizes, several elements a thread, a grid that goes round, rows and one number.
//= equal scale_plain_ok scale_stride_ok scale_one_lane_ok scale_four_ok scale_tail_ok scale_backwards_ok
//= equal scale_packed_ok scale_whole_ok
//= different scale_plain_ok scale_past_end_ok scale_packed_ok scale_whole_ok scale_three_of_four_ok scale_short_stride_ok scale_every_other_ok scale_one_warp_ok scale_no_such_lane_ok scale_first_kept_ok scale_neighbour_ok
//= different scale_stride_ok scale_packed_ok scale_whole_ok scale_three_of_four_ok scale_short_stride_ok scale_first_kept_ok
//= different scale_four_ok scale_three_of_four_ok scale_whole_ok scale_neighbour_ok
//= equal double_plain_ok double_wide_ok double_rows_ok double_flat_ok
//= different double_plain_ok double_swapped_ok double_half_row_ok
//= different double_rows_ok double_swapped_ok double_half_row_ok
//= equal multiply_plain_ok multiply_two_ok multiply_row_ok
//= different multiply_plain_ok multiply_square_ok
//= equal filter_plain_ok filter_stride_ok filter_two_ok
//= different filter_plain_ok filter_edge_ok

// The specification: one thread an element.
//~ race-free
__global__ void scale_plain_ok(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

// A grid of fixed size goes through all elements.
//~ race-free
__global__ void scale_stride_ok(float *y, const float *x, float a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}

// One thread of each block works.
//~ race-free
__global__ void scale_one_lane_ok(float *y, const float *x, float a, int n)
{
    if (threadIdx.x == 20)
        for (int i = blockIdx.x; i < n; i += gridDim.x)
            y[i] = a * x[i] + y[i];
}

// Four neighbours a thread.
//~ race-free
__global__ void scale_four_ok(float *y, const float *x, float a, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        y[i] = a * x[i] + y[i];
    if (i + 1 < n)
        y[i + 1] = a * x[i + 1] + y[i + 1];
    if (i + 2 < n)
        y[i + 2] = a * x[i + 2] + y[i + 2];
    if (i + 3 < n)
        y[i + 3] = a * x[i + 3] + y[i + 3];
}

// Four at once, and what is left over one by one.
//~ race-free
__global__ void scale_tail_ok(float *y, const float *x, float a, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < n) {
        y[i] = a * x[i] + y[i];
        y[i + 1] = a * x[i + 1] + y[i + 1];
        y[i + 2] = a * x[i + 2] + y[i + 2];
        y[i + 3] = a * x[i + 3] + y[i + 3];
    } else {
        for (int j = i; j < n; j++)
            y[j] = a * x[j] + y[j];
    }
}

// From the last element to the first.
//~ race-free
__global__ void scale_backwards_ok(float *y, const float *x, float a, int n)
{
    int i = n - 1 - (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= 0)
        y[i] = a * x[i] + y[i];
}

// Four floats at once; what is left over is not done.
//~ race-free
__global__ void scale_packed_ok(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        float4 more = ((const float4 *)x)[i];
        float4 sum = ((float4 *)y)[i];
        sum.x = a * more.x + sum.x;
        sum.y = a * more.y + sum.y;
        sum.z = a * more.z + sum.z;
        sum.w = a * more.w + sum.w;
        ((float4 *)y)[i] = sum;
    }
}

// Four floats at once, also where the array ends among them.
//~ race-free
__global__ void scale_past_end_ok(float *y, const float *x, float a, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) {
        float4 more = *(const float4 *)(x + i);
        float4 sum = *(float4 *)(y + i);
        sum.x = a * more.x + sum.x;
        sum.y = a * more.y + sum.y;
        sum.z = a * more.z + sum.z;
        sum.w = a * more.w + sum.w;
        *(float4 *)(y + i) = sum;
    }
}

// What is left over of four is not done.
//~ race-free
__global__ void scale_whole_ok(float *y, const float *x, float a, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < n) {
        y[i] = a * x[i] + y[i];
        y[i + 1] = a * x[i + 1] + y[i + 1];
        y[i + 2] = a * x[i + 2] + y[i + 2];
        y[i + 3] = a * x[i + 3] + y[i + 3];
    }
}

// The last of four is forgotten.
//~ race-free
__global__ void scale_three_of_four_ok(float *y, const float *x, float a, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        y[i] = a * x[i] + y[i];
    if (i + 1 < n)
        y[i + 1] = a * x[i + 1] + y[i + 1];
    if (i + 2 < n)
        y[i + 2] = a * x[i + 2] + y[i + 2];
}

// The last element is not done.
//~ race-free
__global__ void scale_short_stride_ok(float *y, const float *x, float a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n - 1; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}

// Every second element.
//~ race-free
__global__ void scale_every_other_ok(float *y, const float *x, float a, int n)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        y[i] = a * x[i] + y[i];
}

// Only the first warp of a block works.
//~ race-free
__global__ void scale_one_warp_ok(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && threadIdx.x < 32)
        y[i] = a * x[i] + y[i];
}

// The thread that works is not in the block.
//~ race-free
__global__ void scale_no_such_lane_ok(float *y, const float *x, float a, int n)
{
    if (threadIdx.x == 200)
        for (int i = blockIdx.x; i < n; i += gridDim.x)
            y[i] = a * x[i] + y[i];
}

// The first element is not done.
//~ race-free
__global__ void scale_first_kept_ok(float *y, const float *x, float a, int n)
{
    int i = n - 1 - (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i > 0)
        y[i] = a * x[i] + y[i];
}

// By the element before.
//~ race-free
__global__ void scale_neighbour_ok(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i > 0 ? i - 1 : 0] + y[i];
}

// The specification: a block of 32 columns and 8 rows.
//~ race-free
__global__ void double_plain_ok(float *out, const float *in, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        out[y * w + x] = 2.0f * in[y * w + x];
}

// A block of 128 columns and 4 rows.
//~ race-free
__global__ void double_wide_ok(float *out, const float *in, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        out[y * w + x] = in[y * w + x] * 2.0f;
}

// A block goes through a row.
//~ race-free
__global__ void double_rows_ok(float *out, const float *in, int w, int h)
{
    int y = blockIdx.x;
    for (int x = threadIdx.x; x < w; x += blockDim.x)
        out[y * w + x] = 2.0f * in[y * w + x];
}

// One number for row and column.
//~ race-free
__global__ void double_flat_ok(float *out, const float *in, int w, int h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < w * h) {
        int y = i / w, x = i % w;
        out[y * w + x] = 2.0f * in[y * w + x];
    }
}

// The sizes are taken for each other.
//~ race-free
__global__ void double_swapped_ok(float *out, const float *in, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < h && y < w && x < w)
        out[y * w + x] = 2.0f * in[y * w + x];
}

// Half of a row.
//~ race-free
__global__ void double_half_row_ok(float *out, const float *in, int w, int h)
{
    int y = blockIdx.x;
    for (int x = threadIdx.x; x < w / 2; x += blockDim.x)
        out[y * w + x] = 2.0f * in[y * w + x];
}

// The specification: a block of 16 columns and 16 rows.
//~ race-free
__global__ void multiply_plain_ok(float *c, const float *p, const float *q, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n) {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += p[y * n + k] * q[k * n + x];
        c[y * n + x] = sum;
    }
}

// Two neighbouring columns a thread.
//~ race-free
__global__ void multiply_two_ok(float *c, const float *p, const float *q, int n)
{
    int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x), y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y < n)
        for (int j = 0; j < 2; j++)
            if (x + j < n) {
                float sum = 0;
                for (int k = 0; k < n; k++)
                    sum += p[y * n + k] * q[k * n + x + j];
                c[y * n + x + j] = sum;
            }
}

// A block goes through a row.
//~ race-free
__global__ void multiply_row_ok(float *c, const float *p, const float *q, int n)
{
    int y = blockIdx.x;
    for (int x = threadIdx.x; x < n; x += blockDim.x) {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += p[y * n + k] * q[k * n + x];
        c[y * n + x] = sum;
    }
}

// The square of the first matrix.
//~ race-free
__global__ void multiply_square_ok(float *c, const float *p, const float *q, int n)
{
    int y = blockIdx.x;
    for (int x = threadIdx.x; x < n; x += blockDim.x) {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += p[y * n + k] * p[k * n + x];
        c[y * n + x] = sum;
    }
}

// The specification: a filter of five, zero outside.
//~ race-free
__global__ void filter_plain_ok(float *out, const float *in, const float *k, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int j = 0; j < 5; j++) {
            int at = i + j - 2;
            if (at >= 0 && at < n)
                sum += k[j] * in[at];
        }
        out[i] = sum;
    }
}

// By a grid of fixed size.
//~ race-free
__global__ void filter_stride_ok(float *out, const float *in, const float *k, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float sum = 0;
        for (int j = 0; j < 5; j++) {
            int at = i + j - 2;
            if (at >= 0 && at < n)
                sum += k[j] * in[at];
        }
        out[i] = sum;
    }
}

// Two neighbours a thread.
//~ race-free
__global__ void filter_two_ok(float *out, const float *in, const float *k, int n)
{
    int first = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int i = first; i < first + 2; i++)
        if (i < n) {
            float sum = 0;
            for (int j = 0; j < 5; j++) {
                int at = i + j - 2;
                if (at >= 0 && at < n)
                    sum += k[j] * in[at];
            }
            out[i] = sum;
        }
}

// The last element is read beyond the edge as the first.
//~ race-free
__global__ void filter_edge_ok(float *out, const float *in, const float *k, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float sum = 0;
        for (int j = 0; j < 5; j++) {
            int at = i + j - 2;
            if (at >= 0 && at < n - 1)
                sum += k[j] * in[at];
        }
        out[i] = sum;
    }
}

void launches(float *y, const float *x, const float *z, float a, int n, int w, int h)
{
    scale_plain_ok<<<(n + 255) / 256, 256>>>(y, x, a, n);
    scale_stride_ok<<<16, 128>>>(y, x, a, n);
    scale_one_lane_ok<<<16, 128>>>(y, x, a, n);
    scale_four_ok<<<(n + 511) / 512, 128>>>(y, x, a, n);
    scale_tail_ok<<<(n + 255) / 256, 64>>>(y, x, a, n);
    scale_backwards_ok<<<(n + 127) / 128, 128>>>(y, x, a, n);
    scale_packed_ok<<<(n + 511) / 512, 128>>>(y, x, a, n);
    scale_past_end_ok<<<(n + 511) / 512, 128>>>(y, x, a, n);
    scale_whole_ok<<<(n + 255) / 256, 64>>>(y, x, a, n);
    scale_three_of_four_ok<<<(n + 511) / 512, 128>>>(y, x, a, n);
    scale_short_stride_ok<<<16, 128>>>(y, x, a, n);
    scale_every_other_ok<<<(n + 255) / 256, 128>>>(y, x, a, n);
    scale_one_warp_ok<<<(n + 127) / 128, 128>>>(y, x, a, n);
    scale_no_such_lane_ok<<<16, 128>>>(y, x, a, n);
    scale_first_kept_ok<<<(n + 127) / 128, 128>>>(y, x, a, n);
    scale_neighbour_ok<<<(n + 127) / 128, 128>>>(y, x, a, n);
    double_plain_ok<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(y, x, w, h);
    double_wide_ok<<<dim3((w + 127) / 128, (h + 3) / 4), dim3(128, 4)>>>(y, x, w, h);
    double_rows_ok<<<h, 64>>>(y, x, w, h);
    double_flat_ok<<<(w * h + 255) / 256, 256>>>(y, x, w, h);
    double_swapped_ok<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(y, x, w, h);
    double_half_row_ok<<<h, 64>>>(y, x, w, h);
    multiply_plain_ok<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(y, x, z, n);
    multiply_two_ok<<<dim3((n + 63) / 64, (n + 7) / 8), dim3(32, 8)>>>(y, x, z, n);
    multiply_row_ok<<<n, 64>>>(y, x, z, n);
    multiply_square_ok<<<n, 64>>>(y, x, z, n);
    filter_plain_ok<<<(n + 127) / 128, 128>>>(y, x, z, n);
    filter_stride_ok<<<8, 64>>>(y, x, z, n);
    filter_two_ok<<<(n + 255) / 256, 128>>>(y, x, z, n);
    filter_edge_ok<<<8, 64>>>(y, x, z, n);
}
