#include "config/gpgpusim_options.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "config/gpgpusim_cache.h"
#include "config/gpgpusim_core.h"
#include "config/gpgpusim_memory.h"

enum { KIB = 1024, VALUE_MAX = 256 };

bool gpgpusim_refuse(struct gpgpusim_reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    diagnostics_vadd(reader->diagnostics, SEVERITY_ERROR, &reader->place, NULL, format, arguments);
    va_end(arguments);
    return false;
}

bool gpgpusim_parse_number(const char *text, uint64_t max, uint64_t *number)
{
    if (*text < '0' || *text > '9')
        return false;
    return !quantity_parse_uint(text, UNIT_NONE, number) && *number <= max;
}

bool gpgpusim_read_switch(struct gpgpusim_reader *reader, const char *text, bool *on)
{
    uint64_t number;
    if (!gpgpusim_parse_number(text, 1, &number))
        return gpgpusim_refuse(reader, "expected 0 or 1, got '%.40s'", text);
    *on = number;
    return true;
}

/* ---- options of one number: the parameter itself checks it ---- */

void gpgpusim_read_parameter(struct gpgpusim_reader *reader, const char *path, const char *text)
{
    const struct parameter *parameter = parameter_find(path);
    char why[VALUE_TEXT];
    struct value value;
    bool on = false;
    if (parameter->type == PARAMETER_BOOL) {
        if (gpgpusim_read_switch(reader, text, &on))
            parameter_set(parameter, reader->machine, (struct value){.uint = on});
    } else if (parameter_parse(parameter, text, &value, why)) {
        gpgpusim_refuse(reader, "%s: %s", path, why);
    } else {
        parameter_set(parameter, reader->machine, value);
    }
}

void gpgpusim_set_number(struct gpgpusim_reader *reader, const char *path, uint64_t number)
{
    char text[QUANTITY_TEXT];
    quantity_print_uint(number, parameter_find(path)->unit, text);
    gpgpusim_read_parameter(reader, path, text);
}

uint64_t gpgpusim_number(const char *path, const struct machine *machine)
{
    return parameter_get(parameter_find(path), machine).uint;
}

size_t gpgpusim_split(const char *text, char separator, uint64_t *numbers, size_t max)
{
    for (size_t count = 0; count < max; count++) {
        size_t length = 0;
        char field[QUANTITY_TEXT];
        while (text[length] && text[length] != separator)
            length++;
        snprintf(field, sizeof field, "%.*s", (int)length, text);
        if (length >= sizeof field || !gpgpusim_parse_number(field, UINT32_MAX, &numbers[count]))
            return 0;
        if (!text[length])
            return count + 1;
        text += length + 1;
    }
    return 0;
}

/* An option that must repeat what another one has said. */
static void read_same(struct gpgpusim_reader *reader, const char *text)
{
    uint64_t number, said = gpgpusim_number(reader->path, reader->machine);
    if (!gpgpusim_parse_number(text, UINT32_MAX, &number) || number != said)
        gpgpusim_refuse(reader,
                        "here %s stands for both directions, which must be equal: expected %" PRIu64
                        ", got '%.40s'",
                        reader->path, said, text);
}

static void write_number(const struct gpgpusim_writer *writer)
{
    fprintf(writer->out, "%" PRIu64, gpgpusim_number(writer->path, writer->machine));
}

/* ---- options of several fields ---- */

