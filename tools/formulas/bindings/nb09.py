"""Notebook 09: two worlds with one average, and vectors bound on a circle."""

import numpy as np

from attention_core import scaled_dot_product_attention
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
        "r": r,
        "f": f,
        "alpha": redundant[:r],
        "beta": redundant[r:],
        "ranges": {"b": f},
    }


def circle(rng):
    """Vectors whose indices go round in a circle, from 0."""
    d, (r, f, a) = 5, rng.normal(size=(3, 5))
    turned = r[-np.arange(d) % d]
    return {
        "d": d,
        "base": 0,
        "r": r,
        "f": f,
        "a": a,
        "b": r,
        "c": f,
        "r^*": turned,
        "tilde a": a[-np.arange(d) % d],
        "hat a": np.fft.fft(a),
        "g": np.fft.ifft(np.fft.fft(f) * np.fft.fft(a).conj()).real,
        "ranges": dict.fromkeys("ijkl", d),
        **{f"{name}_{k}": rng.normal(size=d) for name in "rf" for k in (1, 2)},
    }


cell("09-09", bind=two_worlds)
cell("09-09b", bind=two_worlds, settings=("B_{ab} = 1",))
cell("09-27", bind=circle, settings=("j = k - i",))
cell(
    "09-31",
    bind=circle,
    settings=("k = 0", r"k \ne 0", "k = d/2"),
    listed={
        r"\mathbf{r}^* \circledast (\mathbf{r}\circledast\mathbf{f}) = \mathbf{f} +": "plus noise, which is measured in the notebook"
    },
)
cell("09-e09", listed=dict.fromkeys(("w = w'", "w = 1 - w'"), "a conclusion about unknown weights, drawn in words"))


def circle_of_n(rng):
    """The same, where the width is called n."""
    bound = circle(rng)
    return bound | {"n": bound.pop("d")}


cell("09-e10", "09-e13", "09-e15", bind=circle_of_n)
