#include "config/gpgpusim.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "config/document_tree.h"
#include "config/gpgpusim_cache.h"
#include "config/gpgpusim_memory.h"
#include "config/gpgpusim_options.h"

enum { KIB = 1024, SIZE_MAX_READ = 128 * KIB, LISTED_MAX = 40, VALUE_MAX = 256, ERRORS_MAX = 100 };
enum { LANES = 32 }; /* of a warp */

/* The prefixes of the parameters that no option can hold. */
static const char *const not_held[] = {"dram.rfc", /* dram.rfcsb too */
                                       "network.sectors",
                                       "machine.",
                                       "tile.",
                                       "tlb.",
                                       "l2tlb.",
                                       "page.",
                                       "walker.",
                                       "pwc.",
                                       "tech.",
                                       "seed",
                                       "l1d.ports",
                                       "l1d.output",
                                       "l2.ports",
                                       "l2.output",
                                       "l2.banks",
                                       "l1d.reuse.",
                                       "l1d.mshr.per_warp",
                                       "l1d.texture",
                                       "l1d.bypass.",
                                       "network.inject",
                                       "l1i.fetches",
                                       "l1i.replacement",
                                       "l1i.same_line",
                                       "l1i.index",
                                       "l1i.buffer",
                                       "l1i.l0.",
                                       "l1i.reset",
                                       "l1i.block_stride",
                                       "l1i.blocking",
                                       "l1i.latency",
                                       "l1d.same_line",
                                       "l1d.blocking",
                                       "core.decode",
                                       "gpu.address_bits"};

bool gpgpusim_holds(const struct parameter *parameter, const struct machine *machine)
{
    /* The buffers of BookSim's fly stand in a file of its own, as vc_buf_size. */
    if (!gpgpusim_has_limit(machine) && !strcmp(parameter->path, "network.queue"))
        return false;
    for (size_t i = 0; i < sizeof not_held / sizeof *not_held; i++)
        if (!strncmp(parameter->path, not_held[i], strlen(not_held[i])))
            return false;
    return true;
}

bool gpgpusim_recognize(const char *text)
{
    while (*text && (isspace((unsigned char)*text) || *text == '#'))
        text += *text == '#' ? strcspn(text, "\n") : 1;
    return text[0] == '-' && isalpha((unsigned char)text[1]);
}

/* ---- words ---- */

struct word {
    size_t start, end; /* without quotes */
    bool quoted;
};

static bool is_option(const struct gpgpusim_reader *reader, const struct word *word)
{
    return !word->quoted && word->end - word->start > 1 && reader->text[word->start] == '-' &&
           isalpha((unsigned char)reader->text[word->start + 1]);
}

/* Finds the next word at or after *at. '#' starts a comment; quotes may contain blanks and line
 * breaks. */
static bool next_word(const struct gpgpusim_reader *reader, size_t *at, struct word *word)
{
    const char *text = reader->text;
    while (text[*at] && (isspace((unsigned char)text[*at]) || text[*at] == '#'))
        *at += text[*at] == '#' ? strcspn(text + *at, "\n") : 1;
    if (!text[*at])
        return false;
    word->quoted = text[*at] == '"';
    word->start = *at + word->quoted;
    word->end = word->start + strcspn(text + word->start, word->quoted ? "\"" : " \t\r\n\v\f#");
    *at = word->end + (word->quoted && text[word->end]);
    return true;
}

/* Collects names for one note. Running out of memory only shortens the note. */
static void remember_unknown(struct gpgpusim_reader *reader, const struct word *name)
{
    size_t length = name->end - name->start;
    if (reader->unknown_count++ >= LISTED_MAX || length > 80)
        return;
    if (array_reserve(&reader->unknown, &reader->unknown_capacity,
                      reader->unknown_size + length + 3))
        return;
    char *end = reader->unknown + reader->unknown_size;
    reader->unknown_size += (size_t)sprintf(end, ", %.*s", (int)length, reader->text + name->start);
}

static const struct gpgpusim_option *find_option(const struct gpgpusim_reader *reader,
                                                 const struct word *name)
{
    size_t length = name->end - name->start;
    for (size_t i = 0; i < GPGPUSIM_OPTIONS; i++)
        if (strlen(gpgpusim_options[i].name) == length &&
            !strncmp(gpgpusim_options[i].name, reader->text + name->start, length))
            return &gpgpusim_options[i];
    return NULL;
}

