// The SIMT runtime on one thread of the system: each CUDA thread is a fiber, each access is recorded, and an access races with
// another if no chain of barriers orders them.
//
// The compiler announces every access of instrumented code by a call (`-fsanitize=thread` when compiling, not when linking); the
// functions that it calls are defined here. A thread has a vector clock, with one entry for each thread of its block. A barrier
// joins the clocks of the threads that it brings together, if it orders memory; blocks are never ordered. Of each byte the accesses
// are kept that a later one may race with: so a race is seen in whichever order the fibers run, as long as control flow
// comes to both accesses. This is what ThreadSanitizer does with real threads, but exact: nothing is forgotten, nothing hangs on
// the scheduler of the system.
//
// Two plain writes race if they leave different bytes. An atomic operation races with plain accesses, and with atomic ones of other
// bytes. A barrier of the block that some threads reach at another place, or after others have ended, is divergence.
//
// Exit status: 0 nothing, 66 a race, 69 a barrier that diverges, 70 both, 3 what cannot be run.

#include "runtime.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include <unordered_map>
#include <vector>

extern "C" {
// The shared memory of the block, laid out by the linker.
extern char __start_simt_shared[] __attribute__((weak));
extern char __stop_simt_shared[] __attribute__((weak));
}

namespace simt {

__attribute__((section("simt_shared"), aligned(4096))) char dynamic_memory[16 * 4096];

enum { STACK = 256 << 10, SPIN = 20000 };

// ---- fibers ----

struct Group;

// A write that was announced. Of a copy of an object the compiler announces the write, then the read, then copies: so the bytes are
// looked at after two more events of the fiber, or before it writes there again or lets others run.
struct Pending {
    char *place;
    size_t size;
    int age;
};

struct Fiber {
    ucontext_t context;
    char *stack;
    int number;
    bool done, watched;
    Group *waits;
    const void *site;
    std::vector<char> kept[2];
    // Writes that were announced, whose bytes may not be in memory yet.
    std::vector<Pending> pending;
    unsigned events;
    void (*body)(void *, unsigned, unsigned, unsigned);
    void *argument;
    unsigned x, y, z;
};

struct Group {
    unsigned mask = 0;
    int live = 0, arrived = 0;
    unsigned generation = 0;
    std::vector<int> members;
};

struct Warp {
    unsigned gone = 0, present = 0;
    std::vector<Group *> groups;
    char slots[32][16];
};

static ucontext_t scheduler;
static std::vector<Fiber *> fibers;
static std::vector<char *> free_stacks;
static Fiber *current;
static std::vector<Warp> warps;
static Group block_group;
static unsigned block_number;
static int total_count;
static bool raced, diverged;
static bool told_race;
// What each fiber has a copy of of its own: threadIdx and the like.
struct Own {
    char *memory;
    size_t size;
};
static Own own[2];

void keep(int which, void *memory, size_t size) { own[which] = {(char *)memory, size}; }

// ---- order ----

// clocks[t][u]: up to which of its steps thread u is before thread t.
static std::vector<std::vector<uint32_t>> clocks;

static void join(const std::vector<int> &members) {
    std::vector<uint32_t> all(clocks[members[0]].size());
    for (int member : members)
        for (size_t u = 0; u < all.size(); u++)
            if (clocks[member][u] > all[u]) all[u] = clocks[member][u];
    for (int member : members) {
        clocks[member] = all;
        clocks[member][member]++;
    }
}

struct Record {
    unsigned block;
    int thread;
    uint32_t clock;
    // Of an atomic operation where it began and how long it was, as bytes before this one and its size.
    uint8_t size, before;
    bool write, atomic;
    char value;
};

struct Cell {
    std::vector<Record> records;
};

static std::unordered_map<uintptr_t, Cell> memory;

static bool before(const Record &old, const Record &now) {
    if (old.block != now.block) return false;
    return old.thread == now.thread || old.clock <= clocks[now.thread][old.thread];
}

static void record(char *place, const Record &now) {
    Cell &cell = memory[(uintptr_t)place];
    size_t kept = 0;
    bool known = false;
    for (Record &old : cell.records) {
        bool ordered = before(old, now);
        if (!ordered && (old.write || now.write)) {
            bool both_atomic = old.atomic && now.atomic && old.size == now.size && old.before == now.before;
            bool same = old.write && now.write && !old.atomic && !now.atomic && old.value == now.value;
            if (!both_atomic && !same) {
                raced = true;
                if (!told_race) {
                    told_race = true;
                    fprintf(stderr, "simt: race at %p: block %u thread %d %s%s, block %u thread %d %s%s\n", (void *)place, old.block,
                            old.thread, old.atomic ? "atomic " : "", old.write ? "write" : "read", now.block, now.thread,
                            now.atomic ? "atomic " : "", now.write ? "write" : "read");
                }
            }
        }
        if (old.block == now.block && old.thread == now.thread && old.clock == now.clock && old.write == now.write &&
            old.atomic == now.atomic && old.value == now.value && old.size == now.size && old.before == now.before)
            known = true;
        // A read that an ordered access of the same or a stronger kind follows cannot race without that one racing, too. Of writes
        // all values count.
        if (ordered && !old.write && !old.atomic && !now.atomic) continue;
        cell.records[kept++] = old;
    }
    cell.records.resize(kept);
    if (!known) cell.records.push_back(now);
    if (cell.records.size() > 4096) cell.records.erase(cell.records.begin());
}

// Memory that is each fiber's own: stacks and copies of threadIdx. Another fiber that is given a pointer to a stack is not followed.
static bool is_own(const char *place) {
    for (const Own &each : own)
        if (place >= each.memory && place < each.memory + each.size) return true;
    for (Fiber *fiber : fibers)
        if (place >= fiber->stack && place < fiber->stack + STACK) return true;
    return false;
}

static bool is_seen() { return current && current->watched; }

// Records pending writes: those old enough, those that a new write overlaps, or all.
static void settle(bool all, const char *place = nullptr, size_t size = 0) {
    std::vector<Pending> &pending = current->pending;
    size_t kept = 0;
    for (size_t i = 0; i < pending.size(); i++) {
        Pending write = pending[i];
        bool overlaps = place && place < write.place + write.size && write.place < place + size;
        if (!all && !overlaps && write.age < 2) {
            pending[kept++] = write;
            continue;
        }
        for (size_t byte = 0; byte < write.size; byte++) {
            Record now = {block_number, current->number, clocks[current->number][current->number], 0, 0, true, false, write.place[byte]};
            record(write.place + byte, now);
        }
    }
    pending.resize(kept);
}

static void switch_out();

static void event() {
    for (Pending &write : current->pending) write.age++;
    settle(false);
    // A loop that waits for another thread lets it run.
    if (++current->events % SPIN == 0) switch_out();
}

static void plain(void *pointer, size_t size, bool write) {
    if (!current) return;
    event();
    char *place = (char *)pointer;
    if (!is_seen() || is_own(place)) return;
    if (write) {
        settle(false, place, size);
        current->pending.push_back({place, size, 0});
        return;
    }
    for (size_t i = 0; i < size; i++) {
        Record now = {block_number, current->number, clocks[current->number][current->number], 0, 0, false, false, 0};
        record(place + i, now);
    }
}

static void atomic(const volatile void *pointer, size_t size, bool write) {
    if (!current) return;
    event();
    settle(true);
    char *place = (char *)pointer;
    if (!is_seen() || is_own(place)) return;
    for (size_t i = 0; i < size; i++) {
        Record now = {block_number, current->number, clocks[current->number][current->number], (uint8_t)size, (uint8_t)i, write, true, 0};
        record(place + i, now);
    }
}

void copied(void *to, const void *from, size_t size) {
    plain((void *)from, size, false);
    plain(to, size, true);
}

// ---- the scheduler ----

static void switch_out() {
    Fiber *self = current;
    settle(true);
    for (int which = 0; which < 2; which++) self->kept[which].assign(own[which].memory, own[which].memory + own[which].size);
    swapcontext(&self->context, &scheduler);
    for (int which = 0; which < 2; which++) memcpy(own[which].memory, self->kept[which].data(), own[which].size);
}

static void release(Group &group, bool orders) {
    if (orders && group.members.size() > 0) join(group.members);
    group.members.clear();
    group.arrived = 0;
    group.generation++;
    for (Fiber *fiber : fibers)
        if (fiber->waits == &group) fiber->waits = nullptr;
}

// Of a group that waits: whether its barrier orders memory, as the last that came to it said.
static std::unordered_map<Group *, bool> ordering;

static void arrive(Group &group, bool orders) {
    settle(true);
    ordering[&group] = orders;
    group.members.push_back(current->number);
    if (++group.arrived == group.live) {
        release(group, orders);
        return;
    }
    current->waits = &group;
    unsigned now = group.generation;
    while (group.generation == now) switch_out();
}

static void leave(Group &group) {
    if (--group.live > 0 && group.arrived == group.live) release(group, ordering[&group]);
}

static Warp &warp() { return warps[current->number / 32]; }

static Group &warp_group(unsigned mask) {
    Warp &mine = warp();
    for (Group *group : mine.groups)
        if (group->mask == mask) return *group;
    Group *group = new Group();
    group->mask = mask;
    group->live = __builtin_popcount(mask & mine.present & ~mine.gone);
    mine.groups.push_back(group);
    return *group;
}

static void diverge(const char *why) {
    if (!diverged) fprintf(stderr, "simt: divergence: %s, block %u thread %d\n", why, block_number, current ? current->number : -1);
    diverged = true;
}

__attribute__((noinline)) void block_barrier(bool orders) {
    current->site = __builtin_return_address(0);
    if (block_group.live < total_count) diverge("threads have ended before a barrier");
    for (int other : block_group.members)
        if (fibers[other]->site != current->site) diverge("different barriers");
    arrive(block_group, orders);
}
void warp_barrier(unsigned mask) { arrive(warp_group(mask), true); }

void exchange(unsigned mask, const void *mine, size_t size, void *all) {
    Group &group = warp_group(mask);
    memcpy(warp().slots[current->number % 32], mine, size);
    arrive(group, false);
    for (int lane = 0; lane < 32; lane++) memcpy((char *)all + lane * size, warp().slots[lane], size);
    arrive(group, false);
}

int count(int value) {
    static int total;
    total += value;
    arrive(block_group, true);
    int sum = total;
    arrive(block_group, false);
    total = 0;
    arrive(block_group, false);
    return sum;
}

static void main_of_fiber() {
    Fiber *self = current;
    self->body(self->argument, self->x, self->y, self->z);
    settle(true);
    self->done = true;
    Warp &mine = warps[self->number / 32];
    mine.gone |= 1u << (self->number % 32);
    for (Group *group : mine.groups)
        if (group->mask >> (self->number % 32) & 1) leave(*group);
    if (block_group.arrived > 0) diverge("a thread has ended while others wait at a barrier");
    leave(block_group);
    for (;;) swapcontext(&self->context, &scheduler);
}

void run_block(const unsigned size[3], unsigned block, long watched[2][2], bool watch,
               void (*body)(void *, unsigned, unsigned, unsigned), void *context) {
    total_count = (int)(size[0] * size[1] * size[2]);
    block_number = block;
    char *from = __start_simt_shared, *to = __stop_simt_shared;
    for (char *place = from; place < to; place++) memory.erase((uintptr_t)place);
    memset(from, 0, to - from);
    block_group = Group();
    block_group.live = total_count;
    ordering.clear();
    warps.assign((total_count + 31) / 32, Warp());
    clocks.assign(total_count, std::vector<uint32_t>(total_count));
    fibers.clear();
    for (int number = 0; number < total_count; number++) {
        warps[number / 32].present |= 1u << (number % 32);
        clocks[number][number] = 1;
        Fiber *fiber = new Fiber();
        if (free_stacks.empty()) free_stacks.push_back((char *)malloc(STACK));
        fiber->stack = free_stacks.back();
        free_stacks.pop_back();
        fiber->number = number;
        fiber->watched = !watch;
        for (int which = 0; which < 2 && watch; which++)
            if (watched[which][0] == (long)block && watched[which][1] == number) fiber->watched = true;
        fiber->body = body;
        fiber->argument = context;
        fiber->x = number % size[0];
        fiber->y = number / size[0] % size[1];
        fiber->z = number / size[0] / size[1];
        getcontext(&fiber->context);
        fiber->context.uc_stack.ss_sp = fiber->stack;
        fiber->context.uc_stack.ss_size = STACK;
        fiber->context.uc_link = nullptr;
        makecontext(&fiber->context, main_of_fiber, 0);
        fibers.push_back(fiber);
    }
    for (;;) {
        bool ran = false, left = false;
        for (Fiber *fiber : fibers) {
            if (fiber->done) continue;
            left = true;
            if (fiber->waits) continue;
            ran = true;
            current = fiber;
            swapcontext(&scheduler, &fiber->context);
            current = nullptr;
        }
        if (!left) break;
        if (!ran) {
            diverge("threads wait for others that never come");
            finish();
        }
    }
    for (Fiber *fiber : fibers) {
        free_stacks.push_back(fiber->stack);
        delete fiber;
    }
    fibers.clear();
}

void begin_launch() {
    // What came before a launch is before all of it.
    memory.clear();
    block_number = 0;
}

void finish() {
    fflush(stderr);
    _exit(raced && diverged ? 70 : raced ? 66 : diverged ? 69 : 0);
}

}  // namespace simt

