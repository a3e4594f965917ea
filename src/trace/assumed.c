#include "trace/assumed.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/key_table.h"
#include "trace/hash_text.h"

enum {
    /* Independent loads write so many registers in turn, so as many may be in flight. */
    ROTATION = 32,
    ROWS_MAX = 1 << 22, /* 112 MiB */
    ROW_TAIL = 0,       /* the instructions after the last record */
    ROW_EXIT = 1,
    ROWS_FIRST = 2,   /* each pair of pc and operation: the gap, then its variants */
    WARP_RECORDS = 16 /* that the instructions of a warp are ahead of it */
};

struct assumed_source {
    struct trace_source source;
    const struct trace_source *original;
    struct trace_source *owned; /* the original, if it goes with this one; else NULL */
    enum assumed_dependences assumed;
    struct key_table accesses; /* numbers the pairs of pc and operation */
    struct trace_code code;
};

/* Where the instructions of a warp are. */
struct warp_cursor {
    struct access_window window; /* allocated when the warp is first read */
    uint32_t next;               /* record in the window */
    uint32_t gap;                /* instructions issued of the gap before it, or of the tail */
    uint32_t loads;              /* so far, modulo ROTATION */
    bool any, ended;
};

/* The records and the instructions of a warp have positions of their own, and so have the two
 * readers of the original. */
struct block_reader {
    const struct assumed_source *assumed;
    struct block_reader *records, *instructions;
    uint32_t warps, lanes; /* lanes: threads of the block */
    struct warp_cursor cursors[];
};

static unsigned variants(enum assumed_dependences assumed)
{
    return assumed == ASSUMED_SERIAL ? 1 : ROTATION;
}

static uint64_t access_key(const struct warp_access *access)
{
    return (uint64_t)access->pc << 8 | access->op;
}

/* ---- the code ---- */

static uint8_t access_flags_of(enum memory_op op)
{
    return op == OP_STORE    ? INSTRUCTION_STORE
           : op == OP_ATOMIC ? INSTRUCTION_ATOMIC
                             : INSTRUCTION_LOAD;
}

/* Lists a register that is written, or one that is read. */
static void writes(struct instruction *row, uint16_t number)
{
    assert(!row->written && !row->read);
    row->registers[row->written++] = number;
}

static void reads(struct instruction *row, uint16_t number)
{
    row->registers[row->written + row->read++] = number;
}

static struct instruction plain_row(enum assumed_dependences assumed, uint32_t pc,
                                    enum instruction_class class)
{
    struct instruction row = {.pc = pc, .class = (uint8_t) class};
    if (assumed == ASSUMED_SERIAL) {
        if (class == CLASS_INTEGER)
            writes(&row, 0);
        reads(&row, 0);
    }
    return row;
}

/* The access for which `variant` loads of the warp came before, modulo the rotation. */
static struct instruction access_row(enum assumed_dependences assumed, uint64_t key,
                                     unsigned variant)
{
    const enum memory_op op = key & UINT8_MAX;
    struct instruction row = {
        .pc = (uint32_t)(key >> 8), .class = CLASS_MEMORY, .flags = access_flags_of(op)};
    const bool load = row.flags == INSTRUCTION_LOAD, store = row.flags == INSTRUCTION_STORE;
    if (assumed == ASSUMED_SERIAL) {
        if (!store)
            writes(&row, 0);
        reads(&row, 0);
    } else if (load) {
        writes(&row, (uint16_t)variant);
    } else if (store) {
        reads(&row, (uint16_t)((variant + ROTATION - 1) % ROTATION));
    }
    return row;
}

static enum status make_code(struct assumed_source *source)
{
    const unsigned count = variants(source->assumed);
    const size_t rows = ROWS_FIRST + (size_t)source->accesses.count * (1 + count);
    struct instruction *row = malloc(rows * sizeof *row);
    if (!row)
        return STATUS_MEMORY;
    source->code = (struct trace_code){.items = row, .count = (uint32_t)rows};
    row[ROW_TAIL] = plain_row(source->assumed, 0, CLASS_INTEGER);
    row[ROW_EXIT] = plain_row(source->assumed, 0, CLASS_CONTROL);
    row[ROW_EXIT].action = ACTION_EXIT;
    row += ROWS_FIRST;
    for (uint32_t i = 0; i < source->accesses.count; i++) {
        const uint64_t key = source->accesses.keys[i];
        *row++ = plain_row(source->assumed, (uint32_t)(key >> 8), CLASS_INTEGER);
        for (unsigned variant = 0; variant < count; variant++)
            *row++ = access_row(source->assumed, key, variant);
    }
    return STATUS_OK;
}

static uint32_t gap_row(const struct assumed_source *source, const struct warp_access *access)
{
    uint32_t number = key_table_find(&source->accesses, access_key(access));
    assert(number != KEY_NONE);
    return ROWS_FIRST + number * (1 + variants(source->assumed));
}

/* ---- finding what accesses memory ---- */

