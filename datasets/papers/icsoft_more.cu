//--blockDim=64 --gridDim=4
// After Sarkar et al. (ICSOFT 2018), the smaller programs: binomial coefficients (BCM), a cache of
// least recently used lines (LRU), one-dimensional DCT, unstructured adaptive mesh (UA).

// BCM: a row of Pascal's triangle becomes the next one, read and write in phases of their own.
//~ race-free
__global__ void icsoft_bcm_ok(unsigned int *out, int rows)
{
    __shared__ unsigned int c[64];
    int t = threadIdx.x;
    c[t] = t == 0 ? 1 : 0;
    __syncthreads();
    for (int i = 0; i < rows; i++) {
        unsigned int left = t > 0 ? c[t - 1] : 0;
        __syncthreads();
        c[t] += left;
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = c[t];
}

// BCM, write after read: the phases have run together.
//~ race
__global__ void icsoft_bcm_war_bad(unsigned int *out, int rows)
{
    __shared__ unsigned int c2[64];
    int t = threadIdx.x;
    c2[t] = t;
    __syncthreads();
    for (int i = 0; i < rows; i++) {
        unsigned int left = t > 0 ? c2[t - 1] : 0; //~ here
        c2[t] += left; //~ here
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = c2[t];
}

// LRU: each thread ages the lines of a set of its own, 4 lines a set.
//~ race-free
__global__ void icsoft_lru_ok(const int *request, int *line, int *age, int n)
{
    int set = blockIdx.x * 64 + threadIdx.x;
    for (int i = 0; i < n; i++) {
        int want = request[i * 256 + set];
        int oldest = 0;
        for (int w = 1; w < 4; w++) {
            if (age[set * 4 + w] > age[set * 4 + oldest]) oldest = w;
        }
        for (int w = 0; w < 4; w++) age[set * 4 + w] += 1;
        line[set * 4 + (oldest & 3)] = want;
        age[set * 4 + (oldest & 3)] = 0;
    }
}

// LRU, the sets are three lines apart but four lines long.
//~ race
__global__ void icsoft_lru_overlap_bad(const int *request, int *age, int n)
{
    int set = blockIdx.x * 64 + threadIdx.x;
    for (int i = 0; i < n; i++) {
        for (int w = 0; w < 4; w++) age[set * 3 + w] = request[i * 256 + set]; //~ here
    }
}

// LRU, false data locality: a hit leaves the loop early, past the barrier that the misses wait at.
//~ divergence
__global__ void icsoft_lru_hit_bad(const int *request, const int *line, int *slot)
{
    int set = blockIdx.x * 64 + threadIdx.x;
    int found = -1;
    for (int w = 0; w < 4; w++) {
        if (line[set * 4 + w] == request[set]) {
            found = w;
            break;
        }
        __syncthreads(); //~ here
    }
    slot[set] = found;
}

// DCT: 8 coefficients for each of 8 groups, inputs loaded first.
//~ race-free
__global__ void icsoft_dct_ok(const float *in, const float *cosine, float *out)
{
    __shared__ float x[64];
    int t = threadIdx.x;
    int group = t & ~7;
    x[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 8; k++) sum += x[group + k] * cosine[(t & 7) * 8 + k];
    out[blockIdx.x * 64 + t] = sum;
}

// DCT, read after write: barrier removed.
//~ race
__global__ void icsoft_dct_raw_bad(const float *in, const float *cosine, float *out)
{
    __shared__ float x2[64];
    int t = threadIdx.x;
    int group = t & ~7;
    x2[t] = in[blockIdx.x * 64 + t]; //~ here
    float sum = 0.0f;
    for (int k = 0; k < 8; k++) sum += x2[group + k] * cosine[(t & 7) * 8 + k]; //~ here
    out[blockIdx.x * 64 + t] = sum;
}

// UA: contributions of elements to mesh points through an index table, added atomically.
//~ race-free
__global__ void icsoft_ua_ok(const int *vertex, const float *load, float *at_point)
{
    int e = blockIdx.x * 64 + threadIdx.x;
    for (int k = 0; k < 4; k++) atomicAdd(&at_point[vertex[e * 4 + k]], load[e * 4 + k]);
}

// UA, the same added plainly: elements share their points.
//~ race
__global__ void icsoft_ua_plain_bad(const int *vertex, const float *load, float *at_point)
{
    int e = blockIdx.x * 64 + threadIdx.x;
    for (int k = 0; k < 4; k++) at_point[vertex[e * 4 + k]] += load[e * 4 + k]; //~ here
}

// UA, false data locality: only elements marked for refinement come to the barrier.
//~ divergence
__global__ void icsoft_ua_refine_bad(const int *mark, const float *size, float *refined)
{
    __shared__ float edge[64];
    int t = threadIdx.x;
    int e = blockIdx.x * 64 + t;
    edge[t] = size[e];
    if (mark[e]) {
        edge[t] *= 0.5f;
        __syncthreads(); //~ here
    }
    refined[e] = edge[t];
}
