#include "ui/panes/list.h"

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
