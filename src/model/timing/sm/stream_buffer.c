#include "model/timing/sm/stream_buffer.h"

#include <string.h>

enum { NUMBERS = INT32_MAX }; /* further ones begin anew, when none of these is under way */

enum status stream_buffer_init(struct stream_buffer *buffer, uint64_t depth, uint64_t entries,
                               uint32_t parts, uint64_t mask)
{
    *buffer = (struct stream_buffer){.depth = (uint32_t)depth, .parts = parts, .mask = mask};
    if (!depth)
        return STATUS_OK;
    arrays_add(&buffer->arrays, &buffer->lines, depth + entries, sizeof *buffer->lines);
    return buffer->lines ? STATUS_OK : STATUS_MEMORY;
}

void stream_buffer_free(struct stream_buffer *buffer)
{
    arrays_free(&buffer->arrays);
    *buffer = (struct stream_buffer){0};
}

bool stream_buffer_copy(struct stream_buffer *buffer)
{
    return arrays_copy(&buffer->arrays);
}

bool stream_buffer_miss(struct stream_buffer *buffer, uint64_t line, uint32_t entry)
{
    struct stream_line *head = &buffer->lines[buffer->taken];
    const bool found = buffer->taken < buffer->count && head->line == line;
    if (found) {
        head->entry = entry;
        buffer->taken++;
        buffer->counts.hits++;
    } else {
        buffer->count = buffer->taken;
        buffer->asked = buffer->asked < buffer->count ? buffer->asked : buffer->count;
    }
    uint64_t last = buffer->count > buffer->taken ? buffer->lines[buffer->count - 1].line : line;
    while (buffer->count - buffer->taken < buffer->depth) {
        last = (last + 1) & buffer->mask;
        buffer->lines[buffer->count++] =
            (struct stream_line){.line = last, .number = buffer->numbers, .missing = buffer->parts};
        buffer->numbers = buffer->numbers < NUMBERS ? buffer->numbers + 1 : 0;
    }
    return found;
}

void stream_buffer_asked(struct stream_buffer *buffer)
{
    buffer->asked++;
    buffer->counts.prefetches++;
}

void stream_buffer_arrived(struct stream_buffer *buffer, uint32_t number)
{
    for (uint32_t i = 0; i < buffer->asked; i++)
        if (buffer->lines[i].number == number) {
            buffer->lines[i].missing--;
            buffer->lines[i].here++;
            return;
        }
}

static void remove_line(struct stream_buffer *buffer, uint32_t at)
{
    buffer->count--;
    buffer->taken--;
    buffer->asked--;
    memmove(&buffer->lines[at], &buffer->lines[at + 1],
            (buffer->count - at) * sizeof *buffer->lines);
}

bool stream_buffer_give(struct stream_buffer *buffer, uint32_t *entry)
{
    for (uint32_t i = 0; i < buffer->taken; i++) {
        struct stream_line *line = &buffer->lines[i];
        if (!line->here)
            continue;
        *entry = line->entry;
        line->here--;
        if (!line->here && !line->missing)
            remove_line(buffer, i);
        return true;
    }
    return false;
}
