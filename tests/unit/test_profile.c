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
#include "support/message_text.h"
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
        {"nsec", "second", 1e-9, true},
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

/* A value that a sample of tests/profiles holds. */
static const struct sample {
    const char *file;
    size_t launches, launch;
    const char *kernel; /* begins so */
    uint64_t invocations, grid, block;
    const char *device, *name, *unit;
    double value;
    unsigned line;
} sample_list[] = {
    {"ncu-details.txt", 1, 0, "vector_add(const float *, const float *, float *, int)", 1, 4096,
     256, "CC 7.0", "Elapsed Cycles", "cycle", 23114, 13},
    {"ncu-details.txt", 1, 0, "vector_add", 1, 4096, 256, "CC 7.0", "Memory Throughput",
     "byte/second", 608.52e9, 29},
    {"ncu-details.txt", 1, 0, "vector_add", 1, 4096, 256, "CC 7.0", "Memory Throughput", "%",
     0.7731, 14},
    {"ncu-2020.txt", 2, 1, "column_sums(const float *, float *, unsigned long)", 1, 0, 0, NULL,
     "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector", 33554432, 17},
    {"ncu-2020.txt", 2, 0, "row_sums(", 1, 0, 0, NULL, "dram__bytes_read.sum", "byte", 16.91e6, 6},
    {"ncu-raw.csv", 2, 1, "vector_add(", 1, 4096, 256, "CC 7.0", "gpu__time_duration.sum", "second",
     19.98e-6, 5},
    {"ncu-comma.csv", 1, 0, "vector_add", 1, 4096, 256, "CC 8.9", "gpu__time_duration.sum",
     "second", 20417e-9, 3},
    {"nvprof.csv", 1, 0, "vector_add(float const *", 2, 0, 0, "Tesla V100-PCIE-16GB (0)",
     "elapsed_cycles_sm", "", 1850060, 6},
    {"nvprof.csv", 1, 0, "vector_add(", 2, 0, 0, "Tesla V100-PCIE-16GB (0)", "l2_tex_hit_rate", "%",
     0.33398, 13},
    {"nvprof.txt", 2, 0, "sum_reduction_kernel(", 1, 0, 0, "Tesla V100-DGXS-32GB (0)",
     "shared_utilization", "", 0, 12},
    {"nvprof.txt", 2, 1, "other(float*)", 3, 0, 0, "Tesla V100-DGXS-32GB (0)", "gld_transactions",
     "", 20, 14},
    {"ncu-rounds.csv", 7, 6, "atax_kernel2(", 1, 1, 256, "CC 8.6", "Duration", "second", 23176e-9,
     55},
    {"nvprof-summary.txt", 2, 1, "bicg_kernel2(int, int, float*, float*, float*)", 2, 0, 0, NULL,
     "Duration", "second", 3.5415e-3, 7},
    {"nvprof-summary.csv", 2, 0, "bicg_kernel1(int, int, float*, float*, float*)", 2, 0, 0, NULL,
     "Duration", "second", 6.4741e-3, 6},
    {"nvprof-trace.txt", 2, 0, "bicg_kernel1(int, int, float*, float*, float*)", 1, 16, 256, NULL,
     "Duration", "second", 6.4612e-3, 6},
    {"nvprof-trace.txt", 2, 1, "bicg_kernel2(", 1, 16, 256, NULL, "Registers Per Thread", "", 16,
     7},
    {"nvprof-trace.csv", 2, 1, "bicg_kernel2(", 1, 16, 256, "Tesla K40c (0)", "Duration", "second",
     3.54e-3, 8},
    {"nvprof-both.txt", 1, 0, "add(float*, float*)", 1, 0, 0, "Tesla V100 (0)", "gld_transactions",
     "", 16384, 7},
    {"nvprof-both.txt", 1, 0, "add(float*, float*)", 1, 0, 0, "Tesla V100 (0)", "Duration",
     "second", 5.92e-6, 12},
    {"nvprof-trace-metrics.csv", 2, 1, "bicg_kernel2(", 1, 0, 0, "Tesla V100-PCIE-16GB (0)",
     "dram_read_throughput", "byte/second", 401e9, 6},
    {"nvprof-trace-metrics.txt", 2, 0, "bicg_kernel1(int, int, float*, float*, float*)", 1, 0, 0,
     "Tesla V100-PCIE-16GB (0)", "gld_transactions", "", 131072, 6},
    {"nvprof-trace-metrics.txt", 2, 1, "bicg_kernel2(int, int, float*, float*, float*)", 1, 0, 0,
     "Tesla V100-PCIE-16GB (0)", "dram_read_throughput", "byte/second", 401e9, 8},
    {"nvprof-trace-metrics.txt", 2, 1, "bicg_kernel2(", 1, 0, 0, "Tesla V100-PCIE-16GB (0)",
     "l2_tex_hit_rate", "%", 0.255, 8},
    {"ncu-short-rows.csv", 1, 0, "add(float *, float *)", 1, 256, 256, "CC 8.9", "Elapsed Cycles",
     "cycle", 5120, 5},
    {"ncu-short-rows.csv", 1, 0, "add(float *, float *)", 1, 256, 256, "CC 8.9", "L2 Hit Rate", "%",
     0.334, 8},
    {"ncu-2025.csv", 2, 1, "matmul_naive", 1, 8, 32, "CC 9.0", "Elapsed Cycles", "cycle", 30597,
     18},
    {"ncu-2025-raw.txt", 2, 1, "vector_add", 1, 4096, 256, "CC 9.0", "sm__cycles_elapsed.max",
     "cycle", 9950, 22},
    {"ncu-2025-summary.csv", 3, 2, "vector_add", 1, 4096, 256, "CC 9.0", "Duration", "second",
     6336e-9, 21},
    {"ncu-summary.txt", 1, 0, "add(float *, float *, float *, int)", 14, 256, 256, "CC 8.9",
     "L2 Hit Rate", "%", 0.334, 8},
    {"ncu-2022-summary.txt", 1, 0, "transpose(float *, float *, int, int)", 3, 0, 0, NULL,
     "gpu__time_duration.sum", "second", 9.98e-3, 10},
    {"ncu-2022-summary.txt", 1, 0, "transpose(", 3, 0, 0, NULL, "lts__t_sector_hit_rate.pct", "%",
     0.44233118, 11},
    {"nsys-kernels.csv", 1, 0, "add(float *, float *, int)", 10, 0, 0, NULL, "Duration", "second",
     120032e-9, 2},
    {"nsys-stats.txt", 2, 1, "void tile::fill<float, (int)4>(T1 *, T1, int)", 2, 0, 0, NULL,
     "Duration", "second", 150040e-9, 18},
    {"nsys-stats.csv", 3, 0, "mix(float *, const float *, int)", 10, 0, 0,
     "NVIDIA H100 80GB HBM3 (0)", "Duration", "second", 120032e-9, 3},
    {"nsys-stats.csv", 3, 2, "void tile::fill<", 1, 64, 256, "NVIDIA H100 80GB HBM3 (0)",
     "Duration", "second", 150080e-9, 13},
    {"nsys-old.txt", 1, 0, "__omp_offloading_30_736b_main_l20", 2, 0, 0, NULL, "Duration", "second",
     222080e-9, 5},
    {"nsys-table.txt", 2, 1, "mix(float *, int)", 2, 1024, 32, NULL, "Duration", "second", 400e-6,
     7},
};
enum { SAMPLES = sizeof sample_list / sizeof *sample_list };

