"""Notebook 04a: what becomes of the variance where a condition is missing, over finite laws that lack just that."""

import numpy as np

from tools.formulas.bindings import bell, coin, independent
from tools.formulas.bindings.nb04 import two_vectors
from tools.formulas.check import cell
from tools.formulas.scope import Random


def covariance(rng):
    """Two numbers that depend on each other, and two fair coins."""
    x, y = independent(*[(np.array([-1.0, 1]), np.array([0.5, 0.5]))] * 2)[0]
    return general(rng) | {"u": Random(rng.normal(size=20)), "v": Random(rng.normal(size=20)), "x": Random(x), "y": Random(y)}


def general(rng):
    """q and k independent of each other, their components not: a few points with chances, and their means and covariances."""
    d_k, points, chances = 3, [], []
    for count in (5, 4):
        points.append(rng.normal(size=(d_k, count)) + rng.normal(size=(d_k, 1)))
        chances.append(rng.dirichlet(np.ones(count)))
    q, k = np.repeat(points[0], 4, axis=1), np.tile(points[1], 5)
    B, G = rng.normal(size=(2, d_k, d_k))
    return {
        "d_k": d_k,
        "law": np.outer(*chances).ravel(),
        "q": Random(q),
        "k": Random(k),
        "z": Random((q * k).sum(axis=0)),
        "m_q": points[0] @ chances[0],
        "m_k": points[1] @ chances[1],
        "S_q": np.cov(points[0], aweights=chances[0], ddof=0),
        "S_k": np.cov(points[1], aweights=chances[1], ddof=0),
        "B": B + B.T,
        "G": G + G.T,
        "I": np.eye(d_k),
    }


def two_keys(rng):
    """A query and two keys of one law, all independent."""
    bound = general(rng)
    points, chances = rng.normal(size=(2, 3, 4)) + rng.normal(size=(2, 3, 1)), rng.dirichlet(np.ones(4), size=2)
    (i, j, l), law = independent(*((np.arange(4), chances[which]) for which in (0, 1, 1)))
    return bound | {
        "law": law,
        "q": Random(points[0][:, i]),
        "k": Random(points[1][:, j]),
        "k'": Random(points[1][:, l]),
        "m_q": points[0] @ chances[0],
        "S_q": np.cov(points[0], aweights=chances[0], ddof=0),
        "S_k": np.cov(points[1], aweights=chances[1], ddof=0),
    }


def failures(rng):
    """Equal covariances, and keys that resemble their queries."""
    d_k, r, a = 3, *rng.uniform(0.2, 0.8, size=2)
    values, law = independent(*[bell()] * (2 * d_k))
    q, e = values[:d_k], values[d_k:]
    k = r * q + np.sqrt(1 - r**2) * e
    S = np.full((d_k, d_k), a) + (1 - a) * np.eye(d_k)
    return {
        "d_k": d_k,
        "r": r,
        "a": a,
        "mu": rng.uniform(0.5, 2),
        "law": law,
        "q": Random(q),
        "e": Random(e),
        "k": Random(k),
        "z": Random((q * k).sum(axis=0)),
        "S_q": S,
        "S_k": S,
        "I": np.eye(d_k),
    }


def random_projections(rng):
    """Independent entries of W_q and W_k, and the queries and keys that they make of x."""
    n, d, d_k = 4, 3, 2
    x = rng.normal(size=(n, d))
    W, law = independent(*(coin(rng) for _ in range(2 * d * d_k)))
    W_q, W_k = W.reshape(2, d, d_k, -1)
    return {
        "x": x,
        "d_k": d_k,
        "law": law,
        "q": Random(np.einsum("nd,dkw->nkw", x, W_q)),
        "k": Random(np.einsum("nd,dkw->nkw", x, W_k)),
    }


def match(rng):
    """A query and a key of length sqrt(d_k), with the cosine r."""
    d_k, r = 5, rng.uniform(0.2, 0.8)
    q, side = np.linalg.qr(rng.normal(size=(d_k, 2)))[0].T * np.sqrt(d_k)
    return {"d_k": d_k, "r": r, "q": q, "k": r * q + np.sqrt(1 - r**2) * side}


def normal(rng):
    """The moments of the normal distribution that fourth powers feel."""
    return two_vectors(lambda i: bell(), 3) | {"N": 11}


def other_fourth(rng):
    """Components that are 0, or else plus or minus one number."""
    chance = rng.uniform(0.1, 0.4)
    one = np.array([-1, 0, 1]) / np.sqrt(2 * chance), np.array([chance, 1 - 2 * chance, chance])
    return two_vectors(lambda i: one, 3) | {"mu_4": 1 / (2 * chance)}


ONE = ({"q": Random(np.sqrt(3) * np.array([-1.0, 0, 1])), "k": Random(np.sqrt(3) * np.array([-1.0, 0, 1])), "law": bell()[1]},)
COINS = ({"law": np.full(4, 1 / 4)},)

cell("04a-03", bind=general)
cell("04a-08", bind=covariance, given={r"\mathrm{Var}(2xy) = 4": COINS})
cell("04a-09", bind=general, settings=("S_q = S_k = I",))
cell("04a-11", bind=failures, settings=("S_q = S_k = I",), given={r"\mathrm{tr}(S_q I) = d_k": ({"S_k": np.diag([1.0, 2, 3])},)})
cell("04a-16", bind=lambda rng: {"q": rng.normal(size=3), "k": rng.normal(size=3)})
cell("04a-18", bind=random_projections)
cell("04a-20", bind=match, settings=("r = 1/2",))
cell("04a-24", "04a-e03", bind=match)
cell("04a-27", bind=normal, given={r"\mathbb{E}[q^4]\,\mathbb{E}[k^4] = 3 \cdot 3 = 9": ONE})
cell("04a-e06", bind=other_fourth)
cell("04a-e09", bind=two_keys)
