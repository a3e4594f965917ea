#include "model/timing/run_state.h"

#include "model/timing/gpu_parts.h"
#include "schema/stages.h"

struct queue_visit {
    void (*visit)(void *context, const struct queue_state *queue);
    void *context;
};

/* What a limit admits at most; 0: nothing limits it. */
static uint64_t most_of(const struct limit *limit)
{
    const uint32_t most = limit_left(limit, 0);
    return most < LIMIT_NONE ? most : 0;
}

static void tell_queue(const struct queue_visit *visit, const char *name, const char *of,
                       uint32_t place, const struct packet_pool *pool,
                       const struct packet_queue *queue, uint64_t most)
{
    const struct queue_state state = {
        .name = name,
        .of = of,
        .place = place,
        .count = queue->count,
        .most = most,
        .address = queue->count ? packet_queue_head(pool, queue)->address : 0};
    if (queue->count || !of)
        visit->visit(visit->context, &state);
}

static void tell_sm(const struct gpu *gpu, const struct sm *sm, const struct queue_visit *visit)
{
    const struct load_store *unit = &sm->load_store;
    for (uint32_t bank = 0; bank < gpu->shared->l1_banks; bank++)
        tell_queue(visit, "on the way to the tags", "bank", bank, &sm->packets,
                   &unit->banks[bank].queue, gpu->shared->l1_places);
    tell_queue(visit, "miss queue of the L1D", NULL, 0, &unit->l1d.packets, &unit->l1d.misses,
               most_of(&unit->l1d.places));
    tell_queue(visit, "sent, not yet in the network", NULL, 0, &sm->packets, &sm->port.sent, 0);
    tell_queue(visit, "replies out of the network", NULL, 0, &sm->packets, &sm->port.arriving,
               most_of(&sm->port.places));
    tell_queue(visit, "replies for the cluster", NULL, 0, &sm->packets, &sm->port.cluster,
               most_of(&sm->port.ejected));
    tell_queue(visit, "replies for the load/store unit", NULL, 0, &sm->packets, &sm->port.responses,
               most_of(&sm->port.answers));
    tell_queue(visit, "pipe of shared memory", NULL, 0, &sm->packets, &unit->shared_pipe,
               gpu->shared->shared_places);
}

static void tell_slice(const struct gpu *gpu, uint32_t number, const struct queue_visit *visit)
{
    const struct channel *channel = channel_of(gpu, number);
    const struct slice *slice = slice_at(gpu, number);
    const struct packet_pool *pool = &channel->packets;
    const uint64_t most = most_of(&channel->queue);
    tell_queue(visit, "delivered by the network", "slice", number, &gpu->carried,
               &gpu->at_slices[number], 0);
    tell_queue(visit, "on the way to the L2", "slice", number, pool, &slice->arrived, 0);
    tell_queue(visit, "in front of the L2", "slice", number, pool, &slice->incoming, most);
    tell_queue(visit, "miss queue of the L2", "slice", number, &slice->cache.packets,
               &slice->cache.misses, most_of(&slice->cache.places));
    tell_queue(visit, "to the DRAM", "slice", number, pool, &slice->to_dram, most);
    tell_queue(visit, "from the DRAM", "slice", number, pool, &slice->from_dram, most);
    tell_queue(visit, "replies for the network", "slice", number, pool, &slice->outgoing, most);
}

/* What waits in the banks of a channel, those that are being served included. */
static void tell_dram(const struct channel *channel, uint32_t number,
                      const struct queue_visit *visit)
{
    const struct dram *dram = &channel->dram;
    struct queue_state state = {.name = "banks of the DRAM",
                                .of = "channel",
                                .place = number,
                                .count = dram->queued + dram->input_count,
                                .most = most_of(&dram->queue)};
    for (uint64_t banks = dram->serving_banks; banks; banks &= banks - 1)
        state.count++;
    if (state.count)
        visit->visit(visit->context, &state);
    tell_queue(visit, "line to the controller", "channel", number, &channel->packets,
               &channel->line, 0);
}

void run_state_queues(const struct gpu *gpu, uint32_t sm,
                      void (*visit)(void *context, const struct queue_state *queue), void *context)
{
    const struct queue_visit all = {visit, context};
    tell_sm(gpu, &gpu->sms[sm], &all);
    for (uint32_t i = 0; i < gpu->slice_count; i++)
        tell_slice(gpu, i, &all);
    for (uint32_t i = 0; i < gpu->channel_count; i++)
        tell_dram(&gpu->channels[i], i, &all);
}

