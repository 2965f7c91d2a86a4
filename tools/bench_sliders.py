"""Measure every slider: frames, seconds to build, page bytes, and the time from a key to the changed picture.

    make bench-sliders      measures (some minutes), then writes docs/sliders.json and its table in docs/PERFORMANCE.md

Beside each flipbook stands `interact` redrawing the same picture, measured in the same session. Reported, never asserted.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import tempfile
import time
from pathlib import Path

import nbformat

from attention_chapter import sliders
from tools.bench_attention import processor, with_section
from tools.browser_lab import CHROMIUM, FLAGS, VIEW, api, flipbooks, lab, open_notebook, run_all
from tools.refresh import replace

ROOT = Path(__file__).resolve().parent.parent
RESULTS, PAGE = ROOT / "docs" / "sliders.json", ROOT / "docs" / "PERFORMANCE.md"
PRESSES = 30
# From the key to the first painted frame with another picture, which is known by its alt text or, with interact, its source.
TIMER = """([ours, k, key]) => new Promise((done, fail) => {
  const handle = document.querySelectorAll(ours ? '.flipbook input' : '.noUi-handle')[k], cell = handle.closest('.jp-Cell');
  const seen = () => [...cell.querySelectorAll('img')].filter(i => i.offsetParent !== null && i.complete && i.naturalWidth)
                     .map(i => i.alt + i.src.length + i.src.slice(-200)).join();
  const before = seen();
  handle.focus();
  const start = performance.now();
  handle.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
  const look = () => {
    const now = seen();
    if (now && now !== before) setTimeout(() => done(performance.now() - start));  // once this frame is painted
    else if (performance.now() - start > 5000) fail(new Error('no change'));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})"""
REDRAW = """
import ipywidgets, numpy
from IPython.display import Image, display
from matplotlib.backends.backend_agg import FigureCanvasAgg
from attention_chapter.picture import encode
def redraw(value, scene):
    scene.move(value)
    scene.figure.set_dpi(100)
    canvas = FigureCanvasAgg(scene.figure)
    canvas.draw()
    display(Image(encode(numpy.asarray(canvas.buffer_rgba()))))
values = list(VALUES)  # from the middle, since neighbours at an end may look alike
slider = ipywidgets.SelectionSlider(options=values, value=values[len(values) // 2])
ipywidgets.interact(redraw, value=slider, scene=ipywidgets.fixed(SCENE));
"""


def presses(page, ours: bool, k: int) -> list[float]:
    """Milliseconds of PRESSES arrow keys, to and fro."""
    times = []
    for press in range(PRESSES):
        times.append(page.evaluate(TIMER, [ours, k, "ArrowRight" if press % 2 == 0 else "ArrowLeft"]))
        page.wait_for_timeout(120)
    return sorted(times)


def middle_and_late(times: list[float]) -> str:
    """The median and the 95th percentile of sorted times."""
    return f"{statistics.median(times):.0f} / {times[int(0.95 * (len(times) - 1))]:.0f}"


def section(found: dict) -> str:
    """What the page says of a measurement."""
    rows = [
        f"| {r['notebook']} | {r['label']} | {r['frames']} | {r['seconds']:.2f} | {r['kilobytes']} | {middle_and_late(r['ours'])} | "
        f"{middle_and_late(r['interact'])} | {statistics.median(r['interact']) / statistics.median(r['ours']):.0f} |\n"
        for r in found["sliders"]
    ]
    return (
        f"\nMeasured with `make bench-sliders` in JupyterLab and headless Chromium on {found['cores']} cores, {found['processor']}: "
        f"{PRESSES} key presses each, from the key to the first painted frame, beside `interact` redrawing the same picture in "
        "the same session. Milliseconds are median / 95th percentile.\n\n"
        "| notebook | slider | frames | build (s) | page (KB) | key to picture (ms) | `interact` (ms) | ratio |\n"
        "|---|---|---:|---:|---:|---:|---:|---:|\n" + "".join(rows)
    )


def main() -> None:
    chosen = [p for p in sorted((ROOT / "notebooks").glob("*.ipynb")) if "sliders.flipbook(" in p.read_text(encoding="utf-8")]
    from playwright.sync_api import sync_playwright  # the table can be tested without it

    rows = []
    with tempfile.TemporaryDirectory() as name, sync_playwright() as run:
        folder = Path(name)
        for path in chosen:
            nbformat.write(with_interact(nbformat.read(path, as_version=4)), folder / path.name)
        browser = run.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        with lab(folder) as url:
            for path in chosen:
                books, seconds = built(path)
                page = browser.new_page(viewport=VIEW)
                open_notebook(page, url, path.name)
                run_all(page, url, len(books))
                for k, book in enumerate(books):
                    rows.append(
                        {
                            "notebook": path.stem.split("_")[0],
                            "label": book.label,
                            "frames": len(book.frames),
                            "seconds": round(seconds[k], 2),
                            "kilobytes": len(book.to_html()) // 1024,
                            "ours": [round(t, 1) for t in presses(page, True, k)],
                            "interact": [round(t, 1) for t in presses(page, False, k)],
                        }
                    )
                    print(
                        f"{path.stem}, {book.label}: {middle_and_late(rows[-1]['ours'])} ms, {middle_and_late(rows[-1]['interact'])} "
                        f"with interact, built in {seconds[k]:.2f} s",
                        flush=True,
                    )
                page.close()
                for kernel in api(url, "kernels"):
                    api(url, f"kernels/{kernel['id']}", "DELETE")
        browser.close()
    found = {"cores": os.cpu_count(), "processor": processor(), "sliders": rows}
    replace(RESULTS, (json.dumps(found, indent=1) + "\n").encode())
    replace(PAGE, with_section(PAGE.read_text("utf-8"), "sliders", section(found)).encode())


def with_interact(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The notebook with a cell behind each slider's in which `interact` redraws the same scene."""
    cells = []
    for cell in notebook.cells:
        cells.append(cell)
        if found := re.search(r"sliders\.flipbook\((.+), ([a-z]+|list\([a-z]+\)|[A-Z]+), label=", cell.source):
            cells.append(nbformat.v4.new_code_cell(REDRAW.replace("SCENE", found.group(1)).replace("VALUES", found.group(2))))
    notebook.cells = cells
    return notebook


def built(path: Path) -> tuple[list[sliders.Flipbook], list[float]]:
    """A notebook's flipbooks, and the seconds that each takes to draw the second time, when the fonts are loaded."""
    spent, make = [], sliders.flipbook

    def timed(*args, **kwargs):
        began = time.perf_counter()
        book = make(*args, **kwargs)
        spent.append(time.perf_counter() - began)
        return book

    flipbooks(path)
    sliders.flipbook = timed
    try:
        return flipbooks(path), spent
    finally:
        sliders.flipbook = make


if __name__ == "__main__":
    main()
