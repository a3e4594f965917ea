#include "slow_policy.h"

#include <assert.h>
#include <stdlib.h>

#include "base/rng.h"
#include "schema/families.h"
#include "slow_learners.h"
#include "slow_lists.h"
#include "slow_trees.h"

/* ---- making ---- */

static void power_up(const struct slow_policy *policy, struct slow_set *set, int reset)
{
    const bool ones = reset == RESET_ONES;
    for (unsigned i = 0; i < 128; i++)
        set->tree[i] = ones;
    for (unsigned i = 0; i < 8; i++)
        for (unsigned k = 0; k < 8; k++)
            set->order[i][k] = ones ? i > k : i < k;
    for (unsigned i = 0; i < 8; i++)
        set->front[i] = ones;
    for (unsigned i = 0; i < 16; i++)
        set->odd[i] = ones;
    if (policy->replacement == REPLACEMENT_RR && ones)
        set->next = policy->ways - 1;
    for (uint64_t way = 0; way < policy->ways; way++) {
        const int64_t upward = (int64_t)way - (int64_t)policy->ways;
        set->ways[way].stamp =
            policy->replacement == REPLACEMENT_LFU_STACK ? -(int64_t)way - 1 : upward;
    }
}

struct slow_policy *slow_policy_create(int replacement, int reset, uint64_t ways, uint64_t sets,
                                       unsigned instances, uint64_t seed)
{
    struct slow_policy *policy = calloc(1, sizeof *policy);
    assert(policy);
    *policy = (struct slow_policy){.replacement = replacement,
                                   .ways = ways,
                                   .sets = sets,
                                   .seed = seed,
                                   .instances = instances};
    policy->all = calloc(sets * instances, sizeof *policy->all);
    policy->wide = calloc(instances, sizeof *policy->wide);
    assert(policy->all && policy->wide);
    for (uint64_t i = 0; i < sets * instances; i++) {
        policy->all[i].ways = calloc(ways, sizeof *policy->all[i].ways);
        assert(policy->all[i].ways);
        power_up(policy, &policy->all[i], reset);
    }
    for (unsigned i = 0; i < instances; i++) {
        policy->wide[i].balance = 512;
        for (size_t k = 0; k < SLOW_TABLE; k++)
            policy->wide[i].table[k] = replacement == REPLACEMENT_SHIP      ? 1
                                       : replacement == REPLACEMENT_HAWKEYE ? 4
                                                                            : 0;
    }
    return policy;
}

void slow_policy_free(struct slow_policy *policy)
{
    if (!policy)
        return;
    for (uint64_t i = 0; i < policy->sets * policy->instances; i++) {
        free(policy->all[i].ways);
        free(policy->all[i].ghosts);
        free(policy->all[i].history.uses);
    }
    free(policy->all);
    free(policy->wide);
    free(policy);
}

/* ---- duels and rare fills ---- */

/* By the picture: each run of sets gives one to the first policy and the mirrored one to the
 * second. */
static int leads(const struct slow_policy *policy, uint64_t set)
{
    uint64_t runs = policy->sets / 8;
    if (runs < 1)
        runs = 1;
    if (runs > 32)
        runs = 32;
    const uint64_t length = policy->sets / runs;
    for (uint64_t run = 0; run < runs; run++) {
        const uint64_t first = run * length + run % length;
        const uint64_t second = run * length + (length - 1 - run % length);
        if (first != second && set == first)
            return 1;
        if (first != second && set == second)
            return 2;
    }
    return 0;
}

static bool second_wins(const struct slow_policy *policy, const struct slow_access *access)
{
    struct slow_cachewide *wide = slow_wide_of(policy, access);
    const int leader = leads(policy, access->set);
    if (leader == 1 && wide->balance < 1023)
        wide->balance++;
    if (leader == 2 && wide->balance > 0)
        wide->balance--;
    return leader == 2 || (!leader && wide->balance > 512);
}

static bool rarely(const struct slow_policy *policy, const struct slow_access *access)
{
    return ++slow_wide_of(policy, access)->fills % 32 == 0;
}

/* ---- what the cache tells ---- */

static void note_mru(struct slow_policy *policy, struct slow_set *set, uint64_t way)
{
    set->mru = way;
    set->ways[way].stamp = ++policy->time;
    set->ways[way].used = true;
    if (policy->replacement == REPLACEMENT_PLRU)
        slow_tree_turn(set, policy->ways, way, true);
    if (policy->replacement == REPLACEMENT_PLRU_SIMT)
        slow_simt_touch(set, policy->ways, way);
}

