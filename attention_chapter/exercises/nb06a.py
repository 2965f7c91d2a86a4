"""The exercises of notebook 06a, keys that lean together."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import Exercise, Verdicts, ask, compare, dot, draws, fits, misfits


def keys_allowed(attempt: Callable) -> Verdicts:
    for n, p, c in ((7, 0.9, 8.0), (4, 0.99, 5.0), (13, 0.5, 30.0), (1000, 0.999, 20.0)):
        got = ask(attempt, n=n, p=p, c=c)
        yield from fits(got, ())
        need = math.log((n - 1) * p / (1 - p))
        slips = (
            {
                "part: this is what orthonormal keys need, as a part of c; the cosine is the rest": need / c,
                "sharpness: this is what orthonormal keys need; a cosine is wanted": need,
                "upside down: the more sharpness there is, the more alike the keys may be": 1 - c / need,
                "sign: it is above 1, and a cosine is not": 1 + need / c,
                "slots: the one asked for does not compete with itself": 1 - math.log(n * p / (1 - p)) / c,
                "slots: their number is not used": 1 - math.log(p / (1 - p)) / c,
                "odds: compare p with what it leaves to the others": 1 - math.log((n - 1) * p) / c,
                "odds: the larger p, the smaller the cosine": 1 - math.log((n - 1) * (1 - p) / p) / c,
                "logarithm: it must be the natural one": (1 - need / math.log(10) / c, 1 - need / math.log(2) / c),
                "logarithm: odds are compared with e to the lead, and not with the lead": 1 - (n - 1) * p / (1 - p) / c,
                "query: this is for the best query; here a key itself asks": 1 - (n - 1) / n * (need / c) ** 2,
                "sharpness: it is not used": 1 - need,
                "product: sharpness and lead multiply to what is needed, so one is divided by the other": 1 - need * c,
                "turned: the slot asked for has the logit c, and the others have less": need / c - 1,
            }
            if n == 7
            else {}
        )
        yield from compare(got, 1 - need / c, slips, "with this cosine the slot asked for should get p, and with a larger one less")


def fair_scores(attempt: Callable) -> Verdicts:
    for n, d, c in ((5, 3, 1.7), (4, 6, 0.6)):
        (K,) = draws(110 + n, (n, d))
        squares = np.array([dot(k, k) for k in K])
        with misfits({(d, n): "product: a key is multiplied with itself alone"}):
            got = ask(attempt, K=K, c=c)
        yield got.shape != (d,), "axis: there is one number for each key, so sum along the rows"
        yield got.shape != (n, n), "pairs: each key is multiplied with itself alone"
        yield from fits(got, (n,))
        b = -c * squares / 2
        yield (
            got.max() == 0 or not np.allclose(got - got[0], b - b[0], rtol=1e-9, atol=1e-9),
            "shift: the weights would be right; move all entries so that the largest is 0",
        )
        slips = {
            "sign: it favours the long keys once more": -b - (-b).max(),
            "half: a square of a distance holds the dot product twice": 2 * b - (2 * b).max(),
            "sharpness: it is not used": b / c - (b / c).max(),
            "length: its square is what counts": -c * np.sqrt(squares) / 2 + c * np.sqrt(squares).min() / 2,
            "sharpness: it counts once": c * b - (c * b).max(),
            "factor: this multiplies an exponential; to a logit its exponent is added": np.exp(b),
            "mean: the square of a length is a sum": b / d - (b / d).max(),
            "logarithm: the exponent is there already": -np.log(squares) / 2 + np.log(squares).min() / 2,
            "width: the root of a width has no place here": (b - b.max()) / math.sqrt(d),
            "sum: each key has its own length": b / squares.sum() - (b / squares.sum()).max(),
            "square: of a length, and only once": -c * squares**2 / 2 + c * squares.min() ** 2 / 2,
        }
        yield from compare(
            got, b - b.max(), slips, "added to the logits, it should leave the Gaussian of each distance, and no more"
        )


def sign_keys(attempt: Callable) -> Verdicts:
    for c, d, p in ((5.0, 4, 0.7), (9.0, 7, 0.9), (3.0, 10, 0.5)):
        got = ask(attempt, c=c, d=d, p=p)
        yield from fits(got, ())
        rest, mean = (1 - p) / p, 0.0
        for agree in range(d + 1):  # the number of entries in which two keys agree
            mean += math.comb(d, agree) / 2**d * math.exp(c * (2 * agree / d - 1))
        want = 1 + rest * math.exp(c) / mean
        slips = (
            {
                "bound: this is the promise that holds for all; the mean itself is smaller": 1 + rest * math.exp(c - c * c / 2 / d),
                "p: 1/9 belongs to a weight of 0.9": 1 + math.exp(c) / mean / 9,
                "slots: the one asked for counts too": want - 1,
                "odds: upside down; the larger p, the fewer slots": 1 + math.exp(c) / mean / rest,
                "odds: compare what leaks with p, and not with 1": 1 + (1 - p) * math.exp(c) / mean,
                "entries: one of them adds a part of the cosine, the more the fewer there are": (
                    1 + rest * math.exp(c) / math.cosh(c) ** d,
                    1 + rest * math.exp(c) / math.cosh(c / math.sqrt(d)) ** d,
                ),
                "entries: there are d of them, and their exponentials multiply": (
                    1 + rest * math.exp(c) / math.cosh(c / d),
                    1 + rest * math.exp(c) / math.cosh(c / d) / d,
                ),
                "half: two cases that are equally likely have the half of their sum as mean": 1 + rest * math.exp(c) / mean / 2**d,
                "lead: the slot asked for has an exponential too": 1 + rest / mean,
                "sign: the sharper the query, the more slots": 1 + rest * math.exp(-c) / mean,
                "orthonormal: here the keys lean, by chance": 1 + rest * math.exp(c),
                "mean: the odds are divided by it": 1 + rest * math.exp(c) * mean,
                "sine: the two exponentials are added": 1 + rest * math.exp(c) / math.sinh(c / d) ** d,
                "whole: round nothing here": math.floor(want),
            }
            if d == 4
            else {}
        )
        yield from compare(got, want, slips, "the mean odds of the others should sum to what p leaves, divided by p")


EXERCISES = (
    Exercise("keys-allowed", "06a", "How alike may they be?", "apply", 6, keys_allowed),
    Exercise("fair-scores", "06a", "A fair score", "apply", 8, fair_scores),
    Exercise("sign-keys", "06a", "Keys of signs", "extend", 10, sign_keys),
)