static void read_count(struct gpgpusim_reader *reader, const char *text, uint64_t *count)
{
    if (!gpgpusim_parse_number(text, 65536, count) || !*count)
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

static void write_clusters(const struct gpgpusim_writer *writer)
{
    fprintf(writer->out, "%" PRIu64, writer->machine->gpu.sms);
}

static void write_cores(const struct gpgpusim_writer *writer)
{
    fputc('1', writer->out);
}

static void write_channels(const struct gpgpusim_writer *writer)
{
    fprintf(writer->out, "%" PRIu64,
            writer->machine->l2.slices / writer->machine->l2.slices_per_channel);
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

static void write_pipeline(const struct gpgpusim_writer *writer)
{
    fprintf(writer->out, "%" PRIu64 ":32", writer->machine->gpu.max_threads);
}

/* GPGPU-Sim searches the string for these words, in this order. */
static const struct {
    const char *word;
    enum scheduler_policy policy;
} schedulers[] = {{"lrr", SCHEDULER_LRR}, {"two_level_active", SCHEDULER_TWO_LEVEL},
                  {"gto", SCHEDULER_GTO}, {"rrr", SCHEDULER_RRR},
                  {"old", SCHEDULER_OLD}, {"warp_limiting", SCHEDULER_SWL}};

bool gpgpusim_has_scheduler(int policy)
{
    for (size_t i = 0; i < sizeof schedulers / sizeof *schedulers; i++)
        if ((int)schedulers[i].policy == policy)
            return true;
    return false;
}

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

static void write_scheduler(const struct gpgpusim_writer *writer)
{
    uint64_t active = writer->machine->scheduler.active;
    for (size_t i = 0; i < sizeof schedulers / sizeof *schedulers; i++)
        if ((int)schedulers[i].policy == writer->machine->scheduler.policy)
            fputs(schedulers[i].word, writer->out);
    if (writer->machine->scheduler.policy == SCHEDULER_TWO_LEVEL)
        fprintf(writer->out, ":%" PRIu64 ":0:1", active);
    if (writer->machine->scheduler.policy == SCHEDULER_SWL)
        fprintf(writer->out, ":2:%" PRIu64, active);
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

static void write_l1d(const struct gpgpusim_writer *writer)
{
    struct cache_context context = {NULL, NULL, "l1d"};
    char text[CACHE_STRING] = "";
    cache_string_write(&context, writer->machine, text);
    fputs(text, writer->out);
}

static void write_l2(const struct gpgpusim_writer *writer)
{
    struct cache_context context = {NULL, NULL, "l2"};
    char text[CACHE_STRING] = "";
    cache_string_write(&context, writer->machine, text);
    fputs(text, writer->out);
}

static void read_l1i(struct gpgpusim_reader *reader, const char *text)
{
    struct cache_context context = {reader->diagnostics, &reader->place, "l1i"};
    instruction_string_read(&context, text, reader->machine);
}

static void write_l1i(const struct gpgpusim_writer *writer)
{
    instruction_string_write(writer->machine, writer->out);
}

static void read_adaptive(struct gpgpusim_reader *reader, const char *text)
{
    gpgpusim_read_switch(reader, text, &reader->adaptive);
}

static void write_adaptive(const struct gpgpusim_writer *writer)
{
    fputc(writer->machine->l1d.unified ? '1' : '0', writer->out);
}

static void read_carveouts(struct gpgpusim_reader *reader, const char *text)
{
    struct sizes sizes = {{0}, 0};
    char copy[VALUE_MAX], *rest = copy;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *item; (item = strsep(&rest, ",")) != NULL; sizes.count++) {
        uint64_t kib;
        bool fits = sizes.count < SIZES_MAX && gpgpusim_parse_number(item, KIB, &kib);
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

static void write_carveouts(const struct gpgpusim_writer *writer)
{
    const struct sizes *sizes = &writer->machine->gpu.shared_options;
    for (uint32_t i = 0; i < sizes->count; i++)
        fprintf(writer->out, "%s%" PRIu64, i ? "," : "", sizes->item[i] / KIB);
}

static void read_unified(struct gpgpusim_reader *reader, const char *text)
{
    if (!gpgpusim_parse_number(text, 65536, &reader->unified))
        gpgpusim_refuse(reader, "expected a size in KB, got '%.40s'", text);
}

static void write_unified(const struct gpgpusim_writer *writer)
{
    fprintf(writer->out, "%" PRIu64, writer->machine->l1d.unified / KIB);
}

static void read_partition(struct gpgpusim_reader *reader, const char *text)
{
    static const char *const names[] = {"none", "xor", "ipoly", "PAE", "random", "custom"};
    uint64_t number;
    if (!gpgpusim_parse_number(text, 5, &number))
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

static void write_partition(const struct gpgpusim_writer *writer)
{
    fprintf(writer->out, "%d", writer->machine->l2.partition);
}

static bool has_carveout(const struct machine *machine)
{
    return machine->l1d.enabled && machine->l1d.unified;
}

static bool has_l2(const struct machine *machine)
{
    return machine->l2.enabled;
}

static bool has_collectors(const struct machine *machine)
{
    return machine->core.collectors;
}

static void read_limit_out(struct gpgpusim_reader *reader, const char *text)
{
    if (gpgpusim_has_limit(reader->machine))
        read_same(reader, text);
}

static void read_parameter(struct gpgpusim_reader *reader, const char *text)
{
    gpgpusim_read_parameter(reader, reader->path, text);
}

/* ---- the table ---- */

#define COLLECTOR "-gpgpu_operand_collector_num_"
#define LATENCY   "-trace_opcode_latency_initiation_"

const struct gpgpusim_option gpgpusim_options[] = {
    {"SMs and memory channels", "-gpgpu_n_clusters", "gpu.sms", read_clusters, write_clusters, NULL,
     NULL},
    {NULL, "-gpgpu_n_cores_per_cluster", "gpu.sms", read_cores, write_cores, NULL, NULL},
    {NULL, "-gpgpu_n_mem", "l2.slices", read_channels, write_channels, has_l2, NULL},
    {NULL, "-gpgpu_n_sub_partition_per_mchannel", "l2.slices_per_channel", NULL, NULL, has_l2,
     NULL},
    {"<core>:<interconnect>:<l2>:<dram> in MHz", "-gpgpu_clock_domains", "gpu.clock",
     gpgpusim_read_clocks, gpgpusim_write_clocks, NULL, NULL},
    {"Cycles before a launch", "-gpgpu_kernel_launch_latency", "gpu.launch_latency", NULL, NULL,
     NULL, NULL},
    {NULL, "-kernel_launch_latency", "gpu.launch_latency", read_parameter, NULL, NULL, NULL},
    {NULL, "-gpgpu_TB_launch_latency", "gpu.block_latency", NULL, NULL, NULL, NULL},
    {"Limits of one SM", "-gpgpu_shader_core_pipeline", "gpu.max_threads", read_pipeline,
     write_pipeline, NULL, NULL},
    {NULL, "-gpgpu_shader_cta", "gpu.max_blocks", NULL, NULL, NULL, NULL},
    {NULL, "-gpgpu_shader_registers", "gpu.registers", NULL, NULL, NULL, NULL},
    {NULL, "-gpgpu_shmem_size", "gpu.shared_memory", NULL, NULL, NULL, NULL},
    {NULL, "-gpgpu_smem_latency", "core.shared_latency", NULL, NULL, NULL, NULL},
    {"Warp schedulers and coalescing", "-gpgpu_num_sched_per_core", "scheduler.count", NULL, NULL,
     NULL, NULL},
    {NULL, "-gpgpu_scheduler", "scheduler.", read_scheduler, write_scheduler, NULL, NULL},
    {NULL, "-gpgpu_max_insn_issue_per_warp", "scheduler.issue", NULL, NULL, NULL, NULL},
    {NULL, "-gpgpu_dual_issue_diff_exec_units", NULL, NULL, NULL, NULL, "1"},
    {NULL, "-gpgpu_coalesce_arch", "coalescer.arch", NULL, NULL, NULL, NULL},
    {"Fetch, registers and operand collectors", "-gpgpu_sub_core_model", "core.subcores", NULL,
     NULL, NULL, NULL},
    {NULL, "-gpgpu_inst_fetch_throughput", "core.fetch", NULL, NULL, NULL, NULL},
    {NULL, "-gpgpu_num_reg_banks", "core.banks", NULL, NULL, NULL, NULL},
    {NULL, "-gpgpu_reg_file_port_throughput", "core.reads", NULL, NULL, NULL, NULL},
    {NULL, COLLECTOR "units_gen", "core.collectors", NULL, NULL, NULL, NULL},
    {NULL, COLLECTOR "in_ports_gen", "core.collector_ports", NULL, NULL, has_collectors, NULL},
    {NULL, COLLECTOR "out_ports_gen", "core.collector_ports", read_same, write_number,
     has_collectors, NULL},
    {NULL, "-gpgpu_enable_specialized_operand_collector", "core.collectors",
     gpgpusim_read_collectors, gpgpusim_write_collectors, NULL, NULL},
    {NULL, COLLECTOR "units_sp", "core.sp_collectors", NULL, NULL, NULL, NULL},
    {NULL, COLLECTOR "in_ports_sp", "core.sp_ports", NULL, NULL, NULL, NULL},
    {NULL, COLLECTOR "out_ports_sp", "core.sp_ports", read_same, write_number, NULL, NULL},
    {NULL, COLLECTOR "units_sfu", "core.sfu_collectors", NULL, NULL, NULL, NULL},
    {NULL, COLLECTOR "in_ports_sfu", NULL, NULL, NULL, NULL, "1"},
    {NULL, COLLECTOR "out_ports_sfu", NULL, NULL, NULL, NULL, "1"},
    {NULL, COLLECTOR "units_mem", "core.memory_collectors", NULL, NULL, NULL, NULL},
    {NULL, COLLECTOR "in_ports_mem", NULL, NULL, NULL, NULL, "1"},
    {NULL, COLLECTOR "out_ports_mem", NULL, NULL, NULL, NULL, "1"},
    {"Execution units", "-gpgpu_num_sp_units", "pipe.sp.units", NULL, NULL, NULL, NULL},
    {NULL, "-gpgpu_num_dp_units", "pipe.dp.units", NULL, NULL, NULL, NULL},
    {NULL, "-gpgpu_num_int_units", "pipe.int.units", NULL, NULL, NULL, NULL},
    {NULL, "-gpgpu_num_sfu_units", "pipe.sfu.units", NULL, NULL, NULL, NULL},
    {NULL, "-gpgpu_num_tensor_core_units", "pipe.tensor.units", NULL, NULL, NULL, NULL},
    {NULL, "-gpgpu_tensor_core_avail", "pipe.tensor.units", gpgpusim_read_tensor,
     gpgpusim_write_tensor, NULL, NULL},
    {NULL, "-gpgpu_pipeline_widths", "core.results", gpgpusim_read_widths, gpgpusim_write_widths,
     NULL, NULL},
    {"L1I: <type>:<sets>:<line>:<ways>,...,<mshr>:<entries>:<merge>,<miss queue>",
     "-gpgpu_cache:il1", "l1i.", read_l1i, write_l1i, NULL, NULL},
    {NULL, "-gpgpu_perfect_inst_const_cache", "l1i.enabled", gpgpusim_read_perfect,
     gpgpusim_write_perfect, NULL, NULL},
    {"L1D: <type>:<sets>:<line>:<ways>,<replacement>:<write>:<allocate>:<write allocate>:<index>,"
     "<mshr>:<entries>:<merge>,<miss queue>[:<fifo>,<port>]",
     "-gpgpu_cache:dl1", "l1d.", read_l1d, write_l1d, NULL, NULL},
    {NULL, "-gpgpu_l1_latency", "l1d.latency", NULL, NULL, NULL, NULL},
    {NULL, "-gpgpu_l1_banks", "l1d.banks", NULL, NULL, NULL, NULL},
    {NULL, "-gpgpu_flush_l1_cache", "l1d.flush", NULL, NULL, NULL, NULL},
    {NULL, "-gpgpu_adaptive_cache_config", "l1d.unified", read_adaptive, write_adaptive, NULL,
     NULL},
    {NULL, "-gpgpu_unified_l1d_size", "l1d.unified", read_unified, write_unified, has_carveout,
     NULL},
    {NULL, "-gpgpu_shmem_option", "gpu.shared_options", read_carveouts, write_carveouts,
     has_carveout, NULL},
    {NULL, "-gpgpu_gmem_skip_L1D", "l1d.skip", NULL, NULL, NULL, NULL},
    {NULL, "-gpgpu_l1_cache_write_ratio", "l1d.dirty", gpgpusim_read_percent,
     gpgpusim_write_percent, NULL, NULL},
    {NULL, "-gpgpu_n_ldst_response_buffer_size", "core.responses", NULL, NULL, NULL, NULL},
    {NULL, "-gpgpu_n_cluster_ejection_buffer_size", "network.ejected", NULL, NULL, NULL, NULL},
    {"L2, one slice a sub-partition", "-gpgpu_cache:dl2", "l2.", read_l2, write_l2, NULL, NULL},
    {NULL, "-gpgpu_l2_rop_latency", "l2.latency", NULL, NULL, NULL, NULL},
    {NULL, "-rop_latency", "l2.latency", read_parameter, NULL, NULL, NULL},
    {NULL, "-gpgpu_flush_l2_cache", "l2.flush", NULL, NULL, has_l2, NULL},
    {NULL, "-gpgpu_memory_partition_indexing", "l2.partition", read_partition, write_partition,
     has_l2, NULL},
    {NULL, "-gpgpu_mem_address_mask", NULL, NULL, NULL, NULL, "1"},
    {NULL, "-gpgpu_mem_addr_mapping", "l2.interleave", gpgpusim_read_mapping,
     gpgpusim_write_mapping, has_l2, NULL},
    {NULL, "-gpgpu_dram_partition_queues", "l2.queue", gpgpusim_read_queues, gpgpusim_write_queues,
     has_l2, NULL},
    {"Network: 1 is BookSim's fly, which a file of its own describes (-inter_config_file)",
     "-network_mode", "network.kind", gpgpusim_read_network, gpgpusim_write_network, NULL, NULL},
    {NULL, "-icnt_flit_size", "network.flit", NULL, NULL, NULL, NULL},
    {NULL, "-icnt_in_buffer_limit", "network.queue", gpgpusim_read_limit, write_number,
     gpgpusim_has_limit, NULL},
    {NULL, "-icnt_out_buffer_limit", "network.queue", read_limit_out, write_number,
     gpgpusim_has_limit, NULL},
    {"DRAM", "-dram_latency", "dram.latency", NULL, NULL, NULL, NULL},
    {NULL, "-gpgpu_simple_dram_model", "dram.fixed", NULL, NULL, NULL, NULL},
    {NULL, "-gpgpu_dram_scheduler", "dram.scheduler", gpgpusim_read_dram_scheduler,
     gpgpusim_write_dram_scheduler, NULL, NULL},
    {NULL, "-gpgpu_frfcfs_dram_sched_queue_size", "dram.queue", NULL, NULL, NULL, NULL},
    {NULL, "-gpgpu_dram_return_queue_size", "dram.returns", NULL, NULL, NULL, NULL},
    {NULL, "-gpgpu_n_mem_per_ctrlr", "dram.bus", gpgpusim_read_chips, gpgpusim_write_chips, NULL,
     NULL},
    {NULL, "-gpgpu_dram_buswidth", "dram.bus", gpgpusim_read_bus, gpgpusim_write_bus, NULL, NULL},
    {NULL, "-gpgpu_dram_burst_length", "dram.burst", NULL, NULL, NULL, NULL},
    {NULL, "-dram_data_command_freq_ratio", "dram.rate", NULL, NULL, NULL, NULL},
    {NULL, "-dram_dual_bus_interface", "dram.dual", NULL, NULL, NULL, NULL},
    {NULL, "-dram_bnk_indexing_policy", NULL, NULL, NULL, NULL, "0"},
    {NULL, "-dram_bnkgrp_indexing_policy", NULL, NULL, NULL, NULL, "1"},
    {NULL, "-gpgpu_dram_timing_opt", "dram.", gpgpusim_read_times, gpgpusim_write_times, NULL,
     NULL},
    {"trace.config: the lines below are for Accel-Sim only; <latency>,<initiation interval>",
     LATENCY "int", "pipe.int.", gpgpusim_read_pipe, gpgpusim_write_pipe, NULL, NULL},
    {NULL, LATENCY "sp", "pipe.sp.", gpgpusim_read_pipe, gpgpusim_write_pipe, NULL, NULL},
    {NULL, LATENCY "dp", "pipe.dp.", gpgpusim_read_pipe, gpgpusim_write_pipe, NULL, NULL},
    {NULL, LATENCY "sfu", "pipe.sfu.", gpgpusim_read_pipe, gpgpusim_write_pipe, NULL, NULL},
    {NULL, LATENCY "tensor", "pipe.tensor.", gpgpusim_read_pipe, gpgpusim_write_pipe, NULL, NULL},
    {NULL, "-specialized_unit_1", "pipe.branch.", gpgpusim_read_unit, gpgpusim_write_unit, NULL,
     NULL},
    {NULL, LATENCY "spec_op_1", "pipe.branch.", gpgpusim_read_pipe, gpgpusim_write_pipe, NULL,
     NULL},
    {NULL, "-specialized_unit_2", "pipe.texture.", gpgpusim_read_unit, gpgpusim_write_unit, NULL,
     NULL},
    {NULL, LATENCY "spec_op_2", "pipe.texture.", gpgpusim_read_pipe, gpgpusim_write_pipe, NULL,
     NULL},
    {NULL, "-specialized_unit_3", "pipe.tensor.", gpgpusim_read_unit, gpgpusim_write_unit, NULL,
     NULL},
    {NULL, LATENCY "spec_op_3", "pipe.tensor.", gpgpusim_read_tensor_unit, gpgpusim_write_pipe,
     NULL, NULL},
    {NULL, "-specialized_unit_4", "pipe.uniform.", gpgpusim_read_unit, gpgpusim_write_unit, NULL,
     NULL},
    {NULL, LATENCY "spec_op_4", "pipe.uniform.", gpgpusim_read_pipe, gpgpusim_write_pipe, NULL,
     NULL},
};

_Static_assert(sizeof gpgpusim_options / sizeof *gpgpusim_options == GPGPUSIM_OPTIONS,
               "GPGPUSIM_OPTIONS counts the rows");
