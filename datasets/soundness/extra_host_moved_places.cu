// Extra: pointers that host code makes one, in variables, bytes and branches
//
// Each program is there twice: the kernel whose name ends in `bad` gets one array twice, its twin two. Where the way is followed the
// race is told; where it is not, the proof names the arrays, the launch and that it was not followed.

#include <cstring>
#include <utility>

static int *keptMovedReferenceReturnedBad = nullptr;
static int *&placeMovedReferenceReturnedBad() { return keptMovedReferenceReturnedBad; }

// [alias] A reference that a function gives.
//~ assumed_race
__global__ void moved_reference_returned_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_reference_returned_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    placeMovedReferenceReturnedBad() = a;
    moved_reference_returned_bad<<<1, 64>>>(a, keptMovedReferenceReturnedBad);
}

static int *keptMovedReferenceReturnedOk = nullptr;
static int *&placeMovedReferenceReturnedOk() { return keptMovedReferenceReturnedOk; }

// [alias] Two arrays: a reference that a function gives.
//~ race-free
__global__ void moved_reference_returned_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_reference_returned_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    placeMovedReferenceReturnedOk() = b;
    moved_reference_returned_ok<<<1, 64>>>(a, keptMovedReferenceReturnedOk);
}

static int *&placeMovedReferenceStaticBad()
{
    static int *kept = nullptr;
    return kept;
}

// [alias] A reference to a variable of the function.
//~ race
__global__ void moved_reference_static_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_reference_static_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    placeMovedReferenceStaticBad() = a;
    moved_reference_static_bad<<<1, 64>>>(a, placeMovedReferenceStaticBad());
}

static int *&placeMovedReferenceStaticOk()
{
    static int *kept = nullptr;
    return kept;
}

// [alias] Two arrays: a reference to a variable of the function.
//~ race-free
__global__ void moved_reference_static_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_reference_static_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    placeMovedReferenceStaticOk() = b;
    moved_reference_static_ok<<<1, 64>>>(a, placeMovedReferenceStaticOk());
}

// [alias] A reference to one of two.
//~ assumed_race
__global__ void moved_reference_chosen_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_reference_chosen_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *x = nullptr, *y = nullptr;
    int *&name = n > 0 ? x : y;
    name = a;
    moved_reference_chosen_bad<<<1, 64>>>(a, n > 0 ? x : y);
}

// [alias] Two arrays: a reference to one of two.
//~ race-free
__global__ void moved_reference_chosen_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_reference_chosen_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *x = nullptr, *y = nullptr;
    int *&name = n > 0 ? x : y;
    name = b;
    moved_reference_chosen_ok<<<1, 64>>>(a, n > 0 ? x : y);
}

namespace {
int *keptMovedGlobalUnnamedBad = nullptr;
void keepMovedGlobalUnnamedBad(int *p) { keptMovedGlobalUnnamedBad = p; }
}

// [alias] A variable of an unnamed namespace.
//~ assumed_race
__global__ void moved_global_unnamed_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_global_unnamed_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    keepMovedGlobalUnnamedBad(a);
    moved_global_unnamed_bad<<<1, 64>>>(a, keptMovedGlobalUnnamedBad);
}

namespace {
int *keptMovedGlobalUnnamedOk = nullptr;
void keepMovedGlobalUnnamedOk(int *p) { keptMovedGlobalUnnamedOk = p; }
}

// [alias] Two arrays: a variable of an unnamed namespace.
//~ race-free
__global__ void moved_global_unnamed_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_global_unnamed_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    keepMovedGlobalUnnamedOk(b);
    moved_global_unnamed_ok<<<1, 64>>>(a, keptMovedGlobalUnnamedOk);
}

static int *keptMovedGlobalArrayBad[2];

// [alias] An array at namespace scope.
//~ assumed_race
__global__ void moved_global_array_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_global_array_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    keptMovedGlobalArrayBad[0] = a;
    keptMovedGlobalArrayBad[1] = a;
    moved_global_array_bad<<<1, 64>>>(keptMovedGlobalArrayBad[0], keptMovedGlobalArrayBad[1]);
}

