"""Write docs/TRUST.md from docs/trust.json, in which each check stores what it found.

    make trust    times the suite, runs the comparison with peers and the hostile cases

`make mutants`, `make faults` and `make matrix` store their results as well. The page is written anew with every result; a
test compares it with what is stored.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import zlib
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

from tools.refresh import replace

ROOT = Path(__file__).resolve().parent.parent
STORED = ROOT / "docs" / "trust.json"
PAGE = ROOT / "docs" / "TRUST.md"
TITLES = {"scipy": "SciPy", "torch": "PyTorch", "onnx": "ONNX"}
ASKED = {
    "scipy": "softmax (also SciPy's own tests of its softmax), the closed form of retrieval, the cosine",
    "torch": "softmax, attention whole and in blocks (masks, scales, batches, m and n that differ, three dtypes), "
    "several heads, the Jacobian, gradients",
    "onnx": "the node tests of the operators Softmax and Attention",
}
# What is counted of the formulas of a notebook, a module or a page: statements, and changes of those that are run.
COLUMNS = ("displayed", "inline", "run", "settings", "listed", "changes", "noticed", "equivalent", "survive")


def stored() -> dict:
    """What the checks have found so far, by check and then by name."""
    found = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    found.pop("seal", None)
    return found


def seal(found: dict) -> str:
    """A mark of all results, kept beside them: it tells what a check has stored from what a hand has changed."""
    return f"{zlib.crc32(json.dumps(found, sort_keys=True).encode()):08x}"


def store(check: str, results: dict, afresh: bool = False) -> None:
    """Keep some results of a check, or (``afresh``) nothing but these; write the page anew."""
    found = stored()
    found[check] = results if afresh else {**found.get(check, {}), **results}
    replace(STORED, (json.dumps({**found, "seal": seal(found)}, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode())
    replace(PAGE, render(found).encode())


def table(heads: list[str], rows: list[list]) -> str:
    """A table in Markdown, or a word where there is nothing to show."""
    if not rows:
        return "Not run yet.\n"
    return "".join(f"| {' | '.join(map(str, row))} |\n" for row in [heads, ["---"] * len(heads), *rows])


def render(found: dict) -> str:
    """The page, as it follows from the stored results."""
    peers, mutants, faults = found.get("peers", {}), found.get("mutants", {}), found.get("faults", {})
    matrix, hostile, speed = found.get("matrix", {}), found.get("hostile", {}), found.get("speed", {})
    left_out = found.get("left out", {}).get("onnx", "")
    differing = sum(len(r["differ"]) for r in matrix.values())
    left = [module for module in modules() if module not in mutants]
    total = {kind: sum(r[kind] for r in mutants.values()) for kind in ("all", "noticed", "equivalent", "survive")}
    return f"""# Why the numbers can be trusted

A script (`tools/trust.py`) writes this page from `docs/trust.json`, where each check stores what it found; a test fails
where the two differ.
What guards a number day by day stands in the README, "How the numbers are kept true". Here is what was tried beyond that.

## Other people's numbers

The same inputs through SciPy, PyTorch and ONNX (`make peers`, `tests/test_peers.py`); each tolerance stands there with
its reason.

{table(["peer", "what is compared", "cases that agree"], [[TITLES[p], ASKED[p], peers[p]] for p in sorted(peers)])}
Of ONNX's node tests are left out {left_out or "those that were not run"}.

## Changes of the code that the tests notice

`make mutants` changes a module one place at a time (a number, an operator, an argument, a word) and runs its tests. A
change that no test could notice stands in [tools/mutants.md](../tools/mutants.md) with the reason.

{
        table(
            ["module", "changes", "noticed", "equivalent", "survive"],
            [[f"`{m}`", r["all"], r["noticed"], r["equivalent"], r["survive"]] for m, r in sorted(mutants.items())]
            + ([["all", *total.values()]] if mutants else []),
        )
    }
{f"Not run yet, or not to the end: {', '.join(f'`{m}`' for m in left)}" if left else "These are all modules that a notebook runs"}.
Each module faces its own tests alone, without the notebooks, which would notice much of it once more.

{formulas(found.get("formulas", {}))}## Faults that the suite catches

`make faults` plants faults as they happen to people: a wrong digit, another colour map, an unexecuted cell, a dead link.

{table(["planted", "caught"], [[len(faults), sum(faults.values())]] if faults else [])}
## The same digits everywhere

`make matrix` runs all notebooks against their committed outputs. Cells that differ, over all configurations: {differing}.

{
        table(
            ["configuration", "versions", "cells", "differ", "state"],
            [[name, r["versions"], r["cells"], len(r["differ"]), f"`{r['of']}`"] for name, r in sorted(matrix.items())],
        )
    }
*State* is a mark of the notebooks, the code and the lock that ran; `make matrix` runs what has no result of the present state.
Python 3.12 and 3.13 pass `make test` too, each in a clone of its own; 3.14, macOS and Windows are in the workflow.

