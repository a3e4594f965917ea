#include "explore/papers/bypass_study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/bypass/bypass.h"
#include "workload/workload.h"

#define PLATFORM "bypass-gtx480"

const struct paper_subject bypass_subjects[] = {
    {"2DCONV", "PolyBench/GPU", "2DCONV:ni=66,nj=4096", "2DCONV:n=4096", 0},
    {"3DCONV", "PolyBench/GPU", "3DCONV:ni=8,nj=256,nk=256", "3DCONV:n=256", 0},
    {"GEMM", "PolyBench/GPU", "GEMM:n=96", "GEMM:n=512", 0},
    {"bfs", "Rodinia", "BFS:nodes=4096", "BFS:nodes=65536", 0},
    {"spmv", "Parboil", "SPMV:rows=4000,calls=1", "SPMV:rows=146689,calls=1", 0},
    {.name = NULL},
};

const uint64_t bypass_sizes[BYPASS_SIZES] = {16 << 10,  32 << 10,  64 << 10,
                                             128 << 10, 256 << 10, 512 << 10};

static const char *const order_sets[BYPASS_ORDERS] = {
    [BYPASS_LRR] = "scheduler.policy=lrr", [BYPASS_GTO] = "scheduler.policy=gto"};

const char *const bypass_schedulers[BYPASS_SCHEDULERS_TRIED] = {"lrr", "gto", "tb_priority"};

#define SAMPLED  "l1d.bypass.policy=sampled"
#define PRIORITY "scheduler.policy=tb_priority"
#define FIRST    "scheduler.policy=tb_first"
#define GTO      "scheduler.policy=gto"
#define DESIGN   PRIORITY " " SAMPLED
#define LIST     "l1d.bypass.policy=list"
#define HASHED   "l1d.index=fermi"
#define ONE      "scheduler.count=1"

/* The loads that the paper bypasses: load 9 of 2DCONV; 1, 5, 10 and 11 of 3DCONV. */
#define LOADS_2D    0x100
#define LOADS_3D    0x611
#define WITH_LOAD_2 (LOADS_3D | 1 << 1)
#define LISTED      PRIORITY " " LIST

