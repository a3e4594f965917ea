#include "ui/panes/pane.h"

#define PANE_OPS(constant, name, help) [CONTEXT_##constant] = &name##_pane_ops,
static const struct pane_ops *const table[CONTEXT_COUNT] = {
    [CONTEXT_GLOBAL] = &machine_pane_ops, PANE_LIST(PANE_OPS) VIEW_LIST(PANE_OPS)};
#undef PANE_OPS

const struct pane_ops *pane_ops(enum context context)
{
    return table[context];
}

enum context explorer_context(const struct explorer *explorer)
{
    return explorer->view == VIEW_WORKSPACE ? pane_context(explorer->focus)
                                            : view_context(explorer->view);
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
