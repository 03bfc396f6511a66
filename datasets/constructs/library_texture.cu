//--blockDim=[16,4] --gridDim=[2,2]
// Construct: textures, which are read only, and surfaces, which are memory

texture<float, 2, cudaReadModeElementType> image;
surface<void, cudaSurfaceType2D> canvas;

// Fetches race with nothing.
//~ race-free
__global__ void library_texture_ok(cudaTextureObject_t tex, float *out, int width)
{
    __requires(width == 32);
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * width + x] = tex2D<float>(tex, x + 0.5f, y + 0.5f) + tex2D(image, x, y);
}

// [index] The results do.
//~ race
__global__ void library_texture_bad(cudaTextureObject_t tex, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y + x] = tex2D<float>(tex, x, y); //~ here
}

// Each thread its own place of the surface.
//~ race-free
__global__ void library_surface_ok(cudaSurfaceObject_t s)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float4 v;
    surf2Dread(&v, s, x * 16, y);
    surf2Dwrite(v, s, x * (int)sizeof(float4), y);
}

// [width] x is counted in bytes.
//~ race
__global__ void library_surface_bytes_bad(cudaSurfaceObject_t s)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    surf2Dwrite(1.0f * x, s, x, y); //~ here
}

// [index] All rows write the first.
//~ race
__global__ void library_surface_row_bad()
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    surf2Dwrite((float)threadIdx.y, canvas, x * 4, 0); //~ here
}

// [index] The neighbour's element is read while it is written.
//~ race
__global__ void library_surface_read_bad(cudaSurfaceObject_t s)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float v = surf2Dread<float>(s, (x + 1) * 4, y); //~ here
    surf2Dwrite(v, s, x * 4, y); //~ here
}
