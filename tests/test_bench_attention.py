"""The measurements of attention: what docs/PERFORMANCE.md says is what docs/bench.json holds, and the helpers measure what they say.

No time is asserted anywhere: whoever runs this on a slow machine has done nothing wrong.
"""

import copy
import io
import json
import re
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from PIL import Image

from attention_core import blocked_attention, scaled_dot_product_attention
from tools import bench_attention as bench

RESULTS = json.loads(bench.RESULTS.read_text("utf-8"))
PAGE = bench.PAGE.read_text("utf-8")


# What the page says --------------------------------------------------------------------------------------------------


def test_the_section_of_the_page_is_the_one_that_the_measurements_give():
    text = PAGE.partition("<!-- bench -->")[2].partition("<!-- /bench -->")[0]
    assert text == bench.section(RESULTS, bench.figure(RESULTS).alt)


def test_the_figure_is_the_one_that_the_measurements_give():
    fresh = bench.figure(RESULTS).png
    ours, stored = (np.asarray(Image.open(io.BytesIO(png)).convert("L"), float) for png in (fresh, bench.FIGURE.read_bytes()))
    assert ours.shape == stored.shape
    assert abs(ours - stored).mean() < 0.5  # of 255: another release draws text a little differently; a bar is 1 or more


def test_every_size_and_everyone_was_measured():
    assert [row["n"] for row in RESULTS["sizes"]] == list(bench.SIZES)
    assert RESULTS["long"]["n"] == bench.LONG
    assert RESULTS["block"] == list(bench.BLOCK), "the blocks of attention_core.py are others than those measured"
    for row in RESULTS["sizes"]:
        assert list(row["milliseconds"]) == [bench.PLAIN, bench.IN_PLACE, bench.BLOCKED, bench.TORCH, bench.PRODUCTS]
        for told in (row["milliseconds"], row["of_limit"], row["over_torch"]):
            assert all(0 < low <= median <= high for low, median, high in told.values())


def test_a_missed_target_is_said():
    results = copy.deepcopy(RESULTS)
    row = results["sizes"][-1]
    row["over_torch"][bench.BLOCKED], row["peak_bytes"][bench.BLOCKED] = [1.9, 2.0, 2.1], 9 * bench.MIB
    text = " ".join(bench.section(results, "").split())
    assert re.search(r"\(asked: at most 1\.4; missed at n = [^)]*8,192\)", text)
    assert "in MiB is 9 (asked: under 8; missed at n = 8,192)" in text


def test_without_torch_its_columns_are_left_out():
    results = copy.deepcopy(RESULTS)
    results["machine"].update(torch="", torch_build="", torch_kernel="")
    for row in results["sizes"]:
        del row["milliseconds"][bench.TORCH], row["of_limit"][bench.TORCH]
        row["over_torch"] = {}
    text = bench.section(results, bench.figure(results).alt)
    assert "| n | plain | in place | blocked | products alone | products / blocked |" in text
    assert "torch:" not in bench.figure(results).alt
    rows = [line for line in text.splitlines() if line.startswith("| 8,192 |")]
    assert rows[0].count("|") == 7


def test_the_page_says_on_which_processor_what_was_reached():
    results = copy.deepcopy(RESULTS)
    results["machine"]["processor"] = "Abacus 3"
    assert "**What was reached,** on this Abacus 3. For n of" in bench.reached(results)


def test_the_figure_stands_beside_the_page():
    assert f"]({bench.FIGURE.name})\n" in PAGE and bench.FIGURE.parent == bench.PAGE.parent


def test_torch_is_an_extra_that_no_lock_names():
    extras = re.search(
        r"^\[project.optional-dependencies\]\n(?:#.*\n)*(.+)$", (bench.ROOT / "pyproject.toml").read_text("utf-8"), re.M
    )
    assert extras.group(1).startswith("torch = ")
    for lock in bench.ROOT.glob("requirements*.lock"):
        assert not re.search("^(torch|nvidia-|triton)", lock.read_text("utf-8"), re.M), lock.name


