// Bits of a number that are read as those of another type, and the number converted: what `*(int *)&f` leaves is not `(int)f`.
//= equal bits_by_pointer_ok bits_by_reference_ok bits_by_copy_ok bits_by_intrinsic_ok bits_of_parameter_ok bits_of_vector_ok
//= different bits_by_pointer_ok number_ok
//= different bits_by_reference_ok number_ok
//= different bits_by_copy_ok number_ok
//= different bits_by_intrinsic_ok number_ok
//= equal stored_bits_ok stored_bits_by_copy_ok
//= different stored_bits_ok stored_number_ok
//= equal doubled_exponent_ok doubled_exponent_intrinsic_ok
//= different doubled_exponent_ok doubled_number_ok
//= equal large_bits_ok large_bits_intrinsic_ok
//= different large_bits_ok large_number_ok

//~ race-free
__global__ void bits_by_pointer_ok(int *out, const float *in)
{
    float f = in[threadIdx.x];
    out[threadIdx.x] = *(int *)&f;
}

//~ race-free
__global__ void bits_by_reference_ok(int *out, const float *in)
{
    float f = in[threadIdx.x];
    int &bits = reinterpret_cast<int &>(f);
    out[threadIdx.x] = bits;
}

template <typename To, typename From>
__device__ To copied_bits(From from)
{
    To to;
    memcpy(&to, &from, sizeof(To));
    return to;
}

//~ race-free
__global__ void bits_by_copy_ok(int *out, const float *in)
{
    out[threadIdx.x] = copied_bits<int>(in[threadIdx.x]);
}

//~ race-free
__global__ void bits_by_intrinsic_ok(int *out, const float *in)
{
    out[threadIdx.x] = __float_as_int(in[threadIdx.x]);
}

__device__ int bits_of(float f)
{
    return *reinterpret_cast<const int *>(&f);
}

//~ race-free
__global__ void bits_of_parameter_ok(int *out, const float *in)
{
    out[threadIdx.x] = bits_of(in[threadIdx.x]);
}

//~ race-free
__global__ void bits_of_vector_ok(int *out, const float *in)
{
    float2 pair = make_float2(0.0f, in[threadIdx.x]);
    int2 bits = *reinterpret_cast<int2 *>(&pair);
    out[threadIdx.x] = bits.y;
}

//~ race-free
__global__ void number_ok(int *out, const float *in)
{
    out[threadIdx.x] = (int)in[threadIdx.x];
}

//~ race-free
__global__ void stored_bits_ok(float *out, const int *in)
{
    float f = 0.0f;
    *(int *)&f = in[threadIdx.x];
    out[threadIdx.x] = f;
}

//~ race-free
__global__ void stored_bits_by_copy_ok(float *out, const int *in)
{
    int bits = in[threadIdx.x];
    float f;
    memcpy(&f, &bits, sizeof f);
    out[threadIdx.x] = f;
}

//~ race-free
__global__ void stored_number_ok(float *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x];
}

// The exponent is counted up by one, through a pointer.
//~ race-free
__global__ void doubled_exponent_ok(float *out, const float *in)
{
    float f = in[threadIdx.x];
    *(unsigned *)&f += 1u << 23;
    out[threadIdx.x] = f;
}

//~ race-free
__global__ void doubled_exponent_intrinsic_ok(float *out, const float *in)
{
    out[threadIdx.x] = __uint_as_float(__float_as_uint(in[threadIdx.x]) + (1u << 23));
}

//~ race-free
__global__ void doubled_number_ok(float *out, const float *in)
{
    out[threadIdx.x] = in[threadIdx.x] + (float)(1u << 23);
}

//~ race-free
__global__ void large_bits_ok(long long *out, const double *in)
{
    double d = in[threadIdx.x];
    out[threadIdx.x] = *(long long *)&d;
}

//~ race-free
__global__ void large_bits_intrinsic_ok(long long *out, const double *in)
{
    out[threadIdx.x] = __double_as_longlong(in[threadIdx.x]);
}

//~ race-free
__global__ void large_number_ok(long long *out, const double *in)
{
    out[threadIdx.x] = (long long)in[threadIdx.x];
}
