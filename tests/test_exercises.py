"""The exercises: each stub says "not written yet", each solution "correct", each mistake gets the hint that names it.

Stubs and solutions are read from the notebooks; what a student might write instead stands here.
"""

import contextlib
import copy
import doctest
import io
import itertools
import json
import re
import sys
import tracemalloc
import warnings
import zlib
from functools import cache, partial
from importlib import import_module
from inspect import signature
from pathlib import Path

import numpy as np
import pytest
from answers import RIGHT, WRONG, log_soft, soft
from golden import Golden
from pasting import Pasted

from attention_chapter import exercises
from attention_chapter.exercises import BY_NAME, EXERCISES, LEVELS, check, machinery, table, verdict
from attention_chapter.exercises.machinery import NotYet, fits, numbers, untouched
from conftest import PATHS

# --- the cells of the notebooks --------------------------------------------------------------------------------------


def numbered(path):
    return path.stem.partition("_")[0]


@cache
def cells(number):
    """The cells of one notebook, as (type, source, tags)."""
    (path,) = (p for p in PATHS if numbered(p) == number)
    return [
        (cell["cell_type"], "".join(cell["source"]), cell["metadata"].get("tags", []))
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
    ]


def stubs(number):
    """{name: (task, stub, solution)} of a notebook's code exercises: the cells around each `check`."""
    all_ = cells(number)
    return {
        re.search(r'^check\("([^"]+)", ', source, re.M).group(1): (all_[k - 1], (kind, source, tags), all_[k + 1])
        for k, (kind, source, tags) in enumerate(all_)
        if kind == "code" and 'check("' in source
    }


def headings(number):
    """(title, level, minutes) of the exercises of a notebook, in order."""
    text = "\n\n".join(source for kind, source, _ in cells(number) if kind == "markdown")
    return [
        (title, level, int(minutes))
        for title, level, minutes in re.findall(r"^### Exercise \d+ · (.+)\n\n\*([a-z ]+), (\d+) minutes\.\*", text, re.M)
    ]


@cache
def names_of(number):
    """What the import cell of a notebook defines."""
    space = {}
    exec(next(source for kind, source, _ in cells(number) if kind == "code"), space)
    return space


def defined(number, source):
    """The names a piece of code adds to the imports of its notebook, and what it printed."""
    space = dict(names_of(number))
    before, out = set(space), io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(source, space)
    return {name: value for name, value in space.items() if name not in before}, out.getvalue()


def solution(name):
    """The function in the fenced block of an exercise's solution."""
    number = BY_NAME[name].notebook
    source = re.search(r"^```python\n(.*?)^```", stubs(number)[name][2][1], re.M | re.S).group(1)
    ((_, function),) = defined(number, source)[0].items()
    return function


def needs(exercise):
    """What an exercise still lacks, in words."""
    name, number, found = exercise.name, exercise.notebook, []
    if (exercise.title, exercise.level, exercise.minutes) not in headings(number):
        found.append(
            f"in notebook {number} the heading '### Exercise K · {exercise.title}' and below it "
            f"'*{exercise.level}, {exercise.minutes} minutes.*'"
        )
    if exercise.check and name not in stubs(number):
        found.append(f'in notebook {number} a stub that ends with check("{name}", ...)')
    if exercise.check and len(RIGHT.get(name, ())) < 2:
        found.append("two right answers in RIGHT of tests/answers.py")
    if exercise.check and len(WRONG.get(name, ())) < 12:
        found.append("twelve wrong answers in WRONG of tests/answers.py")
    return found


FILES = sorted(Path(exercises.__file__).parent.glob("nb*.py"))
NUMBERS = [path.stem.removeprefix("nb") for path in FILES]
WRITTEN = Golden("verdicts.txt", {name: partial(lambda name: written(name), name) for name in BY_NAME}, "test_exercises.py")
WHOLE = [exercise for exercise in EXERCISES if exercise.name in WRITTEN.written and not needs(exercise)]  # tried by the others
CHECKED = [exercise.name for exercise in WHOLE if exercise.check]


