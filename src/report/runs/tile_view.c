#include "report/runs/tile_view.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/drawing/region.h"

enum {
    PANEL = 28,        /* columns beside a map */
    PANEL_LEAST = 60,  /* without them below so many */
    BANK_COLUMNS = 41, /* of the table of banks */
    LEGEND = 20,
    LINE_TEXT = 256
};

/* ---- text beside it ---------------------------------------------------------------------------
 */

struct lines { /* text, written from top to bottom */
    struct region region;
    int row;
};

static void add_line(struct lines *lines, enum role role, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void add_line(struct lines *lines, enum role role, const char *format, ...)
{
    char text[LINE_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    region_text(&lines->region, lines->row++, 0, role, text);
}

static const char *short_number(double number, char text[QUANTITY_TEXT])
{
    return quantity_print_short(number, UNIT_NONE, 4, text);
}

static void add_surfaces(const struct tile_sight *sight, struct lines *lines)
{
    for (uint32_t i = 0; i < sight->stream->surface_count; i++) {
        const struct tile_surface *surface = &sight->stream->surfaces[i];
        add_line(lines, i == sight->surface ? ROLE_ACCENT : ROLE_DIM, "%c %-11s %u x %u%s",
                 i == sight->surface ? '>' : ' ', surface->name, surface->width, surface->height,
                 surface->samples > 1 ? " x 4" : "");
    }
    lines->row++;
}

/* The colours from 0 to `most`, and below them what they stand for. */
static enum status add_scale(const struct tile_sight *sight, double most, struct lines *lines)
{
    struct field steps, colours = {0};
    char text[QUANTITY_TEXT];
    enum status status = field_init(&steps, LEGEND, 2, 1);
    for (int i = 0; !status && i < 2 * LEGEND; i++)
        steps.values[i] = i % LEGEND;
    if (!status)
        status = field_heat(&steps, LEGEND - 1, &colours);
    if (!status)
        field_draw(&colours, lines->region.cells, lines->region.row + lines->row,
                   lines->region.column, sight->glyphs);
    lines->row++;
    add_line(lines, ROLE_AXIS, "0%*s+", LEGEND - 2, short_number(most, text));
    add_line(lines, ROLE_DIM, "%s, mean of a cell", tile_view_unit(sight->view));
    lines->row++;
    field_free(&steps);
    field_free(&colours);
    return status;
}

static void add_sums(const struct tile_sight *sight, const struct field *field, struct lines *lines)
{
    const size_t count = (size_t)field->width * field->height;
    double sum = 0, some = 0;
    char text[QUANTITY_TEXT];
    for (size_t i = 0; i < count; i++) {
        sum += field->values[i];
        some += field->values[i] > 0;
    }
    add_line(lines, ROLE_TEXT, "most of a line %8s", short_number(field_most(field), text));
    add_line(lines, ROLE_TEXT, "mean of all    %8s", short_number(sum / (double)count, text));
    add_line(lines, ROLE_TEXT, "lines with any %7.1f%%", 100 * some / (double)count);
    if (tile_view_sums(sight->view))
        add_line(lines, ROLE_TEXT, "%-14s %8s", tile_view_unit(sight->view),
                 short_number(sum, text));
}

static void add_load(const struct tile_frame *frame, struct lines *lines)
{
    const struct screen_balance balance = screen_load_balance(&frame->sums.load, frame->banks);
    char text[QUANTITY_TEXT];
    uint64_t sum = 0;
    for (uint32_t i = 0; i < frame->banks; i++)
        sum += frame->requests[i];
    add_line(lines, ROLE_ACCENT, "bank requests of mean    hits    stalls");
    for (uint32_t i = 0; i < frame->banks; i++) {
        const struct bank_counts *counts = &frame->counts[i];
        uint64_t stalls = 0;
        for (int k = BANK_RUNS + 1; k < BANK_STALLS; k++)
            stalls += counts->stalls[k];
        add_line(lines, ROLE_TEXT, "%4X %8" PRIu64 " %7.3f %6.2f%% %9s", i, frame->requests[i],
                 sum ? (double)frame->requests[i] * frame->banks / (double)sum : 0,
                 counts->accesses ? 100 - 100 * (double)counts->misses / (double)counts->accesses
                                  : 0,
                 short_number((double)stalls, text));
    }
    lines->row++;
    add_line(lines, ROLE_TEXT, "busiest %.3f of the mean,", balance.imbalance);
    add_line(lines, ROLE_TEXT, "%.3f within 64 requests", balance.window_imbalance);
}

/* ---- layout -----------------------------------------------------------------------------------
 */

static void draw_caption(const struct tile_sight *sight, const struct region *region)
{
    const struct tile_surface *surface = tile_sight_surface(sight);
    char text[LINE_TEXT];
    if (sight->view == TILE_VIEW_TIME)
        snprintf(text, sizeof text, "time: %s", tile_view_helps[sight->view]);
    else
        snprintf(text, sizeof text, "%s of %s: %s%s", tile_view_names[sight->view], surface->name,
                 tile_view_helps[sight->view], sight->frame->frames > 1 ? ", in all frames" : "");
    region_text(region, 0, 0, ROLE_TEXT, text);
}

/* Shrinks a field of three channels into a region; returns the columns that it took in *used. */
static enum status draw_fitted(const struct field *field, const struct region *region,
                               enum glyphs glyphs, int *used)
{
    struct field small;
    int rows;
    field_fit(field, region->rows, region->columns, &rows, used);
    if (region->rows < 1 || region->columns < 1)
        return STATUS_OK;
    const enum status status = field_scale(field, (uint32_t)*used, 2 * (uint32_t)rows, &small);
    if (!status)
        field_draw(&small, region->cells, region->row, region->column, glyphs);
    field_free(&small);
    return status;
}

static bool has_panel(const struct region *region)
{
    return region->columns >= PANEL_LEAST;
}

static struct region picture_part(const struct region *region)
{
    return region_part(region, 1, 0, region->rows - 1,
                       region->columns - (has_panel(region) ? PANEL : 0));
}

static struct lines panel_part(const struct region *region, int left)
{
    return (struct lines){
        has_panel(region) ? region_part(region, TILE_VIEW_HEADS - 1, left + 2, region->rows, PANEL)
                          : (struct region){region->cells, 0, 0, 0, 0},
        0};
}

static enum status frame_field(const struct tile_sight *sight, struct field *field)
{
    struct picture picture;
    enum status status =
        picture_of_surface(tile_sight_surface(sight), &sight->frame->memory, &picture);
    if (!status)
        status = field_of_picture(&picture, field);
    picture_free(&picture);
    return status;
}

static enum status draw_frame(const struct tile_sight *sight, const struct region *region)
{
    struct field field = {0};
    const struct region part = picture_part(region);
    int used = 0;
    enum status status = frame_field(sight, &field);
    if (!status)
        status = draw_fitted(&field, &part, sight->glyphs, &used);
    struct lines lines = panel_part(region, used);
    add_surfaces(sight, &lines);
    field_free(&field);
    return status;
}

static int ascending(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Where the scale ends: what 98 in 100 cells of those above 0 do not exceed, so that a few hot
 * spots do not leave all others in the dark. 0: there are none. */
static enum status scale_end(const struct field *cells, double *end)
{
    const size_t count = (size_t)cells->width * cells->height;
    double *some = malloc((count + 1) * sizeof *some);
    size_t used = 0;
    if (!some)
        return STATUS_MEMORY;
    for (size_t i = 0; i < count; i++)
        if (cells->values[i] > 0)
            some[used++] = cells->values[i];
    qsort(some, used, sizeof *some, ascending);
    *end = used ? some[(used - 1) * 98 / 100] : 0;
    free(some);
    return STATUS_OK;
}

static enum status draw_map(const struct tile_sight *sight, const struct region *region)
{
    struct field field = {0}, small = {0}, colours = {0};
    const struct region part = picture_part(region);
    int rows = 1, columns = 1;
    enum status status = tile_sight_map(sight, &field);
    field_fit(&field, part.rows, part.columns, &rows, &columns);
    if (!status)
        status = field_scale(&field, (uint32_t)columns, 2 * (uint32_t)rows, &small);
    double most = 0;
    if (!status)
        status = scale_end(&small, &most);
    if (!status)
        status = field_heat(&small, most, &colours);
    if (!status && part.rows > 0)
        field_draw(&colours, region->cells, part.row, part.column, sight->glyphs);
    struct lines lines = panel_part(region, columns);
    add_surfaces(sight, &lines);
    if (!status && has_panel(region)) {
        status = add_scale(sight, most, &lines);
        add_sums(sight, &field, &lines);
    }
    field_free(&field);
    field_free(&small);
    field_free(&colours);
    return status;
}

/* The lines around the middle, each a character: there the quadrants meet, too. */
static void draw_banks(const struct tile_sight *sight, const struct region *region)
{
    static const enum role roles[] = {ROLE_SERIES_1, ROLE_SERIES_2, ROLE_SERIES_3, ROLE_SERIES_4};
    const struct tile_surface *surface = tile_sight_surface(sight);
    const int across = (int)tile_columns(surface), down = (int)tile_rows(surface);
    const bool beside = has_panel(region);
    int columns = (region->columns - (beside ? BANK_COLUMNS : 0)) / 2;
    int rows = beside ? region->rows - 2 : (region->rows - 2) / 2;
    columns = columns < across ? columns : across;
    rows = rows < down ? rows : down;
    const int left = (across - columns) / 2, top = (down - rows) / 2;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            const uint32_t bank = tile_sight_bank(sight, (uint32_t)(left + x), (uint32_t)(top + y));
            region_put(region, 1 + y, 2 * x, (uint32_t)(unsigned char)"0123456789ABCDEF"[bank],
                       roles[bank % 4]);
        }
    char text[LINE_TEXT];
    snprintf(text, sizeof text, "columns %d to %d, rows %d to %d", left, left + columns - 1, top,
             top + rows - 1);
    region_text(region, 1 + rows, 0, ROLE_DIM, text);
    struct lines lines = {beside ? region_part(region, TILE_VIEW_HEADS - 1,
                                               region->columns - BANK_COLUMNS + 1, region->rows,
                                               BANK_COLUMNS)
                                 : region_part(region, rows + 2, 0, region->rows, region->columns),
                          0};
    if (beside)
        add_surfaces(sight, &lines);
    add_load(sight->frame, &lines);
}

/* ---- time -------------------------------------------------------------------------------------
 */

struct time_columns {
    double begin[TILE_PARTS_MAX], rate[TILE_LOADS][TILE_PARTS_MAX], imbalance[TILE_PARTS_MAX];
    size_t count;
};

/* At most `most` columns: neighbours become one. */
static void fill_time(const struct tile_frame *frame, size_t most, struct time_columns *columns)
{
    const struct tile_parts *parts = frame->parts;
    const size_t used = tile_frame_parts(frame), merged = most ? (used + most - 1) / most : 1;
    columns->count = 0;
    for (size_t i = 0; i < used; i += merged) {
        struct tile_part sum = {0};
        double load[TILE_LOADS];
        for (size_t k = i; k < i + merged && k < used; k++)
            tile_part_add(&sum, &parts->items[k]);
        tile_part_loads(&sum, frame->banks, load);
        const size_t at = columns->count++;
        const uint64_t begin = parts->cycles * i, left = frame->sums.cycles - begin;
        const double cycles = fmin((double)left, (double)(parts->cycles * merged));
        columns->begin[at] = (double)begin;
        for (unsigned k = 0; k < TILE_LOADS; k++)
            columns->rate[k][at] = 100 * load[k] / cycles;
        columns->imbalance[at] = load[1] > 0 ? load[0] / load[1] : NAN;
    }
}

static enum status draw_time(const struct tile_sight *sight, const struct region *region)
{
    static const char *const labels[TILE_LOADS] = {"busiest", "mean", "idlest"};
    static const enum role roles[TILE_LOADS] = {ROLE_SERIES_2, ROLE_SERIES_1, ROLE_SERIES_4};
    struct time_columns *columns = malloc(sizeof *columns);
    struct series series[TILE_LOADS];
    if (!columns)
        return STATUS_MEMORY;
    fill_time(sight->frame, (size_t)(region->columns / 2), columns);
    for (unsigned i = 0; i < TILE_LOADS; i++)
        series[i] = (struct series){.kind = SERIES_LINE,
                                    .role = roles[i],
                                    .x = columns->begin,
                                    .y = columns->rate[i],
                                    .count = columns->count,
                                    .label = labels[i]};
    const int upper = (region->rows - 1) * 3 / 5, lower = region->rows - 1 - upper;
    const struct chart load = {.series = series,
                               .series_count = TILE_LOADS,
                               .y = {.label = "requests of a bank in 100 cycles"},
                               .cursor = NAN,
                               .glyphs = sight->glyphs};
    chart_draw(&load, region->cells, region->row + 1, region->column, upper, region->columns);
    const struct series line = {.kind = SERIES_LINE,
                                .role = ROLE_SERIES_3,
                                .x = columns->begin,
                                .y = columns->imbalance,
                                .count = columns->count};
    const struct chart imbalance = {.series = &line,
                                    .series_count = 1,
                                    .x = {.label = "cycles"},
                                    .y = {.label = "busiest of the mean"},
                                    .cursor = NAN,
                                    .glyphs = sight->glyphs};
    chart_draw(&imbalance, region->cells, region->row + 1 + upper, region->column, lower,
               region->columns);
    free(columns);
    return STATUS_OK;
}

enum status tile_view_draw(const struct tile_sight *sight, struct cells *cells, int row, int column,
                           int rows, int columns)
{
    const struct region region = region_clip(cells, row, column, rows, columns);
    const char *refused = tile_view_refused(sight->frame, sight->view);
    region_clear(&region);
    draw_caption(sight, &region);
    if (refused) {
        region_text(&region, 2, 0, ROLE_BAD, refused);
        return STATUS_OK;
    }
    if (tile_view_unit(sight->view))
        return draw_map(sight, &region);
    if (sight->view == TILE_VIEW_TIME)
        return draw_time(sight, &region);
    if (sight->view == TILE_VIEW_FRAME)
        return draw_frame(sight, &region);
    draw_banks(sight, &region);
    return STATUS_OK;
}
