"""Read the numbers in the sentences of a notebook, and say which of them nothing gives.

A number is given by a cell near its sentence (printed, or set in its code), by a formula of its cell that is run
(tools/formulas), or by the world and the run (thirteen entities, d = 8). tests/test_prose.py holds the notebooks to it, and lists
the few numbers that come from elsewhere. Words count as their digits; two and three are mostly grammar ("the two curves") and are
free, except in "two of five", in fractions, and before the things of the world.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from functools import cache
from itertools import takewhile
from math import isclose
from typing import NamedTuple

import kg
from attention_chapter import run
from tools.formulas.source import FORMULA, split

UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
WORDS = {word: k for k, word in enumerate(UNITS.split())} | {word: 10 * k for k, word in enumerate(TENS.split(), start=2)}
LARGE = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
PARTS = {"half": 2, "halves": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
PARTS |= {f"{word}s": k for word, k in PARTS.items() if word != "halves" and word != "half"}

_small = "|".join(sorted(WORDS, key=len, reverse=True))
_word = rf"(?:{_small}|{'|'.join(LARGE)})"
NUMBER = re.compile(
    rf"""(?P<power>10\^\{{-?\d+\}})
    |(?P<decimal>(?<![\w.])\d[\d,]*\.\d+(?:e[+-]?\d+)?(?![\w.]*\d)|(?<![\w.])\d+e[+-]?\d+)(?P<percent1>\s?%)?
    |(?<![\w./^])(?P<fraction>\d+/\d+)(?![\w/])
    |(?<![\w.^/])(?P<integer>\d+(?:,\d{{3}})*)(?!\w)(?!\.\d)(?!,\d{{3}}\d)(?P<percent2>\s?%)?
    |\b(?P<part>(?:(?:a|one|two|three|four|five|six|seven|eight|nine)[ -])(?:{"|".join(PARTS)}))\b(?P<of>[ ]of\b|[ ]each\b|(?=[.;:)]))?
    |\b(?P<word>{_word}(?:[ -]{_word})*)\b""",
    re.VERBOSE | re.IGNORECASE,
)
PAIR = re.compile(r"^(?P<noun> \w+)? (?P<joint>of|out of|in)(?: (?:the|all|all the|these|its|their|every))? $")
REACH = 2  # code cells before a sentence, and as many behind
SUMMARY = re.compile(
    r"For the teacher|\*\*After this|## (?:What was found|What you have now|Key terms|The chapter in)"
)  # speak of all cells
NAMES = r"(?:notebooks?|sections?|exercises?|figures?|chapter|plan|footnote|version|python|arxiv)"

# The things of the world and how many there are of each. A sentence that counts them counts right.
WORLD = {"entities": len(kg.ENTITIES), "relations": len(kg.RELATIONS), "triples": len(kg.TRIPLES), "types": len(kg.CONCEPTS)} | {
    f"{concept.lower()}s": sum(of == concept for of in kg.TYPES.values()) for concept in kg.CONCEPTS
}
# What a sentence may take for known in the whole chapter: the number, and a word of the sentence that says what it counts.
KNOWN = [
    (len(kg.ENTITIES), ""),
    (len(kg.TRIPLES), ""),
    (len(kg.RELATIONS), "relation|kind|type|line|head"),  # five lines of matrix algebra: test_prose counts them
    (run.D, "feature|column|width|number"),
    (run.D_K, "coordinate|width|number|component"),
    (len(kg.ENTITIES) ** 2, "weight|score|pair"),
    (len({(subject, relation) for subject, relation, _ in kg.TRIPLES}), "question|row|pair"),
    (len({subject for subject, _, _ in kg.TRIPLES}), "question|row|entities"),
]


class Number(NamedTuple):
    """A number as it is written, its value, where it stands in its sentence, and of which kind it is."""

    text: str
    value: float
    start: int
    end: int
    kind: str


def worth(words: str) -> int:
    """What number words say: "ten thousand" is 10000, "twenty-one" 21."""
    total = 0
    for word in re.split(r"[ -]", words.lower()):
        total = max(total, 1) * LARGE[word] if word in LARGE else total + WORDS[word]
    return total


def numbers(sentence: str) -> list[Number]:
    """All numbers of a sentence, in their order."""
    found = []
    for hit in NUMBER.finditer(sentence):
        kind = next(name for name in ("power", "decimal", "fraction", "integer", "part", "word") if hit[name])
        text = hit[kind]
        if kind == "part" and hit["of"] is None and not re.search("half|halves|quarter|[a-z]s$", text):
            continue  # "a third vector" is no part
        if kind == "power":
            value = float(text.replace("10^{", "1e").rstrip("}"))
        elif kind == "fraction":
            above, below = text.split("/")
            value = int(above) / int(below) if int(below) else 0.0
        elif kind == "part":
            many, part = re.split(r"[ -]", text.lower())
            value = (1 if many == "a" else WORDS[many]) / PARTS[part]
        else:
            value = worth(text) if kind == "word" else float(text.replace(",", ""))
        if hit["percent1"] or hit["percent2"]:
            text, kind, value = hit[0], "percent", value / 100
        found.append(Number(text, value, hit.start(), hit.end(), kind))
    return found


# Sentences ----------------------------------------------------------------------------------------------------------


def plain(formula: str) -> str:
    """A formula as its numbers are read: without symbols it is text, with them only its decimals and powers of ten count."""
    text = formula.replace("{,}", ",").replace(r"\,", " ").replace(r"\times", "x")
    text = re.sub(r"\\[dt]?frac\{?(\d+)\}?\{?(\d+)\}?", r"\1/\2", text)
    if not re.search(r"[a-wyzA-Z]", re.sub(r"\\(?:pm|cdot|dots|ldots|ln|top)", "", text)) and not split(formula):
        return text.replace("\\", " ")
    return " ; ".join(number.text for number in numbers(text) if number.kind in ("decimal", "power"))


def sentences(source: str) -> list[str]:
    """The sentences of a Markdown text, as far as they may state numbers: without code, places in the literature, and names."""
    text = re.sub(r"```.*?```|<[^>]*>", " ", source, flags=re.DOTALL)
    text = re.sub(r"`[^`\n]*`", " ` ", text)
    text = text.split("## References")[0]
    text = re.sub(
        r"(?m)^\| \[.*$|^# .*$|\*\*Time:\*\* [^.]*\.|(?<=[a-z], )\d+ minutes|^[^.\n]*, about \d+ minutes(?=\.)", " ", text
    )  # other tests hold these
    text = FORMULA.sub(lambda hit: " " + plain(hit[1] or hit[2]) + " ", text)
    text = re.sub(r"\[[^\]]*\]\([^)]*\)|\[\w+\d{4}\w?\]", " ] ", text)  # a link, a reference
    text = re.sub(rf"(?i)\b{NAMES}s? \d+[a-z]?(?:\.\d+)*(?:(?:, | and | to | or )\d+[a-z]?\b)*|(?<![\w.])0\d[a-z]?\b", " ", text)
    blocks = re.split(r"\n\s*\n|\n(?=\s*(?:[*\-] |\d+\. |#|\|))", text)
    blocks = [re.sub(r"^\s*(?:>\s*)*(?:\d+\. )?", "", re.sub(r"\n\s*>?\s*", " ", block)) for block in blocks]
    return [part for block in blocks for part in re.split(r"(?<=[.?!:;])[*_]* (?=[A-Z*\"(])", block) if part.strip()]


# What gives numbers ---------------------------------------------------------------------------------------------------


def outputs(cell) -> list[str]:
    """The visible texts of a cell: what it prints, and the caption of a figure."""
    found = [out.get("text") or out.get("data", {}).get("text/markdown") or "" for out in cell.get("outputs", [])]
    return ["".join(text) for text in found if text]


@cache
def in_code(source: str) -> frozenset[float]:
    """The numbers that code sets, and how long its lists are: not those of seeds, axes, ends of slices, powers and formats."""
    tree = ast.parse(source)
    lengths = {
        float(len(getattr(n, "elts", getattr(n, "keys", []))))
        for n in ast.walk(tree)
        if isinstance(n, (ast.List, ast.Tuple, ast.Dict))
    }
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(slice=ast.Slice()):
                node.slice = ast.Constant(None)
            case ast.BinOp(op=ast.Pow()):
                node.right = ast.Constant(None) if not isinstance(node.left, ast.Constant) else node.right
            case ast.FormattedValue():
                node.format_spec = None
            case ast.keyword(arg="axis" | "axes" | "digits" | "ddof" | "indexing"):
                node.value = ast.Constant(None)
            case ast.Call(func=ast.Attribute(attr="default_rng")):
                node.args = []
    constants = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return frozenset(lengths) | {float(value) for value in constants if type(value) in (int, float)}


def written(text: str) -> list[float]:
    """The numbers of a printed text."""
    return [float(t.replace(",", "")) for t in re.findall(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?", text)]


@dataclass
class Near:
    """What the cells around a sentence give."""

    lines: list[str] = field(default_factory=list)  # printed
    printed: list[float] = field(default_factory=list)
    values: set[float] = field(default_factory=set)  # printed, set in code, or in a formula that is run
    fractions: set[float] = field(default_factory=set)


def near(cells: list, k: int, reach: int = REACH) -> Near:
    """What the cell k itself and the nearest code cells give: some before and some behind."""
    found = Near()
    before = [c for c in cells[:k] if c.cell_type == "code"][-reach:]
    behind = [c for c in cells[k:] if c.cell_type == "code"][: reach + 1]  # a question may stand a cell further off
    for cell in before + behind:
        found.lines += [line for text in outputs(cell) for line in text.splitlines()]
        found.values |= {float(text.count("\n")) for text in outputs(cell) if text.count("\n") < 10}  # "the longest four:"
        found.values |= in_code(cell.source)
    found.printed = [value for line in found.lines for value in written(line)]
    found.values |= set(found.printed)
    for cell in [c for c in cells[max(0, k - 2) : k + 1] if c.cell_type == "markdown"]:
        for hit in FORMULA.finditer(cell.source):
            formula = (hit[1] or hit[2]).replace("{,}", ",")
            if split(formula) or re.search(r"[a-zA-Z]", re.sub(r"\\[a-z]+", "", formula)):
                level = re.sub(r"[_^](?:\{[^{}]*\}|\w)", " ", formula)  # without indices and exponents
                found.values |= {float(t.replace(",", "")) for t in re.findall(r"(?<![\d.])\d+(?:,\d{3})*(?:\.\d+)?", level)}
                halves = re.findall(r"\\[dt]?frac\{?(\d+)\}?\{?(\d+)\}?|(\d+)/(\d+)", formula)
                found.fractions |= {int(a or c) / int(b or d) for a, b, c, d in halves if int(b or d)}
        if cell is not cells[k] or "```" in cell.source:
            found.values |= {v for block in re.findall(r"```.*?```", cell.source, re.DOTALL) for v in written(block)}
    return found


# The audit ----------------------------------------------------------------------------------------------------------


def given(number: Number, sentence: str, by: Near) -> bool:
    """Whether the cells near a number give it, or the world does."""
    value, kind = number.value, number.kind
    follows = sentence[number.end :]
    if kind == "percent":
        return any(isclose(value, v, abs_tol=0.005) for v in by.printed)
    if kind in ("fraction", "part"):
        if value == 0.5 or value in by.fractions or any(round(value, d) == v for v in by.values for d in (2, 3, 4)):
            return True
        below = int(number.text.split("/")[1]) if kind == "fraction" else 0
        if below > 9 and value * below == 1:  # 1/13, the even share
            return known(below, sentence) or below in by.values
        hedged = re.search(r"(?:about|nearly|almost|than|under|over|around|roughly)[ *]*$", sentence[: number.start])
        return bool(hedged) and any(isclose(value, v, rel_tol=0.12) for v in by.printed)
    if value in (len(kg.ENTITIES), run.D, run.D_K) and re.match(" x |\\)?$", follows[:3]) and " x " in sentence:
        return True  # a shape of the run; shapes.py compares it where it stands beside a symbol
    thing = re.match(r" (?:\w+ )?(\w+)", follows)
    nouns = thing[0].split() if thing else []
    counted = next((noun for noun in nouns if noun in WORLD), None)
    if counted and value > 3:
        return value == WORLD[counted]
    if value <= (3 if kind == "word" else 1):
        return True
    return known(value, sentence) or value in by.values or any(v and isclose(1 / v, value) for v in by.printed)


def known(value: float, sentence: str) -> bool:
    return any(value == number and re.search(word, sentence, re.IGNORECASE) for number, word in KNOWN)


def one_line(first: Number, second: Number, lines: list[str]) -> bool:
    """Whether one printed line has both numbers in this order."""
    for line in lines:
        values = written(line)
        if first.value in values and second.value in values[values.index(first.value) + 1 :]:
            return True
    return False


def strangers(cells: list, k: int) -> list[tuple[str, str, str]]:
    """The sentence, the number, and what is wrong with it, for each number of a cell that nothing gives."""
    by = near(cells, k, reach=len(cells) if SUMMARY.search(cells[k].source) else REACH)
    return [(sentence, *fault) for sentence in sentences(cells[k].source) for fault in faults(sentence, by)]


def faults(sentence: str, by: Near) -> list[tuple[str, str]]:
    """The numbers of a sentence that nothing near it gives, and what is wrong with each."""
    offered = sentence.find(":") if sentence.endswith("?") else -1  # "is it nearest: 2, 20 or 200?"
    found, among = [], [n for n in numbers(sentence) if offered < 0 or n.start < offered]
    for number in among:
        if number.kind not in ("decimal", "power") and not given(number, sentence, by):
            found.append((number.text, "no cell near it gives this number"))
    for first, second in zip(among, among[1:]):
        joined = PAIR.match(sentence[first.end : second.start])
        if joined and {first.kind, second.kind} <= {"integer", "word"} and counts(first, second, joined):
            if not one_line(first, second, by.lines) and not (known(first.value, sentence) and known(second.value, sentence)):
                pair = sentence[first.start : second.end]
                found.append((pair, "no line near it prints these two numbers in this order"))
    whole = [number for number in among if number.kind in ("integer", "word") and number.value >= 10]
    whole = [number for number in whole if [one.value for one in among].count(number.value) == 1]
    for first, second in zip(whole, whole[1:]):
        if not one_line(first, second, by.lines) and one_line(second, first, by.lines):
            found.append((f"{first.text} ... {second.text}", "the cells near it print these two the other way round"))
    return found


def counts(first: Number, second: Number, joined: re.Match) -> bool:
    """Whether "30 of 40" counts; "two ends of one formula", "twenty stacks of three layers" and "15 in five sets" do not."""
    if second.value == 1 or first.value > second.value and (joined["noun"] or joined["joint"] == "in"):
        return False
    return first.kind == "integer" or first.value > (3 if joined["noun"] or joined["joint"] == "in" else 1)


def precise(number: Number) -> bool:
    """Whether a number is its own name: two exchanged ones can be told apart."""
    return number.kind == "decimal" and len(number.text.replace(".", "").lstrip("0")) >= 2


def exchanged(sentence: str, texts: list[str]) -> list[tuple[str, str]]:
    """Neighbours in a sentence that the outputs print only the other way round."""
    found, among = [], [number for number in numbers(sentence) if precise(number)]
    for first, second in zip(among, among[1:]):
        if first.value == second.value:
            continue
        for unit in ([line for text in texts for line in text.splitlines()], texts):
            orders = {order for text in unit for order in orders_of(first.text, second.text, text)}
            if orders:
                found += [(first.text, second.text)] * (orders == {"other"})
                break
    return found


def orders_of(first: str, second: str, text: str) -> set[str]:
    shown = re.findall(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?", text)
    places = [[k for k, number in enumerate(shown) if number == wanted] for wanted in (first, second)]
    if not all(places):
        return set()
    return {"same"} if min(places[0]) < max(places[1]) else {"other"}


# Titles ---------------------------------------------------------------------------------------------------------------

DIRECTION = re.compile(
    r"\b(?:rises?|rising|falls?|falling|grows?|growing|shrinks?|climbs?|drops?|fades?|softens?|sharpens?|widens?|narrows?|multipl\w+"
    r"|more|most|mostly|less|least|fewer|fewest|high(?:er|est)|low(?:er|est)|larg(?:er|est)|small(?:er|est)|wid(?:er|est)"
    r"|narrow(?:er|est)|long(?:er|est)|short(?:er|est)|fast(?:er|est)|slow(?:er|est)|sharp(?:er|est)|strong(?:er|est)"
    r"|weak(?:er|est)|better|best|worse|worst)\b",
    re.IGNORECASE,
)
SAYS = {"title", "caption", "finding"}


def typed_titles(source: str) -> list[str]:
    """The titles and captions in a cell of code that state a direction and are typed, not computed."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.keyword(arg=name, value=text) if name in SAYS:
                pass
            case ast.Assign(targets=[ast.Name(id=name)], value=text) if name in SAYS:
                pass
            case _:
                continue
        parts = list(ast.walk(text))
        computed = any(isinstance(part, (ast.Name, ast.Call, ast.FormattedValue, ast.Attribute)) for part in parts)
        said = "".join(part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))
        if DIRECTION.search(said) and not computed:
            found.append(said)
    return found


# Lists ----------------------------------------------------------------------------------------------------------------


def announced(source: str) -> str | None:
    """What is wrong with "three things:" or a heading "Three ways" before a list that has another number of points."""
    point = re.compile(r"(?:[*-]|\d+\.) ")
    blocks = re.split(r"\n\s*\n", re.sub(r"\n(?=(?:[*-]|\d+\.) )", "\n\n", source))
    for k, block in enumerate(blocks):
        if point.match(block):
            continue
        last = re.split(r"[.?!:] ", " ".join(block.split()))[-1]
        said = re.match(rf"#+ .*?\b({_small}) \w+s\b", last, re.I) or re.search(rf"\b({_small}) \w+s\b[^\d]*:$", last, re.I)
        points = len(list(takewhile(point.match, blocks[k + 1 :])))
        if said and points and WORDS[said[1].lower()] != points:
            return f"{said[0]!r} stands before {points} points"
    return None
