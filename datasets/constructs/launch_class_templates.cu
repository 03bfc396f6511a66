// Construct: kernels launched from methods of class templates, whose arguments go into the launch

// Two threads of a block share a place, or each has its own.
template <class T> struct Step
{
    static const int apart = 1;
};

template <> struct Step<double>
{
    static const int apart = 0;
};

// By explicit instantiation.
//~ race-free
template <class T> __global__ void class_instance_ok(T *g)
{
    g[threadIdx.x * Step<T>::apart] = threadIdx.x;
}

template <class T> class InstanceOk
{
public:
    void run();
    T *data;
};

template <class T> void InstanceOk<T>::run()
{
    cudaMalloc(&data, 64 * sizeof(T));
    class_instance_ok<T><<<1, 64>>>(data);
}

template class InstanceOk<float>;

// [one for all] The program asks for the type of which all threads share a place.
//~ race
template <class T> __global__ void class_instance_bad(T *g)
{
    g[threadIdx.x * Step<T>::apart] = threadIdx.x; //~ here
}

template <class T> class InstanceBad
{
public:
    void run()
    {
        cudaMalloc(&data, 64 * sizeof(T));
        class_instance_bad<<<1, 64>>>(data);
    }
    T *data;
};

template class InstanceBad<double>;

// A number of the class is the size of the block.
//~ race-free
__global__ void class_number_ok(int *g)
{
    __shared__ int s[64];
    s[threadIdx.x % 64] = threadIdx.x;
    g[threadIdx.x] = s[threadIdx.x % 64];
}

template <class T, int N> struct NumberOk
{
    T *data;
    void fill() { class_number_ok<<<1, N>>>(data); }
    void both() { this->fill(); fill(); }
};

// [other number] Another object has more threads than the array has places.
//~ race
__global__ void class_number_bad(int *g)
{
    __shared__ int s[64];
    s[threadIdx.x % 64] = threadIdx.x; //~ here
    g[threadIdx.x] = s[threadIdx.x % 64]; //~ here
}

template <class T, int N> struct NumberBad
{
    T *data;
    void crowd() { class_number_bad<<<1, N>>>(data); }
};

// The class of a member, and of what it points to.
//~ race-free
__global__ void class_member_ok(int *g)
{
    g[threadIdx.x / 2 + threadIdx.x % 2 * 32] = threadIdx.x;
}

//~ race
__global__ void class_member_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

template <class T> struct Part
{
    T *data;
    void good() { class_member_ok<<<1, 16 * sizeof(T)>>>((int *)data); }
    void bad() { class_member_bad<<<1, 16 * sizeof(T)>>>((int *)data); }
};

template <class T> struct Whole
{
    Part<T> inside;
    Part<T> *behind;
    void halves()
    {
        behind = new Part<T>();
        cudaMalloc(&inside.data, 4096);
        cudaMalloc(&behind->data, 4096);
        inside.good();
        behind->bad();
    }
};

// The same name means another number where the object is used.
//~ race
__global__ void class_shadow_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

template <int N> struct Shadow
{
    int *data;
    void shade() { class_shadow_bad<<<1, N>>>(data); }
};

template <int M> struct Around
{
    Shadow<M * 2> inside;
    template <int N> void light(int (&)[N]) { inside.shade(); }
};

// A specialisation has a body of its own.
//~ race
__global__ void class_special_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

template <int N> struct Special
{
    int *data;
    void apart() { class_special_bad<<<1, 32>>>(data); }
};

template <> struct Special<64>
{
    int *data;
    void apart() { class_special_bad<<<1, 64>>>(data); }
};

// [hidden number] Where the object is used, its number has the name of another.
//~ race
__global__ void class_hidden_bad(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x; //~ here
}

//~ race-free
__global__ void class_hidden_ok(int *g)
{
    g[threadIdx.x % 32] = threadIdx.x;
}

template <int N> struct HiddenBad
{
    int *data;
    void hide() { class_hidden_bad<<<1, N>>>(data); }
};

template <int N> struct HiddenOk
{
    int *data;
    void show() { class_hidden_ok<<<1, N>>>(data); }
};

int main()
{
    NumberOk<int, 64> exact;
    cudaMalloc(&exact.data, 4096);
    exact.both();
    NumberBad<int, 64> fits;
    NumberBad<int, 128> *exceeds = new NumberBad<int, 128>();
    cudaMalloc(&fits.data, 4096);
    cudaMalloc(&exceeds->data, 4096);
    fits.crowd();
    exceeds->crowd();
    Whole<int> whole;
    whole.halves();
    Around<32> around;
    int sizes[16];
    around.light(sizes);
    const int W = 64;
    HiddenBad<W> many;
    HiddenOk<W / 2> few;
    cudaMalloc(&many.data, 4096);
    cudaMalloc(&few.data, 4096);
    {
        const int W = 32;
        many.hide();
        few.show();
        cudaMemset(many.data, 0, W);
    }
    Special<64> special;
    cudaMalloc(&special.data, 4096);
    special.apart();
}

__device__ int own_place(int thread) { return thread; }
__device__ int shared_place(int thread) { return thread / 2; }

// A function as an argument of the class.
//~ race-free
template <int (*place)(int)> __global__ void class_function_ok(int *g)
{
    g[place(threadIdx.x)] = threadIdx.x;
}

// [one for two] With this one two threads come to one place.
//~ race
template <int (*place)(int)> __global__ void class_function_bad(int *g)
{
    g[place(threadIdx.x)] = threadIdx.x; //~ here
}

template <int (*place)(int)> struct PlacedOk
{
    static void run(int *g) { class_function_ok<place><<<1, 64>>>(g); }
};

template <int (*place)(int)> struct PlacedBad
{
    int *data;
    void run() { class_function_bad<place><<<1, 64>>>(data); }
};

void placed(int *g)
{
    PlacedOk<own_place>::run(g);
    PlacedBad<shared_place> bad;
    bad.data = g;
    bad.run();
}
