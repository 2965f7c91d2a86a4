"""The committed notebooks as files: executed, in order, in normal form, linked, captioned, and with nothing to hide."""

import ast
import base64
import configparser
import io
import re
import statistics

import nbformat
import pytest
from PIL import Image

from attention_chapter.picture import DPI, SHOWN
from conftest import BOOKS, CLOSING, MAIN, NUMBERS, PATHS, ROOT, SECTIONS, markdown
from tools.refresh import normalise


def test_sections_are_numbered_from_00_and_an_excursion_stands_beside_its_section():
    assert [NUMBERS[path.name] for path in MAIN] == [f"{k:02d}" for k in range(len(MAIN))], "a number is missing, or given twice"
    for name, number in NUMBERS.items():
        assert re.fullmatch(r"\d\d[a-z]?", number) and number[:2] in {NUMBERS[path.name] for path in MAIN}, (
            f"{name}: a section is called 11_name.ipynb, an excursion from it 11a_name.ipynb"
        )
    assert len(set(NUMBERS.values())) == len(NUMBERS)


@pytest.mark.parametrize("page, link", [("README.md", "notebooks/"), ("teaching/README.md", "../notebooks/")])
def test_every_notebook_has_its_row_in_the_tables_of_the_reader_and_of_the_teacher(page, link):
    rows = re.findall(rf"^\| \[[^]]*\]\({re.escape(link)}([^)]+\.ipynb)\) \|", (ROOT / page).read_text("utf-8"), re.M)
    lacking = [path.name for path in PATHS if path.name not in rows]
    assert not lacking, f"{page}: its table of notebooks has no row for {lacking}"
    assert rows == [path.name for path in PATHS], f"{page}: one row a notebook, in their order: {rows}"


# --- executed ---


def test_every_code_cell_was_executed_in_order(code):
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))


def test_no_output_is_an_error_or_a_warning(code):
    bad = [
        (cell.id, out.output_type, out.get("name"))
        for cell in code
        for out in cell.outputs
        if out.output_type == "error" or out.get("name") == "stderr"
    ]
    assert bad == []


def test_cells_that_print_or_draw_have_an_output(code):
    silent = [
        cell.id
        for cell in code
        if not cell.outputs and re.search(r"\bprint\(|^(figures|diagrams|sliders|lens)\b", cell.source, re.M)
    ]
    assert silent == [], "`make refresh` executes the notebook and stores what its cells give"


def test_the_file_is_in_normal_form(path, notebook):
    assert normalise(notebook) + "\n" == path.read_text(encoding="utf-8"), f"{path.name}: `make refresh` brings it into normal form"


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
                alt = out.metadata.get("image/png", {}).get("alt", "")
                assert len(alt) > 60, f"cell {cell.id} has a picture with this alt text: {alt!r}"
                text = out.data["text/plain"]
                own = re.fullmatch(r"(?:(?:Slider|Lens): .* Start: )?(.*) \[(?:[0-9a-f]{8}|rounding, not marked)\]", text, re.S)
                assert own and own[1] == alt, (
                    f"cell {cell.id}: the alt text in the file is not that of what stands there (`make refresh`):"
                    f"\n{alt}\n{own[1] if own else text}"
                )
                caption = cell.outputs[k + 1].data["text/markdown"]
                assert caption.startswith(("*Figure.* ", "*Slider.* ", "*Lens.* ")), (cell.id, caption)


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
    opening, last = prose[0], prose[-1].split("\n\n")[-1]
    assert opening.startswith(f"# {NUMBERS[path.name]} · "), f"{path.name}: its title begins {opening.splitlines()[0]!r}"
    for part in ("**The question", "**After this", "It needs**", "**Time:**", "minutes"):
        assert part in opening, f"{path.name}: its first cell does not say {part!r}"
    before, after = neighbours(path)
    for where, text in (("first", opening), ("last", last)):
        back, ahead = (re.search(rf"\*\*{word}:\*\* \[[^]]+\]\(([^)]+)\)", text) for word in ("Back", "Next"))
        assert not before or back and back[1] == before, (
            f"{path.name}: its {where} cell should say **Back:** with a link to {before}"
        )
        # The closing page need not name what a later edition sets behind it, nor an excursion where to go from it.
        needed = path in MAIN[: MAIN.index(CLOSING)]
        assert not after or (ahead and ahead[1] == after) or not (ahead or needed), (
            f"{path.name}: its {where} cell should say **Next:** with a link to {after}"
        )


