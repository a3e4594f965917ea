/* warpscape run --trace-steps: prints every page walk, which level of the page-walk cache it hit,
 * and what the cache contains after it. Meant for checking the model by hand against the example in
 * a paper. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/text_stream.h"
#include "cli/run/run.h"
#include "cli/shared/options.h"
#include "model/pass/walk_steps.h"
#include "model/translation/walk_unit.h"
#include "report/drawing/table.h"

struct steps {
    FILE *out;
    struct table *table; /* NULL: text */
    enum table_format format;
    uint64_t walks, accesses, cycles, hits[PWC_HIT_L2 + 1];
};

static const char *const hit_names[] = {"nothing", "L4", "L4 L3", "L4 L3 L2"};

/* What pwc_print prints, for free(); NULL: no memory. */
static char *contents_text(const struct pwc *pwc)
{
    struct text_stream stream;
    if (text_stream_open(&stream))
        pwc_print(pwc, stream.out);
    return text_stream_take(&stream);
}

/* Prints the contents of the cache, indented. */
static enum status print_contents(const struct pwc *pwc, FILE *out)
{
    char *text = contents_text(pwc);
    for (const char *line = text; line && *line;) {
        size_t length = strcspn(line, "\n");
        fprintf(out, "    %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    const enum status status = text ? STATUS_OK : STATUS_MEMORY;
    free(text);
    return status;
}

/* A walk as a row, with the entries of the cache in one cell. */
static enum status walk_add_step(struct steps *steps, const struct walk_step *step)
{
    enum { ROWS_AT_ONCE = 256 };
    const struct page_indices *indices = &step->indices;
    const double numbers[] = {step->sm, indices->l4, indices->l3, indices->l2, indices->l1};
    char *text = contents_text(step->pwc), page[32];
    if (!text)
        return STATUS_MEMORY;
    for (char *end = text; (end = strchr(end, '\n'));)
        *end = end[1] ? ';' : '\0';
    snprintf(page, sizeof page, "0x%012" PRIx64, step->page);
    table_whole(steps->table, (double)step->number);
    table_text(steps->table, page);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        table_whole(steps->table, numbers[i]);
    table_text(steps->table, hit_names[step->hit]);
    table_whole(steps->table, step->accesses);
    table_whole(steps->table, (double)step->lookup.cycles);
    table_whole(steps->table, (double)step->lookup.levels);
    table_text(steps->table, text);
    free(text);
    if (table_rows(steps->table) < ROWS_AT_ONCE)
        return STATUS_OK;
    return table_flush(steps->table, steps->format, steps->out);
}

static enum status print_step(void *argument, const struct walk_step *step)
{
    struct steps *steps = argument;
    char accesses[COUNT_TEXT], cycles[COUNT_TEXT], levels[COUNT_TEXT];
    steps->walks++;
    steps->accesses += step->accesses;
    steps->cycles += step->lookup.cycles;
    steps->hits[step->hit]++;
    if (steps->table)
        return walk_add_step(steps, step);
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

/* What stands before and behind the walks in text. */
static void print_head(const struct run *run)
{
    printf("machine:  %s\nworkload: %s\npage-walk cache: %s, %" PRIu64 " bits\n\n",
           run->machine_name, run->source->name, pwc_kinds[run->machine.pwc.organization]->name,
           pwc_bits(&run->machine.pwc));
}

static void print_end(const struct run *run, const struct steps *steps, uint64_t limit, bool whole)
{
    if (walk_unit_reorders(&run->machine))
        fputs("these are the walks in the order of the TLBs' misses; the machine's walkers merge "
              "or reorder them\n",
              stdout);
    print_sum(steps, limit, whole);
}

enum status run_steps(const struct run_arguments *arguments, const struct run *run,
                      struct diagnostics *diagnostics)
{
    static const char *const headers[] = {">walk",   "page",     ">SM|sm", ">L4|l4",    ">L3|l3",
                                          ">L2|l2",  ">L1|l1",   "hit",    ">accesses", ">cycles",
                                          ">levels", "contents", NULL};
    char why[VALUE_TEXT];
    if (!machine_has(&run->machine, STAGE_PWC))
        return diagnostics_error(
            diagnostics, STATUS_INVALID, "--trace-steps needs address translation; there is none%s",
            parameter_idle(parameter_find("walker.count"), &run->machine, why) ? why : "");
    const bool text = arguments->format == TABLE_TEXT;
    struct steps steps = {
        .out = stdout, .table = text ? NULL : table_create(headers), .format = arguments->format};
    bool whole;
    if (!text && !steps.table)
        return STATUS_MEMORY;
    if (text)
        print_head(run);
    enum status status = walk_steps(&run->machine, run->source, arguments->steps, print_step,
                                    &steps, interrupt_flag(), &whole, diagnostics);
    if (!status && text)
        print_end(run, &steps, arguments->steps, whole);
    else if (!status)
        status = table_print(steps.table, steps.format, stdout);
    if (steps.table)
        table_free(steps.table);
    return status;
}
