#include "trace/accelsim_kernel.h"

#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/key_table.h"
#include "trace/accelsim_quick.h"
#include "trace/wtr.h"

/* The state of reading the body of a .traceg file. */
struct body {
    struct text_reader *reader;
    const struct accelsim_header *header;
    struct wtr_writer *writer;
    uint64_t block;
    uint32_t warp, gap;
    uint64_t expected, seen; /* instructions of the warp: announced, and read so far */
    unsigned prefix;
    bool prefix_known, in_block, in_warp;
    struct accelsim_warned warned;
    struct accelsim_operations *operations;
    uint8_t *blocks_seen; /* one bit per block of the grid, to refuse a block that comes twice */
    enum status status;
};

/* A last line without a newline was truncated. That is no error in the lines before it. */
static enum severity line_severity(const struct text_reader *reader)
{
    return reader->complete ? SEVERITY_ERROR : SEVERITY_WARNING;
}

/* Reports a problem with the current line. In a truncated last line it is a warning, and what came
 * before stays valid. */
static enum status body_error(struct body *body, const char *at, const char *text)
{
    text_problem(body->reader, line_severity(body->reader), at, "%s", text);
    return body->reader->complete ? STATUS_INVALID : STATUS_OK;
}

static enum status end_warp(struct body *body)
{
    if (!body->in_warp)
        return STATUS_OK;
    char seen[COUNT_TEXT];
    body->in_warp = false;
    if (body->seen != body->expected)
        text_problem(body->reader, SEVERITY_WARNING, NULL,
                     "the warp before this line has %s, not the %llu it announced",
                     counted_print(body->seen, "instruction", seen),
                     (unsigned long long)body->expected);
    return wtr_end_warp(body->writer, body->gap);
}

static enum status end_block(struct body *body)
{
    if (!body->in_block)
        return STATUS_OK;
    enum status status = end_warp(body);
    body->in_block = false;
    return status ? status : wtr_end_block(body->writer);
}

static enum status begin_block(struct body *body, const char *at)
{
    uint64_t place[3];
    const uint32_t *grid = body->header->launch.grid;
    const char *begin = at;
    for (int i = 0; i < 3; i++) {
        if (!scan_decimal(&at, &place[i]) || (i < 2 && *at++ != ','))
            return body_error(body, begin, "expected the block as x,y,z");
        if (place[i] >= grid[i])
            return body_error(body, begin, "the block is outside the grid");
    }
    if (body->in_block)
        return body_error(body, begin, "the block before this one has not ended");
    body->block = place[0] + grid[0] * (place[1] + (uint64_t)grid[1] * place[2]);
    uint8_t *seen = &body->blocks_seen[body->block / 8], bit = (uint8_t)(1u << body->block % 8);
    if (*seen & bit)
        return body_error(body, begin, "this block came before");
    *seen |= bit;
    body->in_block = true;
    body->warp = UINT32_MAX;
    return wtr_begin_block(body->writer, body->block);
}

static enum status begin_warp(struct body *body, const char *at)
{
    uint64_t warp;
    const char *begin = at;
    if (!scan_decimal(&at, &warp))
        return body_error(body, begin, "expected the number of a warp");
    if (!body->in_block)
        return body_error(body, begin, "a warp outside a thread block");
    if (warp >= launch_warps(&body->header->launch))
        return body_error(body, begin, "the block has fewer warps than that");
    if (body->warp != UINT32_MAX && warp <= body->warp)
        return body_error(body, begin, "the warps of a block should ascend");
    enum status status = end_warp(body);
    body->warp = (uint32_t)warp;
    body->gap = 0;
    body->seen = body->expected = 0;
    body->in_warp = true;
    return status ? status : wtr_begin_warp(body->writer, body->warp);
}

void accelsim_warn_unknown(struct text_reader *reader,
                           const struct accelsim_instruction *instruction,
                           struct accelsim_warned *warned)
{
    const struct accelsim_operation *operation = instruction->operation;
    if (instruction->kind == ACCELSIM_UNKNOWN) {
        if (!warned->access)
            text_problem(reader, SEVERITY_WARNING, instruction->opcode,
                         "accesses of this instruction are not modelled; it is counted only");
        warned->access = true;
    } else if (!operation->opcode.stem) {
        if (!warned->opcode)
            text_problem(reader, SEVERITY_WARNING, instruction->opcode,
                         "'%.*s' is no known instruction; taken as integer arithmetic",
                         (int)operation->name_length, instruction->opcode);
        warned->opcode = true;
    }
}

enum status accelsim_find_row(struct wtr_writer *writer,
                              const struct accelsim_instruction *instruction, uint32_t *row)
{
    uint32_t *known = &instruction->operation->rows[instruction->shared];
    /* The argument is not part of the text that an operation stands for. */
    if (*known == KEY_NONE || instruction->operation->instruction.action == ACTION_WAIT) {
        const struct instruction instructions = accelsim_row(instruction);
        enum status status = wtr_code_row(writer, &instructions, known);
        if (status)
            return status;
    }
    *row = *known;
    return STATUS_OK;
}

