#include "cli/shared/options.h"

#include <argp.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <omp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text_stream.h"
#include "base/units.h"
#include "cli/shared/complete.h"
#include "cli/shared/man_page.h"
#include "cli/shared/standard_streams.h"
#include "workload/part.h"

#define ASSUMED_WORD(constant, name, help) name,
const char *const assumed_words[] = {ASSUMED_LIST(ASSUMED_WORD) NULL};

enum { OPTIONS_MAX = 48, KEY_FIRST = 256, KEY_USAGE = 1024 };

const char *const option_may_miss[] = {NULL};

/* ---- the command line that usage_error refers to ---- */

static struct {
    char name[64]; /* "warpscape run" */
    struct argp argp;
} current;

void usage_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", current.name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    argp_help(&current.argp, stderr, ARGP_HELP_SEE, current.name);
    exit(2);
}

/* The row behind a key that make_options assigned. */
static const struct option_row *row_of_key(const struct command_line *line, int key)
{
    const struct option_row *row = line->options;
    for (int i = 0; row && (row->name || row->help); row++, i++)
        if (row->name && key == (row->letter ? row->letter : KEY_FIRST + i))
            return row;
    return NULL;
}

/* ---- what argp gives up at ---- */

static bool option_is_there(const struct argp_option *option)
{
    return option->name || option->key || option->doc;
}

/* Ends the program with what is wrong with the first letter of a text like "-xf" that cannot be. */
static void refuse_letters(const char *text)
{
    for (const char *letter = text; *letter; letter++) {
        const struct argp_option *option = current.argp.options;
        while (option_is_there(option) && option->key != *letter)
            option++;
        if (!option_is_there(option))
            usage_error("unknown option '-%c'", *letter);
        if (option->arg && !letter[1])
            usage_error("-%c: expected %s", *letter, option->arg);
        if (option->arg)
            return; /* the rest is its value */
    }
}

/* The same of the name behind "--"; an abbreviation means the only option that begins so. */
static _Noreturn void refuse_name(const char *text)
{
    const char *names[OPTIONS_MAX];
    const struct argp_option *exact = NULL, *begun = NULL;
    const int length = (int)strcspn(text, "=");
    size_t count = 0, begins = 0;
    char name[64], nearest[64], hint[SUGGESTION_TEXT];
    for (const struct argp_option *option = current.argp.options; option_is_there(option);
         option++) {
        if (!option->name)
            continue;
        names[count++] = option->name;
        if (strncmp(option->name, text, (size_t)length))
            continue;
        begun = option;
        exact = option->name[length] ? exact : option;
        begins++;
    }
    const struct argp_option *meant = exact ? exact : begins == 1 ? begun : NULL;
    if (meant && meant->arg)
        usage_error("--%s: expected %s", meant->name, meant->arg);
    if (meant)
        usage_error("--%s takes no value", meant->name);
    snprintf(name, sizeof name, "%.*s", length, text);
    const char *near = nearest_name(name, names, count);
    snprintf(nearest, sizeof nearest, "--%s", near ? near : "");
    usage_error("unknown option '--%s'%s", name, suggestion(near ? nearest : NULL, hint));
}

/* The argument has been taken, but for letters that are not the last of their text. */
static _Noreturn void refuse_argument(const struct argp_state *state)
{
    for (int i = state->next - 1; i <= state->next && i < state->argc; i++) {
        const char *text = state->argv[i];
        if (!strncmp(text, "--", 2))
            refuse_name(text + 2);
        if (*text == '-')
            refuse_letters(text + 1);
    }
    usage_error("these arguments have no meaning");
}

static void print_option_help(struct argp_state *state, unsigned what)
{
    state->flags &= ~(unsigned)ARGP_NO_ERRS; /* which silences help as well */
    argp_state_help(state, stdout, what);
}

