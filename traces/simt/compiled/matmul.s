	.text
	.attribute	4, 16
	.attribute	5, "rv32i2p0_m2p0_f2p0"
	.file	"matmul.c"
	.globl	main
	.p2align	2
	.type	main,@function
main:
	li	a2, 15
	blt	a2, a0, .LBB0_7
	lui	a2, %hi(a)
	addi	a2, a2, %lo(a)
	slli	a6, a0, 2
	add	a3, a6, a2
	slli	a2, a1, 2
	lui	a4, %hi(start)
	addi	a4, a4, %lo(start)
	li	a5, 16
	mv	a7, a0
.LBB0_2:
	srai	t0, a7, 31
	srli	t0, t0, 28
	add	t0, a7, t0
	andi	t0, t0, -16
	sub	t0, a7, t0
	slli	t0, t0, 2
	add	t0, t0, a4
	lw	t0, 0(t0)
	sw	t0, 0(a3)
	add	a7, a7, a1
	add	a3, a3, a2
	blt	a7, a5, .LBB0_2
	#APP
	csrr	a3, 4033
	#NO_APP
	#APP
	.insn r 11, 4, 0, zero, zero, a3
	#NO_APP
	li	a3, 15
	blt	a3, a0, .LBB0_6
	lui	a3, %hi(a)
	addi	a3, a3, %lo(a)
	slli	a4, a0, 4
	add	a4, a4, a3
	slli	a5, a1, 4
	lui	a7, %hi(result)
	addi	a7, a7, %lo(result)
	add	a6, a6, a7
	li	a7, 16
.LBB0_5:
	srai	t0, a0, 31
	srli	t0, t0, 30
	add	t0, a0, t0
	srai	t0, t0, 2
	slli	t1, t0, 4
	add	t1, t1, a3
	lw	t2, 0(t1)
	slli	t0, t0, 6
	sub	t0, a4, t0
	lw	t3, 0(t0)
	lw	t4, 4(t1)
	lw	t5, 4(t0)
	mul	t2, t3, t2
	mul	t3, t5, t4
	lw	t4, 8(t1)
	lw	t5, 8(t0)
	lw	t1, 12(t1)
	lw	t0, 12(t0)
	add	t2, t3, t2
	mul	t3, t5, t4
	add	t2, t3, t2
	mul	t0, t0, t1
	add	t0, t0, t2
	sw	t0, 0(a6)
	add	a0, a0, a1
	add	a4, a4, a5
	add	a6, a6, a2
	blt	a0, a7, .LBB0_5
.LBB0_6:
	ret
.LBB0_7:
	#APP
	csrr	a0, 4033
	#NO_APP
	#APP
	.insn r 11, 4, 0, zero, zero, a0
	#NO_APP
	ret
.Lfunc_end0:
	.size	main, .Lfunc_end0-main

	.type	start,@object
	.section	.rodata,"a",@progbits
	.p2align	2
start:
	.word	1
	.word	2
	.word	3
	.word	4
	.word	5
	.word	6
	.word	7
	.word	8
	.word	1
	.word	3
	.word	5
	.word	7
	.word	2
	.word	4
	.word	6
	.word	8
	.size	start, 64

	.type	a,@object
	.bss
	.globl	a
	.p2align	2
a:
	.zero	64
	.size	a, 64

	.type	result,@object
	.globl	result
	.p2align	2
result:
	.zero	64
	.size	result, 64

	.section	".note.GNU-stack","",@progbits
