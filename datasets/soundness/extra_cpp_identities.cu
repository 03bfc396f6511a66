//--blockDim=64 --gridDim=1
// Extra: types of one layout that are not the same: const, long long, signed char, enumerations; what a class has and has not

enum Kind { FIRST };
enum class Scoped { FIRST };
typedef const int Constant;
typedef long Long;
typedef int *Pointer;

template <class T> struct Box { T v; };

template <class T> struct IsInt { static constexpr int value = 0; };
template <> struct IsInt<int> { static constexpr int value = 1; };
template <class T> struct IsLong { static constexpr int value = 0; };
template <> struct IsLong<long> { static constexpr int value = 1; };
template <class T> struct IsChar { static constexpr int value = 0; };
template <> struct IsChar<char> { static constexpr int value = 1; };
template <class T> struct IsPointer { static constexpr int value = 0; };
template <> struct IsPointer<int *> { static constexpr int value = 1; };
template <class T> struct IsBox { static constexpr int value = 0; };
template <> struct IsBox<Box<int>> { static constexpr int value = 1; };
template <class T> struct InBox { static constexpr int value = 0; };
template <class T> struct InBox<Box<T>> { static constexpr int value = IsInt<T>::value; };
template <class T> struct ToConst { static constexpr int value = 1; };
template <class T> struct ToConst<const T *> { static constexpr int value = 0; };
template <class T> struct Row { static constexpr int value = 1; };
template <class T, int N> struct Row<T[N]> { static constexpr int value = N - 4; };
template <int N> constexpr int factorial = N * factorial<N - 1>;
template <> constexpr int factorial<0> = 1;
struct Both { Kind k; int i; };
template <class T> __device__ int of_reference(const T &) { return IsInt<T>::value; }
template <class T> __device__ int of_pointer(T *) { return IsInt<T>::value; }
template <class T> struct Same { template <class U> static __device__ int with(U) { return IsInt<U>::value; } };

template <class T> constexpr int stride = 1;
template <> constexpr int stride<Kind> = 0;
template <class T> constexpr int stride<const T> = 0;
template <class T> constexpr int stride<Box<T>> = 0;
template <> constexpr int stride<Box<float>> = 1;
template <int N> constexpr int step = 1;
template <> constexpr int step<4> = 0;
template <class T> constexpr int referred = 1;
template <class T> constexpr int referred<T &> = 0;

template <class T> __device__ int of_value(T) { return IsInt<T>::value; }
template <class T> __device__ int of_long(T) { return IsLong<T>::value; }
template <class T> __device__ int stride_of(T) { return stride<T>; }

template <class T> struct Table { static const int value; };
template <class T> const int Table<T>::value = sizeof(T) / 4;
template <> const int Table<float>::value = 0;
template <class T> struct Table<T *> { static const int value; };
template <class U> const int Table<U *>::value = IsInt<U>::value;
namespace other { template <class T> struct Table { static const int value; }; }
template <class T> const int other::Table<T>::value = 0;

struct Marked { static const int mark = 1; };
struct Field { int mark; };
struct Derived : Field { int n; };
class Private { static const int mark = 1; };
struct Plain { int n; };
struct Typed { typedef int type; };
struct Brought : Field { using Field::mark; };
template <class T, class = void> struct Has { static constexpr int value = 1; };
template <class T> struct Has<T, decltype((void)T::mark)> { static constexpr int value = 0; };
template <class...> using void_t = void;
template <class T, class = void> struct HasType { static constexpr int value = 1; };
template <class T> struct HasType<T, void_t<typename T::type>> { static constexpr int value = 0; };
template <class T, class = int> struct OtherDefault { static constexpr int value = 1; };
template <class T> struct OtherDefault<T, decltype((void)T::mark)> { static constexpr int value = 0; };

// [const] It is not int itself.
//~ race
__global__ void identity_const_bad(int *g)
{
    int t = threadIdx.x;
    g[t * IsInt<const int>::value] = t; //~ here
}

// [const] By its name.
//~ race
__global__ void identity_const_name_bad(int *g)
{
    int t = threadIdx.x;
    g[t * IsInt<Constant>::value] = t; //~ here
}

// int.
//~ race-free
__global__ void identity_int_ok(int *g)
{
    int t = threadIdx.x;
    g[t * IsInt<int>::value] = t;
}

