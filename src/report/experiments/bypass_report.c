#include "report/experiments/bypass_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "explore/papers/bypass_orders.h"
#include "report/experiments/bypass_figures.h"
#include "report/experiments/bypass_numbers.h"
#include "report/experiments/paper_numbers.h"
#include "schema/parameters.h"

unsigned bypass_table_parts(enum bypass_table table)
{
    static const unsigned parts[BYPASS_TABLES] = {
        [BYPASS_NUMBERS] = BYPASS_PART_SIZES | BYPASS_PART_PAIRS | BYPASS_PART_CHANGES,
        [BYPASS_SIZE] = BYPASS_PART_SIZES,
        [BYPASS_PCS] = BYPASS_PART_SIZES | BYPASS_PART_PAIRS,
        [BYPASS_VERDICTS] = BYPASS_PART_PAIRS,
        [BYPASS_READINGS] = BYPASS_PART_PAIRS | BYPASS_PART_CHANGES,
        [BYPASS_STALLS] = BYPASS_PART_PAIRS | BYPASS_PART_CHANGES,
        [BYPASS_ALL] = BYPASS_PART_POLICIES | BYPASS_PART_BOUNDS};
    return parts[table];
}

/* ---- cells ---- */

/* A difference, with its sign. */
static void put_change(struct table *table, double change)
{
    char text[32] = "-";
    if (!isnan(change))
        snprintf(text, sizeof text, "%+.2f", 100 * change);
    table_number(table, isfinite(change) ? change : NAN, text);
}

static void put_pc(struct table *table, uint32_t pc)
{
    char text[16] = "-";
    if (pc)
        snprintf(text, sizeof text, "0x%03" PRIx32, pc);
    table_text(table, text);
}

/* ---- figure 2 ---- */

static double paper_rate_of_size(size_t program, size_t size)
{
    if (program == BYPASS_3D)
        return size == 0 ? 0.7712 : size == BYPASS_SIZES - 1 ? 0.3799 : NAN;
    return size == 0 ? 0.3589 : NAN;
}

static void fill_sizes(const struct bypass_study *study, struct table *table)
{
    for (size_t i = 0; i < study->subjects; i++)
        for (size_t k = 0; k < BYPASS_SIZES && bypass_of_paper(study, i); k++) {
            char size[QUANTITY_TEXT];
            table_text(table, study->names[i]->name);
            table_number(table, (double)bypass_sizes[k],
                         quantity_print_uint(bypass_sizes[k], UNIT_BYTES, size));
            table_percent(table, paper_rate_of_size(bypass_program_of(study, i), k));
            for (int order = 0; order < BYPASS_ORDERS; order++) {
                const struct bypass_rates rates =
                    bypass_rates_of(bypass_size_at(study, i, (enum bypass_order)order, k));
                table_percent(table, rates.misses);
                table_percent(table, rates.joined);
            }
        }
}

/* ---- figures 3, 8 and 9 ---- */

enum { SAMPLE = 50 }; /* executions of a load that the paper drew */

static void put_load(const struct bypass_study *study, size_t subject, unsigned load,
                     struct table *table)
{
    const size_t program = bypass_program_of(study, subject);
    const struct bypass_paper_load paper = bypass_paper_load(program, load);
    const struct bypass_result *small = bypass_size_at(study, subject, BYPASS_LRR, 0);
    const struct bypass_result *large =
        bypass_size_at(study, subject, BYPASS_LRR, BYPASS_SIZES - 1);
    const struct pc_count *count = small ? bypass_load(small, load) : NULL;
    const struct pc_executions none = {0};
    const struct pc_executions *executions = count ? &count->executions : &none;
    const double base =
        bypass_load_misses(bypass_pair_at(study, subject, BYPASS_PAPER, BYPASS_BASE), load);
    const double design =
        bypass_load_misses(bypass_pair_at(study, subject, BYPASS_PAPER, BYPASS_DESIGN), load);
    table_text(table, study->names[subject]->name);
    table_whole(table, load);
    put_pc(table, paper.pc);
    put_pc(table, count ? count->pc : 0);
    table_percent(table, bypass_load_misses(small, load));
    table_percent(table, pc_executions_mean(executions));
    table_percent(table, pc_executions_error(executions, SAMPLE));
    table_percent(table, bypass_load_misses(large, load));
    table_percent(table, design);
    put_change(table, design - base);
    table_text(table, bypass_sign_name(paper.sign));
}

