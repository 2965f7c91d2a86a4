"""What stands around the formulas of `attention_core`: what counts as good input, in which dtype it is worked, and which
of NumPy's flags are heeded. One line a check, one wording for all messages.

A message names the argument, what it has and what it needs. A wrong kind of thing is a TypeError, a wrong shape or
value a ValueError.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

import numpy as np

P = ParamSpec("P")
R = TypeVar("R")


def quiet(formula: Callable[P, R]) -> Callable[P, R]:
    """Run ``formula`` past NumPy's floating-point flags, whatever NumPy is set to do with them.

    An overflow is reported here, by name; an underflow is the 0 that is meant; and some BLAS libraries raise flags, "divide
    by zero" among them, in products where nothing went wrong.
    """

    @wraps(formula)
    def unflagged(*args: P.args, **kwargs: P.kwargs) -> R:
        with np.errstate(all="ignore"):
            return formula(*args, **kwargs)

    return unflagged


# --- single arguments ------------------------------------------------------------------------------------------------


def need(ok: bool, name: str, has: object, needs: str) -> None:
    """Raise the ValueError that says what ``name`` has and needs, unless ``ok``."""
    if not ok:
        raise ValueError(f"{name} has {has}; it needs {needs}")


def refuse_masks(name: str, value: object) -> None:
    """Raise for a masked array, alone or in a list: NumPy's functions would read what its mask hides."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(
            f"{name} is a masked array of shape {value.shape}; it needs an array without a mask (fill or compress it first)"
        )
    if isinstance(value, (list, tuple)):
        for part in value:
            refuse_masks(name, part)


def array(name: str, value: Any, needs: str) -> np.ndarray:
    """``value`` as an array of any kind."""
    refuse_masks(name, value)
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
        need(
            bool(np.isfinite(a).all()),
            name,
            f"shape {a.shape} and entries that are NaN or infinite",
            f"finite numbers of shape {needs}",
        )
    return a


def finite_number(name: str, value: object, needs: str) -> float:
    """``value`` as a finite Python float."""
    return float(floats(name, value, f"() with {needs}", 0, exact=True))


def integer_between(name: str, value: Any, needs: str, low: int, high: float = math.inf) -> int:
    """``value`` as a Python int with low <= value <= high."""
    refuse_masks(name, value)
    try:
        n = operator.index(value)
    except TypeError as error:
        raise TypeError(f"{name} has type {type(value).__name__}; it needs {needs}") from error
    need(low <= n <= high, name, f"value {n}", needs)
    return n


def work(*arrays: np.ndarray) -> np.dtype:
    """The dtype in which sums over these are worked: their widest, but float32 for float16."""
    return np.result_type(*arrays, np.float32)


# --- the arguments of one function -----------------------------------------------------------------------------------


def logits(z: object, axis: object) -> tuple[np.ndarray, int, np.dtype]:
    """``z`` with a finite largest entry along ``axis``, in its working dtype, that axis, and the dtype of its weights."""
    z = floats("z", z, "(..., n, ...) with n >= 1", 1, finite=False)
    low, high = -z.ndim, z.ndim - 1
    axis = integer_between("axis", axis, f"an integer from {low} to {high} for z of shape {z.shape}", low, high)
    need(z.shape[axis] > 0, "z", f"shape {z.shape} with no entry along axis {axis}", "n >= 1 entries there")
    top = z.max(axis=axis)  # NaN or +inf where any entry is, and -inf where all are
    if not np.isfinite(top).all():
        need(
            bool(np.isneginf(top[~np.isfinite(top)]).all()),
            "z",
            f"shape {z.shape} and NaN or +inf logits",
            "logits (..., n, ...) that are finite or -inf",
        )
        need(False, "z", f"shape {z.shape} and a row of -inf along axis {axis}", "a finite logit in every row of (..., n, ...)")
    return np.asarray(z, work(z)), axis, z.dtype


