#include "trace/accelsim_opcode.h"

#include <string.h>

/* Stems that only compute, or whose accesses are not modelled. */
static const struct {
    enum instruction_class class;
    const char *stems;
} computing[] = {
    {CLASS_SINGLE, "FADD FADD32I FCHK FCMP FFMA FFMA32I FMNMX FMNMX3 FMUL FMUL32I FSEL "
                   "FSET FSETP FSWZ FSWZADD RRO"},
    {CLASS_HALF, "HADD2 HADD2_32I HFMA2 HFMA2_32I HMNMX2 HMUL2 HMUL2_32I HSET2 HSETP2"},
    {CLASS_DOUBLE, "DADD DFMA DMNMX DMUL DSET DSETP"},
    {CLASS_SPECIAL, "MUFU"},
    {CLASS_TENSOR, "BMMA DMMA HMMA IMMA QMMA BGMMA HGMMA IGMMA QGMMA"},
    {CLASS_BRANCH, "BMOV BPT BRA BREAK BRK BRX BRXU BSSY BSYNC CAL CALL CONT JCAL JMP JMX "
                   "JMXU KIL KILL NANOSLEEP PBK PCNT PRET RET RPCMOV RTT SSY SYNC WARPSYNC "
                   "YIELD"},
    {CLASS_UNIFORM, "R2UR REDUX S2UR VOTEU"},
    {CLASS_TEXTURE, "TEX TEXS TLD TLD4 TLD4S TLDS TMML TXD TXQ"},
    {CLASS_INTEGER, "B2R BFE BFI BMSK BREV CCTLT CS2R CSET CSETP CSMTEST ERRBAR F2F F2FP "
                    "F2I F2IP FLO FRND GETLMEMBASE I2F I2FP I2I I2IP IABS IADD IADD3 "
                    "IADD32I ICMP IDP IDP4A IMAD IMAD32I IMADSP IMNMX IMUL IMUL32I ISAD "
                    "ISCADD ISCADD32I ISET ISETP ISUB LEA LEPC LOP LOP3 LOP32I MATCH MOV "
                    "MOV32I MOVM NOP P2R PLOP3 PMTRIG POPC PRMT PSET PSETP QSPC R2B R2P S2R "
                    "SEL SETCTAID SETLMEMBASE SGXT SHF SHFL SHL SHR SUATOM SULD SUQUERY "
                    "SURED SUST VABSDIFF VABSDIFF4 VIADD VIADDMNMX VIMNMX VIMNMX3 VOTE "
                    "VOTE_VTG XMAD"},
};

enum {
    SHARED_LOAD = INSTRUCTION_LOAD | INSTRUCTION_SHARED,
    SHARED_STORE = INSTRUCTION_STORE | INSTRUCTION_SHARED,
    SHARED_ATOMIC = INSTRUCTION_ATOMIC | INSTRUCTION_SHARED
};

/* All other stems. */
static const struct opcode opcodes[] = {
    {"LDC", CLASS_INTEGER, ACTION_NONE, 0, AT_NOTHING, OP_LOAD},
    {"LDCU", CLASS_INTEGER, ACTION_NONE, 0, AT_NOTHING, OP_LOAD},
    {"CCTL", CLASS_INTEGER, ACTION_NONE, 0, AT_NOTHING, OP_LOAD},
    {"CCTLL", CLASS_INTEGER, ACTION_NONE, 0, AT_NOTHING, OP_LOAD},
    {"ULDC", CLASS_UNIFORM, ACTION_NONE, 0, AT_NOTHING, OP_LOAD},
    {"BAR", CLASS_CONTROL, ACTION_BARRIER, 0, AT_UNKNOWN, OP_LOAD},
    {"EXIT", CLASS_CONTROL, ACTION_EXIT, 0, AT_UNKNOWN, OP_LOAD},
    {"DEPBAR", CLASS_CONTROL, ACTION_WAIT, 0, AT_UNKNOWN, OP_LOAD},
    {"LDGDEPBAR", CLASS_CONTROL, ACTION_COMMIT, 0, AT_UNKNOWN, OP_LOAD},
    {"MEMBAR", CLASS_MEMORY, ACTION_FENCE, 0, AT_UNKNOWN, OP_LOAD},
    {"FENCE", CLASS_MEMORY, ACTION_FENCE, 0, AT_UNKNOWN, OP_LOAD},
    {"LD", CLASS_MEMORY, ACTION_NONE, INSTRUCTION_LOAD, AT_GENERIC, OP_LOAD},
    {"LDG", CLASS_MEMORY, ACTION_NONE, INSTRUCTION_LOAD, AT_GLOBAL, OP_LOAD},
    {"LDGSTS", CLASS_MEMORY, ACTION_NONE, INSTRUCTION_COPY, AT_GLOBAL, OP_LOAD},
    {"LDL", CLASS_MEMORY, ACTION_NONE, INSTRUCTION_LOAD, AT_LOCAL, OP_LOAD},
    {"LDS", CLASS_MEMORY, ACTION_NONE, SHARED_LOAD, AT_SHARED, OP_LOAD},
    {"LDSM", CLASS_MEMORY, ACTION_NONE, SHARED_LOAD, AT_SHARED, OP_LOAD},
    {"ST", CLASS_MEMORY, ACTION_NONE, INSTRUCTION_STORE, AT_GENERIC, OP_STORE},
    {"STG", CLASS_MEMORY, ACTION_NONE, INSTRUCTION_STORE, AT_GLOBAL, OP_STORE},
    {"STL", CLASS_MEMORY, ACTION_NONE, INSTRUCTION_STORE, AT_LOCAL, OP_STORE},
    {"STS", CLASS_MEMORY, ACTION_NONE, SHARED_STORE, AT_SHARED, OP_STORE},
    {"STSM", CLASS_MEMORY, ACTION_NONE, SHARED_STORE, AT_SHARED, OP_STORE},
    {"ATOM", CLASS_MEMORY, ACTION_NONE, INSTRUCTION_ATOMIC, AT_GENERIC, OP_ATOMIC},
    {"ATOMG", CLASS_MEMORY, ACTION_NONE, INSTRUCTION_ATOMIC, AT_GLOBAL, OP_ATOMIC},
    {"ATOMS", CLASS_MEMORY, ACTION_NONE, SHARED_ATOMIC, AT_SHARED, OP_ATOMIC},
    {"RED", CLASS_MEMORY, ACTION_NONE, INSTRUCTION_ATOMIC, AT_GLOBAL, OP_ATOMIC},
    {"REDG", CLASS_MEMORY, ACTION_NONE, INSTRUCTION_ATOMIC, AT_GLOBAL, OP_ATOMIC},
    {"REDS", CLASS_MEMORY, ACTION_NONE, SHARED_ATOMIC, AT_SHARED, OP_ATOMIC},
};

