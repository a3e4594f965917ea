#include "model/translation/pwc.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "model/translation/pwc_member.h"

const struct pwc_kind *const pwc_kinds[PWC_COUNT] = {[PWC_NONE] = &pwc_none,
                                                     [PWC_TPC] = &pwc_tpc,
                                                     [PWC_STC] = &pwc_stc,
                                                     [PWC_UPTC] = &pwc_uptc,
                                                     [PWC_CPWC] = &pwc_cpwc};

static_assert(PWC_COUNT == 5, "a new member of PWC_LIST needs its descriptor in pwc_kinds");

struct page_indices page_split(uint64_t address)
{
    return (struct page_indices){.l4 = (address >> 39) & 511,
                                 .l3 = (address >> 30) & 511,
                                 .l2 = (address >> 21) & 511,
                                 .l1 = (address >> 12) & 511};
}

enum status pwc_create(const struct pwc_config *config, uint64_t page_size, struct pwc **pwc)
{
    *pwc = NULL;
    if (config->organization < 0 || config->organization >= PWC_COUNT)
        return STATUS_INVALID;
    const struct pwc_kind *kind = pwc_kinds[config->organization];
    struct pwc *made = calloc(1, kind->size);
    if (!made)
        return STATUS_MEMORY;
    made->kind = kind;
    made->levels = page_levels(page_size);
    const enum status status = kind->init ? kind->init(config, made) : STATUS_OK;
    if (status)
        pwc_free(made);
    else
        *pwc = made;
    return status;
}

uint64_t pwc_bits(const struct pwc_config *config)
{
    struct memory_array arrays[MEMORY_ARRAYS];
    const size_t count = pwc_kinds[config->organization]->arrays(config, arrays);
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++)
        bits += memory_array_bits(&arrays[i]);
    return bits;
}

uint64_t pwc_equal_tpc(const struct pwc_config *config)
{
    uint64_t bits = pwc_bits(config);
    uint64_t entries = bits / PWC_PATH_BITS + (bits % PWC_PATH_BITS != 0);
    return entries <= PWC_ENTRIES_MAX ? entries : 0;
}

enum status pwc_create_compared(const struct pwc_config *config, uint64_t page_size,
                                struct pwc **pwc)
{
    enum status status = pwc_create(config, page_size, pwc);
    const bool own = config->organization == PWC_TPC && pwc_tpc_sets(config) == 1;
    if (status || own || !pwc_equal_tpc(config))
        return status;
    struct pwc_config tpc = {
        .organization = PWC_TPC, .entries = pwc_equal_tpc(config), .ways = WAYS_FULL};
    status = pwc_create(&tpc, page_size, &(*pwc)->tpc);
    if (status) {
        pwc_free(*pwc);
        *pwc = NULL;
    }
    return status;
}

void pwc_free(struct pwc *pwc)
{
    if (!pwc)
        return;
    pwc_free(pwc->tpc);
    arrays_free(&pwc->arrays);
    free(pwc);
}

struct pwc *pwc_copy(const struct pwc *pwc)
{
    struct pwc *copy = malloc(pwc->kind->size);
    if (!copy)
        return NULL;
    memcpy(copy, pwc, pwc->kind->size);
    copy->tpc = pwc->tpc ? pwc_copy(pwc->tpc) : NULL;
    if (arrays_copy(&copy->arrays) && !copy->tpc == !pwc->tpc)
        return copy;
    pwc_free(copy);
    return NULL;
}

void pwc_mix(const struct pwc *pwc, uint64_t *hash)
{
    mix_word(hash, pwc->settled);
    mix_word(hash, pwc->counts.memory_accesses);
    arrays_mix(&pwc->arrays, hash);
}

struct page_indices pwc_tag_path(uint32_t tag, enum pwc_hit level)
{
    return page_split((uint64_t)tag << (48 - PWC_INDEX_BITS * (unsigned)level));
}

