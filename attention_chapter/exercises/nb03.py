"""The exercises of notebook 03, one query row."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from attention_chapter.exercises.machinery import Exercise, NotYet, Verdicts, ask, blend, call, compare, draws, fits, shares


def top_names(attempt: Callable) -> Verdicts:
    weights = np.array([0.07, 0.31, 0.02, 0.18, 0.29, 0.13])
    names = ("zoe", "abe", "kim", "lou", "eve", "pat")
    order = ("abe", "eve", "lou", "pat", "zoe", "kim")
    for k in (4, 1, 3):
        got = call(attempt, dict(weights=weights, names=names, k=k))
        if isinstance(got, str) or not isinstance(got, (Sequence, np.ndarray)):
            raise NotYet(f"it returns something of type {type(got).__name__}; a list of {k} names is wanted")
        got = [x.item() if isinstance(x, np.generic) else x for x in got]
        yield len(got) == k, f"count: it returns {len(got)} names where k = {k}"
        yield not all(isinstance(x, int) for x in got), "names: these are row numbers; look up who stands there"
        yield not all(isinstance(x, float) for x in got), "names: these are weights; say whose they are"
        yield all(isinstance(x, str) for x in got), "names: not all of what it returns are names"
        yield set(got) != set(order[-k:]), "order: these are the smallest weights"
        yield got == list(order[:k]) or got[::-1] != list(order[:k]), "order: the largest comes first"
        yield got != list(names[:k]), "order: these are the first names of the list; sort by weight"
        yield set(got) == set(order[:k]), "choice: these are not the names with the largest weights"
        yield got == list(order[:k]), "order: the right names, but not from the largest weight down"


def raw_lead(attempt: Callable) -> Verdicts:
    for d_k, i, j in ((9, 4, 3), (5, 0, 2)):
        z = [0.4, -1.1, 2.3, 0.0, 1.9]  # raw scores, known beforehand
        weights = np.array(shares(s / math.sqrt(d_k) for s in z))
        lead, root = z[i] - z[j], math.sqrt(d_k)
        got = ask(attempt, weights=weights, i=i, j=j, d_k=d_k)
        yield from fits(got, ())
        yield from compare(got, lead, {
            "scale: this is the lead of the scaled scores; the raw ones lie further apart": lead / root,
            "scale: it divides by the root of d_k; the scores were divided already, undo it": lead / d_k,
            "scale: it multiplies by d_k; the root of it is wanted": lead * root,
            "sign: i and j have changed places": -lead,
            "logarithm: a ratio of weights is e to the difference of scaled scores; take its logarithm":
                root * weights[i] / weights[j],
            "difference: subtract scores, not weights": root * (weights[i] - weights[j]),
            "logarithm: it must be the natural one": lead / math.log(10),
        }, "the ratio of two weights is e^(s_i - s_j), and s = z / sqrt(d_k)")


def without_a_key(attempt: Callable) -> Verdicts:
    for n, d_v, j in ((6, 4, 2), (3, 5, 0)):
        z, V = draws(50 + n, (n,), (n, d_v))
        weights = np.array(shares(z))
        kept = [k for k in range(n) if k != j]
        o = ask(attempt, weights=weights, V=V, j=j)
        yield from fits(o, (d_v,))
        yield from compare(o, blend(shares(z[kept]), V[kept]), {
            "normalise: what is left of the weights no longer sums to one": blend(weights[kept], V[kept]),
            "key j: its value still takes part": blend(weights, V),
            "normalise: it divides by p_j; what is left sums to 1 - p_j": blend(weights[kept], V[kept]) / weights[j],
            "normalise: it multiplies by 1 - p_j; divide by it": blend(weights[kept], V[kept]) * (1 - weights[j]),
            "weights: the keys that are left do not count alike; they keep their proportions": V[kept].mean(axis=0),
            "softmax: it takes the softmax of weights; they are shares already": blend(shares(weights[kept]), V[kept]),
            "key j: this is key j alone; all the others are wanted": V[j],
        }, "drop entry j of the weights and row j of V, divide the weights by their sum, then blend")


EXERCISES = (
    Exercise("top-names", "03", "Who is looked up first", "recall", 4, top_names),
    Exercise("between-the-values", "03", "How long can an output be?", "recall", 4),
    Exercise("raw-lead", "03", "From weights back to scores", "apply", 6, raw_lead),
    Exercise("without-a-key", "03", "If one entity were not there", "extend", 7, without_a_key),
)
