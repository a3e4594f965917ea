#include "model/lru/stack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/key_table.h"
#include "model/cache/geometry.h"
#include "model/lru/stack_list.h"
#include "schema/parameters.h"

enum { WORD = 64, BLOCK_WORDS = 64, BLOCK = WORD * BLOCK_WORDS };

#define NO_LINE UINT64_MAX /* above every line number */
#define NO_TIME UINT32_MAX

/* The lines of a set by the time of their last use. When all `times` are used up, the lines are
 * renumbered without gaps, and those beyond the most ways are forgotten. The arrays follow each
 * other in one allocation. */
struct recency_order {
    uint32_t now, live;             /* now: next time; live: lines and holes in the list */
    uint64_t *lines;                /* [times]: line used at that time */
    uint64_t *words;                /* one bit per time: it is the last use of its line */
    uint32_t *block_counts;         /* bits set in BLOCK_WORDS words */
    uint8_t *word_counts;           /* bits set in a word */
    uint64_t *holes;                /* bits of `words` that are holes; only if stores evict */
    uint32_t hole_count, hole_word; /* no later word has a hole */
    uint32_t *slots;                /* base/key_table.h: finds times by their lines */
};

struct stack_pass {
    struct geometry geometry;
    int write;
    bool evicts;
    unsigned instances, options;
    uint32_t ways, times, slot_bits;
    /* Few ways: lists, [instances][sets][places], in `memory` from calloc, so that unused sets take
     * none. */
    unsigned places;
    uint64_t *lists;
    void *memory;
    stack_list_use *use_list;
    /* More ways: [instances][sets], created at their set's first use. */
    struct recency_order **orders;
    uint64_t *counts[2]; /* [ways + 1] by place, of loads and of stores; the last: not found */
};

static bool store_brings(const struct cache_config *config)
{
    return write_allocate_traits[config->write_allocate] & WRITE_ALLOCATE_BRINGS;
}

bool stack_evicts(const struct cache_config *config)
{
    return write_traits[config->write] & WRITE_DROPS && !store_brings(config);
}

bool stack_applies(const struct cache_config *config)
{
    if (!cache_keeps_recency(config) || config->sector != config->line)
        return false;
    const unsigned write = write_traits[config->write];
    if (!(write & WRITE_TAKES) || stack_evicts(config))
        return true;
    /* If stores only touch the lines that they find, the lists depend on the ways. A lazily
     * allocated line may be present and still miss. */
    return !(write & WRITE_DROPS) && store_brings(config) &&
           !(write_allocate_traits[config->write_allocate] & WRITE_ALLOCATE_PARTIAL);
}

static size_t block_count(const struct stack_pass *pass)
{
    return (pass->times + BLOCK - 1) / BLOCK;
}

static void order_clear(const struct stack_pass *pass, struct recency_order *order)
{
    order->now = order->live = 0;
    memset(order->words, 0, pass->times / WORD * sizeof *order->words);
    memset(order->word_counts, 0, pass->times / WORD);
    memset(order->block_counts, 0, block_count(pass) * sizeof *order->block_counts);
    memset(order->slots, 0, sizeof *order->slots << pass->slot_bits);
    if (pass->evicts)
        memset(order->holes, 0, pass->times / WORD * sizeof *order->holes);
    order->hole_count = order->hole_word = 0;
}

static struct recency_order *order_create(const struct stack_pass *pass)
{
    size_t words = pass->times / WORD, blocks = block_count(pass);
    struct recency_order *order =
        malloc(sizeof *order + (pass->times + 2 * words) * sizeof(uint64_t) +
               (blocks + (UINT64_C(1) << pass->slot_bits)) * sizeof(uint32_t) + words);
    if (!order)
        return NULL;
    order->lines = (uint64_t *)(order + 1);
    order->words = order->lines + pass->times;
    order->holes = order->words + words;
    order->block_counts = (uint32_t *)(order->holes + words);
    order->slots = order->block_counts + blocks;
    order->word_counts = (uint8_t *)(order->slots + (UINT64_C(1) << pass->slot_bits));
    order_clear(pass, order);
    return order;
}

/* The slot that refers to the time at which `line` was last used, or the free slot for it. */
static inline uint32_t *order_slot(const struct stack_pass *pass, const struct recency_order *order,
                                   uint64_t line)
{
    return key_slot(order->slots, pass->slot_bits, order->lines, line);
}

static inline void order_mark(struct recency_order *order, uint32_t time)
{
    order->words[time / WORD] |= UINT64_C(1) << (time % WORD);
    order->word_counts[time / WORD]++;
    order->block_counts[time / BLOCK]++;
    order->live++;
}

static inline void order_unmark(struct recency_order *order, uint32_t time)
{
    order->words[time / WORD] &= ~(UINT64_C(1) << (time % WORD));
    order->word_counts[time / WORD]--;
    order->block_counts[time / BLOCK]--;
    order->live--;
}

