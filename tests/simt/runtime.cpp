// The part of the SIMT runtime that the sanitizer does not see: this file is compiled without instrumentation, so that waiting here
// orders nothing. What does order memory in CUDA says so with __tsan_release and __tsan_acquire.

#include "runtime.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" {
void __tsan_acquire(void *);
void __tsan_release(void *);
int __tsan_get_report_data(void *, const char **, int *, int *, int *, int *, int *, int *, int *, int *, void **, unsigned long);
int __tsan_get_report_mop(void *, unsigned long, int *, void **, int *, int *, int *, void **, unsigned long);
void __tsan_on_report(void *report);
void AnnotateIgnoreReadsBegin(const char *, int);
void AnnotateIgnoreWritesBegin(const char *, int);
void AnnotateIgnoreReadsEnd(const char *, int);
void AnnotateIgnoreWritesEnd(const char *, int);
// The shared memory of the block, laid out by the linker.
extern char __start_simt_shared[] __attribute__((weak));
extern char __stop_simt_shared[] __attribute__((weak));
}

namespace simt {

// The sanitizer watches memcpy wherever it is called.
static void copy(void *to, const void *from, size_t size) {
    for (size_t i = 0; i < size; i++) ((volatile char *)to)[i] = ((const volatile char *)from)[i];
}

static void lock(int *word) {
    while (__atomic_exchange_n(word, 1, __ATOMIC_ACQUIRE)) sched_yield();
}
static void unlock(int *word) { __atomic_store_n(word, 0, __ATOMIC_RELEASE); }

// What groups tell the sanitizer to be ordered by. Each group of each block has two of its own, or it would order blocks.
static char orders[1 << 20];
static size_t used_orders;

static char *new_order() {
    size_t first = __atomic_fetch_add(&used_orders, 2, __ATOMIC_RELAXED);
    if (first + 2 > sizeof(orders)) {
        fprintf(stderr, "simt: too many groups\n");
        _exit(3);
    }
    return orders + first;
}

// Threads that wait for each other; one that ends is waited for no longer.
struct Group {
    int word, live, arrived, generation;
    unsigned mask;
    char *order;

