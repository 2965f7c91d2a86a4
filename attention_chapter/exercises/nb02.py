"""The exercises of notebook 02, the matrix form."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

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
        "scale: it stands after the softmax, and the weights of a query then sum to less than one": blends(
            by_rows(S) / math.sqrt(d_k), V
        ),
        "sign: the worst match has the largest weight": blends(by_rows(-S), V),
        "soft: each query takes its best key alone": V[S.argmax(axis=1)],
        "scores: all keys count alike": np.tile(V.mean(axis=0), (len(S), 1)),
        "axis: the weights of one key over all queries sum to one; every query should share out one unit": blends(
            by_rows(scaled.T).T, V
        ),
        "softmax: the scores are used as weights": (blends(scaled, V), blends(S, V)),
        "normalise: the exponentials are not divided by their sum over the keys": (blends(np.exp(scaled), V), blends(np.exp(S), V)),
        "normalise: all weights together sum to one; those of each query should": blends(np.exp(scaled) / np.exp(scaled).sum(), V),
    }
    return slips | {
        f"scale: it divides by the root of {name}; d_k is the width of a key": blends(by_rows(S / math.sqrt(size)), V)
        for name, size in others.items()
    }


def columns(attempt: Callable) -> Verdicts:
    for m, n, d_k, d_v in ((4, 6, 5, 3), (7, 2, 3, 8)):
        Q, K, V = draws(30 + m, (d_k, m), (d_k, n), (d_v, n))
        S = products(Q.T, K.T)
        turned = "transposed: a score is the product of two columns, one of Q and one of K, so their entries are the inner size"
        rows = "convention: this treats rows as vectors; here vectors are columns"
        with misfits(
            {
                (m, d_k): turned,
                (n, d_k): turned,
                (d_k, d_k): turned,
                (m, n): "transposed: a column of the weights belongs to a query, a row of them to a key",
                (n, m): "transposed: a column of the output belongs to a query, so the weights have a column for each query",
                (n, d_v): rows,
                (m, d_v): "transposed: the columns of V are blended, so V stands on the left of the weights",
                (d_k, d_v): rows,
                (d_v, n): rows,
                (d_v, m): rows,
            }
        ):
            O = ask(attempt, Q=Q, K=K, V=V)
        yield O.shape not in ((m, n), (n, m)), "output: this has the shape of the weights; what they weigh is still to come"
        yield O.shape != (m, d_v), "convention: the output has its queries in rows; here they are columns"
        yield from fits(O, (d_v, m))
        slips = head_slips(S, V.T, d_k, {"m": m, "n": n, "d_v": d_v})
        yield from compare(
            O,
            blends(by_rows(S / math.sqrt(d_k)), V.T).T,
            {hint: tuple(np.transpose(x) for x in (slip if isinstance(slip, tuple) else (slip,))) for hint, slip in slips.items()},
            "the shape is right; take one query first: its scores, their scale, its weights, its blend",
        )


def batch(attempt: Callable) -> Verdicts:
    for b, m, n, d_k, d_v in ((2, 4, 6, 5, 3), (3, 2, 4, 7, 5)):
        Q, K, V = draws(60 + m, (b, m, d_k), (b, n, d_k), (b, n, d_v))
        K[0] *= 40  # one member with scores far beyond those of the others
        S = np.array([products(q, k) for q, k in zip(Q, K)]) / math.sqrt(d_k)

        def lookups(weights, V: Sequence[np.ndarray] | np.ndarray = V):
            return np.array([blends(A, v) for A, v in zip(weights, V)])

        def shared(axis):
            e = np.exp(S - S.max(axis=axis, keepdims=True))
            return e / e.sum(axis=axis, keepdims=True)

        with misfits({(d_k, n): "transposed: in each member a row of the scores belongs to a query, a column to a key"}):
            O = ask(attempt, Q=Q, K=K, V=V)
        yield O.shape != (b, m, n), "output: this has the shape of the weights; what they weigh is still to come"
        yield O.shape != (m, d_v), "batch: one member came back; there is one lookup for each"
        yield from fits(O, (b, m, d_v))
        yield from compare(
            O,
            lookups(by_rows(s) for s in S),
            {
                "axis: the weights of one key over all queries sum to one; as in the code above": lookups(shared(1)),
                "axis: the weights of one pair over the members of the batch sum to one; each member is a lookup of its own": lookups(
                    shared(0)
                ),
                "axis: all weights of a member sum to one; each query should share out one unit": lookups(shared((1, 2))),
                "axis: all weights of the batch sum to one; each query should share out one unit": lookups(shared((0, 1, 2))),
                "normalise: the exponentials are not divided by their sum over the keys": lookups(
                    np.exp(S - S.max(axis=-1, keepdims=True))
                ),
                "scale: the scores are not divided by the root of d_k": lookups(by_rows(s * math.sqrt(d_k)) for s in S),
                "scale: it divides by d_k; the root of it is wanted": lookups(by_rows(s / math.sqrt(d_k)) for s in S),
                "scale: it divides by the root of another size; d_k is the width of a key": tuple(
                    lookups(by_rows(s * math.sqrt(d_k / size)) for s in S) for size in (b, m, n, d_v)
                ),
                "batch: every member reads the values of the first one": lookups((by_rows(s) for s in S), [V[0]] * b),
                "batch: the members have changed places": lookups((by_rows(s) for s in S), V[::-1]),
                "soft: each query takes its best key alone": np.array([v[s.argmax(axis=1)] for s, v in zip(S, V)]),
                "sign: the worst match has the largest weight": lookups(by_rows(-s) for s in S),
                "softmax: the scores are used as weights": lookups(S),
            },
            "one member alone: does each of its queries share out one unit over the keys?",
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
    Exercise("columns", "02", "Tokens in columns", "apply", 6, columns),
    Exercise("symmetric-scores", "02", "When are the scores symmetric?", "apply", 5),
    Exercise("cross-attention", "02", "One set asks, another answers", "extend", 8, cross_attention),
    Exercise("batch", "02", "The values that do not come back", "find the bug", 7, batch),
)