static int *keptMovedGlobalArrayOk[2];

// [alias] Two arrays: an array at namespace scope.
//~ race-free
__global__ void moved_global_array_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_global_array_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    keptMovedGlobalArrayOk[0] = a;
    keptMovedGlobalArrayOk[1] = b;
    moved_global_array_ok<<<1, 64>>>(keptMovedGlobalArrayOk[0], keptMovedGlobalArrayOk[1]);
}

struct StateMovedGlobalStructBehindBad { int *to; int *from; };
static StateMovedGlobalStructBehindBad *nowMovedGlobalStructBehindBad = nullptr;

// [alias] Behind a pointer at namespace scope that is set.
//~ assumed_race
__global__ void moved_global_struct_behind_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_global_struct_behind_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    static StateMovedGlobalStructBehindBad state;
    nowMovedGlobalStructBehindBad = &state;
    state.to = a;
    nowMovedGlobalStructBehindBad->from = a;
    moved_global_struct_behind_bad<<<1, 64>>>(nowMovedGlobalStructBehindBad->to, state.from);
}

struct StateMovedGlobalStructBehindOk { int *to; int *from; };
static StateMovedGlobalStructBehindOk *nowMovedGlobalStructBehindOk = nullptr;

// [alias] Two arrays: behind a pointer at namespace scope that is set.
//~ race-free
__global__ void moved_global_struct_behind_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_global_struct_behind_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    static StateMovedGlobalStructBehindOk state;
    nowMovedGlobalStructBehindOk = &state;
    state.to = a;
    nowMovedGlobalStructBehindOk->from = b;
    moved_global_struct_behind_ok<<<1, 64>>>(nowMovedGlobalStructBehindOk->to, state.from);
}

inline int *keptMovedGlobalInlineBad = nullptr;

// [alias] An inline variable.
//~ assumed_race
__global__ void moved_global_inline_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_global_inline_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    keptMovedGlobalInlineBad = a;
    moved_global_inline_bad<<<1, 64>>>(a, keptMovedGlobalInlineBad);
}

inline int *keptMovedGlobalInlineOk = nullptr;

// [alias] Two arrays: an inline variable.
//~ race-free
__global__ void moved_global_inline_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_global_inline_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    keptMovedGlobalInlineOk = b;
    moved_global_inline_ok<<<1, 64>>>(a, keptMovedGlobalInlineOk);
}

// [alias] A number, and back.
//~ race
__global__ void moved_number_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_number_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    uintptr_t number = reinterpret_cast<uintptr_t>(a);
    moved_number_bad<<<1, 64>>>(a, reinterpret_cast<int *>(number));
}

// [alias] Two arrays: a number, and back.
//~ race-free
__global__ void moved_number_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_number_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    uintptr_t number = reinterpret_cast<uintptr_t>(b);
    moved_number_ok<<<1, 64>>>(a, reinterpret_cast<int *>(number));
}

// [alias] The bytes of a pointer.
//~ assumed_race
__global__ void moved_number_text_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_number_text_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    unsigned char bytes[sizeof(int *)];
    int *in = a;
    memcpy(bytes, &in, sizeof in);
    int *out;
    memcpy(&out, bytes, sizeof out);
    moved_number_text_bad<<<1, 64>>>(a, out);
}

// [alias] Two arrays: the bytes of a pointer.
//~ race-free
__global__ void moved_number_text_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_number_text_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    unsigned char bytes[sizeof(int *)];
    int *in = b;
    memcpy(bytes, &in, sizeof in);
    int *out;
    memcpy(&out, bytes, sizeof out);
    moved_number_text_ok<<<1, 64>>>(a, out);
}

// [alias] An array moved by `memmove`.
//~ assumed_race
__global__ void moved_bytes_moved_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_bytes_moved_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *p[3] = {nullptr, a, a};
    memmove(p, p + 1, 2 * sizeof(int *));
    moved_bytes_moved_bad<<<1, 64>>>(p[0], p[1]);
}

