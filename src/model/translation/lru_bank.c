#include "model/translation/lru_bank.h"

enum status lru_bank_init(struct lru_bank *bank, struct arrays *arrays, uint64_t entries,
                          uint64_t ways)
{
    if (!entries || entries > UINT16_MAX + 1u || !ways || entries % ways)
        return STATUS_INVALID;
    const uint32_t sets = (uint32_t)(entries / ways);
    bank->entries = (uint32_t)entries;
    bank->ways = (uint32_t)ways;
    bank->used = 0;
    arrays_add(arrays, &bank->filled, sets, sizeof *bank->filled);
    directory_init(&bank->tags, arrays, bank->entries);
    links_add(arrays, &bank->recency, bank->entries + sets);
    return arrays->failed ? STATUS_MEMORY : STATUS_OK;
}

uint32_t lru_bank_touch(struct lru_bank *bank, uint32_t set, uint32_t key)
{
    uint32_t slot = directory_find(&bank->tags, key);
    if (slot != SLOT_NONE)
        links_move_first(bank->recency, slot, bank->entries + set);
    return slot;
}

uint32_t lru_bank_fill(struct lru_bank *bank, uint32_t set, uint32_t key)
{
    uint32_t slot, replaced = SLOT_NONE;
    if (bank->filled[set] < bank->ways) {
        slot = set * bank->ways + bank->filled[set]++;
        bank->used++;
    } else {
        slot = bank->recency[bank->entries + set].previous;
        replaced = bank->tags.keys[slot];
        directory_remove(&bank->tags, slot);
    }
    directory_add(&bank->tags, slot, key);
    links_move_first(bank->recency, slot, bank->entries + set);
    return replaced;
}
