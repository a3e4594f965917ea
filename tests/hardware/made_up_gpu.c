/* A GPU that is made up, in place of real_gpu.cu: what it has is written down here, so that
 * test_measure can hold what measure.c finds to it on a machine without a GPU. An L1 of lines with
 * sectors, an L2 and a TLB that are lists of what was used last, and MSHRs. */
#include <stdbool.h>
#include <string.h>

#include "real_gpu.h"

enum {
    LINE = 128,
    SECTOR = 32,
    SETS = 32,
    WAYS = 4,
    MSHRS = 48,
    L1_CYCLES = 32,
    L2_CYCLES = 210,
    DRAM_CYCLES = 520,
    L2_BYTES = 1 << 20,
    L2_SETS = 4096,
    TLB_ENTRIES = 16,
    PAGE = 65536,
    WALK_CYCLES = 300,
    SMS = 8,
    LOAD_CYCLES = 2,
    LANES = 32
};

static const uint64_t memory = UINT64_C(8) << 30;

/* Sets of entries, in each the one that was used last first. An entry stands for a line, of which
 * it may hold some parts. */
struct entry {
    uint64_t line; /* + 1; 0: free */
    unsigned parts;
};

static struct entry l1_entries[SETS * WAYS], l2_entries[L2_BYTES / SECTOR],
    tlb_entries[TLB_ENTRIES];

/* Whether a part of a line is there; afterwards it is. */
static bool look_up(struct entry *entries, uint64_t sets, uint64_t ways, uint64_t line,
                    unsigned part)
{
    struct entry *set = entries + line % sets * ways, entry = {line + 1, 0};
    uint64_t at = 0;
    while (at < ways - 1 && set[at].line != line + 1)
        at++;
    if (set[at].line == line + 1)
        entry = set[at];
    const bool there = entry.parts >> part & 1;
    memmove(set + 1, set, at * sizeof *set);
    entry.parts |= 1u << part;
    set[0] = entry;
    return there;
}

static bool l1_hit(uint64_t address)
{
    return look_up(l1_entries, SETS, WAYS, address / LINE, (unsigned)(address % LINE / SECTOR));
}

const char *gpu_open(int device, struct gpu_facts *facts)
{
    *facts = (struct gpu_facts){.name = "made up",
                                .major = 7,
                                .sms = SMS,
                                .clock_khz = 1500000,
                                .max_threads = 1024,
                                .max_blocks = 16,
                                .registers = 65536,
                                .l2 = L2_BYTES,
                                .memory = memory,
                                .free = memory};
    return device ? "there is one made-up GPU" : NULL;
}

const char *gpu_loads(const uint64_t *offsets, uint64_t count, uint64_t bytes, uint64_t *begun,
                      uint64_t *ended)
{
    uint64_t now = 0;
    if (bytes > memory)
        return "out of memory";
    memset(l1_entries, 0, sizeof l1_entries);
    for (uint64_t i = 0; i < count; i++) {
        begun[i] = now;
        ended[i] = now += l1_hit(offsets[i]) ? L1_CYCLES : L2_CYCLES;
    }
    return NULL;
}

/* A line beyond those that may be in flight waits for the first to come back. */
const char *gpu_warp_loads(const uint64_t *offsets, uint64_t warps, uint64_t bytes, uint64_t *begun,
                           uint64_t *ended)
{
    uint64_t last = UINT64_MAX, lines = 0;
    if (bytes > memory)
        return "out of memory";
    for (uint64_t w = 0; w < warps; w++) {
        begun[w] = w;
        ended[w] = w;
        for (uint64_t k = 0; k < LANES; k++) {
            const uint64_t line = offsets[LANES * w + k] / LINE;
            lines += line != last;
            last = line;
            const uint64_t start = lines > MSHRS ? L2_CYCLES : w;
            ended[w] = start + L2_CYCLES > ended[w] ? start + L2_CYCLES : ended[w];
        }
    }
    return NULL;
}

const char *gpu_chase(uint64_t bytes, uint64_t stride, double *cycles)
{
    const uint64_t step = stride < 8 ? 8 : stride, words = (bytes + step - 1) / step;
    uint64_t sum = 0;
    if (words * step > memory)
        return "out of memory";
    memset(l1_entries, 0, sizeof l1_entries);
    memset(l2_entries, 0, sizeof l2_entries);
    memset(tlb_entries, 0, sizeof tlb_entries);
    for (int round = 0; round < 2; round++)
        for (uint64_t i = 0; i < words; i++) {
            const uint64_t at = i * step;
            uint64_t time = look_up(tlb_entries, 1, TLB_ENTRIES, at / PAGE, 0) ? 0 : WALK_CYCLES;
            if (l1_hit(at))
                time += L1_CYCLES;
            else
                time += look_up(l2_entries, L2_SETS, L2_BYTES / SECTOR / L2_SETS, at / SECTOR, 0)
                            ? L2_CYCLES
                            : DRAM_CYCLES;
            sum += round ? time : 0;
        }
    *cycles = (double)sum / (double)words;
    return NULL;
}

const char *gpu_chase_once(uint64_t bytes, uint64_t stride, uint64_t steps)
{
    (void)bytes, (void)stride, (void)steps;
    return "a made-up GPU has no profiler";
}

const char *gpu_read_sm(uint64_t bytes, double *bytes_a_cycle)
{
    *bytes_a_cycle = bytes <= SETS * WAYS * LINE ? 64 : 32;
    return NULL;
}

const char *gpu_read_all(uint64_t bytes, double *bytes_a_second)
{
    *bytes_a_second = bytes <= L2_BYTES ? 2e12 : 9e11;
    return NULL;
}

/* A line a cycle, two cycles at least, and no banks. */
const char *gpu_lanes(uint32_t stride, uint32_t offset, double *cycles)
{
    const uint32_t first = 4 * offset / LINE, last = 4 * (offset + stride * (LANES - 1)) / LINE;
    const uint32_t lines = last - first + 1 < LANES ? last - first + 1 : LANES;
    *cycles = lines > LOAD_CYCLES ? lines : LOAD_CYCLES;
    return NULL;
}

void gpu_close(void)
{
}
