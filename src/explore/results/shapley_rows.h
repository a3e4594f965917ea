/* Internal to explore/results/shapley.h: orders of axes, and rows sorted by them. */
#pragma once

#include "explore/results/shapley.h"

struct keyed {
    uint64_t key;
    double value;  /* less the mean */
    uint32_t part; /* one of SHAPLEY_PARTS, by chance */
};

enum { SHAPLEY_PARTS = 10 };

double shapley_mean(const struct shapley_table *table);
/* Rows times variance; 0 if the values only differ by rounding. */
double shapley_total(const struct shapley_table *table, double mean);

/* How many orders to draw: as many as sort this many rows, within limits. */
size_t shapley_order_count(const struct shapley_table *table, size_t rows);
/* Draws an order. */
void shapley_order(size_t number, size_t axes, size_t *order);
/* Rows whose axes come in this order, the first slowest, sorted. */
void shapley_sort(const struct shapley_table *table, const size_t *order, double mean,
                  struct keyed *rows);