static enum status note_accesses(struct assumed_source *source, const struct access_window *window,
                                 struct diagnostics *diagnostics)
{
    const uint32_t most = (ROWS_MAX - ROWS_FIRST) / (1 + variants(source->assumed));
    for (uint32_t i = 0; i < window->count; i++) {
        uint32_t number;
        enum status status =
            key_table_number(&source->accesses, access_key(&window->items[i]), &number);
        if (status)
            return status;
        if (number == most)
            return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                     "%s: more than %u different instructions access memory; "
                                     "assumed dependences do not go further",
                                     source->original->name, most);
    }
    return STATUS_OK;
}

static enum status scan_block(struct assumed_source *source, uint32_t launch, uint64_t block,
                              struct access_window *window, struct diagnostics *diagnostics)
{
    const struct trace_source *original = source->original;
    struct block_reader *reader;
    enum status status = original->ops->open_block(original, launch, block, &reader, diagnostics);
    if (status)
        return status;
    const uint32_t warps = launch_warps(&original->launches[launch]);
    for (uint32_t warp = 0; !status && warp < warps; warp++) {
        window->end = false;
        while (!status && !window->end) {
            status = original->ops->read(reader, warp, window, diagnostics);
            if (!status)
                status = note_accesses(source, window, diagnostics);
        }
    }
    original->ops->close_block(reader);
    return status;
}

static enum status scan(struct assumed_source *source, struct diagnostics *diagnostics)
{
    struct access_window window;
    enum status status = window_init(&window, WINDOW_RECORDS);
    for (uint32_t launch = 0; !status && launch < source->original->launch_count; launch++) {
        const uint64_t blocks = launch_blocks(&source->original->launches[launch]);
        for (uint64_t block = 0; !status && block < blocks; block++)
            status = scan_block(source, launch, block, &window, diagnostics);
    }
    window_free(&window);
    return status;
}

/* ---- reading ---- */

static void assumed_close_block(struct block_reader *reader)
{
    if (!reader)
        return;
    const struct trace_source_ops *ops = reader->assumed->original->ops;
    ops->close_block(reader->records);
    ops->close_block(reader->instructions);
    for (uint32_t i = 0; i < reader->warps; i++)
        window_free(&reader->cursors[i].window);
    free(reader);
}

static enum status assumed_open_block(const struct trace_source *source, uint32_t launch,
                                      uint64_t block, struct block_reader **reader,
                                      struct diagnostics *diagnostics)
{
    const struct assumed_source *assumed = (const struct assumed_source *)source;
    const struct trace_source *original = assumed->original;
    const uint32_t warps = launch_warps(&source->launches[launch]);
    struct block_reader *opened = calloc(1, sizeof *opened + warps * sizeof *opened->cursors);
    if (!opened)
        return STATUS_MEMORY;
    opened->assumed = assumed;
    opened->warps = warps;
    opened->lanes = launch_threads(&source->launches[launch]);
    enum status status =
        original->ops->open_block(original, launch, block, &opened->records, diagnostics);
    if (!status)
        status =
            original->ops->open_block(original, launch, block, &opened->instructions, diagnostics);
    if (status)
        assumed_close_block(opened);
    else
        *reader = opened;
    return status;
}

static enum status assumed_read(struct block_reader *reader, uint32_t warp,
                                struct access_window *window, struct diagnostics *diagnostics)
{
    return reader->assumed->original->ops->read(reader->records, warp, window, diagnostics);
}

static void assumed_put(struct instruction_window *window, struct warp_instruction instruction)
{
    window->items[window->count++] = instruction;
}

/* Issues up to `of` - cursor->gap instructions that access no memory, as many as there is room for.
 * Returns whether all are issued. */
static bool put_gap(struct warp_cursor *cursor, uint32_t of, uint32_t row, uint32_t mask,
                    struct instruction_window *window)
{
    for (; cursor->gap < of && window->count < window->capacity; cursor->gap++)
        assumed_put(window, (struct warp_instruction){.code = row, .mask = mask});
    return cursor->gap == of;
}

/* Issues the record at the cursor and the gap before it. */
static bool put_record(const struct assumed_source *source, struct warp_cursor *cursor,
                       struct instruction_window *window)
{
    const struct warp_access *access = &cursor->window.items[cursor->next];
    const uint32_t row = gap_row(source, access);
    if (!put_gap(cursor, access->gap, row, access->mask, window) ||
        window->count == window->capacity)
        return false;
    const uint32_t variant = cursor->loads % variants(source->assumed);
    assumed_put(window, (struct warp_instruction){.code = row + 1 + variant,
                                                  .mask = access->mask,
                                                  .flags = ISSUE_RECORD});
    cursor->loads = (cursor->loads + (access_flags_of(access->op) == INSTRUCTION_LOAD)) % ROTATION;
    cursor->gap = 0;
    cursor->next++;
    return true;
}

