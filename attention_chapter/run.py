"""The one seeded run: every random number of the source's figures, drawn once and in one order.

`python -m attention_chapter.run` prints the five blocks of its trace. The notebooks read the same record with `run.draw()`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from attention_core import (
    Attention,
    DotProducts,
    attention,
    central_difference_jacobian,
    dot_product_variance,
    multi_head_attention,
    retrieve,
    softmax,
    softmax_jacobian,
)
from kg import CONCEPTS, ENTITIES, TYPES, index

SEED = 0
D = 8  # feature width d
D_K = 4  # key width d_k, here the value width too
HEADS = 2
BUMP = 0.5  # added where a column belongs to the entity's type
WIDTHS = (4, 64, 256)
DRAWS = 10_000  # query-key pairs per width


@dataclass(frozen=True)
class Run:
    """The draws, in the order they were made.

    Arrays are read-only, and all entries dimensionless.

    Attributes
    ----------
    noise : ndarray, shape (13, 8)
        N(0, 1) / sqrt(8).
    X : ndarray, shape (13, 8)
        The noise and `type_bump()`.
    Wq, Wk, Wv : ndarray, shape (8, 4)
        N(0, 1) as drawn.
    products : tuple of DotProducts
        One for each of `WIDTHS`.
    q_wide : ndarray, shape (256,)
        The saturation query.
    K_wide : ndarray, shape (13, 256)
        The saturation keys.
    z : ndarray, shape (5,)
        The logits of the Jacobian check.
    values : ndarray, shape (4, 4)
        What the retrieval slots store.
    heads : tuple of two triples (Wq, Wk, Wv)
        Each of shape (8, 4), N(0, 1) / sqrt(8).
    Wo : ndarray, shape (8, 8)
        N(0, 1) / sqrt(8).
    """

    noise: np.ndarray
    X: np.ndarray
    Wq: np.ndarray
    Wk: np.ndarray
    Wv: np.ndarray
    products: tuple[DotProducts, ...]
    q_wide: np.ndarray
    K_wide: np.ndarray
    z: np.ndarray
    values: np.ndarray
    heads: tuple[tuple[np.ndarray, np.ndarray, np.ndarray], ...]
    Wo: np.ndarray


def type_bump() -> np.ndarray:
    """Build the part of X that is not noise.

    Returns
    -------
    ndarray, shape (13, 8)
        0.5 in column j where j mod 5 is the number of the entity's type, else 0.

    Examples
    --------
    >>> type_bump()[index("bob")]  # a Professor, which is type 2
    array([0. , 0. , 0.5, 0. , 0. , 0. , 0. , 0.5])
    """
    number = np.array([CONCEPTS.index(TYPES[name]) for name in ENTITIES])
    return BUMP * (np.arange(D) % len(CONCEPTS) == number[:, None])


@cache
def draw() -> Run:
    """Draw everything, in the order that reproduces the published figures.

    Returns
    -------
    Run
        The same record at every call.

    Examples
    --------
    >>> draw().X.shape
    (13, 8)
    """
    rng = np.random.default_rng(SEED)

    def normal(*shape: int) -> np.ndarray:
        a = rng.normal(size=shape)
        a.flags.writeable = False  # one reader's experiment must not change the next one's numbers
        return a

    def shrunk(*shape: int) -> np.ndarray:
        a = normal(*shape) / np.sqrt(D)
        a.flags.writeable = False
        return a

    def products() -> tuple[DotProducts, ...]:
        rows = dot_product_variance(rng, WIDTHS, DRAWS)
        for row in rows:
            row.dots.flags.writeable = False
        return rows

    noise = shrunk(len(ENTITIES), D)
    X = noise + type_bump()
    X.flags.writeable = False
    return Run(  # arguments are evaluated from first to last, and that order is the recipe
        noise=noise,
        X=X,
        Wq=normal(D, D_K),
        Wk=normal(D, D_K),
        Wv=normal(D, D_K),
        products=products(),
        q_wide=normal(WIDTHS[-1]),
        K_wide=normal(len(ENTITIES), WIDTHS[-1]),
        z=normal(5),
        values=normal(4, 4),
        heads=tuple((shrunk(D, D_K), shrunk(D, D_K), shrunk(D, D_K)) for _ in range(HEADS)),
        Wo=shrunk(D, D),
    )


@cache
def measured() -> dict[str, np.ndarray]:
    """Read the stored times that `make bench` took.

    Returns
    -------
    dict of str to ndarray
        "n" (sizes,), and for each form of attention milliseconds (sizes, 3): the lower quartile, the median and the upper
        quartile of the rounds.

    Examples
    --------
    >>> measured()["plain"].shape[1]
    3
    """
    sizes = json.loads((Path(__file__).parent.parent / "docs" / "bench.json").read_text("utf-8"))["sizes"]
    times = {name: np.array([size["milliseconds"][name] for size in sizes]) for name in sizes[0]["milliseconds"]}
    return {"n": np.array([size["n"] for size in sizes]), **times}


def row_table(head: Attention, name: str) -> str:
    """Write one query's row of a head as text.

    Parameters
    ----------
    head : Attention
        With 13 queries and 13 keys.
    name : str
        The query, one of the entities.

    Returns
    -------
    str
        Per key the raw score, the scaled one and the weight, the top entry marked.

    Examples
    --------
    >>> run = draw()
    >>> print(row_table(attention(run.X, run.Wq, run.Wk, run.Wv), "bob").splitlines()[12])
    p2     Paper          2.0572   1.0286   0.2286  <- top
    """
    i = index(name)
    wide, kind = (max(map(len, names)) + 1 for names in (ENTITIES, CONCEPTS))
    lines = [f"{'key':<{wide}} {'type':<{kind}} {'raw q.k':>8} {'scaled':>8} {'weight':>8}"]
    for j, key in enumerate(ENTITIES):
        mark = "  <- top" if j == head.weights[i].argmax() else ""
        numbers = f"{head.raw[i, j]:z8.4f} {head.scaled[i, j]:z8.4f} {head.weights[i, j]:8.4f}"
        lines.append(f"{key:<{wide}} {TYPES[key]:<{kind}} {numbers}{mark}")
    return "\n".join(lines)


def top_keys(weights: np.ndarray, k: int = 3) -> str:
    """Name the largest of 13 weights.

    Parameters
    ----------
    weights : ndarray, shape (13,)
        One per entity.
    k : int
        How many to name.

    Returns
    -------
    str
        Each one's name and weight, the largest first.

    Examples
    --------
    >>> top_keys(np.arange(13) / 78, 2)
    'p3 0.1538, p2 0.1410'
    """
    return ", ".join(f"{ENTITIES[j]} {weights[j]:.4f}" for j in np.argsort(-weights)[:k])


def vector_text(v: ArrayLike, digits: int = 4) -> str:
    """Write a vector as text, without a sign on a rounded zero.

    Parameters
    ----------
    v : array_like, shape (n,)
        Its entries.
    digits : int
        How many of each, after the point.

    Returns
    -------
    str
        The entries in brackets.

    Examples
    --------
    >>> vector_text([0.30321, -0.00001])
    '[0.3032, 0.0000]'
    """
    return "[" + ", ".join(f"{x:z.{digits}f}" for x in np.asarray(v)) + "]"


def trend(values: ArrayLike) -> str:
    """Say which way values go, for a title that states a direction.

    Parameters
    ----------
    values : array_like, shape (n,)
        In the order in which they are drawn; changes below 1e-9 are rounding and count as none.

    Returns
    -------
    str
        "rises", "falls" or "stays the same", and where the way turns, one after the other.

    Examples
    --------
    >>> print(f"The norm {trend([0.25, 0.4, 0.1])}")
    The norm rises, then falls
    """
    steps = np.diff(np.asarray(values, dtype=float))
    ways = ["rises" if step > 0 else "falls" for step in steps if abs(step) >= 1e-9]
    turns = [way for k, way in enumerate(ways) if not k or way != ways[k - 1]]
    return ", then ".join(turns) or "stays the same"


def main() -> None:
    """Print the five blocks of the trace."""
    run = draw()

    print("[1] one query row: bob")
    head = attention(run.X, run.Wq, run.Wk, run.Wv)
    print(row_table(head, "bob"))
    print(f"top three: {top_keys(head.weights[index('bob')])}")
    print(f"O[bob] = {vector_text(head.output[index('bob')])}")
    off = abs(head.weights.sum(axis=1) - 1).max()
    print(f"largest |row sum - 1|: {off:.2e}, below 1e-12: {off < 1e-12}")

    print("\n[2] the variance of q.k, and saturation")
    for row in run.products:
        print(f"d_k = {row.d_k:>3}: variance {row.var:8.4f}, over d_k {row.ratio:.4f}")
    raw = run.K_wide @ run.q_wide
    p, p_scaled = softmax(raw), softmax(raw / np.sqrt(len(run.q_wide)))
    print(f"largest of {len(raw)} weights at d_k = {len(run.q_wide)}: {p.max():.4f} unscaled, {p_scaled.max():.4f} scaled")
    print(f"largest entry of its Jacobian, unscaled: {abs(softmax_jacobian(p)).max():.4f}")

    print("\n[3] the softmax Jacobian")
    p = softmax(run.z)
    J = softmax_jacobian(p)
    print(f"p = {vector_text(p)}")
    for i, row in enumerate(J):
        print(f"J[{i}] = {vector_text(row, 5)}")
    off = abs(J - central_difference_jacobian(softmax, run.z)).max()
    print(f"largest |J - central difference|: {off:.2e}, below 1e-6: {off < 1e-6}")

    print("\n[4] the retrieval limit: four orthonormal keys, slot 2")
    for c in (3.0, 8.0):
        got = retrieve(np.eye(4), run.values, 2, c)
        print(f"c = {c:.0f}: weights {vector_text(got.weights)}, cosine with the stored value {got.cosine:.4f}")

    print("\n[5] two heads")
    both = multi_head_attention(run.X, run.heads, run.Wo)
    print(
        f"X {run.X.shape}, each head's output {both.heads[0].output.shape}, joined {both.concat.shape}, "
        f"Wo {run.Wo.shape}, output {both.output.shape}"
    )
    first = [ENTITIES[one.weights[index("bob")].argmax()] for one in both.heads]
    print(f"bob's first key in each head: {', '.join(first)}")


if __name__ == "__main__":
    main()
