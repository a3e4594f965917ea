/* warpscape simt: run executes a program of the SIMT processor and prints what it computed, asm
 * writes its bytes, disasm its instructions (docs/SIMT.md). Everything else of such a program, its
 * caches and its time, is for commands that take a workload. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/data_files.h"
#include "base/embedded.h"
#include "base/output_file.h"
#include "cli/shared/command.h"
#include "cli/shared/options.h"
#include "cli/shared/output.h"
#include "report/drawing/table.h"
#include "workload/simt/disassembler.h"
#include "workload/simt/simt_profile.h"
#include "workload/simt/simt_source.h"

struct simt_arguments {
    const char *action, *file, *output;
    struct options_list shown;
    enum table_format format;
    bool profile, floats, force;
};

static const char *const actions[] = {"run", "asm", "disasm", NULL};

/* The first operand is the action, the second the program. */
static void read_operand(const struct option_row *row, const char *text)
{
    struct simt_arguments *arguments = row->slot;
    if (!arguments->action)
        arguments->action = text;
    else if (!arguments->file)
        arguments->file = text;
    else
        usage_error("one program is enough; '%s' is a second one", text);
}

static bool is(const struct simt_arguments *arguments, const char *action)
{
    return !strcmp(arguments->action, action);
}

static void cmd_simt_parse(int argc, char **argv, struct simt_arguments *arguments)
{
    const struct option_row options[] = {
        OPTION_FORMAT(&arguments->format),
        {"print", 0, "SYMBOL[:COUNT]", "run: print words of memory at the end; may be repeated",
         option_list, &arguments->shown, NULL},
        {"floats", 0, NULL, "run: what --print shows, as floating point", option_flag,
         &arguments->floats, NULL},
        {"profile", 0, NULL,
         "run: list each instruction, how often it issued and with how many lanes", option_flag,
         &arguments->profile, NULL},
        {"output", 'o', "FILE", "asm: where the bytes of the image go", option_text,
         &arguments->output, NULL},
        OPTION_FORCE("FILE", &arguments->force),
        {0}};
    const struct command_line line = {
        .options = options,
        .usage = "run|asm|disasm NAME|FILE.s|FILE.elf[:warps=N,...]",
        .help = "Run, assemble and disassemble programs of the SIMT processor.\v"
                "run executes a program and prints its counts, asm assembles it, disasm lists its "
                "instructions. Parameters follow a colon (blocks, warps, lanes, masks, limit, "
                "stack), and NAME=VALUE redefines an .equ in capitals.",
        .operand = {.name = "program",
                    .value = "NAME|FILE",
                    .read = read_operand,
                    .slot = arguments,
                    .words = actions}};
    options_parse(&line, argc, argv);
    bool known = false;
    for (size_t i = 0; arguments->action && actions[i]; i++)
        known |= is(arguments, actions[i]);
    if (!known)
        usage_error("expected run, asm or disasm first");
    if (!arguments->file)
        usage_error("%s needs a program", arguments->action);
    if (arguments->profile && arguments->shown.count && arguments->format != TABLE_TEXT)
        usage_error("--profile and --print are two tables; -f %s has room for one",
                    table_format_names[arguments->format]);
    if (is(arguments, "asm") && arguments->format != TABLE_TEXT)
        usage_error("--format belongs to run and disasm");
    if (!is(arguments, "run") &&
        (arguments->shown.count || arguments->floats || arguments->profile))
        usage_error("--print, --floats and --profile belong to run");
    if (arguments->force && !is(arguments, "asm"))
        usage_error("--force belongs to asm");
    if ((arguments->output != NULL) != is(arguments, "asm"))
        usage_error("%s",
                    arguments->output ? "--output belongs to asm" : "asm needs --output FILE");
}

/* A program of its own, or that of a workload. */
struct opened {
    struct simt_program own;
    struct trace_source *source;
    const struct simt_program *program;
};

static enum status open_workload(const char *text, struct opened *opened,
                                 struct diagnostics *diagnostics)
{
    enum status status = workload_open(text, &opened->source, diagnostics);
    if (!status)
        opened->program = simt_source_program(opened->source);
    return status || opened->program
               ? status
               : diagnostics_error(diagnostics, STATUS_INVALID,
                                   "'%s' is no program of the SIMT processor", text);
}

