// Stands in for `array`, `tuple`, `optional` and `span` of libcu++: what objects of these hold.
#ifndef WARPLOG_CUDA_STD
#define WARPLOG_CUDA_STD
namespace cuda {
namespace std {
template <class T, unsigned long long N> struct array {
    T elems[N];
    __host__ __device__ T &operator[](unsigned long long i) { return elems[i]; }
    __host__ __device__ const T &operator[](unsigned long long i) const { return elems[i]; }
    __host__ __device__ T &at(unsigned long long i) { return elems[i]; }
    __host__ __device__ T &front() { return elems[0]; }
    __host__ __device__ T &back() { return elems[N - 1]; }
    __host__ __device__ T *data() { return elems; }
    __host__ __device__ const T *data() const { return elems; }
    __host__ __device__ T *begin() { return elems; }
    __host__ __device__ T *end() { return elems + N; }
    __host__ __device__ const T *begin() const { return elems; }
    __host__ __device__ const T *end() const { return elems + N; }
    __host__ __device__ constexpr unsigned long long size() const { return N; }
    __host__ __device__ void fill(const T &value) { for (unsigned long long i = 0; i < N; ++i) elems[i] = value; }
};
struct nullopt_t {};
__device__ const nullopt_t nullopt;
template <class T> struct optional {
    T held;
    bool engaged;
    __host__ __device__ optional() : engaged(false) {}
    __host__ __device__ optional(nullopt_t) : engaged(false) {}
    __host__ __device__ optional(const T &value) : held(value), engaged(true) {}
    __host__ __device__ optional &operator=(const T &value) { held = value; engaged = true; return *this; }
    __host__ __device__ bool has_value() const { return engaged; }
    __host__ __device__ explicit operator bool() const { return engaged; }
    __host__ __device__ T &operator*() { return held; }
    __host__ __device__ const T &operator*() const { return held; }
    __host__ __device__ T *operator->() { return &held; }
    __host__ __device__ const T *operator->() const { return &held; }
    __host__ __device__ T &value() { return held; }
    __host__ __device__ const T &value() const { return held; }
    __host__ __device__ T value_or(T other) const { return engaged ? held : other; }
    __host__ __device__ void reset() { engaged = false; }
};
template <class T, unsigned long long N = (unsigned long long)-1> struct span {
    T *first_of;
    unsigned long long count_of;
    __host__ __device__ span() : first_of(nullptr), count_of(0) {}
    __host__ __device__ span(T *p, unsigned long long n) : first_of(p), count_of(n) {}
    __host__ __device__ T &operator[](unsigned long long i) const { return first_of[i]; }
    __host__ __device__ T *data() const { return first_of; }
    __host__ __device__ unsigned long long size() const { return count_of; }
    __host__ __device__ bool empty() const { return count_of == 0; }
    __host__ __device__ T &front() const { return first_of[0]; }
    __host__ __device__ T &back() const { return first_of[count_of - 1]; }
    __host__ __device__ T *begin() const { return first_of; }
    __host__ __device__ T *end() const { return first_of + count_of; }
    __host__ __device__ span subspan(unsigned long long at, unsigned long long n) const { return span(first_of + at, n); }
};
struct no_element {};
template <class A, class B = no_element, class C = no_element, class D = no_element> struct tuple { A v0; B v1; C v2; D v3; };
template <class A, class B, class C> struct tuple<A, B, C, no_element> { A v0; B v1; C v2; };
template <class A, class B> struct tuple<A, B, no_element, no_element> { A v0; B v1; };
template <class A> struct tuple<A, no_element, no_element, no_element> { A v0; };
template <class A, class B> __device__ ::cuda::std::pair<A, B> make_pair(A a, B b) { return ::cuda::std::pair<A, B>(a, b); }
template <class A, class B> __host__ __device__ tuple<A, B> make_tuple(A a, B b) { return tuple<A, B>{a, b}; }
template <class A, class B, class C> __host__ __device__ tuple<A, B, C> make_tuple(A a, B b, C c) { return tuple<A, B, C>{a, b, c}; }
template <class A, class B, class C, class D> __host__ __device__ tuple<A, B, C, D> make_tuple(A a, B b, C c, D d) { return tuple<A, B, C, D>{a, b, c, d}; }
template <unsigned long long I, class A, class B, class C, class D> __host__ __device__ auto &get(tuple<A, B, C, D> &t) { if constexpr (I == 0) return t.v0; else if constexpr (I == 1) return t.v1; else if constexpr (I == 2) return t.v2; else return t.v3; }
}
}
#endif
