/* The instructions of the SIMT processor: RV32IMAF and Zicsr, and those of Vortex that handle
 * warps, in the custom-0 space. Compressed instructions are read as those that they abbreviate
 * (compressed.h). The table is the only list of them: the
 * assembler and the disassembler read its operands and bits, the processor its kind and value, and
 * models of time its class.
 *
 * Papers: The RISC-V Instruction Set Manual, volume I (2019). B. Tine et al., "Vortex: Extending
 * the RISC-V ISA for GPGPU and 3D-Graphics", MICRO-54, 2021. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/instructions.h"

/* What the processor does with an instruction. */
enum simt_kind {
    KIND_VALUE,   /* writes its value to the destination */
    KIND_FLOAT,   /* likewise; it rounds by a mode and may raise flags (exact_float.h) */
    KIND_ROUNDED, /* a float whose value knows every static mode, which is `imm` */
    KIND_LOAD,    /* its value is made of `a`, the bytes that it read */
    KIND_STORE,
    KIND_ATOMIC, /* reads `a`, writes its value in its place and `a` to the destination */
    KIND_BRANCH, /* jumps if its value is not 0 */
    KIND_JUMP,   /* jal, jalr: jumps to its value */
    KIND_FENCE,
    KIND_EXIT,  /* ecall */
    KIND_BREAK, /* ebreak */
    KIND_CSR,
    KIND_WARPS /* Vortex */
};

/* X(id, name, operands, match, mask, kind, bytes, class, value).
 *
 * `operands` is written as in binutils: d s t are rd, rs1, rs2; D S T R the same of floating point,
 * with rs3; 0 an offset that is 0 or left out; j a 12-bit immediate, > a shift, o and q the offsets
 * of loads and stores, p and a the targets of branches and of jal, u the upper 20 bits, E a CSR, Z
 * a 5-bit immediate, P and Q the sets of fences, m a rounding mode that may be left out. `bytes` is
 * what a load or store moves. `value` is an expression of the lane's operands a, b and c, of imm
 * and of pc. */
