#include "config/study_axis.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "config/parameter_keys.h"
#include "config/study_file.h"

struct axis_reader {
    const struct document *document;
    struct axis *axis;
    size_t capacity;
    struct diagnostics *diagnostics;
};

__attribute__((format(printf, 3, 4))) static void
complain(const struct axis_reader *reader, const struct node *node, const char *format, ...)
{
    struct place place = node_place(reader->document, node);
    va_list arguments;
    va_start(arguments, format);
    diagnostics_vadd(reader->diagnostics, SEVERITY_ERROR, &place, reader->axis->parameter->path,
                     format, arguments);
    va_end(arguments);
}

static enum status append(struct axis_reader *reader, const struct node *node, struct value value)
{
    struct axis *axis = reader->axis;
    if (axis->count == AXIS_VALUES_MAX) {
        complain(reader, node, "more than %d values", AXIS_VALUES_MAX);
        return STATUS_INVALID;
    }
    if (array_reserve(&axis->values, &reader->capacity, axis->count + 1))
        return STATUS_MEMORY;
    axis->values[axis->count++] = value;
    return STATUS_OK;
}

/* ---- lists ---- */

struct ordered {
    double number;
    size_t index;
};

static int compare_ordered(const void *a, const void *b)
{
    const struct ordered *first = a, *second = b;
    if (first->number != second->number)
        return first->number < second->number ? -1 : 1;
    return (first->index > second->index) - (first->index < second->index);
}

/* Sorting finds equal values in n log n; an axis may have 65,536 of them. */
static enum status refuse_duplicates(const struct axis_reader *reader, const struct node *list)
{
    const struct axis *axis = reader->axis;
    struct ordered *order = malloc((axis->count + 1) * sizeof *order);
    if (!order)
        return STATUS_MEMORY;
    for (size_t i = 0; i < axis->count; i++)
        order[i] = (struct ordered){parameter_number(axis->parameter, axis->values[i]), i};
    qsort(order, axis->count, sizeof *order, compare_ordered);
    for (size_t i = 1; i < axis->count; i++) {
        char text[VALUE_TEXT];
        if (order[i].number == order[i - 1].number && reader->diagnostics->errors < FILE_ERRORS_MAX)
            complain(reader, node_at(list, order[i].index), "%s is listed twice",
                     parameter_print(axis->parameter, axis->values[order[i].index], text));
    }
    free(order);
    return STATUS_OK;
}

static enum status read_list(struct axis_reader *reader, const struct node *list)
{
    bool legal = true;
    if (!node_count(list))
        complain(reader, list, "an axis needs at least one value");
    for (size_t i = 0; i < node_count(list); i++) {
        struct value value;
        if (reader->diagnostics->errors >= FILE_ERRORS_MAX)
            return STATUS_OK;
        if (parameter_node_value(reader->document, reader->axis->parameter, node_at(list, i),
                                 &value, reader->diagnostics)) {
            legal = false;
            continue;
        }
        enum status status = append(reader, node_at(list, i), value);
        if (status)
            return status == STATUS_MEMORY ? status : STATUS_OK;
    }
    return legal ? refuse_duplicates(reader, list) : STATUS_OK;
}

static enum status read_all_choices(struct axis_reader *reader, const struct node *node)
{
    const struct parameter *parameter = reader->axis->parameter;
    size_t count = parameter->type == PARAMETER_BOOL ? 2 : parameter->choice_count;
    for (size_t i = 0; i < count; i++) {
        enum status status = append(reader, node, (struct value){.uint = i});
        if (status)
            return status;
    }
    return STATUS_OK;
}

/* ---- ranges ---- */

struct range {
    struct value from, to;
    double step, factor; /* 0: not given */
    const struct node *node;
};

static bool read_stride(const struct axis_reader *reader, const struct node *node, const char *key,
                        double *stride)
{
    const struct parameter *parameter = reader->axis->parameter;
    bool factor = !strcmp(key, "factor");
    bool real = parameter->type == PARAMETER_REAL;
    uint64_t whole = 0;
    enum status status = node_kind(node) == NODE_SCALAR ? STATUS_OK : STATUS_INVALID;
    enum unit unit = factor ? UNIT_NONE : parameter->unit;
    if (!status && real)
        status = quantity_parse_real(node_text(node), unit, stride);
    else if (!status)
        status = quantity_parse_uint(node_text(node), unit, &whole);
    if (!status && !real)
        *stride = (double)whole;
    if (!status && *stride > (factor ? 1 : 0))
        return true;
    complain(reader, node, "expected a %s greater than %d, got '%.40s'", key, factor ? 1 : 0,
             node_text(node));
    return false;
}

