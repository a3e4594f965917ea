/* Decided by pc after a sampling period: Jia, Zhang, Qin, Sun and Tian, "A cache bypass system of
 * GPGPU for 2D and 3D convolution", Journal of Xidian University 50(2), 2023.
 *
 * A table has an entry a load: how many of its lines were replaced (times) and how often those were
 * hit (count). The period ends with the first block of the launch on the SM, which the scheduler
 * tb_priority hurries. The first eviction after it, which counts too, settles the entry: its load
 * takes lines on if times / count is below a threshold, with x / 0 infinite. What is settled never
 * changes, and a load without an eviction after the period stays as it is.
 *
 * What the paper leaves open, and what was chosen: the table is one an SM; a load that finds it
 * full takes lines as if there was none; a line dropped by a store or a flush was not replaced and
 * counts nothing; whether a request that joins a line in flight is a hit of it, and whether a new
 * launch begins with an empty table, are parameters (no, yes). Its outlook, a threshold that is
 * found at run time, is done in two ways. `latency`: the paper takes 10 because a miss costs an
 * order of magnitude more than a hit; this measures how much more, from the waits of misses so far.
 * `mean`: the threshold is relative to what all loads of the table have, so that a load has to be
 * worse than the lines that it displaces. */
#include <stdlib.h>

#include "model/bypass/bypass_member.h"

struct entry {
    uint64_t count, times;
    bool passes, finished; /* passes: not m_use */
};

struct sampled {
    struct bypass base;
    struct key_table keys;
    struct entry *entries; /* by number of key */
    uint64_t count, times; /* of all entries */
    uint64_t fills, waited;
    bool over; /* the sampling period is */
};

static struct entry *find(const struct sampled *sampled, uint64_t key)
{
    const uint32_t number = key_table_find(&sampled->keys, key);
    return number == KEY_NONE ? NULL : &sampled->entries[number];
}

static enum bypass_verdict ask(struct bypass *bypass, const struct bypass_access *access,
                               struct bypass_choice *choice)
{
    struct sampled *sampled = (struct sampled *)bypass;
    const uint64_t key = bypass_key(bypass, access->pc);
    const struct entry *entry = find(sampled, key);
    uint32_t number;
    if (!entry && sampled->keys.count < bypass->config->entries) {
        if (key_table_add(&sampled->keys, key, &number))
            bypass->status = STATUS_MEMORY;
        else
            sampled->entries[number] = (struct entry){0};
    }
    return entry && entry->passes ? BYPASS_PASS : bypass_take(choice);
}

/* Whether times / count is at or above the threshold. */
static bool is_poor(const struct sampled *sampled, const struct entry *entry)
{
    const struct bypass_config *config = sampled->base.config;
    double threshold = (double)config->threshold;
    if (config->adaptive == BYPASS_BY_LATENCY) {
        const uint64_t hit = sampled->base.machine->l1d.latency;
        if (!sampled->fills)
            return false; /* nothing is known of misses */
        threshold = (double)sampled->waited / (double)sampled->fills / (double)(hit ? hit : 1);
    }
    if (config->adaptive == BYPASS_BY_MEAN)
        threshold *= (double)sampled->times / (double)(sampled->count ? sampled->count : 1);
    return (double)entry->times >= threshold * (double)entry->count;
}

static void evicted(struct bypass *bypass, const struct bypass_line *line,
                    const struct bypass_access *access)
{
    struct sampled *sampled = (struct sampled *)bypass;
    struct entry *entry = find(sampled, line->key);
    (void)access;
    if (!entry || entry->finished)
        return;
    entry->count += line->hits;
    entry->times++;
    sampled->count += line->hits;
    sampled->times++;
    if (!sampled->over)
        return;
    entry->finished = true;
    entry->passes = is_poor(sampled, entry);
}

static void filled(struct bypass *bypass, const struct bypass_fill *fill)
{
    struct sampled *sampled = (struct sampled *)bypass;
    sampled->fills++;
    sampled->waited += fill->waited;
}

static void launched(struct bypass *bypass)
{
    struct sampled *sampled = (struct sampled *)bypass;
    if (!bypass->config->reset)
        return;
    key_table_free(&sampled->keys);
    sampled->count = sampled->times = sampled->fills = sampled->waited = 0;
    sampled->over = false;
}

static void block_ended(struct bypass *bypass, bool first)
{
    ((struct sampled *)bypass)->over |= first;
}

static bool explain(const struct bypass *bypass, uint64_t key, uint64_t *times, uint64_t *count)
{
    const struct entry *entry = find((const struct sampled *)bypass, key);
    if (!entry)
        return false;
    *times = entry->times;
    *count = entry->count;
    return true;
}

static enum status init(struct bypass *bypass)
{
    struct sampled *sampled = (struct sampled *)bypass;
    sampled->entries = calloc(bypass->config->entries, sizeof *sampled->entries);
    return sampled->entries ? STATUS_OK : STATUS_MEMORY;
}

static void release(struct bypass *bypass)
{
    struct sampled *sampled = (struct sampled *)bypass;
    key_table_free(&sampled->keys);
    free(sampled->entries);
}

/* The widths of the counters are ours: 32 bits each in the table, 16 a line. */
static size_t arrays(const struct machine *machine, uint64_t lines, struct memory_array *arrays)
{
    enum { PC = 32, COUNTERS = 32 + 32, FLAGS = 3, HITS = 16 };
    arrays[0] = bypass_searched("loads", machine->l1d.bypass.entries, PC, COUNTERS + FLAGS);
    arrays[1] = bypass_ram("lines' loads and hits", lines, PC + HITS);
    return 2;
}

const struct bypass_kind bypass_sampled = {.name = "sampled",
                                           .size = sizeof(struct sampled),
                                           .init = init,
                                           .free = release,
                                           .arrays = arrays,
                                           .ask = ask,
                                           .evicted = evicted,
                                           .filled = filled,
                                           .launched = launched,
                                           .block_ended = block_ended,
                                           .explain = explain};