// [long] As wide as long.
//~ race
__global__ void identity_long_bad(int *g)
{
    int t = threadIdx.x;
    g[t * IsLong<long long>::value] = t; //~ here
}

// By its name.
//~ race-free
__global__ void identity_long_ok(int *g)
{
    int t = threadIdx.x;
    g[t * IsLong<Long>::value] = t;
}

// [char] Of the same values.
//~ race
__global__ void identity_char_bad(int *g)
{
    int t = threadIdx.x;
    g[t * IsChar<signed char>::value] = t; //~ here
}

// [enumeration] As wide as int.
//~ race
__global__ void identity_enum_bad(int *g)
{
    int t = threadIdx.x;
    g[t * IsInt<Kind>::value] = t; //~ here
}

// [enumeration] Not even converted to int.
//~ race
__global__ void identity_scoped_bad(int *g)
{
    int t = threadIdx.x;
    g[t * IsInt<Scoped>::value] = t; //~ here
}

// [enumeration] Deduced from an enumerator.
//~ race
__global__ void identity_enum_value_bad(int *g)
{
    int t = threadIdx.x;
    g[t * of_value(FIRST)] = t; //~ here
}

// [enumeration] Deduced from a variable.
//~ race
__global__ void identity_enum_local_bad(int *g)
{
    int t = threadIdx.x;
    Kind k = FIRST;
    g[t * of_value(k)] = t; //~ here
}

// The sum is an int.
//~ race-free
__global__ void identity_sum_ok(int *g)
{
    int t = threadIdx.x;
    Kind k = FIRST;
    g[t * of_value(k + 1)] = t;
}

// A variable.
//~ race-free
__global__ void identity_value_ok(int *g)
{
    int t = threadIdx.x;
    g[t * of_value(t)] = t;
}

// [long] A variable.
//~ race
__global__ void identity_value_long_bad(int *g)
{
    int t = threadIdx.x;
    long long w = t;
    g[t * of_long(w)] = t; //~ here
}

// [const] A pointer to another type.
//~ race
__global__ void identity_pointer_bad(int *g)
{
    int t = threadIdx.x;
    g[t * IsPointer<const int *>::value] = t; //~ here
}

// [const] A constant pointer.
//~ race
__global__ void identity_pointer_const_bad(int *g)
{
    int t = threadIdx.x;
    g[t * IsPointer<int *const>::value] = t; //~ here
}

// By its name.
//~ race-free
__global__ void identity_pointer_ok(int *g)
{
    int t = threadIdx.x;
    g[t * IsPointer<Pointer>::value] = t;
}

// [const] The argument of the argument.
//~ race
__global__ void identity_box_bad(int *g)
{
    int t = threadIdx.x;
    g[t * IsBox<Box<const int>>::value] = t; //~ here
}

// The box of int.
//~ race-free
__global__ void identity_box_ok(int *g)
{
    int t = threadIdx.x;
    g[t * IsBox<Box<int>>::value] = t;
}

// [const] Deduced from the argument.
//~ race
__global__ void identity_in_box_bad(int *g)
{
    int t = threadIdx.x;
    g[t * InBox<Box<const int>>::value] = t; //~ here
}

// Deduced from the argument.
//~ race-free
__global__ void identity_in_box_ok(int *g)
{
    int t = threadIdx.x;
    g[t * InBox<Box<int>>::value] = t;
}

// [const] A pointer to what is constant.
//~ race
__global__ void identity_to_const_bad(int *g)
{
    int t = threadIdx.x;
    g[t * ToConst<const float *>::value] = t; //~ here
}

// The pointer is constant.
//~ race-free
__global__ void identity_to_const_ok(int *g)
{
    int t = threadIdx.x;
    g[t * ToConst<float *const>::value] = t;
}

// [array] Four elements.
//~ race
__global__ void identity_row_bad(int *g)
{
    int t = threadIdx.x;
    g[t * Row<int[4]>::value] = t; //~ here
}

// Five elements.
//~ race-free
__global__ void identity_row_ok(int *g)
{
    int t = threadIdx.x;
    g[t * Row<int[5]>::value] = t;
}

// A pointer is no array.
//~ race-free
__global__ void identity_row_pointer_ok(int *g)
{
    int t = threadIdx.x;
    g[t * Row<int *>::value] = t;
}

