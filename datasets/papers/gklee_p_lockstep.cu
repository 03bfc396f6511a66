//--blockDim=2048 --gridDim=1 --warp-sync=32
// The kernel of gklee_p_flows.cu in lock-step: the "porting race" stays a race, since nothing orders
// the two arms of a branch on which a warp has diverged.

// 1023 and 1024 are in different warps; odd and even neighbours are in the two arms of one.
//~ race
__global__ void gkleep_lockstep_bad(const int *in, int *out)
{
    __shared__ int low3[2048];
    __shared__ int odd3[2048];
    int t = threadIdx.x;
    if (t < 1024) low3[t] = in[t]; //~ here
    else out[t] = low3[t - 1]; //~ here
    __syncthreads();
    if (t % 2 == 1) odd3[t] = in[t] + 1; //~ here
    else out[t] = odd3[t + 1]; //~ here
}

// The same exchange between neighbours without a branch: in lock-step the whole warp has stored
// before it loads.
//~ race-free
__global__ void gkleep_lockstep_straight_ok(const int *in, int *out)
{
    __shared__ volatile int cell[2048];
    int t = threadIdx.x;
    cell[t] = in[t] + 1;
    out[t] = cell[t ^ 1];
}

// One branch after the other instead of two arms: the warp is together again in between.
//~ race-free
__global__ void gkleep_lockstep_two_branches_ok(const int *in, int *out)
{
    __shared__ volatile int cell2[2048];
    int t = threadIdx.x;
    if (t % 2 == 1) cell2[t] = in[t] + 1;
    if (t % 2 == 0) out[t] = cell2[t + 1];
}
