#!/usr/bin/env python3
"""Holds help texts, messages and documents to the field's words.

RULES is a table: what not to say, what to say instead, and what may be said all the same. It is applied to the string
literals of src and ui, to the documents, and to configurations. Prints FILE:LINE: what, and exits with 1 if anything was
found.

  words.py [ROOT]     ROOT is the source tree (default: the working folder)
"""
import pathlib
import re
import sys

# What is counted, and what it is counted per: "bytes a cycle" is "bytes per cycle".
COUNTED = (
    r"accesses|B|beats|bits|blocks|bytes|counters|cycles|entries|flits|GB|hits|instructions|KiB|lanes|lines|look-ups|"
    r"MiB|MSHRs|packets|points|rows|sectors|slots|threads|transactions|transfers|units|warps|wavefronts|words")
PER = (
    r"access|bank|block|channel|core|cycle|entry|fetch|hit|instruction|lane|launch|level|line|load|look-up|machine|miss|"
    r"MSHR|pass|pc|PC|point|request|row|scheduler|second|sector|set|slice|SM|sub-core|TLB|walk|warp|wavefront|way|word")
# Words in front of "a cycle" that do not make it a rate.
NO_RATE = (
    r"after|and|as|at|be|before|by|counts?|during|each|ends?|every|find|for|from|half|In|in|into|is|keeps?|least|like|"
    r"maybe|more|most|needs?|nor|not|of|on|once|one|or|over|per|takes?|than|that|then|to|until|what|when|where|which|"
    r"with|within")

# (pattern, say instead, exception): a match whose line has the exception is none.
RULES = [
    (rf"\b(?!(?:{NO_RATE})\b)[\w.%`)]+ a cycle\b", "per cycle", None),
    (rf"\b(?:\d+|frames|times|{COUNTED}) a second\b", "per second", None),
    (rf"\b(?:{COUNTED}) an? (?:{PER})\b", "per", None),
    (r"\btak(?:e|es|en|ing|s) (?:no |a |its |their |any )?(?:new )?lines?\b", "allocates (no line)", None),
    (r"\bbehind\b", "after, beyond",
     r"(?:falls?|fell|furthest|leav(?:e|es|ing)|left) (?:\w+ ){0,2}behind|behind (?:the (?:camera|eye)|everything)"),
    (r"\bevicted lines (?:a|per) hit\b", "evictions per hit", None),
    (r"\breads no tags\b", "skips the tag read", None),
    (r"\bwhat is left of l\d", "1 - misses / accesses", None),
    (r"\blines? (?:that is |that are )?on (?:its|their) way\b", "in flight", None),
    (r"\bmiss-status\b", "MSHR", None),
    (r"\blane efficiency\b", "SIMD efficiency", None),
    (r"\bpass(?:es)? the L1D by\b|\bgoes? past the L1D\b|\bgo past the L1D\b", "bypasses the L1D", None),
    (r"\bduels? for the sets\b", "set dueling", None),
    (r"\bcould not be taken\b", "a reservation fail", None),
]
RULES = [(re.compile(p), say, e and re.compile(e)) for p, say, e in RULES]

SOURCES = ("src/**/*.[ch]", "ui/**/*.[ch]")
TEXTS = ("*.md", "docs/*.md", "docs/*.1", "configs/**/*.yaml", "traces/**/*.yaml", "traces/*.md")
TOKENS = re.compile(r"/\*.*?\*/|//[^\n]*|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|#\s*include[^\n]*", re.S)


def literals(text):
    """The string literals of C, neighbours joined, each with the line that it begins in."""
    found = []
    end = None
    for token in TOKENS.finditer(text):
        word = token.group()
        if not word.startswith('"'):
            continue
        joins = end is not None and not text[end:token.start()].replace("\\\n", "").strip()
        if joins:
            found[-1] = (found[-1][0], found[-1][1] + word[1:-1])
        else:
            found.append((text.count("\n", 0, token.start()) + 1, word[1:-1]))
        end = token.end()
    return found


def sentences(text):
    """Paragraphs of a document, so that a phrase is found across the ends of lines."""
    found = []
    start = None
    for number, line in enumerate(text.split("\n") + [""], 1):
        plain = re.sub(r"`[^`]*`", "`", line).strip().lstrip("#").strip()  # what is quoted is a name
        if not plain or plain.startswith(("|", "* ", "- ", ".")):
            start = None
        if plain:
            if start is None:
                found.append((number, plain))
                start = number
            else:
                found[-1] = (found[-1][0], found[-1][1] + " " + plain)
    return found


def found_in(phrase):
    """What is wrong in a phrase: (match, what to say instead, the words around it)."""
    for pattern, say, exception in RULES:
        for match in pattern.finditer(phrase):
            around = phrase[max(0, match.start() - 40):match.end() + 40]
            if not (exception and exception.search(around)):
                yield match.group(), say, around


def main(root):
    wrong = 0
    for patterns, phrases in ((SOURCES, literals), (TEXTS, sentences)):
        for file in sorted(file for pattern in patterns for file in root.glob(pattern)):
            for line, phrase in phrases(file.read_text(encoding="utf-8")):
                for words, say, around in found_in(phrase):
                    print(f"{file.relative_to(root)}:{line}: say '{say}', not '{words}': ...{around}...",
                          file=sys.stderr)
                    wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
