"""What the site is made from: the committed notebooks with figures and sliders in place, and nothing else changed."""

import base64
import io
import sys
from html.parser import HTMLParser

import nbformat
import pytest
from PIL import Image

from attention_chapter.picture import Picture
from attention_chapter.sliders import Flipbook
from conftest import PATHS, ROOT

sys.path.insert(0, str(ROOT / "website"))
import sources  # noqa: E402

PAGES = {path.name for path in PATHS} | {"index.md", "teaching.md"}
BOOK = Flipbook("width", ("1", "2"), tuple(Picture(b"png", 10, 5, f"alt {k}", f"found {k}", "m") for k in "ab"), 1, (0.0, 1.0))
PNG = "iVBORw0KGgo="


def tag(name, content):
    """The attributes of the first tag of that name in a piece of HTML."""
    found = []
    parser = HTMLParser()
    parser.handle_starttag = lambda opened, attributes: found.append(dict(attributes)) if opened == name else None
    parser.feed(content)
    return found[0]


def picture(text="Bars. Each 1. [mark]", **words):
    return nbformat.v4.new_output(
        "display_data", {"image/png": PNG, "text/plain": text}, metadata={"image/png": {"width": 30, "height": 20, **words}}
    )


def caption(words, kind="Figure"):
    return nbformat.v4.new_output("display_data", {"text/markdown": f"*{kind}.* {words}", "text/plain": words})


def notebook(*cells):
    return nbformat.v4.new_notebook(cells=list(cells))


def markdown(source, *tags):
    return nbformat.v4.new_markdown_cell(source, metadata={"tags": list(tags)})


def code(source, *outputs):
    return nbformat.v4.new_code_cell(source, id="here", outputs=list(outputs))


def shown(*cells, books=(), pages=PAGES):
    pictures = {}
    return sources.prepared(notebook(*cells), dict(books), pages, pictures).cells, pictures


# Figures -------------------------------------------------------------------------------------------------------------


def test_a_figure_keeps_its_alt_text_its_size_and_its_caption():
    cells, pictures = shown(code("draw()", picture(alt='a < b & "c"'), caption("q_i < 1 & more.")))
    (figure,) = cells[0].outputs
    page = figure.data["text/html"]
    attributes = tag("img", page)
    assert (attributes["alt"], attributes["width"], attributes["height"]) == ('a < b & "c"', "30", "20")
    assert "<figcaption><em>Figure.</em> q_i &lt; 1 &amp; more.</figcaption>" in page
    assert attributes["src"] == f"_static/figures/{next(iter(pictures))}"
    assert list(pictures.values()) == [b"\x89PNG\r\n\x1a\n"]


def test_two_figures_of_one_cell_are_two_files():
    _, pictures = shown(code("draw()", picture(alt="a"), caption("A."), picture(alt="b"), caption("B.")))
    assert len(pictures) == 2


@pytest.mark.parametrize("outputs", [[picture(alt="a")], [picture(alt="a"), picture(alt="b")], [picture(), caption("A.")]])
def test_a_picture_without_words_stops_the_build(outputs):
    with pytest.raises(ValueError, match="cell here .* needs an alt text and a caption"):
        shown(code("draw()", *outputs))


# Sliders -------------------------------------------------------------------------------------------------------------


def with_slider(source, text=BOOK.text):
    return notebook(code(source, picture(text, alt="a"), caption("width: 2 steps.", "Slider")))


def test_a_slider_is_the_flipbook_that_its_cell_ends_with(monkeypatch):
    monkeypatch.setattr(sources, "book", BOOK, raising=False)
    made = with_slider("import sources\nprint('nothing of this is shown')\nsources.book")
    books = sources.sliders(made, "made up")
    assert books == {"here": BOOK.to_html()}
    (cell,) = sources.prepared(made, books, PAGES, {}).cells
    assert BOOK.to_html() in cell.outputs[0].data["text/html"]
    assert "<em>Slider.</em> width: 2 steps." in cell.outputs[0].data["text/html"]


def test_a_slider_that_is_not_the_committed_one_stops_the_build(monkeypatch):
    monkeypatch.setattr(sources, "book", BOOK, raising=False)
    with pytest.raises(ValueError, match="made up: what moves in cell here is now"):
        sources.sliders(with_slider("import sources\nsources.book", BOOK.text.replace("2 steps", "3 steps")), "made up")


def test_a_slider_whose_cell_ends_otherwise_stops_the_build():
    with pytest.raises(ValueError, match="cell here shows a slider or a lens, but its last expression is int"):
        sources.sliders(with_slider("1 + 1"), "made up")