const struct bypass_change bypass_changes[] = {
    [BYPASS_PAPER] = {"as the paper says", "", "", DESIGN, BYPASS_PTX, 0,
                      "lrr against the design, which is sampled with tb_priority", 0},
    [BYPASS_LRR_PAIR] = {"lrr in both", "", "", SAMPLED, BYPASS_PTX, 0,
                         "verdicts of a first block that nothing hurries", 0},
    [BYPASS_GTO_PAIR] = {"gto in both", GTO, "", SAMPLED, BYPASS_PTX, 0,
                         "the order that the platform ships with", 0},
    {"gto, then the design", "", GTO, DESIGN, BYPASS_PTX, 0, "if the base was as shipped", 0},
    {"order alone", "", "", PRIORITY, BYPASS_PTX, 0, "tb_priority without any bypass", 0},
    {"four blocks per SM", "", "", DESIGN, BYPASS_FOUR, 0,
     "32 registers per thread; above 20, of which six blocks fit", 0},
    {"as compiled", "", "", DESIGN, BYPASS_COMPILED, 0,
     "machine code of nvcc 13, in which a warp has all its loads in flight, in another order", 0},
    {"first loads swapped", "", "", DESIGN, BYPASS_SWAPPED, 0,
     "the text says the pc of load 1 and not which point it loads; 3DCONV: that of the plane "
     "above",
     0},
    {"swapped, lrr in both", "", "", SAMPLED, BYPASS_SWAPPED, 0, "the same without the order", 0},
    {"swapped, hashed", HASHED, "", DESIGN, BYPASS_SWAPPED, 0, "with the index of later releases",
     0},
    {"swapped, one, hashed", ONE " " HASHED, "", DESIGN, BYPASS_SWAPPED, 0,
     "and with one scheduler", 0},
    {"hashed sets", HASHED, "", DESIGN, BYPASS_PTX, 0, "the index of later releases", 0},
    {"hashed, four blocks", HASHED, "", DESIGN, BYPASS_FOUR, 0, "both of these", 0},
    {"hashed, lrr in both", HASHED, "", SAMPLED, BYPASS_PTX, 0, "that index without the order", 0},
    {"the paper's loads", "", "", LISTED, BYPASS_PTX, LOADS_3D, "surer verdicts than ours", 0},
    {"its loads and 0x168", "", "", LISTED, BYPASS_PTX, WITH_LOAD_2,
     "load 2 of 3DCONV, which we bypass and the paper does not name", 0},
    {"its loads, lrr", "", "", LIST, BYPASS_PTX, LOADS_3D, "the same without the order", 0},
    {"its loads, hashed", HASHED, "", LISTED, BYPASS_PTX, LOADS_3D,
     "with the index of later releases", 0},
    {"its loads, hashed, four", HASHED, "", LISTED, BYPASS_FOUR, LOADS_3D, "and with four blocks",
     0},
    {"one scheduler", ONE, "", DESIGN, BYPASS_PTX, 0,
     "figure 4 orders all warps of an SM in one sequence; the platform has two schedulers", 0},
    {"one scheduler, hashed", ONE " " HASHED, "", DESIGN, BYPASS_PTX, 0,
     "with the index of later releases", 0},
    {"one, its loads", ONE, "", LISTED, BYPASS_PTX, LOADS_3D, "one scheduler and the paper's loads",
     0},
    {"one, its loads, hashed", ONE " " HASHED, "", LISTED, BYPASS_PTX, LOADS_3D, "all three", 0},
    {"first block alone", "", "", FIRST " " SAMPLED, BYPASS_PTX, 0,
     "no block has priority after the first of a launch has ended", 0},
    {"one, first block alone", ONE, "", FIRST " " SAMPLED, BYPASS_PTX, 0,
     "the same with one scheduler", 0},
    {"joins are hits", "", "", DESIGN " l1d.bypass.pending=yes", BYPASS_PTX, 0,
     "a request that joins a line in flight counts as its hit", 0},
    {"one table", "", "", DESIGN " l1d.bypass.shared=yes", BYPASS_PTX, 0,
     "one table of all SMs, and the period ends with the first of their first blocks", 0},
    {"one table, one scheduler", ONE, "", DESIGN " l1d.bypass.shared=yes", BYPASS_PTX, 0,
     "both of these", 0},
    {"no MSHR", "", "", DESIGN " l1d.bypass.mshr=no", BYPASS_PTX, 0,
     "a bypassed miss takes no MSHR, as loads with the L1D off do", 0},
    {"verdicts kept", "", "", DESIGN " l1d.bypass.reset=no", BYPASS_PTX, 0,
     "the table outlives a launch", 0},
    {"threshold 5", "", "", DESIGN, BYPASS_PTX, 0, "half the paper's", 5},
    {"threshold 20", "", "", DESIGN, BYPASS_PTX, 0, "twice the paper's", 20},
    {"a packet per cycle", "network.kind=crossbar", "", DESIGN, BYPASS_PTX, 0,
     "a network that takes a packet per cycle whatever its size", 0},
    {"64 MSHRs", "l1d.mshr.entries=64", "", DESIGN, BYPASS_PTX, 0, "twice as many lines in flight",
     0},
    {"longer queues", "l2.queue=64 network.ejected=32", "", DESIGN, BYPASS_PTX, 0,
     "the queues of a slice and of an SM as in GPGPU-Sim 4", 0},
    {"flushed", "l1d.flush=yes", "", DESIGN, BYPASS_PTX, 0, "the L1D begins each launch empty", 0},
    {.name = NULL},
};

size_t bypass_change_count(void)
{
    size_t count = 0;
    while (bypass_changes[count].name)
        count++;
    return count;
}

bool bypass_finds_loads(size_t change)
{
    return strstr(bypass_changes[change].design, SAMPLED);
}

