#include "workload/simt/simt_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/bits.h"
#include "base/memory.h"
#include "base/mix.h"
#include "trace/hash_text.h"

/* Part of every digest: raise it when the records or instructions of any program change. */
enum { GENERATOR_VERSION = 1 };

enum { STRETCH = 128 /* steps that a block makes at a time */ };

const struct workload_parameter simt_parameters[SIMT_PARAMETERS] = {SIMT_PARAMETER_ROWS};

struct simt_setup simt_setup_of(const uint64_t values[SIMT_PARAMETERS])
{
    return (struct simt_setup){.blocks = (uint32_t)values[0],
                               .warps = (uint32_t)values[1],
                               .lanes = (uint32_t)values[2],
                               .masks = values[3],
                               .limit = values[4],
                               .stack = (uint32_t)(values[5] + SIMT_STACK_UNIT - 1) /
                                        SIMT_STACK_UNIT * SIMT_STACK_UNIT};
}

struct source {
    struct trace_source source;
    struct simt_program program;
    /* By instruction: the row of the same instruction where it does something else, 0: none. That
     * is a barrier that only some lanes have come to, a jump with which lanes end, and a load or
     * store in the shared RAM. */
    uint32_t *other;
};

/* Instructions that a warp issues one after another as the text has them. The first one may be
 * more than its row of the code says: `banks` and `flags` are as in struct warp_instruction. */
struct stretch {
    uint32_t place;
    uint8_t mask, count, banks, flags;
    bool other; /* the first one does what source->other says */
};

/* An access as struct warp_access has it. */
struct record {
    uint64_t base; /* if it is listed: unused */
    int32_t stride;
    uint32_t pc, gap;
    uint8_t mask, bytes, op;
    bool listed;
};

/* What one execution has made of a warp and nobody has read yet: much where warps wait for others
 * at barriers, so it is kept small. */
struct queue {
    struct record *records;
    uint32_t *lanes; /* addresses of listed records */
    struct stretch *stretches;
    size_t head, count, capacity; /* of records or of stretches */
    size_t lane_head, lane_count, lane_capacity;
    size_t unread; /* records or instructions */
    uint32_t gap;
};

struct run { /* one execution */
    struct simt_block *block;
    struct queue records[SIMT_WARPS], instructions[SIMT_WARPS];
    bool ended;
};

/* If instructions are read first, records come from the same execution, since whoever reads
 * instructions takes the records as they come. Records that are read first have their own. */
struct block_reader {
    const struct source *source;
    uint32_t index;
    struct run runs[2];
    struct run *records, *instructions; /* NULL: not read yet */
};

static void close_run(struct run *run)
{
    simt_block_free(run->block);
    for (unsigned i = 0; i < SIMT_WARPS; i++) {
        free(run->records[i].records);
        free(run->records[i].lanes);
        free(run->instructions[i].stretches);
    }
}

static void close_block(struct block_reader *reader)
{
    if (!reader)
        return;
    close_run(&reader->runs[0]);
    close_run(&reader->runs[1]);
    free(reader);
}

static enum status open_block(const struct trace_source *base, uint32_t launch, uint64_t block,
                              struct block_reader **reader, struct diagnostics *diagnostics)
{
    const struct source *source = (const struct source *)base;
    *reader = NULL;
    if (launch || block >= source->program.setup.blocks)
        return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "%s has no block %llu in launch %u",
                                 base->name, (unsigned long long)block, launch);
    *reader = calloc(1, sizeof **reader);
    if (!*reader)
        return STATUS_MEMORY;
    (*reader)->source = source;
    (*reader)->index = (uint32_t)block;
    return STATUS_OK;
}

/* Forgets what has been read, so that the room is used again. What has not been read moves only if
 * it is the smaller part, so an entry moves less than once on average. */
static void queue_rewind(struct queue *queue)
{
    const size_t left = queue->count - queue->head, lanes = queue->lane_count - queue->lane_head;
    if (left > queue->head || lanes > queue->lane_head)
        return;
    if (queue->records && left)
        memcpy(queue->records, queue->records + queue->head, left * sizeof *queue->records);
    if (queue->stretches && left)
        memcpy(queue->stretches, queue->stretches + queue->head, left * sizeof *queue->stretches);
    if (queue->lanes && lanes)
        memcpy(queue->lanes, queue->lanes + queue->lane_head, lanes * sizeof *queue->lanes);
    queue->head = queue->lane_head = 0;
    queue->count = left;
    queue->lane_count = lanes;
}

