#include "trace/array_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "trace/text.h"

struct array_list {
    struct trace_array *items;
    size_t count, capacity;
};

static enum status array_refuse(struct text_reader *reader, const char *at, const char *expected,
                                const char *found)
{
    text_problem(reader, SEVERITY_ERROR, at, "expected %s, got '%s'", expected, found ? found : "");
    return STATUS_INVALID;
}

static enum status read_array(struct text_reader *reader, struct array_list *list)
{
    static const char blanks[] = " \t,";
    char *rest = NULL;
    const char *name = strtok_r(reader->line, blanks, &rest);
    if (!name || *name == '#')
        return STATUS_OK;
    const char *base = strtok_r(NULL, blanks, &rest), *bytes = strtok_r(NULL, blanks, &rest);
    struct trace_array array = {0};
    if (!base || quantity_parse_uint(base, UNIT_NONE, &array.base))
        return array_refuse(reader, base, "an address", base);
    if (!bytes || quantity_parse_uint(bytes, UNIT_BYTES, &array.bytes) || !array.bytes ||
        array.base + array.bytes < array.base)
        return array_refuse(reader, bytes, "a size after the address", bytes);
    const char *more = strtok_r(NULL, blanks, &rest);
    if (more)
        return array_refuse(reader, more, "nothing after the size", more);
    if (array_reserve(&list->items, &list->capacity, list->count + 1) ||
        !(array.name = strdup(name)))
        return STATUS_MEMORY;
    list->items[list->count++] = array;
    return STATUS_OK;
}

enum status array_file_read(const char *path, struct trace_array **arrays, size_t *count,
                            struct diagnostics *diagnostics)
{
    struct text_reader reader;
    struct array_list list = {0};
    *arrays = NULL;
    *count = 0;
    enum status status = text_open(path, &reader, diagnostics), first = STATUS_OK;
    if (status)
        return status;
    while (status != STATUS_MEMORY && text_line(&reader)) {
        status = read_array(&reader, &list);
        first = first ? first : status;
    }
    first = first ? first : reader.status;
    text_close(&reader);
    if (!first && !list.count)
        first = diagnostics_error(diagnostics, STATUS_INVALID, "%s: there is no array", path);
    if (!first)
        first = arrays_sort(list.items, list.count, diagnostics);
    if (first) {
        array_file_free(list.items, list.count);
        return first;
    }
    *arrays = list.items;
    *count = list.count;
    return STATUS_OK;
}

void array_file_free(struct trace_array *arrays, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free((char *)(uintptr_t)arrays[i].name);
    free(arrays);
}

static int compare_arrays(const void *a, const void *b)
{
    const struct trace_array *left = a, *right = b;
    return (left->base > right->base) - (left->base < right->base);
}

enum status arrays_sort(struct trace_array *arrays, size_t count, struct diagnostics *diagnostics)
{
    if (count)
        qsort(arrays, count, sizeof *arrays, compare_arrays);
    for (size_t i = 1; i < count; i++)
        if (arrays[i].base - arrays[i - 1].base < arrays[i - 1].bytes)
            return diagnostics_error(diagnostics, STATUS_INVALID,
                                     "the arrays '%s' and '%s' overlap", arrays[i - 1].name,
                                     arrays[i].name);
    return STATUS_OK;
}
