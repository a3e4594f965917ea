#include "report/experiments/cpwc_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "report/experiments/cpwc_figures.h"
#include "report/experiments/cpwc_numbers.h"
#include "report/experiments/paper_numbers.h"

/* The number of distinct L4 and L3 indices that gives the 45.8 % of the paper at 8 entries. */
enum { TABLE7_UPPER = 5 };

static const char *const class_names[] = {"-", "I", "II", "III"};
static const char *const hit_names[] = {"none", "L4", "L4 L3", "L4 L3 L2"};

bool cpwc_table_needs_study(enum cpwc_table table)
{
    return table < CPWC_EXAMPLE || table > CPWC_REDUNDANCY;
}

static void fill_indices(const struct cpwc_report *report, struct table *table)
{
    const struct cpwc_study *study = report->study;
    for (size_t i = 0; i < study->subjects; i++)
        for (int layout = 0; layout < CPWC_LAYOUTS; layout++) {
            const struct cpwc_result *result = cpwc_study_at(study, i, (enum cpwc_layout)layout);
            double gap = result->status ? NAN : 1;
            char *workload =
                cpwc_study_workload(study->names[i], study->full, (enum cpwc_layout)layout);
            table_text(table, study->names[i]->name);
            table_text(table, workload);
            table_text(table, class_names[study->names[i]->group]);
            for (size_t k = 0; k < 4; k++)
                paper_count(table, gap * (double)result->distinct[k]);
            table_text(table, class_names[cpwc_class_of(result->distinct[2])]);
            table_text(table, result->why);
            free(workload);
        }
}

static void fill_example(const struct cpwc_report *report, struct table *table)
{
    for (size_t i = 0; i < CPWC_EXAMPLE_STEPS; i++) {
        const struct cpwc_example_address *paper = &cpwc_example_addresses[i];
        const struct cpwc_example_step *step = &report->example[i];
        table_printf(table, "0x%012" PRIx64, paper->address);
        paper_count(table, step->indices.l4);
        paper_count(table, step->indices.l3);
        paper_count(table, step->indices.l2);
        paper_count(table, step->indices.l1);
        table_printf(table, "0x%03x", (unsigned)(paper->address & 0xfff));
        table_text(table, number_mark_name(paper->in_text ? MARK_TEXT : MARK_DERIVED));
        table_text(table, hit_names[paper->hit]);
        paper_count(table, paper->accesses);
        table_text(table, hit_names[step->hit]);
        paper_count(table, step->accesses);
        table_text(table, step->contents);
    }
}

static void fill_sizes(const struct cpwc_report *report, struct table *table)
{
    static const uint64_t rows[] = {4,  8,  12,  16,  20,  24,  32,  48, 62,
                                    64, 96, 128, 192, 256, 300, 409, 512};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double path = (double)cpwc_bits_of(report->config, PWC_TPC, rows[i]);
        double compressed = (double)cpwc_bits_of(report->config, PWC_CPWC, rows[i]);
        paper_count(table, (double)rows[i]);
        table_whole(table, path);
        table_whole(table, compressed);
        table_decimal(table, path / compressed, 2);
    }
}

static void fill_capacities(const struct cpwc_report *report, struct table *table)
{
    static const uint64_t rows[] = {880,  1760,  2640,  3520,  4400,  5280, 7040,
                                    8800, 10560, 14080, 28160, 56320, 66000};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t paths = cpwc_entries_in(report->config, PWC_TPC, rows[i]);
        uint64_t compressed = cpwc_entries_in(report->config, PWC_CPWC, rows[i]);
        table_whole(table, (double)rows[i]);
        table_whole(table, (double)paths);
        table_whole(table, (double)compressed);
        table_decimal(table, (double)compressed / (double)paths, 2);
    }
}

static void fill_redundancy(const struct cpwc_report *report, struct table *table)
{
    static const uint64_t rows[] = {8, 16, 24, 32, 64, 128, 256, 512};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t bits = cpwc_bits_of(report->config, PWC_TPC, rows[i]);
        table_whole(table, (double)bits);
        table_whole(table, (double)rows[i]);
        table_whole(table, (double)cpwc_entries_in(report->config, PWC_CPWC, bits));
        table_percent(table, pwc_redundancy(rows[i], TABLE7_UPPER));
        table_percent(table, 0);
    }
}

/* The pairs of machines that figure 3 and table 8 compare. */
static const struct comparison {
    enum cpwc_layout layout;
    enum cpwc_machine tpc, compressed;
} comparisons[] = {{CPWC_SPREAD, CPWC_TPC, CPWC_COMPRESSED},
                   {CPWC_SPREAD, CPWC_TPC_SHARED, CPWC_COMPRESSED_SHARED},
                   {CPWC_TOGETHER, CPWC_TPC, CPWC_COMPRESSED}};
enum { COMPARISONS = sizeof comparisons / sizeof *comparisons };

static const unsigned groups[] = {CPWC_CLASS_I, CPWC_CLASS_III, CPWC_CLASS_II, 0};
enum { GROUPS = sizeof groups / sizeof *groups };

