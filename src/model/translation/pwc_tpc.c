/* The translation-path cache: an entry holds a whole path (L4, L3 and L2 index with the three table
 * addresses), looked up in parallel, and any entry may serve a walk with the prefix that it shares.
 *
 * The papers leave associativity and replacement open: this one is fully associative and LRU. A
 * walk touches the entry of its own path, found or filled; entries that lend a prefix are not
 * touched, since the path that is then filled keeps that prefix alive. */
#include <stdlib.h>

#include "model/translation/directory.h"
#include "model/translation/pwc_member.h"

struct tpc {
    struct pwc base;
    uint32_t entries, used;
    struct directory paths; /* L4, L3, L2 index -> entry */
    struct links recency;   /* of entries; node `entries` is the head */
    /* How many entries share a prefix; a node is taken per distinct L4 and L3 pair. */
    struct directory prefixes;
    uint32_t *sharers;
    uint32_t *spare; /* stack of the nodes not taken */
    uint32_t spare_count;
    uint32_t l4_sharers[512];
};

static uint64_t tpc_bits(const struct pwc_config *config)
{
    return config->entries * PWC_PATH_BITS;
}

static void tpc_free(struct pwc *pwc)
{
    struct tpc *tpc = (struct tpc *)pwc;
    directory_free(&tpc->paths);
    directory_free(&tpc->prefixes);
    links_free(&tpc->recency);
    free(tpc->sharers);
    free(tpc->spare);
    free(tpc);
}

static enum status tpc_create(const struct pwc_config *config, struct pwc **pwc)
{
    if (!config->entries || config->entries > UINT16_MAX + 1u)
        return STATUS_INVALID;
    struct tpc *tpc = calloc(1, sizeof *tpc);
    if (!tpc)
        return STATUS_MEMORY;
    tpc->entries = (uint32_t)config->entries;
    tpc->sharers = calloc(tpc->entries, sizeof *tpc->sharers);
    tpc->spare = malloc(tpc->entries * sizeof *tpc->spare);
    if (!tpc->sharers || !tpc->spare || directory_init(&tpc->paths, tpc->entries) ||
        directory_init(&tpc->prefixes, tpc->entries) ||
        links_init(&tpc->recency, tpc->entries + 1)) {
        tpc_free(&tpc->base);
        return STATUS_MEMORY;
    }
    while (tpc->spare_count < tpc->entries) {
        tpc->spare[tpc->spare_count] = tpc->spare_count;
        tpc->spare_count++;
    }
    *pwc = &tpc->base;
    return STATUS_OK;
}

static void share_prefix(struct tpc *tpc, uint32_t path)
{
    uint32_t node = directory_find(&tpc->prefixes, path >> 9);
    if (node == SLOT_NONE) {
        node = tpc->spare[--tpc->spare_count];
        directory_add(&tpc->prefixes, node, path >> 9);
    }
    tpc->sharers[node]++;
    tpc->l4_sharers[path >> 18]++;
}

static void unshare_prefix(struct tpc *tpc, uint32_t path)
{
    uint32_t node = directory_find(&tpc->prefixes, path >> 9);
    if (!--tpc->sharers[node]) {
        directory_remove(&tpc->prefixes, node);
        tpc->spare[tpc->spare_count++] = node;
    }
    tpc->l4_sharers[path >> 18]--;
}

static void tpc_fill(struct tpc *tpc, uint32_t path)
{
    uint32_t entry = tpc->used;
    if (tpc->used < tpc->entries) {
        tpc->used++;
    } else {
        entry = tpc->recency.prev[tpc->entries];
        unshare_prefix(tpc, tpc->paths.keys[entry]);
        directory_remove(&tpc->paths, entry);
    }
    directory_add(&tpc->paths, entry, path);
    share_prefix(tpc, path);
    links_first(&tpc->recency, entry, tpc->entries);
}

static uint32_t path_of(struct page_indices indices, enum pwc_hit depth)
{
    uint32_t path = (uint32_t)indices.l4 << 18 | (uint32_t)indices.l3 << 9;
    return depth == PWC_HIT_L2 ? path | indices.l2 : path;
}

/* How far other paths lead where this one is not there. */
static enum pwc_hit borrowed_hit(const struct tpc *tpc, uint32_t path)
{
    return directory_find(&tpc->prefixes, path >> 9) != SLOT_NONE ? PWC_HIT_L3
           : tpc->l4_sharers[path >> 18]                          ? PWC_HIT_L4
                                                                  : PWC_HIT_NONE;
}

static enum pwc_hit tpc_walk(struct pwc *pwc, struct page_indices indices, enum pwc_hit depth)
{
    struct tpc *tpc = (struct tpc *)pwc;
    uint32_t path = path_of(indices, depth);
    uint32_t entry = directory_find(&tpc->paths, path);
    if (entry != SLOT_NONE) {
        links_first(&tpc->recency, entry, tpc->entries);
        return depth;
    }
    enum pwc_hit hit = borrowed_hit(tpc, path);
    tpc_fill(tpc, path);
    return hit;
}

static enum pwc_hit tpc_probe(const struct pwc *pwc, struct page_indices indices,
                              enum pwc_hit depth)
{
    const struct tpc *tpc = (const struct tpc *)pwc;
    uint32_t path = path_of(indices, depth);
    return directory_find(&tpc->paths, path) != SLOT_NONE ? depth : borrowed_hit(tpc, path);
}

static void tpc_print(const struct pwc *pwc, FILE *out)
{
    const struct tpc *tpc = (const struct tpc *)pwc;
    for (uint32_t entry = 0; entry < tpc->used; entry++) {
        uint32_t path = tpc->paths.keys[entry];
        fprintf(out, "path[%u] %u %u %u\n", entry, path >> 18, path >> 9 & 511, path & 511);
    }
}

const struct pwc_kind pwc_tpc = {.name = "tpc",
                                 .bits = tpc_bits,
                                 .create = tpc_create,
                                 .free = tpc_free,
                                 .walk = tpc_walk,
                                 .probe = tpc_probe,
                                 .print = tpc_print};
