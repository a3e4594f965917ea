/* Speed of many caches in one pass (model/cache/grid.h), and their misses as CSV. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "cli/bench.h"
#include "cli/options.h"
#include "model/cache/grid.h"
#include "model/cache/grid_sets.h"
#include "model/cache/replacement.h"
#include "model/cache/set_index.h"
#include "model/gpu/issue.h"

enum { SECTOR_BITS = 5, REGION_BITS = 15, PARTS_MAX = 64 };
enum { ITEMS_MAX = 1 << 28 }; /* 1 GiB */

/* The stream: sectors of 32 B in the order of issue, all SMs together, as ids << 1 | store. */
struct grid_stream {
    struct line_ids ids;
    uint32_t *items;
    size_t count, capacity;
    bool cut; /* it goes on after ITEMS_MAX */
};

struct grid_run {
    const struct grid_set *set;
    struct cache_config *configs; /* by line size, sets, ways */
    struct cache_counts *counts;
    size_t count;
    enum grid_path path;
    const struct grid_stream *stream;
    size_t parts[PARTS_MAX + 1]; /* where each begins in `configs`; at the end: count */
    unsigned part_count;
};

static const char *const path_names[] = {"best", "plain", "avx2", "avx512", NULL};

enum { OPTION_GRID = 512, OPTION_CSV, OPTION_INDEX, OPTION_KERNEL };

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "Options of lru-grid:", 1},
    {"grid", OPTION_GRID, "NAME", 0,
     "caches to simulate: 352 (default) or 1242 LRU ones, fifo112 or one", 1},
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

static enum status take_launch(void *argument, const struct trace_launch *launch)
{
    (void)argument, (void)launch;
    return STATUS_OK;
}

static enum status take_progress(void *argument, const struct issue_counts *counts)
{
    (void)argument, (void)counts;
    return *interrupt_flag() ? STATUS_CANCELLED : STATUS_OK;
}

static enum status take_requests(void *argument, const struct request *requests, size_t count)
{
    struct grid_stream *stream = argument;
    for (size_t i = 0; i < count; i++) {
        const struct request *request = &requests[i];
        uint64_t first = request->address >> SECTOR_BITS;
        uint64_t last = (request->address + request->bytes - 1) >> SECTOR_BITS;
        for (uint64_t sector = first; sector <= last; sector++) {
            uint32_t id;
            enum status status =
                array_reserve(&stream->items, &stream->capacity, stream->count + 1);
            if (!status)
                status = line_ids_find(&stream->ids, sector << SECTOR_BITS, &id);
            if (status)
                return status;
            stream->items[stream->count++] = id << 1 | (uint32_t)request_writes(request);
        }
    }
    return STATUS_OK;
}

static enum status load(struct bench *bench, struct grid_stream *stream,
                        struct diagnostics *diagnostics)
{
    const struct issue_sink sink = {take_launch, take_requests, take_progress, stream, 0};
    struct issue_counts counts;
    struct stopwatch watch;
    stopwatch_start(&watch);
    enum status status = line_ids_init(&stream->ids, SECTOR_BITS, REGION_BITS);
    if (!status)
        status = issue_source(&bench->machine, bench->source, &sink, &counts, diagnostics);
    if (status == STATUS_UNSUPPORTED)
        diagnostics_add(diagnostics, SEVERITY_ERROR, NULL,
                        "lru-grid: '%s' touches more than %u regions of 1 MiB", bench->source->name,
                        stream->ids.limit);
    if (stream->cut) {
        diagnostics_add(diagnostics, SEVERITY_WARNING, NULL,
                        "lru-grid: only the first %d accesses of '%s' are used", ITEMS_MAX,
                        bench->source->name);
        status = STATUS_OK;
    }
    if (!status)
        bench_row(bench, "lru-grid read", 1, (double)stream->count, "accesses", &watch,
                  "generated, issued, cut into 32 B sectors, renamed to 32 bits");
    return status;
}

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
        status = grid_use_ids(grid, &run->stream->ids);
    if (!status)
        status = grid_run_items(grid, 0, run->stream->items, run->stream->count);
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

/* Of all threads: what a core does, whoever else is using it. */
static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static enum status time_run(struct bench *bench, struct grid_run *run, int threads)
{
    struct stopwatch watch;
    double accesses = 0, begin = processor_seconds();
    divide(run, threads);
    stopwatch_start(&watch);
    do {
        enum status status = run_all(run, threads);
        if (status)
            return status;
        accesses += (double)run->stream->count;
    } while (stopwatch_seconds(&watch) < bench->seconds && accesses > 0 && !*interrupt_flag());
    double each = accesses / (processor_seconds() - begin), lookups = each * (double)run->count;
    char what[64], how[200], text[2][QUANTITY_TEXT];
    snprintf(what, sizeof what, "lru-grid %s", run->set->name);
    snprintf(how, sizeof how, "%zu caches at once: %s", run->count, run->set->help);
    bench_row(bench, what, threads, accesses, "accesses", &watch, how);
    snprintf(how, sizeof how, "each second of processor time %s accesses, %s x caches",
             quantity_print_short(each, UNIT_NONE, 3, text[0]),
             quantity_print_short(lookups, UNIT_NONE, 3, text[1]));
    bench_row(bench, what, threads, accesses * (double)run->count, "accesses x caches", &watch,
              how);
    return STATUS_OK;
}

static enum status write_csv(const struct grid_run *run, const char *path,
                             struct diagnostics *diagnostics)
{
    FILE *out = fopen(path, "w");
    if (out) {
        fputs("policy,index,line,sets,ways,size,accesses,misses\n", out);
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
        bool failed = ferror(out);
        if (!fclose(out) && !failed)
            return STATUS_OK;
    }
    const struct place place = {.file = path};
    diagnostics_add(diagnostics, SEVERITY_ERROR, &place, "%s", strerror(errno));
    return STATUS_IO;
}

enum status bench_lru_grid(struct bench *bench, struct diagnostics *diagnostics)
{
    const struct bench_grid *chosen = &bench->grid;
    struct grid_stream stream = {0};
    struct grid_run run = {.set = grid_set_find(chosen->grid),
                           .path = (enum grid_path)chosen->kernel,
                           .stream = &stream};
    run.count = grid_set_configs(run.set, chosen->index, NULL, 0);
    run.configs = calloc(run.count, sizeof *run.configs);
    run.counts = calloc(run.count, sizeof *run.counts);
    enum status status = run.configs && run.counts ? STATUS_OK : STATUS_MEMORY;
    if (!status)
        status = load(bench, &stream, diagnostics);
    if (!status) {
        grid_set_configs(run.set, chosen->index, run.configs, run.count);
        status = time_run(bench, &run, 1);
    }
    if (status == STATUS_UNSUPPORTED && !diagnostics->errors)
        diagnostics_add(diagnostics, SEVERITY_ERROR, NULL,
                        "lru-grid: this processor has no kernel '%s'", path_names[run.path]);
    if (!status && bench->threads > 1)
        status = time_run(bench, &run, bench->threads);
    if (!status && chosen->csv)
        status = write_csv(&run, chosen->csv, diagnostics);
    line_ids_free(&stream.ids);
    free(stream.items);
    free(run.configs);
    free(run.counts);
    return status;
}
