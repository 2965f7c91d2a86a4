"""Hold the statements of the book against the code: evaluate both sides of each, and say where they differ.

What a cell's symbols stand for is bound in bindings/. There a statement may also be a setting of the text ("c = 3"), or be
listed as not run, with the reason. Everything else is evaluated, for several draws; whatever is neither, or no longer
there, fails.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields

import numpy as np

from tools.formulas import bindings
from tools.formulas.functions import COMPARE
from tools.formulas.latex import Parser
from tools.formulas.scope import Defined, Scope
from tools.formulas.source import Statement
from tools.formulas.values import FormulaError, Value, add, entrywise, number, scale, together

DRAWS = 2
SAME = 1e-7  # of the larger side: central differences are off by 1e-10, and no mutant changes so little
ABOUT = 0.02  # what "approximately" may differ by, where the binding goes to the end that the text speaks of
LIMIT = 1e-3  # and what an arrow may
SAYS = {
    "tight": "there the binding wants the inequality to be tight",
    "prop": "the text says proportional",
    "~": "the text says about",
    "->": "the text says that the one goes to the other",
}
Given = tuple[str | dict, ...]


@dataclass(frozen=True)
class Cell:
    """The bindings of a cell, and what its prose says beside its statements."""

    bind: Callable[[np.random.Generator], dict] = lambda rng: {}
    settings: tuple[str, ...] = ()  # not claims but choices: "c = 3"
    listed: dict[str, str] = field(default_factory=dict)  # not run: statement and reason
    given: dict[str, Given] = field(default_factory=dict)  # conditions of the prose: statement and conditions
    tight: dict[str, Given] = field(default_factory=dict)  # an inequality, and where its sides are equal
    wider: dict[str, tuple] = field(default_factory=dict)  # other bindings for which its first so many sides hold
    limit: dict[str, Given] = field(default_factory=dict)  # "about" or an arrow, and how far to go for it
    whole: dict[str, str] = field(default_factory=dict)  # a formula without a relation, and what completes it


BOOK: dict[str, Cell] = {}


def cell(*ids: str, **parts) -> None:
    """Bind some cells."""
    for name in ids:
        assert name not in BOOK, f"{name} is bound twice"
        BOOK[name] = Cell(**parts)


def load() -> dict[str, Cell]:
    """All bindings of the book."""
    for module in pkgutil.iter_modules(bindings.__path__):
        importlib.import_module(f"{bindings.__name__}.{module.name}")
    return BOOK


def check(statements: list[Statement], found_in: Cell) -> list[str]:
    """For each statement of a cell "evaluated", "setting", "listed" or what is wrong; then what is wrong with the lists."""
    texts = [statement.text for statement in statements]
    todo = [k for k, text in enumerate(texts) if text not in found_in.settings and text not in found_in.listed]
    results = ["setting" if text in found_in.settings else "listed" for text in texts]
    used: dict[int, set[str]] = {k: set() for k in todo}
    defined: dict[int, str] = {}
    for k in todo:
        results[k] = "evaluated"
    for draw in range(DRAWS):
        scope = Scope(found_in.bind(np.random.default_rng(draw)))
        defined = define(scope, texts, todo, found_in)
        for k in todo:
            if results[k] == "evaluated":
                try:
                    used[k] |= evaluate(texts[k], scope, found_in)
                except (FormulaError, FloatingPointError, ValueError, TypeError, IndexError, KeyError, OverflowError) as wrong:
                    results[k] = message(statements[k], draw, wrong)
    for k, name in defined.items():
        if results[k] == "evaluated" and not any(name in used[j] and results[j] == "evaluated" for j in todo if j != k):
            results[k] = message(statements[k], 0, FormulaError(f"{name} is defined, and no other formula of the cell uses it"))
    parts = (getattr(found_in, one.name) for one in fields(found_in) if one.name != "bind")
    listed = dict.fromkeys(text for part in parts for text in part)
    return results + [f"listed, and no longer in the cell: {text}" for text in listed if text not in texts]


def message(statement: Statement, draw: int, wrong: Exception) -> str:
    return (
        f"{statement.place}, cell {statement.cell}: ${statement.text}$\n  {wrong}\n  (draw {draw} of what "
        f"tools/formulas/bindings says of this cell; a statement that cannot be run is listed there with its reason)"
    )


def define(scope: Scope, texts: list[str], todo: list[int], found_in: Cell) -> dict[int, str]:
    """Bind the names that statements define, "S = sum of e^z": each statement that does, and its name."""
    found = {}
    for _ in range(2):  # a definition may use one that stands after it
        for k in todo:
            if k in found:
                continue
            try:
                parser = Parser(texts[k], scope)
                name, _, subscripts = parser.spelled()
                indices = tuple(word for words in subscripts for word in words)
                if name in scope or parser.peek() != "=" or not all(word.isalpha() for word in indices):
                    continue
                parser.next()
                side = parser.chain()[0][1]
            except FormulaError:
                continue
            scope.names[name] = Defined(side, indices)
            found[k] = name
    return found


def settle(scope: Scope, conditions: Iterable[str | dict]) -> tuple[Scope, list[str]]:
    """The scope with the settings among some conditions, and the others, which are about free indices."""
    rest = []
    for condition in conditions:
        if isinstance(condition, dict):
            scope = scope.inner(**condition)
            continue
        parser = Parser(condition, scope)
        name, _, subscripts = parser.spelled()
        if name in scope and not subscripts and parser.peek() == "=" and name not in scope.names.get("ranges", {}):
            parser.next()
            value = parser.expression()(scope).data[()]
            scope = scope.inner(**{name: int(value) if isinstance(scope.names[name], int) else value})
        else:
            rest.append(condition)
    return scope, rest


def evaluate(text: str, scope: Scope, found_in: Cell) -> set[str]:
    """Check one statement; returns the names that it uses."""
    scope.used = set()
    inner, conditions = settle(scope, found_in.given.get(text, ()))
    inner.used = scope.used
    parser = Parser(text + found_in.whole.get(text, ""), inner)
    chain = parser.chain()
    if parser.peek():
        raise FormulaError(f"did not understand {' '.join(parser.words[parser.at :])!r}")
    with np.errstate(all="ignore"):
        if parser.order:
            falls(chain, inner, *parser.order)
        else:
            compare(chain, inner, conditions, parser.conditional, settle(scope, found_in.limit.get(text, ()))[0])
        for count, bind in found_in.wider.get(text, ()):
            wide, conditions = settle(Scope(bind(np.random.default_rng(count))), found_in.given.get(text, ()))
            compare(Parser(text, wide).chain()[:count], wide, conditions, parser.conditional, wide)
        for side, other in parser.inner:
            first = chain[0][1](inner)
            inner = inner.ranging({name: first.size(name) for name in first.names})
            relate("=", side(inner), other(inner), None, ("a case", "its other form"), conditional=True)
        for side, rows, columns in parser.shapes:
            wanted = (int(rows(inner).data), int(columns(inner).data))
            if side(inner).shape != wanted:
                raise FormulaError(f"the shape is {side(inner).shape}, and the text says {wanted}")
        if any(relation in ("<=", ">=") for relation, _, _ in chain):
            if text not in found_in.tight:
                raise FormulaError("an inequality needs a case in which it is tight")
            equal, conditions = settle(scope, found_in.tight[text])
            chain = [("tight", side, words) for _, side, words in chain]
            compare(chain, equal, conditions, parser.conditional, equal)
    return set(scope.used)


def compare(chain: list, scope: Scope, conditions: list[str], conditional: bool, limit: Scope) -> None:
    """Each side with the one before it; what holds only in a limit is compared there."""
    if len(chain) < 2:
        raise FormulaError("there is no relation to check")
    first = chain[0][1](scope)
    scope = scope.ranging({name: first.size(name) for name in first.names})
    sides = [first, *(side(scope) for _, side, _ in chain[1:])]
    where = mask(sides, scope, conditions)
    for k, (relation, _, words) in enumerate(chain[1:], 1):
        new = set(sides[k].names) - set(first.names) - set(scope.names.get("ranges", {}))
        if new:
            raise FormulaError(f"free index {', '.join(sorted(new))} on a later side only: {words}")
        a, b = sides[k - 1 : k + 1] if relation not in ("~", "->") else [side(limit) for _, side, _ in chain[k - 1 : k + 1]]
        relate(relation, a, b, where, (chain[k - 1][2], words), conditional)


def mask(sides: list[Value], scope: Scope, conditions: list[str]) -> Value | None:
    """Where all conditions hold, for the free indices of the sides."""
    ranges = {name: side.size(name) for side in sides for name in side.names}
    found = None
    for condition in conditions:
        holds = Parser(condition, scope).condition()(scope.ranging(ranges))
        strange = set(holds.names) - set(ranges)
        if strange:
            raise FormulaError(f"the condition {condition} names an index that is not there: {', '.join(sorted(strange))}")
        found = holds if found is None else entrywise(np.logical_and, found, holds)
    if found is not None and not found.data.any():
        raise FormulaError(f"nothing is left where {' and '.join(conditions)}")
    return found


def relate(relation: str, a: Value, b: Value, where: Value | None, words: tuple[str, str], conditional: bool = False) -> None:
    """Fail unless a relation holds, for all values of the indices where the conditions do."""
    if b.rank == 0 and a.rank and relation in ("=", "!=") and not b.data.any():
        b = Value(np.zeros(a.shape), a.rank, (), a.row)  # x = 0 for a vector
    add(a, b)  # that they are of one kind and shape
    _, arrays = together(a, b, *([where] if where is not None else []))
    x, y, *masks = map(np.atleast_1d, arrays)  # the indices are the last axes, so that a mask fits a tensor
    x, y, holds = np.broadcast_arrays(x, y, masks[0] if masks else True)
    if conditional:
        holds = holds & ~np.isnan(x)
    if not holds.any():
        raise FormulaError("nothing is left to compare")
    x, y = x[holds], y[holds]
    size = np.maximum(np.maximum(abs(x), abs(y)), 1e-3)
    near = (x == y) | (abs(x - y) <= SAME * np.where(np.isfinite(size), size, 0))
    good = {
        "=": near,
        "tight": near,
        "!=": ~near,
        "~": abs(x - y) <= ABOUT * abs(y),
        "->": abs(x - y) <= LIMIT * (abs(y) + 1e-3),
        "prop": abs(x / y - x.flat[0] / y.flat[0]) <= SAME * abs(x / y),
    }.get(relation)
    if good is None:
        good = COMPARE[relation](x, y) | (near if "=" in relation else False)
    if not good.all():
        k = int(np.argmin(good))
        says = SAYS.get(relation, f"the text says {relation}")
        raise FormulaError(f"{words[0]} is {x[k]:.6g}, {words[1]} is {y[k]:.6g}; {says}")


def falls(chain: list, scope: Scope, name: str, order: int) -> None:
    """That the two sides differ by a term of this order: h halved, and the difference falls by this power of two."""
    off = []
    for step in (0.04, 0.02):
        a, b = (side(scope.inner(**{name: step})) for _, side, _ in chain)
        off.append(abs(add(a, scale(number(-1), b)).data))
    seen = np.log2(off[0] / off[1])
    if not (abs(seen - order) < 0.1).all():
        raise FormulaError(
            f"the sides differ by a term that falls with the power {np.ravel(seen)[0]:.2f} of {name}, and the text says {order}"
        )


def book(statements: list[Statement]) -> list[tuple[list[Statement], list[str]]]:
    """Every cell with its statements and what became of them; what stands in no cell any more fails too."""
    cells = load()
    groups: dict[str, list[Statement]] = {}
    for statement in statements:
        groups.setdefault(statement.cell, []).append(statement)
    return [(group, check(group, cells.get(name, Cell()))) for name, group in groups.items()]
