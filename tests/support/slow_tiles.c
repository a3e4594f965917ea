#include "support/slow_tiles.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { WAITING_MAX = 70000 };

struct waiting { /* a request in a bank's queue, in the order of arrival */
    uint64_t line;
    const struct tile_request *request;
    bool first; /* it began its chain: `due` and what follows are the chain's */
    bool stale, unread, refilled, ahead;
    uint64_t due, length;
    bool changed;
};

struct slow_bank {
    const struct tile_request **fifo; /* [fifo], the first at 0 */
    uint64_t fifo_count;
    struct waiting *queue;
    uint64_t waiting;
    int64_t runs; /* index of the first request of the running chain, or -1 */
    struct tile_request
        ahead; /* the line read last, of those to read ahead, and how many are left */
    uint64_t ahead_left;
};

struct slow {
    const struct machine *machine;
    unsigned traits;
    bool free_ports, even; /* ideals */
    struct tags tags;
    struct bus bus;
    struct screen screen;
    struct slow_bank banks[SCREEN_BANKS_MAX];
    uint64_t now;
    const struct tile_surface *surfaces;
    struct tile_request **made; /* prefetches, until the run ends */
    uint64_t *occupancy;
    struct slow_tiles counts;
};

static void put_line(struct slow *slow, uint32_t bank, const struct waiting *what, bool dirty)
{
    struct tags_victim victim;
    const uint32_t slot = tags_fill(&slow->tags, bank, what->line, what->request->address, &victim);
    slow->tags.dirty[slot] = dirty;
    slow->counts.tag_updates++;
    if (victim.dirty) {
        slow->counts.writebacks++;
        bus_write(&slow->bus, victim.address, slow->now);
    }
}

static void leave(struct slow_bank *bank, uint64_t at)
{
    bank->waiting--;
    for (uint64_t i = at; i < bank->waiting; i++)
        bank->queue[i] = bank->queue[i + 1];
}

/* The next request of the same line, which belongs to the same chain if there are chains. */
static struct waiting *follower(struct slow_bank *bank, uint64_t at)
{
    for (uint64_t i = at + 1; i < bank->waiting; i++)
        if (bank->queue[i].line == bank->queue[at].line)
            return &bank->queue[i];
    return NULL;
}

static bool has_older(const struct slow_bank *bank, uint64_t at)
{
    for (uint64_t i = 0; i < at; i++)
        if (bank->queue[i].line == bank->queue[at].line)
            return true;
    return false;
}

static uint64_t chains(const struct slow_bank *bank)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < bank->waiting; i++)
        count += bank->queue[i].first;
    return count;
}

static int64_t choose(const struct slow *slow, const struct slow_bank *bank)
{
    int64_t best = -1;
    for (uint64_t i = 0; i < bank->waiting; i++) {
        const struct waiting *one = &bank->queue[i];
        if (one->first && one->due <= slow->now && !has_older(bank, i) &&
            (best < 0 || one->due < bank->queue[best].due))
            best = (int64_t)i;
    }
    return best;
}

/* Executes the running request; the next of its chain inherits the chain, and runs on. */
static void finish_request(struct slow *slow, struct slow_bank *bank, bool joins)
{
    struct waiting *one = &bank->queue[bank->runs], *next = follower(bank, (uint64_t)bank->runs);
    if (!joins || !next) {
        slow->counts.longest =
            one->length > slow->counts.longest ? one->length : slow->counts.longest;
        leave(bank, (uint64_t)bank->runs);
        bank->runs = -1;
        return;
    }
    /* The chain keeps its place among the others, which its age decides: swap the requests. */
    const struct tile_request *request = next->request;
    one->request = request;
    one->ahead = false;
    leave(bank, (uint64_t)(next - bank->queue));
}

/* What the queue of a bank does in a cycle: whether it executes and whether it takes the ports.
 * Returns whether it does anything. */
