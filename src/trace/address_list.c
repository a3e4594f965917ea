#include "trace/address_list.h"

#include <string.h>

enum status address_list_begin(struct wtr_writer *writer, const char *name)
{
    char copy[32];
    snprintf(copy, sizeof copy, "%s", name);
    const struct trace_launch launch = {
        .name = copy, .grid = {1, 1, 1}, .block = {WARP_SIZE, 1, 1}};
    enum status status = wtr_begin_launch(writer, &launch);
    if (!status)
        status = wtr_begin_block(writer, 0);
    return status ? status : wtr_begin_warp(writer, 0);
}

enum status address_list_put(struct wtr_writer *writer, const struct address_access *access)
{
    uint64_t bytes = access->bytes < ACCESS_BYTES_MAX ? access->bytes : ACCESS_BYTES_MAX;
    const struct warp_access record = {.base = access->address,
                                       .mask = 1,
                                       .pc = access->pc,
                                       .gap = access->gap,
                                       .bytes = (uint16_t)(bytes ? bytes : 1),
                                       .op = access->op,
                                       .space = access->space};
    return wtr_put(writer, &record, NULL);
}

enum status address_list_empty(const char *path, struct diagnostics *diagnostics)
{
    return diagnostics_error(diagnostics, STATUS_INVALID, "%s: accesses no memory", path);
}

enum status address_list_end(const char *path, struct wtr_writer *writer, uint32_t tail,
                             struct diagnostics *diagnostics)
{
    if (!wtr_has_records(writer))
        return address_list_empty(path, diagnostics);
    enum status status = wtr_end_warp(writer, tail);
    return status ? status : wtr_end_block(writer);
}

enum severity address_list_severity(const struct text_reader *reader)
{
    return reader->complete ? SEVERITY_ERROR : SEVERITY_WARNING;
}

enum status address_list_read(const char *path, const struct address_parser *parser, void *context,
                              struct wtr_writer *writer, struct diagnostics *diagnostics)
{
    struct text_reader reader;
    enum status status = text_open(path, &reader, diagnostics), result = STATUS_OK;
    if (status)
        return status;
    result = address_list_begin(writer, parser->name);
    while (!result || result == STATUS_INVALID) {
        if (!text_line(&reader) || reader.problems > TEXT_PROBLEMS_MAX)
            break;
        const char *at = reader.line;
        if (scan_end(&at))
            continue;
        status = parser->line(&reader, writer, context);
        if (status == STATUS_INVALID && !reader.complete)
            status = STATUS_OK;
        result = result ? result : status;
    }
    if (reader.status == STATUS_INVALID)
        result = STATUS_INVALID;
    text_close(&reader);
    uint32_t tail = 0;
    if (!result && parser->finish)
        result = parser->finish(writer, context, &tail);
    return result ? result : address_list_end(path, writer, tail, diagnostics);
}
