/* Completion in the shell: what may stand at the end of a command line. The scripts that
 * `warpscape completion` prints for bash, zsh and fish only ask for it, with
 *
 *     warpscape __complete WORD...      the words behind "warpscape"; the last one is completed
 *
 * and get a line for each candidate: the whole word and, behind a tab, what it means. No line: the
 * shell offers files. The command's own rows (cli/shared/options.h) say what it takes. */
#pragma once

#include "cli/shared/options.h"

#define COMPLETE_COMMAND "__complete"

/* Prints the candidates; the exit status. */
int complete_words(int argc, char **argv);

/* Between the two: true while a command is run only to see its rows, which it hands over instead of
 * parsing anything. */
bool completing(void);
_Noreturn void complete_command_line(const struct command_line *line);
