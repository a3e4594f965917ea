#include "explore/papers/cpwc_study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/gpu/stream_stats.h"
#include "workload/workload.h"

#define POLYBENCH "PolyBench/GPU"
#define RODINIA   "Rodinia"
#define ISPASS    "ISPASS-2009"

/* The quick size is a recipe in traces/; the full one is the suite's own size, spread over as many
 * regions. */
#define SUBJECT(name, suite, class, recipe, program, regions)                                      \
    {                                                                                              \
        name, suite, "cpwc-" recipe, program ":spread=" #regions ",placement=1", class             \
    }

const struct paper_subject cpwc_subjects[] = {
    SUBJECT("gramschmidt", POLYBENCH, CPWC_CLASS_I, "gramschmidt", "GRAMSCHMIDT", 24),
    SUBJECT("pathfinder", RODINIA, CPWC_CLASS_III, "pathfinder", "PATHFINDER", 43),
    SUBJECT("3DC", POLYBENCH, CPWC_CLASS_III, "3dc", "3DCONV", 64),
    SUBJECT("2DC", POLYBENCH, CPWC_CLASS_III, "2dc", "2DCONV", 64),
    SUBJECT("hotspot", RODINIA, CPWC_CLASS_III, "hotspot", "HOTSPOT", 43),
    SUBJECT("backprop", RODINIA, CPWC_CLASS_III, "backprop", "BACKPROP", 43),
    SUBJECT("b+tree", RODINIA, CPWC_CLASS_III, "btree", "B+TREE", 43),
    SUBJECT("gemm", POLYBENCH, CPWC_CLASS_III, "gemm", "GEMM", 43),
    SUBJECT("3mm", POLYBENCH, CPWC_CLASS_III, "3mm", "3MM", 43),
    SUBJECT("2mm", POLYBENCH, CPWC_CLASS_III, "2mm", "2MM", 40),
    SUBJECT("BFS", ISPASS, CPWC_CLASS_III, "bfs", "BFS-ISPASS", 43),
    SUBJECT("streamcluster", RODINIA, CPWC_CLASS_III, "streamcluster", "STREAMCLUSTER", 62),
    SUBJECT("STO", ISPASS, CPWC_CLASS_II, "sto", "STO", 409),
    SUBJECT("AES", ISPASS, CPWC_CLASS_II, "aes", "AES", 200),
    SUBJECT("RAY", ISPASS, CPWC_CLASS_II, "ray", "RAY", 200),
    SUBJECT("dwt2d", RODINIA, CPWC_CLASS_II, "dwt2d", "DWT2D", 200),
    SUBJECT("MUM", ISPASS, CPWC_CLASS_II, "mum", "MUM", 200),
    {.name = NULL},
};

#define SHARED_TLB "l2tlb.enabled=yes l2tlb.entries=64 l2tlb.ways=64"
#define MERGED     "walker.merge=yes"
#define SMALL_TLBS "tlb.entries=16 tlb.ways=16 l2tlb.enabled=yes l2tlb.entries=16 l2tlb.ways=16"

/* If the last field is true, the machine has as many entries as fit into CPWC_BITS. */
static const struct {
    const char *machine, *sets;
    bool equal_bits;
} settings[CPWC_MACHINES] = {
    [CPWC_TPC] = {"tpc-gtx480", "", true},
    [CPWC_COMPRESSED] = {"cpwc-gtx480", "", true},
    [CPWC_STC] = {"cpwc-gtx480", "pwc.organization=stc", true},
    [CPWC_UPTC] = {"cpwc-gtx480", "pwc.organization=uptc", true},
    [CPWC_SMALL_TLB] = {"tpc-gtx480", "tlb.entries=32 tlb.ways=32", false},
    [CPWC_TPC_SETS] = {"tpc-gtx480", "pwc.ways=3", false},
    [CPWC_TPC_DIRECT] = {"tpc-gtx480", "pwc.entries=16 pwc.ways=1", false},
    [CPWC_TPC_SHARED] = {"tpc-gtx480", SHARED_TLB, true},
    [CPWC_COMPRESSED_SHARED] = {"cpwc-gtx480", SHARED_TLB, true},
    [CPWC_TPC_300_SHARED] = {"tpc-gtx480", SHARED_TLB " pwc.entries=300", false},
    [CPWC_TPC_MERGED] = {"tpc-gtx480", MERGED, true},
    [CPWC_COMPRESSED_MERGED] = {"cpwc-gtx480", MERGED, true},
    [CPWC_TPC_SMALL] = {"tpc-gtx480", SMALL_TLBS, true},
    [CPWC_COMPRESSED_SMALL] = {"cpwc-gtx480", SMALL_TLBS, true},
};

