/* What the search for knobs that do nothing turns knobs of, and what it runs (support/knobs.h). */
#pragma once

#include <stddef.h>

#include "trace/stream.h"

enum { KNOB_SETTINGS = 32 };

/* A machine to turn the knobs of. Settings make a machine small, or switch on what no single change
 * of the others makes relevant. */
struct knob_ground {
    const char *machine;
    const char *settings[KNOB_SETTINGS]; /* as of --set, then NULL */
};

extern const struct knob_ground knob_grounds[];
extern const size_t knob_ground_count;

enum knob_source {
    KNOB_MIXED,  /* some of everything */
    KNOB_WIDE,   /* on many pages, far apart */
    KNOB_BLOCKS, /* many blocks of one warp */
    KNOB_SCENE,
    KNOB_SHADOWS, /* another scene */
    KNOB_USUAL,   /* so many of these are tried everywhere; the others where a hint names them */
    KNOB_LOADS = KNOB_USUAL, /* loads alone, of few lines, in one launch */
    KNOB_STORES,             /* and stores, of local memory too, and atomics on floats */
    KNOB_SPECIAL,            /* special functions and tensors alone */
    KNOB_DOUBLES,            /* doubles with a few others */
    KNOB_BRANCHES,           /* branches, textures and uniform instructions alone */
    KNOB_SOURCES
};

extern struct trace_source *knob_sources[KNOB_SOURCES];

/* Cmocka group fixtures: open the sources, and free them. */
int knob_sources_open(void **state);
int knob_sources_free(void **state);
