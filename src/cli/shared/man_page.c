#include "cli/shared/man_page.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text_stream.h"
#include "cli/shared/command.h"
#include "cli/shared/output.h"
#include "schema/ideals.h"
#include "schema/metrics.h"
#include "schema/parameters.h"

static bool paging;

bool man_paging(void)
{
    return paging;
}

/* ---- text as roff takes it ---- */

static void put_character(char character)
{
    if (character == '\\')
        fputs("\\e", stdout);
    else if (character == '-')
        fputs("\\-", stdout);
    else
        putchar(character);
}

/* Words on lines; what begins with a blank stays a line of its own, and an empty line is one. */
static void put_text(const char *text)
{
    for (bool begins = true; *text; begins = *text++ == '\n') {
        if (begins && *text == '\n')
            fputs(".sp", stdout);
        else if (begins && *text == ' ')
            fputs(".br\n\\&", stdout);
        else if (begins && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        put_character(*text);
    }
    putchar('\n');
}

/* "[MACHINE]": words in capitals stand for something else, and are set as such. */
static void put_usage(const char *text)
{
    bool in_word = false;
    for (; *text; text++) {
        const bool capital = isupper((unsigned char)*text);
        if (capital != in_word)
            fputs(capital ? "\\fI" : "\\fR", stdout);
        in_word = capital;
        put_character(*text);
    }
    puts(in_word ? "\\fR" : "");
}

static void put_entry(const char *name)
{
    fputs(".TP\n\\fB", stdout);
    for (; *name; name++)
        put_character(*name);
    fputs("\\fR", stdout);
}

static void put_row(const char *name, const char *help)
{
    put_entry(name);
    putchar('\n');
    put_text(help);
}

/* ---- commands ---- */

static void put_option(const struct option_row *row)
{
    char name[64];
    if (!row->name) {
        printf(".PP\n\\fB%s\\fR\n", row->help);
        return;
    }
    snprintf(name, sizeof name, "--%s", row->name);
    if (row->letter)
        snprintf(name, sizeof name, "-%c, --%s", row->letter, row->name);
    put_entry(name);
    if (row->value) {
        const bool may_miss = row->words == option_may_miss;
        fputs(may_miss ? "[=" : "=", stdout);
        fputs("\\fI", stdout);
        for (const char *at = row->value; *at; at++)
            put_character(*at);
        fputs(may_miss ? "\\fR]" : "\\fR", stdout);
    }
    putchar('\n');
    put_text(row->help);
}

void man_command_line(const struct command_line *line, const char *name)
{
    const char *after = strchr(line->help, '\v');
    printf(".SS %s\n.B warpscape %s\n[\\fIOPTION\\fR...] ", name, name);
    put_usage(line->usage ? line->usage : "");
    puts(".PP");
    struct text_stream before;
    if (text_stream_open(&before)) {
        fprintf(before.out, "%.*s", after ? (int)(after - line->help) : -1, line->help);
        char *text = text_stream_take(&before);
        put_text(text ? text : "");
        free(text);
    }
    for (const struct option_row *row = line->options; row && (row->name || row->help); row++)
        put_option(row);
    if (after && after[1]) {
        puts(".PP");
        put_text(after + 1);
    }
    struct text_stream more;
    if (line->more && text_stream_open(&more)) {
        line->more(more.out);
        char *text = text_stream_take(&more);
        puts(".PP\n.nf");
        put_text(text ? text : "");
        puts(".fi");
        free(text);
    }
    /* exit would move the standard input that the process has in common with its parent. */
    _exit(output_finish(0));
}

/* Each in a process of its own, since a command ends with man_command_line. */
static int put_commands(void)
{
    for (size_t i = 0; subcommands[i].name; i++) {
        int ended = 0;
        fflush(stdout);
        const pid_t child = fork();
        if (!child) {
            char *name = strdup(subcommands[i].name), *words[] = {name, NULL};
            paging = true;
            if (name)
                subcommands[i].run(1, words);
            _exit(1);
        }
        if (child < 0 || waitpid(child, &ended, 0) < 0 || ended) {
            fprintf(stderr, "warpscape: %s does not say its options\n", subcommands[i].name);
            return 1;
        }
    }
    return 0;
}

/* ---- tables ---- */

/* A family's members stand with the first parameter that chooses one. */
static void put_choices(const struct parameter *parameter)
{
    size_t first = 0;
    while (parameters[first].choices != parameter->choices)
        first++;
    if (&parameters[first] != parameter) {
        printf("One of those of %s.\n", parameters[first].path);
        return;
    }
    puts(".RS");
    for (size_t i = 0; i < parameter->choice_count; i++) {
        put_row(parameter->choices[i].name, parameter->choices[i].help);
    }
    puts(".RE");
}

static int put_parameters(void)
{
    char text[VALUE_TEXT];
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        put_row(parameter->path, parameter->help);
        puts(".br");
        if (parameter->choice_count)
            put_choices(parameter);
        else
            put_text(parameter_expects(parameter, text));
    }
    return 0;
}

static int put_metrics(void)
{
    for (size_t i = 0; i < METRIC_COUNT; i++) {
        put_row(metric_table[i].path, metric_table[i].help);
    }
    return 0;
}

static int put_ideals(void)
{
    for (size_t i = 0; i < IDEAL_COUNT; i++) {
        put_row(ideal_table[i].name, ideal_table[i].help);
    }
    return 0;
}

int man_page(void)
{
    static const struct {
        const char *line;
        int (*put)(void);
    } tables[] = {{"@COMMANDS@\n", put_commands},
                  {"@PARAMETERS@\n", put_parameters},
                  {"@METRICS@\n", put_metrics},
                  {"@IDEALS@\n", put_ideals}};
    enum { TABLES = sizeof tables / sizeof *tables };
    char *line = NULL;
    size_t capacity = 0;
    int failed = 0;
    while (!failed && getline(&line, &capacity, stdin) >= 0) {
        size_t at = 0;
        while (at < TABLES && strcmp(tables[at].line, line) != 0)
            at++;
        if (at < TABLES)
            failed = tables[at].put();
        else
            fputs(line, stdout);
    }
    free(line);
    return failed;
}
