// What differs only for sizes and elements that no run with numbers comes to: the proof has to see it.
//= different raised_in_loop_ok raised_sooner_ok
//= different doubled_far_ok doubled_farther_ok
//= different summed_ok summed_to_bound_ok
//= different left_by_loop_ok left_at_bound_ok
//= different in_turn_ok in_turn_but_one_ok

// What the loop stores holds behind it only where the loop is gone through.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void raised_in_loop_ok(int *out, const int *in, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (int k = 100; k < n; k++) {
        if (n > 50)
            s[t] += k;
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = n > 50 ? s[t] : 5;
}

// Between 46 and 50 another value is stored, and the loop is not gone through.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void raised_sooner_ok(int *out, const int *in, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (int k = 100; k < n; k++) {
        if (n > 45)
            s[t] += k;
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = n > 45 ? s[t] : 5;
}

// Doubled behind an element.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void doubled_far_ok(int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = i > 70000 ? 2 * i : i;
}

// Doubled behind the next one.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void doubled_farther_ok(int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = i > 70001 ? 2 * i : i;
}

// A sum of all.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void summed_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[k];
    if (i < n)
        out[i] = sum;
}

// Of as many as there are, up to 90000.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void summed_to_bound_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    int sum = 0;
    for (int k = 0; k < n && k < 90000; k++)
        sum += in[k];
    if (i < n)
        out[i] = sum;
}

// A variable keeps what the last iteration gave it.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void left_by_loop_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, last = 7;
    s[t] = t;
    __syncthreads();
    for (int k = 80000; k < n; k++) {
        last = s[63 - t];
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = last;
}

// The first iteration gives it another value than the later ones, and is the last one of 80001.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void left_at_bound_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, last = 7;
    s[t] = t;
    __syncthreads();
    for (int k = 80000; k < n; k++) {
        last = k > 80000 ? s[63 - t] : s[t];
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = last;
}

// Turned by one at each iteration.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void in_turn_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int k = 0; k < n; k++) {
        int next = s[(t + 1) % 64];
        __syncthreads();
        s[t] = next;
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = s[t];
}

// At one iteration not.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void in_turn_but_one_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int k = 0; k < n; k++) {
        int next = s[(t + 1) % 64];
        __syncthreads();
        if (k != 60000)
            s[t] = next;
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = s[t];
}

// Two stretches assign to one element by different threads: the later one holds.
//= different ones_then_twos_ok twos_then_ones_ok
//= different far_ones_ok,far_twos_ok far_twos_ok,far_ones_ok
//= different far_steps_ok far_double_steps_ok
//= different far_shifted_ok far_double_shifted_ok
//= different far_columns_ok far_diagonal_ok
//= different aside_ok aside_turned_ok
//= different halved_sign_ok never_negative_ok
//= different low_half_ok whole_number_ok
//= different square_ok wide_product_of_numbers_ok
//= different added_and_raised_ok always_three_ok
//= different written_here_ok written_there_ok

// The element behind the own one is assigned to last.
// warplog: launch grid=1
//~ race-free
__global__ void ones_then_twos_ok(int *out)
{
    int t = threadIdx.x;
    if (t >= 64)
        out[t] = 1;
    __syncthreads();
    if (t >= 64)
        out[t + 1] = 2;
}

// The own element is assigned to last.
// warplog: launch grid=1
//~ race-free
__global__ void twos_then_ones_ok(int *out)
{
    int t = threadIdx.x;
    if (t >= 64)
        out[t + 1] = 2;
    __syncthreads();
    if (t >= 64)
        out[t] = 1;
}

// The own element, from one on that no run comes to.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void far_ones_ok(int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= 100000 && i < n)
        out[i] = 1;
}

// The next one.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void far_twos_ok(int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= 100000 && i < n)
        out[i + 1] = 2;
}

// A variable that the loop carries along ends it.
// warplog: launch block=1 grid=1
//~ race-free
__global__ void far_steps_ok(int *out, const int *in, int n, int m)
{
    int c = 0;
    for (int k = 0; k < n && c < m; k++) {
        out[k] = 7;
        c += in[k] + (k >= 90000 ? 1 : 0);
    }
}

