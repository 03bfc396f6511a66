//--blockDim=64 --gridDim=2
// Lanes and the banks of shared memory, in blocks of two warps.

// Each lane its word.
//~ race-free
__global__ void cost_words_ok(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[t]; //: shared 1 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Every second word: two lanes to a bank.
//~ race-free
__global__ void cost_stride2_bad(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[2 * t]; //: shared 2 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Every fourth word.
//~ race-free
__global__ void cost_stride4_bad(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[4 * t]; //: shared 4 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Every eighth word.
//~ race-free
__global__ void cost_stride8_bad(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[8 * t]; //: shared 8 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Every sixteenth word.
//~ race-free
__global__ void cost_stride16_bad(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[16 * t]; //: shared 16 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// A whole row of banks apart.
//~ race-free
__global__ void cost_stride32_bad(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[32 * t]; //: shared 32 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// An odd stride visits every bank.
//~ race-free
__global__ void cost_stride3_ok(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[3 * t]; //: shared 1 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Another odd stride.
//~ race-free
__global__ void cost_stride5_ok(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[5 * t]; //: shared 1 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// One more than a row of banks.
//~ race-free
__global__ void cost_stride31_ok(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[31 * t]; //: shared 1 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Six is twice an odd number.
//~ race-free
__global__ void cost_stride6_bad(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[6 * t]; //: shared 2 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Twelve is four times an odd number.
//~ race-free
__global__ void cost_stride12_bad(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[12 * t]; //: shared 4 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Twenty-four is eight times an odd number.
//~ race-free
__global__ void cost_stride24_bad(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[24 * t]; //: shared 8 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// All lanes want one word.
//~ race-free
__global__ void cost_broadcast_ok(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[7]; //: shared 1 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Pairs of lanes want one word.
//~ race-free
__global__ void cost_pairs_ok(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[t / 2]; //: shared 1 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Each half of a warp wants a word of its own, in two banks.
//~ race-free
__global__ void cost_halves_ok(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[t / 16]; //: shared 1 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Each half of a warp wants a word of its own, in one bank.
//~ race-free
__global__ void cost_halves_bad(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[t / 16 * 32]; //: shared 2 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Four words of one bank, each wanted by eight lanes.
//~ race-free
__global__ void cost_quarters_bad(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[t / 8 * 32]; //: shared 4 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Backwards.
//~ race-free
__global__ void cost_backwards_ok(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[63 - t]; //: shared 1 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Begins in the middle of a row.
//~ race-free
__global__ void cost_shifted_ok(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[t + 13]; //: shared 1 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Exchanged with the neighbour.
//~ race-free
__global__ void cost_exchanged_ok(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[t ^ 1]; //: shared 1 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Words in the order of a remainder.
//~ race-free
__global__ void cost_remainder_ok(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[t * 7 % 64]; //: shared 1 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Column of a tile that is kept in one dimension.
//~ race-free
__global__ void cost_column_bad(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[t % 32 * 32 + t / 32]; //: shared 32 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Column of a tile with rows of 33.
//~ race-free
__global__ void cost_column_ok(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[t % 32 * 33 + t / 32]; //: shared 1 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Lanes 0 to 15 in even banks twice.
//~ race-free
__global__ void cost_folded_bad(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[t % 16 * 2 + t / 16 % 2 * 32]; //: shared 2 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Only every second lane takes part.
//~ race-free
__global__ void cost_half_active_ok(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = 0;
    if (t % 2 == 0) v = s[t]; //: shared 1 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Of sixteen active lanes two share a bank.
//~ race-free
__global__ void cost_half_active_bad(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = 0;
    if (t % 32 < 16) v = s[4 * t]; //: shared 2 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// A stride of 32, but one lane of each warp is active.
//~ race-free
__global__ void cost_one_active_ok(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = 0;
    if (t % 32 == 5) v = s[32 * t]; //: shared 1 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// The second warp alone.
//~ race-free
__global__ void cost_second_warp_bad(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = 0;
    if (t >= 32) v = s[2 * t]; //: shared 2 in 2
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// The tree of a reduction with growing strides.
//~ race-free
__global__ void cost_tree_growing_bad(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = 0;
    for (int d = 1; d < 64; d *= 2) {
        if (2 * d * t < 64) v += s[2 * d * t]; //: shared 2 in 12
    }
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// The tree of a reduction with shrinking halves.
//~ race-free
__global__ void cost_tree_halves_ok(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = 0;
    for (int d = 32; d > 0; d /= 2) {
        if (t < d) v += s[t + d]; //: shared 1 in 12
    }
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// A loop over rows.
//~ race-free
__global__ void cost_rows_loop_ok(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = 0;
    for (int row = 0; row < 16; row++) v += s[row * 64 + t]; //: shared 1 in 64
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// A loop along a row of each lane.
//~ race-free
__global__ void cost_row_of_lane_bad(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = 0;
    for (int k = 0; k < 16; k++) v += s[t * 16 + k]; //: shared 16 in 64
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Rows of 17.
//~ race-free
__global__ void cost_row_of_lane_ok(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = 0;
    for (int k = 0; k < 16; k++) v += s[t * 17 + k]; //: shared 1 in 64
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// The stride grows with the iteration.
//~ race-free
__global__ void cost_growing_bad(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = 0;
    for (int k = 1; k <= 16; k++) v += s[k * t]; //: shared 16 in 64
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Lanes begin at different rows.
//~ race-free
__global__ void cost_skewed_ok(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = 0;
    for (int k = 0; k < 32; k++) v += s[t % 32 * 32 + (t + k) % 32]; //: shared 1 in 128
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Each lane leaves the loop at another time.
//~ race-free
__global__ void cost_ragged_loop_ok(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = 0;
    for (int k = t; k < 64; k += 16) v += s[k]; //: shared 1 in 12
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Bytes: four lanes to a word.
//~ race-free
__global__ void cost_bytes_ok(float *out)
{
    __shared__ char s[2048];
    int t = threadIdx.x;
    float v = s[t]; //: shared 1 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Bytes, each in a row of its own.
//~ race-free
__global__ void cost_bytes_bad(float *out)
{
    __shared__ char s[4096];
    int t = threadIdx.x;
    float v = s[t % 32 * 128]; //: shared 32 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Halves of words.
//~ race-free
__global__ void cost_shorts_ok(float *out)
{
    __shared__ short s[2048];
    int t = threadIdx.x;
    float v = s[t]; //: shared 1 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Halves of words, two lanes to a bank.
//~ race-free
__global__ void cost_shorts_bad(float *out)
{
    __shared__ short s[2048];
    int t = threadIdx.x;
    float v = s[4 * t]; //: shared 2 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Eight bytes a lane, side by side.
//~ race-free
__global__ void cost_doubles_ok(float *out)
{
    __shared__ double s[1024];
    int t = threadIdx.x;
    float v = s[t]; //: shared 1 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Eight bytes a lane, every second.
//~ race-free
__global__ void cost_doubles_bad(float *out)
{
    __shared__ double s[1024];
    int t = threadIdx.x;
    float v = s[2 * t]; //: shared 2 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Atomic operations on words of their own.
//~ race-free
__global__ void cost_atomic_words_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    atomicAdd(&s[t], 1); //: shared 1 in 4
}

// All lanes change one word.
//~ race-free
__global__ void cost_atomic_word_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    atomicAdd(&s[0], 1); //: shared 32 in 4
}

// Eight words are changed by four lanes each.
//~ race-free
__global__ void cost_atomic_bins_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    atomicAdd(&s[t % 8], 1); //: shared 4 in 4
}

// One lane a warp changes the word.
//~ race-free
__global__ void cost_atomic_leader_ok(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t % 32 == 0) atomicAdd(&s[0], 1); //: shared 1 in 4
}

// Warps take different sides, lanes of one do not; the second side has the conflict.
//~ race-free
__global__ void cost_uniform_branch_bad(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = 0;
    if (t / 32 == 1) v = s[t]; //: shared 1 in 2
    else v = s[2 * t]; //: shared 2 in 2
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Threads beyond the bound leave.
//~ race-free
__global__ void cost_early_exit_ok(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    if (t >= 40) return;
    float v = s[t]; //: shared 1 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// A choice of two strides.
//~ race-free
__global__ void cost_choice_bad(float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x;
    float v = s[t < 32 ? 2 * t : t]; //: shared 2 in 4
    out[blockIdx.x * 64 + t] = v; //: global 4 in 4
}

// Writes down a column.
//~ race-free
__global__ void cost_column_write_bad(float *out)
{
    __shared__ float s[64][32];
    int t = threadIdx.x;
    s[t][3] = 1; //: shared 32 in 4
}

// Writes down a padded column.
//~ race-free
__global__ void cost_column_write_ok(float *out)
{
    __shared__ float s[64][33];
    int t = threadIdx.x;
    s[t][3] = 1; //: shared 1 in 4
}
