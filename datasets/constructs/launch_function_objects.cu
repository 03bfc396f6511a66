// Launches from the call operator of a class template that has a function of the device as its argument

__device__ int own_seat(int guest) { return guest; }
__device__ int shared_seat(int guest) { return guest / 2; }

// By a name of the object, called as a member.
//~ race-free
template <int (*seat)(int)> __global__ void seated_member_ok(int *hall)
{
    hall[seat(threadIdx.x)] = threadIdx.x;
}

template <int (*seat)(int)> struct Member
{
    void run(int *hall) { seated_member_ok<seat><<<1, 64>>>(hall); }
};

// An object without a name, called by its operator.
//~ fp_race-free
template <int (*seat)(int)> __global__ void seated_called_ok(int *hall)
{
    hall[seat(threadIdx.x)] = threadIdx.x;
}

template <int (*seat)(int)> struct CalledOk
{
    void operator()(int *hall) { seated_called_ok<seat><<<1, 64>>>(hall); }
};

// [one for two] With this one two threads come to one place.
//~ race
template <int (*seat)(int)> __global__ void seated_called_bad(int *hall)
{
    hall[seat(threadIdx.x)] = threadIdx.x; //~ here
}

template <int (*seat)(int)> struct CalledBad
{
    void operator()(int *hall) { seated_called_bad<seat><<<1, 64>>>(hall); }
};

void seat_all(int *hall)
{
    Member<own_seat> member;
    member.run(hall);
    CalledOk<own_seat>()(hall);
    CalledBad<shared_seat>()(hall);
}
