"""The exercises of notebook 08a, the bill."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import Exercise, Verdicts, ask, blend, compare, dot, draws, fits, same, shares


def largest_n(attempt: Callable) -> Verdicts:
    memory, heads, each = 10_000_000, 6, 4
    want = next(n for n in range(memory) if (n + 1) ** 2 * heads * each > memory)
    exact = math.sqrt(memory / (heads * each))
    got = ask(attempt, memory=memory, heads=heads, bytes_each=each)
    yield from fits(got, ())
    count = "count: how many numbers have all heads together, and how many bytes are those?"
    yield from compare(
        got,
        want,
        {
            "heads: each head has weights of its own": math.isqrt(memory // each),
            "root: this many numbers fit into one head; a square of which side has that many?": (
                memory // (heads * each),
                memory / (heads * each),
            ),
            "root: a square has two sides, not three": round((memory // (heads * each)) ** (1 / 3)),
            "whole: half an element is none, and one more does not fit": (exact, want + 1),
            "whole: one more still fits": want - 1,
            "bytes: a number takes several": math.isqrt(memory // heads),
            "bytes: not every number takes eight": math.isqrt(memory // (heads * 8)),
            "bits: memory is given in bytes": math.isqrt(8 * memory // (heads * each)),
            "heads: the heads divide the memory, and not the side of the square": math.isqrt(memory // each) // heads,
            "heads: more heads leave each one less": math.isqrt(memory * heads // each),
            "half: the whole square is held, and not a triangle of it": math.isqrt(2 * memory // (heads * each)),
            "arrays: the weights alone are counted here": math.isqrt(memory // (3 * heads * each)),
        },
        count,
    )
    yield same(ask(attempt, memory=2 * 8 * 12**2, heads=2, bytes_each=8), 12), count


def blocks_by_logs(attempt: Callable) -> Verdicts:
    def block(scores, V):
        return math.log(math.fsum(math.exp(s) for s in scores)), blend(shares(scores), V)

    z, V = draws(140, (9,), (9, 4))
    parts = [block(z[a:b], V[a:b]) for a, b in ((0, 4), (4, 6), (6, 9))]
    logs, outs = np.array([log for log, _ in parts]), np.array([out for _, out in parts])
    got = ask(attempt, logs=logs, outs=outs)
    yield from fits(got, (4,))
    p = shares(logs)
    yield from compare(
        got,
        blend(shares(z), V),
        {
            "mean: the blocks do not count alike; a block with large scores counts more": outs.mean(axis=0),
            "sum: each output is an average already, and averages do not add up": outs.sum(axis=0),
            "logs: a block counts by its sum, and the logarithm of a sum is not that sum": (
                blend(logs, outs),
                blend(logs / math.fsum(logs), outs),
            ),
            "normalise: the blocks have the right ratios, but their weights do not sum to one": (
                blend([math.exp(x) for x in logs], outs),
                blend([math.exp(x - max(logs)) for x in logs], outs),
            ),
            "sign: the larger the sum of a block, the more it counts": blend(shares(-logs), outs),
            "largest: the other blocks count too": outs[int(logs.argmax())],
            "twice: the exponential is taken once too often": blend(shares([math.exp(x) for x in logs]), outs),
            "crossed: each output needs the weight of its own block": blend(p[::-1], outs),
            "square: each sum counts once": blend(shares(2 * logs), outs),
            "root: the sums count as they are, and not their roots": blend(shares(logs / 2), outs),
            "last: a block is left out": (blend(shares(logs[:-1]), outs[:-1]), blend(shares(logs[1:]), outs[1:])),
        },
        "weights: a block counts in proportion to the sum of its exponentials",
    )
    got = ask(attempt, logs=np.array([1000.0, 1001.0]), outs=np.array([[1.0, 2.0], [3.0, 5.0]]))
    near = 1 / (1 + math.e)
    yield (
        same(got, [near + 3 * (1 - near), 2 * near + 5 * (1 - near)]),
        ("overflow: logarithms near 1000 should not trouble it; no exponent may be above 0"),
    )
    got = ask(attempt, logs=np.array([-math.inf, 0.5]), outs=np.array([[0.0, 0.0], [1.0, 2.0]]))
    yield same(got, [1, 2]), "empty: a block without an allowed key has the sum 0, and should change nothing"


def centred_shift(attempt: Callable) -> Verdicts:
    m, n, d_k = 5, 7, 3
    Q, K = draws(141, (m, d_k), (n, d_k))
    K = K + np.array([2.0, -1.0, 0.5])
    middle = np.array([math.fsum(column) / n for column in K.T])
    common = np.array([dot(q, middle) for q in Q])
    q = np.array([math.sqrt(dot(row, row)) for row in Q])
    k = np.array([math.sqrt(dot(row, row)) for row in K - middle])
    plain = max(math.sqrt(dot(row, row)) for row in K)
    root = math.sqrt(d_k)
    got = ask(attempt, Q=Q, K=K)
    yield from fits(got, (m,))
    yield from compare(
        got,
        (common + q * max(k)) / root,
        {
            "plain: this is the bound of the section; the keys are to be centred first": q * plain / root,
            "common: the scores are those of the keys as they are; what the mean key adds to them is missing": q * max(k) / root,
            "twice: the mean key counts by its dot product; the lengths are those without it": (common + q * plain) / root,
            "sign: what was taken from every key comes back": (q * max(k) - common) / root,
            "scale: the scores are divided by the root of the key width": common + q * max(k),
            "scale: the root of the key width, and not the width": (common + q * max(k)) / d_k,
            "scale: the root of the key width, and not of the number of keys": (common + q * max(k)) / math.sqrt(n),
            "row: each query has a length of its own": (common + max(q) * max(k)) / root,
            "smallest: a bound must hold for every key": (common + q * min(k)) / root,
            "mean: a bound must hold for every key, and not on average": (common + q * k.mean()) / root,
            "all keys: the longest single key counts, and not the length of all together": (common + q * math.sqrt(dot(k, k)))
            / root,
            "axis: a key is a row": (common + q * max(math.sqrt(dot(c, c)) for c in (K - middle).T)) / root,
            "squared: a length is the root of the sum of squares": (
                (common + q * q * max(k)) / root,
                (common + q * max(k) ** 2) / root,
            ),
            "maximum: this reads all scores of a row, which the shift is to avoid": np.array(
                [max(dot(row, key) for key in K) for row in Q]
            )
            / root,
        },
        "bound: which part of a score is the same for all keys of a row, and what bounds the rest?",
    )


EXERCISES = (
    Exercise("largest-n", "08a", "How many elements fit?", "recall", 4, largest_n),
    Exercise("blocks-by-logs", "08a", "Two things to hand on", "apply", 9, blocks_by_logs),
    Exercise("centred-shift", "08a", "Keys that lean together", "extend", 12, centred_shift),
)
