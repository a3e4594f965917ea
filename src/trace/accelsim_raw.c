/* .trace files of the Accel-Sim tracer, whose lines are in the order of execution
 * (accelsim_read_raw of accelsim_kernel.h). */
#include <stdlib.h>

#include "trace/accelsim_kernel.h"
#include "trace/warp_sort.h"

/* A raw trace lists LDGSTS twice, first with its shared addresses and then with its global ones. */
static bool is_copy(const struct accelsim_instruction *instruction)
{
    return instruction->operation->instruction.flags & INSTRUCTION_COPY;
}

static enum status keep_line(struct warp_sort *sort, uint64_t warp,
                             const struct accelsim_instruction *instruction,
                             struct wtr_writer *writer)
{
    struct sort_issue issue = {.mask = instruction->access.mask, .banks = instruction->banks};
    enum status status = accelsim_find_row(writer, instruction, &issue.row);
    if (status)
        return status;
    enum warp_sort_kind kind = instruction->kind != ACCELSIM_MEMORY ? SORT_COUNTED
                               : is_copy(instruction)               ? SORT_COPY
                                                                    : SORT_ACCESS;
    return warp_sort_put(sort, warp, kind, &instruction->access,
                         instruction->listed ? instruction->addresses : NULL, &issue);
}

/* Turns the prefix of a line into a block and a warp; false if it is outside of the launch. */
static bool line_warp(const struct accelsim_header *header, const uint64_t prefix[4],
                      uint64_t *block, uint32_t *warp)
{
    const uint32_t *grid = header->launch.grid;
    if (prefix[0] >= grid[0] || prefix[1] >= grid[1] || prefix[2] >= grid[2] ||
        prefix[3] >= launch_warps(&header->launch))
        return false;
    *block = prefix[0] + grid[0] * (prefix[1] + (uint64_t)grid[1] * prefix[2]);
    *warp = (uint32_t)prefix[3];
    return true;
}

/* The lines of a launch come in any order of warps; `sort` puts them in theirs. A mistake is
 * reported and reading goes on, so that all of a file are told at once; in a file that is cut off
 * it is a warning, because the cut made it. */
static enum status read_lines(struct text_reader *reader, const struct accelsim_header *header,
                              struct accelsim_operations *operations, struct warp_sort *sort,
                              struct wtr_writer *writer)
{
    enum status result = STATUS_OK;
    unsigned prefix = 0;
    uint32_t warps = launch_warps(&header->launch);
    struct accelsim_warned warned = {0};
    while (text_line(reader) && reader->problems < TEXT_PROBLEMS_MAX) {
        const char *at = reader->line;
        if (scan_end(&at) || *at == '#')
            continue;
        /* The first instruction decides for the whole trace how many numbers precede the pc. */
        if (!sort->count)
            prefix = accelsim_prefix(reader->line);
        struct accelsim_instruction instruction;
        uint64_t block;
        uint32_t warp;
        enum severity severity = reader->complete ? SEVERITY_ERROR : SEVERITY_WARNING;
        enum status status = STATUS_OK;
        if (prefix < 4 ||
            accelsim_parse(reader, header, prefix, severity, operations, &instruction)) {
            if (prefix < 4)
                text_problem(reader, SEVERITY_ERROR, reader->line,
                             "expected the block, the warp, the pc and the mask");
            status = reader->complete || prefix < 4 ? STATUS_INVALID : STATUS_OK;
        } else if (!line_warp(header, instruction.prefix, &block, &warp)) {
            text_problem(reader, SEVERITY_ERROR, reader->line, "this warp is outside the launch");
            status = STATUS_INVALID;
        } else {
            accelsim_warn_unknown(reader, &instruction, &warned);
            if (instruction.kind == ACCELSIM_MEMORY && instruction.access.space == SPACE_LOCAL)
                accelsim_place_local(header, block, warp, &instruction);
            status = keep_line(sort, block * warps + warp, &instruction, writer);
        }
        result = result ? result : status;
        if (status && status != STATUS_INVALID)
            break;
    }
    return result;
}

enum status accelsim_read_raw(struct text_reader *reader, const struct accelsim_header *header,
                              struct wtr_writer *writer)
{
    struct warp_sort sort = {0};
    struct accelsim_operations *operations = accelsim_operations_new();
    if (!operations)
        return STATUS_MEMORY;
    enum status status = read_lines(reader, header, operations, &sort, writer);
    free(operations);
    if (status == STATUS_UNSUPPORTED)
        warp_sort_refuse(&sort, reader, "have the tracer's post-processing group it first");
    if (!status)
        warp_sort_write(&sort, launch_warps(&header->launch), NULL, writer);
    warp_sort_free(&sort);
    return status;
}