static void read_only(struct gpgpusim_reader *reader, const struct gpgpusim_option *option,
                      const char *text)
{
    if (strcmp(text, option->only))
        gpgpusim_refuse(reader, "%s is modelled with the value %s only, got '%.40s'", option->name,
                        option->only, text);
}

static void read_option(struct gpgpusim_reader *reader, const struct gpgpusim_option *option,
                        const struct word *value)
{
    char text[VALUE_MAX];
    size_t length = value->end - value->start;
    reader->path = option->path;
    if (length >= sizeof text) {
        gpgpusim_refuse(reader, "the value of %s is too long", option->name);
        return;
    }
    memcpy(text, reader->text + value->start, length);
    text[length] = '\0';
    if (!length)
        gpgpusim_refuse(reader, "%s needs a value", option->name);
    else if (option->only)
        read_only(reader, option, text);
    else if (option->read)
        option->read(reader, text);
    else
        gpgpusim_read_parameter(reader, option->path, text);
}

/* The options of a file: where each stands for the last time, and its value there. */
struct found {
    struct word values[GPGPUSIM_OPTIONS];
    struct place places[GPGPUSIM_OPTIONS]; /* line 0: not in the file */
};

static void remember(struct gpgpusim_reader *reader, const struct gpgpusim_option *option,
                     const struct word *name, const struct word *value, struct found *found)
{
    const struct word *at = value->start < value->end ? value : name;
    const size_t index = (size_t)(option - gpgpusim_options);
    found->values[index] = *value;
    found->places[index] = text_place(reader->text, reader->size, reader->name, at->start, at->end);
}

/* Finds the options; those that stand in the file twice count where they stand last. */
static void find_options(struct gpgpusim_reader *reader, struct found *found)
{
    struct word name, value;
    size_t at = 0;
    bool more = next_word(reader, &at, &name);
    while (more && reader->diagnostics->errors < ERRORS_MAX) {
        if (!is_option(reader, &name)) {
            reader->place =
                text_place(reader->text, reader->size, reader->name, name.start, name.end);
            gpgpusim_refuse(reader, "expected an option such as -gpgpu_n_clusters");
            more = next_word(reader, &at, &name);
            continue;
        }
        value = (struct word){0};
        struct word next;
        more = next_word(reader, &at, &next);
        if (more && !is_option(reader, &next)) {
            value = next;
            more = next_word(reader, &at, &next);
        }
        const struct gpgpusim_option *option = find_option(reader, &name);
        if (option) {
            remember(reader, option, &name, &value, found);
        } else {
            remember_unknown(reader, &name);
            /* An option that is not modelled may have any number of values. */
            while (more && !is_option(reader, &next))
                more = next_word(reader, &at, &next);
        }
        name = next;
    }
}

/* In the order of the table, whatever the order of the file. */
static void read_options(struct gpgpusim_reader *reader, const struct found *found)
{
    for (size_t i = 0; i < GPGPUSIM_OPTIONS && reader->diagnostics->errors < ERRORS_MAX; i++) {
        reader->place = found->places[i];
        if (found->places[i].line)
            read_option(reader, &gpgpusim_options[i], &found->values[i]);
    }
}

/* ---- values that several options determine ---- */

static void combine(struct gpgpusim_reader *reader)
{
    struct machine *machine = reader->machine;
    machine->gpu.sms = reader->clusters * reader->cores;
    machine->l2.slices = reader->channels * machine->l2.slices_per_channel;
    if (reader->adaptive) {
        machine->l1d.unified = reader->unified * KIB;
        machine->gpu.shared_options = reader->carveouts;
    }
    /* The cache string gives the size of one slice, the machine that of all slices. */
    machine->l2.size *= machine->l2.slices;
}

