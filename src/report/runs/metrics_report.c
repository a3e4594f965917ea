#include "report/runs/metrics_report.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "report/drawing/number.h"
#include "report/runs/cycle_stack.h"
#include "schema/exactness.h"

enum { DIGITS = 4, BAR_COLUMNS = 78 };

/* In a sampled run every number is an estimate, except those that follow from the parameters alone.
 */
static bool is_exact(const struct metrics_report *report, const struct metric *metric)
{
    return metric_exact_at(metric, report->depth) &&
           (!report->error || metric->stage == STAGE_AREA);
}

static bool has_value(const struct metrics_report *report, size_t index)
{
    return !isnan(metric_get(&metric_table[index], report->metrics));
}

/* Whether the text report shows a row. Metrics that are 0 on most machines appear only if a value
 * is not 0. */
static bool is_shown(const struct metrics_report *report, size_t index)
{
    const struct metric *metric = &metric_table[index];
    bool zero = metric_get(metric, report->metrics) == 0 &&
                (!report->baseline || metric_get(metric, report->baseline) == 0);
    return has_value(report, index) && !(metric->traits & METRIC_SPARSE && zero);
}

/* The length of the group name: the first word of the path. */
static size_t group_length(const struct metric *metric)
{
    return strcspn(metric->path, ".");
}

static bool same_group(const struct metric *a, const struct metric *b)
{
    const size_t length = group_length(a);
    return !strncmp(a->path, b->path, length) && b->path[length] == '.';
}

/* Prints how far a value is from the baseline (in points for ratios, else in percent), and whether
 * that is better or worse. Of cycles by an assumed clock nobody can tell. */
static void print_difference(const struct metric *metric, enum depth depth, double value,
                             double baseline, char text[64])
{
    double change = value - baseline;
    if (isnan(change)) {
        snprintf(text, 64, "-");
        return;
    }
    if (change == 0) {
        snprintf(text, 64, "=");
        return;
    }
    bool better = (change < 0) == (metric->direction == LOWER_IS_BETTER);
    const char *verdict = metric->direction == NO_DIRECTION     ? ""
                          : metric_assumes_clock(metric, depth) ? ", by the issue clock"
                          : better                              ? " better"
                                                                : " worse";
    if (metric->unit == UNIT_PERCENT)
        snprintf(text, 64, "%+.2f points%s", change * 100, verdict);
    else if (baseline != 0)
        snprintf(text, 64, "%+.2f%%%s", change / fabs(baseline) * 100, verdict);
    else
        snprintf(text, 64, "from 0%s", verdict);
}

/* The share of what the baseline accesses. */
static void print_saved(double saved, double baseline, char text[64])
{
    if (saved == 0)
        snprintf(text, 64, "=");
    else if (baseline > 0)
        snprintf(text, 64, saved > 0 ? "%.2f%% of the baseline's" : "%.2f%% more than the baseline",
                 fabs(saved) / baseline * 100);
    else
        snprintf(text, 64, "-");
}

/* The columns of the text report. Error and baseline have one only if they are present. */
static struct table *create_table(const struct metrics_report *report)
{
    const char *headers[7] = {"metric", ">value"};
    size_t count = 2;
    if (report->error)
        headers[count++] = ">error";
    headers[count++] = "";
    headers[count++] = "source";
    if (report->baseline)
        headers[count++] = ">baseline";
    if (report->baseline)
        headers[count++] = "difference";
    const char *ended[8] = {NULL};
    memcpy(ended, headers, count * sizeof *headers);
    return table_create(ended);
}

static void metrics_add_row(struct table *table, const struct metrics_report *report,
                            const struct metric *metric, const char *name)
{
    char text[64];
    double value = metric_get(metric, report->metrics);
    table_text(table, name);
    table_text(table, quantity_print_short(value, metric->unit, DIGITS, text));
    if (report->error) {
        double error = metric_get(metric, report->error);
        bool shown = !isnan(error) && !is_exact(report, metric) && metric_exact(metric);
        table_text(table, shown ? quantity_print_short(error, metric->unit, DIGITS, text) : "");
    }
    table_text(table, is_exact(report, metric) ? "exact" : "estimate");
    table_text(table, metric_source(metric, report->depth));
    if (!report->baseline)
        return;
    const struct metric *own = metric_compares(metric);
    double baseline = metric_get(metric, report->baseline);
    table_text(table, own ? "" : quantity_print_short(baseline, metric->unit, DIGITS, text));
    if (own)
        print_saved(value, metric_get(own, report->baseline), text);
    else
        print_difference(metric, report->depth, value, baseline, text);
    table_text(table, text);
}

static void add_group(struct table *table, const struct metrics_report *report,
                      const struct metric *metric)
{
    size_t others = 3 + (report->error != NULL) + (report->baseline ? 2 : 0);
    table_printf(table, "%.*s", (int)group_length(metric), metric->path);
    while (others--)
        table_text(table, "");
}

