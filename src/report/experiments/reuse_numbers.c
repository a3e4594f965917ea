#include "report/experiments/reuse_numbers.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report/experiments/reuse_figures.h"

/* What we take "few", "little" and "sensitive" to mean, in points of the miss rate. */
#define POINTS_FEW       1.0
#define POINTS_LITTLE    2.0
#define POINTS_SENSITIVE 10.0

struct numbers {
    const struct reuse_report *report;
    struct paper_numbers *rows;
};

static bool is_found(const struct finding *finding, uint64_t value)
{
    return finding->kind == FOUND && finding->value == value;
}

static void add_organization(struct numbers *numbers)
{
    const struct probe *small = numbers->report->small, *large = numbers->report->large;
    struct paper_number *number =
        paper_numbers_add(numbers->rows, "16 KB L1D, by mb1",
                          "32 sets (5 index bits) of 4 ways: 4 misses", MARK_TEXT);
    paper_number_say(number,
                     is_found(&small->ways, 4) && is_found(&small->sets, 32) &&
                         probe_index_is(small, INDEX_FERMI),
                     "%" PRIu64 " sets of %" PRIu64 " ways: %" PRIu64 " misses", small->sets.value,
                     small->ways.value, small->ways.value);
    number->remark =
        "the mapping was a figure; ours is that of the authors' program, and mb1 finds "
        "it again (warpscape probe)";
    number = paper_numbers_add(numbers->rows, "48 KB L1D, by mb1", "6 index bits", MARK_TEXT);
    paper_number_say(number,
                     is_found(&large->ways, 6) && is_found(&large->sets, 64) &&
                         probe_index_is(large, INDEX_FERMI),
                     "%" PRIu64 " sets of %" PRIu64 " ways: %" PRIu64 " misses", large->sets.value,
                     large->ways.value, large->ways.value);
    number = paper_numbers_add(numbers->rows, "MSHRs, by mb2", "6 for one warp, 64 for the SM",
                               MARK_TEXT);
    paper_number_say(number,
                     is_found(&small->mshr_per_warp, 6) && is_found(&small->mshr_per_sm, 64),
                     "%" PRIu64 " for one warp, %" PRIu64 " for the SM", small->mshr_per_warp.value,
                     small->mshr_per_sm.value);
    number->remark = "both are configured (l1d.mshr); mb2 shows that they can be seen in time";
}

/* The miss rate of two passes over 2^counts loads, 2^7 bytes apart: the first pass always misses.
 */
static double stride_rate(const struct probe *probe, unsigned counts)
{
    double loads = ldexp(1, (int)counts);
    return 100 * (loads + (double)probe->stride_misses[0][counts]) / (2 * loads);
}

static void add_stride(struct numbers *numbers)
{
    const struct probe *small = numbers->report->small;
    struct paper_number *number =
        paper_numbers_add(numbers->rows, "two loops of 4, 128, 256 loads, stride 2^7",
                          "50 %, 50 %, 100 %", MARK_TEXT);
    double rates[] = {stride_rate(small, 2), stride_rate(small, 7), stride_rate(small, 8)};
    paper_number_say(number, rates[0] == 50 && rates[1] == 50 && rates[2] == 100,
                     "%.0f %%, %.0f %%, %.0f %%", rates[0], rates[1], rates[2]);
}

static size_t base_setting(int mode, const char *value)
{
    return reuse_setting_find(REUSE_BASE, mode, NULL, value);
}

static const struct metrics *base_metrics(const struct numbers *numbers, size_t subject,
                                          const char *value)
{
    return &reuse_study_at(numbers->report->study, subject, base_setting(REUSE_TEXTBOOK, value))
                ->metrics;
}

/* The misses of one class, in points of the miss rate. */
static double class_points(double misses, const struct metrics *metrics)
{
    return 100 * misses / metrics->l1d_accesses;
}

