/* Key bindings as data: (context, key, command line). A key is looked up in the context of the pane
 * first, then in `global`. Help and footer are made from the bindings in force, so they show what
 * the user changed. Users override bindings in $XDG_CONFIG_HOME/warpscape/keys, one on each line:
 *
 *     machine  x        reset
 *     global   C-w      set l1d.ways 8
 *     # a comment has its own line; `none` removes a default
 *     global   F5       none */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "ui/terminal/commands.h"
#include "ui/terminal/contexts.h"

/* A key is a Unicode code point (control keys are below 32), or one of these. */
enum key {
    KEY_TAB = 9,
    KEY_RETURN = 13,
    KEY_ESCAPE = 27,
    KEY_ERASE = 127,
    KEY_NAMED = 0x110000, /* above every code point */
    KEY_ARROW_UP,
    KEY_ARROW_DOWN,
    KEY_ARROW_LEFT,
    KEY_ARROW_RIGHT,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_FIRST, /* Home */
    KEY_LAST,  /* End */
    KEY_BACK_TAB,
    KEY_DELETE,
    KEY_INSERT,
    KEY_FUNCTION, /* KEY_FUNCTION + n is Fn, 1 to 12 */
    KEY_NAMED_END = KEY_FUNCTION + 13
};

enum { KEY_TEXT = 16 };

/* Parses "j", "C-d", "Tab", "F5", "Space"; 0 if it is not a key. */
uint32_t key_parse(const char *text);
const char *key_print(uint32_t key, char text[KEY_TEXT]); /* returns `text` */

enum { BINDING_ARGUMENTS = 96 };

struct binding {
    enum context context;
    uint32_t key;
    enum command command;
    char arguments[BINDING_ARGUMENTS];
    unsigned line; /* line in the user's file; 0: built in */
};

struct keymap {
    struct binding *items;
    size_t count, capacity;
};

/* Fills in the built-in bindings. Two for one key in one context are a programming error, which a
 * test finds. */
enum status keymap_init(struct keymap *keymap);
void keymap_free(struct keymap *keymap);

/* Applies the text of a user's file. Reports all errors, not just the first; for a key that is
 * bound twice, both commands. */
enum status keymap_read(struct keymap *keymap, const char *text, const char *name,
                        struct diagnostics *diagnostics);
/* Applies the file of the user, if there is one. */
enum status keymap_load(struct keymap *keymap, struct diagnostics *diagnostics);

/* The binding of a key in a context, or NULL. */
const struct binding *keymap_lookup(const struct keymap *keymap, enum context context,
                                    uint32_t key);
/* The key to show for a command in a context: the first one that is bound, or 0. */
uint32_t keymap_key(const struct keymap *keymap, enum context context, enum command command);
/* What the arguments of a binding do in its context; NULL: what the help of the command says. */
const char *keymap_use(const struct binding *binding);
/* Whether no binding before it, one of the map, does the same in its context. */
bool keymap_is_first(const struct keymap *keymap, const struct binding *binding);
