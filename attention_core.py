"""Attention in NumPy: a soft dictionary whose limit is exact lookup.

Every function here is pure, and every quantity is dimensionless. The order is the chapter's: the softmax, one head,
its Jacobian, several heads, and the two experiments that say when a head behaves (the variance of a dot product and
the retrieval limit). Shapes are written as in the papers: m queries, n keys, key width d_k, value width d_v; a
leading ``...`` stands for any batch dimensions, and these broadcast.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

__all__ = [
    "Attention", "DotProducts", "MultiHead", "Retrieval",
    "attention", "central_difference_jacobian", "closed_form_weight", "cosine", "dot_product_variance",
    "multi_head_attention", "retrieve", "scaled_dot_product_attention", "softmax", "softmax_jacobian",
]


# --- what counts as good input ---------------------------------------------------------------------------------------

def _need(ok: bool, name: str, has: object, needs: str) -> None:
    """Raise the one kind of ValueError of this module unless ``ok``."""
    if not ok:
        raise ValueError(f"{name} has {has}; it needs {needs}")


def _array(name: str, value: object, needs: str) -> np.ndarray:
    """``value`` as an array of any kind."""
    try:
        return np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} is ragged; it needs shape {needs}") from error


def _floats(name: str, value: object, needs: str, ndim: int, *, exact: bool = False, finite: bool = True) -> np.ndarray:
    """``value`` as floats with at least (``exact``: exactly) ``ndim`` axes; integers and booleans become float64."""
    a = _array(name, value, needs)
    if a.dtype.kind not in "fiub":
        raise TypeError(f"{name} has dtype {a.dtype} and shape {a.shape}; it needs real numbers of shape {needs}")
    _need(a.ndim == ndim or (a.ndim > ndim and not exact), name, f"shape {a.shape}", f"shape {needs}")
    a = a if a.dtype.kind == "f" else a.astype(np.float64)
    if finite:
        _need(bool(np.isfinite(a).all()), name, f"shape {a.shape} and entries that are NaN or infinite",
              f"finite numbers of shape {needs}")
    return a


def _number(name: str, value: object, needs: str) -> float:
    """``value`` as a finite Python float."""
    return float(_floats(name, value, f"() with {needs}", 0, exact=True))


def _whole(name: str, value: object, needs: str, low: int, high: float = math.inf) -> int:
    """``value`` as a Python int with low <= value <= high."""
    try:
        whole = operator.index(value)
    except TypeError as error:
        raise TypeError(f"{name} has type {type(value).__name__}; it needs {needs}") from error
    _need(low <= whole <= high, name, f"value {whole}", needs)
    return whole


# --- the softmax -----------------------------------------------------------------------------------------------------

def softmax(z: np.ndarray, axis: int = -1) -> np.ndarray:
    """Turn logits into nonnegative weights that sum to one along an axis.

    Parameters: z (..., n, ...), logits, where -inf gives the weight 0; axis, the one that is normalised.
    Returns: weights of z's shape. Floats keep their dtype (float16 is summed in float32); other numbers give float64.
    Raises: TypeError for z not real or axis no integer; ValueError for no such axis, an empty one, a NaN or +inf
    logit, or a row of nothing but -inf.
    Formula: p_i = exp(z_i - max z) / sum_k exp(z_k - max z). The shift cancels top and bottom and keeps every exponent
    at most zero, so that no logit overflows (notebook 05).

    >>> softmax(np.array([1000.0, 1000.0]))
    array([0.5, 0.5])
    """
    z = _floats("z", z, "(..., n, ...) with n >= 1", 1, finite=False)
    low, high = -z.ndim, z.ndim - 1
    axis = _whole("axis", axis, f"an integer from {low} to {high} for z of shape {z.shape}", low, high)
    _need(z.shape[axis] > 0, "z", f"shape {z.shape} with no entry along axis {axis}", "n >= 1 entries there")
    _need(not (np.isnan(z) | np.isposinf(z)).any(), "z", f"shape {z.shape} and NaN or +inf logits",
          "logits (..., n, ...) that are finite or -inf")
    shifted = z.astype(np.float32) if z.dtype == np.float16 else z
    top = shifted.max(axis=axis, keepdims=True)
    _need(not np.isneginf(top).any(), "z", f"shape {z.shape} and a row of -inf along axis {axis}",
          "a finite logit in every row of (..., n, ...)")
    with np.errstate(over="ignore", under="ignore"):  # a difference beyond the range is -inf, and its weight 0 is right
        e = np.exp(shifted - top)
        return (e / e.sum(axis=axis, keepdims=True)).astype(z.dtype)


# --- one head --------------------------------------------------------------------------------------------------------

class Attention(NamedTuple):
    """The stages of one head, all dimensionless: q.k, the same times the scale, their softmax, the blend of values."""

    raw: np.ndarray      # (..., m, n)   Q K^T
    scaled: np.ndarray   # (..., m, n)   Q K^T / sqrt(d_k)
    weights: np.ndarray  # (..., m, n)   A, each row a distribution over the keys
    output: np.ndarray   # (..., m, d_v) O = A V


def scaled_dot_product_attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray, *,
                                 mask: np.ndarray | None = None, scale: float | None = None) -> Attention:
    """Look m queries up in a soft dictionary of n slots.

    Parameters: Q (..., m, d_k), K (..., n, d_k), V (..., n, d_v), finite; mask, booleans that broadcast to (..., m, n),
    True where the query may attend to the key; scale, positive, what multiplies the scores (its inverse is the
    temperature), 1/sqrt(d_k) by default.
    Returns: Attention. A row that may attend to nothing has weights 0 and output 0: there is no distribution over an
    empty set, and 0 is the sum over it. For float16 input, raw and scaled are float32.
    Raises: TypeError for Q, K, V or scale not real or mask not boolean; ValueError for shapes that do not fit, no key,
    d_k = 0, entries that are not finite, scores that overflow, or scale <= 0.
    Formula: A = softmax(Q K^T / sqrt(d_k)), O = A V. Source: Vaswani et al. (2017), section 3.2.1.
    """
    Q = _floats("Q", Q, "(..., m, d_k)", 2)
    K = _floats("K", K, "(..., n, d_k)", 2)
    V = _floats("V", V, "(..., n, d_v)", 2)
    d_k, n = Q.shape[-1], K.shape[-2]
    _need(d_k > 0, "Q", f"shape {Q.shape}", "shape (..., m, d_k) with d_k >= 1")
    _need(K.shape[-1] == d_k, "K", f"shape {K.shape}", f"shape (..., n, {d_k}) for Q of shape {Q.shape}")
    _need(n > 0, "K", f"shape {K.shape}", "shape (..., n, d_k) with n >= 1 keys")
    _need(V.shape[-2] == n, "V", f"shape {V.shape}", f"shape (..., {n}, d_v) for K of shape {K.shape}")
    try:
        batch = np.broadcast_shapes(Q.shape[:-2], K.shape[:-2], V.shape[:-2])
    except ValueError as error:
        raise ValueError(f"Q, K, V have shapes {Q.shape}, {K.shape}, {V.shape}; they need batch dimensions that "
                         "broadcast in (..., m, d_k), (..., n, d_k), (..., n, d_v)") from error
    scale = 1 / math.sqrt(d_k) if scale is None else _number("scale", scale, "a positive finite number")
    _need(scale > 0, "scale", f"value {scale}", "a positive finite number")

    kind = np.result_type(Q, K, V)
    work = np.result_type(kind, np.float32)  # float16 accumulates in float32
    with np.errstate(over="ignore", invalid="ignore"):  # an overflow is reported below, by name
        raw = np.matmul(Q, np.swapaxes(K, -1, -2), dtype=work)
        scaled = raw * work.type(scale)
        _need(bool(np.isfinite(raw).all() and np.isfinite(scaled).all()), "Q K^T",
              f"scores of shape {raw.shape} that overflow {work}",
              "finite scores (..., m, n) of Q (..., m, d_k) and K (..., n, d_k)")
        weights = softmax(scaled) if mask is None else _masked_softmax(scaled, mask, (*batch, Q.shape[-2], n))
        output = np.matmul(weights, V, dtype=work).astype(kind)
    _need(bool(np.isfinite(output).all()), "V", f"shape {V.shape} and entries whose average overflows {kind}",
          "smaller entries (..., n, d_v)")
    return Attention(raw, scaled, np.broadcast_to(weights, (*batch, Q.shape[-2], n)).astype(kind), output)


def _masked_softmax(scaled: np.ndarray, mask: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The softmax over the keys that ``mask`` allows; zeros where it allows none."""
    mask = _array("mask", mask, f"that broadcasts to {shape}")
    if mask.dtype != np.bool_:
        raise TypeError(f"mask has dtype {mask.dtype} and shape {mask.shape}; it needs booleans (True = may attend) "
                        f"that broadcast to shape {shape}")
    try:
        mask = np.broadcast_to(mask, shape)
    except ValueError as error:
        raise ValueError(f"mask has shape {mask.shape}; it needs a shape that broadcasts to {shape}") from error
    some = mask.any(axis=-1, keepdims=True)
    # A row without a key gets logits of 0 for the call and weights of 0 after it.
    return softmax(np.where(some, np.where(mask, scaled, -np.inf), 0).astype(scaled.dtype)) * some


