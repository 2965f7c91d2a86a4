"""Notebook 08: messages, neighbours, and blocks."""

import numpy as np

from attention_core import scaled_dot_product_attention
from tools.formulas.bindings import head, lookup
from tools.formulas.check import cell
from tools.formulas.scope import Function, Row


def messages(rng):
    h = head(rng)
    return h | {"o": Row(h["O"]), "v": Row(h["V"]), "x": Row(h["X"])}


def reordered(rng):
    h = head(rng)
    return h | {"P": np.eye(6)[rng.permutation(6)], "I": np.eye(6)}


def neighbours(rng):
    h = lookup(rng)
    mask = rng.random((6, 5)) < 0.5
    mask[:, 2] = True
    return h | {"l": np.exp(h["S"]).sum(axis=1), "N": Function(lambda i: mask[int(i) - 1]), "ranges": {"i": 6}}


def steps(rng):
    """How many walks of two steps lead from i to j, counted one by one, and how many of three."""
    M = (rng.random((5, 5)) < 0.5).astype(int)
    roads = [(i, j) for i in range(5) for j in range(5) if M[i, j]]

    def counted(L):
        ends = [(i, i) for i in range(5)]
        for _ in range(L):
            ends = [(start, j) for start, at in ends for i, j in roads if i == at]
        return np.array([[ends.count((i, j)) for j in range(5)] for i in range(5)])

    return {"M": M, "C": counted(2), "C'": counted(3)}


def next_block(rng):
    """What a row keeps before (a, l, u) and after (b, l', u') it meets the scores s of one more block of keys."""
    K, V, q = rng.normal(size=(7, 3)), rng.normal(size=(7, 4)), rng.normal(size=3)
    s = scaled_dot_product_attention(q[None], K, V).scaled[0]

    def kept(some):
        e = np.exp(s[some] - s[some].max())
        return s[some].max(), e.sum(), e @ V[some]

    (a, l, u), (b, l_next, u_next) = kept(slice(4)), kept(slice(7))
    return {"a": a, "l": l, "u": u, "s": s[4:], "v": V[4:], "b": b, "q": q[None], "k": K, "l'": l_next, "u'": u_next}


cell(
    "08-03",
    bind=messages,
    listed={
        r"\mathbf{h}_i' = \phi\Big(\mathbf{h}_i,\ \sum_{j \in \mathcal{N}(i)} w_{ij}\, \psi(\mathbf{h}_j)\Big)": "a template: phi, psi and the weights are left open"
    },
)
cell("08-06", bind=reordered)
cell("08-08b", bind=neighbours)
cell("08-15b", bind=steps)
BOUND = r"\mathbf{q}_i \cdot \mathbf{k}_j \le \lVert\mathbf{q}_i\rVert\, \max_j \lVert\mathbf{k}_j\rVert"
ALONG = ({"q": np.array([[3.0, 0, 0]]), "k": np.array([[2.0, 0, 0]] * 7)},)
cell("attention_core.blocked_attention", bind=next_block, tight={BOUND: ALONG})
cell("08-e02", settings=(r"\ge 1",))
cell("08-e06", listed={r"M \to P M P^\top": "the mask is reordered; the arrow is no limit"})
cell("08-e10", settings=(r"\ge 0",))
