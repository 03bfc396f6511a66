// Blocks of every size: kernels whose threads meet in shared memory, compared from barrier to barrier or by who wrote what is read.
//= equal softmax_halves_ok softmax_while_ok
//= different softmax_halves_ok softmax_no_shift_ok softmax_first_largest_ok
//= equal norm_two_ok norm_helper_ok
//= reassociated norm_two_ok norm_reordered_ok
//= different norm_two_ok norm_biased_ok
//= equal points_apart_ok points_together_ok
//= different points_apart_ok points_swapped_ok
//= equal bins_ok bins_later_ok
//= different bins_ok bins_first_ok
//= equal scan_up_ok scan_while_ok
//= different scan_up_ok scan_short_ok scan_tripled_ok
//= equal neighbours_plain_ok neighbours_shared_ok
//= different neighbours_plain_ok neighbours_wrong_side_ok
//= equal roles_ok roles_again_ok
//= different roles_ok roles_swapped_ok
//= different turns_ok turns_every_other_ok
//= equal reverse_plain_ok reverse_shared_ok
//= different reverse_plain_ok reverse_next_ok

// A block for each row: the largest, then the sum of powers, then the quotients.
//~ race-free
__global__ void softmax_halves_ok(float *out, const float *in, int n)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ float held[];
    int t = threadIdx.x, row = blockIdx.x;
    float most = -1e30f;
    for (int k = t; k < n; k += blockDim.x)
        most = fmaxf(most, in[row * n + k]);
    held[t] = most;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (t < k)
            held[t] = fmaxf(held[t], held[t + k]);
        __syncthreads();
    }
    most = held[0];
    __syncthreads();
    float sum = 0.0f;
    for (int k = t; k < n; k += blockDim.x)
        sum += expf(in[row * n + k] - most);
    held[t] = sum;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (t < k)
            held[t] += held[t + k];
        __syncthreads();
    }
    sum = held[0];
    for (int k = t; k < n; k += blockDim.x)
        out[row * n + k] = expf(in[row * n + k] - most) / sum;
}

// The same with loops that are written otherwise.
//~ race-free
__global__ void softmax_while_ok(float *out, const float *in, int n)
{
    __requires(__is_pow2(blockDim.x));
    __shared__ float largest[1024];
    unsigned t = threadIdx.x;
    const float *row = in + blockIdx.x * n;
    float own = -1e30f, most;
    for (int k = t; k < n; k += blockDim.x)
        own = fmaxf(own, row[k]);
    largest[t] = own;
    __syncthreads();
    unsigned half = blockDim.x / 2;
    while (half > 0) {
        if (t < half)
            largest[t] = fmaxf(largest[t], largest[t + half]);
        __syncthreads();
        half /= 2;
    }
    most = largest[0];
    __syncthreads();
    own = 0.0f;
    for (int k = t; k < n; k += blockDim.x)
        own += expf(row[k] - most);
    largest[t] = own;
    __syncthreads();
    half = blockDim.x / 2;
    while (half > 0) {
        if (t < half)
            largest[t] += largest[t + half];
        __syncthreads();
        half /= 2;
    }
    for (int k = t; k < n; k += blockDim.x)
        out[blockIdx.x * n + k] = expf(row[k] - most) / largest[0];
}

// The largest is not taken off in the sum.
//~ race-free
__global__ void softmax_no_shift_ok(float *out, const float *in, int n)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ float plain[];
    int t = threadIdx.x, row = blockIdx.x;
    float sum = 0.0f;
    for (int k = t; k < n; k += blockDim.x)
        sum += expf(in[row * n + k] + 1.0f);
    plain[t] = sum;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (t < k)
            plain[t] += plain[t + k];
        __syncthreads();
    }
    for (int k = t; k < n; k += blockDim.x)
        out[row * n + k] = expf(in[row * n + k]) / plain[0];
}

// The largest of the first thread's elements is taken for that of all.
//~ race-free
__global__ void softmax_first_largest_ok(float *out, const float *in, int n)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ float first[];
    int t = threadIdx.x, row = blockIdx.x;
    float most = in[row * n];
    float sum = 0.0f;
    for (int k = t; k < n; k += blockDim.x)
        sum += expf(in[row * n + k] - most);
    first[t] = sum;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 1; k /= 2) {
        if (t < k)
            first[t] += first[t + k];
        __syncthreads();
    }
    for (int k = t; k < n; k += blockDim.x)
        out[row * n + k] = expf(in[row * n + k] - most) / first[0];
}

