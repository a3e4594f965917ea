/* ELF programs of the SIMT processor: a small one made here, what is refused of others, and any
 * change of its bytes. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "workload/simt/elf.h"
#include "workload/simt/processor.h"

struct small {
    Elf32_Ehdr header;
    Elf32_Phdr segments[2];
    uint32_t text[2], data[1];
    Elf32_Sym symbols[2];
    char strings[16];
    Elf32_Shdr sections[2];
};

static struct small make(void)
{
    struct small file = {
        .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB,
                               EV_CURRENT},
                   .e_type = ET_EXEC,
                   .e_machine = EM_RISCV,
                   .e_flags = 2, /* floats in registers */
                   .e_entry = 0x10000,
                   .e_phoff = offsetof(struct small, segments),
                   .e_phnum = 2,
                   .e_shoff = offsetof(struct small, sections),
                   .e_shnum = 2},
        .segments = {{.p_type = PT_LOAD,
                      .p_offset = offsetof(struct small, text),
                      .p_vaddr = 0x10000,
                      .p_filesz = 8,
                      .p_memsz = 8,
                      .p_flags = PF_R | PF_X},
                     {.p_type = PT_LOAD,
                      .p_offset = offsetof(struct small, data),
                      .p_vaddr = 0x20000,
                      .p_filesz = 4,
                      .p_memsz = 64,
                      .p_flags = PF_R | PF_W}},
        .text = {0x00000013, 0x00008067},
        .data = {77},
        .symbols = {{.st_name = 1, .st_value = 0x10000, .st_info = STT_FUNC, .st_shndx = 1},
                    {.st_name = 6, .st_value = 0x20000, .st_info = STT_OBJECT, .st_shndx = 1}},
        .strings = "\0main\0result",
        .sections = {{.sh_type = SHT_SYMTAB,
                      .sh_offset = offsetof(struct small, symbols),
                      .sh_size = 2 * sizeof(Elf32_Sym),
                      .sh_link = 1},
                     {.sh_type = SHT_STRTAB,
                      .sh_offset = offsetof(struct small, strings),
                      .sh_size = 16}},
    };
    return file;
}

static void test_small(void **state)
{
    (void)state;
    const struct small file = make();
    struct simt_image image;
    assert_true(simt_elf_recognise(&file, sizeof file));
    assert_int_equal(simt_elf_read("small.elf", &file, sizeof file, &image, NULL), STATUS_OK);
    assert_int_equal(image.base, 0x10000);
    assert_int_equal(image.size, 0x10040);
    assert_int_equal(image.text_size, 8);
    assert_int_equal(image.place_shift, 2);
    assert_int_equal(image.entry, 0x10000);
    assert_int_equal(image.bytes[4], 0x67);
    assert_int_equal(image.bytes[0x10000], 77);
    assert_int_equal(image.bytes[0x10004], 0);
    assert_int_equal(simt_symbol_find(&image, "result")->value, 0x20000);
    assert_string_equal(simt_symbol_before(&image, 0x10004)->name, "main");
    simt_image_free(&image);
}

/* A segment that holds instructions of 16 bits, headers before them and constants after them, with
 * a list of sections that tells them apart; gp and a stack from symbols. */
static void test_stock(void **state)
{
    (void)state;
    struct {
        struct small file;
        Elf32_Shdr sections[3];
        Elf32_Sym symbols[2];
        char strings[32];
    } stock = {.file = make(), .strings = "\0__global_pointer$\0__stack"};
    stock.file.header.e_flags |= 1;
    stock.file.header.e_entry = 0x10006;
    stock.file.text[0] = 0x11223344;
    stock.file.text[1] = 0x80820001; /* c.nop; c.ret */
    stock.file.header.e_shoff = (Elf32_Off)((char *)stock.sections - (char *)&stock);
    stock.file.header.e_shnum = 3;
    stock.sections[0] = (Elf32_Shdr){.sh_type = SHT_PROGBITS,
                                     .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                                     .sh_addr = 0x10004,
                                     .sh_size = 4};
    stock.sections[1] =
        (Elf32_Shdr){.sh_type = SHT_SYMTAB,
                     .sh_offset = (Elf32_Off)((char *)stock.symbols - (char *)&stock),
                     .sh_size = sizeof stock.symbols,
                     .sh_link = 2};
    stock.sections[2] = (Elf32_Shdr){.sh_type = SHT_STRTAB,
                                     .sh_offset = (Elf32_Off)(stock.strings - (char *)&stock),
                                     .sh_size = sizeof stock.strings};
    stock.symbols[0] = (Elf32_Sym){.st_name = 1, .st_value = 0x20800, .st_shndx = SHN_ABS};
    stock.symbols[1] = (Elf32_Sym){.st_name = 19, .st_value = 0x30000, .st_shndx = SHN_ABS};
    const struct simt_setup setup = {1, 1, 1, false, 100, SIMT_STACK_BYTES};
    struct simt_image image;
    struct simt_program program;
    struct simt_block *block;
    struct simt_step step;
    assert_int_equal(simt_elf_read("stock.elf", &stock, sizeof stock, &image, NULL), STATUS_OK);
    assert_int_equal(image.text, 0x10004);
    assert_int_equal(image.text_size, 4);
    assert_int_equal(image.place_shift, 1);
    assert_int_equal(image.base + image.size, 0x30000);
    assert_int_equal(simt_program_init(&program, &image, &setup), STATUS_OK);
    assert_int_equal(simt_block_start(&block, &program, 0, NULL), STATUS_OK);
    assert_int_equal(block->warps[0].registers[3][0], 0x20800);
    assert_int_equal(simt_block_step(block, &step), SIMT_RAN);
    assert_int_equal(step.op, SIMT_jalr);
    assert_int_equal(simt_block_step(block, &step), SIMT_ENDED);
    simt_block_free(block);
    simt_program_free(&program);
}

