"""Heads that are trained to point at given facts, by gradient descent on their queries and keys.

The notebooks about trained heads share it: `even` writes facts as targets, `train` trains any number of heads at once, and
`right` counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attention_checks import finite_number, floats, integer_between, need
from attention_core import scaled_dot_product_attention


class Training(NamedTuple):
    """What heads were at every step of their training.

    Attributes
    ----------
    Wq, Wk : ndarray, shape (..., d, d_k)
        The projections after the last step.
    weights : ndarray, shape (steps + 1, ..., n, n)
        A before the first step and after each.
    losses : ndarray, shape (steps + 1, ...)
        The cross-entropy that belongs to it, in nats.
    """

    Wq: np.ndarray
    Wk: np.ndarray
    weights: np.ndarray
    losses: np.ndarray


def even(edges: ArrayLike) -> np.ndarray:
    """Spread each row evenly over its objects.

    Parameters
    ----------
    edges : array_like of bool, shape (..., n, n)
        True where row i is to point at column j.

    Returns
    -------
    ndarray, shape (..., n, n)
        The targets Y: rows that sum to one, and rows of zeros where there is no object.

    Examples
    --------
    >>> even([[False, True, True], [False, False, False], [True, False, False]])
    array([[0. , 0.5, 0.5],
           [0. , 0. , 0. ],
           [1. , 0. , 0. ]])
    """
    edges = np.asarray(edges, dtype=bool)
    return edges / np.maximum(edges.sum(axis=-1, keepdims=True), 1)


def train(
    X: ArrayLike, targets: ArrayLike, rng: np.random.Generator, *, steps: int = 300, rate: float = 0.1, d_k: int = 4
) -> Training:
    r"""Train heads by gradient descent, one for each matrix of targets, none of which sees another.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The features, which stay as they are.
    targets : array_like, shape (..., n, n)
        Y: the distribution over the keys that each row of each head is to have; a row of zeros is not trained.
    rng : numpy.random.Generator
        Where the heads start: for each in turn Wq, then Wk, of N(0, 1) / sqrt(d).
    steps : int
        How many, >= 0.
    rate : float
        The length of a step is this times the derivative.
    d_k : int
        The width of queries and keys.

    Returns
    -------
    Training
        The projections, and weights and losses at every step.

    Raises
    ------
    TypeError, ValueError
        For an argument of the wrong kind, shapes that do not fit, or a number out of range.

    Notes
    -----
    The loss, and its derivative with respect to the scaled scores, where the softmax and the logarithm cancel
    (notebook 07a):

    .. math:: L = -\sum_{ij} Y_{ij} \ln A_{ij}, \qquad (D_S)_{ij} = A_{ij} \sum_l Y_{il} - Y_{ij}

    Examples
    --------
    >>> found = train(np.eye(3), even(np.eye(3, dtype=bool)[[1, 2, 0]]), np.random.default_rng(0))  # 0 to 1, 1 to 2, 2 to 0
    >>> found.weights[-1].argmax(axis=1)
    array([1, 2, 0])
    """
    X = floats("X", X, "(n, d)", 2, exact=True)
    n, d = X.shape
    Y = floats("targets", targets, f"(..., {n}, {n})", 2)
    need(Y.shape[-2:] == (n, n), "targets", f"shape {Y.shape}", f"shape (..., {n}, {n}) for X of shape {X.shape}")
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng has type {type(rng).__name__}; it needs a numpy.random.Generator")
    steps, d_k = integer_between("steps", steps, "an integer >= 0", 0), integer_between("d_k", d_k, "an integer >= 1", 1)
    rate = finite_number("rate", rate, "a finite number")
    start = rng.normal(size=(*Y.shape[:-2], 2, d, d_k)) / np.sqrt(d)
    Wq, Wk = start[..., 0, :, :], start[..., 1, :, :]
    trained = Y.sum(axis=-1, keepdims=True)  # 0 for a row that is not
    maps, losses = [], []
    for step in range(steps + 1):
        Q, K = X @ Wq, X @ Wk
        A = scaled_dot_product_attention(Q, K, K).weights  # the loss sees no output, so that any values do
        maps.append(A)
        losses.append(-(Y * np.log(A, out=np.zeros_like(A), where=Y > 0)).sum(axis=(-2, -1)))
        if step < steps:
            dS = (A * trained - Y) / np.sqrt(d_k)
            Wq, Wk = Wq - rate * X.T @ (dS @ K), Wk - rate * X.T @ (np.swapaxes(dS, -1, -2) @ Q)
    return Training(Wq, Wk, np.array(maps), np.array(losses))


def right(weights: ArrayLike, edges: ArrayLike) -> np.ndarray:
    """Say of each row with objects whether it is right: its k objects are its k largest weights.

    Parameters
    ----------
    weights : array_like, shape (n, n)
        One row a query.
    edges : array_like of bool, shape (n, n)
        True at the objects of a row.

    Returns
    -------
    ndarray of bool, shape (rows with an object,)
        In the order of the rows.

    Examples
    --------
    >>> right([[0.2, 0.5, 0.3], [0.2, 0.5, 0.3], [0.1, 0.4, 0.5]], [[False, True, True], [False, False, False], [True, True, False]])
    array([ True, False])
    """
    A, E = np.asarray(weights), np.asarray(edges, dtype=bool)
    rows = np.flatnonzero(E.any(axis=-1))
    return np.array([set(np.argsort(-A[i])[: E[i].sum()]) == set(np.flatnonzero(E[i])) for i in rows], dtype=bool)
