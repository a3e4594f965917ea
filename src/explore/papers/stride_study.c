#include "explore/papers/stride_study.h"

#include <math.h>

#include "explore/papers/paper_study.h"

enum { WARPS = 32, LOADS = 64 };

static bool fill_row(size_t i, struct study_row *row)
{
    const struct stride_row *from = stride_rows;
    for (; from->gpu && i >= from->count; from++)
        i -= from->count;
    *row = (struct study_row){.gpu = from->gpu,
                              .machine = from->machine,
                              .what = from->bytes == sizeof(double) ? "double" : "float",
                              .number = from->bytes,
                              .at = (double)i,
                              .measured = from->gpu ? from->measured[i] : NAN,
                              .digits = 2,
                              .source = from->source};
    return from->gpu;
}

static enum status run_loads(const struct machine *machine, const struct study_row *row,
                             unsigned loads, const struct evaluate_options *options, double *cycles)
{
    struct metrics metrics;
    const enum status status =
        paper_time(machine, options, &metrics, NULL, "STRIDES:stride=%u,bytes=%u,loads=%u",
                   (unsigned)row->at, row->number, loads);
    *cycles = status ? NAN : metrics.core_cycles;
    return status;
}

/* The first loads bring the lines; those of a longer run cost what an L1 that holds them needs. */
static enum status run_row(struct row_study *study, size_t i,
                           const struct evaluate_options *options)
{
    struct study_row *row = &study->rows[i];
    struct machine machine;
    double once, more;
    enum status status = paper_machine(row->machine, "gpu.sms=1", &machine, NULL);
    if (status)
        return status;
    machine.tlb.enabled = false; /* as in silicon_study.c */
    status = run_loads(&machine, row, LOADS, options, &once);
    if (!status)
        status = run_loads(&machine, row, 3 * LOADS, options, &more);
    if (!status)
        row->ours = (more - once) / (2 * LOADS * WARPS);
    return status;
}

const struct row_study_kind row_study_strides = {
    .name = "strides",
    .figures = "strides in cycles of a load",
    .what = "type",
    .at = ">stride",
    .unit = UNIT_NONE,
    .row = fill_row,
    .run = run_row,
};
