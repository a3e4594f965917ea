/* The parts of `warpscape run`. cmd_run.c parses the options, opens machine and workload and prints
 * the report; run_curve.c, run_detail.c, run_machines.c, run_report.c, run_steps.c and run_timing.c
 * each answer one other kind of question about the same run. */
#pragma once

#include "base/diag.h"
#include "cli/shared/options.h"
#include "config/exploration.h"
#include "model/evaluate.h"
#include "report/runs/metrics_report.h"
#include "workload/workload.h"

struct run_arguments {
    const char *machine, *workload, *format_in, *baseline, *curve, *metric, *report;
    struct options_list machines; /* as named; `machine` is the first, or the default */
    struct options_list settings; /* --set */
    struct exploration explored;  /* what the machine's file names */
    enum table_format format;
    enum depth depth;
    const char *ideal; /* --ideal, and what it names at the depth */
    struct ideal_set ideals;
    uint64_t start_delay; /* --start-delay: cycles */
    unsigned needs;
    double share; /* --sample; 0: simulate everything */
    int threads;
    bool histogram, by_pc, by_launch, by_warp, by_block;
    bool why;                    /* --why: the report explains the run */
    bool force;                  /* --force: overwrite the report */
    uint32_t intervals;          /* --timeline; 0: not asked for */
    uint64_t steps;              /* --trace-steps; 0: not asked for */
    unsigned assumed;            /* --assume: enum assumed_dependences */
    unsigned chart;              /* --chart: enum run_chart */
    struct options_list exports; /* --export */
};

enum run_chart { RUN_CHART_MEMORY, RUN_CHART_GAINS, RUN_CHART_NONE };

enum { ASSUMPTION_TEXT = 256 };

struct run { /* the opened machine and workload */
    struct machine machine;
    char *machine_name;
    struct trace_source *source;
    char assumption[ASSUMPTION_TEXT]; /* a note on --assume; "": nothing is assumed */
};

/* The width of charts: that of the terminal if there is one, within limits. */
int run_columns(void);

/* Makes a grid of cells of that width, calls `draw` and prints the grid. STATUS_MEMORY.
 */
struct cells;
enum status run_draw(void (*draw)(const void *argument, struct cells *cells), const void *argument);

/* How the run is evaluated, as the options say. */
struct evaluate_options run_evaluate_options(const struct run_arguments *arguments,
                                             const struct run *run);

/* Evaluates machines in a single pass if all issue the same stream, else one after another;
 * `metrics` has a place for each, of which the first *done are filled in. */
enum status run_evaluate(const struct machine *const *machines, size_t count,
                         const struct trace_source *source, const struct evaluate_options *how,
                         struct metrics *metrics, size_t *done, struct diagnostics *diagnostics);

/* What a reader of this run's numbers needs to know. `metrics` may be NULL. */
enum { DEPTH_NOTES = 8 };
struct run_notes {
    const char *items[2 + DEPTH_NOTES + COUNTED_NOTES]; /* the caller may add one */
    char spaces[COUNTED_NOTES][COUNTED_NOTE_TEXT];
    size_t count;
};
void run_notes(const struct run_arguments *arguments, const struct run *run,
               const struct metrics *metrics, struct run_notes *notes);

/* The report of the run's metrics with these notes; the caller adds what it compares with. */
struct metrics_report run_metrics_report(const struct run_arguments *arguments,
                                         const struct run *run, const struct metrics *metrics,
                                         const struct run_notes *notes);

/* Prints the notes. `metrics` may be NULL. */
void run_print_notes(const struct run_arguments *arguments, const struct run *run,
                     const struct metrics *metrics);

/* Prints the metrics of all machines, `run` being that of the first. What ended before a signal is
 * printed (STATUS_CANCELLED). */
enum status run_machines(const struct run_arguments *arguments, const struct run *run,
                         struct diagnostics *diagnostics);

/* Prints what --histogram and --by-pc ask for. */
enum status run_detail(const struct run_arguments *arguments, const struct run *run,
                       struct diagnostics *diagnostics);

/* Prints the curve that --curve and --metric ask for. */
enum status run_curve(const struct run_arguments *arguments, const struct run *run,
                      struct diagnostics *diagnostics);

/* Prints what --by-launch, --by-warp, --by-block or --timeline asks for. */
enum status run_timing(const struct run_arguments *arguments, const struct run *run,
                       struct diagnostics *diagnostics);

/* Writes the document that --report asks for. */
enum status run_report(const struct run_arguments *arguments, const struct run *run,
                       struct diagnostics *diagnostics);

/* Prints the page walks that --trace-steps asks for. */
enum status run_steps(const struct run_arguments *arguments, const struct run *run,
                      struct diagnostics *diagnostics);
