"""Flipbooks: the slider's stops are the frames, its text changes with any of them, and no kernel is needed to move it."""

import base64
import html
import json
import re
import zlib
from dataclasses import replace

import ipywidgets
import numpy as np
import pytest

from attention_chapter import run, scenes, sliders

VALUES = [0.0, 3.0, 8.0]


@pytest.fixture(scope="module")
def book():
    return sliders.flipbook(scenes.retrieval(run.draw().values), VALUES, label="sharpness <c>", start=3.0, stop="{:.1f}")


@pytest.fixture
def published(book, monkeypatch):
    seen = []
    monkeypatch.setattr(sliders, "display", lambda data, raw, metadata=None: raw is True and seen.append((data, metadata)))
    book._ipython_display_()
    return seen


def test_every_value_has_its_frame_and_its_stop(book):
    assert book.stops == ("0.0", "3.0", "8.0") and book.start == 1
    assert [f.caption.split(":")[0] for f in book.frames] == ["c = 0.0", "c = 3.0", "c = 8.0"]


def test_the_text_names_what_moves_its_range_its_start_and_both_ends(book):
    for part in ("sharpness <c>", "3 steps from 0.0 to 8.0", "starting at 3.0", "First: c = 0.0: slot 2 gets 0.2500",
                 "Last: c = 8.0: slot 2 gets 0.9990"):
        assert part in book.text


@pytest.mark.parametrize("k", range(3))
@pytest.mark.parametrize("field", ["alt", "mark"])
def test_the_text_changes_when_any_frame_does(book, k, field):
    frames = list(book.frames)
    frames[k] = replace(frames[k], **{field: "other"})
    assert replace(book, frames=tuple(frames)).text != book.text


def test_the_text_changes_with_the_start_and_with_a_step(book):
    assert replace(book, start=0).text != book.text
    assert replace(book, stops=("0.0", "8.0"), frames=(book.frames[0], book.frames[2])).text != book.text


def test_the_slider_is_linked_on_the_page_and_calls_nothing_back(book, monkeypatch):
    links = []
    monkeypatch.setattr(ipywidgets, "jslink", lambda *ends: links.append(ends))
    name, slider, stack = book.widget().children
    assert links == [((slider, "index"), (stack, "selected_index"))]
    assert (slider.layout.width, slider.layout.max_width) == ("600px", "100%")
    assert slider.options == book.stops and slider.index == stack.selected_index == 1
    assert [child.value for child in stack.children] == [sliders.frame_html(frame) for frame in book.frames]
    plain = ipywidgets.SelectionSlider(options=book.stops)
    assert slider._trait_notifiers.keys() == plain._trait_notifiers.keys()  # nothing of ours observes it in Python
    assert "&lt;c&gt;" in name.value  # escaped


def test_each_frame_in_the_page_has_its_own_alt_text_and_holds_its_place(book):
    for frame, child in zip(book.frames, book.widget().children[2].children):
        assert f'width="{frame.width}" height="{frame.height}"' in child.value
        assert "c = " in child.value.split('alt="')[1]


def test_a_frame_says_its_own_finding_above_its_own_picture(book):
    for frame in book.frames:
        page = sliders.frame_html(frame)
        assert page.startswith(f"<div>{html.escape(frame.caption)}</div><img ") and f'alt="{html.escape(frame.alt)}"' in page


def test_two_values_that_read_alike_are_refused():
    with pytest.raises(ValueError, match="stop gives 2 different texts for 3 values"):
        sliders.flipbook(scenes.retrieval(np.eye(4)), [1.0, 1.2, 2.0], label="c", start=1.0, stop="{:.0f}")


def test_words_in_html_are_escaped(book):
    assert 'alt="&lt;b&gt; &quot;x&quot;"' in sliders.frame_html(replace(book.frames[0], alt='<b> "x"'))


def test_the_output_has_the_starting_picture_for_pages_without_a_kernel(book, published):
    (data, metadata), (words, _) = published
    assert data["image/png"] == book.frames[1].png and data["text/plain"] == book.text
    assert metadata == {"image/png": {"alt": book.frames[1].alt, "width": book.frames[1].width, "height": book.frames[1].height}}
    assert words["text/plain"] == words["text/markdown"]
    assert "application/vnd.jupyter.widget-view+json" in data
    assert words["text/markdown"] == (f"*Slider.* sharpness <c>: 3 steps from 0.0 to 8.0. At the first, "
                                      f"{book.frames[0].caption}; at the last, {book.frames[2].caption}.")
    json.dumps({k: v for k, v in data.items() if k != "image/png"})