/* A program that lies where stacks are moves them below itself. */
static void test_where_stacks_are(void **state)
{
    (void)state;
    struct small file = make();
    file.segments[0].p_vaddr = 0x7ffff000;
    file.segments[1].p_vaddr = 0x80001000;
    file.header.e_entry = 0x7ffff000;
    const struct simt_setup setup = {2, 1, 2, false, 100, SIMT_STACK_BYTES};
    struct simt_image image;
    struct simt_program program;
    struct simt_block *block;
    assert_int_equal(simt_elf_read("high.elf", &file, sizeof file, &image, NULL), STATUS_OK);
    assert_int_equal(simt_program_init(&program, &image, &setup), STATUS_OK);
    assert_int_equal(simt_block_start(&block, &program, 1, NULL), STATUS_OK);
    assert_int_equal(block->warps[0].registers[2][1],
                     0x7ffff000 - SIMT_ABOVE_STACKS - 3 * SIMT_STACK_BYTES);
    simt_block_free(block);
    simt_program_free(&program);
}

static void refuse(const struct small *file, size_t size, const char *message)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct simt_image image;
    assert_int_not_equal(simt_elf_read("small.elf", file, size, &image, &diagnostics), STATUS_OK);
    assert_int_equal(diagnostics.count, 1);
    assert_string_equal(diagnostics.items[0].message, message);
    diagnostics_free(&diagnostics);
}

static void test_refused(void **state)
{
    (void)state;
    struct small file = make();
    refuse(&file, 20, "the file ends in its ELF header");
    file.header.e_machine = EM_386;
    refuse(&file, sizeof file,
           "expected a 32-bit little-endian RISC-V file, found another machine");
    file = make();
    file.header.e_ident[EI_CLASS] = ELFCLASS64;
    refuse(&file, sizeof file,
           "expected a 32-bit RISC-V file, found one of 64 bits; compile it with -march=rv32imafc "
           "-mabi=ilp32f");
    file = make();
    file.header.e_flags = 4;
    refuse(&file, sizeof file,
           "it passes doubles in registers; compile it with -march=rv32imafc -mabi=ilp32f");
    file = make();
    file.header.e_type = ET_REL;
    refuse(&file, sizeof file, "expected a linked program, found an object file");
    file = make();
    file.segments[1].p_vaddr = 0x80000000;
    refuse(&file, sizeof file,
           "its segments lie further apart than 64 MiB; link them closer together");
    file = make();
    file.segments[0].p_flags = PF_R;
    refuse(&file, sizeof file, "none of its segments can be executed");
    file = make();
    file.header.e_entry = 0x10002;
    refuse(&file, sizeof file, "its entry is no instruction of its text");
    file = make();
    file.segments[0].p_offset = 1 << 20;
    refuse(&file, sizeof file, "a segment lies outside of the file");
}

/* Cut and changed files give an image within its limits or an error. */
static void test_any_bytes(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 20000; round++) {
        struct small file = make();
        unsigned char *bytes = (unsigned char *)&file;
        for (uint64_t i = 0; i <= random_below(random_at(round, 0), 4); i++)
            bytes[random_below(random_at(round, 2 * i + 1), sizeof file)] =
                (unsigned char)random_at(round, 2 * i + 2);
        const size_t size =
            round % 4 ? sizeof file : random_below(random_at(round, 99), sizeof file);
        struct simt_image image;
        if (simt_elf_read("small.elf", &file, size, &image, NULL))
            continue;
        assert_true(image.size <= SIMT_IMAGE_MAX && image.text_size <= SIMT_TEXT_MAX);
        assert_true(image.text - image.base <= image.size - image.text_size);
        simt_image_free(&image);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_stock),
        cmocka_unit_test(test_where_stacks_are),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
