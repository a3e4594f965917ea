#include "workload/simt/elf.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* Flags of the header, and the highest way to pass floating point that this processor has. */
enum { RISCV_COMPRESSED = 1, RISCV_FLOAT_ABI = 6, RISCV_FLOAT_SINGLE = 2 };

struct file {
    const char *name;
    const unsigned char *bytes;
    size_t size;
    struct diagnostics *diagnostics;
};

/* Copies `size` bytes at an offset of the file; false if it has not so many. */
static bool take(const struct file *file, uint64_t offset, void *to, size_t size)
{
    if (offset > file->size || size > file->size - offset)
        return false;
    memcpy(to, file->bytes + offset, size);
    return true;
}

bool simt_elf_recognise(const void *bytes, size_t size)
{
    return size >= SELFMAG && !memcmp(bytes, ELFMAG, SELFMAG);
}

static enum status elf_refuse(const struct file *file, enum status status, const char *what)
{
    const struct place place = {.file = file->name};
    diagnostics_add(file->diagnostics, SEVERITY_ERROR, &place, "%s", what);
    return status;
}

static enum status check_header(const struct file *file, Elf32_Ehdr *header)
{
    if (!take(file, 0, header, sizeof *header))
        return elf_refuse(file, STATUS_CORRUPT, "the file ends in its ELF header");
    if (header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_machine == EM_RISCV)
        return elf_refuse(file, STATUS_UNSUPPORTED,
                          "expected a 32-bit RISC-V file, found one of 64 bits; compile it with "
                          "-march=rv32imafc -mabi=ilp32f");
    if (header->e_ident[EI_CLASS] != ELFCLASS32 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
        header->e_machine != EM_RISCV)
        return elf_refuse(file, STATUS_UNSUPPORTED,
                          "expected a 32-bit little-endian RISC-V file, found another machine");
    if (header->e_type != ET_EXEC)
        return elf_refuse(file, STATUS_UNSUPPORTED,
                          "expected a linked program, found an object file");
    if ((header->e_flags & RISCV_FLOAT_ABI) > RISCV_FLOAT_SINGLE)
        return elf_refuse(file, STATUS_UNSUPPORTED,
                          "it passes doubles in registers; compile it with -march=rv32imafc "
                          "-mabi=ilp32f");
    return STATUS_OK;
}

/* Walks over the loadable segments: finds the range of the image, or copies them into it. */
static enum status walk_segments(const struct file *file, const Elf32_Ehdr *header,
                                 struct simt_image *image, uint64_t text[2])
{
    const bool copy = image->bytes;
    uint64_t low = UINT64_MAX, high = 0;
    for (unsigned i = 0; i < header->e_phnum; i++) {
        Elf32_Phdr segment;
        if (!take(file, header->e_phoff + (uint64_t)i * sizeof segment, &segment, sizeof segment))
            return elf_refuse(file, STATUS_CORRUPT, "a program header lies outside of the file");
        if (segment.p_type != PT_LOAD || !segment.p_memsz)
            continue;
        const uint64_t from = segment.p_vaddr, to = from + segment.p_memsz;
        if (segment.p_filesz > segment.p_memsz || to > UINT32_MAX)
            return elf_refuse(file, STATUS_CORRUPT, "a segment is larger than its memory");
        low = from < low ? from : low;
        high = to > high ? to : high;
        if (segment.p_flags & PF_X) {
            text[0] = from < text[0] ? from : text[0];
            text[1] = from + segment.p_filesz > text[1] ? from + segment.p_filesz : text[1];
        }
        if (copy &&
            !take(file, segment.p_offset, image->bytes + (from - image->base), segment.p_filesz))
            return elf_refuse(file, STATUS_CORRUPT, "a segment lies outside of the file");
    }
    if (copy)
        return STATUS_OK;
    if (high <= low)
        return elf_refuse(file, STATUS_INVALID, "it has nothing to load");
    low &= ~UINT64_C(3);
    high = (high + 3) & ~UINT64_C(3);
    if (high - low > SIMT_IMAGE_MAX)
        return elf_refuse(file, STATUS_UNSUPPORTED,
                          "its segments lie further apart than 64 MiB; link them closer together");
    image->base = (uint32_t)low;
    image->size = (uint32_t)(high - low);
    return STATUS_OK;
}

/* Narrows the text to the sections of instructions, if the file lists any: a segment that can be
 * executed may hold headers, constants and data as well. */
static void narrow_text(const struct file *file, const Elf32_Ehdr *header, uint64_t text[2])
{
    uint64_t low = UINT64_MAX, high = 0;
    for (unsigned i = 0; i < header->e_shnum; i++) {
        Elf32_Shdr section;
        if (!take(file, header->e_shoff + (uint64_t)i * sizeof section, &section, sizeof section))
            return;
        const uint64_t from = section.sh_addr, to = from + section.sh_size;
        if (!(section.sh_flags & SHF_ALLOC) || !(section.sh_flags & SHF_EXECINSTR) || from == to ||
            section.sh_type == SHT_NOBITS)
            continue;
        low = from < low ? from : low;
        high = to > high ? to : high;
    }
    if (low >= text[0] && high <= text[1] && low < high && low % 4 == 0) {
        text[0] = low;
        text[1] = high;
    }
}

