#include "report/drawing/html.h"

#include <stdint.h>

#include "base/printable.h"

/* The palette (Okabe and Ito) has enough contrast in both schemes and can be told apart by
 * colour-blind readers. Series differ in their marks too. */
static const char style[] =
    ":root{color-scheme:light dark;--ink:#1a1a1a;--dim:#5a5f66;--paper:#fff;--rule:#c9cdd2;"
    "--stripe:#f4f5f6;--s1:#0072b2;--s2:#b34700;--s3:#00795a;--s4:#9c4f84;--front:#b34700;"
    "--s5:#7a6a00;--sb:#b00020}\n"
    "@media screen and "
    "(prefers-color-scheme:dark){:root{--ink:#e8e8e6;--dim:#a3a9b0;--paper:#16181b;"
    "--rule:#3b4046;--stripe:#1e2125;--s1:#56b4e9;--s2:#f0a23c;--s3:#3fc79a;--s4:#d99cc4;"
    "--front:#f0a23c;--s5:#e6d750;--sb:#ff8a80}}\n"
    "body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);"
    "max-width:72rem;margin:0 auto;padding:1rem}\n"
    "h1,h2,h3{line-height:1.2}h2{margin-top:2.5rem;border-bottom:1px solid var(--rule)}\n"
    "p.note,figcaption{color:var(--dim)}\n"
    ".wide{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem;margin:.5rem 0 1rem}\n"
    "th,td{padding:.2rem .6rem;text-align:left;white-space:nowrap;"
    "border-bottom:1px solid var(--rule)}\n"
    "tbody tr:nth-child(even){background:var(--stripe)}"
    ".t{white-space:normal;min-width:18rem}.n{text-align:right;font-variant-numeric:tabular-nums}\n"
    "pre{background:var(--stripe);padding:.8rem;overflow-x:auto;font-size:.85rem}\n"
    "figure{display:inline-block;margin:.5rem 1rem .5rem 0;vertical-align:top;max-width:100%}\n"
    "svg{max-width:100%;height:auto}svg text{font:12px system-ui,sans-serif;fill:var(--ink)}\n"
    ".axis{stroke:var(--dim);fill:none}.grid{stroke:var(--rule);stroke-dasharray:2 3}\n"
    ".line{fill:none;stroke-width:2}.area{fill-opacity:.25;stroke-width:1.5}\n"
    ".point{fill-opacity:.45;stroke:none}.best{fill:none;stroke-width:2.5}\n"
    ".s1{stroke:var(--s1);fill:var(--s1)}.s2{stroke:var(--s2);fill:var(--s2)}"
    ".s3{stroke:var(--s3);fill:var(--s3)}.s4{stroke:var(--s4);fill:var(--s4)}"
    ".sf{stroke:var(--front);fill:var(--front)}.s5{stroke:var(--s5);fill:var(--s5)}"
    ".sb{stroke:var(--sb);fill:var(--sb)}.sx{stroke:var(--rule);fill:var(--rule)}\n"
    "path.stack{stroke:var(--paper);stroke-width:.5}\n"
    ".line.s1,.line.s2,.line.s3,.line.s4,.line.sf,.best{fill:none}\n"
    "@media print{body{max-width:none;font-size:11px}table{font-size:.8rem}.wide{overflow:visible}"
    "th,td{padding:.1rem .3rem;white-space:normal;overflow-wrap:anywhere}"
    "figure,tr{break-inside:avoid}h2,h3{break-after:avoid}}\n";

static const char *entity(char character)
{
    switch (character) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return NULL;
    }
}

void html_escape(const char *text, FILE *out)
{
    while (*text) {
        const char *markup = entity(*text);
        if (markup)
            fputs(markup, out);
        text = markup ? text + 1 : printable_put(text, out);
    }
}

void html_begin(const char *title, FILE *out)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          out);
    html_escape(title, out);
    fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<h1>", style);
    html_escape(title, out);
    fputs("</h1>\n", out);
}

void html_end(FILE *out)
{
    fputs("</main>\n</body>\n</html>\n", out);
}
