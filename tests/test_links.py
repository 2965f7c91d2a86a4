"""The Markdown of all pages and notebooks: its links lead somewhere, and nothing in it loads or runs anything."""

import re

import nbformat
import pytest

from conftest import PATHS, ROOT

HIDDEN = re.compile(r"^ *(```+|~~~+).*?^ *\1[`~]*$", re.M | re.S)
SPAN = re.compile(r"(`+)(?!`)[^\n]*?(?<!`)\1(?!`)")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(<?([^\s()<>]*(?:\([^\s()]*\)[^\s()]*)*)>?(?:\s+\"[^\"]*\")?\)")
# What GitHub, JupyterLab and the site all show as it is meant, and none of which takes an attribute.
TAG = re.compile(r"</?(?:details|summary|sub|sup)>|<br>|<!--(?:(?!-->).)*-->", re.S)


def said(path):
    """What a page or a notebook says in Markdown, its code left out."""
    text = path.read_text("utf-8")
    if path.suffix == ".ipynb":
        text = "\n\n".join(cell.source for cell in nbformat.reads(text, as_version=4).cells if cell.cell_type == "markdown")
    return SPAN.sub("", HIDDEN.sub("", text))


PAGES = {
    path.relative_to(ROOT).as_posix(): path
    for path in [*sorted(ROOT.rglob("*.md")), *PATHS]
    if not any(part[0] in "._" for part in path.relative_to(ROOT).parts)
}
SAID = {name: said(path) for name, path in PAGES.items()}


def anchors(path):
    """What a link may name behind its #: the headings, as GitHub and as JupyterLab write them."""
    heads = [re.sub(r"\[([^]]*)\]\([^)]*\)|[*`]", r"\1", head).strip() for head in re.findall(r"^#+ (.+)$", said(path), re.M)]
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads} | {head.replace(" ", "-") for head in heads}


def dead(name, text):
    """The links of a page that lead nowhere, and the pictures that stand in for nothing."""
    found = []
    for picture, shown, target in LINK.findall(text):
        if target.startswith("https://") and not picture:
            continue
        file, _, anchor = target.partition("#")
        there = (PAGES[name].parent / file).resolve() if file else PAGES[name]
        if not re.fullmatch(r"[\w./-]*", file) or not there.exists() or ROOT not in [there, *there.parents]:
            found.append(f"{target}: no such file")
        elif anchor and anchor not in anchors(there):
            found.append(f"{target}: no such heading; there are {sorted(anchors(there))}")
        if picture and not shown.strip():
            found.append(f"{target}: a picture without alt text")
    return found


def raw(text):
    """The HTML in a text that could load or run something."""
    return re.findall(r"<[a-zA-Z/!?][^>\n]*>?", TAG.sub("", text)) + re.findall(r"(?i)(?:javascript|vbscript|data):[^\s)]*", text)


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_somewhere(name):
    found = dead(name, SAID[name])
    assert not found, f"{name}: {found}"
    loose = re.findall(r"\[[^\]\n]+\]\[[^\]\n]*\]|^\[[^\]\n]+\]: ", re.sub(r"\$[^$]*\$", "", SAID[name]), re.M)
    assert not loose, f"{name}: write links as [words](address), so that they can be followed here: {loose}"


@pytest.mark.parametrize("name", PAGES)
def test_no_html_loads_or_runs_anything(name):
    assert not raw(SAID[name]), (
        f"{name}: only details, summary, br, sub, sup and comments, without attributes, are plain on every page: {raw(SAID[name])}"
    )


@pytest.mark.parametrize("name", PAGES)
def test_a_place_in_the_literature_is_shown_as_it_is_linked(name):
    for _, shown, target in LINK.findall(SAID[name]):
        kind, colon, place = shown.partition(":")
        address = {"doi": "https://doi.org/", "arXiv": "https://arxiv.org/abs/"}.get(kind)
        if colon and address:
            linked = target.replace("%28", "(").replace("%29", ")")
            assert linked == address + place, f"{name}: the link shows {shown} and leads to {target}"
        elif re.match(r"https?://(dx\.)?(doi|arxiv)\.org", target, re.I):
            raise AssertionError(f"{name}: a link to {target} shows its place, [doi:...] or [arXiv:...], and not {shown!r}")


def test_dead_links_and_live_html_are_seen():
    for link in (
        "[a](no.md)",
        "![](docs/TRUST.md)",
        "![a](https://example.org/a.png)",
        "[a](http://example.org)",
        "[a](README.md#no-such)",
        "[a](../x)",
    ):
        assert dead("README.md", link), link
    assert dead("README.md", "[a](LICENSE) [b](https://example.org/x_(y)) ![c](docs/TRUST.md)") == []
    for html in (
        "<script>x</script>",
        "<img src=x>",
        "<details open>",
        "<a href='x'>",
        "<br onload=x>",
        "[a](javascript:x)",
        "<svg\n",
        "<!-- never closed",
    ):
        assert raw(html), html
    assert raw("<details><summary>A</summary> <br> x<sub>1</sub> <!-- b --> a < b</details>") == []
    assert SPAN.sub("", "`<a>` and ``<b> ` <c>`` <d>") == " and  <d>"
