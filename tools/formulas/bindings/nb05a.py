"""Notebook 05a: a loss on its way through the Jacobian, for five slots and for two."""

import numpy as np

from attention_core import softmax, softmax_jacobian
from tools.formulas.check import cell


def training(rng):
    """A squared error on the output; the slot t is wanted, and w wins."""
    v = rng.normal(size=(5, 3))
    return {
        "z": rng.normal(size=5),
        "p": lambda z: softmax(z),
        "J": lambda p: softmax_jacobian(p),
        "v": v,
        "t": 4,
        "w": 2,
        "o": lambda p: p @ v,
        "L": lambda o: ((o - v[3]) ** 2).sum() / 2,
        "e": np.eye(5),
    }


def two_slots(rng):
    """A gap g of the wrong slot w over t, and one small step of gradient descent."""
    v, eta = rng.normal(size=(2, 3)), 0.03

    def o(p):
        return p @ v

    def y(o):
        return v @ (o - v[1])

    return {
        "z": np.array([1.0, 0.0]) * rng.uniform(0.2, 0.8) + 0.3,
        "w": 1,
        "t": 2,
        "p": lambda z: softmax(z),
        "g": lambda z: z[0] - z[1],
        "v": v,
        "a": v[0] - v[1],
        "o": o,
        "L": lambda o: ((o - v[1]) ** 2).sum() / 2,
        "y": y,
        "eta": eta,
        "Delta g": lambda p, y: -eta * np.array([1, -1]) @ softmax_jacobian(p) @ y,
    }


FAR = {"z": np.array([12.3, 0.3])}
ON_WEIGHTS = {"y": lambda p: np.array([0, -1 / p[1]])}
cell(
    "05a-03",
    bind=two_slots,
    settings=(r"\eta > 0",),
    listed={r"\mathbf{z} \leftarrow \mathbf{z} - \eta\,\nabla_{\mathbf{z}} L": "a step, and no equation"},
    given={r"L = -\ln p_t": ({"L": lambda p: -np.log(p[1])},)},
)
CROSS = ({"L": lambda p: -np.log(p[3])},)
cell(
    "05a-07",
    bind=training,
    given={
        "y_t = -1/p_t": CROSS,
        "y_j = 0": (*CROSS, r"j \ne t"),
        r"\mathbf{p}\cdot\mathbf{y} = -1": CROSS,
        r"(J\mathbf{y})_i = p_i\,(y_i + 1) = \begin{cases} p_t\,(-1/p_t + 1) = p_t - 1 & i = t\\ p_i & i \ne t \end{cases}": CROSS,
        r"\nabla_{\mathbf{z}} L = \mathbf{p} - \mathbf{e}_t": CROSS,
    },
)
LINEAR = r"\Delta g = -2\eta\, p_w \approx -2\eta"
cell(
    "05a-07a",
    bind=two_slots,
    given={LINEAR: (ON_WEIGHTS,)},
    limit={
        r"\Delta g = -2\eta\; p_t\, p_w \cdot p_w \lVert\mathbf{a}\rVert^2 \;\approx\; "
        r"-2\eta\,\lVert\mathbf{a}\rVert^2\, e^{-g}": (FAR,),
        LINEAR: (FAR, ON_WEIGHTS),
    },
)
cell("05a-09")
cell("05a-13", settings=(r"p_t \ge 0.9",))
cell("05a-16", settings=(r"\lVert\mathbf{a}\rVert^2 = 32", r"e^{g} = 2 \cdot 0.1 \cdot 32 \cdot 1000"))
cell("05a-19")
cell("05a-23", settings=("T = 4",))


def brier(rng):
    """A squared error on the weights."""
    return training(rng) | {"L": lambda p: ((p - np.eye(5)[3]) ** 2).sum() / 2, "y": lambda p: p - np.eye(5)[3]}


cell("05a-e02", bind=training, settings=("L = 1 - p_t", "L = 1/p_t"))
cell("05a-e03", bind=training)
cell("05a-e04", "05a-e06", bind=brier)
cell("05a-e07", bind=two_slots)
cell("05a-e09", bind=two_slots, settings=("p > 1/2",))
