"""Notebook 09: two worlds with one average, and where an average still tells them apart."""

import numpy as np

from attention_core import scaled_dot_product_attention, softmax
from tools.formulas.check import cell
from tools.formulas.scope import Function


def two_worlds(rng):
    """Four tokens in two orders, one query, and the tables of roles and fillers with the sums that forget them."""
    M, turn, q = rng.normal(size=(4, 3)), np.array([2, 0, 3, 1]), rng.normal(size=3)
    V = rng.normal(size=(4, 5))

    def weights(M):
        return scaled_dot_product_attention(q[None], M, V).weights[0]

    r, f = 3, 4
    sums = np.array([np.concatenate([B.sum(axis=1), B.sum(axis=0)]) for B in np.eye(r * f).reshape(-1, r, f)])
    redundant = np.linalg.svd(sums)[2][-1]
    return {
        "M": M,
        "P": np.eye(4)[turn],
        "M'": M[turn],
        "p": weights(M),
        "p'": weights(M[turn]),
        "v": V,
        "v'": V[turn],
        "pi": Function(lambda j: turn[int(j) - 1] + 1),
        "n_r": r,
        "n_f": f,
        "alpha": redundant[:r],
        "beta": redundant[r:],
        "ranges": {"b": f},
    }


def one_output(rng):
    """Two slots, the weight of the first by its lead g, and the outputs of both worlds."""
    g, v = rng.normal(), rng.normal(size=(2, 5))
    weights = softmax(np.array([g, 0.0]))
    return {"g": g, "p": weights[0], "v": v, "o": weights @ v, "o'": weights @ v[::-1]}


def parts(rng):
    """Two roles and two fillers."""
    return {"a": rng.normal(size=(2, 5)), "b": rng.normal(size=(2, 5))}


cell("09-09", bind=two_worlds)
cell("09-09c", bind=two_worlds)
cell("09-14", settings=("c = 8",))
cell("09-16", bind=one_output)
cell("09-17a", bind=one_output)
cell("09-27", bind=parts)
cell("09-e09", listed=dict.fromkeys(("p = p'", "p = 1 - p'"), "a conclusion about unknown weights, drawn in words"))