def test_every_exercise_has_all_that_it_needs():
    lacking = {e.name: needs(e) or [WRITTEN.cure] for e in EXERCISES if e not in WHOLE}
    assert not lacking, "; ".join(f"the exercise {name!r} needs: {', and '.join(needed)}" for name, needed in lacking.items())
    assert CHECKED and len({exercise.title for exercise in EXERCISES}) == len(BY_NAME) == len(EXERCISES)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_notebook_states_its_exercises_in_the_order_of_the_module(number):
    ours = [exercise for exercise in WHOLE if exercise.notebook == number]
    assert [title for title, *_ in headings(number) if title in {e.title for e in ours}] == [e.title for e in ours]
    assert [name for name in stubs(number) if name in CHECKED] == [e.name for e in ours if e.check]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_section_has_three_to_five_graded_exercises_an_excursion_two_and_says_how_long_they_take(number):
    ours = [exercise for exercise in WHOLE if exercise.notebook == number]
    grades = [LEVELS.index(exercise.level) for exercise in ours]
    least = 3 if number.isdigit() else 2
    assert least <= len(ours) <= 5 and sum(exercise.check is not None for exercise in ours) >= 2
    assert grades == sorted(grades) and (set(grades) >= {0, 1, 2} or not number.isdigit())
    (opening,) = (source for kind, source, _ in cells(number) if kind == "markdown" and source.startswith("## Exercises"))
    assert f"about {sum(exercise.minutes for exercise in ours)} minutes" in opening


def test_every_exercise_of_a_notebook_is_in_the_list():
    stated = [(numbered(path), title) for path in PATHS for title, *_ in headings(numbered(path))]
    assert set(stated) <= {(e.notebook, e.title) for e in EXERCISES} and len(stated) == len(set(stated))
    asked = [(numbered(path), name) for path in PATHS for name in stubs(numbered(path))]
    assert set(asked) <= {(e.notebook, e.name) for e in EXERCISES if e.check} and len(asked) == len(set(asked))


@pytest.mark.parametrize("number", NUMBERS)
def test_every_answer_is_folded_in_a_cell_of_its_own_below_the_task(number):
    all_ = cells(number)
    tasks = [k for k, (_, source, _) in enumerate(all_) if source.startswith("### Exercise")]
    answers = [k for k, (_, _, tags) in enumerate(all_) if "solution" in tags]
    assert answers == [k + 1 + (all_[k + 1][0] == "code") for k in tasks]
    for k in answers:
        kind, source, _ = all_[k]
        assert kind == "markdown"
        assert re.fullmatch(r"<details><summary>(Solution|Answer)</summary>\n\n.+\n\n</details>", source, re.S), source


@pytest.mark.parametrize("name", CHECKED)
def test_a_stub_says_not_written_yet(name):
    number = BY_NAME[name].notebook
    _, (_, source, _), _ = stubs(number)[name]
    added, printed = defined(number, source)
    assert printed == f"{name}: not written yet\n"
    assert len(source.splitlines()) <= 6
    ((function, _),) = added.items()
    assert source.endswith(f'\n\ncheck("{name}", {function})')
    others = "\n".join(text for kind, text, _ in cells(number) if kind == "code" and text != source)
    assert not re.search(rf"\b{function}\b", others), f"{function} means something else in this notebook"
    assert f"def {function}" in stubs(number)[name][2][1]


@pytest.mark.parametrize("name", CHECKED)
def test_a_solution_is_correct(name):
    assert verdict(name, solution(name)) == f"{name}: correct"


# --- what a student might paste --------------------------------------------------------------------------------------


@cache
def pasted(number):
    """What can be pasted from the code cells of a notebook, apart from the stubs of its exercises."""
    (path,) = (p for p in PATHS if numbered(p) == number)
    book = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = [(cell["id"], "".join(cell["source"])) for cell in book if cell["cell_type"] == "code"]
    return Pasted([(name, source) for name, source in code if 'check("' not in source])


