#!/bin/sh
# The manual page, made as the build makes it: each command of `warpscape --help` once, with every option
# of its own --help, each parameter, metric and idealisation once, and no table that is not filled in;
# groff, where there is one, reads it without a warning.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${WARPSCAPE:=$here/../../build/release/warpscape}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page=$work/warpscape.1
failed=0
complain() {
    echo "warpscape.1: $*"
    failed=1
}

"$WARPSCAPE" __man <"$here/../../docs/warpscape.1.in" >"$page" || complain "is not made"

"$WARPSCAPE" --help | awk '/^Commands:/ { inside = 1; next } /^$/ { inside = 0 } inside { print $1 }' >"$work/commands"
[ -s "$work/commands" ] || complain "no commands in --help"
sed -n 's/^\.SS //p' "$page" | cmp -s - "$work/commands" || complain "its sections are not the commands of --help"
while read -r command; do
    awk -v name="$command" '/^\.S[SH]/ { inside = $1 == ".SS" && $2 == name } inside' "$page" | sed 's/\\-/-/g' >"$work/section"
    # Only the lines of the option list, "  -w, --workload=...", not its sentences.
    "$WARPSCAPE" "$command" --help | grep -o -E -e '^ {2,6}(-[a-zA-Z], )?--[a-z][a-z-]*' | tr -d ' ' |
        grep -v -e '--help$' -e '--usage$' >"$work/options"
    while read -r option; do
        grep -q -e "^\\\\fB$(echo "$option" | sed 's/,/, /')\\\\fR" "$work/section" || complain "$command: $option is missing"
    done <"$work/options"
done <"$work/commands"

for table in params metrics ideals; do
    "$WARPSCAPE" "$table" -f csv | sed -n '2,$s/,.*//p' >"$work/paths"
    [ -s "$work/paths" ] || complain "$table lists nothing"
    sed 's/\\-/-/g; s/^\\fB\(.*\)\\fR$/\1/' "$page" | grep -F -x -f "$work/paths" | sort | uniq -c >"$work/counts"
    [ "$(awk '{ print $2 }' "$work/counts")" = "$(sort "$work/paths")" ] || complain "$table: not all are there"
done
! grep '^@' "$page" || complain "a table is not filled in"

if command -v groff >/dev/null; then
    warnings=$(groff -man -Tutf8 -ww -z "$page" 2>&1)
    [ -z "$warnings" ] || complain "$warnings"
else
    echo "without groff the page's markup is not checked"
fi
exit $failed
