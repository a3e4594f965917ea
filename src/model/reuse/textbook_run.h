/* One run of one launch on one SM under the textbook's rules (inside of model/reuse/textbook.h). */
#pragma once

#include "model/reuse/outcomes.h"
#include "model/reuse/textbook.h"
#include "model/reuse/timed_cache.h"

enum { NO_RUN = -1 };

struct textbook_run {
    const struct machine *machine;
    const struct trace_source *source;
    uint32_t launch;
    uint64_t sm;       /* its number: it gets every gpu.sms-th block from there on */
    uint64_t blocks;   /* that it gets */
    uint32_t resident; /* of these at once */
    struct timed_cache *cache;
    const struct sm_loads *loads; /* NULL: read from the source, which fills the table */
    struct key_table *table;
    struct reuse_run *counts;       /* added to */
    struct outcome_row *rows;       /* [blocks x warps of a block], or NULL: no classes */
    size_t ideals;                  /* idealised runs in the rows */
    int own;                        /* number of this one there, or NO_RUN: it is a machine's */
    const int *compare;             /* of a machine: its idealised runs, [REUSE_RUNS] */
    uint64_t *classes;              /* of a machine's misses, added to */
    struct reuse_detail *detail;    /* of a machine, or NULL */
    const struct load_clock *clock; /* of a machine, or NULL */
    struct feed_counts *stream; /* where not NULL: what the launch's stream held; without loads */
    const struct evaluate_options *options;
    struct diagnostics *diagnostics;
};

enum status textbook_execute(const struct textbook_run *run);
