/* Walks a second through every page-walk cache, on a stream with the locality of a GPU kernel (one
 * L4 and two L3 indices, L2 indices that repeat and drift); and page requests a second through a
 * TLB and a CPWC, on the recorded requests of real kernels. */
#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "base/rng.h"
#include "model/evaluate.h"
#include "model/replay/replay.h"
#include "model/translation/pwc.h"
#include "schema/parameters.h"
#include "workload/workload.h"

enum { WALKS = 4000000, ADDRESSES = 1 << 16 };

static uint64_t addresses[ADDRESSES];

static int measure(int organization, uint64_t entries)
{
    struct machine machine;
    machine_defaults(&machine);
    machine.pwc.organization = organization;
    machine.pwc.entries = entries;
    struct pwc *pwc;
    if (pwc_create(&machine.pwc, 4096, &pwc))
        return 1;
    double start = clock_seconds();
    for (unsigned i = 0; i < WALKS; i++)
        pwc_walk(pwc, addresses[i % ADDRESSES]);
    double elapsed = clock_seconds() - start;
    struct pwc_counts counts;
    pwc_read_counts(pwc, &counts);
    printf("%-4s %5llu entries  %7.1f Mwalk/s  %.3f accesses/walk\n", pwc_kinds[organization]->name,
           (unsigned long long)entries, 1e-6 * WALKS / elapsed,
           (double)counts.memory_accesses / (double)counts.walks);
    pwc_free(pwc);
    return 0;
}

/* The TLBs on the stream, and the page-walk cache on what they send. */
static enum status replay_translation(const struct machine *machine,
                                      const struct request_log *stream,
                                      const struct evaluate_options *options,
                                      struct metrics *metrics, struct diagnostics *diagnostics)
{
    struct request_log *walks = request_log_create(stream->instances, PLACE_PC, UINT64_C(1) << 30);
    if (!walks)
        return STATUS_MEMORY;
    struct replay replay = {machine, stream, options, 1, diagnostics};
    enum status status = replay_tlb(&replay, metrics, walks);
    if (!status && !request_log_finish(walks))
        status = STATUS_MEMORY;
    replay.log = walks;
    if (!status)
        status = replay_walks(&replay, metrics);
    request_log_free(walks);
    return status;
}

/* From a log of the stream, so that neither the program that makes it nor the coalescer is
 * measured. */
static int measure_stream(const char *workload)
{
    enum { ROUNDS = 8 };
    static const struct {
        const char *name;
        unsigned needs;
        int policy;
    } walkers[] = {{"", 0, WALKER_FCFS},
                   {", timed fcfs walkers", NEED_TIMES(STAGE_PWC), WALKER_FCFS},
                   {", timed sjf walkers", NEED_TIMES(STAGE_PWC), WALKER_SJF}};
    struct machine machine;
    struct metrics metrics;
    struct trace_source *source = NULL;
    machine_defaults(&machine);
    struct request_log *log =
        request_log_create((unsigned)machine.gpu.sms, PLACE_INSTRUCTION, UINT64_C(1) << 30);
    const struct request_logs logs = {.stream = log};
    const struct evaluate_options record = {.record = &logs};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    machine.l1d.enabled = machine.l2.enabled = 0;
    machine.pwc.organization = PWC_CPWC;
    machine.pwc.entries = 62;
    enum status status = log ? STATUS_OK : STATUS_MEMORY;
    if (!status)
        status = workload_open(workload, &source, &diagnostics);
    if (!status)
        status = evaluate(&machine, source, &record, &metrics, &diagnostics);
    if (!status && !request_log_finish(log))
        status = STATUS_MEMORY;
    for (size_t w = 0; w < sizeof walkers / sizeof *walkers && !status; w++) {
        const struct evaluate_options options = {.needs = walkers[w].needs};
        machine.walker.policy = walkers[w].policy;
        clock_t start = clock(); /* of the processor: others may want it too */
        for (int round = 0; round < ROUNDS && !status; round++)
            status = replay_translation(&machine, log, &options, &metrics, &diagnostics);
        double elapsed = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (!status)
            printf("%-14s %7.1f Mpage/s through TLB and CPWC%s, %.4f walks a page request\n",
                   workload, 1e-6 * ROUNDS * metrics.tlb_accesses / elapsed, walkers[w].name,
                   metrics.tlb_misses / metrics.tlb_accesses);
    }
    diagnostics_print(&diagnostics, stderr);
    diagnostics_free(&diagnostics);
    trace_source_free(source);
    request_log_free(log);
    return status != STATUS_OK;
}

int main(void)
{
    for (uint64_t i = 0; i < ADDRESSES; i++) {
        uint64_t draw = random_at(1, i);
        uint64_t region = (i >> 8) % 64 + random_below(draw, 40);
        addresses[i] = 0x7f7280000000 + (region << 21) + (draw & 0x1ff000);
    }
    static const uint64_t sizes[] = {8, 24, 62, 512, 65536};
    int failed = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int organization = PWC_TPC; organization < PWC_COUNT; organization++)
            failed |= measure(organization, sizes[i]);
    failed |= measure_stream("GEMM:n=256");
    failed |= measure_stream("2DCONV:n=512");
    failed |= measure_stream("MVT:n=1024");
    return failed;
}
