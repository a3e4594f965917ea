/* warpscape run --by-launch, --by-warp, --by-block and --timeline: a run in parts, all but the
 * first at depth timing (report/runs/timing_report.h, report/runs/warp_report.h). */
#include <stdio.h>

#include "cli/run/run.h"
#include "cli/shared/options.h"
#include "report/runs/timing_report.h"
#include "report/runs/warp_report.h"

enum { WARPS_SHOWN = 64 };

struct timeline {
    const struct timing_parts *times;
    char title[300];
};

static void draw_timeline(const void *argument, struct cells *cells)
{
    const struct timeline *timeline = argument;
    const struct timeline_chart chart = {.items = timeline->times->items,
                                         .count = timeline->times->count,
                                         .cursor = timeline->times->count,
                                         .title = timeline->title,
                                         .glyphs = options_glyphs()};
    timeline_draw(&chart, cells, 0, 0, cells->rows, cells->columns);
}

static enum status print_timeline(const struct run_arguments *arguments, const struct run *run,
                                  const struct timing_parts *times)
{
    struct timeline timeline = {times, ""};
    if (arguments->format != TABLE_TEXT)
        return timeline_print(times, arguments->format, stdout);
    snprintf(timeline.title, sizeof timeline.title, "%s: %s",
             timeline_what(times->items, times->count), run->source->name);
    return run_draw(draw_timeline, &timeline);
}

enum status run_timing(const struct run_arguments *arguments, const struct run *run,
                       struct diagnostics *diagnostics)
{
    const bool text = arguments->format == TABLE_TEXT;
    const uint32_t most = text ? (uint32_t)timeline_width(run_columns()) : INTERVALS_MAX;
    const bool warps = arguments->by_warp || arguments->by_block;
    struct timing_log log = {.by_launch = arguments->by_launch,
                             .by_warp = warps,
                             .intervals =
                                 arguments->intervals < most ? arguments->intervals : most};
    struct metrics metrics;
    struct evaluate_options how = run_evaluate_options(arguments, run);
    how.needs = 0;
    how.log = &log;
    enum status status = evaluate(&run->machine, run->source, &how, &metrics, diagnostics);
    progress_end();
    if (!status && arguments->by_launch)
        status =
            launches_print(&log.launches, run->source, arguments->depth, arguments->format, stdout);
    if (!status && warps)
        status = warps_print(&log.warps, run->source, arguments->by_block, text ? WARPS_SHOWN : 0,
                             arguments->format, stdout);
    if (!status && arguments->intervals)
        status = print_timeline(arguments, run, &log.times);
    if (!status && text)
        run_print_notes(arguments, run, &metrics);
    timing_log_free(&log);
    if (status == STATUS_IO)
        return diagnostics_error(diagnostics, status, "standard output cannot be written");
    return status;
}
