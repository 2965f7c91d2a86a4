r"""Hold the shapes that a notebook states, in comments of its code and beside symbols in its text, against its arrays.

Only the statements on which a stated array depends are run, without what they print or draw, so that the whole book takes a few
seconds. A shape in a comment belongs to the assignment or the return before it: `Q = X @ Wq    # (13, 4)`. A shape in the text
stands behind its symbol: $K$ $(4 \times 2)$, $X$ is $n \times d$, or in the next column of a table.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from contextlib import redirect_stdout
from functools import cache

import numpy as np

from attention_chapter import run
from attention_core import attention, multi_head_attention, softmax_jacobian

TUPLE = re.compile(r"\(\s*\w+(?: \w+)*\s*,(?:\s*\w+(?: \w+)*\s*,?)*\s*\)")
TIMES = r"\(?\s*([\w {}]+(?:\s*\\times\s*[\w {}]+)+)\s*\)?"
VERB = r"(?:,? (?:is|are|has the shape|of shape))?"
BESIDE = re.compile(
    rf"\$([^$|]{{1,40}})\${VERB} \${TIMES}\$"  # $K$ $(4 \times 2)$, $X$ is $13 \times 8$
    rf"|\$([^$|]{{1,40}})\$ \| \${TIMES}\$ \|"  # a row of a table of symbols
    r"|[`$]([A-Za-z_]+)[`$] (?:is|are|has the shape|of shape) (\(\w+(?:, ?\w+)+\))"  # `Q` is (13, 4)
)
IN_PLACE = {"append", "extend", "update", "sort", "add", "insert", "fill", "shuffle"}


def comments(source: str) -> dict[int, list[tuple[str, ...]]]:
    """The shapes that the comments of a cell begin with, by line."""
    found = {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        text = token.string[1:].strip()
        if token.type == tokenize.COMMENT and TUPLE.match(text):
            found[token.start[0]] = [tuple(re.findall(r"\w+(?: \w+)*", one)) for one in TUPLE.findall(text)]
    return found


def bound(node: ast.AST) -> set[str]:
    """The names that a statement binds, or whose contents it changes."""
    found = set()
    for part in ast.walk(node):
        match part:
            case ast.Name(ctx=ast.Store()):
                found.add(part.id)
            case ast.FunctionDef() | ast.ClassDef():
                found.add(part.name)
            case ast.alias():
                found.add((part.asname or part.name).split(".")[0])
            case ast.Subscript(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store()):
                found |= used(part.value)
            case ast.Call(func=ast.Attribute(value=ast.Name(), attr=attr)) if attr in IN_PLACE:
                found.add(part.func.value.id)
    return found


def used(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}


class Told(ast.NodeTransformer):
    """Let an assignment or a return with a shape in its comment tell what it has."""

    def __init__(self, cell: str, said: dict[int, list[tuple[str, ...]]]):
        self.cell, self.said = cell, said

    def tell(self, line: int, *args: ast.expr) -> ast.Call:
        names = ast.Call(ast.Name("locals", ast.Load()), [], [])  # what n is where the comment stands
        return ast.Call(ast.Name("__told", ast.Load()), [ast.Constant(self.cell), ast.Constant(line), names, *args], [])

    def stated(self, node: ast.stmt) -> int | None:
        return next((line for line in range(node.lineno, node.end_lineno + 1) if line in self.said), None)

    def visit_Assign(self, node: ast.Assign):
        line = self.stated(node)
        names = [part.id for part in ast.walk(node.targets[0]) if isinstance(part, ast.Name)] if line else []
        # What an item is set in has a shape of its own, which the comment does not mean.
        if not line or any(isinstance(part, ast.Subscript) for part in ast.walk(node.targets[0])):
            return node
        pairs = ast.Tuple([ast.Tuple([ast.Constant(n), ast.Name(n, ast.Load())], ast.Load()) for n in names], ast.Load())
        return [node, ast.Expr(self.tell(line, pairs))]

    def visit_Return(self, node: ast.Return):
        line = self.stated(node)
        if line and node.value:
            node.value = self.tell(line, node.value, ast.Constant("what is returned"))
        return node


class Stated:
    """The shapes that a notebook states: how many were compared, and those that its arrays do not have.

    `faults` holds for each the cell, what is stated, and what is wrong with it.
    """

    def __init__(self, cells: list):
        self.faults: list[tuple[str, str, str]] = []
        self.counted = 0
        self.space: dict = {"__name__": "notebook"}
        self.shapes: dict[str, set[tuple[int, ...]]] = {}
        beside = [(c.id, hit) for c in cells if c.cell_type == "markdown" for hit in BESIDE.finditer(c.source)]
        self.run([c for c in cells if c.cell_type == "code"], {name_of(hit[1] or hit[5] or "") for _, hit in beside})
        for cell, hit in beside:
            for symbol in re.split(r"(?<!\\),(?:\\ )? ?", hit[1] or hit[3] or hit[5]):
                self.compare(cell, hit[0], symbol, hit[2] or hit[4] or hit[6].strip("()").replace(",", r"\times"))

    def run(self, code: list, wanted: set[str]) -> None:
        """Run the statements that make what is wanted, and those with a shape in a comment."""
        said = {cell.id: comments(cell.source) for cell in code}
        steps = [(cell.id, node) for cell in code for node in ast.parse(cell.source).body]
        quiet = [(cell, node) for cell, node in steps if not isinstance(node, ast.Expr)]  # nothing is drawn
        keep = {id(node) for cell, node in quiet if any(node.lineno <= line <= node.end_lineno for line in said[cell])}
        for function in [node for _, node in quiet if id(node) in keep and isinstance(node, ast.FunctionDef)]:
            keep |= {id(node) for _, node in [step for step in quiet if function.name in used(step[1])][:1]}  # one call will do
        needed, kept = set(wanted), []
        for cell, node in reversed(steps):
            if id(node) in keep or bound(node) & needed or isinstance(node, (ast.Import, ast.ImportFrom)):
                kept.append((cell, node))
                needed |= used(node)
        self.space["__told"] = lambda cell, line, names, value, name="": self.told(cell, said[cell][line], names, value, name)
        with redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
            for cell, node in reversed(kept):
                tree = ast.fix_missing_locations(Told(cell, said[cell]).visit(ast.Module([node], [])))
                exec(compile(tree, cell, "exec"), self.space)
                for name in bound(node) & set(self.space):
                    if isinstance(self.space[name], np.ndarray):
                        self.shapes.setdefault(name, set()).add(self.space[name].shape)

    def told(self, cell: str, shapes: list[tuple[str, ...]], names: dict, value, name: str):
        """Compare what an assignment bound, or what a function returns, with the shapes of its comment."""
        if name:  # a function that returns several things says the shape of each
            pairs = (
                [(name, one) for one in value] if isinstance(value, tuple) and len(shapes) == len(value) > 1 else [(name, value)]
            )
        else:
            pairs = value
        for k, (called, has) in enumerate(pairs):
            shape = shapes[k] if len(shapes) == len(pairs) else shapes[0]
            for one in has.values() if isinstance(has, dict) else [has]:
                self.counted += 1
                sizes = np.shape(one)
                if len(sizes) != len(shape) or not all(fits(want, size, names) for want, size in zip(shape, sizes)):
                    self.say(cell, f"# ({', '.join(shape)}{',' * (len(shape) == 1)})", f"{called} is {sizes}")
        return value

    def compare(self, cell: str, text: str, symbol: str, shape: str) -> None:
        """Compare a shape of the text with the arrays of its symbol's name, or with what the chapter's functions return."""
        sizes, name = [size.strip(" {}") for size in shape.split(r"\times")], name_of(symbol)
        self.counted += 1
        if not all(size.isdigit() for size in sizes):
            has = tuple(letters(size) for size in sizes)
            if name in symbols() and None not in has and has != symbols()[name]:
                self.say(cell, text, f"{name} has another shape, in an attention whose widths all differ")
            return
        stated = tuple(map(int, sizes))
        own = self.shapes.get(name)
        if own and stated not in own:
            self.say(cell, text, f"{name} is {' or '.join(map(str, sorted(own)))}")
        if not own and stated not in set().union(*self.shapes.values(), drawn()):
            self.say(cell, text, f"no array of the notebook is {stated}")

    def say(self, *fault: str) -> None:
        if fault not in self.faults:
            self.faults.append(fault)


def fits(want: str, has: int, names: dict) -> bool:
    """Whether a stated size is that of the array; a letter is what the code binds to it, if it does."""
    if want.isdigit():
        return int(want) == has
    known = [names.get(name.replace("_", ""), names.get(name)) for name in want.split()]
    return not all(isinstance(value, (int, np.integer)) for value in known) or int(np.prod(known)) == has


def name_of(symbol: str) -> str:
    """A symbol of the text as code spells it: W_q is Wq."""
    return re.sub(r"\\(?:mathbf|mathrm|text|boldsymbol)|\^\{?\\top\}?|[{}\\_ ]", "", symbol.split("=")[0])


SIZES = {"n": 5, "m": 5, "d": 7, "d_k": 3, "d_v": 2, "h": 4, "H": 4}


def letters(size: str) -> int | None:
    """What a size in letters is when all widths differ; None if it has a letter that is none of them."""
    factors = re.findall(r"\d+|[a-zA-Z](?:_\{?\w+\}?)?", size)
    values = [int(f) if f.isdigit() else SIZES.get(re.sub("[{}]", "", f)) for f in factors]
    return None if None in values or not values else int(np.prod(values))


@cache
def symbols() -> dict[str, tuple[int, ...]]:
    """The shapes of the chapter's symbols in a head whose widths all differ."""
    n, d, d_k, d_v, h = (SIZES[name] for name in ("n", "d", "d_k", "d_v", "h"))
    X, Wq, Wk, Wv, Wo = np.ones((n, d)), np.ones((d, d_k)), np.ones((d, d_k)), np.ones((d, d_v)), np.ones((h * d_v, d))
    head = attention(X, Wq, Wk, Wv)
    heads = multi_head_attention(X, [(Wq, Wk, Wv)] * h, Wo)
    arrays = {"X": X, "Wq": Wq, "Wk": Wk, "Wv": Wv, "Wo": Wo, "Q": X @ Wq, "K": X @ Wk, "V": X @ Wv, "S": head.raw}
    arrays |= {"A": head.weights, "O": head.output, "J": softmax_jacobian(head.weights[0]), "Y": heads.output}
    return {name: np.shape(array) for name, array in arrays.items()}


@cache
def drawn() -> set[tuple[int, ...]]:
    """The shapes of the run, of which a text may speak where no cell names the array."""
    world = run.draw()
    head = attention(world.X, world.Wq, world.Wk, world.Wv)
    return {np.shape(a) for a in (world.X, world.Wq, head.output, head.weights, world.Wo)}
