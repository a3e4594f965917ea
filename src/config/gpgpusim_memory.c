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

/* Letters of either case; `channel` gets the bits of D, `foreign` the first letter of a fork's own
 * kind. */
static bool parse_letters(const char *text, struct mapping *mapping, uint64_t *channel,
                          char *foreign)
{
    unsigned bit = ADDRESS_BITS;
    *mapping = (struct mapping){0};
    *channel = 0;
    *foreign = '\0';
    for (; *text; text++) {
        if (*text == '.' || *text == '|' || isspace((unsigned char)*text))
            continue;
        if (!bit || (*text != '0' && !isalpha((unsigned char)*text)))
            return false;
        const uint64_t mask = (uint64_t)1 << --bit;
        switch (toupper((unsigned char)*text)) {
        case 'D':
            *channel |= mask;
            break;
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
            *foreign = *text;
        }
    }
    return !bit;
}

static void set_masks(struct gpgpusim_reader *reader, const struct mapping *mapping, unsigned at,
                      unsigned width)
{
    static const char *const paths[] = {"dram.bank_mask", "dram.row_mask", "dram.column_mask"};
    const uint64_t masks[] = {mapping->bank, mapping->row, mapping->column};
    /* Forks fill all 64 letters. Addresses have fewer bits (gpu.address_bits), and wider ones are
     * refused. */
    const uint64_t known = ((uint64_t)1 << (LARGEST_BIT - width)) - 1;
    gpgpusim_set_number(reader, "l2.interleave", (uint64_t)1 << at);
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++)
        gpgpusim_set_number(reader, paths[i], spread(masks[i] & known, at, width));
}

/* The mappings that the simulator has built in; of an unknown number it takes the first. */
static const struct {
    uint64_t number;
    unsigned channel; /* its lowest bit */
    struct mapping mapping;
} built_in[] = {
    {0, 10, {0x300, 0x7ffe000, 0x1cff}},  {1, 13, {0x1800, 0x7ffe000, 0x7ff}},
    {2, 11, {0x1800, 0x7ffe000, 0x7ff}},  {3, 11, {0x1800, 0xfffe000, 0x7ff}},
    {5, 5, {0x1800, 0x7ffe000, 0x7ff}},   {6, 6, {0x1800, 0x7ffe000, 0x7ff}},
    {14, 14, {0x1800, 0x7ffe000, 0x7ff}}, {15, 15, {0x1800, 0x7ffe000, 0x7ff}},
    {16, 16, {0x1800, 0x7ffe000, 0x7ff}}, {106, 6, {0x1800, 0x7ffe000, 0x7ff}},
    {160, 6, {0x300, 0x7ffe000, 0x1cff}},
};

void gpgpusim_read_mask(struct gpgpusim_reader *reader, const char *text)
{
    if (!gpgpusim_parse_number(text, UINT32_MAX, &reader->mask))
        gpgpusim_refuse(reader, "expected a whole number, got '%.40s'", text);
}

void gpgpusim_write_mask(const struct gpgpusim_writer *writer)
{
    fputc('1', writer->out); /* any number: the mapping is written too */
}

static void take_built_in(struct gpgpusim_reader *reader)
{
    size_t i = sizeof built_in / sizeof *built_in;
    while (i && built_in[i - 1].number != reader->mask)
        i--;
    if (!i)
        gpgpusim_approximate(reader,
                             "no mapping of addresses is given, and the one of "
                             "-gpgpu_mem_address_mask %" PRIu64 " is not modelled; that "
                             "of 0 is taken, so conflicts in the L2 and cycles differ",
                             reader->mask);
    i -= i > 0;
    set_masks(reader, &built_in[i].mapping, built_in[i].channel, channel_bits(reader->channels));
}

/* D letters instead of dramid@: the bits of the channel stand where they are. */
static void take_channel_letters(struct gpgpusim_reader *reader, const struct mapping *mapping,
                                 uint64_t channel)
{
    const unsigned width = channel_bits(reader->channels);
    const unsigned at = channel ? log2_floor(channel & -channel) : 0;
    const bool fits = is_power_of_two(reader->channels) && at >= 5 && at <= 16 &&
                      channel == (((uint64_t)1 << width) - 1) << at;
    if (!fits && !gpgpusim_unmodelled(reader,
                                      "the bits of the channel (D) have to be neighbours from bit "
                                      "5 to 16 on, as many as number %" PRIu64
                                      " channels; a built-in mapping would be taken",
                                      reader->channels))
        return;
    if (fits)
        set_masks(reader, mapping, at, 0);
    else
        take_built_in(reader);
}

