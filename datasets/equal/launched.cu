// What host code passes to one side is no argument of the other: the two are compared for all arguments.
//= equal sets_two_ok sets_three_ok
//= different sets_two_ok always_two_ok
//= different guarded_launch_ok unguarded_launch_ok
//= different first_size_ok second_size_ok
//= equal first_size_ok first_size_too_ok
//= different one_of_twice_ok one_of_own_ok
//= equal one_of_own_ok one_of_own_too_ok
//= different in_place_ok one_and_one_ok
//= equal in_place_ok apart_ok
//= different of_pair_ok of_pair_too_ok
//= different from_four_on_ok from_first_on_ok
//= different times_ok,offset_by_ok times_ok,offset_always_ok
//= different only_large_ok any_size_ok
//= equal by_other_name_ok by_own_name_ok
//= different wide_size_ok narrow_size_ok

// Launched with 2.
//~ race-free
__global__ void sets_two_ok(int *out, int k)
{
    out[blockIdx.x * 64 + threadIdx.x] = k;
}

// Launched with 3.
//~ race-free
__global__ void sets_three_ok(int *out, int k)
{
    out[blockIdx.x * 64 + threadIdx.x] = k;
}

// Its argument is not used.
//~ race-free
__global__ void always_two_ok(int *out, int k)
{
    out[blockIdx.x * 64 + threadIdx.x] = 2;
}

// Every element is below the size that is passed.
//~ race-free
__global__ void guarded_launch_ok(int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = 1;
}

// Launched with a size that is smaller than the grid.
//~ race-free
__global__ void unguarded_launch_ok(int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = 1;
}

// Host code passes width and height.
//~ race-free
__global__ void first_size_ok(int *out, int rows, int columns)
{
    out[blockIdx.x * 64 + threadIdx.x] = rows;
}

// Host code passes height and width: the second parameter is called what is the first one there.
//~ race-free
__global__ void second_size_ok(int *out, int rows, int columns)
{
    out[blockIdx.x * 64 + threadIdx.x] = columns;
}

// As the first one, and launched as the second one.
//~ race-free
__global__ void first_size_too_ok(int *out, int rows, int columns)
{
    out[blockIdx.x * 64 + threadIdx.x] = rows;
}

// Host code passes twice a number.
//~ race-free
__global__ void one_of_twice_ok(int *out, int k)
{
    out[blockIdx.x * 64 + threadIdx.x] = k % 2;
}

// Host code passes one number for both.
//~ race-free
__global__ void one_of_own_ok(int *out, int k)
{
    out[blockIdx.x * 64 + threadIdx.x] = 0;
}

// Host code does not launch it.
//~ race-free
__global__ void one_of_own_too_ok(int *out, int k)
{
    out[blockIdx.x * 64 + threadIdx.x] = k - k;
}

// Host code passes one array twice.
//~ race-free
__global__ void in_place_ok(int *out, const int *in)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = 1;
    out[i] = out[i] + in[i];
}

// What it is if both are one.
//~ race-free
__global__ void one_and_one_ok(int *out, const int *in)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = 2;
}

// What it is if they are two.
//~ race-free
__global__ void apart_ok(int *out, const int *in)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = 1 + in[i];
}

struct Pair {
    int first, second;
};

// Host code passes a pair of equal numbers.
//~ race-free
__global__ void of_pair_ok(int *out, Pair pair)
{
    out[blockIdx.x * 64 + threadIdx.x] = pair.first;
}

// The other one of the pair.
//~ race-free
__global__ void of_pair_too_ok(int *out, Pair pair)
{
    out[blockIdx.x * 64 + threadIdx.x] = pair.second;
}

// Host code passes the array from its fourth element on, and the first element then is another one.
//~ race-free
__global__ void from_four_on_ok(int *out, int from)
{
    out[blockIdx.x * 64 + threadIdx.x + from] = 1;
}

// Host code passes 4.
//~ race-free
__global__ void from_first_on_ok(int *out, int from)
{
    out[blockIdx.x * 64 + threadIdx.x] = 1;
}

// The first of two launches.
//~ race-free
__global__ void times_ok(int *out, int k)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = out[i] * k;
}

// The second one, launched with 5.
//~ race-free
__global__ void offset_by_ok(int *out, int by)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = out[i] + by;
}

// By 5, whatever is passed.
//~ race-free
__global__ void offset_always_ok(int *out, int by)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = out[i] + 5;
}

// Launched with a number that is large.
//~ race-free
__global__ void only_large_ok(int *out, int k)
{
    out[blockIdx.x * 64 + threadIdx.x] = k > 5 ? 1 : 0;
}

// Its argument is not used.
//~ race-free
__global__ void any_size_ok(int *out, int k)
{
    out[blockIdx.x * 64 + threadIdx.x] = 1;
}

// The grid follows from a number that host code calls `count`.
//~ race-free
__global__ void by_other_name_ok(int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = n;
}

// Host code calls it `n`.
//~ race-free
__global__ void by_own_name_ok(int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n)
        return;
    out[i] = n;
}

// Host code passes an `int` for it.
//~ race-free
__global__ void wide_size_ok(int *out, unsigned long long n)
{
    out[blockIdx.x * 64 + threadIdx.x] = n > 5 ? 1 : 2;
}

// The same for all numbers up to 5.
//~ race-free
__global__ void narrow_size_ok(int *out, unsigned long long n)
{
    out[blockIdx.x * 64 + threadIdx.x] = 2;
}

void host(int *p, int *q, int width, int height, int count, int n)
{
    sets_two_ok<<<4, 64>>>(p, 2);
    sets_three_ok<<<4, 64>>>(p, 3);
    always_two_ok<<<4, 64>>>(p, 3);
    guarded_launch_ok<<<4, 64>>>(p, 256);
    unguarded_launch_ok<<<4, 64>>>(p, 200);
    first_size_ok<<<4, 64>>>(p, width, height);
    second_size_ok<<<4, 64>>>(p, height, width);
    first_size_too_ok<<<4, 64>>>(p, height, width);
    one_of_twice_ok<<<4, 64>>>(p, 2 * width);
    one_of_own_ok<<<4, 64>>>(p, width);
    in_place_ok<<<4, 64>>>(p, p);
    one_and_one_ok<<<4, 64>>>(p, p);
    apart_ok<<<4, 64>>>(p, q);
    Pair pair;
    pair.first = 7;
    pair.second = 7;
    of_pair_ok<<<4, 64>>>(p, pair);
    of_pair_too_ok<<<4, 64>>>(p, pair);
    from_four_on_ok<<<4, 64>>>(p, 0);
    from_first_on_ok<<<4, 64>>>(p + 4, 4);
    times_ok<<<4, 64>>>(p, 3);
    offset_by_ok<<<4, 64>>>(p, 5);
    offset_always_ok<<<4, 64>>>(p, 5);
    only_large_ok<<<4, 64>>>(p, 9);
    any_size_ok<<<4, 64>>>(p, 9);
    by_other_name_ok<<<(count + 63) / 64, 64>>>(p, count);
    by_own_name_ok<<<(n + 63) / 64, 64>>>(p, n);
    wide_size_ok<<<4, 64>>>(p, width);
    narrow_size_ok<<<4, 64>>>(p, width);
}
