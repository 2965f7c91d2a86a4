"""The committed notebooks made ready for Sphinx: the same text and outputs, in a form that a plain page can show.

A figure becomes a picture file with its alt text and its caption; a slider becomes the one that `Flipbook.to_html` gives.
Its frames are not stored in the notebook, so the notebook's cells are run here once more, and what comes out must be what
is committed. Everything else is taken as it stands; cells for teachers (tagged ``speaker``) are left out.
"""

from __future__ import annotations

import ast
import base64
import html
import io
import os
import re
from contextlib import redirect_stdout
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from PIL import Image

from attention_chapter.lens import Lens
from attention_chapter.sliders import Flipbook

CAPTION = re.compile(r"\*(Figure|Slider|Lens)\.\* ")
CODE = re.compile(r"(^ *(```+|~~~+).*?^ *\2 *$|`+[^`]+`+)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!!)\[([^\[\]]+)\]\((?![a-z]+:|#)([^()\s#]+)(#[^()\s]*)?\)")
FOLDED = re.compile(r"\s*<details\b.*</details>\s*", re.DOTALL)


# Sliders -------------------------------------------------------------------------------------------------------------


def is_slider(output: NotebookNode) -> bool:
    return output.get("data", {}).get("text/plain", "").startswith(("Slider: ", "Lens: "))


def slider_texts(notebook: NotebookNode) -> dict[str, str]:
    """What the notebook says of each of its sliders and lenses, by cell id."""
    return {
        cell.id: output.data["text/plain"] for cell in notebook.cells for output in cell.get("outputs", []) if is_slider(output)
    }


def last_values(notebook: NotebookNode, name: str, wanted: set[str]) -> dict[str, object]:
    """The value of the last expression of each wanted cell, by its id.

    The code cells are run in one namespace, without a kernel, and none after the last wanted one.
    """
    space, values = {"__name__": "__main__"}, {}
    for cell in notebook.cells:
        if cell.cell_type == "code" and not wanted <= set(values):
            body = ast.parse(cell.source).body
            last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
            exec(compile(ast.Module(body, []), f"{name}, cell {cell.id}", "exec"), space)
            value = last and eval(compile(ast.Expression(last.value), f"{name}, cell {cell.id}", "eval"), space)
            if cell.id in wanted:
                values[cell.id] = value
    return values


def sliders(notebook: NotebookNode, name: str) -> dict[str, str]:
    """The sliders and lenses of a notebook as HTML, by cell id; ValueError where one is not the committed one."""
    committed = slider_texts(notebook)
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):  # what cells print or show is committed already
        values = last_values(notebook, name, set(committed))
    for cell, text in committed.items():
        book = values[cell]
        if not isinstance(book, Flipbook | Lens):
            raise ValueError(f"{name}: cell {cell} shows a slider or a lens, but its last expression is {type(book).__name__}")
        if book.text != text:
            raise ValueError(f"{name}: what moves in cell {cell} is now\n  {book.text}\nand was committed as\n  {text}")
    return {cell: values[cell].to_html() for cell in committed}


def read_sliders(path: Path) -> dict[str, str]:
    """The sliders of the notebook in a file, run in its folder, as a kernel would."""
    os.chdir(path.parent)
    return sliders(nbformat.read(path, as_version=4), path.name)


# Outputs -------------------------------------------------------------------------------------------------------------


def figure(content: str, caption: str) -> NotebookNode:
    """An output that holds a figure and the words under it."""
    kind, words = CAPTION.match(caption)[1], CAPTION.sub("", caption, count=1)
    return nbformat.v4.new_output(
        "display_data", {"text/html": (f"<figure>{content}<figcaption><em>{kind}.</em> {html.escape(words)}</figcaption></figure>")}
    )


def outputs(cell: NotebookNode, slider: str | None, pictures: dict[str, bytes]) -> list[NotebookNode]:
    """A cell's outputs, with each picture and its caption joined to a figure; the picture's file goes to ``pictures``."""
    done, rest = [], list(cell.outputs)
    while rest:
        output = rest.pop(0)
        if "image/png" in output.get("data", {}):
            words = output.metadata.get("image/png", {})
            caption = rest.pop(0).get("data", {}).get("text/markdown", "") if rest else ""
            if not words.get("alt") or not CAPTION.match(caption):
                raise ValueError(f"cell {cell.id} shows a picture; it needs an alt text and a caption")
            name = f"{cell.id}-{len(done)}.png"
            content = (
                f'<img src="_static/figures/{name}" width="{words["width"]}" height="{words["height"]}" '
                f'alt="{html.escape(words["alt"])}">'
            )
            if is_slider(output):
                content = slider
            else:
                pictures[name] = base64.b64decode(output.data["image/png"])
            output = figure(content, caption)
        done.append(output)
    return done


# Text ----------------------------------------------------------------------------------------------------------------


def relinked(text: str, pages: set[str]) -> str:
    """The text with its links between files turned to the site's pages; a link to a file outside the site loses it."""

    def turned(match: re.Match) -> str:
        words, target, anchor = match[1], match[2], match[3] or ""
        name = "teaching.md" if target.endswith("teaching/README.md") else target.rsplit("/", 1)[-1]
        return f"[{words}]({name}{anchor})" if name in pages else words

    pieces = CODE.split(text)  # prose, code, its fence, prose, ...
    return "".join(LINK.sub(turned, piece) if k % 3 == 0 else piece for k, piece in enumerate(pieces) if k % 3 != 2)


def prepared(notebook: NotebookNode, books: dict[str, str], pages: set[str], pictures: dict[str, bytes]) -> NotebookNode:
    """The notebook as the site shows it."""
    cells = []
    for cell in notebook.cells:
        tags = cell.metadata.get("tags", [])
        if "speaker" in tags:
            continue
        if cell.cell_type == "markdown":
            if "solution" in tags and not FOLDED.fullmatch(cell.source):
                raise ValueError(f"cell {cell.id} is tagged solution; it needs one <details> block around all of its text")
            cells.append(nbformat.v4.new_markdown_cell(relinked(cell.source, pages), id=cell.id))
        elif cell.cell_type == "code":
            shown = outputs(cell, books.get(cell.id), pictures)
            cells.append(nbformat.v4.new_code_cell(cell.source, id=cell.id, outputs=shown, execution_count=cell.execution_count))
    return nbformat.v4.new_notebook(cells=cells, metadata=notebook.metadata)


def included(text: str, readme: str) -> str:
    """The text with each ``<!-- README: heading -->`` replaced by that section of the README, or its opening."""
    opening, *rest = re.split(r"^## (.+)\n", readme, flags=re.MULTILINE)
    sections = {"opening": opening.split("\n", 1)[1], **dict(zip(rest[::2], rest[1::2]))}
    return re.sub(r"<!-- README: (.+?) -->", lambda match: sections[match[1]].strip(), text)


def jupyter_anchor(heading: str) -> str:
    """The name by which a notebook links to a heading."""
    return heading.replace(" ", "-")


def stilled(page: str, folder: Path) -> str:
    """The page with each moving picture at its last frame, since paper does not move and a print may come at any moment."""

    def last(match: re.Match) -> str:
        still = io.BytesIO()
        with Image.open(folder / match[1]) as moving:
            moving.seek(moving.n_frames - 1)
            moving.convert("RGB").save(still, "png")
        return f'src="data:image/png;base64,{base64.b64encode(still.getvalue()).decode()}"'

    return re.sub(r'src="([^":]+\.gif)"', last, page)
