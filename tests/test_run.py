"""The published figures, each as printed, against the numbers of the one seeded run."""

import inspect
import re
import runpy
from dataclasses import FrozenInstanceError, fields
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from attention_chapter import run
from attention_core import (
    attention,
    central_difference_jacobian,
    closed_form_weight,
    multi_head_attention,
    retrieve,
    softmax,
    softmax_jacobian,
)
from kg import CONCEPTS, ENTITIES, TYPES

BOB = 1  # bob's row in every matrix


@cache
def head():
    r = run.draw()
    return attention(r.X, r.Wq, r.Wk, r.Wv)


@cache
def both():
    r = run.draw()
    return multi_head_attention(r.X, r.heads, r.Wo)


def bob(j):
    """Bob's raw score, scaled score and weight for key j."""
    return [stage[BOB, j] for stage in (head().raw, head().scaled, head().weights)]


def three_best():
    return [x for j in np.argsort(-head().weights[BOB])[:3] for x in (ENTITIES[j], head().weights[BOB, j])]


def variance(i):
    row = run.draw().products[i]
    return [row.d_k, row.dots.var(), row.dots.var() / row.d_k, row.var, row.ratio]


def saturated(scale):
    return softmax(scale * (run.draw().K_wide @ run.draw().q_wide))


def jacobian():
    return softmax_jacobian(softmax(run.draw().z))


def slot_2(c):
    got = retrieve(np.eye(4), run.draw().values, 2, c)
    return [*got.weights, got.cosine]


def best_keys():
    return [ENTITIES[one.weights[BOB].argmax()] for one in both().heads]


def shapes():
    r = run.draw()
    return [*r.X.shape, *both().heads[0].output.shape, *both().concat.shape, *r.Wo.shape, *both().output.shape]


