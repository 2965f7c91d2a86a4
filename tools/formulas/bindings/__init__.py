"""What the symbols of each cell stand for, a module a notebook, and the finite laws that stand for random numbers.

All sizes differ, and nothing is symmetric, zero or special unless the text says so. Where the chapter has a function for a
quantity it is used, so that a formula is held against the code and not against itself.
"""

from __future__ import annotations

import numpy as np


def independent(*laws: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Independent random numbers, each with its values and their probabilities: (how many, outcomes), and the law."""
    values = np.array([grid.ravel() for grid in np.meshgrid(*(value for value, _ in laws), indexing="ij")])
    chances = np.meshgrid(*(chance for _, chance in laws), indexing="ij")
    return values, np.prod([grid.ravel() for grid in chances], axis=0)


def coin(rng: np.random.Generator, mean: float = 0, deviation: float = 1) -> tuple[np.ndarray, np.ndarray]:
    """Two values with this mean and standard deviation, and not alike: the larger one is the rarer."""
    p = rng.uniform(0.2, 0.4)
    return mean + deviation * np.array([np.sqrt((1 - p) / p), -np.sqrt(p / (1 - p))]), np.array([p, 1 - p])


def bell() -> tuple[np.ndarray, np.ndarray]:
    """Three values with the first five moments of the standard normal distribution."""
    return np.sqrt(3) * np.array([-1, 0, 1]), np.array([1, 4, 1]) / 6


def lookup(rng: np.random.Generator, m: int = 6, n: int = 5, d_k: int = 3, d_v: int = 4) -> dict:
    """The sizes and arrays of one lookup by the chapter's own function, and its stages."""
    from attention_core import scaled_dot_product_attention

    Q, K, V = rng.normal(size=(m, d_k)), rng.normal(size=(n, d_k)), rng.normal(size=(n, d_v))
    head = scaled_dot_product_attention(Q, K, V)
    return {
        "m": m,
        "n": n,
        "d_k": d_k,
        "d_v": d_v,
        "Q": Q,
        "K": K,
        "V": V,
        "q": Q,
        "k": K,
        "v": V,
        "S": head.scaled,
        "A": head.weights,
        "O": head.output,
    }


def head(rng: np.random.Generator, n: int = 6, d: int = 5, d_k: int = 3, d_v: int = 4) -> dict:
    """The same for a head of self-attention, with its features and projections."""
    from attention_core import _project, attention

    X, W_q, W_k, W_v = (rng.normal(size=shape) for shape in ((n, d), (d, d_k), (d, d_k), (d, d_v)))
    Q, K, V = _project(X, W_q, W_k, W_v)
    found = attention(X, W_q, W_k, W_v)
    return {
        "n": n,
        "d": d,
        "d_k": d_k,
        "d_v": d_v,
        "X": X,
        "W_q": W_q,
        "W_k": W_k,
        "W_v": W_v,
        "Q": Q,
        "K": K,
        "V": V,
        "q": Q,
        "k": K,
        "v": V,
        "S": found.scaled,
        "A": found.weights,
        "O": found.output,
    }


def cosines(n: int, rho: float) -> np.ndarray:
    """n unit vectors, any two of them with the cosine rho."""
    values, vectors = np.linalg.eigh(np.full((n, n), rho) + (1 - rho) * np.eye(n))
    return vectors * np.sqrt(np.clip(values, 0, None))


def solved(f, low: float, high: float) -> float:
    """Where an increasing function is zero."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) < 0 else (low, middle)
    return low
