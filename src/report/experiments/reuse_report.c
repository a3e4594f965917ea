#include "report/experiments/reuse_report.h"

#include <math.h>
#include <string.h>

#include "report/experiments/reuse_figures.h"
#include "report/experiments/reuse_numbers.h"

enum { COLUMNS_MAX = 17, HEADER_TEXT = 32, CHART_ROWS = 14, CHART_COLUMNS = 78, AXIS_MAX = 16 };

static const char *const experiment_names[] = {
    [REUSE_BASE] = "base",      [REUSE_ABLATION] = "ablation", [REUSE_WAYS] = "ways",
    [REUSE_SIZE] = "size",      [REUSE_LINE] = "line",         [REUSE_MSHRS] = "mshrs",
    [REUSE_LATENCY] = "latency"};

static const char *mode_name(int mode)
{
    return mode == REUSE_PUBLISHED ? "published" : "textbook";
}

static size_t base_of(int mode, const char *value)
{
    return reuse_setting_find(REUSE_BASE, mode, NULL, value);
}

/* The miss classes of the textbook mode, in points of the miss rate. */
static void fill_workloads(const struct reuse_report *report, struct table *table)
{
    const struct reuse_study *study = report->study;
    for (size_t i = 0; i < study->subjects; i++) {
        size_t small = base_of(REUSE_TEXTBOOK, "16KiB");
        const struct metrics *metrics = &reuse_study_at(study, i, small)->metrics;
        table_text(table, study->names[i]->name);
        table_text(table, reuse_study_workload(study, i));
        paper_count(table, metrics->l1d_accesses);
        paper_rate(table, figure_rate(study, i, small));
        paper_rate(table, figure_rate(study, i, base_of(REUSE_TEXTBOOK, "48KiB")));
        paper_rate(table, figure_rate(study, i, base_of(REUSE_PUBLISHED, "16KiB")));
        paper_rate(table, figure_rate(study, i, base_of(REUSE_PUBLISHED, "48KiB")));
        const double classes[] = {metrics->l1d_miss_compulsory, metrics->l1d_miss_flush,
                                  metrics->l1d_miss_capacity,   metrics->l1d_miss_associativity,
                                  metrics->l1d_miss_latency,    metrics->l1d_miss_mshr};
        for (size_t k = 0; k < sizeof classes / sizeof *classes; k++)
            paper_rate(table, 100 * classes[k] / metrics->l1d_accesses); /* refused: NaN */
    }
}

static void fill_runs(const struct reuse_report *report, struct table *table)
{
    const struct reuse_study *study = report->study;
    for (size_t s = 0; s < study->settings; s++)
        for (size_t i = 0; i < study->subjects; i++) {
            const struct reuse_setting *setting = &reuse_settings[s];
            const struct reuse_result *result = reuse_study_at(study, i, s);
            double gap = result->status ? NAN : 1;
            table_text(table, experiment_names[setting->experiment]);
            table_text(table, mode_name(setting->mode));
            table_text(table, setting->machine);
            table_text(table, setting->sets);
            table_text(table, setting->value);
            table_text(table, reuse_study_workload(study, i));
            paper_count(table, gap * result->metrics.l1d_accesses);
            paper_count(table, gap * result->metrics.l1d_misses);
            paper_rate(table, figure_rate(study, i, s));
            paper_count(table, gap * result->metrics.l1d_reuse_refused);
            paper_count(table, gap * result->metrics.l1d_reuse_ticks);
            table_text(table, result->why);
        }
}

enum status reuse_report_table(const struct reuse_report *report, enum reuse_table which,
                               enum table_format format, FILE *out)
{
    static const char *const headers[][14] = {
        [REUSE_WORKLOADS] = {"name", "workload", ">accesses", ">16 KB", ">48 KB",
                             ">16 KB published", ">48 KB published", ">compulsory", ">flush",
                             ">capacity", ">associativity", ">latency", ">mshr", NULL},
        [REUSE_RUNS] = {"experiment", "mode", "machine", "settings", "value", "workload",
                        ">accesses", ">misses", ">miss rate", ">refused", ">ticks", "remark",
                        NULL}};
    static void (*const fill[])(const struct reuse_report *, struct table *) = {
        [REUSE_WORKLOADS] = fill_workloads, [REUSE_RUNS] = fill_runs};
    if (which == REUSE_NUMBERS) {
        struct paper_numbers numbers = {0};
        reuse_numbers(report, &numbers);
        return paper_numbers_table(&numbers, format, out);
    }
    struct table *table = table_create(headers[which]);
    if (!table)
        return STATUS_MEMORY;
    fill[which](report, table);
    return table_finish(table, format, out);
}

