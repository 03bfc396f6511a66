// Construct: counters and pointers that inner loops of an unknown number of iterations move

// As many places for each thread as both loops have iterations.
//~ race-free
__global__ void places_of_nest_ok(int *g, int rows, int columns)
{
    int at = threadIdx.x * rows * columns;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) g[at++] = i;
}

// [extent] Room for one loop only.
//~ race
__global__ void places_of_nest_bad(int *g, int rows, int columns)
{
    int t = threadIdx.x;
    int at = t * rows;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) g[at++] = t; //~ here
}

//~ race-free
__global__ void pointer_through_nest_ok(int *g, int rows, int columns)
{
    int *p = g + threadIdx.x * rows * columns;
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            *p = i + j;
            p += 1;
        }
}

// [boundary] One more in each row.
//~ race
__global__ void pointer_through_nest_bad(int *g, int rows, int columns)
{
    int t = threadIdx.x;
    int *p = g + t * rows * columns;
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j <= columns; ++j) {
            *p = t; //~ here
            p += 1;
        }
}

// [start] The rows begin before 0 for some sizes.
//~ race
__global__ void pointer_from_start_bad(int *g, int rows, int columns, int first)
{
    int t = threadIdx.x;
    int *p = g + t * rows * columns;
    for (int i = 0; i < rows; ++i)
        for (int j = first; j < columns; ++j) {
            *p = t; //~ here
            p += 1;
        }
}

//~ race-free
__global__ void falling_nest_ok(int *g, int rows, int columns)
{
    int *p = g + threadIdx.x * rows * columns;
    for (int i = 0; i < rows; ++i)
        for (int j = columns; j > 0; --j) *p++ = i;
}

// [boundary] Down to 0.
//~ race
__global__ void falling_nest_bad(int *g, int rows, int columns)
{
    int t = threadIdx.x;
    int *p = g + t * rows * columns;
    for (int i = 0; i < rows; ++i)
        for (int j = columns; j >= 0; --j) *p++ = t; //~ here
}

// Every second column.
//~ race-free
__global__ void strided_nest_ok(int *g, int rows, int columns)
{
    int at = threadIdx.x * rows * ((columns + 1) / 2);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; j += 2) g[at++] = i;
}

// [extent] The last of an odd number of columns has no place.
//~ race
__global__ void strided_nest_bad(int *g, int rows, int columns)
{
    int t = threadIdx.x;
    int at = t * rows * (columns / 2);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; j += 2) g[at++] = t; //~ here
}

//~ race-free
__global__ void strides_of_block_in_nest_ok(int *g, int rows, int columns)
{
    int at = threadIdx.x;
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            g[at] = i;
            at += blockDim.x;
        }
}

// One place is left out behind each row.
//~ race-free
__global__ void gap_behind_row_ok(int *g, int rows, int columns)
{
    int at = threadIdx.x;
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j) {
            g[at] = i;
            at += blockDim.x;
        }
        at += 1;
    }
}

// [index] Each row goes back by one.
//~ race
__global__ void step_back_behind_row_bad(int *g, int rows, int columns)
{
    int t = threadIdx.x;
    int at = t + rows;
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j) {
            g[at] = t; //~ here
            at += blockDim.x;
        }
        at -= 1;
    }
}

// [index] What is written behind the last row is the first place of the next thread.
//~ race
__global__ void behind_the_nest_bad(int *g, int rows, int columns)
{
    int t = threadIdx.x;
    int at = t * rows * columns;
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) g[at++] = t; //~ here
    g[at] = t; //~ here
}

// [step] The columns of one thread are as far apart as the caller says.
//~ race
__global__ void step_of_caller_bad(int *g, int rows, int columns, int step)
{
    int t = threadIdx.x;
    int at = t * rows * columns;
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            g[at] = t; //~ here
            at += step;
        }
}

// [condition] Rows grow longer.
//~ race
__global__ void growing_rows_bad(int *g, int rows, int columns)
{
    int t = threadIdx.x;
    int at = t * rows * columns;
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns + i; ++j) g[at++] = t; //~ here
}

// [break] The data tell where a row ends.
//~ race
__global__ void row_left_early_bad(int *g, const int *stop, int columns)
{
    int t = threadIdx.x;
    int at = t * 4;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < columns; ++j) {
            if (stop[j] == t) break;
            g[at] = t; //~ here
            at += 1;
        }
}

// [loop] Each row has one column at least.
//~ race
__global__ void one_at_least_bad(int *g, int rows, int columns)
{
    int t = threadIdx.x;
    int at = t * rows * columns;
    for (int i = 0; i < rows; ++i) {
        int j = 0;
        do {
            g[at++] = t; //~ here
            j++;
        } while (j < columns);
    }
}

// Windows of an image as columns: each thread a column of all rows.
//~ race-free
__global__ void windows_as_columns_ok(int n, const int *image, int kernelHeight, int kernelWidth, int height, int width, int *columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int x = i % width, y = i / width % height, channel = i / width / height;
        int *p = columns + (channel * kernelHeight * kernelWidth * height + y) * width + x;
        for (int a = 0; a < kernelHeight; a++)
            for (int b = 0; b < kernelWidth; b++) {
                *p = image[a + b];
                p += height * width;
            }
    }
}

// [index] The channels of an image are one row short.
//~ race
__global__ void windows_as_columns_bad(int n, const int *image, int kernelHeight, int kernelWidth, int height, int width, int *columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int x = i % width, y = i / width % height, channel = i / width / height;
        int *p = columns + (channel * kernelHeight * (kernelWidth - 1) * height + y) * width + x;
        for (int a = 0; a < kernelHeight; a++)
            for (int b = 0; b < kernelWidth; b++) {
                *p = i; //~ here
                p += height * width;
            }
    }
}
