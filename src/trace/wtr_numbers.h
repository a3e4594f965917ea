/* Numbers in the columns of a .wtr chunk: LEB128, signed ones zigzag-encoded first. Writing needs
 * room (WTR_NUMBER_MAX bytes a number); reading takes any bytes and remembers whether they were
 * numbers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { WTR_NUMBER_MAX = 10, WTR_NUMBER32_MAX = 5 };

static inline uint8_t *put_number(uint8_t *at, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *at++ = (uint8_t)(value | 0x80);
    *at++ = (uint8_t)value;
    return at;
}

static inline uint8_t *put_signed(uint8_t *at, uint64_t delta)
{
    return put_number(at, delta << 1 ^ (uint64_t)((int64_t)delta >> 63));
}

/* A position in a column. `bad` stays set once a number was truncated or too long. */
struct wtr_cursor {
    const uint8_t *at, *end;
    bool bad;
};

static inline uint64_t get_number(struct wtr_cursor *cursor)
{
    /* Most numbers are deltas below 128. */
    if (cursor->at < cursor->end && *cursor->at < 0x80)
        return *cursor->at++;
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && cursor->at < cursor->end; shift += 7) {
        uint8_t byte = *cursor->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    cursor->bad = true;
    return 0;
}

static inline uint32_t get_number32(struct wtr_cursor *cursor)
{
    uint64_t value = get_number(cursor);
    cursor->bad |= value > UINT32_MAX;
    return (uint32_t)value;
}

static inline uint64_t signed_of(uint64_t number)
{
    return number >> 1 ^ (0 - (number & 1));
}

static inline uint64_t get_signed(struct wtr_cursor *cursor)
{
    return signed_of(get_number(cursor));
}

/* Whether the next eight numbers are of one byte each. */
static inline bool cursor_short(const struct wtr_cursor *cursor)
{
    uint64_t next;
    if (cursor->end - cursor->at < (ptrdiff_t)sizeof next)
        return false;
    memcpy(&next, cursor->at, sizeof next);
    return !(next & UINT64_C(0x8080808080808080));
}

static inline uint8_t get_byte(struct wtr_cursor *cursor)
{
    if (cursor->at < cursor->end)
        return *cursor->at++;
    cursor->bad = true;
    return 0;
}
