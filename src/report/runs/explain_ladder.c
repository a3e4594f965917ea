#include "report/runs/explain_ladder.h"

#include <math.h>

#include "base/counts.h"

const char *const explain_csv_headers[] = {"part",   "name",   "level", "share", "value",
                                           "cycles", "gain",   "held",  "noise", "area",
                                           "bits",   "energy", NULL};

struct explain_csv_row explain_csv_row(const char *part, const char *name)
{
    return (struct explain_csv_row){.part = part,
                                    .name = name,
                                    .share = NAN,
                                    .value = NAN,
                                    .cycles = NAN,
                                    .gain = NAN,
                                    .held = NAN,
                                    .noise = NAN,
                                    .area = NAN,
                                    .bits = NAN,
                                    .energy = NAN};
}

void explain_csv_add(struct table *table, const struct explain_csv_row *row)
{
    const double numbers[] = {row->share, row->value, row->cycles, row->gain,  row->held,
                              row->noise, row->area,  row->bits,   row->energy};
    table_text(table, row->part);
    table_text(table, row->name);
    table_text(table, row->level);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        table_number(table, numbers[i], NULL);
}

const char *explain_gain_header(const struct metric *metric)
{
    return metric->direction == HIGHER_IS_BETTER ? ">gains %|gain" : ">saves %|gain";
}

void explain_add_gain(struct table *table, double gain, double noise)
{
    char text[32];
    snprintf(text, sizeof text, "%s%.2f", fabs(gain) <= noise && gain != 0 ? "~" : "", 100 * gain);
    table_number(table, gain, isnan(gain) ? NULL : text);
}

static const char *level_name(enum ideal ideal)
{
    return ideal_level_table[ideal_table[ideal].level].name;
}

/* ---- for people ---- */

/* Whether a limit has a part of the cycle stack. */
static bool has_stack(const struct ladder *ladder)
{
    for (size_t i = 0; i < ladder->limit_count; i++)
        if (!isnan(ladder->limits[i].share))
            return true;
    return false;
}

static void print_limits(const struct explanation *explanation, uint64_t limit, struct page *page)
{
    const struct ladder *ladder = &explanation->ladder;
    const bool held = ladder->limit_count && !isnan(ladder->limits[0].held);
    const bool stack = has_stack(ladder);
    const char *headers[6] = {explain_gain_header(explanation->metric)};
    size_t columns = 1, ran = 0;
    if (held)
        headers[columns++] = ">held %";
    if (stack)
        headers[columns++] = ">stack %";
    headers[columns++] = "limit";
    headers[columns] = "level";
    struct table *table = table_create(headers);
    while (ran < ladder->limit_count && !isnan(ladder->limits[ran].gain))
        ran++; /* those that did not run come last */
    const size_t most = explain_rows(ran, limit);
    for (size_t i = 0; i < most && table; i++) {
        const struct ladder_limit *row = &ladder->limits[i];
        explain_add_gain(table, row->gain, explanation->noise.floor);
        if (held)
            explain_add_gain(table, row->held, explanation->noise.floor);
        if (stack)
            table_percent(table, row->share);
        table_text(table, ideal_table[row->ideal].name);
        table_text(table, level_name(row->ideal));
    }
    const char *less =
        explanation->metric->direction == HIGHER_IS_BETTER ? "that gain less" : "that save less";
    page_heading(page, 2,
                 stack ? "Limits, each taken out alone, and their parts of the cycle stack"
                       : "Limits, each taken out alone");
    explain_finish(table, ran - most, less, page);
    if (held)
        page_paragraph(page, "held: with every block kept on the SM where the machine itself runs "
                             "it, so without what another placement saves.");
    if (ran < ladder->limit_count)
        page_paragraph(page, "Not run: %zu limits.", ladder->limit_count - ran);
}

/* The name of the limit that a rung takes out, or how many they are. */
static const char *rung_name(const struct ladder *ladder, const struct ladder_rung *rung,
                             char text[COUNT_TEXT])
{
    const struct ladder_limit *limit = ladder_limit_of(ladder, rung);
    size_t count = 0;
    for (int i = 0; i < IDEAL_COUNT; i++)
        count += ideal_has(rung->added, (enum ideal)i);
    snprintf(text, COUNT_TEXT, "the other %zu", count);
    return limit ? ideal_table[limit->ideal].name : text;
}

static const char *rung_level(const struct ladder *ladder, const struct ladder_rung *rung)
{
    const struct ladder_limit *limit = ladder_limit_of(ladder, rung);
    return limit ? level_name(limit->ideal) : NULL;
}

void explain_finish(struct table *table, size_t left, const char *what, struct page *page)
{
    page_table(page, table);
    if (left)
        page_paragraph(page, "Not shown: %zu %s.", left, what);
}

