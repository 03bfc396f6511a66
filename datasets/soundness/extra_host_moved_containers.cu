// Extra: pointers that host code makes one, in pairs, arrays, containers and what else the library holds them in
//
// Each program is there twice: the kernel whose name ends in `bad` gets one array twice, its twin two. Where the way is followed the
// race is told; where it is not, the proof names the arrays, the launch and that it was not followed.

#include <algorithm>
#include <any>
#include <array>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

// [alias] Parts of a pair by names.
//~ assumed_race
__global__ void moved_pair_bound_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_pair_bound_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto [to, from] = std::make_pair(a, a);
    moved_pair_bound_bad<<<1, 64>>>(to, from);
}

// [alias] Two arrays: parts of a pair by names.
//~ race-free
__global__ void moved_pair_bound_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_pair_bound_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto [to, from] = std::make_pair(a, b);
    moved_pair_bound_ok<<<1, 64>>>(to, from);
}

// [alias] A pair is the parameter.
//~ race
__global__ void moved_pair_param_bad(std::pair<int *, int *> p)
{
    p.first[threadIdx.x] = p.second[threadIdx.x ^ 1]; //~ here
}

void run_moved_pair_param_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    moved_pair_param_bad<<<1, 64>>>(std::make_pair(a, a));
}

// [alias] Two arrays: a pair is the parameter.
//~ race-free
__global__ void moved_pair_param_ok(std::pair<int *, int *> p)
{
    p.first[threadIdx.x] = p.second[threadIdx.x ^ 1];
}

void run_moved_pair_param_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    moved_pair_param_ok<<<1, 64>>>(std::make_pair(a, b));
}

// [alias] A pair in braces.
//~ assumed_race
__global__ void moved_pair_braces_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_pair_braces_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::pair<int *, const int *> p{a, a};
    moved_pair_braces_bad<<<1, 64>>>(p.first, p.second);
}

// [alias] Two arrays: a pair in braces.
//~ race-free
__global__ void moved_pair_braces_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_pair_braces_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::pair<int *, const int *> p{a, b};
    moved_pair_braces_ok<<<1, 64>>>(p.first, p.second);
}

// [alias] `std::get` of a pair.
//~ assumed_race
__global__ void moved_pair_get_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_pair_get_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto p = std::make_pair(a, a);
    moved_pair_get_bad<<<1, 64>>>(std::get<0>(p), std::get<1>(p));
}

// [alias] Two arrays: `std::get` of a pair.
//~ race-free
__global__ void moved_pair_get_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_pair_get_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto p = std::make_pair(a, b);
    moved_pair_get_ok<<<1, 64>>>(std::get<0>(p), std::get<1>(p));
}

static std::pair<int *, int *> twoMovedPairReturnedBad(int *to, int *from) { return {to, from}; }

// [alias] A function gives a pair.
//~ assumed_race
__global__ void moved_pair_returned_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_pair_returned_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto p = twoMovedPairReturnedBad(a, a);
    moved_pair_returned_bad<<<1, 64>>>(p.first, p.second);
}

static std::pair<int *, int *> twoMovedPairReturnedOk(int *to, int *from) { return {to, from}; }

// [alias] Two arrays: a function gives a pair.
//~ race-free
__global__ void moved_pair_returned_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_pair_returned_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto p = twoMovedPairReturnedOk(a, b);
    moved_pair_returned_ok<<<1, 64>>>(p.first, p.second);
}

// [alias] A pair in a pair.
//~ assumed_race
__global__ void moved_pair_nested_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_pair_nested_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::pair<int, std::pair<int *, int *>> p(3, std::make_pair(a, a));
    moved_pair_nested_bad<<<1, 64>>>(p.second.first, p.second.second);
}

// [alias] Two arrays: a pair in a pair.
//~ race-free
__global__ void moved_pair_nested_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_pair_nested_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::pair<int, std::pair<int *, int *>> p(3, std::make_pair(a, b));
    moved_pair_nested_ok<<<1, 64>>>(p.second.first, p.second.second);
}

