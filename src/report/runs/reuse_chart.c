#include "report/runs/reuse_chart.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "trace/stream.h"

enum { REUSE_BIN_TEXT = 32 };

/* The distances of a bin: "0", "2-3", "4-7". `text` holds REUSE_BIN_TEXT bytes. Returns it. */
static const char *reuse_bin_text(size_t bin, char *text)
{
    uint64_t first = reuse_bin_first(bin), last = reuse_bin_first(bin + 1) - 1;
    if (first == last)
        snprintf(text, REUSE_BIN_TEXT, "%" PRIu64, first);
    else
        snprintf(text, REUSE_BIN_TEXT, "%" PRIu64 "-%" PRIu64, first, last);
    return text;
}

void reuse_chart_draw(const struct reuse_bins *bins, const char *title, enum glyphs glyphs,
                      struct cells *cells, int row, int column, int rows, int columns)
{
    double x[REUSE_BINS + 1], hits[REUSE_BINS + 1], all[REUSE_BINS + 1];
    char names[REUSE_BINS + 1][REUSE_BIN_TEXT];
    const char *ticks[REUSE_BINS + 1];
    const double total = bins->total ? (double)bins->total : 1;
    const size_t count = bins->count + 1; /* one more for infinite distances */
    for (size_t i = 0; i < count; i++) {
        bool infinite = i == bins->count;
        x[i] = (double)i;
        hits[i] = infinite ? 0 : (double)bins->hits[i] / total;
        all[i] =
            infinite ? (double)bins->infinite / total : hits[i] + (double)bins->misses[i] / total;
        if (infinite)
            snprintf(names[i], sizeof names[i], "new");
        else
            snprintf(names[i], sizeof names[i], "%" PRIu64, reuse_bin_first(i));
        ticks[i] = names[i];
    }
    const struct series series[] = {{.kind = SERIES_BARS,
                                     .role = ROLE_SERIES_2,
                                     .x = x,
                                     .y = all,
                                     .count = count,
                                     .label = "misses"},
                                    {.kind = SERIES_BARS,
                                     .role = ROLE_SERIES_1,
                                     .x = x,
                                     .y = hits,
                                     .count = bins->count,
                                     .label = "hits"}};
    double cut = bins->hit_below ? log2((double)bins->hit_below) + 0.5 : -0.5;
    const struct chart chart = {
        .series = series,
        .series_count = 2,
        .x = {.label = "reuse distance (bins double; new: the first use)",
              .ticks = ticks,
              .tick_count = count},
        .y = {.unit = UNIT_PERCENT},
        .cursor = cut < (double)bins->count - 0.5 ? cut : (double)bins->count - 0.5,
        .title = title,
        .glyphs = glyphs};
    chart_draw(&chart, cells, row, column, rows, columns);
}

static void add_count(struct table *table, uint64_t count)
{
    table_number(table, (double)count, NULL);
}

static void add_share(struct table *table, double share)
{
    char text[QUANTITY_TEXT];
    table_number(table, share, quantity_print_short(share, UNIT_PERCENT, 3, text));
}

static void add_bin(struct table *table, const char *name, uint64_t accesses, uint64_t misses,
                    const struct reuse_bins *bins, uint64_t *sum)
{
    const double total = bins->total ? (double)bins->total : 1;
    *sum += accesses;
    table_text(table, name);
    add_count(table, accesses);
    add_share(table, (double)accesses / total);
    add_share(table, (double)*sum / total);
    table_text(table, !misses ? "hits" : misses == accesses ? "misses" : "both");
}

static enum status print_bins(const struct reuse_bins *bins, FILE *out)
{
    static const char *const headers[] = {">distance",   ">accesses",   ">share",
                                          ">up to here", "in this L1D", NULL};
    struct table *table = table_create(headers);
    char text[REUSE_BIN_TEXT];
    uint64_t sum = 0;
    if (!table)
        return STATUS_MEMORY;
    for (size_t i = 0; i < bins->count; i++)
        add_bin(table, reuse_bin_text(i, text), bins->hits[i] + bins->misses[i], bins->misses[i],
                bins, &sum);
    add_bin(table, "infinite", bins->infinite, bins->infinite, bins, &sum);
    return table_finish(table, TABLE_TEXT, out);
}

enum status reuse_histogram_print(const struct reuse_histogram *histogram,
                                  const struct reuse_bins *bins, enum table_format format,
                                  FILE *out)
{
    static const char *const headers[] = {">distance", ">accesses", NULL};
    if (format == TABLE_TEXT)
        return print_bins(bins, out);
    struct table *table = table_create(headers);
    if (!table)
        return STATUS_MEMORY;
    for (size_t i = 0; i < histogram->count; i++)
        if (histogram->counts[i]) {
            add_count(table, i);
            add_count(table, histogram->counts[i]);
        }
    table_number(table, NAN, "infinite");
    add_count(table, histogram->infinite);
    return table_finish(table, format, out);
}

static const struct class_words {
    const char *name, *brief;
} class_words[DEPTH_COUNT][MISS_CLASSES] = {
    [DEPTH_FUNCTIONAL] = {[MISS_COMPULSORY] = {"compulsory", "comp"},
                          [MISS_CAPACITY] = {"capacity", "cap"},
                          [MISS_ASSOCIATIVITY] = {"conflict", "conf"},
                          [MISS_FLUSH] = {"flush", "flush"},
                          [MISS_STORE] = {"store", "store"}},
    [DEPTH_REUSE] = {[MISS_COMPULSORY] = {"compulsory", "comp"},
                     [MISS_CAPACITY] = {"capacity", "cap"},
                     [MISS_ASSOCIATIVITY] = {"associativity", "assoc"},
                     [MISS_FLUSH] = {"flush", "flush"},
                     [MISS_LATENCY] = {"latency", "lat"},
                     [MISS_MSHR] = {"mshr", "mshr"}},
};

