/* The depth table: how much of the hardware an evaluation models (docs/MODELS.md).
 *
 * A depth is an option of an evaluation, not a parameter of a machine. This table says what each
 * depth reads and what may be done with its answers; model/depth_models.c has the functions that
 * compute them. A new depth is one row here, one row there, and the module that simulates it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "schema/stages.h"

/* X(ID, name, label, stages, traits, linger, help)
 *
 * `label` names one run of a depth that is not factored. `stages` are the stages that the depth
 * simulates and whose parameters it reads. `linger` is for the explorer: an evaluation whose
 * machine the user has left runs on until it is this many seconds old. It is longer for depths
 * without estimates, because nothing else shows the effect of a held key. */
#define DEPTH_LIST(X)                                                                              \
    X(FUNCTIONAL, "functional", "machine", STAGE_EVERY & ~STAGE_AREA,                              \
      DEPTH_FACTORED | DEPTH_SAMPLED | DEPTH_BOUNDED | DEPTH_GROUPED | DEPTH_FITS |                \
          DEPTH_LAUNCHES,                                                                          \
      0.4, "counts of every cache and TLB in one issue order, without latencies")                  \
    X(REUSE, "reuse", "timed L1D", STAGE_STREAM | STAGE_L1D, DEPTH_DISTANCES, 1.0,                 \
      "reuse distances of L1D loads with latencies, lines in flight and MSHRs (HPCA 2014)")        \
    X(TIMING, "timing", "timed machine", STAGE_EVERY & ~STAGE_AREA,                                \
      DEPTH_SAMPLED | DEPTH_FITS | DEPTH_TIMED | DEPTH_LAUNCHES, 0.4,                              \
      "cycle by cycle: warp scheduling and stalls, queues, MSHRs, interconnect and DRAM")

/* What help texts say of all depths: "functional: ...; reuse: ...; ". */
#define DEPTH_SENTENCE(id, name, label, stages, traits, linger, help) name ": " help "; "
#define DEPTH_HELP                                                    DEPTH_LIST(DEPTH_SENTENCE)

enum depth_trait {
    DEPTH_FACTORED = 1 << 0,  /* its stages are simulated one by one and none depends on a later
                               * stage, so a point is composed from their results */
    DEPTH_SAMPLED = 1 << 1,   /* parts of the grid give an estimate (evaluate_sampled) */
    DEPTH_BOUNDED = 1 << 2,   /* bounds on its misses can be proved (explore/search/bounds.h) */
    DEPTH_GROUPED = 1 << 3,   /* threads share the work of one pass, and many caches share its
                               * stream */
    DEPTH_FITS = 1 << 4,      /* it refuses a launch if not even one of its blocks fits an SM */
    DEPTH_DISTANCES = 1 << 5, /* it measures reuse distances and the times of loads */
    DEPTH_TIMED = 1 << 6,     /* it counts cycles, of each interval and instruction too; it needs to
                               * know which instruction waits for which (trace/instructions.h) */
    DEPTH_LAUNCHES = 1 << 7   /* it counts every launch by itself, too */
};

enum depth {
#define DEPTH_ENUM(id, ...) DEPTH_##id,
    DEPTH_LIST(DEPTH_ENUM)
#undef DEPTH_ENUM
        DEPTH_COUNT
};

/* A depth's bit in a mask of stages. In a row of the parameter table it means that this depth reads
 * the parameter too. In a question (explore/plan/simulate.h) it asks for the whole answer of the
 * depth. */
#define DEPTH_BIT(depth) (1u << (STAGE_BITS + (depth)))
enum {
#define DEPTH_AT(id, ...) AT_##id = DEPTH_BIT(DEPTH_##id),
    DEPTH_LIST(DEPTH_AT)
#undef DEPTH_AT
};

struct depth_info {
    const char *name, *label;
    unsigned stages; /* of enum stage */
    unsigned traits; /* of enum depth_trait */
    double linger;   /* seconds */
    const char *help;
};

extern const struct depth_info depth_table[DEPTH_COUNT];

/* The names of all depths, then NULL. */
extern const char *const depth_words[DEPTH_COUNT + 1];
const char *depth_name(enum depth depth);
bool depth_can(enum depth depth, unsigned trait);

/* Finds a depth by its name; false if there is none. */
bool depth_find(const char *name, enum depth *depth);

/* "functional, reuse or timing", for messages: all depths, and those with a trait. Returns `text`.
 */
enum { DEPTH_NAMES = 128 };
const char *depth_names(char text[DEPTH_NAMES]);
const char *depths_with(unsigned trait, char text[DEPTH_NAMES]);

/* Everything that the answers of a depth depend on: its stages and its own bit. */
unsigned depth_reads(enum depth depth);

/* The bits under which answers for `stages` are kept: the stages of a factored depth, else the one
 * bit of the depth. 0 if it simulates none of `stages`. */
unsigned depth_results(enum depth depth, unsigned stages);

/* Every bit that depth_results can return. */
unsigned depth_results_all(void);

/* The bits of a mask of stages and depths are numbered 0 to READER_COUNT - 1. */
enum { READER_COUNT = STAGE_BITS + DEPTH_COUNT };

/* In a row of the parameter table: this depth does not read the parameter, although it simulates a
 * stage that does at other depths. */
#define NOT_AT(depth) (1u << (READER_COUNT + (depth)))
/* Likewise: no depth reads the parameter, which only files of other simulators have. */
#define FOR_FILES (1u << 31)
/* The name of a stage's bit ("l1d") or a depth's ("reuse"), and its label for sentences ("L1D",
 * "timed L1D"). */
const char *reader_name(unsigned bit);
const char *reader_label(unsigned bit);
