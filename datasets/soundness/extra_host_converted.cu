// Extra: host values that are converted where that is not written: template arguments of functions, constructors, conversions, assignments of members, iterators

#include <algorithm>
#include <map>
#include <vector>
struct ConvertedFour { int v; ConvertedFour(int x) : v(x * 4) { } operator int() const { return v; } };
struct ConvertedGrid { unsigned x; ConvertedGrid(int n) : x(n) { } operator unsigned() const { return x * 2; } };
struct AssignedPart { int v; AssignedPart(int x) : v(x) { } AssignedPart &operator=(const AssignedPart &o) { v = o.v + 3; return *this; } };
struct AssignedWhole { AssignedPart part; AssignedWhole(int x) : part(x) { } };
struct AssignedBase : AssignedPart { AssignedBase(int x) : AssignedPart(x) { } };
struct PlainWhole { int v; PlainWhole(int x) : v(x) { } };

// [launch] A minimum of unsigned numbers.
//~ race
__global__ void converted_min_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [launch] Of signed ones.
//~ race-free
__global__ void converted_min_ok(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x;
}

// [launch] A maximum of unsigned numbers.
//~ race
__global__ void converted_max_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [launch] A minimum of narrow numbers.
//~ race
__global__ void converted_min_narrow_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [launch] What is rounded is no integer.
//~ race
__global__ void converted_ceil_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [launch] A constructor makes an object of a number.
//~ race
__global__ void converted_constructor_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [launch] What it makes is known.
//~ race-free
__global__ void converted_member_ok(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x;
}

// [launch] It is more than it was made of.
//~ race
__global__ void converted_member_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [launch] Of a grid, whose size a conversion gives.
//~ race
__global__ void converted_grid_bad(int *p)
{
    p[threadIdx.x] = blockIdx.x; //~ here
}

// [launch] A number of blocks.
//~ race-free
__global__ void converted_grid_number_ok(int *p)
{
    p[threadIdx.x] = blockIdx.x;
}

// [launch] The assignment of a member.
//~ race
__global__ void assigned_part_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [launch] Of a base.
//~ race
__global__ void assigned_base_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [launch] Of bytes.
//~ race-free
__global__ void assigned_plain_ok(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x;
}

// [launch] A value in a map is written through an iterator.
//~ race
__global__ void iterator_map_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [launch] In a loop over the map.
//~ race
__global__ void iterator_map_range_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [launch] Where it was found.
//~ race
__global__ void iterator_map_found_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [launch] An element of a vector.
//~ race
__global__ void iterator_vector_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

void converted_min_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int m = -1;
    converted_min_bad<<<1, 32>>>(p, std::min<unsigned>(m, 5));
}

void converted_min_ok_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int m = -1;
    converted_min_ok<<<1, 32>>>(p, std::min<int>(m, 5));
}

void converted_max_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int n = std::max<unsigned>(-1, 5) > 5 ? 2 : 1;
    converted_max_bad<<<1, 32>>>(p, n);
}

void converted_min_narrow_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int m = 260;
    converted_min_narrow_bad<<<1, 32>>>(p, std::max<unsigned char>(m, 1));
}

void converted_ceil_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int m = 3;
    int n = (int)(ceil(m) / 2 * 2) - 1;
    converted_ceil_bad<<<1, 32>>>(p, n);
}

void converted_constructor_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    ConvertedFour d = 1;
    converted_constructor_bad<<<1, 32>>>(p, d);
}

void converted_member_ok_run()
{
    int *p;
    cudaMalloc(&p, 400);
    ConvertedFour d = 0;
    converted_member_ok<<<1, 32>>>(p, d.v + 1);
}

void converted_member_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    ConvertedFour d = 1;
    converted_member_bad<<<1, 32>>>(p, d.v);
}

void converted_grid_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    ConvertedGrid g = 1;
    converted_grid_bad<<<g, 32>>>(p);
}

void converted_grid_number_ok_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int g = 1;
    converted_grid_number_ok<<<g, 32>>>(p);
}

void assigned_part_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    AssignedWhole a(1), b(1);
    a = b;
    assigned_part_bad<<<1, 32>>>(p, a.part.v);
}

void assigned_base_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    AssignedBase a(1), b(1);
    a = b;
    assigned_base_bad<<<1, 32>>>(p, a.v);
}

void assigned_plain_ok_run()
{
    int *p;
    cudaMalloc(&p, 400);
    PlainWhole a(5), b(1);
    a = b;
    assigned_plain_ok<<<1, 32>>>(p, a.v);
}

void iterator_map_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    std::map<int, int> m;
    m[0] = 1;
    auto it = m.begin();
    it->second = 5;
    iterator_map_bad<<<1, 32>>>(p, m[0]);
}

void iterator_map_range_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    std::map<int, int> m;
    m[0] = 1;
    for (auto &one : m)
        one.second = 5;
    iterator_map_range_bad<<<1, 32>>>(p, m[0]);
}

void iterator_map_found_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    std::map<int, int> m;
    m[0] = 1;
    m.find(0)->second = 5;
    iterator_map_found_bad<<<1, 32>>>(p, m[0]);
}

void iterator_vector_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    std::vector<int> v(2, 1);
    v[0] = 1;
    auto it = v.begin();
    *it = 5;
    iterator_vector_bad<<<1, 32>>>(p, v[0]);
}