/* True for the first metric of its group. The rows of a group need not be neighbours in the metric
 * table. */
static bool opens_group(size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (same_group(&metric_table[i], &metric_table[index]))
            return false;
    return true;
}

/* Whether the test holds for any metric of the group that `first` opens. */
static bool group_has(const struct metrics_report *report, size_t first,
                      bool (*test)(const struct metrics_report *report, size_t index))
{
    for (size_t i = first; i < METRIC_COUNT; i++)
        if (same_group(&metric_table[first], &metric_table[i]) && test(report, i))
            return true;
    return false;
}

/* A metric that this depth does not compute is not missing. */
static bool is_missing(const struct metrics_report *report, size_t index)
{
    return !has_value(report, index) && !(metric_table[index].traits & METRIC_SPARSE) &&
           (metric_answered(&metric_table[index], report->depth) ||
            metric_table[index].depths & AT_FUNCTIONAL);
}

/* One line that names the metrics without a value; a whole group is named once. */
static void print_missing(const struct metrics_report *report, FILE *out)
{
    bool idle = report->metrics->stream_memory_instructions == 0;
    const char *separator =
        idle ? "without a value, as nothing accesses memory: " : "not simulated: ";
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        if (!opens_group(i) || !group_has(report, i, is_missing))
            continue;
        const struct metric *group = &metric_table[i];
        if (!group_has(report, i, has_value)) {
            fprintf(out, "%s%.*s", separator, (int)group_length(group), group->path);
            separator = ", ";
            continue;
        }
        for (size_t j = i; j < METRIC_COUNT; j++)
            if (same_group(group, &metric_table[j]) && is_missing(report, j)) {
                fprintf(out, "%s%s", separator, metric_table[j].path);
                separator = ", ";
            }
    }
    if (separator[0] == ',')
        putc('\n', out);
}

static void add_rows(struct table *table, const struct metrics_report *report, bool markdown)
{
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        if (!opens_group(i) || !group_has(report, i, is_shown))
            continue;
        if (!markdown)
            add_group(table, report, &metric_table[i]);
        for (size_t j = i; j < METRIC_COUNT; j++) {
            const struct metric *metric = &metric_table[j];
            if (!same_group(&metric_table[i], metric) || !is_shown(report, j))
                continue;
            char name[64];
            snprintf(name, sizeof name, "  %s", metric->path + group_length(metric) + 1);
            metrics_add_row(table, report, metric, markdown ? metric->path : name);
        }
    }
}

struct table *metrics_report_table(const struct metrics_report *report)
{
    struct table *table = create_table(report);
    if (table)
        add_rows(table, report, true);
    return table;
}

/* At depths that count cycles, what they were for. Markdown keeps the characters of code in line.
 */
static enum status print_cycles(const struct metrics_report *report, bool markdown, FILE *out)
{
    if (isnan(report->metrics->core_slots_issued))
        return STATUS_OK;
    fputs(markdown ? "```\n" : "", out);
    const enum status status = cycle_stack_print(report->metrics, BAR_COLUMNS, report->glyphs, out);
    fputs(markdown ? "```\n\n" : "\n", out);
    return status;
}

static enum status print_for_people(const struct metrics_report *report, bool markdown, FILE *out)
{
    struct table *table = create_table(report);
    if (!table)
        return STATUS_MEMORY;
    add_rows(table, report, markdown);
    const char *end_of_line = markdown ? "  \n" : "\n"; /* two blanks break a line in Markdown */
    fprintf(out, "machine:  %s%s", report->machine_name, end_of_line);
    fprintf(out, "workload: %s%s", report->workload, end_of_line);
    if (report->workload_origin)
        fprintf(out, "origin:   %s\n", report->workload_origin);
    putc('\n', out);
    enum status status = table_print(table, markdown ? TABLE_MARKDOWN : TABLE_TEXT, out);
    table_free(table);
    putc('\n', out);
    if (!status)
        status = print_cycles(report, markdown, out);
    print_missing(report, out);
    for (size_t i = 0; i < report->note_count; i++)
        fprintf(out, "%snote: %s\n", markdown ? "\n" : "", report->notes[i]);
    return status;
}

/* The error for programs: NaN if the run was not sampled. */
static double sampling_error(const struct metrics_report *report, const struct metric *metric)
{
    return report->error ? metric_get(metric, report->error) : NAN;
}

/* The depth of a metric, and the ideals of the run: "timing ideal l1d.hits+dram.latency". */
static void add_source(struct table *table, const struct metrics_report *report,
                       const struct metric *metric)
{
    char names[IDEAL_TEXT], text[IDEAL_TEXT + 32];
    const char *source = metric_source(metric, report->depth);
    if (ideal_none(report->ideals) || metric->stage & STAGE_AREA) {
        table_text(table, source);
        return;
    }
    ideal_print(report->ideals, names);
    for (char *at = names; (at = strchr(at, ',')) != NULL;)
        *at = '+';
    snprintf(text, sizeof text, "%s ideal %s", source, names);
    table_text(table, text);
}

