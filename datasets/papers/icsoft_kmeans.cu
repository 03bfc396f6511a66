//--blockDim=128 --gridDim=4 -DK=4
// After Sarkar et al. (ICSOFT 2018), program "K-Means": points choose the nearest of K centres.

// Centres are loaded by the first K threads, barrier, every thread reads all of them; the new sums
// are formed with atomics.
//~ race-free
__global__ void icsoft_kmeans_ok(const float *point, const float *centre, int *label, int *members)
{
    __shared__ float near_to[K];
    int t = threadIdx.x;
    int i = blockIdx.x * 128 + t;
    if (t < K) near_to[t] = centre[t];
    __syncthreads();
    int best = 0;
    float least = fabsf(point[i] - near_to[0]);
    for (int k = 1; k < K; k++) {
        float d = fabsf(point[i] - near_to[k]);
        if (d < least) {
            least = d;
            best = k;
        }
    }
    label[i] = best;
    atomicAdd(&members[best], 1);
}

// Seed 1, read after write: centres are used before the first threads have loaded them.
//~ race
__global__ void icsoft_kmeans_raw_bad(const float *point, const float *centre, int *label)
{
    __shared__ float near_to2[K];
    int t = threadIdx.x;
    int i = blockIdx.x * 128 + t;
    if (t < K) near_to2[t] = centre[t]; //~ here
    int best = 0;
    float least = fabsf(point[i] - near_to2[0]); //~ here
    for (int k = 1; k < K; k++) {
        float d = fabsf(point[i] - near_to2[k]); //~ here
        if (d < least) {
            least = d;
            best = k;
        }
    }
    label[i] = best;
}

// Seed 3, write after write: members are counted without an atomic; the count is read and written by
// all threads that chose the same centre.
//~ race
__global__ void icsoft_kmeans_count_bad(const int *label, int *members)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    members[label[i]] += 1; //~ here
}

// Seed 4, false data locality: only threads whose label changed reach the barrier.
//~ divergence
__global__ void icsoft_kmeans_locality_bad(const int *old_label, const int *new_label, int *moved)
{
    __shared__ int change[128];
    int t = threadIdx.x;
    int i = blockIdx.x * 128 + t;
    change[t] = 0;
    if (old_label[i] != new_label[i]) {
        change[t] = 1;
        __syncthreads(); //~ here
    }
    moved[i] = change[t];
}
