#include "support/simt_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "workload/simt/assembler.h"

void simt_make(const char *text, const struct simt_setup *setup, struct simt_program *program)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct simt_image image;
    if (simt_assemble("test.s", text, NULL, &image, &diagnostics)) {
        diagnostics_print(&diagnostics, stderr);
        fail_msg("the program is wrong");
    }
    diagnostics_free(&diagnostics);
    assert_int_equal(simt_program_init(program, &image, setup), STATUS_OK);
}

unsigned char *simt_run(const struct simt_program *program, char fault[160])
{
    unsigned char *memory = malloc(program->image.size + 1);
    assert_non_null(memory);
    memcpy(memory, program->image.bytes, program->image.size);
    for (uint32_t i = 0; i < program->setup.blocks; i++) {
        struct simt_block *block;
        struct simt_step step;
        enum simt_result result;
        assert_int_equal(simt_block_start(&block, program, i, memory), STATUS_OK);
        while ((result = simt_block_step(block, &step)) == SIMT_RAN)
            assert_true(step.mask && step.warp < program->setup.warps);
        if (result == SIMT_FAULT) {
            if (fault)
                memcpy(fault, block->fault, sizeof block->fault);
            free(memory);
            memory = NULL;
        }
        simt_block_free(block);
        if (!memory)
            break;
    }
    return memory;
}

uint32_t simt_word(const struct simt_program *program, const unsigned char *memory,
                   const char *symbol, uint32_t index)
{
    const struct simt_symbol *found = simt_symbol_find(&program->image, symbol);
    uint32_t word;
    assert_non_null(found);
    memcpy(&word, memory + (found->value - program->image.base) + 4 * index, sizeof word);
    return word;
}
