#include "report/experiments/probe_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "model/gpu/occupancy.h"
#include "schema/parameters.h"

enum { ROW_TEXT = 200, ROW_LONG = ROW_TEXT + 16, CHART_ROWS = 16, CHART_COLUMNS = 78 };

/* A property of the cache: what was found, what is configured, and whether the two agree. */
struct probe_row {
    const char *property;
    const struct finding *finding;
    char found[ROW_LONG], configured[ROW_TEXT];
    bool same; /* equal values, or a configured limit that the probe did not reach */
    bool numeric;
    double found_number, configured_number; /* for programs, in base units; NaN: no limit */
};

static void print_finding(struct probe_row *row, const char *value)
{
    switch (row->finding->kind) {
    case FOUND_NOTHING:
        snprintf(row->found, ROW_LONG, "not determined");
        break;
    case FOUND:
        snprintf(row->found, ROW_LONG, "%s", value);
        break;
    case FOUND_AT_LEAST:
        snprintf(row->found, ROW_LONG, "at least %s", value);
        break;
    case FOUND_NO_LIMIT:
        snprintf(row->found, ROW_LONG, "no limit of its own");
        break;
    }
}

static void probe_compare(struct probe_row *row, uint64_t configured)
{
    const struct finding *finding = row->finding;
    row->same =
        finding->kind == FOUND ? finding->value == configured : configured >= finding->value;
}

static struct probe_row count_row(const char *property, const struct finding *finding,
                                  uint64_t configured)
{
    struct probe_row row = {.property = property, .finding = finding};
    char text[ROW_TEXT];
    snprintf(text, sizeof text, "%" PRIu64, finding->value);
    print_finding(&row, text);
    snprintf(row.configured, ROW_TEXT, "%" PRIu64, configured);
    probe_compare(&row, configured);
    row.numeric = true;
    row.found_number = (double)finding->value;
    row.configured_number = (double)configured;
    return row;
}

static struct probe_row bytes_row(const char *property, const struct finding *finding,
                                  uint64_t scale, uint64_t configured)
{
    struct probe_row row = {.property = property, .finding = finding};
    char text[QUANTITY_TEXT];
    print_finding(&row, quantity_print_uint(finding->value * scale, UNIT_BYTES, text));
    snprintf(row.configured, ROW_TEXT, "%s", quantity_print_uint(configured, UNIT_BYTES, text));
    row.same = finding->kind == FOUND ? finding->value * scale == configured
                                      : configured >= finding->value * scale;
    row.numeric = true;
    row.found_number = (double)(finding->value * scale);
    row.configured_number = (double)configured;
    return row;
}

static struct probe_row miss_time_row(const struct probe_report *report)
{
    const struct reuse_parameters *reuse = &report->machine->l1d.reuse;
    struct probe_row row = {.property = "time of a miss", .finding = &report->probe->miss_time};
    char text[ROW_TEXT];
    uint64_t least = report->probe->miss_time.value, most = report->probe->miss_time_most;
    if (most > least)
        snprintf(text, sizeof text, "%" PRIu64 " to %" PRIu64 " slots", least, most);
    else
        snprintf(text, sizeof text, "%" PRIu64 " slots", least);
    print_finding(&row, text);
    if (reuse->latency_sigma > 0)
        snprintf(row.configured, ROW_TEXT, "%" PRIu64 " + |N(0, %g^2)|", reuse->latency,
                 reuse->latency_sigma);
    else
        snprintf(row.configured, ROW_TEXT, "%" PRIu64, reuse->latency);
    row.same = least >= reuse->latency && (double)(least - reuse->latency) <= reuse->latency_sigma;
    return row;
}

static struct probe_row hit_time_row(const struct probe_report *report)
{
    struct probe_row row = count_row("time of a hit", &report->probe->hit_time,
                                     report->machine->l1d.reuse.hit_latency);
    size_t length = strlen(row.found);
    snprintf(row.found + length, ROW_LONG - length, " slots");
    return row;
}

