"""Plant faults in a copy of the project, one at a time, and count how many the suite catches.

    make faults                     all of them, with the line of each
    python -m tools.plant_faults colour     those whose name contains "colour"
    python -m tools.plant_faults --new      those that have no result yet

A fault is caught when pytest fails on the files named beside it. Exits 1 if one goes unnoticed, or if the suite fails
without any. The results are stored by name: tools/trust.py counts them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from unittest import mock

from tools import cover, trust

ROOT = Path(__file__).resolve().parent.parent


def swap(old: str, new: str) -> Callable[[str], str]:
    """Replace the one place where ``old`` stands; a fault that changes nothing is an error of this script."""

    def edit(text: str) -> str:
        if text.count(old) < 1:
            raise SystemExit(f"nothing to replace: {old!r}")
        return text.replace(old, new, 1)

    return edit


def cells(change: Callable[[list], None]) -> Callable[[str], str]:
    """Change a notebook's list of cells."""

    def edit(text: str) -> str:
        notebook = json.loads(text)
        change(notebook["cells"])
        return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"

    return edit


def new(text: str) -> Callable[[str], str]:
    """A file that was not there."""
    return lambda was: was + text


def first_code(cells: list) -> dict:
    return [c for c in cells if c["cell_type"] == "code"][1]


def first_picture(cells: list) -> dict:
    return [o for c in cells if c["cell_type"] == "code" for o in c["outputs"] if "image/png" in o.get("data", {})][0]


def unexecute(cells: list) -> None:
    first_code(cells).update(execution_count=None, outputs=[])


def misorder(cells: list) -> None:
    first_code(cells)["execution_count"] = 7


def lose_alt(cells: list) -> None:
    first_picture(cells)["metadata"] = {}


def warn(cells: list) -> None:
    first_code(cells)["outputs"].append({"output_type": "stream", "name": "stderr", "text": ["Warning\n"]})


def keep_widget(cells: list) -> None:
    first_picture(cells)["data"]["application/vnd.jupyter.widget-view+json"] = {"model_id": "0"}


def skip(cells: list) -> None:
    first_code(cells)["metadata"] = {"tags": ["nbval-skip"]}


def by_id(cells: list, name: str) -> dict:
    return next(cell for cell in cells if cell["id"] == name)


def source(name: str, old: str, new: str) -> Callable[[str], str]:
    """Change a word in the one cell of that name; an empty ``old`` is the place before its first."""

    def change(cells: list) -> None:
        cell = by_id(cells, name)
        text = "".join(cell["source"])
        if old not in text:
            raise SystemExit(f"nothing to replace in {name}: {old!r}")
        cell["source"] = text.replace(old, new, 1).splitlines(keepends=True)

    return cells(change)


def where(kind: str, pattern: str, put: str) -> Callable[[str], str]:
    """Change the first place that a pattern finds in a notebook's cells of a kind, whatever stands around it."""

    def change(cells: list) -> None:
        for cell in [c for c in cells if c["cell_type"] == kind]:
            text = "".join(cell["source"])
            if re.search(pattern, text):
                cell["source"] = re.sub(pattern, put, text, count=1).splitlines(keepends=True)
                return
        raise SystemExit(f"no {kind} cell has {pattern!r}")

    return cells(change)


def say(sentence: str) -> Callable[[str], str]:
    """Let a text end with one more sentence: the third, which is past the opening."""

    def change(cells: list) -> None:
        [c for c in cells if c["cell_type"] == "markdown"][2]["source"] += ["\n\n", sentence]

    return cells(change)


def exchange_numbers(cells: list) -> None:
    """Tell two numbers of one printed line the other way round, below the cell that prints them."""
    for k, cell in enumerate(cells):
        for line in [line for out in cell.get("outputs", []) for line in out.get("text", [])]:
            first, *others = re.findall(r"(?<![\w.])\d+\.\d{4}", line) or [""]
            for second in others:
                behind = next((c for c in cells[k:] if c["cell_type"] == "markdown"), None)
                if first != second and behind:
                    behind["source"] += ["\n\n", f"The two are {second} and {first}."]
                    return
    raise SystemExit("no line prints two different numbers")


def tag(kind: str, tags: list[str]) -> Callable[[str], str]:
    """Tag the third cell of a kind."""
    return cells(lambda all_: [c for c in all_ if c["cell_type"] == kind][2]["metadata"].update(tags=tags))


