/* What the programs of this folder in C share. traces/simt/compiled holds them as
 *
 *     clang --target=riscv32-unknown-elf -march=rv32imf -mabi=ilp32f -O2 -ffreestanding
 *         -fno-math-errno -ffp-contract=off -fno-ident -fno-addrsig -S
 *
 * of version 14 compiles them. main gets the lane's number in its block, the lanes of the block, the
 * block's number and the number of blocks. docs/SIMT.md has the rest. */
#pragma once

#ifndef N
#define N DEFAULT_N
#endif

void main(int lane, int lanes, int block, int blocks);

/* All warps of the block meet. */
static inline void meet(void)
{
    int warps;
    __asm__ volatile("csrr %0, 0xfc1" : "=r"(warps));
    __asm__ volatile(".insn r 0x0b, 4, 0, x0, x0, %0" : : "r"(warps) : "memory");
}

/* The upper bits of the number at an index: what the programs compute on. */
static inline int number(int index, int bits)
{
    return (int)((1103515245u * (unsigned)index + 12345u) << 1 >> (32 - bits));
}
