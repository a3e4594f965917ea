#include "base/mix.h"
#include "model/cache/replacement.h"
#include "model/timing/gpu_parts.h"

/* What tells one state of a run from another. Structs have padding, so it takes fields and arrays
 * of numbers, never structs as bytes. */

/* Counts are structs of nothing but 64-bit numbers. */
#define MIX_COUNTS(hash, counts)                                                                   \
    mix_words(hash, (const uint64_t *)(counts), sizeof *(counts) / sizeof(uint64_t))

static void mix_packet(uint64_t *hash, const struct packet *packet)
{
    mix_word(hash, packet->address);
    mix_word(hash, packet->ready);
    mix_word(hash, packet->issued);
    mix_word(hash, (uint64_t)packet->id << 32 | packet->touched);
    mix_word(hash, (uint64_t)packet->sm << 16 | (uint64_t)packet->kind << 8 | packet->flags);
}

static void mix_queue(uint64_t *hash, const struct packet_pool *pool,
                      const struct packet_queue *queue)
{
    uint32_t at = queue->first;
    mix_word(hash, queue->count);
    for (uint32_t i = 0; i < queue->count; i++, at = pool->items[at].next)
        mix_packet(hash, &pool->items[at]);
}

/* ---- caches ---- */

static void mix_mshr(uint64_t *hash, const struct cache_unit *unit, const struct mshr *mshr)
{
    mix_word(hash, mshr->block);
    mix_word(hash, (uint64_t)mshr->line << 32 | mshr->parts);
    mix_word(hash,
             (uint64_t)mshr->passed << 2 | (uint64_t)mshr->writing << 1 | mshr->read_after_write);
    for (uint32_t at = mshr->first; at != UINT32_MAX; at = unit->targets[at].next) {
        const struct mshr_target *target = &unit->targets[at];
        mix_word(hash, target->address);
        mix_word(hash, target->joined);
        mix_word(hash, (uint64_t)target->id << 32 | target->touched);
        mix_word(hash, (uint64_t)target->sm << 16 | (uint64_t)target->kind << 8 | target->flags);
    }
}

static void mix_mshrs(uint64_t *hash, const struct cache_unit *unit)
{
    for (uint32_t i = 0; unit->mshrs_used && i <= unit->head_mask; i++)
        for (uint32_t at = unit->heads[i]; at != UINT32_MAX; at = unit->mshrs[at].next)
            mix_mshr(hash, unit, &unit->mshrs[at]);
    for (uint32_t at = unit->ready_first; unit->mshrs_used && at != UINT32_MAX;
         at = unit->mshrs[at].ready_next)
        mix_word(hash, at);
}

/* A throttle's own state is numbers, without pointers. */
static void mix_throttle(uint64_t *hash, const struct throttle *throttle)
{
    mix_word(hash, throttle->wake);
    mix_words(hash, throttle->stopped, THROTTLE_SCHEDULERS);
    mix_bytes(hash, throttle + 1, throttle->kind->size - sizeof *throttle);
}

/* What a policy of replacement learned, of each set and of all. */
static void mix_policy(uint64_t *hash, const struct cache_unit *unit)
{
    const uint32_t sets = (uint32_t)unit->geometry.sets;
    mix_bytes(hash, unit->states, sets * unit->state_bytes);
    if (unit->shared)
        mix_bytes(hash, unit->shared, unit->policy->shared_bytes(sets, unit->ways_max));
}

static void mix_cache(uint64_t *hash, const struct cache_unit *unit)
{
    const uint64_t lines = unit->tags ? unit->geometry.sets * unit->ways_max : 0;
    mix_words(hash, unit->tags, lines);
    mix_words(hash, unit->used, lines);
    for (uint64_t i = 0; i < lines; i++) {
        const struct unit_line *line = &unit->lines[i];
        mix_word(hash, (uint64_t)line->valid << 32 | line->reserved);
        mix_word(hash, (uint64_t)line->dirty << 32 | line->readable);
    }
    if (unit->policy && lines)
        mix_policy(hash, unit);
    mix_word(hash, unit->changes);
    mix_word(hash, unit->mshrs_used);
    mix_mshrs(hash, unit);
    if (unit->throttle)
        mix_throttle(hash, unit->throttle);
    if (unit->bypass)
        bypass_mix(unit->bypass, hash);
    mix_queue(hash, &unit->packets, &unit->misses);
    MIX_COUNTS(hash, &unit->counts);
}

