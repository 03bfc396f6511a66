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

// [warp] Lanes that read are late behind an operand that leaves.
//~ race
__global__ void exit_and_bad(int *g)
{
    int t = threadIdx.x;
    if (t < 5 && g[0]) return; //~ here
    if (t == 9) g[0] = 3; //~ here
}

// [warp] Lanes that write in an operand are late behind it.
//~ race
__global__ void exit_and_writes_bad(int *g)
{
    int t = threadIdx.x;
    if (t < 5 && (g[0] = 9)) return; //~ here
    g[0] = 3; //~ here
}

// [warp] The same with a `break`.
//~ race
__global__ void exit_and_breaks_bad(int *g)
{
    int t = threadIdx.x;
    for (int i = 0; i < 3; i++) {
        if (t == i && (g[0] = 9)) break; //~ here
        if (t == 9) g[0] = i; //~ here
    }
}

// [warp] An operand of the condition of a loop.
//~ race
__global__ void exit_or_loop_bad(int *g)
{
    int t = threadIdx.x;
    while (t < 5 || g[0]) { //~ here
        if (t < 3) g[0] = 3; //~ here
        break;
    }
}

// [warp] Lanes that have asked memory go on alone.
//~ race
__global__ void exit_and_behind_bad(int *g, int *h)
{
    int t = threadIdx.x;
    if (t < 8 && h[t] == 1) return;
    if (t == 4) g[0] = 1; //~ here
    if (t == 9) g[0] = 2; //~ here
}

// [warp] The same by the other operator.
//~ race
__global__ void exit_or_not_bad(int *g, int *h)
{
    int t = threadIdx.x;
    if (!(t >= 8 || h[t] != 1)) return;
    if (t == 4) g[0] = 1; //~ here
    if (t == 9) g[0] = 2; //~ here
}

// [warp] A case that leaves: the others join nowhere before the end.
//~ race
__global__ void exit_first_case_bad(int *g)
{
    int t = threadIdx.x;
    switch (t) {
    case 1: return;
    case 4: g[0] = 1; break; //~ here
    }
    if (t == 8) g[0] = 2; //~ here
}

// Where nobody leaves they join behind it.
//~ race-free
__global__ void exit_and_stays_ok(int *g, int *h)
{
    int t = threadIdx.x;
    if (t < 8 && h[t] == 1) h[t] = 2;
    if (t == 4) g[0] = 1;
    if (t == 9) g[0] = 2;
}

// All that are left have come the same way.
//~ race-free
__global__ void exit_or_all_ok(int *g, int *h)
{
    int t = threadIdx.x;
    if (t < 8 || h[t] == 1) return;
    if (t == 12) g[0] = 1;
    if (t == 9) g[0] = 2;
}

// Cases that nobody leaves.
//~ race-free
__global__ void exit_no_case_ok(int *g)
{
    int t = threadIdx.x;
    switch (t) {
    case 1: g[1] = 3; break;
    case 4: g[0] = 1; break;
    }
    if (t == 8) g[0] = 2;
}
