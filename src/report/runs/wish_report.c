#include "report/runs/wish_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/text_stream.h"
#include "report/drawing/number.h"

enum { WISH_COLUMNS = 80 };

/* ---- sentences ---- */

static const char *quantity(const struct wish_result *result, size_t column, double value,
                            char text[QUANTITY_TEXT])
{
    return isnan(value) ? strcpy(text, "-")
                        : quantity_print_short(value, result->columns[column]->unit, 4, text);
}

/* The columns of a row as "core.ipc 8.3, total.area 3.2 mm2"; malloc'ed, NULL: no memory. */
static char *wish_values_print(const struct wish_result *result, const double *values)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    char text[QUANTITY_TEXT];
    if (!out)
        return NULL;
    for (size_t c = 0; c < result->column_count; c++)
        fprintf(out, "%s%s %s", c ? ", " : "", result->columns[c]->path,
                quantity(result, c, values[c], text));
    return text_stream_take(&stream);
}

char *wish_space_print(const struct wish_result *result)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    char text[COUNT_TEXT];
    if (!out)
        return NULL;
    fprintf(out, "%s", counted_print(result->study.axis_count, "axis", text));
    if (result->chosen)
        fprintf(out, ", the levers that matter by %s,", counted_print(result->chosen, "run", text));
    fprintf(out, " span%s %" PRIu64 " %s, %" PRIu64 " of them legal",
            result->study.axis_count == 1 ? "s" : "", result->machines,
            result->machines == 1 ? "machine" : "machines", result->legal);
    if (result->study.workload_count > 1)
        fprintf(out, ", on %zu workloads: conditions hold on each, values are geometric means",
                result->study.workload_count);
    return text_stream_take(&stream);
}

char *wish_reach_print(const struct wish_result *result)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    char low[QUANTITY_TEXT], high[QUANTITY_TEXT];
    if (!out)
        return NULL;
    fputs("None of the machines tried satisfies that: they have ", out);
    for (size_t c = 0; c < result->column_count; c++)
        fprintf(out, "%s%s %s to %s", c ? ", " : "", result->columns[c]->path,
                quantity(result, c, result->least[c], low),
                quantity(result, c, result->most[c], high));
    fputc('.', out);
    return text_stream_take(&stream);
}

static void base_values(const struct wish_result *result, double *values)
{
    for (size_t c = 0; c < result->column_count; c++)
        values[c] = metric_get(result->columns[c], &result->base);
}

/* ---- for people ---- */

/* Prints a sentence whose middle was made for it; false: there was no memory for it. */
static bool say(const char *before, char *text, const char *after, bool markdown, FILE *out)
{
    char *line = NULL;
    const bool whole = text && asprintf(&line, "%s%s%s", before, text, after) >= 0;
    if (whole)
        table_wrap(line, 0, markdown ? SIZE_MAX : WISH_COLUMNS, out);
    fputs(markdown ? "\n" : "", out);
    free(text);
    free(whole ? line : NULL);
    return whole;
}

static bool print_head(const struct wish_report *report, bool markdown, FILE *out)
{
    const struct wish_result *result = report->result;
    const char *verdict =
        result->base_satisfies ? ": it satisfies that." : ": it does not satisfy that.";
    double base[METRIC_COUNT];
    base_values(result, base);
    fprintf(out, "%s%s on %s, depth %s\n%s", markdown ? "# " : "", report->workload,
            report->machine_name, depth_name(result->study.depth), markdown ? "\n" : "");
    const bool wanted = say("Wanted: ", strdup(report->wish), ".", markdown, out);
    const bool own =
        say("The machine itself: ", wish_values_print(result, base), verdict, markdown, out);
    return say("Looked at: ", wish_space_print(result), ".", markdown, out) && own && wanted;
}

static void print_axes(const struct wish_result *result, FILE *out)
{
    for (size_t a = 0; a < result->study.axis_count; a++) {
        const struct axis *axis = &result->study.axes[a];
        char text[VALUE_TEXT];
        fprintf(out, "  %s", axis->parameter->path);
        for (size_t i = 0; i < axis->count; i++)
            fprintf(out, " %s", parameter_print(axis->parameter, axis->values[i], text));
        fputc('\n', out);
    }
}

