#include "config/gpgpusim_memory.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"

enum { VALUE_MAX = 256, ADDRESS_BITS = 64, LARGEST_BIT = 53, PERCENT = 100 };

/* ---- address mapping ---- */

struct mapping { /* bits of the address without the channel's bits */
    uint64_t bank, row, column;
};

/* Opens a gap of `width` bits at bit `at`. */
static uint64_t spread(uint64_t mask, unsigned at, unsigned width)
{
    const uint64_t low = ((uint64_t)1 << at) - 1;
    return (mask & low) | (mask & ~low) << width;
}

static uint64_t squeeze(uint64_t mask, unsigned at, unsigned width)
{
    const uint64_t low = ((uint64_t)1 << at) - 1;
    return (mask & low) | (mask >> width & ~low);
}

/* The bits that the channel takes out of an address; 0 where the address is divided. */
static unsigned channel_bits(uint64_t channels)
{
    return is_power_of_two(channels) ? log2_floor(channels) : 0;
}

static bool parse_letters(const char *text, struct mapping *mapping)
{
    unsigned bit = ADDRESS_BITS;
    *mapping = (struct mapping){0};
    for (; *text; text++) {
        if (*text == '.' || *text == '|' || isspace((unsigned char)*text))
            continue;
        if (!bit)
            return false;
        const uint64_t mask = (uint64_t)1 << --bit;
        switch (*text) {
        case 'B':
            mapping->bank |= mask;
            break;
        case 'R':
            mapping->row |= mask;
            break;
        case 'C':
        case 'S':
            mapping->column |= mask;
            break;
        case '0':
            break;
        default:
            return false;
        }
    }
    return !bit;
}

void gpgpusim_read_mapping(struct gpgpusim_reader *reader, const char *text)
{
    static const char *const paths[] = {"dram.bank_mask", "dram.row_mask", "dram.column_mask"};
    const char *letters = strchr(text, ';');
    char number[VALUE_MAX];
    uint64_t bit;
    struct mapping mapping;
    bool channel = !strncmp(text, "dramid@", 7) && letters;
    snprintf(number, sizeof number, "%.*s", channel ? (int)(letters - text - 7) : 0, text + 7);
    if (!channel || !gpgpusim_parse_number(number, 16, &bit) || bit < 5) {
        gpgpusim_refuse(reader, "expected dramid@<bit from 5 to 16>;<64 letters>, got '%.60s'",
                        text);
        return;
    }
    if (!parse_letters(letters + 1, &mapping)) {
        gpgpusim_refuse(
            reader, "expected 64 letters 0, B, R, C or S behind dramid@%" PRIu64 ";, got '%.80s'",
            bit, letters + 1);
        return;
    }
    const uint64_t masks[] = {mapping.bank, mapping.row, mapping.column};
    const unsigned width = channel_bits(reader->channels);
    gpgpusim_set_number(reader, "l2.interleave", (uint64_t)1 << bit);
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++)
        gpgpusim_set_number(reader, paths[i],
                            masks[i] >> LARGEST_BIT ? masks[i]
                                                    : spread(masks[i], (unsigned)bit, width));
}

static uint64_t channels_of(const struct machine *machine)
{
    return machine->l2.slices / machine->l2.slices_per_channel;
}

bool gpgpusim_has_mapping(const struct machine *machine)
{
    const struct dram_config *dram = &machine->dram;
    const uint64_t masks = dram->bank_mask | dram->row_mask | dram->column_mask;
    const unsigned width = channel_bits(channels_of(machine));
    const uint64_t gap = (((uint64_t)1 << width) - 1) * machine->l2.interleave;
    return !(masks & gap);
}

void gpgpusim_write_mapping(const struct gpgpusim_writer *writer)
{
    const struct dram_config *dram = &writer->machine->dram;
    const unsigned at = log2_floor(writer->machine->l2.interleave);
    const unsigned width = channel_bits(channels_of(writer->machine));
    const uint64_t burst = dram->bus * dram->burst;
    const uint64_t bank = squeeze(dram->bank_mask, at, width);
    const uint64_t row = squeeze(dram->row_mask, at, width);
    const uint64_t column = squeeze(dram->column_mask, at, width);
    fprintf(writer->out, "dramid@%u;", at);
    for (unsigned bit = ADDRESS_BITS; bit-- > 0;) {
        const uint64_t mask = (uint64_t)1 << bit;
        const char letter = bank & mask        ? 'B'
                            : row & mask       ? 'R'
                            : !(column & mask) ? '0'
                            : mask < burst     ? 'S'
                                               : 'C';
        fputc(letter, writer->out);
        if (bit && bit % 8 == 0)
            fputc('.', writer->out);
    }
}

/* ---- times ---- */

static const struct {
    const char *name, *path;
} times[] = {{"nbk", "dram.banks"}, {"CCD", "dram.ccd"},  {"RRD", "dram.rrd"},
             {"RCD", "dram.rcd"},   {"RAS", "dram.ras"},  {"RP", "dram.rp"},
             {"RC", "dram.rc"},     {"CL", "dram.cl"},    {"WL", "dram.wl"},
             {"CDLR", "dram.cdlr"}, {"WR", "dram.wr"},    {"nbkgrp", "dram.groups"},
             {"CCDL", "dram.ccdl"}, {"RTPL", "dram.rtpl"}};

enum { TIMES = sizeof times / sizeof *times };

/* Which time "CCD=2" or, at its place in the list, "2" gives; TIMES if none. */
static size_t find_time(const char *name, size_t length, size_t place)
{
    size_t i = 0;
    if (!length)
        return place < TIMES ? place : TIMES;
    while (i < TIMES && (strlen(times[i].name) != length || strncmp(times[i].name, name, length)))
        i++;
    return i;
}

