/* Rows a second and bytes a row of the result store.
 *
 *     bench_store [ROWS]          (default 1,000,000; 10 metrics a row, a commit every 1,024 rows)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rng.h"
#include "explore/store.h"

enum { AXES = 4, DIGITS = 60, METRICS = 10, ROWS_A_COMMIT = 1024 };

static void make_study(struct study *study, struct axis axes[AXES],
                       struct value values[AXES][DIGITS], struct objective *objective,
                       const struct metric *columns[METRICS])
{
    static const char *const paths[AXES] = {"l1d.mshr.entries", "l1d.mshr.merge", "l2.mshr.entries",
                                            "l2.mshr.merge"};
    static char name[] = "bench", machine_name[] = "gtx480", workload[] = "bench";
    static char *workload_names[] = {workload};
    *study = (struct study){.name = name,
                            .machine_name = machine_name,
                            .workloads = workload_names,
                            .workload_count = 1,
                            .axes = axes,
                            .axis_count = AXES,
                            .objectives = objective,
                            .objective_count = 1,
                            .columns = columns,
                            .column_count = METRICS};
    machine_defaults(&study->machine);
    for (size_t i = 0; i < AXES; i++) {
        axes[i] = (struct axis){parameter_find(paths[i]), values[i], DIGITS, 0};
        for (size_t j = 0; j < DIGITS; j++)
            values[i][j] = (struct value){.uint = j + 1};
    }
    for (size_t i = 0; i < METRICS; i++)
        columns[i] = &metric_table[i];
    *objective = (struct objective){columns[0], LOWER_IS_BETTER};
}

static enum status count_row(void *argument, const struct store_row *row)
{
    (void)row;
    ++*(uint64_t *)argument;
    return STATUS_OK;
}

static enum status write_rows(const char *path, const struct space *space, uint64_t rows,
                              struct diagnostics *diagnostics)
{
    const char *const digests[] = {"00000000000000000000000000000000"};
    struct store *store;
    double start = clock_seconds();
    enum status status = store_create(path, space, digests, &store, diagnostics);
    for (uint64_t row = 0; row < rows && !status; row++) {
        struct metrics metrics;
        metrics_clear(&metrics);
        for (size_t i = 0; i < METRICS; i++) /* doubles without a short form */
            metric_set(&metric_table[i], &metrics, (double)random_at(i, row) / 3);
        status = store_put(store, row, &metrics, diagnostics);
        if (!status && row % ROWS_A_COMMIT == ROWS_A_COMMIT - 1)
            status = store_commit(store, diagnostics);
    }
    if (!status)
        store_close(store);
    struct stat info = {0};
    stat(path, &info);
    printf("write  %10.0f rows/s  %.1f bytes/row\n", (double)rows / (clock_seconds() - start),
           (double)info.st_size / (double)rows);
    return status;
}

static enum status read_rows(const char *path, const char *what, const struct query *query,
                             struct diagnostics *diagnostics)
{
    struct store *store;
    const struct study *study;
    uint64_t rows = 0;
    enum status status = store_open(path, &store, &study, diagnostics);
    double start = clock_seconds();
    if (!status)
        status = store_query(store, query, count_row, &rows, diagnostics);
    printf("%-40s %8.3f s  %" PRIu64 " rows\n", what, clock_seconds() - start, rows);
    if (!status)
        store_close(store);
    return status;
}

int main(int argc, char **argv)
{
    static struct value values[AXES][DIGITS];
    struct axis axes[AXES];
    struct objective objective;
    const struct metric *columns[METRICS];
    struct study study;
    struct space space;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    uint64_t rows = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
    char path[] = "/tmp/warpscape-bench-XXXXXX";
    int file = mkstemp(path);
    if (file < 0)
        return 1;
    close(file);
    make_study(&study, axes, values, &objective, columns);
    enum status status = space_open(&study, &space, &diagnostics);
    if (rows > space.points)
        rows = space.points;
    if (!status)
        status = write_rows(path, &space, rows, &diagnostics);
    static const struct {
        const char *what;
        struct query query;
    } queries[] = {
        {"every row", {0}},
        {"a condition on a metric and a parameter",
         {.where = "stream.transactions < 1e18 and l2.mshr.merge = 7"}},
        {"the ten best", {.sort = "stream.transactions", .limit = 10}},
        {"the front of one objective", {.front = true}},
    };
    for (size_t i = 0; i < sizeof queries / sizeof *queries && !status; i++)
        status = read_rows(path, queries[i].what, &queries[i].query, &diagnostics);
    diagnostics_print(&diagnostics, stderr);
    diagnostics_free(&diagnostics);
    unlink(path);
    return status != STATUS_OK;
}
