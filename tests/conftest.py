"""What several test files share: the committed notebooks, one at a time."""

import re
from collections import Counter
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parent.parent
PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))


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


def pytest_terminal_summary(terminalreporter):
    """How many cases each peer agreed with, among the closing lines."""
    passed = [r for r in terminalreporter.getreports("passed") if r.when == "call" and "test_peers.py::" in r.nodeid]
    counts = Counter(re.search(r"::.*?(scipy|torch|onnx).*\[", f"{r.nodeid}").group(1) for r in passed if "[" in r.nodeid)
    if counts:
        terminalreporter.write_line(f"agreed with peers: {', '.join(f'{peer} {counts[peer]}' for peer in sorted(counts))}")
    for r in passed:
        for name, value in r.user_properties:
            terminalreporter.write_line(f"{name}: {value}")
