#include "config/gpgpusim_values.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "config/gpgpusim_cache.h"

enum { KIB = 1024, VALUE_MAX = 256 };

/* ---- what is said of a value ---- */

__attribute__((format(printf, 4, 0))) static void say(const struct gpgpusim_reader *reader,
                                                      struct diagnostics *diagnostics,
                                                      enum severity severity, const char *format,
                                                      va_list arguments)
{
    char subject[2 * VALUE_MAX];
    snprintf(subject, sizeof subject, "%s %s%s", reader->option->name, reader->text,
             reader->absent ? " (left out; this is the simulator's default)" : "");
    diagnostics_vadd(diagnostics, severity, &reader->place, subject, format, arguments);
}

bool gpgpusim_refuse(struct gpgpusim_reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    diagnostics_vadd(reader->diagnostics, SEVERITY_ERROR, &reader->place, NULL, format, arguments);
    va_end(arguments);
    return false;
}

void gpgpusim_approximate(struct gpgpusim_reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(reader, reader->diagnostics, SEVERITY_WARNING, format, arguments);
    va_end(arguments);
}

bool gpgpusim_unmodelled(struct gpgpusim_reader *reader, const char *format, ...)
{
    /* A user who left an option out did not ask for its default, so that is no reason to stop. */
    const bool goes_on = reader->nearest || reader->absent;
    va_list arguments;
    va_start(arguments, format);
    if (goes_on) {
        say(reader, reader->grave, SEVERITY_WARNING, format, arguments);
    } else {
        say(reader, reader->diagnostics, SEVERITY_ERROR, format, arguments);
        reader->unmodelled++;
    }
    va_end(arguments);
    return goes_on;
}

/* ---- numbers ---- */

static bool gpgpusim_values_parse(const char *text, int base, uint64_t max, uint64_t *number)
{
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *number = strtoull(text, &end, base);
    return !errno && !*end && *number <= max;
}

bool gpgpusim_parse_number(const char *text, uint64_t max, uint64_t *number)
{
    return gpgpusim_values_parse(text, 0, max, number);
}

bool gpgpusim_read_switch(struct gpgpusim_reader *reader, const char *text, bool *on)
{
    uint64_t number;
    if (!gpgpusim_parse_number(text, 1, &number))
        return gpgpusim_refuse(reader, "expected 0 or 1, got '%.40s'", text);
    *on = number;
    return true;
}

void gpgpusim_read_parameter(struct gpgpusim_reader *reader, const char *path, const char *text)
{
    const struct parameter *parameter = parameter_find(path);
    bool on = false;
    uint64_t number;
    if (parameter->type == PARAMETER_BOOL) {
        if (gpgpusim_read_switch(reader, text, &on))
            parameter_set(parameter, reader->machine, (struct value){.uint = on});
    } else if (gpgpusim_parse_number(text, UINT64_MAX, &number)) {
        gpgpusim_set_number(reader, path, number);
    } else {
        gpgpusim_refuse(reader, "expected a whole number, got '%.40s'", text);
    }
}

void gpgpusim_read_word(struct gpgpusim_reader *reader, const char *text)
{
    const char *const *words = reader->option->words;
    const struct parameter *parameter = parameter_find(reader->path);
    char expected[80] = "", why[VALUE_TEXT];
    size_t count = 0, used = 0;
    uint64_t number;
    struct value value;
    for (; words[count]; count++)
        if (*words[count] && used < sizeof expected)
            used += (size_t)snprintf(expected + used, sizeof expected - used, "%s%zu (%s)",
                                     used ? " or " : "", count, words[count]);
    if (!gpgpusim_parse_number(text, count - 1, &number) || !*words[number])
        gpgpusim_refuse(reader, "expected %s, got '%.40s'", expected, text);
    else if (!parameter_parse(parameter, words[number], &value, why))
        parameter_set(parameter, reader->machine, value);
}

void gpgpusim_write_word(const struct gpgpusim_writer *writer)
{
    const struct parameter *parameter = parameter_find(writer->path);
    const char *const *words = writer->option->words;
    char text[VALUE_TEXT];
    size_t number = 0;
    parameter_print(parameter, parameter_get(parameter, writer->machine), text);
    while (words[number + 1] && strcmp(words[number], text) != 0)
        number++;
    fprintf(writer->out, "%zu", number);
}

