/* Reading and writing the values of options: what all rows of gpgpusim_options share, and the rows
 * about SMs and caches. */
#pragma once

#include "config/gpgpusim_options.h"

/* Reports an error at the current option: its value has no meaning. Returns false. */
__attribute__((format(printf, 2, 3))) bool gpgpusim_refuse(struct gpgpusim_reader *reader,
                                                           const char *format, ...);

/* Warns that the machine differs in what it can say of the current option. */
__attribute__((format(printf, 2, 3))) void gpgpusim_approximate(struct gpgpusim_reader *reader,
                                                                const char *format, ...);

/* Says that the current option changes results and is not modelled. Returns whether to go on with
 * the nearest value. */
__attribute__((format(printf, 2, 3))) bool gpgpusim_unmodelled(struct gpgpusim_reader *reader,
                                                               const char *format, ...);

/* Reads a whole number up to `max`, decimal, octal (012) or hexadecimal (0xa) as the simulator
 * does. */
bool gpgpusim_parse_number(const char *text, uint64_t max, uint64_t *number);

/* Reads 0 or 1, or reports that it is neither. */
bool gpgpusim_read_switch(struct gpgpusim_reader *reader, const char *text, bool *on);

/* Reads an option that is exactly one parameter; the range of the parameter applies. */
void gpgpusim_read_parameter(struct gpgpusim_reader *reader, const char *path, const char *text);

/* Sets a parameter to a number; its range applies. */
void gpgpusim_set_number(struct gpgpusim_reader *reader, const char *path, uint64_t number);

/* The value of a parameter that is a whole number. */
uint64_t gpgpusim_number(const char *path, const struct machine *machine);
void gpgpusim_write_number(const struct gpgpusim_writer *writer);

/* A number for which the option has a word that its parameter knows. */
void gpgpusim_read_word(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_word(const struct gpgpusim_writer *writer);

/* Splits `text` at `separator` into up to `max` decimal numbers; 0 if a field is no number or there
 * are more. */
size_t gpgpusim_split(const char *text, char separator, uint64_t *numbers, size_t max);

/* Whether GPGPU-Sim has a word for the scheduler. */
bool gpgpusim_has_scheduler(int policy);

/* Readers and writers of rows. */
void gpgpusim_read_clusters(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_clusters(const struct gpgpusim_writer *writer);
void gpgpusim_read_cores(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_read_channels(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_channels(const struct gpgpusim_writer *writer);
void gpgpusim_read_pipeline(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_pipeline(const struct gpgpusim_writer *writer);
void gpgpusim_read_scheduler(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_scheduler(const struct gpgpusim_writer *writer);
void gpgpusim_read_l1d(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_l1d(const struct gpgpusim_writer *writer);
void gpgpusim_read_l2(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_l2(const struct gpgpusim_writer *writer);
void gpgpusim_read_l1i(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_l1i(const struct gpgpusim_writer *writer);
void gpgpusim_read_texture_only(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_texture_only(const struct gpgpusim_writer *writer);
void gpgpusim_read_adaptive(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_adaptive(const struct gpgpusim_writer *writer);
void gpgpusim_read_carveouts(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_carveouts(const struct gpgpusim_writer *writer);
void gpgpusim_read_unified(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_unified(const struct gpgpusim_writer *writer);
/* Whether the simulator has an ipoly hash for so many slices, or for the next power of two. */
bool gpgpusim_hashes_slices(uint64_t slices);
void gpgpusim_read_partition(struct gpgpusim_reader *reader, const char *text);
void gpgpusim_write_partition(const struct gpgpusim_writer *writer);

/* What decides whether a row is written. */
bool gpgpusim_has_carveout(const struct machine *machine);
bool gpgpusim_has_collectors(const struct machine *machine);
bool gpgpusim_has_l1i(const struct machine *machine);
bool gpgpusim_has_l2(const struct machine *machine);
