/* The progress of a sweep, as a small JSON file next to its store: STORE.status (docs/FORMATS.md,
 * "The status file"). `warpscape watch` and scripts follow a sweep through it.
 *
 * Invariant: the file is replaced by rename, so a reader never sees half of it while the host is
 * up. It is not synced: after a crash of the host it may be old, empty or missing. Only displays
 * depend on it, never results. */
#pragma once

#include "explore/sweep/sweep.h"

enum sweep_state { SWEEP_STARTING, SWEEP_RUNNING, SWEEP_COMPLETE, SWEEP_STOPPED, SWEEP_FAILED };

enum { STATUS_TEXT = 400 };

struct sweep_status {
    enum sweep_state state;
    char event[STATUS_TEXT]; /* the last thing that happened, as a sentence */
    char study[STATUS_TEXT], host[64];
    long pid;
    double started, updated; /* seconds since 1970 */
    struct sweep_progress progress;
    char best_metric[64];         /* "" = no objective */
    char best_value[64];          /* with its unit */
    char best_point[STATUS_TEXT]; /* "l1d.size=16KiB tlb.entries=64 on GEMM" */
};

const char *sweep_state_name(enum sweep_state state);

/* Fills in host, process and start time of a run that starts now. */
void sweep_status_init(struct sweep_status *status, const char *study);

/* Writes the file and sets `updated` to now. STATUS_IO if that fails; the caller may go on without
 * the file. STATUS_MEMORY. */
enum status sweep_status_write(const char *store, struct sweep_status *status);
/* Reads the file. STATUS_NOT_FOUND if there is none, STATUS_CORRUPT if it is not a status file,
 * STATUS_IO, STATUS_MEMORY. */
enum status sweep_status_read(const char *store, struct sweep_status *status);
