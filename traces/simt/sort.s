# A bitonic network that sorts N numbers; N is a power of two. Lanes exchange pairs, and all warps
# meet at a barrier behind every step.
        .equ N, 256
        .text
        .globl main
main:
        mv s11, ra
        mv s0, a0
        mv s1, a1
        la s2, result
        li s3, N
        mv s4, s0
fill:
        bge s4, s3, filled
        mv a0, s4
        call number
        slli t0, s4, 2
        add t0, t0, s2
        sw a0, 0(t0)
        add s4, s4, s1
        j fill
filled:
        li s5, 2                # length of the sequences that are made
        bgt s5, s3, done
merge:
        srli s6, s5, 1          # distance of a pair
step:
        csrr t0, vx_warps
        vx_bar zero, t0
        mv s4, s0
pair:
        bge s4, s3, paired
        xor t0, s4, s6
        ble t0, s4, skip        # the lower one does the work
        slli t1, s4, 2
        add t1, t1, s2
        slli t2, t0, 2
        add t2, t2, s2
        lw t3, 0(t1)
        lw t4, 0(t2)
        and t5, s4, s5
        bnez t5, down
        ble t3, t4, skip
        j swap
down:
        bge t3, t4, skip
swap:
        sw t4, 0(t1)
        sw t3, 0(t2)
skip:
        add s4, s4, s1
        j pair
paired:
        srli s6, s6, 1
        bnez s6, step
        slli s5, s5, 1
        ble s5, s3, merge
done:
        mv ra, s11
        ret

# The number at index a0, from 0 to 32767.
number:
        li t6, 1103515245
        mul a0, a0, t6
        li t6, 12345
        add a0, a0, t6
        slli a0, a0, 1
        srli a0, a0, 17
        ret

        .data
        .align 5
result: .space 4 * N
