#include "ui/terminal/commands.h"

#include <string.h>

#include "base/diag.h"

const struct command_info command_table[COMMAND_COUNT] = {
#define COMMAND_ROW(constant, function, offer, name, arguments, hint, help)                        \
    {name, arguments, hint, help},
    COMMAND_LIST(COMMAND_ROW)
#undef COMMAND_ROW
};

/* Aliases that users of vi or less type by habit. */
static const struct {
    const char *name;
    enum command command;
} aliases[] = {
    {"q", COMMAND_QUIT},    {"q!", COMMAND_QUIT_NOW},    {"w", COMMAND_SAVE},
    {"e", COMMAND_OPEN},    {"h", COMMAND_HELP},         {"u", COMMAND_UNDO},
    {"open", COMMAND_OPEN}, {"open!", COMMAND_OPEN_NOW},
};

enum command command_find(const char *name)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (!strcmp(aliases[i].name, name))
            return aliases[i].command;
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (!strcmp(command_table[i].name, name))
            return (enum command)i;
    return COMMAND_COUNT;
}

const char *command_nearest(const char *name)
{
    const char *names[COMMAND_COUNT];
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        names[i] = command_table[i].name;
    return nearest_name(name, names, COMMAND_COUNT);
}
