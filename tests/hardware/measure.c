/* Measures the GPU of this machine with the access patterns that `warpscape probe` runs on our
 * models, and infers from their times with the same code (explore/papers/probe.h, pointer_chase.h,
 * rates.h).
 *
 *   measure [--device N] [--base MACHINE] RESULTS.csv MACHINE.yaml
 *   measure chase BYTES STRIDE STEPS      the kernel of workload CHASE once, for a profiler
 *
 * tests/hardware/run.sh builds and runs it. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/machine_file.h"
#include "explore/papers/pointer_chase.h"
#include "explore/papers/probe.h"
#include "explore/papers/rates.h"
#include "real_gpu.h"
#include "schema/families.h"

enum { LANES = 32, WARPS = 32, WORD = 4, TEXT = 256 };

static int complain(const char *problem)
{
    fprintf(stderr, "measure: %s\n", problem);
    return EXIT_FAILURE;
}

/* ---- the GPU as a lab of a probe ---- */

struct lab_state {
    const char *problem;
    uint64_t limit; /* bytes of memory that may be used */
};

/* The places that MB1 loads, in order (workload MB1). */
static uint64_t list_mb1(const struct micro_run *run, uint64_t *offsets)
{
    uint64_t count = 0;
    for (int loop = 0; loop < 2; loop++) {
        for (uint64_t i = 0; i < run->lines; i++)
            offsets[count++] = i * run->stride;
        if (!loop && run->again)
            offsets[count++] = (run->again - 1) * run->stride;
        if (!loop && run->extra)
            offsets[count++] = run->extra;
    }
    return count;
}

/* Lane k of warp w loads line w * per_warp + k; lanes beyond those lines repeat the last one. */
static void list_mb2(const struct micro_run *run, uint64_t warps, uint64_t *offsets)
{
    for (uint64_t w = 0; w < warps; w++)
        for (uint64_t k = 0; k < LANES; k++) {
            uint64_t line = w * run->per_warp + (k < run->per_warp ? k : run->per_warp - 1);
            offsets[LANES * w + k] = (line < run->lines ? line : run->lines - 1) * run->stride;
        }
}

static enum status measure(void *context, const struct micro_run *run, struct load_span *spans)
{
    struct lab_state *state = context;
    const uint64_t loads = micro_run_loads(run), cells = run->per_warp ? LANES * loads : loads;
    uint64_t *offsets = calloc(cells + 1, sizeof *offsets);
    uint64_t *begun = malloc(loads * sizeof *begun), *ended = malloc(loads * sizeof *ended);
    uint64_t bytes = 0;
    enum status status = offsets && begun && ended ? STATUS_OK : STATUS_MEMORY;
    if (!status && run->per_warp)
        list_mb2(run, loads, offsets);
    else if (!status)
        list_mb1(run, offsets);
    for (uint64_t i = 0; i < cells && !status; i++)
        bytes = offsets[i] + WORD > bytes ? offsets[i] + WORD : bytes;
    if (!status && (bytes > state->limit || (run->per_warp && loads > WARPS))) {
        state->problem = "the benchmark needs more memory or warps than there are";
        status = STATUS_UNSUPPORTED;
    }
    if (!status) {
        state->problem = run->per_warp ? gpu_warp_loads(offsets, loads, bytes, begun, ended)
                                       : gpu_loads(offsets, loads, bytes, begun, ended);
        status = state->problem ? STATUS_IO : STATUS_OK;
    }
    for (uint64_t i = 0; i < loads && !status; i++)
        spans[i] = (struct load_span){begun[i], ended[i]};
    free(offsets);
    free(begun);
    free(ended);
    return status;
}

static enum status chase_time_ring(void *context, uint64_t bytes, uint64_t stride, double *cycles)
{
    struct lab_state *state = context;
    state->problem = gpu_chase(bytes, stride, cycles);
    return state->problem ? STATUS_IO : STATUS_OK;
}

static enum status read_sm(void *context, uint64_t bytes, struct rate *rate)
{
    struct lab_state *state = context;
    state->problem = gpu_read_sm(bytes, &rate->rate);
    rate->cycles = NAN;
    return state->problem ? STATUS_IO : STATUS_OK;
}

static enum status read_all(void *context, uint64_t bytes, struct rate *rate)
{
    struct lab_state *state = context;
    state->problem = gpu_read_all(bytes, &rate->rate);
    rate->cycles = NAN;
    return state->problem ? STATUS_IO : STATUS_OK;
}

static enum status load_lanes(void *context, uint32_t stride, uint32_t offset,
                              struct load_cost *cost)
{
    struct lab_state *state = context;
    *cost = (struct load_cost){NAN, NAN, NAN};
    state->problem = gpu_lanes(stride, offset, &cost->cycles);
    return state->problem ? STATUS_IO : STATUS_OK;
}

/* ---- results ---- */

static void put(FILE *out, const char *benchmark, const char *property, double value,
                const char *unit, const char *note)
{
    fprintf(out, "%s,%s,", benchmark, property);
    if (!isnan(value))
        fprintf(out, "%.10g", value);
    fprintf(out, ",%s,\"%s\"\n", unit, note);
}

