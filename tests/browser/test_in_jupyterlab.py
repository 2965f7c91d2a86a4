"""The notebooks in real JupyterLab in a real browser: what a reader sees before and after running, and every slider."""

import re
import shutil
import subprocess
import sys

import nbformat
import pytest

from conftest import PATHS, ROOT, need
from tools.browser_lab import VIEW, api, flipbooks, lab, open_notebook, run_all

need("browser tests", {"playwright": "make browser"})
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

WITH_SLIDERS = [p for p in PATHS if "sliders.flipbook(" in p.read_text(encoding="utf-8")]
# What a slider shows: its words, its picture and where this stands, and what a screen reader is told.
SHOWN = """book => {
  const picture = book.querySelector("img"), input = book.querySelector("input"), top = book.getBoundingClientRect();
  const box = picture.getBoundingClientRect();
  return {words: book.querySelector("p").textContent, alt: picture.alt, drawn: picture.complete && picture.naturalWidth > 0,
          place: [Math.round(box.width), Math.round(box.height), Math.round(box.top - top.top)],
          pictures: book.querySelectorAll("img").length, said: input && input.getAttribute("aria-valuetext"),
          held: document.activeElement === input, high: Math.round(top.height)};
}"""


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    shutil.copytree(ROOT / "notebooks", folder, dirs_exist_ok=True)
    with lab(folder) as address:
        yield address


