/* Reading gpgpusim.config. */
#include "config/gpgpusim.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/text_stream.h"
#include "config/document_tree.h"
#include "config/gpgpusim_booksim.h"
#include "config/gpgpusim_files.h"
#include "config/gpgpusim_options.h"
#include "config/gpgpusim_values.h"
#include "config/gpgpusim_words.h"

enum { KIB = 1024, SIZE_MAX_READ = 128 * KIB, VALUE_MAX = 256, ERRORS_MAX = 100, SUGGESTIONS = 40 };

static const char *skip_comments(const char *text)
{
    static const char mark[] = "\xef\xbb\xbf";
    if (!strncmp(text, mark, sizeof mark - 1))
        text += sizeof mark - 1;
    while (*text && (isspace((unsigned char)*text) || *text == '#'))
        text += *text == '#' ? strcspn(text, "\n") : 1;
    return text;
}

bool gpgpusim_recognize(const char *text)
{
    text = skip_comments(text);
    return text[0] == '-' && isalpha((unsigned char)text[1]);
}

bool gpgpusim_is_blank(const char *text)
{
    return !*skip_comments(text);
}

/* ---- the options of the files ---- */

/* An option where it stands for the last time, and its value there. */
struct given {
    const struct gpgpusim_option *option; /* NULL: not in any file */
    char value[VALUE_MAX];
    bool too_long;
    const struct gpgpusim_text *file;
    size_t start, end; /* what messages point at */
};

/* What the files hold. */
struct contents {
    struct given given[GPGPUSIM_OPTIONS_MAX]; /* one for each row of the table */
    FILE *unknown;                            /* names that no row has, each after ", " */
    size_t unknown_count;
    char *defaults; /* what approximated defaults mean, each after "; " */
    struct diagnostics *diagnostics;
};

static void take_option(const struct gpgpusim_words *words, const struct gpgpusim_option *option,
                        const struct gpgpusim_word *name, const struct gpgpusim_word *value,
                        const struct gpgpusim_text *file, struct contents *contents)
{
    const struct gpgpusim_word *at = value->start < value->end ? value : name;
    const size_t length = value->end - value->start;
    struct given *given = &contents->given[option - gpgpusim_options];
    given->option = option;
    given->too_long = length >= sizeof given->value;
    snprintf(given->value, sizeof given->value, "%.*s",
             (int)(given->too_long ? sizeof given->value - 1 : length), words->text + value->start);
    given->file = file;
    given->start = at->start;
    given->end = at->end;
}

/* Counting lines takes time, so only what is read has a place. */
static struct place given_place(const struct given *given)
{
    return text_place(given->file->text, strlen(given->file->text), given->file->name, given->start,
                      given->end);
}

/* Names the nearest option of the first few: to compare names takes time. */
static void take_unknown(const struct gpgpusim_words *words, const struct gpgpusim_word *name,
                         struct contents *contents)
{
    char text[VALUE_MAX], nearest[SUGGESTION_TEXT];
    snprintf(text, sizeof text, "%.*s", (int)(name->end - name->start), words->text + name->start);
    const char *known =
        contents->unknown_count++ < SUGGESTIONS ? gpgpusim_option_nearest(text) : NULL;
    if (known)
        snprintf(nearest, sizeof nearest, " (is it %s?)", known);
    else
        nearest[0] = '\0';
    fprintf(contents->unknown, ", %s%s", text, nearest);
}

/* An option that nobody knows may have any number of values. */
static bool skip_values(struct gpgpusim_words *words, struct gpgpusim_word *next)
{
    bool more = true;
    while (more && !gpgpusim_words_option(words, next))
        more = gpgpusim_words_next(words, next);
    return more;
}

static void complain_stray(const struct gpgpusim_words *words, const struct gpgpusim_word *word,
                           const struct gpgpusim_text *file, struct contents *contents)
{
    const struct place place =
        text_place(file->text, words->size, file->name, word->start, word->end);
    diagnostics_add(contents->diagnostics, SEVERITY_ERROR, &place,
                    "expected an option such as -gpgpu_n_clusters, got '%.*s'",
                    (int)(word->end - word->start < 40 ? word->end - word->start : 40),
                    words->text + word->start);
}

