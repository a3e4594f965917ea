#include "model/cache/pc_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum status pc_table_launch(struct pc_table *table, const char *name)
{
    name = name ? name : "";
    if (table->kernel < table->kernel_count && !strcmp(table->kernels[table->kernel], name))
        return STATUS_OK; /* usually the same kernel as before */
    for (table->kernel = 0; table->kernel < table->kernel_count; table->kernel++)
        if (!strcmp(table->kernels[table->kernel], name))
            return STATUS_OK;
    if (table->kernel == PCS_MOST)
        return STATUS_OK;
    if (array_reserve(&table->kernels, &table->kernel_capacity, table->kernel_count + 1))
        return STATUS_MEMORY;
    char *copy = strdup(name);
    if (!copy)
        return STATUS_MEMORY;
    table->kernels[table->kernel_count++] = copy;
    return STATUS_OK;
}

const char *pc_table_kernel(const struct pc_table *table, const struct pc_count *count)
{
    return count->kernel < table->kernel_count ? table->kernels[count->kernel] : "";
}

struct pc_count *pc_table_at(struct pc_table *table, uint32_t pc, uint8_t op)
{
    const struct pc_count wanted = {.pc = pc, .kernel = (uint16_t)table->kernel, .op = op};
    if (table->kernel == PCS_MOST)
        return &table->others;
    const uint64_t key = (uint64_t)wanted.kernel << 40 | (uint64_t)op << 32 | pc;
    uint32_t number = key_table_find(&table->numbers, key);
    if (number != KEY_NONE)
        return &table->items[number];
    if (table->count == PCS_MOST)
        return &table->others;
    if (array_reserve(&table->items, &table->capacity, table->count + 1) ||
        key_table_add(&table->numbers, key, &number))
        return NULL;
    table->items[table->count] = wanted;
    return &table->items[table->count++];
}

void pc_count_add(struct pc_count *sum, const struct pc_count *count)
{
    sum->accesses += count->accesses;
    sum->misses += count->misses;
    for (size_t i = 0; i < MISS_CLASSES; i++)
        sum->classes[i] += count->classes[i];
    sum->pending += count->pending;
    sum->loads += count->loads;
    sum->load_cycles += count->load_cycles;
    sum->stalls += count->stalls;
    sum->taken += count->taken;
    sum->bypassed += count->bypassed;
    sum->evicted += count->evicted;
    sum->rehits += count->rehits;
    sum->passing += count->passing;
    sum->missing += count->missing;
    sum->executions.count += count->executions.count;
    sum->executions.shares += count->executions.shares;
    sum->executions.squares += count->executions.squares;
    if (count->since && (!sum->since || count->since < sum->since))
        sum->since = count->since;
}

enum status pc_table_add(struct pc_table *table, const struct pc_table *other)
{
    for (size_t i = 0; i < other->count; i++) {
        const struct pc_count *count = &other->items[i];
        if (pc_table_launch(table, pc_table_kernel(other, count)))
            return STATUS_MEMORY;
        struct pc_count *sum = pc_table_at(table, count->pc, count->op);
        if (!sum)
            return STATUS_MEMORY;
        pc_count_add(sum, count);
    }
    pc_count_add(&table->others, &other->others);
    return STATUS_OK;
}

double pc_executions_mean(const struct pc_executions *executions)
{
    return executions->count ? executions->shares / (double)executions->count : NAN;
}

double pc_executions_error(const struct pc_executions *executions, uint64_t sample)
{
    if (!executions->count || !sample)
        return NAN;
    const double mean = pc_executions_mean(executions);
    const double variance = executions->squares / (double)executions->count - mean * mean;
    return variance > 0 ? sqrt(variance / (double)sample) : 0;
}

static int compare_counts(const void *a, const void *b)
{
    const struct pc_count *left = a, *right = b;
    if (left->stalls != right->stalls)
        return left->stalls > right->stalls ? -1 : 1;
    if (left->misses != right->misses)
        return left->misses > right->misses ? -1 : 1;
    if (left->accesses != right->accesses)
        return left->accesses > right->accesses ? -1 : 1;
    if (left->kernel != right->kernel)
        return left->kernel < right->kernel ? -1 : 1;
    if (left->pc != right->pc)
        return left->pc < right->pc ? -1 : 1;
    return left->op < right->op ? -1 : left->op > right->op;
}

void pc_table_sort(struct pc_table *table)
{
    key_table_free(&table->numbers);
    if (table->count)
        qsort(table->items, table->count, sizeof *table->items, compare_counts);
}

void pc_table_free(struct pc_table *table)
{
    free(table->items);
    key_table_free(&table->numbers);
    for (size_t i = 0; i < table->kernel_count; i++)
        free(table->kernels[i]);
    free(table->kernels);
    *table = (struct pc_table){0};
}
