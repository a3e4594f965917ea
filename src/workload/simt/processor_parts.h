/* What the parts of the processor (processor.c and processor_*.c) share with each other and with
 * nobody else. */
#pragma once

#include "workload/simt/processor.h"

/* A loop over the lanes. It has to be one for GCC to make a vector of them: if it unrolls it first,
 * it goes lane by lane. */
#if defined __GNUC__ && !defined __clang__
#define EACH_LANE _Pragma("GCC unroll 1") for (unsigned lane = 0; lane < SIMT_LANES; lane++)
#else
#define EACH_LANE for (unsigned lane = 0; lane < SIMT_LANES; lane++)
#endif

/* Functions that execute something return false after a fault. */

enum { SIMT_AHEAD = 32 /* instructions that a warp issues at most one after another */ };

/* ---- processor.c ---- */

/* Notes what was wrong; returns false. */
bool simt_fault(struct simt_block *block, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Any load and store, lane by lane; processor_lanes.h has those of lanes that all access the image.
 * The active lanes load from, or store to, their bases plus `imm`; the step gets the addresses. */
bool simt_load(struct simt_block *block, struct simt_step *step, const uint32_t *bases,
               uint32_t imm, uint32_t values[SIMT_LANES]);
bool simt_store(struct simt_block *block, struct simt_step *step, const uint32_t *bases,
                uint32_t imm, const uint32_t *values);
/* Where an active lane's address lies, which a store makes dirty; NULL after a fault. Notes in the
 * step whether that is the shared RAM. */
unsigned char *simt_memory_at(struct simt_block *block, struct simt_step *step, unsigned lane,
                              uint32_t address, bool store);

/* ---- processor_registers.c ---- */

bool simt_execute_csr(struct simt_block *block, const struct simt_step *step,
                      const struct simt_decoded *decoded, uint32_t values[SIMT_LANES]);
/* A floating-point instruction of which the mode or the flags matter, lane by lane. */
bool simt_execute_float(struct simt_block *block, const struct simt_step *step,
                        const struct simt_decoded *decoded, uint32_t values[SIMT_LANES]);

/* ---- processor_atomics.c ---- */

/* Atomics go lane by lane, the lowest first. The first half gives a lane its word (NULL: a fault),
 * the second one writes what the instruction makes of it and returns the lane's result. */
unsigned char *simt_atomic_read(struct simt_block *block, struct simt_step *step, unsigned lane,
                                const struct simt_decoded *decoded, uint32_t *word);
uint32_t simt_atomic_write(struct simt_block *block, const struct simt_step *step, unsigned lane,
                           unsigned char *at, uint32_t word, uint32_t value);
/* A lane stores to a word: nobody's lr.w holds it any longer. */
void simt_drop_reservations(struct simt_block *block, uint32_t address);

/* ---- processor_memory.c ---- */

enum { SIMT_PAGE = 4096 };
/* The stacks of a block, one after another, lane 0 at the top, and how many pages they are. */
static inline uint32_t simt_stacks_size(const struct simt_setup *setup)
{
    return setup->warps * setup->lanes * setup->stack;
}
/* Pages of an image, with some room after it; those of the stacks and the shared RAM follow. */
static inline uint32_t simt_image_pages(const struct simt_image *image)
{
    return image->size / SIMT_PAGE + 1;
}

/* Memory of blocks that have ended is made what it was at their start, page by page, and serves the
 * blocks that follow: that is faster than new pages of the system. Any number of threads may take
 * and give some. */
enum status simt_spares_create(struct simt_program *program);
void simt_spares_free(struct simt_program *program);
/* Gives a block its memory, stacks and shared RAM; `memory` as for simt_block_start. */
enum status simt_memory_take(struct simt_block *block, unsigned char *memory);
void simt_memory_give(struct simt_block *block);

/* ---- processor_step.c, processor_plain.c, processor_vectors.c ---- */

bool simt_has_vectors(void);
/* simt_block_run on any processor and on those with AVX2; `in_turn`: no instruction is executed
 * before its turn. SIMT_RAN, too, if there are no more. */
size_t simt_run_plain(struct simt_block *block, struct simt_step *steps, size_t count,
                      enum simt_result *result, bool in_turn);
size_t simt_run_vectors(struct simt_block *block, struct simt_step *steps, size_t count,
                        enum simt_result *result, bool in_turn);

/* Finds the lanes that issue next, those with the lowest program counter of all that do not wait,
 * after a change of `pcs`, which are those of all lanes. */
static inline __attribute__((always_inline)) void simt_regroup(struct simt_warp *warp)
{
    const uint32_t ready = warp->live & ~warp->parked;
    uint32_t pcs[SIMT_LANES], lowest = UINT32_MAX, until = UINT32_MAX, lanes = 0;
    EACH_LANE pcs[lane] = ready & 1u << lane ? warp->pcs[lane] : UINT32_MAX;
    EACH_LANE lowest = pcs[lane] < lowest ? pcs[lane] : lowest;
    EACH_LANE
    {
        const uint32_t other = pcs[lane] == lowest ? UINT32_MAX : pcs[lane];
        lanes |= pcs[lane] == lowest ? 1u << lane : 0;
        until = other < until ? other : until;
    }
    warp->active = lanes & ready;
    warp->pc = lowest;
    warp->until = until;
}

/* Keeps `ready` what it says after a change of a warp. */
static inline void simt_note_ready(struct simt_block *block, uint32_t number)
{
    const struct simt_warp *warp = &block->warps[number];
    const bool ready = warp->live && !warp->waiting;
    block->ready = (block->ready & ~(1u << number)) | (uint32_t)ready << number;
}

/* ---- processor_warps.c ---- */

bool simt_execute_masks(struct simt_block *block, struct simt_warp *warp, struct simt_step *step,
                        const struct simt_decoded *decoded, uint32_t *next);
bool simt_execute_lanes(struct simt_block *block, struct simt_warp *warp, struct simt_step *step,
                        const struct simt_decoded *decoded);
bool simt_arrive_late(struct simt_block *block, uint32_t number);
