/* Profiles beside machines: what is taken of a profile, the error of a machine, and fits. The
 * profiles are made from our own machines by the table of counters, so the right answers are known;
 * the fit's slow twin evaluates every machine by itself.
 *
 * cost: 50
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config/machine_file.h"
#include "explore/profiles/profile_fit.h"
#include "explore/profiles/profile_steps.h"
#include "explore/space/conditions.h"
#include "explore/sweep/axis_values.h"
#include "support/message_text.h"
#include "support/study_builder.h"
#include "support/temporary.h"
#include "workload/workload.h"

#define WORKLOAD "2DCONV:n=128"

enum { TEXT = 256 };

#define HEADER "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"

static void read_profile(const char *text, struct profile *profile)
{
    char path[TEMPORARY_PATH];
    temporary_file(temporary_folder, "profile.csv", text, 0, path);
    assert_int_equal(profile_read(path, profile, NULL), STATUS_OK);
}

static const struct measured_row *row_of(const struct measured *measured, const char *name)
{
    for (size_t i = 0; i < measured->count; i++)
        if (!strcmp(measured->rows[i].counter->name, name))
            return &measured->rows[i];
    return NULL;
}

/* Counts add up, rates are weighted by cycles, and nothing is dropped. */
static void launches_add_up(void **state)
{
    (void)state;
    struct profile profile;
    struct measured measured;
    read_profile(HEADER "\"0\",\"a(int)\",\"sm__cycles_elapsed.max\",\"cycle\",\"100\"\n"
                        "\"0\",\"a(int)\",\"lts__t_sector_hit_rate.pct\",\"%\",\"50.5\"\n"
                        "\"0\",\"a(int)\",\"lts__t_sectors_op_read.sum\",\"sector\",\"7\"\n"
                        "\"0\",\"a(int)\",\"strange__counter.avg\",\"\",\"3\"\n"
                        "\"1\",\"b(int)\",\"sm__cycles_elapsed.max\",\"cycle\",\"300\"\n"
                        "\"1\",\"b(int)\",\"lts__t_sector_hit_rate.pct\",\"%\",\"90.5\"\n"
                        "\"1\",\"b(int)\",\"strange__counter.avg\",\"\",\"5\"\n",
                 &profile);
    assert_int_equal(measured_take(&profile, &(struct measured_choice){0}, &measured, NULL),
                     STATUS_OK);
    assert_int_equal(measured.pairing.taken, 2);
    assert_int_equal(measured.kernel_count, 2);
    assert_string_equal(measured.kernels[1], "b(int)");
    assert_int_equal(measured.count, 2);
    assert_true(row_of(&measured, "sm__cycles_elapsed.max")->value == 400);
    assert_true(fabs(row_of(&measured, "lts__t_sector_hit_rate.pct")->value - 0.805) < 1e-12);
    assert_int_equal(measured.other_count, 2);
    assert_string_equal(measured.others[0].counter->name, "lts__t_sectors_op_read.sum");
    assert_string_equal(measured.others[0].why, "not in every launch");
    assert_true(measured.others[1].value == 4.5);
    measured_free(&measured);
    assert_int_equal(
        measured_take(&profile, &(struct measured_choice){.kernel = "b("}, &measured, NULL),
        STATUS_OK);
    assert_int_equal(measured.pairing.taken, 1);
    assert_true(row_of(&measured, "sm__cycles_elapsed.max")->value == 300);
    measured_free(&measured);
    struct diagnostics found = DIAGNOSTICS_INIT;
    assert_int_equal(
        measured_take(&profile, &(struct measured_choice){.kernel = "c"}, &measured, &found),
        STATUS_NOT_FOUND);
    assert_int_equal(measured_take(&profile, &(struct measured_choice){.kernel = "a", .launch = 2},
                                   &measured, &found),
                     STATUS_NOT_FOUND);
    char *messages = messages_take(&found);
    assert_non_null(strstr(messages, "the profile has no kernel 'c'"));
    assert_non_null(strstr(messages, "it has 'b(int)'"));
    assert_non_null(strstr(messages, "no launch 2"));
    free(messages);
    profile_free(&profile);
}

