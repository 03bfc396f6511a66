// Stands in for the sequential algorithms of Thrust in code for the device, which one thread runs by itself: what they read and write.
#ifndef WARPLOG_THRUST_SEQ
#define WARPLOG_THRUST_SEQ
namespace thrust {
struct seq_policy {};
__device__ const seq_policy seq;
template <class I, class T> __device__ I remove(const seq_policy &, I first, I last, const T &value) { I out = first; for (; first != last; ++first) if (!(*first == value)) { *out = *first; ++out; } return out; }
template <class I, class P> __device__ I remove_if(const seq_policy &, I first, I last, P pred) { I out = first; for (; first != last; ++first) if (!pred(*first)) { *out = *first; ++out; } return out; }
template <class I> __device__ I unique(const seq_policy &, I first, I last) { if (first == last) return last; I out = first; for (++first; first != last; ++first) if (!(*out == *first)) { ++out; *out = *first; } return ++out; }
template <class I, class O> __device__ O copy(const seq_policy &, I first, I last, O out) { for (; first != last; ++first, ++out) *out = *first; return out; }
template <class I, class N, class O> __device__ O copy_n(const seq_policy &, I first, N n, O out) { for (N i = 0; i < n; ++i, ++first, ++out) *out = *first; return out; }
template <class I, class O, class P> __device__ O copy_if(const seq_policy &, I first, I last, O out, P pred) { for (; first != last; ++first) if (pred(*first)) { *out = *first; ++out; } return out; }
template <class I, class T> __device__ void fill(const seq_policy &, I first, I last, const T &value) { for (; first != last; ++first) *first = value; }
template <class I, class N, class T> __device__ I fill_n(const seq_policy &, I first, N n, const T &value) { for (N i = 0; i < n; ++i, ++first) *first = value; return first; }
template <class I> __device__ void sequence(const seq_policy &, I first, I last) { for (int i = 0; first != last; ++first, ++i) *first = i; }
template <class I, class T> __device__ void sequence(const seq_policy &, I first, I last, T value) { for (; first != last; ++first, ++value) *first = value; }
template <class I, class T> __device__ void replace(const seq_policy &, I first, I last, const T &old, const T &value) { for (; first != last; ++first) if (*first == old) *first = value; }
template <class I> __device__ void reverse(const seq_policy &, I first, I last) { while (first != last && first != --last) { auto kept = *first; *first = *last; *last = kept; ++first; } }
template <class I> __device__ void sort(const seq_policy &, I first, I last) { for (I i = first; i != last; ++i) for (I j = i; j != first && *j < *(j - 1); --j) { auto kept = *j; *j = *(j - 1); *(j - 1) = kept; } }
template <class I, class C> __device__ void sort(const seq_policy &, I first, I last, C less) { for (I i = first; i != last; ++i) for (I j = i; j != first && less(*j, *(j - 1)); --j) { auto kept = *j; *j = *(j - 1); *(j - 1) = kept; } }
template <class I, class F> __device__ I for_each(const seq_policy &, I first, I last, F f) { for (; first != last; ++first) f(*first); return first; }
template <class I, class O, class F> __device__ O transform(const seq_policy &, I first, I last, O out, F f) { for (; first != last; ++first, ++out) *out = f(*first); return out; }
template <class I, class J, class O, class F> __device__ O transform(const seq_policy &, I first, I last, J other, O out, F f) { for (; first != last; ++first, ++other, ++out) *out = f(*first, *other); return out; }
template <class I, class T> __device__ T reduce(const seq_policy &, I first, I last, T sum) { for (; first != last; ++first) sum = sum + *first; return sum; }
template <class I, class T, class F> __device__ T reduce(const seq_policy &, I first, I last, T sum, F f) { for (; first != last; ++first) sum = f(sum, *first); return sum; }
template <class I, class O> __device__ O inclusive_scan(const seq_policy &, I first, I last, O out) { if (first == last) return out; auto sum = *first; *out = sum; for (++out, ++first; first != last; ++first, ++out) { sum = sum + *first; *out = sum; } return out; }
template <class I, class O, class T> __device__ O exclusive_scan(const seq_policy &, I first, I last, O out, T sum) { for (; first != last; ++first, ++out) { T next = sum + *first; *out = sum; sum = next; } return out; }
template <class I, class T> __device__ long long count(const seq_policy &, I first, I last, const T &value) { long long n = 0; for (; first != last; ++first) if (*first == value) ++n; return n; }
template <class I, class P> __device__ long long count_if(const seq_policy &, I first, I last, P pred) { long long n = 0; for (; first != last; ++first) if (pred(*first)) ++n; return n; }
template <class I, class T> __device__ I find(const seq_policy &, I first, I last, const T &value) { for (; first != last; ++first) if (*first == value) break; return first; }
template <class I, class P> __device__ I find_if(const seq_policy &, I first, I last, P pred) { for (; first != last; ++first) if (pred(*first)) break; return first; }
template <class I, class P> __device__ bool any_of(const seq_policy &, I first, I last, P pred) { for (; first != last; ++first) if (pred(*first)) return true; return false; }
template <class I, class P> __device__ bool all_of(const seq_policy &, I first, I last, P pred) { for (; first != last; ++first) if (!pred(*first)) return false; return true; }
template <class I> __device__ I min_element(const seq_policy &, I first, I last) { I best = first; for (; first != last; ++first) if (*first < *best) best = first; return best; }
template <class I> __device__ I max_element(const seq_policy &, I first, I last) { I best = first; for (; first != last; ++first) if (*best < *first) best = first; return best; }
template <class I, class T> __device__ I lower_bound(const seq_policy &, I first, I last, const T &value) { while (first != last) { I middle = first + (last - first) / 2; if (*middle < value) first = middle + 1; else last = middle; } return first; }
template <class I, class T> __device__ I upper_bound(const seq_policy &, I first, I last, const T &value) { while (first != last) { I middle = first + (last - first) / 2; if (value < *middle) last = middle; else first = middle + 1; } return first; }
template <class I, class T> __device__ bool binary_search(const seq_policy &, I first, I last, const T &value) { while (first != last) { I middle = first + (last - first) / 2; if (*middle < value) first = middle + 1; else if (value < *middle) last = middle; else return true; } return false; }
}
#endif
