//--blockDim=64 --gridDim=2
// Contracts: loop invariants are proved on entry and preserved, and then used

// Without the invariant nothing is known of i, whose step has no closed form.
//~ race-free
__global__ void invariant_used_behind_ok(int n)
{
    __requires(n < 1000);
    __shared__ int s[2048];
    int i = 1;
    while (__invariant(i >= 1), i < n) i = 2 * i + 1;
    if (threadIdx.x == 0) s[i] = 1;
    if (threadIdx.x == 1) s[0] = 2;
}

// Used in the loop.
//~ race-free
__global__ void invariant_used_inside_ok(int n)
{
    __shared__ int s[4096];
    int i = 1;
    for (; __invariant(i >= 1), i < n && i < 1024; i = 3 * i - 1) {
        if (threadIdx.x == 0) s[i] = 1;
        if (threadIdx.x == 1) s[0] = 2;
    }
}

// At the head of the body.
//~ race-free
__global__ void invariant_in_body_ok(int n)
{
    __shared__ int s[4096];
    int i = 1;
    while (i < n && i < 1024) {
        __invariant(i >= 1);
        if (threadIdx.x == 0) s[i] = 1;
        if (threadIdx.x == 1) s[0] = 2;
        i = 3 * i - 1;
    }
}

// At the head of the body of a loop that asks behind it.
//~ race-free
__global__ void invariant_in_do_ok(int n)
{
    __shared__ int s[4096];
    int i = 1;
    do {
        __invariant(i >= 1 && i < 1024);
        if (threadIdx.x == 0) s[i] = 1;
        if (threadIdx.x == 1) s[0] = 2;
        i = 3 * i - 1;
    } while (i < n && i < 1024);
}

// Two that need each other.
//~ race-free
__global__ void invariants_together_ok(int n)
{
    __requires(n < 1000);
    __shared__ int s[4096];
    int i = 1, j = 2;
    while (__invariant(i >= 1), __invariant(j > i), i < n) {
        int next = i + j;
        j = 2 * j + i;
        i = next;
    }
    if (threadIdx.x == 0) s[i & 1023] = 1;
    __assert(j >= 2);
}

// The loop's condition is over behind it.
//~ race-free
__global__ void invariant_with_exit_ok(int *out, int n)
{
    __requires(n >= 1 && n < 1000);
    int i = 1;
    while (__invariant(i >= 1), i < n) i = 2 * i + 1;
    __assert(i >= n);
    out[blockIdx.x * 64 + threadIdx.x] = i;
}

// A guess that is right is used.
//~ race-free
__global__ void candidate_used_ok(int n)
{
    __requires(n < 1000);
    __shared__ int s[2048];
    int i = 1;
    while (__candidate_invariant(i >= 1), i < n) i = 2 * i + 1;
    if (threadIdx.x == 0) s[i] = 1;
    if (threadIdx.x == 1) s[0] = 2;
}

// A guess that is wrong is dropped, and the right one is kept.
//~ race-free
__global__ void candidate_dropped_ok(int n)
{
    __requires(n < 1000);
    __shared__ int s[2048];
    int i = 1;
    while (__candidate_invariant(i == 1), __candidate_invariant(i >= 1), i < n) i = 2 * i + 1;
    if (threadIdx.x == 0) s[i] = 1;
    if (threadIdx.x == 1) s[0] = 2;
}

// [unproved] A wrong guess must not hide the race.
//~ race
__global__ void candidate_wrong_bad(int n)
{
    __requires(n < 1000);
    __shared__ int s[2048];
    int i = 1;
    while (__candidate_invariant(i == 2), i < n) i = 2 * i + 1;
    if (threadIdx.x == 0) s[i] = 1; //~ here
    if (threadIdx.x == 1) s[1] = 2; //~ here
}

// One for all loops of the function.
//~ race-free
__global__ void function_wide_ok(int n)
{
    __function_wide_invariant(n < 1000);
    __requires(n < 1000);
    __shared__ int s[2048];
    int i = 1;
    while (i < n) i = 2 * i + 1;
    if (threadIdx.x < 1) s[n > 0 ? n : 0] = 1;
}

// It fails in the second loop, where n has changed.
//~ assertion
__global__ void function_wide_bad(int *out, int n)
{
    __function_wide_invariant(n < 1000); //~ here
    __requires(n < 1000);
    int i = 1;
    while (i < n) i = 2 * i + 1;
    n += 1000;
    for (int j = 0; j < 4; j++) out[(blockIdx.x * 64 + threadIdx.x) * 4 + j] = i;
}

// An inner loop's invariant helps the outer one.
//~ race-free
__global__ void invariant_nested_ok(int n)
{
    __requires(n < 100);
    __shared__ int s[4096];
    int i = 1;
    for (int k = 0; __invariant(i >= 1), k < n; k++) {
        while (__invariant(i >= 1), i < k) i = 2 * i + 1;
    }
    if (threadIdx.x == 0) s[i & 2047 ? i & 2047 : 1] = 1;
    __assert(i >= 1);
}

