#include "report/experiments/experiment_report.h"

#include <stdlib.h>
#include <string.h>

#include "report/experiments/experiment_sheet.h"

struct experiment_report {
    const struct experiment *experiment;
    const struct experiment_runs *runs;
    struct experiment_terms *terms;
    struct experiment_claims *claims; /* NULL: not asked for */
    bool ranks;                       /* the one table is that of the readings */
    struct experiment_sheet *sheets;
    size_t sheet_count;
};

static bool has_ranks(const struct experiment *experiment)
{
    for (size_t i = 0; i < experiment->claim_count; i++)
        if (experiment->claims[i].readings && experiment->claims[i].number)
            return experiment->reading_count > 0;
    return false;
}

const char *experiment_table_name(const struct experiment *experiment, size_t n)
{
    const size_t own = has_ranks(experiment) ? 2 : 1;
    if (n < own)
        return n ? "readings" : "numbers";
    return n - own < experiment->table_count ? experiment->tables[n - own].name : NULL;
}

/* ---- reading ---- */

/* Whether the table is one of the claims', or which of the file's it is. */
static enum status choose(const struct experiment *experiment, const char *table, bool *claims,
                          size_t *chosen, struct diagnostics *diagnostics)
{
    enum { OWN_TABLES = 2, NAMES_MAX = EXPERIMENT_TABLES_MAX + OWN_TABLES };
    const char *names[NAMES_MAX];
    const size_t own = has_ranks(experiment) ? 2 : 1;
    size_t count = 0, found = 0;
    while (count < NAMES_MAX && (names[count] = experiment_table_name(experiment, count)))
        count++;
    while (found < count && strcmp(table, names[found]) != 0)
        found++;
    *claims = found < own;
    *chosen = found - own;
    if (found < count)
        return STATUS_OK;
    char hint[SUGGESTION_TEXT];
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "%s has no table '%s'%s",
                             document_name(experiment->document), table,
                             suggestion(nearest_name(table, names, count), hint));
}

enum status experiment_report_create(const struct experiment *experiment,
                                     const struct experiment_runs *runs,
                                     struct experiment_terms *terms, const char *table,
                                     struct experiment_report **result,
                                     struct diagnostics *diagnostics)
{
    struct experiment_report *report = calloc(1, sizeof *report);
    bool claims = true;
    size_t chosen = SIZE_MAX;
    *result = NULL;
    if (!report)
        return STATUS_MEMORY;
    report->experiment = experiment;
    report->runs = runs;
    report->terms = terms;
    enum status status =
        table ? choose(experiment, table, &claims, &chosen, diagnostics) : STATUS_OK;
    report->ranks = table && !strcmp(table, "readings");
    report->sheets =
        calloc(experiment->table_count + experiment->figure_count + 1, sizeof *report->sheets);
    if (!status && !report->sheets)
        status = STATUS_MEMORY;
    if (status) {
        experiment_report_free(report);
        return status;
    }
    if (claims)
        status = experiment_claims_create(terms, experiment, &report->claims, diagnostics);
    for (size_t i = 0; i < experiment->table_count; i++)
        if (!table || chosen == i)
            report->sheets[report->sheet_count++].table = &experiment->tables[i];
    for (size_t i = 0; i < experiment->figure_count && !table; i++)
        report->sheets[report->sheet_count++].figure = &experiment->figures[i];
    for (size_t i = 0; i < report->sheet_count && status != STATUS_MEMORY; i++) {
        report->sheets[i].terms = terms;
        const enum status read = experiment_sheet_read(&report->sheets[i], diagnostics);
        status = status ? status : read;
    }
    if (!status && report->claims)
        experiment_claims_ask(report->claims);
    for (size_t i = 0; i < report->sheet_count && !status; i++)
        experiment_sheet_ask(&report->sheets[i]);
    if (status)
        experiment_report_free(report);
    else
        *result = report;
    return status;
}

void experiment_report_free(struct experiment_report *report)
{
    if (!report)
        return;
    experiment_claims_free(report->claims);
    for (size_t i = 0; i < report->sheet_count; i++)
        experiment_sheet_free(&report->sheets[i]);
    free(report->sheets);
    free(report);
}

static enum status print_sheet(const struct experiment_sheet *sheet, enum table_format format,
                               FILE *out, struct diagnostics *diagnostics)
{
    struct table *table;
    const enum status status = experiment_sheet_table(sheet, &table, diagnostics);
    return status ? status : table_finish(table, format, out);
}

/* ---- claims ---- */

static const char *text_of(const struct node *node)
{
    return node ? node_text(node) : "";
}

static enum status print_claims_table(const struct experiment_report *report,
                                      enum table_format format, FILE *out)
{
    static const char *const headers[] = {"what",    "paper",  "mark", "ours",
                                          "verdict", "remark", NULL};
    const struct experiment_result *results;
    const size_t count = experiment_results(report->claims, &results);
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    for (size_t i = 0; i < count; i++) {
        table_text(table, results[i].what);
        table_text(table, node_text(results[i].claim->paper));
        table_text(table, text_of(results[i].claim->mark));
        table_text(table, results[i].ours);
        table_text(table, experiment_verdict_names[results[i].verdict]);
        table_text(table, text_of(results[i].claim->remark));
    }
    return table_finish(table, format, out);
}

