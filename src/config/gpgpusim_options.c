#include "config/gpgpusim_options.h"

#include <stdio.h>
#include <string.h>

#include "config/gpgpusim_core.h"
#include "config/gpgpusim_memory.h"
#include "config/gpgpusim_values.h"

#define COLLECTOR "-gpgpu_operand_collector_num_"
#define LATENCY   "-trace_opcode_latency_initiation_"

/* A comment above the next row. */
#define HEADING(text) .heading = text

/* A plain number: a parameter says the same. */
#define SAME(name_, fallback_, path_)                                                              \
    .name = name_, .class = GPGPUSIM_MODELLED, .fallback = fallback_, .path = path_
/* A value of several fields, or one that depends on others. */
#define FIELDS(name_, fallback_, path_, function)                                                  \
    SAME(name_, fallback_, path_), .read = gpgpusim_read_##function,                               \
                                   .write = gpgpusim_write_##function
/* A number for each of these words of the parameter. */
#define WORDS(name_, fallback_, path_, ...)                                                        \
    SAME(name_, fallback_, path_), .read = gpgpusim_read_word, .write = gpgpusim_write_word,       \
                                   .words = (const char *const[])                                  \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
/* Likewise, and not everything that it can say has a parameter. */
#define NEARLY(name_, fallback_, path_, function, effect_)                                         \
    .name = name_, .class = GPGPUSIM_APPROXIMATED, .fallback = fallback_, .path = path_,           \
    .read = gpgpusim_read_##function, .write = gpgpusim_write_##function, .effect = effect_
/* The same of a single number. */
#define NUMBER(name_, fallback_, path_, function, effect_)                                         \
    .name = name_, .class = GPGPUSIM_APPROXIMATED, .fallback = fallback_, .path = path_,           \
    .read = gpgpusim_read_##function, .write = gpgpusim_write_number, .effect = effect_
/* No parameter: one value, `neutral_`, is what the models do. */
#define NEAR(name_, fallback_, neutral_, effect_)                                                  \
    .name = name_, .class = GPGPUSIM_APPROXIMATED, .fallback = fallback_, .neutral = neutral_,     \
    .effect = effect_
#define LOST(name_, fallback_, neutral_, effect_)                                                  \
    .name = name_, .class = GPGPUSIM_UNMODELLED, .fallback = fallback_, .neutral = neutral_,       \
    .effect = effect_
#define IDLE(name_, fallback_, effect_)                                                            \
    .name = name_, .class = GPGPUSIM_HARMLESS, .fallback = fallback_, .effect = effect_

/* Why options have no effect. */
#define PTX        "a trace has been executed already: for the execution of PTX"
#define PTX_TIME   "for PTX; with traces those of " LATENCY "* count"
#define RUNTIME    "a limit of the CUDA runtime or what a program may ask for, no part of the timing"
#define PRINTS     "what the simulator prints"
#define POWER      "the model of power"
#define CHECKPOINT "where a simulation is stopped and taken up again"
#define PREFERENCE "for kernels that ask for a split of their L1; a trace does not say"
#define UNREAD     "the simulator does not use it"
#define ENDS       "the simulator stops early; here kernels run to their end"
#define COLLECTORS "collectors of the int pipe, which shares those of sp here, and ports of dp"

