/* PAGES: warps that load words of pages drawn at random, with nothing in between: the order of page
 * walks that has no locality at all. All lanes of a warp load the same word, so a load looks up one
 * page. A TLB of N entries hits N of `pages` times, and a page-walk cache of N paths N of as many
 * times as there are regions of 2 MiB, which `spread` decides. The page of each load follows from
 * `seed` alone. A warp stores the sum of what it loaded. */
#include "base/rng.h"
#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { PAGES, LOADS, SEED, BLOCKS, BLOCK_X };
enum { ARRAY_PAGES, ARRAY_SUMS };
enum { SITE_WORD, SITE_SUM };
enum { PAGE_BYTES = 4096 };

static const struct workload_parameter parameters_pages[] = {
    {"pages", 4096, 1, 1 << 24, "of 4 KiB, any of which is as likely as any other"},
    {"loads", 1024, 1, 1 << 24, "of a warp"},
    {"seed", 1, 0, UINT32_MAX, "decides the pages"},
    {"blocks", 15, 1, 1 << 16, "of the grid"},
    BLOCK_1D_PARAMETER,
    PROGRAM_DEVICE_PARAMETERS,
};

struct pages {
    struct staged_program staged; /* first */
    uint64_t pages, loads, seed;
};

static uint32_t word_of(uint64_t page)
{
    return (uint32_t)(3 * page + 1);
}

static void pages_upload(const struct staged_program *program, struct device *device)
{
    const struct pages *pages = (const struct pages *)program;
    for (uint64_t page = 0; page < pages->pages; page++) {
        uint32_t *word =
            device_at(device, program->program.arrays[ARRAY_PAGES].base + PAGE_BYTES * page, 4);
        if (word)
            *word = word_of(page);
    }
}

static enum stage_end run_pages(struct stage *stage)
{
    const struct pages *pages = (const struct pages *)stage->program;
    uint32_t *sum = stage->state, values[WARP_SIZE];
    const uint64_t thread = stage_thread(stage);
    const uint64_t draw = thread / WARP_SIZE * pages->loads + stage->number;
    const uint64_t page = random_below(random_at(pages->seed, draw), pages->pages);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        values[lane] = word_of(page);
    stage_work(stage, 2);
    stage_load_row(stage, word_site(SITE_WORD), stage->lanes,
                   array_base(stage, ARRAY_PAGES) + PAGE_BYTES * page, 0, values);
    *sum += values[0];
    stage_work(stage, 1);
    if (stage->number + 1 < pages->loads)
        return STAGE_NEXT;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        values[lane] = *sum;
    stage_store_row(stage, word_site(SITE_SUM), stage->lanes,
                    array_base(stage, ARRAY_SUMS) + 4 * thread, 4, values);
    return STAGE_DONE;
}

static const struct staged_kernel kernel = {
    .name = "pages_kernel",
    .state_bytes = sizeof(uint32_t),
    .code = {.sites = "L S", .prologue = 6},
    .run = run_pages,
};

static enum status open_pages(const uint64_t *values, struct trace_source **source,
                              struct diagnostics *diagnostics)
{
    if (values[BLOCK_X] % WARP_SIZE)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "PAGES: block_x must be a multiple of 32");
    struct pages *pages = staged_create(sizeof *pages, &workload_pages, values);
    if (!pages)
        return STATUS_MEMORY;
    pages->pages = values[PAGES];
    pages->loads = values[LOADS];
    pages->seed = values[SEED];
    pages->staged.upload = pages_upload;
    program_array(&pages->staged.program, "pages", PAGE_BYTES * pages->pages);
    program_array(&pages->staged.program, "sums", 4 * values[BLOCKS] * values[BLOCK_X]);
    staged_launch(&pages->staged, &kernel, values[BLOCKS], 1, values[BLOCK_X], 1, 0);
    return staged_finish(&pages->staged, source, diagnostics);
}

CUDA_PROGRAM(
    pages, "PAGES", PAGES_SUITE,
    .help = "words of pages drawn at random: which hit rates are left without any locality?",
    .sizes = 1u << 0);