unsigned cpwc_class_of(uint64_t distinct_l2)
{
    return distinct_l2 <= CPWC_PATHS     ? CPWC_CLASS_I
           : distinct_l2 <= CPWC_ENTRIES ? CPWC_CLASS_III
           : distinct_l2 > CPWC_WIDE     ? CPWC_CLASS_II
                                         : 0;
}

uint64_t cpwc_bits_of(const struct pwc_config *config, int organization, uint64_t entries)
{
    struct pwc_config changed = *config;
    changed.organization = organization;
    changed.entries = entries;
    return pwc_bits(&changed);
}

uint64_t cpwc_entries_in(const struct pwc_config *config, int organization, uint64_t bits)
{
    uint64_t entries = 0;
    while (entries < PWC_ENTRIES_MAX && cpwc_bits_of(config, organization, entries + 1) <= bits)
        entries++;
    return entries;
}

/* Recipes are spread and get a suffix to place their arrays together; for suite sizes it is the
 * other way round. */
char *cpwc_study_workload(const struct paper_subject *subject, bool full, enum cpwc_layout layout)
{
    char *text = NULL;
    int length;
    if (full)
        length = layout == CPWC_SPREAD
                     ? asprintf(&text, "%s", subject->full)
                     : asprintf(&text, "%.*s", (int)strcspn(subject->full, ":"), subject->full);
    else
        length = asprintf(&text, layout == CPWC_SPREAD ? "%s" : "%s:spread=0,placement=0",
                          subject->quick);
    return length < 0 ? NULL : text;
}

struct runs {
    struct cpwc_study *study;
    struct machine machines[CPWC_MACHINES];
    const struct evaluate_options *options;
};

static enum status make_machine(struct runs *runs, enum cpwc_machine which,
                                struct diagnostics *diagnostics)
{
    struct machine *machine = &runs->machines[which];
    const char *name = settings[which].machine, *sets = settings[which].sets;
    enum status status = paper_machine(name, sets, machine, diagnostics);
    if (status)
        return status;
    if (settings[which].equal_bits)
        machine->pwc.entries = cpwc_entries_in(&machine->pwc, machine->pwc.organization, CPWC_BITS);
    runs->study->entries[which] = machine->pwc.entries;
    return paper_machine_check(name, sets, machine, diagnostics);
}

/* Simulates all machines in one pass over a program, and counts its indices in another. */
static enum status run_source(const struct runs *runs, const struct trace_source *source,
                              struct cpwc_result *result, struct diagnostics *found)
{
    const struct machine *machines[CPWC_MACHINES];
    const struct evaluate_options how = {.depth = DEPTH_FUNCTIONAL,
                                         .cancel = runs->options ? runs->options->cancel : NULL};
    for (size_t i = 0; i < CPWC_MACHINES; i++)
        machines[i] = &runs->machines[i];
    enum status status =
        evaluate_many(machines, CPWC_MACHINES, source, &how, result->metrics, found);
    struct stream_stats stats;
    if (!status)
        status = stream_stats(source, &stats, NULL, found);
    if (!status)
        memcpy(result->distinct, stats.distinct, sizeof result->distinct);
    return status;
}

