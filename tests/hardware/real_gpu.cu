// The kernels of real_gpu.h. A load is timed by the clock before it and the clock after the first
// instruction that needs it: a warp issues in order, so the second waits for the data. A volatile
// store of the data to shared memory is that instruction; it also keeps the compiler from moving
// either clock.
#include "real_gpu.h"

#include <cstdio>
#include <cstring>
#include <vector>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        cudaError_t result = (call);                                                               \
        if (result != cudaSuccess)                                                                 \
            return cudaGetErrorString(result);                                                     \
    } while (0)

namespace {

enum { LANES = 32, THREADS = 1024, REPEATS = 2, CHASE_LEAST = 4096, LANE_LOADS = 1024 };

char *arena; // one array that all benchmarks share, and its size
uint64_t arena_bytes;

const char *reserve(uint64_t bytes)
{
    if (bytes <= arena_bytes)
        return nullptr;
    cudaFree(arena);
    arena = nullptr;
    arena_bytes = 0;
    TRY(cudaMalloc(&arena, bytes));
    TRY(cudaMemset(arena, 0, bytes));
    arena_bytes = bytes;
    return nullptr;
}

// An array on the GPU that is freed with its scope.
template <typename T> struct Array {
    T *items = nullptr;
    ~Array()
    {
        cudaFree(items);
    }
    const char *make(const T *from, uint64_t count)
    {
        TRY(cudaMalloc(&items, count * sizeof(T)));
        if (from)
            TRY(cudaMemcpy(items, from, count * sizeof(T), cudaMemcpyHostToDevice));
        return nullptr;
    }
    const char *take(T *to, uint64_t count) const
    {
        TRY(cudaMemcpy(to, items, count * sizeof(T), cudaMemcpyDeviceToHost));
        return nullptr;
    }
};

#define PASS(call)                                                                                 \
    do {                                                                                           \
        const char *problem = (call);                                                              \
        if (problem)                                                                               \
            return problem;                                                                        \
    } while (0)

__device__ uint32_t load(const char *place) // through the L1
{
    uint32_t word;
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(word) : "l"(place) : "memory");
    return word;
}

__device__ uint32_t load_past(const char *place) // past the L1
{
    uint32_t word;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(word) : "l"(place) : "memory");
    return word;
}

// Offsets are read past the L1, and times written past it, so that they leave it alone.
__global__ void mb1_kernel(const char *array, const uint64_t *offsets, uint64_t count,
                           uint64_t *begun, uint64_t *ended)
{
    __shared__ volatile uint32_t sink;
    for (uint64_t i = 0; i < count; i++) {
        const char *place = array + __ldcg(&offsets[i]);
        sink = (uint32_t)(uintptr_t)place; // the address is there before the clock starts
        const long long begin = clock64();
        sink = load(place);
        const long long end = clock64();
        __stcg(&begun[i], (uint64_t)begin);
        __stcg(&ended[i], (uint64_t)end);
    }
}

__global__ void mb2_kernel(const char *array, const uint64_t *offsets, uint64_t *begun,
                           uint64_t *ended)
{
    __shared__ volatile uint32_t sink[1024];
    const char *place = array + __ldcg(&offsets[threadIdx.x]);
    sink[threadIdx.x] = (uint32_t)(uintptr_t)place;
    __syncthreads();
    const long long begin = clock64();
    sink[threadIdx.x] = load(place);
    const long long end = clock64();
    if (threadIdx.x % LANES == 0) {
        begun[threadIdx.x / LANES] = (uint64_t)begin;
        ended[threadIdx.x / LANES] = (uint64_t)end;
    }
}

__global__ void ring_kernel(char *array, uint64_t words, uint64_t stride)
{
    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < words;
         i += (uint64_t)gridDim.x * blockDim.x)
        *(uint64_t *)(array + i * stride) = (i + 1 < words ? i + 1 : 0) * stride;
}

// What workload CHASE is: `steps` loads, each of which names the next.
__global__ void chase_kernel(const uint32_t *ring, uint32_t *last, uint64_t steps)
{
    uint32_t next = 0;
    for (uint64_t i = 0; i < steps; i++)
        next = ring[next];
    *last = next;
}

__global__ void word_ring_kernel(uint32_t *ring, uint64_t words, uint64_t stride)
{
    for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < words;
         i += (uint64_t)gridDim.x * blockDim.x)
        ring[i * stride] = (uint32_t)((i + 1 < words ? i + 1 : 0) * stride);
}

__global__ void timed_chase_kernel(const char *array, uint64_t warm, uint64_t steps,
                                   long long *cycles)
{
    uint64_t at = 0;
    for (uint64_t i = 0; i < warm; i++)
        asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(at) : "l"(array + at) : "memory");
    const long long begin = clock64();
    for (uint64_t i = 0; i < steps; i++)
        asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(at) : "l"(array + at) : "memory");
    __shared__ volatile uint64_t sink;
    sink = at;
    cycles[0] = clock64() - begin;
}

