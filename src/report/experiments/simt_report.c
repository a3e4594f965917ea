#include "report/experiments/simt_report.h"

#include <inttypes.h>
#include <math.h>

#include "report/experiments/paper_numbers.h"
#include "report/experiments/simt_numbers.h"
#include "schema/families.h"

static double hit_rate(double misses, double accesses)
{
    return accesses > 0 ? 1 - misses / accesses : NAN;
}

static const char *policy_name(size_t policy)
{
    return replacement_facts[simt_policies[policy]].name;
}

/* A row a program and policy. Hit rates are those of the functional depth; depth timing differs in
 * the order of accesses alone. */
static void fill_runs(const struct simt_study *study, enum simt_caches caches, struct table *table)
{
    for (size_t i = 0; i < study->subjects; i++)
        for (size_t policy = 0; policy < SIMT_POLICIES; policy++) {
            const struct simt_run *result = simt_study_at(study, i, policy, caches);
            const struct metrics *counts = &result->counts, *time = &result->time;
            const double gap = result->status ? NAN : 1;
            table_text(table, study->names[i]->name);
            table_text(table, policy_name(policy));
            table_flag(table, policy < SIMT_PAPER_POLICIES);
            table_whole(table, gap * counts->l1i_accesses);
            table_percent(table, gap * hit_rate(counts->l1i_misses, counts->l1i_accesses));
            table_percent(table, gap * hit_rate(counts->l1i_tag_reads, counts->l1i_accesses));
            table_whole(table, gap * counts->l1d_accesses);
            table_percent(table, gap * hit_rate(counts->l1d_misses, counts->l1d_accesses));
            table_percent(table, gap * hit_rate(time->l1d_tag_reads, time->l1d_accesses));
            table_whole(table, gap * time->core_cycles);
            table_percent(table, gap * time->core_slots_issued);
            table_percent(table, gap * time->core_slots_instruction);
            table_percent(table, gap * time->core_slots_memory);
        }
}

static void fill_programs(const struct simt_study *study, struct table *table)
{
    fill_runs(study, SIMT_PAPER_CACHES, table);
}

static void fill_small(const struct simt_study *study, struct table *table)
{
    fill_runs(study, SIMT_SMALL_CACHES, table);
}

/* What the paper has of a cache beside ours; its table of resources is lost. */
static void add_paper(struct table *table, enum simt_cache cache, size_t policy)
{
    const double delay = cache == SIMT_ICACHE ? SIMT_PAPER_ICACHE_S : SIMT_PAPER_DCACHE_S;
    static const double bits[SIMT_BOTH][SIMT_PAPER_POLICIES] = {{4, 64, 64, 18}, {2, 8, 8, 3}};
    const bool has = policy < SIMT_PAPER_POLICIES;
    table_whole(table, has ? bits[cache][policy] : NAN);
    table_decimal(table, has ? 1e9 * delay : NAN, 3);
    table_whole(table, has ? SIMT_PAPER_CLOCK / 1e6 : NAN);
}

static void fill_fpga(const struct simt_study *study, struct table *table)
{
    static const char *const names[SIMT_BOTH] = {"I$", "D$"};
    for (enum simt_cache cache = SIMT_ICACHE; cache < SIMT_BOTH; cache++)
        for (size_t policy = 0; policy < SIMT_POLICIES; policy++) {
            const struct simt_cost *cost = &study->costs[cache][policy];
            table_text(table, names[cache]);
            table_text(table, policy_name(policy));
            table_whole(table, (double)cost->set);
            table_whole(table, (double)cost->all);
            table_whole(table, cost->fpga.ram18);
            table_whole(table, ceil(cost->fpga.ram18 / 2));
            table_whole(table, cost->fpga.lutram);
            table_whole(table, cost->fpga.luts);
            table_whole(table, ceil(FPGA_LOGIC_MOST * cost->fpga.luts));
            table_whole(table, cost->fpga.registers);
            add_paper(table, cache, policy);
        }
}

