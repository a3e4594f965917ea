/* An L2 on the requests of a log. Its slices are simulated one by one, each on its own stream. */
#include <stdlib.h>

#include "model/replay/replay_state.h"

/* Items looked at together, and the most requests that those of a batch become. */
enum { CHOSEN = 64, DECODED_MAX = REPLAY_BATCH + CHOSEN * LRU_FILTER_LINES };

struct slices {
    const struct replay *replay;
    const struct slice_streams *streams;
    const struct miss_mask *mask; /* NULL: requests arrive unchanged */
    uint8_t **loads;              /* [instance][kind]: 1 + the space of a load, else 0 */
    struct cache_counts *counts;  /* [slice] */
    unsigned spaces;              /* spaces that the L1Ds serve */
};

/* ---- what comes of a request ------------------------------------------------------------------
 */

/* For each kind of a section, whether the L1D fetches for it. NULL: no memory. */
static uint8_t *find_loads(const struct log_section *section, int write)
{
    uint8_t *loads = calloc(section->kind_count + 1, sizeof *loads);
    for (size_t k = 0; loads && k < section->kind_count; k++)
        if (miss_mask_act(write, &section->kinds[k]) == LRU_FILTER_LOAD)
            loads[k] = section->kinds[k].space + 1;
    return loads;
}

/* Turns the sectors that an L1D fetches for a load into requests, one for each run of neighbours.
 * The slice looks up its own sectors, which are not larger, in the same order either way. Returns
 * the number of requests. */
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

/* The requests that arrive at the L2 for one item, given what the L1D sent of it. */
static inline size_t send_item(const struct slices *slices, struct log_item item, unsigned sent,
                               struct request *out)
{
    const struct log_section *section = &slices->streams->log->sections[item.place];
    const struct miss_mask *mask = slices->mask;
    if (mask && item.kind != LOG_ODD) {
        unsigned load = slices->loads[item.place][item.kind];
        if (load)
            return fetch_sectors(line_ids_address(&section->ids, item.granule), load - 1,
                                 mask->sector, sent, out);
    }
    request_log_decode(section, item, out);
    if (!(slices->spaces & space_bit(out->space))) /* without an L1D the log holds all spaces */
        return 0;
    out->instance = 0;
    if (mask && miss_mask_act(slices->replay->machine->l1d.write, out) == LRU_FILTER_LOAD)
        return fetch_sectors(out->address, out->space, mask->sector, sent, out);
    return 1;
}

/* The next items, up to a launch, of which the L1D sent something; *at advances past them. Half of
 * them send nothing, in no order that a processor foresees, so there is no branch for it. */
static unsigned choose(const struct slices *slices, size_t *at, size_t end, size_t chosen[CHOSEN])
{
    const struct log_item *items = slices->streams->items;
    const uint8_t *marks = slices->mask ? slices->streams->marks : NULL;
    const size_t stop = end - *at < CHOSEN ? end : *at + CHOSEN;
    size_t i = *at;
    unsigned count = 0;
    for (; i < stop && items[i].kind != SLICE_LAUNCH; i++) {
        chosen[count] = i;
        count += !marks || marks[i];
    }
    *at = i;
    return count;
}

/* Decodes the next requests, up to a launch; *at advances past them. */
static size_t decode(const struct slices *slices, size_t *at, size_t end,
                     struct request requests[DECODED_MAX])
{
    const struct slice_streams *streams = slices->streams;
    size_t count = 0, chosen[CHOSEN];
    while (count < REPLAY_BATCH && *at < end && streams->items[*at].kind != SLICE_LAUNCH) {
        const unsigned some = choose(slices, at, end, chosen);
        for (unsigned k = 0; k < some; k++) {
            const unsigned sent = slices->mask ? streams->marks[chosen[k]] : 1;
            count += send_item(slices, streams->items[chosen[k]], sent, &requests[count]);
        }
    }
    return count;
}

static enum status run_slice(void *argument, unsigned slice)
{
    const struct slices *slices = argument;
    const struct replay *replay = slices->replay;
    const struct machine *machine = replay->machine;
    const struct slice_streams *streams = slices->streams;
    struct request requests[DECODED_MAX];
    unsigned classify = replay->options->needs & NEED_CLASSES(STAGE_L2) ? CACHE_CLASSIFY : 0;
    size_t at = streams->starts[slice], end = streams->starts[slice + 1];
    struct cache *cache;
    enum status status = replay_create_cache(&machine->l2, slice, machine->seed, classify, &cache);
    while (at < end && !status) {
        if (streams->items[at].kind == SLICE_LAUNCH) {
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

/* Copies an SM's bytes of the miss mask to the places of its requests in the slices' streams. */
static enum status mark_instance(void *argument, unsigned instance)
{
    const struct slices *slices = argument;
    const int write = slices->replay->machine->l1d.write;
    slices->loads[instance] = find_loads(&slices->streams->log->sections[instance], write);
    if (!slices->loads[instance])
        return STATUS_MEMORY;
    const struct slice_streams *streams = slices->streams;
    const size_t start = streams->instance_starts[instance],
                 end = streams->instance_starts[instance + 1];
    const uint8_t *sent = slices->mask->sent;
    for (size_t i = start; i < end; i++)
        streams->marks[streams->places[i]] = sent[i];
    return replay_cancelled(slices->replay) ? STATUS_CANCELLED : STATUS_OK;
}

/* ---- the L2 -----------------------------------------------------------------------------------
 */

bool replay_l2_sliced(const struct machine *machine, unsigned needs)
{
    const bool reads_pc = replacement_facts[machine->l2.replacement].traits & REPLACEMENT_READS_PC;
    return !(needs & NEED_OPTIMUM(STAGE_L2)) && !cache_is_offline(&machine->l2) && !reads_pc &&
           !cache_in_halves(&machine->l2);
}

/* Replays in order without an L1D, so every request of the log goes to the L2 unchanged. */
static enum status l2_in_order(const struct replay *replay, struct metrics *metrics)
{
    struct machine behind = *replay->machine;
    behind.l1d.enabled = behind.tlb.enabled = 0;
    return replay_in_order(replay, &behind, metrics);
}

enum status replay_l2(const struct replay *replay, const struct slice_streams *streams,
                      const struct miss_mask *mask, struct metrics *metrics)
{
    unsigned needs = replay->options->needs;
    if (!replay_l2_sliced(replay->machine, needs))
        return l2_in_order(replay, metrics);
    const unsigned instances = streams->log->instances;
    struct slices slices = {
        .replay = replay, .streams = streams, .mask = mask, .spaces = l1d_spaces(replay->machine)};
    slices.counts = calloc(streams->slices, sizeof *slices.counts);
    slices.loads = calloc(instances, sizeof *slices.loads);
    enum status status = slices.counts && slices.loads ? STATUS_OK : STATUS_MEMORY;
    if (!status && mask)
        status = replay_instances(replay, instances, 0, 0.05, mark_instance, &slices);
    if (!status)
        status = replay_instances(replay, (unsigned)streams->slices, 0.05, 1, run_slice, &slices);
    if (!status) {
        struct cache_counts sum = replay_sum(slices.counts, (unsigned)streams->slices);
        stages_put_cache(&sum, true, needs & NEED_CLASSES(STAGE_L2), metrics);
    }
    for (unsigned u = 0; slices.loads && u < instances; u++)
        free(slices.loads[u]);
    free(slices.loads);
    free(slices.counts);
    return status;
}
