#include "config/card_machine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "config/card_memory.h"
#include "config/card_text.h"
#include "config/machine_file.h"

/* ---- what to inherit from ---- */

struct candidate {
    const char *name;
    const struct card_row *row;
    struct machine machine;
    struct number_origins about;
};

/* Loads a machine; false if it stands for no card. */
static bool load_candidate(const struct card_table *table, const char *name,
                           struct candidate *candidate)
{
    struct document *document = NULL;
    bool near;
    candidate->name = name;
    candidate->row = NULL;
    if (machine_load(name, NULL, &candidate->machine, &document, NULL))
        return false;
    provenance_read(document, &candidate->about, NULL);
    document_free(document);
    if (*candidate->about.card)
        candidate->row = card_table_find(table, candidate->about.card, 0, &near);
    return candidate->row;
}

/* How much a machine is like a card: the card itself, its chip, its kind of memory; and how much of
 * it was measured. */
static int likeness(const struct candidate *candidate, const struct card_row *row)
{
    const int latencies = candidate->about.origins[PROVENANCE_latencies];
    const int sizes = candidate->about.origins[PROVENANCE_sizes];
    int likeness = 0;
    if (row && candidate->row == row)
        likeness += 100;
    if (row && candidate->row->chip == row->chip)
        likeness += 8;
    if (row && row->memory && candidate->row->memory &&
        !strcmp(row->memory, candidate->row->memory))
        likeness += 2;
    if (row && candidate->row->card.facts[CARD_BUS] == row->card.facts[CARD_BUS])
        likeness += 1;
    if (latencies == ORIGIN_measured)
        likeness += 4;
    likeness -= 50 * ((sizes == ORIGIN_paper) + (latencies == ORIGIN_paper));
    return likeness;
}

static uint64_t apart(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* The built-in machine of this capability that is most like the card; NULL if there is none. What
 * repeats a simulator to the letter, faults and launches included, is like no card. Of equal ones
 * it is that of the shortest name, of which others are variants. */
static const char *nearest_machine(const struct card_table *table, const struct card *card,
                                   const struct card_row *row)
{
    const char *best = NULL;
    int best_likeness = 0;
    uint64_t best_apart = 0;
    for (const struct embedded_file *file = embedded_machines; file->name; file++) {
        struct candidate candidate;
        if (!load_candidate(table, file->name, &candidate) ||
            candidate.machine.gpu.simulator_faults ||
            candidate.row->chip->capability->number != card->facts[CARD_CAPABILITY])
            continue;
        const int like = likeness(&candidate, row);
        const uint64_t sms = apart(candidate.machine.gpu.sms, card->facts[CARD_SMS]);
        const bool nearer =
            sms < best_apart || (sms == best_apart && best && strlen(file->name) < strlen(best));
        if (!best || like > best_likeness || (like == best_likeness && nearer)) {
            best = file->name;
            best_likeness = like;
            best_apart = sms;
        }
    }
    return best;
}

static enum status find_base(const struct card_table *table, const struct card *card,
                             const struct card_row *row, const char *like,
                             struct card_machine *made, struct diagnostics *diagnostics)
{
    const unsigned number = (unsigned)card->facts[CARD_CAPABILITY];
    const struct capability_row *capability = card_table_capability(table, number);
    struct candidate candidate;
    if (!like && capability)
        like = capability->like ? capability->like : nearest_machine(table, card, row);
    if (!like)
        return diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                                 "'%s': no machine of compute capability %u.%u is known; name one "
                                 "to inherit from with --like, for example --like titanx",
                                 card->name, number / 10, number % 10);
    enum status status = machine_load(like, NULL, &made->machine, NULL, diagnostics);
    if (status)
        return status;
    if (made->machine.kind != KIND_COMPUTE)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "%s is no GPU that a card could be like", like);
    load_candidate(table, like, &candidate);
    const bool same = row && candidate.row == row;
    snprintf(made->about.like, sizeof made->about.like, "%s", like);
    snprintf(made->about.card, sizeof made->about.card, "%s", row ? row->name : card->name);
    snprintf(made->inherited, sizeof made->inherited, "as %s", like);
    for (int i = 0; i < PROVENANCE_COUNT; i++)
        made->about.origins[i] = same ? candidate.about.origins[i] : ORIGIN_related;
    return STATUS_OK;
}

/* ---- what is replaced ---- */

static void set(struct card_machine *made, const char *path, uint64_t number, const char *mark)
{
    const struct parameter *parameter = parameter_find(path);
    parameter_set(parameter, &made->machine, (struct value){.uint = number});
    made->marks[parameter - parameters] = mark;
}

