#include "model/tile/bank.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NEVER UINT64_MAX

void bank_limits(struct bank_shared *shared, const struct tile_config *config)
{
    const unsigned traits = tile_queue_traits[config->queue.kind];
    shared->config = config;
    shared->traits = traits;
    shared->fifo = (uint32_t)config->fifo;
    shared->chains = traits & TILE_ENTRIES ? (uint32_t)config->queue.entries : 1;
    shared->merge = traits & TILE_MERGES  ? (uint32_t)config->queue.merge
                    : traits & TILE_JOINS ? shared->chains
                                          : 1;
    shared->entries = traits & TILE_MERGES ? shared->chains * shared->merge : shared->chains;
    shared->reads_all =
        !(write_allocate_traits[config->cache.write_allocate] & WRITE_ALLOCATE_LATE);
}

enum status bank_init(struct bank *bank, const struct bank_shared *shared, uint32_t number)
{
    const size_t fifo = shared->fifo, entries = shared->entries;
    *bank = (struct bank){.number = number, .running = BANK_NONE, .next_due = NEVER};
    bank->fifo = calloc(fifo, sizeof *bank->fifo);
    bank->entries = calloc(entries, sizeof *bank->entries);
    bank->chains = calloc(shared->chains, sizeof *bank->chains);
    bool built = bank->fifo && bank->entries && bank->chains;
    if (shared->data) {
        bank->fifo_values = calloc(fifo, sizeof *bank->fifo_values);
        bank->values = calloc(entries, sizeof *bank->values);
        bank->lines = calloc(entries, sizeof *bank->lines);
        built = built && bank->fifo_values && bank->values && bank->lines;
    }
    if (!built) {
        bank_free(bank);
        return STATUS_MEMORY;
    }
    for (uint32_t i = 0; i < entries; i++)
        bank->entries[i].next = i + 1 < entries ? i + 1 : BANK_NONE;
    return STATUS_OK;
}

void bank_free(struct bank *bank)
{
    free(bank->fifo);
    free(bank->fifo_values);
    free(bank->entries);
    free(bank->values);
    free(bank->lines);
    free(bank->chains);
    *bank = (struct bank){0};
}

enum status bank_copy(struct bank *bank, const struct bank_shared *shared, const struct bank *from)
{
    struct bank made;
    assert(!shared->data);
    const enum status status = bank_init(&made, shared, from->number);
    if (status)
        return status;
    memcpy(made.fifo, from->fifo, shared->fifo * sizeof *made.fifo);
    memcpy(made.entries, from->entries, shared->entries * sizeof *made.entries);
    memcpy(made.chains, from->chains, from->chain_count * sizeof *made.chains);
    *bank = *from;
    bank->fifo = made.fifo;
    bank->entries = made.entries;
    bank->chains = made.chains;
    return STATUS_OK;
}

void bank_put(struct bank *bank, const struct bank_shared *shared, const struct bank_item *item,
              const uint32_t *values)
{
    uint32_t place = bank->fifo_first + bank->fifo_count++;
    place -= place >= shared->fifo ? shared->fifo : 0;
    bank->fifo[place] = *item;
    if (bank->fifo_values)
        memcpy(bank->fifo_values[place], values, sizeof *bank->fifo_values);
}

/* ---- what happens to a line -------------------------------------------------------------------
 */

/* Fills in when, and tells whoever looks on. */
static void tell(const struct bank *bank, const struct bank_shared *shared, uint64_t now,
                 struct bank_event event)
{
    event.cycle = now;
    if (shared->saw)
        shared->saw(shared->context, bank, &event);
}

/* Executes a request on `line`, which is NULL without data. A prefetch changes nothing. */
static void execute(struct bank_shared *shared, const struct bank_item *item,
                    const uint32_t *values, uint32_t *line)
{
    if (bank_item_is_ahead(item))
        return;
    if (line && tile_execute(&item->request, values, line) != item->request.passed)
        shared->wrong++;
    if (shared->done)
        shared->done(shared->context, item->serial);
}

