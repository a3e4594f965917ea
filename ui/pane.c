#include "ui/pane.h"

#include <stdlib.h>
#include <string.h>

static const struct pane_ops *const table[CONTEXT_COUNT] = {
    [CONTEXT_GLOBAL] = &machine_ops, [CONTEXT_MACHINE] = &machine_ops,
    [CONTEXT_LIVE] = &live_ops,      [CONTEXT_CHART] = &chart_ops,
    [CONTEXT_SWEEP] = &sweep_ops,    [CONTEXT_EXPLORE] = &explore_ops,
    [CONTEXT_TRACE] = &trace_ops,    [CONTEXT_WALKS] = &walks_ops,
    [CONTEXT_SETS] = &sets_ops,      [CONTEXT_LANES] = &lanes_ops,
    [CONTEXT_TILE] = &tile_pane_ops, [CONTEXT_QUEUE] = &queue_ops,
    [CONTEXT_REPORT] = &report_ops,  [CONTEXT_AREA] = &area_ops,
    [CONTEXT_LOG] = &log_ops,        [CONTEXT_HELP] = &help_ops,
};

const struct pane_ops *pane_ops(enum context context)
{
    return table[context];
}

enum context pane_context(enum pane pane)
{
    static const enum context contexts[PANE_COUNT] = {CONTEXT_MACHINE, CONTEXT_LIVE, CONTEXT_CHART,
                                                      CONTEXT_SWEEP};
    return contexts[pane];
}

enum context explorer_context(const struct explorer *explorer)
{
    static const enum context views[VIEW_COUNT] = {
        CONTEXT_GLOBAL, CONTEXT_EXPLORE, CONTEXT_TRACE,  CONTEXT_WALKS, CONTEXT_SETS, CONTEXT_LANES,
        CONTEXT_TILE,   CONTEXT_QUEUE,   CONTEXT_REPORT, CONTEXT_AREA,  CONTEXT_LOG,  CONTEXT_HELP};
    if (explorer->view == VIEW_WORKSPACE)
        return pane_context(explorer->focus);
    return views[explorer->view];
}

int pane_heads(const struct explorer *explorer, const struct pane_ops *ops)
{
    return ops->heads_now ? ops->heads_now(explorer) : ops->heads;
}

int pane_visible(const struct explorer *explorer, enum context context)
{
    struct rect rect = explorer->layout.view;
    for (int pane = 0; pane < PANE_COUNT; pane++)
        if (pane_context((enum pane)pane) == context)
            rect = explorer->layout.panes[pane];
    int rows = rect.rows - 1 - pane_heads(explorer, table[context]);
    return rows > 1 ? rows : 1;
}

const char *path_print(const char *path, char text[ROW_TEXT])
{
    const char *home = getenv("HOME");
    size_t length = home ? strlen(home) : 0;
    bool inside = length > 1 && !strncmp(path, home, length) && path[length] == '/';
    snprintf(text, ROW_TEXT, "%s%s", inside ? "~" : "", inside ? path + length : path);
    return text;
}

void list_move(struct list *list, int count, int by)
{
    long long wanted = (long long)list->selected + by;
    if (wanted >= count)
        wanted = count - 1;
    list->selected = wanted < 0 ? 0 : (int)wanted;
}

void list_reveal(struct list *list, int count, int visible)
{
    list_move(list, count, 0);
    if (list->selected < list->top)
        list->top = list->selected;
    if (list->selected >= list->top + visible)
        list->top = list->selected - visible + 1;
    if (list->top > count - visible)
        list->top = count > visible ? count - visible : 0;
}
