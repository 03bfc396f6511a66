// Soundness: what changes a host value that a launch needs, and names that mean something else

#include <functional>
#include <vector>

// [conditional-reference] A reference to one of two.
//~ race
__global__ void hidden_conditional_bad(int *o) { o[threadIdx.x % 32] = threadIdx.x; } //~ here

// [wrapper] A reference in an object of the standard library.
//~ race
__global__ void hidden_wrapper_bad(int *o) { o[threadIdx.x % 32] = threadIdx.x; } //~ here

// [options] A pointer in a table that a library reads.
//~ race
__global__ void hidden_options_bad(int *o) { o[threadIdx.x % 32] = threadIdx.x; } //~ here

// [setters] A chain of setters that return their object.
//~ race
__global__ void hidden_setters_bad(int *o) { o[threadIdx.x % 32] = threadIdx.x; } //~ here

// [returned-reference] Through a reference that a member returns.
//~ race
__global__ void hidden_reference_bad(int *o) { o[threadIdx.x % 32] = threadIdx.x; } //~ here

// [shift] An operator that sets.
//~ race
__global__ void hidden_shift_bad(int *o) { o[threadIdx.x % 32] = threadIdx.x; } //~ here

// [pointer-array] Through an element of an array of pointers.
//~ race
__global__ void hidden_array_bad(int *o) { o[threadIdx.x % 32] = threadIdx.x; } //~ here

// [stored-pointer] Through a pointer that another function keeps.
//~ race
__global__ void hidden_stored_bad(int *o) { o[threadIdx.x % 32] = threadIdx.x; } //~ here

// [union] A member that lies on the one that is read.
//~ race
__global__ void hidden_union_bad(int *o) { o[threadIdx.x % 32] = threadIdx.x; } //~ here

// [unseen-class] A member function of a class that is not seen; another class has one of this name.
//~ race
__global__ void hidden_class_bad(int *o) { o[threadIdx.x % 32] = threadIdx.x; } //~ here

// [unseen-member] A member of a class that is not seen.
//~ race
__global__ void hidden_member_bad(int *o) { o[threadIdx.x % 32] = threadIdx.x; } //~ here

// Its own class's.
//~ race-free
__global__ void hidden_member_ok(int *o) { o[threadIdx.x % 32] = threadIdx.x; }

struct HiddenOther {
    static const int threads = 32;
    static int size() { return 32; }
    static void set(int &b) {}
};

struct HiddenBlock {
    int b = 32;
    HiddenBlock &set(int x) { b = x; return *this; }
    HiddenBlock &twice() { b *= 2; return *this; }
    int &ref() { return b; }
    HiddenBlock &operator<<(int x) { b = x; return *this; }
};

union HiddenUnion {
    int i;
    short s[2];
};

int *hidden_kept;
void hidden_keep(int *p) { hidden_kept = p; }
void hidden_change() { *hidden_kept = 64; }
void hidden_unseen(Unseen thing);

void hidden_host(int *o, bool c, std::vector<int> list, Unseen thing)
{
    int a = 32, b = 32;
    int &r = c ? a : b;
    r = 64;
    hidden_conditional_bad<<<1, a>>>(o);
    int w = 32;
    auto wrapped = std::ref(w);
    wrapped.get() = 64;
    hidden_wrapper_bad<<<1, w>>>(o);
    int flag = 32;
    struct option options[] = {{"block", 1, &flag, 64}, {0, 0, 0, 0}};
    getopt_long(0, 0, "", options, 0);
    hidden_options_bad<<<1, flag>>>(o);
    HiddenBlock chain;
    chain.set(32).twice();
    hidden_setters_bad<<<1, chain.b>>>(o);
    HiddenBlock referred;
    referred.ref() = 64;
    hidden_reference_bad<<<1, referred.b>>>(o);
    HiddenBlock shifted;
    shifted << 64;
    hidden_shift_bad<<<1, shifted.b>>>(o);
    int x = 32, y = 3;
    int *both[2] = {&x, &y};
    *both[0] = 64;
    hidden_array_bad<<<1, x>>>(o);
    int kept = 32;
    hidden_keep(&kept);
    hidden_change();
    hidden_stored_bad<<<1, kept>>>(o);
    HiddenUnion u;
    u.i = 32;
    u.s[0] = 64;
    hidden_union_bad<<<1, u.i>>>(o);
    hidden_class_bad<<<1, list.size()>>>(o);
    hidden_member_bad<<<1, Settings::threads>>>(o);
    hidden_member_ok<<<1, HiddenOther::threads>>>(o);
}
