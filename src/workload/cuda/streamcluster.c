/* STREAMCLUSTER: would another point be a better center? After Rodinia 3.1; one launch per
 * candidate.
 *
 * One thread per point. It computes the distance to the candidate over all dimensions; coordinates
 * are stored as [dimension][point], so the lanes of a warp read 128 contiguous bytes and the
 * candidate's coordinate is a broadcast. Then one of two paths, depending on which center is
 * nearer, adds to the point's row of the work memory.
 *
 * Launches depend on each other through the host, which opens and closes centers according to the
 * results of a launch. So opening the program runs the host's search once (clustering.c) and keeps
 * for each launch its candidate, one bit per point for the path, and the assignment, which many
 * launches share. Since everything before a launch is known, blocks can be generated in any order.
 * The host's random numbers are those of lrand48() after srand48(1), and its sums those of its
 * source in single precision. A compiler that fuses or reorders them may decide a close call
 * differently, and then another candidate's launch follows; no replay can reproduce that.
 *
 * Every call allocates its work memory again, and in GPGPU-Sim it gets new addresses. Order: PTX,
 * which loads the candidate's coordinate first, and the cost again after the store. */
#include "workload/cuda/streamcluster.h"

#include <stdlib.h>
#include <string.h>

#include "workload/cuda/cuda_programs.h"
#include "workload/cuda/staged.h"

enum { CENTERS_MIN, CENTERS_MAX, DIMENSIONS, POINTS, CALLS };
enum { BLOCK = 512, GROUP = 8, POINT_BYTES = 32, WEIGHT_AT = 0, ASSIGN_AT = 16, COST_AT = 24 };
enum { COORDINATES_MAX = 1 << 26 }; /* they are all in memory, twice while opening */
enum { ARRAY_CENTERS, ARRAY_SWITCH, ARRAY_POINTS, ARRAY_COORDINATES };

static const struct workload_parameter parameters_streamcluster[] = {
    {"centers_min", 10, 2, 1000, "fewest centers (k1)"},
    {"centers_max", 20, 2, 1000, "most centers (k2)"},
    {"dimensions", 256, 1, 4096, "of a point"},
    {"points", 65536, 64, 1 << 18, "points, one chunk of them"},
    {"calls", 2, 0, 100000, "launches, one per candidate; 0: all of the search, which is slow"},
    PROGRAM_DEVICE_PARAMETERS,
};

struct streamcluster {
    struct staged_program staged; /* first */
    struct clustering clustering;
    uint64_t *work; /* by launch: its work memory */
};

/* The distances so far. */
struct distances {
    float sum[WARP_SIZE], cost[WARP_SIZE];
    uint32_t closer;
};

static const struct streamcluster *cast(const struct staged_program *program)
{
    return (const struct streamcluster *)program;
}

static struct site point_site(uint8_t number, uint8_t bytes)
{
    return (struct site){number, SPACE_GLOBAL, bytes};
}

/* A field of lane 0's point; those of the others are POINT_BYTES apart. */
static uint64_t point_address(const struct stage *stage, uint64_t at)
{
    return array_base(stage, ARRAY_POINTS) + POINT_BYTES * stage_thread(stage) + at;
}

/* A few dimensions of the distance. */
static void add_dimensions(struct stage *stage, uint32_t mask, struct distances *distances)
{
    const struct clustering *clustering = &cast(stage->program)->clustering;
    uint64_t base = array_base(stage, ARRAY_COORDINATES), points = clustering->points;
    uint32_t first = stage->number * GROUP, end = first + GROUP;
    end = end < clustering->dimensions ? end : clustering->dimensions;
    for (uint32_t d = first; d < end; d++) {
        float there[WARP_SIZE] = {0}, here[WARP_SIZE] = {0};
        uint64_t candidate = d * points + clustering->calls[stage->launch].x;
        uint64_t own = d * points + stage_thread(stage);
        stage_load_row(stage, word_site(0), mask, base + 4 * candidate, 0, there);
        stage_load_row(stage, word_site(1), mask, base + 4 * own, 4, here);
        for (uint32_t lane = 0; stage->device && lane < WARP_SIZE; lane++)
            distances->sum[lane] += (here[lane] - there[lane]) * (here[lane] - there[lane]);
        /* Difference, square; two pointers, counter, compare, branch. */
        stage_mix(stage, 1, (struct work){.singles = 2, .addresses = 4, .branches = 1});
    }
}

