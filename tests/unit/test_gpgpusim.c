/* gpgpusim.config: known strings, refusals, and that machines survive the way there and back. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/embedded.h"
#include "base/rng.h"
#include "config/gpgpusim.h"
#include "config/gpgpusim_booksim.h"
#include "config/gpgpusim_options.h"
#include "config/machine_file.h"
#include "support/message_text.h"
#include "support/shared_data.h"

/* What the files of QV100, RTX3070 and RTX2060 say alike; options that are not modelled are left
 * out. */
#define VOLTA                                                                                      \
    "-gpgpu_kernel_launch_latency 5000 -gpgpu_TB_launch_latency 0 -gpgpu_n_cores_per_cluster 1\n"  \
    "-gpgpu_n_sub_partition_per_mchannel 2 -gpgpu_shader_registers 65536\n"                        \
    "-gpgpu_pipeline_widths 4,4,4,4,4,4,4,4,4,4,8,4,4 -gpgpu_num_sp_units 4\n"                     \
    "-gpgpu_num_sfu_units 4 -gpgpu_num_dp_units 4 -gpgpu_num_int_units 4\n"                        \
    "-gpgpu_tensor_core_avail 1 -gpgpu_num_tensor_core_units 4 -gpgpu_sub_core_model 1\n"          \
    "-gpgpu_enable_specialized_operand_collector 0 -gpgpu_operand_collector_num_units_gen 8\n"     \
    "-gpgpu_operand_collector_num_in_ports_gen 8 -gpgpu_operand_collector_num_out_ports_gen 8\n"   \
    "-gpgpu_reg_file_port_throughput 2 -gpgpu_num_sched_per_core 4 -gpgpu_scheduler lrr\n"         \
    "-gpgpu_max_insn_issue_per_warp 1 -gpgpu_dual_issue_diff_exec_units 1\n"                       \
    "-gpgpu_adaptive_cache_config 1 -gpgpu_l1_banks 4 -gpgpu_gmem_skip_L1D 0\n"                    \
    "-gpgpu_flush_l1_cache 1 -gpgpu_n_cluster_ejection_buffer_size 32\n"                           \
    "-gpgpu_l1_cache_write_ratio 25 -gpgpu_dram_partition_queues 64:64:64:64\n"                    \
    "-gpgpu_cache:il1 N:64:128:16,L:R:f:N:L,S:2:48,4 -gpgpu_inst_fetch_throughput 4\n"             \
    "-gpgpu_perfect_inst_const_cache 1 -network_mode 2 -icnt_in_buffer_limit 512\n"                \
    "-icnt_out_buffer_limit 512 -icnt_flit_size 40 -gpgpu_dram_scheduler 1\n"                      \
    "-gpgpu_frfcfs_dram_sched_queue_size 64 -gpgpu_dram_return_queue_size 192\n"                   \
    "-gpgpu_n_mem_per_ctrlr 1 -gpgpu_mem_address_mask 1 -dram_bnk_indexing_policy 0\n"             \
    "-dram_bnkgrp_indexing_policy 1 -specialized_unit_1 1,4,4,4,4,BRA\n"                           \
    "-trace_opcode_latency_initiation_spec_op_1 4,4 -specialized_unit_2 1,4,200,4,4,TEX\n"         \
    "-trace_opcode_latency_initiation_spec_op_2 200,4\n"

/* What those of RTX3070 and RTX2060 say of the DRAM. */
#define GDDR6                                                                                      \
    "-gpgpu_dram_buswidth 2 -gpgpu_dram_burst_length 16 -dram_data_command_freq_ratio 4\n"         \
    "-dram_dual_bus_interface 0\n"                                                                 \
    "-gpgpu_mem_addr_mapping dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR."      \
    "RBBBCCCC.BCCSSSSS\n"                                                                          \
    "-gpgpu_dram_timing_opt nbk=16:CCD=4:RRD=12:RCD=24:RAS=55:RP=24:RC=78:CL=24:WL=8:CDLR=10:"     \
    "WR=24:nbkgrp=4:CCDL=6:RTPL=4\n"

static void read_good(const char *text, struct machine *machine)
{
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = gpgpusim_read(text, "gpgpusim.config", machine, &diagnostics);
    char *messages = messages_take(&diagnostics);
    if (status)
        fail_msg("%s", messages);
    free(messages);
}

static void test_gtx480(void **state)
{
    (void)state;
    static const char text[] = "# a comment\n"
                               "-gpgpu_n_clusters 15\n"
                               "-gpgpu_n_cores_per_cluster 1\n"
                               "-gpgpu_n_mem 6 # six\n"
                               "-gpgpu_n_sub_partition_per_mchannel 2 \n"
                               "-gpgpu_clock_domains 700.0:700.0:700.0:924.0\n"
                               "-gpgpu_shader_core_pipeline 1536:32 \n"
                               "-gpgpu_shader_cta 8\r\n"
                               "-gpgpu_shader_registers 32768\n"
                               "-gpgpu_cache:dl1  N:32:128:4,L:L:m:N:H,S:64:8,8\n"
                               "-gpgpu_shmem_size 49152\n"
                               "-gpgpu_l1_latency 35\n"
                               "-gpgpu_flush_l1_cache 1\n"
                               "-gpgpu_cache:dl2 S:64:128:8,L:B:m:L:L,A:256:4,4:0,32\n"
                               "-gpgpu_memory_partition_indexing 0\n"
                               "-gpgpu_coalesce_arch 20\n"
                               "-gpgpu_l2_rop_latency 120\n"
                               "-dram_latency 100\n"
                               "-gpgpu_dram_timing_opt \"nbk=16:CCD=2:\n"
                               "      CL=12:WL=4\"\n"
                               "-gpgpu_simd_model 1\n"
                               "-gpgpu_num_sched_per_core 2\n"
                               "-gpgpu_scheduler gto\n"
                               "-icnt_flit_size 40\n";
    struct machine machine;
    read_good(text, &machine);
    assert_int_equal(machine.gpu.sms, 15);
    assert_int_equal(machine.l1d.size, 16384);
    assert_int_equal(machine.l1d.index, INDEX_FERMI);
    assert_int_equal(machine.l2.size, 786432);
    assert_int_equal(machine.l2.slices, 12);
    assert_int_equal(machine.dram.banks, 16);
    assert_int_equal(machine.dram.cl, 12);
    assert_int_equal(machine.dram.groups, 1); /* the simulator's default */
    assert_false(machine.tlb.enabled);
}

static void test_volta(void **state)
{
    (void)state;
    struct machine machine;
    read_good("-gpgpu_n_clusters 40\n-gpgpu_n_cores_per_cluster 2\n-gpgpu_n_mem 32\n"
              "-gpgpu_n_sub_partition_per_mchannel 2\n-gpgpu_clock_domains 1132.0:1:1:1\n"
              "-gpgpu_scheduler lrr\n-gpgpu_adaptive_cache_config 1\n"
              "-gpgpu_shmem_option 0,8,16,32,64,96\n-gpgpu_unified_l1d_size 128\n"
              "-gpgpu_cache:dl1  S:4:128:64,L:T:m:L:L,A:512:8,16:0,32\n"
              "-gpgpu_cache:dl2 S:32:128:24,L:B:m:L:P,A:192:4,32:0,32\n"
              "-gpgpu_memory_partition_indexing 2\n-gpgpu_l1_banks 4\n",
              &machine);
    assert_int_equal(machine.gpu.sms, 80);
    assert_int_equal(machine.gpu.clock, 1132000000);
    assert_int_equal(machine.scheduler.policy, SCHEDULER_LRR);
    assert_int_equal(machine.l1d.size, 32768);
    assert_int_equal(machine.l1d.sector, 32);
    assert_int_equal(machine.l1d.unified, 131072);
    assert_int_equal(machine.l1d.port, 32);
    assert_int_equal(machine.gpu.shared_options.count, 6);
    assert_int_equal(machine.gpu.shared_options.item[5], 98304);
    assert_int_equal(machine.l2.size, 6 << 20);
    assert_int_equal(machine.l2.slices, 64);
    assert_int_equal(machine.l2.index, INDEX_IPOLY);
    assert_int_equal(machine.l2.partition, PARTITION_IPOLY);
}