static enum status print_csv(const struct metrics_report *report, FILE *out)
{
    static const char *const headers[] = {"metric", "value", "unit",     "exact",
                                          "depth",  "error", "baseline", NULL};
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        if (!has_value(report, i))
            continue;
        table_text(table, metric->path);
        table_number(table, metric_get(metric, report->metrics), NULL);
        table_text(table, unit_name(metric->unit));
        table_text(table, is_exact(report, metric) ? "true" : "false"); /* only in CSV */
        add_source(table, report, metric);
        table_number(table, sampling_error(report, metric), NULL);
        table_number(table, report->baseline ? metric_get(metric, report->baseline) : NAN, NULL);
    }
    return table_finish(table, TABLE_CSV, out);
}

static json_t *metric_json(const struct metrics_report *report, const struct metric *metric)
{
    double baseline = report->baseline ? metric_get(metric, report->baseline) : NAN;
    return json_pack(
        "{s:o, s:s, s:b, s:s, s:o, s:o}", "value", number_json(metric_get(metric, report->metrics)),
        "unit", unit_name(metric->unit), "exact", (int)is_exact(report, metric), "depth",
        metric_source(metric, report->depth), "error", number_json(sampling_error(report, metric)),
        "baseline", number_json(baseline));
}

static json_t *metrics_json(const struct metrics_report *report)
{
    json_t *object = json_object();
    for (size_t i = 0; object && i < METRIC_COUNT; i++) {
        const struct metric *metric = &metric_table[i];
        if (json_object_set_new(object, metric->path, metric_json(report, metric))) {
            json_decref(object);
            object = NULL;
        }
    }
    return object;
}

static json_t *machine_json(const struct metrics_report *report)
{
    json_t *object = json_object();
    bool failed =
        !object || json_object_set_new(object, "name", text_json(report->machine_name)) != 0;
    for (size_t i = 0; !failed && i < parameter_count; i++) {
        struct value value = parameter_get(&parameters[i], report->machine);
        failed = json_object_set_new(object, parameters[i].path,
                                     parameter_json(&parameters[i], value)) != 0;
    }
    if (failed)
        json_decref(object);
    return failed ? NULL : object;
}

static json_t *workload_json(const struct metrics_report *report)
{
    json_t *object = json_object();
    const char *const fields[][2] = {{"name", report->workload},
                                     {"origin", report->workload_origin},
                                     {"digest", report->workload_digest}};
    for (size_t i = 0; object && i < sizeof fields / sizeof *fields; i++)
        if (fields[i][1] && json_object_set_new(object, fields[i][0], text_json(fields[i][1]))) {
            json_decref(object);
            object = NULL;
        }
    return object;
}

static json_t *notes_json(const struct metrics_report *report)
{
    json_t *array = json_array();
    for (size_t i = 0; array && i < report->note_count; i++)
        if (json_array_append_new(array, text_json(report->notes[i]))) {
            json_decref(array);
            array = NULL;
        }
    return array;
}

static json_t *ideals_json(const struct metrics_report *report)
{
    json_t *array = json_array();
    for (int i = 0; array && i < IDEAL_COUNT; i++)
        if (ideal_has(report->ideals, (enum ideal)i) &&
            json_array_append_new(array, json_string(ideal_table[i].name))) {
            json_decref(array);
            array = NULL;
        }
    return array;
}

static enum status print_json(const struct metrics_report *report, FILE *out)
{
    json_t *tool = json_pack("{s:s, s:s}", "name", "warpscape", "version", WARPSCAPE_VERSION);
    /* "o" takes over the references, also if json_pack fails. A NULL argument makes it fail. */
    json_t *all = json_pack("{s:o, s:o, s:o, s:o, s:o}", "metrics", metrics_json(report), "machine",
                            machine_json(report), "workload", workload_json(report), "notes",
                            notes_json(report), "tool", tool);
    if (all && !ideal_none(report->ideals) &&
        json_object_set_new(all, "ideals", ideals_json(report))) {
        json_decref(all);
        all = NULL;
    }
    return json_print(all, out);
}

enum status metrics_report_print(const struct metrics_report *report, enum table_format format,
                                 FILE *out)
{
    enum status status = format == TABLE_JSON ? print_json(report, out)
                         : format == TABLE_CSV
                             ? print_csv(report, out)
                             : print_for_people(report, format == TABLE_MARKDOWN, out);
    if (!status && (fflush(out) || ferror(out)))
        return STATUS_IO;
    return status;
}
