#include "report/runs/tile_steps.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool tile_step_returns(const struct bank_event *event)
{
    return event->first && !event->unread;
}

bool tile_step_misses(const struct bank_event *event)
{
    return event->kind == BANK_BEGUN || event->kind == BANK_JOINED;
}

const char *tile_step_name(const struct bank_event *event)
{
    static const char *const names[] = {
        [BANK_CLEARED] = "clear",     [BANK_HIT] = "hit",         [BANK_BEGUN] = "miss",
        [BANK_JOINED] = "joins",      [BANK_STALLED] = "waits",   [BANK_FORWARDED] = "forwards",
        [BANK_WRITTEN] = "written",   [BANK_FILLED] = "refill",   [BANK_EXECUTED] = "executes",
        [BANK_READ_AGAIN] = "reread", [BANK_EMPTIED] = "emptied", [BANK_PREFETCHED] = "prefetch",
    };
    return names[event->kind];
}

const char *tile_serial_print(uint64_t serial, char text[TILE_SERIAL_TEXT])
{
    if (serial == BANK_AHEAD)
        snprintf(text, TILE_SERIAL_TEXT, "ahead");
    else
        snprintf(text, TILE_SERIAL_TEXT, "r%" PRIu64, serial);
    return text;
}

const char *tile_line_print(const struct tile_stream *stream, uint32_t surface, uint32_t x,
                            uint32_t y, char text[TILE_LINE_TEXT])
{
    snprintf(text, TILE_LINE_TEXT, "%s %u,%u", stream->surfaces[surface].name, x, y);
    return text;
}

/* The line at an address. */
static const char *print_address(const struct tile_stream *stream, uint64_t address,
                                 char text[TILE_LINE_TEXT])
{
    text[0] = '\0';
    for (uint32_t i = 0; i < stream->surface_count; i++) {
        const struct tile_surface *surface = &stream->surfaces[i];
        const uint64_t line = (address - surface->base) / TILE_BYTES;
        const uint32_t columns = tile_columns(surface);
        if (address >= surface->base && line < tile_lines(surface))
            tile_line_print(stream, i, (uint32_t)(line % columns), (uint32_t)(line / columns),
                            text);
    }
    return text;
}

struct words {
    char *text;
    size_t used;
};

