#include "config/gpgpusim_core.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_MAX_TEXT = 64, LATCHES = 5, WIDTHS = 11, WIDTHS_TENSOR = 13 };

/* "pipe.int." and "units" make "pipe.int.units". */
static const char *join(char path[PATH_MAX_TEXT], const char *group, const char *name)
{
    snprintf(path, PATH_MAX_TEXT, "%s%s", group, name);
    return path;
}

/* ---- clocks ---- */

void gpgpusim_read_clocks(struct gpgpusim_reader *reader, const char *text)
{
    static const char *const paths[] = {"gpu.clock", "network.clock", NULL, "dram.clock"};
    double hertz[4];
    const char *at = text;
    for (size_t i = 0; i < 4; i++) {
        char *end;
        hertz[i] = round(strtod(at, &end) * 1e6);
        if (end == at || *end != (i < 3 ? ':' : '\0')) {
            gpgpusim_refuse(reader, "expected <core MHz>:<interconnect>:<l2>:<dram>, got '%.60s'",
                            text);
            return;
        }
        at = end + 1;
    }
    if (hertz[1] != hertz[2]) {
        gpgpusim_refuse(reader,
                        "the interconnect and the L2 share one clock, network.clock, here; "
                        "their clocks differ in '%.60s'",
                        text);
        return;
    }
    for (size_t i = 0; i < 4; i++)
        if (paths[i])
            gpgpusim_set_number(reader, paths[i],
                                hertz[i] > 0 && hertz[i] < 1e15 ? (uint64_t)hertz[i] : 0);
}

void gpgpusim_write_clocks(const struct gpgpusim_writer *writer)
{
    const struct machine *machine = writer->machine;
    char core[QUANTITY_TEXT], network[QUANTITY_TEXT], dram[QUANTITY_TEXT];
    quantity_print_real((double)machine->gpu.clock / 1e6, UNIT_NONE, core);
    quantity_print_real((double)machine->network.clock / 1e6, UNIT_NONE, network);
    quantity_print_real((double)machine->dram.clock / 1e6, UNIT_NONE, dram);
    fprintf(writer->out, "%s:%s:%s:%s", core, network, network, dram);
}

/* ---- latches ---- */

/* As many latches as the pipes of ID_OC and OC_EX have units: sp, dp, int, sfu, memory. */
static void count_latches(const struct machine *machine, uint64_t latches[LATCHES])
{
    const struct pipes_config *pipe = &machine->pipe;
    latches[0] = pipe->sp.units;
    latches[1] = pipe->dp.units;
    latches[2] = pipe->integer.units;
    latches[3] = pipe->sfu.units;
    latches[4] = machine->core.subcores ? machine->scheduler.count : 1;
}

/* GPGPU-Sim 3 has no latches for integers, and at first none for 64-bit numbers. */
void gpgpusim_read_widths(struct gpgpusim_reader *reader, const char *text)
{
    uint64_t widths[WIDTHS_TENSOR], latches[LATCHES];
    const size_t count = gpgpusim_split(text, ',', widths, WIDTHS_TENSOR);
    const bool tensor = count == WIDTHS_TENSOR;
    const struct pipes_config *pipe = &reader->machine->pipe;
    if (count < 7 || !(count & 1)) {
        gpgpusim_refuse(reader, "expected 7, 9, 11 or 13 numbers of latches, got '%.60s'", text);
        return;
    }
    gpgpusim_set_number(reader, "core.results", widths[tensor ? WIDTHS - 1 : count - 1]);
    count_latches(reader->machine, latches);
    bool same = !tensor ||
                (widths[WIDTHS] == pipe->tensor.units && widths[WIDTHS + 1] == pipe->tensor.units);
    for (size_t i = 0; i < LATCHES && count >= WIDTHS; i++)
        same = same && widths[i] == latches[i] && widths[i + LATCHES] == latches[i];
    if (!same)
        diagnostics_add(reader->diagnostics, SEVERITY_WARNING, &reader->place,
                        "here a pipe has as many latches before and behind its operand collectors "
                        "as units");
}

void gpgpusim_write_widths(const struct gpgpusim_writer *writer)
{
    uint64_t latches[LATCHES], tensor = writer->machine->pipe.tensor.units;
    count_latches(writer->machine, latches);
    for (size_t i = 0; i < 2 * LATCHES; i++)
        fprintf(writer->out, "%" PRIu64 ",", latches[i % LATCHES]);
    fprintf(writer->out, "%" PRIu64, writer->machine->core.results);
    if (tensor)
        fprintf(writer->out, ",%" PRIu64 ",%" PRIu64, tensor, tensor);
}

