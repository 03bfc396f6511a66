// Ten kernels such as a library of image and vector primitives has in one file.
#define TILE 16
#define BLOCK 256

__device__ float clamp01(float x) { return x < 0.f ? 0.f : (x > 1.f ? 1.f : x); }

__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void block_sum(const float *in, float *out, int n) {
  __shared__ float part[BLOCK];
  int t = threadIdx.x;
  int i = blockIdx.x * BLOCK + t;
  part[t] = i < n ? in[i] : 0.f;
  __syncthreads();
  for (int s = BLOCK / 2; s > 0; s >>= 1) {
    if (t < s) part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

__global__ void transpose(float *out, const float *in, int width, int height) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float as[TILE][TILE];
  __shared__ float bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0.f;
  for (int t = 0; t < n / TILE; t++) {
    as[threadIdx.y][threadIdx.x] = a[row * n + t * TILE + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(t * TILE + threadIdx.y) * n + col];
    __syncthreads();
    for (int k = 0; k < TILE; k++) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

__global__ void histogram(const unsigned char *data, unsigned *bins, int n) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[data[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

__global__ void scan_block(int *data) {
  __shared__ int buffer[2 * BLOCK];
  int t = threadIdx.x;
  int out = 0, in = 1;
  buffer[t] = data[blockIdx.x * BLOCK + t];
  __syncthreads();
  for (int offset = 1; offset < BLOCK; offset *= 2) {
    out = 1 - out;
    in = 1 - out;
    if (t >= offset) buffer[out * BLOCK + t] = buffer[in * BLOCK + t] + buffer[in * BLOCK + t - offset];
    else buffer[out * BLOCK + t] = buffer[in * BLOCK + t];
    __syncthreads();
  }
  data[blockIdx.x * BLOCK + t] = buffer[out * BLOCK + t];
}

__global__ void stencil(const float *in, float *out, int n) {
  __shared__ float row[BLOCK + 2];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  row[threadIdx.x + 1] = i < n ? in[i] : 0.f;
  if (threadIdx.x == 0) row[0] = i > 0 ? in[i - 1] : 0.f;
  if (threadIdx.x == BLOCK - 1) row[BLOCK + 1] = i + 1 < n ? in[i + 1] : 0.f;
  __syncthreads();
  if (i < n) out[i] = 0.25f * row[threadIdx.x] + 0.5f * row[threadIdx.x + 1] + 0.25f * row[threadIdx.x + 2];
}

__global__ void neighbours(float *v, int n) {
  __shared__ float s[BLOCK];
  int t = threadIdx.x;
  s[t] = v[blockIdx.x * BLOCK + t];
  if (t > 0) s[t] = clamp01(s[t - 1]);
  v[blockIdx.x * BLOCK + t] = s[t];
}

__global__ void rgb_to_grey(const unsigned char *rgb, unsigned char *grey, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    int i = y * width + x;
    grey[i] = (rgb[3 * i] * 77 + rgb[3 * i + 1] * 150 + rgb[3 * i + 2] * 29) >> 8;
  }
}

__global__ void dot(const float *a, const float *b, float *out, int n) {
  __shared__ float part[BLOCK];
  float sum = 0.f;
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) sum += a[i] * b[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int s = BLOCK / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, part[0]);
}

void launch(float *a, float *b, float *c, unsigned char *p, unsigned *bins, int *ints, int n) {
  int blocks = (n + BLOCK - 1) / BLOCK;
  dim3 square(TILE, TILE), tiles((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
  saxpy<<<blocks, BLOCK>>>(n, 2.f, a, b);
  block_sum<<<blocks, BLOCK>>>(a, b, n);
  transpose<<<tiles, square>>>(a, b, n, n);
  matmul<<<tiles, square>>>(a, b, c, n);
  histogram<<<64, 256>>>(p, bins, n);
  scan_block<<<blocks, BLOCK>>>(ints);
  stencil<<<blocks, BLOCK>>>(a, b, n);
  neighbours<<<blocks, BLOCK>>>(a, n);
  rgb_to_grey<<<tiles, square>>>(p, p, n, n);
  dot<<<64, BLOCK>>>(a, b, c, n);
}