## Hostile surroundings

{table(["case (`tests/test_hostile.py`)", "result"], [[name, result] for name, result in sorted(hostile.items())])}
A half-made or broken `.venv`, and two calls at once, are in `tests/test_bootstrap.py`; a failing cell and a full disk in
`tests/test_refresh.py`.

## The time it takes

The suite without browser and peers, on a warm disk; of each notebook the first cell waits for the kernel and its imports.

{
        table(
            ["processes", "tests", "seconds", "of them first cells"],
            [[name, r["tests"], f"{r['seconds']:.0f}", f"{r['first cells']:.0f}"] for name, r in sorted(speed.items())],
        )
    }
Two processes (`-n 2 --dist loadfile`) are what `make test` takes.

## Security

* All words that reach HTML are escaped (`tests/test_sliders.py`); no stored output is HTML, and no caption holds a tag
  (`tests/test_notebooks.py`).
* No cell names a shell, a socket or a file (`tests/test_notebooks.py`); a watched run sees no kernel start a process or connect
  (`tests/test_hostile.py`).
* Every package is locked by the hashes of its files; only PyTorch, which is optional, is not.
* Known vulnerabilities, where a network allows the question:
  `uvx pip-audit --disable-pip --require-hashes -r requirements.lock`, and so for each `requirements-*.lock`. It is no part of
  `make test`, since its answer changes from day to day.
"""


def formulas(found: dict) -> str:
    """The part of the page about formulas, where they were counted."""
    if not found:
        return ""
    rows = [[f"`{name}`", *(of[column] for column in COLUMNS)] for name, of in sorted(found.items())]
    total = [sum(of[column] for of in found.values()) for column in COLUMNS]
    return f"""## Formulas that are run

Each statement of a formula is read from its own LaTeX and held against the code (`tests/test_formulas.py`): *run*, a *setting*
("c = 3"), or *listed* with a reason in `tools/formulas/bindings`. `python -m tools.mutate_formulas` changes what is run, one
sign, index or factor at a time; what no test can tell stands in [tools/formula_mutants.md](../tools/formula_mutants.md).

{table(["in", *COLUMNS], [*rows, ["all", *total]])}
"""


def modules() -> list[str]:
    """The project's modules; neither what makes .venv, which is tested in trees of its own, nor what pytest reads."""
    paths = [
        *ROOT.glob("*.py"),
        *(ROOT / "attention_chapter").glob("[a-z]*.py"),
        *(ROOT / "attention_chapter/exercises").glob("*.py"),
        ROOT / "tools" / "refresh.py",
    ]
    return sorted({str(path.relative_to(ROOT).as_posix()) for path in paths} - {"bootstrap.py", "conftest.py"})


def sentence(name: str) -> str:
    """A test's name as the sentence that it is."""
    return re.sub(r"\[.*", "", name).removeprefix("test_").replace("_", " ")


def tested(*arguments: str, **variables: str) -> tuple[int, ElementTree.Element]:
    """A run of pytest: its exit status and its report."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", f"--junit-xml={report}", *arguments], cwd=ROOT, env={**os.environ, **variables}
        )
        return done.returncode, ElementTree.parse(report).getroot()


def seconds(suite: ElementTree.Element) -> dict:
    """How many tests ran and how long, and how much of it the first cells of the notebooks took."""
    firsts = [case for case in suite.iter("testcase") if case.get("name") == "Cell 0"]
    whole = suite.find("testsuite")
    return {
        "tests": int(whole.get("tests")),
        "seconds": float(whole.get("time")),
        "first cells": sum(float(case.get("time")) for case in firsts),
    }


def main() -> int:
    """Run the suite in one process and in two, then the peers and the hostile cases, and store what they found."""
    codes = []
    for name, how in (("one", ["-n0"]), ("two", [])):
        code, suite = tested("--ignore=tests/browser", "--ignore=tests/test_peers.py", *how)
        codes.append(code)
        store("speed", {name: seconds(suite)})
    code, suite = tested("tests/test_peers.py", "tests/test_hostile.py", PEERS="required")
    codes.append(code)
    cases = suite.findall(".//testcase")
    good = [case for case in cases if not any(case.find(bad) is not None for bad in ("failure", "error", "skipped"))]
    peers = Counter(
        re.search("scipy|torch|onnx", case.get("name")).group()
        for case in good
        if "peers" in case.get("classname") and "[" in case.get("name")
    )
    store("peers", dict(peers), afresh=True)
    store(
        "hostile",
        {sentence(case.get("name")): "holds" if case in good else "FAILS" for case in cases if "hostile" in case.get("classname")},
        afresh=True,
    )
    store("left out", {"onnx": prop.get("value") for case in good for prop in case.findall("properties/property")}, afresh=True)
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
