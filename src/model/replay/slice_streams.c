/* Slices a log in two parallel steps over runs of blocks (stretches). First each stretch counts its
 * items per slice, which gives every stretch its place in each slice's stream. Then each stretch
 * writes its items there, block by block in order. */
#include "model/replay/slice_streams.h"

#include <stdlib.h>

#include "model/replay/replay_state.h"

struct stretch { /* the blocks [first, end) */
    size_t first, end;
    size_t *next; /* [slice]: number of items; later the position of the next one */
};

struct slicing {
    const struct replay *replay;
    struct slice_streams *streams;
    unsigned stretch_count;
    struct stretch *stretches;
};

bool slice_streams_serves(const struct slice_streams *streams, const struct cache_config *l2)
{
    return streams->slices == l2->slices &&
           (l2->slices == 1 ||
            (streams->interleave == l2->interleave && streams->function == l2->partition));
}

void slice_streams_free(struct slice_streams *streams)
{
    if (!streams)
        return;
    free(streams->starts);
    free(streams->items);
    free(streams->instance_starts);
    free(streams->places);
    free(streams->marks);
    free(streams);
}

uint64_t slice_streams_bytes(const struct slice_streams *streams)
{
    uint64_t items = streams->starts[streams->slices];
    uint64_t each = sizeof *streams->items;
    if (streams->places)
        each += sizeof *streams->places + sizeof *streams->marks;
    return sizeof *streams + items * each + (streams->slices + 1) * sizeof *streams->starts;
}

/* ---- stretches --------------------------------------------------------------------------------
 */

static uint64_t all_places(const struct request_log *log)
{
    uint64_t places = 0;
    for (size_t b = 0; b < log->block_count; b++)
        places += log->blocks[b].places;
    return places;
}

/* Cuts stretches of about equally many places, two per thread so that no thread waits long. */
static enum status cut_stretches(struct slicing *slicing)
{
    const struct request_log *log = slicing->streams->log;
    const int threads = slicing->replay->threads;
    unsigned wanted = threads > 1 ? 2 * (unsigned)threads : 1;
    uint64_t places = all_places(log), before = 0;
    slicing->stretches = calloc(wanted, sizeof *slicing->stretches);
    if (!slicing->stretches)
        return STATUS_MEMORY;
    size_t block = 0;
    for (unsigned i = 0; i < wanted; i++) {
        struct stretch *stretch = &slicing->stretches[slicing->stretch_count++];
        stretch->first = block;
        while (block < log->block_count && (i + 1 == wanted || before * wanted < places * (i + 1)))
            before += log->blocks[block++].places;
        stretch->end = block;
        stretch->next = calloc(slicing->streams->slices, sizeof *stretch->next);
        if (!stretch->next)
            return STATUS_MEMORY;
    }
    return STATUS_OK;
}

static unsigned item_slice(const struct slice_streams *streams, const struct log_section *section,
                           struct log_item item)
{
    return partition_slice(&streams->partition, request_log_address(section, item));
}

static enum status count_stretch(void *argument, unsigned number)
{
    const struct slicing *slicing = argument;
    const struct slice_streams *streams = slicing->streams;
    const struct stretch *stretch = &slicing->stretches[number];
    size_t launches = 0;
    for (size_t b = stretch->first; b < stretch->end; b++) {
        launches += streams->log->blocks[b].launch != NULL;
        for (unsigned u = 0; u < streams->log->instances; u++) {
            const struct log_section *section = &streams->log->sections[u];
            size_t first, end = request_log_items(streams->log, u, b, &first);
            for (size_t i = first; i < end; i++)
                stretch->next[item_slice(streams, section, section->items[i])]++;
        }
        if (replay_cancelled(slicing->replay))
            return STATUS_CANCELLED;
    }
    for (unsigned s = 0; s < streams->slices; s++)
        stretch->next[s] += launches;
    return STATUS_OK;
}

