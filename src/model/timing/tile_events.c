#include "model/timing/tile_events.h"

#include "model/tile/tile.h"

_Static_assert(EVENT_tile_cleared + BANK_EMPTIED == EVENT_tile_empty,
               "the kinds of events follow those of banks");

void tile_events_see(void *context, const struct bank *bank, const struct bank_event *event)
{
    const struct event_watch *watch = context;
    const struct bank_item *item = event->item;
    const struct timing_event events[2] = {
        {.cycle = event->cycle,
         .address = item ? item->request.address : 0,
         .id = item ? (uint32_t)item->serial : 0,
         .place = (uint16_t)bank->number,
         .slot = NO_SLOT,
         .bytes = item ? TILE_BYTES : 0,
         .kind = (uint8_t)(EVENT_tile_cleared + event->kind),
         .detail = event->kind == BANK_STALLED ? (uint8_t)event->stall : EVENT_NO_DETAIL},
        {.cycle = event->cycle,
         .address = event->victim.address,
         .place = (uint16_t)bank->number,
         .slot = NO_SLOT,
         .bytes = TILE_BYTES,
         .kind = EVENT_tile_eviction,
         .detail = EVENT_NO_DETAIL}};
    watch->put(watch->context, events, event->victim.left ? 2 : 1);
}

enum status tile_events_watch(const struct machine *machine, const struct tile_stream *stream,
                              const struct event_watch *watch, const atomic_bool *cancel,
                              struct diagnostics *diagnostics)
{
    struct event_watch copy = *watch;
    const struct tile_run_options options = {
        .saw = tile_events_see, .context = &copy, .cancel = cancel};
    struct tile_run run;
    enum status status = tile_check_cache(machine, diagnostics);
    if (!status)
        status = tile_run_open(&run, machine, stream, &options, NULL, diagnostics);
    if (status)
        return status;
    status = tile_run_advance(&run, UINT64_MAX, diagnostics);
    tile_run_close(&run);
    return status;
}