// [alias] Parts of a tuple by names.
//~ assumed_race
__global__ void moved_tuple_bound_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_tuple_bound_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto [count, to, from] = std::make_tuple(64, a, a);
    moved_tuple_bound_bad<<<1, 64>>>(to, from);
}

// [alias] Two arrays: parts of a tuple by names.
//~ race-free
__global__ void moved_tuple_bound_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_tuple_bound_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto [count, to, from] = std::make_tuple(64, a, b);
    moved_tuple_bound_ok<<<1, 64>>>(to, from);
}

// [alias] `std::tie`.
//~ assumed_race
__global__ void moved_tuple_tied_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_tuple_tied_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *to, *from;
    std::tie(to, from) = std::make_tuple(a, a);
    moved_tuple_tied_bad<<<1, 64>>>(to, from);
}

// [alias] Two arrays: `std::tie`.
//~ race-free
__global__ void moved_tuple_tied_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_tuple_tied_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *to, *from;
    std::tie(to, from) = std::make_tuple(a, b);
    moved_tuple_tied_ok<<<1, 64>>>(to, from);
}

// [alias] `std::get` by type.
//~ assumed_race
__global__ void moved_tuple_type_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_tuple_type_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::tuple<int *, const int *> p(a, a);
    moved_tuple_type_bad<<<1, 64>>>(std::get<int *>(p), std::get<const int *>(p));
}

// [alias] Two arrays: `std::get` by type.
//~ race-free
__global__ void moved_tuple_type_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_tuple_type_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::tuple<int *, const int *> p(a, b);
    moved_tuple_type_ok<<<1, 64>>>(std::get<int *>(p), std::get<const int *>(p));
}

struct TwoMovedArrayMemberParamBad { int *p[2]; };

// [alias] An array that is a member of the parameter.
//~ race
__global__ void moved_array_member_param_bad(TwoMovedArrayMemberParamBad two)
{
    two.p[0][threadIdx.x] = two.p[1][threadIdx.x ^ 1]; //~ here
}

void run_moved_array_member_param_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    TwoMovedArrayMemberParamBad two;
    two.p[0] = a;
    two.p[1] = a;
    moved_array_member_param_bad<<<1, 64>>>(two);
}

struct TwoMovedArrayMemberParamOk { int *p[2]; };

// [alias] Two arrays: an array that is a member of the parameter.
//~ race-free
__global__ void moved_array_member_param_ok(TwoMovedArrayMemberParamOk two)
{
    two.p[0][threadIdx.x] = two.p[1][threadIdx.x ^ 1];
}

void run_moved_array_member_param_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    TwoMovedArrayMemberParamOk two;
    two.p[0] = a;
    two.p[1] = b;
    moved_array_member_param_ok<<<1, 64>>>(two);
}

// [alias] A `std::array` in doubled braces.
//~ assumed_race
__global__ void moved_array_double_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_array_double_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::array<int *, 2> p{{a, a}};
    moved_array_double_bad<<<1, 64>>>(p[0], p[1]);
}

// [alias] Two arrays: a `std::array` in doubled braces.
//~ race-free
__global__ void moved_array_double_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_array_double_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::array<int *, 2> p{{a, b}};
    moved_array_double_ok<<<1, 64>>>(p[0], p[1]);
}

// [alias] The ends of a `std::array`.
//~ assumed_race
__global__ void moved_array_front_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_array_front_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::array<int *, 2> p = {a, a};
    moved_array_front_bad<<<1, 64>>>(p.front(), p.back());
}

// [alias] Two arrays: the ends of a `std::array`.
//~ race-free
__global__ void moved_array_front_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_array_front_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::array<int *, 2> p = {a, b};
    moved_array_front_ok<<<1, 64>>>(p.front(), p.back());
}

// [alias] `std::get` of a `std::array`.
//~ assumed_race
__global__ void moved_array_get_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_array_get_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::array<int *, 2> p = {a, a};
    moved_array_get_bad<<<1, 64>>>(std::get<0>(p), std::get<1>(p));
}

