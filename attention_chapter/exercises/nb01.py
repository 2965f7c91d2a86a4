"""The exercises of notebook 01, the soft dictionary."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import (
    Exercise,
    Verdicts,
    ask,
    blend,
    compare,
    draws,
    fits,
    misfits,
    products,
    same,
    shares,
)


def stored_twice(attempt: Callable) -> Verdicts:
    for d_k, d_v, times in ((3, 2, (1, 3, 2, 5, 1)), (6, 3, (4, 1, 1, 2))):
        n = len(times)
        q, K, V = draws(10 + n, (d_k,), (n, d_k), (n, d_v))
        z = products([q], K)[0]
        e = [math.exp(s) for s in z]
        copies = [j for j in range(n) for _ in range(times[j])]
        z_all, V_all = z[copies], V[copies]
        e_all, total = [math.exp(s) for s in z_all], sum(times)
        with misfits(
            {(d_k, n): "scores: q meets every row of K, entry by entry", (n, d_v): "blend: the shares weigh the rows of V"}
        ):
            o = ask(attempt, q=q, K=K, V=V, times=np.array(times))
        yield o.shape not in ((n,), (total,)), "blend: one number for each slot; use these shares to average the rows of V"
        yield from fits(o, (d_v,))
        yield from compare(
            o,
            blend(shares(z_all), V_all),
            {
                "copies: every slot counts once, however often it is stored": blend(shares(z), V),
                "copies: the values are multiplied, but the sum of the shares does not know it": blend(
                    shares(z), V * np.array(times)[:, None]
                ),
                "copies: the scores are multiplied, and not the exponentials; who fits badly would count less for being stored twice": blend(
                    shares(z * times), V
                ),
                "copies: the number is added to the score; which score doubles an exponential?": blend(shares(z + times), V),
                "copies: the more often a slot is stored, the more it counts": (
                    blend(shares(z - np.log(times)), V),
                    blend(np.array(e) / times / sum(x / t for x, t in zip(e, times)), V),
                ),
                "softmax: the scores themselves are the weights; turn them into shares first": (
                    blend(z_all, V_all),
                    blend(z_all / z_all.sum(), V_all),
                ),
                "normalise: the exponentials are not divided by their sum": (blend(e_all, V_all), blend(e, V)),
                "soft: this is the value of the best slot; let every slot answer by its share": V[int(np.argmax(z))],
                "normalise: the shares must sum to one": tuple(
                    blend(e_all, V_all) / x for x in (max(e), math.hypot(*e_all), n, total)
                ),
                "scores: all keys count alike; weigh them by how well they fit q": (
                    V.mean(axis=0),
                    V_all.mean(axis=0),
                    V_all.sum(axis=0),
                ),
                "scale: this notebook divides the scores by nothing; the root of d_k comes later": blend(
                    shares(z_all / math.sqrt(d_k)), V_all
                ),
                "sign: the worst match has the largest share": blend(shares(-z_all), V_all),
            },
            "the shape is right; write the memory down with all its copies: the share of each, then its part of the output",
        )


def two_slots(attempt: Callable) -> Verdicts:
    for p, gap in ((0.9, 1.6), (0.75, 0.5), (0.5, 3.0), (0.999, 0.25)):
        c = ask(attempt, p=p, gap=gap)
        yield from fits(c, ())
        odds = math.log(p / (1 - p))
        if p != 0.5:
            yield from compare(
                c,
                odds / gap,
                {
                    "gap: it is not used; scores that lie further apart need less sharpness": odds,
                    "gap: it multiplies by the gap; the larger the gap, the less sharpness is needed": odds * gap,
                    "sign: it is negative, so that the worse slot wins; mind which share stands on top": -odds / gap,
                    "logarithm: it must be the natural one, the inverse of the exponential": (
                        odds / gap / math.log(10),
                        odds / gap / math.log(2),
                    ),
                    "odds: compare the two shares with each other, not one of them with 1": (
                        math.log(p) / gap,
                        -math.log(1 - p) / gap,
                    ),
                    "logarithm: these are odds, which grow with e^c; the exponent is wanted": (p / (1 - p) / gap, p / (1 - p)),
                    "factor: it is twice, or half, of what is needed": (2 * odds / gap, odds / gap / 2),
                    "gap: the sharpness multiplies scores; it is not added to them": odds - gap,
                    "direction: this is a share that follows from p as a sharpness; the sharpness is wanted": 1
                    / (1 + math.exp(-p * gap)),
                },
                "back again: lay the scores gap and 0 out with your sharpness; the first share should be p",
            )
        else:
            yield same(c, 0), "even shares: for p = 1/2 no sharpness is needed, c = 0"


def downhill(attempt: Callable) -> Verdicts:
    for d_k, d_v, rate in ((3, 2, 0.3), (4, 5, 0.7)):
        q, o, t, D = draws(20 + d_k, (d_k,), (d_v,), (d_v,), (d_v, d_k))
        uphill = 2 * blend(o - t, D)
        with misfits({(d_k, d_v): "transposed: the gradient has a number for each entry of q, and sums over the outputs"}):
            got = ask(attempt, q=q, o=o, t=t, D=D, rate=rate)
        yield from fits(got, (d_k,))
        yield from compare(
            got,
            q - rate * uphill,
            {
                "sign: it walks uphill; descent goes against the gradient": q + rate * uphill,
                "factor: the derivative of a square has a factor 2, once": (q - rate * uphill / 2, q - rate * uphill * 2),
                "rate: the step is not multiplied by the rate": (q - uphill, q - uphill / rate),
                "step: this is the gradient; a step starts from q": uphill,
                "step: this is only the change; add it to q": -rate * uphill,
                "error: the gradient vanishes where the output is the wanted one; it depends on both": (
                    q - rate * 2 * blend(o, D),
                    q - rate * 2 * blend(t, D),
                ),
                "square: the derivative of a square is no square": q - rate * blend((o - t) ** 2, D),
                "length: the gradient keeps its length": q - rate * uphill / math.hypot(*uphill),
                "derivative: D is not used as it stands; each output pulls at q by its own row of it": tuple(
                    q - rate * 2 * x for x in ((o - t).sum(), blend(o - t, D**2), blend(o - t, abs(D)))
                ),
            },
            "step: where o is t already, q should stay, and at half the rate it should go half as far",
        )


EXERCISES = (
    Exercise("negative-sharpness", "01", "A sharpness below zero", "recall", 3),
    Exercise("stored-twice", "01", "Slots that are stored twice", "apply", 5, stored_twice),
    Exercise("two-slots", "01", "As sharp as you need", "apply", 6, two_slots),
    Exercise("downhill", "01", "One step downhill", "extend", 6, downhill),
)
