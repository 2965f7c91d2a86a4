"""Notebook 06: retrieval, and the norm of J."""

import numpy as np

from attention_core import closed_form_weight, retrieve, scaled_dot_product_attention, softmax, softmax_jacobian
from tools.formulas.bindings import solved
from tools.formulas.check import cell


def orthonormal(rng):
    """Slot 2 of n orthonormal keys, asked for by the chapter's own retrieval."""
    n, d = 4, 6
    k, v = np.linalg.qr(rng.normal(size=(d, n)))[0].T, rng.normal(size=(n, 3))

    def found(c):
        return retrieve(k, v, 1, c)

    return {
        "n": n,
        "k": k,
        "v": v,
        "c": rng.uniform(0.5, 2),
        "delta": np.eye(n),
        "q": lambda c: c * k[1],
        "z": lambda q: scaled_dot_product_attention(q[None], k, v, scale=1).raw[0],
        "p": lambda c: found(c).weights,
        "o": lambda c: found(c).output,
        "u": rng.normal(size=3),
        "ranges": {"i": n, "j": n},
    }


def sharp_enough(rng):
    n, c = 5, rng.uniform(0.5, 4)
    return {"n": n, "c": c, "p": lambda c, n: closed_form_weight(c, n)}


cell("06-42", bind=orthonormal, settings=("c = 0", "c = 3", "c = 8", "i = j", r"\mathbf{q} = c\,\mathbf{k}_2"))
cell("06-05", bind=orthonormal, settings=("c = 3",))
cell("06-43", "06-07", bind=orthonormal)
cell("attention_core.cosine", bind=lambda rng: {"u": rng.normal(size=4), "v": rng.normal(size=4)})
cell("06-09", settings=("c = 3", "c = 8"))
cell("06-11", "06-16", "06-34", settings=("c = 3",))
cell("06-14", bind=sharp_enough, settings=("p = 0.99",))
cell("06-e07", bind=sharp_enough)


def two_at_once(rng):
    """Two of five orthonormal keys asked for at once."""
    n, c = 5, rng.uniform(0.5, 4)
    return {"n": n, "c": c, "p": lambda c, n: softmax(c * np.array([1, 1] + [0] * (int(n) - 2)))[0]}


cell("06-e04", bind=two_at_once)
cell(
    "attention_core.closed_form_weight",
    bind=lambda rng: {
        "n": 5,
        "c": rng.uniform(0.5, 4),
        "rho": rng.uniform(0.1, 0.6),
        "p": lambda c, n, rho: closed_form_weight(c, n, rho),
    },
)


def third_slot(rng):
    k, v, c = rng.normal(size=(5, 4)), rng.normal(size=(5, 3)), 1.2
    found = retrieve(k, v, 2, c)
    return {"k": k, "v": v, "c": c, "s": 3, "p": found.weights, "o": found.output}


cell("attention_core.retrieve", bind=third_slot)


def retrieved(rng):
    """The weights of n slots when slot 1 is asked for and has the weight p, and J there."""
    n, p = 5, rng.uniform(0.4, 0.8)
    return {
        "n": n,
        "p": p,
        "p_w": lambda p: (1 - p) / (n - 1),
        "bold p": lambda p: np.array([p, *[(1 - p) / (n - 1)] * (n - 1)]),
        "J": lambda p: softmax_jacobian(np.array([p, *[(1 - p) / 4] * 4])),
        "x": np.array([1, *[-1 / (n - 1)] * (n - 1)]),
        "e": np.eye(n),
        "lambda": lambda J: np.linalg.eigvalsh(J)[-1],
    }


WRONG = (r"i \ne 1", r"j \ne 1")
cell(
    "06-48",
    bind=retrieved,
    given={r"J(\mathbf{e}_i - \mathbf{e}_j) = p_w\,(\mathbf{e}_i - \mathbf{e}_j)": WRONG},
    tight={r"n\,p \ge 1": ("p = 1/n",)},
)


def half(rng):
    n = 4
    return {
        "n": n,
        "p": 0.5,
        "c": lambda p, n: solved(lambda c: closed_form_weight(c, int(n)) - p, -50, 50),
        "J": lambda p, n: softmax_jacobian(np.array([p, *[(1 - p) / (n - 1)] * (int(n) - 1)])),
    }


cell(
    "06-38",
    bind=half,
    settings=("p = 1/2", "n = 4", r"p \to 1"),
    limit={r"\lVert J\rVert_2 \to \frac{n}{n-1}\,(1 - p)": ({"p": 1 - 2e-4},)},
)
cell("06-e11", settings=("n = 2", r"c \ge 0"))
CLOSED = ({"c": 1.3, "n": 5, "p": lambda c, n: closed_form_weight(c, int(n))},)
cell(
    "06-e12",
    bind=half,
    settings=("p = 1/2",),
    given={
        r"\lVert J\rVert_2 = \frac{n}{n-1}\,p(1-p) = 2p(1-p)": ("n = 2", {"p": 0.7}),
        "p = e^c/(e^c + n - 1)": CLOSED,
        "e^c = n - 1 = 1": ("n = 2",),
        "c = 0": ("n = 2",),
        r"c = \ln(n - 1)": ("n = 7",),
    },
)
cell("06-e13", settings=("n < d",))


def shortest(rng):
    K, c, s = rng.normal(size=(4, 6)), 1.3, 3
    q = c * np.linalg.pinv(K)[:, s - 1]
    return {"K": K, "c": c, "s": s, "e": np.eye(4), "q": q, "a": np.linalg.lstsq(K.T, q, rcond=None)[0]}


cell("06-e15", bind=shortest)
