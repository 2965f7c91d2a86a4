r"""Change the book's formulas one place at a time, and name every change that their tests do not notice.

    python -m tools.mutate_formulas            all notebooks and modules
    python -m tools.mutate_formulas 05 06      those whose cells begin like this

What can go wrong with a formula in print: a sign, an index, a number, a factor lost or doubled, n for n - 1, a transpose, a
root, an exponent, a fraction upside down, one symbol for another, a relation turned round. Only what is run is changed, and
only changes that can still be read count. One that no test could tell stands in tools/formula_mutants.md with the reason.
Exits 1 where another one survives.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tools import trust
from tools.formulas.check import Cell, check, define, load
from tools.formulas.latex import Parser
from tools.formulas.scope import Scope
from tools.formulas.source import Statement, statements
from tools.formulas.values import FormulaError

LISTED = Path(__file__).with_name("formula_mutants.md")
GROUP = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
NAME = (
    r"(?:\\(?:mathbf|boldsymbol|mathcal) ?(?:\{[A-Za-z]\}|\\?[A-Za-z]+)"
    r"|\\(?:rho|mu|eta|lambda|delta|sigma|omega|varepsilon)(?![a-z])|(?<![\\A-Za-z])[A-Za-z](?![A-Za-z]{2}))"
)
ATOM = re.compile(rf"({NAME})((?:_(?:{GROUP}|[A-Za-z0-9]))?)")
TURNED = {r"\le": r"\ge", r"\ge": r"\le", "<": ">", ">": "<"}
# What is taken for another symbol, where the statement itself does not offer one.
PARTNERS = {"Q": "K", "K": "V", "V": "K", "W_q": "W_k", "W_k": "W_v", "W_v": "W_q", "d_k": "d_v", "n": "d", "d": "n", "A": "O"}


class Mutant(NamedTuple):
    """One change of a statement."""

    kind: str
    statement: Statement
    becomes: str


def spots(text: str) -> Iterator[tuple[str, int, int, str]]:
    """Every change: its kind, where it begins and ends, and what comes there instead."""
    for found in re.finditer(r"(?<![a-zA-Z])[+-]", text):
        before = text[: found.start()].rstrip(r" \,;!")
        alone = found[0] == "-" and (not before or before[-1] in "=({[" or before.endswith((r"\cdot", r"\approx", r"\le", r"\ge")))
        yield "sign", found.start(), found.end(), "" if alone else "-+"[found[0] == "-"]
    for found in re.finditer(r"\d+", text):
        if not text[: found.start()].endswith((r"\Vert_", r"\rVert_")):
            yield "number", found.start(), found.end(), str(int(found[0]) + 1)
    for found in re.finditer(r"\s*-\s*1(?![\d/])", text):
        if re.search(r"[a-zA-Z}]$", text[: found.start()]):
            yield "n for n - 1", found.start(), found.end(), ""
    for found in re.finditer(r"\^(?:\{\\top\}|\\top)", text):
        yield "transpose", found.start(), found.end(), ""
    for found in re.finditer(rf"\\sqrt ?({GROUP}|[a-z])", text):
        yield "root", found.start(), found.end(), found[1]
    for found in re.finditer(rf"(.)\^({GROUP}|[A-Za-z0-9])(?!\\)", text):
        if found[1] == "e":
            yield "exponent", *found.span(2), f"{{-({found[2].strip('{}')})}}" if found[2][0] == "{" else f"{{-{found[2]}}}"
        elif not re.match(r"\{?\\(top|text)|\{\(|\*", found[2]):
            yield "exponent", found.start() + 1, found.end(), ""
    for found in re.finditer(rf"\\frac({GROUP})({GROUP})", text):
        if r"\partial" not in found[0]:
            yield "fraction", found.start(), found.end(), rf"\frac{found[2]}{found[1]}"
    for found in re.finditer(r"\\[lg]e(?![a-z])|<|>", text):
        yield "relation", found.start(), found.end(), TURNED[found[0]]
    indices = sorted(set(re.findall(r"[a-z]", " ".join(re.findall(rf"_({GROUP}|[a-z])", text)))) & set("ijklabmtws"))
    for found in re.finditer(rf"_({GROUP}|[a-z])", text):
        for letter in re.finditer(r"(?<![\\a-z])[a-z](?![a-z]{2})", found[1]):
            for other in [other for other in indices if other != letter[0]][:2]:
                at = found.start(1) + letter.start()
                yield "index", at, at + 1, other
    atoms = list(ATOM.finditer(text))
    for found in atoms:
        if inside_subscript(text, found.start()) or (found[1] == "e" and text[found.end() :].startswith("^")):
            continue
        power = re.match(rf"\^(?:{GROUP}|\\top|[A-Za-z0-9*])", text[found.end() :])
        end = found.end() + (power.end() if power else 0)
        yield "factor dropped", found.start(), end, ""
        yield "factor doubled", found.start(), end, f"2 {text[found.start() : end]}"
        if not power and found[1].isupper() and not text[found.end() :].startswith("'"):
            yield "transpose", found.end(), found.end(), r"^\top"
        kin = [
            other
            for other in atoms
            if other[0] != found[0] and other[1] != found[1] and kind(other[1]) == kind(found[1]) and other[1] != "e"
        ]
        if kin:
            yield "symbol", *found.span(1), kin[(atoms.index(found)) % len(kin)][1]
        for name in (found[0], found[1]):
            if name in PARTNERS:
                yield "symbol", found.start(), found.start() + len(name), PARTNERS[name]
                break


def inside_subscript(text: str, at: int) -> bool:
    """Whether a place lies in a subscript, where letters are indices."""
    return any(found.start(1) <= at < found.end(1) for found in re.finditer(rf"_({GROUP}|[a-zA-Z])", text))


def kind(name: str) -> str:
    return "bold" if "bold" in name or "mathbf" in name else "upper" if name.isupper() else "lower"


def mutants(statement: Statement, scope: Scope) -> Iterator[Mutant]:
    """The changes of a statement that can still be read, each once."""
    seen = {statement.text.replace(" ", "")}
    for what, start, end, instead in spots(statement.text):
        text = statement.text[:start] + instead + statement.text[end:]
        if text.replace(" ", "") not in seen:
            seen.add(text.replace(" ", ""))
            try:
                parser = Parser(text, scope)
                parser.chain()
                if not parser.peek():
                    yield Mutant(what, statement, text)
            except FormulaError:
                pass


def with_text(found_in: Cell, old: str, new: str) -> Cell:
    """The bindings of a cell, where a statement is another; what is said of it stays."""
    return replace(
        found_in,
        **{
            part: {new if text == old else text: value for text, value in getattr(found_in, part).items()}
            for part in ("given", "tight", "wider", "limit", "whole")
        },
    )


def noticed(mutant: Mutant, group: list[Statement], found_in: Cell, good: list[str]) -> bool:
    """Whether the check of the cell fails where the statement is changed."""
    changed = mutant.statement._replace(text=mutant.becomes)
    k = group.index(mutant.statement)
    cell = with_text(found_in, mutant.statement.text, mutant.becomes) if group.count(mutant.statement) == 1 else found_in
    return check([*group[:k], changed, *group[k + 1 :]], cell) != good


def check_all(groups: dict[str, list[Statement]], cells: dict[str, Cell]) -> Iterator[tuple[Statement, str]]:
    """Every statement, and what became of it."""
    for name, group in groups.items():
        yield from zip(group, check(group, cells.get(name, Cell())))


def page(statement: Statement) -> str:
    """The row of the table in which a statement is counted: its notebook's number, its module or its page."""
    return statement.place.split("_")[0] if statement.place.endswith(".ipynb") else statement.place


