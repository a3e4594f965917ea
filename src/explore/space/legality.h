/* Whether a machine of a space breaks no rule and passes the study's `where`. With a census this is
 * a lookup of one bit; without one, each test checks the rules and evaluates the conditions. */
#pragma once

#include "explore/space/space.h"

struct legality;

/* `bitmap` is a census's, or NULL. It and the space must outlive the result. */
enum status legality_create(const struct space *space, const uint8_t *bitmap,
                            struct legality **legality, struct diagnostics *diagnostics);
void legality_free(struct legality *legality); /* NULL is allowed */

/* An object belongs to one thread at a time. */
enum status legality_test(struct legality *legality, uint64_t machine, bool *legal,
                          struct diagnostics *diagnostics);
