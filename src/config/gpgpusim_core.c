#include "config/gpgpusim_core.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_MAX_TEXT = 64, LATCHES = 5, WIDTHS = 11, WIDTHS_TENSOR = 13, UNIT_LATENCY = 4 };

/* "pipe.int." and "units" make "pipe.int.units". */
static const char *core_path(char path[PATH_MAX_TEXT], const char *group, const char *name)
{
    snprintf(path, PATH_MAX_TEXT, "%s%s", group, name);
    return path;
}

/* ---- clocks ---- */

/* Four clocks, and more in files of forks. What is no number ends the loop with one clock more than
 * can be, so that one check refuses both. l2.clock stays 0, which is the network's clock, unless
 * the file says another. */
void gpgpusim_read_clocks(struct gpgpusim_reader *reader, const char *text)
{
    static const char *const paths[] = {"gpu.clock", "network.clock", NULL, "dram.clock"};
    enum { CLOCKS = sizeof paths / sizeof *paths, CLOCKS_MAX = 16 };
    double hertz[CLOCKS_MAX];
    size_t count = 0;
    const char *at = text;
    for (bool more = true; more && count < CLOCKS_MAX; count++) {
        char *end;
        hertz[count] = round(strtod(at, &end) * 1e6);
        more = end != at && *end == ':';
        if (end == at || (*end && !more))
            count = CLOCKS_MAX;
        at = end + 1;
    }
    if (count < CLOCKS || count > CLOCKS_MAX) {
        gpgpusim_refuse(reader, "expected <core MHz>:<interconnect>:<l2>:<dram>, got '%.60s'",
                        text);
        return;
    }
    if (count > CLOCKS)
        gpgpusim_approximate(
            reader, "clocks after the fourth are those of a fork's own units, which are left out");
    reader->machine->l2.clock = 0;
    if (hertz[1] != hertz[2])
        gpgpusim_set_number(reader, "l2.clock",
                            hertz[2] > 0 && hertz[2] < 1e15 ? (uint64_t)hertz[2] : UINT64_MAX);
    for (size_t i = 0; i < CLOCKS; i++)
        if (paths[i])
            gpgpusim_set_number(reader, paths[i],
                                hertz[i] > 0 && hertz[i] < 1e15 ? (uint64_t)hertz[i] : 0);
}

void gpgpusim_write_clocks(const struct gpgpusim_writer *writer)
{
    const struct machine *machine = writer->machine;
    char core[QUANTITY_TEXT], network[QUANTITY_TEXT], l2[QUANTITY_TEXT], dram[QUANTITY_TEXT];
    quantity_print_real((double)machine->gpu.clock / 1e6, UNIT_NONE, core);
    quantity_print_real((double)machine->network.clock / 1e6, UNIT_NONE, network);
    quantity_print_real((double)l2_clock(machine) / 1e6, UNIT_NONE, l2);
    quantity_print_real((double)machine->dram.clock / 1e6, UNIT_NONE, dram);
    fprintf(writer->out, "%s:%s:%s:%s", core, network, l2, dram);
}

/* ---- issue ---- */

void gpgpusim_read_other_pipe(struct gpgpusim_reader *reader, const char *text)
{
    bool other = true;
    if (gpgpusim_read_switch(reader, text, &other))
        reader->machine->scheduler.same_pipe = !other;
}