/* Whether all lanes of a full warp are at equal distances: most are, so this comes before the
 * general test. Addresses do not wrap around if the last one is where it is without. */
static bool full_steps(const uint32_t addresses[SIMT_LANES], int64_t *stride)
{
    const uint32_t step = addresses[1] - addresses[0];
    uint32_t wrong = 0, expected = addresses[0];
    for (unsigned lane = 0; lane < SIMT_LANES; lane++, expected += step)
        wrong |= addresses[lane] ^ expected;
    *stride = (int32_t)step;
    return !wrong &&
           addresses[0] + *stride * (SIMT_LANES - 1) == (int64_t)addresses[SIMT_LANES - 1];
}

/* Records that do not seem to be at equal distances, or not of all lanes. */
static void put_listed(struct queue *queue, const struct simt_step *step, struct record *record)
{
    struct warp_access access = {.mask = step->mask};
    uint64_t addresses[SIMT_LANES];
    uint32_t *lanes = queue->lanes + queue->lane_count;
    unsigned count = 0;
    for (uint32_t rest = step->mask; rest; rest &= rest - 1) {
        lanes[count] = step->addresses[__builtin_ctz(rest)];
        addresses[count] = lanes[count];
        count++;
    }
    access_compress(&access, addresses);
    record->base = access.base;
    record->stride = access.stride;
    record->listed = access.flags & ACCESS_LISTED;
    queue->lane_count += record->listed ? count : 0;
}

static uint8_t operation_of(uint8_t op)
{
    switch (simt_instructions[op].kind) {
    case KIND_ATOMIC:
        return OP_ATOMIC;
    case KIND_STORE:
        return OP_STORE;
    default:
        return OP_LOAD;
    }
}

/* Queues the record of a load, store or atomic. */
static void put_record(struct queue *queue, const struct simt_step *step, uint32_t gap)
{
    struct record *record = &queue->records[queue->count++];
    int64_t stride;
    queue->unread++;
    record->mask = (uint8_t)step->mask;
    record->pc = step->pc;
    record->gap = gap;
    record->bytes = step->bytes;
    record->op = operation_of(step->op);
    record->listed = false;
    if (step->mask == (1u << SIMT_LANES) - 1 && full_steps(step->addresses, &stride)) {
        record->base = step->addresses[0];
        record->stride = (int32_t)stride;
    } else {
        put_listed(queue, step, record);
    }
}

/* How many rounds the 32 banks of the shared RAM need: the most distinct words in one of them. */
static uint8_t bank_rounds(const struct simt_step *step)
{
    enum { BANKS = 32, WORD = 4 };
    unsigned most = 0;
    for (uint32_t rest = step->mask; rest; rest &= rest - 1) {
        const uint32_t word = step->addresses[__builtin_ctz(rest)] / WORD;
        unsigned count = 1;
        for (uint32_t other = rest & (rest - 1); other; other &= other - 1) {
            const uint32_t another = step->addresses[__builtin_ctz(other)] / WORD;
            count += another != word && another % BANKS == word % BANKS;
        }
        most = count > most ? count : most;
    }
    return (uint8_t)most;
}

/* What an instruction that is more than its row of the code is: it accesses memory, or it may do
 * something else. */
static void mark_instruction(const struct source *source, const struct simt_step *step,
                             struct stretch *put)
{
    const bool other =
        step->op == SIMT_vx_bar ? !step->arrived : step->ended || (step->bytes && step->shared);
    put->other = other && source->other[put->place];
    if (step->bytes && step->shared)
        put->banks = bank_rounds(step);
    else if (step->bytes)
        put->flags = ISSUE_RECORD;
}

/* Queues what instructions did for whoever reads this execution. */
static void put_steps(const struct block_reader *reader, struct run *run,
                      const struct simt_step *steps, size_t count)
{
    const struct simt_image *image = &reader->source->program.image;
    const bool instructions = reader->instructions == run, records = reader->records == run;
    struct stretch unread;
    for (size_t i = 0; i < count; i++) {
        const struct simt_step *step = &steps[i];
        struct queue *issued = &run->instructions[step->warp], *made = &run->records[step->warp];
        struct stretch *put = instructions ? &issued->stretches[issued->count++] : &unread;
        const uint32_t gap = made->gap; /* instructions since the last record */
        *put = (struct stretch){.place = simt_place_of(image, step->pc),
                                .mask = (uint8_t)step->mask,
                                .count = step->count};
        issued->unread += step->count;
        made->gap += step->count;
        if (!step->bytes && !step->ended && step->op != SIMT_vx_bar)
            continue;
        mark_instruction(reader->source, step, put);
        if (!records || !(put->flags & ISSUE_RECORD))
            continue;
        put_record(made, step, gap);
        made->gap = step->count - 1u;
    }
}

