"""The exercises of notebook 03, one query row."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from attention_chapter.exercises.machinery import (
    Exercise,
    NotYet,
    Verdicts,
    ask,
    blend,
    call,
    compare,
    draws,
    fits,
    misfits,
    shares,
)


def top_names(attempt: Callable) -> Verdicts:
    weights = np.array([0.29, 0.13, 0.31, 0.02, 0.07, 0.18])
    names = ("zoe", "abe", "kim", "lou", "eve", "pat")
    order = ("kim", "zoe", "pat", "abe", "eve", "lou")  # neither that of the alphabet nor that of the list, either way round
    for k in (4, 1, 3):
        got = call(attempt, dict(weights=weights, names=names, k=k))
        if isinstance(got, dict):
            raise NotYet("it returns a dict; return the bare names, in order")
        if isinstance(got, str) or not isinstance(got, (Sequence, np.ndarray)):
            raise NotYet(f"it returns something of type {type(got).__name__}; a list of {k} names is wanted")
        got = [x.item() if isinstance(x, np.generic) else x for x in got]
        yield len(got) == k, f"count: it returns {len(got)} names where k = {k}"
        yield not all(isinstance(x, (tuple, list)) for x in got), "names: these are pairs or longer; return the bare names"
        yield not all(isinstance(x, int) for x in got), "names: these are row numbers; look up who stands there"
        yield not all(isinstance(x, float) for x in got), "names: these are weights; say whose they are"
        yield all(isinstance(x, str) for x in got), "names: not all of what it returns are names"
        yield set(got) != set(order[-k:]), "order: these are the smallest weights"
        yield got == list(order[:k]) or got[::-1] != list(order[:k]), "order: the largest comes first"
        yield got != list(names[:k]), "order: these are the first names of the list; sort by weight"
        yield got not in (sorted(names)[:k], sorted(names)[::-1][:k]), ("order: these are the ends of the alphabet; sort by weight")
        yield len(set(got)) == k, "choice: a name stands there twice"
        yield set(got) == set(order[:k]), "choice: these are not the names with the largest weights"
        yield (
            got == list(order[:k]) or got not in (sorted(got), sorted(got)[::-1]),
            ("order: the right names, in the order of the alphabet"),
        )
        yield got == list(order[:k]) or got != sorted(got, key=names.index), "order: the right names, in the order of the list"
        yield got == list(order[:k]), "order: the right names, but not from the largest weight down"


def raw_lead(attempt: Callable) -> Verdicts:
    for d_k, i, j in ((9, 4, 3), (7, 0, 2)):
        z = [0.4, -1.1, 2.3, 0.0, 1.9]  # raw scores, known beforehand
        weights = np.array(shares(s / math.sqrt(d_k) for s in z))
        lead, root = z[i] - z[j], math.sqrt(d_k)
        got = ask(attempt, weights=weights, i=i, j=j, d_k=d_k)
        yield from fits(got, ())
        yield from compare(
            got,
            lead,
            {
                "scale: this is the lead of the scaled scores; the raw ones lie further apart": lead / root,
                "scale: it divides by the root of d_k; the scores were divided already": lead / d_k,
                "scale: this is the root of the number of keys; the scale takes the width of a key": lead / root * math.sqrt(5),
                "scale: it multiplies by d_k; the root of it is wanted": lead * root,
                "sign: the lead of i over j is wanted, be it positive or negative": -lead,
                "logarithm: weights grow with e to the scores, which this leaves standing": root * weights[i] / weights[j],
                "difference: subtract scores, not weights": (root * (weights[i] - weights[j]), weights[i] - weights[j]),
                "logarithm: it must be the natural one": (lead / math.log(10), lead / math.log(2)),
                "logarithm: two scores are compared by their difference, not by their ratio": root
                * math.log(weights[i])
                / math.log(weights[j]),
                "keys: only one of the two is used": root * math.log(weights[i]),
                "exponential: it goes the wrong way; how does a score become a weight?": root * (math.exp(weights[i] - weights[j])),
            },
            "lead: it is 0 for two equal weights, and the same whatever the other weights are",
        )


def without_a_key(attempt: Callable) -> Verdicts:
    for n, d_v, j in ((6, 4, 2), (3, 5, 0)):
        z, V = draws(50 + n, (n,), (n, d_v))
        weights = np.array(shares(z))
        kept = [k for k in range(n) if k != j]
        with misfits(
            {
                (n - 1, n): "key j: its weight is gone, but not its row of V",
                (n, n - 1): "key j: its row of V is gone, but not its weight",
            }
        ):
            o = ask(attempt, weights=weights, V=V, j=j)
        yield o.shape != (d_v - 1,), "axis: a column of V is gone; a value is a row"
        yield from fits(o, (d_v,))
        yield from compare(
            o,
            blend(shares(z[kept]), V[kept]),
            {
                "normalise: what is left of the weights no longer sums to one": blend(weights[kept], V[kept]),
                "key j: its value still takes part": blend(weights, V),
                "normalise: it divides by the weight of key j; what do the others sum to?": blend(weights[kept], V[kept])
                / weights[j],
                "normalise: it makes what is left smaller still": blend(weights[kept], V[kept]) * (1 - weights[j]),
                "normalise: the weights of those that are left sum to less than one": tuple(
                    blend(weights[kept], V[kept]) / x for x in (n - 1, n, max(weights[kept]), math.hypot(*weights[kept]))
                ),
                "weights: the keys that are left do not count alike": V[kept].mean(axis=0),
                "proportions: the weight of key j is dealt out evenly; the others keep their ratios": blend(
                    weights[kept] + weights[j] / (n - 1), V[kept]
                ),
                "key j: another key is gone; rows are counted from 0": tuple(
                    blend(np.delete(weights, i) / np.delete(weights, i).sum(), np.delete(V, i, axis=0)) for i in range(n) if i != j
                ),
                "softmax: it takes the softmax of weights; they are shares already": blend(shares(weights[kept]), V[kept]),
                "key j: this is key j alone; all the others are wanted": V[j],
            },
            "others: their weights keep their ratios and sum to one, and the value of key j takes no part",
        )


EXERCISES = (
    Exercise("top-names", "03", "Who is looked up first", "recall", 4, top_names),
    Exercise("between-the-values", "03", "How long can an output be?", "recall", 4),
    Exercise("raw-lead", "03", "From weights back to scores", "apply", 6, raw_lead),
    Exercise("without-a-key", "03", "If one entity were not there", "extend", 7, without_a_key),
)
