#include "model/pass/request_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    GRANULE_BITS = 4, /* coalescers and caches make only multiples of this */
    REGION_BITS = 16,
    BATCH = 4096
};

struct request_log *request_log_create(unsigned instances, enum log_places places, uint64_t limit)
{
    struct request_log *log = calloc(1, sizeof *log);
    if (!log)
        return NULL;
    log->instances = instances;
    log->places = places;
    log->limit = limit;
    log->sections = calloc(instances ? instances : 1, sizeof *log->sections);
    if (!log->sections) {
        free(log);
        return NULL;
    }
    return log;
}

static void free_section(struct log_section *section)
{
    free(section->items);
    free(section->ends);
    line_ids_free(&section->ids);
    free(section->kinds);
    key_table_free(&section->words);
    key_table_free(&section->kind_of);
    free(section->odd);
}

void request_log_free(struct request_log *log)
{
    if (!log)
        return;
    for (unsigned u = 0; u < log->instances; u++)
        free_section(&log->sections[u]);
    free(log->sections);
    free(log->blocks);
    free(log);
}

bool request_log_whole(const struct request_log *log)
{
    return !atomic_load_explicit(&log->given_up, memory_order_relaxed);
}

static void give_up(struct request_log *log)
{
    atomic_store_explicit(&log->given_up, true, memory_order_relaxed);
}

static void charge(struct request_log *log, uint64_t bytes)
{
    atomic_fetch_add_explicit(&log->bytes, bytes, memory_order_relaxed);
}

/* Makes room for one more item. Growth is charged to the log before it happens. */
#define MAKE_ROOM(log, items, count, capacity)                                                     \
    ((count) < (capacity) ||                                                                       \
     log_make_room((log), (void **)&(items), (count), &(capacity), sizeof *(items)))

static bool log_make_room(struct request_log *log, void **items, size_t count, size_t *capacity,
                          size_t size)
{
    size_t before = *capacity;
    uint64_t more = (before ? before : 16) * size; /* array_reserve doubles */
    if (atomic_fetch_add_explicit(&log->bytes, more, memory_order_relaxed) + more > log->limit ||
        array_reserve_bytes(items, capacity, count + 1, size)) {
        give_up(log);
        return false;
    }
    return true;
}

/* ---- what a request is ------------------------------------------------------------------------
 */

/* Packs all fields of a kind that can differ, except the pc, into one word. */
static uint64_t kind_word(const struct request *request)
{
    uint32_t touched = request_writes(request) ? request->touched : UINT32_MAX;
    return (uint64_t)touched | (uint64_t)request->bytes << 32 | (uint64_t)request->op << 48 |
           (uint64_t)request->space << 52 | (uint64_t)request->flags << 56;
}

/* The number of a request's kind, or KEY_NONE. Kinds are found in two steps, because a word and a
 * pc do not fit one 64-bit key. */
static uint32_t known_kind(const struct log_section *section, uint64_t word, uint32_t pc)
{
    uint32_t number = key_table_find(&section->words, word);
    return number == KEY_NONE ? number
                              : key_table_find(&section->kind_of, (uint64_t)number << 32 | pc);
}

/* Numbers a new kind; false without memory. */
static bool number_kind(struct request_log *log, struct log_section *section, uint64_t word,
                        uint32_t pc)
{
    uint64_t before = key_table_bytes(&section->words) + key_table_bytes(&section->kind_of);
    uint32_t number, kind;
    bool added = !key_table_number(&section->words, word, &number) &&
                 !key_table_add(&section->kind_of, (uint64_t)number << 32 | pc, &kind);
    charge(log, key_table_bytes(&section->words) + key_table_bytes(&section->kind_of) - before);
    return added;
}

/* Finds or adds the kind of a request; false if there are too many. */
static bool find_kind(struct request_log *log, struct log_section *section,
                      const struct request *request, uint16_t *kind)
{
    uint64_t word = kind_word(request);
    *kind = section->last_kind;
    if (section->kind_count && word == section->last_word && request->pc == section->last_pc)
        return true;
    uint32_t known = known_kind(section, word, request->pc);
    if (known != KEY_NONE) {
        *kind = (uint16_t)known;
        section->last_word = word;
        section->last_pc = request->pc;
        section->last_kind = *kind;
        return true;
    }
    if (section->kind_count == LOG_KINDS ||
        !MAKE_ROOM(log, section->kinds, section->kind_count, section->kind_capacity) ||
        !number_kind(log, section, word, request->pc))
        return false;
    *kind = (uint16_t)section->kind_count;
    struct request *kept = &section->kinds[section->kind_count++];
    *kept = *request;
    kept->address = 0;
    kept->touched = (uint32_t)word;
    kept->instance = (uint16_t)(section - log->sections);
    section->last_word = word;
    section->last_pc = request->pc;
    section->last_kind = *kind;
    return true;
}

