/* The last session: saved as a file when the screen is closed, and brought back by the command
 * `resume`. The file holds what was open, edited, pinned, marked, filtered and looked at, as data
 * (ui/explorer/session_file.h). */
#pragma once

#include "ui/panes/state.h"

/* Saves the session. Keeps the old file if there is nothing worth saving or it cannot be written.
 */
void resume_save(const struct explorer *explorer);