void run_state_blocks(const struct gpu *gpu, uint32_t sm,
                      void (*visit)(void *context, const struct block_state *block), void *context)
{
    const struct cache_unit *unit = &gpu->sms[sm].load_store.l1d;
    for (uint32_t i = 0; unit->mshrs_used && i <= unit->head_mask; i++)
        for (uint32_t at = unit->heads[i]; at != UINT32_MAX; at = unit->mshrs[at].next) {
            const struct mshr *mshr = &unit->mshrs[at];
            uint32_t nth = 0;
            for (uint32_t t = mshr->first; t != UINT32_MAX; t = unit->targets[t].next) {
                const struct mshr_target *target = &unit->targets[t];
                const struct block_state state = {.address = mshr->block
                                                             << unit->geometry.sector_bits,
                                                  .slot = target->warp,
                                                  .pc = target->pc,
                                                  .nth = nth++,
                                                  .writes = target->kind == PACKET_WRITE,
                                                  .here = !mshr->parts};
                visit(context, &state);
            }
        }
}

static uint64_t ticks_left(uint64_t from, uint64_t now)
{
    return from > now ? from - now : 0;
}

static void see_bank(const struct channel *channel, uint32_t number, struct bank_state *state)
{
    const struct dram *dram = &channel->dram;
    const struct dram_bank *bank = &dram->banks[number];
    *state = (struct bank_state){.bank = number, .open = bank->active, .row = bank->row};
    for (uint32_t at = bank->first; at != NO_REQUEST; at = dram->requests[at].next)
        state->waiting++;
    if (bank->current != NO_REQUEST) {
        const struct packet *packet = &dram->requests[bank->current].packet;
        state->serves = true;
        state->writes = packet_writes(packet);
        state->address = packet->address;
    }
    const bool other = state->serves && dram->requests[bank->current].row != bank->row;
    state->rest = ticks_left(!bank->active   ? bank->activate
                             : other         ? bank->precharge
                             : state->writes ? bank->write
                                             : bank->read,
                             channel->ticks);
}

void run_state_banks(const struct gpu *gpu,
                     void (*visit)(void *context, const struct bank_state *bank), void *context)
{
    const uint32_t banks = gpu->machine->dram.fixed ? 0 : (uint32_t)gpu->machine->dram.banks;
    for (int quiet = 0; quiet < 2; quiet++)
        for (uint32_t i = 0; i < gpu->channel_count; i++)
            for (uint32_t b = 0; b < banks; b++) {
                struct bank_state state;
                see_bank(&gpu->channels[i], b, &state);
                state.channel = i;
                const bool busy = state.serves || state.waiting;
                if (quiet ? !busy && state.open : busy)
                    visit(context, &state);
            }
}

bool run_state_set(const struct gpu *gpu, unsigned stage, uint32_t place, uint64_t set,
                   void (*visit)(void *context, const struct way_state *way), void *context)
{
    const unsigned known = STAGE_L1D | STAGE_L1I | STAGE_L2;
    if (!(stage & known) || place >= (stage == STAGE_L2 ? gpu->slice_count : gpu->sm_count))
        return false;
    const struct cache_unit *unit = stage == STAGE_L2    ? &slice_at(gpu, place)->cache
                                    : stage == STAGE_L1I ? &gpu->sms[place].fetch.l1i
                                                         : &gpu->sms[place].load_store.l1d;
    if (!unit->tags || set >= unit->geometry.sets)
        return false;
    for (uint32_t way = 0; way < unit->ways; way++) {
        const uint64_t at = set * unit->ways_max + way;
        const struct unit_line *line = &unit->lines[at];
        const bool holds = unit->tags[at] != NO_TAG;
        const struct way_state state = {.way = way,
                                        .sectors = (uint32_t)unit->geometry.sectors,
                                        .holds = holds,
                                        .address =
                                            holds ? unit->tags[at] << unit->geometry.line_bits : 0,
                                        .valid = line->valid,
                                        .reserved = line->reserved,
                                        .dirty = line->dirty,
                                        .used = unit->used[at]};
        visit(context, &state);
    }
    return true;
}
