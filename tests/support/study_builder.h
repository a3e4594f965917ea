/* Studies for tests, from the text of a study file; and sweeps of them into a scratch store. */
#pragma once

#include "explore/store/store.h"
#include "explore/sweep/sweep.h"
#include "schema/study.h"

/* Reads the YAML text of a study; fails the test, with the diagnostics, where it is wrong. */
void study_from_text(const char *text, struct study *study);

/* A name in the folder for scratch files ($TMPDIR or /tmp), different for each call and process;
 * removed at exit together with SQLite's and the lock's files beside it. */
const char *scratch_store(void);

/* sweep_run that must succeed; *progress may be NULL. */
void sweep_into(const struct study *study, const char *store, int threads,
                struct sweep_progress *progress);

/* All rows of a store as text, one a line, numbers to the last bit; malloc'ed. */
char *store_dump(const char *path);

/* Whether any diagnostic holds `text`. */
bool diagnostics_mention(const struct diagnostics *diagnostics, const char *text);