def attention(X: np.ndarray, Wq: np.ndarray, Wk: np.ndarray, Wv: np.ndarray, *,
              mask: np.ndarray | None = None) -> Attention:
    """Let the rows of X look one another up: one head of self-attention.

    Parameters: X (..., n, d), one feature row per element; Wq, Wk (d, d_k) and Wv (d, d_v), the projections into
    query, key and value space; mask, booleans that broadcast to (..., n, n), True where a row may attend to a column.
    Returns: Attention, with weights (..., n, n) and output (..., n, d_v).
    Raises: as `scaled_dot_product_attention`, naming X, Wq, Wk or Wv.
    Formula: Q = X Wq, K = X Wk, V = X Wv, then the lookup. Source: Vaswani et al. (2017), section 3.2.
    """
    X = _floats("X", X, "(..., n, d)", 2)
    d = X.shape[-1]
    _need(X.shape[-2] > 0, "X", f"shape {X.shape}", "shape (..., n, d) with n >= 1")
    projections = []
    for name, W in (("Wq", Wq), ("Wk", Wk), ("Wv", Wv)):
        W = _floats(name, W, f"({d}, width)", 2, exact=True)
        _need(W.shape[0] == d and W.shape[1] > 0, name, f"shape {W.shape}",
              f"shape ({d}, width) with width >= 1 for X of shape {X.shape}")
        with np.errstate(over="ignore", invalid="ignore"):
            projections.append(X @ W)
        _need(bool(np.isfinite(projections[-1]).all()), name, f"shape {W.shape} and a product with X that overflows",
              f"finite X {name} for X of shape {X.shape}")
    _need(projections[0].shape[-1] == projections[1].shape[-1], "Wk", f"shape {np.shape(Wk)}",
          f"shape {np.shape(Wq)}, that of Wq")
    return scaled_dot_product_attention(*projections, mask=mask)


