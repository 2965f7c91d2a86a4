"""Pictures in which one thing moves: each function builds a figure once and says how a value changes it.

A `Scene` can be shown still, at one value (`picture_at`), or as a run of frames that a slider switches (`frames`). Both go
through the same `move`, so the picture above a slider and the slider's own frames cannot disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from attention_chapter.figures import COLOURS, MUTED, draw_map, ink, outline, shared_limits
from attention_chapter.picture import SHOWN, Picture, describe, encode, fingerprint, finish, in_words, palette, styled, with_minus
from attention_core import closed_form_weight, retrieve, softmax, softmax_jacobian
from kg import ENTITIES, TYPES, index


@dataclass(frozen=True)
class Scene:
    """Hold a figure in which something moves.

    Attributes
    ----------
    figure : Figure
        What is drawn.
    moving : sequence of Artist
        What moves in it, in drawing order.
    move : callable
        Sets the artists for a value, and returns the finding at that value.
    reading : str
        How to read the picture, the same at every value.
    """

    figure: Figure
    moving: Sequence[Artist]
    move: Callable[[Any], str]
    reading: str  # how to read the picture, the same at every value


@styled
def picture_at(scene: Scene, value: object) -> Picture:
    """Draw a scene at one value, as a picture of its own.

    Parameters
    ----------
    scene : Scene
        What moves.
    value : object
        One of its values.

    Returns
    -------
    Picture
        The scene there.
    """
    finding = scene.move(value)
    return finish(scene.figure, finding, f"{scene.reading} Here: {finding}.")


def frames(scene: Scene, values: Sequence[object]) -> Iterator[Picture]:
    """Draw a scene at each value; what stands still is drawn once, and what moves onto a copy of it.

    Parameters
    ----------
    scene : Scene
        What moves.
    values : sequence of object
        Its values, in order.

    Yields
    ------
    Picture
        The scene at the next value.
    """
    figure = scene.figure
    canvas = FigureCanvasAgg(figure)
    figure.set_dpi(SHOWN)
    for artist in scene.moving:
        artist.set_animated(True)
    styled(canvas.draw)()
    background = canvas.copy_from_bbox(figure.bbox)

    @styled
    def drawn(k: int) -> tuple[np.ndarray, tuple[str, str, str]]:
        finding = scene.move(values[k])
        canvas.restore_region(background)
        for artist in scene.moving:
            figure.draw_artist(artist)
        return np.array(canvas.buffer_rgba()), (in_words(f"{finding}. {describe(figure)}"), in_words(finding), fingerprint(figure))

    try:
        # One palette serves all, since finding one takes longer than drawing a frame: from every ninth pixel of fifteen
        # frames, as each may have colours of its own.
        some = {k: drawn(k) for k in sorted({int(k) for k in np.linspace(0, len(values) - 1, 15)})}
        colours = palette(np.concatenate([pixels[::3, ::3] for pixels, _ in some.values()]))
        for k in range(len(values)):
            pixels, words = some.pop(k, None) or drawn(k)
            yield Picture(encode(pixels, colours), *canvas.get_width_height(), *words)
    finally:
        for artist in scene.moving:
            artist.set_animated(False)


def _bars(ax, names: Sequence[str], top: float, colour: str = COLOURS[0]):
    """Bars at height 0 with a number above each, to be moved, on named places."""
    drawn = ax.bar(range(len(names)), np.zeros(len(names)), color=colour)
    labels = [ax.text(j, 0, "", ha="center", va="bottom", fontsize=10) for j in range(len(names))]
    ax.set_xticks(range(len(names)), names)
    ax.set_ylim(0, top)
    ax.set_ylabel("weight")
    return drawn, labels


def _raise_bars(drawn, labels, heights: np.ndarray, ceiling: float) -> None:
    for bar, label, h in zip(drawn, labels, heights):
        bar.set_height(h)
        label.set_position((label.get_position()[0], h + 0.01 * ceiling))
        label.set_text(f"{h:.4f}")


@styled
def query_row(A: np.ndarray, O: np.ndarray) -> Scene:
    """Show one entity's row of A as bars, and its output.

    Parameters
    ----------
    A : ndarray, shape (13, 13)
        The weights.
    O : ndarray, shape (13, d_v)
        The outputs.

    Returns
    -------
    Scene
        Its value is the name of the entity that asks.
    """
    figure = Figure(figsize=(10.4, 4.4))
    left, right = figure.subplots(1, 2, width_ratios=(3.4, 1))
    figure.subplots_adjust(left=0.075, right=0.985, top=0.96, bottom=0.13, wspace=0.24)
    top = 1.15 * A.max()
    drawn, labels = _bars(left, ENTITIES, top)
    left.set_xlabel("key")
    reach = 1.25 * abs(O).max()
    out = right.bar(range(O.shape[1]), np.zeros(O.shape[1]), color=COLOURS[1], hatch="///", edgecolor="white")
    out_labels = [right.text(j, 0, "", ha="center", fontsize=10) for j in range(O.shape[1])]
    right.axhline(0, color="black", lw=1)
    right.set_ylim(-reach, reach)
    right.set_xticks(range(O.shape[1]))
    right.set_xlabel("coordinate of the output")

    def move(name: str) -> str:
        row, output = A[index(name)], O[index(name)]
        _raise_bars(drawn, labels, row, top)
        for bar, label, h in zip(out, out_labels, output):
            bar.set_height(h)
            label.set_position((label.get_position()[0], h + (0.02 if h >= 0 else -0.06) * reach))
            label.set_text(with_minus(f"{h:z.4f}"))
        first = ENTITIES[int(np.argmax(row))]
        return f"{name} ({TYPES[name]}) attends most to {first}, with weight {row.max():.4f}"

    return Scene(
        figure,
        [*drawn, *labels, *out, *out_labels],
        move,
        "Left, the weights of one query over the 13 keys; right, the four numbers of its output.",
    )


@styled
def retrieval(values: np.ndarray) -> Scene:
    """Show four orthonormal keys asked for slot 2: the weights as bars, and the curve of the asked-for weight with a point.

    Parameters
    ----------
    values : ndarray, shape (4, d_v)
        What the slots store.

    Returns
    -------
    Scene
        Its value is the sharpness c.
    """
    n, slot, end = len(values), 2, 8.0
    figure = Figure(figsize=(10.4, 4.4))
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.5))
    figure.subplots_adjust(left=0.075, right=0.985, top=0.96, bottom=0.13, wspace=0.22)
    drawn, labels = _bars(left, [f"slot {j}" for j in range(n)], 1.0)
    left.set_ylabel("weight")
    c = np.linspace(0, end, 161)
    right.plot(c, closed_form_weight(c, n), color=COLOURS[0], label="weight of slot 2, closed form")
    right.plot(c, 1 - closed_form_weight(c, n), color=COLOURS[1], ls="--", label="leak, closed form")
    right.text(4.4, 0.9, "weight of slot 2", color=COLOURS[0], va="top")
    right.text(4.4, 0.1, "leak, to the other slots", color=COLOURS[1])
    (point,) = right.plot([], "o", ms=10, color="black", label="_measured")
    (leak,) = right.plot([], "s", ms=8, color="black", mfc="white", label="_leak")
    right.set_xlabel("sharpness $c$")
    right.set_ylim(0, 1)

    def move(at: float) -> str:
        got = retrieve(np.eye(n), values, slot, at)
        p = got.weights[slot]
        _raise_bars(drawn, labels, got.weights, 1.0)
        point.set_data([at], [p])
        leak.set_data([at], [1 - p])
        return f"c = {at:.1f}: slot 2 gets {p:.4f}, {1 - p:.4f} leaks, cosine {got.cosine:.4f}"

    return Scene(
        figure,
        [*drawn, *labels, point, leak],
        move,
        "Left, the four weights at this sharpness. Right, the weight of the slot asked for and the leak at every sharpness; "
        "the two marks are measured at this one.",
    )


@styled
def widths(dots: Mapping[int, np.ndarray]) -> Scene:
    """Show scores of one key width, raw and divided by the root of the width, on fixed axes.

    Parameters
    ----------
    dots : mapping of int to ndarray, shape (N,)
        The scores, by their width.

    Returns
    -------
    Scene
        Its value is the width d_k.
    """
    edges = np.linspace(-75, 75, 151)
    figure = Figure(figsize=(10.4, 4.4))
    axes = figure.subplots(1, 2)
    figure.subplots_adjust(left=0.09, right=0.985, top=0.96, bottom=0.14)
    steps, curves = [], []
    for ax, name, top in zip(axes, ("score", "score over the root of the width"), (0.26, 0.62)):
        steps.append(ax.stairs([0], fill=True, color=COLOURS[4], label="measured"))
        curves.append(ax.plot([], color="black", lw=1.5, label="derived normal curve")[0])
        ax.set_xlabel(name)
        ax.set_ylim(0, top)
        ax.set_xlim(-75, 75)
    axes[0].set_ylabel("density")
    axes[1].set_xlim(-5, 5)
    axes[1].legend(loc="upper right")
    narrow = np.linspace(-5, 5, 101)

    def move(d_k: int) -> str:
        for step, curve, sample, bins, spread in (
            (steps[0], curves[0], dots[d_k], edges, np.sqrt(d_k)),
            (steps[1], curves[1], dots[d_k] / np.sqrt(d_k), narrow, 1.0),
        ):
            step.set_data(np.histogram(sample, bins)[0] / len(sample) / (bins[1] - bins[0]), bins)
            at = np.linspace(bins[0], bins[-1], 601)
            curve.set_data(at, np.exp(-((at / spread) ** 2) / 2) / (spread * np.sqrt(2 * np.pi)))
        return (
            f"width {d_k}: standard deviation {dots[d_k].std():.3f}, and {(dots[d_k] / np.sqrt(d_k)).std():.3f} after the division"
        )

    return Scene(
        figure,
        [*steps, *curves],
        move,
        "Blue, how often each score was drawn; black, the normal curve with the derived standard deviation. Left the scores, "
        "right the scores divided by the root of the width.",
    )


@styled
def temperature(z: np.ndarray) -> Scene:
    """Show softmax(z / T) as bars, and its derivative with respect to z, J / T, as a heat map on fixed limits.

    Parameters
    ----------
    z : ndarray, shape (n,)
        The logits.

    Returns
    -------
    Scene
        Its value is the temperature T, from 0.1 to 10.
    """
    names = [f"{i}" for i in range(len(z))]
    figure = Figure(figsize=(10.4, 4.4))
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.3))
    figure.subplots_adjust(left=0.075, right=0.94, top=0.96, bottom=0.13, wspace=0.22)
    drawn, labels = _bars(left, names, 1.0)
    left.set_xlabel("slot $i$")
    left.set_ylabel("weight $p_i$")
    limits = shared_limits(True, *(softmax_jacobian(softmax(z / T)) / T for T in np.geomspace(0.1, 10, 41)))
    image, cells = draw_map(right, np.zeros((len(z), len(z))), names, names, limits, True, 4)
    right.set_xlabel("logit $j$ that is nudged")
    right.set_ylabel("weight $i$ that moves")
    figure.colorbar(image, ax=right, label=r"$\partial p_i/\partial z_j$", pad=0.02)

    def move(T: float) -> str:
        p = softmax(z / T)
        J = softmax_jacobian(p) / T
        _raise_bars(drawn, labels, p, 1.0)
        image.set_data(J)
        for cell, (i, j), colour in zip(cells, np.ndindex(J.shape), ink(image, J).flat):
            cell.set_text(f"{J[i, j]:z.4f}" if j <= i else "")  # J is symmetric
            cell.set_color(str(colour))
        return f"T = {T:.2f}: largest weight {p.max():.4f}, norm of dp/dz {np.linalg.norm(J, 2):.4f}"

    return Scene(
        figure,
        [*drawn, *labels, image, *cells],
        move,
        "Left, the weights of five logits divided by the temperature T; right, their derivative with "
        "respect to the logits, J / T, orange positive, purple negative, on one scale for every T. The matrix is symmetric, so "
        "that each number is written once.",
    )


@styled
def crosstalk(n: int, p: float) -> Scene:
    """Show n unit keys with one common cosine: the weight of the one asked for against c, and the c that gives it p.

    Parameters
    ----------
    n : int
        How many keys.
    p : float
        The weight that is wanted, between 0 and 1.

    Returns
    -------
    Scene
        Its value is the cosine rho.
    """
    end = 70.0
    figure = Figure(figsize=(10.4, 4.4))
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.5))
    figure.subplots_adjust(left=0.02, right=0.985, top=0.96, bottom=0.13, wspace=0.14)
    turn = 2 * np.pi * (np.arange(n) + 0.5) / n
    left.plot([0, 0], [0, 1.08], color=MUTED, ls=":", label="_shared")
    left.text(0, 1.1, "what all keys share", ha="center", va="bottom", fontsize=11)
    (rim,) = left.plot([], color=MUTED, lw=1.5, label="_rim")
    ribs = [left.plot([], color=COLOURS[0], marker="o", markevery=[1], ms=7, lw=2.5, label="_key")[0] for _ in range(n)]
    left.set(xlim=(-1.15, 1.15), ylim=(-0.45, 1.3), aspect="equal")
    left.axis("off")
    angle = left.text(0, -0.33, "", ha="center", va="top", fontsize=11)
    c = np.linspace(0, end, 241)
    right.plot(c, closed_form_weight(c, n), color=MUTED, label="orthonormal keys, for comparison")
    (curve,) = right.plot(c, np.zeros_like(c), color=COLOURS[0], ls="--", label="these keys")
    right.axhline(p, color="black", lw=1, ls=":", label="_wanted")
    right.text(48, p + 0.01, f"{p} wanted", ha="center", va="bottom", fontsize=11)
    (point,) = right.plot([], "o", ms=10, color="black", label="_needed")
    right.set_xlabel("sharpness $c$")
    right.set_ylabel("weight of the slot asked for")
    right.set_ylim(0, 1)
    right.legend(loc="lower right")

    def move(rho: float) -> str:
        up = np.sqrt((1 + (n - 1) * rho) / n) if rho > -1 / (n - 1) else 0.0  # the cosine between a key and the mean of all
        out = np.sqrt(1 - up**2)
        for rib, at in zip(ribs, turn):
            rib.set_data([0, out * np.cos(at)], [0, up + 0.25 * out * np.sin(at)])
        around = np.linspace(0, 2 * np.pi, 91)
        rim.set_data(out * np.cos(around), up + 0.25 * out * np.sin(around))
        degrees = np.degrees(np.arccos(up))
        angle.set_text(f"{degrees:.0f} degrees")
        curve.set_ydata(closed_form_weight(c, n, rho))
        needed = np.log((n - 1) * p / (1 - p)) / (1 - rho)
        point.set_data([needed], [closed_form_weight(needed, n, rho)])
        return (
            f"cosine {rho:z.2f} between any two keys, {degrees:.0f} degrees to what they share: weight {p} needs c = {needed:.2f}"
        )

    return Scene(
        figure,
        [rim, *ribs, angle, curve, point],
        move,
        f"Left, the {n} keys as the ribs of an umbrella: the angle between each rib and the dotted line is the true one. Right, the "
        f"weight of the slot asked for at every sharpness, with the point where it reaches {p}.",
    )


@styled
def rereading(n: int, readings: int) -> Scene:
    """Show n orthonormal keys that are their own values, read again and again: the output of each reading is the next query.

    Parameters
    ----------
    n : int
        How many keys there are.
    readings : int
        How many readings are made.

    Returns
    -------
    Scene
        Its value is the sharpness c.
    """
    figure = Figure(figsize=(10.4, 4.6))
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.3))
    figure.subplots_adjust(left=0.07, right=0.985, top=0.96, bottom=0.13, wspace=0.2)
    before = np.linspace(1 / n, 1, 181)
    left.plot([1 / n, 1], [1 / n, 1], color=MUTED, ls=":", label="nothing changes")
    (curve,) = left.plot(before, before, color=COLOURS[0], label="one reading")
    (steps,) = left.plot([], color=COLOURS[1], lw=1.4, label="_steps")
    left.set(xlim=(1 / n - 0.02, 1.02), ylim=(1 / n - 0.02, 1.02), aspect="equal")
    left.set_xlabel("weight before a reading")
    left.set_ylabel("weight after it")
    left.legend(loc="lower right")
    (kept,) = right.plot([], color=COLOURS[1], marker="o", ms=6, lw=1.2, label="_weights")
    right.axhline(1 / n, color=MUTED, ls=":", label="_even")
    right.text(readings, 1 / n + 0.01, f"even share, 1/{n}", ha="right", va="bottom", fontsize=11)
    right.set(xlim=(-0.3, readings + 0.3), ylim=(0, 1.03))
    right.set_xlabel("readings")
    right.set_xticks(range(0, readings + 1, 4))
    right.set_ylabel("weight of the slot asked for")

    def move(c: float) -> str:
        def read(p):  # how far the query leads to the slot, (np - 1)/(n - 1), is what sharpens it
            return closed_form_weight(c * (n * p - 1) / (n - 1), n)

        curve.set_ydata(read(before))
        weights = [1.0]
        for _ in range(readings):
            weights.append(float(read(weights[-1])))
        kept.set_data(range(readings + 1), weights)
        steps.set_data(np.repeat(weights, 2)[:-1], np.repeat(weights, 2)[1:])
        return f"c = {c:.1f}: {weights[1]:.4f} after one reading, {weights[-1]:.4f} after {readings}"

    return Scene(
        figure,
        [curve, steps, kept],
        move,
        f"Left, what one reading makes of the weight of the slot asked for, blue: where the curve is below the dotted line, weight is lost. "
        f"The orange steps go up or down to the curve, then across to the line. Right, the same {readings} readings, one after the other.",
    )


@styled
def matrices(
    maps: Mapping[object, np.ndarray],
    *,
    what: str,
    finding: Callable[[object, np.ndarray], str],
    outlined: Mapping[str, np.ndarray] | None = None,
) -> Scene:
    """Show several matrices of weights between the 13 entities on shared limits, one at a time.

    Parameters
    ----------
    maps : mapping of object to ndarray, shape (13, 13)
        The matrices, by their names.
    what : str
        What an entry is, beside the colour bar.
    finding : callable
        Says of a name and its matrix what it shows.
    outlined : mapping of str to ndarray, optional
        Boolean matrices that say which cells are framed in all maps, by what these cells are.

    Returns
    -------
    Scene
        Its value is the name of a matrix.
    """
    figure = Figure(figsize=(9.2, 4.5))
    ax = figure.subplots()
    figure.subplots_adjust(left=0.09, right=0.93, top=0.98, bottom=0.18)
    limits = shared_limits(False, *maps.values())
    blank = np.zeros((len(ENTITIES), len(ENTITIES)))
    image, _ = draw_map(ax, blank, ENTITIES, ENTITIES, limits, False, None)
    framed, words = outline(ax, outlined)
    largest = [ax.text(0, i, "", ha="center", va="center", fontsize=11, fontweight="bold") for i in range(len(ENTITIES))]
    ax.set_xlabel("key")
    ax.set_ylabel("query")
    figure.colorbar(image, ax=ax, label=what, fraction=0.04, pad=0.02)

    def move(name: object) -> str:
        M = maps[name]
        image.set_data(M)
        for i, (text, row, colours) in enumerate(zip(largest, M, ink(image, M))):
            j = int(np.argmax(row))
            text.set_position((j, i))
            text.set_text(f"{row[j]:.2f}" if row[j] > 0 else "")
            text.set_color(str(colours[j]))
        return finding(name, M)

    return Scene(
        figure,
        [image, *framed, *largest],
        move,
        "Rows are queries, columns keys; the darker, the larger, on one scale for every choice. The number in a row is "
        "its largest weight." + words,
    )
