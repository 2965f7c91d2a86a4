"""Notebook 04: means and variances, each over a finite law with the properties that the text asks for."""

import numpy as np

from tools.formulas.bindings import coin, independent
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
    return bound | {"b": rng.uniform(2, 3)}


def averages(rng):
    """Independent draws of one random number."""
    N = 3
    values, law = independent(*[coin(rng, *rng.uniform(0.5, 2, size=2))] * N)
    return {"N": N, "law": law, "u": Random(values)}


def with_means(rng):
    return two_vectors(lambda i: coin(rng, rng.normal(), rng.uniform(0.5, 2)), 3)


def two_numbers(rng):
    """Two independent numbers beside the score."""
    bound = with_means(rng)
    return bound | {"u": Random(bound["q"].outcomes[0]), "v": Random(bound["k"].outcomes[1])}


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
cell("04-44", bind=with_means)
cell("04-46", bind=two_numbers)
cell("04-08", bind=averages)
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