static enum status reserve_records(struct queue *queue)
{
    if (queue->count + STRETCH > queue->capacity &&
        array_reserve(&queue->records, &queue->capacity, queue->count + STRETCH))
        return STATUS_MEMORY;
    const size_t lanes = queue->lane_count + (size_t)STRETCH * SIMT_LANES;
    return lanes > queue->lane_capacity ? array_reserve(&queue->lanes, &queue->lane_capacity, lanes)
                                        : STATUS_OK;
}

static enum status reserve_instructions(struct queue *queue)
{
    return queue->count + STRETCH > queue->capacity
               ? array_reserve(&queue->stretches, &queue->capacity, queue->count + STRETCH)
               : STATUS_OK;
}

/* Makes room for what a stretch of steps can put into the queues. */
static enum status reserve(const struct block_reader *reader, struct run *run)
{
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < reader->source->program.setup.warps && !status; i++) {
        if (reader->instructions == run)
            status = reserve_instructions(&run->instructions[i]);
        if (!status && reader->records == run)
            status = reserve_records(&run->records[i]);
    }
    return status;
}

/* Issues instructions of the block until the warp's queue has as many `wanted` records or
 * instructions, or none follow. */
static enum status run_ahead(const struct block_reader *reader, struct run *run, struct queue *own,
                             uint32_t warp, size_t wanted, struct diagnostics *diagnostics)
{
    const struct source *source = reader->source;
    const bool masks = source->program.setup.masks;
    enum status status = STATUS_OK;
    queue_rewind(own);
    if (!run->block && !run->ended)
        status = simt_block_start(&run->block, &source->program, reader->index, NULL);
    while (!status && !run->ended && own->unread < wanted) {
        struct simt_step steps[STRETCH];
        enum simt_result result;
        if (!masks && simt_warp_ended(&run->block->warps[warp]))
            break;
        status = reserve(reader, run);
        if (status)
            break;
        put_steps(reader, run, steps, simt_block_run(run->block, steps, STRETCH, &result));
        if (result == SIMT_FAULT)
            return simt_block_fault(run->block, diagnostics);
        run->ended = result == SIMT_ENDED;
    }
    return status;
}

static bool warp_ended(const struct block_reader *reader, const struct run *run, uint32_t warp)
{
    return run->ended ||
           (!reader->source->program.setup.masks && simt_warp_ended(&run->block->warps[warp]));
}

static enum status check_warp(const struct block_reader *reader, uint32_t warp,
                              struct diagnostics *diagnostics)
{
    if (warp < reader->source->program.setup.warps)
        return STATUS_OK;
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "%s has no warp %u in a block",
                             reader->source->source.name, warp);
}

/* Moves a record to a window. */
static void take_record(struct queue *queue, struct access_window *window)
{
    const struct record *record = &queue->records[queue->head++];
    struct warp_access *access = &window->items[window->count++];
    queue->unread--;
    *access = (struct warp_access){.base = record->base,
                                   .stride = record->stride,
                                   .mask = record->mask,
                                   .pc = record->pc,
                                   .gap = record->gap,
                                   .bytes = record->bytes,
                                   .op = record->op,
                                   .space = SPACE_GLOBAL};
    if (!record->listed)
        return;
    access->flags = ACCESS_LISTED;
    access->base = window->lane_count;
    const unsigned lanes = bits_count(record->mask);
    for (unsigned i = 0; i < lanes; i++)
        window->lanes[window->lane_count++] = queue->lanes[queue->lane_head++];
}

