"""What the site needs from npm: each package in one version, checked against the sum in npm.json before it is unpacked.

    python website/npm.py        # fetch what is lacking

The packages have no dependencies of their own, so neither a node_modules folder nor npm's own lock is needed. They are
kept inside the .venv, and go with it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PINS = json.loads((Path(__file__).parent / "npm.json").read_text("utf-8"))
KEPT = Path(sys.prefix) / "npm"


def check(data: bytes, integrity: str) -> None:
    """Raise ValueError unless the bytes have this sum, written as npm writes it: sha512-BASE64."""
    found = "sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode()
    if found != integrity:
        raise ValueError(f"the package has integrity {found}; npm.json says {integrity}")


def package(name: str) -> Path:
    """The folder of an unpacked package, fetched with `npm pack` the first time."""
    version, integrity = PINS[name]["version"], PINS[name]["integrity"]
    folder = KEPT / f"{name}-{version}"
    if not folder.exists():
        KEPT.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=KEPT) as fresh:  # beside its place, so that the last step is a rename
            subprocess.run(["npm", "pack", "--silent", f"{name}@{version}"], cwd=fresh, check=True, stdout=subprocess.DEVNULL)
            (tarball,) = Path(fresh).glob("*.tgz")
            check(tarball.read_bytes(), integrity)
            with tarfile.open(tarball) as archive:
                archive.extractall(fresh, filter="data")
            os.replace(Path(fresh) / "package", folder)
    return folder


if __name__ == "__main__":
    for each in PINS:
        package(each)
