#include "workload/arguments.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/bits.h"
#include "base/units.h"

const struct workload *workload_find(const char *name)
{
    for (size_t i = 0; workloads[i]; i++)
        if (!strcasecmp(workloads[i]->name, name))
            return workloads[i];
    return NULL;
}

const char *nearest_name_any_case(const char *name, const char *const *names, size_t count)
{
    char upper[SUGGESTION_TEXT];
    const char *nearest = nearest_name(name, names, count);
    if (nearest || strlen(name) >= sizeof upper)
        return nearest;
    for (size_t i = 0; i <= strlen(name); i++)
        upper[i] = (char)toupper((unsigned char)name[i]);
    return nearest_name(upper, names, count);
}

const char *workload_nearest(const char *name)
{
    enum { PROGRAMS_MAX = 64 };
    const char *names[PROGRAMS_MAX];
    size_t count = 0;
    for (; workloads[count] && count < PROGRAMS_MAX; count++)
        names[count] = workloads[count]->name;
    return nearest_name_any_case(name, names, count);
}

void workload_arguments_init(struct arguments *arguments, const struct workload *workload)
{
    assert(workload->parameter_count <= WORKLOAD_PARAMETERS_MAX);
    *arguments = (struct arguments){.workload = workload};
    for (size_t i = 0; i < workload->parameter_count; i++)
        arguments->values[i] = workload->parameters[i].fallback;
}

static enum status unknown_parameter(const struct workload *workload, const char *name,
                                     const struct place *place, struct diagnostics *diagnostics)
{
    const char *names[WORKLOAD_PARAMETERS_MAX];
    for (size_t i = 0; i < workload->parameter_count; i++)
        names[i] = workload->parameters[i].name;
    char hint[SUGGESTION_TEXT], all[256] = "";
    const char *nearest = nearest_name(name, names, workload->parameter_count);
    size_t used = 0;
    for (size_t i = 0; i < workload->parameter_count && !nearest && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s",
                                 i ? ", " : "; its parameters are ", names[i]);
    diagnostics_add(diagnostics, SEVERITY_ERROR, place, "%s has no parameter '%s'%s%s",
                    workload->name, name, suggestion(nearest, hint), all);
    return STATUS_INVALID;
}

static enum status take_word(const struct arguments *arguments, size_t parameter, const char *value,
                             uint64_t *index, const struct place *place,
                             struct diagnostics *diagnostics)
{
    const char *const *words = workload_words(arguments->workload, parameter);
    size_t count = 0;
    char hint[SUGGESTION_TEXT];
    for (; words[count]; count++)
        if (!strcmp(words[count], value)) {
            *index = count;
            return STATUS_OK;
        }
    diagnostics_add(diagnostics, SEVERITY_ERROR, place, "%s of %s: '%s' is none of its words%s",
                    arguments->workload->parameters[parameter].name, arguments->workload->name,
                    value, suggestion(nearest_name(value, words, count), hint));
    return STATUS_INVALID;
}

static enum status take_number(const struct arguments *arguments, size_t index, const char *value,
                               uint64_t *number, const struct place *place,
                               struct diagnostics *diagnostics)
{
    const struct workload_parameter *parameter = &arguments->workload->parameters[index];
    const bool power = arguments->workload->powers_of_two >> index & 1;
    const enum unit unit = arguments->workload->sizes >> index & 1 ? UNIT_BYTES : UNIT_NONE;
    if (!quantity_parse_uint(value, unit, number) && *number >= parameter->min &&
        *number <= parameter->max && (!power || is_power_of_two(*number)))
        return STATUS_OK;
    diagnostics_add(diagnostics, SEVERITY_ERROR, place,
                    "%s of %s: expected a %s from %llu to %llu, got '%s'", parameter->name,
                    arguments->workload->name, power ? "power of two" : "whole number",
                    (unsigned long long)parameter->min, (unsigned long long)parameter->max, value);
    return STATUS_INVALID;
}

enum status workload_arguments_set(struct arguments *arguments, const char *name, const char *value,
                                   const struct place *name_place, const struct place *value_place,
                                   struct diagnostics *diagnostics)
{
    const struct workload *workload = arguments->workload;
    size_t index = 0;
    while (index < workload->parameter_count && strcmp(workload->parameters[index].name, name))
        index++;
    if (index == workload->parameter_count)
        return unknown_parameter(workload, name, name_place, diagnostics);
    uint64_t number;
    const enum status status = (workload_words(workload, index) ? take_word : take_number)(
        arguments, index, value, &number, value_place, diagnostics);
    if (status)
        return status;
    arguments->values[index] = number;
    arguments->given |= UINT32_C(1) << index;
    return STATUS_OK;
}

/* Parses one "name=value". Setting a bit of `given` that is already set means that the name was
 * repeated. */
static enum status parse_one(struct arguments *arguments, char *word,
                             struct diagnostics *diagnostics)
{
    char *equals = strchr(word, '=');
    if (!equals)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "%s: expected parameter=value, got '%s'",
                                 arguments->workload->name, word);
    *equals = 0;
    uint32_t before = arguments->given;
    enum status status =
        workload_arguments_set(arguments, word, equals + 1, NULL, NULL, diagnostics);
    if (!status && arguments->given == before)
        return diagnostics_error(diagnostics, STATUS_INVALID, "%s: parameter '%s' is given twice",
                                 arguments->workload->name, word);
    return status;
}

enum status workload_arguments_parse(struct arguments *arguments, const char *text,
                                     struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    char *copy = strdup(text), *rest = copy;
    if (!copy)
        return STATUS_MEMORY;
    /* Only repetitions within this text are mistakes, so forget for now what a recipe has set. */
    uint32_t recipe = arguments->given;
    arguments->given = 0;
    while (*text && rest) {
        enum status one = parse_one(arguments, strsep(&rest, ","), diagnostics);
        if (one)
            status = one;
    }
    arguments->given |= recipe;
    free(copy);
    return status;
}

enum status workload_arguments_open(const struct arguments *arguments, struct trace_source **source,
                                    struct diagnostics *diagnostics)
{
    return arguments->workload->open(arguments->values, source, diagnostics);
}
