r"""Find the formulas of the book and cut them into statements.

A formula is what stands between dollars in a Markdown cell or a page, or in the mathematics of a docstring. A statement is
a part of it that claims something: sides with a relation between them. Commas, words and wide spaces end one; in `aligned` a
row that begins with a relation goes on with the row before, and formulas in its comments are statements of their own.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
FORMULA = re.compile(r"\$\$(.+?)\$\$|(?<![\\$\w])\$(?!\$)((?:[^$\\]|\\.)+?)\$(?![\d$])", re.DOTALL)
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
MATH = re.compile(r"^( *)\.\. math:: *(.*\n(?:\1 +\S.*\n)*)|:math:`([^`]+)`", re.MULTILINE)
RELATION = re.compile(r"=|<|>|\\(?:le|ge|ne|approx|to|propto|in|leftarrow|sim|ll|gg|equiv|leq|geq|neq)(?![a-zA-Z])")
PIECES = re.compile(r"\\text(?=\{)|\\q?quad(?![a-zA-Z])|\\[a-zA-Z]+|\\.|.", re.DOTALL)


class Statement(NamedTuple):
    """A claim of a formula, and where it stands: a notebook and a cell, a module and a function, or a page."""

    place: str
    cell: str
    displayed: bool
    formula: str
    text: str


def statements() -> list[Statement]:
    """All statements of the book, in its order."""
    formulas = [*in_notebooks(), *in_docstrings(), *in_pages()]
    return [
        Statement(place, cell, displayed, formula, text)
        for place, cell, displayed, formula in formulas
        for text in split(formula) or [formula.strip(" .,")] * displayed
    ]  # what is displayed claims something


def dollars(text: str) -> list[tuple[bool, str]]:
    """The formulas of a Markdown text, each with whether it is displayed; code is none."""
    text = CODE.sub(lambda code: " " * len(code[0]), text)
    return [(found[1] is not None, tidy(found[1] or found[2])) for found in FORMULA.finditer(text)]


def in_notebooks():
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                for displayed, formula in dollars("".join(cell["source"])):
                    yield path.name, cell["id"], displayed, formula


def in_docstrings():
    for path in sorted(ROOT.glob("[ak]*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module)):
                for found in MATH.finditer((ast.get_docstring(node) or "") + "\n"):
                    name = f"{path.stem}.{getattr(node, 'name', '')}"
                    yield path.name, name, found[2] is not None, tidy(found[2] or found[3])


def in_pages():
    for path in [ROOT / "README.md", *sorted((ROOT / "teaching").glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]:
        for displayed, formula in dollars(path.read_text(encoding="utf-8")):
            name = path.relative_to(ROOT).as_posix()
            yield name, name, displayed, formula


def tidy(formula: str) -> str:
    return " ".join(formula.replace("\\operatorname", "\\mathrm").split())


def split(formula: str) -> list[str]:
    """The statements of a formula."""
    inside = re.fullmatch(r"\\begin\{aligned\}(.*)\\end\{aligned\}", formula.strip())
    chains, comments = [], []
    for row in inside[1].split(r"\\") if inside else [formula]:
        cells = row.split("&") if inside else [row]
        main = "".join(cells[:2]).strip()
        if chains and RELATION.match(main):
            chains[-1] += " " + main
        else:
            chains.append(main)
        comments += cells[2:]
    return [part for text in chains + comments for part in parts(text) if claims(part)]


def parts(text: str) -> list[str]:
    """A text cut at commas, words and wide spaces, where no bracket is open."""
    found, braces, brackets = [""], 0, 0
    pieces = PIECES.findall(text)
    word = 0  # how many braces of a \text are open
    for k, piece in enumerate(pieces):
        braces += {"{": 1, "}": -1}.get(piece, 0)
        if word or (piece == r"\text" and not braces):
            word = 1 if piece == r"\text" else 0 if piece == "}" and not braces else 1
            if piece == r"\text":
                found.append("")
                brackets = 0
            continue
        brackets += {"(": 1, "[": 1, ")": -1, "]": -1}.get(piece, 0)
        if not braces and (piece in (r"\quad", r"\qquad") or (piece == "," and brackets <= 0)):
            found.append("")
            brackets = 0
        else:
            found[-1] += piece
    return [re.sub(r"^(\\ )+", "", balanced(tidy(part)).strip(" .;:")) for part in found]


def balanced(part: str) -> str:
    """The part without a bracket that words have cut off from its twin."""
    while part.count("(") < part.count(")") and part.rstrip(" .,").endswith(")"):
        part = part.rstrip(" .,")[:-1]
    return part


def claims(part: str) -> bool:
    """Whether a relation stands in it outside of braces."""
    depth = 0
    for piece in re.findall(r"\\begin\{cases\}.*?\\end\{cases\}|\\[a-zA-Z]+|\\.|.", part):
        depth += {"{": 1, "}": -1}.get(piece, 0)
        if not depth and RELATION.fullmatch(piece):
            return True
    return False
