"""The committed notebooks as files: executed, in order, in normal form, linked, captioned, and with nothing to hide."""

import ast
import base64
import configparser
import io
import re
import statistics

import nbformat
from conftest import PATHS, ROOT
from PIL import Image

from attention_chapter.picture import DPI, SHOWN
from tools.refresh import normalise


def test_the_chapter_has_its_eleven_notebooks():
    assert [p.stem[:2] for p in PATHS] == [f"{k:02d}" for k in range(11)]


# --- executed ---

def test_every_code_cell_was_executed_in_order(code):
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))


def test_no_output_is_an_error_or_a_warning(code):
    bad = [(cell.id, out.output_type, out.get("name")) for cell in code for out in cell.outputs
           if out.output_type == "error" or out.get("name") == "stderr"]
    assert bad == []


def test_cells_that_print_or_draw_have_an_output(code):
    silent = [cell.id for cell in code if not cell.outputs and re.search(r"\bprint\(|^(figures|sliders)\b",
                                                                         cell.source, re.M)]
    assert silent == []


def test_the_file_is_in_normal_form(path, notebook):
    assert normalise(notebook) + "\n" == path.read_text(encoding="utf-8")


def test_no_cell_is_out_of_regression(code):
    hidden = [cell.id for cell in code if cell.metadata.get("tags") or "NBVAL_" in cell.source.upper()]
    assert hidden == []


def test_the_sanitizer_replaces_rounding_errors_and_nothing_else():
    config = configparser.ConfigParser()
    config.read(ROOT / "tests" / "nbval_sanitize.cfg")
    assert config.sections() == ["rounding"]
    rule = re.compile(config["rounding"]["regex"])
    for noise in ("2.22e-16", "3.65e-12", "1.0e-10", "9.99e-100"):
        assert rule.sub("", noise) == "", noise
    assert config["rounding"]["replace"] == "ROUNDING"
    for path in PATHS:
        for cell in nbformat.read(path, as_version=4).cells:
            for out in cell.get("outputs", []):
                shown = out.get("text", "") + "".join(str(v) for k, v in out.get("data", {}).items() if k.startswith("text/"))
                assert all(abs(float(found)) < 1e-9 for found in rule.findall(shown)), (path.name, cell.id)
    for number in ("0.9903", "2.22e-09", "3.65e-6", "1e-12", "-3.6375", "262.5068", "1.5e+12", "12.5e-2", "0.0000", "True"):
        assert rule.sub("", number) == number, number


# --- pictures ---

def test_every_picture_carries_an_alt_text_and_a_caption(code):
    for cell in code:
        for k, out in enumerate(cell.outputs):
            if "image/png" in out.get("data", {}):
                alt = out.metadata["image/png"]["alt"]
                assert len(alt) > 60, (cell.id, alt)
                text = out.data["text/plain"]
                assert text.startswith((alt, "Slider: ")) and re.search(r"\[[0-9a-f]{8}\]$|\[rounding, not marked\]$", text)
                caption = cell.outputs[k + 1].data["text/markdown"]
                assert caption.startswith(("*Figure.* ", "*Slider.* ")), (cell.id, caption)


def test_no_picture_stands_twice_and_each_has_its_own_size():
    seen = {}
    for path in PATHS:
        for cell in nbformat.read(path, as_version=4).cells:
            for out in cell.get("outputs", []):
                if "image/png" in out.get("data", {}):
                    alt = out.metadata["image/png"]["alt"]
                    png = base64.b64decode(out.data["image/png"])
                    assert seen.setdefault(png, alt) == alt, (path.name, cell.id)
                    scale = 1 if out.data["text/plain"].startswith("Slider: ") else DPI / SHOWN
                    size = [int(out.metadata["image/png"][side] * scale) for side in ("width", "height")]
                    assert list(Image.open(io.BytesIO(png)).size) == size, (path.name, cell.id)


def test_a_slider_s_stored_picture_carries_the_alt_text_of_its_start(code):
    for cell in code:
        for out in cell.outputs:
            text = out.get("data", {}).get("text/plain", "")
            if text.startswith("Slider: "):
                alt = re.search(r" Start: (.*) \[[0-9a-f]{8}\]$", text, re.S).group(1)
                assert out.metadata["image/png"]["alt"] == alt, f"cell {cell.id}: run `make refresh`"


def test_a_notebook_stays_small(path):
    assert path.stat().st_size < 500_000


# --- read as a page ---