/* Opens FILE[:arguments], or a workload by its name. */
static enum status open_program(const char *text, struct opened *opened,
                                struct diagnostics *diagnostics)
{
    const char *colon = strchrnul(text, ':');
    char *name = strndup(text, (size_t)(colon - text)), *path = NULL;
    enum status status = name ? data_file_find(DATA_TRACES, DATA_ALL, name, &path) : STATUS_MEMORY;
    opened->program = &opened->own;
    if (!status && (!path || !simt_recognise(path))) /* a recipe is a file as well */
        status = open_workload(text, opened, diagnostics);
    else if (!status)
        status = simt_open(path, *colon ? colon + 1 : "", &opened->own, diagnostics);
    free(path);
    free(name);
    return status;
}

static struct table *count_table(const struct simt_program *program,
                                 const struct simt_profile *counts)
{
    static const char *const headers[] = {"count", ">value", NULL};
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {{"warp instructions", counts->issued},
                {"lane instructions", counts->lanes},
                {"loads", counts->loads},
                {"stores", counts->stores},
                {"atomics", counts->atomics},
                {"in shared RAM", counts->shared},
                {"jumps and branches", counts->jumps},
                {"calls", counts->calls},
                {"returns", counts->returns}};
    struct table *table = table_create(headers);
    for (size_t i = 0; table && i < sizeof rows / sizeof *rows; i++) {
        table_text(table, rows[i].name);
        table_whole(table, (double)rows[i].value);
    }
    if (table) {
        const double share = simt_efficiency(program, counts->issued, counts->lanes);
        char text[32];
        snprintf(text, sizeof text, "%.1f %%", 100 * share);
        table_text(table, "SIMD efficiency");
        table_number(table, share, text);
    }
    return table;
}

/* Each instruction that was issued, beside its source line. */
static struct table *profile_table(const struct simt_program *program,
                                   const struct simt_profile *counts)
{
    static const char *const headers[] = {
        ">pc",         ">line",  ">issued", ">lanes", ">efficiency %|efficiency",
        "instruction", "source", NULL};
    const struct simt_image *image = &program->image;
    struct table *table = table_create(headers);
    for (uint32_t i = 0; table && i < simt_places(image); i++) {
        const struct simt_pc_count *count = &counts->pcs[i];
        if (!count->issued)
            continue;
        char text[SIMT_TEXT_BYTES], source[64];
        const uint32_t pc = simt_profile_text(program, i, text);
        const uint32_t line = simt_image_line(image, pc, source, sizeof source);
        table_printf(table, "0x%x", pc);
        table_number(table, line ? (double)line : NAN, line ? NULL : "");
        table_whole(table, (double)count->issued);
        table_decimal(table, (double)count->lanes / (double)count->issued, 2);
        table_percent(table, simt_efficiency(program, count->issued, count->lanes));
        table_text(table, text);
        table_text(table, source);
    }
    return table;
}

/* Words of memory that are to be printed: "SYMBOL[:COUNT]". */
struct words {
    char *name;
    const unsigned char *bytes;
    unsigned long count;
};

static enum status find_words(const struct simt_program *program, const unsigned char *memory,
                              const char *text, struct words *words,
                              struct diagnostics *diagnostics)
{
    const struct simt_image *image = &program->image;
    const char *colon = strchrnul(text, ':');
    char *end = NULL;
    *words = (struct words){.name = strndup(text, (size_t)(colon - text)),
                            .count = *colon ? strtoul(colon + 1, &end, 0) : 1};
    if (!words->name)
        return STATUS_MEMORY;
    const struct simt_symbol *symbol = simt_symbol_find(image, words->name);
    if (!symbol)
        return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "%s has no symbol '%s'",
                                 image->name, words->name);
    if ((end && (*end || end == colon + 1)) || symbol->value % 4 || symbol->value < image->base ||
        symbol->value - image->base > image->size ||
        words->count > (image->size - (symbol->value - image->base)) / 4)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "'%s' are not words of the program's memory", text);
    words->bytes = memory + (symbol->value - image->base);
    return STATUS_OK;
}

static uint32_t word_at(const struct words *words, unsigned long index)
{
    uint32_t word;
    assert(words->bytes);
    memcpy(&word, words->bytes + 4 * index, sizeof word);
    return word;
}

static double float_at(const struct words *words, unsigned long index)
{
    float value;
    assert(words->bytes);
    memcpy(&value, words->bytes + 4 * index, sizeof value);
    return (double)value;
}

/* For people: eight a line. */
static void print_words(const struct words *words, bool floats)
{
    enum { A_LINE = 8 };
    for (unsigned long i = 0; i < words->count; i++) {
        if (i % A_LINE == 0)
            printf("%s%s+0x%lx:", i ? "\n" : "", words->name, 4 * i);
        if (floats)
            printf(" %g", float_at(words, i));
        else
            printf(" %02x", word_at(words, i));
    }
    putchar('\n');
}

