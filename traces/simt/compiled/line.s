	.text
	.attribute	4, 16
	.attribute	5, "rv32i2p0_m2p0_f2p0"
	.file	"line.c"
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
	li	a2, 63
	blt	a2, a0, .LBB0_17
	lui	a2, 538826
	addi	a2, a2, -806
	lui	a3, 6
	addi	a3, a3, 114
	lui	a4, 58151
	addi	a4, a4, 872
	lui	a5, %hi(result)
	addi	a5, a5, %lo(result)
	li	a6, 64
	j	.LBB0_3
.LBB0_2:
	add	a0, a0, a1
	bge	a0, a6, .LBB0_17
.LBB0_3:
	slli	t3, a0, 2
	mul	a7, a0, a4
	add	a7, a7, a3
	srli	a7, a7, 28
	ori	t0, t3, 2
	mul	t0, t0, a2
	add	t0, t0, a3
	srli	t0, t0, 28
	bltu	t0, a7, .LBB0_5
	sub	t1, t0, a7
	j	.LBB0_6
.LBB0_5:
	sub	t1, a7, t0
.LBB0_6:
	ori	t2, t3, 1
	mul	t2, t2, a2
	add	t2, t2, a3
	srli	t2, t2, 28
	ori	t3, t3, 3
	mul	t3, t3, a2
	add	t3, t3, a3
	srli	t3, t3, 28
	li	t4, -1
	bltu	t3, t2, .LBB0_8
	sub	t5, t2, t3
	li	t6, 1
	bgeu	t0, a7, .LBB0_9
	j	.LBB0_10
.LBB0_8:
	sub	t5, t3, t2
	li	t6, -1
	bltu	t0, a7, .LBB0_10
.LBB0_9:
	li	t4, 1
.LBB0_10:
	addi	s0, a0, 1
	slli	s2, t2, 6
	slli	s1, a0, 10
	or	s2, s1, s2
	slli	s3, a7, 2
	or	s2, s2, s3
	add	s2, s2, a5
	xor	s3, a7, t0
	xor	s4, t2, t3
	or	s3, s3, s4
	sw	s0, 0(s2)
	beqz	s3, .LBB0_2
	add	s2, t1, t5
	j	.LBB0_13
.LBB0_12:
	slli	s3, t2, 6
	add	s3, s1, s3
	slli	s4, a7, 2
	add	s3, s3, s4
	add	s3, s3, a5
	xor	s4, a7, t0
	xor	s5, t2, t3
	or	s4, s4, s5
	sw	s0, 0(s3)
	beqz	s4, .LBB0_2
.LBB0_13:
	slli	s3, s2, 1
	blt	s3, t5, .LBB0_15
	add	a7, a7, t4
	add	s2, s2, t5
.LBB0_15:
	blt	t1, s3, .LBB0_12
	add	t2, t2, t6
	add	s2, s2, t1
	j	.LBB0_12
.LBB0_17:
	lw	s0, 28(sp)
	lw	s1, 24(sp)
	lw	s2, 20(sp)
	lw	s3, 16(sp)
	lw	s4, 12(sp)
	lw	s5, 8(sp)
	addi	sp, sp, 32
	ret
.Lfunc_end0:
	.size	main, .Lfunc_end0-main

	.type	result,@object
	.bss
	.globl	result
	.p2align	2
result:
	.zero	65536
	.size	result, 65536

	.section	".note.GNU-stack","",@progbits
