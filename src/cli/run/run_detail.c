/* warpscape run --histogram and --by-pc: the reuse distances of a run, and its misses by
 * instruction (report/runs/reuse_chart.h). */
#include <stdio.h>

#include "cli/run/run.h"
#include "cli/shared/options.h"
#include "model/reuse/reuse.h"
#include "report/runs/reuse_chart.h"

enum { PCS_SHOWN = 24 };

struct histogram_chart {
    const struct reuse_bins *bins;
    char title[300];
};

static void draw_histogram(const void *argument, struct cells *cells)
{
    const struct histogram_chart *chart = argument;
    reuse_chart_draw(chart->bins, chart->title, options_glyphs(), cells, 0, 0, cells->rows,
                     cells->columns);
}

static enum status print_histogram(const struct run_arguments *arguments, const struct run *run,
                                   const struct reuse_histogram *histogram)
{
    struct reuse_bins bins;
    enum status status = STATUS_OK;
    reuse_bins_fill(histogram, reuse_hit_below(&run->machine), &bins);
    if (arguments->format == TABLE_TEXT) {
        struct histogram_chart chart = {&bins, ""};
        snprintf(chart.title, sizeof chart.title, "reuse distances: %s", run->source->name);
        status = run_draw(draw_histogram, &chart);
    }
    return status ? status : reuse_histogram_print(histogram, &bins, arguments->format, stdout);
}

void run_print_notes(const struct run_arguments *arguments, const struct run *run,
                     const struct metrics *metrics)
{
    struct run_notes notes;
    run_notes(arguments, run, metrics, &notes);
    putchar('\n');
    for (size_t i = 0; i < notes.count; i++)
        printf("note: %s\n", notes.items[i]);
}

static enum status print_detail(const struct run_arguments *arguments, const struct run *run,
                                const struct metrics *metrics,
                                const struct reuse_histogram *histogram, struct pc_table *pcs)
{
    const bool text = arguments->format == TABLE_TEXT;
    /* The published program classifies the misses of whole runs, not those of single instructions.
     */
    const bool classes = arguments->needs & NEED_CLASSES(STAGE_L1D) &&
                         (!depth_can(arguments->depth, DEPTH_DISTANCES) ||
                          run->machine.l1d.reuse.mode != REUSE_PUBLISHED);
    enum status status = STATUS_OK;
    if (arguments->histogram)
        status = print_histogram(arguments, run, histogram);
    if (!status && arguments->by_pc) {
        pc_table_sort(pcs);
        if (text && !pcs->count)
            puts(cache_is_offline(&run->machine.l1d)
                     ? "under l1d.replacement opt misses are not known by instruction"
                     : "the L1D is not accessed");
        if (arguments->histogram)
            putchar('\n');
        status = pc_table_print(pcs, text ? PCS_SHOWN : 0, arguments->depth, classes,
                                arguments->format, stdout);
    }
    if (!status && text)
        run_print_notes(arguments, run, metrics);
    return status;
}

enum status run_detail(const struct run_arguments *arguments, const struct run *run,
                       struct diagnostics *diagnostics)
{
    struct reuse_histogram histogram = {0};
    struct pc_table pcs = {0};
    struct metrics metrics;
    struct evaluate_options how = run_evaluate_options(arguments, run);
    how.needs = arguments->by_pc ? arguments->needs & NEED_CLASSES(STAGE_L1D) : 0;
    how.histogram = arguments->histogram ? &histogram : NULL;
    how.pcs = arguments->by_pc ? &pcs : NULL;
    enum status status = evaluate(&run->machine, run->source, &how, &metrics, diagnostics);
    progress_end();
    if (!status)
        status = print_detail(arguments, run, &metrics, &histogram, &pcs);
    reuse_histogram_free(&histogram);
    pc_table_free(&pcs);
    if (status == STATUS_IO)
        return diagnostics_error(diagnostics, status, "standard output cannot be written");
    return status;
}
