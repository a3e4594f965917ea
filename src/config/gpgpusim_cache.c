#include "config/gpgpusim_cache.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"

/* The letter of each member of a family; '\0' if GPGPU-Sim does not have it. */
static const char replacement_letters[REPLACEMENT_COUNT] = {
    [REPLACEMENT_LRU] = 'L', [REPLACEMENT_FIFO] = 'F'};
static const char index_letters[INDEX_COUNT] = {
    [INDEX_MODULO] = 'L', [INDEX_XOR] = 'X', [INDEX_FERMI] = 'H', [INDEX_IPOLY] = 'P'};
static const char write_letters[] = {[WRITE_READ_ONLY] = 'R',
                                     [WRITE_BACK] = 'B',
                                     [WRITE_THROUGH] = 'T',
                                     [WRITE_EVICT] = 'E',
                                     [WRITE_LOCAL_BACK] = 'L'};
static const char allocate_letters[] = {
    [ALLOCATE_ON_MISS] = 'm', [ALLOCATE_ON_FILL] = 'f', [ALLOCATE_STREAMING] = 's'};
static const char write_allocate_letters[] = {[WRITE_ALLOCATE_NONE] = 'N',
                                              [WRITE_ALLOCATE_FETCH] = 'W',
                                              [WRITE_ALLOCATE_ON_WRITE] = 'F',
                                              [WRITE_ALLOCATE_LAZY] = 'L'};
static const char mshr_letters[] = {
    [MSHR_ASSOCIATIVE] = 'A', [MSHR_SECTOR] = 'S', [MSHR_FIFO] = 'F', [MSHR_SECTOR_FIFO] = 'T'};

enum { SECTOR = 32, SECTORS = 4 }; /* hard-coded in GPGPU-Sim's sectored caches */

__attribute__((format(printf, 2, 3))) static bool refuse(const struct cache_context *context,
                                                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    diagnostics_vadd(context->diagnostics, SEVERITY_ERROR, context->place, context->group, format,
                     arguments);
    va_end(arguments);
    return false;
}

/* Refuses what GPGPU-Sim asserts on or computes wrongly (gpu-cache.h, cache_config::init and
 * hash_function). */
static bool check(const struct cache_context *context, const struct cache_config *cache,
                  uint64_t sets)
{
    const bool ipoly = cache->index != INDEX_IPOLY || sets == 16 || sets == 32 || sets == 64;
    bool fine = true;
    if (!is_power_of_two(sets))
        fine = refuse(context,
                      "GPGPU-Sim masks the set index, so the sets must be a power of two, "
                      "not %" PRIu64,
                      sets);
    else if (cache->index == INDEX_FERMI && !index_holds(INDEX_FERMI, sets))
        fine = refuse(context,
                      "GPGPU-Sim's Fermi hash (H) asserts on %" PRIu64 " sets; it needs "
                      "32 or 64",
                      sets);
    else if (!ipoly && context->place && index_holds(INDEX_IPOLY, sets)) /* of a fork */
        diagnostics_add(context->diagnostics, SEVERITY_WARNING, context->place,
                        "%s: GPGPU-Sim's ipoly hash (P) asserts on %" PRIu64 " sets (it needs 16, "
                        "32 or 64); here the polynomial of that degree is taken",
                        context->group, sets);
    else if (!ipoly)
        fine = refuse(context,
                      "GPGPU-Sim's ipoly hash (P) asserts on %" PRIu64 " sets; it needs "
                      "16, 32 or 64",
                      sets);
    if (cache->sector != cache->line &&
        (cache->sector != SECTOR || cache->line != SECTOR * SECTORS))
        fine = refuse(context,
                      "a sectored cache (S) of GPGPU-Sim has lines of 4 sectors of 32B, "
                      "not %" PRIu64 "B of %" PRIu64 "B",
                      cache->line, cache->sector);
    bool on_fill = cache->allocate != ALLOCATE_ON_MISS;
    if (on_fill && cache->write == WRITE_BACK)
        fine = refuse(context,
                      "GPGPU-Sim asserts on write_back (B) with %s allocation: it could "
                      "deadlock",
                      cache->allocate == ALLOCATE_ON_FILL ? "on_fill (f)" : "streaming (s)");
    if (on_fill && (cache->write_allocate == WRITE_ALLOCATE_ON_WRITE ||
                    cache->write_allocate == WRITE_ALLOCATE_LAZY))
        fine = refuse(context, "GPGPU-Sim asserts on fetch_on_write (F) and lazy_fetch (L) with "
                               "anything but on_miss (m) allocation");
    if (cache->port && cache->line % cache->port)
        fine = refuse(context,
                      "the data port of %" PRIu64 "B does not divide the line of %" PRIu64 "B",
                      cache->port, cache->line);
    if (!strcmp(context->group, "l2") && cache->write == WRITE_THROUGH)
        fine = refuse(context, "GPGPU-Sim asserts on a write_through (T) L2");
    return fine;
}

