"""Notebook 07: several heads side by side."""

import numpy as np

from attention_chapter.run import D_K, HEADS, D
from attention_core import multi_head_attention
from tools.formulas.check import cell


def several(rng):
    """Two heads and their mix, and the one wide head that their projections make side by side."""
    n, d, H, d_k, d_v = 6, 5, 2, 3, 4
    shapes = ((H, d, d_k), (H, d, d_k), (H, d, d_v))
    X, W_o = rng.normal(size=(n, d)), rng.normal(size=(H * d_v, 7))
    W_q, W_k, W_v = (rng.normal(size=shape) for shape in shapes)
    found = multi_head_attention(X, list(zip(W_q, W_k, W_v)), W_o)
    O = np.array([one.output for one in found.heads])
    wide = [np.concatenate(list(W), axis=1) for W in (W_q, W_k)]
    return {
        "X": X,
        "d_k": d_k,
        "W_q^()": W_q,
        "W_k^()": W_k,
        "W_v^()": W_v,
        "W_q": wide[0],
        "Q": X @ wide[0],
        "K": X @ wide[1],
        **{f"Q_{i + 1}": X @ W_q[i] for i in range(H)},
        **{f"K_{i + 1}": X @ W_k[i] for i in range(H)},
        "W_o": W_o,
        "O_multi": found.output,
        "O": O,
        "O_1": O[0],
        "O_2": O[1],
        "W_o^up": W_o[:d_v],
        "W_o^low": W_o[d_v:],
    }


cell("07-05b", bind=several, settings=("H = 2", "d_k = 4"))
cell("07-09", "07-11", "attention_core.multi_head_attention", bind=several)
cell("07-14", bind=lambda rng: several(rng) | {"d": D, "d_k": D_K, "H": HEADS, "n": 13})
cell("07-16", bind=lambda rng: {"s": rng.dirichlet(np.ones(13))})
cell("07-24", settings=("d_k = 1",))