/* ---- writing ----------------------------------------------------------------------------------
 */

static bool add_granule(struct request_log *log, struct log_section *section, uint64_t address,
                        uint32_t *granule)
{
    uint64_t before = key_table_bytes(&section->ids.regions);
    if (!section->ids.region_bits && line_ids_init(&section->ids, GRANULE_BITS, REGION_BITS))
        return false;
    bool found = !line_ids_find(&section->ids, address, granule);
    charge(log, key_table_bytes(&section->ids.regions) - before);
    if (!found)
        return false;
    section->last_region = address >> (GRANULE_BITS + REGION_BITS);
    section->last_number = *granule >> REGION_BITS;
    return true;
}

static bool find_granule(struct request_log *log, struct log_section *section, uint64_t address,
                         uint32_t *granule)
{
    if (address & ((1 << GRANULE_BITS) - 1))
        return false;
    if (!section->ids.region_bits ||
        address >> (GRANULE_BITS + REGION_BITS) != section->last_region)
        return add_granule(log, section, address, granule);
    *granule = section->last_number << REGION_BITS |
               (uint32_t)(address >> GRANULE_BITS & ((1 << REGION_BITS) - 1));
    return true;
}

void request_log_put(struct request_log *log, unsigned instance, uint16_t place,
                     const struct request *request)
{
    struct log_section *section = &log->sections[instance];
    struct log_item item = {.place = place};
    if (!request_log_whole(log) || section->count == UINT32_MAX ||
        !MAKE_ROOM(log, section->items, section->count, section->capacity)) {
        give_up(log);
        return;
    }
    if (!find_granule(log, section, request->address, &item.granule) ||
        !find_kind(log, section, request, &item.kind)) {
        if (!MAKE_ROOM(log, section->odd, section->odd_count, section->odd_capacity))
            return;
        item.kind = LOG_ODD;
        item.granule = (uint32_t)section->odd_count;
        section->odd[section->odd_count] = *request;
        section->odd[section->odd_count++].instance = (uint16_t)instance;
    }
    section->items[section->count++] = item;
}

void request_log_end_block(struct request_log *log, unsigned instance)
{
    struct log_section *section = &log->sections[instance];
    if (!request_log_whole(log) ||
        !MAKE_ROOM(log, section->ends, section->end_count, section->end_capacity))
        return;
    section->ends[section->end_count++] = (uint32_t)section->count;
}

enum status request_log_add_block(struct request_log *log, struct log_block block)
{
    if (!MAKE_ROOM(log, log->blocks, log->block_count, log->block_capacity))
        return STATUS_MEMORY;
    log->blocks[log->block_count++] = block;
    return STATUS_OK;
}

/* Ends the block being recorded and begins another. */
static void next_block(struct request_log *log, const struct trace_launch *launch)
{
    if (!request_log_whole(log))
        return;
    for (unsigned u = 0; u < log->instances && log->block_count; u++)
        request_log_end_block(log, u);
    log->block_requests = 0;
    (void)request_log_add_block(log, (struct log_block){.launch = launch});
}

void request_log_launch(struct request_log *log, const struct trace_launch *launch)
{
    next_block(log, launch);
}

static uint32_t next_number(const struct request_log *log, const struct request *request)
{
    switch (log->places) {
    case PLACE_REQUEST:
        break;
    case PLACE_INSTRUCTION:
        return log->number + (request->flags & REQUEST_FIRST ? 1 : 0);
    case PLACE_PC:
        return request->pc;
    }
    return log->number + 1;
}

/* Appends a request at its place, starting a new block when the place no longer fits 16 bits. */
static void append_one(struct request_log *log, const struct request *request)
{
    uint32_t number = next_number(log, request);
    struct log_block *block = &log->blocks[log->block_count - 1];
    if (block->places && number - block->number >= LOG_PLACES) {
        next_block(log, NULL);
        if (!request_log_whole(log))
            return;
        block = &log->blocks[log->block_count - 1];
    }
    if (!block->places)
        block->number = number;
    block->places = number - block->number + 1;
    log->number = number;
    log->block_requests++;
    struct request put = *request;
    put.pc = log->places == PLACE_PC ? 0 : put.pc;
    request_log_put(log, request->instance, (uint16_t)(number - block->number), &put);
}

void request_log_append(struct request_log *log, const struct request *requests, size_t count)
{
    if (!log->block_count || (log->block_requests && log->block_requests + count > LOG_PLACES))
        next_block(log, NULL);
    for (size_t i = 0; i < count && request_log_whole(log); i++)
        append_one(log, &requests[i]);
}

void request_log_reach(struct request_log *log, uint32_t number)
{
    log->number = number;
}

/* Frees the unused space that doubling has reserved. */
static void trim_section(struct request_log *log, struct log_section *section)
{
    struct log_item *items =
        section->count ? realloc(section->items, section->count * sizeof *items) : NULL;
    if (!items)
        return;
    atomic_fetch_sub_explicit(&log->bytes, (section->capacity - section->count) * sizeof *items,
                              memory_order_relaxed);
    section->items = items;
    section->capacity = section->count;
}