def pictures(cells: list) -> list[dict]:
    return [o for c in cells for o in c.get("outputs", []) if "image/png" in o.get("data", {})]


def exchange_pictures(cells: list) -> None:
    """Two of one size: only the pixels are exchanged, so that all words stay."""
    sizes: dict = {}
    for picture in pictures(cells):
        size = tuple(picture["metadata"]["image/png"][side] for side in ("width", "height"))
        other = sizes.setdefault(size, picture)
        if other is not picture:
            one, two = other["data"], picture["data"]
            one["image/png"], two["image/png"] = two["image/png"], one["image/png"]
            return


def exchange_alts(cells: list) -> None:
    ours = [picture["metadata"]["image/png"] for picture in pictures(cells)]
    ours[0]["alt"], ours[1]["alt"] = ours[1]["alt"], ours[0]["alt"]


def another_cover(_: str) -> str:
    """Every frame a little sharper than it says."""
    with mock.patch.object(cover, "SHARPNESS", [c + 0.1 for c in cover.SHARPNESS]):
        return cover.moving().decode(errors="surrogateescape")


def recount(cells: list) -> None:
    for count, cell in enumerate((c for c in cells if c["cell_type"] == "code"), 1):
        cell["execution_count"] = count


def exchange_cells(cells: list) -> None:
    """The first two neighbours that are code."""
    k = next(k for k in range(len(cells) - 1) if cells[k]["cell_type"] == cells[k + 1]["cell_type"] == "code")
    cells[k], cells[k + 1] = cells[k + 1], cells[k]
    recount(cells)


def answer_first(cells: list) -> None:
    k = next(k for k, cell in enumerate(cells) if "**Predict" in "".join(cell["source"]) and cells[k + 1]["cell_type"] == "code")
    cells[k], cells[k + 1] = cells[k + 1], cells[k]
    recount(cells)


def predict_later(cells: list) -> None:
    """The question alone, into the next text below its answer."""
    k = next(k for k, cell in enumerate(cells) if "**Predict" in "".join(cell["source"]))
    below = next(cell for cell in cells[k + 1 :] if cell["cell_type"] == "markdown")
    (asked,) = re.findall(r"\*\*Predict\.\*\*.*?(?:\n\n|$)", text := "".join(cells[k]["source"]), re.S)
    cells[k]["source"] = text.replace(asked, "").splitlines(keepends=True)
    below["source"] = (asked.strip() + "\n\n" + "".join(below["source"])).splitlines(keepends=True)


def without_line(start: str) -> Callable[[str], str]:
    def edit(text: str) -> str:
        lines = text.splitlines(keepends=True)
        kept = [line for line in lines if not line.startswith(start)]
        if len(kept) == len(lines):
            raise SystemExit(f"no line begins {start!r}")
        return "".join(kept)

    return edit


BLANK = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
EXERCISES, EXERCISES05, CHECKS = (
    "attention_chapter/exercises/machinery.py",
    "attention_chapter/exercises/nb05.py",
    "tests/test_exercises.py",
)
NOTEBOOK = {path.name.split("_")[0]: f"notebooks/{path.name}" for path in (ROOT / "notebooks").glob("*.ipynb")}
NB00, NB01, NB02, NB03, NB04, NB05, NB06, NB07, NB08, NB09 = (NOTEBOOK[f"{k:02d}"] for k in range(10))
NB04A, NB05A, NB06A, NB06B, NB07A, NB08A, NB09A = (
    NOTEBOOK.get(number, number) for number in ("04a", "05a", "06a", "06b", "07a", "08a", "09a")
)
SUITE, PAGES, BIB, PAPERS = "tests/test_suite.py", "tests/test_links.py", "tests/test_references.py", "tests/test_teaching.py"
SEAL = "tests/test_trust.py::test_what_is_stored_was_stored_by_a_check_and_not_by_hand"
SLIDERS = "tests/test_sliders.py"
WORKFLOW, KG = ".github/workflows/ci.yml", "tests/test_kg.py"
FORM, PROSE = "tests/test_notebooks.py", "tests/test_prose.py"
CORE, RUN, BENCH = "tests/test_attention_core.py", "tests/test_run.py", "tests/test_bench_attention.py"

