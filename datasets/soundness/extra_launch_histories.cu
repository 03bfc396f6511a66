// Extra: what structures held before host code that nobody can follow has had them

struct Parts {
    int *in;
    int *out;
    int *spare;
    int *other;
    char name[16];
};

void touch(Parts *p);
void touch_both(Parts *p, Parts *q);

// [alias] The allocation is kept by a variable, put into both members, and forgotten twice.
//~ assumed_race
__global__ void history_kept_bad(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[63 - t];
}

void history_kept_host()
{
    Parts s;
    int *keep;
    cudaMalloc((void **)&keep, 64 * sizeof(int));
    s.in = keep;
    touch(&s);
    s.out = keep;
    touch(&s);
    history_kept_bad<<<1, 64>>>(s.out, s.in);
}

// [alias] A copied structure, both given away together.
//~ assumed_race
__global__ void history_copied_bad(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[63 - t];
}

void history_copied_host(Parts *given)
{
    Parts x = *given;
    Parts y = x;
    touch_both(&x, &y);
    history_copied_bad<<<1, 64>>>(x.out, y.out);
}

// [alias] Text is read into one member: the others are what they were.
//~ assumed_race
__global__ void history_text_bad(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[63 - t];
}

void history_text_host(FILE *file)
{
    Parts s;
    int *keep;
    cudaMalloc((void **)&keep, 64 * sizeof(int));
    s.in = keep;
    fgets(s.name, 16, file);
    history_text_bad<<<1, 64>>>(s.in, keep);
}

// [alias] From the second round on both members are the same.
//~ assumed_race
__global__ void history_round_bad(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[63 - t];
}

void history_round_host(Parts *b, int n)
{
    for (int i = 0; i < n; i++) {
        touch(b);
        history_round_bad<<<1, 64>>>(b->out, b->spare);
        b->out = b->spare;
    }
}

// [alias] A loop may have made two pointers the same before they are stored.
//~ assumed_race
__global__ void history_carried_bad(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[63 - t];
}

void history_carried_host(int n)
{
    Parts s;
    int *x, *y;
    cudaMalloc((void **)&x, 64 * sizeof(int));
    cudaMalloc((void **)&y, 64 * sizeof(int));
    for (int i = 0; i < n; i++) {
        if (i == 7) x = y;
    }
    s.in = x;
    s.out = y;
    touch(&s);
    history_carried_bad<<<1, 64>>>(s.in, s.out);
}

// [alias] One branch makes them the same.
//~ assumed_race
__global__ void history_branch_bad(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[63 - t];
}

void history_branch_host(Parts *b, int n)
{
    if (n > 3) b->out = b->in;
    touch(b);
    history_branch_bad<<<1, 64>>>(b->out, b->in);
}

// [alias] The structure has two names.
//~ assumed_race
__global__ void history_named_bad(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[63 - t];
}

void history_named_host(Parts *b)
{
    Parts *same = b;
    same->out = b->spare;
    touch(same);
    history_named_bad<<<1, 64>>>(b->out, b->spare);
}

// [alias] The pointer to the structure was given away as well.
void touch_pointer(Parts **p);

//~ assumed_race
__global__ void history_reached_bad(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[63 - t];
}

void history_reached_host(Parts *b)
{
    b->out = b->spare;
    touch_pointer(&b);
    history_reached_bad<<<1, 64>>>(b->out, b->spare);
}

// [alias] A variable keeps what a member was before it was forgotten.
//~ assumed_race
__global__ void history_before_bad(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[63 - t];
}

void history_before_host(Parts *b)
{
    int *old = b->in;
    touch(b);
    history_before_bad<<<1, 64>>>(b->in, old);
}

// Two members are the same; the launch gets two others.
//~ race-free
__global__ void history_others_ok(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[63 - t];
}

void history_others_host()
{
    Parts s;
    cudaMalloc((void **)&s.in, 64 * sizeof(int));
    cudaMalloc((void **)&s.out, 64 * sizeof(int));
    cudaMalloc((void **)&s.spare, 64 * sizeof(int));
    s.other = s.spare;
    touch(&s);
    history_others_ok<<<1, 64>>>(s.out, s.in);
}

// Text is read into one member of two: the pointers stay apart.
//~ race-free
__global__ void history_text_ok(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[63 - t];
}

void history_text_apart_host(FILE *file)
{
    Parts s;
    cudaMalloc((void **)&s.in, 64 * sizeof(int));
    cudaMalloc((void **)&s.out, 64 * sizeof(int));
    fgets(s.name, 16, file);
    history_text_ok<<<1, 64>>>(s.out, s.in);
}