static bool step_queue(struct slow *slow, uint32_t number, bool *executes, bool *ports)
{
    struct slow_bank *bank = &slow->banks[number];
    *executes = *ports = false;
    if (bank->runs < 0)
        bank->runs = choose(slow, bank);
    if (bank->runs < 0)
        return false;
    struct waiting *one = &bank->queue[bank->runs];
    const bool changes = tile_changes_line(one->request);
    if (slow->traits & TILE_REFILLS) {
        if (!one->refilled) {
            put_line(slow, number, one, false);
            slow->counts.refills += !one->unread;
            one->refilled = true;
            if (one->ahead)
                finish_request(slow, bank, slow->traits & TILE_JOINS);
            return true;
        }
        const uint32_t slot = tags_find(&slow->tags, number, one->line);
        slow->tags.dirty[slot] |= changes;
        slow->counts.cache_writes += changes;
        *executes = true;
        finish_request(slow, bank, slow->traits & TILE_JOINS);
        return true;
    }
    if (one->stale) {
        const uint32_t slot = tags_find(&slow->tags, number, one->line);
        *ports = true;
        if (slot == TAGS_NONE) {
            one->stale = false;
            one->due = bus_read(&slow->bus, one->request->address, slow->now);
            bank->runs = -1;
            return true;
        }
        tags_hit(&slow->tags, slot);
        slow->tags.dirty[slot] |= changes;
        slow->counts.tag_updates++;
        slow->counts.cache_writes++;
        *executes = true;
        finish_request(slow, bank, false);
        return true;
    }
    one->changed |= changes;
    *executes = true;
    if (!(slow->traits & TILE_JOINS) || !follower(bank, (uint64_t)bank->runs)) {
        put_line(slow, number, one, one->changed);
        slow->counts.cache_writes++;
        *ports = true;
    }
    finish_request(slow, bank, slow->traits & TILE_JOINS);
    return true;
}

static void pop(struct slow_bank *bank)
{
    bank->fifo_count--;
    for (uint64_t i = 0; i < bank->fifo_count; i++)
        bank->fifo[i] = bank->fifo[i + 1];
}

/* The first request of the FIFO misses; false: the queue cannot take it. */
static bool enter_queue(struct slow *slow, struct slow_bank *bank, uint64_t line, bool present)
{
    const struct tile_config *config = &slow->machine->tile;
    const struct tile_request *request = bank->fifo[0];
    struct waiting *chain = NULL;
    uint64_t of_line = 0;
    for (uint64_t i = 0; i < bank->waiting; i++)
        if (bank->queue[i].line == line) {
            of_line++;
            chain = bank->queue[i].first ? &bank->queue[i] : chain;
        }
    const bool joins = of_line && slow->traits & TILE_JOINS;
    if (slow->traits & TILE_MERGES) {
        if (joins ? of_line >= config->queue.merge : chains(bank) >= config->queue.entries)
            return false;
    } else if (bank->waiting >= (slow->traits & TILE_ENTRIES ? config->queue.entries : 1)) {
        return false;
    }
    struct waiting *entry = &bank->queue[bank->waiting++];
    assert(bank->waiting < WAITING_MAX);
    *entry = (struct waiting){.line = line, .request = request};
    slow->counts.accesses++;
    slow->counts.misses++;
    pop(bank);
    if (joins) {
        slow->counts.chained++;
        chain->length++;
        return true;
    }
    entry->first = true;
    entry->length = 1;
    entry->stale = of_line > 0;
    entry->due = slow->now + 1;
    const bool fetches = config->cache.write_allocate == WRITE_ALLOCATE_FETCH;
    const bool needs = tile_needs_line(request) && !(request->flags & TILE_CLEARED);
    if (!present && (fetches || needs)) {
        entry->due = bus_read(&slow->bus, request->address, slow->now);
        bank->ahead = *request;
        bank->ahead_left = config->prefetch;
    } else {
        entry->unread = true;
        slow->counts.unread += !present;
    }
    return true;
}

