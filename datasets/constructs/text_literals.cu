// Strings that stand in the text, and the name of the function: pointers to letters that nothing changes.
#include <cstdio>

// Tells why, and stops.
[[noreturn]] static __device__ void give_up(const char *file, int line, const char *function, const char *why)
{
    printf("%s:%d: %s: %s\n", file, line, function, why);
    __trap();
    (void)give_up;
}

__device__ void say(const char *text) { printf("%s\n", text); }

// The string is read by the function that prints it.
//~ race-free
__global__ void said_ok(int *out)
{
    say("each thread stores one element");
    out[threadIdx.x] = threadIdx.x;
}

// [index] The same with two threads at one element.
//~ race confirmed
__global__ void said_bad(int *out)
{
    say("two threads store one element");
    out[threadIdx.x / 2] = threadIdx.x; //~ here
}

// What is not for this architecture is never executed further.
//~ race-free
template <int width> __global__ void refused_ok(int *out)
{
    if constexpr (width > 32) {
        out[threadIdx.x] = threadIdx.x;
    } else {
        give_up(__FILE__, __LINE__, __FUNCTION__, "it is too narrow");
        out[threadIdx.x / 2] = threadIdx.x;
    }
}

// [index] The threads that go on share elements.
//~ race
__global__ void refused_bad(int *out, int width)
{
    if (width < 32) give_up(__FILE__, __LINE__, __func__, "it is too narrow");
    out[threadIdx.x / 2] = threadIdx.x; //~ here
}

// The letters are numbers from 0 to 3, which are different.
//~ race-free
__global__ void letters_ok(int *out)
{
    const char *order = "badc";
    if (threadIdx.x < 4) out[order[threadIdx.x] - 'a'] = threadIdx.x;
}

// [index] One letter stands there twice.
//~ race confirmed
__global__ void letters_bad(int *out)
{
    const char *order = "bacb";
    if (threadIdx.x < 4) out[order[threadIdx.x] - 'a'] = threadIdx.x; //~ here
}

// All threads read the same letter.
//~ race-free
__global__ void letter_ok(int *out)
{
    const char *mode = "row";
    if (mode[0] == 'r') __syncthreads();
    out[threadIdx.x] = threadIdx.x;
}

void launch(int *out)
{
    said_ok<<<1, 64>>>(out);
    said_bad<<<1, 64>>>(out);
    refused_ok<16><<<1, 64>>>(out);
    refused_ok<64><<<1, 64>>>(out);
    refused_bad<<<1, 64>>>(out, 40);
    letters_ok<<<1, 64>>>(out);
    letters_bad<<<1, 64>>>(out);
    letter_ok<<<1, 64>>>(out);
}