void gpgpusim_set_number(struct gpgpusim_reader *reader, const char *path, uint64_t number)
{
    const struct parameter *parameter = parameter_find(path);
    const double nearest = fmin(fmax((double)number, parameter->min), parameter->max);
    char text[QUANTITY_TEXT], why[VALUE_TEXT], limit[VALUE_TEXT];
    struct value value;
    quantity_print_uint(number, parameter->unit, text);
    if (parameter_parse(parameter, text, &value, why)) {
        if ((double)number == nearest) {
            gpgpusim_refuse(reader, "%s: %s", path, why);
            return;
        }
        value = (struct value){.uint = (uint64_t)nearest};
        if (!gpgpusim_unmodelled(reader, "%s: %s; the nearest is %s", path, why,
                                 parameter_print(parameter, value, limit)))
            return;
    }
    parameter_set(parameter, reader->machine, value);
}

uint64_t gpgpusim_number(const char *path, const struct machine *machine)
{
    return parameter_get(parameter_find(path), machine).uint;
}

void gpgpusim_write_number(const struct gpgpusim_writer *writer)
{
    fprintf(writer->out, "%" PRIu64, gpgpusim_number(writer->path, writer->machine));
}

size_t gpgpusim_split(const char *text, char separator, uint64_t *numbers, size_t max)
{
    for (size_t count = 0; count < max; count++) {
        char field[QUANTITY_TEXT];
        text += strspn(text, " \t\r\n");
        const size_t length = strcspn(text, (char[]){separator, ' ', '\t', '\r', '\n', '\0'});
        snprintf(field, sizeof field, "%.*s", (int)length, text);
        if (length >= sizeof field ||
            !gpgpusim_values_parse(field, 10, UINT32_MAX, &numbers[count]))
            return 0;
        text += length;
        text += strspn(text, " \t\r\n");
        if (!*text)
            return count + 1;
        if (*text++ != separator)
            return 0;
    }
    return 0;
}

/* ---- SMs, channels and the limits of an SM ---- */

static void read_count(struct gpgpusim_reader *reader, const char *text, uint64_t *count)
{
    if (!gpgpusim_parse_number(text, 65536, count) || !*count) {
        gpgpusim_refuse(reader, "expected a count from 1 to 65536, got '%.40s'", text);
        *count = 1;
    }
}

void gpgpusim_read_clusters(struct gpgpusim_reader *reader, const char *text)
{
    read_count(reader, text, &reader->clusters);
}

void gpgpusim_read_cores(struct gpgpusim_reader *reader, const char *text)
{
    read_count(reader, text, &reader->cores);
    gpgpusim_read_parameter(reader, reader->path, text);
}

void gpgpusim_read_channels(struct gpgpusim_reader *reader, const char *text)
{
    read_count(reader, text, &reader->channels);
}

void gpgpusim_write_clusters(const struct gpgpusim_writer *writer)
{
    const struct gpu_config *gpu = &writer->machine->gpu;
    fprintf(writer->out, "%" PRIu64, gpu->sms / gpu->cluster);
}

void gpgpusim_write_channels(const struct gpgpusim_writer *writer)
{
    fprintf(writer->out, "%" PRIu64,
            writer->machine->l2.slices / writer->machine->l2.slices_per_channel);
}

void gpgpusim_read_pipeline(struct gpgpusim_reader *reader, const char *text)
{
    uint64_t numbers[4]; /* what follows is not read, as in the simulator */
    if (gpgpusim_split(text, ':', numbers, 4) < 2 || numbers[1] != 32)
        gpgpusim_refuse(reader, "expected <threads>:32 (warps of 32 threads), got '%.40s'", text);
    else
        gpgpusim_set_number(reader, "gpu.max_threads", numbers[0]);
}

void gpgpusim_write_pipeline(const struct gpgpusim_writer *writer)
{
    fprintf(writer->out, "%" PRIu64 ":32", writer->machine->gpu.max_threads);
}

/* ---- schedulers ---- */

enum { SCHEDULER_FIELDS = 3 };

/* GPGPU-Sim searches the string for these words, in this order. Behind those that have fields
 * stand numbers, of which the one at `active` is scheduler.active; `only` is what is said where the
 * others are not these. An older version's file may leave out those after the first `least`. */