// [alias] Two arrays: `std::get` of a `std::array`.
//~ race-free
__global__ void moved_array_get_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_array_get_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::array<int *, 2> p = {a, b};
    moved_array_get_ok<<<1, 64>>>(std::get<0>(p), std::get<1>(p));
}

// [alias] Parts of an array by names.
//~ assumed_race
__global__ void moved_array_bound_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_array_bound_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *p[2] = {a, a};
    auto [to, from] = p;
    moved_array_bound_bad<<<1, 64>>>(to, from);
}

// [alias] Two arrays: parts of an array by names.
//~ race-free
__global__ void moved_array_bound_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_array_bound_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *p[2] = {a, b};
    auto [to, from] = p;
    moved_array_bound_ok<<<1, 64>>>(to, from);
}

// [alias] `at` of a `std::array`.
//~ assumed_race
__global__ void moved_array_at_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_array_at_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::array<int *, 2> p = {a, a};
    moved_array_at_bad<<<1, 64>>>(p.at(0), p.at(1));
}

// [alias] Two arrays: `at` of a `std::array`.
//~ race-free
__global__ void moved_array_at_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_array_at_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::array<int *, 2> p = {a, b};
    moved_array_at_ok<<<1, 64>>>(p.at(0), p.at(1));
}

// [alias] A `std::array` that is filled.
//~ assumed_race
__global__ void moved_array_filled_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_array_filled_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::array<int *, 2> p;
    p.fill(a);
    p[1] = a;
    moved_array_filled_bad<<<1, 64>>>(p[0], p[1]);
}

// [alias] Two arrays: a `std::array` that is filled.
//~ race-free
__global__ void moved_array_filled_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_array_filled_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::array<int *, 2> p;
    p.fill(a);
    p[1] = b;
    moved_array_filled_ok<<<1, 64>>>(p[0], p[1]);
}

// [alias] Two buffers that change places in a loop.
//~ assumed_race
__global__ void moved_array_flip_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_array_flip_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *p[2] = {a, a};
    for (int round = 0; round < 4; round++) moved_array_flip_bad<<<1, 64>>>(p[round & 1], p[(round + 1) & 1]);
}

// [alias] Two arrays: two buffers that change places in a loop.
//~ race-free
__global__ void moved_array_flip_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_array_flip_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *p[2] = {a, b};
    for (int round = 0; round < 4; round++) moved_array_flip_ok<<<1, 64>>>(p[round & 1], p[(round + 1) & 1]);
}

// [alias] A vector in braces.
//~ assumed_race
__global__ void moved_vector_braces_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_vector_braces_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::vector<int *> p{a, a};
    moved_vector_braces_bad<<<1, 64>>>(p[0], p[1]);
}

// [alias] Two arrays: a vector in braces.
//~ race-free
__global__ void moved_vector_braces_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_vector_braces_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::vector<int *> p{a, b};
    moved_vector_braces_ok<<<1, 64>>>(p[0], p[1]);
}

// [alias] Elements of a vector that are set.
//~ race
__global__ void moved_vector_sized_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_vector_sized_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::vector<int *> p(2);
    p[0] = a;
    p[1] = a;
    moved_vector_sized_bad<<<1, 64>>>(p[0], p[1]);
}

// [alias] Two arrays: elements of a vector that are set.
//~ race-free
__global__ void moved_vector_sized_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_vector_sized_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::vector<int *> p(2);
    p[0] = a;
    p[1] = b;
    moved_vector_sized_ok<<<1, 64>>>(p[0], p[1]);
}

// [alias] `emplace_back`.
//~ assumed_race
__global__ void moved_vector_emplaced_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_vector_emplaced_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::vector<int *> p;
    p.emplace_back(a);
    p.emplace_back(a);
    moved_vector_emplaced_bad<<<1, 64>>>(p.front(), p.back());
}

// [alias] Two arrays: `emplace_back`.
//~ race-free
__global__ void moved_vector_emplaced_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_vector_emplaced_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::vector<int *> p;
    p.emplace_back(a);
    p.emplace_back(b);
    moved_vector_emplaced_ok<<<1, 64>>>(p.front(), p.back());
}