static error_t parse_key(int key, char *text, struct argp_state *state)
{
    const struct command_line *line = state->input;
    const struct option_row *row = row_of_key(line, key), *operand = &line->operand;
    if (row)
        row->read(row, text);
    else if (key == 'h' || key == '?')
        print_option_help(state, ARGP_HELP_STD_HELP);
    else if (key == KEY_USAGE)
        print_option_help(state, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
    else if (key == ARGP_KEY_ERROR)
        refuse_argument(state);
    else if (key == ARGP_KEY_ARG && !operand->read)
        usage_error("takes options only, got '%s'", text);
    else if (key == ARGP_KEY_ARG)
        operand->read(operand, text);
    else if (key == ARGP_KEY_NO_ARGS && operand->read && operand->help)
        usage_error("%s", operand->help);
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

/* Appends the text that a command makes at run time to its help. */
static char *add_more(int key, const char *text, void *input)
{
    const struct command_line *line = input;
    /* argp frees the result only if it is another pointer. Its type only lacks the const. */
    const union {
        const char *in;
        char *out;
    } same = {text};
    struct text_stream stream;
    if (key != ARGP_KEY_HELP_POST_DOC || !line || !line->more || !text_stream_open(&stream))
        return same.out;
    fputs(text ? text : "", stream.out);
    line->more(stream.out);
    return text_stream_take(&stream);
}

/* Translates the rows to those of argp; adds --help, which every command has. */
static void make_options(const struct command_line *line, struct argp_option options[OPTIONS_MAX])
{
    const struct option_row *row = line->options;
    size_t count = 0;
    int group = 0;
    for (; row && (row->name || row->help) && count + 4 < OPTIONS_MAX; row++, count++)
        options[count] =
            row->name
                ? (struct argp_option){row->name,
                                       row->letter ? row->letter : KEY_FIRST + (int)count,
                                       row->value,
                                       row->words == option_may_miss ? OPTION_ARG_OPTIONAL : 0,
                                       row->help,
                                       group}
                : (struct argp_option){.doc = row->help, .group = ++group};
    options[count++] = (struct argp_option){"help", 'h', NULL, 0, "give this help list", -1};
    options[count++] =
        (struct argp_option){"usage", KEY_USAGE, NULL, 0, "give a short usage message", -1};
    options[count++] = (struct argp_option){NULL, '?', NULL, OPTION_HIDDEN, NULL, -1};
    options[count] = (struct argp_option){0};
}

void options_parse(const struct command_line *line, int argc, char **argv)
{
    struct argp_option options[OPTIONS_MAX];
    if (completing())
        complete_command_line(line);
    if (man_paging())
        man_command_line(line, argv[0]);
    make_options(line, options);
    current.argp = (struct argp){.options = options,
                                 .parser = parse_key,
                                 .args_doc = line->usage,
                                 .doc = line->help,
                                 .help_filter = add_more};
    snprintf(current.name, sizeof current.name, "warpscape %s", argv[0]);
    char *before = argv[0];
    argv[0] = current.name;
    argp_err_exit_status = 2;
    /* argp passes its input through unchanged, and parse_key takes it as const again. */
    union {
        const struct command_line *in;
        void *out;
    } input = {line};
    argp_parse(&current.argp, argc, argv, ARGP_IN_ORDER | ARGP_NO_HELP | ARGP_NO_ERRS, NULL,
               input.out);
    argv[0] = before;
    /* The rows go out of scope here; a later usage_error only mentions --help. */
    current.argp.options = NULL;
}

/* ---- readers ---- */

/* What an operand or an option is called in messages. */
#define SLOT(type, row) (*(type *)(row)->slot)

void option_flag(const struct option_row *row, const char *text)
{
    (void)text;
    SLOT(bool, row) = true;
}

void option_text(const struct option_row *row, const char *text)
{
    SLOT(const char *, row) = text;
}

void option_once(const struct option_row *row, const char *text)
{
    if (SLOT(const char *, row))
        usage_error("one %s is enough; '%s' is a second one", row->name, text);
    SLOT(const char *, row) = text;
}

void option_list(const struct option_row *row, const char *text)
{
    struct options_list *list = row->slot;
    if (array_reserve(&list->items, &list->capacity, list->count + 1)) {
        fprintf(stderr, "%s: %s\n", current.name, status_text(STATUS_MEMORY));
        exit(1);
    }
    list->items[list->count++] = text;
}

void options_list_free(struct options_list *list)
{
    free(list->items);
    *list = (struct options_list){0};
}

void option_file(const struct option_row *row, const char *text)
{
    SLOT(const char *, row) = strcmp(text, "-") ? text : NULL;
}

static unsigned find_word(const struct option_row *row, const char *text)
{
    char expected[200] = "";
    size_t length = 0;
    unsigned i = 0;
    for (; row->words[i]; i++) {
        if (!strcmp(text, row->words[i]))
            return i;
        const char *separator = !i ? "" : row->words[i + 1] ? ", " : " or ";
        if (length < sizeof expected)
            length += (size_t)snprintf(expected + length, sizeof expected - length, "%s%s",
                                       separator, row->words[i]);
    }
    const bool operand = !row->letter && !row->value;
    char hint[SUGGESTION_TEXT];
    usage_error("%s%s: expected %s, got '%s'%s", operand ? "" : "--", row->name, expected, text,
                suggestion(nearest_name(text, row->words, i), hint));
}

void option_word(const struct option_row *row, const char *text)
{
    SLOT(const char *, row) = row->words[find_word(row, text)];
}

void option_index(const struct option_row *row, const char *text)
{
    SLOT(unsigned, row) = find_word(row, text);
}

void option_format(const struct option_row *row, const char *text)
{
    SLOT(enum table_format, row) = (enum table_format)find_word(row, text);
}

void option_aggregate(const struct option_row *row, const char *text)
{
    SLOT(enum aggregate, row) = (enum aggregate)(AGGREGATE_MEAN + find_word(row, text));
}

void option_threads(const struct option_row *row, const char *text)
{
    uint64_t count = 0;
    if (quantity_parse_uint(text, UNIT_NONE, &count) || count > 4096)
        usage_error("--%s: expected a number from 0 (all) to 4096, got '%s'", row->name, text);
    SLOT(int, row) = (int)count;
}

int threads_meant(int count)
{
    return count > 0 ? count : omp_get_max_threads();
}

void option_count(const struct option_row *row, const char *text)
{
    if (quantity_parse_uint(text, UNIT_NONE, row->slot))
        usage_error("--%s: expected a whole number, got '%s'", row->name, text);
}

uint64_t limit_meant(uint64_t said, uint64_t usual, enum table_format format)
{
    const bool for_programs = format == TABLE_CSV || format == TABLE_JSON;
    return said != LIMIT_UNSAID ? said : for_programs ? 0 : usual;
}

void option_share(const struct option_row *row, const char *text)
{
    double *share = row->slot;
    if (quantity_parse_real(text, UNIT_PERCENT, share) || !(*share > 0 && *share <= 1))
        usage_error("--%s: expected a share above 0, up to 1 or 100%%, got '%s'", row->name, text);
}

void option_duration(const struct option_row *row, const char *text)
{
    static const struct {
        char letter;
        double seconds;
    } units[] = {{'d', 86400}, {'h', 3600}, {'m', 60}, {'s', 1}};
    double total = 0;
    size_t unit = 0, count = sizeof units / sizeof *units;
    const char *rest = text;
    while (*rest) {
        char *end;
        double number = strtod(rest, &end);
        if (end == rest || !(number >= 0) || (*rest != '.' && (*rest < '0' || *rest > '9')))
            break;
        if (!*end) {
            if (rest == text)
                total = number;
            rest = rest == text ? end : rest;
            break;
        }
        while (unit < count && units[unit].letter != *end)
            unit++;
        if (unit == count)
            break;
        total += number * units[unit++].seconds;
        rest = end + 1;
    }
    if (*rest || !(total >= 1 && total < 1e9))
        usage_error("--%s: expected a time like 8h, 90m or 1h30m, got '%s'", row->name, text);
    SLOT(double, row) = total;
}

/* ---- the terminal and signals ---- */

void options_name_format(const char **workload, const char *format)
{
    static struct {
        char **items;
        size_t count, capacity;
    } made;
    if (!format)
        return;
    if (!*workload)
        usage_error("--format-in is the format of --workload");
    char *text = part_with_format(*workload, format);
    if (!text || array_reserve(&made.items, &made.capacity, made.count + 1))
        usage_error("no memory");
    *workload = made.items[made.count++] = text;
}

enum glyphs options_glyphs(void)
{
    setlocale(LC_CTYPE, "");
    return strcmp(nl_langinfo(CODESET), "UTF-8") ? GLYPHS_ASCII : GLYPHS_BRAILLE;
}

unsigned options_columns(int file)
{
    struct winsize size;
    return isatty(file) && !ioctl(file, TIOCGWINSZ, &size) ? size.ws_col : 0;
}

static atomic_bool interrupted;

static void on_signal(int signal)
{
    (void)signal;
    atomic_store_explicit(&interrupted, true, memory_order_relaxed);
}

const atomic_bool *interrupt_flag(void)
{
    /* SA_RESETHAND: a second Ctrl-C ends the program at once, in case the first one has no effect.
     * Not for the other signals: programs often send them twice, for example timeout(1) to the
     * process and to its group. */
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    action.sa_flags = 0;
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    /* SIGHUP: the terminal or the connection is gone. nohup ignores it, and it must stay ignored.
     */
    struct sigaction inherited;
    if (!sigaction(SIGHUP, NULL, &inherited) && inherited.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
    return &interrupted;
}

static bool progress_shown;

void progress_show(void *argument, double share)
{
    if (!isatty(STDERR_FILENO))
        return;
    progress_shown = true;
    standard_streams_control(stderr, "\r\033[K");
    fprintf(stderr, "%s %3.0f %%", (const char *)argument, share * 100);
}

void progress_end(void)
{
    if (progress_shown)
        standard_streams_control(stderr, "\r\033[K");
    progress_shown = false;
}
