/* Where the numbers of a machine come from: its key `about`, which changes no answer.
 *
 *     about: {card: GeForce RTX 3080, sizes: data_sheet, latencies: measured, launch: simulator}
 *
 * A machine stands for a card of the table of data sheets (config/card_table.h), or for none. Each
 * kind of its numbers has an origin. */
#pragma once

#include "config/document.h"

/* X(name, help) */
#define PROVENANCE_LIST(X)                                                                         \
    X(sizes, "SMs, clocks, capacities and bandwidths")                                             \
    X(latencies, "latencies of loads")                                                             \
    X(launch, "gpu.launch_latency")

#define ORIGIN_LIST(X)                                                                             \
    X(unsaid, "not said")                                                                          \
    X(measured, "measured on the card")                                                            \
    X(tool, "what its own tools print of the card")                                                \
    X(data_sheet, "data sheets and white papers")                                                  \
    X(related, "taken over from a card of the same or the nearest architecture")                   \
    X(simulator, "the configuration of a simulator")                                               \
    X(paper, "a paper about a design that was simulated")                                          \
    X(assumed, "an assumption")

enum provenance_aspect {
#define PROVENANCE_ENUM(name, ...) PROVENANCE_##name,
    PROVENANCE_LIST(PROVENANCE_ENUM) PROVENANCE_COUNT
#undef PROVENANCE_ENUM
};

enum origin {
#define ORIGIN_ENUM(name, ...) ORIGIN_##name,
    ORIGIN_LIST(ORIGIN_ENUM) ORIGIN_COUNT
#undef ORIGIN_ENUM
};

struct number_origins {
    char card[96]; /* "" for none */
    char like[96]; /* the machine that it was made from, or "" */
    int origins[PROVENANCE_COUNT];
};

/* The words of the file, and what they mean. */
extern const char *const provenance_names[PROVENANCE_COUNT];
extern const char *const origin_names[ORIGIN_COUNT];
extern const char *const origin_help[ORIGIN_COUNT];

/* Reads `about`; what it leaves out is unsaid, and all of a machine that is no YAML (NULL). Reports
 * unknown keys and words. */
void provenance_read(const struct document *document, struct number_origins *provenance,
                     struct diagnostics *diagnostics);

/* The section as YAML, malloc'ed. */
enum status provenance_to_yaml(const struct number_origins *provenance, char **text);
