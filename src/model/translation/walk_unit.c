#include "model/translation/walk_unit.h"

#include <stdlib.h>

#include "model/lru/cache_batch.h"
#include "model/translation/page_table.h"
#include "schema/parameters.h"

struct walk_unit {
    struct pwc *pwc;
    struct walkers *walkers; /* or NULL: walks are done at once */
    bool aside;              /* counting is off; walkers remember it per instruction */
    uint64_t page_size;
    unsigned levels;
    uint64_t lookup, latency;  /* cycles of a look-up and of reading an entry */
    struct walk_memory memory; /* memory.read may be NULL */
    struct page_table table;
};

bool walk_unit_reorders(const struct machine *machine)
{
    return walker_traits[machine->walker.policy] & WALKER_REORDERS || machine->walker.merge ||
           machine_couples(machine);
}

static unsigned estimate_walk(void *argument, uint64_t page)
{
    const struct walk_unit *unit = argument;
    return pwc_probe(unit->pwc, page * unit->page_size);
}

static enum pwc_hit walk(struct walk_unit *unit, uint64_t page, bool counted)
{
    uint64_t address = page * unit->page_size;
    return counted ? pwc_walk(unit->pwc, address) : pwc_warm(unit->pwc, address);
}

static uint64_t begin_walk(void *argument, uint64_t page, bool counted)
{
    struct walk_unit *unit = argument;
    enum pwc_hit hit = walk(unit, page, counted);
    uint64_t cycles = pwc_lookup_cost(unit->pwc, hit).cycles * unit->lookup;
    if (!unit->memory.read)
        return cycles + (unit->levels - (unsigned)hit) * unit->latency;
    uint64_t entries[PAGE_LEVELS];
    page_table_walk(&unit->table, page * unit->page_size, entries);
    for (unsigned level = hit; level < unit->levels; level++)
        cycles += unit->memory.read(unit->memory.argument, entries[level]);
    return cycles;
}

enum status walk_unit_create(const struct machine *machine, bool timed,
                             const struct walk_memory *memory, struct walk_unit **result)
{
    *result = NULL;
    struct walk_unit *unit = calloc(1, sizeof *unit);
    if (!unit)
        return STATUS_MEMORY;
    *unit = (struct walk_unit){.page_size = machine->page.size,
                               .levels = page_levels(machine->page.size),
                               .lookup = machine->walker.lookup,
                               .latency = machine->walker.latency};
    if (memory)
        unit->memory = *memory;
    page_table_init(&unit->table, PAGE_TABLE_BASE, machine->page.size);
    const struct walk_costs costs = {estimate_walk, begin_walk, unit};
    enum status status = pwc_create_compared(&machine->pwc, machine->page.size, &unit->pwc);
    if (!status && (timed || walk_unit_reorders(machine)))
        status = walkers_create(&machine->walker, machine->gpu.sms, &costs, &unit->walkers);
    if (status)
        walk_unit_free(unit);
    else
        *result = unit;
    return status;
}

void walk_unit_free(struct walk_unit *unit)
{
    if (!unit)
        return;
    pwc_free(unit->pwc);
    walkers_free(unit->walkers);
    free(unit);
}

enum status walk_unit_run(struct walk_unit *unit, const struct request *pages, size_t count)
{
    enum status status = STATUS_OK;
    if (!unit->walkers)
        for (size_t i = 0; i < count; i++)
            walk(unit, pages[i].address / PAGE_TOKEN, !unit->aside);
    else
        for (size_t i = 0; i < count && !status; i++)
            status = walkers_arrive(unit->walkers, pages[i].pc, pages[i].address / PAGE_TOKEN);
    return status;
}

void walk_unit_advance(struct walk_unit *unit, uint32_t instruction)
{
    if (unit->walkers)
        walkers_advance(unit->walkers, instruction);
}

void walk_unit_finish(struct walk_unit *unit)
{
    if (unit->walkers)
        walkers_finish(unit->walkers);
}

void walk_unit_count(struct walk_unit *unit, bool counted)
{
    unit->aside = !counted;
    if (unit->walkers)
        walkers_count(unit->walkers, counted);
}

void walk_unit_read_counts(const struct walk_unit *unit, struct pwc_counts *counts)
{
    pwc_read_counts(unit->pwc, counts);
}

bool walk_unit_read_times(const struct walk_unit *unit, struct walkers_counts *counts)
{
    if (unit->walkers)
        walkers_read_counts(unit->walkers, counts);
    return unit->walkers != NULL;
}