// A row for each block: its mean, then the mean square of what is left.
//~ race-free
__global__ void norm_two_ok(float *out, const float *in, int n)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ float part[];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = t; k < n; k += blockDim.x)
        sum += in[blockIdx.x * n + k];
    part[t] = sum;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k)
            part[t] += part[t + k];
        __syncthreads();
    }
    float mean = part[0] / n;
    __syncthreads();
    sum = 0.0f;
    for (int k = t; k < n; k += blockDim.x) {
        float off = in[blockIdx.x * n + k] - mean;
        sum += off * off;
    }
    part[t] = sum;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k)
            part[t] += part[t + k];
        __syncthreads();
    }
    float scale = rsqrtf(part[0] / n + 1e-5f);
    for (int k = t; k < n; k += blockDim.x)
        out[blockIdx.x * n + k] = (in[blockIdx.x * n + k] - mean) * scale;
}

__device__ void add_up(float *part, int t)
{
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (t < k)
            part[t] = part[t + k] + part[t];
        __syncthreads();
    }
}

// The same by a function that adds up.
//~ race-free
__global__ void norm_helper_ok(float *out, const float *in, int n)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ float some[];
    int t = threadIdx.x, first = blockIdx.x * n;
    float sum = 0.0f;
    for (int k = t; k < n; k += blockDim.x)
        sum += in[first + k];
    some[t] = sum;
    __syncthreads();
    add_up(some, t);
    float mean = some[0] / n;
    __syncthreads();
    sum = 0.0f;
    for (int k = t; k < n; k += blockDim.x)
        sum += (in[first + k] - mean) * (in[first + k] - mean);
    some[t] = sum;
    __syncthreads();
    add_up(some, t);
    for (int k = t; k < n; k += blockDim.x)
        out[first + k] = (in[first + k] - mean) * rsqrtf(some[0] / n + 1e-5f);
}

// The square is multiplied out.
//~ race-free
__global__ void norm_reordered_ok(float *out, const float *in, int n)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ float more[];
    int t = threadIdx.x, first = blockIdx.x * n;
    float sum = 0.0f;
    for (int k = t; k < n; k += blockDim.x)
        sum += in[first + k];
    more[t] = sum;
    __syncthreads();
    add_up(more, t);
    float mean = more[0] / n;
    __syncthreads();
    sum = 0.0f;
    for (int k = t; k < n; k += blockDim.x) {
        float x = in[first + k];
        sum += x * x - 2.0f * x * mean + mean * mean;
    }
    more[t] = sum;
    __syncthreads();
    add_up(more, t);
    float scale = rsqrtf(more[0] / n + 1e-5f);
    for (int k = t; k < n; k += blockDim.x)
        out[first + k] = in[first + k] * scale - mean * scale;
}

// One too few is divided by.
//~ race-free
__global__ void norm_biased_ok(float *out, const float *in, int n)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ float biased[];
    int t = threadIdx.x, first = blockIdx.x * n;
    float sum = 0.0f;
    for (int k = t; k < n; k += blockDim.x)
        sum += in[first + k];
    biased[t] = sum;
    __syncthreads();
    add_up(biased, t);
    float mean = biased[0] / n;
    __syncthreads();
    sum = 0.0f;
    for (int k = t; k < n; k += blockDim.x)
        sum += (in[first + k] - mean) * (in[first + k] - mean);
    biased[t] = sum;
    __syncthreads();
    add_up(biased, t);
    float scale = rsqrtf(biased[0] / (n + 3) + 1e-5f);
    for (int k = t; k < n; k += blockDim.x)
        out[first + k] = (in[first + k] - mean) * scale;
}

struct Point { float x, y; };

// Coordinates in two arrays of the block.
//~ race-free
__global__ void points_apart_ok(float *out, const float *px, const float *py, int n)
{
    __shared__ float x[1024], y[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i < n) {
        x[t] = px[i];
        y[t] = py[i];
    }
    __syncthreads();
    int u = blockDim.x - 1 - t, j = blockIdx.x * blockDim.x + u;
    if (j < n)
        out[j] = x[u] * y[u];
}

