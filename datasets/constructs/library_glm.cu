//--blockDim=64 --gridDim=4
// Construct: vectors and matrices of GLM, and operators on vector types that no header here declares
#include <glm/glm.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <glm/gtx/norm.hpp>

using Matrix = glm::mat<3, 3, float>;

// What the functions of the library compute touches no memory.
__device__ float mixture(glm::vec3 a, glm::vec3 b, Matrix m)
{
    glm::vec3 c = glm::normalize(a) + glm::cross(a, b) * glm::dot(a, b) - glm::reflect(a, b) / glm::length(b);
    c += glm::sign(a) + glm::floor(a) + glm::ceil(a) + glm::fract(a) + glm::round(a) + glm::trunc(a) + glm::abs(a);
    c += glm::sqrt(a) + glm::inversesqrt(a) + glm::exp(a) + glm::exp2(a) + glm::log(a) + glm::log2(a);
    c += glm::sin(a) + glm::cos(a) + glm::tan(a) + glm::asin(a) + glm::acos(a) + glm::sinh(a) + glm::cosh(a) + glm::tanh(a);
    c += glm::radians(a) + glm::degrees(b) + glm::atan(a) + glm::atan(a, b);
    c += glm::mod(a, 2.f) + glm::pow(a, b) + glm::step(0.5f, a) + glm::mix(a, b, 0.5f) + glm::smoothstep(a, b, c);
    c *= glm::distance(a, b) + glm::distance2(a, b) + glm::length2(a) + glm::determinant(m);
    m = glm::inverse(glm::transpose(m)) * glm::outerProduct(a, b) + glm::matrixCompMult(m, m);
    glm::quat q = glm::conjugate(glm::quat(1.f, 0.f, 0.f, 0.f));
    c = m * c + -c * m;
    return c.x + c[1] + m[2][0] + q.x + glm::value_ptr(c)[0];
}

// Rows of a matrix that its thread reads and writes, by names, by subscripts, by addresses.
//~ race-free
__global__ void glm_rows_ok(const float *in, float *out, glm::vec3 *directions)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    glm::vec3 a = glm::make_vec3(in + 3 * i), d = directions[i];
    glm::vec4 four = glm::make_vec4(in);
    glm::vec2 two = glm::make_vec2(in);
    Matrix m = glm::make_mat3(in) * Matrix(two.x);
    glm::mat2 small = glm::make_mat2(in);
    glm::mat4 large = glm::make_mat4(in);
    d[i % 3] = mixture(a, d, m) + small[0][0] + large[3].w;
    d = glm::clamp(glm::max(d, a), glm::vec3(0.f), glm::min(d, glm::vec3(four)));
    directions[i] = d;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) out[9 * i + 3 * r + c] = m[c][r];
}

// [index] A row is three wide, and begins where the one before has its last element.
//~ race
__global__ void glm_rows_bad(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    glm::vec3 a = glm::make_vec3(in + 3 * i);
    glm::vec4 four = glm::make_vec4(in);
    glm::vec2 two = glm::make_vec2(in);
    Matrix m = glm::make_mat3(in);
    glm::mat2 small = glm::make_mat2(in);
    glm::mat4 large = glm::make_mat4(in);
    a = glm::clamp(glm::max(a, a), glm::vec3(two.x), glm::min(a, glm::vec3(four)));
    float sum = mixture(a, a, m) + small[0][0] + large[3].w;
    for (int r = 0; r < 3; r++) out[2 * i + r] = sum + r; //~ here
}

// [index] Vectors of three floats, written by address as well.
//~ race
__global__ void glm_address_bad(glm::vec3 *points)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float *first = glm::value_ptr(points[0]);
    points[i].z = i; //~ here
    first[3 * i + 5] = 0.f; //~ here
}

// Members that are known make an index.
//~ race-free
__global__ void glm_index_ok(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    glm::ivec2 place(i, 3);
    glm::ivec2 copy = place;
    out[copy[0]] = glm::min(copy.y, 7);
}

// [index] The other one does not tell threads apart.
//~ race
__global__ void glm_index_bad(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    glm::ivec2 place(i, 3);
    place[i & 1] = 5;
    out[place[0]] = i; //~ here
}

// Operators of a header that is missing: `float4` times a number.
//~ race-free
__global__ void float4_operators_ok(const float4 *in, float4 *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = in[i] * 2.f + in[i + 1];
    v -= in[i];
    out[i] = -v;
}

// [index] The same into half as many places.
//~ race
__global__ void float4_operators_bad(const float4 *in, float4 *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = in[i] * 2.f + in[i + 1];
    v -= in[i];
    out[i / 2] = -v; //~ here
}
