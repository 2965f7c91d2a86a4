"""What several test files share: the committed notebooks, one at a time, and a browser where there is one."""

import importlib.util
import os
import re
from collections import Counter
from pathlib import Path

import nbformat
import pytest

from tools.browser_lab import CHROMIUM, FLAGS

ROOT = Path(__file__).resolve().parent.parent
PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NUMBERS = {path.name: path.stem.split("_")[0] for path in PATHS}  # 04 is a section, 04a an excursion beside it
MAIN = [path for path in PATHS if NUMBERS[path.name].isdigit()]
BOOKS = {path.name: nbformat.read(path, as_version=4) for path in PATHS}


def markdown(book) -> str:
    """All that a notebook says in its Markdown cells."""
    return "\n\n".join(cell.source for cell in book.cells if cell.cell_type == "markdown")


# What a notebook is shows in what stands in it, so that another needs no list to be changed.
SECTIONS = [path for path in PATHS if "\n## Exercises\n" in markdown(BOOKS[path.name])]
CLOSING = next((path for path in MAIN if "\n## Glossary\n" in markdown(BOOKS[path.name])), MAIN[-1])


@pytest.fixture(params=PATHS, ids=lambda path: path.stem)
def path(request):
    return request.param


@pytest.fixture
def notebook(path):
    return nbformat.read(path, as_version=4)


@pytest.fixture
def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@pytest.fixture
def prose(notebook):
    return [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]


def need(what: str, modules: dict[str, str]) -> None:
    """Leave the calling tests out where Chromium or a module is missing; where they are required, that is a failure."""
    lacking = [f"`{target}` installs what they need" for name, target in modules.items() if not importlib.util.find_spec(name)]
    lacking += [] if CHROMIUM else ["no Chromium on the PATH"]
    if lacking and os.environ.get("BROWSER_TESTS") == "required":
        raise RuntimeError(f"{what} are required: {'; '.join(lacking)}")
    if lacking:
        pytest.skip(f"{what} left out: {'; '.join(lacking)}", allow_module_level=True)


@pytest.fixture(scope="module")
def browser():
    """One Chromium for the tests of a file."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as run:
        chromium = run.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


def pytest_terminal_summary(terminalreporter):
    """How many cases each peer agreed with, among the closing lines."""
    passed = [r for r in terminalreporter.getreports("passed") if r.when == "call" and "test_peers.py::" in r.nodeid]
    counts = Counter(re.search(r"::.*?(scipy|torch|onnx).*\[", f"{r.nodeid}").group(1) for r in passed if "[" in r.nodeid)
    if counts:
        terminalreporter.write_line(f"agreed with peers: {', '.join(f'{peer} {counts[peer]}' for peer in sorted(counts))}")
    for r in passed:
        for name, value in r.user_properties:
            terminalreporter.write_line(f"{name}: {value}")