static void fill_group_name(struct table *table, unsigned group)
{
    table_text(table, group ? "mean of class" : "mean");
    table_text(table, group ? class_names[group] : NULL);
}

static void fill_hits(const struct cpwc_report *report, struct table *table)
{
    const struct cpwc_study *study = report->study;
    for (size_t i = 0; i < study->subjects; i++) {
        table_text(table, study->names[i]->name);
        table_text(table, class_names[study->names[i]->group]);
        for (size_t k = 0; k < COMPARISONS; k++) {
            paper_rate(table, cpwc_l2_hits(study, i, comparisons[k].layout, comparisons[k].tpc));
            paper_rate(table,
                       cpwc_l2_hits(study, i, comparisons[k].layout, comparisons[k].compressed));
        }
    }
    for (size_t i = 0; i < GROUPS; i++) {
        fill_group_name(table, groups[i]);
        for (size_t k = 0; k < COMPARISONS; k++) {
            const struct comparison *comparison = &comparisons[k];
            paper_rate(table, cpwc_mean(study, groups[i], cpwc_l2_hits, comparison->layout,
                                        comparison->tpc));
            paper_rate(table, cpwc_mean(study, groups[i], cpwc_l2_hits, comparison->layout,
                                        comparison->compressed));
        }
    }
}

static void fill_accesses(const struct cpwc_report *report, struct table *table)
{
    const struct cpwc_study *study = report->study;
    for (size_t i = 0; i < study->subjects; i++) {
        table_text(table, study->names[i]->name);
        table_text(table, class_names[study->names[i]->group]);
        for (size_t k = 0; k < COMPARISONS; k++) {
            const struct comparison *comparison = &comparisons[k];
            const struct cpwc_result *result = cpwc_study_at(study, i, comparison->layout);
            double gap = result->status ? NAN : 1;
            if (comparison->layout == CPWC_SPREAD) {
                paper_count(table, gap * result->metrics[comparison->tpc].walk_memory_accesses);
                paper_count(table,
                            gap * result->metrics[comparison->compressed].walk_memory_accesses);
            }
            paper_rate(table, cpwc_reduction(study, i, comparison->layout, comparison->compressed));
        }
    }
    for (size_t i = 0; i < GROUPS; i++) {
        fill_group_name(table, groups[i]);
        for (size_t k = 0; k < COMPARISONS; k++) {
            const struct comparison *comparison = &comparisons[k];
            for (int gap = 0; gap < 2 && comparison->layout == CPWC_SPREAD; gap++)
                paper_count(table, NAN);
            paper_rate(table, cpwc_mean(study, groups[i], cpwc_reduction, comparison->layout,
                                        comparison->compressed));
        }
    }
}

static const struct {
    const char *name;
    enum cpwc_machine machine;
} organizations[] = {{"tpc", CPWC_TPC},
                     {"tpc, 3 ways", CPWC_TPC_SETS},
                     {"tpc, direct-mapped", CPWC_TPC_DIRECT},
                     {"stc", CPWC_STC},
                     {"uptc", CPWC_UPTC},
                     {"cpwc", CPWC_COMPRESSED}};

static void fill_organizations(const struct cpwc_report *report, struct table *table)
{
    const struct cpwc_study *study = report->study;
    for (size_t i = 0; i <= study->subjects; i++)
        for (size_t k = 0; k < sizeof organizations / sizeof *organizations; k++) {
            static const cpwc_figure figures[] = {cpwc_upper_hits, cpwc_l2_hits, cpwc_reduction,
                                                  cpwc_redundancy};
            enum cpwc_machine machine = organizations[k].machine;
            table_text(table, i < study->subjects ? study->names[i]->name : "mean");
            table_text(table, organizations[k].name);
            table_whole(table, (double)study->entries[machine]);
            for (size_t f = 0; f < sizeof figures / sizeof *figures; f++)
                paper_rate(table, i < study->subjects
                                      ? figures[f](study, i, CPWC_SPREAD, machine)
                                      : cpwc_mean(study, 0, figures[f], CPWC_SPREAD, machine));
        }
}