def test_it_opens_with_question_aim_needs_time_and_the_way(path, prose):
    opening = prose[0]
    assert opening.startswith(f"# {path.stem[:2]} · ")
    for part in ("**The question", "**After this", "It needs**", "**Time:**", "minutes"):
        assert part in opening, part
    k = PATHS.index(path)
    for other in PATHS[max(k - 1, 0):k + 2]:
        if other != path:
            assert f"]({other.name})" in opening and f"]({other.name})" in prose[-1], other.name


def test_it_ends_with_terms_and_references(path, prose):
    if path.stem[:2] not in ("00",):
        text = "\n".join(prose)
        assert "## References" in text and ("## Key terms" in text or "## What you have now" in text or "## Glossary" in text)


def test_the_reader_predicts_before_the_result_shows(path, prose):
    if path.stem[:2] not in ("00", "10"):
        assert sum(text.count("**Predict.**") for text in prose) >= 3


def test_every_link_between_notebooks_resolves(path, prose):
    for target in re.findall(r"\]\((?!https?:)([^)#]*)(?:#[^)]*)?\)", "\n".join(prose)):
        assert (path.parent / target).exists(), target


def test_a_link_says_where_it_leads():
    titles = {p.name: nbformat.read(p, as_version=4).cells[0].source.splitlines()[0].removeprefix("# ") for p in PATHS}
    texts = {p.name: "\n".join(c.source for c in nbformat.read(p, as_version=4).cells) for p in PATHS}
    texts["README.md"] = (ROOT / "README.md").read_text(encoding="utf-8")
    for name, text in texts.items():
        for shown, target in re.findall(r"\[(\d\d[^\]]*)\]\((?:notebooks/)?(\d\d_[a-z_]+\.ipynb)\)", text):
            assert shown in (titles[target], target[:2]), (name, shown, target)


def test_a_reference_to_the_literature_names_the_page_it_links():
    for path in PATHS:
        text = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown")
        for shown, linked in re.findall(r"\[arXiv:([^\]]+)\]\(https://arxiv\.org/abs/([^)]+)\)", text):
            assert shown == linked, path.name
        assert all(re.match(r"https://(arxiv\.org/abs|doi\.org)/", url) for url in re.findall(r"\]\((https?:[^)]+)", text))


def test_the_table_of_notebooks_gives_each_ones_own_minutes():
    start = "\n".join(cell.source for cell in nbformat.read(PATHS[0], as_version=4).cells)
    for text in (start, (ROOT / "README.md").read_text(encoding="utf-8")):
        for path in PATHS if text != start else PATHS[1:]:
            own = re.search(r"\*\*Time:\*\* (\d+) minutes", nbformat.read(path, as_version=4).cells[0].source).group(1)
            assert re.search(rf"\| \[{path.stem[:2]} · [^\]]+\]\([^)]*{path.name}\) \| [^|]+ \| {own} \|", text), path.name


def test_every_term_of_the_glossary_stands_in_the_notebook_it_points_to():
    last = "\n".join(cell.source for cell in nbformat.read(PATHS[-1], as_version=4).cells)
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| (\[\d\d\].*) \|$", last[last.index("## Glossary"):], re.M)
    assert len(rows) >= 20
    for term, where in rows:
        first = re.split(r"[,$]", term)[0].strip().lower()
        for target in re.findall(r"\]\((.*?)\)", where)[:1]:
            text = (ROOT / "notebooks" / target).read_text(encoding="utf-8").lower()
            assert first in text or all(word[:6] in text for word in first.split()), (term, target)


# --- code as a reader meets it ---

def test_the_first_code_cell_is_all_the_imports(code):
    kinds = [{type(node) for node in ast.parse(cell.source).body} for cell in code]
    assert kinds[0] <= {ast.Import, ast.ImportFrom}
    assert not any(kind & {ast.Import, ast.ImportFrom} for kind in kinds[1:])


def test_no_cell_shows_machinery_or_reaches_outside(code):
    for cell in code:
        assert not re.search(r"^\s*[%!]|sys\.path|matplotlib|\bpip\b|subprocess|os\.system|urllib|requests|socket|open\(",
                             cell.source, re.M), cell.id


def test_no_output_is_html_or_a_script_and_no_caption_holds_a_tag(code):
    """Frames in HTML are in the widgets alone, which are not stored; what they show is escaped: test_sliders.py."""
    for data in (out.data for cell in code for out in cell.outputs if "data" in out):
        assert set(data) <= {"image/png", "text/plain", "text/markdown"}
        assert not re.search(r"<[a-zA-Z/!?]|javascript:", data.get("text/markdown", ""))


def test_cells_stay_short(code):
    lengths = [sum(1 for line in cell.source.splitlines() if line.strip()) for cell in code]
    assert statistics.median(lengths) <= 4 and sorted(lengths)[int(0.9 * (len(lengths) - 1))] <= 10, lengths