void pwc_entry_text(const char *place, struct page_indices path, enum pwc_hit level,
                    char text[PWC_TEXT])
{
    int length = snprintf(text, PWC_TEXT, "%.48s %u", place, path.l4);
    if (level >= PWC_HIT_L3)
        length += snprintf(text + length, (size_t)(PWC_TEXT - length), " %u", path.l3);
    if (level >= PWC_HIT_L2)
        snprintf(text + length, (size_t)(PWC_TEXT - length), " %u", path.l2);
}

struct pwc_lookup pwc_lookup_parallel(enum pwc_hit hit, enum pwc_hit depth)
{
    (void)hit;
    return (struct pwc_lookup){.cycles = 1, .levels = depth};
}

struct pwc_lookup pwc_lookup_cost(const struct pwc *pwc, enum pwc_hit hit)
{
    return pwc->kind->lookup(hit, (enum pwc_hit)(pwc->levels - 1));
}

enum pwc_hit pwc_walk(struct pwc *pwc, uint64_t address)
{
    enum pwc_hit depth = (enum pwc_hit)(pwc->levels - 1);
    /* Skips the look-up of a repeated walk that found everything last time (struct pwc, settled).
     */
    uint64_t path = 1 + ((address & ((UINT64_C(1) << 48) - 1)) >> (depth == PWC_HIT_L2 ? 21 : 30));
    enum pwc_hit hit = depth;
    if (path != pwc->settled) {
        hit = pwc->kind->walk(pwc, page_split(address), depth);
        pwc->settled = hit == depth ? path : 0;
    }
    pwc->counts.walks++;
    pwc->counts.l4_hits += hit >= PWC_HIT_L4;
    pwc->counts.l3_hits += hit >= PWC_HIT_L3;
    pwc->counts.l2_hits += hit >= PWC_HIT_L2;
    pwc->counts.memory_accesses += pwc->levels - (unsigned)hit;
    pwc->counts.lookup_cycles += pwc->kind->lookup(hit, depth).cycles;
    pwc->counts.stored_bits += pwc->stored_bits;
    pwc->counts.duplicate_bits += pwc->duplicate_bits;
    if (pwc->tpc)
        pwc_walk(pwc->tpc, address);
    return hit;
}

enum pwc_hit pwc_warm(struct pwc *pwc, uint64_t address)
{
    const struct pwc_counts counts = pwc->counts;
    const struct pwc_counts compared = pwc->tpc ? pwc->tpc->counts : counts;
    enum pwc_hit hit = pwc_walk(pwc, address);
    pwc->counts = counts;
    if (pwc->tpc)
        pwc->tpc->counts = compared;
    return hit;
}

unsigned pwc_probe(const struct pwc *pwc, uint64_t address)
{
    enum pwc_hit depth = (enum pwc_hit)(pwc->levels - 1);
    return pwc->levels - (unsigned)pwc->kind->probe(pwc, page_split(address), depth);
}

void pwc_read_counts(const struct pwc *pwc, struct pwc_counts *counts)
{
    *counts = pwc->counts;
    if (pwc->tpc)
        counts->tpc_accesses = pwc->tpc->counts.memory_accesses;
    else if (pwc->kind == &pwc_tpc)
        counts->tpc_accesses = counts->memory_accesses;
}

void pwc_visit(const struct pwc *pwc, pwc_visitor visitor, void *argument)
{
    pwc->kind->visit(pwc, visitor, argument);
}

static void print_entry(void *argument, const struct pwc_entry *entry)
{
    fprintf(argument, "%s\n", entry->text);
}

void pwc_print(const struct pwc *pwc, FILE *out)
{
    pwc_visit(pwc, print_entry, out);
}

double pwc_redundancy(uint64_t entries, uint64_t upper)
{
    if (!entries || upper >= 2 * entries)
        return 0;
    return (2.0 * (double)entries - (double)upper) / (3.0 * (double)entries);
}
