"""The suite's own switches: all of it is collected and run, whatever a file, a mark, a comment or a recipe says."""

import ast
import base64
import io
import os
import re
import runpy
import subprocess
import sys
import tomllib
from collections import Counter
from itertools import zip_longest
from pathlib import Path
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest
import yaml
from nbval.plugin import NbCellError, comment_markers, metadata_tags
from PIL import Image

from conftest import PATHS, ROOT

MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
ABOVE = runpy.run_path(str(ROOT / "conftest.py"))
TESTS = sorted(path for path in (ROOT / "tests").rglob("*.py") if "__pycache__" not in path.parts)
FILES = [path for path in TESTS if path.name.startswith("test_")]


def files():
    """The files of the tree, by their paths from its root; not those in hidden folders, but for the project's own."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name[0] not in "._" or name in (".ci", ".github")]
        yield from ((Path(folder) / name).relative_to(ROOT).as_posix() for name in names)


def lines(text, comment="#"):
    """The lines of a script that say something."""
    return [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(comment)]


# Cells ---------------------------------------------------------------------------------------------------------------


def switches(cell):
    """The words in a code cell, or on it, that nbval obeys; any tag is one too many."""
    return [word for word in comment_markers if word in cell.source.upper()] + list(cell.metadata.get("tags", []))


def test_no_cell_tells_nbval_to_look_away(path, code):
    found = {cell.id: switches(cell) for cell in code if switches(cell)}
    assert not found, f"{path.name}: these cells are not compared; take the comment or the tag out: {found}"


@pytest.mark.parametrize("word", [*comment_markers, *metadata_tags])
def test_every_word_that_nbval_obeys_is_found(word):
    comment, tag = nbformat.v4.new_code_cell(f"x = 1\n  ##  {word}"), nbformat.v4.new_code_cell("x", metadata={"tags": [word]})
    assert switches(tag) == [word] and (switches(comment) or word in metadata_tags)


def test_only_notes_for_speakers_and_folded_answers_carry_a_tag(path, notebook):
    opening = {
        "speaker": r"<details><summary>For the teacher</summary>\n\n",
        "solution": r"<details><summary>(Solution|Answer)</summary>\n\n",
    }
    for cell in notebook.cells:
        tags = cell.metadata.get("tags", [])
        assert set(tags) <= set(opening) and len(tags) < 2, (
            f"{path.name}, {cell.id}: tags {tags}; there are {set(opening)}, one a cell"
        )
        folded = {tag for tag, first in opening.items() if re.match(first, cell.source)}
        assert cell.cell_type == "markdown" or not tags, f"{path.name}, {cell.id}: a code cell has the tag {tags}"
        assert folded == set(tags), f"{path.name}, {cell.id} is tagged {tags}, but begins as one tagged {sorted(folded)}"
        assert not tags or (cell.source.endswith("\n\n</details>") and cell.source.count("<details>") == 1), (
            f"{path.name}, {cell.id} has the tag {tags}, so all of it is folded: it ends with </details>, and folds once"
        )


# Tests that are left out ---------------------------------------------------------------------------------------------

# Where a test is left out, and why. Anything else that is skipped, expected to fail or taken from the list is an error.
LEAVES_OUT = Counter(
    {
        ("tests/conftest.py", "pytest.skip"): 1,  # the browser's tests, without a browser
        ("tests/test_peers.py", "pytest.importorskip"): 1,  # a peer that is not installed
        ("tests/test_figures.py", "pytest.skip"): 1,  # pixels, under other versions than the locked ones
        ("tests/test_suite.py", "pytest.skip"): 1,  # the same
        ("tests/test_hostile.py", "pytest.mark.skipif"): 2,  # no make; Windows
        ("tests/test_bootstrap.py", "pytest.mark.skipif"): 2,  # no make; Windows
        ("tests/test_bootstrap.py", "pytest.importorskip"): 2,  # a system without such a lock
        ("tests/test_desks.py", "pytest.mark.skipif"): 4,  # no C compiler to make a false BLAS; no make; Windows
        ("tests/test_desks.py", "pytest.skip"): 1,  # no symbolic links
        ("tests/test_docstrings.py", "pytest.mark.skipif"): 1,  # pyright, which may have to be downloaded
    }
)
WORDS = {
    "skip",
    "skipif",
    "skipIf",
    "skipTest",
    "SkipTest",
    "xfail",
    "expectedFailure",
    "importorskip",
    "collect_ignore",
    "collect_ignore_glob",
    "pytest_plugins",
    "__test__",
}
# Beside these words, a mark on a whole file may only say which warnings are errors there.
MARKS = {"filterwarnings"}


def leaves_out(file, text):
    """The places where a file of tests skips something, by the word that does so."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and node.attr in WORDS or isinstance(node, ast.Name) and node.id in WORDS:
            found.append((file, ast.unparse(node)))
        if isinstance(node, ast.ImportFrom):
            found += [(file, f"{node.module}.{name.name}") for name in node.names if name.name in WORDS]
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
            found += [
                (file, mark) for mark in re.findall(r"mark\.(\w+)", ast.unparse(node.value)) or ["pytestmark"] if mark not in MARKS
            ]
    return Counter(found)


