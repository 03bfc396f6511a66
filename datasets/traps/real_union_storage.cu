//--blockDim=64 --gridDim=1
// Shape of real bugs: shared union storage reused between tiles

union TileStorage {
    int load[64];
    int scan[64];
};

// [alias] The members share their bytes: the scan phase overwrites what other threads still load.
//~ race
__global__ void real_union_storage_bad(const int *g, int *out)
{
    __shared__ TileStorage u;
    int t = threadIdx.x;
    u.load[t] = g[t];
    __syncthreads();
    int v = u.load[63 - t]; //~ here
    u.scan[t] = v; //~ here
    __syncthreads();
    out[t] = u.scan[63 - t];
}

// A barrier before the storage is used anew.
//~ race-free
__global__ void real_union_storage_ok(const int *g, int *out)
{
    __shared__ TileStorage u;
    int t = threadIdx.x;
    u.load[t] = g[t];
    __syncthreads();
    int v = u.load[63 - t];
    __syncthreads();
    u.scan[t] = v;
    __syncthreads();
    out[t] = u.scan[63 - t];
}

// [alias] The same by hand: one array, two names.
//~ race
__global__ void real_reused_buffer_bad(const int *g, int *out)
{
    __shared__ int store[64];
    int *load = store;
    unsigned *scan = (unsigned *)store;
    int t = threadIdx.x;
    load[t] = g[t];
    __syncthreads();
    int v = load[63 - t]; //~ here
    scan[t] = v; //~ here
    __syncthreads();
    out[t] = scan[63 - t];
}
