# A times its transpose, N x N. With N = 4 the matrix is that of the paper, whose product is
# 1e 46 32 3c 46 ae 72 8c 32 72 54 64 3c 8c 64 78; larger ones repeat its sixteen numbers.
        .equ N, 4
        .text
        .globl main
main:
        la s2, a
        la s3, numbers
        la s4, result
        li s5, N
        li s6, N * N
        mv t0, a0
fill:
        bge t0, s6, filled
        andi t1, t0, 15
        slli t1, t1, 2
        add t1, t1, s3
        lw t2, 0(t1)
        slli t3, t0, 2
        add t3, t3, s2
        sw t2, 0(t3)
        add t0, t0, a1
        j fill
filled:
        csrr t0, vx_warps
        vx_bar zero, t0
        mv t0, a0
element:
        bge t0, s6, done
        divu t1, t0, s5         # row of the product
        remu t2, t0, s5         # column
        mul t1, t1, s5
        slli t1, t1, 2
        add t1, t1, s2
        mul t2, t2, s5
        slli t2, t2, 2
        add t2, t2, s2
        li t3, 0
        mv t4, s5
sum:
        lw t5, 0(t1)
        lw t6, 0(t2)
        mul t5, t5, t6
        add t3, t3, t5
        addi t1, t1, 4
        addi t2, t2, 4
        addi t4, t4, -1
        bnez t4, sum
        slli t1, t0, 2
        add t1, t1, s4
        sw t3, 0(t1)
        add t0, t0, a1
        j element
done:
        ret

        .data
        .align 5
numbers:
        .word 1, 2, 3, 4, 5, 6, 7, 8, 1, 3, 5, 7, 2, 4, 6, 8
result: .space 4 * N * N
a:      .space 4 * N * N