// [alias] Two arrays: an array moved by `memmove`.
//~ race-free
__global__ void moved_bytes_moved_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_bytes_moved_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *p[3] = {nullptr, a, b};
    memmove(p, p + 1, 2 * sizeof(int *));
    moved_bytes_moved_ok<<<1, 64>>>(p[0], p[1]);
}

struct TwoMovedPlacementBad { int *to; const int *from; };

// [alias] An object made in place.
//~ assumed_race
__global__ void moved_placement_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_placement_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    alignas(TwoMovedPlacementBad) char room[sizeof(TwoMovedPlacementBad)];
    TwoMovedPlacementBad *two = new (room) TwoMovedPlacementBad{a, a};
    moved_placement_bad<<<1, 64>>>(two->to, two->from);
}

struct TwoMovedPlacementOk { int *to; const int *from; };

// [alias] Two arrays: an object made in place.
//~ race-free
__global__ void moved_placement_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_placement_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    alignas(TwoMovedPlacementOk) char room[sizeof(TwoMovedPlacementOk)];
    TwoMovedPlacementOk *two = new (room) TwoMovedPlacementOk{a, b};
    moved_placement_ok<<<1, 64>>>(two->to, two->from);
}

// [alias] An array on the heap.
//~ race
__global__ void moved_heap_array_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_heap_array_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int **p = new int *[2];
    p[0] = a;
    p[1] = a;
    moved_heap_array_bad<<<1, 64>>>(p[0], p[1]);
}

// [alias] Two arrays: an array on the heap.
//~ race-free
__global__ void moved_heap_array_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_heap_array_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int **p = new int *[2];
    p[0] = a;
    p[1] = b;
    moved_heap_array_ok<<<1, 64>>>(p[0], p[1]);
}

// [alias] An array of `malloc`.
//~ race
__global__ void moved_heap_malloc_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_heap_malloc_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int **p = (int **)malloc(2 * sizeof(int *));
    p[0] = a;
    p[1] = a;
    moved_heap_malloc_bad<<<1, 64>>>(p[0], p[1]);
}

// [alias] Two arrays: an array of `malloc`.
//~ race-free
__global__ void moved_heap_malloc_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_heap_malloc_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int **p = (int **)malloc(2 * sizeof(int *));
    p[0] = a;
    p[1] = b;
    moved_heap_malloc_ok<<<1, 64>>>(p[0], p[1]);
}

// [alias] A table of untyped pointers.
//~ race
__global__ void moved_void_pointers_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_void_pointers_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    void *p[2] = {a, a};
    moved_void_pointers_bad<<<1, 64>>>(static_cast<int *>(p[0]), static_cast<int *>(p[1]));
}

// [alias] Two arrays: a table of untyped pointers.
//~ race-free
__global__ void moved_void_pointers_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_void_pointers_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    void *p[2] = {a, b};
    moved_void_pointers_ok<<<1, 64>>>(static_cast<int *>(p[0]), static_cast<int *>(p[1]));
}

// [alias] `cudaLaunchKernel`.
//~ race
__global__ void moved_launch_kernel_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_launch_kernel_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = a;
    void *args[] = {&a, &in};
    cudaLaunchKernel((void *)moved_launch_kernel_bad, dim3(1), dim3(64), args, 0, 0);
}

// [alias] Two arrays: `cudaLaunchKernel`.
//~ race-free
__global__ void moved_launch_kernel_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_launch_kernel_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = b;
    void *args[] = {&a, &in};
    cudaLaunchKernel((void *)moved_launch_kernel_ok, dim3(1), dim3(64), args, 0, 0);
}

// [alias] `cudaLaunchKernel` with a table that is filled.
//~ race
__global__ void moved_launch_kernel_built_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_launch_kernel_built_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = a;
    void *args[2];
    int at = 0;
    args[at++] = &a;
    args[at++] = &in;
    cudaLaunchKernel((void *)moved_launch_kernel_built_bad, dim3(1), dim3(64), args, 0, 0);
}

