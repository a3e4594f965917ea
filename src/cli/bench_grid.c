/* Speed of many caches in one pass (model/cache/grid.h), and their misses as CSV. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench.h"
#include "cli/options.h"
#include "model/cache/grid.h"
#include "model/cache/grid_sets.h"
#include "model/cache/replacement.h"
#include "model/cache/set_index.h"

enum { PARTS_MAX = 64 };

struct grid_run {
    const struct grid_set *set;
    struct cache_config *configs; /* by line size, sets, ways */
    struct cache_counts *counts;
    size_t count;
    enum grid_path path;
    const struct bench_addresses *addresses;
    size_t parts[PARTS_MAX + 1]; /* where each begins in `configs`; at the end: count */
    unsigned part_count;
};

static const char *const path_names[] = {"best", "plain", "avx2", "avx512", NULL};

enum { OPTION_GRID = 512, OPTION_CSV, OPTION_INDEX, OPTION_KERNEL };

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "Options of lru-grid:", 1},
    {"grid", OPTION_GRID, "NAME", 0,
     "caches to simulate: 352 or 1242 LRU ones, fifo112 or one (default: each)", 1},
    {"csv", OPTION_CSV, "FILE", 0, "write the misses of every cache", 1},
    {"index", OPTION_INDEX, "FUNCTION", 0, "their set index: linear (default), xor or ipoly", 1},
    {"kernel", OPTION_KERNEL, "NAME", 0, "instructions: best (default), plain, avx2 or avx512", 1},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    static const char *const indices[] = {"linear", "xor", "ipoly", NULL};
    struct bench_grid *chosen = state->input;
    const char *names[8] = {NULL}, *found;
    switch (key) {
    case OPTION_GRID:
        for (size_t i = 0; grid_sets[i].name; i++)
            names[i] = grid_sets[i].name;
        chosen->grid = options_choice(state, "grid", text, names);
        return 0;
    case OPTION_CSV:
        chosen->csv = text;
        return 0;
    case OPTION_INDEX:
        found = options_choice(state, "index", text, indices);
        for (int i = 0; i < INDEX_COUNT; i++)
            if (!strcmp(found, set_index_functions[i].name))
                chosen->index = i;
        return 0;
    case OPTION_KERNEL:
        found = options_choice(state, "kernel", text, path_names);
        for (int i = 0; path_names[i]; i++)
            if (found == path_names[i])
                chosen->kernel = i;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp bench_grid_argp = {.options = options, .parser = parse};

/* Cuts the caches between line sizes and, where that leaves threads idle, between numbers of sets
 * of one line size. */
static void divide(struct grid_run *run, int threads)
{
    size_t lines = 1, levels = 1, each, level = 0;
    for (size_t i = 1; i < run->count; i++)
        lines += run->configs[i].line != run->configs[i - 1].line;
    size_t pieces = ((size_t)threads + lines - 1) / lines;
    for (uint64_t sets = run->set->sets_min; sets < run->set->sets_max; sets *= 2)
        levels++;
    each = (levels + pieces - 1) / pieces;
    run->part_count = 0;
    for (size_t i = 0; i < run->count; i++) {
        const struct cache_config *config = &run->configs[i], *before = config - 1;
        bool line = !i || config->line != before->line;
        bool begins = line || config->size / config->ways != before->size / before->ways;
        level = line ? 0 : level + begins;
        if (begins && level % each == 0 && (line || run->part_count < PARTS_MAX - lines))
            run->parts[run->part_count++] = i;
    }
    run->parts[run->part_count] = run->count;
}

static enum status run_part(struct grid_run *run, unsigned part)
{
    const struct grid_options grid_options = {.units = 1, .path = run->path};
    size_t first = run->parts[part], count = run->parts[part + 1] - first;
    struct grid *grid;
    enum status status = grid_create(run->configs + first, count, &grid_options, &grid);
    if (!status)
        status = grid_use_ids(grid, &run->addresses->ids);
    if (!status)
        status = grid_run_items(grid, 0, run->addresses->items, run->addresses->count);
    for (size_t i = 0; i < count && !status; i++)
        grid_read_counts(grid, i, &run->counts[first + i]);
    grid_free(grid);
    return status;
}

static enum status run_all(struct grid_run *run, int threads)
{
    enum status statuses[PARTS_MAX], result = STATUS_OK;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (unsigned part = 0; part < run->part_count; part++)
        statuses[part] = run_part(run, part);
    for (unsigned part = 0; part < run->part_count && !result; part++)
        result = statuses[part];
    return result;
}

static enum status time_run(struct bench *bench, struct grid_run *run, int threads)
{
    struct stopwatch watch;
    double accesses = 0;
    divide(run, threads);
    stopwatch_start(&watch);
    do {
        enum status status = run_all(run, threads);
        if (status)
            return status;
        accesses += (double)run->addresses->count;
    } while (stopwatch_seconds(&watch) < bench->seconds && accesses > 0 && !*interrupt_flag());
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
                replacement_policies[config->replacement]->name,
                set_index_functions[config->index].name, (unsigned long long)config->line,
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
                           .addresses = &bench->addresses,
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
                        "lru-grid: this processor has no kernel '%s'", path_names[run.path]);
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
    FILE *csv = NULL;
    enum status status = bench_load(bench, diagnostics);
    if (!status && chosen->csv && !(csv = fopen(chosen->csv, "w")))
        status = STATUS_IO;
    if (csv)
        fputs("policy,index,line,sets,ways,size,accesses,misses\n", csv);
    for (const struct grid_set *set = grid_sets; set->name && !status; set++)
        if (!chosen->grid || !strcmp(chosen->grid, set->name))
            status = run_set(bench, set, csv, diagnostics);
    if (csv) {
        bool failed = ferror(csv);
        if ((fclose(csv) || failed) && !status)
            status = STATUS_IO;
    }
    if (status == STATUS_IO && chosen->csv && !diagnostics->errors) {
        const struct place place = {.file = chosen->csv};
        diagnostics_add(diagnostics, SEVERITY_ERROR, &place, "%s", strerror(errno));
    }
    return status;
}
