// Stream compaction: kept elements move to the front. No launch is stated: the labels hold for
// every block and grid size.

// idx is read from memory: without a property of its contents two kept elements may share a place.
//~ race
__global__ void compact_index_bad(const int *in, const int *keep, const int *idx, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (keep[i]) out[idx[i]] = in[i]; //~ here
    }
}

// The same with the property given.
//~ race-free
__global__ void compact_index_distinct_ok(const int *in, const int *keep, const int *place, int *out, int n)
{
    // warplog: distinct place
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (keep[i]) out[place[i]] = in[i];
    }
}

// Places drawn from one counter: atomicAdd of one gives every execution its own.
//~ race-free
__global__ void compact_ticket_ok(const int *in, int *out, unsigned int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (in[i] > 0) {
            unsigned int place = atomicAdd(count, 1);
            out[place] = in[i];
        }
    }
}

// The counter is read and stored, not added to: two threads draw one place.
//~ race
__global__ void compact_ticket_plain_bad(const int *in, int *out, unsigned int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (in[i] > 0) {
            unsigned int place = *count; //~ here
            *count = place + 1; //~ here
            out[place] = in[i]; //~ here
        }
    }
}