#define SIMT_INSTRUCTION_LIST(X)                                                                   \
    X(lui, "lui", "d,u", 0x37, 0x7f, VALUE, 0, INTEGER, imm)                                       \
    X(auipc, "auipc", "d,u", 0x17, 0x7f, VALUE, 0, INTEGER, pc + imm)                              \
    X(jal, "jal", "d,a", 0x6f, 0x7f, JUMP, 0, BRANCH, pc + imm)                                    \
    X(jalr, "jalr", "d,o(s)", 0x67, 0x707f, JUMP, 0, BRANCH, (a + imm) & ~1u)                      \
    X(beq, "beq", "s,t,p", 0x63, 0x707f, BRANCH, 0, BRANCH, a == b)                                \
    X(bne, "bne", "s,t,p", 0x1063, 0x707f, BRANCH, 0, BRANCH, a != b)                              \
    X(blt, "blt", "s,t,p", 0x4063, 0x707f, BRANCH, 0, BRANCH, (int32_t)a < (int32_t)b)             \
    X(bge, "bge", "s,t,p", 0x5063, 0x707f, BRANCH, 0, BRANCH, (int32_t)a >= (int32_t)b)            \
    X(bltu, "bltu", "s,t,p", 0x6063, 0x707f, BRANCH, 0, BRANCH, a < b)                             \
    X(bgeu, "bgeu", "s,t,p", 0x7063, 0x707f, BRANCH, 0, BRANCH, a >= b)                            \
    X(lb, "lb", "d,o(s)", 0x03, 0x707f, LOAD, 1, MEMORY, (uint32_t)(int8_t)a)                      \
    X(lh, "lh", "d,o(s)", 0x1003, 0x707f, LOAD, 2, MEMORY, (uint32_t)(int16_t)a)                   \
    X(lw, "lw", "d,o(s)", 0x2003, 0x707f, LOAD, 4, MEMORY, a)                                      \
    X(lbu, "lbu", "d,o(s)", 0x4003, 0x707f, LOAD, 1, MEMORY, a)                                    \
    X(lhu, "lhu", "d,o(s)", 0x5003, 0x707f, LOAD, 2, MEMORY, a)                                    \
    X(sb, "sb", "t,q(s)", 0x23, 0x707f, STORE, 1, MEMORY, 0)                                       \
    X(sh, "sh", "t,q(s)", 0x1023, 0x707f, STORE, 2, MEMORY, 0)                                     \
    X(sw, "sw", "t,q(s)", 0x2023, 0x707f, STORE, 4, MEMORY, 0)                                     \
    X(addi, "addi", "d,s,j", 0x13, 0x707f, VALUE, 0, INTEGER, a + imm)                             \
    X(slti, "slti", "d,s,j", 0x2013, 0x707f, VALUE, 0, INTEGER, (int32_t)a < (int32_t)imm)         \
    X(sltiu, "sltiu", "d,s,j", 0x3013, 0x707f, VALUE, 0, INTEGER, a < imm)                         \
    X(xori, "xori", "d,s,j", 0x4013, 0x707f, VALUE, 0, INTEGER, a ^ imm)                           \
    X(ori, "ori", "d,s,j", 0x6013, 0x707f, VALUE, 0, INTEGER, a | imm)                             \
    X(andi, "andi", "d,s,j", 0x7013, 0x707f, VALUE, 0, INTEGER, a &imm)                            \
    X(slli, "slli", "d,s,>", 0x1013, 0xfe00707f, VALUE, 0, INTEGER, a << imm)                      \
    X(srli, "srli", "d,s,>", 0x5013, 0xfe00707f, VALUE, 0, INTEGER, a >> imm)                      \
    X(srai, "srai", "d,s,>", 0x40005013, 0xfe00707f, VALUE, 0, INTEGER,                            \
      (uint32_t)((int32_t)a >> imm))                                                               \
    X(add, "add", "d,s,t", 0x33, 0xfe00707f, VALUE, 0, INTEGER, a + b)                             \
    X(sub, "sub", "d,s,t", 0x40000033, 0xfe00707f, VALUE, 0, INTEGER, a - b)                       \
    X(sll, "sll", "d,s,t", 0x1033, 0xfe00707f, VALUE, 0, INTEGER, a << (b & 31))                   \
    X(slt, "slt", "d,s,t", 0x2033, 0xfe00707f, VALUE, 0, INTEGER, (int32_t)a < (int32_t)b)         \
    X(sltu, "sltu", "d,s,t", 0x3033, 0xfe00707f, VALUE, 0, INTEGER, a < b)                         \
    X(xor, "xor", "d,s,t", 0x4033, 0xfe00707f, VALUE, 0, INTEGER, a ^ b)                           \
    X(srl, "srl", "d,s,t", 0x5033, 0xfe00707f, VALUE, 0, INTEGER, a >> (b & 31))                   \
    X(sra, "sra", "d,s,t", 0x40005033, 0xfe00707f, VALUE, 0, INTEGER,                              \
      (uint32_t)((int32_t)a >> (b & 31)))                                                          \
    X(or, "or", "d,s,t", 0x6033, 0xfe00707f, VALUE, 0, INTEGER, a | b)                             \
    X(and, "and", "d,s,t", 0x7033, 0xfe00707f, VALUE, 0, INTEGER, a &b)                            \
    X(fence, "fence", "P,Q", 0x0f, 0xf00fffff, FENCE, 0, MEMORY, 0)                                \
    X(fence_i, "fence.i", "", 0x100f, 0xffffffff, FENCE, 0, CONTROL, 0)                            \
    X(ecall, "ecall", "", 0x73, 0xffffffff, EXIT, 0, CONTROL, 0)                                   \
    X(ebreak, "ebreak", "", 0x100073, 0xffffffff, BREAK, 0, CONTROL, 0)                            \
    X(csrrw, "csrrw", "d,E,s", 0x1073, 0x707f, CSR, 0, INTEGER, 0)                                 \
    X(csrrs, "csrrs", "d,E,s", 0x2073, 0x707f, CSR, 0, INTEGER, 0)                                 \
    X(csrrc, "csrrc", "d,E,s", 0x3073, 0x707f, CSR, 0, INTEGER, 0)                                 \
    X(csrrwi, "csrrwi", "d,E,Z", 0x5073, 0x707f, CSR, 0, INTEGER, 0)                               \
    X(csrrsi, "csrrsi", "d,E,Z", 0x6073, 0x707f, CSR, 0, INTEGER, 0)                               \
    X(csrrci, "csrrci", "d,E,Z", 0x7073, 0x707f, CSR, 0, INTEGER, 0)                               \
    X(mul, "mul", "d,s,t", 0x2000033, 0xfe00707f, VALUE, 0, INTEGER, a *b)                         \
    X(mulh, "mulh", "d,s,t", 0x2001033, 0xfe00707f, VALUE, 0, INTEGER,                             \
      (uint32_t)(((int64_t)(int32_t)a * (int32_t)b) >> 32))                                        \
    X(mulhsu, "mulhsu", "d,s,t", 0x2002033, 0xfe00707f, VALUE, 0, INTEGER,                         \
      (uint32_t)(((int64_t)(int32_t)a * (int64_t)b) >> 32))                                        \
    X(mulhu, "mulhu", "d,s,t", 0x2003033, 0xfe00707f, VALUE, 0, INTEGER,                           \
      (uint32_t)(((uint64_t)a * b) >> 32))                                                         \
    X(div, "div", "d,s,t", 0x2004033, 0xfe00707f, VALUE, 0, SPECIAL, divide(a, b))                 \
    X(divu, "divu", "d,s,t", 0x2005033, 0xfe00707f, VALUE, 0, SPECIAL, b ? a / b : ~0u)            \
    X(rem, "rem", "d,s,t", 0x2006033, 0xfe00707f, VALUE, 0, SPECIAL, remainder_of(a, b))           \
    X(remu, "remu", "d,s,t", 0x2007033, 0xfe00707f, VALUE, 0, SPECIAL, b ? a % b : a)              \
    X(lr_w, "lr.w", "d,0(s)", 0x1000202f, 0xf9f0707f, ATOMIC, 4, MEMORY, a)                        \
    X(sc_w, "sc.w", "d,t,0(s)", 0x1800202f, 0xf800707f, ATOMIC, 4, MEMORY, b)                      \
    X(amoswap_w, "amoswap.w", "d,t,0(s)", 0x800202f, 0xf800707f, ATOMIC, 4, MEMORY, b)             \
    X(amoadd_w, "amoadd.w", "d,t,0(s)", 0x202f, 0xf800707f, ATOMIC, 4, MEMORY, a + b)              \
    X(amoxor_w, "amoxor.w", "d,t,0(s)", 0x2000202f, 0xf800707f, ATOMIC, 4, MEMORY, a ^ b)          \
    X(amoand_w, "amoand.w", "d,t,0(s)", 0x6000202f, 0xf800707f, ATOMIC, 4, MEMORY, a &b)           \
    X(amoor_w, "amoor.w", "d,t,0(s)", 0x4000202f, 0xf800707f, ATOMIC, 4, MEMORY, a | b)            \
    X(amomin_w, "amomin.w", "d,t,0(s)", 0x8000202f, 0xf800707f, ATOMIC, 4, MEMORY,                 \
      (int32_t)a < (int32_t)b ? a : b)                                                             \
    X(amomax_w, "amomax.w", "d,t,0(s)", 0xa000202f, 0xf800707f, ATOMIC, 4, MEMORY,                 \
      (int32_t)a > (int32_t)b ? a : b)                                                             \
    X(amominu_w, "amominu.w", "d,t,0(s)", 0xc000202f, 0xf800707f, ATOMIC, 4, MEMORY,               \
      a < b ? a : b)                                                                               \
    X(amomaxu_w, "amomaxu.w", "d,t,0(s)", 0xe000202f, 0xf800707f, ATOMIC, 4, MEMORY,               \
      a > b ? a : b)                                                                               \
    X(flw, "flw", "D,o(s)", 0x2007, 0x707f, LOAD, 4, MEMORY, a)                                    \
    X(fsw, "fsw", "T,q(s)", 0x2027, 0x707f, STORE, 4, MEMORY, 0)                                   \
    X(fmadd_s, "fmadd.s", "D,S,T,R,m", 0x43, 0x600007f, FLOAT, 0, SINGLE, fused(a, b, c))          \
    X(fmsub_s, "fmsub.s", "D,S,T,R,m", 0x47, 0x600007f, FLOAT, 0, SINGLE,                          \
      fused(a, b, c ^ FLOAT_SIGN))                                                                 \
    X(fnmsub_s, "fnmsub.s", "D,S,T,R,m", 0x4b, 0x600007f, FLOAT, 0, SINGLE,                        \
      fused(a ^ FLOAT_SIGN, b, c))                                                                 \
    X(fnmadd_s, "fnmadd.s", "D,S,T,R,m", 0x4f, 0x600007f, FLOAT, 0, SINGLE,                        \
      fused(a ^ FLOAT_SIGN, b, c ^ FLOAT_SIGN))                                                    \
    X(fadd_s, "fadd.s", "D,S,T,m", 0x53, 0xfe00007f, FLOAT, 0, SINGLE,                             \
      float_bits(float_of(a) + float_of(b)))                                                       \
    X(fsub_s, "fsub.s", "D,S,T,m", 0x8000053, 0xfe00007f, FLOAT, 0, SINGLE,                        \
      float_bits(float_of(a) - float_of(b)))                                                       \
    X(fmul_s, "fmul.s", "D,S,T,m", 0x10000053, 0xfe00007f, FLOAT, 0, SINGLE,                       \
      float_bits(float_of(a) * float_of(b)))                                                       \
    X(fdiv_s, "fdiv.s", "D,S,T,m", 0x18000053, 0xfe00007f, FLOAT, 0, SPECIAL,                      \
      float_bits(float_of(a) / float_of(b)))                                                       \
    X(fsqrt_s, "fsqrt.s", "D,S,m", 0x58000053, 0xfff0007f, FLOAT, 0, SPECIAL,                      \
      float_bits(sqrtf(float_of(a))))                                                              \
    X(fsgnj_s, "fsgnj.s", "D,S,T", 0x20000053, 0xfe00707f, VALUE, 0, SINGLE,                       \
      (a & ~FLOAT_SIGN) | (b & FLOAT_SIGN))                                                        \
    X(fsgnjn_s, "fsgnjn.s", "D,S,T", 0x20001053, 0xfe00707f, VALUE, 0, SINGLE,                     \
      (a & ~FLOAT_SIGN) | (~b & FLOAT_SIGN))                                                       \
    X(fsgnjx_s, "fsgnjx.s", "D,S,T", 0x20002053, 0xfe00707f, VALUE, 0, SINGLE,                     \
      a ^ (b & FLOAT_SIGN))                                                                        \
    X(fmin_s, "fmin.s", "D,S,T", 0x28000053, 0xfe00707f, FLOAT, 0, SINGLE, least(a, b))            \
    X(fmax_s, "fmax.s", "D,S,T", 0x28001053, 0xfe00707f, FLOAT, 0, SINGLE, most(a, b))             \
    X(fcvt_w_s, "fcvt.w.s", "d,S,m", 0xc0000053, 0xfff0007f, ROUNDED, 0, SINGLE,                   \
      to_signed(a, imm))                                                                           \
    X(fcvt_wu_s, "fcvt.wu.s", "d,S,m", 0xc0100053, 0xfff0007f, ROUNDED, 0, SINGLE,                 \
      to_unsigned(a, imm))                                                                         \
    X(fmv_x_w, "fmv.x.w", "d,S", 0xe0000053, 0xfff0707f, VALUE, 0, INTEGER, a)                     \
    X(feq_s, "feq.s", "d,S,T", 0xa0002053, 0xfe00707f, FLOAT, 0, SINGLE,                           \
      float_of(a) == float_of(b))                                                                  \
    X(flt_s, "flt.s", "d,S,T", 0xa0001053, 0xfe00707f, FLOAT, 0, SINGLE,                           \
      float_of(a) < float_of(b))                                                                   \
    X(fle_s, "fle.s", "d,S,T", 0xa0000053, 0xfe00707f, FLOAT, 0, SINGLE,                           \
      float_of(a) <= float_of(b))                                                                  \
    X(fclass_s, "fclass.s", "d,S", 0xe0001053, 0xfff0707f, VALUE, 0, SINGLE, class_of(a))          \
    X(fcvt_s_w, "fcvt.s.w", "D,s,m", 0xd0000053, 0xfff0007f, FLOAT, 0, SINGLE,                     \
      float_bits((float)(int32_t)a))                                                               \
    X(fcvt_s_wu, "fcvt.s.wu", "D,s,m", 0xd0100053, 0xfff0007f, FLOAT, 0, SINGLE,                   \
      float_bits((float)a))                                                                        \
    X(fmv_w_x, "fmv.w.x", "D,s", 0xf0000053, 0xfff0707f, VALUE, 0, INTEGER, a)                     \
    X(vx_tmc, "vx_tmc", "s", 0x0b, 0xfff07fff, WARPS, 0, BRANCH, 0)                                \
    X(vx_wspawn, "vx_wspawn", "s,t", 0x100b, 0xfe007fff, WARPS, 0, BRANCH, 0)                      \
    X(vx_split, "vx_split", "d,s", 0x200b, 0xfff0707f, WARPS, 0, BRANCH, 0)                        \
    X(vx_split_n, "vx_split_n", "d,s", 0x10200b, 0xfff0707f, WARPS, 0, BRANCH, 0)                  \
    X(vx_join, "vx_join", "s", 0x300b, 0xfff07fff, WARPS, 0, BRANCH, 0)                            \
    X(vx_bar, "vx_bar", "s,t", 0x400b, 0xfe007fff, WARPS, 0, CONTROL, 0)                           \
    X(vx_pred, "vx_pred", "s,t", 0x500b, 0xfe007fff, WARPS, 0, BRANCH, 0)                          \
    X(vx_pred_n, "vx_pred_n", "s,t", 0x508b, 0xfe007fff, WARPS, 0, BRANCH, 0)

