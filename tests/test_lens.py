"""The lens: its words and its picture follow the state, its page needs no kernel, and bad input is told what it needs."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attention_chapter.lens import SIZE, computed, lens
from attention_core import central_difference_jacobian, softmax

KEYS = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
VALUES = np.array([[4.0, 1.0], [2.0, 3.0], [0.0, 1.0]])
GOOD = {"keys": KEYS, "values": VALUES, "names": ["<east>", "north", "west"], "angle": 30, "c": 2.0, "title": "t"}


def test_the_derivative_is_that_of_the_output_with_respect_to_the_query_with_a_null_slot_and_without():
    for t in (None, 0.7):
        p, o, D = computed(KEYS, VALUES, 30, 2.0, t)
        null = [] if t is None else [t]

        def output(q, null=null):
            return softmax(np.append(KEYS @ q, null))[:3] @ VALUES

        q = 2 * np.array([np.cos(np.pi / 6), 0.5])
        assert_allclose(p.sum(), 1)
        assert_allclose(o, output(q))
        assert_allclose(D, central_difference_jacobian(output, q), atol=1e-9)


def test_the_words_are_those_of_the_state():
    found = lens(**GOOD, null=0.5)
    p, o, D = computed(KEYS, VALUES, 30, 2.0, 0.5)
    assert found.words.startswith("direction 30 degrees, c = 2.0, null slot at 0.5: <east> ")
    assert f"null slot {p[3]:.4f}; output ({o[0]:.4f}, {o[1]:.4f}); leak {1 - p.max():.4f}" in found.words
    assert found.words.endswith(f"{SIZE * np.linalg.norm(D, 2):.4f}")
    assert found.words in found.text and found.words in found.caption and found.still.fingerprint in found.text
    assert lens(**{**GOOD, "c": 2.1}).text != lens(**GOOD).text


def test_the_page_is_small_and_names_cannot_end_its_script():
    page = lens(**GOOD).to_html()
    still = page[page.index("base64,") : page.index('" width')]
    assert len(page.encode()) - len(still) < 25_000
    assert "<east>" not in page and "http:" not in page.replace("http://www.w3.org/2000/svg", "") and "https:" not in page


@pytest.mark.parametrize(
    "bad, error, words",
    [
        ({"keys": KEYS[:, :1]}, ValueError, "keys has shape (3, 1)"),
        ({"keys": 2 * KEYS}, ValueError, "keys has shape (3, 2) and lengths other than one"),
        ({"values": VALUES[:2]}, ValueError, "values has shape (2, 2)"),
        ({"values": "abc"}, TypeError, "values has dtype"),
        ({"names": ["east"]}, ValueError, "names has 1 names"),
        ({"angle": 400}, ValueError, "angle has value 400"),
        ({"c": np.nan}, ValueError, "c has shape () and entries that are NaN"),
        ({"c": 13.0}, ValueError, "c has value 13.0"),
        ({"null": 9.0}, ValueError, "null has value 9.0"),
        ({"null": "x"}, TypeError, "null has dtype <U1"),
    ],
)
def test_bad_input_is_told_what_it_needs(bad, error, words):
    with pytest.raises(error) as raised:
        lens(**{**GOOD, **bad})
    assert words in str(raised.value) and "needs" in str(raised.value)
