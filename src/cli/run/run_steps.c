/* warpscape run --trace-steps: prints every page walk, which level of the page-walk cache it hit,
 * and what the cache contains after it. Meant for checking the model by hand against the example in
 * a paper. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "cli/run/run.h"
#include "cli/shared/options.h"
#include "model/pass/walk_steps.h"
#include "model/translation/walk_unit.h"

struct steps {
    FILE *out;
    uint64_t walks, accesses, cycles, hits[PWC_HIT_L2 + 1];
};

static const char *const hit_names[] = {"nothing", "L4", "L4 L3", "L4 L3 L2"};

/* Prints the contents of the cache like pwc_print, indented. */
static enum status print_contents(const struct pwc *pwc, FILE *out)
{
    char *text = NULL;
    size_t size = 0;
    FILE *lines = open_memstream(&text, &size);
    if (!lines)
        return STATUS_MEMORY;
    pwc_print(pwc, lines);
    enum status status = fclose(lines) ? STATUS_MEMORY : STATUS_OK;
    for (const char *line = text; !status && *line;) {
        size_t length = strcspn(line, "\n");
        fprintf(out, "    %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    free(text);
    return status;
}

static enum status print_step(void *argument, const struct walk_step *step)
{
    struct steps *steps = argument;
    char accesses[COUNT_TEXT], cycles[COUNT_TEXT], levels[COUNT_TEXT];
    steps->walks++;
    steps->accesses += step->accesses;
    steps->cycles += step->lookup.cycles;
    steps->hits[step->hit]++;
    fprintf(steps->out,
            "walk %" PRIu64 "  page 0x%012" PRIx64 " of SM %u: L4 %u L3 %u L2 %u L1 %u\n"
            "    hit %s, %s, %s of %s\n",
            step->number, step->page, step->sm, step->indices.l4, step->indices.l3,
            step->indices.l2, step->indices.l1, hit_names[step->hit],
            counted_print(step->accesses, "access", accesses),
            counted_print(step->lookup.cycles, "cycle", cycles),
            counted_print(step->lookup.levels, "level", levels));
    enum status status = print_contents(step->pwc, steps->out);
    return status ? status : ferror(steps->out) ? STATUS_IO : STATUS_OK;
}

static void print_sum(const struct steps *steps, uint64_t limit, bool whole)
{
    uint64_t l2 = steps->hits[PWC_HIT_L2], l3 = l2 + steps->hits[PWC_HIT_L3];
    uint64_t l4 = l3 + steps->hits[PWC_HIT_L4];
    char walks[COUNT_TEXT], accesses[COUNT_TEXT], cycles[COUNT_TEXT];
    fprintf(steps->out,
            "%s, %s, %s of look-ups; L4 hit %" PRIu64 ", L3 %" PRIu64 ", L2 %" PRIu64 "\n",
            counted_print(steps->walks, "walk", walks),
            counted_print(steps->accesses, "access", accesses),
            counted_print(steps->cycles, "cycle", cycles), l4, l3, l2);
    if (!whole)
        fprintf(steps->out, "stopped after %s; --trace-steps=COUNT goes further\n",
                counted_print(limit, "walk", walks));
}

enum status run_steps(const struct run_arguments *arguments, const struct run *run,
                      struct diagnostics *diagnostics)
{
    char why[VALUE_TEXT];
    if (!machine_has(&run->machine, STAGE_PWC))
        return diagnostics_error(
            diagnostics, STATUS_INVALID, "--trace-steps needs address translation; there is none%s",
            parameter_idle(parameter_find("walker.count"), &run->machine, why) ? why : "");
    const struct pwc_kind *kind = pwc_kinds[run->machine.pwc.organization];
    struct steps steps = {.out = stdout};
    bool whole;
    printf("machine:  %s\nworkload: %s\npage-walk cache: %s, %" PRIu64 " bits\n\n",
           run->machine_name, run->source->name, kind->name, pwc_bits(&run->machine.pwc));
    enum status status = walk_steps(&run->machine, run->source, arguments->steps, print_step,
                                    &steps, interrupt_flag(), &whole, diagnostics);
    if (!status && walk_unit_reorders(&run->machine))
        fputs(
            "these are the walks in the order of the TLBs' misses; the machine's walkers merge or "
            "reorder them\n",
            stdout);
    if (!status)
        print_sum(&steps, arguments->steps, whole);
    return status;
}
