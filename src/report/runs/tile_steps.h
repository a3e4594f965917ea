/* Words for what a bank of a tile cache does (model/tile/watch.h), and its miss queue as rows of
 * text: heads, tails and next pointers. The screen and `warpscape tile --steps` print the same. */
#pragma once

#include "model/tile/watch.h"
#include "report/drawing/table.h"

enum { TILE_STEP_TEXT = 320, TILE_LINE_TEXT = 48, TILE_WAITING_TEXT = 160, TILE_SERIAL_TEXT = 24 };

/* In a word or two: "miss", "joins", "returns", "written". */
const char *tile_step_name(const struct bank_event *event);
/* What a step did and why: "r2 misses depth 3,0, whose data are on their way: it joins the chain
 * as its tail, behind entry 0; no read". Returns `text`. */
const char *tile_step_explain(const struct bank_event *event, const struct tile_stream *stream,
                              char text[TILE_STEP_TEXT]);
/* "r12": a request; "ahead": a prefetch. Returns `text`. */
const char *tile_serial_print(uint64_t serial, char text[TILE_SERIAL_TEXT]);
/* "depth 3,0": column and row of a line. Returns `text`. */
const char *tile_line_print(const struct tile_stream *stream, uint32_t surface, uint32_t x,
                            uint32_t y, char text[TILE_LINE_TEXT]);

/* The headings of the rows of a queue, and a row: its entry is a head (H), a tail (T), both or
 * neither. `now`: the cycle of the step. Returns `text`. */
extern const char tile_waiting_headings[];
const char *tile_waiting_print(const struct tile_waiting *waiting, const struct tile_stream *stream,
                               uint64_t now, char text[TILE_WAITING_TEXT]);

/* Whether data have just come back, and whether the look-up missed: what to run to. */
bool tile_step_returns(const struct bank_event *event);
bool tile_step_misses(const struct bank_event *event);
