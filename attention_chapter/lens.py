"""The lens: one lookup in the plane, to be turned and sharpened by hand. The page's own script computes it, and no kernel is asked.

`lens` computes one state in Python, with its words and a still picture; these are what a notebook stores. The script, `lens.js`,
puts controls in the place of the picture and works the same mathematics, so that the page moves on the day after too.
"""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from IPython.display import display
from numpy.typing import ArrayLike

from attention_chapter import diagrams
from attention_chapter.picture import Picture
from attention_checks import finite_number, floats, need
from attention_core import softmax, softmax_jacobian

SCRIPT = Path(__file__).with_name("lens.js").read_text("utf-8")
SIZE = 0.5  # the length of the nudges whose reach is drawn
UNABLE = "Here it stands still: run this cell, or let the page use scripts, and it moves."
READING = (
    "Left, the keys and the query, orange, which you can drag. Right, the values, each with a disc as large as its weight, and the output, orange, in their hull; "
    "the ellipse is where nudges of the query carry it. Below, one unit of weight."
)


@dataclass(frozen=True)
class Lens:
    """A lookup in the plane, at the state in which it is first shown.

    Attributes
    ----------
    keys, values : tuple of pairs of float
        What is stored.
    names : tuple of str
        What the slots are called.
    start : dict
        The query's direction in degrees, "angle"; its sharpness, "c"; the logit of the null slot, "t", or None for no such slot.
    words : str
        The numbers of this state.
    still : Picture
        A picture of it.
    """

    keys: tuple
    values: tuple
    names: tuple[str, ...]
    start: dict
    words: str
    still: Picture

    @property
    def text(self) -> str:
        """What a notebook stores of it: the words of the state, and the alt text of the picture."""
        return f"Lens: {self.words}. Start: {self.still.alt} [{self.still.fingerprint}]"

    @property
    def caption(self) -> str:
        """What a reader is told below it."""
        return f"*Lens.* {READING} At the start, {self.words}."

    def to_html(self) -> str:
        """The lens as a fragment of any page: words and a still picture, which the script below sets in motion."""
        data = {"keys": self.keys, "values": self.values, "names": self.names, "size": SIZE, "start": self.start}
        stored = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        return (
            f'<div class="lens" style="contain:layout style"><p style="margin:0.3em 0;min-height:4.5em">{html.escape(self.words)}</p>'
            f'<img src="data:image/png;base64,{base64.b64encode(self.still.png).decode()}" width="{self.still.width}" '
            f'height="{self.still.height}" style="max-width:100%;height:auto;display:block" alt="{html.escape(self.still.alt)}">'
            f"<noscript>{UNABLE}</noscript>"
            f'<script type="application/json">{stored}</script><script>{SCRIPT}</script></div>'
        )

    def _ipython_display_(self) -> None:
        still = self.still
        display(
            {"text/html": self.to_html(), "image/png": still.png, "text/plain": self.text},
            raw=True,
            metadata={"image/png": {"alt": still.alt, "width": still.width, "height": still.height}},
        )
        display({"text/markdown": self.caption, "text/plain": self.caption}, raw=True)


def computed(
    keys: np.ndarray, values: np.ndarray, angle: float, c: float, t: float | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    r"""Look one query up: its weights, its output, and the derivative of the output with respect to the query.

    Parameters
    ----------
    keys, values : ndarray, shape (n, 2)
        What is stored.
    angle : float
        The direction of the query, in degrees.
    c : float
        Its length, the sharpness.
    t : float or None
        The logit of the null slot, whose key and value are 0; None for no such slot.

    Returns
    -------
    tuple of ndarray, shapes (n,) or (n + 1,), (2,) and (2, 2)
        The weights, the null slot's last; the output; the derivative :math:`V^\top J K`.
    """
    null = np.zeros((int(t is not None), 2))
    K, V = np.vstack([keys, null]), np.vstack([values, null])
    z = c * K @ [np.cos(np.radians(angle)), np.sin(np.radians(angle))]
    if t is not None:
        z[-1] = t
    p = softmax(z)
    return p, p @ V, V.T @ softmax_jacobian(p) @ K


def told(names: Sequence[str], angle: float, c: float, t: float | None, p: np.ndarray, o: np.ndarray, D: np.ndarray) -> str:
    """Put a state into words.

    Parameters
    ----------
    names : sequence of str
        The slots.
    angle, c, t : float, float, float or None
        The query's direction in degrees, its sharpness, and the logit of the null slot.
    p, o, D : ndarray
        Its weights, its output, and the derivative, as `computed` gives them.

    Returns
    -------
    str
        One line, which the script gives too.
    """
    null = "" if t is None else f", null slot at {t:z.1f}"
    each = ", ".join(f"{name} {weight:z.4f}" for name, weight in zip([*names, "null slot"], p))
    return (
        f"direction {angle:.0f} degrees, c = {c:z.1f}{null}: {each}; output ({o[0]:z.4f}, {o[1]:z.4f}); leak {1 - p.max():z.4f}; "
        f"a nudge of length {SIZE:g} moves the output by at most {SIZE * np.linalg.norm(D, 2):z.4f}"
    )


def lens(
    keys: ArrayLike, values: ArrayLike, names: Sequence[str], *, angle: float, c: float, null: float | None = None, title: str
) -> Lens:
    """Make a lens over a dictionary in the plane.

    Parameters
    ----------
    keys : array_like, shape (n, 2)
        Vectors of length one.
    values : array_like, shape (n, 2)
        What the slots store.
    names : sequence of str
        The n slots.
    angle : float
        The direction of the query to start with, a whole number of degrees from 0 to 360.
    c : float
        Its sharpness, from 0 to 12.
    null : float, optional
        The logit of a null slot, from -4 to 8; without it there is none to start with.
    title : str
        The finding of the still picture.

    Returns
    -------
    Lens
        What a cell that ends with it shows.

    Raises
    ------
    TypeError, ValueError
        For arrays of another kind or shape, keys of another length, names that are not n, or a number out of its range.

    Examples
    --------
    >>> print(lens([[1, 0], [0, 1]], [[4, 1], [2, 3]], ["east", "north"], angle=0, c=0, title="a tie").words)
    direction 0 degrees, c = 0.0: east 0.5000, north 0.5000; output (3.0000, 2.0000); leak 0.5000; a nudge of length 0.5 moves the output by at most 0.5000
    """
    K, V = floats("keys", keys, "(n, 2)", 2), floats("values", values, "(n, 2)", 2)
    need(K.ndim == 2 and K.shape[1] == 2, "keys", f"shape {K.shape}", "shape (n, 2)")
    need(V.shape == K.shape, "values", f"shape {V.shape}", f"shape {K.shape}, as the keys")
    need(bool(np.allclose(np.linalg.norm(K, axis=1), 1)), "keys", f"shape {K.shape} and lengths other than one", "unit vectors")
    need(len(names) == len(K), "names", f"{len(names)} names", f"{len(K)}, one for each key")
    for name, number, low, high in (("angle", angle, 0, 360), ("c", c, 0, 12), ("null", null, -4, 8)):
        if number is not None:
            finite_number(name, number, f"a number from {low} to {high}")
            need(low <= number <= high, name, f"value {number}", f"a number from {low} to {high}")
    found = computed(K, V, angle, c, null)
    words = told(names, angle, c, null, *found)
    still = diagrams.sight(K, V, names, angle, *found, size=SIZE, title=title)
    start = {"angle": angle, "c": c, "t": null}
    return Lens(tuple(map(tuple, K.tolist())), tuple(map(tuple, V.tolist())), tuple(names), start, words, still)