class Lookup(NamedTuple):
    """What a lookup is worked with: Q, K, V and scale in one dtype, ``mask`` of ``shape``, which is (..., m, n) after
    broadcasting, and ``kind``, the dtype of its results."""

    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray
    mask: np.ndarray | None
    scale: float
    shape: tuple[int, ...]
    kind: np.dtype


def lookup(Q: object, K: object, V: object, mask: object, scale: object) -> Lookup:
    """Check what `scaled_dot_product_attention` and `blocked_attention` are given."""
    Q = floats("Q", Q, "(..., m, d_k)", 2)
    K = floats("K", K, "(..., n, d_k)", 2)
    V = floats("V", V, "(..., n, d_v)", 2)
    d_k, n = Q.shape[-1], K.shape[-2]
    need(d_k > 0, "Q", f"shape {Q.shape}", "shape (..., m, d_k) with d_k >= 1")
    need(K.shape[-1] == d_k, "K", f"shape {K.shape}", f"shape (..., n, {d_k}) for Q of shape {Q.shape}")
    need(n > 0, "K", f"shape {K.shape}", "shape (..., n, d_k) with n >= 1 keys")
    need(V.shape[-2] == n, "V", f"shape {V.shape}", f"shape (..., {n}, d_v) for K of shape {K.shape}")
    return ready(Q, K, V, mask, scale)


def ready(Q: np.ndarray, K: np.ndarray, V: np.ndarray, mask: object, scale: object = None) -> Lookup:
    """Make a lookup of checked queries, keys and values."""
    d_k, n = Q.shape[-1], K.shape[-2]
    try:
        shape = (*np.broadcast_shapes(Q.shape[:-2], K.shape[:-2], V.shape[:-2]), Q.shape[-2], n)
    except ValueError as error:
        raise ValueError(
            f"Q, K, V have shapes {Q.shape}, {K.shape}, {V.shape}; they need batch dimensions that "
            "broadcast in (..., m, d_k), (..., n, d_k), (..., n, d_v)"
        ) from error
    scale = 1 / math.sqrt(d_k) if scale is None else finite_number("scale", scale, "a positive finite number")
    need(scale > 0, "scale", f"value {scale}", "a positive finite number")
    if mask is not None:
        mask = array("mask", mask, f"that broadcasts to {shape}")
        if mask.dtype != np.bool_:
            raise TypeError(
                f"mask has dtype {mask.dtype} and shape {mask.shape}; it needs booleans (True = may attend) that "
                f"broadcast to shape {shape}"
            )
        try:
            mask = np.broadcast_to(mask, shape)
        except ValueError as error:
            raise ValueError(f"mask has shape {mask.shape}; it needs a shape that broadcasts to {shape}") from error
    kind, sums = np.result_type(Q, K, V), work(Q, K, V)
    Q, K, V = (np.asarray(a, sums) for a in (Q, K, V))
    return Lookup(Q, K, V, mask, sums.type(scale), shape, kind)


def block_sizes(block: Any) -> tuple[int, int]:
    """The rows and columns of a block."""
    needs = "two integers >= 1, (rows, columns)"
    pair = list(block) if np.iterable(block) else [block]
    need(len(pair) == 2, "block", f"{len(pair)} entries", needs)
    return integer_between("block", pair[0], needs, 1), integer_between("block", pair[1], needs, 1)


def room_for_exponentials(V: np.ndarray, step: int) -> Callable[[float], bool]:
    """Make the test of a bound B on the size of scores: whether all of e^s, e^s v and their sums are floats of full precision.

    Of the values v only those that are not 0 count; they are gone through ``step`` at a time.
    """
    limits = np.finfo(V.dtype)
    least = most = V.dtype.type(1)  # the exponentials alone are summed too
    for j in range(0, V.shape[-2], step):
        sizes = abs(V[..., j : j + step, :])
        most = max(most, sizes.max(initial=0))
        least = min(least, sizes.min(initial=1) or sizes.min(initial=1, where=sizes > 0))  # without a condition it is faster
    lowest, highest = np.log(limits.tiny) - np.log(least), np.log(limits.max) - np.log(most) - np.log(V.shape[-2])
    return lambda B: bool(B <= min(-lowest, highest) - 1)  # a factor e is left for the rounding of scores and bound