static const char *choice_name(const char *path, int value)
{
    return parameter_find(path)->choices[value].name;
}

static struct probe_row replacement_row(const struct probe_report *report)
{
    static const char *const names[] = {[POLICY_UNKNOWN] = "", "lru", "fifo"};
    const struct finding *finding = &report->probe->replacement;
    int configured = report->machine->l1d.replacement;
    struct probe_row row = {.property = "replacement", .finding = finding};
    print_finding(&row, names[finding->value]);
    snprintf(row.configured, ROW_TEXT, "%s", choice_name("l1d.replacement", configured));
    row.same = !strcmp(row.configured, names[finding->value]);
    return row;
}

/* Names all index functions that produce the sets found: the probe may not tell them apart. */
static struct probe_row index_row(const struct probe_report *report)
{
    const struct probe *probe = report->probe;
    struct probe_row row = {.property = "set index", .finding = &probe->index};
    char names[ROW_TEXT] = "";
    for (int i = 0; i < INDEX_COUNT; i++) {
        size_t length = strlen(names);
        if (probe_index_is(probe, i))
            snprintf(names + length, sizeof names - length, "%s%s", length ? " = " : "",
                     choice_name("l1d.index", i));
    }
    bool one = probe->index.value == MAPPING_ONE_SET;
    print_finding(&row, one ? "one set" : *names ? names : "a hash without a name here");
    snprintf(row.configured, ROW_TEXT, "%s", choice_name("l1d.index", report->machine->l1d.index));
    row.same = one ? cache_sets(&report->machine->l1d) == 1
                   : probe_index_is(probe, report->machine->l1d.index);
    return row;
}

static struct probe_row per_warp_row(const struct probe_report *report)
{
    const struct finding *finding = &report->probe->mshr_per_warp;
    uint64_t configured = report->machine->l1d.mshr.per_warp;
    uint64_t all = report->machine->l1d.mshr.entries;
    struct probe_row row =
        count_row("MSHRs of one warp", finding, configured ? configured : UINT64_MAX);
    if (!configured) {
        snprintf(row.configured, ROW_TEXT, "no limit of its own");
        row.configured_number = NAN;
    }
    if (finding->kind == FOUND_NO_LIMIT)
        row.same = !configured || configured >= all;
    return row;
}

enum { ROWS = 10 };

static void make_rows(const struct probe_report *report, struct probe_row rows[ROWS])
{
    const struct probe *probe = report->probe;
    const struct cache_config *l1d = &report->machine->l1d;
    uint64_t ways = occupancy_l1d_ways_alone(report->machine), sets = cache_sets(l1d);
    const struct probe_row made[ROWS] = {
        hit_time_row(report),
        miss_time_row(report),
        bytes_row("line", &probe->line, 1, l1d->line),
        bytes_row("capacity", &probe->lines, probe->line.value, l1d->line * ways * sets),
        count_row("ways", &probe->ways, ways),
        count_row("sets", &probe->sets, sets),
        index_row(report),
        replacement_row(report),
        per_warp_row(report),
        count_row("MSHRs of the SM", &probe->mshr_per_sm, l1d->mshr.entries)};
    memcpy(rows, made, sizeof made);
}

static const char *verdict_of(const struct probe_row *row)
{
    if (row->finding->kind == FOUND_NOTHING)
        return "unknown";
    return row->same ? "agrees" : "differs";
}

static void fill_organization(const struct probe_report *report, struct table *table)
{
    struct probe_row rows[ROWS];
    make_rows(report, rows);
    for (size_t i = 0; i < ROWS; i++) {
        table_text(table, rows[i].property);
        if (rows[i].numeric && rows[i].finding->kind == FOUND)
            table_number(table, rows[i].found_number, rows[i].found);
        else
            table_text(table, rows[i].found);
        if (rows[i].numeric)
            table_number(table, rows[i].configured_number, rows[i].configured);
        else
            table_text(table, rows[i].configured);
        table_text(table, verdict_of(&rows[i]));
        table_text(table, rows[i].finding->why);
    }
}

