#include "model/tile/tile_run.h"

#include "base/mix.h"

enum status tile_run_open(struct tile_run *run, const struct machine *machine,
                          const struct tile_stream *stream, const struct tile_run_options *options,
                          struct tile_feed *feed, struct diagnostics *diagnostics)
{
    *run = (struct tile_run){
        .feed = feed ? feed : &run->own, .stream = stream, .cancel = options->cancel};
    enum status status = tile_subsystem_init(&run->tiles, machine, stream, options);
    if (!status && !feed) {
        status = tile_feed_open(&run->own, stream, options->carry, false, diagnostics);
        if (status)
            tile_subsystem_free(&run->tiles);
    }
    return status;
}

void tile_run_close(struct tile_run *run)
{
    tile_feed_close(&run->own);
    tile_subsystem_free(&run->tiles);
}

/* ---- stage by stage ----------------------------------------------------------------------------
 */

static void begin_pass(struct tile_run *run)
{
    if (run->tiles.shared.data)
        tile_memory_clear(&run->tiles.shared.memory, run->stream, &run->stream->passes[run->pass]);
    run->stage = TILE_DEALS;
}

/* A cycle deals as many requests as there are pipelines, wherever the reader cuts its batches:
 * fewer wait for the next batch, unless their pass ends. */
static enum status deal_requests(struct tile_run *run, uint64_t cycle,
                                 struct diagnostics *diagnostics)
{
    struct tile_subsystem *tiles = &run->tiles;
    const struct tile_feed *feed = run->feed;
    const uint32_t pipelines = (uint32_t)tiles->shared.config->pipelines;
    uint64_t end;
    uint32_t next = 0;
    const bool known = tile_feed_end(feed, run->pass, &end);
    const uint64_t left = end - run->at;
    if (!known && left < pipelines)
        return tile_feed_read(run->feed, run->at, diagnostics);
    if (!left) {
        run->stage = TILE_RUNS_DRY;
        return STATUS_OK;
    }
    const uint64_t first = run->at - feed->first;
    const struct tile_batch batch = {.requests = feed->requests + first,
                                     .values = feed->values ? feed->values + first : NULL,
                                     .count = left < TILE_BATCH ? (uint32_t)left : TILE_BATCH};
    const uint32_t most = known && batch.count == left ? 1 : pipelines;
    while (next + most <= batch.count && tiles->now < cycle && !tiles->shared.stop)
        tile_subsystem_step(tiles, &batch, &next);
    run->at += next;
    return STATUS_OK;
}

static void end_pass(struct tile_run *run)
{
    struct tile_subsystem *tiles = &run->tiles;
    const struct bank_shared *shared = &tiles->shared;
    if (tiles->parts && tiles->now)
        tile_parts_at(tiles->parts, tiles->now - 1); /* they cover all cycles */
    for (uint32_t i = 0; shared->saw && i < tiles->bank_count; i++)
        shared->saw(shared->context, &tiles->banks[i],
                    &(struct bank_event){.kind = BANK_EMPTIED, .cycle = tiles->now});
    run->pass++;
    run->stage = run->pass < run->stream->pass_count ? TILE_BEGINS : TILE_ENDED;
}

/* Nothing but the bus works. The last pass ends with the run, any other with the cycle in which
 * the next one begins. */
static void write_changes(struct tile_run *run, uint64_t cycle)
{
    struct tile_subsystem *tiles = &run->tiles;
    const bool last = run->pass + 1 >= run->stream->pass_count;
    tiles->now = run->written < cycle ? run->written : cycle;
    if (tiles->now == run->written && (last || tiles->now < cycle))
        end_pass(run);
}

/* What is written to memory at the end is on its way as soon as nothing waits any more. */
static void run_dry(struct tile_run *run, uint64_t cycle)
{
    static const struct tile_batch nothing = {0};
    struct tile_subsystem *tiles = &run->tiles;
    uint32_t next = 0;
    bool idle;
    while (!(idle = tile_subsystem_idle(tiles)) && tiles->now < cycle && !tiles->shared.stop)
        tile_subsystem_step(tiles, &nothing, &next);
    if (!idle || tiles->shared.stop)
        return;
    run->written = tile_subsystem_empty(tiles);
    if (run->pass + 1 >= run->stream->pass_count)
        run->written = bus_finish(&tiles->shared.bus, run->written);
    run->stage = TILE_WRITES;
    write_changes(run, cycle);
}