static void check_sample(const struct sample *sample, const char *path)
{
    struct profile profile;
    struct diagnostics found = DIAGNOSTICS_INIT;
    assert_int_equal(profile_read(path, &profile, &found), STATUS_OK);
    assert_int_equal(found.count, 0);
    assert_int_equal(profile.launch_count, sample->launches);
    const struct profile_launch *launch = &profile.launches[sample->launch];
    if (strncmp(launch->kernel, sample->kernel, strlen(sample->kernel)) != 0)
        fail_msg("%s: kernel '%s'", sample->file, launch->kernel);
    assert_int_equal(launch->invocations, sample->invocations);
    assert_int_equal(launch->grid[0], sample->grid);
    assert_int_equal(launch->block[0], sample->block);
    if (sample->device)
        assert_string_equal(profile.device, sample->device);
    else
        assert_null(profile.device);
    const struct profile_value *value = find(&profile, sample->launch, sample->name, sample->unit);
    assert_true(fabs(value->value - sample->value) <= 1e-12 * sample->value);
    assert_int_equal(value->line, sample->line);
    profile_free(&profile);
}

static void samples(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        char path[TEMPORARY_PATH];
        snprintf(path, sizeof path, "tests/profiles/%s", sample_list[i].file);
        check_sample(&sample_list[i], path);
    }
}

