"""Notebook 06a: keys that lean together, random keys, and attention as a kernel smoother."""

import numpy as np

from attention_core import closed_form_weight, retrieve, scaled_dot_product_attention, softmax
from tools.formulas.bindings import cosines, solved
from tools.formulas.check import cell
from tools.formulas.scope import Function, Random


def leaning(rng):
    """Unit keys, any two of them with the cosine rho."""
    n, rho, p = 4, rng.uniform(0.2, 0.7), rng.uniform(0.6, 0.9)
    return {
        "n": n,
        "rho": rho,
        "p": p,
        "k": built,
        "e": np.eye(n),
        "m": np.full(n, 1 / n),
        "delta": np.eye(n),
        "c": Function(lambda rho: solved(lambda c: closed_form_weight(c, n, rho) - p, 0, 100)),
        "p_2": lambda rho, c: retrieve(cosines(n, rho), np.eye(n), 1, float(c)).weights[1],
    }


def built(rho, n=4):
    """The keys as the notebook builds them from the rows of the identity."""
    own = np.eye(n) - 1 / n
    return np.sqrt(1 - rho) * own + np.sqrt(1 + (n - 1) * rho) / n


def gaps(rng):
    """Such keys in another basis, and a query of any direction and of length c."""
    return leaning(rng) | {
        "k": lambda rho: cosines(4, rho),
        "g": lambda k, q: k[1] @ q - k @ q,
        "q": rng.normal(size=4),
        "c": lambda q: np.linalg.norm(q),
        "bar k": lambda k: k[[0, 2, 3]].mean(axis=0),
        "p_2": lambda k, q: softmax(k @ q)[1],
    }


PAIRS = (r"i \ne j",)
cell("06a-02", bind=leaning, settings=(r"\rho = 1/2",))
cell(
    "06a-05",
    bind=leaning,
    settings=(r"\rho = 0",),
    given={
        r"p_2 = \frac{e^{c}}{e^{c} + (n-1)\,e^{\rho c}} = \frac{e^{c(1-\rho)}}{e^{c(1-\rho)} + n - 1}": ({"c": 1.7},),
        r"\mathbf{k}_i\cdot\mathbf{k}_j = \rho": PAIRS,
    },
    tight={
        r"\rho \ge -1/(n-1)": ({"rho": -1 / 3},),
        r"\lVert\sum_i \mathbf{k}_i\rVert^2 = n + n\,(n-1)\,\rho \ge 0": ({"rho": -1 / 3},),
    },
)
cell(
    "06a-10",
    bind=gaps,
    tight={
        r"\mathbf{q}\cdot\mathbf{b} \le c\,\lVert\mathbf{b}\rVert": ({"q": lambda k: 1.7 * (k[1] - k[[0, 2, 3]].mean(axis=0))},)
    },
)
cell("06a-08", bind=gaps)


def sphere(rng):
    """A coordinate of a random unit vector by Gauss's rule, and one unit vector; d is even."""
    d, count = 6, 48
    angle = np.pi * np.arange(1, count + 1) / (count + 1)
    law = np.sin(angle) ** 4  # density (1 - u^2)^((d - 3)/2), and one sine more from the rule
    u = rng.normal(size=d)
    return {
        "d": d,
        "base": 0,
        "law": law / law.sum(),
        "rho": Random(np.cos(angle)),
        "u": u / np.linalg.norm(u),
        "x": 1.3,
        "c": 1.5,
        "p": 0.95,
        "ranges": {"k": 30},
        "n": lambda c, d: most(c, d) / 2,
    }


def most(c, d):
    """How many slots keep the mean of the leak at 1/9, each other slot having the largest mean that the bound allows."""
    return 1 + (1 / 9) / np.exp(-c + c**2 / (2 * d))


SERIES = r"\frac{e^x + e^{-x}}{2} = \sum_k \frac{x^{2k}}{(2k)!} \;\le\; \sum_k \frac{x^{2k}}{2^k\,k!} = e^{x^2/2}"
cell(
    "06a-15",
    bind=sphere,
    settings=(r"p \ge 0.9", "c = d", "d = c = 16", r"\rho = \sum_i u_i/\sqrt d", r"x = c\,u_i/\sqrt d"),
    given={r"(2k)! \ge 2^k\,k!": ({"ranges": {"k": 8}},)},
    tight={
        r"(2k)! \ge 2^k\,k!": ({"ranges": {"k": 2}},),
        SERIES: ({"x": 0.01},),
        r"\mathbb{E}\big[e^{c \rho}\big] \le e^{c^2/2d}": ({"c": 0.03},),
        r"n \le 1 + \tfrac19\, e^{c - c^2/2d}": ({"n": most},),
    },
)
cell("06a-18", bind=sphere, settings=(r"c = \sqrt d",), given={r"c = \sqrt d\cdot\sqrt d = d": ("c = d",)})


def enough(rng):
    """Ten orthonormal keys, and more sharpness than the weight 0.9 needs."""
    return {"n": 10, "c": JUST_ENOUGH + rng.uniform(0.1, 1)}


JUST_ENOUGH = solved(lambda c: closed_form_weight(c, 10) - 0.9, 0, 100)
cell("06a-20", bind=enough, settings=(r"p \ge 0.9",), tight={r"n \le 1 + e^c/9": ({"c": JUST_ENOUGH},)})


def smoother(rng):
    """Unit keys and a unit query, c times as long, whose weights are those of the chapter's own attention."""
    k, x, c = rng.normal(size=(5, 3)), rng.normal(size=3), 1.7
    k, x = k / np.linalg.norm(k, axis=1, keepdims=True), x / np.linalg.norm(x)
    return {"k": k, "x": x, "c": c, "p": scaled_dot_product_attention(c * x[None], k, np.eye(5), scale=1).weights[0]}


def uneven(rng):
    """The same with keys of any length."""
    bound = smoother(rng)
    return bound | {"k": bound["k"] * rng.uniform(0.5, 2, size=(5, 1))}


cell("06a-22", bind=smoother, settings=("c = 30",))
cell("06a-25", bind=uneven)


def toss(rng):
    """The cosine between two keys of four random signs, by the law of the entries in which they agree."""
    return {"d": 4, "c": 1.5, "law": np.array([1, 4, 6, 4, 1]) / 16, "rho": Random(np.array([-1, -0.5, 0, 0.5, 1]))}


cell("06a-e10", bind=toss)