enum status tile_run_advance(struct tile_run *run, uint64_t cycle, struct diagnostics *diagnostics)
{
    struct tile_subsystem *tiles = &run->tiles;
    enum status status = STATUS_OK;
    if (run->stage == TILE_ENDED)
        return STATUS_OK;
    tiles->until = cycle;
    while (!status && tiles->now < cycle && run->stage != TILE_ENDED && !tiles->shared.stop) {
        if (run->cancel && atomic_load_explicit(run->cancel, memory_order_relaxed))
            return STATUS_CANCELLED;
        if (run->stage == TILE_BEGINS)
            begin_pass(run);
        else if (run->stage == TILE_DEALS)
            status = deal_requests(run, cycle, diagnostics);
        else if (run->stage == TILE_RUNS_DRY)
            run_dry(run, cycle);
        else
            write_changes(run, cycle);
    }
    if (tiles->shared.stop)
        run->stage = TILE_ENDED;
    if (!status && run->stage == TILE_ENDED)
        tile_subsystem_finish(tiles);
    return status;
}

/* ---- copies ------------------------------------------------------------------------------------
 */

enum status tile_run_copy(struct tile_run *run, const struct tile_run *from,
                          const struct tile_run_options *options)
{
    *run = (struct tile_run){.feed = from->feed,
                             .stream = from->stream,
                             .cancel = options->cancel,
                             .at = from->at,
                             .pass = from->pass,
                             .stage = from->stage,
                             .written = from->written};
    return tile_subsystem_copy(&run->tiles, &from->tiles, options);
}

size_t tile_run_bytes(const struct tile_run *run)
{
    const struct bank_shared *shared = &run->tiles.shared;
    const size_t bank = shared->fifo * sizeof(struct bank_item) +
                        shared->entries * sizeof(struct bank_entry) +
                        shared->chains * sizeof(struct bank_chain);
    return sizeof *run + tags_bytes(&shared->tags) + bus_bytes(&shared->bus) +
           run->tiles.bank_count * bank + (shared->entries + 1) * sizeof *run->tiles.occupancy;
}

static void mix_chain(uint64_t *hash, const struct bank *bank, const struct bank_chain *chain)
{
    mix_word(hash, chain->line);
    mix_word(hash, chain->due);
    mix_word(hash, (uint64_t)chain->length << 32 | chain->waiting);
    mix_word(hash, chain->refilled ? chain->slot : UINT32_MAX);
    mix_word(hash, (uint64_t)chain->ahead << 5 | (uint64_t)chain->unread << 4 |
                       (uint64_t)chain->refilled << 3 | (uint64_t)chain->changed << 2 |
                       (uint64_t)chain->behind << 1 | chain->stale);
    for (uint32_t at = chain->head; at != BANK_NONE; at = bank->entries[at].next) {
        mix_word(hash, at);
        mix_word(hash, bank->entries[at].item.serial);
    }
}

static void mix_bank(uint64_t *hash, const struct bank *bank, const struct bank_shared *shared)
{
    for (uint32_t i = 0; i < bank->fifo_count; i++)
        mix_word(hash, bank->fifo[(bank->fifo_first + i) % shared->fifo].serial);
    for (uint32_t i = 0; i < bank->chain_count; i++)
        mix_chain(hash, bank, &bank->chains[i]);
    mix_word(hash, (uint64_t)bank->fifo_count << 32 | bank->chain_count);
    mix_word(hash, (uint64_t)bank->running << 32 | bank->ahead_left);
    mix_word(hash, (uint64_t)bank->used << 32 | bank->free_entry);
    mix_word(hash, (uint64_t)bank->stall << 1 | bank->moved);
    mix_word(hash, bank->next_due);
    mix_word(hash, bank->waited << 3 | bank->cause);
    mix_bytes(hash, &bank->counts, sizeof bank->counts);
}

uint64_t tile_run_hash(const struct tile_run *run)
{
    const struct tile_subsystem *tiles = &run->tiles;
    const struct bank_shared *shared = &tiles->shared;
    uint64_t hash = tiles->now;
    mix_word(&hash, run->at);
    mix_word(&hash, (uint64_t)run->pass << 32 | run->stage);
    mix_word(&hash, run->written);
    bus_mix(&shared->bus, &hash);
    for (uint32_t i = 0; i < tiles->bank_count; i++)
        mix_bank(&hash, &tiles->banks[i], shared);
    tags_mix(&shared->tags, &hash);
    mix_words(&hash, tiles->occupancy, (size_t)shared->entries + 1);
    mix_word(&hash, tiles->counts.input_stalls);
    mix_word(&hash, tiles->counts.bank_stalls);
    mix_word(&hash, tiles->counts.bank_cycles);
    return hash;
}