/* Finds the options of one file. */
static enum status find_options(const struct gpgpusim_text *file, struct contents *contents)
{
    struct gpgpusim_words words;
    struct gpgpusim_word name, next = {0};
    enum status status = gpgpusim_words_init(&words, file->text, strlen(file->text));
    bool more = !status && gpgpusim_words_next(&words, &name);
    while (more && contents->diagnostics->errors < ERRORS_MAX) {
        struct gpgpusim_word value = {0};
        if (!gpgpusim_words_option(&words, &name)) {
            complain_stray(&words, &name, file, contents);
            more = gpgpusim_words_next(&words, &name);
            continue;
        }
        more = gpgpusim_words_next(&words, &next);
        if (more && !gpgpusim_words_option(&words, &next)) {
            value = next;
            more = gpgpusim_words_next(&words, &next);
        }
        const struct gpgpusim_option *option =
            gpgpusim_option_find(words.text + name.start, name.end - name.start);
        if (option)
            take_option(&words, option, &name, &value, file, contents);
        else
            take_unknown(&words, &name, contents);
        if (!option && more)
            more = skip_values(&words, &next);
        name = next;
    }
    gpgpusim_words_free(&words);
    return status;
}

/* Whether an option stands in trace.config. */
static bool is_of_traces(const char *name)
{
    static const char *const prefixes[] = {"-trace_opcode_latency_", "-specialized_unit_"};
    bool found = false;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        found |= !strncmp(name, prefixes[i], strlen(prefixes[i]));
    return found;
}

/* Defaults stand for options that are left out, but not for a machine: a file without any option,
 * or with what stands in trace.config alone, is not the one that was meant. */
static enum status check_found(const struct contents *contents, const char *file)
{
    size_t found = 0, of_traces = 0;
    for (size_t i = 0; i < gpgpusim_option_count; i++) {
        const bool given = contents->given[i].option != NULL;
        found += given;
        of_traces += given && is_of_traces(gpgpusim_options[i].name);
    }
    if (!found)
        return diagnostics_error(contents->diagnostics, STATUS_INVALID,
                                 "no option of gpgpusim.config found in %s", file);
    if (found == of_traces)
        return diagnostics_error(contents->diagnostics, STATUS_INVALID,
                                 "%s says how long instructions take and nothing else, as a "
                                 "trace.config does; name the gpgpusim.config that it belongs to",
                                 file);
    return STATUS_OK;
}

/* ---- reading them, in the order of the table ---- */

/* An option without a parameter: its value is what the models do, or it is said what differs. */
static void compare_neutral(struct gpgpusim_reader *reader)
{
    const struct gpgpusim_option *option = reader->option;
    uint64_t ours, theirs;
    const bool same = !option->neutral || !strcmp(reader->text, option->neutral) ||
                      (gpgpusim_parse_number(option->neutral, UINT64_MAX, &ours) &&
                       gpgpusim_parse_number(reader->text, UINT64_MAX, &theirs) && ours == theirs);
    if (same)
        return;
    if (option->class == GPGPUSIM_UNMODELLED)
        gpgpusim_unmodelled(reader, "%s", option->effect);
    else if (reader->absent)
        fprintf(reader->defaults, "; %s %s: %s", option->name, reader->text, option->effect);
    else
        gpgpusim_approximate(reader, "%s", option->effect);
}

/* Options of the simulator that are on or off may come without a value, and are then on. */
static bool is_flag(const struct gpgpusim_option *option)
{
    const struct parameter *parameter = option->path ? parameter_find(option->path) : NULL;
    const char *fallback = option->fallback ? option->fallback : "";
    return (parameter && parameter->type == PARAMETER_BOOL) ||
           (!option->path && (!strcmp(fallback, "0") || !strcmp(fallback, "1")));
}