static void add_classes(struct numbers *numbers)
{
    const struct reuse_study *study = numbers->report->study;
    size_t both = 0, same = 0, count = 0, few = 0, mshr_few = 0;
    double most = 0, mshr_most = 0;
    for (size_t i = 0; i < study->subjects; i++) {
        const struct metrics *small = base_metrics(numbers, i, "16KiB");
        const struct metrics *large = base_metrics(numbers, i, "48KiB");
        if (isnan(figure_rate(study, i, base_setting(REUSE_TEXTBOOK, "16KiB"))))
            continue;
        count++;
        if (!isnan(figure_rate(study, i, base_setting(REUSE_TEXTBOOK, "48KiB")))) {
            both++;
            same += small->l1d_miss_compulsory == large->l1d_miss_compulsory;
        }
        double associativity = class_points(small->l1d_miss_associativity, small);
        double mshr = class_points(small->l1d_miss_mshr, small);
        few += associativity <= POINTS_FEW;
        mshr_few += mshr <= POINTS_FEW;
        most = associativity > most ? associativity : most;
        mshr_most = mshr > mshr_most ? mshr : mshr_most;
    }
    struct paper_number *number =
        paper_numbers_add(numbers->rows, "compulsory misses",
                          "do not depend on the cache; at most those of the hardware", MARK_CLAIM);
    paper_number_say(number, true,
                     "the same with 16 and 48 KB for %zu of %zu workloads; no hardware here", same,
                     both);
    paper_number_judge(number, same, both);
    number = paper_numbers_add(numbers->rows, "associativity misses, 16 KB",
                               "most kernels have none", MARK_CLAIM);
    paper_number_say(number, 2 * few > count,
                     "%zu of %zu workloads have at most %g point of miss rate; the most is %.1f",
                     few, count, POINTS_FEW, most);
    number =
        paper_numbers_add(numbers->rows, "misses through too few MSHRs, 16 KB", "none", MARK_CLAIM);
    paper_number_say(number, true,
                     "%zu of %zu workloads have at most %g point of miss rate; the most is %.1f",
                     mshr_few, count, POINTS_FEW, mshr_most);
    paper_number_judge(number, mshr_few, count);
    number->remark =
        "those that have some load up to 32 lines at once, five times what one warp may have "
        "in flight; the authors' program refuses nothing but the first lane of a warp";
}

static size_t setting(enum reuse_experiment experiment, int mode, const char *value)
{
    return reuse_setting_find(experiment, mode, NULL, value);
}

static void add_latency(struct numbers *numbers)
{
    const struct reuse_study *study = numbers->report->study;
    struct figure_change change =
        figure_change(study, setting(REUSE_LATENCY, REUSE_TEXTBOOK, "100"),
                      setting(REUSE_LATENCY, REUSE_TEXTBOOK, "0"), POINTS_SENSITIVE);
    struct paper_number *number = paper_numbers_add(
        numbers->rows, "memory latency", "the model is extremely sensitive to it", MARK_CLAIM);
    paper_number_say(
        number, true,
        "0 instead of 100 slots moves the miss rate by more than %g points for %zu of %zu "
        "workloads; "
        "by %.1f on average, by %.1f for %s",
        POINTS_SENSITIVE, change.large, change.count, change.mean_absolute, change.most,
        study->names[change.most_subject]->name);
    paper_number_judge(number, change.large, change.count);
}

/* The difference of the largest and the smallest miss rate of a workload within an experiment. */
static double range_of(const struct reuse_study *study, size_t subject,
                       enum reuse_experiment experiment)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < study->settings; i++) {
        double rate = figure_rate(study, subject, i);
        if (reuse_settings[i].experiment != experiment || isnan(rate))
            continue;
        least = rate < least ? rate : least;
        most = rate > most ? rate : most;
    }
    return most - least;
}

static void add_ways(struct numbers *numbers)
{
    const struct reuse_study *study = numbers->report->study;
    size_t four = setting(REUSE_WAYS, REUSE_TEXTBOOK, "4"), little = 0;
    size_t two = setting(REUSE_WAYS, REUSE_TEXTBOOK, "2");
    size_t sixteen = setting(REUSE_WAYS, REUSE_TEXTBOOK, "16");
    for (size_t i = 0; i < study->subjects; i++) {
        double rate = figure_rate(study, i, four);
        little += fabs(figure_rate(study, i, two) - rate) <= POINTS_LITTLE &&
                  fabs(figure_rate(study, i, sixteen) - rate) <= POINTS_LITTLE;
    }
    struct paper_number *number =
        paper_numbers_add(numbers->rows, "associativity", "has little influence", MARK_CLAIM);
    paper_number_say(
        number, true,
        "2 or 16 ways instead of 4 move the miss rate by at most %g points for %zu of %zu "
        "workloads; "
        "by %.1f and %.1f on average",
        POINTS_LITTLE, little, study->subjects, figure_change(study, four, two, 0).mean_absolute,
        figure_change(study, four, sixteen, 0).mean_absolute);
    paper_number_judge(number, little, study->subjects);
}

/* The workload with the rank-th largest change in an experiment, counted from 0; NULL if there are
 * fewer. */
static const struct paper_subject *moved_most(const struct reuse_study *study,
                                              enum reuse_experiment experiment, size_t rank,
                                              double *range)
{
    for (size_t i = 0; i < study->subjects; i++) {
        size_t before = 0;
        *range = range_of(study, i, experiment);
        for (size_t k = 0; k < study->subjects; k++) {
            double other = range_of(study, k, experiment);
            before += other > *range || (other == *range && k < i);
        }
        if (before == rank)
            return study->names[i];
    }
    return NULL;
}