static void look_ahead(struct slow *slow, uint32_t number)
{
    const struct tile_config *config = &slow->machine->tile;
    struct slow_bank *bank = &slow->banks[number];
    const uint64_t most = slow->traits & TILE_MERGES ? config->queue.entries * config->queue.merge
                          : slow->traits & TILE_ENTRIES ? config->queue.entries
                                                        : 1;
    const uint64_t lines = slow->traits & TILE_ENTRIES ? config->queue.entries : 1;
    struct tile_request *ahead = &bank->ahead;
    const struct tile_surface *surface = &slow->surfaces[ahead->surface];
    if (!bank->ahead_left || chains(bank) + 1 >= lines || bank->waiting + 1 >= most)
        return;
    bank->ahead_left--;
    do {
        if (++ahead->x >= tile_columns(surface)) {
            bank->ahead_left = 0;
            return;
        }
    } while (screen_bank(&slow->screen, ahead) != number);
    ahead->passed = 0;
    ahead->address = tile_address(surface, ahead->x, ahead->y);
    const uint64_t line = screen_line(&slow->screen, ahead);
    for (uint64_t i = 0; i < bank->waiting; i++)
        if (bank->queue[i].line == line)
            return;
    if (tags_find(&slow->tags, number, line) != TAGS_NONE)
        return;
    struct tile_request *request = malloc(sizeof *request);
    *request = *ahead;
    slow->made[slow->counts.prefetches++] = request;
    bank->queue[bank->waiting++] =
        (struct waiting){.line = line,
                         .request = request,
                         .first = true,
                         .ahead = true,
                         .due = bus_read(&slow->bus, request->address, slow->now)};
}

static enum bank_stall look_up(struct slow *slow, uint32_t number, bool executes, bool ports)
{
    struct slow_bank *bank = &slow->banks[number];
    if (!bank->fifo_count) {
        if (!ports)
            look_ahead(slow, number);
        return BANK_RUNS;
    }
    if (ports)
        return BANK_STALL_WRITEBACK;
    if (slow->traits & TILE_BLOCKS && bank->waiting)
        return BANK_STALL_MISS;
    const struct tile_request *request = bank->fifo[0];
    if (request->flags & TILE_CLEARED && !tile_changes_line(request)) {
        if (executes)
            return BANK_STALL_EXECUTE;
        slow->counts.cleared++;
        pop(bank);
        return BANK_RUNS;
    }
    const uint64_t line = screen_line(&slow->screen, request);
    const uint32_t slot = tags_find(&slow->tags, number, line);
    bool waits = false;
    for (uint64_t i = 0; i < bank->waiting; i++)
        waits |= bank->queue[i].line == line;
    if (waits || slot == TAGS_NONE)
        return enter_queue(slow, bank, line, slot != TAGS_NONE) ? BANK_RUNS : BANK_STALL_QUEUE;
    if (executes)
        return BANK_STALL_EXECUTE;
    tags_hit(&slow->tags, slot);
    slow->tags.dirty[slot] |= tile_changes_line(request);
    slow->counts.cache_writes += tile_changes_line(request);
    slow->counts.accesses++;
    pop(bank);
    return BANK_RUNS;
}

/* Returns whether the bank did anything. */
static bool step_bank(struct slow *slow, uint32_t number)
{
    struct slow_bank *bank = &slow->banks[number];
    const uint64_t waiting = bank->fifo_count, ahead_left = bank->ahead_left;
    bool executes, ports;
    const bool runs = step_queue(slow, number, &executes, &ports);
    const bool takes = !slow->free_ports;
    slow->counts.stalls[look_up(slow, number, executes && takes, ports && takes)]++;
    return runs || bank->fifo_count != waiting || bank->ahead_left != ahead_left;
}

static bool is_busy(const struct slow_bank *bank)
{
    return bank->fifo_count || bank->waiting;
}

/* Steps of banks that did nothing go to the busiest of those that did, until it has nothing to do.
 */
static void lend(struct slow *slow, uint64_t steps, bool did[SCREEN_BANKS_MAX])
{
    while (steps--) {
        int64_t best = -1;
        for (uint32_t i = 0; i < slow->machine->tile.cache.slices; i++) {
            const struct slow_bank *bank = &slow->banks[i];
            if (did[i] && is_busy(bank) &&
                (best < 0 || bank->fifo_count + bank->waiting >
                                 slow->banks[best].fifo_count + slow->banks[best].waiting))
                best = i;
        }
        if (best < 0)
            return;
        did[best] = step_bank(slow, (uint32_t)best);
    }
}

static uint64_t all_waiting(const struct slow *slow)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < slow->machine->tile.cache.slices; i++)
        sum += slow->banks[i].fifo_count;
    return sum;
}

