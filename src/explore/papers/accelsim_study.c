#include "explore/papers/accelsim_study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/gpgpusim.h"
#include "config/machine_file.h"
#include "trace/trace_file.h"

#define ACCESSES "l1d_accesses"

static const struct row_name names[] = {
    {"kernel", "launch", NULL},
    {"run", "row", NULL},
    {"family", "kernel", NULL},
    {"trace_cmd", "workload", NULL},
    {"gpu", "GPU", NULL},
    {"options", "options", NULL},
    {"cycles", "core.cycles", NULL},
    {"warp_insn", "stream.warp_instructions", NULL},
    {ACCESSES, "l1d.accesses", NULL},
    {"l1d_misses", "l1d.misses", ACCESSES},
    {"l1d_pending_hits", "l1d.pending_hits", ACCESSES},
    {"l1d_LINE_ALLOC_FAIL", "l1d.fail.line", ACCESSES},
    {"l1d_MISS_QUEUE_FULL", "l1d.fail.miss_queue", ACCESSES},
    {"l1d_MSHR_ENRTY_FAIL", "l1d.fail.mshr_entry", ACCESSES},
    {"l1d_MSHR_MERGE_ENRTY_FAIL", "l1d.fail.mshr_merge", ACCESSES},
    {"l1d_MSHR_RW_PENDING", "l1d.fail.write", ACCESSES},
    {"l2_accesses", "l2.accesses", NULL},
    {"l2_misses", "l2.misses", "l2_accesses"},
    {"l2_pending_hits", "l2.pending_hits", "l2_accesses"},
    {"dram_reads", "dram.reads", "l2_accesses"},
    {"dram_writes", "dram.writes", "l2_accesses"},
    /* Of reads of the L1D; they have no counterpart at every depth of ours. */
    {"l1d_rd_hit", NULL, NULL},
    {"l1d_rd_miss", NULL, NULL},
    {"l1d_rd_sector_miss", NULL, NULL},
    {NULL, NULL, NULL},
};
const struct row_dialect accelsim_dialect = {"the runs of Accel-Sim", names};

static const struct {
    const char *theirs, *ours;
} gpus[] = {{"SM2_GTX480", "gtx480-accelsim"},    {"SM3_KEPLER_TITAN", "titan-accelsim"},
            {"SM6_TITANX", "titanx-accelsim"},    {"SM7_TITANV", "titanv-accelsim"},
            {"SM7_GV100", "gv100-accelsim"},      {"SM7_QV100", "qv100-accelsim"},
            {"SM75_RTX2060", "rtx2060-accelsim"}, {"SM75_RTX2060_S", "rtx2060s-accelsim"},
            {"SM86_RTX3070", "rtx3070-accelsim"}};
enum { GPUS = sizeof gpus / sizeof *gpus };

struct making {
    accelsim_trace_path *trace_path;
    void *context;
    char *configs[GPUS]; /* the machines as gpgpusim.config */
    struct reuse_parameters reuse[GPUS];
};

/* A later option of a gpgpusim.config replaces an earlier one, so the options of a row follow those
 * of its GPU, and what it has no option for is that of our machine. Accel-Sim translates no
 * addresses. */
static enum status make_machine(void *context, const struct row_file *rows, size_t row,
                                struct machine *machine, struct diagnostics *diagnostics)
{
    const struct making *making = context;
    const char *name = row_cell(rows, row, ROW_GPU);
    char *text;
    size_t gpu = 0;
    while (gpu < GPUS && strcmp(gpus[gpu].theirs, name) != 0)
        gpu++;
    if (gpu == GPUS)
        return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "no machine for the GPU %s", name);
    if (asprintf(&text, "%s\n%s\n", making->configs[gpu], row_cell(rows, row, ROW_OPTIONS)) < 0)
        return STATUS_MEMORY;
    enum status status = gpgpusim_read(text, row_cell(rows, row, ROW_ID), machine, diagnostics);
    machine->tlb.enabled = false;
    machine->gpu.simulator_faults = true;
    machine->l1d.reuse = making->reuse[gpu];
    free(text);
    return status;
}

static enum status open_trace(void *context, const struct row_file *rows, size_t row,
                              struct trace_source **source, struct diagnostics *diagnostics)
{
    const struct making *making = context;
    char *path = NULL;
    enum status status =
        making->trace_path(making->context, row_cell(rows, row, ROW_WORKLOAD), &path, diagnostics);
    if (!status)
        status = trace_open(path, NULL, source, diagnostics);
    free(path);
    return status;
}

enum status accelsim_run(struct row_study *study, bool depths, accelsim_trace_path *trace_path,
                         void *context, int threads, const struct evaluate_options *options)
{
    struct making making = {.trace_path = trace_path, .context = context};
    const struct row_maker maker = {make_machine, open_trace, &making};
    const struct row_effort effort = {
        .depths = depths ? ~0u : 1u << DEPTH_TIMING, .effort = INFINITY, .threads = threads};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < GPUS && !status; i++) {
        struct machine machine;
        status = machine_load(gpus[i].ours, NULL, &machine, NULL, NULL);
        if (status)
            break;
        making.reuse[i] = machine.l1d.reuse;
        status = gpgpusim_write(&machine, &making.configs[i], NULL);
    }
    if (!status)
        status = row_study_run(study, &effort, &maker, options);
    for (size_t i = 0; i < GPUS; i++)
        free(making.configs[i]);
    return status;
}

/* ---- what becomes of it ---- */

static double theirs(const struct row_study *study, size_t row, const char *name)
{
    return row_measured(&study->rows, row, row_column_find(&study->rows, name));
}

double accelsim_rate(const struct row_study *study, const struct row_run *run)
{
    double misses = 0, hits = 0;
    for (size_t row = run->first; row < run->first + run->count; row++) {
        hits += theirs(study, row, "l1d_rd_hit");
        misses += theirs(study, row, "l1d_rd_miss") + theirs(study, row, "l1d_rd_sector_miss") +
                  theirs(study, row, "l1d.pending_hits");
    }
    return 100 * misses / (hits + misses);
}

/* Only depth timing tells joins from misses. */
double accelsim_rate_error(const struct row_study *study, const struct row_run *run,
                           enum depth depth)
{
    const struct metrics *whole = &run->whole[depth];
    const double joined = depth == DEPTH_TIMING ? whole->l1d_pending_hits : 0;
    return 100 * (whole->l1d_read_misses + joined) / whole->l1d_reads - accelsim_rate(study, run);
}

static bool has_same(const struct row_study *study, size_t a, size_t b, enum row_text text)
{
    return !strcmp(row_cell(&study->rows, a, text), row_cell(&study->rows, b, text));
}

bool accelsim_is_pair(const struct row_study *study, size_t a, size_t b)
{
    return has_same(study, a, b, ROW_LAUNCH) && has_same(study, a, b, ROW_WORKLOAD) &&
           has_same(study, a, b, ROW_GPU) && !has_same(study, a, b, ROW_OPTIONS);
}

static int sign(double value)
{
    return (value > 0) - (value < 0);
}

bool accelsim_pair_right(const struct row_study *study, size_t a, size_t b)
{
    const size_t cycles = row_column_find(&study->rows, "core.cycles");
    return sign(row_ours(study, a, cycles, DEPTH_TIMING) -
                row_ours(study, b, cycles, DEPTH_TIMING)) ==
           sign(row_measured(&study->rows, a, cycles) - row_measured(&study->rows, b, cycles));
}
