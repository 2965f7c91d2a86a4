"""Notebook 04: means and variances, each over a finite law with the properties that the text asks for."""

import numpy as np

from tools.formulas.bindings import bell, coin, independent
from tools.formulas.check import cell
from tools.formulas.scope import Random


def two_vectors(law_of_one, d_k):
    """q and k with independent components, and their score."""
    values, law = independent(*(law_of_one(i) for i in range(2 * d_k)))
    q, k = values[:d_k], values[d_k:]
    return {"d_k": d_k, "law": law, "q": Random(q), "k": Random(k), "z": Random((q * k).sum(axis=0)), "ranges": {"i": d_k}}


def standard(rng):
    """Mean 0, variance 1, and nothing else in common."""
    bound = two_vectors(lambda i: coin(rng), 3)
    return bound | {"u": Random(rng.normal(size=len(bound["law"])))}


def normal(rng):
    """The moments of the normal distribution that fourth powers feel."""
    bound = two_vectors(lambda i: bell(), 3)
    return bound | {"sigma": np.sqrt(3), "N": 11}


ONE = ({"q": Random(np.sqrt(3) * np.array([-1.0, 0, 1])), "k": Random(np.sqrt(3) * np.array([-1.0, 0, 1])), "law": bell()[1]},)


def with_means(rng):
    return two_vectors(lambda i: coin(rng, rng.normal(), rng.uniform(0.5, 2)), 3)


def general(rng):
    """q and k independent of each other, their components not: a few points with chances, and their means and covariances."""
    d_k, points, chances = 3, [], []
    for count in (5, 4):
        points.append(rng.normal(size=(d_k, count)) + rng.normal(size=(d_k, 1)))
        chances.append(rng.dirichlet(np.ones(count)))
    q, k = np.repeat(points[0], 4, axis=1), np.tile(points[1], 5)
    B = rng.normal(size=(d_k, d_k))
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
        "A": rng.normal(size=(d_k, d_k)),
        "B": B + B.T,
        "I": np.eye(d_k),
    }


def failures(rng):
    """Equal covariances, and keys that resemble their queries."""
    d_k, r = 3, rng.uniform(0.2, 0.8)
    values, law = independent(*[bell()] * (2 * d_k))
    q, e = values[:d_k], values[d_k:]
    S = np.full((d_k, d_k), r) + (1 - r) * np.eye(d_k)
    return {
        "d_k": d_k,
        "r": r,
        "mu": rng.uniform(0.5, 2),
        "law": law,
        "q": Random(q),
        "e": Random(e),
        "k": Random(r * q + np.sqrt(1 - r**2) * e),
        "S_q": S,
        "S_k": S,
        "I": np.eye(d_k),
    }


def one_number(rng):
    """All q_i one and the same number."""
    values, law = independent(*(coin(rng) for _ in range(4)))
    return {"law": law, "q": Random(values[0]), "k": Random(values[1:]), "z": Random(values[0])}


SQUARED = np.random.default_rng(0).normal(size=(3, 7))  # a key that is its query


def centred(rng):
    """Mean 0, and any variance."""
    return two_vectors(lambda i: coin(rng, 0, rng.uniform(0.5, 2)), 3)


def one_number_with_means(rng):
    values, law = independent(*(coin(rng, rng.normal()) for _ in range(4)))
    return {"law": law, "q": Random(values[0]), "k": Random(values[1:])}


# The steps of the derivation ask for less than its result, and must hold where only that is given.
cell(
    "04-03",
    bind=standard,
    wider={
        r"\mathbb{E}[z] = \sum_i \mathbb{E}[q_i k_i] = \sum_i \mathbb{E}[q_i]\,\mathbb{E}[k_i] = \sum_i 0\cdot 0 = 0": (
            (3, with_means),
        ),
        r"\mathrm{Var}(q_i k_i) = \mathbb{E}[q_i^2 k_i^2] - \mathbb{E}[q_i k_i]^2 = \mathbb{E}[q_i^2]\,\mathbb{E}[k_i^2] - 0 "
        r"= 1 \cdot 1 = 1": ((2, with_means), (3, centred)),
        r"\mathbb{E}[q_i^2] = \mathrm{Var}(q_i) + \mathbb{E}[q_i]^2 = 1 + 0": ((2, with_means),),
        r"\mathrm{Var}(z) = \sum_i \mathrm{Var}(q_i k_i) = \sum_i 1 = d_k": ((2, with_means),),
    },
)
cell("attention_core.dot_product_variance", bind=standard)
cell("04-08", bind=normal, given={r"\mathbb{E}[q^4] = 3": ONE, r"\mathbb{E}[q^4]\,\mathbb{E}[k^4] = 3 \cdot 3 = 9": ONE})
cell("04-30", bind=general, settings=("S_q = S_k = I",))
cell(
    "04-32",
    bind=failures,
    settings=("S_q = S_k = I",),
    given={r"\mathrm{tr}(S_q I) = d_k": ({"S_k": np.diag([1.0, 2, 3])},)},
    listed={r"\mathbf{m}_q = \mathbf{m}_k = (\mu, \dots, \mu)": "the setting of the next formula, written with dots"},
)
cell("04-e02", settings=(r"\mathbf{k} = \mathbf{q}",))
cell(
    "04-e03",
    bind=one_number,
    wider={r"\mathbb{E}[q^2 k_i k_j] = \mathbb{E}[q^2]\,\mathbb{E}[k_i]\,\mathbb{E}[k_j] = 0": ((2, one_number_with_means),)},
    settings=(r"\mathbb{E}[q_i^4] = 2",),
    given={
        r"\mathbb{E}[q^2 k_i k_j] = \mathbb{E}[q^2]\,\mathbb{E}[k_i]\,\mathbb{E}[k_j] = 0": (r"i \ne j",),
        r"z = \sum_i q_i^2": ({"q": Random(SQUARED), "z": Random((SQUARED**2).sum(axis=0))},),
    },
)
cell("04-e09", bind=with_means)
cell("04-e10", "04-e12", bind=general)