def likewise(got, want):
    """Whether two results are the same, part by part."""
    if isinstance(want, (list, tuple)):
        return len(got) == len(want) and all(map(likewise, got, want))
    return got == want if isinstance(want, str) else np.shape(got) == np.shape(want) and np.allclose(got, want)


@pytest.mark.parametrize("name", CHECKED)
@pytest.mark.filterwarnings("ignore")
def test_no_exercise_is_solved_by_pasting_from_its_notebook(name):
    right, asked = solution(name), []
    verdict(name, lambda *args: asked.append(args) or right(*args))
    # tried on one call of the check, that with the smallest numbers, and by the whole check only where it is right there
    case = min(asked, key=lambda args: max((abs(a) for a in args if isinstance(a, (int, float))), default=0))
    want, found = right(*case), []
    for words, attempt, order in pasted(BY_NAME[name].notebook).attempts(list(signature(right).parameters)):
        answer = lambda *args: attempt(*(args[k] for k in order))  # noqa: E731
        with contextlib.suppress(Exception), np.errstate(all="ignore"):
            if likewise(answer(*copy.deepcopy(case)), want) and verdict(name, answer) == f"{name}: correct":
                found.append(words)
    assert not found, f"the exercise {name!r} is solved by pasting {found[0]}\nAsk for something that its notebook does not do."


def test_what_is_pasted_is_found_wherever_it_stands():
    book = Pasted(
        [
            ("imports", "import numpy as np"),
            ("a function", "def half(x):\n    return x / 2"),
            ("a line in a loop", "for c in (1, 2):\n    w = c * keys[2]\n    print(f'{half(w).sum():.3f}')"),
            ("a number in a call", "figures.bars({'low': np.tri(13, dtype=bool)}, title='low')"),
        ]
    )
    for name, arguments, case, want in (
        ("the function half", ["z"], (4.0,), 2.0),
        ("a line in a loop", ["z", "s"], (np.array([1.0, 5.0]), 3.0), 9.0),
        ("a number in a call", ["n"], (3,), np.tri(3)),
    ):
        hits = []
        for words, attempt, order in book.attempts(arguments):
            with contextlib.suppress(Exception):
                hits += [words] * likewise(attempt(*(case[k] for k in order)), want)
        assert hits and name in hits[0], (name, hits)


# --- what students write ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CHECKED)
def test_other_ways_to_write_it_are_correct(name):
    assert [verdict(name, attempt) for attempt in RIGHT[name]] == [f"{name}: correct"] * len(RIGHT[name])


@pytest.mark.parametrize("name", CHECKED)
def test_a_right_result_may_be_an_array_or_lists_or_tuples(name):
    def listed(result):
        return [listed(x) for x in result] if isinstance(result, (list, tuple)) else np.asarray(result).tolist()

    def nested(result):
        return tuple(map(nested, result)) if isinstance(result, (list, tuple)) else result

    right = solution(name)
    assert verdict(name, lambda *args: listed(right(*args))) == f"{name}: correct"
    assert verdict(name, lambda *args: nested(listed(right(*args)))) == f"{name}: correct"


@pytest.mark.parametrize("name", CHECKED)
def test_each_mistake_gets_the_hint_that_names_it(name):
    for k, (attempt, hint) in enumerate(WRONG[name]):
        line = verdict(name, attempt)
        assert line.startswith(f"{name}: not yet: {hint}"), (k, line)


