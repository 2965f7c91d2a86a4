"""Notebook 03: one row of the run."""

import numpy as np

from attention_chapter.run import D_K, draw
from attention_core import attention, softmax
from kg import index
from tools.formulas.bindings import coin, independent, lookup
from tools.formulas.check import cell
from tools.formulas.scope import Random


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
