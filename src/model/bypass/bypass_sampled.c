/* Decided by pc after a sampling period: Jia, Zhang, Qin, Sun and Tian, "A cache bypass system of
 * GPGPU for 2D and 3D convolution", Journal of Xidian University 50(2), 2023.
 *
 * A table has an entry per load: how many of its lines were replaced (times) and how often those
 * were hit (count). The period ends with the first block of the launch on the SM, which the
 * scheduler tb_priority hurries. The first eviction after it, which counts too, settles the entry:
 * its load goes on allocating if times / count is below a threshold, with x / 0 infinite. What is
 * settled never changes, and a load without an eviction after the period stays as it is.
 *
 * What the paper leaves open, and what was chosen: a load that finds the table full allocates as
 * if there was none; a line dropped by a store or a flush was not replaced and counts nothing;
 * whether a request that joins a line in flight is a hit of it, whether a new launch begins with an
 * empty table, and whether all SMs have one table, are parameters (no, yes, no).
 *
 * One table is a copy in each SM: at an exchange all copies take in what each SM counted since the
 * last, in the order of the SMs, and stay equal. The period is then over when the first of all SMs'
 * first blocks has ended; evictions of that exchange still belong to it.
 *
 * The paper's outlook, a threshold that is found at run time, is done in two ways. `latency`: the
 * paper takes 10 because a miss costs an order of magnitude more than a hit; this measures how much
 * more, from the waits of misses so far. `mean`: the threshold is relative to what all loads of the
 * table have, so that a load has to be worse than the lines that it displaces. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/mix.h"
#include "model/bypass/bypass_member.h"

struct entry {
    uint64_t count, times;
    bool passes, finished; /* passes: not m_use */
};

struct counts {
    struct key_table keys;
    struct entry *entries; /* by number of key */
    size_t capacity;
    uint64_t fills, waited;
    bool over; /* the sampling period is */
};

struct sampled {
    struct bypass base;
    struct counts known;   /* the table */
    struct counts news;    /* of this SM since the last exchange, if there are exchanges */
    uint64_t count, times; /* of all entries of the table */
};

static struct entry *sampled_find(const struct counts *counts, uint64_t key)
{
    const uint32_t number = key_table_find(&counts->keys, key);
    return number == KEY_NONE ? NULL : &counts->entries[number];
}

/* The entry of a load, which may be new; NULL: no memory. */
static struct entry *at(struct sampled *sampled, struct counts *counts, uint64_t key)
{
    struct entry *entry = sampled_find(counts, key);
    uint32_t number;
    if (entry)
        return entry;
    if (array_reserve(&counts->entries, &counts->capacity, (size_t)counts->keys.count + 1) ||
        key_table_add(&counts->keys, key, &number)) {
        sampled->base.status = STATUS_MEMORY;
        return NULL;
    }
    counts->entries[number] = (struct entry){0};
    return &counts->entries[number];
}

/* Where the SM counts. */
static struct counts *own_counts(struct sampled *sampled)
{
    return sampled->base.config->shared ? &sampled->news : &sampled->known;
}

static bool has_room(const struct sampled *sampled)
{
    return sampled->known.keys.count < sampled->base.config->entries;
}

static enum bypass_verdict sampled_ask(struct bypass *bypass, const struct bypass_access *access,
                                       struct bypass_choice *choice)
{
    struct sampled *sampled = (struct sampled *)bypass;
    const uint64_t key = bypass_key(bypass, access->pc);
    const struct entry *entry = sampled_find(&sampled->known, key);
    if (!entry && has_room(sampled))
        at(sampled, own_counts(sampled), key);
    return entry && entry->passes ? BYPASS_PASS : bypass_take(choice);
}

/* Whether times / count is at or above the threshold. */
static bool is_poor(const struct sampled *sampled, const struct entry *entry)
{
    const struct bypass_config *config = sampled->base.config;
    double threshold = (double)config->threshold;
    if (config->adaptive == BYPASS_BY_LATENCY) {
        const uint64_t hit = sampled->base.machine->l1d.latency;
        if (!sampled->known.fills)
            return false; /* nothing is known of misses */
        threshold =
            (double)sampled->known.waited / (double)sampled->known.fills / (double)(hit ? hit : 1);
    }
    if (config->adaptive == BYPASS_BY_MEAN)
        threshold *= (double)sampled->times / (double)(sampled->count ? sampled->count : 1);
    return (double)entry->times >= threshold * (double)entry->count;
}

/* Lines of a load were replaced. */
static void count_lines(struct sampled *sampled, struct entry *entry, uint64_t count,
                        uint64_t times)
{
    if (entry->finished)
        return;
    entry->count += count;
    entry->times += times;
    sampled->count += count;
    sampled->times += times;
    if (!sampled->known.over)
        return;
    entry->finished = true;
    entry->passes = is_poor(sampled, entry);
}

static void sampled_evicted(struct bypass *bypass, const struct bypass_line *line,
                            const struct bypass_access *access)
{
    struct sampled *sampled = (struct sampled *)bypass;
    struct entry *known = sampled_find(&sampled->known, line->key), *news;
    (void)access;
    if (!bypass->config->shared) {
        if (known)
            count_lines(sampled, known, line->hits, 1);
        return;
    }
    /* What has no entry and found no room for one counts nothing. */
    if ((known || sampled_find(&sampled->news, line->key)) &&
        (news = at(sampled, &sampled->news, line->key))) {
        news->count += line->hits;
        news->times++;
    }
}

