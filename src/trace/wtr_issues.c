#include "trace/wtr_issues.h"

#include <stdlib.h>
#include <string.h>

/* The columns in file order. */
enum issue_column {
    COLUMN_ISSUED, /* for each span: runs, bank entries */
    COLUMN_RUNS,   /* for each run: length, code delta from the end of the run before, mask xor */
    COLUMN_PLACES, /* for each record: delta of its place from what its gap says */
    COLUMN_BANKS   /* for each access to shared memory: place delta, u8 cycles */
};

enum { BANKS = 32 };

size_t wtr_issues_bound(const struct wtr_chunk *chunk)
{
    return chunk->span_count * 2 * WTR_NUMBER32_MAX + chunk->run_count * 3 * WTR_NUMBER32_MAX +
           chunk->count * WTR_NUMBER_MAX + chunk->bank_count * (WTR_NUMBER32_MAX + 1);
}

static uint32_t span_runs(const struct wtr_chunk *chunk, size_t span)
{
    size_t end = span + 1 < chunk->span_count ? chunk->spans[span + 1].run : chunk->run_count;
    return (uint32_t)end - chunk->spans[span].run;
}

static uint32_t span_banks(const struct wtr_chunk *chunk, size_t span)
{
    size_t end = span + 1 < chunk->span_count ? chunk->spans[span + 1].bank : chunk->bank_count;
    return (uint32_t)end - chunk->spans[span].bank;
}

static uint8_t *encode_runs(const struct wtr_run *runs, uint32_t count, uint32_t *mask, uint8_t *at)
{
    uint32_t next = 0; /* the code after the run before */
    for (uint32_t i = 0; i < count; i++) {
        at = put_number(at, runs[i].count);
        at = put_signed(at, (uint64_t)runs[i].code - next);
        at = put_number(at, runs[i].mask ^ *mask);
        *mask = runs[i].mask;
        next = runs[i].code + runs[i].count;
    }
    return at;
}

/* What a record's gap says: so many instructions after the record before, or after the start. A
 * span that continues one in another chunk may have issued some of them there. */
static uint64_t expected_place(const struct wtr_chunk *chunk, size_t record, uint64_t next)
{
    return next + chunk->items[record].gap;
}

static uint8_t *encode_places(const struct wtr_chunk *chunk, const struct wtr_span *span,
                              uint8_t *at)
{
    uint64_t next = 0;
    for (size_t i = span->first; i < span->first + span->count; i++) {
        at = put_signed(at, chunk->places[i] - expected_place(chunk, i, next));
        next = (uint64_t)chunk->places[i] + 1;
    }
    return at;
}

static uint8_t *encode_banks(const struct wtr_bank *banks, uint32_t count, uint8_t *at)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < count; i++) {
        at = put_number(at, banks[i].place - next);
        *at++ = banks[i].cycles;
        next = banks[i].place + 1;
    }
    return at;
}

uint8_t *wtr_encode_issues(const struct wtr_chunk *chunk, int column, uint8_t *at)
{
    uint32_t mask = 0;
    for (size_t i = 0; i < chunk->span_count; i++) {
        const struct wtr_span *span = &chunk->spans[i];
        uint32_t runs = span_runs(chunk, i), banks = span_banks(chunk, i);
        switch ((enum issue_column)column) {
        case COLUMN_ISSUED:
            at = put_number(put_number(at, runs), banks);
            break;
        case COLUMN_RUNS:
            at = encode_runs(chunk->runs + span->run, runs, &mask, at);
            break;
        case COLUMN_PLACES:
            at = encode_places(chunk, span, at);
            break;
        case COLUMN_BANKS:
            at = encode_banks(chunk->banks + span->bank, banks, at);
            break;
        }
    }
    return at;
}

/* Reads how many runs and bank entries each span has, and allocates the arrays. */
static enum status decode_counts(struct wtr_cursor *cursor, struct wtr_chunk *chunk)
{
    uint64_t runs = 0, banks = 0;
    for (size_t i = 0; i < chunk->span_count; i++) {
        chunk->spans[i].run = (uint32_t)runs;
        chunk->spans[i].bank = (uint32_t)banks;
        runs += get_number32(cursor);
        banks += get_number32(cursor);
        if (cursor->bad || runs > WTR_RUNS_MAX || banks > WTR_BANKS_MAX)
            return STATUS_CORRUPT;
    }
    chunk->runs = malloc((runs + 1) * sizeof *chunk->runs);
    chunk->banks = malloc((banks + 1) * sizeof *chunk->banks);
    chunk->places = malloc((chunk->count + 1) * sizeof *chunk->places);
    if (!chunk->runs || !chunk->banks || !chunk->places)
        return STATUS_MEMORY;
    chunk->run_count = chunk->run_capacity = runs;
    chunk->bank_count = chunk->bank_capacity = banks;
    return STATUS_OK;
}

