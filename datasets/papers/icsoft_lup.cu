//--blockDim=[16,16] --gridDim=4
// After Sarkar et al. (ICSOFT 2018), program "LUP": elimination of a 16 x 16 matrix per block.

// Pivot row and factor column of step k are read only in step k's second phase; the factors are
// computed in the first.
//~ race-free
__global__ void icsoft_lup_ok(float *matrix)
{
    __shared__ float m[16][16];
    int c = threadIdx.x;
    int r = threadIdx.y;
    int at = blockIdx.x * 256 + r * 16 + c;
    m[r][c] = matrix[at];
    __syncthreads();
    for (int k = 0; k < 15; k++) {
        if (c == k && r > k) m[r][k] = m[r][k] / m[k][k];
        __syncthreads();
        if (c > k && r > k) m[r][c] -= m[r][k] * m[k][c];
        __syncthreads();
    }
    matrix[at] = m[r][c];
}

// Seed 1, read after write: the update reads the factor of its row, which thread (k, r) computes.
//~ race
__global__ void icsoft_lup_raw_bad(float *matrix)
{
    __shared__ float m2[16][16];
    int c = threadIdx.x;
    int r = threadIdx.y;
    int at = blockIdx.x * 256 + r * 16 + c;
    m2[r][c] = matrix[at];
    __syncthreads();
    for (int k = 0; k < 15; k++) {
        if (c == k && r > k) m2[r][k] = m2[r][k] / m2[k][k]; //~ here
        if (c > k && r > k) m2[r][c] -= m2[r][k] * m2[k][c]; //~ here
        __syncthreads();
    }
    matrix[at] = m2[r][c];
}

// Seed 2, write after read, carried: the factors of step k + 1 are computed from elements that step k
// still updates, and its pivot row is still being written.
//~ race
__global__ void icsoft_lup_war_bad(float *matrix)
{
    __shared__ float m3[16][16];
    int c = threadIdx.x;
    int r = threadIdx.y;
    int at = blockIdx.x * 256 + r * 16 + c;
    m3[r][c] = matrix[at];
    __syncthreads();
    for (int k = 0; k < 15; k++) {
        if (c == k && r > k) m3[r][k] = m3[r][k] / m3[k][k]; //~ here
        __syncthreads();
        if (c > k && r > k) m3[r][c] -= m3[r][k] * m3[k][c]; //~ here
    }
    __syncthreads();
    matrix[at] = m3[r][c];
}

// Seed 3, write after write: rows are swapped by their column's threads, but both the thread of the
// lower row and that of the upper one store the pair, each as it sees it.
//~ race
__global__ void icsoft_lup_waw_bad(float *matrix, int upper, int lower)
{
    __shared__ float m4[16][16];
    int c = threadIdx.x;
    int r = threadIdx.y;
    int at = blockIdx.x * 256 + r * 16 + c;
    m4[r][c] = matrix[at];
    __syncthreads();
    float own = m4[r][c];
    __syncthreads();
    if (r == upper || r == lower) {
        m4[upper][c] = own; //~ here
        m4[lower][c] = -own; //~ here
    }
    __syncthreads();
    matrix[at] = m4[r][c];
}

// Seed 4, false data locality: the pivot test looks at the thread's own row, and the barrier of the
// step is reached only by rows that pass it.
//~ divergence
__global__ void icsoft_lup_locality_bad(float *matrix)
{
    __shared__ float m5[16][16];
    int c = threadIdx.x;
    int r = threadIdx.y;
    int at = blockIdx.x * 256 + r * 16 + c;
    m5[r][c] = matrix[at];
    float pivot = m5[r][c];
    if (pivot > 1.0f) {
        m5[r][c] = 1.0f / pivot;
        __syncthreads(); //~ here
    }
    matrix[at] = m5[r][c];
}
