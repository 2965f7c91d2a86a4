"""Attention in NumPy: a soft dictionary whose limit is exact lookup.

Every function here is pure, and every quantity is dimensionless. The order is the chapter's: the softmax, one head, the
same lookup in blocks, its gradients, the Jacobian, several heads, and the two experiments that say when a head behaves
(the variance of a dot product and the retrieval limit). Shapes are written as in the papers: m queries, n keys, key width
d_k, value width d_v; a leading ``...`` stands for any batch dimensions, and these broadcast.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from attention_checks import finite_output, finite_scores, floats, lookup, need, number, whole

__all__ = [
    "Attention", "DotProducts", "Gradients", "MultiHead", "Retrieval",
    "attention", "attention_gradients", "blocked_attention", "central_difference_jacobian", "closed_form_weight",
    "cosine", "dot_product_variance", "multi_head_attention", "retrieve", "scaled_dot_product_attention", "softmax",
    "softmax_jacobian",
]

# Whatever NumPy is set to do: an overflow is reported here, by name, and an underflow is the 0 that is meant.
QUIET = {"over": "ignore", "under": "ignore", "invalid": "ignore"}


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
    z = floats("z", z, "(..., n, ...) with n >= 1", 1, finite=False)
    low, high = -z.ndim, z.ndim - 1
    axis = whole("axis", axis, f"an integer from {low} to {high} for z of shape {z.shape}", low, high)
    need(z.shape[axis] > 0, "z", f"shape {z.shape} with no entry along axis {axis}", "n >= 1 entries there")
    need(not (np.isnan(z) | np.isposinf(z)).any(), "z", f"shape {z.shape} and NaN or +inf logits",
         "logits (..., n, ...) that are finite or -inf")
    shifted = z.astype(np.float32) if z.dtype == np.float16 else z
    top = shifted.max(axis=axis, keepdims=True)
    need(not np.isneginf(top).any(), "z", f"shape {z.shape} and a row of -inf along axis {axis}",
         "a finite logit in every row of (..., n, ...)")
    with np.errstate(**QUIET):  # a difference beyond the range is -inf, and its weight 0 is right
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
    Q, K, V, mask, scale, shape, kind, work = lookup(Q, K, V, mask, scale)
    with np.errstate(**QUIET):
        raw = np.matmul(Q, np.swapaxes(K, -1, -2), dtype=work)
        scaled = raw * scale
        finite_scores(np.isfinite(raw) & np.isfinite(scaled), raw.shape, work)
        if mask is None:
            weights = softmax(scaled)
        else:
            some = mask.any(axis=-1, keepdims=True)
            # A row without a key gets logits of 0 for the call and weights of 0 after it.
            weights = softmax(np.where(some, np.where(mask, scaled, -np.inf), 0).astype(work)) * some
        output = finite_output(np.matmul(weights, V, dtype=work).astype(kind), V, kind)
        return Attention(raw, scaled, np.broadcast_to(weights, shape).astype(kind), output)


def blocked_attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray, *, mask: np.ndarray | None = None,
                      scale: float | None = None, block: tuple[int, int] = (512, 512)) -> np.ndarray:
    """The same lookup without ever holding its m x n weights: memory grows with m + n.

    Parameters: Q, K, V, mask, scale as in `scaled_dot_product_attention`; block, how many queries and how many keys are
    compared at a time, two integers >= 1.
    Returns: the output O (..., m, d_v) alone, equal to that of `scaled_dot_product_attention` up to rounding.
    Raises: as `scaled_dot_product_attention`; TypeError or ValueError for block; ValueError for V also where the blend
    overflows before it is divided, that is, with values within a factor n of the largest float.
    Formula: with each block of scores S the running maximum a becomes b = max(a, max S), the sum of exponentials l
    becomes l exp(a - b) + sum exp(S - b), the blend u becomes u exp(a - b) + exp(S - b) V; in the end O = u / l.
    Source: Milakov and Gimelshein (2018), algorithm 3; Dao et al. (2022), algorithm 1.
    """
    Q, K, V, mask, scale, shape, kind, work = lookup(Q, K, V, mask, scale)
    pair = tuple(block) if np.iterable(block) else (block,)
    need(len(pair) == 2, "block", f"{len(pair)} entries", "two integers >= 1, (rows, columns)")
    rows, columns = (whole("block", size, "two integers >= 1, (rows, columns)", 1) for size in pair)
    m, n = shape[-2:]
    O = np.empty((*shape[:-1], V.shape[-1]), kind)
    with np.errstate(**QUIET):
        for i in range(0, m, rows):
            q = Q[..., i:i + rows, :].astype(work) * scale
            top, total, blend = work.type(-np.inf), work.type(0), work.type(0)
            for j in range(0, n, columns):
                S = np.matmul(q, np.swapaxes(K[..., j:j + columns, :], -1, -2), dtype=work)
                largest = S.max(axis=-1, keepdims=True)
                finite_scores(np.isfinite(largest), S.shape, work)
                if mask is not None:
                    S = np.where(mask[..., i:i + rows, j:j + columns], S, -np.inf)
                    largest = S.max(axis=-1, keepdims=True)
                higher = np.maximum(top, largest)
                shift = np.where(higher > -np.inf, higher, work.type(0))  # 0 for a row that has met no key yet
                S -= shift
                np.exp(S, out=S)
                fade, top = np.exp(top - shift), higher
                total = total * fade + S @ np.ones((S.shape[-1], 1), work)  # a sum, and faster than S.sum
                blend = blend * fade + np.matmul(S, V[..., j:j + columns, :], dtype=work)
                del S  # so that the next block takes its place, in the cache too
            O[..., i:i + rows, :] = blend / np.where(total > 0, total, 1)
    return finite_output(O, V, kind)


def _project(X, Wq, Wk, Wv) -> tuple[np.ndarray, ...]:
    """X, Wq, Wk, Wv checked, then Q = X Wq, K = X Wk, V = X Wv."""
    X = floats("X", X, "(..., n, d)", 2)
    d = X.shape[-1]
    need(X.shape[-2] > 0, "X", f"shape {X.shape}", "shape (..., n, d) with n >= 1")
    matrices, projections = [], []
    for name, W in (("Wq", Wq), ("Wk", Wk), ("Wv", Wv)):
        W = floats(name, W, f"({d}, width)", 2, exact=True)
        need(W.shape[0] == d and W.shape[1] > 0, name, f"shape {W.shape}",
             f"shape ({d}, width) with width >= 1 for X of shape {X.shape}")
        with np.errstate(**QUIET):
            projections.append(X @ W)
        need(bool(np.isfinite(projections[-1]).all()), name, f"shape {W.shape} and a product with X that overflows",
             f"finite X {name} for X of shape {X.shape}")
        matrices.append(W)
    need(projections[0].shape[-1] == projections[1].shape[-1], "Wk", f"shape {np.shape(Wk)}",
         f"shape {np.shape(Wq)}, that of Wq")
    return X, *matrices, *projections


def attention(X: np.ndarray, Wq: np.ndarray, Wk: np.ndarray, Wv: np.ndarray, *,
              mask: np.ndarray | None = None) -> Attention:
    """Let the rows of X look one another up: one head of self-attention.

    Parameters: X (..., n, d), one feature row per element; Wq, Wk (d, d_k) and Wv (d, d_v), the projections into
    query, key and value space; mask, booleans that broadcast to (..., n, n), True where a row may attend to a column.
    Returns: Attention, with weights (..., n, n) and output (..., n, d_v).
    Raises: as `scaled_dot_product_attention`, naming X, Wq, Wk or Wv.
    Formula: Q = X Wq, K = X Wk, V = X Wv, then the lookup. Source: Vaswani et al. (2017), section 3.2.
    """
    return scaled_dot_product_attention(*_project(X, Wq, Wk, Wv)[4:], mask=mask)


class Gradients(NamedTuple):
    """The derivatives of a loss by the four arguments of `attention`, each of its argument's shape."""

    dWq: np.ndarray  # (d, d_k)
    dWk: np.ndarray  # (d, d_k)
    dWv: np.ndarray  # (d, d_v)
    dX: np.ndarray   # (n, d)


