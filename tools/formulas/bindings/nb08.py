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
    return h | {"T": np.exp(h["S"]).sum(axis=1), "N": Function(lambda i: mask[int(i) - 1]), "ranges": {"i": 6}}


def blocks(rng):
    """The scores of one row in two blocks of keys: what each keeps (a, l, u), and the output by the chapter's function."""
    K, v, q = rng.normal(size=(7, 3)), rng.normal(size=(7, 4)), rng.normal(size=3)
    head = scaled_dot_product_attention(q[None], K, v)
    s, first = head.scaled[0], np.arange(7) < 4

    def kept(chosen, m=None):
        m = s[chosen].max() if m is None else m
        return m, np.exp(s[chosen] - m).sum(), np.exp(s[chosen] - m) @ v[chosen]

    (a_1, l_1, u_1), (a_2, l_2, u_2), (b, l, u) = kept(first), kept(~first), kept(s > -np.inf)
    return {
        "s": s,
        "q": q,
        "k": K,
        "v": v,
        "o": head.output[0],
        "B": first,
        "a_1": a_1,
        "l_1": l_1,
        "u_1": u_1,
        "a_2": a_2,
        "l_2": l_2,
        "u_2": u_2,
        "b": b,
        "l": l,
        "u": u,
        "m": b,
        "a": lambda s, B: s[B].max(),
    }


ONE_BLOCK = ({"l": lambda l_1: l_1, "u": lambda u_1: u_1},)


def next_block(rng):
    """What a row keeps before (a, l, u) and after (b, l', u') it meets the scores s of one more block."""
    found = blocks(rng)
    s, v = found["s"], found["v"]
    return {
        "a": found["a_1"],
        "l": found["l_1"],
        "u": found["u_1"],
        "s": s[4:],
        "v": v[4:],
        "b": found["b"],
        "q": found["q"][None],
        "k": found["k"],
        "l'": found["l"],
        "u'": found["u"],
    }


cell(
    "08-03",
    bind=messages,
    listed={
        r"\mathbf{h}_i' = \phi\Big(\mathbf{h}_i,\ \sum_{j \in \mathcal{N}(i)} w_{ij}\, \psi(\mathbf{h}_j)\Big)": "a template: phi, psi and the weights are left open"
    },
)
cell("08-06", bind=reordered)
cell("08-08", "08-08b", bind=neighbours)
cell("08-24", settings=("d_k = 64",))
cell(
    "08-26",
    bind=blocks,
    given={r"l = \sum_{j\in B} e^{s_j - a}": ONE_BLOCK, r"\mathbf{u} = \sum_{j \in B} e^{s_j - a}\,\mathbf{v}_j": ONE_BLOCK},
)
BOUND = r"\mathbf{q}_i \cdot \mathbf{k}_j \le \lVert\mathbf{q}_i\rVert\, \max_j \lVert\mathbf{k}_j\rVert"
ALONG = ({"q": np.array([[3.0, 0, 0]]), "k": np.array([[2.0, 0, 0]] * 7)},)
cell("attention_core.blocked_attention", bind=next_block, tight={BOUND: ALONG})
cell("08-29", settings=("l = 0",))
cell("08-32", settings=("n = 2{,}000",))
cell("08-e06", listed={r"M \to P M P^\top": "the mask is reordered; the arrow is no limit"})
cell("08-e10", settings=(r"\ge 0",))
cell(
    "08-e13",
    bind=blocks,
    settings=(r"m = -\infty", "l = 0", r"\mathbf{u} = 0"),
    listed={
        r"= (m_a, l_a, \mathbf{u}_a)": "says what a variable of the code holds",
        r"= (m_b, l_b, \mathbf{u}_b)": "says what a variable of the code holds",
    },
)
