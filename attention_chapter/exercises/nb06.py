"""The exercises of notebook 06, the retrieval limit."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import (
    Exercise,
    Verdicts,
    ask,
    compare,
    dot,
    draws,
    fits,
    misfits,
    products,
    same,
    shares,
)


def leak(attempt: Callable) -> Verdicts:
    for c, n in ((1.3, 7), (0.0, 4), (math.log(3), 4), (6.0, 50)):
        e, one = math.exp(c), shares([c, c] + [0.0] * (n - 2))
        want = 1 - one[0] - one[1]
        got = ask(attempt, c=c, n=n)
        yield from fits(got, ())
        slips = (
            {
                "leak: this is the weight of the slots asked for; the leak is what goes elsewhere": 1 - want,
                "two: the second slot asked for is no leak": 1 - one[0],
                "slots: this is the share of one wrong slot": one[2],
                "two: this is the leak where one slot is asked for": (n - 1) / (e + n - 1),
                "two: each of the slots asked for has an exponential": (n - 2) / (e + n - 2),
                "two: each of the slots asked for has the logit c": (
                    (n - 2) / (e**2 + n - 2),
                    (n - 2) / (2 * e**2 + n - 2),
                    (n - 1) / (e**2 + n - 1),
                    (n - 2) / (2 * math.sqrt(e) + n - 2),
                ),
                "slots: it counts too many others": (n / (2 * e + n), (n - 1) / (2 * e + n - 1)),
                "sum: all n slots share one unit; the share of a slot has all of them below": (
                    (n - 2) / (2 * e),
                    1 - math.exp(-c),
                    (n - 2) / (2 * e + n),
                ),
                "sign: the leak shrinks as c grows": (n - 2) / (2 / e + n - 2),
                "exponential: the logits are no weights yet": ((n - 2) / (2 * c + n - 2), 1 - 2 * c),
                "mean: the total is wanted, not the mean": want / n,
                "odds: leak over weight is no share": (want / (1 - want), 1 / want - 1),
                "logarithm: a weight is wanted, not its logarithm": -math.log(1 - want),
            }
            if n == 7
            else {}
        )
        yield from compare(
            got, want, slips, "ends: at c = 0 all n slots count alike; and for n = 3 it should be the share of the third slot"
        )


def slots_held(attempt: Callable) -> Verdicts:
    for c, p in ((4.0, 0.7), (3.3, 0.8), (2.0, 0.4), (8.0, 0.99)):
        got = ask(attempt, c=c, p=p)
        yield from fits(got, ())
        e, rest = math.exp(c), (1 - p) / p
        most = 1
        while shares([c] + [0.0] * most)[0] >= p:  # with one slot more
            most += 1
        slips = {
            "whole: slots are counted; a part of one is none": 1 + e * rest,
            "one: with so many the weight is just below the wanted one": most + 1,
            "slots: the one asked for counts too": most - 1,
            "odds: upside down; the larger p, the fewer slots": math.floor(1 + e / rest),
            "odds: compare what leaks with p, and not with 1": math.floor(1 + e * (1 - p)),
            "p: it is not used": math.floor(1 + e),
            "p: what may leak is not used": math.floor(1 + e / p),
            "exponential: the logit is no weight yet": math.floor(1 + c * rest),
            "sign: the sharper the query, the more slots": math.floor(1 + rest / e),
            "exponential: its base is e": (math.floor(1 + 2**c * rest), math.floor(1 + 10**c * rest)),
            "square: the sharpness counts once": math.floor(1 + e**2 * rest),
            "logarithm: a number of slots is wanted, not its logarithm": math.log(most),
        }
        yield from compare(
            got, most, slips, "so many slots should leave at least p to the one asked for, and one slot more should not"
        )


def row_cosines(attempt: Callable) -> Verdicts:
    for n, d in ((5, 3), (2, 4)):
        U, W = draws(90 + n, (n, d), (n, d))
        U[0] = (2 if n == 5 else -2) * W[0]  # parallel or opposite: 1 or -1
        U[1] = 0
        U[1, :2] = W[1, 1], -W[1, 0]  # at a right angle: 0
        lengths = np.array([[math.sqrt(dot(r, r)) for r in M] for M in (U, W)])
        inner = np.array([dot(u, w) for u, w in zip(U, W)])
        with misfits({(d, n): "pairs: row i of U goes with row i of W alone"}):
            got = ask(attempt, U=U, W=W)
        yield got.shape != (d,), "axis: there is one cosine for each row, so sum along the rows"
        yield got.shape != (n, n), "pairs: row i of U goes with row i of W alone"
        yield from fits(got, (n,))
        yield from compare(
            got,
            inner / lengths[0] / lengths[1],
            {
                "lengths: these are dot products; divide by both lengths": inner,
                "lengths: only that of U is divided by": inner / lengths[0],
                "lengths: only that of W is divided by": inner / lengths[1],
                "root: it divides by the squares of the lengths": inner / lengths[0] ** 2 / lengths[1] ** 2,
                "axis: the lengths are those of the whole arrays; each row has its own": inner
                / math.sqrt(dot(lengths[0], lengths[0]))
                / math.sqrt(dot(lengths[1], lengths[1])),
                "sign: parallel vectors have the cosine 1": -inner / lengths[0] / lengths[1],
                "angle: its cosine is wanted": np.arccos(np.clip(inner / lengths[0] / lengths[1], -1, 1)),
                "distance: 1 minus the cosine is something else": 1 - inner / lengths[0] / lengths[1],
                "square: the cosine itself is wanted": (inner / lengths[0] / lengths[1]) ** 2,
                "mean: a dot product is a sum": inner / d / lengths[0] / lengths[1],
                "lengths: they multiply": inner / (lengths[0] + lengths[1]),
                "size: it leaves out the sign; opposite vectors have the cosine -1": abs(inner) / lengths[0] / lengths[1],
            },
            "lengths: a row and itself have the cosine 1, and so have a row and twice that row",
        )


def crosstalk_free(attempt: Callable) -> Verdicts:
    for n, d, s, c in ((4, 6, 1, 3.0), (3, 5, 2, 0.5)):
        (K,) = draws(100 + n, (n, d))
        K = K + 1.0
        K = np.array([k / math.sqrt(dot(k, k)) for k in K])
        with misfits({(d, n): "shape: something with a number for each slot meets a key; a query has the width of a key"}):
            q = ask(attempt, K=K, s=s, c=c)
        yield q.shape != (n,), "shape: this has one number for each slot; a query has the width of a key"
        yield from fits(q, (d,))
        z = products([q], K)[0]
        wanted = c * np.eye(n)[s]
        yield not same(q, c * K[s]), "crosstalk: c k_s also matches the other keys; the query must avoid them"
        yield bool(q.any()), "zero: nothing but 0 came back, whatever the arguments are"
        yield not same(z, np.full(n, c)), "all: every slot gets the logit c; one alone should"
        yield not same(z, -wanted), "sign: slot s gets the logit -c"
        yield not same(z, np.eye(n)[s]), "sharpness: slot s gets the logit 1; it should get c"
        yield not any(same(z, c * e) for i, e in enumerate(np.eye(n)) if i != s), "slot: another slot gets the logit c"
        yield (
            not (same(np.delete(z, s), np.zeros(n - 1)) and not same(z, wanted)),
            ("sharpness: the crosstalk is gone, but slot s does not get the logit c"),
        )
        yield same(z, wanted), "crosstalk: K q should be c in place s and 0 in all others"
        # what of q lies outside the span of the keys matches no key and only makes it longer
        rest, basis = q.copy(), []
        for k in K:
            for b in basis:
                k = k - dot(k, b) * b
            basis.append(k / math.sqrt(dot(k, k)))
        for b in basis:
            rest = rest - dot(rest, b) * b
        yield same(rest, np.zeros(d)), "length: a shorter query has the same logits; take no more than the keys span"


EXERCISES = (
    Exercise("leak", "06", "What leaks", "recall", 4, leak),
    Exercise("row-cosines", "06", "Cosines, row by row", "apply", 5, row_cosines),
    Exercise("slots-held", "06", "How many slots?", "apply", 6, slots_held),
    Exercise("two-slot-tension", "06", "Only two slots", "apply", 5),
    Exercise("crosstalk-free", "06", "A query without crosstalk", "extend", 12, crosstalk_free),
)
