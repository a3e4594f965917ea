#include "report/cycle_stack.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "report/region.h"

enum { LABEL = 10, LEGEND_ROWS = SLOT_COUNT, BAR_MAX = 200, ENTRY = 48 };

static const struct slot_row {
    const char *name;
    size_t offset; /* of its share in struct metrics */
} slots[SLOT_COUNT] = {
#define SLOT_ROW(X, field, name, help) {#field, offsetof(struct metrics, core_slots_##field)},
    SLOT_LIST(SLOT_ROW, )
#undef SLOT_ROW
};

const char *cycle_stack_name(enum core_slot slot)
{
    return slots[slot].name;
}

uint32_t cycle_stack_glyph(enum core_slot slot, enum glyphs glyphs)
{
    if (slot == SLOT_issued)
        return glyphs == GLYPHS_ASCII ? '#' : 0x2588;
    return slot == SLOT_idle ? '.' : (uint32_t)slots[slot].name[0];
}

enum role cycle_stack_role(enum core_slot slot)
{
    return slot == SLOT_issued ? ROLE_GOOD : slot == SLOT_idle ? ROLE_DIM : ROLE_TEXT;
}

double cycle_stack_share(const struct metrics *metrics, enum core_slot slot)
{
    return *(const double *)((const char *)metrics + slots[slot].offset);
}

bool cycle_stack_fill(const struct metrics *metrics, int cells, enum core_slot *kinds)
{
    double sum = 0;
    int at = 0;
    for (unsigned i = 0; i < SLOT_COUNT; i++) {
        const double share = cycle_stack_share(metrics, (enum core_slot)i);
        if (isnan(share))
            return false;
        sum += share;
        const int end = i + 1 < SLOT_COUNT ? (int)lround(fmin(sum, 1) * cells) : cells;
        while (at < end)
            kinds[at++] = (enum core_slot)i;
    }
    return true;
}

/* Writes what there is of each kind, and returns how many rows that takes. */
static int draw_legend(const struct metrics *metrics, enum glyphs glyphs, const struct region *all)
{
    int row = 1, column = LABEL;
    for (unsigned i = 0; i < SLOT_COUNT; i++) {
        const double share = cycle_stack_share(metrics, (enum core_slot)i);
        char text[ENTRY], number[QUANTITY_TEXT];
        if (share <= 0)
            continue;
        snprintf(text, sizeof text, "%s %s", slots[i].name,
                 quantity_print_short(share, UNIT_PERCENT, 3, number));
        const int width = 2 + (int)utf8_columns(text);
        if (column > LABEL && column + width > all->columns) {
            row++;
            column = LABEL;
        }
        region_put(all, row, column, cycle_stack_glyph((enum core_slot)i, glyphs),
                   cycle_stack_role((enum core_slot)i));
        region_text(all, row, column + 2, ROLE_TEXT, text);
        column += width + 2;
    }
    return row + 1;
}

enum status cycle_stack_print(const struct metrics *metrics, int columns, enum glyphs glyphs,
                              FILE *out)
{
    enum core_slot kinds[BAR_MAX];
    struct cells cells;
    int bar = columns - LABEL < BAR_MAX ? columns - LABEL : BAR_MAX;
    if (bar <= 0 || !cycle_stack_fill(metrics, bar, kinds))
        return STATUS_OK;
    if (cells_init(&cells, 1 + LEGEND_ROWS, columns))
        return STATUS_MEMORY;
    const struct region all = region_clip(&cells, 0, 0, cells.rows, cells.columns);
    region_text(&all, 0, 0, ROLE_TEXT, "cycles");
    for (int i = 0; i < bar; i++)
        region_put(&all, 0, LABEL + i, cycle_stack_glyph(kinds[i], glyphs),
                   cycle_stack_role(kinds[i]));
    cells.rows = draw_legend(metrics, glyphs, &all);
    cells_print(&cells, out);
    cells_free(&cells);
    return STATUS_OK;
}
