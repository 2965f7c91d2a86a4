"""The exercises of notebook 04, the square root of d_k."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import Exercise, Verdicts, ask, compare, dot, draws, fits


def score_variance(attempt: Callable) -> Verdicts:
    for d_k, mq, vq, mk, vk in ((5, 0.5, 2.5, -1.5, 3.0), (16, 0.0, 1.0, 0.0, 1.0), (7, 1.0, 1.0, 1.0, 1.0)):
        # components that are mean + or - spread with equal chance: four cases, gone through one by one
        cases = [(mq + a * math.sqrt(vq)) * (mk + b * math.sqrt(vk)) for a in (-1, 1) for b in (-1, 1)]
        mean, square = sum(cases) / 4, sum(x * x for x in cases) / 4
        got = ask(attempt, d_k=d_k, mean_q=mq, var_q=vq, mean_k=mk, var_k=vk)
        yield from fits(got, ())
        slips = {
            "means: they are not used; what is not centred adds to the spread of a product": d_k * vq * vk,
            "mean: this is the mean of the squares; take off the square of the mean, term by term": d_k * square,
            "width: this is one term of the sum; there are d_k of them": square - mean * mean,
            "width: the variances of independent terms add, so d_k appears once": d_k * d_k * (square - mean * mean),
            "cross terms: the square of a mean goes with the variance of the other vector":
                d_k * (vq * vk + mq * mq * vq + mk * mk * vk),
            "squares: a mean enters by its square": d_k * (vq * vk + mq * vk + mk * vq),
            "variances: they are squares already": d_k * (vq**2 * vk**2 + mq**2 * vk**2 + mk**2 * vq**2),
            "root: this is the standard deviation": math.sqrt(d_k * (square - mean * mean)),
            "means: only one of the two means is used": d_k * (vq * vk + mq * mq * vk),
        } if mq == 0.5 else {}
        yield from compare(got, d_k * (square - mean * mean), slips,
                           "each of the d_k terms has E[q^2] E[k^2] - E[q]^2 E[k]^2, and E[q^2] is var + mean^2")


def standard_errors(attempt: Callable) -> Verdicts:
    # chosen so that (2 + 6/d_k)/N is 1/100 or 1/25, and the standard error 1/10 or 1/5
    for ratio, d_k, N, want in ((1.25, 3, 400, 2.5), (0.8, 6, 75, -1.0), (1.0, 2, 500, 0.0), (1.3, 1, 800, 3.0)):
        got = ask(attempt, ratio=ratio, d_k=d_k, N=N)
        yield from fits(got, ())
        spread = 2 + 6 / d_k
        slips = {
            "sign: a ratio above 1 should give a positive number": -want,
            "root: the standard error is the root of the variance": (ratio - 1) / (spread / N),
            "draws: the variance of an average is N times smaller": (ratio - 1) / math.sqrt(spread),
            "draws: it multiplies by N; more draws make the error smaller": (ratio - 1) / math.sqrt(spread * N),
            "width: the term 6/d_k is missing": (ratio - 1) / math.sqrt(2 / N),
            "width: it multiplies by d_k; the term is 6/d_k": (ratio - 1) / math.sqrt((2 + 6 * d_k) / N),
            "expected: subtract 1, which the theorem predicts, before dividing": ratio / math.sqrt(spread / N),
            "error: this is the standard error; say how many of them the ratio is off": math.sqrt(spread / N),
        } if want == 2.5 else {"sign: a ratio below 1 should give a negative number": -want} if want < 0 else {}
        yield from compare(got, want, slips, "divide ratio - 1 by the root of (2 + 6/d_k)/N")


def general_variance(attempt: Callable) -> Verdicts:
    for d, nq, nk in ((3, 5, 4), (2, 4, 7)):
        # q and k each take one of a few values with equal chance, independently: all pairs, gone through one by one
        q, k = draws(60 + d, (nq, d), (nk, d))
        q, k = q + 0.7, k - 0.4
        z = [dot(a, b) for a, b in itertools.product(q, k)]
        mean = sum(z) / len(z)
        want = sum((s - mean) ** 2 for s in z) / len(z)
        mq, mk = q.mean(axis=0), k.mean(axis=0)
        Sq, Sk = ((u - u.mean(axis=0)).T @ (u - u.mean(axis=0)) / len(u) for u in (q, k))
        trace = sum(Sq[a, b] * Sk[b, a] for a in range(d) for b in range(d))
        got = ask(attempt, mean_q=mq, cov_q=Sq, mean_k=mk, cov_k=Sk)
        yield from fits(got, ())
        first, second = mk @ Sq @ mk, mq @ Sk @ mq
        yield from compare(got, want, {
            "means: the two terms with the means are missing": trace,
            "trace: the trace of a product is no product of traces": np.trace(Sq) * np.trace(Sk) + first + second,
            "trace: sum the diagonal of the product, not all of its entries": (Sq @ Sk).sum() + first + second,
            "off the diagonal: the other covariances count too": np.diag(Sq) @ np.diag(Sk) + first + second,
            "cross terms: a mean goes with the covariance of the other vector": trace + mq @ Sq @ mq + mk @ Sk @ mk,
            "means: only one of the two terms is there": trace + first,
            "mean: the square of the mean of z must not be in it": trace + first + second + mean ** 2,
            "trace: the term tr(cov_q cov_k) is missing": first + second,
        }, "the three terms are tr(cov_q cov_k), mean_k^T cov_q mean_k and mean_q^T cov_k mean_q")


EXERCISES = (
    Exercise("which-step", "04", "Which step breaks?", "recall", 4),
    Exercise("standard-errors", "04", "How far off, in standard errors", "apply", 5, standard_errors),
    Exercise("score-variance", "04", "Components with a mean", "apply", 8, score_variance),
    Exercise("general-variance", "04", "Components that go together", "extend", 10, general_variance),
)