struct TwoMovedVectorStructsBad { int *to; const int *from; };

// [alias] Structures in a vector.
//~ assumed_race
__global__ void moved_vector_structs_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_vector_structs_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::vector<TwoMovedVectorStructsBad> all;
    all.push_back({a, a});
    for (auto &two : all) moved_vector_structs_bad<<<1, 64>>>(two.to, two.from);
}

struct TwoMovedVectorStructsOk { int *to; const int *from; };

// [alias] Two arrays: structures in a vector.
//~ race-free
__global__ void moved_vector_structs_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_vector_structs_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::vector<TwoMovedVectorStructsOk> all;
    all.push_back({a, b});
    for (auto &two : all) moved_vector_structs_ok<<<1, 64>>>(two.to, two.from);
}

struct TwoMovedVectorStructsParamBad { int *to; const int *from; };

// [alias] A structure of a vector is the argument.
//~ assumed_race
__global__ void moved_vector_structs_param_bad(TwoMovedVectorStructsParamBad args)
{
    args.to[threadIdx.x] = args.from[threadIdx.x ^ 1];
}

void run_moved_vector_structs_param_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::vector<TwoMovedVectorStructsParamBad> all;
    all.push_back({a, a});
    moved_vector_structs_param_bad<<<1, 64>>>(all[0]);
}

struct TwoMovedVectorStructsParamOk { int *to; const int *from; };

// [alias] Two arrays: a structure of a vector is the argument.
//~ race-free
__global__ void moved_vector_structs_param_ok(TwoMovedVectorStructsParamOk args)
{
    args.to[threadIdx.x] = args.from[threadIdx.x ^ 1];
}

void run_moved_vector_structs_param_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::vector<TwoMovedVectorStructsParamOk> all;
    all.push_back({a, b});
    moved_vector_structs_param_ok<<<1, 64>>>(all[0]);
}

// [alias] Iterators of a vector.
//~ assumed_race
__global__ void moved_vector_iterator_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_vector_iterator_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::vector<int *> p{a, a};
    auto it = p.begin();
    int *to = *it++;
    int *from = *it;
    moved_vector_iterator_bad<<<1, 64>>>(to, from);
}

// [alias] Two arrays: iterators of a vector.
//~ race-free
__global__ void moved_vector_iterator_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_vector_iterator_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::vector<int *> p{a, b};
    auto it = p.begin();
    int *to = *it++;
    int *from = *it;
    moved_vector_iterator_ok<<<1, 64>>>(to, from);
}

// [alias] The data of a vector.
//~ assumed_race
__global__ void moved_vector_data_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_vector_data_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::vector<int *> p{a, a};
    int **raw = p.data();
    moved_vector_data_bad<<<1, 64>>>(raw[0], raw[1]);
}

// [alias] Two arrays: the data of a vector.
//~ race-free
__global__ void moved_vector_data_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_vector_data_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::vector<int *> p{a, b};
    int **raw = p.data();
    moved_vector_data_ok<<<1, 64>>>(raw[0], raw[1]);
}

// [alias] The ends of a list.
//~ assumed_race
__global__ void moved_list_ends_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_list_ends_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::list<int *> p{a, a};
    moved_list_ends_bad<<<1, 64>>>(p.front(), p.back());
}

// [alias] Two arrays: the ends of a list.
//~ race-free
__global__ void moved_list_ends_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_list_ends_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::list<int *> p{a, b};
    moved_list_ends_ok<<<1, 64>>>(p.front(), p.back());
}

// [alias] A map by names.
//~ assumed_race
__global__ void moved_map_named_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_map_named_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::map<std::string, int *> p;
    p["to"] = a;
    p["from"] = a;
    moved_map_named_bad<<<1, 64>>>(p["to"], p["from"]);
}

// [alias] Two arrays: a map by names.
//~ race-free
__global__ void moved_map_named_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_map_named_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::map<std::string, int *> p;
    p["to"] = a;
    p["from"] = b;
    moved_map_named_ok<<<1, 64>>>(p["to"], p["from"]);
}

