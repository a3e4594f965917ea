#include "slow_policy.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "schema/families.h"

enum { GHOSTS = 4096, HISTORY = 200000, WATCHED = 64, TABLE = 1 << 14 };

struct slow_way {
    bool held;
    uint64_t line;
    int64_t stamp, filled;
    unsigned interval, uses, signature;
    bool used, second; /* second: protected, kept, seen again, close */
    int left;          /* mockingjay */
};

struct ghost { /* a line that left, or in lirs any line of the stack */
    uint64_t line;
    int64_t stamp;
    bool second;
};

struct slow_use {
    uint64_t line;
    unsigned signature, taken;
};

struct slow_history {
    struct slow_use *uses;
    size_t count;
};

struct slow_set {
    struct slow_way *ways;
    bool tree[128];            /* node 1 is the root: true = the victim is in the upper half */
    bool order[8][8];          /* plru_simt: the first group is the less recent */
    bool front[8], odd[16];    /* ... and what is the less recent */
    uint64_t next, draws, mru; /* next: of rr and the hands, a way */
    bool hand;                 /* sieve: `next` is one */
    int64_t target;            /* arc */
    unsigned clock;
    struct ghost *ghosts;
    size_t ghost_count;
    struct slow_history history;
};

struct slow_cachewide {
    unsigned fills, balance; /* balance: from 512 */
    int table[TABLE];
    bool known[TABLE];
};

struct slow_policy {
    int replacement;
    uint64_t ways, sets, seed;
    unsigned instances;
    int64_t time;
    struct slow_set *all;
    struct slow_cachewide *wide;
};

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
        for (size_t k = 0; k < TABLE; k++)
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

static struct slow_set *set_of(const struct slow_policy *policy, const struct slow_access *access)
{
    return &policy->all[access->instance * policy->sets + access->set];
}

static struct slow_cachewide *wide_of(const struct slow_policy *policy,
                                      const struct slow_access *access)
{
    return &policy->wide[access->instance];
}

/* ---- searching ---- */

/* The held way with the least stamp among those whose `second` is as given, or all; `ways` if none.
 */
enum which { FIRSTS, SECONDS, ANY };

static uint64_t oldest(const struct slow_policy *policy, const struct slow_set *set,
                       enum which which)
{
    uint64_t found = policy->ways;
    for (uint64_t way = 0; way < policy->ways; way++) {
        const struct slow_way *one = &set->ways[way];
        if (!one->held || (which != ANY && one->second != (which == SECONDS)))
            continue;
        if (found == policy->ways || one->stamp < set->ways[found].stamp)
            found = way;
    }
    return found;
}

static uint64_t count(const struct slow_policy *policy, const struct slow_set *set, bool second)
{
    uint64_t sum = 0;
    for (uint64_t way = 0; way < policy->ways; way++)
        sum += set->ways[way].held && set->ways[way].second == second;
    return sum;
}

static struct ghost *ghost_find(struct slow_set *set, uint64_t line)
{
    for (size_t i = 0; i < set->ghost_count; i++)
        if (set->ghosts[i].line == line)
            return &set->ghosts[i];
    return NULL;
}

static void ghost_forget(struct slow_set *set, struct ghost *ghost)
{
    *ghost = set->ghosts[--set->ghost_count];
}

static void ghost_add(struct slow_policy *policy, struct slow_set *set, uint64_t line, bool second)
{
    if (!set->ghosts)
        set->ghosts = calloc(GHOSTS, sizeof *set->ghosts);
    assert(set->ghosts && set->ghost_count < GHOSTS);
    set->ghosts[set->ghost_count++] = (struct ghost){line, ++policy->time, second};
}

static uint64_t ghost_count(const struct slow_set *set, bool second)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < set->ghost_count; i++)
        sum += set->ghosts[i].second == second;
    return sum;
}

static void ghost_forget_oldest(struct slow_set *set, bool second)
{
    struct ghost *found = NULL;
    for (size_t i = 0; i < set->ghost_count; i++)
        if (set->ghosts[i].second == second && (!found || set->ghosts[i].stamp < found->stamp))
            found = &set->ghosts[i];
    if (found)
        ghost_forget(set, found);
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
    struct slow_cachewide *wide = wide_of(policy, access);
    const int leader = leads(policy, access->set);
    if (leader == 1 && wide->balance < 1023)
        wide->balance++;
    if (leader == 2 && wide->balance > 0)
        wide->balance--;
    return leader == 2 || (!leader && wide->balance > 512);
}

