#include "cli/shared/manual.h"

#include <string.h>

#include "cli/shared/command.h"

struct arguments {
    const char *path;
    enum table_format format;
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'f':
        arguments->format = options_format(state, text);
        return 0;
    case ARGP_KEY_ARG:
        options_take(state, &arguments->path, text, "path");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The group itself and everything below it: "l1d" is l1d.size, l1d.mshr.entries, ... */
static bool is_below(const char *path, const char *group)
{
    size_t length = group ? strlen(group) : 0;
    while (length && group[length - 1] == '.')
        length--;
    return !length || (!strncmp(path, group, length) && (!path[length] || path[length] == '.'));
}

static enum status print_manual(const struct manual *manual, const struct arguments *arguments,
                                struct table *table, struct diagnostics *diagnostics)
{
    size_t rows = 0, last = 0;
    for (size_t i = 0; i < manual->count; i++)
        if (is_below(manual->path(i), arguments->path)) {
            manual->add_row(table, i);
            last = i;
            rows++;
        }
    if (!rows) {
        const char *near = manual->nearest(arguments->path);
        return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "no %s or group '%s'%s%s%s",
                                 manual->name, arguments->path, near ? "; did you mean '" : "",
                                 near ? near : "", near ? "'?" : "");
    }
    enum status status = table_print(table, arguments->format, stdout);
    if (!status && rows == 1 && manual->details && arguments->format == TABLE_TEXT)
        manual->details(last);
    if (!status && rows == manual->count && manual->appendix && arguments->format == TABLE_MARKDOWN)
        manual->appendix();
    return status;
}

int manual_run(const struct manual *manual, int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"format", 'f', "FORMAT", 0, "table (the default), md, json or csv", 0}, {0}};
    const struct argp argp = {options, parse_option, "[PATH]", manual->help, NULL, NULL, NULL};
    struct arguments arguments = {NULL, TABLE_TEXT};
    options_parse(&argp, argc, argv, &arguments);
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct table *table = table_create(manual->headers);
    enum status status = STATUS_MEMORY;
    if (table)
        status = print_manual(manual, &arguments, table, &diagnostics);
    table_free(table);
    return command_finish(status, &diagnostics);
}