/* The settings of one experiment in one mode, in order. */
static size_t settings_of(enum reuse_experiment experiment, int mode, size_t settings[AXIS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < reuse_setting_count() && count < AXIS_MAX; i++)
        if (reuse_settings[i].experiment == experiment && reuse_settings[i].mode == mode)
            settings[count++] = i;
    return count;
}

/* Prints miss rates: one row for each workload, one column for each setting, the mean in the last
 * row. */
static enum status print_matrix(const struct reuse_report *report, const char *title,
                                const size_t *settings, size_t count, FILE *out)
{
    const struct reuse_study *study = report->study;
    char headers[COLUMNS_MAX][HEADER_TEXT];
    const char *pointers[COLUMNS_MAX + 2] = {"workload"};
    for (size_t i = 0; i < count; i++) {
        snprintf(headers[i], HEADER_TEXT, ">%s", reuse_settings[settings[i]].value);
        pointers[i + 1] = headers[i];
    }
    pointers[count + 1] = NULL;
    struct table *table = table_create(pointers);
    if (!table)
        return STATUS_MEMORY;
    for (size_t i = 0; i < study->subjects; i++) {
        table_text(table, study->names[i]->name);
        for (size_t k = 0; k < count; k++)
            paper_rate(table, figure_rate(study, i, settings[k]));
    }
    table_text(table, "mean");
    for (size_t k = 0; k < count; k++)
        paper_rate(table, figure_mean(study, settings[k], false));
    fprintf(out, "\n%s\n", title);
    return table_finish(table, TABLE_TEXT, out);
}

/* How far each reduced model is from the full one. The errors in the paper are against hardware
 * counters instead, which we do not have. */
static void print_ablation_summary(const struct reuse_study *study, const size_t *settings,
                                   size_t count, FILE *out)
{
    for (size_t i = 1; i < count; i++) {
        struct figure_change change = figure_change(study, settings[0], settings[i], 0);
        if (!change.count)
            continue;
        fprintf(out,
                "without %-14s %5.1f points from the whole model on average, at most %.1f (%s)\n",
                reuse_settings[settings[i]].value, change.mean_absolute, change.most,
                study->names[change.most_subject]->name);
    }
}

static enum status print_ablation(const struct reuse_report *report, int mode, FILE *out)
{
    size_t settings[1 + AXIS_MAX] = {base_of(mode, "16KiB")};
    size_t count = 1 + settings_of(REUSE_ABLATION, mode, settings + 1);
    char title[200];
    snprintf(title, sizeof title,
             "Miss rate in %% with all extensions (16 KB) and without one or all of them, %s",
             mode_name(mode));
    enum status status = print_matrix(report, title, settings, count, out);
    if (!status)
        print_ablation_summary(report->study, settings, count, out);
    return status;
}

static enum status print_axis(const struct reuse_report *report, const char *what,
                              enum reuse_experiment experiment, int mode, FILE *out)
{
    size_t settings[AXIS_MAX], count = settings_of(experiment, mode, settings);
    char title[200];
    snprintf(title, sizeof title, "Miss rate in %% over %s, %s", what, mode_name(mode));
    return print_matrix(report, title, settings, count, out);
}

/* The mean miss rate over the number of MSHRs in both modes, for the sentence of the paper that can
 * be read in two ways. */
