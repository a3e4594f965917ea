#include "ui/cycle_stack.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { PARTS_MAX = MEMORY_SLOT_COUNT, MARGIN = 3, NAME = 17, NUMBER = 7, WORD = 48 };

static const struct part {
    const char *path;
    size_t offset; /* of the metric */
} parts[STACK_LEVELS][PARTS_MAX] = {
#define CYCLE_PART(X, field, path, what)  {path, offsetof(struct metrics, core_slots_##field)},
#define MEMORY_PART(X, field, path, what) {path, offsetof(struct metrics, core_memory_##field)},
    [STACK_CYCLES] = {SLOT_LIST(CYCLE_PART, )}, [STACK_MEMORY] = {MEMORY_SLOT_LIST(MEMORY_PART, )}};
static const size_t part_counts[STACK_LEVELS] = {SLOT_COUNT, MEMORY_SLOT_COUNT};

/* How the parts of a level look, in order. */
static const struct look {
    const char *marks[2]; /* in ASCII, in Unicode */
    enum role role;
} looks[PARTS_MAX] = {
    {{"#", "█"}, ROLE_SERIES_1}, {{"=", "▓"}, ROLE_SERIES_2}, {{"-", "░"}, ROLE_SERIES_4},
    {{"o", "▒"}, ROLE_SERIES_3}, {{"+", "▤"}, ROLE_ACCENT},   {{"~", "▞"}, ROLE_BAD},
    {{".", "·"}, ROLE_AXIS},     {{"@", "▥"}, ROLE_SERIES_1}, {{"*", "▧"}, ROLE_SERIES_2},
    {{"!", "▚"}, ROLE_SERIES_3}, {{":", "▨"}, ROLE_BAD}};

bool cycle_stack_has(const struct metric *metric)
{
    for (unsigned level = 0; level < STACK_LEVELS; level++)
        for (size_t i = 0; i < part_counts[level]; i++)
            if (parts[level][i].offset == metric->offset)
                return true;
    return false;
}

static double share_of(enum stack_level level, size_t part, const struct metrics *metrics)
{
    double share;
    memcpy(&share, (const char *)metrics + parts[level][part].offset, sizeof share);
    return share;
}

bool cycle_stack_known(const struct metrics *metrics)
{
    return !isnan(share_of(STACK_CYCLES, 0, metrics));
}

/* "issued", "mshr_merge" */
static const char *name_of(enum stack_level level, size_t part)
{
    return strrchr(parts[level][part].path, '.') + 1;
}

static const char *mark_of(const struct canvas *canvas, size_t part)
{
    return looks[part].marks[canvas->glyphs != GLYPHS_ASCII];
}

/* One part in words, "" if its share is below `least`; returns its columns. */
static int print_part(const struct canvas *canvas, enum stack_level level, size_t part,
                      double share, double least, char text[WORD])
{
    text[0] = '\0';
    if (!(share >= least))
        return 0;
    snprintf(text, WORD, "%s%s %.0f ", mark_of(canvas, part), name_of(level, part), 100 * share);
    return (int)strlen(text) - (int)strlen(mark_of(canvas, part)) + 1;
}

/* The least share for which the words fit from a column on. */
static double choose_least(const struct canvas *canvas, enum stack_level level, int column,
                           const struct metrics *metrics)
{
    enum { DOUBLINGS = 8 };
    double least = 0.005;
    for (unsigned i = 0; i < DOUBLINGS; i++, least *= 2) {
        char text[WORD];
        int width = column + 1; /* "%" for all */
        for (size_t part = 0; part < part_counts[level]; part++)
            width += print_part(canvas, level, part, share_of(level, part, metrics), least, text);
        if (width <= canvas->rect.columns)
            break;
    }
    return least;
}

void cycle_stack_words(const struct canvas *canvas, int row, enum stack_level level,
                       const struct metrics *metrics, bool colours)
{
    int column = MARGIN;
    if (level == STACK_MEMORY)
        column = canvas_text(canvas, row, MARGIN, WORD, STYLE(ROLE_DIM), "memory: ");
    const double least = choose_least(canvas, level, column, metrics);
    for (size_t i = 0; i < part_counts[level]; i++) {
        char text[WORD];
        if (print_part(canvas, level, i, share_of(level, i, metrics), least, text))
            column = canvas_printf(canvas, row, column, WORD,
                                   STYLE(colours ? looks[i].role : ROLE_DIM), "%s", text);
    }
    canvas_text(canvas, row, column, 1, STYLE(ROLE_DIM), "%");
}

/* The share of all cycles that comes before a level: what memory waited for stands below memory. */
static double share_before(enum stack_level level, const struct metrics *metrics)
{
    double sum = 0;
    for (size_t i = 0; level == STACK_MEMORY && i < SLOT_memory; i++)
        sum += share_of(STACK_CYCLES, i, metrics);
    return sum;
}

void cycle_stack_bar(const struct canvas *canvas, int row, enum stack_level level,
                     const struct metrics *metrics, bool colours)
{
    const int width = canvas->rect.columns - 2 * MARGIN;
    double sum = share_before(level, metrics);
    int done = (int)lround(sum * width);
    for (size_t i = 0; i < part_counts[level]; i++) {
        sum += share_of(level, i, metrics);
        for (const int end = (int)lround(sum * width); done < end; done++)
            canvas_text(canvas, row, MARGIN + done, 1, STYLE(colours ? looks[i].role : ROLE_DIM),
                        mark_of(canvas, i));
    }
}

void cycle_stack_list(const struct canvas *canvas, const struct metrics *metrics)
{
    static const char *const heads[STACK_LEVELS] = {"cycles of schedulers", "core.stall.memory"};
    const int bar = canvas->rect.columns - NAME - NUMBER - 1;
    int row = 0;
    for (unsigned level = 0; level < STACK_LEVELS; level++, row++) {
        canvas_text(canvas, row++, 1, canvas->rect.columns - 1, STYLE_BOLD(ROLE_ACCENT),
                    heads[level]);
        for (size_t i = 0; i < part_counts[level]; i++) {
            const double share = share_of((enum stack_level)level, i, metrics);
            if (level == STACK_MEMORY && !(share > 0))
                continue;
            canvas_printf(canvas, row, 1, NAME, STYLE(ROLE_TEXT), "%s %s", mark_of(canvas, i),
                          name_of((enum stack_level)level, i));
            canvas_bar(canvas, row, NAME, bar > 0 ? bar : 0, share, looks[i].role);
            canvas_printf(canvas, row++, canvas->rect.columns - NUMBER, NUMBER, STYLE(ROLE_TEXT),
                          "%5.1f%%", 100 * share);
        }
    }
}

void cycle_stack_describe(enum stack_level level, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", parts[level][0].path);
    for (size_t i = 1; i < part_counts[level] && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, ", %s", name_of(level, i));
    if (used < size)
        snprintf(text + used, size - used, ": shares of the schedulers' cycles");
}
