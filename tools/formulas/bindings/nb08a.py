"""Notebook 08a: rows read in blocks, and a shift that needs no maximum."""

import numpy as np

from attention_core import scaled_dot_product_attention
from tools.formulas.bindings import lookup
from tools.formulas.check import cell


def two_blocks(rng):
    """The scores of one row in two blocks of keys, what each keeps, and the output by the chapter's function."""
    K, v, q = rng.normal(size=(7, 3)), rng.normal(size=(7, 4)), rng.normal(size=3)
    head = scaled_dot_product_attention(q[None], K, v)
    s, a = head.scaled[0], np.arange(7) < 4

    def kept(block):
        e = np.exp(s[block] - s[block].max())
        return s[block].max(), e.sum(), e @ v[block]

    (m_a, l_a, u_a), (m_b, l_b, u_b), (m, l, u) = kept(a), kept(~a), kept(s > -np.inf)
    return {
        "s": s,
        "v": v,
        "o": head.output[0],
        "B_a": a,
        "m_a": m_a,
        "l_a": l_a,
        "u_a": u_a,
        "m_b": m_b,
        "l_b": l_b,
        "u_b": u_b,
        "m": m,
        "l": l,
        "u": u,
    }


def three_keys(rng):
    return {"s": np.array([0.0, 1.0, 2.0])}


def bounded(rng):
    """A lookup, the bound of each row, and its sums under the bound, over two blocks of keys."""
    h = lookup(rng)
    beta = np.linalg.norm(h["Q"], axis=1) * np.linalg.norm(h["K"], axis=1).max() / np.sqrt(h["d_k"])
    e = np.exp(h["S"] - beta[:, None])
    a = np.arange(5) < 2
    return h | {"s": h["S"], "beta": beta, "l": e.sum(axis=1), "u": e @ h["V"], "o": h["O"], "B_a": a, "B_b": ~a}


def smallest(rng):
    """A sum of n exponentials that is large enough, beside a smallest number and a precision larger than a machine's."""
    omega = rng.uniform(0.01, 0.02)
    return bounded(rng) | {"omega": omega, "varepsilon": rng.uniform(0.001, 0.002), "l": rng.uniform(20, 30)}


def along(direction):
    """Queries and keys on one line, all keys of one length, with the same or the opposite sense."""
    line, lengths = np.array([1.0, -2.0, 2.0]), np.linspace(0.5, 1.5, 6)
    Q, K = lengths[:, None] * line, np.tile(direction * 0.7 * line, (5, 1))
    beta = lengths * 3 * 2.1 / np.sqrt(3)
    return {"q": Q, "k": K, "s": Q @ K.T / np.sqrt(3), "beta": beta}


BELOW = r"s_{ij} = \frac{\mathbf{q}_i \cdot \mathbf{k}_j}{\sqrt{d_k}} \le \frac{\lVert\mathbf{q}_i\rVert\,\lVert\mathbf{k}_j\rVert}{\sqrt{d_k}} \le \beta_i"

cell("08a-06", bind=three_keys)
cell("08-26", bind=two_blocks)
cell("08-29", settings=("l = 0",))
cell("08-36", settings=("d_k = 64",))
cell("08a-10", bind=bounded, tight={BELOW: (along(1),)})
cell("08a-12", settings=("d_k = 1",))
cell(
    "08a-14",
    bind=smallest,
    settings=(r"2\beta_i \le -\ln \omega",),
    tight={
        r"\frac{n\omega}{l} \le n\varepsilon": (r"l = \omega/\varepsilon",),
        r"s_{ij} \ge -\beta_i": (along(-1),),
        r"e^{s_{ij} - \beta_i} \ge e^{-2\beta_i}": (along(-1),),
    },
)
cell("08a-18", settings=("c = 100",))
cell("08a-19a", settings=("c = 50",))
