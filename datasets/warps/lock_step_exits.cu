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
