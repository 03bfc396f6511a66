//--blockDim=64 --gridDim=1
// Construct: pointers to two arrays that are exchanged round a loop

// Both pointers change arrays at the end of each round, behind the barrier.
//~ race-free
__global__ void exchanged_ok(int *out, int n)
{
    __shared__ int a[64], b[64];
    int *from = a, *to = b;
    int t = threadIdx.x;
    from[t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        to[t] = from[63 - t];
        __syncthreads();
        int *swap = from;
        from = to;
        to = swap;
    }
    out[t] = from[63 - t];
}

// [double-buffer] No barrier is between what the last round writes and its being read after the loop.
//~ race
__global__ void exchanged_after_bad(int *out, int n)
{
    __shared__ int a[64], b[64];
    int *from = a, *to = b;
    int t = threadIdx.x;
    from[t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        __syncthreads();
        to[t] = from[63 - t]; //~ here
        int *swap = from;
        from = to;
        to = swap;
    }
    out[t] = from[63 - t]; //~ here
}

// [double-buffer] Exchanged before they are used, the names mean the opposite: what is written is read beside.
//~ race
__global__ void exchanged_early_bad(int *out, int n)
{
    __shared__ int a[64], b[64];
    int *from = a, *to = b;
    int t = threadIdx.x;
    from[t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        int *swap = from;
        from = to;
        to = swap;
        to[t] = to[63 - t] + from[t]; //~ here
        __syncthreads();
    }
    out[t] = from[t];
}

// [double-buffer] Exchanged twice is not exchanged: the round after writes what may still be read.
//~ race
__global__ void exchanged_twice_bad(int *out, int n)
{
    __shared__ int a[64], b[64];
    int *from = a, *to = b;
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < n; i++) {
        int *swap = from;
        from = to;
        to = swap;
        to[t] = i; //~ here
        __syncthreads();
        x += to[63 - t]; //~ here
        swap = from;
        from = to;
        to = swap;
    }
    out[t] = x;
}

// The read behind the barrier is of the array that the next round does not write.
//~ race-free
__global__ void exchanged_one_barrier_ok(int *out, int n)
{
    __shared__ int a[64], b[64];
    int *from = a, *to = b;
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < n; i++) {
        int *swap = from;
        from = to;
        to = swap;
        to[t] = i;
        __syncthreads();
        x += to[63 - t];
    }
    out[t] = x;
}

// [double-buffer] One pointer only: both lead to b after the first round.
//~ race
__global__ void exchanged_half_bad(int *out, int n)
{
    __shared__ int a[64], b[64];
    int *from = a, *to = b;
    int t = threadIdx.x;
    from[t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        to[t] = from[63 - t]; //~ here
        __syncthreads();
        from = to;
    }
    out[t] = from[t];
}

// The input is read in the first round only, then two arrays in turn.
//~ race-free
__global__ void exchanged_input_ok(const int *in, int *out, int n)
{
    __shared__ int a[64], b[64];
    const int *from = in;
    int *to = a, *other = b;
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        to[t] = from[63 - t];
        __syncthreads();
        from = to;
        int *swap = to;
        to = other;
        other = swap;
    }
    out[t] = from[t];
}

// [double-buffer] Only one array besides the input.
//~ race
__global__ void exchanged_input_bad(const int *in, int *out, int n)
{
    __shared__ int a[64];
    const int *from = in;
    int *to = a;
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        to[t] = from[63 - t]; //~ here
        __syncthreads();
        from = to;
    }
    out[t] = from[t];
}

// Three arrays in turn need no second barrier: the one that is written was read two rounds before.
//~ race-free
__global__ void rotated_ok(int *out, int n)
{
    __shared__ int a[64], b[64], c[64];
    int *p = a, *q = b, *r = c;
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < n; i++) {
        p[t] = i;
        __syncthreads();
        x += p[63 - t] + r[63 - t];
        int *first = p;
        p = q;
        q = r;
        r = first;
    }
    out[t] = x;
}

// [double-buffer] What the next round writes is read too.
//~ race
__global__ void rotated_bad(int *out, int n)
{
    __shared__ int a[64], b[64], c[64];
    int *p = a, *q = b, *r = c;
    int t = threadIdx.x, x = 0;
    q[t] = 0;
    r[t] = 0;
    for (int i = 0; i < n; i++) {
        p[t] = i; //~ here
        __syncthreads();
        x += p[63 - t] + q[63 - t]; //~ here
        int *first = p;
        p = q;
        q = r;
        r = first;
    }
    out[t] = x;
}

__device__ void exchange(int *&one, int *&other)
{
    int *first = one;
    one = other;
    other = first;
}

// A function exchanges them, four times: the result is in a.
//~ race-free
__global__ void exchanged_by_function_ok(int *out)
{
    __shared__ int a[64], b[64];
    int *from = a, *to = b;
    int t = threadIdx.x;
    from[t] = t;
    __syncthreads();
    for (int i = 0; i < 4; i++) {
        to[t] = from[63 - t];
        __syncthreads();
        exchange(from, to);
    }
    b[63 - t] = a[t];
    out[t] = a[63 - t];
}

