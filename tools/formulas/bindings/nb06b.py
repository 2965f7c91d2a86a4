"""Notebook 06b: a miss, a null slot, repeated reading, sparsemax, and bounded scores."""

import numpy as np

from attention_core import closed_form_weight, scaled_dot_product_attention, softmax, sparsemax
from tools.formulas.bindings import solved
from tools.formulas.check import cell
from tools.formulas.scope import Function


def missed(rng):
    """Five orthonormal keys; a query along one, a query at right angles to all, and a null slot whose logit is t."""
    n = 5

    def weights(way, *null):
        return softmax([*scaled_dot_product_attention(way[None], np.eye(n, n + 1), np.eye(n), scale=1).raw[0], *null])

    return {
        "n": n,
        "c": rng.uniform(1, 3),
        "t": rng.uniform(0.3, 2),
        "p": lambda c: weights(c * np.eye(n + 1)[n]),
        "h": lambda c, t: weights(c * np.eye(n + 1)[1], t)[1],
        "m": lambda c, t: weights(c * np.eye(n + 1)[n], t)[n],
        "ranges": {"k": n},
    }


# The logit of the null slot with which hits and misses lose alike, by trying.
EVEN = {"t": lambda n, c: solved(lambda t: 1 / (1 + n / np.exp(t)) - 1 / (1 + (n - 1 + np.exp(t)) * np.exp(-c)), -50, 200)}
ROOT = r"e^{t} = \sqrt{n\,e^{c} + \tfrac14 (n-1)^2} - \tfrac12 (n-1)"
ABOUT = r"t \approx \tfrac12\,(c + \ln n)"
cell(
    "06b-05",
    bind=missed,
    settings=("h = m", "c = 8", "n = 4", "t = c/2"),
    given={r"(n - 1 + e^{t})\,e^{-c} = n\,e^{-t}": (EVEN,), ROOT: (EVEN,), ABOUT: (EVEN,)},
    limit={ABOUT: ("c = 40", EVEN)},
)
cell(
    "06b-08",
    bind=lambda rng: {"z": rng.normal(size=4), "s": 1.7, "p": lambda z: softmax(np.append(z, 0))[:-1]},
    settings=("c = 8", "c = 2", "t = 0"),
)
cell("06b-10", settings=("c = 3",))
cell("06b-e03", settings=("c = 0",))
cell("06b-e07", settings=("1/n < p < 1/k",))


def reread(p, c, n):
    """The weight of the slot asked for after one more reading."""
    return closed_form_weight(c * (n * p - 1) / (n - 1), n)


def staying(rng):
    """A weight, and the sharpness at which a reading leaves it as it is."""
    n = 7
    return {"n": n, "p": rng.uniform(0.5, 0.9), "c": Function(lambda p: solved(lambda c: reread(p, c, n) - p, 0, 100))}


def touching(n):
    """The weight that stays where a nudge of it comes back as long as it was."""

    def slope(p):
        c = solved(lambda c: reread(p, c, n) - p, 0, 100)
        return (reread(p + 1e-6, c, n) - reread(p - 1e-6, c, n)) / 2e-6

    return solved(lambda p: 1 - slope(p), 0.5, 0.99)


cell(
    "06b-13",
    bind=staying,
    settings=("c = 3", "c = 8"),
    given={r"c\,\frac{n}{n - 1}\,p\,(1 - p) = 1": ({"p": lambda n: touching(n)},)},
)


def downhill(rng):
    """Keys of no special kind, and the energy by the softmax itself: the logarithm of the sum is z_1 - ln p_1."""
    n, d, c = 3, 5, 1.7
    k = rng.normal(size=(n, d))

    def energy(q):
        z = c * k @ q
        return q @ q / 2 - (z[0] - np.log(softmax(z)[0])) / c

    return {
        "c": c,
        "k": k,
        "q": rng.normal(size=d),
        "p": lambda q: softmax(c * k @ q),
        "q'": lambda q: softmax(c * k @ q) @ k,
        "U": Function(energy),
    }


def past_rest(k, c):
    """A query that a reading brings to rest, from a side to which no key leads more than another."""
    q = k[0]
    for _ in range(5000):
        q = softmax(c * k @ q) @ k
    return q + 1.5 * np.linalg.svd(k[1:] - k[0])[2][-1]


FALLS = r"U(\mathbf{q}') \le U(\mathbf{q}) - \tfrac12 \lVert\mathbf{q}' - \mathbf{q}\rVert^2"
cell("06b-17", bind=downhill, tight={FALLS: ({"q": past_rest},)})


def sparse(rng):
    """Logits of which sparsemax gives some slots nothing; the threshold is what the largest loses."""
    return {
        "n": 5,
        "c": 0.6,
        "z": np.array([0.9, -1.2, 0.55, 0.2, 0.4]) + 0.05 * rng.normal(size=5),
        "p": lambda z: sparsemax(z),
        "tau": lambda z: (z - sparsemax(z)).max(initial=-np.inf, where=sparsemax(z) > 0),
        "s": lambda z: (sparsemax(z) > 0).astype(float),
        "delta": np.eye(5),
    }


ALONG = {"z": lambda n, c: c * np.eye(int(n))[1]}
cell("06b-22", bind=sparse, settings=("c = 1",), given={r"\tau = (c - 1)/n": (ALONG,), "p_2 = (1 + (n - 1)\\,c)/n": (ALONG,)})
cell("attention_core.sparsemax", bind=sparse)
cell(
    "06b-24",
    bind=lambda rng: {"n": 6, "B": 1.3, "z": rng.uniform(-1.3, 1.3, size=6), "p": lambda z: softmax(z)[0]},
    tight={r"p \le \frac{1}{1 + (n - 1)\,e^{-2B}}": ({"z": lambda n, B: B * (2 * np.eye(int(n))[0] - 1)},)},
)
