/* The SIMT processor of the paper: blocks of up to 8 warps of up to 8 lanes that execute one
 * program; one warp issues at a time, the warps of a block in turn. Lanes diverge in one of two
 * ways: each lane has a program counter and the lowest one goes first, which runs any program; or
 * a warp has one, and the program sets which lanes are enabled with the instructions of Vortex.
 *
 * Blocks run one program, or each its own part of it, from a place and with registers of its own.
 * Each block sees the memory as the program's file sets it up and its own stores, so that blocks
 * can be run in any order. The same program gives the same steps every time.
 *
 * Paper: papers/simt-cache (X. Xu et al., Computer Applications and Software 36(7), 2019), which
 * leaves the instructions and the order of lanes open. */
#pragma once

#include <stdbool.h>

#include "workload/simt/image.h"
#include "workload/simt/isa.h"

enum { SIMT_LANES = 8, SIMT_WARPS = 8, SIMT_BLOCKS = 4, SIMT_BARRIERS = 16, SIMT_SPLITS = 32 };

struct simt_setup {
    uint32_t blocks, warps, lanes;
    bool masks;     /* lanes diverge by masks, not by program counters of their own */
    uint64_t limit; /* instructions that a block may issue, so that no program runs forever */
    uint32_t stack; /* bytes of a lane's stack, a multiple of 4096 */
};

/* A program ready to run; it does not change while it runs. */
struct simt_program {
    struct simt_image image;
    struct simt_setup setup;
    struct simt_decoded *decoded; /* of the text */
    /* The bytes of the image that are not 0, in whole pages: text and data lie far apart. */
    struct simt_range {
        uint32_t first, size;
    } * filled;
    uint32_t filled_count;
    struct simt_start { /* of each block, as symbols of the program say (docs/SIMT.md) */
        uint32_t pc, registers[SIMT_REGISTERS];
        uint64_t given; /* registers, as bits; the others hold what they hold in any block */
    } starts[SIMT_BLOCKS];
    uint32_t global_pointer;    /* what gp holds at the start */
    uint32_t stack_top;         /* of lane 0 of block 0 */
    bool reads_floats;          /* some instruction accesses fflags, frm or fcsr */
    struct simt_spares *spares; /* memory of ended blocks, for those that follow */
};

/* Takes the image over. */
enum status simt_program_init(struct simt_program *program, struct simt_image *image,
                              const struct simt_setup *setup);
void simt_program_free(struct simt_program *program);

struct simt_split { /* of vx_split */
    uint32_t restored, other, pc;
    bool second; /* the other lanes are under way */
};

struct simt_warp {
    /* By register, then lane; after them one that takes what is written to x0. */
    _Alignas(32) uint32_t registers[SIMT_REGISTERS + 1][SIMT_LANES];
    /* The lanes that issue next, and where; as long as they are below `until`, the lowest program
     * counter of others that are ready, nobody else's turn comes. With masks: all enabled ones. */
    uint32_t active, pc, until;
    uint32_t pcs[SIMT_LANES]; /* of all other lanes */
    uint32_t fcsr[SIMT_LANES];
    uint32_t reserved;                 /* lanes whose lr.w still holds its word */
    uint32_t reservations[SIMT_LANES]; /* the addresses of these words */
    uint32_t live;                     /* lanes that have not ended; with masks: the enabled ones */
    uint32_t parked;                   /* lanes that wait at a barrier for others of the warp */
    bool waiting;                      /* at a barrier of the block */
    struct simt_split splits[SIMT_SPLITS];
    uint32_t split_count;
};

/* What one issued instruction did; and, of simt_block_run, those that follow it in the text with
 * the same lanes: they compute or jump, and touch neither memory nor other warps. */
struct simt_step {
    uint32_t warp, pc, mask;
    uint8_t op;                     /* enum simt_op */
    uint8_t count;                  /* instructions; all else is of the first */
    uint8_t bytes;                  /* per lane, of a load, store or atomic */
    bool shared;                    /* the lanes access the shared RAM */
    bool arrived;                   /* the warp has come to a barrier with all its lanes */
    bool ended;                     /* all active lanes ended with it */
    uint32_t addresses[SIMT_LANES]; /* by lane, of the active ones, where `bytes` is not 0 */
};

enum simt_result { SIMT_RAN, SIMT_ENDED, SIMT_FAULT };

struct simt_block {
    const struct simt_program *program;
    uint32_t index, next; /* next: the warp whose turn it is, if it can issue */
    uint32_t ready;       /* warps that have not ended and do not wait at a barrier */
    _Alignas(32)
        uint32_t ahead[SIMT_WARPS]; /* instructions that warps have executed before their turn */
    unsigned char *memory, *stacks, *shared;
    unsigned char *own; /* the last two, and the memory if no caller keeps it */
    unsigned char
        *dirty; /* by page of the memory, then of the others: something was stored there */
    struct simt_warp warps[SIMT_WARPS];
    uint32_t barriers[SIMT_BARRIERS]; /* warps that wait there */
    uint32_t reserved;                /* warps with lanes whose lr.w still holds its word */
    uint64_t issued;
    bool vectors; /* it runs on AVX2; a test clears it to compare */
    char fault[160];
    uint32_t fault_pc;
};

/* Starts block `index`. `memory`: NULL, or the bytes of an image that the caller keeps, so that
 * what one block stores is there for the next. */
enum status simt_block_start(struct simt_block **block, const struct simt_program *program,
                             uint32_t index, unsigned char *memory);
void simt_block_free(struct simt_block *block);

/* Issues the next instruction of the block. After SIMT_FAULT simt_block_fault reports what was
 * wrong, with the line of the program. */
enum simt_result simt_block_step(struct simt_block *block, struct simt_step *step);
/* The same for up to `count` steps; those of one warp are in their order. A warp executes
 * instructions that no other warp could notice before their turn, as one after the other of the
 * same warp is faster. Returns how many there are; *result is SIMT_RAN if that is all of them. */
size_t simt_block_run(struct simt_block *block, struct simt_step *steps, size_t count,
                      enum simt_result *result);
enum status simt_block_fault(const struct simt_block *block, struct diagnostics *diagnostics);

/* Whether a warp has ended. */
static inline bool simt_warp_ended(const struct simt_warp *warp)
{
    return !warp->live;
}
