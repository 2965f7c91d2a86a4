"""Flipbooks: the slider's stops are the frames, its text changes with any of them, and no kernel is needed to move it."""

import html
import json
import re
from dataclasses import replace

import ipywidgets
import numpy as np
import pytest

from chapter import run, scenes, sliders

VALUES = [0.0, 3.0, 8.0]


@pytest.fixture(scope="module")
def book():
    return sliders.flipbook(scenes.retrieval(run.draw().values), VALUES, label="sharpness <c>", start=3.0, stop="{:.1f}")


@pytest.fixture
def published(book, monkeypatch):
    seen = []
    monkeypatch.setattr(sliders, "display", lambda data, raw, metadata=None: seen.append((data, metadata)))
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
    assert metadata["image/png"]["alt"] == book.frames[1].alt
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


def test_a_wait_is_told_and_the_bar_is_gone_afterwards(book, monkeypatch):
    bars = []
    monkeypatch.setattr(sliders, "display", lambda data, raw: bars.append(data))
    assert list(sliders.told(iter(book.frames), 3)) == list(book.frames) and bars == []  # quick: nothing is shown
    monkeypatch.setattr(sliders, "PATIENCE", 0.0)
    assert list(sliders.told(iter(book.frames), 3)) == list(book.frames)
    assert [list(data) for data in bars] == [[sliders.WIDGET_VIEW]]