/* Puts a line into the tags, and what had to leave into memory. Returns its slot. */
static uint32_t put_line(struct bank *bank, struct bank_shared *shared,
                         const struct bank_chain *chain, uint64_t now, struct tags_victim *victim)
{
    const uint32_t slot =
        tags_fill(&shared->tags, bank->number, chain->line, chain->address, victim);
    bank->counts.tag_updates++;
    if (!victim->dirty)
        return slot;
    bank->counts.writebacks++;
    bus_write(&shared->bus, victim->address, now);
    if (shared->data)
        memcpy(tile_memory_line(&shared->memory, victim->address), shared->data[slot],
               sizeof *shared->data);
    return slot;
}

static void read_line(struct bank *bank, struct bank_shared *shared, struct bank_chain *chain,
                      uint64_t now)
{
    const struct tile_request *request = &bank->entries[chain->head].item.request;
    chain->due = bus_read(&shared->bus, chain->address, now);
    if (shared->maps)
        tile_maps_add(shared->maps, request, TILE_COUNT_READS, 1);
    if (shared->data)
        memcpy(bank->lines[chain->head], tile_memory_line(&shared->memory, chain->address),
               sizeof *bank->lines);
}

/* ---- the queue --------------------------------------------------------------------------------
 */

/* Which parts of the bank the queue used in a cycle. */
enum { USED_EXECUTE = 1 << 0, USED_PORTS = 1 << 1 };

/* When the first chain that may run has its data. */
static void find_next_due(struct bank *bank)
{
    bank->next_due = NEVER;
    for (uint32_t i = 0; i < bank->chain_count; i++)
        if (!bank->chains[i].behind && bank->chains[i].due < bank->next_due)
            bank->next_due = bank->chains[i].due;
}

/* The chain whose data came first, the older of two; BANK_NONE: none has them. */
static uint32_t choose_chain(const struct bank *bank, uint64_t now)
{
    if (bank->next_due > now)
        return BANK_NONE;
    for (uint32_t i = 0; i < bank->chain_count; i++)
        if (!bank->chains[i].behind && bank->chains[i].due == bank->next_due)
            return i;
    return BANK_NONE;
}

static uint32_t find_chain(const struct bank *bank, uint64_t line)
{
    for (uint32_t i = 0; i < bank->chain_count; i++)
        if (bank->chains[i].line == line)
            return i;
    return BANK_NONE;
}

static void end_chain(struct bank *bank, struct bank_shared *shared)
{
    const struct bank_chain *chain = &bank->chains[bank->running];
    const uint64_t line = chain->line;
    const uint32_t requests = chain->length - chain->ahead;
    if (requests > bank->counts.longest)
        bank->counts.longest = requests;
    bank->chain_count--;
    memmove(&bank->chains[bank->running], &bank->chains[bank->running + 1],
            (bank->chain_count - bank->running) * sizeof *bank->chains);
    bank->running = BANK_NONE;
    if (!(shared->traits & TILE_JOINS)) {
        const uint32_t next = find_chain(bank, line);
        if (next != BANK_NONE)
            bank->chains[next].behind = false;
    }
    find_next_due(bank);
}

static void free_head(struct bank *bank, struct bank_chain *chain)
{
    const uint32_t head = chain->head;
    chain->head = bank->entries[head].next;
    bank->entries[head].next = bank->free_entry;
    bank->free_entry = head;
    bank->used--;
    chain->waiting--;
}

/* The last result of a chain enters the cache. */
static void write_back(struct bank *bank, struct bank_shared *shared,
                       const struct bank_chain *chain, uint64_t now, struct tags_victim *victim)
{
    const uint32_t slot = put_line(bank, shared, chain, now, victim);
    shared->tags.dirty[slot] = chain->changed;
    bank->counts.cache_writes++;
    if (shared->data && bank->lines)
        memcpy(shared->data[slot], bank->lines[chain->head], sizeof *shared->data);
}

