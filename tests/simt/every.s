# Every instruction and pseudo-instruction once; only its bytes are compared.
        .equ SIZE, 12
        .equ MASK, (1 << 5) - 1
        .globl main
        .text
main:
        lui a0, 0xfffff
        auipc t6, 1
        jal ra, main
        jal main
        jalr a0, 4(a1)
        jalr a2
        beq a0, a1, main
        bne s0, s1, 1f
        blt x0, x31, 1f
        bge a0, zero, main
        bltu t0, t1, 1f
1:      bgeu t0, t1, 1b
        lb a0, -1(sp)
        lh a1, 2(sp)
        lw a2, 2047(sp)
        lbu a3, -2048(sp)
        lhu a4, (sp)
        sb a0, -1(sp)
        sh a1, 2(sp)
        sw a2, 2047(sp)
        addi a0, a1, -2048
        slti a0, a1, 5
        sltiu a0, a1, 5
        xori a0, a1, -1
        ori a0, a1, MASK
        andi a0, a1, 0x7f
        slli a0, a1, 31
        srli a0, a1, 1
        srai a0, a1, 2
        add a0, a1, a2
        sub a0, a1, a2
        sll a0, a1, a2
        slt a0, a1, a2
        sltu a0, a1, a2
        xor a0, a1, a2
        srl a0, a1, a2
        sra a0, a1, a2
        or a0, a1, a2
        and a0, a1, a2
        fence
        fence rw, w
        fence.i
        ecall
        ebreak
        csrrw a0, fcsr, a1
        csrrs a0, cycle, zero
        csrrc a0, 0x300, a1
        csrrwi a0, frm, 7
        csrrsi a0, fflags, 31
        csrrci a0, mhartid, 0
        csrr t0, vx_lane
        csrw frm, t0
        csrs fcsr, t0
        csrc fcsr, t0
        csrwi fcsr, 1
        csrsi fcsr, 1
        csrci fcsr, 1
        rdcycle a0
        rdinstret a0
        rdtime a0
        rdcycleh a0
        frcsr a0
        fscsr a0, a1
        fscsr a0
        frrm a0
        fsrm a0, a1
        fsrm a0
        fsrmi a0, 3
        fsrmi 3
        frflags a0
        fsflags a0, a1
        fsflags zero
        fsflagsi a0, 31
        fsflagsi 31
        fmv.x.s a0, fa0
        fmv.s.x fa0, a0
        mul a0, a1, a2
        mulh a0, a1, a2
        mulhsu a0, a1, a2
        mulhu a0, a1, a2
        div a0, a1, a2
        divu a0, a1, a2
        rem a0, a1, a2
        remu a0, a1, a2
        lr.w a0, (a1)
        lr.w.aq a0, 0(a1)
        sc.w a0, a1, (a2)
        sc.w.rl a0, a1, (a2)
        amoswap.w a0, a1, (a2)
        amoadd.w.aqrl a0, a1, 0(a2)
        amoxor.w a0, a1, (a2)
        amoand.w.aq zero, a1, (a2)
        amoor.w t6, t5, (t4)
        amomin.w.rl a0, a1, (a2)
        amomax.w a0, a1, (a2)
        amominu.w a0, a1, (a2)
        amomaxu.w a0, zero, (a2)
        flw fa0, 4(a0)
        fsw ft11, -4(a0)
        fmadd.s fa0, fa1, fa2, fa3
        fmsub.s fa0, fa1, fa2, fa3, rne
        fnmsub.s fs0, fs1, fs2, fs3, rtz
        fnmadd.s ft0, ft1, ft2, ft3, dyn
        fadd.s fa0, fa1, fa2
        fsub.s fa0, fa1, fa2, rup
        fmul.s fa0, fa1, fa2
        fdiv.s fa0, fa1, fa2
        fsqrt.s fa0, fa1
        fsgnj.s fa0, fa1, fa2
        fsgnjn.s fa0, fa1, fa2
        fsgnjx.s fa0, fa1, fa2
        fmin.s fa0, fa1, fa2
        fmax.s fa0, fa1, fa2
        fcvt.w.s a0, fa0, rtz
        fcvt.wu.s a0, fa0
        fmv.x.w a0, fa0
        feq.s a0, fa0, fa1
        flt.s a0, fa0, fa1
        fle.s a0, fa0, fa1
        fclass.s a0, fa0
        fcvt.s.w fa0, a0
        fcvt.s.wu fa0, a0, rdn
        fmv.w.x fa0, a0
        vx_tmc a0
        vx_wspawn a0, a1
        vx_split a0, a1
        vx_split_n a0, a1
        vx_join a0
        vx_bar a0, a1
        vx_pred a0, a1
        vx_pred_n a0, a1
        nop
        mv a0, a1
        not a0, a1
        neg a0, a1
        seqz a0, a1
        snez a0, a1
        sltz a0, a1
        sgtz a0, a1
        sgt a0, a1, a2
        sgtu a0, a1, a2
        beqz a0, main
        bnez a0, main
        blez a0, main
        bgez a0, main
        bltz a0, main
        bgtz a0, main
        bgt a0, a1, main
        ble a0, a1, main
        bgtu a0, a1, main
        bleu a0, a1, main
        j main
        jr a0
        ret
        call main
        tail main
        la a0, words
        lla a1, main
        li a0, 0
        li a0, -2048
        li a0, 2047
        li a0, 2048
        li a0, 0x12345678
        li a0, 0xfffff000
        li a0, -1
        li a0, 0xffffffff
        li a0, 'A'
        li a0, SIZE * 3 - (MASK | 64)
        fmv.s fa0, fa1
        fabs.s fa0, fa1
        fneg.s fa0, fa1
        fgt.s a0, fa0, fa1
        fge.s a0, fa0, fa1
        lui a0, %hi(words)
        lw a1, %lo(words)(a0)
        sw a1, %lo(words + 4)(a0)
        addi a0, a0, %lo(words)
        .balign 8
behind: nop
        nop

        .data
words:  .word 1, -1, 0xdeadbeef, main, words + 4
        .half 1, -2, 65535
        .byte 255, -128, 'x', '\n'
        .align 3
        .float 1.5, -0.1, 1e10
        .ascii "no end"
        .asciz "an end; # no comment\n"
        .space SIZE, 7
        .balign 8
        .set LATER, . - words
        .word LATER
