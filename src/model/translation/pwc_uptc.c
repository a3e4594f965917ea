/* The unified page-table cache (AMD; Barr, Cox, Rixner, ISCA 2010): a small cache of page-table
 * entries of all levels, tagged by their memory addresses. Nothing is stored redundantly, but the
 * address of the next level's entry is known only after the entry above was found. So levels are
 * searched one after another, in one cycle each.
 *
 * It is always fully associative (in sets, an entry could outlive the one above it, and a walk
 * could find what lies below a level that it misses), with one LRU order for all levels; a walk
 * touches or fills its entries from the root down. Therefore an entry never outlives the one above
 * it: that one was touched right before it, and if it is replaced as the oldest, its last child is
 * the next oldest and is replaced by the walk's own fills before it is searched for. So the search
 * ends at the first level that misses. */
#include "model/translation/lru_bank.h"
#include "model/translation/page_table.h"
#include "model/translation/pwc_member.h"

struct uptc {
    struct pwc base;
    struct page_table table;
    struct lru_bank entries; /* keys: address of the page-table entry, in units of entries from the
                                table's base */
};

static size_t uptc_arrays(const struct pwc_config *config,
                          struct memory_array arrays[MEMORY_ARRAYS])
{
    arrays[0] = (struct memory_array){.name = "page-table entries",
                                      .kind = MEMORY_SEARCHED,
                                      .count = 1,
                                      .entries = config->entries,
                                      .key_bits = 1 + PWC_ENTRY_ADDRESS_BITS,
                                      .payload_bits = PWC_ADDRESS_BITS};
    return 1;
}

static enum status uptc_init(const struct pwc_config *config, struct pwc *pwc)
{
    struct uptc *uptc = (struct uptc *)pwc;
    page_table_init(&uptc->table, PAGE_TABLE_BASE, 4096);
    return lru_bank_init(&uptc->entries, &pwc->arrays, config->entries, config->entries);
}

struct uptc_keys {
    uint32_t of[PAGE_LEVELS];
};

static struct uptc_keys keys_of(const struct uptc *uptc, struct page_indices indices)
{
    uint64_t address =
        (uint64_t)indices.l4 << 39 | (uint64_t)indices.l3 << 30 | (uint64_t)indices.l2 << 21;
    uint64_t entries[PAGE_LEVELS];
    struct uptc_keys keys;
    unsigned levels = page_table_walk(&uptc->table, address, entries);
    for (unsigned level = 0; level < levels; level++)
        keys.of[level] = (uint32_t)((entries[level] - PAGE_TABLE_BASE) / PAGE_ENTRY_SIZE);
    return keys;
}

static enum pwc_hit uptc_walk(struct pwc *pwc, struct page_indices indices, enum pwc_hit depth)
{
    struct uptc *uptc = (struct uptc *)pwc;
    const struct uptc_keys keys = keys_of(uptc, indices);
    int hit = PWC_HIT_NONE;
    for (int level = 0; level < (int)depth; level++)
        if (hit == level && lru_bank_touch(&uptc->entries, 0, keys.of[level]) != SLOT_NONE)
            hit++;
        else
            lru_bank_fill(&uptc->entries, 0, keys.of[level]);
    return (enum pwc_hit)hit;
}

static enum pwc_hit uptc_probe(const struct pwc *pwc, struct page_indices indices,
                               enum pwc_hit depth)
{
    const struct uptc *uptc = (const struct uptc *)pwc;
    const struct uptc_keys keys = keys_of(uptc, indices);
    int hit = PWC_HIT_NONE;
    while (hit < (int)depth && directory_find(&uptc->entries.tags, keys.of[hit]) != SLOT_NONE)
        hit++;
    return (enum pwc_hit)hit;
}

static struct pwc_lookup uptc_lookup(enum pwc_hit hit, enum pwc_hit depth)
{
    unsigned levels = hit < depth ? (unsigned)hit + 1 : depth;
    return (struct pwc_lookup){.cycles = levels, .levels = levels};
}

static void uptc_visit(const struct pwc *pwc, pwc_visitor visitor, void *argument)
{
    const struct uptc *uptc = (const struct uptc *)pwc;
    for (uint32_t slot = 0; slot < uptc->entries.used; slot++) {
        char place[PWC_TEXT / 2], text[PWC_TEXT];
        uint64_t address =
            PAGE_TABLE_BASE + (uint64_t)uptc->entries.tags.keys[slot] * PAGE_ENTRY_SIZE;
        int level = PWC_HIT_L4;
        while (level < PWC_HIT_L2 && address >= uptc->table.level_base[level])
            level++;
        uint64_t tag = (address - uptc->table.level_base[level - 1]) / PAGE_ENTRY_SIZE;
        struct page_indices path = pwc_tag_path((uint32_t)tag, (enum pwc_hit)level);
        snprintf(place, sizeof place, "entry[%u] L%d at 0x%llx", slot, PAGE_LEVELS + 1 - level,
                 (unsigned long long)address);
        pwc_entry_text(place, path, (enum pwc_hit)level, text);
        visitor(argument, &(struct pwc_entry){(enum pwc_hit)level, path, text});
    }
}

const struct pwc_kind pwc_uptc = {.name = "uptc",
                                  .arrays = uptc_arrays,
                                  .size = sizeof(struct uptc),
                                  .init = uptc_init,
                                  .walk = uptc_walk,
                                  .probe = uptc_probe,
                                  .lookup = uptc_lookup,
                                  .visit = uptc_visit};
