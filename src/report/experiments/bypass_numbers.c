#include "report/experiments/bypass_numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/experiments/bypass_figures.h"

/* A rate or a change agrees if it is this near to the paper's, in points or percent. */
#define NEAR 2.0

static bool near(double ours, double paper)
{
    return fabs(100 * ours - paper) <= NEAR;
}

/* The changes that rows compare, by name. */
static size_t change_called(const char *name)
{
    size_t change = 0;
    while (bypass_changes[change].name && strcmp(bypass_changes[change].name, name) != 0)
        change++;
    return change;
}

static struct bypass_gain gain_of(const struct bypass_study *study, size_t subject,
                                  const char *name)
{
    return bypass_gain_of(study, subject, change_called(name));
}

/* ---- figure 2 ---- */

static void add_size(const struct bypass_study *study, size_t subject, size_t size,
                     const char *what, const char *paper, double value,
                     struct paper_numbers *numbers)
{
    struct paper_number *number = paper_numbers_add(numbers, what, paper, MARK_TEXT);
    const struct bypass_rates lrr =
        bypass_rates_of(bypass_size_at(study, subject, BYPASS_LRR, size));
    const struct bypass_rates gto =
        bypass_rates_of(bypass_size_at(study, subject, BYPASS_GTO, size));
    if (isnan(lrr.misses))
        return;
    paper_number_say(number, near(lrr.misses, value) || near(lrr.joined, value),
                     "lrr %.2f %%, %.2f %% with those that join a line in flight; gto %.2f and "
                     "%.2f %%",
                     100 * lrr.misses, 100 * lrr.joined, 100 * gto.misses, 100 * gto.joined);
}

static void add_sizes(const struct bypass_study *study, size_t subject,
                      struct paper_numbers *numbers)
{
    const bool volume = bypass_program_of(study, subject) == BYPASS_3D;
    if (!volume) {
        add_size(study, subject, 0, "2D, miss rate with 16 KiB", "35.89 %", 35.89, numbers);
        numbers->items[numbers->count - 1].remark =
            "rows of 16 KiB fall into the same sets of the linear index: rows `hashed sets` and "
            "`hashed, four blocks` of -t stalls have the base with the index of later releases";
        return;
    }
    add_size(study, subject, 0, "3D, miss rate with 16 KiB", "77.12 %", 77.12, numbers);
    numbers->items[numbers->count - 1].remark =
        "the paper lies between both readings; with four blocks per SM instead of six both are "
        "lower (-t stalls, row `four blocks per SM`)";
    add_size(study, subject, BYPASS_SIZES - 1, "3D, miss rate with 512 KiB", "37.99 %", 37.99,
             numbers);
    numbers->items[numbers->count - 1].remark =
        "the first plane of the slice is cold, which more planes dilute (--full)";
}

/* ---- figure 3 ---- */

static void add_figure_3(const struct bypass_study *study, size_t subject,
                         struct paper_numbers *numbers)
{
    static const unsigned named[] = {4, 6, 5}; /* 0x1e8, 0x218, 0x200 */
    struct paper_number *number = paper_numbers_add(
        numbers, "3D, loads whose miss rate falls with the size",
        "0x1e8, 0x200, 0x218 (loads 4, 5, 6) and others fall notably", MARK_CLAIM);
    double fall[3];
    size_t holds = 0;
    for (size_t i = 0; i < 3; i++) {
        const double small =
            bypass_load_misses(bypass_size_at(study, subject, BYPASS_LRR, 0), named[i]);
        const double large = bypass_load_misses(
            bypass_size_at(study, subject, BYPASS_LRR, BYPASS_SIZES - 1), named[i]);
        fall[i] = 100 * (small - large);
        holds += fall[i] > 10;
    }
    if (isnan(fall[0]))
        return;
    paper_number_say(number, holds == 3, "16 KiB less 512 KiB: load 4 %.1f, 5 %.1f, 6 %.1f points",
                     fall[0], fall[2], fall[1]);
}