def count(found: Iterable[tuple[Statement, str]]) -> dict[str, Counter]:
    """For each page how many statements are displayed and inline, and how many of them are run, settings and listed."""
    counts: dict[str, Counter] = {}
    for statement, result in found:
        row_of_page = counts.setdefault(page(statement), Counter(dict.fromkeys(trust.COLUMNS, 0)))
        row_of_page["displayed" if statement.displayed else "inline"] += 1
        row_of_page[{"evaluated": "run", "setting": "settings", "listed": "listed"}.get(result, "wrong")] += 1
    return counts


def names_of(group: list[Statement], found_in: Cell) -> Scope:
    """All that is bound or defined in a cell, to tell which changes can still be read."""
    scope = Scope(found_in.bind(np.random.default_rng(0)))
    for conditions in found_in.given.values():
        for condition in conditions:
            if isinstance(condition, dict):
                scope.names = {**condition, **scope.names}
    define(
        scope,
        [s.text for s in group],
        [k for k, s in enumerate(group) if s.text not in found_in.settings and s.text not in found_in.listed],
        found_in,
    )
    return scope


def listed() -> set[tuple[str, str]]:
    """The changes of tools/formula_mutants.md: the cell, and what the statement becomes."""
    rows = [line.split(" | ") for line in LISTED.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    return {(row[0].strip("|` "), row[1].strip().strip("`")) for row in rows}


def row(mutant: Mutant) -> tuple[str, str]:
    return mutant.statement.cell, mutant.becomes.replace("|", "¦")


def main() -> int:
    chosen, cells, groups = tuple(sys.argv[1:]), load(), defaultdict(list)
    for statement in statements():
        groups[statement.cell].append(statement)
    counts, kinds, survivors = count(check_all(groups, cells)), Counter(), []
    known = listed()
    for name, group in groups.items():
        if chosen and not name.startswith(chosen):
            continue
        found_in = cells[name]
        good = check(group, found_in)
        scope = names_of(group, found_in)
        for statement, result in zip(group, good):
            if result != "evaluated":
                continue
            for mutant in mutants(statement, scope):
                row_of_page = counts[page(statement)]
                row_of_page["changes"] += 1
                kinds[mutant.kind] += 1
                if noticed(mutant, group, found_in, good):
                    row_of_page["noticed"] += 1
                    continue
                survivors.append(mutant)
                row_of_page["equivalent" if row(mutant) in known else "survive"] += 1
                if row(mutant) not in known:
                    print(f"SURVIVES  {name}  {mutant.kind}\n  - {statement.text}\n  + {mutant.becomes}")
    gone = set() if chosen else known - {row(mutant) for mutant in survivors}
    for cell, text in sorted(gone):
        print(f"listed, and yet noticed or no longer there: {cell}  {text}")
    total = {key: sum(of[key] for of in counts.values()) for key in ("changes", "noticed", "equivalent", "survive")}
    print(", ".join(f"{kind} {number}" for kind, number in kinds.most_common()))
    print(", ".join(f"{key} {value}" for key, value in total.items()))
    if not chosen:
        trust.store("formulas", {name: dict(of) for name, of in counts.items()}, afresh=True)
    return int(bool(total["survive"] or gone))


if __name__ == "__main__":
    sys.exit(main())