@pytest.fixture
def page(browser):
    context = browser.new_context(viewport=VIEW, reduced_motion="reduce")
    page = context.new_page()
    page.errors = []
    page.on("console", lambda message: page.errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    yield page
    context.close()


@pytest.fixture(autouse=True)
def no_kernel_left(request):
    yield
    if "url" in request.fixturenames:
        address = request.getfixturevalue("url")
        for kernel in api(address, "kernels"):
            api(address, f"kernels/{kernel['id']}", "DELETE")


def stored_pictures(path):
    return [
        out
        for cell in nbformat.read(path, as_version=4).cells
        for out in cell.get("outputs", [])
        if "image/png" in out.get("data", {})
    ]


def seen_before_running(page, path):
    """Scroll through the page once, since JupyterLab draws a cell when it comes into view; count pictures and captions."""
    shown, captions = set(), set()
    cells = page.locator(".jp-Notebook .jp-Cell")
    for k in range(len(nbformat.read(path, as_version=4).cells)):
        if k < cells.count():
            # At once: JupyterLab puts another element in a cell's place as it draws it, and waiting for one may never end.
            cells.nth(k).evaluate("cell => cell.scrollIntoView({block: 'center'})")
        page.wait_for_timeout(60)
        shown |= set(page.eval_on_selector_all(".jp-OutputArea img", "all => all.filter(i => i.naturalWidth > 0).map(i => i.src)"))
        captions |= set(page.eval_on_selector_all(".jp-OutputArea em", "all => all.map(e => e.parentElement.textContent)"))
    return shown, {c for c in captions if c.startswith(("Figure.", "Slider.", "Lens."))}


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_notebook_opened_and_not_run_shows_its_committed_pictures_and_captions(path, url, page):
    open_notebook(page, url, path.name)
    shown, captions = seen_before_running(page, path)
    assert len(shown) == len({out.data["image/png"] for out in stored_pictures(path)})
    assert len(captions) == len(
        {
            out.data["text/markdown"]
            for cell in nbformat.read(path, as_version=4).cells
            for out in cell.get("outputs", [])
            if out.get("data", {}).get("text/markdown", "").startswith(("*Figure.* ", "*Slider.* ", "*Lens.* "))
        }
    )
    assert page.errors == []


def test_a_trusted_notebook_shows_them_too(url, page, tmp_path):
    path = WITH_SLIDERS[0]
    api(url, f"contents/{path.name}/trust", "POST")
    open_notebook(page, url, path.name)
    shown, _ = seen_before_running(page, path)
    assert len(shown) == len({out.data["image/png"] for out in stored_pictures(path)})


# A slider, day by day --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """A folder with the notebooks that have sliders; the servers of the tests below see it one after the other."""
    folder = tmp_path_factory.mktemp("shelf")
    for path in WITH_SLIDERS:
        shutil.copy(path, folder)
    return folder


@pytest.fixture(scope="module")
def books():
    return {path: flipbooks(path) for path in WITH_SLIDERS}


@pytest.fixture(scope="module")
def first_day(shelf, books, browser):
    """Each notebook run, its sliders followed, saved from the keyboard, and followed again without a kernel: what went wrong."""
    wrong = {}
    with lab(shelf) as address:
        for path in WITH_SLIDERS:
            page = browser.new_page(viewport=VIEW, reduced_motion="reduce")
            errors = []
            page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
            page.on("pageerror", lambda error: errors.append(str(error)))
            open_notebook(page, address, path.name)
            run_all(page, address, len(books[path]))
            wrong[path] = [fault for k, book in enumerate(books[path]) for fault in followed(page, k, book)] + errors
            before = (shelf / path.name).stat().st_mtime_ns
            page.locator(".flipbook input").first.focus()
            page.keyboard.press("Control+s")  # a slider that keeps this to itself would lose the reader's work
            for _ in range(100):
                if (shelf / path.name).stat().st_mtime_ns != before:
                    break
                page.wait_for_timeout(100)
            else:
                wrong[path].append("Ctrl+S did not reach JupyterLab")
            for kernel in api(address, "kernels"):
                api(address, f"kernels/{kernel['id']}", "DELETE")
            page.wait_for_timeout(500)
            if page.locator(".jp-Dialog button").count():
                page.locator(".jp-Dialog button").first.click()
            wrong[path] += [f"without a kernel: {fault}" for k, book in enumerate(books[path]) for fault in followed(page, k, book)]
            page.close()
    return wrong


def followed(page, k, book):
    """Slider k by keyboard: Home, then one arrow at a time to the end; what is not as Python computed it, in words."""
    slider = page.locator(".flipbook").nth(k)
    slider.evaluate("book => book.scrollIntoView({block: 'start'})")
    element, faults, place = slider.element_handle(), [], None
    element.query_selector("input").focus()
    page.keyboard.press("Home")
    for step, frame in enumerate(book.frames):
        if step:
            page.keyboard.press("ArrowRight")
        shown = settled(page, element, frame.alt)
        place = place or shown["place"]
        ok = {
            "words": frame.caption,
            "alt": frame.alt,
            "said": frame.caption,
            "drawn": True,
            "pictures": 1,
            "held": True,
            "place": place,
        }
        faults += [
            f"slider {k}, step {step}: {name} is {shown[name]!r}, not {wanted!r}"
            for name, wanted in ok.items()
            if shown[name] != wanted
        ]
    for key, last in (
        ("Home", 0),
        ("PageUp", -(-len(book.frames) // 10)),
        ("End", -1),
        ("PageDown", -1 - -(-len(book.frames) // 10)),
    ):
        page.keyboard.press(key)
        if settled(page, element, book.frames[last].alt)["alt"] != book.frames[last].alt:
            faults.append(f"slider {k}: {key} does not lead to frame {last}")
    if shown["high"] > 525:
        faults.append(f"slider {k} with its picture is {shown['high']} px high")
    return faults


def settled(page, element, alt):
    """What a slider shows once it shows ``alt``, or after two seconds."""
    for _ in range(100):
        shown = element.evaluate(SHOWN)
        if shown["alt"] == alt and shown["drawn"]:
            break
        page.wait_for_timeout(20)
    return shown


@pytest.mark.parametrize("path", WITH_SLIDERS, ids=lambda path: path.stem)
def test_on_the_first_day_every_slider_shows_what_python_computed_with_a_kernel_and_without(path, first_day):
    assert first_day[path] == []


@pytest.fixture(scope="module")
def second_day(shelf, first_day):
    """A server started anew in the same home."""
    with lab(shelf) as address:
        yield address


@pytest.mark.parametrize("path", WITH_SLIDERS, ids=lambda path: path.stem)
def test_on_the_second_day_every_slider_is_alive_without_running_anything(path, second_day, books, page):
    open_notebook(page, second_day, path.name)
    for k, book in enumerate(books[path]):
        reach(page, path, k)
        assert page.locator(".flipbook").nth(k).element_handle().evaluate(SHOWN)["alt"] == book.frames[book.start].alt
        assert followed(page, k, book) == []
    assert page.errors == []


def reach(page, path, k):
    """Scroll to slider k, since JupyterLab draws a cell when it comes into view."""
    code = [i for i, cell in enumerate(nbformat.read(path, as_version=4).cells) if "sliders.flipbook(" in cell.source]
    for _ in range(50):
        if page.locator(".flipbook").count() > k:
            return
        page.locator(
            f".jp-Notebook .jp-Cell[data-windowed-list-index='{code[k]}'], .jp-Notebook .jp-Cell >> nth=-1"
        ).first.evaluate("cell => cell.scrollIntoView({block: 'center'})")
        page.wait_for_timeout(100)
    raise AssertionError(f"slider {k} of {path.stem} did not come into view")


@pytest.fixture(scope="module")
def abroad(shelf, first_day):
    """The same files met by somebody else, who has no reason to trust them."""
    with lab(shelf, ".elsewhere") as address:
        yield address


@pytest.mark.parametrize("path", WITH_SLIDERS, ids=lambda path: path.stem)
def test_in_another_home_a_slider_shows_its_start_and_its_words_and_no_dead_control(path, abroad, books, page):
    open_notebook(page, abroad, path.name)
    for k, book in enumerate(books[path]):
        reach(page, path, k)
        slider = page.locator(".flipbook").nth(k)
        assert slider.locator("img").count() == 1 and slider.locator("img").get_attribute("alt") == book.frames[book.start].alt
        assert slider.locator("img").evaluate("i => i.complete && i.naturalWidth > 0")
        assert book.frames[book.start].caption in slider.text_content() and "run this cell" in slider.text_content()
        assert slider.locator("input, button, label").count() == 0
    assert page.errors == []


@pytest.mark.parametrize("path", WITH_SLIDERS, ids=lambda path: path.stem)
def test_a_page_that_nbconvert_makes_of_a_run_notebook_moves(path, shelf, first_day, books, page, tmp_path):
    subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "html", "--output-dir", str(tmp_path), str(shelf / path.name)],
        check=True,
        capture_output=True,
    )
    page.route(re.compile("^https?:"), lambda route: route.abort())  # whatever the template asks a network for
    page.goto((tmp_path / f"{path.stem}.html").as_uri())
    assert [fault for k, book in enumerate(books[path]) for fault in followed(page, k, book)] == []


def resting(page, locator):
    """Where an element stands in the middle of the page, once JupyterLab has drawn all cells above it."""
    before = None
    for _ in range(40):
        locator.evaluate("e => e.scrollIntoView({block: 'center'})")
        page.wait_for_timeout(250)
        now = locator.bounding_box()
        if now == before:
            return now
        before = now
    raise AssertionError("the page does not come to rest")


def test_tab_finger_and_pointer_move_a_slider_and_its_keys_are_its_own(url, browser, books):
    path = next(p for p in WITH_SLIDERS if p.stem.startswith("06"))
    context = browser.new_context(viewport=VIEW, has_touch=True, reduced_motion="no-preference")
    page = context.new_page()
    open_notebook(page, url, path.name)
    run_all(page, url, 1)
    cells, book = page.locator(".jp-Notebook .jp-Cell").count(), books[path][0]
    slider = page.locator(".flipbook").first
    slider.evaluate("book => book.scrollIntoView({block: 'start'})")
    slider.evaluate("book => { book.tabIndex = -1; book.focus(); }")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.type") == "range"
    for key in ("b", "a", "x", "d", "d", "Space", "Enter"):  # JupyterLab's: insert, cut, delete, scroll, edit
        page.keyboard.press(key)
    assert page.locator(".jp-Notebook .jp-Cell").count() == cells and page.evaluate("document.activeElement.type") == "range"
    box = resting(page, slider.locator("input"))
    seen = [slider.element_handle().evaluate(SHOWN)["alt"]]
    page.touchscreen.tap(box["x"] + 0.9 * box["width"], box["y"] + box["height"] / 2)
    page.wait_for_timeout(300)
    seen.append(slider.element_handle().evaluate(SHOWN)["alt"])
    page.mouse.move(box["x"] + 0.9 * box["width"], box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.1 * box["width"], box["y"] + box["height"] / 2, steps=9)
    page.mouse.up()
    page.wait_for_timeout(300)
    seen.append(slider.element_handle().evaluate(SHOWN)["alt"])
    assert len(set(seen)) == 3 and set(seen) <= {frame.alt for frame in book.frames}
    play = slider.locator("button")
    assert play.inner_text() == "Play"
    page.keyboard.press("Home")
    play.click()
    page.wait_for_timeout(700)
    moving = slider.element_handle().evaluate(SHOWN)["alt"]
    assert play.inner_text() == "Pause" and moving != seen[-1]
    play.click()
    page.wait_for_timeout(400)
    stands = slider.element_handle().evaluate(SHOWN)["alt"]
    page.wait_for_timeout(600)
    assert play.inner_text() == "Play" and slider.element_handle().evaluate(SHOWN)["alt"] == stands
    page.emulate_media(reduced_motion="reduce")
    play.click()
    page.wait_for_timeout(900)
    once = slider.element_handle().evaluate(SHOWN)["alt"]
    alts = [frame.alt for frame in book.frames]
    assert alts.index(once) == alts.index(stands) + 1, "where motion is to be reduced, a press is one step"
    page.locator(".flipbook input").first.focus()
    counts = page.locator(".jp-Notebook .jp-InputPrompt").all_inner_texts()
    page.keyboard.press("Control+Enter")  # runs the cell that is selected
    for _ in range(50):
        if page.locator(".jp-Notebook .jp-InputPrompt").all_inner_texts() != counts:
            break
        page.wait_for_timeout(100)
    else:
        raise AssertionError("Ctrl+Enter did not reach JupyterLab")
    context.close()


def test_a_page_made_by_nbconvert_shows_the_starting_frame_and_its_text(page, tmp_path):
    path = next(p for p in WITH_SLIDERS if p.stem.startswith("06"))
    subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "html", "--output-dir", str(tmp_path), str(path)],
        check=True,
        capture_output=True,
    )
    page.route(re.compile("^https?:"), lambda route: route.abort())  # whatever the template asks a network for
    page.goto((tmp_path / f"{path.stem}.html").as_uri())
    assert page.locator("img").count() == len(stored_pictures(path))
    assert page.locator("img").evaluate_all("all => all.every(i => i.naturalWidth > 0)")
    assert page.locator("em:text-is('Slider.')").count() == path.read_text(encoding="utf-8").count("sliders.flipbook(")


def test_the_slider_of_a_plain_page_moves_without_jupyter(page, tmp_path):
    book = flipbooks(next(p for p in WITH_SLIDERS if p.stem.startswith("06")))[0]
    (tmp_path / "page.html").write_text(
        f"<!doctype html><meta charset='utf-8'><title>t</title><p>{book.to_html()}</p>".replace("<p>", "<main>").replace(
            "</p>", "</main>"
        ),
        encoding="utf-8",
    )
    page.goto((tmp_path / "page.html").as_uri())
    slider = page.get_by_label(book.label)
    slider.focus()
    page.keyboard.press("Home")
    for frame in book.frames:
        visible = page.locator("img:visible")
        assert (visible.count(), visible.first.get_attribute("alt")) == (1, frame.alt)
        assert slider.get_attribute("aria-valuetext") == page.locator("p").inner_text() == frame.caption
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    assert page.locator("img:visible").first.get_attribute("alt") == book.frames[0].alt
    assert page.errors == []
