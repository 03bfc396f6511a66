//--blockDim=64 --gridDim=4
// Construct: addresses that a kernel is passed as numbers
#include <cstdint>

// Each leads to an array of its own, as pointers would.
//~ race-free
__global__ void passed_address_ok(long long from_address, uint64_t to_address)
{
    const float *from = reinterpret_cast<const float *>(from_address);
    float *to = reinterpret_cast<float *>(to_address);
    int i = blockIdx.x * 64 + threadIdx.x;
    to[i] = 2 * from[i];
}

// [neighbour] Both accesses are by one number.
//~ race
__global__ void passed_address_neighbour_bad(long long address)
{
    float *a = reinterpret_cast<float *>(address);
    int i = blockIdx.x * 64 + threadIdx.x;
    a[i] = a[i + 1]; //~ here
}

// An offset in bytes is added before the cast.
//~ race-free
__global__ void passed_address_row_ok(uint64_t address)
{
    float *row = reinterpret_cast<float *>(address + blockIdx.x * 256);
    row[threadIdx.x] = 1;
}

// [overlap] The rows of two blocks share half of their bytes.
//~ race
__global__ void passed_address_row_bad(uint64_t address)
{
    float *row = reinterpret_cast<float *>(address + blockIdx.x * 128);
    row[threadIdx.x] = blockIdx.x; //~ here
}

// [pitch] Between rows lie as many bytes as the caller says: it may say 0.
//~ race conditional
__global__ void passed_address_pitch_bad(uint64_t address, int pitch)
{
    float *row = reinterpret_cast<float *>(address + blockIdx.x * pitch * 256);
    row[threadIdx.x] = blockIdx.x; //~ here
}

// Which of two numbers is the address is not told.
//~ fp_race-free
__global__ void passed_address_sum_ok(uint64_t address, uint64_t bytes)
{
    float *a = reinterpret_cast<float *>(address + bytes);
    a[blockIdx.x * 64 + threadIdx.x] = 1;
}

// [neighbour] The same with a race.
//~ fn_race
__global__ void passed_address_sum_bad(uint64_t address, uint64_t bytes)
{
    float *a = reinterpret_cast<float *>(address + bytes);
    a[blockIdx.x * 64 + threadIdx.x] = a[blockIdx.x * 64 + threadIdx.x + 1];
}
