/* An L2 on a tape. First the requests are put in order and dealt to the slices, block by block; the
 * threads take stretches of blocks. Then the slices are simulated one by one, each on its share of
 * every stretch. */
#include <stdlib.h>

#include "base/memory.h"
#include "model/replay_state.h"

/* The requests of one slice in order. An item's place is the unit whose track can decode it. */
struct share {
    struct tape_item *items;
    size_t count, capacity;
};

/* Instead of a kind: the L2 is emptied here. */
enum { DEAL_FLUSH = TAPE_ODD - 1 };

struct stretch { /* blocks [first, end) */
    size_t first, end;
    struct share *shares; /* of each slice */
};

struct deal {
    const struct replay *replay;
    struct partition partition;
    unsigned slices, stretch_count;
    struct stretch *stretches;
    struct cache_counts *counts; /* of each slice */
};

/* ---- dealing ----------------------------------------------------------------------------------
 */

static enum status share_add(struct share *share, struct tape_item item)
{
    if (share->count == share->capacity &&
        array_reserve(&share->items, &share->capacity, share->count + 1))
        return STATUS_MEMORY;
    share->items[share->count++] = item;
    return STATUS_OK;
}

static enum status deal_block(const struct deal *deal, const struct tape_order *order,
                              struct share *shares)
{
    const struct tape *tape = deal->replay->tape;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < order->count && !status; i++) {
        struct tape_reference at = order->items[i];
        const struct tape_track *track = &tape->tracks[at.unit];
        struct tape_item item = track->items[at.index];
        uint64_t address = tape_address(track, item);
        item.place = (uint16_t)at.unit;
        status = share_add(&shares[partition_slice(&deal->partition, address)], item);
    }
    return status;
}

static enum status deal_stretch(void *argument, unsigned number)
{
    const struct deal *deal = argument;
    const struct tape *tape = deal->replay->tape;
    struct stretch *stretch = &deal->stretches[number];
    struct tape_order order = {0};
    enum status status = STATUS_OK;
    for (size_t b = stretch->first; b < stretch->end && !status; b++) {
        bool flush = tape->blocks[b].launch && deal->replay->machine->l2.flush;
        for (unsigned s = 0; flush && s < deal->slices && !status; s++)
            status = share_add(&stretch->shares[s], (struct tape_item){.kind = DEAL_FLUSH});
        if (!status)
            status = replay_cancelled(deal->replay) ? STATUS_CANCELLED
                                                    : tape_sort_block(tape, b, &order);
        if (!status)
            status = deal_block(deal, &order, stretch->shares);
    }
    tape_order_free(&order);
    return status;
}

/* ---- the slices -------------------------------------------------------------------------------
 */

/* The next requests up to a flush; *at moves on behind them. */
static size_t slice_decode(const struct deal *deal, const struct share *share, size_t *at,
                           struct request requests[REPLAY_BATCH])
{
    const struct tape *tape = deal->replay->tape;
    size_t count = 0;
    while (count < REPLAY_BATCH && *at < share->count && share->items[*at].kind != DEAL_FLUSH) {
        struct tape_item item = share->items[(*at)++];
        tape_decode(&tape->tracks[item.place], item, &requests[count]);
        requests[count++].unit = 0;
    }
    return count;
}

static enum status run_share(const struct deal *deal, const struct share *share,
                             struct cache *cache)
{
    struct request requests[REPLAY_BATCH];
    enum status status = STATUS_OK;
    size_t at = 0;
    while (at < share->count && !status) {
        size_t count = slice_decode(deal, share, &at, requests);
        status = replay_cancelled(deal->replay) ? STATUS_CANCELLED
                                                : cache_run(cache, requests, count, NULL);
        if (!status && at < share->count && share->items[at].kind == DEAL_FLUSH) {
            status = cache_flush(cache, NULL);
            at++;
        }
    }
    return status;
}

static enum status run_slice(void *argument, unsigned slice)
{
    const struct deal *deal = argument;
    const struct machine *machine = deal->replay->machine;
    unsigned classify = deal->replay->options->needs & NEED_CLASSES_L2 ? CACHE_CLASSIFY : 0;
    struct cache *cache;
    enum status status = replay_create_cache(&machine->l2, slice, machine->seed, classify, &cache);
    for (unsigned i = 0; i < deal->stretch_count && !status; i++)
        status = run_share(deal, &deal->stretches[i].shares[slice], cache);
    if (!status)
        cache_read_counts(cache, &deal->counts[slice]);
    cache_free(cache);
    return status;
}

/* ---- both ------------------------------------------------------------------------------------
 */

/* Stretches of about the same number of places, two a thread so that none waits long. */
static enum status cut_stretches(struct deal *deal)
{
    const struct tape *tape = deal->replay->tape;
    unsigned wanted = deal->replay->threads > 1 ? 2 * (unsigned)deal->replay->threads : 1;
    uint64_t places = 0, before = 0;
    deal->stretches = calloc(wanted, sizeof *deal->stretches);
    if (!deal->stretches)
        return STATUS_MEMORY;
    for (size_t b = 0; b < tape->block_count; b++)
        places += tape->blocks[b].places;
    size_t block = 0;
    for (unsigned i = 0; i < wanted; i++) {
        struct stretch *stretch = &deal->stretches[deal->stretch_count++];
        stretch->first = block;
        while (block < tape->block_count && (i + 1 == wanted || before * wanted < places * (i + 1)))
            before += tape->blocks[block++].places;
        stretch->end = block;
        stretch->shares = calloc(deal->slices, sizeof *stretch->shares);
        if (!stretch->shares)
            return STATUS_MEMORY;
    }
    return STATUS_OK;
}

static void free_deal(struct deal *deal)
{
    for (unsigned i = 0; i < deal->stretch_count; i++) {
        for (unsigned s = 0; deal->stretches[i].shares && s < deal->slices; s++)
            free(deal->stretches[i].shares[s].items);
        free(deal->stretches[i].shares);
    }
    free(deal->stretches);
    free(deal->counts);
}

enum status replay_l2(const struct replay *replay, struct metrics *metrics)
{
    const struct cache_config *config = &replay->machine->l2;
    unsigned needs = replay->options->needs;
    if (needs & NEED_OPT_L2 || config->replacement == REPLACEMENT_OPT) {
        /* Without an L1D every request goes to the L2 as it is. */
        struct machine behind = *replay->machine;
        behind.l1d.enabled = behind.tlb.enabled = 0;
        return replay_in_order(replay, &behind, metrics);
    }
    struct deal deal = {.replay = replay, .slices = (unsigned)config->slices};
    deal.counts = calloc(deal.slices, sizeof *deal.counts);
    enum status status = deal.counts ? partition_init(&deal.partition, config) : STATUS_MEMORY;
    if (!status)
        status = cut_stretches(&deal);
    if (!status)
        status = replay_units(replay, deal.stretch_count, 0, 0.5, deal_stretch, &deal);
    if (!status)
        status = replay_units(replay, deal.slices, 0.5, 1, run_slice, &deal);
    if (!status) {
        struct cache_counts sum = replay_sum(deal.counts, deal.slices);
        stages_put_cache(&sum, true, needs & NEED_CLASSES_L2, metrics);
    }
    free_deal(&deal);
    return status;
}
