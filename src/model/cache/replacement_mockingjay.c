/* Mockingjay (I. Shah, A. Jain and C. Lin, "Effective mimicry of Belady's MIN policy", HPCA 2022),
 * without its bypass: a miss always allocates here. A table learns from a few sets
 * (set_sampler.h) after how many accesses the lines of each instruction are used again; a line
 * starts with that estimate and counts down, and the one whose next use seems farthest from now
 * leaves, past or future alike.
 *
 * Distances count accesses to a set, up to 8 x ways less one, which means never; a line counts in
 * steps of eight. An instruction has two entries, for hits and for misses; one that nobody knows
 * makes its lines expected at once. The paper's limits for 16 ways (a distance above 105 counts as
 * never) are scaled to the ways. Cost: linear in the ways. */
#include <stdio.h>
#include <stdlib.h>

#include "model/cache/cache_access.h"
#include "model/cache/set_sampler.h"

enum { SIGNATURE_BITS = 11, STEP = 8, SLOWNESS = 16 };

struct mockingjay {
    uint16_t
        distances[1 << SIGNATURE_BITS]; /* plus one; 0: unknown. The watched sets stand after */
};

struct ways_left {
    uint32_t clock; /* accesses since lines counted down */
    /* Steps to the next use of each way, below 0 once it is past. After them stand the places of
     * the lines' last uses in a watched set. */
    int16_t left[];
};

static uint16_t *places_of(const struct set_access *at)
{
    return (uint16_t *)((struct ways_left *)at->state)->left + at->ways;
}

static size_t mockingjay_state_bytes(uint32_t ways)
{
    return sizeof(struct ways_left) + 2 * sizeof(int16_t) * ways;
}

static size_t mockingjay_shared_bytes(uint32_t sets, uint32_t ways)
{
    return sizeof(struct mockingjay) + sampler_sets(sets) * sampler_bytes(ways);
}

static inline uint32_t never(uint32_t ways)
{
    return SAMPLER_HISTORY * ways - 1;
}

/* The longest distance that is believed: 105 of 127 in the paper. */
static inline uint32_t believed(uint32_t ways)
{
    return never(ways) - 22 * ways / 16;
}

static inline int most_left(uint32_t ways)
{
    return (int)(never(ways) / STEP);
}

static inline uint16_t signature_of(uint32_t pc, bool is_hit)
{
    return pc_signature(2 * pc + is_hit, SIGNATURE_BITS);
}

/* Moves an estimate a step towards a sample that differs enough. */
static void mockingjay_learn(uint16_t *estimate, uint32_t sample)
{
    const uint32_t old = *estimate - 1u;
    if (!*estimate)
        *estimate = (uint16_t)(sample + 1);
    else if (sample >= old + SLOWNESS)
        ++*estimate;
    else if (sample + SLOWNESS <= old)
        --*estimate;
}

/* A use of the line in a way, which it has had since its last use where that `is_hit`. */
static void mockingjay_watch(const struct set_access *at, uint32_t way, uint16_t signature,
                             bool is_hit)
{
    struct mockingjay *shared = at->shared;
    const uint32_t number = sampler_number(at->set, at->sets), most = never(at->ways);
    if (number == SAMPLER_NONE)
        return;
    struct sampler_set *set = sampler_set(shared + 1, number, at->ways);
    uint16_t old;
    if (sampler_expires(set, at->ways, &old)) {
        uint16_t *estimate = &shared->distances[old];
        *estimate = *estimate && *estimate <= most ? *estimate + 1 : (uint16_t)(most + 1);
    }
    uint16_t *place = &places_of(at)[way];
    const uint32_t last =
        is_hit ? sampler_last_at(set, *place, at->line) : sampler_last(set, at->ways, at->line);
    if (last != SAMPLER_NONE)
        mockingjay_learn(&shared->distances[sampler_signatures(set, at->ways)[last]],
                         sampler_distance(set, at->ways, last));
    *place = (uint16_t)set->now;
    sampler_note(set, at->ways, at->line, signature, last);
}

static void mockingjay_use(const struct set_access *at, uint32_t way, bool is_hit)
{
    const struct mockingjay *shared = at->shared;
    struct ways_left *set = at->state;
    const int most = most_left(at->ways);
    const uint16_t signature = signature_of(at->pc, is_hit);
    mockingjay_watch(at, way, signature, is_hit);
    if (set->clock == STEP) {
        const int16_t own = set->left[way];
        for (uint32_t other = 0; other < at->ways; other++) /* vectors: no branch */
            set->left[other] =
                (int16_t)(set->left[other] - (set->left[other] < most && set->left[other] > -most));
        set->left[way] = own;
        set->clock = 0;
    }
    set->clock++;
    const uint32_t distance = shared->distances[signature];
    if (!distance)
        set->left[way] = 0;
    else
        set->left[way] =
            (int16_t)(distance - 1 > believed(at->ways) ? most : (int)(distance - 1) / STEP);
}

static void mockingjay_hit(const struct set_access *at, uint32_t way)
{
    mockingjay_use(at, way, true);
}

static void mockingjay_fill(const struct set_access *at, uint32_t way)
{
    mockingjay_use(at, way, false);
}

/* Of equally far ways the last that is overdue, else the first. All that as one number per way, so
 * that the loop is one of vectors. */
static uint32_t mockingjay_victim(const struct set_access *at)
{
    enum { OVERDUE = 1 << 8, WAY = OVERDUE - 1 };
    const struct ways_left *set = at->state;
    uint32_t farthest = 0;
    for (uint32_t way = 0; way < at->ways; way++) {
        const int left = set->left[way];
        const uint32_t distance = (uint32_t)(left < 0 ? -left : left) * (2 * OVERDUE);
        const uint32_t key = distance | (left < 0 ? OVERDUE | way : WAY - way);
        farthest = key > farthest ? key : farthest;
    }
    return farthest & OVERDUE ? farthest & WAY : WAY - (farthest & WAY);
}

static const char *mockingjay_explain(const struct set_access *at, char *text, size_t size)
{
    const int left = ((const struct ways_left *)at->state)->left[mockingjay_victim(at)];
    snprintf(text, size, "predicted next use %d accesses %s, the farthest of the set",
             STEP * abs(left), left < 0 ? "overdue" : "away");
    return text;
}

static const char *mockingjay_print(const struct set_access *at, char *text, size_t size)
{
    const struct ways_left *set = at->state;
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t way = 0; way < at->ways && used + 8 < size; way++)
        used += (size_t)snprintf(text + used, size - used, way ? " %d" : "%d", set->left[way]);
    return text;
}

VECTORS_INLINED static enum status mockingjay_run(struct cache *cache,
                                                  const struct request *requests, size_t count,
                                                  const uint32_t *lost, struct flow *flow)
{
    return access_run_policy(cache, requests, count, lost, flow, &policy_REPLACEMENT_MOCKINGJAY,
                             TRAITS_REPLACEMENT_MOCKINGJAY);
}

const struct replacement_policy policy_REPLACEMENT_MOCKINGJAY = {
    .state_bytes = mockingjay_state_bytes,
    .shared_bytes = mockingjay_shared_bytes,
    .hit = mockingjay_hit,
    .fill = mockingjay_fill,
    .victim = mockingjay_victim,
    .explain = mockingjay_explain,
    .print = mockingjay_print,
    .run = mockingjay_run,
};
