/* The control and status registers of lanes, and what fcsr says (processor.h). */
#include <string.h>

#include "workload/simt/exact_float.h"
#include "workload/simt/processor_parts.h"

enum { FLOAT_FLAG_BITS = 5 /* of fcsr; those of frm lie above */ };

/* fflags, frm and fcsr are parts of one register. */
static uint32_t float_shift(uint32_t number)
{
    return number == CSR_FRM ? FLOAT_FLAG_BITS : 0;
}

static uint32_t float_mask(uint32_t number)
{
    const uint32_t all = 0xff, flags = (1u << FLOAT_FLAG_BITS) - 1;
    return number == CSR_FCSR ? all : number == CSR_FRM ? all & ~flags : flags;
}

/* The value of a control and status register in a lane. */
static bool read_csr(struct simt_block *block, const struct simt_step *step, uint32_t number,
                     unsigned lane, uint32_t *value)
{
    const struct simt_setup *setup = &block->program->setup;
    uint32_t active = 0;
    for (uint32_t i = 0; i < setup->warps; i++)
        active |= (block->warps[i].live != 0) << i;
    switch (number) {
    case CSR_LANE:
        *value = lane;
        break;
    case CSR_WARP:
        *value = step->warp;
        break;
    case CSR_BLOCK:
        *value = block->index;
        break;
    case CSR_WARP_MASK:
        *value = active;
        break;
    case CSR_LANE_MASK:
        *value = step->mask;
        break;
    case CSR_LANES:
        *value = setup->lanes;
        break;
    case CSR_WARPS:
        *value = setup->warps;
        break;
    case CSR_BLOCKS:
        *value = setup->blocks;
        break;
    case CSR_HARTID:
        *value = (block->index * setup->warps + step->warp) * setup->lanes + lane;
        break;
    case CSR_CYCLE:
    case CSR_TIME:
    case CSR_INSTRET:
        *value = (uint32_t)block->issued;
        break;
    case CSR_CYCLEH:
    case CSR_TIMEH:
    case CSR_INSTRETH:
        *value = (uint32_t)(block->issued >> 32);
        break;
    case CSR_FFLAGS:
    case CSR_FRM:
    case CSR_FCSR:
        *value = (block->warps[step->warp].fcsr[lane] & float_mask(number)) >> float_shift(number);
        break;
    case CSR_MSTATUS: /* machine mode, with floating point on */
        *value = 0x80007800;
        break;
    case CSR_MISA: /* RV32IMAFC */
        *value = 0x40001125;
        break;
    case CSR_MIE:
    case CSR_MTVEC:
        *value = 0;
        break;
    default:
        return simt_fault(block, "csr 0x%x is not there", number);
    }
    return true;
}

bool simt_execute_csr(struct simt_block *block, const struct simt_step *step,
                      const struct simt_decoded *decoded, uint32_t values[SIMT_LANES])
{
    struct simt_warp *warp = &block->warps[step->warp];
    const uint32_t number = decoded->imm;
    const bool swaps = decoded->op == SIMT_csrrw || decoded->op == SIMT_csrrwi;
    const bool sets = decoded->op == SIMT_csrrs || decoded->op == SIMT_csrrsi;
    const bool immediate =
        decoded->op == SIMT_csrrwi || decoded->op == SIMT_csrrsi || decoded->op == SIMT_csrrci;
    const bool writes = swaps || decoded->s;
    memset(values, 0, SIMT_LANES * sizeof *values);
    for (uint32_t rest = step->mask; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        if (!read_csr(block, step, number, lane, &values[lane]))
            return false;
        if (!writes)
            continue;
        if (simt_csr_writes(number) == WRITES_IGNORED)
            continue;
        if (!simt_csr_of_floats(number))
            return simt_fault(block, "csr %s cannot be written", simt_csr_name(number));
        const uint32_t operand = immediate ? decoded->s : warp->registers[decoded->s][lane];
        const uint32_t old = values[lane];
        const uint32_t made = swaps ? operand : sets ? old | operand : old & ~operand;
        const uint32_t mask = float_mask(number);
        warp->fcsr[lane] = (warp->fcsr[lane] & ~mask) | (made << float_shift(number) & mask);
    }
    return true;
}

bool simt_execute_float(struct simt_block *block, const struct simt_step *step,
                        const struct simt_decoded *decoded, uint32_t values[SIMT_LANES])
{
    struct simt_warp *warp = &block->warps[step->warp];
    memset(values, 0, SIMT_LANES * sizeof *values);
    for (uint32_t rest = step->mask; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        const uint32_t frm = warp->fcsr[lane] >> FLOAT_FLAG_BITS;
        struct float_control control = {
            .rounding = decoded->rounding == ROUND_DYNAMIC ? frm : decoded->rounding};
        if (control.rounding > ROUND_AWAY)
            return simt_fault(block, "frm is %u, which is no rounding mode", frm);
        values[lane] = exact_float(decoded->op, warp->registers[decoded->s][lane],
                                   warp->registers[decoded->t][lane],
                                   warp->registers[decoded->r][lane], &control);
        warp->fcsr[lane] |= control.flags;
    }
    return true;
}