// [alias] Two arrays: `cudaLaunchKernel` with a table that is filled.
//~ race-free
__global__ void moved_launch_kernel_built_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_launch_kernel_built_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = b;
    void *args[2];
    int at = 0;
    args[at++] = &a;
    args[at++] = &in;
    cudaLaunchKernel((void *)moved_launch_kernel_built_ok, dim3(1), dim3(64), args, 0, 0);
}

template <class G, class... A> static void launchMovedLaunchWrappedBad(G kernel, A &&...all) { kernel<<<1, 64>>>(std::forward<A>(all)...); }

// [alias] A wrapper that passes all on.
//~ race
__global__ void moved_launch_wrapped_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_launch_wrapped_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    launchMovedLaunchWrappedBad(moved_launch_wrapped_bad, a, a);
}

template <class G, class... A> static void launchMovedLaunchWrappedOk(G kernel, A &&...all) { kernel<<<1, 64>>>(std::forward<A>(all)...); }

// [alias] Two arrays: a wrapper that passes all on.
//~ race-free
__global__ void moved_launch_wrapped_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_launch_wrapped_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    launchMovedLaunchWrappedOk(moved_launch_wrapped_ok, a, b);
}

struct OneMovedLaunchFoldedBad { int *p; };

// [alias] A pack of structures.
//~ race
__global__ void moved_launch_folded_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}
template <class... A> static void launchMovedLaunchFoldedBad(A... all) { moved_launch_folded_bad<<<1, 64>>>(all.p...); }

void run_moved_launch_folded_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    launchMovedLaunchFoldedBad(OneMovedLaunchFoldedBad{a}, OneMovedLaunchFoldedBad{a});
}

struct OneMovedLaunchFoldedOk { int *p; };

// [alias] Two arrays: a pack of structures.
//~ race-free
__global__ void moved_launch_folded_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}
template <class... A> static void launchMovedLaunchFoldedOk(A... all) { moved_launch_folded_ok<<<1, 64>>>(all.p...); }

void run_moved_launch_folded_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    launchMovedLaunchFoldedOk(OneMovedLaunchFoldedOk{a}, OneMovedLaunchFoldedOk{b});
}

// [alias] Set before a jump back.
//~ assumed_race
__global__ void moved_goto_back_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_goto_back_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = nullptr;
    int round = 0;
again:
    if (round == 1) goto out;
    in = a;
    round++;
    goto again;
out:
    moved_goto_back_bad<<<1, 64>>>(a, in);
}

// [alias] Two arrays: set before a jump back.
//~ race-free
__global__ void moved_goto_back_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_goto_back_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = nullptr;
    int round = 0;
again:
    if (round == 1) goto out;
    in = b;
    round++;
    goto again;
out:
    moved_goto_back_ok<<<1, 64>>>(a, in);
}

// [alias] A jump over the assignment of the other.
//~ assumed_race
__global__ void moved_goto_over_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_goto_over_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = a;
    if (n >= 0) goto out;
    in = c;
out:
    moved_goto_over_bad<<<1, 64>>>(a, in);
}

// [alias] Two arrays: a jump over the assignment of the other.
//~ race-free
__global__ void moved_goto_over_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_goto_over_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = b;
    if (n >= 0) goto out;
    in = c;
out:
    moved_goto_over_ok<<<1, 64>>>(a, in);
}

// [alias] A jump to the launch.
//~ assumed_race
__global__ void moved_goto_into_launch_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_goto_into_launch_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = c;
    if (n > 3) {
        in = a;
        goto out;
    }
    in = c;
out:
    moved_goto_into_launch_bad<<<1, 64>>>(a, in);
}

// [alias] Two arrays: a jump to the launch.
//~ race-free
__global__ void moved_goto_into_launch_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_goto_into_launch_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = c;
    if (n > 3) {
        in = b;
        goto out;
    }
    in = c;
out:
    moved_goto_into_launch_ok<<<1, 64>>>(a, in);
}

// [alias] One case goes on into the next.
//~ race
__global__ void moved_switch_through_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_switch_through_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = c;
    switch (n) {
case 1:
        in = a;
case 2:
        break;
default:
        in = c;
    }
    moved_switch_through_bad<<<1, 64>>>(a, in);
}

