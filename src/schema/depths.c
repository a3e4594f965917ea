#include "schema/depths.h"

#include <stdio.h>
#include <string.h>

_Static_assert(STAGE_BITS + DEPTH_COUNT < 31, "all masks of stages and depths are ints");

const struct depth_info depth_table[DEPTH_COUNT] = {
#define DEPTH_ROW(id, name, label, stages, traits, linger, help)                                   \
    {name, label, stages, traits, linger, help},
    DEPTH_LIST(DEPTH_ROW)
#undef DEPTH_ROW
};

const char *const depth_words[DEPTH_COUNT + 1] = {
#define DEPTH_WORD(id, name, ...) name,
    DEPTH_LIST(DEPTH_WORD)
#undef DEPTH_WORD
        NULL};

const char *depth_name(enum depth depth)
{
    return depth_table[depth].name;
}

bool depth_can(enum depth depth, unsigned trait)
{
    return depth_table[depth].traits & trait;
}

bool depth_find(const char *name, enum depth *depth)
{
    for (int i = 0; i < DEPTH_COUNT; i++)
        if (!strcmp(depth_table[i].name, name)) {
            *depth = (enum depth)i;
            return true;
        }
    return false;
}

const char *depths_with(unsigned trait, char text[DEPTH_NAMES])
{
    size_t used = 0, left = 0;
    text[0] = '\0';
    for (int i = 0; i < DEPTH_COUNT; i++)
        left += (depth_table[i].traits & trait) == trait;
    for (int i = 0; i < DEPTH_COUNT && used < DEPTH_NAMES; i++)
        if ((depth_table[i].traits & trait) == trait)
            used += (size_t)snprintf(text + used, DEPTH_NAMES - used, "%s%s", depth_table[i].name,
                                     --left > 1 ? ", "
                                     : left     ? " or "
                                                : "");
    return text;
}

const char *depth_names(char text[DEPTH_NAMES])
{
    return depths_with(0, text);
}

unsigned depth_reads(enum depth depth)
{
    return depth_table[depth].stages | DEPTH_BIT(depth);
}

unsigned depth_results(enum depth depth, unsigned stages)
{
    stages &= depth_table[depth].stages;
    if (depth_can(depth, DEPTH_FACTORED))
        return stages;
    return stages ? DEPTH_BIT(depth) : 0;
}

unsigned depth_results_all(void)
{
    unsigned results = 0;
    for (int i = 0; i < DEPTH_COUNT; i++)
        results |= depth_results((enum depth)i, STAGE_EVERY);
    return results;
}

/* The depth of a bit; NULL if it is the bit of a stage. */
static const struct depth_info *depth_of(unsigned bit)
{
    for (int i = 0; i < DEPTH_COUNT; i++)
        if (bit == DEPTH_BIT(i))
            return &depth_table[i];
    return NULL;
}

const char *reader_name(unsigned bit)
{
    const struct depth_info *depth = depth_of(bit);
    return depth ? depth->name : stage_info(bit)->name;
}

const char *reader_label(unsigned bit)
{
    const struct depth_info *depth = depth_of(bit);
    return depth ? depth->label : stage_info(bit)->label;
}
