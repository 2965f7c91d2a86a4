"""Notebook 07b: chains of weights, what keeps to the facts, and a ring of exact facts, walked by the chapter's own functions."""

import numpy as np

from attention_core import closed_form_weight, softmax
from tools.formulas.bindings import lookup, solved
from tools.formulas.check import cell


def chain(rng):
    """A lookup, and two heads in two layers over its values: no two sizes are equal, so that no factor fits elsewhere."""
    found, first, second = lookup(rng), softmax(rng.normal(size=(3, 7))), softmax(rng.normal(size=(7, 5)))
    return {**found, "A_1": first, "A_2": second}


def kept(rng):
    """Weight on entities, and the share that each sends on along its facts; the smallest share is p."""
    shares = rng.uniform(0.3, 1, size=6)
    return {"s": rng.uniform(0.05, 0.2, size=6), "b": shares, "p": shares.min()}


def built(rng):
    """A row with one fact among n entities, at sharpness c."""
    return {"n": 5, "c": rng.uniform(0.5, 3), "p": lambda c, n: closed_form_weight(c, n)}


def ring(rng):
    """The same in a ring, and the weight on the right entity after one, two, ... seven hops, walked."""
    n, c = 5, rng.uniform(0.5, 3)
    A = softmax(c * np.roll(np.eye(n), 1, axis=1))
    walked = [np.linalg.matrix_power(A, L)[0, L % n] for L in range(1, 8)]
    return {"n": n, "c": c, "p": A[0, 1], "alpha": np.array(walked)}


def enough(rng):
    """A leak that is allowed; the text says which sharpness is enough."""
    return {"n": 5, "L": 3, "varepsilon": rng.uniform(0.01, 0.1), "p": lambda c, n: closed_form_weight(c, n)}


def exactly(rng):
    """The sharpness at which L hops keep the share s."""
    n, L, s = 5, 3, rng.uniform(0.5, 0.9)
    return {"n": n, "L": L, "s": s, "c": solved(lambda c: closed_form_weight(c, n) ** L - s, -5, 40)}


# One hop, and a leak of exactly (n - 1) e^-c: what the true one is to first order.
ONE_HOP = {"L": 1, "p": lambda c, n: 1 - (n - 1) * np.exp(-c)}
ALL_ALIKE = {"b": np.full(6, 0.4), "p": 0.4}
cell("07b-11", bind=chain)
cell("07b-18", bind=kept, tight={r"b_i \ge p": (ALL_ALIKE,), r"\sum_i s_i b_i \ge p \sum_i s_i": (ALL_ALIKE,)})
cell("07b-21", bind=built)
cell("07b-23", bind=ring, settings=("c = 8", "c = 3"))
cell("07b-26", bind=enough, settings=("c = 8", "c = 5", "c = 3"), tight={r"1 - p^L \le L (1 - p) \le L (n-1)\, e^{-c}": (ONE_HOP,)})
cell("07b-e09", bind=exactly)
