/* STREAMCLUSTER: the random numbers are the host's, every launch computes what plain loops over its
 * inputs give, the search pays, and each thread makes the accesses of its twin. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/program_trial.h"
#include "support/thread_twin.h"
#include "workload/cuda/streamcluster.h"

static void random_numbers_are_those_of_lrand48(void **state)
{
    (void)state;
    struct rand48 random;
    for (uint32_t seed = 1; seed < 4; seed++) {
        rand48_init(&random, seed);
        srand48((long)seed);
        for (int i = 0; i < 10000; i++)
            assert_int_equal(rand48_next(&random), lrand48());
    }
}

/* As the suite declares it. */
struct point {
    float weight;
    char *coordinates;
    int64_t assign;
    float cost;
};

static float plain_distance(const float *coordinates, uint64_t points, int dimensions, uint64_t a,
                            uint64_t b)
{
    float sum = 0;
    for (int d = 0; d < dimensions; d++) {
        float difference =
            coordinates[(uint64_t)d * points + a] - coordinates[(uint64_t)d * points + b];
        sum += difference * difference;
    }
    return sum;
}

enum { POINTS = 700, DIMENSIONS = 21 };

/* Runs the first `calls` launches; the last one's inputs and results are on the device. */
static void open_calls(struct trial *trial, int calls)
{
    char text[120];
    snprintf(text, sizeof text, "points=%d,dimensions=%d,centers_min=5,centers_max=9,calls=%d",
             POINTS, DIMENSIONS, calls);
    open_trial(trial, "STREAMCLUSTER", text);
    staged_upload(trial->source, &trial->device);
    trial_run(trial);
}

/* The last launch's work memory and marks by plain loops over its inputs. */
static void check_last_launch(struct trial *trial)
{
    const struct clustering *clustering = streamcluster_clustering(trial->source);
    uint32_t last = trial->source->launch_count - 1;
    const struct clustering_call *call = &clustering->calls[last];
    const struct point *points = trial_memory(trial, "points");
    const int32_t *centers = trial_memory(trial, "center_table");
    const uint8_t *marks = trial_memory(trial, "switch_membership");
    const float *coordinates = trial_memory(trial, "coordinates");
    size_t stride = call->centers + 1;
    const float *work = device_at(&trial->device, streamcluster_work(trial->source, last),
                                  stride * POINTS * sizeof(float));
    for (uint64_t i = 0; i < POINTS; i++) {
        float distance = plain_distance(coordinates, POINTS, DIMENSIONS, i, call->x);
        bool closer = distance < points[i].cost;
        uint64_t column = closer ? call->centers : (uint64_t)centers[points[i].assign];
        assert_int_equal(marks[i], closer);
        assert_int_equal(clustering_is_closer(call, i), closer);
        for (uint64_t c = 0; c < stride; c++)
            assert_true(work[i * stride + c] == (c != column ? 0
                                                 : closer    ? distance - points[i].cost
                                                             : points[i].cost - distance));
    }
}

/* Every point's cost is its distance to its center, and there are as many centers as it says. */
static double check_assignment(struct trial *trial)
{
    const struct clustering *clustering = streamcluster_clustering(trial->source);
    const struct clustering_call *call = &clustering->calls[trial->source->launch_count - 1];
    const struct point *points = trial_memory(trial, "points");
    const int32_t *centers = trial_memory(trial, "center_table");
    const float *coordinates = trial_memory(trial, "coordinates");
    double total = (double)call->facility_cost * call->centers;
    for (uint64_t i = 0; i < POINTS; i++) {
        uint64_t center = (uint64_t)points[i].assign;
        assert_true(points[i].weight == 1);
        assert_true(points[i].cost == plain_distance(coordinates, POINTS, DIMENSIONS, i, center));
        assert_in_range(centers[center], 0, call->centers - 1);
        total += (double)points[i].cost;
    }
    return total;
}

