/* What profiles say, from the text that the profilers of several versions print to the rows of the
 * counter table: names, units and the clock at which times were measured. All excerpts are made up:
 * a launch of 9,000 cycles at 1.5 GHz. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "explore/profiles/comparison.h"
#include "support/temporary.h"

/* Page details until 2021: tables without a header, units in full. */
static const char details_2020[] =
    "  copy(float*, int), 2020-Nov-11 10:36:31, Context 1, Stream 7\n"
    "    Section: GPU Speed Of Light\n"
    "    ---------------------------------------------------------------------- --------------- "
    "------------------------------\n"
    "    SOL FB                                                                               %    "
    "                      42.50\n"
    "    Elapsed Cycles                                                                   cycle    "
    "                      9,000\n"
    "    SM Frequency                                                             cycle/nsecond    "
    "                       1.50\n"
    "    Duration                                                                       usecond    "
    "                       6.00\n"
    "    SM Active Cycles                                                                 cycle    "
    "                   8,100.50\n"
    "    ---------------------------------------------------------------------- --------------- "
    "------------------------------\n"
    "\n"
    "    Section: Memory Workload Analysis\n"
    "    ---------------------------------------------------------------------- --------------- "
    "------------------------------\n"
    "    Memory Throughput                                                         Gbyte/second    "
    "                     250.00\n"
    "    L1/TEX Hit Rate                                                                      %    "
    "                      75.00\n"
    "    ---------------------------------------------------------------------- --------------- "
    "------------------------------\n";

/* Page details since 2022: with a header, units short. */
static const char details_2025[] =
    "  copy(float *, int) (20, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 9.0\n"
    "    Section: GPU Speed Of Light Throughput\n"
    "    ----------------------- ----------- ------------\n"
    "    Metric Name             Metric Unit Metric Value\n"
    "    ----------------------- ----------- ------------\n"
    "    SM Frequency                    Ghz         1.50\n"
    "    Elapsed Cycles                cycle        9,000\n"
    "    Duration                         us         6.00\n"
    "    SM Active Cycles              cycle     8,100.50\n"
    "    ----------------------- ----------- ------------\n"
    "\n"
    "    Section: Scheduler Statistics\n"
    "    ---------------------------- ----------- ------------\n"
    "    Metric Name                  Metric Unit Metric Value\n"
    "    ---------------------------- ----------- ------------\n"
    "    One or More Eligible                   %        12.50\n"
    "    Issued Warp Per Scheduler                        0.13\n"
    "    No Eligible                            %        87.50\n"
    "    Active Warps Per Scheduler          warp         8.25\n"
    "    ---------------------------- ----------- ------------\n"
    "\n"
    "    Section: Warp State Statistics\n"
    "    ---------------------------------------- ----------- ------------\n"
    "    Metric Name                              Metric Unit Metric Value\n"
    "    ---------------------------------------- ----------- ------------\n"
    "    Warp Cycles Per Issued Instruction             cycle        66.00\n"
    "    Avg. Active Threads Per Warp                                   32\n"
    "    ---------------------------------------- ----------- ------------\n"
    "\n"
    "    Section: Launch Statistics\n"
    "    -------------------------------- --------------- ---------------\n"
    "    Metric Name                          Metric Unit    Metric Value\n"
    "    -------------------------------- --------------- ---------------\n"
    "    # SMs                                         SM             132\n"
    "    Waves Per SM                                                0.02\n"
    "    -------------------------------- --------------- ---------------\n";

/* --csv --page raw: a column for each counter, units of any size below the names. */
static const char raw[] =
    "\"ID\",\"Process ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"dram__bytes_read.sum\","
    "\"gpc__cycles_elapsed.avg.per_second\",\"gpu__time_duration.sum\","
    "\"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum\","
    "\"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum\","
    "\"l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second\","
    "\"lts__t_sectors_op_read.sum.per_second\",\"lts__t_sectors_srcunit_tex_lookup_miss.sum\"\n"
    "\"\",\"\",\"\",\"\",\"\",\"Kbyte\",\"Mhz\",\"ns\",\"\",\"\",\"Gbyte/s\",\"sector/ns\","
    "\"sector\"\n"
    "\"0\",\"7\",\"copy(float *, int)\",\"(256, 1, 1)\",\"(20, 1, 1)\",\"655.36\",\"1,500\","
    "\"6,000\",\"160\",\"160\",\"3.41\",\"0.11\",\"640\"\n";

