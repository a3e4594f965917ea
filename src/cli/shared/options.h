/* The command line of a subcommand as a table of rows: name, letter, help, a reader for the value,
 * and a slot that it is stored into. Parsing, --help, usage errors and shell completion all come
 * from these rows. glibc's argp does the parsing.
 *
 * Invariant: a letter means the same in every command: -w workload, -f format, -s setting, -m
 * machine, -o output, -j threads, -n limit, -t table, -h help. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "explore/store/store.h"
#include "report/drawing/cells.h"
#include "report/drawing/table.h"

/* An option, or an operand (an argument without a dash). */
struct option_row {
    const char *name; /* "format" for --format; of an operand what messages call it, "store" */
    int letter;       /* 'f' for -f; 0: no letter */
    const char
        *value; /* "FORMAT"; NULL: takes no value. Completion knows MACHINE, STUDY, METRIC, ... */
    const char *help; /* of an operand: the error if it is missing; NULL: it is optional */
    /* Stores the value in *slot, or ends the program with usage_error. */
    void (*read)(const struct option_row *row, const char *text);
    void *slot;
    const char *const *words; /* the legal words, ended by NULL; for option_word and option_index */
};

/* As `words`: the value is optional; `read` then gets NULL. */
extern const char *const option_may_miss[];

struct command_line {
    const struct option_row *options; /* ended by an empty row; a row with only help is a heading */
    const char *usage;                /* "STORE.db", "[MACHINE]" */
    const char *help;                 /* the text before the options and, after a \v, after them */
    void (*more)(FILE *out);          /* prints more text at the end; may be NULL */
    struct option_row operand;        /* without `read`: the command takes no operands */
};

/* Parses the arguments in order; argv[0] is the name of the command. Ends the program with exit
 * status 2 on wrong usage, and with 0 after --help. */
void options_parse(const struct command_line *line, int argc, char **argv);

/* Prints "warpscape NAME: message" and a pointer to --help; ends the program with exit status 2. */
_Noreturn void usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Arguments that may be repeated: --set, --workload, stores. The strings belong to argv. */
struct options_list {
    const char **items;
    size_t count, capacity;
};
void options_list_free(struct options_list *list);

/* Readers. The comment gives the type of *slot. */
void option_flag(const struct option_row *row, const char *text);   /* bool */
void option_text(const struct option_row *row, const char *text);   /* const char * */
void option_once(const struct option_row *row, const char *text);   /* likewise, but only once */
void option_list(const struct option_row *row, const char *text);   /* struct options_list */
void option_file(const struct option_row *row, const char *text);   /* const char *; "-" is NULL */
void option_word(const struct option_row *row, const char *text);   /* const char *, of words */
void option_index(const struct option_row *row, const char *text);  /* unsigned, into words */
void option_format(const struct option_row *row, const char *text); /* enum table_format */
void option_aggregate(const struct option_row *row, const char *text); /* enum aggregate */
void option_threads(const struct option_row *row, const char *text);   /* int */
/* The threads that such an option means: 0 is all that OpenMP gives. */
int threads_meant(int count);
void option_count(const struct option_row *row, const char *text); /* uint64_t */
/* The most that such an option means, which is 0 for all: without it people get the usual number,
 * and what programs read is never cut. */
#define LIMIT_UNSAID UINT64_MAX
uint64_t limit_meant(uint64_t said, uint64_t usual, enum table_format format);
void option_share(const struct option_row *row, const char *text); /* double */
/* "8h", "90m", "1h30m", "45s", "2d"; a plain number is in seconds. At least one second. The slot is
 * a double, in seconds. */
void option_duration(const struct option_row *row, const char *text);

/* What --format-in does: *workload, which may be NULL, becomes "FILE:format=NAME"
 * (workload/part.h), which lives as long as the strings of argv. A NULL format changes nothing. */
void options_name_format(const char **workload, const char *format);

/* The words of OPTION_ASSUME, ended by NULL. */
extern const char *const assumed_words[];
#define ASSUMED_SENTENCE(constant, name, help) name ": " help "; "

/* Rows that several commands share. */
#define OPTION_FORMAT(slot_)                                                                       \
    {                                                                                              \
        "format", 'f', "FORMAT", "table (default), csv, json or md", option_format, slot_,         \
            table_format_names                                                                     \
    }
