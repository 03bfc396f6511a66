// Macros as CUDA programs use them.
#define TID (blockIdx.x * blockDim.x + threadIdx.x)
#define IDX(i, j, ld) (((j) * (ld)) + (i))
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
#define FOR_EACH(i, n) for (int i = TID; i < (n); i += blockDim.x * gridDim.x)
#define BLOCK 256
#define DEVICE __device__ __forceinline__
#define min(a, b) ((a) < (b) ? (a) : (b))
#define SWAP(a, b) { auto t = a; a = b; b = t; }
template <typename T> DEVICE T clamp(T x) { return min(x, min(x, T(1))); }
#define INSTANCE(T, N) template __global__ void k<T, N>(T *, int);
INSTANCE(float, 4) INSTANCE(int2, BLOCK / 2)
__global__ void k(float *a, int n)
{
    __shared__ float s[BLOCK * 2][CEIL_DIV(BLOCK, 32) + 1];
    FOR_EACH(i, n)
        a[IDX(i, TID, n)] = min(a[IDX(i - 1, (TID), n)], s[-TID][+BLOCK]);
    SWAP(a[0], s[0][0]) SWAP((a[0]), *s[1]);
#pragma unroll
    for (int i = 0; i < BLOCK>>1; i++) { if (TID<BLOCK&&i>BLOCK) SWAP(a[i], a[i+1]); }
#ifdef __CUDA_ARCH__
    __syncthreads();
#if __CUDA_ARCH__ >= 700
    __syncwarp();
#else
    a[0] = 0;
#endif
#endif
}
#define RUN(kernel, n, ...) do { dim3 grid(CEIL_DIV(n, BLOCK)); kernel<<<grid, BLOCK>>>(__VA_ARGS__); } while (0)
#define CONFIG <<<CEIL_DIV(n, BLOCK), BLOCK, 0, stream>>>
void host(int n) { RUN(k, n + 1, a, n); k CONFIG (a, n); k<<<1,BLOCK>>>(a,n); k<<< 1 , BLOCK >>>(a, n); }
#define KERNEL_BODY(op) { int i = TID; if (i < n) out[i] = a[i] op b[i]; }
#define ARITHMETIC(name, op) __global__ void name(float *out, const float *a, const float *b, int n) KERNEL_BODY(op)
ARITHMETIC(add, +) ARITHMETIC(sub, -) ARITHMETIC(shift, <<) ARITHMETIC(neg, - -)
