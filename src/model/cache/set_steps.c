#include "model/cache/set_steps.h"

#include <stdlib.h>

#include "schema/families.h"

enum { SETS = 2, SET = 1, LINE = 32 };

struct set_steps {
    struct cache *cache;
    struct set_step step;
    uint64_t *lines; /* [ways]: step.tags with the lines as they were named */
};

/* Line n is line SETS * n + SET of the cache. */
static uint64_t line_named(uint64_t line)
{
    return line / SETS;
}

static enum status set_step_keep(void *argument, const struct set_step *step)
{
    struct set_steps *steps = argument;
    steps->step = *step;
    steps->step.line = line_named(step->line);
    steps->step.left = line_named(step->left);
    for (uint32_t way = 0; way < step->ways; way++)
        steps->lines[way] = step->tags[way] ? line_named(step->tags[way] - 1) + 1 : 0;
    steps->step.tags = steps->lines;
    return STATUS_OK;
}

enum status set_steps_create(int replacement, int reset, uint32_t ways, struct set_steps **result)
{
    *result = NULL;
    if (!ways || replacement_facts[replacement].traits & REPLACEMENT_FUTURE)
        return STATUS_INVALID;
    struct set_steps *steps = calloc(1, sizeof *steps);
    if (!steps)
        return STATUS_MEMORY;
    const struct cache_config config = {.enabled = 1,
                                        .size = (uint64_t)SETS * LINE * ways,
                                        .ways = ways,
                                        .line = LINE,
                                        .sector = LINE,
                                        .replacement = replacement,
                                        .reset = reset,
                                        .slices = 1};
    const struct set_watching watching = {.set = SET, .step = set_step_keep, .argument = steps};
    steps->lines = calloc(ways, sizeof *steps->lines);
    enum status status =
        steps->lines ? cache_create(&config, 1, 0, 0, &steps->cache) : STATUS_MEMORY;
    if (!status)
        status = cache_watch(steps->cache, &watching);
    if (status)
        set_steps_free(steps);
    else
        *result = steps;
    return status;
}

void set_steps_free(struct set_steps *steps)
{
    if (!steps)
        return;
    cache_free(steps->cache);
    free(steps->lines);
    free(steps);
}

enum status set_steps_access(struct set_steps *steps, uint64_t line, uint32_t pc,
                             const struct set_step **step)
{
    const struct request request = {.address = LINE * (SETS * line + SET),
                                    .pc = pc,
                                    .touched = UINT32_MAX,
                                    .bytes = LINE,
                                    .op = OP_LOAD};
    *step = &steps->step;
    return cache_run(steps->cache, &request, 1, NULL);
}
