"""What pytest is told about the notebooks; it asks only files that stand above them.

A slider shows itself as HTML with all its frames, which the committed notebooks leave out: that is not compared, its text is,
and this names every frame by a mark. And each cell is run twice: once in order, and once more, from the last to the first, in
the kernel that has run all. A reader goes back to a cell and runs it again; it should say what it said.
"""

import os
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import settings
from nbval.plugin import IPyNbCell


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
def pytest_collection_modifyitems(items):
    whole = []
    for _, group in groupby(items, key=lambda item: item.parent):
        group = list(group)
        whole += group
        whole += [IPyNbCell.from_parent(item.parent, name=f"{item.name}, again", cell_num=item.cell_num, cell=item.cell,
                                        options=item.options) for item in reversed(group) if isinstance(item, IPyNbCell)]
    items[:] = whole
