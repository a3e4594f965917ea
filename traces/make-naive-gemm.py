#!/usr/bin/env python3
"""Writes naive-gemm.traceg, of which naive-gemm.wtr was imported: C = A B of 128 x 128 floats in
blocks of 16 x 16 threads, each of which reads its row and column element by element. A warp has two
rows, so its loads of A ask for two words and those of B for 16, each twice."""

N, TILE = 128, 16
A, B, C = 0x7F2A00000000, 0x7F2A01000000, 0x7F2A02000000


def addresses(base, numbers):
    numbers = [base + 4 * number for number in numbers]
    deltas = " ".join(str(b - a) for a, b in zip(numbers, numbers[1:]))
    return f"4 2 0x{numbers[0]:x} {deltas}"


def block(column, row):
    lines = ["", "#BEGIN_TB", "", f"thread block = {column},{row},0"]
    for warp in range(TILE * TILE // 32):
        threads = [divmod(warp * 32 + lane, TILE) for lane in range(32)]
        xs = [column * TILE + x for _, x in threads]
        ys = [row * TILE + y for y, _ in threads]
        code = [(0x00, "1 R0 S2R 0 0"), (0x10, "1 R1 S2R 0 0"), (0x20, "1 R2 IMAD 2 R0 R1 0"),
                (0x30, "0 ISETP.GE.AND 1 R2 0")]
        for k in range(N):
            code += [
                (0x40, "1 R8 LDG.E 1 R4 " + addresses(A, [y * N + k for y in ys])),
                (0x50, "1 R9 LDG.E 1 R6 " + addresses(B, [k * N + x for x in xs])),
                (0x60, "1 R4 IADD 1 R4 0"), (0x70, "1 R10 FFMA 3 R8 R9 R10 0"),
                (0x80, "0 ISETP.LT.AND 1 R5 0"), (0x90, "0 BRA 0 0")]
        results = addresses(C, [y * N + x for x, y in zip(xs, ys)])
        code += [(0xA0, "0 ST.E 2 R12 R10 " + results), (0xB0, "0 EXIT 0 0")]
        lines += ["", f"warp = {warp}", f"insts = {len(code)}"]
        lines += [f"{pc:04x} ffffffff {rest} 0" for pc, rest in code]
    return lines + ["", "#END_TB"]


header = [
    "-kernel name = naive_gemm", "-kernel id = 1", f"-grid dim = ({N // TILE},{N // TILE},1)",
    f"-block dim = ({TILE},{TILE},1)", "-shmem = 0", "-nregs = 16", "-binary version = 35",
    "-cuda stream id = 0", "-shmem base_addr = 0x00007f2b00000000",
    "-local mem base_addr = 0x00007f2c00000000", "-nvbit version = 1.5.5",
    "-accelsim tracer version = 5", "-enable lineinfo = 0", "",
    "#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
    "[adrrescompress?] [mem_addresses] immediate",
]
with open("naive-gemm.traceg", "w", encoding="ascii") as out:
    out.write("\n".join(header) + "\n")
    for tile in range((N // TILE) ** 2):
        out.write("\n".join(block(tile % (N // TILE), tile // (N // TILE))) + "\n")
