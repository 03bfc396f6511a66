//--blockDim=64 --gridDim=4
// Spin locks that a thread holds by itself: what is done under one excludes each other, and each way to get it wrong

__device__ void take(int *lock)
{
    while (atomicCAS(lock, 0, 1) != 0) { }
    __threadfence();
}

__device__ void give(int *lock)
{
    __threadfence();
    atomicExch(lock, 0);
}

// Every thread takes the lock by itself.
//~ race-free
__global__ void lock_each_ok(int *lock, int *g)
{
    take(lock);
    g[0] += threadIdx.x;
    give(lock);
}

// [lock] Half of the blocks take another one.
//~ race
__global__ void lock_two_bad(int *a, int *b, int *g)
{
    if (threadIdx.x == 0) {
        if (blockIdx.x & 1) {
            take(a);
            g[0] += 1; //~ here
            give(a);
        } else {
            take(b);
            g[0] += 1; //~ here
            give(b);
        }
    }
}

// [lock] Each block has its own.
//~ race
__global__ void lock_of_block_bad(int *locks, int *g)
{
    if (threadIdx.x == 0) {
        take(&locks[blockIdx.x]);
        g[0] += 1; //~ here
        give(&locks[blockIdx.x]);
    }
}

// The condition of a do loop is decided at its end.
//~ race-free
__global__ void lock_do_ok(unsigned *lock, int *g)
{
    unsigned old;
    do {
        old = atomicCAS(lock, 0u, 1u);
    } while (old);
    __threadfence();
    g[0] += threadIdx.x;
    __threadfence();
    atomicExch(lock, 0u);
}

// [lock] The do loop gives up.
//~ race
__global__ void lock_do_tries_bad(unsigned *lock, int *g)
{
    unsigned old, tries = 0;
    do {
        old = atomicCAS(lock, 0u, 1u);
    } while (old && tries++ < 10);
    __threadfence();
    g[0] += threadIdx.x; //~ here
    __threadfence();
    atomicExch(lock, 0u);
}

// The section is an arm of the loop, so that the lanes of a warp do not wait for each other.
//~ race-free
__global__ void lock_arm_ok(int *lock, int *g)
{
    bool waiting = true;
    while (waiting) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            g[0] += threadIdx.x;
            give(lock);
            waiting = false;
        }
    }
}

// [lock] It is given back before the last access of the arm.
//~ race
__global__ void lock_arm_early_bad(int *lock, int *g)
{
    bool waiting = true;
    while (waiting) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            g[0] += threadIdx.x;
            give(lock);
            g[1] += threadIdx.x; //~ here
            waiting = false;
        }
    }
}

// Who does not get it goes on without the section.
//~ race-free
__global__ void lock_try_ok(int *lock, int *g)
{
    if (atomicCAS(lock, 0, 1) == 0) {
        __threadfence();
        g[0] += threadIdx.x;
        give(lock);
    }
}

// [lock] Who does not get it gives it back as well.
//~ race
__global__ void lock_try_give_bad(int *lock, int *g)
{
    if (atomicCAS(lock, 0, 1) == 0) {
        __threadfence();
        g[0] += threadIdx.x; //~ here
    }
    give(lock);
}

// The first one has it for good.
//~ race-free
__global__ void lock_kept_ok(int *lock, int *g)
{
    if (atomicCAS(lock, 0, 1) == 0) {
        __threadfence();
        g[0] += threadIdx.x;
    }
}

// [lock] It is tried for on one way only.
//~ race
__global__ void lock_try_some_bad(int *lock, int *g, int n)
{
    if (n > 4 || atomicCAS(lock, 0, 1) == 0) {
        __threadfence();
        g[0] += threadIdx.x; //~ here
    }
}

// An exchange takes it if it was not taken.
//~ race-free
__global__ void lock_exchange_ok(int *lock, int *g)
{
    while (atomicExch(lock, 1) == 1) { }
    __threadfence();
    g[0] += threadIdx.x;
    give(lock);
}

// [lock] The exchange is left when the lock was taken.
//~ race
__global__ void lock_exchange_bad(int *lock, int *g)
{
    while (atomicExch(lock, 1) != 1) { }
    __threadfence();
    g[0] += threadIdx.x; //~ here
    give(lock);
}

// [lock] Two values stand for a taken lock, and one of them is not looked for.
//~ race
__global__ void lock_two_values_bad(int *lock, int *g)
{
    if (threadIdx.x == 0) {
        if (blockIdx.x & 1) {
            while (atomicExch(lock, 1) == 1) { }
        } else {
            while (atomicExch(lock, 2) == 2) { }
        }
        __threadfence();
        g[0] += 1; //~ here
        give(lock);
    }
}

