/* The compressed page-walk cache: a tree that stores each L4 and L3 index only once.
 *
 * L4 and L3 entries are direct-mapped by their lowest index bits; the L3 slot is chosen by bits of
 * the L4 and the L3 index together (paper, section 3.2). The L2 level is split into fully
 * associative blocks. The mask of an L3 entry names the blocks that belong to it, and a walk hits
 * L2 only in those.
 *
 * What the paper leaves open is decided as follows:
 * - An L3 entry whose blocks are full takes another block and sets another mask bit.
 * - A free block is taken if there is one: the one freed last, else the lowest number. Otherwise it
 *   is the least recently used block. If the entry owns that block, only the block's least recently
 *   used entry is replaced. If another entry owns it, the mask bit moves and the block is emptied.
 *   With blocks of one entry this is LRU over the whole L2 level.
 * - An L3 entry holds only the 9 bits of its own index. So replacing an L4 entry must drop its L3
 *   entries, and dropping an L3 entry must drop its blocks: `invalidate`. Without it they stay, an
 *   L3 entry inherits the mask of the one it replaces, and walks may hit entries of another path:
 *   wrong translations, kept to measure what the omission would gain.
 *
 * Time per walk is constant, except that dropping an entry is linear in what it owned. */
#include <string.h>

#include "base/bits.h"
#include "base/links.h"
#include "model/translation/directory.h"
#include "model/translation/pwc_member.h"

enum { TAG_NONE = 0xffff };

struct cpwc {
    struct pwc base;
    int invalidate;
    uint32_t l4_entries, l3_entries;
    uint32_t l3_each; /* L3 slots per L4 slot */
    uint32_t blocks, block_entries;
    uint16_t *l4_tags, *l3_tags; /* [slot]: index, or TAG_NONE */
    uint32_t *open;              /* [L3 slot]: its block with room, or SLOT_NONE */
    uint32_t *owner;             /* [block]: the L3 slot whose mask names it, or SLOT_NONE */
    uint32_t *used;              /* [block]: entries filled, in order */
    struct link *owned; /* per L3 slot, list of its blocks; node blocks + slot is the head */
    struct link *block_recency; /* list of blocks, free ones last; node `blocks` is the head */
    struct link
        *entry_recency;    /* per block, list of its entries; node entries + block is the head */
    char *text;            /* scratch for visits: a mask has one character per block */
    struct directory tags; /* maps L3 slot and L2 index to entry = block x size + place */
};

uint64_t cpwc_block_entries(const struct pwc_config *config)
{
    return config->mask == PWC_MASK_FORMULA ? 1 : config->block_entries;
}

uint64_t cpwc_blocks(const struct pwc_config *config)
{
    return config->entries / cpwc_block_entries(config);
}

/* (2 + 4 + N) x 74 + 4 N bits in the paper, whose mask has N bits: 78 N + 444. Blocks of one entry
 * are one searched memory, because each entry has a comparator of its own anyway. */
static size_t cpwc_arrays(const struct pwc_config *config,
                          struct memory_array arrays[MEMORY_ARRAYS])
{
    const uint64_t blocks = cpwc_blocks(config), entries = cpwc_block_entries(config);
    arrays[0] = (struct memory_array){.name = "L4 entries",
                                      .kind = MEMORY_RAM,
                                      .count = 1,
                                      .entries = config->l4_entries,
                                      .payload_bits = PWC_ENTRY_BITS};
    arrays[1] = (struct memory_array){.name = "L3 entries with masks",
                                      .kind = MEMORY_RAM,
                                      .count = 1,
                                      .entries = config->l3_entries,
                                      .payload_bits = PWC_ENTRY_BITS + blocks};
    arrays[2] = (struct memory_array){.name = "L2 entries of a block",
                                      .kind = MEMORY_SEARCHED,
                                      .count = entries == 1 ? 1 : blocks,
                                      .all_accessed = true,
                                      .entries = entries == 1 ? blocks : entries,
                                      .key_bits = PWC_INDEX_BITS + 1,
                                      .payload_bits = PWC_ADDRESS_BITS};
    return 3;
}

static int config_is_legal(const struct pwc_config *config)
{
    return config->entries && config->entries <= PWC_ENTRIES_MAX && config->block_entries &&
           config->entries % cpwc_block_entries(config) == 0 &&
           is_power_of_two(config->l4_entries) && is_power_of_two(config->l3_entries) &&
           config->l4_entries <= 512 && config->l3_entries <= 4096 &&
           config->l3_entries >= config->l4_entries;
}

static void cpwc_allocate(struct cpwc *cpwc)
{
    struct arrays *arrays = &cpwc->base.arrays;
    const uint32_t entries = cpwc->blocks * cpwc->block_entries;
    arrays_add(arrays, &cpwc->l4_tags, cpwc->l4_entries, sizeof *cpwc->l4_tags);
    arrays_add(arrays, &cpwc->l3_tags, cpwc->l3_entries, sizeof *cpwc->l3_tags);
    arrays_add(arrays, &cpwc->open, cpwc->l3_entries, sizeof *cpwc->open);
    arrays_add(arrays, &cpwc->owner, cpwc->blocks, sizeof *cpwc->owner);
    arrays_add(arrays, &cpwc->used, cpwc->blocks, sizeof *cpwc->used);
    arrays_add(arrays, &cpwc->text, cpwc->blocks + PWC_TEXT, 1);
    links_add(arrays, &cpwc->owned, cpwc->blocks + cpwc->l3_entries);
    links_add(arrays, &cpwc->block_recency, cpwc->blocks + 1);
    links_add(arrays, &cpwc->entry_recency, entries + cpwc->blocks);
    directory_init(&cpwc->tags, arrays, entries);
}