// [alias] Two arrays: one case goes on into the next.
//~ race-free
__global__ void moved_switch_through_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_switch_through_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = c;
    switch (n) {
case 1:
        in = b;
case 2:
        break;
default:
        in = c;
    }
    moved_switch_through_ok<<<1, 64>>>(a, in);
}

// [alias] Set in a loop whose body comes first.
//~ race
__global__ void moved_do_while_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_do_while_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = c;
    do {
        in = a;
    } while (n-- > 0);
    moved_do_while_bad<<<1, 64>>>(a, in);
}

// [alias] Two arrays: set in a loop whose body comes first.
//~ race-free
__global__ void moved_do_while_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_do_while_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = c;
    do {
        in = b;
    } while (n-- > 0);
    moved_do_while_ok<<<1, 64>>>(a, in);
}

// [alias] Set before a loop is left.
//~ race
__global__ void moved_loop_break_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_loop_break_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = c;
    for (int i = 0; i < 10; i++) {
        if (i == n) {
            in = a;
            break;
        }
    }
    moved_loop_break_bad<<<1, 64>>>(a, in);
}

// [alias] Two arrays: set before a loop is left.
//~ race-free
__global__ void moved_loop_break_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_loop_break_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = c;
    for (int i = 0; i < 10; i++) {
        if (i == n) {
            in = b;
            break;
        }
    }
    moved_loop_break_ok<<<1, 64>>>(a, in);
}

// [alias] The last round sets it.
//~ assumed_race
__global__ void moved_loop_last_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_loop_last_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *all[3] = {c, c, a};
    int *in = nullptr;
    for (int i = 0; i < 3; i++) in = all[i];
    moved_loop_last_bad<<<1, 64>>>(a, in);
}

// [alias] Two arrays: the last round sets it.
//~ race-free
__global__ void moved_loop_last_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_loop_last_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *all[3] = {c, c, b};
    int *in = nullptr;
    for (int i = 0; i < 3; i++) in = all[i];
    moved_loop_last_ok<<<1, 64>>>(a, in);
}

// [alias] Swapped in each round.
//~ race
__global__ void moved_loop_swap_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_loop_swap_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *x = a, *y = a;
    for (int i = 0; i < n; i++) {
        moved_loop_swap_bad<<<1, 64>>>(x, y);
        std::swap(x, y);
    }
}

// [alias] Two arrays: swapped in each round.
//~ race-free
__global__ void moved_loop_swap_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_loop_swap_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *x = a, *y = b;
    for (int i = 0; i < n; i++) {
        moved_loop_swap_ok<<<1, 64>>>(x, y);
        std::swap(x, y);
    }
}

// [alias] Set where an exception is caught.
//~ assumed_race
__global__ void moved_caught_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_caught_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = c;
    try {
        if (n > 0) throw 1;
    } catch (int) {
        in = a;
    }
    moved_caught_bad<<<1, 64>>>(a, in);
}

// [alias] Two arrays: set where an exception is caught.
//~ race-free
__global__ void moved_caught_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_caught_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = c;
    try {
        if (n > 0) throw 1;
    } catch (int) {
        in = b;
    }
    moved_caught_ok<<<1, 64>>>(a, in);
}

static int *pickMovedReturnedEarlyBad(int *x, int *y, int n)
{
    if (n > 2) return x;
    return y;
}

// [alias] A helper that returns early.
//~ race
__global__ void moved_returned_early_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_returned_early_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    moved_returned_early_bad<<<1, 64>>>(a, pickMovedReturnedEarlyBad(a, c, n));
}

static int *pickMovedReturnedEarlyOk(int *x, int *y, int n)
{
    if (n > 2) return x;
    return y;
}

// [alias] Two arrays: a helper that returns early.
//~ race-free
__global__ void moved_returned_early_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_returned_early_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    moved_returned_early_ok<<<1, 64>>>(a, pickMovedReturnedEarlyOk(b, c, n));
}

static int *walkMovedRecursionBad(int *p, int n) { return n == 0 ? p : walkMovedRecursionBad(p, n - 1); }

