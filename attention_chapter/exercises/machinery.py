"""How an attempt at an exercise is asked, compared and judged.

A check calls the attempt on inputs whose sizes all differ and yields pairs (ok, hint), the most telling first; the
first pair that is not ok is the verdict. A hint begins with the mechanism: "axis: ...". What the check expects is worked
by hand, by loops over numbers with `math.exp`, or by going through all cases; never by the function that the exercise is
about.
"""

from __future__ import annotations

import contextlib
import copy
import dis
import io
import math
import re
import tracemalloc
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

Verdicts = Iterator[tuple[bool, str]]
LEVELS = ("recall", "apply", "extend", "find the bug")


class Exercise(NamedTuple):
    """One exercise, as its notebook states it."""

    name: str
    notebook: str  # its number: 04, or 04a for an excursion
    title: str
    level: str  # one of LEVELS
    minutes: int
    check: Callable[[Callable], Verdicts] | None = None  # None: a question, whose answer is folded below it


# --- asking the attempt ----------------------------------------------------------------------------------------------


class NotWritten(Exception):
    """The attempt is still the stub."""


class NotYet(Exception):
    """The attempt gave nothing that could be compared; the message is the hint."""


class Misfit(NotYet):
    """Two sizes that should be equal met in a product of the attempt."""

    def __init__(self, left: int, right: int, given: dict):
        super().__init__(
            f"product: {left} columns (or entries) meet {right} rows; should one factor be transposed? "
            f"It was called with {sizes(given)}"
        )
        self.met = left, right


# A function made of these alone does nothing but return a constant.
STUB = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"}


def untouched(function: object) -> bool:
    """Whether a function's body is still no more than the dots of its stub."""
    code = getattr(function, "__code__", None)
    return code is not None and all(step.opname in STUB for step in dis.get_instructions(code))


def sizes(given: dict) -> str:
    """What an attempt was called with: 'q (3,), K (5, 3), k 2'."""

    def size(value):
        if isinstance(value, np.ndarray):
            return f"{value.shape}"
        if isinstance(value, tuple):
            return f"({', '.join(map(size, value))})"
        return "a function" if callable(value) else f"{value}"

    return ", ".join(f"{name} {size(value)}" for name, value in given.items())


def one_line(text: str, most: int = 160) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 4] + " ..."


def alike(a: Any, b: Any) -> bool:
    """Whether an argument is as it was before the call."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.shape(a) == np.shape(b) and np.array_equal(a, b)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(alike, a, b))
    return callable(a) or a == b


def explained(error: BaseException, given: dict) -> NotYet:
    """What an error of the attempt is told: NumPy's words on shapes in ours, any other in its own."""
    try:
        words = f"{error}"
    except Exception:
        words = ""
    if met := re.search(r"size (\d+) is different from (\d+)", words):  # @
        return Misfit(int(met[2]), int(met[1]), given)
    if met := re.search(r"not aligned: (\d+) \(dim \d+\) != (\d+) \(dim \d+\)", words):  # np.dot
        return Misfit(int(met[1]), int(met[2]), given)
    if met := re.search(r"broadcast together with shapes (\(\S*\)) (\(\S*\))", words):
        return NotYet(
            f"broadcast: arrays of shapes {met[1]} and {met[2]} do not fit entry by entry; a sum drops the axis "
            f"that it runs along, unless it is told to keep it. It was called with {sizes(given)}"
        )
    name = type(error).__name__
    return NotYet(f"it raises {one_line(f'{name}: {words}' if words else name)}; it was called with {sizes(given)}")


@contextlib.contextmanager
def misfits(hints: Mapping[tuple[int, int], str]) -> Iterator[None]:
    """Tell the meeting of two sizes in a product by what it means here: {(columns of the left, rows of the right): hint}."""
    try:
        yield
    except Misfit as error:
        raise NotYet(hints.get(error.met, str(error))) from None


def call(attempt: Callable, given: dict) -> Any:
    """What the attempt returns for copies of these arguments, handed over in order; NotYet where there is no answer."""
    ours = copy.deepcopy(given)
    try:
        result = attempt(*ours.values())
    except KeyboardInterrupt:
        raise
    except NotImplementedError:
        raise NotWritten from None
    except BaseException as error:  # SystemExit too: whatever it does, the reader gets a line and keeps the kernel
        raise explained(error, given) from None
    if result is None or result is Ellipsis:
        if untouched(attempt):
            raise NotWritten
        raise NotYet("it returns nothing; does it end with `return` and a value?")
    changed = [name for name in given if not alike(given[name], ours[name])]
    if changed:
        raise NotYet(f"it changes its argument {changed[0]} in place; `a = {changed[0]}` is no copy, but a second name")
    return result


