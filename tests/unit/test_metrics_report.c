/* Metrics for people and for programs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "report/runs/metrics_report.h"

static struct machine machine;
static struct metrics metrics, baseline, error;

static int set_up(void **state)
{
    (void)state;
    machine_defaults(&machine);
    metrics_clear(&metrics);
    metrics.l1d_accesses = 1234567;
    metrics.l1d_misses = 345678;
    metrics.l1d_miss_rate = 345678.0 / 1234567;
    metrics.l1d_miss_conflict = 0;
    metrics.l1d_read_bytes = 44246784;
    metrics.l1d_bits = 150528;
    metrics.l1d_area = 0.0832;
    metrics.tlb_hit_rate = 1;
    baseline = metrics;
    baseline.l1d_misses = 172839;
    baseline.l1d_miss_rate = 0.3;
    baseline.l1d_miss_conflict = NAN;
    baseline.l1d_read_bytes = 0;
    error = metrics;
    for (size_t i = 0; i < METRIC_COUNT; i++)
        metric_set(&metric_table[i], &error, 0);
    error.l1d_miss_rate = 0.0123;
    error.l1d_misses = 1000;
    return 0;
}

static struct metrics_report sample(void)
{
    static const char *const notes[] = {"a first note", "a second \"note\""};
    return (struct metrics_report){.machine = &machine,
                                   .machine_name = "gtx480",
                                   .workload = "TEST",
                                   .workload_origin = "made for the test",
                                   .workload_digest = "0123",
                                   .metrics = &metrics,
                                   .notes = notes,
                                   .note_count = 2};
}

/* Not inline: GCC 12 takes what open_memstream stores in `text` for a pointer to it. */
__attribute__((noinline)) static char *printed(const struct metrics_report *report,
                                               enum table_format format)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(metrics_report_print(report, format, out), STATUS_OK);
    fclose(out);
    return text;
}

static void expect(const struct metrics_report *report, enum table_format format,
                   const char *expected)
{
    char *text = printed(report, format);
    assert_string_equal(text, expected);
    free(text);
}

static void table_groups_and_names_what_is_missing(void **state)
{
    (void)state;
    struct metrics_report report = sample();
    expect(&report, TABLE_TEXT,
           "machine:  gtx480\n"
           "workload: TEST\n"
           "origin:   made for the test\n"
           "\n"
           "metric                value            source\n"
           "l1d\n"
           "  accesses           1.235M  exact     functional\n"
           "  misses             345.7k  exact     functional\n"
           "  miss_rate          28.00%  exact     functional\n"
           "  miss.conflict           0  exact     functional\n"
           "  read_bytes       42.20MiB  exact     functional\n"
           "  bits           147.0Kibit  exact     formula\n"
           "  area           0.08320mm2  estimate  CACTI 7\n"
           "tlb\n"
           "  hit_rate          100.00%  exact     functional\n"
           "\n"
           "not simulated: stream, occupancy, l1d.mpki, l1d.reads, l1d.read_misses, l1d.writes, "
           "l1d.write_misses, l1d.sector_misses, l1d.writebacks, l1d.miss.compulsory, "
           "l1d.miss.flush, l1d.miss.store, l1d.miss.capacity, l1d.opt.miss_rate, "
           "l1d.opt.bypass.miss_rate, l1d.write_bytes, l1d.hw_misses, "
           "l1d.hw_hit_rate, "
           "l1d.access_time, l1d.read_energy, l1d.fill_energy, l1d.leakage, l1d.energy, "
           "l1d.mshr.bits, l1d.mshr.area, l1d.mshr.access_time, l1d.mshr.read_energy, "
           "l1d.mshr.fill_energy, l1d.mshr.leakage, l1d.mshr.energy, "
           "l2, tlb.accesses, tlb.misses, tlb.mpki, "
           "tlb.bits, tlb.area, tlb.access_time, tlb.read_energy, tlb.fill_energy, tlb.leakage, "
           "tlb.energy, l1i, l2tlb, pwc, walk, walker, tile, ibuffer, total, "
           "fpga, energy\n"
           "note: a first note\n"
           "note: a second \"note\"\n");
}

