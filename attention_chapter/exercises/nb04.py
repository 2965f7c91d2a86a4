"""The exercises of notebook 04, the square root of d_k."""

from __future__ import annotations

import math
from collections.abc import Callable

from attention_chapter.exercises.machinery import Exercise, Verdicts, ask, compare, draws, fits


def right_divisor(attempt: Callable) -> Verdicts:
    for d_k, vq, vk in ((7, 2.5, 0.6), (3, 0.3, 5.0), (16, 1.0, 1.0)):
        # components that are plus or minus their spread with equal chance: every term is plus or minus the product
        term = (math.sqrt(vq) * math.sqrt(vk)) ** 2
        want = math.sqrt(sum([term] * d_k))
        got = ask(attempt, d_k=d_k, var_q=vq, var_k=vk)
        yield from fits(got, ())
        slips = (
            {
                "variances: the components have others than 1 here": math.sqrt(d_k),
                "root: this is the variance of the score; to divide by a number divides the variance by its square": want**2,
                "width: it stands under the root, since it is variances that add": d_k * math.sqrt(vq * vk),
                "width: this is for one term of the sum": math.sqrt(vq * vk),
                "variances: they stand under the root too": math.sqrt(d_k) * vq * vk,
                "product: the variance of a product of two such numbers is no sum": (
                    math.sqrt(d_k * (vq + vk)),
                    math.sqrt(d_k) * (vq + vk),
                ),
                "one side: both vectors have a say": (math.sqrt(d_k * vq), math.sqrt(d_k * vk)),
                "average: two variances that meet in a product are not averaged": math.sqrt(d_k * (vq + vk) / 2),
                "inverse: this is what to multiply by": 1 / want,
                "variances: what is given are no squares of variances; take one root, of everything": math.sqrt(
                    d_k * math.sqrt(vq * vk)
                ),
                "root: it is taken twice": math.sqrt(want),
                "sign: divide by a positive number": -want,
            }
            if d_k == 7
            else {}
        )
        yield from compare(got, want, slips, "divisor: find the variance of one term, then that of the sum, then what undoes it")


def draws_needed(attempt: Callable) -> Verdicts:
    for d_k, N, error in ((3, 40, 0.05), (16, 25, 0.2)):
        (z,) = draws(40 + d_k, (N,))
        z = z * math.sqrt(d_k)
        z = z - z.mean()  # the mean of scores is 0, by the theorem; here it is in the sample too
        ratios = [float(x) ** 2 / d_k for x in z]
        mean = sum(ratios) / N
        spread = sum((r - mean) ** 2 for r in ratios) / N
        got = ask(attempt, scores=z, d_k=d_k, error=error)
        yield from fits(got, ())
        plain = float((z**2).mean())
        yield from compare(
            got,
            spread / error**2,
            {
                "square: a standard error falls with the root of the number of draws": spread / error,
                "root: the spread enters by its square": (math.sqrt(spread) / error, math.sqrt(spread) / error**2),
                "width: the ratio is the variance over d_k, and a variance of it goes with the square": (
                    spread * d_k**2 / error**2,
                    spread * d_k / error**2,
                ),
                "squares: the average is over the squares of the scores, not over the scores": (
                    plain / error**2,
                    plain / d_k / error**2,
                ),
                "sample: how many scores there are now does not matter": (N * spread / error**2, spread / N / error**2),
                "error: this is the standard error of the sample at hand": math.sqrt(spread / N),
                "mean of squares: the spread is taken about the mean of the squares": sum(r * r for r in ratios) / N / error**2,
                "upside down: a smaller error needs more draws": error**2 / spread,
                "normal: the spread is to be found in the sample, not from a formula for normal components": (
                    2 / error**2,
                    (2 + 6 / d_k) / error**2,
                ),
                "division: divide by all of the sample, not by one less": spread * N / (N - 1) / error**2,
                "rounding: leave the number as it is": (
                    math.ceil(spread / error**2),
                    math.floor(spread / error**2),
                    round(spread / error**2),
                ),
            },
            "draws: write down the squared standard error of the average for any number of draws, and solve for that number",
        )


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


EXERCISES = (
    Exercise("which-step", "04", "Which step breaks?", "recall", 4),
    Exercise("right-divisor", "04", "What to divide by", "apply", 5, right_divisor),
    Exercise("draws-needed", "04", "How many draws?", "apply", 6, draws_needed),
    Exercise("score-variance", "04", "Components with a mean", "extend", 8, score_variance),
)
