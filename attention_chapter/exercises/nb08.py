"""The exercises of notebook 08, message passing."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import (
    Exercise, NotYet, Verdicts, ask, blend, by_rows, call, compare, draws, fits, numbers, same,
)


def causal_mask(attempt: Callable) -> Verdicts:
    for n in (5, 3, 1):
        result = call(attempt, dict(n=n))
        got = numbers(result)
        yield from fits(np.where(np.isinf(got), 0, got), (n, n))
        yield np.asarray(result).dtype == np.bool_, "booleans: a mask says True or False, and nothing else"
        want = np.array([[j <= i for j in range(n)] for i in range(n)])
        if n == 1:
            yield bool(got[0, 0]), "diagonal: a single element may attend to itself"
        else:
            yield from compare(got, want, {
                "transposed: row i is the query; it may attend to itself and the rows above": want.T,
                "diagonal: an element may attend to itself": want & ~np.eye(n, dtype=bool),
                "inverted: True is for what is allowed": ~want,
                "complete: this allows everything": np.ones((n, n)),
                "alone: this allows an element nothing but itself": np.eye(n),
            }, "row i allows the columns j with j <= i")


def renormalise(attempt: Callable) -> Verdicts:
    for m, n in ((4, 6), (3, 2)):
        z, pick = draws(130 + m, (m, n), (m, n))
        A, mask = by_rows(z), pick > 0
        mask[:, 0] = ~mask.all(axis=1)
        mask[0] = [True] + [False] * (n - 1)
        kept = A * mask
        want = np.array([[a * allowed / sum(x for x, ok in zip(row, oks) if ok) for a, allowed in zip(row, oks)]
                         for row, oks in zip(A, mask)])
        got = ask(attempt, A=A, mask=mask)
        yield from fits(got, (m, n))
        if m == 4:
            yield from compare(got, want, {
                "normalise: the forbidden weights are gone, but the rows no longer sum to one": kept,
                "axis: it divides by the sums of the columns": kept / kept.sum(axis=0),
                "axis: all entries together sum to one; each row should": kept / kept.sum(),
                "mask: nothing is forbidden any more": A,
                "inverted: True is for what is allowed": (A * ~mask) / (A * ~mask).sum(axis=1, keepdims=True),
                "softmax: the weights are shares already; keep their proportions":
                    np.where(mask, np.exp(A), 0) / np.where(mask, np.exp(A), 0).sum(axis=1, keepdims=True),
                "proportions: the allowed keys do not count alike": mask / mask.sum(axis=1, keepdims=True),
            }, "for allowed j: A_ij over the sum of the allowed weights of row i; 0 for all others")
        yield same(got, want), "size: right for 4 x 6, wrong for another shape"
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
        slips = {
            "staying: news that has arrived stays; add the self loops": len(walked(edges, L, stay=False)),
            "layers: this is one layer too many": counts[L + 1],
            "layers: this is one layer too few": counts[L - 1],
            "walks: it counts the ways; a pair counts once, however many ways lead there":
                np.linalg.matrix_power(loops, L).sum(),
            "itself: the pairs (i, i) count too": counts[L] - 9,
            "one way: some edges run in one direction only; do not turn them round": len(walked(edges | edges.T, L)),
            "no edges: without an edge there is no way; a graph need not be complete": 81,
        } if L == 2 else {}
        yield from compare(got, counts[L], slips, "count the pairs (i, j) such that news of j reaches i, or i itself, in at most L steps")
    yield same(ask(attempt, edges=edges, L=0), 9), "no layer: for L = 0 every element has heard of itself alone"
    full = ~np.eye(8, dtype=bool)
    yield same(ask(attempt, edges=full, L=70), 64), (
        "overflow: the numbers of ways outgrow an integer; after each layer keep only whether there is one")


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
            top, total, mix = result
        except (TypeError, ValueError):
            raise NotYet("it does not return three things: the maximum, the sum and the blend") from None
        top, total, mix = numbers(top), numbers(total), numbers(mix)
        yield from fits(top, ())
        yield from fits(total, ())
        yield from fits(mix, (3,))
        want = state(z, V)
        yield same(top, want[0]), "maximum: the new one is the larger of the two"
        f1, f2 = math.exp(top1 - want[0]), math.exp(top2 - want[0])
        yield from compare(total, want[1], {
            "rescale: the two sums were taken with different maxima; bring both to the new one first": total1 + total2,
            "sign: the factor is exp(old maximum - new maximum), which is at most 1": total1 / f1 + total2 / f2,
            "crossed: each sum needs the factor of its own maximum": total1 * f2 + total2 * f1,
        }, "sum: it is l_a exp(m_a - m) + l_b exp(m_b - m)")
        yield from compare(mix, want[2], {
            "rescale the blend: it needs the same factors as the sum": blend1 + blend2,
            "unnormalised: the blend is divided by the sum only in the end": want[2] / want[1],
            "weights: the blends carry their sums already; do not multiply by them again":
                total1 * f1 * blend1 + total2 * f2 * blend2,
        }, "blend: it is u_a exp(m_a - m) + u_b exp(m_b - m)")
    near, far = (0.5, 2.0, np.array([1.0, 2.0, 3.0])), (1000.0, 1.5, np.array([-1.0, 0.0, 1.0]))
    top, total, mix = (numbers(part) for part in call(attempt, dict(a=near, b=far)))
    yield (same(top, 1000) and same(total, 1.5) and same(mix, [-1, 0, 1])), (
        "overflow: maxima of 0 and 1000 should not trouble it; no exponent may be above 0")
    none = (-math.inf, 0.0, np.zeros(3))
    top, total, mix = (numbers(part) for part in call(attempt, dict(a=none, b=near)))
    yield (same(top, 0.5) and same(total, 2) and same(mix, [1, 2, 3])), (
        "empty: a block without an allowed key (maximum -inf, sum 0) should change nothing")


EXERCISES = (
    Exercise("causal-mask", "08", "A causal mask", "recall", 3, causal_mask),
    Exercise("masks-and-order", "08", "Which masks keep the symmetry?", "recall", 4),
    Exercise("renormalise", "08", "From dense weights to masked ones", "apply", 7, renormalise),
    Exercise("pairs-reached", "08", "Who has heard of whom", "apply", 8, pairs_reached),
    Exercise("merge-blocks", "08", "Two blocks become one", "extend", 12, merge_blocks),
)
