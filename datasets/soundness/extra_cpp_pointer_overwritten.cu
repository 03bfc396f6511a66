//--blockDim=64 --gridDim=1
// Extra: pointers in memory that the kernel itself changes, through an integer as wide as they are and otherwise

struct Row { float *data; int used; };

// [overwritten-pointer] From the barrier on, `r->data` is `other`.
//~ race
__global__ void pointer_overwritten_bad(Row *r, float *other)
{
    if (threadIdx.x == 0) *(unsigned long long *)&r->data = (unsigned long long)other;
    __syncthreads();
    r->data[threadIdx.x] = 1.0f; //~ here
    other[threadIdx.x + 1] = 2.0f; //~ here
}

// The same, with two threads that never meet in an element.
//~ race-free
__global__ void pointer_overwritten_ok(Row *r, float *other)
{
    if (threadIdx.x == 0) *(unsigned long long *)&r->data = (unsigned long long)other;
    __syncthreads();
    r->data[2 * threadIdx.x] = 1.0f;
    other[2 * threadIdx.x + 1] = 2.0f;
}

// [overwritten-pointer] The pointer is exchanged atomically.
//~ race
__global__ void pointer_exchanged_bad(Row *r, float *other)
{
    if (threadIdx.x == 0) atomicExch((unsigned long long *)&r->data, (unsigned long long)other);
    __syncthreads();
    r->data[threadIdx.x] = 1.0f; //~ here
    other[threadIdx.x + 1] = 2.0f; //~ here
}

// What is written lies behind the pointer: it keeps its value.
//~ race-free
__global__ void pointer_neighbour_ok(Row *r)
{
    if (threadIdx.x == 0) r->used = 64;
    __syncthreads();
    r->data[threadIdx.x] = 1.0f;
}

// [neighbour] Every thread writes what lies behind the pointer, with values of its own.
//~ race
__global__ void pointer_neighbour_bad(Row *r)
{
    r->used = threadIdx.x; //~ here
    r->data[threadIdx.x] = 1.0f;
}

// [overwritten-pointer] The pointer is exchanged where it was null.
//~ race
__global__ void pointer_compared_bad(Row *r, float *other)
{
    if (threadIdx.x == 0) atomicCAS((unsigned long long *)&r->data, 0ull, (unsigned long long)(other + 4));
    __syncthreads();
    r->data[threadIdx.x] = 1.0f; //~ here
    other[threadIdx.x + 3] = 2.0f; //~ here
}

// [overwritten-pointer] How far behind its beginning it leads was read from memory, which changes later.
//~ race
__global__ void pointer_loaded_offset_bad(Row *r, float *other, int *where)
{
    if (threadIdx.x == 0) r->data = other + where[0];
    __syncthreads();
    if (threadIdx.x == 1) where[0] = 1;
    r->data[threadIdx.x] = 1.0f; //~ here
    other[threadIdx.x] = 2.0f; //~ here
}

// It is moved: each thread has an element of its own all the same.
//~ race-free
__global__ void pointer_moved_ok(Row *r)
{
    if (threadIdx.x == 0) r->data += 4;
    __syncthreads();
    r->data[threadIdx.x] = 1.0f;
}

// [overwritten-pointer] What was kept from before leads to the same array.
//~ race
__global__ void pointer_moved_bad(Row *r)
{
    float *before = r->data;
    __syncthreads();
    if (threadIdx.x == 0) r->data += 4;
    __syncthreads();
    r->data[threadIdx.x] = 1.0f; //~ here
    before[threadIdx.x] = 2.0f; //~ here
}

// [overwritten-pointer] Two pointers change places.
//~ race
__global__ void pointer_swapped_bad(Row *r, Row *q)
{
    float *of_r = r->data;
    __syncthreads();
    if (threadIdx.x == 0) {
        r->data = q->data;
        q->data = of_r;
    }
    __syncthreads();
    of_r[threadIdx.x] = 1.0f; //~ here
    q->data[threadIdx.x + 1] = 2.0f; //~ here
}

// [overwritten-pointer] The object is assigned, with the pointer in it.
//~ race
__global__ void pointer_assigned_bad(Row *r, Row *q)
{
    if (threadIdx.x == 0) *r = *q;
    __syncthreads();
    r->data[threadIdx.x] = 1.0f; //~ here
    q->data[threadIdx.x + 1] = 2.0f; //~ here
}

// One thread for each element, whichever the array is.
//~ race-free
__global__ void pointer_assigned_ok(Row *r, Row *q)
{
    if (threadIdx.x == 0) *r = *q;
    __syncthreads();
    r->data[threadIdx.x] = 1.0f;
    q->data[threadIdx.x] = 2.0f;
}

// [overwritten-pointer] Its bytes are copied.
//~ race
__global__ void pointer_copied_bad(Row *r, Row *q)
{
    if (threadIdx.x == 0) memcpy(r, q, sizeof(Row));
    __syncthreads();
    r->data[threadIdx.x] = 1.0f; //~ here
    q->data[threadIdx.x + 1] = 2.0f; //~ here
}

// [overwritten-pointer] By a reference to it.
//~ race
__global__ void pointer_reference_bad(Row *r, float *other)
{
    float *&data = r->data;
    if (threadIdx.x == 0) data = other;
    __syncthreads();
    r->data[threadIdx.x] = 1.0f; //~ here
    other[threadIdx.x + 1] = 2.0f; //~ here
}

struct Link { float *data; Link *next; };

// [overwritten-pointer] The next is the first from the barrier on.
//~ race
__global__ void pointer_back_bad(Link *first)
{
    if (threadIdx.x == 0) first->next = first;
    __syncthreads();
    first->next->data[threadIdx.x] = 1.0f; //~ here
    first->data[threadIdx.x + 1] = 2.0f; //~ here
}

