"""The exercises of notebook 07b, from heads to inference."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import numpy as np

from attention_chapter.exercises.machinery import Exercise, Verdicts, ask, by_rows, compare, draws, fits, shares


def ask_backwards(attempt: Callable) -> Verdicts:
    for n, L, start, j in ((5, 3, (1, 0, 1, 1, 0), 3), (4, 2, (0, 1, 1, 0), 0)):
        As = np.array([by_rows(S) for S in draws(170 + n, *[(n, n)] * L)])
        may = np.array(start, dtype=bool)
        got = ask(attempt, As=As, start=may, j=j)
        yield got.shape != (may.sum(),), "shape: every entity gets a probability; where no walk began it is 0"
        yield got.shape != (n, n), "shape: of all starts and ends; the end j is known"
        yield from fits(got, (n,))

        def way(*stops):  # the probability of one walk
            return math.prod(A[a, b] for A, a, b in zip(As, stops, stops[1:]))

        ends = [sum(way(i, *on, j) for on in product(range(n), repeat=L - 1)) for i in range(n)]
        want = np.array([may[i] * ends[i] for i in range(n)]) / sum(end for end, ok in zip(ends, start) if ok)

        def share(column, mask=may):  # what a mistake gives is no expectation, and may be computed the short way
            return np.asarray(column) * mask / (np.asarray(column) * mask).sum()

        M, turned = np.linalg.multi_dot(As), np.linalg.multi_dot(As[::-1])
        columns = As / As.sum(axis=1, keepdims=True)
        yield from compare(
            got,
            want,
            {
                "start: no walk began where start is False": share(ends, np.ones(n)),
                "inverted: start is True where a walk may have begun": share(ends, ~may),
                "normalise: these are the chances to end at j; their sum over the possible starts is not 1": np.array(ends) * may,
                "normalise: the starts that were not possible still count in the sum": share(ends, np.ones(n)) * may,
                "normalise: it divides by how many starts there are; what matters is how likely each leads to j": (
                    np.array(ends) * may / may.sum()
                ),
                "forwards: this says where walks end; the end is known, and the start is asked": may @ M / may.sum(),
                "row: row j says where a walk from j ends; which entries are of walks to j?": (M[j], share(M[j])),
                "order: the first matrix is walked first": (share(turned[:, j]), share(turned[:, j], np.ones(n))),
                "order: to turn a product around, its factors must be exchanged as well": (share(turned[j]), turned[j]),
                "hops: this is the last hop alone": (share(As[-1][:, j]), As[-1][:, j]),
                "hops: this is the first hop alone": (share(As[0][:, j]), As[0][:, j]),
                "product: this multiplies entry by entry; a hop sums over all entities on the way": share(
                    np.prod(As, axis=0)[:, j]
                ),
                "product: weights along a way multiply; this adds matrices": share(As.sum(axis=0)[:, j]),
                "best way: only the likeliest walk counts here; all walks to j are to be summed": share(
                    [max(way(i, *on, j) for on in product(range(n), repeat=L - 1)) for i in range(n)]
                ),
                "softmax: the chances are positive already; dividing by their sum is enough": (shares(ends), share(np.exp(ends))),
                "hops: each hop was turned around by itself, as if every entity on the way were equally likely": (
                    share(np.linalg.multi_dot(columns)[:, j]),
                    np.linalg.multi_dot(columns)[:, j],
                ),
                "certain: every possible start keeps its probability": 1.0 * (np.arange(n) == np.argmax(want)),
                "end: where the walk ended is not used": may / may.sum(),
            },
            "check: with two possible starts, how likely does each of them lead to j?",
        )


def sharp_enough(attempt: Callable) -> Verdicts:
    for L, n, s in ((3, 13, 0.9), (7, 5, 0.6), (2, 6, 0.75)):
        got = ask(attempt, L=L, n=n, s=s)
        yield from fits(got, ())
        low, high = -20.0, 60.0  # by bisection: the promise grows with c
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if (1 / (1 + (n - 1) * math.exp(-middle))) ** L < s else (low, middle)
        want = low

        def sharpness(p, others=n - 1):
            return math.log(others * p / (1 - p))

        p = s ** (1 / L)
        extra = ((s - 1 / n) / (1 - 1 / n)) ** (1 / L)
        yield from compare(
            got,
            want,
            {
                "enough: this is the bound of the text; the smallest sharpness is a little less": math.log(L * (n - 1) / (1 - s)),
                "hops: this is enough for one hop": sharpness(s),
                "hops: sharpness does not grow in proportion to the length": L * sharpness(s),
                "root: shares multiply along a chain; here the loss was dealt out in equal parts": sharpness(1 - (1 - s) / L),
                "root: a hop must keep more than the whole chain; this keeps less": (sharpness(s**L), sharpness(s / L)),
                "kept: s is the share that stays, and not the one that leaks": sharpness((1 - s) ** (1 / L)),
                "others: of n entities, how many are not the fact?": (sharpness(p, n), sharpness(p, n - 2)),
                "others: the wrong entities are not counted": sharpness(p, 1),
                "others: the more wrong entities, the more sharpness": math.log(p / (1 - p) / (n - 1)),
                "odds: solve the share of one hop for the exponential, and look at what divides what": (
                    math.log((n - 1) / (1 - p)),
                    math.log((n - 1) * p),
                ),
                "odds: turned over": (math.log((n - 1) * (1 - p) / p), -want),
                "logarithm: the exponential has base e": (want / math.log(10), want / math.log(2)),
                "logarithm: this is e^c": math.exp(want),
                "share: this is what each hop keeps; which sharpness gives it?": p,
                "ring: the law does not count what comes back by accident": sharpness((extra * (n - 1) + 1) / n),
                "round: a sharpness need not be a whole number": (float(math.ceil(want)), float(round(want))),
            },
            "check: put your sharpness into the share of one hop, and that into the law; does s come out?",
        )


EXERCISES = (
    Exercise("read-a-chain", "07b", "Read a chain", "recall", 4),
    Exercise("ask-backwards", "07b", "Ask backwards", "apply", 9, ask_backwards),
    Exercise("sharp-enough", "07b", "Exactly sharp enough", "extend", 8, sharp_enough),
)
