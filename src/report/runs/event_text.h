/* Events of a timed run (model/timing/base/timing_events.h) in words and as JSON, wherever they are
 * shown. */
#pragma once

#include <jansson.h>

#include "model/timing/base/timing_events.h"

enum { EVENT_TEXT = 320 };

/* "SM 3, warp 12: l1d_miss 0x1000 (read, 32 B) at pc 0x1e8", "bank 2: tile_miss 0x40000 by r17".
 * Returns `text`. */
const char *event_print(const struct timing_event *event, char text[EVENT_TEXT]);
/* An address, or a pc, as every table has it: "0x98". */
json_t *address_json(uint64_t address);
/* `cycle`, `event`, `part`, `place`, `sm` (whose request it is; null: nobody's), `warp` (its slot
 * in the SM; null), `pc`, and under the name of its subject the address (hexadecimal), block,
 * launch or row; `bytes`, `detail`; in a tile cache
 * `request` (its number; null: there is none). NULL: no memory. */
json_t *event_json(const struct timing_event *event);