def test_nothing_is_skipped_but_for_want_of_what_it_needs():
    found = sum((leaves_out(path.relative_to(ROOT).as_posix(), path.read_text("utf-8")) for path in TESTS), Counter())
    assert not found - LEAVES_OUT, f"a test is left out; if that is meant, LEAVES_OUT says so with the reason: {found - LEAVES_OUT}"
    assert not LEAVES_OUT - found, f"LEAVES_OUT names what no test does any more: {LEAVES_OUT - found}"


@pytest.mark.parametrize(
    "text",
    [
        "import pytest\npytestmark = pytest.mark.skip",
        "from pytest import skip",
        "__test__ = False",
        "import pytest\n@pytest.mark.xfail\ndef test_a(): ...",
        "collect_ignore = ['x']",
        "import unittest\n@unittest.skip('x')\ndef test_a(): ...",
        "pytestmark = [mark.slow]",
    ],
)
def test_every_way_to_leave_a_test_out_is_seen(text):
    assert leaves_out("x", text)


def hooks(path):
    return {
        node.name
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("pytest_")
    }


def test_no_other_file_tells_pytest_what_to_do():
    rivals = {
        "pytest.ini",
        ".pytest.ini",
        "pytest.toml",
        ".pytest.toml",
        "tox.ini",
        "setup.cfg",
        "setup.py",
        "sitecustomize.py",
        "usercustomize.py",
        "noxfile.py",
    }
    assert not [name for name in files() if name.split("/")[-1] in rivals], (
        "pytest reads pyproject.toml alone; such a file would outrank it"
    )
    assert [name for name in files() if name.endswith("conftest.py")] == ["conftest.py", "tests/conftest.py"]
    assert hooks(ROOT / "conftest.py") == {
        "pytest_configure",
        "pytest_collectstart",
        "pytest_collection_modifyitems",
        "pytest_runtest_call",
        "pytest_terminal_summary",
    }
    assert hooks(ROOT / "tests" / "conftest.py") == {"pytest_terminal_summary"}


def test_nbval_is_told_to_pass_over_a_sliders_frames_and_nothing_else():
    collector = SimpleNamespace(skip_compare=("image/png",))
    ABOVE["pytest_collectstart"](collector)
    assert collector.skip_compare == ("image/png", "text/html")
    untouched = SimpleNamespace()
    ABOVE["pytest_collectstart"](untouched)
    assert vars(untouched) == {}


def test_pytest_is_told_what_pyproject_says_and_no_more(request):
    told = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]
    assert told == {
        "ini_options": {
            "testpaths": ["tests", "notebooks"],
            "filterwarnings": ["error"],
            "addopts": "-rfEs -n 2 --dist loadfile --no-loadscope-reorder --nbval --nbval-current-env "
            "--nbval-sanitize-with tests/nbval_sanitize.cfg --nbval-cell-timeout 120",
        }
    }
    assert request.config.option.nbval and not request.config.option.nbval_lax
    assert request.config.inipath == ROOT / "pyproject.toml"


# What git keeps ------------------------------------------------------------------------------------------------------


