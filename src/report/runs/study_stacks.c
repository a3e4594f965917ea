#include "report/runs/study_stacks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explore/plan/simulate.h"
#include "report/runs/cycle_stack.h"
#include "workload/workload.h"

enum { WORKLOADS_MOST = 8, BARS_MOST = 2 * WORKLOADS_MOST, NAME = 24, HEADER = 32 };

struct bars {
    struct metrics metrics[BARS_MOST];
    const char *workloads[BARS_MOST], *machines[BARS_MOST];
    size_t count;
};

static enum status add_bar(struct bars *bars, const struct simulation *simulation,
                           const struct machine *machine, const char *workload, const char *what)
{
    struct violation found[VIOLATION_MAX];
    struct machine reduced;
    if (machine_check(machine, found))
        return STATUS_OK;
    stage_machine(machine, simulation->question.stages, &reduced);
    const enum status status =
        simulate(simulation, &reduced, 1, &bars->metrics[bars->count], NULL, NULL);
    if (status || !cycle_stack_known(STACK_CYCLES, &bars->metrics[bars->count]))
        return status;
    bars->workloads[bars->count] = workload;
    bars->machines[bars->count++] = what;
    return STATUS_OK;
}

static enum status add_workload(struct bars *bars, const struct study_summary *summary,
                                size_t workload, struct stage_cache *cache,
                                const atomic_bool *cancel)
{
    const struct study *study = summary->study;
    const enum depth depth = study->depth;
    const unsigned stages = depth_reads(depth);
    struct trace_source *source = NULL;
    char *digest, identity[SOURCE_IDENTITY];
    enum status status = store_digest(summary->store, workload, &digest, NULL);
    if (!status)
        status = workload_open_listed(study, workload, &source, NULL);
    if (!status && strcmp(evaluate_identity(source, depth, identity), digest ? digest : "") != 0)
        status = STATUS_CONFLICT;
    const struct simulation simulation = {
        .question = {.depth = depth, .stages = stages, .asked = depth_results(depth, stages)},
        .source = source,
        .cache = cache,
        .cancel = cancel};
    const uint64_t best = summary_distribution(summary, workload, 0)->best;
    if (!status)
        status = add_bar(bars, &simulation, &study->machine, study->workloads[workload], "before");
    if (!status && best != UINT64_MAX) {
        struct machine machine;
        space_machine(summary->space, best % summary->space->machines, &machine);
        status = add_bar(bars, &simulation, &machine, study->workloads[workload], "best");
    }
    trace_source_free(source);
    free(digest);
    return status;
}

/* "GEMM best" of "GEMM:n=128", "bfs.wtr best" of a path. */
static const char *bar_name(const struct bars *bars, size_t bar, char name[NAME])
{
    const char *workload = bars->workloads[bar], *slash = strrchr(workload, '/');
    workload = slash ? slash + 1 : workload;
    snprintf(name, NAME, "%.*s %s", (int)fmin((double)strcspn(workload, ":"), 12), workload,
             bars->machines[bar]);
    return name;
}

static void draw_bars(struct page *page, const struct bars *bars)
{
    const struct metrics *metrics[BARS_MOST];
    const char *names[BARS_MOST];
    char texts[BARS_MOST][NAME];
    double begin[BARS_MOST], end[BARS_MOST], shares[STACK_PARTS_MAX * BARS_MOST];
    struct series series[STACK_PARTS_MAX];
    for (size_t i = 0; i < bars->count; i++) {
        metrics[i] = &bars->metrics[i];
        names[i] = bar_name(bars, i, texts[i]);
        begin[i] = (double)i - 0.4;
        end[i] = (double)i + 0.4;
    }
    const enum glyphs glyphs = page->format == PAGE_MARKDOWN_ASCII ? GLYPHS_ASCII : GLYPHS_BRAILLE;
    const size_t count =
        cycle_stack_series(metrics, begin, end, bars->count, shares, glyphs, series);
    const struct chart chart = {.series = series,
                                .series_count = count,
                                .x = {.ticks = names, .tick_count = bars->count},
                                .y = {.unit = UNIT_PERCENT, .min = 0, .max = 1},
                                .cursor = NAN,
                                .title = "cycles of schedulers",
                                .glyphs = glyphs};
    const struct svg_style style = {
        .width = 180 + 120 * (int)bars->count,
        .height = 300,
        .description = "Stacked bars: what the cycles of the schedulers were for, before and at "
                       "the best point of each workload.",
        .x_ticks = bars->count};
    page_chart(page, &chart, &style);
}

static void print_table(struct page *page, const struct bars *bars)
{
    const char *headers[STACK_PARTS_MAX + 4] = {"workload", "machine", ">core.cycles"};
    char names[STACK_PARTS_MAX][HEADER], text[QUANTITY_TEXT];
    const size_t parts = cycle_stack_parts(STACK_CYCLES);
    for (size_t i = 0; i < parts; i++) {
        snprintf(names[i], HEADER, ">%s", cycle_stack_name(STACK_CYCLES, i));
        headers[3 + i] = names[i];
    }
    struct table *table = table_create(headers);
    for (size_t bar = 0; table && bar < bars->count; bar++) {
        const double cycles = bars->metrics[bar].core_cycles;
        table_text(table, bars->workloads[bar]);
        table_text(table, bars->machines[bar]);
        table_number(table, cycles, quantity_print_short(cycles, UNIT_NONE, 4, text));
        for (size_t i = 0; i < parts; i++) {
            const double share = cycle_stack_share(STACK_CYCLES, i, &bars->metrics[bar]);
            table_number(table, share, quantity_print_short(share, UNIT_PERCENT, 3, text));
        }
    }
    page_table(page, table);
}

void study_cycle_stacks(struct page *page, const struct study_summary *summary,
                        const atomic_bool *cancel)
{
    const struct study *study = summary->study;
    if (!depth_can(study->depth, DEPTH_TIMED) || !summary->target_count)
        return;
    struct bars *bars = calloc(1, sizeof *bars);
    struct stage_cache *cache = NULL;
    char *path = stage_cache_path();
    enum status status = bars ? STATUS_OK : STATUS_MEMORY;
    if (path)
        (void)stage_cache_open(path, STAGE_CACHE_BYTES, &cache, NULL);
    for (size_t w = 0; !status && w < study->workload_count && w < WORKLOADS_MOST; w++) {
        status = add_workload(bars, summary, w, cache, cancel);
        if (status != STATUS_MEMORY && status != STATUS_CANCELLED)
            status = STATUS_OK; /* one bar less */
    }
    if (!status && bars->count) {
        page_heading(page, 2, "What cycles were for");
        page_paragraph(page,
                       "Of the machine of the study (before) and of the point with the best %s: "
                       "each cycle of each scheduler that has warps, by what the warp nearest to "
                       "issue waited for.",
                       summary->targets[0].metric->path);
        draw_bars(page, bars);
        print_table(page, bars);
    }
    page->status = page->status ? page->status : status;
    stage_cache_close(cache, NULL);
    free(path);
    free(bars);
}