@pytest.mark.parametrize("name", CHECKED)
def test_no_hint_is_there_for_a_mistake_that_nobody_makes_here(name):
    """Every hint that a check holds ready is one that a wrong attempt above gets, word for word."""
    with np.errstate(all="ignore"):
        ready = {hint for ok, hint in BY_NAME[name].check(solution(name))}
    general = {hint for hint in ready if hint.startswith(("shape: it returns", "finite: ", "zero: ", "constant: ", "close: "))}
    given = {verdict(name, attempt).removeprefix(f"{name}: not yet: ") for attempt, _ in WRONG[name]}
    # a number in a hint is that of the case in which it was given
    bare = [{re.sub(r"\d+", "#", hint) for hint in hints} for hints in (ready - general, given)]
    assert bare[0] - bare[1] == set()


@pytest.mark.parametrize("name", CHECKED)
def test_no_hint_states_a_formula(name):
    """A hint names the mechanism, and not the solution: nothing that reads like code or like an equation."""
    with np.errstate(all="ignore"):
        hints = {hint for _, hint in BY_NAME[name].check(solution(name))}
    hints |= {verdict(name, attempt) for attempt, _ in WRONG[name]}
    formula = re.compile(r" = (?!\d|z`)|\bexp\(|sqrt\(|\bsum_|\.T\b|@|e\^\(|\*|axis=|keepdims=")
    assert not [hint for hint in hints if formula.search(hint) and not re.search(r"it raises|is no copy", hint)]


@pytest.mark.parametrize("name", CHECKED)
def test_two_mistakes_of_an_exercise_do_not_look_alike(name, monkeypatch):
    """On the inputs of a check every known mistake gives something of its own, so that no hint stands for another's."""
    seen = []

    def watched(got, want, slips, otherwise):
        each = {hint: slip if isinstance(slip, tuple) else (slip,) for hint, slip in slips.items()}
        seen.append([(hint, np.asarray(one, float)) for hint, ones in each.items() for one in ones])
        return machinery.compare(got, want, slips, otherwise)

    module = sys.modules[BY_NAME[name].check.__module__]
    monkeypatch.setattr(module, "compare", watched, raising=False)
    assert verdict(name, solution(name)) == f"{name}: correct"
    first = {}
    for slips in seen:
        for hint, one in slips:
            alike = [other for other, value in slips if other != hint and np.isfinite(one).all() and machinery.same(value, one)]
            first.setdefault(hint, []).append(alike)
    # a mistake that looks like another on some inputs shows itself on others
    assert not {hint: alike[0] for hint, alike in first.items() if all(alike)}


@pytest.mark.parametrize("name", [name for name in CHECKED if name not in ("top-names", "causal-mask")])
def test_nothing_buys_nothing_and_what_is_nearly_right_is_told_so(name):
    line = verdict(name, changed(solution(name), lambda a: a * 0))
    assert re.match(f"{name}: not yet: (zero|second name|scores): ", line), line
    line = verdict(name, changed(solution(name), lambda a: a * (1 + 1e-6)))
    assert re.match(f"{name}: not yet: (close|whole|sharpness): ", line), line


def changed(function, change):
    """A right solution whose result is changed."""
    return lambda *args: change(np.array(function(*args)))


@pytest.mark.parametrize("name", [name for name in CHECKED if name != "top-names"])
def test_a_right_result_with_one_axis_more_or_with_nan_is_told_so(name):
    line = verdict(name, changed(solution(name), lambda a: a[None]))
    assert line.startswith(f"{name}: not yet: shape: it returns shape (1,"), line
    line = verdict(name, changed(solution(name), lambda a: a * np.nan))
    assert line == f"{name}: not yet: finite: it returns NaN or infinity for ordinary numbers", line


def test_an_exercise_has_a_check_or_none():
    assert all(exercise.check is None or callable(exercise.check) for exercise in EXERCISES)
    assert exercises.Exercise("a", "01", "A", "recall", 3).check is None


def test_every_answer_is_to_an_exercise_that_is_checked():
    assert set(RIGHT) | set(WRONG) <= {exercise.name for exercise in EXERCISES if exercise.check}


# --- what is written down: on which inputs an attempt is tried, and what each mistake is told, word by word -----------


