#include "report/experiments/experiment_sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const struct experiment_runs *runs_of(const struct experiment_sheet *sheet)
{
    return experiment_terms_runs(sheet->terms);
}

static const struct experiment *experiment_of(const struct experiment_sheet *sheet)
{
    return runs_of(sheet)->experiment;
}

/* ---- reading ---- */

static enum status sheet_add_row(struct experiment_sheet *sheet, size_t index, bool role)
{
    if (array_reserve(&sheet->rows, &sheet->row_capacity, sheet->row_count + 1))
        return STATUS_MEMORY;
    sheet->rows[sheet->row_count++] = (struct sheet_row){index, role};
    return STATUS_OK;
}

static enum status add_family(struct experiment_sheet *sheet,
                              const struct experiment_family *family)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < family->count && !status; i++)
        status = sheet_add_row(sheet, family->first + i, false);
    return status;
}

/* A variant, a role, all members of a family, or "readings". */
static enum status sheet_read_row(struct experiment_sheet *sheet, const struct node *node,
                                  struct diagnostics *diagnostics)
{
    const struct experiment *experiment = experiment_of(sheet);
    const char *name = node_text(node);
    if (!strcmp(name, "readings")) {
        sheet->by_reading = true;
        return STATUS_OK;
    }
    for (size_t i = 0; i < experiment->role_count; i++)
        if (!strcmp(experiment->roles[i], name))
            return sheet_add_row(sheet, i, true);
    const size_t variant = experiment_variant_find(experiment, name, 0);
    if (variant != NO_VARIANT)
        return sheet_add_row(sheet, variant, false);
    for (size_t i = 0; i < experiment->family_count; i++)
        if (!strcmp(experiment->families[i].name, name))
            return add_family(sheet, &experiment->families[i]);
    const struct place place = node_place(experiment->document, node);
    diagnostics_add(diagnostics, SEVERITY_ERROR, &place,
                    "rows: expected variants, roles or 'readings', got '%.40s'", name);
    return STATUS_INVALID;
}

static enum status read_columns(struct experiment_sheet *sheet, const struct node *columns,
                                struct diagnostics *diagnostics)
{
    const enum expression_scope scope =
        sheet->table && sheet->table->group ? SCOPE_ROWS : SCOPE_POINT;
    enum status status = STATUS_OK;
    sheet->columns = calloc(node_count(columns) + 1, sizeof *sheet->columns);
    if (!sheet->columns)
        return STATUS_MEMORY;
    for (size_t i = 0; i < node_count(columns) && status != STATUS_MEMORY; i++) {
        struct sheet_column *column = &sheet->columns[sheet->column_count++];
        const enum status read = experiment_text_create(sheet->terms, node_at(columns, i), scope,
                                                        NULL, &column->cell, diagnostics);
        status = status ? status : read;
        column->head = node_key(columns, i);
    }
    return status;
}

/* Whether subjects have the field that `means` or `group` names. */
static enum status check_field(const struct experiment_sheet *sheet, const struct node *node,
                               const char *expected, const char *all,
                               struct diagnostics *diagnostics)
{
    const struct experiment *experiment = experiment_of(sheet);
    if (!node || (all && !strcmp(node_text(node), all)) ||
        experiment_has_field(experiment, node_text(node)))
        return STATUS_OK;
    const struct place place = node_place(experiment->document, node);
    diagnostics_add(diagnostics, SEVERITY_ERROR, &place, "%s, got '%.40s'", expected,
                    node_text(node));
    return STATUS_INVALID;
}

static enum status read_where(struct experiment_sheet *sheet, struct diagnostics *diagnostics)
{
    const struct experiment_table *table = sheet->table;
    return table->where ? experiment_expression(sheet->terms, table->where, node_text(table->where),
                                                SCOPE_ROWS, &sheet->where, diagnostics)
                        : STATUS_OK;
}

