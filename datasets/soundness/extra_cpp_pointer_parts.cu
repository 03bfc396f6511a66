//--blockDim=64 --gridDim=1
// Extra: pointers in memory that threads write in parts, through views of them or of what they lie in, at places that vary

struct Pair { int *p; int *q; };

struct Long { int *p; int data[14]; };

struct Table { int *p; int data[14]; int *q; };

// [overwritten-pointer] Two threads copy the halves of a pointer.
//~ fn_race
__global__ void part_int_bad()
{
    __shared__ int a[64], b[64];
    __shared__ int *p, *q;
    int t = threadIdx.x;
    if (t == 0) {
        p = b;
        q = a;
    }
    __syncthreads();
    if (t < 2) ((int *)&p)[t] = ((int *)&q)[t];
    __syncthreads();
    a[t] = t;
    p[63 - t] = t + 100;
}

// [overwritten-pointer] An object with pointers in it is copied as `short`.
//~ fn_race
__global__ void part_short_bad()
{
    __shared__ int a[64], b[64];
    __shared__ Pair pair, other;
    int t = threadIdx.x;
    if (t == 0) {
        pair.p = b;
        pair.q = b;
        other.p = a;
        other.q = a;
    }
    __syncthreads();
    if (t < 8) ((short *)&pair)[t] = ((short *)&other)[t];
    __syncthreads();
    a[t] = t;
    pair.p[63 - t] = t + 100;
}

// [overwritten-pointer] An object with pointers in it is copied as `int2`.
//~ fn_race
__global__ void part_int2_bad()
{
    __shared__ int a[64], b[64];
    __shared__ Pair pair, other;
    int t = threadIdx.x;
    if (t == 0) {
        pair.p = b;
        pair.q = b;
        other.p = a;
        other.q = a;
    }
    __syncthreads();
    if (t < 2) ((int2 *)&pair)[t] = ((int2 *)&other)[t];
    __syncthreads();
    a[t] = t;
    pair.p[63 - t] = t + 100;
}

// [overwritten-pointer] An object with pointers in it is copied as `float2`.
//~ fn_race
__global__ void part_float2_bad()
{
    __shared__ int a[64], b[64];
    __shared__ Pair pair, other;
    int t = threadIdx.x;
    if (t == 0) {
        pair.p = b;
        pair.q = b;
        other.p = a;
        other.q = a;
    }
    __syncthreads();
    if (t < 2) ((float2 *)&pair)[t] = ((float2 *)&other)[t];
    __syncthreads();
    a[t] = t;
    pair.p[63 - t] = t + 100;
}

// [overwritten-pointer] An object with pointers in it is copied as `int4`.
//~ fn_race
__global__ void part_int4_bad()
{
    __shared__ int a[64], b[64];
    __shared__ Pair pair, other;
    int t = threadIdx.x;
    if (t == 0) {
        pair.p = b;
        pair.q = b;
        other.p = a;
        other.q = a;
    }
    __syncthreads();
    if (t < 1) ((int4 *)&pair)[t] = ((int4 *)&other)[t];
    __syncthreads();
    a[t] = t;
    pair.p[63 - t] = t + 100;
}

// [overwritten-pointer] An object with pointers in it is copied as `double`.
//~ fn_race
__global__ void part_double_bad()
{
    __shared__ int a[64], b[64];
    __shared__ Pair pair, other;
    int t = threadIdx.x;
    if (t == 0) {
        pair.p = b;
        pair.q = b;
        other.p = a;
        other.q = a;
    }
    __syncthreads();
    if (t < 2) ((double *)&pair)[t] = ((double *)&other)[t];
    __syncthreads();
    a[t] = t;
    pair.p[63 - t] = t + 100;
}

