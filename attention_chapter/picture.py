"""A figure as a page shows it: PNG bytes with their words.

A `Picture` is a PNG, an alt text read off the drawn artists, a caption computed from the same arrays, and a fingerprint
of all that is drawn. All but the pixels are text in the notebook's output, so a regression that cannot see pixels still fails when
a figure changes. `figures` draws, `scenes` moves; both end here, in `finish`.
"""

from __future__ import annotations

import io
import json
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps

import matplotlib as mpl
import numpy as np
from IPython.display import display
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.container import BarContainer
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch
from matplotlib.ticker import FixedLocator
from PIL import Image

AREAS = 200  # colours of a PNG that are kept exactly, besides white; the other 55 stand for the edges between
DPI = 125  # drawn finer than shown, so that a projector or a phone stays sharp
SHOWN = 100  # pixels an inch on the page

STYLE = {
    "font.size": 12,
    "axes.titlesize": 13,
    "axes.titlelocation": "left",
    "axes.labelsize": 12,
    "legend.fontsize": 11,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "lines.linewidth": 2,
    "hatch.linewidth": 0.7,
}


@dataclass(frozen=True)
class Picture:
    """Hold a figure as a page shows it: its pixels and its words.

    Attributes
    ----------
    png : bytes
        The pixels, `DPI` to the inch.
    width, height : int
        The size on the page, in pixels of `SHOWN` to the inch.
    alt : str
        The finding, and what a reader needs who does not see the figure.
    caption : str
        What is drawn and how to read it, for everyone.
    fingerprint : str
        Eight hexadecimal digits that change with any drawn number, colour or word, and not with the pixels.
    """

    png: bytes
    width: int
    height: int
    alt: str
    caption: str
    fingerprint: str

    def _ipython_display_(self) -> None:
        # Two outputs, since a front end shows only the richest form of one.
        display(
            {"image/png": self.png, "text/plain": f"{self.alt} [{self.fingerprint}]"},
            raw=True,
            metadata={"image/png": {"alt": self.alt, "width": self.width, "height": self.height}},
        )
        display({"text/markdown": f"*Figure.* {self.caption}", "text/plain": self.caption}, raw=True)


def styled(draw: Callable) -> Callable:
    """Run a drawing function under the chapter's own style, whatever matplotlibrc the reader has.

    Parameters
    ----------
    draw : callable
        A function that makes or saves a figure.

    Returns
    -------
    callable
        The same function under that style; the reader's settings are as before when it is done.
    """

    @wraps(draw)
    def wrapper(*args, **kwargs):
        with mpl.rc_context():
            dict.update(mpl.rcParams, BASE)  # checked once, below; checking 300 settings in every frame takes long
            return draw(*args, **kwargs)

    return wrapper


with mpl.rc_context():
    for key, value in {**mpl.rcParamsDefault, **STYLE}.items():
        if not key.startswith("backend"):
            mpl.rcParams[key] = value  # pyright: ignore[reportArgumentType]
    BASE = {k: v for k, v in dict.items(mpl.rcParams) if not k.startswith("backend")}


def finish(figure: Figure, finding: str, caption: str, alt: str | None = None) -> Picture:
    """Render a figure and put its words beside it.

    Parameters
    ----------
    figure : Figure
        What is drawn.
    finding : str
        What the figure shows, in one clause; the alt text opens with it.
    caption : str
        How to read it, with its numbers.
    alt : str, optional
        Replaces the reading of the axes, in a drawing without them.

    Returns
    -------
    Picture
        The figure as a page shows it.
    """
    canvas = FigureCanvasAgg(figure)
    figure.set_dpi(DPI)
    canvas.draw()
    width, height = (round(inches * SHOWN) for inches in figure.get_size_inches())
    png = encode(np.asarray(canvas.buffer_rgba()))
    alt = in_words(f"{finding}. {alt or describe(figure)}")
    return Picture(png, width, height, alt, in_words(caption), fingerprint(figure))


