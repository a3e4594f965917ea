/* The display of a running sweep: a progress line on standard error, and the status file next to
 * the store (report/runs/sweep_status.h). The status file is written at most once a second; a
 * failure to write it never stops the sweep. */
#pragma once

#include "explore/space/space.h"
#include "report/runs/sweep_status.h"

struct sweep_display {
    const struct study *study;
    const char *store;
    struct space space;
    bool redraw; /* rewrite one line; else print a line every few seconds */
    double last, last_status;
    double locked; /* seconds that another process has held the store, as last reported */
    struct sweep_status status; /* contents of the status file */
};

/* `study` and `store` must outlive the display. `store` NULL: only the progress line, no status
 * file, no message at the end. `plain`: print lines even on a terminal. */
enum status sweep_display_open(struct sweep_display *display, const struct study *study,
                               const char *store, bool plain, struct diagnostics *diagnostics);
/* The progress callback of sweep_options; `argument` is the display. */
void sweep_display_show(void *argument, const struct sweep_progress *progress);
/* Removes the line, writes the final status, and tells the user how to go on after an incomplete
 * run. */
void sweep_display_end(struct sweep_display *display, const struct sweep_progress *progress,
                       enum status status, const struct diagnostics *diagnostics);