static bool read_range_keys(const struct axis_reader *reader, const struct node *node,
                            struct range *range)
{
    static const char *const legal[] = {"from", "to", "step", "factor"};
    bool fine = true;
    for (size_t i = 0; i < node_count(node); i++) {
        const char *key = node_key(node, i);
        if (!strcmp(key, "from") || !strcmp(key, "to")) {
            struct value *end = !strcmp(key, "to") ? &range->to : &range->from;
            fine &= !parameter_node_value(reader->document, reader->axis->parameter,
                                          node_at(node, i), end, reader->diagnostics);
        } else if (!strcmp(key, "step")) {
            fine &= read_stride(reader, node_at(node, i), key, &range->step);
        } else if (!strcmp(key, "factor")) {
            fine &= read_stride(reader, node_at(node, i), key, &range->factor);
        } else {
            const char *near = nearest_name(key, legal, 4);
            complain(reader, node_at(node, i), "unknown key '%.40s' of a range%s%s%s", key,
                     near ? "; did you mean '" : ", which has from, to, and step or factor",
                     near ? near : "", near ? "'?" : "");
            fine = false;
        }
        if (reader->diagnostics->errors >= FILE_ERRORS_MAX)
            return false;
    }
    if (!node_find(node, "from") || !node_find(node, "to")) {
        complain(reader, node, "a range needs from and to");
        fine = false;
    }
    if (node_find(node, "step") && node_find(node, "factor")) {
        complain(reader, node, "a range has a step or a factor, not both");
        fine = false;
    }
    return fine;
}

static struct value value_of(const struct parameter *parameter, double number)
{
    struct value value = {0};
    if (parameter->type == PARAMETER_REAL) {
        /* Rounds as parameter_next does, so that 41 steps of 1nm read "41nm". */
        char text[QUANTITY_TEXT];
        snprintf(text, sizeof text, "%.9g", number);
        (void)quantity_parse_real(text, UNIT_NONE, &value.real); /* a number is one */
    } else {
        value.uint = (uint64_t)number;
    }
    return value;
}

static bool next_in_range(const struct parameter *parameter, const struct range *range,
                          size_t index, struct value *value)
{
    double from = parameter_number(parameter, range->from);
    double to = parameter_number(parameter, range->to);
    double number;
    if (range->step > 0) {
        number = from + range->step * (double)index;
    } else if (range->factor > 0) {
        number = from * pow(range->factor, (double)index);
    } else {
        struct value next;
        if (!parameter_next(parameter, *value, 1, &next))
            return false;
        *value = next;
        return parameter_number(parameter, next) <= to;
    }
    if (number > to * (parameter->type == PARAMETER_REAL ? 1 + 1e-9 : 1))
        return false;
    *value = value_of(parameter, number);
    return true;
}

/* A step can hit values that the parameter forbids, such as a line of 96 B. */
static bool is_legal(const struct axis_reader *reader, const struct range *range,
                     struct value value)
{
    char text[VALUE_TEXT], why[VALUE_TEXT];
    struct value back;
    const struct parameter *parameter = reader->axis->parameter;
    if (!parameter_parse(parameter, parameter_print(parameter, value, text), &back, why))
        return true;
    complain(reader, range->node, "the range gives %s, but %.150s", text, why);
    return false;
}

