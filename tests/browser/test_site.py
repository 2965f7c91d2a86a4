"""The built site in a real browser: what it asks for, what it shows, what moves, what a print and a second build give."""

import functools
import json
import os
import re
import subprocess
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import nbformat
import pytest

from conftest import PATHS, ROOT, need
from tools.browser_lab import VIEW

need("site tests", {"playwright": "make browser", "furo": "make site-tools"})

from bs4 import BeautifulSoup  # noqa: E402
from pypdf import PdfReader  # noqa: E402

sys.path.insert(0, str(ROOT / "website"))
import handout  # noqa: E402
import npm  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

NOTEBOOKS = {f"{path.stem}.html": path for path in PATHS}
PAGES = ["index.html", *NOTEBOOKS, "search.html"] + ["teaching.html"] * (ROOT / "teaching" / "README.md").exists()
SLIDERS = [name for name, path in NOTEBOOKS.items() if '"Slider: ' in path.read_text(encoding="utf-8")]
PHONE = {"width": 390, "height": 844}
AXE = (npm.package("axe-core") / "axe.min.js").read_text("utf-8")

WIDE = "+".join(f"x_{{{k}}}" for k in range(60))
# A notebook with what the chapter's own need not have: a solution, notes for a speaker, a long line, a wide formula.
MADE_UP = nbformat.v4.new_notebook(
    metadata={"language_info": {"name": "python"}},
    cells=[
        nbformat.v4.new_markdown_cell(f"# 01 · Made up\n\n## Exercise\n\nDouble a number.\n\n$${WIDE}$$"),
        nbformat.v4.new_markdown_cell("Speak slowly here.", metadata={"tags": ["speaker"]}),
        nbformat.v4.new_code_cell("x = " + "1 + " * 80 + "1", execution_count=1),
        nbformat.v4.new_markdown_cell(
            "<details><summary>Solution</summary>\n\n```python\ndef doubled(n):\n    return 2 * n\n```\n\n</details>",
            metadata={"tags": ["solution"]},
        ),
        nbformat.v4.new_markdown_cell(
            "| a | b |\n|---|---|\n| " + "wide" * 60 + " | 1 |\n\n[Back to it](01_made_up.ipynb#Exercise)"
        ),
    ],
)
# The boxes of the page itself that could be scrolled sideways, and what stands out of the window in no box of its own.
SIDEWAYS = """() => [...document.querySelectorAll("html, body, .page, .main, .content")]
  .filter(e => e.scrollWidth > Math.min(e.clientWidth, innerWidth)).map(e => [e.tagName, e.className, e.scrollWidth])"""
# KaTeX ends a column with an empty cell two pixels wide, so its tables are passed over, and what stands in them is not.
OUTSIDE = """() => [...document.querySelectorAll("article *:not([class^=vlist])")].filter(e => e.getBoundingClientRect().right > innerWidth + 1)
  .filter(e => !e.closest("pre, div.math, .table-wrapper, .visually-hidden, .katex-mathml, svg svg, path")).map(e => e.outerHTML.slice(0, 80))"""


# The site, built once, and a browser before it ----------------------------------------------------------------------