static enum status print_ranks(const struct experiment_report *report, enum table_format format,
                               FILE *out)
{
    static const char *const headers[] = {"reading", ">distance", ">numbers", "what it asks|why",
                                          NULL};
    const struct experiment_rank *ranks;
    const size_t count = experiment_ranks(report->claims, &ranks);
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const struct experiment_reading *reading = &report->experiment->readings[ranks[i].reading];
        table_text(table, reading->label);
        table_decimal(table, ranks[i].distance, 2);
        table_whole(table, (double)ranks[i].numbers);
        table_text(table, text_of(reading->why));
    }
    return table_finish(table, format, out);
}

static void print_counts(const struct experiment_report *report, FILE *out)
{
    const struct experiment_result *results;
    const size_t count = experiment_results(report->claims, &results);
    size_t found[EXPERIMENT_VERDICTS] = {0};
    for (size_t i = 0; i < count; i++)
        found[results[i].verdict]++;
    fprintf(out, "%zu claims of the paper:", count);
    for (size_t i = 0; i < EXPERIMENT_VERDICTS; i++)
        fprintf(out, "%s %zu %s", i ? "," : "", found[i], experiment_verdict_names[i]);
    fprintf(out, "\n(%s)\n", experiment_rule);
}

static void print_claims(const struct experiment_report *report, FILE *out)
{
    const struct experiment_result *results;
    const size_t count = experiment_results(report->claims, &results);
    fputs("\nThe paper's text beside ours\n", out);
    for (size_t i = 0; i < count; i++) {
        const struct experiment_result *result = &results[i];
        fprintf(out, "\n%2zu. %s%s%s%s\n    paper   %s\n    ours    %s\n    %s\n", i + 1,
                result->what, result->claim->mark ? " (" : "", text_of(result->claim->mark),
                result->claim->mark ? ")" : "", node_text(result->claim->paper), result->ours,
                experiment_verdict_names[result->verdict]);
        if (result->claim->remark)
            fprintf(out, "    remark  %s\n", node_text(result->claim->remark));
    }
}

/* ---- the report ---- */

static bool has_sizes(const struct experiment *experiment)
{
    for (size_t i = 0; i < experiment->subject_count; i++)
        if (node_find(experiment->subjects[i].fields, "full"))
            return true;
    return false;
}

static void print_notes(const struct experiment_report *report, FILE *out)
{
    const struct experiment *experiment = report->experiment;
    fputc('\n', out);
    for (size_t i = 0; i < experiment_list_count(experiment->notes); i++)
        fprintf(out, "note: %s\n", node_text(experiment_list_at(experiment->notes, i)));
    if (has_sizes(experiment))
        fputs(report->runs->full ? "note: full sizes\n"
                                 : "note: small sizes; --full takes larger ones\n",
              out);
    for (size_t p = 0; p < report->runs->program_count; p++)
        for (size_t v = 0; v < experiment->variant_count; v++) {
            const struct experiment_run *run =
                experiment_run_at(report->runs, report->runs->programs[p], v);
            if (!run->why)
                continue;
            fprintf(out, "note: no number for %s, %s: %s\n",
                    experiment->subjects[report->runs->subjects[report->runs->programs[p]]].name,
                    experiment->variants[v].label, run->why);
            break;
        }
}

enum status experiment_report_table(struct experiment_report *report, enum table_format format,
                                    FILE *out, struct diagnostics *diagnostics)
{
    if (!report->claims)
        return print_sheet(&report->sheets[0], format, out, diagnostics);
    const enum status status = experiment_claims_judge(report->claims, diagnostics);
    if (status)
        return status;
    return report->ranks ? print_ranks(report, format, out)
                         : print_claims_table(report, format, out);
}

enum status experiment_report_print(struct experiment_report *report, enum glyphs glyphs, FILE *out,
                                    struct diagnostics *diagnostics)
{
    const struct experiment_rank *ranks;
    enum status status = experiment_claims_judge(report->claims, diagnostics);
    if (status)
        return status;
    print_counts(report, out);
    if (experiment_ranks(report->claims, &ranks)) {
        fputs("\nReadings of the paper, by their distance from all of its numbers in tolerances "
              "(root of the mean square)\n",
              out);
        status = print_ranks(report, TABLE_TEXT, out);
    }
    print_claims(report, out);
    for (size_t i = 0; i < report->sheet_count && !status; i++) {
        const struct experiment_sheet *sheet = &report->sheets[i];
        fprintf(out, "\n%s\n",
                node_text(sheet->table ? sheet->table->title : sheet->figure->title));
        status = sheet->table ? print_sheet(sheet, TABLE_TEXT, out, diagnostics)
                              : experiment_sheet_bars(sheet, glyphs, out, diagnostics);
    }
    if (!status)
        print_notes(report, out);
    return !status && ferror(out) ? STATUS_IO : status;
}
