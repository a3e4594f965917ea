#include "model/translation/directory.h"

enum status directory_init(struct directory *directory, uint32_t slots)
{
    uint32_t buckets = 16;
    while (buckets < slots)
        buckets *= 2;
    directory->mask = buckets - 1;
    directory->buckets = malloc(buckets * sizeof *directory->buckets);
    directory->next = malloc(slots * sizeof *directory->next);
    directory->keys = malloc(slots * sizeof *directory->keys);
    if (!directory->buckets || !directory->next || !directory->keys)
        return STATUS_MEMORY;
    for (uint32_t i = 0; i < buckets; i++)
        directory->buckets[i] = SLOT_NONE;
    return STATUS_OK;
}

void directory_free(struct directory *directory)
{
    free(directory->buckets);
    free(directory->next);
    free(directory->keys);
}

/* Fibonacci hashing: page indices differ in their low bits, the product's high bits mix them. */
static uint32_t *chain_of(const struct directory *directory, uint32_t key)
{
    return &directory->buckets[(key * 0x9e3779b1u >> 8) & directory->mask];
}

uint32_t directory_find(const struct directory *directory, uint32_t key)
{
    uint32_t slot = *chain_of(directory, key);
    while (slot != SLOT_NONE && directory->keys[slot] != key)
        slot = directory->next[slot];
    return slot;
}

void directory_add(struct directory *directory, uint32_t slot, uint32_t key)
{
    uint32_t *chain = chain_of(directory, key);
    directory->keys[slot] = key;
    directory->next[slot] = *chain;
    *chain = slot;
}

void directory_remove(struct directory *directory, uint32_t slot)
{
    uint32_t *link = chain_of(directory, directory->keys[slot]);
    while (*link != slot)
        link = &directory->next[*link];
    *link = directory->next[slot];
}
