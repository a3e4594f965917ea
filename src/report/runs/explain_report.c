#include "report/runs/explain_report.h"
#include "report/runs/explain_blame.h"
#include "report/runs/explain_json.h"
#include "report/runs/explain_ladder.h"
#include "report/runs/lever_chart.h"
#include "report/runs/memory_chart.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/counts.h"
#include "base/text_stream.h"
#include "report/drawing/number.h"

enum { EXPLAIN_TITLE = 400 };

/* ---- for people ---- */

static void add_quantity(struct table *table, double number, enum unit unit)
{
    char text[QUANTITY_TEXT];
    table_number(table, number, quantity_print_short(number, unit, 3, text));
}

/* The order for people: free ones and those without a known cost by what they save, others by what
 * they save per area. */
static double lever_merit(const struct lever *lever)
{
    return lever_cost(lever) == LEVER_COSTLY ? lever->gain / lever->area : lever->gain;
}

static int compare_merits(const void *a, const void *b)
{
    const struct lever *const *left = a, *const *right = b;
    const double merits[] = {lever_merit(*left), lever_merit(*right)};
    if (merits[0] != merits[1])
        return merits[0] > merits[1] ? -1 : 1;
    return *left < *right ? -1 : *left > *right;
}

static void add_lever(struct table *table, const struct lever *lever)
{
    char text[LEVER_CHANGE_TEXT];
    explain_add_gain(table, lever->gain, lever->noise);
    if (lever_cost(lever) != LEVER_UNCOUNTED) {
        add_quantity(table, lever->area, UNIT_AREA);
        add_quantity(table, lever->bits, UNIT_BITS);
        add_quantity(table, lever->energy, UNIT_JOULES);
    }
    table_text(table, lever_change_print(&lever->change, "", text));
}

/* What is not in the table: levers beyond the limit, and those that save nothing. */
static void print_left_out(const struct metric *metric, enum lever_cost cost, size_t more,
                           size_t idle, size_t beaten, struct page *page)
{
    const char *verb = metric->direction == HIGHER_IS_BETTER ? "gain" : "save";
    char less[32], none[32], text[160];
    snprintf(less, sizeof less, "%s less%s", verb, cost == LEVER_COSTLY ? " per mm2" : "");
    snprintf(none, sizeof none, "%s nothing", verb);
    const struct {
        size_t count;
        const char *what;
    } parts[] = {{more, less}, {beaten, "beaten by another value"}, {idle, none}};
    size_t used = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].count)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%zu %s", used ? ", " : "",
                                     parts[i].count, parts[i].what);
    if (used)
        page_paragraph(page, "Not shown: %s.", text);
}

/* The levers of one cost, or all pairs. */
static void print_levers(const struct explain_report *report, const struct lever *levers,
                         size_t count, const char *heading, enum lever_cost cost, struct page *page)
{
    const char *gain = explain_gain_header(report->explanation->metric);
    const char *const counted[] = {gain, ">area", ">bits", ">energy", "set", NULL};
    const char *const uncounted[] = {gain, "set", NULL};
    const struct lever **shown = malloc((count + 1) * sizeof(struct lever *));
    size_t rows = 0, idle = 0, beaten = 0;
    if (!shown) {
        page->status = STATUS_MEMORY;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (lever_cost(&levers[i]) != cost)
            continue;
        if (!(levers[i].gain > 0))
            idle++;
        else if (levers[i].beaten)
            beaten++;
        else
            shown[rows++] = &levers[i];
    }
    qsort(shown, rows, sizeof *shown, compare_merits);
    const size_t most = explain_rows(rows, report->limit);
    struct table *table = most ? table_create(cost == LEVER_UNCOUNTED ? uncounted : counted) : NULL;
    for (size_t i = 0; i < most && table; i++)
        add_lever(table, shown[i]);
    if (rows || idle || beaten)
        page_heading(page, 2, heading);
    if (most)
        page_table(page, table);
    print_left_out(report->explanation->metric, cost, rows - most, idle, beaten, page);
    free(shown);
}

/* Levers that the metric does not compare, and the one that does. */
static void print_incomparable(const struct explain_report *report, struct page *page)
{
    static const char *const headers[] = {"not compared", "why", "compared by", NULL};
    const struct levers *levers = &report->explanation->levers;
    if (!levers->incomparable_count)
        return;
    struct table *table = table_create(headers);
    for (size_t i = 0; i < levers->incomparable_count && table; i++) {
        const struct lever_incomparable *lever = &levers->incomparable[i];
        const struct metric *other =
            lever_comparable(lever->setting.parameter, report->explanation->metric, report->depth);
        char text[LEVER_TEXT];
        table_text(table, lever_incomparable_print(lever, text));
        table_text(table, lever_incomparable_why(lever));
        table_text(table, other ? other->path : NULL);
    }
    page_heading(page, 2, "Levers that would change what is counted");
    page_table(page, table);
}

