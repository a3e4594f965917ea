#include "support/timed_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "support/zeroed.h"

enum { CODE_ROWS = 40, PC_BYTES = 16, REGISTERS = 12 };

struct block_reader {
    const struct timed_launch *launch;
    uint64_t block;
    uint32_t *issue, *record; /* per warp */
};

/* ---- reading ---- */

static void close_block(struct block_reader *reader)
{
    if (!reader)
        return;
    free(reader->issue);
    free(reader->record);
    free(reader);
}

static enum status open_block(const struct trace_source *source, uint32_t launch, uint64_t block,
                              struct block_reader **reader, struct diagnostics *diagnostics)
{
    (void)diagnostics;
    const struct timed_source *timed = (const struct timed_source *)source;
    struct block_reader *made = calloc(1, sizeof *made);
    if (!made)
        return STATUS_MEMORY;
    made->launch = &timed->lists[launch];
    made->block = block;
    made->issue = calloc(made->launch->warps, sizeof *made->issue);
    made->record = calloc(made->launch->warps, sizeof *made->record);
    if (!made->issue || !made->record) {
        close_block(made);
        return STATUS_MEMORY;
    }
    *reader = made;
    return STATUS_OK;
}

static const struct timed_warp *warp_of(const struct block_reader *reader, uint32_t warp)
{
    return &reader->launch->warp[reader->block * reader->launch->warps + warp];
}

static enum status read_records(struct block_reader *reader, uint32_t warp,
                                struct access_window *window, struct diagnostics *diagnostics)
{
    (void)diagnostics;
    const struct timed_warp *list = warp_of(reader, warp);
    window->count = window->lane_count = window->tail = 0;
    while (window->count < window->capacity && reader->record[warp] < list->record_count)
        window_push(window, list->records[reader->record[warp]++], NULL);
    window->end = reader->record[warp] == list->record_count;
    window->tail = window->end ? list->tail : 0;
    return STATUS_OK;
}

static enum status read_issues(struct block_reader *reader, uint32_t warp,
                               struct instruction_window *window, struct diagnostics *diagnostics)
{
    (void)diagnostics;
    const struct timed_warp *list = warp_of(reader, warp);
    window->count = 0;
    while (window->count < window->capacity && reader->issue[warp] < list->issue_count)
        window->items[window->count++] = list->issues[reader->issue[warp]++];
    window->end = reader->issue[warp] == list->issue_count;
    return STATUS_OK;
}

static void free_source(struct trace_source *source)
{
    struct timed_source *timed = (struct timed_source *)source;
    for (uint32_t i = 0; i < source->launch_count; i++) {
        struct timed_launch *launch = &timed->lists[i];
        for (uint32_t w = 0; w < launch->blocks * launch->warps; w++) {
            free(launch->warp[w].issues);
            free(launch->warp[w].records);
        }
        free(launch->warp);
        free(source->launches[i].name);
    }
    free(source->codes[0].items);
    free(source->codes);
    free(timed->lists);
    free(source->launches);
    free(source->name);
    free(source->provenance);
    free(timed);
}

static const struct trace_source_ops timed_ops = {.open_block = open_block,
                                                  .read = read_records,
                                                  .read_instructions = read_issues,
                                                  .close_block = close_block,
                                                  .free = free_source};

/* ---- making ---- */

/* One kind of instruction, and the content that a program needs to have it. 0: every program. */
struct kind {
    unsigned content;
    struct instruction row;
};

