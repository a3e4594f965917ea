#include "trace/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/memory.h"
#include "trace/profile_build.h"

enum { COUNTERS_MAX = 1 << 16, POOL_MAX = 1 << 28 };

static void fail(struct profile_builder *builder, enum status status)
{
    builder->status = builder->status ? builder->status : status;
}

static void refuse_size(struct profile_builder *builder, const char *what, unsigned long most)
{
    text_problem(&builder->text, SEVERITY_ERROR, NULL, "more than %lu %s", most, what);
    fail(builder, STATUS_UNSUPPORTED);
}

/* ---- launches ---- */

static uint64_t hash_pair(const char *a, const char *b, uint64_t seed)
{
    return XXH3_64bits_withSeed(a, strlen(a), XXH3_64bits_withSeed(b, strlen(b), seed));
}

/* "(256, 1, 1)"; anything else is not known. */
static void read_extent(const char *text, uint64_t extent[3])
{
    char *end = NULL;
    if (*text == '(')
        for (int i = 0; i < 3; i++, text = end + (*end == ','))
            extent[i] = strtoull(text + !i, &end, 10);
    if (!end || *end != ')')
        memset(extent, 0, 3 * sizeof *extent);
}

static void add_launch(struct profile_builder *builder, const struct launch_key *key)
{
    struct profile *profile = builder->profile;
    if (profile->launch_count == PROFILE_LAUNCHES_MAX) {
        refuse_size(builder, "launches", PROFILE_LAUNCHES_MAX);
        return;
    }
    struct profile_launch launch = {.kernel = strdup(key->kernel),
                                    .invocations = key->invocations ? key->invocations : 1};
    read_extent(key->block, launch.block);
    read_extent(key->grid, launch.grid);
    if (!launch.kernel ||
        array_reserve(&profile->launches, &profile->launch_capacity, profile->launch_count + 1)) {
        free(launch.kernel);
        fail(builder, STATUS_MEMORY);
        return;
    }
    profile->launches[profile->launch_count++] = launch;
    if (*key->device && !profile->device && !(profile->device = strdup(key->device)))
        fail(builder, STATUS_MEMORY);
}

void profile_build_launch(struct profile_builder *builder, const struct launch_key *key)
{
    uint32_t number;
    if (builder->status)
        return;
    if (key->merged) {
        const uint64_t hash = hash_pair(key->kernel, key->device, 1);
        number = key_table_find(&builder->merged, hash);
        if (number == KEY_NONE) {
            number = (uint32_t)builder->profile->launch_count;
            add_launch(builder, key);
            /* Every launch is merged or none is, so that both count alike. */
            if (!builder->status)
                fail(builder, key_table_number(&builder->merged, hash, &number));
        }
        builder->launch = number;
        return;
    }
    const uint64_t hash = hash_pair(key->process, key->id, hash_pair(key->kernel, key->grid, 0));
    if (builder->any_launch && *key->id && hash == builder->last)
        return;
    builder->any_launch = true;
    builder->last = hash;
    builder->launch = (uint32_t)builder->profile->launch_count;
    add_launch(builder, key);
}

/* ---- values ---- */

uint32_t profile_build_counter(struct profile_builder *builder, enum profile_tool tool,
                               const char *name, const char *unit)
{
    struct profile *profile = builder->profile;
    uint64_t hash;
    uint32_t number;
    for (uint64_t seed = (uint64_t)tool;; seed += 16) { /* another hash if two names have one */
        hash = hash_pair(name, unit, seed);
        number = key_table_find(&builder->names, hash);
        if (number == KEY_NONE)
            break;
        const struct profile_counter *known = &profile->counters[number];
        if (known->tool == tool && !strcmp(known->name, name) && !strcmp(known->unit, unit))
            return number;
    }
    if (profile->counter_count == COUNTERS_MAX) {
        refuse_size(builder, "counters", COUNTERS_MAX);
        return KEY_NONE;
    }
    struct profile_counter counter = {.tool = tool, .name = strdup(name)};
    snprintf(counter.unit, sizeof counter.unit, "%s", unit);
    if (!counter.name ||
        array_reserve(&profile->counters, &profile->counter_capacity, profile->counter_count + 1) ||
        key_table_add(&builder->names, hash, &number)) {
        free(counter.name);
        fail(builder, STATUS_MEMORY);
        return KEY_NONE;
    }
    profile->counters[profile->counter_count++] = counter;
    return number;
}

