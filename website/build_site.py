"""Build the site: static pages of the whole chapter, for any web server or a folder on a disk.

    python website/build_site.py [FOLDER]        # _site by default

The folder is replaced when the new one is complete, and left as it was when the build fails.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import nbformat
import npm
import sources
from nbformat import NotebookNode

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
TEACHING = ROOT / "teaching" / "README.md"


def drawn(notebooks: dict[Path, NotebookNode]) -> dict[Path, dict[str, str]]:
    """The sliders of the notebooks that have any, two notebooks at a time."""
    waiting = [path for path, notebook in notebooks.items() if sources.slider_texts(notebook)]
    books = {}
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        runs = {pool.submit(sources.read_sliders, path): path for path in waiting}
        for done in as_completed(runs):
            books[runs[done]] = done.result()
            print(f"[{len(books)} of {len(waiting)}] {runs[done].name}: its sliders are drawn", flush=True)
    return books


def write_katex(folder: Path) -> None:
    """KaTeX's style sheet and its fonts, in the one format that every browser of today reads."""
    katex = npm.package("katex") / "dist"
    (folder / "fonts").mkdir(parents=True)
    css = (katex / "katex.min.css").read_text("utf-8")
    (folder / "katex.min.css").write_text(re.sub(r',url\([^)]+\) format\("(woff|truetype)"\)', "", css), "utf-8")
    for font in (katex / "fonts").glob("*.woff2"):
        shutil.copyfile(font, folder / "fonts" / font.name)


def write_sources(folder: Path, paths: list[Path]) -> None:
    """What Sphinx reads: the prepared notebooks, the index, the teacher's page, pictures and fonts."""
    notebooks = {path: nbformat.read(path, as_version=4) for path in paths}
    books, pictures = drawn(notebooks), {}
    texts = {"index.md": sources.included((HERE / "index.md").read_text("utf-8"), (ROOT / "README.md").read_text("utf-8"))}
    if TEACHING.exists():
        texts["teaching.md"] = TEACHING.read_text("utf-8")
    pages = {path.name for path in paths} | set(texts)
    for path, notebook in notebooks.items():
        nbformat.write(sources.prepared(notebook, books.get(path, {}), pages, pictures), folder / path.name)
    for name, text in texts.items():
        (folder / name).write_text(sources.relinked(text, pages), "utf-8")
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=shutil.ignore_patterns("*.md", "*.json"))  # its pictures
    shutil.copyfile(HERE / "conf.py", folder / "conf.py")
    for part in ("_static", "_templates"):
        shutil.copytree(HERE / part, folder / part)
    write_katex(folder / "_static" / "katex")
    (folder / "_static" / "figures").mkdir()
    for name, png in pictures.items():
        (folder / "_static" / "figures" / name).write_bytes(png)


def build(folder: Path, notebooks: Path = ROOT / "notebooks") -> None:
    """Build the site of these notebooks in a folder of its own."""
    began = time.monotonic()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".site-") as beside:
        source, site, old = (Path(beside, name) for name in ("source", "site", "old"))
        source.mkdir()
        write_sources(source, sorted(notebooks.glob("*.ipynb")))
        print("setting the pages ...", flush=True)
        command = [
            sys.executable,
            "-m",
            "sphinx",
            "-b",
            "html",
            "-q",
            "-W",
            "--keep-going",
            "-d",
            str(Path(beside, "doctrees")),
            str(source),
            str(site),
        ]
        if subprocess.call(command, env={**os.environ, "PYTHONPATH": str(HERE)}):
            raise SystemExit(f"The pages could not be set; {folder} is as it was.")
        (site / ".buildinfo").unlink()  # tells Sphinx what it need not do again; each build here is a whole one
        (site / "_sources").rmdir()
        if folder.exists():
            os.replace(folder, old)
        os.replace(site, folder)
    pages = sorted(folder.glob("*.html"))
    print(f"{folder}: {len(pages)} pages, {size(folder) / 1e6:.1f} MB, {time.monotonic() - began:.0f} s")


def size(folder: Path) -> int:
    """Bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Build the chapter's site.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "_site")
    build(parser.parse_args().folder.resolve())
