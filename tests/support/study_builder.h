/* Studies for tests, from the text of a study file, and sweeps of them into temporary stores. */
#pragma once

#include "explore/store/store.h"
#include "explore/sweep/sweep.h"
#include "schema/study.h"

/* Reads a study from YAML text; fails the test, with the diagnostics, if it is wrong. */
void study_from_text(const char *text, struct study *study);

/* A new path in the temporary folder ($TMPDIR or /tmp), unique for each call and process. The
 * store, and the files that SQLite and the lock put next to it, are removed at exit. */
const char *scratch_store(void);

/* Runs a sweep that must succeed; *progress may be NULL. */
void sweep_into(const struct study *study, const char *store, int threads,
                struct sweep_progress *progress);

/* All rows of a store as text, one on each line, with numbers exact to the last bit; malloc'ed. */
char *store_dump(const char *path);

/* Whether any diagnostic contains `text`. */
bool diagnostics_mention(const struct diagnostics *diagnostics, const char *text);