# Each row: the name, our numbers, the published text. A name that begins with [n] is also in block n of the trace.
PUBLISHED = [
    ("[1] raw, scaled, weight: alice", lambda: bob(0), "-2.3871 -1.1935 0.0248"),
    ("[1] raw, scaled, weight: bob", lambda: bob(1), "1.0730 0.5365 0.1397"),
    ("[1] raw, scaled, weight: carol", lambda: bob(2), "-2.0115 -1.0058 0.0299"),
    ("[1] raw, scaled, weight: cmu", lambda: bob(3), "-1.0990 -0.5495 0.0472"),
    ("[1] raw, scaled, weight: dave", lambda: bob(4), "0.1258 0.0629 0.0870"),
    ("[1] raw, scaled, weight: erin", lambda: bob(5), "-0.8574 -0.4287 0.0532"),
    ("[1] raw, scaled, weight: logic", lambda: bob(6), "-1.4944 -0.7472 0.0387"),
    ("[1] raw, scaled, weight: mit", lambda: bob(7), "0.5753 0.2876 0.1089"),
    ("[1] raw, scaled, weight: ml", lambda: bob(8), "-0.4054 -0.2027 0.0667"),
    ("[1] raw, scaled, weight: nesy", lambda: bob(9), "-3.6375 -1.8187 0.0133"),
    ("[1] raw, scaled, weight: p1", lambda: bob(10), "0.1508 0.0754 0.0881"),
    ("[1] raw, scaled, weight: p2", lambda: bob(11), "2.0572 1.0286 0.2286"),
    ("[1] raw, scaled, weight: p3", lambda: bob(12), "-0.2016 -0.1008 0.0739"),
    ("[1] top three", three_best, "p2 0.2286 bob 0.1397 mit 0.1089"),
    ("[1] output", lambda: head().output[BOB], "0.3032 -0.2232 0.2016 0.3022"),
    ("[2] d_k, variance, ratio at 4", lambda: variance(0)[:3], "4 3.9980 0.9995"),
    ("[2] d_k, variance, ratio at 64", lambda: variance(1)[:3], "64 63.6778 0.9950"),
    ("[2] d_k, variance, ratio at 256", lambda: variance(2)[:3], "256 262.5068 1.0254"),
    ("recorded variance, ratio at 4", lambda: variance(0)[3:], "3.9980 0.9995"),
    ("recorded variance, ratio at 64", lambda: variance(1)[3:], "63.6778 0.9950"),
    ("recorded variance, ratio at 256", lambda: variance(2)[3:], "262.5068 1.0254"),
    ("[2] keys, d_k of the saturation", lambda: run.draw().K_wide.shape, "13 256"),
    ("[2] largest weight, unscaled", lambda: [saturated(1).max()], "0.9903"),
    ("[2] largest weight, scaled", lambda: [saturated(1 / 16).max()], "0.2282"),
    ("[2] largest Jacobian entry, unscaled", lambda: [abs(softmax_jacobian(saturated(1))).max()], "0.0096"),
    ("[3] p", lambda: softmax(run.draw().z), "0.0204 0.0382 0.0611 0.7896 0.0907"),
    ("[3] J[0]", lambda: jacobian()[0], "0.02001 -0.00078 -0.00125 -0.01613 -0.00185"),
    ("[3] J[1]", lambda: jacobian()[1], "-0.00078 0.03669 -0.00233 -0.03012 -0.00346"),
    ("[3] J[2]", lambda: jacobian()[2], "-0.00125 -0.00233 0.05736 -0.04824 -0.00554"),
    ("[3] J[3]", lambda: jacobian()[3], "-0.01613 -0.03012 -0.04824 0.16612 -0.07163"),
    ("[3] J[4]", lambda: jacobian()[4], "-0.00185 -0.00346 -0.00554 -0.07163 0.08248"),
    ("[4] weights and cosine at c = 3", lambda: slot_2(3), "0.0433 0.0433 0.8700 0.0433 0.9807"),
    ("[4] weights and cosine at c = 8", lambda: slot_2(8), "0.0003 0.0003 0.9990 0.0003 1.0000"),
    ("closed form at c = 3 and 8", lambda: closed_form_weight([3, 8], 4), "0.8700 0.9990"),
    ("[5] X, head output, joined, Wo, output", shapes, "13 8 13 4 13 8 8 8 13 8"),
    ("[5] bob's first key in each head", best_keys, "ml logic"),
    ("Q, K, V of a head", lambda: [n for W in run.draw().heads[0] for n in (run.draw().X @ W).shape], "13 4 13 4 13 4"),
]


@pytest.mark.parametrize("ours, published", [pytest.param(*row[1:], id=row[0]) for row in PUBLISHED])
def test_the_published_figures_stand(ours, published):
    texts = published.split()
    numbers = ours()
    assert len(numbers) == len(texts)
    printed = [f"{x:.{len(t.split('.')[1])}f}" if "." in t else str(x) for x, t in zip(numbers, texts)]
    assert printed == texts


# --- the gates, for what is rounding and differs between machines ----------------------------------------------------


def test_rows_of_weights_sum_to_one():
    assert abs(head().weights.sum(axis=1) - 1).max() < 1e-12  # the published gate; 2.22e-16 was seen


def test_the_jacobian_agrees_with_central_differences():
    assert inspect.signature(central_difference_jacobian).parameters["h"].default == 1e-5  # the published step
    off = abs(jacobian() - central_difference_jacobian(softmax, run.draw().z)).max()
    assert off < 1e-6  # the published gate; 3.65e-12 was seen


def test_each_variance_is_near_its_width():
    for row in run.draw().products:
        assert abs(row.ratio - 1) < 0.03, row.d_k  # the published gate; two standard deviations of 10 000 draws


def test_a_sharp_query_retrieves_its_value():
    assert slot_2(8)[-1] > 0.99  # the published gate


# --- the trace -------------------------------------------------------------------------------------------------------


@pytest.fixture
def trace(capsys):
    run.main()
    return capsys.readouterr().out


