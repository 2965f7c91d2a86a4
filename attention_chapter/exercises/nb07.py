"""The exercises of notebook 07, multi-head attention."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import Exercise, Verdicts, ask, blends, by_rows, compare, draws, fits, misfits, products


def count_parameters(attempt: Callable) -> Verdicts:
    for d, H, d_k, d_v in ((10, 3, 4, 7), (8, 2, 4, 4), (6, 1, 7, 2)):
        got = ask(attempt, d=d, H=H, d_k=d_k, d_v=d_v)
        yield from fits(got, ())
        # three heads of 10 x 4, 10 x 4 and 10 x 7, and a mix of 21 x 10; two of 8 x 4 three times, and 8 x 8; one
        want = {10: 3 * (40 + 40 + 70) + 210, 8: 2 * 96 + 64, 6: 42 + 42 + 12 + 12}[d]
        slips = (
            {
                "mix: Wo is missing": 450,
                "heads: there are H of them, each with its own three matrices": 150 + 210,
                "values: d_k stands where d_v should; both Wv and Wo follow the width of the values": 3 * 120 + 210,
                "queries and keys: d_v stands where d_k should": 4 * 210,
                "mix: Wo is not square; the joined outputs are not as wide as X": 450 + 100,
                "mix: Wo takes all joined heads, not one of them": 450 + 70,
                "mix: Wo leads back to the width d": 450 + 21 * 21,
                "keys: a head has three matrices": 3 * (40 + 70) + 210,
                "biases: these projections have none": 660 + 3 * 15 + 10,
                "mix: there is one Wo for all heads together": 3 * (150 + 210),
                "widths: here the widths need not be d/H": (4 * 100, 3 * 3 * 10 * 3 + 100),
                "product: a matrix has rows times columns numbers": 3 * (14 + 14 + 17) + 31,
                "shared: every head has keys and values of its own": 3 * 40 + 40 + 70 + 210,
            }
            if d == 10
            else {}
        )
        yield from compare(got, want, slips, "sum: write down the shapes of all matrices of two heads, and count")


def without_a_head(attempt: Callable) -> Verdicts:
    for H, n, d_v, d, i in ((3, 5, 2, 7, 1), (4, 6, 3, 5, 0), (3, 2, 4, 6, 2)):
        O, Wo = draws(110 + i, (H, n, d_v), (H * d_v, d))

        def mixed(row=lambda a, b: a * d_v + b, heads=None, O=O):  # entry b of head a meets this row of Wo
            entries = [(a, b, row(a, b)) for a in (range(H) if heads is None else heads) for b in range(d_v)]
            return np.array([[sum(O[a, j, b] * Wo[r, k] for a, b, r in entries) for k in range(d)] for j in range(n)])

        on = [a for a in range(H) if a != i]
        want, whole = mixed(heads=on), mixed()
        with misfits(
            {
                (d_v, H * d_v): "blocks: each head has its own rows of Wo, as many as its output has columns",
                (n, H * d_v): "transposed: a row of the joined heads belongs to an element",
                ((H - 1) * d_v, H * d_v): "blocks: a head that is switched off leaves its rows of Wo behind; leave them out too",
                (H * d_v, (H - 1) * d_v): "blocks: a head that is switched off still has its columns; they are zero",
                (H * d_v, d): "transposed: the mix goes from the joined heads to the width d, as Wo stands",
                (d, n): "order: the joined heads stand left, Wo right",
                (d, d_v): "order: the joined heads stand left, Wo right",
            }
        ):
            got = ask(attempt, O=O, Wo=Wo, i=i)
        yield got.shape != (n, H * d_v), "mix: the heads are joined, but not multiplied by Wo"
        yield got.shape != (H * n, d), "axis: the heads stand below one another; each element is to have one row"
        yield (
            got.shape not in ((H, n, d), (H - 1, n, d)),
            "sum: the parts of the heads still stand side by side; the mix adds them up",
        )
        yield from fits(got, (n, d))
        yield from compare(
            got,
            want,
            {
                "switch: all heads are still on": whole,
                "switch: only this head is left on; it is the one to switch off": mixed(heads=[i]),
                "count: heads are counted from 0": mixed(heads=[a for a in range(H) if a != (i - 1) % H]),
                "count: the first head has number 0, so that the next one was switched off": mixed(
                    heads=[a for a in range(H) if a != (i + 1) % H]
                ),
                "sign: the head is taken away twice; without it its part is zero, not negative": whole - 2 * mixed(heads=[i]),
                "columns: one column of each head is switched off, and not one head": mixed(
                    O=np.where(np.arange(d_v) == min(i, d_v - 1), 0, O)
                ),
                "rows: one element is switched off, and not one head": mixed(
                    O=np.where(np.arange(n)[:, None] == min(i, n - 1), 0, O)
                ),
                "scrambled: a reshape alone mixes rows of different elements; move the heads behind the rows first": (
                    np.where(np.arange(H)[:, None, None] == i, 0, O).reshape(n, H * d_v) @ Wo
                ),
                "interleaved: the joined row has all of head 0, then all of head 1": mixed(lambda a, b: b * H + a, heads=on),
                "blocks: every head goes through the first block of Wo; each has its own": mixed(lambda a, b: b, heads=on),
                "blocks: the heads after it have moved up, to the blocks of others": (
                    mixed(lambda a, b: (a - (a > i)) * d_v + b, heads=on) if i < H - 1 else want + 1
                ),
                "mean: the mix adds the parts of the heads up": (whole / H, want / H, want / (H - 1)),
                "scale: nothing makes up for the head that is gone": want * H / (H - 1),
            },
            "parts: the mix is a sum with one part for each head; which part is missing?",
        )


def wide_head(attempt: Callable) -> Verdicts:
    for H, n, d_k in ((3, 5, 4), (2, 4, 3)):
        A_of, scores = [], np.zeros((n, n))
        for h in range(H):
            Q, K = draws(130 + 7 * H + h, (n, d_k), (n, d_k))
            scores += products(Q, K)
            A_of.append(by_rows(products(Q, K) / math.sqrt(d_k)))
        A = np.array(A_of)
        logs = np.log(A).sum(axis=0)
        got = ask(attempt, A=A)
        yield got.shape != (H, n, n), "heads: all are still there; one head has one matrix of weights"
        yield from fits(got, (n, n))
        one = by_rows(scores / math.sqrt(H * d_k))
        yield from compare(
            got,
            one,
            {
                "mean: it averages the weights; the wide head adds scores, before its softmax": A.mean(axis=0),
                "sum: the weights are added, and a row no longer sums to one": A.sum(axis=0),
                "scale: the wide head divides by the root of a larger width than each narrow one does": by_rows(logs),
                "scale: the widths stand under a root, and so does their ratio": by_rows(logs / H),
                "scale: a wider head divides by more, not by less": by_rows(logs * math.sqrt(H)),
                "normalise: the rows do not sum to one": (np.exp(logs), np.exp(logs / math.sqrt(H)), np.exp(logs / H)),
                "axis: each column was divided by its sum; the weights of a query stand in a row": by_rows(
                    (logs / math.sqrt(H)).T + (0 * logs)
                ).T,
                "axis: the whole matrix sums to one; every row should": np.exp(logs / math.sqrt(H))
                / np.exp(logs / math.sqrt(H)).sum(),
                "softmax: it was taken of the weights; which scores do they come from?": (
                    by_rows(A.sum(axis=0)),
                    by_rows(A.sum(axis=0) / math.sqrt(H)),
                    by_rows(A.mean(axis=0)),
                ),
                "softmax: scores are logarithms of weights; a product of weights is no score": by_rows(A.prod(axis=0)),
                "head: the other heads do not count": tuple(A),
                "scores: these are sums of logarithms; the softmax is missing": (logs, logs / math.sqrt(H), logs / H),
                "maximum: it takes the largest weight of the heads": (
                    A.max(axis=0),
                    A.max(axis=0) / A.max(axis=0).sum(axis=1, keepdims=True),
                ),
                "transposed: queries stand in rows, keys in columns": one.T,
                "order: the heads follow one another here; the wide head looks once": (
                    A[0] @ A[1] if H == 2 else A[0] @ A[1] @ A[2]
                ),
            },
            "scores: write the scores of the wide head as a sum over the heads, and each head's as a logarithm of its weights",
        )


def split_heads(attempt: Callable) -> Verdicts:
    for n, d, H, d_k in ((6, 5, 3, 4), (4, 7, 2, 3)):  # rows that can be dealt out to the heads as well
        X, Wq, Wk = draws(140 + H, (n, d), (d, H * d_k), (d, H * d_k))
        Q, K = blends(X, Wq), blends(X, Wk)

        def scores(columns, root=math.sqrt(d_k), Q=Q, K=K):
            return np.array([products(Q[:, at], K[:, at]) for at in columns]) / root

        blocks = [list(range(a * d_k, (a + 1) * d_k)) for a in range(H)]
        want = scores(blocks)
        dealt = lambda Y: Y.reshape(H, n, d_k)  # noqa: E731
        with misfits({(d_k, n): "keys: turn the last two axes of K round, and only these", (n, n): "keys: every head has its own"}):
            got = ask(attempt, X=X, Wq=Wq, Wk=Wk, H=H)
        yield got.shape != (n, H, H), "axes: the heads meet each other here; they should come first, and the elements meet"
        yield got.shape != (n, n), "heads: all of them were added up, or one is left; each has scores of its own"
        yield got.shape != (n, n, H), "axes: the heads come first"
        yield got.shape != (H, n, d_k), "scores: these are queries of each head; their products with the keys are wanted"
        yield from fits(got, (H, n, n))
        yield from compare(
            got,
            want,
            {
                "scrambled: a reshape fills row by row and moves nothing; each head is dealt some of the elements, and all columns": (
                    np.array([products(q, k) for q, k in zip(dealt(Q), dealt(K))]) / math.sqrt(d_k)
                ),
                "keys: the queries are cut right, the keys are still dealt out row by row": (
                    np.array([products(Q[:, at], k) for at, k in zip(blocks, dealt(K))]) / math.sqrt(d_k)
                ),
                "queries: the keys are cut right, the queries are still dealt out row by row": (
                    np.array([products(q, K[:, at]) for q, at in zip(dealt(Q), blocks)]) / math.sqrt(d_k)
                ),
                "scrambled: the matrix was turned round before it was cut; that moves rows and columns, and heads are neither": (
                    np.array([products(q, k) for q, k in zip(dealt(Q.T), dealt(K.T))]) / math.sqrt(d_k)
                ),
                "interleaved: head i takes every H-th column; it owns neighbouring ones": scores(
                    [list(range(a, H * d_k, H)) for a in range(H)]
                ),
                "order: the heads come in reverse": want[::-1],
                "columns: every head has the same ones": scores([blocks[0]] * H),
                "columns: heads overlap; the next one begins where the last one ends": scores(
                    [range(a, a + d_k) for a in range(H)]
                ),
                "scale: each head divides by the root of its own width": (
                    scores(blocks, math.sqrt(H * d_k)),
                    scores(blocks, math.sqrt(d)),
                    scores(blocks, math.sqrt(n)),
                    scores(blocks, math.sqrt(H)),
                ),
                "scale: it is missing": want * math.sqrt(d_k),
                "scale: it divides by the width; the root of it is wanted": want / math.sqrt(d_k),
                "transposed: queries stand in rows, keys in columns": want.transpose(0, 2, 1),
                "softmax: the scores are wanted, not the weights": np.array([by_rows(S) for S in want]),
                "keys: the queries of each head meet queries": scores(blocks, K=Q),
                "rows: they come in reverse": want[:, ::-1],
            },
            "columns: which columns of X Wq belong to head 0, and which to head 1?",
        )


EXERCISES = (
    Exercise("count-parameters", "07", "Counting parameters", "recall", 4, count_parameters),
    Exercise("without-a-head", "07", "Switching a head off", "apply", 7, without_a_head),
    Exercise("wide-head", "07", "The wide head from the narrow ones", "extend", 10, wide_head),
    Exercise("split-heads", "07", "Heads cut from one product", "find the bug", 7, split_heads),
)
