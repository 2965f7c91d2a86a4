"""Golden texts: what is told or drawn, written down in a file of blocks, one for each case.

A block is a line `## case`, its text, and an empty line. A test compares one case with its block, so that a change shows
that case alone; running the test file itself (`python tests/test_figures.py`) writes all blocks anew.
"""

from collections.abc import Callable, Mapping
from difflib import unified_diff
from functools import cached_property
from pathlib import Path


class Golden:
    """The texts of some cases, and the file beside the tests in which they stand."""

    def __init__(self, file: str, cases: Mapping[str, Callable[[], str]], test: str):
        self.path, self.cases, self.cure = Path(__file__).with_name(file), cases, f"`python tests/{test}` writes it anew"

    @cached_property
    def written(self) -> dict[str, str]:
        """The text of each block of the file."""
        blocks = ("\n" + self.path.read_text(encoding="utf-8")).split("\n## ")[1:]
        names = {block.partition("\n")[0] for block in blocks}
        assert len(names) == len(blocks), f"two blocks of {self.path.name} have one name"
        return {name: text.rstrip("\n") for name, _, text in (block.partition("\n") for block in blocks)}

    def check(self, case: str) -> None:
        """Fail with the lines that differ where a case does not read as it is written down."""
        now, then = self.cases[case](), self.written.get(case)
        assert then is not None, f"{self.path.name} has no block {case!r}; {self.cure}"
        differs = "\n".join(list(unified_diff(then.split("\n"), now.split("\n"), "written down", "now", lineterm="", n=0))[2:])
        assert now == then, f"{self.path.name}, {case!r}: if this is what you want, {self.cure}\n{differs}"

    def strays(self) -> str:
        """A sentence on the blocks that belong to no case, or nothing."""
        left = [name for name in self.written if name not in self.cases]
        return f"{self.path.name} has blocks of no case: {', '.join(left)}; {self.cure}" if left else ""

    def renew(self) -> None:
        """Write all blocks anew."""
        text = "\n".join(f"## {name}\n{told()}\n" for name, told in self.cases.items())
        self.path.write_text(text, encoding="utf-8", newline="\n")
