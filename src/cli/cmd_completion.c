/* warpscape completion: a completion script for bash, made from the tables. */
#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "cli/shared/reproduce.h"
#include "schema/metrics.h"
#include "schema/parameters.h"
#include "schema/search.h"
#include "workload/workload.h"

/* Names that bash would split or expand are not offered. */
static void print_word(const char *word)
{
    if (*word && !strpbrk(word, " \t\n'\"\\$`*?[]{}()<>|&;#~!"))
        printf(" %s", word);
}

static void print_lists(void)
{
#define PRINT_COMMAND(name, help) print_word(#name);
    fputs("    local commands='", stdout);
    COMMAND_LIST(PRINT_COMMAND)
    fputs("'\n    local parameters='", stdout);
    for (size_t i = 0; i < parameter_count; i++)
        print_word(parameters[i].path);
    fputs("'\n    local metrics='", stdout);
    for (size_t i = 0; i < METRIC_COUNT; i++)
        print_word(metric_table[i].path);
    fputs("'\n    local searches='", stdout);
    for (size_t i = 0; i < SEARCH_COUNT; i++)
        print_word(search_table[i].name);
    fputs("'\n    local machines='", stdout);
    for (size_t i = 0; embedded_machines[i].name; i++)
        print_word(embedded_machines[i].name);
    fputs("'\n    local studies='", stdout);
    for (size_t i = 0; embedded_studies[i].name; i++)
        print_word(embedded_studies[i].name);
#define PRINT_PAPER(name) print_word(#name);
    fputs("'\n    local papers='", stdout);
    REPRODUCTION_LIST(PRINT_PAPER)
    puts("'");
}

static enum status print_workloads(void)
{
    struct workload_entry *entries = NULL;
    size_t count = 0;
    enum status status = workload_list(&entries, &count);
    fputs("    local workloads='", stdout);
    for (size_t i = 0; i < count; i++)
        print_word(entries[i].name);
    puts("'");
    workload_list_free(entries, count);
    return status;
}

/* "l1d.index) words='linear xor' ;;" for each parameter with named values. */
static void print_choices(void)
{
    puts("    local words=\n"
         "    # `path=` and `--option=` arrive as three words.\n"
         "    if [[ $current == = ]]; then current=; else ((at--)); fi\n"
         "    if [[ ${COMP_WORDS[at]} == = ]]; then\n"
         "        case ${COMP_WORDS[at - 1]} in");
    for (size_t i = 0; i < parameter_count; i++) {
        if (!parameters[i].choice_count)
            continue;
        printf("            %s) words='", parameters[i].path);
        for (size_t j = 0; j < parameters[i].choice_count; j++)
            print_word(parameters[i].choices[j].name);
        puts("' ;;");
    }
    puts("        esac\n"
         "        ((at--))\n"
         "    fi");
}

static const char head[] = "# bash completion for warpscape; source it, or save it as\n"
                           "# ~/.local/share/bash-completion/completions/warpscape\n"
                           "_warpscape() {\n"
                           "    local current=${COMP_WORDS[COMP_CWORD]} at=$COMP_CWORD\n"
                           "    local command=${COMP_WORDS[1]}\n";

static const char tail[] =
    "    if [[ -z $words ]]; then\n"
    "        case ${COMP_WORDS[at]} in\n"
    "            -s | --set | --curve) words=$parameters; compopt -o nospace 2>/dev/null ;;\n"
    "            --metric | --best) words=$metrics ;;\n"
    "            -w | --workload) words=$workloads ;;\n"
    "            --machine | --baseline) words=$machines ;;\n"
    "            --study) words=$studies ;;\n"
    "            --format) words='table csv json md' ;;\n"
    "            --search) words=$searches ;;\n"
    "            --glyphs) words='auto braille block ascii' ;;\n"
    "            --needs) words='classes fast all' ;;\n"
    "            *)\n"
    "                if ((COMP_CWORD == 1)); then words=$commands\n"
    "                elif [[ $current == -* ]]; then\n"
    "                    words=$(warpscape \"$command\" --help 2>/dev/null | grep -o -e "
    "'--[a-z-]*')\n"
    "                else case $command in\n"
    "                    run | explore | convert | probe) words=$machines ;;\n"
    "                    sweep | submit) words=$studies ;;\n"
    "                    check) words=\"$machines $studies\" ;;\n"
    "                    reproduce) words=$papers ;;\n"
    "                    params) words=$parameters ;;\n"
    "                    metrics) words=$metrics ;;\n"
    "                    workloads | trace) words=$workloads ;;\n"
    "                esac fi ;;\n"
    "        esac\n"
    "    fi\n"
    "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
    "}\n"
    "complete -o default -F _warpscape warpscape";

struct completion_arguments {
    const char *shell;
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct completion_arguments *arguments = state->input;
    if (key == ARGP_KEY_ARG && !arguments->shell) {
        if (strcmp(text, "bash") != 0)
            argp_error(state, "no completion for '%s'; there is one for bash", text);
        arguments->shell = text;
        return 0;
    }
    if (key == ARGP_KEY_END && !arguments->shell)
        argp_error(state, "for which shell? There is one for bash");
    return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
    NULL, parse, "bash", "Print a completion script: warpscape completion bash > FILE.",
    NULL, NULL,  NULL};

int command_completion(int argc, char **argv)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct completion_arguments arguments = {NULL};
    options_parse(&argp, argc, argv, &arguments);
    fputs(head, stdout);
    print_lists();
    enum status status = print_workloads();
    print_choices();
    puts(tail);
    return command_finish(status, &diagnostics);
}
