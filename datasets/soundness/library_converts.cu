//--blockDim=64 --gridDim=1
// Row: functions and classes of the library that convert what they are given
#include <type_traits>
#include <utility>

// [conversion] A negative number is a large one: threads 0 to 7 and 15 on write the bound.
//~ race
__global__ void smaller_unsigned_bad(int *out)
{
    int i = threadIdx.x;
    out[umin(i - 8, 7)] = threadIdx.x; //~ here
}

// [conversion] As `int` it is negative, too, and the larger one is 0.
//~ race
__global__ void larger_signed_bad(int *out)
{
    int i = threadIdx.x;
    out[max(i - 8, 0)] = threadIdx.x; //~ here
}

// As `unsigned` the larger one is i - 8 for all but the ninth, of which it is 0.
//~ race-free
__global__ void larger_unsigned_ok(int *out)
{
    int i = threadIdx.x;
    unsigned far = umax(i - 8, 0);
    if (far < 64) out[far] = threadIdx.x;
}

// [conversion] Of 64 bits the lower half is compared.
//~ race
__global__ void smaller_of_long_bad(int *out)
{
    long long wide = (1ll << 32) + threadIdx.x % 4;
    out[umin(wide, 100)] = threadIdx.x; //~ here
}

// Whole, they are compared as they are.
//~ race-free
__global__ void smaller_of_long_ok(int *out)
{
    long long wide = (1ll << 32) + threadIdx.x;
    out[llmin(wide, 1ll << 40) - (1ll << 32)] = threadIdx.x;
}

// [wrap] The operands have 24 bits, and the product more than 31.
//~ race
__global__ void product_of_24_bits_bad(int *out)
{
    int wide = __mul24(threadIdx.x + 32768, 65536);
    if (wide < 0) out[0] = threadIdx.x; //~ here
}

// A product that fits.
//~ race-free
__global__ void product_of_24_bits_ok(int *out)
{
    out[__mul24(threadIdx.x, 3)] = threadIdx.x;
}

// [width] The first member is a byte: every 32nd thread has one place.
//~ race
__global__ void pair_of_bytes_bad(int *out)
{
    std::pair<int, int> wide(threadIdx.x * 8, 1);
    std::pair<unsigned char, int> narrow = wide;
    out[narrow.first] = threadIdx.x; //~ here
}

__device__ std::pair<unsigned char, int> narrowed(std::pair<int, int> wide) { return wide; }

// [width] By what a function returns.
//~ race
__global__ void pair_returned_bad(int *out)
{
    std::pair<int, int> wide(threadIdx.x * 8, 1);
    out[narrowed(wide).first] = threadIdx.x; //~ here
}

// [width] By the temporary that a reference is bound to.
//~ race
__global__ void pair_bound_bad(int *out)
{
    std::pair<int, int> wide(threadIdx.x * 8, 1);
    const std::pair<unsigned char, int> &narrow = wide;
    out[narrow.first] = threadIdx.x; //~ here
}

// [width] By a cast.
//~ race
__global__ void pair_cast_bad(int *out)
{
    std::pair<int, int> wide(threadIdx.x * 8, 1);
    out[static_cast<std::pair<unsigned char, int>>(wide).first] = threadIdx.x; //~ here
}

// A member that has room for them.
//~ race-free
__global__ void pair_of_shorts_ok(int *out)
{
    std::pair<int, int> wide(threadIdx.x * 8, 1);
    std::pair<short, int> narrow = wide;
    out[narrow.first] = threadIdx.x;
}

union Word { int whole; float number; };

// [branch] A union is no class.
//~ race
__global__ void union_as_class_bad(int *out)
{
    if (!std::is_class_v<Word>) out[0] = threadIdx.x; //~ here
}

// [branch] Its type is a class, as far as the standard calls it one, but no pointer.
//~ race
__global__ void null_as_pointer_bad(int *out)
{
    if (!std::is_pointer<decltype(nullptr)>::value) out[0] = threadIdx.x; //~ here
}

// A pointer to nothing in particular is one.
//~ race-free
__global__ void void_pointer_ok(int *out)
{
    if (!std::is_pointer<void *>::value) out[0] = threadIdx.x;
}

// [branch] Up to C++17 it is a `char`.
//~ race
__global__ void character_of_utf8_bad(int *out)
{
    if (std::is_same<decltype(u8'a'), char>::value) out[0] = threadIdx.x; //~ here
}

// [width] What is counted from the left depends on the type.
//~ race
__global__ void zeros_of_byte_bad(int *out)
{
    unsigned char byte = 1;
    if (cuda::std::countl_zero(byte) != cuda::std::countl_zero(1u)) out[0] = threadIdx.x; //~ here
}

// [width] A sum of the lanes is an `int`, whatever they add.
//~ race
__global__ void sum_of_shorts_bad(int *out)
{
    short part = 30000;
    int sum = __reduce_add_sync(0xffffffff, part);
    if (sum > 40000) out[0] = threadIdx.x; //~ here
}

// [width] There is no shuffle of a `char`: the result is an `int`.
//~ race
__global__ void shuffled_byte_bad(int *out)
{
    auto sum = __shfl_sync(0xffffffff, (char)100, 0);
    sum += 100;
    if (sum == 200) out[0] = threadIdx.x; //~ here
}