static void add_size(struct numbers *numbers)
{
    struct paper_number *number =
        paper_numbers_add(numbers->rows, "cache size", "matters most for lbm and spmv", MARK_CLAIM);
    size_t length = 0, named = 0;
    for (size_t rank = 0; rank < 5 && length < PAPER_TEXT; rank++) {
        double range;
        const struct paper_subject *subject =
            moved_most(numbers->report->study, REUSE_SIZE, rank, &range);
        if (!subject)
            break;
        length +=
            (size_t)snprintf(number->ours + length, PAPER_TEXT - length, "%s%s (%.1f points)",
                             rank ? ", " : "from 4 to 128 KiB most for ", subject->name, range);
        named += rank < 2 && (!strncmp(subject->name, "lbm", 3) || !strcmp(subject->name, "spmv"));
    }
    if (numbers->report->study->subjects > 1) /* a single workload cannot be compared with others */
        number->verdict = named == 2 ? VERDICT_AGREES : VERDICT_DIFFERS;
    number->remark = "how much a size matters is a question of the input, which the paper does not "
                     "name, and of LBM's layout (lbm, lbm-cells)";
}

static void add_line(struct numbers *numbers)
{
    const struct reuse_study *study = numbers->report->study;
    struct figure_change change = figure_change(study, setting(REUSE_LINE, REUSE_TEXTBOOK, "128B"),
                                                setting(REUSE_LINE, REUSE_TEXTBOOK, "256B"), 0);
    struct figure_change half = figure_change(study, setting(REUSE_LINE, REUSE_TEXTBOOK, "64B"),
                                              setting(REUSE_LINE, REUSE_TEXTBOOK, "128B"), 0);
    struct paper_number *number = paper_numbers_add(
        numbers->rows, "line size", "larger lines help some and hurt others", MARK_CLAIM);
    paper_number_say(
        number, change.lower + half.lower && change.higher + half.higher,
        "64 to 128 B: lower miss rate for %zu workloads, higher for %zu; 128 to 256 B: %zu and %zu",
        half.lower, half.higher, change.lower, change.higher);
}

/* Two readings of one sentence: the model that the paper describes, and what its published program
 * does. */
static void add_mshrs(struct numbers *numbers)
{
    static const struct {
        int mode;
        const char *what, *remark;
    } readings[] = {
        {REUSE_TEXTBOOK, "fewer MSHRs, a hard limit (textbook)",
         "an access to a line in flight joins it and is a miss, however few MSHRs there are; loads "
         "of many lines are stopped in the middle, and warps that share lines lose step"},
        {REUSE_PUBLISHED, "fewer MSHRs, the authors' soft limit (published)",
         "a warp whose first lane would miss is held back even where its line is on the way, and "
         "hits when it tries again: the limit throttles, and makes hits of latency misses"}};
    const struct reuse_study *study = numbers->report->study;
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
        int mode = readings[i].mode;
        struct figure_change change = figure_change(study, setting(REUSE_MSHRS, mode, "64"),
                                                    setting(REUSE_MSHRS, mode, "8"), 0);
        struct paper_number *number = paper_numbers_add(
            numbers->rows, readings[i].what, "help the locality within a thread", MARK_CLAIM);
        paper_number_say(
            number, true,
            "8 instead of 64: lower miss rate for %zu of %zu workloads, higher for %zu; %+.1f "
            "points "
            "on average",
            change.lower, change.count, change.higher, change.mean);
        paper_number_judge(number, change.lower, change.count);
        if (!change.count)
            snprintf(number->ours, PAPER_TEXT, "no workload that it can run");
        number->remark = readings[i].remark;
    }
}

static void add_unknown(struct numbers *numbers)
{
    static const char none[] = "no hardware counters or GPGPU-Sim runs here";
    static const struct {
        const char *what, *paper;
        enum number_mark mark;
    } rows[] = {
        {"mean error against the GTX 470, 16 and 48 KB", "6.4 % and 8.3 %", MARK_TEXT},
        {"the same of GPGPU-Sim 3.2.0", "18.1 % and 21.4 %", MARK_TEXT},
        {"speed against GPGPU-Sim", "268 times; cutcp 10 s against 10 h", MARK_TEXT},
        {"miss rates of each kernel (bars)", "figure lost", MARK_UNKNOWN},
        {"ablation: error without each extension (bars)", "figure lost", MARK_UNKNOWN},
        {"design space: miss rates over ways, size, line, MSHRs", "figure lost", MARK_UNKNOWN}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct paper_number *number =
            paper_numbers_add(numbers->rows, rows[i].what, rows[i].paper, rows[i].mark);
        bool lost = rows[i].mark == MARK_UNKNOWN;
        snprintf(number->ours, PAPER_TEXT, "%s", lost ? "the tables of this report" : none);
        if (lost)
            number->remark = "there is nothing left to compare with";
    }
    numbers->rows->items[numbers->rows->count - 4].remark =
        "the two statements do not fit each other either: 10 h are 3600 times 10 s";
}

void reuse_numbers(const struct reuse_report *report, struct paper_numbers *rows)
{
    struct numbers numbers = {report, rows};
    add_organization(&numbers);
    add_stride(&numbers);
    add_classes(&numbers);
    add_latency(&numbers);
    add_ways(&numbers);
    add_size(&numbers);
    add_line(&numbers);
    add_mshrs(&numbers);
    add_unknown(&numbers);
}
