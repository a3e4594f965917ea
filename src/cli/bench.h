/* warpscape bench: measurements (bench_*.c) and the table that they fill (cmd_bench.c). */
#pragma once

#include <argp.h>
#include <stdint.h>

#include "base/diag.h"
#include "report/table.h"
#include "schema/machine.h"
#include "trace/stream.h"

struct bench_grid { /* options of lru-grid */
    const char *grid, *csv;
    int index, kernel; /* enum index_function, enum grid_path */
};

/* Its input is a struct bench_grid. */
extern const struct argp bench_grid_argp;

struct bench {
    struct machine machine;
    struct trace_source *source;
    double seconds; /* that one measurement should take at least */
    int threads;    /* measured with 1 and with this many */
    struct bench_grid grid;
    struct table *table;
};

/* A clock for wall time and, where the processor has one, for its time-stamp counter. */
struct stopwatch {
    double start;          /* seconds */
    uint64_t start_cycles; /* reference cycles, which do not follow a boosted clock */
};

void stopwatch_start(struct stopwatch *watch);
double stopwatch_seconds(const struct stopwatch *watch);
double stopwatch_cycles(const struct stopwatch *watch); /* NaN: this processor has no counter */

/* One row: `count` of `unit` in the time since the start, by `threads` threads. */
void bench_row(struct bench *bench, const char *what, int threads, double count, const char *unit,
               const struct stopwatch *watch, const char *how);

enum status bench_generate(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_coalesce(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_issue(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_evaluate(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_share(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_store(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_lru_grid(struct bench *bench, struct diagnostics *diagnostics);
