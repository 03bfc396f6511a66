//--blockDim=64 --gridDim=1
// Construct: templates as arguments of specialised templates, defaults of template parameters, names in them

template <typename T>
struct Plain {
    typedef T *Pointer;
    static const int step = 0;
};

template <typename T>
struct Restricted {
    typedef T *__restrict__ Pointer;
    static const int step = 1;
};

template <typename T, int N, template <typename> class Traits = Plain>
class ViewBase {
public:
    typedef typename Traits<T>::Pointer Pointer;
    __device__ Pointer data() { return data_; }
    __device__ const Pointer data() const { return data_; }
    __device__ int at(int i) const { return Traits<T>::step * i; }

protected:
    Pointer data_;
    int sizes_[N];
};

template <typename T, int N, template <typename> class Traits = Plain>
class View : public ViewBase<T, N, Traits> {
};

template <typename T, template <typename> class Traits>
class View<T, 1, Traits> : public ViewBase<T, 1, Traits> {
};

template <typename T>
class View<T, 3, Restricted> : public ViewBase<T, 3, Plain> {
};

template <typename T, int N, template <typename> class Traits = Plain>
using Short = View<T, N, Traits>;

namespace apart {
struct Step {
    static const int size = 0;
};

template <typename T>
struct Steps {
    static const int size = 0;
};

template <typename T, typename S = Step>
struct Walk {
    __device__ int at(int i) const { return S::size * i; }
};

template <typename T, template <typename> class S = Steps>
struct Stride {
    __device__ int at(int i) const { return S<T>::size * i; }
};

template <typename T, T value>
struct Kept {
    static const T kept = value;
};
}

struct Step {
    static const int size = 1;
};

template <typename T>
struct Steps {
    static const int size = 1;
};

template <typename T>
struct Wide {
    static const int size = apart::Kept<int, 256>::kept;
};

//~ race-free
__global__ void traits_one_ok(Short<int, 1, Restricted> v)
{
    v.data()[threadIdx.x] = threadIdx.x;
}

//~ race-free
__global__ void traits_one_step_ok(View<int, 1, Restricted> v)
{
    v.data()[v.at(threadIdx.x)] = threadIdx.x;
}

// [index] The template that stands for nothing else has a step of 0.
//~ race
__global__ void traits_default_bad(View<int, 1> v)
{
    v.data()[v.at(threadIdx.x)] = threadIdx.x; //~ here
}

//~ race-free
__global__ void traits_many_ok(View<int, 2, Restricted> v)
{
    v.data()[v.at(threadIdx.x)] = threadIdx.x;
}

// [specialisation] The one for three dimensions and this template has another base.
//~ race
__global__ void traits_special_bad(View<int, 3, Restricted> v)
{
    v.data()[v.at(threadIdx.x)] = threadIdx.x; //~ here
}

// [default] The default is looked up where the template stands.
//~ race
__global__ void default_type_bad(int *g)
{
    apart::Walk<int> walk;
    g[walk.at(threadIdx.x)] = threadIdx.x; //~ here
}

//~ race-free
__global__ void default_type_ok(int *g)
{
    apart::Walk<int, Step> walk;
    g[walk.at(threadIdx.x)] = threadIdx.x;
}

// [default] As before, for a template.
//~ race
__global__ void default_template_bad(int *g)
{
    apart::Stride<int> stride;
    g[stride.at(threadIdx.x)] = threadIdx.x; //~ here
}

//~ race-free
__global__ void default_template_ok(int *g)
{
    apart::Stride<int, Steps> stride;
    g[stride.at(threadIdx.x)] = threadIdx.x;
}

// The value has the type that the template was given, not one of the same name around.
//~ race-free
__global__ void value_type_ok(int *g)
{
    g[Wide<unsigned char>::size / 256 * threadIdx.x] = threadIdx.x;
}
