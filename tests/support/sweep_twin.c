#include "support/sweep_twin.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "explore/store/store.h"
#include "support/study_builder.h"
#include "workload/workload.h"

struct twin {
    const struct space *space;
    struct trace_source *source;
    const struct evaluate_options *options;
    size_t count;
};

static enum status check_row(void *argument, const struct store_row *row)
{
    struct twin *twin = argument;
    struct machine machine;
    struct metrics metrics;
    const struct metric **columns;
    size_t count;
    space_machine(twin->space, row->point % twin->space->machines, &machine);
    assert_int_equal(evaluate(&machine, twin->source, twin->options, &metrics, NULL), STATUS_OK);
    assert_int_equal(study_result_columns(twin->space->study, &columns, &count), STATUS_OK);
    for (size_t i = 0; i < count; i++) {
        double expected = metric_get(columns[i], &metrics);
        if (row->values[i] != expected && !(isnan(row->values[i]) && isnan(expected)))
            fail_msg("point %" PRIu64 " %s: %.17g, evaluate says %.17g", row->point,
                     columns[i]->path, row->values[i], expected);
    }
    free(columns);
    twin->count++;
    return STATUS_OK;
}

void check_rows(const struct study *study, const char *path, const struct evaluate_options *options)
{
    struct sweep_progress progress;
    struct twin twin = {.options = options};
    struct store *store;
    const struct study *kept;
    sweep_into(study, path, 2, &progress);
    assert_int_equal(progress.done, progress.points);
    assert_int_equal(store_open(path, &store, &kept, NULL), STATUS_OK);
    assert_int_equal(kept->depth, options->depth);
    twin.space = store_space(store);
    assert_int_equal(workload_open(study->workloads[0], &twin.source, NULL), STATUS_OK);
    const struct query all = {0};
    assert_int_equal(store_query(store, &all, check_row, &twin, NULL), STATUS_OK);
    assert_int_equal(twin.count, progress.points);
    assert_true(twin.count > 0);
    trace_source_free(twin.source);
    store_close(store);
    unlink(path);
}

void check_equal_stores(const char *expected, const char *found)
{
    char *first = store_dump(expected), *second = store_dump(found);
    assert_string_equal(first, second);
    free(first);
    free(second);
}

void check_threads(const struct study *study)
{
    const char *alone = scratch_store();
    sweep_into(study, alone, 1, NULL);
    for (int threads = 2; threads <= 8; threads += 3) {
        const char *path = scratch_store();
        sweep_into(study, path, threads, NULL);
        check_equal_stores(alone, path);
    }
}

void stop_after(void *argument, const struct sweep_progress *progress)
{
    struct stopper *stopper = argument;
    if (progress->done > stopper->after)
        atomic_store(&stopper->cancel, true);
}
