/* warpscape bench: measures the speed of each part of the program on this computer. cmd_bench.c has
 * the options and the table; each bench_*.c has some of the measurements, which are functions `enum
 * status bench_NAME`.
 *
 * A measurement repeats its work until `seconds` have passed and adds one row for one thread and,
 * where threads matter, one for all. Addresses for the cache measurements are loaded once and kept:
 * 4 B an access, at most 1 GiB. */
#pragma once

#include <stdint.h>

#include "base/diag.h"
#include "explore/search/truth_table.h"
#include "model/cache/line_ids.h"
#include "report/drawing/table.h"
#include "schema/machine.h"
#include "trace/stream.h"

struct bench_grid {         /* the options of lru-grid */
    const char *grid, *csv; /* NULL: all configurations; no file */
    unsigned index, kernel; /* enum index_function, enum grid_path */
};

struct bench_search {  /* the options of search */
    const char *table; /* a CSV file */
    struct truth_columns columns;
    uint64_t points, seeds; /* points 0: a hundredth of the rows */
};
enum status bench_search(const struct bench_search *search, enum table_format format,
                         struct diagnostics *diagnostics);

/* Option readers for --grid and --index (the slot is the member of bench_grid), and the words of
 * --kernel. */
struct option_row;
void bench_read_grid(const struct option_row *row, const char *text);
void bench_read_index(const struct option_row *row, const char *text);
extern const char *const bench_kernel_names[];

/* The workload in memory: sectors of 32 B in issue order, of all SMs together. */
struct bench_addresses {
    struct line_ids ids;
    uint32_t *items; /* id << 1 | store; 4 B an access */
    size_t count, capacity;
    bool cut; /* the workload is longer than this */
};

struct bench {
    struct machine machine;
    const char *workload;
    bool chosen; /* by the user */
    struct trace_source *source;
    /* A workload for measurements with threads: one pass takes long enough for start and end of the
     * threads not to matter. The same as `workload` if the user has chosen one. */
    const char *long_workload;
    struct trace_source *long_source;
    double seconds; /* minimum duration of one measurement */
    int threads;    /* measure with 1 thread and with this many */
    struct bench_grid grid;
    struct bench_addresses addresses; /* valid after bench_load */
    struct table *table;
};

/* Measures wall time, processor time of all threads (which does not depend on what else runs on the
 * computer) and, on x86-64, the time-stamp counter. */
struct stopwatch {
    double start, start_processor; /* seconds */
    uint64_t start_cycles;         /* reference cycles, at a constant frequency */
};

void stopwatch_start(struct stopwatch *watch);
double stopwatch_seconds(const struct stopwatch *watch);

struct bench_result {
    const char *what, *how;
    int threads;
    double count;
    const char *unit;
    double configurations; /* answered by each of `count`; 0: not about these */
};

/* Makes a new folder and the path of a store in it, which does not exist yet; removes both. */
enum { BENCH_PATH = 4096 };
enum status bench_scratch_make(char path[BENCH_PATH], struct diagnostics *diagnostics);
void bench_scratch_remove(char path[BENCH_PATH]);

/* Adds a row for what was done since the stopwatch was started. */
void bench_row(struct bench *bench, const struct bench_result *result,
               const struct stopwatch *watch);

/* Fills `addresses` on the first call. STATUS_CANCELLED after an interrupt, STATUS_MEMORY. */
enum status bench_load(struct bench *bench, struct diagnostics *diagnostics);

enum status bench_generate(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_coalesce(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_issue(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_evaluate(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_area(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_timing(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_tile(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_simt(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_share(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_cache(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_policies(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_stack(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_lru_grid(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_planner(struct bench *bench, struct diagnostics *diagnostics);
enum status bench_store(struct bench *bench, struct diagnostics *diagnostics);
