"""The exercises of notebook 05a, on training a saturated softmax."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import Exercise, Verdicts, ask, compare, fits, same, shares


def brier_gradient(attempt: Callable) -> Verdicts:
    p, t = np.array([1 / 2, 1 / 3, 1 / 6]), 1
    # by hand: y = (1/2, -2/3, 1/6), p . y = 1/18, and each p_i (y_i - 1/18)
    want = np.array([2 / 9, -13 / 54, 1 / 54])
    y = np.array([1 / 2, -2 / 3, 1 / 6])
    weighted = y @ p
    got = ask(attempt, p=p, t=t)
    yield got.shape != (3, 3), "shape: this is a matrix; J times a vector has one number for each logit"
    yield got.shape != (), "shape: this is one number; the gradient has one for each logit"
    yield from fits(got, (3,))
    others = [p - np.eye(3)[k] for k in (0, 2)]
    yield from compare(
        got,
        want,
        {
            "weights: p - e_t is the gradient at the weights (at the logits it is that of another loss); it still has to pass through J": y,
            "p p^T: only diag(p) y is there (the plain sum or mean of y is 0); p . y weighs each y_i by its weight": p * y,
            "factor: p_i stands in front of both terms of J": y - weighted,
            "sign: J takes p . y off": p * (y + weighted),
            "downhill: this is the step; the gradient points uphill": -want,
            "factor: the half of L and the 2 of the square cancel": (2 * want, want / 2),
            "slot: slots are counted from 0": tuple(p * (other - other @ p) for other in others),
            "target: the loss also looks at e_t; without it it only spreads the weights": p * (p - p @ p),
            "target: e_t is taken off p, so that p_t goes to one": p * (p + np.eye(3)[1] - (p + np.eye(3)[1]) @ p),
            "loss: this is the gradient of 1 - p_t; the other weights count too": p * (p[1] - np.eye(3)[1]),
            "diagonal: J has more than its diagonal": p * (1 - p) * y,
            "J: it is diag(p) - p p^T; the outer product is missing its other p": p * y - weighted,
        },
        "J: what the loss says of the weights passes through J to the logits; raising all logits alike changes no loss, so the entries sum to zero",
    )
    z, h, t = [0.3, -1.2, 0.8, 2.0, -0.5], 1e-5, 4

    def loss(j, by):
        moved = shares(x + by * (k == j) for k, x in enumerate(z))
        return sum((x - (k == t)) ** 2 for k, x in enumerate(moved)) / 2

    by_nudging = [(loss(j, h) - loss(j, -h)) / (2 * h) for j in range(5)]
    # the difference quotient is itself off by about 1e-11, far less than is let pass
    yield same(ask(attempt, p=np.array(shares(z)), t=t), by_nudging), "size: right for three weights, wrong for five"


def until_the_weight(attempt: Callable) -> Verdicts:
    for g, p, rate in ((4.0, 0.9, 0.1), (7.0, 0.6, 0.25), (3.0, 0.2, 0.05)):
        end = math.log((1 - p) / p)

        def inner(x):
            return x - math.exp(-x)

        whole = inner(g) - inner(end)
        want = whole / (2 * rate)
        got = ask(attempt, g=g, p=p, rate=rate)
        yield from fits(got, ())
        yield from compare(
            got,
            want,
            {
                "end: this stops where both weights are equal; the weight p belongs to another gap": (inner(g) - inner(0))
                / (2 * rate),
                "end: the gap that belongs to p is ln((1 - p)/p), with the other sign": (inner(g) - inner(-end)) / (2 * rate),
                "end: p is a weight, and not a gap": (inner(g) - inner(p)) / (2 * rate),
                "end: the logarithm of p alone belongs to no gap; the ratio of the weights does": (
                    (inner(g) - inner(math.log(p))) / (2 * rate),
                    (inner(g) - inner(-math.log(p))) / (2 * rate),
                ),
                "dropped: e^{-g} is small for a large gap only, and not at the end": ((g - end) / (2 * rate), g / (2 * rate)),
                "integral: that of e^{-g} is -e^{-g}": (g + math.exp(-g) - end - math.exp(-end)) / (2 * rate),
                "rate: both slots move, so a step of the gap is 2 rate p_w": (whole / rate, whole / (4 * rate)),
                "rate: steps are a length over a speed; it is divided by, not multiplied": (
                    whole * 2 * rate,
                    whole * rate,
                    whole / 2 * rate,
                ),
                "sign: from the end up to g": -want,
                "loss: that is the time of the squared error on the output": (
                    (
                        math.exp(g)
                        - math.exp(end)
                        + 3 * (g - end)
                        - 3 * (math.exp(-g) - math.exp(-end))
                        - (math.exp(-2 * g) - math.exp(-2 * end)) / 2
                    )
                    / (2 * rate)
                ),
                "loss: it takes off e^g, as for the squared error; here it is 1 + e^{-g}": (math.exp(g) - math.exp(end))
                / (2 * rate),
                "gap: this is the integral up to g from nothing; take off what lies below the end": inner(g) / (2 * rate),
            },
            "integral: from the gap of p up to g of 1 + e^{-g}, over twice the rate",
        )


EXERCISES = (
    Exercise("silent-or-stuck", "05a", "Silent, or stuck?", "recall", 4),
    Exercise("brier-gradient", "05a", "A third loss", "apply", 9, brier_gradient),
    Exercise("until-the-weight", "05a", "Until it has the weight", "extend", 10, until_the_weight),
)
