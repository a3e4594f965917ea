/* The depth table: how deeply hardware is modelled (docs/MODELS.md).
 *
 * A depth is an option of an evaluation, not a parameter of a machine. What can be done with its
 * answers stands here; the functions that give them are in model/depths.c. A new depth is one row
 * here, one there, and the module that simulates it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "schema/stages.h"

/* X(ID, name, label, stages, traits, linger, help)
 * `label`: what one of its runs is called where it is not factored.
 * `stages`: those that it simulates and whose parameters it reads. `linger`: for how many seconds
 * after its beginning an evaluation goes on whose machine was left: longer where there are no
 * estimates, so that nothing else would show what a held key does. */
#define DEPTH_LIST(X)                                                                              \
    X(FUNCTIONAL, "functional", "machine", STAGE_EVERY & ~STAGE_AREA,                              \
      DEPTH_FACTORED | DEPTH_SAMPLED | DEPTH_BOUNDED | DEPTH_GROUPED | DEPTH_FITS, 0.4,            \
      "counts of every cache and TLB in one order of issue, in which nothing takes time")          \
    X(REUSE, "reuse", "timed L1D", STAGE_STREAM | STAGE_L1D, DEPTH_DISTANCES, 1.0,                 \
      "the L1D's loads with latencies, lines in flight and MSHRs (HPCA 2014)")

/* What help texts say of all depths: "functional: ...; reuse: ...; ". */
#define DEPTH_SENTENCE(id, name, label, stages, traits, linger, help) name ": " help "; "
#define DEPTH_HELP                                                    DEPTH_LIST(DEPTH_SENTENCE)

enum depth_trait {
    DEPTH_FACTORED = 1 << 0, /* its stages are simulated one by one and do not depend on what is
                              * behind them: a point is composed from them */
    DEPTH_SAMPLED = 1 << 1,  /* windows of the grid give an estimate (evaluate_sampled) */
    DEPTH_BOUNDED = 1 << 2,  /* bounds on its misses are proved (explore/search/bounds.h) */
    DEPTH_GROUPED = 1 << 3,  /* threads help with one pass, and many caches share it */
    DEPTH_FITS = 1 << 4,     /* it refuses a launch of whose blocks no SM has room for one */
    DEPTH_DISTANCES = 1 << 5 /* it knows reuse distances and times of loads */
};

enum depth {
#define DEPTH_ENUM(id, ...) DEPTH_##id,
    DEPTH_LIST(DEPTH_ENUM)
#undef DEPTH_ENUM
        DEPTH_COUNT
};

/* The bit of a depth in a mask of stages. In a row of the parameter table: this depth reads it too;
 * in a question (explore/plan/simulate.h): all that the depth says as a whole. */
#define DEPTH_BIT(depth) (1u << (STAGE_BITS + (depth)))
enum {
#define DEPTH_AT(id, ...) AT_##id = DEPTH_BIT(DEPTH_##id),
    DEPTH_LIST(DEPTH_AT)
#undef DEPTH_AT
    /* What only simulators of time read: it is kept for their configurations (config/gpgpusim) and
     * changes nothing here. */
    AT_TIMING = DEPTH_BIT(DEPTH_COUNT)
};

struct depth_info {
    const char *name, *label;
    unsigned stages; /* of enum stage */
    unsigned traits; /* of enum depth_trait */
    double linger;   /* seconds */
    const char *help;
};

extern const struct depth_info depth_table[DEPTH_COUNT];

/* All their names, and NULL. */
extern const char *const depth_words[DEPTH_COUNT + 1];
const char *depth_name(enum depth depth);
bool depth_can(enum depth depth, unsigned trait);

/* Looks a depth up by its name; false: there is none. */
bool depth_find(const char *name, enum depth *depth);

/* "functional or reuse", for messages. Returns `text`. */
enum { DEPTH_NAMES = 128 };
const char *depth_names(char text[DEPTH_NAMES]);

/* Everything that the answers of a depth depend on: its stages, and what it reads besides. */
unsigned depth_reads(enum depth depth);

/* What its answers are kept by: each of its stages where it is factored, else the whole. */
unsigned depth_results(enum depth depth, unsigned stages);

/* Every bit that depth_results may give. */
unsigned depth_results_all(void);

/* Who has a bit in a mask of stages and depths, by its place. */
enum { READER_COUNT = STAGE_BITS + DEPTH_COUNT };
/* "l1d" of a stage's bit, "reuse" of a depth's; and in sentences "L1D", "timed L1D". */
const char *reader_name(unsigned bit);
const char *reader_label(unsigned bit);