static const struct {
    const char *title;
    void (*fill)(const struct cpwc_report *report, struct table *table);
    const char *headers[14];
} layouts[CPWC_TABLES] = {
    [CPWC_INDICES] =
        {"Table 1. Distinct page-table indices. The paper's inputs are unknown: spread "
         "and sizes of the recipes were chosen for its classes",
         fill_indices,
         {"name", "workload", "class of the paper", ">L4", ">L3", ">L2", ">L1", "class by L2",
          "remark", NULL}},
    [CPWC_EXAMPLE] = {"Table 3 and the worked example, by machine cpwc-example",
                      fill_example,
                      {"address", ">L4", ">L3", ">L2", ">L1", ">offset", "mark", "paper hits",
                       ">paper accesses", "hits", ">accesses", "valid entries then", NULL}},
    [CPWC_SIZES] = {"Table 5. Bits for so many entries (our rows; the paper's are lost)",
                    fill_sizes,
                    {">entries", ">PWC bits", ">CPWC bits", ">ratio", NULL}},
    [CPWC_CAPACITIES] = {"Table 6. Entries in so many bits (our rows; the paper's are lost)",
                         fill_capacities,
                         {">bits", ">PWC entries", ">CPWC entries", ">ratio", NULL}},
    [CPWC_REDUNDANCY] = {"Table 7. Redundancy in % by the formula (2 N - 5) / (3 N): 1 L4 and 4 L3 "
                         "indices",
                         fill_redundancy,
                         {">bits", ">PWC entries", ">CPWC entries", ">PWC", ">CPWC", NULL}},
    [CPWC_HITS] = {"Figure 3. L2 hit rates in % at 5280 bits: TPC of 24, CPWC of 62 entries",
                   fill_hits,
                   {"name", "class", ">TPC", ">CPWC", ">TPC shared TLB", ">CPWC shared TLB",
                    ">TPC contiguous", ">CPWC contiguous", NULL}},
    [CPWC_ACCESSES] = {"Table 8. Page-table accesses at 5280 bits, and how many % fewer",
                       fill_accesses,
                       {"name", "class", ">TPC", ">CPWC", ">reduction", ">TPC shared TLB",
                        ">CPWC shared TLB", ">reduction shared TLB", ">reduction contiguous",
                        NULL}},
    [CPWC_ORGANIZATIONS] = {"All organizations in at most 5280 bits (ours alone), in %",
                            fill_organizations,
                            {"name", "organization", ">entries", ">L4 and L3 hits", ">L2 hits",
                             ">reduction", ">redundancy", NULL}},
};

enum status cpwc_report_table(const struct cpwc_report *report, enum cpwc_table which,
                              enum table_format format, FILE *out)
{
    if (which == CPWC_NUMBERS) {
        struct paper_numbers numbers = {0};
        cpwc_numbers(report, &numbers);
        return paper_numbers_table(&numbers, format, out);
    }
    struct table *table = table_create(layouts[which].headers);
    if (!table)
        return STATUS_MEMORY;
    layouts[which].fill(report, table);
    return table_finish(table, format, out);
}

/* Figure 3: a pair of bars for each program. */
static enum status draw_hits(const struct cpwc_report *report, FILE *out)
{
    const struct cpwc_study *study = report->study;
    struct cells cells;
    enum { LABEL = 15, BAR = 50 };
    if (cells_init(&cells, 2 * (int)study->subjects, LABEL + BAR + 12))
        return STATUS_MEMORY;
    for (size_t i = 0; i < study->subjects; i++)
        for (int k = 0; k < 2; k++) {
            char text[32];
            int row = (int)(2 * i) + k;
            double rate = cpwc_l2_hits(study, i, CPWC_SPREAD, k ? CPWC_COMPRESSED : CPWC_TPC);
            if (!k)
                cells_text(&cells, row, 0, ROLE_TEXT, study->names[i]->name);
            bar_draw(&cells, row, LABEL, BAR, isnan(rate) ? 0 : rate / 100,
                     k ? ROLE_SERIES_2 : ROLE_SERIES_1, report->glyphs);
            snprintf(text, sizeof text, "%5.1f %s", rate, k ? "CPWC" : "TPC");
            cells_text(&cells, row, LABEL + BAR + 1, ROLE_TEXT, text);
        }
    fputc('\n', out);
    cells_print(&cells, out);
    cells_free(&cells);
    return STATUS_OK;
}

static void print_notes(const struct cpwc_report *report, FILE *out)
{
    fputs("\nnote: the tables, figures and inputs of the paper are lost; our numbers are "
          "what this command ran, never fitted to its text\n"
          "note: spread recipes distribute the pages of 4 KiB over as many regions of 2 MiB as the "
          "class has; contiguous: the same programs with contiguous arrays\n"
          "note: a walk is a miss of one SM's TLB of 64 entries, looked up once for each page of a "
          "warp's access; the page-walk cache is shared, LRU and, unless its name says ways, fully "
          "associative\n"
          "note: shared TLB adds one of 64 entries after those of the SMs, so that SMs that need "
          "a page at about the same time make one walk; the paper does not say which it has\n",
          out);
    fputs(report->study->full ? "note: the suites' own sizes\n"
                              : "note: small inputs; --full takes the suites' own sizes\n",
          out);
    for (size_t i = 0; i < report->study->subjects; i++) {
        const struct cpwc_result *result = cpwc_study_at(report->study, i, CPWC_SPREAD);
        if (result->why)
            fprintf(out, "note: no number for %s: %s\n", report->study->names[i]->name,
                    result->why);
    }
}

enum status cpwc_report_print(const struct cpwc_report *report, FILE *out)
{
    struct paper_numbers numbers = {0};
    cpwc_numbers(report, &numbers);
    paper_numbers_print(&numbers, out);
    enum status status = STATUS_OK;
    for (int which = CPWC_INDICES; which < CPWC_TABLES && !status; which++) {
        fprintf(out, "\n%s\n", layouts[which].title);
        status = cpwc_report_table(report, (enum cpwc_table)which, TABLE_TEXT, out);
        if (!status && which == CPWC_HITS)
            status = draw_hits(report, out);
    }
    if (!status)
        print_notes(report, out);
    return !status && ferror(out) ? STATUS_IO : status;
}
