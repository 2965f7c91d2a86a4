"""Notebook 02: the matrix form."""

import numpy as np

from attention_chapter.run import D
from attention_core import attention
from tools.formulas.bindings import head, lookup
from tools.formulas.check import cell


def scores(rng):
    h = head(rng)
    X = h["X"]
    back = np.linalg.pinv(X)
    return h | {"M": lambda W_q, W_k: back @ attention(X, W_q, W_k, h["W_v"]).raw @ back.T}


cell("02-03", bind=lambda rng: {"d": D})
cell(
    "02-08",
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
