#include "trace/address_list.h"

#include <inttypes.h>
#include <string.h>

enum status address_list_begin(struct address_list *list)
{
    char copy[32];
    if (list->begun)
        return STATUS_OK;
    list->begun = true;
    snprintf(copy, sizeof copy, "%s", list->name);
    const struct trace_launch launch = {
        .name = copy, .grid = {1, 1, 1}, .block = {WARP_SIZE, 1, 1}};
    enum status status = wtr_begin_launch(list->writer, &launch);
    if (!status)
        status = wtr_begin_block(list->writer, 0);
    return status ? status : wtr_begin_warp(list->writer, 0);
}

enum status address_list_put(struct address_list *list, const struct address_access *access)
{
    enum status status = address_list_begin(list);
    if (status)
        return status;
    list->cut += access->bytes > ACCESS_BYTES_MAX;
    uint64_t bytes = access->bytes < ACCESS_BYTES_MAX ? access->bytes : ACCESS_BYTES_MAX;
    const struct warp_access record = {.base = access->address,
                                       .mask = 1,
                                       .pc = access->pc,
                                       .gap = access->gap,
                                       .bytes = (uint16_t)(bytes ? bytes : 1),
                                       .op = access->op,
                                       .space = access->space,
                                       .flags = ACCESS_SINGLE};
    return wtr_put(list->writer, &record, NULL);
}

enum status address_list_empty(const char *path, struct diagnostics *diagnostics)
{
    return diagnostics_error(diagnostics, STATUS_INVALID, "%s: accesses no memory", path);
}

enum status address_list_end(const char *path, struct address_list *list, uint32_t tail,
                             struct diagnostics *diagnostics)
{
    if (!wtr_has_records(list->writer))
        return address_list_empty(path, diagnostics);
    if (!list->begun)
        return STATUS_OK;
    enum status status = wtr_end_warp(list->writer, tail);
    return status ? status : wtr_end_block(list->writer);
}

enum severity address_list_severity(const struct text_reader *reader)
{
    return reader->complete ? SEVERITY_ERROR : SEVERITY_WARNING;
}

enum status address_list_expected(struct text_reader *reader, const char *at, const char *expected)
{
    text_problem(reader, address_list_severity(reader), at, "expected %s", expected);
    return STATUS_INVALID;
}

enum status address_list_read(const char *path, const struct address_parser *parser, void *context,
                              struct wtr_writer *writer, struct diagnostics *diagnostics)
{
    struct address_list list = {.writer = writer, .name = parser->name};
    struct text_reader reader;
    enum status status = text_open(path, &reader, diagnostics), result = STATUS_OK;
    if (status)
        return status;
    while (!result || result == STATUS_INVALID) {
        if (!text_line(&reader) || reader.problems > TEXT_PROBLEMS_MAX)
            break;
        const char *at = reader.line;
        if (scan_end(&at))
            continue;
        status = parser->line(&reader, &list, context);
        /* A truncated last line was reported as a warning and does not spoil the rest. */
        if (status == STATUS_INVALID && !reader.complete)
            status = STATUS_OK;
        result = result ? result : status;
    }
    /* A line that was too long ended the file early. */
    if (reader.status == STATUS_INVALID)
        result = STATUS_INVALID;
    text_close(&reader);
    uint32_t tail = 0;
    if (!result && parser->finish)
        result = parser->finish(&list, context, &tail);
    if (!result && list.cut)
        diagnostics_add(diagnostics, SEVERITY_WARNING, &(struct place){.file = path},
                        "accesses of more than %d B: %" PRIu64 ", of which only the first %d B are "
                        "taken",
                        ACCESS_BYTES_MAX, list.cut, ACCESS_BYTES_MAX);
    return result ? result : address_list_end(path, &list, tail, diagnostics);
}
