# The largest of N numbers: every lane goes through its share, then the lanes halve what is left in
# the shared RAM.
        .equ N, 4096
        .equ SHARED, 0xff000000
        .text
        .globl main
main:
        mv s11, ra
        mv s0, a0               # this lane
        mv s1, a1               # lanes of the block
        la s2, numbers
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
        mv s4, s0
        li s5, 0                # every number is positive
search:
        bge s4, s3, found
        slli t0, s4, 2
        add t0, t0, s2
        lw t1, 0(t0)
        add s4, s4, s1
        ble t1, s5, search
        mv s5, t1
        j search
found:
        li s6, SHARED
        slli t0, s0, 2
        add s6, s6, t0          # this lane's word
        sw s5, 0(s6)
        li s7, 32
halve:
        csrr t0, vx_warps
        vx_bar zero, t0
        bge s0, s7, next        # only the lower half works
        add t0, s0, s7
        bge t0, s1, next        # there is no partner
        slli t1, s7, 2
        add t1, t1, s6
        lw t2, 0(t1)
        lw t3, 0(s6)
        ble t2, t3, next
        sw t2, 0(s6)
next:
        srli s7, s7, 1
        bnez s7, halve
        bnez s0, done
        lw t0, 0(s6)
        la t1, result
        sw t0, 0(t1)
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
result: .space 32
numbers: .space 4 * N
