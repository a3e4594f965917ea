/* Words for the steps of a set (model/cache/cache_watch.h), on the screen and in `warpscape
 * replace`, and the places of sets as text: "l1d:3:12" is set 12 of the L1D of SM 3. */
#pragma once

#include "model/pass/set_stream.h"

enum { SET_PLACE_TEXT = 64 };

/* Reads CACHE[:NUMBER[:SET]]: l1d, l2 or l1i; the SM, or the slice of an L2; the set. What is left
 * out is 0. STATUS_INVALID, with the nearest legal name. */
enum status set_place_parse(const char *text, struct set_place *place,
                            struct diagnostics *diagnostics);
const char *set_place_print(const struct set_place *place, char text[SET_PLACE_TEXT]);
/* "L1D of SM 3, set 12". */
const char *set_place_words(const struct set_place *place, char text[SET_PLACE_TEXT]);

/* "hit", "miss", "sector" (a miss whose line was there) or "emptied". */
const char *set_step_result(const struct set_step *step);
/* Why its way, or what became of the line: "it was used longest ago: way 3". Returns `text`. */
const char *set_step_explain(const struct set_step *step, char *text, size_t size);
