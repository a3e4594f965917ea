#include "explore/plan/balance.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/rng.h"

/* Scores that differ by less are equal: they were added up in different orders. */
#define SAME 1e-9

struct fill {
    size_t cell;
    double amount;
};

struct item {
    size_t end; /* of its fills */
    double cost;
};

struct balance {
    size_t cells;
    double *there, *total; /* by cell; total: of all items, and what was there before */
    double *filling;       /* by cell: the item that is being made */
    size_t *touched, touched_count;
    struct fill *fills;
    size_t fill_count, fill_capacity;
    struct item *items;
    size_t item_count, item_capacity;
};

struct balance *balance_create(size_t cells)
{
    struct balance *balance = calloc(1, sizeof *balance);
    if (!balance)
        return NULL;
    balance->cells = cells;
    balance->there = calloc(cells + 1, sizeof *balance->there);
    balance->total = calloc(cells + 1, sizeof *balance->total);
    balance->filling = calloc(cells + 1, sizeof *balance->filling);
    balance->touched = calloc(cells + 1, sizeof *balance->touched);
    if (balance->there && balance->total && balance->filling && balance->touched)
        return balance;
    balance_free(balance);
    return NULL;
}

void balance_free(struct balance *balance)
{
    if (!balance)
        return;
    free(balance->there);
    free(balance->total);
    free(balance->filling);
    free(balance->touched);
    free(balance->fills);
    free(balance->items);
    free(balance);
}

void balance_there(struct balance *balance, size_t cell, double amount)
{
    balance->there[cell] += amount;
    balance->total[cell] += amount;
}

void balance_fill(struct balance *balance, size_t cell, double amount)
{
    if (!(amount > 0))
        return;
    if (balance->filling[cell] <= 0)
        balance->touched[balance->touched_count++] = cell;
    balance->filling[cell] += amount;
}

enum status balance_item(struct balance *balance, double cost)
{
    const size_t count = balance->touched_count;
    if (array_reserve(&balance->fills, &balance->fill_capacity, balance->fill_count + count + 1) ||
        array_reserve(&balance->items, &balance->item_capacity, balance->item_count + 1))
        return STATUS_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const size_t cell = balance->touched[i];
        balance->fills[balance->fill_count++] = (struct fill){cell, balance->filling[cell]};
        balance->total[cell] += balance->filling[cell];
        balance->filling[cell] = 0;
    }
    balance->touched_count = 0;
    balance->items[balance->item_count++] = (struct item){balance->fill_count, cost};
    return STATUS_OK;
}

struct candidate {
    size_t place; /* among those left */
    double fresh; /* cells of which nothing is there yet; for each unit of cost where it has one */
    double score; /* by how much the sum of squares grows for each share that is added */
    double cost;
    uint64_t lot;
};

static struct candidate candidate_of(const struct balance *balance, size_t place, size_t item,
                                     uint64_t lot)
{
    struct candidate found = {.place = place, .cost = balance->items[item].cost, .lot = lot};
    double growth = 0, added = 0;
    for (size_t i = item ? balance->items[item - 1].end : 0; i < balance->items[item].end; i++) {
        const struct fill *fill = &balance->fills[i];
        const double total = balance->total[fill->cell], share = fill->amount / total;
        growth += share * (2 * balance->there[fill->cell] / total + share);
        added += share;
        found.fresh += balance->there[fill->cell] <= 0;
    }
    if (found.cost > 0)
        found.fresh /= found.cost;
    found.score = added > 0 ? growth / added : 0;
    return found;
}

static bool is_better(const struct candidate *a, const struct candidate *b)
{
    if (fabs(a->fresh - b->fresh) > SAME * (a->fresh + b->fresh))
        return a->fresh > b->fresh;
    if (fabs(a->score - b->score) > SAME * (a->score + b->score))
        return a->score < b->score;
    if (a->cost < b->cost || b->cost < a->cost)
        return a->cost < b->cost;
    return a->lot < b->lot;
}

static size_t balance_choose(const struct balance *balance, const size_t *left, size_t count,
                             uint64_t seed)
{
    const bool all = count <= BALANCE_ALL;
    struct candidate best = {.cost = -1};
    for (size_t i = 0; i < (all ? count : BALANCE_DRAWN); i++) {
        const uint64_t lot = random_at(seed, i);
        const size_t place = all ? i : random_below(lot, count);
        const struct candidate found = candidate_of(balance, place, left[place], lot);
        if (best.cost < 0 || is_better(&found, &best))
            best = found;
    }
    return best.place;
}

enum status balance_order(struct balance *balance, uint64_t seed, size_t *order)
{
    size_t count = balance->item_count, *left = malloc((count + 1) * sizeof *left);
    if (!left)
        return STATUS_MEMORY;
    for (size_t i = 0; i < count; i++)
        left[i] = i;
    for (size_t i = 0; i < balance->item_count; i++) {
        const size_t place = balance_choose(balance, left, count, random_at(seed, i)),
                     item = left[place];
        order[i] = item;
        left[place] = left[--count];
        for (size_t f = item ? balance->items[item - 1].end : 0; f < balance->items[item].end; f++)
            balance->there[balance->fills[f].cell] += balance->fills[f].amount;
    }
    balance->item_count = balance->fill_count = 0;
    free(left);
    return STATUS_OK;
}
