#include "cli/sweep/sweep_display.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/counts.h"
#include "cli/results/results.h"
#include "cli/shared/options.h"
#include "cli/shared/standard_streams.h"

enum { LINE_TEXT = 400 };
#define PLAIN_SECONDS  5.0
#define STATUS_SECONDS 1.0
#define LOCKED_SECONDS 2.0 /* do not mention shorter waits */

/* Prints "12.3 % ETA 3:12 20 / 20 736 points 88/s passes 3 / 48, 2 running". The least important
 * comes last: a narrow terminal cuts it off. */
static void progress_text(const struct sweep_display *display,
                          const struct sweep_progress *progress, char text[LINE_TEXT])
{
    char done[COUNT_TEXT], points[COUNT_TEXT], rate[COUNT_TEXT], eta[DURATION_TEXT];
    int used = snprintf(text, LINE_TEXT, "%5.1f %%  ETA %s  %s / %s  %s/s", progress->share * 100,
                        duration_print(progress->eta, eta), count_print(progress->done, done),
                        counted_print(progress->points, "point", points),
                        count_print((uint64_t)progress->rate, rate));
    if (progress->passes)
        used += snprintf(text + used, LINE_TEXT - (size_t)used, "  passes %s / %s, %u running",
                         count_print(progress->passes_done, done),
                         count_print(progress->passes, points), progress->passes_running);
    used +=
        snprintf(text + used, LINE_TEXT - (size_t)used, "  cells %s / %s",
                 count_print(progress->cells_covered, done), count_print(progress->cells, points));
    if (!progress->front)
        return;
    const struct metric *metric = display->study->objectives[0].metric;
    char value[QUANTITY_TEXT], front[COUNT_TEXT], whose[WORKLOADS_TEXT];
    used += snprintf(text + used, LINE_TEXT - (size_t)used, "  front %s",
                     count_print(progress->front, front));
    if (!isnan(progress->hypervolume))
        used += snprintf(text + used, LINE_TEXT - (size_t)used, "  hypervolume %.4f",
                         progress->hypervolume);
    if (progress->best != UINT64_MAX)
        snprintf(text + used, LINE_TEXT - (size_t)used, "  best %s %s at %" PRIu64 "%s",
                 metric->path, quantity_print_short(progress->best_value, metric->unit, 4, value),
                 progress->best, results_best_of(display->study, whose));
}

static int terminal_width(void)
{
    unsigned columns = options_columns(STDERR_FILENO);
    return columns ? (int)columns : 80;
}

/* Writes the status once a second and when the state changes. Ignores errors: a sweep must not stop
 * because its status cannot be written. */
static void update_status(struct sweep_display *display, const struct sweep_progress *progress)
{
    struct sweep_status *status = &display->status;
    if (progress->seconds - display->last_status < STATUS_SECONDS && status->state == SWEEP_RUNNING)
        return;
    display->last_status = progress->seconds;
    if (status->state == SWEEP_STARTING)
        status->state = SWEEP_RUNNING;
    status->progress = *progress;
    if (progress->best != UINT64_MAX) {
        const struct metric *metric = display->study->objectives[0].metric;
        snprintf(status->best_metric, sizeof status->best_metric, "%s", metric->path);
        char value[QUANTITY_TEXT];
        snprintf(status->best_value, sizeof status->best_value, "%s",
                 quantity_print_short(progress->best_value, metric->unit, 4, value));
        results_best_text(&display->space, progress->best, status->best_point,
                          sizeof status->best_point);
    }
    (void)sweep_status_write(display->store, status);
}

/* Returns whether the sweep waits for the store. A backup may lock the store for minutes: the user
 * must see why an overnight run makes no progress. */
