"""The exercises of notebook 08, message passing."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import (
    Exercise,
    NotYet,
    Verdicts,
    ask,
    blend,
    by_rows,
    call,
    compare,
    dot,
    draws,
    fits,
    numbers,
    same,
)


def causal_mask(attempt: Callable) -> Verdicts:
    for n in (5, 3, 1):
        result = call(attempt, dict(n=n))
        got = numbers(result)
        yield from fits(np.where(np.isinf(got), 0, got), (n, n))
        yield (
            np.asarray(result).dtype == np.bool_,
            ("booleans: a mask says True or False; these are numbers, though their pattern may be right"),
        )
        want = np.array([[j <= i for j in range(n)] for i in range(n)])
        if n == 1:
            yield bool(got[0, 0]), "diagonal: a single element may attend to itself"
        else:
            yield from compare(
                got,
                want,
                {
                    "transposed: row i is the query; it may attend to itself and the rows above": want.T,
                    "diagonal: an element may attend to itself": want & ~np.eye(n, dtype=bool),
                    "inverted: True is for what is allowed": ~want,
                    "complete: this allows everything": np.ones((n, n)),
                    "alone: this allows an element nothing but itself": np.eye(n),
                    "last: an element may attend to all before it, not to a few": np.array(
                        [[i - 1 <= j <= i for j in range(n)] for i in range(n)]
                    ),
                    "ahead: an element may not attend to the one after it": np.tri(n, k=1),
                    "turned: the first row belongs to the first element": (want[::-1], want[:, ::-1]),
                },
                "triangle: the first element may attend to itself alone, the last one to all",
            )


def renormalise(attempt: Callable) -> Verdicts:
    for m, n in ((4, 6), (3, 2)):
        z, pick = draws(130 + m, (m, n), (m, n))
        A, mask = by_rows(z), pick > 0
        mask[:, 0] = ~mask.all(axis=1)
        mask[0] = [True] + [False] * (n - 1)
        kept = A * mask
        want = np.array(
            [[a * allowed / sum(x for x, ok in zip(row, oks) if ok) for a, allowed in zip(row, oks)] for row, oks in zip(A, mask)]
        )
        got = ask(attempt, A=A, mask=mask)
        yield from fits(got, (m, n))
        if m == 4:
            yield from compare(
                got,
                want,
                {
                    "normalise: the forbidden weights are gone, but the rows no longer sum to one": kept,
                    "axis: it divides by the sums of the columns": kept / np.where(kept.sum(axis=0) > 0, kept.sum(axis=0), 1),
                    "normalise: it divides by something else than what is left in the row": (
                        kept / A.sum(axis=0),
                        kept / mask.sum(axis=1, keepdims=True),
                    ),
                    "proportions: what was forbidden is dealt out evenly; the allowed keep their ratios": np.where(
                        mask, A + (A * ~mask).sum(axis=1, keepdims=True) / mask.sum(axis=1, keepdims=True), 0
                    ),
                    "axis: all entries together sum to one; each row should": kept / kept.sum(),
                    "mask: nothing is forbidden any more": A,
                    "inverted: True is for what is allowed": (A * ~mask) / (A * ~mask).sum(axis=1, keepdims=True),
                    "softmax: the weights are shares already; keep their proportions": np.where(mask, np.exp(A), 0)
                    / np.where(mask, np.exp(A), 0).sum(axis=1, keepdims=True),
                    "square: each weight counts once": np.array([[x * x / dot(row, row) for x in row] for row in kept]),
                    "proportions: the allowed keys do not count alike": mask / mask.sum(axis=1, keepdims=True),
                },
                "rows: the allowed weights keep their ratios and sum to one, and all others are 0",
            )
        if m == 3:
            yield from compare(got, want, {}, "size: right for 4 x 6, wrong for another shape")
    mask[1] = False
    got = ask(attempt, A=A, mask=mask)
    yield not np.isnan(got).any(), "empty row: where nothing is allowed, 0/0 is NaN; the weights are to be 0"
    want[1] = 0
    yield same(got, want), "empty row: its weights are 0, and the other rows stay as they are"


def walked(edges: np.ndarray, L: int, stay: bool = True) -> set[tuple[int, int]]:
    """The pairs (i, j) joined by L steps, with or without the choice to stay; one step at a time."""
    n = len(edges)
    found = {(i, i) for i in range(n)}
    for _ in range(L):
        found = {(i, k) for i, j in found for k in range(n) if edges[j, k] or (stay and j == k)}
    return found


def pairs_reached(attempt: Callable) -> Verdicts:
    edges = np.zeros((9, 9), dtype=bool)
    for i, j in ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (0, 2)):  # a path with a short cut; node 8 has no edge
        edges[i, j] = edges[j, i] = True
    edges[7, 2] = True  # one way
    counts = {L: len(walked(edges, L)) for L in range(6)}
    loops = edges.astype(int) + np.eye(len(edges), dtype=int)
    for L in (2, 1, 3):
        got = ask(attempt, edges=edges, L=L)
        yield from fits(got, ())
        slips = (
            {
                "staying: news that has arrived stays": len(walked(edges, L, stay=False)),
                "layers: this is one layer too many": counts[L + 1],
                "layers: this is one layer too few": counts[L - 1],
                "one way: some edges run in one direction only; do not turn them round": (
                    len(walked(edges | edges.T, L)),
                    len(walked(edges & edges.T, L)),
                ),
                "walks: it counts the ways; a pair counts once, however many ways lead there": (
                    np.linalg.matrix_power(loops, L).sum(),
                    np.linalg.matrix_power(edges.astype(int), L).sum(),
                ),
                "itself: the pairs (i, i) count too": counts[L] - 9,
                "pairs: (i, j) and (j, i) are two": ((counts[L] - 9) / 2, counts[L] / 2),
                "pairs: it counts those who have heard, or have been heard of, but not of whom": 9,
                "reach: it follows the edges without end; news makes one step in a layer": counts[5],
                "pairs: all edges are counted, however far the news has come": edges.sum() * L,
                "one step: what a layer adds counts, and what was there before as well": counts[L] - counts[L - 1],
                "no edges: without an edge there is no way; a graph need not be complete": 81,
            }
            if L == 2
            else {}
        )
        yield from compare(
            got, counts[L], slips, "count the pairs (i, j) such that news of j reaches i, or i itself, in at most L steps"
        )
    yield same(ask(attempt, edges=edges, L=0), 9), "no layer: for L = 0 every element has heard of itself alone"
    full = ~np.eye(8, dtype=bool)
    yield (
        same(ask(attempt, edges=full, L=70), 64),
        ("overflow: the numbers of ways outgrow an integer; what has to be kept of them after a layer?"),
    )


def merge_blocks(attempt: Callable) -> Verdicts:
    def state(scores, V):
        top = max(scores)
        e = [math.exp(s - top) for s in scores]
        return top, sum(e), blend(e, V)

    z, V = draws(140, (7,), (7, 3))
    a, b = state(z[:4], V[:4]), state(z[4:], V[4:])
    for first, second in ((a, b), (b, a)):
        (top1, total1, blend1), (top2, total2, blend2) = first, second
        result = call(attempt, dict(a=first, b=second))
        try:
            if isinstance(result, dict):
                raise TypeError
            top, total, mix = result
        except (TypeError, ValueError):
            raise NotYet("it does not return three bare things: the maximum, the sum and the blend") from None
        top, total, mix = numbers(top), numbers(total), numbers(mix)
        want = state(z, V)
        yield [x.size for x in (top, total, mix)] not in ([1, 3, 1], [3, 1, 1]), "order: the maximum, the sum, the blend"
        yield top.shape != () or not (same(top, want[1]) and same(total, want[0])), "order: the maximum, the sum, the blend"
        yield from fits(top, ())
        yield from fits(total, ())
        yield from fits(mix, (3,))
        yield same(top, want[0]), "maximum: the new one is the larger of the two"
        f1, f2 = math.exp(top1 - want[0]), math.exp(top2 - want[0])
        yield from compare(
            total,
            want[1],
            {
                "rescale: the two sums were taken with different maxima; bring both to the new one first": total1 + total2,
                "sign: a sum shrinks, or stays, when its maximum is replaced by a larger one": total1 / f1 + total2 / f2,
                "crossed: each sum needs the factor of its own maximum": total1 * f2 + total2 * f1,
            },
            "sum: had both blocks the same maximum, the sums would simply add",
        )
        yield from compare(
            mix,
            want[2],
            {
                "rescale the blend: it needs the same factors as the sum": blend1 + blend2,
                "unnormalised: the blend is divided by the sum only in the end": want[2] / want[1],
                "mean: the blend is a sum, not a mean": want[2] / 2,
                "weights: the blends carry their sums already; do not multiply by them again": total1 * f1 * blend1
                + total2 * f2 * blend2,
            },
            "blend: it is a sum over keys, as the sum is, with the values beside",
        )
    near, far = (0.5, 2.0, np.array([1.0, 2.0, 3.0])), (1000.0, 1.5, np.array([-1.0, 0.0, 1.0]))
    top, total, mix = (numbers(part) for part in call(attempt, dict(a=near, b=far)))
    yield (
        (same(top, 1000) and same(total, 1.5) and same(mix, [-1, 0, 1])),
        ("overflow: maxima of 0.5 and 1000 should not trouble it; no exponent may be above 0"),
    )
    none = (-math.inf, 0.0, np.zeros(3))
    top, total, mix = (numbers(part) for part in call(attempt, dict(a=none, b=near)))
    yield (
        (same(top, 0.5) and same(total, 2) and same(mix, [1, 2, 3])),
        ("empty: a block without an allowed key (maximum -inf, sum 0) should change nothing"),
    )


EXERCISES = (
    Exercise("causal-mask", "08", "A causal mask", "recall", 3, causal_mask),
    Exercise("masks-and-order", "08", "Which masks keep the symmetry?", "recall", 4),
    Exercise("renormalise", "08", "From dense weights to masked ones", "apply", 7, renormalise),
    Exercise("pairs-reached", "08", "Who has heard of whom", "apply", 8, pairs_reached),
    Exercise("merge-blocks", "08", "Two blocks become one", "extend", 12, merge_blocks),
)
