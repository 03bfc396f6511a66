//--blockDim=8 --gridDim=1
// Sums that leave 128 bits where bounds and residues of loop counters are reckoned with.

// A stride of 64 bits on a counter of 16.
//~ race
__global__ void wide_stride_bad(int *p, long long n, unsigned char m)
{
    short i = 0;
    unsigned j = n;
    int k = n;
    for (i = n; i >= 1; i -= n) {
        if ((i & 2) == m) continue;
        k = i;
        if ((j == n ? (i - j) == m : i < 2)) continue;
        k = m;
        k ^= 3;
        if (j < m) break;
    }
    if (n == 8 && m == 7 && k != 9 && i == 0) p[0] = threadIdx.x; //~ here
}

// A counter of 64 bits goes on by -2 as an unsigned number.
//~ race
__global__ void wide_factor_bad(int *p, const int *data, short n, int m)
{
    int t = threadIdx.x, i = 0, k = t;
    unsigned long long j = m;
    for (i = n - m; i >= m; --i, j += 2) {
        if (data[i & 15] >= n || data[t] < n) break;
        if ((i - j) < n) k = data[t];
        if ((i ^ 2) > t && i - 3 == t) break;
        k += 1;
        if (i < t) k = j * -2;
        if (i + 1 <= n) break;
    }
    if (n == 1 && m == 6 && k != 3) p[0] = t; //~ here
}
