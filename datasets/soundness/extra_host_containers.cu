// Extra: containers of libraries have memory of their own, and so have their copies.

// [clean] A copy, declared.
//~ race-free
__global__ void container_copied_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

// [clean] A copy whose type is that of its initialiser.
//~ race-free
__global__ void container_auto_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

// [clean] An assignment.
//~ race-free
__global__ void container_assigned_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

// [clean] Two copies of a third one.
//~ race-free
__global__ void container_third_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

// [alias] The same one twice.
//~ race
__global__ void container_twice_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

// [alias] By reference.
//~ race
__global__ void container_reference_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

// [clean] A number that a copy holds, after the first one has another.
//~ race-free
__global__ void container_number_ok(int *to, int n)
{
    to[threadIdx.x] = n;
}

// A class of this name that nobody declares may share its memory with its copies: that it does not is an assumption, which names
// the arrays.
//~ race-free
__global__ void container_unseen_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void launch_containers(int n)
{
    thrust::device_vector<int> a(32);
    thrust::device_vector<int> b = a;
    container_copied_ok<<<1, 32>>>(thrust::raw_pointer_cast(a.data()), thrust::raw_pointer_cast(b.data()));

    auto c = a;
    container_auto_ok<<<1, 32>>>(thrust::raw_pointer_cast(a.data()), thrust::raw_pointer_cast(c.data()));

    thrust::device_vector<int> d;
    d = a;
    container_assigned_ok<<<1, 32>>>(thrust::raw_pointer_cast(d.data()), thrust::raw_pointer_cast(a.data()));

    thrust::host_vector<int> h(32);
    thrust::device_vector<int> e = h, f = h;
    container_third_ok<<<1, 32>>>(thrust::raw_pointer_cast(e.data()), thrust::raw_pointer_cast(f.data()));

    container_twice_bad<<<1, 32>>>(thrust::raw_pointer_cast(b.data()), thrust::raw_pointer_cast(b.data()));

    thrust::device_vector<int> &r = a;
    container_reference_bad<<<1, 32>>>(thrust::raw_pointer_cast(r.data()), thrust::raw_pointer_cast(a.data()));

    std::vector<int> numbers(4);
    std::vector<int> copy = numbers;
    numbers[0] = n;
    container_number_ok<<<1, 32>>>(thrust::raw_pointer_cast(a.data()), copy[0]);

    vector<int> unseen(32);
    vector<int> other = unseen;
    container_unseen_ok<<<1, 32>>>(unseen.data(), other.data());
}
