#include "explore/space/fit.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "explore/space/projection.h"
#include "model/evaluate.h"
#include "model/gpu/occupancy.h"

/* Whether a parameter can decide what runs: occupancy reads struct gpu_config and, for the
 * registers of compiled kernels, the architecture; some kinds of machines run no kernels. */
static bool bears_on_fit(const struct parameter *parameter)
{
    size_t begin = offsetof(struct machine, gpu);
    return (parameter->offset >= begin && parameter->offset - begin < sizeof(struct gpu_config)) ||
           parameter->offset == offsetof(struct machine, coalescer.arch) ||
           parameter->offset == offsetof(struct machine, kind);
}

/* The first launch that does not have room for a thread block on an SM, or launch_count. */
static uint32_t find_misfit(const struct trace_source *source, const struct machine *machine)
{
    uint32_t launch = 0;
    while (launch < source->launch_count && occupancy_of(machine, &source->launches[launch]).blocks)
        launch++;
    return launch;
}

bool fit_runs(const struct machine *machine, const struct trace_source *source)
{
    return !evaluate_check_machine(machine, source, NULL) &&
           find_misfit(source, machine) == source->launch_count;
}

/* Marks the combinations whose machines cannot run the source. Returns how many there are. */
static uint64_t mark_misfits(const struct space *space, const struct projection *projection,
                             const struct trace_source *source, uint8_t *misfits)
{
    uint64_t count = 0;
    memset(misfits, 0, projection->combinations / 8 + 1);
    for (uint64_t c = 0; c < projection->combinations; c++) {
        struct machine machine;
        space_machine(space, projection_base(projection, c), &machine);
        if (fit_runs(&machine, source))
            continue;
        bit_set(misfits, c);
        count++;
    }
    return count;
}

static void fit_report(const struct space *space, const bool *kept, const char *workload,
                       const struct trace_source *source, uint64_t first, uint64_t machines,
                       struct diagnostics *diagnostics)
{
    const struct study *study = space->study;
    char values[512] = "", value[VALUE_TEXT], text[COUNT_TEXT];
    struct place place = {.file = study->path};
    struct machine machine;
    size_t used = 0;
    space_machine(space, first, &machine);
    for (size_t a = 0; a < study->axis_count && used < sizeof values; a++) {
        const struct parameter *parameter = study->axes[a].parameter;
        if (!kept[a])
            continue;
        place.line = place.line ? place.line : study->axes[a].line;
        used += (size_t)snprintf(
            values + used, sizeof values - used, "%s %s=%s", used ? "" : ", such as with",
            parameter->path, parameter_print(parameter, parameter_get(parameter, &machine), value));
    }
    struct diagnostics refused = DIAGNOSTICS_INIT;
    if (evaluate_check_machine(&machine, source, &refused)) {
        diagnostics_add(diagnostics, SEVERITY_ERROR, &place,
                        "%s cannot run on %s%s: %s; 'where' can leave them out", workload,
                        counted_print(machines, "machine", text), values,
                        refused.count ? refused.items[0].message : status_text(STATUS_MEMORY));
        diagnostics_free(&refused);
        return;
    }
    uint32_t index = find_misfit(source, &machine);
    const struct trace_launch *launch = &source->launches[index];
    diagnostics_add(
        diagnostics, SEVERITY_ERROR, &place,
        "%s cannot run on %s%s: launch %u (%s) does not fit an SM, its %s do not; 'where' can "
        "leave them out",
        workload, counted_print(machines, "machine", text), values, index,
        launch->name ? launch->name : "unnamed",
        occupancy_limit_name(occupancy_of(&machine, launch).limit));
}

/* Evaluates occupancy once per combination of the axes that affect it, then looks every legal
 * machine up. */
static enum status check_workload(const struct space *space, const struct census *census,
                                  const struct projection *projection, const bool *kept,
                                  size_t workload, const struct trace_source *source,
                                  uint8_t *misfits, struct diagnostics *diagnostics)
{
    uint64_t count = 0, first = 0;
    if (!mark_misfits(space, projection, source, misfits))
        return STATUS_OK;
    for (uint64_t m = 0; m < space->machines; m++)
        if (bit_test(census->bitmap, m) && bit_test(misfits, projection_index(projection, m)))
            first = count++ ? first : m;
    if (!count)
        return STATUS_OK;
    fit_report(space, kept, space->study->workloads[workload], source, first, count, diagnostics);
    return STATUS_INVALID;
}

/* Whether a workload fits depends on few parameters (bears_on_fit), so each of their combinations
 * is tried once, and the census then says which of them some legal machine has. */
enum status fit_check(const struct space *space, const struct census *census,
                      struct trace_source *const *sources, struct diagnostics *diagnostics)
{
    const struct study *study = space->study;
    struct projection projection = {0};
    if (!depth_can(study->depth, DEPTH_FITS) || !census->bitmap)
        return STATUS_OK;
    bool *kept = calloc(study->axis_count + 1, sizeof *kept);
    if (!kept)
        return STATUS_MEMORY;
    for (size_t a = 0; a < study->axis_count; a++)
        kept[a] = bears_on_fit(study->axes[a].parameter);
    enum status status = projection_init(space, kept, &projection);
    uint8_t *misfits = status ? NULL : malloc(projection.combinations / 8 + 1);
    if (!status && !misfits)
        status = STATUS_MEMORY;
    for (size_t w = 0; misfits && w < study->workload_count; w++) {
        enum status checked =
            check_workload(space, census, &projection, kept, w, sources[w], misfits, diagnostics);
        status = status ? status : checked;
    }
    free(misfits);
    free(kept);
    projection_free(&projection);
    return status;
}
