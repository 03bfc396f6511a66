//--blockDim=64 --gridDim=1
// Contracts: what is said of shared memory at a barrier

// Numbers that an odd factor permutes: any two elements differ, so any two threads have places of their own.
//~ race-free
__global__ void permuted_places_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = (5 * t + 3) % 64;
    __barrier_invariant_binary_1(s[t] != s[__other_int(t)], t, __other_int(t));
    __syncthreads();
    out[s[t]] = t;
}

// [an assertion that can fail] An even factor does not.
//~ race
__global__ void permuted_places_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = (6 * t + 3) % 64;
    __barrier_invariant_binary_1(s[t] != s[__other_int(t)], t, __other_int(t)); //~ here
    __syncthreads();
    out[s[t]] = t; //~ here
}

// The places are read from the other end: the pair that is meant is named.
//~ race-free
__global__ void mirrored_places_ok(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = (t + in[0]) & 63;
    __barrier_invariant_binary_1(s[t] != s[__other_int(t)], 63 - t, 63 - __other_int(t));
    __syncthreads();
    out[s[63 - t]] = t;
}

// The invariant is about what each thread stored, which only the thread itself knows; behind the barrier it is used of another one.
//~ race-free
__global__ void marks_of_another_ok(const int *in, int *out)
{
    __shared__ int mark[64];
    int t = threadIdx.x;
    mark[t] = in[t] > 0;
    __barrier_invariant_1(mark[t] >= 0 && mark[t] <= 1, 63 - t);
    __syncthreads();
    out[2 * t + mark[63 - t]] = t;
}

// [off by one] There are three marks, and two places.
//~ race
__global__ void marks_of_another_bad(const int *in, int *out)
{
    __shared__ int mark[64];
    int t = threadIdx.x;
    mark[t] = in[t] > 0 ? 2 : 0;
    __barrier_invariant_1(mark[t] >= 0 && mark[t] <= 1, 63 - t);
    __syncthreads();
    out[2 * t + mark[63 - t]] = t; //~ here
}

// What one of two threads stored is known where the other reads it.
//~ race-free
__global__ void handed_to_a_neighbour_ok(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t ^ 1] = in[t] & 1;
    __barrier_invariant_binary_1(__implies(__other_int(t) == (t ^ 1), s[t] <= 1 && s[t] >= 0), t, t ^ 1);
    __syncthreads();
    out[2 * t + s[t]] = t;
}

// The invariant holds of an element that a thread has only read: nobody else stores to it, or that is a race.
//~ race-free
__global__ void read_before_ok(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (s[t] < 0) s[t] = 0;
    if (s[t] > 3) s[t] = 3;
    __barrier_invariant_1(s[t] >= 0 && s[t] <= 3, 63 - t);
    __syncthreads();
    out[4 * t + s[63 - t]] = t;
}

// Two are said at one barrier, of two arrays.
//~ race-free
__global__ void two_at_a_barrier_ok(const int *in, int *out)
{
    __shared__ int row[64], column[64];
    int t = threadIdx.x;
    row[t] = t / 8;
    column[t] = in[t] & 7;
    __barrier_invariant_1(row[t] == t / 8, 63 - t);
    __barrier_invariant_1(column[t] >= 0 && column[t] < 8, 63 - t);
    __syncthreads();
    if (t % 8 == 0) out[8 * row[63 - t] + column[63 - t]] = t;
}

// [an assertion that can fail] The last round stores something else, and the barrier of every round is meant.
//~ race
__global__ void last_round_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) {
        s[t] = i < 3 ? t : 0;
        __barrier_invariant_1(s[t] == t, 63 - t); //~ here
        __syncthreads();
        if (i == 3) out[s[63 - t]] = t; //~ here
        __syncthreads();
    }
}

// Every round stores it again.
//~ race-free
__global__ void each_round_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        s[t ^ 32] = t ^ 32;
        __barrier_invariant_1(s[t ^ 32] == (t ^ 32), (63 - t) ^ 32);
        __syncthreads();
        out[s[63 - t]] = i;
        __syncthreads();
    }
}

