"""`make refresh`: one normal form, a second run changes nothing, and no interruption leaves half a file."""

import difflib
import runpy
import sys

import nbformat
import pytest

from tools import refresh

CELLS = ["print('one')\nprint('two')", "1 + 1", "from IPython.display import display\ndisplay('x')"]


@pytest.fixture
def small(tmp_path):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source, id=f"c{k}") for k, source in enumerate(CELLS)])
    notebook.metadata["authors"] = "someone"
    notebook.cells[0].metadata = {"collapsed": True, "tags": ["kept"], "slideshow": {"slide_type": "slide"}}
    path = tmp_path / "small.ipynb"
    nbformat.write(notebook, path)
    return path


def test_a_second_run_changes_no_byte_and_a_check_writes_none(small, capsys):
    raw = small.read_bytes()
    assert not refresh.refresh(small, check=True) and small.read_bytes() == raw  # not yet executed: the check fails
    refresh.refresh(small, check=False)
    once = small.read_bytes()
    assert once != raw
    assert refresh.refresh(small, check=False) and refresh.refresh(small, check=True)
    assert small.read_bytes() == once
    notebook = nbformat.reads(once.decode(), as_version=4)
    assert [c.execution_count for c in notebook.cells] == [1, 2, 3]
    assert notebook.cells[0].metadata == {"tags": ["kept"], "slideshow": {"slide_type": "slide"}}
    assert notebook.metadata == {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": refresh.LANGUAGE,
    }
    assert "version" not in refresh.LANGUAGE, "another Python would change the text"
    assert notebook.cells[0].outputs[0].text == "one\ntwo\n"
    assert "DIFFERS" in capsys.readouterr().out


def test_a_failing_cell_leaves_the_file_as_it_was(small):
    notebook = nbformat.read(small, as_version=4)
    notebook.cells[1].source = "1 / 0"
    nbformat.write(notebook, small)
    before = small.read_bytes()
    with pytest.raises(Exception, match="ZeroDivisionError"):
        refresh.refresh(small, check=False)
    assert small.read_bytes() == before


def test_a_full_disk_leaves_the_old_notebook_whole(small, monkeypatch):
    before = small.read_bytes()

    def full(self, content):
        self.write_text(content[:10].decode())
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(small), "write_bytes", full)
    with pytest.raises(OSError, match="No space"):
        refresh.replace(small, b"new")
    assert small.read_text().encode() == before and list(small.parent.iterdir()) == [small]