static enum status read_range(struct axis_reader *reader, const struct node *node)
{
    const struct parameter *parameter = reader->axis->parameter;
    struct range range = {.node = node};
    if (parameter->type != PARAMETER_UINT && parameter->type != PARAMETER_REAL) {
        complain(reader, node, "only numbers have ranges; write a list or 'all'");
        return STATUS_OK;
    }
    if (!read_range_keys(reader, node, &range))
        return STATUS_OK;
    double from = parameter_number(parameter, range.from);
    if (from > parameter_number(parameter, range.to)) {
        complain(reader, node, "from is greater than to");
        return STATUS_OK;
    }
    if (range.factor > 0 && from <= 0) {
        complain(reader, node, "a range with a factor cannot start at 0");
        return STATUS_OK;
    }
    struct value value = range.from;
    for (size_t i = 1;; i++) {
        if (!is_legal(reader, &range, value))
            return STATUS_OK;
        enum status status = append(reader, node, value);
        if (status)
            return status == STATUS_MEMORY ? status : STATUS_OK;
        if (!next_in_range(parameter, &range, i, &value))
            return STATUS_OK;
    }
}

enum status study_axis_read(const struct document *document, const struct node *node,
                            struct axis *axis, struct diagnostics *diagnostics)
{
    struct axis_reader reader = {document, axis, 0, diagnostics};
    axis->line = node_place(document, node).line;
    if (axis->parameter->type == PARAMETER_SIZES) {
        complain(&reader, node, "a list of sizes cannot be an axis");
        return STATUS_OK;
    }
    if (node_kind(node) == NODE_SEQUENCE)
        return read_list(&reader, node);
    if (node_kind(node) == NODE_MAPPING)
        return read_range(&reader, node);
    if (!strcmp(node_text(node), "all")) {
        if (axis->parameter->type == PARAMETER_BOOL || axis->parameter->type == PARAMETER_ENUM)
            return read_all_choices(&reader, node);
        complain(&reader, node, "'all' needs a parameter with choices; write a list or a range");
        return STATUS_OK;
    }
    struct value value;
    if (parameter_node_value(document, axis->parameter, node, &value, diagnostics))
        return STATUS_OK;
    return append(&reader, node, value);
}

/* ---- writing ---- */

enum { RANGE_MIN = 6 }; /* shorter progressions are written as lists */

static bool is_every_choice(const struct axis *axis)
{
    const struct parameter *parameter = axis->parameter;
    size_t count = parameter->type == PARAMETER_BOOL ? 2 : parameter->choice_count;
    if ((parameter->type != PARAMETER_BOOL && parameter->type != PARAMETER_ENUM) ||
        axis->count != count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (axis->values[i].uint != i)
            return false;
    return true;
}

/* The step (or factor) of an ascending progression of integers, or 0. */
static uint64_t find_stride(const struct axis *axis, bool factor)
{
    const struct value *values = axis->values;
    if (axis->parameter->type != PARAMETER_UINT || axis->count < RANGE_MIN ||
        values[1].uint <= values[0].uint || (factor && !values[0].uint))
        return 0;
    uint64_t stride = factor ? values[1].uint / values[0].uint : values[1].uint - values[0].uint;
    for (size_t i = 1; i < axis->count; i++) {
        uint64_t last = values[i - 1].uint;
        uint64_t next = factor ? last * stride : last + stride;
        if ((factor && last > UINT64_MAX / stride) || values[i].uint != next || next <= last)
            return 0;
    }
    return stride;
}

static void write_range(const struct axis *axis, const char *key, uint64_t stride, FILE *out)
{
    const struct parameter *parameter = axis->parameter;
    char text[VALUE_TEXT], quantity[QUANTITY_TEXT];
    enum unit unit = strcmp(key, "factor") ? parameter->unit : UNIT_NONE;
    fprintf(out, "{from: %s, ", parameter_print(parameter, axis->values[0], text));
    fprintf(out, "to: %s, ", parameter_print(parameter, axis->values[axis->count - 1], text));
    fprintf(out, "%s: %s}", key, quantity_print_uint(stride, unit, quantity));
}

void study_axis_write(const struct axis *axis, FILE *out)
{
    uint64_t step = find_stride(axis, false), factor = find_stride(axis, true);
    if (is_every_choice(axis)) {
        fputs("all", out);
    } else if (step) {
        write_range(axis, "step", step, out);
    } else if (factor > 1) {
        write_range(axis, "factor", factor, out);
    } else {
        for (size_t i = 0; i < axis->count; i++) {
            char text[VALUE_TEXT];
            fprintf(out, "%s%s", i ? ", " : "[",
                    parameter_print(axis->parameter, axis->values[i], text));
        }
        fputs("]", out);
    }
}