static enum status draw_mshrs(const struct reuse_report *report, FILE *out)
{
    static const int modes[] = {REUSE_TEXTBOOK, REUSE_PUBLISHED};
    double x[2][AXIS_MAX], y[2][AXIS_MAX];
    struct series series[2];
    for (size_t m = 0; m < 2; m++) {
        size_t settings[AXIS_MAX], count = settings_of(REUSE_MSHRS, modes[m], settings);
        for (size_t i = 0; i < count; i++) {
            x[m][i] = ldexp(1, (int)i);
            y[m][i] = figure_mean(report->study, settings[i], true) / 100;
        }
        series[m] = (struct series){.kind = m ? SERIES_POINTS : SERIES_LINE,
                                    .role = m ? ROLE_SERIES_2 : ROLE_SERIES_1,
                                    .x = x[m],
                                    .y = y[m],
                                    .count = count,
                                    .label = mode_name(modes[m])};
    }
    const struct chart chart = {.series = series,
                                .series_count = 2,
                                .x = {.label = "MSHRs", .logarithmic = true},
                                .y = {.unit = UNIT_PERCENT},
                                .cursor = NAN,
                                .title = "mean miss rate over MSHRs",
                                .glyphs = report->glyphs};
    fputc('\n', out);
    return chart_print(&chart, CHART_ROWS, CHART_COLUMNS, out);
}

/* The first reason why a run of this mode was refused. */
static void print_refused(const struct reuse_study *study, int mode, FILE *out)
{
    for (size_t i = 0; i < study->subjects; i++)
        for (size_t s = 0; s < study->settings; s++) {
            const struct reuse_result *result = reuse_study_at(study, i, s);
            if (!result->why || reuse_settings[s].mode != mode)
                continue;
            fprintf(out, "note: no number (-) for %s, %s: %s\n", study->names[i]->name,
                    mode_name(mode), result->why);
            break;
        }
}

static void print_notes(const struct reuse_report *report, FILE *out)
{
    fputs("\nnote: the figures and tables of the paper are lost; ours are what this command ran, "
          "never fitted to its text\n",
          out);
    fprintf(
        out,
        report->study->full
            ? "note: the suites' own sizes, dealt to the 14 SMs of the card\n"
            : "note: small inputs, all blocks on one SM as in the authors' program; --full takes "
              "the suites' sizes on 14 SMs\n");
    fputs(
        "note: ways, size and line use l1d.index xor: the Fermi hash exists for 32 and 64 sets "
        "only\n"
        "note: a larger line also makes fewer accesses; rates are misses / accesses\n"
        "note: the means of the tables have the workloads of their column, those of the chart the "
        "workloads that have all numbers\n"
        "note: a statement agrees where it holds for all workloads, or where the paper says most "
        "for most of them; it holds for most where it does for more than half\n",
        out);
    print_refused(report->study, REUSE_TEXTBOOK, out);
    print_refused(report->study, REUSE_PUBLISHED, out);
}

enum status reuse_report_print(const struct reuse_report *report, FILE *out)
{
    static const struct {
        const char *what;
        enum reuse_experiment experiment;
        int mode;
    } axes[] = {{"ways (16 KB)", REUSE_WAYS, REUSE_TEXTBOOK},
                {"size (4 ways)", REUSE_SIZE, REUSE_TEXTBOOK},
                {"line (16 KB, 4 ways)", REUSE_LINE, REUSE_TEXTBOOK},
                {"latency of a miss in slots", REUSE_LATENCY, REUSE_TEXTBOOK},
                {"MSHRs", REUSE_MSHRS, REUSE_TEXTBOOK},
                {"MSHRs", REUSE_MSHRS, REUSE_PUBLISHED}};
    struct paper_numbers numbers = {0};
    reuse_numbers(report, &numbers);
    paper_numbers_print(&numbers, out);
    fputs("\nMiss rates in %, and the classes of the misses of textbook, 16 KB, as points of it\n",
          out);
    enum status status = reuse_report_table(report, REUSE_WORKLOADS, TABLE_TEXT, out);
    if (!status)
        status = print_ablation(report, REUSE_TEXTBOOK, out);
    if (!status)
        status = print_ablation(report, REUSE_PUBLISHED, out);
    for (size_t i = 0; i < sizeof axes / sizeof *axes && !status; i++)
        status = print_axis(report, axes[i].what, axes[i].experiment, axes[i].mode, out);
    if (!status)
        status = draw_mshrs(report, out);
    if (!status)
        print_notes(report, out);
    return !status && ferror(out) ? STATUS_IO : status;
}
