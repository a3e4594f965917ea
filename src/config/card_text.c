#include "config/card_text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/units.h"
#include "base/utf8.h"

enum { CARDS_MOST = 1024, LABEL = 80, LINE_MOST = 1024 };

/* What a label means. Where it says something else in other sections, the section is named. Words
 * are compared without case, and underscores of XML are spaces. */
enum { SAYS_NAME = CARD_FACTS, SAYS_VENDOR };
static const struct label {
    const char *section, *label;
    enum unit unit;
    int says;         /* enum card_fact, or one of the above */
    const char *tool; /* of names: whose they are */
} labels[] = {
    /* deviceQuery, whose names are found apart */
    {NULL, "cuda capability major/minor version number", UNIT_NONE, CARD_CAPABILITY, NULL},
    {NULL, "total amount of global memory", UNIT_BYTES, CARD_MEMORY, NULL},
    {NULL, "gpu max clock rate", UNIT_HERTZ, CARD_CLOCK, NULL},
    {NULL, "gpu clock rate", UNIT_HERTZ, CARD_CLOCK, NULL},
    {NULL, "gpu clock speed", UNIT_HERTZ, CARD_CLOCK, NULL},
    {NULL, "memory clock rate", UNIT_HERTZ, CARD_MEMORY_CLOCK, NULL},
    {NULL, "memory bus width", UNIT_NONE, CARD_BUS, NULL},
    {NULL, "l2 cache size", UNIT_BYTES, CARD_L2, NULL},
    {NULL, "total shared memory per multiprocessor", UNIT_BYTES, CARD_SHARED, NULL},
    {NULL, "maximum number of threads per multiprocessor", UNIT_NONE, CARD_THREADS, NULL},
    /* nvidia-smi -q, and with -x */
    {NULL, "product name", UNIT_NONE, SAYS_NAME, "nvidia-smi"},
    {"fb memory usage", "total", UNIT_BYTES, CARD_MEMORY, NULL},
    {"applications clocks", "graphics", UNIT_HERTZ, CARD_CLOCK, NULL},
    {"applications clocks", "graphics clock", UNIT_HERTZ, CARD_CLOCK, NULL},
    {"applications clocks", "memory", UNIT_HERTZ, CARD_MEMORY_CLOCK, NULL},
    {"applications clocks", "mem clock", UNIT_HERTZ, CARD_MEMORY_CLOCK, NULL},
    {"max clocks", "sm", UNIT_HERTZ, CARD_MAX_CLOCK, NULL},
    {"max clocks", "sm clock", UNIT_HERTZ, CARD_MAX_CLOCK, NULL},
    {"max clocks", "memory", UNIT_HERTZ, CARD_MEMORY_CLOCK, NULL},
    {"max clocks", "mem clock", UNIT_HERTZ, CARD_MEMORY_CLOCK, NULL},
    /* nvidia-smi --query-gpu */
    {NULL, "name", UNIT_NONE, SAYS_NAME, "nvidia-smi"},
    {NULL, "gpu name", UNIT_NONE, SAYS_NAME, "nvidia-smi"},
    {NULL, "memory.total", UNIT_BYTES, CARD_MEMORY, NULL},
    {NULL, "clocks.applications.graphics", UNIT_HERTZ, CARD_CLOCK, NULL},
    {NULL, "clocks.applications.gr", UNIT_HERTZ, CARD_CLOCK, NULL},
    {NULL, "clocks.applications.memory", UNIT_HERTZ, CARD_MEMORY_CLOCK, NULL},
    {NULL, "clocks.applications.mem", UNIT_HERTZ, CARD_MEMORY_CLOCK, NULL},
    {NULL, "clocks.max.sm", UNIT_HERTZ, CARD_MAX_CLOCK, NULL},
    {NULL, "clocks.max.memory", UNIT_HERTZ, CARD_MEMORY_CLOCK, NULL},
    {NULL, "clocks.max.mem", UNIT_HERTZ, CARD_MEMORY_CLOCK, NULL},
    {NULL, "compute cap", UNIT_NONE, CARD_CAPABILITY, NULL},
    /* clinfo. What it calls a cache is the L1s of all SMs, and local memory that of a block. */
    {NULL, "device name", UNIT_NONE, SAYS_NAME, "clinfo"},
    {NULL, "device vendor", UNIT_NONE, SAYS_VENDOR, NULL},
    {NULL, "vendor", UNIT_NONE, SAYS_VENDOR, NULL}, /* AMD's, which has "Name:" before it */
    {NULL, "max compute units", UNIT_NONE, CARD_SMS, NULL},
    {NULL, "max clock frequency", UNIT_HERTZ, CARD_CLOCK, NULL},
    {NULL, "compute capability (nv)", UNIT_NONE, CARD_CAPABILITY, NULL},
    {NULL, "global memory size", UNIT_BYTES, CARD_MEMORY, NULL},
    /* nvaccelinfo, whose names look like those of clinfo */
    {NULL, "device revision number", UNIT_NONE, CARD_CAPABILITY, NULL},
    {NULL, "number of multiprocessors", UNIT_NONE, CARD_SMS, NULL},
    {NULL, "clock rate", UNIT_HERTZ, CARD_CLOCK, NULL},
    {NULL, "max threads per smp", UNIT_NONE, CARD_THREADS, NULL},
};