/* Copies a file with a mark in front of each line, perhaps with the number of the line in it. */
static void copy_marked(const char *path, void (*mark)(FILE *out, unsigned number),
                        char copied[TEMPORARY_PATH])
{
    char line[4096];
    temporary_path(temporary_folder, "marked", copied);
    FILE *in = fopen(path, "r"), *out = fopen(copied, "w");
    assert_non_null(in);
    assert_non_null(out);
    for (unsigned number = 1; fgets(line, sizeof line, in); number++) {
        mark(out, number);
        fputs(line, out);
    }
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

static void mark_comment(FILE *out, unsigned number)
{
    (void)number;
    fputs("// ", out);
}

static void mark_tab(FILE *out, unsigned number)
{
    fprintf(out, "%6u\t", number);
}

static void mark_colon(FILE *out, unsigned number)
{
    fprintf(out, "%u:", number + 40);
}

static void mark_both(FILE *out, unsigned number)
{
    fprintf(out, "%4u | //", number);
}

/* What was pasted into the comments of a program, or listed with line numbers, says the same. */
static void marked_samples(void **state)
{
    (void)state;
    static void (*const marks[])(FILE *, unsigned) = {mark_comment, mark_tab, mark_colon,
                                                      mark_both};
    for (size_t i = 0; i < SAMPLES; i++)
        for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) {
            char path[TEMPORARY_PATH], copied[TEMPORARY_PATH];
            snprintf(path, sizeof path, "tests/profiles/%s", sample_list[i].file);
            copy_marked(path, marks[k], copied);
            check_sample(&sample_list[i], copied);
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
        {HEADER "\"0\",\"k\",\"a__b.sum\",\"\",\"1\",\"\"\n",
         ":2:1: expected 5 cells as in the header, found 6"},
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
    assert_int_equal(profile_read("/no/such/file", &profile, NULL), STATUS_IO);
}

/* Binary files are refused with what prints them, and lists of names are not taken for values. */
static void refused_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *name, *bytes;
        size_t length;
        const char *message;
    } cases[] = {
#define BYTES(text) text, sizeof(text) - 1
        {"utf16.csv", BYTES("\xff\xfe\"\0I\0D\0\"\0\n\0"), "expected UTF-8 text, found UTF-16"},
        {"report", BYTES("NVR\0\x10\0"), "ncu --import FILE --csv --page raw prints it"},
        {"a.nsys-rep", BYTES("any\n"), "nsys stats --report cuda_gpu_trace --format csv FILE"},
        {"database", BYTES("SQLite format 3\0x"), "found a database of nsys or nvprof"},
        {"binary", BYTES("a\0b\n"), "found binary data"},
        {"query.txt",
         BYTES(
             "Device NVIDIA H100 (GH100)\n------- ----------- ------------------\n"
             "Metric Name Metric Unit Metric Description\n------- ----------- ------------------\n"
             "dram__b     byte        # of bytes\n"),
         "found a list of metrics without values"},
        {"query.csv",
         BYTES("\"Metric Name\",\"Metric Type\",\"Metric Unit\",\"Metric Description\"\n"
               "\"dram__bytes\",\"Counter\",\"byte\",\"# of bytes\"\n"),
         "found a list of metrics without values"},
        {"api.txt",
         BYTES("==1== Profiling result:\n   Start  Duration  Name\n168.07ms  1.9710us  "
               "cuDeviceGet\n"),
         "found times of the host's calls alone"},
        {"api.csv",
         BYTES("\"Start\",\"Duration\",\"Name\",\"Correlation_ID\"\nms,us,,\n1,2,\"cuInit\",3\n"),
         "found times of the host's calls alone"},
        {"stats.json", BYTES("[{\"Time (%)\": 60.1,\n\"Name\": \"k\"}]\n"), "found JSON of nsys"},
        {"log.txt",
         BYTES("==PROF== Connected to process 7 (/home/me/gemm)\n==PROF== Profiling \"k\" - 0: 8 "
               "passes\n==PROF== Report: /home/me/gemm.ncu-rep\n"),
         "ncu --import FILE.ncu-rep --csv"},
        {"none.txt", BYTES("==PROF== Connected\n==WARNING== No kernels were profiled.\n"),
         "found a run in which no kernel was profiled"},
#undef BYTES
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct profile profile;
        struct diagnostics found = DIAGNOSTICS_INIT;
        char path[TEMPORARY_PATH];
        temporary_file(temporary_folder, cases[i].name, cases[i].bytes, cases[i].length, path);
        assert_int_equal(profile_read(path, &profile, &found), STATUS_INVALID);
        char *messages = messages_take(&found);
        if (!strstr(messages, cases[i].message))
            fail_msg("%s: '%s' has no '%s'", cases[i].name, messages, cases[i].message);
        free(messages);
    }
}

