	.text
	.attribute	4, 16
	.attribute	5, "rv32i2p0_m2p0_f2p0"
	.file	"fft.c"
	.section	.sdata,"aw",@progbits
	.p2align	2
.LCPI0_0:
	.word	0x3f800000
	.text
	.globl	main
	.p2align	2
	.type	main,@function
main:
	addi	sp, sp, -16
	sw	s0, 12(sp)
	sw	s1, 8(sp)
	li	a2, 63
	blt	a2, a0, .LBB0_3
	lui	a2, 509750
	addi	a3, a2, 806
	mul	a2, a0, a3
	lui	a4, 6
	addi	a4, a4, 114
	sub	a2, a4, a2
	mul	a3, a1, a3
	lui	a4, 16
	addi	a4, a4, -256
	lui	a5, 4080
	lui	a6, 61681
	addi	a6, a6, -241
	lui	a7, 209715
	addi	a7, a7, 819
	lui	t0, 344064
	lui	t1, %hi(result)
	addi	t1, t1, %lo(result)
	li	t2, 64
	mv	t3, a0
.LBB0_2:
	srli	t4, t3, 8
	and	t4, t4, a4
	srli	t5, t3, 24
	or	t4, t4, t5
	slli	t5, t3, 8
	and	t5, t5, a5
	slli	t6, t3, 24
	or	t5, t6, t5
	or	t4, t5, t4
	srli	t5, t4, 4
	and	t5, t5, a6
	and	t4, t4, a6
	slli	t4, t4, 4
	or	t4, t5, t4
	srli	t5, t4, 2
	and	t5, t5, a7
	and	t4, t4, a7
	slli	t4, t4, 2
	or	t4, t5, t4
	srli	t5, t4, 1
	and	t5, t5, t0
	and	t4, t4, t0
	slli	t4, t4, 1
	or	t4, t5, t4
	srli	t5, a2, 22
	fcvt.s.w	ft0, t5
	srli	t4, t4, 23
	add	t4, t4, t1
	fsw	ft0, 0(t4)
	sw	zero, 4(t4)
	add	t3, t3, a1
	sub	a2, a2, a3
	blt	t3, t2, .LBB0_2
.LBB0_3:
	li	a2, 0
	li	a3, 1
	lui	a4, %hi(roots+4)
	addi	a4, a4, %lo(roots+4)
	li	a5, 31
	fmv.w.x	ft0, zero
	lui	a6, %hi(.LCPI0_0)
	flw	ft1, %lo(.LCPI0_0)(a6)
	lui	a6, %hi(result)
	addi	a6, a6, %lo(result)
	addi	a7, a6, 4
	li	t0, 32
	li	t1, 2
	li	t2, 6
	j	.LBB0_5
.LBB0_4:
	slli	a3, a3, 1
	addi	a2, a2, 1
	addi	a4, a4, 8
	beq	a2, t2, .LBB0_13
.LBB0_5:
	#APP
	csrr	t3, 4033
	#NO_APP
	#APP
	.insn r 11, 4, 0, zero, zero, t3
	#NO_APP
	blt	a5, a0, .LBB0_4
	addi	t3, a3, -1
	mv	t4, a0
	j	.LBB0_8
.LBB0_7:
	sub	t6, t4, t5
	slli	t6, t6, 1
	add	t5, t6, t5
	slli	t6, t5, 3
	add	t5, t5, a3
	slli	t5, t5, 3
	add	s0, t5, a6
	flw	ft4, 0(s0)
	add	t5, t5, a7
	flw	ft5, 0(t5)
	add	s1, t6, a6
	flw	ft6, 0(s1)
	fmul.s	ft7, ft3, ft4
	fmul.s	fa0, ft2, ft5
	fsub.s	ft7, ft7, fa0
	fsub.s	fa0, ft6, ft7
	fsw	fa0, 0(s0)
	add	t6, t6, a7
	flw	fa0, 0(t6)
	fmul.s	ft3, ft3, ft5
	fmul.s	ft2, ft2, ft4
	fadd.s	ft2, ft2, ft3
	fsub.s	ft3, fa0, ft2
	fsw	ft3, 0(t5)
	fadd.s	ft3, ft6, ft7
	fsw	ft3, 0(s1)
	fadd.s	ft2, ft2, fa0
	add	t4, t4, a1
	fsw	ft2, 0(t6)
	bge	t4, t0, .LBB0_4
.LBB0_8:
	and	t5, t4, t3
	fmv.s	ft3, ft1
	fmv.s	ft2, ft0
	beqz	t5, .LBB0_7
	mv	t6, a4
	mv	s1, t5
	fmv.s	ft2, ft0
	fmv.s	ft3, ft1
	j	.LBB0_11
.LBB0_10:
	srai	s1, s0, 1
	addi	t6, t6, -8
	bltu	s0, t1, .LBB0_7
.LBB0_11:
	mv	s0, s1
	andi	s1, s1, 1
	beqz	s1, .LBB0_10
	flw	ft4, -4(t6)
	flw	ft5, 0(t6)
	fmul.s	ft6, ft3, ft4
	fmul.s	ft7, ft2, ft5
	fmul.s	ft3, ft3, ft5
	fsub.s	ft5, ft6, ft7
	fmul.s	ft2, ft2, ft4
	fadd.s	ft2, ft2, ft3
	fmv.s	ft3, ft5
	j	.LBB0_10
.LBB0_13:
	lw	s0, 12(sp)
	lw	s1, 8(sp)
	addi	sp, sp, 16
	ret
.Lfunc_end0:
	.size	main, .Lfunc_end0-main

	.type	result,@object
	.bss
	.globl	result
	.p2align	2
result:
	.zero	512
	.size	result, 512

	.type	roots,@object
	.section	.rodata,"a",@progbits
	.p2align	2
roots:
	.word	0xbf800000
	.word	0x00000000
	.word	0x00000000
	.word	0xbf800000
	.word	0x3f3504f3
	.word	0xbf3504f3
	.word	0x3f6c835e
	.word	0xbec3ef15
	.word	0x3f7b14be
	.word	0xbe47c5c2
	.word	0x3f7ec46d
	.word	0xbdc8bd36
	.word	0x3f7fb10f
	.word	0xbd48fb30
	.word	0x3f7fec43
	.word	0xbcc90ab0
	.word	0x3f7ffb11
	.word	0xbc490e90
	.word	0x3f7ffec4
	.word	0xbbc90f88
	.word	0x3f7fffb1
	.word	0xbb490fc6
	.word	0x3f7fffec
	.word	0xbac90fd5
	.size	roots, 96

	.section	".note.GNU-stack","",@progbits
