// What fails only for sizes and elements that no run with numbers comes to: the proof has to see it.
//= fails one_left_out_ok for i: i < n => out[i] == 5
//= fails another_value_ok for i: i < n => out[i] == 5
//= fails short_sum_ok for i: i < n => out[i] == sum(k in 0..i: old(in[k]))
//= fails late_term_ok for i: i < n => out[i] == sum(k in 0..n: old(in[k]))
//= fails folded_ok for i: i < n => out[i] == old(in[i])
//= fails changed_late_ok for i: i < n => out[i] == 1
//= fails kept_until_ok,turned_back_ok for i: i < n => out[i] == old(in[n - 1 - i])

// One element is left out.
// warplog: launch block=64 grid=(n+63)/64
// warplog: ensures for i: i < n && i != 1000 => out[i] == 5
//~ race-free
__global__ void one_left_out_ok(int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n && i != 1000)
        out[i] = 5;
}

// From some element on it is another value.
// warplog: launch block=64 grid=(n+63)/64
// warplog: ensures for i: i < n && i < 777 => out[i] == 5
// warplog: ensures for i: i < n && i >= 777 => out[i] == 6
//~ race-free
__global__ void another_value_ok(int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = i < 777 ? 5 : 6;
}

// A sum that ends early.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void short_sum_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) {
        int s = 0;
        for (int k = 0; k < i && k < 500; k++)
            s += in[k];
        out[i] = s;
    }
}

// A sum with another term late.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void late_term_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) {
        int s = 0;
        for (int k = 0; k < n; k++)
            s += in[k] + (k > 900 ? 1 : 0);
        out[i] = s;
    }
}

// Places that come round again, as far as one block comes.
// warplog: launch block=64 grid=1
// warplog: ensures for i: i < n && i < 64 => out[i % 64] == old(in[i])
//~ race-free
__global__ void folded_ok(int *out, const int *in, int n)
{
    int i = threadIdx.x;
    if (i < n)
        out[i % 64] = in[i];
}

// Another value where an argument is large.
// warplog: launch block=64 grid=(n+63)/64
// warplog: ensures for i: i < n && m <= 45 => out[i] == 1
//~ race-free
__global__ void changed_late_ok(int *out, int n, int m)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) {
        out[i] = 1;
        if (m > 45)
            out[i] = 2;
    }
}

// The first of two launches stops at an element.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void kept_until_ok(int *part, const int *in, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n && i < 600)
        part[i] = in[i];
}

// The second reads from the last to the first.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void turned_back_ok(int *out, const int *part, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = part[n - 1 - i];
}
