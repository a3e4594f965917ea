/* Diagnostics as text. */
#pragma once

#include "base/diag.h"

/* Everything that diagnostics_print prints, malloc'ed; the diagnostics are freed. */
char *messages_take(struct diagnostics *diagnostics);
