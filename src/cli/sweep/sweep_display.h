/* A running sweep, as the user sees it: a line on standard error and the status file. */
#pragma once

#include "explore/space/space.h"
#include "report/sweep_status.h"

struct sweep_display {
    const struct study *study;
    const char *store;
    struct space space;
    bool redraw; /* one line, rewritten; else a line now and then */
    double last, last_status;
    struct sweep_status status; /* beside the store */
};

/* `study` and `store` must outlive it. `store` NULL: the line alone, no status file, and nothing
 * said at the end. `plain`: lines also on a terminal. */
enum status sweep_display_open(struct sweep_display *display, const struct study *study,
                               const char *store, bool plain, struct diagnostics *diagnostics);
/* The progress function of sweep_options; `argument` is the display. */
void sweep_display_show(void *argument, const struct sweep_progress *progress);
/* Removes the line, writes the last status and says what is to be known of a run that stopped. */
void sweep_display_end(struct sweep_display *display, const struct sweep_progress *progress,
                       enum status status, const struct diagnostics *diagnostics);
