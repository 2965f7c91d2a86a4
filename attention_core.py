"""Attention in NumPy: a soft dictionary whose limit is exact lookup.

Every function here is pure, every quantity is dimensionless, and a body is its formula: what counts as good input, and in
which dtype it is worked, stands in `attention_checks`. The order is the chapter's: the softmax, one head, the same lookup
in blocks, its gradients, the Jacobian, several heads, and the two experiments that say when a head behaves (the variance of
a dot product and the retrieval limit). Shapes are written as in the papers: m queries, n keys, key width d_k, value width
d_v; a leading ``...`` stands for any batch dimensions, and these broadcast. Bad input is a TypeError where it is of the wrong
kind (not real, masked, not boolean) and a ValueError where its shape or a value does not fit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attention_checks import (
    Lookup,
    about,
    block_sizes,
    directions,
    equal_cosines,
    experiment,
    features,
    finite_number,
    finite_output,
    finite_projections,
    finite_scores,
    floats,
    logits,
    lookup,
    loss_derivative,
    mix,
    need,
    place_and_step,
    probabilities,
    quiet,
    ready,
    room_for_exponentials,
    slots,
    triples,
    work,
)

__all__ = [
    "Attention",
    "DotProducts",
    "Gradients",
    "MultiHead",
    "Retrieval",
    "attention",
    "attention_gradients",
    "blocked_attention",
    "central_difference_jacobian",
    "closed_form_weight",
    "cosine",
    "dot_product_variance",
    "multi_head_attention",
    "retrieve",
    "scaled_dot_product_attention",
    "softmax",
    "softmax_jacobian",
    "sparsemax",
]


# --- the softmax -----------------------------------------------------------------------------------------------------


@quiet
def softmax(z: ArrayLike, axis: int = -1) -> np.ndarray:
    r"""Turn logits into nonnegative weights that sum to one along an axis.

    Parameters
    ----------
    z : array_like, shape (..., n, ...)
        Logits, where -inf gives the weight 0.
    axis : int
        The one that is normalised.

    Returns
    -------
    ndarray, shape (..., n, ...)
        Weights. Floats keep their dtype (float16 is summed in float32); other numbers give float64.

    Raises
    ------
    TypeError
        For z not real or axis no integer.
    ValueError
        For no such axis, an empty one, a NaN or +inf logit, or a row of nothing but -inf.

    Notes
    -----
    The shift cancels top and bottom and keeps every exponent at most zero, so that no logit overflows (notebook 05):

    .. math:: p_i = \frac{e^{z_i - \max_k z_k}}{\sum_j e^{z_j - \max_k z_k}}

    Examples
    --------
    >>> softmax([1000.0, 1000.0])
    array([0.5, 0.5])
    """
    z, axis, kind = logits(z, axis)
    e = np.exp(z - z.max(axis=axis, keepdims=True))
    return np.asarray(e / e.sum(axis=axis, keepdims=True), kind)


@quiet
def sparsemax(z: ArrayLike, axis: int = -1) -> np.ndarray:
    r"""Turn logits into the nearest weights that sum to one along an axis; low logits get exactly zero.

    Parameters
    ----------
    z : array_like, shape (..., n, ...)
        Logits, where -inf gives the weight 0.
    axis : int
        The one that is normalised.

    Returns
    -------
    ndarray, shape (..., n, ...)
        Weights, in a dtype as of `softmax`.

    Raises
    ------
    TypeError, ValueError
        As `softmax`.

    Notes
    -----
    The point of the simplex at the smallest distance from z (Martins and Astudillo, 2016; notebook 06b). One threshold is taken
    from every logit, and it is the one that leaves a sum of one. The largest k logits stay positive if 1 plus k times the
    least of them exceeds their sum:

    .. math:: p_i = \max(z_i - \tau, 0), \qquad \sum_i p_i = 1

    Examples
    --------
    >>> sparsemax([1.0, 0.0, 0.0]), sparsemax([0.5, 0.0, 0.0])
    (array([1., 0., 0.]), array([0.66666667, 0.16666667, 0.16666667]))
    """
    z, axis, kind = logits(z, axis)
    gaps: np.ndarray = np.moveaxis(z - z.max(axis=axis, keepdims=True), axis, -1)  # a shift changes nothing but the threshold
    ranked = -np.sort(-gaps, axis=-1)
    total = ranked.cumsum(axis=-1)
    k = (1 + np.arange(1, gaps.shape[-1] + 1, dtype=gaps.dtype) * ranked > total).sum(axis=-1, keepdims=True)
    tau = (np.take_along_axis(total, k - 1, axis=-1) - 1) / k.astype(gaps.dtype)
    return np.asarray(np.moveaxis(np.maximum(gaps - tau, 0), -1, axis), kind)


# --- one head --------------------------------------------------------------------------------------------------------


class Attention(NamedTuple):
    r"""The stages of one head: q.k, the same times the scale, their softmax, the blend of values.

    Attributes
    ----------
    raw : ndarray, shape (..., m, n)
        The scores :math:`Q K^\top`.
    scaled : ndarray, shape (..., m, n)
        The same, over :math:`\sqrt{d_k}`.
    weights : ndarray, shape (..., m, n)
        :math:`A`, each row a distribution over the keys.
    output : ndarray, shape (..., m, d_v)
        :math:`O = A V`.
    """

    raw: np.ndarray
    scaled: np.ndarray
    weights: np.ndarray
    output: np.ndarray


def _weights(scores: np.ndarray, mask: np.ndarray | None) -> np.ndarray:
    """Each row's softmax over the keys that the mask allows; 0 where it allows none."""
    if mask is None:
        return softmax(scores)
    some = mask.any(axis=-1, keepdims=True)
    # A row without a key is asked as if it had all, and its weights are taken away.
    return softmax(np.where(mask | ~some, scores, scores.dtype.type(-np.inf))) * some