/* What the simulator's own files say: gpgpusim.config and trace.config of one GPU. */
static const struct {
    const char *machine, *text;
} simulator[] = {
    {"gtx480-accelsim",
     "-gpgpu_n_clusters 15 -gpgpu_n_cores_per_cluster 1 -gpgpu_n_mem 6\n"
     "-gpgpu_n_sub_partition_per_mchannel 2 -gpgpu_clock_domains 700.0:700.0:700.0:924.0\n"
     "-gpgpu_shader_registers 32768 -gpgpu_shader_core_pipeline 1536:32 -gpgpu_shader_cta 8\n"
     "-gpgpu_pipeline_widths 2,0,0,1,1,2,0,0,1,1,2 -gpgpu_num_sp_units 2\n"
     "-gpgpu_num_sfu_units 1 -gpgpu_num_dp_units 0\n"
     "-gpgpu_cache:dl1  N:32:128:4,L:L:m:N:H,S:64:8,8 -gpgpu_shmem_size 49152\n"
     "-icnt_flit_size 40 -gpgpu_gmem_skip_L1D 0 -gpgpu_n_cluster_ejection_buffer_size 32\n"
     "-gpgpu_l1_latency 35 -gpgpu_smem_latency 26 -gpgpu_flush_l1_cache 1\n"
     "-gpgpu_cache:dl2 S:64:128:8,L:B:m:L:L,A:256:4,4:0,32\n"
     "-gpgpu_dram_partition_queues 64:64:64:64 -gpgpu_memory_partition_indexing 0\n"
     "-gpgpu_cache:il1 N:4:128:4,L:R:f:N:L,S:2:32,4\n"
     "-gpgpu_operand_collector_num_units_sp 6 -gpgpu_operand_collector_num_units_sfu 8\n"
     "-gpgpu_operand_collector_num_in_ports_sp 2 -gpgpu_operand_collector_num_out_ports_sp 2\n"
     "-gpgpu_num_reg_banks 16 -gpgpu_coalesce_arch 20 -gpgpu_max_insn_issue_per_warp 1\n"
     "-network_mode 1 -gpgpu_l2_rop_latency 120 -dram_latency 100 -gpgpu_dram_scheduler 1\n"
     "-gpgpu_frfcfs_dram_sched_queue_size 64 -gpgpu_dram_return_queue_size 116\n"
     "-gpgpu_n_mem_per_ctrlr 2 -gpgpu_dram_buswidth 4 -gpgpu_dram_burst_length 8\n"
     "-dram_data_command_freq_ratio 4 -gpgpu_mem_address_mask 1\n"
     "-gpgpu_mem_addr_mapping dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR."
     "BBBCCCCB.CCSSSSSS\n"
     "-gpgpu_dram_timing_opt \"nbk=16:CCD=2:RRD=6:RCD=12:RAS=28:RP=12:RC=40:\n"
     "      CL=12:WL=4:CDLR=5:WR=12:nbkgrp=4:CCDL=3:RTPL=2\"\n"
     "-dram_bnk_indexing_policy 0 -dram_bnkgrp_indexing_policy 1 -gpgpu_num_sched_per_core 2\n"
     "-gpgpu_scheduler gto\n"},
    {"qv100-accelsim", VOLTA
     "-gpgpu_n_clusters 80 -gpgpu_n_mem 32 -gpgpu_clock_domains 1132.0:1132.0:1132.0:850.0\n"
     "-gpgpu_shader_core_pipeline 2048:32 -gpgpu_shader_cta 32 -gpgpu_num_reg_banks 16\n"
     "-gpgpu_coalesce_arch 70 -gpgpu_shmem_option 0,8,16,32,64,96 -gpgpu_unified_l1d_size 128\n"
     "-gpgpu_cache:dl1  S:4:128:64,L:T:m:L:L,A:512:8,16:0,32 -gpgpu_l1_latency 20\n"
     "-gpgpu_shmem_size 98304 -gpgpu_smem_latency 20 -gpgpu_memory_partition_indexing 2\n"
     "-gpgpu_cache:dl2 S:32:128:24,L:B:m:L:P,A:192:4,32:0,32 -gpgpu_l2_rop_latency 160\n"
     "-dram_latency 100 -gpgpu_dram_buswidth 16 -gpgpu_dram_burst_length 2\n"
     "-dram_data_command_freq_ratio 2 -dram_dual_bus_interface 1\n"
     "-gpgpu_mem_addr_mapping dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR."
     "RBBBCCCB.CCCSSSSS\n"
     "-gpgpu_dram_timing_opt \"nbk=16:CCD=1:RRD=3:RCD=12:RAS=28:RP=12:RC=40:\n"
     "      CL=12:WL=2:CDLR=3:WR=10:nbkgrp=4:CCDL=2:RTPL=3\"\n"
     "-trace_opcode_latency_initiation_int 2,2 -trace_opcode_latency_initiation_sp 2,2\n"
     "-trace_opcode_latency_initiation_dp 8,4 -trace_opcode_latency_initiation_sfu 20,8\n"
     "-trace_opcode_latency_initiation_tensor 2,2 -specialized_unit_3 1,4,8,4,4,TENSOR\n"
     "-trace_opcode_latency_initiation_spec_op_3 2,2\n"},
    {"rtx3070-accelsim", VOLTA GDDR6
     "-gpgpu_n_clusters 46 -gpgpu_n_mem 16 -gpgpu_clock_domains "
     "1132:1132:1132:3500.5\n"
     "-gpgpu_shader_core_pipeline 1536:32 -gpgpu_shader_cta 32 -gpgpu_num_reg_banks 8\n"
     "-gpgpu_coalesce_arch 86 -gpgpu_shmem_option 0,8,16,32,64,100 -gpgpu_unified_l1d_size 128\n"
     "-gpgpu_cache:dl1 S:4:128:256,L:T:m:L:L,A:384:48,16:0,32 -gpgpu_l1_latency 39\n"
     "-gpgpu_shmem_size 102400 -gpgpu_smem_latency 29 -gpgpu_memory_partition_indexing 2\n"
     "-gpgpu_cache:dl2 S:64:128:16,L:B:m:L:P,A:192:4,32:0,32 -gpgpu_l2_rop_latency 187\n"
     "-dram_latency 254 -trace_opcode_latency_initiation_int 2,2\n"
     "-trace_opcode_latency_initiation_sp 2,1 -trace_opcode_latency_initiation_dp 64,64\n"
     "-trace_opcode_latency_initiation_sfu 21,8 -trace_opcode_latency_initiation_tensor 32,32\n"
     "-specialized_unit_3 1,4,32,4,4,TENSOR -trace_opcode_latency_initiation_spec_op_3 32,32\n"
     "-specialized_unit_4 1,4,4,4,4,UDP -trace_opcode_latency_initiation_spec_op_4 4,1\n"},
    {"rtx2060-accelsim", VOLTA GDDR6
     "-gpgpu_n_clusters 30 -gpgpu_n_mem 12 -gpgpu_clock_domains "
     "1365:1365:1365:3500.5\n"
     "-gpgpu_shader_core_pipeline 1024:32 -gpgpu_shader_cta 16 -gpgpu_num_reg_banks 8\n"
     "-gpgpu_coalesce_arch 75 -gpgpu_shmem_option 32,64 -gpgpu_unified_l1d_size 96\n"
     "-gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:256:32,16:0,32 -gpgpu_l1_latency 32\n"
     "-gpgpu_shmem_size 65536 -gpgpu_smem_latency 30 -gpgpu_memory_partition_indexing 0\n"
     "-gpgpu_cache:dl2 S:64:128:16,L:B:m:L:P,A:192:4,32:0,32 -gpgpu_l2_rop_latency 194\n"
     "-dram_latency 96 -trace_opcode_latency_initiation_int 2,2\n"
     "-trace_opcode_latency_initiation_sp 2,2 -trace_opcode_latency_initiation_dp 64,64\n"
     "-trace_opcode_latency_initiation_sfu 21,8 -trace_opcode_latency_initiation_tensor 16,16\n"
     "-specialized_unit_3 1,4,16,4,4,TENSOR -trace_opcode_latency_initiation_spec_op_3 16,16\n"
     "-specialized_unit_4 1,4,4,4,4,UDP -trace_opcode_latency_initiation_spec_op_4 4,1\n"},
};