// ---- what instrumented code calls ----

extern "C" {
void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void **place, void *) { simt::plain(place, sizeof(void *), true); }
void __tsan_vptr_read(void **place) { simt::plain(place, sizeof(void *), false); }
void __tsan_read_range(void *place, size_t size) { simt::plain(place, size, false); }
void __tsan_write_range(void *place, size_t size) { simt::plain(place, size, true); }
#define SIMT_ACCESS(N)                                                              \
    void __tsan_read##N(void *place) { simt::plain(place, N, false); }              \
    void __tsan_write##N(void *place) { simt::plain(place, N, true); }              \
    void __tsan_volatile_read##N(void *place) { simt::plain(place, N, false); }     \
    void __tsan_volatile_write##N(void *place) { simt::plain(place, N, true); }     \
    void __tsan_unaligned_read##N(void *place) { simt::plain(place, N, false); }    \
    void __tsan_unaligned_write##N(void *place) { simt::plain(place, N, true); }
SIMT_ACCESS(1) SIMT_ACCESS(2) SIMT_ACCESS(4) SIMT_ACCESS(8) SIMT_ACCESS(16)

void __tsan_atomic_thread_fence(int) {}
void __tsan_atomic_signal_fence(int) {}
#define SIMT_UPDATE(BITS, T, NAME, NEXT)                                            \
    T __tsan_atomic##BITS##_##NAME(volatile T *place, T value, int) {               \
        simt::atomic(place, sizeof(T), true);                                       \
        T old = *place;                                                             \
        *place = NEXT;                                                              \
        return old;                                                                 \
    }