static bool store_text(struct profile_builder *builder, const char *text, size_t length, size_t *at)
{
    if (builder->pool_count + length + 1 > POOL_MAX) {
        refuse_size(builder, "bytes of numbers", POOL_MAX);
        return false;
    }
    if (array_reserve(&builder->pool, &builder->pool_capacity, builder->pool_count + length + 1)) {
        fail(builder, STATUS_MEMORY);
        return false;
    }
    *at = builder->pool_count;
    memcpy(builder->pool + *at, text, length);
    builder->pool[*at + length] = '\0';
    builder->pool_count += length + 1;
    return true;
}

void profile_build_number(struct profile_builder *builder, uint32_t counter, const char *text,
                          double factor)
{
    struct profile *profile = builder->profile;
    const size_t length = number_length(text);
    if (!length || counter == KEY_NONE || builder->status)
        return;
    if (builder->pending_count == PROFILE_VALUES_MAX) {
        refuse_size(builder, "values", PROFILE_VALUES_MAX);
        return;
    }
    struct profile_launch *launch = &profile->launches[builder->launch];
    struct pending pending = {builder->launch, (uint32_t)launch->count, 0, factor};
    if (array_reserve(&launch->values, &launch->capacity, launch->count + 1) ||
        array_reserve(&builder->pending, &builder->pending_capacity, builder->pending_count + 1)) {
        fail(builder, STATUS_MEMORY);
        return;
    }
    if (!store_text(builder, text, length, &pending.text))
        return;
    launch->values[launch->count++] =
        (struct profile_value){.counter = counter, .line = builder->text.number};
    builder->pending[builder->pending_count++] = pending;
}

void profile_build_value(struct profile_builder *builder, enum profile_tool tool, const char *name,
                         const char *unit, const char *text)
{
    char base[UNIT_WORD];
    double factor;
    const char *level = strrchr(text, '(');
    if (tool == PROFILE_NVPROF && level && !number_length(text))
        text = level + 1; /* "Low (2)" */
    const size_t length = number_length(text);
    if (!length || builder->status)
        return;
    const char *rest = text + length + strspn(text + length, " ");
    const bool instances = *rest == '(' || *rest == ')' || *rest == ';';
    if (*unit || !*rest || instances) {
        unit_read(unit, base, &factor);
        if (*rest && !instances)
            return; /* "3090 Ti" */
    } else if (!unit_read(rest, base, &factor)) {
        return;
    }
    profile_build_number(builder, profile_build_counter(builder, tool, name, base), text, factor);
}

/* ---- the end of a file ---- */

/* Finds the one style of all numbers. */
static enum number_style find_style(const struct profile_builder *builder, const char *path,
                                    struct diagnostics *diagnostics)
{
    enum number_style style = STYLE_UNKNOWN;
    const struct pending *proof = NULL;
    for (size_t i = 0; i < builder->pending_count; i++) {
        const struct pending *pending = &builder->pending[i];
        const char *text = builder->pool + pending->text;
        const enum number_style found = number_style(text, strlen(text));
        if (found == STYLE_UNKNOWN || found == style)
            continue;
        if (proof) {
            const struct profile_launch *launches = builder->profile->launches;
            const struct place place = {
                .file = path, .line = launches[pending->launch].values[pending->value].line};
            diagnostics_add(diagnostics, SEVERITY_ERROR, &place,
                            "expected numbers with one decimal mark, but '%s' of line %u has "
                            "another than '%s'",
                            builder->pool + proof->text,
                            launches[proof->launch].values[proof->value].line, text);
            return STYLE_UNKNOWN;
        }
        style = found;
        proof = pending;
    }
    return style ? style : STYLE_POINT;
}

