#include "model/translation/lru_bank.h"

enum status lru_bank_init(struct lru_bank *bank, uint64_t entries)
{
    if (!entries || entries > UINT16_MAX + 1u)
        return STATUS_INVALID;
    bank->entries = (uint32_t)entries;
    bank->used = 0;
    enum status status = directory_init(&bank->tags, bank->entries);
    return status ? status : links_init(&bank->recency, bank->entries + 1);
}

void lru_bank_free(struct lru_bank *bank)
{
    directory_free(&bank->tags);
    free(bank->recency);
}

uint32_t lru_bank_touch(struct lru_bank *bank, uint32_t key)
{
    uint32_t slot = directory_find(&bank->tags, key);
    if (slot != SLOT_NONE)
        links_move_first(bank->recency, slot, bank->entries);
    return slot;
}

uint32_t lru_bank_fill(struct lru_bank *bank, uint32_t key)
{
    uint32_t slot = bank->used, replaced = SLOT_NONE;
    if (bank->used < bank->entries) {
        bank->used++;
    } else {
        slot = bank->recency[bank->entries].previous;
        replaced = bank->tags.keys[slot];
        directory_remove(&bank->tags, slot);
    }
    directory_add(&bank->tags, slot, key);
    links_move_first(bank->recency, slot, bank->entries);
    return replaced;
}
