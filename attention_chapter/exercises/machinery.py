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
import tracemalloc
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

Verdicts = Iterator[tuple[bool, str]]
LEVELS = ("recall", "apply", "extend")


class Exercise(NamedTuple):
    """One exercise, as its notebook states it."""

    name: str
    notebook: str  # its two digits
    title: str
    level: str     # one of LEVELS
    minutes: int
    check: Callable[[Callable], Verdicts] | None = None  # None: a question, whose answer is folded below it


# --- asking the attempt ----------------------------------------------------------------------------------------------

class NotWritten(Exception):
    """The attempt is still the stub."""


class NotYet(Exception):
    """The attempt gave nothing that could be compared; the message is the hint."""


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
    return text if len(text) <= most else text[:most - 4] + " ..."


def alike(a: Any, b: Any) -> bool:
    """Whether an argument is as it was before the call."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.shape(a) == np.shape(b) and np.array_equal(a, b)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(alike, a, b))
    return callable(a) or a == b


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
        try:
            words = f"{type(error).__name__}: {error}"
        except Exception:
            words = type(error).__name__
        raise NotYet(f"it raises {one_line(words)}; it was called with {sizes(given)}") from None
    if result is None or result is Ellipsis:
        if untouched(attempt):
            raise NotWritten
        raise NotYet("it returns nothing; does it end with `return` and a value?")
    changed = [name for name in given if not alike(given[name], ours[name])]
    if changed:
        raise NotYet(f"it changes its argument {changed[0]} in place; compute a new array instead")
    return result


def numbers(result: object) -> np.ndarray:
    """What came back as an array of float64, or a hint about its kind."""
    try:
        a = np.array(result)
    except Exception:
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
    """Known mistakes first: {hint: what that mistake gives}; then the right result."""
    for hint, slip in slips.items():
        yield not same(got, slip), hint
    yield same(got, want), otherwise


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
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()), \
            warnings.catch_warnings(), np.errstate(all="ignore"):
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
