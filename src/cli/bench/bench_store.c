/* Measures the result store (explore/store/store.h): rows written by store_put, and rows read by a
 * query. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/bench/bench.h"
#include "explore/store/store.h"

enum { AXES = 4, DIGITS = 24 };

/* A study with DIGITS^AXES points. Its axes are counts that no rule ties to other parameters, so
 * every point is legal. */
static void fill_study(struct bench *bench, struct study *study, struct axis axes[AXES],
                       struct value values[AXES][DIGITS], struct objective *objective,
                       const struct metric **columns)
{
    static const char *const paths[AXES] = {"l1d.mshr.entries", "l1d.mshr.merge", "l2.mshr.entries",
                                            "l2.mshr.merge"};
    static char name[] = "bench", machine_name[] = "gtx480", workload[] = "bench";
    static char *workload_names[] = {workload};
    *study = (struct study){.name = name,
                            .machine = bench->machine,
                            .machine_name = machine_name,
                            .workloads = workload_names,
                            .workload_count = 1,
                            .axes = axes,
                            .axis_count = AXES,
                            .objectives = objective,
                            .objective_count = 1,
                            .columns = columns,
                            .column_count = 4};
    for (size_t i = 0; i < AXES; i++) {
        axes[i] = (struct axis){parameter_find(paths[i]), values[i], DIGITS, 0};
        for (size_t j = 0; j < DIGITS; j++)
            values[i][j] = (struct value){.uint = j + 1};
    }
    *objective = (struct objective){metric_find("l1d.miss_rate"), LOWER_IS_BETTER};
    columns[0] = metric_find("l2.miss_rate");
    columns[1] = metric_find("walk.memory_accesses");
    columns[2] = metric_find("total.area");
    columns[3] = metric_find("total.bits");
}

static enum status write_rows(struct bench *bench, const struct space *space, const char *path,
                              struct diagnostics *diagnostics)
{
    const char *const digest[] = {"00000000000000000000000000000000"};
    struct store *store = NULL;
    struct stopwatch watch;
    struct metrics metrics;
    metrics_clear(&metrics);
    uint64_t rows = 0;
    stopwatch_start(&watch);
    enum status status = store_create(path, space, digest, &store, diagnostics);
    for (; rows < space->points && !status && stopwatch_seconds(&watch) < bench->seconds; rows++) {
        metrics.l1d_miss_rate = 1.0 / (double)(rows + 1);
        metrics.l2_miss_rate = metrics.total_area = metrics.total_bits = (double)rows;
        status = store_put(store, rows, &metrics, diagnostics);
    }
    if (!status)
        status = store_commit(store, diagnostics);
    const struct bench_result result = {.what = "store write",
                                        .how = "5 metrics a row into SQLite, one commit at the end",
                                        .threads = 1,
                                        .count = (double)rows,
                                        .unit = "rows"};
    bench_row(bench, &result, &watch);
    store_close(store);
    return status;
}

static enum status count_row(void *argument, const struct store_row *row)
{
    (void)row;
    ++*(uint64_t *)argument;
    return STATUS_OK;
}

static enum status read_rows(struct bench *bench, const char *path, struct diagnostics *diagnostics)
{
    static const struct {
        const char *what, *how;
        struct query query;
    } cases[] = {{"store read", "every row in point order", {.where = NULL}},
                 {"store sort", "every row sorted by a metric", {.sort = "l1d.miss_rate"}}};
    struct store *store = NULL;
    const struct study *study;
    enum status status = store_open(path, &store, &study, diagnostics);
    for (size_t i = 0; i < sizeof cases / sizeof *cases && !status; i++) {
        struct stopwatch watch;
        uint64_t rows = 0;
        stopwatch_start(&watch);
        status = store_query(store, &cases[i].query, count_row, &rows, diagnostics);
        const struct bench_result result = {.what = cases[i].what,
                                            .how = cases[i].how,
                                            .threads = 1,
                                            .count = (double)rows,
                                            .unit = "rows"};
        if (!status)
            bench_row(bench, &result, &watch);
    }
    store_close(store);
    return status;
}

enum status bench_scratch_make(char path[BENCH_PATH], struct diagnostics *diagnostics)
{
    const char *temporary = getenv("TMPDIR");
    char folder[BENCH_PATH - sizeof "/store.db"];
    snprintf(folder, sizeof folder, "%s/warpscape-bench-XXXXXX",
             temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(folder))
        return diagnostics_error(diagnostics, STATUS_IO, "%s: no folder can be made there", folder);
    snprintf(path, BENCH_PATH, "%s/store.db", folder);
    return STATUS_OK;
}

void bench_scratch_remove(char path[BENCH_PATH])
{
    /* SQLite removes these files when the store is closed. After an error they may remain. */
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal", ".lock"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char file[BENCH_PATH + 16];
        snprintf(file, sizeof file, "%s%s", path, suffixes[i]);
        unlink(file);
    }
    *strrchr(path, '/') = '\0';
    rmdir(path);
}

enum status bench_store(struct bench *bench, struct diagnostics *diagnostics)
{
    struct axis axes[AXES];
    struct value values[AXES][DIGITS];
    struct objective objective;
    const struct metric *columns[4];
    struct study study;
    struct space space;
    char path[BENCH_PATH];
    enum status status = bench_scratch_make(path, diagnostics);
    if (status)
        return status;
    fill_study(bench, &study, axes, values, &objective, columns);
    status = space_open(&study, &space, diagnostics);
    if (!status)
        status = write_rows(bench, &space, path, diagnostics);
    if (!status)
        status = read_rows(bench, path, diagnostics);
    bench_scratch_remove(path);
    return status;
}