// [double-buffer] Three rounds: the result is in b.
//~ race
__global__ void exchanged_by_function_bad(int *out)
{
    __shared__ int a[64], b[64];
    int *from = a, *to = b;
    int t = threadIdx.x;
    from[t] = t;
    __syncthreads();
    for (int i = 0; i < 3; i++) {
        to[t] = from[63 - t];
        __syncthreads();
        exchange(from, to);
    }
    b[63 - t] = a[t]; //~ here
    out[t] = from[t]; //~ here
}

// Of no round at all, the pointers are what they were.
//~ race-free
__global__ void exchanged_never_ok(int *out)
{
    __shared__ int a[64], b[64];
    int *from = a, *to = b;
    int t = threadIdx.x;
    for (int i = 0; i < 0; i++) {
        exchange(from, to);
    }
    from[t] = t;
    to[63 - t] = t;
    out[t] = a[t];
}

// The same in an inner loop, whose pointers are set anew in each round of the outer one.
//~ race-free
__global__ void exchanged_inside_ok(int *out, int n, int m)
{
    __shared__ int a[64], b[64];
    int t = threadIdx.x;
    for (int j = 0; j < m; j++) {
        int *from = a, *to = b;
        from[t] = j;
        __syncthreads();
        for (int i = 0; i < n; i++) {
            to[t] = from[63 - t];
            __syncthreads();
            exchange(from, to);
        }
        out[j * 64 + t] = from[t];
        __syncthreads();
    }
}

// [double-buffer] Without the barrier at its end, the next outer round writes a, which may be that which is still read.
//~ race
__global__ void exchanged_inside_bad(int *out, int n, int m)
{
    __shared__ int a[64], b[64];
    int t = threadIdx.x;
    for (int j = 0; j < m; j++) {
        int *from = a, *to = b;
        from[t] = j; //~ here
        __syncthreads();
        for (int i = 0; i < n; i++) {
            to[t] = from[63 - t];
            __syncthreads();
            exchange(from, to);
        }
        out[j * 64 + t] = from[63 - t]; //~ here
    }
}

struct Buffers {
    int *from, *to;
};

// The pointers are members of an object.
//~ race-free
__global__ void exchanged_members_ok(int *out, int n)
{
    __shared__ int a[64], b[64];
    Buffers s = {a, b};
    int t = threadIdx.x;
    s.from[t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        s.to[t] = s.from[63 - t];
        __syncthreads();
        exchange(s.from, s.to);
    }
    out[t] = s.from[t];
}

// A copy of the object keeps the pointers of the round before.
//~ race-free
__global__ void exchanged_copy_ok(int *out, int n)
{
    __shared__ int a[64], b[64];
    Buffers s = {a, b}, last = {b, a};
    int t = threadIdx.x;
    s.from[t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        s.to[t] = last.to[63 - t];
        __syncthreads();
        last = s;
        exchange(s.from, s.to);
    }
    out[t] = s.from[t];
}

// [double-buffer] Copied behind the exchange, it is no other.
//~ race
__global__ void exchanged_copy_bad(int *out, int n)
{
    __shared__ int a[64], b[64];
    Buffers s = {a, b}, last = {b, a};
    int t = threadIdx.x;
    s.from[t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        s.to[t] = last.to[63 - t]; //~ here
        __syncthreads();
        exchange(s.from, s.to);
        last = s;
    }
    out[t] = s.from[t];
}

// Two parameters, in one block.
//~ race-free
__global__ void exchanged_parameters_ok(int *a, int *b, int n)
{
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        b[t] = a[63 - t];
        __syncthreads();
        int *swap = a;
        a = b;
        b = swap;
    }
}

// [double-buffer] Without a barrier.
//~ race
__global__ void exchanged_parameters_bad(int *a, int *b, int n)
{
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        b[t] = a[63 - t]; //~ here
        int *swap = a;
        a = b;
        b = swap;
    }
}

// [double-buffer] The barrier is left out in every fourth round.
//~ race
__global__ void exchanged_some_barriers_bad(int *out, int n)
{
    __shared__ int a[64], b[64];
    int *from = a, *to = b;
    int t = threadIdx.x;
    from[t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        to[t] = from[63 - t]; //~ here
        if (i % 4 != 3) {
            __syncthreads();
        }
        exchange(from, to);
    }
    out[t] = from[t];
}

// A second loop goes on where the first one ended.
//~ race-free
__global__ void exchanged_on_ok(int *out, int n)
{
    __shared__ int a[64], b[64];
    int *from = a, *to = b;
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < n; i++) {
        to[t] = i;
        __syncthreads();
        x += to[63 - t];
        std::swap(from, to);
    }
    for (int i = 0; i < n; i++) {
        to[t] = i;
        __syncthreads();
        x += to[63 - t];
        std::swap(from, to);
    }
    out[t] = x;
}