static void put_finding(FILE *out, const char *benchmark, const char *property,
                        const struct finding *finding, const char *unit)
{
    const bool found = finding->kind == FOUND || finding->kind == FOUND_AT_LEAST;
    put(out, benchmark, property, found ? (double)finding->value : NAN, unit,
        finding->kind == FOUND_AT_LEAST && !*finding->why ? "at least" : finding->why);
}

static void put_probe(FILE *out, const struct probe *probe)
{
    char note[TEXT] = "";
    put_finding(out, "MB1", "hit_time", &probe->hit_time, "cycles");
    put_finding(out, "MB1", "miss_time", &probe->miss_time, "cycles");
    put_finding(out, "MB1", "line", &probe->line, "B");
    put_finding(out, "MB1", "lines", &probe->lines, "");
    put_finding(out, "MB1", "ways", &probe->ways, "");
    put_finding(out, "MB1", "sets", &probe->sets, "");
    for (int i = 0; i < INDEX_COUNT; i++)
        if (probe_index_is(probe, i))
            snprintf(note + strlen(note), sizeof note - strlen(note), "%s%s", *note ? " " : "",
                     parameter_find("l1d.index")->choices[i].name);
    put(out, "MB1", "index", NAN, "", *note ? note : probe->index.why);
    put_finding(out, "MB2", "mshr_per_warp", &probe->mshr_per_warp, "");
    put_finding(out, "MB2", "mshr_per_sm", &probe->mshr_per_sm, "");
    for (unsigned i = 0; i < PROBE_STRIDES && probe->stride_counts; i++) {
        snprintf(note, sizeof note, "stride %" PRIu64 " B", UINT64_C(1) << (probe->stride_bit + i));
        put(out, "stride", "loads_that_no_longer_fit", (double)probe_stride_limit(probe, i), "",
            note);
    }
}

static void put_chase(FILE *out, const struct pointer_chase *chase)
{
    char name[TEXT];
    for (size_t i = 0; i < chase->level_count; i++) {
        snprintf(name, sizeof name, "level%zu_latency", i + 1);
        put(out, "chase", name, chase->levels[i].latency, "cycles", "");
        snprintf(name, sizeof name, "level%zu_capacity", i + 1);
        put_finding(out, "chase", name, &chase->levels[i].capacity, "B");
    }
    put_finding(out, "chase", "line", &chase->line, "B");
    put_finding(out, "chase", "fetch", &chase->sector, "B");
    put_finding(out, "chase", "tlb_entries", &chase->tlb_entries, "");
    put_finding(out, "chase", "page", &chase->page, "B");
    put(out, "chase", "translation", chase->translation, "cycles", "");
    for (size_t i = 0; i < chase->point_count; i++) {
        snprintf(name, sizeof name, "ring of %" PRIu64 " B", chase->curve[i].bytes);
        put(out, "chase", "latency", chase->curve[i].cycles, "cycles", name);
    }
}

static void put_rates(FILE *out, const struct rates *rates)
{
    char note[TEXT];
    put(out, "read", "l1_bandwidth", rates->l1.rate, "B/cycle", "of one SM");
    put(out, "read", "l2_bandwidth", rates->l2.rate, "B/s", "");
    put(out, "read", "dram_bandwidth", rates->memory.rate, "B/s", "");
    for (unsigned i = 0; i < RATES_STRIDES; i++) {
        snprintf(note, sizeof note, "lanes %u words apart", i);
        put(out, "coalesce", "cycles_a_load", rates->strides[i].cycles, "cycles", note);
    }
    for (unsigned i = 1; i < RATES_OFFSETS; i++) {
        snprintf(note, sizeof note, "neighbours from word %u on", i);
        put(out, "coalesce", "cycles_a_load", rates->offsets[i].cycles, "cycles", note);
    }
}

/* ---- the machine ---- */

/* Sets a parameter if the machine stays legal, and says so where it does not. */
static void set(struct machine *machine, const char *path, uint64_t value)
{
    struct machine changed = *machine;
    struct violation found[VIOLATION_MAX];
    const struct parameter *parameter = parameter_find(path);
    parameter_set(parameter, &changed, (struct value){.uint = value});
    if ((double)value < parameter->min || (double)value > parameter->max ||
        machine_check(&changed, found))
        fprintf(stderr, "measure: %s = %" PRIu64 " is left out: it breaks a rule of the machine\n",
                path, value);
    else
        *machine = changed;
}

static void set_found(struct machine *machine, const char *path, const struct finding *finding)
{
    if (finding->kind == FOUND)
        set(machine, path, finding->value);
}

