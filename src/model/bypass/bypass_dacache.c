/* Lines by the priority of warps: Wang, Yu, Sun and Wang, "DaCache: Memory divergence-aware GPU
 * cache management", ICS 2015.
 *
 * Each set has a chain of its lines. A line comes in at the head if its load is coherent (one
 * access), else the further from the head the lower its warp's priority is in the order of issue;
 * a hit brings it to the head. The head of the chain is the locality region and is never replaced;
 * a miss replaces the last line of the rest that can go, and is bypassed where there is none. With
 * l1d.bypass.dynamic the size of the region follows the share of hits.
 *
 * The paper's text was not at hand, but for its abstract and conclusion, from which all of this is.
 * What was chosen: the priority is the age of a warp, as under gto, and a divergent load's place is
 * its rank among the warps times the ways over their number; the region has half of the ways, or
 * one way more or less after each 2048 accesses, in the same direction as long as the share of hits
 * does not fall; a launch begins with new chains. Where lines are taken on fill, a chain does not
 * choose. */

#include "model/bypass/bypass_member.h"

enum { PERIOD = 2048 };

struct dacache {
    struct bypass base;
    uint16_t *places;                   /* of each line in its set's chain; 0: the head */
    uint32_t region;                    /* lines */
    bool grows;                         /* the direction of the last step */
    uint64_t accesses, hits, last_hits; /* of this period and the one before */
};

/* The last line after the region that can go, or an empty one; BYPASS_NO_LINE: there is none. */
static uint32_t last_of(const struct dacache *dacache, const struct bypass_choice *choice)
{
    const uint16_t *places = dacache->places + choice->first;
    uint32_t last = BYPASS_NO_LINE;
    for (uint32_t way = 0; way < choice->ways; way++) {
        if (!choice->holds[way])
            return way;
        if (choice->holds[way] & choice->kept || places[way] < dacache->region)
            continue;
        if (last == BYPASS_NO_LINE || places[way] > places[last])
            last = way;
    }
    return last;
}

static enum bypass_verdict dacache_ask(struct bypass *bypass, const struct bypass_access *access,
                                       struct bypass_choice *choice)
{
    const uint32_t way = last_of((const struct dacache *)bypass, choice);
    (void)access;
    if (choice->way == BYPASS_NO_LINE || way == BYPASS_NO_LINE)
        return BYPASS_PASS;
    choice->way = way;
    return BYPASS_ALLOCATE;
}

/* Moves a line to a place of its chain; those between step aside. */
static void move(struct dacache *dacache, uint32_t line, uint32_t place)
{
    const uint32_t first = line / dacache->base.ways * dacache->base.ways;
    const uint32_t from = dacache->places[line];
    for (uint32_t i = first; i < first + dacache->base.launch_ways; i++) {
        uint16_t *other = &dacache->places[i];
        if (*other >= place && *other < from)
            ++*other;
        else if (*other > from && *other <= place)
            --*other;
    }
    dacache->places[line] = (uint16_t)place;
}

/* The region takes a step; where hits fell after the last one, back. */
static void step(struct dacache *dacache)
{
    if (++dacache->accesses < PERIOD)
        return;
    if (dacache->hits < dacache->last_hits)
        dacache->grows = !dacache->grows;
    if (dacache->grows)
        dacache->region += dacache->region + 1 < dacache->base.launch_ways;
    else
        dacache->region -= dacache->region > 0;
    dacache->last_hits = dacache->hits;
    dacache->accesses = dacache->hits = 0;
}

static void dacache_accepted(struct bypass *bypass, const struct bypass_access *access,
                             uint32_t line)
{
    struct dacache *dacache = (struct dacache *)bypass;
    const uint32_t rank = warp_ages_older(&bypass->ages, access->warp);
    if (line != BYPASS_NO_LINE && bypass->ages.count)
        move(dacache, line,
             access->parts > 1 ? rank * bypass->launch_ways / bypass->ages.count : 0);
    if (bypass->config->dynamic)
        step(dacache);
}

static void dacache_hit(struct bypass *bypass, const struct bypass_access *access, uint32_t line,
                        bool pending)
{
    struct dacache *dacache = (struct dacache *)bypass;
    (void)access, (void)pending;
    move(dacache, line, 0);
    dacache->hits++;
    if (bypass->config->dynamic)
        step(dacache);
}

static void dacache_launched(struct bypass *bypass)
{
    struct dacache *dacache = (struct dacache *)bypass;
    for (uint32_t i = 0; i < bypass->sets * bypass->ways; i++)
        dacache->places[i] = (uint16_t)(i % bypass->ways);
    dacache->region = bypass->launch_ways / 2;
    dacache->grows = false;
    dacache->accesses = dacache->hits = dacache->last_hits = 0;
}

static enum status dacache_init(struct bypass *bypass)
{
    struct dacache *dacache = (struct dacache *)bypass;
    arrays_add(&bypass->arrays, &dacache->places, (size_t)bypass->sets * bypass->ways,
               sizeof *dacache->places);
    return bypass->arrays.failed ? STATUS_MEMORY : STATUS_OK;
}

/* The place of each line, and the counters of the search. */
static size_t dacache_arrays(const struct machine *machine, uint64_t lines,
                             struct memory_array *arrays)
{
    arrays[0] =
        memory_array_ram("lines' places in their chains", lines, log2_ceil(machine->l1d.ways));
    arrays[1] = memory_array_ram("counters of the search", 1, 3 * 11 + 8);
    return machine->l1d.bypass.dynamic ? 2 : 1;
}

const struct bypass_kind bypass_dacache = {.name = "dacache",
                                           .size = sizeof(struct dacache),
                                           .init = dacache_init,
                                           .arrays = dacache_arrays,
                                           .ask = dacache_ask,
                                           .accepted = dacache_accepted,
                                           .hit = dacache_hit,
                                           .launched = dacache_launched};