static const struct kind kinds[] = {
    {0, {.class = CLASS_INTEGER, .written = 1, .read = 2}},
    {0, {.class = CLASS_SINGLE, .written = 1, .read = 3}},
    {0, {.class = CLASS_HALF, .written = 1, .read = 2}},
    {0, {.class = CLASS_DOUBLE, .written = 2, .read = 2}},
    {0, {.class = CLASS_SPECIAL, .written = 1, .read = 1}},
    {0, {.class = CLASS_TENSOR, .written = 4, .read = 4}},
    {0, {.class = CLASS_BRANCH}},
    {0, {.class = CLASS_UNIFORM, .written = 1, .read = 1}},
    {0, {.class = CLASS_TEXTURE, .written = 1, .read = 1}},
    {TIMED_LOADS, {.class = CLASS_MEMORY, .flags = INSTRUCTION_LOAD, .written = 1, .read = 1}},
    {TIMED_LOADS, {.class = CLASS_MEMORY, .flags = INSTRUCTION_LOAD, .written = 2, .read = 2}},
    {TIMED_STORES, {.class = CLASS_MEMORY, .flags = INSTRUCTION_STORE, .read = 2}},
    {TIMED_ATOMICS, {.class = CLASS_MEMORY, .flags = INSTRUCTION_ATOMIC, .written = 1, .read = 2}},
    {TIMED_ATOMICS, {.class = CLASS_MEMORY, .flags = INSTRUCTION_ATOMIC, .read = 2}},
    {TIMED_SHARED,
     {.class = CLASS_MEMORY,
      .flags = INSTRUCTION_LOAD | INSTRUCTION_SHARED,
      .written = 1,
      .read = 1}},
    {TIMED_SHARED,
     {.class = CLASS_MEMORY, .flags = INSTRUCTION_STORE | INSTRUCTION_SHARED, .read = 2}},
    {TIMED_SHARED | TIMED_ATOMICS,
     {.class = CLASS_MEMORY,
      .flags = INSTRUCTION_ATOMIC | INSTRUCTION_SHARED,
      .written = 1,
      .read = 2}},
    {TIMED_COPIES, {.class = CLASS_MEMORY, .flags = INSTRUCTION_COPY, .read = 2}},
    {TIMED_COPIES, {.class = CLASS_CONTROL, .action = ACTION_COMMIT}},
    {TIMED_COPIES, {.class = CLASS_CONTROL, .action = ACTION_WAIT, .argument = 1}},
    {TIMED_FENCES, {.class = CLASS_MEMORY, .action = ACTION_FENCE}},
    {TIMED_BARRIERS, {.class = CLASS_CONTROL, .action = ACTION_BARRIER}},
    {TIMED_EXITS, {.class = CLASS_CONTROL, .action = ACTION_EXIT}},
    /* The last ones: programs without them are those that they were before there were any. */
    {TIMED_TEXTURES, {.class = CLASS_TEXTURE, .flags = INSTRUCTION_LOAD, .written = 1, .read = 1}},
    {TIMED_FLOATS,
     {.class = CLASS_MEMORY, .flags = INSTRUCTION_ATOMIC | INSTRUCTION_FLOAT, .read = 2}},
};

/* How many kinds to draw from. */
static size_t kind_count(unsigned content)
{
    size_t count = sizeof kinds / sizeof *kinds;
    while (kinds[count - 1].content & ~(content | TIMED_ALL))
        count--;
    return count;
}

static struct instruction random_row(struct dice *dice, const struct timed_shape *shape)
{
    const unsigned content = shape->content, only = content / TIMED_ONLY(0);
    const struct kind *kind;
    const size_t count = kind_count(content);
    do
        kind = &kinds[roll(dice, count)];
    while ((kind->content & content) != kind->content || (only && !(only >> kind->row.class & 1)));
    struct instruction row = kind->row;
    for (unsigned i = 0; i < (unsigned)row.written + row.read; i++)
        row.registers[i] =
            (uint16_t)(roll(dice, 20) ? roll(dice, REGISTERS) : roll(dice, REGISTER_COUNT));
    if (row.action == ACTION_WAIT)
        row.argument = (uint8_t)roll(dice, 3);
    return row;
}

/* The code of every launch: random rows, the last one an exit. */
static struct trace_code random_code(struct dice *dice, const struct timed_shape *shape)
{
    struct trace_code code = {.items = zeroed(CODE_ROWS, sizeof(struct instruction)),
                              .count = CODE_ROWS};
    for (uint32_t i = 0; i < CODE_ROWS; i++) {
        code.items[i] = random_row(dice, shape);
        code.items[i].pc = i * PC_BYTES;
    }
    code.items[CODE_ROWS - 1] = (struct instruction){
        .pc = (CODE_ROWS - 1) * PC_BYTES, .class = CLASS_CONTROL, .action = ACTION_EXIT};
    return code;
}

static struct warp_access random_access(struct dice *dice, const struct instruction *row,
                                        uint32_t mask, uint64_t lines)
{
    static const int32_t strides[] = {0, 4, 4, 4, 8, 128, -4, 36};
    struct warp_access access = {
        .base = 0x10000 + roll(dice, lines * 32) * 4,
        .stride = strides[roll(dice, 8)],
        .mask = mask,
        .pc = row->pc,
        .bytes = 4,
        .op = OP_LOAD,
        .space = roll(dice, 4) ? SPACE_GLOBAL : SPACE_LOCAL,
    };
    if (roll(dice, 6) == 0) {
        access.bytes = 16;
        access.base &= ~UINT64_C(15);
        access.stride = 16;
    }
    if (row->flags & INSTRUCTION_STORE)
        access.op = OP_STORE;
    if (row->flags & INSTRUCTION_ATOMIC) {
        access.op = OP_ATOMIC;
        access.space = SPACE_GLOBAL;
    }
    if (row->class == CLASS_TEXTURE)
        access.space = SPACE_TEXTURE;
    else if (access.op == OP_LOAD && roll(dice, 12) == 0)
        access.flags = ACCESS_BYPASS_L1;
    return access;
}