/* Sums of names, of all that match a star, and invocations of nvprof. */
static void names_add_up(void **state)
{
    (void)state;
    struct profile profile;
    struct measured measured;
    read_profile("\"Device\",\"Kernel\",\"Invocations\",\"Event Name\",\"Min\",\"Max\",\"Avg\"\n"
                 "\"d\",\"k\",3,\"l2_subp0_read_sector_misses\",1,3,2\n"
                 "\"d\",\"k\",3,\"l2_subp1_read_sector_misses\",1,3,2.5\n"
                 "\"d\",\"k\",3,\"local_load\",10,10,10\n",
                 &profile);
    assert_int_equal(measured_take(&profile, &(struct measured_choice){0}, &measured, NULL),
                     STATUS_OK);
    assert_int_equal(measured.pairing.taken, 3);
    assert_int_equal(measured.count, 1);
    assert_true(row_of(&measured, "l2_subp*_read_sector_misses")->value == 13.5);
    assert_int_equal(measured.other_count, 1); /* local_load without local_store */
    measured_free(&measured);
    profile_free(&profile);
}

/* What an architecture counts otherwise is shown and is no part of an error, of a fit or of the
 * marks on the screen; what the profile says of its GPU comes first. */
static void architectures(void **state)
{
    (void)state;
    static const char before_volta[] =
        "\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Min\",\"Max\",\"Avg\"\n"
        "\"d\",\"k\",1,\"gld_transactions\",16,16,16\n"
        "\"d\",\"k\",1,\"gst_transactions\",4,4,4\n";
    static const char stated[] =
        "\"ID\",\"Kernel Name\",\"CC\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
        "\"0\",\"k\",\"7.0\",\"l1tex__t_sectors.sum\",\"sector\",\"16\"\n";
    static const struct {
        unsigned machine;
        bool near;
    } cases[] = {{61, true}, {52, true}, {70, false}, {35, false}, {0, false}};
    struct profile profile;
    struct measured measured;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct measured_choice choice = {.capability = cases[i].machine};
        struct comparison *comparison;
        struct metrics metrics;
        read_profile(before_volta, &profile);
        assert_int_equal(measured_take(&profile, &choice, &measured, NULL), STATUS_OK);
        assert_int_equal(measured.count, 2);
        assert_int_equal(measured.capability, cases[i].machine);
        assert_int_equal(comparison_create(&measured, &comparison, NULL), STATUS_OK);
        size_t counted;
        const double ours[] = {4, 4};
        const double error = comparison_error(comparison, ours, NULL, &counted);
        assert_int_equal(counted, cases[i].near ? 1 : 2);
        assert_true(error == (cases[i].near ? 0 : 0.375));
        assert_int_equal(measured_metrics(&measured, &metrics), cases[i].near ? 1 : 2);
        assert_true(isnan(metrics.l1d_reads) == cases[i].near);
        assert_int_equal(row_of(&measured, "gld_transactions")->near != NULL, cases[i].near);
        comparison_free(comparison);
        measured_free(&measured);
        profile_free(&profile);
    }
    /* The device's name says more than the machine. */
    read_profile("\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Min\",\"Max\",\"Avg\"\n"
                 "\"GeForce GTX 1080 Ti (0)\",\"k\",1,\"gld_transactions\",16,16,16\n",
                 &profile);
    assert_int_equal(
        measured_take(&profile, &(struct measured_choice){.capability = 70}, &measured, NULL),
        STATUS_OK);
    assert_int_equal(measured.capability, 61);
    measured_free(&measured);
    profile_free(&profile);
    read_profile(stated, &profile);
    assert_int_equal(
        measured_take(&profile, &(struct measured_choice){.capability = 61}, &measured, NULL),
        STATUS_OK);
    assert_int_equal(measured.capability, 70);
    measured_free(&measured);
    profile_free(&profile);
}

