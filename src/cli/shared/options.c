#include "cli/shared/options.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/units.h"

void options_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    char name[64];
    snprintf(name, sizeof name, "warpscape %s", argv[0]);
    char *before = argv[0];
    argv[0] = name;
    argp_err_exit_status = 2;
    argp_parse(argp, argc, argv, ARGP_IN_ORDER, NULL, input);
    argv[0] = before;
}

void options_take(struct argp_state *state, const char **slot, const char *text, const char *what)
{
    if (*slot)
        argp_error(state, "one %s is enough; '%s' is a second one", what, text);
    *slot = text;
}

static const char expected_store[] = "expected the store of a sweep, for example overnight.db";

error_t options_take_store(int key, const char *text, struct argp_state *state, const char **slot)
{
    if (key == ARGP_KEY_ARG)
        options_take(state, slot, text, "store");
    else if (key == ARGP_KEY_NO_ARGS)
        argp_error(state, "%s", expected_store);
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

error_t options_take_study(int key, const char *text, struct argp_state *state, const char **slot)
{
    if (key == ARGP_KEY_ARG)
        options_take(state, slot, text, "study");
    else if (key == ARGP_KEY_NO_ARGS)
        argp_error(state, "expected a study");
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

error_t options_append(struct options_list *list, const char *text)
{
    if (array_reserve(&list->items, &list->capacity, list->count + 1))
        return ENOMEM;
    list->items[list->count++] = text;
    return 0;
}

void options_list_free(struct options_list *list)
{
    free(list->items);
    *list = (struct options_list){0};
}

error_t options_append_store(int key, const char *text, struct argp_state *state,
                             struct options_list *list)
{
    if (key == ARGP_KEY_ARG)
        return options_append(list, text);
    if (key != ARGP_KEY_NO_ARGS)
        return ARGP_ERR_UNKNOWN;
    argp_error(state, "%s", expected_store);
    return 0;
}

enum table_format options_format(struct argp_state *state, const char *text)
{
    enum table_format format = TABLE_TEXT;
    if (table_format_parse(text, &format))
        argp_error(state, "--format: expected table, csv, json or md, got '%s'", text);
    return format;
}

enum aggregate options_aggregate(struct argp_state *state, const char *option, const char *text)
{
    const char *const *choice = aggregate_names + AGGREGATE_MEAN;
    const char *chosen = options_choice(state, option, text, choice);
    while (*choice != chosen)
        choice++;
    return (enum aggregate)(choice - aggregate_names);
}

int options_threads(struct argp_state *state, const char *text)
{
    uint64_t count = 0;
    if (quantity_parse_uint(text, UNIT_NONE, &count) || count > 4096)
        argp_error(state, "--threads: expected a number from 0 (all) to 4096, got '%s'", text);
    return (int)count;
}

double options_share(struct argp_state *state, const char *option, const char *text)
{
    double share = NAN;
    if (quantity_parse_real(text, UNIT_PERCENT, &share) || !(share > 0 && share <= 1))
        argp_error(state, "--%s: expected a share above 0, up to 1 or 100%%, got '%s'", option,
                   text);
    return share;
}

const char *options_choice(struct argp_state *state, const char *option, const char *text,
                           const char *const *choices)
{
    char expected[200] = "";
    size_t length = 0;
    for (size_t i = 0; choices[i]; i++) {
        if (!strcmp(text, choices[i]))
            return choices[i];
        const char *separator = !i ? "" : choices[i + 1] ? ", " : " or ";
        if (length < sizeof expected)
            length += (size_t)snprintf(expected + length, sizeof expected - length, "%s%s",
                                       separator, choices[i]);
    }
    argp_error(state, "--%s: expected %s, got '%s'", option, expected, text);
    return choices[0];
}

double options_duration(struct argp_state *state, const char *option, const char *text)
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
        argp_error(state, "--%s: expected a time like 8h, 90m or 1h30m, got '%s'", option, text);
    return total;
}

enum glyphs options_glyphs(void)
{
    setlocale(LC_CTYPE, "");
    return strcmp(nl_langinfo(CODESET), "UTF-8") ? GLYPHS_ASCII : GLYPHS_BRAILLE;
}

static atomic_bool interrupted;

static void on_signal(int signal)
{
    (void)signal;
    atomic_store_explicit(&interrupted, true, memory_order_relaxed);
}

const atomic_bool *interrupt_flag(void)
{
    /* A second Ctrl-C ends the program at once, should the first not get through. The others are
     * sent by programs, which like to send twice: timeout(1) to the process and to its group. */
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    action.sa_flags = 0;
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    /* The terminal or the connection is gone; under nohup it is ignored and stays so. */
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
    fprintf(stderr, "\r%s %3.0f %%\033[K", (const char *)argument, share * 100);
}

void progress_end(void)
{
    if (progress_shown)
        fputs("\r\033[K", stderr);
    progress_shown = false;
}