def plain(value, z=None):
    """An argument as text that rounding does not reach; a function by what it gives at the array it comes with."""
    if callable(value):
        value = value(z)
    if isinstance(value, (tuple, list)):
        return [plain(x) for x in value]
    if isinstance(value, (np.ndarray, np.generic, float)):
        rounded = np.round(np.asarray(value, dtype=float), 9) + 0.0
        return [str(np.asarray(value).dtype), rounded.shape, rounded.tolist()]
    return [type(value).__name__, value]


def size(value):
    if isinstance(value, (np.ndarray, int, float)):
        return f"{np.shape(value) or value}"
    return "a function" if callable(value) else f"{len(value)} values"


def questions(name):
    """What the check of an exercise calls a right attempt with, one line of sizes for each call, and a digest of all of it."""
    calls, sizes, right = [], [], solution(name)

    def watched(*args):
        calls.append([plain(a, args[1] if len(args) > 1 else None) for a in args])
        sizes.append(", ".join(map(size, args)))
        return right(*args)

    assert verdict(name, watched) == f"{name}: correct"
    return [*(f"called with {line}" for line in sizes), f"digest of all inputs {zlib.crc32(json.dumps(calls).encode()):08x}"]


def written(name):
    """What is written down of an exercise: its row of the list; its questions; a line for each attempt of WRONG."""
    exercise = BY_NAME[name]
    assert not needs(exercise), f"the exercise {name!r} needs: {', and '.join(needs(exercise))}"
    row = f"{exercise.notebook}, {exercise.title}, {exercise.level}, {exercise.minutes} minutes"
    if not exercise.check:
        return f"{row}, folded"
    told = [f"{k}: {verdict(name, attempt).removeprefix(f'{name}: ')}" for k, (attempt, _) in enumerate(WRONG[name])]
    told = [re.sub(r"(it raises \w+: ).*(; it was called)", r"\1...\2", line) for line in told]  # NumPy's words are its own
    told = [re.sub(r"\d+\.\d{12,}", lambda m: f"{float(m[0]):.9f}", line) for line in told]  # Python 3.12 sums otherwise
    return "\n".join([row, *questions(name), *told])


@pytest.mark.parametrize("name", [exercise.name for exercise in WHOLE])
def test_what_is_asked_and_what_is_said_are_as_written_down(name):
    WRITTEN.check(name)


def test_every_block_is_of_an_exercise():
    assert not WRITTEN.strays(), WRITTEN.strays()


# --- whatever an attempt does ----------------------------------------------------------------------------------------


class Odd:
    """A result that resists every question."""

    def __array__(self, *args, **kwargs):
        raise SystemExit("no")

    def __len__(self):
        return -1

    def __eq__(self, other):
        raise RuntimeError("no")

    def __iter__(self):
        raise RuntimeError("no")


class Speechless(Exception):
    def __str__(self):
        raise ValueError("no words")


class Subclass(np.ndarray):
    def __eq__(self, other):
        raise RuntimeError("no")


def raises(error):
    def attempt(*args):
        raise error

    return attempt


def empty_all(*args):
    for a in args:
        if isinstance(a, np.ndarray):
            a[...] = 0
    return args[0]


def shouts(*args):
    print("a line\nanother")
    print("an error", file=sys.stderr)
    warnings.warn("careful")
    np.seterr(all="raise")
    return np.float64(1e308) * 10 * np.log(np.zeros(3))


async def later(*args):
    return 0.0


def one_by_one(*args):
    yield 0.0


