"""The exercises of notebook 09a, what an output forgets."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from attention_chapter.exercises.machinery import Exercise, Verdicts, ask, blend, compare, dot, draws, fits, shares


def lost_directions(attempt: Callable) -> Verdicts:
    # counted by hand: equations that say something new, and what is left of n
    for n, d, d_v, want in ((19, 11, 5, 13), (18, 6, 9, 11), (5, 7, 9, 0), (6, 9, 5, 0), (9, 3, 3, 5)):
        got = ask(attempt, n=n, d=d, d_v=d_v)
        yield from fits(got, ())
        yield from compare(
            got,
            want,
            {
                "sum: that the weights add up to one is an equation, too": n - d_v,
                "values: what is narrower than the features limits the output": n - d - 1,
                "kept: these are the equations; how many unknowns do they leave free?": (d_v + 1, d_v),
                "all: the output does tell something": n,
                "sign: a further equation leaves one direction less, not one more": n - d_v + 1,
                "sum: one equation tells the sum of the weights, not two": n - d_v - 2,
                "weights: what is unknown is one weight for each slot, and no value": n * d_v - d_v,
                "slots: their number counts, too": d_v - 1,
                "fraction: a number of directions is wanted": want / n,
                "factor: every direction counts once": 2 * want,
            }
            if (n, d, d_v) == (19, 11, 5)
            else {"features: values that are wider than the features say nothing new": n - d_v - 1}
            if (n, d, d_v) == (18, 6, 9)
            else {"below 0: there are more equations than unknowns, and then nothing is lost": n - min(d, d_v) - 1}
            if n <= min(d, d_v)
            else {},
            "small: blend 10, 20 and 30 into 20; how many directions are free there?",
        )


def weights_back(attempt: Callable) -> Verdicts:
    for n in (5, 4):
        V, z = draws(170 + n, (n, n), (n + 1,))
        p = np.array(shares(z))
        o = blend(p[:-1], V)
        own, rest = p[:-1], p[-1]
        # the weights that fit best where the null slot is forgotten
        without = np.linalg.lstsq(np.vstack([V.T, np.ones(n)]), np.append(o, 1), rcond=None)[0]
        turned_round = np.linalg.solve(V, o)
        fit = np.array([dot(v, o) for v in V] + [0.0])
        got = ask(attempt, V=V, o=o)
        yield got.shape != (n,), "null slot: its weight is wanted, too, as the last"
        yield from fits(got, (n + 1,))
        yield from compare(
            got,
            p,
            {
                "null slot: it has a weight of its own, and the others sum to less than one": (
                    np.append(without, 0),
                    np.append(own / own.sum(), 0),
                    np.append(own, 0),
                ),
                "sum: all weights add up to one, that of the null slot included": (
                    np.append(own, 1),
                    np.append(own, own.sum()),
                    np.append(own, own.sum() - 1),
                    np.append(own, 1 / (n + 1)),
                ),
                "order: the null slot stands last": np.append(rest, own),
                "transposed: each equation is about one coordinate of all slots, not about one slot": np.append(
                    turned_round, 1 - turned_round.sum()
                ),
                "softmax: how well a value fits the output is not how much it contributed": (np.array(shares(fit)), fit),
                "nearest: one slot alone does not give this output": np.append(
                    np.eye(n)[np.argmin([dot(v - o, v - o) for v in V])], 0
                ),
                "logits: these are logarithms of the weights": np.log(p),
                "order: the weights come in reverse": p[::-1],
                "scale: the weights are multiplied by their number": (n + 1) * p,
                "square: the weights are squared": p**2,
                "length: the vector of weights has length one, and its sum is wanted to be one": p / math.sqrt(dot(p, p)),
                "values: these are the weights times something of the values": p * np.append(V.sum(axis=1), 1),
            },
            "check: with your weights, do the values add up to the output, and all weights to one?",
        )


def turned(a) -> np.ndarray:
    """Entry (k, j) is a at hour k - j."""
    n = len(a)
    return np.array([[a[(k - j) % n] for j in range(n)] for k in range(n)])


def turn_matrix(attempt: Callable) -> Verdicts:
    for n in (7, 4):
        (a,) = draws(180 + n, (n,))
        want = turned(a)
        sums = np.array([[a[(k + j) % n] for j in range(n)] for k in range(n)])
        got = ask(attempt, a=a)
        yield got.shape != (n,), "vector: a matrix is wanted, which binds any filler that it is multiplied with"
        yield from fits(got, (n, n))
        yield from compare(
            got,
            want,
            {
                "transposed: this one unbinds, since its columns run backwards": want.T,
                "sign: the hours must add up, so what reaches hour k from hour j is turned by a difference": (
                    sums,
                    sums[::-1, ::-1],
                ),
                "circle: what runs over the last hour comes in again at hour 0": np.tril(want),
                "circle: this keeps only what runs over the last hour": np.triu(want, 1),
                "every: each entry meets only its own partner; every entry must meet every entry": np.diag(a),
                "outer product: the products of the role with itself bind no filler": np.outer(a, a),
                "turned: every column (or row) is the role, but none is turned": (np.tile(a, (n, 1)), np.tile(a, (n, 1)).T),
                "shift: one hour too far": turned(np.roll(a, 1)),
                "shift: one hour short": turned(np.roll(a, -1)),
                "reversed: the role runs backwards": turned(a[::-1]),
                "scale: the matrix is divided by n": want / n,
                "rows: they stand in reverse": want[::-1],
                "columns: they stand in reverse": want[:, ::-1],
                "square: this binds twice": want @ want,
                "length: the role is to be taken as it is, and not at length one": want / math.sqrt(dot(a, a)),
            },
            "column: bind a filler with a single 1, at hour 1, by hand; that is a column of the matrix",
        )


def unbound(memory, roles, sign: int = 1, shift: int = 0) -> np.ndarray:
    n = len(memory)
    return np.array([[sum(a[i] * memory[(k + sign * i + shift) % n] for i in range(n)) for k in range(n)] for a in roles])


def angles(A, B) -> np.ndarray:
    """Cosines of rows with rows, one at a time."""
    return np.array([[dot(a, b) / math.sqrt(dot(a, a) * dot(b, b)) for b in B] for a in A])


def ask_every_role(attempt: Callable) -> Verdicts:
    for n in (8, 5):
        memory, roles, candidates = draws(190 + n, (n,), (3, n), (4, n))
        answers = unbound(memory, roles)
        want = angles(answers, candidates)
        dots = np.array([[dot(a, b) for b in candidates] for a in answers])
        long_a, long_b = (np.array([math.sqrt(dot(x, x)) for x in rows]) for rows in (answers, candidates))
        exact = np.array([np.fft.ifft(np.fft.fft(memory) / np.fft.fft(a)).real for a in roles])
        got = ask(attempt, memory=memory, roles=roles, candidates=candidates)
        yield got.shape != (3,), "table: a cosine with each candidate is wanted, not the best candidate alone"
        yield from fits(got, (3, 4))
        yield from compare(
            got,
            want,
            {
                "bound again: the clock of the role must run backwards": angles(unbound(memory, roles, -1), candidates),
                "shift: to reverse a whole role also moves it; hour 0 must stay where it is": (
                    angles(unbound(memory, roles, 1, 1), candidates),
                    angles(unbound(memory, roles, 1, -1), candidates),
                ),
                "length: these are dot products; a cosine divides by both lengths": dots,
                "length: only that of the candidate is divided out": dots / long_b,
                "length: only that of the answer is divided out": dots / long_a[:, None],
                "length: it is the answer that is compared, so it is its length that counts, not that of the memory": dots
                / long_b
                / math.sqrt(dot(memory, memory)),
                "length: squared lengths are divided out": dots / long_b**2 / long_a[:, None] ** 2,
                "not unbound: the candidates are compared with the roles, or with the memory itself": (
                    angles(roles, candidates),
                    np.tile(angles([memory], candidates), (3, 1)),
                ),
                "division: that undoes one exact pair, but blows up noise where a role is small": angles(exact, candidates),
                "roles: the memory is unbound with the candidates; which is asked for, the filler or its role?": angles(
                    unbound(memory, candidates), roles
                ).T,
                "entry by entry: on the clock every entry meets every entry": angles(memory * roles, candidates),
                "sign: a cosine of the opposite direction is negative, not positive": abs(want),
                "angle: the cosine is wanted, not the angle": np.arccos(want),
                "square: the cosine is squared": want**2,
                "softmax: no weights are wanted": np.array([shares(row) for row in want]),
            },
            "one pair: bind one role to one candidate by hand, and ask with that role; the cosine should be the largest",
        )


EXERCISES = (
    Exercise("lost-directions", "09a", "Directions lost", "recall", 5, lost_directions),
    Exercise("weights-back", "09a", "A memory with a null slot", "apply", 7, weights_back),
    Exercise("turn-matrix", "09a", "Binding as a matrix", "apply", 8, turn_matrix),
    Exercise("ask-every-role", "09a", "Ask every role", "extend", 10, ask_every_role),
)
