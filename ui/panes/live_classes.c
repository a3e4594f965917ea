#include "ui/panes/live_classes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/runs/reuse_chart.h"

bool live_classes_find(enum depth depth, const struct metric *rate,
                       const struct metric *classes[MISS_CLASSES])
{
    const char *end = strrchr(rate->path, '_');
    enum miss_class known[MISS_CLASSES];
    size_t count = miss_classes(depth, known);
    for (size_t i = 0; i < count; i++) {
        char path[96];
        snprintf(path, sizeof path, "%.*s.%s", end ? (int)(end - rate->path) : 0, rate->path,
                 miss_class_name(known[i], depth));
        classes[i] = metric_find(path);
        if (!classes[i])
            return false;
    }
    return count > 0;
}

static const enum role class_roles[MISS_CLASSES] = {[MISS_COMPULSORY] = ROLE_SERIES_1,
                                                    [MISS_CAPACITY] = ROLE_SERIES_2,
                                                    [MISS_ASSOCIATIVITY] = ROLE_SERIES_3,
                                                    [MISS_FLUSH] = ROLE_ACCENT,
                                                    [MISS_STORE] = ROLE_AXIS,
                                                    [MISS_LATENCY] = ROLE_SERIES_4,
                                                    [MISS_MSHR] = ROLE_BAD};

/* The classes as shares of their sum; returns how many there are, 0 if they are not known. */
static size_t class_shares(const struct explorer *explorer, const struct live_row *item,
                           double shares[MISS_CLASSES])
{
    size_t count = 0;
    double sum = 0;
    for (; count < MISS_CLASSES && item->classes[count]; count++)
        sum += shares[count] = metric_get(item->classes[count], &explorer->last.metrics);
    if (!explorer->last.request || isnan(sum))
        return 0;
    for (size_t i = 0; i < count; i++)
        shares[i] = sum > 0 ? shares[i] / sum : 0;
    return count;
}

/* Draws one bar, class by class, in the order of the words above it. */
static void classes_draw_stack(const struct canvas *canvas, int row, const enum miss_class *classes,
                               const double *shares, size_t count, bool now)
{
    static const char *const marks[MISS_CLASSES][2] = {
        [MISS_COMPULSORY] = {"#", "█"},    [MISS_CAPACITY] = {"=", "▓"},
        [MISS_ASSOCIATIVITY] = {"o", "▒"}, [MISS_FLUSH] = {"~", "▞"},
        [MISS_STORE] = {"+", "▤"},         [MISS_LATENCY] = {"-", "░"},
        [MISS_MSHR] = {"!", "▚"}};
    int width = canvas->rect.columns - 6, done = 0;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += shares[i];
        for (int end = (int)lround(sum * width); done < end; done++)
            canvas_text(canvas, row, 3 + done, 1, STYLE(now ? class_roles[classes[i]] : ROLE_DIM),
                        marks[classes[i]][canvas->glyphs != GLYPHS_ASCII]);
    }
}

/* Hide flush and store misses if there are none, as on many machines. */
static bool class_is_shown(enum miss_class class, double share)
{
    return share > 0 || (class != MISS_FLUSH && class != MISS_STORE);
}

/* How the classes are worded, the widest first. */
enum wording { WORDING_NAMES, WORDING_BRIEF, WORDING_WHOLE, WORDING_LARGEST, WORDINGS };

/* One class as text, "" if this wording leaves it out; returns its length. */
static int print_class(enum wording wording, enum miss_class class, enum depth depth, double share,
                       char text[ROW_TEXT])
{
    const char *name =
        wording == WORDING_NAMES ? miss_class_name(class, depth) : miss_class_brief(class, depth);
    text[0] = '\0';
    if (!class_is_shown(class, share) || (wording == WORDING_LARGEST && share < 0.005))
        return 0;
    return snprintf(text, ROW_TEXT, wording < WORDING_WHOLE ? "%s %.1f%%  " : "%s %.0f ", name,
                    100 * share);
}

/* The widest wording that fits the columns; the narrowest if none does. */
static enum wording choose_wording(const enum miss_class *classes, const double *shares,
                                   size_t count, enum depth depth, int columns)
{
    enum wording wording = WORDING_NAMES;
    for (; wording + 1 < WORDINGS; wording++) {
        char text[ROW_TEXT];
        int width = wording < WORDING_WHOLE ? -2 : 1; /* spaces at the end; or one "%" for all */
        for (size_t i = 0; i < count; i++)
            width += print_class(wording, classes[i], depth, shares[i], text);
        if (width <= columns)
            break;
    }
    return wording;
}

