#include "report/experiments/bypass_figures.h"

#include <math.h>
#include <stdio.h>

struct bypass_rates bypass_rates_of(const struct bypass_result *result)
{
    if (!result)
        return (struct bypass_rates){NAN, NAN, NAN, NAN};
    const struct metrics *metrics = &result->metrics;
    return (struct bypass_rates){.misses = metrics->l1d_misses / metrics->l1d_accesses,
                                 .joined = (metrics->l1d_misses + metrics->l1d_pending_hits) /
                                           metrics->l1d_accesses,
                                 .fails = metrics->l1d_fails,
                                 .ipc = metrics->core_ipc};
}

struct bypass_gain bypass_gain_of(const struct bypass_study *study, size_t subject, size_t change)
{
    const struct bypass_rates base =
        bypass_rates_of(bypass_pair_at(study, subject, change, BYPASS_BASE));
    const struct bypass_rates design =
        bypass_rates_of(bypass_pair_at(study, subject, change, BYPASS_DESIGN));
    return (struct bypass_gain){.base = base,
                                .design = design,
                                .fails = design.fails / base.fails - 1,
                                .ipc = design.ipc / base.ipc - 1,
                                .misses_ratio = design.misses / base.misses - 1,
                                .joined_ratio = design.joined / base.joined - 1,
                                .misses_points = design.misses - base.misses,
                                .joined_points = design.joined - base.joined};
}

/* ---- loads ---- */

/* By load, from 1. The text names some of them; the others' pcs follow from their distance of 0x18
 * where they have one. */
static const struct bypass_paper_load loads_2d[] = {
    {0, SIGN_NONE, false},      {0x108, SIGN_FALLS, false}, {0x120, SIGN_NONE, false},
    {0x138, SIGN_RISES, false}, {0x150, SIGN_NONE, false},  {0x168, SIGN_RISES, false},
    {0x180, SIGN_NONE, false},  {0x198, SIGN_NONE, false},  {0x1b0, SIGN_NONE, true},
};
static const struct bypass_paper_load loads_3d[] = {
    {0x160, SIGN_NONE, true},  {0, SIGN_NONE, false},      {0x1d0, SIGN_FALLS, false},
    {0x1e8, SIGN_NONE, false}, {0x200, SIGN_NONE, true},   {0x218, SIGN_NONE, false},
    {0x230, SIGN_NONE, false}, {0x248, SIGN_FALLS, false}, {0x260, SIGN_NONE, false},
    {0x278, SIGN_NONE, true},  {0x290, SIGN_NONE, true},
};

static const struct {
    const struct bypass_paper_load *loads;
    unsigned count;
} programs[BYPASS_PAPER_PROGRAMS] = {
    [BYPASS_2D] = {loads_2d, sizeof loads_2d / sizeof *loads_2d},
    [BYPASS_3D] = {loads_3d, sizeof loads_3d / sizeof *loads_3d},
};

struct bypass_paper_load bypass_paper_load(size_t program, unsigned load)
{
    return programs[program].loads[load - 1];
}

unsigned bypass_load_count(size_t program)
{
    return programs[program].count;
}

const char *bypass_sign_name(enum bypass_sign sign)
{
    static const char *const names[] = {
        [SIGN_NONE] = "-", [SIGN_FALLS] = "falls", [SIGN_RISES] = "rises"};
    return names[sign];
}

bool bypass_in_sum(const struct pc_count *load, unsigned threshold)
{
    return load->evicted && load->evicted >= threshold * load->rehits;
}

bool bypass_by_most(const struct pc_count *load, unsigned threshold)
{
    (void)threshold;
    return 2 * load->passing > load->missing;
}

static unsigned threshold_of(size_t change)
{
    const unsigned own = bypass_changes[change].threshold;
    return own ? own : BYPASS_THRESHOLD_SAID;
}

const char *bypass_loads_text(const struct bypass_study *study, size_t subject, size_t change,
                              bypass_test *test, char *text, size_t size)
{
    const unsigned threshold = threshold_of(change);
    size_t used = 0;
    snprintf(text, size, "none");
    for (unsigned i = 1; i <= bypass_load_count(bypass_program_of(study, subject)); i++) {
        const struct pc_count *load = bypass_pair_load(study, subject, change, BYPASS_DESIGN, i);
        if (load && test(load, threshold) && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%u", used ? ", " : "", i);
    }
    return text;
}

void bypass_compare_loads(const struct bypass_study *study, size_t subject, size_t change,
                          bypass_test *test, size_t *agree, size_t *others)
{
    const size_t program = bypass_program_of(study, subject);
    const unsigned threshold = threshold_of(change);
    *agree = *others = 0;
    for (unsigned i = 1; i <= bypass_load_count(program); i++) {
        const struct pc_count *load = bypass_pair_load(study, subject, change, BYPASS_DESIGN, i);
        if (load && test(load, threshold))
            ++*(bypass_paper_load(program, i).bypassed ? agree : others);
    }
}

static double misses_of(const struct pc_count *load)
{
    return load && load->accesses ? (double)load->misses / (double)load->accesses : NAN;
}

size_t bypass_signs_text(const struct bypass_study *study, size_t subject, size_t change,
                         size_t *holds, char *text, size_t size)
{
    const size_t program = bypass_program_of(study, subject);
    size_t count = 0, used = 0;
    *holds = 0;
    *text = '\0';
    for (unsigned i = 1; i <= bypass_load_count(program); i++) {
        const struct bypass_paper_load paper = bypass_paper_load(program, i);
        const double rose = misses_of(bypass_pair_load(study, subject, change, BYPASS_DESIGN, i)) -
                            misses_of(bypass_pair_load(study, subject, change, BYPASS_BASE, i));
        if (paper.sign == SIGN_NONE || isnan(rose) || used >= size)
            continue;
        *holds += paper.sign == SIGN_FALLS ? rose < 0 : rose > 0;
        used += (size_t)snprintf(text + used, size - used, "%s0x%x %+.2f", count++ ? ", " : "",
                                 paper.pc, 100 * rose);
    }
    return count;
}

double bypass_load_misses(const struct bypass_result *result, unsigned load)
{
    const struct pc_count *count = result ? bypass_load(result, load) : NULL;
    return misses_of(count);
}