// In one array of structures.
//~ race-free
__global__ void points_together_ok(float *out, const float *px, const float *py, int n)
{
    __shared__ Point p[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i < n)
        p[t] = Point{px[i], py[i]};
    __syncthreads();
    int u = blockDim.x - 1 - t, j = blockIdx.x * blockDim.x + u;
    if (j < n)
        out[j] = p[u].x * p[u].y;
}

// One coordinate twice.
//~ race-free
__global__ void points_swapped_ok(float *out, const float *px, const float *py, int n)
{
    __shared__ Point q[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i < n)
        q[t] = Point{px[i], py[i]};
    __syncthreads();
    int u = blockDim.x - 1 - t, j = blockIdx.x * blockDim.x + u;
    if (j < n)
        out[j] = q[u].x * q[u].x;
}

// Counts of the block in shared memory, one by one.
//~ race-free
__global__ void bins_ok(unsigned *out, const unsigned *in)
{
    __shared__ unsigned bins[64];
    unsigned t = threadIdx.x;
    if (t < 64)
        bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[in[blockIdx.x * blockDim.x + t] % 64], 1u);
    __syncthreads();
    if (t < 64)
        out[blockIdx.x * 64 + t] = bins[t];
}

// By two copies that are added.
//~ race-free
__global__ void bins_later_ok(unsigned *out, const unsigned *in)
{
    __shared__ unsigned two[2][64];
    unsigned t = threadIdx.x;
    if (t < 64) {
        two[0][t] = 0;
        two[1][t] = 0;
    }
    __syncthreads();
    atomicAdd(&two[t % 2][in[blockIdx.x * blockDim.x + t] % 64], 1u);
    __syncthreads();
    if (t < 64)
        out[blockIdx.x * 64 + t] = two[0][t] + two[1][t];
}

// Only the first copy is told.
//~ race-free
__global__ void bins_first_ok(unsigned *out, const unsigned *in)
{
    __shared__ unsigned copies[2][64];
    unsigned t = threadIdx.x;
    if (t < 64) {
        copies[0][t] = 0;
        copies[1][t] = 0;
    }
    __syncthreads();
    atomicAdd(&copies[t % 2][in[blockIdx.x * blockDim.x + t] % 64], 1u);
    __syncthreads();
    if (t < 64)
        out[blockIdx.x * 64 + t] = copies[0][t];
}

// A prefix sum of the block, each from the element k before it.
//~ race-free
__global__ void scan_up_ok(int *out, const int *in)
{
    extern __shared__ int s[];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int k = 1; k < blockDim.x; k *= 2) {
        int before = t >= k ? s[t - k] : 0;
        __syncthreads();
        s[t] += before;
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + t] = s[t];
}

// The same with a branch, unsigned.
//~ race-free
__global__ void scan_while_ok(int *out, const int *in)
{
    extern __shared__ int r[];
    unsigned t = threadIdx.x, k = 1;
    int own = in[blockIdx.x * blockDim.x + t];
    r[t] = own;
    __syncthreads();
    while (k < blockDim.x) {
        int before = 0;
        if (t >= k)
            before = r[t - k];
        __syncthreads();
        own = r[t] + before;
        r[t] = own;
        __syncthreads();
        k = k << 1;
    }
    out[blockIdx.x * blockDim.x + t] = r[t];
}

// The last step is missing in large blocks.
//~ race-free
__global__ void scan_short_ok(int *out, const int *in)
{
    extern __shared__ int w[];
    int t = threadIdx.x;
    w[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int k = 1; 2 * k < blockDim.x; k *= 2) {
        int before = t >= k ? w[t - k] : 0;
        __syncthreads();
        w[t] += before;
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + t] = w[t];
}

// Steps of three.
//~ race-free
__global__ void scan_tripled_ok(int *out, const int *in)
{
    extern __shared__ int v[];
    int t = threadIdx.x;
    v[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int k = 1; k < blockDim.x; k *= 3) {
        int before = t >= k ? v[t - k] : 0;
        __syncthreads();
        v[t] += before;
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + t] = v[t];
}

// The sum of an element and the next one.
//~ race-free
__global__ void neighbours_plain_ok(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i + 1 < n ? in[i] + in[i + 1] : in[i];
}

