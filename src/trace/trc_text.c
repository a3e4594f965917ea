#include "trace/trc_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { BUFFER_BYTES = 1 << 18, PADDING = 16, LINE_KEPT = 4096, QUOTED_MAX = 160, TOKEN_MAX = 24 };

/* Drops what was read, except for the current record and, if it is short enough, its line; then
 * reads more. False if nothing came. */
static bool refill(struct trc_text *text)
{
    if (text->exhausted)
        return false;
    char *kept = text->record;
    if (text->line >= text->buffer && kept - text->line < LINE_KEPT)
        kept = text->line;
    size_t length = (size_t)(text->end - kept), moved = (size_t)(kept - text->buffer);
    memmove(text->buffer, kept, length);
    if (text->line < kept) {
        text->dropped += (uint64_t)(kept - text->line);
        text->line = kept;
    }
    text->line -= moved;
    text->record -= moved;
    text->at -= moved;
    text->end -= moved;
    size_t got = text_bytes(&text->reader, text->end, BUFFER_BYTES - length);
    text->end += got;
    memset(text->end, 0, PADDING);
    text->exhausted = !got;
    return got;
}

static inline bool is_blank(char c)
{
    return c == ' ' || (unsigned char)(c - '\t') <= '\r' - '\t';
}

/* Moves to the next character that is not blank. The zeros after the buffer stop it. */
static inline void skip_blanks(struct trc_text *text)
{
    if (*text->at == ' ')
        text->at++;
    for (; is_blank(*text->at); text->at++)
        if (*text->at == '\n') {
            text->line_number++;
            text->line = text->at + 1;
            text->dropped = 0;
        }
}

/* The value of eight digits, the first in the lowest byte, with three multiplications. */
static inline uint64_t eight_digits(uint64_t digits)
{
    digits = digits * 10 + (digits >> 8);
    return ((digits & 0x000000ff000000ff) * 0x000f424000000064 +
            (digits >> 16 & 0x000000ff000000ff) * 0x0000271000000001) >>
           32;
}

/* The number of digits at `p`, at most eight, and their value. */
static inline unsigned scan_digits(const char *p, uint64_t *value)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    word ^= 0x3030303030303030;
    /* A byte above 9 gets its high bit set; carries can only reach the bytes after the first
     * such. */
    uint64_t others = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
    unsigned digits = others ? (unsigned)__builtin_ctzll(others) / 8 : 8;
    *value = digits ? eight_digits(word << (64 - 8 * digits)) : 0;
    return digits;
}

/* Reads a decimal number that is followed by a blank or the end, eight digits at a time. */
static inline bool scan_number(struct trc_text *text, uint64_t least, uint64_t most,
                               uint64_t *value)
{
    static const uint64_t powers[] = {1,      10,      100,      1000,     10000,
                                      100000, 1000000, 10000000, 100000000};
    char *p = text->at;
    uint64_t result, part;
    unsigned digits = scan_digits(p, &result);
    p += digits;
    while (digits == 8) {
        digits = scan_digits(p, &part);
        if (p - text->at >= 16 && result > (UINT64_MAX - part) / powers[digits])
            return false;
        result = result * powers[digits] + part;
        p += digits;
    }
    if (p == text->at || !(is_blank(*p) || p == text->end) || result < least || result > most)
        return false;
    text->at = p;
    *value = result;
    return true;
}

static void trc_report(struct trc_text *text, const char *at, const char *message)
{
    struct text_reader *reader = &text->reader;
    text->status = STATUS_INVALID;
    if (reader->problems++ >= TEXT_PROBLEMS_MAX) {
        if (reader->diagnostics)
            reader->diagnostics->errors++; /* counted, not shown */
        return;
    }
    char quoted[QUOTED_MAX + 1];
    size_t length = 0;
    while (length < QUOTED_MAX && text->line + length < text->end && text->line[length] != '\n' &&
           text->line[length] != '\r')
        length++;
    memcpy(quoted, text->line, length);
    quoted[length] = '\0';
    size_t span = 0;
    while (at + span < text->end && !is_blank(at[span]))
        span++;
    uint64_t column = (uint64_t)(at - text->line) + text->dropped + 1;
    struct place place = {.file = reader->path,
                          .line = text->line_number,
                          .column = (unsigned)column,
                          .span = (unsigned)span};
    if (!text->dropped && column + span <= QUOTED_MAX + 1)
        place.source = quoted;
    diagnostics_add(reader->diagnostics, SEVERITY_ERROR, &place, "%s", message);
}

