"""Measure every slider: frames, seconds to build, page bytes, and the time from a key to the changed picture.

    make bench-sliders

Beside each flipbook stands `interact` redrawing the same picture, measured in the same session. Reported, never asserted.
"""

from __future__ import annotations

import re
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from tools.browser_lab import CHROMIUM, FLAGS, VIEW, flipbooks, lab, open_notebook, run_all
from playwright.sync_api import sync_playwright

from attention_chapter import sliders

ROOT = Path(__file__).resolve().parent.parent
PRESSES = 30
# From the key to the first painted frame with another picture. The picture is known by its alt text or, with interact, its source.
TIMER = """([output, key]) => new Promise((done, fail) => {
  const area = document.querySelectorAll('.jp-OutputArea-output:has(.noUi-handle)')[output];
  const cell = area.closest('.jp-Cell');
  const seen = () => [...cell.querySelectorAll('img')].filter(i => i.offsetParent !== null && i.naturalWidth)
                     .map(i => i.alt + i.src.length + i.src.slice(-200)).join();
  const before = seen(), handle = area.querySelector('.noUi-handle');
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
ipywidgets.interact(redraw, value=ipywidgets.SelectionSlider(options=list(VALUES)), scene=ipywidgets.fixed(scene));
"""


def presses(page, output: int) -> list[float]:
    """Milliseconds of PRESSES arrow keys, to and fro."""
    times = []
    for k in range(PRESSES):
        times.append(page.evaluate(TIMER, [output, "ArrowRight" if k % 2 == 0 else "ArrowLeft"]))
        page.wait_for_timeout(120)
    return times


def row(times: list[float]) -> str:
    ordered = sorted(times)
    return f"{statistics.median(ordered):5.0f} / {ordered[int(0.95 * (len(ordered) - 1))]:.0f}"


def main() -> None:
    chosen = [p for p in sorted((ROOT / "notebooks").glob("*.ipynb")) if "sliders.flipbook(" in p.read_text(encoding="utf-8")]
    print("| notebook | slider | frames | build (s) | page (KB) | median / p95 (ms) | interact (ms) | ratio |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as run:
        folder = Path(name)
        for path in chosen:
            nbformat.write(with_interact(nbformat.read(path, as_version=4)), folder / path.name)
        browser = run.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        with lab(folder) as url:
            for path in chosen:
                began = time.perf_counter()
                books, seconds = built(path)
                page = browser.new_page(viewport=VIEW)
                open_notebook(page, url, path.name)
                run_all(page, url, 2 * len(books))
                for k, book in enumerate(books):
                    ours, theirs = presses(page, 2 * k), presses(page, 2 * k + 1)
                    size = sum(len(f.png) * 4 // 3 + len(f.alt) for f in book.frames) // 1024
                    print(f"| {path.stem[:2]} | {book.label} | {len(book.frames)} | {seconds[k]:.2f} | {size} | {row(ours)} | {row(theirs)} "
                          f"| {statistics.median(theirs) / statistics.median(ours):.0f} |", flush=True)
                page.close()
                print(f"{path.stem}: {time.perf_counter() - began:.0f} s", file=sys.stderr)
        browser.close()
        shutil.rmtree(folder / ".home", ignore_errors=True)


def with_interact(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The notebook with a cell behind each slider's in which `interact` redraws the same scene."""
    cells = []
    for cell in notebook.cells:
        cells.append(cell)
        if found := re.search(r"sliders\.flipbook\(scene, (.+), label=", cell.source):
            cells.append(nbformat.v4.new_code_cell(REDRAW.replace("VALUES", found.group(1))))
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
