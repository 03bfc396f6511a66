//--blockDim=2 --gridDim=1
// Pointers that are set on the way to a break.

//~ race-free
__global__ void left_local_ok(int *out)
{
    int a = 1, b = 2, *p = &a;
    for (int i = 0; i < 4; i++) {
        if (i == 2) {
            p = &b;
            break;
        }
        a++;
    }
    *p = 9;
    if (a * 10 + b != 39) out[0] = threadIdx.x;
}

//~ race
__global__ void left_local_bad(int *out)
{
    int a = 1, b = 2, *p = &a;
    for (int i = 0; i < 4; i++) {
        if (i == 2) {
            p = &b;
            break;
        }
        a++;
    }
    *p = 9;
    if (a * 10 + b == 39) out[0] = threadIdx.x; //~ here
}

// Whether the break is met, the data tell.
//~ race
__global__ void left_by_data_bad(int *out, const int *data)
{
    int a = 1, b = 2, *p = &a;
    for (int i = 0; i < 4; i++) {
        if (data[i] == 2) {
            p = &b;
            break;
        }
    }
    *p = 9;
    if (b == 9) out[0] = threadIdx.x; //~ here
}

//~ race
__global__ void left_in_part_bad(int *out)
{
    int a[4] = {0, 0, 0, 0}, *p = a;
    for (int i = 0; i < 4; i++) {
        if (i == 2) {
            p = a + i;
            break;
        }
        p++;
    }
    *p = 9;
    if (a[2] == 9) out[0] = threadIdx.x; //~ here
}

//~ race-free
__global__ void left_row_ok(int *out, int n)
{
    int *p = out;
    for (int i = 0; i < 4; i++) {
        if (i == n) {
            p = out + 5 + i;
            break;
        }
    }
    p[threadIdx.x] = threadIdx.x;
}

// Each thread leaves with a row of its own, and they meet.
//~ race
__global__ void left_row_bad(int *out, int n)
{
    int *p = out;
    for (int i = 0; i < 4; i++) {
        if (i == (int)threadIdx.x) {
            p = out + 1 - i;
            break;
        }
    }
    p[threadIdx.x] = threadIdx.x; //~ here
}
