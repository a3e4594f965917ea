/* The table of GPGPU-Sim's options: one row per option of the simulator and of the front end that
 * replays traces, with what Warpscape does about it. Reading, writing and `convert --options` use
 * this table only.
 *
 * Invariant: the rows stand in the order of writing, which is the order of reading too: an option
 * may rely on those above it. */
#pragma once

#include <stdio.h>

#include "base/diag.h"
#include "schema/parameters.h"

/* What Warpscape does about an option: constant, word, meaning. */
#define GPGPUSIM_CLASS_LIST(X)                                                                     \
    X(GPGPUSIM_MODELLED, "modelled", "parameters say the same")                                    \
    X(GPGPUSIM_APPROXIMATED, "approximated",                                                       \
      "the nearest is taken, with a warning where it "                                             \
      "differs")                                                                                   \
    X(GPGPUSIM_HARMLESS, "no effect", "changes no count and no cycle of a trace")                  \
    X(GPGPUSIM_UNMODELLED, "not modelled",                                                         \
      "changes results: an error, or with --nearest a "                                            \
      "warning")

#define GPGPUSIM_CLASS_ENUM(constant, word, meaning) constant,
enum gpgpusim_class { GPGPUSIM_CLASS_LIST(GPGPUSIM_CLASS_ENUM) };
#undef GPGPUSIM_CLASS_ENUM

struct gpgpusim_option;

/* The state of reading files. Values that several options determine together wait here until all
 * options are read. */
struct gpgpusim_reader {
    struct machine *machine;
    bool nearest; /* what is not modelled is a warning */
    struct diagnostics *diagnostics;
    struct diagnostics *grave; /* warnings of what is not modelled, which come first */
    const struct gpgpusim_option *option;
    struct place place; /* of the option */
    const char *path;   /* of the option */
    const char *text;   /* its value */
    bool absent;        /* no file has it, so `text` is the simulator's default */
    FILE *defaults;     /* what absent options without a parameter mean, each after "; " */
    size_t unmodelled;  /* errors that --nearest turns into warnings */
    uint64_t clusters, cores, channels;
    uint64_t chips;    /* of a memory channel */
    bool tensor_unit;  /* a specialized unit executes tensor instructions */
    uint64_t mask;     /* which built-in mapping of addresses stands if none is given */
    bool banks_absent; /* dram.banks is a default */
    bool writes_apart; /* writes of a memory channel have a queue of their own */
    bool adaptive;
    uint64_t unified; /* KiB */
    struct sizes carveouts;
};

/* What writes the value of one option. */
struct gpgpusim_writer {
    FILE *out;
    const struct machine *machine;
    const struct gpgpusim_option *option;
    const char *path; /* of the option */
};

/* `path` is the parameter of an option that is a plain number (then `read`, `write` and `words` are
 * NULL), or one that stands for a word.
 * For other options it is the parameter that broken rules blame; a path that ends with a dot means
 * its whole group. An option without a path has no parameter. */
struct gpgpusim_option {
    const char *heading; /* a comment to write above, or NULL */
    const char *name;
    enum gpgpusim_class class;
    const char *fallback; /* the simulator's default; NULL: there is none to read */
    const char *path;
    void (*read)(struct gpgpusim_reader *reader, const char *text);
    void (*write)(const struct gpgpusim_writer *writer);
    bool (*written)(const struct machine *machine); /* NULL: always */
    const char *const *words; /* of a number that stands for a word of the parameter: words[number],
                               * "" for a number without one; ended by NULL */
    const char *neutral;      /* without a path: the value at which `effect` does not happen; NULL:
                               * nothing depends on it */
    const char *effect;       /* what another value means, or why the option has no effect */
};

extern const struct gpgpusim_option gpgpusim_options[];
extern const size_t gpgpusim_option_count;
enum { GPGPUSIM_OPTIONS_MAX = 300 };

/* Finds the row of a name of `length` bytes, which may be one that older versions used. Returns
 * NULL if there is none. */
const struct gpgpusim_option *gpgpusim_option_find(const char *name, size_t length);

/* The known name that is nearest to another, or NULL. */
const char *gpgpusim_option_nearest(const char *name);

/* The older names of an option, each after ", "; "" if it has none. */
enum { GPGPUSIM_ALIASES_TEXT = 200 };
const char *gpgpusim_option_aliases(const struct gpgpusim_option *option,
                                    char text[GPGPUSIM_ALIASES_TEXT]);

const char *gpgpusim_class_name(enum gpgpusim_class class);