static void print_rungs(const struct explanation *explanation, uint64_t limit, struct page *page)
{
    const char *const headers[] = {explain_gain_header(explanation->metric),
                                   ">of it %",
                                   ">then",
                                   "limit taken out",
                                   "level",
                                   NULL};
    const struct ladder *ladder = &explanation->ladder;
    const double base = metric_get(explanation->metric, &explanation->base);
    struct table *table = table_create(headers);
    const size_t most = explain_rows(ladder->rung_count, limit);
    for (size_t i = 0; i < most && table; i++) {
        const struct ladder_rung *rung = &ladder->rungs[i];
        char name[COUNT_TEXT], left[QUANTITY_TEXT];
        explain_add_gain(table, rung->gain, explanation->noise.floor);
        table_percent(table, rung->value / base);
        table_number(table, rung->value,
                     quantity_print_short(rung->value, explanation->metric->unit, 4, left));
        table_text(table, rung_name(ladder, rung, name));
        table_text(table, rung_level(ladder, rung));
    }
    page_heading(page, 2,
                 "Ladder: limits taken out one after the other, level by level, the best next");
    explain_finish(table, ladder->rung_count - most, "more, down to the bound", page);
}

static void print_pairs(const struct explanation *explanation, uint64_t limit, struct page *page)
{
    static const char *const headers[] = {">together %", ">first %", ">second %", "limits", NULL};
    const struct ladder *ladder = &explanation->ladder;
    struct table *table = table_create(headers);
    const size_t most = explain_rows(ladder->pair_count, limit);
    for (size_t i = 0; i < most && table; i++) {
        const struct ladder_pair *pair = &ladder->pairs[i];
        explain_add_gain(table, pair->gain, explanation->noise.floor);
        for (size_t k = 0; k < 2; k++)
            explain_add_gain(table, ladder_gain_alone(ladder, pair->ideals[k]),
                             explanation->noise.floor);
        table_printf(table, "%s, %s", ideal_table[pair->ideals[0]].name,
                     ideal_table[pair->ideals[1]].name);
    }
    page_heading(page, 2, "Pairs of the limits that save most");
    explain_finish(table, ladder->pair_count - most, "more pairs", page);
}

/* Whether no limit alone, and not all together, change the metric. */
static bool changes_nothing(const struct ladder *ladder)
{
    if (!ladder->complete || !ladder->limit_count)
        return false;
    for (size_t i = 0; i < ladder->limit_count; i++)
        if (ladder->limits[i].gain != 0)
            return false;
    for (size_t i = 0; i < ladder->rung_count; i++)
        if (ladder->rungs[i].gain != 0)
            return false;
    return true;
}

void explain_ladder_print(const struct explanation *explanation, uint64_t limit, struct page *page)
{
    const struct ladder *ladder = &explanation->ladder;
    if (!(explanation->parts & EXPLAIN_LADDER))
        return;
    if (!ladder->limit_count && ladder->complete)
        page_paragraph(page, "\nThis depth can take no limit out of such a machine.");
    if (changes_nothing(ladder)) {
        page_paragraph(page,
                       "\nNone of %zu limits (warpscape ideals) changes it, nor do all of them.",
                       ladder->limit_count);
        return;
    }
    if (ladder->limit_count)
        print_limits(explanation, limit, page);
    if (ladder->rung_count)
        print_rungs(explanation, limit, page);
    if (ladder->pair_count)
        print_pairs(explanation, limit, page);
}

/* ---- for programs ---- */

void explain_ladder_csv(const struct explanation *explanation, struct table *table)
{
    const struct ladder *ladder = &explanation->ladder;
    char name[COUNT_TEXT];
    for (size_t i = 0; i < ladder->limit_count; i++) {
        const struct ladder_limit *limit = &ladder->limits[i];
        struct explain_csv_row row = explain_csv_row("limit", ideal_table[limit->ideal].name);
        row.noise = explanation->noise.floor;
        row.level = level_name(limit->ideal);
        row.share = limit->share;
        row.value = limit->value;
        row.cycles = limit->cycles;
        row.gain = limit->gain;
        row.held = limit->held;
        explain_csv_add(table, &row);
    }
    for (size_t i = 0; i < ladder->rung_count; i++) {
        const struct ladder_rung *rung = &ladder->rungs[i];
        struct explain_csv_row row = explain_csv_row("rung", rung_name(ladder, rung, name));
        row.noise = explanation->noise.floor;
        row.level = rung_level(ladder, rung);
        row.value = rung->value;
        row.cycles = rung->cycles;
        row.gain = rung->gain;
        explain_csv_add(table, &row);
    }
    for (size_t i = 0; i < ladder->pair_count; i++) {
        const struct ladder_pair *pair = &ladder->pairs[i];
        char both[64];
        snprintf(both, sizeof both, "%s,%s", ideal_table[pair->ideals[0]].name,
                 ideal_table[pair->ideals[1]].name);
        struct explain_csv_row row = explain_csv_row("limit pair", both);
        row.noise = explanation->noise.floor;
        row.value = pair->value;
        row.cycles = pair->cycles;
        row.gain = pair->gain;
        explain_csv_add(table, &row);
    }
}