static void cycle(struct slow *slow, const struct tile_request *requests, uint32_t end,
                  uint32_t *next)
{
    const struct tile_config *config = &slow->machine->tile;
    bool did[SCREEN_BANKS_MAX];
    uint64_t idle = 0;
    for (uint32_t i = 0; i < config->cache.slices; i++)
        idle += !(did[i] = step_bank(slow, i));
    if (slow->even)
        lend(slow, idle, did);
    for (uint32_t i = 0; i < config->cache.slices; i++) {
        slow->occupancy[slow->banks[i].waiting]++;
        slow->counts.queue_sum += slow->banks[i].waiting;
    }
    slow->now++;
    bool taken[SCREEN_BANKS_MAX] = {false};
    for (uint64_t i = 0; i < config->pipelines && *next < end; i++, ++*next) {
        const uint32_t to = screen_bank(&slow->screen, &requests[*next]);
        struct slow_bank *bank = &slow->banks[to];
        if (taken[to] && !slow->even) {
            slow->counts.bank_stalls++;
            return;
        }
        if (slow->even ? all_waiting(slow) == config->fifo * config->cache.slices
                       : bank->fifo_count == config->fifo) {
            slow->counts.input_stalls++;
            return;
        }
        bank->fifo[bank->fifo_count++] = &requests[*next];
        taken[to] = true;
    }
}

static bool busy(const struct slow *slow)
{
    for (uint32_t i = 0; i < slow->machine->tile.cache.slices; i++)
        if (is_busy(&slow->banks[i]))
            return true;
    return false;
}

static void end_pass(struct slow *slow)
{
    for (uint32_t slot = 0; slot < slow->tags.slots; slot++)
        if (tags_drop(&slow->tags, slot)) {
            slow->counts.writebacks++;
            bus_write(&slow->bus, slow->tags.addresses[slot], slow->now);
        }
    slow->now = bus_idle(&slow->bus, slow->now);
}

struct slow_tiles slow_tiles_run(const struct machine *machine, struct ideal_set ideals,
                                 const struct tile_trial *trial)
{
    struct slow slow = {.machine = machine,
                        .traits = tile_queue_traits[machine->tile.queue.kind],
                        .free_ports = ideal_has(ideals, IDEAL_TILE_PORTS),
                        .even = ideal_has(ideals, IDEAL_TILE_BANKS),
                        .surfaces = trial->stream.surfaces,
                        .made = calloc(WAITING_MAX, sizeof *slow.made),
                        .occupancy = calloc(WAITING_MAX, sizeof *slow.occupancy)};
    uint32_t next = 0;
    (void)bus_init(&slow.bus, machine, NULL, 0);
    (void)tags_init(&slow.tags, &machine->tile.cache, machine->seed);
    screen_init(&slow.screen, &machine->tile, trial->stream.surfaces, trial->stream.surface_count);
    for (uint32_t i = 0; i < machine->tile.cache.slices; i++) {
        slow.banks[i].fifo =
            calloc(machine->tile.fifo * machine->tile.cache.slices, sizeof(void *));
        slow.banks[i].queue = calloc(WAITING_MAX, sizeof *slow.banks[i].queue);
        slow.banks[i].runs = -1;
    }
    for (uint32_t pass = 0; pass < trial->stream.pass_count; pass++) {
        const uint32_t end = trial->ends[pass];
        while (next < end || busy(&slow))
            cycle(&slow, trial->requests, end, &next);
        for (uint32_t i = 0; i < machine->tile.cache.slices; i++)
            slow.banks[i].ahead_left = 0;
        end_pass(&slow);
    }
    slow.now = bus_finish(&slow.bus, slow.now);
    uint64_t all = 0, sum = 0;
    for (uint32_t i = 0; i < WAITING_MAX; i++)
        all += slow.occupancy[i];
    for (uint64_t i = 0; i < WAITING_MAX; i++) {
        sum += slow.occupancy[i];
        if (sum * 100 >= all * 99) {
            slow.counts.queue_p99 = i;
            break;
        }
    }
    slow.counts.cycles = slow.now;
    slow.counts.reads = slow.bus.reads;
    slow.counts.loaded = slow.bus.loaded;
    slow.counts.stored = slow.bus.stored;
    for (uint32_t i = 0; i < machine->tile.cache.slices; i++) {
        free(slow.banks[i].fifo);
        free(slow.banks[i].queue);
    }
    for (uint64_t i = 0; i < slow.counts.prefetches; i++)
        free(slow.made[i]);
    free(slow.made);
    tags_free(&slow.tags);
    bus_free(&slow.bus);
    free(slow.occupancy);
    return slow.counts;
}