/* Metrics that a counter is, or is what is left of. */
static void marks(void **state)
{
    (void)state;
    struct profile profile;
    struct measured measured;
    struct metrics metrics;
    read_profile(HEADER "\"0\",\"k\",\"l1tex__t_sector_hit_rate.pct\",\"%\",\"75\"\n"
                        "\"0\",\"k\",\"dram__bytes_read.sum\",\"Kbyte\",\"3\"\n"
                        "\"0\",\"k\",\"dram__sectors_read.sum\",\"sector\",\"94\"\n",
                 &profile);
    assert_int_equal(measured_take(&profile, &(struct measured_choice){0}, &measured, NULL),
                     STATUS_OK);
    assert_int_equal(measured_metrics(&measured, &metrics), 2);
    assert_true(fabs(metrics.l1d_hw_hit_rate - 0.75) < 1e-12);
    assert_true(metrics.l2_read_bytes == 3000);
    assert_true(isnan(metrics.l2_miss_rate));
    measured_free(&measured);
    profile_free(&profile);
}

/* ---- a profile of one of our machines ---- */

static const char *const counters[] = {
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sector_hit_rate.pct",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum",
    "lts__t_sectors_op_read.sum",
    "lts__t_sector_hit_rate.pct",
    "dram__bytes_read.sum",
};

enum { COUNTERS = sizeof counters / sizeof *counters };

struct known {
    struct machine machine;
    struct trace_source *source;
    struct profile profile;
    struct measured measured;
    struct comparison *comparison;
};

static void counts_of(const struct known *known, const struct machine *machine,
                      struct metrics *metrics)
{
    assert_int_equal(evaluate(machine, known->source, NULL, metrics, NULL), STATUS_OK);
}

/* Writes the profile that the machine would have. */
static void print_profile(const struct known *known, FILE *out)
{
    struct metrics metrics;
    counts_of(known, &known->machine, &metrics);
    fputs(HEADER, out);
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        for (size_t r = 0; r < counter_count; r++) {
            const struct counter_row *row = &counter_table[r];
            const bool percent = row->unit == UNIT_PERCENT;
            struct expression_values values = {.machine = &known->machine, .metrics = &metrics};
            struct expression *expression;
            double value;
            if (row->tool != PROFILE_NCU || strcmp(row->name, counters[i]) != 0)
                continue;
            assert_int_equal(
                expression_create(row->expression, NULL, SCOPE_POINT, &expression, NULL),
                STATUS_OK);
            assert_int_equal(expression_value(expression, &values, &value, NULL), STATUS_OK);
            expression_free(expression);
            fprintf(out, "\"0\",\"k\",\"%s\",\"%s\",\"%.17g\"\n", row->name, percent ? "%" : "",
                    percent ? 100 * value : value);
        }
}

static void make_known(const char *name, const char *const *settings, struct known *known)
{
    char *text = NULL;
    size_t size = 0;
    memset(known, 0, sizeof *known);
    assert_int_equal(machine_load(name, NULL, &known->machine, NULL, NULL), STATUS_OK);
    for (; settings && *settings; settings++)
        assert_int_equal(machine_set_text(&known->machine, *settings, NULL), STATUS_OK);
    assert_int_equal(workload_open(WORKLOAD, &known->source, NULL), STATUS_OK);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    print_profile(known, out);
    assert_int_equal(fclose(out), 0);
    read_profile(text, &known->profile);
    free(text);
    assert_int_equal(
        measured_take(&known->profile, &(struct measured_choice){0}, &known->measured, NULL),
        STATUS_OK);
    assert_int_equal(known->measured.count, COUNTERS);
    assert_int_equal(comparison_create(&known->measured, &known->comparison, NULL), STATUS_OK);
}

static void free_known(struct known *known)
{
    comparison_free(known->comparison);
    measured_free(&known->measured);
    profile_free(&known->profile);
    trace_source_free(known->source);
}

static void ours_of(const struct known *known, const struct machine *machine, double ours[COUNTERS])
{
    struct metrics metrics;
    counts_of(known, machine, &metrics);
    assert_int_equal(comparison_run(known->comparison, machine, &metrics, ours, NULL), STATUS_OK);
}

/* The error of a machine, evaluated by itself. */
static double slow_error(const struct known *known, const struct machine *machine)
{
    double ours[COUNTERS];
    ours_of(known, machine, ours);
    return comparison_error(known->comparison, ours, NULL, NULL);
}

static void add_axis(struct study *study, const char *path, const char *values)
{
    struct axis *axes = realloc(study->axes, (study->axis_count + 1) * sizeof *axes);
    assert_non_null(axes);
    study->axes = axes;
    assert_int_equal(
        axis_values_parse(parameter_find(path), values, &axes[study->axis_count++], NULL),
        STATUS_OK);
}