static void read_option(struct gpgpusim_reader *reader)
{
    const struct gpgpusim_option *option = reader->option;
    if (!*reader->text && is_flag(option))
        reader->text = "1";
    if (option->class == GPGPUSIM_HARMLESS)
        return;
    if (!*reader->text)
        gpgpusim_refuse(reader, "%s needs a value", option->name);
    else if (!option->path)
        compare_neutral(reader);
    else if (option->read)
        option->read(reader, reader->text);
    else
        gpgpusim_read_parameter(reader, option->path, reader->text);
}

static enum status read_options(struct gpgpusim_reader *reader, struct contents *contents,
                                const struct place *file)
{
    struct text_stream stream;
    reader->defaults = text_stream_open(&stream);
    if (!reader->defaults)
        return STATUS_MEMORY;
    for (size_t i = 0; i < gpgpusim_option_count && reader->diagnostics->errors < ERRORS_MAX; i++) {
        const struct given *given = &contents->given[i];
        reader->option = &gpgpusim_options[i];
        reader->path = reader->option->path;
        reader->absent = !given->option;
        reader->place = given->option ? given_place(given) : *file;
        reader->text = given->option ? given->value : reader->option->fallback;
        if (given->too_long && reader->option->class != GPGPUSIM_HARMLESS)
            gpgpusim_refuse(reader, "the value of %s is too long", reader->option->name);
        else if (reader->text)
            read_option(reader);
    }
    return text_stream_finish(&stream, STATUS_OK, &contents->defaults);
}

/* ---- values that several options determine ---- */

/* In the simulator a bank beyond the last one is memory that belongs to something else. */
static void fit_banks(struct gpgpusim_reader *reader, const struct place *file)
{
    struct dram_config *dram = &reader->machine->dram;
    uint64_t banks = 1;
    for (uint64_t mask = dram->bank_mask; mask; mask &= mask - 1)
        banks *= 2;
    if (dram->fixed || banks <= dram->banks || (double)banks > parameter_find("dram.banks")->max)
        return; /* a rule complains about too many */
    diagnostics_add(reader->diagnostics, SEVERITY_WARNING, file,
                    "-gpgpu_mem_addr_mapping numbers %" PRIu64 " banks, and -gpgpu_dram_timing_opt "
                    "has %" PRIu64 "%s; %" PRIu64 " are taken",
                    banks, dram->banks, reader->banks_absent ? " by default" : "", banks);
    dram->banks = banks;
}

static void combine(struct gpgpusim_reader *reader, const struct place *file)
{
    struct machine *machine = reader->machine;
    machine->gpu.sms = reader->clusters * reader->cores;
    machine->l2.slices = reader->channels * machine->l2.slices_per_channel;
    if (reader->adaptive && machine->l1d.enabled) {
        machine->l1d.unified = reader->unified * KIB;
        machine->gpu.shared_options = reader->carveouts;
    }
    /* The cache string gives the size of one slice, the machine that of all slices. */
    machine->l2.size *= machine->l2.slices;
    fit_banks(reader, file);
}

/* What has no option, as the simulator does it: it translates no addresses, warps wait for what
 * they use, and it has faults. */
static void set_as_simulator(struct machine *machine)
{
    machine->tlb.enabled = false;
    machine->gpu.simulator_faults = true;
    machine->l1d.reuse.wait = REUSE_WAIT_USE;
    machine->l1d.reuse.model.merge = true;
    machine->l1d.reuse.model.allocate = true;
}

/* Checks the values that are products of options, which no single option could check. */
static void check_ranges(struct gpgpusim_reader *reader, const struct place *file)
{
    static const char *const products[] = {"gpu.sms", "l2.slices", "l2.size", "l1d.unified"};
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
        const struct parameter *parameter = parameter_find(products[i]);
        char text[VALUE_TEXT], why[VALUE_TEXT];
        struct value value = parameter_get(parameter, reader->machine);
        if (parameter_parse(parameter, parameter_print(parameter, value, text), &value, why))
            diagnostics_add(reader->diagnostics, SEVERITY_ERROR, file, "%s: %s", parameter->path,
                            why);
    }
}