/* The number of lines used after `time`. */
static inline uint32_t order_newer(const struct recency_order *order, uint32_t time)
{
    uint32_t word = time / WORD, last = (order->now - 1) / WORD, block = time / BLOCK;
    uint32_t end = (block + 1) * BLOCK_WORDS;
    uint64_t above = order->words[word] >> (time % WORD) >> 1;
    uint32_t count = (uint32_t)__builtin_popcountll(above);
    if (end > last + 1)
        end = last + 1;
    for (uint32_t w = word + 1; w < end; w++)
        count += order->word_counts[w];
    for (uint32_t b = block + 1; b <= last / BLOCK_WORDS; b++)
        count += order->block_counts[b];
    return count;
}

/* Turns the line at `time` into a hole. */
static void order_make_hole(struct recency_order *order, uint32_t time)
{
    order->lines[time] = NO_LINE;
    order->holes[time / WORD] |= UINT64_C(1) << (time % WORD);
    order->hole_count++;
    if (order->hole_word < time / WORD)
        order->hole_word = time / WORD;
}

/* The time of the most recent hole; there must be one. */
static uint32_t order_last_hole(struct recency_order *order)
{
    while (!order->holes[order->hole_word])
        order->hole_word--;
    return order->hole_word * WORD + log2_floor(order->holes[order->hole_word]);
}

/* Frees the place up to which a line that moves to the front pushes the others: the most recent
 * hole, or the line's own place at `time` (NO_TIME: it has none). */
static void order_make_room(struct recency_order *order, uint32_t time)
{
    uint32_t hole = order->hole_count ? order_last_hole(order) : NO_TIME;
    if (hole != NO_TIME && (time == NO_TIME || hole > time)) {
        order->holes[hole / WORD] &= ~(UINT64_C(1) << (hole % WORD));
        order->hole_count--;
        order_unmark(order, hole);
        if (time != NO_TIME)
            order_make_hole(order, time);
    } else if (time != NO_TIME) {
        order_unmark(order, time);
    }
}

/* Renumbers the lines that caches can hold to times 0, 1, 2, ..., to make room for more uses. */
static void order_compact(const struct stack_pass *pass, struct recency_order *order)
{
    uint32_t drop = order->live > pass->ways ? order->live - pass->ways : 0, kept = 0;
    uint32_t words = pass->times / WORD;
    for (uint32_t w = 0; w < words; w++)
        for (uint64_t left = order->words[w]; left; left &= left - 1) {
            uint64_t line = order->lines[w * WORD + (uint32_t)__builtin_ctzll(left)];
            if (drop)
                drop--;
            else
                order->lines[kept++] = line;
        }
    order_clear(pass, order);
    for (; order->now < kept; order->now++) {
        order_mark(order, order->now);
        if (order->lines[order->now] == NO_LINE)
            order_make_hole(order, order->now);
        else
            *order_slot(pass, order, order->lines[order->now]) = order->now + 1;
    }
}

/* Makes a line the most recent one; returns the place it was at, or pass->ways if it was not below
 * that. */
static inline uint32_t order_use(const struct stack_pass *pass, struct recency_order *order,
                                 uint64_t line)
{
    if (order->now && order->lines[order->now - 1] == line)
        return 0;
    if (order->now == pass->times)
        order_compact(pass, order);
    uint32_t *slot = order_slot(pass, order, line), place = pass->ways;
    if (*slot) {
        uint32_t newer = order_newer(order, *slot - 1);
        place = newer < place ? newer : place;
    }
    order_make_room(order, *slot ? *slot - 1 : NO_TIME);
    order->lines[order->now] = line;
    order_mark(order, order->now);
    *slot = ++order->now;
    return place;
}

/* Drops a line; returns the place it was at, or pass->ways if it was not below that. */
static uint32_t order_drop(const struct stack_pass *pass, struct recency_order *order,
                           uint64_t line)
{
    const uint32_t *slot = order_slot(pass, order, line);
    if (!*slot)
        return pass->ways;
    uint32_t time = *slot - 1, newer = order_newer(order, time);
    order_make_hole(order, time);
    return newer < pass->ways ? newer : pass->ways;
}