static void make_study(const struct machine *machine, struct study *study)
{
    *study = (struct study){.name = strdup("fit"),
                            .machine = *machine,
                            .machine_name = strdup("machine"),
                            .workloads = calloc(1, sizeof(char *)),
                            .workload_count = 1};
    study->workloads[0] = strdup(WORKLOAD);
    search_defaults(&study->search);
}

/* The machine of the profile is found again from another one, and as good as the slow twin says. */
static void knobs_are_found(void **state)
{
    (void)state;
    static const char *const truth[] = {"l1d.size=32KiB", "l1d.ways=2", "l1d.index=xor", NULL};
    struct known known;
    struct study study;
    struct profile_fit fit;
    make_known("gtx480", truth, &known);
    assert_true(slow_error(&known, &known.machine) < 1e-12);
    struct machine start;
    assert_int_equal(machine_load("gtx480", NULL, &start, NULL, NULL), STATUS_OK);
    assert_int_equal(machine_set_text(&start, "l1d.index=linear", NULL), STATUS_OK);
    double base[COUNTERS];
    ours_of(&known, &start, base);
    make_study(&start, &study);
    add_axis(&study, "l1d.size", "8KiB..64KiB*2");
    add_axis(&study, "l1d.ways", "1 2 8");
    add_axis(&study, "l1d.index", "all");
    const struct sweep_options options = {.store = scratch_store(), .threads = 2};
    assert_int_equal(profile_fit(&study, known.comparison, base, &options, &fit, NULL), STATUS_OK);
    assert_true(fabs(fit.before - slow_error(&known, &start)) < 1e-12);
    assert_true(fabs(fit.after - slow_error(&known, &fit.machine)) < 1e-12);
    assert_true(fit.after < 1e-12 && fit.before > 0.01);
    assert_int_equal(fit.knob_count, 3);
    uint64_t same = 0, legal = 0;
    double least = 1;
    for (int pass = 0; pass < 2; pass++)
        for (size_t a = 0; a < study.axes[0].count; a++)
            for (size_t b = 0; b < study.axes[1].count; b++)
                for (size_t c = 0; c < study.axes[2].count; c++) {
                    struct machine machine = start;
                    struct violation found[VIOLATION_MAX];
                    const size_t digits[] = {a, b, c};
                    for (int k = 0; k < 3; k++)
                        parameter_set(study.axes[k].parameter, &machine,
                                      study.axes[k].values[digits[k]]);
                    if (machine_check(&machine, found))
                        continue;
                    const double error = slow_error(&known, &machine);
                    least = error < least ? error : least;
                    legal += !pass;
                    same += pass && error <= least + FIT_SAME;
                    for (int k = 0; k < 3 && pass && error <= least + FIT_SAME; k++)
                        assert_int_equal(fit.knobs[k].good[digits[k]], 1);
                }
    assert_int_equal(fit.machines, legal);
    assert_int_equal(fit.same, same);
    assert_int_equal(parameter_get(parameter_find("l1d.size"), &fit.machine).uint, 32768);
    profile_fit_free(&fit);
    study_free(&study);
    free_known(&known);
}

/* A knob that the counters do not depend on stays as it is, and is said to be free. */
static void free_knobs_stay(void **state)
{
    (void)state;
    struct known known;
    struct study study;
    struct profile_fit fit;
    make_known("gtx480", NULL, &known);
    double base[COUNTERS];
    ours_of(&known, &known.machine, base);
    make_study(&known.machine, &study);
    add_axis(&study, "l1d.mshr.entries", "16 32 64");
    add_axis(&study, "l1d.size", "16KiB 32KiB");
    const struct sweep_options options = {.store = scratch_store(), .threads = 1};
    assert_int_equal(profile_fit(&study, known.comparison, base, &options, &fit, NULL), STATUS_OK);
    assert_true(fit.before == 0 && fit.after == 0);
    for (size_t i = 0; i < fit.knob_count; i++)
        assert_true(
            parameter_equal(fit.knobs[i].parameter, fit.knobs[i].before, fit.knobs[i].after));
    assert_int_equal(fit.same, 3);
    assert_int_equal(fit.knobs[0].good[0] + fit.knobs[0].good[1] + fit.knobs[0].good[2], 3);
    profile_fit_free(&fit);
    study_free(&study);
    free_known(&known);
}

