#include "report/experiments/simt_numbers.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "model/cache/cache_bits.h"
#include "model/cache/geometry.h"

/* ---- addresses ---- */

struct split { /* an address and what reference/papers derives from the text's bit ranges */
    uint64_t address, tag, set, word;
};

static const struct split splits[SIMT_BOTH][2] = {
    [SIMT_ICACHE] = {{0x1234, 2, 1, 0x0d}, {0x0a00, 1, 1, 0}},
    [SIMT_DCACHE] = {{0x1234, 0, 0x91, 5}, {0x2234, 1, 0x11, 5}},
};

static struct split split_of(const struct cache_config *config, uint64_t address)
{
    static struct geometry geometry;
    struct split split = {.address = address};
    if (geometry_init(&geometry, config))
        return split;
    const uint64_t line = address >> geometry.line_bits;
    split.set = geometry_set(&geometry, geometry.index.function, line);
    split.tag = line / geometry.sets;
    split.word = address % config->line / 4;
    return split;
}

static void add_address(const struct simt_study *study, struct paper_numbers *numbers)
{
    static const char *const paper[SIMT_BOTH] = {"tag 31:11, index 10:9, offset 8:0",
                                                 "tag 31:13, index 12:5, offset 4:0"};
    static const char *const names[SIMT_BOTH] = {"address of the I$", "address of the D$"};
    static const uint64_t tags[SIMT_BOTH] = {21, 19};
    for (enum simt_cache cache = SIMT_ICACHE; cache < SIMT_BOTH; cache++) {
        const struct cache_config config = simt_cache_of(&study->machine, cache);
        const uint64_t bits = study->machine.gpu.address_bits, tag = study->costs[cache][0].tag;
        bool same = tag == tags[cache];
        for (unsigned i = 0; i < 2; i++) {
            const struct split ours = split_of(&config, splits[cache][i].address);
            same &= !memcmp(&ours, &splits[cache][i], sizeof ours);
        }
        struct paper_number *number =
            paper_numbers_add(numbers, names[cache], paper[cache], MARK_TEXT);
        const uint64_t offset = (uint64_t)log2((double)config.line);
        paper_number_say(number, same,
                         "tag %" PRIu64 ":%" PRIu64 ", index %" PRIu64 ":%" PRIu64
                         ", offset %" PRIu64 ":0",
                         bits - 1, bits - tag, bits - tag - 1, offset, offset - 1);
        number->remark = cache == SIMT_ICACHE
                             ? "the text also says lines of 128 bytes; its sizes of RAMs, tags and "
                               "fills say 128 words"
                             : "two addresses are split as the bit ranges say";
    }
}

/* ---- replacement ---- */

static void add_state(const struct simt_study *study, struct paper_numbers *numbers)
{
    static const char *const names[SIMT_PAPER_POLICIES] = {
        "state of a set, round robin", "state of a set, LFU", "state of a set, LRU",
        "state of a set, pseudo-LRU"};
    static const char *const paper[SIMT_PAPER_POLICIES] = {"I$ 4, D$ 2 bits", "I$ 64, D$ 8 bits",
                                                           "I$ 64, D$ 8 bits", "I$ 18, D$ 3 bits"};
    static const uint64_t bits[SIMT_PAPER_POLICIES][SIMT_BOTH] = {
        {4, 2}, {64, 8}, {64, 8}, {18, 3}};
    for (size_t i = 0; i < SIMT_PAPER_POLICIES; i++) {
        const uint64_t instructions = study->costs[SIMT_ICACHE][i].set,
                       data = study->costs[SIMT_DCACHE][i].set;
        struct paper_number *number = paper_numbers_add(numbers, names[i], paper[i], MARK_TEXT);
        paper_number_say(number, instructions == bits[i][0] && data == bits[i][1],
                         "I$ %" PRIu64 ", D$ %" PRIu64 " bits", instructions, data);
    }
}

/* The ways that misses fill from the text's start values, worked out from its rules by hand. */
static const uint32_t fills[SIMT_BOTH][SIMT_PAPER_POLICIES][SIMT_FILLS] = {
    [SIMT_ICACHE] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                     {15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0},
                     {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                     {2, 6, 10, 14, 0, 4, 8, 12, 3, 7, 11, 15, 1, 5, 9, 13}},
    [SIMT_DCACHE] = {{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3},
                     {3, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 0},
                     {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3},
                     {2, 0, 3, 1, 2, 0, 3, 1, 2, 0, 3, 1, 2, 0, 3, 1}}};

