/* Profiles of ncu and nvprof: numbers and units of every style, the samples of tests/profiles, what
 * is refused and with which words, and any bytes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "support/messages.h"
#include "support/temporary.h"
#include "trace/profile.h"

static void numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum number_style proves;
        double point, comma; /* NaN: refused in that style */
    } cases[] = {
        {"0", STYLE_UNKNOWN, 0, 0},
        {"23114", STYLE_UNKNOWN, 23114, 23114},
        {"1,215", STYLE_UNKNOWN, 1215, 1.215},
        {"1.215", STYLE_UNKNOWN, 1.215, 1215},
        {"0.215", STYLE_POINT, 0.215, NAN},
        {"1234.567", STYLE_POINT, 1234.567, NAN},
        {"12.5", STYLE_POINT, 12.5, NAN},
        {"12,5", STYLE_COMMA, NAN, 12.5},
        {"1,362.20", STYLE_POINT, 1362.2, NAN},
        {"1.362,20", STYLE_COMMA, NAN, 1362.2},
        {"27.595.520", STYLE_COMMA, NAN, 27595520},
        {"268,435,456", STYLE_POINT, 268435456, NAN},
        {"-1,000", STYLE_UNKNOWN, -1000, -1},
        {"1.3458e+03", STYLE_POINT, 1345.8, NAN},
        {"4.0e-05", STYLE_POINT, 4e-5, NAN},
        {"1\xe2\x80\xaf"
         "362,25",
         STYLE_COMMA, NAN, 1362.25},
        {"1\xc2\xa0"
         "362.25",
         STYLE_POINT, 1362.25, NAN},
        {"1'362", STYLE_UNKNOWN, 1362, 1362},
        {"1,23,456", STYLE_POINT, NAN, NAN},
        {"1,2345", STYLE_COMMA, NAN, 1.2345},
        {"1.2.3", STYLE_COMMA, NAN, NAN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = cases[i].text;
        const size_t length = number_length(text);
        double value;
        assert_int_equal(length, strlen(text));
        assert_int_equal(number_style(text, length), cases[i].proves);
        for (int comma = 0; comma < 2; comma++) {
            const double expected = comma ? cases[i].comma : cases[i].point;
            const bool read = number_read(text, length, comma ? STYLE_COMMA : STYLE_POINT, &value);
            assert_int_equal(read, !isnan(expected));
            assert_true(!read || fabs(value - expected) <= 1e-12 * fabs(expected));
        }
    }
    assert_int_equal(number_length("659.84GB/s"), 6);
    assert_int_equal(number_length("100.00%"), 6);
    assert_int_equal(number_length("1,024 (1; 2)"), 5);
    assert_int_equal(number_length("3, 4"), 1);
    assert_int_equal(number_length("n/a") + number_length("") + number_length("(!) nan") +
                         number_length(".") + number_length("-"),
                     0);
}

