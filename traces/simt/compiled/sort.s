	.text
	.attribute	4, 16
	.attribute	5, "rv32i2p0_m2p0_f2p0"
	.file	"sort.c"
	.globl	main
	.p2align	2
	.type	main,@function
main:
	addi	sp, sp, -16
	sw	s0, 12(sp)
	sw	s1, 8(sp)
	li	a2, 255
	slli	a5, a0, 2
	slli	a3, a1, 2
	blt	a2, a0, .LBB0_3
	lui	a4, %hi(result)
	addi	a4, a4, %lo(result)
	add	a4, a5, a4
	lui	a6, 509750
	addi	a7, a6, 806
	mul	a6, a0, a7
	lui	t0, 6
	addi	t0, t0, 114
	sub	a6, t0, a6
	mul	a7, a1, a7
	li	t0, 256
	mv	t1, a0
.LBB0_2:
	srli	t2, a6, 17
	sw	t2, 0(a4)
	add	t1, t1, a1
	add	a4, a4, a3
	sub	a6, a6, a7
	blt	t1, t0, .LBB0_2
.LBB0_3:
	lui	a4, %hi(result)
	addi	a4, a4, %lo(result)
	add	a5, a5, a4
	li	a6, 2
	li	a7, 256
	li	t0, 3
	li	t1, 257
	j	.LBB0_5
.LBB0_4:
	slli	a6, a6, 1
	bgeu	a6, t1, .LBB0_15
.LBB0_5:
	srli	t2, a6, 1
	j	.LBB0_7
.LBB0_6:
	srli	t3, t2, 31
	add	t3, t2, t3
	addi	t4, t2, 1
	srai	t2, t3, 1
	bltu	t4, t0, .LBB0_4
.LBB0_7:
	#APP
	csrr	t3, 4033
	#NO_APP
	#APP
	.insn r 11, 4, 0, zero, zero, t3
	#NO_APP
	blt	a2, a0, .LBB0_6
	mv	t3, a5
	mv	t4, a0
	j	.LBB0_11
.LBB0_9:
	sw	s0, 0(t3)
	sw	t5, 0(t6)
.LBB0_10:
	add	t4, t4, a1
	add	t3, t3, a3
	bge	t4, a7, .LBB0_6
.LBB0_11:
	xor	t6, t4, t2
	bge	t4, t6, .LBB0_10
	lw	t5, 0(t3)
	slli	t6, t6, 2
	add	t6, t6, a4
	lw	s0, 0(t6)
	and	s1, t4, a6
	beqz	s1, .LBB0_14
	blt	t5, s0, .LBB0_9
	j	.LBB0_10
.LBB0_14:
	blt	s0, t5, .LBB0_9
	j	.LBB0_10
.LBB0_15:
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
	.zero	1024
	.size	result, 1024

	.section	".note.GNU-stack","",@progbits