static bool show_wait(struct sweep_display *display, const struct sweep_progress *progress)
{
    const double before = display->locked;
    char text[DURATION_TEXT];
    if (progress->locked >= LOCKED_SECONDS)
        display->locked = progress->locked;
    else if (progress->locked == 0)
        display->locked = 0;
    if (display->redraw && !before != !display->locked)
        standard_streams_control(stderr, "\r\033[K");
    if (!before && display->locked)
        fprintf(stderr, "%s is locked by another process; waiting until it lets go\n",
                display->store);
    if (before && !display->locked)
        fprintf(stderr, "%s is free again after %s\n", display->store,
                duration_print(before, text));
    snprintf(display->status.event, sizeof display->status.event, "%s",
             display->locked ? "the store is locked by another process; waiting" : "");
    return progress->locked > 0;
}

void sweep_display_show(void *argument, const struct sweep_progress *progress)
{
    struct sweep_display *display = argument;
    char text[LINE_TEXT];
    const bool waits = display->store && show_wait(display, progress);
    if (display->store)
        update_status(display, progress);
    if (waits)
        return;
    bool due = progress->seconds - display->last >= PLAIN_SECONDS;
    if (!display->redraw && !due)
        return;
    display->last = progress->seconds;
    progress_text(display, progress, text);
    if (display->redraw)
        standard_streams_control(stderr, "\r\033[K");
    fprintf(stderr, display->redraw ? "%.*s" : "%.*s\n",
            display->redraw ? terminal_width() - 1 : LINE_TEXT, text);
}

/* Describes why the run ended, for the status file and the user; *hint is what to do next. */
static void describe_end(enum status status, const struct sweep_progress *progress,
                         const struct diagnostics *diagnostics, char event[STATUS_TEXT],
                         const char **hint)
{
    static const char *const stops[] = {"stopped", "stopped", "stopped by --time-limit",
                                        "stopped by --memory-limit"};
    *hint = "the same command goes on from there";
    snprintf(event, STATUS_TEXT, "%s", "complete");
    if (status == STATUS_CANCELLED) {
        snprintf(event, STATUS_TEXT, "%s", stops[progress->stop]);
        if (progress->stop == SWEEP_MEMORY_LIMIT)
            *hint = "the same command goes on from there; fewer --threads take less memory";
    } else if (status) {
        size_t i = 0;
        while (i < diagnostics->count && diagnostics->items[i].severity != SEVERITY_ERROR)
            i++;
        snprintf(event, STATUS_TEXT, "%s",
                 i < diagnostics->count ? diagnostics->items[i].message : status_text(status));
    }
}

static void finish_status(struct sweep_display *display, const struct sweep_progress *progress,
                          enum status status, const char *event)
{
    display->status.state = !status                      ? SWEEP_COMPLETE
                            : status == STATUS_CANCELLED ? SWEEP_STOPPED
                                                         : SWEEP_FAILED;
    snprintf(display->status.event, sizeof display->status.event, "%s", event);
    display->status.progress.eta = NAN;
    update_status(display, progress);
}

enum status sweep_display_open(struct sweep_display *display, const struct study *study,
                               const char *store, bool plain, struct diagnostics *diagnostics)
{
    *display = (struct sweep_display){
        .study = study, .store = store, .redraw = !plain && isatty(STDERR_FILENO)};
    sweep_status_init(&display->status, study->name);
    return space_open(study, &display->space, diagnostics);
}

void sweep_display_end(struct sweep_display *display, const struct sweep_progress *progress,
                       enum status status, const struct diagnostics *diagnostics)
{
    const char *hint;
    char points[COUNT_TEXT], event[STATUS_TEXT];
    if (display->redraw)
        standard_streams_control(stderr, "\r\033[K");
    if (!display->store)
        return;
    /* The sweep did not start, for example because the store belongs to another study. */
    if (status && !progress->points)
        return;
    describe_end(status, progress, diagnostics, event, &hint);
    finish_status(display, progress, status, event);
    if (status == STATUS_CANCELLED)
        fprintf(stderr, "%s with %s in %s; %s\n", event,
                counted_print(progress->done, "point", points), display->store, hint);
    else if (status == STATUS_IO) /* for example a full disk */
        fprintf(stderr,
                "the store cannot be written; the points that were committed to %s are safe, and "
                "the same command goes on from there\n",
                display->store);
}
