#include "model/translation/pwc.h"

#include <assert.h>

#include "model/translation/pwc_member.h"

const struct pwc_kind *const pwc_kinds[PWC_COUNT] = {
    [PWC_NONE] = &pwc_none, [PWC_TPC] = &pwc_tpc, [PWC_CPWC] = &pwc_cpwc};

static_assert(PWC_COUNT == 3, "a new member of PWC_LIST needs its descriptor in pwc_kinds");

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
    enum status status = kind->create(config, pwc);
    if (status)
        return status;
    (*pwc)->kind = kind;
    (*pwc)->levels = page_levels(page_size);
    return STATUS_OK;
}

void pwc_free(struct pwc *pwc)
{
    if (pwc)
        pwc->kind->free(pwc);
}

enum pwc_hit pwc_walk(struct pwc *pwc, uint64_t address)
{
    enum pwc_hit hit = pwc->kind->walk(pwc, page_split(address), (enum pwc_hit)(pwc->levels - 1));
    pwc->counts.walks++;
    pwc->counts.l4_hits += hit >= PWC_HIT_L4;
    pwc->counts.l3_hits += hit >= PWC_HIT_L3;
    pwc->counts.l2_hits += hit >= PWC_HIT_L2;
    pwc->counts.memory_accesses += pwc->levels - (unsigned)hit;
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
}

void pwc_reset_counts(struct pwc *pwc)
{
    pwc->counts = (struct pwc_counts){0};
}

void pwc_print(const struct pwc *pwc, FILE *out)
{
    pwc->kind->print(pwc, out);
}

double pwc_redundancy(uint64_t entries, uint64_t upper)
{
    if (!entries || upper >= 2 * entries)
        return 0;
    return (2.0 * (double)entries - (double)upper) / (3.0 * (double)entries);
}
