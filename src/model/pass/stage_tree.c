#include "model/pass/stage_tree.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/cache/cache_watch.h"
#include "model/pass/stages_state.h"

static const struct stage_ops *const stage_rows[STAGE_COUNT] = {
#define STAGE_ROW(id, ...) [STAGE_INDEX_##id] = &stage_ops_##id,
    PASS_STAGE_LIST(STAGE_ROW)
#undef STAGE_ROW
};

/* The next row after number *i (-1: the first) that a pass has; NULL after the last. */
static const struct stage_ops *next_row(int *i)
{
    while (++*i < STAGE_COUNT)
        if (stage_rows[*i])
            return stage_rows[*i];
    return NULL;
}

enum status stages_create(unsigned needs, enum pass_share share, bool grids, struct stages **result)
{
    struct stages *stages = calloc(1, sizeof *stages);
    *result = stages;
    if (!stages)
        return STATUS_MEMORY;
    stages->needs = needs;
    stages->share = share;
    stages->grids = grids;
    const struct stage_ops *row;
    for (int i = -1; (row = next_row(&i));)
        if (!(stages->own[i] = calloc(1, row->state_size))) {
            stages_free(stages);
            *result = NULL;
            return STATUS_MEMORY;
        }
    return STATUS_OK;
}

void stages_free(struct stages *stages)
{
    const struct stage_ops *row;
    if (!stages)
        return;
    for (int i = -1; (row = next_row(&i));) {
        if (stages->own[i])
            row->free(stages);
        free(stages->own[i]);
    }
    free(stages->leaves);
    free(stages);
}

void stages_see(struct stages *stages, const struct tile_stream *tiles)
{
    stages->tiles = tiles;
}

void stages_record(struct stages *stages, const struct request_logs *logs)
{
    stages->logs = *logs;
}

void stages_count_pcs(struct stages *stages, struct pc_table *pcs)
{
    stages->pcs = pcs;
}

int stages_find_node(const void *nodes, size_t count, size_t size, const struct node *wanted,
                     unsigned stage)
{
    for (size_t i = 0; i < count; i++) {
        const struct node *node = (const void *)((const char *)nodes + i * size);
        if (node->key == wanted->key && node->parent == wanted->parent &&
            machine_same(node->machine, wanted->machine, stage))
            return (int)i;
    }
    return NO_NODE;
}

enum status stages_add(struct stages *stages, const struct machine *machine, size_t *leaf)
{
    if (array_reserve(&stages->leaves, &stages->leaf_capacity, stages->leaf_count + 1))
        return STATUS_MEMORY;
    struct leaf added = {.machine = machine};
    for (size_t i = 0; i < STAGE_COUNT; i++)
        added.places[i].node = NO_NODE;
    enum status status = STATUS_OK;
    const struct stage_ops *row;
    for (int i = -1; !status && (row = next_row(&i));)
        status = row->add(stages, machine, &added);
    *leaf = stages->leaf_count;
    if (!status)
        stages->leaves[stages->leaf_count++] = added;
    return status;
}

enum status stages_watch(struct stages *stages, unsigned stage, const struct set_watching *watching)
{
    const struct stage_ops *row = stage_rows[stage_index(stage)];
    struct cache *cache = row && row->watched ? row->watched(stages) : NULL;
    return cache ? cache_watch(cache, watching) : STATUS_UNSUPPORTED;
}

bool stages_read(enum feed feed, const struct machine *const *machines, size_t count)
{
    const struct stage_ops *row;
    for (int i = -1; (row = next_row(&i));)
        for (size_t k = 0; row->feed == feed && k < count; k++)
            if (machine_has(machines[k], 1u << i))
                return true;
    return false;
}

enum status stages_launch(struct stages *stages, const struct trace_launch *launch)
{
    enum status status = STATUS_OK;
    const struct stage_ops *row;
    for (int i = -1; !status && (row = next_row(&i));)
        status = row->launch ? row->launch(stages, launch) : STATUS_OK;
    return status;
}

enum status stages_run(struct stages *stages, enum feed feed, const struct request *requests,
                       size_t count, struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    const struct stage_ops *row;
    for (int i = -1; !status && (row = next_row(&i));)
        if (row->feed == feed && row->run)
            status = row->run(stages, requests, count, diagnostics);
    return status;
}

void stages_count(struct stages *stages, bool counted)
{
    const struct stage_ops *row;
    for (int i = -1; (row = next_row(&i));)
        if (row->count)
            row->count(stages, counted);
}

enum status stages_assume(struct stages *stages, bool emptied)
{
    enum status status = STATUS_OK;
    const struct stage_ops *row;
    for (int i = -1; !status && (row = next_row(&i));)
        status = row->assume ? row->assume(stages, emptied) : STATUS_OK;
    return status;
}

enum status stages_finish(struct stages *stages)
{
    enum status status = STATUS_OK;
    for (size_t i = STAGE_COUNT; i-- > 0 && !status;)
        if (stage_rows[i] && stage_rows[i]->finish)
            status = stage_rows[i]->finish(stages);
    return status;
}

void stages_metrics(const struct stages *stages, size_t number, struct metrics *metrics)
{
    const struct stage_ops *row;
    for (int i = -1; (row = next_row(&i));)
        if (row->put)
            row->put(stages, &stages->leaves[number], metrics);
}