// [overwritten-pointer] An object with pointers in it is copied as integers as wide as they are.
//~ fn_race
__global__ void part_long_bad()
{
    __shared__ int a[64], b[64];
    __shared__ Pair pair, other;
    int t = threadIdx.x;
    if (t == 0) {
        pair.p = b;
        pair.q = b;
        other.p = a;
        other.q = a;
    }
    __syncthreads();
    if (t < 2) ((long long *)&pair)[t] = ((long long *)&other)[t];
    __syncthreads();
    a[t] = t;
    pair.p[63 - t] = t + 100;
}

// [overwritten-pointer] One thread copies the words of a pointer in a loop.
//~ fn_race
__global__ void part_loop_bad()
{
    __shared__ int a[64], b[64];
    __shared__ Pair pair, other;
    int t = threadIdx.x;
    if (t == 0) {
        pair.p = b;
        pair.q = b;
        other.p = a;
        other.q = a;
    }
    __syncthreads();
    if (t == 0) {
        for (int i = 0; i < 2; i++) ((int *)&pair)[i] = ((int *)&other)[i];
    }
    __syncthreads();
    a[t] = t;
    pair.p[63 - t] = t + 100;
}

// [overwritten-pointer] The threads of a block copy an object, word by word.
//~ fn_race
__global__ void part_stride_bad()
{
    __shared__ int a[64], b[64];
    __shared__ Pair pair, other;
    int t = threadIdx.x;
    if (t == 0) {
        pair.p = b;
        pair.q = b;
        other.p = a;
        other.q = a;
    }
    __syncthreads();
    for (int i = t; i < sizeof(Pair) / 4; i += blockDim.x) ((int *)&pair)[i] = ((int *)&other)[i];
    __syncthreads();
    a[t] = t;
    pair.p[63 - t] = t + 100;
}

// [overwritten-pointer] The words are exchanged atomically.
//~ fn_race
__global__ void part_atomic_bad()
{
    __shared__ int a[64], b[64];
    __shared__ Pair pair, other;
    int t = threadIdx.x;
    if (t == 0) {
        pair.p = b;
        pair.q = b;
        other.p = a;
        other.q = a;
    }
    __syncthreads();
    if (t < 4) atomicExch((int *)&pair + t, ((int *)&other)[t]);
    __syncthreads();
    a[t] = t;
    pair.p[63 - t] = t + 100;
}

// [overwritten-pointer] Each thread copies one word with `memcpy`.
//~ fn_race
__global__ void part_memcpy_bad()
{
    __shared__ int a[64], b[64];
    __shared__ Pair pair, other;
    int t = threadIdx.x;
    if (t == 0) {
        pair.p = b;
        pair.q = b;
        other.p = a;
        other.q = a;
    }
    __syncthreads();
    if (t < 4) memcpy((int *)&pair + t, (int *)&other + t, 4);
    __syncthreads();
    a[t] = t;
    pair.p[63 - t] = t + 100;
}

// [overwritten-pointer] An array of words that holds pointers is copied inside itself.
//~ fn_race
__global__ void part_raw_bad()
{
    __shared__ int a[64], b[64];
    __shared__ __align__(16) int raw[6];
    int **view = (int **)raw;
    int t = threadIdx.x;
    if (t == 0) {
        view[0] = b;
        view[1] = a;
    }
    __syncthreads();
    if (t < 2) raw[t] = raw[t + 2];
    __syncthreads();
    a[t] = t;
    view[0][63 - t] = t + 100;
}

// [overwritten-pointer] What is written lies in front of an array of the object, which is moved back to its beginning.
//~ fn_race
__global__ void part_before_bad()
{
    __shared__ int a[64], b[64];
    __shared__ Long one, other;
    int t = threadIdx.x;
    if (t == 0) {
        one.p = b;
        other.p = a;
    }
    __syncthreads();
    int *words = one.data;
    if (t < 2) words[t - 2] = ((int *)&other)[t];
    __syncthreads();
    a[t] = t;
    one.p[63 - t] = t + 100;
}