void slow_policy_hit(struct slow_policy *policy, const struct slow_access *access, uint64_t way)
{
    struct slow_set *set = slow_set_of(policy, access);
    struct slow_way *one = &set->ways[way];
    switch (policy->replacement) {
    case REPLACEMENT_FIFO:
        return;
    case REPLACEMENT_MDPP:
        slow_tree_turn_one(set, policy->ways, way);
        return;
    case REPLACEMENT_LFU:
        one->uses += one->uses < 65535;
        return;
    case REPLACEMENT_LFU_AGING:
        if (one->uses == 15)
            for (uint64_t other = 0; other < policy->ways; other++)
                set->ways[other].uses /= 2;
        one->uses++;
        return;
    case REPLACEMENT_S3FIFO:
        one->uses += one->uses < 3;
        return;
    case REPLACEMENT_SLRU: {
        one->second = true;
        one->stamp = ++policy->time;
        if (slow_count(policy, set, true) <= policy->ways / 2)
            return;
        const uint64_t out = slow_oldest(policy, set, SLOW_SECONDS);
        set->ways[out].second = false;
        set->ways[out].stamp = ++policy->time;
        return;
    }
    case REPLACEMENT_2Q:
        if (one->second)
            one->stamp = ++policy->time;
        return;
    case REPLACEMENT_ARC:
        one->second = true;
        one->stamp = ++policy->time;
        return;
    case REPLACEMENT_LIRS:
        slow_lirs_hit(policy, set, way, slow_ghost_find(set, access->line));
        return;
    case REPLACEMENT_SIEVE:
        one->used = true;
        return;
    case REPLACEMENT_SHIP:
        slow_saturate(&slow_wide_of(policy, access)->table[one->signature], true, 7);
        one->used = true;
        one->interval = 0;
        return;
    case REPLACEMENT_HAWKEYE:
        slow_hawkeye_use(policy, access, way, true);
        return;
    case REPLACEMENT_MOCKINGJAY:
        slow_mockingjay_use(policy, access, way, true);
        return;
    default:
        one->interval = 0;
        note_mru(policy, set, way);
    }
}

/* What a policy does with the line that its fill puts out. */
static void put_out(const struct slow_policy *policy, const struct slow_access *access,
                    uint64_t way)
{
    struct slow_set *set = slow_set_of(policy, access);
    struct slow_way *old = &set->ways[way];
    struct slow_cachewide *wide = slow_wide_of(policy, access);
    if (!old->held)
        return;
    if (policy->replacement == REPLACEMENT_SHIP && !old->used)
        slow_saturate(&wide->table[old->signature], false, 7);
    if (policy->replacement == REPLACEMENT_HAWKEYE && old->interval != 7)
        slow_saturate(&wide->table[old->signature], false, 7);
}

static void bimodal_fill(struct slow_policy *policy, const struct slow_access *access, uint64_t way)
{
    struct slow_way *one = &slow_set_of(policy, access)->ways[way];
    bool first = policy->replacement == REPLACEMENT_LIP;
    if (policy->replacement == REPLACEMENT_BIP ||
        (policy->replacement == REPLACEMENT_DIP && second_wins(policy, access)))
        first = !rarely(policy, access);
    const int64_t now = ++policy->time;
    one->stamp = first ? -now : now;
}

static unsigned new_interval(const struct slow_policy *policy, const struct slow_access *access)
{
    switch (policy->replacement) {
    case REPLACEMENT_NRU:
        return 0;
    case REPLACEMENT_BRRIP:
        return rarely(policy, access) ? 2 : 3;
    case REPLACEMENT_DRRIP:
        return second_wins(policy, access) && !rarely(policy, access) ? 3 : 2;
    case REPLACEMENT_SHIP:
        return slow_wide_of(policy, access)->table[slow_hashed(access->pc, 14)] ? 2 : 3;
    default:
        return 2;
    }
}

void slow_policy_fill(struct slow_policy *policy, const struct slow_access *access, uint64_t way)
{
    struct slow_set *set = slow_set_of(policy, access);
    struct slow_way *one = &set->ways[way];
    const uint64_t ways = policy->ways;
    put_out(policy, access, way);
    switch (policy->replacement) {
    case REPLACEMENT_2Q:
        slow_trial_fill(policy, access, way, ways > 1 ? ways / 2 : 1);
        return;
    case REPLACEMENT_S3FIFO:
        slow_trial_fill(policy, access, way, ways - (ways < 10 ? 1 : ways / 10));
        return;
    case REPLACEMENT_ARC:
        slow_arc_fill(policy, set, access->line, way);
        return;
    case REPLACEMENT_LIRS:
        slow_lirs_fill(policy, set, access->line, way);
        return;
    case REPLACEMENT_HAWKEYE:
        slow_hawkeye_use(policy, access, way, false);
        one->held = true;
        return;
    case REPLACEMENT_MOCKINGJAY:
        slow_mockingjay_use(policy, access, way, false);
        one->held = true;
        return;
    case REPLACEMENT_SIEVE:
        slow_sieve_leave(policy, set, way);
        break;
    case REPLACEMENT_MDPP:
        slow_tree_turn(set, ways, way, false);
        one->held = true;
        return;
    default:
        break;
    }
    note_mru(policy, set, way);
    const struct slow_way fresh = {.held = true,
                                   .line = access->line,
                                   .stamp = one->stamp,
                                   .filled = ++policy->time,
                                   .interval = new_interval(policy, access),
                                   .uses = 1,
                                   .signature = slow_hashed(access->pc, 14)};
    *one = fresh;
    if (policy->replacement == REPLACEMENT_LIP || policy->replacement == REPLACEMENT_BIP ||
        policy->replacement == REPLACEMENT_DIP)
        bimodal_fill(policy, access, way);
}

