#include "schema/stages.h"

#include <assert.h>
#include <string.h>

_Static_assert((int)STAGE_COUNT <= (int)STAGE_BITS,
               "the bits of depths begin after those of the stages");

const struct stage_info stage_table[STAGE_COUNT] = {
#define STAGE_ROW(id, name, label, consumes, kinds, traits, offset, off)                           \
    {name, label, consumes, kinds, traits, offset, off},
    STAGE_LIST(STAGE_ROW)
#undef STAGE_ROW
};

size_t stage_index(unsigned stage)
{
    size_t index = 0;
    assert(stage);
    while (!(stage >> index & 1))
        index++;
    return index;
}

const struct stage_info *stage_info(unsigned stage)
{
    assert(stage & STAGE_EVERY);
    return &stage_table[stage_index(stage)];
}

static unsigned stages_with(bool (*wanted)(const struct stage_info *info))
{
    unsigned stages = 0;
    for (size_t i = 0; i < STAGE_COUNT; i++)
        if (stage_table[i].traits & STAGE_SIMULATED && wanted(&stage_table[i]))
            stages |= 1u << i;
    return stages;
}

static bool is_any(const struct stage_info *info)
{
    return info->traits & STAGE_SIMULATED;
}

static bool is_first(const struct stage_info *info)
{
    return info->consumes == STAGE_STREAM;
}

static bool is_after_first(const struct stage_info *info)
{
    return info->consumes & ~(unsigned)STAGE_STREAM;
}

unsigned stages_simulated(void)
{
    return stages_with(is_any);
}

unsigned stages_first(void)
{
    return stages_with(is_first);
}

unsigned stages_after_first(void)
{
    return stages_with(is_after_first);
}

unsigned stages_on_stream(void)
{
    return stages_simulated() & ~(unsigned)STAGE_STREAM;
}

/* Adds what the stages of a mask consume until nothing new is added. */
static unsigned with_consumed(unsigned stages)
{
    for (unsigned before = 0; before != stages;) {
        before = stages;
        for (size_t i = 0; i < STAGE_COUNT; i++)
            if (stages >> i & 1)
                stages |= stage_table[i].consumes;
    }
    return stages;
}

unsigned stage_chain(unsigned stage, bool joined)
{
    const unsigned both = STAGE_L2 | STAGE_PWC;
    return with_consumed(joined && stage & both ? stage | both : stage);
}

size_t stage_parts(unsigned asked, bool joined, unsigned parts[STAGE_COUNT])
{
    size_t count = 0;
    unsigned left = asked & stages_on_stream();
    while (left) {
        unsigned part = stage_chain(stage_lowest(left), joined);
        /* Chains that share a stage other than the stream depend on each other, so they join this
         * part. */
        for (unsigned before = 0; before != part;) {
            before = part;
            for (unsigned rest = left; rest; rest &= rest - 1) {
                unsigned chain = stage_chain(stage_lowest(rest), joined);
                if (chain & part & ~(unsigned)STAGE_STREAM)
                    part |= chain;
            }
        }
        parts[count++] = part;
        left &= ~part;
    }
    if (!count && asked & STAGE_STREAM)
        parts[count++] = STAGE_STREAM;
    return count;
}

static bool is_on(const struct machine *machine, const struct stage_info *info)
{
    int state;
    if (info->switch_offset == NO_SWITCH)
        return true;
    memcpy(&state, (const char *)machine + info->switch_offset, sizeof state);
    return state != info->off;
}

static void switch_off(struct machine *machine, const struct stage_info *info)
{
    if (info->switch_offset != NO_SWITCH)
        memcpy((char *)machine + info->switch_offset, &info->off, sizeof info->off);
}

static bool may_have(const struct machine *machine, const struct stage_info *info)
{
    return info->kinds & KIND_BIT(machine->kind);
}

bool machine_runs_kernels(const struct machine *machine)
{
    return KERNEL_KINDS & KIND_BIT(machine->kind);
}

bool machine_may_have(const struct machine *machine, unsigned stage)
{
    return may_have(machine, stage_info(stage));
}

unsigned machine_stages(const struct machine *machine)
{
    unsigned stages = 0, passed = 0; /* stages that exist, and stages that only pass their input
                                      * on */
    for (size_t i = 0; i < STAGE_COUNT; i++) { /* the rows are in an order in which inputs come
                                                * first */
        const struct stage_info *info = &stage_table[i];
        /* A stage exists only if each of its inputs exists or passes its own input on. */
        bool fed = !(info->consumes & ~(stages | passed));
        bool there =
            may_have(machine, info) && (is_on(machine, info) || !(info->traits & STAGE_OPTIONAL));
        if (fed && there)
            stages |= 1u << i;
        else if (fed && info->traits & STAGE_TRANSPARENT)
            passed |= 1u << i;
    }
    return stages;
}

bool machine_has(const struct machine *machine, unsigned stage)
{
    return machine_stages(machine) & stage;
}

void machine_keep_stages(struct machine *machine, unsigned stages)
{
    for (size_t i = 0; i < STAGE_COUNT; i++)
        if (!(stages >> i & 1))
            switch_off(machine, &stage_table[i]);
}

void machine_apply_kind(struct machine *machine)
{
    /* Depth timing has a switch of its own for the L1I. */
    if (!machine_may_have(machine, STAGE_L1I))
        machine->l1i.enabled = 0;
    /* The stream is read with these, L1D or not. */
    if (!machine_may_have(machine, STAGE_L1D))
        machine->l1d.texture = machine->l1d.skip = 0;
    /* Instructions that a SIMT processor has no units for take the pipes that serve them. */
    if (machine->kind == KIND_SIMT) {
        struct pipes_config *pipe = &machine->pipe;
        pipe->dp = (struct pipe_config){0, pipe->sfu.latency, pipe->sfu.interval};
        pipe->tensor = (struct pipe_config){0, pipe->sp.latency, pipe->sp.interval};
        pipe->texture.units = pipe->uniform.units = 0;
        machine->core.dp_collectors = 0;
    }
    for (size_t i = 0; i < STAGE_COUNT; i++)
        if (!may_have(machine, &stage_table[i]))
            switch_off(machine, &stage_table[i]);
}