// [double-buffer] Exchanged once more between them: the second one begins with what is read at the end of the first.
//~ race
__global__ void exchanged_on_bad(int *out, int n)
{
    __shared__ int a[64], b[64];
    int *from = a, *to = b;
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < n; i++) {
        to[t] = i;
        __syncthreads();
        x += to[63 - t]; //~ here
        std::swap(from, to);
    }
    std::swap(from, to);
    for (int i = 0; i < n; i++) {
        to[t] = i; //~ here
        __syncthreads();
        x += to[63 - t];
        std::swap(from, to);
    }
    out[t] = x;
}

// The condition stands at the end.
//~ race-free
__global__ void exchanged_posttest_ok(int *out, int n)
{
    __shared__ int a[64], b[64];
    int *from = a, *to = b;
    int t = threadIdx.x, i = 0;
    from[t] = t;
    __syncthreads();
    do {
        to[t] = from[63 - t];
        __syncthreads();
        exchange(from, to);
    } while (++i < n);
    to[t] = from[63 - t];
}

// [double-buffer] It runs once at least: then from is b, which was written behind the barrier.
//~ race
__global__ void exchanged_posttest_bad(int *out, int n)
{
    __shared__ int a[64], b[64];
    int *from = a, *to = b;
    int t = threadIdx.x, i = 0;
    from[t] = t;
    do {
        __syncthreads();
        to[t] = from[63 - t]; //~ here
        exchange(from, to);
    } while (++i < n);
    out[t] = from[63 - t]; //~ here
}

// [double-buffer] Both names are the same memory.
//~ race
__global__ void exchanged_same_memory_bad(int *out, int n)
{
    extern __shared__ int a[];
    extern __shared__ int b[];
    int *from = a, *to = b;
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        to[t] = from[63 - t]; //~ here
        __syncthreads();
        exchange(from, to);
    }
    out[t] = from[t];
}

// [double-buffer] In rounds that do not exchange them, the next one writes what is read.
//~ race
__global__ void exchanged_sometimes_bad(const int *c, int *out, int n)
{
    __shared__ int a[64], b[64];
    int *from = a, *to = b;
    int t = threadIdx.x, x = 0;
    for (int i = 0; i < n; i++) {
        to[t] = i; //~ here
        __syncthreads();
        x += to[63 - t]; //~ here
        if (c[i]) {
            exchange(from, to);
        }
    }
    out[t] = x;
}

// Whether they are exchanged or not, they are two arrays.
//~ race-free
__global__ void exchanged_sometimes_ok(const int *c, int *out, int n)
{
    __shared__ int a[64], b[64];
    int *from = a, *to = b;
    int t = threadIdx.x;
    from[t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        to[t] = from[63 - t];
        __syncthreads();
        if (c[i]) {
            exchange(from, to);
        }
    }
    out[t] = from[t];
}

// [double-buffer] Threads that exchange them write what others read.
//~ race
__global__ void exchanged_by_thread_bad(const int *c, int *out, int n)
{
    __shared__ int a[64], b[64];
    int *from = a, *to = b;
    int t = threadIdx.x;
    from[t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        to[t] = from[63 - t]; //~ here
        __syncthreads();
        if (c[64 * i + t]) {
            exchange(from, to);
        }
    }
    out[t] = t;
}

// [double-buffer] One of them follows the other, and both are one array.
//~ race
__global__ void exchanged_one_only_bad(const int *c, int *out, int n)
{
    __shared__ int a[64], b[64];
    int *from = a, *to = b;
    int t = threadIdx.x;
    from[t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        to[t] = from[63 - t]; //~ here
        __syncthreads();
        if (c[i]) {
            from = to;
        }
    }
    out[t] = t;
}

// [double-buffer] In the middle of the exchange the loop is left.
//~ race
__global__ void exchanged_half_way_bad(const int *c, const int *d, int *out, int n)
{
    __shared__ int a[64], b[64];
    int *from = a, *to = b;
    int t = threadIdx.x;
    from[t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        to[t] = from[63 - t];
        __syncthreads();
        if (c[i]) {
            int *old = from;
            from = to;
            if (d[i]) {
                break;
            }
            to = old;
        }
    }
    to[t] = from[63 - t]; //~ here
    out[t] = t;
}

// Two flags that are never both set.
//~ race-free
__global__ void exchanged_flags_ok(const int *c, int *out, int n)
{
    __shared__ int a[64], b[64];
    bool first = true, second = false;
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        if (first) {
            a[t] = i;
        }
        if (second) {
            out[t] = a[63 - t];
        }
        __syncthreads();
        if (c[i]) {
            first = !first;
            second = !second;
        }
    }
}

// [double-buffer] They may both be set.
//~ race
__global__ void exchanged_flags_bad(const int *c, int *out, int n)
{
    __shared__ int a[64], b[64];
    bool first = true, second = false;
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        if (first) {
            a[t] = i; //~ here
        }
        if (second) {
            out[t] = a[63 - t]; //~ here
        }
        __syncthreads();
        if (c[i]) {
            first = !first;
        } else {
            second = !second;
        }
    }
}
