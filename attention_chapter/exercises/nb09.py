"""The exercises of notebook 09, the binding problem."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import Exercise, Verdicts, ask, compare, dot, draws, fits


def forgotten(attempt: Callable) -> Verdicts:
    # the tables with all sums 0: choose all entries but a last row and column, which then follow
    for r, f, want in ((5, 13, 48), (4, 6, 15), (2, 2, 1), (1, 6, 0), (4, 1, 0)):
        got = ask(attempt, r=r, f=f)
        yield from fits(got, ())
        yield from compare(
            got,
            want,
            {
                "redundancy: both kinds of sum have the same total, so that one of them is no news": r * f - r - f,
                "redundancy: only one sum repeats what the others say": r * f - r - f + 2,
                "kept: this is how many sums there are, or how many are independent; what is forgotten?": (r + f - 1, r + f),
                "all: this is the size of the table; the sums keep some of it": r * f,
                "product: a table has two dimensions; this grows as its edge does": (r - 1) + (f - 1),
                "one kind: both the row sums and the column sums are kept": (r - 1) * f,
                "fraction: a number of dimensions is wanted": (r - 1) * (f - 1) / (r * f),
                "rank: a table of low rank is something else": min(r, f) - 1,
                "sums: their number counts, not their product": (r * f) ** 2 - r * f,
                "factor: every entry counts once": 2 * want,
                "edges: a row or a column too many is held fixed": (r - 2) * (f - 2),
            }
            if (r, f) == (5, 13)
            else {},
            "small: with two roles and two fillers a single number is forgotten; which one?",
        )


def bland_table(attempt: Callable) -> Verdicts:
    for B in ([[2, 0, 1, 0, 4], [0, 3, 0, 1, 0], [1, 0, 0, 5, 0]], [[1, 0], [0, 1], [0, 3], [2, 0]]):
        B = np.array(B, dtype=np.float64)
        r, f = B.shape
        R, C, total = [sum(row) for row in B], [sum(column) for column in B.T], sum(sum(row) for row in B)
        want = np.array([[x * y / total for y in C] for x in R])
        got = ask(attempt, B=B)
        yield from fits(got, (r, f))
        yield from compare(
            got,
            want,
            {
                "total: the products of the sums are too large; the whole is to have the total of B": want * total,
                "total: it divides too much; the whole is to have the total of B": (want / total, want * total / r / f),
                "sum: the sums are added; independence multiplies": (np.add.outer(R, C) / total, np.add.outer(R, C)),
                "root: no root is needed": np.sqrt(want),
                "both: B itself takes no part, only its sums": B * want,
                "total: what the products are divided by is neither an entry nor a largest sum": tuple(
                    want * total / x for x in (np.max(np.outer(R, C)), max(R), max(C))
                ),
                "table: this is B itself, or in parts of its total, which still knows who filled which role": B,
                "sums: one number everywhere; the rows and columns must keep their sums": np.full((r, f), total / r / f),
                "rows: each row is spread evenly; the column sums are lost": [[x / f] * f for x in R],
                "columns: each column is spread evenly; the row sums are lost": [[y / r for y in C]] * r,
            },
            "sums: add up your rows and columns; they should be those of B, and all rows in one proportion",
        )


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
        yield from compare(
            got,
            want,
            {
                "circle: it multiplies entry by entry; every a_i must meet every b_j": a * b,
                "sum: it binds nothing to add two vectors": a + b,
                "number: a dot product came back in every place": np.full(n, dot(a, b)),
                "order: the entries come in reverse": want[::-1],
                "twice: one of the two is bound to itself": wrap(a, a, -1),
                "frequencies: this is still a spectrum, or only its size; transform back": (np.fft.fft(a) * np.fft.fft(b)).real,
                "circle: the part that runs over the end is cut off; it comes in again at the front": full[:n],
                "circle: the middle of the straight convolution is no circle": full[(n - 1) // 2 : (n - 1) // 2 + n],
                "sign: b runs forwards, at k + i; it must run backwards, at k - i": wrap(a, b, 1),
                "sign: a runs forwards; the two indices must add up to k": wrap(b, a, 1),
                "shift: one place too far": wrap(a, b, -1, 1),
                "shift: one place short": wrap(a, b, -1, -1),
                "scale: the sum is divided by n": want / n,
                "scale: the sum is multiplied by n": want * n,
            },
            "entry: write down the n products of entry 0, and look at the second index of each",
        )


def unbind(attempt: Callable) -> Verdicts:
    for n in (7, 6):
        a, c = draws(160 + n, (n,), (n,))
        want = wrap(a, c, 1)
        exact = np.fft.ifft(np.fft.fft(c) / np.fft.fft(a)).real
        got = ask(attempt, c=c, a=a)
        yield from fits(got, (n,))
        yield from compare(
            got,
            want,
            {
                "inverse: it binds once more; the index must run the other way, at k + i": wrap(a, c, -1),
                "shift: reversing a whole array also moves it; a_0 must stay in place 0": wrap(a, c, 1, 1),
                "shift: one place too far back": wrap(a, c, 1, -1),
                "arguments: c and a have changed places, so the result runs backwards": wrap(c, a, 1),
                "division: that undoes one exact pair, but blows up noise where a has a small frequency": exact,
                "scale: the sum is divided by n": want / n,
                "scale: the sum is multiplied by n, or divided by the length of a": want / dot(a, a),
                "circle: it multiplies entry by entry": a * c,
                "circle: what runs over the end must come in again at the front": np.correlate(c, a, "same"),
                "sum: an index that runs, not a difference, undoes a binding": c - a,
                "order: the entries come in reverse": want[::-1],
                "frequencies: this is only the size of the entries, or still a spectrum": abs(want),
                "number: a dot product came back in every place": np.full(n, dot(a, c)),
            },
            "entry: write down the n products of entry 0, and look at the second index of each",
        )


EXERCISES = (
    Exercise("forgotten", "09", "How much is forgotten", "recall", 3, forgotten),
    Exercise("bland-table", "09", "What the sums alone suggest", "apply", 6, bland_table),
    Exercise("added-tokens", "09", "Role plus filler", "apply", 6),
    Exercise("bind", "09", "Bind", "apply", 8, bind),
    Exercise("unbind", "09", "Unbind", "extend", 10, unbind),
)
