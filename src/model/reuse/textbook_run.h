/* One run of one launch on one SM under the textbook's rules. Private to the files of
 * model/reuse/textbook.h: textbook_sms.c plans the runs, textbook.c executes one. Launches of an SM
 * share its cache, so they must be executed in order; results are added to the counts that the run
 * points to. */
#pragma once

#include "model/reuse/outcomes.h"
#include "model/reuse/textbook.h"
#include "model/reuse/timed_cache.h"

enum { NO_RUN = -1 };

struct textbook_run {
    const struct machine *machine;
    const struct trace_source *source;
    uint32_t launch;
    /* Its number, which is also the first of its blocks; the others follow at steps of gpu.sms. */
    uint64_t sm;
    uint64_t blocks;   /* number of blocks that it gets */
    uint32_t resident; /* how many of them are resident at once */
    struct timed_cache *cache;
    const struct sm_loads *loads; /* NULL: read from the source, which fills the table */
    struct key_table *table;
    struct reuse_run *counts; /* added to */
    struct outcome_row *rows; /* [blocks x warps of a block], or NULL: no classes */
    size_t ideals;            /* number of idealised runs in the rows */
    int own;                  /* number of this run in the rows, or NO_RUN for a machine's own */
    const int *compare;       /* machine's own run: numbers of its idealised runs, [REUSE_RUNS] */
    uint64_t *classes;        /* machine's own run: classes of its misses, added to */
    struct reuse_detail *detail;    /* machine's own run, or NULL */
    const struct load_clock *clock; /* of a machine, or NULL */
    struct record_counts *stream;   /* unless NULL: gets the launch's stream; only without loads */
    const struct evaluate_options *options;
    struct diagnostics *diagnostics;
};

enum status textbook_execute(const struct textbook_run *run);
