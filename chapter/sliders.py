"""A slider without a kernel: every frame is drawn in Python beforehand, and the page switches between them.

`flipbook` draws the frames of a scene; the result shows itself in Jupyter (a slider linked on the page to a stack of
pictures) and, where no kernel runs, as its starting frame. No callback exists that could fail or lag.
"""

from __future__ import annotations

import base64
import html
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import ipywidgets
from IPython.display import display

from chapter.figures import Picture
from chapter.scenes import Scene, frames


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
        slider.style.handle_color = "#0072B2"
        stack = ipywidgets.Stack([ipywidgets.HTML(picture_html(f)) for f in self.frames], selected_index=self.start)
        ipywidgets.jslink((slider, "index"), (stack, "selected_index"))
        name = ipywidgets.HTML(f"<b>{html.escape(self.label)}</b> (drag, or click and use the arrow keys)")
        return ipywidgets.VBox([name, slider, stack])

    def _ipython_display_(self) -> None:
        frame = self.frames[self.start]
        data = {"image/png": frame.png, "text/plain": self.text}
        view = self.widget()._repr_mimebundle_()
        data["application/vnd.jupyter.widget-view+json"] = view["application/vnd.jupyter.widget-view+json"]
        display(data, raw=True,
                metadata={"image/png": {"alt": frame.alt, "width": frame.width, "height": frame.height}})
        words = (f"*Slider.* {self.label}: {len(self.stops)} steps from {self.stops[0]} to {self.stops[-1]}. At "
                 f"{self.frames[0].caption}; at {self.frames[-1].caption}.")
        display({"text/markdown": words, "text/plain": words}, raw=True)


def picture_html(frame: Picture) -> str:
    """A frame as an <img> that holds its place and carries its words."""
    source = base64.b64encode(frame.png).decode()
    return (f'<img src="data:image/png;base64,{source}" width="{frame.width}" height="{frame.height}" '
            f'style="max-width:100%" alt="{html.escape(frame.alt)}">')


def flipbook(scene: Scene, values: Sequence[object], *, label: str, start: object, stop: str = "{}") -> Flipbook:
    """Draw a scene at every value and put a slider under it.

    ``label`` says what moves; ``stop`` formats a value beside the slider; ``start`` is one of the values: one that shows
    something. Raises ValueError where it is not.
    """
    values = list(values)
    if start not in values:
        raise ValueError(f"start has value {start!r}; it needs one of the {len(values)} values {values[0]!r} ... {values[-1]!r}")
    return Flipbook(label, tuple(stop.format(v) for v in values), tuple(frames(scene, values)), values.index(start))