// [overwritten-pointer] What the pointer of another object leads to is changed.
//~ race
__global__ void pointer_deep_bad(Link *first, float *other)
{
    if (threadIdx.x == 0) first->next->data = other;
    __syncthreads();
    first->next->data[threadIdx.x] = 1.0f; //~ here
    other[threadIdx.x + 1] = 2.0f; //~ here
}

// Who finds it null leaves the array alone.
//~ race-free
__global__ void pointer_cleared_ok(Row *r)
{
    if (threadIdx.x == 0) r->data = nullptr;
    __syncthreads();
    if (r->data) r->data[threadIdx.x] = 1.0f;
}

// [overwritten-pointer] The store stands behind the read in the loop.
//~ race
__global__ void pointer_rounds_bad(Row *r, float *other, int n)
{
    for (int i = 0; i < n; i++) {
        r->data[threadIdx.x] = 1.0f; //~ here
        other[threadIdx.x + 1] = 2.0f; //~ here
        __syncthreads();
        if (threadIdx.x == 0) r->data = other;
        __syncthreads();
    }
}

// The store comes when all have read the pointer.
//~ race-free
__global__ void pointer_behind_ok(Row *r, float *other)
{
    r->data[threadIdx.x] = 1.0f;
    other[threadIdx.x + 1] = 2.0f;
    __syncthreads();
    if (threadIdx.x == 0) r->data = other;
}

// [missing-barrier] The store comes while others read the pointer.
//~ race
__global__ void pointer_behind_bad(Row *r, float *other)
{
    r->data[threadIdx.x] = 1.0f; //~ here
    if (threadIdx.x == 0) r->data = other; //~ here
}

// [overwritten-pointer] The second warp waits for the first, which stands behind it.
//~ race
__global__ void pointer_waits_bad(Row *r, float *other)
{
    if (threadIdx.x >= 32) asm volatile("bar.sync 1, 64;" ::: "memory");
    if (threadIdx.x >= 32) r->data[threadIdx.x] = 1.0f; //~ here
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0) r->data = other;
        asm volatile("bar.sync 1, 64;" ::: "memory");
        other[threadIdx.x + 32] = 2.0f;
    }
}

// [overwritten-pointer] Half of the pointer is.
//~ fn_race
__global__ void pointer_half_bad(Row *r, float *other)
{
    if (threadIdx.x == 0) *(unsigned *)&r->data = (unsigned)(unsigned long long)other;
    __syncthreads();
    r->data[threadIdx.x] = 1.0f;
    other[threadIdx.x + 1] = 2.0f;
}

// [overwritten-pointer] In one object of an array, whichever it is.
//~ fn_race
__global__ void pointer_varying_bad(Row *r, float *other, int which)
{
    if (threadIdx.x == 0) r[which].data = other;
    __syncthreads();
    r->data[threadIdx.x] = 1.0f;
    other[threadIdx.x + 1] = 2.0f;
}

// [overwritten-pointer] By an addition to its number.
//~ fn_race
__global__ void pointer_added_bad(Row *r)
{
    float *before = r->data;
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd((unsigned long long *)&r->data, 4ull);
    __syncthreads();
    r->data[threadIdx.x] = 1.0f;
    before[threadIdx.x] = 2.0f;
}

__device__ float *current;

// [overwritten-pointer] A variable of the device.
//~ race
__global__ void pointer_variable_bad(float *other)
{
    if (threadIdx.x == 0) current = other;
    __syncthreads();
    current[threadIdx.x] = 1.0f; //~ here
    other[threadIdx.x + 1] = 2.0f; //~ here
}

// [overwritten-pointer] The store stands behind the read in the inner of two loops.
//~ race
__global__ void pointer_nested_bad(Row *r, float *other, int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            r->data[threadIdx.x] = 1.0f; //~ here
            other[threadIdx.x + 1] = 2.0f; //~ here
            __syncthreads();
            if (threadIdx.x == 0) r->data = other;
            __syncthreads();
        }
    }
}

__device__ void lead_to(Row &row, float *other)
{
    if (threadIdx.x == 0) row.data = other;
}

// [overwritten-pointer] A function that a loop calls changes it.
//~ race
__global__ void pointer_called_bad(Row *r, float *other, int n)
{
    for (int i = 0; i < n; i++) {
        r->data[threadIdx.x] = 1.0f; //~ here
        other[threadIdx.x + 1] = 2.0f; //~ here
        __syncthreads();
        lead_to(*r, other);
        __syncthreads();
    }
}

// [overwritten-pointer] One of two variables of the block is changed.
//~ race
__global__ void pointer_chosen_bad(float *a, float *other, int n)
{
    __shared__ float *one, *two;
    if (threadIdx.x == 0) {
        one = a;
        two = a;
    }
    __syncthreads();
    float **chosen = n ? &one : &two;
    if (threadIdx.x == 0) *chosen = other;
    __syncthreads();
    one[threadIdx.x] = 1.0f; //~ here
    other[threadIdx.x + 1] = 2.0f; //~ here
}

struct Both : Row { float *more; };

// [overwritten-pointer] The pointer lies in the base of the object that is assigned.
//~ race
__global__ void pointer_base_bad(float *a, float *other)
{
    __shared__ Both both;
    if (threadIdx.x == 0) {
        Both mine;
        mine.data = other;
        mine.used = 64;
        mine.more = a;
        both = mine;
    }
    __syncthreads();
    both.data[threadIdx.x] = 1.0f; //~ here
    other[threadIdx.x + 1] = 2.0f; //~ here
}
