#include "report/experiments/experiment_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct column {
    char *head;
    struct experiment_text *cell;
};

struct sheet { /* a table or figure that will be printed */
    const struct experiment_table *table;
    const struct experiment_figure *figure;
    struct column *columns;
    size_t column_count;
    struct expression *where;
    size_t *rows, row_count; /* variants */
    bool *roles;             /* [row_count]: rows[i] is a role */
    bool by_reading, by_subject;
};

struct experiment_report {
    const struct experiment *experiment;
    const struct experiment_runs *runs;
    struct experiment_terms *terms;
    struct experiment_claims *claims; /* NULL: not asked for */
    bool ranks;                       /* the one table is that of the readings */
    struct sheet *sheets;
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

static enum status read_row(const struct experiment_report *report, struct sheet *sheet,
                            const struct node *node, struct diagnostics *diagnostics)
{
    const struct experiment *experiment = report->experiment;
    const char *name = node_text(node);
    if (!strcmp(name, "readings")) {
        sheet->by_reading = true;
        return STATUS_OK;
    }
    for (size_t i = 0; i < experiment->role_count; i++)
        if (!strcmp(experiment->roles[i], name)) {
            sheet->roles[sheet->row_count] = true;
            sheet->rows[sheet->row_count++] = i;
            return STATUS_OK;
        }
    const size_t variant = experiment_variant_find(experiment, name, 0);
    if (variant == NO_VARIANT) {
        const struct place place = node_place(experiment->document, node);
        diagnostics_add(diagnostics, SEVERITY_ERROR, &place,
                        "rows: expected variants, roles or 'readings', got '%.40s'", name);
        return STATUS_INVALID;
    }
    sheet->rows[sheet->row_count++] = variant;
    return STATUS_OK;
}

static enum status read_columns(const struct experiment_report *report, struct sheet *sheet,
                                const struct node *columns, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    sheet->columns = calloc(node_count(columns) + 1, sizeof *sheet->columns);
    if (!sheet->columns)
        return STATUS_MEMORY;
    for (size_t i = 0; i < node_count(columns) && status != STATUS_MEMORY; i++) {
        struct column *column = &sheet->columns[sheet->column_count++];
        const enum status read = experiment_text_create(
            report->terms, node_at(columns, i), SCOPE_POINT, NULL, &column->cell, diagnostics);
        status = status ? status : read;
        if (!read &&
            asprintf(&column->head, "%s%s", experiment_text_is_number(column->cell) ? ">" : "",
                     node_key(columns, i)) < 0) {
            column->head = NULL;
            status = STATUS_MEMORY;
        }
    }
    return status;
}

static enum status read_means(const struct experiment_report *report, const struct node *means,
                              struct diagnostics *diagnostics)
{
    const char *field = node_text(means);
    if (!strcmp(field, "all") || experiment_has_field(report->experiment, field))
        return STATUS_OK;
    const struct place place = node_place(report->experiment->document, means);
    diagnostics_add(diagnostics, SEVERITY_ERROR, &place,
                    "means: expected 'all' or a field of the subjects, got '%.40s'", field);
    return STATUS_INVALID;
}

static enum status read_sheet(const struct experiment_report *report, struct sheet *sheet,
                              struct diagnostics *diagnostics)
{
    const struct experiment_table *table = sheet->table;
    const struct node *rows = table ? table->rows : NULL;
    const size_t count = experiment_list_count(rows);
    sheet->by_subject = !table || !table->subjects || strcmp(node_text(table->subjects), "no") != 0;
    sheet->rows = calloc(count + 1, sizeof *sheet->rows);
    sheet->roles = calloc(count + 1, sizeof *sheet->roles);
    if (!sheet->rows || !sheet->roles)
        return STATUS_MEMORY;
    enum status status =
        read_columns(report, sheet, table ? table->columns : sheet->figure->bars, diagnostics);
    for (size_t i = 0; i < count; i++) {
        const enum status read = read_row(report, sheet, experiment_list_at(rows, i), diagnostics);
        status = status ? status : read;
    }
    if (table && table->means) {
        const enum status read = read_means(report, table->means, diagnostics);
        status = status ? status : read;
    }
    if (table && table->where && status != STATUS_MEMORY) {
        const enum status read =
            experiment_expression(report->terms, table->where, node_text(table->where), SCOPE_ROWS,
                                  &sheet->where, diagnostics);
        status = status ? status : read;
    }
    if (!sheet->row_count) { /* all that a row has follows '@' */
        sheet->roles[0] = sheet->by_reading;
        sheet->row_count = 1;
    }
    return status;
}

/* The rounds of a table over the readings, and the variant of one of its rows. */
static size_t rounds_of(const struct experiment_report *report, const struct sheet *sheet)
{
    return sheet->by_reading ? report->experiment->reading_count : 1;
}

static size_t variant_of(const struct experiment_report *report, const struct sheet *sheet,
                         size_t row, size_t reading)
{
    return sheet->roles[row]
               ? experiment_role_variant(report->experiment, reading, sheet->rows[row])
               : sheet->rows[row];
}

static void ask_sheet(const struct experiment_report *report, const struct sheet *sheet)
{
    for (size_t r = 0; r < rounds_of(report, sheet); r++)
        for (size_t k = 0; k < sheet->row_count; k++) {
            const struct experiment_spot spot = {0, variant_of(report, sheet, k, r), r};
            experiment_ask(report->terms, sheet->where, &spot);
            for (size_t i = 0; i < sheet->column_count; i++)
                experiment_ask_text(report->terms, sheet->columns[i].cell, &spot);
        }
}

/* Whether the table is one of the claims', or which of the file's it is. */
static enum status choose(const struct experiment *experiment, const char *table, bool *claims,
                          size_t *chosen, struct diagnostics *diagnostics)
{
    enum { NAMES_MAX = 64 };
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
        const enum status read = read_sheet(report, &report->sheets[i], diagnostics);
        status = status ? status : read;
    }
    if (!status && report->claims)
        experiment_claims_ask(report->claims);
    for (size_t i = 0; i < report->sheet_count && !status; i++)
        ask_sheet(report, &report->sheets[i]);
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
    for (size_t i = 0; i < report->sheet_count; i++) {
        struct sheet *sheet = &report->sheets[i];
        for (size_t k = 0; k < sheet->column_count; k++) {
            free(sheet->columns[k].head);
            experiment_text_free(sheet->columns[k].cell);
        }
        free(sheet->columns);
        expression_free(sheet->where);
        free(sheet->rows);
        free(sheet->roles);
    }
    free(report->sheets);
    free(report);
}

