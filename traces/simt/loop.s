# Every lane adds up 1 to N by itself; N instructions of a loop come from one line.
        .equ N, 1000
        .text
        .globl main
main:
        li t0, N
        li t1, 0
next:
        add t1, t1, t0
        addi t0, t0, -1
        bnez t0, next
        la t2, result
        slli t3, a0, 2
        add t2, t2, t3
        sw t1, 0(t2)
        ret

        .data
        .align 5
        .globl result
result: .space 4 * 64