enum status experiment_sheet_read(struct experiment_sheet *sheet, struct diagnostics *diagnostics)
{
    const struct experiment_table *table = sheet->table;
    const struct node *rows = table ? table->rows : NULL;
    enum status all[4] = {STATUS_OK}, status = STATUS_OK;
    sheet->by_subject = !table || !table->subjects || experiment_is_yes(table->subjects);
    all[0] = read_columns(sheet, table ? table->columns : sheet->figure->bars, diagnostics);
    for (size_t i = 0; i < experiment_list_count(rows); i++) {
        const enum status read = sheet_read_row(sheet, experiment_list_at(rows, i), diagnostics);
        status = status ? status : read;
    }
    if (table) {
        all[1] =
            check_field(sheet, table->means, "means: expected 'all' or a field of the subjects",
                        "all", diagnostics);
        all[2] = check_field(sheet, table->group, "group: expected a field of the subjects", NULL,
                             diagnostics);
        all[3] = read_where(sheet, diagnostics);
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        status = status ? status : all[i];
    sheet->free_rows = !sheet->row_count;
    if (sheet->free_rows && !status)
        status = sheet_add_row(sheet, 0, sheet->by_reading);
    return status;
}

void experiment_sheet_free(struct experiment_sheet *sheet)
{
    for (size_t k = 0; k < sheet->column_count; k++)
        experiment_text_free(sheet->columns[k].cell);
    free(sheet->columns);
    expression_free(sheet->where);
    free(sheet->rows);
}

/* The rounds of a table over the readings. */
static size_t rounds_of(const struct experiment_sheet *sheet)
{
    return sheet->by_reading ? experiment_of(sheet)->reading_count : 1;
}

/* The spot of a row; that of a variant of a reading stands under this reading. */
static struct experiment_spot spot_of(const struct experiment_sheet *sheet, size_t subject,
                                      size_t row, size_t reading)
{
    const struct experiment *experiment = experiment_of(sheet);
    const struct sheet_row *at = &sheet->rows[row];
    const size_t variant =
        at->role ? experiment_role_variant(experiment, reading, at->index) : at->index;
    return (struct experiment_spot){
        subject, variant, sheet->by_reading ? reading : experiment_reading_of(experiment, variant)};
}

/* Whether the subject has the variant that the row is of. */
static bool has_row(const struct experiment_sheet *sheet, const struct experiment_spot *spot)
{
    return sheet->free_rows ||
           experiment_run_at(runs_of(sheet), spot->subject, spot->variant)->workload;
}

void experiment_sheet_ask(const struct experiment_sheet *sheet)
{
    for (size_t r = 0; r < rounds_of(sheet); r++)
        for (size_t k = 0; k < sheet->row_count; k++) {
            const struct experiment_spot spot = spot_of(sheet, 0, k, r);
            experiment_ask(sheet->terms, sheet->where, &spot);
            for (size_t i = 0; i < sheet->column_count; i++)
                experiment_ask_text(sheet->terms, sheet->columns[i].cell, &spot);
        }
}

/* ---- tables ---- */

/* The cells of a table, row by row: what a column holds tells how it is printed. */
struct sheet_cells {
    struct experiment_said *items;
    size_t count, capacity;
};

static enum status put_said(struct sheet_cells *cells, const struct experiment_said *said)
{
    if (array_reserve(&cells->items, &cells->capacity, cells->count + 1))
        return STATUS_MEMORY;
    cells->items[cells->count++] = *said;
    return STATUS_OK;
}

/* Of one subject, or of those of `taken` together. */
static enum status put_row(const struct experiment_sheet *sheet, const struct experiment_spot *spot,
                           const bool *taken, struct sheet_cells *cells,
                           struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sheet->column_count && !status; i++) {
        struct experiment_said said;
        status = experiment_text_say(sheet->terms, sheet->columns[i].cell, spot, taken, NULL, &said,
                                     diagnostics);
        if (!status)
            status = put_said(cells, &said);
    }
    return status;
}

