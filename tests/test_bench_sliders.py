"""What the page says of the sliders' speed is what was measured, and every slider of the notebooks was."""

import json
import re

import nbformat

from conftest import PATHS
from tools import bench_sliders as bench
from tools.refresh import with_section

FOUND = json.loads(bench.RESULTS.read_text("utf-8"))


def test_the_table_is_the_one_that_the_measurement_gives():
    page = bench.PAGE.read_text("utf-8")
    assert with_section(page, "sliders", bench.section(FOUND)) == page, "run `make bench-sliders`"


def test_every_slider_of_the_notebooks_was_measured():
    texts = [
        (path.stem.split("_")[0], re.match(r"Slider: (.+), (\d+) steps from ", out.data["text/plain"]))
        for path in PATHS
        for cell in nbformat.read(path, as_version=4).cells
        for out in cell.get("outputs", [])
        if out.get("data", {}).get("text/plain", "").startswith("Slider: ")
    ]
    shown = [(number, found[1], int(found[2])) for number, found in texts]
    assert [(r["notebook"], r["label"], r["frames"]) for r in FOUND["sliders"]] == shown, "run `make bench-sliders`"


def test_a_row_has_the_medians_and_the_late_ones():
    row = {"notebook": "06", "label": "c", "frames": 2, "seconds": 0.5, "kilobytes": 9}
    text = bench.section(
        {"cores": 2, "processor": "P", "sliders": [row | {"ours": [10.0, 12.0, 30.0], "interact": [120.0, 240.0, 250.0]}]}
    )
    assert "| 06 | c | 2 | 0.50 | 9 | 12 / 12 | 240 / 240 | 20 |" in text