static void set_text(struct card_machine *made, const char *path, const char *text,
                     const char *mark)
{
    const struct parameter *parameter = parameter_find(path);
    char why[VALUE_TEXT];
    struct value value;
    if (parameter_parse(parameter, text, &value, why))
        return;
    parameter_set(parameter, &made->machine, value);
    made->marks[parameter - parameters] = mark;
}

/* Facts that are a parameter each. */
static void set_facts(struct card_machine *made, const struct card *card)
{
    static const struct {
        enum card_fact fact;
        const char *path;
    } facts[] = {{CARD_SMS, "gpu.sms"},
                 {CARD_CLOCK, "gpu.clock"},
                 {CARD_THREADS, "gpu.max_threads"},
                 {CARD_BLOCKS, "gpu.max_blocks"},
                 {CARD_REGISTERS, "gpu.registers"},
                 {CARD_SHARED, "gpu.shared_memory"}};
    const struct gpu_config before = made->machine.gpu;
    const double ratio = (double)made->machine.network.clock / (double)before.clock;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (card->facts[facts[i].fact])
            set(made, facts[i].path, card->facts[facts[i].fact], card->from[facts[i].fact]);
    if (card->facts[CARD_CLOCK])
        set(made, "network.clock", (uint64_t)(ratio * (double)card->facts[CARD_CLOCK]),
            card->from[CARD_CLOCK]);
}

/* An L1 of another size, with other carve-outs, where the capability has no machine of its own. */
static void set_unified(struct card_machine *made, const struct capability_row *capability)
{
    const uint64_t unified = capability->card.facts[CARD_UNIFIED];
    if (!unified)
        return;
    const char *from = capability->card.from[CARD_UNIFIED];
    set(made, "l1d.size", unified, from);
    set(made, "l1d.unified", unified, from);
    if (capability->options)
        set_text(made, "gpu.shared_options", capability->options, from);
}

/* Facts that L2 and DRAM follow from. What nobody says is as in the machine, in proportion to the
 * bus. */
static void set_memory(struct card_machine *made, const struct card *card,
                       struct diagnostics *diagnostics)
{
    const struct card_memory has = card_memory_of(&made->machine);
    struct card_memory wanted = {card->facts[CARD_BUS], card->facts[CARD_BANDWIDTH],
                                 card->facts[CARD_L2]};
    char size[QUANTITY_TEXT], got[QUANTITY_TEXT];
    wanted.bus = wanted.bus ? wanted.bus : has.bus;
    const double share = (double)wanted.bus / (double)has.bus;
    if (!wanted.l2)
        wanted.l2 = (uint64_t)(share * (double)has.l2);
    if (!wanted.bandwidth)
        wanted.bandwidth = (uint64_t)(share * (double)has.bandwidth);
    const struct machine before = made->machine;
    card_memory_fit(&made->machine, &wanted);
    set(made, "l2.size", made->machine.l2.size, card->from[CARD_L2]);
    set(made, "dram.clock", made->machine.dram.clock, card->from[CARD_BANDWIDTH]);
    for (size_t i = 0; i < parameter_count; i++) /* what follows from them */
        if (!made->marks[i] &&
            !parameter_equal(&parameters[i], parameter_get(&parameters[i], &before),
                             parameter_get(&parameters[i], &made->machine)))
            made->marks[i] = "to fit";
    if (made->machine.l2.size != wanted.l2)
        diagnostics_add(diagnostics, SEVERITY_NOTE, NULL,
                        "the L2 has %s, not %s: equal slices with sets in powers of two come no "
                        "nearer",
                        quantity_print_uint(made->machine.l2.size, UNIT_BYTES, got),
                        quantity_print_uint(wanted.l2, UNIT_BYTES, size));
}

static void set_architecture(struct card_machine *made, const struct card_table *table,
                             const struct card *card, const struct card_row *row)
{
    const struct capability_row *capability =
        card_table_capability(table, (unsigned)card->facts[CARD_CAPABILITY]);
    const struct parameter *arch = parameter_find("coalescer.arch");
    if ((double)card->facts[CARD_CAPABILITY] <= arch->max)
        set(made, "coalescer.arch", card->facts[CARD_CAPABILITY], card->from[CARD_CAPABILITY]);
    if (capability)
        set_unified(made, capability);
    if (row)
        set_text(made, "tech.node", row->chip->process, CARD_SHEET);
}

/* ---- the whole ---- */

