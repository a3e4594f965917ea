/* Stream statistics against Accel-Sim's own counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/gpu/stream_stats.h"
#include "tests/support/shared_data.h"
#include "trace/trace_file.h"

enum { PATH_BYTES = 512, LAUNCHES_MAX = 16 };

static struct trace_source *open_trace(const char *path)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct trace_source *source = NULL;
    enum status status = trace_open(path, NULL, &source, &diagnostics);
    diagnostics_print(&diagnostics, stderr);
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(diagnostics.count, 0);
    diagnostics_free(&diagnostics);
    return source;
}

/* 16 kernels recorded on a GPU: warp instructions and L1D accesses in total, and of each of the
 * first ones, as the simulator counts them. */
static void test_bfs(void **state)
{
    (void)state;
    char path[PATH_BYTES], reference[PATH_BYTES], line[512];
    if (!shared_data("traces/accelsim/bfs/kernelslist.g", path, sizeof path) ||
        !shared_data("reference/accelsim/bfs-rtx3070.csv", reference, sizeof reference)) {
        print_message("skipped: no shared traces\n");
        skip();
    }
    struct trace_source *source = open_trace(path);
    struct stream_stats total, launches[LAUNCHES_MAX];
    assert_int_equal(source->launch_count, LAUNCHES_MAX);
    assert_int_equal(stream_stats(source, &total, launches, NULL), STATUS_OK);
    assert_int_equal(total.warp_instructions, 159509);
    assert_int_equal(total.sectors_32, 90629);
    FILE *rows = fopen(reference, "r");
    assert_non_null(rows);
    assert_non_null(fgets(line, sizeof line, rows));
    unsigned compared = 0;
    for (; compared < LAUNCHES_MAX && fgets(line, sizeof line, rows); compared++) {
        unsigned long long n, cycles, l1, miss, pending, fails, l2, l2_miss, instructions;
        char name[128];
        assert_int_equal(sscanf(line, "%llu,%127[^,],%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu", &n,
                                name, &cycles, &l1, &miss, &pending, &fails, &l2, &l2_miss,
                                &instructions),
                         10);
        assert_string_equal(source->launches[compared].name, name);
        assert_int_equal(launches[compared].sectors_32, l1);
        assert_int_equal(launches[compared].warp_instructions, instructions);
    }
    assert_true(compared >= 8);
    fclose(rows);
    trace_source_free(source);
}

/* Makes a synthetic trace with the generator of the reference runs; false where it is not there. */
static bool generate(const char *arguments, char folder[32])
{
    char tool[PATH_BYTES], command[PATH_BYTES * 2];
    if (!shared_data("tools/gen_traceg.py", tool, sizeof tool))
        return false;
    strcpy(folder, "/tmp/warpscape-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command, "python3 '%s' %s '%s' --bin 35 >/dev/null 2>&1", tool,
             arguments, folder);
    return !system(command);
}

static void remove_generated(const char *folder)
{
    char path[64];
    static const char *const files[] = {"kernel-1.traceg", "kernelslist.g"};
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    rmdir(folder);
}

static void expect_generated(const char *arguments, uint64_t sectors, uint64_t segments)
{
    char folder[32] = "", path[64];
    if (!generate(arguments, folder)) {
        if (*folder)
            remove_generated(folder);
        print_message("skipped: no generator or no python3\n");
        skip();
    }
    snprintf(path, sizeof path, "%s/kernelslist.g", folder);
    struct trace_source *source = open_trace(path);
    struct stream_stats total;
    assert_int_equal(stream_stats(source, &total, NULL, NULL), STATUS_OK);
    if (sectors)
        assert_int_equal(total.sectors_32, sectors);
    if (segments)
        assert_int_equal(total.segments_128, segments);
    trace_source_free(source);
    remove_generated(folder);
}

static void test_gemm(void **state)
{
    (void)state;
    expect_generated("gemm 128", 264192, 197632);
}

static void test_conv2d(void **state)
{
    (void)state;
    expect_generated("conv2d 256", 0, 31156);
    expect_generated("conv2d 512", 373316, 0);
}

static void test_transpose(void **state)
{
    (void)state;
    expect_generated("transpose 256", 0, 67584);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bfs),
        cmocka_unit_test(test_gemm),
        cmocka_unit_test(test_conv2d),
        cmocka_unit_test(test_transpose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
