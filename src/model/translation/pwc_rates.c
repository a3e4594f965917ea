#include "model/translation/pwc_rates.h"

#include <math.h>

bool pwc_looks_up(enum pwc_hit level, uint64_t page_size)
{
    return (unsigned)level < page_levels(page_size);
}

double pwc_hit_rate(const struct pwc_counts *counts, enum pwc_hit level, uint64_t page_size)
{
    const uint64_t hits[] = {[PWC_HIT_L4] = counts->l4_hits,
                             [PWC_HIT_L3] = counts->l3_hits,
                             [PWC_HIT_L2] = counts->l2_hits};
    return counts->walks && pwc_looks_up(level, page_size)
               ? (double)hits[level] / (double)counts->walks
               : NAN;
}