HOSTILE = {
    "raises": raises(ValueError("one\ntwo\n" + "long " * 100)),
    "exits": raises(SystemExit(1)),
    "runs out": raises(MemoryError()),
    "without words": raises(Speechless()),
    "a deep one": lambda *a: (lambda f: f(f))(lambda f: f(f)),
    "takes nothing": lambda: 0,
    "a string": lambda *a: "0.5",
    "a dictionary": lambda *a: {"p": 1},
    "a set": lambda *a: {1.0},
    "an object": lambda *a: object(),
    "an odd object": lambda *a: Odd(),
    "ragged": lambda *a: [[1.0], [2.0, 3.0]],
    "a type": lambda *a: float,
    "itself": lambda *a: a,
    "a function": lambda *a: np.sum,
    "NaN": lambda *a: np.nan,
    "infinity": lambda *a: np.full((5, 3), np.inf),
    "an empty list": lambda *a: [],
    "NaN in its shape": lambda *a: np.full(np.shape(a[0]), np.nan),
    "a huge integer": lambda *a: 10**400,
    "complex": lambda *a: 1j,
    "float32": lambda *a: np.float32(0.5),
    "dates": lambda *a: np.array(["2026-01-01"], dtype="datetime64[D]"),
    "a masked array": lambda *a: np.ma.masked_all(3),
    "a subclass": lambda *a: np.ones(3).view(Subclass),
    "a boolean": lambda *a: True,
    "three things": lambda *a: (None, "x", [[]]),
    "names": lambda *a: ["abe", None],
    "changes everything": empty_all,
    "shouts": shouts,
    "a coroutine": later,
    "a generator": one_by_one,
    "a class": Odd,
    "a built-in": print,
    "an iterator": lambda *a: itertools.count(),
    "no function": 3,
    "a value": np.ones(3),
    "text": "my_softmax",
    "a list": [1],
}


@pytest.mark.parametrize("name", CHECKED)
def test_whatever_an_attempt_does_the_check_prints_one_line_and_goes_on(name, capfd):
    state = np.geterr()
    for words, attempt in HOSTILE.items():
        check(name, attempt)
        out, err = capfd.readouterr()
        assert err == "", words
        assert re.fullmatch(rf"{name}: not yet: \S[^\n]*\n", out), (words, out)
        assert len(out) < 420, (words, out)
        assert "could not be compared" not in out or words == "an odd object", (words, out)
        assert np.geterr() == state, words
    assert not tracemalloc.is_tracing()


@pytest.mark.parametrize("name", CHECKED)
def test_none_and_dots_are_not_written_yet(name, capfd):
    def dots(*args): ...

    def documented(*args):
        """What it is to do."""

    def two_lines(*args):
        ...
        ...

    for attempt in (None, ..., dots, documented, two_lines, lambda *a: None, lambda *a: ..., raises(NotImplementedError())):
        check(name, attempt)
        assert capfd.readouterr() == (f"{name}: not written yet\n", "")


def test_a_missing_return_is_told_from_a_stub():
    def forgot(z):
        e = np.exp(z)
        e / e.sum()

    assert not untouched(forgot)
    assert verdict("log-weights", forgot) == ("log-weights: not yet: it returns nothing; does it end with `return` and a value?")


@pytest.mark.parametrize("name", ["log-weights", "top-names", "blocks-by-logs", "second-difference"])
def test_an_interrupt_passes_through(name):
    with pytest.raises(KeyboardInterrupt):
        verdict(name, raises(KeyboardInterrupt()))


def test_an_unknown_name_is_told_in_one_line(capfd):
    for name, words in (
        ("log-wieghts", "did you mean 'log-weights'?"),
        ("two\nlines", "there is no exercise"),
        ("", "there is no"),
        ("which-step", "there is no exercise"),
        (3, "first the name"),
        ([], "first the name"),
        (None, "first the name"),
        ("zzz", "did you mean"),
    ):
        check(name, lambda z: z)
        out, err = capfd.readouterr()
        assert words in out and out.count("\n") == 1 and out.startswith("check: ") and err == "", out


def test_what_an_attempt_prints_does_not_disturb_the_line(capfd):
    def chatty(z):
        print("z is", z)
        warnings.warn("careful")
        return log_soft(z)

    check("log-weights", chatty)
    assert capfd.readouterr() == ("log-weights: correct\n", "")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        check("log-weights", lambda z: np.exp(z) / np.exp(z).sum(axis=1, keepdims=True))  # overflows
    assert seen == []


