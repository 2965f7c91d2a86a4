"""Notebooks 00 to 03: one query, the matrix form, one row of the run."""

import numpy as np

from attention_chapter.run import D_K, D, draw
from attention_core import attention, scaled_dot_product_attention, softmax, softmax_jacobian
from kg import index
from tools.formulas.bindings import coin, head, independent, lookup
from tools.formulas.check import cell
from tools.formulas.scope import Function, Random


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


def jacobian(rng):
    return lookup(rng) | {"z": rng.normal(size=4), "p": lambda z: softmax(z), "J": lambda p: softmax_jacobian(p)}


cell("00-13", bind=jacobian, settings=("i = j",))
cell("01-08", "01-10", "01-12", "01-23", "01-25", "01-e04", "01-e10", bind=one_query)
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


def scores(rng):
    h = head(rng)
    X = h["X"]
    back = np.linalg.pinv(X)
    return h | {"M": lambda W_q, W_k: back @ attention(X, W_q, W_k, h["W_v"]).raw @ back.T}


cell("02-03", bind=lambda rng: {"d": D})
cell(
    "02-08",
    "02-e05",
    "02-27",
    "attention_core.attention",
    "attention_core.Attention",
    "attention_core.scaled_dot_product_attention",
    bind=head,
)
cell("02-10", bind=lookup)
cell("02-14", bind=lambda rng: head(rng, n=13, d=8, d_k=3, d_v=4))
cell("02-e08", settings=("W_q = W_k",))
cell(
    "02-e09",
    bind=scores,
    settings=("W_q = W_k", "W_q = -W_k"),
    given={r"M = W_q W_q^\top": ({"W_k": lambda W_q: W_q},), r"M = -W_k W_k^\top": ({"W_q": lambda W_k: -W_k},)},
)


def the_run(rng):
    run = draw()
    found = attention(run.X, run.Wq, run.Wk, run.Wv)
    return {"A": found.weights, "O": found.output, "v": run.X @ run.Wv, "bob": index("bob") + 1, "d_k": D_K, "d_v": D_K}


def random_projections(rng):
    """Independent entries of W_q and W_k, and the queries and keys that they make of x."""
    n, d, d_k = 4, 3, 2
    x = rng.normal(size=(n, d))
    W, law = independent(*(coin(rng) for _ in range(2 * d * d_k)))
    W_q, W_k = W.reshape(2, d, d_k, -1)
    return {
        "x": x,
        "d_k": d_k,
        "law": law,
        "q": Random(np.einsum("nd,dkw->nkw", x, W_q)),
        "k": Random(np.einsum("nd,dkw->nkw", x, W_k)),
    }


cell("03-03", "03-12", "03-26", bind=the_run)
cell("03-07", bind=lookup)
cell("03-28", bind=lambda rng: {"q": rng.normal(size=3), "k": rng.normal(size=3)})
cell("03-30", bind=random_projections)
cell(
    "03-e06",
    bind=lambda rng: {"p": softmax(rng.normal(size=5)), "v": rng.normal(size=(5, 3))},
    tight={
        r"\lVert\sum_j p_j \mathbf{v}_j\rVert \le \sum_j p_j \lVert\mathbf{v}_j\rVert \le \max_j \lVert\mathbf{v}_j\rVert": (
            {"v": np.tile([0.3, -1.1, 2.0], (5, 1))},
        )
    },
)
