#include "model/tape.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    GRANULE_BITS = 4, /* of which every address that a coalescer or a cache makes is a multiple */
    REGION_BITS = 16,
    BATCH = 4096
};

struct tape *tape_create(unsigned units, enum tape_places places, uint64_t limit)
{
    struct tape *tape = calloc(1, sizeof *tape);
    if (!tape)
        return NULL;
    tape->units = units;
    tape->places = places;
    tape->limit = limit;
    tape->tracks = calloc(units ? units : 1, sizeof *tape->tracks);
    if (!tape->tracks) {
        free(tape);
        return NULL;
    }
    return tape;
}

static void free_track(struct tape_track *track)
{
    free(track->items);
    free(track->ends);
    line_ids_free(&track->ids);
    free(track->kinds);
    key_table_free(&track->words);
    key_table_free(&track->kind_of);
    free(track->odd);
}

void tape_free(struct tape *tape)
{
    if (!tape)
        return;
    for (unsigned u = 0; u < tape->units; u++)
        free_track(&tape->tracks[u]);
    free(tape->tracks);
    free(tape->blocks);
    free(tape);
}

bool tape_whole(const struct tape *tape)
{
    return !atomic_load_explicit(&tape->given_up, memory_order_relaxed);
}

static void give_up(struct tape *tape)
{
    atomic_store_explicit(&tape->given_up, true, memory_order_relaxed);
}

static void charge(struct tape *tape, uint64_t bytes)
{
    atomic_fetch_add_explicit(&tape->bytes, bytes, memory_order_relaxed);
}

/* Makes room for one more. What has to grow is charged to the tape before it does. */
#define MAKE_ROOM(tape, items, count, capacity)                                                    \
    ((count) < (capacity) ||                                                                       \
     make_room((tape), (void **)&(items), (count), &(capacity), sizeof *(items)))

static bool make_room(struct tape *tape, void **items, size_t count, size_t *capacity, size_t size)
{
    size_t before = *capacity;
    uint64_t more = (before ? before : 16) * size; /* as array_reserve doubles */
    if (atomic_fetch_add_explicit(&tape->bytes, more, memory_order_relaxed) + more > tape->limit ||
        array_reserve_bytes(items, capacity, count + 1, size)) {
        give_up(tape);
        return false;
    }
    return true;
}

/* ---- what a request is ------------------------------------------------------------------------
 */

/* All of a kind that can differ but the pc, in one word. */
static uint64_t kind_word(const struct request *request)
{
    uint32_t touched = request_writes(request) ? request->touched : UINT32_MAX;
    return (uint64_t)touched | (uint64_t)request->bytes << 32 | (uint64_t)request->op << 48 |
           (uint64_t)request->space << 52 | (uint64_t)request->flags << 56;
}

/* The number of what a request is, or KEY_NONE. */
static uint32_t known_kind(const struct tape_track *track, uint64_t word, uint32_t pc)
{
    uint32_t number = key_table_find(&track->words, word);
    return number == KEY_NONE ? number
                              : key_table_find(&track->kind_of, (uint64_t)number << 32 | pc);
}

/* False: there is no memory. */
static bool number_kind(struct tape *tape, struct tape_track *track, uint64_t word, uint32_t pc)
{
    uint64_t before = key_table_bytes(&track->words) + key_table_bytes(&track->kind_of);
    uint32_t number, kind;
    bool added = !key_table_number(&track->words, word, &number) &&
                 !key_table_add(&track->kind_of, (uint64_t)number << 32 | pc, &kind);
    charge(tape, key_table_bytes(&track->words) + key_table_bytes(&track->kind_of) - before);
    return added;
}

/* False: there are too many kinds. */
static bool find_kind(struct tape *tape, struct tape_track *track, const struct request *request,
                      uint16_t *kind)
{
    uint64_t word = kind_word(request);
    *kind = track->last_kind;
    if (track->kind_count && word == track->last_word && request->pc == track->last_pc)
        return true;
    uint32_t known = known_kind(track, word, request->pc);
    if (known != KEY_NONE) {
        *kind = (uint16_t)known;
        track->last_word = word;
        track->last_pc = request->pc;
        track->last_kind = *kind;
        return true;
    }
    if (track->kind_count == TAPE_KINDS ||
        !MAKE_ROOM(tape, track->kinds, track->kind_count, track->kind_capacity) ||
        !number_kind(tape, track, word, request->pc))
        return false;
    *kind = (uint16_t)track->kind_count;
    struct request *kept = &track->kinds[track->kind_count++];
    *kept = *request;
    kept->address = 0;
    kept->touched = (uint32_t)word;
    kept->unit = (uint16_t)(track - tape->tracks);
    track->last_word = word;
    track->last_pc = request->pc;
    track->last_kind = *kind;
    return true;
}