template <bool past> __device__ uint32_t load_word(const char *place)
{
    return past ? load_past(place) : load(place);
}

// What workload READS is: four words of a thread at once, each `columns` words after the one
// before, around an array of `batches` such batches. The first round only fills the caches.
template <bool past>
__global__ void read_kernel(const char *array, uint64_t columns, uint64_t batches, int rounds,
                            uint32_t *sums, long long *cycles)
{
    const uint64_t column = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;
    uint32_t sum = 0;
    long long begin = 0;
    for (int round = -1; round < rounds; round++) {
        if (round == 0) {
            __syncthreads();
            begin = clock64();
        }
        for (uint64_t batch = 0; batch < batches; batch++) {
            const char *place = array + 4 * (column + 4 * batch * columns);
            const uint32_t a = load_word<past>(place), b = load_word<past>(place + 4 * columns),
                           c = load_word<past>(place + 8 * columns),
                           d = load_word<past>(place + 12 * columns);
            sum += (a + b) + (c + d);
        }
    }
    sums[column] = sum;
    __syncthreads();
    if (threadIdx.x == 0 && blockIdx.x == 0)
        cycles[0] = clock64() - begin;
}

// What workload LANES is; the first loads bring the lines.
__global__ void lanes_kernel(const char *array, uint32_t stride, uint32_t offset, int loads,
                             uint32_t *sums, long long *cycles)
{
    const char *place = array + 4 * ((uint64_t)offset + (uint64_t)stride * (threadIdx.x % LANES));
    uint32_t sum = load(place);
    sums[threadIdx.x] = sum;
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 16
    for (int i = 0; i < loads; i++)
        sum += load(place);
    sums[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[0] = clock64() - begin;
}

const char *attribute(cudaDeviceAttr which, int device, int *value)
{
    TRY(cudaDeviceGetAttribute(value, which, device));
    return nullptr;
}

} // namespace

const char *gpu_open(int device, struct gpu_facts *facts)
{
    cudaDeviceProp properties;
    size_t available = 0, total = 0;
    TRY(cudaSetDevice(device));
    TRY(cudaGetDeviceProperties(&properties, device));
    TRY(cudaMemGetInfo(&available, &total));
    std::memset(facts, 0, sizeof *facts);
    std::snprintf(facts->name, sizeof facts->name, "%s", properties.name);
    facts->major = properties.major;
    facts->minor = properties.minor;
    facts->sms = properties.multiProcessorCount;
    facts->max_threads = properties.maxThreadsPerMultiProcessor;
    facts->max_blocks = properties.maxBlocksPerMultiProcessor;
    facts->registers = properties.regsPerMultiprocessor;
    facts->shared = properties.sharedMemPerMultiprocessor;
    facts->l2 = (uint64_t)properties.l2CacheSize;
    facts->memory = total;
    facts->free = available;
    PASS(attribute(cudaDevAttrClockRate, device, &facts->clock_khz));
    PASS(attribute(cudaDevAttrMemoryClockRate, device, &facts->memory_khz));
    PASS(attribute(cudaDevAttrGlobalMemoryBusWidth, device, &facts->bus_bits));
    return nullptr;
}

const char *gpu_loads(const uint64_t *offsets, uint64_t count, uint64_t bytes, uint64_t *begun,
                      uint64_t *ended)
{
    Array<uint64_t> places, first, last;
    PASS(reserve(bytes));
    PASS(places.make(offsets, count));
    PASS(first.make(nullptr, count));
    PASS(last.make(nullptr, count));
    for (int i = 0; i < REPEATS; i++) { // the last finds all in the L2 and in the TLBs
        mb1_kernel<<<1, 1>>>(arena, places.items, count, first.items, last.items);
        TRY(cudaDeviceSynchronize());
    }
    PASS(first.take(begun, count));
    return last.take(ended, count);
}

const char *gpu_warp_loads(const uint64_t *offsets, uint64_t warps, uint64_t bytes, uint64_t *begun,
                           uint64_t *ended)
{
    Array<uint64_t> places, first, last;
    PASS(reserve(bytes));
    PASS(places.make(offsets, warps * LANES));
    PASS(first.make(nullptr, warps));
    PASS(last.make(nullptr, warps));
    for (int i = 0; i < REPEATS; i++) {
        mb2_kernel<<<1, (unsigned)(warps * LANES)>>>(arena, places.items, first.items, last.items);
        TRY(cudaDeviceSynchronize());
    }
    PASS(first.take(begun, warps));
    return last.take(ended, warps);
}