/* ---- SMs ---- */

static void mix_warp(uint64_t *hash, const struct sm_warp *warp)
{
    mix_word(hash, (uint64_t)warp->lanes << 32 | warp->in_pipe);
    mix_word(hash, (uint64_t)warp->instruction_fills << 32 | warp->instruction_at);
    mix_word(hash, (uint64_t)warp->record_fills << 32 | warp->record_at);
    mix_word(hash, (uint64_t)warp->stores << 32 | warp->atomics);
    for (unsigned i = 0; i < REGISTER_WORDS; i++) {
        mix_word(hash, warp->registers[i].pending);
        mix_word(hash, warp->registers[i].awaited);
    }
    mix_word(hash, (uint64_t)warp->present << 2 | (uint64_t)warp->barrier << 1 | warp->fence);
}

static void mix_scheduler(uint64_t *hash, const struct scheduler *scheduler)
{
    mix_word(hash, scheduler->last);
    mix_word(hash, scheduler->present);
    mix_word(hash, scheduler->has);
    mix_word(hash, scheduler->ready);
    mix_word(hash, scheduler->waits);
    mix_words(hash, scheduler->state, SCHEDULER_STATE / sizeof(uint64_t));
}

static void mix_op(uint64_t *hash, const struct sm *sm, uint32_t at)
{
    mix_word(hash, at);
    if (at == NO_OP)
        return;
    const struct op *op = &sm->ops.items[at];
    mix_word(hash, op->issued);
    mix_word(hash, (uint64_t)op->order << 32 | op->remaining);
    mix_word(hash, (uint64_t)op->warp << 24 | (uint64_t)op->pipe << 16 | (uint64_t)op->unit << 8 |
                       op->translating);
}

static void mix_collect(uint64_t *hash, const struct sm *sm)
{
    const struct collect *collect = &sm->collect;
    for (unsigned pipe = 0; pipe < PIPE_COUNT; pipe++) {
        mix_word(hash, collect->latched[pipe]);
        for (uint32_t i = 0; i < collect->latched[pipe]; i++)
            mix_op(hash, sm, collect->latches[pipe][i]);
        for (uint32_t i = 0; i < sm->shared->latches[pipe]; i++)
            mix_op(hash, sm, collect->outputs[pipe][i]);
    }
    mix_word(hash, collect->free);
    mix_word(hash, collect->ready);
    for (uint32_t i = 0; i < collect->count; i++) {
        if (collect->free >> i & 1)
            continue;
        mix_op(hash, sm, collect->collectors[i].op);
        mix_word(hash, collect->collectors[i].unread);
    }
    for (uint32_t s = 0; s < collect->set_count; s++)
        for (uint32_t port = 0; port < collect->sets[s].ports; port++)
            mix_word(hash, collect->from[s][port]);
}

static void mix_execute(uint64_t *hash, const struct sm *sm)
{
    const struct execute *execute = &sm->execute;
    for (uint32_t i = 0; i < LATENCIES_MAX; i++)
        for (uint32_t at = execute->completions[i]; at != NO_OP; at = sm->ops.items[at].next) {
            mix_word(hash, i);
            mix_op(hash, sm, at);
        }
    for (unsigned pipe = 0; pipe < PIPE_COUNT; pipe++)
        for (uint32_t i = 0; i < sm->shared->units[pipe]; i++) {
            mix_word(hash, execute->units[pipe][i].free_at);
            mix_words(hash, execute->units[pipe][i].exits, LATENCIES_MAX / 64);
        }
}

