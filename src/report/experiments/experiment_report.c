#include "report/experiments/experiment_report.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
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
static enum status choose_parts(const struct experiment *experiment, const char *table,
                                bool *claims, size_t *chosen, struct diagnostics *diagnostics)
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
        table ? choose_parts(experiment, table, &claims, &chosen, diagnostics) : STATUS_OK;
    report->ranks = table && !strcmp(table, "readings");
    if (!status && report->ranks && experiment_is_part(runs))
        status = diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                   "readings are ranked by the numbers of all programs; leave out "
                                   "--workload");
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

static const char *title_of(const struct experiment_sheet *sheet)
{
    return node_text(sheet->table ? sheet->table->title : sheet->figure->title);
}

/* A part of a whole report under its title, in text if there is `out`, else on a page. A table
 * without rows, as of loads of programs that were not asked for, is left out. */
static enum status put_sheet(const struct experiment_sheet *sheet, enum glyphs glyphs,
                             struct page *page, FILE *out, struct diagnostics *diagnostics)
{
    struct table *table = NULL;
    const enum status status =
        sheet->table ? experiment_sheet_table(sheet, &table, diagnostics) : STATUS_OK;
    if (status)
        return status;
    if (table && !table_rows(table)) {
        table_free(table);
        return STATUS_OK;
    }
    if (out) {
        fprintf(out, "\n%s\n", title_of(sheet));
        return table ? table_finish(table, TABLE_TEXT, out)
                     : experiment_sheet_bars(sheet, glyphs, out, diagnostics);
    }
    page_heading(page, 2, title_of(sheet));
    if (!table)
        return experiment_sheet_charts(sheet, page, diagnostics);
    page_table(page, table);
    return STATUS_OK;
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

/* NULL: no memory. */
static struct table *claims_table(const struct experiment_report *report)
{
    static const char *const headers[] = {"what",    "paper",  "mark", "ours",
                                          "verdict", "remark", NULL};
    const struct experiment_result *results;
    const size_t count = experiment_results(report->claims, &results);
    struct table *table = table_create(headers);
    for (size_t i = 0; table && i < count; i++) {
        table_text(table, results[i].what);
        table_text(table, node_text(results[i].claim->paper));
        table_text(table, text_of(results[i].claim->mark));
        table_text(table, results[i].ours);
        table_text(table, experiment_verdict_names[results[i].verdict]);
        table_text(table, text_of(results[i].claim->remark));
    }
    return table;
}

static struct table *ranks_table(const struct experiment_report *report)
{
    static const char *const headers[] = {"reading", ">distance", ">numbers", "what it asks|why",
                                          NULL};
    const struct experiment_rank *ranks;
    const size_t count = experiment_ranks(report->claims, &ranks);
    struct table *table = table_create(headers);
    for (size_t i = 0; table && i < count; i++) {
        const struct experiment_reading *reading = &report->experiment->readings[ranks[i].reading];
        table_text(table, reading->label);
        table_decimal(table, ranks[i].distance, 2);
        table_whole(table, (double)ranks[i].numbers);
        table_text(table, text_of(reading->why));
    }
    return table;
}

static enum status print_made(struct table *table, enum table_format format, FILE *out)
{
    return table ? table_finish(table, format, out) : STATUS_MEMORY;
}

static const char ranks_title[] =
    "Readings of the paper, by their distance from all of its numbers in tolerances (root of the "
    "mean square)";
static const char claims_title[] = "The paper's text beside ours";

static void print_claims(const struct experiment_report *report, FILE *out)
{
    const struct experiment_result *results;
    const size_t count = experiment_results(report->claims, &results);
    fprintf(out, "\n%s\n", claims_title);
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

/* A note to a page, or else to `out`. */
__attribute__((format(printf, 3, 4))) static void put_note(struct page *page, FILE *out,
                                                           const char *format, ...)
{
    char text[2 * EXPERIMENT_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (page)
        page_paragraph(page, "Note: %s.", text);
    else
        fprintf(out, "note: %s\n", text);
}

static void put_notes(const struct experiment_report *report, struct page *page, FILE *out)
{
    const struct experiment *experiment = report->experiment;
    const struct experiment_runs *runs = report->runs;
    for (size_t i = 0; i < experiment_list_count(experiment->notes); i++)
        put_note(page, out, "%s", node_text(experiment_list_at(experiment->notes, i)));
    if (has_sizes(experiment))
        put_note(page, out, runs->full ? "full sizes" : "small sizes; --full takes larger ones");
    for (size_t p = 0; p < runs->program_count; p++)
        for (size_t v = 0; v < experiment->variant_count; v++) {
            const struct experiment_run *run = experiment_run_at(runs, runs->programs[p], v);
            if (!run->why)
                continue;
            put_note(page, out, "no number for %s, %s: %s",
                     experiment->subjects[runs->subjects[runs->programs[p]]].name,
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
    return print_made(report->ranks ? ranks_table(report) : claims_table(report), format, out);
}

/* "16 claims of the paper: 8 agree, 1 holds for most, ..." */
enum { COUNTS_TEXT = EXPERIMENT_TEXT + COUNT_TEXT + 20 };
static void say_counts(const struct experiment_report *report, char text[COUNTS_TEXT])
{
    const struct experiment_result *results;
    char claims[COUNT_TEXT], verdicts[EXPERIMENT_TEXT];
    experiment_counts_print(report->claims, verdicts);
    snprintf(text, COUNTS_TEXT, "%s of the paper: %s",
             counted_print(experiment_results(report->claims, &results), "claim", claims),
             verdicts);
}

/* Of a run of some programs alone: what that leaves without a verdict; "" of a whole one. */
static void say_part(const struct experiment_report *report, char text[EXPERIMENT_TEXT])
{
    const struct experiment *experiment = report->experiment;
    size_t all = 0;
    text[0] = '\0';
    for (size_t i = 0; i < experiment->subject_count; i++)
        all += experiment->subjects[i].program == i;
    if (experiment_is_part(report->runs))
        snprintf(text, EXPERIMENT_TEXT,
                 "Only %zu of %zu programs ran: what the paper says of all of them or of others, "
                 "means too, cannot be compared%s",
                 report->runs->program_count, all,
                 has_ranks(experiment) ? ", and readings are not ranked" : "");
}

/* Judges the claims: what a report begins with, and whether there are readings to rank. */
static enum status judge_report(struct experiment_report *report, char counts[COUNTS_TEXT],
                                bool *ranked, struct diagnostics *diagnostics)
{
    const struct experiment_rank *ranks;
    const enum status status = experiment_claims_judge(report->claims, diagnostics);
    if (status)
        return status;
    say_counts(report, counts);
    *ranked = experiment_ranks(report->claims, &ranks) > 0;
    return STATUS_OK;
}

enum status experiment_report_print(struct experiment_report *report, enum glyphs glyphs, FILE *out,
                                    struct diagnostics *diagnostics)
{
    char counts[COUNTS_TEXT], part[EXPERIMENT_TEXT];
    bool ranked;
    enum status status = judge_report(report, counts, &ranked, diagnostics);
    if (status)
        return status;
    say_part(report, part);
    fprintf(out, "%s%s%s\n(%s)\n", part, *part ? ".\n" : "", counts, experiment_rule);
    if (ranked) {
        fprintf(out, "\n%s\n", ranks_title);
        status = print_made(ranks_table(report), TABLE_TEXT, out);
    }
    print_claims(report, out);
    for (size_t i = 0; i < report->sheet_count && !status; i++)
        status = put_sheet(&report->sheets[i], glyphs, NULL, out, diagnostics);
    if (!status) {
        fputc('\n', out);
        put_notes(report, NULL, out);
    }
    return !status && ferror(out) ? STATUS_IO : status;
}

static enum status fill_page(struct experiment_report *report, struct page *page,
                             struct diagnostics *diagnostics)
{
    char counts[COUNTS_TEXT], part[EXPERIMENT_TEXT];
    bool ranked;
    enum status status = judge_report(report, counts, &ranked, diagnostics);
    if (status)
        return status;
    say_part(report, part);
    if (*part)
        page_paragraph(page, "%s.", part);
    page_paragraph(page, "%s.", counts);
    page_paragraph(page, "%c%s.", toupper((unsigned char)*experiment_rule), experiment_rule + 1);
    if (ranked) {
        page_heading(page, 2, ranks_title);
        page_table(page, ranks_table(report));
    }
    page_heading(page, 2, claims_title);
    page_table(page, claims_table(report));
    for (size_t i = 0; i < report->sheet_count && !status; i++)
        status = put_sheet(&report->sheets[i], GLYPHS_BLOCK, page, NULL, diagnostics);
    put_notes(report, page, NULL);
    return status;
}

enum status experiment_report_page(struct experiment_report *report, enum page_format format,
                                   FILE *out, struct diagnostics *diagnostics)
{
    struct page page;
    page_begin(&page, format, node_text(report->experiment->paper), out);
    const enum status filled = fill_page(report, &page, diagnostics);
    const enum status ended = page_end(&page);
    return filled ? filled : ended;
}
