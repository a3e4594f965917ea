#include "explore/papers/simt_study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/area/area.h"
#include "model/cache/cache_arrays.h"
#include "model/cache/cache_bits.h"
#include "model/cache/geometry.h"
#include "model/cache/set_steps.h"
#include "schema/parameters.h"
#include "workload/simt/simt_source.h"
#include "workload/workload.h"

#define MACHINE "simt-processor"

/* All blocks that the processor has, but for the product, which the paper computes with 4 warps of
 * 4 lanes. With --full the data of most exceed the data cache. */
const struct paper_subject simt_subjects[] = {
    {"sort", "", "simt-sort:blocks=4", "simt-sort:n=4096,blocks=4", 0},
    {"maximum", "", "simt-maximum:blocks=4", "simt-maximum:n=65536,blocks=4", 0},
    {"matmul", "", "simt-matmul:warps=4,lanes=4", "simt-matmul:n=64,blocks=4", 0},
    {"convolution", "", "simt-convolution:blocks=4", "simt-convolution:n=128,blocks=4", 0},
    {"loop", "", "simt-loop:blocks=4", "simt-loop:n=10000,blocks=4", 0},
    {"solve", "", "simt-solve:blocks=4", "simt-solve:n=64,blocks=4", 0},
    {"line", "", "simt-line:blocks=4", "simt-line:n=1024,blocks=4", 0},
    {"vertex", "", "simt-vertex:blocks=4", "simt-vertex:n=8192,blocks=4", 0},
    {"fft", "", "simt-fft:blocks=4", "simt-fft:n=1024,blocks=4", 0},
    {0}};

const int simt_policies[SIMT_POLICIES] = {
    REPLACEMENT_RR,        REPLACEMENT_LFU_STACK, REPLACEMENT_LRU_STACK,
    REPLACEMENT_PLRU_SIMT, REPLACEMENT_PLRU,      REPLACEMENT_NRU,
    REPLACEMENT_RANDOM,    REPLACEMENT_LFU,       REPLACEMENT_SRRIP};

const char *const simt_cache_sets[SIMT_CACHES] = {
    [SIMT_PAPER_CACHES] = "",
    [SIMT_SMALL_CACHES] = "l1i.size=256B l1i.line=16B l1d.size=512B",
};

struct cache_config simt_cache_of(const struct machine *machine, enum simt_cache cache)
{
    if (cache == SIMT_DCACHE)
        return machine->l1d;
    struct cache_config config = instruction_cache_of(&machine->l1i);
    config.output = machine->l1d.output; /* an instruction is a word, too */
    return config;
}

/* ---- runs ---- */

struct runs {
    struct simt_study *study;
    const struct evaluate_options *options;
};

static void set_policy(struct machine *machine, size_t policy)
{
    machine->l1i.replacement = machine->l1d.replacement = simt_policies[policy];
}

static enum status evaluate_at(const struct runs *runs, const struct machine *machine,
                               const struct trace_source *source, enum depth depth,
                               struct metrics *metrics, struct diagnostics *found)
{
    const struct evaluate_options how = {.depth = depth,
                                         .cancel = runs->options ? runs->options->cancel : NULL};
    return evaluate(machine, source, &how, metrics, found);
}

static enum status run_source(const struct runs *runs, size_t policy, enum simt_caches caches,
                              const struct trace_source *source, struct simt_run *result,
                              struct diagnostics *found)
{
    struct machine machine;
    enum status status = paper_machine(MACHINE, simt_cache_sets[caches], &machine, found);
    set_policy(&machine, policy);
    if (!status)
        status = paper_machine_check(MACHINE, simt_cache_sets[caches], &machine, found);
    if (!status)
        status = evaluate_at(runs, &machine, source, DEPTH_FUNCTIONAL, &result->counts, found);
    if (!status)
        status = evaluate_at(runs, &machine, source, DEPTH_TIMING, &result->time, found);
    return status;
}

/* Runs one program under one policy. */
static enum status run_one(void *argument, size_t i)
{
    const struct runs *runs = argument;
    const struct simt_study *study = runs->study;
    struct simt_run *result = &study->results[i];
    const struct paper_subject *subject = study->names[i / SIMT_CACHES / SIMT_POLICIES];
    struct diagnostics found = DIAGNOSTICS_INIT;
    struct trace_source *source = NULL;
    result->status = workload_open(study->full ? subject->full : subject->quick, &source, &found);
    if (!result->status)
        result->status = run_source(runs, i / SIMT_CACHES % SIMT_POLICIES, i % SIMT_CACHES, source,
                                    result, &found);
    trace_source_free(source);
    return paper_job_end(result->status, &found, &result->why);
}

