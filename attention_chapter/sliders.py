"""A slider without a kernel: every frame is drawn in Python beforehand, and a few lines of script on the page switch them.

`flipbook` draws the frames of a scene. The result shows itself as one self-contained piece of HTML, so it moves in Jupyter,
on the day after in the saved notebook, on a page made by nbconvert and on the site, whether a kernel lives or not. Where no
script may run, its words and its starting frame stand there.
"""

from __future__ import annotations

import base64
import html
import json
import math
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from IPython.display import display

from attention_chapter.picture import Picture
from attention_chapter.scenes import Scene, frames

# The page without a script holds no control that would stand there dead: the script makes them. It finds its place by
# itself, since a cell may be shown twice and no name would be its own.
SCRIPT = """
(() => {
  const book = document.currentScript.parentElement, [words, first] = book.querySelectorAll("p, img");
  const {label, plays, start, places, frames} = JSON.parse(book.querySelector("script[type='application/json']").textContent);
  const make = (tag, settings) => Object.assign(document.createElement(tag), settings);
  const pictures = frames.map(([finding, alt, png], k) => k === start ? first : make("img",
    {alt, src: "data:image/png;base64," + png, width: first.getAttribute("width"), height: first.getAttribute("height"), decoding: "sync"}));
  pictures.forEach(picture => picture.style.cssText = first.style.cssText);
  const name = make("label", {textContent: label + " "}), input = make("input", {type: "range", min: places[0],
    max: places.at(-1), step: "any", value: places[start]}), button = make("button", {type: "button"}),
    row = make("div", {});
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let at = start, timer = 0;
  const show = (k, moved = true) => {
    at = Math.min(Math.max(k, 0), frames.length - 1);
    book.querySelector("img").replaceWith(pictures[at]);
    words.textContent = frames[at][0];
    input.setAttribute("aria-valuetext", frames[at][0]);
    if (moved) input.value = places[at];
  };
  const pause = () => { clearInterval(timer); timer = 0; button.textContent = still.matches ? "Step" : "Play"; };
  const next = () => {
    if (at === frames.length - 1 || !book.isConnected) return pause();
    show(at + 1);
  };
  const keys = {ArrowRight: () => at + 1, ArrowUp: () => at + 1, ArrowLeft: () => at - 1, ArrowDown: () => at - 1,
    PageUp: () => at + Math.ceil(frames.length / 10), PageDown: () => at - Math.ceil(frames.length / 10),
    Home: () => 0, End: () => frames.length - 1};
  input.addEventListener("input", () => {
    pause();
    const far = places.map(place => Math.abs(place - input.value));
    show(far.indexOf(Math.min(...far)), false);
  });
  input.addEventListener("change", () => show(at));
  button.addEventListener("click", () => {
    if (timer) return pause();
    if (at === frames.length - 1) show(-1);
    else next();
    if (still.matches) return;
    timer = setInterval(next, Math.max(100, 6000 / frames.length));
    button.textContent = "Pause";
  });
  // Jupyter has commands on single keys (b inserts a cell, x cuts one); those with Ctrl, Alt or Shift+Enter are its own.
  book.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key === "Enter")) return;
    if (event.key !== "Tab" && event.key !== "Escape") event.stopPropagation();
    if (event.target === input && keys[event.key]) {
      event.preventDefault();
      pause();
      show(keys[event.key]());
    }
  });
  row.style.cssText = "display:flex;flex-wrap:wrap;align-items:center;gap:0 1em";
  name.style.cssText = "display:flex;flex:0 1 auto;flex-wrap:wrap;align-items:center;gap:0 1em;font-weight:bold;max-width:100%";
  input.style.cssText = "width:600px;max-width:100%;height:24px;margin:0";
  button.style.cssText = "min-width:5em;min-height:24px";
  name.append(input);
  row.append(name, ...(plays ? [button] : []));
  words.before(row);
  pause();
  show(start);
})();
"""
UNABLE = "Here it stands still: run this cell, or let the page use scripts, and it moves."