// [enumeration] Deduced in a method.
//~ race
__global__ void identity_method_bad(int *g)
{
    int t = threadIdx.x;
    Kind k = FIRST;
    g[t * Same<int>::with(k)] = t; //~ here
}

// [variable] For an enumeration.
//~ race
__global__ void identity_stride_enum_bad(int *g)
{
    int t = threadIdx.x;
    g[t * stride<Kind>] = t; //~ here
}

// [variable] Deduced.
//~ race
__global__ void identity_stride_enum_value_bad(int *g)
{
    int t = threadIdx.x;
    Kind k = FIRST;
    g[t * stride_of(k)] = t; //~ here
}

// [variable] For a constant type.
//~ race
__global__ void identity_stride_const_bad(int *g)
{
    int t = threadIdx.x;
    g[t * stride<Constant>] = t; //~ here
}

// [variable] For every box.
//~ race
__global__ void identity_stride_box_bad(int *g)
{
    int t = threadIdx.x;
    g[t * stride<Box<char>>] = t; //~ here
}

// But one.
//~ race-free
__global__ void identity_stride_special_ok(int *g)
{
    int t = threadIdx.x;
    g[t * stride<Box<float>>] = t;
}

// For all others.
//~ race-free
__global__ void identity_stride_ok(int *g)
{
    int t = threadIdx.x;
    g[t * stride<long>] = t;
}

// [variable] By a value.
//~ race
__global__ void identity_step_bad(int *g)
{
    int t = threadIdx.x;
    g[t * step<2 + 2>] = t; //~ here
}

// Another value.
//~ race-free
__global__ void identity_step_ok(int *g)
{
    int t = threadIdx.x;
    g[t * step<5>] = t;
}

// [variable] For a reference.
//~ race
__global__ void identity_reference_bad(int *g)
{
    int t = threadIdx.x;
    g[t * referred<int &>] = t; //~ here
}

// For no reference.
//~ race-free
__global__ void identity_reference_ok(int *g)
{
    int t = threadIdx.x;
    g[t * referred<int *>] = t;
}

// [static] Defined for one argument.
//~ race
__global__ void identity_table_bad(int *g)
{
    int t = threadIdx.x;
    g[t * Table<float>::value] = t; //~ here
}

// Defined for all.
//~ race-free
__global__ void identity_table_ok(int *g)
{
    int t = threadIdx.x;
    g[t * Table<int>::value] = t;
}

// [static] The size of a short is less.
//~ race
__global__ void identity_table_size_bad(int *g)
{
    int t = threadIdx.x;
    g[t * Table<short>::value] = t; //~ here
}

// [static] Of the partial one.
//~ race
__global__ void identity_table_pointer_bad(int *g)
{
    int t = threadIdx.x;
    g[t * Table<Kind *>::value] = t; //~ here
}

// Of the partial one.
//~ race-free
__global__ void identity_table_pointer_ok(int *g)
{
    int t = threadIdx.x;
    g[t * Table<int *>::value] = t;
}

// [static] Of the other namespace.
//~ race
__global__ void identity_table_space_bad(int *g)
{
    int t = threadIdx.x;
    g[t * other::Table<int>::value] = t; //~ here
}

// [member] It has the member.
//~ race
__global__ void identity_mark_bad(int *g)
{
    int t = threadIdx.x;
    g[t * Has<Marked>::value] = t; //~ here
}

// [member] Of an object.
//~ race
__global__ void identity_mark_field_bad(int *g)
{
    int t = threadIdx.x;
    g[t * Has<Field>::value] = t; //~ here
}

// [member] Of the base.
//~ race
__global__ void identity_mark_derived_bad(int *g)
{
    int t = threadIdx.x;
    g[t * Has<Derived>::value] = t; //~ here
}

// [member] Brought in from the base.
//~ race
__global__ void identity_mark_brought_bad(int *g)
{
    int t = threadIdx.x;
    g[t * Has<Brought>::value] = t; //~ here
}

// It has none.
//~ race-free
__global__ void identity_mark_ok(int *g)
{
    int t = threadIdx.x;
    g[t * Has<Plain>::value] = t;
}

// A number has none.
//~ race-free
__global__ void identity_mark_scalar_ok(int *g)
{
    int t = threadIdx.x;
    g[t * Has<int>::value] = t;
}

