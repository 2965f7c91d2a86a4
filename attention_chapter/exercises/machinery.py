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
    """Hold one exercise, as its notebook states it.

    Attributes
    ----------
    name : str
        What `check` is called with.
    notebook : str
        Its number: 04, or 04a for an excursion.
    title : str
        Its heading.
    level : str
        One of `LEVELS`.
    minutes : int
        How long it takes.
    check : callable or None
        Judges an attempt; None for a question, whose answer is folded below it.
    """

    name: str
    notebook: str
    title: str
    level: str
    minutes: int
    check: Callable[[Callable], Verdicts] | None = None


# --- asking the attempt ----------------------------------------------------------------------------------------------


class NotWritten(Exception):
    """Say that the attempt is still the stub."""


class NotYet(Exception):
    """Say that the attempt gave nothing that could be compared; the message is the hint."""


class Misfit(NotYet):
    """Say that two sizes that should be equal met in a product of the attempt.

    Parameters
    ----------
    left, right : int
        The columns of the left factor, and the rows of the right one.
    given : dict
        The arguments, by name.
    """

    def __init__(self, left: int, right: int, given: dict):
        super().__init__(
            f"product: {left} columns (or entries) meet {right} rows; should one factor be transposed? "
            f"It was called with {sizes(given)}"
        )
        self.met = left, right


# A function made of these alone does nothing but return a constant.
STUB = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"}


def untouched(function: object) -> bool:
    """Tell whether a function's body is still no more than the dots of its stub.

    Parameters
    ----------
    function : object
        What the reader handed over.

    Returns
    -------
    bool
        True for a function that does nothing but return a constant.
    """
    code = getattr(function, "__code__", None)
    return code is not None and all(step.opname in STUB for step in dis.get_instructions(code))


def sizes(given: dict) -> str:
    """Say what an attempt was called with.

    Parameters
    ----------
    given : dict
        The arguments, by name.

    Returns
    -------
    str
        A size for each array, a value for each number.

    Examples
    --------
    >>> sizes({"q": np.ones(3), "k": 2})
    'q (3,), k 2'
    """

    def size(value):
        if isinstance(value, np.ndarray):
            return f"{value.shape}"
        if isinstance(value, tuple):
            return f"({', '.join(map(size, value))})"
        return "a function" if callable(value) else f"{value}"

    return ", ".join(f"{name} {size(value)}" for name, value in given.items())


def one_line(text: str, most: int = 160) -> str:
    """Cut a text to one line.

    Parameters
    ----------
    text : str
        Any text.
    most : int
        How many characters it may have.

    Returns
    -------
    str
        The text, or its beginning and three dots.

    Examples
    --------
    >>> one_line("two\\nlines")
    'two lines'
    """
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 4] + " ..."


def alike(a: Any, b: Any) -> bool:
    """Tell whether an argument is as it was before the call.

    Parameters
    ----------
    a, b : object
        The argument before and after.

    Returns
    -------
    bool
        True where every entry is the same.
    """
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.shape(a) == np.shape(b) and np.array_equal(a, b)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(alike, a, b))
    return callable(a) or a == b


def explained(error: BaseException, given: dict) -> NotYet:
    """Put an error of the attempt into words: NumPy's on shapes in ours, any other in its own.

    Parameters
    ----------
    error : BaseException
        What the attempt raised.
    given : dict
        The arguments, by name.

    Returns
    -------
    NotYet
        The hint.
    """
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
    """Tell the meeting of two sizes in a product by what it means here.

    Parameters
    ----------
    hints : mapping of tuple of two ints to str
        A hint for columns of the left factor and rows of the right one.

    Yields
    ------
    None
        Once, while the attempt runs.

    Raises
    ------
    NotYet
        With the hint, where a product of the attempt did not fit.
    """
    try:
        yield
    except Misfit as error:
        raise NotYet(hints.get(error.met, str(error))) from None


def call(attempt: Callable, given: dict) -> Any:
    """Call the attempt with copies of these arguments.

    Parameters
    ----------
    attempt : callable
        The reader's function.
    given : dict
        The arguments, in order, by name.

    Returns
    -------
    object
        What the attempt returned.

    Raises
    ------
    NotWritten
        Where it is still the stub.
    NotYet
        Where it raised, returned nothing or changed an argument.
    """
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
    """Make what came back an array.

    Parameters
    ----------
    result : object
        What the attempt returned.

    Returns
    -------
    ndarray of float64
        Its numbers.

    Raises
    ------
    NotYet
        Where it is no array of real numbers, or one of a narrower kind.
    """
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
    """Call the attempt, and make what it returns an array.

    Parameters
    ----------
    attempt : callable
        The reader's function.
    **given : object
        The arguments, in the order of the task.

    Returns
    -------
    ndarray of float64
        The numbers that it returned.
    """
    return numbers(call(attempt, given))


