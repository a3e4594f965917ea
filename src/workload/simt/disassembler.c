#include "workload/simt/disassembler.h"

#include <stdarg.h>
#include <string.h>

#include "workload/simt/fields.h"
#include "workload/simt/isa.h"

struct line {
    char *text;
    size_t length;
};

static void disassembler_print(struct line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void disassembler_print(struct line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length =
        vsnprintf(line->text + line->length, SIMT_TEXT_BYTES - line->length, format, arguments);
    va_end(arguments);
    line->length += length > 0 ? (size_t)length : 0;
    if (line->length >= SIMT_TEXT_BYTES)
        line->length = SIMT_TEXT_BYTES - 1;
}

static void print_fence(struct line *line, uint32_t bits)
{
    for (unsigned i = 0; i < 4; i++)
        if (bits & (8u >> i))
            disassembler_print(line, "%c", "iorw"[i]);
}

static void print_csr(struct line *line, uint32_t number)
{
    const char *name = simt_csr_name(number);
    if (name)
        disassembler_print(line, "%s", name);
    else
        disassembler_print(line, "0x%x", number);
}

static void print_operand(struct line *line, char letter, uint32_t word,
                          const struct simt_decoded *decoded, uint32_t pc)
{
    switch (letter) {
    case 'd':
    case 'D':
        disassembler_print(line, "%s", simt_registers[decoded->d]);
        break;
    case 's':
    case 'S':
        disassembler_print(line, "%s", simt_registers[decoded->s]);
        break;
    case 't':
    case 'T':
        disassembler_print(line, "%s", simt_registers[decoded->t]);
        break;
    case 'R':
        disassembler_print(line, "%s", simt_registers[decoded->r]);
        break;
    case '0':
        break;
    case 'j':
    case 'o':
    case 'q':
    case '>':
        disassembler_print(line, "%d", (int)decoded->imm);
        break;
    case 'Z':
        disassembler_print(line, "%u", decoded->s);
        break;
    case 'p':
    case 'a':
        disassembler_print(line, "0x%x", pc + decoded->imm);
        break;
    case 'u':
        disassembler_print(line, "0x%x", decoded->imm >> 12);
        break;
    case 'E':
        print_csr(line, decoded->imm);
        break;
    case 'P':
        print_fence(line, word >> 24 & 15);
        break;
    case 'Q':
        print_fence(line, word >> 20 & 15);
        break;
    case 'm':
        disassembler_print(line, "%s", simt_roundings[decoded->rounding]);
        break;
    default:
        disassembler_print(line, "%c", letter);
        break;
    }
}

void simt_disassemble(uint32_t word, uint32_t pc, char text[SIMT_TEXT_BYTES])
{
    struct line line = {.text = text};
    const struct simt_decoded decoded = simt_decode(word);
    /* What the assembler could not spell is a word as well. */
    const bool spelled = decoded.op != SIMT_OP_COUNT && simt_roundings[decoded.rounding] &&
                         (decoded.op != SIMT_fence || ((word >> 24 & 15) && (word >> 20 & 15)));
    if (!spelled) {
        disassembler_print(&line, ".word 0x%x", word);
        return;
    }
    const struct simt_instruction *row = &simt_instructions[decoded.op];
    disassembler_print(&line, "%s%s%s", row->name, simt_orders[decoded.order],
                       *row->operands ? " " : "");
    for (const char *at = row->operands; *at; at++) {
        if (at[0] == ',' && at[1] == 'm' && decoded.rounding == ROUND_DYNAMIC)
            break;
        print_operand(&line, *at, word, &decoded, pc);
    }
}

uint8_t simt_disassemble_at(const struct simt_image *image, uint32_t pc, uint32_t *bytes,
                            char text[SIMT_TEXT_BYTES])
{
    uint8_t size;
    const uint32_t word = simt_word_at(image, simt_place_of(image, pc), &size);
    *bytes = 0;
    memcpy(bytes, image->bytes + (pc - image->base), size);
    if (!word && size == 2) /* it abbreviates nothing */
        snprintf(text, SIMT_TEXT_BYTES, ".half 0x%x", *bytes);
    else
        simt_disassemble(word, pc, text);
    return size;
}

void simt_disassemble_image(const struct simt_image *image, FILE *out)
{
    size_t next = 0;
    uint8_t size = 0;
    for (uint32_t at = 0; at < image->text_size; at += size) {
        const uint32_t pc = image->text + at;
        for (; next < image->symbol_count && image->symbols[next].value <= pc; next++)
            if (image->symbols[next].value == pc)
                fprintf(out, "%s:\n", image->symbols[next].name);
        uint32_t bytes;
        char text[SIMT_TEXT_BYTES];
        size = simt_disassemble_at(image, pc, &bytes, text);
        fprintf(out, "%8x:  %0*x%*s  %s\n", pc, 2 * size, bytes, 8 - 2 * size, "", text);
    }
}