def test_git_leaves_out_what_is_made_and_nothing_else():
    assert lines((ROOT / ".gitignore").read_text("utf-8")) == [
        ".venv/",
        ".venv.lock",
        "uv.lock",
        "__pycache__/",
        ".ipynb_checkpoints/",
        ".pytest_cache/",
        ".hypothesis/",
        "_site/",
        ".site-*/",
        "_student*/",
        "_teacher*/",
    ]
    assert [
        name for name in files() if name.endswith((".gitignore", ".gitattributes", ".git-blame-ignore-revs")) and "/" in name
    ] == [], "one .gitignore, at the top"
    assert not re.search("export-ignore|export-subst|filter=", (ROOT / ".gitattributes").read_text("utf-8"))


def test_git_ignores_no_file_of_the_project():
    try:
        done = subprocess.run(
            ["git", "ls-files", "--cached", "--ignored", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
        )
    except OSError:
        return  # without git the list above is all there is
    assert not done.stdout, f"git is told to ignore what it keeps: {done.stdout}"


# Recipes -------------------------------------------------------------------------------------------------------------


def recipes():
    """The commands of each target, and what it calls first."""
    found = {}
    for line in lines(MAKEFILE):
        if match := re.match(r"([a-z][a-z-]*):(?!=)\s*(.*)", line):
            found[target := match[1]] = (match[2].split(), [])
        elif line.startswith("\t"):
            found[target][1].append(line[1:])
    return found


def test_make_test_runs_the_suite_and_reports_what_it_says():
    assert recipes()["test"] == (["env"], ["$(BIN)/python -m pytest $(ARGS)"])
    assert len(re.findall(r"^(?:[\w .-]* )?test(?: [\w .-]*)?:(?!=)", MAKEFILE.replace(".PHONY:", "", 1), re.M)) == 1, (
        "`test` has one rule"
    )


def test_no_recipe_hides_a_failure():
    spared = '-$(PIP) "attention-chapter[torch]"'  # bench goes without torch
    for target, (_, commands) in recipes().items():
        for command in commands:
            if (target, command) != ("bench", spared):
                assert not re.match(r"[@+]*-", command), f"make {target}: `-` lets {command!r} fail unnoticed"
                assert not re.search(r"\|\|\s*(true|:|exit 0)|;\s*(true|:|exit 0)\s*$|\bset \+e", command), (
                    f"make {target}: {command!r} never fails"
                )


def test_the_makefile_sets_nothing_that_changes_what_its_recipes_mean():
    directives = [line for line in lines(MAKEFILE) if not line.startswith("\t")]
    assert not [
        line
        for line in directives
        if re.match(r"[-s]?include|ifn?(def|eq)|else|endif|override|define|load|vpath|\$|\.(?!PHONY:)", line)
    ]
    assert {name for line in directives for name in re.findall(r"^(?:export )?(\w+)\s*[:?+!]*=", line)} == {
        "PYTHON",
        "BIN",
        "PIP",
        "RESOLVE",
        "JUPYTER_PREFER_ENV_PATH",
        "MPLCONFIGDIR",
    }
    assert "PYTHON ?= python3" in directives and "BIN := .venv/bin" in directives
    assert "PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-user" in directives
    assert [name for name in files() if name.split("/")[-1] in ("GNUmakefile", "makefile") or name.endswith(".mk")] == []


@pytest.mark.parametrize("name", ["-$(BIN)/python -m pytest", "@- x", "x || true", "x; exit 0"])
def test_a_recipe_that_hides_a_failure_is_seen(name, monkeypatch):
    monkeypatch.setitem(globals(), "MAKEFILE", f"test: env\n\t{name}\n")
    with pytest.raises(AssertionError):
        test_no_recipe_hides_a_failure()


def test_the_check_of_a_fresh_clone_is_what_it_was():
    """Held whole, for a word is enough to let everything pass; what is changed there is changed here, after a thought."""
    assert lines((ROOT / ".ci/run").read_text("utf-8")) == [
        "set -euo pipefail",
        'cd "$(dirname "${BASH_SOURCE[0]}")/.."',
        "missing=()",
        "command -v chromium >/dev/null || missing+=(chromium)",
        "command -v npm >/dev/null || missing+=(nodejs npm)",
        "if [ ${#missing[@]} -gt 0 ]; then",
        "    apt-get update -qq",
        '    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}"',
        "fi </dev/null",
        "make browser site-tools peers check </dev/null",
        "BROWSER_TESTS=required PEERS=required exec make test </dev/null",
    ]


def test_the_workflow_runs_on_every_push_and_request_and_may_fail():
    workflow = yaml.load((ROOT / ".github/workflows/ci.yml").read_text("utf-8"), yaml.BaseLoader)  # or `on` would read as True
    assert workflow["on"] == {"push": "", "pull_request": ""}
    assert set(workflow) == {"name", "on", "permissions", "concurrency", "jobs"} and set(workflow["jobs"]) == {"test"}
    job = workflow["jobs"]["test"]
    assert set(job) == {"name", "runs-on", "timeout-minutes", "strategy", "steps"}
    assert job["runs-on"] == "${{ matrix.os }}" and set(job["strategy"]) == {"fail-fast", "matrix"}
    assert set(job["strategy"]["matrix"]) == {"os", "python"}, "no combination is taken out"
    assert job["strategy"]["matrix"]["os"] == ["ubuntu-latest", "macos-latest", "windows-latest"]
    assert [(step.get("if"), step["run"]) for step in job["steps"] if "run" in step] == [
        ("runner.os != 'Windows'", "make check test"),
        ("runner.os == 'Windows'", "python bootstrap.py"),
        ("runner.os == 'Windows'", r".venv\Scripts\python -m pytest"),
    ]
    assert all(set(step) <= {"name", "if", "run", "uses", "with", "env"} for step in job["steps"])
    assert not [step for step in job["steps"] if "uses" in step and "if" in step]
    assert [path.name for path in (ROOT / ".github").rglob("*.y*ml")] == ["ci.yml"]


# Pictures ------------------------------------------------------------------------------------------------------------


def png(level, **settings):
    buffer = io.BytesIO()
    Image.fromarray(np.full((4, 4), level, np.uint8)).save(buffer, "png", **settings)
    return base64.b64encode(buffer.getvalue()).decode()


def test_a_stored_picture_that_the_cell_does_not_draw_is_an_error(monkeypatch):
    if other := ABOVE["unlike_the_lock"]():
        pytest.skip(f"stored pictures are compared where the locked versions draw, on Linux, x86_64; here is {other}")
    cell = object.__new__(ABOVE["IPyNbCell"])  # a cell's file and kernel are of no account here

    def shown(picture):
        return [{"data": {"image/png": picture, "text/plain": "words"}}]

    def judged(stored, drawn):
        cell.cell_num, cell.cell, cell.test_outputs = 1, SimpleNamespace(outputs=shown(stored), source="draw()"), shown(drawn)
        hook = ABOVE["pytest_runtest_call"](cell)
        next(hook)
        with pytest.raises(StopIteration):
            hook.send(None)

    judged(png(7), png(7) + "\n")
    judged(png(7), png(7, compress_level=0))
    with pytest.raises(NbCellError, match="picture 1 .* `make refresh`"):
        judged(png(7), png(8))


def test_two_pictures_are_alike_when_they_show_the_same():
    assert ABOVE["look_alike"](png(7), png(7, compress_level=0)) and not ABOVE["look_alike"](png(7), png(8))


# Order ---------------------------------------------------------------------------------------------------------------

OUTLINE = ROOT / "tests" / "outline.txt"


def outline(path):
    """A notebook as a list of its cells: the name of each, its heading, and what it asks or tells."""
    rows = [path.stem]
    for cell in nbformat.read(path, as_version=4).cells:
        said = (
            ["code"] if cell.cell_type == "code" else re.findall(r"^#+ .*|\*\*(?:Predict|Checked)\b", cell.source, re.M) or ["text"]
        )
        rows.append(f"  {cell.id}  {'; '.join([*(word.strip('*') for word in said), *cell.metadata.get('tags', [])])}")
    return "\n".join(rows)


def test_the_cells_stand_in_the_order_of_the_outline(path):
    parts = {part.split("\n")[0]: part for part in OUTLINE.read_text("utf-8").strip().split("\n\n")}
    now, then = outline(path).split("\n"), parts.get(path.stem, "").split("\n")
    differing = next(((k, was, is_) for k, (was, is_) in enumerate(zip_longest(then, now)) if was != is_), None)
    assert not differing, (
        f"{path.name}: place {differing[0]} had {(differing[1] or 'nothing').strip()!r} and has {(differing[2] or 'nothing').strip()!r}. "
        f"If that is meant, `python tests/test_suite.py` writes {OUTLINE.name} anew; read what differs."
    )


def test_the_outline_names_no_notebook_that_is_gone():
    assert set(re.findall(r"^(\w+)$", OUTLINE.read_text("utf-8"), re.M)) <= {path.stem for path in PATHS}


def test_what_is_to_be_predicted_is_shown_by_the_next_code_below():
    for path in PATHS:
        asked = None
        for cell in nbformat.read(path, as_version=4).cells:
            assert not (asked and "**Predict" in cell.source), (
                f"{path.name}: no code stands between {asked} and {cell.id}, which both say Predict"
            )
            asked = cell.id if "**Predict" in cell.source else asked if cell.cell_type == "markdown" else None
        assert not asked, f"{path.name}: nothing is run below {asked}, which says Predict"


# Collection ----------------------------------------------------------------------------------------------------------


def functions(path):
    """The tests that a file defines, a name as often as it is defined."""
    return [
        node.name
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]


@pytest.fixture(scope="module")
def collected(request):
    """The names of the items that pytest runs where nothing on its command line chooses among them, by file."""
    config = request.config
    chosen = [Path(arg).name for arg in config.args] != config.getini("testpaths") or any(
        getattr(config.option, name, None) for name in ("keyword", "markexpr", "deselect", "ignore_glob", "lf", "ff")
    )
    if chosen:  # this run has its own list, so another process makes the whole one
        env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        said = subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "--collect-only",
                "-q",
                "-n0",
                "-p",
                "no:cacheprovider",
                "--continue-on-collection-errors",
            ],
            cwd=ROOT,
            env=env,
            capture_output=True,
            text=True,
            encoding="utf-8",
        ).stdout
        ids = re.findall(r"^([^:\n]+\.(?:py|ipynb))::(.+)$", said, re.M)
    else:
        ids = [item.nodeid.split("::", 1) for item in request.session.items]
    names = {file: [] for file, _ in ids}
    for file, name in ids:
        names[file].append(name)
    return names