static const struct scheduler_word {
    const char *word;
    enum scheduler_policy policy;
    size_t fields, least, active;
    uint64_t numbers[SCHEDULER_FIELDS];
    const char *only;
} scheduler_words[] = {
    {"lrr", SCHEDULER_LRR, 0, 0, 0, {0}, NULL},
    {"two_level_active",
     SCHEDULER_TWO_LEVEL,
     3,
     1,
     0,
     {0, 0, 1},
     "two_level_active:<active>:0:1 is the only form that GPGPU-Sim implements, and it is taken"},
    {"gto", SCHEDULER_GTO, 0, 0, 0, {0}, NULL},
    {"rrr", SCHEDULER_RRR, 0, 0, 0, {0}, NULL},
    {"old", SCHEDULER_OLD, 0, 0, 0, {0}, NULL},
    {"warp_limiting",
     SCHEDULER_SWL,
     2,
     2,
     1,
     {2},
     "warps are limited over gto, as warp_limiting:2 says"},
};

enum { SCHEDULER_WORDS = sizeof scheduler_words / sizeof *scheduler_words };

static const struct scheduler_word *scheduler_word_of(int policy)
{
    for (size_t i = 0; i < SCHEDULER_WORDS; i++)
        if ((int)scheduler_words[i].policy == policy)
            return &scheduler_words[i];
    return NULL;
}

bool gpgpusim_has_scheduler(int policy)
{
    return scheduler_word_of(policy);
}

/* The number of warps after the word, which a file for an older version may give in other forms.
 */
static void read_active(struct gpgpusim_reader *reader, const struct scheduler_word *word,
                        const char *fields)
{
    uint64_t numbers[SCHEDULER_FIELDS];
    const size_t count =
        *fields == ':' ? gpgpusim_split(fields + 1, ':', numbers, SCHEDULER_FIELDS) : 0;
    bool other = count < word->fields;
    if (count < word->least || count > word->fields) {
        gpgpusim_approximate(reader,
                             "expected two_level_active:<active>:0:1 or warp_limiting:2:<warps>; "
                             "%" PRIu64 " warps are taken",
                             reader->machine->scheduler.active);
        return;
    }
    for (size_t i = 0; i < count; i++)
        other |= i != word->active && numbers[i] != word->numbers[i];
    if (other)
        gpgpusim_approximate(reader, "%s", word->only);
    gpgpusim_set_number(reader, "scheduler.active", numbers[word->active]);
}

void gpgpusim_read_scheduler(struct gpgpusim_reader *reader, const char *text)
{
    const struct scheduler_word *word = scheduler_words;
    while (word < scheduler_words + SCHEDULER_WORDS && !strstr(text, word->word))
        word++;
    if (word == scheduler_words + SCHEDULER_WORDS) {
        gpgpusim_approximate(
            reader, "no scheduler of GPGPU-Sim's (lrr, gto, rrr, old, two_level_active, "
                    "warp_limiting); gto is taken, so the order of accesses and cycles differ");
        reader->machine->scheduler.policy = SCHEDULER_GTO;
        return;
    }
    reader->machine->scheduler.policy = word->policy;
    if (word->fields)
        read_active(reader, word, strstr(text, word->word) + strlen(word->word));
}

void gpgpusim_write_scheduler(const struct gpgpusim_writer *writer)
{
    const struct scheduler_config *config = &writer->machine->scheduler;
    const struct scheduler_word *word = scheduler_word_of(config->policy);
    if (!word)
        return;
    fputs(word->word, writer->out);
    for (size_t i = 0; i < word->fields; i++)
        fprintf(writer->out, ":%" PRIu64, i == word->active ? config->active : word->numbers[i]);
}

/* ---- caches ---- */

static void read_cache(struct gpgpusim_reader *reader, const char *group, const char *text)
{
    struct cache_context context = {reader->diagnostics, &reader->place, group};
    cache_string_read(&context, text, reader->machine);
}

static void write_cache(const struct gpgpusim_writer *writer, const char *group)
{
    struct cache_context context = {NULL, NULL, group};
    char text[CACHE_STRING] = "";
    cache_string_write(&context, writer->machine, text);
    fputs(text, writer->out);
}

void gpgpusim_read_l1d(struct gpgpusim_reader *reader, const char *text)
{
    read_cache(reader, "l1d", text);
}

void gpgpusim_read_l2(struct gpgpusim_reader *reader, const char *text)
{
    read_cache(reader, "l2", text);
}