const char *bypass_pair_sets(size_t change, enum bypass_machine machine, size_t program, char *text)
{
    const struct bypass_change *row = &bypass_changes[change];
    const char *own = machine == BYPASS_BASE ? row->base : row->design;
    int used = snprintf(text, BYPASS_SETS, "%s%s%s", row->sets, *row->sets && *own ? " " : "", own);
    if (row->threshold && machine == BYPASS_DESIGN)
        snprintf(text + used, (size_t)(BYPASS_SETS - used), " l1d.bypass.threshold=%u",
                 row->threshold);
    if (row->loads && machine == BYPASS_DESIGN)
        snprintf(text + used, (size_t)(BYPASS_SETS - used), " l1d.bypass.loads=0x%llx",
                 (unsigned long long)(program == BYPASS_3D ? row->loads : LOADS_2D));
    return text;
}

char *bypass_workload(const struct paper_subject *subject, enum bypass_slice slice,
                      enum bypass_code code)
{
    static const char *const small[BYPASS_PAPER_PROGRAMS] = {
        [BYPASS_2D] = "2DCONV:ni=34,nj=2048", [BYPASS_3D] = "3DCONV:ni=3,nj=256,nk=256"};
    static const char *const codes[] = {[BYPASS_PTX] = ",registers=20,ptx=1",
                                        [BYPASS_SWAPPED] = ",registers=20,ptx=2",
                                        [BYPASS_FOUR] = ",registers=32,ptx=1",
                                        [BYPASS_COMPILED] = ",registers=20"};
    char *text = NULL;
    const size_t program = (size_t)(subject - bypass_subjects);
    const bool paper = program < BYPASS_PAPER_PROGRAMS;
    const char *size = slice == BYPASS_FULL             ? subject->full
                       : slice == BYPASS_SMALL && paper ? small[program]
                                                        : subject->quick;
    const int length = asprintf(&text, "%s%s", size, paper ? codes[code] : "");
    return length < 0 ? NULL : text;
}

/* ---- where results are ---- */

size_t bypass_program_of(const struct bypass_study *study, size_t subject)
{
    return (size_t)(study->names[subject] - bypass_subjects);
}

bool bypass_of_paper(const struct bypass_study *study, size_t subject)
{
    return bypass_program_of(study, subject) < BYPASS_PAPER_PROGRAMS;
}

/* Changes that leave a machine as it was share the run of the first that has it. */
static size_t first_like(size_t change, enum bypass_machine machine)
{
    char text[BYPASS_SETS], other[BYPASS_SETS];
    size_t first = 0;
    bypass_pair_sets(change, machine, BYPASS_3D, text); /* whose lists differ */
    while (first < change && (bypass_changes[first].code != bypass_changes[change].code ||
                              strcmp(bypass_pair_sets(first, machine, BYPASS_3D, other), text)))
        first++;
    return first;
}

static struct bypass_result *size_slot(const struct bypass_study *study, size_t subject,
                                       size_t order, size_t size)
{
    return &study->sizes[(subject * BYPASS_ORDERS + order) * BYPASS_SIZES + size];
}

static struct bypass_result *pair_slot(const struct bypass_study *study, size_t subject,
                                       size_t change, size_t machine)
{
    return &study->pairs[(subject * study->changes + change) * BYPASS_MACHINES + machine];
}

static struct bypass_result *policy_slot(const struct bypass_study *study, size_t subject,
                                         size_t scheduler, size_t policy)
{
    return &study->measured[(subject * BYPASS_SCHEDULERS_TRIED + scheduler) * study->policies +
                            policy];
}

static const struct bypass_result *answered(const struct bypass_result *result)
{
    return result->status ? NULL : result;
}

const struct bypass_result *bypass_size_at(const struct bypass_study *study, size_t subject,
                                           enum bypass_order order, size_t size)
{
    return study->parts & BYPASS_PART_SIZES ? answered(size_slot(study, subject, order, size))
                                            : NULL;
}

static unsigned part_of(size_t change)
{
    return change < BYPASS_FIRST_PAIRS ? BYPASS_PART_PAIRS : BYPASS_PART_CHANGES;
}

const struct bypass_result *bypass_pair_at(const struct bypass_study *study, size_t subject,
                                           size_t change, enum bypass_machine machine)
{
    return study->parts & part_of(change)
               ? answered(pair_slot(study, subject, first_like(change, machine), machine))
               : NULL;
}

