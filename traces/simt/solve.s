# N linear equations by Gauss and Jordan without pivoting: rows are shared among the lanes, and all
# warps meet behind each column. The diagonal is large enough for that.
        .equ N, 16
        .text
        .globl main
main:
        mv s11, ra
        mv s0, a0
        mv s1, a1
        la s2, matrix           # N rows of N + 1
        li s3, N
        li s4, N * (N + 1)
        mv s5, s0
fill:
        bge s5, s4, filled
        mv a0, s5
        call number
        addi t0, s3, 1
        divu t1, s5, t0
        remu t2, s5, t0
        bne t1, t2, store
        slli t3, s3, 4
        add a0, a0, t3
store:
        fcvt.s.w ft0, a0
        slli t0, s5, 2
        add t0, t0, s2
        fsw ft0, 0(t0)
        add s5, s5, s1
        j fill
filled:
        li s6, 0                # the column
column:
        csrr t0, vx_warps
        vx_bar zero, t0
        addi s7, s3, 1
        slli s7, s7, 2          # bytes of a row
        mul t0, s6, s7
        add s8, t0, s2          # the pivot's row
        slli t1, s6, 2
        add t2, s8, t1
        flw ft1, 0(t2)          # the pivot
        mv s5, s0
row:
        bge s5, s3, rows
        beq s5, s6, skip
        mul t0, s5, s7
        add t0, t0, s2
        slli t1, s6, 2
        add t2, t0, t1          # from this column on
        add t3, s8, t1
        flw ft0, 0(t2)
        fdiv.s ft0, ft0, ft1
        sub t4, s3, s6
        addi t4, t4, 1
entry:
        flw ft2, 0(t3)
        flw ft3, 0(t2)
        fmul.s ft2, ft2, ft0
        fsub.s ft3, ft3, ft2
        fsw ft3, 0(t2)
        addi t2, t2, 4
        addi t3, t3, 4
        addi t4, t4, -1
        bnez t4, entry
skip:
        add s5, s5, s1
        j row
rows:
        addi s6, s6, 1
        blt s6, s3, column
        csrr t0, vx_warps
        vx_bar zero, t0
        la s9, result
        mv s5, s0
unknown:
        bge s5, s3, done
        mul t0, s5, s7
        add t0, t0, s2
        slli t1, s5, 2
        add t2, t0, t1
        flw ft0, 0(t2)          # the diagonal
        slli t3, s3, 2
        add t3, t3, t0
        flw ft1, 0(t3)          # the right-hand side
        fdiv.s ft1, ft1, ft0
        add t1, t1, s9
        fsw ft1, 0(t1)
        add s5, s5, s1
        j unknown
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
result: .space 4 * N
        .align 5
matrix: .space 4 * N * (N + 1)