# --- the softmax Jacobian --------------------------------------------------------------------------------------------

def softmax_jacobian(p: np.ndarray) -> np.ndarray:
    """The Jacobian of the softmax, written in its output.

    Parameters: p (..., n), probabilities; each row sums to one within half the digits of its dtype.
    Returns: J (..., n, n) with J[i, j] = dp_i/dz_j.
    Raises: TypeError for p not real; ValueError for no entries, entries outside [0, 1], a row that does not sum to one.
    Formula: J = diag(p) - p p^T, by the quotient rule (notebook 05).
    """
    p = _floats("p", p, "(..., n) with n >= 1", 1)
    n = p.shape[-1]
    _need(n > 0, "p", f"shape {p.shape}", "shape (..., n) with n >= 1")
    _need(bool(((p >= 0) & (p <= 1)).all()), "p", f"shape {p.shape} and entries outside [0, 1]",
          "probabilities of shape (..., n)")
    wide = p.astype(np.result_type(p, np.float32))
    _need(bool((abs(wide.sum(axis=-1) - 1) <= math.sqrt(np.finfo(p.dtype).eps)).all()), "p",
          f"shape {p.shape} and a row that does not sum to one", "probabilities (..., n), each row summing to one")
    return np.eye(n, dtype=p.dtype) * p[..., None, :] - p[..., :, None] * p[..., None, :]


def central_difference_jacobian(f: Callable[[np.ndarray], np.ndarray], z: np.ndarray, h: float = 1e-5) -> np.ndarray:
    """Estimate a Jacobian by nudging one input at a time, up and down.

    Parameters: f, a smooth function of an array (n,) that returns an array (m,); z (n,), where to take the derivative;
    h, the step.
    Returns: float64 (m, n), whose column j is (f(z + h e_j) - f(z - h e_j)) / 2h.
    Raises: TypeError for f not callable, z or h not real; ValueError for z not one finite vector, h not positive or too
    small to change z, or f not finite.
    Formula: truncation error h^2 f'''/6, rounding error about eps/h (notebook 05).
    """
    if not callable(f):
        raise TypeError(f"f has type {type(f).__name__}; it needs a function of an array of shape (n,)")
    z = _floats("z", z, "(n,)", 1, exact=True).astype(np.float64)
    _need(z.size > 0, "z", f"shape {z.shape}", "shape (n,) with n >= 1")
    h = _number("h", h, "a positive finite number")
    _need(h > 0 and bool((z + h > z - h).all()), "h", f"value {h}",
          f"a positive step that changes z of shape {z.shape}")
    columns = []
    for e in np.eye(z.size):
        up, down = (_floats("f(z)", f(z + step * e), "(m,)", 1, exact=True).astype(np.float64) for step in (h, -h))
        first = columns[0] if columns else up
        _need(up.shape == down.shape == first.shape, "f(z)", f"shapes {up.shape}, {down.shape}",
              f"one shape (m,) at every z, here {first.shape}")
        columns.append((up - down) / (2 * h))
    return np.stack(columns, axis=-1)