/* Whether an option sets a parameter, alone or with its group. */
static bool sets_parameter(const struct gpgpusim_option *option, const char *path)
{
    const char *of = option->path;
    const size_t length = of ? strlen(of) : 0;
    const bool group = length && of[length - 1] == '.' && !strncmp(path, of, length);
    return length && (group || !strcmp(path, of));
}

/* Blames the option that sets the parameter of a broken rule, which may be one that is left out, or
 * failing that the file. */
static void check_rules(struct gpgpusim_reader *reader, const struct contents *contents,
                        const struct place *file)
{
    struct violation found[VIOLATION_MAX];
    size_t count = machine_check(reader->machine, found);
    for (size_t i = 0; i < count && i < VIOLATION_MAX; i++) {
        const char *path = found[i].parameter->path;
        const struct gpgpusim_option *absent = NULL;
        struct place place = *file;
        for (size_t k = 0; k < gpgpusim_option_count; k++) {
            const struct gpgpusim_option *option = &gpgpusim_options[k];
            if (!sets_parameter(option, path))
                continue;
            if (contents->given[k].option)
                place = given_place(&contents->given[k]);
            else if (!absent && option->fallback && !strcmp(option->path, path))
                absent = option;
        }
        if (absent && !place.line)
            diagnostics_add(reader->diagnostics, SEVERITY_ERROR, &place,
                            "%s: %s; %s is left out, and the simulator's default is %s", path,
                            found[i].message, absent->name, absent->fallback);
        else
            diagnostics_add(reader->diagnostics, SEVERITY_ERROR, &place, "%s: %s", path,
                            found[i].message);
    }
}

/* ---- the file of the network ---- */

/* The file that -inter_config_file names, in the folder of the file that says so. */
static enum status read_network(struct gpgpusim_reader *reader, const struct contents *contents)
{
    static const char name[] = "-inter_config_file";
    const struct gpgpusim_option *option = gpgpusim_option_find(name, sizeof name - 1);
    const struct given *given = &contents->given[option - gpgpusim_options];
    if (!given->option || !given->file->is_file || reader->machine->network.kind != NETWORK_FLY)
        return STATUS_OK;
    char *path, *text;
    const struct place place = given_place(given);
    enum status status = gpgpusim_read_neighbour(given->file->name, given->value, &path, &text);
    if (text)
        status = gpgpusim_read_booksim(text, path, reader->machine, reader->diagnostics);
    if (!status)
        diagnostics_add(reader->diagnostics, SEVERITY_NOTE, &place,
                        text ? "%s was read too"
                             : "%s cannot be read; buffers of the network have 64 flits, as those "
                               "of the simulator's GTX 480",
                        path);
    free(text);
    free(path);
    return status;
}

/* ---- notes ---- */

/* The defaults that became a part of the machine. Those that are approximated have warnings. */
static enum status note_defaults(const struct contents *contents, const struct place *file)
{
    size_t count = 0;
    struct text_stream stream;
    FILE *out = text_stream_open(&stream);
    if (!out)
        return STATUS_MEMORY;
    for (size_t i = 0; i < gpgpusim_option_count; i++) {
        const struct gpgpusim_option *option = &gpgpusim_options[i];
        if (option->path && option->class != GPGPUSIM_UNMODELLED && option->fallback &&
            !contents->given[i].option)
            fprintf(out, "%s%s %s", count++ ? ", " : "", option->name, option->fallback);
    }
    char *list;
    const enum status status = text_stream_finish(&stream, STATUS_OK, &list);
    if (!status && count)
        diagnostics_add(contents->diagnostics, SEVERITY_NOTE, file,
                        "the simulator's defaults stand for %zu options that are left out: %s",
                        count, list);
    free(list);
    return status;
}

static void note_process(const struct machine *machine, struct diagnostics *diagnostics,
                         const struct place *file)
{
    const struct parameter *node = parameter_find("tech.node");
    char text[VALUE_TEXT];
    diagnostics_add(diagnostics, SEVERITY_NOTE, file,
                    "nothing is said of the process, so areas, times and energies are those of %s "
                    "(tech.node); addresses are not translated, as in the simulator",
                    parameter_print(node, parameter_get(node, machine), text));
}

