#include "report/runs/cycle_stack.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"

enum { LABEL = 10, LEGEND_ROWS = STACK_PARTS_MAX, BAR_MAX = 200, ENTRY = 48 };

static const struct part {
    const char *path, *name;
    size_t offset; /* of its share in struct metrics */
} parts[STACK_LEVELS][STACK_PARTS_MAX] = {
#define CYCLE_PART(X, field, path, what)                                                           \
    {path, #field, offsetof(struct metrics, core_slots_##field)},
#define MEMORY_PART(X, field, path, what)                                                          \
    {path, #field, offsetof(struct metrics, core_memory_##field)},
    [STACK_CYCLES] = {SLOT_LIST(CYCLE_PART, )}, [STACK_MEMORY] = {MEMORY_SLOT_LIST(MEMORY_PART, )}};
#undef CYCLE_PART
#undef MEMORY_PART
static const size_t part_counts[STACK_LEVELS] = {SLOT_COUNT, MEMORY_SLOT_COUNT};

/* How the parts of a level look, in order: no two have a colour or a glyph in common. */
static const struct look {
    uint32_t marks[2]; /* in ASCII, in Unicode */
    enum role role;
} looks[STACK_PARTS_MAX] = {{{'#', 0x2588}, ROLE_SERIES_1}, /* full block */
                            {{'=', 0x2593}, ROLE_SERIES_2}, /* dark shade */
                            {{'-', 0x2591}, ROLE_SERIES_4}, /* light shade */
                            {{'o', 0x2592}, ROLE_SERIES_3}, /* medium shade */
                            {{'+', 0x25a4}, ROLE_SERIES_5}, /* horizontal lines */
                            {{'~', 0x259e}, ROLE_BAD},      /* two quadrants */
                            {{'.', 0xb7}, ROLE_AXIS},       /* middle dot */
                            {{'@', 0x25a5}, ROLE_SERIES_6}, /* vertical lines */
                            {{'*', 0x25a7}, ROLE_SERIES_7}, /* lines falling */
                            {{'!', 0x259a}, ROLE_SERIES_8}, /* the other two quadrants */
                            {{':', 0x25a8}, ROLE_TEXT}};    /* lines rising */

size_t cycle_stack_parts(enum stack_level level)
{
    return part_counts[level];
}

const char *cycle_stack_path(enum stack_level level, size_t part)
{
    return parts[level][part].path;
}

const char *cycle_stack_name(enum stack_level level, size_t part)
{
    return parts[level][part].name;
}

uint32_t cycle_stack_glyph(size_t part, enum glyphs glyphs)
{
    return looks[part].marks[glyphs != GLYPHS_ASCII];
}

enum role cycle_stack_role(size_t part)
{
    return looks[part].role;
}

double cycle_stack_share(enum stack_level level, size_t part, const struct metrics *metrics)
{
    double share;
    memcpy(&share, (const char *)metrics + parts[level][part].offset, sizeof share);
    return share;
}

bool cycle_stack_known(enum stack_level level, const struct metrics *metrics)
{
    for (size_t i = 0; i < part_counts[level]; i++)
        if (isnan(cycle_stack_share(level, i, metrics)))
            return false;
    return true;
}

bool cycle_stack_has(const struct metric *metric)
{
    for (unsigned level = 0; level < STACK_LEVELS; level++)
        for (size_t i = 0; i < part_counts[level]; i++)
            if (parts[level][i].offset == metric->offset)
                return true;
    return false;
}

/* The share of all cycles that comes before a level: what memory waited for stands below memory. */
static double share_before(enum stack_level level, const struct metrics *metrics)
{
    double sum = 0;
    for (size_t i = 0; level == STACK_MEMORY && i < SLOT_memory; i++)
        sum += cycle_stack_share(STACK_CYCLES, i, metrics);
    return sum;
}

void cycle_stack_bar(const struct region *region, int row, int column, int width,
                     enum stack_level level, const struct metrics *metrics, enum glyphs glyphs,
                     bool dim)
{
    double sum = share_before(level, metrics);
    if (!cycle_stack_known(level, metrics) || isnan(sum))
        return;
    long done = lround(sum * width);
    for (size_t i = 0; i < part_counts[level]; i++) {
        sum += cycle_stack_share(level, i, metrics);
        for (const long end = lround(fmin(sum, 1) * width); done < end; done++)
            region_put(region, row, column + (int)done, cycle_stack_glyph(i, glyphs),
                       dim ? ROLE_DIM : looks[i].role);
    }
}

/* Writes what there is of each part, and returns how many rows that takes. */
static int draw_legend(const struct region *all, int row, enum stack_level level,
                       const struct metrics *metrics, enum glyphs glyphs)
{
    const int first = row;
    int column = LABEL;
    for (size_t i = 0; i < part_counts[level]; i++) {
        const double share = cycle_stack_share(level, i, metrics);
        char text[ENTRY], number[QUANTITY_TEXT];
        if (share <= 0)
            continue;
        snprintf(text, sizeof text, "%s %s", parts[level][i].name,
                 quantity_print_short(share, UNIT_PERCENT, 3, number));
        const int width = 2 + (int)utf8_columns(text);
        if (column > LABEL && column + width > all->columns) {
            row++;
            column = LABEL;
        }
        region_put(all, row, column, cycle_stack_glyph(i, glyphs), looks[i].role);
        region_text(all, row, column + 2, ROLE_TEXT, text);
        column += width + 2;
    }
    return row - first + 1;
}

enum status cycle_stack_print(const struct metrics *metrics, int columns, enum glyphs glyphs,
                              FILE *out)
{
    static const char *const labels[STACK_LEVELS] = {"cycles", "memory"};
    struct cells cells;
    const int bar = columns - LABEL < BAR_MAX ? columns - LABEL : BAR_MAX;
    if (bar <= 0 || !cycle_stack_known(STACK_CYCLES, metrics))
        return STATUS_OK;
    if (cells_init(&cells, STACK_LEVELS * (1 + LEGEND_ROWS), columns))
        return STATUS_MEMORY;
    const struct region all = region_clip(&cells, 0, 0, cells.rows, cells.columns);
    int row = 0;
    for (unsigned i = 0; i < STACK_LEVELS; i++) {
        const enum stack_level level = (enum stack_level)i;
        if (level == STACK_MEMORY && !(metrics->core_slots_memory > 0))
            continue;
        region_text(&all, row, 0, ROLE_TEXT, labels[level]);
        cycle_stack_bar(&all, row++, LABEL, bar, level, metrics, glyphs, false);
        row += draw_legend(&all, row, level, metrics, glyphs);
    }
    cells.rows = row;
    cells_print(&cells, out);
    cells_free(&cells);
    return STATUS_OK;
}

size_t cycle_stack_series(const struct metrics *const *metrics, const double *begin,
                          const double *end, size_t count, double *shares, enum glyphs glyphs,
                          struct series series[STACK_PARTS_MAX])
{
    for (size_t part = 0; part < SLOT_COUNT; part++) {
        double *own = shares + part * count;
        for (size_t i = 0; i < count; i++)
            own[i] = cycle_stack_share(STACK_CYCLES, part, metrics[i]);
        series[part] = (struct series){.kind = SERIES_STACK,
                                       .role = cycle_stack_role(part),
                                       .x = begin,
                                       .end = end,
                                       .y = own,
                                       .count = count,
                                       .label = cycle_stack_name(STACK_CYCLES, part),
                                       .fill = cycle_stack_glyph(part, glyphs)};
    }
    return SLOT_COUNT;
}