// [alias] A helper that calls itself.
//~ assumed_race
__global__ void moved_recursion_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_recursion_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    moved_recursion_bad<<<1, 64>>>(a, walkMovedRecursionBad(a, 3));
}

static int *walkMovedRecursionOk(int *p, int n) { return n == 0 ? p : walkMovedRecursionOk(p, n - 1); }

// [alias] Two arrays: a helper that calls itself.
//~ race-free
__global__ void moved_recursion_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_recursion_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    moved_recursion_ok<<<1, 64>>>(a, walkMovedRecursionOk(b, 3));
}

static int *keptMovedDefaultArgumentBad = nullptr;
static int *giveMovedDefaultArgumentBad(int *p = keptMovedDefaultArgumentBad) { return p; }

// [alias] A default argument.
//~ assumed_race
__global__ void moved_default_argument_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_default_argument_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    keptMovedDefaultArgumentBad = a;
    moved_default_argument_bad<<<1, 64>>>(a, giveMovedDefaultArgumentBad());
}

static int *keptMovedDefaultArgumentOk = nullptr;
static int *giveMovedDefaultArgumentOk(int *p = keptMovedDefaultArgumentOk) { return p; }

// [alias] Two arrays: a default argument.
//~ race-free
__global__ void moved_default_argument_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_default_argument_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    keptMovedDefaultArgumentOk = b;
    moved_default_argument_ok<<<1, 64>>>(a, giveMovedDefaultArgumentOk());
}

struct TwoMovedReturnedStructBad { int *to; const int *from; };
static TwoMovedReturnedStructBad makeMovedReturnedStructBad(int *to, const int *from)
{
    TwoMovedReturnedStructBad two;
    two.to = to;
    two.from = from;
    return two;
}

// [alias] A structure that a function gives.
//~ race
__global__ void moved_returned_struct_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_returned_struct_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    TwoMovedReturnedStructBad two = makeMovedReturnedStructBad(a, a);
    moved_returned_struct_bad<<<1, 64>>>(two.to, two.from);
}

struct TwoMovedReturnedStructOk { int *to; const int *from; };
static TwoMovedReturnedStructOk makeMovedReturnedStructOk(int *to, const int *from)
{
    TwoMovedReturnedStructOk two;
    two.to = to;
    two.from = from;
    return two;
}

// [alias] Two arrays: a structure that a function gives.
//~ race-free
__global__ void moved_returned_struct_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_returned_struct_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    TwoMovedReturnedStructOk two = makeMovedReturnedStructOk(a, b);
    moved_returned_struct_ok<<<1, 64>>>(two.to, two.from);
}

struct TwoMovedReturnedStructParamBad { int *to; const int *from; };
static TwoMovedReturnedStructParamBad makeMovedReturnedStructParamBad(int *to, const int *from) { return TwoMovedReturnedStructParamBad{to, from}; }

// [alias] A structure that a function gives is the argument.
//~ race
__global__ void moved_returned_struct_param_bad(TwoMovedReturnedStructParamBad args)
{
    args.to[threadIdx.x] = args.from[threadIdx.x ^ 1]; //~ here
}

void run_moved_returned_struct_param_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    moved_returned_struct_param_bad<<<1, 64>>>(makeMovedReturnedStructParamBad(a, a));
}

struct TwoMovedReturnedStructParamOk { int *to; const int *from; };
static TwoMovedReturnedStructParamOk makeMovedReturnedStructParamOk(int *to, const int *from) { return TwoMovedReturnedStructParamOk{to, from}; }

// [alias] Two arrays: a structure that a function gives is the argument.
//~ race-free
__global__ void moved_returned_struct_param_ok(TwoMovedReturnedStructParamOk args)
{
    args.to[threadIdx.x] = args.from[threadIdx.x ^ 1];
}

void run_moved_returned_struct_param_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    moved_returned_struct_param_ok<<<1, 64>>>(makeMovedReturnedStructParamOk(a, b));
}

struct TwoMovedOutPointerBad { int *to; const int *from; };
static void fillMovedOutPointerBad(TwoMovedOutPointerBad *two, int *to, const int *from)
{
    two->to = to;
    two->from = from;
}