#define RUN_HEADERS                                                                                \
    {                                                                                              \
        "program", "policy", "paper|of_the_paper", ">fetches|l1i.accesses",                        \
            ">I$ hits|l1i.hit_rate", ">tags saved|l1i.tag_reads_saved", ">accesses|l1d.accesses",  \
            ">D$ hits|l1d.hit_rate", ">tags saved|l1d.tag_reads_saved", ">cycles|core.cycles",     \
            ">issued|core.issued", ">fetch stalls|core.stall.instruction",                         \
            ">memory stalls|core.stall.memory", NULL                                               \
    }

static const struct {
    const char *title;
    void (*fill)(const struct simt_study *study, struct table *table);
    const char *headers[16];
} layouts[SIMT_TABLES] = {
    [SIMT_PROGRAMS] = {"Programs and policies, with the paper's caches. Shares in %", fill_programs,
                       RUN_HEADERS},
    [SIMT_SMALL] = {"The same with an I$ of one set of 16 lines of 16 B and a D$ of 512 B, in "
                    "which lines must leave",
                    fill_small, RUN_HEADERS},
    [SIMT_FPGA] = {"FPGA resources of one cache, ours beside what the paper has (its table 1 is "
                   "lost; delays are those of its whole caches)",
                   fill_fpga,
                   {"cache", "policy", ">bits a set|set_bits", ">of all sets|state_bits",
                    ">RAMB18|ram18", ">RAMB36|ram36", ">LUTRAM|lutram", ">LUT from|luts",
                    ">to|luts_most", ">FF|registers", ">paper: bits|paper.set_bits",
                    ">ns|paper.delay_ns", ">MHz|paper.clock_mhz", NULL}},
};

enum status simt_report_table(const struct simt_study *study, enum simt_table which,
                              enum table_format format, FILE *out)
{
    if (which == SIMT_NUMBERS) {
        struct paper_numbers numbers = {0};
        simt_numbers(study, &numbers);
        return paper_numbers_table(&numbers, format, out);
    }
    struct table *table = table_create(layouts[which].headers);
    if (!table)
        return STATUS_MEMORY;
    layouts[which].fill(study, table);
    return table_finish(table, format, out);
}

static void print_notes(const struct simt_study *study, FILE *out)
{
    fputs(
        "\nnote: the paper names nine programs and prints the result of one; its instructions, "
        "programs, inputs, hit rates and cycles are not public. Ours are those of docs/SIMT.md\n"
        "note: it leaves open the state at power-up, what stores do, the width and latency of the "
        "bus, and whether a repeated line changes another policy than the pseudo-LRU (here it "
        "changes none): machine simt-processor marks its choices\n"
        "note: hits, accesses and tags of the I$ are those of the functional depth; cycles, stalls "
        "and tags of the D$ those of depth timing\n"
        "note: LUTs of logic are those of an ideal mapping and 2.5 times as many, which covers "
        "what "
        "yosys makes; block and distributed RAM are counted exactly\n",
        out);
    fputs(study->full ? "note: large inputs\n" : "note: small inputs; --full takes larger ones\n",
          out);
    for (size_t i = 0; i < study->subjects; i++) {
        const struct simt_run *result = simt_study_at(study, i, 0, SIMT_PAPER_CACHES);
        if (result->why)
            fprintf(out, "note: no number for %s: %s\n", study->names[i]->name, result->why);
    }
}

enum status simt_report_print(const struct simt_study *study, FILE *out)
{
    struct paper_numbers numbers = {0};
    simt_numbers(study, &numbers);
    paper_numbers_print(&numbers, out);
    enum status status = STATUS_OK;
    for (int which = SIMT_PROGRAMS; which < SIMT_TABLES && !status; which++) {
        fprintf(out, "\n%s\n", layouts[which].title);
        status = simt_report_table(study, (enum simt_table)which, TABLE_TEXT, out);
    }
    if (!status)
        print_notes(study, out);
    return !status && ferror(out) ? STATUS_IO : status;
}
