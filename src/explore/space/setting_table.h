/* Numbers for distinct values: the first value met is 0, the next new one 1, and so on. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct setting_table;

struct setting_table *setting_table_create(void);     /* NULL: no memory */
void setting_table_free(struct setting_table *table); /* NULL is allowed */
size_t setting_table_count(const struct setting_table *table);

/* The number of the value that `item` has. `hash` is the value's; same(argument, other) tells
 * whether `other`, an item given before with an equal hash, has the same value. */
enum status setting_table_number(struct setting_table *table, uint64_t hash, uint32_t item,
                                 bool (*same)(void *argument, uint32_t other), void *argument,
                                 uint32_t *number);