static uint32_t warp_mask(uint32_t lanes, uint32_t warp)
{
    const uint32_t left = lanes - warp * WARP_SIZE;
    return left < WARP_SIZE ? (UINT32_C(1) << left) - 1 : UINT32_MAX;
}

/* Issues the tail and the EXIT. */
static void put_end(struct warp_cursor *cursor, uint32_t mask, struct instruction_window *window)
{
    if (!put_gap(cursor, cursor->window.tail, ROW_TAIL, mask, window))
        return;
    if (!cursor->any && !cursor->window.tail) {
        cursor->ended = true;
    } else if (window->count < window->capacity) {
        assumed_put(window, (struct warp_instruction){.code = ROW_EXIT, .mask = mask});
        cursor->ended = true;
    }
}

static enum status assumed_read_instructions(struct block_reader *reader, uint32_t warp,
                                             struct instruction_window *window,
                                             struct diagnostics *diagnostics)
{
    const struct assumed_source *source = reader->assumed;
    struct warp_cursor *cursor = &reader->cursors[warp];
    window->count = 0;
    if (!cursor->window.items && window_init(&cursor->window, WARP_RECORDS))
        return STATUS_MEMORY;
    while (window->count < window->capacity && !cursor->ended) {
        if (cursor->next < cursor->window.count) {
            put_record(source, cursor, window);
        } else if (cursor->window.end) {
            put_end(cursor, warp_mask(reader->lanes, warp), window);
        } else {
            enum status status = source->original->ops->read(reader->instructions, warp,
                                                             &cursor->window, diagnostics);
            if (status)
                return status;
            cursor->next = 0;
            cursor->any |= cursor->window.count > 0;
        }
    }
    window->end = cursor->ended;
    return STATUS_OK;
}

/* ---- the source ---- */

static void assumed_free(struct trace_source *source)
{
    struct assumed_source *assumed = (struct assumed_source *)source;
    trace_source_clear(source);
    key_table_free(&assumed->accesses);
    free(assumed->code.items);
    trace_source_free(assumed->owned);
    free(assumed);
}

static const struct trace_source_ops assumed_ops = {.open_block = assumed_open_block,
                                                    .read = assumed_read,
                                                    .read_instructions = assumed_read_instructions,
                                                    .close_block = assumed_close_block,
                                                    .free = assumed_free};

static enum status copy_launches(struct assumed_source *assumed)
{
    const struct trace_source *original = assumed->original;
    struct trace_source *source = &assumed->source;
    const char *origin = original->provenance ? original->provenance : "";
    const char *separator = *origin ? ", " : "";
    source->name = strdup(original->name ? original->name : "");
    source->launches = calloc(original->launch_count + (size_t)1, sizeof *source->launches);
    if (asprintf(&source->provenance, "%s%sinstructions assumed to be %s", origin, separator,
                 assumed_table[assumed->assumed].name) < 0)
        source->provenance = NULL;
    if (!source->name || !source->launches || !source->provenance)
        return STATUS_MEMORY;
    for (; source->launch_count < original->launch_count; source->launch_count++) {
        struct trace_launch *launch = &source->launches[source->launch_count];
        *launch = original->launches[source->launch_count];
        launch->name = strdup(launch->name ? launch->name : "");
        launch->code = 1;
        if (!launch->name)
            return STATUS_MEMORY;
    }
    return STATUS_OK;
}

static void assumed_digest(struct assumed_source *assumed)
{
    struct trace_source *source = &assumed->source;
    const XXH128_hash_t hash = XXH3_128bits_withSeed(
        assumed->original->digest, sizeof assumed->original->digest, assumed->assumed);
    memcpy(source->digest, assumed->original->digest, sizeof source->digest);
    hash_print(source->code_digest, hash);
}

enum status trace_source_assume(const struct trace_source *original,
                                enum assumed_dependences assumed, struct trace_source **source,
                                struct diagnostics *diagnostics)
{
    struct assumed_source *made = calloc(1, sizeof *made);
    if (!made)
        return STATUS_MEMORY;
    made->source.ops = &assumed_ops;
    made->original = original;
    made->assumed = assumed;
    enum status status = copy_launches(made);
    if (!status)
        status = scan(made, diagnostics);
    if (!status)
        status = make_code(made);
    if (status) {
        assumed_free(&made->source);
        return status;
    }
    made->source.codes = &made->code;
    made->source.code_count = 1;
    assumed_digest(made);
    *source = &made->source;
    return STATUS_OK;
}

enum status trace_source_replace_assumed(struct trace_source **source,
                                         enum assumed_dependences assumed,
                                         struct diagnostics *diagnostics)
{
    if (assumed == ASSUMED_NOTHING || trace_source_timed(*source))
        return STATUS_OK;
    struct trace_source *made;
    const enum status status = trace_source_assume(*source, assumed, &made, diagnostics);
    if (status)
        return status;
    ((struct assumed_source *)made)->owned = *source;
    *source = made;
    return STATUS_OK;
}
