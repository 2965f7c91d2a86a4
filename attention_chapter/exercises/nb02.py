"""The exercises of notebook 02, the matrix form."""

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
    draws,
    fits,
    misfits,
    products,
    same,
)


def head_shapes(attempt: Callable) -> Verdicts:
    for m, n, d_k, d_v in ((5, 7, 3, 2), (4, 6, 8, 9)):  # all differ, so that each size tells where it comes from
        got = ask(attempt, m=m, n=n, d_k=d_k, d_v=d_v)
        yield from fits(got, (3, 2))
        yield same(got, np.round(got)), "whole: a size is a whole number"
        raw, A, O = (tuple(int(x) for x in pair) for pair in got)
        yield raw != (n, m), "transposed: queries are rows and keys are columns of Q K^T"
        yield raw != (d_k, d_k), "product: this would be Q^T K; Q K^T pairs every query with every key"
        yield (raw, O) != ((m, d_v), (m, n)), "order: scores, weights, output"
        yield (
            raw not in ((m, d_k), (n, d_k), (d_k, n)),
            ("scores: this is the shape of a factor; a product has the rows of one and the columns of the other"),
        )
        yield raw == (m, n), "scores: one number for each pair of a query and a key"
        yield A == raw, "weights: the scale and the softmax change no shape"
        yield O != (d_v, m), "transposed: an output is a row, like its query"
        yield O != (m, d_k), "width: an output is a blend of values, so it is as wide as they are"
        yield O != (n, d_v), "rows: there is one output for each query"
        yield O == (m, d_v), "output: put the shapes of A and of V side by side; the inner sizes cancel"


def head_slips(S, V, d_k: int, others: dict[str, int]) -> dict[str, np.ndarray]:
    """What goes wrong between unscaled scores S (m, n) and the output."""
    scaled = S / math.sqrt(d_k)
    slips = {
        "scale: the scores are not divided by the root of d_k": blends(by_rows(S), V),
        "scale: it divides by d_k; the root of it is wanted": blends(by_rows(S / d_k), V),
        "scale: it multiplies by the root of d_k instead of dividing": blends(by_rows(S * math.sqrt(d_k)), V),
        "scale: it stands after the softmax, whose rows then sum to less than one": blends(by_rows(S) / math.sqrt(d_k), V),
        "sign: the worst match has the largest weight": blends(by_rows(-S), V),
        "soft: each query takes its best key alone": V[S.argmax(axis=1)],
        "scores: all keys count alike": np.tile(V.mean(axis=0), (len(S), 1)),
        "axis: each column of the weights sums to one; every query, a row, should share out one unit": blends(
            by_rows(scaled.T).T, V
        ),
        "softmax: the scores are used as weights": (blends(scaled, V), blends(S, V)),
        "normalise: the exponentials are not divided by the sum of their row": (blends(np.exp(scaled), V), blends(np.exp(S), V)),
        "normalise: all weights together sum to one; each row should": blends(np.exp(scaled) / np.exp(scaled).sum(), V),
    }
    return slips | {
        f"scale: it divides by the root of {name}; d_k is the width of a key": blends(by_rows(S / math.sqrt(size)), V)
        for name, size in others.items()
    }


def matrix_attention(attempt: Callable) -> Verdicts:
    for m, n, d_k, d_v in ((4, 6, 5, 3), (7, 2, 3, 8)):
        Q, K, V = draws(30 + m, (m, d_k), (n, d_k), (n, d_v))
        S = products(Q, K)
        turned = "transposed: a row of the scores belongs to a query, a column to a key"
        with misfits({(m, n): turned, (d_k, m): turned, (d_k, n): turned, (d_k, d_k): turned, (d_v, n): turned, (n, d_k): turned}):
            O = ask(attempt, Q=Q, K=K, V=V)
        yield O.shape != (m, n), "output: this has the shape of the weights; what they weigh is still to come"
        yield from fits(O, (m, d_v))
        yield from compare(
            O,
            blends(by_rows(S / math.sqrt(d_k)), V),
            head_slips(S, V, d_k, {"n": n, "d_v": d_v}),
            "the shape is right; take one query first: its scores, their scale, its weights, its blend",
        )


def cross_attention(attempt: Callable) -> Verdicts:
    for m, n, d, d_k, d_v in ((4, 6, 7, 5, 3), (5, 3, 2, 4, 6)):
        X, Y, Wq, Wk, Wv = draws(40 + m, (m, d), (n, d), (d, d_k), (d, d_k), (d, d_v))

        def parts(asking, answering, A=Wq, B=Wk):
            return products(blends(asking, A), blends(answering, B)), blends(answering, Wv)

        with misfits(
            {
                (n, m): "source: the weights are about the rows of Y, and so the values come from Y",
                (m, n): "roles: a row of the weights belongs to a row of X, a column to a row of Y",
                (d_k, n): "transposed: a row of the scores belongs to a query, a column to a key",
            }
        ):
            O = ask(attempt, X=X, Y=Y, Wq=Wq, Wk=Wk, Wv=Wv)
        S, V = parts(X, Y)
        selfish, own = parts(X, X)
        turned, _ = parts(X, Y, Wk, Wq)
        yield O.shape != (m, n), "output: this has the shape of the weights; what they weigh is still to come"
        yield O.shape != (n, d_v), "roles: it has a row for each row of Y, so that Y asks; the queries come from X"
        yield from fits(O, (m, d_v))
        yield not same(O, blends(by_rows(selfish / math.sqrt(d_k)), own)), "source: keys and values come from Y"
        yield not same(O, blends(by_rows(turned / math.sqrt(d_k)), V)), "roles: Wq and Wk have changed places"
        yield from compare(
            O,
            blends(by_rows(S / math.sqrt(d_k)), V),
            head_slips(S, V, d_k, {"d": d}),
            "the shape is right; who asks, who is matched, who answers? Then the lookup is as before",
        )


EXERCISES = (
    Exercise("head-shapes", "02", "Shapes before numbers", "recall", 3, head_shapes),
    Exercise("matrix-attention", "02", "Attention in a few lines", "apply", 6, matrix_attention),
    Exercise("symmetric-scores", "02", "When are the scores symmetric?", "apply", 5),
    Exercise("cross-attention", "02", "One set asks, another answers", "extend", 8, cross_attention),
)
