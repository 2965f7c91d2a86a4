"""What the sentences of the book state: numbers, shapes, counts and directions, each held to where it comes from.

tools/sentences.py reads numbers and says what gives them; tools/shapes.py holds stated shapes to arrays. A sentence whose number
comes from elsewhere stands in LISTED, with what gives it: an expression, which is computed, or a reason.
"""

import io
import json
import math
import re
from contextlib import redirect_stdout
from functools import cache

import nbformat
import pytest
import yaml
from PIL import Image, ImageSequence

import kg
from attention_chapter import exercises, run
from conftest import BOOKS, MAIN, NUMBERS, PATHS, ROOT
from tools import minutes, sentences
from tools.sentences import DIRECTION, announced, exchanged, numbers, outputs, typed_titles
from tools.shapes import Stated

# Notebook -> words that stand in one sentence, with its number -> (an expression that gives the first number, why),
# or only why. An entry that nothing needs any more fails: take it out.
LISTED = {
    "00": {"column 11 of": ('ENTITIES.index("p2")', "rows and columns are in alphabetical order")},
    "01": {"one part in a thousand": "a threshold that the question sets"},
    "03": {
        "The other ten": ("len(ENTITIES) - 3", "three are named before"),
        "the other eleven": ("len(ENTITIES) - 2", "two are compared"),
        "0.3650 long, against 0.4292": "the second is that of *p2*, which is printed first",
    },
    "04": {"a hundred such draws": "a round number in a question"},
    "05": {
        "10^{-2}": ("1e-2", "a step on the axis of the figure"),
        "10^{-5}": ("1e-5", "the step h of the code above"),
        "10^{-12}": ("1e-12", "the last step on the axis"),
        "10^{-6}": ("1e-6", "the gate printed with the check"),
        "10^{-15}": ("1e-15", "an example of a gate that no step can meet"),
    },
    "05a": {"10^{-8}": ("1e-8", "Adam's usual epsilon")},
    "06": {"as it does for four slots": "the slots of the first dictionary"},
    "07": {"nine pairs of ten": "one minus the printed share, rounded"},
    "07a": {
        "1/3 each": ('1 / len([s for s, r, o in TRIPLES if s == "bob"])', "bob's facts share the row evenly"),
        "other four relations": ("len(RELATIONS) - 1", "all but the one named"),
    },
    "08": {"64 bits": "the width of an integer of NumPy"},
    "08a": {"For 100,000 elements the weights would fill 40": ("10**5", "squared, at four bytes")},
    "09": {r"$P$ $(4 \times 4)$": "a permutation in general, of the four tokens"},
}
# Notebook -> title of a figure that states a direction and is typed all the same -> why.
TYPED = {
    "03": {
        "The scale leaves the order and softens the shares": "so it does for any scores: they are divided by one number above 1"
    },
    "04": {"Unscaled, most draws saturate; scaled, none does": "the shares are printed above"},
}
# Page -> words with a number -> (an expression that gives the number, why), or only why. Minutes in tables add up: test_teaching.py.
PAGES = {
    "README.md": {
        "all four values": ("len(values)", "the lines of code on the page, run"),
        "in slot 2": ("int(weights.argmax())", "the lines of code on the page, run"),
        "one class of ninety minutes": ("plan('A')", "the heading of the plan"),
        "three of fifty": ("plan('B')", "the heading of the plan"),
        "(2026)": ("int(CITATION['date-released'][:4])", "the year of the release"),
    },
    "teaching/README.md": {
        "Three plans": ("len(re.findall('## Plan', PLAN))", "those of the page"),
        "with two sliders": ("PLAN.split('## Plan')[1].count('slider') - 1", "the rows of plan A that name one"),
        "one class of 90 minutes": ("plan('A')", "test_teaching.py adds them up"),
        "classes of 50 minutes": ("plan('B')", "test_teaching.py adds them up"),
        "three classes": ("len(set(re.findall(r'(?m)^\\| ([0-9]) \\|', PLAN)))", "those of plan B"),
        "the four slots": ("len(draw().values)", "the dictionary of 00"),
        "the five lines": "three projections, scores, their softmax with the blend: as 02 lists them",
        "the four counts": ("2 * 2", "two losses, with and without the scale"),
        "five heads, five relations": ("len(RELATIONS)", "a head for each"),
        "after class 2": "the number of a class",
        "after class 3": "the number of a class",
    },
    "docs/DESIGN.md": {
        "the academic world: thirteen entities": ("len(ENTITIES)", "kg.py"),
        "A minute of reading is 150 words": ("MINUTE", "tools/minutes.py"),
        "25 minutes, 1,600 words, 25 code cells": "the bounds of test_minutes.py",
        "eight digits over all": ("len(DIGITS)", "the mark of a picture"),
        "eight digits that change": ("len(DIGITS)", "the mark of a picture"),
        "in about four seconds": ("round(SECONDS)", "the frames of docs/c-slider.gif"),
        '"30 of 40"': "an example, of this file's own tests",
        "at a third of the size": "measured once",
        "Jupyter Book 2": "the name of a program",
    },
    "CONTRIBUTING.md": {
        "25 minutes are the most": "the bound of test_minutes.py",
        "starts thirty kernels": ("CLASS['students']", "docs/class.json"),
        "step 4 is all": "the steps of the list above",
        "at most 60 characters": "a rule, not a count",
    },
}
VALUES = {**vars(math), **vars(kg), **vars(run), "len": len, "round": round}