/* The beginnings of the parameters that no option can hold. */
static const char *const without_option[] = {"dram.rfc", /* dram.rfcsb too */
                                             "dram.refi",
                                             "dram.latency_clock",
                                             "dram.write_batch",
                                             "gpu.simulator_faults",
                                             "coalescer.order",
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
                                             "l1d.reset",
                                             "l2.ports",
                                             "l2.output",
                                             "l2.banks",
                                             "l2.reset",
                                             "l1d.reuse.",
                                             "l1d.mshr.per_warp",
                                             "l1d.texture",
                                             "l1d.bypass.",
                                             "scheduler.throttle",
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

static bool has_option(const struct parameter *parameter, const struct machine *machine)
{
    /* The buffers of BookSim's fly stand in a file of its own, as vc_buf_size. */
    if (machine->network.kind == NETWORK_FLY && !strcmp(parameter->path, "network.queue"))
        return false;
    /* Where fetches are perfect, no word is left for an L1I of the functional depth. */
    if (!machine->l1i.enabled && !strncmp(parameter->path, "l1i.", 4))
        return false;
    for (size_t i = 0; i < sizeof without_option / sizeof *without_option; i++)
        if (!strncmp(parameter->path, without_option[i], strlen(without_option[i])))
            return false;
    return true;
}

static void assert_machines_equal(const struct machine *a, const struct machine *b,
                                  const char *name)
{
    for (size_t i = 0; i < parameter_count; i++) {
        const struct parameter *parameter = &parameters[i];
        char ours[VALUE_TEXT], theirs[VALUE_TEXT];
        if (!has_option(parameter, a) || !parameter_relevant(parameter, a))
            continue;
        parameter_print(parameter, parameter_get(parameter, a), ours);
        parameter_print(parameter, parameter_get(parameter, b), theirs);
        if (strcmp(ours, theirs))
            fail_msg("%s: %s is %s, the simulator's file says %s", name, parameter->path, ours,
                     theirs);
    }
}

static void test_machines_of_the_simulator(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof simulator / sizeof *simulator; i++) {
        struct machine file, shipped;
        read_good(simulator[i].text, &file);
        assert_int_equal(machine_load(simulator[i].machine, NULL, &shipped, NULL, NULL), STATUS_OK);
        assert_machines_equal(&shipped, &file, simulator[i].machine);
        assert_false(shipped.tlb.enabled);
    }
}

/* Reads the simulator's GTX 480 and then `line`, as a second file "c". */
static enum status read_after_fermi(const char *line, bool nearest, struct machine *machine,
                                    char **messages)
{
    const struct gpgpusim_text files[] = {{simulator[0].text, "fermi", false}, {line, "c", false}};
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    enum status status = gpgpusim_read_texts(files, 2, nearest, machine, &diagnostics);
    *messages = messages_take(&diagnostics);
    return status;
}

/* The value of an option in a written file. */
static void assert_option(const char *text, const char *option, const char *value)
{
    const char *line = strstr(text, option);
    if (!line)
        fail_msg("%s is not in\n%s", option, text);
    line += strlen(option) + 1;
    if (strncmp(line, value, strlen(value)) || line[strlen(value)] != '\n')
        fail_msg("%s: expected %s in\n%s", option, value, text);
}

