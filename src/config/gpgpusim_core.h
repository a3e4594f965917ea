/* The options of gpgpusim.config and trace.config that describe how an SM executes instructions:
 * clocks, latches, collectors and execution units. Rows of gpgpusim_options use these functions.
 *
 * A machine has no widths of pipeline registers: a pipe has as many as it has units. */
#pragma once

#include "config/gpgpusim_values.h"

/* <core>:<network>:<l2>:<dram> in MHz. */
void gpgpusim_read_clocks(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_clocks(const struct gpgpusim_writer *writer);
void gpgpusim_read_other_pipe(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_other_pipe(const struct gpgpusim_writer *writer);

/* -gpgpu_pipeline_widths: latches before and after the operand collectors, and results. */
void gpgpusim_read_widths(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_widths(const struct gpgpusim_writer *writer);

/* <latency>,<initiation interval> of the pipe that the path names. */
void gpgpusim_read_pipe(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_pipe(const struct gpgpusim_writer *writer);

/* The same of a specialized unit for tensor instructions; it counts if there is such a unit. */
void gpgpusim_read_tensor_unit(struct gpgpusim_reader *reader, const char *text);

/* <enabled>,<units>,<largest latency>,<latches before>,<latches after>,<name>. */
void gpgpusim_read_unit(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_unit(const struct gpgpusim_writer *writer);

void gpgpusim_read_tensor(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_tensor(const struct gpgpusim_writer *writer);

/* Instructions that leave operand collectors at once, which are as many as enter them here. */
void gpgpusim_read_out_ports(struct gpgpusim_reader *reader, const char *text);
/* The ports of the collectors that all pipes share; they count if there are such collectors. */
void gpgpusim_read_shared_in_ports(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_read_shared_out_ports(struct gpgpusim_reader *reader, const char *text);

/* Whether pipes have operand collectors of their own. */
void gpgpusim_read_collectors(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_collectors(const struct gpgpusim_writer *writer);

/* 1 switches the instruction cache off. */
void gpgpusim_read_perfect(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_perfect(const struct gpgpusim_writer *writer);