// Nor has the box.
//~ race-free
__global__ void identity_mark_box_ok(int *g)
{
    int t = threadIdx.x;
    g[t * Has<Box<int>>::value] = t;
}

// Nobody may use it.
//~ race-free
__global__ void identity_mark_private_ok(int *g)
{
    int t = threadIdx.x;
    g[t * Has<Private>::value] = t;
}

// [member] It has the type.
//~ race
__global__ void identity_type_bad(int *g)
{
    int t = threadIdx.x;
    g[t * HasType<Typed>::value] = t; //~ here
}

// It has none.
//~ race-free
__global__ void identity_type_ok(int *g)
{
    int t = threadIdx.x;
    g[t * HasType<Plain>::value] = t;
}

// void is not the default.
//~ race-free
__global__ void identity_default_ok(int *g)
{
    int t = threadIdx.x;
    g[t * OtherDefault<Marked>::value] = t;
}

// [enumeration] A field.
//~ race
__global__ void identity_field_bad(int *g)
{
    int t = threadIdx.x;
    Both b = {FIRST, t};
    g[t * of_value(b.k)] = t; //~ here
}

// The other field.
//~ race-free
__global__ void identity_field_ok(int *g)
{
    int t = threadIdx.x;
    Both b = {FIRST, t};
    g[t * of_value(b.i)] = t;
}

// [enumeration] A field by reference.
//~ race
__global__ void identity_field_reference_bad(int *g)
{
    int t = threadIdx.x;
    Both b = {FIRST, t};
    g[t * of_reference(b.k)] = t; //~ here
}

// The other field.
//~ race-free
__global__ void identity_field_reference_ok(int *g)
{
    int t = threadIdx.x;
    Both b = {FIRST, t};
    g[t * of_reference(b.i)] = t;
}

// [enumeration] Deduced from a pointer.
//~ race
__global__ void identity_pointee_bad(int *g)
{
    int t = threadIdx.x;
    Both b = {FIRST, t};
    g[t * of_pointer(&b.k)] = t; //~ here
}

// [const] Deduced from a pointer to what is constant.
//~ race
__global__ void identity_pointee_const_bad(int *g)
{
    int t = threadIdx.x;
    g[t * of_pointer((const int *)g)] = t; //~ here
}

// Deduced from a pointer.
//~ race-free
__global__ void identity_pointee_ok(int *g)
{
    int t = threadIdx.x;
    g[t * of_pointer(g)] = t;
}

// [enumeration] Deduced twice.
//~ race
__global__ void identity_auto_bad(int *g)
{
    int t = threadIdx.x;
    auto a = FIRST;
    g[t * of_value(a)] = t; //~ here
}

// [variable] One less than six.
//~ race
__global__ void identity_factorial_bad(int *g)
{
    int t = threadIdx.x;
    g[t * (factorial<3> - 6)] = t; //~ here
}

// Six.
//~ race-free
__global__ void identity_factorial_ok(int *g)
{
    int t = threadIdx.x;
    g[t * factorial<3>] = t;
}

template <class T> struct Sum { };
template <> struct Sum<int> { using Type = int; };
template <> struct Sum<int2> { using Type = int2; };
__device__ int weight(int a, int b) { return 1; }
__device__ int weight(int2 a, int2 b) { return 0; }
template <class V, int N> __device__ int of_rows(const V (&a)[N], const V (&b)[N])
{
    typename Sum<V>::Type sum = a[0];
    return weight(sum, b[N - 1]);
}
template <class T, int N> struct Wide { };
template <> struct Wide<int, 1> { using Type = int; };
template <> struct Wide<int, 2> { using Type = int2; };
template <class T, int N> __device__ int of_wide()
{
    using Type = typename Wide<T, N>::Type;
    Type a[4], b[4];
    return of_rows(a, b);
}

// Arrays that are not constant go where references to constant elements are.
//~ race-free
__global__ void identity_rows_ok(int *g)
{
    g[threadIdx.x * of_wide<int, 1>()] = threadIdx.x;
}

// [const] The same of pairs.
//~ race
__global__ void identity_rows_bad(int *g)
{
    g[threadIdx.x * of_wide<int, 2>()] = threadIdx.x; //~ here
}
