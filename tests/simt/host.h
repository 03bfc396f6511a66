// Host code as C++: allocations, copies, and launches that the test has rewritten from `k<<<grid, block>>>(a, b)` to
// `simt::on(grid, block).run([](auto... all) { k(all...); }, a, b)`. Only what the programs of the tests use.
#pragma once
#include "simt.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

typedef int cudaError_t;
enum { cudaSuccess = 0 };

template <class T> cudaError_t cudaMalloc(T **to, size_t size) {
    unsigned char *memory = (unsigned char *)malloc(size);
    for (size_t i = 0; i + 4 <= size; i += 4) {
        unsigned word = simt::seed ? (unsigned)(i * 2654435761u * simt::seed) >> 16 & 15 : 0;
        memcpy(memory + i, &word, 4);
    }
    *to = (T *)memory;
    return cudaSuccess;
}
static inline cudaError_t cudaFree(void *) { return cudaSuccess; }
static inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }

namespace simt {

template <class K, class... A> struct Launched {
    K kernel;
    std::tuple<A...> arguments;
    uint3 block;
    static void body(void *self, unsigned x, unsigned y, unsigned z) {
        Launched *launched = (Launched *)self;
        keep(0, &threadIdx, sizeof threadIdx);
        keep(1, &blockIdx, sizeof blockIdx);
        threadIdx = {x, y, z};
        blockIdx = launched->block;
        std::apply(launched->kernel, launched->arguments);
    }
};

struct Configured {
    template <class K, class... A> void run(K kernel, A... arguments) const {
        begin_launch();
        unsigned size[3] = {blockDim.x, blockDim.y, blockDim.z};
        long nobody[2][2] = {{-1, -1}, {-1, -1}};
        for (unsigned b = 0; b < gridDim.x * gridDim.y * gridDim.z; b++) {
            auto *launched = new Launched<K, A...>{kernel, {arguments...}, {b % gridDim.x, b / gridDim.x % gridDim.y, b / gridDim.x / gridDim.y}};
            run_block(size, b, nobody, false, Launched<K, A...>::body, launched);
        }
    }
};
static inline Configured on(dim3 grid, dim3 block, size_t = 0, int = 0) {
    gridDim = grid;
    blockDim = block;
    return {};
}

}  // namespace simt
