#!/bin/sh
# Our assembler makes the bytes of the GNU assembler and linker: for the nine programs, and for a
# text with every instruction and pseudo-instruction. Skipped without riscv64-unknown-elf-as.
set -eu
as=${RISCV_AS:-riscv64-unknown-elf-as}
command -v "$as" >/dev/null 2>&1 || exit 77
tools=${as%as}
warpscape=${WARPSCAPE:?names the program}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Newer ones want the extensions of csrr and fence.i named, older ones do not know them.
march=rv32imaf_zicsr_zifencei
"$as" -march=$march -mabi=ilp32f -o "$folder/empty.o" /dev/null 2>/dev/null || march=rv32imaf

# binutils do not know the instructions of Vortex and our names of their registers.
cat >"$folder/head.s" <<'END'
        .equ vx_lane, 0xcc0
        .equ vx_warp, 0xcc1
        .equ vx_block, 0xcc2
        .equ vx_warps, 0xfc1
        .macro vx_bar id, count
        .insn r 0x0b, 4, 0, x0, \id, \count
        .endm
        .macro vx_tmc mask
        .insn r 0x0b, 0, 0, x0, \mask, x0
        .endm
        .macro vx_wspawn count, pc
        .insn r 0x0b, 1, 0, x0, \count, \pc
        .endm
        .macro vx_split to, condition
        .insn r 0x0b, 2, 0, \to, \condition, x0
        .endm
        .macro vx_split_n to, condition
        .insn r 0x0b, 2, 0, \to, \condition, x1
        .endm
        .macro vx_join depth
        .insn r 0x0b, 3, 0, x0, \depth, x0
        .endm
        .macro vx_pred condition, mask
        .insn r 0x0b, 5, 0, x0, \condition, \mask
        .endm
        .macro vx_pred_n condition, mask
        .insn r 0x0b, 5, 0, x1, \condition, \mask
        .endm
END

for program in traces/simt/*.s tests/simt/*.s; do
    name=$(basename "$program" .s)
    cat "$folder/head.s" "$program" >"$folder/theirs.s"
    "$as" -march="$march" -mabi=ilp32f -mno-relax -o "$folder/theirs.o" "$folder/theirs.s"
    "${tools}ld" -m elf32lriscv --no-relax -e main -Ttext=0x10000 -Tdata=0x100000 \
        -o "$folder/theirs.elf" "$folder/theirs.o"
    "${tools}objcopy" -O binary "$folder/theirs.elf" "$folder/theirs"
    "$warpscape" simt asm "$program" --force -o "$folder/ours" >"$folder/summary"
    if ! cmp "$folder/ours" "$folder/theirs"; then
        echo "$name: other bytes than $as"
        "$warpscape" simt disasm "$program" >"$folder/ours.txt"
        "$warpscape" simt disasm "$folder/theirs.elf" >"$folder/theirs.txt"
        diff "$folder/ours.txt" "$folder/theirs.txt" | head -20
        exit 1
    fi
done