// [an assertion that can fail] What the round before left is not known at the barrier of this one: elements that nobody accessed since
// the last barrier hold anything.
//~ race
__global__ void round_before_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < 3; i++) {
        if (i == 0) s[t] = t;
        if (i == 1) s[63 - t] = 7;
        __barrier_invariant_1(s[t] == t, 63 - t);
        __syncthreads();
        if (i == 2) out[s[63 - t]] = t; //~ here
        __syncthreads();
    }
}

// [two threads for one] It is true of two different threads, and says nothing of one with itself: nothing follows from the pair that is
// named here.
//~ race
__global__ void pair_with_itself_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __barrier_invariant_binary_1(s[t] != s[__other_int(t)], t, t);
    __syncthreads();
    out[s[t] / 2] = t; //~ here
}

// [another name] The invariant speaks of the memory by another name, by which it was changed.
//~ race
__global__ void other_name_bad(int *out)
{
    __shared__ int s[64];
    int *other = s;
    int t = threadIdx.x;
    s[t] = t;
    other[t] = 0;
    __barrier_invariant_1(s[t] == t, 63 - t); //~ here
    __syncthreads();
    out[s[63 - t]] = t; //~ here
}

// By either name it is the same memory.
//~ race-free
__global__ void other_name_ok(int *out)
{
    __shared__ int s[64];
    int *other = s + 1;
    int t = threadIdx.x;
    s[t] = 0;
    other[t - 1] = t;
    __barrier_invariant_1(s[t] == t, 63 - t);
    __syncthreads();
    out[s[63 - t]] = t;
}

// [another name] Half an element is stored as another type.
//~ race
__global__ void other_type_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    ((short *)s)[2 * t] = 0;
    __barrier_invariant_1(s[t] == t, 63 - t);
    __syncthreads();
    out[s[63 - t]] = t; //~ here
}

// [atomic] Others count in the same element, without a race: what one thread counted is not what is there.
//~ race
__global__ void counted_by_all_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    atomicAdd(&s[t], 1);
    atomicAdd(&s[63 - t], -t);
    __barrier_invariant_1(s[t] == t + 1, 63 - t);
    __syncthreads();
    out[s[63 - t]] = t; //~ here
}

// [order] Behind the barrier of the warp the neighbour stores to the element, and that is no race.
//~ race
__global__ void behind_barrier_of_warp_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncwarp();
    s[t ^ 1] = 0;
    __barrier_invariant_1(s[t ^ 1] == 0, t);
    __barrier_invariant_1(s[t] == t, 63 - t);
    __syncthreads();
    out[s[63 - t]] = t; //~ here
}

// [early exit] The named thread may have left, and said nothing.
//~ race
__global__ void named_has_left_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t >= 32) return;
    s[t] = t;
    __barrier_invariant_1(s[t] == t, 63 - t);
    __syncthreads();
    out[s[63 - t]] = t; //~ here
}

// [off by one] The named thread is none of the block.
//~ race
__global__ void named_is_none_bad(int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = t;
    __barrier_invariant_1(s[t] == t, t + 64);
    __syncthreads();
    out[s[t + 64]] = t; //~ here
}

// [stale value] What held at the barrier does not hold when the memory was changed behind it.
//~ race
__global__ void changed_behind_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __barrier_invariant_1(s[t] == t, 63 - t);
    __syncthreads();
    s[t] = t / 2;
    __syncthreads();
    out[s[63 - t]] = t; //~ here
}

// [race] The invariant is proved for executions without a race; here another thread stores to the element, and both are told.
//~ race
__global__ void true_without_race_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[(t + 1) & 63] = 0; //~ here
    s[t] = t; //~ here
    __barrier_invariant_1(s[t] == t, 63 - t);
    __syncthreads();
    out[s[63 - t]] = t;
}

// The barrier is one at which not all threads do the same before: an arm that stores nothing knows nothing.
//~ race
__global__ void one_arm_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 32) s[t] = t;
    __barrier_invariant_1(s[t] == t, 63 - t);
    __syncthreads();
    out[s[63 - t]] = t; //~ here
}