/* Levers as a chart, as many as the tables have rows. */
static void print_tornado(const struct explain_report *report, struct page *page)
{
    struct text_stream stream;
    char *text = NULL;
    FILE *out = text_stream_open(&stream);
    enum status status = out ? STATUS_OK : STATUS_MEMORY;
    if (!status)
        status = lever_chart_print(&report->explanation->levers, report->explanation->metric,
                                   report->limit ? report->limit : LEVER_CHART_BARS, report->glyphs,
                                   PAGE_COLUMNS, out);
    if (out)
        status = text_stream_finish(&stream, status, &text);
    if (!status)
        page_code(page, "Levers", text);
    page->status = page->status ? page->status : status;
    free(text);
}

/* The machine, with what leaving out the limits of each part saves. */
static void print_memory(const struct explain_report *report, struct page *page)
{
    const struct memory_chart chart = {.metrics = &report->explanation->base,
                                       .ladder = &report->explanation->ladder,
                                       .explained = report->explanation->metric,
                                       .glyphs = report->glyphs,
                                       .selected = -1};
    memory_chart_page(&chart, page);
}

/* What an explanation that was cut short lacks. */
static void print_missing(const struct explanation *explanation, struct page *page)
{
    const struct levers *levers = &explanation->levers;
    if (explanation->parts & EXPLAIN_LADDER && !explanation->ladder.complete)
        page_paragraph(page, "Stopped early: the ladder is not complete.");
    if (!(explanation->parts & EXPLAIN_LEVERS) || levers->pairs_complete)
        return;
    page_paragraph(page, "Stopped early: %s.",
                   levers->singles_complete ? "not all pairs of levers were tried"
                   : levers->single_count   ? "not all levers were tried, and no pairs of them"
                                            : "no lever was tried");
}

static void print_noise(double floor, struct page *page)
{
    char delays[12 * NOISE_STARTS];
    size_t used = 0;
    for (size_t i = 0; i < NOISE_STARTS; i++)
        used += (size_t)snprintf(delays + used, sizeof delays - used, "%s%" PRIu32, i ? ", " : "",
                                 noise_delays[i]);
    page_paragraph(page, "Noise floor: %.2f %% (--start-delay %s). A ~ is within it.", 100 * floor,
                   delays);
}

/* The number that is explained, the cycles of a time, and how to repeat what is printed. */
static void print_head(const struct explain_report *report, struct page *page)
{
    const struct explanation *explanation = report->explanation;
    const struct metric *metric = explanation->metric;
    const bool time = metric == metric_find("core.time");
    char value[QUANTITY_TEXT], count[COUNT_TEXT];
    quantity_print_short(metric_get(metric, &explanation->base), metric->unit, 4, value);
    page_paragraph(page, "%s: %s%s%s%s", metric->path, value, time ? ", " : "",
                   time ? count_print((uint64_t)explanation->base.core_cycles, count) : "",
                   time ? " cycles" : "");
    if (explanation->noise.floor > 0)
        print_noise(explanation->noise.floor, page);
    if (!isnan(explanation->ladder.bound) && explanation->ladder.limit_count) {
        quantity_print_short(explanation->ladder.bound, metric->unit, 4, value);
        const double gain =
            metric_gain(metric, metric_get(metric, &explanation->base), explanation->ladder.bound);
        page_paragraph(page, "Without any limit: %s, %.2f %% %s.", value, 100 * fabs(gain),
                       metric_gain_side(metric, gain));
    }
    print_missing(explanation, page);
    page_paragraph(page, "To repeat a number, add what stands beside it%s to%s%s",
                   explanation->ladder.limit_count ? " (limits: --ideal)" : "",
                   page->format == PAGE_TEXT ? "\n  " : ": ", report->command);
}

/* What the numbers are made of. */
static void print_count(const struct explain_report *report, struct page *page)
{
    const struct trials_count *count = &report->explanation->count;
    char done[COUNT_TEXT];
    page_paragraph(page, "%s%s: %zu whole runs, %zu equal to another or remembered.",
                   page->format == PAGE_TEXT ? "\n" : "",
                   counted_print(count->done, "experiment", done), count->done - count->repeated,
                   count->repeated);
    if (count->done < count->planned)
        page_paragraph(page, "%zu more were begun and not ended.", count->planned - count->done);
}

static void print_sentences(const struct sentences *sentences, struct page *page)
{
    static const char *const headers[] = {"with", "why", NULL};
    struct table *table = table_create(headers);
    for (size_t i = 0; i < sentences->count && table; i++) {
        table_text(table, sentences->items[i].repeat);
        table_text(table, sentences->items[i].text);
    }
    page_heading(page, 2, "Why, and what repeats it");
    page_table(page, table);
}