/* ---- writing ----------------------------------------------------------------------------------
 */

static bool add_granule(struct tape *tape, struct tape_track *track, uint64_t address,
                        uint32_t *granule)
{
    uint64_t before = key_table_bytes(&track->ids.regions);
    if (!track->ids.region_bits && line_ids_init(&track->ids, GRANULE_BITS, REGION_BITS))
        return false;
    bool found = !line_ids_find(&track->ids, address, granule);
    charge(tape, key_table_bytes(&track->ids.regions) - before);
    if (!found)
        return false;
    track->last_region = address >> (GRANULE_BITS + REGION_BITS);
    track->last_number = *granule >> REGION_BITS;
    return true;
}

static bool find_granule(struct tape *tape, struct tape_track *track, uint64_t address,
                         uint32_t *granule)
{
    if (address & ((1 << GRANULE_BITS) - 1))
        return false;
    if (!track->ids.region_bits || address >> (GRANULE_BITS + REGION_BITS) != track->last_region)
        return add_granule(tape, track, address, granule);
    *granule = track->last_number << REGION_BITS |
               (uint32_t)(address >> GRANULE_BITS & ((1 << REGION_BITS) - 1));
    return true;
}

void tape_put(struct tape *tape, unsigned unit, uint16_t place, const struct request *request)
{
    struct tape_track *track = &tape->tracks[unit];
    struct tape_item item = {.place = place};
    if (!tape_whole(tape) || track->count == UINT32_MAX ||
        !MAKE_ROOM(tape, track->items, track->count, track->capacity)) {
        give_up(tape);
        return;
    }
    if (!find_granule(tape, track, request->address, &item.granule) ||
        !find_kind(tape, track, request, &item.kind)) {
        if (!MAKE_ROOM(tape, track->odd, track->odd_count, track->odd_capacity))
            return;
        item.kind = TAPE_ODD;
        item.granule = (uint32_t)track->odd_count;
        track->odd[track->odd_count] = *request;
        track->odd[track->odd_count++].unit = (uint16_t)unit;
    }
    track->items[track->count++] = item;
}

void tape_end_block(struct tape *tape, unsigned unit)
{
    struct tape_track *track = &tape->tracks[unit];
    if (!tape_whole(tape) || !MAKE_ROOM(tape, track->ends, track->end_count, track->end_capacity))
        return;
    track->ends[track->end_count++] = (uint32_t)track->count;
}

enum status tape_add_block(struct tape *tape, struct tape_block block)
{
    if (!MAKE_ROOM(tape, tape->blocks, tape->block_count, tape->block_capacity))
        return STATUS_MEMORY;
    tape->blocks[tape->block_count++] = block;
    return STATUS_OK;
}

/* The block that is recorded ends, and another one begins. */
static void next_block(struct tape *tape, const struct trace_launch *launch)
{
    if (!tape_whole(tape))
        return;
    for (unsigned u = 0; u < tape->units && tape->block_count; u++)
        tape_end_block(tape, u);
    tape->block_requests = 0;
    (void)tape_add_block(tape, (struct tape_block){.launch = launch});
}

void tape_launch(struct tape *tape, const struct trace_launch *launch)
{
    next_block(tape, launch);
}

static uint32_t next_number(const struct tape *tape, const struct request *request)
{
    switch (tape->places) {
    case PLACE_REQUEST:
        break;
    case PLACE_INSTRUCTION:
        return tape->number + (request->flags & REQUEST_FIRST ? 1 : 0);
    case PLACE_PC:
        return request->pc;
    }
    return tape->number + 1;
}

static void append_one(struct tape *tape, const struct request *request)
{
    uint32_t number = next_number(tape, request);
    struct tape_block *block = &tape->blocks[tape->block_count - 1];
    if (block->places && number - block->number >= TAPE_PLACES) {
        next_block(tape, NULL);
        if (!tape_whole(tape))
            return;
        block = &tape->blocks[tape->block_count - 1];
    }
    if (!block->places)
        block->number = number;
    block->places = number - block->number + 1;
    tape->number = number;
    tape->block_requests++;
    struct request put = *request;
    put.pc = tape->places == PLACE_PC ? 0 : put.pc;
    tape_put(tape, request->unit, (uint16_t)(number - block->number), &put);
}

void tape_append(struct tape *tape, const struct request *requests, size_t count)
{
    if (!tape->block_count || (tape->block_requests && tape->block_requests + count > TAPE_PLACES))
        next_block(tape, NULL);
    for (size_t i = 0; i < count && tape_whole(tape); i++)
        append_one(tape, &requests[i]);
}

void tape_reach(struct tape *tape, uint32_t number)
{
    tape->number = number;
}

