# An N x N image under the filter 1 2 1, 2 4 2, 1 2 1; the border stays 0.
        .equ N, 32
        .text
        .globl main
main:
        mv s11, ra
        mv s0, a0
        mv s1, a1
        la s2, image
        la s3, result
        la s4, filter
        li s5, N
        li s6, N * N
        mv s7, s0
fill:
        bge s7, s6, filled
        mv a0, s7
        call number
        slli t0, s7, 2
        add t0, t0, s2
        sw a0, 0(t0)
        add s7, s7, s1
        j fill
filled:
        csrr t0, vx_warps
        vx_bar zero, t0
        mv s7, s0
pixel:
        bge s7, s6, done
        divu t0, s7, s5         # row
        remu t1, s7, s5         # column
        li t6, 0
        addi t2, s5, -1
        beqz t0, store
        beqz t1, store
        beq t0, t2, store
        beq t1, t2, store
        sub t3, s7, s5
        addi t3, t3, -1         # the pixel above and left
        slli t3, t3, 2
        add t3, t3, s2
        mv t4, s4
        li t0, 3
row:
        lw t1, 0(t3)
        lw t2, 0(t4)
        mul t1, t1, t2
        add t6, t6, t1
        lw t1, 4(t3)
        lw t2, 4(t4)
        mul t1, t1, t2
        add t6, t6, t1
        lw t1, 8(t3)
        lw t2, 8(t4)
        mul t1, t1, t2
        add t6, t6, t1
        slli t1, s5, 2
        add t3, t3, t1
        addi t4, t4, 12
        addi t0, t0, -1
        bnez t0, row
store:
        srli t6, t6, 4
        slli t0, s7, 2
        add t0, t0, s3
        sw t6, 0(t0)
        add s7, s7, s1
        j pixel
done:
        mv ra, s11
        ret

# The pixel at index a0, from 0 to 255.
number:
        li t6, 1103515245
        mul a0, a0, t6
        li t6, 12345
        add a0, a0, t6
        slli a0, a0, 1
        srli a0, a0, 24
        ret

        .data
        .align 5
filter: .word 1, 2, 1, 2, 4, 2, 1, 2, 1
        .align 5
result: .space 4 * N * N
image:  .space 4 * N * N
