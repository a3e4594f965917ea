/* LRU stacks of lines, one per set, newest first. The reuse distance of a line is its position in
 * the stack: the number of other lines of its set touched after it.
 *
 * A cache of W ways needs to know only whether that distance is below W, equal to W or above. So
 * each line keeps just this zone, and a touch moves at most three lines between zones: constant
 * time for any W. Exact distances are in model/reuse/distances.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { NO_LINE = UINT32_MAX };

enum recency {
    RECENCY_NEVER, /* not touched yet: infinite distance */
    RECENCY_FAR,   /* more than W */
    RECENCY_EDGE,  /* W */
    RECENCY_NEAR,  /* less than W: the line is cached */
    RECENCY_COUNT
};

struct recency_line {
    uint32_t newer, older; /* neighbours in the stack of its set, or NO_LINE */
    uint32_t set;
    uint32_t in_flight; /* sectors, or lines: of the user */
    uint8_t recency;
};

struct recency_set {
    uint32_t newest; /* NO_LINE: empty */
    uint32_t last;   /* oldest NEAR line */
    uint32_t near;   /* number of NEAR lines */
};

static inline void recency_set_init(struct recency_set *set)
{
    *set = (struct recency_set){NO_LINE, NO_LINE, 0};
}

/* Makes a line the newest of its set. FAR lines leave the stack, which keeps it at W + 1 lines. */
static inline void recency_touch(struct recency_set *sets, struct recency_line *lines, uint32_t id,
                                 uint32_t ways)
{
    struct recency_line *line = &lines[id];
    struct recency_set *set = &sets[line->set];
    if (set->newest == id)
        return;
    bool stacked = line->recency >= RECENCY_EDGE;
    if (line->recency == RECENCY_NEAR) {
        if (set->last == id)
            set->last = line->newer;
    } else if (set->near == ways) {
        struct recency_line *last = &lines[set->last];
        uint32_t edge = last->older;
        if (edge != NO_LINE && edge != id) {
            lines[edge].recency = RECENCY_FAR;
            last->older = NO_LINE;
        }
        last->recency = RECENCY_EDGE;
        set->last = ways == 1 ? id : last->newer;
    } else {
        if (!set->near++)
            set->last = id;
    }
    if (stacked) {
        lines[line->newer].older = line->older;
        if (line->older != NO_LINE)
            lines[line->older].newer = line->newer;
    }
    line->newer = NO_LINE;
    line->older = set->newest;
    line->recency = RECENCY_NEAR;
    if (set->newest != NO_LINE)
        lines[set->newest].newer = id;
    set->newest = id;
}
