"""Every still figure of the chapter: a function takes arrays and names and returns a `Picture`.

Nothing here computes mathematics of the chapter, and nothing here uses pyplot, whose figures outlive their cell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.colors import Normalize, to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, Rectangle

from attention_chapter.picture import Picture, finish, first_largest, four_digits, styled, with_minus
from kg import CONCEPTS, ENTITIES, RELATIONS, TRIPLES, TYPES, index

PROBABILITY = "Blues"  # from 0: no weight is white
SIGNED = "PuOr_r"  # symmetric about 0: orange above, purple below, white between
TINTS = 127  # of a map and its bar: few enough for a PNG to keep them all, and odd, so that zero has one of its own
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")  # Okabe and Ito (2008)
STROKES = ("-", "--", "-.", ":", (0, (6, 2, 1, 2, 1, 2)), (0, (1, 1)))
MARKERS = ("o", "s", "^", "D", "v", "P")
HATCHES = ("", "///", "...", "xxx")
EDGES = ("#000000", "#7F0000", "#000000", "#777777", "#7F0000")  # beside the strokes, and unlike any type
MUTED = "#BBBBBB"
BEST = "best"  # a legend's place; unless it is asked for, matplotlib warns after a second, on a busy machine


# --- heat maps -------------------------------------------------------------------------------------------------------


def draw_map(
    ax,
    M: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    limits: tuple[float, float],
    signed: bool,
    digits: int | None,
    size: float = 10,
):
    """Draw one heat map on given axes.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    M : ndarray, shape (m, n)
        The matrix.
    rows, columns : sequence of str
        A name for each row and each column.
    limits : tuple of two floats
        The ends of the colour scale.
    signed : bool
        Whether the colours are those of signed numbers.
    digits : int or None
        Decimals of the numbers in the cells; None writes none.
    size : float
        The size of these numbers, in points.

    Returns
    -------
    tuple of AxesImage and list of Text
        The image, and the texts in its cells.
    """
    tints = mpl.colormaps[SIGNED if signed else PROBABILITY].resampled(TINTS)
    image = ax.imshow(M, cmap=tints, vmin=limits[0], vmax=limits[1], aspect="auto")
    ax.set_xticks(range(len(columns)), columns, rotation=90 if sum(map(len, columns)) > 30 else 0)
    ax.set_yticks(range(len(rows)), rows)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    cells = []
    if digits is not None:
        for ((i, j), x), colour in zip(np.ndenumerate(M), ink(image, M).flat):
            cells.append(
                ax.text(
                    j,
                    i,
                    with_minus(f"{x:z.{digits}f}"),
                    ha="center",
                    va="center",
                    fontsize=size,
                    color=str(colour),
                    in_layout=False,
                )
            )  # inside its cell, so that the layout need not ask
    return image, cells


def outline(ax, outlined: Mapping[str, np.ndarray] | None) -> tuple[list, str]:
    """Frame the cells of a heat map where a boolean matrix is True.

    Parameters
    ----------
    ax : Axes
        Axes with a heat map.
    outlined : mapping of str to ndarray, or None
        Boolean matrices, by what their cells are.

    Returns
    -------
    tuple of list and str
        The frames, and what they are in words.
    """
    framed = [
        ax.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, fill=False, edgecolor=COLOURS[1], lw=2.2, clip_on=False))
        for cells in (outlined or {}).values()
        for i, j in np.argwhere(cells)
    ]
    return framed, "".join(f" Framed: {what}, {np.count_nonzero(cells)} cells." for what, cells in (outlined or {}).items())


def ink(image, M: np.ndarray) -> np.ndarray:
    """Choose black or white for each entry of a heat map, whichever stands out on its colour.

    Parameters
    ----------
    image : AxesImage
        The heat map.
    M : ndarray, shape (m, n)
        The matrix.

    Returns
    -------
    ndarray of str, shape (m, n)
        The colours.
    """
    return stands_out(image.cmap(image.norm(M)))


def stands_out(colour: np.ndarray) -> np.ndarray:
    """Choose black or white, whichever has the higher contrast by relative luminance (WCAG 2.2).

    Parameters
    ----------
    colour : ndarray, shape (..., 3 or 4)
        Colours of the background, in channels from 0 to 1.

    Returns
    -------
    ndarray of str, shape (...)
        The colours of the foreground.

    Examples
    --------
    >>> str(stands_out((1.0, 1.0, 1.0))), str(stands_out((0.0, 0.0, 0.5)))
    ('black', 'white')
    """
    c = np.asarray(colour)[..., :3]
    luminance = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) @ (0.2126, 0.7152, 0.0722)
    return np.where(luminance > 0.179, "black", "white")


def shared_limits(signed: bool, *matrices: np.ndarray) -> tuple[float, float]:
    """Choose the limits that side-by-side maps share.

    Parameters
    ----------
    signed : bool
        Whether entries have a sign: then the limits are symmetric about zero, else they begin there.
    *matrices : ndarray
        What the maps show.

    Returns
    -------
    tuple of two floats
        The ends of the colour scale.

    Examples
    --------
    >>> limits = shared_limits(True, np.array([1.0, -2.0]), np.array([0.5]))
    >>> f"{limits[0]:g} to {limits[1]:g}"
    '-2 to 2'
    """
    top = max(abs(np.asarray(M)).max() for M in matrices) or 1.0
    return (-top, top) if signed else (0.0, top)


@styled
def heatmap(
    M: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    title: str,
    what: str,
    signed: bool = False,
    across: str = "key",
    down: str = "query",
    digits: int | None = 2,
) -> Picture:
    """Draw a matrix as colours, with the numbers in its cells.

    Parameters
    ----------
    M : ndarray, shape (m, n)
        The matrix.
    rows, columns : sequence of str
        A name for each row and each column.
    title : str
        The finding.
    what : str
        What an entry is, beside the colour bar.
    signed : bool
        Whether entries have a sign: two colours about zero, instead of one from zero.
    across, down : str
        What a column is, and what a row is.
    digits : int or None
        Decimals of the numbers in the cells; None writes none.

    Returns
    -------
    Picture
        The heat map.
    """
    return heatmaps({"": M}, rows, columns, title=title, what=what, signed=signed, across=across, down=down, digits=digits)


@styled
def heatmaps(
    maps: Mapping[str, np.ndarray],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    title: str,
    what: str,
    signed: bool = False,
    across: str = "key",
    down: str = "query",
    digits: int | None = None,
    outlined: Mapping[str, np.ndarray] | None = None,
) -> Picture:
    """Draw matrices of one shape side by side on shared limits.

    Parameters
    ----------
    maps : mapping of str to ndarray, shape (m, n)
        The matrices, by their names.
    rows, columns : sequence of str
        A name for each row and each column.
    title : str
        The finding.
    what : str
        What an entry is, beside the colour bar.
    signed : bool
        Whether entries have a sign: two colours about zero, instead of one from zero.
    across, down : str
        What a column is, and what a row is.
    digits : int or None
        Decimals of the numbers in the cells; None writes none.
    outlined : mapping of str to ndarray, optional
        Boolean matrices that say which cells are framed in all maps, by what these cells are.

    Returns
    -------
    Picture
        The heat maps.
    """
    limits = shared_limits(signed, *maps.values())
    width = 9.2 if len(maps) == 1 and len(columns) > 5 else 6.4 if len(maps) == 1 else 11.6
    figure = Figure(figsize=(width, min(5.9, 1.9 + 0.42 * len(rows))), layout="constrained")
    axes = figure.subplots(1, len(maps), squeeze=False)[0]
    for ax, (name, M) in zip(axes, maps.items()):
        image, _ = draw_map(ax, M, rows, columns, limits, signed, digits)
        _, words = outline(ax, outlined)
        ax.tick_params(labelleft=ax is axes[0])
        ax.set_xlabel(across)
        ax.set_title(name or title)
    axes[0].set_ylabel(down)
    figure.colorbar(image, ax=axes, label=what, pad=0.02)
    if len(maps) > 1:
        figure.suptitle(title, x=0.01, ha="left", fontsize=13)
    parts = []
    for name, M in maps.items():
        i, j = divmod(first_largest(abs(M)), M.shape[1])
        parts.append(
            f"{name + ': t' if name else 'T'}he {'entry furthest from 0' if signed else 'largest entry'} is "
            f"{M[i, j]:z.4f}, row {rows[i]}, column {columns[j]}"
        )
    how = "orange is positive, purple negative, white zero" if signed else "the darker, the larger, and white is zero"
    caption = f"From top to bottom: {down}; from left to right: {across}; the colour: {what}, {how}.{words} {'; '.join(parts)}."
    return finish(figure, title, caption)


@styled
def first_keys(maps: Mapping[str, np.ndarray], names: Sequence[str], query: str, *, title: str) -> Picture:
    """Draw small maps of weights side by side, each weight against the even share, and a dot on the first key of every row.

    Parameters
    ----------
    maps : mapping of str to ndarray, shape (n, n)
        The weights, by what they are of: up to four stand in one row, more in two.
    names : sequence of str
        Of the queries, which are the keys as well.
    query : str
        Whose row is framed.
    title : str
        The finding.

    Returns
    -------
    Picture
        White is the even share 1/n, orange more and purple less.
    """
    n, high = len(names), 1 if len(maps) <= 4 else 2
    wide = -(-len(maps) // high)
    top = max(abs(n * A - 1).max() for A in maps.values())
    figure = Figure(figsize=(11.6, 4.3 if high == 1 else 5.2), layout="constrained")
    axes = figure.subplots(high, wide, squeeze=False, sharex=True, sharey=True)
    at, first = list(names).index(query), {}
    for ax, (name, A) in zip(axes.flat, maps.items()):
        image, _ = draw_map(ax, n * A, names, names, (1 - top, 1 + top), True, None)
        ax.plot([first_largest(row) for row in A], range(n), "o", ms=5 if high == 1 else 3.5, color="black", label="_first keys")
        ax.add_patch(Rectangle((-0.5, at - 0.5), n, 1, fill=False, edgecolor="black", lw=1.5))
        ax.tick_params(labelleft=ax in axes[:, 0], labelbottom=ax in axes[-1], labelsize=10)
        ax.set_title(name, fontsize=12)
        first[name] = names[first_largest(A[at])]
    for ax in axes[:, 0]:
        ax.set_ylabel("query")
    for ax in axes[-1]:
        ax.set_xlabel("key")
    figure.colorbar(image, ax=axes, label=f"weight, in even shares 1/{n}", pad=0.02)
    figure.suptitle(title, x=0.01, ha="left", fontsize=13)
    caption = (
        f"Each row is a query and each column a key. A white cell has the even share 1/{n}, an orange one more, a purple one less, and the dot "
        f"marks the first key of its row. The framed row is {query}'s; its first key is "
        f"{', '.join(f'{key} in {name}' for name, key in first.items())}."
    )
    return finish(figure, title, caption)


@styled
def weighted_values(weights: np.ndarray, V: np.ndarray, names: Sequence[str], query: str) -> Picture:
    """Show how n weighted value vectors add up to one output row: weights, values, their products, and the sum.

    Parameters
    ----------
    weights : ndarray, shape (n,)
        The weights of one query.
    V : ndarray, shape (n, d_v)
        The values.
    names : sequence of str
        The n keys.
    query : str
        Who asks.

    Returns
    -------
    Picture
        Bars and two heat maps.
    """
    parts = weights[:, None] * V
    total = parts.sum(axis=0)
    coordinates = [f"{j}" for j in range(V.shape[1])]
    figure = Figure(figsize=(11.6, 5.9), layout="constrained")
    left, middle, right = figure.subplots(1, 3, width_ratios=(1, 1.25, 1.25))
    bars = left.barh(range(len(names)), weights, color=COLOURS[0])
    left.bar_label(bars, [f"{w:.4f}" for w in weights], padding=3, fontsize=10)
    left.set_yticks(range(len(names)), names)
    left.set_ylim(len(names) + 0.5, -0.5)
    left.set_xlim(0, weights.max() * 1.35)
    left.set_xlabel("weight")
    left.set_title(f"weights of {query}")
    blank = np.full((1, V.shape[1]), np.nan)
    limits = shared_limits(True, V)
    draw_map(middle, np.vstack([V, blank]), [*names, ""], coordinates, limits, True, None)
    for ((i, j), x), colour in zip(np.ndenumerate(V), ink(middle.images[0], V).flat):
        middle.text(j, i, with_minus(f"{x:z.2f}"), ha="center", va="center", fontsize=10, color=str(colour))
    middle.set_title("times the values V")
    middle.set_xlabel("coordinate")
    summed = np.vstack([parts, total])
    draw_map(right, summed, [*names, "sum"], coordinates, shared_limits(True, summed), True, 3)
    right.axhline(len(names) - 0.5, color="black", lw=1.5)
    right.set_title("are these parts; the sum is the output")
    right.set_xlabel("coordinate")
    largest = int(np.argmax(np.linalg.norm(parts, axis=1)))
    finding = f"{len(names)} weighted value vectors add up to the output of {query}"
    caption = (
        f"The output is [{', '.join(f'{x:z.4f}' for x in total)}]. Left, the weights; middle, the value vectors (orange "
        f"positive, purple negative); right, each product, on a scale of its own, with the sum of the column in the "
        f"last row. The longest part comes from {names[largest]}, with weight {weights[largest]:.4f}."
    )
    return finish(figure, finding, caption)


# --- bars and lines --------------------------------------------------------------------------------------------------


def _levels(ax, levels: Mapping[str, float] | None) -> None:
    """Dotted lines at named heights."""
    for label, level in (levels or {}).items():
        ax.axhline(level, color="#555555", lw=1, ls=":", label="_level")
        ax.annotate(
            label,
            (1, level),
            xycoords=("axes fraction", "data"),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=10,
            color="#333333",
        )


@styled
def bars(
    series: Mapping[str, np.ndarray],
    names: Sequence[str],
    *,
    title: str,
    what: str = "weight",
    across: str = "key",
    digits: int | None = 4,
    levels: Mapping[str, float] | None = None,
) -> Picture:
    """Draw bars for named slots, one group a slot; hatches as well as colours tell the series apart.

    Parameters
    ----------
    series : mapping of str to ndarray, shape (n,)
        The heights, by the name of their series; three series at most.
    names : sequence of str
        The n slots.
    title : str
        The finding.
    what, across : str
        What a height is, and what a slot is.
    digits : int or None
        Decimals of the numbers above the bars; None writes none.
    levels : mapping of str to float, optional
        Heights to be marked by a dotted line, by what they are.

    Returns
    -------
    Picture
        The bars.
    """
    figure = Figure(figsize=(9.2, 4.4), layout="constrained")
    ax = figure.subplots()
    width = 0.8 / len(series)
    for k, (label, sizes) in enumerate(series.items()):
        at = np.arange(len(names)) + (k - (len(series) - 1) / 2) * width
        drawn = ax.bar(at, sizes, width, label=label, color=COLOURS[k], hatch=HATCHES[k], edgecolor="white")
        if digits is not None:
            ax.bar_label(
                drawn,
                [with_minus(f"{s:z.{digits}f}") for s in sizes],
                fontsize=10,
                padding=2,
                rotation=90 if len(names) * len(series) > 16 else 0,
            )
    ax.set_xticks(range(len(names)), names)
    ax.set_xlabel(across)
    ax.set_ylabel(what)
    top = max(max(s) for s in series.values())
    ax.set_ylim(0, 1.22 * top)  # room for the numbers
    if top <= 1 < 1.22 * top:
        ax.set_yticks(np.linspace(0, 1, 6))  # no share is above 1
    _levels(ax, levels)
    ax.set_title(title)
    if len(series) > 1:
        ax.legend(loc="upper left", bbox_to_anchor=(1, 1))
    tops = [
        f"{label}: the largest is {max(s):z.4f}, at {names[first_largest(s)]}, and the smallest {min(s):z.4f}, at {names[first_largest(-np.asarray(s))]}"
        for label, s in series.items()
    ]
    return finish(figure, title, f"The height of a bar: {what}. {'; '.join(tops)}.")


@styled
def shares(rows: Mapping[str, np.ndarray], names: Sequence[str], *, title: str, across: str = "weight") -> Picture:
    """Draw one unit of weight as a strip, cut into the shares of the slots; a strip for each row of weights.

    Parameters
    ----------
    rows : mapping of str to ndarray, shape (n,)
        Weights that sum to one, by what their strip is called.
    names : sequence of str
        The n slots, at most as many as there are colours.
    title : str
        The finding.
    across : str
        What the strips measure.

    Returns
    -------
    Picture
        The strips, one below the other.
    """
    figure = Figure(figsize=(9.2, 1.3 + 0.62 * len(rows)), layout="constrained")
    ax = figure.subplots()
    table = np.array(list(rows.values()))
    starts = np.cumsum(table, axis=1) - table
    for j, name in enumerate(names):
        drawn = ax.barh(range(len(rows)), table[:, j], 0.72, starts[:, j], color=COLOURS[j], edgecolor="white", label=name)
        for bar, share in zip(drawn, table[:, j]):
            if share > 0.08:  # wide enough for its words
                colour = str(stands_out(np.array(bar.get_facecolor())))
                middle = bar.get_x() + share / 2
                ax.text(middle, bar.get_y() + 0.36, f"{name}: {share:.4f}", ha="center", va="center", fontsize=11, color=colour)
    ax.set_yticks(range(len(rows)), list(rows))
    ax.invert_yaxis()
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.set_xlim(0, 1)
    ax.set_xlabel(across)
    ax.set_title(title)
    tops = [
        f"{label}, {names[first_largest(p)]} has {max(p):z.4f} and the smallest share is {min(p):z.4f}" for label, p in rows.items()
    ]
    caption = (
        f"Each strip is one unit of weight; its parts, from left to right, belong to {', '.join(names)}. At {'; at '.join(tops)}."
    )
    return finish(figure, title, caption)


@styled
def lines(
    x: np.ndarray,
    series: Mapping[str, np.ndarray],
    *,
    title: str,
    across: str,
    what: str,
    log: str = "",
    points: Mapping[str, tuple[float, float]] | None = None,
    levels: Mapping[str, float] | None = None,
    dots: Sequence[str] = (),
    noisy: bool = False,
    whole: bool = False,
    spread: Mapping[str, tuple[np.ndarray, np.ndarray]] | None = None,
) -> Picture:
    """Draw curves over a shared x.

    Parameters
    ----------
    x : ndarray, shape (n,)
        The shared places.
    series : mapping of str to ndarray, shape (n,)
        The heights, by the name of their curve.
    title : str
        The finding.
    across, what : str
        What x is, and what a height is.
    log : str
        The logarithmic axes: "", "x", "y" or "xy".
    points : mapping of str to tuple of two floats, optional
        Points to be marked and named.
    levels : mapping of str to float, optional
        Heights to be marked by a dotted line, by what they are.
    dots : sequence of str
        The series drawn as markers: measurements beside a derived curve.
    noisy : bool
        Whether the data reach down to rounding, whose digits differ between machines; then the words speak of shapes.
    whole : bool
        Whether x counts something: a tick at every x, and the other axis from zero.
    spread : mapping of str to tuple of two ndarrays, optional
        The lower and upper ends of a series, drawn as bars through its points.

    Returns
    -------
    Picture
        The curves.
    """
    figure = Figure(figsize=(9.2, 4.8), layout="constrained")
    ax = figure.subplots()
    for k, (label, y) in enumerate(series.items()):
        style: dict[str, Any] = {"ls": "none", "marker": MARKERS[k], "ms": 7} if label in dots else {"ls": STROKES[k]}
        ax.plot(x, y, label=label, color=COLOURS[k], **style)
        if spread and label in spread:
            ax.plot([x, x], spread[label], color=COLOURS[k], lw=1.5, label="_spread")
    if "x" in log:
        ax.set_xscale("log")
        if len(x) <= 8:  # a few sizes: say which, instead of the powers of ten between them
            ax.set_xticks(x, [f"{v:g}" for v in x])
            ax.set_xticks([], minor=True)
    if "y" in log:
        ax.set_yscale("log")
    _levels(ax, levels)
    if whole:
        ax.set_xticks(x)
        if "y" not in log:
            ax.set_ylim(0, 1.08 * max(max(y) for y in series.values()))
    for label, (px, py) in (points or {}).items():
        ax.plot(px, py, "o", ms=9, color="black")
        ax.annotate(label, (px, py), xytext=(0, 10), textcoords="offset points", ha="center", fontsize=11)
    ax.set_xlabel(across)
    ax.set_ylabel(what)
    ax.set_title(title)
    ax.grid(color="#E5E5E5")
    ax.set_axisbelow(True)
    if len(series) > 1:
        ax.legend(loc=BEST)
    if noisy:
        words = f"Curves: {', '.join(series)}"
        alt = f"Line plot, both axes logarithmic. Horizontal axis {across}, vertical axis {what}. {words}."
        return _unmarked(finish(figure, title, f"From left to right: {across}; upwards: {what}. {words}.", alt))
    courses = "; ".join(_course(label, x, np.asarray(y)) for label, y in series.items())
    if len(courses.split()[0]) > 2:  # a word, and no symbol
        courses = courses[0].upper() + courses[1:]
    return finish(figure, title, f"From left to right: {across}; upwards: {what}. {courses}.")


def _course(label: str, x: np.ndarray, y: np.ndarray) -> str:
    """How a curve runs, in words: up, down or level from end to end, and where its peak or trough lies between them."""
    ends = f"from {four_digits(y[0])} at {four_digits(x[0])} to {four_digits(y[-1])} at {four_digits(x[-1])}"
    up, down = (np.diff(y) > 1e-9).any(), (np.diff(y) < -1e-9).any()
    if not up and not down:
        return f"{label}: level at {four_digits(y[0])}"
    if not (up and down):
        return f"{label}: {'rising' if up else 'falling'} {ends}"
    top, low = first_largest(y), first_largest(-y)
    within = [
        f"{word} at {four_digits(x[k])}, with {four_digits(y[k])}"
        for word, k in (("highest", top), ("lowest", low))
        if 0 < k < len(y) - 1
    ]
    return f"{label}: {ends}" + (f", {' and '.join(within)}" if within else "")


def _unmarked(picture: Picture) -> Picture:
    """The same picture without a fingerprint: its data are rounding errors and differ between machines."""
    return Picture(picture.png, picture.width, picture.height, picture.alt, picture.caption, "rounding, not marked")


@styled
def nudge(before: np.ndarray, after: np.ndarray, names: Sequence[str], *, title: str, across: str) -> Picture:
    """Draw what one nudge does to weights: an arrow for each, from where it was to where it is.

    Parameters
    ----------
    before, after : ndarray, shape (n,)
        The weights.
    names : sequence of str
        What they belong to.
    title : str
        The finding.
    across : str
        What the places are.

    Returns
    -------
    Picture
        The arrows, each with its change.
    """
    figure = Figure(figsize=(9.2, 4.2), layout="constrained")
    ax = figure.subplots()
    for j, (a, b) in enumerate(zip(before, after)):
        colour = COLOURS[1] if b > a else COLOURS[3]
        ax.bar(j, a, 0.7, color="#E5E5E5", edgecolor=MUTED, label="_before")
        ax.plot([j - 0.35, j + 0.35], [b, b], color=colour, lw=2.5, label="_after")
        if abs(b - a) > 0.02:  # a shorter arrow is all head
            ax.annotate("", (j, b), (j, a), arrowprops={"arrowstyle": "-|>", "color": colour, "lw": 2, "shrinkA": 0, "shrinkB": 0})
        ax.text(j, max(a, b) + 0.02, f"{b - a:+.4f}", ha="center", va="bottom", fontsize=11, color="black")
    ax.set_xticks(range(len(names)), names)
    ax.set_xlabel(across)
    ax.set_ylabel("weight")
    ax.set_ylim(0, 1)
    ax.set_title(title)
    moved = after - before
    j = int(np.argmax(moved))
    others = ", ".join(f"{name} {x:+.4f}" for name, x in zip(names, moved) if name != names[j])
    caption = (
        f"Grey, the {len(names)} weights before the nudge; a coloured line marks each weight afterwards. "
        f"Weight {names[j]} gains {moved[j]:.4f}; the others change by {others}; the sum of all changes is {abs(moved.sum()):.4f}."
    )
    return finish(figure, title, caption, f"Bars with an arrow each. {caption}")


@styled
def reach(
    V: np.ndarray,
    names: Sequence[str],
    outputs: Mapping[str, np.ndarray],
    slopes: Mapping[str, np.ndarray],
    *,
    size: float,
    title: str,
) -> Picture:
    """Draw how far nudges of a query carry its output in the plane: each circle of nudges becomes an ellipse.

    Parameters
    ----------
    V : ndarray, shape (n, 2)
        The stored values, in the order of a walk around them.
    names : sequence of str
        What they are.
    outputs : mapping of str to ndarray, shape (2,)
        Where the output is, by what was asked.
    slopes : mapping of str to ndarray, shape (2, 2)
        The derivative of the output with respect to the query at each.
    size : float
        The length of a nudge.
    title : str
        The finding.

    Returns
    -------
    Picture
        The values, the outputs, and an ellipse around each.
    """
    figure = Figure(figsize=(9.2, 5.0), layout="constrained")
    ax = figure.subplots()
    ax.plot(*np.vstack([V, V[:1]]).T, color=MUTED, lw=1.2, label="_hull")
    turn = np.linspace(0, 2 * np.pi, 121)
    circle = size * np.stack([np.cos(turn), np.sin(turn)])
    parts = []
    for k, (label, o) in enumerate(outputs.items()):
        x, y = o[:, None] + slopes[label] @ circle
        ax.plot(x, y, color=COLOURS[k], ls=STROKES[k], label=label)
        ax.plot(*o, marker=MARKERS[k], color=COLOURS[k], ms=6, label="_output")
        up = k % 2 == 1  # neighbours have their words on two sides
        at = np.argmax(y) if up else np.argmin(y)
        ax.annotate(
            label,
            (x[at], y[at]),
            xytext=(-5 if up else 0, 5 if up else -5),
            textcoords="offset points",
            ha="left" if up else "center",
            va="bottom" if up else "top",
            fontsize=11,
        )
        long, short = np.linalg.svd(slopes[label])[1]
        parts.append(f"{label}: {long:.4f} and {short:.4f}")
    middle = V.mean(axis=0)
    for (x, y), name in zip(V, names):
        ax.plot(x, y, marker="s", ms=9, color="black", label="_value")
        ax.annotate(
            name,
            (x, y),
            xytext=(12 * np.sign(x - middle[0]), 12 * np.sign(y - middle[1]) * (x == middle[0])),
            textcoords="offset points",
            ha="left" if x > middle[0] else "right" if x < middle[0] else "center",
            va="center",
            fontsize=12,
        )
    ax.set_aspect("equal")
    ax.margins(0.12)
    ax.axis("off")
    ax.set_title(title)
    caption = (
        f"Black squares, the stored values. Around each output, where nudges of the query of length {size:g} in all directions "
        f"carry it, by its derivative. Half axes for a nudge of length one: {'; '.join(parts)}."
    )
    return finish(figure, title, caption, f"Drawing of {len(V)} values in the plane and {len(outputs)} ellipses. {caption}")


@styled
def ridges(
    samples: Mapping[str, np.ndarray],
    spreads: Mapping[str, float],
    *,
    title: str,
    across: tuple[str, str],
    curves: Mapping[str, Callable[[np.ndarray], np.ndarray]] | None = None,
) -> Picture:
    """Draw several densities one below the other: as they are (left), and each divided by its derived spread (right).

    Every ridge is drawn in units of its own spread, so that its height is the same on both sides and its width alone tells.

    Parameters
    ----------
    samples : mapping of str to ndarray
        What was drawn, a ridge each, from the top.
    spreads : mapping of str to float
        The standard deviation derived for each; the marks are joined from ridge to ridge.
    title : str
        The finding.
    across : tuple of two str
        What the two axes show.
    curves : mapping of str to callable, optional
        The density derived for a ridge, where it is not the normal one.

    Returns
    -------
    Picture
        Two panels of ridges.
    """
    figure = Figure(figsize=(11.6, 4.9), layout="constrained")
    reach = 3.2 * max(spreads.values())

    def normal(x: np.ndarray, spread: float) -> np.ndarray:
        return np.exp(-((x / spread) ** 2) / 2) / (spread * np.sqrt(2 * np.pi))

    for panel, (ax, label) in enumerate(zip(figure.subplots(1, 2, sharey=True), across)):
        marks = []
        for k, (name, sample) in enumerate(samples.items()):
            spread, base = spreads[name], -float(k)
            unit = 1.0 if panel == 0 else spread  # what the sample is divided by
            x = np.linspace(-reach if panel == 0 else -4.0, reach if panel == 0 else 4.0, 801)
            heights, edges = np.histogram(sample / unit, np.linspace(-4.5, 4.5, 55) * spread / unit, density=True)
            ax.stairs(1.8 * heights * spread / unit + base, edges, baseline=base, fill=True, color=COLOURS[4])
            curve = curves[name](x * unit) if curves and name in curves else normal(x * unit, spread)
            ax.plot(x, 1.8 * curve * spread + base, color="black", lw=1.5, label=f"_{name}")
            marks.append((spread / unit, base))
        for sign in (-1, 1):
            ax.plot(
                [sign * at for at, _ in marks], [base for _, base in marks], "o--", color=COLOURS[1], lw=1.5, ms=5, label="_spread"
            )
        ax.set(xlim=(x[0], x[-1]), ylim=(0.88 - len(samples), 1.05))
        ax.set_yticks([base for _, base in marks], samples)
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)
        ax.set_xlabel(label)
    figure.suptitle(title, x=0.01, ha="left", fontsize=13)
    parts = ", ".join(f"{name} {s.std():.3f} ({spreads[name]:g})" for name, s in samples.items())
    caption = (
        f"Blue, how often each value was drawn; black, the derived curve; orange dots, one derived standard deviation to either "
        f"side. Standard deviations, measured (and derived): {parts}. Right, each score divided by the derived one."
    )
    return finish(figure, title, caption, f"Two panels of {len(samples)} curves, one below the other. {caption}")


# --- drawings --------------------------------------------------------------------------------------------------------

# One place per entity: people on the left, what they write in the middle, what it is about on the right.
PLACES = {
    "mit": (0.0, 3.0),
    "cmu": (0.0, 0.5),
    "alice": (1.1, 3.0),
    "dave": (1.8, 4.0),
    "erin": (1.8, 2.0),
    "bob": (1.1, 0.9),
    "carol": (1.8, 0.0),
    "p2": (3.0, 3.8),
    "p3": (3.6, 2.3),
    "p1": (3.0, 0.6),
    "ml": (4.7, 3.8),
    "nesy": (4.7, 2.3),
    "logic": (4.7, 0.6),
}


def _nodes(ax, places: Mapping[str, tuple[float, float]]) -> None:
    for k, concept in enumerate(CONCEPTS):
        own = [name for name in ENTITIES if TYPES[name] == concept]
        ax.plot(
            *zip(*(places[name] for name in own)), ls="none", marker=MARKERS[k], ms=34, color=COLOURS[k], mec="black", label=concept
        )
    for name, (x, y) in places.items():
        ax.text(
            x,
            y,
            name,
            ha="center",
            va="center",
            fontsize=11,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1},
        )
    ax.margins(0.16)
    ax.axis("off")


def _arrow(ax, a: str, b: str, bend: float, places: Mapping[str, tuple[float, float]], **style) -> None:
    ax.add_patch(FancyArrowPatch(places[a], places[b], connectionstyle=f"arc3,rad={bend}", shrinkA=18, shrinkB=18, **style))


@styled
def world() -> Picture:
    """Draw the knowledge graph: types by colour and shape, relations by colour and stroke.

    Returns
    -------
    Picture
        The facts as arrows between the entities.
    """
    figure = Figure(figsize=(11.0, 6.4), layout="constrained")
    ax = figure.subplots()
    _nodes(ax, PLACES)
    ends = [ax.plot([], ls=STROKES[k], color=EDGES[k], label=relation)[0] for k, relation in enumerate(RELATIONS)]
    for subject, relation, object_ in TRIPLES:
        k = RELATIONS.index(relation)
        _arrow(ax, subject, object_, 0.12, PLACES, arrowstyle="-|>", mutation_scale=16, color=EDGES[k], ls=STROKES[k], lw=1.8)
    ax.set(xlim=(-0.4, 6.6), ylim=(-0.5, 4.5))  # the right-hand side is for the legends
    types = ax.legend(
        handles=ax.lines[: len(CONCEPTS)], loc="upper right", title="types", labelspacing=0.9, handletextpad=1.0, markerscale=0.5
    )
    ax.add_artist(types)
    ax.legend(handles=ends, loc="lower right", title="relations", handlelength=3.5)
    title = f"{len(TRIPLES)} facts: bob has a student, a paper and a place, and each answers another question"
    ax.set_title(title)
    counts = ", ".join(f"{sum(r == relation for _, r, _ in TRIPLES)} {relation}" for relation in RELATIONS)
    facts = "; ".join(f"{s} {r} {o}" for s, r, o in TRIPLES)
    return finish(
        figure, title, f"The academic world. Arrows run from subject to object: {counts}.", f"Directed graph. The facts: {facts}."
    )


@styled
def wirings(given: np.ndarray, computed: np.ndarray, query: str) -> Picture:
    """Draw one node's neighbours: the edges a graph gives it, and the weights that attention computes for it.

    Parameters
    ----------
    given : ndarray, shape (13, 13)
        The adjacency, true where there is an edge.
    computed : ndarray, shape (13, 13)
        The weights of attention.
    query : str
        The entity in the middle.

    Returns
    -------
    Picture
        Two drawings side by side; the thicker an arrow, the larger its weight.
    """
    figure = Figure(figsize=(11.6, 5.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    i, middle = index(query), "middle"
    turn = 2 * np.pi * np.arange(len(ENTITIES)) / len(ENTITIES)
    places = {name: (2 * np.cos(t), 2 * np.sin(t)) for name, t in zip(ENTITIES, turn)}
    near = [ENTITIES[j] for j in np.flatnonzero(given[i])]
    for ax, row, name in (
        (left, given[i] / given[i].sum(), f"the graph: {len(near)} neighbours, equal weights"),
        (right, computed[i], f"attention: all {len(ENTITIES)}, weights from queries and keys"),
    ):
        _nodes(ax, places)
        ax.plot(0, 0, marker="o", ms=38, color="white", mec="black", mew=1.5)
        ax.text(0, 0, query, ha="center", va="center", fontsize=11, fontweight="bold")
        for j in np.flatnonzero(row):
            style = {"arrowstyle": "-|>", "mutation_scale": 14, "color": "black", "lw": 0.4 + 14 * row[j]}
            _arrow(ax, ENTITIES[j], middle, 0.0, {**places, middle: (0.0, 0.0)}, **style)
        for j in np.argsort(-row, kind="stable")[:3]:  # the largest three are told
            box = {"facecolor": "white", "edgecolor": "none", "pad": 1}
            ax.text(*(0.56 * np.array(places[ENTITIES[j]])), f"{row[j]:.2f}", ha="center", va="center", fontsize=11, bbox=box)
        ax.set_title(name)
    top = ENTITIES[int(np.argmax(computed[i]))]
    finding = f"{query} hears {len(near)} neighbours over the graph, and by attention all {len(ENTITIES)} entities"
    figure.suptitle(finding, x=0.01, ha="left", fontsize=13)
    caption = (
        f"The {len(ENTITIES)} entities stand in a ring and send messages to {query} in the middle; the thicker an arrow, the larger its "
        f"weight. Left, over the graph, {query} hears {', '.join(near[:-1])} and {near[-1]}, each with the weight {1 / len(near):.4f}. "
        f"Right, attention gives every entity a weight: the largest is {computed[i].max():.4f}, for {top}, and that of {query} is "
        f"{computed[i, i]:.4f}."
    )
    return finish(figure, finding, caption, f"Two drawings of the graph's nodes with arrows towards {query}. {caption}")


@styled
def tiles(kept: Sequence[tuple[float, float]], names: Sequence[str], block: tuple[int, int], query: str) -> Picture:
    """Draw scores that are read tile by tile, and what one row hands on from tile to tile.

    Parameters
    ----------
    kept : sequence of pairs (float, float)
        For each block of keys the largest score so far and the sum so far, in the row of ``query``.
    names : sequence of str
        The n queries, which are the keys too.
    block : tuple of two int
        How many queries and how many keys are in a tile.
    query : str
        The row that is followed.

    Returns
    -------
    Picture
        The square in tiles: read, held, to come; beside it a box after each block of keys.
    """
    n, (rows, columns) = len(names), block
    figure = Figure(figsize=(9.2, 5.0))
    ax = figure.subplots()
    figure.subplots_adjust(left=0.09, right=0.99, top=0.93, bottom=0.17)
    strip, lit = names.index(query) // rows, len(kept) // 2
    for i in range(0, n, rows):
        for j in range(0, n, columns):
            place = (i // rows - strip, j // columns - lit)
            word, colour = (
                ("held", COLOURS[0]) if place == (0, 0) else ("read", "#DDDDDD") if place < (0, 0) else ("to come", "white")
            )
            wide, high = min(columns, n - j), min(rows, n - i)
            ax.add_patch(Rectangle((j - 0.5, i - 0.5), wide, high, facecolor=colour, edgecolor="black", lw=1.2))
            ink_there = str(stands_out(np.array(to_rgb(colour))))
            ax.text(j + wide / 2 - 0.5, i + high / 2 - 0.5, word, ha="center", va="center", fontsize=12, color=ink_there)
    ax.set(xlim=(-0.6, 1.85 * n), ylim=(n - 0.4, -0.6))
    ax.set_xticks(range(n), names, rotation=90)
    ax.set_yticks(range(n), names)
    ax.set_xlabel("key", x=0.27)
    ax.set_ylabel("query")
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ends = [min(j + columns, n) for j in range(0, n, columns)]
    places = [(1.5 * n, (k + 0.5) * n / len(kept) - 0.5) for k in range(len(kept))]
    for k, (end, (top, total)) in enumerate(zip(ends, kept)):
        box = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": COLOURS[0] if k == lit else "#888888", "lw": 1.5}
        words = f"{query}, after {end} keys:\nlargest score {top:z.4f}\nsum {total:z.4f}"
        ax.text(*places[k], words, ha="center", va="center", fontsize=12, bbox=box)
    for start, end in zip(places, places[1:]):
        ax.add_patch(
            FancyArrowPatch(start, end, shrinkA=33, shrinkB=33, arrowstyle="-|>", mutation_scale=16, color="black", lw=1.8)
        )
    finding = f"{len(ends)} tiles to a row, one held at a time: {query} hands on a maximum, a sum and a blend"
    ax.set_title(finding)
    steps = ", ".join(
        f"{'' if k else 'the largest score '}{top:z.4f} and {'' if k else 'the sum '}{total:z.4f} after {end} keys"
        for k, (end, (top, total)) in enumerate(zip(ends, kept))
    )
    caption = (
        f"The square holds the scores of {n} queries and {n} keys, in tiles of at most {rows} by {columns}. Grey tiles have been "
        f"read and forgotten, the blue one is in memory, white ones are to come. Right, beside its blend the row "
        f"of {query} hands on {steps}."
    )
    return finish(figure, finding, caption, f"Drawing of a square in tiles, with {len(kept)} boxes joined by arrows. {caption}")


@styled
def ribbons(
    steps: Mapping[str, np.ndarray], true: Sequence[np.ndarray], names: Sequence[str], start: str, *, title: str
) -> Picture:
    """Draw how weight moves from a start through several lookups, one after the other: the more weight, the wider the band.

    Parameters
    ----------
    steps : mapping of str to ndarray, shape (n, n)
        The weights of each lookup, by what it looks up, in the order in which they are made.
    true : sequence of ndarray, shape (n, n)
        For each lookup a boolean matrix: where a band keeps to the facts.
    names : sequence of str
        The n entities.
    start : str
        Where all weight is at the beginning.
    title : str
        The finding.

    Returns
    -------
    Picture
        A column of names before the first lookup and after each; what keeps to the facts is drawn in colour.
    """
    figure = Figure(figsize=(11.6, 5.2), layout="constrained")
    ax = figure.subplots()
    n, bend = len(names), (1 - np.cos(np.linspace(0, np.pi, 100))) / 2
    mass = np.eye(n)[list(names).index(start)]
    kept, masses, shares = mass, [mass], []
    for hop, (A, E) in enumerate(zip(steps.values(), true)):
        across = hop + 0.2 + 0.6 * np.linspace(0, 1, 100)
        for flow, colour in ((mass[:, None] * A, MUTED), (kept[:, None] * A * E, COLOURS[0])):  # the facts on top
            for i, j in np.argwhere(flow > 0.002):  # narrower than a hair
                ax.plot(
                    across, i + (j - i) * bend, color=colour, lw=max(0.8, 22 * flow[i, j]), solid_capstyle="butt", label="_band"
                )
        mass, kept = mass @ A, kept @ (A * E)
        masses.append(mass)
        shares.append(kept.sum())
    for column, here in enumerate(masses):
        for j, name in enumerate(names):
            large = here[j] > 0.02
            text = f"{name} {here[j]:.4f}" if large and column else name
            ax.text(column, j, text, ha="center", va="center", fontsize=11 if large else 10, color="black" if large else "#767676")
    for hop, name in enumerate(steps):
        ax.text(hop + 0.5, -1.1, name, ha="center", va="center", fontsize=13, fontweight="bold")
    ax.set(xlim=(-0.25, len(steps) + 0.25), ylim=(n - 0.4, -1.6))
    ax.axis("off")
    ax.set_title(title)
    after = "; ".join(
        f"after {name} {share:.4f} keeps to the facts, and most is on {names[first_largest(here)]} with {here.max():.4f}"
        for name, share, here in zip(steps, shares, masses[1:])
    )
    caption = (
        f"All weight starts at {start}; each column shows where it is after one more lookup, and the wider a band, the more weight takes "
        f"that way. Blue bands keep to the facts, grey ones leak: {after}."
    )
    return finish(figure, title, caption, f"Bands between {len(masses)} columns of {n} names. {caption}")


@styled
def soft_dictionary(
    q: np.ndarray, K: np.ndarray, V: np.ndarray, weights: np.ndarray, output: np.ndarray, names: Sequence[str]
) -> Picture:
    """Draw one lookup: the query meets every key, and each value leaves by a line, the thicker the larger its weight.

    Parameters
    ----------
    q : ndarray, shape (d_k,)
        The query.
    K : ndarray, shape (n, d_k)
        The keys.
    V : ndarray, shape (n, d_v)
        The values.
    weights : ndarray, shape (n,)
        The weight of each slot.
    output : ndarray, shape (d_v,)
        The weighted sum of the values.
    names : sequence of str
        The n slots.

    Returns
    -------
    Picture
        The drawing.
    """
    n = len(names)
    figure = Figure(figsize=(11.6, 4.9), layout="constrained")
    ax = figure.subplots()
    norm = Normalize(*shared_limits(True, q, K, V))
    cmap = mpl.colormaps[SIGNED]

    def strip(x: float, y: float, v: np.ndarray) -> None:
        for j, entry in enumerate(v):
            ax.add_patch(Rectangle((x + 0.34 * j, y - 0.2), 0.34, 0.4, facecolor=cmap(norm(entry)), edgecolor="black"))
            ax.text(
                x + 0.34 * j + 0.17,
                y,
                with_minus(f"{entry:z.1f}"),
                ha="center",
                va="center",
                fontsize=10,
                color=str(stands_out(cmap(norm(entry)))),
            )

    middle = (n - 1) / 2
    strip(0.0, middle, q)
    strip(9.3, middle, output)
    for j, name in enumerate(names):
        y = n - 1 - j
        strip(2.9, y, K[j])
        strip(6.3, y, V[j])
        ax.text(2.8, y, name, ha="right", va="center")
        key_end, value_end = 2.9 + 0.34 * K.shape[1], 6.3 + 0.34 * V.shape[1]
        ax.plot([0.34 * len(q) + 0.05, 2.5], [middle, y], color=MUTED, lw=1.2)
        ax.plot([key_end, 6.3], [y, y], color=COLOURS[0], lw=0.5 + 16 * weights[j], solid_capstyle="butt", zorder=0)
        ax.plot([value_end, 9.25], [y, middle], color=COLOURS[0], lw=0.5 + 16 * weights[j], solid_capstyle="butt", zorder=0)
        ax.text((key_end + 6.3) / 2, y + 0.3, f"weight {weights[j]:.2f}", ha="center", fontsize=11)
    for x, word in ((0.0, "query q"), (2.9, "keys k"), (6.3, "values v"), (9.3, "output o")):
        ax.text(x, n - 0.35, word, fontsize=13, fontweight="bold")
    ax.set_xlim(-0.1, 9.4 + 0.34 * len(output))
    ax.set_ylim(-0.6, n - 0.1)
    ax.axis("off")
    best = names[int(np.argmax(weights))]
    title = f"Every slot answers; {best}, whose key fits best, answers loudest"
    ax.set_title(title)
    listed = ", ".join(f"{name} {w:.4f}" for name, w in zip(names, weights))
    caption = (
        f"One soft lookup. The query is compared with every key; the weights are {listed}; each value leaves by a line, "
        f"the thicker the larger its weight, and the output is their sum, [{', '.join(f'{x:z.4f}' for x in output)}]."
    )
    alt = f"Drawing of a query, {n} slots with a key and a value each, and an output. {caption}"
    return finish(figure, title, caption, alt)


@styled
def ranges(
    low: np.ndarray,
    high: np.ndarray,
    drawn: np.ndarray,
    names: Sequence[str],
    *,
    title: str,
    what: str,
    across: str,
    fixed: str,
    dot: str,
) -> Picture:
    """For each name a bar over all values that are possible while ``fixed`` stays as it is, and a dot at the one it has.

    Parameters
    ----------
    low, high : ndarray, shape (n,)
        The ends of the bars.
    drawn : ndarray, shape (n,)
        The heights of the dots.
    names : sequence of str
        One for each bar.
    title, what, across : str
        The finding, and the names of the upright and the level axis.
    fixed : str
        What all values of a bar have in common, for the caption.
    dot : str
        What a dot is, for the caption.

    Returns
    -------
    Picture
        Its upright axis runs from 0 to 1.
    """
    figure = Figure(figsize=(9.2, 4.6), layout="constrained")
    ax = figure.subplots()
    ax.bar(range(len(names)), high - low, 0.5, bottom=low, color=COLOURS[4], label=f"every value with {fixed}")
    ax.plot(range(len(names)), drawn, ls="none", marker="o", ms=8, color="black", label=dot)
    for k, top in enumerate(high):
        ax.text(k, top + 0.015, f"{top:.2f}", ha="center", fontsize=11)
    ax.set_xticks(range(len(names)), names)
    ax.set_xlim(-0.6, len(names) - 0.4)
    ax.set_ylim(0, 1)
    ax.set_xlabel(across)
    ax.set_ylabel(what)
    ax.set_title(title)
    ax.legend(loc="upper left")
    listed = "; ".join(f"{n}: {a:.4f} to {b:.4f}, dot at {x:.4f}" for n, a, b, x in zip(names, low, high, drawn))
    k = first_largest(high - low)
    caption = (
        f"A bar covers every value that is possible with {fixed}, and its dot marks {dot}. The longest bar is that of {names[k]}: it "
        f"goes from {low[k]:.4f} to {high[k]:.4f}, and its dot lies at {drawn[k]:.4f}."
    )
    return finish(
        figure, title, caption, f"Bar chart. Horizontal axis {across}, vertical axis {what} from 0 to 1. {caption} All: {listed}."
    )


@styled
def swapped_worlds(
    facts: Mapping[str, Mapping[str, str]], outputs: Mapping[str, Mapping[str, np.ndarray]], *, who: str, title: str
) -> Picture:
    """Two small graphs, left and right, and between them a plane with a dot for each output that is read from them.

    Parameters
    ----------
    facts : mapping of str to mapping
        For each of two worlds the relations of ``who``, and whom each leads to.
    outputs : mapping of str to mapping
        For each world its outputs by name (one head may have the name ""); the plane shows their first two coordinates.
    who : str
        The entity that both worlds are about.
    title : str
        The finding.

    Returns
    -------
    Picture
        Dots that coincide carry the names of both outputs.
    """
    figure = Figure(figsize=(11.6, 4.4), layout="constrained")
    ax = figure.subplots()
    places = np.array([output[:2] for own in outputs.values() for output in own.values()])
    middle, size = (places.max(axis=0) + places.min(axis=0)) / 2, max(np.ptp(places, axis=0).max(), 1e-9)
    ax.add_patch(Rectangle((4.1, 0.2), 3.4, 3.6, facecolor="#F5F5F5", edgecolor=MUTED))
    ax.text(5.8, -0.1, "first two coordinates of the output", ha="center", va="center", fontsize=11)
    card, blank = (
        {"boxstyle": "round", "facecolor": "white", "edgecolor": "black"},
        {"facecolor": "white", "edgecolor": "none", "pad": 1},
    )
    named: dict[tuple[float, float], list[str]] = {}
    ends = zip(facts, (0.5, 11.1), (1.9, 9.7), COLOURS, ("left", "right"))
    for world, start, inner, colour, side in ends:
        ax.text(start, 3.7, f"{world} world", ha=side, fontsize=13, fontweight="bold", color=colour)
        ax.text(start, 2.0, who, ha=side, va="center", bbox=card)
        edge = start + (0.55 if side == "left" else -0.55)
        for (relation, filler), y in zip(facts[world].items(), (3.0, 1.0)):
            ax.add_patch(FancyArrowPatch((edge, 2.0), (inner, y), arrowstyle="-|>", mutation_scale=16, color=colour, lw=1.8))
            ax.text((edge + inner) / 2, (2 + y) / 2, relation, ha="center", va="center", fontsize=11, bbox=blank)
            ax.text(inner + (0.1 if side == "left" else -0.1), y, filler, ha=side, va="center", bbox=card)
        for name, output in outputs[world].items():
            x, y = (5.8, 2.0) + 2.0 * (output[:2] - middle) / size * (size > 1e-6)
            named.setdefault((round(x, 3), round(y, 3)), []).append(f"{world}{': ' + name if name else ''}")
            near = (2.9 if side == "left" else 8.7, 2.0)
            ax.add_patch(
                FancyArrowPatch(
                    near, (x, y), arrowstyle="-|>", mutation_scale=16, color=colour, lw=1.8, shrinkB=8, ls=STROKES[side == "right"]
                )
            )
    for (x, y), whose in named.items():
        ax.plot(x, y, "o", ms=12, color="black", label="_output")
        ax.text(x, y + (0.22 if y >= 2 else -0.22), "\n".join(whose), ha="center", va="bottom" if y >= 2 else "top", fontsize=11)
    ax.set(xlim=(0.2, 11.4), ylim=(-0.3, 4.0))
    ax.axis("off")
    ax.set_title(title)
    spots: dict[str, list[str]] = {}
    for world, own in outputs.items():
        for name, output in own.items():
            spot = f"({output[0]:z.4f}, {output[1]:z.4f})"
            spots.setdefault(spot, []).append(f"the {name} of the {world} world" if name else f"the {world} world")
    read = "; ".join(
        f"at {spot} {'lie those' if len(whose) > 1 else 'lies that'} of {' and '.join(whose)}" for spot, whose in spots.items()
    )
    told = "; ".join(
        f"in the {world} world " + " and ".join(f"{who} {relation} {filler}" for relation, filler in own.items())
        for world, own in facts.items()
    )
    caption = f"Left and right, the facts: {told}. The plane shows the first two coordinates of the outputs: {read}."
    return finish(figure, title, caption, f"Two small graphs and a plane between them. {caption}")
