	.text
	.attribute	4, 16
	.attribute	5, "rv32i2p0_m2p0_f2p0"
	.file	"maximum.c"
	.globl	main
	.p2align	2
	.type	main,@function
main:
	lui	a4, 1
	addi	a3, a4, -1
	slli	a2, a0, 2
	blt	a3, a0, .LBB0_8
	lui	a3, %hi(numbers)
	addi	a3, a3, %lo(numbers)
	add	a5, a2, a3
	slli	a3, a1, 2
	lui	a6, 509750
	addi	a7, a6, 806
	mul	a6, a0, a7
	lui	t0, 6
	addi	t0, t0, 114
	sub	a6, t0, a6
	mul	a7, a1, a7
	mv	t0, a0
.LBB0_2:
	srli	t1, a6, 17
	sw	t1, 0(a5)
	add	t0, t0, a1
	add	a5, a5, a3
	sub	a6, a6, a7
	blt	t0, a4, .LBB0_2
	lui	a4, 1
	addi	a5, a4, -1
	blt	a5, a0, .LBB0_8
	li	t0, 0
	lui	a5, %hi(numbers)
	addi	a5, a5, %lo(numbers)
	add	a6, a2, a5
	mv	a7, a0
	j	.LBB0_6
.LBB0_5:
	add	a7, a7, a1
	add	a6, a6, a3
	mv	t0, a5
	bge	a7, a4, .LBB0_9
.LBB0_6:
	lw	a5, 0(a6)
	blt	t0, a5, .LBB0_5
	mv	a5, t0
	j	.LBB0_5
.LBB0_8:
	li	a5, 0
.LBB0_9:
	lui	a3, 1044480
	add	a2, a2, a3
	sw	a5, 0(a2)
	#APP
	csrr	a3, 4033
	#NO_APP
	#APP
	.insn r 11, 4, 0, zero, zero, a3
	#NO_APP
	li	a3, 32
	bge	a0, a3, .LBB0_13
	addi	a3, a0, 32
	bge	a3, a1, .LBB0_13
	slli	a3, a3, 2
	lui	a4, 1044480
	add	a3, a3, a4
	lw	a4, 0(a3)
	lw	a5, 0(a2)
	bge	a5, a4, .LBB0_13
	lw	a3, 0(a3)
	sw	a3, 0(a2)
.LBB0_13:
	#APP
	csrr	a3, 4033
	#NO_APP
	#APP
	.insn r 11, 4, 0, zero, zero, a3
	#NO_APP
	li	a3, 15
	blt	a3, a0, .LBB0_17
	addi	a3, a0, 16
	bge	a3, a1, .LBB0_17
	slli	a3, a3, 2
	lui	a4, 1044480
	add	a3, a3, a4
	lw	a4, 0(a3)
	lw	a5, 0(a2)
	bge	a5, a4, .LBB0_17
	lw	a3, 0(a3)
	sw	a3, 0(a2)
.LBB0_17:
	#APP
	csrr	a3, 4033
	#NO_APP
	#APP
	.insn r 11, 4, 0, zero, zero, a3
	#NO_APP
	li	a3, 7
	blt	a3, a0, .LBB0_21
	addi	a3, a0, 8
	bge	a3, a1, .LBB0_21
	slli	a3, a3, 2
	lui	a4, 1044480
	add	a3, a3, a4
	lw	a4, 0(a3)
	lw	a5, 0(a2)
	bge	a5, a4, .LBB0_21
	lw	a3, 0(a3)
	sw	a3, 0(a2)
.LBB0_21:
	#APP
	csrr	a3, 4033
	#NO_APP
	#APP
	.insn r 11, 4, 0, zero, zero, a3
	#NO_APP
	li	a3, 3
	blt	a3, a0, .LBB0_25
	addi	a3, a0, 4
	bge	a3, a1, .LBB0_25
	slli	a3, a3, 2
	lui	a4, 1044480
	add	a3, a3, a4
	lw	a4, 0(a3)
	lw	a5, 0(a2)
	bge	a5, a4, .LBB0_25
	lw	a3, 0(a3)
	sw	a3, 0(a2)
.LBB0_25:
	#APP
	csrr	a3, 4033
	#NO_APP
	#APP
	.insn r 11, 4, 0, zero, zero, a3
	#NO_APP
	li	a3, 1
	blt	a3, a0, .LBB0_29
	addi	a3, a0, 2
	bge	a3, a1, .LBB0_29
	slli	a3, a3, 2
	lui	a4, 1044480
	add	a3, a3, a4
	lw	a4, 0(a3)
	lw	a5, 0(a2)
	bge	a5, a4, .LBB0_29
	lw	a3, 0(a3)
	sw	a3, 0(a2)
.LBB0_29:
	#APP
	csrr	a3, 4033
	#NO_APP
	#APP
	.insn r 11, 4, 0, zero, zero, a3
	#NO_APP
	blez	a0, .LBB0_31
.LBB0_30:
	ret
.LBB0_31:
	addi	a3, a0, 1
	bge	a3, a1, .LBB0_34
	slli	a1, a3, 2
	lui	a3, 1044480
	add	a1, a1, a3
	lw	a3, 0(a1)
	lw	a4, 0(a2)
	bge	a4, a3, .LBB0_34
	lw	a1, 0(a1)
	sw	a1, 0(a2)
.LBB0_34:
	bnez	a0, .LBB0_30
	lui	a0, 1044480
	lw	a0, 0(a0)
	lui	a1, %hi(result)
	sw	a0, %lo(result)(a1)
	ret
.Lfunc_end0:
	.size	main, .Lfunc_end0-main

	.type	numbers,@object
	.bss
	.globl	numbers
	.p2align	2
numbers:
	.zero	16384
	.size	numbers, 16384

	.type	result,@object
	.section	.sbss,"aw",@nobits
	.globl	result
	.p2align	2
result:
	.word	0
	.size	result, 4

	.section	".note.GNU-stack","",@progbits
