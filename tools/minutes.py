"""How long each notebook takes to read: measured from what stands in it, and written where the reader is told.

    python -m tools.minutes [--write]

A minute is 150 words, and a formula counts as half a word for each of its symbols. A code cell takes 0.4 minutes and a *Predict*
0.5. The exercises, the teacher's notes, the references, the glossary, and the rows that link to notebooks are left out; the minutes of the exercises
are those of their list, and are told apart. ``--write`` (and `make refresh`, after it has executed the notebooks) writes
both into each first cell, and into the tables of 00, of the README and of the teaching plans.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import NamedTuple

import nbformat

from attention_chapter.exercises import EXERCISES

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "teaching/README.md")
WORDS, CELL, PREDICTION = 150, 0.4, 0.5
TIME = re.compile(r"\*\*Time:\*\* [^.]*\.")
FORMULA = re.compile(r"\$\$.+?\$\$|\$[^$]+\$", re.S)
SILENT = (
    r"\\(?:begin|end)\{\w+\*?\}|\\(?:left|right|math\w+|text\w*|operatorname|lVert|rVert|quad|qquad|tfrac|d?frac)\b|\\[,;!:\\ ]"
)


class Reading(NamedTuple):
    """What a notebook asks of its reader, apart from its exercises."""

    words: int
    symbols: int
    cells: int
    predictions: int

    @property
    def minutes(self) -> int:
        words = self.words + self.symbols / 2
        return round(words / WORDS + CELL * self.cells + PREDICTION * self.predictions)


def words(text: str) -> int:
    """The words of a Markdown text without its formulas; a link counts by what it shows, and a number is a word."""
    text = re.sub(r"\]\([^)]*\)|<[^>]*>", " ", FORMULA.sub(" ", text))
    return len(re.findall(r"\w+(?:[-.,'’]\w+)*", text))


def symbols(text: str) -> int:
    """The symbols of all its formulas: letters, digits, signs and named symbols, but no braces, fonts or spaces."""
    bare = " ".join(re.sub(SILENT, " ", formula) for formula in FORMULA.findall(text))
    return len(re.findall(r"\\[A-Za-z]+|[^\s{}$^_&\\]", bare))


def read(notebook: nbformat.NotebookNode) -> Reading:
    """Measure a notebook."""
    texts, cells, part = [], 0, ""
    for cell in notebook.cells:
        headings = re.findall(r"^## (.*)", cell.source, re.M) if cell.cell_type == "markdown" else []
        part = headings[0] if headings else part
        if part == "Exercises" or {"speaker", "solution"} & set(cell.metadata.get("tags", [])):
            continue
        if cell.cell_type == "code":
            cells += 1
        else:
            text = re.split(r"^## (?:References|Glossary)", cell.source, flags=re.M)[0]
            texts.append(re.sub(r"^\| \[.*\n?", "", TIME.sub("", text), flags=re.M))
    text = "\n\n".join(texts)
    return Reading(words(text), symbols(text), cells, text.count("**Predict.**"))


class Times(NamedTuple):
    reading: int
    exercises: int

    def sentence(self) -> str:
        more = f", and {self.exercises} for the exercises" if self.exercises else ""
        return f"**Time:** {self.reading} minutes{more}."


def times(name: str, notebook: nbformat.NotebookNode) -> Times:
    """The minutes of a notebook, and those of its exercises."""
    number = name.partition("_")[0]
    return Times(read(notebook).minutes, sum(exercise.minutes for exercise in EXERCISES if exercise.notebook == number))


def tabled(page: str, measured: dict[str, Times]) -> str:
    """The page with both columns of minutes, in each table of notebooks that has a column "minutes"; the second is made if need be."""

    def filled(found: re.Match) -> str:
        heads, _, *rows = (line[2:-2].split(" | ") for line in found[0].split("\n"))
        links = [re.fullmatch(r"\[[^]]*\]\((?:\S*/)?(\w+\.ipynb)\)", row[0]) for row in rows]
        column = next((k for k, head in enumerate(heads) if head.startswith("minutes")), None)
        if column is None or not any(links):
            return found[0]
        if "exercises" not in heads:
            heads[column : column + 1] = ["minutes", "exercises"]
        for row, link in zip(rows, links):
            if len(row) < len(heads):  # written before there were two columns
                row.insert(column, "")
            if link and link[1] in measured:
                reading, exercises = measured[link[1]]
                row[column : column + 2] = [f"{reading}", f"{exercises or '–'}"]
        lines = [f"| {' | '.join(row)} |" for row in (heads, *rows)]
        return "\n".join([lines[0], "|" + "---|" * len(heads), *lines[1:]])

    return re.sub(r"^\|.*\|\n\|[-|]+\|(?:\n\|.*\|)+", filled, page, flags=re.M)


def pages() -> dict[Path, str]:
    """The text of every file that tells minutes, as it should read."""
    found = {path: path.read_text("utf-8") for path in (*sorted((ROOT / "notebooks").glob("*.ipynb")), *(ROOT / p for p in PAGES))}
    books = {path: nbformat.reads(text, as_version=4) for path, text in found.items() if path.suffix == ".ipynb"}
    measured = {path.name: times(path.name, book) for path, book in books.items()}
    for path, book in books.items():
        first = book.cells[0]
        if not TIME.search(first.source):
            raise ValueError(f"{path.name}: its first cell has no sentence '**Time:** ... minutes.'")
        sources = [cell.source for cell in book.cells]
        first.source = TIME.sub(measured[path.name].sentence(), first.source, count=1)
        for cell in book.cells:
            if cell.cell_type == "markdown":
                cell.source = tabled(cell.source, measured)
        if [cell.source for cell in book.cells] != sources:
            found[path] = nbformat.writes(book) + "\n"
    return {path: text if path in books else tabled(text, measured) for path, text in found.items()}


def table() -> str:
    """What was measured, a line for each notebook."""
    lines = ["notebook  words  symbols  code cells  Predict  minutes  exercises"]
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        book = nbformat.read(path, as_version=4)
        own, told = read(book), times(path.name, book)
        lines.append(
            f"{path.stem[:3].rstrip('_'):<8}  {own.words:5}  {own.symbols:7}  {own.cells:10}  {own.predictions:7}"
            f"  {told.reading:7}  {told.exercises:9}"
        )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure how long each notebook takes to read.")
    parser.add_argument("--write", action="store_true", help="write the minutes where the reader is told")
    if parser.parse_args().write:
        from tools.refresh import refresh_minutes  # which itself asks this file what to write

        refresh_minutes(check=False)
    print(table())
    return 0


if __name__ == "__main__":
    sys.exit(main())
