"""Thirty students at once: start a kernel for each, let all run the same notebook, and count memory and time.

    make bench-class       measures, then writes docs/class.json and its sentence in teaching/README.md

Needs Linux, which tells the memory that processes share from what each has for itself. Nothing here is asserted.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import time

import nbformat
import psutil
from nbclient import NotebookClient

from tools.bench_attention import with_section
from tools.refresh import NOTEBOOKS, ROOT, ThisPython, replace

STUDENTS = 30
LESSON = NOTEBOOKS / "06_retrieval_limit.ipynb"
RESULTS, PLAN = ROOT / "docs" / "class.json", ROOT / "teaching" / "README.md"


async def student(began: float, all_done: asyncio.Barrier) -> dict[str, float]:
    """One kernel runs the lesson, then waits for the others, so that memory is counted while all are alive."""
    client = NotebookClient(nbformat.read(LESSON, as_version=4), kernel_manager_class=ThisPython, timeout=600,
                            startup_timeout=600, resources={"metadata": {"path": str(LESSON.parent)}})
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
    return {"ready": ready, "drawn": drawn, "finished": finished, "shared_fairly": memory.pss / 2 ** 20, "own": memory.uss / 2 ** 20}


async def measure() -> dict:
    all_done = asyncio.Barrier(STUDENTS)
    began = time.monotonic()
    rows = await asyncio.gather(*(student(began, all_done) for _ in range(STUDENTS)))
    return {"students": STUDENTS, "cores": os.cpu_count(), "system": f"{platform.system()} {platform.machine()}", "lesson": LESSON.name,
            **{name: sorted(round(row[name], 1) for row in rows) for name in rows[0]}}


def section(found: dict) -> str:
    """What the plan says of a measurement."""
    own, fair = found["own"], found["shared_fairly"]
    return (f"\nMeasured with `make bench-class` on {found['cores']} cores of a {found['system']} machine: {found['students']} kernels started at "
            f"the same moment, each running all of `{found['lesson']}`. A kernel holds {own[0]:.0f} to {own[-1]:.0f} MiB of its own, {fair[0]:.0f} to "
            f"{fair[-1]:.0f} MiB with its share of what all have in common, {sum(fair) / 1024:.1f} GiB in all. The first kernel was ready after "
            f"{found['ready'][0]:.0f} s, the slowest after {found['ready'][-1]:.0f} s; all had drawn their first figure after {found['drawn'][-1]:.0f} s, and "
            f"run every cell after {found['finished'][-1]:.0f} s.\n")


def main() -> None:
    found = asyncio.run(measure())
    replace(RESULTS, (json.dumps(found, indent=1) + "\n").encode())
    replace(PLAN, with_section(PLAN.read_text("utf-8"), "class", section(found)).encode())
    print(section(found).strip())


if __name__ == "__main__":
    main()