/* Executes the head of a chain on the line that it holds. */
static unsigned execute_forward(struct bank *bank, struct bank_shared *shared, uint64_t now)
{
    struct bank_chain *chain = &bank->chains[bank->running];
    const uint32_t head = chain->head;
    const struct bank_entry *entry = &bank->entries[head];
    uint32_t *line = shared->data ? bank->lines[head] : NULL;
    execute(shared, &entry->item, shared->data ? bank->values[head] : NULL, line);
    chain->changed |= tile_changes_line(&entry->item.request);
    struct bank_event event = {.kind = BANK_FORWARDED,
                               .item = &entry->item,
                               .entry = head,
                               .other = entry->next,
                               .first = chain->waiting == chain->length,
                               .unread = chain->unread};
    if (entry->next != BANK_NONE) {
        if (line)
            memcpy(bank->lines[entry->next], line, sizeof *bank->lines);
        free_head(bank, chain);
        tell(bank, shared, now, event);
        return USED_EXECUTE;
    }
    struct tags_victim victim;
    write_back(bank, shared, chain, now, &victim);
    free_head(bank, chain);
    end_chain(bank, shared);
    event.kind = BANK_WRITTEN;
    event.victim = victim;
    tell(bank, shared, now, event);
    return USED_EXECUTE | USED_PORTS;
}

/* The same in the cache, where the line is by now. */
static void execute_in_cache(struct bank *bank, struct bank_shared *shared, uint32_t slot,
                             uint64_t now)
{
    struct bank_chain *chain = &bank->chains[bank->running];
    const struct bank_entry *entry = &bank->entries[chain->head];
    const struct bank_event event = {
        .kind = BANK_EXECUTED, .item = &entry->item, .entry = chain->head, .other = entry->next};
    const bool changes = tile_changes_line(&entry->item.request);
    execute(shared, &entry->item, shared->data ? bank->values[chain->head] : NULL,
            shared->data ? shared->data[slot] : NULL);
    shared->tags.dirty[slot] |= changes;
    bank->counts.cache_writes += changes;
    const bool last = entry->next == BANK_NONE;
    free_head(bank, chain);
    if (last)
        end_chain(bank, shared);
    tell(bank, shared, now, event);
}

/* Returned data enter the cache, and the requests that waited are executed there. Both have ports
 * of their own; a blocking bank needs none, because it looks nothing up meanwhile. A prefetch has
 * done its work then. */
static unsigned step_refilled(struct bank *bank, struct bank_shared *shared, uint64_t now)
{
    struct bank_chain *chain = &bank->chains[bank->running];
    if (chain->refilled) {
        execute_in_cache(bank, shared, chain->slot, now);
        return USED_EXECUTE;
    }
    const struct bank_entry *entry = &bank->entries[chain->head];
    struct bank_event event = {.kind = BANK_FILLED,
                               .item = &entry->item,
                               .entry = chain->head,
                               .other = entry->next,
                               .first = true,
                               .unread = chain->unread};
    chain->slot = put_line(bank, shared, chain, now, &event.victim);
    chain->refilled = true;
    bank->counts.refills += !chain->unread;
    if (shared->data && bank->lines)
        memcpy(shared->data[chain->slot], bank->lines[chain->head], sizeof *shared->data);
    if (bank_item_is_ahead(&entry->item)) {
        free_head(bank, chain);
        if (event.other == BANK_NONE)
            end_chain(bank, shared);
    }
    tell(bank, shared, now, event);
    return 0;
}

/* A request that began after another of its line finds what that one left: in the cache, or, if it
 * had to leave, in memory, from where it is read once more. */
