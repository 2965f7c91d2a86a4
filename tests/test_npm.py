"""What comes from npm is one version with one sum, and nothing else is unpacked."""

import base64
import hashlib
import re
import sys
from pathlib import Path

import pytest

from conftest import ROOT

sys.path.insert(0, str(ROOT / "website"))
import npm  # noqa: E402


def test_every_package_has_one_version_and_a_whole_sum():
    assert set(npm.PINS) == {"axe-core", "katex"}
    for pin in npm.PINS.values():
        assert re.fullmatch(r"\d+\.\d+\.\d+", pin["version"])
        method, _, digest = pin["integrity"].partition("-")
        assert method == "sha512" and len(base64.b64decode(digest, validate=True)) == 64


def test_other_bytes_than_the_pinned_ones_are_refused():
    right = "sha512-" + base64.b64encode(hashlib.sha512(b"right").digest()).decode()
    npm.check(b"right", right)
    with pytest.raises(ValueError, match="npm.json says sha512-"):
        npm.check(b"wrong", right)


def test_a_package_with_other_bytes_leaves_nothing_behind(tmp_path, monkeypatch):
    def pack(command, cwd, **_):
        assert command[:2] == ["npm", "pack"] and command[-1] == "katex@" + npm.PINS["katex"]["version"]
        Path(cwd, "katex.tgz").write_bytes(b"not what was pinned")

    monkeypatch.setattr(npm, "KEPT", tmp_path / "npm")
    monkeypatch.setattr(npm.subprocess, "run", pack)
    with pytest.raises(ValueError, match="integrity"):
        npm.package("katex")
    assert list((tmp_path / "npm").iterdir()) == []