const struct bypass_result *bypass_policy_at(const struct bypass_study *study, size_t subject,
                                             size_t scheduler, size_t policy)
{
    return policy_slot(study, subject, scheduler, policy);
}

const struct bypass_result *bypass_best_set(const struct bypass_study *study, size_t subject,
                                            uint64_t *loads)
{
    const struct bypass_bounds *bounds = &study->bounds[subject];
    const struct bypass_result *best = NULL;
    for (uint64_t i = 0; i < bounds->sets; i++) {
        const struct bypass_result *one = answered(&bounds->tried[i]);
        if (one && (!best || one->metrics.core_ipc > best->metrics.core_ipc)) {
            best = one;
            *loads = i;
        }
    }
    return best;
}

const struct pc_count *bypass_load(const struct bypass_result *result, unsigned number)
{
    for (size_t i = 0; i < result->pcs.count; i++)
        if (result->pcs.items[i].op == OP_LOAD && result->pcs.items[i].accesses && !--number)
            return &result->pcs.items[i];
    return NULL;
}

const struct pc_count *bypass_pair_load(const struct bypass_study *study, size_t subject,
                                        size_t change, enum bypass_machine machine, unsigned number)
{
    /* Where nvcc 13 puts the loads of PTX. */
    static const uint8_t compiled[BYPASS_PAPER_PROGRAMS][BYPASS_LOADS_MAX] = {
        [BYPASS_2D] = {2, 1, 3, 4, 5, 6, 7, 8, 9},
        [BYPASS_3D] = {2, 1, 3, 5, 4, 6, 7, 8, 9, 10, 11}};
    const struct bypass_result *result = bypass_pair_at(study, subject, change, machine);
    if (bypass_changes[change].code == BYPASS_COMPILED)
        number = compiled[bypass_program_of(study, subject)][number - 1];
    return result ? bypass_load(result, number) : NULL;
}

/* ---- running ---- */

struct job {
    struct bypass_result *result;
    const struct paper_subject *subject;
    char sets[BYPASS_SETS];
    enum bypass_slice slice;
    enum bypass_code code;
    bool by_pc, optimum;
};

struct jobs {
    const struct evaluate_options *options;
    bool full;
    size_t count;
    struct job *items;
};

static int compare_pcs(const void *a, const void *b)
{
    const struct pc_count *left = a, *right = b;
    return left->pc < right->pc ? -1 : left->pc > right->pc;
}

static enum status run_source(const struct jobs *jobs, const struct job *job,
                              const struct machine *machine, const struct trace_source *source,
                              struct diagnostics *found)
{
    struct bypass_result *result = job->result;
    const struct evaluate_options how = {.depth = job->optimum ? DEPTH_FUNCTIONAL : DEPTH_TIMING,
                                         .needs = job->optimum ? NEED_OPTIMUM(STAGE_L1D) : 0,
                                         .pcs = job->by_pc ? &result->pcs : NULL,
                                         .cancel = jobs->options ? jobs->options->cancel : NULL};
    enum status status = evaluate(machine, source, &how, &result->metrics, found);
    pc_table_sort(&result->pcs); /* nothing can be added from now on */
    if (result->pcs.count)
        qsort(result->pcs.items, result->pcs.count, sizeof *result->pcs.items, compare_pcs);
    return status;
}

/* A machine that the model refuses is a result with a reason. */
static enum status run_job(void *argument, size_t i)
{
    const struct jobs *jobs = argument;
    const struct job *job = &jobs->items[i];
    struct bypass_result *result = job->result;
    struct diagnostics found = DIAGNOSTICS_INIT;
    struct trace_source *source = NULL;
    struct machine machine;
    char *text = bypass_workload(job->subject, jobs->full ? BYPASS_FULL : job->slice, job->code);
    result->status = paper_machine(PLATFORM, job->sets, &machine, &found);
    if (!result->status)
        result->status = paper_machine_check(PLATFORM, job->sets, &machine, &found);
    if (!result->status)
        result->status = text ? workload_open(text, &source, &found) : STATUS_MEMORY;
    if (!result->status)
        result->status = run_source(jobs, job, &machine, source, &found);
    trace_source_free(source);
    free(text);
    return paper_job_end(result->status, &found, &result->why);
}