/* The mean of a column over the subjects of `taken` that have it, or the text that all have. */
static enum status put_mean(const struct experiment_sheet *sheet, size_t column, const bool *taken,
                            struct experiment_spot spot, struct sheet_cells *cells,
                            struct diagnostics *diagnostics)
{
    const struct experiment_text *cell = sheet->columns[column].cell;
    struct experiment_said said, first = {.text = ""};
    double sum = 0;
    size_t count = 0, seen = 0;
    bool same = true;
    enum status status = STATUS_OK;
    for (spot.subject = 0; spot.subject < runs_of(sheet)->subject_count && !status;
         spot.subject++) {
        if (!taken[spot.subject])
            continue;
        status = experiment_text_say(sheet->terms, cell, &spot, NULL, NULL, &said, diagnostics);
        first = seen++ ? first : said;
        same &= !strcmp(first.text, said.text);
        sum += isnan(said.number) ? 0 : said.number;
        count += !isnan(said.number);
    }
    if (status)
        return status;
    if (experiment_text_is_number(cell)) {
        first =
            (struct experiment_said){.number = count ? sum / (double)count : NAN, .numeric = true};
        experiment_text_number(cell, first.number, first.text);
    } else if (!column) {
        first = (struct experiment_said){.text = "mean", .number = NAN};
    } else if (!same) {
        first = (struct experiment_said){.number = NAN};
    }
    return put_said(cells, &first);
}

static enum status put_means_of(const struct experiment_sheet *sheet, const bool *group,
                                struct sheet_cells *cells, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t r = 0; r < rounds_of(sheet); r++)
        for (size_t k = 0; k < sheet->row_count; k++)
            for (size_t i = 0; i < sheet->column_count && !status; i++)
                status = put_mean(sheet, i, group, spot_of(sheet, 0, k, r), cells, diagnostics);
    return status;
}

/* One row per reading of what the subjects are together. */
static enum status put_group(const struct experiment_sheet *sheet, const bool *group,
                             struct sheet_cells *cells, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    size_t first = 0;
    while (first < runs_of(sheet)->subject_count && !group[first])
        first++;
    for (size_t r = 0; r < rounds_of(sheet) && first < runs_of(sheet)->subject_count; r++)
        for (size_t k = 0; k < sheet->row_count && !status; k++) {
            const struct experiment_spot spot = spot_of(sheet, first, k, r);
            if (has_row(sheet, &spot))
                status = put_row(sheet, &spot, group, cells, diagnostics);
        }
    return status;
}

static const char *field_of(const struct experiment_sheet *sheet, size_t subject, const char *field)
{
    const struct experiment_runs *runs = runs_of(sheet);
    const struct experiment_subject *row = &runs->experiment->subjects[runs->subjects[subject]];
    return strcmp(field, "subject") != 0 ? experiment_field(runs, row, field) : row->name;
}

/* Sets group[] to the taken subjects that have the value of this one; false: an earlier one has it,
 * or it has none. */
static bool group_of(const struct experiment_sheet *sheet, const char *field, size_t subject,
                     const bool *taken, bool *group)
{
    const char *value = taken[subject] ? field_of(sheet, subject, field) : NULL;
    for (size_t i = 0; i < runs_of(sheet)->subject_count && value; i++) {
        const char *other = taken[i] ? field_of(sheet, i, field) : NULL;
        group[i] = other && !strcmp(other, value);
        if (i < subject && group[i])
            return false;
    }
    return value;
}

/* Calls `put` for the subjects of each value of the field, in the order of the subjects. */
static enum status
put_groups(const struct experiment_sheet *sheet, const char *field, const bool *taken, bool *group,
           enum status (*put)(const struct experiment_sheet *sheet, const bool *group,
                              struct sheet_cells *cells, struct diagnostics *diagnostics),
           struct sheet_cells *cells, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    for (size_t s = 0; s < runs_of(sheet)->subject_count && !status; s++)
        if (group_of(sheet, field, s, taken, group))
            status = put(sheet, group, cells, diagnostics);
    return status;
}

/* Rows of variants that a subject has. */
static enum status put_rows(const struct experiment_sheet *sheet, const bool *taken,
                            struct sheet_cells *cells, struct diagnostics *diagnostics)
{
    const struct experiment_runs *runs = runs_of(sheet);
    const size_t subjects = sheet->by_subject ? runs->subject_count : 1;
    enum status status = STATUS_OK;
    for (size_t s = 0; s < subjects; s++)
        for (size_t r = 0; taken[s] && r < rounds_of(sheet); r++)
            for (size_t k = 0; k < sheet->row_count && !status; k++) {
                const struct experiment_spot spot = spot_of(sheet, s, k, r);
                if (has_row(sheet, &spot))
                    status = put_row(sheet, &spot, NULL, cells, diagnostics);
            }
    return status;
}

