#include "ui/views/explain_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/memory.h"
#include "base/utf8.h"

#define PAGE_INFO(constant, title, help) {title, help},
const struct explain_page_info explain_pages[PAGE_COUNT] = {EXPLAIN_PAGE_LIST(PAGE_INFO)};
#undef PAGE_INFO

/* The numbers of a page, in the order of the cells; the first is what a change saves. */
static const struct column {
    const char *heading;
    int width, from; /* columns of a screen that has room for it */
} columns_of[PAGE_COUNT][EXPLAIN_CELLS] = {
    [PAGE_LIMITS] = {{"", 9, 0}, {"held %", 9, 0}, {"stack %", 9, 0}},
    [PAGE_LADDER] = {{"", 9, 0}, {"left %", 9, 0}, {"then", 9, 0}},
    [PAGE_LEVERS] =
        {{"", 9, 0}, {"noise", 8, 100}, {"area", 12, 0}, {"bits", 12, 100}, {"energy", 10, 0}},
    [PAGE_STACK] = {{"", 9, 0}, {"stack %", 9, 0}, {"pinned %", 9, 0}}};

void explain_rows_clear(struct explain_rows *rows)
{
    for (int i = 0; i < PAGE_COUNT; i++)
        free(rows->pages[i].items);
    *rows = (struct explain_rows){0};
}

/* A new row without anything; NULL: no memory. */
static struct explain_row *explain_add_row(struct explain_rows *rows, enum explain_page page)
{
    struct explain_row_list *list = &rows->pages[page];
    if (array_reserve(&list->items, &list->capacity, list->count + 1))
        return NULL;
    struct explain_row *row = &list->items[list->count++];
    *row = (struct explain_row){.bar = NAN, .ideal = IDEAL_COUNT};
    return row;
}

static void print_percent(double share, const char *mark, char cell[EXPLAIN_CELL])
{
    if (isnan(share))
        snprintf(cell, EXPLAIN_CELL, "-");
    else
        snprintf(cell, EXPLAIN_CELL, "%s%.1f", mark, 100 * share);
}

/* A gain, marked if it is within the noise. */
static void put_gain(struct explain_row *row, double gain, double noise)
{
    row->quiet = !(fabs(gain) > noise);
    row->bar = gain;
    print_percent(gain, row->quiet && gain != 0 ? "~" : "", row->cells[0]);
}

static void print_change(double change, enum unit unit, char cell[EXPLAIN_CELL])
{
    char text[QUANTITY_TEXT];
    if (isnan(change))
        snprintf(cell, EXPLAIN_CELL, "-");
    else if (change == 0)
        snprintf(cell, EXPLAIN_CELL, "=");
    else
        snprintf(cell, EXPLAIN_CELL, "%s%.14s", change > 0 ? "+" : "",
                 quantity_print_short(change, unit, 3, text));
}

static void put_ideal(struct explain_row *row, enum ideal ideal)
{
    row->ideal = ideal;
    row->label = ideal_table[ideal].label;
    snprintf(row->name, sizeof row->name, "%s", ideal_table[ideal].name);
}

static void make_limits(struct explain_rows *rows, const struct explanation *explanation)
{
    const struct ladder *ladder = &explanation->ladder;
    for (size_t i = 0; i < ladder->limit_count; i++) {
        const struct ladder_limit *limit = &ladder->limits[i];
        struct explain_row *row = explain_add_row(rows, PAGE_LIMITS);
        if (!row)
            return;
        put_ideal(row, limit->ideal);
        put_gain(row, limit->gain, explanation->noise.floor);
        print_percent(limit->held, "", row->cells[1]);
        print_percent(limit->share, "", row->cells[2]);
    }
}

static void make_rungs(struct explain_rows *rows, const struct explanation *explanation)
{
    const struct ladder *ladder = &explanation->ladder;
    const double base = metric_get(explanation->metric, &explanation->base);
    for (size_t i = 0; i < ladder->rung_count; i++) {
        const struct ladder_rung *rung = &ladder->rungs[i];
        const struct ladder_limit *limit = ladder_limit_of(ladder, rung);
        struct explain_row *row = explain_add_row(rows, PAGE_LADDER);
        char then[QUANTITY_TEXT];
        size_t count = 0;
        if (!row)
            return;
        for (int k = 0; k < IDEAL_COUNT; k++)
            count += ideal_has(rung->added, (enum ideal)k);
        if (limit)
            put_ideal(row, limit->ideal);
        else
            snprintf(row->name, sizeof row->name, "the other %zu, all at once", count);
        put_gain(row, rung->gain, explanation->noise.floor);
        print_percent(rung->value / base, "", row->cells[1]);
        snprintf(row->cells[2], EXPLAIN_CELL, "%.15s",
                 quantity_print_short(rung->value, explanation->metric->unit, 3, then));
    }
}

