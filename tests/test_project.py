"""The project's own files: one set of bounds, versions and Pythons in all of them, arrows that go one way, no machine's
name or folder in any.
"""

import ast
import fnmatch
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import distributions
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import bootstrap

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text("utf-8"))
ENVIRONMENT = yaml.safe_load((ROOT / "environment.yml").read_text("utf-8"))

# What conda-forge calls otherwise: its `matplotlib` is `matplotlib-base` and Qt.
CONDA_NAMES = {"matplotlib-base": "matplotlib"}
# What only conda has to be told: the Python, and the pip that installs this project.
CONDA_ONLY = {"pip"}


def bounds(lines):
    """The version bounds that requirement lines state, by package."""
    requirements = [Requirement(line) for line in lines]
    assert len({canonicalize_name(requirement.name) for requirement in requirements}) == len(requirements)
    return {canonicalize_name(requirement.name): requirement.specifier for requirement in requirements}


def entries(lock):
    """A lock, one logical line for each package."""
    return (ROOT / lock).read_text("utf-8").replace("\\\n", "").splitlines()


def locked(lock):
    return [Requirement(line.split("--hash")[0]) for line in entries(lock)]


GROUPS = PYPROJECT["dependency-groups"]
DECLARED = bounds(PYPROJECT["project"]["dependencies"] + GROUPS["dev"])
# `make lock` writes what everyone needs into one lock, and each further group into its own.
LOCKS = {
    "requirements.lock": DECLARED,
    **{f"requirements-{group}.lock": bounds(lines) for group, lines in GROUPS.items() if group != "dev"},
}
CONDA = bounds(line for line in ENVIRONMENT["dependencies"] if isinstance(line, str) and not line.startswith("python="))


# Packages ------------------------------------------------------------------------------------------------------------


def test_environment_yml_names_the_packages_and_bounds_of_pyproject_toml():
    conda = {CONDA_NAMES.get(name, name): bound for name, bound in CONDA.items() if name not in CONDA_ONLY}
    assert conda == DECLARED


def test_environment_yml_takes_conda_forge_alone_and_installs_this_project():
    assert ENVIRONMENT["channels"] == ["conda-forge", "nodefaults"]
    assert [line["pip"] for line in ENVIRONMENT["dependencies"] if isinstance(line, dict)] == [["-e ."]]


def test_every_lock_is_written_by_make_lock_from_a_group():
    assert {path.name for path in ROOT.glob("requirements*")} == set(LOCKS)
    assert all(f"--output-file {lock}\n" in (ROOT / "Makefile").read_text("utf-8") for lock in LOCKS)


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_has_one_version_of_each_declared_package_within_its_bound(lock):
    versions = {canonicalize_name(entry.name): next(iter(entry.specifier)).version for entry in locked(lock)}
    assert len(versions) == len(locked(lock)), "a package is locked twice"
    outside = {
        name: (str(bound), versions.get(name))
        for name, bound in LOCKS[lock].items()
        if name not in versions or versions[name] not in bound
    }
    assert not outside


@pytest.mark.parametrize("lock", LOCKS)
def test_every_lock_entry_is_a_version_with_hashes_and_names_no_host_or_path(lock):
    entry = re.compile(r"[a-z0-9-]+==[^\s;]+( ; [^/]+?)?(\s+--hash=sha256:[0-9a-f]{64})+")
    assert [line[:80] for line in entries(lock) if not entry.fullmatch(line)] == []
    assert "/" not in (ROOT / lock).read_text("utf-8")


def test_the_environment_that_bootstrap_made_holds_the_locked_versions():
    installed = {canonicalize_name(found.name): found.version for found in distributions()}
    wanted = {
        canonicalize_name(entry.name): entry.specifier
        for entry in locked("requirements.lock")
        if entry.marker is None or entry.marker.evaluate()
    }
    differing = {
        name: f"locked {bound}, installed {installed.get(name)}"
        for name, bound in wanted.items()
        if name not in installed or installed[name] not in bound
    }
    print(f"{len(differing)} of {len(wanted)} packages in {sys.prefix} are not as locked: {differing}")
    # Elsewhere (conda, another .venv) other versions are the point; there the line above is all there is to say.
    ours = os.path.realpath(sys.prefix) == os.path.realpath(bootstrap.VENV) and os.path.exists(bootstrap.STAMP)
    assert not (ours and differing)


# Pythons -------------------------------------------------------------------------------------------------------------


def test_one_range_of_pythons_stands_in_all_files():
    pythons = [f"{major}.{minor}" for major, minor in bootstrap.VERSIONS]
    assert WORKFLOW["jobs"]["test"]["strategy"]["matrix"]["python"] == pythons
    assert PYPROJECT["project"]["requires-python"] == f">={pythons[0]}"
    conda = [line.partition("=")[2] for line in ENVIRONMENT["dependencies"] if str(line).startswith("python=")]
    assert len(conda) == 1 and conda[0] in pythons, (
        f"environment.yml names one Python of {pythons} as repo2docker reads it: python=3.13"
    )