static enum status fill_cells(const struct experiment_sheet *sheet, struct sheet_cells *cells,
                              struct diagnostics *diagnostics)
{
    const struct experiment_table *row = sheet->table;
    const size_t count = runs_of(sheet)->subject_count;
    bool *taken = calloc(2 * count + 1, sizeof *taken), *group = taken + count;
    if (!taken)
        return STATUS_MEMORY;
    enum status status =
        experiment_taken(sheet->terms, sheet->where, row->loads, 0, taken, diagnostics);
    if (!status && row->group)
        status =
            put_groups(sheet, node_text(row->group), taken, group, put_group, cells, diagnostics);
    else if (!status)
        status = put_rows(sheet, taken, cells, diagnostics);
    if (!status && row->means && strcmp(node_text(row->means), "all") != 0)
        status = put_groups(sheet, node_text(row->means), taken, group, put_means_of, cells,
                            diagnostics);
    if (!status && row->means)
        status = put_means_of(sheet, taken, cells, diagnostics);
    free(taken);
    return status;
}

/* Numbers stand at the right, where nothing else is in the column. */
static bool holds_numbers(const struct experiment_sheet *sheet, const struct sheet_cells *cells,
                          size_t column)
{
    for (size_t i = column; i < cells->count; i += sheet->column_count)
        if (!cells->items[i].numeric)
            return false;
    return experiment_text_is_number(sheet->columns[column].cell);
}

static void put_cell(struct table *table, const struct experiment_said *said)
{
    if (said->numeric)
        table_number(table, said->number, said->text);
    else
        table_text(table, said->text);
}

static struct table *table_of(const struct experiment_sheet *sheet, const struct sheet_cells *cells)
{
    char **heads = calloc(sheet->column_count + 1, sizeof *heads);
    struct table *table = NULL;
    bool made = heads != NULL;
    for (size_t i = 0; made && i < sheet->column_count; i++)
        made = asprintf(&heads[i], "%s%s", holds_numbers(sheet, cells, i) ? ">" : "",
                        sheet->columns[i].head) >= 0;
    if (made)
        table = table_create((const char *const *)heads);
    for (size_t i = 0; heads && i < sheet->column_count; i++)
        free(heads[i]);
    free(heads);
    for (size_t i = 0; table && i < cells->count; i++)
        put_cell(table, &cells->items[i]);
    return table;
}

enum status experiment_sheet_table(const struct experiment_sheet *sheet, struct table **table,
                                   struct diagnostics *diagnostics)
{
    struct sheet_cells cells = {0};
    const enum status status = fill_cells(sheet, &cells, diagnostics);
    *table = status ? NULL : table_of(sheet, &cells);
    free(cells.items);
    return status ? status : *table ? STATUS_OK : STATUS_MEMORY;
}

/* ---- figures ---- */

static const char *program_name(const struct experiment_sheet *sheet, size_t program)
{
    const struct experiment_runs *runs = runs_of(sheet);
    return runs->experiment->subjects[runs->subjects[runs->programs[program]]].name;
}

/* What the columns say of each program, program by program, malloc'ed. */
static enum status say_bars(const struct experiment_sheet *sheet, struct experiment_said **said,
                            struct diagnostics *diagnostics)
{
    const size_t bars = sheet->column_count, count = runs_of(sheet)->program_count * bars;
    *said = calloc(count + 1, sizeof **said);
    enum status status = *said ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; i < count && !status; i++) {
        const struct experiment_spot spot =
            spot_of(sheet, runs_of(sheet)->programs[i / bars], 0, 0);
        status = experiment_text_say(sheet->terms, sheet->columns[i % bars].cell, &spot, NULL, NULL,
                                     &(*said)[i], diagnostics);
    }
    return status;
}

static bool is_percent(const struct experiment_sheet *sheet)
{
    return sheet->figure->unit && !strcmp(node_text(sheet->figure->unit), "%");
}

static double most_of(const struct experiment_sheet *sheet, const struct experiment_said *said)
{
    double most = is_percent(sheet) ? 100 : 0;
    for (size_t i = 0; i < runs_of(sheet)->program_count * sheet->column_count; i++)
        most = fmax(most, said[i].number);
    return most;
}