const char *gpu_chase(uint64_t bytes, uint64_t stride, double *cycles)
{
    const uint64_t step = stride < 8 ? 8 : stride; // a pointer has 8 bytes
    const uint64_t round = (bytes + step - 1) / step;
    const uint64_t steps = round < CHASE_LEAST ? CHASE_LEAST / round * round : round;
    Array<long long> time;
    long long taken = 0;
    PASS(reserve(round * step + 8));
    PASS(time.make(nullptr, 1));
    ring_kernel<<<256, 256>>>(arena, round, step);
    timed_chase_kernel<<<1, 1>>>(arena, 2 * round, steps, time.items);
    TRY(cudaDeviceSynchronize());
    PASS(time.take(&taken, 1));
    *cycles = (double)taken / (double)steps;
    return nullptr;
}

const char *gpu_chase_once(uint64_t bytes, uint64_t stride, uint64_t steps)
{
    const uint64_t round = (bytes + stride - 1) / stride;
    PASS(reserve(round * stride + 8));
    word_ring_kernel<<<256, 256>>>((uint32_t *)arena, round, stride / 4);
    chase_kernel<<<1, 1>>>((uint32_t *)arena, (uint32_t *)(arena + round * stride), steps);
    TRY(cudaDeviceSynchronize());
    return nullptr;
}

const char *gpu_read_sm(uint64_t bytes, double *bytes_a_cycle)
{
    enum { ROUNDS = 256, LEAST = 4 * 4 * LANES };
    Array<uint32_t> sums;
    Array<long long> time;
    long long taken = 0;
    uint64_t columns = THREADS;
    while (columns > LANES && 16 * columns > bytes)
        columns /= 2;
    const uint64_t batches = bytes < LEAST ? 1 : bytes / (16 * columns);
    PASS(reserve(16 * columns * batches));
    PASS(sums.make(nullptr, columns));
    PASS(time.make(nullptr, 1));
    read_kernel<false><<<1, (unsigned)columns>>>(arena, columns, batches, ROUNDS, sums.items,
                                                 time.items);
    TRY(cudaDeviceSynchronize());
    PASS(time.take(&taken, 1));
    *bytes_a_cycle = 16.0 * (double)(columns * batches) * ROUNDS / (double)taken;
    return nullptr;
}

// Launches share the L2, so that of two launches the second finds there what the first left; what
// is read beyond one round is what counts.
const char *gpu_read_all(uint64_t bytes, double *bytes_a_second)
{
    enum { BLOCK = 256, LAUNCHES = 2, ROUNDS = 20 };
    int blocks = 0, sms = 0, device = 0;
    cudaEvent_t at[LAUNCHES + 1];
    float milliseconds[LAUNCHES];
    Array<uint32_t> sums;
    Array<long long> time;
    TRY(cudaGetDevice(&device));
    PASS(attribute(cudaDevAttrMultiProcessorCount, device, &sms));
    TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, read_kernel<true>, BLOCK, 0));
    const uint64_t columns = (uint64_t)blocks * (uint64_t)sms * BLOCK;
    const uint64_t batches = bytes < 16 * columns ? 1 : bytes / (16 * columns);
    PASS(reserve(16 * columns * batches));
    PASS(sums.make(nullptr, columns));
    PASS(time.make(nullptr, 1));
    for (cudaEvent_t &event : at)
        TRY(cudaEventCreate(&event));
    read_kernel<true><<<(unsigned)(columns / BLOCK), BLOCK>>>(arena, columns, batches, 0,
                                                              sums.items, time.items);
    TRY(cudaEventRecord(at[0]));
    for (int i = 0; i < LAUNCHES; i++) { // a launch of `rounds` makes one more
        read_kernel<true><<<(unsigned)(columns / BLOCK), BLOCK>>>(
            arena, columns, batches, i ? 2 * ROUNDS : ROUNDS, sums.items, time.items);
        TRY(cudaEventRecord(at[i + 1]));
    }
    TRY(cudaEventSynchronize(at[LAUNCHES]));
    for (int i = 0; i < LAUNCHES; i++)
        TRY(cudaEventElapsedTime(&milliseconds[i], at[i], at[i + 1]));
    for (cudaEvent_t &event : at)
        cudaEventDestroy(event);
    *bytes_a_second = 16.0 * (double)(columns * batches) * ROUNDS /
                      ((milliseconds[1] - milliseconds[0]) * 1e-3);
    return nullptr;
}

const char *gpu_lanes(uint32_t stride, uint32_t offset, double *cycles)
{
    Array<uint32_t> sums;
    Array<long long> time;
    long long taken = 0;
    PASS(reserve(4 * ((uint64_t)offset + (uint64_t)stride * LANES) + 4));
    PASS(sums.make(nullptr, THREADS));
    PASS(time.make(nullptr, 1));
    lanes_kernel<<<1, THREADS>>>(arena, stride, offset, LANE_LOADS, sums.items, time.items);
    TRY(cudaDeviceSynchronize());
    PASS(time.take(&taken, 1));
    *cycles = (double)taken / ((double)LANE_LOADS * (THREADS / LANES));
    return nullptr;
}

void gpu_close(void)
{
    cudaFree(arena);
    arena = nullptr;
    arena_bytes = 0;
}
