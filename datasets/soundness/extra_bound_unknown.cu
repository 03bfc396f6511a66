// Extra: objects of classes that are not known may refer to the variables they are made of

#include <memory>
#include <utility>
#include <vector>
#include "holder.h"
struct Around { lib::holder h; };

// [launch] In braces.
//~ race
__global__ void bound_unknown_braces_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] In braces behind an equals sign.
//~ race
__global__ void bound_unknown_braces_equals_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] With an equals sign.
//~ race
__global__ void bound_unknown_equals_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] The variable is set again in between.
//~ race
__global__ void bound_unknown_later_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] In an array.
//~ race
__global__ void bound_unknown_array_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] On the heap.
//~ race
__global__ void bound_unknown_heap_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] On the heap, in braces.
//~ race
__global__ void bound_unknown_heap_braces_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] In a vector.
//~ race
__global__ void bound_unknown_vector_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] Put into a vector.
//~ race
__global__ void bound_unknown_pushed_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] In a condition.
//~ race
__global__ void bound_unknown_condition_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] For an argument in braces.
//~ race
__global__ void bound_unknown_argument_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] A member of another class.
//~ race
__global__ void bound_unknown_member_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] Part of a pair.
//~ race
__global__ void bound_unknown_pair_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] Assigned.
//~ race
__global__ void bound_unknown_assigned_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] Kept by a lambda.
//~ race
__global__ void bound_unknown_captured_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// [launch] By another name.
//~ race
__global__ void bound_unknown_alias_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

// A number of elements.
//~ race-free
__global__ void bound_unknown_count_ok(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x;
}

// A copy of the variable.
//~ race-free
__global__ void bound_unknown_copied_ok(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x;
}

// A constant.
//~ race-free
__global__ void bound_unknown_constant_ok(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x;
}

void host(int *g)
{
    {
        int n = 32;
        lib::holder r{n};
        r.set(64);
        bound_unknown_braces_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        lib::holder r = {n};
        r.set(64);
        bound_unknown_braces_equals_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        lib::holder r = n;
        r.set(64);
        bound_unknown_equals_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        lib::holder r(n);
        n = 32;
        r.set(64);
        bound_unknown_later_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        lib::holder r[1] = {{n}};
        r[0].set(64);
        bound_unknown_array_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        auto *r = new lib::holder(n);
        r->set(64);
        bound_unknown_heap_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        auto *r = new lib::holder{n};
        r->set(64);
        bound_unknown_heap_braces_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        std::vector<lib::holder> r{n};
        r[0].set(64);
        bound_unknown_vector_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        std::vector<lib::holder> r;
        r.push_back({n});
        r[0].set(64);
        bound_unknown_pushed_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        if (lib::holder r{n})
            r.set(64);
        bound_unknown_condition_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        lib::use({n});
        bound_unknown_argument_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        Around a{n};
        a.h.set(64);
        bound_unknown_member_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        std::pair<lib::holder, int> p{n, 2};
        p.first.set(64);
        bound_unknown_pair_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        lib::holder r;
        r = n;
        n = 32;
        r.set(64);
        bound_unknown_assigned_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        auto f = [r = lib::holder{n}]() mutable { r.set(64); };
        f();
        bound_unknown_captured_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        using Alias = lib::holder;
        Alias r{n};
        r.set(64);
        bound_unknown_alias_bad<<<1, n>>>(g);
    }
    {
        int n = 32;
        std::vector<lib::holder> v(n);
        bound_unknown_count_ok<<<1, n>>>(g);
    }
    {
        int n = 32;
        int m = n;
        lib::holder r{m};
        r.set(64);
        bound_unknown_copied_ok<<<1, n>>>(g);
    }
    {
        int n = 32;
        lib::holder r{32};
        r.set(64);
        bound_unknown_constant_ok<<<1, n>>>(g);
    }
}
