//--blockDim=64 --gridDim=1
// Construct: functions of the library that order and hide nothing
#include <complex>
#include <memory>

// What is stored before it stays the own one.
//~ race-free
__global__ void sleeps_ok(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __nanosleep(100);
    out[threadIdx.x] = s[threadIdx.x];
}

// [missing barrier] It is no barrier.
//~ race
__global__ void sleeps_bad(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x; //~ here
    __nanosleep(100);
    out[threadIdx.x] = s[63 - threadIdx.x]; //~ here
}

// What is stored before it stays the own one.
//~ race-free
__global__ void breaks_ok(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __brkpt();
    out[threadIdx.x] = s[threadIdx.x];
}

// [missing barrier] It is no barrier.
//~ race
__global__ void breaks_bad(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x; //~ here
    __brkpt();
    out[threadIdx.x] = s[63 - threadIdx.x]; //~ here
}

// What is stored before it stays the own one.
//~ race-free
__global__ void prefetches_ok(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __builtin_prefetch(out);
    out[threadIdx.x] = s[threadIdx.x];
}

// [missing barrier] It is no barrier.
//~ race
__global__ void prefetches_bad(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x; //~ here
    __builtin_prefetch(out);
    out[threadIdx.x] = s[63 - threadIdx.x]; //~ here
}

// What is stored before it stays the own one.
//~ race-free
__global__ void puts_character_ok(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    putchar('a');
    out[threadIdx.x] = s[threadIdx.x];
}

// [missing barrier] It is no barrier.
//~ race
__global__ void puts_character_bad(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x; //~ here
    putchar('a');
    out[threadIdx.x] = s[63 - threadIdx.x]; //~ here
}

// What is stored before it stays the own one.
//~ race-free
__global__ void puts_text_ok(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    puts("text");
    out[threadIdx.x] = s[threadIdx.x];
}

// [missing barrier] It is no barrier.
//~ race
__global__ void puts_text_bad(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x; //~ here
    puts("text");
    out[threadIdx.x] = s[63 - threadIdx.x]; //~ here
}

// What is stored before it stays the own one.
//~ race-free
__global__ void prints_list_ok(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    vprintf("text", nullptr);
    out[threadIdx.x] = s[threadIdx.x];
}

// [missing barrier] It is no barrier.
//~ race
__global__ void prints_list_bad(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x; //~ here
    vprintf("text", nullptr);
    out[threadIdx.x] = s[63 - threadIdx.x]; //~ here
}

// What is stored before it stays the own one.
//~ race-free
__global__ void asks_error_ok(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    if (cudaGetLastError() != cudaSuccess) out[threadIdx.x] = 1;
    out[threadIdx.x] = s[threadIdx.x];
}

// [missing barrier] It is no barrier.
//~ race
__global__ void asks_error_bad(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x; //~ here
    if (cudaGetLastError() != cudaSuccess) out[threadIdx.x] = 1;
    out[threadIdx.x] = s[63 - threadIdx.x]; //~ here
}

// What is stored before it stays the own one.
//~ race-free
__global__ void triggers_ok(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    cudaTriggerProgrammaticLaunchCompletion();
    out[threadIdx.x] = s[threadIdx.x];
}

// [missing barrier] It is no barrier.
//~ race
__global__ void triggers_bad(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x; //~ here
    cudaTriggerProgrammaticLaunchCompletion();
    out[threadIdx.x] = s[63 - threadIdx.x]; //~ here
}

// What is stored before it stays the own one.
//~ race-free
__global__ void conditions_ok(int *out)
{
    __shared__ int s[64];
    cudaGraphConditionalHandle handle = 0;
    s[threadIdx.x] = threadIdx.x;
    cudaGraphSetConditional(handle, 1);
    out[threadIdx.x] = s[threadIdx.x];
}

// [missing barrier] It is no barrier.
//~ race
__global__ void conditions_bad(int *out)
{
    __shared__ int s[64];
    cudaGraphConditionalHandle handle = 0;
    s[threadIdx.x] = threadIdx.x; //~ here
    cudaGraphSetConditional(handle, 1);
    out[threadIdx.x] = s[63 - threadIdx.x]; //~ here
}

// What is stored before it stays the own one.
//~ race-free
__global__ void unreachable_arm_ok(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    if (threadIdx.x > 63) std::unreachable();
    out[threadIdx.x] = s[threadIdx.x];
}

// [missing barrier] It is no barrier.
//~ race
__global__ void unreachable_arm_bad(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x; //~ here
    if (threadIdx.x > 63) std::unreachable();
    out[threadIdx.x] = s[63 - threadIdx.x]; //~ here
}

// What is stored before it stays the own one.
//~ race-free
__global__ void exits_never_ok(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    if (threadIdx.x > 63) exit(1);
    out[threadIdx.x] = s[threadIdx.x];
}

// [missing barrier] It is no barrier.
//~ race
__global__ void exits_never_bad(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x; //~ here
    if (threadIdx.x > 63) exit(1);
    out[threadIdx.x] = s[63 - threadIdx.x]; //~ here
}

