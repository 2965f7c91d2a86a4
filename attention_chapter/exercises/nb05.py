"""The exercises of notebook 05, the softmax Jacobian."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import Exercise, Verdicts, ask, by_rows, compare, draws, fits, peak_bytes, same, shares


def softmax_shift(attempt: Callable) -> Verdicts:
    (z,) = draws(70, (4, 6))
    e = np.array([[math.exp(x) for x in row] for row in z])
    top = z.max(axis=1, keepdims=True)
    want = by_rows(z)
    p = ask(attempt, z=z)
    yield from fits(p, (4, 6))
    yield from compare(
        p,
        want,
        {
            "axis: each column sums to one; each row should": by_rows(z.T).T,
            "axis: all entries together sum to one; each row should": e / e.sum(),
            "normalise: the exponentials are not divided by their sum": e,
            "normalise: shifted, but not divided by the sum": e * np.exp(-top),
            "normalise: shifted by the maximum of all, but not divided by the sum": e * np.exp(-top.max()),
            "normalise: it divides by something else than the sum of the row": e / np.linalg.norm(e, axis=1, keepdims=True),
            "shift: it is in the numerator only; the sum below needs it too": want * np.exp(-top),
            "shift: it is in the sum only; the numerator needs it too": want * np.exp(top),
            "exponential: it divides the logits themselves by their sum": z / z.sum(axis=1, keepdims=True),
            "exponential: logits are divided or scaled before it; they count by their differences": by_rows(z / top),
            "sign: the smallest logit has the largest weight": by_rows(-z),
            "logarithm: these are logarithms of weights": np.log(want),
        },
        "rows: each sums to one, and the ratio of two weights is e to the difference of their logits",
    )
    high = np.array([[1000.0, 1001.0, 1002.0, 1000.5], [1003.0, 999.0, 1000.0, 1001.0]])
    p = ask(attempt, z=high)
    yield p.shape == (2, 4), "shape: for z of shape (2, 4) it returns another shape"
    yield (
        same(p, by_rows(high - 1000)),
        (
            "overflow: right for small logits, but not for logits of 1000: which numbers may be added to "
            "all logits of a row without any change of its weights?"
        ),
    )
    apart = np.array([[1.0, 0.0, 3.0], [-2000.0, -2001.0, -1998.0]])
    yield (
        same(ask(attempt, z=apart), by_rows(apart + [[0.0], [2000.0]])),
        ("own shift: rows that lie far apart each need their own"),
    )
    # one logit far above all others, at either end; a shift by the mean, the median, an end or the least leaves it too high
    wide = np.array([[0.0, 0.0, 0.0, 1500.0], [1500.0, 0.0, 0.0, 0.0], [-1500.0, 1.0, -1500.0, 0.0]])
    alone = np.array([[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.0, *shares([1.0, 0.0])[:1], 0.0, shares([1.0, 0.0])[1]]])
    yield (
        same(ask(attempt, z=wide), alone),
        ("wide row: logits of 0, 0, 0, 1500 overflow in spite of the shift, or leave a sum of 0; which exponents do no harm?"),
    )


def jacobian_of_weights(attempt: Callable) -> Verdicts:
    # by hand: p (1 - p) on the diagonal, -p_i p_j off it
    p = np.array([1 / 2, 1 / 3, 1 / 6])
    by_hand = np.array([[1 / 4, -1 / 6, -1 / 12], [-1 / 6, 2 / 9, -1 / 18], [-1 / 12, -1 / 18, 5 / 36]])
    J = ask(attempt, p=p)
    yield J.shape != (3,), "off the diagonal: this is the diagonal alone; J is 3 x 3"
    yield from fits(J, (3, 3))
    diagonal, outer = np.diag(p), np.array([[a * b for b in p] for a in p])
    again = np.array(shares(p))
    yield from compare(
        J,
        by_hand,
        {
            "sign: raising a logit raises its own weight, so the diagonal is positive": -by_hand,
            "sign: the others lose what one weight gains": diagonal + outer,
            "off the diagonal: a weight falls when another's logit rises; here it stays": np.diag(p * (1 - p)),
            "off the diagonal: a weight falls when another's logit rises; and its own makes it rise by less than p_i": diagonal,
            "diagonal: a weight rises with its own logit": -outer,
            "identity: the first term is diagonal, but not the unit matrix": np.eye(3) - outer,
            "square: each entry off the diagonal has two weights in it": (
                diagonal - outer**2,
                diagonal**2 - outer,
                np.eye(3) * outer - outer,
            ),
            "factor: all of it is twice, half or a third of what it should be": by_hand * 2,
            "outer product: squares were taken along one axis, where every pair of weights has its product": (
                diagonal - p * p,
                (diagonal - p * p).T,
            ),
            "input: p is taken for logits; the softmax was taken already": np.diag(again) - np.outer(again, again),
            "diagonal: a weight rises by less than itself; the second term has a diagonal too": diagonal - outer + np.diag(p * p),
        },
        "rows: raising all logits alike changes nothing, so each row of J sums to zero; and J is symmetric",
    )
    z, h = [0.3, -1.2, 0.8, 2.0, -0.5], 1e-5

    def nudged(j, by):
        return shares(x + by * (k == j) for k, x in enumerate(z))

    by_nudging = [[(nudged(j, h)[i] - nudged(j, -h)[i]) / (2 * h) for j in range(5)] for i in range(5)]
    # the difference quotient is itself off by about 1e-11, far less than is let pass
    yield same(ask(attempt, p=np.array(shares(z))), by_nudging), "size: right for three weights, wrong for five"


def central_difference(attempt: Callable) -> Verdicts:
    seen = []

    def curve(z):
        seen.append(z)
        return np.array([z[0] * z[1], z[1] ** 2 + 3 * z[2]])

    z, h = np.array([2.0, -1.5, 0.5]), 0.1
    J = np.array([[z[1], z[0], 0], [0, 2 * z[1], 3]])  # a central difference has no error on a quadratic
    bend = np.array([[0, 0, 0], [0, h, 0]])
    pairs = itertools.accumulate(np.eye(3), initial=0)
    heaped = np.stack([(curve(z + h * e) - curve(z - h * e)) / (2 * h) for e in list(pairs)[1:]], axis=1)
    all_at_once = (curve(z + h) - curve(z - h)) / (2 * h)
    seen.clear()
    D = ask(attempt, f=curve, z=z, h=h)
    yield bool(seen), "f: it is never called"
    yield D.shape != (3, 2), "transposed: row i belongs to output i, column j to the input that is nudged"
    yield D.shape != (2,), "one at a time: nudge each entry of z by itself, and give each a column"
    yield D.shape != (3,), "outputs: each of them has a row of its own; do not add them up"
    yield from fits(D, (2, 3))
    yield bool(D.any()), "second name: both points are the same array; `a = z` is no copy, and a nudge of one is a nudge of all"
    yield from compare(
        D,
        J,
        {
            "one side: it nudges up only; the error is of order h, where a central difference has h^2": J + bend,
            "one side: it nudges down only; the error is of order h, where a central difference has h^2": J - bend,
            "width: the two points lie 2h apart": 2 * J,
            "width: it divides by more than the two points lie apart": (J / 2, (J + bend) / 2),
            "width: it is not divided by the distance of the two points": J * 2 * h,
            "brackets: what stands after a division sign and a product is multiplied, unless brackets hold it below": J * h * h,
            "sign: up minus down, not down minus up": -J,
            "one at a time: earlier nudges are still there; start each column from z": heaped,
            "one at a time: every column nudges all entries": np.stack([all_at_once] * 3, axis=1),
            "size: a slope has a sign": abs(J),
            "last: only the column of the last input is there": np.hstack([np.zeros((2, 2)), J[:, 2:]]),
            "first: only the column of the first input is there": np.hstack([J[:, :1], np.zeros((2, 2))]),
        },
        "column j: how far f moves when entry j of z alone moves, over how far that entry moved",
    )

    def cubic(z):
        return np.array([z[0] ** 3, z[1], z[0] * z[1]])

    z, h = np.array([1.5, -0.5]), 0.4
    exact = np.array([[3 * z[0] ** 2, 0], [0, 1], [z[1], z[0]]])
    D = ask(attempt, f=cubic, z=z, h=h)
    yield from fits(D, (3, 2))
    yield not same(D, exact, 1e-4), "step: it does not use the step h that it is given"
    yield (
        not same(D, exact + h * h / 4 * np.array([[1, 0], [0, 0], [0, 0]])),
        ("step: the two points lie h/2 from z; each should lie h from it"),
    )
    yield (
        not same(D, exact + 4 * h * h * np.array([[1, 0], [0, 0], [0, 0]])),
        ("step: the two points lie 2h from z; each should lie h from it"),
    )
    yield (
        same(D, exact + h * h * np.array([[1, 0], [0, 0], [0, 0]])),
        ("size: right for two outputs of three inputs, wrong for three of two"),
    )


def jacobian_product(attempt: Callable) -> Verdicts:
    for m, n in ((4, 6), (5, 3)):
        z, G = draws(80 + m, (m, n), (m, n))
        A = by_rows(z)
        want = np.array([[sum(p[i] * ((i == j) - p[j]) * g[j] for j in range(n)) for i in range(n)] for p, g in zip(A, G)])
        AG = A * G
        got = ask(attempt, A=A, G=G)
        yield from fits(got, (m, n))
        yield from compare(
            got,
            want,
            {
                "p p^T: only diag(p) g is there": AG,
                "axis: the sum runs over all rows; each row has its own J": A * (G - AG.sum()),
                "axis: the sum runs down the columns; J acts along a row": A * (G - AG.sum(axis=0)),
                "sign: the second term is taken off": A * (G + AG.sum(axis=1, keepdims=True)),
                "sign: all of it has the wrong sign": -want,
                "sum: it sums G; the weights belong inside the sum": A * (G - G.sum(axis=1, keepdims=True)),
                "sum: it takes the mean of G; a weighted sum is wanted": A * (G - G.mean(axis=1, keepdims=True)),
                "diag(p): the first term is missing": -A * AG.sum(axis=1, keepdims=True),
                "factor: p_i stands in front of both terms": G - AG.sum(axis=1, keepdims=True),
                "square: p_i stands there once": (AG - A * AG, AG - A**2 * G),
                "factor: all of it is twice or half of what it should be": 2 * want,
                "mean: p^T g is a sum, not a mean": A * (G - AG.mean(axis=1, keepdims=True)),
                "softmax: A has the weights already": by_rows(A) * (G - (by_rows(A) * G).sum(axis=1, keepdims=True)),
            },
            "row by row: each row of the result sums to zero, and where g has equal entries it is zero",
        )
    n = 1200
    p = np.full((1, n), 1 / n)
    # an n x n array takes 8 n^2 bytes, 11.5 MB, and the vectors that are needed 10 kB each
    yield peak_bytes(attempt, A=p, G=p) < n * n, "memory: right, but an n x n array was built on the way"


EXERCISES = (
    Exercise("silent-or-stuck", "05", "Silent, or stuck?", "recall", 4),
    Exercise("softmax-shift", "05", "A softmax that does not overflow", "apply", 6, softmax_shift),
    Exercise("jacobian-of-weights", "05", "The Jacobian from the weights", "apply", 5, jacobian_of_weights),
    Exercise("central-difference", "05", "A derivative by nudging", "apply", 8, central_difference),
    Exercise("jacobian-product", "05", "J times a vector, without J", "extend", 10, jacobian_product),
)
