#include "report/runs/warp_report.h"

#include <inttypes.h>
#include <math.h>

static const char *const headers[] = {">launch",
                                      ">block",
                                      ">warp",
                                      ">SM|sm",
                                      ">cycles",
                                      ">instructions",
                                      ">lanes|lanes_per_instruction",
                                      ">fetches|l1i.accesses",
                                      ">hits|l1i.hit_rate",
                                      ">waited|l1i.waited_cycles",
                                      ">accesses|l1d.accesses",
                                      ">hits|l1d.hit_rate",
                                      ">load|l1d.load_cycles",
                                      NULL};

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : NAN;
}

static void add_lookups(struct table *table, const struct timing_lookups *lookups)
{
    const uint64_t lacked = lookups->misses + lookups->pending;
    table_whole(table, (double)lookups->accesses);
    table_percent(table, ratio(lookups->accesses - lacked, lookups->accesses));
}

static void warps_add_row(struct table *table, const struct timing_warp *row,
                          const struct trace_launch *launch, bool by_block)
{
    table_whole(table, (double)launch_number(launch, row->launch));
    table_whole(table, (double)row->block);
    table_whole(table, by_block ? NAN : row->warp);
    table_whole(table, row->sm);
    table_whole(table, (double)(row->end - row->begin));
    table_whole(table, (double)row->instructions);
    table_decimal(table, ratio(row->lanes, row->instructions), 2);
    add_lookups(table, &row->l1i);
    table_whole(table, (double)row->fetching);
    add_lookups(table, &row->l1d);
    table_decimal(table, ratio(row->load_cycles, row->loads), 1);
}

static void join_lookups(struct timing_lookups *sum, const struct timing_lookups *more)
{
    sum->accesses += more->accesses;
    sum->misses += more->misses;
    sum->pending += more->pending;
}

static void warps_sum(struct timing_warp *sum, const struct timing_warp *warp)
{
    sum->begin = warp->begin < sum->begin ? warp->begin : sum->begin;
    sum->end = warp->end > sum->end ? warp->end : sum->end;
    sum->instructions += warp->instructions;
    sum->lanes += warp->lanes;
    sum->fetching += warp->fetching;
    sum->loads += warp->loads;
    sum->load_cycles += warp->load_cycles;
    join_lookups(&sum->l1i, &warp->l1i);
    join_lookups(&sum->l1d, &warp->l1d);
}

enum status warps_print(const struct timing_warps *warps, const struct trace_source *source,
                        bool by_block, size_t most, enum table_format format, FILE *out)
{
    struct table *table = table_create(headers);
    size_t rows = 0;
    for (size_t i = 0; table && i < warps->count; rows++) {
        struct timing_warp row = warps->items[i++];
        for (; by_block && i < warps->count && warps->items[i].launch == row.launch &&
               warps->items[i].block == row.block;
             i++)
            warps_sum(&row, &warps->items[i]);
        if (!most || rows < most)
            warps_add_row(table, &row, &source->launches[row.launch], by_block);
    }
    const enum status status = table ? table_finish(table, format, out) : STATUS_MEMORY;
    if (!status && most && rows > most)
        fprintf(out, "and %zu more; --format csv has them all\n", rows - most);
    return status;
}
