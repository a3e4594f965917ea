/* warpscape completion: prints a completion script for a shell. The scripts contain no options:
 * they ask the program for candidates on every Tab (cli/shared/complete.h), so a script that was
 * installed once also knows new options, machines and recipes. */
#include <stdio.h>

#include "cli/shared/command.h"
#include "cli/shared/complete.h"
#include "cli/shared/options.h"

/* Bash splits words at "=" and ":". The script joins them again, and removes that part from the
 * candidates. */
static const char bash_script[] =
    "# bash completion for warpscape; source it, or save it as\n"
    "# ~/.local/share/bash-completion/completions/warpscape\n"
    "_warpscape() {\n"
    "    local words=() i line joined=\n"
    "    for ((i = 1; i <= COMP_CWORD; i++)); do\n"
    "        if ((i > 1)) && [[ ${COMP_WORDS[i]} == [=:] || ${COMP_WORDS[i - 1]} == [=:] ]]; then\n"
    "            words[-1]+=${COMP_WORDS[i]}\n"
    "        else\n"
    "            words+=(\"${COMP_WORDS[i]}\")\n"
    "        fi\n"
    "    done\n"
    "    local last=${words[-1]}\n"
    "    local shown=${last%\"${last##*[=:]}\"}\n"
    "    COMPREPLY=()\n"
    "    while IFS=$'\\t' read -r line _; do\n"
    "        COMPREPLY+=(\"${line#\"$shown\"}\")\n"
    "    done < <(warpscape " COMPLETE_COMMAND " \"${words[@]}\" 2>/dev/null)\n"
    "    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null\n"
    "    return 0\n"
    "}\n"
    "complete -o default -F _warpscape warpscape\n";

static const char zsh_script[] =
    "#compdef warpscape\n"
    "# zsh completion for warpscape; save it as _warpscape in a folder of $fpath, or source it\n"
    "# after compinit.\n"
    "_warpscape() {\n"
    "    local -a candidates settings\n"
    "    local word help\n"
    "    while IFS=$'\\t' read -r word help; do\n"
    "        if [[ $word == *= ]]; then\n"
    "            settings+=(\"${word//:/\\\\:}:$help\")\n"
    "        else\n"
    "            candidates+=(\"${word//:/\\\\:}:$help\")\n"
    "        fi\n"
    "    done < <(warpscape " COMPLETE_COMMAND " \"${(@)words[2,CURRENT]}\" 2>/dev/null)\n"
    "    if (($#candidates + $#settings == 0)); then\n"
    "        _files\n"
    "        return\n"
    "    fi\n"
    "    (($#candidates)) && _describe -V value candidates\n"
    "    (($#settings)) && _describe -V parameter settings -S ''\n"
    "}\n"
    "if [[ $funcstack[1] == _warpscape ]]; then\n"
    "    _warpscape \"$@\"\n"
    "else\n"
    "    compdef _warpscape warpscape\n"
    "fi\n";

static const char fish_script[] =
    "# fish completion for warpscape; save it as ~/.config/fish/completions/warpscape.fish\n"
    "function __warpscape_complete\n"
    "    set -l words (commandline -opc)\n"
    "    set -l current (commandline -ct)\n"
    "    set -l found (warpscape " COMPLETE_COMMAND " $words[2..-1] \"$current\" 2>/dev/null)\n"
    "    if test (count $found) -gt 0\n"
    "        printf '%s\\n' $found\n"
    "    else\n"
    "        __fish_complete_path \"$current\"\n"
    "    end\n"
    "end\n"
    "complete -c warpscape -f -a '(__warpscape_complete)'\n";

int command_completion(int argc, char **argv)
{
    static const char *const shells[] = {"bash", "zsh", "fish", NULL};
    static const char *const scripts[] = {bash_script, zsh_script, fish_script};
    unsigned shell = 0;
    const struct command_line line = {
        .usage = "bash|zsh|fish",
        .help = "Print a completion script: warpscape completion bash > FILE.\v"
                "The script says at its top where FILE belongs.",
        .operand = {.name = "shell",
                    .help = "for which shell? There are scripts for bash, zsh and fish",
                    .read = option_index,
                    .slot = &shell,
                    .words = shells}};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    options_parse(&line, argc, argv);
    fputs(scripts[shell], stdout);
    return command_finish(STATUS_OK, &diagnostics);
}