static void fill_pcs(const struct bypass_study *study, struct table *table)
{
    for (size_t i = 0; i < study->subjects; i++)
        if (bypass_of_paper(study, i))
            for (unsigned k = 1; k <= bypass_load_count(bypass_program_of(study, i)); k++)
                put_load(study, i, k, table);
}

/* ---- verdicts ---- */

static void put_verdict(const struct bypass_study *study, size_t subject, unsigned load,
                        size_t change, struct table *table)
{
    static const char *const orders[BYPASS_FIRST_PAIRS] = {
        [BYPASS_PAPER] = "tb_priority", [BYPASS_LRR_PAIR] = "lrr", [BYPASS_GTO_PAIR] = "gto"};
    const struct bypass_result *result = bypass_pair_at(study, subject, change, BYPASS_DESIGN);
    const struct pc_count *count = result ? bypass_load(result, load) : NULL;
    const struct bypass_paper_load paper =
        bypass_paper_load(bypass_program_of(study, subject), load);
    table_text(table, study->names[subject]->name);
    table_whole(table, load);
    put_pc(table, paper.pc);
    table_text(table, paper.bypassed ? "bypasses" : "allocates");
    table_text(table, orders[change]);
    table_whole(table, count ? (double)count->evicted : NAN);
    table_whole(table, count ? (double)count->rehits : NAN);
    table_text(table, !count                                        ? "-"
                      : bypass_in_sum(count, BYPASS_THRESHOLD_SAID) ? "bypasses"
                                                                    : "allocates");
    table_whole(table, count ? (double)count->passing : NAN);
    table_whole(table, count ? (double)count->missing : NAN);
    table_whole(table, count && count->since ? (double)count->since - 1 : NAN);
}

static void fill_verdicts(const struct bypass_study *study, struct table *table)
{
    for (size_t i = 0; i < study->subjects; i++)
        for (size_t change = 0; change < BYPASS_FIRST_PAIRS && bypass_of_paper(study, i); change++)
            for (unsigned k = 1; k <= bypass_load_count(bypass_program_of(study, i)); k++)
                put_verdict(study, i, k, change, table);
}

/* ---- readings ---- */

enum { LIST_TEXT = 64, SIGNS_TEXT = 96 };

static void put_paper_reading(size_t program, struct table *table)
{
    char loads[LIST_TEXT] = "", signs[SIGNS_TEXT] = "";
    size_t listed = 0, named = 0;
    for (unsigned i = 1; i <= bypass_load_count(program); i++) {
        const struct bypass_paper_load load = bypass_paper_load(program, i);
        if (load.bypassed)
            listed += (size_t)snprintf(loads + listed, sizeof loads - listed, "%s%u",
                                       listed ? ", " : "", i);
        if (load.sign)
            named += (size_t)snprintf(signs + named, sizeof signs - named, "%s0x%x %s",
                                      named ? ", " : "", load.pc, bypass_sign_name(load.sign));
    }
    table_text(table, bypass_subjects[program].name);
    table_text(table, "the paper");
    table_text(table, loads);
    table_text(table, "");
    table_whole(table, bypass_load_count(program));
    table_text(table, signs);
    table_text(table, "");
}

/* A change whose design finds its loads by itself. */
static void put_reading(const struct bypass_study *study, size_t subject, size_t change,
                        struct table *table)
{
    const size_t program = bypass_program_of(study, subject);
    const bool ran = bypass_pair_at(study, subject, change, BYPASS_DESIGN);
    char sum[LIST_TEXT], most[LIST_TEXT], signs[SIGNS_TEXT];
    size_t agree, others, holds, bypassed = 0;
    for (unsigned i = 1; i <= bypass_load_count(program); i++)
        bypassed += bypass_paper_load(program, i).bypassed;
    bypass_compare_loads(study, subject, change, bypass_in_sum, &agree, &others);
    bypass_signs_text(study, subject, change, &holds, signs, sizeof signs);
    table_text(table, study->names[subject]->name);
    table_text(table, bypass_changes[change].name);
    table_text(table, bypass_loads_text(study, subject, change, bypass_in_sum, sum, sizeof sum));
    table_text(table, bypass_loads_text(study, subject, change, bypass_by_most, most, sizeof most));
    table_whole(table,
                ran ? (double)(bypass_load_count(program) - (bypassed - agree) - others) : NAN);
    table_text(table, signs);
    table_text(table, bypass_changes[change].why);
}

