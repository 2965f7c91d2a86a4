"""Every number in the prose is one that a cell of the same notebook prints, to the printed digit."""

import re

import pytest

# What no cell prints: number, as written -> the expression that gives it, or the place it comes from.
DERIVED = {
    "05": {
        "10^{-2}": "1e-2, a step on the axis of the figure",
        "10^{-5}": "1e-5, the step h of the code above",
        "10^{-12}": "1e-12, the last step on the axis",
        "10^{-6}": "1e-6, the gate printed with the check",
        "10^{-15}": "1e-15, an example of a gate that no step can meet",
    },
    "05a": {"10^{-8}": "1e-8, Adam's usual epsilon"},
}
NUMBER = re.compile(r"10\^\{-?\d+\}|(?<![\w.])\d[\d,]*\.\d+(?:e[+-]?\d+)?(?![\w.]*\d)|(?<![\w.])\d+e[+-]?\d+")


def numbers(text):
    """The numbers with a decimal point or an exponent in a Markdown text; places in the literature are none."""
    text = re.sub(r"\[(?:arXiv|doi):[^\]]*\]\([^)]*\)|\]\([^)]*\)|section \d+(?:\.\d+)*", " ", text)
    text = re.sub(r"`[^`]*`", " ", text)
    return NUMBER.findall(text)


def printed(notebook):
    """All numbers that the visible outputs of a notebook show."""
    shown = []
    for cell in notebook.cells:
        for out in cell.get("outputs", []):
            data = out.get("data", {})
            shown.append(out.get("text") or data.get("text/markdown") or "")
    return set(re.findall(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?", "\n".join(shown)))


def strangers(name, prose, shown):
    known = DERIVED.get(name.split("_")[0], {})
    return [n for text in prose for n in numbers(text) if n not in shown and n not in known]


def test_every_number_in_the_prose_is_printed_by_a_cell(path, notebook, prose):
    assert strangers(path.stem, prose, printed(notebook)) == []


def test_every_derived_number_still_stands_in_the_prose(path, prose):
    found = {n for text in prose for n in numbers(text)}
    assert set(DERIVED.get(path.stem.split("_")[0], {})) <= found


def test_a_derived_number_is_what_its_expression_gives():
    for table in DERIVED.values():
        for number, source in table.items():
            value = float(number.replace("10^{", "1e").rstrip("}"))
            assert value == pytest.approx(float(source.split(",")[0])), number


def test_the_audit_notices_a_wrong_digit():
    shown = {"0.9903", "1.8", "1e-6"}
    assert strangers("04", ["one draw gave 0.9903, or +1.8"], shown) == []
    assert strangers("04", ["one draw gave 0.9904"], shown) == ["0.9904"]
    assert strangers("04", ["below $10^{-6}$ or 2e-6"], shown) == ["10^{-6}", "2e-6"]
    assert strangers("04", ["$p = 0.990$ and 1.80"], shown) == ["0.990", "1.80"]
    assert strangers("04", ["see section 3.2.1, [arXiv:1706.03762](https://x/1706.03762), `h = 0.5`"], shown) == []
