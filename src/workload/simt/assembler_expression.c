/* Expressions of the assembler: numbers, symbols and the operators of C with its precedence. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/simt/assembler_state.h"

enum { NESTING_MAX = 64 };

struct expression {
    struct cursor *cursor;
    bool forward, failed;
    unsigned depth;
};

static int64_t read_sum(struct expression *expression, unsigned level);

static void expression_fail(struct expression *expression, const char *what)
{
    struct cursor *cursor = expression->cursor;
    if (!expression->failed)
        assembler_problem(cursor, cursor->at, 1, "%s", what);
    expression->failed = true;
}

/* One character in quotes, with the escapes of C. */
static int64_t read_character(struct expression *expression)
{
    static const char escapes[] = "n\nt\tr\r0\0\\\\''\"\"";
    struct cursor *cursor = expression->cursor;
    int64_t value = 0;
    if (cursor->end - cursor->at >= 3 && cursor->at[1] == '\\') {
        for (size_t i = 0; i + 1 < sizeof escapes; i += 2)
            if (escapes[i] == cursor->at[2])
                value = (unsigned char)escapes[i + 1];
        cursor->at += 3;
    } else if (cursor->end - cursor->at >= 2) {
        value = (unsigned char)cursor->at[1];
        cursor->at += 2;
    }
    if (cursor->at == cursor->end || *cursor->at != '\'')
        expression_fail(expression, "expected a character in quotes");
    else
        cursor->at++;
    return value;
}

/* "1b" or "1f": the nearest numeric label before or after. */
static int64_t read_numeric_label(struct expression *expression)
{
    struct cursor *cursor = expression->cursor;
    const char *at = cursor->at;
    const bool forward = at[1] == 'f';
    char name[32];
    const uint32_t count = cursor->assembler->locals[*at - '0'];
    snprintf(name, sizeof name, "%c %u", *at, count + forward);
    struct symbol *symbol = assembler_symbol(cursor->assembler, name, strlen(name), true);
    const bool known = symbol && symbol->walk;
    if (!known && cursor->assembler->walk == WALK_BYTES)
        expression_fail(expression, forward ? "no such label after it" : "no such label before it");
    expression->forward |= forward;
    cursor->at += 2;
    return known ? symbol->value : 0;
}

/* "12", "0x1f", "0b101", or a numeric label. */
static int64_t expression_number(struct expression *expression)
{
    struct cursor *cursor = expression->cursor;
    const char *at = cursor->at;
    const ptrdiff_t left = cursor->end - at;
    if (left >= 2 && (at[1] == 'b' || at[1] == 'f') && (left == 2 || !cursor_name_character(at[2])))
        return read_numeric_label(expression);
    const unsigned base = left > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')   ? 16
                          : left > 2 && at[0] == '0' && (at[1] == 'b' || at[1] == 'B') ? 2
                                                                                       : 10;
    uint64_t value = 0;
    for (cursor->at += base == 10 ? 0 : 2;
         cursor->at < cursor->end && cursor_name_character(*cursor->at); cursor->at++) {
        const char character = (char)(*cursor->at | 0x20);
        const unsigned digit =
            *cursor->at <= '9' ? (unsigned)(*cursor->at - '0') : (unsigned)(character - 'a') + 10;
        if (digit >= base || value > (UINT64_MAX - digit) / base) {
            cursor->at = at;
            expression_fail(expression,
                            digit >= base ? "this is no number" : "a number has at most 64 bits");
            return 0;
        }
        value = value * base + digit;
    }
    return (int64_t)value;
}

