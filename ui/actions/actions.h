/* The actions of commands: one function action_<function>(explorer, arguments) for each row of
 * COMMAND_LIST (ui/terminal/commands.h). A key, the ':' line, a script and a picker all end here,
 * so a script can do whatever a user can. Actions of one view stand in its source. */
#pragma once

#include "ui/panes/say.h"

/* Pairs the launches of the profile, if there is one, with those of the workload, if it is open and
 * that is not done yet. */
bool pair_launches(struct explorer *explorer);
/* Makes this the workload on the screen. Whether it can be opened is known only later. */
void workload_choose(struct explorer *explorer, const char *workload);
/* Selects the parameter, the metrics and the chart that the file of the machine names, and says its
 * hint. */
void show_exploration(struct explorer *explorer);
/* What opens another machine without a file to ask about must not lose edits: says so if there are
 * any. */
bool has_edits(struct explorer *explorer);
/* Makes this the session on the screen, which it takes over; `warnings`: how many its file has. */
void open_session(struct explorer *explorer, struct session *session, size_t warnings);
/* Reads the machine's file again, which another program wrote; edits stay, or the conflict is said.
 */
void take_written_file(struct explorer *explorer);
