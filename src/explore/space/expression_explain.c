/* Explains in the words of conditions why SQLite rejected an expression. SQLite alone decides what
 * is valid; this code only looks for a place where two operands or two operators meet, and may find
 * none (explore/space/expression.h). */
#include <ctype.h>
#include <string.h>

#include "explore/space/expression.h"

/* Words that join two operands. Other keywords are operands or begin one. */
static const char *const joining[] = {"and",  "or",   "is",     "in", "between",
                                      "like", "glob", "escape", NULL};
static const char *const after_operand[] = {"isnull", "notnull", "not", NULL};

static bool is_one_of(const char *const *words, const char *text, size_t length)
{
    for (size_t i = 0; words[i]; i++)
        if (strlen(words[i]) == length && !strncasecmp(words[i], text, length))
            return true;
    return false;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static size_t token_length(const char *text)
{
    size_t length = 1;
    if (*text == '\'') {
        while (text[length] && (text[length] != '\'' || text[length + 1] == '\''))
            length += text[length] == '\'' ? 2 : 1;
        return length + (text[length] != '\0');
    }
    if (is_word(*text)) {
        while (is_word(text[length]))
            length++;
        bool percent = isdigit((unsigned char)*text) && text[length] == '%';
        return length + (percent && !is_word(text[length + 1]));
    }
    while (text[length] && strchr("<>=!|", text[0]) && strchr("<>=|", text[length]))
        length++;
    return length;
}

/* Whether a token joins two operands or precedes the first one. */
static bool is_joint(const char *token, size_t length)
{
    return is_word(*token) ? is_one_of(joining, token, length) : !strchr("'()", *token);
}

/* SQLite says only where its parser gave up. Here operands and what joins them must alternate, and
 * the first place where they do not is what somebody left out. This is no grammar: it runs only on
 * what was refused already, and what it cannot explain it repeats in SQLite's words. */
void expression_explain(const struct expression *expression, const char *otherwise,
                        struct diagnostics *diagnostics)
{
    const char *text = expression->text, *at = text;
    bool operand_before = false, negated = false; /* negated: "not" after an operand needs more */
    for (size_t length; *(at += strspn(at, " \t\r\n")); at += length) {
        length = token_length(at);
        const bool wanted = !operand_before;
        const int shown = length < 40 ? (int)length : 40;
        if (is_one_of((const char *const[]){"case", NULL}, at, length))
            break; /* CASE has a grammar that this does not know */
        if (wanted && (*at == ')' || (is_joint(at, length) && !strchr("+-~", *at)))) {
            expression_report(expression, (size_t)(at - text), length, diagnostics,
                              "a name or a value is missing before '%.*s'", shown, at);
            return;
        }
        if (!wanted && is_one_of(after_operand, at, length)) {
            negated = true;
            continue;
        }
        if (!wanted && !negated && *at != ')' && !is_joint(at, length)) {
            expression_report(expression, (size_t)(at - text), length, diagnostics,
                              "'and', 'or' or a comparison is missing before '%.*s'", shown, at);
            return;
        }
        const bool prefix = is_one_of((const char *const[]){"not", NULL}, at, length);
        const bool function = is_word(*at) && at[length + strspn(at + length, " ")] == '(';
        operand_before = *at != '(' && !is_joint(at, length) && !prefix && !function;
        negated = false;
    }
    if (!*at && !operand_before)
        expression_report(expression, strlen(text), 0, diagnostics,
                          "a name or a value is missing at the end");
    else
        expression_report(expression, 0, 0, diagnostics, "not a condition: %s", otherwise);
}