/* ---- execution units ---- */

void gpgpusim_read_pipe(struct gpgpusim_reader *reader, const char *text)
{
    uint64_t numbers[2];
    char path[PATH_MAX_TEXT];
    if (gpgpusim_split(text, ',', numbers, 2) != 2) {
        gpgpusim_refuse(reader, "expected <latency>,<initiation interval>, got '%.40s'", text);
        return;
    }
    gpgpusim_set_number(reader, join(path, reader->path, "latency"), numbers[0]);
    gpgpusim_set_number(reader, join(path, reader->path, "interval"), numbers[1]);
}

void gpgpusim_read_tensor_unit(struct gpgpusim_reader *reader, const char *text)
{
    if (reader->tensor_unit)
        gpgpusim_read_pipe(reader, text);
}

void gpgpusim_write_pipe(const struct gpgpusim_writer *writer)
{
    char path[PATH_MAX_TEXT];
    fprintf(writer->out, "%" PRIu64 ",",
            gpgpusim_number(join(path, writer->path, "latency"), writer->machine));
    fprintf(writer->out, "%" PRIu64,
            gpgpusim_number(join(path, writer->path, "interval"), writer->machine));
}

static bool is_tensor(const char *group)
{
    return !strcmp(group, "pipe.tensor.");
}

void gpgpusim_read_unit(struct gpgpusim_reader *reader, const char *text)
{
    char fields[PATH_MAX_TEXT], path[PATH_MAX_TEXT];
    uint64_t numbers[LATCHES];
    const char *name = strrchr(text, ',');
    snprintf(fields, sizeof fields, "%.*s", name ? (int)(name - text) : 0, text);
    if (gpgpusim_split(fields, ',', numbers, LATCHES) != LATCHES || numbers[0] > 1) {
        gpgpusim_refuse(reader,
                        "expected <0 or 1>,<units>,<latency>,<ID_OC>,<OC_EX>,<name>, got '%.60s'",
                        text);
        return;
    }
    if (numbers[0] || !is_tensor(reader->path))
        gpgpusim_set_number(reader, join(path, reader->path, "units"), numbers[0] ? numbers[1] : 0);
    if (numbers[0] && is_tensor(reader->path))
        reader->tensor_unit = true;
}

void gpgpusim_write_unit(const struct gpgpusim_writer *writer)
{
    static const struct {
        const char *group, *name;
    } names[] = {{"pipe.branch.", "BRA"},
                 {"pipe.texture.", "TEX"},
                 {"pipe.tensor.", "TENSOR"},
                 {"pipe.uniform.", "UDP"}};
    char path[PATH_MAX_TEXT];
    uint64_t units = gpgpusim_number(join(path, writer->path, "units"), writer->machine);
    uint64_t latency = gpgpusim_number(join(path, writer->path, "latency"), writer->machine);
    fprintf(writer->out, "%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, units > 0, units,
            latency, units, units);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i].group, writer->path))
            fprintf(writer->out, ",%s", names[i].name);
}

void gpgpusim_read_tensor(struct gpgpusim_reader *reader, const char *text)
{
    bool available = true;
    gpgpusim_read_switch(reader, text, &available);
    if (!available)
        reader->machine->pipe.tensor.units = 0;
}

void gpgpusim_write_tensor(const struct gpgpusim_writer *writer)
{
    fputc(writer->machine->pipe.tensor.units ? '1' : '0', writer->out);
}

/* ---- operand collectors and fetch ---- */

void gpgpusim_read_collectors(struct gpgpusim_reader *reader, const char *text)
{
    bool own = false;
    if (!gpgpusim_read_switch(reader, text, &own))
        return;
    if (own && reader->machine->core.collectors)
        gpgpusim_refuse(reader, "either all pipes share collectors (num_units_gen) or each has its "
                                "own; both at once are not modelled");
    else if (!own && !reader->machine->core.collectors)
        gpgpusim_refuse(reader, "0 needs collectors that all pipes share (num_units_gen)");
}

void gpgpusim_write_collectors(const struct gpgpusim_writer *writer)
{
    fputc(writer->machine->core.collectors ? '0' : '1', writer->out);
}

void gpgpusim_read_perfect(struct gpgpusim_reader *reader, const char *text)
{
    bool perfect = false;
    if (gpgpusim_read_switch(reader, text, &perfect))
        reader->machine->l1i.enabled = !perfect;
}

void gpgpusim_write_perfect(const struct gpgpusim_writer *writer)
{
    fputc(writer->machine->l1i.enabled ? '0' : '1', writer->out);
}