void gpgpusim_write_l1d(const struct gpgpusim_writer *writer)
{
    write_cache(writer, "l1d");
}

void gpgpusim_write_l2(const struct gpgpusim_writer *writer)
{
    write_cache(writer, "l2");
}

void gpgpusim_read_l1i(struct gpgpusim_reader *reader, const char *text)
{
    struct cache_context context = {reader->diagnostics, &reader->place, "l1i"};
    if (!reader->machine->l1i.enabled && !reader->absent)
        diagnostics_add(reader->diagnostics, SEVERITY_NOTE, &reader->place,
                        "%s has no effect beside -gpgpu_perfect_inst_const_cache 1, and a machine "
                        "without an L1I does not keep it",
                        reader->option->name);
    instruction_string_read(&context, text, reader->machine);
}

void gpgpusim_write_l1i(const struct gpgpusim_writer *writer)
{
    instruction_string_write(writer->machine, writer->out);
}

/* A file that describes an L2 and leaves this option out means its L2 to be used, whatever the
 * simulator does. */
void gpgpusim_read_texture_only(struct gpgpusim_reader *reader, const char *text)
{
    bool only = false;
    if (!gpgpusim_read_switch(reader, text, &only) || !only || !reader->machine->l2.enabled)
        return;
    if (reader->absent)
        gpgpusim_unmodelled(reader, "the simulator's L2 would serve textures only; here it serves "
                                    "all accesses, as with 0");
    else if (gpgpusim_unmodelled(reader, "the simulator's L2 serves textures only; the nearest "
                                         "machine has none"))
        reader->machine->l2.enabled = false;
}

void gpgpusim_write_texture_only(const struct gpgpusim_writer *writer)
{
    fputc('0', writer->out);
}

/* ---- an L1D that shares its SRAM ---- */

void gpgpusim_read_adaptive(struct gpgpusim_reader *reader, const char *text)
{
    gpgpusim_read_switch(reader, text, &reader->adaptive);
}

void gpgpusim_write_adaptive(const struct gpgpusim_writer *writer)
{
    fputc(writer->machine->l1d.unified ? '1' : '0', writer->out);
}

void gpgpusim_read_carveouts(struct gpgpusim_reader *reader, const char *text)
{
    struct sizes sizes = {{0}, 0};
    char copy[VALUE_MAX], *rest = copy;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *item; (item = strsep(&rest, ",")) != NULL; sizes.count++) {
        uint64_t kib;
        item += strspn(item, " \t\r\n");
        item[strcspn(item, " \t\r\n")] = '\0';
        if (!*item && !rest)
            break; /* a list may end with a comma */
        bool fits = sizes.count < SIZES_MAX && gpgpusim_values_parse(item, 10, KIB, &kib);
        if (!fits || (sizes.count && kib * KIB <= sizes.item[sizes.count - 1])) {
            gpgpusim_refuse(reader,
                            "expected up to %d rising sizes in KB, for example 0,8,16, got '%.60s'",
                            SIZES_MAX, text);
            return;
        }
        sizes.item[sizes.count] = kib * KIB;
    }
    reader->carveouts = sizes;
}

void gpgpusim_write_carveouts(const struct gpgpusim_writer *writer)
{
    const struct sizes *sizes = &writer->machine->gpu.shared_options;
    for (uint32_t i = 0; i < sizes->count; i++)
        fprintf(writer->out, "%s%" PRIu64, i ? "," : "", sizes->item[i] / KIB);
}

/* Versions that had one GPU with such an L1D fixed both numbers. */
static void assume_volta(struct gpgpusim_reader *reader)
{
    static const uint64_t kib[] = {0, 8, 16, 32, 64, 96};
    gpgpusim_approximate(reader, "an adaptive L1D needs a size: 128 KB are taken, and where no "
                                 "-gpgpu_shmem_option is given 0,8,16,32,64,96, as older versions "
                                 "had them");
    reader->unified = 128;
    if (reader->carveouts.count > 1)
        return;
    reader->carveouts.count = sizeof kib / sizeof *kib;
    for (size_t i = 0; i < sizeof kib / sizeof *kib; i++)
        reader->carveouts.item[i] = kib[i] * KIB;
}