/* Checks the values that are products of options, which no single option could check. */
static void check_ranges(struct gpgpusim_reader *reader)
{
    static const char *const products[] = {"gpu.sms", "l2.slices", "l2.size", "l1d.unified"};
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
        const struct parameter *parameter = parameter_find(products[i]);
        char text[VALUE_TEXT], why[VALUE_TEXT];
        struct value value = parameter_get(parameter, reader->machine);
        if (parameter_parse(parameter, parameter_print(parameter, value, text), &value, why))
            diagnostics_error(reader->diagnostics, STATUS_INVALID, "%s: %s: %s", reader->name,
                              parameter->path, why);
    }
    const struct machine *machine = reader->machine;
    uint64_t slices = machine->l2.slices;
    if (machine->l2.enabled && machine->l2.partition == PARTITION_IPOLY && slices != 16 &&
        slices != 32 && slices != 64)
        diagnostics_error(reader->diagnostics, STATUS_INVALID,
                          "%s: GPGPU-Sim's ipoly partition hash asserts on %" PRIu64
                          " slices; it needs 16, 32 or 64",
                          reader->name, slices);
}

/* Blames the option that sets the parameter of a broken rule, or failing that the file. */
static void check_rules(struct gpgpusim_reader *reader, const struct place places[GPGPUSIM_OPTIONS])
{
    struct violation found[VIOLATION_MAX];
    size_t count = machine_check(reader->machine, found);
    for (size_t i = 0; i < count && i < VIOLATION_MAX; i++) {
        const char *path = found[i].parameter->path;
        struct place place = {.file = reader->name};
        for (size_t k = 0; k < GPGPUSIM_OPTIONS; k++) {
            const char *of = gpgpusim_options[k].path;
            size_t length = of ? strlen(of) : 0;
            bool group = length && of[length - 1] == '.' && !strncmp(path, of, length);
            if (places[k].line && length && (group || !strcmp(path, of)))
                place = places[k];
        }
        diagnostics_add(reader->diagnostics, SEVERITY_ERROR, &place, "%s: %s", path,
                        found[i].message);
    }
}

static void note_unknown(struct gpgpusim_reader *reader)
{
    if (!reader->unknown_size)
        return;
    struct place place = {.file = reader->name};
    size_t more = reader->unknown_count > LISTED_MAX ? reader->unknown_count - LISTED_MAX : 0;
    char rest[40] = "";
    if (more)
        snprintf(rest, sizeof rest, " and %zu more", more);
    diagnostics_add(reader->diagnostics, SEVERITY_NOTE, &place,
                    "options that are not modelled: %s%s", reader->unknown + 2, rest);
}

enum status gpgpusim_read(const char *text, const char *name, struct machine *machine,
                          struct diagnostics *diagnostics)
{
    struct diagnostics found = DIAGNOSTICS_INIT;
    struct found options = {0};
    machine_defaults(machine);
    struct gpgpusim_reader reader = {.text = text,
                                     .name = name,
                                     .size = strlen(text),
                                     .machine = machine,
                                     .diagnostics = &found,
                                     .clusters = machine->gpu.sms,
                                     .cores = 1,
                                     .chips = 1,
                                     .channels =
                                         machine->l2.slices / machine->l2.slices_per_channel};
    if (reader.size > SIZE_MAX_READ)
        return diagnostics_error(diagnostics, STATUS_INVALID, "%s: larger than %d KiB", name,
                                 SIZE_MAX_READ / KIB);
    machine->l2.size /= machine->l2.slices;
    find_options(&reader, &options);
    read_options(&reader, &options);
    combine(&reader);
    if (!found.errors)
        check_ranges(&reader);
    if (!found.errors)
        check_rules(&reader, options.places);
    note_unknown(&reader);
    enum status status = found.errors ? STATUS_INVALID : STATUS_OK;
    free(reader.unknown);
    if (diagnostics)
        diagnostics_move(diagnostics, &found);
    else
        diagnostics_free(&found);
    return status;
}

/* ---- writing ---- */