static bool decode_runs(struct wtr_cursor *cursor, const struct trace_code *code,
                        struct wtr_chunk *chunk)
{
    uint32_t mask = 0;
    uint64_t total = 0;
    for (size_t s = 0; s < chunk->span_count; s++) {
        struct wtr_run *runs = chunk->runs + chunk->spans[s].run;
        uint32_t count = span_runs(chunk, s), next = 0;
        uint64_t issued = 0;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t length = get_number32(cursor);
            uint64_t first = next + get_signed(cursor);
            mask ^= get_number32(cursor);
            if (cursor->bad || !length || first >= code->count || length > code->count - first)
                return false;
            runs[i] = (struct wtr_run){(uint32_t)first, mask, length};
            next = (uint32_t)first + length;
            issued += length;
        }
        total += issued;
        if (total > WTR_INSTRUCTIONS_MAX)
            return false;
        chunk->spans[s].issued = (uint32_t)issued;
    }
    return true;
}

/* Reads the places of a span's records, each of which must be an instruction that accesses memory,
 * with the record's mask. */
static bool decode_places(struct wtr_cursor *cursor, const struct trace_code *code,
                          struct wtr_chunk *chunk, const struct wtr_span *span)
{
    const struct wtr_run *run = chunk->runs + span->run;
    uint64_t next = 0, begin = 0; /* the place of the first instruction of `run` */
    for (uint32_t i = span->first; i < span->first + span->count; i++) {
        uint64_t place = expected_place(chunk, i, next) + get_signed(cursor);
        if (cursor->bad || place < next || place >= span->issued)
            return false;
        for (; place - begin >= run->count; run++)
            begin += run->count;
        const struct instruction *instruction = &code->items[run->code + (place - begin)];
        if (run->mask != chunk->items[i].mask || instruction->class != CLASS_MEMORY ||
            instruction->pc != chunk->items[i].pc)
            return false;
        chunk->places[i] = (uint32_t)place;
        next = place + 1;
    }
    return true;
}

static bool decode_banks(struct wtr_cursor *cursor, struct wtr_chunk *chunk, size_t s)
{
    struct wtr_bank *banks = chunk->banks + chunk->spans[s].bank;
    uint32_t count = span_banks(chunk, s);
    uint64_t next = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t place = next + get_number32(cursor);
        uint8_t cycles = get_byte(cursor);
        if (cursor->bad || place >= chunk->spans[s].issued || !cycles || cycles > BANKS)
            return false;
        banks[i] = (struct wtr_bank){(uint32_t)place, cycles};
        next = place + 1;
    }
    return true;
}

enum status wtr_decode_issues(struct wtr_cursor columns[WTR_ISSUE_COLUMNS],
                              const struct trace_code *code, struct wtr_chunk *chunk,
                              const char **what)
{
    *what = "it issues too many instructions";
    enum status status = decode_counts(&columns[COLUMN_ISSUED], chunk);
    if (status)
        return status;
    *what = "it issues instructions that its kernel does not have";
    if (!decode_runs(&columns[COLUMN_RUNS], code, chunk))
        return STATUS_CORRUPT;
    *what = "its instructions and its records disagree";
    for (size_t i = 0; i < chunk->span_count; i++)
        if (!decode_places(&columns[COLUMN_PLACES], code, chunk, &chunk->spans[i]) ||
            !decode_banks(&columns[COLUMN_BANKS], chunk, i))
            return STATUS_CORRUPT;
    for (int i = 0; i < WTR_ISSUE_COLUMNS; i++)
        if (columns[i].bad || columns[i].at != columns[i].end)
            return STATUS_CORRUPT;
    return STATUS_OK;
}

/* Marks what was copied of a span: its instructions from `begin` to position->issued. */
static void mark_issues(const struct wtr_chunk *chunk, const struct wtr_span *span, uint32_t begin,
                        struct wtr_issue_position *position, struct warp_instruction *items)
{
    const uint32_t *places = chunk->places + span->first;
    for (; position->record < span->count && places[position->record] < position->issued;
         position->record++)
        items[places[position->record] - begin].flags = ISSUE_RECORD;
    const size_t index = (size_t)(span - chunk->spans);
    const uint32_t end = span->bank + span_banks(chunk, index);
    for (; position->bank < end && chunk->banks[position->bank].place < position->issued;
         position->bank++)
        items[chunk->banks[position->bank].place - begin].banks =
            chunk->banks[position->bank].cycles;
}

bool wtr_copy_issues(const struct wtr_chunk *chunk, const struct wtr_span *span,
                     struct wtr_issue_position *position, struct instruction_window *window)
{
    const uint32_t begin = position->issued;
    uint32_t room = window->capacity;
    struct warp_instruction *at = window->items;
    if (room > span->issued - begin)
        room = span->issued - begin;
    window->count = room;
    position->issued += room;
    while (room) {
        const struct wtr_run *run = &chunk->runs[position->run];
        uint32_t count = run->count - position->within, code = run->code + position->within;
        if (count > room)
            count = room;
        for (uint32_t i = 0; i < count; i++)
            *at++ = (struct warp_instruction){.code = code + i, .mask = run->mask};
        room -= count;
        position->within += count;
        if (position->within == run->count) {
            position->within = 0;
            position->run++;
        }
    }
    mark_issues(chunk, span, begin, position, window->items);
    return position->issued < span->issued;
}
