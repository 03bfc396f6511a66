//--blockDim=4 --gridDim=1
// Extra: products, quotients and shifts of loop variables that pass through another type

// [wrap] The product is an int, the store makes it a short again: 16384, -32768, 0.
//~ race
__global__ void narrow_product_bad()
{
    __shared__ int s[1];
    short c = 16384;
    for (int i = 0; i < 3; i++) {
        if (c == 0) s[0] = threadIdx.x; //~ here
        c *= 2;
    }
}

// As an int the product does not reach 0.
//~ race-free
__global__ void narrow_product_ok()
{
    __shared__ int s[1];
    int c = 16384;
    for (int i = 0; i < 3; i++) {
        if (c == 0) s[0] = threadIdx.x;
        c *= 2;
    }
}

// [wrap] 1, 2, … 16384, -32768: the sixteenth value is negative.
//~ race
__global__ void narrow_counter_bad()
{
    __shared__ int s[1];
    for (short c = 1; c != 0; c *= 2)
        if (c < 0) s[0] = threadIdx.x; //~ here
}

// [wrap] The factor makes the product unsigned, and it becomes 0.
//~ race
__global__ void unsigned_factor_bad()
{
    __shared__ int s[1];
    int c = 1;
    for (int i = 0; i < 40; i++) {
        c = c * 2u;
        if (c == 0) s[0] = threadIdx.x; //~ here
    }
}

// [wrap] Becomes 0 in the 33rd iteration, if n allows it.
//~ race
__global__ void unsigned_counter_bad(int n)
{
    __shared__ int s[1];
    unsigned c = 1;
    for (int i = 0; i < n; i++) {
        if (c == 0) s[0] = threadIdx.x; //~ here
        c *= 2;
    }
}

// An odd factor never gives 0.
//~ race-free
__global__ void odd_factor_ok()
{
    __shared__ int s[1];
    unsigned c = 1;
    for (int i = 0; i < 40; i++) {
        if (c == 0) s[0] = threadIdx.x;
        c *= 3;
    }
}

// [wrap] The product is a long long, the store cuts it to 0.
//~ race
__global__ void wide_factor_bad()
{
    __shared__ int s[1];
    int c = 1;
    for (int i = 0; i < 3; i++) {
        c = c * 65536LL;
        if (c == 0) s[0] = threadIdx.x; //~ here
    }
}

// [wrap] The division is unsigned: -8 becomes 2147483644, 1073741822, 536870911.
//~ race
__global__ void unsigned_divisor_bad()
{
    __shared__ int s[1];
    int c = -8;
    for (int i = 0; i < 3; i++) {
        c = c / 2u;
        if (c == 536870911) s[0] = threadIdx.x; //~ here
    }
}

// Signed, it goes to 0 by -4, -2, -1.
//~ race-free
__global__ void unsigned_divisor_ok()
{
    __shared__ int s[1];
    int c = -8;
    for (int i = 0; i < 3; i++) {
        c = c / 2;
        if (c == 536870911) s[0] = threadIdx.x;
    }
}

// [wrap] The shift is arithmetic: -4, -2, -1 as unsigned numbers.
//~ race
__global__ void signed_shift_bad()
{
    __shared__ int s[1];
    unsigned c = -8;
    for (int i = 0; i < 3; i++) {
        c = (int)c >> 1;
        if (c == 0xffffffffu) s[0] = threadIdx.x; //~ here
    }
}
