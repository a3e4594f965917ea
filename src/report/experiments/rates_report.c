#include "report/experiments/rates_report.h"

#include <math.h>

#include "base/units.h"

struct level {
    const char *name;
    double rate;
    struct rate_limit limit;
    const char *unit;
    bool cycles; /* the rate is of a cycle */
};

/* Rates of a second are large: for people with a prefix. */
static void put_rate(struct table *table, const struct level *level, double rate)
{
    char text[QUANTITY_TEXT];
    if (level->cycles)
        table_decimal(table, rate, 2);
    else
        table_number(table, rate,
                     isnan(rate) ? NULL : quantity_print_short(rate, UNIT_NONE, 4, text));
}

static void put_share(struct table *table, double share)
{
    char text[QUANTITY_TEXT] = "-";
    if (!isnan(share))
        snprintf(text, sizeof text, "%.1f", 100 * share);
    table_number(table, share, text);
}

enum status rates_report_table(const struct rates *rates, const struct machine *machine,
                               enum table_format format, FILE *out)
{
    static const char *const both[] = {"level",         ">found", "unit", ">at most",
                                       ">share%|share", "limit",  NULL};
    static const char *const alone[] = {"level", ">found", "unit", NULL};
    struct rate_limits limits = {{NAN, ""}, {NAN, ""}, {NAN, ""}};
    if (machine)
        limits = rates_limits(machine);
    const struct level levels[] = {{"L1D of an SM", rates->l1.rate, limits.l1, "B/cycle", true},
                                   {"L2", rates->l2.rate, limits.l2, "B/s", false},
                                   {"DRAM", rates->memory.rate, limits.memory, "B/s", false}};
    struct table *table = table_create(machine ? both : alone);
    if (!table)
        return STATUS_MEMORY;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        const struct level *level = &levels[i];
        table_text(table, level->name);
        put_rate(table, level, level->rate);
        table_text(table, level->unit);
        if (!machine)
            continue;
        put_rate(table, level, level->limit.rate);
        put_share(table, level->rate / level->limit.rate);
        table_text(table, level->limit.limit);
    }
    return table_finish(table, format, out);
}

static void put_cost(struct table *table, unsigned stride, unsigned offset,
                     const struct load_cost *cost)
{
    table_whole(table, stride);
    table_whole(table, offset);
    table_decimal(table, cost->cycles, 2);
    table_decimal(table, cost->sectors, 2);
    table_decimal(table, cost->requests, 2);
}

enum status lanes_report_table(const struct rates *rates, enum table_format format, FILE *out)
{
    static const char *const headers[] = {">stride",  ">offset",   ">cycles per load|cycles",
                                          ">sectors", ">requests", NULL};
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    for (unsigned i = 0; i < RATES_STRIDES; i++)
        put_cost(table, i, 0, &rates->strides[i]);
    for (unsigned i = 1; i < RATES_OFFSETS; i++)
        put_cost(table, 1, i, &rates->offsets[i]);
    return table_finish(table, format, out);
}