static void print_ways(const uint32_t *ways, size_t count, char text[PAPER_TEXT])
{
    size_t used = 0;
    for (size_t i = 0; i < count && used < PAPER_TEXT; i++)
        used += (size_t)snprintf(text + used, PAPER_TEXT - used, "%s%u", i ? " " : "", ways[i]);
}

static void add_fills(const struct simt_study *study, struct paper_numbers *numbers)
{
    static const char *const names[SIMT_BOTH][SIMT_PAPER_POLICIES] = {
        {"ways that misses fill in a set of the I$, round robin", "the same, LFU", "the same, LRU",
         "the same, pseudo-LRU"},
        {"ways that misses fill in a set of the D$, round robin", "the same, LFU", "the same, LRU",
         "the same, pseudo-LRU"}};
    static const char *const paper[SIMT_BOTH][SIMT_PAPER_POLICIES] = {
        {"0 1 2 ... 15", "15 14 13 ... 0", "0 1 2 ... 15", "2 6 10 14 0 4 8 12 3 7 11 15 1 5 9 13"},
        {"0 1 2 3", "3 2 1 0", "0 1 2 3", "2 0 3 1"}};
    for (enum simt_cache cache = SIMT_ICACHE; cache < SIMT_BOTH; cache++)
        for (size_t i = 0; i < SIMT_PAPER_POLICIES; i++) {
            const uint32_t *ours = study->fills[cache][i];
            const size_t shown = cache == SIMT_ICACHE ? SIMT_FILLS : 4;
            char text[PAPER_TEXT];
            print_ways(ours, shown, text);
            struct paper_number *number =
                paper_numbers_add(numbers, names[cache][i], paper[cache][i], MARK_DERIVED);
            paper_number_say(number, !memcmp(ours, fills[cache][i], sizeof fills[cache][i]), "%s",
                             text);
            if (i == 1)
                number->remark = "its LFU counts no uses: it is its LRU in a mirror";
            else if (!i || i == 3)
                number->remark = "the state at power-up is not said; from zeros";
        }
}

/* ---- FPGA ---- */

static void add_memories(const struct simt_study *study, struct paper_numbers *numbers)
{
    struct paper_number *number =
        paper_numbers_add(numbers, "block RAMs of the I$", "16 of 512 words of 32 bits", MARK_TEXT);
    const double ram = study->costs[SIMT_ICACHE][0].fpga.ram18;
    paper_number_say(number, ram == 16, "%.0f of 18 Kbit", ram);
    number->remark = "one a way; its tags, 16 of 4 words of 22 bits, are distributed RAM";
    number = paper_numbers_add(numbers, "resources of both caches", "table 1: lost", MARK_UNKNOWN);
    snprintf(number->ours, PAPER_TEXT, "table fpga");
}

static void add_clock(struct paper_numbers *numbers)
{
    struct paper_number *number =
        paper_numbers_add(numbers, "fastest clock from the longest paths",
                          "2.923 ns (I$), 3.258 ns (D$): 307 MHz", MARK_TEXT);
    const double clock = 1 / fmax(SIMT_PAPER_ICACHE_S, SIMT_PAPER_DCACHE_S);
    paper_number_say(number, fabs(clock - SIMT_PAPER_CLOCK) < 0.5e6, "1 / 3.258 ns = %.1f MHz",
                     clock / 1e6);
    number->remark = "the arithmetic of the paper's own numbers: placement decides the time of an "
                     "FPGA, and we do not estimate it; depth timing runs at 307 MHz";
}

/* ---- runs ---- */