// One is free, zero is taken.
//~ race-free
__global__ void lock_inverted_ok(int *lock, int *g)
{
    while (atomicCAS(lock, 1, 0) != 1) { }
    __threadfence();
    g[0] += threadIdx.x;
    __threadfence();
    atomicExch(lock, 1);
}

// [lock] Left when somebody else has it.
//~ race
__global__ void lock_compared_bad(int *lock, int *g)
{
    while (atomicCAS(lock, 0, 1) != 1) { }
    __threadfence();
    g[0] += threadIdx.x; //~ here
    give(lock);
}

// [lock] What is stored is what is expected.
//~ race
__global__ void lock_same_value_bad(int *lock, int *g)
{
    while (atomicCAS(lock, 0, 0) != 0) { }
    __threadfence();
    g[0] += threadIdx.x; //~ here
    give(lock);
}

// [lock] What is stored is 0 in 32 bits.
//~ race
__global__ void lock_wide_value_bad(int *lock, int *g)
{
    while (atomicCAS(lock, 0, (int)(1LL << 32)) != 0) { }
    __threadfence();
    g[0] += threadIdx.x; //~ here
    give(lock);
}

// [lock] 256 is 0 in 8 bits.
//~ race
__global__ void lock_narrow_compare_bad(int *lock, int *g)
{
    while ((char)atomicCAS(lock, 0, 256) != 0) { }
    __threadfence();
    g[0] += threadIdx.x; //~ here
    give(lock);
}

// Two are taken in each iteration, one after the other.
//~ race-free
__global__ void lock_rounds_ok(int *lock, int *g, int n)
{
    for (int i = 0; i < n; i++) {
        take(lock);
        g[0] += i;
        give(lock);
        take(lock);
        g[0] -= i;
        give(lock);
    }
}

// [lock] An access stands between two sections.
//~ race
__global__ void lock_between_bad(int *lock, int *g, int *out)
{
    int t = threadIdx.x;
    take(lock);
    g[0] += t; //~ here
    give(lock);
    out[blockIdx.x * 64 + t] = g[0]; //~ here
    take(lock);
    g[0] -= t; //~ here
    give(lock);
}

// [lock] In the next iteration it is held no longer.
//~ race
__global__ void lock_next_iteration_bad(int *lock, int *g, int n)
{
    take(lock);
    for (int i = 0; i < n; i++) {
        g[0] += i; //~ here
        give(lock);
    }
}

// [lock] It is taken in the first iteration, and given back in the fourth.
//~ race
__global__ void lock_some_iterations_bad(int *lock, int *g, int n)
{
    for (int i = 0; i < n; i++) {
        if (i == 0) take(lock);
        g[0] += i; //~ here
        if (i == 3) give(lock);
    }
}

// A leader of each warp, by two conditions of one meaning.
//~ race-free
__global__ void lock_leaders_ok(int *lock, int *g)
{
    bool leader = threadIdx.x % 32 == 0;
    if (leader) take(lock);
    if (!leader) return;
    g[0] += threadIdx.x;
    give(lock);
}

// [lock] Given back by the others.
//~ race
__global__ void lock_other_arm_bad(int *lock, int *g)
{
    if (threadIdx.x == 0) {
        take(lock);
        g[0] += 1; //~ here
    } else {
        give(lock);
    }
}

// [lock] Given back early on one way.
//~ race
__global__ void lock_early_bad(int *lock, int *g, int n)
{
    take(lock);
    if (n > 5) give(lock);
    g[0] += threadIdx.x; //~ here
    if (n <= 5) give(lock);
}

// [lock] Given back twice.
//~ race
__global__ void lock_given_twice_bad(int *lock, int *g)
{
    take(lock);
    g[0] += threadIdx.x; //~ here
    give(lock);
    atomicExch(lock, 0);
}

// [lock] A counter leads out of the loop.
//~ race
__global__ void lock_gives_up_bad(int *lock, int *g)
{
    int tries = 0;
    while (atomicCAS(lock, 0, 1) != 0) {
        if (++tries > 1000) break;
    }
    __threadfence();
    g[0] += threadIdx.x; //~ here
    give(lock);
}

__device__ void take_or_not(int *lock)
{
    int tries = 0;
    while (atomicCAS(lock, 0, 1) != 0) {
        if (++tries > 1000) return;
    }
}

// [lock] So does a return of the function that takes it.
//~ race
__global__ void lock_gives_up_return_bad(int *lock, int *g)
{
    take_or_not(lock);
    __threadfence();
    g[0] += threadIdx.x; //~ here
    give(lock);
}

// [fence] None behind the taking.
//~ race
__global__ void lock_no_fence_behind_bad(int *lock, int *g)
{
    while (atomicCAS(lock, 0, 1) != 0) { }
    g[0] += threadIdx.x; //~ here
    give(lock);
}

// [fence] None before the release.
//~ race
__global__ void lock_no_fence_before_bad(int *lock, int *g)
{
    take(lock);
    g[0] += threadIdx.x; //~ here
    atomicExch(lock, 0);
}

