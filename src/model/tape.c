#include "model/tape.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { CHUNK_REQUESTS = 1 << 16 };

struct event { /* a launch, or the next `count` requests */
    const struct trace_launch *launch;
    size_t count;
};

/* A batch lies in one chunk, so that it can be given on as it is. */
struct chunk {
    struct request *items;
    size_t count, capacity;
};

struct tape {
    struct chunk *chunks;
    struct event *events;
    size_t chunk_count, chunk_capacity, event_count, event_capacity;
    uint64_t requests, bytes, limit;
    uint32_t instructions;
    bool given_up;
};

struct tape *tape_create(uint64_t limit)
{
    struct tape *tape = calloc(1, sizeof *tape);
    if (tape)
        tape->limit = limit;
    return tape;
}

static void empty(struct tape *tape)
{
    for (size_t i = 0; i < tape->chunk_count; i++)
        free(tape->chunks[i].items);
    free(tape->chunks);
    free(tape->events);
    *tape = (struct tape){.limit = tape->limit};
}

void tape_free(struct tape *tape)
{
    if (!tape)
        return;
    empty(tape);
    free(tape);
}

static void give_up(struct tape *tape)
{
    empty(tape);
    tape->given_up = true;
}

static bool add_event(struct tape *tape, struct event event)
{
    if (tape->given_up)
        return false;
    if (array_reserve(&tape->events, &tape->event_capacity, tape->event_count + 1)) {
        give_up(tape);
        return false;
    }
    tape->events[tape->event_count++] = event;
    return true;
}

void tape_launch(struct tape *tape, const struct trace_launch *launch)
{
    add_event(tape, (struct event){.launch = launch});
}

/* A chunk with room for `count` more, or NULL. */
static struct chunk *chunk_for(struct tape *tape, size_t count)
{
    struct chunk *last = tape->chunk_count ? &tape->chunks[tape->chunk_count - 1] : NULL;
    if (last && last->capacity - last->count >= count)
        return last;
    struct chunk chunk = {.capacity = count > CHUNK_REQUESTS ? count : CHUNK_REQUESTS};
    uint64_t size = chunk.capacity * sizeof *chunk.items;
    if (size > tape->limit - tape->bytes ||
        array_reserve(&tape->chunks, &tape->chunk_capacity, tape->chunk_count + 1))
        return NULL;
    chunk.items = malloc(size);
    if (!chunk.items)
        return NULL;
    tape->bytes += size;
    tape->chunks[tape->chunk_count] = chunk;
    return &tape->chunks[tape->chunk_count++];
}

void tape_append(struct tape *tape, const struct request *requests, size_t count)
{
    if (!count || !add_event(tape, (struct event){.count = count}))
        return;
    struct chunk *chunk = chunk_for(tape, count);
    if (!chunk) {
        give_up(tape);
        return;
    }
    memcpy(chunk->items + chunk->count, requests, count * sizeof *requests);
    chunk->count += count;
    tape->requests += count;
}

void tape_issued(struct tape *tape, uint32_t instructions)
{
    tape->instructions = instructions;
}

uint32_t tape_instructions(const struct tape *tape)
{
    return tape->instructions;
}

bool tape_whole(const struct tape *tape)
{
    return !tape->given_up;
}

uint64_t tape_requests(const struct tape *tape)
{
    return tape->requests;
}

uint64_t tape_bytes(const struct tape *tape)
{
    return tape->bytes + tape->event_capacity * sizeof *tape->events;
}

enum status tape_play(const struct tape *tape, const struct issue_sink *sink)
{
    const struct chunk *chunk = tape->chunks;
    struct issue_counts counts = {0};
    enum status status = STATUS_OK;
    size_t at = 0;
    for (size_t i = 0; i < tape->event_count && !status; i++) {
        const struct event *event = &tape->events[i];
        if (event->launch) {
            status = sink->launch(sink->argument, event->launch);
            continue;
        }
        if (at + event->count > chunk->count) {
            chunk++;
            at = 0;
        }
        status = sink->requests(sink->argument, chunk->items + at, event->count);
        at += event->count;
        counts.transactions += event->count;
        if (!status)
            status = sink->progress(sink->argument, &counts);
    }
    return status;
}
