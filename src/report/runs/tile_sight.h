/* What there is to look at of a frame on a tile cache (model/tile/frame.h), as numbers: tile_view.h
 * draws them. */
#pragma once

#include "model/tile/frame.h"
#include "report/drawing/field.h"

/* ROW(constant, name, help) */
#define TILE_VIEW_LIST(ROW)                                                                        \
    ROW(TILE_VIEW_FRAME, "frame", "what was drawn")                                                \
    ROW(TILE_VIEW_BANKS, "banks", "which bank draws what, and what each has to do")                \
    ROW(TILE_VIEW_OVERDRAW, "overdraw", "how often a value of the surface was worked on")          \
    ROW(TILE_VIEW_MISSES, "misses", "misses of a line")                                            \
    ROW(TILE_VIEW_READS, "reads", "reads of a line from memory")                                   \
    ROW(TILE_VIEW_CHAINS, "chains", "requests of the longest chain of a line")                     \
    ROW(TILE_VIEW_STALLS, "stalls", "cycles in which a look-up of a line waited")                  \
    ROW(TILE_VIEW_TIME, "time", "load of the banks and imbalance over time")

#define TILE_VIEW_CONSTANT(constant, name, help) constant,
enum tile_view { TILE_VIEW_LIST(TILE_VIEW_CONSTANT) TILE_VIEWS };
#undef TILE_VIEW_CONSTANT
extern const char *const tile_view_names[TILE_VIEWS + 1]; /* ended by NULL */
extern const char *const tile_view_helps[TILE_VIEWS];

struct tile_sight { /* what is looked at */
    const struct tile_frame *frame;
    const struct tile_stream *stream;
    enum tile_view view;
    uint32_t surface;
    enum glyphs glyphs;
};

/* The surface whose name this is; by default the colour of the last pass. STATUS_NOT_FOUND, with
 * the nearest name. */
enum status tile_surface_find(const struct tile_stream *stream, const char *name, uint32_t *surface,
                              struct diagnostics *diagnostics);

/* Whether a view can be shown; if not, says why: only a tile cache has banks. */
const char *tile_view_refused(const struct tile_frame *frame, enum tile_view view);

const struct tile_surface *tile_sight_surface(const struct tile_sight *sight);
/* The bank of a line of the surface; 0 without banks. */
uint32_t tile_sight_bank(const struct tile_sight *sight, uint32_t x, uint32_t y);
/* What a map counts: "misses"; NULL: the view is no map. And whether its sum over lines means
 * something. */
const char *tile_view_unit(enum tile_view view);
bool tile_view_sums(enum tile_view view);
/* The value of a map at a line of the surface, and those of all its lines. STATUS_MEMORY. */
double tile_sight_value(const struct tile_sight *sight, uint32_t x, uint32_t y);
enum status tile_sight_map(const struct tile_sight *sight, struct field *field);

/* Parts of time that the run took, and the requests of the busiest bank, the mean of the banks, and
 * the idlest one's in a part. */
enum { TILE_LOADS = 3 };
size_t tile_frame_parts(const struct tile_frame *frame);
void tile_part_loads(const struct tile_part *part, uint32_t banks, double loads[TILE_LOADS]);