/* ---- figure 7 ---- */

/* Appends the changes of a figure in other rows: "; one table -23.90; ...". */
static void say_rows(const struct bypass_study *study, size_t subject, const char *const *rows,
                     double (*figure)(const struct bypass_gain *gain), char text[PAPER_TEXT])
{
    size_t used = 0;
    *text = '\0';
    for (; *rows && used < PAPER_TEXT; rows++) {
        const struct bypass_gain gain = gain_of(study, subject, *rows);
        used += (size_t)snprintf(text + used, PAPER_TEXT - used, "; %s %+.2f", *rows,
                                 100 * figure(&gain));
    }
}

static double fails_of(const struct bypass_gain *gain)
{
    return gain->fails;
}

static double ipc_of(const struct bypass_gain *gain)
{
    return gain->ipc;
}

static const char rows_by_name[] = "rows of -t stalls, by name";

static void add_stalls(const struct bypass_study *study, size_t subject, double paper,
                       const char *what, const char *said, struct paper_numbers *numbers)
{
    static const char *const rows[] = {"one table",     "its loads and 0x168", "64 MSHRs",
                                       "one scheduler", "hashed sets",         NULL};
    struct paper_number *number = paper_numbers_add(numbers, what, said, MARK_TEXT);
    const struct bypass_gain gain = bypass_gain_of(study, subject, BYPASS_PAPER);
    char text[PAPER_TEXT];
    if (isnan(gain.fails))
        return;
    say_rows(study, subject, rows, fails_of, text);
    paper_number_say(number, near(gain.fails, paper), "%+.2f %%%s", 100 * gain.fails, text);
    number->remark = rows_by_name;
}

static void add_misses(const struct bypass_study *study, size_t subject, double paper,
                       const char *what, const char *said, struct paper_numbers *numbers)
{
    struct paper_number *number = paper_numbers_add(numbers, what, said, MARK_TEXT);
    const struct bypass_gain gain = bypass_gain_of(study, subject, BYPASS_PAPER);
    if (isnan(gain.misses_ratio))
        return;
    const struct bypass_gain one = gain_of(study, subject, "one scheduler");
    const bool same = near(gain.misses_ratio, paper) || near(gain.misses_points, paper);
    paper_number_say(number, same,
                     "%+.2f points, %+.2f %%; with joins %+.2f points, %+.2f %%; one scheduler an "
                     "SM %+.2f points, %+.2f %%",
                     100 * gain.misses_points, 100 * gain.misses_ratio, 100 * gain.joined_points,
                     100 * gain.joined_ratio, 100 * one.misses_points, 100 * one.misses_ratio);
    number->remark = "the paper does not say whether it means points or percent";
}

static void add_ipc(const struct bypass_study *study, size_t subject, double paper,
                    const char *what, const char *said, struct paper_numbers *numbers)
{
    static const char *const rows[] = {"one table",
                                       "a packet per cycle",
                                       "gto, then the design",
                                       "one scheduler",
                                       "hashed sets",
                                       "its loads, hashed, four",
                                       NULL};
    struct paper_number *number = paper_numbers_add(numbers, what, said, MARK_TEXT);
    const struct bypass_gain gain = bypass_gain_of(study, subject, BYPASS_PAPER);
    char text[PAPER_TEXT];
    if (isnan(gain.ipc))
        return;
    say_rows(study, subject, rows, ipc_of, text);
    paper_number_say(number, near(gain.ipc, paper), "%+.2f %%%s", 100 * gain.ipc, text);
    number->remark = rows_by_name;
}

/* ---- figures 8 and 9 ---- */

