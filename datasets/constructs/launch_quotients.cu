// Construct: grids that are quotients of sizes, volumes in layers

#define QUOTIENT_INDEX                                  \
    int i = blockIdx.x * blockDim.x + threadIdx.x;      \
    int j = blockIdx.y * blockDim.y + threadIdx.y

// The grid divides the image, so columns are below its width.
//~ race-free
__global__ void quotient_image_ok(float *t, int nx, int ny)
{
    QUOTIENT_INDEX;
    t[i + j * nx] = i;
}

// [grid] The grid is rounded up, and nobody looks at the width.
//~ race
__global__ void quotient_image_bad(float *t, int nx, int ny)
{
    QUOTIENT_INDEX;
    t[i + j * nx] = i; //~ here
}

// Layers of such an image, by a counter.
//~ race-free
__global__ void quotient_layers_ok(float *t, int nx, int ny, int layers)
{
    QUOTIENT_INDEX;
    for (int k = 0; k < layers; k++) t[i + j * nx + k * nx * ny] = i + k;
}

// [layers] Layers are one row too close.
//~ race
__global__ void quotient_layers_bad(float *t, int nx, int ny, int layers)
{
    QUOTIENT_INDEX;
    for (int k = 0; k < layers; k++) t[i + j * nx + k * nx * (ny - 1)] = i + k; //~ here
}

// The first layer, those of a loop, and the last behind it.
//~ race-free
__global__ void quotient_stack_ok(float *t, int nx, int ny, int layers)
{
    QUOTIENT_INDEX;
    int c = i + j * nx;
    t[c] = i;
    c += nx * ny;
    for (int k = 1; k < layers - 1; k++) {
        t[c] = i + k;
        c += nx * ny;
    }
    t[c] = j;
}

// [layers] The last one is written where the first thread's is, one element on.
//~ race
__global__ void quotient_stack_bad(float *t, int nx, int ny, int layers)
{
    QUOTIENT_INDEX;
    int c = i + j * nx;
    for (int k = 0; k < layers; k++) {
        t[c] = i + k; //~ here
        c += nx * ny;
    }
    t[c - nx * ny + 1] = j; //~ here
}

// The same under a guard, with a grid that is rounded up.
//~ race-free
__global__ void quotient_guarded_ok(float *t, int nx, int ny, int layers)
{
    QUOTIENT_INDEX;
    if (i >= nx || j >= ny) return;
    int c = i + j * nx;
    t[c] = i;
    c += nx * ny;
    for (int k = 1; k < layers; k++) {
        t[c] = i + k;
        c += nx * ny;
    }
    t[c] = j;
}

// [layers] The loop starts where the first layer is.
//~ race
__global__ void quotient_guarded_bad(float *t, int nx, int ny, int layers)
{
    QUOTIENT_INDEX;
    if (i >= nx || j >= ny) return;
    int c = i + j * nx;
    t[c] = i; //~ here
    c += nx * (ny - 1);
    for (int k = 1; k < layers; k++) {
        t[c] = j + k; //~ here
        c += nx * ny;
    }
}

void quotients(float *t, int nx, int ny, int layers)
{
    dim3 block(64, 4), exact(nx / 64, ny / 4), rounded((nx + 63) / 64, (ny + 3) / 4);
    quotient_image_ok<<<exact, block>>>(t, nx, ny);
    quotient_image_bad<<<rounded, block>>>(t, nx, ny);
    quotient_layers_ok<<<exact, block>>>(t, nx, ny, layers);
    quotient_layers_bad<<<exact, block>>>(t, nx, ny, layers);
    quotient_stack_ok<<<exact, block>>>(t, nx, ny, layers);
    quotient_stack_bad<<<exact, block>>>(t, nx, ny, layers);
    quotient_guarded_ok<<<rounded, block>>>(t, nx, ny, layers);
    quotient_guarded_bad<<<rounded, block>>>(t, nx, ny, layers);
}
