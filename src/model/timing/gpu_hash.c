#include "model/timing/gpu_parts.h"

/* What tells one state of a run from another. Structs have padding, so it takes fields and arrays
 * of numbers, never structs as bytes. */

static void mix(uint64_t *hash, uint64_t word)
{
    *hash = (*hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    *hash ^= *hash >> 29;
}

static void mix_words(uint64_t *hash, const uint64_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        mix(hash, words[i]);
}

/* Counts are structs of nothing but 64-bit numbers. */
#define MIX_COUNTS(hash, counts)                                                                   \
    mix_words(hash, (const uint64_t *)(counts), sizeof *(counts) / sizeof(uint64_t))

static void mix_queue(uint64_t *hash, const struct packet_pool *pool,
                      const struct packet_queue *queue)
{
    uint32_t at = queue->first;
    mix(hash, queue->count);
    for (uint32_t i = 0; i < queue->count; i++, at = pool->items[at].next) {
        const struct packet *packet = &pool->items[at];
        mix(hash, packet->address);
        mix(hash, packet->ready);
        mix(hash, packet->issued);
        mix(hash, (uint64_t)packet->id << 32 | packet->touched);
        mix(hash, (uint64_t)packet->sm << 16 | (uint64_t)packet->kind << 8 | packet->flags);
    }
}

static void mix_cache(uint64_t *hash, const struct cache_unit *unit)
{
    const uint64_t lines = unit->tags ? unit->geometry.sets * unit->ways_max : 0;
    mix_words(hash, unit->tags, lines);
    mix_words(hash, unit->used, lines);
    for (uint64_t i = 0; i < lines; i++) {
        const struct unit_line *line = &unit->lines[i];
        mix(hash, (uint64_t)line->valid << 32 | line->reserved);
        mix(hash, (uint64_t)line->dirty << 32 | line->readable);
    }
    mix(hash, unit->changes);
    mix(hash, unit->entries_used);
    mix_queue(hash, &unit->packets, &unit->misses);
    MIX_COUNTS(hash, &unit->counts);
}

static void mix_warp(uint64_t *hash, const struct sm_warp *warp)
{
    mix(hash, (uint64_t)warp->lanes << 32 | warp->in_pipe);
    mix(hash, (uint64_t)warp->instruction_fills << 32 | warp->instruction_at);
    mix(hash, (uint64_t)warp->record_fills << 32 | warp->record_at);
    mix(hash, (uint64_t)warp->stores << 32 | warp->atomics);
    for (unsigned i = 0; i < REGISTER_WORDS; i++) {
        mix(hash, warp->registers[i].pending);
        mix(hash, warp->registers[i].awaited);
    }
    mix(hash, (uint64_t)warp->present << 2 | (uint64_t)warp->barrier << 1 | warp->fence);
}

static void mix_sm(uint64_t *hash, const struct sm *sm)
{
    mix(hash, sm->now);
    mix(hash, sm->ages);
    mix(hash, sm->live_blocks);
    for (uint32_t i = 0; sm->warps && i < sm->warp_slots; i++)
        mix_warp(hash, &sm->warps[i]);
    for (uint32_t i = 0; i < sm->shared->schedulers; i++)
        mix(hash, sm->schedulers[i].ready ^ sm->schedulers[i].waits << 1);
    mix_cache(hash, &sm->fetch.l1i);
    for (uint32_t i = 0; i < sm->fetch.l0_count; i++)
        mix_cache(hash, &sm->fetch.l0s[i]);
    mix_cache(hash, &sm->load_store.l1d);
    mix_cache(hash, &sm->translate.tlb);
    mix_queue(hash, &sm->packets, &sm->port.arriving);
    mix_queue(hash, &sm->packets, &sm->port.responses);
    mix_queue(hash, &sm->packets, &sm->port.sent);
    MIX_COUNTS(hash, &sm->counts);
    for (uint32_t i = 0; i < LATENCY_BUCKETS; i++)
        mix(hash, sm->latencies[i]);
}

static void mix_channel(uint64_t *hash, const struct channel *channel)
{
    mix(hash, channel->ticks);
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
    for (uint32_t b = 0; b < DRAM_BANKS_MAX; b++)
        mix(hash, channel->dram.banks[b].row);
    MIX_COUNTS(hash, &channel->dram.counts);
    MIX_COUNTS(hash, &channel->counts);
}

uint64_t gpu_hash(const struct gpu *gpu)
{
    uint64_t hash = gpu->cycle;
    mix(&hash, gpu->launch);
    mix(&hash, gpu->next_block);
    mix(&hash, gpu->reply_bytes);
    for (uint32_t i = 0; i < gpu->sm_count; i++)
        mix_sm(&hash, &gpu->sms[i]);
    for (uint32_t i = 0; i < gpu->channel_count; i++)
        mix_channel(&hash, &gpu->channels[i]);
    for (uint32_t i = 0; i < gpu->slice_count; i++) {
        mix_queue(&hash, &gpu->carried, &gpu->at_slices[i]);
        mix_queue(&hash, &gpu->carried, &gpu->walks[i]);
    }
    MIX_COUNTS(&hash, &gpu->mmu.counts);
    return hash;
}
