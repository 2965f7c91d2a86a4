"""The exercises of notebook 07, multi-head attention."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import Exercise, Verdicts, ask, blends, compare, dot, draws, fits, products


def count_parameters(attempt: Callable) -> Verdicts:
    for d, h, d_k, d_v in ((10, 3, 4, 5), (8, 2, 4, 4), (6, 1, 7, 2)):
        got = ask(attempt, d=d, h=h, d_k=d_k, d_v=d_v)
        yield from fits(got, ())
        # three heads of 10 x 4, 10 x 4 and 10 x 5, and a mix of 15 x 10; two of 8 x 4 three times, and 8 x 8; one
        want = {10: 3 * (40 + 40 + 50) + 150, 8: 2 * 96 + 64, 6: 42 + 42 + 12 + 12}[d]
        slips = {
            "mix: Wo is missing": 390,
            "heads: there are h of them, each with its own three matrices": 130 + 150,
            "values: Wv is d x d_v": 3 * 120 + 150,
            "queries and keys: Wq and Wk are d x d_k": 3 * 150 + 150,
            "mix: Wo has h d_v rows and d columns": 390 + 100,
            "mix: Wo has h d_v rows, as wide as the joined heads": 390 + 50,
            "keys: a head has three matrices": 3 * (40 + 50) + 150,
            "biases: these projections have none": 540 + 3 * 13 + 10,
            "mix: there is one Wo for all heads together": 3 * (130 + 150),
        }
        yield from compare(got, want, slips, "h heads of d d_k + d d_k + d d_v numbers each, and Wo of h d_v times d")


def split_heads(attempt: Callable) -> Verdicts:
    for n, h, d_k in ((5, 3, 4), (2, 4, 3)):
        Y = np.array([[100.0 * i + j for j in range(h * d_k)] for i in range(n)])
        got = ask(attempt, Y=Y, h=h)
        yield got.shape != (n, h, d_k), "axes: split, but not moved; the heads come first"
        yield got.shape != (h, d_k, n), "transposed: each head keeps the elements as its rows"
        yield got.shape != (d_k, n, h), "width: there are h heads of d_k columns, not d_k heads of h"
        yield from fits(got, (h, n, d_k))
        yield from compare(got, [[[100.0 * i + d_k * a + b for b in range(d_k)] for i in range(n)] for a in range(h)], {
            "scrambled: a reshape alone deals rows out to heads; each head must see all rows": Y.reshape(h, n, d_k),
            "interleaved: head i takes every h-th column; it should take d_k neighbouring ones":
                Y.reshape(n, d_k, h).transpose(2, 0, 1),
            "order: the heads come in reverse": [[[100.0 * i + d_k * a + b for b in range(d_k)] for i in range(n)]
                                                 for a in reversed(range(h))],
            "columns: every head has the same ones": [Y[:, :d_k]] * h,
        }, "head i is the columns from i d_k to (i + 1) d_k - 1, for all rows")


def mix_of_heads(attempt: Callable) -> Verdicts:
    for h, n, d_v, d in ((3, 5, 2, 7), (2, 4, 3, 5)):
        O, Wo = draws(110 + h, (h, n, d_v), (h * d_v, d))

        def mixed(column):  # of the joined row, where entry b of head a stands
            entries = [(a, b, column(a, b)) for a in range(h) for b in range(d_v)]
            return np.array([[sum(O[a, i, b] * Wo[row, k] for a, b, row in entries) for k in range(d)]
                             for i in range(n)])
        got = ask(attempt, O=O, Wo=Wo)
        yield got.shape != (n, h * d_v), "mix: the heads are joined, but not multiplied by Wo"
        yield got.shape != (h, n, d), "sum: the heads' parts still stand side by side; the mix adds them up"
        yield from fits(got, (n, d))
        yield from compare(got, mixed(lambda a, b: a * d_v + b), {
            "scrambled: a reshape alone mixes rows of different elements; move the heads behind the rows first":
                O.reshape(n, h * d_v) @ Wo,
            "interleaved: the joined row has all of head 1, then all of head 2": mixed(lambda a, b: b * h + a),
            "blocks: every head goes through the first block of Wo; each has its own": mixed(lambda a, b: b),
            "order: the heads are joined in reverse": mixed(lambda a, b: (h - 1 - a) * d_v + b),
            "sum: the mix adds the heads' parts; it is not their mean": mixed(lambda a, b: a * d_v + b) / h,
        }, "join the heads side by side, head 1 first, (n, h d_v), then multiply by Wo")


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
        got = ask(attempt, X=X, K=K, dS=dS)
        want = by_nudging(loss)
        yield got.shape != (n, d_k), "chain rule: this is the gradient by Q; one factor more leads to Wq"
        yield from fits(got, (d, d_k))
        yield from compare(got, want, {
            "scale: the scores are Q K^T over the root of d_k; the gradient keeps that factor": want * math.sqrt(d_k),
            "scale: it divides by d_k; the root of it is wanted": want / math.sqrt(d_k),
            "scale: it multiplies by the root of d_k; divide": want * d_k,
            "transposed: dS is turned round; row i of dS belongs to query i": by_nudging(lambda W: loss(W, dS.T)),
            "sign: the gradient points uphill; the step against it comes later": -want,
            "mean: the gradient sums over the elements": want / n,
        }, "Q = X Wq and S = Q K^T / sqrt(d_k), so dQ = dS K / sqrt(d_k) and dWq = X^T dQ")


EXERCISES = (
    Exercise("count-parameters", "07", "Counting parameters", "recall", 4, count_parameters),
    Exercise("split-heads", "07", "From one width to many heads", "apply", 7, split_heads),
    Exercise("mix-of-heads", "07", "Join and mix", "apply", 7, mix_of_heads),
    Exercise("one-number-keys", "07", "Keys of a single number", "extend", 8),
    Exercise("query-gradient", "07", "The gradient of Wq", "extend", 10, query_gradient),
)