# What is measured ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n, block", [(1, (4, 4)), (9, (4, 3)), (40, (16, 16))])
def test_all_contestants_give_the_same_attention(n, block):
    Q, K, V = bench.inputs(n)
    calls = bench.contestants(Q, K, V, None)
    assert list(calls) == [bench.PLAIN, bench.IN_PLACE, bench.BLOCKED, bench.PRODUCTS]
    assert bench.largest_difference(calls) < 1e-5
    # float32 rounds at 1.2e-7 and the values are at most about 4.
    assert_allclose(bench.in_place(Q, K, V), blocked_attention(Q, K, V, block=block), rtol=0, atol=1e-5)


def test_a_contestant_that_computes_something_else_is_not_measured():
    calls = bench.contestants(*bench.inputs(9), None)
    output = calls[bench.BLOCKED]()
    output[3, 5] += 2e-5
    with pytest.raises(AssertionError, match="blocked"):
        bench.largest_difference(calls | {bench.BLOCKED: lambda: output})


def test_torch_is_asked_for_one_head_and_is_what_the_others_are_compared_with():
    asked = []

    def attend(*tensors):
        asked.append([tensor.shape for tensor in tensors])
        Q, K, V = tensors
        return Tensor(scaled_dot_product_attention(Q, K, V).output)

    class Tensor(np.ndarray):
        def __new__(cls, a):
            return np.asarray(a).view(cls)

        def numpy(self):
            return np.asarray(self)

    torch = SimpleNamespace(from_numpy=Tensor, nn=SimpleNamespace(functional=SimpleNamespace(scaled_dot_product_attention=attend)))
    calls = bench.contestants(*bench.inputs(5), torch)
    assert list(calls) == [bench.PLAIN, bench.IN_PLACE, bench.BLOCKED, bench.TORCH, bench.PRODUCTS]
    assert bench.largest_difference(calls) < 1e-5 and asked == [[(1, 1, 5, bench.D_K)] * 3]
    with pytest.raises(AssertionError):
        bench.largest_difference(calls | {bench.TORCH: lambda: calls[bench.PLAIN]() + 1})


def test_the_products_alone_are_all_those_of_the_blocks(monkeypatch):
    """Each pair of blocks is multiplied once: their sizes add up to n^2 scores, twice."""
    done, multiply = [], np.matmul

    def noted(a, b, **options):
        done.append((a.shape, b.shape))
        return multiply(a, b, **options)

    monkeypatch.setattr(bench.np, "matmul", noted)
    bench.products(*bench.inputs(10), block=(4, 3))
    scores, blends = done[::2], done[1::2]
    assert len(scores) == 3 * 4
    assert sum(a[0] * b[1] for a, b in scores) == sum(a[0] * a[1] for a, _ in blends) == 10 * 10
    assert all(a[1] == bench.D_K for a, _ in scores) and all(b[1] == bench.D_K for _, b in blends)


class Clock:
    """A process's time that passes only when something is called, as much as that call takes."""

    def __init__(self, monkeypatch, **takes):
        self.now, self.log = 0.0, []
        monkeypatch.setattr(bench, "process_time", lambda: self.now)
        self.calls = {name: lambda name=name: self.call(name, takes[name]) for name in takes}

    def call(self, name, seconds):
        self.log.append(name)
        self.now += next(seconds) if hasattr(seconds, "__next__") else seconds


def test_all_take_turns_in_every_round(monkeypatch):
    clock = Clock(monkeypatch, a=1.0, b=2.0, c=3.0)
    bench.rounds(clock.calls, 3)
    assert "".join(clock.log) == "aabbcc" + "abc" * 3  # each once for what is made once, and once to see how long it takes


def test_a_fast_call_is_repeated_and_its_time_is_that_of_one_call(monkeypatch):
    clock = Clock(monkeypatch, fast=bench.LEAST / 4, slow=1.0)
    seconds = bench.rounds(clock.calls, 2)
    assert clock.log[4:] == (["fast"] * 4 + ["slow"]) * 2
    assert_allclose(seconds["fast"], bench.LEAST / 4, rtol=1e-9)  # differences of a clock at about 3 s
    assert_array_equal(seconds["slow"], [1.0, 1.0])