static enum status read_numbers(struct profile_builder *builder, const char *path,
                                struct diagnostics *diagnostics)
{
    const enum number_style style = find_style(builder, path, diagnostics);
    unsigned problems = 0;
    if (!style)
        return STATUS_INVALID;
    for (size_t i = 0; i < builder->pending_count; i++) {
        const struct pending *pending = &builder->pending[i];
        const char *text = builder->pool + pending->text;
        struct profile_value *value =
            &builder->profile->launches[pending->launch].values[pending->value];
        if (number_read(text, strlen(text), style, &value->value)) {
            value->value *= pending->factor;
            continue;
        }
        const struct place place = {.file = path, .line = value->line};
        if (problems++ < TEXT_PROBLEMS_MAX)
            diagnostics_add(diagnostics, SEVERITY_ERROR, &place, "expected a number, found '%s'",
                            text);
    }
    return problems ? STATUS_INVALID : STATUS_OK;
}

/* ncu says so itself where it may not count. */
static bool complaint_line(struct profile_builder *builder)
{
    static const char mark[] = "==ERROR==";
    const char *line = builder->text.line;
    if (strncmp(line, mark, sizeof mark - 1) != 0)
        return false;
    text_problem(&builder->text, SEVERITY_WARNING, NULL, "the profiler says:%s",
                 line + sizeof mark - 1);
    return true;
}

/* Reports of ncu are binary and have no counter for us. */
static bool binary_line(struct profile_builder *builder)
{
    const struct text_reader *text = &builder->text;
    if (strlen(text->line) == text->length)
        return false;
    text_problem(&builder->text, SEVERITY_ERROR, NULL,
                 "expected UTF-8 text, found binary data; `ncu --import FILE --csv --page raw` "
                 "prints a report");
    builder->status = STATUS_INVALID;
    return true;
}

static enum status read_lines(struct profile_builder *builder)
{
    struct text_reader *text = &builder->text;
    while (!builder->status && text_line(text)) {
        if ((text->number == 1 && binary_line(builder)) || complaint_line(builder) ||
            profile_csv_line(builder) || profile_ncu_line(builder) || profile_times_line(builder))
            continue;
        profile_nvprof_line(builder);
    }
    if (builder->wrong_lines)
        fail(builder, STATUS_INVALID);
    return builder->status ? builder->status : text->status;
}

static void builder_free(struct profile_builder *builder)
{
    profile_sheet_free(builder);
    key_table_free(&builder->names);
    key_table_free(&builder->merged);
    free(builder->pending);
    free(builder->pool);
    free(builder->kernel);
    free(builder->device);
    free(builder->cells);
}

enum status profile_read(const char *path, struct profile *profile, struct diagnostics *diagnostics)
{
    *profile = (struct profile){0};
    struct profile_builder builder = {.profile = profile};
    enum status status = text_open(path, &builder.text, diagnostics);
    if (status)
        return status;
    builder.cells = malloc(PROFILE_CELLS_MAX * sizeof *builder.cells);
    status = builder.cells ? read_lines(&builder) : STATUS_MEMORY;
    text_close(&builder.text);
    if (!status)
        status = read_numbers(&builder, path, diagnostics);
    if (!status && !builder.pending_count && builder.sheet.kind)
        status = diagnostics_error(diagnostics, STATUS_INVALID,
                                   "%s:%u:1: expected values below this header, found "
                                   "none in the rest of the file",
                                   path, builder.sheet.line);
    else if (!status && !builder.pending_count)
        status = diagnostics_error(diagnostics, STATUS_INVALID,
                                   "%s: expected what ncu or nvprof prints (with ncu --csv or "
                                   "--page details, nvprof --metrics or --print-gpu-trace), found "
                                   "no counter",
                                   path);
    builder_free(&builder);
    if (status)
        profile_free(profile);
    return status;
}

void profile_free(struct profile *profile)
{
    for (size_t i = 0; i < profile->counter_count; i++)
        free(profile->counters[i].name);
    for (size_t i = 0; i < profile->launch_count; i++) {
        free(profile->launches[i].kernel);
        free(profile->launches[i].values);
    }
    free(profile->counters);
    free(profile->launches);
    free(profile->device);
    *profile = (struct profile){0};
}