/* Prints "a7 ^ a13": the address bits that make up one bit of the set index. */
static void print_bits(const struct probe *probe, unsigned set_bit, char text[ROW_TEXT])
{
    size_t length = 0;
    *text = '\0';
    for (unsigned bit = 0; bit < probe->address_bits && length < ROW_TEXT; bit++)
        if (probe->columns[bit] >> set_bit & 1)
            length += (size_t)snprintf(text + length, ROW_TEXT - length, "%sa%u",
                                       length ? " ^ " : "", bit);
}

static void fill_index(const struct probe_report *report, struct table *table)
{
    const struct probe *probe = report->probe;
    if (probe->index.kind != FOUND || probe->index.value != MAPPING_XOR)
        return;
    for (unsigned bit = 0; UINT64_C(1) << bit < probe->sets.value; bit++) {
        char number[8], bits[ROW_TEXT];
        snprintf(number, sizeof number, "%u", bit);
        print_bits(probe, bit, bits);
        table_number(table, bit, number);
        table_text(table, bits);
    }
}

static void fill_stride(const struct probe_report *report, struct table *table)
{
    const struct probe *probe = report->probe;
    char text[QUANTITY_TEXT];
    for (unsigned i = 0; i < PROBE_STRIDES; i++)
        for (unsigned k = 0; k < probe->stride_counts; k++) {
            double loads = ldexp(1, (int)k), misses = (double)probe->stride_misses[i][k];
            unsigned bit = probe->stride_bit + i;
            snprintf(text, sizeof text, "%u", bit);
            table_number(table, bit, text);
            table_number(table, loads, quantity_print_short(loads, UNIT_NONE, 4, text));
            table_number(table, misses, quantity_print_short(misses, UNIT_NONE, 4, text));
            double rate = (loads + misses) / (2 * loads);
            table_number(table, rate, quantity_print_short(rate, UNIT_PERCENT, 3, text));
        }
}

enum status probe_report_table(const struct probe_report *report, enum probe_table which,
                               enum table_format format, FILE *out)
{
    static const char *const headers[][6] = {
        [PROBE_ORGANIZATION] = {"property", "inferred", "configured", "verdict", "remark", NULL},
        [PROBE_INDEX] = {">bit of the set", "exclusive-or of address bits", NULL},
        [PROBE_STRIDE] = {">log2 stride", ">loads of a loop", ">misses of the second", ">miss rate",
                          NULL}};
    static void (*const fill[])(const struct probe_report *,
                                struct table *) = {fill_organization, fill_index, fill_stride};
    struct table *table = table_create(headers[which]);
    if (!table)
        return STATUS_MEMORY;
    fill[which](report, table);
    return table_finish(table, format, out);
}

static void print_strides(const struct probe *probe, FILE *out)
{
    fputs("\nTwo loops of n loads, smallest power of two n of which the second loop misses:\n"
          "log2 stride",
          out);
    for (unsigned i = 0; i < PROBE_STRIDES; i++)
        fprintf(out, " %5u", probe->stride_bit + i);
    fputs("\nloads      ", out);
    for (unsigned i = 0; i < PROBE_STRIDES; i++) {
        uint64_t limit = probe_stride_limit(probe, i);
        if (limit)
            fprintf(out, " %5" PRIu64, limit);
        else
            fprintf(out, " %5s", "none");
    }
    fputc('\n', out);
}