static void fill_readings(const struct bypass_study *study, struct table *table)
{
    for (size_t i = 0; i < study->subjects; i++) {
        if (!bypass_of_paper(study, i))
            continue;
        put_paper_reading(bypass_program_of(study, i), table);
        for (size_t change = 0; change < study->changes; change++)
            if (bypass_finds_loads(change))
                put_reading(study, i, change, table);
    }
}

/* ---- figure 4 ---- */

static void put_order(struct table *table, const uint8_t order[ORDER_WARPS])
{
    char text[ORDER_WARPS * 4];
    size_t used = 0;
    for (size_t i = 0; i < ORDER_WARPS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u", i ? " " : "", order[i]);
    table_text(table, text);
}

static void fill_orders(const struct bypass_study *study, struct table *table)
{
    (void)study;
    for (size_t i = 0; i < BYPASS_ORDER_CASES; i++) {
        const struct bypass_order_case *one = &bypass_order_cases[i];
        uint8_t order[ORDER_WARPS];
        bypass_order_of(one, order);
        table_printf(table, "%u to %u", one->block * ORDER_BLOCK,
                     one->block * ORDER_BLOCK + ORDER_BLOCK - 1);
        table_whole(table, one->next);
        put_order(table, one->order);
        put_order(table, order);
        table_flag(table, !memcmp(order, one->order, sizeof order));
    }
}

/* ---- figure 7 ---- */

static void put_paper_gain(size_t program, struct table *table)
{
    static const struct {
        double base, fails, miss, ipc;
    } said[BYPASS_PAPER_PROGRAMS] = {[BYPASS_2D] = {0.3589, -0.0763, 0.0067, 0.0216},
                                     [BYPASS_3D] = {0.7712, -0.2140, -0.0892, 0.1979}};
    table_text(table, bypass_subjects[program].name);
    table_text(table, "the paper");
    table_percent(table, said[program].base);
    table_percent(table, NAN);
    put_change(table, said[program].fails);
    put_change(table, said[program].miss);
    put_change(table, said[program].miss);
    put_change(table, NAN);
    put_change(table, said[program].ipc);
    table_whole(table, NAN);
    table_text(table, "it does not say whether of points or of percent");
    table_text(table, "");
}

static void put_gain(const struct bypass_study *study, size_t subject, size_t change,
                     struct table *table)
{
    char base[BYPASS_SETS], design[BYPASS_SETS];
    const struct bypass_gain gain = bypass_gain_of(study, subject, change);
    const struct bypass_result *result = bypass_pair_at(study, subject, change, BYPASS_DESIGN);
    const size_t program = bypass_program_of(study, subject);
    table_text(table, study->names[subject]->name);
    table_text(table, bypass_changes[change].name);
    table_percent(table, gain.base.misses);
    table_percent(table, gain.base.joined);
    put_change(table, gain.fails);
    put_change(table, gain.misses_points);
    put_change(table, gain.misses_ratio);
    put_change(table, gain.joined_ratio);
    put_change(table, gain.ipc);
    table_whole(table, result ? result->metrics.l1d_bypass_pcs : NAN);
    table_text(table, bypass_changes[change].why);
    bypass_pair_sets(change, BYPASS_BASE, program, base);
    bypass_pair_sets(change, BYPASS_DESIGN, program, design);
    table_printf(table, "%s -> %s", *base ? base : "none", design);
}

static void fill_stalls(const struct bypass_study *study, struct table *table)
{
    for (size_t i = 0; i < study->subjects; i++) {
        if (!bypass_of_paper(study, i))
            continue;
        put_paper_gain(bypass_program_of(study, i), table);
        for (size_t change = 0; change < study->changes; change++)
            put_gain(study, i, change, table);
    }
}

/* ---- all policies ---- */

static void put_run(const struct bypass_result *result, const char *program, const char *order,
                    const char *policy, const char *remark, struct table *table)
{
    const struct metrics *metrics = &result->metrics;
    const bool ran = !result->status;
    char area[QUANTITY_TEXT] = "-", ipc[QUANTITY_TEXT];
    table_text(table, program);
    table_text(table, order);
    table_text(table, policy);
    quantity_print_short(ran ? metrics->core_ipc : NAN, UNIT_NONE, 4, ipc);
    table_number(table, ran ? metrics->core_ipc : NAN, ipc);
    table_whole(table, ran ? metrics->l1d_misses : NAN);
    table_whole(table, ran ? metrics->l1d_bypass_accesses : NAN);
    table_whole(table, ran ? metrics->l1d_fails : NAN);
    table_whole(table, ran ? metrics->l1d_fail_line : NAN);
    table_whole(table, ran ? metrics->l1d_fail_mshr_entry : NAN);
    table_whole(table, ran ? metrics->l1d_fail_mshr_merge : NAN);
    table_whole(table, ran ? metrics->l1d_fail_miss_queue : NAN);
    table_whole(table, ran ? metrics->l1d_bypass_bits : NAN);
    if (ran && !isnan(metrics->l1d_bypass_area))
        quantity_print_short(metrics->l1d_bypass_area, UNIT_AREA, 3, area);
    table_number(table, ran ? metrics->l1d_bypass_area : NAN, area);
    table_text(table, result->why ? result->why : remark);
}

/* The best set of loads, whatever finds it. */
static void put_best(const struct bypass_study *study, size_t subject, struct table *table)
{
    uint64_t loads = 0;
    const struct bypass_result *best = bypass_best_set(study, subject, &loads);
    char remark[96];
    if (!best)
        return;
    snprintf(remark, sizeof remark, "the best of all %" PRIu64 " sets of loads: 0x%" PRIx64,
             study->bounds[subject].sets, loads);
    put_run(best, study->names[subject]->name, bypass_schedulers[0], "best list", remark, table);
}

/* Belady's optimum with bypass counts misses, in the order of the functional depth. */
static void put_optimum(const struct bypass_study *study, size_t subject, struct table *table)
{
    const struct bypass_result *optimum = &study->bounds[subject].optimum;
    struct bypass_result counts = {.status = optimum->status, .why = optimum->why};
    for (size_t i = 0; i < METRIC_COUNT; i++)
        metric_set(&metric_table[i], &counts.metrics, NAN);
    counts.metrics.l1d_misses =
        round(optimum->metrics.l1d_opt_bypass_miss_rate * optimum->metrics.l1d_accesses);
    put_run(&counts, study->names[subject]->name, "functional", "optimum",
            "Belady's with bypass: no cache of this size misses less in this order", table);
}

static void fill_policies(const struct bypass_study *study, struct table *table)
{
    const struct choice *policies = parameter_find("l1d.bypass.policy")->choices;
    for (size_t i = 0; i < study->subjects; i++) {
        for (size_t scheduler = 0; scheduler < BYPASS_SCHEDULERS_TRIED; scheduler++)
            for (size_t policy = 0; policy < study->policies; policy++)
                put_run(bypass_policy_at(study, i, scheduler, policy), study->names[i]->name,
                        bypass_schedulers[scheduler], policies[policy].name, "", table);
        put_best(study, i, table);
        put_optimum(study, i, table);
    }
}

/* ---- the report ---- */

static const struct {
    const char *title;
    void (*fill)(const struct bypass_study *study, struct table *table);
    const char *headers[16];
} layouts[BYPASS_TABLES] = {
    [BYPASS_SIZE] = {"Figure 2. Miss rate of the L1D in %: of accesses that miss, and of those "
                     "that miss or join a line in flight",
                     fill_sizes,
                     {"program", ">size", ">paper", ">lrr", ">or join|lrr.joined", ">gto",
                      ">or join|gto.joined", NULL}},
    [BYPASS_PCS] = {"Figures 3, 8 and 9. Miss rate of each load in %, lrr: with 16 KiB, the mean "
                    "of its executions and what a mean of 50 is off, with 512 KiB, and with the "
                    "design",
                    fill_pcs,
                    {"program", ">load", "paper's pc|paper.pc", "pc", ">16KiB|small", ">mean|mean",
                     ">50 off|error", ">512KiB|large", ">design", ">change", "paper", NULL}},
    [BYPASS_VERDICTS] = {"Section 4.2.2. Verdicts: lines evicted and their hits, summed over L1Ds "
                         "and launches; how many of these bypass, and from which cycle on",
                         fill_verdicts,
                         {"program", ">load", "paper's pc|paper.pc", "paper", "order", ">lines",
                          ">hits", "in sum|sum", ">bypass|passing", ">of|missing", ">since", NULL}},
    [BYPASS_READINGS] = {"Verdicts under each reading of what the paper leaves open: the loads "
                         "that bypass in sum and in most L1Ds, how many of the loads have the "
                         "paper's verdict in sum, and how miss rates change in points",
                         fill_readings,
                         {"program", "row", "in sum|sum", "most L1Ds|most", ">as the paper|agree",
                          "signs", "what it asks|why", NULL}},
    [BYPASS_WARPS] = {"Figure 4. The order of 12 warps of which one block of four has priority",
                      fill_orders,
                      {"priority", ">next", "paper", "ours", "equal", NULL}},
    [BYPASS_STALLS] = {"Figure 7, and experiments: the design against the base. Base rates and "
                       "changes in %, changes of the miss rate in points and relative",
                       fill_stalls,
                       {"program", "row", ">base", ">or join|base.joined", ">fails",
                        ">miss, points|miss.points", ">miss, relative|miss.relative",
                        ">or join|joined.relative", ">IPC|ipc", ">loads", "what it asks|why",
                        "settings: base -> design|settings", NULL}},
    [BYPASS_ALL] = {"Every bypass policy with its parameters as they come, and bounds",
                    fill_policies,
                    {"program", "order", "policy", ">IPC|ipc", ">misses", ">bypassed|past",
                     ">fails", ">line", ">mshr_entry", ">mshr_merge", ">miss_queue", ">bits",
                     ">area", "remark", NULL}},
};

enum status bypass_report_table(const struct bypass_study *study, enum bypass_table which,
                                enum table_format format, FILE *out)
{
    if (which == BYPASS_NUMBERS) {
        struct paper_numbers numbers = {0};
        bypass_numbers(study, &numbers);
        return paper_numbers_table(&numbers, format, out);
    }
    struct table *table = table_create(layouts[which].headers);
    if (!table)
        return STATUS_MEMORY;
    layouts[which].fill(study, table);
    return table_finish(table, format, out);
}

/* Which workload a program is in the tables, so that its rows can be run one by one. */
static void print_workloads(const struct bypass_study *study, FILE *out)
{
    for (size_t i = 0; i < study->subjects; i++)
        for (int slice = BYPASS_SLICE; slice <= BYPASS_SMALL; slice++) {
            const bool policies = slice == BYPASS_SMALL;
            if (!policies && !bypass_of_paper(study, i))
                continue;
            char *text = bypass_workload(
                study->names[i], study->full ? BYPASS_FULL : (enum bypass_slice)slice, BYPASS_PTX);
            fprintf(out, "note: %s%s is -w %s\n", study->names[i]->name,
                    policies ? " of the table of policies" : "", text ? text : "?");
            free(text);
        }
}

static void print_notes(const struct bypass_study *study, FILE *out)
{
    fputs("\nnote: the paper's figures are lost; our numbers are what this command ran, never "
          "fitted to its text\n"
          "note: a row can be run alone: warpscape run bypass-gtx480 --depth timing -w WORKLOAD "
          "--set SETTING ..., with --by-pc for its loads\n",
          out);
    print_workloads(study, out);
    fputs(study->full ? "note: the suites' own sizes\n"
                      : "note: slices of the programs; --full takes the suites' own sizes\n",
          out);
}

enum status bypass_report_print(const struct bypass_study *study, FILE *out)
{
    struct paper_numbers numbers = {0};
    bypass_numbers(study, &numbers);
    paper_numbers_print(&numbers, out);
    enum status status = STATUS_OK;
    for (int which = BYPASS_NUMBERS + 1; which < BYPASS_TABLES && !status; which++) {
        fprintf(out, "\n%s\n", layouts[which].title);
        status = bypass_report_table(study, (enum bypass_table)which, TABLE_TEXT, out);
    }
    if (!status)
        print_notes(study, out);
    return !status && ferror(out) ? STATUS_IO : status;
}