static void test_strings_survive(void **state)
{
    (void)state;
    static const struct {
        const char *option, *value;
    } cases[] = {
        {"-gpgpu_cache:dl1", "N:32:128:4,L:L:m:N:H,S:64:8,8"},
        {"-gpgpu_cache:dl1", "N:64:128:6,L:L:m:N:H,S:64:8,8"},
        {"-gpgpu_cache:dl1", "S:4:128:64,L:T:m:L:L,A:512:8,16:0,32"},
        {"-gpgpu_cache:dl1", "S:4:128:256,L:T:m:L:L,A:384:48,16:0,32"},
        {"-gpgpu_cache:dl1", "N:64:128:6,F:E:f:N:X,A:32:8,8:0,64"},
        {"-gpgpu_cache:dl1", "N:4:128:24,L:R:m:N:L,T:128:4,128:2"},
        {"-gpgpu_cache:dl1", "N:16:64:2,L:R:s:W:P,F:2:32,4:3"},
        {"-gpgpu_cache:dl1", "none"},
        {"-gpgpu_cache:dl2", "S:64:128:8,L:B:m:L:L,A:256:4,4:0,32"},
        {"-gpgpu_cache:dl2", "S:32:128:24,L:B:m:F:P,A:192:4,32:0,32"},
        {"-gpgpu_cache:dl2", "none"},
        {"-gpgpu_scheduler", "lrr"},
        {"-gpgpu_scheduler", "gto"},
        {"-gpgpu_scheduler", "rrr"},
        {"-gpgpu_scheduler", "old"},
        {"-gpgpu_scheduler", "two_level_active:8:0:1"},
        {"-gpgpu_scheduler", "warp_limiting:2:16"},
        {"-gpgpu_shader_core_pipeline", "2048:32"},
        {"-gpgpu_mem_addr_mapping",
         "dramid@10;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS"},
        {"-gpgpu_flush_l1_cache", "1"},
        {"-gpgpu_clock_domains", "607.5:700:700:924"},
        {"-gpgpu_dram_timing_opt", "nbk=32:CCD=1:RRD=2:RCD=13:RAS=14:RP=5:RC=16:CL=7:WL=8:CDLR=9:"
                                   "WR=10:nbkgrp=2:CCDL=12:RTPL=13"},
        {"-gpgpu_dram_partition_queues", "32:32:32:32"},
        {"-gpgpu_pipeline_widths", "2,0,0,1,1,2,0,0,1,1,5"},
        {"-gpgpu_cache:il1", "N:8:64:2,L:R:f:N:L,S:3:5,7"},
        {"-gpgpu_perfect_inst_const_cache", "1"},
        {"-trace_opcode_latency_initiation_int", "3,2"},
        {"-specialized_unit_1", "1,2,4,2,2,BRA"},
        {"-gpgpu_l1_cache_write_ratio", "20"},
        {"-gpgpu_dram_scheduler", "0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[300], *text, *messages;
        struct machine machine;
        snprintf(line, sizeof line, "%s %s\n", cases[i].option, cases[i].value);
        if (read_after_fermi(line, false, &machine, &messages))
            fail_msg("%s", messages);
        free(messages);
        assert_int_equal(gpgpusim_write(&machine, &text, NULL), STATUS_OK);
        assert_option(text, cases[i].option, cases[i].value);
        free(text);
    }
}

static void test_strings_of_version_3(void **state)
{
    (void)state;
    struct machine machine;
    read_good("-gpgpu_cache:dl1 32:128:4,L:L:m:N,A:32:8,8", &machine);
    assert_int_equal(machine.l1d.size, 16384);
    assert_int_equal(machine.l1d.index, INDEX_MODULO);
    assert_int_equal(machine.l1d.sector, 128);
    assert_int_equal(machine.l1d.mshr.kind, MSHR_ASSOCIATIVE);
    assert_int_equal(machine.l1d.mshr.entries, 32);
}

static void test_refused_on_reading(void **state)
{
    (void)state;
    static const struct {
        const char *line, *expected;
    } cases[] = {
        {"-gpgpu_cache:dl1 N:128:128:4,L:L:m:N:H,S:64:8,8", "Fermi hash (H) asserts on 128 sets"},
        {"-gpgpu_sub_core_model 1", "num_units_gen is left out, and the simulator's default is 0"},
        {"-gpgpu_cache:dl1 N:24:128:4,L:L:m:N:P,S:64:8,8", "must be a power of two, not 24"},
        {"-gpgpu_cache:dl1 N:32:128:4,L:L:m:N:C,S:64:8,8", "always returns set 0"},
        {"-gpgpu_cache:dl1 N:32:128:4,P:L:m:N:H,S:64:8,8", "'P' is no replacement policy"},
        {"-gpgpu_cache:dl1 N:32:128:4,L:X:m:N:H,S:64:8,8", "'X' is no write policy"},
        {"-gpgpu_cache:dl1 N:32:128:4,L:L:f:F:H,S:64:8,8", "fetch_on_write (F)"},
        {"-gpgpu_cache:dl1 N:32:128:4,L:L:s:L:H,S:64:8,8", "lazy_fetch (L)"},
        {"-gpgpu_cache:dl1 N:32:128:4,L:B:f:N:H,S:64:8,8", "write_back (B) with on_fill"},
        {"-gpgpu_cache:dl1 N:32:128:4,L:B:s:N:H,S:64:8,8", "write_back (B) with streaming"},
        {"-gpgpu_cache:dl1 S:32:64:4,L:L:m:N:H,S:64:8,8", "lines of 4 sectors of 32B"},
        {"-gpgpu_cache:dl1 S:32:32:4,L:L:m:N:H,S:64:8,8", "lines of 4 sectors of 32B"},
        {"-gpgpu_cache:dl1 Q:32:128:4,L:L:m:N:H,S:64:8,8", "'Q' is no cache type"},
        {"-gpgpu_cache:dl1 N:32:128:4,L:L:m:N:H,T:64:8,8", "needs exactly ':<fifo>'"},
        {"-gpgpu_cache:dl1 N:32:128:4,L:L:m:N:H,T:64:8,8:2,32", "needs exactly ':<fifo>'"},
        {"-gpgpu_cache:dl1 N:32:128:4,L:L:m:N:H,S:64:8", "expected ',' at character 28"},
        {"-gpgpu_cache:dl1 N:32:128:4,L:L:m:N:H,S:64:8,8x", "expected the end"},
        {"-gpgpu_cache:dl1 N:32:128:-4,L:L:m:N:H,S:64:8,8", "expected a number"},
        {"-gpgpu_cache:dl1 N:0:128:4,L:L:m:N:H,S:64:8,8", "must not be 0"},
        {"-gpgpu_cache:dl1 N:99999999999:128:4,L:L:m:N:H,S:64:8,8", "a number of 32 bits"},
        {"-gpgpu_cache:dl1 N:32:128:4,L:L:m:N:H,S:64:8,8:0,48", "48B does not divide the line"},
        {"-gpgpu_cache:dl1 N:32:100:4,L:L:m:N:H,S:64:8,8", "line: expected a power of two"},
        {"-gpgpu_cache:dl1 N", "expected ':'"},
        {"-gpgpu_cache:dl2 S:64:128:8,L:T:m:L:L,A:256:4,4", "write_through (T) L2"},
        {"-gpgpu_cache:dl1", "needs a value"},
        {"-gpgpu_scheduler two_level_active:999:0:1", "scheduler.active: expected"},
        {"-gpgpu_shader_core_pipeline 1536:16", "warps of 32 threads"},
        {"-gpgpu_n_clusters 0", "expected a count"},
        {"-gpgpu_n_clusters 1000\n-gpgpu_n_cores_per_cluster 64", "gpu.sms: expected"},
        {"-gpgpu_coalesce_arch 10", "coalescer.arch: expected a whole number from 13"},
        {"-gpgpu_clock_domains fast", "expected <core MHz>"},
        {"-gpgpu_clock_domains 700:700:700", "expected <core MHz>"},
        {"-gpgpu_clock_domains 700:700:700:0", "dram.clock: expected a frequency"},
        {"-gpgpu_clock_domains -1:700:700:924", "gpu.clock: expected a frequency"},
        {"-gpgpu_pipeline_widths 2,0,0,1", "expected 7, 9, 11 or 13"},
        {"-trace_opcode_latency_initiation_sp 4", "expected <latency>,<initiation interval>"},
        {"-trace_opcode_latency_initiation_sp 4,0", "pipe.sp.interval: expected"},
        {"-specialized_unit_1 1,4,4,BRA", "expected <0 or 1>,<units>"},
        {"-gpgpu_operand_collector_num_in_ports_sp 3", NULL},
        {"-gpgpu_enable_specialized_operand_collector 0", "num_units_gen"},
        {"-gpgpu_dram_timing_opt nbk=16:CCDX=2", "expected nbk="},
        {"-gpgpu_dram_timing_opt nbk=16:CCD=", "expected nbk="},
        {"-gpgpu_dram_timing_opt nbk=16:CCD=99999", "dram.ccd: expected"},
        {"-gpgpu_mem_addr_mapping dramid@8;0000RRRR", "expected 64 letters"},
        {"-network_mode 3", "expected 1 (fly) or 2 (crossbar)"},
        {"-network_mode 0", "expected 1 (fly) or 2 (crossbar)"},
        {"-gpgpu_dram_scheduler frfcfs", "expected 0 (fifo) or 1 (frfcfs)"},
        {"-dram_bnkgrp_indexing_policy 2", "expected 0 (high) or 1 (low)"},
        {"-gpgpu_l1_cache_write_ratio 101", "whole percents"},
        {"-gpgpu_shmem_option 8,0", "rising sizes"},
        {"-gpgpu_mem_addr_mapping dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRBBBBB."
         "BBBBCCCB.CCSSSSSS",
         "dram.bank_mask: its 10 bits number more banks"},
        {"-gpgpu_mem_addr_mapping dramid@99;0", "expected dramid@"},
        {"-gpgpu_flush_l1_cache yes", "expected 0 or 1"},
        {"stray", "expected an option"},
        {"-gpgpu_adaptive_cache_config 1\n-gpgpu_unified_l1d_size 50", "l1d.unified"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine machine;
        char *found;
        enum status status = read_after_fermi(cases[i].line, false, &machine, &found);
        if (!cases[i].expected)
            assert_int_equal(status, STATUS_OK);
        else if (status != STATUS_INVALID || !strstr(found, cases[i].expected))
            fail_msg("%s: expected '%s' in\n%s", cases[i].line, cases[i].expected, found);
        free(found);
    }
}

/* Asserts "path=value"; NULL is always true. */
static void assert_setting(const struct machine *machine, const char *setting)
{
    char path[64], value[VALUE_TEXT];
    if (!setting)
        return;
    snprintf(path, sizeof path, "%.*s", (int)strcspn(setting, "="), setting);
    const struct parameter *parameter = parameter_find(path);
    parameter_print(parameter, parameter_get(parameter, machine), value);
    assert_string_equal(value, strchr(setting, '=') + 1);
}

static void test_approximated(void **state)
{
    (void)state;
    static const struct {
        const char *line, *expected, *setting;
    } cases[] = {
        {"-gpgpu_scheduler fancy", "gto is taken", "scheduler.policy=gto"},
        {"-gpgpu_scheduler two_level_active:5:1:1", "the only form", "scheduler.active=5"},
        {"-gpgpu_scheduler warp_limiting:1:4", "limited over gto", "scheduler.active=4"},
        {"-gpgpu_n_mem 8\n-gpgpu_memory_partition_indexing 3", "PAE over 16 slices",
         "l2.partition=xor"},
        {"-gpgpu_n_mem 4\n-gpgpu_memory_partition_indexing 2", "asserts on 8 slices",
         "l2.partition=ipoly"},
        {"-gpgpu_n_mem 40\n-gpgpu_memory_partition_indexing 6", "later versions take for 80 slices",
         "l2.partition=ipoly_rest"},
        {"-gpgpu_memory_partition_indexing 5", "written into the simulator", "l2.partition=linear"},
        {"-gpgpu_cache:dl1 N:128:128:4,L:L:m:N:P,S:64:8,8", "asserts on 128 sets",
         "l1d.index=ipoly"},
        {"-gpgpu_ptx_sim_mode 1", "without timing them", NULL},
        {"-gpgpu_operand_collector_num_out_ports_sp 1", "both directions", "core.sp_ports=1"},
        {"-gpgpu_operand_collector_num_in_ports_mem 2", "enters at once", NULL},
        {"-gpgpu_operand_collector_num_units_gen 8\n-gpgpu_operand_collector_num_in_ports_gen 8\n"
         "-gpgpu_operand_collector_num_out_ports_gen 8",
         "all pipes share", "core.collectors=8"},
        {"-dram_bnk_indexing_policy 3", "written into the simulator", "dram.bank_hash=no"},
        {"-gpgpu_dram_partition_queues 8:8:8:9", "smallest is taken", "l2.queue=8"},
        {"-gpgpu_cache:il1 S:4:128:4,L:R:f:N:L,S:2:32,4", "whole lines", "l1i.size=2KiB"},
        {"-gpgpu_clock_domains 700:700:700:924:2000", "after the fourth", "dram.clock=924MHz"},
        {"-gpgpu_pipeline_widths 2,0,0,1,1,2,0,0,1,1,2,0,0,4,4", "after the thirteenth",
         "core.results=2"},
        {"-gpgpu_pipeline_widths 2,2,1,2,1,1,3", "as many latches", "core.results=3"},
        {"-gpgpu_max_insn 1000", "stops early", NULL},
        {"-gpgpu_scheduler two_level_active", "6 warps are taken", "scheduler.active=6"},
        {"-gpgpu_dram_timing_opt nbk=8:CCD=2:RRD=6:RCD=12:RAS=28:RP=12:RC=40:CL=12:WL=4:CDLR=5:"
         "WR=12",
         "numbers 16 banks", "dram.banks=16"},
        {"-gpgpu_n_chiplet_partition 2", "in parts", NULL},
        {"-gpgpu_mem_addr_mapping "
         "dramid@8;GGGGGGGG.00000000.00000000.00000000.0000RRRR.RRRRRRRR.BBBCCCCB."
         "CCSSSSSS",
         "called 'G'", "dram.bank_mask=0xe100"},
        {"-gpgpu_adaptive_cache_config 1", "128 KB are taken", "l1d.unified=128KiB"},
        {"-gpgpu_coalesce_arc 20 30 40", "-gpgpu_coalesce_arc (is it -gpgpu_coalesce_arch?)",
         "coalescer.arch=20"},
        {"-fork_a 1\n-fork_b", "-fork_a, -fork_b", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine machine;
        char *found;
        if (read_after_fermi(cases[i].line, false, &machine, &found) ||
            !strstr(found, cases[i].expected) || !strstr(found, "warning: "))
            fail_msg("%s: expected a warning of '%s' in\n%s", cases[i].line, cases[i].expected,
                     found);
        assert_setting(&machine, cases[i].setting);
        free(found);
    }
}

/* What changes results and is not modelled is an error, and with `nearest` the first warning. */
static void test_nearest(void **state)
{
    (void)state;
    static const struct {
        const char *line, *expected, *setting;
    } cases[] = {
        {"-gpgpu_perfect_mem 1", "every access of memory hits", NULL},
        {"-gpgpu_perfect_mem", "every access of memory hits", NULL}, /* a flag alone is on */
        {"-l2_ideal 1", "always hits", NULL},
        {"-gpgpu_cache:dl2_texture_only 1", "serves textures only", "l2.enabled=no"},
        {"-gpgpu_l1_banks 99", "the nearest is 64", "l1d.banks=64"},
        {"-gpgpu_kernel_launch_latency 999999999", "the nearest is", "gpu.launch_latency=10000000"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine machine;
        char line[200], *found;
        snprintf(line, sizeof line, "-gpgpu_scheduler fancy\n%s\n", cases[i].line);
        assert_int_equal(read_after_fermi(line, false, &machine, &found), STATUS_INVALID);
        if (!strstr(found, cases[i].expected) || !strstr(found, "--nearest"))
            fail_msg("%s: expected an error of '%s' in\n%s", line, cases[i].expected, found);
        free(found);
        assert_int_equal(read_after_fermi(line, true, &machine, &found), STATUS_OK);
        const char *warning = strstr(found, cases[i].expected), *other = strstr(found, "gto is");
        if (!warning || !other || warning > other)
            fail_msg("%s: expected '%s' first in\n%s", line, cases[i].expected, found);
        assert_setting(&machine, cases[i].setting);
        free(found);
    }
}

/* What a file can say that few files do. */
static void test_mechanisms(void **state)
{
    (void)state;
    static const struct {
        const char *line, *setting;
    } cases[] = {
        {"-gpgpu_memory_partition_indexing 2", "l2.partition=ipoly_rest"},
        {"-gpgpu_memory_partition_indexing 6", "l2.partition=ipoly_rest"},
        {"-gpgpu_memory_partition_indexing 4", "l2.partition=random"},
        {"-gpgpu_clock_domains 700:600:650:924", "l2.clock=650MHz"},
        {"-gpgpu_clock_domains 700:600:650:924", "network.clock=600MHz"},
        {"-gpgpu_clock_domains 700:600:600:924", "l2.clock=0Hz"},
        {"-gpgpu_dual_issue_diff_exec_units 0\n-gpgpu_max_insn_issue_per_warp 2",
         "scheduler.same_pipe=yes"},
        {"-dram_bnk_indexing_policy 1", "dram.bank_hash=xor"},
        {"-dram_bnk_indexing_policy 2", "dram.bank_hash=ipoly"},
        {"-dram_bnkgrp_indexing_policy 0", "dram.group_bits=high"},
        {"-dram_seperate_write_queue_enable 1\n-dram_write_queue_size 40:30:20",
         "dram.write_queue=40"},
        {"-dram_seperate_write_queue_enable 0\n-dram_write_queue_size 40:30:20",
         "dram.write_queue=0"},
        {"-gpgpu_cache:dl1 32:128:4:L:L:m,A:32:8,8", "l1d.size=16KiB"},
        {"-gpgpu_cache:dl1 32:128:4:L:L:m,A:32:8,8", "l1d.write_allocate=none"},
        {"-gpgpu_cache:il1 4:256:4:L:R:f,A:2:32,4", "l1i.size=4KiB"},
        {"-gpgpu_n_mem 8\n-gpgpu_mem_addr_mapping "
         "dramid@8;RRRRRRRR.RRRRRRRR.RRRRRRRR.RRRRRRRR.RRRRRRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS",
         "dram.row_mask=0x1ffffffffc0000"},
        {"-gpgpu_n_cores_per_cluster 5", "gpu.cluster=5"},
        {"-gpgpu_n_cores_per_cluster 5", "gpu.sms=75"},
        {"-gpgpu_operand_collector_num_in_ports_sfu 2\n"
         "-gpgpu_operand_collector_num_out_ports_sfu 2",
         "core.sfu_ports=2"},
        {"-gpgpu_operand_collector_num_units_dp 6", "core.dp_collectors=6"},
        {"-gpgpu_n_clusters 15", "gpu.simulator_faults=yes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine machine;
        char *found;
        if (read_after_fermi(cases[i].line, false, &machine, &found))
            fail_msg("%s", found);
        assert_setting(&machine, cases[i].setting);
        free(found);
    }
}

/* The configurations that the simulator ships, and the machines that are to their letter. */
static void test_shipped_configurations(void **state)
{
    (void)state;
    static const struct {
        const char *folder, *machine;
    } shipped[] = {{"SM2_GTX480", "gtx480-accelsim"},    {"SM3_KEPLER_TITAN", "titan-accelsim"},
                   {"SM6_TITANX", "titanx-accelsim"},    {"SM7_TITANV", "titanv-accelsim"},
                   {"SM7_GV100", "gv100-accelsim"},      {"SM7_QV100", "qv100-accelsim"},
                   {"SM75_RTX2060", "rtx2060-accelsim"}, {"SM75_RTX2060_S", "rtx2060s-accelsim"},
                   {"SM86_RTX3070", "rtx3070-accelsim"}};
    char path[4096], name[100];
    if (!shared_data("configs/SM2_GTX480/gpgpusim.config", path, sizeof path)) {
        print_message("no shipped configurations (WARPSCAPE_SHARED or ../shared): skipped\n");
        skip();
    }
    for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++) {
        struct machine file, machine;
        snprintf(name, sizeof name, "configs/%s/gpgpusim.config", shipped[i].folder);
        assert_non_null(shared_data(name, path, sizeof path));
        assert_int_equal(machine_load(path, NULL, &file, NULL, NULL), STATUS_OK);
        assert_int_equal(machine_load(shipped[i].machine, NULL, &machine, NULL, NULL), STATUS_OK);
        assert_machines_equal(&machine, &file, shipped[i].machine);
        assert_true(machine.gpu.simulator_faults);
        assert_false(machine.tlb.enabled);
    }
}

/* Every name of an older version reads as today's does. */
static void test_older_names(void **state)
{
    (void)state;
    static const struct {
        const char *line, *setting;
    } cases[] = {
        {"-gmem_skip_L1D 1", "l1d.skip=yes"},
        {"-l1_latency 82", "l1d.latency=82"},
        {"-smem_latency 19", "core.shared_latency=19"},
        {"-gpgpu_n_mem 4\n-memory_partition_indexing 1", "l2.partition=xor"},
        {"-rop_latency 7", "l2.latency=7"},
        {"-kernel_launch_latency 222150", "gpu.launch_latency=222150"},
        {"-dual_bus_interface 1", "dram.dual=yes"},
        {"-gpgpu_dram_sched_queue_size 16", "dram.queue=16"},
        {"-adpative_volta_cache_config 1", "l1d.unified=128KiB"},
        {"-sub_core_model 0", "core.subcores=no"},
        {"-reg_file_port_throughput 2", "core.reads=2"},
        {"-perfect_inst_const_cache 1", "l1i.enabled=no"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine machine;
        char *found;
        if (read_after_fermi(cases[i].line, false, &machine, &found))
            fail_msg("%s", found);
        assert_null(strstr(found, "does not have"));
        assert_setting(&machine, cases[i].setting);
        free(found);
    }
}

/* What a file leaves out is the simulator's default and not our fallback, and that is said. */
static void test_defaults(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "gpu.sms=30",         "gpu.max_threads=1024", "l1d.enabled=no",        "l2.slices=8",
        "l2.latency=85",      "dram.latency=30",      "coalescer.arch=13",     "scheduler.count=1",
        "scheduler.issue=2",  "core.sp_collectors=4", "core.sfu_collectors=4", "core.banks=8",
        "gpu.registers=8192", "l1i.size=4KiB",        "l2.flush=no",           "dram.banks=4",
        "dram.groups=1",      "dram.queue=4096",      "network.ejected=8",     "l2.interleave=1KiB",
        "tlb.enabled=no",     "pipe.sp.latency=4",    "l1d.reuse.wait=use",    "network.flit=32B"};
    struct machine machine;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(gpgpusim_read("-gpgpu_n_mem 8", "c", &machine, &diagnostics), STATUS_OK);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        assert_setting(&machine, settings[i]);
    char *found = messages_take(&diagnostics);
    assert_non_null(strstr(found, "-gpgpu_l2_rop_latency 85, "));
    assert_non_null(strstr(found, "-gpgpu_cache:dl1 none, "));
    free(found);
    read_good("-gpgpu_cache:dl1 N:32:128:4,L:L:m:N:H,S:64:8,8\n", &machine);
    assert_int_equal(machine.l1d.latency, 1);
    assert_int_equal(machine.l1d.flush, 0);
}

/* A file that leaves out the whole machine is not the one that was meant. */
static void test_nothing_found(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"", "no option of gpgpusim.config found in some.config"},
        {"# -gpgpu_n_mem 8\n", "no option of gpgpusim.config found in some.config"},
        {"-no_such_option 8", "no option of gpgpusim.config found in some.config"},
        {"-trace_opcode_latency_initiation_int 4,2\n-specialized_unit_1 1,4,4,4,4,BRA\n",
         "some.config says how long instructions take and nothing else, as a trace.config does"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine machine;
        struct diagnostics found = DIAGNOSTICS_INIT;
        assert_int_equal(gpgpusim_read(cases[i].text, "some.config", &machine, &found),
                         STATUS_INVALID);
        assert_int_equal(found.count, 1);
        char *messages = messages_take(&found);
        if (!strstr(messages, cases[i].why))
            fail_msg("expected '%s', got '%s'", cases[i].why, messages);
        free(messages);
    }
}

/* The simulator's parser: numbers in three bases, a flag without a value, comments in quotes, tabs,
 * CRLF, the last of repeated options, a list that ends with its separator, no newline at the end.
 */
static void test_words(void **state)
{
    (void)state;
    static const struct {
        const char *text, *setting;
    } cases[] = {
        {"-gpgpu_shader_cta 0x10", "gpu.max_blocks=16"},
        {"-gpgpu_shader_core_pipeline 2048:32:192", "gpu.max_threads=2048"},
        {"-gpgpu_shader_cta 010", "gpu.max_blocks=8"},
        {"-gpgpu_shader_cta\t5\r\n", "gpu.max_blocks=5"},
        {"\xef\xbb\xbf-gpgpu_shader_cta 5", "gpu.max_blocks=5"},
        {"-gpgpu_shader_cta 5 -gpgpu_shader_cta 6", "gpu.max_blocks=6"},
        {"-gpgpu_shader_cta # none here\n 7", "gpu.max_blocks=7"},
        {"-gpgpu_shader_cta \"9\"", "gpu.max_blocks=9"},
        {"-gpgpu_flush_l1_cache -gpgpu_shader_cta 3", "l1d.flush=yes"},
        {"-gpgpu_warpdistro_shader -1 -gpgpu_shader_cta 3", "gpu.max_blocks=3"},
        {"-gpgpu_dram_timing_opt \"nbk=8:CCD=2: # a "
         "note\n\tRRD=6:RCD=9:RAS=28:RP=12:RC=40:CL=12:WL=4:\n"
         "CDLR=5:WR=12:\"",
         "dram.rcd=9"},
        {"-gpgpu_dram_timing_opt 8:2:6:9:28:12:40:12:4:5:12:1:0:0", "dram.wr=12"},
        /* Files that were joined without a newline between them. */
        {"-gpgpu_n_mem 6-gpgpu_shader_cta 3", "gpu.max_blocks=3"},
        {"#-trace_sampling_core 0-trace_opcode_latency_initiation_int 2,2", "pipe.int.interval=2"},
        {"#-gpgpu_shader_cta 3\n# or no-gpgpu_shader_ctas 4", "gpu.max_blocks=32"},
        {"-gpgpu_clock_domains \"700 : 700 : 700 : 924\"", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        struct machine machine;
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        snprintf(text, sizeof text, "%s%s", cases[i].text, "");
        char *longer = NULL;
        assert_true(asprintf(&longer, "%s\n%s", text,
                             "-gpgpu_cache:dl1 N:32:128:4,L:L:m:N:H,S:64:8,8") > 0);
        enum status status = gpgpusim_read(longer, "c", &machine, &diagnostics);
        char *found = messages_take(&diagnostics);
        if (!cases[i].setting)
            assert_int_equal(status, STATUS_INVALID);
        else if (status)
            fail_msg("%s: %s", text, found);
        assert_setting(&machine, cases[i].setting);
        free(found);
        free(longer);
    }
}

static void test_places(void **state)
{
    (void)state;
    struct machine machine;
    char *found;
    (void)read_after_fermi("-gpgpu_l1_banks 99 # c\n-gpgpu_pipeline_widths 3,0,0,1,1,2,0,0,1,1,2\n"
                           "-gpgpu_cache:dl1 x",
                           false, &machine, &found);
    /* The file of the GTX 480 lacks some options, which comes first: it has no line. */
    assert_non_null(strstr(
        found, "c:1:17: -gpgpu_l1_banks 99: l1d.banks: expected a whole number from 1 to 64, got "
               "'99'; the nearest is 64\n"
               "    1 | -gpgpu_l1_banks 99 # c\n"
               "      |                 ^~\n"
               "c:2:24: warning: -gpgpu_pipeline_widths 3,0,0,1,1,2,0,0,1,1,2: here a pipe has as "
               "many latches before and after its operand collectors as units, so cycles differ\n"
               "    2 | -gpgpu_pipeline_widths 3,0,0,1,1,2,0,0,1,1,2\n"
               "      |                        ^~~~~~~~~~~~~~~~~~~~~\n"
               "c:3:18: l1d: expected ':' at character 2 of 'x'\n"
               "    3 | -gpgpu_cache:dl1 x\n"
               "      |                  ^\n"));
    free(found);
}

/* BookSim's file: what is a parameter, what a network of one stage cannot have, and what is ours.
 */
static void test_booksim(void **state)
{
    (void)state;
    struct machine machine;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    machine_defaults(&machine);
    assert_int_equal(
        gpgpusim_read_booksim("// vc_buf_size = 7;\nflit_size = 32; \n\ntopology = fly;k = "
                              "27;n=1;\ninput_buffer_size\t= 256;vc_buf_size = 128 ;"
                              "internal_speedup  = 2.0;\nejection_buffer_size = 128;"
                              "packet_size ={{1,2},{10,20}};",
                              "n", &machine, &diagnostics),
        STATUS_OK);
    assert_int_equal(diagnostics.count, 0);
    assert_int_equal(machine.network.flit, 32);
    assert_int_equal(machine.network.queue, 128);
    assert_int_equal(machine.network.inject, 256);
    (void)gpgpusim_read_booksim(
        "topology = mesh; k = 6; n = 2; num_vcs = 4; input_buffer_size = 0;\n= ;x", "n", &machine,
        &diagnostics);
    assert_int_equal(machine.network.inject, 9);
    char *found = messages_take(&diagnostics);
    assert_non_null(strstr(found, "n: warning: "));
    assert_non_null(strstr(found, "cycles differ: topology mesh, n 2, num_vcs 4\n"));
    free(found);
}

/* The table itself: names are there once, older names lead to rows, every default can be read. */
static void test_table(void **state)
{
    (void)state;
    size_t classes[4] = {0};
    for (size_t i = 0; i < gpgpusim_option_count; i++) {
        const struct gpgpusim_option *option = &gpgpusim_options[i];
        const size_t length = strlen(option->path ? option->path : "");
        assert_ptr_equal(gpgpusim_option_find(option->name, strlen(option->name)), option);
        assert_true(!length || option->path[length - 1] == '.' || parameter_find(option->path));
        assert_true(option->class == GPGPUSIM_MODELLED ? option->path != NULL
                                                       : option->effect != NULL);
        classes[option->class]++;
    }
    for (size_t i = 0; i < 4; i++)
        assert_true(classes[i] > 2);
}

/* "name,type,default,where", where a default with commas is in quotes. */
static void assert_row(const char *line)
{
    char name[100], type[20], fallback[100] = "";
    int taken = 0;
    assert_int_equal(sscanf(line, "%99[^,],%19[^,],%n", name, type, &taken), 2);
    if (line[taken] == '"')
        sscanf(line + taken, "\"%99[^\"]", fallback);
    else
        sscanf(line + taken, "%99[^,]", fallback);
    const struct gpgpusim_option *option = gpgpusim_option_find(name, strlen(name));
    if (!option)
        fail_msg("%s has no row", name);
    assert_string_equal(option->fallback ? option->fallback : "", fallback);
}

/* Every option that the simulator registers has a row, with its default. */
static void test_all_options(void **state)
{
    (void)state;
    char path[500], line[500];
    size_t count = 0;
    if (!shared_data("reference/gpgpusim_options.csv", path, sizeof path))
        skip();
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file)); /* the header */
    for (; fgets(line, sizeof line, file); count++)
        assert_row(line);
    fclose(file);
    assert_true(count > 200);
}

/* What the simulator's first hash has no polynomial for is written as that of later versions, and
 * comes back. */
static void test_many_slices(void **state)
{
    (void)state;
    struct machine machine, again;
    char *found, *text;
    assert_int_equal(read_after_fermi("-gpgpu_n_mem 40\n-gpgpu_memory_partition_indexing 6", false,
                                      &machine, &found),
                     STATUS_OK);
    free(found);
    assert_int_equal(gpgpusim_write(&machine, &text, NULL), STATUS_OK);
    assert_non_null(strstr(text, "-gpgpu_memory_partition_indexing 6\n"));
    assert_int_equal(gpgpusim_read(text, "c", &again, NULL), STATUS_OK);
    assert_setting(&again, "l2.partition=ipoly_rest");
    free(text);
}

static void test_refused_on_writing(void **state)
{
    (void)state;
    static const struct {
        const char *assignments[3];
        const char *expected;
    } cases[] = {
        {{"l1d.replacement=plru"}, "l1d: GPGPU-Sim replaces by LRU or FIFO only"},
        {{"l1d.index=xor", "l1d.size=24KiB", "l1d.ways=6"}, NULL}, /* 32 sets: fine */
        {{"l1d.index=linear", "l1d.size=24KiB"}, "must be a power of two, not 48"},
        {{"l1d.index=ipoly", "l1d.size=64KiB"}, "asserts on 128 sets"},
        {{"l1d.sector=64B"}, "lines of 4 sectors of 32B"},
        {{"l1d.allocate=streaming", "l1d.write=write_back"}, "cannot be combined with write_back"},
        {{"l1d.mshr.kind=fifo", "l1d.port=32B"}, "no port width"},
        {{"l1d.size=17000B"}, "l1d.size: 17000B is not a multiple"},
        {{"l2.slices_per_channel=5"}, "do not fill channels"},
        {{"tlb.entries=32", "tlb.ways=32"}, NULL},
        {{"scheduler.policy=gty"}, "no word for this scheduler"},
        {{"scheduler.policy=tb_priority"}, "no word for this scheduler"},
        {{"l1d.dirty=12.5%"}, "whole percents"},
        {{"l2.slices=16"}, "choose the channel"},
        {{"core.barrier_threads=16"}, "warps arrive at barriers at once"},
        {{"dram.latency_clock=100MHz"}, "latency of the DRAM is in core cycles"},
        {{"gpu.clock=100MHz", "dram.latency_clock=100MHz"}, NULL},
        {{"machine.kind=graphics"}, "kind graphics has no caches of kernels"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine machine;
        struct diagnostics diagnostics = DIAGNOSTICS_INIT;
        char *text;
        machine_defaults(&machine);
        for (size_t k = 0; k < 3 && cases[i].assignments[k]; k++)
            assert_int_equal(machine_set_text(&machine, cases[i].assignments[k], NULL), STATUS_OK);
        enum status status = gpgpusim_write(&machine, &text, &diagnostics);
        char *found = messages_take(&diagnostics);
        if (!cases[i].expected)
            assert_int_equal(status, STATUS_OK);
        else if (status != STATUS_UNSUPPORTED || text || !strstr(found, cases[i].expected))
            fail_msg("%s: expected '%s' in\n%s", cases[i].assignments[0], cases[i].expected, found);
        free(found);
        free(text);
    }
}

/* Whether the note of what is lost names a parameter. */
static bool is_named(const char *note, const char *path)
{
    const size_t length = strlen(path);
    for (const char *at = note; (at = strstr(at, path)) != NULL; at++)
        if (at > note && at[-1] == ' ' && at[length] == ' ')
            return true;
    return false;
}

/* Writes, reads and compares: every parameter that has an option survives, and the others survive
 * or are named. False if GPGPU-Sim cannot express the machine. */
static bool survives(const struct machine *machine, const char *name)
{
    struct machine back;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    char *text;
    enum status status = gpgpusim_write(machine, &text, &diagnostics);
    char *note = messages_take(&diagnostics);
    if (!status) {
        read_good(text, &back);
        assert_non_null(strstr(note, "-gpgpu_pipeline_widths has as many latches as"));
    }
    for (size_t i = 0; i < parameter_count && !status; i++) {
        const struct parameter *parameter = &parameters[i];
        if (!parameter_relevant(parameter, machine) ||
            parameter_equal(parameter, parameter_get(parameter, machine),
                            parameter_get(parameter, &back)))
            continue;
        if (has_option(parameter, machine))
            fail_msg("%s: %s differs after\n%s", name, parameter->path, text);
        if (!is_named(note, parameter->path))
            fail_msg("%s: %s is lost and not named in\n%s", name, parameter->path, note);
    }
    free(note);
    free(text);
    return !status;
}

static void test_shipped_machines_survive(void **state)
{
    (void)state;
    for (const struct embedded_file *file = embedded_machines; file->name; file++) {
        struct machine machine;
        assert_int_equal(machine_load(file->name, NULL, &machine, NULL, NULL), STATUS_OK);
        bool written = survives(&machine, file->name);
        /* Neither a tree PLRU, nor the hashes of modern caches, nor a tile cache exist in
         * GPGPU-Sim. */
        assert_int_equal(written, strcmp(file->name, "simt-processor") != 0 &&
                                      machine.kind != KIND_GRAPHICS &&
                                      machine.l1d.index != INDEX_SCATTER);
    }
}

/* The fallback, or one of the machines that the program has. */
static void start_at(struct machine *machine, uint64_t seed)
{
    size_t count = 0;
    while (embedded_machines[count].name)
        count++;
    machine_defaults(machine);
    if (seed % 8 == 0) /* reading one takes longer than the rest of the test of a seed */
        assert_int_equal(
            machine_load(embedded_machines[seed / 8 % count].name, NULL, machine, NULL, NULL),
            STATUS_OK);
}

static void test_random_machines_survive(void **state)
{
    (void)state;
    size_t written = 0;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        struct machine machine;
        struct violation found[VIOLATION_MAX];
        start_at(&machine, seed);
        for (uint64_t i = 0; i < 4; i++) {
            uint64_t random = random_at(seed, i);
            const struct parameter *parameter = &parameters[random % parameter_count];
            struct value value = parameter_get(parameter, &machine);
            if (parameter_next(parameter, value, random & 1 << 20 ? 1 : -1, &value))
                parameter_set(parameter, &machine, value);
        }
        if (!machine_check(&machine, found))
            written += survives(&machine, "random");
    }
    assert_true(written > 300);
}

static void test_recognize(void **state)
{
    (void)state;
    assert_true(gpgpusim_recognize("# c\n\n  -gpgpu_n_mem 6\n"));
    assert_false(gpgpusim_recognize("# c\nl1d: 3\n"));
    assert_false(gpgpusim_recognize("- a\n"));
    assert_false(gpgpusim_recognize("-1\n"));
    assert_false(gpgpusim_recognize("--- \n"));
    assert_false(gpgpusim_recognize(""));
}

/* Bytes at random from the alphabet of these files: no crash, no endless loop. */
static void test_noise(void **state)
{
    (void)state;
    static const char alphabet[] = "-gpgpu_cache:dl1 \n\"#NSLm:,0123456789none\t";
    for (uint64_t seed = 0; seed < 1000; seed++) {
        char text[200] = "-gpgpu_cache:dl1 ";
        size_t length = strlen(text) * (seed & 1);
        for (; length < sizeof text - 1; length++)
            text[length] = alphabet[random_at(seed, length) % (sizeof alphabet - 1)];
        struct machine machine;
        (void)gpgpusim_read(text, "noise", &machine, NULL);
    }
}

/* The simulator's files with a few letters changed: what is still a machine survives the way to a
 * file and back. */
static void test_changed_files(void **state)
{
    (void)state;
    static const char alphabet[] = "0123456789:,;=@-. BRCSD\n\"";
    size_t read = 0;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        const size_t file = seed % (sizeof simulator / sizeof *simulator);
        char text[4096];
        struct machine machine;
        snprintf(text, sizeof text, "%s", simulator[file].text);
        const size_t length = strlen(text);
        for (uint64_t i = 0; i < 1 + seed % 3; i++) {
            const uint64_t random = random_at(seed, i);
            text[random % length] = alphabet[(random >> 32) % (sizeof alphabet - 1)];
        }
        if (gpgpusim_read(text, "changed", &machine, NULL))
            continue;
        read++;
        survives(&machine, text);
    }
    assert_true(read > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gtx480),
        cmocka_unit_test(test_volta),
        cmocka_unit_test(test_machines_of_the_simulator),
        cmocka_unit_test(test_strings_survive),
        cmocka_unit_test(test_strings_of_version_3),
        cmocka_unit_test(test_refused_on_reading),
        cmocka_unit_test(test_approximated),
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_mechanisms),
        cmocka_unit_test(test_shipped_configurations),
        cmocka_unit_test(test_older_names),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_nothing_found),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_booksim),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_all_options),
        cmocka_unit_test(test_many_slices),
        cmocka_unit_test(test_refused_on_writing),
        cmocka_unit_test(test_shipped_machines_survive),
        cmocka_unit_test(test_random_machines_survive),
        cmocka_unit_test(test_recognize),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_changed_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
