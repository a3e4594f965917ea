/* warpscape bench: measurements (bench_*.c) and the table that they fill (cmd_bench.c). */
#pragma once

#include <argp.h>
#include <stdint.h>

#include "base/diag.h"
#include "model/cache/line_ids.h"
#include "report/table.h"
#include "schema/machine.h"
#include "trace/stream.h"

struct bench_grid {         /* options of lru-grid */
    const char *grid, *csv; /* NULL: all; none */
    int index, kernel;      /* enum index_function, enum grid_path */
};

/* Its input is a struct bench_grid. */
extern const struct argp bench_grid_argp;

/* The workload in memory: sectors of 32 B in the order of issue, all SMs together. */
struct bench_addresses {
    struct line_ids ids;
    uint32_t *items; /* id << 1 | store; 4 B an access */
    size_t count, capacity;
    bool cut; /* it goes on */
};

struct bench {
    struct machine machine;
    const char *workload;
    struct trace_source *source;
    /* For what threads share: a pass over it takes so long that their beginning and end do not
     * matter. The same where the user has chosen one. */
    const char *long_workload;
    struct trace_source *long_source;
    double seconds; /* that one measurement should take at least */
    int threads;    /* measured with 1 and with this many */
    struct bench_grid grid;
    struct bench_addresses addresses; /* after bench_load */
    struct table *table;
};

/* A clock for wall time, for the time that all threads were on a processor, which says what a core
 * does whoever else is using it, and, where there is one, for the time-stamp counter. */
struct stopwatch {
    double start, start_processor; /* seconds */
    uint64_t start_cycles;         /* reference cycles, which do not follow a boosted clock */
};

void stopwatch_start(struct stopwatch *watch);
double stopwatch_seconds(const struct stopwatch *watch);

struct bench_result {
    const char *what, *how;
    int threads;
    double count;
    const char *unit;
    double configurations; /* that each of `count` was answered for; 0: it is not about these */
};

/* The path of a store, not there yet, in a new folder of its own; and away with both. */
enum { BENCH_PATH = 4096 };
enum status bench_scratch_make(char path[BENCH_PATH], struct diagnostics *diagnostics);
void bench_scratch_remove(char path[BENCH_PATH]);

/* One row: what was done in the time since the start. */
void bench_row(struct bench *bench, const struct bench_result *result,
               const struct stopwatch *watch);

/* Fills `addresses` at the first call. */
enum status bench_load(struct bench *bench, struct diagnostics *diagnostics);

enum status bench_generate(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_coalesce(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_issue(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_evaluate(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_share(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_cache(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_stack(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_lru_grid(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_planner(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_store(struct bench *bench, struct diagnostics *diagnostics);