/* `usual_` is the number that limit_meant gets, as text. */
#define OPTION_LIMIT(what_, usual_, slot_)                                                         \
    {                                                                                              \
        "limit", 'n', "COUNT", what_ "; 0: all (default: " usual_ "; csv and json: all)",          \
            option_count, slot_, NULL                                                              \
    }
#define OPTION_FORCE(what_, slot_)                                                                 \
    {                                                                                              \
        "force", 0, NULL, "overwrite " what_, option_flag, slot_, NULL                             \
    }
/* Of options without which a command takes what the explorer would (machine_argument_open). */
#define EXPLORED_HELP       "(default: what the machine's file names, else what suits its kind)"
#define EXPLORED_DEPTH_HELP "default: what the machine's file names, else functional"
#define OPTION_SET(slot_)                                                                          \
    {                                                                                              \
        "set", 's', "PATH=VALUE", "change a parameter; may be repeated", option_list, slot_, NULL  \
    }
#define OPTION_FORMAT_IN(slot_)                                                                    \
    {                                                                                              \
        "format-in", 0, "NAME",                                                                    \
            "the format of a trace (default: what it holds and its name say); as "                 \
            "FILE:format=NAME",                                                                    \
            option_text, slot_, NULL                                                               \
    }
/* The slot is an unsigned: enum assumed_dependences. */
#define OPTION_ASSUME(slot_)                                                                       \
    {                                                                                              \
        "assume", 0, "HOW",                                                                        \
            "dependences that depth timing assumes for a trace without "                           \
            "instructions; " ASSUMED_LIST(ASSUMED_SENTENCE) "an assumption, not a measurement",    \
            option_index, slot_, assumed_words                                                     \
    }
#define OPTION_THREADS(slot_)                                                                      \
    {                                                                                              \
        "threads", 'j', "COUNT", "threads; 0: all (default)", option_threads, slot_, NULL          \
    }
#define OPTION_TIME_LIMIT(slot_)                                                                   \
    {                                                                                              \
        "time-limit", 0, "TIME",                                                                   \
            "stop after, for example, 30s or 5m, with what was found until then", option_duration, \
            slot_, NULL                                                                            \
    }
/* The stage cache; `with_` says what shares it. */
#define OPTIONS_CACHE(with_, cache_, no_cache_)                                                    \
    {"cache",     0,                                                                               \
     "FILE",      "stage cache shared " with_ " (default: ~/.cache/warpscape/stages.db)",          \
     option_text, cache_,                                                                          \
     NULL},                                                                                        \
    {                                                                                              \
        "no-cache", 0, NULL, "neither read nor write the stage cache", option_flag, no_cache_,     \
            NULL                                                                                   \
    }
#define OPERAND_STORE(slot_)                                                                       \
    {                                                                                              \
        .name = "store", .value = "STORE",                                                         \
        .help = "expected the store of a sweep, for example overnight.db", .read = option_once,    \
        .slot = slot_                                                                              \
    }
#define OPERAND_STORES(slot_)                                                                      \
    {                                                                                              \
        .name = "store", .value = "STORE",                                                         \
        .help = "expected the store of a sweep, for example overnight.db", .read = option_list,    \
        .slot = slot_                                                                              \
    }
#define OPERAND_MACHINE(slot_)                                                                     \
    {                                                                                              \
        .name = "machine", .value = "MACHINE", .read = option_once, .slot = slot_                  \
    }
#define OPERAND_STUDY(slot_)                                                                       \
    {                                                                                              \
        .name = "study", .value = "STUDY", .help = "expected a study", .read = option_once,        \
        .slot = slot_                                                                              \
    }

/* Braille if the locale is UTF-8, else ASCII. */
enum glyphs options_glyphs(void);

/* The width in columns of the terminal of this file descriptor; 0 if it is not a terminal. */
unsigned options_columns(int file);

/* Installs the signal handlers on the first call. The flag becomes true on SIGINT, SIGTERM, SIGHUP
 * or SIGUSR1, which batch systems send as a warning. */
const atomic_bool *interrupt_flag(void);

/* Shows "name 42 %" on stderr if that is a terminal, on one line that is rewritten; `argument` is
 * the name. progress_end removes the line. */
void progress_show(void *argument, double share);
void progress_end(void);
