//--blockDim=128 --gridDim=4
// After Sarkar et al. (ICSOFT 2018), table 2: programs with all their seeded errors at once, to be found in one run. A seed is a
// barrier that was removed (read after write, write after read, write after write) or a branch that is
// taken for equal in all threads and holds a barrier ("false data locality"). The counts are the paper's.

// HC, heat conduction in a rod: six races.
//~ race
__global__ void icsoft_hc_races_bad(const float *rod, float *out, int steps)
{
    __shared__ float heat[130], next[128], flux[129], hottest;
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    heat[t + 1] = rod[i]; /* seed 1 */ //~ here
    float left = heat[t]; /* seed 1 */ //~ here
    __syncthreads();
    next[t] = left; /* seed 2 */ //~ here
    next[127 - t] = left * 0.5f; /* seed 2 */ //~ here
    __syncthreads();
    for (int s = 0; s < steps; s++) {
        float right = heat[t + 2]; /* seed 4 */ //~ here
        flux[t] = heat[t + 1] - right; /* seed 3 */ //~ here
        __syncthreads();
        float in = flux[t] - flux[t + 1]; /* seed 3 */ //~ here
        heat[t + 1] = heat[t + 1] + in; /* seed 4 */ //~ here
    }
    __syncthreads();
    if (heat[t + 1] > 100.0f) hottest = heat[t + 1]; /* seed 5 */ //~ here
    __syncthreads();
    out[i] = hottest; /* seed 6 */ //~ here
    hottest = left; /* seed 6 */ //~ here
}

// HC: five divergent barriers.
//~ divergence
__global__ void icsoft_hc_divergent_bad(const float *rod, float *out, int steps)
{
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    float x = rod[i];
    if (x > 0.0f) __syncthreads(); /* seed 1 */ //~ here
    for (int s = 0; s < steps; s++) {
        if (rod[i + s] < 1.0f) {
            x += 1.0f;
            __syncthreads(); /* seed 2 */ //~ here
        }
    }
    for (int s = 0; s < t; s++) {
        x += rod[s];
        __syncthreads(); /* seed 3 */ //~ here
    }
    if (t < 64) {
        x *= 2.0f;
        __syncthreads(); /* seed 4 */ //~ here
    }
    if (t == 127) return;
    __syncthreads(); /* seed 5 */ //~ here
    out[i] = x;
}

// DCT of 16 blocks of 8 values: two races.
//~ race
__global__ void icsoft_dct_races_bad(const float *in, const float *cosine, float *out)
{
    __shared__ float value[128], turned[128];
    int t = threadIdx.x, base = t / 8 * 8, k = t % 8, i = blockIdx.x * 128 + t;
    value[t] = in[i]; /* seed 1 */ //~ here
    float sum = 0.0f;
    for (int j = 0; j < 8; j++) sum += value[base + j] * cosine[j * 8 + k]; /* seed 1 */ //~ here
    __syncthreads();
    turned[k * 16 + t / 8] = sum; /* seed 2 */ //~ here
    out[i] = turned[t]; /* seed 2 */ //~ here
}

// DCT: two divergent barriers.
//~ divergence
__global__ void icsoft_dct_divergent_bad(const float *in, float *out)
{
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    float x = in[i];
    if (t % 8 == 0) {
        x = x * 0.5f;
        __syncthreads(); /* seed 1 */ //~ here
    }
    while (x > 1.0f) {
        x = x * 0.25f;
        __syncthreads(); /* seed 2 */ //~ here
    }
    out[i] = x;
}

// LUP, elimination of a matrix of 128 columns, a column each: five races.
//~ race
__global__ void icsoft_lup_races_bad(float *m, int *rows, int steps)
{
    __shared__ float factor[128], pivot, row[128];
    __shared__ int best;
    int t = threadIdx.x;
    m += blockIdx.x * 128 * 128;
    for (int k = 0; k < steps && k < 128; k++) {
        if (t == k) pivot = m[k * 128 + k]; /* seed 1 */ //~ here
        factor[t] = m[t * 128 + k] / pivot; /* seed 1 */ //~ here
        __syncthreads();
        row[t] = m[k * 128 + t] - factor[127 - t] * pivot; /* seed 3 */ //~ here
        m[k * 128 + t] = row[t] + row[(t + 1) % 128]; /* seed 3 */ //~ here
        __syncthreads();
        if (k > 0 && best == t) m[t * 128 + k] = 0.0f; /* seed 2 */ //~ here
        if (factor[t] > 0.5f) best = t; /* seed 2 seed 4 */ //~ here
        __syncthreads();
    }
    rows[blockIdx.x * 128 + best] = t; /* seed 5 */ //~ here
}

