// Construct: what the host makes of an object on its way to a kernel

// The host alone has a constructor that copies, and it forgets the step.
struct Forgetful {
    int step;
    Forgetful() = default;
    __host__ Forgetful(const Forgetful &) : step(0) {}
};

//~ fn_race
__global__ void passed_by_copy_of_host_bad(int *out, Forgetful with)
{
    out[threadIdx.x * with.step] = threadIdx.x;
}

void launch_copied(int *out)
{
    Forgetful with;
    with.step = 1;
    passed_by_copy_of_host_bad<<<1, 64>>>(out, with);
}

// The same of a member.
struct Around {
    Forgetful inner;
};

//~ fn_race
__global__ void passed_member_by_copy_of_host_bad(int *out, Around with)
{
    out[threadIdx.x * with.inner.step] = threadIdx.x;
}

void launch_member(int *out)
{
    Around with;
    with.inner.step = 1;
    passed_member_by_copy_of_host_bad<<<1, 64>>>(out, with);
}

// Two of four elements are copied; the others are what they are set to at first.
struct Partial {
    int steps[4] = {0, 0, 0, 0};
    Partial() = default;
    Partial(const Partial &other)
    {
        for (int i = 0; i < 2; i++)
            steps[i] = other.steps[i];
    }
};

//~ fn_race
__global__ void passed_copied_in_part_bad(int *out, Partial with)
{
    out[threadIdx.x * with.steps[3]] = threadIdx.x;
}

void launch_partial(int *out)
{
    Partial with;
    with.steps[3] = 1;
    passed_copied_in_part_bad<<<1, 64>>>(out, with);
}

// A constructor makes the parameter of an object of another class with the same member.
struct Given {
    int step;
};

struct Made {
    int step;
    Made(const Given &given) : step(given.step - 1) {}
};

//~ race conditional
__global__ void passed_made_of_another_open(int *out, Made with)
{
    out[threadIdx.x * with.step] = threadIdx.x; //~ here
}

void launch_made(int *out)
{
    Given given;
    given.step = 1;
    passed_made_of_another_open<<<1, 64>>>(out, given);
}

// A conversion function does.
struct Plain {
    int step;
};

struct Source {
    int step;
    operator Plain() const
    {
        Plain plain;
        plain.step = 0;
        return plain;
    }
};

//~ race conditional
__global__ void passed_by_conversion_open(int *out, Plain with)
{
    out[threadIdx.x * with.step] = threadIdx.x; //~ here
}

void launch_converted(int *out)
{
    Source source;
    source.step = 1;
    passed_by_conversion_open<<<1, 64>>>(out, source);
}

// Nothing is done on the way.
//~ race-free
__global__ void passed_as_it_is_ok(int *out, Plain with)
{
    out[threadIdx.x * with.step] = threadIdx.x;
}

void launch_as_it_is(int *out)
{
    Plain plain;
    plain.step = 1;
    passed_as_it_is_ok<<<1, 64>>>(out, plain);
}
