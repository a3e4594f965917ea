/* warpscape params: the manual of parameters, printed from the parameter table
 * (schema/parameters.h). docs/PARAMETERS.md is its output. */
#include <stdio.h>
#include <string.h>

#include "cli/results/results.h"
#include "cli/shared/command.h"
#include "cli/shared/manual.h"
#include "schema/moved_settings.h"
#include "schema/parameters.h"

#define ROLE_SENTENCE(constant, name, help) name ": " help "; "

static const char *step_text(const struct parameter *parameter, char text[VALUE_TEXT])
{
    char quantity[QUANTITY_TEXT];
    bool choice = parameter->type == PARAMETER_BOOL || parameter->type == PARAMETER_ENUM;
    switch (parameter->stepping) {
    case STEP_DOUBLE:
        return "x2; others may be typed";
    case STEP_POWER:
        return "x2 only";
    case STEP_ADD:
        if (choice)
            return "next choice";
        if (parameter->type == PARAMETER_REAL)
            quantity_print_real(parameter->step, parameter->unit, quantity);
        else
            quantity_print_uint((uint64_t)parameter->step, parameter->unit, quantity);
        snprintf(text, VALUE_TEXT, "+%s", quantity);
        return text;
    case STEP_NONE:
        break;
    }
    return "-";
}

/* Who reads a parameter: "l1d, timing", "pwc, not timing" or "files". */
static const char *stages_text(unsigned stages, char text[VALUE_TEXT])
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned bit = 0; bit < READER_COUNT; bit++)
        if (stages >> bit & 1)
            used += (size_t)snprintf(text + used, VALUE_TEXT - used, "%s%s", used ? ", " : "",
                                     reader_name(1u << bit));
    for (int depth = 0; depth < DEPTH_COUNT; depth++)
        if (stages & NOT_AT(depth) && stages & depth_reads((enum depth)depth))
            used += (size_t)snprintf(text + used, VALUE_TEXT - used, ", not %s",
                                     depth_name((enum depth)depth));
    if (stages & FOR_FILES)
        snprintf(text, VALUE_TEXT, "files");
    return text;
}

/* What the parameter takes. A long list of names ends early: `params NAME` and the end of the
 * Markdown table have all with their meaning. */
static const char *values_text(const struct parameter *parameter, char text[VALUE_TEXT])
{
    enum { LONG = 100 };
    parameter_expects(parameter, text);
    if (parameter->choice_count && strlen(text) > LONG) {
        text[LONG] = '\0';
        char *end = strrchr(text, ',');
        if (end)
            snprintf(end, (size_t)(text + VALUE_TEXT - end), ", ... (%zu names)",
                     parameter->choice_count);
    }
    return text;
}

static void params_add_row(struct table *table, size_t index)
{
    const struct parameter *parameter = &parameters[index];
    char text[VALUE_TEXT];
    table_text(table, parameter->path);
    table_text(table, values_text(parameter, text));
    table_text(table, unit_name(parameter->unit));
    results_add_value(table, parameter, parameter->fallback);
    table_text(table, step_text(parameter, text));
    table_text(table, stages_text(parameter->stages, text));
    table_text(table, parameter_roles[parameter->role].name);
    table_text(table, parameter->help);
}

static const char *path_at(size_t index)
{
    return parameters[index].path;
}

static const char *role_at(size_t index)
{
    return parameter_roles[parameters[index].role].name;
}

static void print_choices(size_t index)
{
    const struct parameter *parameter = &parameters[index];
    if (parameter->choice_count)
        putchar('\n');
    for (size_t i = 0; i < parameter->choice_count; i++)
        printf("%-16s%s\n", parameter->choices[i].name, parameter->choices[i].help);
}

/* Prints every family of choices once, under the parameters that use it. */
static void print_families(void)
{
    for (size_t i = 0; i < parameter_count; i++) {
        const struct choice *choices = parameters[i].choices;
        bool seen = !choices;
        for (size_t k = 0; k < i && !seen; k++)
            seen = parameters[k].choices == choices;
        if (seen)
            continue;
        printf("\n## `%s`", parameters[i].path);
        for (size_t k = i + 1; k < parameter_count; k++)
            if (parameters[k].choices == choices)
                printf(", `%s`", parameters[k].path);
        puts("\n");
        for (size_t k = 0; k < parameters[i].choice_count; k++)
            printf("* `%s`: %s\n", choices[k].name, choices[k].help);
    }
}

int command_params(int argc, char **argv)
{
    static const char *const headers[] = {
        "path", "values", "unit", "default", "step", "can change|stages", "role", "help", NULL};
    const struct manual manual = {
        .name = "parameter",
        .help = "The manual of parameters: what a machine file, --set and the axes of a study may "
                "say.\vPATH shows one parameter with its choices, or a group (l1d, l1d.mshr), or a "
                "role (lever), else all that have it in their name (ways). "
                "\"can change\" names the parts of the simulation that a change repeats. "
                "Roles: " ROLE_LIST(ROLE_SENTENCE) "`warpscape explain` tries levers only.",
        .completes = "PARAMETER",
        .headers = headers,
        .count = parameter_count,
        .path = path_at,
        .add_row = params_add_row,
        .kind = role_at,
        .suggestion = parameter_suggestion,
        .details = print_choices,
        .appendix = print_families,
    };
    return manual_run(&manual, argc, argv);
}