/* ---- reading ---- */

struct fields {
    char type, replacement, write, allocate, write_allocate, index, mshr;
    uint64_t sets, line, ways, entries, merge, miss_queue, result_fifo, port;
    unsigned tail; /* how many fields follow the miss queue */
};

struct cursor {
    const struct cache_context *context;
    const char *text, *at;
    bool failed;
};

static void cursor_fail(struct cursor *cursor, const char *expected)
{
    if (!cursor->failed)
        refuse(cursor->context, "expected %s at character %zu of '%.80s'", expected,
               (size_t)(cursor->at - cursor->text) + 1, cursor->text);
    cursor->failed = true;
}

static void take_separator(struct cursor *cursor, char separator)
{
    char expected[4] = {'\'', separator, '\'', '\0'};
    if (cursor->failed || *cursor->at != separator)
        cursor_fail(cursor, expected);
    else
        cursor->at++;
}

static char take_letter(struct cursor *cursor)
{
    if (cursor->failed || !*cursor->at || strchr(":,", *cursor->at)) {
        cursor_fail(cursor, "a letter");
        return '\0';
    }
    return *cursor->at++;
}

static uint64_t take_number(struct cursor *cursor)
{
    char *end;
    if (cursor->failed || *cursor->at < '0' || *cursor->at > '9') {
        cursor_fail(cursor, "a number");
        return 0;
    }
    unsigned long long number = strtoull(cursor->at, &end, 10);
    if (number > UINT32_MAX)
        cursor_fail(cursor, "a number of 32 bits");
    cursor->at = end;
    return number;
}

/* GPGPU-Sim 3 wrote "32:128:4,L:L:m:N,A:32:8,8": caches with whole lines and a modulo index; and at
 * first "32:128:4:L:L:m,A:32:8,8", when no write miss allocated. */
static struct fields split(struct cursor *cursor)
{
    struct fields fields = {.type = 'N', .write_allocate = 'N', .index = 'L'};
    if (*cursor->at < '0' || *cursor->at > '9') {
        fields.type = take_letter(cursor);
        take_separator(cursor, ':');
    }
    fields.sets = take_number(cursor);
    take_separator(cursor, ':');
    fields.line = take_number(cursor);
    take_separator(cursor, ':');
    fields.ways = take_number(cursor);
    take_separator(cursor, *cursor->at == ':' ? ':' : ',');
    fields.replacement = take_letter(cursor);
    take_separator(cursor, ':');
    fields.write = take_letter(cursor);
    take_separator(cursor, ':');
    fields.allocate = take_letter(cursor);
    if (*cursor->at == ':') {
        cursor->at++;
        fields.write_allocate = take_letter(cursor);
    }
    if (*cursor->at == ':') {
        cursor->at++;
        fields.index = take_letter(cursor);
    }
    take_separator(cursor, ',');
    fields.mshr = take_letter(cursor);
    take_separator(cursor, ':');
    fields.entries = take_number(cursor);
    take_separator(cursor, ':');
    fields.merge = take_number(cursor);
    take_separator(cursor, ',');
    fields.miss_queue = take_number(cursor);
    if (!cursor->failed && *cursor->at == ':') {
        cursor->at++;
        fields.result_fifo = take_number(cursor);
        fields.tail = 1;
    }
    if (!cursor->failed && fields.tail && *cursor->at == ',') {
        cursor->at++;
        fields.port = take_number(cursor);
        fields.tail = 2;
    }
    if (!cursor->failed && *cursor->at)
        cursor_fail(cursor, "the end");
    return fields;
}