// The invariant may say so.
//~ race-free
__global__ void one_arm_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 32) s[t] = t;
    __barrier_invariant_1(__implies(t < 32, s[t] == t), 63 - t);
    __syncthreads();
    if (t >= 32) out[s[63 - t]] = t;
}

// [another name] Which of two arrays is changed depends on data.
//~ race
__global__ void one_of_two_arrays_bad(const int *in, int *out)
{
    __shared__ int first[64], second[64];
    int t = threadIdx.x;
    int *chosen = in[0] ? first : second;
    first[t] = t;
    second[t] = t;
    chosen[t] = 0;
    __barrier_invariant_1(first[t] == t, 63 - t);
    __syncthreads();
    out[first[63 - t]] = t; //~ here
}

// [stale value] A later store under a condition of data is the last one where it happens.
//~ race
__global__ void stored_under_data_bad(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    if (in[t]) s[t] = 0;
    __barrier_invariant_1(s[t] == t, 63 - t);
    __syncthreads();
    out[s[63 - t]] = t; //~ here
}

// [stale value] A loop of any number of rounds stores to it before the barrier.
//~ race
__global__ void stored_in_a_loop_bad(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    for (int i = 0; i < n; i++) s[t] = 0;
    __barrier_invariant_1(s[t] == t, 63 - t);
    __syncthreads();
    out[s[63 - t]] = t; //~ here
}

// [another name] Two arrays whose size the launch decides begin at one place.
//~ race
__global__ void views_of_one_bad(int *out)
{
    extern __shared__ int one[];
    extern __shared__ int other_view[];
    int t = threadIdx.x;
    one[t] = t;
    other_view[t] = 0;
    __barrier_invariant_1(one[t] == t, 63 - t); //~ here
    __syncthreads();
    out[one[63 - t]] = t; //~ here
}

// [stale value] The thread itself stores between the barrier and the read.
//~ race
__global__ void own_store_behind_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __barrier_invariant_1(s[t] == t, t);
    __syncthreads();
    s[t] = t / 2;
    out[s[t]] = t; //~ here
}

// [stale value] The object that holds the element is stored as a whole.
//~ race
__global__ void whole_object_bad(int *out)
{
    struct Two { int a, b; };
    __shared__ Two s[64];
    int t = threadIdx.x;
    s[t].a = t;
    s[t].b = t;
    Two none;
    none.a = 0;
    none.b = 0;
    s[t] = none;
    __barrier_invariant_1(s[t].a == t, 63 - t);
    __syncthreads();
    out[s[63 - t].a] = t; //~ here
}

// What held at one barrier is carried over the next by who reads it.
//~ race-free
__global__ void carried_over_ok(const int *in, int *out)
{
    __shared__ int s[64], other[64];
    int t = threadIdx.x;
    s[t] = (t + in[0]) & 63;
    __barrier_invariant_binary_1(s[t] != s[__other_int(t)], t, __other_int(t));
    __syncthreads();
    __read_permission(s[t]);
    other[t] = t;
    __barrier_invariant_binary_1(s[t] != s[__other_int(t)], 63 - t, 63 - __other_int(t));
    __syncthreads();
    out[s[63 - t]] = other[63 - t];
}

// [race] To say that an element is read counts as a read.
//~ race
__global__ void permission_races_bad(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    __read_permission(s[t ^ 1]); //~ here
    s[t] = 0; //~ here
    __barrier_invariant_1(s[t] == 0, 63 - t);
    __syncthreads();
    out[t + s[63 - t]] = 1;
}

// What holds is a property of the program, used for an assertion behind the barrier.
//~ race-free
__global__ void asserted_behind_ok(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t] & 15;
    __barrier_invariant_1(s[t] <= 15 && s[t] >= 0, t ^ 1);
    __syncthreads();
    __assert(s[t ^ 1] < 16);
    out[t] = s[t ^ 1];
}

// [an assertion that can fail] It says more than the invariant.
//~ assertion
__global__ void asserted_behind_bad(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t] & 15;
    __barrier_invariant_1(s[t] <= 15 && s[t] >= 0, t ^ 1);
    __syncthreads();
    __assert(s[t ^ 1] < 15); //~ here
    out[t] = s[t ^ 1];
}
