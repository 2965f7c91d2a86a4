"""A slider without a kernel: every frame is drawn in Python beforehand, and the page switches between them.

`flipbook` draws the frames of a scene. The result shows itself in Jupyter as a slider linked *on the page* to a stack of
pictures: no callback exists that could fail or lag, and it goes on moving when the kernel is gone. Where no widget can be
shown, its starting frame stands there; `Flipbook.to_html` gives the same slider for a page without Jupyter.
"""

from __future__ import annotations

import base64
import html
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import ipywidgets
from IPython.display import display

from attention_chapter.picture import Picture
from attention_chapter.scenes import Scene, frames

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
PATIENCE = 1.0  # seconds a reader waits without being told how long it will take

# Shows the frame that the range input stands at. JupyterLab takes arrow keys for itself unless they stop here.
SCRIPT = """
(() => {
  const book = document.currentScript.parentElement, input = book.querySelector("input");
  const frames = book.querySelectorAll("[data-frame]");
  const show = () => frames.forEach((frame, k) => {
    frame.hidden = k !== input.valueAsNumber;
    if (!frame.hidden) input.setAttribute("aria-valuetext", frame.dataset.frame);
  });
  input.addEventListener("input", show);
  input.addEventListener("keydown", event => event.stopPropagation());
  show();
})();
"""


@dataclass(frozen=True)
class Flipbook:
    """Frames, the words of the value each stands for, and where to start."""

    label: str
    stops: tuple[str, ...]
    frames: tuple[Picture, ...]
    start: int

    @property
    def text(self) -> str:
        """What moves, its range and findings, and a mark of all frames' words: a changed frame is a changed text."""
        marks = zlib.crc32("\n".join(f.alt + f.mark for f in self.frames).encode())
        return (f"Slider: {self.label}, {len(self.stops)} steps from {self.stops[0]} to {self.stops[-1]}, starting at "
                f"{self.stops[self.start]}. First: {self.frames[0].caption}. Last: {self.frames[-1].caption}. [{marks:08x}]")

    def widget(self) -> ipywidgets.Widget:
        """The slider, linked on the page to the pictures; its name stands as text, since the slider can carry none."""
        slider = ipywidgets.SelectionSlider(options=self.stops, index=self.start,
                                            layout=ipywidgets.Layout(width="600px", max_width="100%"))
        stack = ipywidgets.Stack([ipywidgets.HTML(frame_html(f)) for f in self.frames], selected_index=self.start)
        ipywidgets.jslink((slider, "index"), (stack, "selected_index"))
        name = ipywidgets.HTML(f"<b>{html.escape(self.label)}</b>: drag, or click and use the arrow keys, Home and End")
        return ipywidgets.VBox([name, slider, stack])

    def to_html(self) -> str:
        """The same slider as a fragment of a page without Jupyter: a labelled range input, the frames, a short script."""
        name = f"flipbook-{zlib.crc32(self.text.encode()):08x}"
        pages = "".join(f'<div data-frame="{html.escape(stop)}"{"" if k == self.start else " hidden"}>{frame_html(frame)}</div>'
                        for k, (stop, frame) in enumerate(zip(self.stops, self.frames)))
        return (f'<div class="flipbook"><label for="{name}">{html.escape(self.label)}</label> '
                f'<input type="range" id="{name}" min="0" max="{len(self.stops) - 1}" value="{self.start}" '
                f'style="width:600px;max-width:100%">{pages}<script>{SCRIPT}</script></div>')

    def _ipython_display_(self) -> None:
        frame = self.frames[self.start]
        data = {"image/png": frame.png, "text/plain": self.text,
                WIDGET_VIEW: self.widget()._repr_mimebundle_()[WIDGET_VIEW]}
        display(data, raw=True,
                metadata={"image/png": {"alt": frame.alt, "width": frame.width, "height": frame.height}})
        words = (f"*Slider.* {self.label}: {len(self.stops)} steps from {self.stops[0]} to {self.stops[-1]}. At the first, "
                 f"{self.frames[0].caption}; at the last, {self.frames[-1].caption}.")
        display({"text/markdown": words, "text/plain": words}, raw=True)


def frame_html(frame: Picture) -> str:
    """A frame: its finding as text, and an <img> that holds its place and carries its words."""
    source = base64.b64encode(frame.png).decode()
    return (f"<div>{html.escape(frame.caption)}</div>"
            f'<img src="data:image/png;base64,{source}" width="{frame.width}" height="{frame.height}" '
            f'style="max-width:100%;height:auto" alt="{html.escape(frame.alt)}">')


def told(pictures: Iterable[Picture], n: int) -> Iterator[Picture]:
    """The same pictures, with a progress bar where all n of them will take longer than a reader's patience."""
    began, bar = time.monotonic(), None
    for k, picture in enumerate(pictures, start=1):
        yield picture
        if bar is None and k < n and (time.monotonic() - began) * n / k > PATIENCE:
            bar = ipywidgets.IntProgress(max=n, description="drawing")
            display({WIDGET_VIEW: bar._repr_mimebundle_()[WIDGET_VIEW]}, raw=True)
        if bar is not None:
            bar.value = k
    if bar is not None:
        bar.close()


def flipbook(scene: Scene, values: Sequence[object], *, label: str, start: object, stop: str = "{}") -> Flipbook:
    """Draw a scene at every value and put a slider under it.

    ``label`` says what moves; ``stop`` formats a value beside the slider; ``start`` is one of the values: one that shows
    something. Raises ValueError where it is not, or where two values read alike.
    """
    values = list(values)
    if start not in values:
        raise ValueError(f"start has value {start!r}; it needs one of the {len(values)} values from {values[0]!r} to "
                         f"{values[-1]!r}")
    stops = tuple(stop.format(v) for v in values)
    if len(set(stops)) != len(stops):
        raise ValueError(f"stop gives {len(set(stops))} different texts for {len(stops)} values; it needs one for each")
    drawn = tuple(told(frames(scene, values), len(values)))
    return Flipbook(label, stops, drawn, values.index(start))
