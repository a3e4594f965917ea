/* The table of counters: every expression is one, says what it says for numbers made up here, and
 * names match as they should. */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "explore/space/conditions.h"
#include "schema/counters.h"

static double value_of(const struct counter_row *row, const struct machine *machine,
                       const struct metrics *metrics)
{
    struct expression *expression;
    struct expression_values values = {.machine = machine, .metrics = metrics};
    double value;
    assert_int_equal(expression_create(row->expression, NULL, SCOPE_POINT, &expression, NULL),
                     STATUS_OK);
    assert_int_equal(expression_value(expression, &values, &value, NULL), STATUS_OK);
    expression_free(expression);
    return value;
}

/* What a machine has without a run. */
static bool is_parameter(const struct counter_row *row)
{
    const bool parameter = !strcmp(row->expression, COUNTER_CLOCK) ||
                           !strcmp(row->expression, COUNTER_DRAM_CLOCK) ||
                           !strcmp(row->expression, "gpu.sms");
    assert_true(!parameter || row->traits & COUNTER_NEAR); /* or a fit would go by it */
    return parameter;
}

/* Metrics that are all 1000, so that no whole is 0: an expression has a value, and has none where
 * no metric has one. */
static void expressions(void **state)
{
    (void)state;
    struct machine machine;
    struct metrics metrics, nothing;
    machine_defaults(&machine);
    metrics_clear(&nothing);
    for (size_t i = 0; i < METRIC_COUNT; i++)
        metric_set(&metric_table[i], &metrics, 1000);
    for (size_t i = 0; i < counter_count; i++) {
        const struct counter_row *row = &counter_table[i];
        assert_true(isfinite(value_of(row, &machine, &metrics)));
        assert_true(isnan(value_of(row, &machine, &nothing)) || is_parameter(row));
        assert_true(*row->definition && *row->name);
        assert_true(row->unit != UNIT_PERCENT || !(row->traits & COUNTER_ADDS));
        for (size_t k = 0; k < i; k++)
            assert_false(counter_table[k].tool == row->tool &&
                         !strcmp(counter_table[k].name, row->name) &&
                         (counter_table[k].unit == UNIT_PERCENT) == (row->unit == UNIT_PERCENT));
    }
}

static const struct counter_row *find(enum profile_tool tool, const char *name, bool percent)
{
    size_t part;
    for (size_t i = 0; i < counter_count; i++)
        if (counter_names(&counter_table[i], tool, name, percent, &part))
            return &counter_table[i];
    return NULL;
}