static void survey(struct request_log *log, const struct request *requests, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct request *request = &requests[i];
        log->stores_locally |= request_writes(request) && request->space == SPACE_LOCAL;
        log->spaces |= space_bit(request->space);
        log->largest = request->bytes > log->largest ? request->bytes : log->largest;
    }
}

bool request_log_finish(struct request_log *log)
{
    for (unsigned u = 0; u < log->instances && request_log_whole(log); u++) {
        if (log->sections[u].end_count < log->block_count)
            request_log_end_block(log, u);
        trim_section(log, &log->sections[u]);
        survey(log, log->sections[u].kinds, log->sections[u].kind_count);
        survey(log, log->sections[u].odd, log->sections[u].odd_count);
    }
    return request_log_whole(log);
}

/* ---- reading ----------------------------------------------------------------------------------
 */

uint64_t request_log_requests(const struct request_log *log)
{
    uint64_t requests = 0;
    for (unsigned u = 0; u < log->instances; u++)
        requests += log->sections[u].count;
    return requests;
}

uint64_t request_log_bytes(const struct request_log *log)
{
    return atomic_load_explicit(&log->bytes, memory_order_relaxed);
}

size_t *request_log_starts(const struct request_log *log)
{
    size_t *starts = calloc((size_t)log->instances + 1, sizeof *starts);
    for (unsigned u = 0; starts && u < log->instances; u++)
        starts[u + 1] = starts[u] + log->sections[u].count;
    return starts;
}

/* A counting sort by place, and by instance within a place. */
enum status request_log_sort_block(const struct request_log *log, size_t block,
                                   struct log_order *order)
{
    uint32_t places = log->blocks[block].places;
    size_t first, end, count = 0;
    for (unsigned u = 0; u < log->instances; u++) {
        end = request_log_items(log, u, block, &first);
        count += end - first;
    }
    order->count = count;
    if (array_reserve(&order->items, &order->capacity, count))
        return STATUS_MEMORY;
    if (!order->starts)
        order->starts = malloc((LOG_PLACES + 1) * sizeof *order->starts);
    if (!order->starts)
        return STATUS_MEMORY;
    memset(order->starts, 0, ((size_t)places + 1) * sizeof *order->starts);
    for (unsigned u = 0; u < log->instances; u++) {
        end = request_log_items(log, u, block, &first);
        for (size_t i = first; i < end; i++)
            order->starts[log->sections[u].items[i].place + 1]++;
    }
    for (uint32_t p = 0; p < places; p++)
        order->starts[p + 1] += order->starts[p];
    for (unsigned u = 0; u < log->instances; u++) {
        end = request_log_items(log, u, block, &first);
        for (size_t i = first; i < end; i++)
            order->items[order->starts[log->sections[u].items[i].place]++] =
                (struct log_reference){u, (uint32_t)i};
    }
    return STATUS_OK;
}

void log_order_free(struct log_order *order)
{
    free(order->items);
    free(order->starts);
}

/* Plays one block in batches cut between places. */
static enum status play_block(const struct request_log *log, size_t number,
                              const struct log_order *order, const struct issue_sink *sink,
                              struct issue_counts *counts)
{
    const struct log_block *block = &log->blocks[number];
    struct request *batch = NULL;
    size_t made = 0, capacity = 0;
    uint32_t place = 0;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < order->count && !status; i++) {
        struct log_reference at = order->items[i];
        const struct log_section *section = &log->sections[at.instance];
        struct log_item item = section->items[at.index];
        if (made >= BATCH && item.place != place) {
            status = sink->requests(sink->argument, batch, made);
            made = 0;
        }
        place = item.place;
        if (!status)
            status = array_reserve(&batch, &capacity, made + 1);
        if (status)
            break;
        request_log_decode(section, item, &batch[made]);
        if (log->places == PLACE_PC)
            batch[made].pc = block->number + place;
        made++;
    }
    if (!status && made)
        status = sink->requests(sink->argument, batch, made);
    counts->transactions += order->count;
    if (!status)
        status = sink->progress(sink->argument, counts);
    free(batch);
    return status;
}

enum status request_log_play(const struct request_log *log, const struct issue_sink *sink)
{
    struct issue_counts counts = {0};
    struct log_order order = {0};
    enum status status = STATUS_OK;
    for (size_t b = 0; b < log->block_count && !status; b++) {
        if (log->blocks[b].launch)
            status = sink->launch(sink->argument, log->blocks[b].launch);
        if (!status)
            status = request_log_sort_block(log, b, &order);
        if (!status && order.count)
            status = play_block(log, b, &order, sink, &counts);
    }
    log_order_free(&order);
    return status;
}
