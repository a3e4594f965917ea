/* The split translation cache (Intel's paging-structure caches; Barr, Cox, Rixner, "Translation
 * caching: skip, don't walk (the page table)", ISCA 2010): one bank per level. The tag of an entry
 * holds all indices down to its level. So the banks are independent, a walk may find its L2 entry
 * after the L4 and L3 ones are gone, and the upper indices are stored redundantly.
 *
 * Banks are fully associative with LRU and are searched in parallel: every match is touched, and
 * the deepest one serves the walk. The walk fills what it then reads. A missing upper entry above a
 * match is not read and therefore not filled. */
#include "model/translation/lru_bank.h"
#include "model/translation/prefix_counts.h"
#include "model/translation/pwc_member.h"

struct stc {
    struct pwc base;
    struct lru_bank banks[PWC_HIT_L2]; /* [level]: L4, L3, L2 */
    struct prefix_counts prefixes;     /* the prefixes in the tags of all banks */
};

static size_t stc_arrays(const struct pwc_config *config, struct memory_array arrays[MEMORY_ARRAYS])
{
    static const char *const names[PWC_HIT_L2] = {"L4 entries", "L3 entries", "L2 entries"};
    const uint64_t entries[PWC_HIT_L2] = {config->l4_entries, config->l3_entries, config->entries};
    for (uint64_t level = 0; level < PWC_HIT_L2; level++)
        arrays[level] = (struct memory_array){.name = names[level],
                                              .kind = MEMORY_SEARCHED,
                                              .count = 1,
                                              .entries = entries[level],
                                              .key_bits = 1 + (level + 1) * PWC_INDEX_BITS,
                                              .payload_bits = PWC_ADDRESS_BITS};
    return PWC_HIT_L2;
}

static enum status stc_init(const struct pwc_config *config, struct pwc *pwc)
{
    struct stc *stc = (struct stc *)pwc;
    const uint64_t sizes[PWC_HIT_L2] = {config->l4_entries, config->l3_entries, config->entries};
    enum status status = STATUS_OK;
    for (int level = 0; level < PWC_HIT_L2 && !status; level++)
        status = lru_bank_init(&stc->banks[level], &pwc->arrays, sizes[level], sizes[level]);
    if (!status)
        status = prefix_counts_init(&stc->prefixes, &pwc->arrays,
                                    stc->banks[1].entries + stc->banks[2].entries);
    return status;
}

static void stc_fill(struct stc *stc, int level, uint32_t tag)
{
    uint32_t replaced = lru_bank_fill(&stc->banks[level], 0, tag);
    if (level == 0) {
        if (replaced != SLOT_NONE)
            prefix_counts_remove_l4(&stc->prefixes, replaced);
        prefix_counts_add_l4(&stc->prefixes, tag);
        return;
    }
    unsigned below = level == 1 ? 0 : PWC_INDEX_BITS;
    if (replaced != SLOT_NONE)
        prefix_counts_remove(&stc->prefixes, replaced >> below);
    prefix_counts_add(&stc->prefixes, tag >> below);
}

/* Addresses are never redundant. An L4 or L3 index is stored in the tags of its own bank and of all
 * banks below; all copies but one are. */
static void count_duplicates(struct stc *stc)
{
    uint64_t l4 = stc->banks[0].used, l3 = stc->banks[1].used, l2 = stc->banks[2].used;
    uint64_t l3_distinct = prefix_counts_l3_distinct(&stc->prefixes);
    uint64_t again = l4 + l3 + l2 - stc->prefixes.l4_distinct + l3 + l2 - l3_distinct;
    stc->base.stored_bits =
        (l4 + l3 + l2) * PWC_ADDRESS_BITS + (l4 + 2 * l3 + 3 * l2) * PWC_INDEX_BITS;
    stc->base.duplicate_bits = again * PWC_INDEX_BITS;
}

struct stc_tags {
    uint32_t of[PWC_HIT_L2];
};

static struct stc_tags tags_of(struct page_indices indices)
{
    uint32_t l3 = (uint32_t)indices.l4 << 9 | indices.l3;
    return (struct stc_tags){{indices.l4, l3, l3 << 9 | indices.l2}};
}

static enum pwc_hit stc_walk(struct pwc *pwc, struct page_indices indices, enum pwc_hit depth)
{
    struct stc *stc = (struct stc *)pwc;
    const struct stc_tags tags = tags_of(indices);
    int hit = PWC_HIT_NONE;
    for (int level = 0; level < (int)depth; level++)
        if (lru_bank_touch(&stc->banks[level], 0, tags.of[level]) != SLOT_NONE)
            hit = level + 1;
    if (hit == (int)depth)
        return depth;
    for (int level = hit; level < (int)depth; level++)
        stc_fill(stc, level, tags.of[level]);
    count_duplicates(stc);
    return (enum pwc_hit)hit;
}

static enum pwc_hit stc_probe(const struct pwc *pwc, struct page_indices indices,
                              enum pwc_hit depth)
{
    const struct stc *stc = (const struct stc *)pwc;
    const struct stc_tags tags = tags_of(indices);
    int hit = (int)depth;
    while (hit && directory_find(&stc->banks[hit - 1].tags, tags.of[hit - 1]) == SLOT_NONE)
        hit--;
    return (enum pwc_hit)hit;
}

static void stc_visit(const struct pwc *pwc, pwc_visitor visitor, void *argument)
{
    const struct stc *stc = (const struct stc *)pwc;
    for (enum pwc_hit level = PWC_HIT_L4; level <= PWC_HIT_L2; level++)
        for (uint32_t slot = 0; slot < stc->banks[level - 1].used; slot++) {
            char place[PWC_TEXT / 2], text[PWC_TEXT];
            struct page_indices path = pwc_tag_path(stc->banks[level - 1].tags.keys[slot], level);
            snprintf(place, sizeof place, "L%d[%u]", PAGE_LEVELS + 1 - (int)level, slot);
            pwc_entry_text(place, path, level, text);
            visitor(argument, &(struct pwc_entry){level, path, text});
        }
}

const struct pwc_kind pwc_stc = {.name = "stc",
                                 .arrays = stc_arrays,
                                 .size = sizeof(struct stc),
                                 .init = stc_init,
                                 .walk = stc_walk,
                                 .probe = stc_probe,
                                 .lookup = pwc_lookup_parallel,
                                 .visit = stc_visit};