static bool set_letter(const struct cache_context *context, const char *what, char letter,
                       const char *letters, size_t count, int *choice)
{
    for (size_t i = 0; i < count; i++)
        if (letters[i] && letters[i] == letter) {
            *choice = (int)i;
            return true;
        }
    return refuse(context, "'%c' is no %s of GPGPU-Sim", letter, what);
}

/* Sets the parameter group.name; the range of the parameter applies. */
static bool set_number(const struct cache_context *context, struct machine *machine,
                       const char *name, uint64_t number)
{
    char path[64], text[QUANTITY_TEXT], why[VALUE_TEXT];
    snprintf(path, sizeof path, "%s.%s", context->group, name);
    const struct parameter *parameter = parameter_find(path);
    struct value value;
    if (!parameter)
        return refuse(context, "has no parameter %s", name);
    quantity_print_uint(number, parameter->unit, text);
    if (parameter_parse(parameter, text, &value, why))
        return refuse(context, "%s: %s", name, why);
    parameter_set(parameter, machine, value);
    return true;
}

static bool set_letters(const struct cache_context *context, const struct fields *fields,
                        struct cache_config *cache)
{
    if (fields->type != 'N' && fields->type != 'S')
        return refuse(context, "'%c' is no cache type of GPGPU-Sim: N has whole lines, S sectors",
                      fields->type);
    if (fields->index == 'C')
        return refuse(context, "GPGPU-Sim's custom index function (C) is a stub that always "
                               "returns set 0");
    bool fine = set_letter(context, "replacement policy", fields->replacement, replacement_letters,
                           sizeof replacement_letters, &cache->replacement);
    fine &= set_letter(context, "write policy", fields->write, write_letters, sizeof write_letters,
                       &cache->write);
    fine &= set_letter(context, "allocation policy", fields->allocate, allocate_letters,
                       sizeof allocate_letters, &cache->allocate);
    fine &=
        set_letter(context, "write-allocate policy", fields->write_allocate, write_allocate_letters,
                   sizeof write_allocate_letters, &cache->write_allocate);
    fine &= set_letter(context, "index function", fields->index, index_letters,
                       sizeof index_letters, &cache->index);
    fine &= set_letter(context, "MSHR kind", fields->mshr, mshr_letters, sizeof mshr_letters,
                       &cache->mshr.kind);
    bool fifo = fields->mshr == 'F' || fields->mshr == 'T';
    if (fifo && fields->tail != 1)
        fine = refuse(context, "MSHR kind %c needs exactly ':<fifo>' after the miss queue",
                      fields->mshr);
    return fine;
}

/* Splits the text and checks that sets, line and ways can be multiplied. */
static bool take_fields(const struct cache_context *context, const char *text,
                        struct fields *fields)
{
    struct cursor cursor = {context, text, text, false};
    *fields = split(&cursor);
    if (cursor.failed)
        return false;
    if (!fields->sets || !fields->line || !fields->ways)
        return refuse(context, "sets, line and ways must not be 0");
    if (fields->sets > 1u << 24 || fields->line > 1u << 16 || fields->ways > 1u << 16)
        return refuse(context, "more sets, bytes per line or ways than any cache has");
    return true;
}

bool cache_string_read(const struct cache_context *context, const char *text,
                       struct machine *machine)
{
    struct cache_config *cache = strcmp(context->group, "l2") ? &machine->l1d : &machine->l2;
    cache->enabled = strcmp(text, "none") != 0;
    if (!cache->enabled)
        return true;
    struct fields fields;
    if (!take_fields(context, text, &fields))
        return false;
    bool fine = set_letters(context, &fields, cache);
    fine &= set_number(context, machine, "line", fields.line);
    fine &= set_number(context, machine, "sector", fields.type == 'S' ? SECTOR : fields.line);
    fine &= set_number(context, machine, "ways", fields.ways);
    fine &= set_number(context, machine, "size", fields.sets * fields.line * fields.ways);
    fine &= set_number(context, machine, "mshr.entries", fields.entries);
    fine &= set_number(context, machine, "mshr.merge", fields.merge);
    fine &= set_number(context, machine, "miss_queue", fields.miss_queue);
    fine &= set_number(context, machine, "result_fifo", fields.result_fifo);
    fine &= set_number(context, machine, "port", fields.port);
    if (fine && fields.type == 'S' && fields.line == SECTOR)
        return refuse(context, "a sectored cache (S) of GPGPU-Sim has lines of 4 sectors of 32B");
    return fine && check(context, cache, fields.sets);
}

