/* Part of report/runs/tile_view.c: a view as a table, and as a picture. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/runs/tile_view.h"

static enum status bank_field(const struct tile_sight *sight, struct field *field)
{
    const struct tile_surface *surface = tile_sight_surface(sight);
    const enum status status = field_init(field, tile_columns(surface), tile_rows(surface), 1);
    for (uint32_t y = 0; !status && y < field->height; y++)
        for (uint32_t x = 0; x < field->width; x++)
            field->values[(size_t)y * field->width + x] = tile_sight_bank(sight, x, y) + 1;
    return status;
}

static void fill_lines(const struct tile_sight *sight, struct table *table)
{
    const struct tile_surface *surface = tile_sight_surface(sight);
    const struct tile_maps *counts = &sight->frame->maps;
    struct tile_sight drawn = *sight;
    drawn.view = TILE_VIEW_OVERDRAW;
    for (uint32_t y = 0; y < tile_rows(surface); y++)
        for (uint32_t x = 0; x < tile_columns(surface); x++) {
            const uint64_t place = tile_maps_place(counts, sight->surface, x, y);
            table_whole(table, x);
            table_whole(table, y);
            table_whole(table, sight->frame->cached ? tile_sight_bank(sight, x, y) : NAN);
            table_decimal(table, tile_sight_value(&drawn, x, y), 3);
            for (unsigned i = 0; i < TILE_COUNTS; i++)
                if (i != TILE_COUNT_VALUES)
                    table_whole(table, sight->frame->cached || i == TILE_COUNT_REQUESTS
                                           ? counts->counts[i][place]
                                           : NAN);
        }
}

static void fill_banks(const struct tile_sight *sight, struct table *table)
{
    for (uint32_t i = 0; i < sight->frame->banks; i++) {
        const struct bank_counts *counts = &sight->frame->counts[i];
        table_whole(table, i);
        const uint64_t numbers[] = {sight->frame->requests[i],
                                    counts->cleared,
                                    counts->accesses,
                                    counts->misses,
                                    counts->chained,
                                    counts->cache_writes,
                                    counts->writebacks,
                                    counts->stalls[BANK_STALL_QUEUE],
                                    counts->stalls[BANK_STALL_MISS],
                                    counts->stalls[BANK_STALL_WRITEBACK],
                                    counts->stalls[BANK_STALL_EXECUTE]};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            table_whole(table, (double)numbers[k]);
    }
}

static void fill_parts(const struct tile_sight *sight, struct table *table)
{
    const struct tile_frame *frame = sight->frame;
    const uint64_t cycles = frame->parts->cycles;
    for (size_t i = 0; i < tile_frame_parts(frame); i++) {
        const struct tile_part *part = &frame->parts->items[i];
        double load[TILE_LOADS];
        tile_part_loads(part, frame->banks, load);
        const uint64_t end = cycles * (i + 1), last = frame->sums.cycles;
        table_whole(table, (double)(cycles * i));
        table_whole(table, (double)(end < last ? end : last));
        for (uint32_t k = 0; k < frame->banks; k++)
            table_whole(table, (double)part->requests[k]);
        table_decimal(table, load[1] > 0 ? load[0] / load[1] : NAN, 3);
        for (int k = BANK_RUNS + 1; k < BANK_STALLS; k++)
            table_whole(table, (double)part->stalls[k]);
        table_whole(table, (double)part->input_stalls);
        table_whole(table, (double)part->bank_stalls);
        table_decimal(table, (double)part->queued / (double)cycles / frame->banks, 2);
    }
}

enum { HEADERS_MAX = 32 };

static struct table *parts_table(uint32_t banks)
{
    static const char *const behind[] = {">imbalance",       ">stall.queue",   ">stall.miss",
                                         ">stall.writeback", ">stall.execute", ">stall.input",
                                         ">stall.bank",      ">queue.mean"};
    enum { BEHIND = sizeof behind / sizeof *behind };
    const char *headers[HEADERS_MAX] = {">begin", ">end"};
    char names[SCREEN_BANKS_MAX][24];
    for (uint32_t i = 0; i < banks; i++) {
        snprintf(names[i], sizeof names[i], ">bank %u", i);
        headers[2 + i] = names[i];
    }
    memcpy(headers + 2 + banks, behind, sizeof behind);
    return table_create(headers);
}

enum status tile_view_table(const struct tile_sight *sight, enum table_format format, FILE *out)
{
    static const char *const line_headers[] = {">x",        ">y",      ">bank",  ">overdraw",
                                               ">requests", ">misses", ">reads", ">longest chain",
                                               ">stalls",   NULL};
    static const char *const bank_headers[] = {">bank",
                                               ">requests",
                                               ">cleared",
                                               ">accesses",
                                               ">misses",
                                               ">chained",
                                               ">cache writes",
                                               ">writebacks",
                                               ">stall.queue",
                                               ">stall.miss",
                                               ">stall.writeback",
                                               ">stall.execute",
                                               NULL};
    _Static_assert(2 + SCREEN_BANKS_MAX + 9 <= HEADERS_MAX, "the columns of parts of time");
    const bool banks = sight->view == TILE_VIEW_BANKS, time = sight->view == TILE_VIEW_TIME;
    struct table *table = time    ? parts_table(sight->frame->banks)
                          : banks ? table_create(bank_headers)
                                  : table_create(line_headers);
    if (!table)
        return STATUS_MEMORY;
    (time ? fill_parts : banks ? fill_banks : fill_lines)(sight, table);
    return table_finish(table, format, out);
}

enum status tile_view_picture(const struct tile_sight *sight, struct picture *picture,
                              struct diagnostics *diagnostics)
{
    const struct tile_surface *surface = tile_sight_surface(sight);
    struct field field = {0}, colours = {0};
    *picture = (struct picture){0};
    if (sight->view == TILE_VIEW_TIME)
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "time is a chart, which is not written as a picture");
    if (sight->view == TILE_VIEW_FRAME)
        return picture_of_surface(surface, &sight->frame->memory, picture);
    const bool banks = sight->view == TILE_VIEW_BANKS;
    enum status status = banks ? bank_field(sight, &field) : tile_sight_map(sight, &field);
    if (!status)
        status = field_heat(&field, banks ? sight->frame->banks : field_most(&field), &colours);
    if (!status)
        status =
            field_picture(&colours, tile_side(surface), surface->width, surface->height, picture);
    field_free(&field);
    field_free(&colours);
    return status;
}
