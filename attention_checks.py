"""What counts as good input: one line a check, one wording for all messages.

A message names the argument, what it has and what it needs. A wrong kind of thing is a TypeError, a wrong shape or
value a ValueError.
"""

from __future__ import annotations

import math
import operator
from typing import NamedTuple

import numpy as np


def need(ok: bool, name: str, has: object, needs: str) -> None:
    """Raise the ValueError that says what ``name`` has and needs, unless ``ok``."""
    if not ok:
        raise ValueError(f"{name} has {has}; it needs {needs}")


def array(name: str, value: object, needs: str) -> np.ndarray:
    """``value`` as an array of any kind."""
    try:
        return np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} is ragged; it needs shape {needs}") from error


def floats(name: str, value: object, needs: str, ndim: int, *, exact: bool = False, finite: bool = True) -> np.ndarray:
    """``value`` as floats with at least (``exact``: exactly) ``ndim`` axes; integers and booleans become float64."""
    a = array(name, value, needs)
    if a.dtype.kind not in "fiub":
        raise TypeError(f"{name} has dtype {a.dtype} and shape {a.shape}; it needs real numbers of shape {needs}")
    need(a.ndim == ndim or (a.ndim > ndim and not exact), name, f"shape {a.shape}", f"shape {needs}")
    a = a if a.dtype.kind == "f" else a.astype(np.float64)
    if finite:
        need(bool(np.isfinite(a).all()), name, f"shape {a.shape} and entries that are NaN or infinite",
             f"finite numbers of shape {needs}")
    return a


def number(name: str, value: object, needs: str) -> float:
    """``value`` as a finite Python float."""
    return float(floats(name, value, f"() with {needs}", 0, exact=True))


def whole(name: str, value: object, needs: str, low: int, high: float = math.inf) -> int:
    """``value`` as a Python int with low <= value <= high."""
    try:
        n = operator.index(value)
    except TypeError as error:
        raise TypeError(f"{name} has type {type(value).__name__}; it needs {needs}") from error
    need(low <= n <= high, name, f"value {n}", needs)
    return n


class Lookup(NamedTuple):
    """The checked arguments of a lookup; ``shape`` is (..., m, n) after broadcasting, ``work`` the dtype of its sums."""

    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray
    mask: np.ndarray | None
    scale: np.floating
    shape: tuple[int, ...]
    kind: np.dtype
    work: np.dtype


def lookup(Q, K, V, mask, scale) -> Lookup:
    """Check what `scaled_dot_product_attention` and `blocked_attention` are given."""
    Q = floats("Q", Q, "(..., m, d_k)", 2)
    K = floats("K", K, "(..., n, d_k)", 2)
    V = floats("V", V, "(..., n, d_v)", 2)
    d_k, n = Q.shape[-1], K.shape[-2]
    need(d_k > 0, "Q", f"shape {Q.shape}", "shape (..., m, d_k) with d_k >= 1")
    need(K.shape[-1] == d_k, "K", f"shape {K.shape}", f"shape (..., n, {d_k}) for Q of shape {Q.shape}")
    need(n > 0, "K", f"shape {K.shape}", "shape (..., n, d_k) with n >= 1 keys")
    need(V.shape[-2] == n, "V", f"shape {V.shape}", f"shape (..., {n}, d_v) for K of shape {K.shape}")
    try:
        shape = (*np.broadcast_shapes(Q.shape[:-2], K.shape[:-2], V.shape[:-2]), Q.shape[-2], n)
    except ValueError as error:
        raise ValueError(f"Q, K, V have shapes {Q.shape}, {K.shape}, {V.shape}; they need batch dimensions that "
                         "broadcast in (..., m, d_k), (..., n, d_k), (..., n, d_v)") from error
    scale = 1 / math.sqrt(d_k) if scale is None else number("scale", scale, "a positive finite number")
    need(scale > 0, "scale", f"value {scale}", "a positive finite number")
    if mask is not None:
        mask = array("mask", mask, f"that broadcasts to {shape}")
        if mask.dtype != np.bool_:
            raise TypeError(f"mask has dtype {mask.dtype} and shape {mask.shape}; it needs booleans (True = may attend) that "
                            f"broadcast to shape {shape}")
        try:
            mask = np.broadcast_to(mask, shape)
        except ValueError as error:
            raise ValueError(f"mask has shape {mask.shape}; it needs a shape that broadcasts to {shape}") from error
    kind = np.result_type(Q, K, V)
    work = np.result_type(kind, np.float32)  # float16 accumulates in float32
    return Lookup(Q, K, V, mask, work.type(scale), shape, kind, work)


def finite_scores(ok: np.ndarray, shape: tuple[int, ...], work: np.dtype) -> None:
    """Raise unless no score overflowed."""
    if not ok.all():  # asked of every block of scores, where to put the words together would take longer than to check
        need(False, "Q K^T", f"scores of shape {shape} that overflow {work}",
             "finite scores (..., m, n) of Q (..., m, d_k) and K (..., n, d_k)")


def finite_output(output: np.ndarray, V: np.ndarray, kind: np.dtype) -> np.ndarray:
    """``output``, unless an average of values overflowed."""
    need(bool(np.isfinite(output).all()), "V", f"shape {V.shape} and entries whose average overflows {kind}",
         "smaller entries (..., n, d_v)")
    return output
