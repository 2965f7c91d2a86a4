"""Notebook 01: one query."""

import numpy as np

from attention_core import scaled_dot_product_attention, softmax, softmax_jacobian
from tools.formulas.check import cell
from tools.formulas.scope import Function


def one_query(rng):
    q, k, v, t = rng.normal(size=3), rng.normal(size=(5, 3)), rng.normal(size=(5, 2)), rng.normal(size=2)

    def found(q):
        return scaled_dot_product_attention(q[None], k, v, scale=1)

    return {
        "q": q,
        "k": k,
        "v": v,
        "t": t,
        "n": 5,
        "z": lambda q: found(q).raw[0],
        "p": lambda q: found(q).weights[0],
        "o": lambda q: found(q).output[0],
        "D": lambda p: v.T @ softmax_jacobian(p) @ k,
    }


def sharpness(rng):
    z = rng.permutation(np.arange(5.0)) + rng.uniform(0, 0.5, size=5)
    return {"z": z, "n": 5, "c": 1.3, "m": int(z.argmax()) + 1, "p": Function(lambda c: softmax(c * z))}


cell("01-08", "01-10", "01-12", "01-23", "01-25", "01-e10", bind=one_query)
cell("01-28", bind=one_query, settings=("c = 0", r"c \to \infty"))
cell(
    "01-16",
    bind=sharpness,
    settings=(r"c \ge 0", "c = 0", r"c \to \infty", "j = m", r"j \ne m", "k = m"),
    given={"p_j = 1/n": ("c = 0",), r"p_j \to 0": (r"j \ne m",)},
    limit={r"p_m \to 1": ("c = 400",), r"p_j \to 0": ("c = 400",)},
)
cell("01-e02", bind=sharpness, settings=(r"c \to -\infty",))
cell("01-e03", settings=("c < 0", r"c \to -\infty"))
cell("01-e07", settings=("> 0", r"1/2 \le p < 1"))
