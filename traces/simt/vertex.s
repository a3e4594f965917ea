# N vertices through a 4 x 4 matrix, with a grey value from the light on their normals.
# A vertex is six numbers, position and normal; its result five: x, y, z, w and the grey value.
        .equ N, 256
        .text
        .globl main
main:
        mv s11, ra
        mv s0, a0
        mv s1, a1
        la s2, vertices
        la s3, result
        la s4, matrix
        la s5, light
        li s6, N
        li s7, 6 * N
        mv s8, s0
fill:
        bge s8, s7, filled
        mv a0, s8
        call number
        fcvt.s.w ft0, a0
        la t0, scale
        flw ft1, 0(t0)
        fmul.s ft0, ft0, ft1
        slli t0, s8, 2
        add t0, t0, s2
        fsw ft0, 0(t0)
        add s8, s8, s1
        j fill
filled:
        csrr t0, vx_warps
        vx_bar zero, t0
        mv s8, s0
vertex:
        bge s8, s6, done
        li t0, 24
        mul t0, t0, s8
        add t0, t0, s2
        flw fa0, 0(t0)
        flw fa1, 4(t0)
        flw fa2, 8(t0)
        li t1, 20
        mul t1, t1, s8
        add t1, t1, s3
        mv t2, s4
        li t3, 4
row:
        flw ft0, 0(t2)
        flw ft1, 4(t2)
        flw ft2, 8(t2)
        flw ft3, 12(t2)
        fmadd.s ft3, ft2, fa2, ft3
        fmadd.s ft3, ft1, fa1, ft3
        fmadd.s ft3, ft0, fa0, ft3
        fsw ft3, 0(t1)
        addi t2, t2, 16
        addi t1, t1, 4
        addi t3, t3, -1
        bnez t3, row
        flw fa0, 12(t0)
        flw fa1, 16(t0)
        flw fa2, 20(t0)
        flw ft0, 0(s5)
        flw ft1, 4(s5)
        flw ft2, 8(s5)
        fmul.s ft0, ft0, fa0
        fmadd.s ft0, ft1, fa1, ft0
        fmadd.s ft0, ft2, fa2, ft0
        fmv.w.x ft1, zero
        fle.s t3, ft0, ft1      # turned away from the light
        li t4, 0
        bnez t3, dark
        flw ft2, 12(s5)         # 255
        fmul.s ft0, ft0, ft2
        fmin.s ft0, ft0, ft2
        fcvt.w.s t4, ft0, rtz
dark:
        sw t4, 0(t1)
        add s8, s8, s1
        j vertex
done:
        mv ra, s11
        ret

# The number at index a0, from -512 to 511.
number:
        li t6, 1103515245
        mul a0, a0, t6
        li t6, 12345
        add a0, a0, t6
        slli a0, a0, 1
        srli a0, a0, 22
        addi a0, a0, -512
        ret

        .data
        .align 5
matrix: .float 1.5, 0, 0, 0
        .float 0, 2, 0.5, 0
        .float 0, -0.25, 1.25, -3
        .float 0, 0, -1, 0
light:  .float 0.5, 0.75, 0.4375, 255
scale:  .float 0.00390625       # 1/256
        .align 5
result: .space 20 * N
        .align 5
vertices: .space 24 * N
