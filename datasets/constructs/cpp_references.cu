//--blockDim=64 --gridDim=1
// Construct: references: parameters, results, variables, to pointers and to arrays

struct Node { int v; int next; };

__device__ void advance(int &i, int by) { i += by; }
__device__ int &element(int *p, int i) { return p[i]; }
__device__ int &larger(int &a, int &b) { return a > b ? a : b; }
__device__ void move(int *&p, int by) { p += by; }
__device__ int first(const int (&a)[2]) { return a[0]; }
__device__ int twice(const int &v) { return 2 * v; }

// The parameter changes the caller's variable.
//~ race-free
__global__ void reference_parameter_ok(int *g)
{
    int i = 0;
    advance(i, threadIdx.x);
    g[i] = threadIdx.x;
}

// [index] It is set back.
//~ race
__global__ void reference_parameter_bad(int *g)
{
    int i = 0, t = threadIdx.x;
    advance(i, t);
    advance(i, -t);
    g[i] = t; //~ here
}

// A returned reference to the thread's element.
//~ race-free
__global__ void reference_result_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    element(s, t) = t;
    element(s, t)++;
}

// [index] To an element of two threads.
//~ race
__global__ void reference_result_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    element(s, t / 2) = t; //~ here
}

// A reference variable stays where it was bound.
//~ race-free
__global__ void reference_variable_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int i = t;
    int &r = s[i];
    i = 0;
    r = t;
}

// [index] An assignment to a reference assigns to what it refers to.
//~ race
__global__ void reference_variable_bad(int *g)
{
    int t = threadIdx.x, zero = 0;
    int i = t;
    int &r = i;
    r = zero;
    g[i] = t; //~ here
}

// The larger of two locals is replaced.
//~ race-free
__global__ void reference_chosen_ok(int *g)
{
    int t = threadIdx.x;
    int a = t, b = 100;
    larger(a, b) = 0;
    g[a + b] = t;
}

// [index] The larger one is the thread's number.
//~ race
__global__ void reference_chosen_bad(int *g)
{
    int t = threadIdx.x;
    int a = t, b = -1;
    larger(a, b) = 0;
    g[a] = t; //~ here
}

// A reference to a pointer.
//~ race-free
__global__ void reference_pointer_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int *p = s;
    move(p, t);
    *p = t;
}

// [index] The pointer is moved back.
//~ race
__global__ void reference_pointer_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int *p = s;
    int *&q = p;
    move(p, t);
    q = s;
    *p = t; //~ here
}

// A reference to a whole element of structs.
//~ race-free
__global__ void reference_struct_ok(Node *g)
{
    int t = threadIdx.x;
    Node &n = g[t];
    n.v = t;
    n.next = t + 1;
}

// [index] The last element is everybody's.
//~ race
__global__ void reference_struct_bad(Node *g)
{
    int t = threadIdx.x;
    Node &n = g[63];
    n.v = t; //~ here
}

// References to arrays and to temporaries.
//~ race-free
__global__ void reference_array_ok(int *g)
{
    int t = threadIdx.x;
    int a[2] = {t, 0};
    g[first(a) + twice(t + 0)] = t;
}

// [index] The array is changed through a reference to it.
//~ race
__global__ void reference_array_bad(int *g)
{
    int t = threadIdx.x;
    int a[2] = {t, 0};
    int (&r)[2] = a;
    r[0] = 7;
    g[first(a)] = t; //~ here
}