static void mix_load_store(uint64_t *hash, const struct sm *sm)
{
    const struct load_store *unit = &sm->load_store;
    mix_op(hash, sm, unit->latch);
    mix_op(hash, sm, unit->written_back);
    mix_op(hash, sm, unit->passed_reply);
    mix_word(hash, unit->units_free);
    mix_word(hash, unit->data_free);
    mix_word(hash, unit->fill_free);
    mix_word(hash, (uint64_t)unit->access_at << 32 | unit->access_count);
    for (uint32_t i = unit->access_at; unit->latch != NO_OP && i < unit->access_count; i++)
        mix_word(hash, unit->accesses[i].address);
    for (uint32_t i = 0; i < sm->shared->l1_banks; i++)
        mix_queue(hash, &sm->packets, &unit->banks[i].queue);
    for (uint32_t i = 0; i < unit->reorder.count; i++)
        mix_queue(hash, &unit->reorder.packets, &unit->reorder.queues[i]);
    mix_queue(hash, &sm->packets, &unit->shared_pipe);
    mix_queue(hash, &sm->packets, &sm->translate.answers);
    for (size_t i = 0; i < sm->translate.retry_count; i++)
        mix_op(hash, sm, sm->translate.retries[sm->translate.retry_first + i]);
}

static void mix_sm(uint64_t *hash, const struct sm *sm)
{
    mix_word(hash, sm->now);
    mix_word(hash, sm->ages);
    mix_word(hash, sm->live_blocks);
    for (uint32_t i = 0; sm->warps && i < sm->warp_slots; i++)
        mix_warp(hash, &sm->warps[i]);
    for (uint32_t i = 0; i < sm->shared->schedulers; i++)
        mix_scheduler(hash, &sm->schedulers[i]);
    mix_collect(hash, sm);
    mix_execute(hash, sm);
    mix_load_store(hash, sm);
    mix_cache(hash, &sm->fetch.l1i);
    for (uint32_t i = 0; i < sm->fetch.l0_count; i++)
        mix_cache(hash, &sm->fetch.l0s[i]);
    mix_cache(hash, &sm->load_store.l1d);
    mix_cache(hash, &sm->translate.tlb);
    mix_queue(hash, &sm->packets, &sm->port.arriving);
    mix_queue(hash, &sm->packets, &sm->port.cluster);
    mix_queue(hash, &sm->packets, &sm->port.responses);
    mix_queue(hash, &sm->packets, &sm->port.sent);
    MIX_COUNTS(hash, &sm->counts);
    for (uint32_t i = 0; i < LATENCY_BUCKETS; i++)
        mix_word(hash, sm->latencies[i]);
}

/* ---- memory and network ---- */

static void mix_requests(uint64_t *hash, const struct dram *dram, uint32_t at)
{
    for (; at != NO_REQUEST; at = dram->requests[at].next) {
        const struct dram_request *request = &dram->requests[at];
        mix_packet(hash, &request->packet);
        mix_word(hash, request->row);
        mix_word(hash, (uint64_t)request->sent << 32 | request->arrived);
    }
}

static void mix_dram(uint64_t *hash, const struct dram *dram)
{
    for (uint32_t b = 0; b < DRAM_BANKS_MAX; b++) {
        const struct dram_bank *bank = &dram->banks[b];
        mix_word(hash, bank->row);
        mix_word(hash, bank->read);
        mix_word(hash, bank->write);
        mix_word(hash, bank->precharge);
        mix_word(hash, bank->activate);
        mix_word(hash, bank->current);
        mix_requests(hash, dram, bank->first);
    }
    mix_word(hash, (uint64_t)dram->queued << 32 | dram->in_pipe);
    mix_word(hash, dram->to_read ^ dram->to_write << 32);
    for (uint32_t i = 0; i < dram->pipe_count; i++)
        mix_word(hash, dram->pipe[(dram->pipe_first + i) % (dram->pipe_most + 1)]);
    MIX_COUNTS(hash, &dram->counts);
}

