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
# What the page shows of slider k: the frames that are visible, with their words and their place.
FRAMES = """(area) => [...area.querySelectorAll('img')].filter(i => i.offsetParent !== null).map(i => {
  const box = i.getBoundingClientRect(), top = area.getBoundingClientRect();
  return {alt: i.alt, drawn: i.complete && i.naturalWidth > 0, width: Math.round(box.width), height: Math.round(box.height),
          below: Math.round(box.top - top.top), text: i.previousElementSibling.textContent};
})"""


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
    return [out for cell in nbformat.read(path, as_version=4).cells for out in cell.get("outputs", [])
            if "image/png" in out.get("data", {})]


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
    return shown, {c for c in captions if c.startswith(("Figure.", "Slider."))}


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_notebook_opened_and_not_run_shows_its_committed_pictures_and_captions(path, url, page):
    open_notebook(page, url, path.name)
    shown, captions = seen_before_running(page, path)
    assert len(shown) == len({out.data["image/png"] for out in stored_pictures(path)})
    assert len(captions) == len({out.data["text/markdown"] for cell in nbformat.read(path, as_version=4).cells
                                 for out in cell.get("outputs", [])
                                 if out.get("data", {}).get("text/markdown", "").startswith(("*Figure.* ", "*Slider.* "))})
    assert page.errors == []


def test_a_trusted_notebook_shows_them_too(url, page, tmp_path):
    path = WITH_SLIDERS[0]
    api(url, f"contents/{path.name}/trust", "POST")
    open_notebook(page, url, path.name)
    shown, _ = seen_before_running(page, path)
    assert len(shown) == len({out.data["image/png"] for out in stored_pictures(path)})


@pytest.mark.parametrize("path", WITH_SLIDERS, ids=lambda path: path.stem)
def test_every_slider_shows_the_frame_that_python_computed(path, url, page):
    books = flipbooks(path)
    open_notebook(page, url, path.name)
    run_all(page, url, len(books))
    for k, book in enumerate(books):
        handle = page.locator(".noUi-handle").nth(k)
        handle.scroll_into_view_if_needed()
        area = output(page, k)
        follow(page, handle, area, book)
    assert page.errors == []
    for kernel in api(url, "kernels"):
        api(url, f"kernels/{kernel['id']}", "DELETE")
    page.wait_for_timeout(500)
    dismiss = page.locator(".jp-Dialog button")
    if dismiss.count():
        dismiss.first.click()
    for k, book in enumerate(books):  # no kernel is left, and the sliders go on
        area = output(page, k)
        follow(page, page.locator(".noUi-handle").nth(k), area, book)
    # JupyterLab says that the kernel is gone, and the slider that it cannot tell it where it stands; nothing else is wrong.
    gone = r"WebSocket|kernel|404|Could not send widget sync message Error: Cannot send"
    assert [e for e in page.errors if not re.search(gone, e)] == []


def output(page, k):
    """The output that holds slider k and its pictures."""
    return page.locator(".jp-OutputArea-output:has(.noUi-handle)").nth(k).element_handle()


def follow(page, handle, area, book):
    """Home, then one arrow at a time to the end: each frame must be the one computed for that stop, in the same place."""
    handle.focus()
    page.keyboard.press("Home")
    place = None
    for step, frame in enumerate(book.frames):
        if step:
            page.keyboard.press("ArrowRight")
        shown = settled(page, area, frame.alt)
        assert len(shown) == 1 and shown[0]["drawn"], (step, shown)
        assert (shown[0]["alt"], shown[0]["text"]) == (frame.alt, frame.caption), step
        place = place or (shown[0]["width"], shown[0]["height"], shown[0]["below"])
        assert (shown[0]["width"], shown[0]["height"], shown[0]["below"]) == place, f"the page moved at step {step}"
        assert "noUi-handle" in page.evaluate("document.activeElement.className"), "the slider lost the keyboard"
    page.keyboard.press("Home")
    assert settled(page, area, book.frames[0].alt)[0]["alt"] == book.frames[0].alt
    page.keyboard.press("End")
    assert settled(page, area, book.frames[-1].alt)[0]["alt"] == book.frames[-1].alt


def settled(page, area, alt):
    """What the slider shows once it shows ``alt``, or after two seconds."""
    for _ in range(100):
        shown = area.evaluate(FRAMES)
        if [s["alt"] for s in shown] == [alt]:
            break
        page.wait_for_timeout(20)
    return shown


def test_the_keyboard_reaches_a_slider_by_tab_and_a_finger_moves_it(url, browser):
    path = next(p for p in WITH_SLIDERS if p.stem.startswith("06"))
    context = browser.new_context(viewport=VIEW, has_touch=True)
    page = context.new_page()
    open_notebook(page, url, path.name)
    run_all(page, url, 1)
    handle = page.locator(".noUi-handle").first
    handle.scroll_into_view_if_needed()
    page.locator(".noUi-base").first.evaluate("e => e.closest('.jp-OutputArea').setAttribute('tabindex', '-1')")
    page.locator(".noUi-base").first.evaluate("e => e.closest('.jp-OutputArea').focus()")
    page.keyboard.press("Tab")
    for _ in range(6):
        if "noUi-handle" in page.evaluate("document.activeElement.className"):
            break
        page.keyboard.press("Tab")
    assert "noUi-handle" in page.evaluate("document.activeElement.className")
    box = page.locator(".noUi-base").first.bounding_box()
    before = output(page, 0).evaluate(FRAMES)
    page.touchscreen.tap(box["x"] + 0.9 * box["width"], box["y"] + box["height"] / 2)
    page.wait_for_timeout(300)
    after = output(page, 0).evaluate(FRAMES)
    assert before[0]["alt"] != after[0]["alt"]
    context.close()


def test_a_page_made_by_nbconvert_shows_the_starting_frame_and_its_text(page, tmp_path):
    path = next(p for p in WITH_SLIDERS if p.stem.startswith("06"))
    subprocess.run([sys.executable, "-m", "nbconvert", "--to", "html", "--output-dir", str(tmp_path), str(path)], check=True,
                   capture_output=True)
    page.route(re.compile("^https?:"), lambda route: route.abort())  # whatever the template asks a network for
    page.goto((tmp_path / f"{path.stem}.html").as_uri())
    assert page.locator("img").count() == len(stored_pictures(path))
    assert page.locator("img").evaluate_all("all => all.every(i => i.naturalWidth > 0)")
    assert page.locator("em:text-is('Slider.')").count() == path.read_text(encoding="utf-8").count("sliders.flipbook(")


def test_the_slider_of_a_plain_page_moves_without_jupyter(page, tmp_path):
    book = flipbooks(next(p for p in WITH_SLIDERS if p.stem.startswith("06")))[0]
    (tmp_path / "page.html").write_text(f"<!doctype html><meta charset='utf-8'><title>t</title><p>{book.to_html()}</p>"
                                        .replace("<p>", "<main>").replace("</p>", "</main>"), encoding="utf-8")
    page.goto((tmp_path / "page.html").as_uri())
    slider = page.get_by_label(book.label)
    slider.focus()
    page.keyboard.press("Home")
    for stop, frame in zip(book.stops, book.frames):
        visible = page.locator("img:visible")
        assert (visible.count(), visible.first.get_attribute("alt")) == (1, frame.alt)
        assert slider.get_attribute("aria-valuetext") == stop
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    assert page.locator("img:visible").first.get_attribute("alt") == book.frames[0].alt
    assert page.errors == []