/* Runs one program in one layout. A workload that the model refuses is a result with a reason. */
static enum status run_one(void *argument, size_t i)
{
    const struct runs *runs = argument;
    struct cpwc_result *result = &runs->study->results[i];
    struct diagnostics found = DIAGNOSTICS_INIT;
    struct trace_source *source = NULL;
    char *text = cpwc_study_workload(runs->study->names[i / CPWC_LAYOUTS], runs->study->full,
                                     i % CPWC_LAYOUTS);
    result->status = text ? workload_open(text, &source, &found) : STATUS_MEMORY;
    if (!result->status)
        result->status = run_source(runs, source, result, &found);
    trace_source_free(source);
    free(text);
    return paper_job_end(result->status, &found, &result->why);
}

enum status cpwc_study_run(bool full, const char *only, int threads,
                           const struct evaluate_options *options, struct cpwc_study *study,
                           struct diagnostics *diagnostics)
{
    *study = (struct cpwc_study){.full = full};
    struct runs *runs = calloc(1, sizeof *runs);
    enum status status = runs ? paper_subjects_choose(cpwc_subjects, only, &study->names,
                                                      &study->subjects, diagnostics)
                              : STATUS_MEMORY;
    if (!status) {
        runs->study = study;
        runs->options = options;
        study->results = calloc(study->subjects * CPWC_LAYOUTS, sizeof *study->results);
        status = study->results ? STATUS_OK : STATUS_MEMORY;
    }
    for (size_t i = 0; i < CPWC_MACHINES && !status; i++)
        status = make_machine(runs, (enum cpwc_machine)i, diagnostics);
    if (!status)
        status = paper_jobs_run(study->subjects * CPWC_LAYOUTS, threads, options, run_one, runs);
    free(runs);
    if (status)
        cpwc_study_free(study);
    return status;
}

void cpwc_study_free(struct cpwc_study *study)
{
    for (size_t i = 0; study->results && i < study->subjects * CPWC_LAYOUTS; i++)
        free(study->results[i].why);
    free(study->results);
    free(study->names);
    *study = (struct cpwc_study){0};
}

/* The first three are the paper's. The others test what it implies: an entry found through the mask
 * of either parent, one excluded by a mask, and a second L3 index below a known L4 index. */
const struct cpwc_example_address cpwc_example_addresses[CPWC_EXAMPLE_STEPS] = {
    {0x7f72b010f1f0, PWC_HIT_NONE, 4, true}, {0x7f72bc30f1f0, PWC_HIT_L3, 2, true},
    {0x7ff2fc30f1f0, PWC_HIT_NONE, 4, true}, {0x7f72bc30f1f0, PWC_HIT_L2, 1, false},
    {0x7ff2fc30f1f0, PWC_HIT_L2, 1, false},  {0x7ff2f010f1f0, PWC_HIT_L3, 2, false},
    {0x7f72fc30f1f0, PWC_HIT_L4, 3, false},
};

struct contents {
    char *text;
    size_t length;
};

static void add_entry(void *argument, const struct pwc_entry *entry)
{
    struct contents *contents = argument;
    if (contents->length >= CPWC_EXAMPLE_TEXT)
        return;
    contents->length +=
        (size_t)snprintf(contents->text + contents->length, CPWC_EXAMPLE_TEXT - contents->length,
                         "%s%s", contents->length ? ", " : "", entry->text);
}

enum status cpwc_example_run(struct cpwc_example_step steps[CPWC_EXAMPLE_STEPS],
                             struct diagnostics *diagnostics)
{
    struct machine machine;
    struct pwc *pwc = NULL;
    enum status status = paper_machine("cpwc-example", "", &machine, diagnostics);
    if (!status)
        status = pwc_create(&machine.pwc, machine.page.size, &pwc);
    for (size_t i = 0; i < CPWC_EXAMPLE_STEPS && !status; i++) {
        struct cpwc_example_step *step = &steps[i];
        uint64_t address = cpwc_example_addresses[i].address;
        struct contents contents = {step->contents, 0};
        *step = (struct cpwc_example_step){.indices = page_split(address),
                                           .accesses = pwc_probe(pwc, address)};
        step->hit = pwc_walk(pwc, address);
        pwc_visit(pwc, add_entry, &contents);
    }
    pwc_free(pwc);
    return status;
}