def test_the_trace_prints_every_published_figure_in_its_block_and_order(trace):
    blocks = {text[:3]: iter(re.findall(r"-?\d+\.\d+|\w+", text)) for text in re.split(r"\n(?=\[)", trace)}
    assert list(blocks) == ["[1]", "[2]", "[3]", "[4]", "[5]"]
    for name, _, published in PUBLISHED:
        for text in published.split() if name.startswith("[") else []:
            assert text in blocks[name[:3]], f"{name}: {text} is not next in\n{trace}"  # reads on to the text


def test_the_trace_holds_each_key_with_its_type_and_marks_the_top_one(trace):
    rows = [line.split() for line in trace.splitlines() if line.split()[:1] and line.split()[0] in ENTITIES]
    assert [(row[0], row[1]) for row in rows] == [(name, TYPES[name]) for name in ENTITIES]
    assert [row[0] for row in rows if "top" in row] == ["p2"]


def test_the_trace_says_that_both_gates_hold(trace):
    assert trace.count("below 1e-12: True") == 1
    assert trace.count("below 1e-6: True") == 1
    assert "False" not in trace


def test_a_row_table_is_of_the_query_asked_for():
    lines = run.row_table(head(), "p2").splitlines()
    assert len(lines) == 1 + 13
    for j, (line, name) in enumerate(zip(lines[1:], ENTITIES)):
        assert line.split()[0] == name
        assert line.split()[4] == f"{head().weights[11, j]:.4f}"


def test_a_rounded_zero_is_printed_without_a_sign():
    assert run.vector_text([-0.00004, 0.5, -0.00006]) == "[0.0000, 0.5000, -0.0001]"
    assert run.vector_text([-0.00004], digits=5) == "[-0.00004]"


@pytest.mark.parametrize(
    ("values", "way"),
    [
        ([1, 2, 2, 3], "rises"),
        ([3, 2.5, -1], "falls"),
        ([1, 1, 1 + 1e-12], "stays the same"),
        ([0.2], "stays the same"),
        ([0, 2, 1], "rises, then falls"),
        ([2, 0, 1, 0.5], "falls, then rises, then falls"),
    ],
)
def test_a_trend_is_read_off_the_values(values, way):
    assert run.trend(values) == way


def test_the_largest_weights_are_named_from_the_top_down():
    weights = np.zeros(13)
    weights[[3, 0, 12]] = 0.2, 0.7, 0.1
    assert run.top_keys(weights) == "alice 0.7000, cmu 0.2000, p3 0.1000"
    assert run.top_keys(weights, 1) == "alice 0.7000"


# --- the record ------------------------------------------------------------------------------------------------------


def arrays_of(value):
    """Every array in a field of the record, however deep."""
    if isinstance(value, np.ndarray):
        return [value]
    return [a for part in value for a in arrays_of(part)] if isinstance(value, tuple) else []


def test_drawing_again_gives_the_same_record():
    assert run.draw() is run.draw()


def test_the_record_cannot_be_changed():
    record = run.draw()
    with pytest.raises(FrozenInstanceError):
        record.X = None
    assert [
        f.name
        for f in fields(record)
        if any(a.flags.writeable for a in arrays_of(getattr(record, f.name))) and f.name != "products"
    ] == []


def test_the_dot_products_of_the_record_cannot_be_changed():
    assert not [row.d_k for row in run.draw().products if row.dots.flags.writeable]


def test_a_fresh_draw_gives_the_same_numbers():
    record, fresh = run.draw(), run.draw.__wrapped__()
    assert fresh is not record
    for field in fields(record):
        pairs = zip(arrays_of(getattr(record, field.name)), arrays_of(getattr(fresh, field.name)), strict=True)
        for one, other in pairs:
            assert_array_equal(one, other, err_msg=field.name)