def test_an_attempt_may_write_wherever_it_likes():
    def writes(z):
        sys.stdout.write("z")
        sys.stderr.write("z")
        return log_soft(z)

    assert verdict("log-weights", writes) == "log-weights: correct"


def test_who_lets_numpy_raise_gets_the_same_hint():
    overflowing = lambda z: np.log(np.exp(z) / np.exp(z).sum(axis=1, keepdims=True))  # noqa: E731
    usual = verdict("log-weights", overflowing)
    with np.errstate(all="raise"):
        assert verdict("log-weights", overflowing) == usual
    assert usual.startswith("log-weights: not yet: overflow")


def test_a_result_that_cannot_be_compared_is_told_by_the_error_it_made():
    assert verdict("head-shapes", lambda *a: Odd()) == ("head-shapes: not yet: what it returns could not be compared (SystemExit)")


def test_a_line_is_cut_where_a_screen_would_end_it():
    line = verdict("log-weights", lambda z: type("x" * 500, (), {})())
    assert line.removeprefix("log-weights: not yet: ") == "it returns something of type " + "x" * (396 - 29) + " ..."
    line = verdict("x" * 70, soft)
    assert line.startswith(f"check: there is no exercise '{'x' * 56} ...'; did you mean '")


def test_a_verdict_is_the_same_every_time():
    for name in CHECKED:
        for attempt, _ in WRONG[name][:2]:
            assert verdict(name, attempt) == verdict(name, attempt)


def test_what_was_in_memory_before_is_not_the_attempt_s():
    tracemalloc.start()
    try:
        held = np.ones(10**6)
        assert verdict("jacobian-product", solution("jacobian-product")) == "jacobian-product: correct"
        np.ones(10**7)  # and gone again
        table = lambda A, G: np.stack([(np.diag(p) - np.outer(p, p)) @ g for p, g in zip(A, G)])  # noqa: E731
        assert verdict("jacobian-product", table).startswith("jacobian-product: not yet: memory") and held.all()
    finally:
        tracemalloc.stop()


def test_a_check_that_is_watched_for_memory_leaves_the_watching_as_it_was():
    tracemalloc.start()
    try:
        assert verdict("jacobian-product", RIGHT["jacobian-product"][0]) == "jacobian-product: correct"
        assert tracemalloc.is_tracing()
    finally:
        tracemalloc.stop()


def test_the_kind_and_shape_of_a_result_are_told():
    for result, words in (
        (np.ones(2, "f4"), "float32"),
        (np.ones(2) * 1j, "complex"),
        ("ab", "type str"),
        ([[1], [2, 3]], "ragged"),
    ):
        with pytest.raises(NotYet, match=words):
            numbers(result)
    assert [hint for ok, hint in fits(np.ones((2, 3)), (3, 2)) if not ok] == [
        "shape: it returns shape (2, 3), but shape (3, 2) is wanted. Is it transposed?"
    ]
    assert [hint for ok, hint in fits(np.ones(1), ()) if not ok] == ["shape: it returns shape (1,), but a single number is wanted."]
    assert [hint for ok, hint in fits(np.array([1, np.nan]), (2,)) if not ok] == [
        "finite: it returns NaN or infinity for ordinary numbers"
    ]


def test_what_an_attempt_was_called_with_is_told_by_sizes_and_numbers():
    given = {"q": np.ones(3), "k": 2, "c": 0.5, "f": np.sin, "a": (0.5, 2.0, np.ones((2, 1))), "names": ("x", "y")}
    assert machinery.sizes(given) == "q (3,), k 2, c 0.5, f a function, a (0.5, 2.0, (2, 1)), names (x, y)"


