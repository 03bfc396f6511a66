// What the SIMT runtime offers to simt.h.
#pragma once
#include <stddef.h>

namespace simt {

// Brings the threads of the block together; orders memory if it says so.
void block_barrier(bool orders);
// __syncwarp.
void warp_barrier(unsigned mask);
// Brings the lanes of the mask together and gives each the values of all; orders no memory.
void exchange(unsigned mask, const void *mine, size_t size, void *all);
// A barrier that adds up a number of each thread.
int count(int value);
// Runs one block: one thread for each of its threads. Nothing orders it after the blocks before.
void run_block(const unsigned size[3], unsigned block, long watched[2][2], bool watch,
               void (*body)(void *, unsigned, unsigned, unsigned), void *context);

// Memory, the first or the second such, of which each thread of the kernel has contents of its own, where threads share the
// variables of the process.
void keep(int which, void *memory, size_t size);
// What the host did before a launch is before all of it.
void begin_launch();
// A copy by a function that the compiler does not instrument.
void copied(void *to, const void *from, size_t size);
// Ends the process; its exit status tells what was seen.
[[noreturn]] void finish();

extern char dynamic_memory[];

}  // namespace simt
