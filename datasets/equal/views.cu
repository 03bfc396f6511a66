// One buffer that the two sides see as elements of different types: its bytes are the same.
//= equal copies_floats_ok copies_floats_too_ok
//= equal copies_pairs_ok copies_pairs_too_ok
//= equal copies_words_ok copies_plain_ok
//= equal clears_bytes_ok clears_words_ok
//= equal copies_halves_ok copies_plain_ok
//= different copies_words_ok shifts_words_ok
//= different clears_bytes_ok clears_most_bytes_ok
//= different copies_words_ok copies_converted_ok

// Four at a time, as floats.
//~ race-free
__global__ void copies_floats_ok(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        ((float4 *)out)[i] = ((const float4 *)in)[i];
}

// The same one by one.
//~ race-free
__global__ void copies_floats_too_ok(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[4 * i] = in[4 * i];
        out[4 * i + 1] = in[4 * i + 1];
        out[4 * i + 2] = in[4 * i + 2];
        out[4 * i + 3] = in[4 * i + 3];
    }
}

// Two numbers at a time.
//~ race-free
__global__ void copies_pairs_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        ((int2 *)out)[i] = ((const int2 *)in)[i];
}

// The same one by one.
//~ race-free
__global__ void copies_pairs_too_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[2 * i] = in[2 * i];
        out[2 * i + 1] = in[2 * i + 1];
    }
}

// Floats as the numbers that their bits are.
//~ race-free
__global__ void copies_words_ok(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    ((int *)out)[i] = ((const int *)in)[i];
}

// The next one.
//~ race-free
__global__ void shifts_words_ok(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + 1];
}

// What is read as a float is stored as the number next to it.
//~ race-free
__global__ void copies_converted_ok(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    ((int *)out)[i] = (int)in[i];
}

// Byte by byte.
//~ race-free
__global__ void clears_bytes_ok(char *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = 0;
}

// All but one in four.
//~ race-free
__global__ void clears_most_bytes_ok(char *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 4 != 3)
        out[i] = 0;
}

// A float is a float.
//~ race-free
__global__ void copies_plain_ok(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

// Its two halves.
//~ race-free
__global__ void copies_halves_ok(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    ((short *)out)[2 * i] = ((const short *)in)[2 * i];
    ((short *)out)[2 * i + 1] = ((const short *)in)[2 * i + 1];
}

// Four bytes at once, by one thread in four.
//~ race-free
__global__ void clears_words_ok(char *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 4 == 0)
        ((int *)out)[i / 4] = 0;
}