static void sampled_filled(struct bypass *bypass, const struct bypass_fill *fill)
{
    struct counts *counts = own_counts((struct sampled *)bypass);
    counts->fills++;
    counts->waited += fill->waited;
}

/* What has been counted so far is forgotten. */
static void clear(struct counts *counts)
{
    key_table_free(&counts->keys);
    counts->keys = (struct key_table){0};
    counts->fills = counts->waited = 0;
    counts->over = false;
}

static void sampled_launched(struct bypass *bypass)
{
    struct sampled *sampled = (struct sampled *)bypass;
    if (!bypass->config->reset)
        return;
    clear(&sampled->known);
    clear(&sampled->news);
    sampled->count = sampled->times = 0;
}

static void block_ended(struct bypass *bypass, bool first)
{
    own_counts((struct sampled *)bypass)->over |= first;
}

/* Takes the news of an SM into the table of one. */
static void take_news(struct sampled *sampled, const struct counts *news)
{
    for (uint32_t i = 0; i < news->keys.count; i++) {
        const uint64_t key = news->keys.keys[i];
        struct entry *entry = sampled_find(&sampled->known, key);
        if (!entry && has_room(sampled))
            entry = at(sampled, &sampled->known, key);
        if (entry && news->entries[i].times)
            count_lines(sampled, entry, news->entries[i].count, news->entries[i].times);
    }
    sampled->known.fills += news->fills;
    sampled->known.waited += news->waited;
}

static void exchange(struct bypass *const *all, uint32_t count)
{
    bool over = false;
    for (uint32_t i = 0; i < count; i++) {
        struct counts *news = &((struct sampled *)all[i])->news;
        for (uint32_t k = 0; k < count; k++)
            take_news((struct sampled *)all[k], news);
        over |= news->over;
        clear(news);
    }
    for (uint32_t i = 0; i < count; i++)
        ((struct sampled *)all[i])->known.over |= over;
}

static bool sampled_explain(const struct bypass *bypass, uint64_t key, uint64_t *times,
                            uint64_t *count)
{
    const struct entry *entry = sampled_find(&((const struct sampled *)bypass)->known, key);
    if (!entry || (bypass->config->shared && bypass->sm)) /* a copy of the first SM's */
        return false;
    *times = entry->times;
    *count = entry->count;
    return true;
}

static void sampled_release(struct bypass *bypass)
{
    struct sampled *sampled = (struct sampled *)bypass;
    clear(&sampled->known);
    clear(&sampled->news);
    free(sampled->known.entries);
    free(sampled->news.entries);
}

static bool counts_copy(struct counts *counts)
{
    const bool keys = key_table_copy(&counts->keys);
    return array_copy(&counts->entries, counts->capacity * sizeof *counts->entries) && keys;
}

static bool sampled_copy(struct bypass *bypass)
{
    struct sampled *sampled = (struct sampled *)bypass;
    const bool known = counts_copy(&sampled->known);
    return counts_copy(&sampled->news) && known;
}

static void counts_mix(const struct counts *counts, uint64_t *hash)
{
    mix_words(hash, counts->keys.keys, counts->keys.count);
    for (uint32_t i = 0; i < counts->keys.count; i++) {
        const struct entry *entry = &counts->entries[i];
        mix_word(hash, entry->count);
        mix_word(hash, entry->times);
        mix_word(hash, (uint64_t)entry->passes << 1 | entry->finished);
    }
    mix_word(hash, counts->fills);
    mix_word(hash, counts->waited);
    mix_word(hash, counts->over);
}

static void sampled_mix(const struct bypass *bypass, uint64_t *hash)
{
    const struct sampled *sampled = (const struct sampled *)bypass;
    counts_mix(&sampled->known, hash);
    counts_mix(&sampled->news, hash);
    mix_word(hash, sampled->count);
    mix_word(hash, sampled->times);
}

/* The widths of the counters are ours: 32 bits each in the table, 16 a line. */
static size_t sampled_arrays(const struct machine *machine, uint64_t lines,
                             struct memory_array *arrays)
{
    enum { PC = 32, COUNTERS = 32 + 32, FLAGS = 3, HITS = 16 };
    arrays[0] = bypass_searched("loads", machine->l1d.bypass.entries, PC, COUNTERS + FLAGS);
    arrays[1] = memory_array_ram("lines' loads and hits", lines, PC + HITS);
    return 2;
}

const struct bypass_kind bypass_sampled = {.name = "sampled",
                                           .size = sizeof(struct sampled),
                                           .free = sampled_release,
                                           .copy = sampled_copy,
                                           .mix = sampled_mix,
                                           .arrays = sampled_arrays,
                                           .ask = sampled_ask,
                                           .evicted = sampled_evicted,
                                           .filled = sampled_filled,
                                           .launched = sampled_launched,
                                           .exchange = exchange,
                                           .block_ended = block_ended,
                                           .explain = sampled_explain};
