"""Drawings that show how the parts of attention hang together, where `figures` shows what was measured.

As there: arrays and names in, a `Picture` out, no mathematics of the chapter, and no pyplot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Arc, FancyArrowPatch, Polygon, Rectangle

from attention_chapter.figures import COLOURS, MARKERS, MUTED, STROKES, draw_map, shared_limits
from attention_chapter.picture import Picture, finish, styled

CORNERS = np.array([[0.5, np.sqrt(0.75)], [0.0, 0.0], [1.0, 0.0]])  # a triangle with sides of length 1


def _triangle(ax, names: Sequence[str], title: str) -> None:
    """The triangle of all ways to share one unit among three slots."""
    ax.add_patch(Polygon(CORNERS, closed=True, fill=False, edgecolor="#666666", lw=1.4))
    for (x, y), name, side, up in zip(CORNERS, names, ("center", "right", "left"), (0.04, -0.04, -0.04)):
        ax.text(x, y + up, f"all to {name}", ha=side, va="bottom" if up > 0 else "top", fontsize=12)
    ax.set(xlim=(-0.2, 1.2), ylim=(-0.1, 0.95))
    ax.set_aspect("equal")
    ax.axis("off")
    ax.set_title(title)


@styled
def simplex(
    paths: np.ndarray, spots: np.ndarray, slopes: np.ndarray, names: Sequence[str], *, size: float, upto: float, title: str
) -> Picture:
    """Draw the weights of three slots as points of a triangle: where queries go as they sharpen, and how far a nudge reaches.

    Parameters
    ----------
    paths : ndarray, shape (m, k, 3)
        The weights of k queries, at m sharpnesses from 0 on.
    spots : ndarray, shape (s, 3)
        Weights at which nudges are drawn.
    slopes : ndarray, shape (s, 3, 3)
        The Jacobian of the softmax at each.
    names : sequence of str
        The three slots.
    size : float
        The length of a nudge of the logits, whose entries sum to zero.
    upto : float
        The largest sharpness.
    title : str
        The finding.

    Returns
    -------
    Picture
        Left, the paths from the middle to the corners; right, what becomes of a circle of nudges at each spot.
    """
    figure = Figure(figsize=(11.6, 5.0), layout="constrained")
    left, right = figure.subplots(1, 2)
    _triangle(left, names, "as c grows")
    _triangle(right, names, "where a nudge of the logits leads")
    for path in np.swapaxes(paths, 0, 1):
        tied = np.sort(path[-1])[1] > 0.4  # the two best share
        x, y = (path @ CORNERS).T
        left.plot(x, y, color=COLOURS[1] if tied else COLOURS[0], ls=STROKES[1] if tied else STROKES[0], lw=1.6, label="_path")
        left.plot(x[-1], y[-1], marker="D" if tied else "o", ms=6, color=COLOURS[1] if tied else COLOURS[0], label="_end")
    left.plot(*(np.full(3, 1 / 3) @ CORNERS), marker="s", ms=8, color="black", label="_middle")
    turn = np.linspace(0, 2 * np.pi, 61)
    plane = np.array([[1, -1, 0], [1, 1, -2]]) / np.sqrt([[2], [6]])  # a constant in all logits moves nothing
    circle = size * np.stack([np.cos(turn), np.sin(turn)], axis=1) @ plane
    half = [np.linalg.svd(slope)[1][:2] for slope in slopes]
    for p, slope in zip(spots, slopes):
        right.plot(*((p + circle @ slope.T) @ CORNERS).T, color=COLOURS[0], lw=1.4, label="_reach")
        right.plot(*(p @ CORNERS), marker=".", ms=4, color="black", label="_spot")
    figure.suptitle(title, x=0.01, ha="left", fontsize=13)
    ends = np.sort(paths[-1])[:, ::-1]
    ties = int((ends[:, 1] > 0.4).sum())
    sure = ends[ends[:, 1] <= 0.4, 0]
    most, least = max(half, key=lambda axes: axes[0]), min(half, key=lambda axes: axes[0])
    caption = (
        f"A point is one way to share a weight of 1 among three slots: at a corner one slot has all, on the black square each has a third. "
        f"Left, {paths.shape[1]} queries as c grows from 0 to {upto:g}. {ties} of them, dashed, score two slots alike and end on an edge; "
        f"the others end with at least {sure.min():.4f} on one slot. Right, where nudges of the logits of length {size:g} carry the weights, by J: "
        f"half axes {size * most[0]:.4f} and {size * most[1]:.4f} where they are longest, "
        f"{size * least[0]:.4f} and {size * least[1]:.4f} where they are shortest."
    )
    return finish(figure, title, caption, f"Two triangles. {caption}")


@styled
def compass(
    K: np.ndarray, names: Sequence[str], V: np.ndarray, rounds: Mapping[str, np.ndarray], *, at: float, title: str
) -> Picture:
    """Draw a query that turns past keys in the plane, and the way of its output inside the hull of the values.

    Parameters
    ----------
    K : ndarray, shape (n, 2)
        The keys, of length one, counterclockwise.
    names : sequence of str
        The n slots.
    V : ndarray, shape (n, 2)
        The values, in the same order.
    rounds : mapping of str to ndarray, shape (m, 2)
        The output during one full turn of the query from the direction (1, 0) on, by what was held fixed.
    at : float
        A direction of the query, in degrees, that is marked on every round.
    title : str
        The finding.

    Returns
    -------
    Picture
        Left, keys and query; right, values, their hull and the rounds.
    """
    figure = Figure(figsize=(11.6, 4.9), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.45))
    turn = np.linspace(0, 2 * np.pi, 121)
    left.plot(np.cos(turn), np.sin(turn), color=MUTED, lw=1.2, label="_circle")
    for key, name in zip(K, names):
        left.add_patch(
            FancyArrowPatch((0, 0), tuple(key), arrowstyle="-|>", mutation_scale=16, color="black", shrinkA=0, shrinkB=0)
        )
        left.text(
            *(1.16 * key),
            f"key {name}",
            ha="center" if abs(key[0]) < 0.5 else "left" if key[0] > 0 else "right",
            va="center",
            fontsize=12,
        )
    way = np.radians(at)
    q = np.array([np.cos(way), np.sin(way)])
    left.add_patch(
        FancyArrowPatch((0, 0), tuple(q), arrowstyle="-|>", mutation_scale=18, color=COLOURS[1], lw=3, shrinkA=0, shrinkB=0)
    )
    left.add_patch(Arc((0, 0), 0.6, 0.6, theta1=0, theta2=at, color=COLOURS[1], lw=1.6))
    left.text(*(1.12 * q), f"query, {at:g}°", color=COLOURS[1], fontsize=12, ha="left" if q[0] > 0 else "right", va="center")
    left.set(xlim=(-1.85, 1.85), ylim=(-1.35, 1.35))
    right.add_patch(Polygon(V, closed=True, facecolor="#F4F4F4", edgecolor=MUTED, lw=1.2))
    middle, places = V.mean(axis=0), []
    for k, (label, way_round) in enumerate(rounds.items()):
        right.plot(*way_round.T, color=COLOURS[k], ls=STROKES[k], label=label)
        here = way_round[round(at / 360 * (len(way_round) - 1))]
        right.plot(*here, marker=MARKERS[k], ms=9, color=COLOURS[k], mec="black", label="_marked")
        places.append(f"{label}: ({here[0]:z.4f}, {here[1]:z.4f})")
    for (x, y), name in zip(V, names):
        right.plot(x, y, marker="s", ms=9, color="black", label="_value")
        offset = (12 * np.sign(x - middle[0]), 13 * np.sign(y - middle[1]) * (x == middle[0]))
        right.annotate(
            name, (x, y), xytext=offset, textcoords="offset points", va="center", fontsize=12,
            ha="left" if x > middle[0] else "right" if x < middle[0] else "center",
        )  # fmt: skip
    right.margins(0.14)
    for ax in (left, right):
        ax.set_aspect("equal", anchor="N")
        ax.axis("off")
    right.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), handlelength=3)
    left.set_title("the query turns past the keys")
    right.set_title("and its output goes round inside the hull")
    figure.suptitle(title, x=0.01, ha="left", fontsize=13)
    caption = (
        f"Left, {len(K)} keys and the circle on which the query turns. Right, black squares are the values, the grey area is their hull, and each "
        f"curve is the way of the output during one full turn. The markers belong to the query at {at:g} degrees: {'; '.join(places)}."
    )
    return finish(figure, title, caption, f"Two drawings in the plane. {caption}")


@styled
def sight(
    K: np.ndarray,
    V: np.ndarray,
    names: Sequence[str],
    angle: float,
    p: np.ndarray,
    o: np.ndarray,
    D: np.ndarray,
    *,
    size: float,
    title: str,
) -> Picture:
    """Draw one lookup in the plane: query and keys, values by their weight, the output, and how far a nudge carries it.

    Parameters
    ----------
    K, V : ndarray, shape (n, 2)
        The keys, of length one, and the values.
    names : sequence of str
        The n slots.
    angle : float
        The direction of the query, in degrees.
    p : ndarray, shape (n,) or (n + 1,)
        The weights; one more is that of a null slot.
    o : ndarray, shape (2,)
        The output.
    D : ndarray, shape (2, 2)
        The derivative of the output with respect to the query.
    size : float
        The length of a nudge.
    title : str
        The finding.

    Returns
    -------
    Picture
        Left, keys and query; right, values, output and ellipse.
    """
    figure = Figure(figsize=(9.2, 4.0), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.4))
    turn = np.linspace(0, 2 * np.pi, 121)
    circle = np.stack([np.cos(turn), np.sin(turn)])
    left.plot(*circle, color=MUTED, lw=1.2, label="_circle")
    for key, name in zip(K, names):
        left.add_patch(
            FancyArrowPatch((0, 0), tuple(key), arrowstyle="-|>", mutation_scale=14, color="black", shrinkA=0, shrinkB=0)
        )
        side = "center" if abs(key[0]) < 0.5 else "left" if key[0] > 0 else "right"
        left.text(*(1.16 * key), name, ha=side, va="center", fontsize=12)
    q = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    left.add_patch(
        FancyArrowPatch((0, 0), tuple(q), arrowstyle="-|>", mutation_scale=18, color=COLOURS[1], lw=3, shrinkA=0, shrinkB=0)
    )
    left.set(xlim=(-1.7, 1.7), ylim=(-1.35, 1.35))
    right.add_patch(Polygon(V, closed=True, facecolor="#F4F4F4", edgecolor=MUTED, lw=1.2))
    middle = V.mean(axis=0)
    for v, weight, name in zip(V, p, names):
        right.plot(*v, marker="o", ms=48 * np.sqrt(weight), color=COLOURS[0], alpha=0.5, mec="none", label="_weight")
        right.plot(*v, marker="s", ms=6, color="black", label="_value")
        out = v - middle
        offset = (12 * np.sign(out[0]), 13 * np.sign(out[1]) * (abs(out[0]) < 1e-9))
        right.annotate(
            f"{name} {weight:.2f}", tuple(v), xytext=offset, textcoords="offset points", va="center", fontsize=12,
            ha="center" if abs(out[0]) < 1e-9 else "left" if out[0] > 0 else "right",
        )  # fmt: skip
    right.plot(*(o[:, None] + size * D @ circle), color=COLOURS[1], lw=2, label="_reach")
    right.plot(*o, marker="o", ms=9, color=COLOURS[1], mec="white", label="_output")
    right.margins(0.2)
    for ax in (left, right):
        ax.set_aspect("equal")
        ax.axis("off")
    figure.suptitle(title, x=0.01, ha="left", fontsize=13)
    caption = (
        f"Left, {len(K)} keys and the query, orange, at {angle:g} degrees. Right, the values, each with a disc of the area of its weight; the output, orange, "
        f"is at ({o[0]:z.4f}, {o[1]:z.4f}), and nudges of the query of length {size:g} carry it as far as the ellipse."
    )
    weights = ", ".join(f"{name} {weight:.4f}" for name, weight in zip([*names, "null slot"], p))
    return finish(figure, title, caption, f"Two drawings in the plane. {caption} Weights: {weights}.")


@styled
def flow(matrices: Mapping[str, np.ndarray], names: Sequence[str], query: str) -> Picture:
    """Draw the five lines of attention as matrices to one scale, with the row of one query framed all the way.

    Parameters
    ----------
    matrices : mapping of str to ndarray
        X, Q, K, V, S, A and O, with n rows each.
    names : sequence of str
        The n entities.
    query : str
        The one whose row is framed.

    Returns
    -------
    Picture
        The matrices, joined by arrows that say what is computed.
    """
    n, i = len(names), list(names).index(query)
    cell = 0.12  # inches, so that the sheet has whole pixels
    gap = {"X": 4.0, "Q": 17.5, "K": 17.5, "V": 17.5, "S": 32.0, "A": 55.0, "O": 75.5}  # left edges, in cells
    level = {"Q": 2.5, "K": 19.5, "V": 36.5}  # upper edges
    level.update({"X": level["K"], "S": (level["Q"] + level["K"]) / 2})
    level.update({"A": level["S"], "O": (level["S"] + level["V"]) / 2})
    wide, high = gap["O"] + matrices["O"].shape[1] + 4.5, level["V"] + n + 3.5
    figure = Figure(figsize=(cell * wide, cell * high))
    sheet = figure.add_axes((0, 0, 1, 1))
    sheet.set(xlim=(0, wide), ylim=(high, 0))
    sheet.axis("off")
    for name, M in matrices.items():
        m, columns = M.shape
        ax = figure.add_axes((gap[name] / wide, 1 - (level[name] + m) / high, columns / wide, m / high))
        signed = bool((M < 0).any())
        draw_map(ax, M, [""] * m, [""] * columns, shared_limits(signed, M), signed, None)
        ax.add_patch(Rectangle((-0.5, -0.5), columns, m, fill=False, edgecolor="#666666", lw=1, clip_on=False))
        if name not in "KV":
            ax.add_patch(Rectangle((-0.5, i - 0.5), columns, 1, fill=False, edgecolor=COLOURS[1], lw=2.4, clip_on=False))
        sheet.text(gap[name], level[name] - 0.5, f"{name}  {m} × {columns}", fontsize=12, fontweight="bold", va="bottom")

    def arrow(a: str, b: str, start: float, end: float) -> None:
        tail = (gap[a] + matrices[a].shape[1] + 0.4, level[a] + start)
        head = (gap[b] - 0.4, level[b] + end)
        sheet.add_patch(
            FancyArrowPatch(tail, head, arrowstyle="-|>", mutation_scale=15, color="black", lw=1.6, shrinkA=0, shrinkB=0)
        )

    for a, b, start, end in (
        ("X", "Q", 3, n / 2), ("X", "K", n / 2, n / 2), ("X", "V", n - 3, n / 2), ("Q", "S", n / 2, 3), ("K", "S", n / 2, n - 3),
        ("S", "A", n / 2, n / 2), ("A", "O", n / 2, 3), ("V", "O", n / 2, n - 3),
    ):  # fmt: skip
        arrow(a, b, start, end)
    for name, how in (
        ("Q", "$XW_q$"), ("K", "$XW_k$"), ("V", "$XW_v$"), ("S", r"$QK^\top\!/\sqrt{d_k}$"), ("A", "softmax of each row of $S$"), ("O", "$AV$"),
    ):  # fmt: skip
        sheet.text(gap[name], level[name] + n + 0.4, f"= {how}", ha="left", va="top", fontsize=12)
    sheet.text(
        gap["X"] - 0.3, level["X"] + i + 0.5, query, ha="right", va="center", fontsize=11, color=COLOURS[1], fontweight="bold"
    )
    title = f"One row asks, all rows answer: {query} from X to O"
    shapes = ", ".join(f"{name} {M.shape[0]} by {M.shape[1]}" for name, M in matrices.items())
    o = matrices["O"][i]
    caption = (
        f"All matrices are drawn to one scale, a square for a number; orange is positive, purple negative, and blue a weight. The framed row is that of {query}: "
        f"its query meets every row of K, its weights blend every row of V, and out comes [{', '.join(f'{x:z.4f}' for x in o)}]. Shapes: {shapes}."
    )
    return finish(figure, title, caption, f"Seven matrices joined by arrows. {caption}")


@styled
def split(n: int, d: int, heads: int) -> Picture:
    """Draw to scale how one head of full width is split into several narrow ones.

    Parameters
    ----------
    n, d : int
        How many elements there are, and how wide their features are.
    heads : int
        How many heads share the width; it divides d.

    Returns
    -------
    Picture
        Above, the matrices of one head; below, those of several, each in its own colour.
    """
    if d % heads:
        raise ValueError(f"heads must divide the width: {heads} heads do not divide d = {d}")
    figure = Figure(figsize=(11.6, 4.9))
    ax = figure.add_axes((0.01, 0.01, 0.98, 0.91), anchor="W")
    starts, counts = (0.0, n + 4.5), []
    for top, parts in zip(starts, (1, heads)):
        width, x = d // parts, 0.0
        plural = "s" if parts > 1 else ""
        ax.text(0, top - 0.8, f"{parts} head{plural} of width {width}", fontsize=13, fontweight="bold", va="bottom")

        def box(x: float, wide: int, high: int, words: str, k: int, top: float = top) -> None:
            ax.add_patch(Rectangle((x, top + (n - high) / 2), wide, high, facecolor=COLOURS[k], alpha=0.25, edgecolor="none"))
            ax.add_patch(Rectangle((x, top + (n - high) / 2), wide, high, fill=False, edgecolor=COLOURS[k], lw=1.8))
            ax.text(x + wide / 2, top + n / 2, words, ha="center", va="center", fontsize=12)

        for role in "qkv":
            for k in range(parts):
                box(x, width, d, f"$W_{role}$" if parts == 1 else f"$W_{role}^{{{k + 1}}}$", k)
                x += width
            x += 1.6
        ax.text(x + 0.6, top + n / 2, "→", fontsize=20, ha="center", va="center")
        x += 2.8
        for k in range(parts):
            box(x, n, n, "$A$" if parts == 1 else f"$A^{{{k + 1}}}$", k)
            x += n + 1.2
        ax.text(x + 0.6, top + n / 2, "→", fontsize=20, ha="center", va="center")
        x += 2.8
        for k in range(parts):
            box(x, width, n, "$O$" if parts == 1 else f"$O^{{{k + 1}}}$", k)
            x += width
        counts.append((3 * parts * d * width, parts * n * n))
    ax.set(xlim=(-0.5, 3 * d + 2 * 1.6 + 8 + heads * (n + 1.2) + d + 2), ylim=(starts[1] + n + 0.8, -3))
    ax.set_aspect("equal")
    ax.axis("off")
    title = f"The same width, shared: {heads} heads look up {heads} times, with no number more in their projections"
    ax.set_title(title, x=0.0)
    caption = (
        f"To scale. Above, one head of width {d}: projections with {counts[0][0]} numbers and one table of {counts[0][1]} weights. Below, {heads} heads of width {d // heads}: "
        f"again {counts[1][0]} numbers, but {heads} tables, {counts[1][1]} weights. Their outputs stand side by side and are as wide as the one above."
    )
    return finish(figure, title, caption, f"Two rows of boxes. {caption}")
