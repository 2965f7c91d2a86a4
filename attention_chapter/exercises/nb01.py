"""The exercises of notebook 01, the soft dictionary."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import Exercise, Verdicts, ask, blend, compare, draws, fits, products, same, shares


def soft_lookup(attempt: Callable) -> Verdicts:
    for n, d_k, d_v in ((5, 3, 2), (4, 6, 3)):
        q, K, V = draws(10 + n, (d_k,), (n, d_k), (n, d_v))
        z = products([q], K)[0]
        e = [math.exp(s) for s in z]
        o = ask(attempt, q=q, K=K, V=V)
        yield o.shape != (n,), "blend: one number for each slot; use these shares to average the rows of V"
        yield from fits(o, (d_v,))
        yield from compare(o, blend(shares(z), V), {
            "softmax: the scores themselves are the weights; turn them into shares first": blend(z, V),
            "normalise: the exponentials are not divided by their sum": blend(e, V),
            "soft: this is the value of the best slot; let every slot answer by its share": V[int(np.argmax(z))],
            "scores: all slots count alike; weigh them by how well their keys fit q": V.mean(axis=0),
            "scale: this notebook divides the scores by nothing; the root of d_k comes later":
                blend(shares(z / math.sqrt(d_k)), V),
            "sign: the worst match has the largest share": blend(shares(-z), V),
        }, "the shape is right; the steps are: scores K q, softmax, then the sum of p_j v_j")


def two_slots(attempt: Callable) -> Verdicts:
    for p, gap in ((0.9, 2.0), (0.75, 0.5), (0.5, 3.0), (0.999, 0.25)):
        c = ask(attempt, p=p, gap=gap)
        yield from fits(c, ())
        odds = math.log(p / (1 - p))
        if p != 0.5:
            yield from compare(c, odds / gap, {
                "gap: it is not used; scores that lie further apart need less sharpness": odds,
                "gap: it multiplies by the gap; the larger the gap, the less sharpness is needed": odds * gap,
                "sign: it is negative, so that the worse slot wins; mind which share stands on top": -odds / gap,
                "logarithm: it must be the natural one, the inverse of the exponential": odds / gap / math.log(10),
                "odds: compare the two shares, p against 1 - p, not p alone": math.log(p) / gap,
                "logarithm: the odds e^(c gap) = p/(1-p) still stand there; solve for c": p / (1 - p) / gap,
            }, "put your c back into 1/(1 + e^(-c gap)): it should give p")
        else:
            yield same(c, 0), "even shares: for p = 1/2 no sharpness is needed, c = 0"


def downhill(attempt: Callable) -> Verdicts:
    for d_k, d_v, rate in ((3, 2, 0.3), (4, 5, 0.7)):
        q, o, t, D = draws(20 + d_k, (d_k,), (d_v,), (d_v,), (d_v, d_k))
        uphill = 2 * blend(o - t, D)
        got = ask(attempt, q=q, o=o, t=t, D=D, rate=rate)
        yield from fits(got, (d_k,))
        yield from compare(got, q - rate * uphill, {
            "sign: it walks uphill; the gradient is 2 D^T (o - t), and the step goes against it":
                q + rate * uphill,
            "factor: the derivative of a square has a factor 2": q - rate * uphill / 2,
            "rate: the step is not multiplied by the rate": q - uphill,
            "step: this is the gradient; the new query is q minus the rate times it": uphill,
            "step: this is only the change; add it to q": -rate * uphill,
        }, "the new query is q - rate * 2 D^T (o - t)")


EXERCISES = (
    Exercise("negative-sharpness", "01", "A sharpness below zero", "recall", 3),
    Exercise("soft-lookup", "01", "A lookup of your own", "apply", 5, soft_lookup),
    Exercise("two-slots", "01", "As sharp as you need", "apply", 6, two_slots),
    Exercise("downhill", "01", "One step downhill", "extend", 6, downhill),
)