def neighbours(path):
    """The names of the section before and of that behind; an excursion goes back to its own section, and from there on."""
    number = NUMBERS[path.name]
    names = [other.name for other in MAIN]
    k = [NUMBERS[name] for name in names].index(number[:2])
    before = names[k] if path not in MAIN else names[k - 1] if k else None
    return before, names[k + 1] if k + 1 < len(names) else None


def test_it_ends_with_terms_and_references(path, prose):
    if path in SECTIONS or path == CLOSING:
        text = "\n".join(prose)
        assert "## References" in text and ("## Key terms" in text or "## What you have now" in text or "## Glossary" in text)


def test_the_reader_predicts_before_the_result_shows(path, prose):
    if path in SECTIONS:
        asked = sum(text.count("**Predict.**") for text in prose)
        assert asked >= 3, f"{path.name} asks for {asked} predictions; a section asks for three at least"


def test_a_link_says_where_it_leads():
    titles = {p.name: nbformat.read(p, as_version=4).cells[0].source.splitlines()[0].removeprefix("# ") for p in PATHS}
    texts = {p.name: "\n".join(c.source for c in nbformat.read(p, as_version=4).cells) for p in PATHS}
    texts["README.md"] = (ROOT / "README.md").read_text(encoding="utf-8")
    for name, text in texts.items():
        for shown, target in re.findall(r"\[(\d\d[^\]]*)\]\((?:notebooks/)?(\d\d[a-z]?_\w+\.ipynb)\)", text):
            assert target in titles, f"{name} links to {target}, which does not exist"
            assert shown in (titles[target], NUMBERS[target]), f"{name}: the link to {target}, {titles[target]!r}, says {shown!r}"


def test_a_notebook_links_to_the_literature_alone_and_to_its_neighbours():
    for path in PATHS:
        others = [
            url
            for url in re.findall(r"\]\((https?:[^)]+)", markdown(BOOKS[path.name]))
            if not re.match(r"https://(arxiv\.org/abs|doi\.org)/", url)
        ]
        assert not others, f"{path.name}: a page on the network may be gone tomorrow: {others}"


def test_the_first_notebook_has_a_row_for_each_that_follows():
    rows = re.findall(r"^\| \[(\S+) · [^\]]+\]\(([^)]+)\) \| [^|]+ \|", markdown(BOOKS[PATHS[0].name]), re.M)
    lacking = {path.name for path in PATHS[1:]} - {name for _, name in rows}
    assert not lacking, f"{PATHS[0].name}: its tables of notebooks have no row for {sorted(lacking)}"
    assert sorted(rows) == [(NUMBERS[path.name], path.name) for path in PATHS[1:]]
    main = [name for number, name in rows if number.isdigit()]
    assert main == [path.name for path in MAIN[1:]], "the sections are one table, in their order"


def test_every_term_of_the_glossary_stands_in_the_notebook_it_points_to():
    last = markdown(BOOKS[CLOSING.name])
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| (\[\d\d[a-z]?\].*) \|$", last[last.index("## Glossary") :], re.M)
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
        assert not re.search(
            r"^\s*[%!]|sys\.path|matplotlib|\bpip\b|subprocess|os\.system|urllib|requests|socket|open\(", cell.source, re.M
        ), cell.id


def test_no_output_is_html_or_a_script_and_no_caption_holds_a_tag(code):
    """Frames in HTML are in the widgets alone, which are not stored; what they show is escaped: test_sliders.py."""
    for data in (out.data for cell in code for out in cell.outputs if "data" in out):
        assert set(data) <= {"image/png", "text/plain", "text/markdown"}
        assert not re.search(r"<[a-zA-Z/!?]|javascript:", data.get("text/markdown", ""))


def test_cells_stay_short(code):
    lengths = [sum(1 for line in cell.source.splitlines() if line.strip()) for cell in code]
    assert statistics.median(lengths) <= 4 and sorted(lengths)[int(0.9 * (len(lengths) - 1))] <= 10, lengths
