# N lines by Bresenham, each in a tile of 16 x 16 words of its own: lanes part at every step.
        .equ N, 64
        .text
        .globl main
main:
        mv s11, ra
        mv s0, a0
        mv s1, a1
        la s2, result
        li s3, N
line:
        bge s0, s3, done
        slli a0, s0, 2          # four numbers a line
        call number
        mv s4, a0               # x0
        slli a0, s0, 2
        addi a0, a0, 1
        call number
        mv s5, a0               # y0
        slli a0, s0, 2
        addi a0, a0, 2
        call number
        mv s6, a0               # x1
        slli a0, s0, 2
        addi a0, a0, 3
        call number
        mv s7, a0               # y1
        slli t0, s0, 10
        add s8, s2, t0          # the tile
        sub t0, s6, s4
        li s9, 1                # step in x
        bgez t0, right
        neg t0, t0
        li s9, -1
right:
        sub t1, s7, s5
        li s10, 1               # step in y
        bgez t1, up
        neg t1, t1
        li s10, -1
up:
        neg t1, t1              # t0 = |dx|, t1 = -|dy|
        add t2, t0, t1          # the error
        addi t5, s0, 1          # the colour
pixel:
        slli t3, s5, 4
        add t3, t3, s4
        slli t3, t3, 2
        add t3, t3, s8
        sw t5, 0(t3)
        bne s4, s6, on
        beq s5, s7, drawn
on:
        slli t4, t2, 1
        blt t4, t1, no_x
        add t2, t2, t1
        add s4, s4, s9
no_x:
        bgt t4, t0, pixel
        add t2, t2, t0
        add s5, s5, s10
        j pixel
drawn:
        add s0, s0, s1
        j line
done:
        mv ra, s11
        ret

# The number at index a0, from 0 to 15.
number:
        li t6, 1103515245
        mul a0, a0, t6
        li t6, 12345
        add a0, a0, t6
        slli a0, a0, 1
        srli a0, a0, 28
        ret

        .data
        .align 5
result: .space 1024 * N
