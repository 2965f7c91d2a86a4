"""Notebook 09a: the rows of weights behind one output, and vectors bound on a clock."""

import numpy as np

from attention_core import scaled_dot_product_attention
from tools.formulas.bindings import head, lookup
from tools.formulas.check import cell


def one_row(rng):
    """The last row of a lookup, a direction of its weights that the output forgets, and a property that it tells."""
    bound = lookup(rng, n=7)
    V = bound["V"]
    x, x_0 = rng.normal(size=V.shape[1]), rng.normal()
    lost = np.linalg.svd(np.column_stack([V, np.ones(len(V))]).T)[2][-1]
    return bound | {"p": bound["A"][-1], "o": bound["O"][-1], "u": lost, "x": x, "x_0": x_0, "y": V @ x + x_0}


def keys_as_values(rng):
    """Two near queries and what each gets where the values are the keys, both ways round for the two draws."""
    sign = 2 * rng.integers(2) - 1
    while True:
        K, q, step = rng.normal(size=(7, 4)), 2 * rng.normal(size=4), 0.1 * rng.normal(size=4)
        o, o_other = scaled_dot_product_attention(np.stack([q, q + step]), K, K).output
        for_q = min(sign * q @ x - 2 * abs(o @ x) for x in (step, o_other - o))  # q counts more than o
        if min(for_q, sign * o @ step) > 0.01:  # else a change of one of them would not show
            return {"q": q, "q'": q + step, "o": o, "o'": o_other}


def clock(rng):
    """Vectors whose hours go round in a circle, from 0."""
    d, (a, b, c, m) = 5, rng.normal(size=(4, 5))
    back = a[-np.arange(d) % d]
    return {"d": d, "base": 0, "a": a, "b": b, "c": c, "m": m, "a^*": back, "ranges": dict.fromkeys("ijkl", d)}


cell("09a-05", bind=one_row, settings=("d_v = 4",))
cell("09a-07", bind=one_row)
cell("09a-14", bind=one_row)
cell("09a-16", bind=head)
cell("09a-20", bind=keys_as_values)
cell("09a-22", bind=clock)
cell("09a-24", bind=clock, settings=("k = d/2",))
cell("09a-35", bind=clock)