def features(X: object, Wq: object, Wk: object, Wv: object) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Check what `attention` is given."""
    X = floats("X", X, "(..., n, d)", 2)
    need(X.shape[-2] > 0, "X", f"shape {X.shape}", "shape (..., n, d) with n >= 1")
    d = X.shape[-1]
    Wq, Wk, Wv = (floats(name, W, f"({d}, width)", 2, exact=True) for name, W in (("Wq", Wq), ("Wk", Wk), ("Wv", Wv)))
    for name, W in (("Wq", Wq), ("Wk", Wk), ("Wv", Wv)):
        need(
            W.shape[0] == d and W.shape[1] > 0,
            name,
            f"shape {W.shape}",
            f"shape ({d}, width) with width >= 1 for X of shape {X.shape}",
        )
    need(Wk.shape == Wq.shape, "Wk", f"shape {Wk.shape}", f"shape {Wq.shape}, that of Wq")
    return X, Wq, Wk, Wv


def loss_derivative(name: str, given: object, shape: tuple[int, ...]) -> np.ndarray:
    """What a loss says of an array of this shape; None is 0."""
    given = np.zeros(shape) if given is None else floats(name, given, f"{shape}", 2, exact=True)
    need(given.shape == shape, name, f"shape {given.shape}", f"shape {shape}")
    return given


def probabilities(p: object) -> np.ndarray:
    """Rows of numbers from 0 to 1, each summing to one within half the digits of its dtype."""
    p = floats("p", p, "(..., n) with n >= 1", 1)
    need(p.shape[-1] > 0, "p", f"shape {p.shape}", "shape (..., n) with n >= 1")
    need(bool(((p >= 0) & (p <= 1)).all()), "p", f"shape {p.shape} and entries outside [0, 1]", "probabilities of shape (..., n)")
    off = abs(p.sum(axis=-1, dtype=work(p)) - 1)
    need(
        bool((off <= math.sqrt(np.finfo(p.dtype).eps)).all()),
        "p",
        f"shape {p.shape} and a row that does not sum to one",
        "probabilities (..., n), each row summing to one",
    )
    return p


def place_and_step(f: object, z: object, h: object) -> tuple[np.ndarray, float]:
    """Where to take a derivative of ``f``, and the step."""
    if not callable(f):
        raise TypeError(f"f has type {type(f).__name__}; it needs a function of an array of shape (n,)")
    z = floats("z", z, "(n,)", 1, exact=True).astype(np.float64)
    need(z.size > 0, "z", f"shape {z.shape}", "shape (n,) with n >= 1")
    h = finite_number("h", h, "a positive finite number")
    need(h > 0 and bool((z + h > z - h).all()), "h", f"value {h}", f"a positive step that changes z of shape {z.shape}")
    return z, h


def triples(heads: Any) -> list[tuple[Any, Any, Any]]:
    """The projections of each head."""
    try:
        heads = [(Wq, Wk, Wv) for Wq, Wk, Wv in heads]
    except (TypeError, ValueError) as error:
        raise type(error)(
            f"heads is no sequence of h triples (Wq, Wk, Wv) of shapes (d, d_k), (d, d_k), (d, d_v): {error}"
        ) from error
    need(len(heads) > 0, "heads", "0 triples", "h >= 1 triples (Wq, Wk, Wv)")
    return heads


@contextmanager
def about(what: str) -> Iterator[None]:
    """Put ``what`` in front of what bad input is told."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise type(error)(f"{what}: {error}") from error


def mix(Wo: object, concat: np.ndarray) -> np.ndarray:
    """The matrix that mixes joined heads."""
    Wo = floats("Wo", Wo, "(h d_v, d_out)", 2, exact=True)
    need(
        Wo.shape[0] == concat.shape[-1],
        "Wo",
        f"shape {Wo.shape}",
        f"shape ({concat.shape[-1]}, d_out) for heads joined to shape {concat.shape}",
    )
    return Wo


