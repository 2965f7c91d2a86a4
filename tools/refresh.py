"""Execute every notebook from a fresh kernel and write it down in one normal form; draw the README's picture, and tell the minutes.

    python -m tools.refresh [--check] [NOTEBOOK ...]

A second run changes no byte. ``--check`` writes nothing and fails on any difference. A notebook is replaced only when its
new text is complete, so that an interruption or a full disk leaves the old one whole.
"""

from __future__ import annotations

import argparse
import difflib
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

from tools import cover, minutes
from tools.cover import COVER, README

ROOT = Path(__file__).resolve().parent.parent
# What other tools ask of a notebook's language, and no word of the Python that ran it. Without the extension, nbconvert writes a .txt.
LANGUAGE = {
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
}
NOTEBOOKS = ROOT / "notebooks"
KEPT_METADATA = {"tags", "slideshow"}


class ThisPython(AsyncKernelManager):
    """Starts kernels with the running interpreter, whatever kernels the machine has registered."""

    @property
    def kernel_spec(self) -> KernelSpec:
        quiet = "--IPKernelApp.log_level=40"  # a kernel of our own on loopback needs no word about encryption
        return KernelSpec(argv=[sys.executable, "-m", "ipykernel_launcher", quiet, "-f", "{connection_file}"])


def execute(path: Path) -> nbformat.NotebookNode:
    """Run all cells of a notebook in order; raises nbclient's CellExecutionError where one fails."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook,
        kernel_manager_class=ThisPython,
        timeout=300,
        coalesce_streams=True,
        record_timing=False,
        store_widget_state=False,
        resources={"metadata": {"path": str(path.parent)}},
    ).execute()
    return notebook


def normalise(notebook: nbformat.NotebookNode) -> str:
    """The notebook's text in normal form: no frames of sliders, no widget state, no timing, one kernel name, counts from 1."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": LANGUAGE,
    }
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    count = 0
    for cell in notebook.cells:
        cell.metadata = {k: v for k, v in cell.metadata.items() if k in KEPT_METADATA}
        if cell.cell_type == "code":
            count += 1
            cell.execution_count = count
            for output in cell.outputs:
                if "image/png" in output.get("data", {}):
                    output.data.pop("text/html", None)  # a slider's frames: a page that was not run shows its picture
                if "execution_count" in output:
                    output.execution_count = count
    return nbformat.writes(notebook)


def replace(path: Path, content: bytes) -> None:
    """Write beside the file, then rename over it."""
    beside = path.with_name(f"{path.name}.new")
    try:
        beside.write_bytes(content)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def with_section(page: str, name: str, text: str) -> str:
    """The page with ``text`` between the two comments of that name."""
    opens, closes = f"<!-- {name} -->", f"<!-- /{name} -->"
    before, _, rest = page.partition(opens)
    _, closed, after = rest.partition(closes)
    if not closed:
        raise ValueError(f"the page has no place for the section; it needs {opens} and {closes}")
    return before + opens + text + closes + after


def refresh(path: Path, check: bool) -> bool:
    """Bring one notebook up to date, or (``check``) say whether it is."""
    old = path.read_text(encoding="utf-8")
    new = normalise(execute(path)) + "\n"
    same = new == old
    if check and not same:
        lines = difflib.unified_diff(old.splitlines(), new.splitlines(), "committed", "executed", lineterm="", n=1)
        print("\n".join(line[:160] for _, line in zip(range(40), lines)))
    elif not same:
        replace(path, new.encode())
    print(f"{path.name}: {'as committed' if same else 'DIFFERS' if check else 'written'}", flush=True)
    return same


def refresh_cover(check: bool) -> bool:
    """Bring the README's moving picture and the words for it up to date, or (``check``) say whether they are."""
    page = with_section(README.read_text("utf-8"), "cover", cover.line())
    every = True
    for path, content in ((COVER, cover.moving()), (README, page.encode())):
        same = path.exists() and path.read_bytes() == content
        if not (same or check):
            replace(path, content)
        print(f"{path.name}: {'as committed' if same else 'DIFFERS' if check else 'written'}")
        every &= same
    return every


def refresh_minutes(check: bool) -> bool:
    """Bring the minutes up to date that notebooks and tables tell, or (``check``) say whether they are."""
    every = True
    for path, text in minutes.pages().items():
        if path.read_text("utf-8") != text:
            every = False
            print(f"{path.name}: {'DIFFERS' if check else 'written'} in its minutes")
            if not check:
                replace(path, text.encode())
    return every


def main() -> int:
    parser = argparse.ArgumentParser(description="Execute and normalise the chapter's notebooks.")
    parser.add_argument("--check", action="store_true", help="write nothing, fail on any difference")
    parser.add_argument("notebooks", nargs="*", type=Path, default=sorted(NOTEBOOKS.glob("*.ipynb")))
    chosen = parser.parse_args()
    with ThreadPoolExecutor(2) as pool:  # a kernel's start is most of a notebook's time
        same = list(pool.map(lambda path: refresh(path.resolve(), chosen.check), chosen.notebooks))
    same += [refresh_cover(chosen.check), refresh_minutes(chosen.check)]
    return int(chosen.check and not all(same))


if __name__ == "__main__":
    sys.exit(main())