// [alias] Given back through a pointer to a structure.
//~ race
__global__ void moved_out_pointer_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_out_pointer_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    TwoMovedOutPointerBad two;
    fillMovedOutPointerBad(&two, a, a);
    moved_out_pointer_bad<<<1, 64>>>(two.to, two.from);
}

struct TwoMovedOutPointerOk { int *to; const int *from; };
static void fillMovedOutPointerOk(TwoMovedOutPointerOk *two, int *to, const int *from)
{
    two->to = to;
    two->from = from;
}

// [alias] Two arrays: given back through a pointer to a structure.
//~ race-free
__global__ void moved_out_pointer_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_out_pointer_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    TwoMovedOutPointerOk two;
    fillMovedOutPointerOk(&two, a, b);
    moved_out_pointer_ok<<<1, 64>>>(two.to, two.from);
}

struct TwoMovedDesignatedBad { int *to; const int *from; };

// [alias] Members by name.
//~ race
__global__ void moved_designated_bad(TwoMovedDesignatedBad args)
{
    args.to[threadIdx.x] = args.from[threadIdx.x ^ 1]; //~ here
}

void run_moved_designated_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    TwoMovedDesignatedBad two = {.to = a, .from = a};
    moved_designated_bad<<<1, 64>>>(two);
}

struct TwoMovedDesignatedOk { int *to; const int *from; };

// [alias] Two arrays: members by name.
//~ race-free
__global__ void moved_designated_ok(TwoMovedDesignatedOk args)
{
    args.to[threadIdx.x] = args.from[threadIdx.x ^ 1];
}

void run_moved_designated_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    TwoMovedDesignatedOk two = {.to = a, .from = b};
    moved_designated_ok<<<1, 64>>>(two);
}

struct NodeMovedLinkedBad { int *p; NodeMovedLinkedBad *next; };

// [alias] A list of structures.
//~ assumed_race
__global__ void moved_linked_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_linked_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    NodeMovedLinkedBad last{a, nullptr}, first{a, &last};
    moved_linked_bad<<<1, 64>>>(first.p, first.next->p);
}

struct NodeMovedLinkedOk { int *p; NodeMovedLinkedOk *next; };

// [alias] Two arrays: a list of structures.
//~ race-free
__global__ void moved_linked_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_linked_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    NodeMovedLinkedOk last{b, nullptr}, first{a, &last};
    moved_linked_ok<<<1, 64>>>(first.p, first.next->p);
}

// [alias] Into the same allocation.
//~ race
__global__ void moved_interior_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_interior_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = a + 1;
    moved_interior_bad<<<1, 64>>>(a, in);
}

// [alias] Two arrays: into the same allocation.
//~ race-free
__global__ void moved_interior_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_interior_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = b + 1;
    moved_interior_ok<<<1, 64>>>(a, in);
}

struct TwoMovedStructOfStructBad { int *to; const int *from; };
struct AllMovedStructOfStructBad { int n; TwoMovedStructOfStructBad two; };

// [alias] A structure in a structure.
//~ race
__global__ void moved_struct_of_struct_bad(TwoMovedStructOfStructBad args)
{
    args.to[threadIdx.x] = args.from[threadIdx.x ^ 1]; //~ here
}

void run_moved_struct_of_struct_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    AllMovedStructOfStructBad all = {64, {a, a}};
    moved_struct_of_struct_bad<<<1, 64>>>(all.two);
}

struct TwoMovedStructOfStructOk { int *to; const int *from; };
struct AllMovedStructOfStructOk { int n; TwoMovedStructOfStructOk two; };

// [alias] Two arrays: a structure in a structure.
//~ race-free
__global__ void moved_struct_of_struct_ok(TwoMovedStructOfStructOk args)
{
    args.to[threadIdx.x] = args.from[threadIdx.x ^ 1];
}

void run_moved_struct_of_struct_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    AllMovedStructOfStructOk all = {64, {a, b}};
    moved_struct_of_struct_ok<<<1, 64>>>(all.two);
}
