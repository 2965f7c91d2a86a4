"""The lens in a real browser: its arithmetic beside NumPy's, every way to move it, and the day after."""

import shutil
import sys

import numpy as np
import pytest

from attention_chapter.lens import computed, lens, told
from conftest import PATHS, ROOT, need
from tools.browser_lab import VIEW, api, lab, open_notebook, run_all

need("browser tests", {"playwright": "make browser", "furo": "make site-tools"})

sys.path.insert(0, str(ROOT / "website"))
import npm  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

DOORS = ([[1, 0], [0, 1], [-1, 0], [0, -1]], [[4.0, 1.0], [2.0, 3.0], [0.0, 1.0], [2.0, 0.0]], ["east", "north", "west", "south"])
LENS = lens(*DOORS, angle=27, c=2.2, title="t")
WITH_LENS = [path for path in PATHS if '"Lens: ' in path.read_text(encoding="utf-8")]


@pytest.fixture
def page(browser, tmp_path):
    """The lens alone on a page."""
    (tmp_path / "lens.html").write_text(
        f"<!doctype html><html lang=en><meta charset=utf-8><title>t</title><main>{LENS.to_html()}</main>"
    )
    context = browser.new_context(viewport=VIEW, has_touch=True)
    page = context.new_page()
    page.errors = []
    page.on("console", lambda message: page.errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.goto((tmp_path / "lens.html").as_uri())
    yield page
    assert page.errors == []
    context.close()


def said(page):
    return page.locator(".lens p").text_content()


def test_ten_thousand_random_states_are_computed_as_numpy_computes_them(page):
    rng = np.random.default_rng(160)
    states = [
        {"angle": float(rng.uniform(0, 360)), "c": float(rng.uniform(0, 12)), "t": float(rng.uniform(-4, 8)) if k % 2 else None}
        for k in range(10_000)
    ]
    ours = page.evaluate(
        """states => { const {compute} = document.querySelector(".lens");
        return states.map(state => { const {p, o, D} = compute(state); return [...p, ...o, ...D.flat()]; }); }""",
        states,
    )
    keys, values = np.array(DOORS[0], float), np.array(DOORS[1])
    theirs = [computed(keys, values, *state.values()) for state in states]
    worst = max(np.abs(np.array(a) - np.concatenate([part.ravel() for part in b])).max() for a, b in zip(ours, theirs))
    assert worst <= 1e-12
    few = [{"angle": float(angle), "c": c / 2, "t": t} for angle in range(0, 361, 15) for c in range(25) for t in (None, -1.5, 4.0)]
    words = page.evaluate('states => states.map(document.querySelector(".lens").told)', few)
    assert words == [told(DOORS[2], *state.values(), *computed(keys, values, *state.values())) for state in few]


def test_mouse_finger_and_keys_move_it_and_its_words_are_those_of_python(page):
    assert said(page) == LENS.words
    handle = page.locator(".lens svg > circle").last
    box, circle = handle.bounding_box(), page.locator(".lens svg > circle").first.bounding_box()
    middle = circle["x"] + circle["width"] / 2, circle["y"] + circle["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(middle[0], middle[1] - 60)
    page.mouse.up()
    assert said(page) == lens(*DOORS, angle=90, c=2.2, title="t").words
    page.mouse.move(middle[0] + 60, middle[1])  # not held any more
    assert said(page).startswith("direction 90 ")
    page.get_by_label("direction of the query").focus()
    page.keyboard.press("ArrowRight")
    page.get_by_label("sharpness c").focus()
    page.keyboard.press("End")
    assert said(page) == lens(*DOORS, angle=91, c=12.0, title="t").words
    page.get_by_label("null slot").tap()
    page.get_by_label("its logit t").fill("4")
    assert said(page) == lens(*DOORS, angle=91, c=12.0, null=4.0, title="t").words
    assert page.get_by_label("sharpness c").get_attribute("aria-valuetext") == said(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_a_phone_needs_no_scrolling(page, scheme):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 390, "height": 800})
    page.evaluate((npm.package("axe-core") / "axe.min.js").read_text("utf-8"))
    assert [(v["id"], v["nodes"][0]["html"][:99]) for v in page.evaluate("axe.run('.lens')")["violations"]] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_move_is_quick(page, record_property):
    spent = page.evaluate(
        """() => { const input = document.querySelector(".lens input"), spent = [];
        for (let k = 0; k < 300; k++) { const start = performance.now(); input.value = k; input.dispatchEvent(new Event("input"));
          document.querySelector(".lens svg").getBoundingClientRect(); spent.push(performance.now() - start); }
        return spent; }"""
    )
    median, slow = np.quantile(spent, [0.5, 0.95])
    record_property("a move of the lens, milliseconds", f"median {median:.1f}, 95 % below {slow:.1f}")
    assert len(spent) == 300


# Day by day ---------------------------------------------------------------------------------------------------------


def alive(page):
    """Whether the lens turns, by its keys."""
    lens_shown = page.locator(".lens").first
    lens_shown.evaluate("e => e.scrollIntoView({block: 'start'})")
    before = lens_shown.locator("p").text_content()
    lens_shown.locator("input[type=range]").first.focus()
    page.keyboard.press("ArrowRight")
    return lens_shown.locator("p").text_content() != before


@pytest.mark.parametrize("path", WITH_LENS, ids=lambda path: path.stem)
def test_it_turns_on_the_first_day_and_on_the_second_and_stands_still_abroad(path, browser, tmp_path):
    shutil.copy(path, tmp_path)
    page = browser.new_page(viewport=VIEW)
    with lab(tmp_path) as address:
        open_notebook(page, address, path.name)
        run_all(page, address, 1, ".lens input[type=checkbox]")
        page.locator(".lens").first.wait_for(state="attached")
        assert alive(page)
        before = (tmp_path / path.name).stat().st_mtime_ns
        page.keyboard.press("Control+s")
        for _ in range(100):
            if (tmp_path / path.name).stat().st_mtime_ns != before:
                break
            page.wait_for_timeout(100)
        for kernel in api(address, "kernels"):
            api(address, f"kernels/{kernel['id']}", "DELETE")
    page.close()
    for home, turns in ((None, True), (".elsewhere", False)):
        page = browser.new_page(viewport=VIEW)
        with lab(tmp_path, *([home] if home else [])) as address:
            open_notebook(page, address, path.name)
            for _ in range(100):
                if page.locator(".lens").count():
                    break
                page.locator(".jp-Notebook .jp-Cell").last.evaluate("cell => cell.scrollIntoView({block: 'center'})")
                page.wait_for_timeout(100)
            shown = page.locator(".lens").first
            if turns:
                assert alive(page)
            else:
                assert shown.locator("img").count() == 1 and shown.locator("input").count() == 0
                assert "run this cell" in shown.text_content()
        page.close()
