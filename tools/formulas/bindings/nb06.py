"""Notebook 06: retrieval, keys that lean together, random keys, and the norm of J."""

import numpy as np

from attention_core import closed_form_weight, retrieve, scaled_dot_product_attention, softmax, softmax_jacobian
from tools.formulas.bindings import cosines, solved
from tools.formulas.check import cell
from tools.formulas.scope import Function, Random


def orthonormal(rng):
    """Slot 2 of n orthonormal keys, asked for by the chapter's own retrieval."""
    n, d = 4, 6
    k, v = np.linalg.qr(rng.normal(size=(d, n)))[0].T, rng.normal(size=(n, 3))

    def found(c):
        return retrieve(k, v, 1, c)

    return {
        "n": n,
        "k": k,
        "v": v,
        "c": rng.uniform(0.5, 2),
        "delta": np.eye(n),
        "q": lambda c: c * k[1],
        "z": lambda q: scaled_dot_product_attention(q[None], k, v, scale=1).raw[0],
        "p": lambda c: found(c).weights,
        "o": lambda c: found(c).output,
        "u": rng.normal(size=3),
        "ranges": {"i": n, "j": n},
    }


def sharp_enough(rng):
    n, c = 5, rng.uniform(0.5, 4)
    return {"n": n, "c": c, "p": lambda c, n: closed_form_weight(c, n)}


cell("06-03", bind=orthonormal, settings=("i = j", r"\mathbf{q} = c\,\mathbf{k}_2"))
cell("06-05", bind=orthonormal, settings=("c = 3",))
cell("06-07", bind=orthonormal)
cell("attention_core.cosine", bind=lambda rng: {"u": rng.normal(size=4), "v": rng.normal(size=4)})
cell("06-09", settings=("c = 3", "c = 8"))
cell("06-11", "06-16", settings=("c = 3",))
cell("06-14", bind=sharp_enough, settings=("p = 0.99",))
cell("06-e04", bind=sharp_enough)
cell(
    "attention_core.closed_form_weight",
    bind=lambda rng: {
        "n": 5,
        "c": rng.uniform(0.5, 4),
        "rho": rng.uniform(0.1, 0.6),
        "p": lambda c, n, rho: closed_form_weight(c, n, rho),
    },
)


def third_slot(rng):
    k, v, c = rng.normal(size=(5, 4)), rng.normal(size=(5, 3)), 1.2
    found = retrieve(k, v, 2, c)
    return {"k": k, "v": v, "c": c, "s": 3, "p": found.weights, "o": found.output}


cell("attention_core.retrieve", bind=third_slot)


def leaning(rng):
    """Unit keys, any two of them with the cosine rho."""
    n, rho, p = 4, rng.uniform(0.2, 0.7), rng.uniform(0.6, 0.9)
    G = rng.normal(size=(3, 5))
    values, U = np.linalg.eigh(G @ G.T)
    return {
        "n": n,
        "rho": rho,
        "p": p,
        "k": lambda rho: cosines(n, rho),
        "I": np.eye(3),
        "G": G @ G.T,
        "U": U,
        "lambda": values,
        "c": Function(lambda rho: solved(lambda c: closed_form_weight(c, n, rho) - p, 0, 100)),
        "p_2": lambda k, c: retrieve(k, np.eye(n), 1, float(c)).weights[1],
    }


def gaps(rng):
    """The same keys, and a query of any direction and of length c."""
    return leaning(rng) | {
        "x": lambda k, q: k[1] @ q - k @ q,
        "q": rng.normal(size=4),
        "c": lambda q: np.linalg.norm(q),
        "bar k": lambda k: k[[0, 2, 3]].mean(axis=0),
        "p_2": lambda k, q: softmax(k @ q)[1],
    }


cell(
    "06-18",
    bind=leaning,
    settings=(r"\mathbf{q} = c\,\mathbf{k}_2", "n = 3", "n = 4"),
    given={r"p_2 = \frac{e^{c}}{e^{c} + (n-1)\,e^{\rho c}} = \frac{e^{c(1-\rho)}}{e^{c(1-\rho)} + n - 1}": ({"c": 1.7},)},
    tight={r"\rho \ge -1/(n-1)": ({"rho": -1 / 3},)},
)
cell("06-22", settings=(r"1 - \rho = 1", r"\rho = 1"))
cell(
    "06-25",
    bind=gaps,
    tight={
        r"\mathbf{q}\cdot\boldsymbol\delta \le c\,\lVert\boldsymbol\delta\rVert": (
            {"q": lambda k: 1.7 * (k[1] - k[[0, 2, 3]].mean(axis=0))},
        )
    },
)


def sphere(rng):
    """A coordinate of a random unit vector by Gauss's rule, and the length of a normal vector by Laguerre's; d is even."""
    d, count = 6, 48
    angle = np.pi * np.arange(1, count + 1) / (count + 1)
    u, u_law = np.cos(angle), np.sin(angle) ** 4  # density (1 - u^2)^((d - 3)/2)
    half, r_law = np.polynomial.laguerre.laggauss(count)
    r_law = r_law * half ** (d / 2 - 1)  # r^2/2 has this density times e^-x
    law = np.outer(u_law / u_law.sum(), r_law / r_law.sum())
    return {
        "d": d,
        "base": 0,
        "law": law.ravel(),
        "u_1": Random(np.repeat(u, count)),
        "r": Random(np.tile(np.sqrt(2 * half), count)),
        "c": 1.5,
        "ranges": {"k": 30},
        "n": lambda c, d: most(c, d) / 2,
    }


