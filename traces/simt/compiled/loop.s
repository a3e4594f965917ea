	.text
	.attribute	4, 16
	.attribute	5, "rv32i2p0_m2p0_f2p0"
	.file	"loop.c"
	.globl	main
	.p2align	2
	.type	main,@function
main:
	addi	sp, sp, -16
	sw	zero, 12(sp)
	li	a1, 1000
.LBB0_1:
	lw	a2, 12(sp)
	add	a2, a1, a2
	addi	a1, a1, -1
	sw	a2, 12(sp)
	bnez	a1, .LBB0_1
	lw	a1, 12(sp)
	lui	a2, %hi(result)
	addi	a2, a2, %lo(result)
	slli	a0, a0, 2
	add	a0, a0, a2
	sw	a1, 0(a0)
	addi	sp, sp, 16
	ret
.Lfunc_end0:
	.size	main, .Lfunc_end0-main

	.type	result,@object
	.bss
	.globl	result
	.p2align	2
result:
	.zero	256
	.size	result, 256

	.section	".note.GNU-stack","",@progbits
