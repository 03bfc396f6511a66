//--blockDim=64 --gridDim=4
// Pointers that are read at a place that varies: from arrays in memory, from local arrays, from loops that return them

struct Row { int length; int *cells; };
struct Node { int value; Node *next; };

// Reading alone is no race, wherever the rows begin.
//~ race-free
__global__ void rows_read_ok(const int *const *rows, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = rows[blockIdx.x][threadIdx.x];
}

// [shared-cell] Threads of one parity write one cell.
//~ race
__global__ void rows_write_bad(int **rows)
{
    rows[threadIdx.x % 2][5] = threadIdx.x; //~ here
}

// [shared-cell] Different rows may be one row: nothing says where they begin.
//~ race
__global__ void rows_overlap_bad(int **rows)
{
    rows[threadIdx.x][0] = blockIdx.x; //~ here
}

// [shared-cell] What one writes another reads, a row apart in the table of rows.
//~ race
__global__ void rows_neighbour_bad(int **rows, int *out)
{
    int t = threadIdx.x;
    rows[0 + t / 64][t] = t; //~ here
    out[blockIdx.x * 64 + t] = rows[t / 64][(t + 1) % 64]; //~ here
}

// The same cell of the same row, read by the thread that wrote it; one block.
//~ race-free
__global__ void rows_own_ok(int **rows, int which)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        rows[which][t] = t;
        rows[which][t] += 1;
    }
}

// [shared-cell] A row at a fixed place of the table may be one at a place that varies.
//~ race
__global__ void rows_fixed_bad(int **rows, int *out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) rows[0][t] = t; //~ here
    out[blockIdx.x * 64 + t] = rows[t % 2][5]; //~ here
}

// Another row is another array.
//~ race-free
__global__ void rows_fixed_ok(int **rows, int *out)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) rows[0][t] = t;
    out[blockIdx.x * 64 + t] = rows[1 + t % 2][5];
}

// [shared-cell] The row at the fixed place comes last.
//~ race
__global__ void rows_fixed_last_bad(int **rows, int *out)
{
    int t = threadIdx.x;
    out[blockIdx.x * 64 + t] = rows[t % 2][5]; //~ here
    if (blockIdx.x == 0) rows[0][t] = t; //~ here
}

// [shared-cell] In one of several rounds it is that row.
//~ race
__global__ void rows_fixed_round_bad(int **rows, int *out, int n)
{
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        out[blockIdx.x * 64 + t] = rows[i][5] + i; //~ here
        if (blockIdx.x == 0) rows[2][t] = t; //~ here
    }
}

//~ race-free
__global__ void row_members_ok(const Row *rows, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int k = 0; k < rows[i].length; k++) sum += rows[i].cells[k];
    out[i] = sum;
}

// [shared-cell] Members that point, of the same element.
//~ race
__global__ void row_members_bad(Row *rows)
{
    rows[blockIdx.x / 2].cells[threadIdx.x] = blockIdx.x; //~ here
}

// [shared-cell] The kernel itself changes the table: what is read is a pointer of the kernel.
//~ race
__global__ void rows_changed_bad(int **rows, int *a, int *out)
{
    int t = threadIdx.x;
    rows[t] = a + t; //~ here
    a[t] = blockIdx.x; //~ here
    out[blockIdx.x * 64 + t] = rows[t + 1][0]; //~ here
}

// [shared-cell] What points to its own kind may lead back to where it stands.
//~ fn_race
__global__ void list_bad(Node *nodes)
{
    int t = threadIdx.x;
    nodes[t].next->value = nodes[t + 1].value;
}

// One of two arrays, chosen by the thread: each has its own elements.
//~ race-free
__global__ void chosen_ok(int *a, int *b)
{
    int *both[2] = {a, b};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    both[i % 2][i / 2] = i;
}

// [shared-cell] Two threads with one array have one element.
//~ race
__global__ void chosen_bad(int *a, int *b)
{
    int *both[2] = {a, b};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    both[i % 2][i / 4] = i; //~ here
}

// [shared-cell] Both slots hold one array.
//~ race
__global__ void chosen_same_bad(int *a)
{
    int *both[2] = {a, a};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    both[i % 2][i / 2] = i; //~ here
}

struct Lists { int *lists[3]; int n; };

// Members of a parameter.
//~ race-free
__global__ void lists_ok(Lists all)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    all.lists[i % 3][i] = i + all.n;
}

// [shared-cell]
//~ race
__global__ void lists_bad(Lists all)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    all.lists[i % 3][0] = i + all.n; //~ here
}

__device__ int *find(int *table, int n, int key)
{
    for (int i = 0; i < n; i++)
        if (table[i] == key) return &table[i]; //~ here
    return nullptr;
}

//~ race-free
__global__ void find_ok(int *table, int n, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int *found = find(table, n, i);
    out[i] = found ? *found : -1;
}

// [shared-cell] Two threads find one place, or one writes what another compares.
//~ race
__global__ void find_bad(int *table, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int *found = find(table, n, i % 7);
    if (found) *found = i; //~ here
}

__device__ int *either(int *a, int *b, int n)
{
    for (int i = 0; i < n; i++) {
        if (a[i] == 7) return a + i; //~ here
        if (b[i] == 7) return b + i; //~ here
    }
    return b;
}

// [shared-cell] The second array is meant, too.
//~ race
__global__ void find_second_bad(int *a, int *b, int n)
{
    int *found = either(a, b, n);
    if (threadIdx.x == 0 && blockIdx.x == 0) *found = 1; //~ here
}

struct Lock { int *taken; };
struct Ticket { unsigned *next; };

// A pointer is aligned as what it points to: two locks are one, or have no byte in common.
//~ race-free
__global__ void row_atomics_ok(Lock *locks, Ticket *tickets, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicCAS(locks[i % n].taken, 0, 1);
    atomicAdd(tickets[i / 2].next + i, 1u);
}

// [shared-cell] One of two threads at a word of a row writes it plainly.
//~ race
__global__ void row_mixed_bad(int *const *rows, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(rows[i % n], 1); //~ here
    if (i == 0) *rows[0] = 7; //~ here
}
