#include "model/pass/blame.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/cache/cache_watch.h"
#include "model/evaluate_options.h"
#include "model/pass/stage_walk.h"
#include "schema/parameters.h"
#include "schema/stages.h"

/* Who watches one cache. */
struct watcher {
    struct blame *blame;
    struct blame_cache *cache;
    unsigned line_bits;
    const uint32_t *launch;  /* that runs; counted from 1 */
    const uint32_t *kernels; /* [launch]: the first launch of the same kernel */
};

/* The array of an address; array_count: none. */
static size_t array_of(const struct blame *blame, uint64_t address)
{
    size_t low = 0, high = blame->array_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (blame->arrays[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address - blame->arrays[low - 1].base < blame->arrays[low - 1].bytes
               ? low - 1
               : blame->array_count;
}

/* The row of a key; NULL: no memory. */
static struct blame_row *row_at(struct blame_table *table, uint64_t key)
{
    uint32_t number;
    if (key_table_number(&table->keys, key, &number) ||
        array_reserve(&table->rows, &table->capacity, (size_t)number + 1))
        return NULL;
    if (number == table->count)
        table->rows[table->count++] = (struct blame_row){.key = key};
    return &table->rows[number];
}

static void blame_add_step(struct blame_row *row, const struct cache_counts *counts, bool replaced)
{
    row->requests += counts->reads + counts->writes > 0;
    cache_add_counts(&row->counts, counts);
    row->evictions += replaced;
}

/* What a step counts. What a read misses in the near half it looks up again at home; only its hits,
 * and what had to leave, count here. */
static struct cache_counts step_counts(const struct set_step *step)
{
    struct cache_counts counts = *step->counts, passed = counts;
    if (!(step->request->flags & REQUEST_NEAR))
        return counts;
    passed.accesses = passed.reads = passed.read_misses;
    passed.writebacks = passed.write_bytes = 0;
    cache_subtract_counts(&counts, &passed);
    return counts;
}

static uint64_t step_pc(const struct watcher *watcher, const struct request *request,
                        uint32_t launch)
{
    const uint64_t op = request->flags & REQUEST_WALK ? BLAME_WALK : request->op;
    return (uint64_t)watcher->kernels[launch] << 40 | op << 32 | request->pc;
}

static enum status watch_step(void *argument, const struct set_step *step)
{
    const struct watcher *watcher = argument;
    struct blame *blame = watcher->blame;
    struct blame_cache *cache = watcher->cache;
    const struct request *request = step->request;
    if (!request) {
        cache_add_counts(&cache->flushed, step->counts);
        return STATUS_OK;
    }
    const uint32_t launch = *watcher->launch - 1;
    const size_t array = array_of(blame, request->address);
    const struct cache_counts counts = step_counts(step);
    const uint64_t keys[BLAME_TABLES] = {[BLAME_ARRAYS] = array,
                                         [BLAME_INSTRUCTIONS] = step_pc(watcher, request, launch),
                                         [BLAME_LAUNCHES] = launch,
                                         [BLAME_SETS] = step->set};
    for (size_t i = 0; i < BLAME_TABLES; i++) {
        struct blame_row *row = row_at(&cache->tables[i], keys[i]);
        if (!row)
            return STATUS_MEMORY;
        blame_add_step(row, &counts, step->replaced);
    }
    blame_add_step(&cache->total, &counts, step->replaced);
    if (!step->replaced)
        return STATUS_OK;
    const size_t victim = array_of(blame, step->left << watcher->line_bits);
    struct blame_row *row = row_at(&cache->tables[BLAME_ARRAYS], victim);
    if (!row)
        return STATUS_MEMORY;
    row->evicted++;
    cache->total.evicted++;
    cache->evictions[array * (blame->array_count + 1) + victim]++;
    return STATUS_OK;
}

static void next_launch(void *argument)
{
    ++*(uint32_t *)argument;
}

static int compare_rows(const void *a, const void *b)
{
    const struct blame_row *left = a, *right = b;
    if (left->counts.misses != right->counts.misses)
        return left->counts.misses > right->counts.misses ? -1 : 1;
    return left->key < right->key ? -1 : left->key > right->key;
}

static void sort_tables(struct blame *blame)
{
    for (size_t i = 0; i < blame->cache_count; i++)
        for (size_t k = 0; k < BLAME_TABLES; k++) {
            struct blame_table *table = &blame->caches[i].tables[k];
            key_table_free(&table->keys);
            if (table->count)
                qsort(table->rows, table->count, sizeof *table->rows, compare_rows);
        }
}

/* The first launch of each launch's kernel. NULL: no memory. */
static uint32_t *number_kernels(const struct trace_source *source)
{
    uint32_t *kernels = calloc(source->launch_count + 1, sizeof *kernels);
    for (uint32_t i = 0; kernels && i < source->launch_count; i++) {
        const char *name = source->launches[i].name;
        while (kernels[i] < i && (!name || !source->launches[kernels[i]].name ||
                                  strcmp(name, source->launches[kernels[i]].name) != 0))
            kernels[i]++;
    }
    return kernels;
}

static enum status blame_check(const struct machine *machine, struct diagnostics *diagnostics)
{
    const bool l1d = machine_has(machine, STAGE_L1D), l2 = machine_has(machine, STAGE_L2);
    if (!machine_runs_kernels(machine) || (!l1d && !l2))
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "this machine has no cache for kernels that could be blamed");
    if ((l1d && cache_is_offline(&machine->l1d)) || (l2 && cache_is_offline(&machine->l2)))
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "a cache that needs the whole stream in advance evicts nothing "
                                 "until the end, so nobody can be blamed");
    return STATUS_OK;
}

