//--blockDim=64 --gridDim=1
// Construct: && and || evaluate the right operand only when needed

// The load on the right is guarded by the left operand.
//~ race-free
__global__ void short_circuit_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t >= 32) s[t] = t;
    if (t < 32 && s[t] > 0) out[t] = 1;
}

// [guard] With || the load runs for t >= 32.
//~ race
__global__ void short_circuit_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t >= 32) s[t] = t; //~ here
    if (t < 32 || s[95 - t] > 0) out[t] = 1; //~ here
}

// Negation of a disjunction is the conjunction of the negations.
//~ race-free
__global__ void short_circuit_negated_ok(int *g)
{
    int t = threadIdx.x;
    if (!(t < 5 || t > 5)) g[0] = t;
}
