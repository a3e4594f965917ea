/* Diagnostics as text, for tests of messages. */
#pragma once

#include "base/diag.h"

/* Returns what diagnostics_print would print, malloc'ed, and frees the diagnostics. */
char *messages_take(struct diagnostics *diagnostics);