/* The weighted distance against the cost: which lanes' points are nearer to the candidate. */
static void compare_costs(struct stage *stage, uint32_t mask, struct distances *distances)
{
    const struct clustering_call *call = &cast(stage->program)->clustering.calls[stage->launch];
    uint64_t first = stage_thread(stage);
    float weight[WARP_SIZE] = {0};
    stage_load_row(stage, word_site(2), mask, point_address(stage, WEIGHT_AT), POINT_BYTES, weight);
    stage_mix(stage, 1, (struct work){.addresses = 1});
    stage_load_row(stage, word_site(3), mask, point_address(stage, COST_AT), POINT_BYTES,
                   distances->cost);
    stage_mix(stage, 1, (struct work){.singles = 1, .branches = 1});
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        distances->sum[lane] *= weight[lane];
        bool closer = stage->device ? distances->sum[lane] < distances->cost[lane]
                                    : clustering_is_closer(call, first + lane);
        distances->closer |= (uint32_t)closer << lane;
    }
}

/* work[point][column] += amount. */
static void add_work(struct stage *stage, uint8_t site, uint32_t mask,
                     const int32_t columns[WARP_SIZE], const float amounts[WARP_SIZE])
{
    const struct streamcluster *cluster = cast(stage->program);
    uint64_t stride = cluster->clustering.calls[stage->launch].centers + 1;
    uint64_t addresses[WARP_SIZE];
    float values[WARP_SIZE] = {0};
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        addresses[lane] = cluster->work[stage->launch] +
                          4 * ((stage_thread(stage) + lane) * stride + (uint64_t)columns[lane]);
    stage_work(stage, mask ? 3 : 0);
    stage_load(stage, word_site(site), mask, addresses, values);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        values[lane] += amounts[lane];
    stage_mix(stage, mask ? 1 : 0, (struct work){.singles = 2});
    stage_store(stage, word_site(site + 1), mask, addresses, values);
}

/* The candidate is nearer: the point would switch. */
static void save_switch(struct stage *stage, uint32_t mask, struct distances *distances)
{
    const struct clustering_call *call = &cast(stage->program)->clustering.calls[stage->launch];
    uint8_t ones[WARP_SIZE];
    int32_t columns[WARP_SIZE];
    float amounts[WARP_SIZE];
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        ones[lane] = 1;
        columns[lane] = (int32_t)call->centers;
    }
    stage_store_row(stage, point_site(4, 1), mask,
                    array_base(stage, ARRAY_SWITCH) + stage_thread(stage), 1, ones);
    stage_load_row(stage, word_site(5), mask, point_address(stage, COST_AT), POINT_BYTES,
                   distances->cost);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        amounts[lane] = distances->sum[lane] - distances->cost[lane];
    add_work(stage, 6, mask, columns, amounts);
}

/* It is not: what the point would lose were its center closed. */
static void save_loss(struct stage *stage, uint32_t mask, const struct distances *distances)
{
    const struct clustering *clustering = &cast(stage->program)->clustering;
    const struct assignment *assignment =
        &clustering->assignments[clustering->calls[stage->launch].assignment];
    uint64_t addresses[WARP_SIZE], first = stage_thread(stage);
    int64_t assign[WARP_SIZE] = {0};
    int32_t columns[WARP_SIZE] = {0};
    float amounts[WARP_SIZE];
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        assign[lane] = assignment->assign[first + lane];
        columns[lane] = (int32_t)assignment->center[first + lane];
    }
    stage_load_row(stage, point_site(8, 8), mask, point_address(stage, ASSIGN_AT), POINT_BYTES,
                   assign);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        addresses[lane] = array_base(stage, ARRAY_CENTERS) + 4 * (uint64_t)assign[lane];
        amounts[lane] = distances->cost[lane] - distances->sum[lane];
    }
    stage_work(stage, mask ? 2 : 0);
    stage_load(stage, word_site(9), mask, addresses, columns);
    add_work(stage, 10, mask, columns, amounts);
}

/* Stages: some dimensions each, then the comparison and both paths. */
static enum stage_end run_cost(struct stage *stage)
{
    const struct clustering *clustering = &cast(stage->program)->clustering;
    struct distances *distances = stage->state;
    uint32_t mask = lanes_below(stage_thread(stage), clustering->points) & stage->lanes;
    if (!mask)
        return STAGE_DONE;
    if (stage->number * GROUP < clustering->dimensions) {
        add_dimensions(stage, mask, distances);
        return STAGE_NEXT;
    }
    compare_costs(stage, mask, distances);
    save_switch(stage, distances->closer, distances);
    save_loss(stage, mask & ~distances->closer, distances);
    return STAGE_DONE;
}

static const struct staged_kernel kernel = {
    .name = "kernel_compute_cost",
    .code = {.sites = "LL LL SL L S L L L S", .prologue = 14},
    .state_bytes = sizeof(struct distances),
    .run = run_cost,
};

static void streamcluster_upload(const struct staged_program *program, struct device *device)
{
    const struct clustering *clustering = &cast(program)->clustering;
    const struct trace_array *array = &program->program.arrays[ARRAY_COORDINATES];
    memcpy(device_at(device, array->base, array->bytes), clustering->coordinates, array->bytes);
}