/* Turns the counts of the stretches into their positions. */
static enum status lay_out(const struct slicing *slicing)
{
    struct slice_streams *streams = slicing->streams;
    size_t at = 0;
    for (unsigned s = 0; s < streams->slices; s++) {
        streams->starts[s] = at;
        for (unsigned i = 0; i < slicing->stretch_count; i++) {
            size_t *next = &slicing->stretches[i].next[s], count = *next;
            *next = at;
            at += count;
        }
    }
    streams->starts[streams->slices] = at;
    if (at > UINT32_MAX)
        return STATUS_UNSUPPORTED;
    streams->items = malloc((at + 1) * sizeof *streams->items);
    if (streams->instance_starts) {
        streams->places = malloc((streams->instance_starts[streams->log->instances] + 1) *
                                 sizeof *streams->places);
        streams->marks = malloc(at + 1);
    }
    return streams->items && (!streams->instance_starts || (streams->places && streams->marks))
               ? STATUS_OK
               : STATUS_MEMORY;
}

static void slice_block(const struct slice_streams *streams, const struct log_order *order,
                        size_t *next)
{
    for (size_t i = 0; i < order->count; i++) {
        struct log_reference at = order->items[i];
        const struct log_section *section = &streams->log->sections[at.instance];
        struct log_item item = section->items[at.index];
        size_t place = next[item_slice(streams, section, item)]++;
        item.place = (uint16_t)at.instance;
        streams->items[place] = item;
        if (streams->places)
            streams->places[streams->instance_starts[at.instance] + at.index] = (uint32_t)place;
    }
}

static enum status slice_stretch(void *argument, unsigned number)
{
    const struct slicing *slicing = argument;
    const struct slice_streams *streams = slicing->streams;
    const struct stretch *stretch = &slicing->stretches[number];
    struct log_order order = {0};
    enum status status = STATUS_OK;
    for (size_t b = stretch->first; b < stretch->end && !status; b++) {
        for (unsigned s = 0; streams->log->blocks[b].launch && s < streams->slices; s++)
            streams->items[stretch->next[s]++] = (struct log_item){.kind = SLICE_LAUNCH};
        status = replay_cancelled(slicing->replay)
                     ? STATUS_CANCELLED
                     : request_log_sort_block(streams->log, b, &order);
        if (!status)
            slice_block(streams, &order, stretch->next);
    }
    log_order_free(&order);
    return status;
}

/* ---- all of it --------------------------------------------------------------------------------
 */

static enum status slice_streams_prepare(const struct replay *replay, bool placed,
                                         struct slice_streams *streams)
{
    const struct cache_config *l2 = &replay->machine->l2;
    streams->log = replay->log;
    streams->slices = l2->slices;
    streams->interleave = l2->interleave;
    streams->function = l2->partition;
    streams->starts = calloc(l2->slices + 1, sizeof *streams->starts);
    if (placed)
        streams->instance_starts = request_log_starts(replay->log);
    if (!streams->starts || (placed && !streams->instance_starts))
        return STATUS_MEMORY;
    return partition_init(&streams->partition, l2);
}

enum status slice_streams_create(const struct replay *replay, bool placed,
                                 struct slice_streams **result)
{
    struct slice_streams *streams = calloc(1, sizeof *streams);
    struct slicing slicing = {.replay = replay, .streams = streams};
    *result = NULL;
    enum status status = streams ? slice_streams_prepare(replay, placed, streams) : STATUS_MEMORY;
    if (!status)
        status = cut_stretches(&slicing);
    if (!status)
        status = replay_instances(replay, slicing.stretch_count, 0, 0.25, count_stretch, &slicing);
    if (!status)
        status = lay_out(&slicing);
    if (!status)
        status = replay_instances(replay, slicing.stretch_count, 0.25, 1, slice_stretch, &slicing);
    for (unsigned i = 0; i < slicing.stretch_count; i++)
        free(slicing.stretches[i].next);
    free(slicing.stretches);
    if (status)
        slice_streams_free(streams);
    else
        *result = streams;
    return status;
}
