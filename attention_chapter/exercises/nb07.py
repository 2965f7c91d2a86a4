"""The exercises of notebook 07, multi-head attention."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import Exercise, Verdicts, ask, blends, compare, dot, draws, fits, misfits, products


def count_parameters(attempt: Callable) -> Verdicts:
    for d, h, d_k, d_v in ((10, 3, 4, 7), (8, 2, 4, 4), (6, 1, 7, 2)):
        got = ask(attempt, d=d, h=h, d_k=d_k, d_v=d_v)
        yield from fits(got, ())
        # three heads of 10 x 4, 10 x 4 and 10 x 7, and a mix of 21 x 10; two of 8 x 4 three times, and 8 x 8; one
        want = {10: 3 * (40 + 40 + 70) + 210, 8: 2 * 96 + 64, 6: 42 + 42 + 12 + 12}[d]
        slips = (
            {
                "mix: Wo is missing": 450,
                "heads: there are h of them, each with its own three matrices": 150 + 210,
                "values: d_k stands where d_v should; both Wv and Wo follow the width of the values": 3 * 120 + 210,
                "queries and keys: d_v stands where d_k should": 4 * 210,
                "mix: Wo is not square; the joined outputs are not as wide as X": 450 + 100,
                "mix: Wo takes all joined heads, not one of them": 450 + 70,
                "mix: Wo leads back to the width d": 450 + 21 * 21,
                "keys: a head has three matrices": 3 * (40 + 70) + 210,
                "biases: these projections have none": 660 + 3 * 15 + 10,
                "mix: there is one Wo for all heads together": 3 * (150 + 210),
                "widths: here the widths need not be d/h": 4 * 100,
                "product: a matrix has rows times columns numbers": 3 * (14 + 14 + 17) + 31,
                "shared: every head has keys and values of its own": 3 * 40 + 40 + 70 + 210,
            }
            if d == 10
            else {}
        )
        yield from compare(got, want, slips, "sum: write down the shapes of all matrices of two heads, and count")


def split_heads(attempt: Callable) -> Verdicts:
    for n, h, d_k in ((6, 3, 4), (2, 4, 3)):  # with 6 rows, rows can be cut into three as well
        Y = np.array([[100.0 * i + j for j in range(h * d_k)] for i in range(n)])
        got = ask(attempt, Y=Y, h=h)
        yield got.shape != (n, h, d_k), "axes: split, but not moved; the heads come first"
        yield got.shape != (h, n // h, h * d_k), "axis: the rows are cut; a head has all rows, and some of the columns"
        yield got.shape != (n, d_k), "heads: this is a single one; all of them are wanted, one after the other"
        yield got.shape != (h, d_k), "rows: each head has all of them"
        yield got.shape != (h * n, d_k), "heads: they stand below one another; give them an axis of their own"
        yield got.shape != (n, h * d_k), "split: the columns still stand side by side"
        yield got.shape != (h, d_k, n), "transposed: each head keeps the elements as its rows"
        yield got.shape != (d_k, n, h), "width: there are h heads of d_k columns, not d_k heads of h"
        yield from fits(got, (h, n, d_k))
        yield from compare(
            got,
            [[[100.0 * i + d_k * a + b for b in range(d_k)] for i in range(n)] for a in range(h)],
            {
                "scrambled: a reshape alone deals rows out to heads; each head must see all rows": Y.reshape(h, n, d_k),
                "interleaved: head i takes every h-th column; it should take d_k neighbouring ones": Y.reshape(n, d_k, h).transpose(
                    2, 0, 1
                ),
                "order: the heads come in reverse": [
                    [[100.0 * i + d_k * a + b for b in range(d_k)] for i in range(n)] for a in reversed(range(h))
                ],
                "columns: every head has the same ones": [Y[:, :d_k]] * h,
                "columns: heads overlap; the next one begins where the last one ends": [Y[:, a : a + d_k] for a in range(h)],
                "rows: they come in reverse": [Y[::-1, a * d_k : (a + 1) * d_k] for a in range(h)],
                "columns: those of a head come in reverse": [Y[:, a * d_k : (a + 1) * d_k][:, ::-1] for a in range(h)],
                "scrambled: the shape is right, but rows and columns were mixed; a transpose moves axes, a reshape does not": Y.T.reshape(
                    h, n, d_k
                ),
            },
            "columns: element 0 of head 0 begins with Y[0, 0], and element 0 of head 1 with the column after the last of head 0",
        )


def mix_of_heads(attempt: Callable) -> Verdicts:
    for h, n, d_v, d in ((3, 5, 2, 7), (2, 4, 3, 5)):
        O, Wo = draws(110 + h, (h, n, d_v), (h * d_v, d))

        def mixed(column):  # of the joined row, where entry b of head a stands
            entries = [(a, b, column(a, b)) for a in range(h) for b in range(d_v)]
            return np.array([[sum(O[a, i, b] * Wo[row, k] for a, b, row in entries) for k in range(d)] for i in range(n)])

        with misfits(
            {
                (d_v, h * d_v): "axis: the heads stand below one another; side by side they are as wide as Wo is high",
                (n, h * d_v): "transposed: a row of the joined heads belongs to an element",
                (h, h * d_v): "axis: the heads stand side by side only where the last axis joins them",
                (h * d_v, d): "transposed: the mix goes from the joined heads to the width d, as Wo stands",
                (d, n): "order: the joined heads stand left, Wo right",
                (d, d_v): "order: the joined heads stand left, Wo right",
            }
        ):
            got = ask(attempt, O=O, Wo=Wo)
        yield got.shape != (n, h * d_v), "mix: the heads are joined, but not multiplied by Wo"
        yield got.shape != (h * n, d), "axis: the heads stand below one another; each element is to have one row"
        yield got.shape != (h, n, d), "sum: the heads' parts still stand side by side; the mix adds them up"
        yield from fits(got, (n, d))
        yield from compare(
            got,
            mixed(lambda a, b: a * d_v + b),
            {
                "scrambled: a reshape alone mixes rows of different elements; move the heads behind the rows first": O.reshape(
                    n, h * d_v
                )
                @ Wo,
                "interleaved: the joined row has all of head 1, then all of head 2": mixed(lambda a, b: b * h + a),
                "blocks: every head goes through the first block of Wo; each has its own": mixed(lambda a, b: b),
                "order: the heads are joined in reverse": mixed(lambda a, b: (h - 1 - a) * d_v + b),
                "sum: the mix adds the heads' parts; it is not their mean": mixed(lambda a, b: a * d_v + b) / h,
                "sum: one head, or a mean of heads, goes through all blocks of Wo": np.tile(O.mean(axis=0), (1, h)) @ Wo,
                "blocks: each head's columns come in reverse": mixed(lambda a, b: a * d_v + d_v - 1 - b),
                "blocks: every head goes through the last block of Wo; each has its own": mixed(lambda a, b: (h - 1) * d_v + b),
                "heads: only one of them is there": tuple(O[a] @ Wo[a * d_v : (a + 1) * d_v] for a in range(h)),
                "elements: they come in reverse": mixed(lambda a, b: a * d_v + b)[::-1],
            },
            "joined: row i has what all heads say of element i, head 0 first",
        )


def query_gradient(attempt: Callable) -> Verdicts:
    for n, d, d_k in ((5, 7, 3), (4, 2, 6)):
        X, K, dS = draws(120 + n, (n, d), (n, d_k), (n, n))

        def loss(Wq, dS=dS):  # sum of dS_ij s_ij, which is linear in Wq
            return sum(dot(given, row) for given, row in zip(dS, products(blends(X, Wq), K))) / math.sqrt(d_k)

        def by_nudging(loss):  # exact, since the loss is linear
            W = np.zeros((d, d_k))
            gradient = np.zeros((d, d_k))
            for at in np.ndindex(d, d_k):
                W[at] = 1
                gradient[at] = loss(W)
                W[at] = 0
            return gradient

        def through(dS):  # what a mistake gives is no expectation, and may be computed the short way
            return X.T @ dS @ K / math.sqrt(d_k)

        turned = "transposed: which axis do both factors share? Sum over the elements, which the result no longer has"
        with misfits({(d, n): turned, (d_k, n): turned, (n, d): turned, (n, d_k): turned, (d, d_k): turned, (d_k, d): turned}):
            got = ask(attempt, X=X, K=K, dS=dS)
        want = by_nudging(loss)
        yield got.shape != (n, d_k), "chain rule: this is the gradient with respect to Q; how does Q depend on Wq?"
        yield from fits(got, (d, d_k))
        yield from compare(
            got,
            want,
            {
                "scale: the scores are Q K^T over the root of d_k; the gradient keeps that factor": want * math.sqrt(d_k),
                "scale: it divides by d_k; the root of it is wanted": want / math.sqrt(d_k),
                "scale: it multiplies by the root of d_k; divide": want * d_k,
                "scale: this is the root of another size; d_k is the width of a key": want * math.sqrt(d_k / d),
                "transposed: dS is turned round; row i of dS belongs to query i": through(dS.T),
                "sign: the gradient points uphill; the step against it comes later": -want,
                "mean: the gradient sums over the elements": want / n,
                "factor: the scores are linear in Wq, so that nothing doubles or halves": 2 * want,
                "dS: it is not used; the gradient starts from it": X.T @ K / math.sqrt(d_k),
                "pairs: only an element with itself is there": (X.T @ (np.diag(dS)[:, None] * K) / math.sqrt(d_k)),
                "sum: dS was summed before it met the keys": X.T @ (dS.sum(axis=1, keepdims=True) * K) / math.sqrt(d_k),
                "softmax: dS is given already; no Jacobian comes before it": through(dS - dS.mean(axis=1, keepdims=True)),
            },
            "check: nudge one entry of Wq and see what the sum of all dS_ij S_ij does",
        )


EXERCISES = (
    Exercise("count-parameters", "07", "Counting parameters", "recall", 4, count_parameters),
    Exercise("split-heads", "07", "From one width to many heads", "apply", 7, split_heads),
    Exercise("mix-of-heads", "07", "Join and mix", "apply", 7, mix_of_heads),
    Exercise("one-number-keys", "07", "Keys of a single number", "extend", 8),
    Exercise("query-gradient", "07", "The gradient of Wq", "extend", 10, query_gradient),
)
