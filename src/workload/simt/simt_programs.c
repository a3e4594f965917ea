#include "workload/simt/simt_programs.h"

#include <stdio.h>

#include "base/embedded.h"
#include "workload/simt/assembler.h"
#include "workload/simt/simt_source.h"

enum { PARAMETERS = SIMT_PARAMETERS + 1 };

/* Assembles a program with its size as N. values[0] is N; those of simt_parameters follow. */
static enum status open_program(const char *name, const uint64_t *values,
                                struct trace_source **source, struct diagnostics *diagnostics)
{
    char file[64], title[96];
    const struct simt_setup setup = simt_setup_of(values + 1);
    const struct simt_defines defines = {{{"N", (int64_t)values[0]}}, 1};
    const struct embedded_file *text = embedded_find(embedded_simt, name);
    struct simt_program program;
    struct simt_image image;
    snprintf(file, sizeof file, "simt/%s.s", name);
    snprintf(title, sizeof title, "simt-%s:n=%u", name, (unsigned)values[0]);
    enum status status = simt_assemble(file, text->text, &defines, &image, diagnostics);
    if (!status)
        status = simt_program_init(&program, &image, &setup);
    if (!status)
        status = simt_source_create(title, &program, source, diagnostics);
    return status;
}

#define SIMT_PROGRAM(id, n, most, powers, n_help)                                                  \
    static const struct workload_parameter parameters_##id[PARAMETERS] = {                         \
        {"n", n, 1, most, n_help}, SIMT_PARAMETER_ROWS};                                           \
    static enum status open_##id(const uint64_t *values, struct trace_source **source,             \
                                 struct diagnostics *diagnostics)                                  \
    {                                                                                              \
        return open_program(#id, values, source, diagnostics);                                     \
    }                                                                                              \
    const struct workload workload_simt_##id = {.name = "simt-" #id,                               \
                                                .suite = "SIMT processor",                         \
                                                .help = "program of the SIMT processor: " #id,     \
                                                .parameters = parameters_##id,                     \
                                                .parameter_count = PARAMETERS,                     \
                                                .powers_of_two = (powers) ? 1u << 0 : 0,           \
                                                .sizes = SIMT_SIZES << 1, /* behind n */           \
                                                .open = open_##id};
SIMT_PROGRAM_LIST(SIMT_PROGRAM)
#undef SIMT_PROGRAM
