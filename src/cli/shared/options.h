/* The command line of a subcommand, as one table of rows: name, letter, help, how the value is read
 * and where it goes. Parsing, --help, usage errors and completion come from the rows alone.
 *
 * A letter means the same in every command: -w a workload, -f a format, -s a setting, -m a machine,
 * -o what is written, -j threads, -n a limit, -t a table, -h help. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "explore/store/store.h"
#include "report/cells.h"
#include "report/table.h"

/* One option, or what a command takes without a dash. */
struct option_row {
    const char *name; /* "format": --format; of an operand what messages call it, "store" */
    int letter;       /* 'f': -f; 0: none */
    const char
        *value; /* "FORMAT"; NULL: it takes none. Completion knows MACHINE, STUDY, METRIC, ... */
    const char *help; /* of an operand what is expected where it is missing; NULL: it may miss */
    /* Puts the value into *slot, or ends the program with usage_error. */
    void (*read)(const struct option_row *row, const char *text);
    void *slot;
    const char *const *words; /* what it may be, ended by NULL; for option_word and option_index */
};

/* For `words`: the value may be left out, and read gets NULL. */
extern const char *const option_may_miss[];

struct command_line {
    const struct option_row *options; /* ended by an empty row; one with help alone is a heading */
    const char *usage;                /* "STORE.db", "[MACHINE]" */
    const char *help;                 /* the text before the options and, behind \v, after them */
    void (*more)(FILE *out);          /* what stands behind that; may be NULL */
    struct option_row operand;        /* without a `read` the command takes none */
};

/* Parses the arguments in order; argv[0] is the command's name. Wrong usage ends the program with
 * exit status 2, --help with 0. */
void options_parse(const struct command_line *line, int argc, char **argv);

/* "warpscape NAME: message" and a hint at --help; ends the program with exit status 2. */
_Noreturn void usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Arguments that may be repeated: --set, --workload, stores. The texts are the caller's. */
struct options_list {
    const char **items;
    size_t count, capacity;
};
void options_list_free(struct options_list *list);

/* Readers: what *slot is stands behind each. */
void option_flag(const struct option_row *row, const char *text);   /* bool */
void option_text(const struct option_row *row, const char *text);   /* const char * */
void option_once(const struct option_row *row, const char *text);   /* likewise; not twice */
void option_list(const struct option_row *row, const char *text);   /* struct options_list */
void option_file(const struct option_row *row, const char *text);   /* const char *; "-" is NULL */
void option_word(const struct option_row *row, const char *text);   /* const char *, of words */
void option_index(const struct option_row *row, const char *text);  /* unsigned, into words */
void option_format(const struct option_row *row, const char *text); /* enum table_format */
void option_aggregate(const struct option_row *row, const char *text); /* enum aggregate */
void option_threads(const struct option_row *row, const char *text);   /* int */
void option_count(const struct option_row *row, const char *text);     /* uint64_t */
void option_share(const struct option_row *row, const char *text);     /* double */
/* "8h", "90m", "1h30m", "45s", "2d"; a bare number is seconds. At least one second. A double. */
void option_duration(const struct option_row *row, const char *text);

/* Rows that several commands have. */
#define OPTION_FORMAT(slot_)                                                                       \
    {                                                                                              \
        "format", 'f', "FORMAT", "table (default), csv, json or md", option_format, slot_,         \
            table_format_names                                                                     \
    }
#define OPTION_FORCE(slot_)                                                                        \
    {                                                                                              \
        "force", 0, NULL, "overwrite FILE", option_flag, slot_, NULL                               \
    }
#define OPTION_SET(slot_)                                                                          \
    {                                                                                              \
        "set", 's', "PATH=VALUE", "change a parameter; may be repeated", option_list, slot_, NULL  \
    }
#define OPTION_THREADS(slot_)                                                                      \
    {                                                                                              \
        "threads", 'j', "COUNT", "threads; 0: all (default)", option_threads, slot_, NULL          \
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

/* Braille where the locale prints UTF-8, else ASCII. */
enum glyphs options_glyphs(void);

/* The width of the terminal that this file descriptor is; 0: it is none. */
unsigned options_columns(int file);

/* Becomes true at SIGINT, SIGTERM, SIGHUP or SIGUSR1 (a batch system's warning), from the first
 * call on. */
const atomic_bool *interrupt_flag(void);

/* "name  42 %" on stderr where that is a terminal; `argument` is the name. One line, rewritten;
 * progress_end removes it. */
void progress_show(void *argument, double share);
void progress_end(void);