@pytest.mark.parametrize("file", ["bootstrap.py", "Makefile"])
def test_the_message_of_what_to_install_names_that_range(file):
    ends = tuple("%d.%d" % version for version in (bootstrap.VERSIONS[0], bootstrap.VERSIONS[-1]))
    assert set(re.findall(r"Python (3\.\d+) to (3\.\d+)", (ROOT / file).read_text("utf-8"))) == {ends}


# Commands ------------------------------------------------------------------------------------------------------------


def targets():
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def code(markdown):
    """What a Markdown text sets as code: its blocks, then the spans of the rest."""
    block = re.compile(r"^ *(```|~~~).*?^ *\1", re.MULTILINE | re.DOTALL)
    blocks = [match.group() for match in block.finditer(markdown)]
    return blocks + re.findall(r"`([^`]+)`", block.sub("", markdown))


def make_calls(text):
    """The targets that a text calls where a command begins: `make test`, but not a comment's "make sure"."""
    return re.findall(r"(?:^|\$|&&|;) *make (?:[A-Z]+=\S+ +)*([a-z][a-z-]*)", text, re.MULTILINE)


def test_make_calls_are_found_in_spans_and_blocks_but_not_in_prose():
    text = (
        "We make figures: `make lab`, `make -n`, `cd it && make refresh`.\n\n"
        "```sh\n# make sure\n$ make PYTHON=python3.12 test\n```\n\n~~~\nmake refresh-check\n~~~\n"
    )
    assert [call for piece in code(text) for call in make_calls(piece)] == ["test", "refresh-check", "lab", "refresh"]


def test_every_make_target_that_a_page_names_exists():
    named = {
        call
        for file in ("README.md", "CONTRIBUTING.md", "teaching/README.md")
        for piece in code((ROOT / file).read_text("utf-8"))
        for call in make_calls(piece)
    }
    assert named <= targets()


def test_one_table_names_every_command():
    table = re.findall(r"^\| `make ([a-z-]+)` \|", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.M)
    assert sorted(table) == sorted(targets() - {"env"}), "each target but env, which the others call, has one row"
    assert "| command |" not in (ROOT / "README.md").read_text("utf-8")


def test_every_make_target_is_phony():
    phony = re.search(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE).group(1).split()
    assert set(phony) == targets(), "a file of that name would stop the target"


