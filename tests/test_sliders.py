"""Flipbooks: the slider's stops are the frames, its text changes with any of them, and its page needs no kernel.

What the script does in a browser is tested there: tests/browser/test_in_jupyterlab.py.
"""

import base64
import html
import json
import re
import zlib
from dataclasses import replace
from html.parser import HTMLParser

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


def data_of(page):
    """What the script of a page reads."""
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', page, re.S).group(1))


def tags(page):
    """The tags of a page with their attributes, in order."""
    found = []
    parser = HTMLParser()
    parser.handle_starttag = lambda name, attributes: found.append((name, dict(attributes)))
    parser.feed(page)
    return found


# Values and words ----------------------------------------------------------------------------------------------------


def test_every_value_has_its_frame_and_its_stop(book):
    assert book.stops == ("0.0", "3.0", "8.0") and book.start == 1
    assert [f.caption.split(":")[0] for f in book.frames] == ["c = 0.0", "c = 3.0", "c = 8.0"]


def test_the_text_names_what_moves_its_range_its_start_and_both_ends(book):
    assert book.text.startswith(
        "Slider: sharpness <c>, 3 steps from 0.0 to 8.0, starting at 3.0. First: c = 0.0: slot 2 gets 0.2500"
    )
    assert "Last: c = 8.0: slot 2 gets 0.9990" in book.text and f"Start: {book.frames[1].alt} [" in book.text
    assert "starting at 3.0, with a button that plays." in replace(book, plays=True).text


@pytest.mark.parametrize("k", range(3))
@pytest.mark.parametrize("field", ["alt", "fingerprint"])
def test_the_text_changes_when_any_frame_does(book, k, field):
    frames = list(book.frames)
    frames[k] = replace(frames[k], **{field: "other"})
    assert replace(book, frames=tuple(frames)).text != book.text


def test_the_text_changes_with_the_start_with_a_step_and_with_a_place(book):
    assert replace(book, start=0).text != book.text
    assert replace(book, stops=("0.0", "8.0"), frames=(book.frames[0], book.frames[2])).text != book.text
    assert replace(book, places=(0.0, 1.0, 3.0)).text != book.text


def test_the_mark_is_over_the_words_of_all_frames_and_their_places(book):
    lines = "\n".join(frame.alt + frame.fingerprint for frame in book.frames) + "(0.0, 1.0, 2.0)"
    assert book.text.endswith(f"[{zlib.crc32(lines.encode()):08x}]")


def test_the_caption_says_how_to_read_it_and_what_stands_at_its_ends_and_at_its_start(book):
    first, start, last = (frame.caption for frame in book.frames)
    assert book.caption == (
        f"*Slider.* It moves the sharpness <c> in 3 steps from 0.0 to 8.0, and starts at 3.0. {book.reading} The first step: "
        f"{first}. The start: {start}. The last step: {last}."
    )


def test_values_stand_as_they_are_where_no_format_is_asked_for():
    assert sliders.flipbook(scenes.retrieval(np.eye(4)), [0.5, 3.0], label="c", start=3.0).stops == ("0.5", "3.0")


def test_two_values_that_read_alike_are_refused():
    with pytest.raises(ValueError, match="stop gives 2 different texts for 3 values"):
        sliders.flipbook(scenes.retrieval(np.eye(4)), [1.0, 1.2, 2.0], label="c", start=1.0, stop="{:.0f}")


def test_a_start_that_is_no_value_is_refused():
    with pytest.raises(ValueError, match="start has value 2.0; it needs one of the 3 values from 0.0 to 8.0"):
        sliders.flipbook(scenes.retrieval(np.eye(4)), VALUES, label="c", start=2.0)


def test_a_frame_stands_where_its_value_is_put_and_places_must_increase():
    def placed(place):
        return sliders.flipbook(scenes.retrieval(np.eye(4)), VALUES, label="c", start=3.0, place=place)

    assert placed(np.log1p).places == (0.0, 1.3863, 2.1972)
    for wrong in (lambda c: -c, lambda c: 1.0, lambda c: np.inf * c):
        with np.errstate(invalid="ignore"), pytest.raises(ValueError, match="place gives .* needs numbers that increase"):
            placed(wrong)


# The page ------------------------------------------------------------------------------------------------------------


def test_without_a_script_there_are_words_and_the_starting_picture_and_no_control(book):
    page = book.to_html()
    start = book.frames[1]
    assert [name for name, _ in tags(page)] == ["div", "p", "img", "noscript", "script", "script"]
    assert f">{html.escape(start.caption)}</p>" in page
    picture = dict(tags(page)[2][1])
    assert base64.b64decode(picture["src"].removeprefix("data:image/png;base64,")) == start.png
    assert (picture["width"], picture["height"], picture["alt"]) == (str(start.width), str(start.height), start.alt)
    assert "sharpness &lt;c&gt;. Here it stands still" in page


def test_no_name_on_the_page_could_be_met_twice_and_nothing_is_fetched(book):
    for name, attributes in tags(book.to_html()):
        assert not {"id", "for", "hidden", "name"} & set(attributes), name
        assert "src" not in attributes or attributes["src"].startswith("data:")
    assert not re.search(r"getElementById|https?:|fetch\(|import\(", sliders.SCRIPT)


def test_the_script_holds_every_frame_with_its_words_and_the_start_only_once(book):
    data = data_of(book.to_html())
    assert (data["label"], data["plays"], data["start"], data["places"]) == ("sharpness <c>", False, 1, [0, 1, 2])
    assert [(words, alt) for words, alt, _ in data["frames"]] == [(f.caption, f.alt) for f in book.frames]
    pngs = [base64.b64decode(png) for _, _, png in data["frames"]]
    assert pngs == [book.frames[0].png, b"", book.frames[2].png]


def test_no_word_of_a_frame_can_end_the_script(book):
    evil = replace(book.frames[0], alt='</script><img src=x onerror="alert(1)">')
    page = replace(book, frames=(evil, *book.frames[1:])).to_html()
    assert [name for name, _ in tags(page)] == ["div", "p", "img", "noscript", "script", "script"]
    assert data_of(page)["frames"][0][1] == evil.alt


def test_words_in_html_are_escaped(book):
    frames = (book.frames[0], replace(book.frames[1], alt='<b> "x"', caption="a < b"), book.frames[2])
    page = replace(book, frames=frames).to_html()
    assert 'alt="&lt;b&gt; &quot;x&quot;"' in page and ">a &lt; b</p>" in page


def test_the_output_is_the_page_the_starting_picture_and_the_words(book, published):
    (data, metadata), (words, _) = published
    assert data == {"text/html": book.to_html(), "image/png": book.frames[1].png, "text/plain": book.text}
    assert metadata == {"image/png": {"alt": book.frames[1].alt, "width": book.frames[1].width, "height": book.frames[1].height}}
    assert words == {"text/markdown": book.caption, "text/plain": book.caption}