static unsigned step_stale(struct bank *bank, struct bank_shared *shared, uint64_t now)
{
    struct bank_chain *chain = &bank->chains[bank->running];
    const uint32_t slot = tags_find(&shared->tags, bank->number, chain->line);
    if (slot != TAGS_NONE) {
        tags_hit(&shared->tags, slot);
        bank->counts.tag_updates++;
        if (!tile_changes_line(&bank->entries[chain->head].item.request))
            bank->counts.cache_writes++; /* every entry writes its line back */
        execute_in_cache(bank, shared, slot, now);
        return USED_EXECUTE | USED_PORTS;
    }
    chain->stale = false;
    read_line(bank, shared, chain, now);
    bank->running = BANK_NONE;
    find_next_due(bank);
    tell(bank, shared, now,
         (struct bank_event){.kind = BANK_READ_AGAIN,
                             .item = &bank->entries[chain->head].item,
                             .entry = chain->head,
                             .other = BANK_NONE,
                             .due = chain->due});
    return USED_PORTS;
}

static unsigned step_queue(struct bank *bank, struct bank_shared *shared, uint64_t now)
{
    if (bank->running == BANK_NONE)
        bank->running = choose_chain(bank, now);
    if (bank->running == BANK_NONE)
        return 0;
    bank->moved = true;
    if (shared->traits & TILE_REFILLS)
        return step_refilled(bank, shared, now);
    if (bank->chains[bank->running].stale)
        return step_stale(bank, shared, now);
    return execute_forward(bank, shared, now);
}

/* ---- the look-up ------------------------------------------------------------------------------
 */

static void pop(struct bank *bank, const struct bank_shared *shared)
{
    bank->fifo_count--;
    if (++bank->fifo_first == shared->fifo)
        bank->fifo_first = 0;
    bank->moved = true;
}

static uint32_t claim_entry(struct bank *bank, const struct bank_item *item)
{
    const uint32_t number = bank->free_entry;
    struct bank_entry *entry = &bank->entries[number];
    bank->free_entry = entry->next;
    bank->used++;
    *entry = (struct bank_entry){.item = *item, .next = BANK_NONE};
    return number;
}

/* Moves the first request of the FIFO into an entry. */
static uint32_t take_entry(struct bank *bank, const struct bank_shared *shared)
{
    const uint32_t number = claim_entry(bank, &bank->fifo[bank->fifo_first]);
    if (shared->data)
        memcpy(bank->values[number], bank->fifo_values[bank->fifo_first], sizeof *bank->values);
    pop(bank, shared);
    return number;
}

static void count_miss(struct bank *bank, const struct bank_shared *shared,
                       const struct tile_request *request, uint32_t length)
{
    bank->counts.accesses++;
    bank->counts.misses++;
    if (!shared->maps)
        return;
    const struct tile_maps *maps = shared->maps;
    uint32_t *longest = &maps->counts[TILE_COUNT_CHAIN][tile_maps_place(maps, request->surface,
                                                                        request->x, request->y)];
    tile_maps_add(maps, request, TILE_COUNT_MISSES, 1);
    *longest = *longest < length ? length : *longest;
}

static enum bank_stall join_chain(struct bank *bank, const struct bank_shared *shared,
                                  uint32_t index, uint64_t now)
{
    struct bank_chain *chain = &bank->chains[index];
    if (chain->waiting >= shared->merge || bank->free_entry == BANK_NONE)
        return BANK_STALL_QUEUE;
    const uint32_t entry = take_entry(bank, shared), before = chain->tail;
    bank->entries[before].next = entry;
    chain->tail = entry;
    chain->waiting++;
    bank->counts.chains +=
        chain->ahead && chain->length == 1; /* the first that asks for the line */
    chain->length++;
    bank->counts.chained++;
    count_miss(bank, shared, &bank->entries[entry].item.request, chain->length - chain->ahead);
    tell(bank, shared, now,
         (struct bank_event){.kind = BANK_JOINED,
                             .item = &bank->entries[entry].item,
                             .entry = entry,
                             .other = before});
    return BANK_RUNS;
}