/* Below the rungs: two limits at once. */
static void make_pairs(struct explain_rows *rows, const struct explanation *explanation)
{
    const struct ladder *ladder = &explanation->ladder;
    for (size_t i = 0; i < ladder->pair_count; i++) {
        const struct ladder_pair *pair = &ladder->pairs[i];
        struct explain_row *row = explain_add_row(rows, PAGE_LADDER);
        if (!row)
            return;
        snprintf(row->name, sizeof row->name, "%s, %s", ideal_table[pair->ideals[0]].name,
                 ideal_table[pair->ideals[1]].name);
        row->label = "together";
        put_gain(row, pair->gain, explanation->noise.floor);
        print_percent(1 - pair->gain, "", row->cells[1]);
    }
}

static void add_lever_row(struct explain_rows *rows, const struct lever *lever)
{
    struct explain_row *row = explain_add_row(rows, PAGE_LEVERS);
    char change[LEVER_CHANGE_TEXT];
    if (!row)
        return;
    lever_change_print(&lever->change, "", change);
    snprintf(row->name, sizeof row->name, "%.*s", EXPLAIN_NAME - 1, change);
    put_gain(row, lever->gain, lever->noise);
    row->quiet = row->quiet || lever->beaten;
    row->label = lever->beaten ? "beaten" : NULL;
    row->lever = lever;
    print_percent(lever->noise, "", row->cells[1]);
    print_change(lever->area, UNIT_AREA, row->cells[2]);
    print_change(lever->bits, UNIT_BITS, row->cells[3]);
    print_change(lever->energy, UNIT_JOULES, row->cells[4]);
}

static bool is_folded(const struct lever *lever)
{
    return lever->beaten || !(lever->gain > 0);
}

/* Single levers that gain, pairs that do, then what is beaten or gains nothing: each the best
 * first, as they are in order. */
static void make_levers(struct explain_rows *rows, const struct levers *levers)
{
    for (size_t i = 0; i < levers->single_count; i++)
        if (!is_folded(&levers->singles[i]))
            add_lever_row(rows, &levers->singles[i]);
    for (size_t i = 0; i < levers->pair_count; i++)
        if (!is_folded(&levers->pairs[i]))
            add_lever_row(rows, &levers->pairs[i]);
    for (size_t i = 0; i < levers->single_count; i++)
        if (is_folded(&levers->singles[i]))
            add_lever_row(rows, &levers->singles[i]);
}

void explain_rows_make(struct explain_rows *rows, const struct explanation *explanation)
{
    explain_rows_clear(rows);
    if (!explanation->metric)
        return;
    rows->more = explanation->metric->direction == HIGHER_IS_BETTER;
    make_limits(rows, explanation);
    make_rungs(rows, explanation);
    make_pairs(rows, explanation);
    make_levers(rows, &explanation->levers);
}

/* The limit that saves most alone among those that a metric shows; NULL: none ran. */
static const struct ladder_limit *best_shown(const struct ladder *ladder, const char *path)
{
    for (size_t i = 0; i < ladder->limit_count; i++) {
        const char *shown = ideal_table[ladder->limits[i].ideal].relieves;
        if (shown && !strcmp(shown, path) && !isnan(ladder->limits[i].gain))
            return &ladder->limits[i];
    }
    return NULL;
}

static void make_part(struct explain_rows *rows, const struct explanation *explanation,
                      const struct metrics *pinned, enum stack_level level, size_t part,
                      enum glyphs glyphs)
{
    const char *path = cycle_stack_path(level, part);
    const double share = cycle_stack_share(level, part, &explanation->base);
    const double before = pinned ? cycle_stack_share(level, part, pinned) : NAN;
    if (level == STACK_MEMORY && !(share > 0) && !(before > 0))
        return;
    struct explain_row *row = explain_add_row(rows, PAGE_STACK);
    const struct ladder_limit *limit = best_shown(&explanation->ladder, path);
    if (!row)
        return;
    put_gain(row, limit ? limit->gain : NAN, explanation->noise.floor);
    row->bar = share;
    row->quiet = false;
    print_percent(share, "", row->cells[1]);
    print_percent(before, "", row->cells[2]);
    snprintf(row->name, sizeof row->name, "%s", path + strlen("core."));
    row->label = limit ? ideal_table[limit->ideal].label : NULL;
    row->part = path;
    row->glyph = cycle_stack_glyph(part, glyphs);
    row->role = cycle_stack_role(part);
}