/* Each step is better than `before`, in order, and its error is its machine's own. Whether one of
 * them sets `path` and makes the error nothing. */
static bool steps_hold(const struct known *known, const struct machine *turned, double before,
                       const struct profile_steps *steps, const char *path)
{
    bool back = false;
    assert_true(steps->count <= STEPS_MOST);
    for (size_t i = 0; i < steps->count; i++) {
        const struct profile_step *step = &steps->best[i];
        struct machine machine = *turned;
        parameter_set(step->parameter, &machine, step->value);
        assert_true(step->error < before && (!i || steps->best[i - 1].error <= step->error));
        assert_true(fabs(step->error - slow_error(known, &machine)) < 1e-12);
        back |= !strcmp(step->parameter->path, path) && step->error < 1e-12;
    }
    return back;
}

/* One knob was turned by a step, another by two: the way back is found. */
static void steps_are_found(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"l1d.replacement", "l1d.replacement=mru"},
                                           {"l1d.size", "l1d.size=4KiB"}};
    static const char *const linear[] = {"l1d.index=linear", NULL};
    struct known known;
    make_known("gtx480", linear, &known);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine turned = known.machine;
        struct profile_steps steps;
        const struct evaluate_options how = {0};
        assert_int_equal(machine_set_text(&turned, cases[i][1], NULL), STATUS_OK);
        const double before = slow_error(&known, &turned);
        double base[COUNTERS];
        assert_true(before > 0.001);
        ours_of(&known, &turned, base);
        assert_int_equal(
            profile_steps(&turned, known.source, known.comparison, base, &how, &steps, NULL, NULL),
            STATUS_OK);
        assert_true(steps_hold(&known, &turned, before, &steps, cases[i][0]));
        assert_true(steps.machines >= steps.knobs && steps.knobs > 10);
    }
    free_known(&known);
}

/* Each cause is a value that was tried, and brings its counter as near as it says; what the turned
 * knob moved is explained in full. */
static void causes_bring_counters_nearer(void **state)
{
    (void)state;
    static const char *const linear[] = {"l1d.index=linear", NULL};
    struct known known;
    struct machine turned;
    struct profile_steps steps;
    const struct evaluate_options how = {0};
    double base[COUNTERS], then[COUNTERS];
    size_t explained = 0;
    make_known("gtx480", linear, &known);
    turned = known.machine;
    assert_int_equal(machine_set_text(&turned, "l1d.index=xor", NULL), STATUS_OK);
    ours_of(&known, &turned, base);
    struct profile_cause *causes = profile_causes_create(known.comparison, base);
    assert_non_null(causes);
    assert_int_equal(
        profile_steps(&turned, known.source, known.comparison, base, &how, &steps, causes, NULL),
        STATUS_OK);
    const struct measured *measured = comparison_measured(known.comparison);
    for (size_t i = 0; i < measured->count; i++) {
        const struct measured_row *row = &measured->rows[i];
        const double before = measured_distance(row->counter->unit, row->value, base[i]);
        if (!causes[i].parameter) {
            assert_true(isnan(before) || causes[i].distance == before);
            continue;
        }
        struct machine changed = turned;
        parameter_set(causes[i].parameter, &changed, causes[i].value);
        ours_of(&known, &changed, then);
        assert_true(then[i] == causes[i].ours && causes[i].distance < before);
        assert_true(causes[i].distance ==
                    measured_distance(row->counter->unit, row->value, then[i]));
        explained += causes[i].distance < 1e-9;
    }
    assert_true(explained > 0);
    profile_causes_free(causes, measured->count);
    free_known(&known);
}