// [alias] `at` of a map.
//~ assumed_race
__global__ void moved_map_at_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_map_at_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::unordered_map<int, int *> p{{0, a}, {1, a}};
    moved_map_at_bad<<<1, 64>>>(p.at(0), p.at(1));
}

// [alias] Two arrays: `at` of a map.
//~ race-free
__global__ void moved_map_at_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_map_at_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::unordered_map<int, int *> p{{0, a}, {1, b}};
    moved_map_at_ok<<<1, 64>>>(p.at(0), p.at(1));
}

// [alias] What is found in a map.
//~ assumed_race
__global__ void moved_map_found_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_map_found_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::map<int, int *> p{{0, a}, {1, a}};
    auto it = p.find(1);
    moved_map_found_bad<<<1, 64>>>(a, it->second);
}

// [alias] Two arrays: what is found in a map.
//~ race-free
__global__ void moved_map_found_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_map_found_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::map<int, int *> p{{0, a}, {1, b}};
    auto it = p.find(1);
    moved_map_found_ok<<<1, 64>>>(a, it->second);
}

// [alias] A list in braces, looped over.
//~ assumed_race
__global__ void moved_initializer_list_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_initializer_list_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    for (int *in : {a}) moved_initializer_list_bad<<<1, 64>>>(a, in);
}

// [alias] Two arrays: a list in braces, looped over.
//~ race-free
__global__ void moved_initializer_list_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_initializer_list_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    for (int *in : {b}) moved_initializer_list_ok<<<1, 64>>>(a, in);
}

// [alias] `std::optional`.
//~ assumed_race
__global__ void moved_optional_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_optional_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::optional<int *> in = a;
    if (in) moved_optional_bad<<<1, 64>>>(a, *in);
}

// [alias] Two arrays: `std::optional`.
//~ race-free
__global__ void moved_optional_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_optional_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::optional<int *> in = b;
    if (in) moved_optional_ok<<<1, 64>>>(a, *in);
}

// [alias] `std::variant`.
//~ assumed_race
__global__ void moved_variant_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_variant_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::variant<int, int *> in = a;
    moved_variant_bad<<<1, 64>>>(a, std::get<int *>(in));
}

// [alias] Two arrays: `std::variant`.
//~ race-free
__global__ void moved_variant_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_variant_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::variant<int, int *> in = b;
    moved_variant_ok<<<1, 64>>>(a, std::get<int *>(in));
}

// [alias] `std::any`.
//~ assumed_race
__global__ void moved_any_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_any_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::any in = a;
    moved_any_bad<<<1, 64>>>(a, std::any_cast<int *>(in));
}

// [alias] Two arrays: `std::any`.
//~ race-free
__global__ void moved_any_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_any_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::any in = b;
    moved_any_ok<<<1, 64>>>(a, std::any_cast<int *>(in));
}

// [alias] `std::ref`.
//~ assumed_race
__global__ void moved_reference_wrapper_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_reference_wrapper_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = nullptr;
    auto name = std::ref(in);
    name.get() = a;
    moved_reference_wrapper_bad<<<1, 64>>>(a, in);
}

// [alias] Two arrays: `std::ref`.
//~ race-free
__global__ void moved_reference_wrapper_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_reference_wrapper_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = nullptr;
    auto name = std::ref(in);
    name.get() = b;
    moved_reference_wrapper_ok<<<1, 64>>>(a, in);
}

struct TwoMovedUniqueBad { int *to; const int *from; };

// [alias] An object behind `std::unique_ptr`.
//~ race
__global__ void moved_unique_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_unique_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto two = std::make_unique<TwoMovedUniqueBad>();
    two->to = a;
    two->from = a;
    moved_unique_bad<<<1, 64>>>(two->to, two->from);
}

struct TwoMovedUniqueOk { int *to; const int *from; };