static void fill_machine(struct machine *machine, const struct gpu_facts *facts,
                         const struct probe *probe, const struct pointer_chase *chase,
                         const struct rates *rates)
{
    set(machine, "gpu.sms", (uint64_t)facts->sms);
    set(machine, "gpu.clock", (uint64_t)facts->clock_khz * 1000);
    set(machine, "gpu.max_threads", (uint64_t)facts->max_threads);
    set(machine, "gpu.max_blocks", (uint64_t)facts->max_blocks);
    set(machine, "gpu.registers", (uint64_t)facts->registers);
    set(machine, "coalescer.arch", 10 * (uint64_t)facts->major + (uint64_t)facts->minor);
    set(machine, "l2.size", facts->l2);
    set_found(machine, "l1d.line", &probe->line);
    set_found(machine, "l1d.sector", &chase->sector);
    set_found(machine, "l1d.ways", &probe->ways);
    if (chase->level_count > 1)
        set_found(machine, "l1d.size", &chase->levels[0].capacity);
    for (int i = 0; i < INDEX_COUNT; i++)
        if (probe_index_is(probe, i)) {
            set(machine, "l1d.index", (uint64_t)i);
            break;
        }
    set_found(machine, "l1d.mshr.entries", &probe->mshr_per_sm);
    set_found(machine, "page.size", &chase->page);
    set_found(machine, "tlb.entries", &chase->tlb_entries);
    if (chase->level_count > 0)
        set(machine, "l1d.latency", (uint64_t)(chase->levels[0].latency + 0.5));
    if (!isnan(rates->strides[1].cycles))
        set(machine, "l1d.load_cycles", (uint64_t)(rates->strides[1].cycles + 0.5));
}

static int write_machine(const char *path, const struct machine *machine,
                         const struct gpu_facts *facts)
{
    char title[TEXT + 64], *text = NULL;
    snprintf(title, sizeof title, "%s, as tests/hardware measured it", facts->name);
    FILE *out = machine_to_yaml(machine, title, &text) ? NULL : fopen(path, "w");
    const bool written = out && fputs(text, out) >= 0;
    free(text);
    return (out && fclose(out)) || !written ? complain("the machine cannot be written")
                                            : EXIT_SUCCESS;
}

static int run(int device, const char *base, const char *results, const char *yaml)
{
    static struct probe probe;
    static struct pointer_chase chase;
    static struct rates rates;
    struct gpu_facts facts;
    struct machine machine;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    const char *problem = gpu_open(device, &facts);
    if (problem)
        return complain(problem);
    struct lab_state state = {.limit = facts.free / 2};
    struct probe_lab loads = {.measure = measure,
                              .context = &state,
                              .block_threads = (uint64_t)WARPS * LANES,
                              .memory = facts.free / 2};
    const struct pointer_chase_lab rings = {.time_ring = chase_time_ring,
                                            .context = &state,
                                            .least = 1024,
                                            .most = UINT64_C(1) << 30,
                                            .memory = facts.free / 2,
                                            .noise = 0.03};
    if (machine_load(base, NULL, &machine, NULL, &diagnostics)) {
        diagnostics_print(&diagnostics, stderr);
        return EXIT_FAILURE;
    }
    FILE *out = fopen(results, "w");
    if (!out)
        return complain("the results cannot be written");
    fprintf(out, "benchmark,property,value,unit,note\n");
    put(out, "device", "sms", facts.sms, "", facts.name);
    put(out, "device", "l2", (double)facts.l2, "B", "");
    if (pointer_chase_run(&rings, &chase))
        complain(state.problem ? state.problem : "the pointer chase failed");
    put_chase(out, &chase);
    if (chase.line.kind == FOUND)
        loads.line = chase.line.value;
    if (probe_run(&loads, &probe)) {
        complain(state.problem ? state.problem : "the probe of the L1 failed");
        probe.stride_counts = 0; /* not all of them were tried */
    }
    put_probe(out, &probe);
    const struct rates_lab streams = {
        .read_sm = read_sm,
        .read_l2 = read_all,
        .read_memory = read_all,
        .load = load_lanes,
        .context = &state,
        .l1 = chase.level_count > 1 ? chase.levels[0].capacity.value / 2 : 16384,
        .l2 = facts.l2 / 2,
        .memory = facts.free / 4};
    if (rates_run(&streams, RATES_BANDWIDTHS | RATES_LANES, &rates))
        complain(state.problem);
    put_rates(out, &rates);
    gpu_close();
    if (fclose(out))
        return complain("the results cannot be written");
    fill_machine(&machine, &facts, &probe, &chase, &rates);
    return write_machine(yaml, &machine, &facts);
}

int main(int argc, char **argv)
{
    int device = 0;
    const char *base = "qv100";
    if (argc == 5 && !strcmp(argv[1], "chase")) {
        struct gpu_facts facts;
        const char *problem = gpu_open(0, &facts);
        if (!problem)
            problem = gpu_chase_once(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10),
                                     strtoull(argv[4], NULL, 10));
        return problem ? complain(problem) : EXIT_SUCCESS;
    }
    for (; argc > 4 && !strncmp(argv[1], "--", 2); argc -= 2, argv += 2) {
        if (!strcmp(argv[1], "--device"))
            device = (int)strtol(argv[2], NULL, 10);
        else if (!strcmp(argv[1], "--base"))
            base = argv[2];
        else
            return complain("expected --device N or --base MACHINE");
    }
    if (argc != 3)
        return complain("expected [--device N] [--base MACHINE] RESULTS.csv MACHINE.yaml");
    return run(device, base, argv[1], argv[2]);
}