static struct bank_chain *add_chain(struct bank *bank, uint32_t entry, uint64_t due)
{
    const struct bank_item *item = &bank->entries[entry].item;
    struct bank_chain *chain = &bank->chains[bank->chain_count++];
    *chain = (struct bank_chain){.line = item->line,
                                 .address = item->request.address,
                                 .due = due,
                                 .head = entry,
                                 .tail = entry,
                                 .length = 1,
                                 .waiting = 1,
                                 .ahead = bank_item_is_ahead(item)};
    return chain;
}

/* `behind`: an older chain of the line exists; `present`: the cache has it. */
static enum bank_stall begin_chain(struct bank *bank, struct bank_shared *shared, bool behind,
                                   bool present, uint64_t now)
{
    if (bank->chain_count == shared->chains || bank->free_entry == BANK_NONE)
        return BANK_STALL_QUEUE;
    const uint32_t entry = take_entry(bank, shared);
    const struct bank_item *item = &bank->entries[entry].item;
    const bool cleared = item->request.flags & TILE_CLEARED;
    struct bank_chain *chain = add_chain(bank, entry, now + 1);
    chain->behind = chain->stale = behind;
    bank->counts.chains++;
    count_miss(bank, shared, &item->request, 1);
    if (!present && (shared->reads_all || (tile_needs_line(&item->request) && !cleared))) {
        read_line(bank, shared, chain, now);
        bank->ahead = item->request;
        bank->ahead_left = (uint32_t)shared->config->prefetch;
    } else {
        chain->unread = true;
        bank->counts.unread += !present;
        if (shared->data) /* a cleared line; what a whole one held does not matter */
            memcpy(bank->lines[entry], tile_memory_line(&shared->memory, chain->address),
                   sizeof *bank->lines);
    }
    if (!behind && chain->due < bank->next_due)
        bank->next_due = chain->due;
    tell(bank, shared, now,
         (struct bank_event){.kind = BANK_BEGUN,
                             .item = item,
                             .entry = entry,
                             .other = BANK_NONE,
                             .due = chain->due,
                             .unread = chain->unread,
                             .behind = behind});
    return BANK_RUNS;
}

static void execute_hit(struct bank *bank, struct bank_shared *shared, uint32_t slot, uint64_t now)
{
    const uint32_t first = bank->fifo_first;
    const struct bank_item *item = &bank->fifo[first];
    const bool changes = tile_changes_line(&item->request);
    tags_hit(&shared->tags, slot);
    execute(shared, item, shared->data ? bank->fifo_values[first] : NULL,
            shared->data ? shared->data[slot] : NULL);
    shared->tags.dirty[slot] |= changes;
    bank->counts.cache_writes += changes;
    bank->counts.accesses++;
    pop(bank, shared);
    tell(bank, shared, now, (struct bank_event){BANK_HIT, .item = item, .entry = BANK_NONE});
}

/* A test of a cleared line that changes nothing needs neither cache nor memory. */
static void execute_cleared(struct bank *bank, struct bank_shared *shared, uint64_t now)
{
    const uint32_t first = bank->fifo_first;
    const struct bank_item *item = &bank->fifo[first];
    uint32_t line[TILE_VALUES];
    if (shared->data)
        memcpy(line, tile_memory_line(&shared->memory, item->request.address), sizeof line);
    execute(shared, item, shared->data ? bank->fifo_values[first] : NULL,
            shared->data ? line : NULL);
    bank->counts.cleared++;
    pop(bank, shared);
    tell(bank, shared, now, (struct bank_event){BANK_CLEARED, .item = item, .entry = BANK_NONE});
}

