#include "config/gpgpusim_booksim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_stream.h"

/* What a network of ours is, in BookSim's words. */
static const struct {
    const char *key, *value;
} ours[] = {{"topology", "fly"},
            {"n", "1"},
            {"routing_function", "dest_tag"},
            {"num_vcs", "1"},
            {"wait_for_tail_credit", "0"},
            {"vc_allocator", "islip"},
            {"sw_allocator", "islip"},
            {"alloc_iters", "1"},
            {"credit_delay", "0"},
            {"routing_delay", "0"},
            {"vc_alloc_delay", "1"},
            {"sw_alloc_delay", "1"},
            {"input_speedup", "1"},
            {"output_speedup", "1"},
            {"boundary_buffer_size", "16"},
            {"internal_speedup", "2"},
            {"subnets", "2"},
            {"use_map", "0"}};

/* Keys that are numbers of ours, and what BookSim takes for 0. */
static const struct {
    const char *key, *path;
    uint64_t instead;
} numbers[] = {{"vc_buf_size", "network.queue", 0},
               {"flit_size", "network.flit", 0},
               {"input_buffer_size", "network.inject", 9}};

enum { WORD_MAX = 64 };

struct statement {
    char key[WORD_MAX], value[WORD_MAX];
};

static void blank_comments(char *text)
{
    for (char *at = strstr(text, "//"); at; at = strstr(at, "//"))
        memset(at, ' ', strcspn(at, "\n"));
}

/* Takes the next "key = value;". False at the end. */
static bool next_statement(const char **at, struct statement *statement)
{
    static const char blanks[] = " \t\r\n";
    int taken = 0;
    *at += strspn(*at, " \t\r\n;");
    if (!**at)
        return false;
    *statement = (struct statement){{0}, {0}};
    if (sscanf(*at, "%63[A-Za-z0-9_] = %n", statement->key, &taken) != 1 || !taken)
        statement->key[0] = '\0';
    const char *value = *at + taken;
    const size_t length = strcspn(value, ";");
    size_t end = length;
    while (end && strchr(blanks, value[end - 1]))
        end--;
    snprintf(statement->value, sizeof statement->value, "%.*s", (int)end, value);
    *at = value + length;
    return true;
}

static bool same_value(const char *a, const char *b)
{
    char *end_a, *end_b;
    const double left = strtod(a, &end_a), right = strtod(b, &end_b);
    if (*a && *b && !*end_a && !*end_b)
        return left == right;
    return !strcmp(a, b);
}

static void take_number(const struct statement *statement, struct machine *machine, FILE *other)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const struct parameter *parameter = parameter_find(numbers[i].path);
        char text[QUANTITY_TEXT];
        struct value value;
        if (strcmp(statement->key, numbers[i].key) != 0)
            continue;
        uint64_t number = strtoull(statement->value, NULL, 10);
        number = number ? number : numbers[i].instead;
        quantity_print_uint(number, parameter->unit, text);
        if (parameter_parse(parameter, text, &value, NULL))
            fprintf(other, ", %s %s", statement->key, statement->value);
        else
            parameter_set(parameter, machine, value);
    }
}

static void booksim_compare(const struct statement *statement, const struct machine *machine,
                            FILE *other)
{
    bool same = true;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (!strcmp(statement->key, ours[i].key))
            same = same_value(statement->value, ours[i].value);
    /* Of the buffers after the switches 0 means as many as in front of them. */
    const uint64_t number = strtoull(statement->value, NULL, 10);
    if (!strcmp(statement->key, "ejection_buffer_size"))
        same = !number || number == machine->network.queue;
    if (!same)
        fprintf(other, ", %s %s", statement->key, statement->value);
}

enum status gpgpusim_read_booksim(const char *text, const char *name, struct machine *machine,
                                  struct diagnostics *diagnostics)
{
    char *copy = strdup(text), *other;
    struct text_stream stream;
    FILE *out = copy ? text_stream_open(&stream) : NULL;
    if (!out) {
        free(copy);
        return STATUS_MEMORY;
    }
    blank_comments(copy);
    struct statement statement;
    for (const char *at = copy; next_statement(&at, &statement);)
        take_number(&statement, machine, out);
    for (const char *at = copy; next_statement(&at, &statement);)
        booksim_compare(&statement, machine, out);
    free(copy);
    const enum status status = text_stream_finish(&stream, STATUS_OK, &other);
    if (!status && *other)
        diagnostics_add(diagnostics, SEVERITY_WARNING, &(struct place){.file = name},
                        "the network is one stage of switches with one virtual channel here, so "
                        "cycles differ: %s",
                        other + 2);
    free(other);
    return status;
}
