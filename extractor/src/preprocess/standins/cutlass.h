// Stands in for headers of CUTLASS and CuTe that were not found: words before functions and loops.
#ifndef CUTLASS_HOST_DEVICE
#define CUTLASS_HOST_DEVICE __host__ __device__ inline
#endif
#ifndef CUTLASS_DEVICE
#define CUTLASS_DEVICE __device__ inline
#endif
#ifndef CUTLASS_HOST
#define CUTLASS_HOST __host__
#endif
#ifndef CUTLASS_GLOBAL
#define CUTLASS_GLOBAL __global__ static
#endif
#ifndef CUTLASS_PRAGMA_UNROLL
#define CUTLASS_PRAGMA_UNROLL
#endif
#ifndef CUTLASS_PRAGMA_NO_UNROLL
#define CUTLASS_PRAGMA_NO_UNROLL
#endif
#ifndef CUTE_HOST_DEVICE
#define CUTE_HOST_DEVICE __host__ __device__ inline
#endif
#ifndef CUTE_DEVICE
#define CUTE_DEVICE __device__ inline
#endif
#ifndef CUTE_HOST
#define CUTE_HOST inline __host__
#endif
#ifndef CUTE_UNROLL
#define CUTE_UNROLL
#endif
#ifndef CUTE_NO_UNROLL
#define CUTE_NO_UNROLL
#endif
#ifndef CUTE_INLINE_CONSTANT
#define CUTE_INLINE_CONSTANT static constexpr
#endif
#ifndef CUTE_STATIC
#define CUTE_STATIC static
#endif
#ifndef WARPLOG_CUTLASS_BARRIERS
#define WARPLOG_CUTLASS_BARRIERS
namespace cutlass {
namespace arch {
// Barriers of the block by number: the first eight numbers are CUTLASS's own.
struct NamedBarrier {
  unsigned const num_threads_;
  unsigned const id_;
  __device__ NamedBarrier(unsigned num_threads, unsigned id) : num_threads_(num_threads), id_(id + 8) {}
  __device__ void arrive_and_wait() const { asm volatile("bar.sync %0, %1;" : : "r"(id_), "r"(num_threads_)); }
  __device__ void sync() const { asm volatile("bar.sync %0, %1;" : : "r"(id_), "r"(num_threads_)); }
  __device__ void arrive() const { asm volatile("bar.arrive %0, %1;" : : "r"(id_), "r"(num_threads_)); }
  static __device__ void arrive_and_wait(unsigned num_threads, unsigned id) { asm volatile("bar.sync %0, %1;" : : "r"(id + 8), "r"(num_threads)); }
  static __device__ void sync(unsigned num_threads, unsigned id) { asm volatile("bar.sync %0, %1;" : : "r"(id + 8), "r"(num_threads)); }
  static __device__ void arrive(unsigned num_threads, unsigned id) { asm volatile("bar.arrive %0, %1;" : : "r"(id + 8), "r"(num_threads)); }
};
// Barriers in shared memory that count arrivals by phases, as far as the own block arrives.
struct ClusterBarrier {
  using ValueType = unsigned long long;
  ValueType barrier_;
  static __device__ void init(ValueType const *at, unsigned count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" : : "r"((unsigned)__cvta_generic_to_shared(at)), "r"(count));
  }
  static __device__ void wait(ValueType const *at, unsigned phase) {
    asm volatile("{ .reg .pred done; WAIT: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1; @done bra DONE; bra WAIT; DONE: }"
                 : : "r"((unsigned)__cvta_generic_to_shared(at)), "r"(phase));
  }
  static __device__ bool try_wait(ValueType const *at, unsigned phase) {
    unsigned done;
    asm volatile("{ .reg .pred done; mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2; selp.b32 %0, 1, 0, done; }"
                 : "=r"(done) : "r"((unsigned)__cvta_generic_to_shared(at)), "r"(phase));
    return done != 0;
  }
  static __device__ bool test_wait(ValueType const *at, unsigned phase) { return try_wait(at, phase); }
  static __device__ void arrive(ValueType const *at) {
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" : : "r"((unsigned)__cvta_generic_to_shared(at)));
  }
  static __device__ void invalidate(ValueType const *at) {
    asm volatile("mbarrier.inval.shared::cta.b64 [%0];" : : "r"((unsigned)__cvta_generic_to_shared(at)));
  }
  __device__ void init(unsigned count) const { init(&this->barrier_, count); }
  __device__ void wait(unsigned phase) const { wait(&this->barrier_, phase); }
  __device__ bool try_wait(unsigned phase) const { return try_wait(&this->barrier_, phase); }
  __device__ bool test_wait(unsigned phase) const { return try_wait(&this->barrier_, phase); }
  __device__ void arrive() const { arrive(&this->barrier_); }
  __device__ void invalidate() const { invalidate(&this->barrier_); }
};
struct ClusterTransactionBarrier : public ClusterBarrier {
  static __device__ void arrive_and_expect_tx(ValueType const *at, unsigned bytes) {
    asm volatile("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }"
                 : : "r"((unsigned)__cvta_generic_to_shared(at)), "r"(bytes));
  }
  static __device__ void expect_transaction(ValueType const *at, unsigned bytes) {
    asm volatile("mbarrier.expect_tx.shared::cta.b64 [%0], %1;" : : "r"((unsigned)__cvta_generic_to_shared(at)), "r"(bytes));
  }
  __device__ void arrive_and_expect_tx(unsigned bytes) const { arrive_and_expect_tx(&this->barrier_, bytes); }
  __device__ void expect_transaction(unsigned bytes) const { expect_transaction(&this->barrier_, bytes); }
};
}  // namespace arch
}  // namespace cutlass
#endif
