#include "explore/papers/latency_study.h"

#include <inttypes.h>
#include <math.h>

#include "explore/papers/paper_study.h"

enum { STRIDE = 128, LOADS_LEAST = 64, LOADS_MOST = 2048 };

static bool fill_row(size_t i, struct study_row *row)
{
    const struct latency_row *from = &latency_rows[i];
    *row = (struct study_row){.gpu = from->gpu,
                              .machine = from->machine,
                              .what = from->level,
                              .at = (double)from->bytes,
                              .measured = from->measured,
                              .digits = 1,
                              .source = from->source};
    return from->gpu;
}

static enum status run_steps(const struct machine *machine, uint64_t bytes, uint64_t steps,
                             const struct evaluate_options *options, double *cycles)
{
    struct metrics metrics;
    const enum status status = paper_time(
        machine, options, &metrics, NULL,
        "CHASE:bytes=%" PRIu64 ",stride=%d,steps=%" PRIu64 ",order=1", bytes, STRIDE, steps);
    *cycles = status ? NAN : metrics.core_cycles;
    return status;
}

enum status latency_chase(const struct machine *machine, uint64_t bytes,
                          const struct evaluate_options *options, double *cycles)
{
    const uint64_t around = (bytes + STRIDE - 1) / STRIDE;
    const bool fits = bytes <= machine->l2.size + machine->l2.size / 4; /* else no round helps */
    const uint64_t loads = around < LOADS_LEAST  ? LOADS_LEAST
                           : around < LOADS_MOST ? around
                                                 : LOADS_MOST;
    const uint64_t before = fits ? around : loads;
    double once, more;
    enum status status = run_steps(machine, bytes, before, options, &once);
    if (!status)
        status = run_steps(machine, bytes, before + loads, options, &more);
    if (!status)
        *cycles = (more - once) / (double)loads;
    return status;
}

static enum status run_row(struct row_study *study, size_t i,
                           const struct evaluate_options *options)
{
    struct study_row *row = &study->rows[i];
    struct machine machine;
    const enum status status = paper_machine(row->machine, "", &machine, NULL);
    if (status)
        return status;
    machine.tlb.enabled = false; /* as in silicon_study.c */
    return latency_chase(&machine, (uint64_t)row->at, options, &row->ours);
}

const struct row_study_kind row_study_latencies = {
    .name = "latencies",
    .figures = "latencies in cycles of a load",
    .what = "level",
    .at = ">ring|bytes",
    .unit = UNIT_BYTES,
    .row = fill_row,
    .run = run_row,
};