static void mix_network(uint64_t *hash, const struct network *network)
{
    for (uint32_t i = 0; i < network->inputs; i++) {
        mix_queue(hash, &network->packets, &network->input[i].queue);
        mix_queue(hash, &network->packets, &network->input[i].hidden);
        mix_word(hash, network->input[i].free_at);
        for (uint32_t k = 0; network->sorted && k < network->outputs; k++)
            mix_queue(hash, &network->packets, &network->sorted_queues[i * network->outputs + k]);
    }
    for (uint32_t i = 0; i < network->outputs; i++)
        mix_word(hash, network->output_free[i] ^ (uint64_t)network->next[i] << 32);
    const struct fly *fly = &network->fly;
    for (uint32_t i = 0; network->routed && i < fly->inputs; i++) {
        mix_queue(hash, &fly->packets, &fly->input[i].queue);
        mix_word(hash, (uint64_t)fly->input[i].used << 32 | fly->input[i].buffered);
        mix_word(hash, (uint64_t)fly->input[i].waiting << 32 | fly->input[i].passed);
    }
    for (uint32_t i = 0; network->routed && i < fly->outputs; i++) {
        mix_queue(hash, &fly->packets, &fly->output[i].packets);
        mix_word(hash, (uint64_t)fly->output[i].used << 32 | fly->output[i].buffered);
        mix_word(hash, (uint64_t)fly->output[i].next << 32 | fly->output[i].seen);
    }
}

static void mix_walks(uint64_t *hash, const struct mmu_walk *walks, size_t count)
{
    mix_word(hash, count);
    for (size_t i = 0; i < count; i++) {
        mix_word(hash, walks[i].page);
        mix_word(hash, walks[i].arrived);
        mix_word(hash, (uint64_t)walks[i].id << 32 | (uint64_t)walks[i].sm << 16 | walks[i].passed);
    }
}

static void mix_mmu(uint64_t *hash, const struct mmu *mmu)
{
    for (size_t i = 0; mmu->walkers && i < mmu->walker_count; i++) {
        mix_word(hash, mmu->walkers[i].free_at);
        mix_word(hash, mmu->walkers[i].level);
        mix_walks(hash, mmu->walkers[i].joined, mmu->walkers[i].joined_count);
    }
    mix_walks(hash, mmu->arrivals, mmu->arrival_count);
    mix_walks(hash, mmu->waiting, mmu->waiting_count);
    mix_queue(hash, &mmu->packets, &mmu->reads);
    mix_cache(hash, &mmu->shared);
    if (mmu->pwc)
        pwc_mix(mmu->pwc, hash);
    MIX_COUNTS(hash, &mmu->counts);
}

static void mix_channel(uint64_t *hash, const struct channel *channel)
{
    mix_word(hash, channel->ticks);
    for (uint32_t i = 0; i < channel->slice_count; i++) {
        const struct slice *slice = &channel->slices[i];
        mix_cache(hash, &slice->cache);
        mix_queue(hash, &channel->packets, &slice->arrived);
        mix_queue(hash, &channel->packets, &slice->incoming);
        mix_queue(hash, &channel->packets, &slice->to_dram);
        mix_queue(hash, &channel->packets, &slice->from_dram);
        mix_queue(hash, &channel->packets, &slice->outgoing);
    }
    mix_queue(hash, &channel->packets, &channel->line);
    mix_dram(hash, &channel->dram);
    MIX_COUNTS(hash, &channel->counts);
}

uint64_t gpu_hash(const struct gpu *gpu)
{
    uint64_t hash = gpu->cycle;
    mix_word(&hash, gpu->launch);
    mix_word(&hash, gpu->next_block);
    mix_word(&hash, gpu->reply_bytes);
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        mix_sm(&hash, &gpu->sms[i]);
    for (uint32_t i = 0; i < gpu->channel_count; i++)
        mix_channel(&hash, &gpu->channels[i]);
    for (uint32_t i = 0; i < gpu->slice_count; i++) {
        mix_queue(&hash, &gpu->carried, &gpu->at_slices[i]);
        mix_queue(&hash, &gpu->carried, &gpu->walks[i]);
    }
    mix_network(&hash, &gpu->requests);
    mix_network(&hash, &gpu->replies);
    mix_mmu(&hash, &gpu->mmu);
    return hash;
}
