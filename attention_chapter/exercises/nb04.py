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
        slips = (
            {
                "means: they are not used; what is not centred adds to the spread of a product": d_k * vq * vk,
                "mean: this is the mean of the squares; a variance is taken about the mean": d_k * square,
                "mean: its square is added; it goes off": d_k * (square + mean * mean),
                "cross terms: twice the product of the means belongs to no variance here": d_k
                * (square - mean * mean + 2 * mq * mk),
                "product: the variance of a sum is a sum, that of a product is none": d_k * (vq + vk),
                "width: this is one term of the sum; there are d_k of them": square - mean * mean,
                "width: the variances of independent terms add, so d_k appears once": d_k * d_k * (square - mean * mean),
                "cross terms: the square of a mean goes with the variance of the other vector": d_k
                * (vq * vk + mq * mq * vq + mk * mk * vk),
                "squares: a mean enters by its square": d_k * (vq * vk + mq * vk + mk * vq),
                "variances: they are squares already": d_k * (vq**2 * vk**2 + mq**2 * vk**2 + mk**2 * vq**2),
                "root: this is the standard deviation": math.sqrt(d_k * (square - mean * mean)),
                "means: only one of the two means is used": (d_k * (vq * vk + mq * mq * vk), d_k * (vq * vk + mk * mk * vq)),
                "means: this is what they add; the product of the variances is there without them": d_k
                * (mq * mq * vk + mk * mk * vq),
            }
            if mq == 0.5
            else {}
        )
        yield from compare(
            got, d_k * (square - mean * mean), slips, "terms: z is a sum of d_k independent terms; find the variance of one"
        )


def standard_errors(attempt: Callable) -> Verdicts:
    # chosen so that (2 + 6/d_k)/N is 1/100 or 1/25, and the standard error 1/10 or 1/5
    for ratio, d_k, N, want in ((1.2337, 3, 400, 2.337), (0.8117, 6, 75, -0.9415), (1.0, 2, 500, 0.0), (1.3171, 1, 800, 3.171)):
        got = ask(attempt, ratio=ratio, d_k=d_k, N=N)
        yield from fits(got, ())
        spread = 2 + 6 / d_k
        slips = (
            {
                "sign: a ratio above 1 should give a positive number": -want,
                "root: the standard error is the root of the variance": (ratio - 1) / (spread / N),
                "draws: the variance of an average is N times smaller": (ratio - 1) / math.sqrt(spread),
                "draws: more of them make the error smaller, and the same ratio stranger": (
                    (ratio - 1) / math.sqrt(spread * N),
                    (ratio - 1) * math.sqrt(spread / N),
                ),
                "draws: the root is taken of the spread, but not of N": (ratio - 1) / (math.sqrt(spread) / N),
                "draws: the variance of the mean divides by all N": (ratio - 1) / math.sqrt(spread / (N - 1)),
                "width: the spread of z^2 depends on the width; this has that of infinitely many terms": (ratio - 1)
                / math.sqrt(2 / N),
                "width: the wider, the closer the spread comes to that of a normal z; here it grows": (ratio - 1)
                / math.sqrt((2 + 6 * d_k) / N),
                "width: the ratio is divided by d_k already": (ratio / d_k - 1) / math.sqrt(spread / N),
                "expected: count from what the theorem predicts, not from 0": ratio / math.sqrt(spread / N),
                "ratio: take the difference from 1, not a logarithm or a quotient": math.log(ratio) / math.sqrt(spread / N),
                "error: this is the standard error; say how many of them the ratio is off": math.sqrt(spread / N),
            }
            if want == 2.337
            else {"sign: a ratio below 1 should give a negative number": -want}
            if want < 0
            else {}
        )
        yield from compare(
            got, want, slips, "errors: a ratio of 1 is off by none; four times the draws make the same ratio twice as strange"
        )


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
        yield from compare(
            got,
            want,
            {
                "means: the two terms with the means are missing": trace,
                "trace: the trace of a product is no product of traces": np.trace(Sq) * np.trace(Sk) + first + second,
                "trace: sum the diagonal of the product, not all of its entries": (Sq @ Sk).sum() + first + second,
                "off the diagonal: the other covariances count too": np.diag(Sq) @ np.diag(Sk) + first + second,
                "cross terms: a mean goes with the covariance of the other vector": trace + mq @ Sq @ mq + mk @ Sk @ mk,
                "means: only one of the two terms is there": (trace + first, trace + second),
                "mean: the square of the mean of z must not be in it": trace + first + second + mean**2,
                "means: what is there without any mean is missing": first + second,
                "mean: this is the mean of z^2, or a part of it": mean**2,
                "sign: the means add to the spread": trace - first - second,
                "cross terms: the two means never meet each other": trace + first + second + 2 * mean,
                "diagonal: a covariance matrix is more than its trace": trace
                + np.trace(Sq) * dot(mk, mk)
                + np.trace(Sk) * dot(mq, mq),
                "root: this is the standard deviation": math.sqrt(want),
            },
            "covariances: write z^2 as a double sum; where both matrices are diagonal, exercise 3 should come out",
        )


EXERCISES = (
    Exercise("which-step", "04", "Which step breaks?", "recall", 4),
    Exercise("standard-errors", "04", "How far off, in standard errors", "apply", 5, standard_errors),
    Exercise("score-variance", "04", "Components with a mean", "apply", 8, score_variance),
    Exercise("general-variance", "04", "Components that go together", "extend", 10, general_variance),
)