static void add_signs(const struct bypass_study *study, size_t subject, const char *what,
                      const char *said, struct paper_numbers *numbers)
{
    struct paper_number *number = paper_numbers_add(numbers, what, said, MARK_TEXT);
    char text[PAPER_TEXT] = "", listed[PAPER_TEXT] = "", four[PAPER_TEXT] = "";
    size_t holds = 0, also = 0;
    const size_t count = bypass_signs_text(study, subject, BYPASS_PAPER, &holds, text, PAPER_TEXT);
    if (!count)
        return;
    bypass_signs_text(study, subject, change_called("the paper's loads"), &also, listed,
                      PAPER_TEXT);
    bypass_signs_text(study, subject, change_called("four blocks per SM"), &also, four, PAPER_TEXT);
    paper_number_say(number, false, "%s points; with the paper's loads %s; four blocks %s", text,
                     listed, four);
    number->remark = "each row of -t readings has its own";
    paper_number_judge(number, holds, count);
}

/* ---- verdicts ---- */

static void add_verdicts(const struct bypass_study *study, size_t subject, const char *what,
                         const char *said, struct paper_numbers *numbers)
{
    static const char *const orders[BYPASS_FIRST_PAIRS] = {
        [BYPASS_PAPER] = "tb_priority", [BYPASS_LRR_PAIR] = "lrr", [BYPASS_GTO_PAIR] = "gto"};
    struct paper_number *number = paper_numbers_add(numbers, what, said, MARK_TEXT);
    char text[PAPER_TEXT] = "", sum[64], most[64];
    size_t used = 0, holds = 0, differ = 0;
    for (size_t change = 0; change < BYPASS_FIRST_PAIRS; change++) {
        if (!bypass_pair_at(study, subject, change, BYPASS_DESIGN))
            return;
        used += (size_t)snprintf(
            text + used, sizeof text - used, "%s%s %s (most L1Ds %s)", used ? "; " : "",
            orders[change],
            bypass_loads_text(study, subject, change, bypass_in_sum, sum, sizeof sum),
            bypass_loads_text(study, subject, change, bypass_by_most, most, sizeof most));
    }
    bypass_compare_loads(study, subject, BYPASS_PAPER, bypass_in_sum, &holds, &differ);
    paper_number_say(number, !differ && holds, "in sum: %s", text);
    if (differ && holds)
        number->verdict = VERDICT_MOSTLY;
    number->remark = "in sum: of the lines and hits of all L1Ds and launches; each L1D decides by "
                     "its own (-t verdicts); -t readings has them under each reading";
}

static void add_program(const struct bypass_study *study, size_t subject,
                        struct paper_numbers *numbers)
{
    add_sizes(study, subject, numbers);
    if (bypass_program_of(study, subject) == BYPASS_3D) {
        add_figure_3(study, subject, numbers);
        add_stalls(study, subject, -21.40, "3D, fails under the design", "-21.40 %", numbers);
        add_misses(study, subject, -8.92, "3D, miss rate under the design", "-8.92 %", numbers);
        add_ipc(study, subject, 19.79, "3D, IPC under the design", "+19.79 %", numbers);
        add_signs(study, subject, "3D, misses of loads", "0x1d0 and 0x248 fall", numbers);
        add_verdicts(study, subject, "3D, loads that bypass", "1, 5, 10, 11", numbers);
        return;
    }
    add_stalls(study, subject, -7.63, "2D, fails under the design", "-7.63 %", numbers);
    add_misses(study, subject, 0.67, "2D, miss rate under the design", "+0.67 %", numbers);
    add_ipc(study, subject, 2.16, "2D, IPC under the design", "+2.16 %", numbers);
    add_signs(study, subject, "2D, misses of loads", "0x108 falls, 0x138 and 0x168 rise", numbers);
    add_verdicts(study, subject, "2D, loads that bypass", "9", numbers);
}

void bypass_numbers(const struct bypass_study *study, struct paper_numbers *numbers)
{
    for (size_t i = 0; i < study->subjects; i++)
        if (bypass_of_paper(study, i))
            add_program(study, i, numbers);
}