/* ---- tables ---- */

static enum status put_row(const struct experiment_report *report, const struct sheet *sheet,
                           const struct experiment_spot *spot, struct table *table,
                           struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sheet->column_count && !status; i++) {
        struct experiment_said said;
        status = experiment_text_say(report->terms, sheet->columns[i].cell, spot, NULL, NULL, &said,
                                     diagnostics);
        if (said.numeric)
            table_number(table, said.number, said.text);
        else
            table_text(table, said.text);
    }
    return status;
}

/* The mean of a column over the subjects of `taken` that have it, or the text that all have. */
static enum status put_mean(const struct experiment_report *report, const struct sheet *sheet,
                            size_t column, const bool *taken, struct experiment_spot spot,
                            struct table *table, struct diagnostics *diagnostics)
{
    const struct experiment_text *cell = sheet->columns[column].cell;
    struct experiment_said said, first = {.text = ""};
    double sum = 0;
    size_t count = 0, seen = 0;
    bool same = true;
    enum status status = STATUS_OK;
    for (spot.subject = 0; spot.subject < report->runs->subject_count && !status; spot.subject++) {
        if (!taken[spot.subject])
            continue;
        status = experiment_text_say(report->terms, cell, &spot, NULL, NULL, &said, diagnostics);
        first = seen++ ? first : said;
        same &= !strcmp(first.text, said.text);
        sum += isnan(said.number) ? 0 : said.number;
        count += !isnan(said.number);
    }
    if (experiment_text_is_number(cell)) {
        char text[EXPERIMENT_TEXT];
        const double mean = count ? sum / (double)count : NAN;
        experiment_text_number(cell, mean, text);
        table_number(table, mean, text);
    } else {
        table_text(table, column ? (same ? first.text : "") : "mean");
    }
    return status;
}

/* One row a variant over the subjects whose field has the value; NULL: over all. */
static enum status put_means_of(const struct experiment_report *report, const struct sheet *sheet,
                                const char *field, const char *value, const bool *taken,
                                bool *group, struct table *table, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t s = 0; s < report->runs->subject_count; s++) {
        const char *own =
            field
                ? experiment_field(report->runs,
                                   &report->experiment->subjects[report->runs->subjects[s]], field)
                : NULL;
        group[s] = taken[s] && (!field || (own && !strcmp(own, value)));
    }
    for (size_t r = 0; r < rounds_of(report, sheet); r++)
        for (size_t k = 0; k < sheet->row_count; k++)
            for (size_t i = 0; i < sheet->column_count && !status; i++) {
                const struct experiment_spot spot = {0, variant_of(report, sheet, k, r), r};
                status = put_mean(report, sheet, i, group, spot, table, diagnostics);
            }
    return status;
}

/* Means by each value of the field, in the order of the subjects, and over all. */
static enum status put_means(const struct experiment_report *report, const struct sheet *sheet,
                             const bool *taken, struct table *table,
                             struct diagnostics *diagnostics)
{
    const struct experiment_runs *runs = report->runs;
    const char *field = node_text(sheet->table->means);
    bool *group = calloc(runs->subject_count + 1, sizeof *group);
    enum status status = group ? STATUS_OK : STATUS_MEMORY;
    for (size_t s = 0; s < runs->subject_count && !status && strcmp(field, "all") != 0; s++) {
        const struct experiment_subject *subjects = report->experiment->subjects;
        const char *value = experiment_field(runs, &subjects[runs->subjects[s]], field);
        bool before = !value;
        for (size_t i = 0; i < s && !before; i++) {
            const char *other = experiment_field(runs, &subjects[runs->subjects[i]], field);
            before = other && !strcmp(other, value);
        }
        if (!before)
            status = put_means_of(report, sheet, field, value, taken, group, table, diagnostics);
    }
    if (!status)
        status = put_means_of(report, sheet, NULL, NULL, taken, group, table, diagnostics);
    free(group);
    return status;
}

