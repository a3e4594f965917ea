/* The classes of a cache's misses at depth timing, by the shadow that the functional depth has
 * beside its caches (model/cache/shadow.h): it sees the same look-ups, in the order in which the
 * cache in time took them, and nothing in it is ever in flight.
 *
 * Invariant: the classes of a unit add up to its misses. Requests that join a line in flight are
 * no misses and have no class. A miss that the shadow does not have is a conflict, also where the
 * reason is time or a bypass policy. Cost: that of the shadow, for each access. */
#pragma once

#include "model/timing/cache/cache_unit.h"

/* From now on the misses of a unit are classified. `config` is its cache's; a slice has that of the
 * whole L2, of which it sees its share of the addresses. */
enum status cache_unit_classify(struct cache_unit *unit, const struct cache_config *config);

/* Classifies an access that the unit took. */
void unit_class_count(struct cache_unit *unit, const struct packet *request,
                      enum unit_outcome outcome);

/* The shadow of a unit that was emptied, or that has other ways now. */
void unit_class_flush(struct cache_unit *unit);
