	.text
	.attribute	4, 16
	.attribute	5, "rv32i2p0_m2p0_f2p0"
	.file	"vertex.c"
	.section	.sdata,"aw",@progbits
	.p2align	2
.LCPI0_0:
	.word	0x3b800000
.LCPI0_1:
	.word	0x3fc00000
.LCPI0_2:
	.word	0x3f000000
.LCPI0_3:
	.word	0x40000000
.LCPI0_4:
	.word	0xc0400000
.LCPI0_5:
	.word	0x3fa00000
.LCPI0_6:
	.word	0xbe800000
.LCPI0_7:
	.word	0x3f400000
.LCPI0_8:
	.word	0x3ee00000
.LCPI0_9:
	.word	0x437f0000
	.text
	.globl	main
	.p2align	2
	.type	main,@function
main:
	li	a2, 1535
	blt	a2, a0, .LBB0_3
	lui	a2, %hi(vertices)
	addi	a2, a2, %lo(vertices)
	slli	a3, a0, 2
	add	a2, a3, a2
	slli	a3, a1, 2
	lui	a4, 509750
	addi	a5, a4, 806
	mul	a4, a0, a5
	lui	a6, 6
	addi	a6, a6, 114
	lui	a7, %hi(.LCPI0_0)
	flw	ft0, %lo(.LCPI0_0)(a7)
	sub	a4, a6, a4
	mul	a5, a1, a5
	li	a6, 1536
	mv	a7, a0
.LBB0_2:
	srli	t0, a4, 22
	addi	t0, t0, -512
	fcvt.s.w	ft1, t0
	fmul.s	ft1, ft1, ft0
	fsw	ft1, 0(a2)
	add	a7, a7, a1
	add	a2, a2, a3
	sub	a4, a4, a5
	blt	a7, a6, .LBB0_2
.LBB0_3:
	#APP
	csrr	a2, 4033
	#NO_APP
	#APP
	.insn r 11, 4, 0, zero, zero, a2
	#NO_APP
	li	a2, 255
	blt	a2, a0, .LBB0_9
	li	a3, 20
	mul	a2, a0, a3
	lui	a4, %hi(result)
	addi	a4, a4, %lo(result)
	add	a2, a4, a2
	addi	a2, a2, 8
	mul	a3, a1, a3
	li	a5, 24
	mul	a4, a0, a5
	lui	a6, %hi(vertices)
	addi	a6, a6, %lo(vertices)
	add	a4, a6, a4
	addi	a4, a4, 12
	lui	a6, %hi(.LCPI0_1)
	flw	ft0, %lo(.LCPI0_1)(a6)
	lui	a6, %hi(.LCPI0_2)
	flw	ft1, %lo(.LCPI0_2)(a6)
	lui	a6, %hi(.LCPI0_3)
	flw	ft2, %lo(.LCPI0_3)(a6)
	lui	a6, %hi(.LCPI0_4)
	flw	ft3, %lo(.LCPI0_4)(a6)
	lui	a6, %hi(.LCPI0_5)
	flw	ft4, %lo(.LCPI0_5)(a6)
	lui	a6, %hi(.LCPI0_6)
	flw	ft5, %lo(.LCPI0_6)(a6)
	lui	a6, %hi(.LCPI0_7)
	flw	ft6, %lo(.LCPI0_7)(a6)
	lui	a6, %hi(.LCPI0_8)
	flw	ft7, %lo(.LCPI0_8)(a6)
	lui	a6, %hi(.LCPI0_9)
	flw	fa0, %lo(.LCPI0_9)(a6)
	mul	a5, a1, a5
	fmv.w.x	fa1, zero
	li	a6, 256
	j	.LBB0_7
.LBB0_5:
	li	a7, 0
.LBB0_6:
	sw	a7, 8(a2)
	add	a0, a0, a1
	add	a2, a2, a3
	add	a4, a4, a5
	bge	a0, a6, .LBB0_9
.LBB0_7:
	flw	fa2, -4(a4)
	flw	fa3, -8(a4)
	flw	fa4, -12(a4)
	fmadd.s	fa5, fa2, fa1, fa1
	fmadd.s	fa5, fa3, fa1, fa5
	fmadd.s	fa5, fa4, ft0, fa5
	fsw	fa5, -8(a2)
	fmadd.s	fa5, fa2, ft1, fa1
	fmadd.s	fa5, fa3, ft2, fa5
	fmadd.s	fa5, fa4, fa1, fa5
	fsw	fa5, -4(a2)
	fmadd.s	fa5, fa2, ft4, ft3
	fmadd.s	fa5, fa3, ft5, fa5
	fmadd.s	fa5, fa4, fa1, fa5
	fsw	fa5, 0(a2)
	fsub.s	fa2, fa1, fa2
	fmadd.s	fa2, fa3, fa1, fa2
	flw	fa3, 0(a4)
	flw	fa5, 4(a4)
	flw	fa6, 8(a4)
	fmadd.s	fa4, fa4, fa1, fa2
	fmul.s	fa2, fa3, ft1
	fmadd.s	fa2, fa5, ft6, fa2
	fmadd.s	fa2, fa6, ft7, fa2
	fmul.s	fa2, fa2, fa0
	fle.s	a7, fa2, fa1
	fsw	fa4, 4(a2)
	bnez	a7, .LBB0_5
	fmin.s	fa2, fa2, fa0
	fcvt.w.s	a7, fa2, rtz
	j	.LBB0_6
.LBB0_9:
	ret
.Lfunc_end0:
	.size	main, .Lfunc_end0-main

	.type	vertices,@object
	.bss
	.globl	vertices
	.p2align	2
vertices:
	.zero	6144
	.size	vertices, 6144

	.type	result,@object
	.globl	result
	.p2align	2
result:
	.zero	5120
	.size	result, 5120

	.section	".note.GNU-stack","",@progbits
