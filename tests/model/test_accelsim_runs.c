/* The functional depth against a cycle-level simulator: L1D accesses and misses of Accel-Sim's own
 * runs of Rodinia bfs on its RTX 3070 configuration. Order of issue and time differ, the counts do
 * not: in a 128 KiB L1D nearly every miss of these kernels is compulsory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "config/machine_file.h"
#include "model/evaluate.h"
#include "support/shared_data.h"
#include "trace/trace_file.h"

static void check_kernel(const struct machine *machine, unsigned kernel, double accesses,
                         double misses)
{
    char path[4096], name[64];
    snprintf(name, sizeof name, "traces/accelsim/bfs/kernel-%u.traceg", kernel);
    assert_non_null(shared_data(name, path, sizeof path));
    struct trace_source *source;
    struct metrics metrics;
    assert_int_equal(trace_open(path, NULL, &source, NULL), STATUS_OK);
    assert_int_equal(evaluate(machine, source, NULL, &metrics, NULL), STATUS_OK);
    assert_true(metrics.l1d_accesses == accesses);
    assert_true(metrics.l1d_misses == misses);
    trace_source_free(source);
}

static void test_bfs_on_rtx3070(void **state)
{
    (void)state;
    char path[4096];
    if (!shared_data("reference/accelsim/bfs-rtx3070.csv", path, sizeof path)) {
        print_message("no reference runs (WARPSCAPE_SHARED or ../shared): skipped\n");
        skip();
    }
    struct machine machine;
    assert_int_equal(machine_load("rtx3070", NULL, &machine, NULL, NULL), STATUS_OK);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[512];
    unsigned kernels = 0, number;
    double accesses, misses;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "%u,%*[^,],%*[^,],%lf,%lf", &number, &accesses, &misses) == 3) {
            check_kernel(&machine, number, accesses, misses);
            kernels++;
        }
    fclose(file);
    assert_int_equal(kernels, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bfs_on_rtx3070)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