static void units(void **state)
{
    (void)state;
    static const struct {
        const char *text, *unit;
        double factor;
        bool known;
    } cases[] = {
        {"", "", 1, true},
        {"%", "%", 0.01, true},
        {"byte", "byte", 1, true},
        {"Kbyte", "byte", 1e3, true},
        {"Kibyte", "byte", 1024, true},
        {"GB/s", "byte/second", 1e9, true},
        {"Gbyte/second", "byte/second", 1e9, true},
        {"B/s", "byte/second", 1, true},
        {"Kbyte/block", "byte/block", 1e3, false},
        {"usecond", "second", 1e-6, true},
        {"us", "second", 1e-6, true},
        {"ms", "second", 1e-3, true},
        {"Ghz", "cycle/second", 1e9, true},
        {"cycle/nsecond", "cycle/second", 1e9, true},
        {"cycle", "cycle", 1, true},
        {"sector", "sector", 1, false},
        {"inst/cycle", "inst/cycle", 1, false},
        {"a unit that is much longer than any that there is",
         "a unit that is much longer than any tha", 1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char unit[UNIT_WORD];
        double factor;
        assert_int_equal(unit_read(cases[i].text, unit, &factor), cases[i].known);
        assert_string_equal(unit, cases[i].unit);
        assert_true(fabs(factor / cases[i].factor - 1) < 1e-12);
    }
}

static const struct profile_value *find(const struct profile *profile, size_t launch,
                                        const char *name, const char *unit)
{
    for (size_t i = 0; i < profile->launches[launch].count; i++) {
        const struct profile_value *value = &profile->launches[launch].values[i];
        const struct profile_counter *counter = &profile->counters[value->counter];
        if (!strcmp(counter->name, name) && !strcmp(counter->unit, unit))
            return value;
    }
    fail_msg("no counter %s [%s]", name, unit);
    return NULL;
}

static void samples(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        size_t launches, launch;
        const char *kernel; /* begins so */
        uint64_t invocations, grid, block;
        const char *device, *name, *unit;
        double value;
        unsigned line;
    } cases[] = {
        {"ncu-details.txt", 1, 0, "vector_add(const float *, const float *, float *, int)", 1, 4096,
         256, "CC 7.0", "Elapsed Cycles", "cycle", 23114, 13},
        {"ncu-details.txt", 1, 0, "vector_add", 1, 4096, 256, "CC 7.0", "Memory Throughput",
         "byte/second", 608.52e9, 29},
        {"ncu-details.txt", 1, 0, "vector_add", 1, 4096, 256, "CC 7.0", "Memory Throughput", "%",
         0.7731, 14},
        {"ncu-2020.txt", 2, 1, "column_sums(const float *, float *, unsigned long)", 1, 0, 0, NULL,
         "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector", 33554432, 17},
        {"ncu-2020.txt", 2, 0, "row_sums(", 1, 0, 0, NULL, "dram__bytes_read.sum", "byte", 16.91e6,
         6},
        {"ncu-raw.csv", 2, 1, "vector_add(", 1, 4096, 256, "CC 7.0", "gpu__time_duration.sum",
         "second", 19.98e-6, 5},
        {"ncu-comma.csv", 1, 0, "vector_add", 1, 4096, 256, "CC 8.9", "gpu__time_duration.sum",
         "second", 20417e-9, 3},
        {"nvprof.csv", 1, 0, "vector_add(float const *", 2, 0, 0, "Tesla V100-PCIE-16GB (0)",
         "elapsed_cycles_sm", "", 1850060, 6},
        {"nvprof.csv", 1, 0, "vector_add(", 2, 0, 0, "Tesla V100-PCIE-16GB (0)", "l2_tex_hit_rate",
         "%", 0.33398, 13},
        {"nvprof.txt", 2, 0, "sum_reduction_kernel(", 1, 0, 0, "Tesla V100-DGXS-32GB (0)",
         "shared_utilization", "", 0, 12},
        {"nvprof.txt", 2, 1, "other(float*)", 3, 0, 0, "Tesla V100-DGXS-32GB (0)",
         "gld_transactions", "", 20, 14},
        {"ncu-rounds.csv", 7, 6, "atax_kernel2(", 1, 1, 256, "CC 8.6", "Duration", "second",
         23176e-9, 55},
        {"nvprof-summary.txt", 2, 1, "bicg_kernel2(int, int, float*, float*, float*)", 2, 0, 0,
         NULL, "Duration", "second", 3.5415e-3, 7},
        {"nvprof-summary.csv", 2, 0, "bicg_kernel1(int, int, float*, float*, float*)", 2, 0, 0,
         NULL, "Duration", "second", 6.4741e-3, 6},
        {"nvprof-trace.txt", 2, 0, "bicg_kernel1(int, int, float*, float*, float*)", 1, 16, 256,
         NULL, "Duration", "second", 6.4612e-3, 6},
        {"nvprof-trace.txt", 2, 1, "bicg_kernel2(", 1, 16, 256, NULL, "Registers Per Thread", "",
         16, 7},
        {"nvprof-trace.csv", 2, 1, "bicg_kernel2(", 1, 16, 256, NULL, "Duration", "second", 3.54e-3,
         8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[TEMPORARY_PATH];
        struct profile profile;
        struct diagnostics found = DIAGNOSTICS_INIT;
        snprintf(path, sizeof path, "tests/profiles/%s", cases[i].file);
        assert_int_equal(profile_read(path, &profile, &found), STATUS_OK);
        assert_int_equal(found.count, 0);
        assert_int_equal(profile.launch_count, cases[i].launches);
        const struct profile_launch *launch = &profile.launches[cases[i].launch];
        if (strncmp(launch->kernel, cases[i].kernel, strlen(cases[i].kernel)) != 0)
            fail_msg("%s: kernel '%s'", cases[i].file, launch->kernel);
        assert_int_equal(launch->invocations, cases[i].invocations);
        assert_int_equal(launch->grid[0], cases[i].grid);
        assert_int_equal(launch->block[0], cases[i].block);
        if (cases[i].device)
            assert_string_equal(profile.device, cases[i].device);
        else
            assert_null(profile.device);
        const struct profile_value *value =
            find(&profile, cases[i].launch, cases[i].name, cases[i].unit);
        assert_true(fabs(value->value - cases[i].value) <= 1e-12 * cases[i].value);
        assert_int_equal(value->line, cases[i].line);
        profile_free(&profile);
    }
}

#define HEADER "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"

static enum status read_text(const char *text, struct profile *profile, char **messages)
{
    char path[TEMPORARY_PATH];
    struct diagnostics found = DIAGNOSTICS_INIT;
    temporary_file(temporary_folder, "profile", text, 0, path);
    enum status status = profile_read(path, profile, &found);
    *messages = messages_take(&found);
    return status;
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"no profile at all\n", "found no counter"},
        {"\"ID\",\"Kernel\",\"dram__bytes_read.sum\"\n",
         ":1:1: expected a header with the columns"},
        {"\n\"ID\",\"Kernel Name\",\"dram__bytes_read.sum\"\n\"\",\"\",\"byte\"\n",
         ":2:1: expected values below this header"},
        {HEADER "\"0\",\"k\",\"a__b.sum\",\"\"\n",
         ":2:1: expected 5 cells as in the header, found 4"},
        {"ID,Kernel Name,Metric Name,Metric Unit,Metric Value\n0,k,a__b.sum,byte,2,816\n",
         "found 6; numbers with commas need quotes"},
        {HEADER "\"0\",\"k\",\"a__b.sum\",\"\",\"1,23,456\"\n",
         ":2:1: expected a number, found '1,23,456'"},
        {HEADER
         "\"0\",\"k\",\"a__b.sum\",\"\",\"1.25\"\n\"0\",\"k\",\"c__d.sum\",\"\",\"1.234,5\"\n",
         ":3:1: expected numbers with one decimal mark, but '1.25' of line 2 has another than "
         "'1.234,5'"},
        {"==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n",
         "the profiler says: ERR_NVGPUCTRPERM"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct profile profile;
        char *messages;
        assert_int_equal(read_text(cases[i].text, &profile, &messages), STATUS_INVALID);
        if (!strstr(messages, cases[i].message))
            fail_msg("'%s' has no '%s'", messages, cases[i].message);
        assert_int_equal(profile.launch_count + profile.counter_count, 0);
        free(messages);
    }
    struct profile profile;
    static const char wide[] = "\xff\xfe\"\0I\0D\0\"\0\n\0";
    char path[TEMPORARY_PATH];
    temporary_file(temporary_folder, "utf16.csv", wide, sizeof wide, path);
    struct diagnostics found = DIAGNOSTICS_INIT;
    assert_int_equal(profile_read(path, &profile, &found), STATUS_INVALID);
    char *messages = messages_take(&found);
    assert_non_null(strstr(messages, "expected UTF-8 text, found UTF-16"));
    free(messages);
    assert_int_equal(profile_read("/no/such/file", &profile, NULL), STATUS_IO);
}

