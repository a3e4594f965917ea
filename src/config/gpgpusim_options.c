#include "config/gpgpusim_options.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "config/gpgpusim_cache.h"

enum { KIB = 1024, VALUE_MAX = 256 };

bool gpgpusim_refuse(struct gpgpusim_reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    diagnostics_vadd(reader->diagnostics, SEVERITY_ERROR, &reader->place, NULL, format, arguments);
    va_end(arguments);
    return false;
}

static bool read_number(const char *text, uint64_t max, uint64_t *number)
{
    if (*text < '0' || *text > '9')
        return false;
    return !quantity_parse_uint(text, UNIT_NONE, number) && *number <= max;
}

/* ---- options of one number: the parameter itself checks it ---- */

void gpgpusim_read_parameter(struct gpgpusim_reader *reader, const char *path, const char *text)
{
    const struct parameter *parameter = parameter_find(path);
    char why[VALUE_TEXT];
    struct value value;
    uint64_t number;
    bool off_or_on = parameter->type == PARAMETER_BOOL;
    if (off_or_on && read_number(text, 1, &number))
        parameter_set(parameter, reader->machine, (struct value){.uint = number});
    else if (off_or_on)
        gpgpusim_refuse(reader, "expected 0 or 1, got '%.40s'", text);
    else if (parameter_parse(parameter, text, &value, why))
        gpgpusim_refuse(reader, "%s: %s", path, why);
    else
        parameter_set(parameter, reader->machine, value);
}

/* ---- options of several fields ---- */

static void read_count(struct gpgpusim_reader *reader, const char *text, uint64_t *count)
{
    if (!read_number(text, 65536, count) || !*count)
        gpgpusim_refuse(reader, "expected a count from 1 to 65536, got '%.40s'", text);
}

static void read_clusters(struct gpgpusim_reader *reader, const char *text)
{
    read_count(reader, text, &reader->clusters);
}

static void read_cores(struct gpgpusim_reader *reader, const char *text)
{
    read_count(reader, text, &reader->cores);
}

static void read_channels(struct gpgpusim_reader *reader, const char *text)
{
    read_count(reader, text, &reader->channels);
}

static void write_clusters(FILE *out, const struct machine *machine)
{
    fprintf(out, "%" PRIu64, machine->gpu.sms);
}

static void write_cores(FILE *out, const struct machine *machine)
{
    (void)machine;
    fputc('1', out);
}

static void write_channels(FILE *out, const struct machine *machine)
{
    fprintf(out, "%" PRIu64, machine->l2.slices / machine->l2.slices_per_channel);
}

/* <core>:<interconnect>:<l2>:<dram> in MHz; only the first one is a parameter here. */
static void read_clock(struct gpgpusim_reader *reader, const char *text)
{
    const struct parameter *clock = parameter_find("gpu.clock");
    char *end;
    double hertz = round(strtod(text, &end) * 1e6);
    if (end == text || *end != ':' || !(hertz >= clock->min && hertz <= clock->max))
        gpgpusim_refuse(reader, "expected <core MHz>:<interconnect>:<l2>:<dram>, got '%.60s'",
                        text);
    else
        reader->machine->gpu.clock = (uint64_t)hertz;
}

static void write_clock(FILE *out, const struct machine *machine)
{
    char text[QUANTITY_TEXT];
    quantity_print_real((double)machine->gpu.clock / 1e6, UNIT_NONE, text);
    fprintf(out, "%s:%s:%s:924.0", text, text, text);
}

static void read_pipeline(struct gpgpusim_reader *reader, const char *text)
{
    char threads[VALUE_MAX];
    size_t length = strcspn(text, ":");
    snprintf(threads, sizeof threads, "%.*s", (int)length, text);
    if (strcmp(text + length, ":32"))
        gpgpusim_refuse(reader, "expected <threads>:32 (warps of 32 threads), got '%.40s'", text);
    else
        gpgpusim_read_parameter(reader, "gpu.max_threads", threads);
}

static void write_pipeline(FILE *out, const struct machine *machine)
{
    fprintf(out, "%" PRIu64 ":32", machine->gpu.max_threads);
}

/* GPGPU-Sim searches the string for these words, in this order. */
static const struct {
    const char *word;
    enum scheduler_policy policy;
} schedulers[] = {{"lrr", SCHEDULER_LRR}, {"two_level_active", SCHEDULER_TWO_LEVEL},
                  {"gto", SCHEDULER_GTO}, {"rrr", SCHEDULER_RRR},
                  {"old", SCHEDULER_OLD}, {"warp_limiting", SCHEDULER_SWL}};

