// Kernels of the data set on a GPU, for compute-sanitizer: reads a plan of runs and launches one after the other.
//
// A line of the plan: number of the run, of the kernel, blockDim, gridDim, bytes of dynamic shared memory, the seed of the contents,
// then `parameter=value` and `parameter[index]=value`. Before each run its number is printed, and behind it how it ended. A run that
// fails ends the program, since no other could follow it in this process.
#pragma once
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Behind all headers, which may use the names.
#define __requires(...)
#define __ensures(...)
#define __invariant(...)
#define __global_invariant(...)
#define __candidate_invariant(...)
#define __global_assert(...)
#undef __assume
#define __assume(...)
#undef __assert
#define __assert(...)

namespace gpu {

// What the plan says of an argument: a scalar's value, or elements of an array.
struct Given {
    int parameter;
    bool element;
    long index;
    long long value;
};
static std::vector<Given> given;
static std::vector<void *> allocations;
static unsigned seed;
static dim3 block, grid;

// Elements on either side of the first that have contents, and that there is room for.
enum { ELEMENTS = 1 << 15, ROOM = 1 << 18 };

template <class T> T *array(int parameter) {
    std::vector<char> bytes(2 * ROOM * sizeof(T));
    T *memory = (T *)bytes.data() + ROOM;
    if constexpr (std::is_arithmetic<T>::value) {
        for (long i = -ELEMENTS; i < ELEMENTS; i++)
            memory[i] = (T)(seed ? (unsigned)(i * 2654435761u * seed) >> 16 & 15 : 0);
        for (const Given &g : given)
            if (g.parameter == parameter && g.element && labs(g.index) < ELEMENTS) memory[g.index] = (T)g.value;
    }
    void *on_device = nullptr;
    cudaMalloc(&on_device, bytes.size());
    cudaMemcpy(on_device, bytes.data(), bytes.size(), cudaMemcpyHostToDevice);
    allocations.push_back(on_device);
    return (T *)on_device + ROOM;
}

template <class T> T argument(int parameter) {
    if constexpr (std::is_pointer<T>::value) {
        using E = typename std::remove_cv<typename std::remove_pointer<T>::type>::type;
        if constexpr (std::is_void<E>::value || std::is_function<E>::value)
            return (T)array<char>(parameter);
        else
            return array<E>(parameter);
    } else if constexpr (std::is_arithmetic<T>::value) {
        long long value = (long long)block.x * block.y * grid.x;
        for (const Given &g : given)
            if (g.parameter == parameter && !g.element) value = g.value;
        return (T)value;
    } else {
        T value;
        memset((void *)&value, 0, sizeof value);
        return value;
    }
}

template <class... A, size_t... I> cudaError_t launch(void (*kernel)(A...), size_t dynamic, std::index_sequence<I...>) {
    std::tuple<typename std::decay<A>::type...> arguments{argument<typename std::decay<A>::type>(I)...};
    void *pointers[sizeof...(A) + 1] = {(void *)&std::get<I>(arguments)...};
    // Some kernels leave no room for more, and some wait for the whole grid.
    cudaError_t launched = cudaLaunchCooperativeKernel((const void *)kernel, grid, block, pointers, dynamic, 0);
    if (launched != cudaSuccess) launched = cudaLaunchKernel((const void *)kernel, grid, block, pointers, dynamic, 0);
    if (launched != cudaSuccess) launched = cudaLaunchKernel((const void *)kernel, grid, block, pointers, 0, 0);
    cudaGetLastError();
    cudaError_t ended = cudaDeviceSynchronize();
    for (void *allocation : allocations) cudaFree(allocation);
    allocations.clear();
    return launched != cudaSuccess ? launched : ended;
}

// Runs the plan from a run on; `start` launches the kernel of a number.
template <class Start> int run(int count, char **words, Start start) {
    if (count != 3) return 3;
    std::ifstream plan(words[1]);
    std::string line;
    while (std::getline(plan, line)) {
        std::istringstream fields(line);
        int id, kernel;
        size_t dynamic;
        fields >> id >> kernel >> block.x >> block.y >> block.z >> grid.x >> grid.y >> grid.z >> dynamic >> seed;
        if (!fields) return 3;
        if (id < atoi(words[2])) continue;
        given.clear();
        for (std::string word; fields >> word;) {
            Given g = {};
            g.element = sscanf(word.c_str(), "%d[%ld]=%lld", &g.parameter, &g.index, &g.value) == 3;
            if (!g.element && sscanf(word.c_str(), "%d=%lld", &g.parameter, &g.value) != 2) return 3;
            given.push_back(g);
        }
        printf("gpu: run %d\n", id);
        fflush(stdout);
        cudaError_t error = start(kernel, dynamic);
        printf("gpu: end %d %s\n", id, cudaGetErrorName(error));
        fflush(stdout);
        // A launch that was refused leaves the context alone.
        if (error != cudaSuccess && error != cudaErrorInvalidValue && error != cudaErrorInvalidConfiguration) return 5;
    }
    return 0;
}

template <class... A> cudaError_t launch(void (*kernel)(A...), size_t dynamic) {
    return launch(kernel, dynamic, std::make_index_sequence<sizeof...(A)>());
}

}  // namespace gpu
