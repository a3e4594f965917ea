#include "cli/shared/manual.h"

#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "cli/shared/command.h"

struct arguments {
    const char *path;
    enum table_format format;
};

/* True for the group itself and for all paths below it: "l1d" matches l1d.size, l1d.mshr.entries,
 * ... */
static bool is_below(const char *path, const char *group)
{
    size_t length = group ? strlen(group) : 0;
    while (length && group[length - 1] == '.')
        length--;
    return !length || (!strncmp(path, group, length) && (!path[length] || path[length] == '.'));
}

/* How PATH is understood. The first way that finds a row is the one that was meant. */
enum meaning { MEANS_GROUP, MEANS_KIND, MEANS_PART, MEANING_COUNT };

static bool is_asked(const struct manual *manual, size_t index, const char *asked,
                     enum meaning meaning)
{
    switch (meaning) {
    case MEANS_GROUP:
        return is_below(manual->path(index), asked);
    case MEANS_KIND:
        return manual->kind && !strcmp(manual->kind(index), asked);
    default:
        return strcasestr(manual->path(index), asked) != NULL;
    }
}

/* The group, up to the first dot of a path, that is nearest to a name; "" if none is near. */
static void suggest_group(const struct manual *manual, const char *asked,
                          char hint[SUGGESTION_TEXT])
{
    char nearest[SUGGESTION_TEXT / 2] = "", group[sizeof nearest];
    for (size_t i = 0; i < manual->count; i++) {
        const char *path = manual->path(i), *const both[] = {nearest, group};
        snprintf(group, sizeof group, "%.*s", (int)strcspn(path, "."), path);
        if (nearest_name(asked, both, 2) == group)
            memcpy(nearest, group, sizeof nearest);
    }
    suggestion(*nearest ? nearest : NULL, hint);
}

static enum status print_manual(const struct manual *manual, const struct arguments *arguments,
                                struct table *table, struct diagnostics *diagnostics)
{
    size_t rows = 0, last = 0;
    for (int meaning = 0; meaning < MEANING_COUNT && !rows; meaning++)
        for (size_t i = 0; i < manual->count; i++)
            if (is_asked(manual, i, arguments->path, (enum meaning)meaning)) {
                manual->add_row(table, i);
                last = i;
                rows++;
            }
    if (!rows) {
        char hint[SUGGESTION_TEXT];
        if (!*manual->suggestion(arguments->path, hint))
            suggest_group(manual, arguments->path, hint);
        return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "no %s or group '%s'%s",
                                 manual->name, arguments->path, hint);
    }
    table_fit(table, options_columns(STDOUT_FILENO));
    enum status status = table_print(table, arguments->format, stdout);
    if (!status && rows == 1 && manual->details && arguments->format == TABLE_TEXT)
        manual->details(last);
    if (!status && rows == manual->count && manual->appendix && arguments->format == TABLE_MARKDOWN)
        manual->appendix();
    return status;
}

int manual_run(const struct manual *manual, int argc, char **argv)
{
    struct arguments arguments = {NULL, TABLE_TEXT};
    const struct option_row options[] = {OPTION_FORMAT(&arguments.format), {0}};
    const struct command_line line = {.options = options,
                                      .usage = "[PATH]",
                                      .help = manual->help,
                                      .operand = {.name = "path",
                                                  .value = manual->completes,
                                                  .read = option_once,
                                                  .slot = &arguments.path}};
    options_parse(&line, argc, argv);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct table *table = table_create(manual->headers);
    enum status status = STATUS_MEMORY;
    if (table)
        status = print_manual(manual, &arguments, table, &diagnostics);
    table_free(table);
    return command_finish(status, &diagnostics);
}
