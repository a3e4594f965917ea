#include "trace/profile.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/memory.h"
#include "trace/profile_build.h"

enum { COUNTERS_MAX = 1 << 16, POOL_MAX = 1 << 28 };

static void profile_fail(struct profile_builder *builder, enum status status)
{
    builder->status = builder->status ? builder->status : status;
}

static void refuse_size(struct profile_builder *builder, const char *what, unsigned long most)
{
    text_problem(&builder->text, SEVERITY_ERROR, NULL, "more than %lu %s", most, what);
    profile_fail(builder, STATUS_UNSUPPORTED);
}

/* ---- launches ---- */

static uint64_t hash_pair(const char *a, const char *b, uint64_t seed)
{
    return XXH3_64bits_withSeed(a, strlen(a), XXH3_64bits_withSeed(b, strlen(b), seed));
}

static const char *known(const char *text)
{
    return text ? text : "";
}

/* "(256, 1, 1)", "256 1 1"; anything else is not known. */
static void read_extent(const char *text, uint64_t extent[3])
{
    char *end = NULL;
    const char *at = text + strspn(text, " ");
    const bool closes = *at == '(';
    int read = 0;
    for (at += closes; read < 3 && isdigit((unsigned char)at[strspn(at, " ")]); read++) {
        extent[read] = strtoull(at, &end, 10);
        at = end + (*end == ',');
    }
    if (read < 3 || (closes ? *end != ')' : end[strspn(end, " ")]))
        memset(extent, 0, 3 * sizeof *extent);
}

static void add_launch(struct profile_builder *builder, const struct launch_key *key)
{
    struct profile *profile = builder->profile;
    const size_t number = profile->launch_count;
    if (number == PROFILE_LAUNCHES_MAX) {
        refuse_size(builder, "launches", PROFILE_LAUNCHES_MAX);
        return;
    }
    struct profile_launch launch = {.kernel = strdup(known(key->kernel)),
                                    .invocations = key->invocations ? key->invocations : 1};
    read_extent(known(key->block), launch.block);
    read_extent(known(key->grid), launch.grid);
    if (!launch.kernel ||
        array_reserve(&profile->launches, &profile->launch_capacity, number + 1) ||
        array_reserve(&builder->states, &builder->state_capacity, number + 1)) {
        free(launch.kernel);
        profile_fail(builder, STATUS_MEMORY);
        return;
    }
    profile->launches[number] = launch;
    builder->states[number] = (struct launch_state){key->view, *known(key->device)};
    profile->launch_count++;
    builder->launch = (uint32_t)number;
    if (*known(key->device) && !profile->device && !(profile->device = strdup(key->device)))
        profile_fail(builder, STATUS_MEMORY);
}

/* The launch that is remembered under a hash; KEY_NONE if there is none. */
static uint32_t recall(const struct profile_builder *builder, uint64_t hash)
{
    const uint32_t number = key_table_find(&builder->merged, hash);
    return number == KEY_NONE ? KEY_NONE : builder->merged_launches[number];
}

static void remember(struct profile_builder *builder, uint64_t hash, uint32_t launch)
{
    const size_t count = builder->merged.count;
    uint32_t number;
    if (builder->status || recall(builder, hash) != KEY_NONE)
        return;
    enum status status =
        array_reserve(&builder->merged_launches, &builder->merged_capacity, count + 1);
    if (!status)
        status = key_table_add(&builder->merged, hash, &number);
    if (status)
        profile_fail(builder, status);
    else
        builder->merged_launches[number] = launch;
}

/* Finds the launch of a table that has a row, or several, for a kernel and perhaps a size. Tables
 * of times name no devices: their rows are of the first device whose counters the file has. */
static void merge_launch(struct profile_builder *builder, const struct launch_key *key)
{
    const char *kernel = known(key->kernel), *device = known(key->device);
    const bool sized = key->view == VIEW_SIZED;
    const uint64_t any = hash_pair(kernel, sized ? known(key->grid) : "",
                                   sized ? hash_pair(known(key->block), "", 2) : 1);
    const uint64_t own = *device ? hash_pair(kernel, device, 3) : any;
    uint32_t launch = recall(builder, own);
    if (launch == KEY_NONE && *device) {
        launch = recall(builder, any);
        if (launch != KEY_NONE && builder->states[launch].device)
            launch = KEY_NONE;
    }
    if (launch == KEY_NONE) {
        add_launch(builder, key);
        launch = builder->launch;
    }
    if (builder->status)
        return;
    struct launch_state *state = &builder->states[launch];
    state->view = key->view == VIEW_COUNTED ? VIEW_COUNTED : state->view;
    state->device |= *device != '\0';
    builder->launch = launch;
    remember(builder, own, launch);
    remember(builder, any, launch);
}

