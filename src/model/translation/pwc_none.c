/* No page-walk cache: every walk reads all levels. The baseline for the other organizations. */
#include "model/translation/pwc_member.h"

static size_t none_arrays(const struct pwc_config *config,
                          struct memory_array arrays[MEMORY_ARRAYS])
{
    (void)config;
    (void)arrays;
    return 0;
}

static enum pwc_hit none_walk(struct pwc *pwc, struct page_indices indices, enum pwc_hit depth)
{
    (void)pwc, (void)indices, (void)depth;
    return PWC_HIT_NONE;
}

static enum pwc_hit none_probe(const struct pwc *pwc, struct page_indices indices,
                               enum pwc_hit depth)
{
    (void)pwc, (void)indices, (void)depth;
    return PWC_HIT_NONE;
}

static struct pwc_lookup none_lookup(enum pwc_hit hit, enum pwc_hit depth)
{
    (void)hit, (void)depth;
    return (struct pwc_lookup){0};
}

static void none_visit(const struct pwc *pwc, pwc_visitor visitor, void *argument)
{
    (void)pwc, (void)visitor, (void)argument;
}

const struct pwc_kind pwc_none = {.name = "none",
                                  .arrays = none_arrays,
                                  .size = sizeof(struct pwc),
                                  .walk = none_walk,
                                  .probe = none_probe,
                                  .lookup = none_lookup,
                                  .visit = none_visit};
