"""Two editions of the chapter to hand out: the student's, where nothing is answered yet, and the teacher's, with everything.

    python -m tools.editions {student|teacher}

writes a folder, `_student` or `_teacher`, with all that its reader needs to run it, and nothing else of the project. In the
student's notebooks outputs are cleared, and solutions and the teacher's notes are taken out. A folder of an earlier run is
replaced once the new one is complete; a folder that this did not make, or in which somebody has worked, is left alone.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
MARK = ".edition"  # what the folder was made of; written last
RUNS = [
    "attention_core.py",
    "attention_checks.py",
    "kg.py",
    "attention_chapter/**/*.py",
    "attention_chapter/*.js",
    "notebooks/*.ipynb",
]
INSTALLS = [
    "bootstrap.py",
    "pyproject.toml",
    "requirements.lock",
    "environment.yml",
    "Makefile",
    "LICENSE",
    "docs/INSTALL.md",
    "docs/bench.json",
]
EDITIONS = {"student": RUNS + INSTALLS, "teacher": RUNS + INSTALLS + ["teaching/README.md"]}
ABOUT = {
    "student": "Nothing is answered yet: commit yourself to each *Predict*, then run the cell. The solutions of the exercises are not in here.",
    "teacher": "The notebooks with their results, the solutions of the exercises, and the notes for the teacher; the plans stand in [teaching/README.md](teaching/README.md).",
}
README = """# {title}

**The {edition}'s edition.** {about}

    make lab        # opens the chapter; the first call sets up a folder .venv, which takes a minute and a network

Without `make`, and on other desks: [docs/INSTALL.md](docs/INSTALL.md).

{notebooks}
"""
MAKEFILE = """# `make lab` opens the chapter. It makes .venv by itself."""


def cleared(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """A notebook as a student gets it: no output, no solution, no word for the teacher."""
    notebook.cells = [cell for cell in notebook.cells if not {"solution", "speaker"} & set(cell.metadata.get("tags", []))]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        else:
            cell.source = re.sub(r" [^.]*\bsolutions are folded\b[^.]*\.", "", cell.source)
    return notebook


def makefile(text: str) -> str:
    """The Makefile without its targets, but for those that open the chapter."""
    settings, *blocks = re.split(r"\n\n(?=\S)", text.rstrip())
    kept = [block for block in blocks if re.match(r"(lab|env):|(?!.*^[\w-]+:).*^export ", block, re.M | re.S)]
    settings = re.sub(r"\A#.*", MAKEFILE, settings)
    return "\n\n".join([settings, ".PHONY: lab env", *kept]) + "\n"


def unlinked(text: str, name: str, names: set[str]) -> str:
    """Markdown in which a link to a file that the edition does not have is plain text."""

    def link(found: re.Match) -> str:
        target = (ROOT / name).parent / found[2].partition("#")[0]
        there = found[2].startswith(("http", "#")) or target.resolve().relative_to(ROOT).as_posix() in names
        return found[0] if there else found[1]

    return re.sub(r"\[([^]]+)\]\(([^)\s]+)\)", link, text)


def files(edition: str) -> dict[str, bytes]:
    """What stands in an edition: {path: content}."""
    paths = [path for pattern in EDITIONS[edition] for path in sorted(ROOT.glob(pattern))]
    names = {path.relative_to(ROOT).as_posix() for path in paths} | {"README.md"}
    found, titles = {}, []
    for path in paths:
        name, content = path.relative_to(ROOT).as_posix(), path.read_bytes()
        if path.suffix == ".ipynb":
            notebook = nbformat.reads(content.decode(), as_version=4)
            title = notebook.cells[0].source.splitlines()[0].removeprefix("# ")
            titles.append(f"* [{title}]({name})")
            if edition == "student":
                content = (nbformat.writes(cleared(notebook)) + "\n").encode()
        elif path.suffix == ".md":
            content = unlinked(content.decode(), name, names).encode()
        elif path.name == "Makefile":
            content = makefile(content.decode()).encode()
        found[name] = content
    title = (ROOT / "README.md").read_text("utf-8").splitlines()[0].removeprefix("# ")
    found["README.md"] = README.format(title=title, edition=edition, about=ABOUT[edition], notebooks="\n".join(titles)).encode()
    return found


def stamp(content: dict[str, bytes]) -> str:
    """A line for each file, by which a later run sees what was changed."""
    return "".join(f"{hashlib.sha256(content[name]).hexdigest()}  {name}\n" for name in sorted(content))


def worked_in(folder: Path) -> str:
    """Why a folder must not be replaced, or nothing."""
    if not folder.exists():
        return ""
    if not (folder / MARK).is_file():
        return f"{folder.name} was not made by this command"
    for line in (folder / MARK).read_text("utf-8").splitlines():
        digest, name = line.split("  ", 1)
        path = folder / name
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() != digest:
            return f"{folder.name}/{name} was changed since this command wrote it"
    return ""


def write(edition: str, folder: Path) -> None:
    """Write an edition beside its folder, then put it in the folder's place."""
    if reason := worked_in(folder):
        raise SystemExit(f"{reason}, so nothing is written. Move the folder away, or delete it, and call this again.")
    new, old = (folder.with_name(f"{folder.name}.{word}") for word in ("new", "old"))
    content = files(edition)
    try:
        shutil.rmtree(new, ignore_errors=True)
        for name, raw in {**content, MARK: stamp(content).encode()}.items():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            (new / name).write_bytes(raw)
        if folder.exists():
            folder.rename(old)
        new.rename(folder)
    finally:
        if old.exists() and not folder.exists():
            old.rename(folder)
        for rest in (new, old):
            shutil.rmtree(rest, ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser(description="Write an edition of the chapter to hand out.")
    parser.add_argument("edition", choices=EDITIONS)
    edition = parser.parse_args().edition
    write(edition, ROOT / f"_{edition}")
    print(f"_{edition}: {len(files(edition))} files; `make lab` in there opens it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
