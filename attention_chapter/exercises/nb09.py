"""The exercises of notebook 09, the binding problem."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import Exercise, Verdicts, ask, compare, fits


def forgotten(attempt: Callable) -> Verdicts:
    # the tables with all sums 0: counted by hand, kind by kind
    for n_r, n_f, n_y, want in ((5, 13, 4, 240), (3, 4, 6, 61), (2, 2, 2, 4), (1, 3, 5, 8), (2, 1, 1, 0)):
        size, single = n_r * n_f * n_y, n_r + n_f + n_y
        got = ask(attempt, n_r=n_r, n_f=n_f, n_y=n_y)
        yield from fits(got, ())
        yield from compare(
            got,
            want,
            {
                "redundancy: the three kinds of sum share one total; how many of them does that make superfluous?": (
                    size - single + 1,
                    size - single,
                    size - single + 3,
                ),
                "pairs: this much is forgotten where the sums for every pair of kinds are known; here each kind stands alone": (
                    (n_r - 1) * (n_f - 1) * (n_y - 1)
                ),
                "pairs: these are not single sums but sums for two kinds at once": (
                    size - n_r * n_f - n_f * n_y - n_r * n_y,
                    size - n_r * n_f,
                ),
                "kept: this is how many sums there are, or how many are independent; what is forgotten?": (single - 2, single),
                "all: this is the size of the table; the sums keep some of it": size,
                "years: they are a third kind, with sums of their own": ((n_r - 1) * (n_f - 1), (n_r - 1) * (n_f - 1) * n_y),
                "product: a table has three dimensions; this grows as its edges do": single - 3,
                "fraction: a number of dimensions is wanted": want / size,
                "factor: every entry counts once": 2 * want,
                "sums: their number counts, not their product": size**2 - size,
            }
            if (n_r, n_f, n_y) == (5, 13, 4)
            else {},
            "small: write down two roles, two fillers and two years: eight entries, and which sums tell something new?",
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


EXERCISES = (
    Exercise("which-reader", "09", "Which reader can tell", "recall", 4),
    Exercise("forgotten", "09", "Who, what and when", "apply", 7, forgotten),
    Exercise("bland-table", "09", "What the sums alone suggest", "apply", 6, bland_table),
    Exercise("added-tokens", "09", "Role plus filler", "extend", 8),
)