/* Gives back what doubling took in advance. */
static void trim_track(struct tape *tape, struct tape_track *track)
{
    struct tape_item *items =
        track->count ? realloc(track->items, track->count * sizeof *items) : NULL;
    if (!items)
        return;
    atomic_fetch_sub_explicit(&tape->bytes, (track->capacity - track->count) * sizeof *items,
                              memory_order_relaxed);
    track->items = items;
    track->capacity = track->count;
}

static void survey(struct tape *tape, const struct request *requests, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct request *request = &requests[i];
        tape->stores_locally |= request_writes(request) && request->space == SPACE_LOCAL;
        tape->spaces |= space_bit(request->space);
        tape->largest = request->bytes > tape->largest ? request->bytes : tape->largest;
    }
}

bool tape_finish(struct tape *tape)
{
    for (unsigned u = 0; u < tape->units && tape_whole(tape); u++) {
        if (tape->tracks[u].end_count < tape->block_count)
            tape_end_block(tape, u);
        trim_track(tape, &tape->tracks[u]);
        survey(tape, tape->tracks[u].kinds, tape->tracks[u].kind_count);
        survey(tape, tape->tracks[u].odd, tape->tracks[u].odd_count);
    }
    return tape_whole(tape);
}

/* ---- reading ----------------------------------------------------------------------------------
 */

uint64_t tape_requests(const struct tape *tape)
{
    uint64_t requests = 0;
    for (unsigned u = 0; u < tape->units; u++)
        requests += tape->tracks[u].count;
    return requests;
}

uint64_t tape_bytes(const struct tape *tape)
{
    return atomic_load_explicit(&tape->bytes, memory_order_relaxed);
}

size_t *tape_starts(const struct tape *tape)
{
    size_t *starts = calloc((size_t)tape->units + 1, sizeof *starts);
    for (unsigned u = 0; starts && u < tape->units; u++)
        starts[u + 1] = starts[u] + tape->tracks[u].count;
    return starts;
}

/* A counting sort: by places, and at one place in the order of units. */
enum status tape_sort_block(const struct tape *tape, size_t block, struct tape_order *order)
{
    uint32_t places = tape->blocks[block].places;
    size_t first, end, count = 0;
    for (unsigned u = 0; u < tape->units; u++) {
        end = tape_items(tape, u, block, &first);
        count += end - first;
    }
    order->count = count;
    if (array_reserve(&order->items, &order->capacity, count))
        return STATUS_MEMORY;
    if (!order->starts)
        order->starts = malloc((TAPE_PLACES + 1) * sizeof *order->starts);
    if (!order->starts)
        return STATUS_MEMORY;
    memset(order->starts, 0, ((size_t)places + 1) * sizeof *order->starts);
    for (unsigned u = 0; u < tape->units; u++) {
        end = tape_items(tape, u, block, &first);
        for (size_t i = first; i < end; i++)
            order->starts[tape->tracks[u].items[i].place + 1]++;
    }
    for (uint32_t p = 0; p < places; p++)
        order->starts[p + 1] += order->starts[p];
    for (unsigned u = 0; u < tape->units; u++) {
        end = tape_items(tape, u, block, &first);
        for (size_t i = first; i < end; i++)
            order->items[order->starts[tape->tracks[u].items[i].place]++] =
                (struct tape_reference){u, (uint32_t)i};
    }
    return STATUS_OK;
}

void tape_order_free(struct tape_order *order)
{
    free(order->items);
    free(order->starts);
}

/* One block, cut where a place begins. */
static enum status play_block(const struct tape *tape, size_t number,
                              const struct tape_order *order, const struct issue_sink *sink,
                              struct issue_counts *counts)
{
    const struct tape_block *block = &tape->blocks[number];
    struct request *batch = NULL;
    size_t made = 0, capacity = 0;
    uint32_t place = 0;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < order->count && !status; i++) {
        struct tape_reference at = order->items[i];
        const struct tape_track *track = &tape->tracks[at.unit];
        struct tape_item item = track->items[at.index];
        if (made >= BATCH && item.place != place) {
            status = sink->requests(sink->argument, batch, made);
            made = 0;
        }
        place = item.place;
        if (!status)
            status = array_reserve(&batch, &capacity, made + 1);
        if (status)
            break;
        tape_decode(track, item, &batch[made]);
        if (tape->places == PLACE_PC)
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

enum status tape_play(const struct tape *tape, const struct issue_sink *sink)
{
    struct issue_counts counts = {0};
    struct tape_order order = {0};
    enum status status = STATUS_OK;
    for (size_t b = 0; b < tape->block_count && !status; b++) {
        if (tape->blocks[b].launch)
            status = sink->launch(sink->argument, tape->blocks[b].launch);
        if (!status)
            status = tape_sort_block(tape, b, &order);
        if (!status && order.count)
            status = play_block(tape, b, &order, sink, &counts);
    }
    tape_order_free(&order);
    return status;
}
