// Contents: what is said of index arrays: order, bounds, offsets of rows

// Rows of a compressed matrix: between the offsets of neighbours.
// warplog: sorted begin
//~ race-free
__global__ void rows_sorted_ok(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f;
}

// [not said] Rows may overlap.
//~ race
__global__ void rows_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

// [end of a row] The last element of a row is the first of the next.
// warplog: sorted begin
//~ race
__global__ void rows_inclusive_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r]; j <= begin[r + 1]; j++) val[j] *= 2.0f; //~ here
}

// [rows] Each thread goes on into the next row.
// warplog: sorted begin
//~ race
__global__ void rows_two_bad(float *val, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r + 1 < rows)
        for (int j = begin[r]; j < begin[r + 2]; j++) val[j] *= 2.0f; //~ here
}

// Every second row.
//~ race-free
__global__ void rows_every_second_ok(float *val, const int *begin, int rows)
{
    __offsets(begin);
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    int r = 2 * g;
    if (r < rows)
        for (int j = begin[r]; j < begin[r + 2]; j++) val[j] *= 2.0f;
}

// A row for each block, its elements for the threads.
// warplog: offsets begin
//~ race-free
__global__ void rows_of_blocks_ok(float *val, const int *begin)
{
    int first = begin[blockIdx.x], last = begin[blockIdx.x + 1];
    for (int j = first + (int)threadIdx.x; j < last; j += (int)blockDim.x) val[j] *= 2.0f;
}

// [order] A row for each block, in an array that is not in order.
//~ race
__global__ void rows_of_blocks_bad(float *val, const int *begin)
{
    int first = begin[blockIdx.x], last = begin[blockIdx.x + 1];
    for (int j = first + (int)threadIdx.x; j < last; j += (int)blockDim.x) val[j] *= 2.0f; //~ here
}

// One element for each place, places grow.
// warplog: strictly_increasing place
//~ race-free
__global__ void places_growing_ok(int *out, const int *place, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[place[i]] = i;
}

// [equal] In order is not different.
// warplog: sorted place
//~ race
__global__ void places_sorted_bad(int *out, const int *place, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[place[i]] = i; //~ here
}

// A place beyond the last of the neighbour: places that grow by one at least, each with room for one.
// warplog: strictly_increasing place
//~ race
__global__ void places_of_two_bad(int *out, const int *place, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[place[i]] = i; //~ here
        out[place[i] + 1] = i; //~ here
    }
}

// Every second place: room for two.
// warplog: strictly_increasing place
//~ race-free
__global__ void places_every_second_ok(int *out, const int *place, int n)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    int i = 2 * g;
    if (i < n) {
        out[place[i]] = i;
        out[place[i] + 1] = i;
    }
}

// A permutation moves each element elsewhere.
// warplog: permutation to
//~ race-free
__global__ void permuted_ok(int *out, const int *in, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}

// Keys of four bits: each thread has sixteen counts of its own.
// warplog: bounded(0, 15) key
//~ race-free
__global__ void counts_of_thread_ok(int *count, const int *key, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = t; i < n; i += blockDim.x * gridDim.x) count[t * 16 + key[i]]++;
}

// [bounds] A key of 16 is the neighbour's first.
// warplog: bounded(0, 16) key
//~ race
__global__ void counts_too_large_bad(int *count, const int *key, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = t; i < n; i += blockDim.x * gridDim.x) count[t * 16 + key[i]]++; //~ here
}

// [written] What is said of the beginning is not true of what is written meanwhile.
// warplog: bounded(0, 15) key
//~ race
__global__ void counts_written_bad(int *count, int *key, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n) {
        key[t] += 9;
        count[t * 16 + key[t]]++; //~ here
    }
}

// Segments of a list, written backwards.
// warplog: sorted begin
//~ race-free
__global__ void rows_backwards_ok(int *out, const int *begin, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int j = begin[r + 1] - 1; j >= begin[r]; j--) out[j] = r;
}

// Counts beside their ends.
// warplog: sorted end
//~ race-free
__global__ void rows_by_end_ok(int *out, const int *end, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r > 0 && r < rows)
        for (int j = end[r - 1]; j < end[r]; j++) out[j] = r;
}

// [off by one] The row before is part of it.
// warplog: sorted end
//~ race
__global__ void rows_by_end_bad(int *out, const int *end, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r > 1 && r < rows)
        for (int j = end[r - 2]; j < end[r]; j++) out[j] = r; //~ here
}