/* The answer, and the command that repeats it. */
static bool print_answer(const struct wish_report *report, bool markdown, FILE *out)
{
    const struct wish_result *result = report->result;
    const struct wish_row *best = result->rows;
    fputc('\n', out);
    if (!result->row_count)
        return say("", wish_reach_print(result), "", markdown, out);
    const bool values =
        say("Best: ", wish_values_print(result, result->values + best->values), "", markdown, out);
    char *set = wish_settings(result, best->machine, "-s ");
    if (set)
        fprintf(out, "%s%s%s%s\n", markdown ? "    " : "  ", report->command, *set ? " " : "", set);
    free(set);
    return values && set;
}

static bool print_counts(const struct wish_report *report, bool markdown, FILE *out)
{
    const struct wish_result *result = report->result;
    const struct simulated *counts = &result->counts;
    char text[COUNT_TEXT], ran[COUNT_TEXT], kept[COUNT_TEXT], proved[COUNT_TEXT];
    fputs(markdown && !result->row_count ? "" : "\n", out);
    const bool whole = say("", wish_proof_print(result), "", markdown, out);
    if (!report->complete)
        fputs("Stopped early: the same command goes on where this one ended.\n", out);
    fprintf(out, "%s: %s simulated, %s remembered, %s proved equal to another.\n",
            counted_print(counts->ran + counts->kept + counts->proved, "run", text),
            count_print(counts->ran, ran), count_print(counts->kept, kept),
            count_print(counts->proved, proved));
    if (counts->stuck)
        fprintf(out, "%s of them never ended: run such a machine for the reason.\n",
                count_print(counts->stuck, text));
    return whole;
}

static const char *const proof_names[] = {
    [WISH_UNPROVED] = "none", [WISH_ALL_BETTER] = "all better", [WISH_ALL] = "all"};

static struct table *open_table(const struct wish_result *result, bool programs)
{
    const char **headers = calloc(result->column_count + 3, sizeof *headers);
    char(*names)[64] = calloc(result->column_count + 1, sizeof *names);
    struct table *table = NULL;
    if (headers && names) {
        for (size_t c = 0; c < result->column_count; c++) {
            snprintf(names[c], sizeof names[c], ">%s", result->columns[c]->path);
            headers[c] = names[c];
        }
        headers[result->column_count] = "set";
        headers[result->column_count + 1] = programs ? "proof" : NULL;
        table = table_create(headers);
    }
    free(headers);
    free(names);
    return table;
}

/* The machines that satisfy the wish, best first. */
static enum status print_rows(const struct wish_report *report, enum table_format format, FILE *out)
{
    const struct wish_result *result = report->result;
    const bool programs = format == TABLE_CSV || format == TABLE_JSON;
    struct table *table = open_table(result, programs);
    const uint64_t limit = report->limit ? report->limit : UINT64_MAX;
    enum status status = table ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; i < result->row_count && i < limit && !status; i++) {
        const double *values = result->values + result->rows[i].values;
        char *set = wish_settings(result, result->rows[i].machine, ""), text[QUANTITY_TEXT];
        for (size_t c = 0; c < result->column_count; c++)
            table_number(table, values[c], quantity(result, c, values[c], text));
        table_text(table, set && *set ? set : programs ? "" : "the machine itself");
        if (programs)
            table_text(table, proof_names[result->proof]);
        status = set ? STATUS_OK : STATUS_MEMORY;
        free(set);
    }
    if (table)
        table_fit(table, format == TABLE_TEXT ? WISH_COLUMNS : 0);
    if (!status)
        status = table_print(table, format, out);
    table_free(table);
    return status;
}

