/* The SIMT processor in the most obvious way, lane by lane: no vectors, no lanes that are known to
 * be together, nothing before its turn. Each lane has a program counter (no masks). What an
 * instruction computes is the table's, in floating point that of exact_float.h. */
#pragma once

#include "workload/simt/processor.h"

struct slow_lane {
    uint32_t registers[SIMT_REGISTERS];
    uint32_t pc;
    bool live, parked; /* parked: waits at a barrier */
    uint32_t fcsr;
    bool reserved; /* its lr.w still holds the word at `reservation` */
    uint32_t reservation;
};

struct slow_simt {
    const struct simt_program *program;
    struct slow_lane lanes[SIMT_WARPS][SIMT_LANES];
    bool waiting[SIMT_WARPS];
    uint32_t barriers[SIMT_BARRIERS], next, index;
    uint64_t issued;
    unsigned char *memory, *stacks, *shared;
};

void slow_simt_start(struct slow_simt *slow, const struct simt_program *program, uint32_t index);
void slow_simt_free(struct slow_simt *slow);
/* As simt_block_step. */
enum simt_result slow_simt_step(struct slow_simt *slow, struct simt_step *step);