def test_a_start_that_is_no_value_is_refused():
    with pytest.raises(ValueError, match="start has value 2.0; it needs one of the 3 values from 0.0 to 8.0"):
        sliders.flipbook(scenes.retrieval(np.eye(4)), VALUES, label="c", start=2.0)


def test_a_page_without_jupyter_gets_a_labelled_range_input_and_all_frames(book):
    page = book.to_html()
    name = re.search(r'<label for="([^"]+)">sharpness &lt;c&gt;</label>', page).group(1)
    assert f'<input type="range" id="{name}" min="0" max="2" value="1"' in page
    assert re.findall(r'data-frame="([^"]*)"', page) == list(book.stops)
    assert page.count("<img ") == 3 and page.count(" hidden>") == 2
    assert [html.unescape(alt) for alt in re.findall(r'alt="([^"]*)"', page)] == [f.alt for f in book.frames]
    assert not re.search(r'(src|href)="(?!data:)', page)  # nothing is fetched


def test_the_page_is_written_out_frame_after_frame_and_the_script_comes_last(book):
    page = book.to_html()
    frames = re.findall(r'<div data-frame="[^"]*"( hidden)?>(.*?>)</div>(?=<div data-frame|<script>)', page, re.DOTALL)
    assert frames == [(" hidden" * (k != 1), sliders.frame_html(frame)) for k, frame in enumerate(book.frames)]
    assert page.endswith(f"<script>{sliders.SCRIPT}</script></div>") and 'addEventListener("input", show)' in sliders.SCRIPT
    names = {re.search(r'id="(flipbook-[0-9a-f]{8})"', b.to_html()).group(1) for b in (book, replace(book, label="another"))}
    assert len(names) == 2  # two sliders of a page must not share one


def test_a_frame_carries_its_own_picture(book):
    for frame in book.frames:
        source = re.search(r'src="data:image/png;base64,([^"]*)"', sliders.frame_html(frame)).group(1)
        assert base64.b64decode(source) == frame.png


def test_the_mark_is_over_the_words_of_all_frames_line_by_line(book):
    lines = "\n".join(frame.alt + frame.mark for frame in book.frames)
    assert book.text.endswith(f"[{zlib.crc32(lines.encode()):08x}]")


def test_values_stand_as_they_are_where_no_format_is_asked_for():
    assert sliders.flipbook(scenes.retrieval(np.eye(4)), [0.5, 3.0], label="c", start=3.0).stops == ("0.5", "3.0")


@pytest.mark.parametrize("seconds, shown_at", [([0.3, 0.3, 0.3, 0.3], 1), ([0.25, 0.25, 0.25, 0.25], None), ([0, 0, 0.76, 0], 3),
                                               ([0.1, 0.1, 0.1, 5], None)])
def test_a_wait_of_more_than_a_second_is_told_as_soon_as_it_can_be_foreseen(seconds, shown_at, monkeypatch):
    now, shown, bars, make = [100.0], [], [], ipywidgets.IntProgress
    monkeypatch.setattr(sliders.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(sliders, "display", lambda data, raw: shown.append((list(data), raw)))
    monkeypatch.setattr(sliders.ipywidgets, "IntProgress", lambda **told: bars.append((told, make(**told))) or bars[-1][1])

    def drawn():
        for k, s in enumerate(seconds):
            now[0] += s
            yield k

    values = []
    for k in sliders.told(drawn(), 4):
        values.append([bar.value for _, bar in bars])
    assert len(values) == 4 and len(bars) == len(shown) == (shown_at is not None)
    if shown_at:
        assert shown == [([sliders.WIDGET_VIEW], True)] and bars[0][0] == {"max": 4, "description": "drawing"}
        # The bar is drawn on after a picture has been taken: it stands at k when picture k + 1 is.
        assert values == [[]] * shown_at + [[k] for k in range(shown_at, 4)] and bars[0][1].value == 4
        assert bars[0][1].comm is None  # closed
