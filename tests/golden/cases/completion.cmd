warpscape completion bash >"$WORK/completion"
cat >"$WORK/try" <<'EOF'
. "$1"
try() { # words as bash splits them
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _warpscape
    echo "$*: ${COMPREPLY[*]}"
}
try warpscape r
try warpscape run --set l1d.mshr
try warpscape run --set l1d.index = x
try warpscape run --set = l1d.li
try warpscape run -s l1d.index =
try warpscape run --format =
try warpscape run -f ''
try warpscape run --metric walk.
try warpscape run --workload 2D
try warpscape run --ba
try warpscape run gtx480-
try warpscape sweep q
try warpscape explore --study = bfs
try warpscape trace im
try warpscape check eq
try warpscape schedule two
try warpscape replace plru_
try warpscape nothing x
EOF
bash "$WORK/try" "$WORK/completion" 2>&1
warpscape __complete run --by
warpscape __complete sweep --search n
warpscape completion
warpscape completion tcsh
for shell in zsh fish; do
    warpscape completion $shell >"$WORK/script"
    ! command -v $shell >"$WORK/found" || $shell -n "$WORK/script" || echo "$shell refuses its script"
done
