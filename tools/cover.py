"""The README's picture: the slider of notebook 06, moving from its one end to the other.

It plays once, in about four seconds, and stays at its last frame, the lookup: what moves beside a text for longer than five
seconds would need a way to stop it, and a GIF has none. Where moving pictures are switched off, its first frame stands there.
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image

from attention_chapter import run
from attention_chapter.scenes import frames, retrieval
from attention_core import retrieve

ROOT = Path(__file__).resolve().parent.parent
COVER, README = ROOT / "docs" / "c-slider.gif", ROOT / "README.md"
SHARPNESS = [round(c, 1) for c in np.arange(0, 8.1, 0.2)]  # the steps of notebook 06
SHOWN = 100  # milliseconds a frame


def moving() -> bytes:
    """Draw the slider's own frames, one after the other, as a GIF that plays once."""
    first, *rest = (Image.open(io.BytesIO(frame.png)) for frame in frames(retrieval(run.draw().values), SHARPNESS))
    buffer = io.BytesIO()
    first.save(buffer, "gif", save_all=True, append_images=rest, duration=SHOWN)
    return buffer.getvalue()


def alt() -> str:
    """Say in words what moves, with the weights at both ends and at the slider's start."""
    start, middle, end = (retrieve(np.eye(4), run.draw().values, 2, c).weights[2] for c in (SHARPNESS[0], 3.0, SHARPNESS[-1]))
    return (
        f"Moving picture. As the sharpness c grows from {SHARPNESS[0]:.0f} to {SHARPNESS[-1]:.0f}, the bar of the slot asked for "
        f"grows from {start:.4f}, its share in a plain average, over {middle:.4f} at c = 3 to {end:.4f}, a lookup; what leaks to "
        f"the other three slots falls from {1 - start:.4f} to {1 - end:.4f}. Beside the bars, a point climbs the curve of that weight."
    )


def line() -> str:
    """The README's lines between its two comments."""
    return f"\n![{alt()}]({COVER.relative_to(ROOT).as_posix()})\n"