static enum status cpwc_init(const struct pwc_config *config, struct pwc *pwc)
{
    struct cpwc *cpwc = (struct cpwc *)pwc;
    if (!config_is_legal(config))
        return STATUS_INVALID;
    cpwc->invalidate = config->invalidate;
    cpwc->l4_entries = (uint32_t)config->l4_entries;
    cpwc->l3_entries = (uint32_t)config->l3_entries;
    cpwc->l3_each = cpwc->l3_entries / cpwc->l4_entries;
    cpwc->block_entries = (uint32_t)cpwc_block_entries(config);
    cpwc->blocks = (uint32_t)cpwc_blocks(config);
    cpwc_allocate(cpwc);
    if (pwc->arrays.failed)
        return STATUS_MEMORY;
    for (uint32_t i = 0; i < cpwc->l4_entries; i++)
        cpwc->l4_tags[i] = TAG_NONE;
    for (uint32_t i = 0; i < cpwc->l3_entries; i++) {
        cpwc->l3_tags[i] = TAG_NONE;
        cpwc->open[i] = SLOT_NONE;
    }
    for (uint32_t block = 0; block < cpwc->blocks; block++) {
        cpwc->owner[block] = SLOT_NONE;
        links_move_first(cpwc->block_recency, block, cpwc->blocks);
    }
    return STATUS_OK;
}

static uint32_t entries_head(const struct cpwc *cpwc, uint32_t block)
{
    return cpwc->blocks * cpwc->block_entries + block;
}

/* Clears the mask bit of a block and drops its entries. */
static void release_block(struct cpwc *cpwc, uint32_t block)
{
    uint32_t slot = cpwc->owner[block];
    uint32_t first = block * cpwc->block_entries;
    for (uint32_t i = 0; i < cpwc->used[block]; i++) {
        directory_remove(&cpwc->tags, first + i);
        links_detach(cpwc->entry_recency, first + i);
    }
    cpwc->used[block] = 0;
    cpwc->owner[block] = SLOT_NONE;
    if (cpwc->open[slot] == block)
        cpwc->open[slot] = SLOT_NONE;
    links_detach(cpwc->owned, block);
    links_move_last(cpwc->block_recency, block, cpwc->blocks);
}

static void drop_l3(struct cpwc *cpwc, uint32_t slot)
{
    uint32_t head = cpwc->blocks + slot;
    while (cpwc->owned[head].next != head)
        release_block(cpwc, cpwc->owned[head].next);
    cpwc->l3_tags[slot] = TAG_NONE;
}

static void fill_l4(struct cpwc *cpwc, uint32_t id, uint16_t tag)
{
    if (cpwc->invalidate && cpwc->l4_tags[id] != TAG_NONE)
        for (uint32_t i = 0; i < cpwc->l3_each; i++)
            drop_l3(cpwc, id * cpwc->l3_each + i);
    cpwc->l4_tags[id] = tag;
}

static void fill_l3(struct cpwc *cpwc, uint32_t slot, uint16_t tag)
{
    if (cpwc->invalidate)
        drop_l3(cpwc, slot);
    cpwc->l3_tags[slot] = tag;
}

/* A block of `slot` with room, or one whose least recently used entry is to be replaced. */
static uint32_t claim_block(struct cpwc *cpwc, uint32_t slot)
{
    if (cpwc->open[slot] != SLOT_NONE)
        return cpwc->open[slot];
    uint32_t block = cpwc->block_recency[cpwc->blocks].previous;
    if (cpwc->owner[block] == slot)
        return block;
    if (cpwc->owner[block] != SLOT_NONE)
        release_block(cpwc, block);
    cpwc->owner[block] = slot;
    cpwc->open[slot] = block;
    links_move_first(cpwc->owned, block, cpwc->blocks + slot);
    return block;
}

static void touch_entry(struct cpwc *cpwc, uint32_t entry)
{
    uint32_t block = entry / cpwc->block_entries;
    links_move_first(cpwc->entry_recency, entry, entries_head(cpwc, block));
    links_move_first(cpwc->block_recency, block, cpwc->blocks);
}

static uint32_t fill_l2(struct cpwc *cpwc, uint32_t slot, uint32_t key)
{
    uint32_t block = claim_block(cpwc, slot);
    uint32_t entry;
    if (cpwc->used[block] < cpwc->block_entries) {
        entry = block * cpwc->block_entries + cpwc->used[block]++;
        if (cpwc->used[block] == cpwc->block_entries)
            cpwc->open[slot] = SLOT_NONE;
    } else {
        entry = cpwc->entry_recency[entries_head(cpwc, block)].previous;
        directory_remove(&cpwc->tags, entry);
    }
    directory_add(&cpwc->tags, entry, key);
    return entry;
}