static const char *string_at(const struct file *file, const Elf32_Shdr *strings, uint32_t index)
{
    const uint64_t at = (uint64_t)strings->sh_offset + index;
    const uint64_t end = (uint64_t)strings->sh_offset + strings->sh_size;
    if (index >= strings->sh_size || end > file->size || !memchr(file->bytes + at, 0, end - at))
        return NULL;
    return (const char *)file->bytes + at;
}

/* Symbols only help to read: what is wrong with them is left out. */
static enum status read_symbols(const struct file *file, const Elf32_Ehdr *header,
                                struct simt_image *image)
{
    enum { SYMBOLS_MAX = 100000 };
    for (unsigned i = 0; i < header->e_shnum; i++) {
        Elf32_Shdr section, strings;
        const uint64_t at = header->e_shoff + (uint64_t)i * sizeof section;
        if (!take(file, at, &section, sizeof section) || section.sh_type != SHT_SYMTAB ||
            !take(file, header->e_shoff + (uint64_t)section.sh_link * sizeof strings, &strings,
                  sizeof strings))
            continue;
        const uint32_t count = section.sh_size / (uint32_t)sizeof(Elf32_Sym);
        for (uint32_t k = 0; k < count && k < SYMBOLS_MAX; k++) {
            Elf32_Sym symbol;
            if (!take(file, section.sh_offset + (uint64_t)k * sizeof symbol, &symbol,
                      sizeof symbol))
                return STATUS_OK;
            const char *name = string_at(file, &strings, symbol.st_name);
            const unsigned type = ELF32_ST_TYPE(symbol.st_info);
            if (!name || !*name || *name == '$' || symbol.st_shndx == SHN_UNDEF || type > STT_FUNC)
                continue;
            enum status status = simt_image_add(image, name, strlen(name), symbol.st_value);
            if (status)
                return status;
        }
        return STATUS_OK;
    }
    return STATUS_OK;
}

/* Gives the image the memory up to __stack, if there is such a symbol after it: start-up code that
 * finds its stack itself expects one there, and a heap below. */
static enum status reach_stack(struct simt_image *image)
{
    const struct simt_symbol *stack = simt_symbol_find(image, "__stack");
    const uint64_t size = stack ? ((uint64_t)stack->value - image->base + 3) & ~UINT64_C(3) : 0;
    if (!stack || stack->value < image->base || size <= image->size || size > SIMT_IMAGE_MAX)
        return STATUS_OK;
    unsigned char *bytes = realloc(image->bytes, size + 1);
    if (!bytes)
        return STATUS_MEMORY;
    memset(bytes + image->size, 0, size + 1 - image->size);
    image->bytes = bytes;
    image->size = (uint32_t)size;
    return STATUS_OK;
}

enum status simt_elf_read(const char *name, const void *bytes, size_t size,
                          struct simt_image *image, struct diagnostics *diagnostics)
{
    const struct file file = {name, bytes, size, diagnostics};
    uint64_t text[2] = {UINT64_MAX, 0};
    Elf32_Ehdr header;
    *image = (struct simt_image){0};
    enum status status = check_header(&file, &header);
    if (!status)
        status = walk_segments(&file, &header, image, text);
    if (status)
        return status;
    image->name = strdup(name);
    image->bytes = calloc(1, image->size + 1);
    status = image->name && image->bytes ? STATUS_OK : STATUS_MEMORY;
    if (!status)
        status = walk_segments(&file, &header, image, text);
    narrow_text(&file, &header, text);
    if (!status && text[1] <= text[0])
        status = elf_refuse(&file, STATUS_INVALID, "none of its segments can be executed");
    if (!status && text[1] - text[0] > SIMT_TEXT_MAX)
        status = elf_refuse(&file, STATUS_UNSUPPORTED, "its instructions take more than 1 MiB");
    const uint32_t shift = header.e_flags & RISCV_COMPRESSED ? 1 : 2;
    if (!status && (text[0] % 4 || header.e_entry % (1u << shift) || header.e_entry < text[0] ||
                    header.e_entry >= text[1]))
        status = elf_refuse(&file, STATUS_INVALID, "its entry is no instruction of its text");
    if (!status) {
        image->text = (uint32_t)text[0];
        image->place_shift = shift;
        image->text_size = (uint32_t)(text[1] - text[0]) >> shift << shift;
        image->entry = header.e_entry;
        status = read_symbols(&file, &header, image);
        simt_image_finish(image);
    }
    if (!status)
        status = reach_stack(image);
    if (status)
        simt_image_free(image);
    return status;
}
