#include "model/tile/watch.h"

#include "model/tile/tile.h"
#include "model/tile/tile_run.h"

struct watch {
    struct tile_run run;
    uint32_t bank;
    tile_watcher *watcher;
    void *context;
    uint64_t number;
    enum status status;
};

static void see(void *context, const struct bank *bank, const struct bank_event *event)
{
    struct watch *watch = context;
    if (bank->number != watch->bank || watch->run.tiles.shared.stop)
        return;
    const struct tile_step step = {++watch->number, event, bank};
    watch->status = watch->watcher(watch->context, &step);
    watch->run.tiles.shared.stop = watch->status;
}

static enum status check(const struct machine *machine, uint32_t bank,
                         struct diagnostics *diagnostics)
{
    const enum status status = tile_check_cache(machine, diagnostics);
    if (status || bank < machine->tile.cache.slices)
        return status;
    return diagnostics_error(diagnostics, STATUS_INVALID, "expected a bank from 0 to %llu, got %u",
                             (unsigned long long)machine->tile.cache.slices - 1, bank);
}

enum status tile_watch(const struct machine *machine, const struct tile_stream *stream,
                       uint32_t bank, tile_watcher *watcher, void *context,
                       const atomic_bool *cancel, bool *whole, struct diagnostics *diagnostics)
{
    struct watch watch = {.bank = bank, .watcher = watcher, .context = context};
    const struct tile_run_options options = {.saw = see, .context = &watch, .cancel = cancel};
    enum status status = check(machine, bank, diagnostics);
    if (!status)
        status = tile_run_open(&watch.run, machine, stream, &options, NULL, diagnostics);
    if (status)
        return status;
    status = tile_run_advance(&watch.run, UINT64_MAX, diagnostics);
    tile_run_close(&watch.run);
    *whole = !status && !watch.status;
    return watch.status && watch.status != STATUS_CANCELLED ? watch.status : status;
}

size_t tile_waiting_list(const struct bank *bank, struct tile_waiting *out)
{
    size_t count = 0;
    for (uint32_t i = 0; i < bank->chain_count; i++) {
        const struct bank_chain *chain = &bank->chains[i];
        for (uint32_t at = chain->head; at != BANK_NONE; at = bank->entries[at].next) {
            const struct bank_item *item = &bank->entries[at].item;
            out[count++] = (struct tile_waiting){.serial = item->serial,
                                                 .due = chain->due,
                                                 .entry = at,
                                                 .next = bank->entries[at].next,
                                                 .x = item->request.x,
                                                 .y = item->request.y,
                                                 .surface = item->request.surface,
                                                 .op = item->request.op,
                                                 .head = at == chain->head,
                                                 .running = bank->running == i,
                                                 .unread = chain->unread,
                                                 .behind = chain->behind};
        }
    }
    return count;
}