@cache
def said(name):
    """(cell, sentence, number, what is wrong) for all in a notebook that nothing gives, listed or not."""
    return list(strange(BOOKS[name].cells))


def strange(cells):
    texts = [text for cell in cells if cell.cell_type == "code" for text in outputs(cell)]
    shown = set(re.findall(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?", "\n".join(texts)))
    for k, cell in enumerate(cells):
        if cell.cell_type != "markdown":
            continue
        for sentence, number, why in sentences.strangers(cells, k):
            yield cell.id, sentence, number, why
        for sentence in sentences.sentences(cell.source):
            for number in numbers(sentence):
                if number.kind in ("decimal", "power") and number.text not in shown:
                    yield cell.id, sentence, number.text, "no cell of the notebook prints this number"
            for first, second in exchanged(sentence, texts):
                yield cell.id, sentence, f"{first} ... {second}", "the cells print these two the other way round"
        if wrong := announced(cell.source):
            yield cell.id, cell.source, wrong, "the list has another number of points"
    for cell, text, why in Stated(cells).faults:
        yield cell, text, text, why


def entry(entries, sentence, what):
    """The entry of a list that covers these words of a sentence."""
    flat, ends = " ".join(sentence.split()), what.split(" ... ")
    return next((words for words in entries if words in flat and all(end in words for end in ends)), None)


def test_every_number_and_shape_in_the_text_has_its_source(path):
    entries = LISTED.get(NUMBERS[path.name], {})
    wrong = [
        f"{path.name}, cell {cell}: {what!r} in {' '.join(sentence.split())[:300]!r}: {why}. Correct it, or print it in a cell "
        f"beside the sentence, or list its words in LISTED[{NUMBERS[path.name]!r}] of tests/test_prose.py with what gives them."
        for cell, sentence, what, why in said(path.name)
        if not entry(entries, sentence, what)
    ]
    assert not wrong, "\n\n".join(wrong)


def test_every_listed_number_is_needed(path):
    entries = LISTED.get(NUMBERS[path.name], {})
    needed = {entry(entries, sentence, what) for _, sentence, what, _ in said(path.name)}
    stale = sorted(set(entries) - needed)
    assert not stale, f"{path.name}: LISTED in tests/test_prose.py has what no sentence needs any more; take out {stale}"


def test_every_listed_notebook_is_there():
    assert set(LISTED) | set(TYPED) <= set(NUMBERS.values())


@pytest.mark.parametrize("number", LISTED)
def test_a_listed_number_is_what_its_expression_gives(number):
    for words, source in LISTED[number].items():
        expression, reason = source if isinstance(source, tuple) else (None, source)
        assert len(reason.split()) >= 3, f"{number}, {words!r}: give the reason in a few words"
        if expression:
            value = eval(expression, VALUES)
            stated = [number.value for number in numbers(words)]
            assert any(math.isclose(value, one) for one in stated), f"{number}, {words!r}: {expression} is {value}"


def test_a_title_that_states_a_direction_is_computed(path, code):
    entries = TYPED.get(NUMBERS[path.name], {})
    typed = [(cell.id, text) for cell in code for text in typed_titles(cell.source)]
    wrong = [
        f"{path.name}, cell {cell}: the title {text!r} states a direction ({DIRECTION.search(text)[0]}) and is typed. Compute it: an "
        f'f-string with the word or the number from the data, say f"... {{run.trend(leak)}}"; or list it in TYPED of tests/test_prose.py.'
        for cell, text in typed
        if text not in entries
    ]
    assert not wrong, "\n\n".join(wrong)
    assert set(entries) <= {text for _, text in typed}, f"{path.name}: TYPED lists titles that are gone"


# Exercises and pages ----------------------------------------------------------------------------------------------------


def test_the_header_of_the_exercises_counts_them(path, prose):
    ours = [exercise for exercise in exercises.EXERCISES if exercise.notebook == NUMBERS[path.name]]
    for opening in [text for text in prose if text.startswith("## Exercises") and ours]:
        header = opening.split("\n\n")[1].split(". ")[0]
        assert_counted(path.name, header, ours)


def assert_counted(name, header, ours):
    """ "One question and three functions to write, about 20 minutes": as many as there are."""
    said = {"question": 0, "function": 0}
    for many, noun in re.findall(r"(\w+) (question|function|to mend)", header):
        said["function" if noun == "to mend" else noun] += sentences.WORDS.get(many.lower(), 0)
    has = {"question": sum(e.check is None for e in ours), "function": sum(e.check is not None for e in ours)}
    assert said == has, f"{name}: its exercises are {has}, and the header says {header!r}"


@cache
def facts():
    """What the expressions of PAGES may name."""
    read = {
        name: (ROOT / name).read_text("utf-8") for name in ("teaching/README.md", "README.md", "CITATION.cff", "docs/class.json")
    }
    space = {}
    with redirect_stdout(io.StringIO()):
        exec(re.search(r"```python\n(.*?)```", read["README.md"], re.DOTALL)[1], space)
    with Image.open(ROOT / "docs" / "c-slider.gif") as cover:
        seconds = sum(frame.info["duration"] for frame in ImageSequence.Iterator(cover)) / 1000
    plan = read["teaching/README.md"]
    return {
        **VALUES,
        **space,
        "MAIN": MAIN,
        "MINUTE": minutes.WORDS,
        "PATHS": PATHS,
        "PLAN": plan,
        "plan": lambda letter: int(re.search(rf"## Plan {letter}: .* of (\d+) minutes", plan)[1]),
        "CITATION": yaml.safe_load(read["CITATION.cff"]),
        "CLASS": json.loads(read["docs/class.json"]),
        "SECONDS": seconds,
        "DIGITS": re.search(r"\[([0-9a-f]+)\]", "".join(str(c.outputs) for c in BOOKS[PATHS[0].name].cells if "outputs" in c))[1],
        "re": re,
        "int": int,
        "set": set,
    }


def on_page(page):
    """The numbers in the sentences of a page, but those of a measurement that a script writes, and the small words."""
    text = re.sub(r"<!-- (\w+) -->.*?<!-- /\1 -->", " ", (ROOT / page).read_text("utf-8"), flags=re.DOTALL)
    text = re.sub(r"(?m)^\| \d+ \|( \d+ \|)?", "\n\n", text)
    for sentence in sentences.sentences(text):
        for number in numbers(sentence):
            if (
                number.kind not in ("decimal", "power")
                and number.value > (3 if number.kind == "word" else 1)
                or number.kind == "part"
            ):
                yield sentence, number.text


@pytest.mark.parametrize("page", PAGES)
def test_every_number_of_a_page_has_its_source(page):
    wrong = [
        f"{page}: {number!r} in {sentence.strip()!r}: nothing gives this number. List its words in PAGES of tests/test_prose.py."
        for sentence, number in on_page(page)
        if not entry(PAGES[page], sentence, number)
    ]
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.parametrize(("page", "words"), [(page, words) for page, found in PAGES.items() for words in found])
def test_a_number_of_a_page_is_what_gives_it(page, words):
    flat = " ".join((ROOT / page).read_text("utf-8").split())
    assert words in flat, f"{page} no longer says {words!r}: take it out of PAGES in tests/test_prose.py"
    source = PAGES[page][words]
    if isinstance(source, tuple):
        value = eval(source[0], facts())
        assert value in [number.value for number in numbers(words)], f"{page} says {words!r}; {source[0]} is {value}"


# What the audit notices: planted sentences in a small notebook ------------------------------------------------------------

CODE = """X = np.ones((13, 8))      # (13, 8)
W = np.ones((8, 4))       # (8, 4)
Q = X @ W                 # (13, 4)
for width in (64, 256):
    print(width)"""
PRINTED = """13 entities, 40 runs
30 of 40 runs arrive, 17 of them early
top three: p2 0.2286, bob 0.1397, mit 0.1089
share 0.2500 at 1,000 steps"""


def small(text, code=CODE, printed=PRINTED):
    """What is strange in a notebook of one cell of code and a text behind it."""
    imports = nbformat.v4.new_code_cell("import numpy as np", id="a")
    cell = nbformat.v4.new_code_cell(code, id="b", outputs=[nbformat.v4.new_output("stream", text=printed)])
    return [what for _, _, what, _ in strange([imports, cell, nbformat.v4.new_markdown_cell(text, id="c")])]


TRUE = [
    "The thirteen entities, and all 21 facts, have 5 relations.",
    "30 of 40 runs arrive; thirty of the forty, that is.",
    "Of 40 runs 17 are early, after a thousand steps (1,000).",
    "*p2* has 0.2286, *bob* 0.1397 and *mit* 0.1089.",
    "A quarter, 1/4 or 25 %, has the width 256.",
    "An even share is 1/13 of the whole, and two of the curves meet.",
    "$X$ is $13 \\times 8$, and `Q` is (13, 4).",
    "$Q$ $(13 \\times 4)$ comes from $W$ $(8 \\times 4)$.",
    "| $W_q$ | $d \\times d_k$ | projection |",
    "See [05](05_softmax_jacobian.ipynb), notebook 06 and Exercise 12; `h = 0.5`; [vaswani2017], section 3.2.1.",
    "Two things count:\n\n* the width\n* the height\n",
    "**Predict.** How many of them: 5, 50 or 500?",
]
FALSE = [
    ("All fourteen entities answer.", "fourteen"),
    ("All 12 entities answer.", "12"),
    ("The six relations", "six"),
    ("Seven students read.", "Seven"),
    ("31 of 40 runs arrive.", "31 of 40"),
    ("30 of 41 runs arrive.", "30 of 41"),
    ("40 of 30 runs arrive.", "40 of 30"),
    ("Thirty-one of forty runs arrive.", "Thirty-one of forty"),
    ("17 out of 30 are early.", "17 out of 30"),
    ("nine in ten runs", "nine in ten"),
    ("It takes 2,000 steps.", "2,000"),
    ("It takes two thousand steps.", "two thousand"),
    ("A width of 265 is enough.", "265"),
    ("*p2* has 0.2268.", "0.2268"),
    ("*p2* has 0.1397 and *bob* 0.2286.", "0.1397 ... 0.2286"),
    ("*bob* has 0.1089, *mit* 0.1397.", "0.1089 ... 0.1397"),
    ("A share of 1/3.", "1/3"),
    ("About a third of the runs.", "a third"),
    ("Two thirds of the runs.", "Two thirds"),
    ("One share in $1/14$ parts.", "1/14"),
    ("$1/12$ is the even share.", "1/12"),
    ("Some 35 % arrive.", "35 %"),
    ("$\\frac{1}{3}$ of them", "1/3"),
    ("$X$ is $8 \\times 13$.", "$X$ is $8 \\times 13$"),
    ("$Q$ $(4 \\times 13)$", "$Q$ $(4 \\times 13)$"),
    ("`Q` is (13, 8)", "`Q` is (13, 8)"),
    ("| $W_q$ | $d_k \\times d$ | projection |", "$W_q$ | $d_k \\times d$ |"),
    ("$K$ is $n \\times d_v$", "$K$ is $n \\times d_v$"),
    ("Four things count:\n\n* the width\n* the height\n* the depth\n", "'Four things count:' stands before 3 points"),
    ("### Four ways to fail\n\n* a\n* b\n* c\n", "'### Four ways' stands before 3 points"),
    ("<details><summary>Answer</summary>\n\nAll 12 entities.\n\n</details>", "12"),
    ("> **Checked.** The source has 14 entities.", "14"),
    ("<details><summary>For the teacher</summary>\n\nThe fifteen entities.\n\n</details>", "fifteen"),
]


@pytest.mark.parametrize("text", TRUE)
def test_a_true_sentence_is_let_through(text):
    assert small(text) == []


@pytest.mark.parametrize(("text", "number"), FALSE, ids=[text for text, _ in FALSE])
def test_a_false_sentence_is_noticed(text, number):
    assert any(number in what or what in number for what in small(text))


@pytest.mark.parametrize(
    "line",
    [
        "X = np.ones((13, 8))      # (8, 13)",
        "Q = X @ W    # (13, 8)",
        "a, b = X, W   # (13, 8), (4, 8)",
        "a, b = X, X    # (8, 13) each",
    ],
)
def test_a_wrong_shape_in_a_comment_is_noticed(line):
    assert small("Text.", CODE + "\n" + line)


def test_a_wrong_shape_inside_a_function_that_is_called_is_noticed():
    code = "def f(n):\n    return np.ones((n, 3))    # (n, {})\n\ny = f(4)"
    assert small("Text.", code.format(3)) == []
    assert small("Text.", code.format("n")) == ["# (n, n)"]


@pytest.mark.parametrize(
    ("call", "typed"),
    [
        ('bars(p, title="The leak falls")', True),
        ('bars(p, title="The highest bar is " "that of p2")', True),
        ('title = "Most of them rise"', True),
        ('bars(p, title=f"The leak {trend(leak)}")', False),
        ('bars(p, title="falls" if leak[0] > leak[-1] else "does not fall")', False),
        ('bars(p, title="Shares of four slots")', False),
    ],
)
def test_a_typed_direction_is_noticed(call, typed):
    assert bool(typed_titles(call)) == typed


@pytest.mark.parametrize(
    "header", ["Two questions and three functions to write", "One question and four functions to write", "Four functions to write"]
)
def test_a_wrong_count_in_the_header_of_the_exercises_is_noticed(header):
    ours = [exercise for exercise in exercises.EXERCISES if exercise.notebook == "01"]
    with pytest.raises(AssertionError, match="header says"):
        assert_counted("01", header, ours)
