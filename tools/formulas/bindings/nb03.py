"""Notebook 03: one row of the run."""

import numpy as np

from attention_chapter.run import D_K, draw
from attention_core import attention, softmax
from kg import index
from tools.formulas.bindings import head, lookup
from tools.formulas.check import cell


def the_run(rng):
    run = draw()
    found = attention(run.X, run.Wq, run.Wk, run.Wv)
    return {"A": found.weights, "O": found.output, "v": run.X @ run.Wv, "bob": index("bob") + 1, "d_k": D_K, "d_v": D_K}


def one_asker(rng):
    """A query that is no row of Q, and keys that are projected rows."""
    h = head(rng)
    return {"x": h["X"], "W_k": h["W_k"], "k": h["K"], "q": rng.normal(size=h["d_k"])}


cell("03-03", "03-12", bind=the_run)
cell("03-07", bind=lookup)
cell("03-25b", bind=one_asker)
cell(
    "03-e06",
    bind=lambda rng: {"p": softmax(rng.normal(size=5)), "v": rng.normal(size=(5, 3))},
    tight={
        r"\lVert\sum_j p_j \mathbf{v}_j\rVert \le \sum_j p_j \lVert\mathbf{v}_j\rVert \le \max_j \lVert\mathbf{v}_j\rVert": (
            {"v": np.tile([0.3, -1.1, 2.0], (5, 1))},
        )
    },
)