@dataclass(frozen=True)
class Flipbook:
    """Frames, the words of the value each stands for, where each stands on the slider, and where to start.

    Attributes
    ----------
    label : str
        What moves.
    stops : tuple of str
        The value of each frame, in words.
    frames : tuple of Picture
        What is shown, a frame a stop.
    start : int
        The frame that stands there first.
    places : tuple of float
        Where on the slider each frame stands, increasing.
    plays : bool
        Whether a button runs through the frames.
    reading : str
        How to read every frame.
    """

    label: str
    stops: tuple[str, ...]
    frames: tuple[Picture, ...]
    start: int
    places: tuple[float, ...]
    plays: bool = False
    reading: str = ""

    @property
    def text(self) -> str:
        """What moves, its range, its start and its findings, with a fingerprint of all frames: a changed frame is a changed text."""
        marks = zlib.crc32("\n".join(f.alt + f.fingerprint for f in self.frames).encode() + repr(self.places).encode())
        return (
            f"Slider: {self.label}, {len(self.stops)} steps from {self.stops[0]} to {self.stops[-1]}, starting at "
            f"{self.stops[self.start]}{', with a button that plays' if self.plays else ''}. First: {self.frames[0].caption}. "
            f"Last: {self.frames[-1].caption}. Start: {self.frames[self.start].alt} [{marks:08x}]"
        )

    @property
    def caption(self) -> str:
        """What a reader is told below it."""
        first, start, last = (self.frames[k].caption for k in (0, self.start, -1))
        return (
            f"*Slider.* It moves the {self.label} in {len(self.stops)} steps from {self.stops[0]} to {self.stops[-1]}, and starts at "
            f"{self.stops[self.start]}. {self.reading} The first step: {first}. The start: {start}. The last step: {last}."
        )

    def to_html(self) -> str:
        """The slider as a fragment of any page: words and the starting frame, which the script below sets in motion."""
        frame = self.frames[self.start]
        data = {
            "label": self.label,
            "plays": self.plays,
            "start": self.start,
            "places": self.places,
            "frames": [(f.caption, f.alt, "" if f is frame else base64.b64encode(f.png).decode()) for f in self.frames],
        }
        words = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        return (
            f'<div class="flipbook" style="contain:layout style"><p style="margin:0.3em 0">{html.escape(frame.caption)}</p>'
            f'<img src="data:image/png;base64,{base64.b64encode(frame.png).decode()}" width="{frame.width}" '
            f'height="{frame.height}" style="max-width:100%;height:auto;display:block" alt="{html.escape(frame.alt)}">'
            f"<noscript>{html.escape(self.label)}. {UNABLE}</noscript>"
            f'<script type="application/json">{words}</script><script>{SCRIPT}</script></div>'
        )

    def _ipython_display_(self) -> None:
        frame = self.frames[self.start]
        display(
            {"text/html": self.to_html(), "image/png": frame.png, "text/plain": self.text},
            raw=True,
            metadata={"image/png": {"alt": frame.alt, "width": frame.width, "height": frame.height}},
        )
        display({"text/markdown": self.caption, "text/plain": self.caption}, raw=True)


def flipbook(
    scene: Scene,
    values: Sequence[object],
    *,
    label: str,
    start: object,
    stop: str = "{}",
    plays: bool = False,
    place: Callable[[object], float] | None = None,
) -> Flipbook:
    """Draw a scene at every value and put a slider over it.

    Parameters
    ----------
    scene : Scene
        What moves.
    values : sequence
        The values that it takes, a frame each.
    label : str
        What moves, in words.
    start : object
        One of the values: one that shows something.
    stop : str
        How a value reads.
    plays : bool
        Whether a button runs through the values: where they are a time, a sharpness or a step.
    place : callable, optional
        Where on the slider a value stands, increasing with the values; without it they are evenly spaced.

    Returns
    -------
    Flipbook
        The frames with their words.

    Raises
    ------
    ValueError
        Where start is no value, two values read alike, or places do not increase.
    """
    values = list(values)
    if start not in values:
        raise ValueError(
            f"start has value {start!r}; it needs one of the {len(values)} values from {values[0]!r} to {values[-1]!r}"
        )
    stops = tuple(stop.format(v) for v in values)
    if len(set(stops)) != len(stops):
        raise ValueError(f"stop gives {len(set(stops))} different texts for {len(stops)} values; it needs one for each")
    places = tuple(float(k) if place is None else round(float(place(v)), 4) for k, v in enumerate(values))
    if not all(math.isfinite(b) and a < b for a, b in zip(places, places[1:])):
        raise ValueError(f"place gives {places}; it needs numbers that increase with the values")
    return Flipbook(label, stops, tuple(frames(scene, values)), values.index(start), places, plays, scene.reading)
