/* A session of the explorer as YAML: what was open, edited, pinned, marked and filtered, and the
 * view that was on the screen (docs/FORMATS.md).
 *
 * Such a file is data: reading it opens the machine, the study and the store that it names, and
 * does nothing else. It is read as a whole or refused, with every problem at its place. */
#pragma once

#include "ui/panes/state.h"

struct session_state {
    struct session *session;     /* machine, edits, pin, axes and study */
    char workload[256];          /* "": whatever runs now */
    const struct metric *metric; /* that the user chose for the chart; NULL: none */
    enum chart_kind chart;
    struct points_query points; /* store "": none */
    enum view view;
};

/* *text is malloc'ed. STATUS_MEMORY; STATUS_UNSUPPORTED: a name that YAML cannot hold. */
enum status session_file_write(const struct session_state *state, char **text);
/* `name` is what messages call the file. On success the caller owns state->session. */
enum status session_file_read(const char *text, size_t size, const char *name,
                              struct session_state *state, struct diagnostics *diagnostics);