struct scan {
    struct card_list *list;
    char section[LABEL];
    char others[CARD_NAME]; /* a device of another maker */
    bool foreign;           /* the last card is such a device */
    bool accelinfo;         /* nvaccelinfo has the words of clinfo, and this is it */
    char header[LINE_MOST]; /* of CSV */
    enum status status;
};

/* ---- values ---- */

/* Tools write units as they like: "7619 MBytes", "2505 Mhz", "256-bit". */
static const char *our_suffix(const char *word)
{
    static const char *const suffixes[][2] = {
        {"khz", "kHz"},  {"mhz", "MHz"},  {"ghz", "GHz"}, {"bytes", "B"}, {"kbytes", "K"},
        {"mbytes", "M"}, {"gbytes", "G"}, {"kib", "KiB"}, {"mib", "MiB"}, {"gib", "GiB"},
        {"kb", "K"},     {"mb", "M"},     {"gb", "G"}};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (!strcasecmp(word, suffixes[i][0]))
            return suffixes[i][1];
    return "";
}

/* The number at the start of a text, with its unit; 0 if there is none. */
static double card_read_number(const char *text, enum unit unit)
{
    char number[24], word[12], joined[40];
    double value = 0;
    int used = 0;
    if (sscanf(text, "%23[0-9.]%n", number, &used) < 1)
        return 0;
    text += used;
    if (sscanf(text, " %11[A-Za-z]", word) < 1)
        word[0] = '\0';
    snprintf(joined, sizeof joined, "%s%s", number, unit == UNIT_NONE ? "" : our_suffix(word));
    return quantity_parse_real(joined, unit, &value) || value < 0 || value > 1e18 ? 0 : value;
}

/* A size in bytes may stand after a rounded one: "7619 MBytes (7988903936 bytes)". */
static double read_value(const char *text, enum unit unit)
{
    const char *exact = unit == UNIT_BYTES ? strchr(text, '(') : NULL;
    if (exact && strcasestr(exact, "bytes)"))
        return card_read_number(exact + 1, unit);
    return card_read_number(text, unit);
}

/* ---- cards ---- */

static struct card *current(struct scan *scan)
{
    return scan->list->count && !scan->foreign ? &scan->list->items[scan->list->count - 1] : NULL;
}

/* Takes a name up to `end`, without what surrounds it. */
static struct card *start_card(struct scan *scan, const char *name, size_t length, const char *tool)
{
    struct card_list *list = scan->list;
    scan->foreign = false;
    while (length && isspace((unsigned char)name[length - 1]))
        length--;
    if (!length || list->count >= CARDS_MOST)
        return NULL;
    if (array_reserve(&list->items, &list->capacity, list->count + 1)) {
        scan->status = STATUS_MEMORY;
        return NULL;
    }
    struct card *card = &list->items[list->count++];
    *card = (struct card){0};
    snprintf(card->name, sizeof card->name, "%.*s", length < CARD_NAME ? (int)length : CARD_NAME,
             name);
    for (int i = 0; i < CARD_FACTS; i++)
        card->from[i] = tool;
    return card;
}

/* Tools of OpenCL list devices of every maker. */
static void drop_card(struct scan *scan)
{
    struct card *card = current(scan);
    if (!card)
        return;
    if (!*scan->others)
        snprintf(scan->others, sizeof scan->others, "%s", card->name);
    scan->list->count--;
    scan->foreign = true;
}

