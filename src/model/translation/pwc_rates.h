/* Hit rates of a page-walk cache by level, of counts of walks. A level that no walk looks up has
 * none (NaN), as has a cache that saw no walks: large pages end walks earlier, so of 2 MiB pages
 * the L2 entry is the translation itself. */
#pragma once

#include "model/translation/pwc.h"

/* Whether walks over pages of this size look a level up. */
bool pwc_looks_up(enum pwc_hit level, uint64_t page_size);
double pwc_hit_rate(const struct pwc_counts *counts, enum pwc_hit level, uint64_t page_size);
