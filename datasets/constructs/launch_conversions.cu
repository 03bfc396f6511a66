// Construct: what host code decides by objects that become conditions or numbers

struct Enough {
    int rows;
    explicit operator bool() const { return rows > 1; }
};

struct Pitch {
    int words;
    operator int() const { return words * 2; }
};

struct Ticket {
    int next;
    operator int() { return next++; }
};

// The condition holds: the pitch of zero is never used.
//~ race-free
__global__ void host_bool_ok(int *g, int w)
{
    g[threadIdx.x * w] = threadIdx.x;
}

// [launch] There are not enough rows.
//~ race
__global__ void host_bool_bad(int *g, int w)
{
    g[threadIdx.x * w] = threadIdx.x; //~ here
}

// The same by `!` and a variable.
//~ race-free
__global__ void host_negated_ok(int *g, int w)
{
    g[threadIdx.x * w] = threadIdx.x;
}

// [launch] The condition is not negated.
//~ race
__global__ void host_negated_bad(int *g, int w)
{
    g[threadIdx.x * w] = threadIdx.x; //~ here
}

// The object becomes a number that is as large as two words.
//~ race-free
__global__ void host_number_ok(int *g, int w)
{
    g[threadIdx.x * w] = threadIdx.x;
    g[threadIdx.x * w + 1] = 0;
}

// [launch] The pitch is one word short.
//~ race
__global__ void host_number_bad(int *g, int w)
{
    g[threadIdx.x * w] = threadIdx.x; //~ here
    g[threadIdx.x * w + 1] = 0;       //~ here
}

// The conversion counts: the second number is one.
//~ race-free
__global__ void host_ticket_ok(int *g, int w)
{
    g[threadIdx.x * w] = threadIdx.x;
}

// [launch] The first number is zero.
//~ race
__global__ void host_ticket_bad(int *g, int w)
{
    g[threadIdx.x * w] = threadIdx.x; //~ here
}

int main()
{
    int *g;
    cudaMalloc(&g, 64 * 4 * 4);

    Enough many{2}, few{1};
    if (many) host_bool_ok<<<1, 64>>>(g, 1);
    else host_bool_ok<<<1, 64>>>(g, 0);
    if (few) host_bool_bad<<<1, 64>>>(g, 1);
    else host_bool_bad<<<1, 64>>>(g, 0);

    int width = 1;
    bool narrow = static_cast<bool>(few);
    if (!many || narrow) width = 0;
    host_negated_ok<<<1, 64>>>(g, width);
    if (many && !narrow) width = 0;
    host_negated_bad<<<1, 64>>>(g, width);

    Pitch pitch{1};
    int two = pitch;
    host_number_ok<<<1, 64>>>(g, two);
    host_number_bad<<<1, 64>>>(g, two - 1);

    Ticket ticket{0};
    int first = ticket;
    int second = ticket;
    host_ticket_ok<<<1, 64>>>(g, second);
    host_ticket_bad<<<1, 64>>>(g, first);
}
