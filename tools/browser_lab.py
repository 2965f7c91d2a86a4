"""JupyterLab on loopback and a headless Chromium, for the browser tests and the measurement of the sliders."""

from __future__ import annotations

import ast
import io
import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

import nbformat

from attention_chapter import sliders

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
VIEW = {"width": 1280, "height": 720}
TOKEN = "chapter"


@contextmanager
def lab(folder: Path, home: str = ".home") -> Iterator[str]:
    """JupyterLab serving a folder, with settings of its own in a home there, new or met again; gives its address."""
    settings = {
        "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
        # Cells out of sight stay on the page, where a test can find them without scrolling.
        "@jupyterlab/notebook-extension:tracker": {"windowingMode": "defer"},
    }
    home = folder / home
    (home / "labconfig").mkdir(parents=True, exist_ok=True)
    (home / "labconfig" / "default_setting_overrides.json").write_text(json.dumps(settings))
    env = {
        **os.environ,
        "HOME": str(home),
        "JUPYTER_CONFIG_DIR": str(home),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTER_PREFER_ENV_PATH": "1",
    }
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--allow-root",
        "--no-browser",
        "--ip=127.0.0.1",
        "--port=0",
        f"--IdentityProvider.token={TOKEN}",
        f"--ServerApp.root_dir={folder}",
    ]
    with open(home / "log", "w") as log, subprocess.Popen(command, env=env, cwd=folder, stdout=log, stderr=log) as server:
        try:
            yield _address(home, server)
        finally:
            server.terminate()
            server.wait(timeout=60)  # the next one of this home must not meet its address


def _address(home: Path, server: subprocess.Popen) -> str:
    for _ in range(240):
        for found in (home / "runtime").glob("jpserver-*.json"):
            url = json.loads(found.read_text() or "{}").get("url", "")
            try:
                urllib.request.urlopen(f"{url}api", timeout=5).close()
                return url
            except (OSError, ValueError):
                pass
        assert server.poll() is None, (home / "log").read_text()
        time.sleep(0.25)
    raise AssertionError(f"JupyterLab did not start: {(home / 'log').read_text()}")


def api(url: str, path: str, method: str = "GET"):
    """One call of the server's REST interface."""
    request = urllib.request.Request(f"{url}api/{path}", method=method, headers={"Authorization": f"token {TOKEN}"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        text = answer.read().decode()
    return json.loads(text) if text else None


def open_notebook(page, url: str, name: str) -> None:
    """Open a notebook in a workspace of its own, where no other one is open, and wait until its last cell is on the page."""
    page.goto(f"{url}lab/workspaces/w{time.time_ns()}/tree/{name}?token={TOKEN}")
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']", timeout=60_000)
    collapse = page.locator(".jp-SideBar.jp-mod-left .lm-mod-current")
    if collapse.count():  # the file browser takes a quarter of a small screen
        collapse.first.click()


def run_all(page, url: str, expected: int, control: str = ".flipbook input") -> None:
    """Run all cells and wait until the kernel is idle and every slider stands, or whatever else has such a control."""
    page.locator(".jp-Notebook .jp-Cell").first.click()
    page.click(".lm-MenuBar-itemLabel:text-is('Run')")
    page.click(".lm-Menu-itemLabel:text-is('Run All Cells')")
    made = page.locator(f".jp-OutputArea {control}")
    for _ in range(480):
        if made.count() == expected and all(k["execution_state"] == "idle" for k in api(url, "kernels")):
            return
        page.wait_for_timeout(250)
    prompts = page.locator(".jp-Notebook .jp-InputPrompt").all_inner_texts()
    raise AssertionError(
        f"{page.url}: {made.count()} of {control} instead of {expected}, {page.locator('.jp-NotebookPanel').count()} notebooks open, "
        f"kernels {[k['execution_state'] for k in api(url, 'kernels')]}, cells {' '.join(filter(str.strip, prompts))}, "
        f"dialogs {page.locator('.jp-Dialog').all_inner_texts()}"
    )


def flipbooks(notebook: Path) -> list[sliders.Flipbook]:
    """The flipbooks a notebook makes, computed here by running its cells; what they display or print goes nowhere."""
    seen, make = [], sliders.flipbook
    space: dict = {}

    def record(*args, **kwargs):
        seen.append(make(*args, **kwargs))
        return seen[-1]

    sliders.flipbook = record
    try:
        for cell in nbformat.read(notebook, as_version=4).cells:
            if cell.cell_type == "code":
                with redirect_stdout(io.StringIO()):
                    exec(compile(ast.parse(cell.source), notebook.name, "exec"), space)
    finally:
        sliders.flipbook = make
    return seen