static uint32_t random_mask(struct dice *dice)
{
    if (roll(dice, 3))
        return UINT32_MAX;
    return roll(dice, 8) ? (uint32_t)random_at(dice->seed, dice->next++) : 0;
}

static void random_issue(struct dice *dice, const struct trace_code *code, uint64_t lines,
                         struct timed_warp *warp)
{
    const uint32_t at = (uint32_t)roll(dice, CODE_ROWS - 1);
    const struct instruction *row = &code->items[at];
    struct warp_instruction issue = {.code = at, .mask = random_mask(dice)};
    const unsigned accesses =
        INSTRUCTION_LOAD | INSTRUCTION_STORE | INSTRUCTION_ATOMIC | INSTRUCTION_COPY;
    if (row->flags & INSTRUCTION_SHARED) {
        issue.banks = issue.mask ? (uint8_t)(roll(dice, 3) ? 1 : 1 + roll(dice, 32)) : 0;
    } else if (row->flags & accesses && issue.mask) {
        issue.flags = ISSUE_RECORD;
        warp->records[warp->record_count++] = random_access(dice, row, issue.mask, lines);
    }
    if (row->action == ACTION_EXIT)
        issue.mask &= (uint32_t)random_at(dice->seed, dice->next++);
    warp->issues[warp->issue_count++] = issue;
}

static void note_gaps(struct timed_warp *warp)
{
    uint32_t record = 0, before = 0;
    for (uint32_t i = 0; i < warp->issue_count; i++, before++)
        if (warp->issues[i].flags & ISSUE_RECORD) {
            warp->records[record++].gap = before;
            before = UINT32_MAX; /* 0 in the next turn */
        }
    warp->tail = before;
}

static void fill_warp(struct dice *dice, const struct trace_code *code,
                      const struct timed_shape *shape, struct timed_warp *warp)
{
    const uint32_t count = roll(dice, 9) ? (uint32_t)roll(dice, shape->instructions) : 0;
    warp->issues = zeroed(count + 1, sizeof *warp->issues);
    warp->records = zeroed(count + 1, sizeof *warp->records);
    for (uint32_t i = 0; i < count; i++)
        random_issue(dice, code, shape->lines, warp);
    if (roll(dice, 20)) /* some streams end without an exit */
        warp->issues[warp->issue_count++] =
            (struct warp_instruction){.code = CODE_ROWS - 1, .mask = UINT32_MAX};
    if (shape->content & TIMED_GAPS)
        note_gaps(warp);
}

struct timed_source *timed_source_random(uint64_t seed, const struct timed_shape *shape)
{
    struct dice dice = {.seed = seed};
    struct timed_source *timed = zeroed(1, sizeof *timed);
    const uint32_t launches = 1 + (uint32_t)roll(&dice, shape->launches);
    timed->lists = zeroed(launches, sizeof *timed->lists);
    timed->base = (struct trace_source){
        .ops = &timed_ops,
        .name = strdup("random"),
        .provenance = strdup("a random program for a test"),
        .launches = zeroed(launches, sizeof(struct trace_launch)),
        .launch_count = launches,
        .codes = zeroed(1, sizeof(struct trace_code)),
        .code_count = 1,
    };
    snprintf(timed->base.digest, sizeof timed->base.digest, "%032llx", (unsigned long long)seed);
    timed->base.codes[0] = random_code(&dice, shape);
    for (uint32_t i = 0; i < launches; i++) {
        struct timed_launch *launch = &timed->lists[i];
        launch->blocks = 1 + (uint32_t)roll(&dice, shape->blocks);
        launch->warps = 1 + (uint32_t)roll(&dice, shape->warps);
        launch->warp = zeroed((size_t)launch->blocks * launch->warps, sizeof *launch->warp);
        timed->base.launches[i] = (struct trace_launch){
            .name = strdup("kernel"),
            .grid = {launch->blocks, 1, 1},
            .block = {launch->warps * WARP_SIZE - (uint32_t)roll(&dice, 8), 1, 1},
            .registers = 8,
            .code = 1,
        };
        for (uint32_t w = 0; w < launch->blocks * launch->warps; w++)
            fill_warp(&dice, &timed->base.codes[0], shape, &launch->warp[w]);
    }
    return timed;
}
