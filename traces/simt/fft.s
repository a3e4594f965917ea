# The Fourier transform of N real numbers, radix 2, decimation in time; N is a power of two. The
# result is N pairs. The factor of a butterfly is the product of those roots of unity whose powers
# its number needs, so lanes take paths of different lengths.
        .equ N, 64
        .text
        .globl main
main:
        mv s11, ra
        mv s0, a0
        mv s1, a1
        la s2, result
        li s3, N
        mv s4, s0
fill:
        bge s4, s3, filled
        mv a0, s4
        call number
        fcvt.s.w ft0, a0
        mv t0, s4               # its place: the bits of the index in reverse
        srli t1, s3, 1
        li t2, 0
        li t3, 1
reverse:
        beqz t1, reversed
        and t4, t0, t1
        beqz t4, clear
        or t2, t2, t3
clear:
        srli t1, t1, 1
        slli t3, t3, 1
        j reverse
reversed:
        slli t2, t2, 3
        add t2, t2, s2
        fsw ft0, 0(t2)
        sw zero, 4(t2)
        add s4, s4, s1
        j fill
filled:
        li s5, 1                # half of the size of a butterfly's group
        la s6, roots            # of the groups of this stage
        srli s7, s3, 1          # butterflies of a stage
stage:
        csrr t0, vx_warps
        vx_bar zero, t0
        bge s5, s3, done
        mv s4, s0
butterfly:
        bge s4, s7, staged
        addi t0, s5, -1
        and t1, s4, t0          # number in the group
        sub t2, s4, t1
        slli t2, t2, 1
        add t2, t2, t1          # index of the upper value
        slli t2, t2, 3
        add t2, t2, s2
        slli t3, s5, 3
        add t3, t3, t2          # the lower value
        la t4, one
        flw fa0, 0(t4)          # the factor
        fmv.w.x fa1, zero
        mv t4, s6
factor:
        beqz t1, factored
        andi t5, t1, 1
        beqz t5, even
        flw fa2, 0(t4)
        flw fa3, 4(t4)
        fmul.s ft0, fa0, fa2
        fmul.s ft1, fa1, fa3
        fmul.s ft2, fa0, fa3
        fmul.s ft3, fa1, fa2
        fsub.s fa0, ft0, ft1
        fadd.s fa1, ft2, ft3
even:
        srli t1, t1, 1
        addi t4, t4, -8         # the square of the root
        j factor
factored:
        flw fa2, 0(t3)
        flw fa3, 4(t3)
        fmul.s ft0, fa0, fa2
        fmul.s ft1, fa1, fa3
        fmul.s ft2, fa0, fa3
        fmul.s ft3, fa1, fa2
        fsub.s fa2, ft0, ft1
        fadd.s fa3, ft2, ft3
        flw fa4, 0(t2)
        flw fa5, 4(t2)
        fadd.s ft0, fa4, fa2
        fadd.s ft1, fa5, fa3
        fsub.s ft2, fa4, fa2
        fsub.s ft3, fa5, fa3
        fsw ft0, 0(t2)
        fsw ft1, 4(t2)
        fsw ft2, 0(t3)
        fsw ft3, 4(t3)
        add s4, s4, s1
        j butterfly
staged:
        slli s5, s5, 1
        addi s6, s6, 8
        j stage
done:
        mv ra, s11
        ret

# The number at index a0, from 0 to 1023.
number:
        li t6, 1103515245
        mul a0, a0, t6
        li t6, 12345
        add a0, a0, t6
        slli a0, a0, 1
        srli a0, a0, 22
        ret

        .data
        .align 5
# exp(-2 pi i / 2^s) for s from 1 on
roots:  .float -1, 0
        .float 0, -1
        .float 0.707106781, -0.707106781
        .float 0.923879533, -0.382683432
        .float 0.98078528, -0.195090322
        .float 0.995184727, -0.0980171403
        .float 0.998795456, -0.0490676743
        .float 0.999698819, -0.0245412285
        .float 0.999924702, -0.0122715383
        .float 0.999981175, -0.00613588465
        .float 0.999995294, -0.00306795676
        .float 0.999998823, -0.00153398019
one:    .float 1
        .align 5
result: .space 8 * N
