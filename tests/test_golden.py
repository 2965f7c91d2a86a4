"""Golden texts: a case that differs is told alone, with what differs and how to write it anew."""

import pytest
from golden import Golden


@pytest.fixture
def golden(tmp_path):
    kept = Golden("x.txt", {"a": lambda: "one\ntwo", "b, c": lambda: "three\n\nfour"}, "test_x.py")
    kept.path = tmp_path / "x.txt"
    kept.renew()
    return kept


def test_what_is_written_down_is_read_again(golden):
    assert golden.path.read_bytes() == b"## a\none\ntwo\n\n## b, c\nthree\n\nfour\n"
    assert golden.written == {"a": "one\ntwo", "b, c": "three\n\nfour"}
    assert [golden.check(case) for case in golden.cases] == [None, None] and golden.strays() == ""


def test_a_change_shows_its_own_case_and_the_command(golden):
    golden.cases["a"] = lambda: "one\nzwei"
    golden.check("b, c")
    with pytest.raises(AssertionError) as told:
        golden.check("a")
    message = str(told.value).split("\nassert")[0]
    assert message == ("x.txt, 'a': if this is what you want, `python tests/test_x.py` writes it anew\n@@ -2 +2 @@\n-two\n+zwei")


def test_a_new_case_and_one_that_is_gone_are_told_by_name(golden):
    golden.cases["d"] = golden.cases.pop("a")
    with pytest.raises(AssertionError, match="x.txt has no block 'd'; `python tests/test_x.py` writes it anew"):
        golden.check("d")
    assert golden.strays() == "x.txt has blocks of no case: a; `python tests/test_x.py` writes it anew"


def test_two_blocks_of_one_name_are_refused(golden):
    golden.path.write_text("## a\none\n\n## a\ntwo\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="two blocks of x.txt have one name"):
        golden.strays()