void profile_build_launch(struct profile_builder *builder, const struct launch_key *key)
{
    if (builder->status)
        return;
    if (key->view != VIEW_ALONE && key->view != VIEW_TRACED) {
        merge_launch(builder, key);
        return;
    }
    const uint64_t size = hash_pair(known(key->block), known(key->grid), 0);
    const uint64_t hash = hash_pair(known(key->process), known(key->id),
                                    hash_pair(known(key->kernel), known(key->device), size));
    if (builder->any_launch && *known(key->id) && hash == builder->last) {
        builder->launch = builder->last_launch;
        return;
    }
    add_launch(builder, key);
    builder->any_launch = true;
    builder->last = hash;
    builder->last_launch = builder->launch;
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
        profile_fail(builder, STATUS_MEMORY);
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
        profile_fail(builder, STATUS_MEMORY);
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
        profile_fail(builder, STATUS_MEMORY);
        return;
    }
    if (!store_text(builder, text, length, &pending.text))
        return;
    launch->values[launch->count++] =
        (struct profile_value){.counter = counter, .line = builder->text.number};
    builder->pending[builder->pending_count++] = pending;
}

/* What stands after a number, if it is not its instances: "7 (3; 4)". */
static const char *rest_of(const char *text, size_t length)
{
    const char *rest = text + length + strspn(text + length, " ");
    return strchr("();", *rest) ? "" : rest;
}

void profile_build_alone(struct profile_builder *builder, uint32_t counter, const char *text,
                         double factor)
{
    if (!*rest_of(text, number_length(text)))
        profile_build_number(builder, counter, text, factor);
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
    const char *rest = rest_of(text, length);
    const bool known = unit_read(*unit ? unit : rest, base, &factor);
    if (*rest && (*unit || !known))
        return; /* "3090 Ti" */
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

/* "  12\t", "12:" or "12 |", as editors and grep -n list files: NULL if no number stands there. */
static const char *after_number(const char *line, uint64_t *number)
{
    char *end;
    const char *digits = line + strspn(line, " ");
    if (!isdigit((unsigned char)*digits))
        return NULL;
    *number = strtoull(digits, &end, 10);
    const char *bar = end + strspn(end, " ");
    if (*bar == '|')
        return bar + 1;
    return *end && strchr(": \t", *end) ? end + 1 : NULL;
}

/* Moves past what stands in front of every line of a file that was listed or pasted as a comment:
 * numbers that count up from its first line, and "//" with a blank. */
static void skip_marks(struct profile_builder *builder)
{
    struct text_reader *text = &builder->text;
    char *at = text->line;
    uint64_t number;
    const char *after = after_number(at, &number);
    if (after && (text->number == 1 || (builder->listed && number == builder->listed + 1))) {
        builder->listed = number;
        at += after - at;
    }
    const size_t blanks = strspn(at, " \t");
    if (!strncmp(at + blanks, "//", 2))
        at += blanks + 2 + (at[blanks + 2] == ' ');
    text->length -= (size_t)(at - text->line);
    text->line = at;
}

static enum status read_lines(struct profile_builder *builder)
{
    struct text_reader *text = &builder->text;
    while (!builder->status && text_line(text)) {
        skip_marks(builder);
        if ((text->number == 1 && profile_binary_line(builder)) || complaint_line(builder) ||
            profile_csv_line(builder) || profile_dashed_line(builder) ||
            profile_times_line(builder) || profile_nvprof_line(builder))
            continue;
        profile_other_line(builder);
    }
    if (builder->wrong_lines)
        profile_fail(builder, STATUS_INVALID);
    return builder->status ? builder->status : text->status;
}

static void builder_free(struct profile_builder *builder)
{
    profile_sheet_free(&builder->sheet);
    profile_sheet_free(&builder->launches);
    free(builder->dashed.header);
    free(builder->states);
    free(builder->merged_launches);
    key_table_free(&builder->names);
    key_table_free(&builder->merged);
    free(builder->pending);
    free(builder->pool);
    free(builder->kernel);
    free(builder->device);
    free(builder->cells);
}

static enum status found_nothing(const struct profile_builder *builder, const char *path,
                                 struct diagnostics *diagnostics)
{
    if (builder->sheet.kind)
        return diagnostics_error(diagnostics, STATUS_INVALID,
                                 "%s:%u:1: expected values below this header, found "
                                 "none in the rest of the file",
                                 path, builder->sheet.line);
    return diagnostics_error(diagnostics, STATUS_INVALID,
                             "%s: expected what ncu, nvprof or nsys stats prints (with ncu --csv, "
                             "nvprof --metrics, nsys stats --report cuda_gpu_trace), found %s",
                             path, builder->instead ? builder->instead : "no counter");
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
    if (!status)
        status = builder.pending_count ? profile_join(&builder)
                                       : found_nothing(&builder, path, diagnostics);
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
