/* Reuse before a line: Li, Song, Dai, Sidelnik, Hari and Zhou, "Locality-driven dynamic GPU cache
 * bypassing", ICS 2015.
 *
 * Tags reach further than data: each set counts the accesses of more blocks than it has lines, the
 * ones accessed last. A miss on a block that has not yet been accessed so often bypasses, so
 * that only blocks of many uses and short reuse distances get one.
 *
 * The paper's text was not at hand, but for its abstract (filtering on insertion by reuse counts in
 * the decoupled tag store, by number of reuses and distance). What was chosen: the tags are least
 * recently used, l1d.bypass.tags a line of the L1D; a line is taken from l1d.bypass.reuses counted
 * accesses on; counts end at 15; a block whose line is replaced is counted anew, because its reuse
 * distance has shown to be too long. */

#include "model/bypass/bypass_member.h"

enum { MOST = 15 };

struct counted {
    uint64_t line; /* 1 + number; 0: none */
    uint64_t used;
    uint64_t count;
};

struct locality {
    struct bypass base;
    struct counted *blocks; /* [sets x ways x tags] */
    uint64_t clock;
};

static size_t reach(const struct bypass *bypass)
{
    return (size_t)(bypass->ways * bypass->config->tags);
}

static struct counted *locality_find(const struct bypass *bypass, uint32_t set, uint64_t line)
{
    struct counted *blocks = &((const struct locality *)bypass)->blocks[set * reach(bypass)];
    for (size_t i = 0; i < reach(bypass); i++)
        if (blocks[i].line == 1 + line)
            return &blocks[i];
    return NULL;
}

static enum bypass_verdict locality_ask(struct bypass *bypass, const struct bypass_access *access,
                                        struct bypass_choice *choice)
{
    const struct counted *block = locality_find(bypass, access->set, access->line);
    return (block ? block->count : 0) < bypass->config->reuses ? BYPASS_PASS : bypass_take(choice);
}

static void locality_accepted(struct bypass *bypass, const struct bypass_access *access,
                              uint32_t line)
{
    struct locality *locality = (struct locality *)bypass;
    struct counted *block = locality_find(bypass, access->set, access->line);
    (void)line;
    if (!block) {
        block = &locality->blocks[access->set * reach(bypass)];
        for (size_t i = 1; i < reach(bypass); i++)
            if (locality->blocks[access->set * reach(bypass) + i].used < block->used)
                block = &locality->blocks[access->set * reach(bypass) + i];
        *block = (struct counted){.line = 1 + access->line};
    }
    block->used = ++locality->clock;
    block->count += block->count < MOST;
}

static void locality_hit(struct bypass *bypass, const struct bypass_access *access, uint32_t line,
                         bool pending)
{
    (void)pending;
    locality_accepted(bypass, access, line);
}

static void locality_evicted(struct bypass *bypass, const struct bypass_line *line,
                             const struct bypass_access *access)
{
    struct counted *block = locality_find(bypass, access->set, line->line);
    if (block)
        block->count = 0;
}

static enum status locality_init(struct bypass *bypass)
{
    struct locality *locality = (struct locality *)bypass;
    arrays_add(&bypass->arrays, &locality->blocks, bypass->sets * reach(bypass),
               sizeof *locality->blocks);
    return bypass->arrays.failed ? STATUS_MEMORY : STATUS_OK;
}

/* A tag, its place in the order of use within its set, and its count. */
static size_t locality_arrays(const struct machine *machine, uint64_t lines,
                              struct memory_array *arrays)
{
    enum { TAG = 41, COUNT = 4 };
    const uint64_t tags = machine->l1d.bypass.tags;
    arrays[0] =
        memory_array_ram("tags", lines * tags, TAG + COUNT + log2_ceil(machine->l1d.ways * tags));
    return 1;
}

const struct bypass_kind bypass_locality = {.name = "locality",
                                            .size = sizeof(struct locality),
                                            .init = locality_init,
                                            .arrays = locality_arrays,
                                            .ask = locality_ask,
                                            .accepted = locality_accepted,
                                            .hit = locality_hit,
                                            .evicted = locality_evicted};