void trc_problem(struct trc_text *text, const char *format, ...)
{
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    trc_report(text, text->record, message);
}

/* Reports what was expected at text->at. */
static void unexpected(struct trc_text *text, const char *expected)
{
    char token[TOKEN_MAX + 1], message[256];
    size_t length = 0;
    while (length < TOKEN_MAX && text->at + length < text->end && !is_blank(text->at[length]))
        length++;
    memcpy(token, text->at, length);
    token[length] = '\0';
    if (length)
        snprintf(message, sizeof message, "expected %s, got '%s'", expected, token);
    else
        snprintf(message, sizeof message, "expected %s, but the file ends", expected);
    trc_report(text, text->at, message);
}

/* Reads one record. Returns NULL, or what was expected at text->at. */
static inline const char *scan_access(struct trc_text *text, struct trc_access *access)
{
    uint64_t thread, direction, bytes;
    if (!scan_number(text, 0, TRC_THREADS - 1, &thread))
        return "a thread below 32768";
    skip_blanks(text);
    if (!scan_number(text, 0, 1, &direction))
        return "direction 0 (load) or 1 (store)";
    skip_blanks(text);
    if (!scan_number(text, 0, UINT64_MAX - TRC_BYTES_MAX, &access->address))
        return "a decimal address";
    skip_blanks(text);
    if (!scan_number(text, 1, TRC_BYTES_MAX, &bytes))
        return "1 to 32 bytes";
    access->thread = (uint32_t)thread;
    access->bytes = (uint32_t)bytes;
    access->store = direction;
    return NULL;
}

#ifdef __SSE2__
/* Reads the usual record, one line of four numbers with single blanks, from the positions of its
 * blanks. This takes two thirds of the time of scan_access. For anything else it returns false and
 * changes nothing. */
static inline bool scan_line(struct trc_text *text, struct trc_access *access)
{
    const char *p = text->at;
    if (text->end - p < 2 * (ptrdiff_t)sizeof(__m128i))
        return false;
    uint32_t digits = 0, spaces = 0, newlines = 0;
    for (unsigned i = 0; i < 2; i++) {
        __m128i part = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
        __m128i value = _mm_sub_epi8(part, _mm_set1_epi8('0'));
        __m128i digit = _mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(9)), value);
        __m128i space = _mm_cmpeq_epi8(part, _mm_set1_epi8(' '));
        __m128i newline = _mm_cmpeq_epi8(part, _mm_set1_epi8('\n'));
        digits |= (uint32_t)_mm_movemask_epi8(digit) << 16 * i;
        spaces |= (uint32_t)_mm_movemask_epi8(space) << 16 * i;
        newlines |= (uint32_t)_mm_movemask_epi8(newline) << 16 * i;
    }
    if (!newlines)
        return false;
    unsigned end = (unsigned)__builtin_ctz(newlines);
    uint32_t line = (1u << end) - 1;
    spaces &= line;
    uint32_t second = spaces & (spaces - 1), third = second & (second - 1);
    if (!third || third & (third - 1) || ((digits | spaces) & line) != line)
        return false;
    unsigned thread_end = (unsigned)__builtin_ctz(spaces);
    unsigned address = (unsigned)__builtin_ctz(second) + 1;
    unsigned address_end = (unsigned)__builtin_ctz(third), length = address_end - address;
    if (!thread_end || thread_end > 8 || address != thread_end + 3 || length - 8 > 8 ||
        end != address_end + 2)
        return false;
    uint64_t thread, high, low;
    memcpy(&thread, p, sizeof thread);
    memcpy(&low, p + address_end - 8, sizeof low);
    memcpy(&high, p + address, sizeof high);
    const uint64_t zeros = 0x3030303030303030;
    thread = eight_digits((thread ^ zeros) << (64 - 8 * thread_end));
    high = length == 8 ? 0 : eight_digits((high ^ zeros) << (64 - 8 * (length - 8)));
    access->address = high * 100000000 + eight_digits(low ^ zeros);
    access->thread = (uint32_t)thread;
    access->bytes = (uint32_t)(p[end - 1] - '0');
    access->store = p[thread_end + 1] == '1';
    if (thread >= TRC_THREADS || p[thread_end + 1] > '1' || !access->bytes)
        return false;
    text->at += end;
    return true;
}
#else
static inline bool scan_line(struct trc_text *text, struct trc_access *access)
{
    (void)text, (void)access;
    return false;
}
#endif

