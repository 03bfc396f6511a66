// Soundness: what changes only on the way out of a loop inside a loop

// [break] The inner loop sets the index and is left: from the second round on all threads write element 0.
//~ race
__global__ void jump_break_bad(int *o, const int *in, int n)
{
    int x = threadIdx.x;
    for (int w = 0; w < n; w++) {
        o[x] = w + threadIdx.x; //~ here
        for (int i = 0; i < 4; i++) {
            if (in[i] > w) {
                x = 0;
                break;
            }
        }
    }
}

// It sets another variable.
//~ race-free
__global__ void jump_break_ok(int *o, const int *in, int n)
{
    int x = threadIdx.x, y = 0;
    for (int w = 0; w < n; w++) {
        o[x] = w + y;
        for (int i = 0; i < 4; i++) {
            if (in[i] > w) {
                y = x;
                break;
            }
        }
    }
}

// [endless] A loop that is left by its breaks alone.
//~ race
__global__ void jump_endless_bad(int *o, const int *in, int n)
{
    int x = threadIdx.x;
    for (int w = 0; w < n; w++) {
        o[x] = w + threadIdx.x; //~ here
        while (1) {
            if (in[w] > w) {
                x = 0;
                break;
            }
            if (in[w] > 3) break;
        }
    }
}

// [posttest] A loop whose condition is at its end.
//~ race
__global__ void jump_posttest_bad(int *o, const int *in, int n)
{
    int x = threadIdx.x;
    for (int w = 0; w < n; w++) {
        o[x] = w + threadIdx.x; //~ here
        do {
            if (in[w] > 5) {
                x = 7;
                break;
            }
        } while (in[w + 1] > 0);
    }
}

__device__ int jump_find(const int *in, int w, int &x)
{
    for (int i = 0; i < 4; i++) {
        if (in[i] > w) {
            x = 0;
            return 1;
        }
    }
    return 2;
}

// [return] A function returns from inside its loop, and has changed the index by then.
//~ race
__global__ void jump_return_bad(int *o, const int *in, int n)
{
    int x = threadIdx.x;
    for (int w = 0; w < n; w++) {
        o[x] = w + threadIdx.x; //~ here
        jump_find(in, w, x);
    }
}

// [return] The same from two loops.
//~ race
__global__ void jump_return_twice_bad(int *o, const int *in, int n)
{
    int x = threadIdx.x;
    for (int w = 0; w < n; w++) {
        o[x] = w + threadIdx.x; //~ here
        for (int j = 0; j < n; j++) {
            if (jump_find(in, w, x) == 3) break;
        }
    }
}

__device__ int jump_pick(const int *in, int w)
{
    for (int i = 0; i < 4; i++) {
        if (in[i] > w) return 0;
    }
    return 1;
}

// [return] What it returns from inside the loop is not what it returns behind it.
//~ race
__global__ void jump_result_bad(int *o, const int *in, int n)
{
    int x = threadIdx.x;
    for (int w = 0; w < n; w++) {
        o[x] = w + threadIdx.x; //~ here
        x = threadIdx.x * jump_pick(in, w);
    }
}

// [goto] A jump forwards out of a loop.
//~ race
__global__ void jump_goto_bad(int *o, const int *in, int n)
{
    int x = threadIdx.x;
    for (int w = 0; w < n; w++) {
        o[x] = w + threadIdx.x; //~ here
        for (int j = 0; j < n; j++) {
            if (in[j] > w) {
                x = 3;
                goto out;
            }
        }
    out:;
    }
}

struct JumpCursor {
    int last, own;
};

// Only one member of the structure changes in the inner loop.
//~ race-free
__global__ void jump_member_ok(const float *in, float *out, int steps)
{
    JumpCursor c;
    c.own = blockIdx.x * blockDim.x + threadIdx.x;
    c.last = threadIdx.x;
    for (int w = 0; w < steps; w++) {
        for (int i = 0; i < 4; i++) {
            if (in[c.last] > 0) c.last++;
            out[c.own] = in[c.last];
        }
    }
}

// [member] It is the member that is the index.
//~ race
__global__ void jump_member_bad(const float *in, float *out, int steps)
{
    JumpCursor c;
    c.own = threadIdx.x;
    c.last = blockIdx.x * blockDim.x + threadIdx.x;
    for (int w = 0; w < steps; w++) {
        for (int i = 0; i < 4; i++) {
            if (in[c.last] > 0) c.own++;
            out[c.own] = in[c.last]; //~ here
        }
    }
}