def test_a_ratio_is_taken_within_its_round(monkeypatch):
    # The machine slows down tenfold from round to round: 2.0 is what remains, where medians apart would mix the rounds.
    clock = Clock(monkeypatch, a=iter([1, 1, 2, 20, 200]), b=iter([1, 1, 1, 10, 100]))
    seconds = bench.rounds(clock.calls, 3)
    assert bench.ratios(seconds, "b") == {"a": [2.0, 2.0, 2.0]}


def test_quartiles_of_made_up_ratios():
    seconds = {"a": np.array([1.0, 2.0, 3.0, 4.0, 50.0]), "b": np.ones(5), "c": np.full(5, 3.0)}
    assert bench.ratios(seconds, "b") == {"a": [2.0, 3.0, 4.0], "c": [3.0, 3.0, 3.0]}
    assert bench.quartiles(np.array([1 / 3])) == [0.3333] * 3


def test_the_peak_counts_what_is_let_go_of_and_not_what_is_returned():
    kept = np.ones(200_000)

    def call():
        used = np.ones(125_000)  # 1 MB, gone at the end
        return used[:1000] + kept[:1000]

    # Beside the arrays there are some hundred bytes of Python's own.
    assert 1_000_000 <= bench.peak(call) < 1_010_000
    assert bench.peak(lambda: np.ones(125_000)) < 10_000


def test_the_peaks_of_one_size_are_those_of_its_buffers():
    n = 256
    calls = bench.contestants(*bench.inputs(n), None)
    in_place = bench.peak(calls[bench.IN_PLACE])
    matrix, row = 4 * n * n, 4 * n * bench.D_K
    assert matrix <= in_place < matrix + 2 * row  # the matrix, the scaled queries, some columns
    assert bench.peak(calls[bench.PLAIN]) > 3 * matrix  # raw, scaled and weights, all of them returned


def test_the_steps_of_a_block_are_shares_of_a_whole(monkeypatch):
    monkeypatch.setattr(bench, "ROUNDS", 1)
    monkeypatch.setattr(bench, "LEAST", 1e-6)
    shares = bench.steps()
    assert set(shares) == {"two products", "exponential", "sum"}
    assert abs(sum(shares.values()) - 1) < 0.005  # five roundings to three digits


def test_a_long_evaluation_is_checked_and_told_in_slices(monkeypatch, capsys):
    monkeypatch.setattr(bench, "BLOCK", (8, 16))
    told = bench.measure_long(100)
    assert [told[what] for what in ("n", "matrix_bytes", "rows_checked")] == [100, 40_000, 16]
    assert "64 queries done" in capsys.readouterr().out and told["largest_difference"] < 1e-5
    monkeypatch.setattr(bench, "blocked_attention", lambda Q, K, V: np.zeros_like(Q))
    with pytest.raises(AssertionError):
        bench.measure_long(100)


def test_one_size_is_measured_from_end_to_end(monkeypatch):
    monkeypatch.setattr(bench, "ROUNDS", 2)
    monkeypatch.setattr(bench, "LEAST", 1e-6)
    row = bench.measure(16, None)
    assert row["n"] == 16 and row["over_torch"] == {}
    assert list(row["of_limit"]) == list(row["peak_bytes"]) == [bench.PLAIN, bench.IN_PLACE, bench.BLOCKED]


# The machine ---------------------------------------------------------------------------------------------------------


def test_the_machine_is_named():
    told = bench.machine(None)
    assert told["processor"] and told["numpy"] == np.__version__ and told["blas"] and told["torch"] == ""
    torch = SimpleNamespace(
        __version__="9.0+cu1",
        version=SimpleNamespace(cuda="1.0"),
        backends=SimpleNamespace(cpu=SimpleNamespace(get_cpu_capability=lambda: "AVX2")),
    )
    told = bench.machine(torch)
    assert (told["torch"], told["torch_build"], told["torch_kernel"]) == ("9.0+cu1", "CUDA 1.0 build", "AVX2")


def test_a_missing_torch_is_said_in_one_line(monkeypatch, capsys):
    monkeypatch.setitem(bench.sys.modules, "torch", None)
    assert bench.find_torch() is None
    assert capsys.readouterr().out.count("\n") == 1
