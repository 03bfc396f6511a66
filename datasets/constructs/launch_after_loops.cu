// Construct: launches behind loops that hand their variables to functions, and behind calls of libraries

int removed(char delimiter, const char *text)
{
    int start = 0;
    while (text[start] == delimiter) start++;
    return start;
}

bool asked_for(int argc, const char **argv, const char *wanted)
{
    bool found = false;
    for (int i = 1; i < argc; i++) {
        const char *text = &argv[i][removed('-', argv[i])];
        int length = strlen(wanted);
        if (length == (int)strlen(text) && !compare_elsewhere(text, wanted, length)) {
            found = true;
            continue;
        }
    }
    return found;
}

// The 64 threads have an element each.
//~ race-free
__global__ void after_loop_ok(int *g)
{
    g[threadIdx.x % 64] = threadIdx.x;
}

// [launch] 128 threads share 64 elements.
//~ race
__global__ void after_loop_bad(int *g)
{
    g[threadIdx.x % 64] = threadIdx.x; //~ here
}

float *scratch;

// The library's calls leave the pointers apart.
//~ race-free
__global__ void after_library_ok(float *to, const float *from, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i + 1];
}

// [overlap] The global pointer was set to the other argument.
//~ race
__global__ void after_library_bad(float *to, const float *from, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i + 1]; //~ here
}

int main(int argc, char **argv)
{
    int *g;
    cudaMalloc((void **)&g, 1024);
    if (asked_for(argc, (const char **)argv, "help")) exit(0);
    after_loop_ok<<<1, 64>>>(g);
    after_loop_bad<<<1, 128>>>(g);

    float *from;
    void *handle;
    cudaMalloc((void **)&from, 4096);
    cudaMalloc((void **)&scratch, 4096);
    cublasCreate(&handle);
    cublasSscal(handle, 1024, 0, from, 1);
    after_library_ok<<<4, 128>>>(scratch, from, 500);
    scratch = from;
    cublasSscal(handle, 1024, 0, from, 1);
    after_library_bad<<<4, 128>>>(scratch, from, 500);
    return 0;
}
