"""Run the committed notebooks under other versions, processors, threads, languages and settings; no cell may differ.

    make matrix                   every configuration that has no result yet for the notebooks and the code as they are
    make matrix ARGS=numpy        those whose name contains "numpy", again

Every printed digit, every alt text and every caption is compared by nbval as in `make test`. Environments with other
versions are made in the temporary folder of this machine, once. Exits 1 where a cell differs.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
import tomllib
import venv
from pathlib import Path
from xml.etree import ElementTree

from packaging.requirements import Requirement

from tools import trust

ROOT = Path(__file__).resolve().parent.parent
VARIED = ("numpy", "matplotlib", "ipywidgets")
FOREIGN_STYLE = (
    "font.size: 7\nimage.cmap: jet\naxes.facecolor: black\nlines.linewidth: 9\nfigure.dpi: 30\nfigure.autolayout: True\n"
)
LANGUAGES = ("C", "C.UTF-8", "de_DE.UTF-8", "tr_TR.UTF-8")
ZONES = ("UTC", "Pacific/Kiritimati", "America/St_Johns")
CORES = ("Prescott", "Nehalem", "Sandybridge", "Haswell", "Zen")  # x86-64 kinds whose kernels OpenBLAS brings along


def bounds() -> dict[str, str]:
    """The oldest versions that pyproject.toml allows."""
    lines = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    return {r.name: next(iter(r.specifier)).version for r in map(Requirement, lines)}


def environment(versions: dict[str, str]) -> Path:
    """The Python of an environment that is locked but for these packages; "newest" takes what the registry has."""
    locked = [
        line.split("--hash")[0].strip() for line in (ROOT / "requirements.lock").read_text("utf-8").replace("\\\n", "").splitlines()
    ]
    lines = [line for line in locked if Requirement(line).name not in versions]
    lines += [name if version == "newest" else f"{name}=={version}" for name, version in versions.items()]
    mark = hashlib.sha256("\n".join([sys.version, *sorted(lines)]).encode()).hexdigest()[:12]
    folder = Path(tempfile.gettempdir()) / f"attention-matrix-{mark}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not (folder / "made").exists():
        venv.create(folder, clear=True, with_pip=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--no-deps", *lines], check=True, stderr=subprocess.DEVNULL)
        (folder / "made").touch()
    return python


def processor() -> tuple[list[str], bool]:
    """The sets of instructions that NumPy can do without, lowest first, and whether this is an x86-64 with AVX2."""
    code = (
        "import json; from numpy._core import _multiarray_umath as m; "
        "print(json.dumps([[f for f in m.__cpu_dispatch__ if m.__cpu_features__.get(f)], "
        "bool(m.__cpu_features__.get('AVX2') or m.__cpu_features__.get('X86_V3'))]))"
    )
    names, wide = json.loads(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
    return names, wide


def configurations() -> dict[str, tuple[dict[str, str], dict[str, str]]]:
    """By name: the packages of other versions, and the variables of the environment."""
    oldest = bounds()
    found = {
        "as locked": ({}, {}),
        "oldest numpy": ({"numpy": oldest["numpy"]}, {}),
        # The oldest matplotlib was built for NumPy 1.
        "oldest matplotlib, oldest numpy": ({name: oldest[name] for name in ("matplotlib", "numpy")}, {}),
        "oldest ipywidgets": ({"ipywidgets": oldest["ipywidgets"]}, {}),
        "oldest of all three": ({name: oldest[name] for name in VARIED}, {}),
        "newest of all three": (dict.fromkeys(VARIED, "newest"), {}),
    }
    levels, wide = processor()
    for k in range(len(levels)):
        found[f"without {' '.join(levels[k:])}"] = {}, {"NPY_DISABLE_CPU_FEATURES": " ".join(levels[k:])}
    if wide:
        found |= {f"OpenBLAS for {core}": ({}, {"OPENBLAS_CORETYPE": core}) for core in CORES}
    found |= {f"{n} thread{'s' * (n > 1)}": ({}, {"OPENBLAS_NUM_THREADS": str(n), "OMP_NUM_THREADS": str(n)}) for n in (1, 2)}
    found |= {f"hash seed {seed}": ({}, {"PYTHONHASHSEED": seed}) for seed in ("0", "1", "4294967295")}
    found |= {f"language {lang}": ({}, {"LANG": lang, "LC_ALL": lang}) for lang in LANGUAGES}
    found |= {f"time zone {zone}": ({}, {"TZ": zone}) for zone in ZONES}
    found["a foreign matplotlibrc"] = {}, {"MATPLOTLIBRC": "foreign"}
    return found


def fingerprint() -> str:
    """What a result is a result of: the notebooks, the code under them and the lock."""
    files = [
        *sorted((ROOT / "notebooks").glob("*.ipynb")),
        *sorted((ROOT / "attention_chapter").glob("*.py")),
        *(ROOT / name for name in ("attention_core.py", "attention_checks.py", "kg.py", "requirements.lock", "pyproject.toml")),
    ]
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()[:12]


def compare(python: Path, variables: dict[str, str]) -> tuple[int, list[str], str]:
    """Run all notebooks; the number of their cells, those that differ, and the versions that ran."""
    with tempfile.TemporaryDirectory() as folder:
        style, report = Path(folder) / "matplotlibrc", Path(folder) / "report.xml"
        style.write_text(FOREIGN_STYLE)
        env = {**os.environ, **variables, "PYTHONPATH": str(ROOT), "JUPYTER_PREFER_ENV_PATH": "1"}
        env.pop("MPLBACKEND", None)
        if "MATPLOTLIBRC" in variables:
            env["MATPLOTLIBRC"] = str(style)
        command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junit-xml={report}", "notebooks"]
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
        if done.returncode not in (0, 1):
            raise SystemExit(f"pytest itself failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
        cases = ElementTree.parse(report).findall(".//testcase")
        # nbval names a cell after its notebook and its place.
        differ = [
            f"{case.get('classname')} {case.get('name')}"
            for case in cases
            if case.find("failure") is not None or case.find("error") is not None
        ]
        code = f"from importlib.metadata import version; print(', '.join(f'{{n}} {{version(n)}}' for n in {VARIED}))"
        versions = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=True).stdout.strip()
        return len(cases), differ, versions


def main() -> int:
    wanted, mark = " ".join(sys.argv[1:]), fingerprint()
    done = {name: result for name, result in trust.stored().get("matrix", {}).items() if result["of"] == mark}
    chosen = {name: c for name, c in configurations().items() if (wanted in name if wanted else name not in done)}
    trust.store("matrix", done, afresh=True)  # what was found of another state says nothing of this one
    for k, (name, (versions, variables)) in enumerate(chosen.items(), 1):
        print(f"{k} of {len(chosen)}  {name} ...", end="", flush=True)
        began = time.monotonic()
        cells, differ, ran = compare(environment(versions) if versions else Path(sys.executable), variables)
        print(f"\r{k} of {len(chosen)}  {name} ({ran}): {len(differ)} of {cells} cells differ, {time.monotonic() - began:.0f} s")
        for cell in differ:
            print(f"    {cell}")
        trust.store("matrix", {name: {"of": mark, "cells": cells, "differ": differ, "versions": ran}})
    results = {name: r for name, r in trust.stored().get("matrix", {}).items() if r["of"] == mark and name in configurations()}
    print(
        f"{len(results)} of {len(configurations())} configurations have run; "
        f"{sum(bool(r['differ']) for r in results.values())} have a cell that differs"
    )
    return int(any(r["differ"] for r in results.values()))


if __name__ == "__main__":
    sys.exit(main())