static bool rarely(const struct slow_policy *policy, const struct slow_access *access)
{
    return ++wide_of(policy, access)->fills % 32 == 0;
}

/* ---- trees ---- */

static void tree_turn(struct slow_set *set, uint64_t ways, uint64_t way, bool root)
{
    uint64_t low = 0, high = ways, node = 1;
    while (high - low > 1) {
        const uint64_t middle = (low + high) / 2;
        const bool upper = way >= middle;
        if (node > 1 || root)
            set->tree[node] = !upper;
        node = 2 * node + upper;
        if (upper)
            low = middle;
        else
            high = middle;
    }
}

/* The highest node that points to the way, alone. */
static void tree_turn_one(struct slow_set *set, uint64_t ways, uint64_t way)
{
    uint64_t low = 0, high = ways, node = 1;
    while (high - low > 1) {
        const uint64_t middle = (low + high) / 2;
        const bool upper = way >= middle;
        if (set->tree[node] == upper) {
            set->tree[node] = !upper;
            return;
        }
        node = 2 * node + upper;
        if (upper)
            low = middle;
        else
            high = middle;
    }
}

static uint64_t tree_victim(const struct slow_set *set, uint64_t ways)
{
    uint64_t low = 0, high = ways, node = 1;
    while (high - low > 1) {
        const uint64_t middle = (low + high) / 2;
        const bool upper = set->tree[node];
        node = 2 * node + upper;
        if (upper)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- plru_simt ---- */

static void simt_touch(struct slow_set *set, uint64_t ways, uint64_t way)
{
    for (uint64_t group = 0; group < ways / 4; group++) {
        set->order[way / 4][group] = false;
        set->order[group][way / 4] = true;
    }
    set->front[way / 4] = way % 4 >= 2; /* the rear pair was used: the front is less recent */
    set->odd[way / 2] = way % 2 == 0;
}

static uint64_t simt_victim(const struct slow_set *set, uint64_t ways)
{
    for (uint64_t way = 0; way < ways; way++) {
        bool least = true;
        for (uint64_t group = 0; group < ways / 4; group++)
            least = least && (group == way / 4 || set->order[way / 4][group]);
        const bool pair = ways < 4 || set->front[way / 4] == (way % 4 < 2);
        if (least && pair && (ways < 2 || set->odd[way / 2] == (way % 2 == 1)))
            return way;
    }
    assert(false);
    return 0;
}

/* ---- learning ---- */

static unsigned hashed(uint32_t number, unsigned bits)
{
    return (uint32_t)(number * UINT32_C(0x9e3779b1)) >> (32 - bits);
}

static void saturate(int *counter, bool up, int most)
{
    *counter += up ? *counter < most : -(*counter > 0);
}

static bool watched(const struct slow_policy *policy, uint64_t set)
{
    if (policy->sets <= WATCHED)
        return true;
    const uint64_t step = policy->sets / WATCHED;
    return set % step == 0 && set / step < WATCHED;
}

/* The last use of a line at or after time `since`; the history's length if there is none. */
static size_t last_use(const struct slow_history *history, uint64_t line, size_t since)
{
    for (size_t i = history->count; i-- > since;)
        if (history->uses[i].line == line)
            return i;
    return history->count;
}

static struct slow_history *history_of(struct slow_set *set)
{
    if (!set->history.uses)
        set->history.uses = calloc(HISTORY, sizeof *set->history.uses);
    assert(set->history.uses && set->history.count < HISTORY);
    return &set->history;
}

static void hawkeye_watch(struct slow_policy *policy, const struct slow_access *access,
                          unsigned signature)
{
    struct slow_set *set = set_of(policy, access);
    int *table = wide_of(policy, access)->table;
    if (!watched(policy, access->set))
        return;
    struct slow_history *history = history_of(set);
    struct slow_use *uses = history->uses;
    const size_t now = history->count, window = 8 * policy->ways;
    if (now >= window && last_use(history, uses[now - window].line, now - window) == now - window)
        saturate(&table[uses[now - window].signature], false, 7);
    const size_t before = last_use(history, access->line, now < window ? 0 : now - window + 1);
    if (before < now) {
        bool hits = true;
        for (size_t i = before; i < now; i++)
            hits = hits && uses[i].taken < policy->ways;
        for (size_t i = before; i < now; i++)
            uses[i].taken += hits;
        saturate(&table[uses[before].signature], hits, 7);
    }
    uses[history->count++] = (struct slow_use){access->line, signature, 0};
}

static void hawkeye_use(struct slow_policy *policy, const struct slow_access *access, uint64_t way,
                        bool hit)
{
    struct slow_set *set = set_of(policy, access);
    const int *table = wide_of(policy, access)->table;
    const unsigned signature = hashed(access->pc, 13);
    hawkeye_watch(policy, access, signature);
    const bool keeps = table[signature] >= 4;
    for (uint64_t other = 0; !hit && keeps && other < policy->ways; other++)
        if (set->ways[other].interval < 6)
            set->ways[other].interval++;
    set->ways[way].signature = signature;
    set->ways[way].interval = keeps ? 0 : 7;
}

static void mockingjay_watch(struct slow_policy *policy, const struct slow_access *access,
                             unsigned signature)
{
    struct slow_set *set = set_of(policy, access);
    struct slow_cachewide *wide = wide_of(policy, access);
    const int never = (int)(8 * policy->ways) - 1;
    if (!watched(policy, access->set))
        return;
    struct slow_history *history = history_of(set);
    struct slow_use *uses = history->uses;
    const size_t now = history->count, window = 8 * policy->ways;
    if (now >= window && last_use(history, uses[now - window].line, now - window) == now - window) {
        const unsigned old = uses[now - window].signature;
        wide->table[old] = wide->known[old] ? wide->table[old] + 1 : never;
        if (wide->table[old] > never)
            wide->table[old] = never;
        wide->known[old] = true;
    }
    const size_t before = last_use(history, access->line, now < window ? 0 : now - window + 1);
    if (before < now) {
        const unsigned old = uses[before].signature;
        const int sample = (int)(now - before);
        if (!wide->known[old])
            wide->table[old] = sample;
        else if (sample - wide->table[old] >= 16)
            wide->table[old]++;
        else if (wide->table[old] - sample >= 16)
            wide->table[old]--;
        wide->known[old] = true;
    }
    uses[history->count++] = (struct slow_use){access->line, signature, 0};
}

static void mockingjay_use(struct slow_policy *policy, const struct slow_access *access,
                           uint64_t way, bool hit)
{
    struct slow_set *set = set_of(policy, access);
    const struct slow_cachewide *wide = wide_of(policy, access);
    const int ways = (int)policy->ways;
    const unsigned signature = hashed(2 * access->pc + hit, 11);
    mockingjay_watch(policy, access, signature);
    if (set->clock == 8) {
        for (uint64_t other = 0; other < policy->ways; other++)
            if (other != way && abs(set->ways[other].left) < ways - 1)
                set->ways[other].left--;
        set->clock = 0;
    }
    set->clock++;
    const int distance = wide->table[signature];
    set->ways[way].left = !wide->known[signature]                    ? 0
                          : distance > 8 * ways - 1 - 22 * ways / 16 ? ways - 1
                                                                     : distance / 8;
}

/* ---- lirs: the stack is every ghost with a stamp not older than the oldest close way's ---- */

static void lirs_prune(const struct slow_policy *policy, struct slow_set *set)
{
    int64_t limit = INT64_MAX;
    for (uint64_t way = 0; way < policy->ways; way++)
        if (set->ways[way].held && set->ways[way].second) {
            const struct ghost *ghost = ghost_find(set, set->ways[way].line);
            limit = ghost->stamp < limit ? ghost->stamp : limit;
        }
    for (size_t i = set->ghost_count; i-- > 0;)
        if (set->ghosts[i].stamp < limit)
            ghost_forget(set, &set->ghosts[i]);
}

static bool is_here(const struct slow_policy *policy, const struct slow_set *set, uint64_t line)
{
    for (uint64_t way = 0; way < policy->ways; way++)
        if (set->ways[way].held && set->ways[way].line == line)
            return true;
    return false;
}

static void lirs_bound(const struct slow_policy *policy, struct slow_set *set)
{
    struct ghost *found = NULL;
    uint64_t gone = 0;
    for (size_t i = 0; i < set->ghost_count; i++)
        if (!is_here(policy, set, set->ghosts[i].line)) {
            gone++;
            if (!found || set->ghosts[i].stamp < found->stamp)
                found = &set->ghosts[i];
        }
    if (gone > policy->ways)
        ghost_forget(set, found);
}

/* Puts the way on top of the stack; `close` makes it one of the close ones. */
static void lirs_top(struct slow_policy *policy, struct slow_set *set, uint64_t way, bool close)
{
    struct ghost *ghost = ghost_find(set, set->ways[way].line);
    if (ghost)
        ghost_forget(set, ghost);
    ghost_add(policy, set, set->ways[way].line, false);
    set->ways[way].second = close;
    set->ways[way].stamp = ++policy->time;
    if (close && count(policy, set, true) >= policy->ways) {
        const uint64_t coldest = oldest(policy, set, SECONDS);
        ghost_forget(set, ghost_find(set, set->ways[coldest].line));
        set->ways[coldest].second = false;
        set->ways[coldest].stamp = ++policy->time;
    }
    lirs_prune(policy, set);
}

static void lirs_drop(const struct slow_policy *policy, struct slow_set *set, uint64_t way)
{
    struct ghost *ghost = ghost_find(set, set->ways[way].line);
    set->ways[way].held = false;
    if (ghost)
        ghost_forget(set, ghost);
    lirs_prune(policy, set);
}

static void lirs_fill(struct slow_policy *policy, struct slow_set *set, uint64_t line, uint64_t way)
{
    if (set->ways[way].held && set->ways[way].second)
        lirs_drop(policy, set, way);
    set->ways[way].held = false;
    lirs_bound(policy, set);
    const bool close = ghost_find(set, line) || count(policy, set, true) + 1 < policy->ways;
    set->ways[way] = (struct slow_way){.held = true, .line = line};
    lirs_top(policy, set, way, close);
}

/* ---- arc ---- */

static int64_t arc_target(const struct slow_policy *policy, struct slow_set *set, uint64_t line)
{
    const struct ghost *ghost = ghost_find(set, line);
    const int64_t once = (int64_t)ghost_count(set, false), again = (int64_t)ghost_count(set, true);
    int64_t target = set->target;
    if (ghost && !ghost->second)
        target += again / once > 1 ? again / once : 1;
    if (ghost && ghost->second)
        target -= once / again > 1 ? once / again : 1;
    target = target < 0 ? 0 : target;
    return target > (int64_t)policy->ways ? (int64_t)policy->ways : target;
}

static uint64_t arc_victim(const struct slow_policy *policy, struct slow_set *set, uint64_t line)
{
    const struct ghost *ghost = ghost_find(set, line);
    const int64_t target = arc_target(policy, set, line), once = (int64_t)count(policy, set, false);
    const bool again = ghost && ghost->second;
    if (once == (int64_t)policy->ways)
        return oldest(policy, set, FIRSTS);
    if (once >= 1 && ((again && once == target) || once > target))
        return oldest(policy, set, FIRSTS);
    const uint64_t way = oldest(policy, set, SECONDS);
    return way < policy->ways ? way : oldest(policy, set, FIRSTS);
}

static void arc_fill(struct slow_policy *policy, struct slow_set *set, uint64_t line, uint64_t way)
{
    const struct slow_way old = set->ways[way];
    const uint64_t once = count(policy, set, false), again = count(policy, set, true);
    struct ghost *ghost = ghost_find(set, line);
    const bool was_known = ghost, was_again = ghost && ghost->second;
    set->target = arc_target(policy, set, line);
    if (ghost)
        ghost_forget(set, ghost);
    else if (once + ghost_count(set, false) >= policy->ways)
        ghost_forget_oldest(set, false);
    else if (once + again + ghost_count(set, false) + ghost_count(set, true) >= 2 * policy->ways)
        ghost_forget_oldest(set, true);
    if (old.held && (old.second || once < policy->ways || was_again))
        ghost_add(policy, set, old.line, old.second);
    set->ways[way] =
        (struct slow_way){.held = true, .line = line, .stamp = ++policy->time, .second = was_known};
}

/* ---- what the cache tells ---- */

static void note_mru(struct slow_policy *policy, struct slow_set *set, uint64_t way)
{
    set->mru = way;
    set->ways[way].stamp = ++policy->time;
    set->ways[way].used = true;
    if (policy->replacement == REPLACEMENT_PLRU)
        tree_turn(set, policy->ways, way, true);
    if (policy->replacement == REPLACEMENT_PLRU_SIMT)
        simt_touch(set, policy->ways, way);
}

void slow_policy_hit(struct slow_policy *policy, const struct slow_access *access, uint64_t way)
{
    struct slow_set *set = set_of(policy, access);
    struct slow_way *one = &set->ways[way];
    switch (policy->replacement) {
    case REPLACEMENT_FIFO:
        return;
    case REPLACEMENT_MDPP:
        tree_turn_one(set, policy->ways, way);
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
        if (count(policy, set, true) <= policy->ways / 2)
            return;
        const uint64_t out = oldest(policy, set, SECONDS);
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
        lirs_top(policy, set, way, ghost_find(set, access->line));
        return;
    case REPLACEMENT_SIEVE:
        one->used = true;
        return;
    case REPLACEMENT_SHIP:
        saturate(&wide_of(policy, access)->table[one->signature], true, 7);
        one->used = true;
        one->interval = 0;
        return;
    case REPLACEMENT_HAWKEYE:
        hawkeye_use(policy, access, way, true);
        return;
    case REPLACEMENT_MOCKINGJAY:
        mockingjay_use(policy, access, way, true);
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
    struct slow_set *set = set_of(policy, access);
    struct slow_way *old = &set->ways[way];
    struct slow_cachewide *wide = wide_of(policy, access);
    if (!old->held)
        return;
    if (policy->replacement == REPLACEMENT_SHIP && !old->used)
        saturate(&wide->table[old->signature], false, 7);
    if (policy->replacement == REPLACEMENT_HAWKEYE && old->interval != 7)
        saturate(&wide->table[old->signature], false, 7);
}

/* The lines that left the trial of 2q and s3fifo. */
static void trial_fill(struct slow_policy *policy, const struct slow_access *access, uint64_t way,
                       uint64_t most)
{
    struct slow_set *set = set_of(policy, access);
    const struct slow_way old = set->ways[way];
    struct ghost *ghost = ghost_find(set, access->line);
    const bool returns = ghost;
    if (ghost)
        ghost_forget(set, ghost);
    if (old.held && !old.second && most) {
        if (ghost_count(set, false) >= most)
            ghost_forget_oldest(set, false);
        ghost_add(policy, set, old.line, false);
    }
    set->ways[way] = (struct slow_way){
        .held = true, .line = access->line, .stamp = ++policy->time, .second = returns};
}

static void sieve_leave(const struct slow_policy *policy, struct slow_set *set, uint64_t way)
{
    if (!set->ways[way].held || !set->hand || set->next != way)
        return;
    uint64_t younger = policy->ways;
    for (uint64_t other = 0; other < policy->ways; other++)
        if (set->ways[other].held && set->ways[other].filled > set->ways[way].filled &&
            (younger == policy->ways || set->ways[other].filled < set->ways[younger].filled))
            younger = other;
    set->hand = younger < policy->ways;
    set->next = younger;
}

static void bimodal_fill(struct slow_policy *policy, const struct slow_access *access, uint64_t way)
{
    struct slow_way *one = &set_of(policy, access)->ways[way];
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
        return wide_of(policy, access)->table[hashed(access->pc, 14)] ? 2 : 3;
    default:
        return 2;
    }
}

void slow_policy_fill(struct slow_policy *policy, const struct slow_access *access, uint64_t way)
{
    struct slow_set *set = set_of(policy, access);
    struct slow_way *one = &set->ways[way];
    const uint64_t ways = policy->ways;
    put_out(policy, access, way);
    switch (policy->replacement) {
    case REPLACEMENT_2Q:
        trial_fill(policy, access, way, ways > 1 ? ways / 2 : 1);
        return;
    case REPLACEMENT_S3FIFO:
        trial_fill(policy, access, way, ways - (ways < 10 ? 1 : ways / 10));
        return;
    case REPLACEMENT_ARC:
        arc_fill(policy, set, access->line, way);
        return;
    case REPLACEMENT_LIRS:
        lirs_fill(policy, set, access->line, way);
        return;
    case REPLACEMENT_HAWKEYE:
        hawkeye_use(policy, access, way, false);
        one->held = true;
        return;
    case REPLACEMENT_MOCKINGJAY:
        mockingjay_use(policy, access, way, false);
        one->held = true;
        return;
    case REPLACEMENT_SIEVE:
        sieve_leave(policy, set, way);
        break;
    case REPLACEMENT_MDPP:
        tree_turn(set, ways, way, false);
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
                                   .signature = hashed(access->pc, 14)};
    *one = fresh;
    if (policy->replacement == REPLACEMENT_LIP || policy->replacement == REPLACEMENT_BIP ||
        policy->replacement == REPLACEMENT_DIP)
        bimodal_fill(policy, access, way);
}

void slow_policy_drop(struct slow_policy *policy, const struct slow_access *access, uint64_t way)
{
    struct slow_set *set = set_of(policy, access);
    if (policy->replacement == REPLACEMENT_SIEVE)
        sieve_leave(policy, set, way);
    if (policy->replacement == REPLACEMENT_LIRS)
        lirs_drop(policy, set, way);
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

static uint64_t next_younger(const struct slow_policy *policy, const struct slow_set *set,
                             int64_t than)
{
    uint64_t found = policy->ways;
    for (uint64_t way = 0; way < policy->ways; way++)
        if (set->ways[way].held && set->ways[way].filled > than &&
            (found == policy->ways || set->ways[way].filled < set->ways[found].filled))
            found = way;
    return found;
}

static uint64_t sieve_victim(const struct slow_policy *policy, struct slow_set *set)
{
    if (!set->hand)
        set->next = next_younger(policy, set, INT64_MIN);
    set->hand = true;
    while (set->ways[set->next].used) {
        set->ways[set->next].used = false;
        const uint64_t younger = next_younger(policy, set, set->ways[set->next].filled);
        set->next = younger < policy->ways ? younger : next_younger(policy, set, INT64_MIN);
    }
    return set->next;
}

static uint64_t main_victim(struct slow_policy *policy, struct slow_set *set)
{
    for (;;) {
        const uint64_t way = oldest(policy, set, SECONDS);
        if (!set->ways[way].uses)
            return way;
        set->ways[way].uses--;
        set->ways[way].stamp = ++policy->time;
    }
}

static uint64_t s3_victim(struct slow_policy *policy, struct slow_set *set)
{
    const uint64_t small = policy->ways < 10 ? 1 : policy->ways / 10;
    if (count(policy, set, false) < small && count(policy, set, true))
        return main_victim(policy, set);
    while (count(policy, set, false)) {
        const uint64_t way = oldest(policy, set, FIRSTS);
        if (set->ways[way].uses < 2)
            return way;
        set->ways[way].uses = 0;
        set->ways[way].second = true;
        set->ways[way].stamp = ++policy->time;
        if (count(policy, set, true) > policy->ways - small)
            return main_victim(policy, set);
    }
    return main_victim(policy, set);
}

uint64_t slow_policy_victim(struct slow_policy *policy, const struct slow_access *access)
{
    struct slow_set *set = set_of(policy, access);
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
        return tree_victim(set, ways);
    case REPLACEMENT_PLRU_SIMT:
        return simt_victim(set, ways);
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
        return sieve_victim(policy, set);
    case REPLACEMENT_SLRU: {
        const uint64_t way = oldest(policy, set, FIRSTS);
        return way < ways ? way : oldest(policy, set, SECONDS);
    }
    case REPLACEMENT_2Q: {
        const bool trial =
            count(policy, set, false) > (ways < 4 ? 1 : ways / 4) || !count(policy, set, true);
        return oldest(policy, set, trial ? FIRSTS : SECONDS);
    }
    case REPLACEMENT_S3FIFO:
        return s3_victim(policy, set);
    case REPLACEMENT_ARC:
        return arc_victim(policy, set, access->line);
    case REPLACEMENT_LIRS: {
        const uint64_t way = oldest(policy, set, FIRSTS);
        return way < ways ? way : oldest(policy, set, SECONDS);
    }
    default:
        return extreme(policy, set);
    }
}

uint64_t slow_policy_place(struct slow_policy *policy, const struct slow_access *access)
{
    const struct slow_set *set = set_of(policy, access);
    const bool any = replacement_facts[policy->replacement].traits & REPLACEMENT_ANY_WAY;
    for (uint64_t way = 0; !any && way < policy->ways; way++)
        if (!set->ways[way].held)
            return way;
    return slow_policy_victim(policy, access);
}