static inline enum status put_instruction(struct body *body,
                                          struct accelsim_instruction *instruction)
{
    uint32_t row;
    enum status status = accelsim_find_row(body->writer, instruction, &row);
    body->seen++;
    if (status)
        return status;
    if (instruction->kind != ACCELSIM_MEMORY) {
        body->gap += body->gap < UINT32_MAX;
        return wtr_put_instruction(body->writer, row, instruction->access.mask, instruction->banks);
    }
    if (instruction->access.space == SPACE_LOCAL)
        accelsim_place_local(body->header, body->block, body->warp, instruction);
    instruction->access.gap = body->gap;
    body->gap = 0;
    if (instruction->deltas)
        return wtr_put_follows(body->writer, row, &instruction->access, instruction->first,
                               instruction->deltas->offsets, instruction->deltas->number);
    if (instruction->unequal)
        return wtr_put_listed(body->writer, row, &instruction->access, instruction->addresses);
    return wtr_put_issued(body->writer, row, &instruction->access,
                          instruction->listed ? instruction->addresses : NULL);
}

/* Adds an instruction that was parsed with this status. A line that cannot be parsed is skipped, so
 * that one run reports up to TEXT_PROBLEMS_MAX problems. */
static enum status add_parsed(struct body *body, enum status status,
                              struct accelsim_instruction *instruction)
{
    if (status)
        return body->reader->complete ? status : STATUS_OK;
    if (!body->prefix)
        accelsim_keep(body->reader, body->operations, instruction);
    accelsim_warn_unknown(body->reader, instruction, &body->warned);
    instruction->deltas = NULL;
    return put_instruction(body, instruction);
}

static enum status add_instruction(struct body *body)
{
    struct accelsim_instruction instruction;
    if (!body->in_warp)
        return body_error(body, body->reader->line, "an instruction outside a warp");
    if (!body->prefix_known) {
        body->prefix = accelsim_prefix(body->reader->line);
        body->prefix_known = true;
    }
    const enum status status =
        accelsim_parse(body->reader, body->header, body->prefix, line_severity(body->reader),
                       body->operations, &instruction);
    return add_parsed(body, status, &instruction);
}

/* Adds the next lines as long as they are known. */
static enum status add_known(struct body *body)
{
    struct accelsim_instruction instruction;
    enum accelsim_taken taken;
    enum status status = STATUS_OK;
    if (!body->in_warp || !body->prefix_known || body->prefix)
        return STATUS_OK;
    while (!status && (taken = accelsim_take(body->reader, body->header, body->operations,
                                             &instruction)) != ACCELSIM_TAKEN_NOT) {
        if (taken == ACCELSIM_TAKEN) {
            status = put_instruction(body, &instruction);
        } else if (text_line(body->reader)) {
            status =
                accelsim_parse_addresses(body->reader, body->header, line_severity(body->reader),
                                         instruction.operation, &instruction);
            status = add_parsed(body, status, &instruction);
        } else {
            break;
        }
    }
    return status;
}

static bool starts_with(const char **line, const char *text)
{
    size_t length = strlen(text);
    if (strncmp(*line, text, length))
        return false;
    *line += length;
    return true;
}

static enum status read_line(struct body *body)
{
    const char *at = body->reader->line;
    if (scan_end(&at)) /* and skips blanks */
        return STATUS_OK;
    const char first = *at;
    if (first == '#')
        return starts_with(&at, "#END_TB") ? end_block(body) : STATUS_OK;
    if (first == 't' && starts_with(&at, "thread block = "))
        return begin_block(body, at);
    if (first == 'w' && starts_with(&at, "warp = "))
        return begin_warp(body, at);
    if (first == 'i' && starts_with(&at, "insts = ")) {
        const char *begin = at;
        if (!scan_decimal(&at, &body->expected))
            return body_error(body, begin, "expected the number of instructions");
        return STATUS_OK;
    }
    if (first == 'c' && starts_with(&at, "cluster "))
        return STATUS_OK;
    return add_instruction(body);
}

enum status accelsim_read_grouped(struct text_reader *reader, const struct accelsim_header *header,
                                  struct wtr_writer *writer)
{
    struct body body = {.reader = reader, .header = header, .writer = writer};
    body.blocks_seen = calloc(launch_blocks(&header->launch) / 8 + 1, 1);
    body.operations = accelsim_operations_new();
    enum status status = STATUS_OK, result = STATUS_OK;
    if (!body.blocks_seen || !body.operations) {
        result = STATUS_MEMORY;
        goto cleanup;
    }
    for (bool more = true; more;) {
        status = add_known(&body);
        if (!status && (more = text_line(reader)))
            status = read_line(&body);
        result = result ? result : status;
        if (status && (status != STATUS_INVALID || reader->problems >= TEXT_PROBLEMS_MAX))
            break;
    }
    /* A block that was not ended may lack records of any of its warps, so none of it is kept. */
    if (body.in_block) {
        if (!result)
            text_problem(reader, SEVERITY_WARNING, NULL,
                         "the trace ends within a thread block, which is left out");
        (void)wtr_drop_block(writer); /* wtr_finish tells of a failure */
    }
cleanup:
    free(body.blocks_seen);
    free(body.operations);
    return result;
}