static enum status fill_sheet(const struct experiment_report *report, const struct sheet *sheet,
                              struct table *table, struct diagnostics *diagnostics)
{
    const size_t subjects = sheet->by_subject ? report->runs->subject_count : 1;
    bool *taken = calloc(report->runs->subject_count + 1, sizeof *taken);
    if (!taken)
        return STATUS_MEMORY;
    enum status status = experiment_taken(report->terms, sheet->where, 0, taken, diagnostics);
    for (size_t s = 0; s < subjects; s++)
        for (size_t r = 0; taken[s] && r < rounds_of(report, sheet); r++)
            for (size_t k = 0; k < sheet->row_count && !status; k++) {
                const struct experiment_spot spot = {s, variant_of(report, sheet, k, r), r};
                status = put_row(report, sheet, &spot, table, diagnostics);
            }
    if (!status && sheet->table->means)
        status = put_means(report, sheet, taken, table, diagnostics);
    free(taken);
    return status;
}

static enum status print_sheet(const struct experiment_report *report, const struct sheet *sheet,
                               enum table_format format, FILE *out, struct diagnostics *diagnostics)
{
    const char **heads = calloc(sheet->column_count + 1, sizeof *heads);
    if (!heads)
        return STATUS_MEMORY;
    for (size_t i = 0; i < sheet->column_count; i++)
        heads[i] = sheet->columns[i].head;
    struct table *table = table_create(heads);
    free(heads);
    if (!table)
        return STATUS_MEMORY;
    const enum status status = fill_sheet(report, sheet, table, diagnostics);
    if (!status)
        return table_finish(table, format, out);
    table_free(table);
    return status;
}

/* ---- figures ---- */

/* A bar for each subject and column. */
static enum status print_bars(const struct experiment_report *report, const struct sheet *sheet,
                              enum glyphs glyphs, FILE *out, struct diagnostics *diagnostics)
{
    enum { LABEL = 15, BAR = 50, WIDTH = LABEL + BAR + 32 };
    const size_t subjects = report->runs->subject_count, bars = sheet->column_count;
    const bool percent = sheet->figure->unit && !strcmp(node_text(sheet->figure->unit), "%");
    struct experiment_said *said = calloc(subjects * bars + 1, sizeof *said);
    struct cells cells;
    double most = percent ? 100 : 0;
    enum status status = said ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; i < subjects * bars && !status; i++) {
        const struct experiment_spot spot = {i / bars, variant_of(report, sheet, 0, 0), 0};
        status = experiment_text_say(report->terms, sheet->columns[i % bars].cell, &spot, NULL,
                                     NULL, &said[i], diagnostics);
        most = fmax(most, said[i].number);
    }
    if (!status)
        status = cells_init(&cells, (int)(subjects * bars), WIDTH);
    if (!status) {
        for (size_t i = 0; i < subjects * bars; i++) {
            const double share = said[i].number / most;
            const struct column *column = &sheet->columns[i % bars];
            char text[EXPERIMENT_TEXT + 32];
            if (i % bars == 0)
                cells_text(&cells, (int)i, 0, ROLE_TEXT,
                           report->experiment->subjects[report->runs->subjects[i / bars]].name);
            bar_draw(&cells, (int)i, LABEL, BAR, share > 0 ? fmin(share, 1) : 0,
                     i % bars ? ROLE_SERIES_2 : ROLE_SERIES_1, glyphs);
            snprintf(text, sizeof text, "%5s %s", said[i].text,
                     column->head + (*column->head == '>'));
            cells_text(&cells, (int)i, LABEL + BAR + 1, ROLE_TEXT, text);
        }
        cells_print(&cells, out);
        cells_free(&cells);
    }
    free(said);
    return status;
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
    for (size_t s = 0; s < report->runs->subject_count; s++)
        for (size_t v = 0; v < experiment->variant_count; v++) {
            const struct experiment_run *run = experiment_run_at(report->runs, s, v);
            if (!run->why)
                continue;
            fprintf(out, "note: no number for %s, %s: %s\n",
                    experiment->subjects[report->runs->subjects[s]].name,
                    experiment->variants[v].label, run->why);
            break;
        }
}

enum status experiment_report_table(struct experiment_report *report, enum table_format format,
                                    FILE *out, struct diagnostics *diagnostics)
{
    if (!report->claims)
        return print_sheet(report, &report->sheets[0], format, out, diagnostics);
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
        const struct sheet *sheet = &report->sheets[i];
        fprintf(out, "\n%s\n",
                node_text(sheet->table ? sheet->table->title : sheet->figure->title));
        status = sheet->table ? print_sheet(report, sheet, TABLE_TEXT, out, diagnostics)
                              : print_bars(report, sheet, glyphs, out, diagnostics);
    }
    if (!status)
        print_notes(report, out);
    return !status && ferror(out) ? STATUS_IO : status;
}