static void print_all_levers(const struct explain_report *report, struct page *page)
{
    static const char *const headings[] = {
        [LEVER_FREE] = "Levers that take no more area",
        [LEVER_COSTLY] = "Levers that take area, what saves most per mm2 first",
        [LEVER_UNCOUNTED] = "Levers whose cost the area model does not count"};
    static const char *const pair_headings[] = {
        [LEVER_FREE] = "Pairs of levers that take no more area",
        [LEVER_COSTLY] = "Pairs of levers that take area",
        [LEVER_UNCOUNTED] = "Pairs of levers whose cost the area model does not count"};
    const struct levers *levers = &report->explanation->levers;
    for (int cost = LEVER_FREE; cost <= LEVER_UNCOUNTED; cost++)
        print_levers(report, levers->singles, levers->single_count, headings[cost],
                     (enum lever_cost)cost, page);
    if (levers->single_count)
        print_tornado(report, page);
    for (int cost = LEVER_FREE; cost <= LEVER_UNCOUNTED; cost++)
        print_levers(report, levers->pairs, levers->pair_count, pair_headings[cost],
                     (enum lever_cost)cost, page);
    print_incomparable(report, page);
}

void explain_report_add(const struct explain_report *report, struct page *page)
{
    const struct explanation *explanation = report->explanation;
    print_head(report, page);
    if (explanation->sentences.count)
        print_sentences(&explanation->sentences, page);
    if (page->format != PAGE_TEXT)
        print_memory(report, page);
    explain_ladder_print(explanation, report->limit, page);
    print_all_levers(report, page);
    if (report->blaming)
        explain_blame_print(report->blaming, explanation->metric, explanation->noise.floor,
                            report->limit, page);
    else
        print_count(report, page);
}

enum status explain_report_page(const struct explain_report *report, enum page_format format,
                                FILE *out)
{
    char title[EXPLAIN_TITLE];
    struct page page;
    snprintf(title, sizeof title, "%s on %s, depth %s", report->workload, report->machine_name,
             depth_name(report->depth));
    page_begin(&page, format, title, out);
    explain_report_add(report, &page);
    return page_end(&page);
}

/* ---- for programs ---- */

static void add_csv_levers(struct table *table, const char *part, const struct lever *levers,
                           size_t count)
{
    char text[LEVER_CHANGE_TEXT];
    for (size_t i = 0; i < count; i++) {
        const struct lever *lever = &levers[i];
        struct explain_csv_row row =
            explain_csv_row(part, lever_change_print(&lever->change, "", text));
        row.value = lever->value;
        row.cycles = lever->cycles;
        row.gain = lever->gain;
        row.noise = lever->noise;
        row.area = lever->area;
        row.bits = lever->bits;
        row.energy = lever->energy;
        explain_csv_add(table, &row);
    }
}

/* What is explained, the bound, how many experiments ended, of those that were begun, and what was
 * not compared. */
static void add_csv_head(struct table *table, const struct explanation *explanation)
{
    const struct levers *levers = &explanation->levers;
    const struct metric *metric = explanation->metric;
    const double own = metric_get(metric, &explanation->base);
    struct explain_csv_row row = explain_csv_row("run", metric->path);
    row.value = own;
    row.cycles = explanation->base.core_cycles;
    row.noise = explanation->noise.floor;
    explain_csv_add(table, &row);
    if (!isnan(explanation->ladder.bound)) {
        row = explain_csv_row("bound", metric->path);
        row.value = explanation->ladder.bound;
        row.cycles = explanation->ladder.bound_cycles;
        row.gain = metric_gain(metric, own, explanation->ladder.bound);
        explain_csv_add(table, &row);
    }
    row = explain_csv_row("experiments", explanation->complete ? "complete" : "stopped early");
    row.value = (double)explanation->count.done;
    row.share = (double)explanation->count.done / (double)explanation->count.planned;
    explain_csv_add(table, &row);
    for (size_t i = 0; i < levers->incomparable_count; i++) {
        char text[LEVER_TEXT];
        row = explain_csv_row("not compared",
                              lever_incomparable_print(&levers->incomparable[i], text));
        explain_csv_add(table, &row);
    }
}

static enum status print_csv(const struct explain_report *report, FILE *out)
{
    const struct levers *levers = &report->explanation->levers;
    if (report->blaming)
        return explain_blame_csv(report->blaming, out);
    struct table *table = table_create(explain_csv_headers);
    if (!table)
        return STATUS_MEMORY;
    add_csv_head(table, report->explanation);
    explain_ladder_csv(report->explanation, table);
    add_csv_levers(table, "lever", levers->singles, levers->single_count);
    add_csv_levers(table, "lever pair", levers->pairs, levers->pair_count);
    return table_finish(table, TABLE_CSV, out);
}

enum status explain_report_print(const struct explain_report *report, enum table_format format,
                                 FILE *out)
{
    return format == TABLE_JSON ? explain_json(report, out)
           : format == TABLE_CSV
               ? print_csv(report, out)
               : explain_report_page(report, format == TABLE_MARKDOWN ? PAGE_MARKDOWN : PAGE_TEXT,
                                     out);
}
