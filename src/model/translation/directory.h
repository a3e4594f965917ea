/* What fully associative hardware does in one cycle, done in constant time: find the slot that
 * holds a key. Slots are numbered from 0. (base/links.h knows which was used longest ago.) */
#pragma once

#include <stdint.h>
#include <stdlib.h>

#include "base/status.h"

#define SLOT_NONE UINT32_MAX

/* Which slot holds which key: a hash table whose chains run through the slots themselves, so that
 * it is allocated once and never grows. No two slots hold one key. */
struct directory {
    uint32_t *buckets, *next, *keys;
    uint32_t mask;
};

enum status directory_init(struct directory *directory, uint32_t slots);
void directory_free(struct directory *directory);
uint32_t directory_find(const struct directory *directory, uint32_t key); /* or SLOT_NONE */
void directory_add(struct directory *directory, uint32_t slot, uint32_t key);
void directory_remove(struct directory *directory, uint32_t slot);
