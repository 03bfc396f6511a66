// Extra: counters of host loops: divided and counted down, in other types than their own, with several ways out

extern int counter_test(int);

// [launch] Halved in one iteration, counted down in the others: below zero.
//~ race
__global__ void counter_halved_less_bad(int *p, int n)
{
    if (n < 0)
        p[0] = threadIdx.x; //~ here
}

// [launch] Only halved.
//~ race-free
__global__ void counter_halved_ok(int *p, int n)
{
    if (n < 0)
        p[0] = threadIdx.x;
}

// [launch] Halved, or doubled.
//~ race-free
__global__ void counter_halved_more_ok(int *p, int n)
{
    if (n < 0)
        p[0] = threadIdx.x;
}

// [launch] A negative number is shifted as an unsigned one.
//~ race
__global__ void counter_shifted_unsigned_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [launch] It is divided by an unsigned one.
//~ race
__global__ void counter_divided_unsigned_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [launch] It is divided by a signed one.
//~ race-free
__global__ void counter_divided_signed_ok(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x;
}

// [launch] A sum of unsigned numbers becomes negative.
//~ race
__global__ void counter_added_unsigned_bad(int *p, int n)
{
    if (n < 0)
        p[0] = threadIdx.x; //~ here
}

// [launch] A sum of long numbers does not fit.
//~ race
__global__ void counter_added_long_bad(int *p, int n)
{
    if (n < 0)
        p[0] = threadIdx.x; //~ here
}

// [launch] A condition keeps it low.
//~ race-free
__global__ void counter_added_long_ok(int *p, int n)
{
    if (n < 0)
        p[0] = threadIdx.x;
}

// [launch] The bound is one of the unsigned value.
//~ race
__global__ void counter_unsigned_bound_bad(int *p, int n)
{
    if (n < 0)
        p[0] = threadIdx.x; //~ here
}

// [launch] A narrow counter never comes to its bound.
//~ race
__global__ void counter_narrow_bad(int *p, int n)
{
    if (n < 0)
        p[0] = threadIdx.x; //~ here
}

// [launch] The last step goes over the end.
//~ race
__global__ void counter_narrow_near_bad(int *p, int n)
{
    if (n < 0)
        p[0] = threadIdx.x; //~ here
}

// [launch] There is room for a step.
//~ race-free
__global__ void counter_narrow_ok(int *p, int n)
{
    if (n < 0)
        p[0] = threadIdx.x;
}

// [launch] A shift reaches the sign.
//~ race
__global__ void counter_shifted_sign_bad(int *p, int n)
{
    if (n < 0)
        p[0] = threadIdx.x; //~ here
}

// [launch] Up to a bound.
//~ race-free
__global__ void counter_shifted_bound_ok(int *p, int n)
{
    if (n < 0)
        p[0] = threadIdx.x;
}

// [launch] The distance is more than an int holds.
//~ race
__global__ void counter_far_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [launch] Behind a loop with two ways out.
//~ race-free
__global__ void counter_behind_ok(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x;
}

// [launch] One more iteration.
//~ race
__global__ void counter_behind_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [launch] Behind a loop with one way out.
//~ race-free
__global__ void counter_behind_once_ok(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x;
}

// [launch] The last step leads beyond the bound.
//~ race
__global__ void counter_behind_step_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [launch] The bound was another one in the last iteration.
//~ race
__global__ void counter_behind_other_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [launch] It is counted down in an inner loop.
//~ race
__global__ void counter_nested_bad(int *p, int n)
{
    if (n < 0)
        p[0] = threadIdx.x; //~ here
}

// [launch] What goes on early is counted down.
//~ race
__global__ void counter_continued_bad(int *p, int n)
{
    if (n < 0)
        p[0] = threadIdx.x; //~ here
}

// [launch] A short counter wraps below its bound.
//~ race
__global__ void counter_narrow_short_bad(int *p, int n)
{
    if (n < 0)
        p[0] = threadIdx.x; //~ here
}

// [launch] An unsigned counter goes below zero.
//~ race
__global__ void counter_down_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [launch] The bound of the last iteration has changed since.
//~ race
__global__ void counter_behind_changed_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [launch] The body comes first.
//~ race
__global__ void counter_behind_do_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

void counter_halved_less_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int n = 3;
    for (int r = 0; r < 5; r++) {
        counter_halved_less_bad<<<1, 32>>>(p, n);
        if (r == 0)
            n /= 2;
        else
            n -= 1;
    }
}

void counter_halved_ok_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int n = 8;
    while (counter_test(1)) {
        counter_halved_ok<<<1, 32>>>(p, n);
        if (counter_test(2))
            n >>= 1;
        else
            n /= 3;
    }
}

void counter_halved_more_ok_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int n = 8;
    while (counter_test(1)) {
        counter_halved_more_ok<<<1, 32>>>(p, n);
        if (counter_test(2))
            n /= 2;
        else
            n *= 2;
    }
}

void counter_shifted_unsigned_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int n = -8;
    for (int r = 0; r < 3; r++) {
        counter_shifted_unsigned_bad<<<1, 32>>>(p, n);
        n = (unsigned)n >> 1;
    }
}

void counter_divided_unsigned_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int n = -8;
    for (int r = 0; r < 3; r++) {
        counter_divided_unsigned_bad<<<1, 32>>>(p, n);
        n /= 2u;
    }
}

