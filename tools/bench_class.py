"""Thirty students at once: start a kernel for each, let all run the same notebook, and count memory and time.

    make bench-class       measures, then writes docs/class.json and its sentence in teaching/README.md

The floor is the same with nothing but the imports of NumPy and matplotlib. Needs Linux, which tells the memory that
processes share from what each has for itself. Nothing here is asserted, but that every kernel answers to the end.
"""

from __future__ import annotations

import asyncio
import copy
import json
import os
import platform
import tempfile
import time
import uuid
from pathlib import Path

import nbformat
import psutil
from nbclient import NotebookClient
from traitlets import default

from tools.bench_attention import with_section
from tools.refresh import NOTEBOOKS, ROOT, ThisPython, replace

STUDENTS = 30
LESSON = NOTEBOOKS / "06_retrieval_limit.ipynb"
FLOOR = "import numpy, matplotlib.figure, matplotlib.backends.backend_agg"
# Linux keeps freed memory for a process that asked for much once, as a drawing does; with this it takes back what is free at the end.
# docs/INSTALL.md tells a JupyterHub to set the same.
FRUGAL = {"MALLOC_TRIM_THRESHOLD_": "131072"}
RESULTS, PLAN = ROOT / "docs" / "class.json", ROOT / "teaching" / "README.md"


class WithoutPorts(ThisPython):
    """Starts kernels that are spoken to through files: five free TCP ports for each of thirty are chosen before any is taken."""

    def __init__(self, **options):
        super().__init__(transport="ipc", **options)

    @default("ip")
    def _files(self) -> str:
        return str(Path(os.environ["SOCKETS"]) / uuid.uuid4().hex[:8])  # the system allows such a path some hundred characters


async def student(lesson: nbformat.NotebookNode, began: float, all_done: asyncio.Barrier) -> dict[str, float | None]:
    """One kernel runs the lesson, then waits for the others, so that memory is counted while all are alive."""
    client = NotebookClient(
        lesson,
        kernel_manager_class=WithoutPorts,
        timeout=600,
        startup_timeout=600,
        resources={"metadata": {"path": str(LESSON.parent)}},
    )
    async with client.async_setup_kernel():
        ready, drawn = time.monotonic() - began, None
        for number, cell in enumerate(client.nb.cells):
            await client.async_execute_cell(cell, number)
            if drawn is None and any("image/png" in out.get("data", {}) for out in cell.get("outputs", [])):
                drawn = time.monotonic() - began
        finished = time.monotonic() - began
        await all_done.wait()
        memory = psutil.Process(client.km.provisioner.pid).memory_full_info()
        await all_done.wait()
    print(f"a kernel of {STUDENTS} is done: ready after {ready:.0f} s, all cells after {finished:.0f} s", flush=True)
    return {"ready": ready, "drawn": drawn, "finished": finished, "shared_fairly": memory.pss / 2**20, "own": memory.uss / 2**20}


async def class_of(lesson: nbformat.NotebookNode) -> dict[str, list[float]]:
    """What all measured, each kind from the least to the most."""
    all_done, began = asyncio.Barrier(STUDENTS), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="class") as os.environ["SOCKETS"]:
        rows = await asyncio.gather(*(student(copy.deepcopy(lesson), began, all_done) for _ in range(STUDENTS)))
    return {name: sorted(round(row[name], 1) for row in rows if row[name] is not None) for name in rows[0]}


def measure() -> dict:
    os.environ.update(FRUGAL)
    bare = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(FLOOR)])
    floor = asyncio.run(class_of(bare))["own"]
    return {
        "students": STUDENTS,
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "lesson": LESSON.name,
        "floor": floor,
        **asyncio.run(class_of(nbformat.read(LESSON, as_version=4))),
    }


def section(found: dict) -> str:
    """What the plan says of a measurement."""
    own, fair = found["own"], found["shared_fairly"]
    settings = " ".join(f"{name}={value}" for name, value in FRUGAL.items())
    return (
        f"\nMeasured with `make bench-class` on {found['cores']} cores of a {found['system']} machine: {found['students']} kernels started at "
        f"the same moment, each running all of `{found['lesson']}`, with `{settings}` set. A kernel holds {own[0]:.0f} to {own[-1]:.0f} MiB of its own, {fair[0]:.0f} to "
        f"{fair[-1]:.0f} MiB with its share of what all have in common, {sum(fair) / 1024:.1f} GiB in all. With NumPy and matplotlib "
        f"imported and nothing else, a kernel holds {found['floor'][0]:.0f} to {found['floor'][-1]:.0f} MiB of its own. The first kernel was ready after "
        f"{found['ready'][0]:.0f} s, the slowest after {found['ready'][-1]:.0f} s; all had drawn their first figure after {found['drawn'][-1]:.0f} s, and "
        f"run every cell after {found['finished'][-1]:.0f} s.\n"
    )


def main() -> None:
    found = measure()
    replace(RESULTS, (json.dumps(found, indent=1) + "\n").encode())
    replace(PLAN, with_section(PLAN.read_text("utf-8"), "class", section(found)).encode())
    print(section(found).strip())


if __name__ == "__main__":
    main()
