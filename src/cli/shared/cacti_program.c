#include "cli/shared/cacti_program.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/shared/process.h"
#include "model/area/cacti.h"

/* ---- the question -----------------------------------------------------------------------------
 */

static uint64_t bytes(uint64_t bits)
{
    return (bits + 7) / 8;
}

static void write_ports(unsigned extra, FILE *out)
{
    const unsigned side = (extra + 1) / 2;
    fprintf(out,
            "-read-write port %u\n-exclusive read port %u\n-exclusive write port %u\n"
            "-single ended read ports 0\n",
            extra ? 0 : 1, extra ? side : 0, extra ? side : 0);
}

static void write_geometry(const struct memory_array *array, FILE *out)
{
    const uint64_t banks = array->banks ? array->banks : 1;
    uint64_t line = bytes(array->payload_bits), ways = 1, width = array->payload_bits;
    const char *type = "cache";
    switch (array->kind) {
    case MEMORY_RAM:
        type = "ram";
        width = array->key_bits + array->payload_bits;
        line = bytes(width);
        break;
    case MEMORY_SEARCHED:
        type = array->payload_bits ? "cache" : "cam";
        line = array->payload_bits ? line : bytes(array->key_bits);
        width = 8 * line;
        ways = 0; /* CACTI's word for associative */
        break;
    case MEMORY_CACHE:
        width = array->output ? array->output : width;
        ways = array->sets == 1 ? 0 : array->entries / array->sets;
        break;
    }
    fprintf(out,
            "-size (bytes) %" PRIu64 "\n-block size (bytes) %" PRIu64 "\n-associativity %" PRIu64
            "\n-UCA bank count %" PRIu64 "\n-output/input bus width %" PRIu64
            "\n-cache type \"%s\"\n-search port %d\n",
            array->entries * line, line, ways, banks, width, type, ways == 0);
    if (array->kind != MEMORY_RAM)
        fprintf(out, "-tag size (b) %" PRIu64 "\n", array->key_bits);
}

static void write_settings(double nm, FILE *out)
{
    fprintf(out,
            "-technology (u) %.4f\n"
            "-Data array cell type - \"itrs-hp\"\n-Data array peripheral type - \"itrs-hp\"\n"
            "-Tag array cell type - \"itrs-hp\"\n-Tag array peripheral type - \"itrs-hp\"\n"
            "-operating temperature (K) 350\n"
            "-access mode (normal, sequential, fast) - \"normal\"\n"
            "-design objective (weight delay, dynamic power, leakage power, cycle time, area) "
            "100:100:0:0:100\n"
            "-deviate (delay, dynamic power, leakage power, cycle time, area) "
            "60:100000:100000:100000:100000\n"
            "-Optimize ED or ED^2 (ED, ED^2, NONE): \"NONE\"\n"
            "-Wire signaling (fullswing, lowswing, default) - \"Global_30\"\n"
            "-Add ECC - \"false\"\n-Print level (DETAILED, CONCISE) - \"DETAILED\"\n",
            nm / 1000);
}

/* CACTI's own configuration knows all that it wants to be told. */
static enum status copy_defaults(const char *folder, FILE *out, struct diagnostics *diagnostics)
{
    char path[PATH_MAX + sizeof "/cache.cfg"], buffer[4096];
    snprintf(path, sizeof path, "%s/cache.cfg", folder);
    FILE *in = fopen(path, "r");
    if (!in)
        return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "%s: %s", path, strerror(errno));
    for (size_t size; (size = fread(buffer, 1, sizeof buffer, in)) > 0;)
        fwrite(buffer, 1, size, out);
    fputc('\n', out);
    fclose(in);
    return STATUS_OK;
}

/* `path` ends in XXXXXX and becomes the name of the file. */
static enum status write_question(const char *folder, const struct memory_array *array, double nm,
                                  char *path, struct diagnostics *diagnostics)
{
    const int file = mkstemp(path);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");
    if (!out)
        return diagnostics_error(diagnostics, STATUS_IO, "%s: %s", path, strerror(errno));
    enum status status = copy_defaults(folder, out, diagnostics);
    write_geometry(array, out);
    write_ports(array->extra_ports, out);
    write_settings(nm, out);
    if (fclose(out) && !status)
        status = diagnostics_error(diagnostics, STATUS_IO, "%s: %s", path, strerror(errno));
    return status;
}

/* ---- the answer -------------------------------------------------------------------------------
 */

/* Adds up the numbers after `key` wherever it occurs, or takes the first. False if there is none.
 */
static bool numbers(const char *text, const char *key, bool all, double *sum)
{
    bool found = false;
    *sum = 0;
    for (const char *at = text; (at = strstr(at, key)) && (all || !found); found = true) {
        at = strchr(at + strlen(key) - 1, ':');
        *sum += at ? strtod(at + 1, NULL) : 0;
        if (!at)
            break;
    }
    return found && *sum > 0;
}

static bool read_answer(const char *text, double banks, struct array_estimate *found)
{
    double time, energy, leakage, area;
    if (!numbers(text, "Access time (ns):", false, &time) ||
        !numbers(text, "array: Area (mm2):", true, &area) ||
        !numbers(text, "Total leakage power of a bank", false, &leakage))
        return false;
    if (!numbers(text, "Total dynamic associative search energy per access (nJ):", false,
                 &energy) &&
        !numbers(text, "Total dynamic read energy per access (nJ):", false, &energy))
        return false;
    *found = (struct array_estimate){.area = area,
                                     .time = 1e-9 * time,
                                     .energy = 1e-9 * energy,
                                     .leakage = 1e-3 * banks * leakage};
    return true;
}

/* What it says about its refusal: the line with "ERROR", or the last one. */
static enum status refused(const char *text, struct diagnostics *diagnostics)
{
    const char *line = strstr(text, "ERROR"), *last = strrchr(text, '\n');
    if (!line)
        line = last ? last + 1 : text;
    return diagnostics_error(diagnostics, STATUS_INVALID, "refused: %.*s",
                             line[0] ? (int)strcspn(line, "\n") : 14,
                             line[0] ? line : "without a word");
}

enum { SECONDS_MAX = 10 };

enum status cacti_program_ask(const char *program, const struct memory_array *array, double nm,
                              struct array_estimate *found, struct diagnostics *diagnostics)
{
    char full[PATH_MAX], folder[PATH_MAX], path[] = "/tmp/warpscape-cacti-XXXXXX";
    if (nm < CACTI_LAST_NODE)
        return diagnostics_error(diagnostics, STATUS_UNSUPPORTED,
                                 "CACTI has nodes from 90 nm to %d nm", CACTI_LAST_NODE);
    if (!realpath(program, full))
        return diagnostics_error(diagnostics, STATUS_NOT_FOUND, "%s: %s", program, strerror(errno));
    snprintf(folder, sizeof folder, "%s", full);
    *strrchr(folder, '/') = '\0';
    char *output = NULL;
    const char *const argv[] = {"env", "-C", folder[0] ? folder : "/", full, "-infile", path, NULL};
    enum status status = write_question(folder, array, nm, path, diagnostics);
    struct diagnostics failed = DIAGNOSTICS_INIT;
    if (!status)
        status = process_run(argv, SECONDS_MAX, &output, &failed);
    /* It ends with success or not, whatever it refuses. */
    if ((!status && !read_answer(output, array->banks ? (double)array->banks : 1, found)) ||
        (status == STATUS_IO && output && strstr(output, "ERROR")))
        status = refused(output, diagnostics);
    else
        diagnostics_move(diagnostics, &failed);
    diagnostics_free(&failed);
    (void)unlink(path);
    free(output);
    return status;
}
