/* Whether a machine of a space may be built and passes the study's `where`: looked up in a census
 * where there is one, else worked out machine by machine. */
#pragma once

#include "explore/space/space.h"

struct legality;

/* `bitmap` is that of a census, or NULL; it and the space must outlive the result. */
enum status legality_create(const struct space *space, const uint8_t *bitmap,
                            struct legality **legality, struct diagnostics *diagnostics);
void legality_free(struct legality *legality); /* NULL is allowed */

/* Belongs to one thread at a time. */
enum status legality_test(struct legality *legality, uint64_t machine, bool *legal,
                          struct diagnostics *diagnostics);