// It grows faster, later.
// warplog: launch block=1 grid=1
//~ race-free
__global__ void far_double_steps_ok(int *out, const int *in, int n, int m)
{
    int c = 0;
    for (int k = 0; k < n && c < m; k++) {
        out[k] = 7;
        c += in[k] + (k >= 90000 ? 2 : 0);
    }
}

// A variable that the loop carries along is part of the place.
// warplog: launch block=1 grid=1
//~ race-free
__global__ void far_shifted_ok(int *out, const int *in, int n)
{
    int c = 0;
    for (int k = 0; k < n; k++) {
        out[k + c] = 7;
        c = in[k] + (k >= 90000 ? 1 : 0);
    }
}

// It is another one, later.
// warplog: launch block=1 grid=1
//~ race-free
__global__ void far_double_shifted_ok(int *out, const int *in, int n)
{
    int c = 0;
    for (int k = 0; k < n; k++) {
        out[k + c] = 7;
        c = in[k] + (k >= 90000 ? 2 : 0);
    }
}

// Each thread sums a column, and all columns are summed up.
// warplog: launch block=64 grid=1
//~ race-free
__global__ void far_columns_ok(int *out, const int *in, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, q = 0;
    for (int j = 0; j < n; j++)
        q += in[n > 90000 ? 64 * j + t : 65 * j];
    s[t] = q;
    __syncthreads();
    int all = 0;
    for (int k = 0; k < 64; k++)
        all += s[k];
    out[t] = all;
}

// Each thread sums the diagonal.
// warplog: launch block=64 grid=1
//~ race-free
__global__ void far_diagonal_ok(int *out, const int *in, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, q = 0;
    for (int j = 0; j < n; j++)
        q += in[65 * j];
    s[t] = q;
    __syncthreads();
    int all = 0;
    for (int k = 0; k < 64; k++)
        all += s[k];
    out[t] = all;
}

// Two elements that may be one, and the first of them once more.
// warplog: launch block=1 grid=1
//~ race-free
__global__ void aside_ok(int *out, int i, int j, int n)
{
    out[i] = 1;
    out[j] = 2;
    if (n <= 90000)
        out[i] = 3;
}

// The other one first.
// warplog: launch block=1 grid=1
//~ race-free
__global__ void aside_turned_ok(int *out, int i, int j, int n)
{
    out[j] = 2;
    out[i] = n <= 90000 ? 3 : 1;
}

// A negative number remains one when it is halved, for a while.
//~ race-free
__global__ void halved_sign_ok(int *out, long long n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, negative = 0;
    long long h = n > -5000000 ? 1 : n;
    for (int k = 0; k < m; k++) {
        negative = h < 0 ? 1 : negative;
        h /= 2;
    }
    out[i] = negative;
}

// Nothing is negative.
//~ race-free
__global__ void never_negative_ok(int *out, long long n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 0;
}

// The lower half of a number.
//~ race-free
__global__ void low_half_ok(unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = (i << 16) >> 16;
}

// All of it.
//~ race-free
__global__ void whole_number_ok(unsigned *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i;
}

// A square of 32 bits.
//~ race-free
__global__ void square_ok(unsigned long long *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = (unsigned)(i * i);
}

// One of 64 bits.
//~ race-free
__global__ void wide_product_of_numbers_ok(unsigned long long *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = (unsigned long long)i * i;
}

// What is left depends on which thread comes first.
// warplog: launch block=64
//~ race-free
__global__ void added_and_raised_ok(int *out)
{
    __shared__ int s;
    int t = threadIdx.x;
    if (t == 0)
        s = 0;
    __syncthreads();
    if (t == 0)
        atomicAdd(&s, 3);
    if (t == 1)
        atomicMax(&s, 2);
    __syncthreads();
    out[blockIdx.x * 64 + t] = s;
}

// As if the sum came first.
// warplog: launch block=64
//~ race-free
__global__ void always_three_ok(int *out)
{
    out[blockIdx.x * 64 + threadIdx.x] = 3;
}

// Nothing that the two write has one name, and they have not as many arrays.
//~ race-free
__global__ void written_here_ok(int *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

// Two others.
//~ race-free
__global__ void written_there_ok(int *res, int *tmp)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    res[i] = 2;
    tmp[i] = 3;
}