# What goes wrong; the file; how; the files of the suite that should notice.
FAULTS = [
    # the mathematics
    ("no 1/sqrt(d_k)", "attention_checks.py", swap("1 / math.sqrt(d_k) if scale", "1.0 if scale"), [NB02]),
    ("no 1/sqrt(d_k), unit tests alone", "attention_checks.py", swap("1 / math.sqrt(d_k) if scale", "1.0 if scale"), [CORE]),
    ("softmax over the wrong axis", "attention_core.py", swap("return softmax(scores)\n", "return softmax(scores, 0)\n"), [NB02]),
    ("nudged Jacobian transposed", "attention_core.py", swap("np.stack(columns, axis=-1)", "np.stack(columns, axis=0)"), [CORE]),
    (
        "Jacobian without its diagonal",
        "attention_core.py",
        swap("np.eye(p.shape[-1], dtype=p.dtype) * p[..., None, :] -", "-"),
        [NB05],
    ),
    ("queries and keys swapped", "attention_core.py", swap("X @ Wq, X @ Wk", "X @ Wk, X @ Wq"), [NB03]),
    ("mask inverted", "attention_core.py", swap("np.where(mask | ~some", "np.where(~mask | ~some"), [CORE]),
    ("blocks without the running maximum", "attention_core.py", swap("fade, a = np.exp(a - b)", "fade, a = np.exp(0 * b)"), [CORE]),
    (
        "backward pass without the Jacobian's second term",
        "attention_core.py",
        swap("(G - (A * G).sum(axis=1, keepdims=True))", "G"),
        [CORE],
    ),
    ("gradients of queries and keys exchanged", "attention_core.py", swap("X.T @ dQ, X.T @ dK", "X.T @ dK, X.T @ dQ"), [CORE]),
    # the run
    ("another seed", "attention_chapter/run.py", swap("SEED = 0", "SEED = 1"), [RUN]),
    (
        "another draw order",
        "attention_chapter/run.py",
        swap("Wq=normal(D, D_K),\n        Wk=normal(D, D_K)", "Wk=normal(D, D_K),\n        Wq=normal(D, D_K)"),
        [RUN],
    ),
    ("another height of the bump", "attention_chapter/run.py", swap("BUMP = 0.5", "BUMP = 0.6"), [NB02]),
    ("a fact left out of the world", "kg.py", swap('("bob", "advises", "carol"),', ""), ["tests/test_kg.py"]),
    # the figures
    ("another colour map", "attention_chapter/figures.py", swap('PROBABILITY = "Blues"', 'PROBABILITY = "Greens"'), [NB02]),
    ("signed map off centre", "attention_chapter/figures.py", swap("return (-top, top)", "return (-top, 2 * top)"), [NB02]),
    ("plotted matrix transposed", "attention_chapter/figures.py", swap("ax.imshow(M,", "ax.imshow(M.T,"), [NB02]),
    (
        "plotted curve shifted",
        "attention_chapter/figures.py",
        swap("ax.plot(x, y, label=label", "ax.plot(x, y + 0.01, label=label"),
        [NB06],
    ),
    ("bars of another row", NB03, swap('\\"scaled\\": weights}', '\\"scaled\\": head.weights[2]}'), [NB03]),
    ("legend with another name", NB06, swap('\\"leak\\": 1 - p_asked', '\\"gap\\": 1 - p_asked'), [NB06]),
    (
        "numbers in cells of another matrix",
        "attention_chapter/figures.py",
        swap("zip(np.ndenumerate(M),", "zip(np.ndenumerate(M.T),"),
        [NB02],
    ),
    # the sliders
    ("a slider that ends early", NB06, swap("np.arange(0, 8.1, 0.2)", "np.arange(0, 7.1, 0.2)"), [NB06]),
    ("a slider that starts elsewhere", NB06, swap("start=3.0", "start=2.0"), [NB06]),
    ("a frame that does not move", "attention_chapter/scenes.py", swap("point.set_data([at], [p])", "pass"), [NB06]),
    (
        "one wrong frame",
        "attention_chapter/scenes.py",
        swap("leak.set_data([at], [1 - p])", "leak.set_data([at], [1 - p + (at == 5.0)])"),
        [NB06],
    ),
    (
        "a slider with a control that stands dead",
        "attention_chapter/sliders.py",
        swap('layout style"><p', 'layout style"><input><p'),
        [SLIDERS],
    ),
    # the committed notebooks
    ("a wrong printed digit", NB03, swap("largest weight is 2.97", "largest weight is 2.96"), [NB03]),
    (
        "a wrong number in the prose",
        NB04,
        swap("One draw of one query and thirteen keys gave 0.9903", "One draw of one query and thirteen keys gave 0.9904"),
        [PROSE],
    ),
    # what sentences state
    ("fourteen entities", NB00, say("All fourteen entities have a row."), [PROSE]),
    ("31 of 47 runs", NB05, say("It arrives in 31 of 47 runs."), [PROSE]),
    ("thirty-one out of forty-seven", NB08, say("It arrives in thirty-one out of forty-seven."), [PROSE]),
    ("1/47 in the text", NB06, say("The share of each is 1/47, then."), [PROSE]),
    ("37 percent", NB07, say("Of all rows 37 % are right."), [PROSE]),
    ("a number word that no cell gives", NB04, say("There are thirty-one thousand draws."), [PROSE]),
    ("four things, and two points below them", NB09, say("Four things count:\n\n* this\n* that\n"), [PROSE]),
    ("two numbers of one line exchanged", NB03, cells(exchange_numbers), [PROSE]),
    (
        "a shape transposed beside its symbol",
        NB01,
        where("markdown", r"\$\((\d+) \\times (?!\1\))(\d+)\)\$", r"$(\2 \\times \1)$"),
        [PROSE],
    ),
    ("a shape transposed in a table", NOTEBOOK["10"], where("markdown", r"\$n \\times d_k\$ \|", r"$d_k \\times n$ |"), [PROSE]),
    ("a shape transposed in a comment", NB02, where("code", r"# \((\d+), (?!\1\b)(\d+)\)", r"# (\2, \1)"), [PROSE]),
    (
        "a function too many at the head of the exercises",
        NB04,
        where("markdown", r"(?s)(## Exercises.*?)\b(?:one|two|three|four|five) functions?\b", r"\1nine functions"),
        [PROSE],
    ),
    (
        "a wrong number in a folded answer",
        NB01,
        where("markdown", "<summary>(?!For).*?</summary>\n\n", r"\g<0>All fourteen entities. "),
        [PROSE],
    ),
    ("a wrong number in a Checked box", NB04, where("markdown", r"> \*\*Checked\.\*\* ", r"\g<0>In 31 of 47 runs. "), [PROSE]),
    (
        "a wrong number in a teacher's note",
        NB06,
        where("markdown", "teacher</summary>\n\n", r"\g<0>The fifteen entities. "),
        [PROSE],
    ),
    ("a title that types its direction", NB06, where("code", 'title=f?"[^"\n]*"', 'title="The leak falls"'), [PROSE]),
    ("a plan more than there is", "teaching/README.md", swap("Three plans", "Four plans"), [PROSE]),
    ("a longer class in the README", "README.md", swap("three of fifty", "three of sixty"), [PROSE]),
    ("an entity more among the pages", "docs/DESIGN.md", swap("world: thirteen", "world: fourteen"), [PROSE]),
    ("a wrong caption", NB06, swap("0.1300 leaks, cosine 0.9807.", "0.1200 leaks, cosine 0.9807."), [NB06]),
    ("a wrong gate verdict", NB02, swap("below 1e-12: True", "below 1e-12: False"), [NB02]),
    ("a wrong gate", NB02, swap("below 1e-12: True", "below 1e-11: True"), [NB02]),
    ("an unexecuted cell", NB05, cells(unexecute), [FORM]),
    ("cells out of order", NB05, cells(misorder), [FORM]),
    ("a cell out of regression", NB05, cells(skip), [FORM]),
    ("a picture without alt text", NB05, cells(lose_alt), [FORM]),
    ("a warning in the output", NB05, cells(warn), [FORM]),
    ("a widget kept in the file", NB05, cells(keep_widget), [FORM]),
    ("a dead link", NB05, swap("(06_retrieval_limit.ipynb)", "(06_retrieval.ipynb)"), ["tests/test_links.py"]),
    ("a cell that reaches outside", NB05, swap('import numpy as np"', 'import numpy as np, urllib.request"'), [FORM]),
    # the exercises
    ("an exercise that accepts anything", EXERCISES, swap("if not ok), None)", "if ok is None), None)"), [CHECKS]),
    (
        "an exercise with a hint exchanged",
        EXERCISES05,
        swap(
            '"axis: the sum runs down the columns; each row has a sum of its own": np.log(by_rows(Z.T).T)',
            '"axis: the sum runs down the columns; each row has a sum of its own": np.log(by_rows(-Z))',
        ),
        [CHECKS],
    ),
    (
        "an exercise that lets its argument be changed",
        EXERCISES,
        swap("if not alike(given[name], ours[name])]", "if False]"),
        [CHECKS],
    ),
    (
        "an exercise that lets a line of the attempt through",
        EXERCISES,
        swap("        contextlib.redirect_stdout(io.StringIO()),\n", ""),
        [CHECKS],
    ),
    ("an exercise whose solution is wrong", NB05, swap("return np.eye(len(p)) - p", "return np.eye(len(p)) + p"), [CHECKS]),
    # the experiments
    (
        "a general variance without its mean",
        NB04A,
        swap("np.trace(Sq @ Sk) + mk @ Sq @ mk", "np.trace(Sq @ Sk) + mk @ mk"),
        [NB04A],
    ),
    ("another rate of training", NB05A, swap("gradient, steps=1000, rate=0.1", "gradient, steps=1000, rate=0.2"), [NB05A]),
    ("a gradient without the Jacobian", NB05A, swap("return p * (y - (p * y).sum(axis=1, keepdims=True))", "return y"), [NB05A]),
    (
        "a covariance without its means",
        NB05,
        swap("(w[:, None] * V).T @ K - np.outer(w @ V, w @ K)", "(w[:, None] * V).T @ K"),
        [NB05],
    ),
    ("keys with another cosine", NB06A, swap("np.sqrt(1 - rho) * (np.eye", "np.sqrt(1 - rho / 2) * (np.eye"), [NB06A]),
    ("a capacity that forgets the slot itself", NB06A, swap("return 1 + np.median", "return np.median"), [NB06A]),
    ("a smoother of another width", NB06A, swap("np.exp(-30 / 2 * ", "np.exp(-30 * "), [NB06A]),
    ("a null slot of the wrong sign", NB06B, swap("softmax(np.append(z, t))", "softmax(np.append(z, -t))"), [NB06B]),
    (
        "a touch that forgets a slot",
        NB06B,
        swap(r"\\frac{n}{n - 1}\\,p\\,(1 - p) = 1", r"\\frac{n}{n + 1}\\,p\\,(1 - p) = 1"),
        ["tests/test_formulas.py"],
    ),
    ("strangers that are counted", NB06B, swap("weights[..., :13] * facts", "weights[..., -13:] * facts"), [NB06B]),
    (
        "a reading without its lead",
        "attention_chapter/scenes.py",
        swap("c * (n * p - 1) / (n - 1)", "c * p"),
        ["tests/test_figures.py"],
    ),
    ("a support that is one too large", "attention_core.py", swap("ranked > total", "ranked > total - 1"), [CORE]),
    (
        "a tint that is not the colour map's",
        "attention_chapter/picture.py",
        swap("AREAS = 200", "AREAS = 2"),
        ["tests/test_figures.py"],
    ),
    (
        "two heads drawn as wide as one",
        "attention_chapter/diagrams.py",
        swap("d // parts, 0.0", "d, 0.0"),
        ["tests/test_figures.py"],
    ),
    ("a held-out row that is trained", NB07A, swap("(np.arange(13) != i)", "(np.arange(13) > -1)"), [NB07A]),
    ("a derivative of the wrong sign", NB07A, swap("dA=-Y", "dA=Y"), [NB07A]),
    ("blocks merged without fading", NB08A, swap("np.exp(m_a - m) * l_a", "l_a"), [NB08A]),
    ("a residual path that is not added", NB08, swap("output + residual * X", "output"), [NB08]),
    ("a bound that is not divided by the root", NB08A, swap("axis=1).max() / np.sqrt(K.shape[1])", "axis=1).max()"), [NB08A]),
    ("an unbinding that binds", NB09A, swap("np.roll(a[..., ::-1], 1, axis=-1)", "a"), [NB09A]),
    (
        "framed cells transposed",
        "attention_chapter/figures.py",
        swap("for i, j in np.argwhere(cells)", "for j, i in np.argwhere(cells)"),
        ["tests/test_figures.py"],
    ),
    (
        "a spread that is not drawn",
        "attention_chapter/figures.py",
        swap("ax.plot([x, x], spread[label],", "ax.plot([x, x], [y, y],"),
        [NB08],
    ),
    (
        "frames of a palette too small",
        "attention_chapter/scenes.py",
        swap("len(values) - 1, 15)", "len(values) - 1, 2)"),
        ["tests/test_figures.py"],
    ),
    ("a distance that a graph library denies", NB08, swap("after layer 3: 153", "after layer 3: 154"), ["tests/test_kg.py"]),
    # teaching and papers
    (
        "a plan with a minute too many",
        "teaching/README.md",
        swap("| 10 | 00: the picture", "| 11 | 00: the picture"),
        ["tests/test_teaching.py"],
    ),
    ("a measurement of the class retouched", "teaching/README.md", swap("30 kernels", "40 kernels"), ["tests/test_teaching.py"]),
    (
        "a citation without an entry",
        "references.bib",
        swap("@article{plate1995", "@article{plate1996"),
        ["tests/test_references.py"],
    ),
    ("a citation with another year", NB09, swap("T. A. Plate (1995)", "T. A. Plate (1996)"), ["tests/test_references.py"]),
    ("another version in the citation", "CITATION.cff", swap("version: 0.1.0", "version: 0.2.0"), ["tests/test_teaching.py"]),
    # the project
    (
        "two frames exchanged on the page",
        "attention_chapter/sliders.py",
        swap(
            "base64.b64encode(f.png).decode()) for f in self.frames]",
            "base64.b64encode(f.png).decode()) for f in self.frames[::-1]]",
        ),
        [SLIDERS],
    ),
    (
        "a check that never fails",
        "tools/refresh.py",
        swap("return int(chosen.check and not all(same))", "return 0"),
        ["tests/test_refresh.py"],
    ),
    (
        "notebooks no longer compared",
        "pyproject.toml",
        swap("reorder --nbval --nbval-current-env", "reorder --nbval-lax --nbval-current-env"),
        ["tests/test_suite.py"],
    ),
    ("a sanitizer that hides a figure's fingerprint", "tests/nbval_sanitize.cfg", swap("regex: ", "regex: [0-9a-f]{8}|"), [FORM]),
    (
        "a legend with other colours",
        "attention_chapter/figures.py",
        swap(
            "        ax.legend(loc=BEST)\n    if noisy",
            "        ax.legend(handles=ax.lines[:len(series)][::-1], labels=list(series), loc=BEST)\n    if noisy",
        ),
        ["tests/test_figures.py"],
    ),
    ("a link that says another chapter", "README.md", swap("[03 · One query row]", "[03 · One key row]"), [FORM]),
    ("another picture on a page", NB05, cells(lambda all_: first_picture(all_)["data"].update({"image/png": BLANK})), [FORM]),
    ("a stale number among the measurements", "docs/PERFORMANCE.md", swap("| 8,192 | ", "| 8,192 | 1"), [BENCH]),
    ("measurements that the page does not show", "docs/bench.json", swap('"n": 8192', '"n": 8193'), [BENCH]),
    (
        "a ratio upside down",
        "tools/bench_attention.py",
        swap("quartiles(own / seconds[over])", "quartiles(seconds[over] / own)"),
        [BENCH],
    ),
    ("a peak that counts the output", "tools/bench_attention.py", swap(" - before - output.nbytes", " - before"), [BENCH]),
    ("a bound that disagrees", "environment.yml", swap("numpy>=1.26", "numpy>=1.20"), ["tests/test_project.py"]),
    (
        "the site shows a slider that is not the committed one",
        "website/sources.py",
        swap("if book.text != text:", "if False:"),
        ["tests/test_sources.py"],
    ),
    (
        "the site's figures lose their alt text",
        "website/sources.py",
        swap("""alt="{html.escape(words["alt"])}\"""", 'alt=""'),
        ["tests/test_sources.py"],
    ),
    (
        "notes for speakers reach the site",
        "website/sources.py",
        swap('if "speaker" in tags:', "if False:"),
        ["tests/test_sources.py"],
    ),
    # the switches of the suite
    ("a comment that nbval obeyed of old", NB05, source("05-04", "", "# PYTEST_VALIDATE_IGNORE_OUTPUT\n"), [SUITE]),
    ("a comment that nbval obeys", NB05, source("05-04", "", "## NBVAL_IGNORE_OUTPUT\n"), [SUITE]),
    ("a cell that may raise", NB05, tag("code", ["raises-exception"]), [SUITE]),
    ("a recipe that may fail", "Makefile", swap("\t$(BIN)/python -m pytest", "\t-$(BIN)/python -m pytest"), [SUITE]),
    ("a recipe that never fails", "Makefile", swap("pytest $(ARGS)", "pytest $(ARGS) || true"), [SUITE]),
    ("another recipe behind the first", "Makefile", new("\ntest: env\n\ttrue\n"), [SUITE]),
    ("arguments for everyone", "Makefile", swap("BIN := .venv/bin", "BIN := .venv/bin\nARGS := -k softmax"), [SUITE]),
    ("errors ignored by make", "Makefile", new("\n.IGNORE:\n"), [SUITE]),
    ("a check that ends before it begins", ".ci/run", swap("make browser", "exit 0\nmake browser"), [SUITE]),
    ("a check of a part", ".ci/run", swap("exec make test", "exec make test ARGS='-k softmax'"), [SUITE]),
    ("a workflow by hand", WORKFLOW, swap("  push:\n  pull_request:\n", "  workflow_dispatch:\n"), [SUITE]),
    ("a workflow that is never run", WORKFLOW, swap("    runs-on:", "    if: false\n    runs-on:"), [SUITE]),
    (
        "a workflow that may fail",
        WORKFLOW,
        swap("        run: make check test", "        continue-on-error: true\n        run: make test"),
        [SUITE],
    ),
    (
        "a conftest.py beside the notebooks",
        "notebooks/conftest.py",
        new('collect_ignore = ["05_softmax_jacobian.ipynb"]\n'),
        [SUITE],
    ),
    (
        "a hook that takes a notebook out",
        "conftest.py",
        swap("items[:] = whole", 'items[:] = [i for i in whole if "09_" not in i.nodeid]'),
        [SUITE],
    ),
    (
        "a hook that runs each cell once",
        "conftest.py",
        swap("            if isinstance(item, IPyNbCell)\n", "            if False\n"),
        [SUITE],
    ),
    ("a hook that passes over all text", "conftest.py", swap('("text/html",)', '("text/html", "text/plain")'), [SUITE]),
    ("pictures that are not compared", "conftest.py", swap("if isinstance(item, IPyNbCell) and not", "if False and not"), [SUITE]),
    ("a pytest.ini", "pytest.ini", new("[pytest]\naddopts = -n0\n"), [SUITE]),
    ("a tox.ini", "tox.ini", new("[pytest]\naddopts = -n0\n"), [SUITE]),
    ("a choice in pyproject.toml", "pyproject.toml", swap('addopts = "-rfEs', 'addopts = "-k softmax -rfEs'), [SUITE]),
    ("a file of tests that is skipped", KG, swap("\nimport ", "\nimport pytest\npytestmark = pytest.mark.skip\nimport "), [SUITE]),
    ("a test that may fail", KG, swap("\ndef test_", "\n@pytest.mark.xfail\ndef test_"), [SUITE]),
    (
        "a test behind another of its name",
        KG,
        new("\n\ndef test_twice():\n    assert False\n\n\ndef test_twice():\n    pass\n"),
        [SUITE],
    ),
    ("a .gitignore that hides a notebook", ".gitignore", new("notebooks/05*\n"), [SUITE]),
    ("a notebook left out of every archive", ".gitattributes", new("notebooks/05* export-ignore\n"), [SUITE]),
    # pictures, order, tags
    ("two pictures exchanged", NB03, cells(exchange_pictures), [NB03]),
    ("two alt texts exchanged", NB06, cells(exchange_alts), [FORM]),
    ("the cover at another sharpness", "docs/c-slider.gif", another_cover, ["tests/test_pages.py"]),
    ("two cells exchanged", NB05, cells(exchange_cells), [SUITE]),
    ("an answer before its question", NB05, cells(answer_first), [SUITE]),
    ("a question below its answer", NB05, cells(predict_later), [SUITE]),
    ("a text that only speakers see", NB05, tag("markdown", ["speaker"]), [SUITE]),
    ("a text that is taken for a solution", NB05, tag("markdown", ["solution"]), [SUITE]),
    ("a note for speakers that all see", NB05, source("05-s1", "For the teacher", "Note"), [SUITE]),
    ("a tag that nobody reads", NB05, tag("markdown", ["hide"]), [SUITE]),
    # references, links and papers
    ("a doi that leads elsewhere", NB09, swap("(https://doi.org/10.1109/72.377968)", "(https://doi.org/10.1109/72.377986)"), [BIB]),
    (
        "an arXiv number that leads elsewhere",
        NB08A,
        swap("(https://arxiv.org/abs/1805.02867)", "(https://arxiv.org/abs/1805.02876)"),
        [PAGES],
    ),
    ("a third author misspelt", NB01, swap("K. Cho, Y. Bengio", "K. Cho, Y. Bengjo"), [BIB]),
    ("a conference that was another", NB08, swap("*Graph attention networks.* ICLR", "*Graph attention networks.* ICML"), [BIB]),
    ("a dead link among the papers", "CONTRIBUTING.md", swap("(docs/TRUST.md)", "(docs/TRUTH.md)"), [PAGES]),
    (
        "a dead link in the teacher's table",
        "teaching/README.md",
        swap("(../notebooks/05_softmax_jacobian.ipynb)", "(../notebooks/05_jacobian.ipynb)"),
        [PAGES],
    ),
    ("a link to a heading that is not there", "README.md", swap("(CONTRIBUTING.md)", "(CONTRIBUTING.md#colophon)"), [PAGES]),
    ("a licence with a word less", "LICENSE", swap("publish, distribute", "distribute"), [PAPERS]),
    ("a notebook without its row for the reader", "README.md", without_line("| [05 · "), [FORM]),
    ("a notebook without its row for the teacher", "teaching/README.md", without_line("| [05]("), [FORM]),
    ("a result that no check stored", "docs/trust.json", swap('"holds"', '"FAILS"'), [SEAL]),
    # HTML in the pages
    ("a script in a cell of text", NB05, source("05-03", "", "<script>alert(1)</script>\n\n"), [PAGES]),
    ("a picture from elsewhere", NB05, source("05-03", "", '<img src="https://example.org/a.png">\n\n'), [PAGES]),
    ("a picture from elsewhere, in Markdown", NB05, source("05-03", "", "![a](https://example.org/a.png)\n\n"), [PAGES]),
    ("a fold that runs something", NB05, source("05-s1", "<details>", '<details ontoggle="alert(1)">'), [PAGES]),
    ("a link that runs something", "README.md", swap("(CONTRIBUTING.md)", "(javascript:alert(1))"), [PAGES]),
    ("a package from npm is not checked", "website/npm.py", swap("if found != integrity:", "if False:"), ["tests/test_npm.py"]),
]