@quiet
def _head(look: Lookup) -> Attention:
    """Let checked queries read checked slots."""
    Q, K, V, mask, scale, shape, kind = look
    raw = Q @ np.swapaxes(K, -1, -2)
    scaled = finite_scores(raw * scale, raw.shape)
    A = _weights(scaled, mask)
    return Attention(raw, scaled, np.broadcast_to(A, shape).astype(kind), finite_output(A @ V, V, kind))


def scaled_dot_product_attention(
    Q: ArrayLike, K: ArrayLike, V: ArrayLike, *, mask: ArrayLike | None = None, scale: float | None = None
) -> Attention:
    r"""Look m queries up in a soft dictionary of n slots.

    Parameters
    ----------
    Q : array_like, shape (..., m, d_k)
        Queries, finite.
    K : array_like, shape (..., n, d_k)
        Keys, finite.
    V : array_like, shape (..., n, d_v)
        Values, finite.
    mask : array_like of bool, broadcasting to (..., m, n)
        True where the query may attend to the key.
    scale : float
        What multiplies the scores: positive, its inverse is the temperature, :math:`1/\sqrt{d_k}` by default.

    Returns
    -------
    Attention
        A row that may attend to nothing has weights 0 and output 0: there is no distribution over an empty set, and 0 is
        the sum over it. For float16 input, raw and scaled are float32.

    Raises
    ------
    TypeError
        For Q, K, V or scale not real or mask not boolean.
    ValueError
        For shapes that do not fit, no key, d_k = 0, entries that are not finite, scores that overflow, or scale <= 0.

    Notes
    -----
    .. math:: A = \mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right), \qquad O = A V

    References
    ----------
    Vaswani et al. (2017), section 3.2.1.

    Examples
    --------
    >>> scaled_dot_product_attention([[1000, 0]], [[1, 0], [0, 1]], [[5], [7]]).output
    array([[5.]])
    """
    return _head(lookup(Q, K, V, mask, scale))


def _lengths(rows: np.ndarray) -> np.ndarray:
    """The length of each row; infinite where its square overflows."""
    return np.sqrt(np.einsum("...i,...i->...", rows, rows))


