//--blockDim=64 --gridDim=1
// Construct: members that are references

struct Storage {
    int cells[64];
};

struct Tool {
    Storage &storage;
    int lane;
    __device__ Tool(Storage &s) : storage(s), lane(threadIdx.x) {}
    __device__ void put(int v) { storage.cells[lane] = v; } //~ here
    __device__ int next() const { return storage.cells[(lane + 1) % 64]; } //~ here
};

struct Counts {
    int &count;
    __device__ Counts(int &c) : count(c) {}
    __device__ void add(int n) { count += n; } //~ here
    __device__ Counts &operator=(const Counts &other) { count = other.count; return *this; }
};

struct Pair {
    int &first;
    const int &second;
};

struct Pointing {
    int *&pointer;
};

struct Inside {
    int own;
    int &part;
    __device__ Inside(int v) : own(v), part(own) {}
};

struct Outer {
    Counts inner;
    __device__ Outer(int &c) : inner(c) {}
};

__device__ void by_value(Counts counts) { counts.add(-counts.count); }
__device__ Counts returned(int &c) { return Counts(c); }

struct Base {
    int &place;
    __device__ Base(int &p) : place(p) {}
};

struct Derived : Base {
    int more;
    __device__ Derived(int &p) : Base(p), more(1) {}
};

struct Arrayed {
    int &place;
    int some[2];
    __device__ Arrayed(int &p) : place(p) {}
};

//~ race-free
__global__ void reference_tool_ok(int *g)
{
    __shared__ Storage storage;
    Tool tool(storage);
    tool.put(threadIdx.x);
    __syncthreads();
    g[threadIdx.x] = tool.next();
}

// [barrier] The neighbour's cell is read while it is written.
//~ race
__global__ void reference_tool_bad(int *g)
{
    __shared__ Storage storage;
    Tool tool(storage);
    tool.put(threadIdx.x);
    g[threadIdx.x] = tool.next();
}

//~ race-free
__global__ void reference_local_ok(int *g)
{
    int i = 0;
    Counts counts(i);
    counts.add(threadIdx.x);
    g[i] = 1;
}

// [reference] The variable is changed, so that it is 0 again.
//~ race
__global__ void reference_local_bad(int *g)
{
    int i = threadIdx.x;
    Counts counts(i);
    counts.add(-i);
    g[i] = threadIdx.x; //~ here
}

// [reference] A copy of the object refers to the same variable.
//~ race
__global__ void reference_copy_bad(int *g)
{
    int i = threadIdx.x;
    Counts counts(i);
    Counts other = counts;
    other.count = 0;
    g[counts.count] = threadIdx.x; //~ here
}

// [reference] The assignment changes what it refers to, not what is referred to.
//~ race
__global__ void reference_assigned_bad(int *g)
{
    int i = threadIdx.x, j = 0;
    Counts a(i), b(j);
    a = b;
    j = threadIdx.x;
    g[i] = threadIdx.x; //~ here
    g[64 + a.count] = 0;
}

//~ race-free
__global__ void reference_list_ok(int *g)
{
    int i = 0, j = threadIdx.x;
    Pair pair{i, j};
    pair.first = pair.second;
    g[i] = 1;
}

// [reference] What the second refers to is changed afterwards.
//~ race
__global__ void reference_list_bad(int *g)
{
    int i = 0, j = threadIdx.x;
    Pair pair = {i, j};
    j = 0;
    pair.first = pair.second;
    g[i] = threadIdx.x; //~ here
}

// [reference] The reference is to a pointer that is changed.
//~ race
__global__ void reference_pointer_bad(int *g, int *h)
{
    int *p = g + threadIdx.x;
    Pointing one{p};
    p = h;
    *one.pointer = threadIdx.x; //~ here
}

// [reference] A part of the object itself.
//~ fn_race
__global__ void reference_inside_bad(int *g)
{
    Inside inside(threadIdx.x);
    inside.part = 0;
    g[inside.own] = threadIdx.x; //~ here
}