/* What is no number is left out, and so is what the program printed in between. */
static void left_out(void **state)
{
    (void)state;
    struct profile profile;
    char *messages;
    assert_int_equal(read_text("\xef\xbb\xbf" HEADER "hello, world\n"
                               "\"0\",\"k\",\"Device Name\",\"\",\"3090 Ti\"\n"
                               "\"0\",\"k\",\"a__b.sum\",\"\",\"(!) n/a\"\n"
                               "\"0\",\"k\",\"a__b.sum\",\"byte\",\"7 (3; 4)\"\n"
                               "\"1\",\"k\",\"a__b.sum\",\"Kbyte\",\"8\"\n"
                               "\"1\",\"k\",\"\",\"\",\"\"\n",
                               &profile, &messages),
                     STATUS_OK);
    assert_string_equal(messages, "");
    assert_int_equal(profile.counter_count, 1);
    assert_int_equal(profile.launch_count, 2);
    assert_true(profile.launches[0].values[0].value == 7);
    assert_true(profile.launches[1].values[0].value == 8000);
    profile_free(&profile);
    free(messages);
}

/* Cut and changed samples: an error or a profile, never a crash. */
static void any_bytes(void **state)
{
    (void)state;
    static const char *const files[] = {
        "ncu-details.txt",    "ncu-2020.txt",     "ncu-raw.csv",     "ncu-comma.csv",
        "nvprof.csv",         "nvprof.txt",       "ncu-rounds.csv",  "nvprof-summary.txt",
        "nvprof-summary.csv", "nvprof-trace.txt", "nvprof-trace.csv"};
    static const char odd[] = "\"\",;-( \n\0.9\xff";
    uint64_t seed = 1;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[TEMPORARY_PATH], bytes[16384];
        snprintf(path, sizeof path, "tests/profiles/%s", files[i]);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        const size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        for (int round = 0; round < 150; round++) {
            char changed[sizeof bytes];
            struct profile profile;
            memcpy(changed, bytes, size);
            for (int k = 0; k < 1 + round % 8; k++, seed++)
                changed[random_below(random_at(seed, 2), size)] =
                    odd[random_below(random_at(seed, 3), sizeof odd - 1)];
            const size_t length = round % 2 ? size : random_below(random_at(seed, 4), size) + 1;
            temporary_file(temporary_folder, "changed", changed, length, path);
            if (!profile_read(path, &profile, NULL)) {
                assert_true(profile.launch_count > 0);
                profile_free(&profile);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),  cmocka_unit_test(units),    cmocka_unit_test(samples),
        cmocka_unit_test(refusals), cmocka_unit_test(left_out), cmocka_unit_test(any_bytes),
    };
    return cmocka_run_group_tests(tests, temporary_make, temporary_clear);
}