def left_out(request, path):
    """Whether this run leaves a file out with a word: on its command line, or for want of a browser or a peer."""
    ignored = [(request.config.invocation_params.dir / one).resolve() for one in request.config.option.ignore or []]
    return (
        path.parent.name == "browser" or path.name == "test_peers.py" or any(path == one or one in path.parents for one in ignored)
    )


def test_every_code_cell_is_run_in_order_and_once_more(request, collected):
    for path in PATHS:
        if left_out(request, path):
            continue
        count = sum(cell.cell_type == "code" for cell in nbformat.read(path, as_version=4).cells)
        wanted = [f"Cell {k}" for k in range(count)] + [f"Cell {k}, again" for k in reversed(range(count))]
        have = collected.get(f"notebooks/{path.name}", [])
        assert have == wanted, (
            f"{path.name}: of its {count} code cells, each run twice, pytest does not run "
            f"{sorted(set(wanted) - set(have)) or 'them in their order'}: what leaves them out?"
        )


def test_every_test_of_every_file_is_run(request, collected):
    for path in FILES:
        file = path.relative_to(ROOT).as_posix()
        if file not in collected and left_out(request, path):
            continue
        have, defined = collected.get(file, []), functions(path)
        assert not [name for name in set(defined) if defined.count(name) > 1], f"{file}: a second test of that name hides the first"
        lost = sorted(set(defined) - {name.split("[")[0] for name in have})
        assert not lost, f"{file}: pytest does not run {lost}: what leaves them out?"
        assert not [name for name in have if "NOTSET" in name], f"{file}: a test has no cases"


if __name__ == "__main__":
    OUTLINE.write_text("\n\n".join(map(outline, PATHS)) + "\n", "utf-8")