/* One of the specialized units 5 to 8, to which no table of opcodes sends an instruction. */
#define SPARE_UNIT(n)                                                                              \
    {IDLE("-specialized_unit_" #n, NULL, "no instruction of the traces goes there")},              \
    {                                                                                              \
        IDLE(LATENCY "spec_op_" #n, NULL, "no instruction of the traces goes there")               \
    }
/* Which unit executes a class of instructions depends on its number alone. */
#define UNIT(n, path)                                                                              \
    {FIELDS("-specialized_unit_" #n, "0,4,4,4,4,BRA", path, unit)},                                \
    {                                                                                              \
        FIELDS(LATENCY "spec_op_" #n, NULL, path, pipe)                                            \
    }

const struct gpgpusim_option gpgpusim_options[] = {
    {HEADING("SMs and memory channels"), FIELDS("-gpgpu_n_clusters", "10", "gpu.sms", clusters)},
    {SAME("-gpgpu_n_cores_per_cluster", "3", "gpu.cluster"), .read = gpgpusim_read_cores,
     .write = gpgpusim_write_number},
    {FIELDS("-gpgpu_n_mem", "8", "l2.slices", channels)},
    {SAME("-gpgpu_n_sub_partition_per_mchannel", "1", "l2.slices_per_channel")},
    {HEADING("<core>:<interconnect>:<l2>:<dram> in MHz"),
     NEARLY("-gpgpu_clock_domains", "500.0:2000.0:2000.0:2000.0", "gpu.clock", clocks,
            "clocks after the fourth, of a fork: times differ")},
    {HEADING("Cycles before a launch"),
     SAME("-gpgpu_kernel_launch_latency", "0", "gpu.launch_latency")},
    {SAME("-gpgpu_TB_launch_latency", "0", "gpu.block_latency")},
    {HEADING("Limits of one SM"),
     FIELDS("-gpgpu_shader_core_pipeline", "1024:32", "gpu.max_threads", pipeline)},
    {SAME("-gpgpu_shader_cta", "32", "gpu.max_blocks")},
    {SAME("-gpgpu_shader_registers", "8192", "gpu.registers")},
    {SAME("-gpgpu_shmem_size", "16384", "gpu.shared_memory")},
    {SAME("-gpgpu_smem_latency", "3", "core.shared_latency")},
    {HEADING("Warp schedulers and coalescing"),
     SAME("-gpgpu_num_sched_per_core", "1", "scheduler.count")},
    {NEARLY("-gpgpu_scheduler", "gto", "scheduler.", scheduler,
            "a scheduler of a fork: gto is taken, so the order of accesses and cycles differ")},
    {SAME("-gpgpu_max_insn_issue_per_warp", "2", "scheduler.issue")},
    {FIELDS("-gpgpu_dual_issue_diff_exec_units", "1", "scheduler.same_pipe", other_pipe)},
    {SAME("-gpgpu_coalesce_arch", "13", "coalescer.arch")},
    {HEADING("Fetch, registers and operand collectors"),
     SAME("-gpgpu_sub_core_model", "0", "core.subcores")},
    {SAME("-gpgpu_inst_fetch_throughput", "1", "core.fetch")},
    {SAME("-gpgpu_num_reg_banks", "8", "core.banks")},
    {SAME("-gpgpu_reg_file_port_throughput", "1", "core.reads")},
    {SAME(COLLECTOR "units_gen", "0", "core.collectors")},
    {SAME(COLLECTOR "in_ports_gen", "0", "core.collector_ports"),
     .read = gpgpusim_read_shared_in_ports, .write = gpgpusim_write_number,
     .written = gpgpusim_has_collectors},
    {NUMBER(COLLECTOR "out_ports_gen", "0", "core.collector_ports", shared_out_ports,
            "another number than in_ports: the smaller one is taken"),
     .written = gpgpusim_has_collectors},
    {NEARLY("-gpgpu_enable_specialized_operand_collector", "1", "core.collectors", collectors,
            "1 beside num_units_gen: all pipes share the latter")},
    {SAME(COLLECTOR "units_sp", "4", "core.sp_collectors")},
    {SAME(COLLECTOR "in_ports_sp", "1", "core.sp_ports")},
    {NUMBER(COLLECTOR "out_ports_sp", "1", "core.sp_ports", out_ports,
            "another number than in_ports: the smaller one is taken")},
    {SAME(COLLECTOR "units_sfu", "4", "core.sfu_collectors")},
    {SAME(COLLECTOR "in_ports_sfu", "1", "core.sfu_ports")},
    {NUMBER(COLLECTOR "out_ports_sfu", "1", "core.sfu_ports", out_ports,
            "another number than in_ports: the smaller one is taken")},
    {SAME(COLLECTOR "units_dp", "0", "core.dp_collectors")},
    {SAME(COLLECTOR "units_mem", "2", "core.memory_collectors")},
    {NEAR(COLLECTOR "in_ports_mem", "1", "1", "one instruction enters at once here")},
    {NEAR(COLLECTOR "out_ports_mem", "1", "1", "one instruction leaves at once here")},
    {HEADING("Execution units"), SAME("-gpgpu_num_sp_units", "1", "pipe.sp.units")},
    {SAME("-gpgpu_num_dp_units", "0", "pipe.dp.units")},
    {SAME("-gpgpu_num_int_units", "0", "pipe.int.units")},
    {SAME("-gpgpu_num_sfu_units", "1", "pipe.sfu.units")},
    {SAME("-gpgpu_num_tensor_core_units", "0", "pipe.tensor.units")},
    {FIELDS("-gpgpu_tensor_core_avail", "0", "pipe.tensor.units", tensor)},
    {HEADING("Latches before and after the operand collectors: as many as the pipe has units here"),
     NEARLY("-gpgpu_pipeline_widths", "1,1,1,1,1,1,1,1,1,1,1,1,1", "core.results", widths,
            "here a pipe has as many latches before and after its collectors as units")},
    {HEADING("L1I: <type>:<sets>:<line>:<ways>,...,<mshr>:<entries>:<merge>,<miss queue>"),
     FIELDS("-gpgpu_perfect_inst_const_cache", "0", "l1i.enabled", perfect)},
    {NEARLY("-gpgpu_cache:il1", "4:256:4,L:R:f:N,A:2:32,4", "l1i.", l1i,
            "sectors, FIFO and hashes: whole lines, LRU and a linear index are taken"),
     .written = gpgpusim_has_l1i},
    {HEADING("L1D: <type>:<sets>:<line>:<ways>,<replacement>:<write>:<allocate>:<write "
             "allocate>:<index>,<mshr>:<entries>:<merge>,<miss queue>[:<fifo>,<port>]"),
     FIELDS("-gpgpu_cache:dl1", "none", "l1d.", l1d)},
    {SAME("-gpgpu_l1_latency", "1", "l1d.latency")},
    {SAME("-gpgpu_l1_banks", "1", "l1d.banks")},
    {SAME("-gpgpu_flush_l1_cache", "0", "l1d.flush")},
    {FIELDS("-gpgpu_adaptive_cache_config", "0", "l1d.unified", adaptive)},
    {FIELDS("-gpgpu_shmem_option", "0", "gpu.shared_options", carveouts),
     .written = gpgpusim_has_carveout},
    {FIELDS("-gpgpu_unified_l1d_size", "0", "l1d.unified", unified),
     .written = gpgpusim_has_carveout},
    {SAME("-gpgpu_gmem_skip_L1D", "0", "l1d.skip")},
    {FIELDS("-gpgpu_l1_cache_write_ratio", "0", "l1d.dirty", percent)},
    {SAME("-gpgpu_n_ldst_response_buffer_size", "2", "core.responses")},
    {SAME("-gpgpu_n_cluster_ejection_buffer_size", "8", "network.ejected")},
    {HEADING("L2, one slice a sub-partition"),
     FIELDS("-gpgpu_cache:dl2", "64:128:8,L:B:m:N,A:16:4,4", "l2.", l2)},
    {SAME("-gpgpu_l2_rop_latency", "85", "l2.latency")},
    {SAME("-gpgpu_flush_l2_cache", "0", "l2.flush"), .written = gpgpusim_has_l2},
    {NEARLY("-gpgpu_memory_partition_indexing", "0", "l2.partition", partition,
            "3 (PAE): 1 (xor) is taken; 1 over slices that are no power of two: none"),
     .written = gpgpusim_has_l2},
    {FIELDS("-gpgpu_mem_address_mask", "0", "dram.bank_mask", mask)},
    {NEARLY("-gpgpu_mem_addr_mapping", "NULL", "l2.interleave", mapping,
            "bits of a fork, and letters D that are no neighbours"),
     .written = gpgpusim_has_mapping},
    {NEARLY("-gpgpu_dram_partition_queues", "8:8:8:8", "l2.queue", queues,
            "unequal lengths: the smallest is taken"),
     .written = gpgpusim_has_l2},
    {HEADING("Network: 1 is BookSim's fly, which a file of its own describes (-inter_config_file)"),
     WORDS("-network_mode", "1", "network.kind", "", "fly", "crossbar")},
    {SAME("-icnt_flit_size", "32", "network.flit")},
    {SAME("-icnt_in_buffer_limit", "64", "network.queue"), .read = gpgpusim_read_limit,
     .write = gpgpusim_write_number, .written = gpgpusim_has_limit},
    {NUMBER("-icnt_out_buffer_limit", "64", "network.queue", limit_out,
            "another number than in_buffer: the smaller one is taken"),
     .written = gpgpusim_has_limit},
    {HEADING("DRAM"), SAME("-dram_latency", "30", "dram.latency")},
    {SAME("-gpgpu_simple_dram_model", "0", "dram.fixed")},
    {WORDS("-gpgpu_dram_scheduler", "1", "dram.scheduler", "fifo", "frfcfs")},
    {SAME("-gpgpu_frfcfs_dram_sched_queue_size", "0", "dram.queue"),
     .read = gpgpusim_read_dram_queue, .write = gpgpusim_write_number},
    {SAME("-gpgpu_dram_return_queue_size", "0", "dram.returns"), .read = gpgpusim_read_dram_queue,
     .write = gpgpusim_write_number},
    {FIELDS("-gpgpu_n_mem_per_ctrlr", "1", "dram.bus", chips)},
    {FIELDS("-gpgpu_dram_buswidth", "4", "dram.bus", bus)},
    {SAME("-gpgpu_dram_burst_length", "4", "dram.burst")},
    {SAME("-dram_data_command_freq_ratio", "2", "dram.rate")},
    {SAME("-dram_dual_bus_interface", "0", "dram.dual")},
    {NEARLY("-dram_bnk_indexing_policy", "0", "dram.bank_hash", bank_hash,
            "3 (a hash that is to be written into the simulator): 0 is taken")},
    {WORDS("-dram_bnkgrp_indexing_policy", "0", "dram.group_bits", "high", "low")},
    {FIELDS("-dram_seperate_write_queue_enable", "0", "dram.write_queue", writes_apart)},
    {FIELDS("-dram_write_queue_size", "32:28:16", "dram.write_queue", write_queue)},
    {FIELDS("-gpgpu_dram_timing_opt", "4:2:8:12:21:13:34:9:4:5:13:1:0:0", "dram.", times)},
    {HEADING("trace.config: the lines below are for Accel-Sim only; <latency>,<initiation "
             "interval>"),
     FIELDS(LATENCY "int", "4,1", "pipe.int.", pipe)},
    {FIELDS(LATENCY "sp", "4,1", "pipe.sp.", pipe)},
    {FIELDS(LATENCY "dp", "4,1", "pipe.dp.", pipe)},
    {FIELDS(LATENCY "sfu", "4,1", "pipe.sfu.", pipe)},
    {FIELDS(LATENCY "tensor", "4,1", "pipe.tensor.", pipe)},
    UNIT(1, "pipe.branch."),
    UNIT(2, "pipe.texture."),
    {FIELDS("-specialized_unit_3", "0,4,4,4,4,BRA", "pipe.tensor.", unit)},
    {SAME(LATENCY "spec_op_3", NULL, "pipe.tensor."), .read = gpgpusim_read_tensor_unit,
     .write = gpgpusim_write_pipe},
    UNIT(4, "pipe.uniform."),
    SPARE_UNIT(5),
    SPARE_UNIT(6),
    SPARE_UNIT(7),
    SPARE_UNIT(8),

    {HEADING("What the machine does not have: values at which these options change nothing"),
     LOST("-gpgpu_cache:dl2_texture_only", "1", "0",
          "1: the simulator's L2 serves textures only; the nearest machine has none"),
     .path = "l2.enabled", .read = gpgpusim_read_texture_only,
     .write = gpgpusim_write_texture_only},
    {LOST("-gpgpu_perfect_mem", "0", "0",
          "every access of memory hits in the simulator; here caches and DRAM take part")},
    {LOST("-l2_ideal", "0", "0", "the simulator's L2 always hits; here it misses")},
    {NEAR("-gpgpu_simd_model", "1", "1",
          "warps diverge by another rule; here they reconverge at post-dominators")},
    {NEAR("-gpgpu_ptx_sim_mode", "0", "0",
          "the simulator executes programs without timing them; here its machine times them")},
    {NEAR("-gpgpu_l1_banks_byte_interleaving", "32", "32",
          "bank by other bits of the address; here by those of the sector, so cycles differ")},
    {NEAR("-gpgpu_l1_banks_hashing_function", "0", "0",
          "L1D banks are hashed; here none are, so cycles differ")},
    {NEAR("-gpgpu_mem_unit_ports", "1", "1",
          "the load/store unit works so many times per cycle; here once, so cycles differ")},
    {NEAR("-gpgpu_shmem_num_banks", "16", "32",
          "shared memory has 32 banks here, so conflicts and cycles differ")},
    {NEAR("-gpgpu_shmem_limited_broadcast", "1", "0",
          "one word is broadcast at once; here all are, so conflicts and cycles differ")},
    {NEAR("-gpgpu_shmem_warp_parts", "2", "1",
          "warps access shared memory in so many parts; here in one, so conflicts and cycles "
          "differ")},
    {NEAR("-gpgpu_simt_core_sim_order", "1", "1",
          "the SMs of a cluster are simulated in a fixed order; here they take turns")},
    {NEAR("-gpgpu_concurrent_kernel_sm", "0", "0",
          "kernels of several streams share an SM; here launches follow each other")},
    {NEAR("-gpgpu_max_cycle", "0", "0", ENDS)},
    {NEAR("-gpgpu_max_insn", "0", "0", ENDS)},
    {NEAR("-gpgpu_max_cta", "0", "0", ENDS)},
    {NEAR("-gpgpu_max_completed_cta", "0", "0", ENDS)},
    {NEAR("-icnt_subnets", "2", "2",
          "requests and replies share a network; here each has its own, so cycles differ")},
    {NEAR("-icnt_arbiter_algo", "1", "1",
          "inputs take turns naively; here as iSLIP does, so cycles differ")},
    {NEAR("-icnt_grant_cycles", "1", "1",
          "a grant of the crossbar lasts so many cycles; here one, so cycles differ")},
    {NEAR("-dram_elimnate_rw_turnaround", "0", "0",
          "no time passes between reads and writes; here it does, so cycles differ")},
    {NEAR("-gpgpu_local_mem_map", "1", "1",
          "local memory stays where the program has it; here it is translated by SM and slot")},
    {NEAR("-gpgpu_n_chiplet_partition", NULL, "1",
          "of later versions: SMs and slices in parts with a link between them; here in one")},
    {NEAR(
        "-gpgpu_lrc_enabled", NULL, "0",
        "of later versions: requests of several SMs for one sector are joined in front of the L2; "
        "here each goes to it")},
    {NEAR("-gpgpu_opndcoll_model", NULL, "0",
          "of later versions: another operand collector; here the one of number 0")},
    {NEAR("-gpgpu_simple_dram_clock_multiplier", NULL, "1",
          "of later versions: the DRAM of fixed latency accepts more than one access per cycle")},
    {NEAR(COLLECTOR "units_int", "0", "0", COLLECTORS)},

    {NEAR(COLLECTOR "in_ports_dp", "0", NULL, COLLECTORS)},
    {NEAR(COLLECTOR "in_ports_int", "0", NULL, COLLECTORS)},
    {NEAR(COLLECTOR "out_ports_dp", "0", NULL, COLLECTORS)},
    {NEAR(COLLECTOR "out_ports_int", "0", NULL, COLLECTORS)},
    {NEAR(COLLECTOR "units_tensor_core", "4", NULL, "the tensor pipe shares those of sfu here")},
    {NEAR(COLLECTOR "in_ports_tensor_core", "1", NULL, "the tensor pipe shares those of sfu here")},
    {NEAR(COLLECTOR "out_ports_tensor_core", "1", NULL,
          "the tensor pipe shares those of sfu here")},
    {NEAR("-inter_chiplet_queue_size", NULL, NULL, "of -gpgpu_n_chiplet_partition")},
    {NEAR("-gpgpu_chiplet_interleave", NULL, NULL, "of -gpgpu_n_chiplet_partition")},
    {NEAR("-gpgpu_lrc_max_entries", NULL, NULL, "of -gpgpu_lrc_enabled")},
    {NEAR("-gpgpu_lrc_max_merged", NULL, NULL, "of -gpgpu_lrc_enabled")},
    {NEAR(
        "-inter_config_file", "mesh", NULL,
        "of -network_mode 1: of BookSim's file in the same folder buffers and flits are read; the "
        "network is its fly of one stage")},
    {NEAR("-gpgpu_ignore_resources_limitation", "0", NULL,
          "1 places a block that is too large for an SM all the same; here it is refused")},
    {NEAR("-gpgpu_perf_sim_memcpy", "1", NULL,
          "copies to the GPU leave nothing in the L2 here; in the simulator those below 4 GiB do")},
    {NEAR("-gpgpu_max_concurrent_kernel", "32", NULL,
          "of several streams; here launches follow each other")},
    {NEAR("-gpgpu_tex_cache:l1", "8:128:5,L:R:m:N,F:128:4,128:2", NULL,
          "no texture cache: textures are instructions of one latency, as in traces of SASS")},

    {IDLE("-gpgpu_const_cache:l1", "64:64:2,L:R:f:N,A:2:32,4",
          "constants are instructions of one latency in traces of SASS")},
    {IDLE("-gpgpu_cache:dl1PrefL1", "none", PREFERENCE)},
    {IDLE("-gpgpu_cache:dl1PrefShared", "none", PREFERENCE)},
    {IDLE("-gpgpu_shmem_sizeDefault", "16384", PREFERENCE)},
    {IDLE("-gpgpu_shmem_size_PrefL1", "16384", PREFERENCE)},
    {IDLE("-gpgpu_shmem_size_PrefShared", "16384", PREFERENCE)},
    {IDLE("-gpgpu_num_mem_units", "1", UNREAD)},
    {IDLE("-gpgpu_reg_bank_use_warp_id", "0", UNREAD)},
    {IDLE("-gpgpu_num_cta_barriers", "16", RUNTIME)},
    {IDLE("-gpgpu_occupancy_sm_number", "0", PTX)},
    {IDLE("-gpgpu_registers_per_block", "8192", RUNTIME)},
    {IDLE("-gpgpu_shmem_per_block", "49152", RUNTIME)},
    {IDLE("-gpgpu_compute_capability_major", "7", RUNTIME)},
    {IDLE("-gpgpu_compute_capability_minor", "0", RUNTIME)},
    {IDLE("-gpgpu_stack_size_limit", "1024", RUNTIME)},
    {IDLE("-gpgpu_heap_size_limit", "8388608", RUNTIME)},
    {IDLE("-gpgpu_runtime_sync_depth_limit", "2", RUNTIME)},
    {IDLE("-gpgpu_runtime_pending_launch_count_limit", "2048", RUNTIME)},
    {IDLE("-gpgpu_cdp_enabled", "0", PTX)},
    {IDLE("-cdp_latency", "7200,8000,100,12000,1600", PTX)},
    {IDLE("-gpgpu_ptx_convert_to_ptxplus", "0", PTX)},
    {IDLE("-gpgpu_ptx_save_converted_ptxplus", "0", PTX)},
    {IDLE("-gpgpu_ptx_force_max_capability", "0", PTX)},
    {IDLE("-gpgpu_ptx_inst_debug_file", "inst_debug.txt", PTX)},
    {IDLE("-gpgpu_ptx_inst_debug_thread_uid", "1", PTX)},
    {IDLE("-gpgpu_ptx_inst_debug_to_file", "0", PTX)},
    {IDLE("-gpgpu_ptx_use_cuobjdump", "10", PTX)},
    {IDLE("-gpgpu_experimental_lib_support", "0", PTX)},
    {IDLE("-save_embedded_ptx", "0", PTX)},
    {IDLE("-keep", "0", PTX)},
    {IDLE("-ptx_opcode_initiation_dp", "8,8,8,8,130", PTX_TIME)},
    {IDLE("-ptx_opcode_initiation_fp", "1,1,1,1,5", PTX_TIME)},
    {IDLE("-ptx_opcode_initiation_int", "1,1,4,4,32,4", PTX_TIME)},
    {IDLE("-ptx_opcode_initiation_sfu", "8", PTX_TIME)},
    {IDLE("-ptx_opcode_initiation_tensor", "64", PTX_TIME)},
    {IDLE("-ptx_opcode_latency_dp", "8,8,8,8,335", PTX_TIME)},
    {IDLE("-ptx_opcode_latency_fp", "1,1,1,1,30", PTX_TIME)},
    {IDLE("-ptx_opcode_latency_int", "1,1,19,25,145,32", PTX_TIME)},
    {IDLE("-ptx_opcode_latency_sfu", "8", PTX_TIME)},
    {IDLE("-ptx_opcode_latency_tesnor", "64", PTX_TIME)},
    {IDLE("-gpgpu_ptx_instruction_classification", "0", PRINTS)},
    {IDLE("-enable_ptx_file_line_stats", "1", PRINTS)},
    {IDLE("-ptx_line_stats_filename", "gpgpu_inst_stats.txt", PRINTS)},
    {IDLE("-gpgpu_cflog_interval", "0", PRINTS)},
    {IDLE("-gpgpu_deadlock_detect", "1", PRINTS)},
    {IDLE("-gpgpu_memlatency_stat", "0", PRINTS)},
    {IDLE("-gpgpu_runtime_stat", "10000:0", PRINTS)},
    {IDLE("-gpgpu_mem_addr_test", "0", PRINTS)},
    {IDLE("-gpgpu_warp_issue_shader", "0", PRINTS)},
    {IDLE("-gpgpu_warpdistro_shader", "-1", PRINTS)},
    {IDLE("-icnt_verbose", "0", PRINTS)},
    {IDLE("-liveness_message_freq", "1", PRINTS)},
    {IDLE("-trace", "./traces/kernelslist.g", "where the trace is")},
    {IDLE("-trace_components", "none", PRINTS)},
    {IDLE("-trace_enabled", "0", PRINTS)},
    {IDLE("-trace_sampling_core", "0", PRINTS)},
    {IDLE("-trace_sampling_memory_partition", "-1", PRINTS)},
    {IDLE("-visualizer_enabled", "1", PRINTS)},
    {IDLE("-visualizer_outputfile", "NULL", PRINTS)},
    {IDLE("-visualizer_zlevel", "6", PRINTS)},
    {IDLE("-checkpoint_CTA", "0", CHECKPOINT)},
    {IDLE("-checkpoint_CTA_t", "0", CHECKPOINT)},
    {IDLE("-checkpoint_insn_Y", "0", CHECKPOINT)},
    {IDLE("-checkpoint_kernel", "1", CHECKPOINT)},
    {IDLE("-checkpoint_option", "0", CHECKPOINT)},
    {IDLE("-resume_CTA", "0", CHECKPOINT)},
    {IDLE("-resume_kernel", "0", CHECKPOINT)},
    {IDLE("-resume_option", "0", CHECKPOINT)},
    {IDLE("-accelwattch_hybrid_perfsim_CC_ACC", "0", POWER)},
    {IDLE("-accelwattch_hybrid_perfsim_CYCLES", "0", POWER)},
    {IDLE("-accelwattch_hybrid_perfsim_DRAM_RD", "0", POWER)},
    {IDLE("-accelwattch_hybrid_perfsim_DRAM_WR", "0", POWER)},
    {IDLE("-accelwattch_hybrid_perfsim_L1_RH", "0", POWER)},
    {IDLE("-accelwattch_hybrid_perfsim_L1_RM", "0", POWER)},
    {IDLE("-accelwattch_hybrid_perfsim_L1_WH", "0", POWER)},
    {IDLE("-accelwattch_hybrid_perfsim_L1_WM", "0", POWER)},
    {IDLE("-accelwattch_hybrid_perfsim_L2_RH", "0", POWER)},
    {IDLE("-accelwattch_hybrid_perfsim_L2_RM", "0", POWER)},
    {IDLE("-accelwattch_hybrid_perfsim_L2_WH", "0", POWER)},
    {IDLE("-accelwattch_hybrid_perfsim_L2_WM", "0", POWER)},
    {IDLE("-accelwattch_hybrid_perfsim_NOC", "0", POWER)},
    {IDLE("-accelwattch_hybrid_perfsim_NUM_SM_IDLE", "0", POWER)},
    {IDLE("-accelwattch_hybrid_perfsim_PIPE_DUTY", "0", POWER)},
    {IDLE("-accelwattch_hybrid_perfsim_SHARED_ACC", "0", POWER)},
    {IDLE("-accelwattch_hybrid_perfsim_VOLTAGE", "0", POWER)},
    {IDLE("-accelwattch_xml_file", "accelwattch_sass_sim.xml", POWER)},
    {IDLE("-gpuwattch_xml_file", NULL, POWER)},
    {IDLE("-aggregate_power_stats", "0", POWER)},
    {IDLE("-dvfs_enabled", "0", POWER)},
    {IDLE("-gpgpu_clock_gated_lanes", "0", POWER)},
    {IDLE("-gpgpu_clock_gated_reg_file", "0", POWER)},
    {IDLE("-hw_perf_bench_name", NULL, POWER)},
    {IDLE("-hw_perf_file_name", "hw_perf.csv", POWER)},
    {IDLE("-n_regfile_gating_group", "4", POWER)},
    {IDLE("-power_per_cycle_dump", "0", POWER)},
    {IDLE("-power_simulation_enabled", "0", POWER)},
    {IDLE("-power_simulation_mode", "0", POWER)},
    {IDLE("-power_trace_enabled", "0", POWER)},
    {IDLE("-power_trace_zlevel", "6", POWER)},
    {IDLE("-steady_power_levels_enabled", "0", POWER)},
    {IDLE("-steady_state_definition", "8:4", POWER)},
};

const size_t gpgpusim_option_count = sizeof gpgpusim_options / sizeof *gpgpusim_options;
_Static_assert(sizeof gpgpusim_options / sizeof *gpgpusim_options <= GPGPUSIM_OPTIONS_MAX,
               "GPGPUSIM_OPTIONS_MAX has room for all rows");

/* ---- other names ---- */

/* The names that GPGPU-Sim 3 and the first versions of 4 had. */
static const struct {
    const char *old, *name;
} aliases[] = {
    {"-gmem_skip_L1D", "-gpgpu_gmem_skip_L1D"},
    {"-l1_latency", "-gpgpu_l1_latency"},
    {"-l1_banks", "-gpgpu_l1_banks"},
    {"-l1_banks_byte_interleaving", "-gpgpu_l1_banks_byte_interleaving"},
    {"-l1_banks_hashing_function", "-gpgpu_l1_banks_hashing_function"},
    {"-smem_latency", "-gpgpu_smem_latency"},
    {"-memory_partition_indexing", "-gpgpu_memory_partition_indexing"},
    {"-rop_latency", "-gpgpu_l2_rop_latency"},
    {"-l2_rop_latency", "-gpgpu_l2_rop_latency"},
    {"-kernel_launch_latency", "-gpgpu_kernel_launch_latency"},
    {"-TB_launch_latency", "-gpgpu_TB_launch_latency"},
    {"-adaptive_cache_config", "-gpgpu_adaptive_cache_config"},
    {"-adaptive_volta_cache_config", "-gpgpu_adaptive_cache_config"},
    {"-adpative_volta_cache_config", "-gpgpu_adaptive_cache_config"},
    {"-shmem_option", "-gpgpu_shmem_option"},
    {"-unified_l1d_size", "-gpgpu_unified_l1d_size"},
    {"-l1_cache_write_ratio", "-gpgpu_l1_cache_write_ratio"},
    {"-mem_unit_ports", "-gpgpu_mem_unit_ports"},
    {"-sub_core_model", "-gpgpu_sub_core_model"},
    {"-enable_specialized_operand_collector", "-gpgpu_enable_specialized_operand_collector"},
    {"-reg_file_port_throughput", "-gpgpu_reg_file_port_throughput"},
    {"-inst_fetch_throughput", "-gpgpu_inst_fetch_throughput"},
    {"-perfect_inst_const_cache", "-gpgpu_perfect_inst_const_cache"},
    {"-dual_issue_diff_exec_units", "-gpgpu_dual_issue_diff_exec_units"},
    {"-tensor_core_avail", "-gpgpu_tensor_core_avail"},
    {"-simple_dram_model", "-gpgpu_simple_dram_model"},
    {"-perf_sim_memcpy", "-gpgpu_perf_sim_memcpy"},
    {"-concurrent_kernel_sm", "-gpgpu_concurrent_kernel_sm"},
    {"-gpgpu_dram_sched_queue_size", "-gpgpu_frfcfs_dram_sched_queue_size"},
    {"-dual_bus_interface", "-dram_dual_bus_interface"},
    {"-Seperate_Write_Queue_Enable", "-dram_seperate_write_queue_enable"},
    {"-Write_Queue_Size", "-dram_write_queue_size"},
    {"-Elimnate_rw_turnaround", "-dram_elimnate_rw_turnaround"},
    {"-gpgpu_cache:dl1PreShared", "-gpgpu_cache:dl1PrefShared"},
    {"-ptx_opcode_latency_tensor", "-ptx_opcode_latency_tesnor"},
    {"-occupancy_sm_number", "-gpgpu_occupancy_sm_number"},
    {"-cdp_enabled", "-gpgpu_cdp_enabled"},
};

enum { ALIASES = sizeof aliases / sizeof *aliases };

static bool is_name(const char *known, const char *name, size_t length)
{
    return strlen(known) == length && !strncmp(known, name, length);
}

const struct gpgpusim_option *gpgpusim_option_find(const char *name, size_t length)
{
    for (size_t i = 0; i < ALIASES; i++)
        if (is_name(aliases[i].old, name, length))
            return gpgpusim_option_find(aliases[i].name, strlen(aliases[i].name));
    for (size_t i = 0; i < gpgpusim_option_count; i++)
        if (is_name(gpgpusim_options[i].name, name, length))
            return &gpgpusim_options[i];
    return NULL;
}

const char *gpgpusim_option_nearest(const char *name)
{
    const char *names[GPGPUSIM_OPTIONS_MAX];
    for (size_t i = 0; i < gpgpusim_option_count; i++)
        names[i] = gpgpusim_options[i].name;
    return nearest_name(name, names, gpgpusim_option_count);
}

const char *gpgpusim_option_aliases(const struct gpgpusim_option *option,
                                    char text[GPGPUSIM_ALIASES_TEXT])
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < ALIASES; i++)
        if (!strcmp(aliases[i].name, option->name))
            used +=
                (size_t)snprintf(text + used, GPGPUSIM_ALIASES_TEXT - used, ", %s", aliases[i].old);
    return text;
}

#define CLASS_WORD(constant, word, meaning) word,

const char *gpgpusim_class_name(enum gpgpusim_class class)
{
    static const char *const words[] = {GPGPUSIM_CLASS_LIST(CLASS_WORD)};
    return words[class];
}
