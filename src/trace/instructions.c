#include "trace/instructions.h"

#include <stdlib.h>

enum status instruction_window_init(struct instruction_window *window, uint32_t capacity)
{
    *window = (struct instruction_window){.capacity = capacity};
    window->items = malloc(capacity * sizeof *window->items);
    return window->items ? STATUS_OK : STATUS_MEMORY;
}

void instruction_window_free(struct instruction_window *window)
{
    free(window->items);
    *window = (struct instruction_window){0};
}
