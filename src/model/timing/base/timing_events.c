#include "model/timing/base/timing_events.h"

#include <string.h>

#include "base/memory.h"
#include "model/timing/base/packet.h"
#include "schema/machine.h"
#include "schema/stages.h"

const struct event_kind_row event_kinds[EVENT_KINDS] = {
#define EVENT_ROW(name, part, subject, help) {#name, PART_##part, SUBJECT_##subject, help},
    EVENT_LIST(EVENT_ROW)
#undef EVENT_ROW
};

const struct event_part_row event_parts[EVENT_PARTS] = {
#define EVENT_PART_ROW(id, name, place) {name, place, sizeof(place) == sizeof "sm"},
    EVENT_PART_LIST(EVENT_PART_ROW)
#undef EVENT_PART_ROW
};

bool event_in_sm(const struct timing_event *event)
{
    return event_parts[event_kinds[event->kind].part].in_sm;
}

bool event_row(const struct timing_event *event, uint32_t *unit, uint32_t *row)
{
    const bool tile = event_kinds[event->kind].part == PART_TILE;
    *unit = tile ? 0 : event->place;
    *row = tile ? event->place : event->slot;
    return tile || event_in_sm(event);
}

uint64_t event_places(const struct machine *machine, enum event_part part)
{
    if (machine_has(machine, STAGE_TILE))
        return part == PART_TILE ? machine->tile.cache.slices : 0;
    const uint64_t counts[EVENT_PARTS] = {[PART_GPU] = 1,
                                          [PART_L2] = machine->l2.slices,
                                          [PART_MMU] = machine->walker.count,
                                          [PART_DRAM] =
                                              machine->l2.slices / machine->l2.slices_per_channel};
    return event_parts[part].in_sm ? machine->gpu.sms : counts[part];
}

/* Behind the name of a cache: "miss"; NULL: not of a cache. */
static const char *event_short_name(unsigned kind)
{
    const enum event_part part = event_kinds[kind].part;
    const char *rest = strchr(event_kinds[kind].name, '_');
    const bool cache = part == PART_L1D || part == PART_L2 || part == PART_TILE;
    return cache && rest ? rest + 1 : NULL;
}

uint64_t event_kinds_named(const char *word, size_t length)
{
    uint64_t kinds = 0;
    for (unsigned i = 0; i < EVENT_KINDS; i++) {
        const char *name = event_kinds[i].name, *rest = event_short_name(i);
        const bool whole = (strlen(name) == length && !strncmp(name, word, length)) ||
                           (length == 3 && !strncmp("any", word, length));
        if (whole || (rest && strlen(rest) == length && !strncmp(rest, word, length)))
            kinds |= UINT64_C(1) << i;
    }
    return kinds;
}

const char *event_suggestion(const char *word, size_t length, char text[SUGGESTION_TEXT])
{
    const char *names[2 * EVENT_KINDS];
    char whole[SUGGESTION_TEXT];
    size_t count = 0;
    for (unsigned i = 0; i < EVENT_KINDS; i++) {
        names[count++] = event_kinds[i].name;
        if (event_short_name(i))
            names[count++] = event_short_name(i);
    }
    snprintf(whole, sizeof whole, "%.*s", (int)(length < sizeof whole ? length : 0), word);
    return suggestion(nearest_name(whole, names, count), text);
}

const char *event_detail(const struct timing_event *event)
{
    static const char *const requests[] = {[PACKET_READ] = "read",
                                           [PACKET_WRITE] = "write",
                                           [PACKET_ATOMIC] = "atomic",
                                           [PACKET_WRITEBACK] = "write-back",
                                           [PACKET_FETCH] = "fetch"};
    static const char *const refusals[] = {"no line", "miss queue full", "no MSHR",
                                           "no place in the MSHR", "a store waits"};
    static const char *const stalls[] = {NULL, "miss queue full", "a miss is outstanding",
                                         "a result takes the ports", "an entry is executed"};
    const bool refused = event->kind == EVENT_l1d_refusal || event->kind == EVENT_l2_refusal,
               tile = event->kind == EVENT_tile_refusal;
    const char *const *names = refused ? refusals : tile ? stalls : requests;
    const size_t count = refused ? sizeof refusals / sizeof *refusals
                         : tile  ? sizeof stalls / sizeof *stalls
                                 : sizeof requests / sizeof *requests;
    return event->detail < count ? names[event->detail] : NULL;
}

void event_log_put(struct event_log *log, const struct timing_event *event)
{
    if (log->failed || array_reserve(&log->items, &log->capacity, log->count + 1)) {
        log->failed = true;
        return;
    }
    log->items[log->count++] = *event;
}