static void tile_say(struct words *words, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void tile_say(struct words *words, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length =
        vsnprintf(words->text + words->used, TILE_STEP_TEXT - words->used, format, arguments);
    va_end(arguments);
    words->used += length > 0 ? (size_t)length : 0;
    words->used = words->used < TILE_STEP_TEXT ? words->used : TILE_STEP_TEXT - 1;
}

/* "; depth 3,1 has to leave and is written to memory". */
static void say_victim(struct words *words, const struct bank_event *event,
                       const struct tile_stream *stream)
{
    char line[TILE_LINE_TEXT];
    if (event->victim.left)
        tile_say(words, "; %s has to leave%s", print_address(stream, event->victim.address, line),
                 event->victim.dirty ? " and is written to memory" : ", unchanged");
}

static void say_begun(struct words *words, const struct bank_event *event)
{
    tile_say(words, ": it begins a chain in entry %" PRIu32, event->entry);
    if (event->unread)
        tile_say(words, "; no read, since it needs no data of its line");
    else
        tile_say(words, ", which reads its line; data in %" PRIu64 " cycles",
                 event->due - event->cycle);
    if (event->behind)
        tile_say(words, "; an older entry of its line goes first");
}

static void say_stalled(struct words *words, enum bank_stall cause)
{
    static const char *const causes[BANK_STALLS] = {
        [BANK_STALL_QUEUE] = "misses, and the queue has no free entry for its line",
        [BANK_STALL_MISS] = "must not pass the miss that is outstanding",
        [BANK_STALL_WRITEBACK] = "cannot be looked up: a result of the queue takes the ports",
        [BANK_STALL_EXECUTE] = "hits, but an entry of the queue is being executed",
    };
    tile_say(words, " waits: it %s", causes[cause]);
}

static void say_forwarded(struct words *words, const struct bank_event *event)
{
    if (bank_item_is_ahead(event->item)) {
        tile_say(words, " has returned; its data go on to entry %" PRIu32, event->other);
        return;
    }
    tile_say(words, " executes on %s; its result goes on to entry %" PRIu32 ", nothing is written",
             event->unread  ? "no old data"
             : event->first ? "the data that have returned"
                            : "what the entry before left",
             event->other);
}

static void say_written(struct words *words, const struct bank_event *event)
{
    if (bank_item_is_ahead(event->item)) {
        tile_say(words,
                 " has returned before anyone asked for it: the line is written into tags and "
                 "data");
        return;
    }
    tile_say(
        words,
        " executes%s, the %s of its chain: its line is written into tags and data, in place of a "
        "look-up",
        tile_step_returns(event) ? " on the data that have returned" : "",
        event->first ? "only one" : "last");
}

const char *tile_step_explain(const struct bank_event *event, const struct tile_stream *stream,
                              char text[TILE_STEP_TEXT])
{
    struct words words = {text, 0};
    char line[TILE_LINE_TEXT];
    text[0] = '\0';
    if (event->kind == BANK_EMPTIED) {
        tile_say(&words, "the pass has ended: every changed line is in memory, the cache is empty");
        return text;
    }
    const struct tile_request *request = &event->item->request;
    tile_line_print(stream, request->surface, request->x, request->y, line);
    char serial[TILE_SERIAL_TEXT];
    const bool ahead = bank_item_is_ahead(event->item);
    tile_say(&words, "%s", ahead ? line : tile_serial_print(event->item->serial, serial));
    switch (event->kind) {
    case BANK_CLEARED:
        tile_say(&words, " changes nothing of %s, which is clear: the clear bits answer", line);
        break;
    case BANK_HIT:
        tile_say(&words, " hits %s: %s", line,
                 tile_changes_line(request) ? "executed, and written in the cache"
                                            : "executed, nothing changes");
        break;
    case BANK_BEGUN:
        tile_say(&words, " misses %s", line);
        say_begun(&words, event);
        break;
    case BANK_JOINED:
        tile_say(&words,
                 " misses %s, which is waited for: entry %" PRIu32
                 " is the tail of its chain now, after entry %" PRIu32 "; no read",
                 line, event->entry, event->other);
        break;
    case BANK_PREFETCHED:
        tile_say(&words,
                 " is read ahead, while no request is looked up: entry %" PRIu32
                 " waits for it; data in %" PRIu64 " cycles",
                 event->entry, event->due - event->cycle);
        break;
    case BANK_STALLED:
        tile_say(&words, " (%s)", line);
        say_stalled(&words, event->stall);
        break;
    case BANK_FORWARDED:
        say_forwarded(&words, event);
        break;
    case BANK_WRITTEN:
        say_written(&words, event);
        say_victim(&words, event, stream);
        break;
    case BANK_FILLED:
        if (ahead)
            tile_say(&words, " has returned and is written into the cache");
        else
            tile_say(&words, ": %s %s, before it executes there", line,
                     event->unread ? "gets a place in the cache"
                                   : "has returned and is written into the cache");
        say_victim(&words, event, stream);
        break;
    case BANK_EXECUTED:
        tile_say(&words, " executes in the cache%s",
                 event->other == BANK_NONE ? ", the last that waited for its line" : "");
        break;
    case BANK_READ_AGAIN:
        tile_say(&words,
                 ": what the entry before it left of %s is in memory again, and is read once "
                 "more",
                 line);
        break;
    case BANK_EMPTIED:
        break;
    }
    return text;
}

const char tile_waiting_headings[] = "entry request line             next data";

const char *tile_waiting_print(const struct tile_waiting *waiting, const struct tile_stream *stream,
                               uint64_t now, char text[TILE_WAITING_TEXT])
{
    char line[TILE_LINE_TEXT], serial[TILE_SERIAL_TEXT], next[16] = "-", data[32] = "";
    tile_line_print(stream, waiting->surface, waiting->x, waiting->y, line);
    if (waiting->next != BANK_NONE)
        snprintf(next, sizeof next, "%" PRIu32, waiting->next);
    if (waiting->head && waiting->running)
        snprintf(data, sizeof data, "executes");
    else if (waiting->head && waiting->behind)
        snprintf(data, sizeof data, "waits");
    else if (waiting->head && waiting->due > now)
        snprintf(data, sizeof data, "in %" PRIu64, waiting->due - now);
    else if (waiting->head)
        snprintf(data, sizeof data, "here");
    snprintf(text, TILE_WAITING_TEXT, "%c%c%3" PRIu32 " %7s %-16s %4s%s%s",
             waiting->head ? 'H' : ' ', waiting->next == BANK_NONE ? 'T' : ' ', waiting->entry,
             tile_serial_print(waiting->serial, serial) + (waiting->serial != BANK_AHEAD), line,
             next, *data ? " " : "", data);
    return text;
}