__attribute__((format(printf, 5, 6))) static struct job *
add_job(struct jobs *jobs, struct bypass_result *result, const struct paper_subject *subject,
        enum bypass_code code, const char *format, ...)
{
    struct job *job = &jobs->items[jobs->count++];
    va_list arguments;
    *job = (struct job){.result = result, .subject = subject, .code = code, .by_pc = true};
    va_start(arguments, format);
    vsnprintf(job->sets, sizeof job->sets, format, arguments);
    va_end(arguments);
    return job;
}

static void add_sizes(const struct bypass_study *study, size_t subject, struct jobs *jobs)
{
    for (size_t order = 0; order < BYPASS_ORDERS; order++)
        for (size_t i = 0; i < BYPASS_SIZES; i++)
            add_job(jobs, size_slot(study, subject, order, i), study->names[subject], BYPASS_PTX,
                    "%s l1d.size=%lluB", order_sets[order], (unsigned long long)bypass_sizes[i]);
}

static void add_pairs(const struct bypass_study *study, size_t subject, struct jobs *jobs)
{
    char sets[BYPASS_SETS];
    for (size_t change = 0; change < study->changes; change++)
        for (size_t machine = 0; machine < BYPASS_MACHINES; machine++)
            if (study->parts & part_of(change) && first_like(change, machine) == change)
                add_job(jobs, pair_slot(study, subject, change, machine), study->names[subject],
                        bypass_changes[change].code, "%s",
                        bypass_pair_sets(change, machine, bypass_program_of(study, subject), sets));
}

static void add_policies(const struct bypass_study *study, size_t subject, struct jobs *jobs)
{
    const struct parameter *policy = parameter_find("l1d.bypass.policy");
    for (size_t scheduler = 0; scheduler < BYPASS_SCHEDULERS_TRIED; scheduler++)
        for (size_t i = 0; i < study->policies; i++) {
            struct job *job =
                add_job(jobs, policy_slot(study, subject, scheduler, i), study->names[subject],
                        BYPASS_PTX, "scheduler.policy=%s l1d.bypass.policy=%s",
                        bypass_schedulers[scheduler], policy->choices[i].name);
            job->slice = BYPASS_SMALL;
            job->by_pc = false;
        }
}

static void add_bounds(const struct bypass_study *study, size_t subject, struct jobs *jobs)
{
    struct bypass_bounds *bounds = &study->bounds[subject];
    struct job *job = add_job(jobs, &bounds->optimum, study->names[subject], BYPASS_PTX, "%s", "");
    job->slice = BYPASS_SMALL;
    job->by_pc = false;
    job->optimum = true;
    for (uint64_t i = 0; i < bounds->sets; i++) {
        job = add_job(jobs, &bounds->tried[i], study->names[subject], BYPASS_PTX,
                      "scheduler.policy=%s " LIST " l1d.bypass.loads=0x%llx", bypass_schedulers[0],
                      (unsigned long long)i);
        job->slice = BYPASS_SMALL;
        job->by_pc = false;
    }
}

static void add_jobs(const struct bypass_study *study, struct jobs *jobs)
{
    for (size_t i = 0; i < study->subjects; i++) {
        if (bypass_of_paper(study, i) && study->parts & BYPASS_PART_SIZES)
            add_sizes(study, i, jobs);
        if (bypass_of_paper(study, i))
            add_pairs(study, i, jobs);
        if (study->parts & BYPASS_PART_POLICIES)
            add_policies(study, i, jobs);
        if (study->parts & BYPASS_PART_BOUNDS)
            add_bounds(study, i, jobs);
    }
}

/* The most loads of a kernel of the source. */
static unsigned most_loads(const struct trace_source *source)
{
    unsigned most = 0;
    for (uint32_t i = 0; i < source->launch_count; i++) {
        const struct trace_code *code = trace_launch_code(source, i);
        unsigned loads = 0;
        for (uint32_t k = 0; code && k < code->count; k++)
            loads += bypass_numbers_load(&code->items[k]);
        most = loads > most ? loads : most;
    }
    return most;
}

