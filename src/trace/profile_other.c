/* Files of profilers that hold no counters as text: what they are, and which command prints what
 * can be read. */
#include <string.h>

#include "base/text_ends.h"
#include "trace/profile_build.h"

/* How binary files begin. Their formats are the profilers' own. */
static const struct binary_kind {
    const char *bytes;
    size_t length;
    const char *ending; /* or, if no bytes are known, the end of the file's name */
    const char *found;
} binary_kinds[] = {
    {"NVR", 4, ".ncu-rep",
     "a report of Nsight Compute: ncu --import FILE --csv --page raw prints it"},
    {"SQLite format 3", 16, ".sqlite",
     "a database of nsys or nvprof: nsys stats --report cuda_gpu_trace --format csv FILE prints "
     "the "
     "one, nvprof --import FILE --csv --print-gpu-trace the other"},
    {NULL, 0, ".nsys-rep",
     "a report of Nsight Systems: nsys stats --report cuda_gpu_trace --format csv FILE prints it"},
    {NULL, 0, ".qdrep",
     "a report of Nsight Systems: nsys stats --report gputrace --format csv FILE prints it"},
};

static bool is_kind(const struct binary_kind *kind, const struct text_reader *text)
{
    if (kind->bytes)
        return text->length >= kind->length && !memcmp(text->line, kind->bytes, kind->length);
    return text_ends(text->path, kind->ending);
}

bool profile_binary_line(struct profile_builder *builder)
{
    struct text_reader *text = &builder->text;
    const char *found = strlen(text->line) < text->length
                            ? "binary data; reports are printed by ncu --import, or by nsys stats"
                            : NULL;
    for (size_t i = 0; i < sizeof binary_kinds / sizeof *binary_kinds; i++)
        if (is_kind(&binary_kinds[i], text)) {
            found = binary_kinds[i].found;
            break;
        }
    if (!found)
        return false;
    text_problem(text, SEVERITY_ERROR, NULL, "expected text of ncu, nvprof or nsys stats, found %s",
                 found);
    builder->status = STATUS_INVALID;
    return true;
}

/* What a line says about a file that turns out to have no counters. */
static const struct other_words {
    const char *words, *instead;
} other_words[] = {
    {"==PROF== Report:",
     "the log of a run that wrote a report: ncu --import FILE.ncu-rep --csv --page "
     "raw prints it"},
    {"Metric Description", "a list of metrics without values, as --query-metrics prints it"},
    {"Available Metrics:", "a list of metrics without values, as --query-metrics prints it"},
    {"Available Events:", "a list of events without values, as --query-events prints it"},
    {"No kernels were profiled", "a run in which no kernel was profiled"},
    {"No profile data collected", "a run in which no kernel was profiled"},
    {"does not contain CUDA kernel data", "a report that nsys took without kernels"},
    {"API calls", "times of the host's calls alone"},
    {"Start  Duration  Name", "times of the host's calls alone"},
    {"\"Start\",\"Duration\",\"Name\"", "times of the host's calls alone"},
    {"\"Time (%)\":", "JSON of nsys; with --format csv it can be read"},
    {"\"Duration (ns)\":", "JSON of nsys; with --format csv it can be read"},
};

void profile_other_line(struct profile_builder *builder)
{
    for (size_t i = 0; i < sizeof other_words / sizeof *other_words && !builder->instead; i++)
        if (strstr(builder->text.line, other_words[i].words))
            builder->instead = other_words[i].instead;
}