def test_long_words_are_cut_where_the_line_ends():
    assert machinery.one_line(" a\n b ") == "a b"
    assert machinery.one_line("x" * 160) == "x" * 160 and machinery.one_line("x" * 161) == "x" * 156 + " ..."
    assert machinery.one_line("x" * 9, 9) == "x" * 9 and machinery.one_line("x" * 9, 8) == "xxxx ..."


def test_an_argument_is_unchanged_where_all_of_it_is():
    a = np.arange(3.0)
    for same in ((a, a.copy()), (3, 3), ((1, a), (1, a.copy())), (np.sin, np.cos), (["x"], ["x"])):
        assert machinery.alike(*same) is True
    for other in (
        (a, a + 1),
        (a, a[:2]),
        (a, 1.0),
        (1.0, a),
        (3, 4),
        ((1, a), (1, a + 1)),
        ((1, a), (1,)),
        ((1,), (2,)),
        (["x"], ["y"]),
    ):
        assert machinery.alike(*other) is False


def test_an_error_without_words_is_told_by_its_name():
    line = verdict("two-slots", raises(Speechless()))
    assert line == "two-slots: not yet: it raises Speechless; it was called with p 0.9, gap 1.6"


def test_numbers_are_float64_and_equal_up_to_rounding():
    assert numbers([True, 2]).dtype == np.float64 and numbers(np.float64(3)).tolist() == 3
    got = numbers([1.0, 1e6])
    assert machinery.same(got, [1 + 1e-10, 1e6 + 1e-4]) and not machinery.same(got, [1 + 1e-8, 1e6])
    assert not machinery.same(got, [1, 1e6 + 1e-2]) and machinery.same(numbers(1e-10), 0) and not machinery.same(numbers(1e-8), 0)
    assert machinery.same(got, [1.5, 1e6], 1) and machinery.same(numbers([1, 2]), ["1", "2"])
    assert not machinery.same(got, [[1, 1e6]])


def test_a_result_may_be_transposed_only_where_it_has_two_axes():
    asked = {
        shape: [hint for ok, hint in fits(np.ones(got), shape) if not ok]
        for got, shape in (((2, 3), (3, 2)), ((3,), (2,)), ((2, 3), (2, 4)), ((2, 3, 4), (4, 3, 2)))
    }
    assert ["transposed" in hints[0] for hints in asked.values()] == [True, False, False, True]


def test_the_products_of_unequal_rows_are_none():
    with pytest.raises(ValueError, match="shorter"):
        machinery.dot([1.0, 2.0], [3.0])
    assert machinery.dot([1, 2], [3.0, 4.0]) == 11.0


# --- the list --------------------------------------------------------------------------------------------------------


def test_the_table_lists_every_exercise_in_order():
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in table().splitlines()]
    assert lines[0] == ["notebook", "exercise", "level", "minutes", "answer"] and set("".join(lines[1])) == {"-"}
    assert lines[2:] == [
        [e.notebook, e.title, e.level, str(e.minutes), "checks itself" if e.check else "folded"] for e in EXERCISES
    ]
    assert len({len(line) for line in table().splitlines()}) == 1
    assert [e.notebook for e in EXERCISES] == sorted(e.notebook for e in EXERCISES)


def test_no_check_imports_what_it_checks():
    for path in FILES:
        assert not re.search(r"^(from|import) (attention_core|attention_chapter\.run|kg)\b", path.read_text("utf-8"), re.M), path


def test_the_exercises_of_a_notebook_stand_in_the_file_of_its_number():
    for path in FILES:
        listed_there = import_module(f"attention_chapter.exercises.{path.stem}").EXERCISES
        assert {exercise.notebook for exercise in listed_there} == {path.stem.removeprefix("nb")}, path
    assert len(FILES) == len({exercise.notebook for exercise in EXERCISES})


def test_the_examples_of_the_docstrings_run():
    assert doctest.testmod(exercises).failed == 0 < doctest.testmod(exercises).attempted


if __name__ == "__main__":
    WRITTEN.renew()