/* Moves `count` instructions of a stretch to a window. */
static void take_instructions(const struct source *source, const struct stretch *stretch,
                              uint32_t count, struct warp_instruction *items)
{
    const struct simt_decoded *decoded = source->program.decoded;
    const bool is_word = source->program.image.place_shift == 2; /* then each takes a place */
    uint32_t place = stretch->place;
    items[0] = (struct warp_instruction){.code = stretch->other ? source->other[place] : place,
                                         .mask = stretch->mask,
                                         .banks = stretch->banks,
                                         .flags = stretch->flags};
    for (uint32_t i = 1; i < count; i++) {
        place += is_word ? 1 : decoded[place].places;
        items[i] = (struct warp_instruction){.code = place, .mask = stretch->mask};
    }
}

/* Leaves what follows the first `taken` instructions of a stretch. */
static void shorten(const struct source *source, struct stretch *stretch, uint32_t taken)
{
    struct stretch left = {
        .place = stretch->place, .mask = stretch->mask, .count = (uint8_t)(stretch->count - taken)};
    while (taken--)
        left.place += source->program.decoded[left.place].places;
    *stretch = left;
}

static enum status read_records(struct block_reader *reader, uint32_t warp,
                                struct access_window *window, struct diagnostics *diagnostics)
{
    window->count = window->lane_count = window->tail = 0;
    window->end = false;
    enum status status = check_warp(reader, warp, diagnostics);
    if (status)
        return status;
    if (!reader->records)
        reader->records = &reader->runs[0];
    struct run *run = reader->records;
    struct queue *queue = &run->records[warp];
    status = run_ahead(reader, run, queue, warp, window->capacity, diagnostics);
    if (status)
        return status;
    while (queue->head < queue->count && window->count < window->capacity)
        take_record(queue, window);
    window->end = queue->head == queue->count && warp_ended(reader, run, warp);
    window->tail = window->end ? queue->gap : 0;
    return STATUS_OK;
}

static enum status read_instructions(struct block_reader *reader, uint32_t warp,
                                     struct instruction_window *window,
                                     struct diagnostics *diagnostics)
{
    window->count = 0;
    window->end = false;
    enum status status = check_warp(reader, warp, diagnostics);
    if (status)
        return status;
    if (!reader->instructions) {
        reader->instructions = &reader->runs[1];
        if (!reader->records)
            reader->records = reader->instructions;
    }
    struct run *run = reader->instructions;
    struct queue *queue = &run->instructions[warp];
    status = run_ahead(reader, run, queue, warp, window->capacity, diagnostics);
    if (status)
        return status;
    while (queue->head < queue->count && window->count < window->capacity) {
        struct stretch *stretch = &queue->stretches[queue->head];
        const uint32_t room = window->capacity - window->count;
        const uint32_t taken = stretch->count < room ? stretch->count : room;
        take_instructions(reader->source, stretch, taken, window->items + window->count);
        window->count += taken;
        if (taken < stretch->count)
            shorten(reader->source, stretch, taken);
        else
            queue->head++;
    }
    queue->unread -= window->count;
    window->end = queue->head == queue->count && warp_ended(reader, run, warp);
    return STATUS_OK;
}

static void source_free(struct trace_source *base)
{
    struct source *source = (struct source *)base;
    simt_program_free(&source->program);
    free(source->other);
    for (uint32_t i = 0; i < base->code_count; i++)
        free(base->codes[i].items);
    free(base->codes);
    trace_source_clear(base);
    free(source);
}

static const struct trace_source_ops source_ops = {.open_block = open_block,
                                                   .read = read_records,
                                                   .read_instructions = read_instructions,
                                                   .close_block = close_block,
                                                   .free = source_free};

const struct simt_program *simt_source_program(const struct trace_source *source)
{
    return source->ops == &source_ops ? &((const struct source *)source)->program : NULL;
}

/* Makes a row what its instruction does otherwise; false if it does not. */
static bool describe_other(const struct simt_decoded *decoded, struct instruction *row)
{
    if (decoded->op == SIMT_vx_bar)
        row->action = ACTION_NONE;
    else if (decoded->op == SIMT_jalr || decoded->op == SIMT_vx_tmc)
        row->action = ACTION_EXIT;
    else if (row->flags & (INSTRUCTION_LOAD | INSTRUCTION_STORE | INSTRUCTION_ATOMIC))
        row->flags |= INSTRUCTION_SHARED;
    else
        return false;
    return true;
}

/* A row for each place where an instruction may begin; after them those of what instructions do
 * otherwise. */
