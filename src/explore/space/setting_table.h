/* Numbers distinct values in the order in which they are met: 0, 1, 2, and so on. The table does
 * not hold the values; it holds an item that stands for each and asks the caller to compare items.
 * A lookup takes one hash table probe on average. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct setting_table;

struct setting_table *setting_table_create(void);     /* NULL if out of memory */
void setting_table_free(struct setting_table *table); /* NULL is allowed */
size_t setting_table_count(const struct setting_table *table);

/* The number of the value that `item` has. `hash` is the hash of that value. same(argument, other)
 * must tell whether `other`, an item given earlier with an equal hash, has the same value. */
enum status setting_table_number(struct setting_table *table, uint64_t hash, uint32_t item,
                                 bool (*same)(void *argument, uint32_t other), void *argument,
                                 uint32_t *number);
