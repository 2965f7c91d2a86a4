"""Notebook 05: the Jacobian by the chapter's function, and every derivative by nudging."""

import numpy as np

from attention_core import central_difference_jacobian, softmax, softmax_jacobian
from tools.formulas.check import cell
from tools.formulas.scope import Function, Random


def logits(rng):
    n = 5
    return {
        "n": n,
        "z": rng.normal(size=n),
        "p": lambda z: softmax(z),
        "J": lambda p: softmax_jacobian(p),
        "a": rng.normal(),
        "delta": np.eye(n),
        "e": np.eye(n),
        "h": 1e-5,
        "y": rng.normal(size=n),
        "x": rng.normal(size=n),
    }


def quotient(rng):
    """With u and v for any two functions of a number t."""
    t, a, b = rng.normal(size=3)
    return logits(rng) | {
        "t": t,
        "prime": "t",
        "u": lambda t: np.sin(a * t) + b,
        "v": lambda t: np.exp(b * t) + a**2,
        "S": lambda z: np.exp(z).sum(),
    }


def smooth(rng):
    """A function of one variable and its derivatives."""
    a, b, z = rng.uniform(0.5, 1.5, size=3)
    derivatives = {
        f"f^({k})": Function(lambda z, k=k: a**k * np.sin(a * z + k * np.pi / 2) + b**k * np.exp(b * z)) for k in range(1, 5)
    }
    return {"z": z, "h": 0.1, "f": Function(lambda z: np.sin(a * z) + np.exp(b * z)), **derivatives}


def best_step(rng):
    """The step at which the sum of both errors is least, found by looking."""
    epsilon = 2.0**-53
    low, high = 1e-7, 1e-3
    for _ in range(300):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (a, high) if a**2 / 6 + epsilon / a > b**2 / 6 + epsilon / b else (low, b)
    return smooth(rng) | {"h": low, "varepsilon": np.finfo(float).eps / 2}


def one_slot(rng):
    """u marks the slot that is drawn, slot i with the chance p_i; a and b are any two quantities."""
    p = softmax(rng.normal(size=5))
    J = softmax_jacobian(p)
    return {
        "p": p,
        "J": J,
        "delta": np.eye(5),
        "law": p,
        "u": Random(np.eye(5)),
        "a": Random(rng.normal(size=5)),
        "b": Random(rng.normal(size=5)),
        "x": rng.normal(size=5),
        "lambda": np.linalg.eigvalsh(J)[3],
    }


def stretched(J):
    return np.linalg.eigh(J)[1][:, 3]


def doors(rng):
    """A lookup of one query, its die over the slots, and the derivative of its output by nudging."""
    n, d_k, d_v = 5, 3, 2
    K, V, q = rng.normal(size=(n, d_k)), rng.normal(size=(n, d_v)), rng.normal(size=d_k)
    p = softmax(K @ q)
    return {
        "d_k": d_k,
        "d_v": d_v,
        "delta": np.eye(n),
        "q": q,
        "K": K,
        "V": V,
        "k": K,
        "v": V,
        "z": lambda q: K @ q,
        "p": lambda z: softmax(z),
        "J": lambda p: softmax_jacobian(p),
        "o": lambda p: p @ V,
        "D": central_difference_jacobian(lambda q: softmax(K @ q) @ V, q),
        "law": p,
        "hat v": Random(V.T),
        "hat k": Random(K.T),
    }


cell("05-04b", bind=logits, settings=(r"a = -\max_k z_k",))
cell(
    "05-07",
    bind=quotient,
    settings=("u = e^{z_i}", "v = S", "i = j", r"i \ne j"),
    given={r"\frac{\partial p_i}{\partial z_j} = \frac{0 \cdot S - e^{z_i} e^{z_j}}{S^2} = -\,p_i\, p_j": (r"i \ne j",)},
)
cell("05-09", "05-e13", "attention_core.softmax", "attention_core.softmax_jacobian", bind=logits)
cell(
    "05-11",
    bind=logits,
    whole={
        r"\frac{\mathrm{softmax}(\mathbf{z} + h\,\mathbf{e}_j) - \mathrm{softmax}(\mathbf{z} - h\,\mathbf{e}_j)}{2h}": r"= J \mathbf{e}_j"
    },
)
cell(
    "05-14",
    bind=best_step,
    given={
        r"f(z \pm h) = f(z) \pm h f^{(1)}(z) + \frac{h^2}{2} f^{(2)}(z) \pm \frac{h^3}{6} f^{(3)}(z) + \frac{h^4}{24} f^{(4)}(z) "
        r"+ O(h^5)": ({"h": 0.5},),
        r"\frac{f(z+h) - f(z-h)}{2h} = f^{(1)}(z) + \frac{h^2}{6} f^{(3)}(z) + O(h^4)": ({"h": 0.1},),
    },
)
cell("05-17", bind=logits, settings=("h = 10^{-5}",))
NONNEGATIVE = (
    r"\mathbf{x}^\top J \mathbf{x} = \sum_{ij} x_i x_j \mathrm{Cov}(u_i, u_j) "
    r"= \mathrm{Var}(\mathbf{x}\cdot\mathbf{u}) \ge 0"
)
cell(
    "05-19",
    bind=one_slot,
    settings=(r"i \ne j", r"\mathbf{x} \ne 0"),
    given={"u_i u_j = 0": (r"i \ne j",), r"J\mathbf{x} = \lambda\mathbf{x}": ({"x": stretched},)},
    tight={NONNEGATIVE: ({"x": np.full(5, 1.7)},)},
)
cell("05-20a", bind=doors)
EVEN = ({"p": np.array([0.3, 0.7, 0, 0, 0])}, "i = 1", "j = 2")
cell(
    "05-21",
    bind=lambda rng: one_slot(rng) | {"ranges": {"i": 5}},
    settings=("c = 2", r"i \ne j", "p = 1/2"),
    given={r"p_i p_j \le p_i (1 - p_i)": (r"i \ne j",), r"p_j \le 1 - p_i": (r"i \ne j",)},
    tight={r"p_i p_j \le p_i (1 - p_i)": EVEN, r"p_j \le 1 - p_i": EVEN},
)
cell(
    "05-24",
    bind=lambda rng: {
        "T": rng.uniform(1.5, 3),
        "z": rng.normal(size=4),
        "p": lambda z, T: softmax(z / T),
        "J": lambda p: softmax_jacobian(p),
    },
    settings=("T > 0", r"T = \sqrt{d_k}"),
)
cell("05-27", bind=one_slot, settings=("T = 1",))
cell("05-e04", "05-e06", "05-e18", bind=quotient)
cell("05-46", bind=one_slot, tight={r"\mathbf{x}^\top J\mathbf{x} \ge 0": ({"x": np.full(5, 1.7)},)})


def nudged(rng):
    """A function of a vector, and its slopes by the chapter's own nudging."""

    def f(z):
        return np.array([z[0] * z[1], np.sin(z[2])])

    z = rng.normal(size=3)
    return {"z": z, "e": np.eye(3), "h": 1e-3, "f": Function(f), "J": central_difference_jacobian(f, z, 1e-3)}


cell("attention_core.central_difference_jacobian", bind=nudged)