static enum status print_text(const struct wish_report *report, bool markdown, FILE *out)
{
    const struct wish_result *result = report->result;
    bool whole = print_head(report, markdown, out);
    fputs(markdown ? "```\n" : "", out);
    print_axes(result, out);
    fputs(markdown ? "```\n" : "", out);
    whole = print_answer(report, markdown, out) && whole;
    fputs(result->row_count ? "\n" : "", out);
    enum status status = result->row_count
                             ? print_rows(report, markdown ? TABLE_MARKDOWN : TABLE_TEXT, out)
                             : STATUS_OK;
    if (result->row_count > report->limit && report->limit)
        fprintf(out, "Not shown: %zu more that satisfy it.\n",
                result->row_count - (size_t)report->limit);
    whole = print_counts(report, markdown, out) && whole;
    return whole ? status : STATUS_MEMORY;
}

/* ---- for programs ---- */

static json_t *values_json(const struct wish_result *result, const double *values)
{
    json_t *object = json_object();
    for (size_t c = 0; c < result->column_count; c++)
        if (json_object_set_new(object, result->columns[c]->path, number_json(values[c]))) {
            json_decref(object);
            return NULL;
        }
    return object;
}

static json_t *settings_json(const struct wish_result *result, uint64_t machine)
{
    const struct study *study = &result->study;
    json_t *object = json_object();
    for (size_t a = 0; a < study->axis_count; a++) {
        const struct axis *axis = &study->axes[a];
        const struct value value = axis->values[space_digit(&result->space, machine, a)];
        if (json_object_set_new(object, axis->parameter->path,
                                parameter_json(axis->parameter, value))) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

static json_t *axes_json(const struct wish_result *result)
{
    json_t *object = json_object();
    for (size_t a = 0; a < result->study.axis_count; a++) {
        const struct axis *axis = &result->study.axes[a];
        json_t *values = json_array();
        for (size_t i = 0; i < axis->count; i++)
            if (json_array_append_new(values, parameter_json(axis->parameter, axis->values[i])) &&
                values) {
                json_decref(values);
                values = NULL;
            }
        if (json_object_set_new(object, axis->parameter->path, values)) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

static json_t *rows_json(const struct wish_report *report)
{
    const struct wish_result *result = report->result;
    const uint64_t limit = report->limit ? report->limit : UINT64_MAX;
    json_t *array = json_array();
    for (size_t i = 0; i < result->row_count && i < limit && array; i++) {
        const struct wish_row *row = &result->rows[i];
        if (json_array_append_new(array,
                                  json_pack("{s:o, s:o}", "values",
                                            values_json(result, result->values + row->values),
                                            "settings", settings_json(result, row->machine)))) {
            json_decref(array);
            array = NULL;
        }
    }
    return array;
}

static enum status print_json(const struct wish_report *report, FILE *out)
{
    const struct wish_result *result = report->result;
    double base[METRIC_COUNT];
    base_values(result, base);
    json_t *object = json_pack(
        "{s:s, s:o, s:o, s:s, s:s, s:s, s:o, s:b, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:s, "
        "s:o, s:b, s:o}",
        "command", report->command, "machine", text_json(report->machine_name), "workload",
        text_json(report->workload), "depth", depth_name(result->study.depth), "wanted",
        report->wish, "goal", result->columns[0]->path, "base", values_json(result, base),
        "base_satisfies", (int)result->base_satisfies, "axes", axes_json(result), "machines",
        (json_int_t)result->machines, "legal", (json_int_t)result->legal, "tried",
        (json_int_t)result->tried, "choosing", (json_int_t)result->chosen, "simulated",
        (json_int_t)result->counts.ran, "remembered", (json_int_t)result->counts.kept, "proved",
        (json_int_t)result->counts.proved, "proof", proof_names[result->proof], "bound",
        number_json(result->bound), "complete", (int)report->complete, "found", rows_json(report));
    if (!object)
        return STATUS_MEMORY;
    const bool failed =
        json_dumpf(object, out, JSON_INDENT(2) | JSON_ENSURE_ASCII) || fputc('\n', out) == EOF;
    json_decref(object);
    return failed ? STATUS_IO : STATUS_OK;
}

enum status wish_report_print(const struct wish_report *report, enum table_format format, FILE *out)
{
    return format == TABLE_JSON  ? print_json(report, out)
           : format == TABLE_CSV ? print_rows(report, format, out)
                                 : print_text(report, format == TABLE_MARKDOWN, out);
}
