#include "model/windows.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/rng.h"
#include "model/gpu/extent.h"
#include "model/gpu/occupancy.h"

/* The share of the probability that is spread evenly over blocks, whatever work is expected of
 * them: it bounds the error if the expectation is far too low for a block. */
#define BLIND_SHARE 0.2

/* The blocks of a launch that all SMs hold at once. */
static uint64_t wave_of(const struct windows *windows, uint32_t launch)
{
    const struct machine *machine = windows->machine;
    return machine->gpu.sms * occupancy_of(machine, &windows->source->launches[launch]).blocks;
}

/* Cuts the row into chunks of COUNTED_WAVES waves. A chunk continues into the next launch until it
 * has that many. `density`: the probability of one block of each launch. */
static enum status cut(struct windows *windows, const double *density)
{
    const struct trace_source *source = windows->source;
    double waves = COUNTED_WAVES; /* of the last chunk */
    uint64_t row = 0;
    for (uint32_t launch = 0; launch < source->launch_count; launch++) {
        const uint64_t blocks = launch_blocks(&source->launches[launch]);
        const uint64_t wave = wave_of(windows, launch), begin = row;
        /* A launch that does not fit an SM has no waves and gets no chunk. */
        for (uint64_t at = 0, taken; wave && at < blocks; at += taken) {
            if (waves >= COUNTED_WAVES) {
                if (array_reserve(&windows->chunks, &windows->chunk_capacity,
                                  windows->chunk_count + 1))
                    return STATUS_MEMORY;
                windows->chunks[windows->chunk_count++] =
                    (struct chunk){.first = begin + at, .launch = launch, .begin = begin};
                waves = 0;
            }
            struct chunk *chunk = &windows->chunks[windows->chunk_count - 1];
            taken = (uint64_t)ceil(COUNTED_WAVES - waves) * wave;
            taken = taken < blocks - at ? taken : blocks - at;
            chunk->end = begin + at + taken;
            chunk->chance += (double)taken * density[launch];
            waves += (double)taken / (double)wave;
        }
        row += blocks;
    }
    return STATUS_OK;
}

static bool fits(const struct windows *windows, double count, double warm_waves)
{
    const double length = (warm_waves + COUNTED_WAVES + FOLLOWING_WAVES) * windows->wave;
    return windows->wave > 0 && count * length * 2 <= (double)windows->blocks;
}

static double count_windows(const struct windows *windows, double warm_waves, double share)
{
    const double length = (warm_waves + COUNTED_WAVES + FOLLOWING_WAVES) * windows->wave;
    return fmax(WINDOWS_LEAST, floor(share * (double)windows->blocks / length));
}

bool windows_fit(struct windows *windows, double warm_waves, double share)
{
    const double count = count_windows(windows, warm_waves, share);
    if (!fits(windows, count, warm_waves))
        return false;
    windows->warm_waves = warm_waves;
    windows->count = (uint64_t)count;
    return true;
}

static struct windows windows_describe(const struct machine *machine,
                                       const struct trace_source *source)
{
    return (struct windows){.machine = machine,
                            .source = source,
                            .blocks = trace_source_blocks(source),
                            .wave = occupancy_mean_of(machine, source).blocks *
                                    (double)machine->gpu.sms};
}

bool windows_worthwhile(const struct machine *machine, const struct trace_source *source,
                        double share)
{
    struct windows windows = windows_describe(machine, source);
    return !source->tiles && windows_fit(&windows, WARM_WAVES, share); /* a pass is no grid */
}

enum status windows_plan(const struct machine *machine, const struct trace_source *source,
                         double share, const atomic_bool *cancel, struct windows *windows)
{
    struct extent extent;
    *windows = windows_describe(machine, source);
    windows_fit(windows, WARM_WAVES, share);
    enum status status = extent_measure(source, machine->coalescer.arch, cancel, &extent);
    if (status)
        return status;
    double *density = calloc(source->launch_count + (size_t)1, sizeof *density);
    for (uint32_t i = 0; density && i < source->launch_count; i++)
        density[i] = BLIND_SHARE / (double)windows->blocks +
                     (1 - BLIND_SHARE) * extent.work[i] / extent.total /
                         (double)launch_blocks(&source->launches[i]);
    status = density ? cut(windows, density) : STATUS_MEMORY;
    free(density);
    extent_free(&extent);
    return status;
}

void windows_free(struct windows *windows)
{
    free(windows->chunks);
    windows->chunks = NULL;
}

/* The chunk at `point` in [0, 1) of the cumulated probabilities. */
static const struct chunk *find_chunk(const struct windows *windows, double point)
{
    size_t i = 0;
    for (; i + 1 < windows->chunk_count && point >= windows->chunks[i].chance; i++)
        point -= windows->chunks[i].chance;
    return &windows->chunks[i];
}

/* The first block of a window: up to warm_waves waves before the chunk, at the start of a wave of
 * its launch. */
static uint64_t find_first(const struct windows *windows, const struct chunk *chunk)
{
    const struct trace_source *source = windows->source;
    double left = windows->warm_waves;
    uint32_t launch = chunk->launch;
    uint64_t begin = chunk->begin, before = chunk->first - begin; /* in the launch */
    for (;;) {
        const uint64_t wave = wave_of(windows, launch);
        const uint64_t waves = wave ? (before + wave - 1) / wave : 0;
        if ((double)waves >= left)
            return begin + (waves - (uint64_t)ceil(left)) * wave;
        if (!launch)
            return 0;
        left -= wave ? (double)before / (double)wave : 0;
        before = launch_blocks(&source->launches[--launch]);
        begin -= before;
    }
}

struct window windows_draw(const struct windows *windows, uint64_t index, uint64_t count)
{
    const double drawn = (double)(random_at(windows->machine->seed, index) >> 11) * 0x1p-53;
    const struct chunk *chunk = find_chunk(windows, ((double)index + drawn) / (double)count);
    const uint64_t first = find_first(windows, chunk);
    const struct trace_slice last = trace_source_block(windows->source, chunk->end - 1);
    const uint64_t wave = FOLLOWING_WAVES * wave_of(windows, last.launch), rest = last.count - 1;
    return (struct window){.chunk = chunk,
                           .first = first,
                           .length = chunk->end - first + (rest < wave ? rest : wave),
                           .counted = {chunk->first - first, chunk->end - first}};
}

static double window_work(const struct windows *windows, const struct window *window)
{
    const uint64_t until = window->first + window->length;
    const struct chunk *end = windows->chunks + windows->chunk_count, *chunk = window->chunk;
    double work = 0;
    while (chunk > windows->chunks && chunk[-1].end > window->first)
        chunk--;
    for (; chunk < end && chunk->first < until; chunk++) {
        const uint64_t from = chunk->first > window->first ? chunk->first : window->first;
        const uint64_t to = chunk->end < until ? chunk->end : until;
        work += chunk->chance * (double)(to - from) / (double)(chunk->end - chunk->first);
    }
    return work;
}

double windows_work(const struct windows *windows)
{
    const struct chunk *last = NULL;
    double work = 0;
    for (uint64_t i = 0; i < windows->count; i++) {
        const struct window window = windows_draw(windows, i, windows->count);
        if (window.chunk != last)
            work += window_work(windows, &window);
        last = window.chunk;
    }
    return work;
}
