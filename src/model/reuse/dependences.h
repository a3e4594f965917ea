/* Which earlier loads a warp's load waits for, from the registers of its instructions. A warp
 * issues in order, and an instruction issues once the registers that it reads or writes have their
 * values; so a load waits for what every instruction since the load before it needs.
 *
 * Invariant: called once for each record of a warp, in order, so that the cursor of instructions is
 * always after the instruction of the last record. Constant time per instruction. */
#pragma once

#include "base/diag.h"
#include "trace/stream.h"

/* A warp has at most this many loads in flight, since one bit stands for each: bit i of a set of
 * needed loads is the one i + 1 loads back. */
enum { LOADS_IN_FLIGHT = 32 };

#define NEEDS_LAST   ((uint32_t)1) /* waits for the load before it */
#define NEEDS_OLDEST ((uint32_t)1 << (LOADS_IN_FLIGHT - 1))
#define NEEDS_ALL    UINT32_MAX

struct dependences {
    uint32_t owners[REGISTER_COUNT]; /* the load that wrote a register last, from 1; 0: no load, or
                                      * one that was waited for */
    uint32_t loads;                  /* so far */
    uint32_t needs;                  /* of the next load, so far */
    struct instruction_window window;
    uint32_t at; /* the next instruction of the window */
};

enum status dependences_init(struct dependences *dependences);
void dependences_free(struct dependences *dependences);

/* Starts with a warp whose instructions are all unread. */
void dependences_begin(struct dependences *dependences);

/* Reads the instructions of a warp up to the one of its next record, which `load` says whether to
 * count as a load. Then *needs is the set of loads that it waits for. */
enum status dependences_next(struct dependences *dependences, const struct trace_code *code,
                             const struct trace_source_ops *ops, struct block_reader *reader,
                             uint32_t warp, bool load, uint32_t *needs,
                             struct diagnostics *diagnostics);
