/* Some launches of a trace or a program, as people name them: "3,bfs*,8..11".
 *
 * A term is the number of a launch (that of its trace, or its place from 0 on), a range of numbers,
 * or the name of a kernel: in full, as in the source (trace/kernel_name.h), or with * ? [ ] as in
 * file names. Commas within <> () [] belong to a name. A launch is chosen if any term is its.
 *
 * Every term must be that of some launch: a name that is nobody's is an error that says the
 * nearest. The choice remembers the names that it was shown for that. */
#pragma once

#include "base/diag.h"
#include "trace/stream.h"

struct launch_choice;

/* STATUS_INVALID if a term is empty or a range is upside down, with a message. */
enum status launch_choice_create(const char *text, struct launch_choice **choice,
                                 struct diagnostics *diagnostics);
void launch_choice_free(struct launch_choice *choice);

/* Whether launch `place` of a source is chosen. */
bool launch_choice_wants(struct launch_choice *choice, const struct trace_launch *launch,
                         uint32_t place);

/* Reports the terms that were no launch's: STATUS_NOT_FOUND. `source` is for messages. */
enum status launch_choice_check(const struct launch_choice *choice, const char *source,
                                struct diagnostics *diagnostics);

/* Leaves the chosen launches of *source, which may have been chosen from already; reports terms
 * that are nobody's, and a source that has no launches of kernels. */
enum status launch_choice_apply(struct launch_choice *choice, struct trace_source **source,
                                struct diagnostics *diagnostics);

/* The end of the term at `text`: the comma after it, outside of brackets, or the end of the text.
 */
const char *launch_choice_term_end(const char *text);