/* Whether a list of words has this one. */
static bool list_has(const char *list, const char *word, size_t length)
{
    for (const char *at = list; *at; at += *at == ' ') {
        size_t size = strcspn(at, " ");
        if (size == length && !memcmp(at, word, length))
            return true;
        at += size;
    }
    return false;
}

/* Whether an atomic's opcode names floating-point numbers: F16x2, F32, F64, BF16. */
static bool is_floating(const char *opcode, size_t length)
{
    for (size_t i = 0; i + 3 < length; i++) {
        const char *part = opcode + i + 1 + (opcode[i + 1] == 'B');
        if (opcode[i] == '.' && part[0] == 'F' && part[1] >= '1' && part[1] <= '6')
            return true;
    }
    return false;
}

/* Compares up to the first dot: what follows are widths and modifiers. */
struct opcode opcode_find(const char *opcode, size_t length)
{
    struct opcode found = {NULL, CLASS_INTEGER, ACTION_NONE, 0, AT_UNKNOWN, OP_LOAD};
    const char *dot = memchr(opcode, '.', length);
    size_t stem = dot ? (size_t)(dot - opcode) : length;
    for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
        if (strlen(opcodes[i].stem) == stem && !memcmp(opcode, opcodes[i].stem, stem)) {
            found = opcodes[i];
            if (found.flags & INSTRUCTION_ATOMIC && is_floating(opcode, length))
                found.flags |= INSTRUCTION_FLOAT;
            return found;
        }
    for (size_t i = 0; i < sizeof computing / sizeof *computing; i++)
        if (list_has(computing[i].stems, opcode, stem)) {
            found.stem = computing[i].stems;
            found.class = computing[i].class;
            return found;
        }
    if (stem && *opcode == 'U') { /* the uniform datapath has a variant of most instructions */
        found.stem = "U";
        found.class = CLASS_UNIFORM;
    }
    return found;
}

uint16_t opcode_bytes(const char *opcode, size_t length)
{
    const char *end = opcode + length;
    for (const char *at = memchr(opcode, '.', length); at;
         at = memchr(at, '.', (size_t)(end - at))) {
        at++;
        const char *digit = at + (at < end && strchr("USFB", *at) != NULL);
        unsigned bits = 0;
        while (digit < end && *digit >= '0' && *digit <= '9' && bits < 1000)
            bits = bits * 10 + (unsigned)(*digit++ - '0');
        if (digit != end && *digit != '.')
            continue;
        if (bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128 || bits == 256)
            return (uint16_t)(bits / 8);
    }
    return 4;
}

bool opcode_has(const char *opcode, size_t length, const char *part)
{
    size_t size = strlen(part);
    for (size_t i = 0; i + size < length; i++)
        if (opcode[i] == '.' && !strncmp(opcode + i + 1, part, size) &&
            (i + 1 + size == length || opcode[i + 1 + size] == '.'))
            return true;
    return false;
}

bool opcode_bypasses(const struct opcode *row, const char *opcode, size_t length)
{
    return row->op == OP_LOAD && opcode_has(opcode, length, "STRONG") &&
           opcode_has(opcode, length, "GPU");
}
