/* An L2 on a tape: its slices are simulated one by one, each on what it was dealt. */
#include <stdlib.h>

#include "model/replay_state.h"

struct slices {
    const struct replay *replay;
    const struct deal *deal;
    const struct passage *passage; /* NULL: every request comes as it is */
    uint8_t **loads;               /* of each unit's kinds: 1 + the space of a load, else 0 */
    struct cache_counts *counts;   /* of each slice */
    unsigned spaces;               /* that come from the L1Ds, or past them */
};

/* ---- what comes of a request ------------------------------------------------------------------
 */

/* Of each kind of a track whether the L1D fetches for it. NULL: no memory. */
static uint8_t *find_loads(const struct tape_track *track, int write)
{
    uint8_t *loads = calloc(track->kind_count + 1, sizeof *loads);
    for (size_t k = 0; loads && k < track->kind_count; k++)
        if (passage_act(write, &track->kinds[k]) == SIEVE_LOAD)
            loads[k] = track->kinds[k].space + 1;
    return loads;
}

/* The sectors that an L1D fetches for a load, neighbours as one request: the slice looks at its own
 * sectors, which are not larger, in the same order. Returns how many requests. */
static inline size_t fetch_sectors(uint64_t address, unsigned space, uint64_t sector,
                                   unsigned missing, struct request *out)
{
    struct request *next = out;
    address &= -sector;
    while (missing) {
        unsigned from = (unsigned)__builtin_ctz(missing);
        unsigned length = (unsigned)__builtin_ctz(~(missing >> from));
        *next++ = (struct request){.address = address + from * sector,
                                   .touched = UINT32_MAX,
                                   .bytes = (uint16_t)(length * sector),
                                   .op = OP_LOAD,
                                   .space = (uint8_t)space};
        missing &= missing + (1u << from);
    }
    return (size_t)(next - out);
}

/* What a request becomes of which `sent` goes on. */
static inline size_t send_item(const struct slices *slices, struct tape_item item, unsigned sent,
                               struct request *out)
{
    const struct tape_track *track = &slices->deal->tape->tracks[item.place];
    const struct passage *passage = slices->passage;
    if (passage && item.kind != TAPE_ODD) {
        unsigned load = slices->loads[item.place][item.kind];
        if (load)
            return fetch_sectors(line_ids_address(&track->ids, item.granule), load - 1,
                                 passage->sector, sent, out);
    }
    tape_decode(track, item, out);
    if (!(slices->spaces & space_bit(out->space))) /* a machine without L1D reads the stream */
        return 0;
    out->unit = 0;
    if (passage && passage_act(slices->replay->machine->l1d.write, out) == SIEVE_LOAD)
        return fetch_sectors(out->address, out->space, passage->sector, sent, out);
    return 1;
}

/* The next requests up to a launch; *at moves on behind them. */
static size_t decode(const struct slices *slices, size_t *at, size_t end,
                     struct request requests[REPLAY_BATCH + SIEVE_LINES])
{
    const struct tape_item *items = slices->deal->items;
    const uint8_t *marks = slices->deal->marks;
    size_t count = 0, i = *at;
    for (; count < REPLAY_BATCH && i < end && items[i].kind != DEAL_LAUNCH; i++) {
        unsigned sent = slices->passage ? marks[i] : 1;
        if (sent)
            count += send_item(slices, items[i], sent, &requests[count]);
    }
    *at = i;
    return count;
}

static enum status run_slice(void *argument, unsigned slice)
{
    const struct slices *slices = argument;
    const struct replay *replay = slices->replay;
    const struct machine *machine = replay->machine;
    const struct deal *deal = slices->deal;
    struct request requests[REPLAY_BATCH + SIEVE_LINES];
    unsigned classify = replay->options->needs & NEED_CLASSES(STAGE_L2) ? CACHE_CLASSIFY : 0;
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
    const int write = slices->replay->machine->l1d.write;
    slices->loads[unit] = find_loads(&slices->deal->tape->tracks[unit], write);
    if (!slices->loads[unit])
        return STATUS_MEMORY;
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
    return !(needs & NEED_OPTIMUM(STAGE_L2)) && !cache_is_offline(&machine->l2);
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
    const unsigned units = deal->tape->units;
    struct slices slices = {
        .replay = replay, .deal = deal, .passage = passage, .spaces = l1d_spaces(replay->machine)};
    slices.counts = calloc(deal->slices, sizeof *slices.counts);
    slices.loads = calloc(units, sizeof *slices.loads);
    enum status status = slices.counts && slices.loads ? STATUS_OK : STATUS_MEMORY;
    if (!status && passage)
        status = replay_units(replay, units, 0, 0.05, mark_unit, &slices);
    if (!status)
        status = replay_units(replay, (unsigned)deal->slices, 0.05, 1, run_slice, &slices);
    if (!status) {
        struct cache_counts sum = replay_sum(slices.counts, (unsigned)deal->slices);
        stages_put_cache(&sum, true, needs & NEED_CLASSES(STAGE_L2), metrics);
    }
    for (unsigned u = 0; slices.loads && u < units; u++)
        free(slices.loads[u]);
    free(slices.loads);
    free(slices.counts);
    return status;
}