static void table_compares_with_a_baseline(void **state)
{
    (void)state;
    struct metrics_report report = sample();
    report.baseline = &baseline;
    report.error = &error;
    report.note_count = 0;
    char *text = printed(&report, TABLE_TEXT);
    static const char expected[] =
        "machine:  gtx480\n"
        "workload: TEST\n"
        "origin:   made for the test\n"
        "\n"
        "metric                value  error            source        baseline  difference\n"
        "l1d\n"
        "  accesses           1.235M      0  estimate  functional      1.235M  =\n"
        "  misses             345.7k   1000  estimate  functional      172.8k  +100.00% worse\n"
        "  miss_rate          28.00%  1.23%  estimate  functional      30.00%  -2.00 points "
        "better\n"
        "  miss.conflict           0      0  estimate  functional           -  -\n"
        "  read_bytes       42.20MiB     0B  estimate  functional          0B  from 0 worse\n"
        "  bits           147.0Kibit         exact     formula     147.0Kibit  =\n"
        "  area           0.08320mm2         estimate  CACTI 7     0.08320mm2  =\n"
        "tlb\n"
        "  hit_rate          100.00%  0.00%  estimate  functional     100.00%  =\n\nnot simulated";
    assert_true(strlen(text) >= sizeof expected - 1);
    assert_memory_equal(text, expected, sizeof expected - 1);
    free(text);
}

static void csv_has_every_column_and_full_precision(void **state)
{
    (void)state;
    struct metrics_report report = sample();
    expect(&report, TABLE_CSV,
           "metric,value,unit,exact,depth,error,baseline\n"
           "l1d.accesses,1234567,,true,functional,,\n"
           "l1d.misses,345678,,true,functional,,\n"
           "l1d.miss_rate,0.27999938439955063,ratio,true,functional,,\n"
           "l1d.miss.conflict,0,,true,functional,,\n"
           "l1d.read_bytes,44246784,B,true,functional,,\n"
           "tlb.hit_rate,1,ratio,true,functional,,\n"
           "l1d.bits,150528,bit,true,formula,,\n"
           "l1d.area,0.0832,mm2,false,CACTI 7,,\n");
}

static void markdown_has_full_paths(void **state)
{
    (void)state;
    struct metrics_report report = sample();
    char *text = printed(&report, TABLE_MARKDOWN);
    assert_non_null(strstr(text,
                           "machine:  gtx480  \nworkload: TEST  \norigin:   made for the test\n\n"
                           "| metric "));
    assert_non_null(strstr(text, "\n| l1d.miss_rate     |     28.00% | exact    | functional |\n"));
    assert_non_null(strstr(text, "\n\nnote: a second \"note\"\n"));
    free(text);
}

/* A number in base units, a switch, a list of numbers, or a name that reads back. */
static void check_parameter(const struct parameter *parameter, const json_t *entry)
{
    struct value value = parameter_get(parameter, &machine), read;
    bool number = parameter->type == PARAMETER_UINT || parameter->type == PARAMETER_REAL;
    if (parameter->type == PARAMETER_BOOL) {
        assert_true(json_is_boolean(entry));
        assert_int_equal(json_is_true(entry), value.uint);
    } else if (parameter->type == PARAMETER_SIZES) {
        assert_int_equal(json_array_size(entry), value.sizes.count);
        for (size_t i = 0; i < value.sizes.count; i++)
            assert_int_equal(json_integer_value(json_array_get(entry, i)), value.sizes.item[i]);
    } else if (number && !parameter_is_top(parameter, value)) {
        assert_true(json_is_number(entry));
        assert_true(json_number_value(entry) == parameter_number(parameter, value));
    } else {
        assert_true(json_is_string(entry));
        assert_int_equal(parameter_parse(parameter, json_string_value(entry), &read, NULL),
                         STATUS_OK);
        assert_true(parameter_equal(parameter, read, value));
    }
}

