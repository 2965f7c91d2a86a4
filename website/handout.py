"""Print the chapter for paper: handout.pdf without solutions, handout-with-solutions.pdf with them, beside the site's pages.

    python website/handout.py [FOLDER]        # the site's folder, _site by default

The pages of the site are joined to one, and Chromium prints that; once to learn on which page each notebook begins, and
once with these numbers in the list of contents. Made again, both files are the same to the byte.
"""

from __future__ import annotations

import argparse
import copy
import io
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import sources
from bs4 import BeautifulSoup, Tag
from playwright.sync_api import Browser, sync_playwright
from pypdf import PdfReader

from tools.refresh import replace

ROOT = Path(__file__).resolve().parent.parent
VARIANTS = {"handout.pdf": False, "handout-with-solutions.pdf": True}
FRAME = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Attention: reasoning by relevance</title>
<link rel="stylesheet" href="_static/pygments.css"><link rel="stylesheet" href="_static/katex/katex.min.css">
<link rel="stylesheet" href="_static/handout.css"></head><body></body></html>"""


def chapters(site: Path) -> list[tuple[str, Tag]]:
    """The pages in their order, each as its name and its article: the opening, then the notebooks."""
    names = ["index", *sorted(path.stem for path in site.glob("[0-9]*.html"))]
    return [(name, BeautifulSoup((site / f"{name}.html").read_text("utf-8"), "html.parser").find("article")) for name in names]


def for_paper(name: str, article: Tag, names: set[str], solutions: bool) -> Tag:
    """An article without what only a screen can do; its anchors and links carry the page's name, so that all are unlike."""
    article = copy.copy(article)
    article["id"] = name
    for book in article.select(".flipbook"):
        lay_out(book)
    for part in article.select("script, noscript, .headerlink"):
        part.decompose()
    for code in article.select("pre"):
        indent(code)
    for part in article.select("details"):
        if solutions:
            part["open"] = ""
        else:
            part.decompose()
    for part in article.select("[id]"):
        part["id"] = f"{name}--{part['id']}"
    for link in article.select("a[href]"):
        page, _, anchor = link["href"].partition("#")
        page = page.removesuffix(".html") or name
        if page in names:
            link["href"] = f"#{page}--{anchor}" if anchor else f"#{page}"
    return article


def lay_out(book: Tag) -> None:
    """A slider's two ends, before and after the frame at which it starts, each with its words."""
    slider = json.loads(book.select_one("script[type='application/json']").string)
    start = book.p.extract(), book.img.extract()
    for k in sorted({0, slider["start"], len(slider["frames"]) - 1}):
        words, alt, png = slider["frames"][k]
        frame = BeautifulSoup("<div class='frame'></div>", "html.parser").div
        said, picture = copy.copy(start[0]), copy.copy(start[1])
        said.string, picture["alt"] = words, alt
        if png:  # the start's own picture stands there already
            picture["src"] = f"data:image/png;base64,{png}"
        frame.extend([said, picture])
        book.append(frame)


def indent(code: Tag) -> None:
    """Make a block of each line, so that what does not fit goes on below, further in than the line began."""
    lines = code.decode_contents().rstrip("\n").split("\n")
    code.clear()
    for line in lines:
        text = BeautifulSoup(f"<pre>{line or ' '}</pre>", "html.parser").pre  # in another element its spaces would not be kept
        inside = len(text.get_text()) - len(text.get_text().lstrip(" ")) + 4
        text.name, text.attrs = "span", {"class": "line", "style": f"padding-left:{inside}ch;text-indent:-{inside}ch"}
        code.append(text)


def contents(articles: list[tuple[str, Tag]], numbers: dict[str, int]) -> Tag:
    """The list of contents, with the page numbers that are known."""
    page = BeautifulSoup("<nav class='contents'><h2>Contents</h2><ol></ol></nav>", "html.parser")
    for name, article in articles[1:]:
        title = article.find("h1").find(string=True)
        line = BeautifulSoup(f"<li><a href='#{name}'><span></span><b>{numbers.get(name, 0)}</b></a></li>", "html.parser")
        line.span.string = title
        page.ol.append(line)
    return page


def joined(articles: list[tuple[str, Tag]], solutions: bool, numbers: dict[str, int]) -> str:
    """The whole chapter as one page."""
    names = {name for name, _ in articles}
    whole = BeautifulSoup(FRAME, "html.parser")
    for name, article in articles:
        section = for_paper(name, article, names, solutions)
        if name == "index":  # a title page: the list of contents takes the place of the site's table and its words
            for part in section.select("section section, p:not(:has(strong, img))"):
                part.decompose()
            section.append(contents(articles, numbers))
        whole.body.append(section)
    return str(whole)


def placed(site: Path, text: str, folder: Path) -> Path:
    """The page as a file in a folder, with the site's pictures, fonts and styles beside it."""
    for part in ("_static", "_images"):
        os.symlink(site / part, folder / part)
    page = folder / "handout.html"
    page.write_text(sources.stilled(text, site), "utf-8")
    return page


@contextmanager
def chromium() -> Iterator[Browser]:
    """The Chromium on the PATH, which prints."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not path:
        raise SystemExit("make handout needs Chromium: for instance 'apt install chromium'")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path)
        yield browser
        browser.close()


def printed(browser: Browser, site: Path, text: str) -> bytes:
    """The PDF that Chromium makes of a page, once all pictures and fonts are there."""
    with tempfile.TemporaryDirectory() as folder, closing(browser.new_page()) as page:
        page.emulate_media(media="print")
        page.goto(placed(site, text, Path(folder)).as_uri())
        page.evaluate("document.fonts.ready")
        return page.pdf(prefer_css_page_size=True, print_background=True, outline=True, tagged=True)


def settled(pdf: bytes) -> bytes:
    """The same file without what tells one printing from another, each put at equal length, so that no place in it moves.

    These are its two dates of making, and the numbers of the nodes that its tables name: Chromium counts every node that
    the process ever had, on a busy machine those of a page before this one too. Here they count from one, in their order.
    """
    nodes = sorted(set(re.findall(rb"\bnode(\d{8})\b", pdf)))
    pdf = re.sub(rb"\bnode(\d{8})\b", lambda found: b"node%08d" % (nodes.index(found[1]) + 1), pdf)
    return re.sub(rb"(/(?:Creation|Mod)Date \(D:)\d{14}", rb"\g<1>20260101000000", pdf)


def first_pages(pdf: bytes) -> dict[str, int]:
    """The number of the page on which each anchor stands, counted from one."""
    reader = PdfReader(io.BytesIO(pdf))
    return {name.lstrip("/"): reader.get_destination_page_number(place) + 1 for name, place in reader.named_destinations.items()}


def handout(site: Path, browser: Browser) -> None:
    """Both files; each is put in its place when it is complete."""
    articles = chapters(site)
    for name, solutions in VARIANTS.items():
        began = time.monotonic()
        print(f"printing {name} ...", flush=True)
        numbers = first_pages(printed(browser, site, joined(articles, solutions, {})))
        pdf = settled(printed(browser, site, joined(articles, solutions, numbers)))
        replace(site / name, pdf)
        print(
            f"{site / name}: {len(PdfReader(io.BytesIO(pdf)).pages)} pages, {len(pdf) / 1e6:.1f} MB, "
            f"{time.monotonic() - began:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Print the site's pages as one file for paper.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "_site")
    chosen = parser.parse_args().folder.resolve()
    with chromium() as found:
        handout(chosen, found)
