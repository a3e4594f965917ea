#!/bin/sh
# The programs of the SIMT processor in C: what is shipped compiled is what a compiler makes of them now,
# where it is the version that made them; what any compiler makes, linked as ELF, computes the same.
# Skipped without a clang or gcc for 32-bit RISC-V.
set -eu
warpscape=${WARPSCAPE:?names the program}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
flags='-march=rv32imf -mabi=ilp32f -O2 -ffreestanding -ffp-contract=off -fno-math-errno -fno-ident'
if clang --print-targets 2>/dev/null | grep -q riscv32 && command -v ld.lld >/dev/null 2>&1; then
    compiler="clang --target=riscv32-unknown-elf $flags -fno-addrsig -Wno-main -Wno-main-return-type"
    linker=-fuse-ld=lld
    version=$(clang -dumpversion)
elif command -v riscv64-unknown-elf-gcc >/dev/null 2>&1; then
    compiler="riscv64-unknown-elf-gcc $flags -Wno-main"
    linker=
    version=
else
    exit 77
fi

words() { # words PROGRAM COUNT: the result of a program file
    "$warpscape" simt run "$1" --print "result:$2" | grep '^result'
}

for program in convolution fft line loop matmul maximum solve sort vertex; do
    case $program in
    maximum) count=1 ;;
    solve | matmul) count=16 ;;
    *) count=64 ;;
    esac
    words "traces/simt/$program.s" $count >"$folder/expected"
    words "traces/simt/compiled/$program.s" $count | diff "$folder/expected" -
    # shellcheck disable=SC2086 # words of a command
    $compiler $linker -nostdlib -static -Wl,-e,main,-Ttext=0x11000,-Tdata=0x100000 \
        -o "$folder/$program.elf" "traces/simt/$program.c"
    words "$folder/$program.elf" $count | diff "$folder/expected" -
    case $version in
    14.*)
        # shellcheck disable=SC2086
        (cd traces/simt && $compiler -S -o "$folder/$program.s" "$program.c")
        diff "traces/simt/compiled/$program.s" "$folder/$program.s"
        ;;
    esac
done