// Does not hold on entry.
//~ assertion
__global__ void invariant_on_entry_bad(int *out, int n)
{
    int i = 1;
    while (__invariant(i >= 2), i < n) i = 2 * i; //~ here
    out[blockIdx.x * 64 + threadIdx.x] = i;
}

// Holds on entry and is not preserved.
//~ assertion
__global__ void invariant_not_preserved_bad(int *out, int n)
{
    int i = 10;
    while (__invariant(i >= 2), i < n) i = i - 3; //~ here
    out[blockIdx.x * 64 + threadIdx.x] = i;
}

// Not preserved by the path that continues.
//~ assertion
__global__ void invariant_lost_by_continue_bad(const int *in, int *out, int n)
{
    int sum = 0;
    for (int i = 0; __invariant(sum >= 0), i < n; i++) { //~ here
        if (in[i] > 0) { sum = -1; continue; }
        sum = 1;
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// [unproved] False on entry: it must not hide the race.
//~ race
__global__ void invariant_false_on_entry_bad(int n)
{
    __requires(n < 1000);
    __shared__ int s[2048];
    int i = 1;
    while (__invariant(i >= 2), i < n) i = 2 * i; //~ here
    if (threadIdx.x == 0) s[i] = 1; //~ here
    if (threadIdx.x == 1) s[1] = 2; //~ here
}

// [unproved] Not preserved: it must not hide the race.
//~ race
__global__ void invariant_not_inductive_bad(int n)
{
    __requires(n > 0 && n < 1000);
    __shared__ int s[2048];
    int i = 8;
    while (__invariant(i >= 3), i < n) i = i / 2 + 1; //~ here
    if (threadIdx.x == 0) s[i] = 1; //~ here
    if (threadIdx.x == 1) s[2] = 2; //~ here
}

// [unproved] `false` is preserved by every loop, and holds on entry of none.
//~ race
__global__ void invariant_false_bad(int *out, int n)
{
    for (int i = 0; __invariant(false), i < n; i++) { //~ here
        out[i] = threadIdx.x; //~ here
    }
}

// [unproved] A `break` leaves the loop in the middle, where the invariant does not hold.
//~ race
__global__ void invariant_behind_break_bad(const int *in, int n)
{
    __requires(n < 1000);
    __shared__ int s[2048];
    int i = 1;
    while (__invariant(i >= 1), i < n) {
        i = 0;
        if (in[0] > 0) break;
        i = 5;
    }
    if (threadIdx.x == 0) s[i] = 1; //~ here
    if (threadIdx.x == 1) s[0] = 2; //~ here
}

// [unproved] At the head of the body it says nothing of what is behind the loop.
//~ race
__global__ void invariant_of_body_behind_bad(int n)
{
    __requires(n < 1000);
    __shared__ int s[2048];
    int i = n;
    while (i > 3) {
        __invariant(i > 3);
        i = i / 2 - 1;
    }
    if (threadIdx.x == 0) s[i > 0 ? i : 0] = 1; //~ here
    if (threadIdx.x == 1) s[2] = 2; //~ here
}

// [unproved] The condition changes the variable: behind the loop it is not what it was before the condition.
//~ race
__global__ void invariant_and_changing_condition_bad(int n)
{
    __requires(n >= 0 && n < 100);
    __shared__ int s[2048];
    int i = 0;
    while (__invariant(i >= 0 && i <= n), i++ < n) { }
    if (threadIdx.x == 0) s[i] = 1; //~ here
    if (threadIdx.x == 1) s[n + 1] = 2; //~ here
}

// Global: of the threads that never enter, too.
//~ race-free
__global__ void global_invariant_ok(int *out, int n)
{
    int i = 1;
    if (threadIdx.x < 32) {
        while (__global_invariant(i >= 1), i < n && i < 1000) i = 2 * i + 1;
    }
    out[blockIdx.x * 64 + threadIdx.x] = i;
}

// The threads that do not enter violate it.
//~ assertion
__global__ void global_invariant_bad(int *out, int n)
{
    int t = threadIdx.x;
    int i = 1;
    if (t < 32) {
        while (__global_invariant(t < 32), i < n && i < 1000) i = 2 * i + 1; //~ here
    }
    out[blockIdx.x * 64 + t] = i;
}

// An assertion before the condition is an invariant.
//~ race-free
__global__ void assertion_at_head_ok(int n)
{
    __requires(n < 1000);
    __shared__ int s[2048];
    int i = 1;
    while (__assert(i >= 1), i < n) i = 2 * i + 1;
    if (threadIdx.x == 0) s[i] = 1;
    if (threadIdx.x == 1) s[0] = 2;
}

// An assertion at the head of the body needs induction to be proved.
//~ race-free
__global__ void assertion_by_induction_ok(int *out, int n)
{
    int i = 1;
    while (i < n && i < 1000) {
        __assert(i >= 1);
        i = 2 * i + 1;
    }
    out[blockIdx.x * 64 + threadIdx.x] = i;
}
