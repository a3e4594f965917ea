/* How a sweep is getting on, as a small file beside its store: STORE.status, JSON, replaced as a
 * whole by rename, so that a reader never sees half of it (docs/FORMATS.md, "The status file"). */
#pragma once

#include "explore/sweep/sweep.h"

enum sweep_state { SWEEP_STARTING, SWEEP_RUNNING, SWEEP_COMPLETE, SWEEP_STOPPED, SWEEP_FAILED };

enum { STATUS_TEXT = 400 };

struct sweep_status {
    enum sweep_state state;
    char event[STATUS_TEXT]; /* the last thing that happened, in words */
    char study[STATUS_TEXT], host[64];
    long pid;
    double started, updated; /* seconds since 1970 */
    struct sweep_progress progress;
    char best_metric[64];         /* "" = no objective */
    char best_value[64];          /* with its unit */
    char best_point[STATUS_TEXT]; /* "l1d.size=16KiB tlb.entries=64 on GEMM" */
};

const char *sweep_state_name(enum sweep_state state);

/* Host, process and time of a run that starts now. */
void sweep_status_init(struct sweep_status *status, const char *study);

/* Writes the file with the time of now. STATUS_IO where it cannot: a sweep goes on without. */
enum status sweep_status_write(const char *store, struct sweep_status *status);
/* STATUS_NOT_FOUND where there is none; whatever else stands there is STATUS_CORRUPT. */
enum status sweep_status_read(const char *store, struct sweep_status *status);