static void note_inherited(const struct card *card, const char *inherited,
                           struct diagnostics *diagnostics)
{
    static const enum card_fact facts[] = {CARD_CLOCK, CARD_BUS, CARD_BANDWIDTH, CARD_L2};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (!card->facts[facts[i]])
            diagnostics_add(diagnostics, SEVERITY_NOTE, NULL, "nothing says %s of '%s': it is %s%s",
                            card_fact_name(facts[i]), card->name, inherited,
                            facts[i] == CARD_L2 || facts[i] == CARD_BANDWIDTH
                                ? ", in proportion to the bus"
                                : "");
}

enum status card_machine_check(const struct card_machine *made, struct diagnostics *diagnostics)
{
    struct violation found[VIOLATION_MAX];
    const size_t count = machine_check(&made->machine, found);
    for (size_t i = 0; i < count && i < VIOLATION_MAX; i++)
        diagnostics_error(diagnostics, STATUS_INVALID, "'%s': %s: %s", made->about.card,
                          found[i].parameter->path, found[i].message);
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        char text[VALUE_TEXT], why[VALUE_TEXT];
        struct value value;
        parameter_print(parameter, parameter_get(parameter, &made->machine), text);
        if (made->marks[i] && parameter_parse(parameter, text, &value, why))
            return diagnostics_error(diagnostics, STATUS_INVALID, "'%s': %s: %s", made->about.card,
                                     parameter->path, why);
    }
    return count ? STATUS_INVALID : STATUS_OK;
}

enum status card_machine_make(const struct card_table *table, const struct card *card,
                              const struct card_row *row, const char *like,
                              struct card_machine *made, struct diagnostics *diagnostics)
{
    memset(made, 0, sizeof *made);
    made->marks = calloc(parameter_count, sizeof *made->marks);
    if (!made->marks)
        return STATUS_MEMORY;
    enum status status = find_base(table, card, row, like, made, diagnostics);
    if (status)
        return status;
    set_facts(made, card);
    set_architecture(made, table, card, row);
    set_memory(made, card, diagnostics);
    for (size_t i = 0; i < parameter_count; i++)
        if (!made->marks[i])
            made->marks[i] = made->inherited;
    made->about.origins[PROVENANCE_sizes] =
        strcmp(card->from[CARD_SMS], CARD_SHEET) ? ORIGIN_tool : ORIGIN_data_sheet;
    note_inherited(card, made->inherited, diagnostics);
    return card_machine_check(made, diagnostics);
}

void card_machine_free(struct card_machine *made)
{
    free(made->marks);
    made->marks = NULL;
}

/* A limit that the driver sets, as of a laptop, holds for the boost of the data sheet, too. */
static void limit_clock(struct card *card)
{
    const uint64_t limit = card->facts[CARD_MAX_CLOCK];
    card_say(card, CARD_CLOCK, limit, card->from[CARD_MAX_CLOCK]);
    if (!limit || limit >= card->facts[CARD_CLOCK])
        return;
    card->facts[CARD_CLOCK] = limit;
    card->from[CARD_CLOCK] = card->from[CARD_MAX_CLOCK];
}

/* What tools call the clock is that of the lanes. */
static void scale_clock(const struct card_table *table, struct card *card)
{
    const struct capability_row *capability =
        card_table_capability(table, (unsigned)card->facts[CARD_CAPABILITY]);
    if (capability && card->facts[CARD_CLOCK])
        card->facts[CARD_CLOCK] = (uint64_t)(capability->clock * (double)card->facts[CARD_CLOCK]);
}

/* Tells what a row of the table knows; of a card without one, what its capability fixes. */
static void add_facts(const struct card_table *table, struct card *card, const struct card_row *row)
{
    const struct capability_row *capability =
        card_table_capability(table, (unsigned)card->facts[CARD_CAPABILITY]);
    if (row)
        card_say(card, CARD_BUS, row->card.facts[CARD_BUS], row->card.from[CARD_BUS]);
    card_complete(card);
    if (row)
        card_merge(card, &row->card);
    else if (capability)
        card_merge(card, &capability->card);
}

