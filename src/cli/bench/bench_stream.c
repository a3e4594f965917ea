/* Measures the stages before the models: generation of warp accesses, coalescing, and issue in the
 * order of the SMs. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/counts.h"
#include "cli/bench/bench.h"
#include "model/gpu/coalescer.h"
#include "model/gpu/issue.h"

/* Threads take blocks of the source until the time is up. Reading the counter or the clock costs as
 * much as a small block, so a thread does so only after this many blocks or records. */
enum { READ_BLOCKS = 32, READ_RECORDS = 4096 };

struct reading {
    const struct bench *bench;
    const struct stopwatch *watch;
    uint64_t blocks; /* number of blocks of the source */
    atomic_ullong next, records;
    _Atomic(enum status) status;
    struct diagnostics *diagnostics; /* written only by the thread that sets `status` */
};

/* Reads all warps of block `index`, counted over all launches. */
static enum status read_block(const struct trace_source *source, uint64_t index,
                              struct access_window *window, uint64_t *records,
                              struct diagnostics *diagnostics)
{
    const struct trace_slice at = trace_source_block(source, index);
    struct block_reader *reader = NULL;
    enum status status = source->ops->open_block(source, at.launch, at.first, &reader, diagnostics);
    uint32_t warps = launch_warps(&source->launches[at.launch]);
    for (uint32_t warp = 0; warp < warps && !status; warp++)
        do {
            status = source->ops->read(reader, warp, window, diagnostics);
            *records += window->count;
        } while (!status && !window->end);
    source->ops->close_block(reader);
    return status;
}

/* Reads the next blocks and adds their records to *records. */
static enum status read_some(struct reading *reading, struct access_window *window,
                             uint64_t *records, struct diagnostics *diagnostics)
{
    uint64_t next = atomic_fetch_add(&reading->next, READ_BLOCKS), before = *records;
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < READ_BLOCKS && *records - before < READ_RECORDS && !status; i++)
        status = read_block(reading->bench->source, (next + i) % reading->blocks, window, records,
                            diagnostics);
    return status;
}

static void *read_blocks(void *argument)
{
    struct reading *reading = argument;
    struct diagnostics found = DIAGNOSTICS_INIT;
    struct access_window window = {0};
    uint64_t records = 0;
    enum status status = window_init(&window, WINDOW_RECORDS);
    while (!status && !reading->status &&
           stopwatch_seconds(reading->watch) < reading->bench->seconds)
        status = read_some(reading, &window, &records, &found);
    window_free(&window);
    atomic_fetch_add(&reading->records, records);
    enum status fine = STATUS_OK;
    if (status && atomic_compare_exchange_strong(&reading->status, &fine, status))
        diagnostics_move(reading->diagnostics, &found);
    diagnostics_free(&found);
    return NULL;
}

static enum status generate(struct bench *bench, int threads, struct diagnostics *diagnostics)
{
    struct stopwatch watch;
    struct reading reading = {.bench = bench,
                              .watch = &watch,
                              .blocks = trace_source_blocks(bench->source),
                              .diagnostics = diagnostics};
    pthread_t *others = calloc((size_t)threads, sizeof *others);
    int started = 0;
    if (!others)
        return STATUS_MEMORY;
    stopwatch_start(&watch);
    while (started < threads - 1 && !pthread_create(&others[started], NULL, read_blocks, &reading))
        started++;
    if (reading.blocks)
        read_blocks(&reading);
    for (int i = 0; i < started; i++)
        pthread_join(others[i], NULL);
    free(others);
    const struct bench_result result = {.what = "generate",
                                        .how = "blocks of the workload, read through windows",
                                        .threads = started + 1,
                                        .count = (double)reading.records,
                                        .unit = "records"};
    bench_row(bench, &result, &watch);
    return reading.status;
}

enum status bench_generate(struct bench *bench, struct diagnostics *diagnostics)
{
    enum status status = generate(bench, 1, diagnostics);
    if (!status && bench->threads > 1)
        status = generate(bench, bench->threads, diagnostics);
    return status;
}

/* Collects the first records of the first warps, as many as fit. */
static enum status collect(const struct trace_source *source, struct access_window *all,
                           struct diagnostics *diagnostics)
{
    struct access_window window = {0};
    struct block_reader *reader = NULL;
    uint64_t block = 0;
    enum status status = window_init(&window, WINDOW_RECORDS);
    while (!status && source->launch_count && block < launch_blocks(&source->launches[0]) &&
           all->count + WINDOW_RECORDS <= all->capacity) {
        status = source->ops->open_block(source, 0, block++, &reader, diagnostics);
        uint32_t warps = launch_warps(&source->launches[0]);
        for (uint32_t warp = 0; warp < warps && !status; warp++) {
            status = source->ops->read(reader, warp, &window, diagnostics);
            for (uint32_t i = 0; !status && i < window.count && all->count < all->capacity; i++) {
                const struct warp_access *access = &window.items[i];
                uint64_t lanes[WARP_SIZE];
                access_addresses(access, &window, lanes);
                window_push(all, *access, lanes);
            }
        }
        source->ops->close_block(reader);
        reader = NULL;
    }
    window_free(&window);
    return status;
}

enum status bench_coalesce(struct bench *bench, struct diagnostics *diagnostics)
{
    enum { RECORDS = 4096 }; /* with their addresses they fit a second-level cache */
    struct access_window window = {0};
    enum status status = window_init(&window, RECORDS);
    if (!status)
        status = collect(bench->source, &window, diagnostics);
    if (!status && window.count) {
        struct request requests[COALESCED_MAX];
        struct stopwatch watch;
        uint64_t records = 0, made = 0;
        stopwatch_start(&watch);
        do {
            for (uint32_t i = 0; i < window.count; i++)
                made += coalesce(&bench->machine.coalescer, &window.items[i], &window, 0, requests);
            records += window.count;
        } while (stopwatch_seconds(&watch) < bench->seconds);
        char how[COUNT_TEXT + 96], count[COUNT_TEXT];
        snprintf(how, sizeof how, "%s in memory, %.2f requests each",
                 counted_print(window.count, "record", count), (double)made / (double)records);
        const struct bench_result result = {.what = "coalesce",
                                            .how = how,
                                            .threads = 1,
                                            .count = (double)records,
                                            .unit = "records"};
        bench_row(bench, &result, &watch);
    }
    window_free(&window);
    return status;
}

static enum status take_launch(void *argument, const struct trace_launch *launch)
{
    (void)argument, (void)launch;
    return STATUS_OK;
}

static enum status take_requests(void *argument, const struct request *requests, size_t count)
{
    (void)requests;
    *(uint64_t *)argument += count;
    return STATUS_OK;
}

static enum status take_progress(void *argument, const struct issue_counts *counts)
{
    (void)argument, (void)counts;
    return STATUS_OK;
}

enum status bench_issue(struct bench *bench, struct diagnostics *diagnostics)
{
    uint64_t requests = 0;
    const struct issue_sink sink = {.launch = take_launch,
                                    .requests = take_requests,
                                    .progress = take_progress,
                                    .argument = &requests};
    struct stopwatch watch;
    enum status status;
    stopwatch_start(&watch);
    do {
        struct issue_counts counts;
        status = issue_source(&bench->machine, bench->source, &sink, &counts, diagnostics);
    } while (!status && stopwatch_seconds(&watch) < bench->seconds);
    const struct bench_result result = {
        .what = "issue",
        .how = "generated, ordered over the SMs, coalesced; without a model",
        .threads = 1,
        .count = (double)requests,
        .unit = "requests"};
    bench_row(bench, &result, &watch);
    return status;
}
