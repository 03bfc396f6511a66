//--blockDim=32 --gridDim=1 --warp-sync=32
// Extra: lock-step warps that some lanes leave from inside an arm

// [warp] Lanes that went into the outer arm may be late behind it.
//~ race
__global__ void exit_nested_bad(int *g)
{
    int t = threadIdx.x;
    if (t < 16) { if (t == 7) return; }
    g[t] = t; //~ here
    g[(t + 16) % 32] = t; //~ here
}

// Those that stay are in step.
//~ race-free
__global__ void exit_alone_ok(int *g)
{
    int t = threadIdx.x;
    if (t == 7) return;
    g[t] = t;
    g[(t + 16) % 32] = t;
}

// [warp] Out of a loop that some leave earlier.
//~ race
__global__ void exit_loop_bad(int *g)
{
    int t = threadIdx.x;
    for (int i = 0; i < (t < 8 ? 1 : 3); i++) if (t == 0) return;
    g[t] = t; //~ here
    g[(t + 8) % 32] = t; //~ here
}

// They wait behind it.
//~ race-free
__global__ void exit_loop_ok(int *g)
{
    int t = threadIdx.x;
    for (int i = 0; i < (t < 8 ? 1 : 3); i++) ;
    g[t] = t;
    g[(t + 8) % 32] = t;
}

// [warp] A break from inside another arm.
//~ race
__global__ void exit_break_bad(int *g)
{
    int t = threadIdx.x;
    for (int j = 0; j < 2; j++) { if (t < 16) { if (t == 7) break; } g[t] = t; g[(t + 16) % 32] = t; } //~ here
}

// [warp] The `return` of an inlined function leaves two arms; those of the outer arm are late until its end.
__device__ void put_after(int *g, int t, bool outer, bool inner)
{
    if (outer) { if (inner) return; }
    g[t] = t; //~ here
    g[(t + 16) % 32] = t; //~ here
}

//~ race
__global__ void exit_inlined_bad(int *g)
{
    int t = threadIdx.x;
    put_after(g, t, t < 16, t == 7);
}

__device__ void put_behind(bool outer, bool inner)
{
    if (outer) { if (inner) return; }
}

// Behind the function they have joined.
//~ race-free
__global__ void exit_inlined_behind_ok(int *g)
{
    int t = threadIdx.x;
    put_behind(t < 16, t == 7);
    g[t] = t;
    g[(t + 16) % 32] = t;
}

// [warp] A `break` of a case from inside an arm.
//~ race
__global__ void exit_case_bad(int *g, int n)
{
    int t = threadIdx.x;
    switch (n) {
    case 1:
        if (t < 16) { if (t == 7) break; }
        g[t] = t; //~ here
        g[(t + 16) % 32] = t; //~ here
    default: ;
    }
}

// Behind the `switch` they have joined.
//~ race-free
__global__ void exit_case_behind_ok(int *g, int n)
{
    int t = threadIdx.x;
    switch (n) {
    case 1:
        if (t < 16) { if (t == 7) break; }
    default: ;
    }
    g[t] = t;
    g[(t + 16) % 32] = t;
}

// The other lanes join behind a loop that some left from inside an arm.
//~ race-free
__global__ void exit_break_behind_ok(int *g)
{
    int t = threadIdx.x;
    for (int j = 0; j < 2; j++) { if (t < 16) { if (t == 7) break; } }
    g[t] = t;
    g[(t + 16) % 32] = t;
}

// [porting] A loop that some leave from inside an arm: the arms may be in iterations of their own.
//~ race
__global__ void exit_late_arm_bad(int *g)
{
    int t = threadIdx.x;
    for (int j = 0; j < 2; j++) {
        if (t < 16) { g[t + j] = j; } else { if (t == 20) break; g[t - 16 + j] = t; } //~ here
    }
}
