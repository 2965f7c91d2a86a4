"""Notebooks 08 to 10: messages, blocks, permutations, and binding."""

import numpy as np

from attention_core import scaled_dot_product_attention, softmax, softmax_jacobian
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
cell("attention_core.blocked_attention", bind=next_block)
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


def two_worlds(rng):
    """Four tokens in two orders, one query, and the tables of roles and fillers with the sums that forget them."""
    M, turn, q = rng.normal(size=(4, 3)), np.array([2, 0, 3, 1]), rng.normal(size=3)
    V = rng.normal(size=(4, 5))

    def weights(M):
        return scaled_dot_product_attention(q[None], M, V).weights[0]

    r, f = 3, 4
    sums = np.array([np.concatenate([B.sum(axis=1), B.sum(axis=0)]) for B in np.eye(r * f).reshape(-1, r, f)])
    redundant = np.linalg.svd(sums)[2][-1]
    return {
        "M": M,
        "P": np.eye(4)[turn],
        "M'": M[turn],
        "p": weights(M),
        "p'": weights(M[turn]),
        "v": V,
        "v'": V[turn],
        "pi": Function(lambda j: turn[int(j) - 1] + 1),
        "r": r,
        "f": f,
        "alpha": redundant[:r],
        "beta": redundant[r:],
        "ranges": {"b": f},
    }


def circle(rng):
    """Vectors whose indices go round in a circle, from 0."""
    d, (r, f, a) = 5, rng.normal(size=(3, 5))
    turned = r[-np.arange(d) % d]
    return {
        "d": d,
        "base": 0,
        "r": r,
        "f": f,
        "a": a,
        "b": r,
        "c": f,
        "r^*": turned,
        "tilde a": a[-np.arange(d) % d],
        "hat a": np.fft.fft(a),
        "g": np.fft.ifft(np.fft.fft(f) * np.fft.fft(a).conj()).real,
        "ranges": dict.fromkeys("ijkl", d),
        **{f"{name}_{k}": rng.normal(size=d) for name in "rf" for k in (1, 2)},
    }


cell("09-09", bind=two_worlds)
cell("09-09b", bind=two_worlds, settings=("B_{ab} = 1",))
cell("09-27", bind=circle, settings=("j = k - i",))
cell(
    "09-31",
    bind=circle,
    settings=("k = 0", r"k \ne 0", "k = d/2"),
    listed={
        r"\mathbf{r}^* \circledast (\mathbf{r}\circledast\mathbf{f}) = \mathbf{f} +": "plus noise, which is measured in the notebook"
    },
)
cell("09-e09", listed=dict.fromkeys(("w = w'", "w = 1 - w'"), "a conclusion about unknown weights, drawn in words"))


def circle_of_n(rng):
    """The same, where the width is called n."""
    bound = circle(rng)
    return bound | {"n": bound.pop("d")}


cell("09-e10", "09-e13", "09-e15", bind=circle_of_n)


def seven_sentences(rng):
    p = softmax(rng.normal(size=5))
    return head(rng) | {"p": p, "J": softmax_jacobian(p)}


cell("10-03", bind=seven_sentences, settings=("c = 8",))
cell("10-08", bind=seven_sentences)
cell("teaching/README.md", settings=("i = j",))
