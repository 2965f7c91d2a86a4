"""The exercises of notebook 06, the retrieval limit."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import Exercise, Verdicts, ask, compare, dot, draws, fits, products, same, shares


def leak(attempt: Callable) -> Verdicts:
    for c, n in ((1.3, 7), (0.0, 4), (math.log(3), 4), (6.0, 50)):
        one = shares([c] + [0.0] * (n - 1))
        got = ask(attempt, c=c, n=n)
        yield from fits(got, ())
        slips = {
            "leak: this is the weight of the slot asked for; the leak is what goes elsewhere": one[0],
            "slots: this is the share of one wrong slot; there are n - 1 of them": one[1],
            "slots: it counts n other slots; there are n - 1": n / (math.exp(c) + n),
            "sum: the exponential of the right slot is missing below": (n - 1) / math.exp(c),
            "sum: it divides by e^c + n; the logits are c once and 0 for n - 1 slots": (n - 1) / (math.exp(c) + n),
            "sign: the leak shrinks as c grows": (n - 1) / (math.exp(-c) + n - 1),
        } if n == 7 else {}
        yield from compare(got, 1 - one[0], slips, "the leak is 1 - p, with p = e^c / (e^c + n - 1)")


def sharpness_needed(attempt: Callable) -> Verdicts:
    for n, p, rho in ((7, 0.9, 0.25), (4, 0.99, 0.0), (13, 0.5, -1 / 12), (1000, 0.999, 0.9)):
        got = ask(attempt, n=n, p=p, rho=rho)
        yield from fits(got, ())
        c = math.log((n - 1) * p / (1 - p))
        slips = {
            "rho: it is not used; keys that lean together need more": c,
            "rho: it multiplies by 1 - rho; the lead of the right logit is c (1 - rho), so divide": c * (1 - rho),
            "rho: the lead is c - rho c, not c + rho c": c / (1 + rho),
            "rho: only n - 1 logits are rho c; the right one is c": c / rho,
            "slots: there are n - 1 wrong slots, not n": math.log(n * p / (1 - p)) / (1 - rho),
            "slots: the number of slots is not used": math.log(p / (1 - p)) / (1 - rho),
            "odds: p stands above 1 - p": math.log((n - 1) * (1 - p) / p) / (1 - rho),
            "logarithm: it must be the natural one": c / (1 - rho) / math.log(10),
        } if n == 7 else {}
        yield from compare(got, c / (1 - rho), slips,
                           "with logits c once and rho c elsewhere, the right slot should get p")


def row_cosines(attempt: Callable) -> Verdicts:
    for n, d in ((5, 3), (2, 4)):
        U, W = draws(90 + n, (n, d), (n, d))
        U[0] = (2 if n == 5 else -2) * W[0]              # parallel or opposite: 1 or -1
        U[1] = 0
        U[1, :2] = W[1, 1], -W[1, 0]                     # at a right angle: 0
        lengths = np.array([[math.sqrt(dot(r, r)) for r in M] for M in (U, W)])
        inner = np.array([dot(u, w) for u, w in zip(U, W)])
        got = ask(attempt, U=U, W=W)
        yield got.shape != (d,), "axis: there is one cosine for each row, so sum along the rows"
        yield got.shape != (n, n), "pairs: row i of U goes with row i of W alone"
        yield from fits(got, (n,))
        yield from compare(got, inner / lengths[0] / lengths[1], {
            "lengths: these are dot products; divide by both lengths": inner,
            "lengths: only that of U is divided by": inner / lengths[0],
            "lengths: only that of W is divided by": inner / lengths[1],
            "root: it divides by the squares of the lengths": inner / lengths[0] ** 2 / lengths[1] ** 2,
            "axis: the lengths are those of the whole arrays; each row has its own":
                inner / math.sqrt(dot(lengths[0], lengths[0])) / math.sqrt(dot(lengths[1], lengths[1])),
            "sign: parallel vectors have the cosine 1": -inner / lengths[0] / lengths[1],
            "angle: its cosine is wanted": np.arccos(np.minimum(inner / lengths[0] / lengths[1], 1)),
            "size: it leaves out the sign; opposite vectors have the cosine -1": abs(inner) / lengths[0] / lengths[1],
        }, "for each row: u.w over the product of the two lengths, each the root of a sum of squares")


def crosstalk_free(attempt: Callable) -> Verdicts:
    for n, d, s, c in ((4, 6, 1, 3.0), (3, 5, 2, 0.5)):
        K, = draws(100 + n, (n, d))
        K = K + 1.0
        K = np.array([k / math.sqrt(dot(k, k)) for k in K])
        q = ask(attempt, K=K, s=s, c=c)
        yield q.shape != (n,), "shape: this has one number for each slot; a query has the width of a key"
        yield from fits(q, (d,))
        z = products([q], K)[0]
        wanted = c * np.eye(n)[s]
        yield not same(q, c * K[s]), "crosstalk: c k_s also matches the other keys; the query must avoid them"
        yield not same(z, np.eye(n)[s]), "sharpness: slot s gets the logit 1; it should get c"
        yield not any(same(z, c * e) for i, e in enumerate(np.eye(n)) if i != s), "slot: another slot gets the logit c"
        yield not (same(np.delete(z, s), np.zeros(n - 1)) and not same(z, wanted)), (
            "sharpness: the crosstalk is gone, but slot s does not get the logit c")
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
    Exercise("leak", "06", "What leaks", "recall", 3, leak),
    Exercise("sharpness-needed", "06", "The sharpness that is needed", "apply", 6, sharpness_needed),
    Exercise("row-cosines", "06", "Cosines, row by row", "apply", 5, row_cosines),
    Exercise("two-slot-tension", "06", "Only two slots", "apply", 5),
    Exercise("crosstalk-free", "06", "A query without crosstalk", "extend", 12, crosstalk_free),
)
