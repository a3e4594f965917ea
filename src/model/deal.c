/* Dealing: the threads take stretches of blocks. First each counts what every slice gets of its
 * stretches, so that all know where theirs goes; then they put it there, block by block in order.
 */
#include "model/deal.h"

#include <stdlib.h>

#include "model/replay_state.h"

struct stretch { /* blocks [first, end) */
    size_t first, end;
    size_t *next; /* of each slice: how many items; then where the next one goes */
};

struct dealing {
    const struct replay *replay;
    struct deal *deal;
    unsigned stretch_count;
    struct stretch *stretches;
};

bool deal_serves(const struct deal *deal, const struct cache_config *l2)
{
    return deal->slices == l2->slices && (l2->slices == 1 || (deal->interleave == l2->interleave &&
                                                              deal->function == l2->partition));
}

void deal_free(struct deal *deal)
{
    if (!deal)
        return;
    free(deal->starts);
    free(deal->items);
    free(deal->unit_starts);
    free(deal->places);
    free(deal->marks);
    free(deal);
}

uint64_t deal_bytes(const struct deal *deal)
{
    uint64_t items = deal->starts[deal->slices];
    uint64_t each = sizeof *deal->items;
    if (deal->places)
        each += sizeof *deal->places + sizeof *deal->marks;
    return sizeof *deal + items * each + (deal->slices + 1) * sizeof *deal->starts;
}

/* ---- stretches --------------------------------------------------------------------------------
 */

static uint64_t all_places(const struct tape *tape)
{
    uint64_t places = 0;
    for (size_t b = 0; b < tape->block_count; b++)
        places += tape->blocks[b].places;
    return places;
}

/* Stretches of about the same number of places, two a thread so that none waits long. */
static enum status cut_stretches(struct dealing *dealing)
{
    const struct tape *tape = dealing->deal->tape;
    const int threads = dealing->replay->threads;
    unsigned wanted = threads > 1 ? 2 * (unsigned)threads : 1;
    uint64_t places = all_places(tape), before = 0;
    dealing->stretches = calloc(wanted, sizeof *dealing->stretches);
    if (!dealing->stretches)
        return STATUS_MEMORY;
    size_t block = 0;
    for (unsigned i = 0; i < wanted; i++) {
        struct stretch *stretch = &dealing->stretches[dealing->stretch_count++];
        stretch->first = block;
        while (block < tape->block_count && (i + 1 == wanted || before * wanted < places * (i + 1)))
            before += tape->blocks[block++].places;
        stretch->end = block;
        stretch->next = calloc(dealing->deal->slices, sizeof *stretch->next);
        if (!stretch->next)
            return STATUS_MEMORY;
    }
    return STATUS_OK;
}

static unsigned item_slice(const struct deal *deal, const struct tape_track *track,
                           struct tape_item item)
{
    return partition_slice(&deal->partition, tape_address(track, item));
}

static enum status count_stretch(void *argument, unsigned number)
{
    const struct dealing *dealing = argument;
    const struct deal *deal = dealing->deal;
    const struct stretch *stretch = &dealing->stretches[number];
    size_t launches = 0;
    for (size_t b = stretch->first; b < stretch->end; b++) {
        launches += deal->tape->blocks[b].launch != NULL;
        for (unsigned u = 0; u < deal->tape->units; u++) {
            const struct tape_track *track = &deal->tape->tracks[u];
            size_t first, end = tape_items(deal->tape, u, b, &first);
            for (size_t i = first; i < end; i++)
                stretch->next[item_slice(deal, track, track->items[i])]++;
        }
        if (replay_cancelled(dealing->replay))
            return STATUS_CANCELLED;
    }
    for (unsigned s = 0; s < deal->slices; s++)
        stretch->next[s] += launches;
    return STATUS_OK;
}

