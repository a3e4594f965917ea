#include "ui/terminal/contexts.h"

#include <string.h>

#define NAME_ROW(constant, name, help) #name,
#define HELP_ROW(constant, name, help) help,
const char *const context_names[CONTEXT_COUNT] = {CONTEXT_LIST(NAME_ROW)};
const char *const context_helps[CONTEXT_COUNT] = {CONTEXT_LIST(HELP_ROW)};
const char *const pane_names[PANE_COUNT + 1] = {PANE_LIST(NAME_ROW)};
const char *const view_names[VIEW_COUNT + 1] = {"workspace", VIEW_LIST(NAME_ROW)};
#undef NAME_ROW
#undef HELP_ROW

enum context context_find(const char *name)
{
    int context = 0;
    while (context < CONTEXT_COUNT && strcmp(context_names[context], name) != 0)
        context++;
    return (enum context)context;
}

enum context pane_context(enum pane pane)
{
    return (enum context)(CONTEXT_GLOBAL + 1 + (int)pane);
}

enum context view_context(enum view view)
{
    return (enum context)(WORKSPACE_CONTEXTS + (int)view);
}
