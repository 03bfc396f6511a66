// Construct: pointer arguments that host code moves about

#include <utility>

// Swapped after each launch: never the same.
//~ race-free
__global__ void launch_swap_ok(int *out, const int *in)
{
    int t = threadIdx.x;
    out[t] = in[63 - t];
}

// [alias] After the first swap both are the same.
//~ assumed_race
__global__ void launch_swap_bad(int *out, const int *in)
{
    int t = threadIdx.x;
    out[t] = in[63 - t]; //~ here
}

// Swapped by hand, every other round.
//~ race-free
__global__ void launch_swap_by_hand_ok(int *out, const int *in)
{
    int t = threadIdx.x;
    out[t] = in[63 - t];
}

// One of two buffers is read, the other written.
//~ race-free
__global__ void launch_flip_ok(int *out, const int *in)
{
    int t = threadIdx.x;
    out[t] = in[63 - t];
}

// [alias] The positions are not known to differ.
//~ assumed_race
__global__ void launch_flip_bad(int *out, const int *in)
{
    int t = threadIdx.x;
    out[t] = in[63 - t]; //~ here
}

// The round decides which is which.
//~ race-free
__global__ void launch_turn_ok(int *out, const int *in)
{
    int t = threadIdx.x;
    out[t] = in[63 - t];
}

// [alias] Both go by the same side of the round.
//~ race
__global__ void launch_turn_bad(int *out, const int *in)
{
    int t = threadIdx.x;
    out[t] = in[63 - t]; //~ here
}

// Two members of one object.
//~ race-free
__global__ void launch_members_ok(int *out, const int *in)
{
    int t = threadIdx.x;
    out[t] = in[63 - t];
}

// [alias] One member was copied to the other.
//~ race
__global__ void launch_members_bad(int *out, const int *in)
{
    int t = threadIdx.x;
    out[t] = in[63 - t]; //~ here
}

// The helper returns another allocation each time.
//~ race-free
__global__ void launch_returned_ok(int *out, const int *in)
{
    int t = threadIdx.x;
    out[t] = in[63 - t];
}

// [alias] The helper returns what it was given.
//~ race
__global__ void launch_returned_bad(int *out, const int *in)
{
    int t = threadIdx.x;
    out[t] = in[63 - t]; //~ here
}

// Bytes, not elements: the second half of one allocation.
//~ race-free
__global__ void launch_bytes_ok(int *out, const int *in)
{
    int t = threadIdx.x;
    out[t] = in[63 - t];
}

// [alias] 64 bytes on are 16 elements.
//~ race
__global__ void launch_bytes_bad(int *out, const int *in)
{
    int t = threadIdx.x;
    out[t] = in[t]; //~ here
}

// An allocation for each element of the table.
//~ race-free
__global__ void launch_table_ok(int *out, const int *in)
{
    int t = threadIdx.x;
    out[t] = in[63 - t];
}

// [alias] The same element twice, under two names of its position.
//~ race
__global__ void launch_table_bad(int *out, const int *in)
{
    int t = threadIdx.x;
    out[t] = in[63 - t]; //~ here
}

struct LaunchPair {
    int *a;
    int *b;
};

// The members of a class that is passed by value.
//~ race-free
__global__ void launch_by_value_ok(LaunchPair pair)
{
    int t = threadIdx.x;
    pair.a[t] = pair.b[63 - t];
}

// [alias] Both members hold one allocation.
//~ race
__global__ void launch_by_value_bad(LaunchPair pair)
{
    int t = threadIdx.x;
    pair.a[t] = pair.b[63 - t]; //~ here
}

__device__ int launch_symbol[64];

// [alias] The argument is the address of the device variable.
//~ assumed_race
__global__ void launch_symbol_bad(const int *in)
{
    int t = threadIdx.x;
    launch_symbol[t] = in[63 - t]; //~ here
}

// Both are read only: it does not matter that they are the same.
//~ race-free
__global__ void launch_read_twice_ok(int *out, const int *p, const int *q)
{
    int t = threadIdx.x;
    out[t] = p[63 - t] + q[t];
}

static int *launch_new(int n)
{
    int *p;
    cudaMalloc((void **)&p, n * sizeof(int));
    return p;
}

static int *launch_same(int *p)
{
    return p;
}

int main(int argc, char **argv)
{
    int *d = launch_new(128), *e = launch_new(128);
    int rounds = argc;
    for (int i = 0; i < rounds; i++) {
        launch_swap_ok<<<1, 64>>>(d, e);
        std::swap(d, e);
    }
    int *x = d, *y = e;
    for (int i = 0; i < rounds; i++) {
        launch_swap_bad<<<1, 64>>>(x, y);
        x = y;
        y = d;
    }
    for (int i = 0; i < rounds; i++) {
        if (i % 2) {
            int *kept = d;
            d = e;
            e = kept;
        }
        launch_swap_by_hand_ok<<<1, 64>>>(d, e);
    }
    int *both[2] = {d, e};
    int turn = argc & 1;
    launch_flip_ok<<<1, 64>>>(both[turn], both[1 - turn]);
    launch_flip_bad<<<1, 64>>>(both[turn], both[argc > 3]);
    launch_turn_ok<<<1, 64>>>(turn ? d : e, turn ? e : d);
    launch_turn_bad<<<1, 64>>>(turn ? d : e, turn ? d : e);

    LaunchPair pair;
    cudaMalloc(&pair.a, 512);
    cudaMalloc(&pair.b, 512);
    launch_members_ok<<<1, 64>>>(pair.a, pair.b);
    launch_by_value_ok<<<1, 64>>>(pair);
    pair.b = pair.a;
    launch_members_bad<<<1, 64>>>(pair.a, pair.b);
    launch_by_value_bad<<<1, 64>>>(pair);

    launch_returned_ok<<<1, 64>>>(launch_new(64), launch_new(64));
    launch_returned_bad<<<1, 64>>>(d, launch_same(d));

    char *raw = (char *)launch_new(128);
    launch_bytes_ok<<<1, 64>>>((int *)raw, (int *)(raw + 64 * sizeof(int)));
    launch_bytes_bad<<<1, 64>>>((int *)raw, (int *)(raw + 64));

    int *table[4];
    for (int i = 0; i < 4; i++) cudaMalloc(&table[i], 512);
    launch_table_ok<<<1, 64>>>(table[0], table[1]);
    int last = 3;
    launch_table_bad<<<1, 64>>>(table[3], table[last]);

    int *address;
    cudaGetSymbolAddress((void **)&address, launch_symbol);
    launch_symbol_bad<<<1, 64>>>(address);
    launch_read_twice_ok<<<1, 64>>>(launch_new(64), argc > 4 ? d : e, d);
    return 0;
}
