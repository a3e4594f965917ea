/* What a program of the SIMT processor issues, in all and by instruction: how often, and with how
 * many of its lanes. The blocks run one after the other on one memory. */
#pragma once

#include <stdatomic.h>

#include "workload/simt/processor.h"

struct simt_pc_count {
    uint64_t issued, lanes;
};

struct simt_profile {
    uint64_t issued, lanes; /* instructions of warps and of their lanes */
    uint64_t loads, stores, atomics, shared, jumps, calls, returns;
    struct simt_pc_count *pcs; /* of each instruction of the text */
};

/* Executes the program. `memory`: the bytes of its image, which it changes, or NULL: a copy.
 * `cancel` may be NULL. STATUS_CANCELLED; STATUS_MEMORY; what simt_block_fault reports. */
enum status simt_profile_run(const struct simt_program *program, unsigned char *memory,
                             const atomic_bool *cancel, struct simt_profile *profile,
                             struct diagnostics *diagnostics);
void simt_profile_free(struct simt_profile *profile);

/* The lanes that executed of those that could have, 0 to 1; 0 where nothing was issued. */
double simt_efficiency(const struct simt_program *program, uint64_t issued, uint64_t lanes);

/* An instruction of the text, counted from 0, as the assembler reads it. Returns its pc. */
uint32_t simt_profile_text(const struct simt_program *program, size_t index, char *text);