// [overwritten-pointer] The index is a small one only as its arithmetic wraps.
//~ fn_race
__global__ void part_wrapped_bad()
{
    __shared__ int a[64], b[64];
    __shared__ Pair pair, other;
    int t = threadIdx.x;
    if (t == 0) {
        pair.p = b;
        pair.q = b;
        other.p = a;
        other.q = a;
    }
    __syncthreads();
    unsigned at = t * 3u;
    at *= 0xaaaaaaabu;
    if (at < 4u) ((int *)&pair)[at] = ((int *)&other)[t];
    __syncthreads();
    a[t] = t;
    pair.p[63 - t] = t + 100;
}

// [overwritten-pointer] The index is a truth value.
//~ fn_race
__global__ void part_flag_bad()
{
    __shared__ int a[64], b[64];
    __shared__ Pair pair, other;
    int t = threadIdx.x;
    if (t == 0) {
        pair.p = b;
        pair.q = b;
        other.p = a;
        other.q = a;
    }
    __syncthreads();
    bool second = t * 2;
    if (t < 2) ((int *)&pair)[second] = ((int *)&other)[second];
    __syncthreads();
    a[t] = t;
    pair.p[63 - t] = t + 100;
}

// [overwritten-pointer] A pointer of a table is copied onto the next one.
//~ fn_race
__global__ void part_rows_bad(int **rows)
{
    int t = threadIdx.x;
    if (t < 2) ((int *)(rows + 1))[t] = ((int *)rows)[t];
    __syncthreads();
    rows[1][t] = t;
    rows[0][63 - t] = t + 100;
}

// [overwritten-pointer] Whole objects in global memory are copied in words.
//~ fn_race
__global__ void part_object_bad(Pair *pairs)
{
    int t = threadIdx.x;
    if (t < sizeof(Pair) / 4) ((int *)(pairs + 1))[t] = ((int *)pairs)[t];
    __syncthreads();
    pairs[1].p[t] = t;
    pairs[0].p[63 - t] = t + 100;
}

// [overwritten-pointer] The object that is copied onto, and read from, is one that the host chooses.
//~ race
__global__ void part_varying_bad(Pair *pairs, int i)
{
    int t = threadIdx.x;
    if (t < sizeof(Pair) / 4) ((int *)(pairs + i))[t] = ((int *)pairs)[t];
    __syncthreads();
    pairs[i].p[t] = t; //~ here
    pairs[0].p[63 - t] = t + 100; //~ here
}

// The array behind the pointer is written: the pointer keeps its value.
//~ race-free
__global__ void part_behind_ok()
{
    __shared__ int b[64];
    __shared__ Long one;
    int t = threadIdx.x;
    if (t == 0) one.p = b;
    if (t < 14) one.data[t] = t;
    __syncthreads();
    one.p[t] = t;
}

// [neighbour] The same, where neighbours write one element.
//~ race
__global__ void part_behind_bad()
{
    __shared__ int b[64];
    __shared__ Long one;
    int t = threadIdx.x;
    if (t == 0) one.p = b;
    if (t < 14) one.data[t / 2] = t; //~ here
    __syncthreads();
    one.p[t] = t;
}

// A member of each object is written, which no pointer of another one shares bytes with.
//~ race-free
__global__ void part_member_ok(Long *rows)
{
    int t = threadIdx.x;
    rows[t].data[0] = t;
    __syncthreads();
    rows[0].p[t] = t;
}

// The array lies between two pointers, and the index stays inside.
//~ race-free
__global__ void part_between_ok()
{
    __shared__ int b[64];
    __shared__ Table one;
    int t = threadIdx.x;
    if (t == 0) {
        one.p = b;
        one.q = b;
    }
    if (t < 14) one.data[t] = t;
    __syncthreads();
    one.q[t] = t;
}

// The array lies between two pointers of one of many objects.
//~ race-free
__global__ void part_row_array_ok(Table *tables, int k)
{
    int t = threadIdx.x;
    if (t < 14) tables[k].data[t] = t;
    __syncthreads();
    tables[0].p[t] = t;
}