// LUP: three divergent barriers.
//~ divergence
__global__ void icsoft_lup_divergent_bad(const float *m, float *out, int steps)
{
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    float x = m[i];
    for (int k = 0; k < steps; k++) {
        if (m[i + k] == 0.0f) continue;
        x = x / m[i + k];
        __syncthreads(); /* seed 1 */ //~ here
    }
    if (t > 3) {
        x += 1.0f;
        __syncthreads(); /* seed 2 */ //~ here
    }
    for (int k = t; k < 128; k++) {
        x -= m[k];
        __syncthreads(); /* seed 3 */ //~ here
    }
    out[i] = x;
}

// MIN_MAX: three races.
//~ race
__global__ void icsoft_minmax_races_bad(const int *in, int *least, int *greatest, int rounds)
{
    __shared__ int low[128], high;
    int t = threadIdx.x;
    for (int r = 0; r < rounds; r++) {
        low[t] = in[(blockIdx.x * rounds + r) * 128 + t]; /* seed 1 */ //~ here
        __syncthreads();
        for (int k = 64; k > 0; k /= 2) {
            if (t < k) low[t] = min(low[t], low[t + k]); /* seed 2 */ //~ here
        }
        __syncthreads();
        if (low[t] > 0) high = low[t]; /* seed 3 */ //~ here
        __syncthreads();
        least[blockIdx.x] = low[0]; /* seed 1 */ //~ here
    }
    if (t == 0) greatest[blockIdx.x] = high;
}

// MIN_MAX: one divergent barrier.
//~ divergence
__global__ void icsoft_minmax_divergent_bad(const int *in, int *out, int bound)
{
    int t = threadIdx.x, i = blockIdx.x * 128 + t, x = in[i];
    if (x < bound) {
        x = bound;
        __syncthreads(); /* seed 1 */ //~ here
    }
    out[i] = x;
}

// UA, an unstructured mesh: five races.
//~ race
__global__ void icsoft_ua_races_bad(const int *vertex, const float *load, float *at_point, int *refined, int *error)
{
    __shared__ float face[128], corner[128];
    __shared__ int marked, list[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    at_point[vertex[i]] += load[i]; /* seed 1 */ //~ here
    face[t] = load[i]; /* seed 2 */ //~ here
    corner[t] = face[(t + 3) % 128]; /* seed 2 seed 3 */ //~ here
    corner[(t + 1) % 128] = load[i] * 2.0f; /* seed 3 */ //~ here
    if (t == 0) marked = 0;
    __syncthreads();
    if (corner[t] > 1.0f) {
        int slot = marked++; /* seed 4 */ //~ here
        list[slot % 128] = t;
    }
    __syncthreads();
    refined[i] = list[t];
    if (corner[t] < 0.0f) error[0] = i; /* seed 5 */ //~ here
}

// UA: four divergent barriers.
//~ divergence
__global__ void icsoft_ua_divergent_bad(const int *mark, const int *level, float *out, int n)
{
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    float x = 0.0f;
    switch (mark[i]) {
    case 1:
        x = 1.0f;
        __syncthreads(); /* seed 1 */ //~ here
        break;
    default:
        x = 2.0f;
        break;
    }
    for (int l = 0; l < level[i]; l++) {
        x *= 2.0f;
        __syncthreads(); /* seed 2 */ //~ here
    }
    if (i < n) {
        x += 1.0f;
        __syncthreads(); /* seed 3 */ //~ here
    }
    if (level[i] == 0) return;
    __syncthreads(); /* seed 4 */ //~ here
    out[i] = x;
}