void live_classes_draw(const struct explorer *explorer, const struct canvas *canvas, int row,
                       const struct live_row *item)
{
    const enum depth depth = explorer->session->study.depth;
    enum miss_class classes[MISS_CLASSES];
    double shares[MISS_CLASSES];
    const size_t count = class_shares(explorer, item, shares);
    miss_classes(depth, classes);
    if (item->stacked) {
        classes_draw_stack(canvas, row, classes, shares, count, explorer_has_metrics(explorer));
        return;
    }
    if (!count && explorer->last.request && live_pane_pending(explorer, item->classes[0]))
        canvas_text(canvas, row, 3, 40, STYLE(ROLE_DIM), "classes of misses to come");
    const enum wording wording =
        choose_wording(classes, shares, count, depth, canvas->rect.columns - 3);
    /* Colour the words only if there is a bar that they explain. */
    bool colours = depth_can(depth, DEPTH_DISTANCES) && explorer_has_metrics(explorer);
    int column = 3;
    for (size_t i = 0; i < count; i++) {
        char text[ROW_TEXT];
        struct style style = STYLE(colours ? class_roles[classes[i]] : ROLE_DIM);
        if (print_class(wording, classes[i], depth, shares[i], text))
            column = canvas_printf(canvas, row, column, 60, style, "%s", text);
    }
    if (count && wording >= WORDING_WHOLE)
        canvas_text(canvas, row, column, 2, STYLE(ROLE_DIM), "%");
    if (count && wording == WORDING_NAMES &&
        column + (int)strlen("of misses") <= canvas->rect.columns)
        canvas_text(canvas, row, column, 12, STYLE(ROLE_DIM), "of misses");
}

void live_pane_draw_classes(const struct explorer *explorer, const struct canvas *canvas)
{
    enum { NAME = 17, NUMBERS = 17 };
    const struct live_pane *pane = &explorer->live;
    const enum depth depth = explorer->session->study.depth;
    const int bar = canvas->rect.columns - NAME - NUMBERS;
    enum miss_class classes[MISS_CLASSES];
    int row = 0;
    miss_classes(depth, classes);
    for (int i = 0; i < pane->count; i++) {
        const struct live_row *item = &pane->rows[i];
        double shares[MISS_CLASSES];
        if (!item->classes[0] || item->stacked)
            continue;
        const bool failed = live_pane_problem(explorer);
        const size_t count = failed ? 0 : class_shares(explorer, item, shares);
        const char *path = item->classes[0]->path;
        canvas_printf(canvas, row++, 1, NAME, STYLE_BOLD(ROLE_ACCENT), "%.*s",
                      (int)(strrchr(path, '.') - path), path);
        for (size_t k = 0; k < count; k++, row++) {
            char number[QUANTITY_TEXT];
            const double misses = metric_get(item->classes[k], &explorer->last.metrics);
            canvas_text(canvas, row, 3, NAME - 3, STYLE(ROLE_TEXT),
                        miss_class_name(classes[k], depth));
            canvas_bar(canvas, row, NAME, bar > 0 ? bar : 0, shares[k], class_roles[classes[k]]);
            canvas_printf(canvas, row, canvas->rect.columns - NUMBERS + 1, NUMBERS - 1,
                          STYLE(ROLE_TEXT), "%6.1f%% %7s", 100 * shares[k],
                          quantity_print_short(misses, UNIT_NONE, 3, number));
        }
        if (!count)
            canvas_text(canvas, row++, 3, NAME, STYLE(ROLE_DIM), failed ? "no value" : "to come");
        row++;
    }
}

void live_classes_describe(const struct explorer *explorer, const struct live_row *item,
                           char text[ROW_TEXT])
{
    int used = snprintf(text, ROW_TEXT, "%s", item->classes[0]->path);
    enum miss_class classes[MISS_CLASSES];
    miss_classes(explorer->session->study.depth, classes);
    for (size_t i = 1; i < MISS_CLASSES && item->classes[i]; i++)
        used += snprintf(text + used, (size_t)(ROW_TEXT - used), ", %s",
                         miss_class_name(classes[i], explorer->session->study.depth));
    snprintf(text + used, (size_t)(ROW_TEXT - used), ": shares of the misses");
}
