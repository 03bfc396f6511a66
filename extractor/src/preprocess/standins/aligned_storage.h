// Stands in for `std::aligned_storage`: so many bytes, aligned so.
#ifndef WARPLOG_ALIGNED_STORAGE
#define WARPLOG_ALIGNED_STORAGE
namespace std {
template <unsigned long long N, unsigned long long A = 16> struct aligned_storage { struct alignas(A) type { unsigned char bytes[N]; }; };
template <unsigned long long N, unsigned long long A = 16> using aligned_storage_t = typename aligned_storage<N, A>::type;
}
#endif
