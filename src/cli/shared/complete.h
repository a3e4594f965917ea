/* Completion in the shell. The scripts that `warpscape completion` prints for bash, zsh and fish
 * are thin: on every Tab they run
 *
 *     warpscape __complete WORD...      the words after "warpscape"; the last one is completed
 *
 * and get one line for each candidate: the whole word, a tab, and what it means. If there is no
 * line, the shell offers file names. The candidates come from the option rows of the command
 * (options.h), so a new option completes without a change here. */
#pragma once

#include "cli/shared/options.h"

#define COMPLETE_COMMAND "__complete"

/* Prints the candidates for the words. Returns the exit status. */
int complete_words(int argc, char **argv);

/* Completion runs the command itself to get at its option rows: while completing() is true,
 * options_parse calls complete_command_line instead of parsing, and the command never starts. */
bool completing(void);
_Noreturn void complete_command_line(const struct command_line *line);
