//--blockDim=64 --gridDim=4
// Construct: loop variables without a closed form, of which bounds are kept

// The places of the first eight hits: the counter rises under a condition, up to 8.
//~ race-free
__global__ void kept_first_hits_ok(const int *in, int *hits)
{
    int t = blockIdx.x * 64 + threadIdx.x, j = 0;
    for (int i = 0; i < 64; i++) {
        if (in[t * 64 + i] > 0 && j < 8) {
            hits[t * 8 + j] = i;
            j++;
        }
    }
}

// [off by one] It may be 8 behind the loop.
//~ race
__global__ void kept_first_hits_behind_bad(const int *in, int *hits)
{
    int t = blockIdx.x * 64 + threadIdx.x, j = 0;
    for (int i = 0; i < 64; i++) {
        if (in[t * 64 + i] > 0 && j < 8) j++;
    }
    hits[t * 8 + j] = t; //~ here
}

// [sign] A miss takes one back.
//~ race
__global__ void kept_first_hits_back_bad(const int *in, int *hits)
{
    int t = blockIdx.x * 64 + threadIdx.x, j = 0;
    for (int i = 0; i < 64; i++) {
        if (j < 8) hits[t * 8 + j] = t; //~ here
        if (in[t * 64 + i] > 0) j++;
        else j--;
    }
}

// [wrap] 8 bits with a sign: behind 127 is -128.
//~ race
__global__ void kept_narrow_bad(const int *in, int *hits, int n)
{
    int t = blockIdx.x * 64 + threadIdx.x;
    signed char j = 0;
    for (int i = 0; i < n; i++) {
        if (in[t * 64 + i] > 0) j++;
        if (j < 8) hits[t * 8 + j] = t; //~ here
    }
}

// Not more hits than iterations.
//~ race-free
__global__ void kept_all_hits_ok(const int *in, int *hits, int n)
{
    int t = blockIdx.x * 64 + threadIdx.x, j = 0;
    for (int i = 0; i < 64; i++) {
        if (in[t * 64 + i] > 0) {
            hits[t * 64 + j] = i;
            j++;
        }
    }
}

// [extent] Some are counted twice.
//~ race
__global__ void kept_all_hits_twice_bad(const int *in, int *hits, int n)
{
    int t = blockIdx.x * 64 + threadIdx.x, j = 0;
    for (int i = 0; i < 64; i++) {
        if (in[t * 64 + i] > 0) {
            hits[t * 64 + j] = t; //~ here
            j++;
        }
        if (in[t * 64 + i] > 1) j++;
    }
}

// In two loops, eight times eight.
//~ race-free
__global__ void kept_all_hits_nested_ok(const int *in, int *hits)
{
    int t = blockIdx.x * 64 + threadIdx.x, j = 0;
    for (int y = 0; y < 8; y++) {
        for (int x = 0; x < 8; x++) {
            if (in[y * 8 + x] > t) {
                hits[t * 64 + j] = x;
                j++;
            }
        }
    }
}

// [extent] Eight times nine.
//~ race
__global__ void kept_all_hits_nested_bad(const int *in, int *hits)
{
    int t = blockIdx.x * 64 + threadIdx.x, j = 0;
    for (int y = 0; y < 8; y++) {
        for (int x = 0; x < 9; x++) {
            if (in[y * 8 + x] > t) {
                hits[t * 64 + j] = t; //~ here
                j++;
            }
        }
    }
}

// Clamped on both sides at the end of each iteration.
//~ race-free
__global__ void kept_clamped_ok(const int *in, int *seen, int n)
{
    int t = blockIdx.x * 64 + threadIdx.x, j = 0;
    for (int i = 0; i < n; i++) {
        seen[t * 64 + j] = i;
        j += in[i];
        if (j > 63) j = 63;
        if (j < 0) j = 0;
    }
}

// [sign] On one side only.
//~ race
__global__ void kept_clamped_bad(const int *in, int *seen, int n)
{
    int t = blockIdx.x * 64 + threadIdx.x, j = 0;
    for (int i = 0; i < n; i++) {
        seen[t * 64 + j] = t; //~ here
        j = min(j + in[i * 256 + t], 63);
    }
}

// A ring of 64 places.
//~ race-free
__global__ void kept_ring_ok(const int *in, int *ring, int n)
{
    int t = blockIdx.x * 64 + threadIdx.x, j = 0;
    for (int i = 0; i < n; i++) {
        ring[t * 64 + j] = i;
        if (in[i] > t && ++j == 64) j = 0;
    }
}

// [start] It starts behind its end, and never comes round.
//~ race
__global__ void kept_ring_start_bad(const int *in, int *ring, int n)
{
    int t = blockIdx.x * 64 + threadIdx.x, j = n;
    for (int i = 0; i < 100; i++) {
        ring[t * 64 + j] = t; //~ here
        if (in[i] > t && ++j == 64) j = 0;
    }
}

// The middle of what is left to search stays within the row.
//~ race-free
__global__ void kept_search_ok(const int *in, int *seen)
{
    int t = blockIdx.x * 64 + threadIdx.x, low = 0, high = 63;
    while (low <= high) {
        int middle = (low + high) / 2;
        seen[t * 64 + middle] = t;
        if (in[t * 64 + middle]) low = middle + 1;
        else high = middle - 1;
    }
}

// [off by one] What is found may be one behind the row.
//~ race
__global__ void kept_search_end_bad(const int *in, int *seen)
{
    int t = blockIdx.x * 64 + threadIdx.x, low = 0, high = 64;
    while (low < high) {
        int middle = (low + high) / 2;
        if (in[t * 64 + middle]) low = middle + 1;
        else high = middle;
    }
    seen[t * 64 + low] = t; //~ here
}

// [break] One way out leaves it otherwise than it was at the head.
//~ race
__global__ void kept_break_bad(const int *in, int *seen)
{
    int t = blockIdx.x * 64 + threadIdx.x, j = 0;
    for (int i = 0; i < 64; i++) {
        if (in[t * 64 + i] > 0 && j < 7) j++;
        if (in[t * 64 + i] == 7) {
            j = 8;
            break;
        }
    }
    seen[t * 8 + j] = t; //~ here
}

// [alias] A pointer leads to it, too.
//~ race
__global__ void kept_pointer_bad(const int *in, int *seen)
{
    int t = blockIdx.x * 64 + threadIdx.x, j = 0, *p = &j;
    for (int i = 0; i < 64; i++) {
        if (j < 8) seen[t * 8 + j] = t; //~ here
        if (in[t * 64 + i] > 0) j++;
        if (in[t * 64 + i] == 7) *p = -1;
    }
}

// The place of the largest: below the size of the row, which is not known.
//~ race-free
__global__ void kept_largest_ok(const int *in, int *mark, int n)
{
    int t = blockIdx.x * 64 + threadIdx.x, best = 0;
    for (int i = 1; i < n; i++) {
        if (in[t * n + i] > in[t * n + best]) best = i;
    }
    if (n > 0) mark[t * n + best] = t;
}

// [off by one] The one behind it.
//~ race
__global__ void kept_largest_bad(const int *in, int *mark, int n)
{
    int t = blockIdx.x * 64 + threadIdx.x, best = 0;
    for (int i = 1; i < n; i++) {
        if (in[t * n + i] > in[t * n + best]) best = i + 1;
    }
    if (n > 0) mark[t * n + best] = t; //~ here
}
