"""The exercises of notebook 05, the softmax Jacobian."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import Exercise, Verdicts, ask, by_rows, compare, draws, fits, peak_bytes, same, shares


def log_jacobian(attempt: Callable) -> Verdicts:
    # by hand: 1 - p_j on the diagonal, -p_j off it
    p = np.array([1 / 2, 1 / 3, 1 / 6])
    by_hand = np.array([[1 / 2, -1 / 3, -1 / 6], [-1 / 2, 2 / 3, -1 / 6], [-1 / 2, -1 / 3, 5 / 6]])
    J = np.array([[1 / 4, -1 / 6, -1 / 12], [-1 / 6, 2 / 9, -1 / 18], [-1 / 12, -1 / 18, 5 / 36]])
    got = ask(attempt, p=p)
    yield got.shape != (3,), "off the diagonal: this is the diagonal alone; the matrix is 3 x 3"
    yield (
        got.shape != (),
        "outer: the product of p with itself was summed to one number; every pair of a weight and a logit has an entry",
    )
    yield from fits(got, (3, 3))
    outer = np.array([[a * b for b in p] for a in p])
    again = np.array(shares(p))
    yield from compare(
        got,
        by_hand,
        {
            "logarithm: this is the derivative of p_i; that of ln p_i is larger by the factor 1/p_i": J,
            "transposed: row i belongs to the weight i that moves, and to its 1/p_i; column j to the logit that is nudged": by_hand.T,
            "product: the derivative of a logarithm divides by p_i; it was multiplied": (J * p[:, None], J * p),
            "sign: raising a logit raises its own weight, so the diagonal is positive": -by_hand,
            "sign: the sum S grows with every logit, and ln S is taken off": np.eye(3) + p,
            "off the diagonal: ln S depends on every logit": (np.eye(3), np.diag(1 - p)),
            "sum: the derivative of ln z_i is not that of ln e^{z_i}, which is z_i itself": np.diag(1 / p) - p,
            "diagonal: z_i itself moves with the logit i": np.tile(-p, (3, 1)),
            "one weight too many: by the logarithm one of the two factors cancels": (np.eye(3) - outer, np.diag(p) - p[None, :]),
            "logarithm: it takes ln of the entries of J; ln and the derivative do not change places": (
                np.log(np.abs(J)),
                np.log(p)[:, None] * np.eye(3) - outer,
            ),
            "input: p is taken for logits; the softmax was taken already": np.eye(3) - again,
            "factor: all of it is twice or half of what it should be": (2 * by_hand, by_hand / 2),
        },
        "rows: raising all logits alike changes no weight and no logarithm, so each row sums to zero",
    )
    z, h = [0.3, -1.2, 0.8, 2.0, -0.5], 1e-5

    def nudged(j, by):
        return [math.log(x) for x in shares(x + by * (k == j) for k, x in enumerate(z))]

    by_nudging = [[(nudged(j, h)[i] - nudged(j, -h)[i]) / (2 * h) for j in range(5)] for i in range(5)]
    # the difference quotient is itself off by about 1e-11, far less than is let pass
    yield same(ask(attempt, p=np.array(shares(z))), by_nudging), "size: right for three weights, wrong for five"


def second_difference(attempt: Callable) -> Verdicts:
    calls = []

    def curve(z):
        calls.append(np.array(z, dtype=float))
        return np.array([z[0] * z[1] - z[2], z[1] ** 2 + 3 * z[2]])

    z, x, h = np.array([2.0, -1.5, 0.5]), np.array([0.6, -2.0, 1.1]), 0.1
    J = np.array([[z[1], z[0], -1], [0, 2 * z[1], 3]])
    slope = J @ x
    want = 2 * np.array([x[0] * x[1], x[1] ** 2])  # a second difference has no error on a quadratic
    length2 = x @ x
    got = ask(attempt, f=curve, z=z, x=x, h=h)
    asked = list(calls)
    yield bool(asked), "f: it is never called"
    yield got.shape != (2, 3), "direction: this is a whole matrix; one direction has one number for each output"
    yield got.shape != (3,), "direction: one nudge along x moves all entries of z at once, and the result has the size of f"
    yield got.shape != (), "outputs: each of them has a number of its own; do not add them up"
    yield from fits(got, (2,))
    yield (
        bool(got.any()) or len({tuple(one) for one in asked}) > 1,
        ("second name: all points are the same array; `a = z` is no copy, and a nudge of one is a nudge of all"),
    )
    here = curve(z)
    yield from compare(
        got,
        want,
        {
            "slope: this is the first derivative along x; how fast does it change along x?": slope,
            "slope: this is the difference of two slopes, and not yet divided by the distance of their places": (
                h * want,
                want * h / 2,
            ),
            "width: the slopes on both sides are taken h apart, so the difference is divided by h twice": (
                2 * want,
                want / 2,
                want / 4,
            ),
            "width: it is not divided by h^2": want * h * h,
            "brackets: what stands after a division sign and a product is multiplied, unless brackets hold it below": want * h**4,
            "middle: f(z) is taken off twice, once for each side": (want + here / (h * h), want + 2 * here / (h * h)),
            "middle: f(z) is taken off, not added": want + 4 * here / (h * h),
            "sign: a curve that bends up has a positive second derivative": -want,
            "length: x keeps its own length; a longer x gives a larger result": (want / length2, want / np.sqrt(length2)),
            "direction: every entry of z is nudged by h; each should move by h times its entry of x": np.array([2.0, 2.0]),
            "direction: each entry is nudged by itself, and what they do together is lost": 2 * np.array([0, x[1] ** 2]),
            "direction: x is taken without its signs": 2 * np.array([abs(x[0] * x[1]), x[1] ** 2]),
            "square: this is the square of the slope": slope**2,
        },
        "along x: f(z + h x) and f(z - h x), with f(z) taken off twice, over h^2",
    )
    points = {tuple(np.round(one, 9)) for one in asked}
    yield len(points) <= 3, f"points: right, but f is called at {len(points)} points; three along x are enough"

    def quartic(z):
        return np.array([z[0] ** 4, z[1], z[0] * z[1]])

    z, x, h = np.array([1.5, -0.5]), np.array([1.2, 0.7]), 0.4
    exact = np.array([12 * z[0] ** 2 * x[0] ** 2, 0, 2 * x[0] * x[1]])
    off = 2 * np.array([x[0] ** 4, 0, 0])
    got = ask(attempt, f=quartic, z=z, x=x, h=h)
    yield from fits(got, (3,))
    yield not same(got, exact, 1e-4), "step: it does not use the step h that it is given"
    yield not same(got, exact + h * h / 4 * off), "step: the outer points lie h x/2 from z; each should lie h x from it"
    yield not same(got, exact + 4 * h * h * off), "step: the outer points lie 2h x from z; each should lie h x from it"
    yield same(got, exact + h * h * off), "size: right for two outputs of three inputs, wrong for three of two"


def jacobian_product(attempt: Callable) -> Verdicts:
    for m, n in ((4, 6), (5, 3)):
        z, Y = draws(80 + m, (m, n), (m, n))
        A = by_rows(z)
        want = np.array([[sum(p[i] * ((i == j) - p[j]) * y[j] for j in range(n)) for i in range(n)] for p, y in zip(A, Y)])
        AY = A * Y
        got = ask(attempt, A=A, Y=Y)
        yield from fits(got, (m, n))
        yield from compare(
            got,
            want,
            {
                "p p^T: only diag(p) y is there": AY,
                "axis: the sum runs over all rows; each row has its own J": A * (Y - AY.sum()),
                "axis: the sum runs down the columns; J acts along a row": A * (Y - AY.sum(axis=0)),
                "sign: the second term is taken off": A * (Y + AY.sum(axis=1, keepdims=True)),
                "sign: all of it has the wrong sign": -want,
                "sum: it sums Y; the weights belong inside the sum": A * (Y - Y.sum(axis=1, keepdims=True)),
                "sum: it takes the mean of Y; a weighted sum is wanted": A * (Y - Y.mean(axis=1, keepdims=True)),
                "diag(p): the first term is missing": -A * AY.sum(axis=1, keepdims=True),
                "factor: p_i stands in front of both terms": Y - AY.sum(axis=1, keepdims=True),
                "square: p_i stands there once": (AY - A * AY, AY - A**2 * Y),
                "factor: all of it is twice or half of what it should be": 2 * want,
                "mean: p^T y is a sum, not a mean": A * (Y - AY.mean(axis=1, keepdims=True)),
                "softmax: A has the weights already": by_rows(A) * (Y - (by_rows(A) * Y).sum(axis=1, keepdims=True)),
            },
            "row by row: each row of the result sums to zero, and where y has equal entries it is zero",
        )
    n = 1200
    p = np.full((1, n), 1 / n)
    # an n x n array takes 8 n^2 bytes, 11.5 MB, and the vectors that are needed 10 kB each
    yield peak_bytes(attempt, A=p, Y=p) < n * n, "memory: right, but an n x n array was built on the way"


def log_weights(attempt: Callable) -> Verdicts:
    (Z,) = draws(70, (4, 6))
    e = np.array([[math.exp(x) for x in row] for row in Z])
    p = by_rows(Z)
    want = np.array([[math.log(x) for x in row] for row in p])
    got = ask(attempt, Z=Z)
    yield from fits(got, (4, 6))
    yield from compare(
        got,
        want,
        {
            "axis: the sum runs down the columns; each row has a sum of its own": np.log(by_rows(Z.T).T),
            "axis: one sum for all rows; each row has a sum of its own": Z - np.log(e.sum()),
            "logarithm: these are the weights; their logarithms are wanted": p,
            "sum: the logarithm of the sum is missing": (Z, Z - Z.max(axis=1, keepdims=True)),
            "sum: the sum is taken off without its logarithm": (Z - e.sum(axis=1, keepdims=True), np.log(e) - e.sum()),
            "sum: it sums the logits, or their logarithms, and not the exponentials": (
                Z - Z.sum(axis=1, keepdims=True),
                Z - np.log(abs(Z).sum(axis=1, keepdims=True)),
            ),
            "sign: the logarithm of a weight is below zero": -want,
            "mean: the exponentials are summed, not averaged": Z - np.log(e.mean(axis=1, keepdims=True)),
            "shift: it is taken off the logits, but not in the sum": want - Z.max(axis=1, keepdims=True),
            "shift: it is taken off in the sum, but not the logits": want + Z.max(axis=1, keepdims=True),
            "base: this is the logarithm to the base 2 or 10; ln has the base e": (want / math.log(2), want / math.log(10)),
            "log1p: ln(1 + x) of the weights; ln x is wanted": np.log(1 + p),
        },
        "rows: the exponentials of a row of the result sum to one, and the logits keep their differences",
    )
    high = np.array([[1000.0, 1001.0, 1002.0, 1000.5], [1003.0, 999.0, 1000.0, 1001.0]])
    small = np.array([[math.log(x) for x in row] for row in by_rows(high - 1000)])
    got = ask(attempt, Z=high)
    yield got.shape == (2, 4), "shape: for Z of shape (2, 4) it returns another shape"
    yield (
        same(got, small),
        "overflow: logits of 1000 are not right yet; which number may be taken off a whole row before the exponential?",
    )
    apart = np.array([[1.0, 0.0, 3.0], [-2000.0, -2001.0, -1998.0]])
    right = np.array([[math.log(x) for x in shares([1.0, 0.0, 3.0])]] * 2)
    yield same(ask(attempt, Z=apart), right), "own shift: rows that lie far apart each need their own"
    # one logit far above or below the others: its exponential, or those of the others, round to 0
    wide = np.array([[0.0, 0.0, 1500.0], [1500.0, 0.0, 0.0], [-1500.0, 0.0, 0.0]])
    half = math.log(0.5)
    got = ask(attempt, Z=wide)
    exact = np.array([[-1500.0, -1500.0, 0.0], [0.0, -1500.0, -1500.0], [-1500.0 + half, half, half]])
    yield (
        bool(np.isfinite(got[exact > -1]).all()),
        ("wide row: logits of 0, 0, 1500 overflow in spite of the shift; which exponents do no harm?"),
    )
    yield (
        not (got == -np.inf).any(),
        (
            "underflow: a weight far below the winner rounds to 0, and the logarithm of 0 is -inf; which logarithm is never of a small number?"
        ),
    )
    yield (
        same(got, exact),
        "far below: the logarithm of a tiny weight is a large negative number, here about -1500; it must not be cut off",
    )


EXERCISES = (
    Exercise("when-nothing-moves", "05", "When nothing moves", "recall", 4),
    Exercise("log-jacobian", "05", "How the logarithm of a weight answers", "apply", 5, log_jacobian),
    Exercise("second-difference", "05", "How fast the slope changes", "apply", 7, second_difference),
    Exercise("jacobian-product", "05", "J times a vector, without J", "extend", 8, jacobian_product),
    Exercise("log-weights", "05", "The logarithm that was infinite", "find the bug", 8, log_weights),
)