static void add_product(const struct simt_study *study, struct paper_numbers *numbers)
{
    static const uint32_t paper[SIMT_PRODUCT] = {0x1e, 0x46, 0x32, 0x3c, 0x46, 0xae, 0x72, 0x8c,
                                                 0x32, 0x72, 0x54, 0x64, 0x3c, 0x8c, 0x64, 0x78};
    char text[PAPER_TEXT];
    size_t used = 0;
    for (size_t i = 0; i < SIMT_PRODUCT; i++)
        used += (size_t)snprintf(text + used, PAPER_TEXT - used, "%s%02x", i ? " " : "",
                                 study->product[i]);
    struct paper_number *number =
        paper_numbers_add(numbers, "product of matrices, 4 warps of 4 lanes",
                          "1e 46 32 3c 46 ae 72 8c 32 72 54 64 3c 8c 64 78", MARK_TEXT);
    paper_number_say(number, !memcmp(paper, study->product, sizeof paper), "%s", text);
    number->remark = "the matrices are in a lost figure; A times its transpose with A = (1 2 3 4; "
                     "5 6 7 8; 1 3 5 7; 2 4 6 8) gives them";
}

static const struct simt_run *paper_result(const struct simt_study *study, size_t subject)
{
    const struct simt_run *result =
        simt_study_at(study, subject, SIMT_PAPER_POLICIES - 1, SIMT_PAPER_CACHES);
    return result->status ? NULL : result;
}

/* An I$ that misses once a line or less, at one instruction a cycle between. */
static void add_pipeline(const struct simt_study *study, struct paper_numbers *numbers)
{
    size_t runs = 0, saved = 0, fetched = 0, same = 0;
    double least = 1, most = 0;
    for (size_t i = 0; i < study->subjects; i++) {
        const struct simt_run *result = paper_result(study, i);
        if (!result)
            continue;
        const struct metrics *counts = &result->counts, *time = &result->time;
        const double reads = counts->l1i_tag_reads / counts->l1i_accesses;
        runs++;
        saved += reads < 0.5;
        least = fmin(least, 1 - reads);
        most = fmax(most, 1 - reads);
        fetched += time->l1i_accesses == counts->l1i_accesses;
        same += time->l1i_misses == counts->l1i_misses;
    }
    struct paper_number *number =
        paper_numbers_add(numbers, "a fetch from the line of the one before reads no tags",
                          "the second stage keeps hit and way", MARK_CLAIM);
    paper_number_judge(number, saved, runs);
    snprintf(number->ours, PAPER_TEXT, "%.1f %% to %.1f %% of tag reads saved, by program",
             100 * least, 100 * most);
    number->remark = "the paper counts none; judged by whether it saves half of them";
    number = paper_numbers_add(numbers, "every program runs, each instruction is fetched once",
                               "nine programs, checked on an FPGA", MARK_CLAIM);
    paper_number_judge(number, fetched, study->subjects);
    snprintf(number->ours, PAPER_TEXT,
             "%zu of %zu at both depths; in %zu the I$ misses as often where time passes", fetched,
             study->subjects, same);
    number->remark = "the results of the programs are checked against plain C by the tests";
}

/* How many programs tell the paper's policies apart. */
static void add_policies(const struct simt_study *study, struct paper_numbers *numbers)
{
    size_t differ[SIMT_CACHES] = {0}, runs = 0;
    for (size_t i = 0; i < study->subjects; i++) {
        if (!paper_result(study, i))
            continue;
        runs++;
        for (enum simt_caches caches = 0; caches < SIMT_CACHES; caches++) {
            double least = INFINITY, most = 0;
            for (size_t policy = 0; policy < SIMT_PAPER_POLICIES; policy++) {
                const struct metrics *counts = &simt_study_at(study, i, policy, caches)->counts;
                least = fmin(least, counts->l1i_misses + counts->l1d_misses);
                most = fmax(most, counts->l1i_misses + counts->l1d_misses);
            }
            differ[caches] += least < most;
        }
    }
    struct paper_number *number = paper_numbers_add(numbers, "which of the four policies is best",
                                                    "not said: no hit rates", MARK_UNKNOWN);
    snprintf(number->ours, PAPER_TEXT,
             "%zu of %zu programs miss more under some than under others; %zu with small caches",
             differ[SIMT_PAPER_CACHES], runs, differ[SIMT_SMALL_CACHES]);
    number->remark = "LFU and LRU never differ, as they are one policy";
}

void simt_numbers(const struct simt_study *study, struct paper_numbers *numbers)
{
    add_address(study, numbers);
    add_state(study, numbers);
    add_fills(study, numbers);
    add_memories(study, numbers);
    add_clock(numbers);
    add_product(study, numbers);
    add_pipeline(study, numbers);
    add_policies(study, numbers);
}
