/* What a user has chosen about the screen, kept in $XDG_CONFIG_HOME/warpscape/settings, one on each
 * line:
 *
 *     theme   light
 *     # a comment has its own line
 *     glyphs  block
 *
 * The view of settings shows this text and writes it with every choice. A file that has errors is
 * not read and never replaced. */
#pragma once

#include "base/diag.h"
#include "ui/terminal/glyphs.h"
#include "ui/terminal/theme.h"

/* X(CONSTANT, name, names of its values, the first the default, "help") */
#define SETTING_LIST(X)                                                                            \
    X(THEME, theme, theme_names, "the colours")                                                    \
    X(GLYPHS, glyphs, glyph_names, "what charts are drawn with; auto: what the locale has")

#define SETTING_ENUM(constant, ...) SETTING_##constant,
enum screen_setting { SETTING_LIST(SETTING_ENUM) SETTING_COUNT };
#undef SETTING_ENUM

struct screen_settings {
    size_t values[SETTING_COUNT]; /* indices of names */
};

struct setting_info {
    const char *name;
    const char *const *values;
    const char *help;
};
extern const struct setting_info setting_table[SETTING_COUNT];

/* Sets one by name. STATUS_INVALID, with what was expected. */
enum status settings_set(struct screen_settings *settings, const char *name, const char *value,
                         struct diagnostics *diagnostics);
/* Applies the text of a file; all its errors are reported, with their lines. */
enum status settings_read(struct screen_settings *settings, const char *text, const char *file,
                          struct diagnostics *diagnostics);
/* Applies the file of the user, if there is one. */
enum status settings_load(struct screen_settings *settings, struct diagnostics *diagnostics);
/* The text of the file, malloc'ed: `before` with these values, all else in it kept. */
enum status settings_text(const struct screen_settings *settings, const char *before, char **text);
/* Writes the file; *text is what is in it then, malloc'ed, or NULL. */
enum status settings_save(const struct screen_settings *settings, char **text,
                          struct diagnostics *diagnostics);