def built(folder, notebooks=ROOT / "notebooks"):
    call = f"import build_site, pathlib; build_site.build(pathlib.Path({str(folder)!r}), pathlib.Path({str(notebooks)!r}))"
    done = subprocess.run(
        [sys.executable, "-c", f"if __name__ == '__main__':\n {call}"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "website")},
        cwd=folder.parent,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return folder


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def serve():
    servers = []

    def start(folder):
        servers.append(ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder)))
        threading.Thread(target=servers[-1].serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{servers[-1].server_port}/"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return built(tmp_path_factory.mktemp("built") / "site")


@pytest.fixture(scope="module")
def url(site, serve):
    return serve(site)


@pytest.fixture(scope="module")
def made_up(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made-up")
    (folder / "notebooks").mkdir()
    nbformat.write(MADE_UP, folder / "notebooks" / "01_made_up.ipynb")
    return built(folder / "site", folder / "notebooks")


@pytest.fixture
def page(browser):
    context = browser.new_context(viewport=VIEW, reduced_motion="reduce")
    page = context.new_page()
    page.errors, page.asked = [], []
    page.on("console", lambda message: page.errors.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on(
        "requestfailed",
        lambda request: (
            page.errors.append(f"{request.failure}: {request.url[:99]}") if request.failure != "net::ERR_ABORTED" else None
        ),
    )  # a request the browser drops as it goes to the next page
    page.on("request", lambda request: page.asked.append(request.url))
    yield page
    context.close()


def soup(path):
    return BeautifulSoup(path.read_text("utf-8"), "html.parser")


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# Every page ----------------------------------------------------------------------------------------------------------


def test_the_site_has_a_page_for_every_notebook_and_no_other(site):
    assert sorted(path.name for path in site.glob("*.html")) == sorted(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_asks_no_other_host_shows_its_pictures_and_reports_no_error(name, url, page):
    page.goto(url + name, wait_until="networkidle")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert [address[:99] for address in page.asked if not address.startswith((url, "data:"))] == []
    assert page.errors == []
    pictures = page.evaluate(
        "[...document.images].map(i => ({alt: i.alt, drawn: i.complete && i.naturalWidth > 0, src: i.src.slice(0, 99)}))"
    )
    assert [i for i in pictures if not (i["alt"].strip() and i["drawn"])] == []


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious_on_a_page_in_light_or_dark_on_a_screen_or_a_phone(name, url, page):
    found = {}
    for scheme, size in (("light", VIEW), ("dark", PHONE)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size(size)
        page.goto(url + name)
        page.evaluate(AXE)
        report = page.evaluate("axe.run({resultTypes: ['violations']})")
        assert len(report["passes"]) > 10, "axe looked at nothing"
        found[scheme] = [
            (v["id"], len(v["nodes"]), v["nodes"][0]["html"][:99])
            for v in report["violations"]
            if v["impact"] in ("serious", "critical")
        ]
    assert found == {"light": [], "dark": []}


@pytest.mark.parametrize("name", PAGES)
def test_a_phone_page_does_not_scroll_sideways_and_cuts_nothing_off(name, url, page):
    page.set_viewport_size(PHONE)
    page.goto(url + name)
    assert page.evaluate(SIDEWAYS) == []
    assert page.evaluate(OUTSIDE) == []


def test_every_link_and_anchor_resolves(site):
    pages = {path.name: soup(path) for path in site.glob("*.html")}
    anchors = {name: {tag["id"] for tag in page.select("[id]")} for name, page in pages.items()}
    broken, seen = [], 0
    for name, page in pages.items():
        for tag in page.select("[href], [src]"):
            target = tag.get("href", tag.get("src"))
            if re.match(r"(https?|data|mailto):", target):
                continue
            seen += 1
            file, _, anchor = target.partition("#")
            file = file.split("?")[0] or name
            if not (site / file).is_file() or (anchor and tag.name != "use" and anchor not in anchors[file]):
                broken.append((name, target))
    assert broken == []
    assert seen > 40 * len(NOTEBOOKS)
    assert [link for link in NOTEBOOKS if not pages["index.html"].select(f'article a[href="{link}"]')] == []


def test_each_notebook_leads_to_the_one_before_and_the_one_after(site):
    names = list(NOTEBOOKS)
    for before, name, after in zip(names, names[1:], names[2:]):
        page = soup(site / name)
        assert page.select_one("a.prev-page")["href"] == before
        assert page.select_one("a.next-page")["href"] == after


# What a page shows ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_code_and_outputs_stand_on_the_page_as_committed_and_in_order(name, site):
    committed = []
    for cell in nbformat.read(NOTEBOOKS[name], as_version=4).cells:
        if cell.cell_type == "code" and "speaker" not in cell.metadata.get("tags", []):
            committed += [cell.source, *(out.text for out in cell.outputs if out.output_type == "stream")]
    shown = [pre.get_text() for pre in soup(site / name).select("article div.cell pre")]
    assert [text.rstrip("\n") for text in shown] == [text.rstrip("\n") for text in committed]


def words(text):
    return re.sub(r"[^A-Za-z0-9]+", " ", text)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_sentence_of_the_notebook_is_on_its_page(name, site):
    page = words(soup(site / name).find("article").get_text())
    runs = 0
    for cell in nbformat.read(NOTEBOOKS[name], as_version=4).cells:
        if cell.cell_type == "markdown" and "speaker" not in cell.metadata.get("tags", []):
            text = re.sub(r"\$\$.*?\$\$|\$[^$]*\$|```.*?```|\]\([^)]*\)|<[^>]*>", "\0", cell.source, flags=re.DOTALL)
            for run in re.split(r"[\0|\n]|^\s*(?:[*#>]|\d+\.)", text, flags=re.MULTILINE):
                runs += 1
                assert words(run).strip() in page
    assert runs > 20


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_formula_is_set(name, url, page):
    prose = "\n\n".join(
        cell.source
        for cell in nbformat.read(NOTEBOOKS[name], as_version=4).cells
        if cell.cell_type == "markdown" and "speaker" not in cell.metadata.get("tags", [])
    )
    formulas = len(re.findall(r"\$\$.+?\$\$|\$[^$]+\$", re.sub(r"```.*?```|`[^`]*`", "", prose, flags=re.DOTALL), re.DOTALL))
    page.goto(url + name)
    page.evaluate("document.fonts.ready")
    set_ones = page.evaluate("""[...document.querySelectorAll("article .math")].filter(m => {
      const boxes = m.querySelector(".katex-html"), box = boxes?.getBoundingClientRect();
      return m.querySelector("math") && box?.width > 0 && box?.height > 0; }).length""")
    assert set_ones == formulas
    assert page.locator(".katex-error, mjx-merror, .problematic").count() == 0
    failed = page.evaluate("[...document.fonts].filter(f => f.status === 'error').map(f => f.family)")
    loaded = page.evaluate("[...document.fonts].filter(f => f.family.startsWith('KaTeX') && f.status === 'loaded').length")
    assert failed == [] and bool(loaded) == bool(formulas)
    text = page.evaluate("""() => {
      const article = document.querySelector("article").cloneNode(true);
      article.querySelectorAll("pre, code, script").forEach(part => part.remove());
      return article.textContent; }""")
    assert re.findall(r"\$|\\[A-Za-z]+|```|\*\*", text) == []


def test_a_formula_that_cannot_be_set_stops_the_build_and_leaves_the_old_site(tmp_path):
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "old.html").write_text("old")
    wrong = nbformat.v4.new_notebook(
        metadata=MADE_UP.metadata, cells=[nbformat.v4.new_markdown_cell(r"# 01" "\n\n" r"$\unheardof{x}$")]
    )
    nbformat.write(wrong, tmp_path / "notebooks" / "01_wrong.ipynb")
    with pytest.raises(RuntimeError, match=r"unheardof.*cannot be set"):
        built(tmp_path / "site", tmp_path / "notebooks")
    assert [path.name for path in (tmp_path / "site").iterdir()] == ["old.html"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notebooks", "site"]


# What moves ----------------------------------------------------------------------------------------------------------


def committed_sliders(path):
    """What each slider's committed text says: its label, the number of its steps, the findings at both ends, the alt at its start."""
    form = r"Slider: (.+), (\d+) steps from .+ to .+, starting at .+?\. First: (.+)\. Last: (.+)\. Start: (.+) \[\w+\]"
    texts = [
        out.data["text/plain"]
        for cell in nbformat.read(path, as_version=4).cells
        for out in cell.get("outputs", [])
        if out.get("data", {}).get("text/plain", "").startswith("Slider: ")
    ]
    return [re.fullmatch(form, text).groups() for text in texts]


# What a slider shows: its words and its picture, and what it says to a screen reader.
SHOWN = """book => {
  const picture = book.querySelector("img");
  return {said: book.querySelector("input").getAttribute("aria-valuetext"), words: book.querySelector("p").textContent,
          alt: picture.alt, drawn: picture.complete && picture.naturalWidth > 0, ground: getComputedStyle(picture).backgroundColor};
}"""


def state(book):
    for _ in range(50):
        shown = book.evaluate(SHOWN)
        if shown["drawn"]:
            break
    assert shown["said"] == shown["words"] and shown["drawn"] and shown["ground"] == "rgb(255, 255, 255)"
    return shown["words"], shown["alt"]


@pytest.mark.parametrize("name", SLIDERS)
def test_every_slider_moves_by_keyboard_through_all_its_frames_and_in_the_dark_too(name, url, page):
    page.goto(url + name)
    sliders = committed_sliders(NOTEBOOKS[name])
    assert page.locator(".flipbook").count() == len(sliders) > 0
    for k, (label, steps, first, last, start) in enumerate(sliders):
        book = page.locator(".flipbook").nth(k)
        assert state(book)[1] == start
        book.get_by_label(label, exact=True).focus()
        page.keyboard.press("Home")
        seen = [state(book)]
        for _ in range(int(steps) - 1):
            page.keyboard.press("ArrowRight")
            seen.append(state(book))
        assert (seen[0][0], seen[-1][0]) == (first, last)
        assert len(set(seen)) == len({alt for _, alt in seen}) == int(steps)
        page.emulate_media(color_scheme="dark")
        page.keyboard.press("Home")
        assert state(book) == seen[0]
        page.keyboard.press("End")
        assert state(book) == seen[-1]
        page.emulate_media(color_scheme="light")
    page.evaluate(AXE)
    assert [(v["id"], v["nodes"][0]["html"][:99]) for v in page.evaluate("axe.run('.flipbook')")["violations"]] == []
    assert page.errors == []


def test_the_search_finds_a_word_and_the_page_it_stands_on(url, page):
    page.goto(f"{url}index.html")
    page.get_by_role("textbox", name="Search").fill("superposition")
    page.keyboard.press("Enter")
    page.wait_for_selector("ul.search li a")
    assert any("09_binding_problem.html" in a.get_attribute("href") for a in page.locator("ul.search li a").all())
    page.goto(f"{url}search.html?q=theorem")
    page.wait_for_selector("ul.search li p")
    excerpt = page.locator("ul.search li", has_text="> The theorem").locator("p").inner_text().replace("\u200b", "")
    assert "2dk" in excerpt and "d_k" not in excerpt, "a formula is shown twice: set, and as its source"
    page.goto(f"{url}search.html?q=xylophone")
    page.wait_for_function("document.querySelector('#search-results p')?.textContent.includes('did not match')")
    assert page.locator("ul.search li").count() == 0
    assert page.errors == []


def test_the_theme_is_the_readers_choice_and_stays(url, page):
    page.goto(f"{url}index.html")
    colour = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(colour)
    page.locator(".theme-toggle:visible").first.click()
    after = page.evaluate(colour)
    page.goto(url + next(iter(NOTEBOOKS)))
    assert before != after == page.evaluate(colour)


# Solutions, and paper ------------------------------------------------------------------------------------------------


def test_a_solution_is_closed_on_the_page_opens_and_is_absent_in_print_and_notes_for_speakers_are_nowhere(made_up, serve, page):
    page.goto(f"{serve(made_up)}01_made_up.html")
    solution = page.locator("details pre")
    assert page.get_by_text("Solution", exact=True).is_visible() and not solution.is_visible()
    page.get_by_text("Solution", exact=True).click()
    assert solution.is_visible() and "return 2 * n" in solution.inner_text()
    page.emulate_media(media="print")
    assert not solution.is_visible() and not page.get_by_text("Solution", exact=True).is_visible()
    whole, article = (page.evaluate(f"document.querySelector('{part}').innerText.trim()") for part in ("body", "article"))
    assert "Double a number." in whole and whole == article, "furniture of the screen is printed"
    everything = b"".join(files(made_up).values())
    assert b"return" in everything and b"Speak slowly" not in everything and b"slowli" not in everything


def test_what_is_too_wide_for_a_phone_scrolls_in_its_own_box_and_can_be_reached_by_keyboard(made_up, serve, page):
    page.set_viewport_size(PHONE)
    page.goto(f"{serve(made_up)}01_made_up.html")
    assert page.evaluate(SIDEWAYS) == []
    boxes = page.locator('[aria-label$="scrolls sideways"]')
    assert {box.get_attribute("aria-label").split(",")[0] for box in boxes.all()} == {"Code or output", "Formula", "Table"}
    for box in boxes.all():
        box.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function("() => document.activeElement.scrollLeft > 0")


def text_of(pdf):
    return "\n".join(page.extract_text() for page in PdfReader(pdf).pages)


def test_the_handout_has_no_solutions_the_other_has_them_and_both_come_out_the_same_again(made_up, browser):
    once = []
    for _ in range(2):
        handout.handout(made_up, browser)
        once.append({path.name: path.read_bytes() for path in made_up.glob("*.pdf")})
    assert set(once[0]) == {"handout.pdf", "handout-with-solutions.pdf"}
    assert [name for name in once[0] if once[0][name] != once[1][name]] == []
    without, with_them = text_of(made_up / "handout.pdf"), text_of(made_up / "handout-with-solutions.pdf")
    assert "Double a number" in without and "return 2 * n" not in without and "Solution" not in without
    assert "Double a number" in with_them and "return 2 * n" in with_them
    assert "Speak slowly" not in with_them
    assert "¶" not in with_them
    assert without.replace("\n", "").count("1 + " * 80 + "1") == 1, "a long line of code is cut off"


def test_a_print_does_not_tell_what_the_browser_had_shown_before(made_up, page):
    prints = []
    for _ in range(2):  # the second time, the nodes of the first are counted too
        page.goto((made_up / "01_made_up.html").as_uri())
        prints.append(page.pdf(tagged=True))
    assert re.findall(rb"node\d+", prints[0]) != re.findall(rb"node\d+", prints[1])
    assert handout.settled(prints[0]) == handout.settled(prints[1])


def test_the_whole_chapter_is_printed_with_every_output_and_each_notebook_begins_where_the_contents_say(site, browser, tmp_path):
    articles = handout.chapters(site)
    pdf = handout.printed(browser, site, handout.joined(articles, False, {}))
    (tmp_path / "chapter.pdf").write_bytes(pdf)
    pages = [page.extract_text() for page in PdfReader(tmp_path / "chapter.pdf").pages]
    starts = handout.first_pages(pdf)
    everything = re.sub(r"\s+", "", "".join(pages))
    for name, path in NOTEBOOKS.items():
        notebook = nbformat.read(path, as_version=4)
        start = starts[Path(name).stem]
        title = notebook.cells[0].source.split("\n")[0].removeprefix("# ")
        assert title in pages[start - 1] and f"{title}{start}" in handout.contents(articles, starts).get_text()
        for cell in notebook.cells:
            if "speaker" not in cell.metadata.get("tags", []):
                for output in cell.get("outputs", []):
                    assert output.output_type != "stream" or re.sub(r"\s+", "", output.text) in everything


def test_each_slider_is_printed_at_its_start_and_at_its_two_ends(site):
    for name, article in handout.chapters(site):
        said = [json.loads(book.select_one("script[type='application/json']").string) for book in article.select(".flipbook")]
        wanted = [[b["frames"][k][:2] for k in sorted({0, b["start"], len(b["frames"]) - 1})] for b in said]
        printed = [book.select(".frame") for book in handout.for_paper(name, article, set(), True).select(".flipbook")]
        assert [[[frame.p.string, frame.img["alt"]] for frame in frames] for frames in printed] == wanted
        sources = [frame.img["src"] for frames in printed for frame in frames]
        assert len(set(sources)) == len(sources)


def test_a_line_of_code_keeps_its_spaces_on_paper_and_goes_on_further_in_than_it_began():
    code = BeautifulSoup("<pre><b>def</b> f():\n\n    <i>return</i> 1   # one\n</pre>", "html.parser").pre
    handout.indent(code)
    assert [line.get_text() for line in code.select(".line")] == ["def f():", " ", "    return 1   # one"]
    assert [line["style"] for line in code.select(".line")][::2] == [f"padding-left:{k}ch;text-indent:-{k}ch" for k in (4, 8)]


def test_a_table_that_a_cell_shows_is_a_table(site):
    cells = [cell for path in PATHS for cell in nbformat.read(path, as_version=4).cells]
    rows = sum(
        out.data["text/markdown"].count("\n")
        for cell in cells
        for out in cell.get("outputs", [])
        if out.get("data", {}).get("text/markdown", "").startswith("|")
    )
    shown = [table for _, article in handout.chapters(site) for table in article.select(".cell_output table")]
    assert rows > 20 and sum(len(table.select("tr")) for table in shown) == rows  # the line of dashes for the last one's newline


def test_nothing_in_the_printed_chapter_is_wider_than_the_paper_and_no_slider_keeps_its_control(site, page, tmp_path):
    page.set_viewport_size({"width": 672, "height": 1000})  # 210 mm less two margins of 16 mm, at 96 pixels an inch
    page.emulate_media(media="print")
    page.goto(handout.placed(site, handout.joined(handout.chapters(site), True, {}), tmp_path).as_uri())
    drawn = sum(
        "image/png" in out.get("data", {})
        for path in PATHS
        for cell in nbformat.read(path, as_version=4).cells
        for out in cell.get("outputs", [])
    )
    assert page.locator("figure").count() == drawn and page.locator(".katex").count() > 500
    assert page.locator("input, label, button, script, noscript, .headerlink").count() == 0
    assert page.locator(".frame:visible").count() == 3 * sum(len(committed_sliders(NOTEBOOKS[name])) for name in SLIDERS)
    # A space at which a line of code is wrapped may hang over.
    assert page.evaluate(OUTSIDE.replace("pre, div.math, .table-wrapper", "pre .w, pre .s1, pre .s2, pre .c1")) == []
    assert page.errors == []


def test_a_second_build_gives_the_same_files_to_the_byte(site, tmp_path):
    first, second = files(site), files(built(tmp_path / "again"))
    assert sorted(first) == sorted(second)
    assert [name for name in first if first[name] != second[name]] == []