#define SIMT_ENUMERATOR(id, name, operands, match, mask, kind, bytes, class, value) SIMT_##id,
enum simt_op { SIMT_INSTRUCTION_LIST(SIMT_ENUMERATOR) SIMT_OP_COUNT };
#undef SIMT_ENUMERATOR

struct simt_instruction {
    const char *name, *operands;
    uint32_t match, mask;
    uint8_t kind, bytes, class;
};
extern const struct simt_instruction simt_instructions[SIMT_OP_COUNT];

/* Registers: x0 to x31, then f0 to f31. */
enum { SIMT_REGISTERS = 64, SIMT_FLOATS = 32 };
extern const char *const simt_registers[SIMT_REGISTERS]; /* "zero", "ra", ..., "ft11" */

/* The number of a register by either name ("x10", "a0", "fp"), or -1. */
int simt_register(const char *name, size_t length);

/* Rounding modes, and the one that stands for the mode of frm. */
enum {
    ROUND_NEAREST,
    ROUND_ZERO,
    ROUND_DOWN,
    ROUND_UP,
    ROUND_AWAY, /* to nearest, halves away from zero */
    ROUND_DYNAMIC = 7
};
extern const char *const simt_roundings[8]; /* "rne", ..., "dyn"; NULL: reserved */

/* Control and status registers, by number and name: those that the processor has, and what a write
 * does. Of those of machine mode there are the ones that C libraries set up before they call main.
 */
