#include "explore/profiles/variants.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "workload/workload.h"

/* The most values of a parameter that is a choice and no size. */
enum { FEW_VALUES = 4, UNROLL_TRIED = 16 };

struct variant_list {
    const char *workload; /* as given */
    size_t name;          /* length of the program's name in it */
    char **items;
    size_t count, capacity;
};

/* Adds the variant in which `name` has this value: without the workload's own, which would say it
 * twice. */
static enum status add_variant(struct variant_list *list, const char *name, const char *value)
{
    const size_t length = strlen(name);
    char *text = malloc(strlen(list->workload) + length + strlen(value) + 4);
    if (!text || array_reserve(&list->items, &list->capacity, list->count + 1)) {
        free(text);
        return STATUS_MEMORY;
    }
    char *end = text + sprintf(text, "%.*s:", (int)list->name, list->workload);
    const char *at = list->workload + list->name;
    while (*at) {
        const char *argument = ++at; /* after the colon or a comma */
        at += strcspn(at, ",");
        if (strncmp(argument, name, length) != 0 || argument[length] != '=')
            end += sprintf(end, "%.*s,", (int)(at - argument), argument);
    }
    sprintf(end, "%s=%s", name, value);
    list->items[list->count++] = text;
    return STATUS_OK;
}

static enum status add_parameter(struct variant_list *list, const struct workload *program,
                                 size_t number)
{
    const struct workload_parameter *parameter = &program->parameters[number];
    const char *const *words = workload_words(program, number);
    const bool unroll = !strcmp(parameter->name, "unroll");
    enum status status = STATUS_OK;
    char value[24];
    for (size_t i = 0; words && words[i] && !status; i++)
        status = add_variant(list, parameter->name, words[i]);
    for (uint64_t i = 1; unroll && i <= UNROLL_TRIED && !status; i *= 2) {
        snprintf(value, sizeof value, "%" PRIu64, i);
        status = add_variant(list, parameter->name, value);
    }
    for (uint64_t i = parameter->min;
         !words && !unroll && parameter->max - parameter->min < FEW_VALUES && i <= parameter->max &&
         !status;
         i++) {
        snprintf(value, sizeof value, "%" PRIu64, i);
        status = add_variant(list, parameter->name, value);
    }
    return status;
}

enum status variants_list(const char *workload, char ***variants, size_t *count)
{
    struct variant_list list = {.workload = workload, .name = strcspn(workload, ":")};
    enum status status = STATUS_OK;
    for (size_t i = 0; workloads[i]; i++) {
        if (strlen(workloads[i]->name) != list.name ||
            strncmp(workloads[i]->name, workload, list.name) != 0)
            continue;
        for (size_t k = 0; k < workloads[i]->parameter_count && !status; k++)
            status = add_parameter(&list, workloads[i], k);
    }
    *variants = list.items;
    *count = list.count;
    return status;
}

void variants_free(char **variants, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(variants[i]);
    free(variants);
}
