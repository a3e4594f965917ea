/* Settings that earlier versions of the program called otherwise. Whoever reads settings that
 * people or files keep (machines, `--set`, the explorer, stores) asks here first, and says what a
 * setting is called now; nothing writes the former names. */
#pragma once

#include "base/diag.h"
#include "schema/machine.h"

struct moved_setting {
    const char *path, *value; /* as it was */
    const char *rest;         /* the value that `path` has now; NULL: it is no parameter any more */
    const char *now, *now_value; /* what says the same */
};

/* NULL: nothing moved. `value` NULL: any value of a path that is no parameter any more. */
const struct moved_setting *moved_setting_find(const char *path, const char *value);

/* What follows a message about a name or a value that is unknown: "; it is now called Y", or NULL
 * if it did not move. `value` as for moved_setting_find. */
const char *moved_suggestion(const char *path, const char *value, char text[SUGGESTION_TEXT]);
/* The same for any name of a parameter: the nearest one ("; did you mean 'Y'?") if it did not move,
 * "" if none is near. Returns `text`. */
const char *parameter_suggestion(const char *path, char text[SUGGESTION_TEXT]);
/* The same for a name of a parameter, metric or ideal, or of one of `others`. */
const char *name_suggestion(const char *name, const char *const *others, size_t count,
                            char text[SUGGESTION_TEXT]);

/* A switch that was off said nothing of what another setting did: it takes back only what it set
 * itself. */
bool moved_setting_is_off(const struct moved_setting *moved);
bool moved_setting_applies(const struct moved_setting *moved, const struct machine *machine);

/* Sets what the setting is now, if it applies; else false. */
bool moved_setting_apply(const struct moved_setting *moved, struct machine *machine);