// [fence] Before the release on one way only.
//~ race
__global__ void lock_fence_one_way_bad(int *lock, int *g, int n)
{
    take(lock);
    g[0] += threadIdx.x; //~ here
    if (n > 3) __threadfence();
    atomicExch(lock, 0);
}

// [fence] Fences of the block.
//~ race
__global__ void lock_fence_of_block_bad(int *lock, int *g)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) { }
        __threadfence_block();
        g[0] += 1; //~ here
        __threadfence_block();
        atomicExch(lock, 0);
    }
}

// [fence] The instruction may be left out.
//~ race
__global__ void lock_fence_predicated_bad(int *lock, int *g, int n)
{
    take(lock);
    g[0] += threadIdx.x; //~ here
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; @p membar.gl; }" : : "r"(n) : "memory");
    atomicExch(lock, 0);
}

// [scope] Blocks do not see that another one takes it.
//~ race
__global__ void lock_scope_bad(int *lock, int *g)
{
    if (threadIdx.x == 0) {
        while (atomicCAS_block(lock, 0, 1) != 0) { } //~ here
        __threadfence();
        g[0] += 1; //~ here
        __threadfence();
        atomicExch_block(lock, 0); //~ here
    }
}

// [lock] A plain store resets it.
//~ race
__global__ void lock_reset_bad(int *lock, int *g)
{
    if (threadIdx.x == 0) {
        *lock = 0; //~ here
        while (atomicCAS(lock, 0, 1) != 0) { } //~ here
        __threadfence();
        g[0] += 1; //~ here
        __threadfence();
        atomicExch(lock, 0); //~ here
    }
}

// [lock] Somebody counts in it.
//~ race
__global__ void lock_counted_bad(int *lock, int *g)
{
    if (threadIdx.x == 1) atomicAdd(lock, 1);
    if (threadIdx.x == 0) {
        take(lock);
        g[0] += 1; //~ here
        give(lock);
    }
}

// [lock] Somebody takes it from who has it.
//~ race
__global__ void lock_taken_over_bad(int *lock, int *g)
{
    if (threadIdx.x == 1) atomicCAS(lock, 1, 0);
    if (threadIdx.x == 0) {
        take(lock);
        g[0] += 1; //~ here
        give(lock);
    }
}

struct Counter {
    int mutex;
    int count;
};

// The lock and what it protects in one object.
//~ race-free
__global__ void lock_member_ok(Counter *c)
{
    take(&c->mutex);
    c->count += threadIdx.x;
    give(&c->mutex);
}

// [lock] A store to the object reaches into the lock.
//~ race
__global__ void lock_member_bad(Counter *c)
{
    if (threadIdx.x == 1) ((char *)c)[1] = 0; //~ here
    if (threadIdx.x == 0) {
        while (atomicCAS(&c->mutex, 0, 1) != 0) { } //~ here
        __threadfence();
        c->count += 1; //~ here
        __threadfence();
        atomicExch(&c->mutex, 0); //~ here
    }
}

// A lock in shared memory, set before it is used: for the threads of the block.
//~ race-free
__global__ void lock_shared_ok(int *out)
{
    __shared__ int lock, sum;
    int t = threadIdx.x;
    if (t == 0) {
        lock = 0;
        sum = 0;
    }
    __syncthreads();
    while (atomicCAS(&lock, 0, 1) != 0) { }
    __threadfence_block();
    sum += t;
    __threadfence_block();
    atomicExch(&lock, 0);
    __syncthreads();
    out[blockIdx.x * 64 + t] = sum;
}

// [lock] For those of the block only.
//~ race
__global__ void lock_shared_grid_bad(int *g)
{
    __shared__ int lock;
    if (threadIdx.x == 0) lock = 0;
    __syncthreads();
    take(&lock);
    g[0] += threadIdx.x; //~ here
    give(&lock);
}

// [lock] Set again while others have it.
//~ race
__global__ void lock_shared_reset_bad(int *out)
{
    __shared__ int lock, sum;
    int t = threadIdx.x;
    if (t == 0) {
        lock = 0;
        sum = 0;
    }
    __syncthreads();
    if (t == 40) lock = 0; //~ here
    while (atomicCAS(&lock, 0, 1) != 0) { } //~ here
    __threadfence();
    sum += t; //~ here
    __threadfence();
    atomicExch(&lock, 0); //~ here
}

// [async copy] The copy may read when the lock has been given back.
//~ race
__global__ void lock_async_bad(int *lock, int *g)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    take(lock);
    __pipeline_memcpy_async(&s[t], &g[0], 4); //~ here
    __pipeline_commit();
    give(lock);
    __pipeline_wait_prior(0);
    take(lock);
    g[0] = s[t]; //~ here
    give(lock);
}