def attention_gradients(X: np.ndarray, Wq: np.ndarray, Wk: np.ndarray, Wv: np.ndarray, *, dO: np.ndarray | None = None,
                        dA: np.ndarray | None = None, mask: np.ndarray | None = None) -> Gradients:
    """The backward pass of one head: from what a loss says of its output, or of its weights, to its arguments.

    Parameters: X (n, d), Wq, Wk (d, d_k), Wv (d, d_v) and mask as in `attention`, without batch dimensions; dO
    (n, d_v), the derivative of the loss by the output, and dA (n, n), by the weights where the loss looks at them
    directly; None means 0.
    Returns: Gradients, of float32 where all input is float16.
    Raises: as `attention`; TypeError or ValueError for dO or dA of the wrong kind or shape, or gradients that overflow.
    Formula: dV = A^T dO, G = dO V^T + dA, dS_i = J_i G_i = A_i * (G_i - A_i.G_i) / sqrt(d_k), dQ = dS K, dK = dS^T Q,
    then dW = X^T (dQ, dK, dV) and dX = dQ Wq^T + dK Wk^T + dV Wv^T (notebook 07).
    """
    X, Wq, Wk, Wv, Q, K, V = _project(X, Wq, Wk, Wv)
    need(X.ndim == 2, "X", f"shape {X.shape}", "shape (n, d)")
    A = scaled_dot_product_attention(Q, K, V, mask=mask).weights
    work = np.result_type(A, np.float32)
    upstream = []
    for name, given, shape in (("dO", dO, V.shape), ("dA", dA, A.shape)):
        given = np.zeros(shape) if given is None else floats(name, given, f"{shape}", 2, exact=True)
        need(given.shape == shape, name, f"shape {given.shape}", f"shape {shape}")
        upstream.append(given)
    dO, dA, X, Wq, Wk, Wv, Q, K, V, A = (a.astype(work) for a in (*upstream, X, Wq, Wk, Wv, Q, K, V, A))
    with np.errstate(**QUIET):
        G = dO @ V.T + dA
        dS = A * (G - (A * G).sum(axis=1, keepdims=True)) / work.type(math.sqrt(Q.shape[1]))
        dQ, dK, dV = dS @ K, dS.T @ Q, A.T @ dO
        found = Gradients(X.T @ dQ, X.T @ dK, X.T @ dV, dQ @ Wq.T + dK @ Wk.T + dV @ Wv.T)
    need(all(bool(np.isfinite(a).all()) for a in found), "dO, dA",
         f"shapes {dO.shape}, {dA.shape} and gradients that overflow", "smaller entries")
    return found