/* Points, center table, and cleared results, as the host copies them before every launch. */
static void streamcluster_prepare(const struct staged_program *program, uint32_t launch,
                                  struct device *device)
{
    const struct streamcluster *cluster = cast(program);
    const struct clustering *clustering = &cluster->clustering;
    const struct clustering_call *call = &clustering->calls[launch];
    const struct assignment *assignment = &clustering->assignments[call->assignment];
    const struct trace_array *arrays = program->program.arrays;
    uint64_t points = clustering->points, work = 4 * (call->centers + 1) * (points + 1);
    memset(device_at(device, arrays[ARRAY_SWITCH].base, points), 0, points);
    memset(device_at(device, cluster->work[launch], work), 0, work);
    unsigned char *point = device_at(device, arrays[ARRAY_POINTS].base, POINT_BYTES * points);
    int32_t *centers = device_at(device, arrays[ARRAY_CENTERS].base, 4 * points);
    for (uint64_t i = 0; i < points; i++, point += POINT_BYTES) {
        float weight = 1;
        int64_t assign = assignment->assign[i];
        memset(point, 0, POINT_BYTES);
        memcpy(point + WEIGHT_AT, &weight, sizeof weight);
        memcpy(point + ASSIGN_AT, &assign, sizeof assign);
        memcpy(point + COST_AT, &assignment->cost[i], sizeof(float));
        centers[assign] = (int32_t)assignment->center[i];
    }
}

static void streamcluster_release(struct staged_program *program)
{
    struct streamcluster *cluster = (struct streamcluster *)program;
    clustering_free(&cluster->clustering);
    free(cluster->work);
}

/* Launches and addresses: the first work memory stands before the arrays, the others after. */
static enum status add_launches(struct streamcluster *cluster)
{
    const struct clustering *clustering = &cluster->clustering;
    struct program *program = &cluster->staged.program;
    uint64_t points = clustering->points;
    cluster->work = calloc(clustering->call_count + 1, sizeof *cluster->work);
    if (!cluster->work)
        return STATUS_MEMORY;
    for (size_t i = 0; i < clustering->call_count; i++) {
        cluster->work[i] =
            program_allocate(program, 4 * (clustering->calls[i].centers + 1) * (points + 1));
        if (i == 0) {
            program_array(program, "center_table", 4 * points);
            program_array(program, "switch_membership", points);
            program_array(program, "points", POINT_BYTES * points);
            program_array(program, "coordinates", 4 * points * clustering->dimensions);
        }
        staged_launch(&cluster->staged, &kernel, (points + BLOCK - 1) / BLOCK, 1, BLOCK, 1, 0);
    }
    return STATUS_OK;
}

static enum status open_streamcluster(const uint64_t *values, struct trace_source **source,
                                      struct diagnostics *diagnostics)
{
    if (values[CENTERS_MIN] > values[CENTERS_MAX] || values[CENTERS_MAX] >= values[POINTS])
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "centers_min <= centers_max < points must hold, got %llu, %llu, "
                                 "%llu",
                                 (unsigned long long)values[CENTERS_MIN],
                                 (unsigned long long)values[CENTERS_MAX],
                                 (unsigned long long)values[POINTS]);
    if (values[POINTS] * values[DIMENSIONS] > COORDINATES_MAX)
        return diagnostics_error(
            diagnostics, STATUS_INVALID, "points times dimensions must be at most %d, got %llu",
            COORDINATES_MAX, (unsigned long long)values[POINTS] * values[DIMENSIONS]);
    struct streamcluster *cluster = staged_create(sizeof *cluster, &workload_streamcluster, values);
    if (!cluster)
        return STATUS_MEMORY;
    struct staged_program *program = &cluster->staged;
    program->upload = streamcluster_upload;
    program->prepare = streamcluster_prepare;
    program->release = streamcluster_release;
    enum status status = clustering_create(
        &cluster->clustering, (uint32_t)values[POINTS], (uint32_t)values[DIMENSIONS],
        (uint32_t)values[CENTERS_MIN], (uint32_t)values[CENTERS_MAX], values[CALLS]);
    if (!status)
        status = add_launches(cluster);
    if (status)
        program->program.status = status;
    return staged_finish(program, source, diagnostics);
}

const struct clustering *streamcluster_clustering(const struct trace_source *source)
{
    return &((const struct streamcluster *)source)->clustering;
}

uint64_t streamcluster_work(const struct trace_source *source, uint32_t launch)
{
    return ((const struct streamcluster *)source)->work[launch];
}

CUDA_PROGRAM(
    streamcluster, "STREAMCLUSTER", RODINIA_SUITE,
    .help = "distances of all points to one; streams 64 MiB per launch, then scattered rows");
