#include "explore/plan/sweep_limits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/counts.h"

#define REPORT_SECONDS       0.25
#define STOPPED_WAIT_SECONDS 2.0 /* how long a run that is to stop waits for a locked store */

/* Resident bytes of this process; 0 if the system does not say. */
static uint64_t memory_resident(void)
{
    char text[128] = "", *resident;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file)
        return 0;
    (void)!fgets(text, sizeof text, file); /* total pages, resident pages, ... */
    fclose(file);
    (void)strtoull(text, &resident, 10);
    return strtoull(resident, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

void sweep_guard_begin(struct sweep_guard *guard, const struct sweep_options *options)
{
    double time = clock_seconds();
    *guard = (struct sweep_guard){
        .options = options,
        .progress = {.eta = NAN, .hypervolume = NAN, .best = UINT64_MAX, .best_value = NAN},
        .begin = time,
        .start = time};
}

/* Keeps the first reason. */
static void stop_for(struct sweep_guard *guard, enum sweep_stop reason)
{
    if (!atomic_exchange(&guard->stop, true))
        guard->progress.stop = reason;
}

bool sweep_guard_stopped(struct sweep_guard *guard)
{
    if (guard->options->cancel && atomic_load(guard->options->cancel))
        stop_for(guard, SWEEP_CANCELLED);
    return atomic_load(&guard->stop);
}

bool sweep_guard_due(struct sweep_guard *guard)
{
    const struct sweep_options *options = guard->options;
    double time = clock_seconds();
    if (time - guard->last_report < REPORT_SECONDS)
        return false;
    if (options->time_limit > 0 && time - guard->begin >= options->time_limit)
        stop_for(guard, SWEEP_TIME_LIMIT);
    else if (options->memory_limit && memory_resident() > options->memory_limit)
        stop_for(guard, SWEEP_MEMORY_LIMIT);
    return true;
}

bool sweep_guard_wait(struct sweep_guard *guard, double seconds)
{
    guard->progress.locked = seconds;
    sweep_guard_stopped(guard);
    if (sweep_guard_due(guard)) {
        guard->last_report = clock_seconds();
        if (guard->options->progress)
            guard->options->progress(guard->options->argument, &guard->progress);
    }
    return seconds < STOPPED_WAIT_SECONDS || !atomic_load(&guard->stop);
}

void sweep_guard_report(struct sweep_guard *guard, struct scoreboard *board,
                        const struct coverage *coverage)
{
    struct sweep_progress *progress = &guard->progress;
    progress->front = scoreboard_front(board);
    progress->hypervolume = scoreboard_hypervolume(board);
    progress->best = scoreboard_best(board, &progress->best_value);
    progress->cells = coverage->cell_count;
    progress->cells_covered = coverage->covered;
    guard->last_report = clock_seconds();
    if (guard->options->progress)
        guard->options->progress(guard->options->argument, progress);
}

enum status sweep_note_start(struct store *store, const char *what, int threads, uint64_t there,
                             struct diagnostics *diagnostics)
{
    char text[300], host[64] = "", workers[COUNT_TEXT], points[COUNT_TEXT];
    gethostname(host, sizeof host - 1);
    snprintf(text, sizeof text, "%s%son %s, %s, version %s, %s there already", what,
             *what ? " " : "", host, counted_print((uint64_t)threads, "thread", workers),
             WARPSCAPE_VERSION, counted_print(there, "point", points));
    return store_event(store, "start", text, diagnostics);
}

void sweep_note_end(struct store *store, const struct sweep_guard *guard, enum status status)
{
    static const char *const reasons[] = {"", "interrupted", "time limit", "memory limit"};
    const char *text = !status                      ? "complete"
                       : status == STATUS_CANCELLED ? reasons[guard->progress.stop]
                                                    : status_text(status);
    (void)store_event(store, status ? "stop" : "end", text, NULL);
}
