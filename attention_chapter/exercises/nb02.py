"""The exercises of notebook 02, the matrix form."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import Exercise, Verdicts, ask, blends, by_rows, compare, draws, fits, products, same


def head_shapes(attempt: Callable) -> Verdicts:
    for m, n, d_k, d_v in ((5, 7, 3, 2), (4, 6, 8, 9)):
        got = ask(attempt, m=m, n=n, d_k=d_k, d_v=d_v)
        yield from fits(got, (3, 2))
        raw, A, O = (tuple(int(x) for x in pair) for pair in got)
        yield raw != (n, m), "transposed: queries are rows and keys are columns of Q K^T"
        yield raw != (d_k, d_k), "product: this would be Q^T K; Q K^T pairs every query with every key"
        yield raw == (m, n), "scores: one number for each pair of a query and a key"
        yield A == raw, "weights: the scale and the softmax change no shape"
        yield O != (m, d_k), "width: an output is a blend of values, so it is as wide as they are"
        yield O != (n, d_v), "rows: there is one output for each query"
        yield O == (m, d_v), "output: A V has the rows of A and the columns of V"


def head_slips(S, V, d_k: int, others: dict[str, int]) -> dict[str, np.ndarray]:
    """What goes wrong between unscaled scores S (m, n) and the output."""
    scaled = S / math.sqrt(d_k)
    slips = {
        "scale: the scores are not divided by the root of d_k": blends(by_rows(S), V),
        "scale: it divides by d_k; the root of it is wanted": blends(by_rows(S / d_k), V),
        "scale: it multiplies by the root of d_k instead of dividing": blends(by_rows(S * math.sqrt(d_k)), V),
        "axis: each column of the weights sums to one; every query, a row, should share out one unit":
            blends(by_rows(scaled.T).T, V),
        "softmax: the scaled scores are used as weights": blends(scaled, V),
        "normalise: the exponentials are not divided by the sum of their row": blends(np.exp(scaled), V),
        "normalise: all weights together sum to one; each row should": blends(np.exp(scaled) / np.exp(scaled).sum(), V),
    }
    return slips | {f"scale: it divides by the root of {name}; d_k is the width of a key":
                    blends(by_rows(S / math.sqrt(size)), V) for name, size in others.items()}


def matrix_attention(attempt: Callable) -> Verdicts:
    for m, n, d_k, d_v in ((4, 6, 5, 3), (7, 2, 3, 8)):
        Q, K, V = draws(30 + m, (m, d_k), (n, d_k), (n, d_v))
        S = products(Q, K)
        O = ask(attempt, Q=Q, K=K, V=V)
        yield O.shape != (m, n), "output: this has the shape of the weights; multiply them by V"
        yield from fits(O, (m, d_v))
        yield from compare(O, blends(by_rows(S / math.sqrt(d_k)), V), head_slips(S, V, d_k, {"n": n, "d_v": d_v}),
                           "the shape is right; the steps: Q K^T, over the root of d_k, softmax of each row, times V")


def cross_attention(attempt: Callable) -> Verdicts:
    for m, n, d, d_k, d_v in ((4, 6, 7, 5, 3), (5, 3, 2, 4, 6)):
        X, Y, Wq, Wk, Wv = draws(40 + m, (m, d), (n, d), (d, d_k), (d, d_k), (d, d_v))

        def parts(asking, answering, A=Wq, B=Wk):
            return products(blends(asking, A), blends(answering, B)), blends(answering, Wv)
        O = ask(attempt, X=X, Y=Y, Wq=Wq, Wk=Wk, Wv=Wv)
        S, V = parts(X, Y)
        selfish, own = parts(X, X)
        turned, _ = parts(X, Y, Wk, Wq)
        yield O.shape != (n, d_v), "roles: there is one output for each row of Y; the queries come from X"
        yield from fits(O, (m, d_v))
        yield not same(O, blends(by_rows(selfish / math.sqrt(d_k)), own)), "source: keys and values come from Y"
        yield not same(O, blends(by_rows(turned / math.sqrt(d_k)), V)), "roles: Wq and Wk have changed places"
        yield from compare(O, blends(by_rows(S / math.sqrt(d_k)), V), head_slips(S, V, d_k, {"d": d}),
                           "queries X Wq; keys Y Wk and values Y Wv; then the lookup as before")


EXERCISES = (
    Exercise("head-shapes", "02", "Shapes before numbers", "recall", 3, head_shapes),
    Exercise("matrix-attention", "02", "Attention in a few lines", "apply", 6, matrix_attention),
    Exercise("symmetric-scores", "02", "When are the scores symmetric?", "apply", 5),
    Exercise("cross-attention", "02", "One set asks, another answers", "extend", 8, cross_attention),
)
