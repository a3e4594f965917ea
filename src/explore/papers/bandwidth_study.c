#include "explore/papers/bandwidth_study.h"

#include <string.h>

#include "explore/papers/paper_study.h"
#include "explore/papers/rates.h"

static bool fill_row(size_t i, struct study_row *row)
{
    static const struct {
        const char *name, *unit;
        int digits;
    } levels[] = {[BANDWIDTH_L1] = {"L1", "B/cycle", 1},
                  [BANDWIDTH_L2] = {"L2", "GB/s", 0},
                  [BANDWIDTH_DRAM] = {"DRAM", "GB/s", 0}};
    const struct bandwidth_row *from = &bandwidth_rows[i];
    *row = (struct study_row){.gpu = from->gpu,
                              .machine = from->machine,
                              .what = levels[from->level].name,
                              .number = from->level,
                              .unit = levels[from->level].unit,
                              .measured = from->measured,
                              .digits = levels[from->level].digits,
                              .source = from->source};
    return from->gpu;
}

static bool same_machine(const struct row_study *study, size_t a, size_t b)
{
    return !strcmp(study->rows[a].machine, study->rows[b].machine);
}

/* The first row of a machine answers for those that follow it. */
static enum status run_row(struct row_study *study, size_t first,
                           const struct evaluate_options *options)
{
    if (first && same_machine(study, first - 1, first))
        return STATUS_OK;
    const struct evaluate_options how = {.cancel = options ? options->cancel : NULL};
    struct machine machine;
    struct rates rates;
    enum status status = paper_machine(study->rows[first].machine, "", &machine, NULL);
    if (!status)
        status = rates_machine(&machine, RATES_BANDWIDTHS, &how, &rates, NULL);
    if (status)
        return status;
    const double ours[] = {[BANDWIDTH_L1] = rates.l1.rate,
                           [BANDWIDTH_L2] = rates.l2.rate / 1e9,
                           [BANDWIDTH_DRAM] = rates.memory.rate / 1e9};
    for (size_t i = first; i < study->count && same_machine(study, first, i); i++)
        study->rows[i].ours = ours[study->rows[i].number];
    return STATUS_OK;
}

const struct row_study_kind row_study_bandwidths = {
    .name = "bandwidths",
    .figures = "bandwidths",
    .what = "level",
    .at = "unit",
    .row = fill_row,
    .run = run_row,
};
