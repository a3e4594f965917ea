#include "model/pass/fetch_ahead.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct fetch_ahead {
    uint64_t line;            /* bytes */
    uint64_t l0_lines, count; /* lines of an L0, and L0s of an SM; 0 lines: none */
    uint64_t buffer;          /* lines of a stream buffer; 0: none */
    uint64_t *l0s;            /* [SMs x count][l0_lines]: lines, plus one, the last used first */
    uint64_t *heads; /* [SMs]: the line at the head of the buffer, plus one; 0: it is empty */
    struct fetch_ahead_counts counts;
};

enum status fetch_ahead_create(const struct machine *machine, struct fetch_ahead **made)
{
    const struct instruction_cache_config *l1i = &machine->l1i;
    *made = NULL;
    if (!l1i->l0.size && !l1i->buffer)
        return STATUS_OK;
    struct fetch_ahead *ahead = calloc(1, sizeof *ahead);
    if (!ahead)
        return STATUS_MEMORY;
    *ahead = (struct fetch_ahead){.line = l1i->line,
                                  .l0_lines = l1i->l0.size / l1i->line,
                                  .count = l1i->l0.count,
                                  .buffer = l1i->buffer};
    ahead->l0s = calloc(machine->gpu.sms * ahead->count * ahead->l0_lines + 1, sizeof *ahead->l0s);
    ahead->heads = calloc(machine->gpu.sms, sizeof *ahead->heads);
    if (!ahead->l0s || !ahead->heads) {
        fetch_ahead_free(ahead);
        return STATUS_MEMORY;
    }
    *made = ahead;
    return STATUS_OK;
}

void fetch_ahead_free(struct fetch_ahead *ahead)
{
    if (!ahead)
        return;
    free(ahead->l0s);
    free(ahead->heads);
    free(ahead);
}

/* Whether an L0 had a line, which now is the last used. */
static bool use_line(uint64_t *lines, uint64_t count, uint64_t line)
{
    uint64_t at = 0;
    while (at + 1 < count && lines[at] != line)
        at++;
    const bool found = lines[at] == line;
    memmove(lines + 1, lines, at * sizeof *lines);
    lines[0] = line;
    return found;
}

size_t fetch_ahead_miss(struct fetch_ahead *ahead, const struct request *fetches, size_t count,
                        bool counted, struct request *out)
{
    size_t made = 0;
    if (!ahead->l0_lines) {
        memcpy(out, fetches, count * sizeof *out);
        return count;
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t l0 = fetches[i].instance * ahead->count + fetches[i].warp % ahead->count;
        const uint64_t line = fetches[i].address / ahead->line + 1;
        const bool counts = counted && !(fetches[i].flags & REQUEST_ASIDE);
        const bool found = use_line(ahead->l0s + l0 * ahead->l0_lines, ahead->l0_lines, line);
        ahead->counts.l0_accesses += counts;
        ahead->counts.l0_misses += counts && !found;
        if (!found)
            out[made++] = fetches[i];
    }
    return made;
}

void fetch_ahead_stream(struct fetch_ahead *ahead, const struct request *misses, size_t count,
                        bool counted)
{
    for (size_t i = 0; ahead->buffer && i < count; i++) {
        uint64_t *head = &ahead->heads[misses[i].instance];
        const uint64_t line = misses[i].address / ahead->line + 1;
        const bool counts = counted && !(misses[i].flags & REQUEST_ASIDE), found = *head == line;
        if (counts) {
            ahead->counts.buffer_hits += found;
            ahead->counts.prefetches += found ? 1 : ahead->buffer;
        }
        *head = line + 1;
    }
}

struct fetch_ahead_counts fetch_ahead_read_counts(const struct fetch_ahead *ahead)
{
    return ahead->counts;
}
