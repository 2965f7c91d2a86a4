"""The exercises of notebook 04a, when the theorem fails."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import Exercise, Verdicts, ask, compare, dot, draws, fits


def fourth_moment(attempt: Callable) -> Verdicts:
    for d_k, N, chance in ((5, 7, 0.3), (2, 9, 0.05), (4, 3, 0.5)):
        # components that are 0, or else plus or minus one number: variance 1, and the fourth moment 1 / (2 chance)
        values, chances = (0.0, 1 / math.sqrt(2 * chance), -1 / math.sqrt(2 * chance)), (1 - 2 * chance, chance, chance)
        term: dict[float, float] = {}
        for (a, p), (b, q) in itertools.product(zip(values, chances), repeat=2):
            term[a * b] = term.get(a * b, 0.0) + p * q
        law = {0.0: 1.0}
        for _ in range(d_k):  # the score, term by term
            law = sums(law, term)
        square, fourth = (sum(p * z**power for z, p in law.items()) for power in (2, 4))
        spread = (fourth - square**2) / d_k**2
        kappa = 1 / (2 * chance)
        want = math.sqrt(spread / N)
        got = ask(attempt, d_k=d_k, N=N, fourth=kappa)
        yield from fits(got, ())
        slips = (
            {
                "normal: this is right for normal components, whose fourth moment is 3": math.sqrt((2 + 6 / d_k) / N),
                "root: the standard error is the root of the variance": want**2,
                "both: q and k each bring their fourth moment": math.sqrt((2 + (kappa - 3) / d_k) / N),
                "draws: the variance of an average is N times smaller": math.sqrt(spread),
                "draws: the root is taken of the spread, but not of N": math.sqrt(spread) / N,
                "width: the ratio is the variance over d_k": (math.sqrt(spread * d_k**2 / N), math.sqrt(spread * d_k / N)),
                "square: the square of the mean of z squared goes off": math.sqrt(fourth / d_k**2 / N),
                "pairs: two pairs that take the same value are four equal indices, and counted already": math.sqrt(
                    (2 + kappa**2 / d_k) / N
                ),
                "pairs: four places can be paired in three ways": math.sqrt((kappa**2 - 1) / d_k / N),
                "width: the more terms there are, the less their fourth moments count": math.sqrt((2 + (kappa**2 - 3)) / N),
                "fourth: it is a fourth moment already": math.sqrt((2 + (kappa**4 - 3) / d_k) / N),
                "sign: what was counted twice is left out, not added": math.sqrt((2 + (kappa**2 + 3) / d_k) / N),
                "components: this leaves out what depends on them": math.sqrt(2 / N),
            }
            if d_k == 5
            else {}
        )
        yield from compare(got, want, slips, "fourth moment: count again which terms of the fourth power have a mean that is not 0")


def sums(law: dict[float, float], term: dict[float, float]) -> dict[float, float]:
    """The law of the sum of two independent numbers."""
    found: dict[float, float] = {}
    for (a, p), (b, q) in itertools.product(law.items(), term.items()):
        found[a + b] = found.get(a + b, 0.0) + p * q
    return found


def score_difference(attempt: Callable) -> Verdicts:
    for d, nq, nk in ((3, 5, 4), (2, 4, 7)):
        # q takes one of a few values with equal chance, and so do both keys, independently: all cases, gone through one by one
        q, k = draws(60 + d, (nq, d), (nk, d))
        q, k = q + 0.7, k - 0.4
        z = [dot(a, b) - dot(a, c) for a, b, c in itertools.product(q, k, k)]
        mean = sum(z) / len(z)
        want = sum((s - mean) ** 2 for s in z) / len(z)
        mq, mk = q.mean(axis=0), k.mean(axis=0)
        Sq, Sk = ((u - u.mean(axis=0)).T @ (u - u.mean(axis=0)) / len(u) for u in (q, k))
        trace = sum(Sq[a, b] * Sk[b, a] for a in range(d) for b in range(d))
        got = ask(attempt, mean_q=mq, cov_q=Sq, mean_k=mk, cov_k=Sk)
        yield from fits(got, ())
        first, second = mk @ Sq @ mk, mq @ Sk @ mq
        yield from compare(
            got,
            want,
            {
                "one score: this is the variance of one of the two scores": trace + first + second,
                "one query: the two scores share it, so they are not independent": 2 * (trace + first + second),
                "mean of the keys: it is the same in both, and goes off in the difference": 2 * trace + 2 * second + first,
                "two keys: the noise of both adds up": trace + second,
                "mean of the query: it meets the difference of the keys as well": 2 * trace,
                "cross terms: a mean goes with the covariance of the other vector": (
                    2 * trace + 2 * mq @ Sq @ mq,
                    2 * trace + 2 * first,
                ),
                "trace: the trace of a product is no product of traces": 2 * np.trace(Sq) * np.trace(Sk) + 2 * second,
                "trace: sum the diagonal of the product, not all of its entries": 2 * (Sq @ Sk).sum() + 2 * second,
                "off the diagonal: the other covariances count too": 2 * np.diag(Sq) @ np.diag(Sk) + 2 * second,
                "factor: the difference of two keys has twice the covariance, not four times": 4 * (trace + second),
                "factor: both parts are doubled": (trace + 2 * second, 2 * trace + second),
                "noise of the query: it counts too, as the keys differ": 2 * second,
                "sign: what is independent adds to the spread": 2 * trace - 2 * second,
                "root: this is the standard deviation": math.sqrt(want),
            },
            "difference: write it as one score of q with one vector, and ask for the mean and the covariances of that vector",
        )


EXERCISES = (
    Exercise("which-divisor", "04a", "Which divisor?", "recall", 4),
    Exercise("fourth-moment", "04a", "Other fourth moments", "apply", 8, fourth_moment),
    Exercise("score-difference", "04a", "What the softmax sees", "extend", 10, score_difference),
)