/* Moves text->record to the next character that is not blank; false at the end of the file. */
static inline bool next_token(struct trc_text *text)
{
    for (;;) {
        skip_blanks(text);
        text->record = text->at;
        if (text->at < text->end)
            return true;
        if (!refill(text))
            return false;
    }
}

static void skip_line(struct trc_text *text)
{
    for (;;) {
        char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
        text->at = newline ? newline : text->end;
        text->record = text->at;
        if (newline || !refill(text))
            return;
    }
}

bool trc_next(struct trc_text *text, struct trc_access *access)
{
    while (next_token(text)) {
        if (scan_line(text, access))
            return true;
        char *line = text->line;
        unsigned line_number = text->line_number;
        uint64_t dropped = text->dropped;
        const char *expected = scan_access(text, access);
        /* A record at the end of the buffer may continue after it: read more and start it again. */
        if (text->at == text->end && !text->exhausted) {
            text->at = text->record;
            text->line = line;
            text->line_number = line_number;
            text->dropped = dropped;
            if (text->end - text->record >= BUFFER_BYTES - LINE_KEPT) {
                trc_report(text, text->record, "an access is spread over 250 KB");
                text->at = text->record = text->end;
                continue;
            }
            refill(text);
            continue;
        }
        if (!expected)
            return true;
        unexpected(text, expected);
        skip_line(text);
    }
    if (text->reader.status && !text->status)
        text->status = text->reader.status;
    return false;
}

static enum status read_block(struct trc_text *text)
{
    static const char *const expected[] = {"x of the block: 1 to 1536", "y of the block: 1 to 1536",
                                           "z of the block: 1 to 1536"};
    refill(text);
    if (!next_token(text)) {
        trc_report(text, text->at, "expected a word and the block's x y z, but the file is empty");
        return text->status;
    }
    while (text->at < text->end && !is_blank(*text->at))
        text->at++;
    uint64_t threads = 1, size = 0;
    for (unsigned i = 0; i < 3; i++) {
        skip_blanks(text);
        if (!scan_number(text, 1, TRC_BLOCK_THREADS, &size)) {
            unexpected(text, expected[i]);
            return text->status;
        }
        text->block[i] = (uint32_t)size;
        threads *= size;
    }
    if (threads > TRC_BLOCK_THREADS)
        trc_problem(text, "a block of %" PRIu64 " threads; an SM of this format holds %d", threads,
                    TRC_BLOCK_THREADS);
    return text->status;
}

enum status trc_open(const char *path, struct trc_text *text, struct diagnostics *diagnostics)
{
    *text = (struct trc_text){.line_number = 1};
    enum status status = text_open(path, &text->reader, diagnostics);
    if (status)
        return status;
    text->buffer = calloc(1, BUFFER_BYTES + PADDING);
    if (!text->buffer) {
        trc_close(text);
        return STATUS_MEMORY;
    }
    text->at = text->end = text->record = text->line = text->buffer;
    status = read_block(text);
    if (status)
        trc_close(text);
    return status;
}

void trc_close(struct trc_text *text)
{
    free(text->buffer);
    text_close(&text->reader);
    *text = (struct trc_text){0};
}
