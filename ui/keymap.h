/* Key bindings as data: (context, key, command line). A pane's own context is asked first, then
 * `global`. Users override in $XDG_CONFIG_HOME/warpscape/keys, a line each:
 *     machine  x        reset
 *     global   C-w      set l1d.ways 8
 *     # a comment has its own line; `none` takes a default away
 *     global   F5       none
 */
#pragma once

#include <stdint.h>

#include "base/diag.h"
#include "ui/commands.h"

#define CONTEXT_LIST(X)                                                                            \
    X(GLOBAL, "global")                                                                            \
    X(MACHINE, "machine")                                                                          \
    X(LIVE, "live")                                                                                \
    X(CHART, "chart")                                                                              \
    X(SWEEP, "sweep")                                                                              \
    X(EXPLORE, "explore")                                                                          \
    X(TRACE, "trace") X(WALKS, "walks") X(REPORT, "report") X(LOG, "log") X(HELP, "help")

#define CONTEXT_ENUM(constant, name) CONTEXT_##constant,
enum context { CONTEXT_LIST(CONTEXT_ENUM) CONTEXT_COUNT };
#undef CONTEXT_ENUM

const char *context_name(enum context context);

/* A key is a Unicode code point (control keys are below 32) or one of these. */
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

/* Reads "j", "C-d", "Tab", "F5", "Space"; 0 where it is no key. */
uint32_t key_parse(const char *text);
const char *key_print(uint32_t key, char text[KEY_TEXT]); /* returns `text` */

enum { BINDING_ARGUMENTS = 96 };

struct binding {
    enum context context;
    uint32_t key;
    enum command command;
    char arguments[BINDING_ARGUMENTS];
    unsigned line; /* of the user's file, 0 = built in */
};

struct keymap {
    struct binding *items;
    size_t count, capacity;
};

/* The built-in bindings. Two for one key in one context are a programming error (tested). */
enum status keymap_init(struct keymap *keymap);
void keymap_free(struct keymap *keymap);

/* Applies a user's file; all its errors are reported, a key bound twice with both commands. */
enum status keymap_read(struct keymap *keymap, const char *text, const char *name,
                        struct diagnostics *diagnostics);
/* keymap_read of the user's file, if there is one. */
enum status keymap_load(struct keymap *keymap, struct diagnostics *diagnostics);

/* What a key does in a context, or NULL. */
const struct binding *keymap_lookup(const struct keymap *keymap, enum context context,
                                    uint32_t key);
/* The key to show for a command in a context: the first one in force, or 0. */
uint32_t keymap_key(const struct keymap *keymap, enum context context, enum command command);