static enum status draw_strides(const struct probe_report *report, FILE *out)
{
    const struct probe *probe = report->probe;
    double x[PROBE_STRIDES], y[PROBE_STRIDES];
    for (unsigned i = 0; i < PROBE_STRIDES; i++) {
        uint64_t limit = probe_stride_limit(probe, i);
        x[i] = probe->stride_bit + i;
        y[i] = limit ? (double)limit : NAN;
    }
    const struct series series = {
        .kind = SERIES_LINE, .role = ROLE_SERIES_1, .x = x, .y = y, .count = PROBE_STRIDES};
    const struct chart chart = {.series = &series,
                                .series_count = 1,
                                .x = {.label = "log2 stride"},
                                .y = {.logarithmic = true},
                                .cursor = NAN,
                                .title = "loads that no longer fit, over log2 of their stride",
                                .glyphs = report->glyphs};
    fputc('\n', out);
    return chart_print(&chart, CHART_ROWS, CHART_COLUMNS, out);
}

static void print_mapping(const struct probe_report *report, FILE *out)
{
    const struct probe *probe = report->probe;
    if (probe->index.kind != FOUND || probe->index.value == MAPPING_ONE_SET)
        return;
    fputs("\nSets are named by the first line that falls in them", out);
    if (probe->index.value == MAPPING_MODULO) {
        fprintf(out, ":\nset = line number modulo %" PRIu64 "\n", probe->sets.value);
        return;
    }
    fprintf(out, "; a7 is bit 7 of the address, up to bit %u:\n", report->probe->address_bits - 1);
    for (unsigned bit = 0; UINT64_C(1) << bit < probe->sets.value; bit++) {
        char bits[ROW_TEXT];
        print_bits(probe, bit, bits);
        fprintf(out, "set[%u] = %s\n", bit, bits);
    }
}

static void print_notes(const struct machine *machine, FILE *out)
{
    const struct reuse_parameters *reuse = &machine->l1d.reuse;
    struct machine timed = *machine;
    const char *notes[8];
    timed.l1d.reuse.mode = REUSE_TEXTBOOK;
    size_t count = evaluate_notes(&timed, DEPTH_REUSE, notes, sizeof notes / sizeof *notes);
    fputs("\nnote: inferred from how long loads of MB1 and MB2 take at the reuse depth, in issue "
          "slots, and from nothing else\n",
          out);
    if (reuse->mode == REUSE_PUBLISHED)
        fputs("note: the machine asks for l1d.reuse.mode published, which has no clock: its loads "
              "were timed by the textbook rules\n",
              out);
    if (machine->l1d.line < 32)
        fputs(
            "note: a request of the coalescer has at least 32 B, so smaller lines come together\n",
            out);
    if (machine->l1d.sector < machine->l1d.line)
        fputs("note: the probe's lines are one sector: l1d.sector has no effect\n", out);
    if (machine->l1d.unified)
        fputs("note: the L1D is what a launch without shared memory leaves of l1d.unified\n", out);
    if (!reuse->model.associativity || !reuse->model.mshr || !reuse->model.latency ||
        !reuse->model.hierarchy || !reuse->model.divergence)
        fputs("note: extensions of the model are switched off (l1d.reuse.model): what they model "
              "cannot be seen\n",
              out);
    for (size_t i = 0; i < count; i++)
        if (strncmp(notes[i], "textbook:", 9))
            fprintf(out, "note: %s\n", notes[i]);
}

enum status probe_report_print(const struct probe_report *report, FILE *out)
{
    const struct probe *probe = report->probe;
    fprintf(out, "%s: %" PRIu64 " runs, %" PRIu64 " loads\n\n", report->machine_name, probe->runs,
            probe->loads);
    enum status status = probe_report_table(report, PROBE_ORGANIZATION, TABLE_TEXT, out);
    if (!status)
        print_mapping(report, out);
    if (!status && probe->stride_counts) {
        print_strides(probe, out);
        status = draw_strides(report, out);
    }
    if (!status)
        print_notes(report->machine, out);
    return !status && ferror(out) ? STATUS_IO : status;
}
