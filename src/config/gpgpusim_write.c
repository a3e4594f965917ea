/* Writing a machine as gpgpusim.config. */
#include "config/gpgpusim.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/text_stream.h"
#include "config/gpgpusim_cache.h"
#include "config/gpgpusim_memory.h"
#include "config/gpgpusim_options.h"
#include "config/gpgpusim_values.h"

enum { KIB = 1024, LANES = 32 /* of a warp */ };

/* What no option of GPGPU-Sim says is an error: a file without it would be another machine, with
 * other results, and nothing in it would tell. */
static void check_options(const struct machine *machine, struct diagnostics *diagnostics)
{
    const struct cache_config *l1d = &machine->l1d, *l2 = &machine->l2;
    const struct dram_config *dram = &machine->dram;
    const struct {
        bool lacks;
        const char *why;
    } rows[] = {
        {l1d->enabled && (l1d->wavefront > 1 || l1d->load_cycles > 1 || l1d->tags),
         "l1d.wavefront, l1d.load_cycles, l1d.tags: GPGPU-Sim's data banks take an access in each "
         "cycle"},
        {l1d->enabled && l1d->mshr.tags,
         "l1d.mshr.tags: GPGPU-Sim has as many misses in flight as MSHRs"},
        {machine->core.load_store_units < LANES,
         "core.load_store_units: GPGPU-Sim takes all lanes of a warp at once"},
        {machine->core.barrier_threads,
         "core.barrier_threads: GPGPU-Sim's warps arrive at barriers at once"},
        {!dram->fixed && (dram->refi || dram->write_batch || dram->bank_hash == BANK_FOLDED),
         "dram.refi, dram.write_batch, dram.bank_hash yes: no options of GPGPU-Sim's that this "
         "program writes"},
        {l2->enabled && (l2->partial || l2->atomic || l2->atomic_float || l2->evict_port),
         "l2.partial, l2.atomic, l2.atomic_float, l2.evict_port: GPGPU-Sim writes parts of "
         "sectors, "
         "and performs atomics, as fast as it writes whole ones, and reads evict in no time"},
        {dram_latency(machine) != dram->latency,
         "dram.latency_clock: GPGPU-Sim's latency of the DRAM is in core cycles"},
        {cache_in_halves(l2), "l2.halves: GPGPU-Sim's L2 keeps a line in one slice"},
        {l2->enabled && l2->partition == PARTITION_ROTATE,
         "l2.partition: GPGPU-Sim has no partition hash rotate"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].lacks)
            diagnostics_error(diagnostics, STATUS_UNSUPPORTED, "%s", rows[i].why);
}

static void check_slices(const struct cache_config *l2, struct diagnostics *diagnostics)
{
    if (!l2->enabled)
        return;
    if (l2->slices % l2->slices_per_channel)
        diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                          "l2.slices: %" PRIu64 " slices do not fill channels of %" PRIu64,
                          l2->slices, l2->slices_per_channel);
    if (l2->partition == PARTITION_IPOLY_REST && is_power_of_two(l2->slices))
        diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                          "l2.partition: GPGPU-Sim's ipoly leaves no rest over %" PRIu64 " slices",
                          l2->slices);
    if (l2->partition == PARTITION_IPOLY && !gpgpusim_hashes_slices(l2->slices))
        diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                          "l2.partition: GPGPU-Sim's ipoly hash needs 9 to 64 slices, "
                          "not %" PRIu64,
                          l2->slices);
}

static void check_carveouts(const struct machine *machine, struct diagnostics *diagnostics)
{
    const struct sizes *carveouts = &machine->gpu.shared_options;
    if (machine->l1d.unified % KIB)
        diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                          "l1d.unified: GPGPU-Sim counts in whole KiB");
    for (uint32_t i = 0; machine->l1d.unified && i < carveouts->count; i++)
        if (carveouts->item[i] % KIB)
            diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                              "gpu.shared_options: GPGPU-Sim counts in whole KiB");
}

static void check_timing(const struct machine *machine, struct diagnostics *diagnostics)
{
    const double percents = machine->l1d.dirty * 100;
    if (!gpgpusim_has_scheduler(machine->scheduler.policy))
        diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                          "scheduler.policy: GPGPU-Sim has no word for this scheduler");
    if (fabs(percents - round(percents)) > 1e-9)
        diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                          "l1d.dirty: GPGPU-Sim counts in whole percents");
    if (machine->network.kind != NETWORK_CROSSBAR && machine->network.kind != NETWORK_FLY)
        diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                          "network.kind: GPGPU-Sim has networks crossbar and fly only");
    if (machine->network.sectors > 1)
        diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                          "network.sectors: an SM of GPGPU-Sim takes one reply per cycle");
    if (machine->l2.enabled && !gpgpusim_has_mapping(machine))
        diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                          "dram.bank_mask, row_mask or column_mask holds address bits that choose "
                          "the channel; GPGPU-Sim keeps them apart");
}