void slow_policy_drop(struct slow_policy *policy, const struct slow_access *access, uint64_t way)
{
    struct slow_set *set = slow_set_of(policy, access);
    if (policy->replacement == REPLACEMENT_SIEVE)
        slow_sieve_leave(policy, set, way);
    if (policy->replacement == REPLACEMENT_LIRS)
        slow_lirs_drop(policy, set, way);
    set->ways[way].held = false;
}

/* ---- victims ---- */

static uint64_t interval_victim(const struct slow_policy *policy, struct slow_set *set,
                                unsigned most)
{
    for (;;) {
        for (uint64_t way = 0; way < policy->ways; way++)
            if (set->ways[way].interval == most)
                return way;
        for (uint64_t way = 0; way < policy->ways; way++)
            set->ways[way].interval = most == 1 ? 1 : set->ways[way].interval + 1;
    }
}

static uint64_t extreme(const struct slow_policy *policy, const struct slow_set *set)
{
    uint64_t found = 0;
    for (uint64_t way = 1; way < policy->ways; way++) {
        const struct slow_way *one = &set->ways[way], *best = &set->ways[found];
        bool better = one->stamp < best->stamp;
        if (policy->replacement == REPLACEMENT_FIFO)
            better = one->filled < best->filled;
        if (policy->replacement == REPLACEMENT_LFU || policy->replacement == REPLACEMENT_LFU_AGING)
            better = one->uses < best->uses;
        if (policy->replacement == REPLACEMENT_HAWKEYE)
            better = one->interval > best->interval;
        if (policy->replacement == REPLACEMENT_MOCKINGJAY)
            better = abs(one->left) > abs(best->left) ||
                     (abs(one->left) == abs(best->left) && one->left < 0);
        if (better)
            found = way;
    }
    return found;
}

static uint64_t clock_victim(const struct slow_policy *policy, struct slow_set *set)
{
    for (;;) {
        const uint64_t way = set->next;
        set->next = (way + 1) % policy->ways;
        if (!set->ways[way].used)
            return way;
        set->ways[way].used = false;
    }
}

uint64_t slow_policy_victim(struct slow_policy *policy, const struct slow_access *access)
{
    struct slow_set *set = slow_set_of(policy, access);
    const uint64_t ways = policy->ways;
    switch (policy->replacement) {
    case REPLACEMENT_RR: {
        const uint64_t way = set->next;
        set->next = (way + 1) % ways;
        return way;
    }
    case REPLACEMENT_RANDOM: {
        const uint64_t own = random_at(policy->seed, (uint64_t)(set - policy->all));
        return random_below(random_at(own, set->draws++), ways);
    }
    case REPLACEMENT_PLRU:
    case REPLACEMENT_MDPP:
        return slow_tree_victim(set, ways);
    case REPLACEMENT_PLRU_SIMT:
        return slow_simt_victim(set, ways);
    case REPLACEMENT_MRU:
        return set->mru;
    case REPLACEMENT_NRU:
        return interval_victim(policy, set, 1);
    case REPLACEMENT_SRRIP:
    case REPLACEMENT_BRRIP:
    case REPLACEMENT_DRRIP:
    case REPLACEMENT_SHIP:
        return interval_victim(policy, set, 3);
    case REPLACEMENT_CLOCK:
        return clock_victim(policy, set);
    case REPLACEMENT_SIEVE:
        return slow_sieve_victim(policy, set);
    case REPLACEMENT_SLRU: {
        const uint64_t way = slow_oldest(policy, set, SLOW_FIRSTS);
        return way < ways ? way : slow_oldest(policy, set, SLOW_SECONDS);
    }
    case REPLACEMENT_2Q: {
        const bool trial = slow_count(policy, set, false) > (ways < 4 ? 1 : ways / 4) ||
                           !slow_count(policy, set, true);
        return slow_oldest(policy, set, trial ? SLOW_FIRSTS : SLOW_SECONDS);
    }
    case REPLACEMENT_S3FIFO:
        return slow_s3_victim(policy, set);
    case REPLACEMENT_ARC:
        return slow_arc_victim(policy, set, access->line);
    case REPLACEMENT_LIRS: {
        const uint64_t way = slow_oldest(policy, set, SLOW_FIRSTS);
        return way < ways ? way : slow_oldest(policy, set, SLOW_SECONDS);
    }
    default:
        return extreme(policy, set);
    }
}

uint64_t slow_policy_place(struct slow_policy *policy, const struct slow_access *access)
{
    const struct slow_set *set = slow_set_of(policy, access);
    const bool any = replacement_facts[policy->replacement].traits & REPLACEMENT_ANY_WAY;
    for (uint64_t way = 0; !any && way < policy->ways; way++)
        if (!set->ways[way].held)
            return way;
    return slow_policy_victim(policy, access);
}
