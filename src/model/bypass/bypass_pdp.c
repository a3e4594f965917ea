/* Protecting distances: Duong, Zhao, Kim, Cammarota, Valero and Veidenbaum, "Improving cache
 * management policies using dynamic reuse distances", MICRO 2012, as "Adaptive cache management for
 * energy-efficient GPU computing" (Chen, Chang, Rodrigues, Lv, Wang and Hwu, MICRO 2014) uses them
 * on an L1D together with the throttling of warps (throttle_congestion.c).
 *
 * A line is protected for so many accesses to its set after it was taken or hit. A miss replaces
 * the unprotected line that the replacement policy would, or the next one; where all are protected
 * it is bypassed. The distance is l1d.bypass.distance, or with l1d.bypass.dynamic it is found from
 * reuse distances, which are sampled in four sets: the d that maximizes
 *     E(d) = sum of N_i / (sum of i N_i + (N - sum of N_i) (d + ways)), sums over i <= d,
 * where N_i of N accesses have the distance i.
 *
 * The papers' texts were not at hand. E is that of the first, from memory; that distances hardly
 * matter is as Aamodt, Fung and Rogers report it ("General-purpose graphics processor
 * architectures", 2018, 4.4.6). What was chosen: distances up to 64, found each 256 sampled
 * accesses, after which counts are halved. */
#include <string.h>

#include "model/bypass/bypass_member.h"

enum {
    REACH = 64,
    SAMPLED = 4,
    SAMPLES = 256 /* accesses from one distance to the next */
};

struct pdp {
    struct bypass base;
    uint64_t *until;  /* of each line: the access of its set up to which it is protected */
    uint64_t *clocks; /* accesses of each set */
    uint64_t distance;
    uint64_t recent[SAMPLED][REACH]; /* lines accessed last in sampled sets, in a ring */
    uint32_t samples;
    uint64_t reused[REACH + 1], counted; /* N_i and N */
};

/* ---- lines ---- */

static bool can_go(const struct pdp *pdp, const struct bypass_access *access,
                   const struct bypass_choice *choice, uint32_t way)
{
    if (!choice->holds[way])
        return true;
    return !(choice->holds[way] & choice->kept) &&
           pdp->until[choice->first + way] < pdp->clocks[access->set];
}

static enum bypass_verdict pdp_ask(struct bypass *bypass, const struct bypass_access *access,
                                   struct bypass_choice *choice)
{
    const struct pdp *pdp = (const struct pdp *)bypass;
    if (choice->way == BYPASS_NO_LINE)
        return BYPASS_PASS;
    for (uint32_t n = 0; n < choice->ways; n++) {
        const uint32_t way = (choice->way + n) % choice->ways;
        if (can_go(pdp, access, choice, way)) {
            choice->way = way;
            return BYPASS_ALLOCATE;
        }
    }
    return BYPASS_PASS;
}

/* ---- the distance ---- */

/* The distance of the largest E; that of now if nothing was reused. */
static uint64_t best_distance(const struct pdp *pdp)
{
    uint64_t best = pdp->distance, hits = 0, spent = 0;
    double most = 0;
    for (uint64_t d = 1; d <= REACH; d++) {
        hits += pdp->reused[d];
        spent += d * pdp->reused[d];
        const uint64_t others = (pdp->counted - hits) * (d + pdp->base.launch_ways);
        const double gain = hits ? (double)hits / (double)(spent + others) : 0;
        if (gain > most) {
            most = gain;
            best = d;
        }
    }
    return best;
}

static void pdp_sample(struct pdp *pdp, const struct bypass_access *access)
{
    const uint32_t every = pdp->base.sets / SAMPLED + !(pdp->base.sets / SAMPLED);
    const uint64_t clock = pdp->clocks[access->set];
    if (access->set % every || access->set / every >= SAMPLED)
        return;
    uint64_t *recent = pdp->recent[access->set / every];
    for (uint64_t i = 1; i <= REACH; i++)
        if (recent[(clock - i) % REACH] == 1 + access->line) {
            pdp->reused[i]++;
            break;
        }
    recent[clock % REACH] = 1 + access->line;
    pdp->counted++;
    if (++pdp->samples < SAMPLES)
        return;
    pdp->distance = best_distance(pdp);
    pdp->samples = 0;
    pdp->counted /= 2;
    for (unsigned i = 1; i <= REACH; i++)
        pdp->reused[i] /= 2;
}

static void pdp_accepted(struct bypass *bypass, const struct bypass_access *access, uint32_t line)
{
    struct pdp *pdp = (struct pdp *)bypass;
    pdp->clocks[access->set]++;
    if (bypass->config->dynamic)
        pdp_sample(pdp, access);
    if (line != BYPASS_NO_LINE)
        pdp->until[line] = pdp->clocks[access->set] + pdp->distance;
}

static void pdp_hit(struct bypass *bypass, const struct bypass_access *access, uint32_t line,
                    bool pending)
{
    (void)pending;
    pdp_accepted(bypass, access, line);
}

/* ---- a launch ---- */

static void pdp_launched(struct bypass *bypass)
{
    struct pdp *pdp = (struct pdp *)bypass;
    pdp->distance = bypass->config->distance;
    memset(pdp->reused, 0, sizeof pdp->reused);
    pdp->counted = pdp->samples = 0;
}

static enum status pdp_init(struct bypass *bypass)
{
    struct pdp *pdp = (struct pdp *)bypass;
    arrays_add(&bypass->arrays, &pdp->until, (size_t)bypass->sets * bypass->ways,
               sizeof *pdp->until);
    arrays_add(&bypass->arrays, &pdp->clocks, bypass->sets, sizeof *pdp->clocks);
    return bypass->arrays.failed ? STATUS_MEMORY : STATUS_OK;
}

/* A line has a counter of what is left of its distance. A search has the tags of its sampled sets
 * and its counts. */
static size_t pdp_arrays(const struct machine *machine, uint64_t lines, struct memory_array *arrays)
{
    enum { TAG = 41, COUNT = 9 };
    const struct bypass_config *config = &machine->l1d.bypass;
    const uint64_t most = config->dynamic ? REACH : config->distance;
    size_t count = 0;
    arrays[count++] = memory_array_ram("lines' distances left", lines, log2_ceil(most + 1));
    if (config->dynamic) {
        arrays[count++] = memory_array_ram("sampled accesses", SAMPLED * REACH, TAG);
        arrays[count++] = memory_array_ram("counts of distances", REACH, COUNT);
    }
    return count;
}

const struct bypass_kind bypass_pdp = {.name = "pdp",
                                       .size = sizeof(struct pdp),
                                       .init = pdp_init,
                                       .arrays = pdp_arrays,
                                       .ask = pdp_ask,
                                       .accepted = pdp_accepted,
                                       .hit = pdp_hit,
                                       .launched = pdp_launched};
