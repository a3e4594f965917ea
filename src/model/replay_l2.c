/* An L2 on a tape: its slices are simulated one by one, each on what it was dealt. */
#include <stdlib.h>

#include "model/replay_state.h"

struct slices {
    const struct replay *replay;
    const struct deal *deal;
    const struct passage *passage; /* NULL: every request comes as it is */
    struct cache_counts *counts;   /* of each slice */
};

/* ---- what comes of a request ------------------------------------------------------------------
 */

/* The sectors that an L1D fetches for a load, neighbours as one request: the slice looks at its own
 * sectors, which are not larger, in the same order. Returns how many requests. */
static size_t fetch_sectors(const struct request *load, uint64_t sector, unsigned missing,
                            struct request *out)
{
    uint64_t first = load->address & -sector;
    size_t made = 0;
    while (missing) {
        unsigned from = (unsigned)__builtin_ctz(missing);
        unsigned length = (unsigned)__builtin_ctz(~(missing >> from));
        out[made++] = (struct request){.address = first + from * sector,
                                       .touched = UINT32_MAX,
                                       .bytes = (uint16_t)(length * sector),
                                       .op = OP_LOAD,
                                       .space = load->space};
        missing &= ~(((1u << length) - 1) << from);
    }
    return made;
}

/* The next requests up to a launch; *at moves on behind them. */
static size_t decode(const struct slices *slices, size_t *at, size_t end,
                     struct request requests[REPLAY_BATCH + SIEVE_LINES])
{
    const struct deal *deal = slices->deal;
    const struct passage *passage = slices->passage;
    const int write = slices->replay->machine->l1d.write;
    size_t count = 0;
    for (; count < REPLAY_BATCH && *at < end && deal->items[*at].kind != DEAL_LAUNCH; ++*at) {
        struct tape_item item = deal->items[*at];
        struct request *request = &requests[count];
        unsigned sent = passage ? deal->marks[*at] : 1;
        if (!sent)
            continue;
        tape_decode(&deal->tape->tracks[item.place], item, request);
        request->unit = 0;
        if (passage && passage_act(write, request) == SIEVE_LOAD) {
            const struct request load = *request;
            count += fetch_sectors(&load, passage->sector, sent, request);
        } else {
            count++;
        }
    }
    return count;
}

static enum status run_slice(void *argument, unsigned slice)
{
    const struct slices *slices = argument;
    const struct replay *replay = slices->replay;
    const struct machine *machine = replay->machine;
    const struct deal *deal = slices->deal;
    struct request requests[REPLAY_BATCH + SIEVE_LINES];
    unsigned classify = replay->options->needs & NEED_CLASSES_L2 ? CACHE_CLASSIFY : 0;
    size_t at = deal->starts[slice], end = deal->starts[slice + 1];
    struct cache *cache;
    enum status status = replay_create_cache(&machine->l2, slice, machine->seed, classify, &cache);
    while (at < end && !status) {
        if (deal->items[at].kind == DEAL_LAUNCH) {
            status = machine->l2.flush ? cache_flush(cache, NULL) : STATUS_OK;
            at++;
            continue;
        }
        size_t count = decode(slices, &at, end, requests);
        status =
            replay_cancelled(replay) ? STATUS_CANCELLED : cache_run(cache, requests, count, NULL);
    }
    if (!status)
        cache_read_counts(cache, &slices->counts[slice]);
    cache_free(cache);
    return status;
}

/* Brings what a unit's requests became to where they were dealt. */
static enum status mark_unit(void *argument, unsigned unit)
{
    const struct slices *slices = argument;
    const struct deal *deal = slices->deal;
    const size_t start = deal->unit_starts[unit], end = deal->unit_starts[unit + 1];
    const uint8_t *sent = slices->passage->sent;
    for (size_t i = start; i < end; i++)
        deal->marks[deal->places[i]] = sent[i];
    return replay_cancelled(slices->replay) ? STATUS_CANCELLED : STATUS_OK;
}

/* ---- the L2 -----------------------------------------------------------------------------------
 */

bool replay_l2_deals(const struct machine *machine, unsigned needs)
{
    return !(needs & NEED_OPT_L2) && machine->l2.replacement != REPLACEMENT_OPT;
}

/* Without an L1D every request goes to the L2 as it is. */
static enum status l2_in_order(const struct replay *replay, struct metrics *metrics)
{
    struct machine behind = *replay->machine;
    behind.l1d.enabled = behind.tlb.enabled = 0;
    return replay_in_order(replay, &behind, metrics);
}

enum status replay_l2(const struct replay *replay, const struct deal *deal,
                      const struct passage *passage, struct metrics *metrics)
{
    unsigned needs = replay->options->needs;
    if (!replay_l2_deals(replay->machine, needs))
        return l2_in_order(replay, metrics);
    struct slices slices = {.replay = replay, .deal = deal, .passage = passage};
    slices.counts = calloc(deal->slices, sizeof *slices.counts);
    enum status status = slices.counts ? STATUS_OK : STATUS_MEMORY;
    if (!status && passage)
        status = replay_units(replay, deal->tape->units, 0, 0.05, mark_unit, &slices);
    if (!status)
        status = replay_units(replay, (unsigned)deal->slices, 0.05, 1, run_slice, &slices);
    if (!status) {
        struct cache_counts sum = replay_sum(slices.counts, (unsigned)deal->slices);
        stages_put_cache(&sum, true, needs & NEED_CLASSES_L2, metrics);
    }
    free(slices.counts);
    return status;
}
