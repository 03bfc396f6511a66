// Extra: offsets in which one digit stands in several places, beside places in a window that guards keep

// A map of h by w for each place of h by w, of which the part in a window of m by k around it is written.
//~ race-free
__global__ void map_of_each_place_ok(int total, int h, int w, int m, int k, int half_h, int half_w, float *out)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += blockDim.x * gridDim.x) {
        int x = i % w, y = (i / w) % h, z = i / w / h;
        int top = max(0, half_h - y), bottom = min(m, h + half_h - y);
        int left = max(0, half_w - x), right = min(k, w + half_w - x);
        for (int r = top; r < bottom; r++)
            for (int c = left; c < right; c++)
                out[(z * h * w + y * w + x) * h * w + (r + y - half_h) * w + (c + x - half_w)] = (float)i;
    }
}

// The same turned around: the place is inside, and its window outside.
//~ race-free
__global__ void places_of_each_map_ok(int total, int h, int w, int m, int k, int half_h, int half_w, float *out)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += blockDim.x * gridDim.x) {
        int x = i % w, y = (i / w) % h, z = i / w / h;
        int top = max(0, half_h - y), bottom = min(m, h + half_h - y);
        int left = max(0, half_w - x), right = min(k, w + half_w - x);
        for (int r = top; r < bottom; r++)
            for (int c = left; c < right; c++)
                out[(z * h * w + (r + y - half_h) * w + (c + x - half_w)) * h * w + y * w + x] = (float)i;
    }
}

// [wide-window] The window may begin left of the map, and lies in the row before then.
//~ race
__global__ void window_without_left_bad(int total, int w, int half_w, float *out)
{
    __requires(half_w > 0);
    __requires(w > 1);
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % w, y = i / w;
    if (i < total)
        for (int c = 0; c < w + half_w - x; c++)
            out[(y * w + x) * w + (c + x - half_w)] = (float)i; //~ here
}

// [wide-window] The window ends one place right of the map.
//~ race
__global__ void window_one_too_wide_bad(int total, int w, int half_w, float *out)
{
    __requires(half_w > 0);
    __requires(w > 1);
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % w, y = i / w;
    if (i < total)
        for (int c = max(0, half_w - x); c <= w + half_w - x; c++)
            out[(y * w + x) * w + (c + x - half_w)] = (float)i; //~ here
}

// The windows of k by l in maps, one below the other, as columns: every thread writes those of one place.
template <int LOST>
__device__ void put_columns(const float *maps, int places, int k, int l, int apart, int high, int wide, int rows, int columns, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= places)
        return;
    int x = i % columns, y = i / columns % rows, map = i / columns / rows;
    float *column = out + (map * (k - LOST) * l * rows + y) * columns + x;
    const float *window = maps + (map * high + y) * wide + x;
    for (int r = 0; r < k; r++)
        for (int c = 0; c < l; c++) {
            *column = window[r * apart * wide + c * apart]; //~ here
            column += rows * columns;
        }
}

//~ race-free
__global__ void columns_of_windows_ok(const float *maps, int places, int k, int l, int apart, int high, int wide, int rows, int columns, float *out)
{
    put_columns<0>(maps, places, k, l, apart, high, wide, rows, columns, out);
}

// [lost-row] The columns of a map begin a row of the window early.
//~ race
__global__ void columns_too_early_bad(const float *maps, int places, int k, int l, int apart, int high, int wide, int rows, int columns, float *out)
{
    put_columns<1>(maps, places, k, l, apart, high, wide, rows, columns, out);
}

void columns_of_windows(const float *maps, int count, int high, int wide, int k, int l, int apart, float *out)
{
    int rows = high - apart * (k - 1), columns = wide - apart * (l - 1), places = count * rows * columns;
    columns_of_windows_ok<<<(places + 255) / 256, 256>>>(maps, places, k, l, apart, high, wide, rows, columns, out);
}
