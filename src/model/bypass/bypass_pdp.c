/* Protecting distances: Duong, Zhao, Kim, Cammarota, Valero and Veidenbaum, MICRO 2012, as the
 * cache half of "Adaptive cache management for energy-efficient GPU computing" (Chen, Chang,
 * Rodrigues, Lv, Wang and Hwu, MICRO 2014) uses them on an L1D.
 *
 * A line is protected for so many accesses to its set after it was taken or hit. A miss replaces
 * the unprotected line that the replacement policy would, or the next one; where all are protected
 * it is bypassed. The distance is l1d.bypass.distance; the papers find it from sampled reuse
 * distances, and the second throttles warps besides, neither of which is done here. */
#include <stdlib.h>

#include "model/bypass/bypass_member.h"

struct pdp {
    struct bypass base;
    uint64_t *until;  /* of each line: the access of its set up to which it is protected */
    uint64_t *clocks; /* accesses of each set */
};

static bool can_go(const struct pdp *pdp, const struct bypass_access *access,
                   const struct bypass_choice *choice, uint32_t way)
{
    if (!choice->holds[way])
        return true;
    return !(choice->holds[way] & choice->kept) &&
           pdp->until[choice->first + way] < pdp->clocks[access->set];
}

static enum bypass_verdict ask(struct bypass *bypass, const struct bypass_access *access,
                               struct bypass_choice *choice)
{
    const struct pdp *pdp = (const struct pdp *)bypass;
    const uint32_t from = choice->way == BYPASS_NO_LINE ? 0 : choice->way;
    for (uint32_t n = 0; n < choice->ways; n++) {
        const uint32_t way = (from + n) % choice->ways;
        if (choice->way != BYPASS_NO_LINE && can_go(pdp, access, choice, way)) {
            choice->way = way;
            return BYPASS_ALLOCATE;
        }
    }
    return BYPASS_PASS;
}

static void protect(struct pdp *pdp, const struct bypass_access *access, uint32_t line)
{
    pdp->clocks[access->set]++;
    if (line != BYPASS_NO_LINE)
        pdp->until[line] = pdp->clocks[access->set] + pdp->base.config->distance;
}

static void accepted(struct bypass *bypass, const struct bypass_access *access, uint32_t line)
{
    protect((struct pdp *)bypass, access, line);
}

static void hit(struct bypass *bypass, const struct bypass_access *access, uint32_t line,
                bool pending)
{
    (void)pending;
    protect((struct pdp *)bypass, access, line);
}

static enum status init(struct bypass *bypass)
{
    struct pdp *pdp = (struct pdp *)bypass;
    pdp->until = calloc((size_t)bypass->sets * bypass->ways, sizeof *pdp->until);
    pdp->clocks = calloc(bypass->sets, sizeof *pdp->clocks);
    return pdp->until && pdp->clocks ? STATUS_OK : STATUS_MEMORY;
}

static void release(struct bypass *bypass)
{
    struct pdp *pdp = (struct pdp *)bypass;
    free(pdp->until);
    free(pdp->clocks);
}

/* A line has a counter of what is left of its distance. */
static size_t arrays(const struct machine *machine, uint64_t lines, struct bypass_array *arrays)
{
    arrays[0] = (struct bypass_array){lines, 0, log2_ceil(machine->l1d.bypass.distance + 1)};
    return 1;
}

const struct bypass_kind bypass_pdp = {.name = "pdp",
                                       .size = sizeof(struct pdp),
                                       .init = init,
                                       .free = release,
                                       .arrays = arrays,
                                       .ask = ask,
                                       .accepted = accepted,
                                       .hit = hit};
