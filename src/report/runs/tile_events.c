#include "report/runs/tile_events.h"

_Static_assert(EVENT_tile_cleared + BANK_EMPTIED == EVENT_tile_empty,
               "the kinds of events follow those of banks");

static enum status put_step(void *context, const struct tile_step *step)
{
    const struct event_watch *watch = context;
    const struct bank_item *item = step->event->item;
    const struct timing_event event = {.cycle = step->event->cycle,
                                       .address = item ? item->request.address : 0,
                                       .id = item ? (uint32_t)item->serial : 0,
                                       .place = (uint16_t)step->bank->number,
                                       .slot = NO_SLOT,
                                       .bytes = item ? TILE_BYTES : 0,
                                       .kind = (uint8_t)(EVENT_tile_cleared + step->event->kind),
                                       .detail = EVENT_NO_DETAIL};
    watch->put(watch->context, &event, 1);
    return STATUS_OK;
}

enum status tile_events_watch(const struct machine *machine, const struct tile_stream *stream,
                              const struct event_watch *watch, const atomic_bool *cancel,
                              struct diagnostics *diagnostics)
{
    struct event_watch copy = *watch;
    bool whole;
    return tile_watch(machine, stream, TILE_EVERY_BANK, put_step, &copy, cancel, &whole,
                      diagnostics);
}
