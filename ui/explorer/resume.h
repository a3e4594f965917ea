/* The last session: saved as a file soon after each change and
 * when the screen is closed, and brought back by the command
 * `resume`. The file holds what was open, edited, pinned, marked, filtered and looked at, as data
 * (ui/explorer/session_file.h). */
#pragma once

#include "ui/panes/state.h"

/* Saves the session. Keeps the old file if there is nothing worth saving or it cannot be written.
 */
void resume_save(const struct explorer *explorer);
/* How long after a change of the screen it is saved, so that a session outlives a kill -9. */
enum { RESUME_MS = 1500 };
