"""The exercises of notebook 07a, training five heads."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import (
    Exercise,
    Verdicts,
    ask,
    blends,
    by_rows,
    compare,
    dot,
    draws,
    fits,
    misfits,
    products,
)


def any_of(attempt: Callable) -> Verdicts:
    for n, edges in ((5, ((0, 1), (0, 3), (1, 4), (2, 0), (2, 2), (2, 3), (3, 3), (4, 1))), (3, ((0, 1), (1, 0), (1, 2), (2, 1)))):
        (S,) = draws(150 + n, (n, n))
        A, E = by_rows(S), np.zeros((n, n))
        for i, j in edges:
            E[i, j] = 1
        got = ask(attempt, A=A, E=E)
        yield got.shape != (n,), "sum: a row of scores has a derivative for every key"
        yield from fits(got, (n, n))
        hit = [sum(A[i, j] for j in range(n) if E[i, j]) for i in range(n)]
        k = [sum(row) for row in E]

        def each(entry):
            return np.array([[float(entry(i, j)) for j in range(n)] for i in range(n)])

        want = each(lambda i, j: A[i, j] - (A[i, j] / hit[i] if E[i, j] else 0))
        yield from compare(
            got,
            want,
            {
                "share: this pulls towards even shares; here any true object will do": each(lambda i, j: A[i, j] - E[i, j] / k[i]),
                "sum: here every true object has a logarithm of its own; take one logarithm, of their sum": each(
                    lambda i, j: k[i] * A[i, j] - E[i, j]
                ),
                "pull: the entries of a row do not add up to zero, as a shift of all its scores changes nothing": each(
                    lambda i, j: A[i, j] - E[i, j]
                ),
                "chain rule: this is the derivative with respect to the weights; it has to pass through the softmax": each(
                    lambda i, j: -E[i, j] / hit[i]
                ),
                "softmax: a score moves all weights of its row, not its own alone": each(lambda i, j: -A[i, j] * E[i, j] / hit[i]),
                "diagonal: of the Jacobian only the diagonal is there": each(
                    lambda i, j: -E[i, j] * A[i, j] * (1 - A[i, j]) / hit[i]
                ),
                "logarithm: this is the derivative of the sum itself, without the logarithm": each(
                    lambda i, j: -A[i, j] * (E[i, j] - hit[i])
                ),
                "others: the scores of all other keys have a derivative too": each(lambda i, j: want[i, j] * E[i, j]),
                "objects: their scores have a derivative too, as long as others have weight": each(
                    lambda i, j: want[i, j] * (not E[i, j])
                ),
                "sign: the derivative points uphill; the step against it comes later": -want,
                "sign: both parts pull the same way here": each(lambda i, j: A[i, j] + E[i, j] * A[i, j] / hit[i]),
                "inverted: these are the keys to keep away from": each(
                    lambda i, j: A[i, j] - (0 if E[i, j] else A[i, j] / (1 - hit[i]))
                ),
                "axis: each column was normalised; a query has its true objects in a row": each(
                    lambda i, j: (
                        A[i, j] - E[i, j] * A[i, j] / sum(A[a, j] for a in range(n) if E[a, j]) if E[:, j].any() else A[i, j]
                    )
                ),
                "axis: all true objects were normalised together; every row has a loss of its own": each(
                    lambda i, j: A[i, j] - E[i, j] * A[i, j] / sum(hit)
                ),
                "mean: the losses of the rows add up": want / n,
                "transposed: queries stand in rows, keys in columns": want.T,
            },
            "check: nudge one score, and see what minus the logarithm of the sum of the true weights does",
        )


def shared_gradient(attempt: Callable) -> Verdicts:
    for n, d, d_k in ((5, 7, 3), (4, 2, 6)):
        X, W, dS = draws(160 + n, (n, d), (d, d_k), (n, n))

        def loss(W):  # sum of dS_ij S_ij, quadratic in W
            Z = blends(X, W)
            return sum(dot(given, row) for given, row in zip(dS, products(Z, Z))) / math.sqrt(d_k)

        want = np.zeros((d, d_k))
        for at in np.ndindex(d, d_k):  # nudged by 1: exact, since the loss is quadratic
            E = np.zeros((d, d_k))
            E[at] = 1
            want[at] = (loss(W + E) - loss(W - E)) / 2
        Z = X @ W

        def through(dS):  # what a mistake gives is no expectation, and may be computed the short way
            return X.T @ dS @ Z / math.sqrt(d_k)

        turned = "transposed: which axis do both factors share? Sum over the elements, which the result no longer has"
        with misfits({(d, n): turned, (d_k, n): turned, (n, d): turned, (n, d_k): turned, (d, d_k): turned, (d_k, d): turned}):
            got = ask(attempt, X=X, W=W, dS=dS)
        yield got.shape != (n, d_k), "chain rule: this is the derivative with respect to X W; how does that depend on W?"
        yield got.shape != (d, d), "chain rule: the score holds W twice, so that one of them stays in the derivative"
        yield from fits(got, (d, d_k))
        yield from compare(
            got,
            want,
            {
                "once: this is what W does for the queries; it projects the keys as well": through(dS),
                "once: this is what W does for the keys; it projects the queries as well": through(dS.T),
                "twice: queries and keys do not have the same derivative, since dS need not be symmetric": (
                    2 * through(dS),
                    2 * through(dS.T),
                ),
                "sign: the two derivatives add up": (through(dS - dS.T), through(dS.T - dS)),
                "mean: the two derivatives add up": want / 2,
                "mean: the derivative sums over the elements": want / n,
                "scale: the scores are divided by a root; the derivative keeps that factor": want * math.sqrt(d_k),
                "scale: it divides by d_k; the root of it is wanted": want / math.sqrt(d_k),
                "scale: it multiplies by the root of d_k; divide": want * d_k,
                "scale: this is the root of another size; d_k is the width of a key": want * math.sqrt(d_k / d),
                "sign: the derivative points uphill; the step against it comes later": -want,
                "diagonal: an element meets itself as a query and as a key, and both count": through(
                    dS + dS.T - np.diag(np.diag(dS))
                ),
                "dS: it is not used; the derivative starts from it": (X.T @ Z / math.sqrt(d_k), 2 * X.T @ Z / math.sqrt(d_k)),
                "sum: dS was summed before it met the keys": X.T @ ((dS + dS.T).sum(axis=1, keepdims=True) * Z) / math.sqrt(d_k),
            },
            "check: nudge one entry of W, and see what the sum of all dS_ij S_ij does",
        )


EXERCISES = (
    Exercise("any-of", "07a", "Any true object will do", "apply", 9, any_of),
    Exercise("one-number-keys", "07a", "Keys of a single number", "extend", 8),
    Exercise("shared-gradient", "07a", "One matrix for queries and keys", "extend", 10, shared_gradient),
)
