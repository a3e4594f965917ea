/* A control loop for each load: Lee and Wu, "Ctrl-C: Instruction-aware control loop based adaptive
 * cache bypassing for GPUs", ICCD 2016.
 *
 * A table knows how many lines of each load were replaced and how many of these were hit before. A
 * loop for each load sets the probability with which its misses bypass, so that lines of
 * short reuse distances stay until they are used.
 *
 * The paper's text was not at hand, but for its abstract (reuse by instruction, feedback loops,
 * bypass by probability). What was chosen: the probability has sixteenths, at most 15 of them so
 * that the loop goes on to see lines; every 16 replaced lines of a load it rises by one if fewer
 * than a quarter of these were hit, and else falls by one; a load that finds the table full takes
 * lines; the draw belongs to the number of the miss on its SM, so that a request that is tried
 * again draws the same. Whether a request that joins a line in flight is a hit of it, and whether a
 * launch begins with an empty table, are parameters. */

#include "base/mix.h"
#include "base/rng.h"
#include "model/bypass/bypass_member.h"

enum { STEPS = 16, PERIOD = 16, WANTED = PERIOD / 4 };

struct controlled {
    uint64_t lines, hit; /* replaced, and of them those that were hit */
    uint32_t period_lines, period_hit;
    uint64_t chance; /* in sixteenths */
};

struct ctrl_c {
    struct bypass base;
    struct key_table keys;
    struct controlled *loads; /* by number of key */
    uint64_t misses;
};

static struct controlled *ctrl_c_find(const struct bypass *bypass, uint64_t key)
{
    const struct ctrl_c *ctrl_c = (const struct ctrl_c *)bypass;
    const uint32_t number = key_table_find(&ctrl_c->keys, key);
    return number == KEY_NONE ? NULL : &ctrl_c->loads[number];
}

static enum bypass_verdict ctrl_c_ask(struct bypass *bypass, const struct bypass_access *access,
                                      struct bypass_choice *choice)
{
    const struct controlled *load = ctrl_c_find(bypass, bypass_key(bypass, access->pc));
    const uint64_t seed = bypass->machine->seed + ((uint64_t)bypass->sm << 32);
    const uint64_t draw = random_at(seed, ((const struct ctrl_c *)bypass)->misses) % STEPS;
    return load && draw < load->chance ? BYPASS_PASS : bypass_take(choice);
}

static void ctrl_c_accepted(struct bypass *bypass, const struct bypass_access *access,
                            uint32_t line)
{
    struct ctrl_c *ctrl_c = (struct ctrl_c *)bypass;
    const uint64_t key = bypass_key(bypass, access->pc);
    uint32_t number;
    (void)line;
    ctrl_c->misses++;
    if (ctrl_c_find(bypass, key) || ctrl_c->keys.count >= bypass->config->entries)
        return;
    if (key_table_add(&ctrl_c->keys, key, &number))
        bypass->status = STATUS_MEMORY;
    else
        ctrl_c->loads[number] = (struct controlled){0};
}

static void ctrl_c_evicted(struct bypass *bypass, const struct bypass_line *line,
                           const struct bypass_access *access)
{
    struct controlled *load = ctrl_c_find(bypass, line->key);
    (void)access;
    if (!load)
        return;
    load->lines++;
    load->hit += line->hits > 0;
    load->period_hit += line->hits > 0;
    if (++load->period_lines < PERIOD)
        return;
    if (load->period_hit < WANTED)
        load->chance += load->chance < STEPS - 1;
    else
        load->chance -= load->chance > 0;
    load->period_lines = load->period_hit = 0;
}

static void ctrl_c_launched(struct bypass *bypass)
{
    if (bypass->config->reset)
        key_table_free(&((struct ctrl_c *)bypass)->keys);
}

static bool ctrl_c_explain(const struct bypass *bypass, uint64_t key, uint64_t *times,
                           uint64_t *count)
{
    const struct controlled *load = ctrl_c_find(bypass, key);
    if (!load)
        return false;
    *times = load->lines;
    *count = load->hit;
    return true;
}

static enum status ctrl_c_init(struct bypass *bypass)
{
    struct ctrl_c *ctrl_c = (struct ctrl_c *)bypass;
    arrays_add(&bypass->arrays, &ctrl_c->loads, bypass->config->entries, sizeof *ctrl_c->loads);
    return bypass->arrays.failed ? STATUS_MEMORY : STATUS_OK;
}

static void ctrl_c_release(struct bypass *bypass)
{
    key_table_free(&((struct ctrl_c *)bypass)->keys);
}

static bool ctrl_c_copy(struct bypass *bypass)
{
    return key_table_copy(&((struct ctrl_c *)bypass)->keys);
}

static void ctrl_c_mix(const struct bypass *bypass, uint64_t *hash)
{
    const struct ctrl_c *ctrl_c = (const struct ctrl_c *)bypass;
    mix_words(hash, ctrl_c->keys.keys, ctrl_c->keys.count);
    mix_bytes(hash, ctrl_c->loads, bypass->config->entries * sizeof *ctrl_c->loads);
    mix_word(hash, ctrl_c->misses);
}

/* A line keeps the index of its load and whether it was hit. */
static size_t ctrl_c_arrays(const struct machine *machine, uint64_t lines,
                            struct memory_array *arrays)
{
    enum { PC = 32, CHANCE = 4, COUNTERS = 4 + 3 };
    const uint64_t entries = machine->l1d.bypass.entries;
    arrays[0] = bypass_searched("loads", entries, PC, CHANCE + COUNTERS);
    arrays[1] = memory_array_ram("lines' loads", lines, log2_ceil(entries) + 1);
    return 2;
}

const struct bypass_kind bypass_ctrl_c = {.name = "ctrl_c",
                                          .size = sizeof(struct ctrl_c),
                                          .init = ctrl_c_init,
                                          .free = ctrl_c_release,
                                          .copy = ctrl_c_copy,
                                          .mix = ctrl_c_mix,
                                          .arrays = ctrl_c_arrays,
                                          .ask = ctrl_c_ask,
                                          .accepted = ctrl_c_accepted,
                                          .evicted = ctrl_c_evicted,
                                          .launched = ctrl_c_launched,
                                          .explain = ctrl_c_explain};
