/* The selected row of a list, and the first one that is on the screen. */
#pragma once

struct list {
    int selected, top;
};

/* Moves the selection by `by`, kept inside; `count` 0 selects 0. */
void list_move(struct list *list, int count, int by);
/* Scrolls so that the selection is visible and no rows stay empty at the end. */
void list_reveal(struct list *list, int count, int visible);