/* What a machine that was read differs in, but for what is wrong at a place. */
static enum status note_all(const struct gpgpusim_reader *reader, const struct contents *contents,
                            const struct place *file, const char *unknown)
{
    if (contents->defaults && *contents->defaults)
        diagnostics_add(reader->diagnostics, SEVERITY_WARNING, file,
                        "options are left out whose defaults are approximated: %s",
                        contents->defaults + 2);
    if (*unknown)
        diagnostics_add(reader->diagnostics, SEVERITY_WARNING, file,
                        "options that GPGPU-Sim does not have, and of which nothing is made, so "
                        "results may differ: %s",
                        unknown + 2);
    enum status status = note_defaults(contents, file);
    note_process(reader->machine, reader->diagnostics, file);
    return status;
}

/* ---- all together ---- */

static enum status read_contents(struct gpgpusim_reader *reader, const struct gpgpusim_text *texts,
                                 size_t count, struct contents *contents)
{
    char *unknown;
    struct text_stream stream;
    const struct place file = {.file = texts[0].name};
    enum status status = STATUS_OK;
    contents->unknown = text_stream_open(&stream);
    if (!contents->unknown)
        return STATUS_MEMORY;
    for (size_t i = 0; i < count && !status; i++)
        status = find_options(&texts[i], contents);
    status = text_stream_finish(&stream, status, &unknown);
    if (!status && !reader->diagnostics->errors)
        status = check_found(contents, texts[0].name);
    if (!status)
        status = read_options(reader, contents, &file);
    if (!status)
        status = read_network(reader, contents);
    if (!status) {
        combine(reader, &file);
        set_as_simulator(reader->machine);
    }
    if (!status && !reader->diagnostics->errors)
        check_ranges(reader, &file);
    if (!status && !reader->diagnostics->errors)
        check_rules(reader, contents, &file);
    diagnostics_sort(reader->diagnostics, 0);
    if (reader->unmodelled)
        diagnostics_add(reader->diagnostics, SEVERITY_NOTE, &file,
                        "'warpscape convert --nearest %s' makes the nearest machine all the same",
                        texts[0].name);
    if (!status && !reader->diagnostics->errors)
        status = note_all(reader, contents, &file, unknown);
    free(unknown);
    return status;
}

enum status gpgpusim_read_texts(const struct gpgpusim_text *texts, size_t count, bool nearest,
                                struct machine *machine, struct diagnostics *diagnostics)
{
    struct diagnostics grave = DIAGNOSTICS_INIT, found = DIAGNOSTICS_INIT;
    for (size_t i = 0; i < count; i++)
        if (strlen(texts[i].text) > SIZE_MAX_READ)
            return diagnostics_error(diagnostics, STATUS_INVALID, "%s: larger than %d KiB",
                                     texts[i].name, SIZE_MAX_READ / KIB);
    struct contents *contents = calloc(1, sizeof *contents);
    if (!contents)
        return STATUS_MEMORY;
    contents->diagnostics = &found;
    machine_defaults(machine);
    struct gpgpusim_reader reader = {.machine = machine,
                                     .nearest = nearest,
                                     .diagnostics = &found,
                                     .grave = &grave,
                                     .clusters = 1,
                                     .cores = 1,
                                     .chips = 1,
                                     .channels = 1};
    enum status status = read_contents(&reader, texts, count, contents);
    free(contents->defaults);
    free(contents);
    if (found.errors)
        status = STATUS_INVALID;
    if (diagnostics && !found.errors)
        diagnostics_move(diagnostics, &grave);
    if (diagnostics)
        diagnostics_move(diagnostics, &found);
    diagnostics_free(&grave);
    diagnostics_free(&found);
    return status;
}

enum status gpgpusim_read(const char *text, const char *name, struct machine *machine,
                          struct diagnostics *diagnostics)
{
    const struct gpgpusim_text file = {text, name, false};
    return gpgpusim_read_texts(&file, 1, false, machine, diagnostics);
}