/* For programs: further rows of the table of counts, as nothing may follow a table. */
static void add_words(struct table *table, const struct words *words, bool floats)
{
    for (unsigned long i = 0; i < words->count; i++) {
        table_printf(table, "%s+0x%lx", words->name, 4 * i);
        table_number(table, floats ? float_at(words, i) : word_at(words, i), NULL);
    }
}

/* Prints the results in one table, and for people the words below it. */
static enum status print_results(const struct simt_arguments *arguments,
                                 const struct simt_program *program,
                                 const struct simt_profile *profile, const unsigned char *memory,
                                 struct diagnostics *diagnostics)
{
    struct words *words = calloc(arguments->shown.count + 1, sizeof *words);
    struct table *table =
        arguments->profile ? profile_table(program, profile) : count_table(program, profile);
    enum status status = table && words ? STATUS_OK : STATUS_MEMORY;
    for (size_t i = 0; i < arguments->shown.count && !status; i++) {
        status = find_words(program, memory, arguments->shown.items[i], &words[i], diagnostics);
        if (!status && arguments->format != TABLE_TEXT)
            add_words(table, &words[i], arguments->floats);
    }
    if (!status)
        status = table_print(table, arguments->format, stdout);
    for (size_t i = 0; i < arguments->shown.count && !status && arguments->format == TABLE_TEXT;
         i++)
        print_words(&words[i], arguments->floats);
    for (size_t i = 0; words && i < arguments->shown.count; i++)
        free(words[i].name);
    free(words);
    table_free(table);
    return status;
}

static enum status run_program(const struct simt_arguments *arguments,
                               const struct simt_program *program, struct diagnostics *diagnostics)
{
    const struct simt_image *image = &program->image;
    unsigned char *memory = malloc(image->size + 1);
    struct simt_profile profile = {0};
    enum status status = memory ? STATUS_OK : STATUS_MEMORY;
    if (!status) {
        memcpy(memory, image->bytes, image->size);
        status = simt_profile_run(program, memory, interrupt_flag(), &profile, diagnostics);
    }
    if (!status)
        status = print_results(arguments, program, &profile, memory, diagnostics);
    free(memory);
    simt_profile_free(&profile);
    return status;
}

static enum status write_image(const char *path, bool force, const struct simt_image *image,
                               struct diagnostics *diagnostics)
{
    char bytes[COUNT_TEXT];
    enum status status =
        output_file_write(path, image->bytes, image->size, output_options(force), diagnostics);
    if (status)
        return status;
    printf("%s: %s from 0x%x on, entry 0x%x\n", path, counted_print(image->size, "byte", bytes),
           image->base, image->entry);
    return STATUS_OK;
}

/* For people as assembly with labels, for programs as a table. */
static enum status print_instructions(const struct simt_image *image, enum table_format format)
{
    static const char *const headers[] = {">pc", ">bytes", "instruction", "label", NULL};
    if (format == TABLE_TEXT) {
        simt_disassemble_image(image, stdout);
        return STATUS_OK;
    }
    struct table *table = table_create(headers);
    uint8_t size = 0;
    for (uint32_t at = 0; table && at < image->text_size; at += size) {
        char text[SIMT_TEXT_BYTES];
        uint32_t bytes;
        const uint32_t pc = image->text + at;
        const struct simt_symbol *symbol = simt_symbol_before(image, pc);
        size = simt_disassemble_at(image, pc, &bytes, text);
        table_printf(table, "0x%x", pc);
        table_printf(table, "0x%0*x", 2 * size, bytes);
        table_text(table, text);
        table_text(table, symbol && symbol->value == pc ? symbol->name : NULL);
    }
    return table ? table_finish(table, format, stdout) : STATUS_MEMORY;
}

int command_simt(int argc, char **argv)
{
    struct simt_arguments arguments = {0};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    struct opened opened = {0};
    cmd_simt_parse(argc, argv, &arguments);
    enum status status = STATUS_OK;
    if (arguments.output)
        status = output_check(arguments.output, arguments.force, &diagnostics);
    if (!status)
        status = open_program(arguments.file, &opened, &diagnostics);
    if (!status && is(&arguments, "run"))
        status = run_program(&arguments, opened.program, &diagnostics);
    else if (!status && is(&arguments, "asm"))
        status =
            write_image(arguments.output, arguments.force, &opened.program->image, &diagnostics);
    else if (!status)
        status = print_instructions(&opened.program->image, arguments.format);
    simt_program_free(&opened.own);
    trace_source_free(opened.source);
    options_list_free(&arguments.shown);
    return command_finish(status, &diagnostics);
}
