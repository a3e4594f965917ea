#include "report/runs/event_text.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const subjects[] = {[SUBJECT_NONE] = NULL,
                                       [SUBJECT_ADDRESS] = "address",
                                       [SUBJECT_BLOCK] = "block",
                                       [SUBJECT_LAUNCH] = "launch",
                                       [SUBJECT_ROW] = "row"};

/* "SM 3", "slice 0", "channel 5", "the run". Returns `text`. */
static const char *event_place_print(enum event_part part, uint32_t place, char text[EVENT_TEXT])
{
    if (part == PART_GPU)
        snprintf(text, EVENT_TEXT, "the run");
    else
        snprintf(text, EVENT_TEXT, "%s %" PRIu32,
                 event_parts[part].in_sm ? "SM" : event_parts[part].place, place);
    return text;
}

/* The request of a tile cache that an event is about. */
static bool event_request(const struct timing_event *event, uint32_t *request)
{
    const struct event_kind_row *kind = &event_kinds[event->kind];
    *request = event->id;
    return kind->part == PART_TILE && kind->subject && event->kind != EVENT_tile_eviction &&
           event->id != UINT32_MAX; /* a prefetch has none */
}

const char *event_print(const struct timing_event *event, char text[EVENT_TEXT])
{
    const struct event_kind_row *kind = &event_kinds[event->kind];
    const char *detail = event_detail(event);
    uint32_t request;
    char place[EVENT_TEXT], slot[32] = "", subject[96] = "", more[64] = "", pc[32] = "";
    if (event->slot != NO_SLOT)
        snprintf(slot, sizeof slot, ", %s %u", event_in_sm(event) ? "warp" : "bank", event->slot);
    if (kind->subject == SUBJECT_ADDRESS)
        snprintf(subject, sizeof subject, " 0x%" PRIx64, event->address);
    else if (kind->subject)
        snprintf(subject, sizeof subject, " %s %" PRIu64, subjects[kind->subject], event->address);
    if (event_request(event, &request))
        snprintf(subject, sizeof subject, " 0x%" PRIx64 " by r%" PRIu32, event->address, request);
    if (detail && event->bytes)
        snprintf(more, sizeof more, " (%s, %u B)", detail, event->bytes);
    else if (detail)
        snprintf(more, sizeof more, " (%s)", detail);
    if (event->pc)
        snprintf(pc, sizeof pc, " at pc 0x%" PRIx32, event->pc);
    snprintf(text, EVENT_TEXT, "%.32s%s: %s%s%s%s",
             event_place_print(kind->part, event->place, place), slot, kind->name, subject, more,
             pc);
    return text;
}

json_t *address_json(uint64_t address)
{
    char text[32];
    snprintf(text, sizeof text, "0x%" PRIx64, address);
    return json_string(text);
}

json_t *event_json(const struct timing_event *event)
{
    const struct event_kind_row *kind = &event_kinds[event->kind];
    const bool sm = event_in_sm(event), tile = kind->part == PART_TILE,
               asked = !sm && !tile && kind->part != PART_GPU;
    const uint32_t asker = sm ? event->place : event->id;
    const char *subject = subjects[kind->subject];
    json_t *object = json_pack(
        "{s:I, s:s, s:s, s:i, s:o, s:o, s:o, s:i, s:s?}", "cycle", (json_int_t)event->cycle,
        "event", kind->name, "part", event_parts[kind->part].name, "place", (int)event->place, "sm",
        sm || asked ? json_integer(asker) : json_null(), "warp",
        sm && event->slot != NO_SLOT ? json_integer(event->slot) : json_null(), "pc",
        address_json(event->pc), "bytes", (int)event->bytes, "detail", event_detail(event));
    uint32_t request;
    if (object && tile)
        json_object_set_new(object, "request",
                            event_request(event, &request) ? json_integer(request) : json_null());
    if (!object || !subject)
        return object;
    json_t *value = kind->subject == SUBJECT_ADDRESS ? address_json(event->address)
                                                     : json_integer((json_int_t)event->address);
    if (json_object_set_new(object, subject, value)) {
        json_decref(object);
        return NULL;
    }
    return object;
}