void gpgpusim_read_times(struct gpgpusim_reader *reader, const char *text)
{
    char copy[VALUE_MAX], *rest = copy;
    snprintf(copy, sizeof copy, "%s", text);
    size_t place = 0;
    for (char *item; (item = strsep(&rest, ":")) != NULL; place++) {
        item += strspn(item, " \t\r\n");
        item[strcspn(item, " \t\r\n")] = '\0';
        const char *equals = strchr(item, '=');
        const char *value = equals ? equals + 1 : item;
        size_t which = find_time(item, equals ? (size_t)(equals - item) : 0, place);
        uint64_t number;
        if (!*item && !rest)
            break; /* a list may end with a colon */
        if (which == TIMES || !gpgpusim_parse_number(value, UINT32_MAX, &number)) {
            gpgpusim_refuse(reader,
                            "expected nbk=<banks>:CCD=<ticks>:... with nbk, CCD, RRD, RCD, "
                            "RAS, RP, RC, CL, WL, CDLR, WR, nbkgrp, CCDL, RTPL; got '%.40s'",
                            item);
            return;
        }
        gpgpusim_set_number(reader, times[which].path, number);
    }
}

void gpgpusim_write_times(const struct gpgpusim_writer *writer)
{
    for (size_t i = 0; i < TIMES; i++)
        fprintf(writer->out, "%s%s=%" PRIu64, i ? ":" : "", times[i].name,
                gpgpusim_number(times[i].path, writer->machine));
}

/* ---- bus ---- */

void gpgpusim_read_chips(struct gpgpusim_reader *reader, const char *text)
{
    if (!gpgpusim_parse_number(text, 1024, &reader->chips) || !reader->chips)
        gpgpusim_refuse(reader, "expected a count from 1 to 1024, got '%.40s'", text);
}

void gpgpusim_write_chips(const struct gpgpusim_writer *writer)
{
    fputc('1', writer->out);
}

void gpgpusim_read_bus(struct gpgpusim_reader *reader, const char *text)
{
    uint64_t bytes;
    if (!gpgpusim_parse_number(text, 1024, &bytes))
        gpgpusim_refuse(reader, "expected bytes up to 1024, got '%.40s'", text);
    else
        gpgpusim_set_number(reader, "dram.bus", bytes * reader->chips);
}

void gpgpusim_write_bus(const struct gpgpusim_writer *writer)
{
    fprintf(writer->out, "%" PRIu64, writer->machine->dram.bus);
}

/* ---- words that are numbers there ---- */

void gpgpusim_read_dram_scheduler(struct gpgpusim_reader *reader, const char *text)
{
    uint64_t number;
    if (gpgpusim_parse_number(text, 1, &number))
        reader->machine->dram.scheduler = number ? DRAM_FRFCFS : DRAM_FIFO;
    else
        gpgpusim_refuse(reader, "expected 0 (fifo) or 1 (frfcfs), got '%.40s'", text);
}

void gpgpusim_write_dram_scheduler(const struct gpgpusim_writer *writer)
{
    fputc(writer->machine->dram.scheduler == DRAM_FRFCFS ? '1' : '0', writer->out);
}

void gpgpusim_read_network(struct gpgpusim_reader *reader, const char *text)
{
    uint64_t number;
    if (gpgpusim_parse_number(text, 2, &number) && number)
        reader->machine->network.kind = number == 1 ? NETWORK_FLY : NETWORK_CROSSBAR;
    else
        gpgpusim_refuse(reader, "expected 1 (fly) or 2 (crossbar), got '%.40s'", text);
}

void gpgpusim_write_network(const struct gpgpusim_writer *writer)
{
    fputc(writer->machine->network.kind == NETWORK_FLY ? '1' : '2', writer->out);
}

/* ---- queues ---- */

void gpgpusim_read_queues(struct gpgpusim_reader *reader, const char *text)
{
    uint64_t numbers[4];
    bool four = gpgpusim_split(text, ':', numbers, 4) == 4;
    if (four && numbers[0] == numbers[1] && numbers[0] == numbers[2] && numbers[0] == numbers[3])
        gpgpusim_set_number(reader, "l2.queue", numbers[0]);
    else
        gpgpusim_refuse(reader,
                        "expected four equal lengths: one number, l2.queue, stands for the "
                        "four queues of a slice here; got '%.60s'",
                        text);
}

void gpgpusim_write_queues(const struct gpgpusim_writer *writer)
{
    const uint64_t queue = writer->machine->l2.queue;
    fprintf(writer->out, "%" PRIu64 ":%" PRIu64 ":%" PRIu64 ":%" PRIu64, queue, queue, queue,
            queue);
}

bool gpgpusim_has_limit(const struct machine *machine)
{
    return machine->network.kind == NETWORK_CROSSBAR;
}

/* BookSim, the fly network, has buffers of its own, which a file of its own describes. */
void gpgpusim_read_limit(struct gpgpusim_reader *reader, const char *text)
{
    if (gpgpusim_has_limit(reader->machine))
        gpgpusim_read_parameter(reader, "network.queue", text);
}

/* ---- percents ---- */

void gpgpusim_read_percent(struct gpgpusim_reader *reader, const char *text)
{
    uint64_t number;
    if (gpgpusim_parse_number(text, PERCENT, &number))
        parameter_set(parameter_find(reader->path), reader->machine,
                      (struct value){.real = (double)number / PERCENT});
    else
        gpgpusim_refuse(reader, "expected whole percents from 0 to 100, got '%.40s'", text);
}

void gpgpusim_write_percent(const struct gpgpusim_writer *writer)
{
    double share = parameter_get(parameter_find(writer->path), writer->machine).real;
    fprintf(writer->out, "%.0f", share * PERCENT);
}