static enum status allocate_sets(struct stack_pass *pass)
{
    enum { ALIGNMENT = 64 };
    size_t sets = pass->geometry.sets * pass->instances;
    if (pass->ways > STACK_LIST_MAX) {
        pass->orders = calloc(sets, sizeof *pass->orders);
        return pass->orders ? STATUS_OK : STATUS_MEMORY;
    }
    pass->places = (pass->ways + STACK_LIST_STEP - 1) / STACK_LIST_STEP * STACK_LIST_STEP;
    pass->use_list = pass->options & STACK_PORTABLE ? stack_list_plain : stack_list_best();
    pass->memory = calloc(sets * pass->places * sizeof *pass->lists + ALIGNMENT, 1);
    uintptr_t aligned = ((uintptr_t)pass->memory + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (pass->memory)
        pass->lists = (uint64_t *)aligned;
    return pass->memory ? STATUS_OK : STATUS_MEMORY;
}

enum status stack_create(const struct cache_config *config, uint64_t ways, unsigned instances,
                         unsigned options, struct stack_pass **result)
{
    *result = NULL;
    if (!stack_applies(config) || ways > STACK_WAYS_MAX)
        return STATUS_UNSUPPORTED;
    struct stack_pass *pass = calloc(1, sizeof *pass);
    if (!pass)
        return STATUS_MEMORY;
    enum status status = geometry_init(&pass->geometry, config);
    if (!status && (!instances || instances > UINT16_MAX + 1 || !ways))
        status = STATUS_INVALID;
    pass->write = config->write;
    pass->evicts = stack_evicts(config);
    pass->instances = instances;
    pass->options = options;
    pass->ways = (uint32_t)ways;
    if (!status) {
        /* After a renumbering, at least half of the times are free. */
        pass->times = ways < WORD ? 2 * WORD : 4U << log2_floor(ways);
        pass->slot_bits = log2_floor(pass->times) + 1;
        pass->counts[0] = calloc(2 * (ways + 1), sizeof *pass->counts[0]);
        status = pass->counts[0] ? allocate_sets(pass) : STATUS_MEMORY;
    }
    if (status) {
        stack_free(pass);
        return status;
    }
    pass->counts[1] = pass->counts[0] + ways + 1;
    *result = pass;
    return STATUS_OK;
}

void stack_free(struct stack_pass *pass)
{
    if (!pass)
        return;
    for (size_t i = 0; pass->orders && i < pass->geometry.sets * pass->instances; i++)
        free(pass->orders[i]);
    free(pass->orders);
    free(pass->memory);
    free(pass->counts[0]);
    free(pass);
}

/* *place: the line's place in its set, or pass->ways if it was not below that. */
static inline enum status use_line(struct stack_pass *pass, size_t set, uint64_t line, bool drops,
                                   uint32_t *place)
{
    if (pass->lists) {
        uint64_t *list = pass->lists + set * pass->places;
        if (list[0] == line + 1 && !drops)
            *place = 0;
        else
            *place = pass->use_list(list, pass->places, line + 1, drops);
        if (*place > pass->ways)
            *place = pass->ways;
        return STATUS_OK;
    }
    if (!pass->orders[set] && !(pass->orders[set] = order_create(pass)))
        return STATUS_MEMORY;
    *place = drops ? order_drop(pass, pass->orders[set], line)
                   : order_use(pass, pass->orders[set], line);
    return STATUS_OK;
}

static enum status use_lines(struct stack_pass *pass, const struct request *request, uint64_t line,
                             uint64_t last)
{
    const struct geometry *geometry = &pass->geometry;
    const bool store = request_writes(request), drops = store && pass->evicts;
    uint64_t *counts = pass->counts[store];
    if (drops && (request->op != OP_STORE ||
                  (pass->write == WRITE_LOCAL_BACK && request->space == SPACE_LOCAL)))
        return STATUS_UNSUPPORTED;
    do {
        size_t set = request->instance * geometry->sets +
                     geometry_set(geometry, geometry->index.function, line);
        uint32_t place = 0;
        enum status status = use_line(pass, set, line, drops, &place);
        if (status)
            return status;
        counts[place]++;
    } while (line++ < last);
    return STATUS_OK;
}

enum status stack_run(struct stack_pass *pass, const struct request *requests, size_t count)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++) {
        const struct request *request = &requests[i];
        uint64_t line, last;
        if (!geometry_sectors(&pass->geometry, request, &line, &last) ||
            request->instance >= pass->instances)
            return STATUS_INVALID;
        if (!cache_passes(pass->write, pass->options, request))
            status = use_lines(pass, request, line, last);
    }
    return status;
}

void stack_flush(struct stack_pass *pass)
{
    size_t sets = pass->geometry.sets * pass->instances;
    if (pass->lists)
        memset(pass->lists, 0, sets * pass->places * sizeof *pass->lists);
    for (size_t i = 0; pass->orders && i < sets; i++)
        if (pass->orders[i])
            order_clear(pass, pass->orders[i]);
}

void stack_read_counts(const struct stack_pass *pass, uint64_t ways, struct cache_counts *counts)
{
    uint64_t all[2] = {0}, misses[2] = {0};
    assert(ways >= 1 && ways <= pass->ways);
    for (unsigned writes = 0; writes < 2; writes++)
        for (uint64_t place = 0; place <= pass->ways; place++) {
            all[writes] += pass->counts[writes][place];
            misses[writes] += place >= ways ? pass->counts[writes][place] : 0;
        }
    *counts = (struct cache_counts){.reads = all[0],
                                    .writes = all[1],
                                    .accesses = all[0] + all[1],
                                    .read_misses = misses[0],
                                    .write_misses = misses[1],
                                    .misses = misses[0] + misses[1]};
}