/* Turns the counts of the stretches into where they begin. */
static enum status lay_out(const struct dealing *dealing)
{
    struct deal *deal = dealing->deal;
    size_t at = 0;
    for (unsigned s = 0; s < deal->slices; s++) {
        deal->starts[s] = at;
        for (unsigned i = 0; i < dealing->stretch_count; i++) {
            size_t *next = &dealing->stretches[i].next[s], count = *next;
            *next = at;
            at += count;
        }
    }
    deal->starts[deal->slices] = at;
    if (at > UINT32_MAX)
        return STATUS_UNSUPPORTED;
    deal->items = malloc((at + 1) * sizeof *deal->items);
    if (deal->unit_starts) {
        deal->places = malloc((deal->unit_starts[deal->tape->units] + 1) * sizeof *deal->places);
        deal->marks = malloc(at + 1);
    }
    return deal->items && (!deal->unit_starts || (deal->places && deal->marks)) ? STATUS_OK
                                                                                : STATUS_MEMORY;
}

static void deal_block(const struct deal *deal, const struct tape_order *order, size_t *next)
{
    for (size_t i = 0; i < order->count; i++) {
        struct tape_reference at = order->items[i];
        const struct tape_track *track = &deal->tape->tracks[at.unit];
        struct tape_item item = track->items[at.index];
        size_t place = next[item_slice(deal, track, item)]++;
        item.place = (uint16_t)at.unit;
        deal->items[place] = item;
        if (deal->places)
            deal->places[deal->unit_starts[at.unit] + at.index] = (uint32_t)place;
    }
}

static enum status deal_stretch(void *argument, unsigned number)
{
    const struct dealing *dealing = argument;
    const struct deal *deal = dealing->deal;
    const struct stretch *stretch = &dealing->stretches[number];
    struct tape_order order = {0};
    enum status status = STATUS_OK;
    for (size_t b = stretch->first; b < stretch->end && !status; b++) {
        for (unsigned s = 0; deal->tape->blocks[b].launch && s < deal->slices; s++)
            deal->items[stretch->next[s]++] = (struct tape_item){.kind = DEAL_LAUNCH};
        status = replay_cancelled(dealing->replay) ? STATUS_CANCELLED
                                                   : tape_sort_block(deal->tape, b, &order);
        if (!status)
            deal_block(deal, &order, stretch->next);
    }
    tape_order_free(&order);
    return status;
}

/* ---- all of it --------------------------------------------------------------------------------
 */

static enum status prepare(const struct replay *replay, bool placed, struct deal *deal)
{
    const struct cache_config *l2 = &replay->machine->l2;
    deal->tape = replay->tape;
    deal->slices = l2->slices;
    deal->interleave = l2->interleave;
    deal->function = l2->partition;
    deal->starts = calloc(l2->slices + 1, sizeof *deal->starts);
    if (placed)
        deal->unit_starts = tape_starts(replay->tape);
    if (!deal->starts || (placed && !deal->unit_starts))
        return STATUS_MEMORY;
    return partition_init(&deal->partition, l2);
}

enum status deal_create(const struct replay *replay, bool placed, struct deal **result)
{
    struct deal *deal = calloc(1, sizeof *deal);
    struct dealing dealing = {.replay = replay, .deal = deal};
    *result = NULL;
    enum status status = deal ? prepare(replay, placed, deal) : STATUS_MEMORY;
    if (!status)
        status = cut_stretches(&dealing);
    if (!status)
        status = replay_units(replay, dealing.stretch_count, 0, 0.25, count_stretch, &dealing);
    if (!status)
        status = lay_out(&dealing);
    if (!status)
        status = replay_units(replay, dealing.stretch_count, 0.25, 1, deal_stretch, &dealing);
    for (unsigned i = 0; i < dealing.stretch_count; i++)
        free(dealing.stretches[i].next);
    free(dealing.stretches);
    if (status)
        deal_free(deal);
    else
        *result = deal;
    return status;
}