void gpgpusim_write_other_pipe(const struct gpgpusim_writer *writer)
{
    fputc(writer->machine->scheduler.same_pipe ? '0' : '1', writer->out);
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

/* Which latches stand before the collectors, and again after them, in lists of older versions: 3
 * had none for integers, and at first none for 64-bit numbers. */
static const struct {
    size_t numbers, latches;
    unsigned which[LATCHES];
} forms[] = {{7, 3, {0, 3, 4}},
             {9, 4, {0, 1, 3, 4}},
             {WIDTHS, LATCHES, {0, 1, 2, 3, 4}},
             {WIDTHS_TENSOR, LATCHES, {0, 1, 2, 3, 4}}};

enum { FORMS = sizeof forms / sizeof *forms, WIDTHS_MAX = 32 };

void gpgpusim_read_widths(struct gpgpusim_reader *reader, const char *text)
{
    uint64_t widths[WIDTHS_MAX], latches[LATCHES];
    const size_t count = gpgpusim_split(text, ',', widths, WIDTHS_MAX);
    size_t form = 0;
    while (form < FORMS - 1 && forms[form].numbers < count)
        form++;
    if (count < forms[form].numbers) {
        gpgpusim_refuse(reader, "expected 7, 9, 11 or 13 numbers of latches, got '%.60s'", text);
        return;
    }
    const size_t pairs = forms[form].latches;
    const uint64_t tensor = reader->machine->pipe.tensor.units;
    gpgpusim_set_number(reader, "core.results", widths[2 * pairs]);
    count_latches(reader->machine, latches);
    bool same = count < WIDTHS_TENSOR || !tensor ||
                (widths[WIDTHS] == tensor && widths[WIDTHS + 1] == tensor);
    for (size_t i = 0; i < pairs; i++) {
        const uint64_t units = latches[forms[form].which[i]];
        same = same && (!units || (widths[i] == units && widths[i + pairs] == units));
    }
    if (!same)
        gpgpusim_approximate(reader, "here a pipe has as many latches before and after its operand "
                                     "collectors as units, so cycles differ");
    if (count > WIDTHS_TENSOR)
        gpgpusim_approximate(
            reader,
            "latches after the thirteenth are those of a fork's own units, which are left out");
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
    gpgpusim_set_number(reader, core_path(path, reader->path, "latency"), numbers[0]);
    gpgpusim_set_number(reader, core_path(path, reader->path, "interval"), numbers[1]);
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
            gpgpusim_number(core_path(path, writer->path, "latency"), writer->machine));
    fprintf(writer->out, "%" PRIu64,
            gpgpusim_number(core_path(path, writer->path, "interval"), writer->machine));
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
        gpgpusim_set_number(reader, core_path(path, reader->path, "units"),
                            numbers[0] ? numbers[1] : 0);
    if (!numbers[0])
        return;
    if (is_tensor(reader->path))
        reader->tensor_unit = true;
    /* The simulator's default, unless the option for this unit's latency comes. */
    gpgpusim_set_number(reader, core_path(path, reader->path, "latency"), UNIT_LATENCY);
    gpgpusim_set_number(reader, core_path(path, reader->path, "interval"), UNIT_LATENCY);
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
    uint64_t units = gpgpusim_number(core_path(path, writer->path, "units"), writer->machine);
    uint64_t latency = gpgpusim_number(core_path(path, writer->path, "latency"), writer->machine);
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

/* A machine has one number for both directions. */
void gpgpusim_read_out_ports(struct gpgpusim_reader *reader, const char *text)
{
    uint64_t number, in = gpgpusim_number(reader->path, reader->machine);
    if (!gpgpusim_parse_number(text, UINT32_MAX, &number)) {
        gpgpusim_refuse(reader, "expected a whole number, got '%.40s'", text);
    } else if (number != in) {
        gpgpusim_approximate(reader,
                             "%s stands for both directions here, and the smaller number "
                             "is taken, so cycles differ",
                             reader->path);
        gpgpusim_set_number(reader, reader->path, number < in ? number : in);
    }
}

void gpgpusim_read_shared_in_ports(struct gpgpusim_reader *reader, const char *text)
{
    if (reader->machine->core.collectors)
        gpgpusim_read_parameter(reader, reader->path, text);
}

void gpgpusim_read_shared_out_ports(struct gpgpusim_reader *reader, const char *text)
{
    if (reader->machine->core.collectors)
        gpgpusim_read_out_ports(reader, text);
}

void gpgpusim_read_collectors(struct gpgpusim_reader *reader, const char *text)
{
    bool own = false;
    if (!gpgpusim_read_switch(reader, text, &own))
        return;
    if (own && reader->machine->core.collectors)
        gpgpusim_approximate(reader, "here all pipes share the collectors num_units_gen, and those "
                                     "of single pipes are left out, so cycles differ");
    else if (!own && !reader->machine->core.collectors)
        gpgpusim_unmodelled(reader, "without collectors that all pipes share (num_units_gen) no "
                                    "instruction could go on; each pipe has its own");
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