void gpgpusim_read_unified(struct gpgpusim_reader *reader, const char *text)
{
    if (!gpgpusim_parse_number(text, 65536, &reader->unified))
        gpgpusim_refuse(reader, "expected a size in KB, got '%.40s'", text);
    else if (reader->adaptive && !reader->unified && reader->machine->l1d.enabled)
        assume_volta(reader);
}

void gpgpusim_write_unified(const struct gpgpusim_writer *writer)
{
    fprintf(writer->out, "%" PRIu64, writer->machine->l1d.unified / KIB);
}

/* ---- slices ---- */

/* In the order of the simulator's numbers; its custom function is unwritten, and the last one, of
 * later versions, is ipoly with a remainder where slices are no power of two. */
static const struct {
    const char *name;
    enum partition_hash nearest;
    bool same;
} partitions[] = {{"none", PARTITION_LINEAR, true},
                  {"xor", PARTITION_XOR, true},
                  {"ipoly", PARTITION_IPOLY, true},
                  {"PAE", PARTITION_XOR, false},
                  {"random", PARTITION_RANDOM, true},
                  {"custom", PARTITION_LINEAR, true},
                  {"ipoly and remainder", PARTITION_IPOLY, true}};
enum { PARTITION_NUMBER_IPOLY = 2, PARTITION_NUMBER_CUSTOM = 5, PARTITION_NUMBER_REST = 6 };

bool gpgpusim_hashes_slices(uint64_t slices)
{
    return slices > 8 && slices <= 64;
}

void gpgpusim_read_partition(struct gpgpusim_reader *reader, const char *text)
{
    const uint64_t slices = reader->channels * reader->machine->l2.slices_per_channel;
    uint64_t number;
    if (!gpgpusim_parse_number(text, sizeof partitions / sizeof *partitions - 1, &number)) {
        gpgpusim_refuse(reader, "expected a number from 0 (none) to 6, got '%.40s'", text);
        return;
    }
    enum partition_hash nearest = partitions[number].nearest;
    bool same = partitions[number].same;
    if (nearest == PARTITION_IPOLY && !is_power_of_two(slices)) {
        nearest = PARTITION_IPOLY_REST;
    } else if (!index_holds(partition_index[nearest], slices)) {
        nearest = PARTITION_LINEAR;
        same = false;
    }
    const bool hashed = nearest == PARTITION_IPOLY || nearest == PARTITION_IPOLY_REST;
    if (hashed && number == PARTITION_NUMBER_REST && !gpgpusim_hashes_slices(slices))
        gpgpusim_approximate(reader,
                             "which polynomial later versions take for %" PRIu64
                             " slices is not known; here it is the one of that degree",
                             slices);
    else if (hashed && !gpgpusim_hashes_slices(slices))
        gpgpusim_approximate(reader,
                             "GPGPU-Sim's ipoly asserts on %" PRIu64 " slices (it needs 9 to 64); "
                             "here the polynomial of that degree is taken",
                             slices);
    if (number == PARTITION_NUMBER_CUSTOM)
        gpgpusim_approximate(reader, "a hash that is to be written into the simulator, as forks "
                                     "do; here slices are not hashed");
    if (!same)
        gpgpusim_approximate(reader,
                             "%s over %" PRIu64 " slices is not modelled; %s is taken, so which "
                             "slice an address goes to, conflicts in the L2 and cycles differ",
                             partitions[number].name, slices,
                             nearest == PARTITION_LINEAR ? "0 (none)" : partitions[nearest].name);
    reader->machine->l2.partition = (int)nearest;
}

void gpgpusim_write_partition(const struct gpgpusim_writer *writer)
{
    const int partition = writer->machine->l2.partition;
    const int ipoly = gpgpusim_hashes_slices(writer->machine->l2.slices) ? PARTITION_NUMBER_IPOLY
                                                                         : PARTITION_NUMBER_REST;
    fprintf(writer->out, "%d", partition == PARTITION_IPOLY_REST ? ipoly : partition);
}

/* ---- whether a row is written ---- */

bool gpgpusim_has_carveout(const struct machine *machine)
{
    return machine->l1d.enabled && machine->l1d.unified;
}

bool gpgpusim_has_collectors(const struct machine *machine)
{
    return machine->core.collectors;
}

bool gpgpusim_has_l1i(const struct machine *machine)
{
    return machine->l1i.enabled;
}

bool gpgpusim_has_l2(const struct machine *machine)
{
    return machine->l2.enabled;
}
