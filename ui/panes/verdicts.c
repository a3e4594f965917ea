#include "ui/panes/verdicts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/units.h"

bool verdicts_known(const struct engine_detail *detail)
{
    for (size_t i = 0; i < detail->pc_count; i++)
        if (detail->pcs[i].taken || detail->pcs[i].bypassed)
            return true;
    return false;
}

enum column { PC, MISSES, RATE, PAST, LINES, SINCE, L1DS, LATENCY, STALL, COLUMNS };

static const struct {
    const char *head;
    int width;
} columns[COLUMNS] = {
    [PC] = {"pc", 8},      [MISSES] = {"misses", 8},     [RATE] = {"rate", 7},
    [PAST] = {"past", 7},  [LINES] = {"lines/hits", 11}, [SINCE] = {"since", 9},
    [L1DS] = {"L1Ds", 10}, [LATENCY] = {"latency", 9},   [STALL] = {"stall", 7},
};

static void print_share(uint64_t part, uint64_t whole, char text[QUANTITY_TEXT])
{
    if (whole)
        quantity_print_short((double)part / (double)whole, UNIT_PERCENT, 3, text);
    else
        snprintf(text, QUANTITY_TEXT, "-");
}

static void verdicts_print_count(uint64_t count, char text[QUANTITY_TEXT])
{
    quantity_print_short((double)count, UNIT_NONE, 3, text);
}

/* "35k/194": both fit a narrow column. */
static void print_pair(uint64_t first, uint64_t second, char text[2 * QUANTITY_TEXT])
{
    const uint64_t both[2] = {first, second};
    char parts[2][QUANTITY_TEXT];
    for (int i = 0; i < 2; i++) {
        if (both[i] < 10000)
            snprintf(parts[i], sizeof parts[i], "%" PRIu64, both[i]);
        else
            quantity_print_short((double)both[i], UNIT_NONE, both[i] < 100000 ? 2 : 3, parts[i]);
    }
    snprintf(text, 2 * QUANTITY_TEXT, "%s/%s", parts[0], parts[1]);
}

static void verdicts_print_cell(enum column column, const struct engine_detail *detail,
                                const struct pc_count *pc, char text[2 * QUANTITY_TEXT])
{
    const bool judged = pc->taken || pc->bypassed;
    snprintf(text, 2 * QUANTITY_TEXT, "-");
    switch (column) {
    case PC:
        snprintf(text, 2 * QUANTITY_TEXT, "0x%04" PRIx32, pc->pc);
        break;
    case MISSES:
        verdicts_print_count(pc->misses, text);
        break;
    case RATE:
        print_share(pc->misses, pc->accesses, text);
        break;
    case PAST:
        print_share(pc->bypassed, pc->taken + pc->bypassed, text);
        break;
    case LINES:
        if (judged)
            print_pair(pc->evicted, pc->rehits, text);
        break;
    case SINCE:
        if (pc->since)
            verdicts_print_count(pc->since - 1, text);
        break;
    case L1DS:
        if (judged)
            print_pair(pc->passing, pc->missing, text);
        break;
    case LATENCY:
        if (pc->loads)
            quantity_print_short((double)pc->load_cycles / (double)pc->loads, UNIT_NONE, 3, text);
        break;
    default:
        print_share(pc->stalls, detail->stalls, text);
    }
}

void verdicts_draw_heads(const struct canvas *canvas)
{
    const struct style style = STYLE_BOLD(ROLE_ACCENT);
    int at = 1;
    for (int i = 0; i < COLUMNS && at + columns[i].width < canvas->rect.columns; i++) {
        if (i == PC)
            canvas_text(canvas, 0, at, columns[i].width, style, columns[i].head);
        else
            canvas_right(canvas, 0, at, columns[i].width, style, columns[i].head);
        at += columns[i].width;
    }
}

void verdicts_draw(const struct canvas *canvas, int row, const struct engine_detail *detail,
                   size_t index, struct style style)
{
    const struct pc_count *pc = &detail->pcs[index];
    int at = 1;
    for (int i = 0; i < COLUMNS && at + columns[i].width < canvas->rect.columns; i++) {
        char text[2 * QUANTITY_TEXT];
        verdicts_print_cell((enum column)i, detail, pc, text);
        if (i == PC)
            canvas_text(canvas, row, at, columns[i].width, style, text);
        else
            canvas_right(canvas, row, at, columns[i].width, style, text);
        at += columns[i].width;
    }
    if (canvas->rect.columns - at > 12)
        canvas_text(canvas, row, at + 2, canvas->rect.columns - at - 3, style,
                    detail->kernels[index]);
}

int verdicts_describe(const struct pc_count *pc, char *text, int used, int size)
{
    if (used >= size || (!pc->taken && !pc->bypassed))
        return used;
    char *end = text + used;
    const size_t room = (size_t)(size - used);
    if (pc->bypassed)
        return used + snprintf(end, room,
                               "; bypasses %" PRIu64 " of %" PRIu64 " L1Ds since cycle %" PRIu64
                               ": %" PRIu64 " lines evicted, %" PRIu64 " hits",
                               pc->passing, pc->missing, pc->since - 1, pc->evicted, pc->rehits);
    return used + snprintf(end, room, "; allocates: %" PRIu64 " evicted, %" PRIu64 " hits",
                           pc->evicted, pc->rehits);
}