def test_the_draws_are_those_of_the_recipe_in_its_order():
    record, rng, drawn = run.draw(), np.random.default_rng(0), {}
    drawn["noise"] = [rng.normal(size=(13, 8)) / np.sqrt(8)]
    X = drawn["noise"][0].copy()
    for i, name in enumerate(ENTITIES):
        for j in range(8):
            if j % 5 == CONCEPTS.index(TYPES[name]):
                X[i, j] += 0.5
    drawn["X"] = [X]
    for name in ("Wq", "Wk", "Wv"):
        drawn[name] = [rng.normal(size=(8, 4))]
    drawn["products"] = []
    for d_k in (4, 64, 256):
        q = rng.normal(size=(10_000, d_k))
        k = rng.normal(size=(10_000, d_k))
        drawn["products"].append((q * k).sum(axis=1))
    drawn["q_wide"] = [rng.normal(size=256)]
    drawn["K_wide"] = [rng.normal(size=(13, 256))]
    drawn["z"] = [rng.normal(size=5)]
    drawn["values"] = [rng.normal(size=(4, 4))]
    drawn["heads"] = [rng.normal(size=(8, 4)) / np.sqrt(8) for _ in range(2 * 3)]
    drawn["Wo"] = [rng.normal(size=(8, 8)) / np.sqrt(8)]
    assert list(drawn) == [field.name for field in fields(record)]
    for name, expected in drawn.items():
        got = arrays_of(getattr(record, name))
        assert len(got) == len(expected), name
        for one, other in zip(got, expected):
            assert_array_equal(one, other, err_msg=name)


def test_the_bump_adds_a_half_where_a_column_belongs_to_the_type():
    bump = run.type_bump()
    # Institution, Paper, Professor, Student, Topic own columns 0 to 4, and the first three of them 5 to 7 as well.
    columns = {"Institution": [0, 5], "Paper": [1, 6], "Professor": [2, 7], "Student": [3], "Topic": [4]}
    for row, name in zip(bump, ENTITIES):
        assert_array_equal(np.nonzero(row)[0], columns[TYPES[name]], err_msg=name)
    assert set(bump.flat) == {0, 0.5}


def test_the_printed_verdicts_are_those_of_the_gates_named_beside_them(monkeypatch, capsys):
    right = run.central_difference_jacobian
    monkeypatch.setattr(run, "central_difference_jacobian", lambda f, z: right(f, z) + 1e-5)
    run.main()
    assert "below 1e-6: False" in capsys.readouterr().out


def test_the_stored_times_are_quartiles_for_each_size():
    times = run.measured()
    assert (np.diff(times["n"]) > 0).all()
    for name in ("plain", "blocked", "products alone"):
        assert times[name].shape == (len(times["n"]), 3)
        assert (np.diff(times[name], axis=1) >= 0).all() and (times[name] > 0).all()


def test_the_table_of_a_row_and_the_blocks_of_the_trace_are_headed(trace):
    assert "key    type          raw q.k   scaled   weight" in trace.splitlines()
    assert [line for line in trace.splitlines() if line.startswith("[")] == [
        "[1] one query row: bob",
        "[2] the variance of q.k, and saturation",
        "[3] the softmax Jacobian",
        "[4] the retrieval limit: four orthonormal keys, slot 2",
        "[5] two heads",
    ]


def test_rows_that_do_not_sum_to_one_are_told(monkeypatch, capsys):
    right = run.attention
    monkeypatch.setattr(run, "attention", lambda *args: right(*args)._replace(weights=right(*args).weights * (1 + 1e-9)))
    run.main()
    assert "largest |row sum - 1|: 1.00e-09, below 1e-12: False" in capsys.readouterr().out


@pytest.mark.parametrize("name, prints", [("__main__", True), ("attention_chapter.run", False)])
def test_the_trace_is_printed_by_a_call_and_not_by_an_import(name, prints, capsys):
    runpy.run_path(run.__file__, run_name=name)
    printed = capsys.readouterr().out
    assert printed.startswith("[1] one query row: bob") if prints else printed == ""
