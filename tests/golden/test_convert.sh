#!/bin/sh
# `warpscape convert`: there and back gives the same machine; nothing is overwritten unasked.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for machine in gtx480 gtx480-48k gtx480-accelsim bypass-gtx480 qv100-accelsim \
    rtx2060-accelsim rtx3070-accelsim; do
    "$WARPSCAPE" convert $machine -o "$folder/1.config" 2>/dev/null
    "$WARPSCAPE" convert "$folder/1.config" -o "$folder/2.yaml" 2>"$folder/err"
    grep -q 'energies are those of 40nm (tech.node)' "$folder/err"
    "$WARPSCAPE" convert "$folder/2.yaml" -o "$folder/3.config"
    diff -u "$folder/1.config" "$folder/3.config"
    "$WARPSCAPE" check -q "$folder/2.yaml"
    rm "$folder"/*
done

echo mine >"$folder/kept"
status=0
"$WARPSCAPE" convert gtx480 -o "$folder/kept" 2>/dev/null || status=$?
if [ $status != 1 ] || [ "$(cat "$folder/kept")" != mine ]; then
    echo "a file was overwritten" >&2
    exit 1
fi
"$WARPSCAPE" convert gtx480 --to yaml -o - | grep -q 'size: 16KiB'
status=0
"$WARPSCAPE" convert simt-processor 2>"$folder/err" || status=$?
[ $status = 1 ] && grep -q 'LRU or FIFO only' "$folder/err"