def test_an_interruption_before_the_file_is_put_in_its_place_leaves_the_old_one(small, monkeypatch):
    before = small.read_bytes()

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(refresh.os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        refresh.replace(small, b"new")
    assert small.read_bytes() == before and list(small.parent.iterdir()) == [small]


def test_the_page_of_a_slider_and_the_state_of_widgets_are_left_out():
    out = nbformat.v4.new_output("display_data", {"text/html": "a page", "image/png": "p", "text/plain": "w"})
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x", outputs=[out])])
    notebook.metadata["widgets"] = {"state": {}}
    text = refresh.normalise(notebook)
    assert "widget" not in text and "a page" not in text and '"w"' in text


def test_nothing_but_a_slider_s_page_is_dropped_from_a_notebook():
    outputs = [nbformat.v4.new_output("stream", name=name, text="x\n") for name in ("stdout", "stderr")]
    outputs += [nbformat.v4.new_output("display_data", {kind: "x"}) for kind in ("text/markdown", "image/png", "text/html")]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x", outputs=outputs)])
    assert nbformat.reads(refresh.normalise(notebook), as_version=4).cells[0].outputs == outputs


def test_the_text_is_that_of_a_run_from_the_first_cell_on_whatever_was_run_before():
    result = nbformat.v4.new_output("execute_result", {"text/plain": "2"}, execution_count=9)
    shown = nbformat.v4.new_output("display_data", {"text/plain": "3"})
    cells = [
        nbformat.v4.new_markdown_cell("x", id="m"),
        nbformat.v4.new_code_cell("1 + 1", id="a", execution_count=9, outputs=[result]),
        nbformat.v4.new_raw_cell("y", id="r"),
        nbformat.v4.new_code_cell("3", id="b", execution_count=4, outputs=[shown]),
    ]
    notebook = nbformat.v4.new_notebook(cells=cells, nbformat_minor=6)
    told = nbformat.reads(refresh.normalise(notebook), as_version=4)
    assert [cell.get("execution_count") for cell in told.cells] == [None, 1, None, 2]
    assert told.cells[1].outputs[0].execution_count == 1 and "execution_count" not in told.cells[3].outputs[0]
    assert (told.nbformat, told.nbformat_minor) == (4, 5)


def test_a_notebook_is_run_in_its_folder_with_time_for_its_longest_cell_and_no_word_of_when_it_ran(small, monkeypatch):
    given = {}

    class Client:
        def __init__(self, notebook, **options):
            given.update(options, notebook=notebook)

        def execute(self):
            given["notebook"].cells[0].source = "executed"

    monkeypatch.setattr(refresh, "NotebookClient", Client)
    assert refresh.execute(small).cells[0].source == "executed"
    assert given.pop("notebook").nbformat == 4
    assert given == {
        "kernel_manager_class": refresh.ThisPython,
        "timeout": 300,
        "coalesce_streams": True,
        "record_timing": False,
        "store_widget_state": False,
        "resources": {"metadata": {"path": str(small.parent)}},
    }


def test_the_kernel_is_this_python_and_says_nothing_of_its_own():
    assert refresh.ThisPython().kernel_spec.argv == [
        sys.executable,
        "-m",
        "ipykernel_launcher",
        "--IPKernelApp.log_level=40",
        "-f",
        "{connection_file}",
    ]


@pytest.fixture
def dry(small, monkeypatch):
    """The small notebook, and a run of it that gives 60 lines of output, of which one is long, without any kernel."""

    def executed(path):
        notebook = nbformat.read(path, as_version=4)
        notebook.cells[0].outputs = [nbformat.v4.new_output("stream", text="".join(f"{k}\n" for k in range(60)) + "x" * 200 + "\n")]
        return notebook

    monkeypatch.setattr(refresh, "execute", executed)
    return small


def test_a_check_shows_how_the_text_differs_as_far_as_a_screen_takes_it(dry, capsys):
    old, new = dry.read_text("utf-8"), refresh.normalise(refresh.execute(dry)) + "\n"
    assert not refresh.refresh(dry, check=True)
    lines = list(difflib.unified_diff(old.splitlines(), new.splitlines(), "committed", "executed", lineterm="", n=1))
    assert len(lines) > 41 and lines[:2] == ["--- committed", "+++ executed"]
    assert capsys.readouterr().out.splitlines() == [line[:160] for line in lines[:40]] + ["small.ipynb: DIFFERS"]


def test_a_long_line_of_a_difference_is_cut(dry, monkeypatch, capsys):
    dry.write_bytes(b"short\n")
    monkeypatch.setattr(refresh, "execute", lambda path: None)
    monkeypatch.setattr(refresh, "normalise", lambda notebook: "x" * 200)
    refresh.refresh(dry, check=True)
    assert capsys.readouterr().out.splitlines()[3:5] == ["-short", "+" + "x" * 159]


def test_a_refresh_says_what_it_did(dry, capsys):
    assert not refresh.refresh(dry, check=False)
    assert capsys.readouterr().out == "small.ipynb: written\n"
    assert dry.read_text("utf-8").endswith("}\n") and not dry.read_text("utf-8").endswith("\n\n")
    assert refresh.refresh(dry, check=False)
    assert capsys.readouterr().out == "small.ipynb: as committed\n"


def test_letters_beyond_ascii_are_read_and_written_in_utf_8_whatever_the_machine_prefers(dry, monkeypatch):
    read = type(dry).read_text
    monkeypatch.setattr(type(dry), "read_text", lambda path, encoding=None: read(path, encoding or "latin-1"))
    dry.write_bytes(dry.read_bytes().replace(b"print('one')", "print('é — π')".encode()))
    refresh.refresh(dry, check=False)
    assert "é — π".encode() in dry.read_bytes()
    assert refresh.refresh(dry, check=True)


def test_each_line_is_seen_when_its_notebook_is_done_also_through_a_pipe(dry, monkeypatch):
    flushed = []
    monkeypatch.setattr(refresh, "print", lambda *words, flush=False: flushed.append(flush), raising=False)
    refresh.refresh(dry, check=False)
    assert flushed == [True]


def test_new_text_is_written_beside_the_file_under_its_name_and_then_put_in_its_place(small, monkeypatch):
    moves = []
    monkeypatch.setattr(refresh.os, "replace", lambda *paths: moves.append((*paths, paths[0].read_bytes())))
    refresh.replace(small, b"new")
    assert moves == [(small.parent / "small.ipynb.new", small, b"new")] and list(small.parent.iterdir()) == [small]


@pytest.fixture
def cover(tmp_path, monkeypatch):
    """A README of one line without a picture, and no picture yet; drawing one takes no time."""
    monkeypatch.setattr(refresh, "COVER", tmp_path / "cover.gif")
    monkeypatch.setattr(refresh, "README", tmp_path / "README.md")
    monkeypatch.setattr(refresh.cover, "moving", lambda: b"GIF")
    monkeypatch.setattr(refresh.cover, "line", lambda: "an é")
    refresh.README.write_bytes(b"one <!-- cover --><!-- /cover --> two")
    return tmp_path


def test_the_picture_of_the_readme_and_the_words_for_it_are_drawn_together(cover, capsys):
    before = refresh.README.read_bytes()
    assert not refresh.refresh_cover(check=True)  # there is none, and a check makes none
    assert list(cover.iterdir()) == [refresh.README] and refresh.README.read_bytes() == before
    assert not refresh.refresh_cover(check=False)
    assert refresh.COVER.read_bytes() == b"GIF"
    assert refresh.README.read_bytes() == "one <!-- cover -->an é<!-- /cover --> two".encode()
    assert refresh.refresh_cover(check=True) and refresh.refresh_cover(check=False)
    told = [("DIFFERS",) * 2, ("written",) * 2, ("as committed",) * 2, ("as committed",) * 2]
    assert capsys.readouterr().out.splitlines() == [line for gif, md in told for line in (f"cover.gif: {gif}", f"README.md: {md}")]


@pytest.mark.parametrize("changed", ["COVER", "README"])
def test_a_check_notices_each_of_the_two_and_writes_neither(cover, changed):
    refresh.refresh_cover(check=False)
    path = getattr(refresh, changed)
    path.write_bytes(other := path.read_bytes().replace(b"GIF", b"JPG").replace(b"an ", b"no "))
    assert not refresh.refresh_cover(check=True) and path.read_bytes() == other


def test_the_section_changes_nothing_around_it():
    assert refresh.with_section("a<!-- x -->old<!-- /x -->b", "x", "new") == "a<!-- x -->new<!-- /x -->b"
    for page in ("no marks", "<!-- x --> never closed", "<!-- /x -->only<!-- x -->", "<!-- y -->another<!-- /y -->"):
        with pytest.raises(ValueError, match="it needs <!-- x --> and <!-- /x -->"):
            refresh.with_section(page, "x", "new")


def called(monkeypatch, *words):
    """What `python -m tools.refresh WORDS` would bring up to date: [(path, check)], the cover as None."""
    calls = []
    monkeypatch.setattr(refresh, "refresh", lambda path, check: calls.append((path, check)) or True)
    monkeypatch.setattr(refresh, "refresh_cover", lambda check: calls.append((None, check)) or True)
    monkeypatch.setattr(refresh, "refresh_minutes", lambda check: True)
    monkeypatch.setattr("sys.argv", ["refresh", *words])
    assert refresh.main() == 0
    return calls


def test_all_notebooks_are_meant_unless_some_are_named(monkeypatch, tmp_path):
    every = sorted((refresh.ROOT / "notebooks").glob("*.ipynb"))
    assert refresh.NOTEBOOKS == refresh.ROOT / "notebooks"
    calls = called(monkeypatch)
    assert sorted(calls[:-1]) == [(path, False) for path in every] and calls[-1] == (None, False) and every
    assert sorted(called(monkeypatch, "--check")[:-1]) == [(path, True) for path in every]
    monkeypatch.chdir(tmp_path)
    assert called(monkeypatch, "--check", "some.ipynb") == [(tmp_path / "some.ipynb", True), (None, True)]


def test_two_notebooks_are_run_at_a_time(monkeypatch):
    workers = []
    pool = refresh.ThreadPoolExecutor
    monkeypatch.setattr(refresh, "ThreadPoolExecutor", lambda most: workers.append(most) or pool(most))
    called(monkeypatch, "some.ipynb")
    assert workers == [2]


def test_help_says_what_it_is_for(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["refresh", "--help"])
    with pytest.raises(SystemExit):
        runpy.run_path(refresh.__file__, run_name="__main__")
    words = " ".join(capsys.readouterr().out.split())
    assert "[--check] [notebooks ...] Execute and normalise the chapter's notebooks." in words
    assert "--check write nothing, fail on any difference" in words


@pytest.mark.parametrize(
    "check, notebooks, cover, code",
    [(True, True, True, 0), (True, False, True, 1), (True, True, False, 1), (False, False, False, 0)],
)
def test_a_check_fails_on_any_difference_and_a_refresh_does_not(monkeypatch, check, notebooks, cover, code):
    monkeypatch.setattr(refresh, "refresh", lambda path, check: notebooks)
    monkeypatch.setattr(refresh, "refresh_cover", lambda check: cover)
    monkeypatch.setattr(refresh, "refresh_minutes", lambda check: True)
    monkeypatch.setattr("sys.argv", ["refresh", *(["--check"] if check else [])])
    assert refresh.main() == code