static int64_t read_symbol(struct expression *expression)
{
    struct cursor *cursor = expression->cursor;
    struct assembler *assembler = cursor->assembler;
    const char *word;
    const size_t length = cursor_word(cursor, &word);
    if (!length) {
        expression_fail(expression, "expected a number or a symbol");
        return 0;
    }
    if (length == 1 && *word == '.')
        return address_now(assembler);
    struct symbol *symbol = assembler_symbol(assembler, word, length, true);
    expression->forward |= !symbol || symbol->walk < assembler->walk;
    if (symbol && symbol->walk)
        return symbol->value;
    if (assembler->walk == WALK_BYTES) {
        const char *names[512];
        size_t count = 0;
        for (const struct symbol *at = assembler->symbols; at && count < 512; at = at->next)
            if (at->walk && !strchr(at->name, ' '))
                names[count++] = at->name;
        char hint[SUGGESTION_TEXT], name[SUGGESTION_TEXT];
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        assembler_problem(cursor, word, length, "no symbol '%s'%s", name,
                          suggestion(nearest_name(name, names, count), hint));
        expression->failed = true;
    }
    return 0;
}

static int64_t read_operand(struct expression *expression)
{
    struct cursor *cursor = expression->cursor;
    int64_t value = 0;
    if (++expression->depth > NESTING_MAX) {
        expression_fail(expression, "this is nested too deeply");
        return 0;
    }
    if (cursor_take(cursor, '-')) {
        value = (int64_t)(0 - (uint64_t)read_operand(expression));
    } else if (cursor_take(cursor, '+')) {
        value = read_operand(expression);
    } else if (cursor_take(cursor, '~')) {
        value = ~read_operand(expression);
    } else if (cursor_take(cursor, '(')) {
        value = read_sum(expression, 0);
        if (!expression->failed && !cursor_take(cursor, ')'))
            expression_fail(expression, "expected ')'");
    } else if (cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9') {
        value = expression_number(expression);
    } else if (cursor->at < cursor->end && *cursor->at == '\'') {
        value = read_character(expression);
    } else {
        value = read_symbol(expression);
    }
    expression->depth--;
    return value;
}

static const struct operator
{
    char text[3];
    uint8_t level;
}
operators[] = {{"|", 0}, {"^", 1}, {"&", 2}, {"<<", 3}, {">>", 3},
               {"+", 4}, {"-", 4}, {"*", 5}, {"/", 5},  {"%", 5}};
enum { LEVELS = 6 };

/* The operator of a level that stands here; NULL: none. */
static const struct operator* take_operator(struct cursor *cursor, unsigned level)
{
    cursor_skip(cursor);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        const size_t length = strlen(operators[i].text);
        if (operators[i].level == level && (size_t)(cursor->end - cursor->at) >= length &&
            !memcmp(cursor->at, operators[i].text, length)) {
            cursor->at += length;
            return &operators[i];
        }
    }
    return NULL;
}

/* Applies an operator as 64-bit arithmetic that wraps; what C leaves open is 0. */
static int64_t apply(struct expression *expression, char operator, int64_t left, int64_t right)
{
    const uint64_t a = (uint64_t)left, b = (uint64_t)right;
    if ((operator== '/' || operator== '%') && (!right || (right == -1 && left == INT64_MIN))) {
        expression_fail(expression, "this divides by zero");
        return 0;
    }
    switch (operator) {
    case '|':
        return (int64_t)(a | b);
    case '^':
        return (int64_t)(a ^ b);
    case '&':
        return (int64_t)(a & b);
    case '<':
        return b < 64 ? (int64_t)(a << b) : 0;
    case '>':
        return b < 64 ? (int64_t)(a >> b) : 0;
    case '+':
        return (int64_t)(a + b);
    case '-':
        return (int64_t)(a - b);
    case '*':
        return (int64_t)(a * b);
    case '/':
        return left / right;
    default:
        return left % right;
    }
}

static int64_t read_sum(struct expression *expression, unsigned level)
{
    if (level == LEVELS)
        return read_operand(expression);
    int64_t value = read_sum(expression, level + 1);
    const struct operator* found;
    while (!expression->failed && (found = take_operator(expression->cursor, level)))
        value = apply(expression, found->text[0], value, read_sum(expression, level + 1));
    return value;
}

bool expression_read(struct cursor *cursor, int64_t *value, bool *forward)
{
    struct expression expression = {.cursor = cursor};
    *value = read_sum(&expression, 0);
    if (forward)
        *forward = expression.forward;
    return !expression.failed;
}
