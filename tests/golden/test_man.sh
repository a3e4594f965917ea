#!/bin/sh
# The manual page names every command of `warpscape --help`, in its own section every option of
# `warpscape COMMAND --help`, and nothing that is not there; groff, where there is one, reads it
# without a warning.
set -u
here=$(cd "$(dirname "$0")" && pwd)
page=$here/../../docs/warpscape.1
: "${WARPSCAPE:=$here/../../build/release/warpscape}"
failed=0
complain() {
    echo "warpscape.1: $*"
    failed=1
}

# section NAME: the text of ".SS NAME", with plain hyphens.
section() {
    awk -v name="$1" '/^\.S[SH]/ { inside = $1 == ".SS" && $2 == name } inside' "$page" |
        sed 's/\\-/-/g'
}
long_options() {
    grep -o -e '--[a-z][a-z-]*' | grep -v -x -e --help -e --usage -e --version | sort -u
}

commands=$("$WARPSCAPE" --help | awk '/^Commands:/ { inside = 1; next } /^$/ { inside = 0 } inside { print $1 }')
[ -n "$commands" ] || complain "no commands in --help"
for command in $commands; do
    text=$(section "$command")
    [ -n "$text" ] || { complain "no section of the command $command"; continue; }
    if ! help=$("$WARPSCAPE" "$command" --help 2>/dev/null); then
        complain "$command --help fails"
        continue
    fi
    # Only the lines of the option list, "  -w, --workload=...", not its sentences.
    known=$(echo "$help" | grep -E '^ +(-[a-zA-Z], +)?--[a-z]' | sed 's/  [^ -].*//' | long_options)
    # Letters, as "-w--workload", in the help and in ".BR \-w ", " \-\-workload".
    letters=$(echo "$help" | grep -o -E -e '^ +-[a-zA-Z], --[a-z-]+' | tr -d ' ,' | grep -v -e '--help$' | sort)
    paged=$(echo "$text" | grep -o -E -e '^[.]BR -[a-zA-Z] ", " --[a-z-]+' | sed 's/^[.]BR//' | tr -d ' ,"' | sort)
    [ "$letters" = "$paged" ] || complain "$command: letters of options are $paged instead of $letters"
    for option in $known; do
        echo "$text" | grep -q -e "$option\\([^a-z-]\\|\$\\)" || complain "$command: $option is missing"
    done
    for option in $(echo "$text" | long_options); do
        echo "$known" | grep -q -x -e "$option" || complain "$command has no option $option"
    done
done
sections=$(awk '/^\.SS / { print $2 }' "$page")
for name in $sections; do
    echo "$commands" | grep -q -x "$name" || complain "there is no command $name"
done
# Macros of two fonts join their words: a sentence on such a line loses its blanks.
joined=$(grep -nE '^\.(BR|RB|BI|IB|IR|RI) ' "$page" | grep -E '[a-z]+ [a-z]+ [a-z]+[^"]*$' | grep -v '"')
[ -z "$joined" ] || complain "words that run together: $joined"
if command -v groff >/dev/null; then
    warnings=$(groff -man -Tutf8 -ww -z "$page" 2>&1)
    [ -z "$warnings" ] || complain "$warnings"
else
    echo "without groff the page's markup is not checked"
fi
exit $failed
