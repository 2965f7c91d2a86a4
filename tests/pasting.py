"""What a student gets by pasting: each expression of a notebook's code cells, with arguments where its own names stood.

An expression brings along the lines of its cell that it rests on. What may be replaced by an argument is what a reader would
replace: a name, an indexed or dotted one (`A[bob]`, `run.D_K`), a number in a call. Nothing else of the notebook may be left in it
but its functions and its constants, since what is fixed to the notebook's own data answers no question about other data.
"""

import ast
import builtins
import itertools
import re
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from types import ModuleType
from typing import NamedTuple

DRAWING = {"figures", "sliders", "scenes", "print", "check", "run", "world"}  # gives no answer: it draws, in either sense
LEAVES = (ast.Name, ast.Subscript, ast.Attribute, ast.Constant)
BOUND = {name: None for name in dir(builtins)}
MOST = 5  # arguments
MANY = 60
ARGUMENTS = [f"given_{k}" for k in range(MOST)]


class Paste(NamedTuple):
    """An expression with the lines it rests on, and the texts in them that an argument would replace."""

    cell: str
    lines: tuple[ast.stmt, ...]
    value: ast.expr
    replaced: tuple[str, ...]


def short(*steps: int) -> range:
    """A range that no attempt waits for."""
    if len(range(*steps)) > 200:
        raise ValueError("too long for an answer")
    return range(*steps)


@cache
def stored(node: ast.AST) -> set[str]:
    """The names that a statement binds, or changes in place."""
    names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    for n in ast.walk(node):
        if isinstance(n, (ast.Subscript, ast.Attribute)) and isinstance(n.ctx, ast.Store):
            names |= {m.id for m in ast.walk(n.value) if isinstance(m, ast.Name)}
        elif isinstance(n, (ast.FunctionDef, ast.ClassDef)):
            names.add(n.name)
    return names


def together(groups) -> set[frozenset[str]]:
    """One choice out of each group, joined; those that take more than there are arguments are dropped."""
    choices = {frozenset()}
    for group in groups:
        choices = {a | b for a in choices for b in group if len(a | b) <= MOST}
        if len(choices) > MANY:  # a long line of many names: those that take few of them
            choices = set(sorted(choices, key=lambda names: (len(names), sorted(names)))[:MANY])
    return choices


