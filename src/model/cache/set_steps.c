#include "model/cache/set_steps.h"

#include <stdlib.h>

#include "model/cache/replacement.h"

enum { SETS = 2, SET = 1 };

struct set_steps {
    const struct replacement_policy *policy;
    bool any_way;
    struct set_access access;
    struct {
        bool held;
        uint64_t line;
    } * ways;
};

enum status set_steps_create(int replacement, int reset, uint32_t ways, struct set_steps **result)
{
    *result = NULL;
    if (!ways || !replacement_holds(replacement, ways) || !replacement_starts(replacement, reset) ||
        replacement_facts[replacement].traits & REPLACEMENT_FUTURE)
        return STATUS_INVALID;
    struct set_steps *steps = calloc(1, sizeof *steps);
    if (!steps)
        return STATUS_MEMORY;
    const struct replacement_policy *policy = replacement_policies[replacement];
    steps->policy = policy;
    steps->any_way = replacement_facts[replacement].traits & REPLACEMENT_ANY_WAY;
    steps->access = (struct set_access){.ways = ways, .set = SET, .sets = SETS, .number = SET};
    steps->access.state = calloc(1, policy->state_bytes(ways) + sizeof(uint64_t));
    steps->access.shared = calloc(1, policy->shared_bytes ? policy->shared_bytes(SETS, ways) : 1);
    steps->ways = calloc(ways, sizeof *steps->ways);
    if (!steps->access.state || !steps->access.shared || !steps->ways) {
        set_steps_free(steps);
        return STATUS_MEMORY;
    }
    if (policy->reset && reset != RESET_PAPER)
        policy->reset(steps->access.state, ways, reset);
    *result = steps;
    return STATUS_OK;
}

void set_steps_free(struct set_steps *steps)
{
    if (!steps)
        return;
    free(steps->access.state);
    free(steps->access.shared);
    free(steps->ways);
    free(steps);
}

static uint32_t find(const struct set_steps *steps, uint64_t line)
{
    uint32_t way = 0;
    while (way < steps->access.ways && !(steps->ways[way].held && steps->ways[way].line == line))
        way++;
    return way;
}

static uint32_t choose(struct set_steps *steps, struct set_step *step)
{
    const struct replacement_policy *policy = steps->policy;
    for (uint32_t way = 0; !steps->any_way && way < steps->access.ways; way++)
        if (!steps->ways[way].held)
            return way;
    if (policy->explain)
        policy->explain(&steps->access, step->why, sizeof step->why);
    return policy->victim(&steps->access);
}

void set_steps_access(struct set_steps *steps, uint64_t line, uint32_t pc, struct set_step *step)
{
    const struct replacement_policy *policy = steps->policy;
    *step = (struct set_step){.way = find(steps, line)};
    steps->access.line = line;
    steps->access.pc = pc;
    step->hit = step->way < steps->access.ways;
    if (step->hit) {
        if (policy->hit)
            policy->hit(&steps->access, step->way);
    } else {
        step->way = choose(steps, step);
        step->replaced = steps->ways[step->way].held;
        step->left = steps->ways[step->way].line;
        if (policy->fill)
            policy->fill(&steps->access, step->way);
        steps->ways[step->way].held = true;
        steps->ways[step->way].line = line;
    }
    if (policy->print)
        policy->print(&steps->access, step->state, sizeof step->state);
}

bool set_steps_line(const struct set_steps *steps, uint32_t way, uint64_t *line)
{
    *line = steps->ways[way].line;
    return steps->ways[way].held;
}