def experiment(rng: object, widths: Any, draws: object) -> tuple[list[int], int]:
    """The widths and the number of draws from a generator."""
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng has type {type(rng).__name__}; it needs a numpy.random.Generator")
    draws = integer_between("draws", draws, "an integer >= 2", 2)
    refuse_masks("widths", widths)
    if not np.iterable(widths):
        raise TypeError(f"widths has type {type(widths).__name__}; it needs a sequence of integers >= 1")
    return [integer_between("widths", d, "integers >= 1", 1) for d in widths], draws


def directions(u: object, v: object) -> list[np.ndarray]:
    """Two vectors of one length, each divided by its largest entry: so neither 1e300 nor 1e-300 is lost when squared."""
    u = floats("u", u, "(d,)", 1, exact=True)
    v = floats("v", v, "(d,)", 1, exact=True)
    need(u.shape == v.shape, "v", f"shape {v.shape}", f"shape {u.shape}, that of u")
    for name, a in (("u", u), ("v", v)):
        need(bool(a.any()), name, f"shape {a.shape} and no entry but 0", "a vector (d,) with a direction")
    return [a / abs(a).max() for a in (u.astype(np.float64), v.astype(np.float64))]


def slots(keys: object, values: object, slot: object) -> tuple[np.ndarray, np.ndarray, int]:
    """Check what `retrieve` is asked of."""
    keys = floats("keys", keys, "(n, d)", 2, exact=True)
    values = floats("values", values, "(n, d_v)", 2, exact=True)
    need(min(keys.shape) > 0, "keys", f"shape {keys.shape}", "shape (n, d) with n >= 1 and d >= 1")
    need(len(values) == len(keys), "values", f"shape {values.shape}", f"shape ({len(keys)}, d_v) for keys of shape {keys.shape}")
    slot = integer_between("slot", slot, f"an integer from 0 to {len(keys) - 1}", 0, len(keys) - 1)
    need(bool(values[slot].any()), "values", f"shape {values.shape} and only zeros in slot {slot}", "a nonzero value")
    return keys, values, slot


def equal_cosines(c: object, n: object, rho: object) -> tuple[np.ndarray, int, float]:
    """A sharpness, a number of unit keys, and a cosine that any two of them can have."""
    c = floats("c", c, "() or (...)", 0).astype(np.float64)
    n = integer_between("n", n, "an integer >= 1", 1)
    rho = finite_number("rho", rho, "a number from -1/(n-1) to 1")
    lowest = -1 / (n - 1) if n > 1 else -1
    need(lowest <= rho <= 1, "rho", f"value {rho}", f"a number from {lowest:.6g} to 1 for n = {n}")
    return c, n, rho


# --- results ---------------------------------------------------------------------------------------------------------


def finite_scores(S: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """``S``, scores or the largest of each row of scores of this shape, unless one overflowed."""
    if not np.isfinite(S).all():  # asked of every block, where to put the words together would take longer than to check
        need(
            False,
            "Q K^T",
            f"scores of shape {shape} that overflow {S.dtype}",
            "finite scores (..., m, n) of Q (..., m, d_k) and K (..., n, d_k)",
        )
    return S


def finite_output(output: np.ndarray, V: np.ndarray, kind: np.dtype) -> np.ndarray:
    """``output`` as ``kind``, unless an average of values overflowed."""
    output = np.asarray(output, kind)
    need(
        bool(np.isfinite(output).all()),
        "V",
        f"shape {V.shape} and entries whose average overflows {kind}",
        "smaller entries (..., n, d_v)",
    )
    return output


def finite_projections(X: np.ndarray, matrices: Sequence[np.ndarray], projections: Sequence[np.ndarray]) -> None:
    """Raise where a product of X with Wq, Wk or Wv overflowed."""
    for name, W, XW in zip(("Wq", "Wk", "Wv"), matrices, projections):
        need(
            bool(np.isfinite(XW).all()),
            name,
            f"shape {W.shape} and a product with X that overflows",
            f"finite X {name} for X of shape {X.shape}",
        )