static enum status draw_bars(const struct experiment_sheet *sheet,
                             const struct experiment_said *said, enum glyphs glyphs, FILE *out)
{
    enum { LABEL = 15, BAR = 50, WIDTH = LABEL + BAR + 32 };
    const size_t bars = sheet->column_count, count = runs_of(sheet)->program_count * bars;
    const double most = most_of(sheet, said);
    struct cells cells;
    if (cells_init(&cells, (int)count, WIDTH))
        return STATUS_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const double share = said[i].number / most;
        char text[EXPERIMENT_TEXT + 32];
        if (i % bars == 0)
            cells_text(&cells, (int)i, 0, ROLE_TEXT, program_name(sheet, i / bars));
        bar_draw(&cells, (int)i, LABEL, BAR, share > 0 ? fmin(share, 1) : 0,
                 i % bars ? ROLE_SERIES_2 : ROLE_SERIES_1, glyphs);
        snprintf(text, sizeof text, "%5s %s", said[i].text, sheet->columns[i % bars].head);
        cells_text(&cells, (int)i, LABEL + BAR + 1, ROLE_TEXT, text);
    }
    cells_print(&cells, out);
    cells_free(&cells);
    return STATUS_OK;
}

enum status experiment_sheet_bars(const struct experiment_sheet *sheet, enum glyphs glyphs,
                                  FILE *out, struct diagnostics *diagnostics)
{
    struct experiment_said *said;
    enum status status = say_bars(sheet, &said, diagnostics);
    if (!status)
        status = draw_bars(sheet, said, glyphs, out);
    free(said);
    return status;
}

/* One column of a figure over the programs; all columns have the same axis. */
static enum status page_bar(const struct experiment_sheet *sheet,
                            const struct experiment_said *said, size_t column, struct page *page)
{
    /* Pixels; where not all names fit beside each other, some are left out. */
    enum { MARGIN = 160, NAME = 72, PAGE = 1400, WIDEST = (PAGE - MARGIN) / NAME };
    const size_t count = runs_of(sheet)->program_count;
    const char **names = calloc(count + 1, sizeof *names);
    double *x = calloc(2 * count + 1, sizeof *x), *y = x + count;
    if (!names || !x) {
        free(names);
        free(x);
        return STATUS_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        names[i] = program_name(sheet, i);
        x[i] = (double)i;
        y[i] = said[i * sheet->column_count + column].number;
    }
    const struct series series = {.kind = SERIES_BARS,
                                  .role = column ? ROLE_SERIES_2 : ROLE_SERIES_1,
                                  .x = x,
                                  .y = y,
                                  .count = count};
    const struct chart chart = {.series = &series,
                                .series_count = 1,
                                .x = {.ticks = names, .tick_count = count},
                                .y = {.max = most_of(sheet, said)},
                                .cursor = NAN,
                                .title = sheet->columns[column].head,
                                .glyphs = GLYPHS_BLOCK};
    const struct svg_style style = {.width = count < WIDEST ? MARGIN + NAME * (int)count : PAGE,
                                    .height = 260,
                                    .description = node_text(sheet->figure->title),
                                    .x_ticks = count < WIDEST ? count : 0};
    page_chart(page, &chart, &style);
    free(names);
    free(x);
    return STATUS_OK;
}

/* The numbers of a figure as a table. */
static struct table *numbers_of(const struct experiment_sheet *sheet,
                                const struct experiment_said *said)
{
    static const char *const heads[] = {"subject", "bar", ">number", NULL};
    struct table *table = table_create(heads);
    for (size_t i = 0; table && i < runs_of(sheet)->program_count * sheet->column_count; i++) {
        table_text(table, program_name(sheet, i / sheet->column_count));
        table_text(table, sheet->columns[i % sheet->column_count].head);
        put_cell(table, &said[i]);
    }
    return table;
}

enum status experiment_sheet_charts(const struct experiment_sheet *sheet, struct page *page,
                                    struct diagnostics *diagnostics)
{
    struct experiment_said *said;
    enum status status = say_bars(sheet, &said, diagnostics);
    for (size_t i = 0; i < sheet->column_count && !status; i++)
        status = page_bar(sheet, said, i, page);
    if (!status)
        page_table(page, numbers_of(sheet, said));
    free(said);
    return status;
}
