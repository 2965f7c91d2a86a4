"""What pytest is told about the notebooks; it asks only files that stand above them.

A slider shows itself as HTML with all its frames, which the committed notebooks leave out: that is not compared, its text is,
and this names every frame by a mark. And each cell is run twice: once in order, and once more, from the last to the first, in
the kernel that has run all. A reader goes back to a cell and runs it again; it should say what it said.
"""

from itertools import groupby

import pytest
from nbval.plugin import IPyNbCell


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