// Through shared memory, the element behind the block by its last thread.
//~ race-free
__global__ void neighbours_shared_ok(float *out, const float *in, int n)
{
    __shared__ float near[1025];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i < n)
        near[t] = in[i];
    if (t == blockDim.x - 1 && i + 1 < n)
        near[t + 1] = in[i + 1];
    __syncthreads();
    if (i < n)
        out[i] = i + 1 < n ? near[t] + near[t + 1] : near[t];
}

// The element before the block.
//~ race-free
__global__ void neighbours_wrong_side_ok(float *out, const float *in, int n)
{
    __shared__ float wrong[1025];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i < n)
        wrong[t] = in[i];
    if (t == blockDim.x - 1 && i + 1 < n)
        wrong[t + 1] = in[i];
    __syncthreads();
    if (i < n)
        out[i] = i + 1 < n ? wrong[t] + wrong[t + 1] : wrong[t];
}

// Two arrays with two roles.
//~ race-free
__global__ void roles_ok(int *out, const int *in, const int *by)
{
    __shared__ int a[1024], b[1024];
    int t = threadIdx.x, u = blockDim.x - 1 - t, first = blockIdx.x * blockDim.x;
    a[t] = in[first + t];
    b[t] = by[first + t];
    __syncthreads();
    out[first + t] = a[u] - b[u];
}

// The arrays in the other order.
//~ race-free
__global__ void roles_again_ok(int *out, const int *in, const int *by)
{
    __shared__ int c[1024], d[1024];
    int t = threadIdx.x, u = blockDim.x - 1 - t, first = blockIdx.x * blockDim.x;
    d[t] = in[first + t];
    c[t] = by[first + t];
    __syncthreads();
    out[first + t] = d[u] - c[u];
}

// The roles are swapped where they are used.
//~ race-free
__global__ void roles_swapped_ok(int *out, const int *in, const int *by)
{
    __shared__ int e[1024], f[1024];
    int t = threadIdx.x, u = blockDim.x - 1 - t, first = blockIdx.x * blockDim.x;
    e[t] = in[first + t];
    f[t] = by[first + t];
    __syncthreads();
    out[first + t] = f[u] - e[u];
}

// Elements move round the block, n times.
//~ race-free
__global__ void turns_ok(int *out, const int *in, int n)
{
    extern __shared__ int ring[];
    int t = threadIdx.x, first = blockIdx.x * blockDim.x;
    ring[t] = in[first + t];
    __syncthreads();
    for (int m = 0; m < n; m++) {
        int next = ring[t == blockDim.x - 1 ? 0 : t + 1];
        __syncthreads();
        ring[t] = next;
        __syncthreads();
    }
    out[first + t] = ring[t];
}

// Every other time they do not.
//~ race-free
__global__ void turns_every_other_ok(int *out, const int *in, int n)
{
    extern __shared__ int other[];
    int t = threadIdx.x, first = blockIdx.x * blockDim.x;
    other[t] = in[first + t];
    __syncthreads();
    for (int m = 0; m < n; m++) {
        int next = other[t == blockDim.x - 1 ? 0 : t + 1];
        __syncthreads();
        if (m % 2 == 0)
            other[t] = next;
        __syncthreads();
    }
    out[first + t] = other[t];
}

// Each block from its last element to its first.
//~ race-free
__global__ void reverse_plain_ok(int *out, const int *in)
{
    int first = blockIdx.x * blockDim.x;
    out[first + threadIdx.x] = in[first + blockDim.x - 1 - threadIdx.x];
}

// Through shared memory.
//~ race-free
__global__ void reverse_shared_ok(int *out, const int *in)
{
    extern __shared__ int row[];
    int first = blockIdx.x * blockDim.x, t = threadIdx.x;
    row[blockDim.x - 1 - t] = in[first + t];
    __syncthreads();
    out[first + t] = row[t];
}

// One further.
//~ race-free
__global__ void reverse_next_ok(int *out, const int *in)
{
    extern __shared__ int far[];
    int first = blockIdx.x * blockDim.x, t = threadIdx.x;
    far[blockDim.x - 1 - t] = in[first + t];
    __syncthreads();
    out[first + t] = far[t == 0 ? 0 : t - 1];
}