@quiet
def blocked_attention(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    scale: float | None = None,
    block: tuple[int, int] = (512, 512),
) -> np.ndarray:
    r"""Look the same up without ever holding the m x n weights: memory grows with m + n.

    Parameters
    ----------
    Q, K, V, mask : array_like
        As in `scaled_dot_product_attention`.
    scale : float
        As there.
    block : tuple of two int
        How many queries and how many keys are compared at a time, both >= 1.

    Returns
    -------
    ndarray, shape (..., m, d_v)
        The output alone, equal to that of `scaled_dot_product_attention` up to rounding.

    Raises
    ------
    TypeError, ValueError
        As `scaled_dot_product_attention`, or for block; ValueError for V also where the blend overflows before it is
        divided, that is, with values within a factor n of the largest float.

    Notes
    -----
    Each row keeps its largest score a, the sum l of its exponentials and their blend u of values. A block of scores s takes
    them to b, l' and u' (the next a, l and u); in the end o = u / l.

    .. math:: b = \max(a, \max_j s_j), \qquad l' = e^{a - b}\, l + \sum_j e^{s_j - b}, \qquad
        \mathbf{u}' = e^{a - b}\, \mathbf{u} + \sum_j e^{s_j - b}\, \mathbf{v}_j

    The maximum is there to keep exponentials within the range of floats. Cauchy and Schwarz bound every score before any is
    computed. Where that bound leaves room for every product of an exponential and a value, a block of queries goes without a
    maximum (a = b = 0), and nothing is ever scaled anew.

    .. math:: \mathbf{q}_i \cdot \mathbf{k}_j \le \lVert\mathbf{q}_i\rVert\, \max_j \lVert\mathbf{k}_j\rVert

    References
    ----------
    Milakov and Gimelshein (2018), algorithm 3; Dao et al. (2022), algorithm 1.

    Examples
    --------
    >>> blocked_attention([[1000, 0]], [[1, 0], [0, 1]], [[5], [7]], block=(1, 1))
    array([[5.]])
    """
    Q, K, V, mask, scale, shape, kind = lookup(Q, K, V, mask, scale)
    rows, columns = block_sizes(block)
    O = np.empty((*shape[:-1], V.shape[-1]), kind)
    batch = np.broadcast_shapes(Q.shape[:-2], K.shape[:-2])
    scores = np.empty((*batch, min(rows, shape[-2]), min(columns, shape[-1])), Q.dtype)  # of every block, one after the other
    fits = room_for_exponentials(V, columns)
    longest = _lengths(K).max(initial=0)
    for i in range(0, shape[-2], rows):
        q = Q[..., i : i + rows, :] * scale
        a, l, u = np.finfo(q.dtype).min, 0, 0
        needs_maximum = not fits(_lengths(q).max(initial=0) * longest)
        for j in range(0, shape[-1], columns):
            k, v = K[..., j : j + columns, :], V[..., j : j + columns, :]
            S = np.matmul(q, np.swapaxes(k, -1, -2), out=scores[..., : q.shape[-2], : k.shape[-2]])
            if needs_maximum:
                finite_scores(S.max(axis=-1, keepdims=True), S.shape)
            if mask is not None:
                S = np.where(mask[..., i : i + rows, j : j + columns], S, q.dtype.type(-np.inf))
            fade = 1
            if needs_maximum:
                b = np.maximum(a, S.max(axis=-1, keepdims=True))
                S -= b
                fade, a = np.exp(a - b), b
            np.exp(S, out=S)
            l = l * fade + S @ np.ones((S.shape[-1], 1), S.dtype)  # a sum, and faster than S.sum
            u = u * fade + S @ v
        O[..., i : i + rows, :] = u / np.where(l > 0, l, 1)  # 0 for a row that has met no key
    return finite_output(O, V, kind)