enum simt_csr_writes { WRITES_FAULT, WRITES_KEPT, WRITES_IGNORED };
#define SIMT_CSR_LIST(X)                                                                           \
    X(CSR_FFLAGS, "fflags", 0x001, KEPT)                                                           \
    X(CSR_FRM, "frm", 0x002, KEPT)                                                                 \
    X(CSR_FCSR, "fcsr", 0x003, KEPT)                                                               \
    X(CSR_MSTATUS, "mstatus", 0x300, IGNORED)                                                      \
    X(CSR_MISA, "misa", 0x301, IGNORED)                                                            \
    X(CSR_MIE, "mie", 0x304, IGNORED)                                                              \
    X(CSR_MTVEC, "mtvec", 0x305, IGNORED)                                                          \
    X(CSR_CYCLE, "cycle", 0xc00, FAULT)                                                            \
    X(CSR_TIME, "time", 0xc01, FAULT)                                                              \
    X(CSR_INSTRET, "instret", 0xc02, FAULT)                                                        \
    X(CSR_CYCLEH, "cycleh", 0xc80, FAULT)                                                          \
    X(CSR_TIMEH, "timeh", 0xc81, FAULT)                                                            \
    X(CSR_INSTRETH, "instreth", 0xc82, FAULT)                                                      \
    X(CSR_LANE, "vx_lane", 0xcc0, FAULT)                                                           \
    X(CSR_WARP, "vx_warp", 0xcc1, FAULT)                                                           \
    X(CSR_BLOCK, "vx_block", 0xcc2, FAULT)                                                         \
    X(CSR_WARP_MASK, "vx_warp_mask", 0xcc3, FAULT)                                                 \
    X(CSR_LANE_MASK, "vx_lane_mask", 0xcc4, FAULT)                                                 \
    X(CSR_HARTID, "mhartid", 0xf14, FAULT)                                                         \
    X(CSR_LANES, "vx_lanes", 0xfc0, FAULT)                                                         \
    X(CSR_WARPS, "vx_warps", 0xfc1, FAULT)                                                         \
    X(CSR_BLOCKS, "vx_blocks", 0xfc2, FAULT)