void explain_rows_stack(struct explain_rows *rows, const struct explanation *explanation,
                        const struct metrics *pinned, enum glyphs glyphs)
{
    rows->pages[PAGE_STACK].count = 0;
    for (unsigned level = 0; level < STACK_LEVELS; level++)
        for (size_t part = 0; part < cycle_stack_parts((enum stack_level)level); part++)
            if (cycle_stack_known((enum stack_level)level, &explanation->base))
                make_part(rows, explanation, pinned, (enum stack_level)level, part, glyphs);
}

/* ---- drawing ---- */

enum { BAR = 14, BAR_FROM = 100, NAME_WIDTH = 18 };

/* Draws the cells that there is room for; returns the column after them. */
static int draw_cells(const struct explain_row *item, enum explain_page page,
                      const struct canvas *canvas, int row, struct style style)
{
    int column = 0;
    for (int i = 0; i < EXPLAIN_CELLS && columns_of[page][i].heading; i++) {
        const struct column *own = &columns_of[page][i];
        if (canvas->rect.columns < own->from)
            continue;
        canvas_right(canvas, row, column, own->width, style, item ? item->cells[i] : own->heading);
        column += own->width;
        style.bold = false; /* the first number is what the others are about */
    }
    return column + 2;
}

static int bar_width(const struct canvas *canvas)
{
    return canvas->rect.columns >= BAR_FROM ? BAR + 1 : 0;
}

void explain_headings_draw(const struct explain_rows *rows, enum explain_page page,
                           const struct canvas *canvas, int row)
{
    const int column = draw_cells(NULL, page, canvas, row, STYLE(ROLE_DIM)) + bar_width(canvas);
    canvas_right(canvas, row, 0, columns_of[page][0].width, STYLE(ROLE_DIM),
                 rows->more ? "gains %" : "saves %");
    canvas_words(canvas, row, column, canvas->rect.columns - column, STYLE(ROLE_DIM),
                 page == PAGE_LEVERS  ? "set"
                 : page == PAGE_STACK ? "cycles, limit that saves them"
                                      : "limit left out");
}

static void draw_name(const struct explain_row *item, const struct canvas *canvas, int row,
                      int column, struct style style)
{
    char glyph[UTF8_MAX + 1] = "";
    const int width = canvas->rect.columns;
    if (item->part) {
        utf8_write(item->glyph, glyph);
        column = canvas_text(canvas, row, column, 1, STYLE(item->role), glyph) + 1;
    }
    const int begin = column;
    column = canvas_text(canvas, row, column, width - column, style, item->name) + 1;
    if (item->label && begin + NAME_WIDTH > column)
        column = begin + NAME_WIDTH;
    if (item->label && column + 4 < width)
        canvas_words(canvas, row, column, width - column, STYLE(ROLE_DIM), item->label);
}

static enum role bar_role(const struct explain_row *item, bool dim)
{
    if (dim)
        return ROLE_DIM;
    return item->part ? item->role : item->bar > 0 ? ROLE_SERIES_1 : ROLE_SERIES_2;
}

void explain_row_draw(const struct explain_row *item, enum explain_page page,
                      const struct canvas *canvas, int row, bool now)
{
    const bool dim = item->quiet || !now;
    const struct style style = dim ? STYLE(ROLE_DIM) : STYLE_BOLD(ROLE_TEXT);
    const int column = draw_cells(item, page, canvas, row, style);
    if (bar_width(canvas) && fabs(item->bar) > 0)
        canvas_bar(canvas, row, column, BAR, fabs(item->bar), bar_role(item, dim));
    draw_name(item, canvas, row, column + bar_width(canvas), STYLE(dim ? ROLE_DIM : ROLE_TEXT));
}

void explain_row_describe(const struct explain_row *row, char text[ROW_TEXT])
{
    char change[LEVER_CHANGE_TEXT];
    if (row->lever)
        snprintf(text, ROW_TEXT, "warpscape run ... %.400s",
                 lever_change_print(&row->lever->change, "-s ", change));
    else if (row->ideal < IDEAL_COUNT)
        snprintf(text, ROW_TEXT, "--ideal %s: %s", ideal_table[row->ideal].name,
                 ideal_table[row->ideal].help);
    else if (row->part)
        snprintf(text, ROW_TEXT, "%s: %s; help %s has the limits that it shows", row->part,
                 metric_find(row->part)->help, row->part);
    else
        text[0] = '\0';
}

const struct parameter *explain_row_parameter(const struct explain_row *row)
{
    if (row->lever)
        return row->lever->change.settings[0].parameter;
    if (row->ideal < IDEAL_COUNT)
        return ideal_table[row->ideal].knob ? parameter_find(ideal_table[row->ideal].knob) : NULL;
    for (int i = 0; i < IDEAL_COUNT && row->part; i++)
        if (ideal_table[i].relieves && !strcmp(ideal_table[i].relieves, row->part) &&
            ideal_table[i].knob)
            return parameter_find(ideal_table[i].knob);
    return NULL;
}
