/* What every page-walk cache starts with; each member embeds it first. */
#pragma once

#include "model/translation/pwc.h"

struct pwc {
    const struct pwc_kind *kind;
    unsigned levels; /* page_levels */
    struct pwc_counts counts;
};

extern const struct pwc_kind pwc_none, pwc_tpc, pwc_cpwc;