/* --csv --page details, or --metrics: a row for each counter. */
static const char rows[] =
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Kernel Time\","
    "\"Context\",\"Stream\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
    "\"0\",\"7\",\"copy\",\"127.0.0.1\",\"copy(float*, int)\",\"2021-Jan-01 00:00:00\",\"1\",\"7\","
    "\"GPU Speed Of Light\",\"Duration\",\"msecond\",\"0.006\"\n"
    "\"0\",\"7\",\"copy\",\"127.0.0.1\",\"copy(float*, int)\",\"2021-Jan-01 00:00:00\",\"1\",\"7\","
    "\"GPU Speed Of Light\",\"Elapsed Cycles\",\"cycle\",\"9,000\"\n"
    "\"0\",\"7\",\"copy\",\"127.0.0.1\",\"copy(float*, int)\",\"2021-Jan-01 00:00:00\",\"1\",\"7\","
    "\"Command line profiler metrics\",\"smsp__inst_executed_op_global_ld.sum\",\"inst\",\"160\"\n"
    "\"0\",\"7\",\"copy\",\"127.0.0.1\",\"copy(float*, int)\",\"2021-Jan-01 00:00:00\",\"1\",\"7\","
    "\"Command line profiler metrics\",\"dram__bytes.sum\",\"Mbyte\",\"1.25\"\n";

static const char nvprof_text[] =
    "==7== NVPROF is profiling process 7, command: ./copy\n"
    "==7== Profiling result:\n"
    "==7== Metric result:\n"
    "Invocations                               Metric Name                        Metric "
    "Description         Min         Max         Avg\n"
    "Device \"Tesla P100-PCIE-16GB (0)\"\n"
    "    Kernel: copy(float*, int)\n"
    "          2                      global_load_requests       Total number of global load "
    "requests         160         160         160\n"
    "          2                            gld_throughput                    Global Load "
    "Throughput  3.4133GB/s  3.4133GB/s  3.4133GB/s\n"
    "          2              gld_transactions_per_request      Global Load Transactions Per "
    "Request    4.000000    4.000000    4.000000\n"
    "          2                          dram_utilization                 Device Memory "
    "Utilization     Low (2)     Mid (4)     Low (3)\n"
    "          2                 warp_execution_efficiency                 Warp Execution "
    "Efficiency     100.00%     100.00%     100.00%\n";

static const char nvprof_rows[] =
    "==7== NVPROF is profiling process 7, command: ./copy\n"
    "\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Metric Description\",\"Min\",\"Max\","
    "\"Avg\"\n"
    "\"Tesla K40c (0)\",\"copy(float*, int)\",1,\"gst_throughput\",\"Global Store Throughput\","
    "950.500000MB/s,950.500000MB/s,950.500000MB/s\n"
    "\"Tesla K40c (0)\",\"copy(float*, int)\",1,\"l2_l1_read_throughput\",\"L2 Throughput (L1 "
    "Reads)\",3.413300GB/s,3.413300GB/s,3.413300GB/s\n"
    "\"Tesla K40c (0)\",\"copy(float*, int)\",1,\"inst_issued\",\"Instructions Issued\",2080,2080,"
    "2080\n";

static void take(const char *text, struct profile *profile, struct measured *measured)
{
    char path[TEMPORARY_PATH];
    temporary_file(temporary_folder, "profile.txt", text, 0, path);
    assert_int_equal(profile_read(path, profile, NULL), STATUS_OK);
    assert_int_equal(measured_take(profile, &(struct measured_choice){0}, measured, NULL),
                     STATUS_OK);
}

static const struct measured_row *row_of(const struct measured *measured, const char *name)
{
    for (size_t i = 0; i < measured->count; i++)
        if (!strcmp(measured->rows[i].counter->name, name))
            return &measured->rows[i];
    return NULL;
}

