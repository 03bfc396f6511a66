// Findings that only a stride or a number rules out of which no condition of the grammar speaks, or that no sane launch has.
#include <cassert>
#include <cstddef>

struct Cell {
    unsigned parts[6];
};

struct Rows {
    Cell *first;
    size_t pitch;
    __device__ Cell &at(size_t row, size_t column) const
    {
        return *((Cell *)((char *)first + pitch * row) + column);
    }
};

// Rows that are a pitch of bytes apart, which a class of the host has: they meet where it is less than a row.
//~ race conditional
__global__ void advanced_cells_bad(Rows cells, size_t width, size_t height)
{
    size_t column = blockIdx.x * blockDim.x + threadIdx.x;
    size_t row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < width && row < height)
        cells.at(row, column).parts[0] += 1; //~ here
}

class Sheet {
public:
    void advance() const
    {
        Rows rows;
        rows.first = cells_;
        rows.pitch = pitch_;
        advanced_cells_bad<<<grid_, block_>>>(rows, width_, height_);
    }

private:
    dim3 block_, grid_;
    Cell *cells_;
    size_t width_, height_, pitch_;
};

// Planes of pairs and of numbers, which hold as many as there is room for.
//~ race conditional
__global__ void planes_of_pairs_bad(double *planes, const double *in, unsigned room, size_t n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        *reinterpret_cast<double2 *>(&planes[i * 2]) = make_double2(in[2 * i], in[2 * i + 1]); //~ here
        planes[2 * room + i] = in[i];
    }
}

void planes_of_pairs(double *planes, const double *in, unsigned room, size_t n)
{
    planes_of_pairs_bad<<<(n + 255) / 256, 256>>>(planes, in, room, n);
}

// A stride that is multiplied by nothing else and may be as small as it likes: two columns are too few for three numbers.
//~ race conditional
__global__ void triples_bad(int *out, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 3; k++)
        out[i * stride + k] = i; //~ here
}

// The stride is there, and has nothing to do with the race.
//~ race confirmed
__global__ void strided_input_bad(int *sums, const int *in, int stride, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sums[i / 2] += in[i * stride]; //~ here
}
