/* The search for knobs that do nothing. On each kind of machine, at a depth or for the area, a
 * parameter that its row calls relevant and read there needs a witness: a workload, a machine of
 * that kind and another legal value with which some answer differs. One without a witness fails, so
 * its row has to say where it is not read. (That what is not read changes nothing is tested in
 * test_evaluate.c.)
 *
 * What has to be witnessed follows from the parameter table: whatever is relevant on the machine of
 * a ground, or becomes so by one change of it. Where the relevance of a parameter depends on a
 * choice, as that of l1d.bypass.entries on l1d.bypass.policy, each choice that makes it relevant
 * needs a witness of its own. Hints only say where to look first. */
#pragma once

#include "schema/depths.h"
#include "support/knob_subjects.h"

/* Instead of a depth: the area, which needs no source. */
enum { KNOBS_OF_AREA = DEPTH_COUNT };

/* Settings of a ground, and a source, with which some knobs change much. */
struct knob_hint {
    const char *about; /* how the paths of these knobs begin */
    enum knob_source source;
    const char *settings[KNOB_SETTINGS]; /* left out on a ground where they are not legal */
};

struct knobs {
    int depth;                     /* enum depth or KNOBS_OF_AREA */
    const struct knob_hint *hints; /* in the order in which they are tried */
    size_t hint_count;
};

/* Prints what has no witness, and what is read but relevant on no ground. Returns how many. */
size_t knobs_without_witness(const struct knobs *knobs);
