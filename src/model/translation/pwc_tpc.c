/* The translation-path cache: an entry holds a whole path (L4, L3 and L2 index and the three table
 * addresses). All entries are searched in parallel, and any entry can serve a walk as far as its
 * prefix matches.
 *
 * The papers leave associativity and replacement open; this one is LRU, fully associative or in
 * sets
 * (`pwc.ways`), which the low bits of the path's last index choose. A walk is compared only with
 * the entries of its set, so only they can provide a prefix. A walk touches the entry of its own
 * path, whether found or filled. Entries that only provide a prefix are not touched, because the
 * path that is then filled keeps the prefix alive.
 *
 * A walk takes constant time if all entries are one set, else time proportional to the ways. */
#include "base/bits.h"
#include "model/translation/lru_bank.h"
#include "model/translation/prefix_counts.h"
#include "model/translation/pwc_member.h"
#include "schema/parameters.h"

struct tpc {
    struct pwc base;
    struct lru_bank paths;         /* keys: L4, L3 and L2 index */
    struct prefix_counts prefixes; /* of all sets */
    uint32_t set_mask;
    unsigned set_bits;
};

uint64_t pwc_tpc_sets(const struct pwc_config *config)
{
    uint64_t ways = pwc_ways(config);
    return ways && config->entries > ways ? config->entries / ways : 1;
}

/* The place of an entry says the bits that chose its set. */
static size_t tpc_arrays(const struct pwc_config *config, struct memory_array arrays[MEMORY_ARRAYS])
{
    enum { PAYLOAD = 3 * PWC_ADDRESS_BITS };
    const uint64_t sets = pwc_tpc_sets(config);
    arrays[0] = (struct memory_array){.name = "paths",
                                      .kind = sets == 1 ? MEMORY_SEARCHED : MEMORY_CACHE,
                                      .count = 1,
                                      .entries = config->entries,
                                      .key_bits = PWC_PATH_BITS - PAYLOAD - log2_floor(sets),
                                      .payload_bits = PAYLOAD,
                                      .sets = sets};
    return 1;
}

static enum status tpc_init(const struct pwc_config *config, struct pwc *pwc)
{
    struct tpc *tpc = (struct tpc *)pwc;
    const uint64_t sets = pwc_tpc_sets(config);
    if (!is_power_of_two(sets))
        return STATUS_INVALID;
    tpc->set_mask = (uint32_t)(sets - 1);
    tpc->set_bits = log2_floor(sets);
    enum status status =
        lru_bank_init(&tpc->paths, &pwc->arrays, config->entries, pwc_ways(config));
    if (!status)
        status = prefix_counts_init(&tpc->prefixes, &pwc->arrays, tpc->paths.entries);
    return status;
}

/* A path stores one pair of index and address per cached level. Only the deepest pair is always its
 * own; a pair above is redundant if another path has it too. */
static void count_duplicates(struct tpc *tpc, enum pwc_hit depth)
{
    enum { PAIR_BITS = PWC_INDEX_BITS + PWC_ADDRESS_BITS };
    uint64_t used = tpc->paths.used, l3_needed = prefix_counts_l3_distinct(&tpc->prefixes);
    uint64_t needed = tpc->prefixes.l4_distinct + l3_needed + (depth == PWC_HIT_L2 ? used : 0);
    tpc->base.stored_bits = (PAIR_BITS * (uint64_t)depth - tpc->set_bits) * used;
    tpc->base.duplicate_bits = PAIR_BITS * (used * depth - needed);
}

static uint32_t path_of(struct page_indices indices, enum pwc_hit depth)
{
    uint32_t path = (uint32_t)indices.l4 << 18 | (uint32_t)indices.l3 << 9;
    return depth == PWC_HIT_L2 ? path | indices.l2 : path;
}

static uint32_t set_of(const struct tpc *tpc, uint32_t path, enum pwc_hit depth)
{
    return (depth == PWC_HIT_L2 ? path : path >> 9) & tpc->set_mask;
}

/* How far the other paths of its set lead. */
static enum pwc_hit borrowed_in_set(const struct tpc *tpc, uint32_t set, uint32_t path)
{
    const struct lru_bank *bank = &tpc->paths;
    const uint64_t *keys = &bank->tags.keys[(size_t)set * bank->ways];
    enum pwc_hit hit = PWC_HIT_NONE;
    for (uint32_t way = 0; way < bank->filled[set]; way++)
        if (keys[way] >> 9 == path >> 9)
            return PWC_HIT_L3;
        else if (keys[way] >> 18 == path >> 18)
            hit = PWC_HIT_L4;
    return hit;
}

/* How far other paths lead where this one is not there. */
static enum pwc_hit borrowed_hit(const struct tpc *tpc, uint32_t set, uint32_t path)
{
    if (tpc->set_mask)
        return borrowed_in_set(tpc, set, path);
    return directory_find(&tpc->prefixes.l3, path >> 9) != SLOT_NONE ? PWC_HIT_L3
           : tpc->prefixes.l4_sharers[path >> 18]                    ? PWC_HIT_L4
                                                                     : PWC_HIT_NONE;
}

static enum pwc_hit tpc_walk(struct pwc *pwc, struct page_indices indices, enum pwc_hit depth)
{
    struct tpc *tpc = (struct tpc *)pwc;
    uint32_t path = path_of(indices, depth), set = set_of(tpc, path, depth);
    if (lru_bank_touch(&tpc->paths, set, path) != SLOT_NONE)
        return depth;
    enum pwc_hit hit = borrowed_hit(tpc, set, path);
    uint32_t replaced = lru_bank_fill(&tpc->paths, set, path);
    if (replaced != SLOT_NONE)
        prefix_counts_remove(&tpc->prefixes, replaced >> 9);
    prefix_counts_add(&tpc->prefixes, path >> 9);
    count_duplicates(tpc, depth);
    return hit;
}

static enum pwc_hit tpc_probe(const struct pwc *pwc, struct page_indices indices,
                              enum pwc_hit depth)
{
    const struct tpc *tpc = (const struct tpc *)pwc;
    uint32_t path = path_of(indices, depth);
    return directory_find(&tpc->paths.tags, path) != SLOT_NONE
               ? depth
               : borrowed_hit(tpc, set_of(tpc, path, depth), path);
}

static void tpc_visit(const struct pwc *pwc, pwc_visitor visitor, void *argument)
{
    const struct tpc *tpc = (const struct tpc *)pwc;
    for (uint32_t slot = 0; slot < tpc->paths.entries; slot++) {
        if (!lru_bank_holds(&tpc->paths, slot))
            continue;
        char text[PWC_TEXT];
        struct page_indices path = pwc_tag_path(tpc->paths.tags.keys[slot], PWC_HIT_L2);
        snprintf(text, sizeof text, "path[%u] %u %u %u", slot, path.l4, path.l3, path.l2);
        visitor(argument, &(struct pwc_entry){PWC_HIT_L2, path, text});
    }
}

const struct pwc_kind pwc_tpc = {.name = "tpc",
                                 .arrays = tpc_arrays,
                                 .size = sizeof(struct tpc),
                                 .init = tpc_init,
                                 .walk = tpc_walk,
                                 .probe = tpc_probe,
                                 .lookup = pwc_lookup_parallel,
                                 .visit = tpc_visit};
