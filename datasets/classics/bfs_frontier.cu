// Breadth-first search by levels with frontier flags. No launch is stated.

// Many threads may find one node: all store the same flag and the same level, which is benign. A
// thread clears only its own frontier flag, and visited is only read.
//~ race-free
__global__ void bfs_expand_ok(const int *first, const int *edge, bool *frontier, bool *next,
                              const bool *visited, int *cost, int level, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) {
        if (frontier[v]) {
            frontier[v] = false;
            for (int e = first[v]; e < first[v + 1]; e++) {
                int w = edge[e];
                if (!visited[w]) {
                    cost[w] = level + 1;
                    next[w] = true;
                }
            }
        }
    }
}

// The level is taken from the node's own cost, in the array that is being written: equal only if all
// nodes of the frontier lie on one level, which the kernel cannot know.
//~ race
__global__ void bfs_expand_cost_bad(const int *first, const int *edge, const bool *frontier, bool *next,
                                    const bool *visited, int *cost, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) {
        if (frontier[v]) {
            for (int e = first[v]; e < first[v + 1]; e++) {
                int w = edge[e];
                if (!visited[w]) {
                    cost[w] = cost[v] + 1; //~ here
                    next[w] = true;
                }
            }
        }
    }
}

// Found and cleared flags in one array: a thread stores true where its owner reads and stores false.
//~ race
__global__ void bfs_expand_one_array_bad(const int *first, const int *edge, bool *frontier, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) {
        if (frontier[v]) { //~ here
            frontier[v] = false; //~ here
            for (int e = first[v]; e < first[v + 1]; e++) frontier[edge[e]] = true; //~ here
        }
    }
}

// The parent is the thread's own number: two parents of one node store different values.
//~ race
__global__ void bfs_expand_parent_bad(const int *first, const int *edge, const bool *frontier, int *parent, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) {
        if (frontier[v]) {
            for (int e = first[v]; e < first[v + 1]; e++) parent[edge[e]] = v; //~ here
        }
    }
}

// Second kernel of a level: each node moves its own flags; the shared stop flag gets one constant.
//~ race-free
__global__ void bfs_advance_ok(bool *frontier, bool *next, bool *visited, bool *again, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) {
        if (next[v]) {
            frontier[v] = true;
            visited[v] = true;
            *again = true;
            next[v] = false;
        }
    }
}
