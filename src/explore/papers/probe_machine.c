/* Lets a probe measure one of our machines: runs MB1 and MB2 at the reuse depth, and passes on only
 * when each load began and ended. */
#include <inttypes.h>
#include <stdio.h>

#include "explore/papers/probe.h"
#include "workload/workload.h"

enum { BLOCK_THREADS = 1024, REGISTERS = 8 /* per thread of MB2 */, RUN_TEXT = 200 };

struct stopwatch {
    struct load_span *spans;
    uint64_t count, most;
    bool by_warp; /* MB2: each warp makes one load; MB1: one warp makes all */
};

static void keep_time(void *context, const struct load_time *time)
{
    struct stopwatch *watch = context;
    uint64_t at = watch->by_warp ? time->warp : watch->count;
    watch->count++;
    if (at < watch->most)
        watch->spans[at] = (struct load_span){time->issued, time->ready};
}

struct bench {
    const struct machine *machine;
    const struct evaluate_options *options;
    struct diagnostics *diagnostics;
};

static void name_run(const struct micro_run *run, char text[RUN_TEXT])
{
    if (run->per_warp)
        snprintf(text, RUN_TEXT,
                 "MB2:lines=%" PRIu64 ",per_warp=%" PRIu64 ",stride=%" PRIu64 ",base=0", run->lines,
                 run->per_warp, run->stride);
    else
        snprintf(text, RUN_TEXT,
                 "MB1:lines=%" PRIu64 ",stride=%" PRIu64 ",again=%" PRIu64 ",extra=%" PRIu64
                 ",base=0",
                 run->lines, run->stride, run->again, run->extra);
}

static enum status probe_measure(void *context, const struct micro_run *run,
                                 struct load_span *spans)
{
    const struct bench *bench = context;
    char text[RUN_TEXT];
    struct trace_source *source;
    struct metrics metrics;
    if (bench->options->cancel &&
        atomic_load_explicit(bench->options->cancel, memory_order_relaxed))
        return STATUS_CANCELLED;
    name_run(run, text);
    enum status status = workload_open(text, &source, bench->diagnostics);
    if (status)
        return status;
    struct stopwatch watch = {spans, 0, micro_run_loads(run), run->per_warp > 0};
    const struct load_clock clock = {keep_time, &watch};
    struct evaluate_options how = *bench->options;
    how.clock = &clock;
    how.argument = source->name;
    status = evaluate(bench->machine, source, &how, &metrics, bench->diagnostics);
    if (!status && watch.count != watch.most)
        status = diagnostics_error(bench->diagnostics, STATUS_INVALID,
                                   "%s: %" PRIu64 " loads took time, not %" PRIu64, text,
                                   watch.count, watch.most);
    trace_source_free(source);
    return status;
}

enum status probe_machine(const struct machine *machine, const struct evaluate_options *options,
                          struct probe *probe, struct diagnostics *diagnostics)
{
    struct machine timed = *machine;
    timed.l1d.reuse.mode = REUSE_TEXTBOOK;
    timed.l1d.sector = timed.l1d.line;
    struct evaluate_options how = {.depth = DEPTH_REUSE,
                                   .cancel = options ? options->cancel : NULL,
                                   .progress = options ? options->progress : NULL};
    struct bench bench = {&timed, &how, diagnostics};
    uint64_t threads = machine->gpu.max_threads;
    threads = threads < BLOCK_THREADS ? threads : BLOCK_THREADS;
    if (threads > machine->gpu.registers / REGISTERS)
        threads = machine->gpu.registers / REGISTERS;
    const struct probe_lab lab = {
        .measure = probe_measure, .context = &bench, .block_threads = threads};
    return probe_run(&lab, probe);
}
