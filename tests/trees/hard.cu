// Expressions that are grouped wrongly without the names in scope, or whose grouping is easily got wrong.
#define SQUARE(x) ((x) * (x))
#define NEXT(i) (i) + 1
typedef float real;
typedef int (*operation)(int, int);
struct Pair { int a, b; float v[4]; __device__ int sum(int c) const { return a + b * c; } };
template <typename T> struct Box { typedef T *Pointer; T v; int n; __device__ T get(int i) const { return v * i + n; } };
template <int N> __device__ int scaled(int a) { return a * N + N; }
template <typename T, int N = 2> __device__ T twice(T a) { return a * (T)N; }
__device__ int plain(int a, int b = 0) { return a - b; }

__global__ void casts_and_parentheses(int *a, float *b, Pair *s, int n, int m, unsigned u)
{
    int i = (n) + m * 2, j = (n) - m, k = (n) * m + 1, l = (n) & m;
    a[i] = (a[j]) + m * n;
    a[j] = (a[i]) - (n) * (m);
    a[k] = (s->a) + (s[1].b) * m - (*a) * n;
    a[l] = (int)b[0] * n + (int) - m - (int)(b[1]) * -n;
    b[0] = (real) n / m + (real)(n) / (m) - real(n) * real(m + 1);
    b[1] = (float)n * *a + (float)*a * n - (unsigned char)~u;
    a[0] = (int)(u) << 2 | (int)u >> (n) + 1 & 7;
    a[1] = -(n) + +(m) - ~(n) * !(m);
    a[2] = (n)++ + ++(m) - (a)[n] * (*a)++;
    a[3] = sizeof(int) * n + sizeof(n) * m + sizeof n * m + sizeof(real) - 1;
    a[4] = SQUARE(n + 1) - SQUARE(m) * NEXT(n) * 2;
    a[5] = static_cast<int>(b[0]) * n - reinterpret_cast<int *>(b)[1] + *(int *)(b + 2) * m;
    a[6] = ((int *)b)[n] + ((Pair *)a)->b * ((Pair *)a + 1)->v[2];
    *(float4 *)&a[8] = *(float4 *)(b + 4);
    a[7] = (a + n)[m] + n[a] - *(a + n + m) + *&a[n];
}
__global__ void comparisons_and_templates(int *a, int n, int m, int i, int j)
{
    a[0] = i < n && j > (m);
    a[1] = i < n & j > (m) + 1;
    a[2] = scaled<3>(n) > scaled<2>(m) + 1;
    a[3] = i < n || n > (j), m < (i);
    a[4] = twice<int, 3>(i) < n == twice(j) > m;
    a[5] = scaled<(4 > 3)>(i) >> 1 < n;
    a[6] = scaled<sizeof(int) * 2>(n) - scaled<8 / 2>(m);
    a[7] = i < n ? j > m ? 1 : 2 : i > j ? 3 : 4;
    a[8] = i < j < n > m, a[9] = n > (m) > (i);
    bool less = i < n, more = j > (m);
    a[10] = less == more != (i <= j) >= (n < m);
    Box<int> box = {1, 2};
    a[11] = box.get(i) < box.v && box.n > (j);
    if (i < n && j > (m) || !(i < j) && n >= (m)) a[12] = i << n << m >> 1;
}
__global__ void precedence(int *a, Pair *s, int n, int m, int i, int j, unsigned u)
{
    a[0] = n + m * i - j / n % m;
    a[1] = n << m + 1 | i & j ^ u << 2 == m;
    a[2] = n & m == i | j != n ^ ~m;
    a[3] = n && m || i && !j || n & m;
    a[4] = -n * m - -m % ~i + !j;
    a[5] = n ? m : i ? j : n = m;
    a[6] = n = m += i -= j <<= 2;
    a[7] = (n, m), i = (j, n) + 1;
    a[8] = *a++ + ++*a - (*a)++ + *++a;
    a[9] = a[n]++ - --a[m] + a[i--];
    a[10] = !n == m, ~n & m, -n + m;
    a[11] = s->a * s[n].b - (*s).a + (&s[1])->v[i] * s->sum(n) + s[m].sum(i + 1) * 2;
    a[12] = *s[n].v + *(s->v + 1) - -s->v[2];
    a[13] = n - m - i - j, n / m / i, n - (m - i) - j;
    a[14] = n ? m, i : j;
    a[15] = n | m ? i & j : n ^ m ? i + j : i - j;
    a[n ? m : i] = a[m = 1] + a[(i = 2, j)];
    a[16] = u >> 3 & 7u | (u & 1) << 4;
    a[n & 15] ^= m >> 2 & 3, a[m | 1] &= ~(1 << (n & 31)), a[i] <<= n > m;
    a[17] = n---m, a[18] = n- --m, a[19] = n++ + ++m;
}
__global__ void declarations(int *a, float *b, int n, int m, operation apply)
{
    float x(n), y(b[0]), z = float(m);
    int q(plain(n)), r = (plain)(n, m) - 1, t(apply(n, m) + (*apply)(m, n));
    const int *p = a + n, *const w = &a[m], v = *p * *w;
    int tile[2][3] = {{n, m + 1, 2}, {n * m, -n}}, *last = &tile[1][2], first = **tile;
    Pair one = {n + 1, m}, two = Pair{n, m - 1}, *three = &one;
    auto grow = [=](int k) { return k * n + m; };
    auto f = [&] { return grow(n) - grow(m + 1) * 2; };
    dim3 grid((n + 15) / 16, m), block = dim3(16 * 16);
    a[0] = q * r + t - v + *last * first + one.sum(m) * two.a - three->b * (f)() + grid.x * block.y;
    b[0] = x * y - z;
    for (int i = n - 1, j = m; i >= 0 && j < n * 2; --i, j += i & 1 ? 2 : 1) a[i] = j;
    for (int k : tile[n & 1]) a[k & 7] += k * 2;
    while (n-- > 0 && a[n] != m * 2) if (a[n] < m) continue; else break;
    do a[n] -= m; while (++n < m - 1 || a[n] > (m));
    switch (n * 2 - m) { case 1 + 2: a[0] = 1; case 4: { a[1] = n << 1; break; } default: a[2] = -m * n; }
    if (int k = plain(n) - 1) a[k] = k * 2;
    atomicAdd(&a[n] + m, -n * 2);
    __syncthreads();
}
template <typename T, int N> __global__ void dependent(T *a, Box<T> *box, int n)
{
    T x = a[n] * (T)N - T(n) + static_cast<T>(N * 2), y(x * 2);
    a[0] = (x) + y * (T)(n) - box->v * (*box).n + box[N].get(n - 1) * twice<T>(x) - twice<T, N + 1>(y);
    a[1] = n < N && N > (n) ? scaled<N>(n) * 2 : scaled<N * 2>(n) - (n) * N;
    a[2] = sizeof(T) * n + sizeof(x) * N - sizeof x;
    typename Box<T>::Pointer none = nullptr;
    if (none != nullptr && *a > x) a[3] = -(x) * (y) + (*a);
}
void launches(int *a, float *b, Pair *s, int n, int m)
{
    casts_and_parentheses<<<(n + 255) / 256, 256>>>(a, b + 1, s, n * 2, m - 1, n & 3u);
    precedence<<<dim3(n / 16, m >> 4), dim3(16, 16), n * sizeof(int)>>>(a + n, s, n << 1, m, n - m, 3, 4);
    dependent<int, 4><<<n > m ? n : m, 1 << 6, 0, 0>>>(a, nullptr, n < m);
    comparisons_and_templates<<<1, n>>>(a, n, m, n >> 1, m << 1), n = m;
}