def in_words(text: str) -> str:
    r"""Write the mathematics in a label as plain words, for a text that no one sets.

    Parameters
    ----------
    text : str
        Words with mathtext between dollars.

    Returns
    -------
    str
        Words alone.

    Examples
    --------
    >>> print(in_words(r"$\partial p_i/\partial z_j$ at $\rho \geq 0.9$"))
    dp_i/dz_j at rho >= 0.9
    """

    def said(formula: re.Match) -> str:
        plain = re.sub(r"\\partial\s*", "d", formula[1]).replace(r"\geq", ">=").replace(r"\leq", "<=")
        plain = re.sub(r"\s*\\cdot\s*", ".", plain)
        return re.sub(r"\\[,;! ]|[{}\\]", "", plain)

    return re.sub(r"\$([^$]*)\$", said, text)


def codes(pixels: np.ndarray) -> np.ndarray:
    """One number for the colour of each pixel.

    Parameters
    ----------
    pixels : ndarray, shape (..., 3 or 4)
        Colours, in 8-bit channels.

    Returns
    -------
    ndarray of uint32, shape (...)
        Red, green and blue, in 8 bits each.
    """
    return pixels[..., 0].astype(np.uint32) << 16 | pixels[..., 1].astype(np.uint32) << 8 | pixels[..., 2]


def palette(pixels: np.ndarray) -> np.ndarray:
    """Choose the few colours that stand for those of a canvas: white, those of large areas, and some for the edges between.

    Parameters
    ----------
    pixels : ndarray, shape (height, width, 3 or 4)
        A canvas, in 8-bit channels.

    Returns
    -------
    ndarray of uint8, shape (at most 256, 3)
        The colours.
    """
    colours, counts = np.unique(codes(pixels), return_counts=True)
    order = np.argsort(-counts, kind="stable")
    few = colours[order[:AREAS]]
    chosen = [np.full((1, 3), 255, dtype=np.uint8), np.stack([few >> 16, few >> 8 & 255, few & 255], axis=-1).astype(np.uint8)]
    if len(order) > AREAS:
        small = np.zeros(1 << 24, dtype=bool)
        small[colours[order[AREAS:]]] = True
        edges = Image.fromarray(pixels[..., :3][small[codes(pixels)]][None])
        found = edges.quantize(255 - AREAS, method=Image.Quantize.MAXCOVERAGE).getpalette() or []
        chosen.append(np.array(found, dtype=np.uint8).reshape(-1, 3))
    return np.vstack(chosen)


def encode(pixels: np.ndarray, colours: np.ndarray | None = None) -> bytes:
    """Write a canvas as PNG with a palette: a third of the size of true colour, and no text chunk.

    Parameters
    ----------
    pixels : ndarray, shape (height, width, 4)
        A canvas, in 8-bit channels. A colour of the palette stays what it is, white among them, and another becomes its nearest.
    colours : ndarray of uint8, shape (at most 256, 3), optional
        A palette shared by several frames; without one the canvas gets its own, and a slower search for a shorter file.

    Returns
    -------
    bytes
        The PNG file.
    """
    few = palette(pixels) if colours is None else colours
    seen = codes(pixels)
    each = np.unique(seen)
    there = np.stack([each >> 16, each >> 8 & 255, each & 255], axis=-1).astype(float)
    ours = few.astype(float)
    nearest = np.zeros(1 << 24, dtype=np.uint8)
    nearest[each] = ((ours**2).sum(axis=1) - 2 * there @ ours.T).argmin(axis=1)  # the squared distance, less what all have alike
    image = Image.fromarray(nearest[seen])
    image.putpalette(few.tobytes())
    buffer = io.BytesIO()
    image.save(buffer, "png", optimize=colours is None)  # the slower search for a shorter file, but not in every frame
    return buffer.getvalue()


