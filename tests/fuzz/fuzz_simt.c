/* Any bytes as a program of the SIMT processor, in assembly or as an ELF file: mistakes, or a
 * program that runs a while in both ways to diverge without touching what is not its own. Built by
 * `./dev fuzz`. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "workload/simt/assembler.h"
#include "workload/simt/disassembler.h"
#include "workload/simt/elf.h"
#include "workload/simt/processor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static enum status read_image(const uint8_t *data, size_t size, struct simt_image *image)
{
    if (simt_elf_recognise(data, size))
        return simt_elf_read("fuzz.elf", data, size, image, NULL);
    char *text = malloc(size + 1);
    if (!text)
        return STATUS_MEMORY;
    memcpy(text, data, size);
    text[size] = '\0';
    enum status status = simt_assemble("fuzz.s", text, NULL, image, NULL);
    free(text);
    return status;
}

static void run(struct simt_image *image, bool masks)
{
    const struct simt_setup setup = {1, 4, 8, masks, 20000, SIMT_STACK_BYTES};
    struct simt_program program;
    struct simt_block *block = NULL;
    struct simt_step step;
    if (simt_program_init(&program, image, &setup))
        return;
    if (!simt_block_start(&block, &program, 0, NULL))
        while (simt_block_step(block, &step) == SIMT_RAN)
            if (!step.mask || step.pc - program.image.text >= program.image.text_size)
                abort();
    simt_block_free(block);
    simt_program_free(&program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int masks = 0; masks < 2; masks++) {
        struct simt_image image;
        char text[SIMT_TEXT_BYTES];
        if (read_image(data, size, &image))
            continue;
        for (uint32_t at = 0; at + 4 <= image.text_size && at < 4096; at += 4) {
            uint32_t word;
            memcpy(&word, image.bytes + (image.text - image.base) + at, sizeof word);
            simt_disassemble(word, image.text + at, text);
        }
        run(&image, masks);
    }
    return 0;
}