static void definitions(void **state)
{
    (void)state;
    struct machine machine;
    struct metrics metrics;
    machine_defaults(&machine);
    metrics_clear(&metrics);
    machine.gpu.sms = 80;
    machine.gpu.max_threads = 64 * 32;
    machine.scheduler.count = 4;
    machine.gpu.clock = 1e9;
    machine.dram.clock = 2500000000;
    machine.dram.rate = 4;
    machine.l1d.sector = 32;
    metrics.core_cycles = 1000;
    metrics.l1d_accesses = 400;
    metrics.l1d_hw_misses = 100;
    metrics.l1d_hw_hit_rate = 0.75;
    metrics.l1d_reads = 320;
    metrics.l1d_read_misses = 90;
    metrics.l1d_writes = 80;
    metrics.stream_loads_global = 64;
    metrics.stream_stores_global = 20;
    metrics.stream_records_global = 100;
    metrics.occupancy_achieved = 0.5;
    metrics.core_slots_issued = 0.25;
    metrics.l2_reads = 60;
    metrics.l2_read_misses = 15;
    metrics.l2_hw_hit_rate = 0.85;
    metrics.l2_read_bytes = 640;
    metrics.l2_write_bytes = 360;
    static const struct {
        enum profile_tool tool;
        const char *name;
        bool percent;
        double value;
    } cases[] = {
        {PROFILE_NCU, "sm__cycles_elapsed.max", false, 1000},
        {PROFILE_NVPROF, "elapsed_cycles_sm", false, 80000},
        {PROFILE_DETAILS, "Duration", false, 1e-6},
        {PROFILE_DETAILS, "DRAM Frequency", false, 5e9},
        {PROFILE_NCU, "l1tex__t_sector_hit_rate.pct", true, 0.75},
        {PROFILE_NCU, "l1tex__t_sectors_lookup_hit.sum", false, 300},
        {PROFILE_DETAILS, "L2 Hit Rate", true, 0.85},
        {PROFILE_NCU, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", false,
         5},
        {PROFILE_NCU, "l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_miss.sum", false, 10},
        {PROFILE_NCU, "l1tex__t_sector_pipe_lsu_mem_global_op_st_hit_rate.pct", true, 0.875},
        {PROFILE_NCU, "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", false, 16},
        {PROFILE_NVPROF, "gst_transactions_per_request", false, 4},
        {PROFILE_NVPROF, "gld_throughput", false, 320 * 32 * 1e6},
        {PROFILE_DETAILS, "Warp Cycles Per Issued Instruction", false, 0.5 * 64 / 4 / 0.25},
        {PROFILE_NVPROF, "l2_tex_read_hit_rate", true, 0.75},
        {PROFILE_NVPROF, "l2_read_transactions", false, 60},
        {PROFILE_NCU, "dram__sectors_read.sum", false, 20},
        {PROFILE_DETAILS, "Memory Throughput", false, 1e9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct counter_row *row = find(cases[i].tool, cases[i].name, cases[i].percent);
        assert_non_null(row);
        assert_true(fabs(value_of(row, &machine, &metrics) / cases[i].value - 1) < 1e-12);
    }
    machine.l1d.sector = 128; /* a request of four sectors */
    assert_true(value_of(find(PROFILE_NVPROF, "l2_read_transactions", false), &machine, &metrics) ==
                240);
}

static void names(void **state)
{
    (void)state;
    size_t part;
    const struct counter_row *row =
        find(PROFILE_NCU, "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", false);
    assert_non_null(row);
    assert_int_equal(counter_parts(row), 2);
    assert_true(counter_names(row, PROFILE_NCU, "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum",
                              false, &part));
    assert_int_equal(part, 1);
    row = find(PROFILE_NVPROF, "l2_subp3_read_sector_misses", false);
    assert_non_null(row);
    assert_int_equal(counter_parts(row), 1);
    assert_null(find(PROFILE_NVPROF, "l2_subp_read_sector_misse", false));
    assert_null(find(PROFILE_NCU, "gld_transactions", false));
    assert_null(find(PROFILE_DETAILS, "Memory Throughput", true));
    assert_null(find(PROFILE_NCU, "", false));
}

static const struct counter_row *row_of(enum profile_tool tool, const char *name)
{
    for (size_t i = 0; i < counter_count; i++)
        if (counter_table[i].tool == tool && !strcmp(counter_table[i].name, name))
            return &counter_table[i];
    fail_msg("no counter %s", name);
    return NULL;
}

/* Where an architecture counts otherwise a row is near, with the reason, and nowhere else. */
static void near_by_architecture(void **state)
{
    (void)state;
    static const struct {
        enum profile_tool tool;
        const char *name;
        unsigned from, to; /* 0: near nowhere; UINT_MAX: everywhere */
    } cases[] = {
        {PROFILE_NVPROF, "gld_transactions", 50, 69},
        {PROFILE_NVPROF, "gld_transactions_per_request", 50, 69},
        {PROFILE_NVPROF, "global_store_requests", 50, 69},
        {PROFILE_NVPROF, "global_hit_rate", 50, 69},
        {PROFILE_NVPROF, "l2_tex_hit_rate", 50, 69},
        {PROFILE_NVPROF, "l2_tex_read_transactions", 20, 39},
        {PROFILE_NVPROF, "tex_cache_hit_rate", 20, 69},
        {PROFILE_NVPROF, "gst_transactions", 0, 0},
        {PROFILE_NVPROF, "l2_read_transactions", 0, 0},
        {PROFILE_NCU, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 0, 0},
        {PROFILE_NVPROF, "ipc", UINT_MAX, UINT_MAX},
    };
    static const unsigned capabilities[] = {0, 20, 35, 50, 52, 60, 61, 62, 70, 75, 80, 90, 120};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t k = 0; k < sizeof capabilities / sizeof *capabilities; k++) {
            const struct counter_row *row = row_of(cases[i].tool, cases[i].name);
            const unsigned at = capabilities[k];
            const bool near = cases[i].from == UINT_MAX ||
                              (cases[i].from && at >= cases[i].from && at <= cases[i].to);
            const char *why = counter_near(row, at);
            assert_int_equal(why != NULL, near);
            assert_true(!why || *why);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(expressions),
                                       cmocka_unit_test(near_by_architecture),
                                       cmocka_unit_test(definitions), cmocka_unit_test(names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