void counter_divided_signed_ok_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int n = -8;
    for (int r = 0; r < 3; r++) {
        counter_divided_signed_ok<<<1, 32>>>(p, n);
        n /= 2;
    }
}

void counter_added_unsigned_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int n = 0x7ffffff8;
    for (int r = 0; r < 3; r++) {
        counter_added_unsigned_bad<<<1, 32>>>(p, n);
        n = n + 8u;
    }
}

void counter_added_long_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int n = 0x7ffffff8;
    for (int r = 0; r < 3; r++) {
        counter_added_long_bad<<<1, 32>>>(p, n);
        n = n + 8L;
    }
}

void counter_added_long_ok_run()
{
    int *p;
    cudaMalloc(&p, 400);
    for (int n = 0; n < 100; n += 8L)
        counter_added_long_ok<<<1, 32>>>(p, n);
}

void counter_unsigned_bound_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int n = 0x7ffffff8;
    while ((unsigned)n < 0x90000000u) {
        counter_unsigned_bound_bad<<<1, 32>>>(p, n);
        n += 8u;
    }
}

void counter_narrow_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    unsigned char n = 250;
    int r = 0;
    while (n < 300) {
        counter_narrow_bad<<<1, 32>>>(p, (int)n - 100);
        n += 10;
        if (++r == 3)
            break;
    }
}

void counter_narrow_near_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int r = 0;
    for (unsigned char n = 200; n < 250; n += 20) {
        counter_narrow_near_bad<<<1, 32>>>(p, (int)n - 200);
        if (++r == 5)
            break;
    }
}

void counter_narrow_ok_run()
{
    int *p;
    cudaMalloc(&p, 400);
    for (unsigned char n = 200; n < 240; n += 10)
        counter_narrow_ok<<<1, 32>>>(p, (int)n - 200);
}

void counter_shifted_sign_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int n = 1;
    for (int r = 0; r < 32; r++) {
        counter_shifted_sign_bad<<<1, 32>>>(p, n);
        n <<= 1;
    }
}

void counter_shifted_bound_ok_run()
{
    int *p;
    cudaMalloc(&p, 400);
    for (int n = 1; n < 1024; n <<= 1)
        counter_shifted_bound_ok<<<1, 32>>>(p, n);
}

void counter_far_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    for (int n = -2147483647; n < 2147480000; n += 3)
        if (n == 2)
            counter_far_bad<<<1, 32>>>(p, n);
}

void counter_behind_ok_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int n = 0;
    while (n < 1) {
        if (counter_test(n))
            break;
        n++;
    }
    counter_behind_ok<<<1, 32>>>(p, n);
}

void counter_behind_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int n = 0;
    while (n < 2) {
        if (counter_test(n))
            break;
        n++;
    }
    counter_behind_bad<<<1, 32>>>(p, n);
}

void counter_behind_once_ok_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int n = 0;
    while (n < 1)
        n++;
    counter_behind_once_ok<<<1, 32>>>(p, n);
}

void counter_behind_step_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int n = 0;
    while (n < 1)
        n += 2;
    counter_behind_step_bad<<<1, 32>>>(p, n);
}

void counter_behind_other_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int n = 0, m = 1;
    while (n < m && m < 4) {
        n++;
        m++;
    }
    counter_behind_other_bad<<<1, 32>>>(p, n);
}

void counter_nested_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int n = 8;
    for (int r = 0; r < 3; r++) {
        counter_nested_bad<<<1, 32>>>(p, n);
        n /= 2;
        for (int s = 0; s < 2; s++)
            n -= 3;
    }
}

void counter_continued_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int n = 3;
    while (counter_test(1)) {
        counter_continued_bad<<<1, 32>>>(p, n);
        if (counter_test(2)) {
            n -= 2;
            continue;
        }
        n /= 2;
    }
}

void counter_narrow_short_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int r = 0;
    for (short n = 32000; n < 32767; n += 500) {
        counter_narrow_short_bad<<<1, 32>>>(p, n);
        if (++r == 4)
            break;
    }
}

void counter_down_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    unsigned n = 1;
    for (int r = 0; r < 2; r++) {
        counter_down_bad<<<1, 32>>>(p, n > 100);
        counter_down_bad<<<1, 32>>>(p, n > 100 ? 2 : 0);
        n -= 2;
    }
}

void counter_behind_changed_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int m = 1;
    int n = 0;
    for (; n < m; n++)
        m = counter_test(n);
    counter_behind_changed_bad<<<1, 32>>>(p, n);
}

void counter_behind_do_bad_run()
{
    int *p;
    cudaMalloc(&p, 400);
    int n = 1;
    do
        n++;
    while (n < 1);
    counter_behind_do_bad<<<1, 32>>>(p, n);
}

// [launch] Behind the loop a signed counter is what unsigned addition made of it: below zero, where the step back overflows.
//~ race
__global__ void counter_added_behind_bad(int *p, int n)
{
    if (n < 0)
        p[0] = threadIdx.x; //~ here
}

void added_behind(int *p)
{
    int i = 0x7ffffff0;
    while (i > 0)
        i = i + 8u;
    counter_added_behind_bad<<<1, 32>>>(p, i);
}