// [alias] Two arrays: an object behind `std::unique_ptr`.
//~ race-free
__global__ void moved_unique_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_unique_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    auto two = std::make_unique<TwoMovedUniqueOk>();
    two->to = a;
    two->from = b;
    moved_unique_ok<<<1, 64>>>(two->to, two->from);
}

struct TwoMovedSharedBad { int *to; const int *from; };

// [alias] An object behind `std::shared_ptr`.
//~ assumed_race
__global__ void moved_shared_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_shared_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::shared_ptr<TwoMovedSharedBad> two(new TwoMovedSharedBad{a, a});
    auto other = two;
    moved_shared_bad<<<1, 64>>>(other->to, two->from);
}

struct TwoMovedSharedOk { int *to; const int *from; };

// [alias] Two arrays: an object behind `std::shared_ptr`.
//~ race-free
__global__ void moved_shared_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_shared_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::shared_ptr<TwoMovedSharedOk> two(new TwoMovedSharedOk{a, b});
    auto other = two;
    moved_shared_ok<<<1, 64>>>(other->to, two->from);
}

// [alias] `std::exchange`.
//~ assumed_race
__global__ void moved_exchange_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_exchange_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = a;
    int *old = std::exchange(in, nullptr);
    moved_exchange_bad<<<1, 64>>>(a, old);
}

// [alias] Two arrays: `std::exchange`.
//~ race-free
__global__ void moved_exchange_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_exchange_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = b;
    int *old = std::exchange(in, nullptr);
    moved_exchange_ok<<<1, 64>>>(a, old);
}

struct TwoMovedMovedBad { int *to; const int *from; };

// [alias] `std::move`.
//~ race
__global__ void moved_moved_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_moved_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    TwoMovedMovedBad two{a, a};
    TwoMovedMovedBad other = std::move(two);
    moved_moved_bad<<<1, 64>>>(other.to, other.from);
}

struct TwoMovedMovedOk { int *to; const int *from; };

// [alias] Two arrays: `std::move`.
//~ race-free
__global__ void moved_moved_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_moved_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    TwoMovedMovedOk two{a, b};
    TwoMovedMovedOk other = std::move(two);
    moved_moved_ok<<<1, 64>>>(other.to, other.from);
}

// [alias] `std::for_each`.
//~ assumed_race
__global__ void moved_for_each_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_for_each_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::array<int *, 1> all = {a};
    std::for_each(all.begin(), all.end(), [&](int *in) { moved_for_each_bad<<<1, 64>>>(a, in); });
}

// [alias] Two arrays: `std::for_each`.
//~ race-free
__global__ void moved_for_each_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_for_each_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::array<int *, 1> all = {b};
    std::for_each(all.begin(), all.end(), [&](int *in) { moved_for_each_ok<<<1, 64>>>(a, in); });
}

// [alias] `std::for_each` with a closure that sets.
//~ assumed_race
__global__ void moved_for_each_sets_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_for_each_sets_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = nullptr;
    std::vector<int *> all{a};
    std::for_each(all.begin(), all.end(), [&](int *p) { in = p; });
    moved_for_each_sets_bad<<<1, 64>>>(a, in);
}

// [alias] Two arrays: `std::for_each` with a closure that sets.
//~ race-free
__global__ void moved_for_each_sets_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_for_each_sets_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = nullptr;
    std::vector<int *> all{b};
    std::for_each(all.begin(), all.end(), [&](int *p) { in = p; });
    moved_for_each_sets_ok<<<1, 64>>>(a, in);
}

// [alias] `std::transform`.
//~ assumed_race
__global__ void moved_transform_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_transform_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::array<int *, 1> all = {a}, other;
    std::transform(all.begin(), all.end(), other.begin(), [](int *p) { return p; });
    moved_transform_bad<<<1, 64>>>(a, other[0]);
}

// [alias] Two arrays: `std::transform`.
//~ race-free
__global__ void moved_transform_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_transform_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    std::array<int *, 1> all = {b}, other;
    std::transform(all.begin(), all.end(), other.begin(), [](int *p) { return p; });
    moved_transform_ok<<<1, 64>>>(a, other[0]);
}
