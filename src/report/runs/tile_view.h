/* A frame on a tile cache (model/tile/frame.h), looked at: as a picture, as maps of counts over the
 * surface, bank by bank and over time. The screen and `warpscape tile` draw the same cells. */
#pragma once

#include "report/drawing/table.h"
#include "report/runs/tile_sight.h"

/* Draws a view with what it means, its scale and its sums; what finds no room is left out.
 * STATUS_MEMORY. */
enum status tile_view_draw(const struct tile_sight *sight, struct cells *cells, int row, int column,
                           int rows, int columns);
/* The list of surfaces stands at the right where there is room, below so many rows. */
enum { TILE_VIEW_HEADS = 2 };

/* As a table: a row a line of the surface, a bank (banks) or a part of time (time). */
enum status tile_view_table(const struct tile_sight *sight, enum table_format format, FILE *out);

/* As a picture of the surface's size. STATUS_UNSUPPORTED: time is a chart. */
enum status tile_view_picture(const struct tile_sight *sight, struct picture *picture,
                              struct diagnostics *diagnostics);
