/* What the parts of the processor (processor.c, processor_step.c, processor_warps.c) share with
 * each other and with nobody else. */
#pragma once

#include "workload/simt/processor.h"

/* Functions that execute something return false after a fault. */

/* ---- processor.c ---- */

/* Notes what was wrong; returns false. */
bool simt_fault(struct simt_block *block, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The active lanes load from, or store to, their bases plus `imm`; the step gets the addresses. */
bool simt_load(struct simt_block *block, struct simt_step *step, const uint32_t *bases,
               uint32_t imm, uint32_t values[SIMT_LANES]);
bool simt_store(struct simt_block *block, struct simt_step *step, const uint32_t *bases,
                uint32_t imm, const uint32_t *values);
bool simt_execute_csr(struct simt_block *block, const struct simt_step *step,
                      const struct simt_decoded *decoded, uint32_t values[SIMT_LANES]);

/* ---- processor_warps.c ---- */

bool simt_execute_masks(struct simt_block *block, struct simt_warp *warp, struct simt_step *step,
                        const struct simt_decoded *decoded, uint32_t *next);
bool simt_execute_lanes(struct simt_block *block, struct simt_warp *warp, struct simt_step *step,
                        const struct simt_decoded *decoded);
bool simt_arrive_late(struct simt_block *block, uint32_t index);
