#!/bin/sh
# What stock compilers link runs as it is: relaxed by the linker, with compressed instructions, atomics and
# libgcc, and with a stack as large as it needs. Skipped without riscv64-unknown-elf-gcc.
set -eu
warpscape=${WARPSCAPE:?names the program}
command -v riscv64-unknown-elf-gcc >/dev/null 2>&1 || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# What lanes 0 to 7 leave, as Python computes it.
expected="result+0x0: 32 ee7156 d3f9a2 17d8a67 20847c0 31ad8a4 495e4e1 6eb461d"

try() { # try NAME COMMAND...: compiles tests/simt/stock.c
    name=$1
    shift
    "$@" -nostdlib -Wl,-e,main -o "$folder/$name.elf" tests/simt/stock.c -lgcc
    program=$folder/$name.elf
    "$warpscape" simt run "$program:warps=1,stack=8192" --print result:8 --print counter >"$folder/words"
    if ! grep -qx "$expected" "$folder/words" || ! grep -qx 'counter+0x0: 1c' "$folder/words"; then
        echo "$name:"
        cat "$folder/words"
        exit 1
    fi
    if "$warpscape" simt run "$program:warps=1" 2>"$folder/errors" >/dev/null; then
        echo "$name runs with too small a stack"
        exit 1
    fi
    grep -q 'the stack of lane 0 in warp 0 ends' "$folder/errors"
}

for march in rv32ima rv32imac rv32imafc; do
    case $march in
    *f*) abi=ilp32f ;;
    *) abi=ilp32 ;;
    esac
    try $march riscv64-unknown-elf-gcc -march=$march -mabi=$abi -O2
done
try small riscv64-unknown-elf-gcc -march=rv32imafc -mabi=ilp32f -Os -msave-restore
"$warpscape" run simt-processor -w "$folder/small.elf:warps=1,lanes=2,stack=8192" --depth timing >/dev/null
