#include "report/runs/tile_sight.h"

#include <math.h>
#include <string.h>

#define VIEW_NAME(constant, name, help) name,
const char *const tile_view_names[TILE_VIEWS + 1] = {TILE_VIEW_LIST(VIEW_NAME)};
#undef VIEW_NAME
#define VIEW_HELP(constant, name, help) help,
const char *const tile_view_helps[TILE_VIEWS] = {TILE_VIEW_LIST(VIEW_HELP)};
#undef VIEW_HELP

/* What maps count; the others are no maps. */
static const struct {
    bool sums; /* adding up lines means something */
    enum tile_count count;
    const char *unit;
} maps[TILE_VIEWS] = {
    [TILE_VIEW_OVERDRAW] = {false, TILE_COUNT_VALUES, "times"},
    [TILE_VIEW_MISSES] = {true, TILE_COUNT_MISSES, "misses"},
    [TILE_VIEW_READS] = {true, TILE_COUNT_READS, "reads"},
    [TILE_VIEW_CHAINS] = {false, TILE_COUNT_CHAIN, "requests"},
    [TILE_VIEW_STALLS] = {true, TILE_COUNT_STALLS, "cycles"},
};

const char *tile_view_unit(enum tile_view view)
{
    return maps[view].unit;
}

bool tile_view_sums(enum tile_view view)
{
    return maps[view].sums;
}

const struct tile_surface *tile_sight_surface(const struct tile_sight *sight)
{
    return &sight->stream->surfaces[sight->surface];
}

enum status tile_surface_find(const struct tile_stream *stream, const char *name, uint32_t *surface,
                              struct diagnostics *diagnostics)
{
    const char *names[TILE_SURFACES_MAX];
    const char *wanted = name ? name : "colour";
    char hint[SUGGESTION_TEXT];
    *surface = 0;
    for (uint32_t i = 0; i < stream->surface_count; i++) {
        names[i] = stream->surfaces[i].name;
        if (!strcmp(names[i], wanted)) {
            *surface = i;
            return STATUS_OK;
        }
    }
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "the scene has no surface '%s'%s",
                             wanted,
                             suggestion(nearest_name(wanted, names, stream->surface_count), hint));
}

const char *tile_view_refused(const struct tile_frame *frame, enum tile_view view)
{
    if (frame->cached || view == TILE_VIEW_FRAME || view == TILE_VIEW_OVERDRAW)
        return NULL;
    return "only a tile cache has banks, misses and stalls; the machine tile-gpu has one";
}

/* Values of the surface in a line, which its edges may cut. */
static uint32_t values_of_line(const struct tile_surface *surface, uint32_t x, uint32_t y)
{
    const uint32_t side = tile_side(surface);
    const uint32_t across = surface->width - x * side, down = surface->height - y * side;
    return (across < side ? across : side) * (down < side ? down : side) * surface->samples;
}

double tile_sight_value(const struct tile_sight *sight, uint32_t x, uint32_t y)
{
    const struct tile_maps *counts = &sight->frame->maps;
    const uint64_t place = tile_maps_place(counts, sight->surface, x, y);
    const double count = counts->counts[maps[sight->view].count][place];
    return sight->view == TILE_VIEW_OVERDRAW
               ? count / values_of_line(tile_sight_surface(sight), x, y)
               : count;
}

enum status tile_sight_map(const struct tile_sight *sight, struct field *field)
{
    const struct tile_surface *surface = tile_sight_surface(sight);
    const enum status status = field_init(field, tile_columns(surface), tile_rows(surface), 1);
    for (uint32_t y = 0; !status && y < field->height; y++)
        for (uint32_t x = 0; x < field->width; x++)
            field->values[(size_t)y * field->width + x] = tile_sight_value(sight, x, y);
    return status;
}

uint32_t tile_sight_bank(const struct tile_sight *sight, uint32_t x, uint32_t y)
{
    const struct tile_request request = {
        .surface = (uint8_t)sight->surface, .x = (uint16_t)x, .y = (uint16_t)y};
    return sight->frame->cached ? screen_bank(&sight->frame->screen, &request) : 0;
}

size_t tile_frame_parts(const struct tile_frame *frame)
{
    const uint64_t cycles = frame->parts->cycles;
    return cycles ? (size_t)((frame->sums.cycles + cycles - 1) / cycles) : 0;
}

void tile_part_loads(const struct tile_part *part, uint32_t banks, double loads[TILE_LOADS])
{
    double most = 0, sum = 0, least = INFINITY;
    for (uint32_t i = 0; i < banks; i++) {
        most = fmax(most, (double)part->requests[i]);
        least = fmin(least, (double)part->requests[i]);
        sum += (double)part->requests[i];
    }
    loads[0] = most;
    loads[1] = sum / banks;
    loads[2] = least;
}