static enum status describe_code(struct source *source)
{
    const struct simt_image *image = &source->program.image;
    const uint32_t places = simt_places(image);
    struct trace_code *code = calloc(1, sizeof *code);
    source->source.codes = code;
    source->other = calloc(places + 1, sizeof *source->other);
    if (!code || !source->other)
        return STATUS_MEMORY;
    source->source.code_count = 1;
    code->items = calloc(2 * (size_t)places + 1, sizeof *code->items);
    if (!code->items)
        return STATUS_MEMORY;
    code->count = places;
    for (uint32_t i = 0; i < places; i++) {
        uint8_t size;
        const struct simt_decoded decoded = simt_decode(simt_word_at(image, i, &size));
        simt_describe(&decoded, simt_pc_of(image, i), &code->items[i]);
        struct instruction other = code->items[i];
        if (describe_other(&decoded, &other)) {
            source->other[i] = code->count;
            code->items[code->count++] = other;
        }
    }
    return STATUS_OK;
}

/* A hash of how blocks start; 0: as all others. */
static uint64_t hash_starts(const struct simt_program *program)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < program->setup.blocks; i++) {
        const struct simt_start *start = &program->starts[i];
        if (!start->given && start->pc == program->image.entry)
            continue;
        mix_word(&hash, i);
        mix_word(&hash, start->given);
        mix_word(&hash, start->pc);
        mix_bytes(&hash, start->registers, sizeof start->registers);
    }
    return hash;
}

/* The digest covers the bytes of the program and everything that its steps depend on. */
static void set_digests(struct source *source)
{
    const struct simt_image *image = &source->program.image;
    const struct simt_setup *setup = &source->program.setup;
    const XXH128_hash_t bytes = XXH3_128bits(image->bytes, image->size);
    const uint64_t all[] = {GENERATOR_VERSION,  image->base,      image->size,
                            image->text,        image->text_size, image->entry,
                            image->place_shift, setup->blocks,    setup->warps,
                            setup->lanes,       setup->stack,     setup->masks,
                            bytes.low64,        bytes.high64,     hash_starts(&source->program)};
    const size_t size = all[sizeof all / sizeof *all - 1] ? sizeof all : sizeof all - sizeof *all;
    const XXH128_hash_t hash = XXH3_128bits(all, size);
    hash_print(source->source.digest, hash);
    hash_print(source->source.code_digest,
               XXH3_128bits_withSeed(&hash, sizeof hash, GENERATOR_VERSION));
}

static enum status set_launch(struct source *source)
{
    enum { REGISTERS = 64 };
    const struct simt_setup *setup = &source->program.setup;
    struct trace_launch *launch = calloc(1, sizeof *launch);
    source->source.launches = launch;
    if (!launch)
        return STATUS_MEMORY;
    source->source.launch_count = 1;
    const struct simt_symbol *symbol =
        simt_symbol_before(&source->program.image, source->program.image.entry);
    *launch = (struct trace_launch){.name = strdup(symbol ? symbol->name : "program"),
                                    .grid = {setup->blocks, 1, 1},
                                    .block = {WARP_SIZE, setup->warps, 1},
                                    .registers = REGISTERS,
                                    .code = 1};
    return launch->name ? STATUS_OK : STATUS_MEMORY;
}

enum status simt_source_create(const char *name, struct simt_program *program,
                               struct trace_source **made, struct diagnostics *diagnostics)
{
    struct source *source = calloc(1, sizeof *source);
    *made = NULL;
    if (!source) {
        simt_program_free(program);
        return STATUS_MEMORY;
    }
    source->program = *program;
    *program = (struct simt_program){0};
    const struct simt_setup *setup = &source->program.setup;
    source->source.ops = &source_ops;
    enum status status = describe_code(source);
    if (!status)
        status = set_launch(source);
    source->source.name = strdup(name);
    if (asprintf(&source->source.provenance,
                 "RISC-V program %s: %u x %u warps of %u lanes%s (version %d)",
                 source->program.image.name, setup->blocks, setup->warps, setup->lanes,
                 setup->masks ? ", masks" : "", GENERATOR_VERSION) < 0)
        source->source.provenance = NULL;
    if (!source->source.name || !source->source.provenance)
        status = STATUS_MEMORY;
    if (status) {
        source_free(&source->source);
        return diagnostics_error(diagnostics, status, "cannot open the program: %s",
                                 status_text(status));
    }
    set_digests(source);
    *made = &source->source;
    return STATUS_OK;
}
