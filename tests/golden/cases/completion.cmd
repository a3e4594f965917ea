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
try warpscape run --format =
try warpscape run --metric walk.
try warpscape run --workload 2D
try warpscape run --ba
try warpscape run gtx480-
try warpscape sweep q
try warpscape explore --study = bfs
EOF
bash "$WORK/try" "$WORK/completion" 2>&1
warpscape completion
warpscape completion fish