def peak_bytes(attempt: Callable, **given: object) -> int:
    """Measure the most memory that the attempt held at once, beyond its arguments.

    Parameters
    ----------
    attempt : callable
        The reader's function.
    **given : object
        The arguments, in the order of the task.

    Returns
    -------
    int
        Bytes.
    """
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
    """Tell whether two arrays are equal up to rounding.

    Parameters
    ----------
    got : ndarray
        What came back.
    want : array_like
        What is right.
    tolerance : float
        Relative and absolute: inputs are of order one, so two orders of summation differ by far less.

    Returns
    -------
    bool
        True where shapes and numbers agree.
    """
    want = np.asarray(want, dtype=np.float64)
    return got.shape == want.shape and np.allclose(got, want, rtol=tolerance, atol=tolerance)


def fits(got: np.ndarray, shape: tuple[int, ...]) -> Verdicts:
    """Judge the shape of a result, and whether it is finite.

    Parameters
    ----------
    got : ndarray
        What came back.
    shape : tuple of int
        The shape that is wanted.

    Yields
    ------
    tuple of bool and str
        Whether it is right, and the hint.
    """
    turned = " Is it transposed?" if len(shape) > 1 and got.shape == shape[::-1] else ""
    wanted = f"shape {shape}" if shape else "a single number"
    yield got.shape == shape, f"shape: it returns shape {got.shape}, but {wanted} is wanted.{turned}"
    yield bool(np.isfinite(got).all()), "finite: it returns NaN or infinity for ordinary numbers"


def compare(got: np.ndarray, want: object, slips: Mapping[str, object], otherwise: str) -> Verdicts:
    """Judge a result: known mistakes first, then the right one.

    Parameters
    ----------
    got : ndarray
        What came back.
    want : array_like
        What is right.
    slips : mapping of str to object
        What a known mistake gives, or a tuple of such results, by the hint for it.
    otherwise : str
        The hint for any other mistake.

    Yields
    ------
    tuple of bool and str
        Whether it is right so far, and the hint.
    """
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
    """Draw standard normal arrays.

    Parameters
    ----------
    seed : int
        The seed of their generator.
    *shapes : tuple of int
        Their shapes.

    Returns
    -------
    list of ndarray
        An array for each shape.
    """
    rng = np.random.default_rng(seed)
    return [rng.normal(size=shape) for shape in shapes]


def dot(a: Iterable[float], b: Iterable[float]) -> float:
    """Sum the products of two sequences of one length.

    Parameters
    ----------
    a, b : iterable of float
        The two.

    Returns
    -------
    float
        Their dot product.

    Examples
    --------
    >>> dot([1, 2], [3, 4])
    11.0
    """
    return sum(float(x) * float(y) for x, y in zip(a, b, strict=True))


def products(Q, K) -> np.ndarray:
    """Work out Q K^T, one dot product at a time.

    Parameters
    ----------
    Q, K : array_like, shape (m, d_k) and (n, d_k)
        The queries and the keys.

    Returns
    -------
    ndarray, shape (m, n)
        The scores.
    """
    return np.array([[dot(q, k) for k in K] for q in Q])


def shares(scores: Iterable[float]) -> list[float]:
    """Work out the softmax of one row of numbers.

    Parameters
    ----------
    scores : iterable of float
        The row.

    Returns
    -------
    list of float
        Its weights.

    Examples
    --------
    >>> shares([0, 0])
    [0.5, 0.5]
    """
    e = [math.exp(s) for s in scores]
    total = sum(e)
    return [x / total for x in e]


def by_rows(S) -> np.ndarray:
    """Work out the softmax of each row.

    Parameters
    ----------
    S : array_like, shape (m, n)
        The scores.

    Returns
    -------
    ndarray, shape (m, n)
        The weights.
    """
    return np.array([shares(row) for row in S])


def blend(p, V) -> np.ndarray:
    """Sum the rows of V, each by its weight.

    Parameters
    ----------
    p : array_like, shape (n,)
        The weights.
    V : array_like, shape (n, d_v)
        The rows.

    Returns
    -------
    ndarray, shape (d_v,)
        The sum.
    """
    return np.array([dot(p, column) for column in np.transpose(V)])


def blends(A, V) -> np.ndarray:
    """Sum the rows of V for each row of weights.

    Parameters
    ----------
    A : array_like, shape (m, n)
        The weights.
    V : array_like, shape (n, d_v)
        The rows.

    Returns
    -------
    ndarray, shape (m, d_v)
        The sums.
    """
    return np.array([blend(p, V) for p in A])


# --- judging ---------------------------------------------------------------------------------------------------------


def first_fault(exercise: Exercise, attempt: Callable) -> str | None:
    """Find the first thing that is off.

    Parameters
    ----------
    exercise : Exercise
        The exercise.
    attempt : callable
        The reader's function.

    Returns
    -------
    str or None
        The hint, or None where all is right.
    """
    assert exercise.check is not None
    return next((hint for ok, hint in exercise.check(attempt) if not ok), None)


def judge(exercise: Exercise, attempt: object) -> str:
    """Say what an attempt is told, whatever it does.

    Parameters
    ----------
    exercise : Exercise
        The exercise.
    attempt : object
        What the reader handed over.

    Returns
    -------
    str
        Not written yet, correct, or not yet with a hint.
    """
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