# --- the softmax Jacobian --------------------------------------------------------------------------------------------

def softmax_jacobian(p: np.ndarray) -> np.ndarray:
    """The Jacobian of the softmax, written in its output.

    Parameters: p (..., n), probabilities; each row sums to one within half the digits of its dtype.
    Returns: J (..., n, n) with J[i, j] = dp_i/dz_j.
    Raises: TypeError for p not real; ValueError for no entries, entries outside [0, 1], a row that does not sum to one.
    Formula: J = diag(p) - p p^T, by the quotient rule (notebook 05).
    """
    p = floats("p", p, "(..., n) with n >= 1", 1)
    n = p.shape[-1]
    need(n > 0, "p", f"shape {p.shape}", "shape (..., n) with n >= 1")
    need(bool(((p >= 0) & (p <= 1)).all()), "p", f"shape {p.shape} and entries outside [0, 1]",
         "probabilities of shape (..., n)")
    wide = p.astype(np.result_type(p, np.float32))
    need(bool((abs(wide.sum(axis=-1) - 1) <= math.sqrt(np.finfo(p.dtype).eps)).all()), "p",
         f"shape {p.shape} and a row that does not sum to one", "probabilities (..., n), each row summing to one")
    with np.errstate(**QUIET):
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
    z = floats("z", z, "(n,)", 1, exact=True).astype(np.float64)
    need(z.size > 0, "z", f"shape {z.shape}", "shape (n,) with n >= 1")
    h = number("h", h, "a positive finite number")
    need(h > 0 and bool((z + h > z - h).all()), "h", f"value {h}",
         f"a positive step that changes z of shape {z.shape}")
    columns = []
    for e in np.eye(z.size):
        up, down = (floats("f(z)", f(z + step * e), "(m,)", 1, exact=True).astype(np.float64) for step in (h, -h))
        first = columns[0] if columns else up
        need(up.shape == down.shape == first.shape, "f(z)", f"shapes {up.shape}, {down.shape}",
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
    need(len(triples) > 0, "heads", "0 triples", "h >= 1 triples (Wq, Wk, Wv)")
    run = []
    for i, triple in enumerate(triples):
        try:
            run.append(attention(X, *triple, mask=mask))
        except (TypeError, ValueError) as error:
            raise type(error)(f"heads[{i}]: {error}") from error
    concat = np.concatenate([head.output for head in run], axis=-1)
    Wo = floats("Wo", Wo, "(h d_v, d_out)", 2, exact=True)
    need(Wo.shape[0] == concat.shape[-1], "Wo", f"shape {Wo.shape}",
         f"shape ({concat.shape[-1]}, d_out) for heads joined to shape {concat.shape}")
    with np.errstate(**QUIET):
        output = concat @ Wo
    need(bool(np.isfinite(output).all()), "Wo", f"shape {Wo.shape} and a product that overflows", "a finite mix")
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
    draws = whole("draws", draws, "an integer >= 2", 2)
    if not np.iterable(widths):
        raise TypeError(f"widths has type {type(widths).__name__}; it needs a sequence of integers >= 1")
    rows = []
    for d_k in [whole("widths", d, "integers >= 1", 1) for d in widths]:
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
    u = floats("u", u, "(d,)", 1, exact=True)
    v = floats("v", v, "(d,)", 1, exact=True)
    need(u.shape == v.shape, "v", f"shape {v.shape}", f"shape {u.shape}, that of u")
    units = []
    with np.errstate(**QUIET):
        for name, a in (("u", u), ("v", v)):
            a = a.astype(np.float64)
            need(bool(a.any()), name, f"shape {a.shape} and no entry but 0", "a vector (d,) with a direction")
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
    keys = floats("keys", keys, "(n, d)", 2, exact=True)
    values = floats("values", values, "(n, d_v)", 2, exact=True)
    need(min(keys.shape) > 0, "keys", f"shape {keys.shape}", "shape (n, d) with n >= 1 and d >= 1")
    need(len(values) == len(keys), "values", f"shape {values.shape}",
         f"shape ({len(keys)}, d_v) for keys of shape {keys.shape}")
    slot = whole("slot", slot, f"an integer from 0 to {len(keys) - 1}", 0, len(keys) - 1)
    need(bool(values[slot].any()), "values", f"shape {values.shape} and only zeros in slot {slot}", "a nonzero value")
    with np.errstate(**QUIET):
        q = (number("c", c, "a finite number") * keys[slot]).astype(keys.dtype)
    need(bool(np.isfinite(q).all()), "c", f"value {c} and a product with a key that overflows", "a smaller number")
    row = scaled_dot_product_attention(q[None], keys, values, scale=1.0)
    need(bool(row.output.any()), "values", f"shape {values.shape} and an average of zero", "others, of shape (n, d_v)")
    return Retrieval(row.weights[0], row.output[0], cosine(row.output[0], values[slot]))


def closed_form_weight(c: float | np.ndarray, n: int, rho: float = 0.0) -> float | np.ndarray:
    """The weight of the slot asked for, when any two of the n unit keys have the same cosine.

    Parameters: c, the sharpness, a number or an array; n, the slots, an integer >= 1; rho, the cosine between two
    keys, -1/(n-1) <= rho <= 1, and 0 for orthonormal ones.
    Returns: a float, or an array of c's shape.
    Raises: TypeError or ValueError for c or rho not real and finite, n out of range, or a rho n vectors cannot have.
    Formula: e^c / (e^c + (n-1) e^(rho c)) = 1 / (1 + (n-1) e^(-c (1-rho))) (notebook 06).
    """
    c = floats("c", c, "() or (...)", 0).astype(np.float64)
    n = whole("n", n, "an integer >= 1", 1)
    rho = number("rho", rho, "a number from -1/(n-1) to 1")
    lowest = -1 / (n - 1) if n > 1 else -1
    need(lowest <= rho <= 1, "rho", f"value {rho}", f"a number from {lowest:.6g} to 1 for n = {n}")
    if n == 1:
        return np.ones_like(c)[()]
    with np.errstate(**QUIET):  # a weight beyond the range is 0
        return 1 / (1 + (n - 1) * np.exp(-c * (1 - rho)))
