"""The exercises of notebook 06b, hit, miss, repeat."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import Exercise, Verdicts, ask, compare, draws, fits, same


def with_one(attempt: Callable) -> Verdicts:
    m, n = 4, 3
    (z,) = draws(150, (m, n))
    z += np.array([[3.0], [-1.5], [0.0], [6.0]])
    e = np.exp(z)
    want = e / (1 + e.sum(axis=1, keepdims=True))
    top = z.max(axis=1, keepdims=True)
    shifted = np.exp(z - top)
    got = ask(attempt, z=z)
    yield got.shape != (m, n + 1), "null slot: its weight is not asked for, only those of the n others"
    yield from fits(got, (m, n))
    slips = {
        "left alone: this is the function as it was; the one is an exponential too": shifted
        / (1 + shifted.sum(axis=1, keepdims=True)),
        "softmax: the one is gone": shifted / shifted.sum(axis=1, keepdims=True),
        "axis: each row has its own sum": (e / (1 + e.sum()), e / (1 + e.sum(axis=0))),
        "sign: the one is shifted by -s, as every logit is": shifted / (np.exp(top) + shifted.sum(axis=1, keepdims=True)),
        "exponential: the shift of a logit is a factor of its exponential": (
            shifted / (1 - top + shifted.sum(axis=1, keepdims=True)),
            shifted / (top + shifted.sum(axis=1, keepdims=True)),
        ),
        "numerator: it is the exponential of a logit": (1 + e) / (1 + e.sum(axis=1, keepdims=True)),
        "count: there is one null slot in a row, and not one for each logit": (
            e / (n + e.sum(axis=1, keepdims=True)),
            e / (1 + e).sum(axis=1, keepdims=True),
        ),
        "inverted: the larger a logit, the larger its weight": np.exp(-z) / (1 + np.exp(-z).sum(axis=1, keepdims=True)),
        "each alone: all logits of a row share one unit with the null slot": e / (1 + e),
        "logarithm: weights are wanted": np.log(want),
    }
    yield from compare(got, want, slips, "each weight should be e^z of its logit, over one and the sum of its row")
    far = ask(attempt, z=np.array([[1000.0, 999.0, -1000.0], [2.0, 1.0, 0.0]]))
    yield bool(np.isfinite(far[0]).all()), "overflow: e^1000 is too large for a float; shift first"
    yield bool(np.isfinite(far[1]).all()), "shift: each row has a largest logit of its own"
    odds, total = 1 / (1 + math.exp(-1)), 2 + math.e + math.exp(2)
    yield (
        same(far, [[odds, 1 - odds, 0], [math.exp(2) / total, math.e / total, 1 / total]]),
        "shift: it must leave large logits their shares",
    )


def tied_slots(attempt: Callable) -> Verdicts:
    for n, k, p in ((7, 2, 0.4), (13, 3, 0.3), (4, 1, 0.9), (1000, 5, 0.15)):
        got = ask(attempt, n=n, k=k, p=p)
        yield from fits(got, ())
        rest = (1 - k * p) / (n - k)
        want = math.log(p / rest) / (p - rest)
        slips = (
            {
                "tie: this is for a single slot": (n - 1) / (n * p - 1) * math.log((n - 1) * p / (1 - p)),
                "rest: k slots have p each, and one slot was taken away": math.log(p * (n - k) / (1 - p)) / (p - (1 - p) / (n - k)),
                "rest: n - k slots share it": (
                    math.log(p * (n - 1) / (1 - k * p)) / (p - (1 - k * p) / (n - 1)),
                    math.log(p * n / (1 - k * p)) / (p - (1 - k * p) / n),
                    math.log(p / (1 - k * p)) / (p - (1 - k * p)),
                ),
                "lead: the next logits are c times the weights, so their difference counts": (
                    math.log(p / rest) / p,
                    math.log(p / rest),
                ),
                "upside down: c times the difference of the weights is the logarithm": (p - rest) / math.log(p / rest),
                "sign: the tied slots have more than the others": -want,
                "product: c times the difference is the logarithm, so one is divided by the other": math.log(p / rest) * (p - rest),
                "logarithm: it must be the natural one": (math.log10(p / rest) / (p - rest), math.log2(p / rest) / (p - rest)),
                "logarithm: a ratio of weights is e to the lead": (p / rest) / (p - rest),
                "threshold: this is where the slope is one": 1 / (k * p * (1 - k * p)),
                "together: each of the tied slots is read alone": math.log(k * p / (1 - k * p)) / (k * p - (1 - k * p)),
                "whole: round nothing here": round(want),
            }
            if n == 7
            else {}
        )
        yield from compare(got, want, slips, "a reading with this sharpness should leave p on each tied slot")


def sparse_threshold(attempt: Callable) -> Verdicts:
    for z in ([0.9, 0.2, 0.55, -1.3, 0.4], [-3.0, 1.2, 1.0, 0.1], [5.0, 2.0, 1.0], [-0.4, -0.4, -0.4, -0.5, -0.6, -0.45], [0.7]):
        got = ask(attempt, z=np.array(z))
        yield got.shape != (len(z),), "shares: they are what is left above the threshold; the threshold itself is one number"
        yield from fits(got, ())
        down = sorted(z, reverse=True)
        taus = [(sum(down[:k]) - 1) / k for k in range(1, len(z) + 1)]
        k = max(j for j in range(1, len(z) + 1) if down[j - 1] > taus[j - 1])
        slips = (
            {
                "support: this lets all logits stay; here the lowest must go": taus[-1],
                "support: this lets only the largest stay": taus[0],
                "support: one logit too few stays": taus[k - 2],
                "support: one logit too many stays": taus[k],
                "mean: the shares sum to one, so one is taken from the sum first": sum(down[:k]) / k,
                "one: it is taken from the sum, and then divided too": sum(down[:k]) / k - 1,
                "sign: the shares are the logits less the threshold": (-taus[k - 1], (1 - sum(down[:k])) / k),
                "divide: k logits carry the threshold, each once": sum(down[:k]) - 1,
                "divide: only the logits that stay carry it": (sum(down[:k]) - 1) / len(z),
                "order: the largest logits stay, not the first ones": (sum(z[:k]) - 1) / k,
                "order: the largest logits stay, not the smallest": (sum(sorted(z)[:k]) - 1) / k,
                "place: this is the least logit that stays": down[k - 1],
                "place: this is the largest logit that goes": down[k],
                "count: this says how many stay": float(k),
                "softmax: its threshold is a logarithm": math.log(sum(map(math.exp, z))),
            }
            if len(z) == 5
            else {}
        )
        yield from compare(got, taus[k - 1], slips, "taken off every logit, it should leave positive parts that sum to one")


EXERCISES = (
    Exercise("two-reasons", "06b", "Two ways to be uncertain", "recall", 4),
    Exercise("tied-slots", "06b", "A tie that is read again", "apply", 7, tied_slots),
    Exercise("sparse-threshold", "06b", "The slots that stay", "extend", 8, sparse_threshold),
    Exercise("with-one", "06b", "The one in the denominator", "find the bug", 7, with_one),
)