// What is stored before it stays the own one.
//~ race-free
__global__ void fails_never_ok(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    if (threadIdx.x > 63) __assert_fail("text", "file", 1, "function");
    out[threadIdx.x] = s[threadIdx.x];
}

// [missing barrier] It is no barrier.
//~ race
__global__ void fails_never_bad(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x; //~ here
    if (threadIdx.x > 63) __assert_fail("text", "file", 1, "function");
    out[threadIdx.x] = s[63 - threadIdx.x]; //~ here
}

// A value that each thread keeps for itself.
//~ race-free
__global__ void lane_number_ok(int *out)
{
    out[threadIdx.x] = __lane_id();
}

// [index] It tells no two threads of the block apart.
//~ race
__global__ void lane_number_bad(int *out)
{
    out[__lane_id() & 31] = threadIdx.x; //~ here
}

// A value that each thread keeps for itself.
//~ race-free
__global__ void processor_number_ok(int *out)
{
    out[threadIdx.x] = __smid();
}

// [index] It tells no two threads of the block apart.
//~ race
__global__ void processor_number_bad(int *out)
{
    out[__smid() & 31] = threadIdx.x; //~ here
}

// A value that each thread keeps for itself.
//~ race-free
__global__ void lanes_voted_ok(int *out)
{
    out[threadIdx.x] = __ballot(threadIdx.x & 1);
}

// [index] It tells no two threads of the block apart.
//~ race
__global__ void lanes_voted_bad(int *out)
{
    out[__ballot(threadIdx.x & 1) & 31] = threadIdx.x; //~ here
}

// A value that each thread keeps for itself.
//~ race-free
__global__ void shuffled_before_ok(int *out)
{
    out[threadIdx.x] = __shfl(threadIdx.x, 0);
}

// [index] It tells no two threads of the block apart.
//~ race
__global__ void shuffled_before_bad(int *out)
{
    out[__shfl(threadIdx.x, 0) & 31] = threadIdx.x; //~ here
}

// A value that each thread keeps for itself.
//~ race-free
__global__ void is_shared_ok(int *out)
{
    out[threadIdx.x] = __isShared(out);
}

// [index] It tells no two threads of the block apart.
//~ race
__global__ void is_shared_bad(int *out)
{
    out[__isShared(out) & 31] = threadIdx.x; //~ here
}

// A value that each thread keeps for itself.
//~ race-free
__global__ void address_shared_ok(int *out)
{
    out[threadIdx.x] = __cvta_generic_to_shared(out);
}

// [index] It tells no two threads of the block apart.
//~ race
__global__ void address_shared_bad(int *out)
{
    out[__cvta_generic_to_shared(out) & 31] = threadIdx.x; //~ here
}

// A value that each thread keeps for itself.
//~ race-free
__global__ void address_global_ok(unsigned long long *out)
{
    out[threadIdx.x] = __cvta_generic_to_global(out);
}

// [index] It tells no two threads of the block apart.
//~ race
__global__ void address_global_bad(int *out)
{
    out[__cvta_generic_to_global(out) & 31] = threadIdx.x; //~ here
}

// An address that is only compared.
//~ race-free
__global__ void generic_address_ok(int *out, size_t at)
{
    out[threadIdx.x] = __cvta_shared_to_generic(at) == nullptr;
}

// [index] Beside it all write one element.
//~ race
__global__ void generic_address_bad(int *out, size_t at)
{
    out[0] = threadIdx.x + (__cvta_shared_to_generic(at) == nullptr); //~ here
}

// The address of the own element.
//~ race-free
__global__ void addressed_ok(int *out)
{
    int *own = std::addressof(out[threadIdx.x]);
    *own = 1;
}

// [index] Of one of two.
//~ race
__global__ void addressed_bad(int *out)
{
    int *own = std::addressof(out[threadIdx.x / 2]);
    *own = threadIdx.x; //~ here
}

// To the own element.
//~ race-free
__global__ void stored_past_caches_ok(int *out)
{
    __builtin_nontemporal_store(1, out + threadIdx.x);
}

// [index] To one of two.
//~ race
__global__ void stored_past_caches_bad(int *out)
{
    __builtin_nontemporal_store((int)threadIdx.x, out + threadIdx.x / 2); //~ here
}

// For each thread one.
//~ race-free
__global__ void no_number_ok(int *out, int *other)
{
    out[threadIdx.x] = nan("") != 0;
    other[threadIdx.x] = nanf("") != 0;
}

// [index] All in one place.
//~ race
__global__ void no_number_bad(int *out, int *other)
{
    out[0] = nan("") != threadIdx.x; //~ here
    other[threadIdx.x] = nanf("") != 0;
}

// Of the own number.
//~ race-free
__global__ void complex_norm_ok(const std::complex<float> *z, float *out)
{
    out[threadIdx.x] = std::norm(z[threadIdx.x]);
}

// [index] Into one of two places.
//~ race
__global__ void complex_norm_bad(const std::complex<float> *z, float *out)
{
    out[threadIdx.x / 2] = std::norm(z[threadIdx.x]); //~ here
}