def run(copy: Path, tests: list[str]) -> bool:
    """Whether these parts of the suite pass in the copy."""
    # The copy's modules, not those of the environment's editable install.
    env = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-n0", "-p", "no:cacheprovider", *tests],
        cwd=copy,
        env=env,
        capture_output=True,
        text=True,
    )
    if done.returncode not in (0, 1, 4):  # 4: conftest.py refuses to run with these options
        raise SystemExit(f"pytest itself failed:\n{done.stdout}{done.stderr}")
    return done.returncode == 0


def main() -> int:
    listed = {name for name, *_ in FAULTS}
    found = {name: was for name, was in trust.stored().get("faults", {}).items() if name in listed}
    word = sys.argv[1] if sys.argv[1:] else ""
    chosen = [fault for fault in FAULTS if (fault[0] not in found if word == "--new" else word in fault[0])]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".venv", ".git", "__pycache__", ".hypothesis", ".pytest_cache"))
        every = sorted({test for _, _, _, tests in chosen for test in tests})
        if not run(copy, every):
            print("the suite fails before any fault is planted")
            return 1
        for name, file, edit, tests in chosen:
            path = copy / file
            whole = path.read_bytes() if path.exists() else None
            path.write_bytes(edit((whole or b"").decode(errors="surrogateescape")).encode(errors="surrogateescape"))
            noticed = not run(copy, tests)
            path.write_bytes(whole) if whole is not None else path.unlink()
            found[name] = noticed
            trust.store("faults", found, afresh=True)  # at once, so that an interruption loses nothing
            print(f"{'caught' if noticed else 'MISSED'}  {name}  ({file}, by {', '.join(tests)})", flush=True)
    caught = sum(found[name] for name, *_ in chosen)
    print(f"{caught} caught, {len(chosen) - caught} missed of {len(chosen)} planted")
    return int(caught != len(chosen))


if __name__ == "__main__":
    sys.exit(main())