/* Other forms of tables of times: kernels are chosen by their category, tabs cut cells, and the
 * unit of times is that of the header. */
static void other_forms(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double time;
    } cases[] = {
        {"Time (%),Total Time (ns),Instances,Avg (ns),Min (ns),Max (ns),Category,Operation\n"
         "90.0,900,3,300,1,2,CUDA_KERNEL,k(int)\n"
         "10.0,100,1,100,1,2,MEMORY_OPER,[CUDA memset]\n"
         "10.0,100,1,100,1,2,CUDA_API,cudaFree\n",
         300e-9},
        {"Time (%)\tTotal Time (us)\tInstances\tAvg (us)\tName\n60.1\t900\t3\t300.5\tk(int, int)\n",
         300.5e-6},
        {"Time(%),Total Time (ns),Instances,Average,Minimum,Maximum,Name\n60.1,900,3,300,1,2,k\n",
         300e-9},
        {"\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"     \n%,us,,us,us,us,    "
         "  \n"
         "100.000000,3.840000,3,1.920000,1.504000,2.336000,\"k(int)\"     \n",
         1.92e-6},
        {" Start (ns)  Duration (ns)  CorrId  GrdX  GrdY  GrdZ  BlkX  BlkY  BlkZ  Bytes (MB)  "
         "Device  Name\n"
         " ----------  -------------  ------  ----  ----  ----  ----  ----  ----  ----------  "
         "------  ----\n"
         "        100          2,560     103                                           0.004  H100 "
         "   [CUDA memcpy DtoH]\n"
         "        500          3,000     104     4     1     1    32     1     1              H100 "
         "   k(int)\n",
         3e-6},
        {"Time (%),Total Time (ms),Instances,Avg (ms),Name\n60.1,900,3,300.25,k\nProcessing\n"
         "60.2,700,3,200.25,no kernel\n",
         0.30025},
        /* Without the quotes that nvprof writes, and with units beside the numbers. */
        {"Time(%),Time,Calls,Avg,Min,Max,Name\n47.79%,542.36ms,45,12.052ms,1us,2us,[CUDA memcpy "
         "HtoD]\n20.92%,4.5ms,3,1.5ms,1us,2ms,k(float*, float*, int)\n",
         1.5e-3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct profile profile;
        char *messages;
        assert_int_equal(read_text(cases[i].text, &profile, &messages), STATUS_OK);
        assert_string_equal(messages, "");
        free(messages);
        assert_int_equal(profile.launch_count, 1);
        assert_int_equal(profile.launches[0].invocations, *cases[i].text == ' ' ? 1 : 3);
        assert_int_equal(profile.launches[0].count, 1);
        assert_true(fabs(profile.launches[0].values[0].value / cases[i].time - 1) < 1e-12);
        profile_free(&profile);
    }
}