static void read_scheduler(struct gpgpusim_reader *reader, const char *text)
{
    size_t i = 0, count = sizeof schedulers / sizeof *schedulers;
    while (i < count && !strstr(text, schedulers[i].word))
        i++;
    if (i == count) {
        gpgpusim_refuse(reader,
                        "expected lrr, gto, rrr, old, two_level_active:<n>:0:1 or "
                        "warp_limiting:2:<n>, got '%.60s'",
                        text);
        return;
    }
    reader->machine->scheduler.policy = schedulers[i].policy;
    const char *fields = strstr(text, schedulers[i].word) + strlen(schedulers[i].word);
    char active[VALUE_MAX];
    if (schedulers[i].policy == SCHEDULER_TWO_LEVEL) {
        size_t length = *fields ? strcspn(fields + 1, ":") : 0;
        if (*fields != ':' || strcmp(fields + 1 + length, ":0:1")) {
            gpgpusim_refuse(reader,
                            "expected two_level_active:<active>:0:1, the only form that GPGPU-Sim "
                            "implements, got '%.60s'",
                            text);
            return;
        }
        snprintf(active, sizeof active, "%.*s", (int)length, fields + 1);
        gpgpusim_read_parameter(reader, "scheduler.active", active);
    } else if (schedulers[i].policy == SCHEDULER_SWL) {
        if (strncmp(fields, ":2:", 3))
            gpgpusim_refuse(
                reader, "expected warp_limiting:2:<warps> (limiting over gto), got '%.60s'", text);
        else
            gpgpusim_read_parameter(reader, "scheduler.active", fields + 3);
    }
}

static void write_scheduler(FILE *out, const struct machine *machine)
{
    uint64_t active = machine->scheduler.active;
    for (size_t i = 0; i < sizeof schedulers / sizeof *schedulers; i++)
        if ((int)schedulers[i].policy == machine->scheduler.policy)
            fputs(schedulers[i].word, out);
    if (machine->scheduler.policy == SCHEDULER_TWO_LEVEL)
        fprintf(out, ":%" PRIu64 ":0:1", active);
    if (machine->scheduler.policy == SCHEDULER_SWL)
        fprintf(out, ":2:%" PRIu64, active);
}

static void read_l1d(struct gpgpusim_reader *reader, const char *text)
{
    struct cache_context context = {reader->diagnostics, &reader->place, "l1d"};
    cache_string_read(&context, text, reader->machine);
}

static void read_l2(struct gpgpusim_reader *reader, const char *text)
{
    struct cache_context context = {reader->diagnostics, &reader->place, "l2"};
    cache_string_read(&context, text, reader->machine);
}

static void write_l1d(FILE *out, const struct machine *machine)
{
    struct cache_context context = {NULL, NULL, "l1d"};
    char text[CACHE_STRING] = "";
    cache_string_write(&context, machine, text);
    fputs(text, out);
}

static void write_l2(FILE *out, const struct machine *machine)
{
    struct cache_context context = {NULL, NULL, "l2"};
    char text[CACHE_STRING] = "";
    cache_string_write(&context, machine, text);
    fputs(text, out);
}

static void read_adaptive(struct gpgpusim_reader *reader, const char *text)
{
    uint64_t number;
    if (read_number(text, 1, &number))
        reader->adaptive = number;
    else
        gpgpusim_refuse(reader, "expected 0 or 1, got '%.40s'", text);
}

static void write_adaptive(FILE *out, const struct machine *machine)
{
    fputc(machine->l1d.unified ? '1' : '0', out);
}

