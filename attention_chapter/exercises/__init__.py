"""The exercises of the notebooks, and checks that name the mechanism which is off.

`check(name, attempt)` prints one line: not written yet, correct, or not yet with a hint. `table()` lists all exercises.

The exercises of notebook 06 stand in nb06.py: a function that checks an attempt, and a row of its EXERCISES. A file nb11.py
beside it is found by its name. How an attempt is asked and judged stands in machinery.py.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules

from attention_chapter.exercises.machinery import LEVELS, Exercise, judge, one_line

__all__ = ["BY_NAME", "EXERCISES", "LEVELS", "Exercise", "check", "table", "verdict"]

NOTEBOOKS = sorted(module.name for module in iter_modules(__path__) if module.name.startswith("nb"))
EXERCISES: tuple[Exercise, ...] = tuple(
    exercise for name in NOTEBOOKS for exercise in import_module(f"{__name__}.{name}").EXERCISES
)
BY_NAME = {exercise.name: exercise for exercise in EXERCISES}


def table() -> str:
    """List all exercises in a Markdown table whose columns line up in plain text as well.

    Returns
    -------
    str
        A row for each exercise, in the order of the notebooks: notebook, title, level, minutes, and whether it checks itself.
    """
    head = ("notebook", "exercise", "level", "minutes", "answer")
    rows = [(e.notebook, e.title, e.level, str(e.minutes), "checks itself" if e.check else "folded") for e in EXERCISES]
    widths = [max(map(len, column)) for column in zip(head, *rows)]
    lines = [head, tuple("-" * width for width in widths), *rows]
    return "\n".join("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in lines)


def verdict(name: str, attempt: Callable | None) -> str:
    """Say in one line what an attempt at an exercise is worth.

    Parameters
    ----------
    name : str
        The name of an exercise that checks itself.
    attempt : callable or None
        The reader's function; None, dots, or the untouched stub while there is none.

    Returns
    -------
    str
        The line that `check` prints. It never raises, whatever the attempt does.
    """
    checked = {key: e for key, e in BY_NAME.items() if e.check}
    if not isinstance(name, str):
        return "check: first the name of the exercise, in quotes, then your function"
    if name not in checked:
        near = difflib.get_close_matches(name, checked, cutoff=0)
        return f"check: there is no exercise {one_line(name, 60)!r}; did you mean {near[0]!r}?"
    return f"{name}: {judge(checked[name], attempt)}"


def check(name: str, attempt: Callable | None) -> None:
    """Print one line on an attempt: not written yet, correct, or not yet with a hint.

    Parameters
    ----------
    name : str
        The name of an exercise, as its notebook gives it.
    attempt : callable or None
        The function that the reader has written.

    Examples
    --------
    >>> check("leak", None)
    leak: not written yet
    >>> check("leak", lambda c, n: 1 / (1 + 2 * 2.718281828459045 ** c / (n - 2)))
    leak: correct
    """
    print(verdict(name, attempt))