// An element of its own.
//~ race-free
__global__ void reference_element_ok(int *g)
{
    Counts counts(g[threadIdx.x]);
    counts.add(1);
}

// [reference] All threads count in one element.
//~ race
__global__ void reference_element_bad(int *g)
{
    Counts counts(g[0]);
    counts.add(threadIdx.x);
}

// [reference] That of the base.
//~ race
__global__ void reference_base_bad(int *g)
{
    int i = threadIdx.x;
    Derived derived(i);
    derived.place = 0;
    g[i] = threadIdx.x; //~ here
}

// [reference] In a loop it is another one each time.
//~ race-free
__global__ void reference_loop_ok(int *g)
{
    for (int i = 0; i < 4; i++) {
        Counts counts(g[64 * i + threadIdx.x]);
        counts.add(i);
    }
}

// [reference] Chosen by a condition.
//~ race
__global__ void reference_chosen_bad(int *g, int n)
{
    int i = threadIdx.x, j = threadIdx.x;
    Counts counts(n > 0 ? i : j);
    counts.add(-(int)threadIdx.x);
    g[n > 0 ? i : j] = threadIdx.x; //~ here
}

// [reference] With an array beside it.
//~ fn_race
__global__ void reference_array_bad(int *g)
{
    int i = threadIdx.x;
    Arrayed arrayed(i);
    arrayed.place = 0;
    g[i] = threadIdx.x; //~ here
}

// [reference] A parameter of the kernel.
//~ fn_race
__global__ void reference_parameter_bad(Counts counts)
{
    counts.add(threadIdx.x);
}

// [reference] A copy of it for a function.
//~ race
__global__ void reference_argument_bad(int *g)
{
    int i = threadIdx.x;
    by_value(Counts(i));
    g[i] = threadIdx.x; //~ here
}

// [reference] What a function returns.
//~ race
__global__ void reference_result_bad(int *g)
{
    int i = threadIdx.x;
    returned(i).count = 0;
    g[i] = threadIdx.x; //~ here
}

// [reference] In a member of a member.
//~ race
__global__ void reference_nested_bad(int *g)
{
    int i = threadIdx.x;
    Outer outer(i);
    outer.inner.add(-(int)threadIdx.x);
    g[i] = threadIdx.x; //~ here
}

// [reference] In elements of an array.
//~ fn_race
__global__ void reference_elements_bad(int *g, int n)
{
    int i = threadIdx.x, j = threadIdx.x;
    Counts counts[2] = {Counts(i), Counts(j)};
    counts[1].count = 0;
    g[j] = threadIdx.x; //~ here
}

// [reference] In what a lambda keeps.
//~ race
__global__ void reference_closure_bad(int *g)
{
    int i = threadIdx.x;
    Counts counts(i);
    auto change = [counts]() { counts.count = 0; };
    change();
    g[i] = threadIdx.x; //~ here
}

// [reference] Behind a pointer to the object.
//~ fn_race
__global__ void reference_behind_bad(int *g)
{
    int i = threadIdx.x;
    Counts counts(i);
    Counts *p = &counts;
    p->count = 0;
    g[i] = threadIdx.x; //~ here
}

// [reference] Changed in a loop through the member.
//~ race
__global__ void reference_rounds_bad(int *g, int n)
{
    int i = threadIdx.x;
    Counts counts(i);
    for (int k = 0; k < n; k++) counts.count = 0;
    g[i] = threadIdx.x; //~ here
}

// [reference] Made anew in each round.
//~ race
__global__ void reference_anew_bad(int *g, int n)
{
    int i = threadIdx.x, j = threadIdx.x;
    for (int k = 0; k < 2; k++) {
        Counts counts(k == 0 ? j : i);
        counts.count = 0;
    }
    g[i] = threadIdx.x; //~ here
}