void gpgpusim_read_mapping(struct gpgpusim_reader *reader, const char *text)
{
    static const char word[] = "dramid@";
    const char *letters = strchr(text, ';');
    const bool start = !strncmp(text, word, sizeof word - 1);
    char number[VALUE_MAX], foreign;
    uint64_t bit = 0, channel;
    struct mapping mapping;
    if (!strcmp(text, "NULL")) {
        take_built_in(reader);
        return;
    }
    snprintf(number, sizeof number, "%.*s", start && letters ? (int)(letters - text - 7) : 0,
             text + (start ? 7 : 0));
    if (start && (!letters || !gpgpusim_parse_number(number, 16, &bit) || bit < 5)) {
        gpgpusim_refuse(reader, "expected dramid@<bit from 5 to 16>;<64 letters>, got '%.60s'",
                        text);
        return;
    }
    letters = letters ? letters + 1 : text;
    if (!parse_letters(letters, &mapping, &channel, &foreign) || (start && channel)) {
        gpgpusim_refuse(reader,
                        "expected 64 letters 0, B, R, C, S or, without dramid@, D; got "
                        "'%.80s'",
                        letters);
        return;
    }
    if (foreign)
        gpgpusim_approximate(reader,
                             "no bit of GPGPU-Sim's is called '%c'; such bits of a fork are "
                             "left out",
                             foreign);
    if (start)
        set_masks(reader, &mapping, (unsigned)bit, channel_bits(reader->channels));
    else
        take_channel_letters(reader, &mapping, channel);
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

/* A letter for each address bit: bank, row, column, or 0. GPGPU-Sim maps addresses from which the
 * channel is taken out, so the masks are squeezed where the channel's bits are; S are the column
 * bits within a burst. */
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
    reader->banks_absent = reader->absent;
    reader->machine->dram.groups = 1; /* the defaults of what may be left out */
    reader->machine->dram.ccdl = reader->machine->dram.rtpl = 0;
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

void gpgpusim_read_dram_queue(struct gpgpusim_reader *reader, const char *text)
{
    uint64_t number;
    if (gpgpusim_parse_number(text, 0, &number))
        gpgpusim_set_number(reader, reader->path, (uint64_t)parameter_find(reader->path)->max);
    else
        gpgpusim_read_parameter(reader, reader->path, text);
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

/* ---- banks ---- */

static const enum bank_hash bank_hashes[] = {BANK_PLAIN, BANK_XOR, BANK_IPOLY, BANK_PLAIN};
enum { BANK_HASHES = sizeof bank_hashes / sizeof *bank_hashes, BANK_CUSTOM = 3 };

void gpgpusim_read_bank_hash(struct gpgpusim_reader *reader, const char *text)
{
    uint64_t number;
    if (!gpgpusim_parse_number(text, BANK_HASHES - 1, &number)) {
        gpgpusim_refuse(reader, "expected 0 (none), 1 (xor), 2 (ipoly) or 3, got '%.40s'", text);
        return;
    }
    if (number == BANK_CUSTOM)
        gpgpusim_approximate(reader, "a hash that is to be written into the simulator; here banks "
                                     "are not hashed");
    reader->machine->dram.bank_hash = (int)bank_hashes[number];
}

void gpgpusim_write_bank_hash(const struct gpgpusim_writer *writer)
{
    int number = 0;
    while (number < BANK_CUSTOM && (int)bank_hashes[number] != writer->machine->dram.bank_hash)
        number++;
    fprintf(writer->out, "%d", number);
}

/* ---- a queue of writes ---- */

void gpgpusim_read_writes_apart(struct gpgpusim_reader *reader, const char *text)
{
    gpgpusim_read_switch(reader, text, &reader->writes_apart);
}

void gpgpusim_write_writes_apart(const struct gpgpusim_writer *writer)
{
    fputc(writer->machine->dram.write_queue ? '1' : '0', writer->out);
}

void gpgpusim_read_write_queue(struct gpgpusim_reader *reader, const char *text)
{
    static const char *const paths[] = {"dram.write_queue", "dram.write_high", "dram.write_low"};
    uint64_t numbers[3];
    if (gpgpusim_split(text, ':', numbers, 3) != 3) {
        gpgpusim_refuse(reader, "expected <places>:<high mark>:<low mark>, got '%.40s'", text);
        return;
    }
    for (size_t i = reader->writes_apart ? 0 : 1; i < 3; i++)
        gpgpusim_set_number(reader, paths[i], numbers[i]);
}

void gpgpusim_write_write_queue(const struct gpgpusim_writer *writer)
{
    const struct dram_config *dram = &writer->machine->dram;
    const uint64_t places = dram->write_queue ? dram->write_queue : dram->write_high;
    fprintf(writer->out, "%" PRIu64 ":%" PRIu64 ":%" PRIu64, places, dram->write_high,
            dram->write_low);
}

/* ---- queues ---- */

void gpgpusim_read_queues(struct gpgpusim_reader *reader, const char *text)
{
    uint64_t numbers[4], least = UINT64_MAX, most = 0;
    if (gpgpusim_split(text, ':', numbers, 4) != 4) {
        gpgpusim_refuse(reader, "expected four lengths such as 8:8:8:8, got '%.60s'", text);
        return;
    }
    for (size_t i = 0; i < 4; i++) {
        least = numbers[i] < least ? numbers[i] : least;
        most = numbers[i] > most ? numbers[i] : most;
    }
    if (least != most)
        gpgpusim_approximate(reader, "one number, l2.queue, stands for the four queues of a slice "
                                     "here, and the smallest is taken, so cycles differ");
    gpgpusim_set_number(reader, "l2.queue", least);
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

void gpgpusim_read_limit_out(struct gpgpusim_reader *reader, const char *text)
{
    uint64_t number, in = reader->machine->network.queue;
    if (!gpgpusim_parse_number(text, UINT32_MAX, &number)) {
        gpgpusim_refuse(reader, "expected a whole number, got '%.40s'", text);
    } else if (gpgpusim_has_limit(reader->machine) && number != in) {
        gpgpusim_approximate(reader, "network.queue stands for both directions here, and the "
                                     "smaller number is taken, so cycles differ");
        gpgpusim_set_number(reader, "network.queue", number < in ? number : in);
    }
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