static void json_reads_back(void **state)
{
    (void)state;
    struct metrics_report report = sample();
    report.error = &error;
    report.baseline = &baseline;
    char *text = printed(&report, TABLE_JSON);
    assert_non_null(strstr(text, "\"value\": 345678,")); /* a count is an integer */
    json_t *all = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    free(text);
    assert_non_null(all);
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        json_t *entry = json_object_get(json_object_get(all, "metrics"), metric->path);
        double value = metric_get(metric, &metrics);
        assert_non_null(entry);
        assert_int_equal(json_is_null(json_object_get(entry, "value")), isnan(value));
        if (isnan(value))
            continue;
        assert_true(json_number_value(json_object_get(entry, "value")) == value);
        assert_string_equal(json_string_value(json_object_get(entry, "unit")),
                            unit_name(metric->unit));
        assert_string_equal(json_string_value(json_object_get(entry, "depth")),
                            metric_source(metric, DEPTH_FUNCTIONAL));
        assert_true(json_number_value(json_object_get(entry, "error")) ==
                    metric_get(metric, &error));
        assert_int_equal(json_is_true(json_object_get(entry, "exact")),
                         metric->provenance == FROM_FORMULA);
    }
    json_t *parameters_json = json_object_get(all, "machine");
    assert_int_equal(json_object_size(parameters_json), parameter_count + 1);
    for (size_t i = 0; i < parameter_count; i++) {
        check_parameter(&parameters[i], json_object_get(parameters_json, parameters[i].path));
    }
    assert_string_equal(json_string_value(json_object_get(json_object_get(all, "tool"), "name")),
                        "warpscape");
    json_t *workload = json_object_get(all, "workload");
    assert_string_equal(json_string_value(json_object_get(workload, "digest")), "0123");
    assert_int_equal(json_array_size(json_object_get(all, "notes")), 2);
    json_decref(all);
}

static void nothing_but_names_prints(void **state)
{
    (void)state;
    struct metrics nothing;
    metrics_clear(&nothing);
    struct metrics_report report = {
        .machine = &machine, .machine_name = "a \xff name", .workload = "w", .metrics = &nothing};
    for (int format = TABLE_TEXT; format <= TABLE_MARKDOWN; format++)
        free(printed(&report, (enum table_format)format));
}

/* Where no time passes, cycles are of a clock that is named. */
static void cycles_have_a_clock(void **state)
{
    (void)state;
    size_t seen = 0;
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        if (metric->unit != UNIT_CYCLES || !metric_answered(metric, DEPTH_FUNCTIONAL))
            continue;
        seen++;
        if (!strstr(metric->help, "issue clock"))
            fail_msg("%s", metric->path);
    }
    assert_true(seen > 0);
}

/* Whether the row of walk.wait.mean, half of that of the baseline, has two texts. */
static bool wait_says(enum depth depth, const char *kind, const char *verdict)
{
    struct metrics_report report = sample();
    report.baseline = &baseline;
    report.depth = depth;
    metrics.walk_wait_mean = 100;
    baseline.walk_wait_mean = 200;
    char *text = printed(&report, TABLE_TEXT), *row = strstr(text, "wait.mean");
    assert_non_null(row);
    row[strcspn(row, "\n")] = '\0';
    const bool says = strstr(row, kind) && strstr(row, verdict);
    free(text);
    return says;
}

/* Nor is one machine called better by that clock. */
static void an_assumed_clock_makes_no_machine_better(void **state)
{
    (void)state;
    assert_true(wait_says(DEPTH_FUNCTIONAL, " estimate ", "-50.00%, by the issue clock"));
    assert_false(wait_says(DEPTH_FUNCTIONAL, "", "better"));
    assert_true(wait_says(DEPTH_TIMING, " exact ", "-50.00% better"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(table_groups_and_names_what_is_missing, set_up),
        cmocka_unit_test_setup(table_compares_with_a_baseline, set_up),
        cmocka_unit_test_setup(csv_has_every_column_and_full_precision, set_up),
        cmocka_unit_test_setup(markdown_has_full_paths, set_up),
        cmocka_unit_test_setup(json_reads_back, set_up),
        cmocka_unit_test_setup(nothing_but_names_prints, set_up),
        cmocka_unit_test(cycles_have_a_clock),
        cmocka_unit_test_setup(an_assumed_clock_makes_no_machine_better, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