def most(c, d):
    """How many slots keep the mean of the leak at 1/9, each other slot having the largest mean that the bound allows."""
    return 1 + (1 / 9) / np.exp(-c + c**2 / (2 * d))


POWERS = ({"k": 3},)
BOUND = (
    r"\mathbb{E}\big[e^{c u_1}\big] = \sum_k \frac{c^{2k}}{(2k)!}\,\mathbb{E}[u_1^{2k}] \;\le\; "
    r"\sum_k \frac{1}{k!}\Big(\frac{c^2}{2d}\Big)^{k} = e^{c^2/2d}"
)
cell("06-27", bind=sphere)
cell(
    "06-29",
    bind=sphere,
    settings=(r"p \ge 0.9", "c = d"),
    given={
        r"c = \sqrt d \cdot \sqrt d = d": ("c = d",),
        r"(2k-1)!! = \mathbb{E}[r^{2k}]\,\mathbb{E}[u_1^{2k}]": POWERS,
        r"(2k-1)!! = \prod_{j=1}^{k} (2j - 1)": POWERS,
        r"\mathbb{E}[u_1^{2k}] = (2k-1)!!/\prod_{j=0}^{k-1} (d + 2j)": POWERS,
        r"\mathbb{E}[r^{2k}] = \prod_{j=0}^{k-1} (d + 2j)": POWERS,
        r"(2k)! = (2k-1)!!\; 2^k k!": ({"ranges": {"k": 8}},),
    },
    tight={BOUND: ({"c": 0.03},), r"n \le 1 + \tfrac19\, e^{c - c^2/2d}": ({"n": most},)},
)


def enough(rng):
    """Ten orthonormal keys, and more sharpness than the weight 0.9 needs."""
    return {"n": 10, "c": JUST_ENOUGH + rng.uniform(0.1, 1)}


JUST_ENOUGH = solved(lambda c: closed_form_weight(c, 10) - 0.9, 0, 100)
cell("06-34a", settings=(r"c = \sqrt d",))
cell("06-34e", bind=enough, settings=(r"p \ge 0.9",), tight={r"n \le 1 + e^c/9": ({"c": JUST_ENOUGH},)})


def retrieved(rng):
    """The weights of n slots when slot 1 is asked for and has the weight p, and J there."""
    n, p = 5, rng.uniform(0.4, 0.8)
    return {
        "n": n,
        "p": p,
        "bold p": lambda p: np.array([p, *[(1 - p) / (n - 1)] * (n - 1)]),
        "J": lambda p: softmax_jacobian(np.array([p, *[(1 - p) / 4] * 4])),
        "x": np.array([1, *[-1 / (n - 1)] * (n - 1)]),
        "e": np.eye(n),
        "lambda": lambda J: np.linalg.eigvalsh(J)[-1],
    }


WRONG = (r"i \ne 1", r"j \ne 1")
cell("06-33a", settings=("c = d",))
cell(
    "06-34",
    bind=retrieved,
    settings=(r"p \ge 1/n",),
    given={r"\mathbf{p}^\top(\mathbf{e}_i - \mathbf{e}_j) = r - r = 0": WRONG},
    tight={r"np \ge 1": ("p = 1/n",)},
)


def half(rng):
    n = 4
    return {
        "n": n,
        "p": 0.5,
        "c": lambda p, n: solved(lambda c: closed_form_weight(c, int(n)) - p, -50, 50),
        "J": lambda p, n: softmax_jacobian(np.array([p, *[(1 - p) / (n - 1)] * (int(n) - 1)])),
    }


cell(
    "06-38",
    bind=half,
    settings=("p = 1/2", "n = 4", r"p \to 1"),
    limit={r"\lVert J\rVert_2 \to \frac{n}{n-1}(1 - p)": ({"p": 1 - 2e-4},)},
)
cell("06-e07", settings=(r"\rho \to 1",))
cell("06-e11", settings=("n = 2", r"c \ge 0"))
CLOSED = ({"c": 1.3, "n": 5, "p": lambda c, n: closed_form_weight(c, int(n))},)
cell(
    "06-e12",
    bind=half,
    settings=("p = 1/2",),
    given={
        r"\lVert J\rVert_2 = \frac{n}{n-1}\,p(1-p) = 2p(1-p)": ("n = 2", {"p": 0.7}),
        "p = e^c/(e^c + n - 1)": CLOSED,
        "e^c = n - 1 = 1": ("n = 2",),
        "c = 0": ("n = 2",),
        r"c = \ln(n - 1)": ("n = 7",),
    },
)
cell("06-e13", settings=("n < d",))


def shortest(rng):
    K, c, s = rng.normal(size=(4, 6)), 1.3, 3
    q = c * np.linalg.pinv(K)[:, s - 1]
    return {"K": K, "c": c, "s": s, "e": np.eye(4), "q": q, "a": np.linalg.lstsq(K.T, q, rcond=None)[0]}


cell("06-e15", bind=shortest)