def test_what_a_cell_prints_while_sliders_are_made_is_not_shown(monkeypatch, capsys):
    monkeypatch.setattr(sources, "book", BOOK, raising=False)
    sources.sliders(with_slider("import sources\nfrom IPython.display import display\nprint(1)\ndisplay(2)\nsources.book"), "x")
    assert capsys.readouterr().out == ""


def test_sliders_are_found_by_their_text_and_their_captions_are_not_taken_for_one():
    assert sources.slider_texts(with_slider("1")) == {"here": BOOK.text}
    assert sources.slider_texts(notebook(code("1 / 0"), markdown("Slider: x"))) == {}


def test_no_cell_after_the_last_slider_is_run(monkeypatch):
    monkeypatch.setattr(sources, "book", BOOK, raising=False)
    made = with_slider("import sources\nsources.book")
    made.cells += [nbformat.v4.new_code_cell("1 / 0")]
    assert set(sources.sliders(made, "made up")) == {"here"}


# Text ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, turned",
    [
        ("[01](01_soft_dictionary.ipynb)", "[01](01_soft_dictionary.ipynb)"),
        ("[01](../notebooks/01_soft_dictionary.ipynb#Exact-lookup)", "[01](01_soft_dictionary.ipynb#Exact-lookup)"),
        ("[plans](../teaching/README.md#Plans)", "[plans](teaching.md#Plans)"),
        ("read [the code](../attention_core.py) of [it](x.md#y)", "read the code of it"),
        ("[doi](https://doi.org/10.1016/x) [mail](mailto:a@b.c) [below](#Here)",) * 2,
        ("![a picture](docs/c-slider.gif)",) * 2,
        ("`f[k](x)` and\n```python\nf[k](x)\n```\nand [gone](x.py)", "`f[k](x)` and\n```python\nf[k](x)\n```\nand gone"),
    ],
)
def test_links_between_files_become_links_between_pages(text, turned):
    assert sources.relinked(text, PAGES) == turned


def test_notes_for_speakers_are_left_out_and_solutions_stay():
    folded = "<details><summary>Solution</summary>\n\n```python\nx[0](y)\n```\n\n</details>"
    cells, _ = shown(
        markdown("Say this.", "speaker"),
        markdown("Text."),
        markdown(folded, "solution"),
        nbformat.v4.new_code_cell("secret()", metadata={"tags": ["speaker"]}),
    )
    assert [cell.source for cell in cells] == ["Text.", folded]


@pytest.mark.parametrize("source", ["x = 1", "Look:\n<details>\n\nx\n\n</details>", "<details>\n\nx\n\n</details>\nand y"])
def test_a_solution_that_is_not_folded_stops_the_build(source):
    with pytest.raises(ValueError, match="is tagged solution; it needs one <details> block"):
        shown(markdown(source, "solution"))


def test_a_section_of_the_readme_is_taken_over_and_one_that_is_not_there_stops_the_build():
    readme = "# Title\n\nClaim.\n\n## One\n\nFirst.\n\n## Two\n\nSecond.\n"
    assert sources.included("<!-- README: opening -->|<!-- README: Two -->", readme) == "Claim.|Second."
    with pytest.raises(KeyError):
        sources.included("<!-- README: Three -->", readme)


def test_the_committed_notebooks_keep_their_text_their_code_and_what_they_print(notebook):
    books = {cell.id: "<div></div>" for cell in notebook.cells}
    page = sources.prepared(notebook, books, PAGES, {})
    kept = [cell for cell in notebook.cells if "speaker" not in cell.metadata.get("tags", [])]
    assert [cell.id for cell in page.cells] == [cell.id for cell in kept]
    for cell, shown_cell in zip(kept, page.cells):
        assert shown_cell.source == (sources.relinked(cell.source, PAGES) if cell.cell_type == "markdown" else cell.source)
        texts = [[o.text for o in c.get("outputs", []) if o.output_type == "stream"] for c in (cell, shown_cell)]
        assert texts[0] == texts[1]


def test_a_moving_picture_is_printed_at_its_last_frame(tmp_path):
    white, black = Image.new("RGB", (4, 2), "white"), Image.new("RGB", (4, 2), "black")
    white.save(tmp_path / "m.gif", save_all=True, append_images=[white, black])
    page = sources.stilled('<img alt="a" src="m.gif"><img src="n.png">', tmp_path)
    before, _, rest = page.partition('src="data:image/png;base64,')
    png, _, after = rest.partition('"')
    assert (before, after) == ('<img alt="a" ', '><img src="n.png">')
    assert Image.open(io.BytesIO(base64.b64decode(png))).getcolors() == [(8, (0, 0, 0))]