// Of the own number.
//~ race-free
__global__ void complex_real_ok(const std::complex<float> *z, float *out)
{
    out[threadIdx.x] = std::real(z[threadIdx.x]);
}

// [index] Into one of two places.
//~ race
__global__ void complex_real_bad(const std::complex<float> *z, float *out)
{
    out[threadIdx.x / 2] = std::real(z[threadIdx.x]); //~ here
}

// Of the own number.
//~ race-free
__global__ void complex_imag_ok(const std::complex<float> *z, float *out)
{
    out[threadIdx.x] = std::imag(z[threadIdx.x]);
}

// [index] Into one of two places.
//~ race
__global__ void complex_imag_bad(const std::complex<float> *z, float *out)
{
    out[threadIdx.x / 2] = std::imag(z[threadIdx.x]); //~ here
}

// Of the own number.
//~ race-free
__global__ void complex_conj_ok(const std::complex<float> *z, float *out)
{
    out[threadIdx.x] = std::real(std::conj(z[threadIdx.x]));
}

// [index] Into one of two places.
//~ race
__global__ void complex_conj_bad(const std::complex<float> *z, float *out)
{
    out[threadIdx.x / 2] = std::real(std::conj(z[threadIdx.x])); //~ here
}

// Of the own number.
//~ race-free
__global__ void complex_polar_ok(const std::complex<float> *z, float *out)
{
    out[threadIdx.x] = std::real(std::polar(1.0f, (float)threadIdx.x));
}

// [index] Into one of two places.
//~ race
__global__ void complex_polar_bad(const std::complex<float> *z, float *out)
{
    out[threadIdx.x / 2] = std::real(std::polar(1.0f, (float)threadIdx.x)); //~ here
}

// A value for each thread.
//~ race-free
__global__ void texel_fetched_ok(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x);
}

// [index] All in one of two places.
//~ race
__global__ void texel_fetched_bad(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x / 2] = tex1Dfetch<float>(t, threadIdx.x); //~ here
}

// A value for each thread.
//~ race-free
__global__ void texel_of_level_ok(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x] = tex2DLod<float>(t, 0.5f, threadIdx.x, 1.0f);
}

// [index] All in one of two places.
//~ race
__global__ void texel_of_level_bad(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x / 2] = tex2DLod<float>(t, 0.5f, threadIdx.x, 1.0f); //~ here
}

// A value for each thread.
//~ race-free
__global__ void texel_of_slope_ok(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x] = tex2DGrad<float>(t, 0.5f, threadIdx.x, make_float2(1, 0), make_float2(0, 1));
}

// [index] All in one of two places.
//~ race
__global__ void texel_of_slope_bad(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x / 2] = tex2DGrad<float>(t, 0.5f, threadIdx.x, make_float2(1, 0), make_float2(0, 1)); //~ here
}

// The whole block meets.
//~ race-free
__global__ void named_barrier_ok(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __barrier_sync(1);
    out[threadIdx.x] = s[63 - threadIdx.x];
}

// [missing barrier] It orders what stands before it only.
//~ race
__global__ void named_barrier_bad(int *out)
{
    __shared__ int s[64];
    __barrier_sync(1);
    s[threadIdx.x] = threadIdx.x; //~ here
    out[threadIdx.x] = s[63 - threadIdx.x]; //~ here
}

// As many as the block has.
//~ race-free
__global__ void counted_barrier_ok(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __barrier_sync_count(2, 64);
    out[threadIdx.x] = s[63 - threadIdx.x];
}

// [missing barrier] Each warp meets by itself.
//~ race
__global__ void counted_barrier_bad(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x; //~ here
    __barrier_sync_count(1 + threadIdx.x / 32, 32);
    out[threadIdx.x] = s[63 - threadIdx.x]; //~ here
}

// What is said at a barrier of own elements leaves them what they are.
//~ race-free
__global__ void said_at_barrier_ok(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __barrier_invariant_1(s[threadIdx.x] == threadIdx.x, threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}

// [missing barrier] It is none itself, and the barrier that it is about comes too late.
//~ race
__global__ void said_at_barrier_bad(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x; //~ here
    out[threadIdx.x] = s[63 - threadIdx.x]; //~ here
    __barrier_invariant_1(s[threadIdx.x] == threadIdx.x, threadIdx.x);
    __syncthreads();
}

// [an assertion that can fail] All threads are at the assertion, and not all are below.
//~ assertion
__global__ void said_of_the_active_bad(int *out)
{
    __global_assert(__implies(__enabled(), threadIdx.x < 32)); //~ here
    out[threadIdx.x] = 1;
}

// [mixed] One thread writes what the others load by an atomic operation.
//~ race
__global__ void loaded_beside_write_bad(int *flag, int *out)
{
    if (threadIdx.x == 0) *flag = 1; //~ here
    else out[threadIdx.x] = __nv_atomic_load_n(flag, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE); //~ here
}

// [mixed] One thread writes what the others exchange.
//~ race
__global__ void exchanged_beside_write_bad(int *flag)
{
    int seen = 0;
    if (threadIdx.x == 0) *flag = 1; //~ here
    else __nv_atomic_compare_exchange_n(flag, &seen, 2, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED); //~ here
}