/* ---- what needs no stream ---- */

static void measure_cost(const struct machine *machine, enum simt_cache cache,
                         struct simt_cost *cost)
{
    const struct cache_config config = simt_cache_of(machine, cache);
    const struct cache_bits bits = cache_bits(&config, config.size, machine->gpu.address_bits);
    struct memory_array arrays[2];
    const size_t count = cache_arrays(&config, config.size, 1, machine->gpu.address_bits, arrays);
    *cost = (struct simt_cost){.tag = bits.tag,
                               .set = bits.set_state,
                               .all = bits.sets * bits.set_state + bits.shared_state};
    for (size_t i = 0; i < count; i++) {
        const struct fpga_cost one = fpga_cost(&arrays[i]);
        cost->fpga = fpga_add(cost->fpga, one, (double)arrays[i].count);
    }
}

/* Sends misses to a set at power-up. */
static enum status find_fills(const struct cache_config *config, uint32_t *fills)
{
    struct set_steps *steps;
    const struct set_step *step;
    enum status status =
        set_steps_create(config->replacement, config->reset, (uint32_t)config->ways, &steps);
    for (uint32_t i = 0; i < SIMT_FILLS && !status; i++) {
        status = set_steps_access(steps, i, 0, &step);
        fills[i] = status ? 0 : step->way;
    }
    set_steps_free(steps);
    return status;
}

/* ---- figure 9 ---- */

/* Runs the paper's product and reads the result. */
static enum status multiply(uint32_t product[SIMT_PRODUCT], struct diagnostics *diagnostics)
{
    struct trace_source *source = NULL;
    struct simt_block *block = NULL;
    struct simt_step step;
    enum status status = workload_open("simt-matmul:warps=4,lanes=4", &source, diagnostics);
    const struct simt_program *program = status ? NULL : simt_source_program(source);
    if (!status)
        status = simt_block_start(&block, program, 0, NULL);
    enum simt_result result = SIMT_FAULT;
    while (!status && (result = simt_block_step(block, &step)) == SIMT_RAN)
        ;
    if (!status && result == SIMT_FAULT)
        status = simt_block_fault(block, diagnostics);
    const struct simt_symbol *found = status ? NULL : simt_symbol_find(&program->image, "result");
    if (found)
        memcpy(product, block->memory + (found->value - program->image.base),
               SIMT_PRODUCT * sizeof *product);
    simt_block_free(block);
    trace_source_free(source);
    return status;
}

static enum status measure_caches(struct simt_study *study)
{
    enum status status = STATUS_OK;
    for (size_t policy = 0; policy < SIMT_POLICIES; policy++) {
        struct machine machine = study->machine;
        set_policy(&machine, policy);
        for (enum simt_cache cache = SIMT_ICACHE; cache < SIMT_BOTH; cache++) {
            const struct cache_config config = simt_cache_of(&machine, cache);
            measure_cost(&machine, cache, &study->costs[cache][policy]);
            if (policy < SIMT_PAPER_POLICIES && !status)
                status = find_fills(&config, study->fills[cache][policy]);
        }
    }
    return status;
}

enum status simt_study_run(bool full, const char *only, int threads,
                           const struct evaluate_options *options, struct simt_study *study,
                           struct diagnostics *diagnostics)
{
    *study = (struct simt_study){.full = full};
    struct runs runs = {study, options};
    enum status status =
        paper_subjects_choose(simt_subjects, only, &study->names, &study->subjects, diagnostics);
    const size_t count = study->subjects * SIMT_POLICIES * SIMT_CACHES;
    if (!status) {
        study->results = calloc(count, sizeof *study->results);
        status = study->results ? STATUS_OK : STATUS_MEMORY;
    }
    if (!status)
        status = paper_machine(MACHINE, "", &study->machine, diagnostics);
    if (!status)
        status = measure_caches(study);
    if (!status)
        status = multiply(study->product, diagnostics);
    if (!status)
        status = paper_jobs_run(count, threads, options, run_one, &runs);
    if (status)
        simt_study_free(study);
    return status;
}

void simt_study_free(struct simt_study *study)
{
    const size_t count = study->subjects * SIMT_POLICIES * SIMT_CACHES;
    for (size_t i = 0; study->results && i < count; i++)
        free(study->results[i].why);
    free(study->results);
    free(study->names);
    *study = (struct simt_study){0};
}
