"""A Sphinx extension: formulas are set by KaTeX while the site is built, so that a page needs neither script nor network.

A formula that KaTeX cannot set stops the build; nothing is left to the reader's browser.
"""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path

import npm
from docutils.nodes import SkipNode
from sphinx.errors import SphinxError


@cache
def setter() -> subprocess.Popen:
    """One Node process for all formulas of a build."""
    command = ["node", str(Path(__file__).parent / "katex.js"), str(npm.package("katex"))]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")


def stop(*_) -> None:
    """End that process, if there is one."""
    if setter.cache_info().currsize:
        setter().communicate()
        setter.cache_clear()


@cache
def rendered(tex: str, display: bool) -> str:
    """The HTML of a formula: MathML for a screen reader, and boxes for the eye."""
    node = setter()
    node.stdin.write(json.dumps({"tex": tex, "display": display}) + "\n")
    node.stdin.flush()
    answer = json.loads(node.stdout.readline() or '{"error": "node ended"}')
    if "error" in answer:
        raise SphinxError(f"the formula {tex!r} cannot be set: {answer['error']}")
    return answer["html"]


def inline(translator, node) -> None:
    translator.body.append(f'<span class="math">{rendered(node.astext(), False)}</span>')
    raise SkipNode


def display(translator, node) -> None:
    translator.body.append(f'<div class="math">{rendered(node.astext(), True)}</div>\n')
    raise SkipNode


def setup(app):
    app.add_html_math_renderer("katex", inline_renderers=(inline, None), block_renderers=(display, None))
    app.add_css_file("katex/katex.min.css")
    app.connect("build-finished", stop)
    return {"version": npm.PINS["katex"]["version"], "parallel_read_safe": True, "parallel_write_safe": False}