#define SIMT_CSR(id, name, number, writes) id = (number),
enum simt_csr { SIMT_CSR_LIST(SIMT_CSR) };
#undef SIMT_CSR
int simt_csr_find(const char *name, size_t length);    /* -1: none */
const char *simt_csr_name(uint32_t number);            /* NULL: none */
enum simt_csr_writes simt_csr_writes(uint32_t number); /* FAULT: none, too */
/* Whether a number is that of fflags, frm or fcsr. */
static inline bool simt_csr_of_floats(uint32_t number)
{
    return number >= CSR_FFLAGS && number <= CSR_FCSR;
}

/* What orders the accesses around an atomic: ".rl" and ".aq" after its name. */
enum { SIMT_RELEASE = 1, SIMT_ACQUIRE = 2 };
extern const char *const simt_orders[4]; /* "", ".rl", ".aq", ".aqrl" */

/* One instruction taken apart. */
struct simt_decoded {
    uint8_t op;              /* enum simt_op, or SIMT_OP_COUNT: no instruction */
    uint8_t bytes, kind;     /* of its row */
    uint8_t d, s, t, r;      /* as operands say; x0 if it has no such operand */
    uint8_t size;            /* bytes that it takes: 4, 2 if it was compressed; set by processors */
    uint8_t rounding, order; /* of atomics: SIMT_ACQUIRE, SIMT_RELEASE */
    uint32_t imm;            /* sign-extended */
    /* Set by processors. It reads and changes nothing but its warp, ends no lane and is no fault.
     */
    bool alone;
    bool exact;     /* its rounding mode or its flags matter, so the host does not compute it */
    bool plain;     /* alone, and the host computes it: no more than its row is needed */
    uint8_t places; /* from here to the next one (image.h) */
};
struct simt_decoded simt_decode(uint32_t word);

/* What a warp waits for and which pipe it takes, for models of time. */
void simt_describe(const struct simt_decoded *decoded, uint32_t pc, struct instruction *row);

/* What follows a control transfer: calls write ra (x1) or t0 (x5), returns jump to one of them. */
enum simt_transfer { TRANSFER_NONE, TRANSFER_JUMP, TRANSFER_CALL, TRANSFER_RETURN };
enum simt_transfer simt_transfer(const struct simt_decoded *decoded);
