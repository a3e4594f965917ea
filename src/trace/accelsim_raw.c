#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/accelsim_kernel.h"
#include "trace/wtr.h"

enum { LINES_MAX = 1 << 26, NOT_MEMORY = -1, SHARED_COPY = -2 };

/* One instruction; the memory accesses are kept apart, as most are none. */
struct raw_line {
    uint64_t warp; /* block x warps of a block + warp */
    uint32_t order;
    int32_t access; /* index, or one of the above */
};

struct raw_access {
    struct warp_access access;
    uint32_t lane;     /* index of its first address, if listed */
    bool listed, copy; /* copy: LDGSTS, which comes twice */
};

struct raw_body {
    struct raw_line *lines;
    struct raw_access *accesses;
    uint64_t *lanes;
    size_t count, capacity, access_count, access_capacity, lane_count, lane_capacity;
};

static int line_order(const void *left, const void *right)
{
    const struct raw_line *a = left, *b = right;
    if (a->warp != b->warp)
        return a->warp < b->warp ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static bool is_copy(const struct accelsim_instruction *instruction)
{
    return instruction->opcode_length >= 6 && !strncmp(instruction->opcode, "LDGSTS", 6);
}

static enum status keep_access(struct raw_body *body,
                               const struct accelsim_instruction *instruction)
{
    unsigned lanes = (unsigned)__builtin_popcount(instruction->access.mask);
    if (array_reserve(&body->accesses, &body->access_capacity, body->access_count + 1) ||
        array_reserve(&body->lanes, &body->lane_capacity, body->lane_count + WARP_SIZE) ||
        body->lane_count > UINT32_MAX - WARP_SIZE)
        return STATUS_MEMORY;
    body->accesses[body->access_count++] = (struct raw_access){.access = instruction->access,
                                                               .lane = (uint32_t)body->lane_count,
                                                               .listed = instruction->listed,
                                                               .copy = is_copy(instruction)};
    if (instruction->listed) {
        memcpy(body->lanes + body->lane_count, instruction->addresses, lanes * sizeof(uint64_t));
        body->lane_count += lanes;
    }
    return STATUS_OK;
}

static enum status keep_line(struct raw_body *body, uint64_t warp,
                             const struct accelsim_instruction *instruction)
{
    if (body->count >= LINES_MAX)
        return STATUS_UNSUPPORTED;
    if (array_reserve(&body->lines, &body->capacity, body->count + 1))
        return STATUS_MEMORY;
    struct raw_line *line = &body->lines[body->count];
    *line = (struct raw_line){.warp = warp, .order = (uint32_t)body->count, .access = NOT_MEMORY};
    if (instruction->kind == ACCELSIM_MEMORY) {
        line->access = (int32_t)body->access_count;
        if (keep_access(body, instruction))
            return STATUS_MEMORY;
    }
    body->count++;
    return STATUS_OK;
}

/* The prefix of a line as one number; false where it is outside the launch. */
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

static enum status read_lines(struct text_reader *reader, const struct accelsim_header *header,
                              struct raw_body *body)
{
    enum status result = STATUS_OK;
    unsigned prefix = 0;
    uint32_t warps = launch_warps(&header->launch);
    bool warned = false;
    while (text_line(reader) && reader->problems < TEXT_PROBLEMS_MAX) {
        const char *at = reader->line;
        if (*at == '#' || scan_end(&at))
            continue;
        if (!body->count)
            prefix = accelsim_prefix(reader->line);
        struct accelsim_instruction instruction;
        uint64_t block;
        uint32_t warp;
        enum severity severity = reader->complete ? SEVERITY_ERROR : SEVERITY_WARNING;
        enum status status = STATUS_OK;
        if (prefix < 4 || accelsim_parse(reader, header, prefix, severity, &instruction)) {
            if (prefix < 4)
                text_problem(reader, SEVERITY_ERROR, reader->line,
                             "expected the block, the warp, the pc and the mask");
            status = reader->complete || prefix < 4 ? STATUS_INVALID : STATUS_OK;
        } else if (!line_warp(header, instruction.prefix, &block, &warp)) {
            text_problem(reader, SEVERITY_ERROR, reader->line, "this warp is outside the launch");
            status = STATUS_INVALID;
        } else {
            if (instruction.kind == ACCELSIM_UNKNOWN)
                accelsim_warn_unknown(reader, &instruction, &warned);
            if (instruction.kind == ACCELSIM_MEMORY && instruction.access.space == SPACE_LOCAL)
                accelsim_place_local(header, block, warp, &instruction);
            status = keep_line(body, block * warps + warp, &instruction);
        }
        result = result ? result : status;
        if (status && status != STATUS_INVALID)
            break;
    }
    return result;
}

/* The lines [begin, end) of one warp. */
static void write_warp(const struct raw_body *body, size_t begin, size_t end, uint32_t warp,
                       struct wtr_writer *writer)
{
    uint32_t gap = 0;
    wtr_begin_warp(writer, warp);
    for (size_t i = begin; i < end; i++) {
        int32_t index = body->lines[i].access;
        if (index < 0) {
            gap += body->lines[i].access == NOT_MEMORY;
            continue;
        }
        struct raw_access kept = body->accesses[index];
        kept.access.gap = gap;
        gap = 0;
        wtr_put(writer, &kept.access, kept.listed ? body->lanes + kept.lane : NULL);
    }
    wtr_end_warp(writer, gap);
}

/* LDGSTS stands twice in a raw trace, first with its shared and then with its global addresses. */
static void drop_shared_copies(struct raw_body *body)
{
    for (size_t i = 1; i < body->count; i++) {
        struct raw_line *first = &body->lines[i - 1], *second = &body->lines[i];
        if (first->warp != second->warp || first->access < 0 || second->access < 0)
            continue;
        const struct raw_access *a = &body->accesses[first->access];
        const struct raw_access *b = &body->accesses[second->access];
        if (a->copy && b->copy && a->access.pc == b->access.pc)
            first->access = SHARED_COPY;
    }
}

static void write_body(struct raw_body *body, uint32_t warps, struct wtr_writer *writer)
{
    if (body->count)
        qsort(body->lines, body->count, sizeof *body->lines, line_order);
    drop_shared_copies(body);
    uint64_t block = UINT64_MAX;
    for (size_t begin = 0, end; begin < body->count; begin = end) {
        uint64_t warp = body->lines[begin].warp;
        for (end = begin; end < body->count && body->lines[end].warp == warp; end++)
            continue;
        if (warp / warps != block) {
            if (block != UINT64_MAX)
                wtr_end_block(writer);
            block = warp / warps;
            wtr_begin_block(writer, block);
        }
        write_warp(body, begin, end, (uint32_t)(warp % warps), writer);
    }
    if (block != UINT64_MAX)
        wtr_end_block(writer);
}

enum status accelsim_read_raw(struct text_reader *reader, const struct accelsim_header *header,
                              struct wtr_writer *writer)
{
    struct raw_body body = {0};
    enum status status = read_lines(reader, header, &body);
    if (status == STATUS_UNSUPPORTED)
        text_problem(reader, SEVERITY_ERROR, NULL,
                     "a raw trace of more than %d instructions has to be grouped by the tracer's "
                     "post-processing first",
                     LINES_MAX);
    if (!status)
        write_body(&body, launch_warps(&header->launch), writer);
    free(body.lines);
    free(body.accesses);
    free(body.lanes);
    return status;
}
