"""The exercises of notebook 09, the binding problem."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import Exercise, Verdicts, ask, compare, draws, fits


def forgotten(attempt: Callable) -> Verdicts:
    # the tables with all sums 0: choose all entries but a last row and column, which then follow
    for r, f, want in ((4, 6, 15), (2, 2, 1), (5, 13, 48), (1, 6, 0), (4, 1, 0)):
        got = ask(attempt, r=r, f=f)
        yield from fits(got, ())
        yield from compare(got, want, {
            "redundancy: both kinds of sum have the same total, so one of the r + f is no news": r * f - r - f,
            "kept: this is how many independent sums there are; subtract it from r f": r + f - 1,
            "all: this is the size of the table; the sums keep some of it": r * f,
            "product: it adds; each of r - 1 rows is free in f - 1 places": (r - 1) + (f - 1),
        }, "of the r f numbers, r + f - 1 are kept")


def bland_table(attempt: Callable) -> Verdicts:
    for B in ([[2, 0, 1, 0, 4], [0, 3, 0, 1, 0], [1, 0, 0, 5, 0]], [[1, 0], [0, 1], [0, 3], [2, 0]]):
        B = np.array(B, dtype=np.float64)
        r, f = B.shape
        R, C, total = [sum(row) for row in B], [sum(column) for column in B.T], sum(sum(row) for row in B)
        want = np.array([[x * y / total for y in C] for x in R])
        got = ask(attempt, B=B)
        yield from fits(got, (r, f))
        yield from compare(got, want, {
            "total: row sum times column sum is too much; divide by the total": want * total,
            "total: it divides by the square of the total": want / total,
            "table: this is B itself, which still knows who filled which role": B,
            "sums: one number everywhere; the rows and columns must keep their sums": np.full((r, f), total / r / f),
            "rows: each row is spread evenly; the column sums are lost": [[x / f] * f for x in R],
            "columns: each column is spread evenly; the row sums are lost": [[y / r for y in C]] * r,
        }, "entry (a, b) is row sum a times column sum b, over the total")


def wrap(a, b, sign: int, shift: int = 0) -> np.ndarray:
    """Entry k is the sum over i of a_i b at k - i (sign -1) or k + i (sign +1), counted round in a circle."""
    n = len(a)
    return np.array([sum(a[i] * b[(k + sign * i + shift) % n] for i in range(n)) for k in range(n)])


def bind(attempt: Callable) -> Verdicts:
    for n in (7, 4):
        a, b = draws(150 + n, (n,), (n,))
        want = wrap(a, b, -1)
        full = np.array([sum(a[i] * b[k - i] for i in range(n) if 0 <= k - i < n) for k in range(2 * n - 1)])
        got = ask(attempt, a=a, b=b)
        yield got.shape != (2 * n - 1,), "circle: what runs over the end must come in again at the front"
        yield got.shape != (n, n), "outer product: add up its n circular diagonals, so that n numbers are left"
        yield from fits(got, (n,))
        yield from compare(got, want, {
            "circle: it multiplies entry by entry; every a_i must meet every b_j": a * b,
            "circle: the part that runs over the end is cut off; it comes in again at the front": full[:n],
            "circle: the middle of the straight convolution is no circle": full[(n - 1) // 2:(n - 1) // 2 + n],
            "sign: b runs forwards, at k + i; it must run backwards, at k - i": wrap(a, b, 1),
            "sign: a runs forwards; the two indices must add up to k": wrap(b, a, 1),
            "shift: one place too far": wrap(a, b, -1, 1),
            "shift: one place short": wrap(a, b, -1, -1),
            "scale: the sum is divided by n": want / n,
            "scale: the sum is multiplied by n": want * n,
        }, "entry k is the sum of a_i b_(k-i), with k - i counted round modulo n")


def unbind(attempt: Callable) -> Verdicts:
    for n in (7, 6):
        a, c = draws(160 + n, (n,), (n,))
        want = wrap(a, c, 1)
        exact = np.fft.ifft(np.fft.fft(c) / np.fft.fft(a)).real
        got = ask(attempt, c=c, a=a)
        yield from fits(got, (n,))
        yield from compare(got, want, {
            "inverse: it binds once more; the index must run the other way, at k + i": wrap(a, c, -1),
            "shift: reversing a whole array also moves it; a_0 must stay in place 0": wrap(a, c, 1, 1),
            "shift: one place too far back": wrap(a, c, 1, -1),
            "arguments: c and a have changed places, so the result runs backwards": wrap(c, a, 1),
            "division: that undoes one exact pair, but blows up noise where a has a small frequency; sum c_(k+i) a_i":
                exact,
            "scale: the sum is divided by n": want / n,
            "circle: it multiplies entry by entry": a * c,
        }, "entry k is the sum of c_(k+i) a_i, with k + i counted round modulo n")


EXERCISES = (
    Exercise("forgotten", "09", "How much is forgotten", "recall", 3, forgotten),
    Exercise("bland-table", "09", "What the sums alone suggest", "apply", 6, bland_table),
    Exercise("added-tokens", "09", "Role plus filler", "apply", 6),
    Exercise("bind", "09", "Bind", "apply", 8, bind),
    Exercise("unbind", "09", "Unbind", "extend", 10, unbind),
)