/* Reports everything that cannot be written, not only the first problem. */
static void check_writable(const struct machine *machine, struct diagnostics *diagnostics)
{
    static const char *const groups[] = {"l1d", "l2"};
    struct violation broken[VIOLATION_MAX];
    char text[CACHE_STRING];
    if (!machine_runs_kernels(machine)) {
        diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                          "a machine of kind %s has no caches of kernels, and gpgpusim.config "
                          "describes no others: it stays YAML",
                          parameter_find("machine.kind")->choices[machine->kind].name);
        return;
    }
    size_t count = machine_check(machine, broken);
    for (size_t i = 0; i < count && i < VIOLATION_MAX; i++)
        diagnostics_error(diagnostics, STATUS_INVALID, "%s: %s", broken[i].parameter->path,
                          broken[i].message);
    if (count)
        return;
    for (size_t i = 0; i < 2; i++) {
        struct cache_context context = {diagnostics, NULL, groups[i]};
        cache_string_write(&context, machine, text);
    }
    check_slices(&machine->l2, diagnostics);
    check_options(machine, diagnostics);
    check_carveouts(machine, diagnostics);
    check_timing(machine, diagnostics);
}

/* At the value that changes nothing an option without a parameter is written too: the file that
 * the lines go into may say otherwise. Options of other versions are not: the simulator would
 * refuse them. */
static void write_option(FILE *out, const struct gpgpusim_option *option,
                         const struct machine *machine)
{
    const struct gpgpusim_writer writer = {out, machine, option, option->path};
    if (option->heading)
        fprintf(out, "\n# %s\n", option->heading);
    const bool known = option->path || (option->neutral && option->fallback);
    if (!known || (option->written && !option->written(machine)))
        return;
    fprintf(out, "%s ", option->name);
    if (!option->path)
        fputs(option->neutral, out);
    else if (option->write)
        option->write(&writer);
    else
        gpgpusim_write_number(&writer);
    fputc('\n', out);
}

/* A parameter is lost if reading the text gives another value. */
static enum status note_lost(const char *text, const struct machine *machine,
                             struct diagnostics *diagnostics)
{
    struct machine back;
    size_t count = 0;
    if (gpgpusim_read(text, "the text", &back, NULL))
        return STATUS_OK; /* the simulator would refuse a rule that reading knows: none does */
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return STATUS_MEMORY;
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        const struct value ours = parameter_get(parameter, machine);
        char value[VALUE_TEXT];
        if (!parameter_relevant(parameter, machine) ||
            parameter_equal(parameter, ours, parameter_get(parameter, &back)))
            continue;
        fprintf(out, "%s%s %s", count++ ? ", " : "", parameter->path,
                parameter_print(parameter, ours, value));
    }
    char *list = text_stream_take(&stream);
    if (!list)
        return STATUS_MEMORY;
    if (count)
        diagnostics_add(diagnostics, SEVERITY_NOTE, NULL,
                        "gpgpusim.config has no words for %s; they are left out", list);
    diagnostics_add(diagnostics, SEVERITY_NOTE, NULL,
                    "-gpgpu_pipeline_widths has as many latches as each pipe has units, as here; a "
                    "configuration that the machine was made of may have had others");
    free(list);
    return STATUS_OK;
}

static enum status write_text(const struct machine *machine, char **text)
{
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return STATUS_MEMORY;
    fputs("# The memory hierarchy of a gpgpusim.config, written by warpscape. Put these lines in\n"
          "# place of their namesakes in a complete configuration (a later line wins).\n",
          out);
    for (size_t i = 0; i < gpgpusim_option_count; i++)
        write_option(out, &gpgpusim_options[i], machine);
    return text_stream_finish(&stream, STATUS_OK, text);
}

enum status gpgpusim_write(const struct machine *machine, char **text,
                           struct diagnostics *diagnostics)
{
    struct diagnostics found = DIAGNOSTICS_INIT;
    *text = NULL;
    check_writable(machine, &found);
    enum status status = found.errors ? STATUS_UNSUPPORTED : STATUS_OK;
    if (!status)
        status = write_text(machine, text);
    if (!status && diagnostics)
        status = note_lost(*text, machine, &found);
    if (diagnostics)
        diagnostics_move(diagnostics, &found);
    else
        diagnostics_free(&found);
    if (status) {
        free(*text);
        *text = NULL;
    }
    return status;
}