/* Looks up the next line that is to be read ahead, in place of a request. */
static void read_ahead(struct bank *bank, struct bank_shared *shared, uint64_t now)
{
    if (!bank->ahead_left || bank->chain_count + 1 >= shared->chains ||
        bank->used + 1 >= shared->entries)
        return;
    const struct tile_surface *surface = &shared->surfaces[bank->ahead.surface];
    bank->moved = true;
    bank->ahead.passed = 0;
    bank->ahead_left--;
    if (!screen_next(shared->screen, surface, &bank->ahead)) {
        bank->ahead_left = 0;
        return;
    }
    const struct bank_item item = {bank->ahead, screen_line(shared->screen, &bank->ahead),
                                   BANK_AHEAD};
    if (find_chain(bank, item.line) != BANK_NONE ||
        tags_find(&shared->tags, bank->number, item.line) != TAGS_NONE)
        return;
    const uint32_t entry = claim_entry(bank, &item);
    struct bank_chain *chain = add_chain(bank, entry, NEVER);
    bank->counts.prefetches++;
    read_line(bank, shared, chain, now);
    if (chain->due < bank->next_due)
        bank->next_due = chain->due;
    tell(bank, shared, now,
         (struct bank_event){.kind = BANK_PREFETCHED,
                             .item = &bank->entries[entry].item,
                             .entry = entry,
                             .other = BANK_NONE,
                             .due = chain->due});
}

static enum bank_stall bank_look_up(struct bank *bank, struct bank_shared *shared, unsigned used,
                                    uint64_t now)
{
    const struct bank_item *item = &bank->fifo[bank->fifo_first];
    if (!bank->fifo_count) {
        if (!(used & USED_PORTS))
            read_ahead(bank, shared, now);
        return BANK_RUNS;
    }
    if (used & USED_PORTS)
        return BANK_STALL_WRITEBACK;
    if (shared->traits & TILE_BLOCKS && bank->chain_count)
        return BANK_STALL_MISS;
    if (tile_is_settled(&item->request)) {
        if (used & USED_EXECUTE)
            return BANK_STALL_EXECUTE;
        execute_cleared(bank, shared, now);
        return BANK_RUNS;
    }
    const uint32_t chain = bank->chain_count ? find_chain(bank, item->line) : BANK_NONE;
    if (chain != BANK_NONE && shared->traits & TILE_JOINS)
        return join_chain(bank, shared, chain, now);
    const uint32_t slot = tags_find(&shared->tags, bank->number, item->line);
    if (chain != BANK_NONE || slot == TAGS_NONE)
        return begin_chain(bank, shared, chain != BANK_NONE, slot != TAGS_NONE, now);
    if (used & USED_EXECUTE)
        return BANK_STALL_EXECUTE;
    execute_hit(bank, shared, slot, now);
    return BANK_RUNS;
}

void bank_stalled(struct bank *bank, const struct bank_shared *shared, uint64_t cycles)
{
    bank->counts.stalls[bank->stall] += cycles;
    if (bank->stall && shared->maps)
        tile_maps_add(shared->maps, &bank->fifo[bank->fifo_first].request, TILE_COUNT_STALLS,
                      cycles);
}

/* Once for a cause and request. */
static void tell_stall(struct bank *bank, const struct bank_shared *shared, uint64_t now)
{
    const struct bank_item *item = &bank->fifo[bank->fifo_first];
    if (bank->waited == item->serial + 1 && bank->cause == bank->stall)
        return;
    bank->waited = item->serial + 1;
    bank->cause = bank->stall;
    tell(bank, shared, now,
         (struct bank_event){
             .kind = BANK_STALLED, .stall = bank->stall, .item = item, .entry = BANK_NONE});
}

void bank_step(struct bank *bank, struct bank_shared *shared, uint64_t now)
{
    bank->moved = false;
    const unsigned used = bank->chain_count ? step_queue(bank, shared, now) : 0;
    bank->stall = bank_look_up(bank, shared, shared->free_ports ? 0 : used, now);
    bank_stalled(bank, shared, 1);
    if (bank->stall)
        tell_stall(bank, shared, now);
}