    void release() {
        arrived = 0;
        __atomic_add_fetch(&generation, 1, __ATOMIC_RELEASE);
        syscall(SYS_futex, &generation, FUTEX_WAKE, 1 << 20, 0, 0, 0);
    }
    void arrive(bool orders) {
        lock(&word);
        int now = generation;
        if (orders) __tsan_release(&order[now & 1]);
        if (++arrived == live) release();
        unlock(&word);
        while (__atomic_load_n(&generation, __ATOMIC_ACQUIRE) == now)
            syscall(SYS_futex, &generation, FUTEX_WAIT, now, 0, 0, 0);
        if (orders) __tsan_acquire(&order[now & 1]);
    }
    void leave() {
        lock(&word);
        if (--live > 0 && arrived == live) release();
        unlock(&word);
    }
};

struct Warp {
    int word;
    unsigned gone, present;
    Group groups[16];
    char slots[32][16];
};

static Group block_group;
static Warp warps[64];
static int running, gate;
// Whole pages, and linked last: the section that holds the shared memory then begins and ends at pages, on which nothing else lies.
static const size_t page = 4096;
__attribute__((section("simt_shared"), aligned(page))) char dynamic_memory[16 * page];
static thread_local int my_number;

static Warp &warp() { return warps[my_number / 32]; }

static Group &warp_group(unsigned mask) {
    Warp &warp = simt::warp();
    lock(&warp.word);
    for (Group &group : warp.groups) {
        if (group.mask == 0) {
            group.mask = mask;
            group.order = new_order();
            group.live = __builtin_popcount(mask & warp.present & ~warp.gone);
        }
        if (group.mask == mask) {
            unlock(&warp.word);
            return group;
        }
    }
    fprintf(stderr, "simt: too many masks\n");
    _exit(3);
}

// Two plain writes race only if they leave different bytes where they overlap. The one that was first is in memory when the
// sanitizer reports, unless its thread was stopped between telling the sanitizer and writing; the other follows as soon as it
// has reported. So the bytes are looked at again when this thread comes to a barrier or its end: whether they differ may be
// by such a stop, and has an exit status of its own.
struct Doubt {
    char *place;
    int size;
    char bytes[16];
};
static thread_local Doubt doubts[32];
static thread_local int doubtful;

static void settle() {
    for (int i = 0; i < doubtful; i++)
        for (int byte = 0; byte < doubts[i].size; byte++)
            if (((volatile char *)doubts[i].place)[byte] != doubts[i].bytes[byte]) _exit(67);
    doubtful = 0;
}

extern "C" __attribute__((visibility("default"))) void __tsan_on_report(void *report) {
    void *places[2];
    int sizes[2];
    for (int which = 0; which < 2; which++) {
        int thread, write, atomic;
        void *trace[1];
        if (!__tsan_get_report_mop(report, which, &thread, &places[which], &sizes[which], &write, &atomic, trace, 1) ||
            !write || atomic)
            _exit(66);
    }
    char *start[2], *end[2];
    for (int which = 0; which < 2; which++) {
        start[which] = (char *)places[which];
        end[which] = start[which] + sizes[which];
    }
    char *from = start[0] > start[1] ? start[0] : start[1];
    char *to = end[0] < end[1] ? end[0] : end[1];
    // A write of no size of a scalar, a memset or the like, is not looked into.
    if (from >= to || to - from > 16 || doubtful == 32) _exit(66);
    Doubt &doubt = doubts[doubtful++];
    doubt.place = from;
    doubt.size = to - from;
    copy(doubt.bytes, doubt.place, doubt.size);
}

void block_barrier(bool orders) {
    settle();
    block_group.arrive(orders);
}
void warp_barrier(unsigned mask) { warp_group(mask).arrive(true); }

void exchange(unsigned mask, const void *mine, size_t size, void *all) {
    Group &group = warp_group(mask);
    copy(warp().slots[my_number % 32], mine, size);
    group.arrive(false);
    for (int lane = 0; lane < 32; lane++) copy((char *)all + lane * size, warp().slots[lane], size);
    group.arrive(false);
}

int count(int value) {
    static int total;
    __atomic_add_fetch(&total, value, __ATOMIC_SEQ_CST);
    block_group.arrive(true);
    int sum = __atomic_load_n(&total, __ATOMIC_SEQ_CST);
    block_group.arrive(false);
    __atomic_store_n(&total, 0, __ATOMIC_SEQ_CST);
    block_group.arrive(false);
    return sum;
}

struct Start {
    int number;
    bool quiet;
    unsigned x, y, z;
    void (*body)(void *, unsigned, unsigned, unsigned);
    void *context;
};

static void *main_of_thread(void *pointer) {
    Start start = *(Start *)pointer;
    my_number = start.number;
    // All begin together, as far as the system lets them.
    while (!__atomic_load_n(&gate, __ATOMIC_ACQUIRE)) syscall(SYS_futex, &gate, FUTEX_WAIT, 0, 0, 0, 0);
    // Only the threads of a witness are watched, if there is one.
    if (start.quiet) {
        AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
        AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    }
    start.body(start.context, start.x, start.y, start.z);
    settle();
    if (start.quiet) {
        AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
        AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    }
    Warp &warp = simt::warp();
    lock(&warp.word);
    warp.gone |= 1u << (my_number % 32);
    for (Group &group : warp.groups)
        if (group.mask >> (my_number % 32) & 1) group.leave();
    unlock(&warp.word);
    block_group.leave();
    if (__atomic_sub_fetch(&running, 1, __ATOMIC_RELEASE) == 0)
        syscall(SYS_futex, &running, FUTEX_WAKE, 1, 0, 0, 0);
    // Of a thread that has ended the sanitizer forgets what it did: this one stays to the end of the process.
    static int never;
    for (;;) syscall(SYS_futex, &never, FUTEX_WAIT, 0, 0, 0, 0);
}

void run_block(const unsigned size[3], unsigned block, long watched[2][2], bool watch,
               void (*body)(void *, unsigned, unsigned, unsigned), void *context) {
    int total = (int)(size[0] * size[1] * size[2]);
    // The launcher never waits for threads in a way that is seen, so nothing orders one block before the next; new pages make the
    // shared memory new.
    char *from = __start_simt_shared, *to = __stop_simt_shared;
    if (from != to) {
        // The sanitizer forgets what was done to the pages: nothing else may lie on them.
        if ((size_t)from % page || (size_t)to % page) {
            fprintf(stderr, "simt: shared memory is not alone on its pages\n");
            _exit(3);
        }
        mmap(from, to - from, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    block_group = Group();
    block_group.live = total;
    block_group.order = new_order();
    for (Warp &warp : warps) warp = Warp();
    for (int number = 0; number < total; number++)
        warps[number / 32].present |= 1u << (number % 32);
    running = total;
    gate = 0;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 << 10);
    Start *starts = (Start *)calloc(total, sizeof(Start));
    for (int number = 0; number < total; number++) {
        Start &start = starts[number];
        start = {number, false, number % size[0], number / size[0] % size[1],
                 number / size[0] / size[1], body, context};
        if (watch) {
            start.quiet = true;
            for (int which = 0; which < 2; which++)
                if (watched[which][0] == (long)block && watched[which][1] == number) start.quiet = false;
        }
        pthread_t thread;
        if (pthread_create(&thread, &attributes, main_of_thread, &start)) {
            fprintf(stderr, "simt: no thread\n");
            _exit(3);
        }
    }
    __atomic_store_n(&gate, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &gate, FUTEX_WAKE, 1 << 20, 0, 0, 0);
    for (int left; (left = __atomic_load_n(&running, __ATOMIC_ACQUIRE)) != 0;)
        syscall(SYS_futex, &running, FUTEX_WAIT, left, 0, 0, 0);
}

// Threads of the system have variables of their own, copies are watched by the sanitizer, and the one launch is the first.
void keep(int, void *, size_t) {}
void begin_launch() {}
void copied(void *, const void *, size_t) {}
void finish() {
    fflush(stderr);
    _exit(0);
}

}  // namespace simt
