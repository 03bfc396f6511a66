//--blockDim=64 --gridDim=1
// Construct: operators of classes: free and member, subscript, call, conversion, assignment

struct Point {
    int x, y;
    __device__ Point operator+(Point o) const { return Point{x + o.x, y + o.y}; }
    __device__ Point &operator+=(int d) { x += d; y += d; return *this; }
    __device__ bool operator<(const Point &o) const { return x < o.x; }
    __device__ Point operator-() const { return Point{-x, -y}; }
};

__device__ Point operator*(Point p, int f) { return Point{p.x * f, p.y * f}; }
__device__ Point operator*(int f, Point p) { return Point{p.x, p.y * f}; }

struct Shifted {
    int *data;
    int by;
    __device__ int &operator[](int i) { return data[i + by]; }
    __device__ int &operator()(int r, int c) { return data[r * 8 + c]; }
    __device__ int &operator*() { return data[by]; }
};

struct Index {
    int v;
    __device__ Index(int i) : v(i) {}
    __device__ operator int() const { return v; }
    __device__ Index &operator++() { ++v; return *this; }
    __device__ Index operator++(int) { Index old(v); ++v; return old; }
};

struct Halved {
    int v;
    __device__ operator int() const { return v / 2; }
};

// Member operators give 2*t and 2*t + 1.
//~ race-free
__global__ void operator_member_ok(int *g)
{
    int t = threadIdx.x;
    Point p = Point{t, t} + Point{t, 0};
    g[p.x] = t;
    p += 1;
    g[p.x] = t;
}

// [index] The sum of t and its negative.
//~ race
__global__ void operator_member_bad(int *g)
{
    int t = threadIdx.x;
    Point p = Point{t, t} + -Point{t, 0};
    g[p.x] = t; //~ here
}

// The free operator whose left operand is the point scales both members.
//~ race-free
__global__ void operator_free_ok(int *g)
{
    int t = threadIdx.x;
    Point p = Point{t, t} * 2;
    g[p.x] = t;
    g[p.y + 1] = t;
}

// [overload] With the number on the left only y is scaled: t and 2*t + 1 meet.
//~ race
__global__ void operator_free_bad(int *g)
{
    int t = threadIdx.x;
    Point p = 2 * Point{t, t};
    g[p.x] = t; //~ here
    g[p.y + 1] = t; //~ here
}

// operator[] adds the offset.
//~ race-free
__global__ void operator_subscript_ok()
{
    __shared__ int s[128];
    int t = threadIdx.x;
    Shifted a = {s, 64};
    a[t] = t;
    s[t] = t;
}

// [index] With the offset 1 the neighbour's element.
//~ race
__global__ void operator_subscript_bad()
{
    __shared__ int s[128];
    int t = threadIdx.x;
    int *p = s;
    Shifted a = {p, 1};
    int &mine = a[t];
    mine = t; //~ here
    s[t] = t; //~ here
}

// operator() of row and column.
//~ race-free
__global__ void operator_call_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    Shifted a = {s, 0};
    a(t / 8, t % 8) = t;
}

// operator* is a place as well.
//~ race-free
__global__ void operator_star_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    Shifted a = {s, t};
    *a = t;
}

// Conversion of an index object.
//~ race-free
__global__ void operator_conversion_ok(int *g)
{
    Index i(threadIdx.x);
    g[i] = threadIdx.x;
}

// [index] The conversion halves.
//~ race
__global__ void operator_conversion_bad(int *g)
{
    int t = threadIdx.x;
    Halved h = {t};
    g[h] = t; //~ here
}

// Before and after: the element of i++ is the old one.
//~ race-free
__global__ void operator_increment_ok(int *g)
{
    int t = threadIdx.x;
    Index i(2 * t);
    g[i++] = t;
    g[i] = t;
}

// [index] ++i is the new one: 2*t + 1 and 2*t + 2.
//~ race
__global__ void operator_increment_bad(int *g)
{
    int t = threadIdx.x;
    Index i(2 * t);
    g[i] = t; //~ here
    ++i;
    g[++i] = t; //~ here
}

// Comparison by the first member.
//~ race-free
__global__ void operator_less_ok(int *g)
{
    int t = threadIdx.x;
    if (Point{t, 0} < Point{1, 5}) g[0] = t;
}

// [guard] Two threads pass.
//~ race
__global__ void operator_less_bad(int *g)
{
    int t = threadIdx.x;
    if (Point{t, 9} < Point{2, 5}) g[0] = t; //~ here
}
