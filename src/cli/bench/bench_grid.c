/* Measures many caches in one pass (model/lru/grid.h), and writes their misses as CSV, so that
 * another simulator can be checked against them. */
#include <stdlib.h>
#include <string.h>

#include "base/output_file.h"
#include "cli/bench/bench.h"
#include "cli/shared/options.h"
#include "model/cache/replacement.h"
#include "model/cache/set_index.h"
#include "model/lru/grid_parts.h"
#include "model/lru/grid_sets.h"

struct grid_run {
    const struct grid_set *set;
    struct cache_config *configs; /* sorted by line size, sets, ways */
    struct cache_counts *counts;
    size_t count;
    enum grid_path path;
};

const char *const bench_kernel_names[] = {"best", "plain", "avx2", "avx512", NULL};

void bench_read_grid(const struct option_row *row, const char *text)
{
    const char *names[8] = {NULL};
    struct option_row known = *row;
    for (size_t i = 0; grid_sets[i].name; i++)
        names[i] = grid_sets[i].name;
    known.words = names;
    option_word(&known, text);
}

void bench_read_index(const struct option_row *row, const char *text)
{
    const char *found;
    struct option_row known = *row;
    known.slot = &found;
    option_word(&known, text);
    for (unsigned i = 0; i < INDEX_COUNT; i++)
        if (!strcmp(found, index_facts[i].name))
            *(unsigned *)row->slot = i;
}

/* Repeats passes over the whole stream until the time is up. */
static enum status run_passes(struct bench *bench, struct grid_run *run,
                              const struct grid_parts *parts, const struct stopwatch *watch,
                              double *accesses)
{
    const struct grid_options grid_options = {.instances = 1, .path = run->path};
    const struct bench_addresses *addresses = &bench->addresses;
    do {
        enum status status = grid_parts_run(parts, run->configs, &grid_options, &addresses->ids,
                                            addresses->items, addresses->count, run->counts);
        if (status)
            return status;
        *accesses += (double)addresses->count;
    } while (stopwatch_seconds(watch) < bench->seconds && !*interrupt_flag());
    return STATUS_OK;
}

static enum status time_run(struct bench *bench, struct grid_run *run, int threads)
{
    struct stopwatch watch;
    struct grid_parts parts;
    double accesses = 0;
    enum status status =
        grid_parts_cut(run->configs, run->count, bench->addresses.count, (unsigned)threads, &parts);
    if (status)
        return status;
    stopwatch_start(&watch);
    status = run_passes(bench, run, &parts, &watch, &accesses);
    grid_parts_free(&parts);
    if (status)
        return status;
    char what[64];
    snprintf(what, sizeof what, "lru-grid %s", run->set->name);
    const struct bench_result result = {.what = what,
                                        .how = run->set->help,
                                        .threads = threads,
                                        .count = accesses,
                                        .unit = "accesses",
                                        .configurations = (double)run->count};
    bench_row(bench, &result, &watch);
    return STATUS_OK;
}

static void write_rows(const struct grid_run *run, FILE *out)
{
    for (size_t i = 0; i < run->count; i++) {
        const struct cache_config *config = &run->configs[i];
        fprintf(out, "%s,%s,%llu,%llu,%llu,%llu,%llu,%llu\n",
                replacement_facts[config->replacement].name, index_facts[config->index].name,
                (unsigned long long)config->line,
                (unsigned long long)(config->size / config->line / config->ways),
                (unsigned long long)config->ways, (unsigned long long)config->size,
                (unsigned long long)run->counts[i].accesses,
                (unsigned long long)run->counts[i].misses);
    }
}

static enum status run_set(struct bench *bench, const struct grid_set *set, FILE *csv,
                           struct diagnostics *diagnostics)
{
    struct grid_run run = {.set = set,
                           .path = (enum grid_path)bench->grid.kernel,
                           .count = grid_set_configs(set, bench->grid.index, NULL, 0)};
    run.configs = calloc(run.count, sizeof *run.configs);
    run.counts = calloc(run.count, sizeof *run.counts);
    enum status status = run.configs && run.counts ? STATUS_OK : STATUS_MEMORY;
    if (!status) {
        grid_set_configs(set, bench->grid.index, run.configs, run.count);
        status = time_run(bench, &run, 1);
    }
    if (status == STATUS_UNSUPPORTED)
        diagnostics_add(diagnostics, SEVERITY_ERROR, NULL,
                        "lru-grid: this processor has no kernel '%s'",
                        bench_kernel_names[run.path]);
    if (!status && bench->threads > 1)
        status = time_run(bench, &run, bench->threads);
    if (!status && csv)
        write_rows(&run, csv);
    free(run.configs);
    free(run.counts);
    return status;
}

enum status bench_lru_grid(struct bench *bench, struct diagnostics *diagnostics)
{
    const struct bench_grid *chosen = &bench->grid;
    struct output_file file = {0};
    enum status status = bench_load(bench, diagnostics);
    if (!status && chosen->csv)
        status = output_file_open(chosen->csv, OUTPUT_REPLACE, &file, diagnostics);
    if (file.stream)
        fputs("policy,index,line,sets,ways,size,accesses,misses\n", file.stream);
    for (const struct grid_set *set = grid_sets; set->name && !status; set++)
        if (!chosen->grid || !strcmp(chosen->grid, set->name))
            status = run_set(bench, set, file.stream, diagnostics);
    if (!status && file.stream)
        return output_file_commit(&file, diagnostics);
    output_file_drop(&file);
    return status;
}