def recorded_mode(name):
    """The mode that git has for a file; nothing without git, or outside a repository of this project's own."""
    if ROOT / name not in tracked():
        return ""
    return subprocess.run(
        ["git", "ls-files", "--stage", name], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()[0]


def test_the_check_of_a_fresh_clone_can_be_run():
    if mode := recorded_mode(".ci/run"):  # a zip has no modes, and `bash .ci/run` needs none
        assert mode == "100755"


def test_the_workflow_on_windows_does_what_the_makefile_does():
    steps = [step for step in WORKFLOW["jobs"]["test"]["steps"] if step.get("if") == "runner.os == 'Windows'"]
    assert [step["run"] for step in steps] == ["python bootstrap.py", r".venv\Scripts\python -m pytest"]
    exported = re.findall(r"^export (\w+) := (\w+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert steps[-1]["env"] == dict(exported)


# Imports -------------------------------------------------------------------------------------------------------------


def imported(source):
    """The dotted names a module may import; `from a import b` counts as a.b too, for b may be a module."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            package = ["attention_chapter"] if node.level else []  # the one package, so the one a leading dot can mean
            module = ".".join(package + ([node.module] if node.module else []))
            names |= {module} | {f"{module}.{alias.name}" for alias in node.names}
    return names


MODULES = {
    **{name: ROOT / f"{name}.py" for name in ("attention_core", "attention_checks", "kg")},
    **{f"attention_chapter.{path.stem}": path for path in (ROOT / "attention_chapter").glob("*.py")},
    **{f"attention_chapter.exercises.{path.stem}": path for path in (ROOT / "attention_chapter/exercises").glob("*.py")},
}
IMPORTS = {name: imported(path.read_text("utf-8")) for name, path in MODULES.items()}


def reached(module):
    """The modules of this project that a module imports, at once or through others."""
    found, ahead = set(), [module]
    while ahead:
        new = (IMPORTS[ahead.pop()] & set(MODULES)) - found
        found |= new
        ahead += new
    return found


def test_all_forms_of_import_are_seen():
    assert {"os.path", "attention_chapter.run"} <= imported("def f():\n    import os.path as p\n    from .run import world\n")
    assert {"attention_chapter.figures", "attention_chapter.sliders"} <= imported(
        "from . import figures\nfrom attention_chapter import sliders\n"
    )


@pytest.mark.parametrize("module", ["attention_core", "attention_checks", "kg"])
def test_the_mathematics_and_the_world_import_only_numpy_and_the_standard_library(module):
    packages = {name.split(".")[0] for name in IMPORTS[module]}
    assert packages - {"numpy", "attention_checks"} <= set(sys.stdlib_module_names)


@pytest.mark.parametrize(
    "module", ["attention_core", "kg", "attention_chapter.run", "attention_chapter.training", "attention_chapter.questions"]
)
def test_what_computes_imports_nothing_that_draws(module):
    assert reached(module) <= {"attention_core", "attention_checks", "kg"}
    assert not {name.split(".")[0] for name in IMPORTS[module]} & {"matplotlib", "PIL", "IPython", "ipywidgets"}


def test_no_import_goes_in_a_circle():
    assert [module for module in MODULES if module in reached(module)] == []


# Names ---------------------------------------------------------------------------------------------------------------

# In two parts, so that this file does not name what it forbids.
HOSTS = ["pypi" + ".org", "python" + "hosted", "anaconda" + ".org", "conda." + "anaconda", "registry." + "npmjs", "debian" + ".org"]
FOLDERS = ["work", "root", "home", "tmp"]
# A letter or digit before the slash makes it part of a longer address, or of a picture's base64, and not a path.
MACHINE = re.compile("|".join(map(re.escape, HOSTS)) + r"|(?<![A-Za-z0-9+])/(?:" + "|".join(FOLDERS) + r")/", re.IGNORECASE)


def walked():
    """The files of the tree as a reader unpacks it: without what .gitignore leaves out, and without tools' folders."""
    ignored = [
        line.rstrip("/") for line in (ROOT / ".gitignore").read_text("utf-8").splitlines() if line and not line.startswith("#")
    ]

    def kept(name):
        return not any(fnmatch.fnmatch(name, pattern) for pattern in ignored)

    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if kept(name) and (name[0] != "." or name in (".ci", ".github"))]
        yield from (Path(folder, name) for name in names if kept(name))


def tracked():
    """The files that git tracks; none without git, or outside a repository of this project's own."""
    try:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return []
    return [path for path in (ROOT / os.fsdecode(name) for name in listed.split(b"\0") if name) if path.is_file()]


def test_no_text_file_names_a_package_host_or_a_folder_of_one_machine():
    found = []
    for path in tracked() or walked():
        raw = path.read_bytes()
        if b"\0" in raw:
            continue  # not text
        for number, line in enumerate(raw.decode("utf-8", "replace").splitlines(), 1):
            found += [f"{path.relative_to(ROOT)}:{number}: {match.group()}" for match in MACHINE.finditer(line)]
    assert found == []


def test_the_search_for_hosts_and_folders_finds_them_and_spares_addresses_and_pictures():
    for text in ["https://" + HOSTS[0] + "/simple", '"/' + FOLDERS[0] + '/main"', "file:///" + FOLDERS[2] + "/me/x"]:
        assert MACHINE.search(text), text
    for text in ["example.org/" + FOLDERS[2] + "/page", "iVBORw0KGgo/" + FOLDERS[3] + "/AAA", "~/" + FOLDERS[0]]:
        assert not MACHINE.search(text), text


def test_a_tree_without_git_is_searched_as_well():
    missed = set(tracked()) - set(walked())
    assert not missed, "the walk leaves out folders whose name begins with a dot, but for those it names"


def test_every_module_has_its_tests():
    modules = [
        "attention_core",
        "kg",
        "bootstrap",
        "npm",
        "sources",
        "refresh",
        "exercises",
        *(p.stem for p in (ROOT / "attention_chapter").glob("[a-z]*.py")),
    ]
    # diagrams, scenes and pictures are tested with figures; checks, which is not listed, through the functions of attention_core that it guards;
    # what else stands in website/ through the pages and the prints it makes, in tests/browser/test_site.py
    lacking = [m for m in modules if m not in ("diagrams", "scenes", "picture") and not (ROOT / "tests" / f"test_{m}.py").exists()]
    assert lacking == []
    assert all((ROOT / "tests" / f"test_{name}.py").exists() for name in ("notebooks", "prose", "project", "suite"))


def test_every_fault_that_is_planted_still_finds_its_place():
    from tools import plant_faults

    names = [name for name, *_ in plant_faults.FAULTS]
    assert len(set(names)) == len(names), "results are stored by name"
    lost = {}
    for name, file, edit, tests in plant_faults.FAULTS:
        path = ROOT / file
        text = path.read_bytes().decode(errors="surrogateescape") if path.exists() else ""
        try:
            changed = edit(text) != text
        except (SystemExit, StopIteration, IndexError, ValueError, KeyError) as error:
            changed, lost[name] = True, f"{file}: {error}"
        if not changed:
            lost[name] = f"{file}: nothing changes"
        lost |= {name: f"{test} does not exist" for test in tests if not (ROOT / test.split("::")[0]).exists()}
    assert not lost, f"faults of tools/plant_faults.py that no longer find their place: {lost}"