const char *miss_class_name(enum miss_class class, enum depth depth)
{
    return class_words[depth][class].name;
}

const char *miss_class_brief(enum miss_class class, enum depth depth)
{
    return class_words[depth][class].brief;
}

size_t miss_classes(enum depth depth, enum miss_class classes[MISS_CLASSES])
{
    size_t count = 0;
    for (size_t i = 0; i < MISS_CLASSES; i++)
        if (class_words[depth][i].name)
            classes[count++] = (enum miss_class)i;
    return count;
}

struct sums {
    uint64_t misses, stalls;
    enum miss_class classes[MISS_CLASSES]; /* columns */
    size_t class_count;
    bool timed;
    bool bypasses; /* the L1D has a bypass policy */
};

static double share_of(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

/* What only a depth in which time passes knows. */
static void add_times(struct table *table, const struct pc_count *count, const struct sums *sums)
{
    char text[QUANTITY_TEXT];
    const double latency = count->loads ? share_of(count->load_cycles, count->loads) : NAN;
    add_count(table, count->pending);
    table_number(table, latency, quantity_print_short(latency, UNIT_NONE, 4, text));
    add_share(table, share_of(count->stalls, sums->stalls));
}

/* What an L1D with a bypass policy did with an instruction, and what that rests on. */
static void add_bypass(struct table *table, const struct pc_count *count)
{
    add_count(table, count->bypassed);
    add_count(table, count->evicted);
    add_count(table, count->rehits);
    if (count->since)
        add_count(table, count->since - 1);
    else
        table_number(table, NAN, "-");
    add_count(table, count->passing);
    add_count(table, count->missing);
}

/* `kernel` NULL: the row that sums up all others. */
static void add_pc(struct table *table, const struct pc_count *count, const char *kernel,
                   const struct sums *sums)
{
    char pc[16];
    snprintf(pc, sizeof pc, "0x%" PRIx32, count->pc);
    table_text(table, kernel ? pc : "others");
    table_text(table, kernel ? op_names[count->op] : "");
    add_count(table, count->accesses);
    add_count(table, count->misses);
    add_share(table, share_of(count->misses, count->accesses));
    add_share(table, share_of(count->misses, sums->misses));
    for (size_t i = 0; i < sums->class_count; i++)
        add_count(table, count->classes[sums->classes[i]]);
    if (sums->timed)
        add_times(table, count, sums);
    if (sums->bypasses)
        add_bypass(table, count);
    table_text(table, kernel ? kernel : "");
}

static struct table *create_pc_table(const struct sums *sums, enum depth depth)
{
    static const char *const times[] = {">pending_hits", ">latency", ">share_of_stall"};
    static const char *const verdicts[] = {">bypassed", ">evicted",   ">rehits",
                                           ">since",    ">l1ds_past", ">l1ds"};
    enum {
        FIXED = 6,
        TIMES = sizeof times / sizeof *times,
        VERDICTS = sizeof verdicts / sizeof *verdicts
    };
    const char *headers[FIXED + MISS_CLASSES + TIMES + VERDICTS + 2] = {
        "pc", "op", ">accesses", ">misses", ">miss_rate", ">share_of_misses"};
    char names[MISS_CLASSES][20];
    size_t count = FIXED;
    for (size_t i = 0; i < sums->class_count; i++) {
        snprintf(names[i], sizeof names[i], ">%s", miss_class_name(sums->classes[i], depth));
        headers[count++] = names[i];
    }
    for (size_t i = 0; sums->timed && i < TIMES; i++)
        headers[count++] = times[i];
    for (size_t i = 0; sums->bypasses && i < VERDICTS; i++)
        headers[count++] = verdicts[i];
    headers[count] = "kernel";
    return table_create(headers);
}

struct table *pc_table_rows(const struct pc_table *pcs, size_t most, enum depth depth, bool classes)
{
    struct sums sums = {.misses = pcs->others.misses,
                        .stalls = pcs->others.stalls,
                        .timed = depth_can(depth, DEPTH_TIMED)};
    sums.class_count = classes ? miss_classes(depth, sums.classes) : 0;
    for (size_t i = 0; i < pcs->count; i++) {
        sums.misses += pcs->items[i].misses;
        sums.stalls += pcs->items[i].stalls;
        sums.bypasses |= pcs->items[i].taken || pcs->items[i].bypassed;
    }
    struct table *table = create_pc_table(&sums, depth);
    if (!table)
        return NULL;
    struct pc_count others = pcs->others;
    for (size_t i = 0; i < pcs->count; i++) {
        if (!most || i < most)
            add_pc(table, &pcs->items[i], pc_table_kernel(pcs, &pcs->items[i]), &sums);
        else
            pc_count_add(&others, &pcs->items[i]);
    }
    if (others.accesses || others.loads || others.stalls)
        add_pc(table, &others, NULL, &sums);
    return table;
}

enum status pc_table_print(const struct pc_table *pcs, size_t most, enum depth depth, bool classes,
                           enum table_format format, FILE *out)
{
    struct table *table = pc_table_rows(pcs, most, depth, classes);
    return table ? table_finish(table, format, out) : STATUS_MEMORY;
}