static void card_text_say(struct scan *scan, const struct label *label, const char *value)
{
    struct card *card = current(scan);
    if (label->says == SAYS_NAME) {
        start_card(scan, value, strlen(value), scan->accelinfo ? "nvaccelinfo" : label->tool);
    } else if (label->says == SAYS_VENDOR) {
        if (!strcasestr(value, "nvidia"))
            drop_card(scan);
    } else if (card) {
        const double number = read_value(value, label->unit);
        const double scale = label->says == CARD_CAPABILITY ? 10 : 1;
        card_say(card, label->says, (uint64_t)llround(number * scale), card->from[label->says]);
    }
}

static const struct label *find_label(const char *section, const char *text)
{
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (!strcasecmp(labels[i].label, text) &&
            (!labels[i].section || !strcasecmp(labels[i].section, section)))
            return &labels[i];
    return NULL;
}

/* ---- lines ---- */

/* Copies a label, spaces for underscores, without spaces at its ends. */
static void copy_label(char label[LABEL], const char *text, size_t length)
{
    while (length && isspace((unsigned char)*text))
        text++, length--;
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    length = length < LABEL - 1 ? length : LABEL - 1;
    for (size_t i = 0; i < length; i++)
        label[i] = text[i];
    for (size_t i = 0; i < length; i++)
        if (label[i] == '_')
            label[i] = ' ';
    label[length] = '\0';
}

/* <product_name>NVIDIA A100</product_name>, or <max_clocks>, which opens a section. */
static bool take_xml(struct scan *scan, const char *line)
{
    char label[LABEL], value[LABEL];
    const char *end = strchr(line, '>');
    if (*line != '<' || !end)
        return false;
    if (line[1] == '/')
        return true;
    copy_label(label, line + 1, (size_t)(end - line) - 1);
    const char *close = strstr(end, "</");
    if (!close) {
        snprintf(scan->section, sizeof scan->section, "%s", label);
        return true;
    }
    snprintf(value, sizeof value, "%.*s", (int)(close - end - 1), end + 1);
    const struct label *known = find_label(scan->section, label);
    if (known)
        card_text_say(scan, known, value);
    return true;
}

/* Device 0: "Tesla M60", wherever it stands in the line. */
static bool take_device(struct scan *scan, const char *line)
{
    for (const char *at = line; (at = strstr(at, "Device ")) != NULL; at++) {
        char number[8];
        int used = 0;
        if (sscanf(at, "Device %7[0-9]: \"%n", number, &used) < 1 || !used)
            continue;
        const char *name = at + used, *end = strchr(name, '"');
        if (end)
            start_card(scan, name, (size_t)(end - name), "deviceQuery");
        return end;
    }
    return false;
}

/* (016) Multiprocessors, (128) CUDA Cores/MP */
static bool take_multiprocessors(struct scan *scan, const char *line)
{
    char count[8];
    int used = 0;
    struct card *card = current(scan);
    if (sscanf(line, "( %7[0-9] ) Multiprocessors%n", count, &used) < 1 || !used)
        return false;
    if (card)
        card_say(card, CARD_SMS, strtoul(count, NULL, 10), "deviceQuery");
    return true;
}

/* GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-...), of nvidia-smi -L */
static bool take_listed(struct scan *scan, const char *line)
{
    char number[8];
    int used = 0;
    const char *end = strstr(line, " (UUID");
    if (!end || sscanf(line, "GPU %7[0-9]: %n", number, &used) < 1 || !used || line + used > end)
        return false;
    start_card(scan, line + used, (size_t)(end - line) - (size_t)used, "nvidia-smi");
    return true;
}

/* |   0  NVIDIA GeForce RTX 3080    Off  | 00000000:01:00.0 Off |, and in the next line the memory:
 * |  0%   40C  P8   20W / 320W |   10MiB / 10240MiB |. */
static bool take_boxed(struct scan *scan, const char *line)
{
    char number[8];
    int used = 0;
    const char *total = strrchr(line, '/');
    struct card *card = current(scan);
    if (*line != '|')
        return false;
    const char *end = strchr(line + 1, '|');
    if (sscanf(line, "| %7[0-9] %n", number, &used) == 1 && used && end && strchr(end, ':')) {
        const char *name = line + used, *gap = strstr(name, "  ");
        const char *state = strstr(name, " Off ");
        state = state && state < end ? state : strstr(name, " On ");
        end = gap && gap < end ? gap : end;
        end = state && state < end ? state : end;
        start_card(scan, name, (size_t)(end - name), "nvidia-smi");
    } else if (card && total && strstr(line, "MiB /") && strstr(total, "MiB")) {
        total += strspn(total, "/ ");
        card_say(card, CARD_MEMORY, (uint64_t)card_read_number(total, UNIT_BYTES), "nvidia-smi");
    }
    return true;
}

