#include "cli/sweep/sweep_display.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/counts.h"
#include "cli/results/results.h"

enum { LINE_TEXT = 400 };
#define PLAIN_SECONDS  5.0
#define STATUS_SECONDS 1.0

/* "12.3 %  ETA 3:12  20 / 20 736 points  88/s  passes 3 / 48, 2 running": what a narrow terminal
 * cuts off comes last. */
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
    if (progress->best == UINT64_MAX)
        return;
    const struct metric *metric = display->study->objectives[0].metric;
    char value[QUANTITY_TEXT], front[COUNT_TEXT];
    used += snprintf(text + used, LINE_TEXT - (size_t)used, "  front %s",
                     count_print(progress->front, front));
    if (!isnan(progress->hypervolume))
        used += snprintf(text + used, LINE_TEXT - (size_t)used, "  hypervolume %.4f",
                         progress->hypervolume);
    snprintf(text + used, LINE_TEXT - (size_t)used, "  best %s %s at %" PRIu64, metric->path,
             quantity_print_short(progress->best_value, metric->unit, 4, value), progress->best);
}

static int terminal_width(void)
{
    struct winsize size;
    return !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col ? size.ws_col : 80;
}

/* Once a second, and where the state changes. A disk that takes no status file ends no sweep. */
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
        results_point_text(&display->space, progress->best, status->best_point,
                           sizeof status->best_point);
    }
    sweep_status_write(display->store, status);
}

void sweep_display_show(void *argument, const struct sweep_progress *progress)
{
    struct sweep_display *display = argument;
    char text[LINE_TEXT];
    if (display->store)
        update_status(display, progress);
    bool due = progress->seconds - display->last >= PLAIN_SECONDS;
    if (!display->redraw && !due)
        return;
    display->last = progress->seconds;
    progress_text(display, progress, text);
    if (display->redraw)
        fprintf(stderr, "\r%.*s\033[K", terminal_width() - 1, text);
    else
        fprintf(stderr, "%s\n", text);
}

/* Why the run ended, for the status file and for the user; *hint is what to do. */
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
        fputs("\r\033[K", stderr);
    if (!display->store)
        return;
    if (status && !progress->points) /* it never began: the store is another one's, ... */
        return;
    describe_end(status, progress, diagnostics, event, &hint);
    finish_status(display, progress, status, event);
    if (status == STATUS_CANCELLED)
        fprintf(stderr, "%s with %s in %s; %s\n", event,
                counted_print(progress->done, "point", points), display->store, hint);
    else if (status == STATUS_IO) /* a full disk, a disk that went away */
        fprintf(stderr,
                "the store cannot be written; the points that were committed to %s are safe, and "
                "the same command goes on from there\n",
                display->store);
}
