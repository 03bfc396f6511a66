//--blockDim=64 --gridDim=2
// Construct: inline assembly that touches memory, or that says nothing about it

__device__ int loaded(const int *p)
{
    int v;
    asm volatile("ld.global.nc.L1::no_allocate.s32 %0, [%1];" : "=r"(v) : "l"(p)); //~ here
    return v;
}

__device__ void stored(int *p, int v)
{
    asm volatile("st.global.cs.s32 [%0], %1;" : : "l"(p), "r"(v) : "memory"); //~ here
}

__device__ unsigned place()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

// A load and a store of the own element.
//~ race-free
__global__ void assembly_store_ok(const int *in, int *out)
{
    stored(out + place(), loaded(in + place()));
}

// [index] The store goes one element further than the load of the next thread.
//~ race
__global__ void assembly_store_bad(int *g)
{
    int v = loaded(g + place());
    stored(g + place() + 1, v);
}

// Four elements at once, each thread its own four.
//~ race-free
__global__ void assembly_vector_ok(int *g)
{
    int *p = g + 4 * place();
    asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" : : "l"(p), "r"(place()) : "memory");
}

// [index] Four elements at once, and the next thread's begin behind the second.
//~ race
__global__ void assembly_vector_bad(int *g)
{
    int *p = g + 2 * place();
    asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" : : "l"(p), "r"(place()) : "memory"); //~ here
}

// An offset in bytes: the own pair of elements.
//~ race-free
__global__ void assembly_offset_ok(int *g)
{
    int *p = g + 2 * place();
    asm volatile("st.u32 [%0+4], %1;" : : "l"(p), "r"(1) : "memory");
    *p = 2;
}

// [index] The offset leads to the element of the next thread.
//~ race
__global__ void assembly_offset_bad(int *g)
{
    int *p = g + place();
    asm volatile("st.u32 [%0+4], %1;" : : "l"(p), "r"(1) : "memory"); //~ here
    *p = 2; //~ here
}

// Only threads whose predicate holds store: the even ones, to the element behind theirs as well.
//~ race-free
__global__ void assembly_predicate_ok(int *g)
{
    int *p = g + place();
    unsigned odd = threadIdx.x & 1;
    asm volatile("{\n\t"
                 ".reg .pred p;\n\t"
                 "setp.ne.u32 p, %1, 0;\n\t"
                 "@!p st.global.u32 [%0], 7;\n\t"
                 "@!p st.global.u32 [%0+4], 7;\n\t"
                 "}"
                 : : "l"(p), "r"(odd) : "memory");
}

// [guard] The predicate is that of the odd ones for one of the stores.
//~ race
__global__ void assembly_predicate_bad(int *g)
{
    int *p = g + place();
    unsigned odd = threadIdx.x & 1;
    asm volatile("{\n\t" //~ here
                 ".reg .pred p;\n\t"
                 "setp.ne.u32 p, %1, 0;\n\t"
                 "@p st.global.u32 [%0], 7;\n\t"
                 "@!p st.global.u32 [%0+4], 8;\n\t"
                 "}"
                 : : "l"(p), "r"(odd) : "memory");
}

__device__ void added(float *p, float v)
{
    asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" : : "l"(p), "f"(v) : "memory"); //~ here
}

// All add to one number, atomically.
//~ race-free
__global__ void assembly_reduction_ok(const float *in, float *sum)
{
    added(sum, in[place()]);
}

// [atomic] One thread sets the number without that.
//~ race
__global__ void assembly_reduction_bad(const float *in, float *sum)
{
    if (place() == 0) *sum = 0; //~ here
    else added(sum, in[place()]);
}

// [scope] Atomic within a block only, and there are two.
//~ race
__global__ void assembly_scope_bad(int *count)
{
    asm volatile("red.relaxed.cta.global.add.s32 [%0], 1;" : : "l"(count) : "memory"); //~ here
}

// Each thread draws a number of its own.
//~ race-free
__global__ void assembly_ticket_ok(unsigned *next, int *g)
{
    unsigned mine;
    asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(mine) : "l"(next) : "memory");
    g[mine] = threadIdx.x;
}

// [atomic] Each thread reads the number without drawing it.
//~ race
__global__ void assembly_ticket_bad(unsigned *next, int *g)
{
    unsigned mine;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(mine) : "l"(next) : "memory");
    g[mine] = threadIdx.x; //~ here
}

// A trap ends the program; the rest is as it was.
//~ race-free
__global__ void assembly_trap_ok(int *g, int n)
{
    if (n < 0) asm("trap;");
    g[place()] = n;
}

// [index] Who does not trap races.
//~ race
__global__ void assembly_trap_bad(int *g, int n)
{
    if (n < 0) asm("trap;");
    g[place() / 2] = threadIdx.x; //~ here
}

// A thread that exits stores nothing.
//~ race-free
__global__ void assembly_exit_ok(int *g)
{
    if (threadIdx.x != 0) asm volatile("exit;");
    g[blockIdx.x] = 1;
}

// [divergence] Half of the block does not come to the barrier any more.
//~ divergence
__global__ void assembly_exit_bad(int *g)
{
    if (threadIdx.x >= 32) asm volatile("exit;");
    __syncthreads(); //~ here
    g[place()] = 1;
}

// Waiting for another grid, a hint to a cache and a number of registers are nothing to the threads of this one.
//~ race-free
__global__ void assembly_idle_ok(int *g)
{
    asm volatile("griddepcontrol.wait;" : : : "memory");
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" : : "n"(240));
    asm volatile("prefetch.global.L2 [%0];" : : "l"(g + place()));
    g[place()] = 1;
    asm volatile("griddepcontrol.launch_dependents;" : : : "memory");
}

// [missing-barrier] And they order nothing.
//~ race
__global__ void assembly_idle_bad(int *g)
{
    g[place()] = 1; //~ here
    asm volatile("griddepcontrol.wait;" : : : "memory");
    asm volatile("nanosleep.u32 100;");
    asm volatile("prefetch.global.L2 [%0];" : : "l"(g + place()));
    g[blockIdx.x * 64 + 63 - threadIdx.x] = 2; //~ here
}
