//--blockDim=64 --gridDim=1
// Construct: arrays, tuples, optional values and spans of libcu++
#include <cuda/std/array>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>

// Each thread has an array of its own.
//~ race-free
__global__ void array_own_ok(int *o)
{
    cuda::std::array<int, 4> v{1, 2, 3, 4};
    v[1] = threadIdx.x;
    for (auto &x : v) x += 1;
    o[v[1]] = v.size();
}

// [element] The third is 4 in all threads.
//~ race
__global__ void array_own_bad(int *o)
{
    cuda::std::array<int, 4> v{1, 2, 3, 4};
    v[1] = threadIdx.x;
    for (auto &x : v) x += 1;
    o[v[2]] = v[1]; //~ here
}

// One in shared memory.
//~ race-free
__global__ void array_shared_ok(int *o)
{
    __shared__ cuda::std::array<int, 64> s;
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    o[threadIdx.x] = s[63 - threadIdx.x];
}

// [missing barrier] No barrier between both.
//~ race
__global__ void array_shared_bad(int *o)
{
    __shared__ cuda::std::array<int, 64> s;
    s[threadIdx.x] = threadIdx.x; //~ here
    o[threadIdx.x] = s[63 - threadIdx.x]; //~ here
}

// Pointers in an array that is an argument.
//~ race-free
__global__ void array_of_pointers_ok(cuda::std::array<int *, 2> rows)
{
    rows[0][threadIdx.x] = rows[1][threadIdx.x] + 1;
}

// [index] The neighbour's element of the row that is written.
//~ race
__global__ void array_of_pointers_bad(cuda::std::array<int *, 2> rows)
{
    rows[0][threadIdx.x] = rows[0][threadIdx.x + 1] + rows[1][threadIdx.x]; //~ here
}

// A tuple made and taken apart, and one that is written.
//~ race-free
__global__ void tuple_ok(int *o)
{
    auto t = cuda::std::make_tuple((int)threadIdx.x, 2.0f, 3);
    cuda::std::get<2>(t) = threadIdx.x;
    auto [first, second, third] = t;
    o[third] = first + second;
    cuda::std::tuple<int, float> u{(int)threadIdx.x + 64, 1.0f};
    o[cuda::std::get<0>(u)] = 1;
}

// [element] Its last element is 3 in all threads.
//~ race
__global__ void tuple_bad(int *o)
{
    auto t = cuda::std::make_tuple((int)threadIdx.x, 2.0f, 3);
    cuda::std::get<0>(t) += 1;
    o[cuda::std::get<2>(t)] = cuda::std::get<0>(t); //~ here
}

// A pointer in a tuple that is an argument.
//~ race
__global__ void tuple_of_pointer_bad(cuda::std::tuple<int *, int> t)
{
    cuda::std::get<0>(t)[threadIdx.x / 2] = threadIdx.x + cuda::std::get<1>(t); //~ here
}

// Half of the threads have a value.
//~ race-free
__global__ void optional_ok(int *o)
{
    cuda::std::optional<int> place;
    if (threadIdx.x < 32) place = (int)threadIdx.x;
    if (place) o[*place] = 1;
    o[64 + threadIdx.x] = place.value_or(7);
}

// [guard] Those without one all take the same.
//~ race
__global__ void optional_bad(int *o)
{
    cuda::std::optional<int> place = cuda::std::nullopt;
    if (threadIdx.x < 32) place = (int)threadIdx.x;
    o[place.value_or(32)] = threadIdx.x; //~ here
}

// Elements below the size of a span.
//~ race-free
__global__ void span_ok(cuda::std::span<int> o)
{
    if (threadIdx.x < o.size()) o[threadIdx.x] = 1;
}

// [index] Two threads an element.
//~ race
__global__ void span_bad(cuda::std::span<int> o)
{
    if (threadIdx.x < o.size()) o[threadIdx.x / 2] = threadIdx.x; //~ here
}

struct Row { int v[3]; int n; };

// Braces that are left out round a member.
//~ race-free
__global__ void braces_left_out_ok(int *o)
{
    Row row = {4, (int)threadIdx.x, 6, 7};
    o[row.v[1]] = row.n;
}

// [element] The number behind the array is 7 in all threads.
//~ race
__global__ void braces_left_out_bad(int *o)
{
    Row row = {4, (int)threadIdx.x, 6, 7};
    o[row.n] = row.v[1]; //~ here
}