/* Watches all sets of a cache that the machine has. */
static enum status blame_watch(struct blame *blame, struct stages *stages,
                               const struct machine *machine, unsigned stage,
                               struct watcher *watcher)
{
    const struct cache_config *config = stage == STAGE_L1D ? &machine->l1d : &machine->l2;
    const size_t side = blame->array_count + 1;
    if (!machine_has(machine, stage))
        return STATUS_OK;
    struct blame_cache *cache = &blame->caches[blame->cache_count++];
    cache->stage = stage;
    cache->evictions = calloc(side * side, sizeof *cache->evictions);
    watcher->cache = cache;
    watcher->line_bits = (unsigned)__builtin_ctzll(config->line);
    const struct set_watching watching = {.every = true, .step = watch_step, .argument = watcher};
    return cache->evictions ? stages_watch(stages, stage, &watching) : STATUS_MEMORY;
}

enum status blame_run(const struct machine *machine, const struct trace_source *source,
                      const struct trace_array *arrays, size_t array_count,
                      const atomic_bool *cancel, struct blame *blame,
                      struct diagnostics *diagnostics)
{
    uint32_t launch = 0, *kernels = number_kernels(source);
    struct stage_walk walk = {.launched = next_launch, .argument = &launch, .cancel = cancel};
    struct watcher watchers[BLAME_CACHES];
    const unsigned stages[BLAME_CACHES] = {STAGE_L1D, STAGE_L2};
    struct machine upto = *machine; /* without what is beyond the caches, and their walks */
    const unsigned walks = machine_couples(machine) ? STAGE_TLB | STAGE_PWC : 0;
    size_t leaf;
    *blame = (struct blame){.arrays = arrays,
                            .array_count = array_count,
                            .source = source,
                            .launches = source->launches};
    machine_keep_stages(&upto, STAGE_STREAM | STAGE_L1D | STAGE_L2 | walks);
    enum status status = kernels ? blame_check(machine, diagnostics) : STATUS_MEMORY;
    if (!status)
        status =
            stages_create(NEED_CLASSES(STAGE_L1D | STAGE_L2), SHARE_NOTHING, false, &walk.stages);
    if (!status)
        status = stages_add(walk.stages, &upto, &leaf);
    for (size_t i = 0; i < BLAME_CACHES && !status; i++) {
        watchers[i] = (struct watcher){.blame = blame, .launch = &launch, .kernels = kernels};
        status = blame_watch(blame, walk.stages, &upto, stages[i], &watchers[i]);
    }
    if (!status)
        status = stage_walk(&walk, &upto, source, diagnostics);
    if (!status) /* walks that wait for a walker read through the L2, too */
        status = stages_finish(walk.stages);
    stages_free(walk.stages);
    free(kernels);
    sort_tables(blame);
    return status;
}

uint32_t blame_line(const struct blame *blame, struct blame_pc pc)
{
    const struct trace_code *code = trace_launch_code(blame->source, pc.launch);
    for (uint32_t i = 0; code && pc.op != BLAME_WALK && i < code->count; i++)
        if (code->items[i].pc == pc.pc)
            return code->items[i].line;
    return 0;
}

void blame_free(struct blame *blame)
{
    for (size_t i = 0; i < blame->cache_count; i++) {
        for (size_t k = 0; k < BLAME_TABLES; k++) {
            key_table_free(&blame->caches[i].tables[k].keys);
            free(blame->caches[i].tables[k].rows);
        }
        free(blame->caches[i].evictions);
    }
    *blame = (struct blame){0};
}