/* What several tables of a file tell of the same launches. */
static void joined(void **state)
{
    (void)state;
    static const char counters[] = "==1== Metric result:\n"
                                   "Invocations  Metric Name  Metric Description  Min  Max  Avg\n"
                                   "Device \"GPU A (0)\"\n"
                                   "    Kernel: k(int)\n"
                                   "          4  gst_transactions  Stores  1  3  2\n";
    static const char other_device[] = "Device \"GPU B (1)\"\n"
                                       "    Kernel: k(int)\n"
                                       "          4  gst_transactions  Stores  1  3  8\n";
    static const char summary[] =
        "==1== Trace result:\n"
        "  Type  Time(%)  Time  Calls  Avg  Min  Max  Name\n"
        "  GPU activities:  75.00%  40us  4  10us  1us  30us  k(int)\n"
        "                   25.00%  10us  1  10us  10us  10us  fill(int)\n";
    static const char trace[] = "Start  Duration  Grid Size  Block Size  Regs*  Name\n"
                                "1us  8us  (4 1 1)  (32 1 1)  9  k(int) [1]\n"
                                "2us  16us  (4 1 1)  (32 1 1)  9  k(int) [2]\n";
    static const char next[] = "==2== Profiling result:\n"; /* another process */
    static const struct {
        const char *parts[4];
        size_t launches;
        uint64_t invocations, grid;
        double time; /* of the first launch, in us; 0: it has none */
    } cases[] = {
        {{counters, summary}, 2, 4, 0, 10},
        {{summary, counters}, 2, 4, 0, 10},
        {{counters, other_device, summary}, 3, 4, 0, 10},
        {{counters, trace}, 1, 4, 4, 12},
        {{trace, counters}, 1, 4, 4, 12},
        {{summary, trace}, 3, 1, 0, 10},           /* fill, and two of k */
        {{counters, summary, trace}, 2, 4, 4, 10}, /* the first time of a launch */
        {{counters, counters}, 1, 4, 0, 0},
        {{counters, next, counters}, 2, 4, 0, 0},
        {{counters, next, counters, summary}, 3, 4, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct profile profile;
        char text[4096] = "", *messages;
        for (size_t k = 0; k < 4 && cases[i].parts[k]; k++)
            strcat(text, cases[i].parts[k]);
        assert_int_equal(read_text(text, &profile, &messages), STATUS_OK);
        assert_string_equal(messages, "");
        free(messages);
        assert_int_equal(profile.launch_count, cases[i].launches);
        const struct profile_launch *launch = &profile.launches[0];
        assert_int_equal(launch->invocations, cases[i].invocations);
        assert_int_equal(launch->grid[0], cases[i].grid);
        double time = 0;
        for (size_t k = 0; k < launch->count; k++) {
            for (size_t other = 0; other < k; other++)
                assert_int_not_equal(launch->values[k].counter, launch->values[other].counter);
            if (!strcmp(profile.counters[launch->values[k].counter].name, "Duration"))
                time = launch->values[k].value;
        }
        assert_true(fabs(time - 1e-6 * cases[i].time) < 1e-15);
        profile_free(&profile);
    }
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
    static const char *const files[] = {"ncu-details.txt",
                                        "ncu-2020.txt",
                                        "ncu-raw.csv",
                                        "ncu-comma.csv",
                                        "nvprof.csv",
                                        "nvprof.txt",
                                        "ncu-rounds.csv",
                                        "nvprof-summary.txt",
                                        "nvprof-summary.csv",
                                        "nvprof-trace.txt",
                                        "nvprof-trace.csv",
                                        "nvprof-both.txt",
                                        "ncu-short-rows.csv",
                                        "ncu-2025-summary.csv",
                                        "ncu-2025-raw.txt",
                                        "ncu-summary.txt",
                                        "nsys-stats.txt",
                                        "nsys-stats.csv",
                                        "nsys-table.txt",
                                        "nsys-old.txt",
                                        "ncu-2025.csv",
                                        "ncu-2022-summary.txt",
                                        "nvprof-trace-metrics.csv",
                                        "nvprof-trace-metrics.txt"};
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
        cmocka_unit_test(numbers),     cmocka_unit_test(units),
        cmocka_unit_test(samples),     cmocka_unit_test(marked_samples),
        cmocka_unit_test(refusals),    cmocka_unit_test(refused_kinds),
        cmocka_unit_test(other_forms), cmocka_unit_test(joined),
        cmocka_unit_test(left_out),    cmocka_unit_test(any_bytes),
    };
    return cmocka_run_group_tests(tests, temporary_make, temporary_clear);
}
