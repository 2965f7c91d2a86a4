"""The minutes of reading: how they are counted, that each page tells them, and that no notebook takes longer than a sitting."""

import sys

import nbformat
import pytest

from conftest import BOOKS, MAIN, NUMBERS, PATHS, ROOT
from tools import minutes, refresh
from tools.minutes import Reading, Times, read, symbols, tabled, words


def test_words_and_symbols_are_counted_apart():
    for text, bare, signs in (
        ("One query, thirteen keys.", 4, 0),
        ("*What if* the `dict` has no **such** key?", 8, 0),
        ("[06 · The retrieval limit](06_retrieval_limit.ipynb) says 0.8700.", 6, 0),
        ("the row's nearly-equal weights", 4, 0),
        ("scores $q^\\top k$ of width $d_k$", 3, 5),
        ("$$A = \\operatorname{softmax}\\left(\\frac{S}{\\sqrt{d_k}}\\right)$$", 0, 15),
        ("$\\mathbf{o} = \\sum_j p_j \\mathbf{v}_j$", 0, 8),
    ):
        assert (words(text), symbols(text)) == (bare, signs), text


def book(*cells):
    made = []
    for source, *tags in cells:
        new = nbformat.v4.new_code_cell if source.startswith("code") else nbformat.v4.new_markdown_cell
        made.append(new(source, metadata={"tags": tags}))
    return nbformat.v4.new_notebook(cells=made)


def test_exercises_notes_references_and_the_sentence_of_the_minutes_are_left_out():
    reading = read(
        book(
            ("# 11 · Three words\n\n**Time:** 99 minutes, and 99 for the exercises. Then three more.",),
            ("A note for the teacher.", "speaker"),
            ("code = 1",),
            ("## A part\n\n**Predict.** Which $x$?\n\n| [11 · Rows](11_x.ipynb) | that link | 9 |",),
            ("code = 2",),
            ("## Exercises\n\nSome of them.",),
            ("### Exercise 1 · A task",),
            ("code = 3",),
            ("An answer.", "solution"),
            ("## Key terms\n\nTwo more\n\n## References\n\nA long list of papers.",),
        )
    )
    assert reading == Reading(words=3 + 3 + 2 + 2 + 4, symbols=1, cells=2, predictions=1)


def test_a_minute_is_150_words_and_cells_and_predictions_take_their_time():
    assert Reading(1500, 0, 0, 0).minutes == 10 and Reading(0, 300, 0, 0).minutes == 1
    assert Reading(0, 0, 10, 0).minutes == 4 and Reading(0, 0, 0, 4).minutes == 2


def test_both_minutes_are_told_in_the_first_cell_and_in_every_table_of_notebooks():
    assert Times(22, 24).sentence() == "**Time:** 22 minutes, and 24 for the exercises."
    assert Times(9, 0).sentence() == "**Time:** 9 minutes."
    measured = {"01_a.ipynb": Times(14, 20), "10_b.ipynb": Times(9, 0)}
    plans = "| minutes | what | how |\n|---|---|---|\n| 10 | 01 | aloud |\n"
    old = "| notebook | its question | minutes in class |\n|---|---|---|\n| [01 · A](notebooks/01_a.ipynb) | What? | 5 |\n"
    new = "| notebook | its question | minutes | exercises |\n|---|---|---|---|\n| [01 · A](notebooks/01_a.ipynb) | What? | 14 | 20 |\n"
    assert tabled(plans + "\n" + old, measured) == plans + "\n" + new
    assert tabled(new + "| [10](10_b.ipynb) | Why? | 5 |\n\nEnd", measured) == new + "| [10](10_b.ipynb) | Why? | 9 | – |\n\nEnd"
    assert tabled(new, measured) == new


def test_every_page_tells_the_minutes_that_are_measured():
    stale = [path.name for path, text in minutes.pages().items() if path.read_text("utf-8") != text]
    assert not stale, f"{', '.join(stale)}: the minutes are not those measured; `python -m tools.minutes --write` writes them"


def test_a_notebook_without_the_sentence_is_named(tmp_path, monkeypatch):
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "teaching").mkdir()
    for page in minutes.PAGES:
        (tmp_path / page).write_text("")
    nbformat.write(book(("# 11 · No time",)), tmp_path / "notebooks" / "11_no.ipynb")
    monkeypatch.setattr(minutes, "ROOT", tmp_path)
    with pytest.raises(ValueError, match="11_no.ipynb: its first cell has no sentence"):
        minutes.pages()


def test_what_is_written_is_in_normal_form_and_a_second_run_writes_nothing(tmp_path, monkeypatch, capsys):
    for path in (*PATHS, *(ROOT / page for page in minutes.PAGES)):
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes(path.read_bytes())
    monkeypatch.setattr(minutes, "ROOT", tmp_path)
    monkeypatch.setattr(sys, "argv", ["minutes", "--write"])
    copy = tmp_path / "notebooks" / PATHS[1].name
    copy.write_text(minutes.TIME.sub("**Time:** 999 minutes.", copy.read_text("utf-8"), count=1), "utf-8")
    assert not refresh.refresh_minutes(check=True) and "999" in copy.read_text("utf-8")
    assert minutes.main() == 0 and f"{PATHS[1].name}: written in its minutes" in capsys.readouterr().out
    assert refresh.refresh_minutes(check=True) and minutes.main() == 0
    assert "written" not in capsys.readouterr().out
    for path in sorted((tmp_path / "notebooks").iterdir()):
        text = path.read_text("utf-8")
        assert refresh.normalise(nbformat.reads(text, as_version=4)) + "\n" == text, path.name


@pytest.mark.parametrize("name", [path.name for path in PATHS])
def test_a_notebook_is_read_in_one_sitting(name):
    reading = read(BOOKS[name])
    assert reading.minutes <= 25, f"{name} takes {reading.minutes} minutes; it may take 25: {reading}"
    if NUMBERS[name] in {NUMBERS[path.name] for path in MAIN}:
        cells = sum(cell.cell_type == "code" for cell in BOOKS[name].cells)
        assert reading.words <= 1600, f"{name} has {reading.words} words of prose; a section may have 1,600"
        assert cells <= 25, f"{name} has {cells} code cells, with those of its exercises; a section may have 25"