/* An instruction cache has whole lines, replaces the least recently used one and hashes nothing. */
bool instruction_string_read(const struct cache_context *context, const char *text,
                             struct machine *machine)
{
    struct fields fields;
    if (!take_fields(context, text, &fields))
        return false;
    if (fields.type != 'N' || fields.replacement != 'L' || fields.index != 'L')
        diagnostics_add(context->diagnostics, SEVERITY_WARNING, context->place,
                        "l1i: an instruction cache has whole lines, LRU and a linear index "
                        "(N:...,L:...:L) here, so its misses and cycles differ");
    bool fine = set_number(context, machine, "line", fields.line);
    fine &= set_number(context, machine, "ways", fields.ways);
    fine &= set_number(context, machine, "size", fields.sets * fields.line * fields.ways);
    fine &= set_number(context, machine, "mshr.entries", fields.entries);
    fine &= set_number(context, machine, "mshr.merge", fields.merge);
    return fine & set_number(context, machine, "miss_queue", fields.miss_queue);
}

/* ---- writing ---- */

bool cache_string_write(const struct cache_context *context, const struct machine *machine,
                        char text[CACHE_STRING])
{
    const struct cache_config *cache = strcmp(context->group, "l2") ? &machine->l1d : &machine->l2;
    if (!cache->enabled) {
        snprintf(text, CACHE_STRING, "none");
        return true;
    }
    bool fine = check(context, cache, cache_sets(cache));
    if (!replacement_letters[cache->replacement])
        fine = refuse(context, "GPGPU-Sim replaces by LRU or FIFO only");
    if (!index_letters[cache->index])
        fine =
            refuse(context, "GPGPU-Sim has no index function %s", index_facts[cache->index].name);
    bool fifo = mshr_traits[cache->mshr.kind] & MSHR_QUEUE;
    if (fifo && cache->port)
        fine = refuse(context, "GPGPU-Sim takes no port width with a FIFO of MSHRs");
    if (!fine)
        return false;
    int used = snprintf(
        text, CACHE_STRING,
        "%c:%" PRIu64 ":%" PRIu64 ":%" PRIu64 ",%c:%c:%c:%c:%c,%c:%" PRIu64 ":%" PRIu64 ",%" PRIu64,
        cache->sector == cache->line ? 'N' : 'S', cache_sets(cache), cache->line, cache->ways,
        replacement_letters[cache->replacement], write_letters[cache->write],
        allocate_letters[cache->allocate], write_allocate_letters[cache->write_allocate],
        index_letters[cache->index], mshr_letters[cache->mshr.kind], cache->mshr.entries,
        cache->mshr.merge, cache->miss_queue);
    if (fifo || cache->result_fifo || cache->port)
        used += snprintf(text + used, CACHE_STRING - (size_t)used, ":%" PRIu64, cache->result_fifo);
    if (cache->port)
        snprintf(text + used, CACHE_STRING - (size_t)used, ",%" PRIu64, cache->port);
    return true;
}

void instruction_string_write(const struct machine *machine, FILE *out)
{
    const struct instruction_cache_config *l1i = &machine->l1i;
    fprintf(out,
            "N:%" PRIu64 ":%" PRIu64 ":%" PRIu64 ",L:R:f:N:L,S:%" PRIu64 ":%" PRIu64 ",%" PRIu64,
            l1i->size / l1i->line / l1i->ways, l1i->line, l1i->ways, l1i->entries, l1i->merge,
            l1i->miss_queue);
}
