"""`make refresh`: one normal form, a second run changes nothing, and no interruption leaves half a file."""

import nbformat
import pytest

from chapter import refresh

CELLS = ["print('one')\nprint('two')", "1 + 1", "from IPython.display import display\ndisplay('x')"]


@pytest.fixture
def small(tmp_path):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source, id=f"c{k}") for k, source in enumerate(CELLS)])
    notebook.metadata["authors"] = "someone"
    notebook.cells[0].metadata = {"collapsed": True, "tags": ["kept"]}
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
    assert notebook.cells[0].metadata == {"tags": ["kept"]} and set(notebook.metadata) == {"kernelspec", "language_info"}
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


def test_the_widget_view_and_its_state_are_left_out():
    out = nbformat.v4.new_output("display_data", {refresh.WIDGET_VIEW: {"model_id": "1"}, "text/plain": "w"})
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x", outputs=[out])])
    notebook.metadata["widgets"] = {"state": {}}
    text = refresh.normalise(notebook)
    assert "widget" not in text and '"w"' in text


def test_nothing_but_the_widget_is_dropped_from_a_notebook():
    outputs = [nbformat.v4.new_output("stream", name=name, text="x\n") for name in ("stdout", "stderr")]
    outputs += [nbformat.v4.new_output("display_data", {kind: "x"}) for kind in ("text/markdown", "image/png", "text/html")]
    outputs += [nbformat.v4.new_output("display_data", {refresh.WIDGET_VIEW: {"model_id": "a bar"}})]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x", outputs=outputs)])
    assert nbformat.reads(refresh.normalise(notebook), as_version=4).cells[0].outputs == outputs[:-1]


@pytest.mark.parametrize("check, notebooks, cover, code", [(True, True, True, 0), (True, False, True, 1), (True, True, False, 1),
                                                           (False, False, False, 0)])
def test_a_check_fails_on_any_difference_and_a_refresh_does_not(monkeypatch, check, notebooks, cover, code):
    monkeypatch.setattr(refresh, "refresh", lambda path, check: notebooks)
    monkeypatch.setattr(refresh, "refresh_cover", lambda check: cover)
    monkeypatch.setattr("sys.argv", ["refresh", *(["--check"] if check else [])])
    assert refresh.main() == code