/* What opening the candidate would gain by the results of the last launch alone (pgain). */
static double gain_of_last_launch(struct trial *trial)
{
    const struct clustering *clustering = streamcluster_clustering(trial->source);
    uint32_t last = trial->source->launch_count - 1;
    const struct clustering_call *call = &clustering->calls[last];
    size_t stride = call->centers + 1;
    const float *work = device_at(&trial->device, streamcluster_work(trial->source, last),
                                  stride * POINTS * sizeof(float));
    double opening = (double)call->facility_cost;
    for (size_t c = 0; c < call->centers; c++) {
        double lower = (double)call->facility_cost;
        for (size_t i = 0; i < POINTS; i++)
            lower += (double)work[i * stride + c];
        opening -= lower > 0 ? lower : 0;
    }
    for (size_t i = 0; i < POINTS; i++)
        opening += (double)work[i * stride + call->centers];
    return opening < 0 ? -opening : 0;
}

static void every_launch_computes_and_the_search_pays(void **state)
{
    (void)state;
    double before = 0, gain = 0;
    int gained = 0;
    for (int calls = 1; calls <= 40; calls++) {
        struct trial trial;
        open_calls(&trial, calls);
        assert_int_equal(trial.source->launch_count, calls);
        check_last_launch(&trial);
        double total = check_assignment(&trial);
        /* A center opened saves at least what the launch promised: points of a center that closes
         * go to the new one, as the promise counts. */
        if (calls > 1)
            assert_true(fabs(before - gain - total) < 1e-3 * before);
        before = total;
        gain = gain_of_last_launch(&trial);
        gained += gain > 0;
        free_trial(&trial);
    }
    assert_true(gained >= 3);
}

static void the_search_ends_with_as_many_centers_as_asked(void **state)
{
    (void)state;
    struct clustering clustering;
    assert_int_equal(clustering_create(&clustering, 900, 8, 10, 20, 0), STATUS_OK);
    assert_true(clustering.call_count > 179);
    const struct clustering_call *last = &clustering.calls[clustering.call_count - 1];
    assert_in_range(last->centers, 9, 22);
    clustering_free(&clustering);
}

static void touch_point(struct thread *t, int64_t offset, unsigned bytes)
{
    touch_bytes(t, OP_LOAD, "points", (uint64_t)(32 * t->x + offset), bytes);
}

static void cost_twin(struct thread *t)
{
    const struct clustering *clustering = streamcluster_clustering(t->source);
    const struct clustering_call *call = &clustering->calls[t->launch];
    const struct assignment *assignment = &clustering->assignments[call->assignment];
    int64_t n = clustering->points, own = t->x;
    if (own >= n)
        return;
    for (int64_t d = 0; d < clustering->dimensions; d++) {
        load(t, "coordinates", d * n + call->x);
        load(t, "coordinates", d * n + own);
    }
    touch_point(t, 0, 4);
    touch_point(t, 24, 4);
    uint64_t column = call->centers, stride = call->centers + 1;
    if (plain_distance(clustering->coordinates, (uint64_t)n, (int)clustering->dimensions,
                       (uint64_t)own, call->x) < assignment->cost[own]) {
        touch_bytes(t, OP_STORE, "switch_membership", (uint64_t)own, 1);
        touch_point(t, 24, 4);
    } else {
        touch_point(t, 16, 8);
        load(t, "center_table", assignment->assign[own]);
        column = assignment->center[own];
    }
    uint64_t at = streamcluster_work(t->source, t->launch) + 4 * ((uint64_t)own * stride + column);
    touch_space(t, OP_LOAD, SPACE_GLOBAL, 4, at);
    touch_space(t, OP_STORE, SPACE_GLOBAL, 4, at);
}

static void threads_make_the_accesses_of_their_twin(void **state)
{
    (void)state;
    struct trace_source *source = open_program(
        "STREAMCLUSTER", "points=1000,dimensions=13,centers_min=4,centers_max=6,calls=12");
    check_twin(source, (struct sizes){0}, cost_twin);
    assert_true(streamcluster_work(source, 1) > program_find_array(source, "coordinates")->base);
    trace_source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_numbers_are_those_of_lrand48),
        cmocka_unit_test(every_launch_computes_and_the_search_pays),
        cmocka_unit_test(the_search_ends_with_as_many_centers_as_asked),
        cmocka_unit_test(threads_make_the_accesses_of_their_twin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
