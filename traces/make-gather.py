#!/usr/bin/env python3
"""Writes the synthetic kernel of gather.traceg.xz: 8 blocks of 4 warps; each thread follows 12 steps
of y[i] += x[index[i]] with random indices into 4 MiB."""
import lzma

STATE = 1


def draw(bound):
    global STATE
    STATE = (STATE * 6364136223846793005 + 1442695040888963407) % 2**64
    return (STATE >> 33) * bound >> 31


INDEX, X, Y = 0x7F0010000000, 0x7F0020000000, 0x7F0030000000
BLOCKS, WARPS, STEPS = 8, 4, 12
lines = [
    "-kernel name = gather", "-kernel id = 1", f"-grid dim = ({BLOCKS},1,1)",
    f"-block dim = ({32 * WARPS},1,1)", "-shmem = 0", "-nregs = 16", "-binary version = 80",
    "-cuda stream id = 0", "-shmem base_addr = 0x00007f0000000000",
    "-local mem base_addr = 0x00007eff00000000", "-nvbit version = 1.5",
    "-accelsim tracer version = 5", "-enable lineinfo = 0", "",
    "#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
    "[adrrescompress?] [mem_addresses] immediate",
]
for block in range(BLOCKS):
    lines += ["", "#BEGIN_TB", "", f"thread block = {block},0,0"]
    for warp in range(WARPS):
        lines += ["", f"warp = {warp}", f"insts = {5 * STEPS + 1}"]
        thread = (block * WARPS + warp) * 32
        for step in range(STEPS):
            offset = 4 * (thread + step * 32 * BLOCKS * WARPS)
            targets = [X + 4 * draw(1 << 20) for _ in range(32)]
            deltas = " ".join(str(b - a) for a, b in zip(targets, targets[1:]))
            lines += [
                f"0010 ffffffff 1 R2 LDG.E 1 R4 4 1 0x{INDEX + offset:x} 4 0",
                f"0020 ffffffff 1 R3 LDG.E 1 R2 4 2 0x{targets[0]:x} {deltas} 0",
                "0030 ffffffff 1 R6 FADD 2 R6 R3 0 0",
                f"0040 ffffffff 0 STG.E 2 R8 R6 4 1 0x{Y + offset:x} 4 0",
                "0050 ffffffff 0 BRA 0 0 0",
            ]
        lines += ["0060 ffffffff 0 EXIT 0 0 0"]
    lines += ["", "#END_TB"]
with lzma.open("gather.traceg.xz", "wt", preset=9) as out:
    out.write("\n".join(lines) + "\n")
