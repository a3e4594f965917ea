#include "model/translation/lru_bank.h"

enum status lru_bank_init(struct lru_bank *bank, uint64_t entries, uint64_t ways)
{
    if (!entries || entries > UINT16_MAX + 1u || !ways || entries % ways)
        return STATUS_INVALID;
    const uint32_t sets = (uint32_t)(entries / ways);
    bank->entries = (uint32_t)entries;
    bank->ways = (uint32_t)ways;
    bank->used = 0;
    bank->filled = calloc(sets, sizeof *bank->filled);
    enum status status = bank->filled ? STATUS_OK : STATUS_MEMORY;
    status = status ? status : directory_init(&bank->tags, bank->entries);
    return status ? status : links_init(&bank->recency, bank->entries + sets);
}

void lru_bank_free(struct lru_bank *bank)
{
    directory_free(&bank->tags);
    free(bank->recency);
    free(bank->filled);
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
