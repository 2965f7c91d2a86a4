"""What pytest is told about the notebooks; it asks only files that stand above them.

A slider shows itself as HTML with all its frames, which the committed notebooks leave out: that is not compared, its text is,
and this names every frame by a fingerprint. A picture is compared by its pixels, where the locked versions draw. And each cell is run
twice: once in order, and once more, from the last to the first, in the kernel that has run all. A reader goes back to a cell
and runs it again; it should say what it said.
"""

import base64
import gc
import io
import os
import platform
import re
import sys
from importlib.metadata import version
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import settings
from nbval.plugin import IPyNbCell

# A figure is a heap of small objects, and Python looks through all it has at every 700 new ones: a sixth of the time to draw.
gc.set_threshold(50_000, 20, 100)


def pytest_configure(config):
    if config.option.nbval_sanitize_with:  # pyproject.toml names it from the project's folder, wherever pytest is called
        config.option.nbval_sanitize_with = str(config.rootpath / config.option.nbval_sanitize_with)
    if not all(os.access(folder, os.W_OK) for folder in (config.rootpath, Path.cwd())):
        # A read-only checkout: what one run would leave for the next is left out, and is no warning.
        config.addinivalue_line("filterwarnings", "ignore::pytest.PytestCacheWarning")
        settings.register_profile("read-only", database=None)
        settings.load_profile("read-only")


def pytest_collectstart(collector):
    if hasattr(collector, "skip_compare"):
        collector.skip_compare += ("text/html",)


@pytest.hookimpl(tryfirst=True)  # before `-k` chooses
def pytest_collection_modifyitems(config, items):
    # A test could not see this: it might be among those that are not chosen.
    choices = ("-k", "-m", "-p", "-x", "--ignore", "--deselect", "--lf", "--last-failed", "--maxfail", "--co")
    if chosen := [word for word in config.getini("addopts") if word.startswith(choices)]:
        raise pytest.UsageError(
            f"{config.inipath} chooses among the tests for everyone, by {chosen}; a choice belongs on the command line"
        )
    whole = []
    for _, group in groupby(items, key=lambda item: item.parent):
        group = list(group)
        whole += group
        whole += [
            IPyNbCell.from_parent(
                item.parent, name=f"{item.name}, again", cell_num=item.cell_num, cell=item.cell, options=item.options
            )
            for item in reversed(group)
            if isinstance(item, IPyNbCell)
        ]
    items[:] = whole


def unlike_the_lock() -> str:
    """What draws otherwise here than where the notebooks were made, in words; nothing where it draws the same."""
    lock = (Path(__file__).parent / "requirements.lock").read_text("utf-8")
    here = f"{sys.platform} {platform.machine()}"
    return ", ".join(
        [
            f"{name} {version(name)}"
            for name in ("matplotlib", "numpy", "pillow")
            if not re.search(rf"^{name}=={re.escape(version(name))}\s", lock, re.M)
        ]
        + [here] * (here != "linux x86_64")
    )


def look_alike(stored: str, drawn: str) -> bool:
    """Whether two PNGs in base64 show the same; one picture can be packed in several ways."""
    if stored.strip() == drawn.strip():
        return True
    from PIL import Image

    ours, theirs = (Image.open(io.BytesIO(base64.b64decode(png))).convert("RGBA") for png in (stored, drawn))
    return ours.size == theirs.size and ours.tobytes() == theirs.tobytes()


def pictures(outputs) -> list[str]:
    return [out["data"]["image/png"] for out in outputs if "image/png" in out.get("data", {})]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    done = yield
    if isinstance(item, IPyNbCell) and not unlike_the_lock():
        # How many there are nbval has compared, by the texts beside them.
        for k, (stored, drawn) in enumerate(zip(pictures(item.cell.outputs), pictures(item.test_outputs), strict=True), 1):
            if not look_alike(stored, drawn):
                item.raise_cell_error(
                    f"picture {k} in the file is not what the cell draws, though its words are: `make refresh` draws it anew"
                )
    return done


def pytest_terminal_summary(terminalreporter):
    """What to do where a cell does not give what its notebook has stored."""
    cells = [r.nodeid for r in terminalreporter.getreports("failed") if ".ipynb::" in r.nodeid]
    if cells:
        names = sorted({Path(nodeid.split("::")[0]).name for nodeid in cells})
        terminalreporter.write_line(
            f"What cells give differs from what is stored in {', '.join(names)}: if that is meant, `make refresh` stores it anew."
        )
