// Tables that are passed by value and hold more than is told apart: pointers and numbers that a kernel reads at places that vary.
struct Rows {
    float *row[400];
    int length[400];
    unsigned char owner[320];
};

struct Parts {
    void *part[2][100];
    long bytes[100];
};

// Each block takes the row of a number that all its threads share.
//~ race-free
__global__ void table_row_ok(Rows rows, int which)
{
    float *row = rows.row[which];
    int i = threadIdx.x;
    if (i < rows.length[which]) row[i] = row[i] + 1.0f;
}

// [index] Two threads share an element of the row.
//~ race
__global__ void table_row_bad(Rows rows, int which)
{
    float *row = rows.row[which];
    row[threadIdx.x / 2] = threadIdx.x; //~ here
}

// [barrier] The neighbour's element may be read before or after it was stored.
//~ race
__global__ void table_neighbour_bad(Rows rows, int which)
{
    float *row = rows.row[which];
    int i = threadIdx.x;
    float sum = row[(i + 1) & 63]; //~ here
    row[i] = sum; //~ here
}

// Each block does one part, which the table tells: that two blocks have one row the caller may decide.
//~ race conditional
__global__ void table_owner_bad(Rows rows)
{
    int own = rows.owner[blockIdx.x];
    float *row = rows.row[own];
    for (int i = threadIdx.x; i < rows.length[own]; i += blockDim.x) row[i] = row[i] + 1.0f; //~ here
}

// Pointers to anything, which the kernel takes for pointers to numbers.
//~ race-free
__global__ void table_any_ok(Parts parts, int which)
{
    float *to = static_cast<float *>(parts.part[1][which]);
    to += which;
    to[threadIdx.x] = parts.bytes[which];
}

// [index] The same with two threads at one number.
//~ race
__global__ void table_any_bad(Parts parts, int which)
{
    float *to = (float *)parts.part[1][which];
    to += which;
    to[threadIdx.x & ~1] = threadIdx.x; //~ here
}

// What stands in memory of any type may lead to any part: it is not followed.
//~ fp_race-free
__global__ void table_chain_ok(void **parts, int which)
{
    void **part = (void **)parts[which];
    float *to = (float *)part[which];
    to[threadIdx.x] = 1.0f;
}

// A thread changes its own copy of the table.
//~ fp_race-free
__global__ void table_changed_ok(Rows rows, int *out)
{
    rows.length[0] = threadIdx.x;
    out[rows.length[0]] = threadIdx.x;
}

// [index] All threads make their copies say the same.
//~ race
__global__ void table_changed_bad(Rows rows, int *out)
{
    atomicSub(&rows.length[0], threadIdx.x);
    out[rows.length[0] + threadIdx.x] = threadIdx.x; //~ here
}

// [alias] The host puts into the table what it passes besides.
//~ assumed_race
__global__ void table_beside_bad(Rows rows, float *other, int which)
{
    rows.row[which][threadIdx.x] = 1.0f; //~ here
    other[63 - threadIdx.x] = 2.0f; //~ here
}

void launch(Rows rows, Parts parts, void **all, int *out, float *values, int which)
{
    table_row_ok<<<1, 64>>>(rows, which);
    table_row_bad<<<1, 64>>>(rows, which);
    table_neighbour_bad<<<1, 64>>>(rows, which);
    table_owner_bad<<<8, 64>>>(rows);
    table_any_ok<<<1, 64>>>(parts, which);
    table_any_bad<<<1, 64>>>(parts, which);
    table_chain_ok<<<1, 64>>>(all, which);
    table_changed_ok<<<1, 64>>>(rows, out);
    table_changed_bad<<<1, 64>>>(rows, out);
    Rows own;
    for (int i = 0; i < 400; i++) own.row[i] = values;
    table_beside_bad<<<1, 64>>>(own, values, which);
}