static void check_units(const struct machine *machine, struct diagnostics *diagnostics)
{
    const struct cache_config *l2 = &machine->l2;
    const struct sizes *carveouts = &machine->gpu.shared_options;
    if (l2->enabled && l2->slices % l2->slices_per_channel)
        diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                          "l2.slices: %" PRIu64 " slices do not fill channels of %" PRIu64,
                          l2->slices, l2->slices_per_channel);
    const struct dram_config *dram = &machine->dram;
    if (machine->l1d.enabled &&
        (machine->l1d.wavefront > 1 || machine->l1d.load_cycles > 1 || machine->l1d.tags))
        diagnostics_error(
            diagnostics, STATUS_UNSUPPORTED,
            "l1d.wavefront, l1d.load_cycles, l1d.tags: GPGPU-Sim's data banks take an access "
            "in each cycle");
    if (machine->l1d.enabled && machine->l1d.mshr.tags)
        diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                          "l1d.mshr.tags: GPGPU-Sim has as many misses in flight as MSHRs");
    if (machine->core.load_store_units < LANES)
        diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                          "core.load_store_units: GPGPU-Sim takes all lanes of a warp at once");
    if (machine->core.barrier_threads)
        diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                          "core.barrier_threads: GPGPU-Sim's warps arrive at barriers at once");
    if (!dram->fixed && (dram->refi || dram->write_batch || dram->bank_hash))
        diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                          "dram.refi, dram.write_batch, dram.bank_hash: no options of GPGPU-Sim's "
                          "that this program writes");
    if (l2->enabled && (l2->partial || l2->atomic || l2->atomic_float || l2->evict_port))
        diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                          "l2.partial, l2.atomic, l2.atomic_float, l2.evict_port: GPGPU-Sim "
                          "writes parts of sectors, and performs atomics, as fast as it writes "
                          "whole ones, and reads evict in no time");
    if (cache_in_halves(l2))
        diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                          "l2.halves: GPGPU-Sim's L2 keeps a line in one slice");
    if (l2->enabled && l2->partition == PARTITION_ROTATE)
        diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                          "l2.partition: GPGPU-Sim has no partition hash rotate");
    if (l2->enabled && l2->partition == PARTITION_IPOLY && l2->slices != 16 && l2->slices != 32 &&
        l2->slices != 64)
        diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                          "l2.partition: GPGPU-Sim's ipoly hash needs 16, 32 or 64 slices, "
                          "not %" PRIu64,
                          l2->slices);
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
                          "network.sectors: an SM of GPGPU-Sim takes one reply in a cycle");
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
    check_units(machine, diagnostics);
    check_timing(machine, diagnostics);
}

static void write_option(FILE *out, const struct gpgpusim_option *option,
                         const struct machine *machine)
{
    const struct gpgpusim_writer writer = {out, machine, option->path};
    if (option->heading)
        fprintf(out, "\n# %s\n", option->heading);
    if ((!option->write && option->read) || (option->written && !option->written(machine)))
        return;
    fprintf(out, "%s ", option->name);
    if (option->only)
        fputs(option->only, out);
    else if (option->write)
        option->write(&writer);
    else
        fprintf(out, "%" PRIu64, gpgpusim_number(option->path, machine));
    fputc('\n', out);
}

/* One note for all parameters: a user who tunes the TLB knows that GPGPU-Sim has none. */
static void note_not_held(const struct machine *machine, struct diagnostics *diagnostics)
{
    char list[400] = "";
    size_t used = 0;
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        bool changed =
            !parameter_equal(parameter, parameter_get(parameter, machine), parameter->fallback);
        if (changed && !gpgpusim_holds(parameter, machine) &&
            used + strlen(parameter->path) + 3 < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
                                     parameter->path);
    }
    if (used)
        diagnostics_add(diagnostics, SEVERITY_NOTE, NULL,
                        "gpgpusim.config has no words for %s; they are left out", list);
}

enum status gpgpusim_write(const struct machine *machine, char **text,
                           struct diagnostics *diagnostics)
{
    struct diagnostics found = DIAGNOSTICS_INIT;
    *text = NULL;
    check_writable(machine, &found);
    bool refused = found.errors;
    if (diagnostics)
        diagnostics_move(diagnostics, &found);
    else
        diagnostics_free(&found);
    if (refused)
        return STATUS_UNSUPPORTED;
    size_t size;
    FILE *out = open_memstream(text, &size);
    if (!out)
        return STATUS_MEMORY;
    fputs("# The memory hierarchy of a gpgpusim.config, written by warpscape. Put these lines in\n"
          "# place of their namesakes in a complete configuration (a later line wins).\n",
          out);
    for (size_t i = 0; i < GPGPUSIM_OPTIONS; i++)
        write_option(out, &gpgpusim_options[i], machine);
    note_not_held(machine, diagnostics);
    bool failed = ferror(out);
    failed = fclose(out) || failed;
    if (!failed)
        return STATUS_OK;
    free(*text);
    *text = NULL;
    return STATUS_MEMORY;
}
