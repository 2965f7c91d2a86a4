"""The exercises of notebook 05, the softmax Jacobian."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import (
    Exercise, Verdicts, ask, by_rows, compare, draws, fits, peak_bytes, same, shares,
)


def softmax_shift(attempt: Callable) -> Verdicts:
    z, = draws(70, (4, 6))
    e = np.array([[math.exp(x) for x in row] for row in z])
    top = z.max(axis=1, keepdims=True)
    want = by_rows(z)
    p = ask(attempt, z=z)
    yield from fits(p, (4, 6))
    yield from compare(p, want, {
        "axis: each column sums to one; each row should": by_rows(z.T).T,
        "axis: all entries together sum to one; each row should": e / e.sum(),
        "normalise: the exponentials are not divided by their sum": e,
        "normalise: shifted, but not divided by the sum": e * np.exp(-top),
        "shift: it is in the numerator only; the sum below needs it too": want * np.exp(-top),
        "shift: it is in the sum only; the numerator needs it too": want * np.exp(top),
        "exponential: it divides the logits themselves by their sum": z / z.sum(axis=1, keepdims=True),
        "sign: the smallest logit has the largest weight": by_rows(-z),
        "logarithm: these are logarithms of weights": np.log(want),
    }, "p_i = exp(z_i - a) / sum_k exp(z_k - a), with one a for each row")
    high = np.array([[1000.0, 1001.0, 1002.0, 1000.5], [1003.0, 999.0, 1000.0, 1001.0]])
    p = ask(attempt, z=high)
    yield p.shape == (2, 4), "shape: for z of shape (2, 4) it returns another shape"
    yield same(p, by_rows(high - 1000)), ("overflow: right for small logits, but not for logits of 1000; "
                                          "subtract the largest of each row first")
    apart = np.array([[1.0, 0.0, 3.0], [-2000.0, -2001.0, -1998.0]])
    yield same(ask(attempt, z=apart), by_rows(apart + [[0.0], [2000.0]])), (
        "own shift: rows that lie far apart each need their own; take the maximum along the row")


def jacobian_of_weights(attempt: Callable) -> Verdicts:
    # by hand: p (1 - p) on the diagonal, -p_i p_j off it
    p = np.array([1 / 2, 1 / 3, 1 / 6])
    by_hand = np.array([[1 / 4, -1 / 6, -1 / 12], [-1 / 6, 2 / 9, -1 / 18], [-1 / 12, -1 / 18, 5 / 36]])
    J = ask(attempt, p=p)
    yield J.shape != (3,), "off the diagonal: this is p (1 - p), the diagonal alone; J is 3 x 3"
    yield from fits(J, (3, 3))
    diagonal, outer = np.diag(p), np.array([[a * b for b in p] for a in p])
    again = np.array(shares(p))
    yield from compare(J, by_hand, {
        "sign: raising a logit raises its own weight, so the diagonal is positive": -by_hand,
        "sign: the others lose what one weight gains; off the diagonal J is negative": diagonal + outer,
        "off the diagonal: p_i falls when z_j rises, by p_i p_j": np.diag(p * (1 - p)),
        "outer product: the term p p^T is missing": diagonal,
        "diagonal: the term diag(p) is missing": -outer,
        "outer product: p - p^2 is taken along one axis only": diagonal - p * p,
        "input: p is taken for logits; the softmax was taken already": np.diag(again) - np.outer(again, again),
        "diagonal: J_ii is p_i (1 - p_i), and this has p_i itself": diagonal - outer + np.diag(p * p),
    }, "J = diag(p) - p p^T: its rows sum to zero, and J_01 = -p_0 p_1")
    z, h = [0.3, -1.2, 0.8, 2.0, -0.5], 1e-5

    def nudged(j, by):
        return shares(x + by * (k == j) for k, x in enumerate(z))
    by_nudging = [[(nudged(j, h)[i] - nudged(j, -h)[i]) / (2 * h) for j in range(5)] for i in range(5)]
    # the difference quotient is itself off by about 1e-11, far less than is let pass
    yield same(ask(attempt, p=np.array(shares(z))), by_nudging), "size: right for three weights, wrong for five"


def central_difference(attempt: Callable) -> Verdicts:
    def curve(z):
        return np.array([z[0] * z[1], z[1] ** 2 + 3 * z[2]])

    z, h = np.array([2.0, -1.5, 0.5]), 0.1
    J = np.array([[z[1], z[0], 0], [0, 2 * z[1], 3]])  # a central difference has no error on a quadratic
    bend = np.array([[0, 0, 0], [0, h, 0]])
    pairs = itertools.accumulate(np.eye(3), initial=0)
    heaped = np.stack([(curve(z + h * e) - curve(z - h * e)) / (2 * h) for e in list(pairs)[1:]], axis=1)
    all_at_once = (curve(z + h) - curve(z - h)) / (2 * h)
    D = ask(attempt, f=curve, z=z, h=h)
    yield D.shape != (3, 2), "transposed: row i belongs to output i, column j to the input that is nudged"
    yield D.shape != (2,), "one at a time: nudge each entry of z by itself, and give each a column"
    yield from fits(D, (2, 3))
    yield from compare(D, J, {
        "one side: it nudges up only; the error is of order h, where a central difference has h^2": J + bend,
        "one side: it nudges down only; the error is of order h, where a central difference has h^2": J - bend,
        "width: the two points lie 2h apart": 2 * J,
        "width: it is not divided by 2h": J * 2 * h,
        "brackets: / 2 * h divides by 2 and then multiplies by h": J * h * h,
        "sign: up minus down, not down minus up": -J,
        "one at a time: earlier nudges are still there; start each column from z": heaped,
        "one at a time: every column nudges all entries": np.stack([all_at_once] * 3, axis=1),
    }, "column j is (f(z + h e_j) - f(z - h e_j)) / (2h)")

    def cubic(z):
        return np.array([z[0] ** 3, z[1], z[0] * z[1]])

    z, h = np.array([1.5, -0.5]), 0.4
    exact = np.array([[3 * z[0] ** 2, 0], [0, 1], [z[1], z[0]]])
    D = ask(attempt, f=cubic, z=z, h=h)
    yield from fits(D, (3, 2))
    yield not same(D, exact, 1e-4), "step: it does not use the step h that it is given"
    yield same(D, exact + h * h * np.array([[1, 0], [0, 0], [0, 0]])), (
        "size: right for two outputs of three inputs, wrong for three of two")


def jacobian_product(attempt: Callable) -> Verdicts:
    for m, n in ((4, 6), (5, 3)):
        z, G = draws(80 + m, (m, n), (m, n))
        A = by_rows(z)
        want = np.array([[sum(p[i] * ((i == j) - p[j]) * g[j] for j in range(n)) for i in range(n)]
                         for p, g in zip(A, G)])
        AG = A * G
        got = ask(attempt, A=A, G=G)
        yield from fits(got, (m, n))
        yield from compare(got, want, {
            "p p^T: only diag(p) g is there; each row loses A_i times the sum of its A G": AG,
            "axis: the sum runs over all rows; each row has its own J": A * (G - AG.sum()),
            "axis: the sum runs down the columns; J acts along a row": A * (G - AG.sum(axis=0)),
            "sign: the second term is taken off": A * (G + AG.sum(axis=1, keepdims=True)),
            "sign: all of it has the wrong sign": -want,
            "sum: it sums G; the weights belong inside the sum": A * (G - G.sum(axis=1, keepdims=True)),
            "sum: it takes the mean of G; a weighted sum is wanted": A * (G - G.mean(axis=1, keepdims=True)),
            "diag(p): the first term is missing": -A * AG.sum(axis=1, keepdims=True),
            "factor: p_i stands in front of both terms": G - AG.sum(axis=1, keepdims=True),
        }, "row by row: p_i g_i - p_i sum_j p_j g_j")
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
