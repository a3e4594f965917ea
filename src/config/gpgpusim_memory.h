/* The options of gpgpusim.config that describe what lies beyond the L1Ds: the network, the queues
 * and the DRAM with its address mapping. Rows of gpgpusim_options use these functions.
 *
 * The masks of a machine follow GPGPU-Sim: where the number of channels is a power of two they
 * select bits of the address, with the channel's bits in it; otherwise bits of the address that is
 * left when the channel's number is divided out. */
#pragma once

#include "config/gpgpusim_values.h"

/* Which of the mappings that the simulator has built in stands where a file gives none. */
void gpgpusim_read_mask(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_mask(const struct gpgpusim_writer *writer);

/* dramid@<bit>;<64 letters>: D, B, R, C and S for bits of the channel, bank, row, column and
 * burst. NULL: the built-in mapping. */
void gpgpusim_read_mapping(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_mapping(const struct gpgpusim_writer *writer);

/* Whether such a string can say what the machine's masks say. */
bool gpgpusim_has_mapping(const struct machine *machine);

/* nbk=16:CCD=2:..., or the fourteen numbers alone in GPGPU-Sim's order. */
void gpgpusim_read_times(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_times(const struct gpgpusim_writer *writer);

/* Entries of a queue of the DRAM; 0 is no limit. */
void gpgpusim_read_dram_queue(struct gpgpusim_reader *reader, const char *text);

/* The chips of a channel, and the bytes that each of them transfers. */
void gpgpusim_read_chips(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_chips(const struct gpgpusim_writer *writer);
void gpgpusim_read_bus(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_bus(const struct gpgpusim_writer *writer);

/* Four equal lengths of queues. */
void gpgpusim_read_queues(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_queues(const struct gpgpusim_writer *writer);
void gpgpusim_read_bank_hash(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_bank_hash(const struct gpgpusim_writer *writer);
void gpgpusim_read_writes_apart(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_writes_apart(const struct gpgpusim_writer *writer);
void gpgpusim_read_write_queue(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_write_queue(const struct gpgpusim_writer *writer);

/* Packets that wait at an input and at an output of a crossbar: the same number. */
void gpgpusim_read_limit(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_read_limit_out(struct gpgpusim_reader *reader, const char *text);
bool gpgpusim_has_limit(const struct machine *machine);

/* Whole percents. */
void gpgpusim_read_percent(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_percent(const struct gpgpusim_writer *writer);