def with_minus(number: str) -> str:
    """Set a number for the eye: a minus in place of a hyphen, as matplotlib sets it on its axes.

    Parameters
    ----------
    number : str
        A number in digits.

    Returns
    -------
    str
        The same, with the sign that is as wide as a plus.
    """
    return number.replace("-", "\N{MINUS SIGN}")


def four_digits(x: float) -> str:
    """Write a number for reading: four significant digits, and rounding noise as 0.

    Parameters
    ----------
    x : float
        Any number.

    Returns
    -------
    str
        The number in as few characters as four digits allow.

    Examples
    --------
    >>> four_digits(0.123456), four_digits(1e-12)
    ('0.1235', '0')
    """
    return "0" if abs(x) < 1e-9 else f"{x:.4g}"


def first_largest(a: np.ndarray) -> int:
    """Find the largest entry: the first of those that are equal but for rounding.

    Parameters
    ----------
    a : ndarray
        Numbers, of which NaN is never the largest.

    Returns
    -------
    int
        Its place, counted row by row.

    Examples
    --------
    >>> first_largest(np.array([0.1, 0.3, 0.3]))
    1
    """
    top = np.nanmax(a)
    return int(np.argmax(a >= top - 1e-9 * abs(top)))


def names_of(axis) -> list[str]:
    """Read the words on an axis.

    Parameters
    ----------
    axis : matplotlib.axis.Axis
        A horizontal or a vertical axis, as drawn.

    Returns
    -------
    list of str
        Its names, or none where it has numbers.
    """
    # The ticks as they were drawn: asking for the labels would lay them out anew, in every frame.
    names = [t.label1.get_text() for t in axis.majorTicks] if isinstance(axis.get_major_locator(), FixedLocator) else []
    return names if any(names) else names[:1]  # how many blank ticks a colour bar has across depends on matplotlib


def describe(figure: Figure) -> str:
    """Say what a reader needs who does not see the figure, read off its artists.

    Parameters
    ----------
    figure : Figure
        A figure, as drawn.

    Returns
    -------
    str
        For each pair of axes its kind, its limits, its colour map and its extremes.
    """
    return " ".join(part for ax in figure.axes if ax.get_label() != "<colorbar>" for part in _describe_axes(ax))


def _axis_words(name: str, axis, limits: tuple[float, float], scale: str) -> str:
    names = [n for n in names_of(axis) if n]
    label = axis.get_label_text().replace("\n", " ")
    if names:
        listed = ", ".join(names) if len(names) <= 5 else f"{len(names)} from {names[0]} to {names[-1]}"
        return f"{name}{' ' + label if label else ''}: {listed}."
    log = ", logarithmic" if scale == "log" else ""
    return f"{name} {label}: {four_digits(min(limits))} to {four_digits(max(limits))}{log}." if label else ""


