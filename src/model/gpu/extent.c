#include "model/gpu/extent.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "model/gpu/coalescer.h"

enum { LAUNCH_SAMPLES = 16, WARP_SAMPLES = 8, COALESCE_EVERY = 16 };
/* The most records that are read of one warp and of the whole source. */
enum { WARP_RECORDS = 1 << 24, SOURCE_RECORDS = 1 << 26 };

struct survey {
    const struct trace_source *source;
    uint64_t arch;
    const atomic_bool *cancel;
    uint64_t left; /* records that may still be read */
    struct access_window window;
};

static bool cancelled(const struct survey *survey)
{
    return survey->cancel && atomic_load_explicit(survey->cancel, memory_order_relaxed);
}

/* Estimates the requests of the window's records from every COALESCE_EVERY-th of them. */
static double window_requests(const struct survey *survey)
{
    const struct access_window *window = &survey->window;
    struct request requests[COALESCED_MAX];
    uint64_t made = 0, records = 0;
    const struct coalescer_config coalescer = {.arch = survey->arch};
    for (uint32_t i = 0; i < window->count; i += COALESCE_EVERY, records++)
        made += coalesce(&coalescer, &window->items[i], window, 0, requests);
    return records ? (double)made / (double)records * window->count : 0;
}

static double read_warp(struct survey *survey, uint32_t launch, uint64_t block, uint32_t warp)
{
    const struct trace_source_ops *ops = survey->source->ops;
    struct block_reader *reader;
    uint64_t records = 0;
    double work = 0;
    if (ops->open_block(survey->source, launch, block, &reader, NULL))
        return 0;
    survey->window.end = false;
    while (!survey->window.end && records < WARP_RECORDS && survey->left && !cancelled(survey)) {
        if (ops->read(reader, warp, &survey->window, NULL))
            break;
        records += survey->window.count;
        survey->left -= survey->left < survey->window.count ? survey->left : survey->window.count;
        work += survey->window.count + window_requests(survey);
    }
    ops->close_block(reader);
    return work;
}

static uint64_t count_warps(const struct trace_launch *launch)
{
    return launch_blocks(launch) * launch_warps(launch);
}

/* The mean work of a warp of the launch, from some warps spread evenly over it. */
static double survey_launch(struct survey *survey, uint32_t launch)
{
    const struct trace_launch *shape = &survey->source->launches[launch];
    uint64_t warps = count_warps(shape);
    uint64_t samples = warps < WARP_SAMPLES ? warps : WARP_SAMPLES;
    double work = 0;
    for (uint64_t i = 0; i < samples; i++) {
        /* Draws one warp of each part. A fixed step would hit the same column of blocks again and
         * again, and warps at the edges of a grid have nothing to do. */
        uint64_t first = (uint64_t)((double)warps * (double)i / (double)samples);
        uint64_t end = (uint64_t)((double)warps * (double)(i + 1) / (double)samples);
        uint64_t index = first + random_below(random_at(0, i), end > first ? end - first : 1);
        work += read_warp(survey, launch, index / launch_warps(shape),
                          (uint32_t)(index % launch_warps(shape)));
    }
    return samples ? work / (double)samples : 0;
}

/* Measures some launches of one kernel, in order, and interpolates the ones between them. */
static void survey_kernel(struct survey *survey, const uint32_t *launches, uint32_t count,
                          double *work)
{
    uint32_t samples = count < LAUNCH_SAMPLES ? count : LAUNCH_SAMPLES, at = 0;
    double here = survey_launch(survey, launches[0]);
    for (uint32_t i = 0; i < samples; i++) {
        uint32_t next =
            i + 1 < samples ? (uint32_t)((uint64_t)(i + 1) * (count - 1) / (samples - 1)) : count;
        double there = i + 1 < samples ? survey_launch(survey, launches[next]) : here;
        for (uint32_t k = at; k < next; k++)
            work[launches[k]] = (here + (there - here) * (k - at) / (next - at)) *
                                (double)count_warps(&survey->source->launches[launches[k]]);
        at = next;
        here = there;
    }
}

/* Sorts launches by kernel, and within a kernel by number: launches of one kernel resemble each
 * other, and most those that are close in time. */
static int compare_kernels(const void *a, const void *b, void *argument)
{
    const struct trace_source *source = argument;
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    const char *x = source->launches[left].name, *y = source->launches[right].name;
    int order = strcmp(x ? x : "", y ? y : "");
    return order ? order : left < right ? -1 : left > right;
}

/* How many launches at the start of the sorted array belong to one kernel. */
static uint32_t kernel_length(const struct trace_source *source, const uint32_t *launches,
                              uint32_t count)
{
    uint32_t length = 1;
    const char *name = source->launches[launches[0]].name;
    for (; length < count; length++) {
        const char *other = source->launches[launches[length]].name;
        if (strcmp(name ? name : "", other ? other : ""))
            break;
    }
    return length;
}

enum status extent_measure(const struct trace_source *source, uint64_t arch,
                           const atomic_bool *cancel, struct extent *extent)
{
    struct survey survey = {
        .source = source, .arch = arch, .cancel = cancel, .left = SOURCE_RECORDS};
    uint32_t count = source->launch_count;
    uint32_t *launches = calloc(count + (size_t)1, sizeof *launches);
    *extent = (struct extent){.source = source, .work = calloc(count + (size_t)1, sizeof(double))};
    enum status status = window_init(&survey.window, WINDOW_RECORDS);
    if (!launches || !extent->work)
        status = STATUS_MEMORY;
    for (uint32_t i = 0; i < count && !status; i++)
        launches[i] = i;
    if (!status && count)
        qsort_r(launches, count, sizeof *launches, compare_kernels, (void *)(uintptr_t)source);
    for (uint32_t first = 0, length; first < count && !status; first += length) {
        length = kernel_length(source, launches + first, count - first);
        survey_kernel(&survey, launches + first, length, extent->work);
        if (cancelled(&survey))
            status = STATUS_CANCELLED;
    }
    for (uint32_t i = 0; i < count && !status; i++)
        extent->total += extent->work[i];
    if (extent->total < 1)
        extent->total = 1;
    window_free(&survey.window);
    free(launches);
    if (status)
        extent_free(extent);
    return status;
}

void extent_free(struct extent *extent)
{
    free(extent->work);
    *extent = (struct extent){0};
}

void extent_walk_begin(const struct extent *extent, struct extent_walk *walk)
{
    *walk = (struct extent_walk){.extent = extent, .rest = extent->total};
}

void extent_walk_launch(struct extent_walk *walk, double done)
{
    walk->rest -= walk->extent->work[walk->launches++];
    walk->before = done;
}

double extent_walk_share(struct extent_walk *walk, double done)
{
    if (!walk->launches)
        return 0;
    double expected = walk->extent->work[walk->launches - 1], within = done - walk->before;
    double rest = walk->rest > 0 ? walk->rest : 0;
    /* A launch that exceeds its expected work still never counts as completely done. */
    double current = within < 0.99 * expected ? expected : within / 0.99;
    double all = walk->before + current + rest;
    double share = all > 0 ? done / all : 0;
    walk->share = share > walk->share ? share : walk->share;
    return walk->share;
}