/* Room for the sets of loads of a program, where they are few enough to try all of them. */
static enum status make_sets(const struct bypass_study *study, size_t subject,
                             struct diagnostics *diagnostics)
{
    struct bypass_bounds *bounds = &study->bounds[subject];
    struct trace_source *source = NULL;
    char *text = bypass_workload(study->names[subject], BYPASS_SMALL, BYPASS_PTX);
    enum status status = text ? workload_open(text, &source, diagnostics) : STATUS_MEMORY;
    const unsigned loads = status ? 0 : most_loads(source);
    trace_source_free(source);
    free(text);
    if (status || loads > BYPASS_SEARCHED_LOADS || study->full)
        return status;
    bounds->sets = UINT64_C(1) << loads;
    bounds->tried = calloc(bounds->sets, sizeof *bounds->tried);
    return bounds->tried ? STATUS_OK : STATUS_MEMORY;
}

static enum status make_bounds(struct bypass_study *study, size_t *jobs,
                               struct diagnostics *diagnostics)
{
    enum status status = STATUS_OK;
    study->bounds = calloc(study->subjects, sizeof *study->bounds);
    if (!study->bounds)
        return STATUS_MEMORY;
    for (size_t i = 0; i < study->subjects && !status && study->parts & BYPASS_PART_BOUNDS; i++) {
        status = make_sets(study, i, diagnostics);
        *jobs += 1 + study->bounds[i].sets;
    }
    return status;
}

static enum status make_room(struct bypass_study *study, struct jobs *jobs,
                             struct diagnostics *diagnostics)
{
    const size_t sizes = study->subjects * BYPASS_ORDERS * BYPASS_SIZES;
    const size_t pairs = study->subjects * study->changes * BYPASS_MACHINES;
    const size_t measured = study->subjects * BYPASS_SCHEDULERS_TRIED * study->policies;
    study->sizes = calloc(sizes, sizeof *study->sizes);
    study->pairs = calloc(pairs, sizeof *study->pairs);
    study->measured = calloc(measured, sizeof *study->measured);
    size_t count = sizes + pairs + measured;
    const enum status status = make_bounds(study, &count, diagnostics);
    if (status)
        return status;
    jobs->items = calloc(count, sizeof *jobs->items);
    return study->sizes && study->pairs && study->measured && jobs->items ? STATUS_OK
                                                                          : STATUS_MEMORY;
}

enum status bypass_study_run(unsigned parts, bool full, const char *only, int threads,
                             const struct evaluate_options *options, struct bypass_study *study,
                             struct diagnostics *diagnostics)
{
    struct jobs jobs = {.options = options, .full = full};
    *study = (struct bypass_study){.full = full,
                                   .parts = parts & BYPASS_PART_CHANGES ? parts | BYPASS_PART_PAIRS
                                                                        : parts,
                                   .changes = bypass_change_count(),
                                   .policies = parameter_find("l1d.bypass.policy")->choice_count};
    enum status status =
        paper_subjects_choose(bypass_subjects, only, &study->names, &study->subjects, diagnostics);
    if (!status)
        status = make_room(study, &jobs, diagnostics);
    if (!status) {
        add_jobs(study, &jobs);
        status = paper_jobs_run(jobs.count, threads, options, run_job, &jobs);
    }
    free(jobs.items);
    if (status)
        bypass_study_free(study);
    return status;
}

static void free_results(struct bypass_result *results, size_t count)
{
    for (size_t i = 0; results && i < count; i++) {
        free(results[i].why);
        pc_table_free(&results[i].pcs);
    }
    free(results);
}

void bypass_study_free(struct bypass_study *study)
{
    free_results(study->sizes, study->subjects * BYPASS_ORDERS * BYPASS_SIZES);
    free_results(study->pairs, study->subjects * study->changes * BYPASS_MACHINES);
    free_results(study->measured, study->subjects * BYPASS_SCHEDULERS_TRIED * study->policies);
    for (size_t i = 0; study->bounds && i < study->subjects; i++) {
        free_results(study->bounds[i].tried, study->bounds[i].sets);
        free(study->bounds[i].optimum.why);
    }
    free(study->bounds);
    free(study->names);
    *study = (struct bypass_study){0};
}