def _describe_axes(ax) -> Iterator[str]:
    kind = (
        "Heat map"
        if ax.images
        else "Bar chart"
        if any(isinstance(c, BarContainer) for c in ax.containers)
        else "Line plot"
        if ax.lines
        else "Drawing"
    )
    title = ax.get_title(loc="left").replace("\n", " ")
    yield f"{kind}{': ' + title if title else ''}."
    yield _axis_words("Horizontal axis", ax.xaxis, ax.get_xlim(), ax.get_xscale())
    yield _axis_words("Vertical axis", ax.yaxis, ax.get_ylim(), ax.get_yscale())
    rows, columns = names_of(ax.yaxis), names_of(ax.xaxis)
    for image in ax.images:
        M = np.ma.filled(image.get_array(), np.nan)
        low, high = image.get_clim()
        yield f"Colour map {image.get_cmap().name} from {four_digits(low)} to {four_digits(high)};"
        for word, where in (("largest", first_largest(M)), ("smallest", first_largest(-M))):
            i, j = np.unravel_index(where, M.shape)
            place = f"row {rows[i] if rows else i}, column {columns[j] if columns else j}"
            yield f"{word} {four_digits(M[i, j])} at {place}{';' if word == 'largest' else '.'}"
    for bars in ax.containers:
        if isinstance(bars, BarContainer):
            upright = bars.orientation != "horizontal"
            sizes = [b.get_height() if upright else b.get_width() for b in bars]
            names = columns if upright else rows
            label = bars.get_label()
            lead = f"{label}: " if label and not label.startswith("_") else ""
            if len(sizes) <= 13 and len(names) == len(sizes):
                yield lead + ", ".join(f"{n} {four_digits(s)}" for n, s in zip(names, sizes)) + "."
            else:
                yield f"{lead}{len(sizes)} bars, the largest {four_digits(max(sizes))}."
    for line in ax.lines:
        if not str(line.get_label()).startswith("_"):
            x, y = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
            top = first_largest(y)
            yield (
                f"{line.get_label()}: {len(x)} points from ({four_digits(x[0])}, {four_digits(y[0])}) to ({four_digits(x[-1])}, "
                f"{four_digits(y[-1])}), highest {four_digits(y[top])} at {four_digits(x[top])}."
            )


def fingerprint(figure: Figure) -> str:
    """Sum up all that a figure draws: data to six decimals, colours, maps, limits and words.

    Parameters
    ----------
    figure : Figure
        A figure, as drawn.

    Returns
    -------
    str
        Eight hexadecimal digits.
    """

    def numbers(a) -> list:
        return (np.round(np.nan_to_num(np.ma.filled(a, np.nan), nan=-1e9), 6) + 0.0).tolist()

    seen = []
    for ax in figure.axes:
        seen.append(
            [
                ax.get_title(loc="left"),
                ax.get_xlabel(),
                ax.get_ylabel(),
                ax.get_xscale(),
                ax.get_yscale(),
                numbers(ax.get_xlim()),
                numbers(ax.get_ylim()),
                names_of(ax.xaxis),
                names_of(ax.yaxis),
            ]
        )
        seen += [[t.get_text(), numbers(t.get_position()), str(t.get_color())] for t in ax.texts]
        seen += [[numbers(i.get_array()), i.get_cmap().name, numbers(i.get_clim())] for i in ax.images]
        seen += [
            [
                numbers(n.get_xdata()),
                numbers(n.get_ydata()),
                str(n.get_color()),
                str(n.get_linestyle()),
                str(n.get_marker()),
                str(n.get_label()),
            ]
            for n in ax.lines
        ]
        seen += [
            [
                numbers(p.get_path().vertices),
                numbers(p.get_patch_transform().get_matrix()),
                numbers(p.get_facecolor()),
                numbers(p.get_edgecolor()),
                p.get_hatch() or "",
                p.get_linewidth(),
            ]
            for p in ax.patches
            if not isinstance(p, FancyArrowPatch)
        ]
        seen += [
            [numbers(getattr(p, "_posA_posB")), numbers(p.get_edgecolor()), str(p.get_linestyle()), numbers(p.get_linewidth())]
            for p in ax.patches
            if isinstance(p, FancyArrowPatch)
        ]
        seen += [[numbers(c.get_offsets()), numbers(c.get_facecolor())] for c in ax.collections]
        legend = ax.get_legend()
        seen.append([[t.get_text(), _look(h)] for t, h in zip(legend.get_texts(), legend.legend_handles)] if legend else [])
    return f"{zlib.crc32(json.dumps(seen).encode()):08x}"


def _look(handle) -> list[str]:
    """The colour and the stroke, marker or hatch of a legend's sample."""
    if hasattr(handle, "get_marker"):
        return [str(handle.get_color()), str(handle.get_linestyle()), str(handle.get_marker())]
    return [str(np.round(handle.get_facecolor(), 3).tolist()), str(handle.get_hatch())]