/* From the root down, because a fill drops what hangs below the entry that it replaces: a lower
 * entry that is found afterwards is one of this path. */
static enum pwc_hit cpwc_walk(struct pwc *pwc, struct page_indices indices, enum pwc_hit depth)
{
    struct cpwc *cpwc = (struct cpwc *)pwc;
    uint32_t id = indices.l4 & (cpwc->l4_entries - 1);
    uint32_t slot = id * cpwc->l3_each + (indices.l3 & (cpwc->l3_each - 1));
    enum pwc_hit hit = PWC_HIT_NONE;
    if (cpwc->l4_tags[id] != indices.l4)
        fill_l4(cpwc, id, indices.l4);
    else
        hit = PWC_HIT_L4;
    if (hit == PWC_HIT_L4 && cpwc->l3_tags[slot] == indices.l3)
        hit = PWC_HIT_L3;
    else
        fill_l3(cpwc, slot, indices.l3);
    if (depth < PWC_HIT_L2)
        return hit;
    /* Without invalidation the key may be present although L4 or L3 missed. */
    uint32_t key = slot << 9 | indices.l2;
    uint32_t entry = directory_find(&cpwc->tags, key);
    if (entry == SLOT_NONE)
        entry = fill_l2(cpwc, slot, key);
    else if (hit == PWC_HIT_L3)
        hit = PWC_HIT_L2;
    touch_entry(cpwc, entry);
    return hit;
}

static enum pwc_hit cpwc_probe(const struct pwc *pwc, struct page_indices indices,
                               enum pwc_hit depth)
{
    const struct cpwc *cpwc = (const struct cpwc *)pwc;
    uint32_t id = indices.l4 & (cpwc->l4_entries - 1);
    uint32_t slot = id * cpwc->l3_each + (indices.l3 & (cpwc->l3_each - 1));
    if (cpwc->l4_tags[id] != indices.l4)
        return PWC_HIT_NONE;
    if (cpwc->l3_tags[slot] != indices.l3)
        return PWC_HIT_L4;
    bool found =
        depth == PWC_HIT_L2 && directory_find(&cpwc->tags, slot << 9 | indices.l2) != SLOT_NONE;
    return found ? PWC_HIT_L2 : PWC_HIT_L3;
}

static struct page_indices slot_path(const struct cpwc *cpwc, uint32_t slot)
{
    return (struct page_indices){.l4 = cpwc->l4_tags[slot / cpwc->l3_each],
                                 .l3 = cpwc->l3_tags[slot]};
}

static void visit_upper(const struct cpwc *cpwc, pwc_visitor visitor, void *argument)
{
    char text[PWC_TEXT];
    for (uint32_t id = 0; id < cpwc->l4_entries; id++) {
        struct page_indices path = {.l4 = cpwc->l4_tags[id]};
        snprintf(text, sizeof text, "L4[%u] %u", id, path.l4);
        if (path.l4 != TAG_NONE)
            visitor(argument, &(struct pwc_entry){PWC_HIT_L4, path, text});
    }
    for (uint32_t slot = 0; slot < cpwc->l3_entries; slot++) {
        if (cpwc->l3_tags[slot] == TAG_NONE)
            continue;
        struct page_indices path = slot_path(cpwc, slot);
        int length = snprintf(cpwc->text, PWC_TEXT, "L3[%u] %u mask ", slot, path.l3);
        for (uint32_t block = 0; block < cpwc->blocks; block++)
            cpwc->text[length++] = cpwc->owner[block] == slot ? '1' : '0';
        cpwc->text[length] = '\0';
        visitor(argument, &(struct pwc_entry){PWC_HIT_L3, path, cpwc->text});
    }
    memset(cpwc->text, 0, cpwc->blocks + PWC_TEXT); /* looking leaves no trace in a hash */
}

static void cpwc_visit(const struct pwc *pwc, pwc_visitor visitor, void *argument)
{
    const struct cpwc *cpwc = (const struct cpwc *)pwc;
    visit_upper(cpwc, visitor, argument);
    for (uint32_t block = 0; block < cpwc->blocks; block++)
        for (uint32_t i = 0; i < cpwc->used[block]; i++) {
            char text[PWC_TEXT];
            struct page_indices path = slot_path(cpwc, cpwc->owner[block]);
            path.l2 = cpwc->tags.keys[block * cpwc->block_entries + i] & 511;
            snprintf(text, sizeof text, "L2 block %u slot %u %u", block + 1, i + 1, path.l2);
            visitor(argument, &(struct pwc_entry){PWC_HIT_L2, path, text});
        }
}

const struct pwc_kind pwc_cpwc = {.name = "cpwc",
                                  .arrays = cpwc_arrays,
                                  .size = sizeof(struct cpwc),
                                  .init = cpwc_init,
                                  .walk = cpwc_walk,
                                  .probe = cpwc_probe,
                                  .lookup = pwc_lookup_parallel,
                                  .visit = cpwc_visit};