# --- several heads ---------------------------------------------------------------------------------------------------

class MultiHead(NamedTuple):
    """Several heads run side by side: each one's `Attention`, their outputs joined, and the mix of these."""

    heads: tuple[Attention, ...]
    concat: np.ndarray  # (..., n, h d_v)
    output: np.ndarray  # (..., n, d_out)


def multi_head_attention(X: np.ndarray, heads: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]], Wo: np.ndarray, *,
                         mask: np.ndarray | None = None) -> MultiHead:
    """Run h heads on the same rows, join their outputs, mix them.

    Parameters: X (..., n, d); heads, a sequence of h triples (Wq, Wk, Wv) of shapes (d, d_k), (d, d_k), (d, d_v);
    Wo (h d_v, d_out), the output mix; mask, booleans that broadcast to (..., n, n), the same for every head.
    Returns: MultiHead.
    Raises: as `attention`, with the number of the head in front; ValueError for no head or Wo of the wrong shape.
    Formula: [O_1 || ... || O_h] Wo. Source: Vaswani et al. (2017), section 3.2.2.
    """
    try:
        triples = [(Wq, Wk, Wv) for Wq, Wk, Wv in heads]
    except (TypeError, ValueError) as error:
        raise type(error)("heads is no sequence of h triples (Wq, Wk, Wv) of shapes (d, d_k), (d, d_k), (d, d_v): "
                          f"{error}") from error
    _need(len(triples) > 0, "heads", "0 triples", "h >= 1 triples (Wq, Wk, Wv)")
    run = []
    for i, triple in enumerate(triples):
        try:
            run.append(attention(X, *triple, mask=mask))
        except (TypeError, ValueError) as error:
            raise type(error)(f"heads[{i}]: {error}") from error
    concat = np.concatenate([head.output for head in run], axis=-1)
    Wo = _floats("Wo", Wo, "(h d_v, d_out)", 2, exact=True)
    _need(Wo.shape[0] == concat.shape[-1], "Wo", f"shape {Wo.shape}",
          f"shape ({concat.shape[-1]}, d_out) for heads joined to shape {concat.shape}")
    with np.errstate(over="ignore", invalid="ignore"):
        output = concat @ Wo
    _need(bool(np.isfinite(output).all()), "Wo", f"shape {Wo.shape} and a product that overflows", "a finite mix")
    return MultiHead(tuple(run), concat, output)


# --- experiment: how large is a dot product? -------------------------------------------------------------------------

class DotProducts(NamedTuple):
    """Many dot products of independent standard normal vectors of one width, and how far they spread."""

    d_k: int
    dots: np.ndarray  # (draws,)
    var: float        # population variance of dots
    ratio: float      # var / d_k, which the theorem puts at 1


def dot_product_variance(rng: np.random.Generator, widths: Sequence[int], draws: int) -> tuple[DotProducts, ...]:
    """Measure Var(q.k) for standard normal q and k, width by width.

    Parameters: rng, a numpy.random.Generator, drawn from in the order q then k for each width in turn; widths, the key
    widths d_k, integers >= 1; draws, the pairs for each width, an integer >= 2.
    Returns: a tuple of DotProducts, one per width.
    Raises: TypeError or ValueError for a wrong kind of rng, or a width or draws out of range.
    Formula: Var(q.k) = d_k for independent components of mean 0 and variance 1 (notebook 04).
    Source: Vaswani et al. (2017), footnote 4.
    """
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng has type {type(rng).__name__}; it needs a numpy.random.Generator")
    draws = _whole("draws", draws, "an integer >= 2", 2)
    if not np.iterable(widths):
        raise TypeError(f"widths has type {type(widths).__name__}; it needs a sequence of integers >= 1")
    rows = []
    for d_k in [_whole("widths", d, "integers >= 1", 1) for d in widths]:
        q = rng.normal(size=(draws, d_k))
        k = rng.normal(size=(draws, d_k))
        dots = (q * k).sum(axis=1)
        rows.append(DotProducts(d_k, dots, float(dots.var()), float(dots.var()) / d_k))
    return tuple(rows)


