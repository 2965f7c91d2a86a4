"""The exercises of notebook 08, message passing."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import (
    Exercise,
    Verdicts,
    ask,
    blends,
    by_rows,
    call,
    compare,
    draws,
    fits,
    numbers,
    products,
    same,
    shares,
)


def causal_mask(attempt: Callable) -> Verdicts:
    for n, w in ((6, 3), (5, 2), (3, 1), (4, 9)):
        result = call(attempt, dict(n=n, w=w))
        got = numbers(result)
        yield from fits(np.where(np.isinf(got), 0, got), (n, n))
        yield (
            np.asarray(result).dtype == np.bool_,
            ("booleans: a mask says True or False; these are numbers, though their pattern may be right"),
        )
        back = np.array([[i - j for j in range(n)] for i in range(n)])
        want = (back >= 0) & (back < w)
        if (n, w) == (6, 3):
            yield from compare(
                got,
                want,
                {
                    "transposed: row i is the query; it may attend to itself and to rows above": want.T,
                    "diagonal: an element may attend to itself": (want & (back != 0), (back > 0) & (back <= w)),
                    "inverted: True is for what is allowed": ~want,
                    "complete: this allows everything": back < n,
                    "alone: this allows an element nothing but itself": back == 0,
                    "window: it has no end; an element may not attend to all that stand before it": back >= 0,
                    "window: it is one element too long, since an element counts itself": (back >= 0) & (back <= w),
                    "window: it is one element too short": (back >= 0) & (back < w - 1),
                    "ahead: an element may not attend to what comes after it": abs(back) < w,
                    "far: this allows what lies before the window, and not the window": back >= w,
                    "turned: the first row belongs to the first element": (want[::-1], want[:, ::-1]),
                },
                "band: what is allowed is a band along the diagonal, cut off at the left edge",
            )
        else:
            yield same(got, want), "size: right for 6 elements and a window of 3, wrong for other numbers"


def walked(edges: np.ndarray, L: int, stay: bool = True) -> np.ndarray:
    """The pairs joined by L steps, with or without the choice to stay, as booleans (n, n); one step at a time."""
    n = len(edges)
    found = {(i, i) for i in range(n)}
    for _ in range(L):
        found = {(i, k) for i, j in found for k in range(n) if edges[j, k] or (stay and j == k)}
    return np.array([[(i, j) in found for j in range(n)] for i in range(n)])


def audience(attempt: Callable) -> Verdicts:
    edges = np.zeros((9, 9), dtype=bool)
    for i, j in ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (0, 2)):  # a path with a short cut
        edges[i, j] = edges[j, i] = True
    edges[7, 2] = edges[0, 8] = edges[6, 8] = True  # one way

    def others(reach):
        return reach.sum(axis=0) - 1

    heard = {L: walked(edges, L) for L in range(5)}
    loops = edges.astype(int) + np.eye(len(edges), dtype=int)
    restless = walked(edges, 2, stay=False)
    for L in (2, 1, 3):
        got = ask(attempt, edges=edges, L=L)
        yield from fits(got, (9,))
        slips = (
            {
                "staying: news that has arrived stays": (others(restless), (restless & ~np.eye(9, dtype=bool)).sum(axis=0)),
                "layers: this is one layer too many": others(heard[L + 1]),
                "layers: this is one layer too few": others(heard[L - 1]),
                "one way: some edges run in one direction only; do not turn them round": (
                    others(walked(edges | edges.T, L)),
                    others(walked(edges & edges.T, L)),
                ),
                "turned: this counts of whom an element has heard; asked is who has heard of it": heard[L].sum(axis=1) - 1,
                "walks: it counts the walks; a listener counts once, however many walks lead there": (
                    np.linalg.matrix_power(loops, L).sum(axis=0) - 1,
                    np.linalg.matrix_power(edges.astype(int), L).sum(axis=0),
                ),
                "itself: an element is none of the others": heard[L].sum(axis=0),
                "reach: it follows the edges without end; news makes one step in a layer": others(walked(edges, 9)),
                "one step: what a layer adds counts, and what was there before as well": others(heard[L]) - others(heard[L - 1]),
                "no edges: without an edge there is no way; a graph need not be complete": np.full(9, 8),
                "share: a number of listeners is wanted, not their share": (others(heard[L]) / 8, others(heard[L]) / 9),
                "layers: the listeners of every layer are added up; who has heard in one still knows in the next": sum(
                    others(heard[k]) for k in range(1, L + 1)
                ),
            }
            if L == 2
            else {}
        )
        yield from compare(got, others(heard[L]), slips, "count for each j the others whom news of j reaches in at most L steps")
    yield same(ask(attempt, edges=edges, L=0), np.zeros(9)), "no layer: for L = 0 nobody has heard of anyone else"
    full = ~np.eye(8, dtype=bool)
    yield (
        same(ask(attempt, edges=full, L=70), np.full(8, 7)),
        ("overflow: the numbers of walks outgrow an integer; what has to be kept of them after a layer?"),
    )


def must_shrink(attempt: Callable) -> Verdicts:
    def pairs(A, f):
        return [f(A[i], A[k]) for i in range(len(A)) for k in range(i)]

    def rest(p, r):
        return 1 - sum(min(float(a), float(b)) for a, b in zip(p, r))

    for m, n in ((5, 7), (2, 3)):
        (z,) = draws(156 + m, (m, n))
        A = by_rows(z)
        found = pairs(A, rest)
        got = ask(attempt, A=A)
        yield from fits(got, ())
        slips = (
            {
                "pairs: the largest rest is wanted, and this is their mean": (float(np.mean(found)), 2 * sum(found) / m**2),
                "pairs: the largest rest is wanted, and this is the smallest": min(found),
                "together: this is what all rows share; two at a time share more": 1 - float(A.min(axis=0).sum()),
                "shared: this is what two rows share, and not the rest": (1 - max(found), 1 - min(found)),
                "factor: this is twice the rest; a difference counts where one row gains and where the other loses": 2 * max(found),
                "one key: the differences at all keys count together, and not the largest alone": max(
                    pairs(A, lambda p, r: abs(p - r).max())
                ),
                "axis: compare rows with rows, not columns with columns": max(pairs(A.T, rest)),
                "product: what is shared at a key is the smaller weight, not the product": (
                    max(pairs(A, lambda p, r: 1 - math.fsum(p * r))),
                    1 - float((A @ A.T).min()),
                ),
                "larger: the larger weight of two is not what they share": (
                    max(2 - (1 - x) for x in found),
                    1 - max(1 + x for x in found),
                ),
                "length: the rest is no straight-line distance": max(pairs(A, lambda p, r: math.sqrt(math.fsum((p - r) ** 2)))),
                "neighbours: every row meets every other, and not the next alone": max(rest(A[i], A[i + 1]) for i in range(m - 1)),
                "first: every row meets every other, and not the first alone": max(rest(A[0], A[i]) for i in range(1, m)),
            }
            if m == 5
            else {}
        )
        yield from compare(got, max(found), slips, "rest: for two rows, one minus the sum of the smaller weights")
    alike = np.array([[0.25, 0.75], [0.25, 0.75], [0.25, 0.75]])
    yield same(ask(attempt, A=alike), 0), "alike: equal rows share everything, and nothing is left"
    yield same(ask(attempt, A=np.eye(4)), 1), "apart: rows that share no key have all of their weight left"


def empty_row(attempt: Callable) -> Verdicts:
    n, d_k, d_v = 6, 3, 4
    Q, K, V, pick = draws(160, (n, d_k), (n, d_k), (n, d_v), (n, n))
    mask = pick > 0.2
    mask[0], mask[1], mask[3] = np.isin(range(n), (1, 3)), np.arange(n) != 2, np.arange(n) != 0  # each key is allowed somewhere
    mask[2] = mask[4] = False
    empty = np.array([not row.any() for row in mask])

    def layer(mask, S):
        return np.array(
            [
                blends([shares([s if ok else -math.inf for s, ok in zip(row, oks)])], V)[0] if any(oks) else V[i]
                for i, (row, oks) in enumerate(zip(S, mask))
            ]
        )

    S = products(Q, K) / math.sqrt(d_k)
    want = layer(mask, S)
    got = ask(attempt, Q=Q, K=K, V=V, mask=mask)
    shape, finite = fits(got, (n, d_v))
    yield shape
    yield (
        bool(not np.isnan(got[empty]).any() or np.isnan(got).all()),
        ("empty row: its largest score is -inf, and -inf less -inf is NaN; no division, and no epsilon there, comes into it"),
    )
    yield finite
    kept, flat, spent = want.copy(), want.copy(), want.copy()
    kept[empty], flat[empty], spent[empty] = 0, V.mean(axis=0), blends(by_rows(S[empty]), V)
    loops = mask | np.eye(n, dtype=bool)
    columns = np.exp(np.where(mask, S, -np.inf))
    yield from compare(
        got,
        want,
        {
            "forgotten: an empty row gives 0 here; the node is to keep its own value": kept,
            "flat: in an empty row all scores are equal now, so that the node hears everybody alike": flat,
            "unmasked: in an empty row the mask is ignored; the node hears everybody": spent,
            "loops: the other rows must stay as they are; they get no self loop": layer(loops, S),
            "inverted: True is for what is allowed": layer(~mask, S),
            "no mask: nothing is forbidden any more": blends(by_rows(S), V),
            "scale: the scores lose their root": layer(mask, products(Q, K)),
            "scale: the root is that of the key width, not of the value width": layer(mask, products(Q, K) / math.sqrt(d_v)),
            "axis: the weights of a row sum to one, not those of a column": np.where(
                empty[:, None], V, columns / columns.sum(axis=0) @ V
            ),
            "transposed: row i of the mask belongs to query i": (layer(mask.T, S), np.where(empty[:, None], V, layer(mask.T, S))),
            "query: the node is to keep its value, and not the value of its best key": np.where(
                empty[:, None], V[S.argmax(axis=1)], want
            ),
            "everyone: the nodes with neighbours keep hearing them; only the empty rows are mended": V,
        },
        "row: an empty row gives the value of its own node; the others are softmax averages over their keys",
    )
    forbidden = np.where(mask, 0, 1.0)
    far = ask(attempt, Q=np.eye(n) * 2000, K=forbidden.T, V=V, mask=mask)  # the forbidden scores lead by far
    yield (
        same(far, layer(mask, np.zeros((n, n)))),
        ("underflow: a forbidden score that leads by far must not decide the maximum, or all that is allowed vanishes"),
    )


EXERCISES = (
    Exercise("causal-mask", "08", "A causal mask with a window", "recall", 4, causal_mask),
    Exercise("masks-and-order", "08", "Which masks keep the symmetry?", "recall", 4),
    Exercise("audience", "08", "Who has heard of you?", "apply", 8, audience),
    Exercise("must-shrink", "08", "How much must an average shrink?", "extend", 10, must_shrink),
    Exercise("empty-row", "08", "A node that hears nobody", "find the bug", 7, empty_row),
)
