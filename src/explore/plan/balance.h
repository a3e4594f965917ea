/* Orders items so that whoever stops anywhere has seen every cell about equally far.
 *
 * An item fills cells: a task of a sweep, the values of the axes that its points have. How far a
 * cell is, is the share of all that fills it. The next item is the one whose cells are the least
 * far, so that the sum of the squares of the shares grows least (the greedy rule of discrepancy
 * theory: Spencer, "Balancing games", 1977); but as long as some cell has nothing, the one that
 * shows the most such cells for its cost (the greedy rule of set cover: Chvatal 1979). Of equal
 * ones it is the cheapest, then one by lot, so that axes are independent of each other.
 *
 * Cost: every item left is looked at for each place, of more than BALANCE_ALL a sample of
 * BALANCE_DRAWN. Memory is proportional to the cells that the items fill. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { BALANCE_ALL = 1024, BALANCE_DRAWN = 128 };

struct balance;

struct balance *balance_create(size_t cells); /* NULL if out of memory */
void balance_free(struct balance *balance);   /* NULL is allowed */

/* What a cell has before the first item. */
void balance_there(struct balance *balance, size_t cell, double amount);
/* Adds to what the next item fills. */
void balance_fill(struct balance *balance, size_t cell, double amount);
/* Ends the item; items are numbered from 0. Fails only with STATUS_MEMORY. */
enum status balance_item(struct balance *balance, double cost);

/* order[i] is the number of item i of the order. Depends on the items and the seed alone. What was
 * ordered is there from now on, and the next item is number 0 again. Fails only with
 * STATUS_MEMORY. */
enum status balance_order(struct balance *balance, uint64_t seed, size_t *order);