def numbers(result: object) -> np.ndarray:
    """What came back as an array of float64, or a hint about its kind."""
    if isinstance(result, dict):
        raise NotYet("it returns a dict; return the bare numbers, in the order of the task")
    try:
        a = np.array(result)
    except Exception:
        if isinstance(result, (list, tuple)):
            raise NotYet("ragged: it returns parts of different sizes, which make no array of numbers") from None
        raise NotYet(f"it returns something of type {type(result).__name__}, which is no array of numbers") from None
    if a.dtype.kind == "c":
        raise NotYet("it returns complex numbers; the result is real: take the real part")
    if a.dtype.kind not in "fiub":
        raise NotYet(f"it returns something of type {type(result).__name__}, which is no array of numbers")
    if a.dtype.kind == "f" and a.dtype.itemsize < 8:
        raise NotYet(f"it returns {a.dtype}; the arguments are float64, and so should the result be")
    return a.astype(np.float64)


def ask(attempt: Callable, **given: object) -> np.ndarray:
    """The numbers that the attempt returns for these arguments."""
    return numbers(call(attempt, given))


def peak_bytes(attempt: Callable, **given: object) -> int:
    """The most memory the attempt held at once, beyond its arguments."""
    ours = not tracemalloc.is_tracing()
    if ours:
        tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        call(attempt, given)
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        if ours:
            tracemalloc.stop()


# --- comparing -------------------------------------------------------------------------------------------------------


def same(got: np.ndarray, want: object, tolerance: float = 1e-9) -> bool:
    """Equal up to rounding: the inputs are of order one, so that two orders of summation differ by far less."""
    want = np.asarray(want, dtype=np.float64)
    return got.shape == want.shape and np.allclose(got, want, rtol=tolerance, atol=tolerance)


def fits(got: np.ndarray, shape: tuple[int, ...]) -> Verdicts:
    """The right shape, and finite."""
    turned = " Is it transposed?" if len(shape) > 1 and got.shape == shape[::-1] else ""
    wanted = f"shape {shape}" if shape else "a single number"
    yield got.shape == shape, f"shape: it returns shape {got.shape}, but {wanted} is wanted.{turned}"
    yield bool(np.isfinite(got).all()), "finite: it returns NaN or infinity for ordinary numbers"


def compare(got: np.ndarray, want: object, slips: Mapping[str, object], otherwise: str) -> Verdicts:
    """Known mistakes first: {hint: what that mistake gives, or a tuple of such results}; then the right result."""
    for hint, slip in slips.items():
        yield not any(same(got, one) for one in (slip if isinstance(slip, tuple) else (slip,))), hint
    target = np.asarray(want, dtype=np.float64)
    right = same(got, target)
    yield right or bool(got.any()), "zero: nothing but 0 came back, whatever the arguments are"
    yield right or got.size == 1 or np.ptp(got) > 0, "constant: all entries are equal; what do they depend on?"
    # two digits of three: far nearer than any known mistake that is no rounding and no epsilon
    yield (
        right or abs(got - target).max() > 0.02 * abs(target).max(),
        ("close: right to two digits, but not to all; round nothing, and add no small number (an epsilon)"),
    )
    yield right, otherwise


# --- independent values: loops over plain numbers --------------------------------------------------------------------


def draws(seed: int, *shapes: tuple[int, ...]) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.normal(size=shape) for shape in shapes]


def dot(a: Iterable[float], b: Iterable[float]) -> float:
    return sum(float(x) * float(y) for x, y in zip(a, b, strict=True))


def products(Q, K) -> np.ndarray:
    """Q K^T, one dot product at a time."""
    return np.array([[dot(q, k) for k in K] for q in Q])


def shares(scores: Iterable[float]) -> list[float]:
    """The softmax of one row of numbers."""
    e = [math.exp(s) for s in scores]
    total = sum(e)
    return [x / total for x in e]


def by_rows(S) -> np.ndarray:
    return np.array([shares(row) for row in S])


def blend(p, V) -> np.ndarray:
    """The sum of the rows of V, each by its weight in p."""
    return np.array([dot(p, column) for column in np.transpose(V)])


def blends(A, V) -> np.ndarray:
    return np.array([blend(p, V) for p in A])


# --- judging ---------------------------------------------------------------------------------------------------------


def first_fault(exercise: Exercise, attempt: Callable) -> str | None:
    """The hint of the first pair that is not ok."""
    assert exercise.check is not None
    return next((hint for ok, hint in exercise.check(attempt) if not ok), None)


def judge(exercise: Exercise, attempt: object) -> str:
    """What an attempt is told: not written yet, correct, or not yet with a hint; whatever it does."""
    if attempt is None or attempt is Ellipsis:
        return "not written yet"
    if not callable(attempt):
        return "not yet: hand over the function itself, by its name without brackets"
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
    ):
        warnings.simplefilter("ignore")
        try:
            fault = first_fault(exercise, attempt)
        except NotWritten:
            return "not written yet"
        except NotYet as hint:
            fault = str(hint)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a result so odd that reading or comparing it failed
            fault = f"what it returns could not be compared ({type(error).__name__})"
    return "correct" if fault is None else f"not yet: {one_line(fault, 400)}"