#define SIMT_ATOMICS(BITS, T)                                                       \
    T __tsan_atomic##BITS##_load(const volatile T *place, int) {                    \
        simt::atomic(place, sizeof(T), false);                                      \
        return *place;                                                              \
    }                                                                               \
    void __tsan_atomic##BITS##_store(volatile T *place, T value, int) {             \
        simt::atomic(place, sizeof(T), true);                                       \
        *place = value;                                                             \
    }                                                                               \
    int __tsan_atomic##BITS##_compare_exchange_strong(volatile T *place, T *expected, T value, int, int) { \
        simt::atomic(place, sizeof(T), true);                                       \
        T old = *place;                                                             \
        bool equal = old == *expected;                                              \
        if (equal) *place = value;                                                  \
        *expected = old;                                                            \
        return equal;                                                               \
    }                                                                               \
    int __tsan_atomic##BITS##_compare_exchange_weak(volatile T *place, T *expected, T value, int a, int b) { \
        return __tsan_atomic##BITS##_compare_exchange_strong(place, expected, value, a, b); \
    }                                                                               \
    SIMT_UPDATE(BITS, T, exchange, value)                                           \
    SIMT_UPDATE(BITS, T, fetch_add, (T)(old + value))                               \
    SIMT_UPDATE(BITS, T, fetch_sub, (T)(old - value))                               \
    SIMT_UPDATE(BITS, T, fetch_and, (T)(old & value))                               \
    SIMT_UPDATE(BITS, T, fetch_or, (T)(old | value))                                \
    SIMT_UPDATE(BITS, T, fetch_xor, (T)(old ^ value))
SIMT_ATOMICS(8, uint8_t) SIMT_ATOMICS(16, uint16_t) SIMT_ATOMICS(32, uint32_t) SIMT_ATOMICS(64, uint64_t)
}