def _project(X: np.ndarray, Wq: np.ndarray, Wk: np.ndarray, Wv: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Queries, keys and values of checked rows."""
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    finite_projections(X, (Wq, Wk, Wv), (Q, K, V))
    return Q, K, V


@quiet
def attention(X: ArrayLike, Wq: ArrayLike, Wk: ArrayLike, Wv: ArrayLike, *, mask: ArrayLike | None = None) -> Attention:
    r"""Let the rows of X look one another up: one head of self-attention.

    Parameters
    ----------
    X : array_like, shape (..., n, d)
        One feature row per element.
    Wq, Wk : array_like, shape (d, d_k)
        The projections into query and key space.
    Wv : array_like, shape (d, d_v)
        The projection into value space.
    mask : array_like of bool, broadcasting to (..., n, n)
        True where a row may attend to a column.

    Returns
    -------
    Attention
        With weights (..., n, n) and output (..., n, d_v).

    Raises
    ------
    TypeError, ValueError
        As `scaled_dot_product_attention`, naming X, Wq, Wk or Wv.

    Notes
    -----
    .. math:: Q = X W_q, \qquad K = X W_k, \qquad V = X W_v

    References
    ----------
    Vaswani et al. (2017), section 3.2.

    Examples
    --------
    >>> I = np.eye(2)
    >>> attention(1000 * I, I, I, I).weights
    array([[1., 0.],
           [0., 1.]])
    """
    Q, K, V = _project(*features(X, Wq, Wk, Wv))
    return _head(ready(Q, K, V, mask))


class Gradients(NamedTuple):
    """The derivatives of a loss with respect to the four arguments of `attention`.

    Attributes
    ----------
    dWq, dWk : ndarray, shape (d, d_k)
        With respect to the projections into query and key space.
    dWv : ndarray, shape (d, d_v)
        With respect to the projection into value space.
    dX : ndarray, shape (n, d)
        With respect to the rows.
    """

    dWq: np.ndarray
    dWk: np.ndarray
    dWv: np.ndarray
    dX: np.ndarray


@quiet
def attention_gradients(
    X: ArrayLike,
    Wq: ArrayLike,
    Wk: ArrayLike,
    Wv: ArrayLike,
    *,
    dO: ArrayLike | None = None,
    dA: ArrayLike | None = None,
    mask: ArrayLike | None = None,
) -> Gradients:
    r"""Go one head backwards: from what a loss says of its output, or of its weights, to its arguments.

    Parameters
    ----------
    X, Wq, Wk, Wv : array_like
        As in `attention`, without batch dimensions.
    dO : array_like, shape (n, d_v)
        The derivative of the loss with respect to the output; None means 0.
    dA : array_like, shape (n, n)
        The derivative with respect to the weights, where the loss looks at them directly; None means 0.
    mask : array_like of bool
        As in `attention`.

    Returns
    -------
    Gradients
        Each of its argument's shape, of float32 where all input is float16.

    Raises
    ------
    TypeError, ValueError
        As `attention`; for dO or dA of the wrong kind or shape, or gradients that overflow.

    Notes
    -----
    With :math:`D_M` for the derivative of the loss with respect to :math:`M`, and :math:`S` for the scaled scores (notebook 07a):

    .. math:: D_V = A^\top D_O, \qquad G = D_O V^\top + D_A, \qquad
        (D_S)_{ij} = A_{ij} \left(G_{ij} - \sum_l A_{il} G_{il}\right)
    .. math:: D_Q = \frac{D_S K}{\sqrt{d_k}}, \qquad D_K = \frac{D_S^\top Q}{\sqrt{d_k}}
    .. math:: D_{W_q} = X^\top D_Q, \qquad D_{W_k} = X^\top D_K, \qquad D_{W_v} = X^\top D_V, \qquad
        D_X = D_Q W_q^\top + D_K W_k^\top + D_V W_v^\top

    Examples
    --------
    >>> I = np.eye(2)
    >>> attention_gradients(1000 * I, I, I, I, dO=I).dX  # where the weights are sure, only the value moves
    array([[1., 0.],
           [0., 1.]])
    """
    X, Wq, Wk, Wv = features(X, Wq, Wk, Wv)
    Q, K, V = _project(X, Wq, Wk, Wv)
    need(X.ndim == 2, "X", f"shape {X.shape}", "shape (n, d)")
    A = _head(ready(Q, K, V, mask)).weights
    dO, dA = loss_derivative("dO", dO, V.shape), loss_derivative("dA", dA, A.shape)
    dO, dA, X, Wq, Wk, Wv, Q, K, V, A = (np.asarray(a, work(A)) for a in (dO, dA, X, Wq, Wk, Wv, Q, K, V, A))
    G = dO @ V.T + dA
    dS = A * (G - (A * G).sum(axis=1, keepdims=True)) / A.dtype.type(math.sqrt(Q.shape[1]))
    dQ, dK, dV = dS @ K, dS.T @ Q, A.T @ dO
    found = Gradients(X.T @ dQ, X.T @ dK, X.T @ dV, dQ @ Wq.T + dK @ Wk.T + dV @ Wv.T)
    need(
        all(bool(np.isfinite(a).all()) for a in found),
        "dO, dA",
        f"shapes {dO.shape}, {dA.shape} and gradients that overflow",
        "smaller entries",
    )
    return found


# --- the softmax Jacobian --------------------------------------------------------------------------------------------


@quiet
def softmax_jacobian(p: ArrayLike) -> np.ndarray:
    r"""Write the Jacobian of the softmax in its output.

    Parameters
    ----------
    p : array_like, shape (..., n)
        Probabilities; each row sums to one within half the digits of its dtype.

    Returns
    -------
    ndarray, shape (..., n, n)
        J with J[i, j] = dp_i/dz_j.

    Raises
    ------
    TypeError
        For p not real.
    ValueError
        For no entries, entries outside [0, 1], or a row that does not sum to one.

    Notes
    -----
    By the quotient rule (notebook 05):

    .. math:: J = \mathrm{diag}(\mathbf{p}) - \mathbf{p}\,\mathbf{p}^\top

    Examples
    --------
    >>> softmax_jacobian([0.5, 0.5])
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    """
    p = probabilities(p)
    return np.eye(p.shape[-1], dtype=p.dtype) * p[..., None, :] - p[..., :, None] * p[..., None, :]


def central_difference_jacobian(f: Callable[[np.ndarray], ArrayLike], z: ArrayLike, h: float = 1e-5) -> np.ndarray:
    r"""Estimate a Jacobian by nudging one input at a time, up and down.

    Parameters
    ----------
    f : callable
        A smooth function of an array (n,) that returns an array (m,).
    z : array_like, shape (n,)
        Where to take the derivative.
    h : float
        The step.

    Returns
    -------
    ndarray of float64, shape (m, n)
        J, whose column j says what nudging input j does.

    Raises
    ------
    TypeError
        For f not callable, z or h not real.
    ValueError
        For z not one finite vector, h not positive or too small to change z, or f not finite.

    Notes
    -----
    The truncation error is :math:`\frac{h^2}{6} f^{(3)}`, the rounding error about eps / h (notebook 05):

    .. math:: J_{ij} = \frac{f_i(\mathbf{z} + h\,\mathbf{e}_j) - f_i(\mathbf{z} - h\,\mathbf{e}_j)}{2h}

    Examples
    --------
    >>> central_difference_jacobian(np.square, [1.0, 3.0]).round(6)
    array([[2., 0.],
           [0., 6.]])
    """
    z, h = place_and_step(f, z, h)
    columns = []
    for e in np.eye(z.size):
        up, down = (floats("f(z)", f(z + step * e), "(m,)", 1, exact=True).astype(np.float64) for step in (h, -h))
        first = columns[0] if columns else up
        need(
            up.shape == down.shape == first.shape,
            "f(z)",
            f"shapes {up.shape}, {down.shape}",
            f"one shape (m,) at every z, here {first.shape}",
        )
        columns.append((up - down) / (2 * h))
    return np.stack(columns, axis=-1)


# --- several heads ---------------------------------------------------------------------------------------------------


class MultiHead(NamedTuple):
    """Several heads run side by side.

    Attributes
    ----------
    heads : tuple of Attention
        Each one's stages.
    concat : ndarray, shape (..., n, h d_v)
        Their outputs joined.
    output : ndarray, shape (..., n, d_out)
        The mix of these.
    """

    heads: tuple[Attention, ...]
    concat: np.ndarray
    output: np.ndarray


@quiet
def multi_head_attention(
    X: ArrayLike, heads: Sequence[Sequence[ArrayLike]], Wo: ArrayLike, *, mask: ArrayLike | None = None
) -> MultiHead:
    r"""Run h heads on the same rows, join their outputs, mix them.

    Parameters
    ----------
    X : array_like, shape (..., n, d)
        One feature row per element.
    heads : sequence of h triples (Wq, Wk, Wv)
        The projections of each head, of shapes (d, d_k), (d, d_k), (d, d_v).
    Wo : array_like, shape (h d_v, d_out)
        The output mix.
    mask : array_like of bool, broadcasting to (..., n, n)
        True where a row may attend to a column, the same for every head.

    Returns
    -------
    MultiHead
        The heads, their outputs joined, and the mix.

    Raises
    ------
    TypeError, ValueError
        As `attention`, with the number of the head in front; ValueError for no head or Wo of the wrong shape.

    Notes
    -----
    For two heads (notebook 07):

    .. math:: O_{\text{multi}} = [O_1, O_2]\, W_o

    References
    ----------
    Vaswani et al. (2017), section 3.2.2.

    Examples
    --------
    >>> I = np.eye(2)
    >>> multi_head_attention(1000 * I, [(I, I, I), (I, I, 2 * I)], [[1], [0], [0], [1]]).output
    array([[1000.],
           [2000.]])
    """
    run = []
    for i, triple in enumerate(triples(heads)):
        with about(f"heads[{i}]"):
            run.append(attention(X, *triple, mask=mask))
    concat = np.concatenate([head.output for head in run], axis=-1)
    Wo = mix(Wo, concat)
    output = concat @ Wo
    need(bool(np.isfinite(output).all()), "Wo", f"shape {Wo.shape} and a product that overflows", "a finite mix")
    return MultiHead(tuple(run), concat, output)


# --- experiment: how large is a dot product? -------------------------------------------------------------------------


class DotProducts(NamedTuple):
    """Many dot products of independent standard normal vectors of one width, and how far they spread.

    Attributes
    ----------
    d_k : int
        The width.
    dots : ndarray, shape (draws,)
        The products.
    var : float
        Their population variance.
    ratio : float
        The same over d_k, which the theorem puts at 1.
    """

    d_k: int
    dots: np.ndarray
    var: float
    ratio: float


def dot_product_variance(rng: np.random.Generator, widths: Sequence[int], draws: int) -> tuple[DotProducts, ...]:
    r"""Measure Var(q.k) for standard normal q and k, width by width.

    Parameters
    ----------
    rng : numpy.random.Generator
        Drawn from in the order q then k, for each width in turn.
    widths : sequence of int
        The key widths d_k, each >= 1.
    draws : int
        How many pairs for each width, >= 2.

    Returns
    -------
    tuple of DotProducts
        One per width.

    Raises
    ------
    TypeError, ValueError
        For a wrong kind of rng, or a width or draws out of range.

    Notes
    -----
    For independent components of mean 0 and variance 1 (notebook 04):

    .. math:: \mathrm{Var}(\mathbf{q} \cdot \mathbf{k}) = d_k

    References
    ----------
    Vaswani et al. (2017), footnote 4.

    Examples
    --------
    >>> wide, = dot_product_variance(np.random.default_rng(0), [256], 10_000)
    >>> f"{wide.ratio:.1f}"
    '1.0'
    """
    widths, draws = experiment(rng, widths, draws)
    rows = []
    for d_k in widths:
        q = rng.normal(size=(draws, d_k))
        k = rng.normal(size=(draws, d_k))
        dots = (q * k).sum(axis=1)
        rows.append(DotProducts(d_k, dots, float(dots.var()), float(dots.var()) / d_k))
    return tuple(rows)


# --- experiment: the retrieval limit ---------------------------------------------------------------------------------


@quiet
def cosine(u: ArrayLike, v: ArrayLike) -> float:
    r"""Measure the cosine of the angle between two vectors.

    Parameters
    ----------
    u, v : array_like, shape (d,)
        Both finite and nonzero.

    Returns
    -------
    float
        From -1 to 1.

    Raises
    ------
    TypeError, ValueError
        Where u or v is not such a vector, or their lengths differ.

    Notes
    -----
    .. math:: \cos(\mathbf{u}, \mathbf{v}) = \frac{\mathbf{u} \cdot \mathbf{v}}{\lVert\mathbf{u}\rVert\,\lVert\mathbf{v}\rVert}

    Examples
    --------
    >>> cosine([1, 0], [0, 2])
    0.0
    """
    u, v = directions(u, v)
    return float(np.clip(u / np.linalg.norm(u) @ (v / np.linalg.norm(v)), -1, 1))


class Retrieval(NamedTuple):
    """What a soft dictionary gave back for one query.

    Attributes
    ----------
    weights : ndarray, shape (n,)
        How much of each slot.
    output : ndarray, shape (d_v,)
        Their blend of the values.
    cosine : float
        Between that and the stored value.
    """

    weights: np.ndarray
    output: np.ndarray
    cosine: float


@quiet
def retrieve(keys: ArrayLike, values: ArrayLike, slot: int, c: float) -> Retrieval:
    r"""Ask a soft dictionary for one of its slots, with c times that slot's key as the query.

    Parameters
    ----------
    keys : array_like, shape (n, d)
        One key per slot.
    values : array_like, shape (n, d_v)
        One value per slot.
    slot : int
        From 0 to n - 1.
    c : float
        The sharpness: the logit that the slot gets when its key has unit length.

    Returns
    -------
    Retrieval
        The weights, the output, and its cosine with the stored value.

    Raises
    ------
    TypeError, ValueError
        For arrays of the wrong kind or shape, a slot that is not there, c not finite, or a stored value or output of zero,
        which has no direction.

    Notes
    -----
    There is no further scale; s is the slot (notebook 06):

    .. math:: p_j = \frac{e^{c\, \mathbf{k}_s \cdot \mathbf{k}_j}}{\sum_i e^{c\, \mathbf{k}_s \cdot \mathbf{k}_i}}, \qquad
        \mathbf{o} = \sum_j p_j\, \mathbf{v}_j

    Examples
    --------
    >>> retrieve(np.eye(3), [[5.0], [6.0], [7.0]], 2, 1000).output
    array([7.])
    """
    keys, values, slot = slots(keys, values, slot)
    q = (finite_number("c", c, "a finite number") * keys[slot]).astype(keys.dtype)
    need(bool(np.isfinite(q).all()), "c", f"value {c} and a product with a key that overflows", "a smaller number")
    row = scaled_dot_product_attention(q[None], keys, values, scale=1.0)
    need(bool(row.output.any()), "values", f"shape {values.shape} and an average of zero", "others, of shape (n, d_v)")
    return Retrieval(row.weights[0], row.output[0], cosine(row.output[0], values[slot]))


@quiet
def closed_form_weight(c: ArrayLike, n: int, rho: float = 0.0) -> float | np.ndarray:
    r"""Give the weight of the slot asked for, when any two of the n unit keys have the same cosine.

    Parameters
    ----------
    c : array_like
        The sharpness, a number or an array.
    n : int
        The slots, >= 1.
    rho : float
        The cosine between two keys, -1/(n-1) <= rho <= 1, and 0 for orthonormal ones.

    Returns
    -------
    float or ndarray
        The weight, of c's shape.

    Raises
    ------
    TypeError, ValueError
        For c or rho not real and finite, n out of range, or a rho that n vectors cannot have.

    Notes
    -----
    Notebook 06:

    .. math:: p = \frac{e^c}{e^c + (n-1)\,e^{\rho c}} = \frac{1}{1 + (n-1)\,e^{-c(1-\rho)}}

    Examples
    --------
    >>> closed_form_weight([0.0, 1000.0], 4)
    array([0.25, 1.  ])
    """
    c, n, rho = equal_cosines(c, n, rho)
    if n == 1:
        return np.ones_like(c)[()]
    return 1 / (1 + (n - 1) * np.exp(-c * (1 - rho)))