static void versions_print_the_same_counters(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
        double value;
    } cases[] = {
        {details_2020, "Elapsed Cycles", 9000},
        {details_2020, "Duration", 6e-6},
        {details_2020, "SM Frequency", 1.5e9},
        {details_2020, "SM Active Cycles", 8100.5},
        {details_2020, "Memory Throughput", 250e9},
        {details_2020, "L1/TEX Hit Rate", 0.75},
        {details_2020, "SOL FB", 0.425},
        {details_2025, "Duration", 6e-6},
        {details_2025, "SM Frequency", 1.5e9},
        {details_2025, "No Eligible", 0.875},
        {details_2025, "Active Warps Per Scheduler", 8.25},
        {details_2025, "Warp Cycles Per Issued Instruction", 66},
        {details_2025, "Avg. Active Threads Per Warp", 32},
        {details_2025, "# SMs", 132},
        {raw, "dram__bytes_read.sum", 655360},
        {raw, "gpc__cycles_elapsed.avg.per_second", 1.5e9},
        {raw, "gpu__time_duration.sum", 6e-6},
        {raw, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 160},
        {raw, "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second", 3.41e9},
        {raw, "lts__t_sectors_op_read.sum.per_second", 0.11e9},
        {raw, "lts__t_sectors_srcunit_tex_lookup_miss.sum", 640},
        {rows, "Duration", 6e-6},
        {rows, "smsp__inst_executed_op_global_ld.sum", 160},
        {rows, "dram__bytes.sum", 1.25e6},
        {nvprof_text, "global_load_requests", 320}, /* of both invocations */
        {nvprof_text, "gld_throughput", 3.4133e9},
        {nvprof_text, "gld_transactions_per_request", 4},
        {nvprof_text, "dram_utilization", 3},
        {nvprof_text, "warp_execution_efficiency", 1},
        {nvprof_rows, "gst_throughput", 950.5e6},
        {nvprof_rows, "l2_l1_read_throughput", 3.4133e9},
        {nvprof_rows, "inst_issued", 2080},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct profile profile;
        struct measured measured;
        take(cases[i].text, &profile, &measured);
        const struct measured_row *row = row_of(&measured, cases[i].name);
        if (!row)
            fail_msg("%s is not compared", cases[i].name);
        if (!(fabs(row->value / cases[i].value - 1) < 1e-12))
            fail_msg("%s is %g, expected %g", cases[i].name, row->value, cases[i].value);
        measured_free(&measured);
        profile_free(&profile);
    }
}

/* Cycles of a machine at 2 GHz become times at the clock of the profile: as it states it, as its
 * cycles and its time say, or at 2 GHz if it says nothing. */
static void times_are_at_the_clock_of_the_profile(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
        double clock, ours; /* of 3,000 cycles */
        bool counts;        /* as part of the error: cycles do not count twice */
    } cases[] = {
        {details_2020, "Duration", 1.5e9, 2e-6, false},
        {details_2025, "Duration", 1.5e9, 2e-6, false},
        {details_2025, "SM Frequency", 1.5e9, 2e9, false},
        {details_2025, "Elapsed Cycles", 1.5e9, 3000, true},
        {raw, "gpu__time_duration.sum", 1.5e9, 2e-6, true},
        {rows, "Duration", 1.5e9, 2e-6, false},
        {nvprof_text, "gld_throughput", NAN, 640 * 32 * 2e9 / 3000, true},
    };
    struct machine machine;
    struct metrics metrics;
    machine_defaults(&machine);
    machine.gpu.clock = 2000000000;
    machine.l1d.sector = 32;
    metrics_clear(&metrics);
    metrics.core_cycles = 3000;
    metrics.l1d_reads = 640;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct profile profile;
        struct measured measured;
        struct comparison *comparison;
        double ours[64];
        take(cases[i].text, &profile, &measured);
        assert_true(isnan(cases[i].clock) ? isnan(measured.clock)
                                          : fabs(measured.clock / cases[i].clock - 1) < 1e-12);
        assert_int_equal(comparison_create(&measured, &comparison, NULL), STATUS_OK);
        assert_true(measured.count <= sizeof ours / sizeof *ours);
        assert_int_equal(comparison_run(comparison, &machine, &metrics, ours, NULL), STATUS_OK);
        const struct measured_row *row = row_of(&measured, cases[i].name);
        assert_non_null(row);
        assert_true(fabs(ours[row - measured.rows] / cases[i].ours - 1) < 1e-12);
        assert_int_equal(comparison_counts(comparison, (size_t)(row - measured.rows)),
                         cases[i].counts);
        comparison_free(comparison);
        measured_free(&measured);
        profile_free(&profile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_print_the_same_counters),
        cmocka_unit_test(times_are_at_the_clock_of_the_profile),
    };
    return cmocka_run_group_tests(tests, temporary_make, temporary_clear);
}