# --- experiment: the retrieval limit ---------------------------------------------------------------------------------

def cosine(u: np.ndarray, v: np.ndarray) -> float:
    """The cosine of the angle between two vectors u and v, both (d,), finite and nonzero.

    Returns: u.v / (|u| |v|), a float from -1 to 1.
    Raises: TypeError or ValueError where u or v is not such a vector, or their lengths differ.
    """
    u = _floats("u", u, "(d,)", 1, exact=True)
    v = _floats("v", v, "(d,)", 1, exact=True)
    _need(u.shape == v.shape, "v", f"shape {v.shape}", f"shape {u.shape}, that of u")
    units = []
    for name, a in (("u", u), ("v", v)):
        a = a.astype(np.float64)
        _need(bool(a.any()), name, f"shape {a.shape} and no entry but 0", "a vector (d,) with a direction")
        a = a / abs(a).max()  # so that neither 1e300 nor 1e-300 leaves the range when squared
        units.append(a / np.linalg.norm(a))
    return float(np.clip(units[0] @ units[1], -1, 1))


class Retrieval(NamedTuple):
    """What a soft dictionary gave back for one query."""

    weights: np.ndarray  # (n,)
    output: np.ndarray   # (d_v,)
    cosine: float        # between output and the stored value


def retrieve(keys: np.ndarray, values: np.ndarray, slot: int, c: float) -> Retrieval:
    """Ask a soft dictionary for one of its slots, with c times that slot's key as the query.

    Parameters: keys (n, d), values (n, d_v); slot, an integer from 0 to n - 1; c, the sharpness: the logit that the
    slot gets when its key has unit length.
    Returns: Retrieval.
    Raises: TypeError or ValueError for arrays of the wrong kind or shape, a slot that is not there, c not finite, or a
    stored value or output of zero, which has no direction.
    Formula: weights = softmax(q K^T) with q = c k_slot and no further scale, output = weights V (notebook 06).
    """
    keys = _floats("keys", keys, "(n, d)", 2, exact=True)
    values = _floats("values", values, "(n, d_v)", 2, exact=True)
    _need(min(keys.shape) > 0, "keys", f"shape {keys.shape}", "shape (n, d) with n >= 1 and d >= 1")
    _need(len(values) == len(keys), "values", f"shape {values.shape}",
          f"shape ({len(keys)}, d_v) for keys of shape {keys.shape}")
    slot = _whole("slot", slot, f"an integer from 0 to {len(keys) - 1}", 0, len(keys) - 1)
    _need(bool(values[slot].any()), "values", f"shape {values.shape} and only zeros in slot {slot}", "a nonzero value")
    with np.errstate(over="ignore"):
        q = (_number("c", c, "a finite number") * keys[slot]).astype(keys.dtype)
    _need(bool(np.isfinite(q).all()), "c", f"value {c} and a product with a key that overflows", "a smaller number")
    row = scaled_dot_product_attention(q[None], keys, values, scale=1.0)
    _need(bool(row.output.any()), "values", f"shape {values.shape} and an average of zero", "others, of shape (n, d_v)")
    return Retrieval(row.weights[0], row.output[0], cosine(row.output[0], values[slot]))


def closed_form_weight(c: float | np.ndarray, n: int, rho: float = 0.0) -> float | np.ndarray:
    """The weight of the slot asked for, when any two of the n unit keys have the same cosine.

    Parameters: c, the sharpness, a number or an array; n, the slots, an integer >= 1; rho, the cosine between two
    keys, -1/(n-1) <= rho <= 1, and 0 for orthonormal ones.
    Returns: a float, or an array of c's shape.
    Raises: TypeError or ValueError for c or rho not real and finite, n out of range, or a rho n vectors cannot have.
    Formula: e^c / (e^c + (n-1) e^(rho c)) = 1 / (1 + (n-1) e^(-c (1-rho))) (notebook 06).
    """
    c = _floats("c", c, "() or (...)", 0).astype(np.float64)
    n = _whole("n", n, "an integer >= 1", 1)
    rho = _number("rho", rho, "a number from -1/(n-1) to 1")
    lowest = -1 / (n - 1) if n > 1 else -1
    _need(lowest <= rho <= 1, "rho", f"value {rho}", f"a number from {lowest:.6g} to 1 for n = {n}")
    if n == 1:
        return np.ones_like(c)[()]
    with np.errstate(over="ignore", under="ignore"):  # a weight beyond the range is 0
        return 1 / (1 + (n - 1) * np.exp(-c * (1 - rho)))
