	.text
	.attribute	4, 16
	.attribute	5, "rv32i2p0_m2p0_f2p0"
	.file	"solve.c"
	.globl	main
	.p2align	2
	.type	main,@function
main:
	addi	sp, sp, -32
	sw	s0, 28(sp)
	sw	s1, 24(sp)
	sw	s2, 20(sp)
	sw	s3, 16(sp)
	sw	s4, 12(sp)
	sw	s5, 8(sp)
	sw	s6, 4(sp)
	li	a4, 271
	slli	a3, a0, 2
	slli	a2, a1, 2
	blt	a4, a0, .LBB0_5
	lui	a4, %hi(matrix)
	addi	a4, a4, %lo(matrix)
	add	a4, a3, a4
	lui	a5, 509750
	addi	a6, a5, 806
	mul	a5, a0, a6
	lui	a7, 6
	addi	a7, a7, 114
	sub	a5, a7, a5
	mul	a6, a1, a6
	lui	a7, 493448
	addi	a7, a7, -1927
	li	t0, 272
	mv	t1, a0
	j	.LBB0_3
.LBB0_2:
	fcvt.s.w	ft0, t2
	fsw	ft0, 0(a4)
	add	t1, t1, a1
	add	a4, a4, a2
	sub	a5, a5, a6
	bge	t1, t0, .LBB0_5
.LBB0_3:
	mulh	t2, t1, a7
	srli	t3, t2, 31
	srai	t2, t2, 3
	add	t3, t2, t3
	slli	t2, t3, 4
	add	t2, t2, t3
	sub	t4, t1, t2
	srli	t2, a5, 28
	bne	t4, t3, .LBB0_2
	ori	t2, t2, 256
	j	.LBB0_2
.LBB0_5:
	li	a4, 0
	li	a5, 68
	mul	t0, a0, a5
	lui	a6, %hi(matrix)
	addi	a6, a6, %lo(matrix)
	addi	a7, a6, 4
	add	t0, t0, a7
	mul	t1, a1, a5
	li	t2, 16
	li	t3, 15
	li	t4, 17
	li	t5, 16
	j	.LBB0_7
.LBB0_6:
	addi	a4, a4, 1
	addi	t0, t0, 4
	addi	t5, t5, -1
	addi	a7, a7, 72
	beq	a4, t2, .LBB0_14
.LBB0_7:
	#APP
	csrr	t6, 4033
	#NO_APP
	#APP
	.insn r 11, 4, 0, zero, zero, t6
	#NO_APP
	blt	t3, a0, .LBB0_6
	mul	s0, a4, a5
	slli	t6, a4, 2
	add	s0, s0, t6
	add	s0, s0, a6
	addi	s1, a4, 1
	mv	s2, t0
	mv	s3, a0
	j	.LBB0_10
.LBB0_9:
	add	s3, s3, a1
	add	s2, s2, t1
	bge	s3, t2, .LBB0_6
.LBB0_10:
	beq	s3, a4, .LBB0_9
	mul	s4, s3, a5
	add	s4, s4, t6
	add	s4, s4, a6
	flw	ft1, 0(s4)
	flw	ft2, 0(s0)
	fdiv.s	ft0, ft1, ft2
	fmul.s	ft2, ft0, ft2
	fsub.s	ft1, ft1, ft2
	fsw	ft1, 0(s4)
	beq	s1, t4, .LBB0_9
	mv	s4, a7
	mv	s5, t5
	mv	s6, s2
.LBB0_13:
	flw	ft1, 0(s4)
	flw	ft2, 0(s6)
	fmul.s	ft1, ft0, ft1
	fsub.s	ft1, ft2, ft1
	fsw	ft1, 0(s6)
	addi	s6, s6, 4
	addi	s5, s5, -1
	addi	s4, s4, 4
	bnez	s5, .LBB0_13
	j	.LBB0_9
.LBB0_14:
	#APP
	csrr	a4, 4033
	#NO_APP
	#APP
	.insn r 11, 4, 0, zero, zero, a4
	#NO_APP
	li	a4, 15
	blt	a4, a0, .LBB0_17
	lui	a4, %hi(result)
	addi	a4, a4, %lo(result)
	add	a3, a3, a4
	li	a5, 68
	mul	a4, a0, a5
	lui	a6, %hi(matrix)
	addi	a6, a6, %lo(matrix)
	add	a4, a6, a4
	addi	a4, a4, 64
	mul	a5, a1, a5
	li	a7, 72
	mul	t0, a0, a7
	add	a6, t0, a6
	mul	a7, a1, a7
	li	t0, 16
.LBB0_16:
	flw	ft0, 0(a4)
	flw	ft1, 0(a6)
	fdiv.s	ft0, ft0, ft1
	fsw	ft0, 0(a3)
	add	a0, a0, a1
	add	a3, a3, a2
	add	a4, a4, a5
	add	a6, a6, a7
	blt	a0, t0, .LBB0_16
.LBB0_17:
	lw	s0, 28(sp)
	lw	s1, 24(sp)
	lw	s2, 20(sp)
	lw	s3, 16(sp)
	lw	s4, 12(sp)
	lw	s5, 8(sp)
	lw	s6, 4(sp)
	addi	sp, sp, 32
	ret
.Lfunc_end0:
	.size	main, .Lfunc_end0-main

	.type	matrix,@object
	.bss
	.globl	matrix
	.p2align	2
matrix:
	.zero	1088
	.size	matrix, 1088

	.type	result,@object
	.globl	result
	.p2align	2
result:
	.zero	64
	.size	result, 64

	.section	".note.GNU-stack","",@progbits
