	.text
	.attribute	4, 16
	.attribute	5, "rv32i2p0_m2p0_f2p0"
	.file	"convolution.c"
	.globl	main
	.p2align	2
	.type	main,@function
main:
	li	a2, 1023
	blt	a2, a0, .LBB0_8
	lui	a2, %hi(image)
	addi	a3, a2, %lo(image)
	slli	a2, a0, 2
	add	a4, a2, a3
	slli	a3, a1, 2
	lui	a5, 509750
	addi	a6, a5, 806
	mul	a5, a0, a6
	lui	a7, 6
	addi	a7, a7, 114
	sub	a5, a7, a5
	mul	a6, a1, a6
	li	a7, 1024
	mv	t0, a0
.LBB0_2:
	srli	t1, a5, 24
	sw	t1, 0(a4)
	add	t0, t0, a1
	add	a4, a4, a3
	sub	a5, a5, a6
	blt	t0, a7, .LBB0_2
	#APP
	csrr	a4, 4033
	#NO_APP
	#APP
	.insn r 11, 4, 0, zero, zero, a4
	#NO_APP
	li	a4, 1023
	blt	a4, a0, .LBB0_9
	lui	a4, %hi(image)
	addi	a4, a4, %lo(image)
	lui	a5, %hi(result)
	addi	a5, a5, %lo(result)
	li	a6, 1024
	j	.LBB0_6
.LBB0_5:
	srai	a7, a7, 4
	add	t0, a2, a5
	sw	a7, 0(t0)
	add	a0, a0, a1
	add	a2, a2, a3
	bge	a0, a6, .LBB0_9
.LBB0_6:
	srai	a7, a0, 31
	srli	a7, a7, 27
	add	a7, a0, a7
	andi	a7, a7, -32
	sub	a7, a0, a7
	snez	t0, a7
	addi	t1, a0, -32
	sltiu	t1, t1, -63
	and	t0, t0, t1
	slti	a7, a7, 31
	and	a7, a7, t0
	slti	t0, a0, 992
	and	t0, a7, t0
	li	a7, 0
	beqz	t0, .LBB0_5
	add	a7, a2, a4
	lw	t0, -128(a7)
	lw	t1, -132(a7)
	lw	t2, -124(a7)
	slli	t0, t0, 1
	lw	t3, -4(a7)
	add	t0, t0, t1
	add	t0, t2, t0
	lw	t1, 0(a7)
	slli	t2, t3, 1
	lw	t3, 4(a7)
	add	t0, t2, t0
	slli	t1, t1, 2
	add	t0, t1, t0
	slli	t1, t3, 1
	lw	t2, 124(a7)
	lw	t3, 128(a7)
	add	t0, t1, t0
	lw	a7, 132(a7)
	add	t0, t2, t0
	slli	t1, t3, 1
	add	t0, t1, t0
	add	a7, a7, t0
	j	.LBB0_5
.LBB0_8:
	#APP
	csrr	a0, 4033
	#NO_APP
	#APP
	.insn r 11, 4, 0, zero, zero, a0
	#NO_APP
.LBB0_9:
	ret
.Lfunc_end0:
	.size	main, .Lfunc_end0-main

	.type	image,@object
	.bss
	.globl	image
	.p2align	2
image:
	.zero	4096
	.size	image, 4096

	.type	result,@object
	.globl	result
	.p2align	2
result:
	.zero	4096
	.size	result, 4096

	.section	".note.GNU-stack","",@progbits