enum status card_machine_complete(const struct card_table *table, struct card *card,
                                  const struct card_row **row, struct diagnostics *diagnostics)
{
    bool near;
    *row = card_table_find(table, card->name, card->facts[CARD_MEMORY], &near);
    if (near && *row)
        diagnostics_add(diagnostics, SEVERITY_NOTE, NULL,
                        "'%s' is taken for '%s': the table has no row of its Max-Q design, whose "
                        "clocks are lower",
                        card->name, (*row)->name);
    scale_clock(table, card);
    add_facts(table, card, *row);
    limit_clock(card);
    if (card->facts[CARD_SMS] && card->facts[CARD_CAPABILITY])
        return STATUS_OK;
    (void)card_table_missing(table, card->name, diagnostics);
    return diagnostics_error(diagnostics, STATUS_NOT_FOUND,
                             "'%s': nothing says %s; what deviceQuery prints on the card does, and "
                             "'warpscape machine cards' lists the cards that need no such file",
                             card->name,
                             card_fact_name(card->facts[CARD_SMS] ? CARD_CAPABILITY : CARD_SMS));
}

static bool has_from(const struct card *card, const char *from)
{
    for (int i = 0; i < CARD_FACTS; i++)
        if (card->facts[i] && !strcmp(card->from[i], from))
            return true;
    return false;
}

/* Who printed something of the card; NULL if nobody did. */
static const char *tool_of(const struct card *card)
{
    for (int i = 0; i < CARD_FACTS; i++)
        if (card->facts[i] && strcmp(card->from[i], CARD_SHEET) &&
            strcmp(card->from[i], CARD_GUIDE))
            return card->from[i];
    return NULL;
}

enum status card_machine_to_yaml(const struct card_machine *made, const struct card *card,
                                 const struct card_row *row, char **text)
{
    char title[1200], clock[QUANTITY_TEXT];
    char *about;
    int used = snprintf(title, sizeof title,
                        "%s, made by warpscape machine new.\nThe word before each colon says "
                        "where a value comes from:",
                        card->name);
    if (row)
        used += snprintf(title + used, sizeof title - (size_t)used, "\n* data sheet: %s, %s: %s",
                         row->name, row->chip->name, row->source);
    if (has_from(card, CARD_GUIDE))
        used += snprintf(title + used, sizeof title - (size_t)used,
                         "\n* programming guide: CUDA C++ Programming Guide, technical "
                         "specifications of compute capability %" PRIu64 ".%" PRIu64,
                         card->facts[CARD_CAPABILITY] / 10, card->facts[CARD_CAPABILITY] % 10);
    const char *tool = tool_of(card);
    if (tool)
        used += snprintf(title + used, sizeof title - (size_t)used,
                         "\n* %s: what that printed on the card", tool);
    if (tool && card->facts[CARD_MAX_CLOCK] > card->facts[CARD_CLOCK])
        used += snprintf(title + used, sizeof title - (size_t)used,
                         "; its highest clock, %s, is no clock that applications are promised",
                         quantity_print_uint(card->facts[CARD_MAX_CLOCK], UNIT_HERTZ, clock));
    snprintf(title + used, sizeof title - (size_t)used,
             "\n* %s: inherited; not known to hold for this card"
             "\n* to fit: follows from the sizes and bandwidths of this card",
             made->inherited);
    enum status status = provenance_to_yaml(&made->about, &about);
    if (!status)
        status = machine_to_yaml_marked(&made->machine, title, about, made->marks, text);
    free(about);
    return status;
}

/* ---- by name or file ---- */

static enum status read_file_of_card(const char *path, struct card *card,
                                     struct diagnostics *diagnostics)
{
    char *text = NULL;
    size_t size;
    struct card_list list = {0};
    enum status status = file_read(path, &text, &size, diagnostics);
    if (!status)
        status = card_text_read(text, size, path, &list, diagnostics);
    if (!status)
        *card = list.items[0];
    card_list_free(&list);
    free(text);
    return status;
}

enum status card_machine_open(const char *name, char **text, char called[CARD_NAME],
                              struct diagnostics *diagnostics)
{
    struct card_table table;
    struct card card = {0};
    const struct card_row *row = NULL;
    struct card_machine made = {0};
    *text = NULL;
    enum status status = card_table_open(&table, diagnostics);
    if (!status && file_exists(name))
        status = read_file_of_card(name, &card, diagnostics);
    else
        snprintf(card.name, sizeof card.name, "%s", name);
    if (!status)
        status = card_machine_complete(&table, &card, &row, diagnostics);
    if (!status)
        status = card_machine_make(&table, &card, row, NULL, &made, diagnostics);
    if (!status)
        status = card_machine_check(&made, diagnostics);
    if (!status)
        status = card_machine_to_yaml(&made, &card, row, text);
    snprintf(called, CARD_NAME, "%s", row ? row->name : card.name);
    card_machine_free(&made);
    card_table_free(&table);
    return status;
}