/* One field of CSV, without the unit that stands after a header's in brackets. */
static const char *next_field(const char *at, char field[LABEL], bool header)
{
    const size_t length = strcspn(at, ",");
    const size_t used = header ? strcspn(at, ",[") : length;
    copy_label(field, at, used < length ? used : length);
    return at + length + (at[length] == ',');
}

/* name, memory.total [MiB], clocks.max.sm [MHz] */
static bool is_header(const char *line)
{
    char field[LABEL];
    bool name = false, other = false;
    while (*line) {
        line = next_field(line, field, true);
        const struct label *label = find_label("", field);
        name |= label && label->says == SAYS_NAME;
        other |= !label || label->says != SAYS_NAME;
    }
    return name && other;
}

static bool take_csv(struct scan *scan, const char *line)
{
    char field[LABEL], value[LABEL];
    if (!strchr(line, ','))
        return false;
    if (is_header(line)) {
        snprintf(scan->header, sizeof scan->header, "%s", line);
        return true;
    }
    if (!*scan->header)
        return false;
    const char *names[2] = {scan->header, line}; /* the name may stand after its facts */
    for (int round = 0; round < 2; round++) {
        const char *column = names[0], *cell = names[1];
        while (*column && *cell) {
            column = next_field(column, field, true);
            cell = next_field(cell, value, false);
            const struct label *label = find_label("", field);
            if (label && (label->says == SAYS_NAME) == !round)
                card_text_say(scan, label, value);
        }
    }
    return true;
}

/* "label: value", or a label and a value with a gap between them. A label alone opens a section. */
static void take_labelled(struct scan *scan, const char *line)
{
    char label[LABEL];
    const char *colon = strstr(line, ": "), *gap = strstr(line, "  ");
    const char *end = colon && (!gap || colon <= gap + strspn(gap, " ")) ? colon : gap;
    copy_label(label, line, end ? (size_t)(end - line) : strlen(line));
    if (!end) {
        snprintf(scan->section, sizeof scan->section, "%s", label);
        return;
    }
    const char *value = end + strspn(end, " \t:");
    const struct label *known = find_label(scan->section, label);
    if (known && *value)
        card_text_say(scan, known, value);
}

static void take_line(struct scan *scan, const char *line)
{
    line += strspn(line, " \t#>*");
    if (take_device(scan, line) || take_multiprocessors(scan, line) || take_listed(scan, line) ||
        take_boxed(scan, line) || take_xml(scan, line) || take_csv(scan, line))
        return;
    take_labelled(scan, line);
}

/* ---- texts ---- */

static void take_lines(struct scan *scan, const char *text, size_t size)
{
    const char *end = text + size;
    char line[LINE_MOST];
    while (text < end && !scan->status) {
        const char *next = memchr(text, '\n', (size_t)(end - text));
        const char *stop = next ? next : end;
        size_t length = (size_t)(stop - text);
        length = length < LINE_MOST - 1 ? length : LINE_MOST - 1;
        for (size_t i = 0; i < length; i++)
            line[i] = text[i] == '\t' || text[i] == '\r' || !text[i] ? ' ' : text[i];
        while (length && line[length - 1] == ' ')
            length--;
        line[length] = '\0';
        /* Behind this, clinfo lists its devices once more. */
        if (strstr(line, "NULL platform behavior"))
            return;
        if (length)
            take_line(scan, line);
        text = stop + 1;
    }
}

enum status card_text_read(const char *text, size_t size, const char *name, struct card_list *list,
                           struct diagnostics *diagnostics)
{
    struct scan scan = {.list = list,
                        .accelinfo = memmem(text, size, "Device Revision Number", 22) != NULL};
    *list = (struct card_list){0};
    if (utf16_seems(text, size))
        return diagnostics_error(diagnostics, STATUS_INVALID, "%s: " UTF16_TEXT, name);
    take_lines(&scan, text, size);
    if (scan.status)
        return scan.status;
    if (list->count)
        return STATUS_OK;
    if (*scan.others)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "%s: no card of NVIDIA, only '%s' and the like", name,
                                 scan.others);
    return diagnostics_error(diagnostics, STATUS_INVALID,
                             "%s: expected what deviceQuery, nvidia-smi -q, clinfo or nvaccelinfo "
                             "print of a card, found no name of one",
                             name);
}

void card_list_free(struct card_list *list)
{
    free(list->items);
    *list = (struct card_list){0};
}