/* At depth timing cycles tell: a slower L1D is found to be the knob that was turned. */
static void steps_at_timing(void **state)
{
    (void)state;
    struct machine turned;
    struct trace_source *source;
    struct profile profile;
    struct measured measured;
    struct comparison *comparison;
    struct metrics metrics;
    struct profile_steps steps;
    char text[TEXT];
    const struct evaluate_options how = {.depth = DEPTH_TIMING};
    assert_int_equal(machine_load("gtx480", NULL, &turned, NULL, NULL), STATUS_OK);
    assert_int_equal(workload_open("CHASE:bytes=2048,steps=4096", &source, NULL), STATUS_OK);
    assert_int_equal(evaluate(&turned, source, &how, &metrics, NULL), STATUS_OK);
    snprintf(text, sizeof text,
             HEADER "\"0\",\"k\",\"sm__cycles_elapsed.max\",\"cycle\",\"%.0f\"\n",
             metrics.core_cycles);
    read_profile(text, &profile);
    assert_int_equal(measured_take(&profile, &(struct measured_choice){0}, &measured, NULL),
                     STATUS_OK);
    assert_int_equal(comparison_create(&measured, &comparison, NULL), STATUS_OK);
    assert_int_equal(machine_set_text(&turned, "l1d.latency=90", NULL), STATUS_OK);
    assert_int_equal(evaluate(&turned, source, &how, &metrics, NULL), STATUS_OK);
    double ours;
    assert_int_equal(comparison_run(comparison, &turned, &metrics, &ours, NULL), STATUS_OK);
    const double before = comparison_error(comparison, &ours, NULL, NULL);
    assert_true(before > 0.3);
    assert_int_equal(profile_steps(&turned, source, comparison, &ours, &how, &steps, NULL, NULL),
                     STATUS_OK);
    bool named = false;
    for (size_t i = 0; i < steps.count; i++)
        named |= !strcmp(steps.best[i].parameter->path, "l1d.latency");
    assert_true(named);
    comparison_free(comparison);
    measured_free(&measured);
    profile_free(&profile);
    trace_source_free(source);
}

/* A machine without an L2 has no hit rate of one, which is no way to be right. */
static void no_answer_is_wrong(void **state)
{
    (void)state;
    struct known known;
    double with[COUNTERS], without[COUNTERS];
    size_t counted, all;
    make_known("gtx480", NULL, &known);
    struct machine machine = known.machine;
    ours_of(&known, &machine, with);
    assert_int_equal(machine_set_text(&machine, "l2.enabled=no", NULL), STATUS_OK);
    ours_of(&known, &machine, without);
    assert_true(comparison_error(known.comparison, with, with, &all) < 1e-12);
    const double some = comparison_error(known.comparison, without, NULL, &counted);
    assert_true(counted < all && all == COUNTERS);
    const double whole = comparison_error(known.comparison, without, with, &counted);
    assert_int_equal(counted, all);
    assert_true(whole > some && whole > 1.0 / COUNTERS - 1e-12);
    free_known(&known);
}

/* A profile without a counter that the depth answers cannot be fitted. */
static void nothing_to_fit(void **state)
{
    (void)state;
    struct profile profile;
    struct measured measured;
    struct comparison *comparison;
    struct study study;
    struct profile_fit fit;
    struct machine machine;
    read_profile(HEADER "\"0\",\"k\",\"sm__cycles_elapsed.max\",\"cycle\",\"100\"\n", &profile);
    assert_int_equal(measured_take(&profile, &(struct measured_choice){0}, &measured, NULL),
                     STATUS_OK);
    assert_int_equal(comparison_create(&measured, &comparison, NULL), STATUS_OK);
    machine_defaults(&machine);
    make_study(&machine, &study);
    add_axis(&study, "l1d.size", "16KiB 32KiB");
    const struct sweep_options options = {.store = scratch_store(), .threads = 1};
    const double base = NAN;
    assert_int_equal(profile_fit(&study, comparison, &base, &options, &fit, NULL),
                     STATUS_NOT_FOUND);
    study_free(&study);
    comparison_free(comparison);
    measured_free(&measured);
    profile_free(&profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_add_up), cmocka_unit_test(names_add_up),
        cmocka_unit_test(architectures),   cmocka_unit_test(marks),
        cmocka_unit_test(knobs_are_found), cmocka_unit_test(free_knobs_stay),
        cmocka_unit_test(steps_are_found), cmocka_unit_test(causes_bring_counters_nearer),
        cmocka_unit_test(steps_at_timing), cmocka_unit_test(no_answer_is_wrong),
        cmocka_unit_test(nothing_to_fit),
    };
    return cmocka_run_group_tests(tests, temporary_make, temporary_clear);
}
