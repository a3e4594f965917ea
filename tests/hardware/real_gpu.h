/* Micro-benchmarks on a real GPU, in plain C so that both compilers read it. Functions return NULL,
 * or the words of the driver for what failed. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gpu_facts {
    char name[256];
    int major, minor; /* compute capability */
    int sms, clock_khz, memory_khz, bus_bits;
    int max_threads, max_blocks, registers; /* of an SM */
    uint64_t shared, l2, memory, free;      /* bytes; shared: of an SM */
};
const char *gpu_open(int device, struct gpu_facts *facts);

/* MB1: one thread loads `count` words, offsets[i] bytes into an array of `bytes`, each after the
 * one before; begun[i] and ended[i] are cycles of its SM. The L1 is empty before, the L2 is warm.
 */
const char *gpu_loads(const uint64_t *offsets, uint64_t count, uint64_t bytes, uint64_t *begun,
                      uint64_t *ended);

/* MB2: one block of `warps`; each warp loads once, lane k the word at offsets[32 * warp + k]. */
const char *gpu_warp_loads(const uint64_t *offsets, uint64_t warps, uint64_t bytes, uint64_t *begun,
                           uint64_t *ended);

/* A pointer chase of one thread around `bytes` in steps of `stride`: mean cycles of a load after
 * the first round. */
const char *gpu_chase(uint64_t bytes, uint64_t stride, double *cycles);

/* Launches chase_kernel once, as workload CHASE does; for a profiler to watch. */
const char *gpu_chase_once(uint64_t bytes, uint64_t stride, uint64_t steps);

/* Workload READS: bytes a cycle of one SM that reads `bytes` again and again (L1), and bytes a
 * second of all SMs together that read an array of `bytes` past the L1 (L2, DRAM). */
const char *gpu_read_sm(uint64_t bytes, double *bytes_a_cycle);
const char *gpu_read_all(uint64_t bytes, double *bytes_a_second);

/* Workload LANES: cycles that a warp's load keeps the L1, of lanes that are `stride` words apart
 * from word `offset` on. */
const char *gpu_lanes(uint32_t stride, uint32_t offset, double *cycles);

void gpu_close(void);

#ifdef __cplusplus
}
#endif