static void read_carveouts(struct gpgpusim_reader *reader, const char *text)
{
    struct sizes sizes = {{0}, 0};
    char copy[VALUE_MAX], *rest = copy;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *item; (item = strsep(&rest, ",")) != NULL; sizes.count++) {
        uint64_t kib;
        bool fits = sizes.count < SIZES_MAX && read_number(item, KIB, &kib);
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

static void write_carveouts(FILE *out, const struct machine *machine)
{
    const struct sizes *sizes = &machine->gpu.shared_options;
    for (uint32_t i = 0; i < sizes->count; i++)
        fprintf(out, "%s%" PRIu64, i ? "," : "", sizes->item[i] / KIB);
}

static void read_unified(struct gpgpusim_reader *reader, const char *text)
{
    if (!read_number(text, 65536, &reader->unified))
        gpgpusim_refuse(reader, "expected a size in KB, got '%.40s'", text);
}

static void write_unified(FILE *out, const struct machine *machine)
{
    fprintf(out, "%" PRIu64, machine->l1d.unified / KIB);
}

static void read_partition(struct gpgpusim_reader *reader, const char *text)
{
    static const char *const names[] = {"none", "xor", "ipoly", "PAE", "random", "custom"};
    uint64_t number;
    if (!read_number(text, 5, &number))
        gpgpusim_refuse(reader, "expected 0 (none), 1 (xor) or 2 (ipoly), got '%.40s'", text);
    else if (number > 2)
        gpgpusim_refuse(reader,
                        "partition indexing %" PRIu64
                        " (%s) is not modelled; 0 (none), 1 (xor) and "
                        "2 (ipoly) are",
                        number, names[number]);
    else
        reader->machine->l2.partition = (int)number;
}

static void write_partition(FILE *out, const struct machine *machine)
{
    fprintf(out, "%d", machine->l2.partition);
}

/* "dramid@8;..." places the channel above bit 8, so 256 bytes go to one channel before the next. */
static void read_mapping(struct gpgpusim_reader *reader, const char *text)
{
    uint64_t bit;
    if (strncmp(text, "dramid@", 7))
        return;
    char number[VALUE_MAX];
    snprintf(number, sizeof number, "%.*s", (int)strcspn(text + 7, ";"), text + 7);
    if (!read_number(number, 16, &bit) || bit < 5)
        gpgpusim_refuse(reader, "expected dramid@<bit from 5 to 16>;..., got '%.60s'", text);
    else
        reader->machine->l2.interleave = (uint64_t)1 << bit;
}

static void write_mapping(FILE *out, const struct machine *machine)
{
    int bit = 0;
    while ((uint64_t)1 << bit < machine->l2.interleave)
        bit++;
    fprintf(out,
            "dramid@%d;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS",
            bit);
}

static void read_skip(struct gpgpusim_reader *reader, const char *text)
{
    if (strcmp(text, "0"))
        diagnostics_add(reader->diagnostics, SEVERITY_WARNING, &reader->place,
                        "global loads bypass the L1D there; here they are cached");
}

static bool has_carveout(const struct machine *machine)
{
    return machine->l1d.enabled && machine->l1d.unified;
}

static bool has_l2(const struct machine *machine)
{
    return machine->l2.enabled;
}

/* ---- the table ---- */

const struct gpgpusim_option gpgpusim_options[] = {
    {"SMs and memory channels", "-gpgpu_n_clusters", "gpu.sms", read_clusters, write_clusters,
     NULL},
    {NULL, "-gpgpu_n_cores_per_cluster", "gpu.sms", read_cores, write_cores, NULL},
    {NULL, "-gpgpu_n_mem", "l2.slices", read_channels, write_channels, has_l2},
    {NULL, "-gpgpu_n_sub_partition_per_mchannel", "l2.slices_per_channel", NULL, NULL, has_l2},
    {"<core>:<interconnect>:<l2>:<dram> in MHz; set the last three to your GPU's",
     "-gpgpu_clock_domains", "gpu.clock", read_clock, write_clock, NULL},
    {"Limits of one SM", "-gpgpu_shader_core_pipeline", "gpu.max_threads", read_pipeline,
     write_pipeline, NULL},
    {NULL, "-gpgpu_shader_cta", "gpu.max_blocks", NULL, NULL, NULL},
    {NULL, "-gpgpu_shader_registers", "gpu.registers", NULL, NULL, NULL},
    {NULL, "-gpgpu_shmem_size", "gpu.shared_memory", NULL, NULL, NULL},
    {"Warp schedulers and coalescing", "-gpgpu_num_sched_per_core", "scheduler.count", NULL, NULL,
     NULL},
    {NULL, "-gpgpu_scheduler", "scheduler.", read_scheduler, write_scheduler, NULL},
    {NULL, "-gpgpu_coalesce_arch", "coalescer.arch", NULL, NULL, NULL},
    {"L1D: <type>:<sets>:<line>:<ways>,<replacement>:<write>:<allocate>:<write allocate>:<index>,"
     "<mshr>:<entries>:<merge>,<miss queue>[:<fifo>,<port>]",
     "-gpgpu_cache:dl1", "l1d.", read_l1d, write_l1d, NULL},
    {NULL, "-gpgpu_l1_latency", "l1d.latency", NULL, NULL, NULL},
    {NULL, "-gpgpu_l1_banks", "l1d.banks", NULL, NULL, NULL},
    {NULL, "-gpgpu_flush_l1_cache", "l1d.flush", NULL, NULL, NULL},
    {NULL, "-gpgpu_adaptive_cache_config", "l1d.unified", read_adaptive, write_adaptive, NULL},
    {NULL, "-gpgpu_unified_l1d_size", "l1d.unified", read_unified, write_unified, has_carveout},
    {NULL, "-gpgpu_shmem_option", "gpu.shared_options", read_carveouts, write_carveouts,
     has_carveout},
    {NULL, "-gpgpu_gmem_skip_L1D", NULL, read_skip, NULL, NULL},
    {"L2, one slice a sub-partition", "-gpgpu_cache:dl2", "l2.", read_l2, write_l2, NULL},
    {NULL, "-gpgpu_l2_rop_latency", "l2.latency", NULL, NULL, has_l2},
    {NULL, "-gpgpu_flush_l2_cache", "l2.flush", NULL, NULL, has_l2},
    {NULL, "-gpgpu_memory_partition_indexing", "l2.partition", read_partition, write_partition,
     has_l2},
    {NULL, "-gpgpu_mem_addr_mapping", "l2.interleave", read_mapping, write_mapping, has_l2},
    {"DRAM", "-dram_latency", "dram.latency", NULL, NULL, NULL},
};

_Static_assert(sizeof gpgpusim_options / sizeof *gpgpusim_options == GPGPUSIM_OPTIONS,
               "GPGPUSIM_OPTIONS counts the rows");