def whole(statement: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a line that a reader would take as one: what it assigns, returns, prints or draws."""
    todo = [n for n in ast.iter_child_nodes(statement) if isinstance(n, ast.expr)]
    while todo:
        node = todo.pop()
        shown = isinstance(node, ast.Call) and any(n in DRAWING for n in (getattr(m, "id", "") for m in ast.walk(node.func)))
        if shown or isinstance(
            node, (ast.Tuple, ast.List, ast.JoinedStr, ast.FormattedValue, ast.Dict, ast.ListComp, ast.GeneratorExp)
        ):
            todo += [n for n in ast.iter_child_nodes(node) if isinstance(n, ast.expr)]
        if not shown and not isinstance(node, (ast.Starred, ast.Name, ast.Constant, ast.JoinedStr, ast.FormattedValue, ast.Dict)):
            yield node


class Pasted:
    """All that can be pasted from the code cells of one notebook: [(id, source)]."""

    def __init__(self, cells: list[tuple[str, str]]):
        self.cells = [(cell, ast.parse(source).body) for cell, source in cells]
        self.space: dict[str, object] = {"range": short}
        self.barred, self.known = set(DRAWING), {}
        for _, body in self.cells:
            for statement in body:  # what needs no data: imports, functions, constants
                fixed = isinstance(statement, ast.Assign) and isinstance(statement.value, (ast.Constant, ast.Lambda))
                if fixed or isinstance(statement, (ast.Import, ast.ImportFrom, ast.FunctionDef)):
                    exec(compile(ast.Module([statement], []), "<notebook>", "exec"), self.space)
                if isinstance(statement, ast.FunctionDef) and "rng" in ast.unparse(statement):
                    self.barred.add(statement.name)

        self.functions = {
            n: f for n, f in self.space.items() if callable(f) and n not in self.barred and n not in ("__builtins__", "range")
        }

    def choices(self, node: ast.AST, above: tuple[ast.stmt, ...], bound: frozenset[str]) -> set[frozenset[str]]:
        """The ways to choose what is replaced, so that nothing of the notebook's data is left in this node."""
        if (node, above, bound) not in self.known:
            self.known[node, above, bound] = self.found(node, above, bound)
        return self.known[node, above, bound]

    def found(self, node: ast.AST, above: tuple[ast.stmt, ...], bound: frozenset[str]) -> set[frozenset[str]]:
        if isinstance(node, ast.Name):
            if node.id in bound:
                return {frozenset()}
            found = set()
            if node.id in self.barred or node.id.startswith("rng"):
                return found
            if not isinstance(self.space.get(node.id), (ModuleType, Callable)) and node.id not in BOUND:
                found.add(frozenset([node.id]))
            makers = [k for k, line in enumerate(above) if node.id in stored(line) and not isinstance(line, ast.FunctionDef)]
            if makers:
                found |= together(self.choices(above[k], above[:k], bound) for k in makers)
            elif node.id in self.space or node.id in BOUND:
                found.add(frozenset())
            return found
        inner = bound
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.For)):
            inner = bound | stored(node)
        elif isinstance(node, (ast.Lambda, ast.FunctionDef)):
            inner = bound | {a.arg for a in ast.walk(node) if isinstance(a, ast.arg)} | stored(node)
        if isinstance(node, ast.Attribute) and node.attr == "random":
            return set()
        parts = list(ast.iter_child_nodes(node))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            parts[0] = node.func.value  # a method is no number
        children = [n for n in parts if not isinstance(n, (ast.expr_context, ast.arguments))]
        children = [n for n in children if not isinstance(getattr(n, "ctx", None), ast.Store) or not isinstance(n, ast.Name)]
        found = together(self.choices(n, above, inner) for n in children)
        if isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Load) and not self.local(node, inner):
            found = found | {frozenset([ast.unparse(node)])}
        if isinstance(node, ast.Call):
            numbers = {ast.unparse(a) for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, (int, float))}
            found = together([found, *({frozenset(), frozenset([n])} for n in numbers)])
        return found

    def local(self, node: ast.AST, bound: frozenset[str]) -> bool:
        """Whether something is a function, or hangs on a name that the expression itself binds."""
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        return bool(names & bound) or (names <= {"np"} and not ast.unparse(node).endswith((".pi", ".inf")))

    def block(self, cell: str, body: list[ast.stmt], above: tuple[ast.stmt, ...]) -> Iterator[Paste]:
        for k, statement in enumerate(body):
            before = above + tuple(body[:k])
            inside = [n for name in ("body", "orelse") for n in getattr(statement, name, [])]
            if inside:
                yield from self.block(cell, inside, before)
            for node in whole(statement):
                for replaced in self.choices(node, before, frozenset()):
                    if replaced and replaced != {ast.unparse(node)}:
                        yield Paste(cell, before, node, tuple(sorted(replaced)))

    @cached_property
    def pastes(self) -> list[Paste]:
        """All that stand in the notebook."""
        return [paste for cell, body in self.cells for paste in self.block(cell, body, ())]

    @cache
    def of(self, count: int) -> list[tuple[Paste, str, Callable]]:
        """The pastes in which so many things are replaced, each once, with its source and as a function."""
        found = {}
        for paste in self.pastes:
            if len(paste.replaced) == count and (source := source_of(paste)) not in found:
                exec(f"def pasted({', '.join(ARGUMENTS[:count])}):\n{source}", self.space)
                found[source] = paste, source, self.space.pop("pasted")
        return list(found.values())

    def attempts(self, arguments: list[str]) -> Iterator[tuple[str, Callable, tuple[int, ...]]]:
        """What a student might hand in for a function of these arguments: in words, as a function, and which arguments it takes."""
        for name, function in self.functions.items():
            yield f"the function {name}", function, tuple(range(len(arguments)))
        for paste, source, function in self.of(len(arguments)):
            # a name that is also an argument's keeps its meaning
            free = [k for k, argument in enumerate(arguments) if argument not in paste.replaced]
            for order in itertools.permutations(free):
                rest = iter(order)
                given = tuple(arguments.index(text) if text in arguments else next(rest) for text in paste.replaced)
                names = {ARGUMENTS[i]: arguments[k] for i, k in enumerate(given)}
                yield f"cell {paste.cell}:\n{re.sub('given_[0-9]', lambda m: names[m[0]], source)}", function, given


class Replace(ast.NodeTransformer):
    def __init__(self, by: dict[str, str]):
        self.by = by

    def visit(self, node):
        if isinstance(node, LEAVES) and not isinstance(getattr(node, "ctx", None), ast.Store):
            argument = self.by.get(ast.unparse(node))
            if argument:
                return ast.Name(argument, ast.Load())
        return self.generic_visit(node)


def source_of(paste: Paste) -> str:
    """The body of the pasted function."""
    replace = Replace(dict(zip(paste.replaced, ARGUMENTS)))
    value = replace.visit(ast.parse(ast.unparse(paste.value)).body[0])
    lines, wanted = [], {n.id for n in ast.walk(value) if isinstance(n, ast.Name)}
    for line in reversed(paste.lines):
        if stored(line) & wanted:
            lines.insert(0, replace.visit(ast.parse(ast.unparse(line)).body[0]))
            wanted |= {n.id for n in ast.walk(lines[0]) if isinstance(n, ast.Name)}
    text = "\n".join([*map(ast.unparse, lines), f"return {ast.unparse(value)}"])
    return "    " + text.replace("\n", "\n    ")
