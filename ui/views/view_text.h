/* What the Text view shares with the command that opens an editor. */
#pragma once

#include "ui/panes/state.h"

/* The line of the text that is meant: the selected one of the view, or that of the parameter that
 * is selected in Machine; 1 if the file does not name it. */
unsigned text_view_line(const struct explorer *explorer);
/* What an editor left that is no machine; NULL: nothing. */
const char *text_view_draft(const struct explorer *explorer);
/* Shows a draft with its problems, which it takes, in the place of the machine's text; NULL: the
 * machine's text again. */
void text_view_keep(struct explorer *explorer, const char *draft, struct diagnostics *problems);
