/* Launches that several tables of a file tell of become one. nvprof prints counters and times of
 * the same launches in two tables, nsys as many reports as are asked for: of the tables of a
 * kernel's times the finest is kept (a trace, then rows by size, then a mean), and where a table
 * has counters the times join it. */
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/memory.h"
#include "trace/profile_build.h"

/* What the tables know of a kernel. */
struct kernel {
    uint32_t counted;        /* its launch with counters; KEY_NONE: none */
    enum launch_view finest; /* of its tables of times, VIEW_ALONE: none */
    /* Of the launches of the finest: */
    uint64_t invocations;
    double time;
    uint32_t time_counter; /* KEY_NONE: none of them has a time */
    uint32_t first;
    bool one_size;
};

struct kernels {
    struct key_table names;
    struct kernel *items;
    size_t capacity;
};

static enum status find_kernel(struct kernels *kernels, const char *name, struct kernel **kernel)
{
    const uint32_t count = kernels->names.count;
    uint32_t number;
    if (array_reserve(&kernels->items, &kernels->capacity, (size_t)count + 1) ||
        key_table_number(&kernels->names, XXH3_64bits(name, strlen(name)), &number))
        return STATUS_MEMORY;
    if (number == count)
        kernels->items[number] = (struct kernel){.counted = KEY_NONE, .time_counter = KEY_NONE};
    *kernel = &kernels->items[number];
    return STATUS_OK;
}

/* The first value of a launch of a table of times is its time (trace/profile_times.c). */
static bool has_time(const struct profile *profile, const struct profile_launch *launch)
{
    return launch->count && !strcmp(profile->counters[launch->values[0].counter].name, "Duration");
}

static void add_times(struct kernel *kernel, const struct profile *profile, uint32_t launch,
                      enum launch_view view)
{
    const struct profile_launch *one = &profile->launches[launch];
    if (view < kernel->finest)
        return;
    if (view > kernel->finest)
        *kernel = (struct kernel){.counted = kernel->counted,
                                  .finest = view,
                                  .time_counter = KEY_NONE,
                                  .first = launch,
                                  .one_size = true};
    const struct profile_launch *first = &profile->launches[kernel->first];
    kernel->one_size &= !memcmp(first->grid, one->grid, sizeof one->grid) &&
                        !memcmp(first->block, one->block, sizeof one->block);
    if (!has_time(profile, one))
        return;
    kernel->time_counter = one->values[0].counter;
    kernel->invocations += one->invocations;
    kernel->time += one->values[0].value * (double)one->invocations;
}

static enum status gather(const struct profile_builder *builder, struct kernels *kernels)
{
    const struct profile *profile = builder->profile;
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < profile->launch_count && !status; i++) {
        const enum launch_view view = builder->states[i].view;
        struct kernel *kernel;
        if (view == VIEW_ALONE)
            continue;
        status = find_kernel(kernels, profile->launches[i].kernel, &kernel);
        if (status)
            break;
        if (view != VIEW_COUNTED)
            add_times(kernel, profile, i, view);
        else if (kernel->counted == KEY_NONE)
            kernel->counted = i;
    }
    return status;
}

/* Adds the mean time to the launch with the counters, and the size if all have one. */
static enum status give_times(struct profile *profile, const struct kernel *kernel)
{
    struct profile_launch *launch = &profile->launches[kernel->counted];
    const struct profile_launch *first = &profile->launches[kernel->first];
    if (kernel->one_size) {
        memcpy(launch->grid, first->grid, sizeof launch->grid);
        memcpy(launch->block, first->block, sizeof launch->block);
    }
    if (kernel->time_counter == KEY_NONE)
        return STATUS_OK;
    if (array_reserve(&launch->values, &launch->capacity, launch->count + 1))
        return STATUS_MEMORY;
    launch->values[launch->count++] = (struct profile_value){
        kernel->time_counter, first->values[0].line, kernel->time / (double)kernel->invocations};
    return STATUS_OK;
}

static bool is_superfluous(struct kernels *kernels, const struct profile_builder *builder,
                           uint32_t launch)
{
    const char *name = builder->profile->launches[launch].kernel;
    const enum launch_view view = builder->states[launch].view;
    if (view == VIEW_ALONE || view == VIEW_COUNTED)
        return false;
    const uint32_t number = key_table_find(&kernels->names, XXH3_64bits(name, strlen(name)));
    const struct kernel *kernel = &kernels->items[number];
    return kernel->counted != KEY_NONE || view < kernel->finest;
}

static void remove_superfluous(struct kernels *kernels, const struct profile_builder *builder)
{
    struct profile *profile = builder->profile;
    size_t kept = 0;
    for (uint32_t i = 0; i < profile->launch_count; i++) {
        struct profile_launch *launch = &profile->launches[i];
        if (!is_superfluous(kernels, builder, i)) {
            builder->states[kept] = builder->states[i];
            profile->launches[kept++] = *launch;
            continue;
        }
        free(launch->kernel);
        free(launch->values);
    }
    profile->launch_count = kept;
}

/* Leaves the first value of each counter of a launch: sections of a page, and tables of one file,
 * repeat some. */
static enum status keep_first(struct profile *profile)
{
    uint32_t *seen = calloc(profile->counter_count + 1, sizeof *seen); /* the launch + 1 */
    if (!seen)
        return STATUS_MEMORY;
    for (uint32_t i = 0; i < profile->launch_count; i++) {
        struct profile_launch *launch = &profile->launches[i];
        size_t kept = 0;
        for (size_t k = 0; k < launch->count; k++)
            if (seen[launch->values[k].counter] != i + 1) {
                seen[launch->values[k].counter] = i + 1;
                launch->values[kept++] = launch->values[k];
            }
        launch->count = kept;
    }
    free(seen);
    return STATUS_OK;
}

enum status profile_join(struct profile_builder *builder)
{
    struct kernels kernels = {0};
    enum status status = gather(builder, &kernels);
    for (uint32_t i = 0; i < kernels.names.count && !status; i++)
        if (kernels.items[i].counted != KEY_NONE && kernels.items[i].finest)
            status = give_times(builder->profile, &kernels.items[i]);
    if (!status) {
        remove_superfluous(&kernels, builder);
        status = keep_first(builder->profile);
    }
    key_table_free(&kernels.names);
    free(kernels.items);
    return status;
}
